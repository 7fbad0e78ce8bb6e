//! Plays slices of the same games with both sides, until the question of the time is decided.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::gate_side::GateSide;
use super::slice_cost::{self, SliceCommand, SliceCost, SliceEnd};
use super::slices_csv::{Block, SlicesCsv};
use crate::arena::Shard;
use crate::regression::usage_error::UsageError;
use crate::stats::Confidence;
use crate::stats::timing::BlockRatio;
use crate::util::unix::{Exit, cores, pin_to};

/// How both sides are played.
#[derive(Debug, Clone)]
pub struct GatePlan {
    pub sides: [GateSide; 2],
    /// The folder for the folders of both sides and `slices.csv`.
    pub out: PathBuf,
    /// Processor time for both sides together.
    pub budget: Duration,
    /// The largest allowed ratio of the times. `None`: the time is not asked for, so each game is played once.
    pub limit: Option<f64>,
    /// The confidence of the interval of the time.
    pub confidence: Confidence,
}

/// What happens while slices are played.
pub enum GateEvent {
    /// The number of slices is chosen.
    Sliced {
        slices: u64,
        counts_instructions: bool,
    },
    /// The budget is too short for the other slices of the first pass.
    CutShort {
        played: u64,
        slices: u64,
    },
    Block {
        played: u64,
        spent: Duration,
        ratio: Option<BlockRatio>,
    },
}

/// Why a gate has no result.
#[derive(Debug, thiserror::Error)]
pub enum GateError {
    /// A side does not play.
    #[error("{0}")]
    Side(String),
    /// A side ended before its last game, because an agent forfeited too many games in a row.
    #[error("{0}")]
    Forfeits(String),
    /// The settings do not fit together.
    #[error(transparent)]
    Settings(UsageError),
    /// Files of the gate itself.
    #[error("{0}: {1}")]
    Disk(String, io::Error),
    /// A signal asked to stop.
    #[error("stopped")]
    Stopped,
}

/// The length of slices: a time, and a multiple of the start of the program, which is a part of each slice.
struct SliceLength {
    least: Duration,
    starts: f64,
}

/// The slices of the first pass. All games are played once, and the starts need at most 3 % of the time.
const KEPT: SliceLength = SliceLength { least: Duration::from_millis(250), starts: 33.0 };

/// The slices that are played again, with many blocks in a short time. The starts need at most a tenth of it.
const SHORT: SliceLength = SliceLength { least: Duration::from_millis(80), starts: 10.0 };

/// Into how many slices all games are cut.
#[derive(Clone, Copy)]
struct Slices {
    /// In the first pass. The games of each are kept.
    kept: u64,
    /// The first so many of them have a pair of games of each pairing.
    fewest: u64,
    /// When games are played again.
    short: u64,
}

/// The share of the budget for the first pass, if the time is asked for.
const FIRST_PASS: f64 = 0.8;

impl SliceLength {
    /// The number of slices of games that need `time` without the start, all in seconds. Two at least, so
    /// that half of the games are kept if a side fails.
    fn count(&self, time: f64, start: f64, units: u64) -> u64 {
        let slice = self.least.as_secs_f64().max(self.starts * start);
        ((time / slice).round() as u64).max(2).min(units)
    }
}

/// The number of blocks before the first look. No interval exists with fewer.
const FEWEST_BLOCKS: usize = 12;

/// How long a process may take, besides the budget: a constant and a multiple of the longest process
/// before it. Other programs may be running, so a slice may wait for a processor.
const PATIENCE: (Duration, u32) = (Duration::from_secs(10), 10);

struct Gate<'a> {
    plan: &'a GatePlan,
    sides: [GateSide; 2],
    stop: &'a AtomicBool,
    /// The cores of this machine that agon may use. They take turns, so that no side always has the better one.
    cores: Vec<usize>,
    /// How long the longest process took.
    longest: Duration,
}

/// Plays until a signal, the budget or a decision. The folders of both sides then have all games
/// if the first pass was completed. Each block is in the file as soon as it was played.
///
/// # Errors
/// A side fails, or the settings do not allow a gate. What was played until then is in the folder.
pub fn play_interleaved(
    plan: &GatePlan,
    stop: &AtomicBool,
    hear: impl FnMut(GateEvent),
) -> Result<SlicesCsv, GateError> {
    let (sides, cores, longest) = (plan.sides.clone(), cores(), Duration::ZERO);
    let gate = Gate { plan, sides, stop, cores, longest };
    let mut all = SlicesCsv::default();
    match gate.play_blocks(&mut all, hear) {
        Ok(()) | Err(GateError::Stopped) => {
            remove(&plan.out.join(AGAIN))?;
            Ok(all)
        }
        Err(error) => Err(error),
    }
}

impl GatePlan {
    /// Whether the whole interval of the time is on one side of the limit.
    fn is_decided(&self, ratio: &BlockRatio) -> bool {
        let decided =
            |limit: f64| ratio.interval.is_some_and(|[low, high]| low > limit || high <= limit);
        self.limit.is_none_or(decided)
    }
}

/// The folder of slices that are played again, only for their times.
const AGAIN: &str = "again";

impl Gate<'_> {
    fn play_blocks(
        mut self,
        all: &mut SlicesCsv,
        mut hear: impl FnMut(GateEvent),
    ) -> Result<(), GateError> {
        let plan = self.plan;
        let slices = self.choose_slices()?;
        let counts_instructions = slice_cost::counts_instructions();
        hear(GateEvent::Sliced { slices: slices.kept, counts_instructions });
        let mut coin = ChaCha8Rng::seed_from_u64(1);
        let (mut is_enough, mut next_look) = (plan.limit.is_none(), FEWEST_BLOCKS);
        let first_pass = plan.budget.mul_f64(if is_enough { 1.0 } else { FIRST_PASS });
        let (mut kept, mut is_first_pass) = (0, true);
        for number in 0.. {
            if is_first_pass && kept >= slices.fewest && !all.has_time_within(first_pass) {
                is_first_pass = false;
                hear(GateEvent::CutShort { played: kept, slices: slices.kept });
            }
            is_first_pass &= kept < slices.kept;
            if !is_first_pass && is_enough {
                break;
            }
            // Games are only played again if they were played before.
            let short = (slices.short * kept / slices.kept).max(1);
            let part = match is_first_pass {
                true => Part { slice: kept + 1, slices: slices.kept, is_first_pass },
                false => {
                    Part { slice: (number - kept) % short + 1, slices: slices.short, is_first_pass }
                }
            };
            kept += u64::from(is_first_pass);
            if let Some(&core) = self.cores.get(number as usize % self.cores.len().max(1)) {
                pin_to(core);
            }
            let order = if coin.next_u32() & 1 == 0 { [0, 1] } else { [1, 0] };
            let block = self.block(number + 1, part, order)?;
            let file = || plan.out.join(SlicesCsv::NAME);
            all.add(block, &plan.out).map_err(|error| disk(&file(), error))?;
            let mut ratio = None;
            // Looking costs time, too: rarely if there are many blocks.
            if all.0.len() >= next_look {
                next_look += 1.max(next_look / 16);
                ratio = all.time_ratio(plan.confidence);
                is_enough |= ratio.is_some_and(|ratio| plan.is_decided(&ratio));
            }
            is_enough |= !all.has_time_within(plan.budget);
            hear(GateEvent::Block { played: number + 1, spent: all.total_time(), ratio });
        }
        Ok(())
    }

    /// Chooses the number of slices by test runs of the old side.
    fn choose_slices(&mut self) -> Result<Slices, GateError> {
        let [games, each] = self.planned_games()?;
        let units = (games / 2).clamp(1, Shard::MOST);
        let start = self.test_run(units)?;
        // Longer parts, until the time of the games and that of the start are known well enough.
        let (mut part, mut time) = (1, start);
        // The next part takes up to eight times as long: at most a quarter of the budget.
        let most = self.plan.budget / 4;
        let fits = |part, time: Duration| part == 1 || 8 * time < most;
        while part < units && time < KEPT.least.max(3 * start) && fits(part, time) {
            part = (8 * part).min(units);
            time = self.test_run(units.div_ceil(part))?;
        }
        let unit = time.saturating_sub(start).as_secs_f64() / (part - 1).max(1) as f64;
        let start = (start.as_secs_f64() - unit).max(0.0);
        // A pass has all games once for each side.
        let pass = 2.0 * units as f64 * unit * (1.0 + 1.0 / KEPT.starts);
        // Each side starts at least once, whatever the noise says of the games.
        let fewest = pass * 2.0 / each as f64 + 2.0 * start;
        let budget = self.plan.budget.as_secs_f64();
        if fewest > FIRST_PASS * budget {
            return Err(GateError::Settings(UsageError::new(
                format!(
                    "a budget of {budget} s is too short: two games of each pairing, played by \
                     both sides, take about {:.2} s",
                    fewest.max(0.01)
                ),
                "allow more time with `--budget`, or use a config with faster games",
            )));
        }
        let count = |length: SliceLength| length.count(units as f64 * unit, start, units);
        let kept = count(KEPT);
        Ok(Slices { kept, fewest: kept.div_ceil(each / 2), short: count(SHORT) })
    }

    /// The time of the old side for the first of so many slices.
    fn test_run(&mut self, slices: u64) -> Result<Duration, GateError> {
        let part = Part { slice: 1, slices, is_first_pass: false };
        let costs = self.play(&[0], part)?;
        remove(&self.folder(0, part))?;
        Ok(costs[0].time)
    }

    /// The numbers of all games and of the games per pairing, as the old side plans them; the new
    /// side must plan the same.
    fn planned_games(&mut self) -> Result<[u64; 2], GateError> {
        let (old, new) = (self.planned(0)?, self.planned(1)?);
        if old != new {
            return Err(GateError::Settings(UsageError::new(
                format!(
                    "both sides play different games: {} in all for the old one, {} for the new one",
                    old[0], new[0]
                ),
                "use the same game, schedule, openings and seed",
            )));
        }
        Ok(old)
    }

    fn block(&mut self, number: u64, part: Part, order: [usize; 2]) -> Result<Block, GateError> {
        // At the same time on one core, both have the same machine from one millisecond to the next. But
        // they would take each other's budget in time.
        let mut costs = match self.sides.iter().any(|side| side.is_timed) {
            true => [self.play(&order[..1], part)?, self.play(&order[1..], part)?].concat(),
            false => self.play(&order, part)?,
        };
        if order == [1, 0] {
            costs.reverse();
        }
        let mut moves = [0; 2];
        for (side, moves) in moves.iter_mut().enumerate() {
            let folder = self.folder(side, part);
            *moves = moves_in(&folder)?;
            if !part.is_first_pass {
                remove(&folder)?;
            }
        }
        let nanoseconds = |side: usize| costs[side].time.as_nanos() as u64;
        Ok(Block {
            block: number,
            slice: part.slice,
            began: self.sides[order[0]].name.to_owned(),
            old_moves: moves[0],
            new_moves: moves[1],
            old_time_ns: nanoseconds(0),
            new_time_ns: nanoseconds(1),
            old_instructions: costs[0].instructions,
            new_instructions: costs[1].instructions,
        })
    }

    /// The folder in which a side plays a part of the games.
    fn folder(&self, side: usize, part: Part) -> PathBuf {
        self.out_of(side, part).join(part.name())
    }

    fn out_of(&self, side: usize, part: Part) -> PathBuf {
        let name = self.sides[side].name;
        match part.is_first_pass {
            true => self.plan.out.join(name),
            false => self.plan.out.join(AGAIN).join(name),
        }
    }

    /// Plays a part of the games with these sides at the same time, started in this order. The costs are in
    /// the same order.
    fn play(&mut self, sides: &[usize], part: Part) -> Result<Vec<SliceCost>, GateError> {
        let incomplete = |folder: &Path| folder.with_added_extension("part");
        let mut commands = Vec::new();
        for &side in sides {
            remove(&self.folder(side, part))?;
            let out = self.out_of(side, part);
            let command = self.sides[side].play_slice(part.slice, part.slices, &out);
            commands.push(self.command(side, command));
        }
        let ends = match self.run(&mut commands) {
            Err(GateError::Stopped) => {
                for &side in sides {
                    remove(&incomplete(&self.folder(side, part)))?;
                }
                return Err(GateError::Stopped);
            }
            ends => ends?,
        };
        for (SliceCommand { side, command, .. }, end) in commands.iter().zip(&ends) {
            let (of, folder) = (&self.sides[*side], self.folder(*side, part));
            if !has_played(end.exit) {
                return Err(fails(of, command, &end.exit.to_string(), &end.errors));
            }
            if !folder.is_dir() {
                return Err(forfeits(of, &incomplete(&folder)));
            }
        }
        Ok(ends.iter().map(|end| end.cost).collect())
    }

    fn command(&self, side: usize, command: Command) -> SliceCommand {
        let errors = self.plan.out.join(format!("{}.log", self.sides[side].name));
        SliceCommand { side, command, errors }
    }

    /// Runs commands of sides at the same time, to their ends.
    fn run(&mut self, commands: &mut [SliceCommand]) -> Result<Vec<SliceEnd>, GateError> {
        let (constant, times) = PATIENCE;
        let patience = constant + self.plan.budget + self.longest * times;
        let begin = Instant::now();
        let ends = slice_cost::run_together(commands, patience, self.stop);
        self.longest = self.longest.max(begin.elapsed());
        ends.map_err(|(place, error)| {
            let SliceCommand { side, command, .. } = &commands[place];
            let of = &self.sides[*side];
            match error.kind() {
                io::ErrorKind::Interrupted => GateError::Stopped,
                io::ErrorKind::TimedOut => hangs(of, command, &error.to_string()),
                _ => fails(of, command, &error.to_string(), ""),
            }
        })
    }

    /// All games and the games per pairing that a side plans.
    fn planned(&mut self, side: usize) -> Result<[u64; 2], GateError> {
        let folder = self.plan.out.join(AGAIN);
        let file = folder.join("plan.json");
        let made = fs::create_dir_all(&folder).and_then(|()| File::create(&file));
        let mut commands = [self.command(side, self.sides[side].plan())];
        commands[0].command.stdout(made.map_err(|error| disk(&file, error))?);
        let ends = self.run(&mut commands)?;
        let (of, command, end) = (&self.sides[side], &commands[0].command, &ends[0]);
        if end.exit != Exit::Status(0) {
            return Err(fails(of, command, &end.exit.to_string(), &end.errors));
        }
        let text = fs::read(&file).map_err(|error| disk(&file, error))?;
        let json: serde_json::Value = serde_json::from_slice(&text)
            .map_err(|error| fails(of, command, &format!("its plan is no JSON: {error}"), ""))?;
        let all = json["games"].as_u64();
        let each = json["pairings"].as_array().and_then(|rows| rows.first()?["games"].as_u64());
        all.zip(each).map(|(all, each)| [all, each.max(2)]).ok_or_else(|| {
            GateError::Settings(UsageError::new(
                "the number of games of this config follows from results",
                "use a config with a fixed number of games, without `[sprt]` and rounds",
            ))
        })
    }
}

/// The number of moves in the games of a slice.
fn moves_in(folder: &Path) -> Result<u64, GateError> {
    let file = folder.join("games.csv");
    let read = || -> Result<u64, csv::Error> {
        let mut reader = csv::Reader::from_path(&file)?;
        let head = reader.headers()?.clone();
        let columns: Vec<usize> = ["moves_first", "moves_second"]
            .into_iter()
            .filter_map(|name| head.iter().position(|field| field == name))
            .collect();
        let mut moves = 0;
        for row in reader.records() {
            let row = row?;
            moves += columns.iter().filter_map(|&i| row.get(i)?.parse::<u64>().ok()).sum::<u64>();
        }
        Ok(moves)
    };
    read().map_err(|error| disk(&file, error.into()))
}

/// A part of the games.
#[derive(Clone, Copy)]
struct Part {
    /// From 1.
    slice: u64,
    slices: u64,
    /// Whether its games are kept.
    is_first_pass: bool,
}

impl Part {
    /// The name of its folder.
    fn name(self) -> String {
        Shard::new(self.slice, self.slices).map(|shard| shard.name()).unwrap_or_default()
    }
}

/// Exit codes with which a run has played its games: also without a verdict, or with forfeited games.
fn has_played(exit: Exit) -> bool {
    matches!(exit, Exit::Status(0 | 3..=5))
}

/// The error of a side: which command failed, and what it said.
fn fails(side: &GateSide, command: &Command, how: &str, errors: &str) -> GateError {
    let mut text = format!("the {} side failed: {how}", side.name);
    for line in errors.trim_end().lines().rev().take(8).collect::<Vec<_>>().into_iter().rev() {
        text += &format!("\n  {}", line.strip_prefix("error: ").unwrap_or(line));
    }
    GateError::Side(format!("{text}\nhelp: repair it; the command was `{}`", shown(command)))
}

/// The error of a side that was killed because it took too long.
fn hangs(side: &GateSide, command: &Command, how: &str) -> GateError {
    GateError::Side(format!(
        "the {} side hangs: {how}\nhelp: repair it; if it is only slow, allow more time with \
         `--budget`; the command was `{}`",
        side.name,
        shown(command)
    ))
}

fn shown(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// The error of a side that ended before its last game.
fn forfeits(side: &GateSide, folder: &Path) -> GateError {
    GateError::Forfeits(format!(
        "the {} side ended early: an agent forfeited `max_consecutive_forfeits` games in a row\n\
         help: `agon report {}` shows them; `--set schedule.max_consecutive_forfeits=0` plays all games",
        side.name,
        folder.display()
    ))
}

fn disk(path: &Path, error: io::Error) -> GateError {
    GateError::Disk(path.display().to_string(), error)
}

/// Removes a folder of the gate, if it is there.
fn remove(folder: &Path) -> Result<(), GateError> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk(folder, error)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_slice_is_shorter_than_a_pair_of_games() {
        for units in 1..40 {
            for seconds in [0.0, 0.1, 1.0, 5.0, 1000.0] {
                let [kept, short] = [KEPT, SHORT].map(|length| length.count(seconds, 0.002, units));
                assert!((2.min(units)..=units).contains(&kept), "{kept}");
                assert!((kept..=units).contains(&short), "{kept} {short}");
            }
        }
        assert_eq!(KEPT.count(10.0, 0.01, 1000), 30);
        assert_eq!(SHORT.count(10.0, 0.01, 1000), 100);
    }
}
