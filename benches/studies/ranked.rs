//! How often the intervals of ratings from rows with several seats contain the truth, and how often the test
//! of the seats finds a difference where there is none: the table of `docs/rate.md`.
//!
//! `cargo bench --bench studies -- ranked [RUNS [SEATS]]`

use agon::stats::ranked::{RankedOptions, RankedRatings, RankedSamples, RankedSide};
use agon::stats::ratings::Rating;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const NATS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;
/// The number of rows whose fit is the truth, if ties make it differ from the strengths.
const MANY: u64 = 200_000;
const RUNS: u64 = 200;

/// How rows are made.
#[derive(Clone, Copy)]
struct Scenario {
    seats: usize,
    players: usize,
    /// The members of each side.
    team: usize,
    /// The distance of the best player from the worst, in Elo.
    spread: f64,
    /// The probability that two neighbours in the order are tied.
    ties: f64,
    /// The number of different rows.
    rows: u64,
    /// How often each row is in the file.
    copies: u64,
}

const PLAIN: Scenario =
    Scenario { seats: 2, players: 2, team: 1, spread: 0.0, ties: 0.0, rows: 30, copies: 1 };

impl Scenario {
    fn strengths(self) -> Vec<f64> {
        let place = |player: usize| player as f64 / (self.players - 1) as f64 - 0.5;
        (0..self.players).map(|player| self.spread * place(player)).collect()
    }

    /// A row of random players on random seats, in an order of Plackett and Luce.
    fn row(self, strengths: &[f64], rng: &mut ChaCha8Rng) -> Vec<RankedSide> {
        let mut players: Vec<usize> = (0..self.players).collect();
        players.shuffle(rng);
        let mut sides: Vec<(f64, usize, Vec<usize>)> = Vec::new();
        for (seat, members) in players.chunks_exact(self.team).take(self.seats).enumerate() {
            let mean = members.iter().map(|&p| strengths[p]).sum::<f64>() / self.team as f64;
            let noise = -(-(1.0 - rng.random::<f64>()).ln()).ln();
            sides.push((mean * NATS_PER_ELO + noise, seat, members.to_vec()));
        }
        sides.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut rank = 0;
        let mut row: Vec<(usize, RankedSide)> = Vec::new();
        for (place, (_, seat, members)) in sides.into_iter().enumerate() {
            rank += u32::from(place > 0 && rng.random::<f64>() >= self.ties);
            row.push((seat, RankedSide { members, rank }));
        }
        row.sort_by_key(|(seat, _)| *seat);
        row.into_iter().map(|(_, side)| side).collect()
    }

    /// Random rows: each with a group of its own, and without groups.
    fn samples(self, rows: u64, seed: u64) -> [RankedSamples; 2] {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let strengths = self.strengths();
        let mut samples = [0, 1].map(|_| RankedSamples::new(self.players));
        for group in 0..rows {
            let row = self.row(&strengths, &mut rng);
            let [grouped, plain] = &mut samples;
            grouped.add(row.clone(), Some(group as usize), self.copies).expect("a row");
            plain.add(row, None, self.copies).expect("a row");
        }
        samples
    }

    /// The ratings that infinitely many rows would give.
    fn truth(self) -> Vec<f64> {
        if self.ties == 0.0 || self.spread == 0.0 {
            return self.strengths();
        }
        let [_, plain] = Self { copies: 1, ..self }.samples(MANY, 77);
        let found = RankedRatings::fit(&plain, &RankedOptions::default()).expect("ratings");
        found.ratings().iter().map(|rating| rating.estimate().expect("a rating")).collect()
    }
}

/// Numbers of intervals and bounds, and of those with the truth inside.
#[derive(Clone, Copy, Default)]
struct Coverage {
    all: u64,
    inside: u64,
}

impl Coverage {
    fn add(&mut self, is_inside: bool) {
        self.all += 1;
        self.inside += u64::from(is_inside);
    }

    fn merge(&mut self, other: Self) {
        self.all += other.all;
        self.inside += other.inside;
    }

    fn percent(self) -> String {
        if self.all == 0 {
            return "—".to_owned();
        }
        format!("{:.1} %", 100.0 * self.inside as f64 / self.all as f64)
    }
}

/// What one analysis of many samples shows.
#[derive(Clone, Copy, Default)]
struct Findings {
    ratings: Coverage,
    seats: Coverage,
    /// The tests of the seats that find no difference.
    quiet: Coverage,
    /// The samples with ratings of all players.
    rated: Coverage,
}

impl Findings {
    fn add(&mut self, samples: &RankedSamples, truth: &[f64]) {
        let options = RankedOptions { seat_effects: true, ..RankedOptions::default() };
        let Ok(found) = RankedRatings::fit(samples, &options) else {
            self.rated.add(false);
            return;
        };
        self.rated.add(found.ratings().iter().all(|rating| rating.estimate().is_some()));
        // The truth of a bound and of a part of the players is relative to the mean of that part.
        let members = &found.components()[0];
        let mean = members.iter().map(|&p| truth[p]).sum::<f64>() / members.len() as f64;
        for (player, rating) in found.ratings().iter().enumerate() {
            let truth = truth[player] - mean;
            match *rating {
                Rating::Estimate { lo, hi, .. } if members.contains(&player) => {
                    self.ratings.add((lo..=hi).contains(&truth));
                }
                Rating::AtLeast(least) => self.ratings.add(least <= truth),
                Rating::AtMost(most) => self.ratings.add(truth <= most),
                _ => {}
            }
        }
        let Some(effects) = found.seat_effects() else { return };
        for [lo, hi] in effects.seats.iter().filter_map(|seat| seat.interval) {
            self.seats.add(lo <= 0.0 && 0.0 <= hi);
        }
        effects.test.iter().for_each(|test| self.quiet.add(test.p >= 0.05));
    }

    fn merged(mut self, other: Self) -> Self {
        self.ratings.merge(other.ratings);
        self.seats.merge(other.seats);
        self.quiet.merge(other.quiet);
        self.rated.merge(other.rated);
        self
    }
}

fn print(scenario: Scenario, (runs, seats): (u64, Option<usize>)) {
    if seats.is_some_and(|seats| seats != scenario.seats) {
        return;
    }
    let truth = scenario.truth();
    let one = |seed: u64| {
        let [grouped, plain] = &scenario.samples(scenario.rows, 1_000 + seed);
        let mut findings = [Findings::default(); 2];
        let [of_groups, of_rows] = &mut findings;
        of_rows.add(plain, &truth);
        // A group for each row is the same as no groups.
        if scenario.copies > 1 {
            of_groups.add(grouped, &truth);
        }
        findings
    };
    let [grouped, plain] = (0..runs)
        .into_par_iter()
        .map(one)
        .reduce(|| [Findings::default(); 2], |[a, b], [c, d]| [a.merged(c), b.merged(d)]);
    let Scenario { seats, players, team, spread, ties, rows, copies } = scenario;
    println!(
        "| {seats} | {players} | {team} | {spread} | {:.0} % | {rows} × {copies} | {} | {} | {} | {} | {} | {} | {} |",
        100.0 * ties,
        plain.ratings.percent(),
        plain.seats.percent(),
        plain.quiet.percent(),
        grouped.ratings.percent(),
        grouped.seats.percent(),
        grouped.quiet.percent(),
        plain.rated.percent(),
    );
}

/// Prints the table: coverage of ratings and seats, and how often the test of the seats is quiet.
pub(crate) fn run(args: &[String]) {
    let number = |place: usize| args.get(place).and_then(|number| number.parse::<u64>().ok());
    let runs = (number(0).unwrap_or(RUNS), number(1).map(|seats| seats as usize));
    println!(
        "| seats | players | team | spread | ties | rows | ratings | seats | p ≥ 0.05 | ratings, groups | \
         seats, groups | p ≥ 0.05, groups | all rated |"
    );
    println!(
        "| ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    let of_seats = [(2, 2), (2, 8), (3, 3), (3, 8), (4, 4), (4, 8), (5, 5), (6, 6), (7, 7), (8, 8)];
    for (seats, players) in of_seats {
        for (spread, ties) in [(0.0, 0.0), (400.0, 0.0), (800.0, 0.0), (0.0, 0.3), (400.0, 0.3)] {
            for rows in [30, 100] {
                print(Scenario { seats, players, spread, ties, rows, ..PLAIN }, runs);
            }
        }
    }
    for (spread, rows) in [(0.0, 30), (0.0, 100), (400.0, 30), (400.0, 100)] {
        print(Scenario { players: 6, team: 2, spread, rows, ..PLAIN }, runs);
    }
    for (seats, players) in [(2, 2), (4, 4), (8, 8)] {
        for (spread, rows) in [(0.0, 10), (400.0, 10), (0.0, 30), (400.0, 30)] {
            print(Scenario { seats, players, spread, rows, copies: 10, ..PLAIN }, runs);
        }
    }
}
