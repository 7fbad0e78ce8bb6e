//! `[adjudication]`: rules that end a game early because of its position or scores.

use super::diagnostics::Problems;
use super::toml_tree::TomlTable;
use crate::params::{Param, Value, Values};
use crate::play::{Adjudication, DrawRule, GameEntry, MaterialRule, Registry, ResignRule};
use crate::util::collect_with_less_code::Gather;

/// The default of `draw_after` and of the number of consecutive level moves of each side.
const DRAW_AFTER: i64 = 40;
const DRAW_MOVES: i64 = 8;
/// The default number of consecutive lost moves of each side.
const RESIGN_MOVES: i64 = 4;
/// The default number of consecutive moves of each side with a lead in material.
const MATERIAL_MOVES: i64 = 8;

pub(super) fn params() -> Vec<Param> {
    let value = |key, least, help| Param::float(key, least, 1e12, least, help).optional();
    let moves = |key, least, help| Param::int(key, least, 1_000_000, least, help).optional();
    vec![
        value(
            "draw_value",
            0.0,
            "draw if both agents report values within this distance of 0; default: off",
        ),
        moves(
            "draw_moves",
            1,
            "number of consecutive moves of each side on which the draw rule must hold (default: 8)",
        ),
        moves("draw_after", 0, "number of moves of each side before the draw rule applies (default: 40)"),
        value(
            "resign_value",
            // A lead of 0 is no lead.
            0.001,
            "win if both agents report that one side is ahead by this value; default: off",
        ),
        moves(
            "resign_moves",
            1,
            "number of consecutive moves of each side on which the win rule must hold (default: 4)",
        ),
        Param::int(
            "material_lead",
            1,
            1_000_000,
            1,
            "win for the side with at least this much more material, as the game counts it (chess: centipawns); default: off",
        )
        .optional(),
        moves(
            "material_moves",
            1,
            "number of consecutive moves of each side on which the draw rule must hold (default: 8)",
        ),
        Param::int(
            "repetitions",
            2,
            10,
            2,
            "draw when a position has occurred this many times, for games with repetitions; default: off",
        )
        .optional(),
    ]
}

/// The rules that the section asks for. Reports keys that have no effect. `kind` is the kind of the
/// game, if it is known.
pub(super) fn build(
    values: &Values,
    kind: Option<&str>,
    registry: &Registry,
    tree: &TomlTable,
    problems: &mut Problems,
) -> Adjudication {
    let table = tree.table("adjudication").unwrap_or(tree);
    let mut report = |key: &str, message: String, help: String| {
        let place = table.locate(key).unwrap_or(table.span);
        let path = format!("adjudication.{key}");
        problems.wrong(place, path, message, help);
    };
    for (key, master, unit) in [
        ("draw_moves", "draw_value", "in the unit of the agents' evaluator"),
        ("draw_after", "draw_value", "in the unit of the agents' evaluator"),
        ("resign_moves", "resign_value", "in the unit of the agents' evaluator"),
        ("material_moves", "material_lead", "in the unit in which the game counts"),
    ] {
        if values.get(key).is_some() && values.get(master).is_none() {
            let message = format!("`{key}` means nothing without `{master}`");
            report(key, message, format!("give `{master}`, {unit}"));
        }
    }
    if let Some(game) = kind.and_then(|kind| registry.game(kind)) {
        check_game(values, game, registry, &mut report);
    }
    if let (Some(draw), Some(resign)) = (values.float("draw_value"), values.float("resign_value"))
        && draw >= resign
    {
        let message = format!("a value of {resign} would be level and won at once");
        let help = "make `draw_value` smaller than `resign_value`";
        report("draw_value", message, help.to_owned());
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
    let material = values.int("material_lead").map(|lead| MaterialRule {
        lead: lead as i32,
        moves: moves("material_moves", MATERIAL_MOVES),
    });
    let repetitions = values.int("repetitions").map(|number| number as u32);
    Adjudication { draw, resign, material, repetitions }
}

fn check_game(
    values: &Values,
    game: &GameEntry,
    registry: &Registry,
    report: &mut dyn FnMut(&str, String, String),
) {
    let kind = game.kind;
    // `has` returns the name of a game that supports the key.
    let leave_out = |key: &str, has: &dyn Fn(&GameEntry) -> Option<String>| {
        let having: Vec<String> = registry.games.iter().filter_map(has).gather();
        match having.is_empty() {
            true => format!("leave `{key}` out"),
            false => format!("leave `{key}` out; it is for {}", having.join(", ")),
        }
    };
    if values.get("material_lead").is_some() && game.material.is_none() {
        let counts = |game: &GameEntry| Some(format!("`{}` (in {})", game.kind, game.material?));
        let help = leave_out("material_lead", &counts);
        report("material_lead", format!("`{kind}` does not count material"), help);
    }
    let Some(number) = values.int("repetitions") else { return };
    match game.last_occurrence {
        _ if !game.repeats => {
            let repeats = |game: &GameEntry| game.repeats.then(|| format!("`{}`", game.kind));
            let help = leave_out("repetitions", &repeats);
            report("repetitions", format!("repetitions do not matter in `{kind}`"), help);
        }
        Some(last) if number >= i64::from(last) => {
            let message = format!(
                "`repetitions = {number}` means nothing: `{kind}` ends by itself when a position \
                 occurs {last} times"
            );
            let help = match last {
                ..=2 => "leave `repetitions` out".to_owned(),
                _ => format!("set `repetitions = {}`, or leave it out", last - 1),
            };
            report("repetitions", message, help);
        }
        _ => {}
    }
}

/// The section with all its values; `None` if it has no rules.
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
    if let Some(MaterialRule { lead, moves }) = rules.material {
        values.set("material_lead", Value::Int(i64::from(lead)));
        values.set("material_moves", int(moves));
    }
    if let Some(number) = rules.repetitions {
        values.set("repetitions", int(number));
    }
    (*rules != Adjudication::default()).then_some(values)
}
