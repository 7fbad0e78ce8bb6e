//! `[sprt]`: a sequential test of the config's two agents, its hypotheses and its maximum length.

use std::ops::RangeInclusive;

use crate::config::build_context::{BuildContext, Section};
use crate::config::sections::schedule_formats::ScheduleFormat;
use crate::config::sections::schedule_section::{MAX_GAMES, ScheduleConfig};
use crate::config::sections::seats_and_pairings::FixedSeat;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::source_of_each_value::Span;
use crate::params::{Params, Values};
use crate::stats::sprt::{Design, EloModel, SettingsError, SprtSettings, Unit};

const MOST_ELO: RangeInclusive<f64> = -SettingsError::MOST_ELO..=SettingsError::MOST_ELO;

/// The default maximum number of games of a test. It is enough for hypotheses a few Elo apart in
/// nearly every case.
pub(crate) const CAP: u64 = 40_000;

crate::params! {
    /// A sequential test as the config states it.
    pub(crate) struct SprtParams {
        /// H0: Elo difference of the first agent to the second
        elo0: f64 [MOST_ELO] = SprtSettings::default().elo0,
        /// H1: Elo difference above elo0
        elo1: f64 [MOST_ELO] = SprtSettings::default().elo1,
        /// probability of accepting H1 if H0 is true
        alpha: f64 [0.0..=1.0] = SprtSettings::default().alpha,
        /// probability of accepting H0 if H1 is true
        beta: f64 [0.0..=1.0] = SprtSettings::default().beta,
        /// Elo scale of elo0 and elo1
        model: EloModel = SprtSettings::default().model,
        /// unit of a sample: an opening from both sides, or a single game
        unit: Unit = SprtSettings::default().unit,
        /// corrects the bounds for overshoot: shorter tests, but errors up to twice
        /// alpha and beta
        overshoot: bool = SprtSettings::default().overshoot,
        /// maximum number of games; the smaller of this and schedule.games applies;
        /// default: 40000
        max_games: Option<u64> [2..=MAX_GAMES] = None,
    }
}

impl Section for SprtParams {
    const KEY: &'static str = "sprt";
    const SUMMARY: &'static str =
        "Sequential test: games are played until it is decided; only if this section exists";
}

/// Checks the section and copies its maximum number of games to the schedule. `adjusted`: scores
/// without luck decide. `None` if there is no such section, or if it is wrong, which is then reported.
pub(crate) fn build(
    seats: &[FixedSeat],
    adjusted: bool,
    schedule: &mut ScheduleConfig,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<Design> {
    let tree = context.tree;
    let section = tree.get("sprt")?.node.span;
    let params: SprtParams = context.read()?;
    let at = |section: &str, key: &str| -> Option<Span> { tree.table(section)?.locate(key) };
    check_meeting(seats, schedule, section, &at, problems);
    cap(params.max_games, schedule, &at, problems);
    check(params.settings(adjusted), section, &at, problems)
}

pub(crate) fn by_default() -> Option<Design> {
    SprtSettings::default().check().ok()
}

/// Checks the settings. The check reports one mistake at a time. Each reported value is replaced by
/// a correct one, so that the check reports the next mistake. `None` after any mistake.
fn check(
    mut settings: SprtSettings,
    section: Span,
    at: &Locate<'_>,
    problems: &mut Problems,
) -> Option<Design> {
    let mut wrong: Vec<&str> = Vec::new();
    loop {
        let error = match settings.check() {
            Ok(design) => return wrong.is_empty().then_some(design),
            Err(error) => error,
        };
        let keys = keys(&error);
        // An error that follows from a reported mistake is not reported again.
        let follows =
            keys.iter().any(|key| wrong.contains(key) || problems.is_reported(at("sprt", key)));
        if !follows {
            problems.report(explain(&error, section, at));
        }
        if keys.iter().all(|key| wrong.contains(key)) {
            return None;
        }
        let default = SprtSettings::default();
        for key in keys {
            match *key {
                "elo0" => settings.elo0 = default.elo0,
                "elo1" => settings.elo1 = default.elo1,
                "alpha" => settings.alpha = default.alpha,
                "beta" => settings.beta = default.beta,
                "model" => settings.model = default.model,
                "unit" => settings.unit = default.unit,
                "overshoot" => settings.overshoot = default.overshoot,
                _ => settings.max_games = None,
            }
        }
        wrong.extend(keys);
    }
}

/// The keys that an error is about, the most likely first.
fn keys(error: &SettingsError) -> &'static [&'static str] {
    match error {
        SettingsError::Order { .. } | SettingsError::TooClose { .. } => &["elo1", "elo0"],
        SettingsError::Range { name: "elo0", .. } => &["elo0"],
        SettingsError::Range { .. } => &["elo1"],
        SettingsError::Rate { name: "alpha", .. } => &["alpha"],
        SettingsError::Rate { .. } => &["beta"],
        SettingsError::Rates { .. } => &["alpha", "beta"],
        SettingsError::RawOnly { name: "model" } => &["model"],
        SettingsError::RawOnly { name: "unit" } => &["unit"],
        SettingsError::RawOnly { .. } => &["overshoot"],
        SettingsError::Cap { .. } => &["max_games"],
    }
}

type Locate<'a> = dyn Fn(&str, &str) -> Option<Span> + 'a;

/// A sequential test compares two agents by their games against each other.
fn check_meeting(
    seats: &[FixedSeat],
    schedule: &ScheduleConfig,
    section: Span,
    at: &Locate<'_>,
    problems: &mut Problems,
) {
    let message = "a sequential test needs exactly one pairing of two different agents";
    let agents = seats.len();
    let wrong = match agents {
        _ if schedule.format == ScheduleFormat::SELF_PLAY => Some((
            at("schedule", "format"),
            "here every agent plays itself".to_owned(),
            "use `format = \"match\"`, or leave `[sprt]` out",
        )),
        _ if agents != 2 => Some((
            None,
            if agents == 1 { "there is one".to_owned() } else { format!("there are {agents}") },
            "leave two agents in the config, or leave `[sprt]` out",
        )),
        _ if schedule.include_self => Some((
            at("schedule", "include_self"),
            "here every agent also plays itself".to_owned(),
            "leave `include_self` out, or leave `[sprt]` out",
        )),
        _ if seats.iter().any(|&seat| seat != FixedSeat::Both) => Some((
            None,
            "here agents have fixed seats, so games do not come in pairs".to_owned(),
            "leave `seat` out of the agents, or leave `[sprt]` out",
        )),
        _ => None,
    };
    if let Some((place, label, help)) = wrong {
        let place = place.unwrap_or(section);
        problems.missing(Diagnostic::at(place, "sprt", message).label(label).help(help));
    }
}

/// Sets the maximum of the schedule to the smaller of the two maxima.
fn cap(most: Option<u64>, schedule: &mut ScheduleConfig, at: &Locate<'_>, problems: &mut Problems) {
    let planned = at("schedule", "games").map(|_| schedule.games);
    if let (Some(most), Some(place)) = (most, at("sprt", "max_games"))
        && !most.is_multiple_of(2)
    {
        let message = "`sprt.max_games` must be even";
        problems.report(
            Diagnostic::at(place, "sprt.max_games", message)
                .label("each opening is played from both sides")
                .help(format!("use {} or {}", most - 1, most + 1)),
        );
        return;
    }
    schedule.games = match (planned, most) {
        (Some(planned), Some(most)) => planned.min(most),
        (planned, most) => planned.or(most).unwrap_or(CAP),
    };
}

impl SprtParams {
    fn settings(self, adjusted: bool) -> SprtSettings {
        let SprtParams { elo0, elo1, alpha, beta, model, unit, overshoot, .. } = self;
        SprtSettings { elo0, elo1, alpha, beta, model, unit, overshoot, adjusted, max_games: None }
    }
}

/// The mistake of the settings, at the first key of the file that it is about.
fn explain(error: &SettingsError, section: Span, at: &Locate<'_>) -> Diagnostic {
    let keys = keys(error);
    let found = keys.iter().find_map(|key| Some((*key, at("sprt", key)?)));
    let (key, place) = found.unwrap_or((keys[0], section));
    let text = error.to_string();
    let (message, help) = text.split_once(": ").unwrap_or((&text, ""));
    Diagnostic::at(place, format!("sprt.{key}"), message).help(help)
}

/// The section with its values. The maximum number of games is in the schedule, except for a tune.
pub(crate) fn to_values(design: &Design, max_games: Option<u64>) -> Values {
    let SprtSettings { elo0, elo1, alpha, beta, model, unit, overshoot, .. } = *design.settings();
    SprtParams { elo0, elo1, alpha, beta, model, unit, overshoot, max_games }.values()
}
