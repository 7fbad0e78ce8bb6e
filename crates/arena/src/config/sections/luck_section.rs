//! `[luck]`: scores without the luck of chance, and the value function that measures it.

use crate::config::build_context::{BuildContext, Section};
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::read_toml_table::join;
use crate::games::Weights;
use crate::params::{ParamError, Params, Spec, Values};
use crate::play::{AnyGame, LuckSettings};

const ADJUSTED_VERDICTS: &str = "adjusted_verdicts";
/// The word for exact values; no evaluator has this name.
const EXACT: &str = "exact";

crate::params! {
    /// A value function as the config states it.
    #[derive(Debug)]
    pub(crate) struct LuckParams {
        /// the value function: `exact` (values of optimal play, as the agent `perfect` has them)
        /// or an evaluator of the game
        value: String = EXACT.to_owned(),
        /// weights of the evaluator's features; unnamed features keep their defaults
        weights: Option<Weights> = None,
        /// needed with an evaluator: its values become expected scores by
        /// 1/(1+exp(-(value+offset)/scale))
        scale: Option<f64> [1e-6..=1e9] = None,
        /// added to the evaluator's value for the first player
        offset: Option<f64> [-1e9..=1e9] = None,
        /// fits scale and offset to the games: those of odd pairs for even pairs, and the reverse
        fit: Option<bool> = None,
        /// plies searched before the evaluator is asked (default: 0); at least 1 for games in which
        /// a roll does not change the evaluator's value
        depth: Option<u32> [0..=4] = None,
        /// `[sprt]` and the formats `best` and `ranking` decide by the scores without luck: fewer
        /// games, but their errors are asymptotic (default: false). If an agent makes large mistakes
        /// in few pairs, more verdicts are wrong: up to 31 % in simulations with an error of 5 %
        adjusted_verdicts: Option<bool> = None,
    }
}

impl Section for LuckParams {
    const KEY: &'static str = "luck";
    const SUMMARY: &'static str = "Scores without the luck of chance; only if this section exists";
}

impl LuckParams {
    /// Whether scores without luck decide when a run ends.
    pub(crate) fn decides(&self) -> bool {
        self.adjusted_verdicts == Some(true)
    }

    /// Checks the value function against the game and its agents. A wrong agent may be one that
    /// reports its probabilities. `None` if there is no such section, or after a mistake.
    pub(crate) fn build(
        self,
        has_verdict: bool,
        agents: &[Spec],
        context: &BuildContext<'_>,
        problems: &mut Problems,
    ) -> Option<LuckSettings> {
        let table = context.tree.table("luck")?;
        if let (true, false, Some(place)) =
            (self.decides(), has_verdict, table.locate(ADJUSTED_VERDICTS))
        {
            let message = format!("`{ADJUSTED_VERDICTS}` needs a verdict during the run");
            let help = match context.tree.get("tune") {
                Some(_) => format!("remove `{ADJUSTED_VERDICTS}`: a tune decides by raw scores"),
                None => format!(
                    "add `[sprt]` or `format = \"best\"` or `\"ranking\"`, or remove \
                     `{ADJUSTED_VERDICTS}`"
                ),
            };
            let key = join("luck", ADJUSTED_VERDICTS);
            problems.wrong(place, key, message, help);
        }
        let report = |ParamError { key, message, help }| {
            let place = key.as_ref().and_then(|key| table.locate(key)).unwrap_or(table.span);
            let key = key.map_or("luck".to_owned(), |key| join("luck", &key));
            problems.wrong(place, key, message, help);
        };
        settings(self, (context.any_game?, agents)).map_err(report).ok()
    }
}

/// The value function that checked values describe.
///
/// # Errors
/// The wrong value, with its key.
pub(crate) fn of_values(
    values: &Values,
    any_game: &AnyGame,
    agents: &[Spec],
) -> Result<LuckSettings, ParamError> {
    let params = LuckParams::read(values).expect("the section was checked");
    if params.adjusted_verdicts.is_some() {
        let message =
            format!("`{ADJUSTED_VERDICTS}` decides when a run ends, and this run has ended");
        let help =
            format!("remove `{ADJUSTED_VERDICTS}`; set it in `[luck]` of the config of a new run");
        return Err(ParamError::at(ADJUSTED_VERDICTS, message, help));
    }
    settings(params, (any_game, agents))
}

/// The settings, checked for the game and its agents if they are known.
fn settings(
    params: LuckParams,
    (any_game, agents): (&AnyGame, &[Spec]),
) -> Result<LuckSettings, ParamError> {
    let checked = |settings: LuckSettings| {
        any_game.check_luck(&settings, agents)?;
        Ok(settings)
    };
    let LuckParams { value, weights, scale, offset, fit, depth, adjusted_verdicts } = params;
    let given = [
        ("weights", weights.is_some()),
        ("scale", scale.is_some()),
        ("offset", offset.is_some()),
        ("fit", fit.is_some()),
        ("depth", depth.is_some()),
    ];
    // The key that has no effect beside another one.
    let idle = |keys: &[&str], beside: String, help: &str| {
        let idle = given.into_iter().find(|(key, is_given)| *is_given && keys.contains(key));
        idle.map_or(Ok(()), |(key, _)| {
            let message = format!("`{key}` has no effect with `{beside}`");
            Err(ParamError::at(key, message, format!("remove `{key}`, or {help}")))
        })
    };
    if value == EXACT {
        let all = given.map(|(key, _)| key);
        idle(&all, format!("value = \"{EXACT}\""), "name an evaluator")?;
        return checked(LuckSettings::Exact);
    }
    let (weights, depth) = (weights.unwrap_or_default(), depth.unwrap_or(0));
    if fit == Some(true) {
        idle(&["scale", "offset"], "fit = true".to_owned(), "remove `fit`")?;
        if adjusted_verdicts == Some(true) {
            let message =
                "a verdict during the run needs luck, and a fitted scale is known after it";
            let help = format!("give `scale` in place of `fit`, or remove `{ADJUSTED_VERDICTS}`");
            return Err(ParamError::at(ADJUSTED_VERDICTS, message, help));
        }
        return checked(LuckSettings::Fitted { name: value, weights, depth });
    }
    let Some(scale) = scale else {
        // A word that is no evaluator needs no scale.
        checked(LuckSettings::Fitted { name: value.clone(), weights, depth })?;
        let message = format!("the evaluator `{value}` needs `scale`");
        let help = "add `scale`: a lead of this size, in the evaluator's unit, is worth odds \
                    of 2.7 to 1; fix it before the run, or add `fit = true`";
        return Err(ParamError::at("value", message, help));
    };
    let offset = offset.unwrap_or(0.0);
    checked(LuckSettings::Evaluator { name: value, weights, scale, offset, depth })
}

/// The section with its values. `decides`: scores without luck decide.
pub(crate) fn to_values(settings: &LuckSettings, decides: bool) -> Values {
    let some = |weights: Weights| (weights != Weights::default()).then_some(weights);
    let adjusted_verdicts = decides.then_some(true);
    let none = LuckParams { value: EXACT.to_owned(), adjusted_verdicts, ..LuckParams::default() };
    let params = match settings.clone() {
        LuckSettings::Exact => none,
        LuckSettings::Evaluator { name, weights, scale, offset, depth } => LuckParams {
            value: name,
            weights: some(weights),
            scale: Some(scale),
            offset: Some(offset),
            depth: Some(depth),
            ..none
        },
        LuckSettings::Fitted { name, weights, depth } => LuckParams {
            value: name,
            weights: some(weights),
            fit: Some(true),
            depth: Some(depth),
            ..none
        },
    };
    params.values()
}
