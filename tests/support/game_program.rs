//! A program of rules for testing: serves a game of agon by the pipe, so that it can be compared with
//! the game itself. With a fault, it shows the fault after some questions.
//!
//! It is the example `game_program`, so `cargo build` and `cargo install` leave it out.

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use agon::config::parse_game_spec;
use agon::games::{Drawing, Game, GameExt, Notation, Scoring, Symmetry, Turn};
use agon::play::{AnyGame, AnyState, Registry};
use clap::{Parser, ValueEnum};

/// What is wrong with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RulesFault {
    /// Ends with status 3.
    Exit,
    /// Sleeps.
    Sleep,
    /// Writes its answers too late, all at once.
    Late,
    /// Writes a line of debug text before the answer.
    Debug,
    /// Writes lines that end in CRLF.
    Crlf,
    /// Writes bytes in Latin-1.
    Latin1,
    /// Writes a line of 10 MB.
    LongLine,
    /// Writes a move with a blank.
    Blank,
    /// Writes no moves and no result.
    NoMoves,
    /// Writes outcomes with weight 0.
    ZeroWeight,
    /// Writes outcomes with negative weights.
    NegativeWeight,
    /// The first player never moves.
    OneSided,
    /// Has a third player.
    ThirdPlayer,
    /// Does not accept the moves that it lists.
    RefusesMoves,
    /// Lists a move twice.
    MoveTwice,
    /// Gives another answer each time.
    Changing,
    /// Lists the moves in another order each time.
    Shuffled,
    /// Lists the moves in another order in each process.
    SetOrder,
    /// Answers all moves of a question but the last.
    Fewer,
    /// Writes each answer for one move twice.
    Twice,
    /// Writes each answer for one move again after the next question.
    LateTwice,
    /// Gives all positions the same key.
    OneKey,
    /// Plays the next move in the list in a playout.
    OtherPlayout,
    /// Uses each number in a playout.
    UnfairPlayout,
    /// Does not draw.
    NoDrawing,
    /// Does not read its own states.
    NoStates,
    /// The game never ends.
    Endless,
}

/// Serves the rules of a game.
#[derive(Parser)]
struct Args {
    /// The game, such as `kalah` or `pig:goal=20`.
    game: String,
    /// Shows this fault.
    #[arg(long)]
    fault: Option<RulesFault>,
    /// The number of questions that are answered without the fault.
    #[arg(long, default_value_t = 2)]
    after: u32,
    /// Gives symmetric positions the same key.
    #[arg(long)]
    keys: bool,
    /// Plays random plies by the numbers of a question.
    #[arg(long)]
    playouts: bool,
    /// Writes the number of questions into this file.
    #[arg(long)]
    count: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Ok((_, game)) = parse_game_spec(&args.game, "", &Registry::builtin()) else {
        eprintln!("there is no game `{}`", args.game);
        return ExitCode::from(2);
    };
    let Args { fault, after, keys, playouts, count, .. } = args;
    let mut rules = Rules { game, fault, asked: 0, after, keys, playouts, count };
    match rules.serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}

struct Rules {
    game: AnyGame,
    fault: Option<RulesFault>,
    asked: u32,
    after: u32,
    keys: bool,
    playouts: bool,
    count: Option<PathBuf>,
}

impl Rules {
    fn serve(&mut self) -> io::Result<()> {
        let (mut line, mut answer) = (String::new(), String::new());
        let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
        loop {
            line.clear();
            answer.clear();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            self.answer(line.trim_end_matches('\n'), &mut answer);
            self.asked += 1;
            if let Some(path) = &self.count {
                std::fs::write(path, self.asked.to_string())?;
            }
            if self.asked > self.after
                && let Some(fault) = self.fault
            {
                output.write_all(&faulty(fault, &line, &answer, self.asked))?;
            } else {
                output.write_all(answer.as_bytes())?;
            }
            output.flush()?;
        }
    }

    fn answer(&self, line: &str, out: &mut String) {
        let mut fields = line.split('\t');
        let word = fields.next().unwrap_or_default();
        let state = fields.next().map(|text| self.game.read_position(text));
        match (word, state) {
            ("agon-game 1", _) => {
                out.push_str("agon-game 1 draw");
                out.push_str(if self.keys { " key" } else { "" });
                out.push_str(if self.playouts { " playout" } else { "" });
                out.push_str(if self.game.has_chance() { " chance" } else { "" });
                out.push_str(if self.game.scoring().numeric_score() { " points" } else { "" });
                out.push('\n');
            }
            ("start", _) => self.position(&self.game.start(), out),
            (_, Some(Err(why))) => {
                let _ = writeln!(out, "error\t{}", why.replace(['\n', '\t'], " "));
            }
            ("state", Some(Ok(state))) => self.position(&state, out),
            ("draw", Some(Ok(state))) => {
                let drawn = self.game.drawing().text(&state);
                out.push_str(&drawn.trim_end_matches('\n').replace('\n', "\t"));
                out.push('\n');
            }
            ("play", Some(Ok(state))) => {
                for text in fields {
                    match self.game.notation().read_move(&state, text) {
                        Ok(mv) => self.position(&self.game.after(&state, mv), out),
                        Err(why) => {
                            let _ = writeln!(out, "error\t{why}");
                        }
                    }
                }
            }
            ("playout", Some(Ok(state))) => self.playout(state, fields, out),
            _ => out.push_str("error\tunknown question\n"),
        }
    }

    fn playout<'a>(
        &self,
        mut state: AnyState,
        mut fields: impl Iterator<Item = &'a str>,
        out: &mut String,
    ) {
        let game = &self.game;
        let mv = game.notation().read_move(&state, fields.next().unwrap_or_default());
        game.play(&mut state, mv.expect("agon plays legal moves"));
        self.position(&state, out);
        let mut counts = [0; 2];
        for field in fields {
            let number: u64 = field.parse().expect("agon writes numbers");
            let mut choices = Vec::new();
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Player(_) => choices = game.legal_moves(&state),
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.outcomes(&state, &mut outcomes);
                    for (outcome, weight) in outcomes {
                        choices.extend((0..weight).map(|_| outcome));
                    }
                }
            }
            let product = number * choices.len() as u64;
            let is_unfair = (product as u32 as usize) < choices.len();
            if is_unfair && self.fault != Some(RulesFault::UnfairPlayout) {
                break;
            }
            counts[usize::from(game.turn(&state) == Turn::Chance)] += 1;
            let other = usize::from(self.fault == Some(RulesFault::OtherPlayout));
            let index = (product >> 32) as usize + other;
            game.play(&mut state, choices[index % choices.len()]);
        }
        let _ = writeln!(out, "{} {}", counts[0], counts[1]);
        self.position(&state, out);
    }

    fn position(&self, state: &AnyState, out: &mut String) {
        let game = &self.game;
        out.push_str(&game.write_position(state));
        if let Some(RulesFault::OneKey) = self.fault {
            out.push_str("\tkey");
        } else if self.keys {
            let _ = write!(out, "\t{:x}", game.symmetry().canonical_key(state));
        }
        match game.turn(state) {
            Turn::Over => {
                let _ = write!(out, "\tend {} {}", game.payoff(state), game.reason(state));
            }
            Turn::Player(player) => {
                let _ = write!(out, "\t{}", player.name());
                for mv in game.legal_moves(state) {
                    out.push('\t');
                    game.write_move(state, mv, out);
                }
            }
            Turn::Chance => {
                out.push_str("\tchance");
                let mut outcomes = Vec::new();
                game.outcomes(state, &mut outcomes);
                for (outcome, weight) in outcomes {
                    out.push('\t');
                    game.write_move(state, outcome, out);
                    let _ = write!(out, " {weight}");
                }
            }
        }
        out.push('\n');
    }
}

/// The answer with the fault.
fn faulty(fault: RulesFault, question: &str, answer: &str, asked: u32) -> Vec<u8> {
    let state = answer.split('\t').next().unwrap_or_default();
    let is_one_move = question.starts_with("play") && question.split('\t').count() == 3;
    let text = match fault {
        RulesFault::Exit => std::process::exit(3),
        RulesFault::Sleep => {
            sleep(Duration::from_secs(60));
            String::new()
        }
        RulesFault::Late => {
            sleep(Duration::from_millis(1500));
            answer.to_owned()
        }
        RulesFault::Debug => format!("Debug: {asked}\n{answer}"),
        RulesFault::Crlf => answer.replace('\n', "\r\n"),
        RulesFault::Latin1 => {
            let mut bytes = answer.as_bytes().to_vec();
            bytes.insert(0, 0xE9);
            return bytes;
        }
        RulesFault::LongLine => format!("{}\n", "x".repeat(10_000_000)),
        RulesFault::Blank => format!("{state}\tfirst\ta move\n"),
        RulesFault::NoMoves => format!("{state}\tfirst\n"),
        RulesFault::ZeroWeight => format!("{state}\tchance\t1 0\t2 1\n"),
        RulesFault::NegativeWeight => format!("{state}\tchance\t1 -1\t2 1\n"),
        RulesFault::OneSided => answer.replace("\tfirst", "\tsecond"),
        RulesFault::ThirdPlayer => format!("{state}\tthird\ta\n"),
        RulesFault::RefusesMoves if question.starts_with("play") => {
            let moves = question.split('\t').count() - 2;
            "error\tno such move\n".repeat(moves)
        }
        RulesFault::MoveTwice => format!("{state}\tfirst\ta\tb\ta\n"),
        RulesFault::Changing => answer.replacen('\t', &format!(" {asked}\t"), 1),
        RulesFault::Shuffled => with_moves_rotated(answer, asked),
        RulesFault::SetOrder => with_moves_rotated(answer, std::process::id()),
        RulesFault::Fewer => {
            let lines: Vec<&str> = answer.split_inclusive('\n').collect();
            lines[..lines.len().max(2) - 1].concat()
        }
        RulesFault::Twice if is_one_move => answer.repeat(2),
        RulesFault::LateTwice if is_one_move => {
            let _ = io::stdout().write_all(answer.as_bytes());
            let _ = io::stdout().flush();
            sleep(Duration::from_millis(200));
            answer.to_owned()
        }
        RulesFault::NoDrawing if question.starts_with("draw") => "error\tno board\n".to_owned(),
        RulesFault::NoStates if question.starts_with("state") => "error\tno state\n".to_owned(),
        RulesFault::Endless => format!("{asked}\tfirst\ta\tb\n"),
        RulesFault::RefusesMoves
        | RulesFault::NoStates
        | RulesFault::NoDrawing
        | RulesFault::Twice
        | RulesFault::OneKey
        | RulesFault::OtherPlayout
        | RulesFault::UnfairPlayout
        | RulesFault::LateTwice => answer.to_owned(),
    };
    text.into_bytes()
}

/// The answer with the moves of each position in an order that depends on the seed.
fn with_moves_rotated(answer: &str, seed: u32) -> String {
    let rotated = |(index, line): (u32, &str)| {
        let mut fields: Vec<&str> = line.split('\t').collect();
        if let Some(moves @ [_, _, ..]) = fields.get_mut(2..) {
            let places = seed.wrapping_add(index).wrapping_mul(0x9E37_79B9) >> 16;
            moves.rotate_left(places as usize % moves.len());
        }
        fields.join("\t") + "\n"
    };
    (0..).zip(answer.lines()).map(rotated).collect()
}
