//! Numbers as text: never `nan`, `inf` or `-0.0`; `—` for a missing value.

use std::fmt::Write;

use crate::stats::{EloRange, Interval, elo as elo_scale};

/// The text for a missing value.
pub const NONE: &str = "—";

/// A number with this number of decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NONE.to_owned();
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// A share as a percentage with one decimal: `54.3`. Only exact values are `100.0` and `0.0`;
/// values very close to them are `> 99.9` and `< 0.1`.
pub fn percent(share: Option<f64>) -> String {
    share.map_or(NONE.to_owned(), |share| percentage(share, 1))
}

/// As [`percent`], for a probability. A probability of exactly 0 or 1 is a rounding error.
pub fn chance(probability: Option<f64>) -> String {
    percent(probability.map(uncertain))
}

/// The nearest number inside (0, 1) for a probability that was rounded to 0 or 1.
pub fn uncertain(probability: f64) -> f64 {
    probability.clamp(f64::EPSILON, 1.0 - f64::EPSILON)
}

/// As [`percent`], with this number of decimals.
pub fn percentage(share: f64, decimals: usize) -> String {
    let (text, step) = (fixed(100.0 * share, decimals), 0.1_f64.powi(decimals as i32));
    if share < 1.0 && text == fixed(100.0, decimals) {
        format!("> {}", fixed(100.0 - step, decimals))
    } else if share > 0.0 && text == fixed(0.0, decimals) {
        format!("< {}", fixed(step, decimals))
    } else {
        text
    }
}

/// Both ends of an [`informative`] interval of scores, in percent: `[51.0, 57.6]`.
pub fn percents(interval: Option<Interval>) -> String {
    informative(interval)
        .map_or(NONE.to_owned(), |i| format!("[{}, {}]", percentage(i.lo, 1), percentage(i.hi, 1)))
}

/// A share in percent, followed by its interval if it is [`informative`]: `54.3 [51.0, 57.6]`.
pub fn percent_and_interval(share: Option<f64>, interval: Option<Interval>) -> String {
    match informative(interval) {
        Some(_) => format!("{} {}", percent(share), percents(interval)),
        None => percent(share),
    }
}

/// The interval if it excludes a quarter of all scores. People see no other: a single pair would have
/// one that is wider.
pub fn informative(interval: Option<Interval>) -> Option<Interval> {
    interval.filter(|interval| interval.hi - interval.lo < 0.75)
}

/// Whether an interval of Elo says something, by its expected scores against an average opponent. It
/// may be 1 000 Elo wide: far from the average, a wider one also spans few points.
pub fn is_informative_elo([low, high]: [Option<f64>; 2]) -> bool {
    let (lo, hi) = (low.map_or(0.0, elo_scale::to_score), high.map_or(1.0, elo_scale::to_score));
    let is_narrow = low.zip(high).is_none_or(|(low, high)| high - low <= 1000.0);
    is_narrow && informative(Some(Interval { lo, hi })).is_some()
}

/// An interval of a score as one of Elo, if it says something.
pub fn informative_range(interval: Option<Interval>) -> Option<EloRange> {
    let range = interval?.elo();
    is_informative_elo([range.lo(), range.hi()]).then_some(range)
}

/// Adds to the note of a chart why some of its rows have no interval.
pub fn explain_missing(
    mut note: String,
    mut all: impl Iterator<Item = Option<Interval>>,
) -> String {
    if all.any(|interval| interval.is_some() && informative(interval).is_none()) {
        note.push_str("; rows without a line have too few openings or pairs for an interval");
    }
    note
}

/// Why rows of a table have no interval.
pub const NOT_INFORMATIVE: &str =
    "—: too few openings or pairs for an interval; rows of several pairings count openings";

/// The verb of a number of things: `1 of 3 is`, `2 of 3 are`.
pub fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// An Elo difference with its sign: `+30`, `−7`, `0`.
pub fn elo(value: f64) -> String {
    let text = fixed(value, 0);
    match text.strip_prefix('-') {
        Some(digits) => format!("−{digits}"),
        None if text == "0" || text == NONE => text,
        None => format!("+{text}"),
    }
}

/// Half points as points: `2½`.
pub fn half_points(points: u64) -> String {
    match (points / 2, points % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// A range of Elo: `[+7, +53]`, `≥ +166`, `≤ −80`.
pub fn elo_range(range: Option<EloRange>) -> String {
    elo_ends([range.and_then(EloRange::lo), range.and_then(EloRange::hi)])
}

/// As [`elo_range`], from both ends; an open end is `None`.
pub fn elo_ends(ends: [Option<f64>; 2]) -> String {
    match ends {
        [Some(low), Some(high)] => format!("[{}, {}]", elo(low), elo(high)),
        [Some(low), None] => format!("≥ {}", elo(low)),
        [None, Some(high)] => format!("≤ {}", elo(high)),
        [None, None] => NONE.to_owned(),
    }
}

/// A rating with half the width of its interval, or its only end: `+30 ± 12`, `≥ +166`.
pub fn elo_plus_minus([value, low, high]: [Option<f64>; 3]) -> String {
    match (value, low, high) {
        (Some(value), Some(low), Some(high)) => {
            format!("{} ± {}", elo(value), fixed((high - low) / 2.0, 0))
        }
        (Some(value), None, None) => elo(value),
        _ => elo_ends([low, high]),
    }
}

/// A count in groups of three for people: `1 234 567`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// A count with its noun, in the plural if necessary: `1 game`, `2 000 games`, `3 plies`.
pub fn counted(count: u64, what: &str) -> String {
    let number = grouped(count);
    match what.strip_suffix('y') {
        _ if count == 1 => format!("{number} {what}"),
        Some(stem) => format!("{number} {stem}ies"),
        None => format!("{number} {what}s"),
    }
}

/// A large number with three digits: `1.23 k`, `45.6 M`.
pub fn short(value: Option<f64>) -> String {
    scaled(value, [("", 1.0), (" k", 1e3), (" M", 1e6), (" G", 1e9), (" T", 1e12)])
}

/// A time in nanoseconds with three digits: `350 ns`, `1.20 µs`, `34.5 ms`, `2.10 s`.
pub fn time(ns: Option<f64>) -> String {
    scaled(ns, [(" ns", 1.0), (" µs", 1e3), (" ms", 1e6), (" s", 1e9)])
}

/// Three significant digits in the largest unit in which the value is at least 1.
fn scaled<const N: usize>(value: Option<f64>, units: [(&str, f64); N]) -> String {
    let Some(value) = value.filter(|v| v.is_finite()) else { return NONE.to_owned() };
    let unit = units.into_iter().rfind(|(_, scale)| value >= 0.9995 * scale).unwrap_or(units[0]);
    let value = value / unit.1;
    let decimals = match value {
        v if unit.1 == 1.0 && v.fract() == 0.0 => 0,
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    fixed(value, decimals) + unit.0
}

/// A number with as few decimals as possible, and at most this number: `0.25`, `−50`.
pub fn trimmed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    minus(text)
}

/// A number with this number of decimals and a typographic minus sign.
pub fn signed(value: f64, decimals: usize) -> String {
    minus(&fixed(value, decimals))
}

/// The same text with typographic minus signs.
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// A p-value: `0.013`, `< 0.0001`.
pub fn p_value(p: Option<f64>) -> String {
    match p {
        None => NONE.to_owned(),
        Some(p) if p < 0.0001 => "< 0.0001".to_owned(),
        Some(p) if p < 0.001 => fixed(p, 4),
        Some(p) => fixed(p.min(1.0), 3),
    }
}

/// An e-value: `0.13`, `27.4`, `> 10⁶`.
pub fn e_value(e: Option<f64>) -> String {
    match e {
        None => NONE.to_owned(),
        Some(e) if e < 0.01 => "< 0.01".to_owned(),
        Some(e) if e > 1e6 => "> 10⁶".to_owned(),
        Some(e) if e >= 999.5 => grouped(e.round() as u64),
        Some(e) if e >= 99.95 => fixed(e, 0),
        Some(e) if e >= 9.995 => fixed(e, 1),
        Some(e) => fixed(e, 2),
    }
}

/// A number in full precision, with an exponent if it would otherwise be mostly zeros.
fn add_plain(text: &mut String, value: f64) {
    let written = match value != 0.0 && !(1e-5..1e16).contains(&value.abs()) {
        true => write!(text, "{value:e}"),
        false => write!(text, "{value}"),
    };
    written.expect("a String takes everything");
}

/// Appends a number for CSV in full precision; a missing value is empty.
pub fn add_field(text: &mut String, value: Option<f64>) {
    if let Some(value) = value.filter(|value| value.is_finite()) {
        add_plain(text, value + 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn field(value: Option<f64>) -> String {
        let mut text = String::new();
        add_field(&mut text, value);
        text
    }

    #[test]
    fn there_is_no_minus_zero_and_no_nan() {
        assert_eq!(fixed(-0.001, 1), "0.0");
        assert_eq!(fixed(-0.06, 1), "-0.1");
        assert_eq!(fixed(f64::NAN, 1), NONE);
        assert_eq!(elo(-0.3), "0");
        assert_eq!(elo(-7.4), "−7");
        assert_eq!(field(Some(f64::INFINITY)), "");
        assert_eq!(field(Some(-0.0)), "0");
        assert_eq!(field(Some(1e-300)), "1e-300");
        assert_eq!(field(Some(0.0001)), "0.0001");
    }

    proptest! {
        /// Only 0 is shown as 0 and only 1 as 100, for any number of decimals.
        #[test]
        fn rounding_makes_nothing_certain(
            share in prop_oneof![0.0..=1.0_f64, 0.0..1e-3_f64, (0.0..1e-3_f64).prop_map(|x| 1.0 - x)],
            decimals in 0..3_usize,
        ) {
            let text = percentage(share, decimals);
            let digits = text.trim_start_matches(['<', '>', ' ']);
            let shown: f64 = digits.parse().expect("a number");
            let (sign, step) = (text.chars().next(), 0.1_f64.powi(decimals as i32));
            prop_assert_eq!(shown == 0.0, share == 0.0, "{} as {}", share, &text);
            prop_assert_eq!(shown == 100.0, share == 1.0, "{} as {}", share, &text);
            match sign {
                Some('<') => prop_assert!(100.0 * share < shown && shown <= step * 1.01),
                Some('>') => prop_assert!(100.0 * share > shown && shown < 100.0),
                _ => prop_assert!((100.0 * share - shown).abs() <= step * 0.51, "{}", text),
            }
            prop_assert!(!["0.0", "100.0"].contains(&&*chance(Some(share))));
        }
    }

    #[test]
    fn shares_next_to_all_and_nothing_are_said_to_be() {
        let shown = [1.0, 0.9999, 0.9994, 0.5, 0.0006, 0.0001, 0.0].map(|s| percent(Some(s)));
        assert_eq!(shown, ["100.0", "> 99.9", "99.9", "50.0", "0.1", "< 0.1", "0.0"]);
        assert_eq!([0.999, 0.001].map(|share| percentage(share, 0)), ["> 99", "< 1"]);
        assert_eq!([1.0, 0.0].map(|los| chance(Some(los))), ["> 99.9", "< 0.1"]);
        assert_eq!((percent(None), chance(None)), (NONE.to_owned(), NONE.to_owned()));
        let ends = Interval { lo: 0.9998, hi: 1.0 };
        assert_eq!(percents(Some(ends)), "[> 99.9, 100.0]");
    }

    #[test]
    fn numbers_keep_three_digits() {
        let shorts = [0.0, 7.0, 7.25, 999.0, 999.96, 1_234.0, 99_960.0, 45.6e6];
        let expected = ["0", "7", "7.25", "999", "1.00 k", "1.23 k", "100 k", "45.6 M"];
        assert_eq!(shorts.map(|v| short(Some(v))), expected);
        let times = [12.0, 350.4, 1_200.0, 34.5e6, 2.1e9];
        assert_eq!(
            times.map(|v| time(Some(v))),
            ["12 ns", "350 ns", "1.20 µs", "34.5 ms", "2.10 s"]
        );
        assert_eq!(grouped(1_234_567), "1 234 567");
        assert_eq!(grouped(12), "12");
        assert_eq!((counted(1, "game"), counted(0, "game")), ("1 game".into(), "0 games".into()));
    }

    #[test]
    fn e_values_keep_three_digits_within_reason() {
        let shown =
            [0.0, 0.126, 9.999, 27.44, 999.7, 123_456.0, f64::MAX].map(|e| e_value(Some(e)));
        let wanted = ["< 0.01", "0.13", "10.0", "27.4", "1 000", "123 456", "> 10⁶"];
        assert_eq!(shown, wanted);
        assert_eq!(e_value(None), NONE);
    }

    #[test]
    fn bounds_are_said_to_be_bounds() {
        assert_eq!(elo_range(Some(EloRange::AtLeast(166.2))), "≥ +166");
        assert_eq!(elo_range(Some(EloRange::Between { lo: -3.0, hi: 9.0 })), "[−3, +9]");
        assert_eq!(elo_range(None), NONE);
    }
}
