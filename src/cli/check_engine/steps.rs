//! The steps of the check, from the handshake to the shutdown.

use std::time::{Duration, Instant};

use super::engine_under_test::{EngineCommand, EngineUnderTest, PATIENCE, TestPosition};
use super::processes::Taken;
use super::step_result::{CheckStep, Ms, StepResult};
use crate::cli::arg_types::EngineProtocolArg;
use crate::engine::{Clock, EngineAnswer, EngineErrorKind, MoveLimits, TimeControl};
use crate::games::Player;
use crate::gather::Gather;

/// The node limit. Engines check their node counter only every few thousand nodes.
const NODES: u64 = 20_000;
/// The depth limit in plies.
const DEPTH: u32 = 4;
/// The time per move, and the number of moves.
const MOVETIME: Duration = Duration::from_millis(100);
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

/// All steps in their order. If a step leaves no working engine, the steps after it are skipped.
/// Only the shutdown steps still run, because they start an engine of their own.
pub fn all(candidate: &mut EngineCommand) -> Vec<CheckStep> {
    let begin = Instant::now();
    let mut subject = match candidate.start() {
        Ok(subject) => subject,
        Err(trouble) => return vec![CheckStep::failed("greeting", &trouble)],
    };
    let mut steps =
        vec![CheckStep::new("greeting", StepResult::Pass, Ms(begin.elapsed()).to_string())];
    steps.push(options(&mut subject));
    let Ok(Some(start)) = candidate.place(String::new()) else {
        steps.push(CheckStep::new(
            "moves",
            StepResult::None,
            "the game begins without a move to make",
        ));
        return steps;
    };
    let look: [Look; 11] =
        [ready, moves, nodes, depth, movetime, clock, same_twice, infinite, rules, idle, memory];
    for look in look {
        steps.push(look(candidate, &mut subject, &start));
        if subject.link.exit().is_some() {
            let fresh = candidate.start();
            match fresh {
                Ok(fresh) => subject = fresh,
                Err(trouble) => {
                    steps.push(CheckStep::failed("started again", &trouble));
                    return steps;
                }
            }
        }
    }
    steps.push(quit(candidate, subject));
    steps.push(end_of_input(candidate));
    steps
}

type Look = fn(&mut EngineCommand, &mut EngineUnderTest, &TestPosition) -> CheckStep;

fn none(name: &'static str) -> CheckStep {
    CheckStep::new(name, StepResult::None, "not part of the protocol")
}

fn options(subject: &mut EngineUnderTest) -> CheckStep {
    const SHOWN: usize = 6;
    let Some((uci, _)) = subject.uci() else { return none("options") };
    let names: Vec<&str> = uci.options().iter().map(|option| option.name.as_str()).gather();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    let shown = names[..names.len().min(SHOWN)].join(", ");
    let detail = match names.len() {
        0 => "none".to_owned(),
        count => format!("{count}: {shown}{more}"),
    };
    CheckStep::new("options", StepResult::Pass, detail)
}

fn ready(_: &mut EngineCommand, subject: &mut EngineUnderTest, _: &TestPosition) -> CheckStep {
    const NAME: &str = "isready";
    if subject.uci().is_none() {
        return none(NAME);
    }
    let begin = Instant::now();
    match subject.say("isready\n", "readyok", PATIENCE) {
        Ok((read, _)) => {
            let (ms, s) = (Duration::from_millis(100), Duration::from_secs(1));
            CheckStep::new(NAME, StepResult::by(read - begin, ms, s), Ms(read - begin).to_string())
        }
        Err(trouble) => CheckStep::failed(NAME, &trouble),
    }
}

/// A limit that every engine of the protocol supports.
fn short() -> MoveLimits {
    MoveLimits { movetime: Some(Duration::from_millis(20)), ..MoveLimits::default() }
}

fn moves(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "legal moves";
    if let Err(trouble) = subject.new_game() {
        return CheckStep::failed(NAME, &trouble);
    }
    let mut place = start.clone();
    for ply in 1..=PLIES {
        let answer = match subject.ask(&place, short(), PATIENCE) {
            Ok(answer) => answer,
            Err(trouble) => return CheckStep::failed(NAME, &trouble),
        };
        place = match candidate.after(&place, &answer.text) {
            Ok(Some(next)) => next,
            Ok(None) => {
                return CheckStep::new(
                    NAME,
                    StepResult::Pass,
                    format!("{ply}, to the end of the game"),
                );
            }
            Err(why) => {
                let moves = if place.moves.is_empty() { "the start" } else { &place.moves };
                return CheckStep::new(NAME, StepResult::Fail, format!("{why}, after {moves}"));
            }
        };
    }
    CheckStep::new(NAME, StepResult::Pass, format!("{PLIES} plies against itself"))
}

/// Asks for a move in a new game.
fn asked(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    place: &TestPosition,
    go: MoveLimits,
) -> Result<EngineAnswer, Option<CheckStep>> {
    let name = "limit";
    subject.new_game().map_err(|trouble| Some(CheckStep::failed(name, &trouble)))?;
    let answer = subject.ask(place, go, PATIENCE).map_err(|trouble| match trouble.kind {
        EngineErrorKind::Late => None,
        _ => Some(CheckStep::failed(name, &trouble)),
    })?;
    match candidate.after(place, &answer.text) {
        Ok(_) => Ok(answer),
        Err(why) => Err(Some(CheckStep::new(name, StepResult::Fail, why))),
    }
}

/// The step of a request without an answer.
fn unanswered(name: &'static str, step: Option<CheckStep>) -> CheckStep {
    match step {
        Some(step) => CheckStep { name, ..step },
        None => {
            let detail = format!("no answer within {} s: it ignores the limit", PATIENCE.as_secs());
            CheckStep::new(name, StepResult::Fail, detail)
        }
    }
}

fn nodes(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "nodes";
    if subject.uci().is_none() {
        return none(NAME);
    }
    let answer = match asked(
        candidate,
        subject,
        start,
        MoveLimits { nodes: Some(NODES), ..MoveLimits::default() },
    ) {
        Ok(answer) => answer,
        Err(step) => {
            candidate.by_depth = true;
            return unanswered(NAME, step);
        }
    };
    let Some(told) = answer.info.nodes else {
        return CheckStep::new(
            NAME,
            StepResult::Warn,
            format!("{NODES} asked for, it reports no number"),
        );
    };
    if told < NODES / 10 && answer.info.depth.is_none_or(|depth| depth <= 2) {
        let detail = format!("{NODES} asked for, it stops after {told}");
        return CheckStep::new(NAME, StepResult::Fail, detail);
    }
    // Up to 10 % more: the engine checks its counter only at intervals. Far more: another limit
    // ended the search.
    let verdict = StepResult::by(told, NODES + NODES / 10, NODES * 2);
    CheckStep::new(NAME, verdict, format!("{NODES} asked for, {told} searched"))
}

fn depth(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "depth";
    if subject.uci().is_none() {
        return none(NAME);
    }
    let answer = match asked(
        candidate,
        subject,
        start,
        MoveLimits { depth: Some(DEPTH), ..MoveLimits::default() },
    ) {
        Ok(answer) => answer,
        Err(step) => return unanswered(NAME, step),
    };
    let Some(told) = answer.info.depth else {
        return CheckStep::new(
            NAME,
            StepResult::Warn,
            format!("{DEPTH} asked for, it reports no number"),
        );
    };
    let verdict = StepResult::by(told, DEPTH, DEPTH + 1);
    CheckStep::new(NAME, verdict, format!("{DEPTH} asked for, {told} searched"))
}

fn movetime(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "movetime";
    let mut times = Vec::new();
    for _ in 0..MOVETIMES {
        let go = MoveLimits { movetime: Some(MOVETIME), ..MoveLimits::default() };
        match asked(candidate, subject, start, go) {
            Ok(answer) => times.push(answer.time),
            Err(step) => return unanswered(NAME, step),
        }
    }
    let most = times.iter().copied().max().unwrap_or_default();
    let over = most.saturating_sub(MOVETIME);
    let (asked, many) = (MOVETIME.as_millis(), times.len());
    let detail = format!("{asked} ms asked for, at most {} of {many}", Ms(most));
    CheckStep::new(NAME, StepResult::by(over, MARGIN, 4 * MARGIN), detail)
}

fn clock(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "clock";
    let control = TimeControl::parse(CLOCK).expect("a time control");
    let clock = Clock::new(control);
    let go = MoveLimits { clocks: [Some(clock); 2], ..MoveLimits::default() };
    match asked(candidate, subject, start, go) {
        Ok(answer) => {
            let detail = format!("{CLOCK} shown, {} for the first move", Ms(answer.time));
            CheckStep::new(NAME, StepResult::by(answer.time, clock.left / 2, clock.left), detail)
        }
        Err(step) => unanswered(NAME, step),
    }
}

fn same_twice(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "same move twice";
    if subject.uci().is_none() {
        return none(NAME);
    }
    // An engine that ignores node limits gets a depth limit.
    let (nodes, depth) = if candidate.by_depth { (None, Some(DEPTH)) } else { (Some(NODES), None) };
    let go = MoveLimits { nodes, depth, ..MoveLimits::default() };
    let mut seen = Vec::new();
    for _ in 0..2 {
        match asked(candidate, subject, start, go) {
            Ok(answer) => seen.push((answer.text, answer.info.nodes)),
            Err(step) => return unanswered(NAME, step),
        }
    }
    let said = |nodes: Option<u64>| nodes.map_or("no number of".to_owned(), |n| n.to_string());
    let [(one, first), (other, second)] = &seen[..] else { return none(NAME) };
    let detail = match one == other {
        true if first == second => format!("{one} both times, {} nodes", said(*first)),
        true => format!("{one} both times, {} and {} nodes", said(*first), said(*second)),
        false => format!("{one} and {other}: games vary"),
    };
    let alike = one == other && first == second;
    CheckStep::new(NAME, if alike { StepResult::Pass } else { StepResult::Warn }, detail)
}

fn infinite(
    _: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "stop";
    if subject.uci().is_none() {
        return none(NAME);
    }
    if let Err(trouble) = subject.new_game() {
        return CheckStep::failed(NAME, &trouble);
    }
    let early = subject.say(&format!("{}\ngo infinite\n", start.order()), "bestmove", MOVETIME);
    if early.is_ok() {
        let detail = "it answers `go infinite` without waiting for `stop`";
        return CheckStep::new(NAME, StepResult::Warn, detail);
    }
    let begin = Instant::now();
    let second = Duration::from_secs(1);
    let ready = subject.say("isready\n", "readyok", second).map(|(read, _)| read - begin);
    let begin = Instant::now();
    match subject.say("stop\n", "bestmove", PATIENCE) {
        Ok((read, _)) => {
            let late = read - begin;
            let (verdict, busy) = match ready {
                Ok(time) => (StepResult::Pass, format!("readyok meanwhile in {}", Ms(time))),
                Err(_) => (StepResult::Warn, "no readyok while it thinks".to_owned()),
            };
            let limit = Duration::from_millis(100);
            let verdict = verdict.max(StepResult::by(late, limit, 10 * limit));
            CheckStep::new(NAME, verdict, format!("answered in {}, {busy}", Ms(late)))
        }
        Err(trouble) => CheckStep::failed(NAME, &trouble),
    }
}

/// Checks the engine's answers about the rules, if it supports UGI.
fn rules(
    candidate: &mut EngineCommand,
    subject: &mut EngineUnderTest,
    start: &TestPosition,
) -> CheckStep {
    const NAME: &str = "query";
    if candidate.dialect != EngineProtocolArg::Ugi {
        return none(NAME);
    }
    let first = (start.player == Player::First).to_string();
    let Some((uci, link)) = subject.uci() else { return none(NAME) };
    if let Err(trouble) = link.send(format!("{}\n", start.order()).as_bytes()) {
        return CheckStep::failed(NAME, &trouble);
    }
    for (what, right) in [("p1turn", first.as_str()), ("gameover", "false"), ("result", "none")] {
        match uci.query(link, what, Instant::now() + Duration::from_millis(500)) {
            Ok(word) if word == right => {}
            Ok(word) => {
                let detail = format!("{what} at the start: `{word}`, it should be `{right}`");
                return CheckStep::new(NAME, StepResult::Fail, detail);
            }
            Err(trouble) if trouble.kind == EngineErrorKind::Late => {
                let detail =
                    format!("no answer to `query {what}`; agon does not ask this in a game");
                return CheckStep::new(NAME, StepResult::Warn, detail);
            }
            Err(trouble) => return CheckStep::failed(NAME, &trouble),
        }
    }
    CheckStep::new(NAME, StepResult::Pass, "`p1turn`, `gameover` and `result` are right")
}

fn idle(_: &mut EngineCommand, subject: &mut EngineUnderTest, _: &TestPosition) -> CheckStep {
    const NAME: &str = "idle";
    let look = || Taken::by_group(subject.link.id());
    let Some(before) = look() else {
        return CheckStep::new(NAME, StepResult::None, "this system does not show it");
    };
    std::thread::sleep(IDLE);
    let share = look().map_or(0.0, |now| now.time_since(before).as_secs_f64() / IDLE.as_secs_f64());
    let detail = format!("{:.0} % of a core between two moves", share * 100.0);
    CheckStep::new(NAME, StepResult::by(share, 0.1, 0.5), detail)
}

fn memory(_: &mut EngineCommand, subject: &mut EngineUnderTest, _: &TestPosition) -> CheckStep {
    const NAME: &str = "memory";
    match Taken::by_group(subject.link.id()) {
        None => CheckStep::new(NAME, StepResult::None, "this system does not show it"),
        Some(taken) => {
            let mb = taken.peak_kb.div_ceil(1024);
            CheckStep::new(NAME, StepResult::by(mb, 1024, 16_384), format!("{mb} MB at most"))
        }
    }
}

fn quit(candidate: &EngineCommand, mut subject: EngineUnderTest) -> CheckStep {
    let begin = Instant::now();
    if let Err(trouble) = subject.link.send(candidate.quit_line().as_bytes()) {
        return CheckStep::failed("quit", &trouble);
    }
    left("quit", begin, &mut subject)
}

fn end_of_input(candidate: &EngineCommand) -> CheckStep {
    let mut subject = match candidate.start() {
        Ok(subject) => subject,
        Err(trouble) => return CheckStep::failed("end of input", &trouble),
    };
    let begin = Instant::now();
    subject.link.close_input();
    left("end of input", begin, &mut subject)
}

/// Whether the engine quits. An engine that does not quit gets only a warning.
fn left(name: &'static str, begin: Instant, subject: &mut EngineUnderTest) -> CheckStep {
    match subject.link.exit_by(begin + LEAVE) {
        Some(exit) => {
            let clean = exit == crate::engine::Exit::Status(0);
            let verdict = if clean { StepResult::Pass } else { StepResult::Warn };
            CheckStep::new(name, verdict, format!("{exit} in {}", Ms(begin.elapsed())))
        }
        None => CheckStep::new(
            name,
            StepResult::Warn,
            format!("still running after {} s", LEAVE.as_secs()),
        ),
    }
}
