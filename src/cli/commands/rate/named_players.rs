//! The players that options name.

use super::rate_args::RateArgs;
use crate::arena::ResultRows;
use crate::cli::failure::Failure;
use crate::stats::sprt::{Design, SprtSettings, Unit};
use crate::util::did_you_mean::did_you_mean_or;

/// The number of a player that an option names.
pub(super) fn player(name: &str, rows: &ResultRows) -> Result<u32, Failure> {
    let known: Vec<&str> = rows.names.iter().collect();
    let found = known.iter().position(|known| *known == name).map(|number| number as u32);
    let all = || format!("the players are {}", known.join(", "));
    found.ok_or_else(|| {
        let help = did_you_mean_or(name, &known, all);
        Failure::usage(format!("there is no player `{name}`"), help)
    })
}

/// The test of `--sprt` and the two players of `--of`. A sample is a `unit`.
pub(super) fn test_of_two(
    rows: &ResultRows,
    args: &RateArgs,
    unit: Unit,
) -> Result<Option<(Design, [u32; 2])>, Failure> {
    let Some([elo0, elo1]) = args.sprt else { return Ok(None) };
    let settings = SprtSettings { elo0, elo1, unit, ..SprtSettings::default() };
    let design = settings.check().map_err(|error| {
        Failure::usage(format!("`--sprt {elo0},{elo1}`: {error}"), "write `--sprt 0,5`")
    })?;
    let [a, b] = &args.of[..] else {
        return Err(Failure::usage("`--of` needs two players", "write `--of A,B`"));
    };
    if a == b {
        let message = format!("`--of` names `{a}` twice");
        return Err(Failure::usage(message, "name two different players"));
    }
    Ok(Some((design, [player(a, rows)?, player(b, rows)?])))
}

/// The anchors of `--anchor`: the number and the rating of each player.
pub(super) fn anchors(rows: &ResultRows, args: &RateArgs) -> Result<Vec<(usize, f64)>, Failure> {
    let mut anchors: Vec<(usize, f64)> = Vec::new();
    for (name, elo) in &args.anchor {
        let player = player(name, rows)? as usize;
        if anchors.iter().any(|(earlier, _)| *earlier == player) {
            let message = format!("`--anchor` names `{name}` twice");
            return Err(Failure::usage(message, "give each anchor one rating"));
        }
        anchors.push((player, *elo));
    }
    Ok(anchors)
}
