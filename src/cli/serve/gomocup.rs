//! The protocol of Gomocup (Piskvork): five in a row on a square board.
//!
//! A manager says where stones are, the brain answers with the coordinates of its own,
//! column and row from 0, counted from the top left
//! (<https://plastovicka.github.io/protocl2en.htm>). One thread does: nobody says anything while
//! the brain thinks.

use std::io::{self, BufRead, Write};

use super::command::{Go, shortened};
use super::lines::{self, Said};
use super::options::Options;
use crate::config::ConfigError;
use crate::games::{Player, Turn};
use crate::search::Stop;
use crate::world::{Registry, Session};

/// The longest board of a manager, in lines.
const MOST_STONES: usize = 1 << 16;

/// A stone: column, row, and whether it is the brain's own.
type Stone = (usize, usize, bool);

/// A brain: the agent, the board and the times.
pub struct Brain<W> {
    registry: Registry,
    options: Options,
    agent: String,
    session: Option<Session>,
    size: usize,
    exact: bool,
    stones: Vec<Stone>,
    /// Milliseconds for a move and left for the game; `None` where there is no limit.
    timeout_turn: Option<i64>,
    time_left: Option<i64>,
    stop: Stop,
    out: W,
}

impl<W: Write> Brain<W> {
    /// A brain without a board.
    ///
    /// # Errors
    /// An agent that does not play such games.
    pub fn open(game: &str, agent: &str, registry: &Registry, out: W) -> Result<Self, ConfigError> {
        let options = Options::new(game, agent);
        options.open(registry)?;
        Ok(Brain {
            registry: registry.clone(),
            options,
            agent: agent.to_owned(),
            session: None,
            size: 0,
            exact: false,
            stones: Vec::new(),
            timeout_turn: None,
            time_left: None,
            stop: Stop::new(),
            out,
        })
    }

    /// Serves until the manager says `END`, or nothing more.
    ///
    /// # Errors
    /// Where nobody listens.
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
                    Some(cell) if self.stones.iter().any(|&(x, y, _)| (x, y) == cell) => {
                        self.say("ERROR there is a stone already")?;
                    }
                    Some((column, row)) => {
                        self.stones.push((column, row, false));
                        self.answer()?;
                    }
                    None => self.say("ERROR the move is `TURN column,row`, from 0")?,
                },
                "TAKEBACK" => {
                    let cell = self.cell(rest);
                    self.stones.retain(|&(column, row, _)| Some((column, row)) != cell);
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
        let opened = self.options.open(&self.registry).map_err(|error| error.short());
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

    /// Times and rules; what else there is to know is passed over.
    fn info(&mut self, rest: &str) {
        let mut words = rest.split_ascii_whitespace();
        let (Some(key), Some(value)) = (words.next(), words.next()) else { return };
        let Ok(value) = value.parse::<i64>() else { return };
        match key.to_ascii_lowercase().as_str() {
            // 0: as fast as possible.
            "timeout_turn" => self.timeout_turn = Some(value.max(1)),
            // 0: no limit. What is left is told before each move.
            "timeout_match" | "time_left" => {
                self.time_left = Some(value).filter(|&left| left > 0 && left < i64::from(i32::MAX));
            }
            "rule" => self.exact = value & 1 == 1,
            _ => {}
        }
    }

    /// `column,row` on the board.
    fn cell(&self, text: &str) -> Option<(usize, usize)> {
        let (column, row) = text.trim().split_once(',')?;
        let (column, row) = (column.trim().parse().ok()?, row.trim().parse().ok()?);
        (column < self.size && row < self.size).then_some((column, row))
    }

    /// `column,row,field`, where the field is 1 for an own stone and 2 for the other's.
    fn stone(&self, line: &str) -> Option<Stone> {
        let (cell, field) = line.rsplit_once(',')?;
        let (column, row) = self.cell(cell)?;
        match field.trim() {
            "1" => Some((column, row, true)),
            "2" => Some((column, row, false)),
            _ => None,
        }
    }

    /// The rows of the board, the first player's stones as `x`: the first player is who has
    /// as many stones as the other when it is his turn.
    fn rows(&self) -> String {
        let own = self.stones.iter().filter(|stone| stone.2).count();
        let first = own * 2 == self.stones.len();
        let mut rows = vec![vec!['.'; self.size]; self.size];
        for &(column, row, mine) in &self.stones {
            rows[row][column] = if mine == first { 'x' } else { 'o' };
        }
        rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    }

    fn answer(&mut self) -> io::Result<()> {
        // Without a game the size may be one that no board has.
        if self.session.is_none() {
            return self.say("ERROR there is no board");
        }
        let rows = self.rows();
        let player = if rows.matches('x').count() == rows.matches('o').count() {
            Player::First
        } else {
            Player::Second
        };
        let mut go = Go { movetime: self.timeout_turn, ..Go::default() };
        go.time[player.index()] = self.time_left;
        let limits = go.limits(Some(player), self.options.overhead);
        self.options.asked();
        let choice = match &mut self.session {
            None => Err("there is no board".to_owned()),
            Some(session) => session.set_up(Some(&rows), "").and_then(|()| match session.turn() {
                Some(Turn::Player(_)) => session.choose(limits.as_ref(), self.stop),
                _ => Err("the game is over".to_owned()),
            }),
        };
        let cell = choice.and_then(|choice| {
            let cell = choice.text.parse::<usize>();
            cell.map_err(|_| format!("`{}` is no cell", choice.text))
        });
        match cell {
            Ok(cell) => {
                let (column, row) = (cell % self.size, cell / self.size);
                self.stones.push((column, row, true));
                self.say(&format!("{column},{row}"))
            }
            Err(why) => self.say(&format!("ERROR {why}")),
        }
    }
}

/// The next line without blanks around it; one that is too long has no meaning.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    Ok(match lines::next(input)? {
        Said::Line(line) => Some(line.trim().to_owned()),
        Said::TooLong => Some("TOO-LONG".to_owned()),
        Said::Nothing => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(agent: &str, said: &str) -> Vec<String> {
        let mut out = Vec::new();
        let registry = Registry::builtin();
        let brain = Brain::open("mnk:m=15,n=15,k=5", agent, &registry, &mut out);
        let mut brain = brain.expect("a brain");
        brain.serve(said.as_bytes()).expect("a listener");
        String::from_utf8(out).expect("text").lines().map(str::to_owned).collect()
    }

    #[test]
    fn fives_are_completed_at_the_right_end_of_the_board() {
        // Columns from the left, rows from the top: four in a row in the first row.
        let board = "START 15\r\nBOARD\r\n0,0,1\r\n0,9,2\r\n1,0,1\r\n5,9,2\r\n2,0,1\r\n6,7,2\r\n3,0,1\r\n9,1,2\r\nDONE\r\nEND\r\n";
        assert_eq!(talk("alphabeta:depth=2", board), ["OK", "4,0"]);
        // The other has four in the first column, and the brain, who moves second, none.
        let board =
            "START 15\nBOARD\n3,0,2\n9,9,1\n3,1,2\n12,4,1\n3,2,2\n7,11,1\n3,3,2\nDONE\nEND\n";
        assert_eq!(talk("alphabeta:depth=2", board), ["OK", "3,4"]);
    }

    #[test]
    fn turns_follow_one_another() {
        let said = "START 9\nINFO timeout_match 0\nBEGIN\nTURN 8,8\nTAKEBACK 8,8\nRESTART\nBEGIN\nEND\nSTART 9\n";
        let lines = talk("alphabeta:depth=1,table_mb=1", said);
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
        let lines = talk("random", said);
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
        let said = talk("random", &(said.to_owned() + &"x".repeat(2 << 20) + "\nABOUT\n"));
        assert!(said[0].starts_with("ERROR ") && said[3] == "OK", "{said:?}");
        assert_eq!(said[1..3], ["ERROR there is no board"; 2]);
        assert_eq!(said[5..7], ["ERROR there is a stone already", "UNKNOWN TOO-LONG"]);
        assert!(said[7].starts_with("name="), "{said:?}");
    }
}
