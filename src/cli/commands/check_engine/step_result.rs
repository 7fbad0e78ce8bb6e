//! The result of a step.

use std::time::Duration;

use crate::engine::EngineError;

/// The verdict of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepResult {
    /// The protocol does not support it.
    None,
    Pass,
    /// A problem that tournaments can tolerate.
    Warn,
    /// A problem that breaks tournaments which rely on it.
    Fail,
}

impl StepResult {
    pub fn word(self) -> &'static str {
        match self {
            StepResult::None => "—",
            StepResult::Pass => "pass",
            StepResult::Warn => "warn",
            StepResult::Fail => "fail",
        }
    }

    /// The verdict by size: passes up to `pass`, warns up to `warn`, fails above.
    pub fn by<T: PartialOrd>(value: T, pass: T, warn: T) -> Self {
        if value <= pass {
            StepResult::Pass
        } else if value <= warn {
            StepResult::Warn
        } else {
            StepResult::Fail
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckStep {
    pub name: &'static str,
    pub verdict: StepResult,
    pub detail: String,
}

impl CheckStep {
    pub fn new(name: &'static str, verdict: StepResult, detail: impl Into<String>) -> Self {
        CheckStep { name, verdict, detail: detail.into() }
    }

    /// What a failure of this step means for games; `None` if the step has not failed.
    pub fn meaning(&self) -> Option<&'static str> {
        (self.verdict == StepResult::Fail).then_some(match self.name {
            "start" | "greeting" | "restart" => {
                "the engine cannot play; a run with it does not start"
            }
            "network"
            | "files"
            | "processes of others"
            | "number of processes"
            | "memory, processor time"
            | "system calls" => {
                "programs run without this; `sandbox = \"required\"` refuses such a run"
            }
            "isready" => "the engine forfeits games by `handshake failure`",
            "legal moves" | "same move twice" => "the engine loses games by this fault",
            "nodes" => "do not limit this engine by `nodes`; use `movetime` or `clock`",
            "depth" => "do not limit this engine by `depth`; use `movetime` or `clock`",
            "movetime" | "clock" => {
                "the engine loses games on time; a larger `time_margin` allows its delays"
            }
            "stop" => {
                "no game is lost; agon kills this engine after a late move and starts it again"
            }
            "query" => "no game is lost; agon does not ask this in a game",
            "idle" => "no game is lost, but the engine takes time from its opponent",
            "memory" => {
                "no game is lost, but few engines fit into memory; use fewer threads (`-j`)"
            }
            _ => "no game is lost; agon kills the engine at the end",
        })
    }

    /// A step that failed because of an engine error.
    pub fn failed(name: &'static str, error: &EngineError) -> Self {
        let mut detail = error.detail.clone();
        if !error.help.is_empty() {
            // The table shows only the first line.
            let end = detail.find('\n').unwrap_or(detail.len());
            detail.insert_str(end, &format!(" ({})", error.help));
        }
        CheckStep::new(name, StepResult::Fail, detail)
    }
}

/// A duration in milliseconds.
pub fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
}
