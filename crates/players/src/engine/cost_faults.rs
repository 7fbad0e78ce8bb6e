//! Costs that engines report and that do not count.

use std::collections::BTreeMap;

use super::messages::uci_info::AnswerCost;

/// Why a cost does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CostFault {
    /// It is negative, too large or has another form.
    Invalid,
    /// It came after the move.
    AfterMove,
    /// The config does not say that the engine reports costs.
    NotAsked,
}

/// Agents with a fault, each with the text of its first line.
#[derive(Debug, Default)]
pub struct CostFaults(BTreeMap<(String, CostFault), String>);

impl CostFaults {
    pub fn record(&mut self, agent: &str, fault: CostFault, text: String) {
        self.0.entry((agent.to_owned(), fault)).or_insert(text);
    }

    /// A sentence for people on each fault.
    pub fn sentences(&self) -> Vec<String> {
        let sentence = |((agent, fault), text): (&(String, CostFault), &String)| {
            let why = match fault {
                CostFault::Invalid => {
                    format!(
                        "a cost is a number from 0 to {}, tokens are whole numbers",
                        AnswerCost::MOST
                    )
                }
                CostFault::AfterMove => "a cost counts before `bestmove` only".to_owned(),
                CostFault::NotAsked => "add `costs = true` to the agent to count them".to_owned(),
            };
            format!("costs of `{agent}` are not counted, such as `cost {text}`: {why}")
        };
        self.0.iter().map(sentence).collect()
    }
}
