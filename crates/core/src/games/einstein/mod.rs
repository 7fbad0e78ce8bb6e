//! EinStein würfelt nicht: numbered stones race to the opposite corner; a die selects the stone.
//!
//! Each side's stones fill a triangle in its corner, in a random arrangement or one fixed by the
//! config. The die selects a stone. If that stone is gone, the next higher or the next lower stone
//! may move. A stone moves one step towards the opposite corner, along its row, its column or the
//! diagonal. It captures any stone on the target cell, even its own. A side wins when its stone
//! reaches the opposite corner or when the opponent has no stones left. (Rules by I. Althöfer,
//! 2004.)

mod evaluators;
mod movable_stones_by_die;
mod position_text;
mod rules;
mod starting_arrangement;
mod state;
mod stones_of_one_side;
mod text;

pub use evaluators::Race;
pub use rules::EinsteinParams;
pub use state::{Einstein, EinsteinMove, EinsteinState};
pub use stones_of_one_side::Stones;
