//! A perfect matching of largest weight in any graph: which pairs of players are best, if each pair
//! has a weight and everybody needs a partner.
//!
//! This is Edmonds' blossom algorithm (1965) with dual variables, in the form that takes time of the
//! order n³ (Gabow 1973, Lawler 1976). Weights are lists of numbers that are compared like words in a
//! dictionary, so criteria of different priority never mix.

use std::collections::VecDeque;

/// The weight of a pair: the first number has priority over the second, and so on.
pub type Weight = [i128; 3];

const ZERO: Weight = [0; 3];
/// Less than the weight of any pair: there is no such pair.
const NONE: Weight = [i128::MIN; 3];

/// The sum of two weights.
pub fn plus(a: Weight, b: Weight) -> Weight {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn minus(a: Weight, b: Weight) -> Weight {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn is_zero(a: Weight) -> bool {
    a[0] | a[1] | a[2] == 0
}

fn half(a: Weight) -> Weight {
    [a[0] / 2, a[1] / 2, a[2] / 2]
}

/// The partner of each of `n` vertices in a perfect matching with the largest sum of weights; `None`
/// if there is no perfect matching. `weight` is the weight of a pair of vertices, the smaller one
/// first, or `None` if they cannot be a pair.
pub fn best_matching(
    n: usize,
    weight: &dyn Fn(usize, usize) -> Option<Weight>,
) -> Option<Vec<usize>> {
    let mut search = Search::new(n, weight);
    if search.dual[1..=n].contains(&NONE) {
        return None;
    }
    search.pair_best_edges();
    while (1..=n).any(|v| search.mate[v] == 0) {
        if !search.add_pair() {
            return None;
        }
    }
    Some(search.mate[1..=n].iter().map(|mate| mate - 1).collect())
}

/// The state of a vertex or blossom in the current search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    Even,
    Odd,
}

/// An edge between two vertices. Four times the weight is stored, so that half a slack is whole.
#[derive(Debug, Clone, Copy)]
struct Edge {
    u: usize,
    v: usize,
    fourfold: Weight,
}

/// Vertices are numbers from 1, blossoms are numbers above `n`, and 0 means none.
struct Search {
    n: usize,
    /// The largest number in use.
    last: usize,
    /// The best edge between two vertices or blossoms, in a square of this width.
    width: usize,
    edges: Vec<Edge>,
    dual: Vec<Weight>,
    mate: Vec<usize>,
    /// For a vertex or blossom that is not even: the even vertex with the smallest slack to it.
    nearest: Vec<usize>,
    /// The outermost blossom of a vertex, or the vertex itself.
    top: Vec<usize>,
    parent: Vec<usize>,
    label: Vec<Label>,
    /// The parts of a blossom around its odd circle, the base first.
    circle: Vec<Vec<usize>>,
    /// By blossom and vertex: the part that contains the vertex.
    part_of: Vec<usize>,
    seen: Vec<usize>,
    walks: usize,
    queue: VecDeque<usize>,
}

impl Search {
    fn new(n: usize, weight: &dyn Fn(usize, usize) -> Option<Weight>) -> Self {
        let width = n + n / 2 + 2;
        let none = Edge { u: 0, v: 0, fourfold: NONE };
        let mut edges = vec![none; width * width];
        let mut part_of = vec![0; width * width];
        let mut dual = vec![NONE; n + 1];
        dual.resize(width, ZERO);
        for u in 1..=n {
            part_of[u * width + u] = u;
            for v in u + 1..=n {
                let Some(weight) = weight(u - 1, v - 1) else { continue };
                let doubled = plus(weight, weight);
                for end in [u, v] {
                    dual[end] = dual[end].max(doubled);
                }
                let fourfold = plus(doubled, doubled);
                edges[u * width + v] = Edge { u, v, fourfold };
                edges[v * width + u] = Edge { u: v, v: u, fourfold };
            }
        }
        Search {
            n,
            last: n,
            width,
            edges,
            dual,
            mate: vec![0; width],
            nearest: vec![0; width],
            top: (0..width).map(|v| if v <= n { v } else { 0 }).collect(),
            parent: vec![0; width],
            label: vec![Label::Free; width],
            circle: vec![Vec::new(); width],
            part_of,
            seen: vec![0; width],
            walks: 0,
            queue: VecDeque::new(),
        }
    }

    /// Pairs vertices whose best edges are the same: most of a matching, in little time.
    fn pair_best_edges(&mut self) {
        for u in 1..=self.n {
            for v in u + 1..=self.n {
                let are_free = self.mate[u] == 0 && self.mate[v] == 0;
                if are_free && self.exists(u, v) && is_zero(self.slack(self.edge(u, v))) {
                    (self.mate[u], self.mate[v]) = (v, u);
                }
            }
        }
    }

    fn edge(&self, a: usize, b: usize) -> Edge {
        self.edges[a * self.width + b]
    }

    fn exists(&self, a: usize, b: usize) -> bool {
        self.edges[a * self.width + b].fourfold[0] != i128::MIN
    }

    /// How much the dual variables at the ends of an edge exceed its weight, times two.
    fn slack(&self, edge: Edge) -> Weight {
        minus(plus(self.dual[edge.u], self.dual[edge.v]), edge.fourfold)
    }

    fn is_top(&self, v: usize) -> bool {
        self.top[v] == v
    }

    fn note_nearest(&mut self, u: usize, x: usize) {
        let known = self.nearest[x];
        if known == 0 || self.slack(self.edge(u, x)) < self.slack(self.edge(known, x)) {
            self.nearest[x] = u;
        }
    }

    fn find_nearest(&mut self, x: usize) {
        self.nearest[x] = 0;
        for u in 1..=self.n {
            let top = self.top[u];
            if self.exists(u, x) && top != x && self.label[top] == Label::Even {
                self.note_nearest(u, x);
            }
        }
    }

    fn enqueue(&mut self, x: usize) {
        if x <= self.n {
            self.queue.push_back(x);
        } else {
            for part in self.circle[x].clone() {
                self.enqueue(part);
            }
        }
    }

    fn set_top(&mut self, x: usize, blossom: usize) {
        self.top[x] = blossom;
        if x > self.n {
            for part in self.circle[x].clone() {
                self.set_top(part, blossom);
            }
        }
    }

    /// The place of a part in a blossom, in the direction in which this place is even.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let circle = &mut self.circle[blossom];
        let place = circle.iter().position(|&x| x == part).expect("a part of the blossom");
        if place % 2 == 1 {
            circle[1..].reverse();
            return circle.len() - place;
        }
        place
    }

    /// Matches `a` to `b` along their edge, and the parts of a blossom `a` around it.
    fn set_mate(&mut self, a: usize, b: usize) {
        let edge = self.edge(a, b);
        self.mate[a] = edge.v;
        if a <= self.n {
            return;
        }
        let part = self.part_of[a * self.width + edge.u];
        let place = self.even_place(a, part);
        for i in 0..place {
            let (one, other) = (self.circle[a][i], self.circle[a][i ^ 1]);
            self.set_mate(one, other);
        }
        self.set_mate(part, b);
        self.circle[a].rotate_left(place);
    }

    /// Exchanges matched and unmatched edges from `a` up to its root, after `a` got the mate `b`.
    fn augment(&mut self, mut a: usize, mut b: usize) {
        loop {
            let before = self.top[self.mate[a]];
            self.set_mate(a, b);
            if before == 0 {
                return;
            }
            let up = self.top[self.parent[before]];
            self.set_mate(before, up);
            (a, b) = (up, before);
        }
    }

    /// The first common ancestor of two even vertices, or 0 if they are in different trees.
    fn common_ancestor(&mut self, mut a: usize, mut b: usize) -> usize {
        self.walks += 1;
        while a != 0 || b != 0 {
            if a != 0 {
                if self.seen[a] == self.walks {
                    return a;
                }
                self.seen[a] = self.walks;
                a = self.top[self.mate[a]];
                if a != 0 {
                    a = self.top[self.parent[a]];
                }
            }
            std::mem::swap(&mut a, &mut b);
        }
        0
    }

    /// Contracts the odd circle from `base` through the edge between `a` and `b`.
    fn contract(&mut self, a: usize, base: usize, b: usize) {
        let mut blossom = self.n + 1;
        while blossom <= self.last && self.top[blossom] != 0 {
            blossom += 1;
        }
        self.last = self.last.max(blossom);
        self.dual[blossom] = ZERO;
        self.label[blossom] = Label::Even;
        self.mate[blossom] = self.mate[base];
        let mut circle = vec![base];
        for (i, end) in [a, b].into_iter().enumerate() {
            let mut x = end;
            while x != base {
                circle.push(x);
                let odd = self.top[self.mate[x]];
                circle.push(odd);
                self.enqueue(odd);
                x = self.top[self.parent[odd]];
            }
            if i == 0 {
                circle[1..].reverse();
            }
        }
        self.circle[blossom].clone_from(&circle);
        self.set_top(blossom, blossom);
        let width = self.width;
        for x in 1..=self.last {
            self.edges[blossom * width + x].fourfold = NONE;
            self.edges[x * width + blossom].fourfold = NONE;
        }
        for v in 1..=self.n {
            self.part_of[blossom * width + v] = 0;
        }
        for part in circle {
            for x in 1..=self.last {
                let better = self.exists(part, x)
                    && (!self.exists(blossom, x)
                        || self.slack(self.edge(part, x)) < self.slack(self.edge(blossom, x)));
                if better {
                    self.edges[blossom * width + x] = self.edges[part * width + x];
                    self.edges[x * width + blossom] = self.edges[x * width + part];
                }
            }
            for v in 1..=self.n {
                if self.part_of[part * width + v] != 0 {
                    self.part_of[blossom * width + v] = part;
                }
            }
        }
        self.find_nearest(blossom);
    }

    /// Dissolves an odd blossom whose dual variable is 0.
    fn expand(&mut self, blossom: usize) {
        for part in self.circle[blossom].clone() {
            self.set_top(part, part);
        }
        let entry = self.edge(blossom, self.parent[blossom]).u;
        let part = self.part_of[blossom * self.width + entry];
        let place = self.even_place(blossom, part);
        let circle = self.circle[blossom].clone();
        for pair in circle[..place].chunks(2) {
            let (odd, even) = (pair[0], pair[1]);
            self.parent[odd] = self.edge(even, odd).u;
            self.label[odd] = Label::Odd;
            self.label[even] = Label::Even;
            self.nearest[odd] = 0;
            self.find_nearest(even);
            self.enqueue(even);
        }
        self.label[part] = Label::Odd;
        self.parent[part] = self.parent[blossom];
        for &free in &circle[place + 1..] {
            self.label[free] = Label::Free;
            self.find_nearest(free);
        }
        self.top[blossom] = 0;
    }

    /// Uses an edge without slack from an even vertex. Returns whether a pair was added.
    fn use_edge(&mut self, edge: Edge) -> bool {
        let (a, b) = (self.top[edge.u], self.top[edge.v]);
        match self.label[b] {
            Label::Free => {
                self.parent[b] = edge.u;
                self.label[b] = Label::Odd;
                let next = self.top[self.mate[b]];
                self.nearest[b] = 0;
                self.nearest[next] = 0;
                self.label[next] = Label::Even;
                self.enqueue(next);
            }
            Label::Even => {
                let base = self.common_ancestor(a, b);
                if base == 0 {
                    self.augment(a, b);
                    self.augment(b, a);
                    return true;
                }
                self.contract(a, base, b);
            }
            Label::Odd => {}
        }
        false
    }

    /// Adds a pair to the matching. False if there is no larger matching.
    fn add_pair(&mut self) -> bool {
        self.label[1..=self.last].fill(Label::Free);
        self.nearest[1..=self.last].fill(0);
        self.queue.clear();
        for x in 1..=self.last {
            if self.is_top(x) && self.mate[x] == 0 {
                self.parent[x] = 0;
                self.label[x] = Label::Even;
                self.enqueue(x);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                if self.label[self.top[u]] == Label::Odd {
                    continue;
                }
                for v in 1..=self.n {
                    if !self.exists(u, v) || self.top[u] == self.top[v] {
                        continue;
                    }
                    if is_zero(self.slack(self.edge(u, v))) {
                        if self.use_edge(self.edge(u, v)) {
                            return true;
                        }
                    } else {
                        self.note_nearest(u, self.top[v]);
                    }
                }
            }
            let Some(step) = self.step() else { return false };
            self.change_duals(step);
            self.queue.clear();
            for x in 1..=self.last {
                let near = self.nearest[x];
                if self.is_top(x)
                    && near != 0
                    && self.top[near] != x
                    && is_zero(self.slack(self.edge(near, x)))
                    && self.use_edge(self.edge(near, x))
                {
                    return true;
                }
            }
            for blossom in self.n + 1..=self.last {
                if self.is_top(blossom)
                    && self.label[blossom] == Label::Odd
                    && is_zero(self.dual[blossom])
                {
                    self.expand(blossom);
                }
            }
        }
    }

    /// How far the dual variables can change until an edge has no slack or a blossom dissolves.
    fn step(&self) -> Option<Weight> {
        let blossoms = (self.n + 1..=self.last)
            .filter(|&b| self.is_top(b) && self.label[b] == Label::Odd)
            .map(|b| half(self.dual[b]));
        let edges =
            (1..=self.last).filter(|&x| self.is_top(x) && self.nearest[x] != 0).filter_map(|x| {
                let slack = self.slack(self.edge(self.nearest[x], x));
                match self.label[x] {
                    Label::Free => Some(slack),
                    Label::Even => Some(half(slack)),
                    Label::Odd => None,
                }
            });
        blossoms.chain(edges).min()
    }

    fn change_duals(&mut self, step: Weight) {
        for u in 1..=self.n {
            match self.label[self.top[u]] {
                Label::Even => self.dual[u] = minus(self.dual[u], step),
                Label::Odd => self.dual[u] = plus(self.dual[u], step),
                Label::Free => {}
            }
        }
        for blossom in (self.n + 1..=self.last).filter(|&b| self.top[b] == b) {
            match self.label[blossom] {
                Label::Even => self.dual[blossom] = plus(self.dual[blossom], plus(step, step)),
                Label::Odd => self.dual[blossom] = minus(self.dual[blossom], plus(step, step)),
                Label::Free => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    /// The largest sum by trying all perfect matchings.
    fn tried(free: &[usize], weight: &dyn Fn(usize, usize) -> Option<Weight>) -> Option<Weight> {
        let Some((&one, rest)) = free.split_first() else { return Some(ZERO) };
        let sums = rest.iter().enumerate().filter_map(|(i, &other)| {
            let mut left = rest.to_vec();
            left.remove(i);
            Some(plus(weight(one, other)?, tried(&left, weight)?))
        });
        sums.max()
    }

    #[test]
    fn no_other_matching_is_better() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut without = 0;
        for case in 0..900 {
            let n = 2 + case % 8;
            let (range, holes) = ([2, 5, 40][case % 3], [0, 2, 5][case / 300]);
            let mut weights = vec![None; n * n];
            for u in 0..n {
                for v in u + 1..n {
                    let mut number = |range: u32| i128::from(rng.random_range(0..range));
                    let weight = [number(range) / 2 - 1, number(range), number(range) - 3];
                    weights[u * n + v] = (number(10) >= holes).then_some(weight);
                }
            }
            let weight = |u: usize, v: usize| weights[u.min(v) * n + u.max(v)];
            let all: Vec<usize> = (0..n).collect();
            let mates = best_matching(n, &weight);
            without += usize::from(mates.is_none());
            let sum = mates.map(|mates| {
                let pairs = (0..n).filter(|&u| u < mates[u]);
                assert!((0..n).all(|u| mates[mates[u]] == u && mates[u] != u));
                pairs.fold(ZERO, |sum, u| plus(sum, weight(u, mates[u]).expect("a pair")))
            });
            assert_eq!(sum, tried(&all, &weight), "case {case}");
        }
        assert!((400..700).contains(&without), "{without}");
    }
}
