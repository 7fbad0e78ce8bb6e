//! The steps of the check, from the handshake to the shutdown.

use std::time::{Duration, Instant};

use super::engine_under_test::{EngineCommand, EngineUnderTest, PATIENCE, TestPosition};
use super::process_usage::ProcessUsage;
use super::step_result::{CheckStep, StepResult, ms};
use crate::engine::{
    Clock, EngineAnswer, EngineError, EngineErrorKind, EngineProtocol, EngineScore, Exit,
    GoCommand, MoveLimits, TimeControl, UciCommand, UciReply,
};
use crate::games::Player;

/// The node limit. Engines check their node counter only every few thousand nodes.
const NODES: u64 = 20_000;

/// The depth limit in plies.
const DEPTH: u32 = 4;

/// The number of moves with a limited time.
const MOVETIMES: usize = 3;

/// The allowed excess over a time limit, the default of tournaments.
const MARGIN: Duration = Duration::from_millis(50);
const CLOCK: &str = "1+0.01";

/// Length in plies of the game that the engine plays against itself.
const PLIES: usize = 10;

/// How long an idle engine is observed.
const IDLE: Duration = Duration::from_millis(300);

/// How long an engine may take to quit.
const LEAVE: Duration = Duration::from_secs(1);

/// The result of a step with its details. An error means that the step has failed.
type Checked = Result<(StepResult, String), EngineError>;

fn checked(verdict: StepResult, detail: impl Into<String>) -> Checked {
    Ok((verdict, detail.into()))
}

fn failed(detail: impl Into<String>) -> EngineError {
    EngineError::new(EngineErrorKind::Refused, detail)
}

fn step(name: &'static str, checked: Checked) -> CheckStep {
    match checked {
        Ok((verdict, detail)) => CheckStep::new(name, verdict, detail),
        Err(error) => CheckStep::failed(name, &error),
    }
}

/// A step: its name, whether only UCI and UGI support it, and its function.
type Step<'a> = (&'static str, bool, fn(&mut Check<'a>) -> Checked);

/// The steps that test one limit each.
const LIMITS: [&str; 4] = ["nodes", "depth", "movetime", "clock"];

fn steps<'a>() -> [Step<'a>; 11] {
    [
        ("isready", true, Check::ready),
        ("legal moves", false, Check::moves),
        ("nodes", true, Check::nodes),
        ("depth", true, Check::depth),
        ("movetime", false, Check::movetime),
        ("clock", false, Check::clock),
        ("same move twice", true, Check::same_twice),
        ("stop", true, Check::infinite),
        ("query", true, Check::rules),
        ("idle", false, Check::idle),
        ("memory", false, Check::memory),
    ]
}

/// All steps in their order. If a step leaves no working engine, the steps after it are skipped.
pub fn all(command: &mut EngineCommand) -> Vec<CheckStep> {
    let begin = Instant::now();
    let engine = match command.program.start() {
        Ok(engine) => engine,
        Err(error) => return vec![CheckStep::failed("greeting", &error)],
    };
    let greeting = ms(begin.elapsed());
    let mut done = vec![CheckStep::new("greeting", StepResult::Pass, greeting)];
    let is_uci = command.program.protocol.is_uci();
    done.push(step("options", if is_uci { options(&engine) } else { unsupported() }));
    let Ok(Some(start)) = command.place(String::new()) else {
        let detail = "the game begins without a move to make";
        done.push(CheckStep::new("moves", StepResult::None, detail));
        return done;
    };
    let mut check = Check { command, engine, start };
    let limits = check.command.limits.clone();
    let is_unused =
        |name: &str| LIMITS.contains(&name) && !limits.is_empty() && !limits.contains(&name);
    for (name, uci_only, run) in steps().into_iter().filter(|(name, ..)| !is_unused(name)) {
        let supported = !uci_only || is_uci;
        done.push(step(name, if supported { run(&mut check) } else { unsupported() }));
        if check.engine.link.exit().is_some() {
            match check.command.program.start() {
                Ok(engine) => check.engine = engine,
                Err(error) => {
                    done.push(CheckStep::failed("restart", &error));
                    return done;
                }
            }
        }
    }
    let Check { command, engine, .. } = check;
    done.push(step("quit", quit(command, engine)));
    done.push(step("end of input", end_of_input(command)));
    done
}

fn ready(reply: UciReply<'_>) -> Option<()> {
    (reply == UciReply::ReadyOk).then_some(())
}

fn best_move(reply: UciReply<'_>) -> Option<()> {
    matches!(reply, UciReply::BestMove(_)).then_some(())
}

fn unsupported() -> Checked {
    checked(StepResult::None, "not part of the protocol")
}

fn options(engine: &EngineUnderTest) -> Checked {
    const SHOWN: usize = 6;
    let names: Vec<&str> =
        engine.protocol.options().iter().map(|option| option.name.as_str()).collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let detail = match names.len() {
        0 => "none".to_owned(),
        count => format!("{count}: {shown}{more}"),
    };
    checked(StepResult::Pass, detail)
}

/// A running engine, and the position in which it is tested.
struct Check<'a> {
    command: &'a mut EngineCommand,
    engine: EngineUnderTest,
    start: TestPosition,
}

impl Check<'_> {
    fn ready(&mut self) -> Checked {
        let begin = Instant::now();
        let (read, ()) = self.engine.say(&[UciCommand::IsReady], PATIENCE, ready)?;
        let (pass, warn) = (Duration::from_millis(100), Duration::from_secs(1));
        checked(StepResult::by(read - begin, pass, warn), ms(read - begin))
    }

    fn moves(&mut self) -> Checked {
        self.engine.new_game()?;
        // Every engine of a protocol supports this limit.
        let movetime = Some(Duration::from_millis(20));
        let short = MoveLimits { movetime, ..MoveLimits::default() };
        let mut place = self.start.clone();
        for ply in 1..=PLIES {
            let answer = self.engine.ask(&place, short, PATIENCE)?;
            place = match self.command.after(&place, &answer.text) {
                Ok(Some(next)) => next,
                Ok(None) => {
                    return checked(StepResult::Pass, format!("{ply}, to the end of the game"));
                }
                Err(why) => {
                    let moves = if place.moves.is_empty() { "the start" } else { &place.moves };
                    return Err(failed(format!("{why}, after {moves}")));
                }
            };
        }
        checked(StepResult::Pass, format!("{PLIES} plies against itself"))
    }

    /// Asks for a move in a new game.
    fn answer(&mut self, go: MoveLimits) -> Result<EngineAnswer, EngineError> {
        self.engine.new_game()?;
        let answer =
            self.engine.ask(&self.start, go, PATIENCE).map_err(|error| match error.kind {
                EngineErrorKind::Late => {
                    let seconds = PATIENCE.as_secs();
                    failed(format!("no answer within {seconds} s: the engine ignores the limit"))
                }
                _ => error,
            })?;
        self.command.after(&self.start, &answer.text).map_err(failed)?;
        Ok(answer)
    }

    fn nodes(&mut self) -> Checked {
        let go = MoveLimits { nodes: Some(NODES), ..MoveLimits::default() };
        let answer = self.answer(go).inspect_err(|_| self.command.by_depth = true)?;
        let Some(nodes) = answer.info.nodes else {
            let detail = format!("{NODES} requested, the engine reports no number");
            return checked(StepResult::Warn, detail);
        };
        let is_shallow = answer.info.depth.is_none_or(|depth| depth <= 2);
        if nodes < NODES / 10 && is_shallow && !has_decided(&answer) {
            return Err(failed(format!("{NODES} requested, the engine stops after {nodes}")));
        }
        // Up to 10 % more: the engine checks its counter only at intervals. Far more: another limit
        // ended the search.
        let verdict = StepResult::by(nodes, NODES + NODES / 10, NODES * 2);
        checked(verdict, format!("{NODES} requested, {nodes} searched"))
    }

    fn depth(&mut self) -> Checked {
        let go = MoveLimits { depth: Some(DEPTH), ..MoveLimits::default() };
        let answer = self.answer(go)?;
        let Some(depth) = answer.info.depth else {
            let detail = format!("{DEPTH} requested, the engine reports no number");
            return checked(StepResult::Warn, detail);
        };
        if depth < DEPTH / 2 && !has_decided(&answer) {
            return Err(failed(format!("{DEPTH} requested, the engine stops after {depth}")));
        }
        let verdict = StepResult::by(depth, DEPTH, DEPTH + 1);
        checked(verdict, format!("{DEPTH} requested, {depth} searched"))
    }

    fn movetime(&mut self) -> Checked {
        let movetime = self.command.movetime;
        let go = MoveLimits { movetime: Some(movetime), ..MoveLimits::default() };
        let mut most = Duration::ZERO;
        for _ in 0..MOVETIMES {
            most = most.max(self.answer(go)?.time);
        }
        let verdict = StepResult::by(most.saturating_sub(movetime), MARGIN, 4 * MARGIN);
        let requested = movetime.as_millis();
        let detail = format!("{requested} ms requested, at most {} in {MOVETIMES} moves", ms(most));
        checked(verdict, detail)
    }

    fn clock(&mut self) -> Checked {
        let control = TimeControl::parse(CLOCK).expect("a time control");
        let clock = Clock::new(control);
        let time =
            self.answer(MoveLimits { clocks: [Some(clock); 2], ..MoveLimits::default() })?.time;
        let verdict = StepResult::by(time, clock.left / 2, clock.left);
        checked(verdict, format!("{CLOCK} on the clock, {} for the first move", ms(time)))
    }

    fn same_twice(&mut self) -> Checked {
        // An engine that ignores node limits gets a depth limit.
        let (nodes, depth) = match self.command.by_depth {
            true => (None, Some(DEPTH)),
            false => (Some(NODES), None),
        };
        let go = MoveLimits { nodes, depth, ..MoveLimits::default() };
        let (one, two) = (self.answer(go)?, self.answer(go)?);
        if one.text != two.text {
            let detail = format!("{} and {}: games vary", one.text, two.text);
            return checked(StepResult::Warn, detail);
        }
        let count = |answer: &EngineAnswer| match answer.info.nodes {
            Some(nodes) => nodes.to_string(),
            None => "no number of".to_owned(),
        };
        let (same, first, second) = (one.info.nodes == two.info.nodes, count(&one), count(&two));
        let nodes = if same { first } else { format!("{first} and {second}") };
        let verdict = if same { StepResult::Pass } else { StepResult::Warn };
        checked(verdict, format!("{} both times, {nodes} nodes", one.text))
    }

    fn infinite(&mut self) -> Checked {
        self.engine.new_game()?;
        let go = UciCommand::Go(GoCommand { infinite: true, ..GoCommand::default() });
        let search = [self.start.command(), go];
        if self.engine.say(&search, self.command.movetime, best_move).is_ok() {
            let detail = "the engine answers `go infinite` without waiting for `stop`";
            return checked(StepResult::Warn, detail);
        }
        let begin = Instant::now();
        let ready = self.engine.say(&[UciCommand::IsReady], Duration::from_secs(1), ready);
        let (ready, busy) = match ready {
            Ok((read, ())) => (StepResult::Pass, format!("readyok in {}", ms(read - begin))),
            Err(_) => (StepResult::Warn, "no readyok".to_owned()),
        };
        let begin = Instant::now();
        let (read, ()) = self.engine.say(&[UciCommand::Stop], PATIENCE, best_move)?;
        let limit = Duration::from_millis(100);
        let verdict = ready.max(StepResult::by(read - begin, limit, 10 * limit));
        checked(verdict, format!("answered in {}, {busy} during the search", ms(read - begin)))
    }

    /// Checks the engine's answers about the rules, if it supports UGI.
    fn rules(&mut self) -> Checked {
        if self.command.program.protocol != EngineProtocol::Ugi {
            return unsupported();
        }
        let first = (self.start.player == Player::First).to_string();
        let response = |reply: UciReply<'_>| match reply {
            UciReply::Response(word) => Some(word.to_owned()),
            _ => None,
        };
        self.engine.link.send_lines(&[self.start.command()])?;
        for (what, right) in [("p1turn", first.as_str()), ("gameover", "false"), ("result", "none")]
        {
            let query = [UciCommand::Query(what.to_owned())];
            let asked = self.engine.say(&query, Duration::from_millis(500), response);
            match asked.map(|(_, word)| word) {
                Ok(word) if word == right => {}
                Ok(word) => {
                    let detail = format!("{what} at the start: `{word}` instead of `{right}`");
                    return Err(failed(detail));
                }
                Err(error) if error.kind == EngineErrorKind::Late => {
                    let detail =
                        format!("no answer to `query {what}`; agon does not ask this in a game");
                    return checked(StepResult::Warn, detail);
                }
                Err(error) => return Err(error),
            }
        }
        checked(StepResult::Pass, "`p1turn`, `gameover` and `result` are right")
    }

    fn idle(&mut self) -> Checked {
        let Some(before) = self.usage() else { return unknown() };
        std::thread::sleep(IDLE);
        let share = self
            .usage()
            .map_or(0.0, |now| now.time_since(before).as_secs_f64() / IDLE.as_secs_f64());
        let detail = format!("{:.0} % of a core between two moves", share * 100.0);
        checked(StepResult::by(share, 0.1, 0.5), detail)
    }

    fn memory(&mut self) -> Checked {
        let Some(usage) = self.usage() else { return unknown() };
        let mb = usage.peak_kb.div_ceil(1024);
        checked(StepResult::by(mb, 1024, 16_384), format!("{mb} MB at most"))
    }

    fn usage(&self) -> Option<ProcessUsage> {
        ProcessUsage::by_group(self.engine.link.id())
    }
}

/// Whether the engine has found a forced win or loss, so that it needs no further search.
fn has_decided(answer: &EngineAnswer) -> bool {
    matches!(answer.info.score, Some(EngineScore::Mate(_) | EngineScore::MateInPlies(_)))
}

fn unknown() -> Checked {
    checked(StepResult::None, "the system does not report it")
}

fn quit(command: &EngineCommand, mut engine: EngineUnderTest) -> Checked {
    let begin = Instant::now();
    engine.link.send(command.program.protocol.quit_line().as_bytes())?;
    exited(begin, &mut engine)
}

fn end_of_input(command: &EngineCommand) -> Checked {
    let mut engine = command.program.start()?;
    let begin = Instant::now();
    engine.link.close_input();
    exited(begin, &mut engine)
}

/// Whether the engine quits. An engine that does not quit gets only a warning.
fn exited(begin: Instant, engine: &mut EngineUnderTest) -> Checked {
    match engine.link.exit_by(begin + LEAVE) {
        Some(exit) => {
            let clean = exit == Exit::Status(0);
            let verdict = if clean { StepResult::Pass } else { StepResult::Warn };
            checked(verdict, format!("{exit} in {}", ms(begin.elapsed())))
        }
        None => checked(StepResult::Warn, format!("still running after {} s", LEAVE.as_secs())),
    }
}
