//! The points table of a round robin: a win is one point, a draw half a point.

use super::pairing_figures::met;
use super::ranking::results;
use super::run_facts_for_tables::RunContext;
use crate::arena::Tally;
use crate::stats::Trinomial;
use crate::text::number_format::{fixed, grouped};
use crate::text::text_table::TextTable;

/// The table; `None` unless three or more agents have each met all others.
pub fn table(tally: &Tally, context: &RunContext) -> Option<TextTable> {
    let mut agents: Vec<(usize, Trinomial)> = (0..tally.names.len())
        .map(|agent| (agent, results(tally, agent)))
        .filter(|(_, results)| results.n() > 0)
        .collect();
    if agents.len() < 3 || met(tally).count() < agents.len() * (agents.len() - 1) / 2 {
        return None;
    }
    // Two points for a win, so that points are whole.
    let points = |results: &Trinomial| 2 * results.wins() + results.draws();
    let order = |results: &Trinomial| std::cmp::Reverse((points(results), results.wins()));
    agents.sort_by_key(|(_, results)| order(results));
    let mut table = TextTable::new("Points: a win is 1, a draw is ½")
        .figures(["#"])
        .text(["agent"])
        .figures(["games", "W", "D", "L", "points"]);
    for (agent, results) in &agents {
        // Agents with equal results share a rank. References are counted separately.
        let is_reference = context.is_reference(*agent);
        let ahead = (agents.iter())
            .filter(|(other, _)| context.is_reference(*other) == is_reference)
            .filter(|(_, other)| order(other) < order(results))
            .count();
        let rank = format!("{}{}", if is_reference { "R" } else { "" }, ahead + 1);
        let counts = [results.n(), results.wins(), results.draws(), results.losses()];
        let [games, wins, draws, losses] = counts.map(grouped);
        let points = fixed(points(results) as f64 / 2.0, 1);
        table.row([rank, context.marked_name(tally, *agent), games, wins, draws, losses, points]);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::GameRow;
    use crate::play::Outcome;

    #[test]
    fn a_win_is_a_point_and_equal_agents_share_a_rank() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut tally = Tally::new(names, &[]);
        let mut play = |pairing, first, second, outcome| {
            let (game, identity) = (u64::from(pairing), u64::from(pairing));
            let row =
                GameRow { game, pairing, first, second, outcome, identity, ..GameRow::default() };
            tally.push(&row);
            tally.count_lone_game();
            table(&tally, &RunContext::default())
        };
        assert!(play(1, 0, 1, Outcome::Draw).is_none(), "two agents have no points table");
        assert!(play(2, 0, 2, Outcome::First).is_none(), "b and c have not met");
        let all = play(3, 2, 1, Outcome::Second).expect("a points table");
        let rows: Vec<String> = all.rows.iter().map(|row| row.join(" ")).collect();
        assert_eq!(rows, ["1 a 2 1 1 0 1.5", "1 b 2 1 1 0 1.5", "3 c 2 0 0 2 0.0"]);
    }
}
