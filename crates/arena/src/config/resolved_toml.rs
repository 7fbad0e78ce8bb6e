//! Writes an experiment as a config (`resolved.toml`), computes its hash, and compares two experiments.

use std::fmt::Write;

use super::experiment::{Experiment, NamedAgent};
use super::loaded_config::RESOLVED_START;
use crate::config::sections::adjudication_section;
use crate::config::sections::agent_names::escape;
use crate::config::sections::luck_section;
use crate::config::sections::openings_section;
use crate::config::sections::output_section;
use crate::config::sections::seats_and_pairings::FixedSeat;
use crate::params::{Params, Spec, Value, Values, quoted, toml_key};
use std::collections::BTreeMap;

impl Experiment {
    /// The config with all defaults filled in and all sweeps expanded. Reading it gives an equal
    /// experiment.
    pub fn to_toml(&self) -> String {
        let mut out = format!("{RESOLVED_START}\n\n");
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "{key} = {value}");
        };
        line("name", quoted(&self.name));
        if let Some(question) = &self.question {
            line("question", quoted(question));
        }
        line("seed", self.seed.to_string());
        for (section, values) in self.sections().into_iter().chain(self.written()) {
            if section == "schedule" {
                for (index, agent) in self.agents.iter().enumerate() {
                    // Both sides of a tune are one agent of the config.
                    let name = match self.kind.tuned() {
                        Some(_) if index == 1 => continue,
                        Some(tune) if index == 0 => &tune.agent,
                        _ => &agent.name,
                    };
                    let _ = write!(out, "\n[[agents]]\nname = {}\n", quoted(&escape(name)));
                    if agent.seat != FixedSeat::Both {
                        let _ = writeln!(out, "seat = {}", quoted(agent.seat.word()));
                    }
                    if agent.deterministic {
                        out.push_str("deterministic = true\n");
                    }
                    if agent.reference {
                        out.push_str("reference = true\n");
                    }
                    if let Some(games) = agent.parallel {
                        let _ = writeln!(out, "parallel = {games}");
                    }
                    write_values(&mut out, &of_spec(&agent.spec));
                }
            }
            let _ = write!(out, "\n[{section}]\n");
            write_values(&mut out, &values);
        }
        out
    }

    /// A hash of all keys that decide which games are played, as 16 hexadecimal digits. The name of
    /// the experiment, its question and its output settings do not count.
    ///
    /// It is the 64-bit FNV-1a hash (Fowler, Noll, Vo) of the lines `key = value` of every key that
    /// counts, mixed once more by the finaliser of SplitMix64 (Steele, Lea, Flood 2014). It is the
    /// same on every machine and with every compiler.
    pub fn hash(&self) -> String {
        let lines = self.decisive().into_iter().map(|(key, value)| format!("{key} = {value}\n"));
        hash_of_text(&lines.collect::<String>())
    }

    /// The keys that differ between two experiments and decide which games are played. Each has its
    /// value in `self` and its value in `other` (`—` if there is none).
    pub fn differing_keys(&self, other: &Self) -> Vec<(String, String, String)> {
        let here = self.decisive();
        let there: BTreeMap<String, String> = other.decisive().into_iter().collect();
        let none = || "—".to_owned();
        let mut differing = Vec::new();
        for (key, value) in &here {
            match there.get(key) {
                Some(same) if same == value => {}
                found => {
                    let found = found.cloned().unwrap_or_else(none);
                    let (value, found) = (excerpt(value, &found), excerpt(&found, value));
                    differing.push((key.clone(), value, found));
                }
            }
        }
        let known: BTreeMap<String, String> = here.into_iter().collect();
        for (key, value) in other.decisive() {
            if !known.contains_key(&key) {
                differing.push((key, none(), excerpt(&value, "")));
            }
        }
        differing
    }

    /// The keys of `[schedule]`, without those whose values the kind of the run chooses.
    fn schedule_values(&self) -> Values {
        let mut values = self.schedule.values();
        for &key in self.kind.chosen_keys() {
            values.0.remove(key);
        }
        values
    }

    /// All sections that decide which games are played, except the agents. They have all their
    /// values and the order of the file.
    fn sections(&self) -> Vec<(&'static str, Vec<(String, Value)>)> {
        let mut all = vec![
            ("game", of_spec(&self.game)),
            ("schedule", of_values(&self.schedule_values())),
            ("openings", of_spec(&openings_section::to_spec(&self.openings))),
        ];
        let mut add = |section, values: Option<Values>| {
            all.extend(values.iter().map(|values| (section, of_values(values))));
        };
        let names: Vec<&str> = self.agents.iter().map(|agent| agent.name.as_str()).collect();
        for (section, values) in self.kind.sections(&names) {
            add(section, Some(values));
        }
        add("limits", Some(self.limits.values()));
        add(
            "adjudication",
            adjudication_section::to_values(&self.adjudication, self.syzygy.as_ref()),
        );
        // It changes no game, but a value function that was chosen after the games proves nothing.
        let adjusted = self.kind.is_adjusted();
        add("luck", self.luck.as_ref().map(|luck| luck_section::to_values(luck, adjusted)));
        all
    }

    /// The seed and the keys of all sections that decide which games are played, without the agents.
    pub fn settings(&self) -> Vec<(String, Value)> {
        let mut all = vec![("seed".to_owned(), Value::Int(self.seed as i64))];
        for (section, values) in self.sections() {
            for (key, value) in values {
                flatten_tables(format!("{section}.{}", toml_key(&key)), value, &mut all);
            }
        }
        all
    }

    /// The sections that only decide which files are written.
    fn written(&self) -> Vec<(&'static str, Vec<(String, Value)>)> {
        let mut all = vec![("output", of_values(&output_section::to_values(self.output)))];
        all.extend(self.grading.iter().map(|g| ("grading", of_values(&g.values()))));
        all
    }

    /// The keys that decide which games are played, with their values as TOML.
    fn decisive(&self) -> Vec<(String, String)> {
        let mut all = vec![("seed".to_owned(), self.seed.to_string())];
        let names: Vec<_> = self.agents.iter().map(|agent| quoted(&agent.name)).collect();
        all.push(("agents".to_owned(), format!("[{}]", names.join(", "))));
        for agent in &self.agents {
            let name = toml_key(&agent.name);
            if agent.seat != FixedSeat::Both {
                all.push((format!("agents.{name}.seat"), quoted(agent.seat.word())));
            }
            for (key, value) in of_spec(&agent.spec) {
                flatten(&format!("agents.{name}.{}", toml_key(&key)), &value, &mut all);
            }
        }
        for (section, values) in self.sections() {
            for (key, value) in values {
                if !self.kind.is_decided_by(section) {
                    continue;
                }
                // The default of a key that was added later is not hashed: the hash of a run stays.
                match (section, &*key, &value) {
                    // These keys decide whether a run starts or ends, not which games are played.
                    ("schedule", "allow_duplicates" | "on_start_failure", _) => continue,
                    ("limits", "max_cost", _) => continue,
                    // The same tables are in other folders elsewhere.
                    ("adjudication", "syzygy", _) => {
                        all.push(("adjudication.syzygy".to_owned(), "tables".to_owned()));
                        continue;
                    }
                    ("schedule", "shared_dice", Value::Bool(true)) => continue,
                    ("adaptive", "weight", Value::Text(word)) if word == "games" => continue,
                    ("game", "variant", Value::Text(word)) if word == "standard" => continue,
                    _ => {}
                }
                flatten(&format!("{section}.{}", toml_key(&key)), &value, &mut all);
            }
        }
        // Only 0 decides which games are played: a failure of a provider is then a forfeit.
        all.retain(|(key, value)| !key.ends_with(".unavailable_wait") || value == "0");
        // Only the limits of a sandbox are part of what an agent can do.
        all.retain(|(key, _)| !key.ends_with(".sandbox"));
        all
    }
}

impl NamedAgent {
    /// Its parameters and its seat, without its kind. Keys of nested tables are dotted.
    pub fn parameters(&self) -> Vec<(String, Value)> {
        let mut all = vec![("seat".to_owned(), Value::Text(self.seat.word().to_owned()))];
        for (key, value) in of_values(&self.spec.values) {
            flatten_tables(toml_key(&key), value, &mut all);
        }
        all
    }
}

/// As [`flatten`], for the keys of every table.
fn flatten_tables(key: String, value: Value, out: &mut Vec<(String, Value)>) {
    let inner: Vec<(String, Value)> = match value {
        Value::Spec(spec) => of_spec(&spec),
        Value::Settings(all) => {
            all.iter().map(|(k, text)| (k.clone(), Value::Text(text.clone()))).collect()
        }
        Value::Weights(all) => all.iter().map(|(k, w)| (k.clone(), Value::Int(*w))).collect(),
        value => {
            out.push((key, value));
            return;
        }
    };
    for (below, value) in inner {
        flatten_tables(format!("{key}.{}", toml_key(&below)), value, out);
    }
}

/// A hash of a text, as 16 hexadecimal digits: FNV-1a, then mixed so that all digits depend on all
/// bytes.
pub fn hash_of_text(text: &str) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    format!("{:016x}", hash ^ (hash >> 31))
}

/// A spec as keys and values of TOML, its kind first. Keys of a nested agent are dotted, such as
/// `agent.depth`.
pub fn flat(spec: &Spec) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (key, value) in of_spec(spec) {
        flatten(&toml_key(&key), &value, &mut all);
    }
    all
}

fn of_spec(spec: &Spec) -> Vec<(String, Value)> {
    let mut all = vec![("kind".to_owned(), Value::Text(spec.kind.clone()))];
    all.extend(of_values(&spec.values));
    all
}

fn of_values(values: &Values) -> Vec<(String, Value)> {
    values.0.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Keys of nested agents become dotted keys, so that a difference names the innermost key.
fn flatten(key: &str, value: &Value, out: &mut Vec<(String, String)>) {
    match value {
        Value::Spec(spec) => {
            for (inner, value) in of_spec(spec) {
                flatten(&format!("{key}.{}", toml_key(&inner)), &value, out);
            }
        }
        value => out.push((key.to_owned(), value.to_string())),
    }
}

/// The part of a long value where it begins to differ from another.
fn excerpt(value: &str, other: &str) -> String {
    const SHOWN: usize = 60;
    if value.chars().count() <= SHOWN {
        return value.to_owned();
    }
    let same = value.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let skipped = same.saturating_sub(SHOWN / 3);
    let part: String = value.chars().skip(skipped).take(SHOWN).collect();
    let before = if skipped > 0 { "…" } else { "" };
    let after = if skipped + SHOWN < value.chars().count() { "…" } else { "" };
    format!("{before}{part}{after}")
}

fn write_values(out: &mut String, values: &[(String, Value)]) {
    for (key, value) in values {
        let key = toml_key(key);
        match value {
            // A list of openings may be long. One opening per line is easy to read and compare.
            Value::Texts(texts) if texts.len() > 1 => {
                let _ = writeln!(out, "{key} = [");
                for text in texts {
                    let _ = writeln!(out, "    {},", quoted(text));
                }
                out.push_str("]\n");
            }
            value => {
                let _ = writeln!(out, "{key} = {value}");
            }
        }
    }
}
