//! `[limits]`: the maximum length of games, and the maximum cost of a run.

use crate::agents::reports_costs;
use crate::config::build_context::{BuildContext, Section};
use crate::config::sections::agents_section::AgentEntry;
use crate::config::tree::diagnostics::Problems;

crate::params! {
    /// When games are cut short, and when a run is.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct GameLimits {
        /// plies after which a game is adjudicated a draw, counted separately
        max_plies: u32 [1..=1_000_000] = 400,
        /// cost of all games; the run ends before the game that would exceed it, if that game
        /// costs the mean of the games so far; for agents with `costs = true`
        max_cost: Option<f64> [1e-9..=1e9] = None,
    }
}

impl Section for GameLimits {
    const KEY: &'static str = "limits";
    const SUMMARY: &'static str = "Limits of games and of their cost";
}

impl GameLimits {
    /// Checks that a limit of the cost has agents that report costs.
    pub(crate) fn checked(
        self,
        agents: &[AgentEntry],
        context: &BuildContext<'_>,
        problems: &mut Problems,
    ) -> Self {
        if self.max_cost.is_some() {
            check_costs("limits", "max_cost", agents, context, problems);
        }
        self
    }
}

/// Checks that a key that is about costs has agents that report costs.
pub(crate) fn check_costs(
    section: &str,
    key: &str,
    agents: &[AgentEntry],
    context: &BuildContext<'_>,
    problems: &mut Problems,
) {
    let reports = |agent: &AgentEntry| agent.spec.as_ref().is_none_or(reports_costs);
    if !agents.iter().any(reports) {
        let place = context.place(section, key);
        let help = "add `costs = true` to an engine whose program says `info string cost`";
        problems.wrong(place, format!("{section}.{key}"), "no agent reports costs", help);
    }
}
