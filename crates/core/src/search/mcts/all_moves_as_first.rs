//! RAVE: a simulation also counts for moves that its player made later.
//!
//! The mean over all simulations in which a move was played later ("all moves as first") is known
//! early, but biased. With `n` simulations of the move itself it has the weight
//! `sqrt(k / (3 n + k))`, which falls to a half at `n = k`. The formula is from Gelly and Silver
//! 2011, "Monte-Carlo tree search and rapid action value estimation in computer Go", section 4.

use crate::games::Player;

/// The simulations in which the move of a node was played later by the same player.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AllMovesAsFirst {
    /// The sum of their values for the first player.
    pub total: f32,
    pub visits: u32,
    /// The number of the move.
    pub number: u16,
}

impl AllMovesAsFirst {
    /// Makes room for `most` moves and writes to all of it, so that no simulation waits for memory.
    pub(super) fn reserve(all: &mut Vec<AllMovesAsFirst>, most: usize) {
        if all.capacity() < most {
            *all = vec![AllMovesAsFirst { total: 1.0, visits: 0, number: 0 }; most];
            all.clear();
        }
    }

    /// The mean of a move with `visits` simulations of its own; `None` without any simulation.
    #[inline]
    pub(super) fn blend(&self, equivalence: f32, mean: f32, visits: u32) -> Option<f32> {
        if self.visits == 0 {
            return (visits > 0).then_some(mean);
        }
        let later = self.total / self.visits as f32;
        if visits == 0 {
            return Some(later);
        }
        let weight = (equivalence / (3.0 * visits as f32 + equivalence)).sqrt();
        Some(mean + weight * (later - mean))
    }
}

/// The moves of one simulation, and who was the first to play each of them.
#[derive(Debug, Clone, Default)]
pub(super) struct PlayedMoves {
    /// Number and player; no player for outcomes of chance.
    moves: Vec<(u16, Option<Player>)>,
    first: Vec<Option<Player>>,
}

impl PlayedMoves {
    pub(super) fn begin(&mut self, numbers: usize) {
        self.moves.clear();
        self.first.clear();
        self.first.resize(numbers, None);
    }

    #[inline]
    pub(super) fn push(&mut self, number: usize, player: Option<Player>) {
        self.moves.push((number as u16, player));
    }

    /// Takes back moves until so many are left: they count as played later.
    #[inline]
    pub(super) fn take_back_to(&mut self, left: usize) {
        while self.moves.len() > left {
            if let Some((number, Some(player))) = self.moves.pop() {
                self.first[usize::from(number)] = Some(player);
            }
        }
    }

    /// Counts the simulation for those of a player's moves that this player was first to play.
    #[inline]
    pub(super) fn count(&self, children: &mut [AllMovesAsFirst], player: Player, value: f64) {
        for child in children {
            if self.first[usize::from(child.number)] == Some(player) {
                child.total += value as f32;
                child.visits += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_means_weigh_the_same_at_the_equivalence() {
        let amaf = AllMovesAsFirst { total: 30.0, visits: 100, number: 0 };
        assert_eq!(amaf.blend(50.0, 0.9, 0), Some(0.3));
        let even = amaf.blend(50.0, 0.9, 50).expect("a mean");
        assert!((even - 0.6).abs() < 1e-6, "{even}");
        assert_eq!(AllMovesAsFirst::default().blend(50.0, 0.9, 3), Some(0.9));
        assert_eq!(AllMovesAsFirst::default().blend(50.0, 0.0, 0), None);
    }

    #[test]
    fn a_move_counts_for_the_first_who_plays_it() {
        let (first, second) = (Player::First, Player::Second);
        let mut played = PlayedMoves::default();
        played.begin(4);
        for (number, player) in [(0, first), (1, second), (2, first), (1, first), (0, second)] {
            played.push(number, Some(player));
        }
        let counted = |played: &PlayedMoves, player| {
            let mut children =
                [0, 1, 2, 3].map(|number| AllMovesAsFirst { number, ..AllMovesAsFirst::default() });
            played.count(&mut children, player, 1.0);
            children.map(|child| child.visits)
        };
        played.take_back_to(1);
        assert_eq!(counted(&played, first), [0, 0, 1, 0]);
        assert_eq!(counted(&played, second), [1, 1, 0, 0]);
        played.take_back_to(0);
        assert_eq!(counted(&played, first), [1, 0, 1, 0]);
    }
}
