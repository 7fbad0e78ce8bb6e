//! `agon replay`: prints a recorded game, move by move.

use std::io::Write;

use super::arg_types::ReplayFormat;
use super::args::ReplayArgs;
use super::exit_codes::{self, Failure};
use super::print_results::terminal_width;
use super::report;
use crate::arena::{Folder, MoveStats, find_game, pgn, repair_help};
use crate::gather::Each;
use crate::play::Registry;
use crate::report::{Replay, counted};

/// Prints the game.
pub fn run(args: &ReplayArgs, registry: &Registry) -> Result<u8, Failure> {
    let folder = Folder::new(&args.dir);
    let (experiment, ..) = report::played(&folder, registry)?;
    let games = folder.file("games.csv");
    let (names, found, there) = find_game(&folder, args.game).map_err(report::unreadable)?;
    let Some(game) = found else {
        return Err(Failure::Usage(format!(
            "{} has no game {}; it holds {}\nhelp: the first column has the number of each game",
            games.display(),
            args.game,
            counted(there, "game")
        )));
    };
    let mut frames = Vec::new();
    let mut see = |frame| {
        frames.push(frame);
        true
    };
    let no_game = |message| {
        Failure::Usage(format!(
            "{}: the moves of game {} are none of {}: {message}\nhelp: {}",
            games.display(),
            args.game,
            experiment.game_in_words,
            repair_help(&games)
        ))
    };
    let world = &experiment.world;
    world.replay(&game.opening, &game.moves, &mut see).map_err(no_game)?;
    let mut looked =
        MoveStats::of(&folder, &[args.game].into(), &names).map_err(report::unreadable)?;
    let moves = looked.moves.remove(&args.game).unwrap_or_default();
    let players = [game.row.first, game.row.second].each(|agent| names[agent].clone());
    let replay = Replay { experiment: experiment.name.clone(), players, game, frames, moves };
    let kind = world.kind();
    let text = match args.to {
        ReplayFormat::Text => replay.text(terminal_width()),
        ReplayFormat::Svg => replay.svg().ok_or_else(|| {
            let text = format!("positions of this game of {kind} have no pictures");
            Failure::Usage(format!("{text}\nhelp: `--to text`"))
        })?,
        ReplayFormat::Pgn => {
            let players = replay.players.each_ref().map(String::as_str);
            let written =
                pgn(&folder, (world, &replay.experiment), players, &replay.game, &replay.moves);
            let written = written.ok_or_else(|| {
                let text = format!("PGN is a notation of chess; this is a game of {kind}");
                Failure::Usage(format!("{text}\nhelp: `--to text` or `--to svg`"))
            })?;
            written.map_err(no_game)?
        }
    };
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(exit_codes::DONE)
}
