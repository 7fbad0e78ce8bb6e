//! `[openings]`: the openings of the games.

use std::path::Path;

use super::seats_and_pairings::Pairing;
use crate::config::build_context::BuildContext;
use crate::config::sections::openings::opening_collector::{OpeningChoice, OpeningCollector};
use crate::config::sections::openings::opening_files;
use crate::config::tree::config_kind::ConfigKind;
use crate::config::tree::diagnostics::{Diagnostic, Problems};
use crate::config::tree::source_of_each_value::{Span, ValueSource};
use crate::config::tree::toml_tree::{Raw, TomlTable};
use crate::params::{Params, Spec, Value, Values};
use crate::play::{AnyGame, OpeningRule, OpeningSource, Openings, OpeningsError};

crate::params! {
    /// Random openings.
    struct RandomParams {
        /// plies before the agents take over; default: 4, and 0 from the random starts of Chess960
        plies: Option<u32> [0..=1000] = None,
    }
}

crate::params! {
    /// Openings in the config.
    struct ListParams {
        /// one opening per entry: moves from the start, or a position
        list: Vec<String>,
    }
}

crate::choice! {
    /// The order of the openings of a file.
    enum Order {
        /// The order of the file.
        Sequential = "sequential",
        /// Random, by the seed.
        Random = "random",
    }
}

crate::params! {
    /// Openings in a file.
    struct FileParams {
        /// path of the file, relative to the config's folder
        file: String,
        /// plies after which a line or game is cut; default: whole lines, and 8 plies of a PGN game
        plies: Option<u32> [0..=1000] = None,
        /// order of the openings: as in the file, or random (seeded)
        order: Order = Order::Sequential,
    }
}

/// The maximum number of openings that are drawn by default: each takes time and memory.
const MOST_BY_DEFAULT: u64 = 1 << 15;
/// The number of plies that default random openings may be longer, to have enough of them.
const LONGER: u32 = 8;

/// Number of random plies if the config does not say it.
const RANDOM_PLIES: u32 = 4;

/// The default openings. Random openings have the length that the game asks for, or the shortest
/// length above it with enough openings. Otherwise games begin at the start position.
fn by_default(
    any_game: &AnyGame,
    plies: u32,
    max_plies: u32,
    (wanted, seed): (u64, u64),
) -> Openings {
    let random_starts = !any_game.random_starts().is_empty();
    if plies == 0 && !random_starts || wanted > MOST_BY_DEFAULT {
        return Openings::Start;
    }
    let plies = if random_starts { 0 } else { plies };
    let fits = |openings: &Openings| any_game.check_openings(openings, wanted, seed).is_ok();
    // Lengths grow by whole rounds, so that the first player of the game also moves first after the
    // opening.
    (plies..=plies + LONGER)
        .step_by(2)
        .filter(|&plies| plies < max_plies)
        .map(|plies| Openings::Random { plies })
        .find(fits)
        .unwrap_or(Openings::Start)
}

pub(crate) fn kinds() -> Vec<ConfigKind> {
    let kind = |kind: &'static str, summary, params, example: &str| ConfigKind {
        kind,
        summary,
        params,
        example: format!("[openings]\nkind = \"{kind}\"{example}"),
    };
    vec![
        kind("start", "Every game from the start", Vec::new(), ""),
        kind(
            "random",
            "Distinct undecided positions after some random plies, or random starts (seeded)",
            RandomParams::list(),
            "\nplies = 4",
        ),
        kind(
            "list",
            "Openings from a list, in this order, repeatedly",
            ListParams::list(),
            "\nlist = [\"4 4\", \"4 3 3\"]",
        ),
        kind(
            "file",
            "Openings from a file: one per line (moves, positions, EPD), or the games of a PGN file",
            FileParams::list(),
            "\nfile = \"openings.txt\"",
        ),
    ]
}

/// The openings as the section with all its values.
pub(crate) fn to_spec(openings: &Openings) -> Spec {
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

/// What a run needs of its openings.
#[derive(Clone, Copy)]
pub(crate) struct OpeningNeeds {
    /// The number of openings that are played.
    pub wanted: u64,
    /// The number of different openings that the run should have by default.
    pub by_default: u64,
    /// The rules of their games.
    pub rule: OpeningRule,
}

/// Builds the openings of a checked section, and the default openings if there is no section. Checks
/// every line against the game. `None` after a mistake, which has been reported.
pub(crate) fn build(
    spec: &Spec,
    needs: OpeningNeeds,
    context: &BuildContext<'_>,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) -> Option<Openings> {
    let (any_game, seed) = (context.any_game?, context.seed);
    let Some(table) = context.tree.table("openings") else {
        let plies = context.registry.game(any_game.kind())?.opening_plies;
        let drawn = (needs.by_default.max(1), seed);
        return Some(by_default(any_game, plies, needs.rule.max_plies, drawn));
    };
    let rule = needs.rule;
    let wanted = needs.wanted.max(1);
    match spec.kind.as_str() {
        "random" => {
            let RandomParams { plies } = RandomParams::read(&spec.values).ok()?;
            let random_starts = !any_game.random_starts().is_empty();
            if plies == Some(0) && !random_starts {
                let place = table.locate("plies")?;
                let message = "without plies, all openings are the same";
                let help = "use at least 1 ply, or `kind = \"start\"`; 0 is for the random starts \
                            of Chess960 (without `position` and `fen`)";
                problems.wrong(place, "openings.plies", message, help);
                return None;
            }
            let default = if random_starts { 0 } else { RANDOM_PLIES };
            Some(Openings::Random { plies: plies.unwrap_or(default) })
        }
        "list" => list(spec, table, rule, context, problems),
        "file" => {
            let place = table.locate("file").unwrap_or(table.span);
            let FileParams { file: path, plies, order } = FileParams::read(&spec.values).ok()?;
            let rule = OpeningRule { plies, ..rule };
            let seed = (order == Order::Random).then_some(seed);
            let choice = OpeningChoice { rule, most: wanted, seed };
            file(&context.origin.folder.join(path), place, choice, any_game, sources, problems)
        }
        _ => Some(Openings::Start),
    }
}

fn list(
    spec: &Spec,
    table: &TomlTable,
    rule: OpeningRule,
    context: &BuildContext<'_>,
    problems: &mut Problems,
) -> Option<Openings> {
    let Some(Value::Texts(lines)) = spec.values.get("list") else { return None };
    let node = &table.get("list")?.node;
    if lines.is_empty() {
        let message = "`openings.list` is empty";
        let help = "list an opening, or use `kind = \"start\"`";
        problems.wrong(node.span, "openings.list", message, help);
        return None;
    }
    if context.origin.is_resolved {
        return Some(Openings::List(lines.to_vec()));
    }
    let any_game = context.any_game?;
    let before = problems.mark();
    let choice = OpeningChoice { rule, most: u64::MAX, seed: None };
    let mut collected = OpeningCollector::new(choice, "entries");
    let mut take = |line: &str, place| {
        if let Err(error) = collected.take(any_game, OpeningSource::Line(line)) {
            problems.report(illegal(place, "openings.list", &error.message));
        }
    };
    match &node.raw {
        // Items that are not text have been reported.
        Raw::List(items) => {
            for (line, place) in items.iter().filter_map(|item| Some((item.text()?, item.span))) {
                take(line, place);
            }
        }
        _ => lines.iter().for_each(|line| take(line, node.span)),
    }
    let is_right = problems.mark() == before;
    is_right.then(|| finish(collected, "openings.list", node.span, problems))?
}

/// The openings, with notes on those that were left out.
fn finish(
    collected: OpeningCollector,
    name: &str,
    place: Span,
    problems: &mut Problems,
) -> Option<Openings> {
    for note in collected.notes(name) {
        problems.note(note);
    }
    let why_empty = collected.why_empty(name);
    let openings = collected.openings();
    if openings.is_empty() {
        let (key, help) = match name {
            "openings.list" => (name, "write one opening a line"),
            _ => ("openings.file", "write one opening a line, or games of PGN with tags or moves"),
        };
        problems.wrong(place, key, why_empty, help);
        return None;
    }
    Some(Openings::List(openings))
}

fn file(
    path: &Path,
    place: Span,
    choice: OpeningChoice,
    any_game: &AnyGame,
    sources: &mut Vec<ValueSource>,
    problems: &mut Problems,
) -> Option<Openings> {
    let name = path.display().to_string();
    let read = match opening_files::read(path, choice, any_game) {
        Ok(read) => read,
        Err(error) => {
            let message = format!("cannot read the openings `{name}`: {}", error.reason);
            let help = match error.help.as_str() {
                "" => "the path is seen from the folder of the config",
                help => help,
            };
            problems.wrong(place, "openings.file", message, help);
            return None;
        }
    };
    for wrong in &read.wrong {
        let start = wrong.text.len() - wrong.text.trim_start().len();
        let span = Span::new(sources.len(), start..wrong.text.trim_end().len());
        sources.push(ValueSource::line_of(name.as_str(), wrong.number, wrong.text.as_str()));
        problems.report(illegal(span, "openings.file", &wrong.message));
    }
    if !read.wrong.is_empty() {
        return None;
    }
    finish(read.collected, &name, place, problems)
}

pub(crate) const OPENING_HELP: &str =
    "write legal moves from the start, separated by blanks, or a position in the game's notation";

fn illegal(place: Span, key: &str, reason: &str) -> Diagnostic {
    let message = format!("not an opening of this game: {reason}");
    Diagnostic::at(place, key, message).help(OPENING_HELP)
}

/// The error of openings that cannot be read or drawn, at its place.
pub(crate) fn openings_error(
    error: &OpeningsError,
    tree: &TomlTable,
    pairings: &[Pairing],
) -> Diagnostic {
    match error {
        OpeningsError::TooFew { available, counted, wanted, plies } => {
            let pairs = pairings.iter().all(|pairing| pairing.has_pairs());
            let even = pairings.iter().any(|pairing| pairing.has_pairs());
            let per_opening = if pairs { 2 } else { 1 };
            let openings = match plies {
                0 => "random starts".to_owned(),
                1 => "openings of 1 ply".to_owned(),
                plies => format!("openings of {plies} plies"),
            };
            let message = format!("there are not {wanted} different {openings}");
            // If each opening is played from both sides, the number must be even.
            let games = (available * per_opening) & !u64::from(even);
            let help = match (tree.table("openings"), games) {
                (Some(_), 0) => "ask for another number of plies".to_owned(),
                (Some(_), games) => {
                    format!("ask for another number of plies or at most {games} games")
                }
                // By default there are enough, so this run extends one that began with fewer games.
                (None, games) => format!(
                    "the run in this folder began with {openings}, so it can be extended to {games} \
                     games per pairing; `--out DIR` plays all games with longer openings"
                ),
            };
            let label = match available {
                _ if !counted => format!("{available} were found in a long search"),
                0 => "there is none".to_owned(),
                _ if *plies == 0 => format!("there are {available}"),
                1 => "there is only 1, symmetric ones counted once".to_owned(),
                _ => format!("there are {available}, symmetric ones counted once"),
            };
            Diagnostic::at(tree.place_or_section("openings", "plies"), "openings.plies", message)
                .label(label)
                .also(
                    tree.place_or_section("schedule", "games"),
                    format!("these games need {wanted}"),
                )
                .help(help)
        }
        OpeningsError::Line { number, line, message } => {
            let (section, key) = ("openings", "list");
            let place = match tree.table(section).and_then(|table| table.get(key)) {
                Some(entry) => match &entry.node.raw {
                    Raw::List(items) => {
                        items.get(number - 1).map_or(entry.node.span, |item| item.span)
                    }
                    _ => entry.node.span,
                },
                None => tree.place_or_section(section, "file"),
            };
            let text = format!("opening {number} `{line}`: {message}");
            Diagnostic::at(place, "openings", text).help(OPENING_HELP)
        }
    }
}
