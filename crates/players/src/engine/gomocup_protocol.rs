//! The protocol of Gomocup (Piskvork), for five in a row on a square board.
//!
//! <https://plastovicka.github.io/protocl2en.htm>: a stone is a column and a row, from 0, counted
//! from the top left. Agon numbers its cells in the same way. Agon sends the whole board before
//! each move, so an engine needs no memory of the game. The protocol has only time limits and no
//! command to interrupt a search. It has no standard format for search information.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::connection::{Connection, Line};
use super::conversation_log::shorten;
use super::engine_error::{EngineError, EngineErrorKind};
use super::messages::gomocup_cell::GomocupCell;
use super::protocol_trait::{EngineAnswer, EngineSettings, Protocol, Question};
use crate::games::FiveInARow;

/// A conversation with a Gomocup engine.
#[derive(Debug, Default)]
pub struct Gomocup {
    /// The number of columns and of rows.
    size: usize,
    /// `INFO` lines for all games.
    info_lines: String,
    /// The last time for a move that was sent, in milliseconds.
    turn_ms: Option<u128>,
    /// The engine's last move in this game.
    last: Option<GomocupCell>,
}

/// The time for a move that is sent if there is no limit: one day.
const NO_LIMIT: Duration = Duration::from_secs(86_400);

impl Gomocup {
    /// Waits for `OK`. Any other answer means that the engine refuses.
    fn wait_for_ok(link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        let answered = link.listen(deadline, |line| match first_word(line).as_str() {
            "OK" => Line::End(Ok(())),
            "ERROR" | "UNKNOWN" => {
                let detail = format!("it answered `{}`", shorten(line));
                Line::End(Err(EngineError::new(EngineErrorKind::Refused, detail)))
            }
            _ => Line::Other,
        });
        answered?.1
    }

    /// Writes the time limits, the board and the command to move.
    fn write_question(
        &self,
        question: &Question<'_>,
        out: &mut String,
    ) -> Result<u128, EngineError> {
        let clock = question.limits.clocks[question.player.index()];
        let left = clock.map(|clock| clock.left);
        let turn = [question.limits.movetime, left].into_iter().flatten().min().unwrap_or(NO_LIMIT);
        let turn_ms = turn.as_millis().max(1);
        if self.turn_ms != Some(turn_ms) {
            let _ = writeln!(out, "INFO timeout_turn {turn_ms}");
        }
        if let Some(left) = left {
            let _ = writeln!(out, "INFO time_left {}", left.as_millis().max(1));
        }
        let stones = self.stones(question)?;
        if stones.is_empty() {
            out.push_str("BEGIN\n");
            return Ok(turn_ms);
        }
        out.push_str("BOARD\n");
        for (cell, seat) in stones {
            let field = if seat == question.player.index() { 1 } else { 2 };
            let _ = writeln!(out, "{},{field}", GomocupCell::of(cell, self.size));
        }
        out.push_str("DONE\n");
        Ok(turn_ms)
    }

    /// All stones in the order of play, each with its seat.
    fn stones(&self, question: &Question<'_>) -> Result<Vec<(usize, usize)>, EngineError> {
        let cells = self.size * self.size;
        let strange = |text: &str| {
            let detail = format!("`{text}` cannot be written in the protocol of Gomocup");
            EngineError::new(EngineErrorKind::Refused, detail)
        };
        let mut stones = Vec::new();
        if let Some(position) = question.position {
            let rows: String = position.chars().filter(|c| !"/ |\t".contains(*c)).collect();
            if rows.chars().count() != cells {
                return Err(strange(position));
            }
            let of = |stone: char| {
                rows.chars().enumerate().filter(move |(_, c)| c.eq_ignore_ascii_case(&stone))
            };
            let mut second = of('o');
            for (cell, _) in of('x') {
                stones.push((cell, 0));
                stones.extend(second.next().map(|(cell, _)| (cell, 1)));
            }
        }
        for text in question.all_moves() {
            let cell = text.parse().ok().filter(|&cell: &usize| cell < cells);
            stones.push((cell.ok_or_else(|| strange(text))?, stones.len() % 2));
        }
        Ok(stones)
    }
}

/// The first word, in upper case.
fn first_word(line: &str) -> String {
    line.split_ascii_whitespace().next().unwrap_or_default().to_ascii_uppercase()
}

impl Protocol for Gomocup {
    fn open(
        &mut self,
        link: &mut Connection,
        settings: EngineSettings<'_>,
        by: Instant,
    ) -> Result<(), EngineError> {
        let EngineSettings { engine_context, options } = settings;
        let Some(FiveInARow { size, exact }) = engine_context.facts.gomocup else {
            return Err(EngineError::refused(
                "the protocol of Gomocup is for five in a row on a square board",
                "`kind = \"mnk\"` with `m = 15`, `n = 15`, `k = 5`, or another `protocol`",
            ));
        };
        self.size = size;
        self.turn_ms = None;
        self.info_lines.clear();
        let rule = u32::from(exact);
        let _ =
            writeln!(self.info_lines, "INFO timeout_match 0\nINFO game_type 1\nINFO rule {rule}");
        if options.iter().all(|(name, _)| name != "max_memory") {
            self.info_lines.push_str("INFO max_memory 0\n");
        }
        for (name, value) in options {
            let _ = writeln!(self.info_lines, "INFO {name} {value}");
        }
        link.send(format!("START {size}\n").as_bytes())?;
        Gomocup::wait_for_ok(link, by)?;
        link.send(self.info_lines.as_bytes())
    }

    fn announce_game(&mut self, link: &mut Connection) -> Result<(), EngineError> {
        (self.turn_ms, self.last) = (None, None);
        link.send(b"RESTART\n")
    }

    fn new_game(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        match Gomocup::wait_for_ok(link, deadline) {
            Err(error) if error.kind == EngineErrorKind::Refused => {}
            done => return done.map_err(|error| error.after_greeting("`START`", "`RESTART`")),
        }
        // Some engines do not support `RESTART`.
        link.send(format!("START {}\n", self.size).as_bytes())?;
        Gomocup::wait_for_ok(link, deadline)?;
        link.send(self.info_lines.as_bytes())
    }

    fn ask(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        to: &mut EngineAnswer,
    ) -> Result<(), EngineError> {
        to.clear();
        let mut turn_ms = None;
        let write = |out: &mut String| {
            turn_ms = Some(self.write_question(what, out)?);
            Ok(())
        };
        let (size, last) = (self.size, self.last);
        let write_cell = |text: &mut String, cell: GomocupCell| {
            let _ = write!(text, "{}", cell.number(size));
        };
        let mut repeated = None;
        let mut named = None;
        link.discard();
        let asked = link.ask(what.budget, write, |line| {
            named = GomocupCell::parse(line, size);
            match named {
                // The protocol has no `isready`. A repeated line with the previous move is ignored:
                // that cell is already occupied.
                Some(cell) if named == last && repeated.is_none() => {
                    repeated = Some(cell);
                    return Line::Other;
                }
                Some(cell) => write_cell(&mut to.text, cell),
                None if matches!(first_word(line).as_str(), "" | "MESSAGE" | "DEBUG") => {
                    return Line::Other;
                }
                // Any other line in place of a move costs the game.
                None => to.text.push_str(line),
            }
            Line::End(())
        });
        (self.turn_ms, self.last) = (turn_ms, named);
        to.time = match (asked, repeated) {
            (Err(error), Some(cell)) if error.kind == EngineErrorKind::Late => {
                write_cell(&mut to.text, cell);
                what.budget
            }
            (asked, _) => asked?,
        };
        Ok(())
    }

    fn reject(&mut self, _link: &mut Connection, _why: &str) -> Result<(), EngineError> {
        // The same answer to the next question is another illegal move.
        self.last = None;
        Ok(())
    }

    fn reproducer(&self, _settings: EngineSettings<'_>, question: &Question<'_>) -> String {
        let mut out = format!("START {}\n{}", self.size, self.info_lines);
        let fresh = Gomocup { size: self.size, ..Gomocup::default() };
        // If the question cannot be written, it was never sent.
        let _ = fresh.write_question(question, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::protocol_trait::MoveLimits;
    use super::super::time_control::{Clock, TimeControl};
    use super::*;
    use crate::games::Player;

    fn asked(question: Question<'_>) -> Result<String, EngineError> {
        let mut out = String::new();
        let gomocup = Gomocup { size: 15, ..Gomocup::default() };
        gomocup.write_question(&question, &mut out).map(|_| out)
    }

    fn question<'a>(position: Option<&'a str>, opening: &'a str, moves: &'a str) -> Question<'a> {
        let go = MoveLimits { movetime: Some(Duration::from_millis(250)), ..MoveLimits::default() };
        let (player, budget) = (Player::Second, Duration::ZERO);
        Question { position, opening, moves, player, limits: go, seed: None, budget }
    }

    #[test]
    fn the_board_is_shown_in_the_order_of_moves() {
        let written = asked(question(None, "16 3", "224")).expect("a board");
        let board = "BOARD\n1,1,2\n3,0,1\n14,14,2\nDONE\n";
        assert_eq!(written, format!("INFO timeout_turn 250\n{board}"));
        let written = asked(Question { player: Player::First, ..question(None, "", "") });
        assert_eq!(written.expect("no board"), "INFO timeout_turn 250\nBEGIN\n");
    }

    #[test]
    fn positions_are_shown_too_and_what_is_none_is_refused() {
        let mut rows = vec![".".repeat(15); 15];
        rows[0].replace_range(2..3, "x");
        rows[14].replace_range(0..2, "xo");
        let written = asked(question(Some(&rows.join("/")), "", "7")).expect("a board");
        assert!(written.ends_with("BOARD\n2,0,2\n1,14,1\n0,14,2\n7,0,1\nDONE\n"), "{written}");
        assert!(asked(question(Some("x../..."), "", "")).is_err());
        assert!(asked(question(None, "", "225")).is_err());
    }

    #[test]
    fn clocks_are_told_by_what_is_left() {
        let clock = Clock::new(TimeControl::parse("8+0.1").expect("a control"));
        let go = MoveLimits { clocks: [None, Some(clock)], ..MoveLimits::default() };
        let written = asked(Question { limits: go, ..question(None, "0", "") }).expect("a board");
        assert!(
            written.starts_with("INFO timeout_turn 8000\nINFO time_left 8000\nBOARD\n"),
            "{written}"
        );
    }
}
