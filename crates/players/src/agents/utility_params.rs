//! `utility`: converts payoffs to utilities for search agents.

use super::search_params::Belongs;
use crate::params::ParamError;
use crate::search::Utility;

crate::choice! {
    /// How values become utilities.
    pub(super) enum UtilityShape {
        /// The value itself.
        Linear = "linear",
        /// A power of the value.
        Power = "power",
        /// Exponential in the value.
        Exponential = "exponential",
        /// Straight lines between points.
        Table = "table",
    }
}

crate::params! {
    /// The parameters of a utility.
    pub(super) struct UtilityParams {
        /// utility of a value to the agent, default "linear"; it changes moves only
        /// with chance or a fallible opponent
        utility: Option<UtilityShape> = None,
        /// with utility = "power": exponent for gains; below 1 risk-averse, above 1
        /// risk-seeking
        exponent: Option<f64> [-10.0..=10.0] = None,
        /// with utility = "exponential": risk aversion per point; below 0 risk-seeking
        risk: Option<f64> [-1000.0..=1000.0] = None,
        /// with utility = "table": values with their utilities, interpolated linearly
        points: Option<Vec<(f64, f64)>> = None,
    }
}

impl UtilityParams {
    /// The utility of the config. A parameter of a different utility is an error.
    ///
    /// # Errors
    /// Missing parameters, parameters of a different utility, or a utility that is not increasing.
    pub(super) fn utility(self) -> Result<Utility, ParamError> {
        let belongs = |key, is_given, word, example| Belongs { key, is_given, word, example };
        let table = "points = [[-100, -300], [0, 0], [100, 100]]";
        let owned = [
            belongs("exponent", self.exponent.is_some(), "power", "exponent = 0.5"),
            belongs("risk", self.risk.is_some(), "exponential", "risk = 0.01"),
            belongs("points", self.points.is_some(), "table", table),
        ];
        Belongs::check(&owned, "utility", self.utility.unwrap_or(UtilityShape::Linear).word())?;
        match (self.exponent, self.risk, self.points) {
            (Some(exponent), ..) if exponent < 0.01 => Err(ParamError::at(
                "exponent",
                format!("the utility is not increasing with the exponent {exponent}"),
                "at least 0.01; 1 is linear",
            )),
            (Some(exponent), ..) => Ok(Utility::Power(exponent)),
            (_, Some(risk), _) if risk.abs() < 1e-6 => Err(ParamError::at(
                "risk",
                format!("the utility cannot be distinguished from a line with the risk {risk}"),
                "at least 0.000001 in absolute value, or utility = \"linear\"",
            )),
            (_, Some(risk), _) => Ok(Utility::Exponential(risk)),
            (.., Some(points)) => Utility::table(&points).map_err(|message| {
                let help = "pairs of a value and its utility, both rising, and neither too flat \
                              nor too steep";
                ParamError::at("points", message, help)
            }),
            _ => Ok(Utility::Linear),
        }
    }
}
