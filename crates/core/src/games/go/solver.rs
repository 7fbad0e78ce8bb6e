//! Exact values of small boards, with superko.
//!
//! A position's value depends on the earlier positions, so they are part of the keys of the table:
//! two lines with the same board share a value only if they had the same boards before. For each
//! bound on the score, searches with increasing depth prove that a side can reach it, or that the
//! other side can prevent it.

use std::collections::HashMap;

use super::state::{Go, GoMove, GoState, stone_hash};
use crate::games::key_hash::{fold, mix};
use crate::games::{Exact, ExactSolver, Game, Offer, Player, Scoring, Symmetry, Turn, Unsolved};

/// The largest board that is solved.
const MOST_ROWS: u16 = 3;

pub(super) fn offer(game: &Go) -> Offer<Go> {
    if game.size > MOST_ROWS {
        let size = game.size;
        let why = format!("a board of {size} by {size} takes too long to solve");
        let help = format!("`size = 2` or `size = {MOST_ROWS}`");
        return Err(Unsolved { why, help });
    }
    Ok(Box::new(GoSolver::new(game)))
}

/// The stones of both sides, a bit for each point.
type Stones = [u16; 2];

/// A position without its past.
#[derive(Clone, Copy)]
struct Small {
    stones: Stones,
    side: usize,
    passes: u8,
}

/// A side, and the first player's lead in area that it wants to reach.
#[derive(Clone, Copy)]
struct Bound {
    side: Player,
    lead: i32,
}

/// What is known about a bound in a position.
#[derive(Clone, Copy, Default)]
struct Known {
    proven: bool,
    /// The depth to which there is no proof.
    searched: u32,
}

/// Proves bounds of the score and keeps them.
struct GoSolver {
    neighbours: Vec<u16>,
    suicide: bool,
    table: HashMap<u64, Known>,
    /// Whether a board was there before, by its stones.
    seen: Vec<bool>,
    /// A hash of the set of these boards.
    past: u64,
    nodes: u64,
    /// Values of positions after at most one move, by their canonical keys.
    early: HashMap<u64, i32>,
}

impl Bound {
    fn holds(self, lead: i32) -> bool {
        self.side.sign() * lead >= self.side.sign() * self.lead
    }
}

impl GoSolver {
    fn new(game: &Go) -> Self {
        let around = |point| game.neighbours(point).fold(0, |all, next| all | 1 << next);
        GoSolver {
            neighbours: (0..game.points()).map(around).collect(),
            suicide: game.suicide,
            table: HashMap::new(),
            seen: vec![false; 1 << (2 * game.points())],
            past: 0,
            nodes: 0,
            early: HashMap::new(),
        }
    }

    fn points(&self) -> usize {
        self.neighbours.len()
    }

    fn number(&self, stones: Stones) -> usize {
        usize::from(stones[0]) << self.points() | usize::from(stones[1])
    }

    /// Adds a board to the earlier ones, or removes it.
    fn turn_seen(&mut self, stones: Stones) {
        let number = self.number(stones);
        self.seen[number] = !self.seen[number];
        self.past ^= mix(number as u64);
    }

    /// The points next to a set.
    fn around(&self, set: u16) -> u16 {
        let next = self.neighbours.iter().enumerate();
        let all =
            next.filter(|(point, _)| set >> point & 1 != 0).fold(0, |all, (_, next)| all | next);
        all & !set
    }

    fn chain(&self, own: u16, point: usize) -> u16 {
        let mut chain = 1 << point;
        loop {
            let grown = chain | self.around(chain) & own;
            if grown == chain {
                return chain;
            }
            chain = grown;
        }
    }

    /// The position after a stone; `None` if the stone is not legal.
    fn place(&self, from: &Small, point: usize) -> Option<Small> {
        let [mut own, mut other] = [from.stones[from.side], from.stones[1 - from.side]];
        if (own | other) >> point & 1 != 0 {
            return None;
        }
        own |= 1 << point;
        for next in (0..self.points()).filter(|next| self.neighbours[point] >> next & 1 != 0) {
            if other >> next & 1 != 0 {
                let chain = self.chain(other, next);
                if self.around(chain) & !(own | other) == 0 {
                    other &= !chain;
                }
            }
        }
        let chain = self.chain(own, point);
        if self.around(chain) & !(own | other) == 0 {
            if !self.suicide {
                return None;
            }
            own &= !chain;
        }
        let stones = if from.side == 0 { [own, other] } else { [other, own] };
        let next = Small { stones, side: 1 - from.side, passes: 0 };
        (!self.seen[self.number(stones)]).then_some(next)
    }

    /// The first player's area minus the second player's.
    fn area(&self, stones: Stones) -> i32 {
        let [first, second] = stones.map(|set| set.count_ones() as i32);
        let mut lead = first - second;
        let mut open = !(stones[0] | stones[1]) & ((1 << self.points()) - 1);
        while open != 0 {
            let region = self.chain(open, open.trailing_zeros() as usize);
            open &= !region;
            let around = self.around(region);
            let reached = stones.map(|set| i32::from(set & around != 0));
            lead += region.count_ones() as i32 * (reached[0] - reached[1]);
        }
        lead
    }

    /// The first player's lead in area with best play.
    fn lead(&mut self, game: &Go, state: &GoState) -> i32 {
        // Symmetric positions have the same value if their past is symmetric, too: none, or the
        // empty board, whose hash is 0.
        let is_early = state.recent_count == 0 || state.recent_count == 1 && state.recent[0] == 0;
        let early = is_early.then(|| game.symmetry().canonical_key(state));
        if let Some(lead) = early.and_then(|key| self.early.get(&key)) {
            return *lead;
        }
        let lead = self.lead_without_symmetry(game, state);
        if let Some(key) = early {
            self.early.insert(key, lead);
        }
        lead
    }

    fn lead_without_symmetry(&mut self, game: &Go, state: &GoState) -> i32 {
        let from = self.begin(game, state);
        let most = self.points() as i32;
        let (mut low, mut high) = (-most, most);
        let mut probes = 0;
        while low < high {
            // The extremes are the most frequent values.
            let lead = match probes {
                0 => high,
                1 => low + 1,
                _ => (low + high + 1).div_euclid(2),
            };
            probes += 1;
            for depth in 1.. {
                if self.search(&from, Bound { side: Player::First, lead }, depth) {
                    low = lead;
                    break;
                }
                if self.search(&from, Bound { side: Player::Second, lead: lead - 1 }, depth) {
                    high = lead - 1;
                    break;
                }
            }
        }
        low
    }

    /// Sets up a position with its earlier boards.
    fn begin(&mut self, game: &Go, state: &GoState) -> Small {
        self.seen.fill(false);
        self.past = 0;
        let all = 1 << self.points();
        for first in 0..all {
            for second in (0..all).filter(|second| first & second == 0) {
                let stones: Stones = [first, second];
                let hash = [0, 1].into_iter().fold(0, |hash, side| {
                    let points = (0..game.points()).filter(|point| stones[side] >> point & 1 != 0);
                    points.fold(hash, |hash, point| hash ^ stone_hash(point, side))
                });
                if state.has_seen(hash) {
                    self.turn_seen(stones);
                }
            }
        }
        let stones = [0, 1].map(|side| state.stones[side].0[0] as u16);
        Small { stones, side: state.side.index(), passes: state.passes }
    }

    /// Whether the bound's side reaches it within this depth.
    fn search(&mut self, from: &Small, bound: Bound, depth: u32) -> bool {
        self.nodes += 1;
        if from.passes == 2 {
            return bound.holds(self.area(from.stones));
        }
        if depth == 0 {
            return false;
        }
        let wanted = (i64::from(bound.lead) as u64) << 8 | bound.side.index() as u64;
        let place = (self.number(from.stones) * 2 + from.side) * 2 + usize::from(from.passes);
        let key = fold(mix(place as u64) ^ self.past, mix(wanted));
        let known = self.table.get(&key).copied().unwrap_or_default();
        if known.proven || known.searched >= depth {
            return known.proven;
        }
        let own = from.side == bound.side.index();
        let holds = bound.holds(self.area(from.stones));
        let sign = 1 - 2 * from.side as i32;
        let mut children: Vec<(i32, Small)> = Vec::with_capacity(10);
        for point in 0..self.points() {
            if let Some(next) = self.place(from, point) {
                let free = !(next.stones[0] | next.stones[1]);
                let [first, second] =
                    next.stones.map(|set| (self.around(set) & free).count_ones() as i32);
                let is_eye = self.neighbours[point] & !from.stones[from.side] == 0;
                let order = sign * (2 * self.area(next.stones) + first - second);
                children.push((order - 30 * i32::from(is_eye), next));
            }
        }
        // A second pass is first where it ends the game well for the player, and last elsewhere.
        let order = match (from.passes, own == holds) {
            (1, good) => {
                if good {
                    1000
                } else {
                    -1000
                }
            }
            (_, true) if own => 500,
            (_, true) => 50,
            (_, false) => -40,
        };
        let next = Small { side: 1 - from.side, passes: from.passes + 1, ..*from };
        children.push((order, next));
        children.sort_by_key(|(order, _)| -order);
        let mut found = !own;
        for (_, next) in children {
            let is_stone = next.passes == 0;
            if is_stone {
                self.turn_seen(next.stones);
            }
            let reached = self.search(&next, bound, depth - 1);
            if is_stone {
                self.turn_seen(next.stones);
            }
            if reached == own {
                found = own;
                break;
            }
        }
        let known = self.table.entry(key).or_default();
        match found {
            true => known.proven = true,
            false => known.searched = known.searched.max(depth),
        }
        found
    }
}

impl ExactSolver<Go> for GoSolver {
    fn value(&mut self, game: &Go, state: &GoState) -> Exact {
        if game.turn(state) == Turn::Over {
            self.nodes += 1;
            return Exact { plies: None, ..Exact::of_end(game, state) };
        }
        let payoff = 2 * self.lead(game, state) - game.komi;
        let mean = if game.scoring().numeric_score() { payoff } else { payoff.signum() };
        Exact { mean: f64::from(mean), plies: None }
    }

    /// The move whose value is proven with the smallest depth.
    fn line_move(&mut self, game: &Go, state: &GoState) -> Option<GoMove> {
        if game.turn(state) == Turn::Over {
            return None;
        }
        let bound = Bound { side: state.side, lead: self.lead(game, state) };
        let from = self.begin(game, state);
        for depth in 0.. {
            for point in 0..self.points() {
                let Some(next) = self.place(&from, point) else { continue };
                self.turn_seen(next.stones);
                let reached = self.search(&next, bound, depth);
                self.turn_seen(next.stones);
                if reached {
                    return Some(GoMove(point as u16));
                }
            }
            let next = Small { side: 1 - from.side, passes: from.passes + 1, ..from };
            if self.search(&next, bound, depth) {
                return Some(GoMove::PASS);
            }
        }
        None
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
