//! Known values of statistics: checks every row of `data/oracle.tsv`.
//!
//! A row is `id, input, quantity, value, cross-check`. The values have high precision, and other
//! programs confirmed most of them. Tolerances are relative 1e-9 for closed forms, absolute 1e-8
//! for log-likelihood ratios and interval ends, and 1e-6 for confidence sequences. Each is widened
//! by the rounding of the printed value. A row without an answer fails the test.

use std::collections::BTreeMap;

use agon::stats::ratings::{self, FitOptions, PairingScore};
use agon::stats::sprt::{Design, EloModel, SprtSettings, Unit};
use agon::stats::{
    Confidence, Counts, EloRange, Evidence, GameScore, Interval, PairTable, Pentanomial, Trinomial,
    effective_games, elo, games_for_precision, wilson_interval,
};

const P95: Confidence = Confidence::P95;

/// The tolerance of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Closed,
    End,
    Sequence,
}
use Kind::{Closed, End, Sequence};

impl Kind {
    fn tolerance(self) -> f64 {
        match self {
            Closed => 1e-9,
            End => 1e-8,
            Sequence => 1e-6,
        }
    }
}

struct Row {
    id: String,
    input: String,
    quantity: String,
    value: String,
}

/// The values from the library; `None` for "no answer".
type Answer = Vec<(Kind, Option<f64>)>;

fn closed<const N: usize>(values: [f64; N]) -> Answer {
    values.map(|v| (Closed, Some(v))).to_vec()
}

fn maybe<const N: usize>(kind: Kind, values: [Option<f64>; N]) -> Answer {
    values.map(|v| (kind, v)).to_vec()
}

fn score_ends(kind: Kind, interval: Option<Interval>) -> Answer {
    maybe(kind, [interval.map(|i| i.lo), interval.map(|i| i.hi)])
}

fn elo_ends(interval: Option<Interval>) -> Answer {
    let range = interval.map_or(EloRange::Unbounded, Interval::elo);
    maybe(End, [range.lo(), range.hi()])
}

fn join(answers: impl IntoIterator<Item = Answer>) -> Answer {
    answers.into_iter().flatten().collect()
}

/// The numbers in a text, in order, with any separators.
fn numbers(text: &str) -> Vec<f64> {
    tokens(text).filter_map(|t| t.parse().ok()).collect()
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| " ,;:=()[]'".contains(c)).filter(|t| !t.is_empty())
}

fn counts<const K: usize>(text: &str) -> Counts<K> {
    let cells: Vec<u64> = numbers(text).iter().take(K).map(|&n| n as u64).collect();
    Counts(cells.try_into().expect("as many counts as cells"))
}

/// `W=.. D=.. L=..` in any order.
fn games(text: &str) -> Trinomial {
    let count = |key: &str| {
        let at = text.find(key).expect("a count") + key.len();
        numbers(&text[at..])[0] as u64
    };
    Trinomial::of(count("L="), count("D="), count("W="))
}

fn evidence_of_games(games: Trinomial) -> Evidence {
    Evidence { lone_first: games, ..Evidence::default() }
}

/// A pair table with the given strength pentanomial.
fn evidence_of_pairs(pairs: Pentanomial) -> Evidence {
    let [a, b, c, d, e] = pairs.0;
    let pairs = PairTable([[a, b, 0], [0, c, d], [0, 0, e]]);
    Evidence { pairs, ..Evidence::default() }
}

fn design(text: &str, model: EloModel, unit: Unit) -> Design {
    let bounds = numbers(&text[text.find("SPRT").expect("bounds") + 4..]);
    let settings =
        SprtSettings { elo0: bounds[0], elo1: bounds[1], model, unit, ..SprtSettings::default() };
    settings.check().expect("bounds that can be tested")
}

/// Answers the questions that trinomials and pentanomials share.
fn answer_counts<const K: usize>(
    quantity: &str,
    counts: Counts<K>,
    normalized: Option<f64>,
) -> Answer {
    let anytime = || score_ends(Sequence, counts.anytime_interval(P95));
    match quantity {
        "score" => maybe(Closed, [counts.mean()]),
        "Elo" => maybe(Closed, [counts.elo()]),
        "nElo" => maybe(Closed, [normalized]),
        "genWilson 95% score lo, hi" => score_ends(End, counts.gen_wilson(P95)),
        "genWilson 95% Elo lo, hi" | "genWilson 95% Elo" => elo_ends(counts.gen_wilson(P95)),
        "anytime CS 95% (J=1024) score lo, hi" => anytime(),
        "e-value vs score 1/2 (J=1024); CS95" => join([closed([counts.e_value()]), anytime()]),
        other => panic!("unknown quantity {other}"),
    }
}

fn answer_trinomial(row: &Row) -> Answer {
    let games = games(&row.input);
    match row.quantity.as_str() {
        "e-value, Beta(1/2,1/2) mixture vs p=1/2 (draws dropped)" => {
            closed([Trinomial::of(games.losses(), 0, games.wins()).e_value()])
        }
        "first-mover score, Elo, genWilson lo hi, e-value" => join([
            maybe(Closed, [games.mean(), games.elo()]),
            score_ends(End, games.gen_wilson(P95)),
            closed([games.e_value()]),
        ]),
        quantity => answer_counts(quantity, games, games.normalized_elo()),
    }
}

fn answer_pentanomial(row: &Row) -> Answer {
    let pairs: Pentanomial = counts(&row.input[6..]);
    if row.quantity == "pairs ratio" {
        return maybe(Closed, [pairs.pairs_ratio()]);
    }
    answer_counts(&row.quantity, pairs, pairs.normalized_elo())
}

fn answer_llr(row: &Row) -> Answer {
    let (unit, evidence) = match row.input.strip_prefix("penta ") {
        Some(rest) => (Unit::Pairs, evidence_of_pairs(counts(rest))),
        None => (Unit::Games, evidence_of_games(counts(&row.input[4..]))),
    };
    let model = match row.input.rsplit(' ').next() {
        Some("logistic") => EloModel::Logistic,
        Some("normalized") => EloModel::Normalized,
        Some("bayesian") => EloModel::Bayes,
        other => panic!("unknown model {other:?}"),
    };
    let design = design(&row.input, model, unit);
    maybe(End, [Some(design.llr(&evidence))])
}

fn answer_binomial(row: &Row) -> Answer {
    let input = numbers(&row.input.replace("x=", " ").replace("n=", " "));
    let (x, n) = (input[0], input[1]);
    let interval = match row.quantity.as_str() {
        "Wilson lo, hi" => wilson_interval::wilson(x, n, P95),
        other => panic!("unknown interval {other}"),
    };
    score_ends(End, interval)
}

fn answer_constant(row: &Row) -> Answer {
    match row.id.as_str() {
        "K2" => closed([elo::NORMALIZED_ELO_PER_SIGMA]),
        "K3" => {
            let design = SprtSettings::default().check().unwrap();
            closed([design.lower(), design.upper()])
        }
        id if id.starts_with("K5.") => closed([elo::to_score(id[3..].parse().unwrap())]),
        id if id.starts_with("K6.") => maybe(Closed, [elo::from_score(id[3..].parse().unwrap())]),
        id => panic!("unknown constant {id}"),
    }
}

/// `[('A', 'B', wins, draws, losses), ..]`: the first player moved first.
fn pairings(text: &str) -> Vec<PairingScore> {
    let items: Vec<&str> = tokens(text).collect();
    items
        .chunks(5)
        .map(|item| {
            let player = |name: &str| usize::from(name.as_bytes()[0] - b'A');
            let [wins, draws, losses] = [2, 3, 4].map(|i| item[i].parse().unwrap());
            let evidence = evidence_of_games(Trinomial::of(losses, draws, wins));
            let (a, b) = (player(item[0]), player(item[1]));
            PairingScore { a, b, evidence }
        })
        .collect()
}

/// The American League of 1987 by home team (A. Agresti, "Categorical Data Analysis"): home wins
/// and losses against Milwaukee, Detroit, Toronto, New York, Boston, Cleveland and Baltimore. The
/// row contains only the name of the data.
const BASEBALL: [[(u64, u64); 7]; 7] = [
    [(0, 0), (4, 3), (4, 2), (4, 3), (6, 1), (4, 2), (6, 0)],
    [(3, 3), (0, 0), (4, 2), (4, 3), (6, 0), (6, 1), (4, 3)],
    [(2, 5), (4, 3), (0, 0), (2, 4), (4, 3), (4, 2), (6, 0)],
    [(3, 3), (5, 1), (2, 5), (0, 0), (4, 3), (4, 2), (6, 1)],
    [(5, 1), (2, 5), (3, 3), (4, 2), (0, 0), (5, 2), (6, 0)],
    [(2, 5), (3, 3), (3, 4), (4, 3), (4, 2), (0, 0), (2, 4)],
    [(2, 5), (1, 5), (1, 6), (2, 4), (1, 6), (3, 4), (0, 0)],
];

fn answer_rating(row: &Row, input: &str) -> Answer {
    let fitted = |players, games: &[PairingScore], first_mover| {
        ratings::fit(players, games, FitOptions { first_mover }).expect("ratings")
    };
    match row.id.as_str() {
        "R2a" | "R2b" => {
            // A first +30 =10 -10; B first +22 =10 -18.
            let games = pairings("('A', 'B', 30, 10, 10), ('B', 'A', 22, 10, 18)");
            let fit = fitted(2, &games, row.id == "R2b");
            let difference = Some(fit.ratings[0] - fit.ratings[1]);
            let se = [&fit.model, &fit.robust].map(|c| c.difference_se(0, 1));
            match fit.first_mover {
                None => maybe(Closed, [difference, se[0], se[1]]),
                worth => maybe(Closed, [difference, worth]),
            }
        }
        "R9b" => {
            let mut games = Vec::new();
            for (a, row) in BASEBALL.iter().enumerate() {
                for (b, &(wins, losses)) in row.iter().enumerate() {
                    let evidence = evidence_of_games(Trinomial::of(losses, 0, wins));
                    games.push(PairingScore { a, b, evidence });
                }
            }
            let fit = fitted(7, &games, true);
            let nats = std::f64::consts::LN_10 / 400.0;
            let adv = fit.first_mover.unwrap();
            closed([adv * nats, fit.model.first_mover_se().unwrap() * nats, adv])
        }
        _ => {
            let games = pairings(input);
            let players = 1 + games.iter().map(|p| p.a.max(p.b)).max().unwrap();
            if row.quantity.starts_with("strongly connected") {
                return components(row, players, &games);
            }
            let fit = fitted(players, &games, false);
            let se = (0..players).map(|i| fit.model.rating_se(i));
            let ratings = fit.ratings.iter().map(|&r| Some(r));
            ratings.chain(se).map(|v| (Closed, v)).collect()
        }
    }
}

/// Compares the text itself, so the answer is only the number of components.
fn components(row: &Row, players: usize, games: &[PairingScore]) -> Answer {
    let name = |group: &[usize]| {
        let names = group.iter().map(|&i| format!("'{}'", char::from(b'A' + i as u8)));
        format!("[{}]", names.collect::<Vec<_>>().join(", "))
    };
    let text = |groups: Vec<Vec<usize>>| {
        format!("[{}]", groups.iter().map(|g| name(g)).collect::<Vec<_>>().join(", "))
    };
    assert_eq!(text(ratings::strong_components(players, games)), row.value, "{}", row.id);
    Vec::new()
}

fn answer_planning(row: &Row) -> Answer {
    let draws = [0.0, 0.5, 0.9];
    let whole = |games: Option<u64>| (Closed, games.map(|g| g as f64));
    assert_eq!(row.id, "HW10");
    let games = draws.map(|d| {
        let variance = games_for_precision::variance_per_game(0.5, d)?;
        games_for_precision::games_for_half_width(10.0, variance, P95)
    });
    games.map(whole).to_vec()
}

fn answer_length(row: &Row) -> Answer {
    let draws: f64 = row.input.rsplit(' ').next().unwrap().parse().unwrap();
    let design = design(&row.input, EloModel::Logistic, Unit::Pairs);
    let [h0, halfway, h1] = design.expected_lengths(draws).expect("lengths");
    assert!((h0.games / h1.games - 1.0).abs() < 1e-9);
    closed([h0.games, halfway.games])
}

fn answer_first_mover(row: &Row) -> Answer {
    let cell = |i: usize, j: usize, n: u64| {
        let mut table = PairTable::default();
        table.0[i][j] = n;
        table
    };
    let table = match &row.id[..4] {
        "FPT2" => cell(2, 0, 50),
        "FPT3" => cell(1, 1, 25),
        _ => {
            let won = numbers(&row.input);
            let mut table = cell(GameScore::Win as usize, GameScore::Loss as usize, won[0] as u64);
            table.merge(&cell(0, 2, won[1] as u64));
            table
        }
    };
    let first = table.first_mover();
    match &row.id[4..] {
        "a" => {
            let cells = table.strength().0.into_iter().chain(first.0);
            cells.map(|c| (Closed, Some(c as f64))).collect()
        }
        "f" => join([
            maybe(Closed, [first.mean(), first.elo()]),
            score_ends(End, first.gen_wilson(P95)),
            elo_ends(first.gen_wilson(P95)),
        ]),
        _ => {
            let [second_both, second, _, first, first_both] = first.0;
            let (won, lost) = (first + first_both, second + second_both);
            let e_value = Trinomial::of(lost, 0, won).e_value();
            closed([won as f64, lost as f64, e_value])
        }
    }
}

fn answer(row: &Row, last_input: &str) -> Answer {
    match group(&row.id) {
        "K" => answer_constant(row),
        "T" | "D" | "S" | "FM" => answer_trinomial(row),
        "P" | "Q" => answer_pentanomial(row),
        "L" | "LB" => answer_llr(row),
        "W" => answer_binomial(row),
        "E" if row.input.starts_with("penta") => answer_pentanomial(row),
        "E" => answer_counts::<3>(&row.quantity, counts(&row.input[4..]), None),
        "H" => {
            let adjusted = ratings::holm(&numbers(&row.input[2..]));
            adjusted.into_iter().map(|p| (Closed, Some(p))).collect()
        }
        "R" => answer_rating(row, last_input),
        "HW" => answer_planning(row),
        "SP" => answer_length(row),
        "NE" => {
            let n_eff = effective_games::effective_sample_size([(1, 100)]);
            maybe(Closed, [Some(100.0), Some(100.0), n_eff])
        }
        "FPT" => answer_first_mover(row),
        other => panic!("unknown group {other} of row {}", row.id),
    }
}

/// The letters at the beginning of an id.
fn group(id: &str) -> &str {
    let end = id.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(id.len());
    &id[..end]
}

/// Half a unit in the last printed digit.
fn rounding(token: &str) -> f64 {
    let (digits, exponent) = token.split_once('e').unwrap_or((token, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, d)| d.len() as i32);
    0.5 * 10f64.powi(exponent.parse::<i32>().unwrap_or(0) - decimals)
}

/// The deviation of an answer in the measure of its kind, and the tolerance.
fn deviation(kind: Kind, got: Option<f64>, token: &str) -> (f64, f64) {
    let want: Option<f64> = token.parse().ok().filter(|v: &f64| v.is_finite());
    match (got, want) {
        (Some(got), Some(want)) => {
            let scale = match kind {
                Closed if want.abs() > 1e-30 || got.abs() > 1e-6 => want.abs(),
                _ => 1.0,
            };
            let round = rounding(token) / scale;
            ((got - want).abs() / scale, kind.tolerance() + round)
        }
        (None, None) => (0.0, 0.0),
        _ => (f64::INFINITY, 0.0),
    }
}

#[derive(Default)]
struct Summary {
    rows: usize,
    largest: BTreeMap<Kind, f64>,
}

#[test]
fn every_row_is_answered() {
    let text = include_str!("../data/oracle.tsv");
    let mut summary: BTreeMap<String, Summary> = BTreeMap::new();
    let mut failures = Vec::new();
    let mut last_input = String::new();
    for line in text.lines().skip(1) {
        let mut fields = line.split('\t').map(str::to_string);
        let [id, input, quantity, value] =
            std::array::from_fn(|_| fields.next().unwrap_or_default());
        let row = Row { id, input, quantity, value };
        if !row.input.starts_with("same") {
            last_input.clone_from(&row.input);
        }
        let entry = summary.entry(group(&row.id).to_string()).or_default();
        entry.rows += 1;
        let values = answer(&row, &last_input);
        let wanted: Vec<&str> = tokens(&row.value).collect();
        // An empty value and a component list contain no numbers to compare.
        let id = &row.id;
        if !values.is_empty() && wanted.len().max(1) != values.len() {
            failures.push(format!("{id}: {} values for {}", values.len(), row.value));
        }
        for (i, (kind, got)) in values.into_iter().enumerate() {
            let token = wanted.get(i).copied().unwrap_or("");
            let (deviation, allowed) = deviation(kind, got, token);
            let largest = entry.largest.entry(kind).or_default();
            *largest = largest.max(deviation);
            if deviation > allowed {
                failures.push(format!("{id}: {got:?} for {token}, off by {deviation:e}"));
            }
        }
    }
    println!("group rows  closed (rel)  ends (abs)  sequences (abs)");
    for (name, Summary { rows, largest }) in &summary {
        let of = |kind| largest.get(&kind).map_or("-".into(), |d| format!("{d:.1e}"));
        let [closed, ends, sequences] = [Closed, End, Sequence].map(of);
        println!("{name:5} {rows:4} {closed:>13} {ends:>11} {sequences:>16}");
    }
    let count = failures.len();
    assert!(count == 0, "{count} values are off:\n{}", failures.join("\n"));
}
