//! `[limits]`: the maximum length of games.

use crate::config::build_context::Section;

crate::params! {
    /// When games are cut short.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct GameLimits {
        /// plies after which a game is adjudicated a draw, counted separately
        max_plies: u32 [1..=1_000_000] = 400,
    }
}

impl Section for GameLimits {
    const KEY: &'static str = "limits";
    const SUMMARY: &'static str = "Limits of games";
}
