//! Legal moves. Each position after the turn is reached by one move.

use super::checkers_of_one_side::{BAR, HOME, Side, turned};
use super::state::{BackgammonMove, BackgammonState, CheckerStep};
use crate::games::grid::bitboard::{Bitboard, nth_bit};

/// The mover's checkers and the enemy's, in the mover's coordinates.
pub(super) struct Mover {
    pub own: Side,
    /// Points that no checker may enter.
    pub blocked: u32,
    /// Enemy checkers that can be hit.
    pub blots: u32,
    /// The larger die first.
    pub dice: [u32; 2],
}

/// The steps of two different dice: for each point from which the larger die's step begins, the
/// points from which the smaller die's may begin.
pub(super) struct Pairs([u32; 26]);

impl Mover {
    #[inline]
    pub fn of(state: &BackgammonState) -> Mover {
        let enemy = state.checkers(state.side.other());
        Mover {
            own: state.checkers(state.side),
            blocked: turned(enemy.made()),
            blots: turned(enemy.blots()),
            dice: state.dice.map(u32::from),
        }
    }

    #[inline]
    pub fn is_double(&self) -> bool {
        self.dice[0] == self.dice[1]
    }

    /// The points from which a checker can step, with checkers on these points.
    #[inline]
    pub fn playable(&self, points: u32, die: u32) -> u32 {
        let open = !(self.blocked << die);
        if points.has(BAR) {
            return open & 1 << BAR;
        }
        let mut playable = points & open & (u32::MAX << (die + 1));
        if points & !HOME == 0 {
            // Off the board: from the die's point, or from the highest point if it is below.
            playable |= points & 1 << die;
            if points >> die == 0 && points != 0 {
                playable |= 1 << points.ilog2();
            }
        }
        playable
    }

    /// The points with checkers after a step.
    #[inline]
    fn after(&self, from: u32, die: u32) -> u32 {
        let left = self.own.points() & !(self.own.blots() & 1 << from);
        // Bit 0 would be the checkers borne off.
        left | (1 << from >> die & !1)
    }

    #[inline]
    pub fn pairs(&self) -> Pairs {
        let [large, small] = self.dice;
        let mut pairs = [0; 26];
        for from in self.playable(self.own.points(), large).cells() {
            pairs[from as usize] = self.playable(self.after(from, large), small);
        }
        // The smaller die first.
        for from in self.playable(self.own.points(), small).cells() {
            for second in self.playable(self.after(from, small), large).cells() {
                pairs[second as usize] |= 1 << from;
            }
        }
        self.without_duplicates(&mut pairs);
        Pairs(pairs)
    }

    /// Removes pairs that lead to the same position as another.
    #[inline]
    fn without_duplicates(&self, pairs: &mut [u32; 26]) {
        let [large, small] = self.dice;
        // One checker plays both dice in either order, and hits nothing on the way.
        for from in (self.own.points() & (u32::MAX << (large + 1))).cells() {
            let [by_large, by_small] = [from - large, from - small];
            let quiet = (self.blots >> by_large | self.blots >> by_small) & 1 == 0;
            if quiet && pairs[from as usize].has(by_large) {
                pairs[by_small as usize] &= !(1 << from);
            }
        }
        // Two checkers are borne off, each by either die.
        for low in 1..small {
            for high in low + 1..=small {
                if pairs[high as usize].has(low) {
                    pairs[low as usize] &= !(1 << high);
                }
            }
        }
    }

    /// The only step if not both dice can be played: by the larger die, if possible.
    pub fn single(&self, mut add: impl FnMut(BackgammonMove)) {
        let points = self.own.points();
        for die in self.dice {
            let playable = self.playable(points, die);
            playable.cells().for_each(|from| add(turn(&[CheckerStep::new(from, die)])));
            if playable != 0 {
                return;
            }
        }
        add(turn(&[]));
    }

    /// All turns of a double. Steps begin from the highest point, so each set of steps comes once.
    pub fn doubles(&self, out: &mut Vec<BackgammonMove>) {
        let start = out.len();
        let mut steps = [CheckerStep::default(); 4];
        self.more_steps(self.own, BAR, 0, &mut steps, &mut (start, 0), out);
    }

    /// Adds the turns that begin with these steps and continue at most from this point. `longest` is
    /// the place of the first turn in the list, and the number of steps of all turns there.
    fn more_steps(
        &self,
        own: Side,
        highest: u32,
        count: usize,
        steps: &mut [CheckerStep; 4],
        longest: &mut (usize, usize),
        out: &mut Vec<BackgammonMove>,
    ) {
        let die = self.dice[0];
        let playable = self.playable(own.points(), die) & ((2 << highest) - 1);
        if count == 4 || playable == 0 {
            if count > longest.1 {
                out.truncate(longest.0);
                longest.1 = count;
            }
            if count == longest.1 {
                out.push(BackgammonMove::Turn(*steps));
            }
            return;
        }
        for from in playable.cells() {
            let (mut next, step) = (own, CheckerStep::new(from, die));
            step.play(&mut next);
            steps[count] = step;
            self.more_steps(next, from, count + 1, steps, longest, out);
        }
        steps[count] = CheckerStep::default();
    }
}

impl Pairs {
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|set| set.count_ones()).sum()
    }

    #[inline]
    pub fn nth(&self, mut n: u32, dice: [u32; 2]) -> BackgammonMove {
        for (large, &set) in (0..).zip(&self.0) {
            match n.checked_sub(set.count_ones()) {
                Some(rest) => n = rest,
                None => return pair(large, nth_bit(set.into(), n), dice),
            }
        }
        unreachable!("there are more than `n` pairs")
    }

    pub fn each(&self, dice: [u32; 2], mut add: impl FnMut(BackgammonMove)) {
        for (large, &set) in (0..).zip(&self.0) {
            set.cells().for_each(|small| add(pair(large, small, dice)));
        }
    }
}

/// The step from the higher point is first; from the same point, that of the larger die.
#[inline]
fn pair(large: u32, small: u32, dice: [u32; 2]) -> BackgammonMove {
    let steps = [CheckerStep::new(large, dice[0]), CheckerStep::new(small, dice[1])];
    turn(&if large < small { [steps[1], steps[0]] } else { steps })
}

#[inline]
fn turn(steps: &[CheckerStep]) -> BackgammonMove {
    let mut all = [CheckerStep::default(); 4];
    all[..steps.len()].copy_from_slice(steps);
    BackgammonMove::Turn(all)
}
