//! The log-strengths of all sides as linear functions of the parameters.
//!
//! The first parameters are the ratings of the players of all components. The effects of the seats
//! and the log-weights of ties are after them, if they are fitted.

use std::sync::Arc;

use super::ranked_samples::{RankedSamples, StoredSide, StoredSides};

/// A row, restricted to the players of one component. Players who always rank above or below the
/// component change nothing in it.
#[derive(Default)]
pub(super) struct Row {
    pub count: f64,
    pub group: Option<usize>,
    /// The number of sides of each rank, best first.
    pub tied: Vec<usize>,
    /// The seat of each side, best first.
    pub seats: Vec<usize>,
    /// The parameters with their weights of each side, best first, and of each weight of ties.
    slopes: Vec<(usize, f64)>,
    /// The end in `slopes` of each variable.
    ends: Vec<usize>,
}

impl Row {
    /// The parameters of a variable of the row, with their weights.
    pub fn slopes(&self, variable: usize) -> &[(usize, f64)] {
        let begin = variable.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.slopes[begin..self.ends[variable]]
    }

    /// Whether a parameter is in the row.
    pub fn contains(&self, parameter: usize) -> bool {
        self.slopes.iter().any(|(other, _)| *other == parameter)
    }

    /// The log-strength of a side.
    pub fn strength(&self, side: usize, at: &[f64]) -> f64 {
        self.slopes(side).iter().map(|&(i, weight)| weight * at[i]).sum()
    }

    fn clear(&mut self) {
        self.tied.clear();
        self.seats.clear();
        self.slopes.clear();
        self.ends.clear();
    }
}

/// All rows in little memory, because there may be millions.
#[derive(Default)]
struct PackedRows {
    rows: Vec<PackedRow>,
    /// For each side, best first: its seat, its number of members, and the parameters of the members. The
    /// first side of each rank has [`NEW_RANK`] added to its seat.
    words: Vec<u32>,
    has_ties: bool,
}

struct PackedRow {
    count: f64,
    group: Option<usize>,
    /// The end in `words`.
    end: usize,
}

const NEW_RANK: u32 = 1 << 31;

/// The model of ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieModel {
    /// A tie is the mean over all orders of the tied sides: half a win with two seats.
    #[default]
    AverageOfOrders,
    /// A tie is a result of its own, with a weight for each number of tied sides.
    DavidsonLuce,
}

/// The strength of a team.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TeamModel {
    /// The mean of the ratings of its members.
    #[default]
    Mean,
    /// The sum of the ratings of its members.
    Sum,
}

/// What the rows of a design have in common.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub ties: TieModel,
    pub teams: TeamModel,
    /// The sizes of ties with a weight of their own.
    pub tie_sizes: Vec<usize>,
    /// The number of seats with an effect; 0 if they are not fitted.
    pub seats: usize,
}

/// All rows, and the meaning of the parameters.
pub(super) struct Design {
    rows: Arc<PackedRows>,
    /// The number of parameters.
    pub size: usize,
    pub ties: TieModel,
    pub tie_sizes: Vec<usize>,
    pub seats: usize,
    teams: TeamModel,
    /// The parameter of each player.
    place_of: Vec<Option<usize>>,
    players: usize,
    /// Sets of parameters to which any number can be added without a change of the likelihood.
    pub free_sums: Vec<Vec<usize>>,
}

impl Design {
    /// The rows that `of_interest` selects, restricted to each component.
    pub fn new(
        samples: &RankedSamples,
        components: &[Vec<usize>],
        terms: &Terms,
        of_interest: impl Fn(StoredSides<'_>) -> bool,
    ) -> Self {
        let mut component_of = vec![None; samples.players()];
        let mut place_of = vec![None; samples.players()];
        let mut free_sums: Vec<Vec<usize>> = Vec::new();
        let mut players = 0;
        for (component, members) in components.iter().enumerate() {
            free_sums.push((players..players + members.len()).collect());
            for &player in members {
                (component_of[player], place_of[player]) = (Some(component), Some(players));
                players += 1;
            }
        }
        let mut rows = PackedRows::default();
        let mut has_level = vec![false; components.len()];
        for (group, sides, count) in samples.different_rows().filter(|row| of_interest(row.1)) {
            let mut parts: Vec<(usize, Vec<(usize, StoredSide<'_>)>)> = Vec::new();
            for (seat, side) in sides.enumerate() {
                let component = component_of[side.members[0] as usize];
                let is_inside = side.players().all(|player| component_of[player] == component);
                let Some(component) = component.filter(|_| is_inside) else { continue };
                match parts.iter_mut().find(|(other, _)| *other == component) {
                    Some((_, part)) => part.push((seat, side)),
                    None => parts.push((component, vec![(seat, side)])),
                }
            }
            for (component, part) in parts.into_iter().filter(|(_, part)| part.len() > 1) {
                let sizes = |side: &StoredSide<'_>| side.members.len();
                has_level[component] |= terms.teams == TeamModel::Sum
                    && part.iter().any(|(_, side)| sizes(side) != sizes(&part[0].1));
                rows.push(part, &place_of, group, count);
            }
        }
        let mut component = 0..components.len();
        free_sums.retain(|_| !component.next().is_some_and(|c| has_level[c]));
        rows.rows.shrink_to_fit();
        rows.words.shrink_to_fit();
        let Terms { ties, teams, tie_sizes, seats } = terms.clone();
        let (rows, size) = (Arc::new(rows), players + tie_sizes.len());
        let design =
            Self { rows, size, ties, tie_sizes, seats: 0, teams, place_of, players, free_sums };
        design.with_seats(seats)
    }

    /// The same design with this number of effects of seats.
    pub fn with_seats(&self, seats: usize) -> Self {
        let mut free_sums = self.free_sums.clone();
        free_sums.retain(|free| free.iter().all(|&parameter| parameter < self.players));
        free_sums.extend((seats > 0).then(|| (self.players..self.players + seats).collect()));
        Self {
            rows: Arc::clone(&self.rows),
            size: self.players + seats + self.tie_sizes.len(),
            tie_sizes: self.tie_sizes.clone(),
            seats,
            place_of: self.place_of.clone(),
            free_sums,
            ..*self
        }
    }

    /// The number of different rows.
    pub fn rows(&self) -> usize {
        self.rows.rows.len()
    }

    /// Whether sides of a row are tied.
    pub fn has_ties(&self) -> bool {
        self.rows.has_ties
    }

    /// Visits every row.
    pub fn visit(&self, mut visit: impl FnMut(&Row)) {
        let mut row = Row::default();
        let mut begin = 0;
        for packed in &self.rows.rows {
            row.clear();
            (row.count, row.group) = (packed.count, packed.group);
            let mut words = &self.rows.words[begin..packed.end];
            begin = packed.end;
            while let [seat, members, others @ ..] = words {
                let (places, others) = others.split_at(*members as usize);
                words = others;
                match (seat & NEW_RANK > 0, row.tied.last_mut()) {
                    (false, Some(tied)) => *tied += 1,
                    _ => row.tied.push(1),
                }
                self.add_side((seat & !NEW_RANK) as usize, places, &mut row);
            }
            for tie in 0..self.tie_sizes.len() {
                row.slopes.push((self.tie(tie), 1.0));
                row.ends.push(row.slopes.len());
            }
            visit(&row);
        }
    }

    fn add_side(&self, seat: usize, places: &[u32], row: &mut Row) {
        let weight = match self.teams {
            TeamModel::Mean => 1.0 / places.len() as f64,
            TeamModel::Sum => 1.0,
        };
        row.seats.push(seat);
        row.slopes.extend(places.iter().map(|&place| (place as usize, weight)));
        row.slopes.extend((self.seats > 0).then(|| (self.seat(seat), 1.0)));
        row.ends.push(row.slopes.len());
    }

    /// The parameter of a player; `None` for a player outside the components.
    pub fn place(&self, player: usize) -> Option<usize> {
        self.place_of[player]
    }

    /// The parameter of a seat.
    pub fn seat(&self, seat: usize) -> usize {
        self.players + seat
    }

    /// The parameter of a weight of ties.
    pub fn tie(&self, tie: usize) -> usize {
        self.players + self.seats + tie
    }

    /// The number of parameters that are ratings.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The parameters of another design for this one: 0 for what the other has not.
    pub fn translate(&self, other: &Self, at: &[f64]) -> Vec<f64> {
        let mut here = vec![0.0; self.size];
        for (to, from) in self.place_of.iter().zip(&other.place_of) {
            if let (Some(to), Some(from)) = (to, from) {
                here[*to] = at[*from];
            }
        }
        (0..self.seats.min(other.seats)).for_each(|s| here[self.seat(s)] = at[other.seat(s)]);
        (0..self.tie_sizes.len()).for_each(|tie| here[self.tie(tie)] = at[other.tie(tie)]);
        here
    }
}

impl PackedRows {
    fn push(
        &mut self,
        mut sides: Vec<(usize, StoredSide<'_>)>,
        place_of: &[Option<usize>],
        group: Option<usize>,
        count: u64,
    ) {
        sides.sort_by_key(|(seat, side)| (side.rank, *seat));
        let mut before = None;
        for (seat, side) in sides {
            let mark = if before == Some(side.rank) { 0 } else { NEW_RANK };
            self.has_ties |= before == Some(side.rank);
            before = Some(side.rank);
            let places = side.players().filter_map(|player| place_of[player]);
            self.words.extend([seat as u32 | mark, side.members.len() as u32]);
            self.words.extend(places.map(|place| place as u32));
        }
        self.rows.push(PackedRow { count: count as f64, group, end: self.words.len() });
    }
}
