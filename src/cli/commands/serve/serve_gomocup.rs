//! The protocol of Gomocup (Piskvork): five in a row on a square board.
//!
//! A manager sends the positions of stones, and the brain answers with the coordinates of its move.
//! Column and row count from 0 at the top left (<https://plastovicka.github.io/protocl2en.htm>).
//! One thread is enough: the manager sends nothing while the brain is thinking.

use std::io::{self, BufRead, Write};

use super::search_limits::search_limits;
use super::session_options::{SessionOptions, shortened};
use crate::cli::input_line::{self, InputLine};
use crate::config::ConfigError;
use crate::engine::{GoCommand, GomocupCell};
use crate::games::{Player, Turn};
use crate::play::{Registry, TextSession};
use crate::search::StopSwitch;

/// The maximum number of lines in a `BOARD` command.
const MOST_STONES: usize = 1 << 16;

/// A stone, and whether it is the brain's own.
type Stone = (GomocupCell, bool);

/// A brain: the agent, the board and the time limits.
pub struct Brain<W> {
    options: SessionOptions,
    agent: String,
    session: Option<TextSession>,
    size: usize,
    exact: bool,
    stones: Vec<Stone>,
    /// Milliseconds per move, and milliseconds left for the game; `None` without a limit.
    timeout_turn: Option<i64>,
    time_left: Option<i64>,
    stop: StopSwitch,
    out: W,
}

impl<W: Write> Brain<W> {
    /// A brain without a board.
    pub fn open(game: &str, agent: &str, registry: &Registry, out: W) -> Result<Self, ConfigError> {
        let options = SessionOptions::new(game, agent, registry);
        options.open()?;
        Ok(Brain {
            options,
            agent: agent.to_owned(),
            session: None,
            size: 0,
            exact: false,
            stones: Vec::new(),
            timeout_turn: None,
            time_left: None,
            stop: StopSwitch::new(),
            out,
        })
    }

    /// Serves until the manager sends `END` or closes the input.
    pub fn serve(&mut self, mut input: impl BufRead) -> io::Result<()> {
        while let Some(line) = next_line(&mut input)? {
            let (word, rest) = line.split_once([' ', '\t']).unwrap_or((&line, ""));
            match word.to_ascii_uppercase().as_str() {
                "" => {}
                "END" => return Ok(()),
                "START" => self.start(rest.trim())?,
                "RESTART" => {
                    self.stones.clear();
                    self.open_game()?;
                }
                "ABOUT" => {
                    let (version, agent) =
                        (env!("CARGO_PKG_VERSION"), self.agent.replace('"', "'"));
                    self.say(&format!("name=\"agon {agent}\", version=\"{version}\""))?;
                }
                "INFO" => self.info(rest),
                "BEGIN" => self.answer()?,
                "TURN" => match self.cell(rest) {
                    Some(cell) if self.stones.iter().any(|stone| stone.0 == cell) => {
                        self.say("ERROR there is a stone already")?;
                    }
                    Some(cell) => {
                        self.stones.push((cell, false));
                        self.answer()?;
                    }
                    None => self.say("ERROR the move is `TURN column,row`, from 0")?,
                },
                "TAKEBACK" => {
                    let cell = self.cell(rest);
                    self.stones.retain(|stone| Some(stone.0) != cell);
                    self.say("OK")?;
                }
                "BOARD" => {
                    self.stones.clear();
                    let mut wrong = None;
                    while let Some(line) = next_line(&mut input)? {
                        if line.eq_ignore_ascii_case("DONE") {
                            break;
                        }
                        match self.stone(&line) {
                            Some(stone) if self.stones.len() < MOST_STONES => {
                                self.stones.push(stone)
                            }
                            _ => wrong = Some(line),
                        }
                    }
                    match wrong {
                        Some(line) => self.say(&format!("ERROR no stone: {}", shortened(&line)))?,
                        None => self.answer()?,
                    }
                }
                _ => self.say(&format!("UNKNOWN {}", shortened(word)))?,
            }
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()
    }

    fn start(&mut self, size: &str) -> io::Result<()> {
        self.stones.clear();
        match size.parse() {
            Ok(size) => {
                self.size = size;
                self.open_game()
            }
            Err(_) => self.say("ERROR the size is a whole number"),
        }
    }

    /// Opens the game of this size.
    fn open_game(&mut self) -> io::Result<()> {
        self.session = None;
        let (size, exact) = (self.size, self.exact);
        let game = format!("mnk:m={size},n={size},k=5,exact={exact}");
        let set = self.options.set("Game", &game);
        self.options.next_game();
        let opened = self.options.open().map_err(|error| error.short());
        match set.and(opened) {
            Ok(mut session) => {
                session.prepare();
                self.session = Some(session);
                self.say("OK")
            }
            Err(why) => {
                let why = why.lines().next().unwrap_or_default().to_owned();
                self.say(&format!("ERROR {why}"))
            }
        }
    }

    /// Reads times and rules; ignores other keys.
    fn info(&mut self, rest: &str) {
        let mut words = rest.split_ascii_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else { return };
        let Ok(value) = value.parse::<i64>() else { return };
        match key.to_ascii_lowercase().as_str() {
            // 0: play as fast as possible.
            "timeout_turn" => self.timeout_turn = Some(value.max(1)),
            // 0: no limit. The manager sends the time left before each move.
            "timeout_match" | "time_left" => {
                self.time_left = Some(value).filter(|&left| left > 0 && left < i64::from(i32::MAX));
            }
            "rule" => self.exact = value & 1 == 1,
            _ => {}
        }
    }

    /// `column,row` on the board.
    fn cell(&self, text: &str) -> Option<GomocupCell> {
        GomocupCell::parse(text, self.size)
    }

    /// `column,row,field`; the field is 1 for an own stone and 2 for one of the opponent.
    fn stone(&self, line: &str) -> Option<Stone> {
        let (cell, field) = line.rsplit_once(',')?;
        let cell = self.cell(cell)?;
        match field.trim() {
            "1" => Some((cell, true)),
            "2" => Some((cell, false)),
            _ => None,
        }
    }

    /// The rows of the board, with the stones of the first player as `x`. The side to move is the
    /// first player if both sides have the same number of stones.
    fn rows(&self) -> String {
        let own = self.stones.iter().filter(|stone| stone.1).count();
        let first = own * 2 == self.stones.len();
        let mut rows = vec![vec!['.'; self.size]; self.size];
        for &(GomocupCell { column, row }, mine) in &self.stones {
            rows[row][column] = if mine == first { 'x' } else { 'o' };
        }
        rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    fn answer(&mut self) -> io::Result<()> {
        // Without a game, the size may be invalid.
        if self.session.is_none() {
            return self.say("ERROR there is no board");
        }
        let rows = self.rows();
        let player = if rows.matches('x').count() == rows.matches('o').count() {
            Player::First
        } else {
            Player::Second
        };
        let mut go = GoCommand { movetime: self.timeout_turn, ..GoCommand::default() };
        go.time[player.index()] = self.time_left;
        let limits = search_limits(&go, Some(player), self.options.overhead);
        self.options.note_request();
        let choice = match &mut self.session {
            None => Err("there is no board".to_owned()),
            Some(session) => session.set_up(Some(&rows), "").and_then(|()| match session.turn() {
                Some(Turn::Player(_)) => session.choose(limits.as_ref(), self.stop),
                _ => Err("the game is over".to_owned()),
            }),
        };
        let cell = choice.and_then(|choice| {
            let cell = choice.text.parse::<usize>();
            cell.map_err(|_| format!("`{}` is not a cell", choice.text))
        });
        match cell {
            Ok(number) => {
                let cell = GomocupCell::of(number, self.size);
                self.stones.push((cell, true));
                self.say(&cell.to_string())
            }
            Err(why) => self.say(&format!("ERROR {why}")),
        }
    }
}

/// The next line, trimmed. A line that is too long is ignored.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    Ok(match input_line::next(input, input_line::OF_HOSTS)? {
        InputLine::Line(line) => Some(line.trim().to_owned()),
        InputLine::TooLong => Some("TOO-LONG".to_owned()),
        InputLine::Nothing => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers_of(agent: &str, said: &str) -> Vec<String> {
        let mut out = Vec::new();
        let registry = Registry::builtin();
        let brain = Brain::open("mnk:m=15,n=15,k=5", agent, &registry, &mut out);
        let mut brain = brain.expect("a brain");
        brain.serve(said.as_bytes()).expect("a listener");
        String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
    }

    #[test]
    fn fives_are_completed_at_the_right_end_of_the_board() {
        // Columns count from the left, rows from the top: four in a row in the first row.
        let board = "START 15\r\nBOARD\r\n0,0,1\r\n0,9,2\r\n1,0,1\r\n5,9,2\r\n2,0,1\r\n6,7,2\r\n3,0,1\r\n9,1,2\r\nDONE\r\nEND\r\n";
        assert_eq!(answers_of("alphabeta:depth=2", board), ["OK", "4,0"]);
        // The opponent has four in the first column. The brain moves second and has no four.
        let board =
            "START 15\nBOARD\n3,0,2\n9,9,1\n3,1,2\n12,4,1\n3,2,2\n7,11,1\n3,3,2\nDONE\nEND\n";
        assert_eq!(answers_of("alphabeta:depth=2", board), ["OK", "3,4"]);
    }

    #[test]
    fn turns_follow_one_another() {
        let said = "START 9\nINFO timeout_match 0\nBEGIN\nTURN 8,8\nTAKEBACK 8,8\nRESTART\nBEGIN\nEND\nSTART 9\n";
        let lines = answers_of("alphabeta:depth=1,table_mb=1", said);
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert_eq!(
            (&lines[0], &lines[3], &lines[4], &lines[1]),
            (&lines[3], &lines[4], &lines[0], &lines[5])
        );
    }

    #[test]
    fn what_makes_no_sense_is_an_error_and_not_the_end() {
        let said = "BEGIN\nSTART x\nSTART 3\nSTART 99999999999999999999\nSTART 10\nTURN 10,0\nTURN\nWHAT\n\
                    BOARD\n1,1,7\nDONE\nBOARD\n1,1,1\n2,2,1\n3,3,1\nDONE\nABOUT\nINFO rule\n\nEND";
        let lines = answers_of("random", said);
        let words: Vec<&str> =
            lines.iter().map(|line| line.split(' ').next().unwrap_or("")).collect();
        assert_eq!(
            words,
            [
                "ERROR",
                "ERROR",
                "ERROR",
                "ERROR",
                "OK",
                "ERROR",
                "ERROR",
                "UNKNOWN",
                "ERROR",
                "ERROR",
                "name=\"agon"
            ],
            "{lines:?}"
        );
    }

    #[test]
    fn boards_of_no_size_and_stones_on_stones_are_errors() {
        let said = "START 18446744073709551615\nBEGIN\nTURN 1,1\nSTART 15\nTURN 7,7\nTURN 7,7\n";
        let said = answers_of("random", &(said.to_owned() + &"x".repeat(2 << 20) + "\nABOUT\n"));
        assert!(said[0].starts_with("ERROR ") && said[3] == "OK", "{said:?}");
        assert_eq!(said[1..3], ["ERROR there is no board"; 2]);
        assert_eq!(said[5..7], ["ERROR there is a stone already", "UNKNOWN TOO-LONG"]);
        assert!(said[7].starts_with("name="), "{said:?}");
    }
}
