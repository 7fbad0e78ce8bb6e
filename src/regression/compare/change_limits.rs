//! `--limit`: how much worse each figure may become.

use crate::regression::usage_error::UsageError;

crate::choice! {
    /// A figure that is compared, in the order of the table.
    pub enum Metric {
        /// Score against the same opponents, in Elo.
        Strength = "strength",
        /// Nodes searched for the same moves, as a factor.
        Work = "work",
        /// Time per move, as a factor. It is judged in interleaved runs.
        Time = "time",
        /// Instructions of the processor per move, as a factor; only in interleaved runs.
        Instructions = "instructions",
        /// Time per node of agents with a budget of time, as a factor. It is printed and not
        /// judged.
        Speed = "speed",
        /// Peak memory of the whole run, as a factor.
        Memory = "memory",
    }
}

impl Metric {
    /// The default limit. `None` for times: they are not judged, because two runs that were played
    /// one after the other do not show how the machine changed between them.
    pub fn default_limit(self) -> Option<f64> {
        match self {
            Metric::Strength => Some(-10.0),
            Metric::Work | Metric::Instructions => Some(1.002),
            Metric::Time | Metric::Speed => None,
            Metric::Memory => Some(1.10),
        }
    }

    /// Whether a limit is valid.
    fn accepts(self, limit: f64) -> bool {
        match self {
            Metric::Strength => (-1000.0..=0.0).contains(&limit),
            _ => (1.0..=1000.0).contains(&limit),
        }
    }

    /// The range of valid limits, for messages.
    fn range(self) -> String {
        match self {
            Metric::Strength => "a number of Elo from -1000 to 0, such as `strength=-5`".to_owned(),
            _ => format!("a factor from 1 to 1000, such as `{}=1.1`", self.word()),
        }
    }
}

/// One `--limit`.
#[derive(Debug, Clone, PartialEq)]
struct Limit {
    agent: Option<String>,
    metric: Metric,
    /// `None`: the gate is off.
    value: Option<f64>,
}

/// How much worse each figure may become.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChangeLimits {
    given: Vec<Limit>,
    /// Whether both sides were interleaved, so that times are judged.
    interleaved: bool,
}

/// The default limit of the time of interleaved sides.
const INTERLEAVED_TIME: f64 = 1.01;

impl ChangeLimits {
    /// Reads the values of `--limit`: `METRIC=VALUE` or `AGENT.METRIC=VALUE`, where `VALUE` may be
    /// `off`. The last matching limit applies. A limit with an agent takes precedence over one
    /// without. If both sides were `interleaved`, the time has a limit.
    pub fn parse(texts: &[String], interleaved: bool) -> Result<Self, UsageError> {
        let given = texts.iter().map(|text| limit(text, interleaved)).collect::<Result<_, _>>()?;
        Ok(ChangeLimits { given, interleaved })
    }

    fn default_of(&self, metric: Metric) -> Option<f64> {
        default_limit(metric, self.interleaved)
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = &str> {
        self.given.iter().filter_map(|limit| limit.agent.as_deref())
    }

    /// The limit of a metric for an agent; `None` if the metric is not judged.
    pub fn of(&self, metric: Metric, agent: Option<&str>) -> Option<f64> {
        self.chosen(metric, agent).map_or(self.default_of(metric), |limit| limit.value)
    }

    /// Whether the figures of a metric are left out for an agent.
    pub fn is_off(&self, metric: Metric, agent: Option<&str>) -> bool {
        self.chosen(metric, agent).is_some_and(|limit| limit.value.is_none())
    }

    fn chosen(&self, metric: Metric, agent: Option<&str>) -> Option<&Limit> {
        let of = |agent: Option<&str>| {
            let matches =
                |limit: &&Limit| limit.metric == metric && limit.agent.as_deref() == agent;
            self.given.iter().rev().find(matches)
        };
        agent.and_then(|agent| of(Some(agent))).or_else(|| of(None))
    }
}

fn default_limit(metric: Metric, interleaved: bool) -> Option<f64> {
    match metric {
        Metric::Time if interleaved => Some(INTERLEAVED_TIME),
        metric => metric.default_limit(),
    }
}

fn limit(text: &str, interleaved: bool) -> Result<Limit, UsageError> {
    let fail = |message: &str, help: &str| {
        Err(UsageError::new(format!("--limit {text}: {message}"), help))
    };
    let form = "METRIC=VALUE or AGENT.METRIC=VALUE, such as `work=1.1` or `ab4.strength=-5`";
    let Some((key, value)) = text.rsplit_once('=') else {
        return fail("the value is missing", form);
    };
    let (agent, word) = match key.rsplit_once('.') {
        Some((agent, word)) => (Some(agent.trim().to_owned()), word.trim()),
        None => (None, key.trim()),
    };
    let Some(metric) = Metric::from_word(word) else {
        let help = format!("use one of {}", Metric::WORDS.join(", "));
        return fail(&format!("there is no metric `{word}`"), &help);
    };
    let of_the_run = match metric {
        Metric::Memory | Metric::Instructions => true,
        metric => metric == Metric::Time && interleaved,
    };
    if of_the_run && agent.is_some() {
        let help = format!("leave the agent out: `{word}=1.2`");
        return fail(&format!("{word} is measured for the whole run"), &help);
    }
    let value = match value.trim() {
        "off" => None,
        _ if default_limit(metric, interleaved).is_none() => {
            let help = format!(
                "`agon gate` plays both sides interleaved and judges the time; `{word}=off` leaves \
                 the ratio out"
            );
            return fail(
                &format!(
                    "{word} is not judged: the machine's own changes between two runs are not in it"
                ),
                &help,
            );
        }
        value => match value.parse::<f64>() {
            Ok(number) if metric.accepts(number) => Some(number),
            _ => return fail(&format!("`{value}` is not a limit of {word}"), &metric.range()),
        },
    };
    Ok(Limit { agent, metric, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(texts: &[&str]) -> Result<ChangeLimits, UsageError> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        ChangeLimits::parse(&texts, false)
    }

    #[test]
    fn interleaved_times_have_a_limit() {
        let parse = |text: &str| ChangeLimits::parse(&[text.to_owned()], true);
        let of_time = |text| parse(text).map(|limits| limits.of(Metric::Time, None));
        assert_eq!(of_time("time=1.05"), Ok(Some(1.05)));
        assert_eq!(of_time("work=1.05"), Ok(Some(INTERLEAVED_TIME)));
        let error = of_time("ab.time=1.05").expect_err("of the whole run").to_string();
        assert!(error.contains("leave the agent out: `time=1.2`"), "{error}");
    }

    #[test]
    fn the_last_limit_that_fits_holds() {
        let texts = ["work=1.5", "mm.1=x.work=1.2", "work=1.1", "memory=off", "mm.1=x.time=off"];
        let limits = parse(&texts).expect("ok");
        assert_eq!(limits.of(Metric::Work, Some("ab")), Some(1.1));
        assert_eq!(limits.of(Metric::Work, Some("mm.1=x")), Some(1.2));
        assert!(limits.is_off(Metric::Memory, None) && !limits.is_off(Metric::Work, None));
        assert_eq!(limits.of(Metric::Time, Some("ab")), None);
        assert!(!limits.is_off(Metric::Time, Some("ab")));
        assert!(limits.is_off(Metric::Time, Some("mm.1=x")));
        assert_eq!(limits.of(Metric::Strength, None), Some(-10.0));
        assert_eq!(limits.agents().collect::<Vec<_>>(), ["mm.1=x"; 2]);
    }

    #[test]
    fn invalid_limits_are_refused_with_help() {
        for (text, words) in [
            ("time", "AGENT.METRIC=VALUE"),
            ("nodes=1", "one of strength, work, time, instructions, speed, memory"),
            ("work=0.9", "a factor from 1"),
            ("work=nan", "a factor from 1"),
            ("time=1.05", "time is not judged: the machine's own changes"),
            ("ab.speed=2", "speed is not judged: the machine's own changes"),
            ("strength=5", "-1000 to 0"),
            ("strength=-inf", "-1000 to 0"),
            ("ab.memory=2", "leave the agent out"),
        ] {
            let error = parse(&[text]).expect_err(text).to_string();
            assert!(error.contains(words) && error.contains(text), "{error}");
        }
    }
}
