//! The result that a referee prints: JSON, as for psyleague, or scores and data line by line, as for
//! cg-brutaltester.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::agents::FaultKind;
use crate::engine::shorten;
use crate::play::game_record::Outcome;

/// The result of a game.
#[derive(Debug, Default, PartialEq)]
pub(super) struct GameResult {
    /// The outcome by ranks or scores.
    pub outcome: Outcome,
    /// By player: the error, if there was one.
    pub errors: [Option<String>; 2],
    /// Everything else, by name.
    pub attributes: Vec<(String, String)>,
}

/// The longest text of an attribute, in characters.
const LONGEST: usize = 200;
const FORMS: &str = "the last line must be JSON such as `{\"ranks\": [0, 1]}`, or the output two \
                     lines with the scores";

impl GameResult {
    /// Reads the lines of an output; `None` is a line that is too long.
    ///
    /// # Errors
    /// What is wrong with it, in words for people.
    pub fn read(lines: &[Option<String>]) -> Result<Self, String> {
        let end = lines.iter().rposition(|line| line.as_ref().is_none_or(|line| !is_blank(line)));
        let Some(end) = end else { return Err(format!("it prints nothing; {FORMS}")) };
        let Some(last) = &lines[end] else {
            return Err(format!("its last line is longer than 64 KiB; {FORMS}"));
        };
        // JSON of several lines begins and ends at the beginning of a line.
        let begin = match last.chars().next() {
            Some('{' | '[') => Some(end),
            Some('}' | ']') => {
                let begins = |line: &Option<String>| {
                    line.as_ref().is_some_and(|line| line.starts_with(['{', '[']))
                };
                lines[..end].iter().rposition(begins)
            }
            _ => None,
        };
        let Some(begin) = begin else { return Self::of_lines(&lines[..=end], last) };
        let text: Vec<&str> = lines[begin..=end].iter().flatten().map(String::as_str).collect();
        match serde_json::from_str(&text.join("\n")) {
            Ok(Value::Object(result)) => Self::of_json(&result),
            Ok(_) => Err("it prints a list; one call must play one game".to_owned()),
            Err(error) => {
                // Python writes them by default.
                let is_python = last.contains("NaN") || last.contains("Infinity");
                let hint = if is_python { "; JSON has no `NaN` and no `Infinity`" } else { "" };
                Err(format!("its last line is not JSON ({error}): `{}`{hint}", shorten(last)))
            }
        }
    }

    fn of_json(result: &Map<String, Value>) -> Result<Self, String> {
        let errors = match result.get("errors") {
            None | Some(Value::Null) => [None, None],
            Some(Value::Array(none)) if none.is_empty() => [None, None],
            Some(errors) => two("errors", errors)?.map(error_text),
        };
        let outcome = match (result.get("ranks"), result.get("scores")) {
            // The smaller rank is the better one.
            (Some(ranks), _) => order("ranks", ranks).map(|order| better(order.reverse())),
            (None, Some(scores)) => order("scores", scores).map(better),
            (None, None) => Err("its result has neither `ranks` nor `scores`".to_owned()),
        };
        // An error decides the game without them.
        let is_decided = errors.iter().any(Option::is_some);
        let outcome = if is_decided { outcome.unwrap_or_default() } else { outcome? };
        let mut attributes = Vec::new();
        for (name, value) in result {
            match value {
                Value::Object(inner) => {
                    inner.iter().for_each(|(name, value)| add(name, value, &mut attributes));
                }
                value => add(name, value, &mut attributes),
            }
        }
        Ok(GameResult { outcome, errors, attributes })
    }

    /// Reads a score a line, and then data such as `seed=7`. Other lines before the scores are left
    /// out. A negative score is an error of the player.
    fn of_lines(lines: &[Option<String>], last: &str) -> Result<Self, String> {
        let mut scores: Vec<i64> = Vec::new();
        let mut lines = lines.iter().flatten().map(|line| line.trim()).peekable();
        let read = |line: &str| -> Option<Vec<i64>> {
            line.split_ascii_whitespace().map(|word| word.parse().ok()).collect()
        };
        while let Some(more) = lines.peek().map(|line| read(line)) {
            match more {
                Some(more) => scores.extend(more),
                None if scores.len() >= 2 => break,
                None => {}
            }
            lines.next();
        }
        let scores: [i64; 2] = match scores.len() {
            2 => [scores[0], scores[1]],
            0 | 1 => {
                return Err(format!("it prints no result; {FORMS}; it is `{}`", shorten(last)));
            }
            more => return Err(too_many("scores", more)),
        };
        let pair = |line: &str| {
            let (name, value) = line.split_once('=')?;
            Some((name.trim().to_owned(), plain(value.trim())))
        };
        let mut attributes: Vec<_> = lines.filter_map(pair).collect();
        add("scores", &Value::from(&scores[..]), &mut attributes);
        Ok(GameResult {
            outcome: better(scores[0].cmp(&scores[1])),
            errors: scores.map(|score| (score < 0).then(|| format!("the score is {score}"))),
            attributes,
        })
    }
}

/// The kind of a fault that the referee describes with these words.
pub(super) fn kind_of_error(text: &str) -> FaultKind {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match () {
        () if says(&["timeout", "timed out", "time out", "too late"]) => FaultKind::Timeout,
        () if says(&["illegal", "invalid"]) => FaultKind::IllegalMove,
        () if says(&["crash"]) => FaultKind::Crash,
        () => FaultKind::Error,
    }
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// The outcome if the first player's value has this order to the second player's.
fn better(order: Ordering) -> Outcome {
    match order {
        Ordering::Greater => Outcome::First,
        Ordering::Equal => Outcome::Draw,
        Ordering::Less => Outcome::Second,
    }
}

fn too_many(key: &str, seats: usize) -> String {
    format!(
        "it prints {seats} {key}: agon plays games of two players, and `agon rate` rates results \
         with more"
    )
}

fn two<'a>(key: &str, value: &'a Value) -> Result<[&'a Value; 2], String> {
    match value.as_array().map(Vec::as_slice) {
        Some([first, second]) => Ok([first, second]),
        Some(more) if more.len() > 2 => Err(too_many(key, more.len())),
        _ => Err(format!("`{key}` is not a list of two values")),
    }
}

/// The order of two numbers. That of whole numbers is exact.
fn order(key: &str, value: &Value) -> Result<Ordering, String> {
    let [first, second] = two(key, value)?;
    let whole =
        |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let order = match whole(first).zip(whole(second)) {
        Some((first, second)) => Some(first.cmp(&second)),
        None => first.as_f64().zip(second.as_f64()).and_then(|(a, b)| a.partial_cmp(&b)),
    };
    order.ok_or_else(|| format!("`{key}` is not a list of two numbers"))
}

/// The text of an error; `None` for a value that says that there was none.
fn error_text(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) => None,
        Value::Bool(true) => Some("an error".to_owned()),
        Value::Number(number) if number.as_f64() == Some(0.0) => None,
        Value::String(text) if is_blank(text) || text == "0" => None,
        Value::Array(all) if all.iter().all(|one| error_text(one).is_none()) => None,
        value => Some(scalar(value)),
    }
}

/// Adds an attribute. A list of two is one for each player, and the name of the player follows its name.
fn add(name: &str, value: &Value, to: &mut Vec<(String, String)>) {
    match value {
        Value::Array(both) if both.len() == 2 => {
            for (value, player) in both.iter().zip(["first", "second"]) {
                match value {
                    // The data of a player.
                    Value::Object(inner) => to.extend(
                        (inner.iter())
                            .map(|(name, value)| (format!("{name}_{player}"), scalar(value))),
                    ),
                    value => to.push((format!("{name}_{player}"), scalar(value))),
                }
            }
        }
        value => to.push((name.to_owned(), scalar(value))),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => plain(text),
        value => plain(&value.to_string()),
    }
}

fn plain(text: &str) -> String {
    text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> Result<GameResult, String> {
        let lines: Vec<_> = output.lines().map(|line| Some(line.to_owned())).collect();
        GameResult::read(&lines)
    }

    fn attributes(output: &str) -> String {
        let result = read(output).expect(output);
        let pairs = result.attributes.iter().map(|(name, value)| format!("{name}={value}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ranks_and_scores_decide() {
        let outcome = |output: &str| read(output).expect(output).outcome;
        assert_eq!(outcome(r#"{"ranks": [0, 1]}"#), Outcome::First);
        assert_eq!(outcome(r#"{"ranks": [2, 1], "scores": [9, 3]}"#), Outcome::Second);
        assert_eq!(outcome(r#"{"ranks": [1, 1]}"#), Outcome::Draw);
        assert_eq!(outcome("debug\n{\"scores\": [0.5, -3]}\n\n"), Outcome::First);
        assert_eq!(outcome(r#"{"scores": [0, -0.0]}"#), Outcome::Draw);
        assert_eq!(outcome("{\n  \"ranks\": [\n    1,\n    0\n  ]\n}"), Outcome::Second);
        assert_eq!(outcome("Picked up options: -Xmx\n12\n7\nseed=5"), Outcome::First);
        assert_eq!(outcome("3 3"), Outcome::Draw);
        // Larger than a double holds exactly.
        let scores = "[9007199254740993, 9007199254740992]";
        assert_eq!(outcome(&format!("{{\"scores\": {scores}}}")), Outcome::First);
        assert_eq!(outcome(&format!("{{\"ranks\": {scores}}}")), Outcome::Second);
        assert_eq!(outcome("9007199254740993\n9007199254740992"), Outcome::First);
    }

    #[test]
    fn errors_are_read_in_all_their_forms() {
        let errors = |output: &str| read(output).expect(output).errors.map(|e| e.is_some());
        for (none, one) in
            [("0", "1"), ("false", "true"), ("null", "\"late\""), ("\"\"", "[\"x\"]")]
        {
            let output = format!("{{\"ranks\": [0, 1], \"errors\": [{none}, {one}]}}");
            assert_eq!(errors(&output), [false, true], "{output}");
        }
        assert_eq!(errors("-1\n5\n"), [true, false]);
        for none in ["null", "[]"] {
            assert_eq!(errors(&format!("{{\"ranks\": [0, 1], \"errors\": {none}}}")), [false; 2]);
        }
        // An error is a result.
        assert_eq!(errors(r#"{"errors": ["timeout", null]}"#), [true, false]);
        assert_eq!(errors(r#"{"scores": [null, 5], "errors": ["timeout", 0]}"#), [true, false]);
        assert_eq!(errors(r#"{"scores": [-1, 5]}"#), [false; 2]);
        assert_eq!(kind_of_error("Timed out in turn 3"), FaultKind::Timeout);
        assert_eq!(kind_of_error("invalid action"), FaultKind::IllegalMove);
        assert_eq!(kind_of_error("1"), FaultKind::Error);
    }

    #[test]
    fn everything_else_is_an_attribute() {
        assert_eq!(
            attributes(
                r#"{"ranks": [0, 1], "test_data": {"seed": 5}, "player_data": [{"t": 1.5}, {"t": 2}],
                    "map": "a\nb", "won": true}"#
                    .replace('\n', "")
                    .as_str()
            ),
            "map=a b t_first=1.5 t_second=2 ranks_first=0 ranks_second=1 seed=5 won=true"
        );
        assert_eq!(attributes("1\n2\nseed=-5\nother"), "seed=-5 scores_first=1 scores_second=2");
    }

    #[test]
    fn other_output_is_no_result() {
        for (output, words) in [
            ("", "prints nothing"),
            ("hello", "prints no result"),
            ("5", "prints no result"),
            (r#"{"ranks": [0, 1, 2]}"#, "`agon rate`"),
            ("1\n2\n3", "`agon rate`"),
            (r#"{"ranks": [0]}"#, "not a list of two values"),
            (r#"{"ranks": ["a", "b"]}"#, "not a list of two numbers"),
            (r#"{"winner": 1}"#, "neither `ranks` nor `scores`"),
            (r#"{"ranks": [0, 1]"#, "not JSON"),
            (r#"{"scores": [NaN, 1]}"#, "JSON has no `NaN`"),
            (r#"[{"ranks": [0, 1]}]"#, "a list"),
            (r#"{"ranks": [0, 1], "errors": [0, 0, 1]}"#, "3 errors"),
        ] {
            let why = read(output).expect_err(output);
            assert!(why.contains(words), "{output}: {why}");
        }
        assert!(GameResult::read(&[None]).expect_err("too long").contains("64 KiB"));
    }
}
