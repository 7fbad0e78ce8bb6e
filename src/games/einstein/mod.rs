//! EinStein würfelt nicht: numbered stones race to the opposite corner, a die says which.
//!
//! Each side's stones fill a triangle in its corner, in an arrangement that chance picks
//! or the config fixes. The die names a stone; where it is gone, the next higher or the
//! next lower that remains may move. A stone moves one step towards the opposite corner,
//! along its row, its column or the diagonal, and captures whatever stands there, own
//! stones too. A stone in the opposite corner, or no enemy stones left, wins. (Rules by
//! I. Althöfer, 2004.)

mod arrangement;
mod die;
mod evaluators;
mod picture;
mod position;
mod rules;
mod stones;
mod text;

pub use evaluators::Race;
pub use rules::{Einstein, EinsteinParams, Move, State};
pub use stones::Stones;
