//! The Go Text Protocol, version 2, for Go and Othello.
//!
//! A controller sends the moves of both sides, and the agent answers with its move. One thread is
//! enough: the controller sends nothing while the agent is thinking.

use std::io::{self, BufRead, Write};

use super::search_limits::search_limits;
use super::session_options::{SessionOptions, shortened};
use crate::cli::failure::Failure;
use crate::cli::input_line::{self, InputLine};
use crate::engine::{GoCommand, GtpCommand, write_score};
use crate::games::{GtpGame, Player, Turn};
use crate::play::{Registry, TextSession};
use crate::search::StopSwitch;

const COMMANDS: [&str; 17] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "list_commands",
    "name",
    "play",
    "protocol_version",
    "quit",
    "reg_genmove",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

/// An agent, its board and its time.
pub struct GtpServer<W> {
    options: SessionOptions,
    kind: String,
    /// The parameters of the command line, without size and komi.
    params: String,
    game: GtpGame,
    session: TextSession,
    /// The moves of the game, also those passes that the controller left out.
    moves: Vec<String>,
    /// Milliseconds: for the whole game, for a period, and the stones of the period.
    time: [i64; 3],
    /// Milliseconds left of both sides.
    left: [Option<i64>; 2],
    stop: StopSwitch,
    out: W,
}

impl<W: Write> GtpServer<W> {
    /// A server with an empty board.
    pub fn open(game: &str, agent: &str, registry: &Registry, out: W) -> Result<Self, Failure> {
        let options = SessionOptions::new(game, agent, registry);
        let (kind, params) = game.split_once(':').unwrap_or((game, ""));
        let Some(gtp) = options.any_game()?.engine_facts().gtp else {
            let message = "`--protocol gtp` supports only `go` and `othello`";
            return Err(Failure::usage(message, "use `--game go`"));
        };
        let session = options.open()?;
        let is_rest = |pair: &&str| {
            let key = pair.split('=').next().unwrap_or_default().trim();
            !["", "size", "komi"].contains(&key)
        };
        Ok(GtpServer {
            options,
            kind: kind.trim().to_owned(),
            params: params.split(',').filter(is_rest).collect::<Vec<_>>().join(","),
            game: gtp,
            session,
            moves: Vec::new(),
            time: [0; 3],
            left: [None; 2],
            stop: StopSwitch::new(),
            out,
        })
    }

    /// Serves until the controller sends `quit` or closes the input.
    pub fn serve(&mut self, mut input: impl BufRead) -> io::Result<()> {
        loop {
            let line = match input_line::next(&mut input, input_line::OF_HOSTS)? {
                InputLine::Line(line) => line,
                InputLine::TooLong => "too_long".to_owned(),
                InputLine::Nothing => return Ok(()),
            };
            let Some(command) = GtpCommand::parse(&line) else { continue };
            let result = self.execute(&command);
            self.out.write_all(command.answer(&result).as_bytes())?;
            self.out.flush()?;
            if command.name == "quit" {
                return Ok(());
            }
        }
    }

    fn execute(&mut self, command: &GtpCommand) -> Result<String, String> {
        match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("agon".to_owned()),
            "version" => Ok(self.options.name().trim_start_matches("agon ").to_owned()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => {
                let name = command.arguments.first().map_or("", String::as_str);
                Ok(COMMANDS.contains(&name).to_string())
            }
            "quit" => Ok(String::new()),
            "boardsize" => {
                let game = GtpGame { size: command.argument(0)?, ..self.game };
                self.open_game(game).map_err(|_| "unacceptable size".to_owned())
            }
            "komi" => self.set_komi(command.argument(0)?),
            "clear_board" => self.open_game(self.game),
            "play" if command.arguments.len() != 2 => Err("syntax error".to_owned()),
            "play" => {
                let played = self.play(command.player()?, &command.arguments[1]);
                played.map_err(|why| format!("illegal move: {why}"))
            }
            "genmove" => {
                let mv = self.choose(command.player()?)?;
                self.moves.push(mv.clone());
                Ok(mv)
            }
            "reg_genmove" => {
                let mv = self.choose(command.player()?)?;
                self.set_up()?;
                Ok(mv)
            }
            "undo" => {
                self.moves.pop().ok_or("cannot undo")?;
                self.set_up()
            }
            "time_settings" => self.set_time(command),
            "time_left" => self.set_time_left(command),
            "showboard" => {
                let shown = self.session.shown().ok_or("syntax error")?;
                Ok(format!("\n{}", shown.1))
            }
            "final_score" => {
                let is_over = self.session.turn() == Some(Turn::Over);
                match self.session.payoff() {
                    // The area can be counted at any time.
                    Some(payoff) if is_over || self.game.komi.is_some() => {
                        Ok(write_score(self.game.lead(payoff)))
                    }
                    _ => Err("cannot score".to_owned()),
                }
            }
            _ => Err(format!("unknown command {}", shortened(&command.name))),
        }
    }

    /// Changes the komi and keeps the moves.
    fn set_komi(&mut self, komi: f64) -> Result<String, String> {
        if self.game.komi.is_none() {
            return Ok(String::new());
        }
        let moves = std::mem::take(&mut self.moves);
        let opened = self.open_game(GtpGame { komi: Some(komi), ..self.game });
        self.moves = moves;
        self.set_up().and(opened)
    }

    /// Time for the whole game, for a period, and the stones of the period.
    fn set_time(&mut self, command: &GtpCommand) -> Result<String, String> {
        let times = [command.argument(0)?, command.argument(1)?, command.argument(2)?];
        if !times.iter().all(|time: &f64| *time >= 0.0) {
            return Err("syntax error".to_owned());
        }
        let [whole, period, stones] = times;
        self.time = [(whole * 1e3) as i64, (period * 1e3) as i64, stones as i64];
        self.left = [None; 2];
        Ok(String::new())
    }

    /// The time that a side has left, for one stone of its period.
    fn set_time_left(&mut self, command: &GtpCommand) -> Result<String, String> {
        let (player, time) = (command.player()?, command.argument::<f64>(1)? * 1e3);
        let stones = command.argument::<f64>(2).unwrap_or(0.0).max(1.0);
        self.left[player.index()] = Some((time / stones) as i64).filter(|_| stones < 2.0);
        Ok(String::new())
    }

    /// Opens a game of this size and komi, without moves.
    fn open_game(&mut self, game: GtpGame) -> Result<String, String> {
        let komi = game.komi.map(|komi| format!(",komi={komi}")).unwrap_or_default();
        let rest = if self.params.is_empty() { String::new() } else { format!(",{}", self.params) };
        let spec = format!("{}:size={}{komi}{rest}", self.kind, game.size);
        let mut options = self.options.clone();
        options.set("Game", &spec)?;
        options.next_game();
        let session = options.open().map_err(|error| error.short())?;
        (self.options, self.session, self.game) = (options, session, game);
        self.session.prepare();
        self.moves.clear();
        Ok(String::new())
    }

    fn set_up(&mut self) -> Result<String, String> {
        self.session.set_up(None, &self.moves.join(" ")).map(|()| String::new())
    }

    /// Plays a pass of the other player if it is not this player's turn.
    fn give_turn(&mut self, player: Player) -> Result<(), String> {
        self.set_up()?;
        if self.session.turn() == Some(Turn::Player(player.other())) {
            self.moves.push("pass".to_owned());
            if let Err(why) = self.set_up() {
                self.moves.pop();
                self.set_up()?;
                return Err(why);
            }
        }
        Ok(())
    }

    fn play(&mut self, player: Player, mv: &str) -> Result<String, String> {
        let before = self.moves.len();
        let played = self.give_turn(player).and_then(|()| {
            self.moves.push(mv.to_owned());
            self.set_up()
        });
        if played.is_err() {
            self.moves.truncate(before);
            self.set_up()?;
        }
        played
    }

    /// The agent's move.
    fn choose(&mut self, player: Player) -> Result<String, String> {
        let before = self.moves.len();
        let mut go = GoCommand::default();
        let [whole, period, stones] = self.time;
        go.time[player.index()] =
            self.left[player.index()].or(Some(whole).filter(|whole| *whole > 0 && period == 0));
        if stones > 0 && period > 0 {
            go.movetime = Some(period / stones);
        }
        let limits = search_limits(&go, Some(player), self.options.overhead);
        self.options.note_request();
        let chosen = self.give_turn(player).and_then(|()| match self.session.turn() {
            // After two passes a controller may ask once more.
            Some(Turn::Over) => Ok("pass".to_owned()),
            _ => self.session.choose(limits.as_ref(), self.stop).map(|choice| choice.text),
        });
        if chosen.is_err() {
            self.moves.truncate(before);
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(game: &str, said: &str) -> Vec<String> {
        let mut out = Vec::new();
        let server = GtpServer::open(game, "random", &Registry::builtin(), &mut out);
        server.unwrap_or_else(|_| panic!("a server")).serve(said.as_bytes()).expect("a listener");
        let text = String::from_utf8(out).expect("text");
        text.split_terminator("\n\n").map(str::to_owned).collect()
    }

    #[test]
    fn a_game_of_go_is_scored() {
        let said = "1 protocol_version\nboardsize 3\nclear_board\nkomi 0.5\nplay b B2\n\
                    2 play w B2\nplay w A1\nplay b pass\nplay w pass\n9 final_score\nundo\nundo\n\
                    genmove b\n# nothing\nboardsize 25\nboardsize x\nbogus\nquit\nname\n";
        let lines = answers("go:suicide=true", said);
        assert_eq!(lines[0], "=1 2");
        assert_eq!(lines[1..5], ["= "; 4]);
        assert!(lines[5].starts_with("?2 illegal move: "), "{lines:?}");
        assert_eq!(lines[9], "=9 W+0.5");
        assert_eq!(
            lines[13..16],
            ["? unacceptable size", "? syntax error", "? unknown command bogus"]
        );
        assert_eq!(lines.len(), 17);
    }

    #[test]
    fn passes_that_a_controller_leaves_out_are_played() {
        let lines = answers("go", "play b D4\nplay b E5\nshowboard\nplay w D4\n");
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("= ", "= "));
        assert!(lines[2].contains("o to move") && lines[3].starts_with("? illegal move"));
        // In Othello a player with a move must not pass.
        let lines = answers("othello", "play b D3\nplay b D3\nplay w c3\nfinal_score\n");
        assert!(lines[1].starts_with("? illegal move") && lines[2] == "= ", "{lines:?}");
        assert_eq!(lines[3], "? cannot score");
    }
}
