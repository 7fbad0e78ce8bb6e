//! How often the intervals of ratings contain the truth, and how often equal agents differ significantly, if
//! all pairings play the same openings: the tables of `docs/formulas.md`.
//!
//! `cargo bench --bench studies -- ratings`; with `any_time`, the intervals that hold at any time

use agon::stats::ratings::{
    FitOptions, Length, ListOptions, OpeningResult, PairingScore, RatingList, ResultsByOpening,
    fit, holm,
};
use agon::stats::{Counts, Evidence, GameScore, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const DRAWS: f64 = 0.3;
/// The mean advantage of moving first, in Elo.
const ADVANTAGE: f64 = 60.0;

/// What openings do: the standard deviations of the advantage of moving first, and of the strength of an
/// agent in an opening, in Elo.
#[derive(Clone, Copy)]
struct Openings {
    advantage: f64,
    suit: f64,
}

const KINDS: [Openings; 4] = [
    Openings { advantage: 100.0, suit: 0.0 },
    Openings { advantage: 1_000.0, suit: 0.0 },
    Openings { advantage: 100.0, suit: 100.0 },
    Openings { advantage: 400.0, suit: 200.0 },
];

/// A number with mean 0 and standard deviation 1 (Box and Muller).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}

/// The result of the first player of a game with this expected score.
fn game(expected: f64, rng: &mut ChaCha8Rng) -> GameScore {
    let draws = DRAWS * 4.0 * expected * (1.0 - expected);
    match rng.random::<f64>() {
        p if p < draws => GameScore::Draw,
        p if p < expected + 0.5 * draws => GameScore::Win,
        _ => GameScore::Loss,
    }
}

/// The expected score of the first player at this mean difference, over all openings.
fn expected(difference: f64, kind: Openings) -> f64 {
    let spread = (kind.advantage.powi(2) + 2.0 * kind.suit.powi(2)).sqrt();
    let (mut sum, mut weights) = (0.0, 0.0);
    for step in -600..=600 {
        let z = f64::from(step) / 100.0;
        let weight = (-0.5 * z * z).exp();
        sum += weight * elo::to_score(difference + ADVANTAGE + spread * z);
        weights += weight;
    }
    sum / weights
}

/// The strengths of the agents in Elo: equal, or up to 200 Elo from the mean.
fn strengths(agents: usize, is_equal: bool) -> Vec<f64> {
    let place = |agent: usize| 400.0 * agent as f64 / (agents - 1) as f64 - 200.0;
    (0..agents).map(|agent| if is_equal { 0.0 } else { place(agent) }).collect()
}

fn pairings(agents: usize) -> Vec<[usize; 2]> {
    (0..agents).flat_map(|a| (a + 1..agents).map(move |b| [a, b])).collect()
}

/// The ratings that infinitely many openings would give.
fn truth(strengths: &[f64], kind: Openings) -> Vec<f64> {
    const MANY: f64 = 1e12;
    let lone = |difference: f64| {
        let wins = (MANY * expected(difference, kind)) as u64;
        Counts([MANY as u64 - wins, 0, wins])
    };
    let all: Vec<PairingScore> = pairings(strengths.len())
        .into_iter()
        .map(|[a, b]| {
            let lone_first = lone(strengths[a] - strengths[b]);
            let lone_second = lone(strengths[b] - strengths[a]).flipped();
            let evidence = Evidence { lone_first, lone_second, ..Evidence::default() };
            PairingScore { a, b, evidence }
        })
        .collect();
    fit(strengths.len(), &all, FitOptions { first_mover: true }).expect("ratings").ratings
}

/// The games of a round robin, opening by opening.
struct Run {
    rng: ChaCha8Rng,
    strengths: Vec<f64>,
    kind: Openings,
    evidence: Vec<PairingScore>,
    by_opening: ResultsByOpening,
    openings: u64,
}

impl Run {
    fn new(strengths: &[f64], kind: Openings, seed: u64) -> Self {
        let pairing = |[a, b]: [usize; 2]| PairingScore { a, b, evidence: Evidence::default() };
        Run {
            rng: ChaCha8Rng::seed_from_u64(seed),
            strengths: strengths.to_vec(),
            kind,
            evidence: pairings(strengths.len()).into_iter().map(pairing).collect(),
            by_opening: ResultsByOpening::default(),
            openings: 0,
        }
    }

    fn play(&mut self) {
        let rng = &mut self.rng;
        let advantage = ADVANTAGE + self.kind.advantage * normal(rng);
        let here: Vec<f64> =
            self.strengths.iter().map(|elo| elo + self.kind.suit * normal(rng)).collect();
        for (i, pairing) in self.evidence.iter_mut().enumerate() {
            let PairingScore { a, b, evidence } = pairing;
            let difference = here[*a] - here[*b];
            let first = game(elo::to_score(difference + advantage), rng);
            let second = game(elo::to_score(advantage - difference), rng).flipped();
            evidence.pairs.add(first, second);
            let result = OpeningResult::Pair(first, second);
            self.by_opening.add(i, [*a, *b], self.openings, result);
        }
        self.openings += 1;
    }

    fn list(&self, by_opening: &ResultsByOpening, length: Length) -> RatingList {
        let options = ListOptions { first_mover: true, length, ..ListOptions::default() };
        let borrowed: Vec<PairingScore<&Evidence>> = (self.evidence.iter())
            .map(|p| PairingScore { a: p.a, b: p.b, evidence: &p.evidence })
            .collect();
        RatingList::of(self.strengths.len(), &borrowed, by_opening, options)
    }
}

/// The share of the agents whose interval does not contain the truth. An agent that won or lost all games
/// has a bound.
fn missed(list: &RatingList, truth: &[f64]) -> Vec<bool> {
    use agon::stats::ratings::Rating;
    let missed = |standing: &agon::stats::ratings::Standing| match standing.rating {
        Rating::Estimate { lo, hi, .. } => {
            let truth = truth[standing.player];
            truth < lo || hi < truth
        }
        Rating::AtLeast(least) => truth[standing.player] < least,
        Rating::AtMost(most) => truth[standing.player] > most,
        Rating::Reference | Rating::Unknown => false,
    };
    list.standings.iter().map(missed).collect()
}

/// What one run shows: coverage by opening and with independent pairs, and whether any difference between
/// ratings or any pairing is significant.
fn one_run(strengths: &[f64], truth: &[f64], kind: Openings, openings: u64, seed: u64) -> [f64; 5] {
    let mut run = Run::new(strengths, kind, seed);
    (0..openings).for_each(|_| run.play());
    let covered = |list: &RatingList| {
        let missed = missed(list, truth);
        1.0 - missed.iter().filter(|missed| **missed).count() as f64 / missed.len() as f64
    };
    let list = run.list(&run.by_opening, Length::Fixed);
    let alone = run.list(&ResultsByOpening::default(), Length::Fixed);
    let differs = |list: &RatingList| {
        f64::from(u8::from(list.comparisons().iter().any(|of| of.p_holm < 0.05)))
    };
    let p: Vec<f64> =
        run.evidence.iter().filter_map(|of| of.evidence.pairs.strength().p_value()).collect();
    let pairing = f64::from(u8::from(holm(&p).iter().any(|p| *p < 0.05)));
    [covered(&list), covered(&alone), differs(&list), differs(&alone), pairing]
}

fn fixed_length() {
    println!(
        "| openings | agents | strengths | number | by opening | independent pairs | false differences | \
         independent pairs | false pairings |"
    );
    println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (kind, agents, is_equal) in KINDS.into_iter().flat_map(|kind| {
        [(2, true), (2, false), (6, true), (6, false), (20, true)]
            .map(|(n, equal)| (kind, n, equal))
    }) {
        let strengths = strengths(agents, is_equal);
        let truth = truth(&strengths, kind);
        let runs = match agents {
            2 => 1_000,
            6 => 400,
            _ => 40,
        };
        for openings in [10, 50, 200] {
            let all: Vec<[f64; 5]> = (0..runs)
                .into_par_iter()
                .map(|seed| one_run(&strengths, &truth, kind, openings, 9_000_000 + seed))
                .collect();
            let share = |i: usize| 100.0 * all.iter().map(|run| run[i]).sum::<f64>() / runs as f64;
            let wrong = |i: usize| match is_equal {
                true => format!("{:.1} %", share(i)),
                false => "—".to_owned(),
            };
            println!(
                "| {} / {} | {agents} | {} | {openings} | {:.1} % | {:.1} % | {} | {} | {} |",
                kind.advantage,
                kind.suit,
                if is_equal { "equal" } else { "spread" },
                share(0),
                share(1),
                wrong(2),
                wrong(3),
                wrong(4),
            );
        }
    }
}

/// Whether the interval of the first agent ever misses the truth, looked at after 5 openings and then at
/// numbers that grow by a tenth.
fn ever_missed(strengths: &[f64], truth: &[f64], kind: Openings, seed: u64) -> [bool; 2] {
    let mut run = Run::new(strengths, kind, seed);
    let (mut next, mut found) = (5, [false; 2]);
    for opening in 1..=1_000 {
        run.play();
        if opening < next {
            continue;
        }
        next = (opening + opening / 10).max(opening + 1);
        for (found, length) in found.iter_mut().zip([Length::AnyTime, Length::Fixed]) {
            let list = run.list(&run.by_opening, length);
            let first = list.standings.iter().position(|standing| standing.player == 0);
            *found |= missed(&list, truth)[first.expect("an agent")];
        }
    }
    found
}

fn any_time() {
    println!("| openings | agents | strengths | at any time | fixed length |");
    println!("| --- | ---: | --- | ---: | ---: |");
    for (kind, agents, is_equal) in KINDS[1..].iter().flat_map(|kind| {
        [2, 4].into_iter().flat_map(move |n| [true, false].map(|equal| (*kind, n, equal)))
    }) {
        let strengths = strengths(agents, is_equal);
        let truth = truth(&strengths, kind);
        let runs = 200;
        let all: Vec<[bool; 2]> = (0..runs)
            .into_par_iter()
            .map(|seed| ever_missed(&strengths, &truth, kind, 11_000_000 + seed))
            .collect();
        let share = |i: usize| 100.0 * all.iter().filter(|run| run[i]).count() as f64 / runs as f64;
        println!(
            "| {} / {} | {agents} | {} | {:.1} % | {:.1} % |",
            kind.advantage,
            kind.suit,
            if is_equal { "equal" } else { "spread" },
            share(0),
            share(1),
        );
    }
}

pub fn run(args: &[String]) {
    match args.first().map(String::as_str) {
        Some("any_time") => any_time(),
        _ => fixed_length(),
    }
}
