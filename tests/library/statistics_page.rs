//! The worked examples of docs/reading-results.md equal the results of the program.

use std::fs;
use std::path::Path;

use agon::stats::ratings::holm;
use agon::stats::sprt::{Sprt, SprtSettings};
use agon::stats::timing::median_interval;
use agon::stats::{Confidence, Counts, GameScore, Interval, PairTable, Trinomial};
use agon::stats::{effective_games, elo, games_for_precision};

const P95: Confidence = Confidence::P95;

fn percents(interval: Option<Interval>) -> String {
    let interval = interval.expect("an interval");
    format!("[{:.1}, {:.1}]", 100.0 * interval.lo, 100.0 * interval.hi)
}

fn elos(interval: Option<Interval>) -> String {
    let range = interval.expect("an interval").elo();
    let end = |end: Option<f64>| end.map_or("∞".to_owned(), |elo| format!("{elo:+.0}"));
    format!("[{}, {}]", end(range.lo()), end(range.hi()))
}

/// The text that the page must contain, computed by the program.
fn facts() -> Vec<String> {
    // One pair table; all figures come from it.
    let table = PairTable([[11, 24, 13], [35, 30, 28], [43, 36, 30]]);
    let (pairs, first, games) = (table.strength(), table.first_mover(), table.games());
    assert_eq!(pairs, Counts([11, 59, 86, 64, 30]));
    let [second_both, second, _, more, both] = first.0;
    let (won, lost) = (more + both, second + second_both);
    let score = |s: Option<f64>| format!("{:.1} %", 100.0 * s.expect("a score"));
    let mut facts = vec![
        score(pairs.mean()),
        percents(pairs.interval(P95)),
        format!("{:+.0} Elo", pairs.elo().expect("Elo")),
        elos(pairs.interval(P95)),
        percents(pairs.anytime_interval(P95)),
        format!("{:+.0} normalized Elo", pairs.normalized_elo().expect("Elo")),
        format!("{:.1} %, its likelihood of superiority", 100.0 * pairs.los().expect("a value")),
        format!("slightly wider here: {}", percents(games.interval(P95))),
        format!("{} {}", score(first.mean()), percents(first.interval(P95))),
        format!("p = {:.5}", first.p_value().expect("p")),
        format!("first mover won {won} pairs and lost {lost}"),
        format!("wins {} games, draws {}, loses {}", games.wins(), games.draws(), games.losses()),
        format!("{:+.0} Elo {}", first.elo().expect("Elo"), elos(first.interval(P95))),
        format!("e-value of {:.1}", pairs.e_value()),
        format!("{:.0} for moving first", first.e_value()),
    ];
    let ten = Trinomial::of(0, 0, 10).interval(P95);
    facts.push(format!("from {:.1} % up", 100.0 * ten.expect("an interval").lo));
    facts.push(format!("≥ {:+.0}", ten.and_then(|i| i.elo().lo()).expect("a bound")));
    let few = Trinomial::of(4, 0, 6).interval(P95);
    facts.push(format!("60 % in ten games is {}", percents(few)));
    facts.push(format!("64 % is {:+.0} Elo", elo::from_score(0.64).expect("Elo")));
    let repeated = effective_games::effective_sample_size([(50, 10)]).expect("a size");
    facts.push(format!("effective sample size {repeated:.0}"));
    let unequal = effective_games::effective_sample_size([(91, 1), (1, 9)]);
    facts.push(format!("effective sample size {:.2}", unequal.expect("a size")));
    let variance = |draws| games_for_precision::variance_per_game(0.5, draws).expect("a variance");
    for (draws, resolution) in [(0.0, 10.0), (0.5, 10.0), (0.5, 50.0)] {
        let games = games_for_precision::games_for_half_width(resolution, variance(draws), P95);
        facts.push(format!("| {} % | ±{resolution} | {} |", 100.0 * draws, games.expect("games")));
    }
    for (draws, difference) in [(0.0, 5.0), (0.5, 5.0), (0.5, 20.0)] {
        let enough =
            |n: &u64| games_for_precision::power(difference, variance(draws), P95, *n) >= Some(0.8);
        let games = (1..).find(enough).expect("games");
        facts.push(format!("| {} % | {difference} | {games} |", 100.0 * draws));
    }
    let adjusted = holm(&[0.01, 0.02, 0.04]);
    facts.push(format!("{:.2}, {:.2} and {:.2}", adjusted[0], adjusted[1], adjusted[2]));
    let settings = SprtSettings { elo0: 0.0, elo1: 50.0, ..SprtSettings::default() };
    let mut sprt = Sprt::new(settings.check().expect("a design"));
    facts.push(format!("from −{:.2} to {:.2}", -sprt.lower(), sprt.upper()));
    let mut won = 0;
    while sprt.verdict().is_none() {
        sprt.push_pair(GameScore::Win, GameScore::Draw);
        won += 1;
    }
    facts.push(format!("after {won} pairs won by 1½ : ½"));
    let ratios: Vec<f64> = (1..=10).map(|i| 0.95 + 0.01 * f64::from(i)).collect();
    let found = median_interval(&ratios, P95).expect("an interval");
    facts.push(format!("{:.3} [{:.2}, {:.2}]", found.median, found.lo, found.hi));
    facts.push(format!("{:.1} %", 100.0 * found.coverage));
    facts
}

#[test]
fn every_worked_example_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reading-results.md");
    let page = fs::read_to_string(path).expect("docs/reading-results.md");
    // Line breaks on the page do not matter.
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing: Vec<String> = facts().into_iter().filter(|fact| !page.contains(fact)).collect();
    assert!(missing.is_empty(), "not on the page: {missing:#?}");
}
