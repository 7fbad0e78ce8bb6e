//! Luck-adjusted scores: known answers of other programs, and enumeration.

use std::sync::Arc;

use crate::support::chance::build;
use agon::games::pig::value_iteration::{Solution, Strategy, hold_at};
use agon::games::{Game, GameTree, Pig, Player, Turn};
use agon::params::{Spec, Value, Values};
use agon::play::{
    Adjudication, AnyGame, AnyState, GameSpec, Lineup, LuckMeter, LuckSettings, MoveTexts,
    Openings, Outcome, RandomChoices, Setup,
};
use agon::stats::sprt::{Design, Sprt, SprtSettings, SprtVerdict};
use agon::stats::{Confidence, GameScore, LuckAdjusted};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

pub fn spec(kind: &str, numbers: &[(&str, i64)]) -> Spec {
    let mut values = Values::default();
    for &(key, number) in numbers {
        values.set(key, Value::Int(number));
    }
    Spec { kind: kind.to_owned(), values }
}

pub fn lineup(game: &AnyGame, agents: Vec<Spec>, luck: Option<LuckSettings>) -> Arc<Lineup> {
    let setup = Setup {
        agents,
        openings: Openings::Start,
        wanted: 1,
        fewer_openings: true,
        max_plies: 10_000,
        max_cost: None,
        adjudication: Adjudication::default(),
        syzygy: None,
        luck,
        tuned: Vec::new(),
        seed: 7,
        engine_context: Arc::default(),
    };
    game.lineup(setup).unwrap_or_else(|error| panic!("{error}"))
}

/// Plays games of two agents that move first in turn, each with dice of its own; calls `observe` with the first
/// player's score, its luck in billionths and the texts.
pub fn games(
    lineup: &Arc<Lineup>,
    agents: [usize; 2],
    number: u64,
    observe: &mut dyn FnMut(f64, Option<i64>, &MoveTexts),
) {
    let (mut worker, mut texts) = (lineup.worker(), MoveTexts::default());
    for game in 1..=number {
        let [first, second] = if game % 2 == 1 { agents } else { [agents[1], agents[0]] };
        let spec = GameSpec { game, pairing: 1, opening: 1, first, second, dice: game };
        let record = worker.play(&spec, &mut texts);
        observe(points(record.outcome), record.luck, &texts);
    }
}

pub fn points(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::First => 1.0,
        Outcome::Second => 0.0,
        Outcome::Draw | Outcome::Void => 0.5,
    }
}

/// The first player's expected score in Pig when both sides hold at this sum, for every position:
/// from the values at the start of turns.
fn values_of_hold(at: u32) -> impl FnMut(&AnyState) -> f64 + Send + 'static {
    let pig = Pig::new(100, 6).expect("Pig");
    let any = AnyGame::of(pig);
    let play = hold_at(at);
    let solution = Solution::of(&pig, [Strategy::Rolls(&play); 2]);
    move |state| {
        let state = pig.read_position(&any.write_position(state)).expect("a position");
        let side = state.side();
        let [own, other] = [side, side.other()].map(|player| state.score(player));
        let start = |player: Player, own, other| solution.at_start(player.index(), own, other);
        // By turn sum, from the largest that a turn can reach.
        let lost = 1.0 - start(side.other(), other, own);
        let mut decide = vec![0.0; 120];
        let rolled = |decide: &[f64], sum: usize| {
            (lost + decide[sum + 2..=sum + 6].iter().sum::<f64>()) / 6.0
        };
        for sum in (0..=110).rev() {
            let total = own + sum as u32;
            decide[sum] = match total {
                100.. => 1.0,
                _ if sum as u32 >= at => 1.0 - start(side.other(), other, total),
                _ => rolled(&decide, sum),
            };
        }
        let wins = match pig.turn(&state) {
            Turn::Chance => rolled(&decide, state.total() as usize),
            _ => decide[state.total() as usize],
        };
        if side == Player::First { wins } else { 1.0 - wins }
    }
}

/// 0.534698326 was computed without agon, by value iteration over all positions.
#[test]
fn with_its_own_values_every_game_of_hold_20_has_the_same_score() {
    let game = AnyGame::of(Pig::new(100, 6).expect("Pig"));
    let lineup = lineup(&game, vec![spec("hold", &[("at", 20)])], None);
    let mut own = LuckMeter::new(&game, values_of_hold(20));
    let mut none = LuckMeter::new(&game, |_| 0.0);
    games(&lineup, [0, 0], 20, &mut |score, measured, texts| {
        assert_eq!(measured, None);
        let luck = own
            .luck(&texts.opening, &texts.moves, &RandomChoices::default(), &mut |_| {})
            .expect("a game");
        assert!((score - luck - 0.534_698_326).abs() < 1e-9, "{}", score - luck);
        // In Pig no roll ends the game. So a constant value function removes nothing.
        assert_eq!(
            none.luck(&texts.opening, &texts.moves, &RandomChoices::default(), &mut |_| {}),
            Ok(0.0)
        );
    });
}

/// A random number from 0 to 1 for a text, by FNV-1a and the finaliser of SplitMix64.
fn random_value(seed: u64, text: &str) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}

pub fn random_meter(game: &AnyGame, seed: u64) -> LuckMeter {
    let any = game.clone();
    LuckMeter::new(game, move |state| random_value(seed, &any.write_position(state)))
}

/// The exact score of hold-20 moving first against hold-25 is 0.520034, computed without agon.
#[test]
fn no_value_function_changes_the_mean() {
    let game = AnyGame::of(Pig::new(100, 6).expect("Pig"));
    let lineup =
        lineup(&game, vec![spec("hold", &[("at", 20)]), spec("hold", &[("at", 25)])], None);
    let mut records = Vec::new();
    games(&lineup, [0, 1], 800, &mut |score, _, texts| {
        records.push((score, texts.opening.clone(), texts.moves.clone()));
    });
    // Only the games in which hold-20 moved first.
    let firsts: Vec<_> = records.into_iter().step_by(2).collect();
    for seed in 0..10 {
        let mut meter = random_meter(&game, seed);
        let adjusted: Vec<f64> = (firsts.iter())
            .map(|(score, opening, moves)| {
                score
                    - meter
                        .luck(opening, moves, &RandomChoices::default(), &mut |_| {})
                        .expect("a game")
            })
            .collect();
        let n = adjusted.len() as f64;
        let mean = adjusted.iter().sum::<f64>() / n;
        let variance = adjusted.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let off = (mean - 0.520_034).abs() / (variance / n).sqrt();
        assert!(off < 4.0, "seed {seed}: {mean:.4}, {off:.1} standard errors off");
        // A random value function adds variance, so the test is not about raw scores.
        assert!(variance > 0.3, "seed {seed}: {variance}");
    }
}

/// All games below a node: probability, first player's score, and the moves.
fn enumerate(
    game: &AnyGame,
    state: &AnyState,
    chance: f64,
    moves: &str,
    out: &mut Vec<(f64, f64, String)>,
) {
    let next = |mv, share: f64, out: &mut Vec<_>| {
        let mut text = String::new();
        game.write_move(state, mv, &mut text);
        let mut after = state.clone();
        game.play(&mut after, mv);
        let moves = format!("{moves} {text}");
        enumerate(game, &after, chance * share, moves.trim(), out);
    };
    match game.turn(state) {
        Turn::Over => {
            let score = f64::from(game.payoff(state).signum()) * 0.5 + 0.5;
            out.push((chance, score, moves.to_owned()));
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            let all: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
            for (outcome, weight) in outcomes {
                next(outcome, f64::from(weight) / f64::from(all), out);
            }
        }
        Turn::Player(_) => {
            let mut options = Vec::new();
            game.moves(state, &mut options);
            // The first option is played with probability 0.3, the others share the rest.
            let rest = 0.7 / (options.len() - 1) as f64;
            for (i, mv) in options.into_iter().enumerate() {
                next(mv, if i == 0 { 0.3 } else { rest }, out);
            }
        }
    }
}

/// The expected score of the play of [`enumerate`] below a node.
fn expected(game: &AnyGame, state: &AnyState) -> f64 {
    let mut all = Vec::new();
    enumerate(game, state, 1.0, "", &mut all);
    all.iter().map(|(chance, score, _)| chance * score).sum()
}

#[test]
fn mean_and_variance_on_a_tree_are_those_of_enumeration() {
    let text = "chance = [{ max = [{ chance = [1, -1], weights = [1, 3] }, { chance = [1, -1, 0] }, -1] },\n\
                { min = [{ chance = [1, -1], weights = [5, 1] }, 0] }, 1]\nweights = [1, 2, 3]\n";
    let tree: GameTree = build(&[], &[("text", text)]);
    let game = AnyGame::of(tree);
    let mut all = Vec::new();
    enumerate(&game, &game.start(), 1.0, "", &mut all);
    assert!((all.iter().map(|(chance, ..)| chance).sum::<f64>() - 1.0).abs() < 1e-12);
    let moments = |meter: &mut LuckMeter| {
        let mut sums = [0.0; 2];
        for (chance, score, moves) in &all {
            let adjusted = score
                - meter.luck("", moves, &RandomChoices::default(), &mut |_| {}).expect("a game");
            sums[0] += chance * adjusted;
            sums[1] += chance * adjusted * adjusted;
        }
        [sums[0], sums[1] - sums[0] * sums[0]]
    };
    let exact = expected(&game, &game.start());
    for seed in 0..10 {
        let [mean, _] = moments(&mut random_meter(&game, seed));
        assert!((mean - exact).abs() < 1e-12, "seed {seed}: {mean} and {exact}");
    }
    // With the values of this play, only the players' choices vary. By hand, the values of the
    // options are ¼, ½ and 0 (probabilities 0.3, 0.35, 0.35), and ⅚ and ½ (0.3, 0.7).
    let any = game.clone();
    let [mean, variance] = moments(&mut LuckMeter::new(&game, move |state| expected(&any, state)));
    let spread = |values: &[(f64, f64)]| {
        let mean: f64 = values.iter().map(|(p, v)| p * v).sum();
        values.iter().map(|(p, v)| p * (v - mean).powi(2)).sum::<f64>()
    };
    let max = spread(&[(0.3, 0.25), (0.35, 0.5), (0.35, 0.0)]);
    let min = spread(&[(0.3, 5.0 / 6.0), (0.7, 0.5)]);
    assert!((mean - exact).abs() < 1e-12);
    assert!((variance - (max / 6.0 + min / 3.0)).abs() < 1e-12, "{variance}");
}

/// The scores of opening pairs of the first agent, each with its luck.
fn pairs(agents: Vec<Spec>, settings: LuckSettings, number: u64) -> Vec<(f64, f64)> {
    let game = AnyGame::of(Pig::new(100, 6).expect("Pig"));
    let lineup = lineup(&game, agents, Some(settings));
    let mut all = Vec::new();
    let mut first = None;
    games(&lineup, [0, 1], 2 * number, &mut |score, luck, _| {
        let luck = luck.expect("measured") as f64 / 1e9;
        match first.take() {
            None => first = Some((score, luck)),
            Some((before, lucky)) => {
                all.push(((before + 1.0 - score) / 2.0, (lucky - luck) / 2.0));
            }
        }
    });
    all
}

fn adjusted<'a>(pairs: impl IntoIterator<Item = &'a (f64, f64)>) -> LuckAdjusted {
    let mut all = LuckAdjusted::default();
    pairs.into_iter().for_each(|&(score, luck)| all.add(score, luck));
    all
}

/// The factor by which the variance of a pair shrinks.
fn factor(pairs: &[(f64, f64)]) -> f64 {
    adjusted(pairs).worth().expect("the scores vary")
}

fn optimal() -> Spec {
    spec("optimal", &[])
}

pub fn hold(at: i64) -> Spec {
    spec("hold", &[("at", at)])
}

/// `1 / (1 + exp(-(a - b + 0.7 k + 4) / 22))`: points of the mover and the opponent, turn sum.
fn two_lines() -> LuckSettings {
    LuckSettings::Evaluator {
        name: "linear".to_owned(),
        weights: [("sum".to_owned(), 7)].into_iter().collect(),
        scale: 220.0,
        offset: 0.0,
        depth: 0,
    }
}

/// 6.7 and 80 in a simulation of 60 000 pairs by another program.
#[test]
fn fewer_games_of_pig_say_as_much() {
    let evaluator = factor(&pairs(vec![optimal(), hold(20)], two_lines(), 1_000));
    assert!((5.0..9.0).contains(&evaluator), "{evaluator:.1}");
    let exact = factor(&pairs(vec![optimal(), hold(20)], LuckSettings::Exact, 1_000));
    assert!((60.0..110.0).contains(&exact), "{exact:.1}");
}

/// A sequential test of adjusted or raw scores over pairs that are drawn from these. Returns its
/// verdict and its number of pairs. Pig has no draws.
fn test(design: Design, population: &[(f64, f64)], rng: &mut ChaCha8Rng) -> (SprtVerdict, u64) {
    let mut sprt = Sprt::new(design);
    loop {
        let (score, luck) = population[rng.random_range(0..population.len())];
        let first = if score > 0.25 { GameScore::Win } else { GameScore::Loss };
        let second = if score > 0.75 { GameScore::Win } else { GameScore::Loss };
        if let Some(verdict) = sprt.push_pair_with_luck(first, second, luck) {
            return (verdict, sprt.evidence().pairs.n());
        }
    }
}

fn design(elo1: f64, adjusted: bool) -> Design {
    let settings =
        SprtSettings { elo1, adjusted, max_games: Some(4_000), ..SprtSettings::default() };
    settings.check().expect("a design")
}

/// The exact score is 0.539920, which is 28 Elo, computed without agon.
#[test]
fn a_test_without_luck_needs_fewer_games() {
    let all = pairs(vec![optimal(), hold(20)], LuckSettings::Exact, 1_000);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut mean = |adjusted| {
        let ends = (0..50).map(|_| test(design(28.0, adjusted), &all, &mut rng));
        let pairs = ends.map(|(verdict, pairs)| match verdict {
            SprtVerdict::AcceptH1 | SprtVerdict::Undecided => pairs,
            SprtVerdict::AcceptH0 if adjusted => panic!("H0 accepted"),
            SprtVerdict::AcceptH0 => pairs,
        });
        pairs.sum::<u64>() as f64 / 50.0
    };
    let [adjusted, raw] = [true, false].map(&mut mean);
    println!("{adjusted} pairs without luck, {raw} with luck");
    // 50 is the smallest number; Wald's approximation for raw scores is about 420.
    assert!(adjusted < 55.0 && raw > 5.0 * adjusted, "{adjusted} and {raw}");
}

/// An agent against itself scores 0.5 exactly. So H1 is accepted by mistake.
#[test]
fn a_test_without_luck_keeps_its_error() {
    let all = pairs(vec![hold(20), hold(20)], LuckSettings::Exact, 1_000);
    // The drawn pairs have a mean of their own.
    let shift = adjusted(&all).mean().expect("a mean") - 0.5;
    let all: Vec<_> = all.into_iter().map(|(score, luck)| (score, luck + shift)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let ends = (0..400).map(|_| test(design(2.0, true), &all, &mut rng).0);
    let wrong = ends.filter(|verdict| *verdict == SprtVerdict::AcceptH1).count();
    // 5 % of 400 runs are 20; four standard errors are 17.
    assert!((1..37).contains(&wrong), "{wrong} of 400");
}

/// Draws runs from these pairs, with replacement. Returns how often Student's intervals after 20, 50
/// and 200 pairs contain the mean of all pairs. The next share is that of the asymptotic sequences
/// that contain it at every multiple of 5 from 20 to 1000. The last share is that of the runs in
/// which no asymptotic e-value against it reaches 40.
fn coverage(population: &[(f64, f64)], runs: usize) -> [f64; 5] {
    let truth = adjusted(population).mean().expect("a mean");
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut hits = [0; 5];
    for _ in 0..runs {
        let (mut seen, mut always, mut never) = (LuckAdjusted::default(), true, true);
        for n in 1..=1000 {
            let (score, luck) = population[rng.random_range(0..population.len())];
            seen.add(score, luck);
            if let Some(place) = [20, 50, 200].iter().position(|&at| at == n) {
                let interval = seen.interval(Confidence::P95).expect("an interval");
                hits[place] += usize::from(interval.contains(truth));
            }
            if n >= 20 && n % 5 == 0 {
                let interval = seen.asymptotic_interval(Confidence::P95).expect("an interval");
                always &= interval.contains(truth);
                let ln_e = [seen.ln_asymptotic_e_above(truth), seen.ln_asymptotic_e_below(truth)];
                never &= ln_e.iter().flatten().all(|ln_e| *ln_e < 40_f64.ln());
            }
        }
        hits[3] += usize::from(always);
        hits[4] += usize::from(never);
    }
    hits.map(|hits| hits as f64 / runs as f64)
}

/// The exact score is 0.539920, computed without agon.
#[test]
#[ignore = "long"]
fn adjusted_intervals_of_pig_cover_as_often_as_they_say() {
    for (name, agents, settings, least) in [
        ("optimal - hold-20, exact", vec![optimal(), hold(20)], LuckSettings::Exact, 75.0),
        ("hold-20 - hold-15, exact", vec![hold(20), hold(15)], LuckSettings::Exact, 8.0),
        ("optimal - hold-20, linear", vec![optimal(), hold(20)], two_lines(), 5.0),
    ] {
        let all = pairs(agents, settings, 8_000);
        let found = adjusted(&all);
        let (factor, mean) = (factor(&all), found.mean().expect("a mean"));
        let error = (found.variance().expect("a variance") / 8_000.0).sqrt();
        let cover = coverage(&all, 10_000);
        println!("{name}: factor {factor:.2}, mean {mean:.5} ± {error:.5}, covered {cover:?}");
        let exact = if name.starts_with('h') { 0.557_476 } else { 0.539_920 };
        assert!((mean - exact).abs() < 4.0 * error, "{mean}");
        assert!(factor >= least && cover.iter().all(|share| *share >= 0.94));
    }
}
