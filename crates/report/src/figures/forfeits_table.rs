//! Games lost by faults, by agent and kind of fault.

use crate::arena::Tally;
use crate::text::number_format::grouped;
use crate::text::text_table::TextTable;

/// A column for each kind of fault that occurred; `None` without forfeits.
pub fn table(tally: &Tally) -> Option<TextTable> {
    let agents = tally.names.iter().zip(&tally.agents).filter(|(_, agent)| agent.faults() > 0);
    let all = agents.clone().flat_map(|(_, agent)| &agent.forfeits);
    let mut kinds: Vec<&str> = all.map(|(kind, _)| *kind).collect();
    if kinds.is_empty() {
        return None;
    }
    kinds.sort();
    kinds.dedup();
    let mut table = TextTable::new("Forfeits by kind")
        .text(["agent"])
        .figures(["games", "forfeits"])
        .figures(kinds.iter().copied());
    for (name, agent) in agents {
        let games = agent.moving_first.n() + agent.moving_second.n();
        let mut row = vec![name.clone(), grouped(games), grouped(agent.faults())];
        row.extend(kinds.iter().map(|kind| grouped(*agent.forfeits.get(kind).unwrap_or(&0))));
        table.row(row);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_forfeit_is_in_the_column_of_its_kind() {
        let mut tally = Tally::new(vec!["a".into(), "b".into(), "c".into()], &[]);
        assert!(table(&tally).is_none());
        *tally.agents[0].forfeits.entry("timeout").or_default() += 2;
        *tally.agents[2].forfeits.entry("crash").or_default() += 1;
        *tally.agents[2].forfeits.entry("timeout").or_default() += 1;
        let table = table(&tally).expect("forfeits");
        let heads: Vec<&str> = table.columns.iter().map(|column| &*column.head).collect();
        assert_eq!(heads, ["agent", "games", "forfeits", "crash", "timeout"]);
        assert_eq!(table.rows, [["a", "0", "2", "0", "2"], ["c", "0", "2", "1", "1"]]);
    }
}
