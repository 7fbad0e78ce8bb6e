//! `[adjudication]`: games that end because both agents agree how they stand.

use super::diagnostic::{Diagnostic, Problems};
use super::tree::Table;
use crate::params::{Param, Value, Values};
use crate::world::{Adjudication, DrawRule, ResignRule};

/// Moves of each side before a game can be drawn, and in a row that must be level, where
/// nothing is said.
const DRAW_AFTER: i64 = 40;
const DRAW_MOVES: i64 = 8;
/// Moves of each side in a row that must be lost, where nothing is said.
const RESIGN_MOVES: i64 = 4;

/// The keys of the section.
pub(super) fn params() -> Vec<Param> {
    let value = |key, least, help| Param::float(key, least, 1e12, least, help).optional();
    let moves = |key, least, help| Param::int(key, least, 1_000_000, least, help).optional();
    vec![
        value(
            "draw_value",
            0.0,
            "a draw where both agents report values within this distance of 0; if not given, none \
             is declared",
        ),
        moves("draw_moves", 1, "moves of each side in a row that must be so (default: 8)"),
        moves("draw_after", 0, "moves of each side before that counts (default: 40)"),
        value(
            "resign_value",
            // Nobody is ahead by nothing.
            0.001,
            "a win where both agents report that one side is ahead by this much; if not given, \
             none is declared",
        ),
        moves("resign_moves", 1, "moves of each side in a row that must be so (default: 4)"),
    ]
}

/// The rules that the section asks for; reports keys that mean nothing.
pub(super) fn build(values: &Values, tree: &Table, problems: &mut Problems) -> Adjudication {
    for (key, master) in [
        ("draw_moves", "draw_value"),
        ("draw_after", "draw_value"),
        ("resign_moves", "resign_value"),
    ] {
        if values.get(key).is_some() && values.get(master).is_none() {
            let table = tree.table("adjudication").unwrap_or(tree);
            let place = table.locate(key).unwrap_or(table.span);
            let message = format!("`{key}` means nothing without `{master}`");
            problems.report(
                Diagnostic::at(place, format!("adjudication.{key}"), message)
                    .help(format!("give `{master}`, in the unit of the agents' evaluator")),
            );
        }
    }
    if let (Some(draw), Some(resign)) = (values.float("draw_value"), values.float("resign_value"))
        && draw >= resign
    {
        let table = tree.table("adjudication").unwrap_or(tree);
        let place = table.locate("draw_value").unwrap_or(table.span);
        let message = format!("a value of {resign} would be level and won at once");
        problems.report(
            Diagnostic::at(place, "adjudication.draw_value", message)
                .help("make `draw_value` smaller than `resign_value`"),
        );
    }
    let moves = |key, default| values.int(key).unwrap_or(default) as u32;
    let draw = values.float("draw_value").map(|value| DrawRule {
        value,
        moves: moves("draw_moves", DRAW_MOVES),
        after: moves("draw_after", DRAW_AFTER),
    });
    let resign = values
        .float("resign_value")
        .map(|value| ResignRule { value, moves: moves("resign_moves", RESIGN_MOVES) });
    Adjudication { draw, resign }
}

/// The section with all its values; `None` where nothing is adjudicated.
pub(super) fn to_values(rules: &Adjudication) -> Option<Values> {
    let mut values = Values::default();
    let int = |number: u32| Value::Int(i64::from(number));
    if let Some(DrawRule { value, moves, after }) = rules.draw {
        values.set("draw_value", Value::Float(value));
        values.set("draw_moves", int(moves));
        values.set("draw_after", int(after));
    }
    if let Some(ResignRule { value, moves }) = rules.resign {
        values.set("resign_value", Value::Float(value));
        values.set("resign_moves", int(moves));
    }
    (rules.draw.is_some() || rules.resign.is_some()).then_some(values)
}
