//! Sequential tests: settings, likelihood ratios, verdicts and expected lengths.

use agon::stats::GameScore::{self, Draw, Loss, Win};
use agon::stats::sprt::bayes_elo::{chances, draw_elo, to_score};
use agon::stats::sprt::{
    Design, EloModel, Overshoot, SettingsError, Sprt, SprtSettings, SprtVerdict, Unit,
    llr_of_means, llr_of_t,
};
use agon::stats::{Counts, Evidence, Trinomial, elo};

fn with(change: impl Fn(&mut SprtSettings)) -> Result<Design, SettingsError> {
    let mut settings = SprtSettings::default();
    change(&mut settings);
    settings.check()
}

#[test]
fn the_default_design() {
    let design = SprtSettings::default().check().unwrap();
    assert!((design.upper() - 2.94443897916644).abs() < 1e-14);
    assert!((design.lower() + 2.94443897916644).abs() < 1e-14);
    assert!(design.llr(&Evidence::default()).abs() < 1e-5);
}

#[test]
fn impossible_settings_are_refused_with_advice() {
    let refused = [
        (with(|s| s.elo1 = 0.0), "set elo1"),
        (with(|s| s.elo1 = -5.0), "exchange"),
        (with(|s| s.elo1 = f64::NAN), "choose a value"),
        (with(|s| s.elo0 = f64::NEG_INFINITY), "choose a value"),
        (with(|s| s.elo1 = 1e-9), "apart"),
        (with(|s| s.alpha = 0.0), "choose an error rate"),
        (with(|s| s.beta = f64::NAN), "choose an error rate"),
        (with(|s| (s.alpha, s.beta) = (0.5, 0.5)), "below 0.5"),
        (with(|s| s.max_games = Some(1)), "at least 2 games"),
    ];
    for (result, help) in refused {
        let text = result.unwrap_err().to_string();
        assert!(text.contains(help), "{text}");
    }
}

#[test]
fn every_model_is_finite_on_every_table() {
    let mut tables = vec![Evidence::default()];
    for cell in 0..9 {
        for count in [1, 1 << 33, u64::MAX / 4] {
            let mut evidence = Evidence::default();
            evidence.pairs.0[cell / 3][cell % 3] = count;
            evidence.lone_first = Counts([0, 0, count]);
            tables.push(evidence);
        }
    }
    for unit in [Unit::Pairs, Unit::Games] {
        for model in [EloModel::Logistic, EloModel::Normalized, EloModel::Bayes] {
            for (elo0, elo1) in [(0.0, 5.0), (-2000.0, 2000.0), (1990.0, 2000.0)] {
                let settings = SprtSettings { elo0, elo1, unit, model, ..SprtSettings::default() };
                let design = settings.check().unwrap();
                for evidence in &tables {
                    let llr = design.llr(evidence);
                    assert!(llr.is_finite(), "{settings:?} {evidence:?}");
                }
            }
        }
    }
}

#[test]
fn without_draws_it_is_logistic() {
    assert!(draw_elo(&Trinomial::of(50, 0, 50)) < 0.01);
    assert!((to_score(70.0, 0.0) - elo::to_score(70.0)).abs() < 1e-15);
}

#[test]
fn the_estimate_gives_back_the_draw_ratio() {
    let games = Trinomial::of(250, 500, 250);
    let [loss, draw, win] = chances(0.0, draw_elo(&games));
    assert!((draw - 0.5).abs() < 1e-12);
    assert!((loss - win).abs() < 1e-15);
}

#[test]
fn nothing_and_everything_is_finite() {
    for cells in [[0, 0, 0], [0, 0, u64::MAX], [0, u64::MAX, 0], [1, 0, 1]] {
        let d = draw_elo(&Counts(cells));
        assert!(d.is_finite() && d >= 0.0);
        assert!((0.0..=1.0).contains(&to_score(5.0, d)));
    }
}

#[test]
fn without_draws_it_is_the_binomial_ratio() {
    // The empty cell has a small weight, so the values are only nearly equal.
    let got = llr_of_means(&Trinomial::of(400, 0, 600), 0.5, 0.55);
    let want = 600.0 * (0.55_f64 / 0.5).ln() + 400.0 * (0.45_f64 / 0.5).ln();
    assert!((got - want).abs() < 1e-3);
}

#[test]
fn exchanging_the_hypotheses_or_the_sides_changes_the_sign() {
    let counts = Counts([10, 60, 114, 59, 7]);
    let llr = llr_of_means(&counts, 0.5, 0.52);
    assert!((llr + llr_of_means(&counts, 0.52, 0.5)).abs() < 1e-12);
    assert!((llr + llr_of_means(&counts.flipped(), 0.48, 0.5)).abs() < 1e-12);
    let llr = llr_of_t(&counts, 0.0, 0.1);
    assert!((llr + llr_of_t(&counts, 0.1, 0.0)).abs() < 1e-12);
    assert!((llr + llr_of_t(&counts.flipped(), -0.1, 0.0)).abs() < 1e-9);
}

#[test]
fn near_equality_it_is_the_quadratic_one() {
    let counts = Counts([200, 2000, 4000, 2100, 220]);
    let (s0, s1) = (0.5, 0.502);
    let (s, v) = (counts.mean().unwrap(), counts.variance().unwrap());
    let want = counts.n() as f64 * (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * v);
    assert!((llr_of_means(&counts, s0, s1) - want).abs() < 1e-3 * want.abs());
}

#[test]
fn the_error_rates_come_back() {
    for (alpha, beta) in [(0.05, 0.05), (0.01, 0.2), (1e-6, 0.3)] {
        let settings = SprtSettings { alpha, beta, ..SprtSettings::default() };
        let design = settings.check().unwrap();
        let [h0, _, h1] = design.expected_lengths(0.5).unwrap();
        assert!((h0.accept_h1 - alpha).abs() < 1e-3 * alpha);
        assert!((1.0 - h1.accept_h1 - beta).abs() < 1e-3 * beta);
    }
}

#[test]
fn the_middle_takes_longest() {
    let design = SprtSettings::default().check().unwrap();
    let [h0, middle, h1] = design.expected_lengths(0.0).unwrap();
    assert!((middle.accept_h1 - 0.5).abs() < 1e-3);
    assert!(h0.games < middle.games && h1.games < middle.games);
}

#[test]
fn equal_steps_pass_by_half_a_step() {
    let mut overshoot = Overshoot::default();
    for llr in [0.5, 1.0, 0.5, 1.0, 1.5] {
        overshoot.observe(llr);
    }
    assert_eq!(overshoot.above(), 0.25);
    assert_eq!(overshoot.below(), 0.0);
    overshoot.observe(-2.0);
    assert_eq!(overshoot.below(), 1.0);
}

fn test(change: impl Fn(&mut SprtSettings)) -> Sprt {
    let mut settings = SprtSettings::default();
    change(&mut settings);
    Sprt::new(settings.check().unwrap())
}

fn pairs_until_verdict(mut sprt: Sprt, first: GameScore, second: GameScore) -> (u64, SprtVerdict) {
    loop {
        if let Some(verdict) = sprt.push_pair(first, second) {
            return (sprt.evidence().pairs.n(), verdict);
        }
    }
}

#[test]
fn pairs_without_variance_end_where_they_should() {
    use EloModel::{Logistic, Normalized};
    use SprtVerdict::{AcceptH0, AcceptH1};
    for (model, first, second, want) in [
        (Logistic, Draw, Draw, (204, AcceptH0)),
        (Logistic, Win, Draw, (207, AcceptH1)),
        (Logistic, Win, Win, (207, AcceptH1)),
        (Normalized, Draw, Draw, (7130, AcceptH0)),
        (Normalized, Win, Draw, (208, AcceptH1)),
        (Normalized, Win, Win, (147, AcceptH1)),
    ] {
        let sprt = test(|s| s.model = model);
        assert_eq!(pairs_until_verdict(sprt, first, second), want, "{model:?}");
    }
}

#[test]
fn the_verdict_is_frozen_and_the_rest_is_overrun() {
    let mut sprt = test(|s| s.elo1 = 100.0);
    while sprt.push_pair(Win, Draw).is_none() {}
    let (at, llr) = (*sprt.evidence(), sprt.llr());
    for _ in 0..500 {
        assert_eq!(sprt.push_pair(Loss, Loss), Some(SprtVerdict::AcceptH1));
    }
    sprt.push_game(Loss, true);
    assert_eq!((*sprt.evidence(), sprt.llr()), (at, llr));
    assert_eq!(sprt.overrun().pairs.n(), 500);
    assert_eq!(sprt.overrun().games().n(), 1001);
}

#[test]
fn the_cap_ends_an_endless_test() {
    let sprt = test(|s| (s.elo0, s.elo1, s.max_games) = (-3.0, 3.0, Some(1001)));
    assert_eq!(pairs_until_verdict(sprt, Draw, Draw), (500, SprtVerdict::Undecided));
}

#[test]
fn single_games_are_tested_one_by_one() {
    let mut sprt = test(|s| (s.unit, s.max_games) = (Unit::Games, Some(3)));
    assert_eq!(sprt.push_pair(Win, Loss), None);
    assert_eq!(sprt.push_game(Draw, true), Some(SprtVerdict::Undecided));
    assert_eq!(sprt.push_pair(Win, Win), Some(SprtVerdict::Undecided));
    assert_eq!(sprt.evidence().games().n(), 3);
    assert_eq!(sprt.overrun().games().n(), 2);
}

#[test]
fn lone_games_are_no_evidence_about_pairs() {
    let mut sprt = test(|_| ());
    for _ in 0..10_000 {
        assert_eq!(sprt.push_game(Win, true), None);
    }
    assert_eq!(sprt.llr(), 0.0);
    assert_eq!(sprt.evidence().lone_first.n(), 10_000);
}

#[test]
fn overshoot_brings_the_bounds_nearer() {
    let mut plain = test(|s| s.elo1 = 200.0);
    let mut corrected = test(|s| (s.elo1, s.overshoot) = (200.0, true));
    for _ in 0..3 {
        plain.push_pair(Win, Win);
        corrected.push_pair(Win, Win);
    }
    assert!(corrected.upper() < plain.upper());
    assert_eq!(corrected.lower(), plain.lower());
}

#[test]
fn the_expected_rest_is_that_of_the_plan_and_then_of_the_games() {
    use GameScore::{Draw, Loss, Win};
    let mut sprt = test(|s| s.elo1 = 20.0);
    let [_, halfway, _] = sprt.design().expected_lengths(0.0).unwrap();
    let rest = sprt.expected_rest().unwrap();
    // Nothing is known yet. The correction for overshoot makes the test a little shorter.
    assert!((0.9..=1.0).contains(&(rest / halfway.games)), "{rest} {}", halfway.games);
    // Three points of every four games: the drift is steady, so the rest is known.
    let results = [(Win, Win), (Win, Loss), (Win, Draw), (Draw, Win), (Win, Draw)];
    let mut rests = Vec::new();
    for (first, second) in results.into_iter().cycle() {
        rests.push(sprt.expected_rest());
        if sprt.push_pair(first, second).is_some() {
            break;
        }
    }
    let all = 2 * rests.len();
    for part in [2, 3] {
        let at = rests.len() * (part - 1) / part;
        let (expected, rest) = (rests[at].unwrap(), (all - 2 * at) as f64);
        assert!((0.5..=3.0).contains(&(expected / rest)), "{expected} {rest} of {all}");
    }
    assert_eq!(sprt.expected_rest(), None, "it is decided");
}
