//! Simulates tournaments of about equal length and counts how often the best agent wins: the table of
//! `docs/formats.md`.
//!
//! `cargo run --release --example formats`

use agon::stats::adaptive_rounds::AdaptiveQuestion;
use agon::stats::swiss_and_knockout::{Played, Tournament, TournamentDesign, TournamentKind};
use agon::stats::{Pentanomial, Trinomial, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

#[path = "../tests/support/adaptive.rs"]
mod adaptive_support;
use adaptive_support::FIELDS;

/// What a run plays: all pairings, or a tournament of matches.
#[derive(Clone, Copy)]
enum Plays {
    RoundRobin,
    Matches(TournamentKind),
}

/// Plays a tournament with seeds in random order. Returns whether the best agent wins, and the games.
fn run(plays: Plays, games: u64, strengths: &[f64], seed: u64) -> (bool, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut players = strengths.to_vec();
    for last in (1..players.len()).rev() {
        players.swap(last, rng.random_range(0..=last));
    }
    let count = players.len();
    let pairings: Vec<(usize, usize)> =
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    let mut played = vec![Played::default(); pairings.len()];
    let mut play = |played: &mut Played, (a, b): (usize, usize), pairs: u64| {
        let score = elo::to_score(players[a] - players[b]);
        for _ in 0..pairs {
            let halves = [game(&mut rng, score), game(&mut rng, score)];
            let mut pair = Pentanomial::default();
            pair.0[halves[0] + halves[1]] = 1;
            played.pairs.merge(&pair);
            for half in halves {
                let mut one = Trinomial::default();
                one.0[half] = 1;
                played.all.merge(&one);
                played.distinct.merge(&one);
            }
        }
    };
    let winner = match plays {
        Plays::RoundRobin => {
            let mut points = vec![0; count];
            for (played, &(a, b)) in played.iter_mut().zip(&pairings) {
                play(played, (a, b), games / 2);
                points[a] += 2 * played.all.wins() + played.all.draws();
                points[b] += 2 * played.all.losses() + played.all.draws();
            }
            (0..count).max_by_key(|&player| points[player]).expect("players")
        }
        Plays::Matches(kind) => {
            let seeds = (0..count).collect();
            let design = TournamentDesign { kind, games, seeds };
            let mut tournament = Tournament::new(design, pairings.clone());
            while let Some(next) = tournament.step(&|pairing| played[pairing as usize]) {
                for pairing in next.pairings.into_iter().map(|pairing| pairing as usize) {
                    play(&mut played[pairing], pairings[pairing], next.pairs);
                }
            }
            tournament.standings()[0].player
        }
    };
    let all = played.iter().map(|played| played.all.n()).sum();
    (players.iter().all(|&player| player <= players[winner]), all)
}

/// The points, 0 to 2 halves, of a game with this expected score.
fn game(rng: &mut ChaCha8Rng, score: f64) -> usize {
    let draw = 0.3 * 4.0 * score * (1.0 - score);
    let lot: f64 = rng.random();
    match lot {
        lot if lot < score - draw / 2.0 => 2,
        lot if lot < score + draw / 2.0 => 1,
        _ => 0,
    }
}

const RUNS: u64 = 2_000;

fn main() {
    let swiss = |rounds| Plays::Matches(TournamentKind::Swiss { rounds });
    let knockout = |alpha| Plays::Matches(TournamentKind::Knockout { alpha });
    println!("| field | format | mean games | the best agent wins |");
    println!("| --- | --- | ---: | ---: |");
    for (name, strengths) in [FIELDS[0], FIELDS[1], FIELDS[3]] {
        for (format, plays, games) in [
            ("round robin, 40 games each", Plays::RoundRobin, 40),
            ("swiss, 4 rounds of 90 games", swiss(4), 90),
            ("swiss, 9 rounds of 40 games", swiss(9), 40),
            ("knockout, 200 games a match", knockout(None), 200),
            ("knockout, at most 400, alpha 0.05", knockout(Some(0.05)), 400),
        ] {
            let ended: Vec<(bool, u64)> = (0..RUNS)
                .into_par_iter()
                .map(|seed| run(plays, games, strengths, 5_000_000 + seed))
                .collect();
            let mean = ended.iter().map(|(_, games)| games).sum::<u64>() / RUNS;
            let won = ended.iter().filter(|(won, _)| *won).count() as f64 / RUNS as f64;
            println!("| {name} | {format} | {mean} | {:.0} % |", 100.0 * won);
        }
        let ended: Vec<_> = (0..RUNS / 10)
            .into_par_iter()
            .map(|seed| {
                adaptive_support::tournament(AdaptiveQuestion::Best, strengths, 10_000_000, seed)
            })
            .collect();
        let mean = ended.iter().map(|run| run.games).sum::<u64>() / ended.len() as u64;
        let right = ended.iter().filter(|run| !run.wrong).count() as f64 / ended.len() as f64;
        println!("| {name} | best, alpha 0.05 | {mean} | {:.0} % |", 100.0 * right);
    }
}
