//! What a run would cost and could show, before it is played.

pub(crate) mod plan_estimates;
pub(crate) mod plan_in_rounds;
pub(crate) mod plan_of_tune;
