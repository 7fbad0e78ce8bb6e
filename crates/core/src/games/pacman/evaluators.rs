//! The evaluators of Pacman.

use super::pacman_game::Pacman;
use super::state::{Ghost, PacmanState};
use crate::games::evaluator_trait::Evaluator;
use crate::games::linear_evaluator::Features;

/// The score so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScoreEvaluator;

impl Evaluator<Pacman> for ScoreEvaluator {
    #[inline]
    fn evaluate(&self, _game: &Pacman, state: &PacmanState) -> i32 {
        state.score
    }
}

/// Larger scores count as this value.
const MOST: i32 = 1_000_000;

/// The distance to a ghost from which it is no danger.
const SAFE: u32 = 6;

/// - `score`: the score so far;
/// - `food`: remaining food;
/// - `nearest_food`: steps to the nearest food;
/// - `capsules`: remaining capsules;
/// - `danger`: 6 minus the steps to the nearest ghost that is not scared, at least 0;
/// - `prey`: the same for the nearest scared ghost.
impl Features<6> for Pacman {
    const FEATURES: [(&'static str, i64); 6] = [
        ("score", 10),
        ("food", -40),
        ("nearest_food", -3),
        ("capsules", -200),
        ("danger", -20),
        ("prey", 100),
    ];

    fn features(&self, state: &PacmanState) -> [i32; 6] {
        let steps = |cell| self.layout.maze.distance(state.pacman, cell);
        let left = |first: usize, cells: &[(u8, u8)]| {
            let there = (first..).zip(cells).filter(|(number, _)| state.has_pellet(*number));
            there.fold((0, None), |(count, nearest): (i32, Option<u32>), (_, &cell)| {
                (count + 1, nearest.into_iter().chain(steps(cell)).min())
            })
        };
        let (food, capsules) = self.layout.pellet_cells.split_at(self.layout.food);
        let (food, nearest_food) = left(0, food);
        let (capsules, _) = left(self.layout.food, capsules);
        let near = |wanted: fn(&Ghost) -> bool| {
            let ghosts = state.ghosts[..self.ghosts()].iter().filter(|ghost| wanted(ghost));
            let nearest = ghosts.filter_map(|ghost| steps(ghost.cell())).min();
            nearest.map_or(0, |steps| SAFE.saturating_sub(steps)) as i32
        };
        [
            state.score.clamp(-MOST, MOST),
            food,
            nearest_food.unwrap_or(0) as i32,
            capsules,
            near(|ghost| ghost.scared == 0),
            near(|ghost| ghost.scared > 0),
        ]
    }

    fn largest_feature(&self) -> u32 {
        MOST as u32
    }
}
