//! The models of ties and of teams.

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
