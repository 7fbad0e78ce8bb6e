//! Functions, roots and fits that the statistics need.

pub mod confidence_level;
pub(crate) mod logistic_fit;
pub(crate) mod mle_given_mean;
pub(crate) mod mle_given_normalized_elo;
pub(crate) mod root_finder;
pub(crate) mod special_functions;
pub(crate) mod students_t;
pub(crate) mod symmetric_matrix;
