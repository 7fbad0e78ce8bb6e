//! `[openings]`: where games begin.

use std::path::Path;

use super::definition::Kind;
use super::diagnostic::{Diagnostic, Problems};
use super::source::{Source, Span, read_text};
use super::tree::{Raw, Table};
use crate::params::{Param, Spec, Type, Value, Values};
use crate::world::{Openings, World};

/// Plies of random openings where nothing is said.
const PLIES: i64 = 4;
/// The largest list of openings that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// The kinds on offer.
pub(super) fn kinds() -> Vec<Kind> {
    let kind = |kind: &'static str, summary, params, example: &str| Kind {
        kind,
        summary,
        params,
        example: format!("[openings]\nkind = \"{kind}\"{example}"),
    };
    vec![
        kind("start", "Every game from the start", Vec::new(), ""),
        kind(
            "random",
            "Distinct undecided positions after some random plies, drawn by the seed",
            vec![Param::int("plies", 1, 1000, PLIES, "plies before the agents take over")],
            "\nplies = 4",
        ),
        kind(
            "list",
            "Openings one by one, in this order and over again",
            vec![
                Param::of(
                    "list",
                    Type::Texts,
                    "an opening each: moves from the start, or a position",
                )
                .required(),
            ],
            "\nlist = [\"4 4\", \"4 3 3\"]",
        ),
        kind(
            "file",
            "Openings from a text file, one a line; blank lines and lines with # are skipped",
            vec![
                Param::of("file", Type::Text, "its path, seen from the folder of the config")
                    .required(),
            ],
            "\nfile = \"openings.txt\"",
        ),
    ]
}

/// The openings as the section with all its values.
pub(super) fn to_spec(openings: &Openings) -> Spec {
    let mut values = Values::default();
    let kind = match openings {
        Openings::Start => "start",
        Openings::Random { plies } => {
            values.set("plies", Value::Int(i64::from(*plies)));
            "random"
        }
        Openings::List(lines) => {
            values.set("list", Value::Texts(lines.clone()));
            "list"
        }
    };
    Spec { kind: kind.to_owned(), values }
}

/// Makes the openings of a checked section; every line is put to the game, if there is
/// one. `None` where something is wrong, which has then been reported.
pub(super) fn build(
    spec: &Spec,
    table: Option<&Table>,
    world: Option<&dyn World>,
    folder: &Path,
    sources: &mut Vec<Source>,
    problems: &mut Problems,
) -> Option<Openings> {
    match spec.kind.as_str() {
        "random" => {
            let plies = spec.values.int("plies").unwrap_or(PLIES) as u32;
            Some(Openings::Random { plies })
        }
        "list" => list(spec, table?, world, problems),
        "file" => {
            let place = table?.locate("file").unwrap_or(table?.span);
            let path = folder.join(spec.values.text("file")?);
            file(&path, place, world, sources, problems)
        }
        _ => Some(Openings::Start),
    }
}

fn list(
    spec: &Spec,
    table: &Table,
    world: Option<&dyn World>,
    problems: &mut Problems,
) -> Option<Openings> {
    let lines = spec.values.texts("list")?;
    let node = &table.get("list")?.node;
    if lines.is_empty() {
        problems.report(
            Diagnostic::at(node.span, "openings.list", "`openings.list` is empty")
                .help("list an opening, or use `kind = \"start\"`"),
        );
        return None;
    }
    let before = problems.mark();
    for (i, line) in lines.iter().enumerate() {
        if let Some(Err(reason)) = world.map(|world| world.check_opening(line)) {
            let place = match &node.raw {
                Raw::List(items) => items.get(i).map_or(node.span, |item| item.span),
                _ => node.span,
            };
            problems.report(illegal(place, "openings.list", &reason));
        }
    }
    (problems.mark() == before).then(|| Openings::List(lines.to_vec()))
}

fn file(
    path: &Path,
    place: Span,
    world: Option<&dyn World>,
    sources: &mut Vec<Source>,
    problems: &mut Problems,
) -> Option<Openings> {
    let name = path.display().to_string();
    let text = match read_text(path, LARGEST) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("cannot read the openings `{name}`: {}", error.reason);
            problems.report(Diagnostic::at(place, "openings.file", message).help(
                match error.remedy.as_str() {
                    "" => "the path is seen from the folder of the config",
                    remedy => remedy,
                },
            ));
            return None;
        }
    };
    let source = sources.len();
    let before = problems.mark();
    let mut lines = Vec::new();
    let mut begin = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        let start = begin + (whole.len() - whole.trim_start().len());
        begin += whole.len();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(Err(reason)) = world.map(|world| world.check_opening(line)) {
            let place = Span::new(source, start..start + line.len());
            problems.report(illegal(place, "openings.file", &reason));
        }
        lines.push(line.to_owned());
    }
    if lines.is_empty() {
        let message = format!("there is no opening in `{name}`");
        problems.report(
            Diagnostic::at(place, "openings.file", message).help("write one opening a line"),
        );
    }
    if problems.mark() > before {
        sources.push(Source::file(name, text));
        return None;
    }
    Some(Openings::List(lines))
}

fn illegal(place: Span, key: &str, reason: &str) -> Diagnostic {
    Diagnostic::at(place, key, "not an opening of this game").label(reason)
}
