//! The options that an engine advertises, and the check of settings against them.

use std::fmt;

use crate::engine::engine_error::{EngineError, EngineErrorKind};
use crate::util::did_you_mean::did_you_mean_or;

/// The type and the range of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionType {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Spin {
        /// The smallest value, if the engine gives one.
        min: Option<i64>,
        /// The largest value, if the engine gives one.
        max: Option<i64>,
    },
    /// One of several texts.
    Combo(Vec<String>),
    /// An action without a value: `true` asks for it, `false` does not.
    Button,
    /// Any text; also used for types that agon does not know.
    Text,
}

/// An option that an engine advertises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineOption {
    /// The name; it may contain spaces.
    pub name: String,
    /// Its type.
    pub ty: OptionType,
    /// Its value before the host sets one.
    pub default: String,
}

impl EngineOption {
    /// Reads `name … type … default … min … max … var …`, the text after the word `option`.
    pub fn parse(line: &str) -> Option<Self> {
        let (mut name, mut ty, mut vars) = (String::new(), "", Vec::new());
        let mut default = String::new();
        let (mut min, mut max) = (None, None);
        let mut key = "";
        for word in line.split_ascii_whitespace() {
            match word {
                "name" if name.is_empty() => key = "name",
                "type" | "default" | "min" | "max" if key != "name" || word == "type" => key = word,
                "var" if key != "name" => {
                    key = "var";
                    vars.push(String::new());
                }
                word => match key {
                    "name" => push_word(&mut name, word),
                    "type" if ty.is_empty() => ty = word,
                    "default" if word != "<empty>" => push_word(&mut default, word),
                    "min" => min = word.parse().ok(),
                    "max" => max = word.parse().ok(),
                    "var" => vars.last_mut().into_iter().for_each(|var| push_word(var, word)),
                    _ => {}
                },
            }
        }
        let ty = match ty {
            "check" => OptionType::Check,
            "spin" => OptionType::Spin { min, max },
            "combo" => OptionType::Combo(vars),
            "button" => OptionType::Button,
            _ => OptionType::Text,
        };
        (!name.is_empty()).then_some(EngineOption { name, ty, default })
    }
}

/// The whole line.
impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |name: &str, bound: &Option<i64>| {
            bound.map(|bound| format!(" {name} {bound}")).unwrap_or_default()
        };
        let (ty, range) = match &self.ty {
            OptionType::Button => return write!(f, "option name {} type button", self.name),
            OptionType::Check => ("check", String::new()),
            OptionType::Spin { min, max } => ("spin", bound("min", min) + &bound("max", max)),
            OptionType::Combo(words) => {
                ("combo", words.iter().map(|word| format!(" var {word}")).collect())
            }
            OptionType::Text => ("string", String::new()),
        };
        let default = if self.default.is_empty() { "<empty>" } else { &self.default };
        write!(f, "option name {} type {ty} default {default}{range}", self.name)
    }
}

fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Finds the option of a setting and checks the value. Returns the option, and the value as the
/// engine writes it. Names and words match regardless of case.
///
/// # Errors
/// An option that the engine lacks, or a value that it does not accept, with help.
pub fn check_option<'a>(
    options: &'a [EngineOption],
    name: &str,
    value: &'a str,
) -> Result<(&'a EngineOption, &'a str), EngineError> {
    let refuse = |detail, help| Err(EngineError { kind: EngineErrorKind::Option, detail, help });
    let Some(option) = options.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
        let help = did_you_mean_or(name, &names, || match names.is_empty() {
            true => "it advertises no options".to_owned(),
            false => format!("it has {}", listed(&names)),
        });
        return refuse(format!("the engine has no option `{name}`"), help);
    };
    let wrong = |wanted: String| {
        refuse(format!("the option `{}` of the engine cannot be `{value}`", option.name), wanted)
    };
    match &option.ty {
        OptionType::Check | OptionType::Button => {
            match ["true", "false"].iter().find(|word| word.eq_ignore_ascii_case(value)) {
                Some(word) => Ok((option, word)),
                None if option.ty == OptionType::Check => wrong("`true` or `false`".to_owned()),
                None => wrong("it is a button: `true` presses it, `false` does not".to_owned()),
            }
        }
        OptionType::Spin { min, max } => {
            let is_plain = !value.starts_with('+');
            let fits = is_plain
                && value.parse().is_ok_and(|number: i64| {
                    min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max)
                });
            let bound = |bound: &Option<i64>| bound.map_or("…".to_owned(), |b| b.to_string());
            match fits {
                true => Ok((option, value)),
                false => wrong(format!("a whole number from {} to {}", bound(min), bound(max))),
            }
        }
        OptionType::Combo(words) => match words.iter().find(|w| w.eq_ignore_ascii_case(value)) {
            Some(word) => Ok((option, word)),
            None => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                wrong(did_you_mean_or(value, &words, || format!("one of {}", listed(&words))))
            }
        },
        OptionType::Text => Ok((option, value)),
    }
}

/// Names for people; a long list is shortened.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<EngineOption> {
        [
            "name Hash type spin default 16 min 1 max 1024",
            "name Skill Level type spin default 20 min 0 max 20",
            "name Ponder type check default false",
            "name Analysis Contempt type combo default Both var Off var White  Side var Both",
            "name Clear Hash type button",
            "name Book File type string default <empty>",
        ]
        .iter()
        .filter_map(|line| EngineOption::parse(line))
        .collect()
    }

    #[test]
    fn options_are_read_as_engines_write_them() {
        let all = options();
        assert_eq!(all[1].name, "Skill Level");
        assert_eq!(all[1].ty, OptionType::Spin { min: Some(0), max: Some(20) });
        let words = ["Off", "White Side", "Both"].map(str::to_owned).to_vec();
        assert_eq!(all[3].ty, OptionType::Combo(words));
        assert_eq!((&all[4].ty, &all[5].ty), (&OptionType::Button, &OptionType::Text));
        let odd = EngineOption::parse("name min default of type spin").expect("a name");
        assert_eq!(
            (odd.name.as_str(), odd.ty),
            ("min default of", OptionType::Spin { min: None, max: None })
        );
        assert_eq!(EngineOption::parse("type spin"), None);
    }

    #[test]
    fn settings_are_checked_with_help() {
        let all = options();
        let checked = |name, value| {
            check_option(&all, name, value)
                .map(|(option, value)| format!("{}={value}", option.name))
                .map_err(|error| format!("{} ({})", error.detail, error.help))
        };
        assert_eq!(checked("hash", "64"), Ok("Hash=64".into()));
        assert_eq!(
            checked("analysis contempt", "white side").as_deref(),
            Ok("Analysis Contempt=White Side")
        );
        assert_eq!(checked("Ponder", "True"), Ok("Ponder=true".into()));
        let no = |name, value| checked(name, value).unwrap_err();
        assert_eq!(no("Hsh", "1"), "the engine has no option `Hsh` (did you mean `Hash`?)");
        assert!(no("Hash", "0").ends_with("cannot be `0` (a whole number from 1 to 1024)"));
        assert!(no("Hash", "x").ends_with("(a whole number from 1 to 1024)"));
        assert!(no("Hash", "+64").ends_with("(a whole number from 1 to 1024)"));
        assert!(no("Ponder", "1").ends_with("(`true` or `false`)"));
        assert_eq!(checked("clear hash", "False"), Ok("Clear Hash=false".into()));
        assert_eq!(checked("Clear Hash", "true"), Ok("Clear Hash=true".into()));
        for value in ["", "0", "1", "now"] {
            assert!(
                no("Clear Hash", value)
                    .ends_with("(it is a button: `true` presses it, `false` does not)")
            );
        }
        assert!(no("Analysis Contempt", "of").ends_with("(did you mean `Off`?)"));
    }
}
