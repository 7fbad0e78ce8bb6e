//! The log-strengths of all sides as linear functions of the parameters.
//!
//! The first parameters are the ratings of the players of all components. The effects of the seats
//! and the log-weights of ties are after them, if they are fitted.

use super::ranked_samples::{RankedSamples, RankedSide};

/// A row, restricted to the players of one component. Players who always rank above or below the
/// component change nothing in it.
pub(super) struct Row {
    pub count: f64,
    pub group: Option<usize>,
    /// The number of sides of each rank, best first.
    pub tied: Vec<usize>,
    /// The seat of each side, best first.
    pub seats: Vec<usize>,
    /// The parameters with their weights of each side, best first, and of each weight of ties.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Row {
    /// The parameters of a variable of the row, with their weights.
    pub fn slopes(&self, variable: usize) -> &[(usize, f64)] {
        &self.slopes[variable]
    }

    /// Whether a parameter is in the row.
    pub fn contains(&self, parameter: usize) -> bool {
        self.slopes.iter().flatten().any(|(other, _)| *other == parameter)
    }

    /// The log-strength of a side.
    pub fn strength(&self, side: usize, at: &[f64]) -> f64 {
        self.slopes[side].iter().map(|&(i, weight)| weight * at[i]).sum()
    }
}

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
    pub rows: Vec<Row>,
    /// The number of parameters.
    pub size: usize,
    pub ties: TieModel,
    pub tie_sizes: Vec<usize>,
    pub seats: usize,
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
        of_interest: impl Fn(&[RankedSide]) -> bool,
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
        let Terms { ties, teams, tie_sizes, seats } = terms.clone();
        if seats > 0 {
            free_sums.push((players..players + seats).collect());
        }
        let size = players + seats + tie_sizes.len();
        let mut design =
            Self { rows: Vec::new(), size, ties, tie_sizes, seats, place_of, players, free_sums };
        let mut has_level = vec![false; components.len()];
        for (group, sides, count) in samples.different_rows().filter(|row| of_interest(row.1)) {
            let mut parts: Vec<(usize, Vec<(usize, &RankedSide)>)> = Vec::new();
            for (seat, side) in sides.iter().enumerate() {
                let component = component_of[side.members[0]];
                let is_inside = side.members.iter().all(|&p| component_of[p] == component);
                let Some(component) = component.filter(|_| is_inside) else { continue };
                match parts.iter_mut().find(|(other, _)| *other == component) {
                    Some((_, part)) => part.push((seat, side)),
                    None => parts.push((component, vec![(seat, side)])),
                }
            }
            for (component, part) in parts.into_iter().filter(|(_, part)| part.len() > 1) {
                let sizes = |side: &RankedSide| side.members.len();
                has_level[component] |= teams == TeamModel::Sum
                    && part.iter().any(|(_, side)| sizes(side) != sizes(part[0].1));
                design.rows.push(design.row(part, teams, group, count));
            }
        }
        let mut component = 0..components.len();
        design.free_sums.retain(|_| !component.next().is_some_and(|c| has_level[c]));
        design
    }

    fn row(
        &self,
        mut sides: Vec<(usize, &RankedSide)>,
        teams: TeamModel,
        group: Option<usize>,
        count: u64,
    ) -> Row {
        sides.sort_by_key(|(seat, side)| (side.rank, *seat));
        let ranks = sides.chunk_by(|(_, a), (_, b)| a.rank == b.rank);
        let mut row = Row {
            count: count as f64,
            group,
            tied: ranks.map(<[_]>::len).collect(),
            seats: sides.iter().map(|(seat, _)| *seat).collect(),
            slopes: Vec::new(),
        };
        for (seat, side) in sides {
            let weight = match teams {
                TeamModel::Mean => 1.0 / side.members.len() as f64,
                TeamModel::Sum => 1.0,
            };
            let places = side.members.iter().filter_map(|&player| self.place_of[player]);
            let mut slopes: Vec<(usize, f64)> = places.map(|place| (place, weight)).collect();
            slopes.extend((self.seats > 0).then(|| (self.seat(seat), 1.0)));
            row.slopes.push(slopes);
        }
        row.slopes.extend((0..self.tie_sizes.len()).map(|tie| vec![(self.tie(tie), 1.0)]));
        row
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
