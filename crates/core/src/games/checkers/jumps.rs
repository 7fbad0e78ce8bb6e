//! Captures: all jumps of a turn are one move.

use super::state::{CheckersMove, CheckersState, WAYS, Way};
use crate::games::grid::bitboard::Bitboard;

/// The smallest number of jumps that can be made in two orders: around a cycle of four squares.
/// With fewer jumps, the captured pieces determine the order.
const CYCLE: u32 = 4;

/// The jumps of one piece.
struct Jumper {
    from: u8,
    ways: &'static [Way],
    enemy: u32,
    empty: u32,
}

impl CheckersState {
    /// Appends all captures: by the square of the piece, then by the ways of the jumps.
    pub(super) fn captures(&self, jumpers: u32, out: &mut Vec<CheckersMove>) {
        for from in jumpers.cells() {
            let begin = out.len();
            self.jumper(from as u8).captures(1 << from, 0, begin, out);
        }
    }

    fn jumper(&self, from: u8) -> Jumper {
        let square = 1 << from;
        let ways = match self.kings & square {
            0 if WAYS[0].is_forward(self.side) => &WAYS[..2],
            0 => &WAYS[2..],
            _ => &WAYS,
        };
        let enemy = self.pieces(self.side.other());
        Jumper { from, ways, enemy, empty: self.empty() | square }
    }

    /// All orders of a capture's jumps, as squares from the first to the last, from 0.
    pub(super) fn routes(&self, mv: CheckersMove) -> Vec<Vec<u8>> {
        let mut routes = Vec::new();
        self.jumper(mv.from).routes(mv.captured, &mut vec![mv.from], &mut routes);
        routes
    }
}

impl Jumper {
    /// The piece captured by a jump this way, and the square after the jump; 0 for none.
    #[inline]
    fn jump(&self, at: u32, way: Way, left: u32) -> (u32, u32) {
        let over = way.step(at) & left;
        (over, way.step(over) & self.empty)
    }

    /// Appends the captures that go on from a square. The moves of this piece begin at `begin`.
    fn captures(&self, at: u32, captured: u32, begin: usize, out: &mut Vec<CheckersMove>) {
        let mut ended = true;
        for &way in self.ways {
            let (over, to) = self.jump(at, way, self.enemy & !captured);
            if to != 0 {
                ended = false;
                self.captures(to, captured | over, begin, out);
            }
        }
        let mv = CheckersMove { captured, from: self.from, to: at.trailing_zeros() as u8 };
        if ended && (captured.count_ones() < CYCLE || !out[begin..].contains(&mv)) {
            out.push(mv);
        }
    }

    /// Appends the routes that go on from the last square and capture all that is left. Routes end
    /// on the same square, because every square but the two ends has an even number of jumps.
    fn routes(&self, left: u32, route: &mut Vec<u8>, out: &mut Vec<Vec<u8>>) {
        if left == 0 {
            out.push(route.clone());
        }
        let at = 1 << route[route.len() - 1];
        for &way in self.ways {
            let (over, to) = self.jump(at, way, left);
            if to != 0 {
                route.push(to.trailing_zeros() as u8);
                self.routes(left & !over, route, out);
                route.pop();
            }
        }
    }
}
