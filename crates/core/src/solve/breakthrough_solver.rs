//! The solver of Breakthrough: who wins, by proof numbers.
//!
//! A position has two numbers: about how many positions must be decided to prove a win of the player
//! to move, and to prove a loss. The search goes on where the least is missing (Allis, van der
//! Meulen and van den Herik 1994, "Proof-number search"), depth first with a table (Nagai 2002). Many
//! moves lead to the same position, and a sum of numbers would count it often. So the largest number
//! counts, plus one for each other undecided move (Ueda, Hashimoto, Hashimoto and Iida 2008,
//! "Weak proof-number search").

use std::sync::Arc;

use super::AlphaBetaSolver;
use super::bound_table::{BoundTable, StoredBounds};
use super::margin_solver::{MarginSearch, MarginSolver, TABLE_MB};
use crate::games::breakthrough::{BreakthroughMove, BreakthroughState};
use crate::games::{
    Breakthrough, Game, GameExt, Offer, Player, SearchHints, Threat, Turn, Unsolved, Zero,
};

/// Cells of the largest boards that are solved. Measured: 5 by 5 and 3 by 7 take about ten seconds,
const MOST_CELLS: u32 = 25;

/// and boards of this number of cells, 4 by 6 and 3 by 8, take two or three minutes.
const SLOW: u32 = 24;

/// The solver of Breakthrough. On small boards, it finds the plies to the end, too.
///
/// # Errors
/// The board would take too long.
pub(super) fn offer(game: &Breakthrough) -> Offer<Breakthrough> {
    let (columns, rows) = game.size();
    // With four rows games are short. Measured for all boards: seconds, at most half a minute.
    if rows <= 4 || columns * rows <= 20 {
        return Ok(Box::new(AlphaBetaSolver::new(Arc::new(Zero))));
    }
    if columns * rows > MOST_CELLS {
        let why = format!("a board of {columns} by {rows} takes too long to solve");
        let help = format!(
            "four rows, or at most {MOST_CELLS} cells: `rows = 4` or `columns = 5, rows = 5`"
        );
        return Err(Unsolved { why, help });
    }
    let search = ProofSearch { game: *game, table: BoundTable::growing(TABLE_MB), nodes: 0 };
    Ok(Box::new(MarginSolver { search, most: 1, guess: 1 }))
}

/// The number of a proof that is impossible.
const NEVER: u32 = 1 << 24;

/// The numbers of a position. One of them is zero if the position is decided; then the other is
/// [`NEVER`].
#[derive(Debug, Clone, Copy)]
struct ProofNumbers {
    win: u32,
    loss: u32,
}

impl ProofNumbers {
    const WON: ProofNumbers = ProofNumbers { win: 0, loss: NEVER };
    const LOST: ProofNumbers = ProofNumbers { win: NEVER, loss: 0 };
}

/// The most moves: three for each of sixteen pieces.
const MOST_MOVES: usize = 48;

/// The table has numbers below this one, and this one for [`NEVER`].
const STORED_NEVER: u32 = 127;

struct ProofSearch {
    game: Breakthrough,
    table: BoundTable,
    nodes: u64,
}

impl ProofSearch {
    /// The position or its mirror image.
    fn canonical(&self, state: &BreakthroughState) -> BreakthroughState {
        let pieces = |player| state.pieces(player);
        let mover = state.side();
        let image = self.game.mirror_image(state);
        let is_less = image.pieces(mover) < pieces(mover)
            || image.pieces(mover) == pieces(mover)
                && image.pieces(mover.other()) < pieces(mover.other());
        if is_less { image } else { *state }
    }

    fn code(&self, state: &BreakthroughState) -> u128 {
        let (columns, rows) = self.game.size();
        let mover = state.side();
        let [own, other] = [mover, mover.other()].map(|player| u128::from(state.pieces(player)));
        (own << (columns * rows) | other) << 1 | mover.index() as u128
    }

    /// The numbers of a position before its search.
    fn first_numbers(&self, state: &BreakthroughState) -> ProofNumbers {
        if self.game.turn(state) == Turn::Over {
            return ProofNumbers::LOST;
        }
        match (&self.game).threat(state) {
            Threat::Win(_) => return ProofNumbers::WON,
            Threat::Lost => return ProofNumbers::LOST,
            Threat::None if self.game.has_safe_step(state) => return ProofNumbers::WON,
            _ => {}
        }
        let Some(found) = self.table.get(self.code(state)) else {
            // A player with many moves is hard to beat.
            return ProofNumbers { win: 1, loss: self.game.count_moves(state) };
        };
        let number = |stored: u8| match u32::from(stored) {
            STORED_NEVER => NEVER,
            number => number,
        };
        ProofNumbers { win: number(found.lower), loss: number(found.upper) }
    }

    /// Searches an undecided position until one of its numbers reaches its limit.
    fn prove(&mut self, state: &BreakthroughState, limit: ProofNumbers) -> ProofNumbers {
        self.nodes += 1;
        let before = self.nodes;
        let mut children = [(*state, ProofNumbers::LOST); MOST_MOVES];
        let mut count = 0;
        self.game.each_move(state, |mv| {
            let mut child = *state;
            self.game.play(&mut child, mv);
            let child = self.canonical(&child);
            if children[..count].iter().all(|(other, _)| *other != child) {
                children[count] = (child, self.first_numbers(&child));
                count += 1;
            }
        });
        let children = &mut children[..count];
        loop {
            // The opponent's loss is the player's win: one move must win, or all moves lose.
            let (mut win, mut second, mut best) = (NEVER, NEVER, 0);
            let (mut largest, mut open) = (0, 0);
            for (i, (_, child)) in children.iter().enumerate() {
                if child.loss < win {
                    (win, second, best) = (child.loss, win, i);
                } else {
                    second = second.min(child.loss);
                }
                largest = largest.max(child.win);
                open += u32::from(child.win > 0);
            }
            let loss = match largest {
                0 | NEVER => largest,
                _ => (largest + open - 1).min(NEVER - 1),
            };
            if win >= limit.win || loss >= limit.loss {
                let found = ProofNumbers { win, loss };
                self.store(state, found, self.nodes - before + 1);
                return found;
            }
            let child_limit = ProofNumbers {
                win: if limit.loss == NEVER { NEVER } else { limit.loss + 1 - open },
                // A quarter more than the second best, so that the search does not often jump.
                loss: limit.win.min(second + second / 4 + 1),
            };
            let (child, _) = children[best];
            children[best].1 = self.prove(&child, child_limit);
        }
    }

    fn store(&mut self, state: &BreakthroughState, found: ProofNumbers, nodes: u64) {
        let stored = |number: u32| match number {
            NEVER => STORED_NEVER as u8,
            number => number.min(STORED_NEVER - 1) as u8,
        };
        let (lower, upper) = (stored(found.win), stored(found.loss));
        self.table.put(self.code(state), StoredBounds { lower, upper, best: 0 }, nodes);
    }
}

impl MarginSearch<Breakthrough> for ProofSearch {
    /// The value itself, whatever the bound.
    fn at_least(&mut self, state: &BreakthroughState, _bound: i32) -> i32 {
        let state = self.canonical(state);
        let mut found = self.first_numbers(&state);
        if found.win.min(found.loss) > 0 {
            found = self.prove(&state, ProofNumbers { win: NEVER, loss: NEVER });
        }
        if found.win == 0 { 1 } else { -1 }
    }

    /// A move after which the opponent is known to lose.
    fn hint(&self, state: &BreakthroughState) -> Option<BreakthroughMove> {
        let moves = self.game.legal_moves(state);
        moves.into_iter().find(|&mv| {
            let child = self.game.after(state, mv);
            self.first_numbers(&self.canonical(&child)).loss == 0
        })
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn set_table_mb(&mut self, table_mb: usize) {
        self.table = BoundTable::growing(table_mb);
    }

    fn takes_long(&self, state: &BreakthroughState) -> Option<String> {
        let (columns, rows) = self.game.size();
        let pieces = Player::BOTH.map(|player| state.pieces(player));
        let missing = 4 * columns - (pieces[0] | pieces[1]).count_ones();
        let why = || format!("early positions of a board of {columns} by {rows} take minutes");
        (columns * rows == SLOW && missing < columns).then(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Configurable, ExactSolver, conformance};
    use crate::params::{Value, Values};

    fn game(columns: i64, rows: i64) -> Breakthrough {
        let mut values = Values::default();
        values.set("columns", Value::Int(columns));
        values.set("rows", Value::Int(rows));
        Breakthrough::build(&values).expect("a board")
    }

    #[test]
    fn the_winners_are_those_of_alpha_beta() {
        for (columns, rows) in [(2, 4), (3, 4), (2, 5), (2, 6)] {
            let game = game(columns, rows);
            let mut plain = AlphaBetaSolver::new(Arc::new(Zero));
            let mut search = ProofSearch { game, table: BoundTable::growing(1), nodes: 0 };
            for state in conformance::positions(&game, 8, 3) {
                if let Turn::Player(mover) = game.turn(&state) {
                    let value = f64::from(mover.sign() * search.at_least(&state, 1));
                    assert_eq!(value, plain.value(&game, &state).mean, "{columns} by {rows}");
                }
            }
        }
    }
}
