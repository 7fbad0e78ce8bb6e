//! The pairing of a round of a Swiss tournament: the Dutch system of FIDE (handbook C.04.3, in force
//! since February 2026), without its criteria on colours.
//!
//! Players are paired by groups of equal score, from the top. Players without a partner move down to
//! the next group. Among all pairings, criteria decide in order of priority: no rematch, a bye for a
//! low score, as many pairs as possible in a group, and no player who moves down or up again and
//! again. A pairing is best if the sum of its weights is best, and a matching of largest weight finds
//! it. The order in which the handbook generates pairings decides between equal ones: each step of
//! this order is tried, and kept if the sum stays the best.
//!
//! The handbook leaves a round that needs a rematch or a second bye to the arbiter (article 1.9.3). Here
//! such a round has as few of both as possible.

use std::cmp::Reverse;

use super::weighted_matching::{Weight, best_matching, plus};

/// How the score of the opponent differed in an earlier round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Float {
    /// The opponent had the same score.
    #[default]
    None,
    /// The opponent had a lower score, or the player had a bye.
    Down,
    /// The opponent had a higher score.
    Up,
}

/// A player before a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entrant {
    /// Its score, in any unit.
    pub score: u64,
    /// Its floats in the previous round and in the round before.
    pub floats: [Float; 2],
    /// The number of byes that it had.
    pub byes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundPairs {
    /// Pairs of players, the player with the higher rank first.
    pub pairs: Vec<(usize, usize)>,
    /// The player without an opponent, if the number of players is odd.
    pub bye: Option<usize>,
}

/// Pairs a round. The players are in the order of their seeds; `met` is the number of times that two
/// of them have met.
pub fn pair_round(entrants: &[Entrant], met: &dyn Fn(usize, usize) -> u64) -> RoundPairs {
    let mut order: Vec<usize> = (0..entrants.len()).collect();
    order.sort_by_key(|&one| Reverse(entrants[one].score));
    let mut places: Vec<Place> = Vec::new();
    for &player in &order {
        places.push(Place { score: entrants[player].score as i64, entrant: entrants[player] });
    }
    // The bye is a place below all others.
    if entrants.len() % 2 == 1 {
        places.push(Place { score: -1, entrant: Entrant::default() });
    }
    let count = places.len();
    let mut meetings = vec![0; count * count];
    for (u, &a) in order.iter().enumerate() {
        for (v, &b) in order.iter().enumerate() {
            meetings[u * count + v] = if u == v { 0 } else { met(a, b) };
        }
        if count > order.len() {
            meetings[u * count + count - 1] = entrants[a].byes;
        }
    }
    let mut round = Round::new(places, meetings);
    let mut scores: Vec<i64> = round.places.iter().map(|place| place.score).collect();
    scores.dedup();
    scores.retain(|&score| score >= 0);
    for (i, &score) in scores.iter().enumerate() {
        round.pair_group(score, scores.get(i + 1).copied());
    }
    round.pair_rest();
    let mut out = RoundPairs::default();
    for (u, v) in round.pairs {
        match order.get(v) {
            Some(&b) => out.pairs.push((order[u], b)),
            None => out.bye = Some(order[u]),
        }
    }
    out
}

/// A player or the bye, by rank.
#[derive(Debug, Clone, Copy)]
struct Place {
    score: i64,
    entrant: Entrant,
}

/// A round that is paired group by group. Places are numbered by rank.
struct Round {
    places: Vec<Place>,
    meetings: Vec<u64>,
    /// The places without a partner yet.
    left: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    /// Which pairs of places are still possible, in a square.
    allowed: Vec<bool>,
    weights: Vec<Weight>,
    /// The best matching that is known, and the sum of its weights.
    mate: Vec<usize>,
    best: Weight,
    /// Bits of a number up to the number of places, and its sign.
    bits: u32,
}

impl Round {
    fn new(places: Vec<Place>, meetings: Vec<u64>) -> Self {
        let count = places.len();
        Round {
            left: (0..count).collect(),
            bits: count.ilog2() + 2,
            places,
            meetings,
            pairs: Vec::new(),
            allowed: vec![true; count * count],
            weights: vec![[0; 3]; count * count],
            mate: vec![usize::MAX; count],
            best: [0; 3],
        }
    }

    fn pair_group(&mut self, score: i64, next: Option<i64>) {
        let moved: Vec<usize> = self.with(&|place| place.score > score);
        let residents: Vec<usize> = self.with(&|place| place.score == score);
        self.allowed.fill(true);
        let group = Group::new(&self.places, &moved, score, next);
        self.weigh(&|round, u, v| group.weight(round, u, v));
        self.solve();
        // Players who moved down come first: who of them is paired, and with whom.
        let resident = |v: usize| residents.binary_search(&v).is_ok();
        for &u in &moved {
            self.restrict(u, &resident);
        }
        for u in moved.into_iter().filter(|&u| resident(self.mate[u])).collect::<Vec<_>>() {
            self.pair_with_first(u, &residents);
        }
        self.pair_residents(&group);
    }

    /// Pairs the residents who are not paired with a player from above.
    fn pair_residents(&mut self, group: &Group) {
        let residents: Vec<usize> = self.with(&|place| place.score == group.score);
        // The numbers of the players among those who are paired here: article 4.1 of the handbook.
        let number = |v: usize| residents.binary_search(&v).ok();
        let inside = |v: usize| number(v).is_some();
        let count = residents.iter().filter(|&&u| inside(self.mate[u])).count() / 2;
        if count == 0 {
            return;
        }
        // The upper half plays the lower half, with as few exchanges between them as possible.
        self.weigh(&|round, u, v| {
            let mut weight = group.weight(round, u, v);
            let (mut exchange, mut sum, mut hint) = (0, 0, 0);
            match (number(u), number(v)) {
                (Some(i), Some(j)) => {
                    match (i < count, j < count) {
                        (true, true) => (exchange, sum) = (1, j as i128),
                        (false, false) => sum = -(i as i128),
                        _ => {}
                    }
                    hint = (residents.len() - j.abs_diff(i + count)) as i128;
                }
                (Some(i), None) | (None, Some(i)) if i < count => (exchange, sum) = (1, i as i128),
                _ => {}
            }
            weight[2] += (-exchange << (4 * round.bits)) + (sum << (2 * round.bits)) + hint;
            weight
        });
        self.solve();
        // An exchange moves the lowest players of the upper half and the highest of the lower half.
        let (upper, lower) = residents.split_at(count);
        let down = |x: usize, y: usize| !inside(y) || y < x;
        let up = |x: usize, y: usize| inside(y) && y > x;
        let mut first: Vec<usize> = Vec::new();
        let mut second: Vec<usize> = Vec::new();
        // All best pairings have the same number of exchanges.
        let mut exchanges = upper.iter().filter(|&&x| down(x, self.mate[x])).count();
        let mut left = exchanges;
        for &x in upper.iter().rev() {
            let moves = left > 0 && self.restrict(x, &|y| down(x, y));
            if !moves {
                self.restrict(x, &|y| !down(x, y));
            }
            left -= usize::from(moves);
            if moves { &mut second } else { &mut first }.push(x);
        }
        for &x in lower {
            let moves = exchanges > 0 && self.restrict(x, &|y| up(x, y));
            if !moves {
                self.restrict(x, &|y| !up(x, y));
            }
            exchanges -= usize::from(moves);
            if moves { &mut first } else { &mut second }.push(x);
        }
        first.sort();
        second.sort();
        for x in first {
            self.pair_with_first(x, &second);
        }
    }

    /// Pairs a place with the first of these places that keeps the best sum.
    fn pair_with_first(&mut self, u: usize, others: &[usize]) {
        for &v in others {
            if self.mate[v] != usize::MAX && self.restrict(u, &|other| other == v) {
                self.pair(u, v);
                return;
            }
        }
    }

    /// Pairs the places that no group paired: the bye, and players without another partner.
    fn pair_rest(&mut self) {
        for u in self.left.clone() {
            let v = self.mate[u];
            if v != usize::MAX && u < v {
                self.pair(u, v);
            }
        }
    }

    fn pair(&mut self, u: usize, v: usize) {
        self.pairs.push((u.min(v), u.max(v)));
        self.left.retain(|&place| place != u && place != v);
        self.best = minus(self.best, self.weight(u, v));
        (self.mate[u], self.mate[v]) = (usize::MAX, usize::MAX);
    }

    fn with(&self, is_wanted: &dyn Fn(&Place) -> bool) -> Vec<usize> {
        self.left.iter().copied().filter(|&place| is_wanted(&self.places[place])).collect()
    }

    fn weight(&self, u: usize, v: usize) -> Weight {
        self.weights[u.min(v) * self.places.len() + u.max(v)]
    }

    fn weigh(&mut self, weight: &dyn Fn(&Round, usize, usize) -> Weight) {
        let count = self.places.len();
        for (i, &u) in self.left.clone().iter().enumerate() {
            for &v in &self.left.clone()[i + 1..] {
                self.weights[u * count + v] = weight(self, u, v);
            }
        }
    }

    /// Finds the best matching of the places that are left.
    fn solve(&mut self) {
        (self.mate, self.best) = self.matching().expect("every place can still have a partner");
    }

    fn matching(&self) -> Option<(Vec<usize>, Weight)> {
        let (left, count) = (&self.left, self.places.len());
        let mates = best_matching(left.len(), &|i, j| {
            let (u, v) = (left[i], left[j]);
            let possible = self.allowed[u * count + v] && self.allowed[v * count + u];
            possible.then(|| self.weights[u * count + v])
        })?;
        let mut mate = vec![usize::MAX; count];
        let mut sum = [0; 3];
        for (i, &j) in mates.iter().enumerate() {
            mate[left[i]] = left[j];
            if i < j {
                sum = plus(sum, self.weight(left[i], left[j]));
            }
        }
        Some((mate, sum))
    }

    /// Leaves a place only these partners if this keeps the best sum. Returns whether it does.
    fn restrict(&mut self, u: usize, keep: &dyn Fn(usize) -> bool) -> bool {
        let count = self.places.len();
        let row = u * count..(u + 1) * count;
        let before = self.allowed[row.clone()].to_vec();
        for v in 0..count {
            self.allowed[u * count + v] &= keep(v);
        }
        if keep(self.mate[u]) {
            return true;
        }
        let same = |sum: Weight| self.without_hint(sum) == self.without_hint(self.best);
        if let Some((mate, sum)) = self.matching().filter(|&(_, sum)| same(sum)) {
            (self.mate, self.best) = (mate, sum);
            return true;
        }
        self.allowed[row].copy_from_slice(&before);
        false
    }

    /// The last bits of a weight only make a good first guess.
    fn without_hint(&self, weight: Weight) -> Weight {
        [weight[0], weight[1], weight[2] >> (2 * self.bits)]
    }
}

fn minus(a: Weight, b: Weight) -> Weight {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A group of equal score with the players who moved down to it.
struct Group {
    score: i64,
    next: Option<i64>,
    /// The different scores of the players who moved down, highest first, each with its number of
    /// players.
    above: Vec<(i64, u32)>,
    /// All scores of the round, lowest first.
    scores: Vec<i64>,
}

impl Group {
    fn new(places: &[Place], moved: &[usize], score: i64, next: Option<i64>) -> Self {
        let mut above: Vec<(i64, u32)> = Vec::new();
        for &u in moved {
            match above.last_mut() {
                Some((last, players)) if *last == places[u].score => *players += 1,
                _ => above.push((places[u].score, 1)),
            }
        }
        let mut scores: Vec<i64> = places.iter().rev().map(|place| place.score).collect();
        scores.dedup();
        Group { score, next, above, scores }
    }

    /// The weight of a pair by the criteria of the handbook, in their order. `u` has the higher rank.
    fn weight(&self, round: &Round, u: usize, v: usize) -> Weight {
        let (a, b) = (round.places[u], round.places[v]);
        let bits = round.bits;
        let is_moved = a.score > self.score;
        let inside = b.score == self.score;
        let mut weight = Digits::new(3 * bits + 1 + 2 * bits);
        // C1 and C2: no rematch and no second bye.
        weight.put(-(round.meetings[u * round.places.len() + v] as i128), 2 * bits);
        // C5: the score of the player with the bye.
        let rank = self.scores.iter().position(|&score| score == a.score).unwrap_or_default();
        weight.put(if b.score < 0 { -(rank as i128) } else { 0 }, bits);
        // C6 and C7: the number of pairs, and the scores of those who move down.
        weight.put(inside.into(), bits);
        self.put_scores(&mut weight, inside, a.score);
        // C8: the same in the next group.
        let is_next = Some(b.score) == self.next;
        weight.put(is_next.into(), bits);
        self.put_scores(&mut weight, is_next, a.score);
        weight.put((is_next && a.score == self.score).into(), bits);
        let has = |place: Place, k: usize, float| place.entrant.floats[k] == float;
        for k in 0..2 {
            // C14 and C16: residents who move down again.
            let stay = |place: Place| place.score == self.score && has(place, k, Float::Down);
            weight.put(if inside { i128::from(stay(a)) + i128::from(stay(b)) } else { 0 }, bits);
            // C15 and C17: opponents who move up again.
            let up = inside && is_moved && has(b, k, Float::Up);
            weight.put(-i128::from(up), bits);
        }
        for k in 0..2 {
            // C18 and C20, C19 and C21: the same by differences of scores.
            self.put_scores(&mut weight, inside && has(a, k, Float::Down), a.score);
            for &(score, players) in &self.above {
                let up = inside && a.score == score && has(b, k, Float::Up);
                weight.put(-i128::from(up), bits_of(players));
            }
        }
        weight.words
    }

    /// One number for each score of the players who moved down.
    fn put_scores(&self, weight: &mut Digits, is_counted: bool, own: i64) {
        for &(score, players) in &self.above {
            weight.put((is_counted && own == score).into(), bits_of(players));
        }
    }
}

/// Bits of a sum of that many ones, and its sign.
fn bits_of(players: u32) -> u32 {
    players.ilog2() + 2
}

/// Numbers of decreasing priority, packed into a weight.
struct Digits {
    words: Weight,
    word: usize,
    free: u32,
    /// Bits at the end of the last word that others use.
    reserved: u32,
}

/// Bits of a word, without those that sums and dual variables need.
const WORD: u32 = 116;

impl Digits {
    fn new(reserved: u32) -> Self {
        Digits { words: [0; 3], word: 0, free: WORD, reserved }
    }

    /// Adds a number. If there is no room, it is the last of many criteria and is left out.
    fn put(&mut self, number: i128, bits: u32) {
        let end = |word: usize| if word == 2 { self.reserved } else { 0 };
        if self.free < bits + end(self.word) {
            if self.word == 2 {
                return;
            }
            (self.word, self.free) = (self.word + 1, WORD);
        }
        self.free -= bits;
        self.words[self.word] += number << self.free;
    }
}
