//! `agon replay`: prints a recorded game, move by move.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::arena::{MoveStats, find_game, repair_help};
use crate::cli::argument_types::words;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::cli::read_results_folder::{existing_run, played, unreadable};
use crate::games::{Drawing, Game};
use crate::report::{Replay, counted, pgn};

/// The output format of a recorded game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReplayFormat {
    /// Boards and text.
    Text,
    /// One picture with all positions.
    Svg,
    /// Portable Game Notation, for chess.
    Pgn,
}

/// Shows a recorded game, move by move.
///
/// Shows who moved and the board after each move. If moves.csv has them, also shows the
/// nodes, the depth, the time and the agent's value. Positive values are good for the first
/// player.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The results folder.
    dir: PathBuf,
    /// The number of the game, from 1.
    game: u64,
    /// Output format.
    #[arg(long, value_enum, ignore_case = true, value_name = "FORM",
        default_value_t = ReplayFormat::Text)]
    #[arg(value_parser = words::<ReplayFormat>())]
    to: ReplayFormat,
}

pub fn run(args: &ReplayArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let registry = context.registry;
    let folder = existing_run(&args.dir)?;
    let experiment = played(&folder, registry)?.experiment;
    experiment.any_game.check_has_moves()?;
    let games = folder.file("games.csv");
    let (names, found, there) = find_game(&folder, args.game).map_err(unreadable)?;
    let Some(game) = found else {
        let (file, number, there) = (games.display(), args.game, counted(there, "game"));
        return Err(Failure::usage(
            format!("{file} has no game {number}; it has {there}"),
            "use the number in the first column of games.csv",
        ));
    };
    let mut frames = Vec::new();
    let mut see = |frame| {
        frames.push(frame);
        true
    };
    let no_game = |message| {
        let (file, number, kind) = (games.display(), args.game, &experiment.game_in_words);
        let message = format!("{file}: game {number} has invalid moves for {kind}: {message}");
        Failure::usage(message, repair_help(&games))
    };
    let any_game = &experiment.any_game;
    any_game.replay(&game.opening, &game.moves, &mut see).map_err(no_game)?;
    let mut stats = MoveStats::of_games(&folder, &[args.game].into()).map_err(unreadable)?;
    let moves = stats.moves.remove(&args.game).unwrap_or_default();
    let players = [game.row.first, game.row.second].map(|agent| names[agent].clone());
    let replay = Replay { experiment: experiment.name.clone(), players, game, frames, moves };
    let kind = any_game.kind();
    let text = match args.to {
        ReplayFormat::Text => {
            replay.text(terminal_width(), &|state| any_game.drawing().text(state))
        }
        ReplayFormat::Svg => replay.svg().ok_or_else(|| {
            let message = format!("positions of this game of {kind} have no pictures");
            Failure::usage(message, "use `--to text`")
        })?,
        ReplayFormat::Pgn => {
            let players = replay.players.each_ref().map(String::as_str);
            let written = pgn(&folder, &experiment, players, &replay.game, &replay.moves);
            let written = written.ok_or_else(|| {
                let message = format!("PGN supports only chess; this is a game of {kind}");
                Failure::usage(message, "use `--to text` or `--to svg`")
            })?;
            written.map_err(no_game)?
        }
    };
    print_text(&text)?;
    Ok(exit_codes::DONE)
}
