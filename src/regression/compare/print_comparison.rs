//! Prints the output of `agon compare`.

use serde_json::{Value as Json, json};

use super::change_limits::Metric;
use super::check_limits::{Finding, Gate, GateVerdict};
use super::compare_cost::TIME_CONFIDENCE;
use super::comparison::Comparison;
use super::junit_xml::junit;
use crate::regression::benchmark_json;
use crate::report::wrapped;
use crate::report::{Document, NONE, TextTable, counted, elo, fixed, percent, short, time};

impl Document for Comparison {
    fn text(&self, markdown: bool, width: Option<usize>) -> String {
        if markdown { self.comment() } else { self.page(false, width) }
    }

    fn junit(&self) -> String {
        junit(self)
    }

    fn json(&self) -> Json {
        let gates = self.gates.iter().map(|gate| {
            json!({
                "metric": gate.measure.metric.word(),
                "what": gate.measure.what,
                "agent": gate.measure.agent,
                "unit": unit(gate),
                "baseline": gate.measure.baseline,
                "candidate": gate.measure.candidate,
                "change": gate.change.value,
                "change_unit": change_unit(gate),
                "low": gate.change.low,
                "high": gate.change.high,
                "limit": gate.limit,
                "verdict": gate.verdict.word(),
                "anytime": gate.measure.anytime,
                "basis": gate.measure.basis,
            })
        });
        let changes = (self.changes.iter())
            .map(|[key, old, new]| json!({ "key": key, "baseline": old, "candidate": new }));
        json!({
            "baseline": self.baseline,
            "candidate": self.candidate,
            "verdict": self.verdict().word(),
            "changes": changes.collect::<Vec<_>>(),
            "gates": gates.collect::<Vec<_>>(),
            "intervals": self.intervals,
            "confidence": self.confidence.level(),
        })
    }

    /// Strength is the Elo that the candidate lost.
    fn entries(&self) -> Json {
        let entry = |gate: &Gate| {
            let name = gate.name();
            let extra = format!("{}; {}", gate.verdict.word(), gate.measure.basis);
            let ends = |sign: f64| {
                let (low, high) = if sign < 0.0 {
                    (gate.change.high, gate.change.low)
                } else {
                    (gate.change.low, gate.change.high)
                };
                let end =
                    |end: Option<f64>| end.map_or("∞".to_owned(), |end| fixed(sign * end, 4));
                let open = gate.change.low.is_none() && gate.change.high.is_none();
                (!open).then(|| format!("{} to {}", end(low), end(high)))
            };
            Some(match gate.measure.metric {
                Metric::Strength => benchmark_json::entry(
                    &name,
                    "Elo lost",
                    -gate.change.value?,
                    ends(-1.0),
                    &extra,
                ),
                _ => {
                    let range = ends(1.0).map(|range| format!("× {range}"));
                    let (unit, value) = match gate.measure.candidate {
                        Some(value) => (unit(gate), value),
                        None => ("factor", gate.change.value?),
                    };
                    benchmark_json::entry(&name, unit, value, range, &extra)
                }
            })
        };
        Json::Array(self.gates.iter().filter_map(entry).collect())
    }
}

/// The number of rows of a comment before its fold.
const ROWS: usize = 5;

impl Comparison {
    /// Markdown for a comment on a change: the verdict and the rows that decide it. The rest is folded.
    fn comment(&self) -> String {
        let mut gates: Vec<&Gate> = self.gates.iter().collect();
        gates.sort_by_key(|gate| match gate.verdict {
            GateVerdict::Worse => 0,
            GateVerdict::Undecided => 1,
            verdict if verdict.is_judged() => 2,
            _ => 3,
        });
        gates.truncate(ROWS);
        let mut table = TextTable::new("").text(["", "agent"]);
        table = table.figures(["change", "interval", "limit"]).text(["verdict"]);
        for gate in &gates {
            let mut row = row(gate, true);
            row.drain(2..4);
            table.row(row);
        }
        let more = self.gates.len() - gates.len();
        let summary = match more {
            0 => "All figures, and what was compared".to_owned(),
            _ => format!("All figures ({more} more), and what was compared"),
        };
        format!(
            "## {}\n\n{}\n<details><summary>{summary}</summary>\n\n{}\n</details>\n",
            escaped(&self.sentence()),
            table.lines(true, None),
            self.page(true, None)
        )
    }

    /// The whole comparison.
    fn page(&self, markdown: bool, width: Option<usize>) -> String {
        let plain = |text: &str| if markdown { escaped(text) } else { text.to_owned() };
        let mut out = String::new();
        for (side, run) in [("baseline   ", &self.baseline), ("candidate  ", &self.candidate)] {
            let end = if markdown { "  " } else { "" };
            out += &wrapped(&format!("{side}{}{end}", plain(run)), width, "", "           ");
        }
        out += "\n";
        if self.changes.is_empty() {
            out += &format!("{}\n\n", self.difference);
        } else {
            let mut table = TextTable::new("What has changed").text(["", "baseline", "candidate"]);
            self.changes.iter().for_each(|row| table.row(row.each_ref().map(|cell| plain(cell))));
            out += &(table.render(markdown, !markdown, width) + "\n");
        }
        out += &(self.table(markdown).render(markdown, !markdown, width) + "\n");
        out += if markdown { "### What was compared\n\n" } else { "What was compared\n" };
        for gate in &self.gates {
            let basis = plain(&format!("{}: {}", gate.name(), gate.measure.basis));
            out += &wrapped(&basis, width, if markdown { "- " } else { "  " }, "    ");
        }
        if !markdown {
            out += &format!("\n{}", wrapped(&self.sentence(), width, "", "  "));
        }
        out
    }

    /// The table of all figures.
    fn table(&self, markdown: bool) -> TextTable {
        let mut table = TextTable::new("Is the candidate worse?")
            .text(["", "agent"])
            .figures(["baseline", "candidate", "change", "interval", "limit"])
            .text(["verdict"]);
        for gate in &self.gates {
            table.row(row(gate, markdown));
        }
        table.note(self.multiplicity());
        if self.gates.iter().any(|gate| matches!(gate.measure.finding, Finding::Interleaved(_))) {
            let level = fixed(100.0 * TIME_CONFIDENCE.level(), 0);
            table.note(format!("processor time: {level} % confidence, valid at any time"));
        }
        if self.gates.iter().any(|gate| gate.measure.anytime && gate.measure.has_interval()) {
            table.note("the number of games followed from results: intervals hold at any time");
        }
        table
    }

    pub(super) fn sentence(&self) -> String {
        let named = |verdict: GateVerdict| -> String {
            let all: Vec<String> =
                self.gates.iter().filter(|gate| gate.verdict == verdict).map(Gate::name).collect();
            all.join(", ")
        };
        match self.verdict() {
            GateVerdict::Worse => format!("worse: {}", named(GateVerdict::Worse)),
            GateVerdict::Undecided
                if self.gates.iter().any(|g| g.verdict == GateVerdict::Undecided) =>
            {
                format!("undecided: {}", named(GateVerdict::Undecided))
            }
            GateVerdict::Undecided => "undecided: nothing could be judged".to_owned(),
            verdict => verdict.word().to_owned(),
        }
    }

    /// The number of gates and its effect on the intervals.
    fn multiplicity(&self) -> String {
        let judged = self.gates.iter().filter(|gate| gate.verdict.is_judged()).count();
        let mut gates = counted(judged as u64, "gate");
        for verdict in [GateVerdict::NotJudged, GateVerdict::NotCompared] {
            match self.gates.iter().filter(|gate| gate.verdict == verdict).count() {
                0 => {}
                count => gates += &format!(", {count} {}", verdict.word()),
            }
        }
        let level = fixed(100.0 * self.confidence.level(), 2);
        let is_exact =
            |gate: &Gate| [Metric::Strength, Metric::Work].contains(&gate.measure.metric);
        let are_exact = self.gates.iter().filter(|gate| gate.verdict.is_judged()).all(is_exact);
        match self.intervals {
            _ if judged == 0 => gates,
            0 if are_exact => format!("{gates}, none with an interval: all figures are exact"),
            0 => gates,
            1 => format!("{gates}, 1 with an interval of {level} % confidence"),
            n => format!(
                "{gates}, {n} with intervals of {level} % confidence each, 95 % for all together"
            ),
        }
    }
}

/// The unit of baseline and candidate.
fn unit(gate: &Gate) -> &'static str {
    match gate.measure.metric {
        Metric::Strength => "score",
        Metric::Work => "nodes/move",
        Metric::Time => "ns/move",
        Metric::Instructions => "instructions/move",
        Metric::Speed => "ns/node",
        Metric::Memory => "bytes",
    }
}

/// The unit of the change and its limit.
fn change_unit(gate: &Gate) -> &'static str {
    if gate.measure.metric == Metric::Strength { "Elo" } else { "factor" }
}

/// A gate as a row of the table.
fn row(gate: &Gate, markdown: bool) -> Vec<String> {
    let value = |value: Option<f64>| match gate.measure.metric {
        Metric::Strength if value.is_some() => percent(value) + " %",
        Metric::Work | Metric::Instructions => short(value),
        Metric::Time | Metric::Speed => time(value),
        Metric::Memory => value.map_or(NONE.to_owned(), |v| fixed(v / 1_048_576.0, 1) + " MiB"),
        Metric::Strength => NONE.to_owned(),
    };
    let is_elo = gate.measure.metric == Metric::Strength;
    let shown = |value: f64| if is_elo { elo(value) } else { format!("× {}", fixed(value, 3)) };
    let limit = match gate.limit {
        Some(limit) if gate.verdict.is_judged() && is_elo => format!("≥ {}", elo(limit)),
        Some(limit) if gate.verdict.is_judged() => format!("≤ {}", shown(limit)),
        _ => NONE.to_owned(),
    };
    let interval = match (gate.change.low, gate.change.high) {
        (Some(low), Some(high)) if is_elo => format!("[{}, {}]", elo(low), elo(high)),
        (Some(low), Some(high)) => format!("[{}, {}]", fixed(low, 3), fixed(high, 3)),
        (Some(low), None) => format!("≥ {}", shown(low)),
        (None, Some(high)) => format!("≤ {}", shown(high)),
        (None, None) => NONE.to_owned(),
    };
    let agent = gate.measure.agent.clone().unwrap_or_else(|| "all".to_owned());
    vec![
        gate.measure.what.to_owned(),
        if markdown { escaped(&agent) } else { agent },
        value(gate.measure.baseline),
        value(gate.measure.candidate),
        gate.change.value.map_or(NONE.to_owned(), shown),
        interval,
        limit,
        gate.verdict.word().to_owned(),
    ]
}

/// A text, such as an agent's name, that Markdown shows as it is.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        if matches!(sign, '<' | '*' | '`' | '\\') {
            out.push('\\');
        }
        out.push(sign);
    }
    out
}
