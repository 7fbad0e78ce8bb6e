//! A sequential test in words: its verdict, its log-likelihood ratio and its bounds.

use super::{KindReport, RunDecision};
use crate::stats::sprt::{EloModel, Sprt, SprtVerdict, Unit};
use crate::text::number_format::{NONE, counted, e_value, fixed, grouped, minus, signed};

impl KindReport for Sprt {
    fn decision(&self) -> RunDecision {
        RunDecision::of_test(Sprt::verdict(self))
    }

    fn verdict(
        &self,
        names: [&str; 2],
        b_is_stronger: &dyn Fn() -> String,
        complete: bool,
    ) -> Option<String> {
        Some(sentence(names, b_is_stronger, self, complete))
    }

    fn verdict_word(&self) -> Option<String> {
        Some(word(self))
    }

    fn test(&self, complete: bool) -> Option<[String; 3]> {
        Some([name(self), ratio(self), accepted(self, complete)])
    }

    fn state_of_test(&self, complete: bool) -> Option<String> {
        let mut state = accepted(self, complete);
        if !matches!(Sprt::verdict(self), Some(SprtVerdict::AcceptH0 | SprtVerdict::AcceptH1)) {
            state.push_str(&format!("; {}", progress(self)));
        }
        Some(format!("{}: {state}.", name(self)))
    }

    fn test_as_json(&self, complete: bool) -> Option<serde_json::Value> {
        Some(json(self, complete))
    }
}

/// The name of the test: `SPRT(0, 5)`, with its scale if that is not the logistic one, and with its
/// scores if they are without luck.
pub fn name(sprt: &Sprt) -> String {
    let settings = sprt.design().settings();
    let scale = match settings.model {
        _ if settings.adjusted => " without luck",
        EloModel::Logistic => "",
        EloModel::Normalized => " normalized",
        EloModel::Bayes => " BayesElo",
    };
    format!("SPRT({}, {}){scale}", bound(settings.elo0), bound(settings.elo1))
}

/// The ratio and its bounds: `LLR 1.20 in [−2.94, 2.94]`. For scores without luck: the e-values
/// against both hypotheses.
pub fn ratio(sprt: &Sprt) -> String {
    if sprt.design().settings().adjusted {
        return format!("asymptotic {}", against_both(sprt.ln_asymptotic_e_values()));
    }
    let [llr, lower, upper] =
        [sprt.llr(), sprt.lower(), sprt.upper()].map(|value| signed(value, 2));
    format!("LLR {llr} in [{lower}, {upper}]")
}

/// E-values from their logarithms: `e-values 3.20 against H0 and — against H1`.
fn against_both(ln_e: [Option<f64>; 2]) -> String {
    let [h0, h1] = ln_e.map(|ln_e| e_value(ln_e.map(f64::exp)));
    format!("e-values {h0} against H0 and {h1} against H1")
}

/// The strict e-values of the raw scores, for a test of scores without luck: they belong beside its
/// asymptotic ones. `None` for other tests.
pub fn strict(sprt: &Sprt) -> Option<String> {
    let strict =
        || format!("raw scores, strict: {}", against_both(sprt.ln_strict_e_values().map(Some)));
    sprt.design().settings().adjusted.then(strict)
}

/// What the ratio of the test is, as a name for a chart and for a value in it.
pub fn name_of_ratio(sprt: &Sprt) -> [&'static str; 2] {
    match sprt.design().settings().adjusted {
        true => ["logarithm of the asymptotic e-value", "ln e"],
        false => ["log-likelihood ratio", "LLR"],
    }
}

/// The ratio, and how far it is on the way to the bound on its side, in per cent.
fn progress(sprt: &Sprt) -> String {
    let (llr, hypothesis, bound) = match sprt.llr() {
        llr if llr >= 0.0 => (llr, "H1", sprt.upper()),
        llr => (llr, "H0", sprt.lower()),
    };
    let way = (100.0 * llr / bound).clamp(0.0, 100.0);
    let [_, ratio] = name_of_ratio(sprt);
    format!("{ratio} {}, {} % of the way to {hypothesis}", signed(llr, 2), fixed(way, 0))
}

/// The accepted hypothesis and the number of samples.
fn accepted(sprt: &Sprt, complete: bool) -> String {
    let word = match sprt.verdict() {
        Some(verdict) => verdict.words(),
        None if complete => "undecided: the maximum was reached",
        None => "undecided so far",
    };
    let (samples, unit) = match sprt.design().settings().unit {
        Unit::Pairs => (sprt.evidence().pairs.n(), "distinct pairs"),
        Unit::Games => (sprt.evidence().games().n(), "distinct games"),
    };
    let overrun = match sprt.overrun().games().n() {
        0 => String::new(),
        games => format!("; {} after the decision not counted", counted(games, "game")),
    };
    let strict = strict(sprt).map_or(String::new(), |strict| format!("; {strict}"));
    format!("{word} after {} {unit}{overrun}{strict}", grouped(samples))
}

/// The verdict as a sentence about A and B. The test accepts the better supported of two
/// hypotheses; it does not estimate the size of the difference.
fn sentence(
    [a, b]: [&str; 2],
    b_is_stronger: &dyn Fn() -> String,
    sprt: &Sprt,
    complete: bool,
) -> String {
    let settings = sprt.design().settings();
    let (elo0, elo1) = (settings.elo0, settings.elo1);
    let verdict = match sprt.verdict() {
        Some(SprtVerdict::AcceptH1) if elo0 >= 0.0 => format!("{a} is stronger"),
        Some(SprtVerdict::AcceptH1) => format!("{a} is not worse than {b} by {} Elo", bound(-elo0)),
        Some(SprtVerdict::AcceptH0) if elo1 <= 0.0 => b_is_stronger(),
        Some(SprtVerdict::AcceptH0) => {
            format!("{a} is not stronger than {b} by {} Elo", bound(elo1))
        }
        Some(SprtVerdict::Undecided) | None if complete => "undecided".to_owned(),
        Some(SprtVerdict::Undecided) | None => "undecided so far".to_owned(),
    };
    format!("{verdict} ({})", kind(sprt))
}

/// The verdict on the first agent in one or two words, for a column.
fn word(sprt: &Sprt) -> String {
    let settings = sprt.design().settings();
    let word = match sprt.verdict() {
        Some(SprtVerdict::AcceptH1) if settings.elo0 >= 0.0 => "stronger",
        Some(SprtVerdict::AcceptH1) => "not worse",
        Some(SprtVerdict::AcceptH0) if settings.elo1 <= 0.0 => "weaker",
        Some(SprtVerdict::AcceptH0) => "not stronger",
        Some(SprtVerdict::Undecided) | None => "undecided",
    };
    format!("{word} ({})", kind(sprt))
}

/// What a verdict is based on.
fn kind(sprt: &Sprt) -> &'static str {
    match sprt.design().settings().adjusted {
        true => "sequential test without luck, asymptotic",
        false => "sequential test",
    }
}

/// The test as JSON: its settings, its ratio and the accepted hypothesis.
fn json(sprt: &Sprt, complete: bool) -> serde_json::Value {
    let settings = sprt.design().settings();
    let (samples, unit) = match settings.unit {
        Unit::Pairs => (sprt.evidence().pairs.n(), "pairs"),
        Unit::Games => (sprt.evidence().games().n(), "games"),
    };
    let adjusted = settings.adjusted.then(|| {
        let [asymptotic_h0, asymptotic_h1] = sprt.ln_asymptotic_e_values();
        let [strict_h0, strict_h1] = sprt.ln_strict_e_values();
        serde_json::json!({
            "ln_asymptotic_e_against_h0": asymptotic_h0,
            "ln_asymptotic_e_against_h1": asymptotic_h1,
            "ln_strict_raw_e_against_h0": strict_h0,
            "ln_strict_raw_e_against_h1": strict_h1,
        })
    });
    let llr = Some(sprt.llr()).filter(|_| !settings.adjusted);
    serde_json::json!({
        "adjusted": adjusted,
        "elo0": settings.elo0,
        "elo1": settings.elo1,
        "alpha": settings.alpha,
        "beta": settings.beta,
        "model": match settings.model {
            EloModel::Logistic => "logistic",
            EloModel::Normalized => "normalized",
            EloModel::Bayes => "bayeselo",
        },
        "unit": unit,
        "samples": samples,
        "llr": llr,
        "lower": sprt.lower(),
        "upper": sprt.upper(),
        "verdict": sprt.verdict().or(complete.then_some(SprtVerdict::Undecided)).map(SprtVerdict::word),
        "overrun_games": sprt.overrun().games().n(),
    })
}

/// A hypothesis as typed, with a typographic minus sign.
fn bound(elo: f64) -> String {
    match elo {
        elo if !elo.is_finite() => NONE.to_owned(),
        0.0 => "0".to_owned(),
        elo => minus(&elo.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::GameScore::{Loss, Win};
    use crate::stats::sprt::SprtSettings;

    fn played(elo0: f64, elo1: f64, outcome: crate::stats::GameScore, pairs: u32) -> Sprt {
        let settings = SprtSettings { elo0, elo1, ..SprtSettings::default() };
        let mut sprt = Sprt::new(settings.check().expect("a design"));
        for _ in 0..pairs {
            sprt.push_pair(outcome, outcome);
        }
        sprt
    }

    #[test]
    fn the_words_follow_the_hypotheses() {
        let sentence = |sprt: &Sprt, complete| {
            sentence(["new", "old"], &|| "old is stronger".to_owned(), sprt, complete)
        };
        let say = |elo0, elo1, outcome| sentence(&played(elo0, elo1, outcome, 500), true);
        let words = [(0.0, 10.0, Win), (-10.0, 0.0, Win), (0.0, 10.0, Loss), (-10.0, 0.0, Loss)]
            .map(|(elo0, elo1, outcome)| word(&played(elo0, elo1, outcome, 500)));
        let wanted = ["stronger", "not worse", "not stronger", "weaker"];
        assert_eq!(words.to_vec(), wanted.map(|word| format!("{word} (sequential test)")));
        assert_eq!(say(0.0, 10.0, Win), "new is stronger (sequential test)");
        assert_eq!(say(-10.0, 0.0, Win), "new is not worse than old by 10 Elo (sequential test)");
        assert_eq!(
            say(0.0, 10.0, Loss),
            "new is not stronger than old by 10 Elo (sequential test)"
        );
        assert_eq!(say(-10.0, 0.0, Loss), "old is stronger (sequential test)");
        let none = played(-2.5, 0.0, Win, 0);
        assert_eq!(sentence(&none, true), "undecided (sequential test)");
        assert_eq!(sentence(&none, false), "undecided so far (sequential test)");
    }

    #[test]
    fn the_ratio_stands_between_its_bounds() {
        let none = played(-2.5, 0.0, Win, 0);
        assert_eq!(name(&none), "SPRT(−2.5, 0)");
        assert_eq!(ratio(&none), "LLR 0.00 in [−2.94, 2.94]");
        assert_eq!(
            accepted(&none, true),
            "undecided: the maximum was reached after 0 distinct pairs"
        );
        let won = played(0.0, 100.0, Win, 100);
        assert!(accepted(&won, true).starts_with("H1 accepted after "), "{}", accepted(&won, true));
        assert!(accepted(&won, true).ends_with(" after the decision not counted"));
    }
}
