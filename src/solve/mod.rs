//! Games solved exactly: perfect play as a yardstick.

pub mod connect4;
