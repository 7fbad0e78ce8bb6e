//! `agon check-game`: tests whether the rules of a program are what agon relies on.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, scope};
use std::time::Instant;

use clap::Args;
use rand::Rng;
use rand::rngs::ChaCha8Rng;
use serde_json::json;

use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::print_text;
use crate::cli::signals::StopSignal;
use crate::config;
use crate::games::{Game, GameExt, Player, Scoring, Shortcuts, Symmetry, Turn};
use crate::play::{AnyGame, AnyState, RulesFailure, StreamRole, stream};
use crate::report::{TableFormat, counted, grouped};

/// Tests the rules of a program, or of any other game.
///
/// Two processes of the program play the same random games. All their answers must be the same,
/// every state must be read again, every move must be unique and accepted, and games must end. A
/// fault is shown with the conversation.
///
/// For example: agon check-game ./hex.py
///
/// Exit code 0: no fault; 7: a fault.
#[derive(Debug, Args)]
pub struct CheckGameArgs {
    /// The command of the program, such as ./hex.py or "python3 hex.py", or the SPEC of a game.
    game: String,
    /// Number of random games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// The largest number of plies of a random game.
const MOST_PLIES: u64 = 10_000;

/// The number of keys that are compared.
const MOST_KEYS: usize = 50_000;

/// A fault of the rules.
struct RulesFault {
    what: String,
    /// The conversation that led to it; empty if answers differ without one.
    transcript: String,
    /// The end of the conversation, for people.
    shown: String,
}

impl From<RulesFailure> for RulesFault {
    fn from(failure: RulesFailure) -> Self {
        let shown = failure.end_of_conversation();
        RulesFault { what: failure.what, transcript: failure.transcript, shown }
    }
}

/// Counts of random games.
#[derive(Default)]
struct Counts {
    games: u64,
    positions: u64,
    plies: [u64; 2],
    moves: [u64; 2],
    /// Wins of the first player, draws, wins of the second player.
    results: [u64; 3],
    /// Positions in which each side was to move.
    turns: [u64; 2],
}

/// Checks the game and prints what was found.
pub fn run(args: &CheckGameArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    // A signal ends the program with all its processes.
    let _stop = StopSignal::listen(true)?;
    let (_, game) = config::parse_game_spec(&args.game, "--game", context.registry)?;
    let begin = Instant::now();
    let mut counts = Counts::default();
    let fault = check(&game, args, &mut counts).err();
    let seconds = begin.elapsed().as_secs_f64();
    let text = match context.format {
        TableFormat::Json => as_json(args, &counts, fault.as_ref()),
        _ => as_text(args, &counts, seconds, fault.as_ref()),
    };
    print_text(&text)?;
    Ok(if fault.is_some() { exit_codes::ENGINE_FAILS } else { exit_codes::DONE })
}

/// Plays the games with two processes, in two threads, and compares them.
fn check(game: &AnyGame, args: &CheckGameArgs, counts: &mut Counts) -> Result<(), RulesFault> {
    let (sender, others) = sync_channel(1);
    scope(|scope| {
        let other = Builder::new().spawn_scoped(scope, || play_again(game, args, sender));
        let other = other.map_err(|error| fault(format!("cannot start a thread: {error}")))?;
        let played = caught(|| compare(game, args, &others, counts));
        drop(others);
        match (played, other.join()) {
            (_, Err(payload)) => Err(failure_of(payload)),
            (played, Ok(())) => played,
        }
    })
}

/// Plays all games in this thread, and sends the lines of each.
fn play_again(game: &AnyGame, args: &CheckGameArgs, sender: SyncSender<Vec<String>>) {
    for number in 1..=args.games {
        let mut lines = Vec::new();
        let played = random_game(game, args.seed, number, &mut |state| {
            lines.push(described(game, state));
            Ok(())
        });
        if sender.send(lines).is_err() || played.is_err() {
            return;
        }
    }
}

/// Plays all games in this thread, checks each position, and compares it with the other process.
fn compare(
    game: &AnyGame,
    args: &CheckGameArgs,
    others: &Receiver<Vec<String>>,
    counts: &mut Counts,
) -> Result<(), RulesFault> {
    let mut keys = HashMap::new();
    for number in 1..=args.games {
        let (mut lines, mut plies) = (Vec::new(), 0);
        random_game(game, args.seed, number, &mut |state| {
            // First, because only unknown positions are asked for a playout.
            let number = counts.positions;
            check_playout(game, state, || stream(args.seed, StreamRole::Second, number))?;
            check_position(game, state)?;
            check_key(game, state, &mut keys)?;
            lines.push(described(game, state));
            plies += u64::from(matches!(game.turn(state), Turn::Player(_)));
            count(game, state, counts);
            Ok(())
        })?;
        counts.games += 1;
        let [shortest, longest] = counts.plies;
        counts.plies =
            if counts.games == 1 { [plies; 2] } else { [shortest.min(plies), longest.max(plies)] };
        // Without the lines of the other thread, its own failure is shown.
        let Ok(other) = others.recv() else { return Ok(()) };
        if let Some(at) =
            (0..lines.len().max(other.len())).find(|&at| lines.get(at) != other.get(at))
        {
            let line = |lines: &[String]| {
                lines.get(at).map_or("(the game is over)", String::as_str).to_owned()
            };
            return Err(fault(format!(
                "two processes of the program have different answers for the same position:\n  {}\n  {}",
                line(&lines),
                line(&other)
            )));
        }
    }
    Ok(())
}

fn count(game: &AnyGame, state: &AnyState, counts: &mut Counts) {
    counts.positions += 1;
    match game.turn(state) {
        Turn::Over => {
            let result = match game.scoring().winner(state) {
                Some(Player::First) => 0,
                None => 1,
                Some(Player::Second) => 2,
            };
            counts.results[result] += 1;
        }
        Turn::Player(player) => {
            counts.turns[player.index()] += 1;
            let moves = game.legal_moves(state).len() as u64;
            let [fewest, most] = counts.moves;
            let is_first = counts.turns == [1, 0] || counts.turns == [0, 1];
            counts.moves = if is_first { [moves; 2] } else { [fewest.min(moves), most.max(moves)] };
        }
        Turn::Chance => {}
    }
}

/// Plays a random game and passes each position to `see`.
fn random_game(
    game: &AnyGame,
    seed: u64,
    number: u64,
    see: &mut dyn FnMut(&AnyState) -> Result<(), RulesFault>,
) -> Result<(), RulesFault> {
    let mut rng = stream(seed, StreamRole::First, number);
    let mut state = game.start();
    for _ in 0..=MOST_PLIES {
        see(&state)?;
        let mv = match game.turn(&state) {
            Turn::Over => return Ok(()),
            Turn::Player(_) => game.shortcuts().random_move(&state, &mut rng, &mut Vec::new()),
            Turn::Chance => game.shortcuts().random_outcome(&state, &mut rng, &mut Vec::new()),
        };
        game.play(&mut state, mv);
    }
    Err(fault(format!(
        "a random game has not ended after {} plies; the last position is `{}`",
        grouped(MOST_PLIES),
        game.write_position(&state)
    )))
}

/// Checks that the state is read again as it is, and that all moves are accepted and change it.
fn check_position(game: &AnyGame, state: &AnyState) -> Result<(), RulesFault> {
    let text = game.write_position(state);
    let read = game
        .read_position(&text)
        .map_err(|why| fault(format!("the state `{text}` is not read again: {why}")))?;
    let (first, second) = (described(game, state), described(game, &read));
    if first != second {
        return Err(fault(format!(
            "the same position has two different answers:\n  {first}\n  {second}"
        )));
    }
    let mut outcomes = Vec::new();
    if game.turn(state) == Turn::Chance {
        game.outcomes(state, &mut outcomes);
    }
    let moves = game.legal_moves(state).into_iter().chain(outcomes.iter().map(|&(mv, _)| mv));
    for mv in moves {
        if game.after(state, mv) == *state {
            let mv = game.move_text(state, mv);
            return Err(fault(format!("the move `{mv}` does not change the state `{text}`")));
        }
    }
    Ok(())
}

/// Checks that a playout is the same as its plies one by one, and that it stops at a number that is
/// not fair.
fn check_playout(
    game: &AnyGame,
    state: &AnyState,
    random_numbers: impl Fn() -> ChaCha8Rng,
) -> Result<(), RulesFault> {
    // Not even one move is drawn fairly by 0. It follows the numbers of each second playout.
    let (rng, mut numbers) = (&mut random_numbers(), random_numbers());
    numbers.next_u32();
    let most = match rng.next_u32() % 16 {
        last @ 1..=8 => last,
        _ => u32::MAX,
    };
    let mut drawn = 0;
    let mut next = || {
        drawn += 1;
        if drawn > most { 0 } else { numbers.next_u32() }
    };
    let mut at_once = state.clone();
    let played = game.shortcuts().random_plies(&mut at_once, &mut next, u32::MAX);
    let (mut one_by_one, mut counts) = (state.clone(), [0; 2]);
    for _ in 0..played[0] + played[1] {
        let mv = match game.turn(&one_by_one) {
            Turn::Over => break,
            Turn::Player(_) => game.shortcuts().random_move(&one_by_one, rng, &mut Vec::new()),
            Turn::Chance => game.shortcuts().random_outcome(&one_by_one, rng, &mut Vec::new()),
        };
        counts[usize::from(game.turn(&one_by_one) == Turn::Chance)] += 1;
        game.play(&mut one_by_one, mv);
    }
    if played[0] + played[1] <= most && played == counts && at_once == one_by_one {
        return Ok(());
    }
    let text = game.write_position(state);
    Err(fault(format!(
        "a playout from the state `{text}` is not that of its numbers: {} instead of {}",
        described_playout(game, played, &at_once),
        described_playout(game, counts, &one_by_one)
    )))
}

fn described_playout(game: &AnyGame, [moves, outcomes]: [u32; 2], end: &AnyState) -> String {
    let end = game.write_position(end);
    format!(
        "{} and {} to `{end}`",
        counted(moves.into(), "move"),
        counted(outcomes.into(), "outcome")
    )
}

/// Side to move, number of moves and result of a position, and the position.
type Worth = (Turn, usize, i32, String);

/// Checks that positions with the same key have the same side to move, number of moves and result.
fn check_key(
    game: &AnyGame,
    state: &AnyState,
    keys: &mut HashMap<u64, Worth>,
) -> Result<(), RulesFault> {
    let turn = game.turn(state);
    let worth = match turn {
        Turn::Over => (turn, 0, game.payoff(state)),
        Turn::Player(_) => (turn, game.legal_moves(state).len(), 0),
        Turn::Chance => (turn, 0, 0),
    };
    let key = game.symmetry().canonical_key(state);
    match keys.get(&key) {
        Some((turn, moves, payoff, other)) if (*turn, *moves, *payoff) != worth => {
            let state = game.write_position(state);
            Err(fault(format!(
                "the states `{other}` and `{state}` have the same key, but not the same side to move, \
                 number of moves or result"
            )))
        }
        None if keys.len() < MOST_KEYS => {
            let (turn, moves, payoff) = worth;
            keys.insert(key, (turn, moves, payoff, game.write_position(state)));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A position in one line: the state, who is to move, and the moves.
fn described(game: &AnyGame, state: &AnyState) -> String {
    let mut line = game.write_position(state);
    match game.turn(state) {
        Turn::Over => {
            line += &format!(" | end {} {}", game.payoff(state), game.reason(state));
        }
        Turn::Player(player) => {
            line += &format!(" | {}", player.name());
            for mv in game.legal_moves(state) {
                line.push(' ');
                game.write_move(state, mv, &mut line);
            }
        }
        Turn::Chance => {
            line += " | chance";
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            for (outcome, weight) in outcomes {
                line += &format!(" {}:{weight}", game.move_text(state, outcome));
            }
        }
    }
    line
}

fn fault(what: String) -> RulesFault {
    RulesFault { what, transcript: String::new(), shown: String::new() }
}

/// Runs the check, and makes a fault of a failure of the program.
fn caught(check: impl FnOnce() -> Result<(), RulesFault>) -> Result<(), RulesFault> {
    catch_unwind(AssertUnwindSafe(check)).unwrap_or_else(|payload| Err(failure_of(payload)))
}

fn failure_of(payload: Box<dyn std::any::Any + Send>) -> RulesFault {
    match RulesFailure::of_payload(payload) {
        Ok(failure) => failure.into(),
        Err(panic) => resume_unwind(panic),
    }
}

fn as_text(
    args: &CheckGameArgs,
    counts: &Counts,
    seconds: f64,
    fault: Option<&RulesFault>,
) -> String {
    if let Some(fault) = fault {
        return format!("{}: {}\n{}", args.game, fault.what, fault.shown);
    }
    let [first, draws, second] = counts.results;
    let ([shortest, longest], [fewest, most]) = (counts.plies, counts.moves);
    let mut text = format!(
        "{}: no fault in {} (seed {})\n\
         {shortest} to {longest} plies, {fewest} to {most} moves; the first player wins {first}, \
         draws {draws}, the second player wins {second}\n",
        args.game,
        counted(counts.games, "random game"),
        args.seed,
    );
    let rate = counts.positions as f64 / seconds.max(1e-9);
    text += &format!(
        "{}, {} a second with all checks\n",
        counted(counts.positions, "position"),
        grouped(rate as u64)
    );
    for player in Player::BOTH {
        if counts.turns[player.index()] == 0 {
            text += &format!("note: the {} player never moves\n", player.name());
        }
    }
    text
}

fn as_json(args: &CheckGameArgs, counts: &Counts, fault: Option<&RulesFault>) -> String {
    let [first, draws, second] = counts.results;
    let value = json!({
        "game": args.game,
        "fault": fault.map(|fault| &fault.what),
        "conversation": fault.map(|fault| &fault.transcript),
        "games": counts.games,
        "positions": counts.positions,
        "first_wins": first,
        "draws": draws,
        "second_wins": second,
        "plies": counts.plies,
        "moves": counts.moves,
    });
    format!("{value:#}\n")
}
