//! Progress of a run: a bar in a terminal, otherwise an occasional plain line.

use std::io::Write as _;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::kinds::sequential;
use super::two_agents_report;
use crate::arena::{Progress, RoundState, Tally};
use crate::figures::ranking::{between, results};
use crate::figures::run_facts_for_tables::RunContext;
use crate::stats::sprt::Sprt;
use crate::text::number_format::{chance, elo_plus_minus, fixed, grouped, percentage, short};

/// A progress bar on stderr with the leading scores.
pub struct TerminalProgress {
    bar: ProgressBar,
}

impl TerminalProgress {
    pub fn new(total: u64) -> Self {
        let bar = ProgressBar::new(total);
        // One line even in a narrow terminal: text that does not fit is omitted.
        let template = "{bar:16} {pos}/{len} games  {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━╸─"));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        TerminalProgress { bar }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    pub fn show(&self, progress: &Progress<'_>) {
        // A format in rounds grows.
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        self.bar.set_message(message(progress));
    }
}

/// Plain lines on stderr, less frequent as the run proceeds.
pub struct ProgressLines {
    next: Mutex<(Instant, Duration)>,
}

impl Default for ProgressLines {
    fn default() -> Self {
        let wait = Duration::from_secs(10);
        ProgressLines { next: Mutex::new((Instant::now() + wait, wait)) }
    }
}

impl ProgressLines {
    pub fn show(&self, progress: &Progress<'_>) {
        let Ok(mut next) = self.next.lock() else { return };
        let now = Instant::now();
        if now < next.0 {
            return;
        }
        next.1 = (next.1 * 3 / 2).min(Duration::from_secs(600));
        next.0 = now + next.1;
        let share = 100.0 * progress.done as f64 / progress.total.max(1) as f64;
        let total = match (&progress.round, &progress.tally.sprt) {
            (Some(RoundState { rounds: None, .. }), _) => String::new(),
            (_, Some(_)) => format!(" of at most {}", grouped(progress.total)),
            (_, None) => format!("/{} ({} %)", grouped(progress.total), fixed(share, 0)),
        };
        // A closed stderr must not stop the run.
        let _ = writeln!(
            std::io::stderr(),
            "{}{total} games  {}",
            grouped(progress.done),
            message(progress)
        );
    }
}

/// The speed of the run, the leaders and the state of a sequential test.
fn message(progress: &Progress<'_>) -> String {
    let speed = speed(progress);
    match leaders(progress.tally).filter(|_| !is_tune(progress)) {
        Some(leaders) => format!("{speed}  {leaders}"),
        None => speed,
    }
}

/// Whether the agents of a run are the two sides of a tune, so that their results mean nothing.
fn is_tune(progress: &Progress<'_>) -> bool {
    progress.round.is_some_and(|state| state.rounds.is_some())
}

/// Games per second and the remaining time.
fn speed(progress: &Progress<'_>) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    if progress.played == 0 || seconds < 1e-3 {
        return String::new();
    }
    let rate = progress.played as f64 / seconds;
    let left = (progress.total - progress.done) as f64;
    let test = progress.tally.sprt.as_ref();
    let left = match (&progress.round, test.and_then(Sprt::expected_rest)) {
        (Some(state), _) if !is_tune(progress) => round(state),
        (_, Some(expected)) if expected < left => {
            let [expected, most] = [expected, left].map(|games| duration(games / rate));
            format!("about {expected} left, at most {most}")
        }
        (_, None) if test.is_some() => format!("at most {} left", duration(left / rate)),
        _ => format!("{} left", duration(left / rate)),
    };
    format!("{} games/s  {left}", short(Some(rate)))
}

/// The state of a format in rounds: its end is not known.
fn round(state: &RoundState) -> String {
    let RoundState { round, open, all, is_pairs, .. } = state;
    if *all == 0 {
        return format!("round {round}");
    }
    let what = if *is_pairs { "pairs undecided" } else { "agents left" };
    format!("round {round}, {open} of {all} {what}")
}

/// A duration in seconds as text: `12 s`, `3 min 05 s`, `2 h 10 min`.
pub(super) fn duration(seconds: f64) -> String {
    let seconds = seconds.round().clamp(0.0, 1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// The state of the run: Elo and LOS of two agents, otherwise the two best scores; and the state of
/// a sequential test.
fn leaders(tally: &Tally) -> Option<String> {
    let leaders = match two_agents_report::judged(tally, &RunContext::default()) {
        Some(([a, b], judged))
            if let numbers = judged.elo(judged.anytime)
                && numbers != [None; 3] =>
        {
            let text = format!("{} {}", tally.names[a], elo_plus_minus(numbers));
            let evidence = between(tally, a, b)?;
            let pairs = evidence.pairs.strength();
            let los = if pairs.is_empty() { evidence.games().los() } else { pairs.los() };
            format!("{text} Elo  LOS {} %", chance(los))
        }
        _ => {
            let mut scores: Vec<(f64, &str)> = (tally.names.iter().enumerate())
                .filter_map(|(agent, name)| Some((results(tally, agent).mean()?, name.as_str())))
                .collect();
            scores.sort_by(|a, b| b.0.total_cmp(&a.0));
            let best: Vec<String> = (scores.iter().take(2))
                .map(|(score, name)| format!("{name} {} %", percentage(*score, 1)))
                .collect();
            best.join(" ahead of ")
        }
    };
    let test = tally.sprt.as_ref().map(sequential::ratio);
    let parts: Vec<String> = [leaders].into_iter().chain(test).collect();
    (!parts[0].is_empty()).then(|| parts.join("  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_test_is_the_expected_one() {
        let mut tally = Tally::new(vec!["a".to_owned(), "b".to_owned()], &[]);
        tally.sprt = Some(Sprt::new(crate::stats::sprt::SprtSettings::default().check().unwrap()));
        let progress = |tally: &Tally, round| {
            let elapsed = Duration::from_secs(10);
            speed(&Progress { done: 100, played: 100, total: 400_000, elapsed, tally, round })
        };
        let said = progress(&tally, None);
        assert!(
            said.contains("  about ") && said.ends_with(" left, at most 11 h 06 min"),
            "{said}"
        );
        let state = RoundState { round: 12, open: 3, all: 4, is_pairs: false, rounds: None };
        assert!(progress(&tally, Some(state)).ends_with("  round 12, 3 of 4 agents left"));
        tally.sprt = None;
        assert!(progress(&tally, None).ends_with("  11 h 06 min left"));
    }

    #[test]
    fn durations_read_well() {
        assert_eq!([4.4, 185.0, 7800.0].map(duration), ["4 s", "3 min 05 s", "2 h 10 min"]);
    }
}
