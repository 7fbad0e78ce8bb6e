//! `[luck]`: scores without the luck of chance, and the value function that measures it.

use super::diagnostics::{Diagnostic, Problems};
use super::read_toml_table::join;
use super::toml_tree::TomlTable;
use crate::games::Weights;
use crate::params::{ParamError, Params, Values};
use crate::play::{AnyGame, LuckMeter, LuckSettings};

/// The word for exact values; no evaluator has this name.
const EXACT: &str = "exact";

crate::params! {
    /// A value function as the config states it.
    #[derive(Debug)]
    pub(super) struct LuckParams {
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
        /// plies searched before the evaluator is asked (default: 0); at least 1 for games in which
        /// a roll does not change the evaluator's value
        depth: Option<u32> [0..=4] = None,
    }
}

/// Checks the section against the game. `None` if there is no such section, or after a mistake,
/// which is then reported.
pub(super) fn build(
    values: &Values,
    any_game: Option<&AnyGame>,
    tree: &TomlTable,
    problems: &mut Problems,
) -> Option<LuckSettings> {
    let table = tree.table("luck")?;
    let params = LuckParams::read(values).expect("the section was checked");
    let settings = settings(params).and_then(|settings| {
        any_game.map_or(Ok(()), |game| game.luck_meter(&settings).map(drop))?;
        Ok(settings)
    });
    let report = |ParamError { key, message, help }| {
        let place = key.as_ref().and_then(|key| table.locate(key)).unwrap_or(table.span);
        let key = key.map_or("luck".to_owned(), |key| join("luck", &key));
        problems.report(Diagnostic::at(place, key, message).help(help));
    };
    settings.map_err(report).ok()
}

/// The value function that checked values describe, with its meter.
///
/// # Errors
/// The wrong value, with its key.
pub(super) fn meter(
    values: &Values,
    any_game: &AnyGame,
) -> Result<(LuckSettings, LuckMeter), ParamError> {
    let settings = settings(LuckParams::read(values).expect("the section was checked"))?;
    let meter = any_game.luck_meter(&settings)?;
    Ok((settings, meter))
}

fn settings(params: LuckParams) -> Result<LuckSettings, ParamError> {
    let LuckParams { value, weights, scale, offset, depth } = params;
    if value != EXACT {
        let Some(scale) = scale else {
            let message = format!("the evaluator `{value}` needs `scale`");
            let help = "add `scale`: a lead of this size, in the evaluator's unit, is worth odds \
                        of 2.7 to 1; fix it before the run";
            return Err(ParamError::at("value", message, help));
        };
        let (weights, offset) = (weights.unwrap_or_default(), offset.unwrap_or(0.0));
        let depth = depth.unwrap_or(0);
        return Ok(LuckSettings::Evaluator { name: value, weights, scale, offset, depth });
    }
    let given = [
        ("weights", weights.is_some()),
        ("scale", scale.is_some()),
        ("offset", offset.is_some()),
        ("depth", depth.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((key, _)) => {
            let message = format!("`{key}` means nothing with `value = \"{EXACT}\"`");
            Err(ParamError::at(key, message, format!("remove `{key}`, or name an evaluator")))
        }
        None => Ok(LuckSettings::Exact),
    }
}

/// The section with its values.
pub(super) fn to_values(settings: &LuckSettings) -> Values {
    let params = match settings.clone() {
        LuckSettings::Exact => LuckParams {
            value: EXACT.to_owned(),
            weights: None,
            scale: None,
            offset: None,
            depth: None,
        },
        LuckSettings::Evaluator { name, weights, scale, offset, depth } => LuckParams {
            value: name,
            weights: (weights != Weights::default()).then_some(weights),
            scale: Some(scale),
            offset: Some(offset),
            depth: Some(depth),
        },
    };
    params.values()
}
