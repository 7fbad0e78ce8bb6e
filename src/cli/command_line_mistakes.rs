//! Mistakes on the command line: what clap cannot know about them.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::config::{self, ScheduleFormat};
use crate::play::Registry;
use crate::util::did_you_mean::nearest;

/// Options of fastchess and cutechess, without their dash, with what agon has in their place.
const FOREIGN: [(&[&str], &str); 26] = [
    (
        &["engine", "cmd", "quick"],
        "name engines by their commands: `agon match ./new ./old`; an engine with a name and \
         options is `\"engine:command=./new,name=new,options.Hash=16\"`",
    ),
    (&["each"], "`--each options.Hash=16` sets a key of all players, `--clock 8+0.08` their clock"),
    (
        &["rounds", "repeat", "norepeat", "games-per-round"],
        "`--games N` counts the games of two players, so `-rounds 500 -repeat` is `--games 1000`; \
         each opening is played from both sides",
    ),
    (&["concurrency", "threads"], "`-j N` sets the number of threads"),
    (&["tc"], "`--clock 8+0.08` is a clock in seconds, with its increment"),
    (
        &["st"],
        "`--movetime MS` is a fixed time for each move, in milliseconds: `-st 0.1` is `--movetime 100`",
    ),
    (
        &["proto"],
        "agon speaks UCI for chess and UGI for other games; `protocol` is a key of an engine",
    ),
    (
        &["openings", "book", "bookfile", "opening"],
        "`--openings FILE` reads EPD, PGN or lines of moves, as in `--openings book.epd`; \
         `--set openings.order=random` and `--set openings.plies=8` are the order and the length",
    ),
    (&["srand", "random-seed"], "`--seed N` fixes all random numbers"),
    (&["variant"], "`--game SPEC` chooses the game; `--game chess:variant=960` is Chess960"),
    (
        &["sprt"],
        "`--sprt 0,5` has elo0 and elo1; `--set sprt.alpha=0.05`, `--set sprt.beta=0.05` and \
         `--set sprt.model=normalized` are its other keys",
    ),
    (
        &["resign"],
        "`--set adjudication.resign_moves=4 --set adjudication.resign_value=500`: both engines must \
         agree",
    ),
    (
        &["draw"],
        "`--set adjudication.draw_after=40 --set adjudication.draw_moves=8 --set \
         adjudication.draw_value=10`: both engines must agree",
    ),
    (&["maxmoves"], "`--set limits.max_plies=400` counts plies, not moves"),
    (
        &["tb", "tbpieces", "tbadjudicate"],
        "`--set adjudication.syzygy=FOLDER` and `--set adjudication.syzygy_pieces=5`: tables \
         adjudicate wins and draws",
    ),
    (&["tbignore50"], "leave it out: results by tables follow the fifty-move rule"),
    (
        &["pgnout"],
        "leave it out: games.pgn is in the results folder (`--out DIR`); `--set output.moves=true \
         --set output.pgn=comments` adds values and times",
    ),
    (&["epdout"], "leave it out: `agon match` writes games.pgn and games.csv"),
    (
        &["log", "debug"],
        "leave it out: agon writes a log of each fault of an engine to the results folder",
    ),
    (&["event", "site"], "`--set question=TEXT` describes the run"),
    (&["use-affinity", "affinity"], "`--pin` gives each thread a core of its own"),
    (&["timemargin"], "`--each time_margin=50` is in milliseconds"),
    (&["option", "hash"], "`--each options.Hash=16` sets an option of all engines"),
    (
        &[
            "recover",
            "ratinginterval",
            "scoreinterval",
            "outcomeinterval",
            "autosaveinterval",
            "outcome",
            "wait",
        ],
        "leave it out: agon saves every game, shows its progress, and starts failed engines again",
    ),
    (
        &["tournament", "gauntlet", "seeds"],
        "`--schedule FORMAT` is the kind of tournament: `gauntlet`, `swiss`",
    ),
    (&["agent", "agents", "player"], "name agents without an option: `agon match A B`"),
];

/// The message for a mistake on the command line, with a help text instead of the usage. `None` if
/// the message of clap is better.
pub fn explained(
    error: &clap::Error,
    args: &[OsString],
    definition: fn() -> clap::Command,
) -> Option<String> {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    if let Some(message) = several_files(args, &definition()) {
        return Some(format!("{style}error{style:#}: {message}"));
    }
    // The word as typed: clap takes `-rounds` for the short option `-r`.
    if error.kind() == ErrorKind::UnknownArgument
        && let Some((word, help)) = foreign(args, definition())
    {
        return Some(format!("{style}error{style:#}: there is no option `{word}`\nhelp: {help}"));
    }
    let help = help(error, args, definition)?;
    Some(format!("{}\nhelp: {help}", without_usage(error)))
}

/// What to do about a mistake. `None` if the message of clap says it.
fn help(
    error: &clap::Error,
    args: &[OsString],
    definition: fn() -> clap::Command,
) -> Option<String> {
    let unknown = word(error, ContextKind::InvalidArg).unwrap_or_default();
    let is = |command: &str| args.get(1).is_some_and(|word| word == command);
    Some(match error.kind() {
        ErrorKind::UnknownArgument if unknown == "-c" => {
            "`agon run FILE` plays a config".to_owned()
        }
        ErrorKind::UnknownArgument if is("solve") && !unknown.starts_with('-') => {
            format!("write `agon solve --game {unknown}`")
        }
        ErrorKind::UnknownArgument if is("check-engine") => {
            "write the engine's own options after `--`, such as `agon check-engine -- ./engine \
             --hash 16`"
                .to_owned()
        }
        ErrorKind::MissingRequiredArgument if is("play") => {
            let kinds = Registry::builtin().games.iter().map(|game| game.kind).collect::<Vec<_>>();
            format!("name a game, such as `agon play connect4`: {}", kinds.join(", "))
        }
        ErrorKind::ArgumentConflict => {
            format!("leave one of them out; {}", explains(args, definition()))
        }
        ErrorKind::UnknownArgument if let Some(near) = word(error, ContextKind::SuggestedArg) => {
            format!("did you mean `{near}`? {}", explains(args, definition()))
        }
        ErrorKind::InvalidValue
            if let Some(word) = word(error, ContextKind::InvalidValue)
                && ScheduleFormat::from_word(word).is_some() =>
        {
            format!(
                "`--format` is the format of the output; `agon match A B C --schedule {word}` and \
                 `--set schedule.format={word}` choose who plays whom"
            )
        }
        // The message has the possible values, if there is a list of them.
        ErrorKind::InvalidValue
            if matches!(error.get(ContextKind::ValidValue),
                Some(ContextValue::Strings(all)) if !all.is_empty()) =>
        {
            return None;
        }
        ErrorKind::UnknownArgument
        | ErrorKind::InvalidValue
        | ErrorKind::MissingRequiredArgument
        | ErrorKind::ValueValidation => explains(args, definition()),
        _ => return None,
    })
}

/// The message of clap without its usage. It names the numbers that the option takes, in place of an
/// error of the standard library.
fn without_usage(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let ends = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"].map(|end| text.find(end));
    let end = ends.into_iter().flatten().min().unwrap_or(text.len());
    let numbers = match word(error, ContextKind::InvalidArg).unwrap_or_default() {
        option if option.starts_with("--games") => "write a whole number, 1 or greater",
        option if option.ends_with("<1-10>") => "write a whole number from 1 to 10",
        _ => WHOLE,
    };
    let plain = text[..end].trim_end().replace("invalid digit found in string", WHOLE);
    plain.replace(WHOLE, numbers)
}

/// A word that clap has noted about a mistake.
fn word(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word),
        _ => None,
    }
}

/// What to say in place of an error of the standard library.
const WHOLE: &str = "write a whole number, 0 or greater";

/// The answer to a key that another program takes as a word of its own, such as `tc` or `option.Hash`.
pub fn answer_to_key(key: &str) -> Option<&'static str> {
    let word = match key.split('.').next().unwrap_or_default() {
        "name" | "args" | "dir" => "engine",
        "format" | "order" | "file" | "plies" | "start" => "openings",
        "elo0" | "elo1" | "alpha" | "beta" | "model" => "sprt",
        "movenumber" => "draw",
        other => other,
    };
    let known = FOREIGN.iter().find(|(names, _)| names.contains(&word));
    known.map(|(_, answer)| *answer).or_else(|| config::keys_of_other_programs::answer(word))
}

/// The form of the command, and where its options are explained.
fn explains(args: &[OsString], mut definition: clap::Command) -> String {
    // Options of all commands get their place in each command.
    definition.build();
    let word = args.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    match definition.find_subcommand_mut(word) {
        Some(command) => {
            let form = command.render_usage().to_string();
            let form = form.trim_start_matches("Usage: ").trim_start_matches("agon ");
            format!("the form is `agon {form}`; `agon {word} --help` explains it")
        }
        None => "`agon --help` explains each option".to_owned(),
    }
}

/// An option of another program, or a long option with one dash, with its help.
fn foreign(args: &[OsString], mut definition: clap::Command) -> Option<(&str, String)> {
    let word = args.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    // Without a command, `agon FILE` was meant or `agon match`.
    let is_command = definition.find_subcommand(word).is_some();
    let is_match = word == "match" || !is_command;
    let word = if is_command { word } else { "run" };
    // Only these commands have options for what the other programs do.
    let plays = ["run", "match", "sprt", "tune", "example", "plan"].contains(&word);
    let long: Vec<String> = (definition.find_subcommand_mut(word).into_iter())
        .flat_map(|command| command.get_arguments())
        .filter_map(|arg| arg.get_long().map(str::to_owned))
        .collect();
    args.iter().skip(1).map_while(|arg| arg.to_str().filter(|arg| *arg != "--")).find_map(|arg| {
        let name = arg.strip_prefix('-')?.trim_start_matches('-').split('=').next()?;
        let is_known = long.iter().any(|known| known == name);
        if name.len() < 2 || is_known && arg.starts_with("--") {
            return None;
        }
        let answer = FOREIGN.iter().find(|(names, _)| plays && names.contains(&name));
        let answer = answer.filter(|(_, answer)| is_match || !answer.contains("`agon match"));
        let answer = answer.map(|(_, answer)| with_numbers(name, answer, args));
        let two_dashes = || is_known.then(|| format!("long options have two dashes: `--{name}`"));
        Some((arg, answer.or_else(two_dashes)?))
    })
}

/// The answer with the numbers of `-resign movecount=3 score=600` in place of its own.
fn with_numbers(option: &str, answer: &str, args: &[OsString]) -> String {
    let keys = [
        ("resign", "movecount", "resign_moves=4"),
        ("resign", "score", "resign_value=500"),
        ("draw", "movenumber", "draw_after=40"),
        ("draw", "movecount", "draw_moves=8"),
        ("draw", "score", "draw_value=10"),
    ];
    let mut rest = args.iter().filter_map(|arg| arg.to_str());
    rest.find(|arg| arg.trim_start_matches('-') == option && arg.starts_with('-'));
    let mut answer = answer.to_owned();
    for (key, number) in rest.map_while(|arg| arg.split_once('=')) {
        let known = keys.iter().find(|(of, known, _)| *of == option && *known == key);
        if let Some((_, _, example)) = known
            && let Some((own, _)) = example.split_once('=')
            && number.parse::<u32>().is_ok()
        {
            answer = answer.replace(example, &format!("{own}={number}"));
        }
    }
    answer
}

/// The message for two words that are no command: a misspelt command, or players without `match`.
fn several_files(args: &[OsString], definition: &clap::Command) -> Option<String> {
    let word = |at: usize| args.get(at)?.to_str().filter(|word| !word.starts_with('-'));
    let (first, _) = (word(1)?, word(2)?);
    let names: Vec<&str> = definition.get_subcommands().map(clap::Command::get_name).collect();
    if names.contains(&first) || first == "help" {
        return None;
    }
    Some(match nearest(first, &names) {
        Some(near) => format!("there is no command `{first}`\nhelp: did you mean `agon {near}`?"),
        None => format!(
            "`agon FILE` plays one config, and `{first}` is not alone\n\
             help: `agon match A B` plays agents against each other"
        ),
    })
}
