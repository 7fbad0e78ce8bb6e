//! A recorded game as text: each move, its cost, and how the game ended.

use crate::arena::{Costs, MoveRow, StoredGame, is_fault};
use crate::play::{AnyState, Frame, Outcome};
use crate::text::number_format::{counted, time, trimmed};
use crate::text::text_table::wrapped;

/// A recorded game with all known data.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    pub experiment: String,
    /// The agents that moved first and second.
    pub players: [String; 2],
    /// The row of the game and its texts.
    pub game: StoredGame,
    /// The positions of the game, beginning with the one before any move.
    pub frames: Vec<Frame>,
    /// Known data of the moves after the opening; may be empty.
    pub moves: Vec<MoveRow>,
}

impl Replay {
    /// The number of the game and its players.
    pub fn title(&self) -> String {
        let [first, second] = &self.players;
        let row = &self.game.row;
        format!(
            "game {} of {}: {first} (first) against {second} (second), opening {}",
            row.game, self.experiment, row.opening
        )
    }

    pub fn ending(&self) -> String {
        let row = &self.game.row;
        let [first, second] = &self.players;
        let result = match row.outcome {
            Outcome::First => format!("{first} (first) wins"),
            Outcome::Draw => "drawn".to_owned(),
            Outcome::Second => format!("{second} (second) wins"),
            Outcome::Void => "void: it does not count".to_owned(),
        };
        let after = format!("after {}", counted(row.plies.into(), "ply"));
        let failed = match row.outcome {
            Outcome::First => format!("{second} (second)"),
            Outcome::Second => format!("{first} (first)"),
            Outcome::Draw | Outcome::Void => String::new(),
        };
        if is_fault(row.reason) && !failed.is_empty() {
            return format!("{failed} failed ({}) {after}: {result}", row.reason);
        }
        format!("{result}: {}, {after}", row.reason)
    }

    /// The recorded data of the move that led to a position, if any.
    pub fn known(&self, frame: &Frame) -> Option<&MoveRow> {
        let played = frame.mover.is_some() && !frame.opening;
        self.moves.iter().find(|row| played && row.graded.ply == frame.ply)
    }

    /// The move that led to a position, and who made it.
    pub fn step(&self, frame: &Frame) -> String {
        let Some(text) = &frame.text else { return "before the first move".to_owned() };
        let opening = if frame.opening { " (opening)" } else { "" };
        match frame.mover {
            None => format!("chance: {text}{opening}"),
            Some(player) => {
                let side = player.name();
                let name = &self.players[player.index()];
                format!("{}. {name} ({side}): {text}{opening}", frame.ply)
            }
        }
    }

    /// The cost of the move and its agent's evaluation of the position; empty if unknown.
    pub fn cost(&self, frame: &Frame) -> String {
        let Some(row) = self.known(frame) else { return String::new() };
        let Costs { nodes, depth, value, time_ns: ns, .. } = row.costs;
        let mut parts: Vec<String> = Vec::new();
        parts.extend(nodes.map(|nodes| counted(nodes, "node")));
        parts.extend(depth.map(|depth| format!("depth {depth}")));
        parts.extend(ns.map(|ns| time(Some(ns as f64))));
        parts.extend(value.map(|value| format!("value {}", shortest(value))));
        if row.is_graded {
            let after = shortest(row.graded.after);
            parts.push(match row.graded.regret {
                regret if regret > 0.0 => {
                    format!("mistake: regret {}, exact {after}", shortest(regret))
                }
                _ => format!("optimal, exact {after}"),
            });
        }
        parts.join(", ")
    }

    /// Every position with the move that led to it, for the terminal; text is wrapped to `width`
    /// columns. `draw` returns a position as text.
    pub fn text(&self, width: Option<usize>, draw: &dyn Fn(&AnyState) -> String) -> String {
        let line = |text: &str| wrapped(text, width, "", "  ");
        let mut out = line(&self.title());
        for frame in &self.frames {
            out.push('\n');
            let mut step = self.step(frame);
            let cost = self.cost(frame);
            if !cost.is_empty() {
                step.push_str(&format!("   [{cost}]"));
            }
            out.push_str(&line(&step));
            out.push_str(&draw(&frame.state));
        }
        out.push('\n');
        out.push_str(&line(&self.ending()));
        out
    }

    /// Every position as a small picture; `None` if the game has no shapes.
    pub fn svg(&self) -> Option<String> {
        let words: Vec<[String; 2]> = (self.frames.iter())
            .map(|frame| {
                let step = match frame.text {
                    Some(_) => self.step(frame),
                    None => "start".to_owned(),
                };
                [step, frame.picture.captions.join(", ")]
            })
            .collect();
        super::html::contact_sheet(
            &self.frames,
            &words,
            &format!("{} – {}", self.title(), self.ending()),
        )
    }
}

/// A number with as few decimals as possible, four at most.
fn shortest(value: f64) -> String {
    trimmed(value, 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::GameRow;
    use crate::games::picture_for_html::Picture;
    use crate::games::{Game, Player, TicTacToe, Turn};
    use crate::play::{AnyGame, SideRecord};

    /// Fool's mate, recorded as a game of chess.
    fn fools_mate() -> Replay {
        let moves = ["f3", "e5", "g4", "Qh4#"];
        let frame = |ply: usize| Frame {
            text: ply.checked_sub(1).map(|i| moves[i].to_owned()),
            mover: ply.checked_sub(1).map(|i| [Player::First, Player::Second][i % 2]),
            ply: ply as u32,
            opening: false,
            turn: Turn::Over,
            state: AnyGame::of(TicTacToe).start(),
            picture: Picture::text("board\n".to_owned()),
        };
        let row = GameRow {
            game: 7,
            pairing: 1,
            opening: 2,
            first: 0,
            second: 1,
            outcome: Outcome::Second,
            reason: "checkmate",
            plies: 4,
            rng_draws: 0,
            luck: None,
            sides: [SideRecord::default(); 2],
            identity: 0,
        };
        Replay {
            experiment: "mates".to_owned(),
            players: ["a \"b\"".to_owned(), "c".to_owned()],
            game: StoredGame { row, opening: String::new(), moves: moves.join(" ") },
            frames: (0..=4).map(frame).collect(),
            moves: Vec::new(),
        }
    }

    #[test]
    fn words_say_who_moved_and_how_it_ended() {
        let game = fools_mate();
        let board = |_: &AnyState| "board\n".to_owned();
        let text = game.text(None, &board);
        assert!(
            text.starts_with("game 7 of mates: a \"b\" (first) against c (second), opening 2\n")
        );
        assert!(text.contains("\n4. c (second): Qh4#\nboard\n"), "{text}");
        assert!(text.ends_with("\nc (second) wins: checkmate, after 4 plies\n"));
        assert_eq!(game.svg(), None);
        let mut crashed = game.clone();
        crashed.game.row.reason = "crash";
        assert_eq!(
            crashed.ending(),
            "a \"b\" (first) failed (crash) after 4 plies: c (second) wins"
        );
        let narrow = game.text(Some(40), &board);
        assert!(
            narrow
                .starts_with("game 7 of mates: a \"b\" (first) against c\n  (second), opening 2\n")
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, -0.00001, 0.5, -12.25, 3.0].map(shortest),
            ["0", "0", "0.5", "−12.25", "3"]
        );
    }
}
