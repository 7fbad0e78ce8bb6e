//! The tree in memory: one array, reserved once.

use std::mem::MaybeUninit;

use super::super::search_result::{SearchResult, SearchStats};
use super::all_moves_as_first::AllMovesAsFirst;
use super::value_range::Range;
use crate::games::Player;
use crate::util::unix;

/// Who decides in an expanded node.
const CHANCE: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;
const ACTS: u8 = 3;
/// The value of the node is known exactly.
const PROVEN: u8 = 4;

/// A node of the tree: 32 bytes if moves are small.
#[derive(Debug, Clone, Copy)]
pub(super) struct MctsNode<M> {
    /// The sum of the values of its simulations for the first player.
    pub total: f64,
    /// Their mean for the selection: infinitely bad for a proven loss, which needs no further
    /// visits.
    pub mean: f32,
    /// The factor of the exploration term: see [`bonus`].
    pub bonus: f32,
    /// The number of simulations through it.
    pub visits: u32,
    /// The index of its first child; 0 before expansion.
    pub first: u32,
    /// The probability of this chance outcome, in proportion to its siblings.
    pub weight: u32,
    /// The number of its children, which are consecutive.
    pub count: u16,
    flags: u8,
    /// The move or outcome that leads to it.
    pub mv: M,
}

impl<M> MctsNode<M> {
    /// An unvisited node.
    pub(super) fn new(mv: M, weight: u32) -> Self {
        MctsNode {
            total: 0.0,
            mean: 0.0,
            bonus: f32::INFINITY,
            visits: 0,
            first: 0,
            weight,
            count: 0,
            flags: 0,
            mv,
        }
    }

    fn without_move(&self) -> MctsNode<()> {
        let &MctsNode { total, mean, bonus, visits, first, weight, count, flags, .. } = self;
        MctsNode { total, mean, bonus, visits, first, weight, count, flags, mv: () }
    }

    /// The player who decides, or `None` for chance; only for expanded nodes.
    #[inline]
    pub(super) fn player(&self) -> Option<Player> {
        match self.flags & ACTS {
            FIRST => Some(Player::First),
            SECOND => Some(Player::Second),
            _ => None,
        }
    }

    /// Whether its value is known exactly.
    #[inline]
    pub(super) fn is_proven(&self) -> bool {
        self.flags & PROVEN != 0
    }

    /// The mean of its simulations, exact if proven; 0 without simulations.
    #[inline]
    pub(super) fn value(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / f64::from(self.visits) }
    }

    /// Sets the exact value of a visited node.
    pub(super) fn prove(&mut self, value: f64) {
        self.flags |= PROVEN;
        self.total = value * f64::from(self.visits);
        self.mean = value as f32;
    }

    /// Excludes the node from the selection of this player.
    pub(super) fn shun(&mut self, player: Player) {
        self.mean = f32::INFINITY * -(player.sign() as f32);
    }

    /// The indices of its children.
    #[inline]
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// All nodes; the root is the first.
#[derive(Debug, Clone)]
pub(super) struct MctsTree<M> {
    /// The nodes in use; never more than reserved.
    pub nodes: Vec<MctsNode<M>>,
    /// For each node, the simulations in which its move was played later; empty without RAVE.
    pub amaf: Vec<AllMovesAsFirst>,
    most: usize,
    with_amaf: bool,
    /// `sqrt(ln n)` for each number of visits that a node had, below [`MOST_ROOT_LOGS`].
    root_logs: Vec<f32>,
    /// The [`bonus`] for each number of visits below [`BONUSES`].
    bonuses: Vec<f32>,
}

/// 4 MB, of which only the parts near the visits of the uppermost nodes are in use at a time.
const MOST_ROOT_LOGS: usize = 1 << 20;

/// 16 KB, which fit the first-level cache.
const BONUSES: u32 = 1 << 12;

/// The factor of the exploration term: `1 / sqrt(n)` for `n` visits, infinite for none.
fn bonus(visits: u32) -> f32 {
    1.0 / (visits as f32).sqrt()
}

/// `sqrt(ln N)`, the part of the exploration term that all children of a node share.
fn root_log(visits: u32) -> f32 {
    libm::logf(visits as f32).sqrt()
}

impl<M: Copy> MctsTree<M> {
    /// The number of nodes that fit this many megabytes (2^20 bytes).
    fn most(megabytes: usize) -> Option<usize> {
        let bytes = megabytes.checked_mul(1 << 20)?;
        Some((bytes / size_of::<MctsNode<M>>()).min(u32::MAX as usize))
    }

    /// Whether the system can allocate this much memory.
    pub(super) fn fits(megabytes: usize) -> bool {
        let room = |most| Vec::<MctsNode<M>>::new().try_reserve_exact(most).is_ok();
        Self::most(megabytes).is_some_and(room)
    }

    /// An arena of this many megabytes that is not yet allocated.
    pub(super) fn new(megabytes: usize, with_amaf: bool) -> Self {
        let each = size_of::<MctsNode<M>>();
        let all = if with_amaf { each + size_of::<AllMovesAsFirst>() } else { each };
        let most =
            (Self::most(megabytes).unwrap_or(0) as u128 * each as u128 / all as u128) as usize;
        let bonuses = (0..BONUSES).map(bonus).collect();
        let (nodes, amaf, root_logs) = Default::default();
        MctsTree { nodes, amaf, most, with_amaf, root_logs, bonuses }
    }

    /// Allocates the memory and touches every page at once, so that no timed move pays for it. Does
    /// nothing if already allocated.
    ///
    /// # Panics
    /// If the allocation fails.
    pub(super) fn reserve(&mut self) {
        if self.nodes.capacity() < self.most {
            self.nodes.clear();
            if self.nodes.try_reserve_exact(self.most).is_err() {
                no_memory(self.most * size_of::<MctsNode<M>>());
            }
            unix::advise_huge_pages(self.nodes.spare_capacity_mut());
            // Hidden from the compiler, which would otherwise request zeroed pages from the system.
            let room = std::hint::black_box(self.nodes.spare_capacity_mut());
            room.fill_with(MaybeUninit::zeroed);
        }
        self.root_logs.reserve_exact(MOST_ROOT_LOGS - self.root_logs.len());
        if self.with_amaf {
            AllMovesAsFirst::reserve(&mut self.amaf, self.most);
        }
    }

    /// Starts a tree with only a root.
    pub(super) fn plant(&mut self, mv: M) {
        self.nodes.clear();
        self.nodes.push(MctsNode::new(mv, 1));
        self.amaf.clear();
        self.amaf.resize(usize::from(self.with_amaf), AllMovesAsFirst::default());
    }

    /// Begins the expansion of a node, if there is room for this number of children; the caller
    /// adds them.
    #[inline]
    pub(super) fn expand(&mut self, node: usize, player: Option<Player>, count: usize) -> bool {
        let first = self.nodes.len();
        if first + count > self.most || count > usize::from(u16::MAX) {
            return false;
        }
        let node = &mut self.nodes[node];
        (node.first, node.count) = (first as u32, count as u16);
        node.flags |= match player {
            None => CHANCE,
            Some(Player::First) => FIRST,
            Some(Player::Second) => SECOND,
        };
        true
    }

    /// Adds a child of the node whose expansion began last.
    #[inline]
    pub(super) fn add(&mut self, mv: M, weight: u32) {
        self.nodes.push(MctsNode::new(mv, weight));
    }

    /// Counts a simulation through a node.
    #[inline]
    pub(super) fn visit(&mut self, at: usize, value: f64) {
        let node = &mut self.nodes[at];
        node.visits += 1;
        node.total += value;
        node.mean = (node.total / f64::from(node.visits)) as f32;
        let known = self.bonuses.get(node.visits as usize).copied();
        node.bonus = known.unwrap_or_else(|| bonus(node.visits));
    }

    /// Computes the logarithms for the visits of the root. No node has more.
    #[inline]
    pub(super) fn add_root_logs(&mut self) {
        let needed = (self.nodes[0].visits as usize + 1).min(MOST_ROOT_LOGS);
        while self.root_logs.len() < needed {
            self.root_logs.push(root_log(self.root_logs.len() as u32));
        }
    }

    /// `sqrt(ln N)` of a node with `N` visits.
    #[inline]
    pub(super) fn root_log(&self, at: usize) -> f32 {
        let visits = self.nodes[at].visits;
        self.root_logs.get(visits as usize).copied().unwrap_or_else(|| root_log(visits))
    }

    /// The child with the largest upper confidence bound, for the scale of means, the exploration
    /// term of one visit and the equivalence parameter of RAVE. With `open`, only children of
    /// unknown value, of which there must be at least one.
    #[inline]
    pub(super) fn select(
        &self,
        at: usize,
        scale: f32,
        spread: f32,
        rave: f32,
        open: bool,
    ) -> usize {
        let children = self.nodes[at].children();
        let mut best = children.start;
        let mut most = f32::NEG_INFINITY;
        let mut index = children.start;
        for child in &self.nodes[children] {
            index += 1;
            if open && child.is_proven() {
                continue;
            }
            let (mut mean, mut explored) = (child.mean, spread * child.bonus);
            if child.visits == 0 {
                if rave == 0.0 {
                    // Its bound is infinite, and the first of the largest is the answer.
                    return index - 1;
                }
                // Zero times infinity would be NaN.
                explored = f32::INFINITY;
            }
            if rave > 0.0
                && !child.is_proven()
                && let Some(blended) = self.amaf[index - 1].blend(rave, mean, child.visits)
            {
                mean = blended;
                explored = spread / (child.visits as f32 + 1.0).sqrt();
            }
            let bound = scale * mean + explored;
            if bound > most {
                (best, most) = (index - 1, bound);
            }
        }
        best
    }

    /// Propagates the exact value of a finished game up the path (Winands, Björnsson and Saito
    /// 2008, "Monte-Carlo tree search solver").
    ///
    /// A player's node is proven by one child with the best possible value, or if all its children
    /// are proven. A chance node is proven if all its children are.
    pub(super) fn prove(&mut self, path: &[u32], mut value: f64, range: &Range) {
        let mut below: Option<usize> = None;
        for place in (0..path.len()).rev() {
            let at = path[place] as usize;
            let player = self.nodes[at].player();
            if let Some(below) = below
                && player.is_none_or(|player| !range.is_best(value, player))
            {
                match (self.proven_by_children(at, player), player) {
                    (Some(proven), _) => value = proven,
                    (None, Some(player)) => {
                        if range.is_best(value, player.other()) {
                            self.nodes[below].shun(player);
                        }
                        return;
                    }
                    (None, None) => return,
                }
            }
            self.nodes[at].prove(value);
            below = Some(at);
        }
    }

    /// The exact value of a node, if all its children are proven.
    fn proven_by_children(&self, at: usize, player: Option<Player>) -> Option<f64> {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        // As `Iterator::sum`, which begins with a negative zero.
        let (mut sum, mut weights) = (-0.0, -0.0);
        for child in &self.nodes[self.nodes[at].children()] {
            if !child.is_proven() {
                return None;
            }
            let (value, weight) = (child.value(), f64::from(child.weight));
            (least, most) = (least.min(value), most.max(value));
            (sum, weights) = (sum + weight * value, weights + weight);
        }
        Some(match player {
            Some(Player::First) => most,
            Some(Player::Second) => least,
            None => sum / weights,
        })
    }

    /// The answer from the root's children.
    pub(super) fn answer(
        &self,
        player: Player,
        mut stats: SearchStats,
        range: Range,
    ) -> SearchResult<M, f64> {
        let node = |index: usize| self.nodes[index].without_move();
        let indices = best_children(&node, player, &range);
        let mut best = Vec::new();
        for &index in &indices {
            best.push(self.nodes[index].mv);
        }
        let first = indices.first().copied().unwrap_or_default();
        stats.depth = line(&node, first);
        SearchResult { value: self.nodes[first].value() + 0.0, best, stats }
    }

    /// Copies the subtree of a node in another arena; that node becomes the root.
    pub(super) fn take(&mut self, other: &MctsTree<M>, root: usize) {
        self.nodes.clear();
        self.nodes.push(other.nodes[root]);
        self.amaf.clear();
        self.amaf.resize(usize::from(self.with_amaf), AllMovesAsFirst::default());
        let mut next = 0;
        // Nodes keep indices into the other arena until they are processed.
        while next < self.nodes.len() {
            if self.nodes[next].count > 0 {
                let children = self.nodes[next].children();
                self.nodes[next].first = self.nodes.len() as u32;
                for child in children {
                    self.nodes.push(other.nodes[child]);
                    if self.with_amaf {
                        self.amaf.push(other.amaf[child]);
                    }
                }
            }
            next += 1;
        }
    }
}

/// The nodes of a tree by index, so that the code for answers is compiled once.
type Nodes<'a> = &'a dyn Fn(usize) -> MctsNode<()>;

/// The best children of the root, in the game's order.
fn best_children(node: Nodes<'_>, player: Player, range: &Range) -> Vec<usize> {
    let sign = f64::from(player.sign());
    let root = node(0);
    let is_proven = root.is_proven();
    let mut best = Vec::new();
    let mut most = (f64::NEG_INFINITY, 0, f64::NEG_INFINITY);
    for index in root.children() {
        let child = node(index);
        let value = child.value();
        // If the root is proven, its proven children are compared by value. Otherwise visits
        // decide, and lost moves come last.
        let class = match child.is_proven() {
            true if is_proven => sign * value,
            true if range.is_best(value, player.other()) => -1.0,
            _ if is_proven => f64::NEG_INFINITY,
            _ => 0.0,
        };
        let rank = (class, child.visits, sign * value);
        if best.is_empty() || rank > most {
            best.clear();
            most = rank;
        }
        if rank == most {
            best.push(index);
        }
    }
    best
}

/// The length in plies of the most visited line that begins with this child of the root.
fn line(node: Nodes<'_>, child: usize) -> u32 {
    let (mut at, mut plies) = (node(child), 1);
    while at.visits > 0 && at.count > 0 {
        let children = at.children();
        let mut next = node(children.start);
        for child in children {
            let child = node(child);
            if child.visits >= next.visits {
                next = child;
            }
        }
        plies += u32::from(at.player().is_some() && next.visits > 0);
        at = next;
    }
    plies
}

/// # Panics
/// Always: there is no memory of this size.
fn no_memory(bytes: usize) -> ! {
    panic!("there is no memory for a tree of {} MB", bytes.div_ceil(1 << 20));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_small() {
        assert_eq!(size_of::<MctsNode<u8>>(), 32);
    }

    #[test]
    fn a_subtree_is_taken_over_as_it_is() {
        let mut old: MctsTree<u16> = MctsTree::new(1, false);
        old.reserve();
        old.plant(0);
        let mut expand = |node, player, children: &[(u16, u32)]| {
            assert!(old.expand(node, player, children.len()));
            children.iter().for_each(|&(mv, weight)| old.add(mv, weight));
        };
        expand(0, Some(Player::First), &[(10, 1), (11, 1)]);
        expand(2, None, &[(20, 3), (21, 4), (22, 5)]);
        expand(4, Some(Player::Second), &[(30, 1)]);
        old.visit(5, 0.5);
        let mut new = MctsTree::new(1, false);
        new.reserve();
        new.take(&old, 2);
        let moves: Vec<u16> = new.nodes.iter().map(|node| node.mv).collect();
        assert_eq!(moves, [11, 20, 21, 22, 30]);
        assert_eq!(new.nodes[0].children(), 1..4);
        assert_eq!(new.nodes[2].children(), 4..5);
        assert_eq!((new.nodes[2].weight, new.nodes[2].player()), (4, Some(Player::Second)));
        assert_eq!((new.nodes[0].player(), new.nodes[3].value()), (None, 0.5));
    }

    #[test]
    fn a_full_arena_does_not_grow() {
        let mut arena: MctsTree<u8> = MctsTree::new(1, false);
        arena.reserve();
        arena.plant(0);
        let room = arena.nodes.capacity();
        for node in 0.. {
            if !arena.expand(node, None, 100) {
                break;
            }
            (0..100).for_each(|_| arena.add(1, 1));
        }
        assert!(arena.nodes.len() > room - 100 && arena.nodes.capacity() == room);
    }
}
