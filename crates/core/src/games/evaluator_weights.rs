//! Checks weights from the config: feature names, defaults, bounds.

use super::evaluator_trait::{EvaluatorInfo, MAX_VALUE, Weights};
use crate::params::ParamError;
use crate::util::did_you_mean::nearest;

/// The weight of every feature in the order of `info`: the given weight or the default.
///
/// `bound` computes from the weights the largest absolute value of any position.
///
/// # Errors
/// An unknown feature, or weights so large that values could exceed `MAX_VALUE`.
pub fn resolve(
    info: &EvaluatorInfo,
    given: &Weights,
    bound: &dyn Fn(&[i64]) -> i64,
) -> Result<Vec<i32>, ParamError> {
    let names: Vec<&str> = info.features.iter().map(|(name, _)| name.as_str()).collect();
    let unknown: Vec<&String> = given.keys().filter(|key| !names.contains(&key.as_str())).collect();
    if let [unknown, others @ ..] = unknown.as_slice() {
        let others: String = others.iter().map(|name| format!(", nor `{name}`")).collect();
        let message = format!("the evaluator `{}` has no feature `{unknown}`{others}", info.name);
        return Err(ParamError::at("weights", message, did_you_mean(unknown, &names)));
    }
    let weights: Vec<i64> = info
        .features
        .iter()
        .map(|(name, default)| given.get(name).copied().unwrap_or(*default))
        .collect();
    let limit = i64::from(MAX_VALUE);
    let too_large = names.iter().zip(&weights).find(|(_, w)| w.unsigned_abs() > limit as u64);
    if let Some((name, weight)) = too_large {
        let message = format!("the weight {weight} of `{name}` is out of range");
        return Err(ParamError::at("weights", message, format!("between -{limit} and {limit}")));
    }
    let most = bound(&weights);
    if most > limit {
        let message = format!(
            "with these weights `{}` could value a position at {most}, more than {limit}",
            info.name
        );
        let help = format!("divide all weights by {}", most / limit + 1);
        return Err(ParamError::at("weights", message, help));
    }
    Ok(weights.into_iter().map(|w| w as i32).collect())
}

pub fn unknown_evaluator(kind: &str, name: &str, names: &[&str]) -> ParamError {
    let message = format!("the game `{kind}` has no evaluator `{name}`");
    ParamError::at("evaluator", message, did_you_mean(name, names))
}

/// The nearest name, if one is similar, then all names.
pub(super) fn did_you_mean(word: &str, names: &[&str]) -> String {
    let all = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let all = if all.is_empty() { "it takes none".to_owned() } else { all.join(", ") };
    match nearest(word, names) {
        Some(name) => format!("did you mean `{name}`? There are {all}"),
        None => all,
    }
}
