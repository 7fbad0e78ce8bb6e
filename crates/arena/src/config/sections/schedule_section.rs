//! `[schedule]`: the pairings and their number of games.

use super::agents_section::AgentEntry;
use super::schedule_formats::{Rounds, ScheduleFormat};
use super::seats_and_pairings::{FixedSeat, Pairing};
use crate::config::build_context::{BuildContext, Section};
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::read_toml_table::join;
use crate::config::tree::source_of_each_value::Span;
use crate::config::tree::toml_tree::{Raw, TomlTable};
use crate::rounds::adaptive_rounds::EarlierRating;
use crate::rounds::tournament::EXTRA_PAIRS;

crate::choice! {
    /// What an engine costs that does not start.
    pub enum StartFailure {
        /// The whole run.
        Stop = "stop",
        /// All games of that engine.
        Forfeit = "forfeit",
    }
}

/// The maximum number of games per pairing. The games of all pairings of all agents still fit
/// 64 bits.
pub(crate) const MAX_GAMES: i64 = 1_000_000_000_000;

crate::params! {
    /// Who meets whom, and how often.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ScheduleConfig {
        /// all pairings, the first agent against all others, each agent against itself, or one
        /// match of two agents; `best`, `ranking`, `swiss`, `knockout`: rounds that depend on results
        format: &'static ScheduleFormat = ScheduleFormat::ROUND_ROBIN,
        /// games per pairing, in whole pairs: each opening is played from both sides; `best` and
        /// `ranking` decide the number themselves
        games: u64 [1..=MAX_GAMES] = 100,
        /// rounds of `swiss`; default: just enough for one agent to win all its matches
        rounds: Option<u64> [1..=1000] = None,
        /// names of agents for `swiss` and `knockout`, the strongest first; default: the order of
        /// the config
        seeds: Option<Vec<String>> = None,
        /// path of a pool of `agon rate`, relative to the config's folder: with `best` and `ranking`,
        /// its results choose the first games, and are no evidence
        pool: Option<String> = None,
        /// written by agon from `pool`, not needed in a config: the rating in Elo and the number of
        /// games of each agent
        ratings: Option<Vec<(f64, f64)>> = None,
        /// whether every agent also plays itself
        include_self: bool = false,
        /// whether agents that always play the same moves may repeat games; repeated
        /// games count once
        allow_duplicates: bool = false,
        /// whether both games of a pair have the same dice, which reduces the effect of
        /// luck; a pair is always one sample
        shared_dice: bool = true,
        /// effect of an engine that does not start before the first game: the run
        /// stops, or the engine forfeits its games
        on_start_failure: StartFailure = StartFailure::Stop,
        /// written by agon when a run is extended, not needed in a config: the number of agents
        /// and the games per pairing of each earlier part of the run
        earlier: Option<Vec<(f64, f64)>> = None,
    }
}

impl Section for ScheduleConfig {
    const KEY: &'static str = "schedule";
    const SUMMARY: &'static str = "The pairings and their number of games";
}

/// A part of an extended run: the first agents play until each of their pairings has this number
/// of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    pub agents: usize,
    /// Games of each pairing, with those of the stages before.
    pub games: u64,
}

impl ScheduleConfig {
    /// Reads the schedule, unless it has a mistake. In self-play, every agent plays itself.
    pub(crate) fn of(context: &BuildContext<'_>) -> Option<Self> {
        let read: Self = context.read()?;
        let include_self = read.include_self || read.format == ScheduleFormat::SELF_PLAY;
        Some(ScheduleConfig { include_self, ..read })
    }

    /// The earlier stages of an extended run, in order. After them, all agents play the number of
    /// games that the config asks for.
    pub fn stages(&self) -> Vec<Stage> {
        let earlier = self.earlier.as_deref().unwrap_or_default();
        (earlier.iter())
            .map(|&(agents, games)| Stage { agents: agents as usize, games: games as u64 })
            .collect()
    }

    /// Sets the earlier stages of an extended run.
    pub(crate) fn set_stages(&mut self, stages: &[Stage]) {
        let earlier = stages.iter().map(|stage| (stage.agents as f64, stage.games as f64));
        self.earlier = Some(earlier.collect()).filter(|_| !stages.is_empty());
    }

    /// What earlier results say about each agent; `None`: nothing.
    pub fn earlier_ratings(&self) -> Option<Vec<EarlierRating>> {
        let of = |&(elo, games): &(f64, f64)| EarlierRating { elo, games };
        self.ratings.as_ref().map(|ratings| ratings.iter().map(of).collect())
    }

    /// Whether each stage has at least the agents and the games of the stage before.
    pub(crate) fn has_valid_stages(&self, agents: usize) -> bool {
        let mut stages: Vec<(f64, f64)> = self.earlier.clone().unwrap_or_default();
        let allowed = stages.is_empty() || matches!(self.format.rounds, Rounds::One);
        stages.push((agents as f64, self.games as f64));
        let is_whole = |number: f64| number >= 1.0 && number.fract() == 0.0;
        allowed
            && stages.iter().all(|&(agents, games)| is_whole(agents) && is_whole(games))
            && stages.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1)
    }

    /// The pairings, in order, for the seats that the agents take: those of earlier stages first.
    pub fn pairings(&self, seats: &[FixedSeat]) -> Vec<Pairing> {
        let mut out = Vec::new();
        for (a, &seat) in seats.iter().enumerate() {
            for (b, &other) in seats.iter().enumerate().skip(a) {
                let meets = (self.format.meets)(a, b) || a == b && self.include_self;
                match Pairing::seated((a, seat), (b, other)) {
                    Some(pairing) if meets => out.push(pairing),
                    _ => {}
                }
            }
        }
        let stages = self.stages();
        let stage = |agent: usize| stages.iter().filter(|stage| stage.agents <= agent).count();
        out.sort_by_key(|pairing| stage(pairing.a.max(pairing.b)));
        out
    }

    /// The number of openings that one pairing needs, the maximum over all pairings. A pair of
    /// games shares one opening. An agent that plays itself, or in one seat only, needs one for
    /// each game.
    pub fn openings_wanted(&self, seats: &[FixedSeat]) -> u64 {
        let single = self.include_self || seats.iter().any(|&seat| seat != FixedSeat::Both);
        let extra = if self.format.is_bracket() { EXTRA_PAIRS } else { 0 };
        if single { self.games } else { self.games / 2 + extra }
    }
}

impl ScheduleConfig {
    /// Checks the pairings and their games for these agents.
    pub(crate) fn check(&self, agents: &[AgentEntry], tree: &TomlTable, problems: &mut Problems) {
        let schedule = self;
        let section = tree.get("schedule").map(|entry| &entry.node);
        let locate = |key: &str| -> Span {
            match section.map(|node| (&node.raw, node.span)) {
                Some((Raw::Table(table), span)) => table.locate(key).unwrap_or(span),
                _ => tree.get("agents").map_or(tree.span, |entry| entry.node.span),
            }
        };
        let count = agents.len();
        if let Some((message, help)) = schedule.format.wrong_count(count, schedule.include_self) {
            let label =
                if count == 1 { "there is one".to_owned() } else { format!("there are {count}") };
            problems.missing(
                Diagnostic::at(locate("format"), "schedule.format", message)
                    .label(label)
                    .help(help),
            );
        }
        let seats: Vec<FixedSeat> = agents.iter().map(|agent| agent.seat).collect();
        let pairings = schedule.pairings(&seats);
        check_seats(schedule, agents, &pairings, problems);
        if !schedule.games.is_multiple_of(2) && pairings.iter().any(|pairing| pairing.has_pairs()) {
            let (less, more) = (schedule.games - 1, schedule.games + 1);
            let help = match less {
                0 => format!("use {more}"),
                _ => format!("use {less} or {more}"),
            };
            problems.report(
                Diagnostic::at(locate("games"), "schedule.games", "`schedule.games` must be even")
                    .label("each opening is played from both sides")
                    .help(help),
            );
        }
        if count > 0 && !schedule.has_valid_stages(count) {
            let message = "`schedule.earlier` does not fit the agents and the games of this config";
            let help = "remove `earlier`: agon writes it itself";
            problems.wrong(locate("earlier"), "schedule.earlier", message, help);
        }
        if schedule.format == ScheduleFormat::SELF_PLAY
            && let Some(Raw::Table(table)) = section.map(|node| &node.raw)
            && let Some(entry) = table.get("include_self")
            && entry.node.raw == Raw::Bool(false)
        {
            let message = "self-play without `include_self` leaves nothing to play";
            let help = "leave `include_self` out, or choose another format";
            problems.wrong(entry.node.span, "schedule.include_self", message, help);
        }
    }
}

fn check_seats(
    schedule: &ScheduleConfig,
    agents: &[AgentEntry],
    pairings: &[Pairing],
    problems: &mut Problems,
) {
    for agent in agents.iter().filter(|agent| agent.seat != FixedSeat::Both) {
        let met = pairings.iter().any(|pairing| {
            [pairing.a, pairing.b].iter().any(|&index| std::ptr::eq(&agents[index], agent))
        });
        let word = agent.seat.word();
        let (message, help) = if schedule.include_self {
            let message = format!("`{}` cannot play itself: it only moves {word}", agent.name);
            (message, "leave `seat` out, or do not let agents play themselves".to_owned())
        } else if !met && agents.len() > 1 {
            let other = if agent.seat == FixedSeat::First { "second" } else { "first" };
            let message = format!("`{}` has no opponent: it only moves {word}", agent.name);
            (message, format!("let an opponent take `seat = \"{other}\"`, or leave `seat` out"))
        } else {
            continue;
        };
        let place = agent.table.locate("seat").unwrap_or(agent.table.span);
        problems.wrong(place, join(&agent.path, "seat"), message, help);
    }
}
