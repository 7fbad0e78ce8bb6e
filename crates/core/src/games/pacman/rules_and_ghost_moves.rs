//! The rules of Pacman: the implementation of `Game`.

use std::path::Path;

use super::evaluators::ScoreEvaluator;
use super::maze::step;
use super::maze_text::{MazeText, is_path, text_of};
use super::pacman_game::Pacman;
use super::state::{End, Ghost, MAX_GHOSTS, PacmanMove, PacmanState, SCARED_MOVES};
use super::{position_text, text};
use crate::games::game::capabilities;
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Player, Scoring, SearchHints, Turn,
};
use crate::params::ParamError;

/// Points for food, the last food, a scared ghost, a move, and being caught.
const FOOD: i32 = 10;
const LAST_FOOD: i32 = 500;
const SCARED_GHOST: i32 = 200;
const TIME: i32 = -1;
const CAUGHT: i32 = -500;

impl Pacman {
    /// The legal directions of a ghost. Between cells: straight on. On a cell: any direction except
    /// reverse, unless only reverse is open.
    fn ghost_moves(&self, ghost: Ghost, out: &mut Vec<PacmanMove>) {
        if ghost.is_between() {
            out.push(ghost.facing);
            return;
        }
        let first = out.len();
        let back = ghost.facing.reverse();
        out.extend(self.layout.maze.ways(ghost.cell()).filter(|&way| way != back));
        if out.len() == first {
            out.push(back);
        }
    }

    fn play_pacman(&self, state: &mut PacmanState, mv: PacmanMove) {
        state.pacman = step(state.pacman, mv);
        let pellet = self.layout.pellet(state.pacman).filter(|&number| state.has_pellet(number));
        if let Some(number) = pellet {
            state.set_pellet(number, false);
            if number < self.layout.food {
                state.score += FOOD;
                state.food -= 1;
                if state.food == 0 {
                    state.score += LAST_FOOD;
                    state.end = End::Won;
                }
            } else {
                state.ghosts[..self.ghosts()]
                    .iter_mut()
                    .for_each(|ghost| ghost.scared = SCARED_MOVES);
            }
        }
        state.score += TIME;
        (0..self.ghosts()).for_each(|number| self.meet(state, number));
    }

    fn play_ghost(&self, state: &mut PacmanState, number: usize, mv: PacmanMove) {
        let ghost = &mut state.ghosts[number];
        ghost.go(mv);
        ghost.facing = mv;
        if ghost.scared == 1 {
            let (x, y) = ghost.cell();
            (ghost.x, ghost.y) = (2 * x, 2 * y);
        }
        ghost.scared = ghost.scared.saturating_sub(1);
        self.meet(state, number);
    }

    /// The effects of a meeting if Pacman and a ghost are near each other.
    #[inline]
    fn meet(&self, state: &mut PacmanState, number: usize) {
        // A distance of half a cell is near, one cell is not.
        if state.ghosts[number].half_steps(state.pacman) > 1 {
            return;
        }
        if state.ghosts[number].scared > 0 {
            state.score += SCARED_GHOST;
            state.ghosts[number] = Ghost::at(self.layout.ghosts[number]);
        } else if state.end != End::Won {
            state.score += CAUGHT;
            state.end = End::Lost;
        }
    }
}

impl Game for Pacman {
    type State = PacmanState;
    type Move = PacmanMove;

    fn start(&self) -> PacmanState {
        let mut ghosts = [Ghost::at((0, 0)); MAX_GHOSTS];
        for (ghost, &cell) in ghosts.iter_mut().zip(&self.layout.ghosts) {
            *ghost = Ghost::at(cell);
        }
        let mut state = PacmanState {
            pellets: [0; 4],
            ghosts,
            score: 0,
            food: self.layout.food as u16,
            pacman: self.layout.pacman,
            mover: 0,
            end: End::Open,
        };
        (0..self.layout.pellet_cells.len()).for_each(|number| state.set_pellet(number, true));
        state
    }

    #[inline]
    fn turn(&self, state: &PacmanState) -> Turn {
        match (state.end, state.mover) {
            (End::Open, 0) => Turn::Player(Player::First),
            (End::Open, _) => Turn::Player(Player::Second),
            _ => Turn::Over,
        }
    }

    /// North, south, east, west, stop.
    #[inline]
    fn moves(&self, state: &PacmanState, out: &mut Vec<PacmanMove>) {
        if state.mover == 0 {
            out.extend(self.layout.maze.ways(state.pacman));
            out.extend(self.stop.then_some(PacmanMove::Stop));
        } else {
            self.ghost_moves(state.ghosts[usize::from(state.mover) - 1], out);
        }
    }

    #[inline]
    fn play(&self, state: &mut PacmanState, mv: PacmanMove) {
        match state.mover {
            0 => self.play_pacman(state, mv),
            ghost => self.play_ghost(state, usize::from(ghost) - 1, mv),
        }
        state.mover = if usize::from(state.mover) == self.ghosts() { 0 } else { state.mover + 1 };
    }

    #[inline]
    fn payoff(&self, state: &PacmanState) -> i32 {
        state.score
    }

    #[inline]
    fn key(&self, state: &PacmanState) -> u64 {
        let (x, y) = state.pacman;
        let small = u32::from_le_bytes([x, y, state.mover, state.end as u8]);
        let hash = mix(u64::from(small) << 32 | u64::from(state.score as u32));
        let words = self.layout.pellet_cells.len().div_ceil(64);
        let hash = state.pellets[..words].iter().fold(hash, |hash, &word| fold(hash, word));
        let pairs = state.ghosts[..self.ghosts()].chunks(2);
        let word = |pair: &[Ghost]| pair.iter().fold(0, |word, ghost| word << 32 | ghost.word());
        pairs.fold(hash, |hash, pair| fold(hash, word(pair)))
    }

    fn reason(&self, state: &PacmanState) -> &'static str {
        if state.end == End::Won { "all food eaten" } else { "caught" }
    }

    fn write_move(&self, _state: &PacmanState, mv: PacmanMove, out: &mut String) {
        out.push_str(text::word(mv));
    }

    fn write_position(&self, state: &PacmanState) -> String {
        position_text::write(self, state)
    }

    fn read_position(&self, text: &str) -> Result<PacmanState, String> {
        position_text::read(self, text)
    }

    capabilities!(hints: SearchHints, scoring: Scoring, notation: Notation, drawing: Drawing);
}

impl Scoring<Pacman> for &Pacman {
    fn numeric_score(self) -> bool {
        true
    }

    fn winner(self, state: &PacmanState) -> Option<Player> {
        Some(if state.end == End::Won { Player::First } else { Player::Second })
    }
}

impl SearchHints<Pacman> for &Pacman {
    fn plies_per_round(self) -> u32 {
        1 + self.ghosts() as u32
    }

    /// Pacman: moves onto food or a capsule first. Ghosts: twice the Manhattan distance to Pacman
    /// after the move, the nearest first or, for a scared ghost, the farthest first.
    #[inline]
    fn order_hint(self, state: &PacmanState, mv: PacmanMove) -> i32 {
        if state.mover == 0 {
            let pellet = self.layout.pellet(step(state.pacman, mv));
            return i32::from(pellet.is_some_and(|number| state.has_pellet(number)));
        }
        let mut ghost = state.ghosts[usize::from(state.mover) - 1];
        ghost.go(mv);
        let distance = ghost.half_steps(state.pacman) as i32;
        if ghost.scared > 0 { distance } else { -distance }
    }
}

crate::params! {
    /// What Pacman takes.
    #[derive(Debug, Clone)]
    pub struct PacmanParams {
        /// `chase`, `dead_end`, a text file (relative to the config's folder), or the
        /// maze itself, with rows on lines or between `/`
        layout: String = "chase".to_owned(),
        /// whether Pacman may stay where he is
        stop: bool = true,
    }
}

impl Configurable for Pacman {
    const KIND: &'static str = "pacman";
    const SUMMARY: &'static str = "Pacman against ghosts in a maze, for points";
    const SIDES: &'static [[&'static str; 2]] = &[["pacman", "ghosts"]];

    type Params = PacmanParams;

    fn from_params(PacmanParams { layout, stop }: PacmanParams) -> Result<Self, ParamError> {
        let layout = MazeText::read(&text_of(&layout, Path::new(""))?)?;
        if !stop && layout.maze.ways(layout.pacman).next().is_none() {
            let message = "Pacman is walled in and may not stop either";
            return Err(ParamError::at("stop", message, "`stop = true`, or open a way"));
        }
        Ok(Pacman { layout, stop })
    }

    fn embed(params: &mut PacmanParams, folder: &Path) -> Result<(), ParamError> {
        if is_path(&params.layout) {
            params.layout = text_of(&params.layout, folder)?;
            MazeText::read(&params.layout)?;
            // A line break or a wall marks a maze; any other text is a path.
            params.layout.push('\n');
        }
        Ok(())
    }

    fn warnings(&self) -> Vec<String> {
        self.layout.warnings()
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "the score so far";
        vec![NamedEvaluator::plain::<ScoreEvaluator>("score", summary), NamedEvaluator::linear()]
    }
}
