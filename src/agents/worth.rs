//! `utility`: what a payoff is worth to a searching agent.

use crate::params::{Param, ParamError, Type, Values};
use crate::search::Utility;

/// The parameters of a utility.
pub(super) fn params() -> [Param; 4] {
    [
        Param::of(
            "utility",
            Type::Choice(Utility::WORDS),
            "what a value is worth to the agent, \"linear\" if not given; only where chance or an \
             opponent who errs has a say can it change a move",
        ),
        Param::float(
            "exponent",
            -10.0,
            10.0,
            1.0,
            "with utility = \"power\": of gains below 1 averse to risk, above 1 prone to it",
        )
        .optional(),
        Param::float(
            "risk",
            -1000.0,
            1000.0,
            1.0,
            "with utility = \"exponential\": aversion to risk per point; below 0 prone to it",
        )
        .optional(),
        Param::of(
            "points",
            Type::Pairs,
            "with utility = \"table\": values with their utilities, straight lines between",
        ),
    ]
}

/// The utility that the values name; a parameter of another one is a mistake.
///
/// # Errors
/// Parameters that are missing or out of place, and a utility that is not increasing.
pub(super) fn utility(values: &Values) -> Result<Utility, ParamError> {
    let word = values.text("utility").unwrap_or("linear");
    let wanted = [
        ("exponent", "power", "exponent = 0.5"),
        ("risk", "exponential", "risk = 0.01"),
        ("points", "table", "points = [[-100, -300], [0, 0], [100, 100]]"),
    ];
    for (key, shape, example) in wanted {
        if values.get(key).is_some() && word != shape {
            return Err(ParamError::at(
                key,
                format!("`{key}` means nothing with utility = \"{word}\""),
                format!("set utility = \"{shape}\" or leave `{key}` out"),
            ));
        }
        if values.get(key).is_none() && word == shape {
            return Err(ParamError::at(
                "utility",
                format!("utility = \"{word}\" needs `{key}`"),
                format!("for example `{example}`"),
            ));
        }
    }
    if let Some(exponent) = values.float("exponent") {
        if exponent < 0.01 {
            return Err(ParamError::at(
                "exponent",
                format!("the utility is not increasing with the exponent {exponent}"),
                "at least 0.01; 1 is linear",
            ));
        }
        return Ok(Utility::Power(exponent));
    }
    if let Some(risk) = values.float("risk") {
        if risk.abs() < 1e-6 {
            return Err(ParamError::at(
                "risk",
                format!("the utility cannot be told from a line with the risk {risk}"),
                "at least 0.000001 in absolute value, or utility = \"linear\"",
            ));
        }
        return Ok(Utility::Exponential(risk));
    }
    match values.pairs("points") {
        Some(points) => Utility::table(points).map_err(|message| {
            let remedy = "pairs of a value and its utility, both rising, and neither too flat nor \
                          too steep";
            ParamError::at("points", message, remedy)
        }),
        None => Ok(Utility::Linear),
    }
}
