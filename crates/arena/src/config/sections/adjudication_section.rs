//! `[adjudication]`: rules that end a game early because of its position or scores.

use std::path::{Path, PathBuf};

use crate::config::build_context::{BuildContext, Section};
use crate::config::tree::diagnostics::Problems;
use crate::engine::expand_home;
use crate::params::{Params, Values};
use crate::play::{
    Adjudication, DrawRule, GameEntry, MaterialRule, Registry, ResignRule, SyzygyRule,
};

/// The default of `draw_after` and of the number of consecutive level moves of each side.
const DRAW_AFTER: u32 = 40;
const DRAW_MOVES: u32 = 8;
/// The default number of consecutive lost moves of each side.
const RESIGN_MOVES: u32 = 4;
/// The default number of consecutive moves of each side with a lead in material.
const MATERIAL_MOVES: u32 = 8;

crate::params! {
    /// The rules as the config states them.
    pub(crate) struct AdjudicationParams {
        /// draw if both agents report values within this distance of 0; default: off
        draw_value: Option<f64> [0.0..=1e12] = None,
        /// number of consecutive moves of each side on which the draw rule must hold (default: 8)
        draw_moves: Option<u32> [1..=1_000_000] = None,
        /// number of moves of each side before the draw rule applies (default: 40)
        draw_after: Option<u32> [0..=1_000_000] = None,
        /// win if both agents report that one side is ahead by this value; default: off
        resign_value: Option<f64> [LEAST_LEAD..=1e12] = None,
        /// number of consecutive moves of each side on which the win rule must hold (default: 4)
        resign_moves: Option<u32> [1..=1_000_000] = None,
        /// win for the side with at least this much more material, as the game counts it (chess:
        /// centipawns); default: off
        material_lead: Option<i32> [1..=1_000_000] = None,
        /// number of consecutive moves of each side with this lead in material (default: 8)
        material_moves: Option<u32> [1..=1_000_000] = None,
        /// folders with Syzygy tables, separated by `:`, that decide chess games at the first capture
        /// or pawn move after which they have the position; relative to the config's folder;
        /// default: off
        syzygy: Option<String> = None,
        /// largest number of pieces at which tables decide, kings included; all their tables must be
        /// there (default: all numbers whose tables are there)
        syzygy_pieces: Option<u32> [3..=7] = None,
        /// draw when a position has occurred this many times, for games with repetitions; default:
        /// off
        repetitions: Option<u32> [2..=10] = None,
    }
}

/// A lead of 0 is no lead.
const LEAST_LEAD: f64 = 0.001;

impl Section for AdjudicationParams {
    const KEY: &'static str = "adjudication";
    const SUMMARY: &'static str = "Rules that end games early; default: no rules";
}

impl AdjudicationParams {
    /// Checks the rules against each other and against the game.
    pub(crate) fn build(self, context: &BuildContext<'_>, problems: &mut Problems) -> Adjudication {
        let (params, values, tree) = (&self, self.values(), context.tree);
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
            ("syzygy_pieces", "syzygy", "the folder of the tables"),
        ] {
            if values.get(key).is_some() && values.get(master).is_none() {
                let message = format!("`{key}` has no effect without `{master}`");
                report(key, message, format!("give `{master}`, {unit}"));
            }
        }
        if let Some(game) = context.any_game.and_then(|game| context.registry.game(game.kind())) {
            check_game(&values, game, context.registry, &mut report);
        }
        if let (Some(draw), Some(resign)) = (params.draw_value, params.resign_value)
            && draw >= resign
        {
            let message = format!("a value of {resign} would be level and won at once");
            let help = "make `draw_value` smaller than `resign_value`";
            report("draw_value", message, help.to_owned());
        }
        let draw = params.draw_value.map(|value| DrawRule {
            value,
            moves: params.draw_moves.unwrap_or(DRAW_MOVES),
            after: params.draw_after.unwrap_or(DRAW_AFTER),
        });
        let resign = params
            .resign_value
            .map(|value| ResignRule { value, moves: params.resign_moves.unwrap_or(RESIGN_MOVES) });
        let material = params.material_lead.map(|lead| MaterialRule {
            lead,
            moves: params.material_moves.unwrap_or(MATERIAL_MOVES),
        });
        Adjudication { draw, resign, material, repetitions: params.repetitions }
    }
}

impl AdjudicationParams {
    /// The tables that decide games.
    pub(crate) fn syzygy_rule(&self, context: &BuildContext<'_>) -> Option<SyzygyRule> {
        let folder = match context.origin.is_resolved {
            true => Path::new(""),
            false => context.origin.folder,
        };
        let paths = std::env::split_paths(self.syzygy.as_ref()?);
        let paths = paths.filter(|path| !path.as_os_str().is_empty());
        let whole = |path: PathBuf| folder.join(expand_home(&path.to_string_lossy()));
        Some(SyzygyRule { folders: paths.map(whole).collect(), pieces: self.syzygy_pieces })
    }
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
        let having: Vec<String> = registry.games.iter().filter_map(has).collect();
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
    if values.get("syzygy").is_some() && !game.has_tables {
        let has = |game: &GameEntry| game.has_tables.then(|| format!("`{}`", game.kind));
        let help = leave_out("syzygy", &has);
        report("syzygy", format!("there are no Syzygy tables of `{kind}`"), help);
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
                "`repetitions = {number}` has no effect: `{kind}` ends by itself when a position \
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
pub(crate) fn to_values(rules: &Adjudication, syzygy: Option<&SyzygyRule>) -> Option<Values> {
    let Adjudication { draw, resign, material, repetitions } = *rules;
    let params = AdjudicationParams {
        draw_value: draw.map(|rule| rule.value),
        draw_moves: draw.map(|rule| rule.moves),
        draw_after: draw.map(|rule| rule.after),
        resign_value: resign.map(|rule| rule.value),
        resign_moves: resign.map(|rule| rule.moves),
        material_lead: material.map(|rule| rule.lead),
        material_moves: material.map(|rule| rule.moves),
        syzygy: syzygy.map(|rule| {
            let whole = std::env::join_paths(&rule.folders).expect("the paths were split");
            whole.to_string_lossy().into_owned()
        }),
        syzygy_pieces: syzygy.and_then(|rule| rule.pieces),
        repetitions,
    };
    let has_rules = *rules != Adjudication::default() || syzygy.is_some();
    has_rules.then(|| params.values())
}
