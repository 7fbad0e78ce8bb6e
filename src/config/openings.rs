//! `[openings]`: where games begin.

use std::collections::HashMap;
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
    let mut check = Check::new(world, "openings.list");
    match &node.raw {
        // What is no text has been reported.
        Raw::List(items) => {
            for (line, place) in items.iter().filter_map(|item| Some((item.text()?, item.span))) {
                check.line(line, place, problems);
            }
        }
        _ => lines.iter().for_each(|line| check.line(line, node.span, problems)),
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
    let mut check = Check::new(world, "openings.file");
    let mut begin = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        let start = begin + (whole.len() - whole.trim_start().len());
        begin += whole.len();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        check.line(line, Span::new(source, start..start + line.len()), problems);
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

/// What an opening looks like.
pub(super) const OPENING_HELP: &str =
    "write legal moves from the start, separated by blanks, or a position in the game's notation";

/// Looks for lines that are no openings, and for those that say the same once more.
struct Check<'a> {
    world: Option<&'a dyn World>,
    key: &'static str,
    seen: HashMap<String, Span>,
}

impl<'a> Check<'a> {
    fn new(world: Option<&'a dyn World>, key: &'static str) -> Self {
        Check { world, key, seen: HashMap::new() }
    }

    fn line(&mut self, line: &str, place: Span, problems: &mut Problems) {
        match self.world.map(|world| world.check_opening(line)) {
            Some(Ok(text)) => {
                if let Some(first) = self.seen.get(&text) {
                    let message = "the same opening twice";
                    problems.report(
                        Diagnostic::at(place, self.key, message)
                            .also(*first, "here it stands first")
                            .help("leave it out: the same opening again is no further evidence"),
                    );
                } else {
                    self.seen.insert(text, place);
                }
            }
            Some(Err(reason)) => problems.report(illegal(place, self.key, &reason)),
            None => {}
        }
    }
}

fn illegal(place: Span, key: &str, reason: &str) -> Diagnostic {
    let message = format!("not an opening of this game: {reason}");
    Diagnostic::at(place, key, message).help(OPENING_HELP)
}
