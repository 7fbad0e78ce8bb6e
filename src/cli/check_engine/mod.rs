//! `agon check-engine`: walks an engine through its protocol.
//!
//! ```text
//! subject   the engine and what is said to it     steps       what is looked at
//! verdict   how a step came out                   processes   time and memory of the engine
//! ```

mod processes;
mod steps;
mod subject;
mod verdict;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use serde_json::json;

use super::args::{CheckEngineArgs, Dialect};
use super::exit::{self, Failure};
use super::tables::terminal_width;
use crate::config;
use crate::engine::{House, Launch, Setting};
use crate::params::Spec;
use crate::report::{Format, Table};
use crate::world::Registry;
use subject::Candidate;
use verdict::{Step, Verdict};

/// Examines the engine and prints the table.
///
/// # Errors
/// A game or a program that does not exist, or output that cannot be written.
pub fn run(args: &CheckEngineArgs, format: Format, registry: &Registry) -> Result<u8, Failure> {
    let (game, world) = config::parse_game_spec(&args.game, "--game", registry)?;
    let launch = Launch::find(&args.command, args.dir.as_deref(), &BTreeMap::new())
        .map_err(|error| Failure::Usage(format!("{}\nhelp: {}", error.message, error.remedy)))?;
    let settings: Vec<Setting> =
        args.options.iter().map(|option| setting(option)).collect::<Result<_, _>>()?;
    let params: Vec<String> =
        game.values.0.iter().map(|(key, value)| format!("{key}={value}")).collect();
    let (kind, params) = (game.kind.clone(), params.join(","));
    let mut house = House::default();
    (house.game, house.params) = (kind, params);
    let house = Arc::new(house);
    let nobody = Spec { kind: "random".to_owned(), ..Spec::default() };
    let rules = world.session(&nobody).map_err(|error| Failure::Usage(error.to_string()))?;
    let dialect = args.protocol.unwrap_or(match game.kind.as_str() {
        "chess" => Dialect::Uci,
        _ => Dialect::Ugi,
    });
    let start = world.transcribe("", "").and_then(Result::ok).and_then(|written| written.start);
    let mut candidate =
        Candidate { launch, dialect, settings, house, start, rules, by_depth: false };
    let steps = steps::all(&mut candidate);
    let text = match format {
        Format::Json => as_json(args, &steps),
        Format::Text | Format::Markdown | Format::Benchmark => {
            let (markdown, bold) = (format == Format::Markdown, format == Format::Text);
            as_table(args, &steps).render_within(markdown, bold, terminal_width())
        }
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(if worst(&steps) == Verdict::Fail { exit::WORSE } else { exit::DONE })
}

/// `NAME=VALUE`.
fn setting(text: &str) -> Result<Setting, Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err(Failure::Usage(format!(
            "`--option {text}` sets nothing\nhelp: write it as `--option NAME=VALUE`"
        ))),
    }
}

fn worst(steps: &[Step]) -> Verdict {
    steps.iter().map(|step| step.verdict).max().unwrap_or(Verdict::None)
}

fn as_table(args: &CheckEngineArgs, steps: &[Step]) -> Table {
    let mut table = Table::new(&args.command.join(" "), ["<step", "<verdict", "<seen"]);
    for Step { name, verdict, detail } in steps {
        table.row([(*name).to_owned(), verdict.word().to_owned(), detail.clone()]);
    }
    table
}

fn as_json(args: &CheckEngineArgs, steps: &[Step]) -> String {
    let steps: Vec<_> = (steps.iter())
        .map(|Step { name, verdict, detail }| {
            let verdict = (*verdict != Verdict::None).then(|| verdict.word());
            json!({ "step": name, "verdict": verdict, "detail": detail })
        })
        .collect();
    let document = json!({ "command": args.command, "game": args.game, "steps": steps });
    format!("{document:#}\n")
}
