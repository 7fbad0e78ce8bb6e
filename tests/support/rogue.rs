//! A faulty engine for testing engine hosts. It plays the first legal move of any game in UGI, UCI or
//! GTP. After some moves it shows its fault.
//!
//! It is the example `rogue`, so `cargo build` and `cargo install` leave it out.
//! `cargo build --example rogue` builds it, and tests find it as `engines::ROGUE`.

mod hostile;

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, StdinLock, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio, abort, exit};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::sleep;
use std::time::Duration;

use agon::config::{hash_of_text, parse_game_spec};
use agon::engine::{GtpCommand, UciCommand};
use agon::games::{Game, GameExt, Turn};
use agon::play::{AnyGame, Registry};
use clap::{Parser, ValueEnum};
use rustix::process::{Signal, getpid, kill_process, setsid};

/// The fault of a faulty engine when it is asked for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineFault {
    /// No fault: it answers at once.
    Instant,
    /// Plays a random legal move, and does not report that it is random.
    Random,
    /// Ends with status 3.
    Exit,
    /// Ends by SIGABRT.
    Abort,
    /// Ends by SIGSEGV.
    Segfault,
    /// Answers with a move that does not exist.
    Illegal,
    /// Answers `--wrong` times with a move that does not exist, and then with a legal move, where the
    /// number of moves so far is a multiple of `--one-in`.
    Mistaken,
    /// Answers without a move.
    None,
    /// Writes bytes that are not text, and no move.
    Garbage,
    /// Writes one line of 50 MB, and no move.
    LongLine,
    /// Sends every move twice, the second time a little later.
    Twice,
    /// Sends info lines without end, as fast as it can.
    Flood,
    /// Sends info lines without end, every 50 ms.
    Drip,
    /// Sleeps.
    Sleep,
    /// Uses the processor without end.
    Spin,
    /// Closes its output and continues to run.
    CloseStdout,
    /// Sleeps, and ignores SIGTERM.
    IgnoreTerm,
    /// Writes nothing.
    NoHandshake,
    /// Answers only after `stop`, and then late.
    Late,
    /// Ends, but its child keeps its output open.
    Fork,
    /// Leaves a process of another session with each move, and continues.
    Escape,
    /// The process that `escape` starts: leaves its session, starts a process and ends.
    Escaped,
    /// Stops itself, as a debugger would.
    Freeze,
    /// Says that its provider is unavailable, then answers without a move.
    Unavailable,
    /// Says that its provider is unavailable, and does not answer.
    UnavailableOnly,
    /// Ends with status 75.
    TempFail,
    /// Is `unavailable`, `unavailable-only` or `temp-fail` at random, in one of `--one-in` moves.
    Flaky,
    /// Is `flaky`; also crashes, answers first with an illegal move, and has costs, each by a number
    /// from 0 to 999 that follows from the position: below 2, below 52, and this number of thousandths.
    Scripted,
    /// Attacks the machine once; the name of its folder says how. Plays an illegal move if that
    /// succeeds.
    Hostile,
}

/// A faulty engine for testing engine hosts.
#[derive(Debug, Parser)]
struct RogueArgs {
    /// The fault.
    kind: EngineFault,
    /// The game, until the option `Game` sets another one.
    #[arg(long, value_name = "SPEC", default_value = "connect4")]
    game: String,
    /// Number of correct moves before the fault.
    #[arg(long, value_name = "N", default_value_t = 0)]
    after: u64,
    /// `flaky`, `mistaken`: the number of moves for one failure.
    #[arg(long, value_name = "N", default_value_t = 40)]
    one_in: u64,
    /// The text of a line `info string cost` with each move.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    cost: Option<String>,
    /// This line comes after the move.
    #[arg(long)]
    cost_after_move: bool,
    /// `mistaken`: the number of illegal answers before a legal one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    wrong: u64,
}

fn main() -> ExitCode {
    hostile::run_copy(&std::env::args().nth(1).unwrap_or_default());
    match run(&RogueArgs::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs the engine until its input ends.
fn run(args: &RogueArgs) -> io::Result<()> {
    let registry = Registry::builtin();
    let (_, any_game) =
        parse_game_spec(&args.game, "--game", &registry).map_err(io::Error::other)?;
    if args.kind == EngineFault::IgnoreTerm {
        // The flag is never read.
        let ignored = Arc::<AtomicBool>::default();
        signal_hook::flag::register(signal_hook::consts::SIGTERM, ignored)?;
    }
    if args.kind == EngineFault::Escaped {
        // In a session of its own, signals to the process group no longer arrive.
        setsid()?;
        Command::new("sleep").arg("3600").spawn()?;
        return Ok(());
    }
    let mut engine = MockEngine {
        kind: args.kind,
        correct_moves: args.after,
        one_in: args.one_in,
        wrong: args.wrong,
        cost: args.cost.clone(),
        cost_after_move: args.cost_after_move,
        asked: Default::default(),
        registry,
        any_game,
        game: args.game.clone(),
        params: String::new(),
        position: Default::default(),
        gtp: None,
        input: io::stdin().lock(),
    };
    engine.serve()
}

/// The text of a position, unless it is the start, and the moves after it.
type Position = (Option<String>, String);

struct MockEngine {
    kind: EngineFault,
    /// The number of remaining moves before the fault.
    correct_moves: u64,
    one_in: u64,
    wrong: u64,
    cost: Option<String>,
    cost_after_move: bool,
    /// The last position in which a move was asked for, and how often.
    asked: (Position, u64),
    registry: Registry,
    any_game: AnyGame,
    game: String,
    params: String,
    /// The last position.
    position: Position,
    /// The `genmove` to answer, if the host speaks GTP.
    gtp: Option<GtpCommand>,
    input: StdinLock<'static>,
}

/// Writes a line and flushes it.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Answers a command of GTP. An empty line ends the answer.
fn say_in_gtp(command: &GtpCommand, text: &str) -> io::Result<()> {
    say(command.answer(&Ok(text.to_owned())).trim_end_matches('\n'))?;
    say("")
}

impl MockEngine {
    fn serve(&mut self) -> io::Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            if self.kind == EngineFault::NoHandshake {
                continue;
            }
            if let Some(command) = GtpCommand::parse(&line).filter(|command| command.id.is_some()) {
                self.execute_gtp(command)?;
                continue;
            }
            match UciCommand::parse(&line) {
                UciCommand::Greeting(words) => {
                    say("id name rogue\noption name Game type string default <empty>")?;
                    say("option name Params type string default <empty>")?;
                    say(&format!("{}ok", words.hello))?;
                }
                UciCommand::SetOption { name, value } => self.set(&name, value.unwrap_or_default()),
                UciCommand::IsReady => say("readyok")?,
                UciCommand::NewGame(_) => self.asked = Default::default(),
                UciCommand::Position { from, moves } => self.position = (from, moves),
                UciCommand::Go(_) => self.go()?,
                UciCommand::Quit => return Ok(()),
                _ => {}
            }
        }
    }

    /// Commands of GTP hosts, which are numbered. The game is `--game`.
    fn execute_gtp(&mut self, command: GtpCommand) -> io::Result<()> {
        let moves = &mut self.position.1;
        let text = match (command.name.as_str(), command.arguments.last()) {
            ("protocol_version", _) => "2",
            ("name", _) => "rogue",
            ("list_commands", _) => "boardsize\nclear_board\nplay\ngenmove",
            ("boardsize", _) => {
                self.asked = Default::default();
                ""
            }
            ("clear_board", _) => {
                moves.clear();
                ""
            }
            ("play", Some(mv)) => {
                moves.push_str(&format!(" {mv}"));
                ""
            }
            ("genmove", _) => {
                self.gtp = Some(command);
                return self.go();
            }
            _ => "",
        };
        say_in_gtp(&command, text)
    }

    /// Writes a move in the protocol of the host.
    fn say_move(&mut self, mv: &str) -> io::Result<()> {
        match &self.gtp {
            None => {
                let cost = self.cost.iter().map(|cost| format!("info string cost {cost}"));
                let mut lines: Vec<String> = cost.chain([format!("bestmove {mv}")]).collect();
                if self.cost_after_move {
                    lines.reverse();
                }
                say(&lines.join("\n"))
            }
            Some(command) => {
                // As hosts write it when they send the moves again.
                self.position.1.push_str(&format!(" {}", mv.to_lowercase()));
                say_in_gtp(command, mv)
            }
        }
    }

    /// Handles options that define the game.
    fn set(&mut self, name: &str, value: String) {
        match name {
            "Game" => (self.game, self.params) = (value, String::new()),
            "Params" => self.params = value,
            _ => return,
        }
        let spec = match self.params.as_str() {
            "" => self.game.clone(),
            params => format!("{}:{params}", self.game),
        };
        if let Ok((_, any_game)) = parse_game_spec(&spec, "Game", &self.registry) {
            self.any_game = any_game;
        }
    }

    /// Plays a legal move, the first one if `pick` is 0.
    fn answer(&mut self, pick: usize) -> io::Result<()> {
        let (position, moves) = &self.position;
        match legal_move(&self.any_game, position.as_deref(), moves, pick) {
            Ok(Some(mv)) => {
                say("info depth 1 nodes 1 score cp 0")?;
                self.say_move(&mv)
            }
            Ok(None) => self.say_move("(none)"),
            Err(why) => {
                say(&format!("info string {why}"))?;
                self.say_move("(none)")
            }
        }
    }

    /// Plays a correct move, if one is left before the fault.
    fn go(&mut self) -> io::Result<()> {
        if let Some(folder) = std::env::var_os("ROGUE_BUSY") {
            be_busy(Path::new(&folder))?;
        }
        if self.correct_moves == 0 && self.kind != EngineFault::Instant {
            return self.be_faulty();
        }
        self.correct_moves = self.correct_moves.saturating_sub(1);
        self.answer(0)
    }

    /// Fails in one of `one_in` moves, and first adds a line to the file `ROGUE_FAILURES`.
    fn be_flaky(&mut self) -> io::Result<()> {
        if !random_number().is_multiple_of(self.one_in) {
            return if self.kind == EngineFault::Scripted {
                self.be_scripted()
            } else {
                self.answer(0)
            };
        }
        if let Some(path) = std::env::var_os("ROGUE_FAILURES") {
            let mut file = OpenOptions::new().append(true).create(true).open(path)?;
            file.write_all(b"failure\n")?;
        }
        use EngineFault::{TempFail, Unavailable, UnavailableOnly};
        let kinds = [TempFail, Unavailable, UnavailableOnly];
        let failure = kinds[random_number() as usize % kinds.len()];
        let kind = std::mem::replace(&mut self.kind, failure);
        let failed = self.be_faulty();
        self.kind = kind;
        failed
    }

    /// What it answers depends on the position only, so it is the same in every thread.
    fn be_mistaken(&mut self) -> io::Result<()> {
        let moves = self.position.1.split_ascii_whitespace().count() as u64;
        let is_wrong = self.times_asked() <= self.wrong && moves.is_multiple_of(self.one_in);
        if is_wrong { self.say_move("z9z9") } else { self.answer(0) }
    }

    /// What it answers depends on the position only.
    fn be_scripted(&mut self) -> io::Result<()> {
        let hash = u64::from_str_radix(&hash_of_text(&self.position.1), 16);
        let number = hash.map_err(io::Error::other)? % 1000;
        if number < 2 {
            exit(3);
        }
        self.cost = Some(format!("0.{number:03}"));
        let is_wrong = number < 52 && self.times_asked() == 1;
        if is_wrong { self.say_move("z9z9") } else { self.answer(0) }
    }

    /// How often a move was asked for in this position, now included.
    fn times_asked(&mut self) -> u64 {
        if self.asked.0 != self.position {
            self.asked = (self.position.clone(), 0);
        }
        self.asked.1 += 1;
        self.asked.1
    }

    fn be_faulty(&mut self) -> io::Result<()> {
        match self.kind {
            EngineFault::Instant => self.answer(0),
            EngineFault::Random => self.answer(random_number() as usize),
            EngineFault::Exit => exit(3),
            EngineFault::Abort => abort(),
            EngineFault::Segfault => loop {
                // The handler of the standard library catches the first signal.
                kill_process(getpid(), Signal::SEGV)?;
            },
            EngineFault::Illegal => self.say_move("z9z9"),
            EngineFault::Mistaken => self.be_mistaken(),
            EngineFault::None => self.say_move("(none)"),
            EngineFault::Garbage => {
                let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(4096).collect();
                io::stdout().write_all(&bytes)?;
                rest()
            }
            EngineFault::LongLine => {
                let part = [b'x'; 1 << 16];
                for _ in 0..50 * 16 {
                    io::stdout().write_all(&part)?;
                }
                say("")?;
                rest()
            }
            EngineFault::Twice => {
                self.answer(0)?;
                sleep(Duration::from_millis(20));
                self.answer(0)
            }
            EngineFault::Flood => {
                let lines = "info depth 1 nodes 1 score cp 1 pv a b c\n".repeat(100);
                loop {
                    io::stdout().write_all(lines.as_bytes())?;
                }
            }
            EngineFault::Drip => loop {
                say("info depth 1 nodes 1")?;
                sleep(Duration::from_millis(50));
            },
            EngineFault::Sleep => rest(),
            EngineFault::Spin => loop {
                std::hint::spin_loop();
            },
            EngineFault::CloseStdout => {
                rustix::stdio::dup2_stdout(File::open("/dev/null")?)?;
                rest()
            }
            EngineFault::IgnoreTerm | EngineFault::NoHandshake => rest(),
            EngineFault::Late => {
                let mut line = String::new();
                while line.trim() != "stop" {
                    line.clear();
                    if self.input.read_line(&mut line)? == 0 {
                        return Ok(());
                    }
                }
                sleep(Duration::from_millis(50));
                self.answer(0)
            }
            EngineFault::Fork => {
                Command::new("sleep").arg("3600").spawn()?;
                exit(0)
            }
            EngineFault::Escape => {
                let mut escaped = Command::new(std::env::current_exe()?);
                escaped.arg("escaped").stdin(Stdio::null());
                escaped.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
                self.answer(0)
            }
            EngineFault::Escaped => Ok(()),
            EngineFault::Freeze => {
                kill_process(getpid(), Signal::STOP)?;
                rest()
            }
            EngineFault::Unavailable => {
                say("info string unavailable HTTP 503")?;
                self.say_move("(none)")
            }
            EngineFault::UnavailableOnly => say("info string unavailable HTTP 429"),
            EngineFault::TempFail => {
                eprintln!("cannot reach the provider");
                exit(75)
            }
            EngineFault::Flaky | EngineFault::Scripted => self.be_flaky(),
            EngineFault::Hostile => match hostile::attack() {
                Ok(reached) => {
                    eprintln!("the attack has reached: {reached}");
                    self.say_move("z9z9")
                }
                Err(defence) => {
                    eprintln!("the attack has failed: {defence}");
                    self.kind = EngineFault::Instant;
                    self.answer(0)
                }
            },
        }
    }
}

/// Adds a line to the file `log` of this folder: how many engines are busy now, and the process. Is then
/// busy for a moment, and until there is a file `free`, if there is a file `wait`.
fn be_busy(folder: &Path) -> io::Result<()> {
    let process = std::process::id();
    let own = folder.join(format!("busy-{process}"));
    File::create(&own)?;
    let names = fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
    let busy = names.filter(|name| name.to_string_lossy().starts_with("busy-")).count();
    let mut log = OpenOptions::new().append(true).create(true).open(folder.join("log"))?;
    log.write_all(format!("{busy} {process}\n").as_bytes())?;
    sleep(Duration::from_millis(2));
    while folder.join("wait").exists() && !folder.join("free").exists() {
        sleep(Duration::from_millis(2));
    }
    fs::remove_file(own)
}

/// A new hasher has random keys.
fn random_number() -> u64 {
    RandomState::new().hash_one(0)
}

/// A legal move after these moves from the position (`None`: the start). `None` if no player is to
/// move. `pick` is the number of the move in the game's order, from 0, modulo the number of legal moves.
fn legal_move(
    game: &AnyGame,
    position: Option<&str>,
    moves: &str,
    pick: usize,
) -> Result<Option<String>, String> {
    let mut state = match position {
        Some(text) => game.read_position(text)?,
        None => game.start(),
    };
    for word in moves.split_ascii_whitespace() {
        let mv = game.read_move(&state, word)?;
        game.play(&mut state, mv);
    }
    let Turn::Player(_) = game.turn(&state) else { return Ok(None) };
    let legal = game.legal_moves(&state);
    Ok(Some(game.move_text(&state, legal[pick % legal.len()])))
}

/// Sleeps longer than any host waits.
fn rest() -> io::Result<()> {
    sleep(Duration::from_secs(3600));
    Ok(())
}
