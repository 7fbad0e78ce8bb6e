//! How many games place a newcomer in a list, and how many a gauntlet needs: the table of `docs/rate.md`.
//!
//! `cargo bench --bench studies -- placing [NEWCOMERS]`

use agon::stats::ranked::{PlacingStage, RankedOptions, RankedRatings, RankedSamples, RankedSide};
use agon::stats::ratings::Rating;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

const NATS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;
/// The players of the list, and the games of each pair of them.
const PLAYERS: usize = 30;
const GAMES: u64 = 400;
const NEWCOMERS: u64 = 100;
/// A newcomer who is not placed then never is.
const MOST_ROUNDS: usize = 20;

fn play(
    samples: &mut RankedSamples,
    elo: &[f64],
    [a, b]: [usize; 2],
    count: u64,
    rng: &mut ChaCha8Rng,
) {
    let expected = 1.0 / (1.0 + (NATS_PER_ELO * (elo[b] - elo[a])).exp());
    let wins = (0..count).filter(|_| rng.random::<f64>() < expected).count() as u64;
    let side = |player, rank| RankedSide { members: vec![player], rank };
    for (wins, [rank, other]) in [(wins, [0, 1]), (count - wins, [1, 0])] {
        // Half of the games with each seat.
        samples.add(vec![side(a, rank), side(b, other)], None, wins.div_ceil(2)).expect("a row");
        samples.add(vec![side(b, other), side(a, rank)], None, wins / 2).expect("a row");
    }
}

/// The games of a newcomer, those of a gauntlet, and whether its interval contains the truth.
struct Placed {
    games: u64,
    rounds: usize,
    gauntlet: u64,
    is_right: bool,
}

/// Plays what the plans say.
fn place(width: f64, within: f64, seed: u64) -> Option<Placed> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let place = |player: usize| width * (player as f64 / (PLAYERS - 1) as f64 - 0.5);
    let mut elo: Vec<f64> = (0..PLAYERS).map(place).collect();
    elo.push(width * (rng.random::<f64>() - 0.5));
    let mut samples = RankedSamples::new(elo.len());
    for a in 0..PLAYERS {
        (0..a).for_each(|b| play(&mut samples, &elo, [a, b], GAMES, &mut rng));
    }
    let options = RankedOptions { seat_effects: true, ..RankedOptions::default() };
    let mut games = 0;
    for rounds in 0..MOST_ROUNDS {
        let found = RankedRatings::fit(&samples, &options).ok()?;
        let newcomer = (games > 0).then_some(PLAYERS);
        let plan = found.placing(&samples, &[], newcomer, within)?;
        if plan.stage == PlacingStage::Placed {
            let Rating::Estimate { lo, hi, .. } = found.ratings()[PLAYERS] else { return None };
            let truth = elo[PLAYERS] - elo.iter().sum::<f64>() / elo.len() as f64;
            let is_right = (lo..=hi).contains(&truth);
            return Some(Placed { games, rounds, gauntlet: plan.gauntlet?, is_right });
        }
        games += plan.opponents.len() as u64 * plan.games_each;
        for &opponent in &plan.opponents {
            play(&mut samples, &elo, [PLAYERS, opponent], plan.games_each, &mut rng);
        }
    }
    None
}

/// Prints the table.
pub(crate) fn run(args: &[String]) {
    let newcomers = args.first().and_then(|count| count.parse().ok()).unwrap_or(NEWCOMERS);
    println!(
        "| from best to worst | within | placed | runs of the command | games | gauntlet | ratio | inside |"
    );
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for width in [400.0, 1_000.0, 2_000.0, 3_000.0, 4_000.0] {
        for within in [30.0, 60.0] {
            let one = |seed: u64| place(width, within, seed);
            let placed: Vec<Placed> = (0..newcomers).into_par_iter().filter_map(one).collect();
            let n = placed.len() as f64;
            let mean = |of: fn(&Placed) -> f64| placed.iter().map(of).sum::<f64>() / n;
            let [games, gauntlet] = [mean(|it| it.games as f64), mean(|it| it.gauntlet as f64)];
            println!(
                "| {width} Elo | ± {within} | {:.0} % | {:.1} | {games:.0} | {gauntlet:.0} | {:.1} | {:.0} % |",
                100.0 * n / newcomers as f64,
                mean(|it| it.rounds as f64),
                gauntlet / games,
                100.0 * mean(|it| f64::from(u8::from(it.is_right))),
            );
        }
    }
}
