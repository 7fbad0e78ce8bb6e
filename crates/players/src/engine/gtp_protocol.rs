//! The Go Text Protocol as a host, for Go and Othello.
//!
//! Commands are numbered, so late answers to earlier commands are ignored. The engine gets each
//! move once; if a question does not continue the moves that it knows, the board is cleared. The
//! protocol has time limits only, in whole seconds, and no command to interrupt a search.

use std::cell::Cell;
use std::fmt::Write;
use std::iter;
use std::time::{Duration, Instant};

use super::connection::{Connection, Line};
use super::conversation_log::shorten;
use super::engine_error::{EngineError, EngineErrorKind};
use super::final_score::FinalScore;
use super::messages::gtp_command::{GtpAnswer, colour, read_score};
use super::protocol_trait::{EngineAnswer, EngineSettings, Protocol, Question};
use crate::games::{GtpGame, Player};

/// A conversation with a GTP engine.
#[derive(Debug, Default)]
pub struct Gtp {
    game: Option<GtpGame>,
    /// The number of the last command.
    id: u32,
    /// The position and the moves that the engine knows.
    position: String,
    moves: Vec<(Player, String)>,
    /// The limits that were sent.
    time_settings: String,
    /// Whether the engine knows `time_settings` and `time_left`.
    keeps_time: bool,
}

/// The commands that an engine must know.
const NEEDED: [&str; 4] = ["boardsize", "clear_board", "play", "genmove"];

impl Gtp {
    /// Writes a command with the next number.
    fn write(&mut self, command: &str, out: &mut String) {
        self.id += 1;
        let _ = writeln!(out, "{} {command}", self.id);
    }

    /// Sends a command and waits for its answer.
    fn command(
        &mut self,
        link: &mut Connection,
        command: &str,
        deadline: Instant,
    ) -> Result<Result<String, String>, EngineError> {
        self.send(link, command)?;
        self.await_answer(link, command, deadline)
    }

    fn send(&mut self, link: &mut Connection, command: &str) -> Result<(), EngineError> {
        let mut line = String::new();
        self.write(command, &mut line);
        link.send(line.as_bytes())
    }

    /// Waits for the answer to the last command.
    fn await_answer(
        &mut self,
        link: &mut Connection,
        command: &str,
        deadline: Instant,
    ) -> Result<Result<String, String>, EngineError> {
        let (id, mut answer) = (self.id, GtpAnswer::default());
        let heard = link.listen(deadline, |line| match answer.add(line) {
            Line::End(()) if answer.id != Some(id) => Line::Other,
            line => line,
        });
        heard.map_err(|error| match id {
            1 => error,
            _ => error.after_greeting("the first command", &format!("`{command}`")),
        })?;
        Ok(if answer.is_error { Err(answer.text) } else { Ok(answer.text) })
    }

    /// As [`Gtp::await_answer`]; a failure means that the engine refuses.
    fn await_success(
        &mut self,
        link: &mut Connection,
        command: &str,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        self.await_answer(link, command, deadline)?.map(drop).map_err(|why| {
            let detail = format!("it answers `{command}` with `? {}`", shorten(&why));
            let help = "check size and komi of the game, or use another engine";
            EngineError::refused(detail, help)
        })
    }

    /// The command for the size of the board.
    fn size_command(&self) -> Result<String, EngineError> {
        Ok(format!("boardsize {}", self.game.ok_or_else(wrong_game)?.size))
    }

    /// Clears the board after the command for its size.
    fn clear(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        let game = self.game.ok_or_else(wrong_game)?;
        self.await_success(link, &self.size_command()?, deadline)?;
        let komi = game.komi.map(|komi| format!("komi {komi}"));
        for command in iter::once("clear_board").chain(komi.as_deref()) {
            self.send(link, command)?;
            self.await_success(link, command, deadline)?;
        }
        self.position.clear();
        self.moves.clear();
        self.time_settings.clear();
        Ok(())
    }

    /// The commands for the time limits of a question.
    fn time_commands(&self, question: &Question<'_>) -> [Option<String>; 2] {
        let seconds = |time: Duration| time.as_secs_f64().round().max(1.0) as u64;
        let player = question.player;
        match question.limits.clocks[player.index()] {
            Some(clock) => {
                let whole = seconds(clock.control.base);
                let left = seconds(clock.left);
                let stones = clock.moves_to_go.unwrap_or(0);
                let settings = format!("time_settings {whole} 0 0");
                let left = format!("time_left {} {left} {stones}", colour(player));
                [Some(settings), Some(left)]
            }
            // A period of seconds for each stone.
            None => {
                let settings = |time| format!("time_settings 0 {} 1", seconds(time));
                [question.limits.movetime.map(settings), None]
            }
        }
    }

    /// Writes the commands that bring the engine to the position of a question, and `genmove`.
    fn write_question(
        &mut self,
        question: &Question<'_>,
        out: &mut String,
    ) -> Result<(), EngineError> {
        let moves = self.plays(question)?;
        let known = self.moves.len();
        let continues = self.position == question.position.unwrap_or_default()
            && moves.len() >= known
            && moves[..known] == self.moves[..];
        let mut from = known;
        if !continues {
            self.write("clear_board", out);
            from = 0;
        }
        for (player, mv) in &moves[from..] {
            self.write(&format!("play {} {mv}", colour(*player)), out);
        }
        question.position.unwrap_or_default().clone_into(&mut self.position);
        self.moves = moves;
        if self.keeps_time {
            let [settings, left] = self.time_commands(question);
            if let Some(settings) = settings.filter(|settings| *settings != self.time_settings) {
                self.write(&settings, out);
                self.time_settings = settings;
            }
            if let Some(left) = left {
                self.write(&left, out);
            }
        }
        self.write(&format!("genmove {}", colour(question.player)), out);
        Ok(())
    }

    /// All stones of a question in their order: those of its position, and its moves.
    fn plays(&self, question: &Question<'_>) -> Result<Vec<(Player, String)>, EngineError> {
        let game = self.game.as_ref().ok_or_else(wrong_game)?;
        let mut moves = Vec::new();
        if let Some(position) = question.position {
            if game.komi.is_none() {
                let detail = "GTP has no command for positions of Othello";
                let help = "use openings by moves: `kind = \"random\"`";
                return Err(EngineError::refused(detail, help));
            }
            for (number, row) in position.split([' ', '/']).take(game.size as usize).enumerate() {
                for (column, cell) in row.chars().enumerate() {
                    let player = match cell {
                        'x' => Player::First,
                        'o' => Player::Second,
                        _ => continue,
                    };
                    let letter = b"abcdefghjklmnopqrst"[column.min(18)];
                    let row = game.size as usize - number;
                    moves.push((player, format!("{}{row}", char::from(letter))));
                }
            }
        }
        // The players alternate; in Othello also by passes, which are forced and need no command.
        let mut player = match question.position {
            Some(position) if position.split(' ').any(|word| word == "second") => Player::Second,
            _ => Player::First,
        };
        for word in question.all_moves() {
            if game.komi.is_some() || !word.eq_ignore_ascii_case("pass") {
                moves.push((player, word.to_ascii_lowercase()));
            }
            player = player.other();
        }
        Ok(moves)
    }
}

fn wrong_game() -> EngineError {
    EngineError::refused(
        "the Go Text Protocol is for `go` and `othello`",
        "one of these games, or another `protocol`",
    )
}

impl Protocol for Gtp {
    fn open(
        &mut self,
        link: &mut Connection,
        settings: EngineSettings<'_>,
        by: Instant,
    ) -> Result<(), EngineError> {
        let EngineSettings { engine_context, options } = settings;
        self.game = engine_context.facts.gtp;
        if self.game.is_none() {
            return Err(wrong_game());
        }
        let version = self.command(link, "protocol_version", by)?;
        if let Ok(version) = version.as_ref()
            && version != "2"
        {
            let detail = format!("it speaks version `{}` of GTP", shorten(version));
            return Err(EngineError::refused(detail, "agon needs version 2"));
        }
        let name = self.command(link, "name", by)?.unwrap_or_default();
        let version = self.command(link, "version", by)?.unwrap_or_default();
        if !name.is_empty() {
            link.announced_name = Some(shorten(format!("{name} {version}").trim()));
        }
        let commands = self.command(link, "list_commands", by)?.unwrap_or_default();
        let known = |name: &str| commands.lines().any(|line| line.trim() == name);
        if let Some(missing) = NEEDED.into_iter().find(|name| !known(name)) {
            let detail = format!("it does not know the command `{missing}`");
            return Err(EngineError::refused(
                detail,
                "agon needs boardsize, clear_board, play, genmove",
            ));
        }
        self.keeps_time = known("time_settings") && known("time_left");
        for (name, value) in options {
            let command = format!("{name} {value}");
            if let Err(why) = self.command(link, command.trim(), by)? {
                let detail = format!("it answers `{}` with `? {}`", command.trim(), shorten(&why));
                let help = "an option of a GTP engine is a command and its arguments".to_owned();
                return Err(EngineError { kind: EngineErrorKind::Option, detail, help });
            }
        }
        self.announce_game(link)?;
        self.clear(link, by)
    }

    fn announce_game(&mut self, link: &mut Connection) -> Result<(), EngineError> {
        self.send(link, &self.size_command()?)
    }

    fn new_game(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        self.clear(link, deadline)
    }

    fn ask(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        to: &mut EngineAnswer,
    ) -> Result<(), EngineError> {
        to.clear();
        let first = self.id + 1;
        let mut answer = GtpAnswer::default();
        let mut refused = None;
        // The number of `genmove` is known after writing, before the first answer.
        let last = Cell::new(first);
        let write = |out: &mut String| {
            let written = self.write_question(what, out);
            last.set(self.id);
            written
        };
        let asked = link.ask(what.budget, write, |line| {
            let line = answer.add(line);
            let Line::End(()) = line else { return line };
            match answer.id {
                Some(id) if id == last.get() => {
                    to.text.push_str(&answer.text);
                    return line;
                }
                Some(id) if (first..last.get()).contains(&id) && answer.is_error => {
                    refused.get_or_insert_with(|| shorten(&answer.text));
                }
                _ => {}
            }
            Line::Other
        });
        to.time = asked?;
        if let Some(why) = refused {
            let detail = format!("it refuses the moves so far: `? {why}`");
            return Err(EngineError::new(EngineErrorKind::NoMove, detail));
        }
        if answer.is_error {
            let detail = format!("it answers `genmove` with `? {}`", shorten(&to.text));
            return Err(EngineError::new(EngineErrorKind::NoMove, detail));
        }
        let passes = self.game.as_ref().is_some_and(|game| game.komi.is_none());
        if !(passes && to.text.eq_ignore_ascii_case("pass")) {
            self.moves.push((what.player, to.text.to_ascii_lowercase()));
        }
        Ok(())
    }

    fn final_score(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        payoff: i32,
    ) -> Result<Option<FinalScore>, EngineError> {
        let Ok(moves) = self.plays(what) else { return Ok(None) };
        let deadline = Instant::now() + what.budget;
        for &(player, ref mv) in moves.iter().skip(self.moves.len()) {
            let command = format!("play {} {mv}", colour(player));
            if self.command(link, &command, deadline)?.is_err() {
                return Ok(None);
            }
        }
        self.moves = moves;
        let text = self.command(link, "final_score", deadline)?.unwrap_or_default();
        Ok(self.game.zip(read_score(&text)).map(|(game, engine)| FinalScore {
            agrees: game.agrees(game.lead(payoff), engine),
            engine: shorten(&text),
        }))
    }

    fn reproducer(&self, settings: EngineSettings<'_>, question: &Question<'_>) -> String {
        let mut fresh = Gtp { game: self.game, keeps_time: true, ..Gtp::default() };
        let mut out = String::new();
        for (name, value) in settings.options {
            let _ = writeln!(out, "{}", format!("{name} {value}").trim());
        }
        if let Some(GtpGame { size, komi, .. }) = &self.game {
            let _ = writeln!(out, "boardsize {size}\nclear_board");
            if let Some(komi) = komi {
                let _ = writeln!(out, "komi {komi}");
            }
        }
        // If the question cannot be written, it was never sent.
        let _ = fresh.write_question(question, &mut out);
        out
    }
}
