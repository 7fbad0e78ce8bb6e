//! The figures of a pairing of two agents: its results, its score with intervals and its verdict.

use super::figure_list::FigureFormat::{Count, Decimals, EValue, PValue, Percent, Text};
use super::figure_list::FigureList;
use super::figure_list::FigureValue::Ends;
use super::multiple_comparisons::p_value;
use super::run_results::Results;
use super::verdict_phrases::{Judged, Memo, PairVerdict};
use crate::arena::{Pairing, PairingTally, Tally};
use crate::stats::Trinomial;

/// A pairing of two agents with games.
pub struct PairingFigures<'a> {
    results: &'a Results,
    pub pairing: &'a Pairing,
    pub played: &'a PairingTally,
    /// The score of the first agent over distinct pairs, with the verdict on it alone.
    pub judged: Judged,
    p_value: Option<f64>,
    /// The verdict of the test that was declared in advance.
    tested: Option<String>,
}

/// The pairings of different agents that played games.
pub fn met(tally: &Tally) -> impl Iterator<Item = &(Pairing, PairingTally)> {
    tally.pairings.iter().filter(|(pairing, played)| !pairing.is_self() && played.games() > 0)
}

impl<'a> PairingFigures<'a> {
    /// All pairings that played games, in the order of the schedule. `tested` is the verdict of the test that
    /// was declared in advance.
    pub fn all(
        results: &'a Results,
        tested: Option<String>,
    ) -> impl Iterator<Item = PairingFigures<'a>> {
        let mut memo = Memo::default();
        met(&results.tally).map(move |(pairing, played)| {
            let sampling = results.context.sampling(played);
            let judged = memo.evidence(&played.distinct, sampling);
            let p_value = p_value(&played.distinct, sampling);
            PairingFigures { results, pairing, played, judged, p_value, tested: tested.clone() }
        })
    }

    /// The verdict, corrected for the number of pairings.
    pub fn verdict(&self) -> PairVerdict {
        self.results.ranking.correction.verdict(&self.judged, self.p_value)
    }

    fn name(&self, agent: usize) -> &str {
        &self.results.tally.names[agent]
    }

    /// The results of the first agent, with repeated games: in all games, moving first and moving second.
    fn counts(&self) -> [Trinomial; 3] {
        let all = self.played.all();
        [all.games(), all.moving_first(), all.moving_second()]
    }

    /// The number of distinct pairs in which the first agent has this number of half points.
    fn pairs(&self, half_points: usize) -> u64 {
        self.played.distinct.pairs.strength().0[half_points]
    }

    /// The Elo difference and its ends.
    fn elo(&self) -> [Option<f64>; 3] {
        self.judged.elo(self.judged.interval)
    }

    /// The verdict in words. The verdict of a test that was declared in advance is that of the run.
    fn verdict_words(&self) -> &str {
        let tested = self.tested.as_deref();
        let tested = tested.filter(|_| self.judged.verdict != PairVerdict::Exact);
        tested.unwrap_or_else(|| self.verdict().of_agents())
    }
}

/// The figures of every pairing, in the order of `pairings.csv`. Results count every game; `pairs`,
/// `pair_…`, scores and Elo count distinct pairs.
pub fn pairing_figures<'a>() -> FigureList<PairingFigures<'a>> {
    FigureList::<PairingFigures<'a>>::new()
        .with("agent_a", "", Text, |row| row.name(row.pairing.a).into())
        .with("agent_b", "", Text, |row| row.name(row.pairing.b).into())
        .with("games", "games", Count, |row| row.played.games().into())
        .with("distinct_games", "", Count, |row| row.played.distinct_games.into())
        .with("pairs", "", Count, |row| row.played.distinct.pairs.n().into())
        .with("a_wins", "", Count, |row| row.counts()[0].wins().into())
        .with("draws", "", Count, |row| row.counts()[0].draws().into())
        .with("b_wins", "", Count, |row| row.counts()[0].losses().into())
        .with("a_first_wins", "", Count, |row| row.counts()[1].wins().into())
        .with("a_first_draws", "", Count, |row| row.counts()[1].draws().into())
        .with("a_first_losses", "", Count, |row| row.counts()[1].losses().into())
        .with("a_second_wins", "", Count, |row| row.counts()[2].wins().into())
        .with("a_second_draws", "", Count, |row| row.counts()[2].draws().into())
        .with("a_second_losses", "", Count, |row| row.counts()[2].losses().into())
        .with("pair_0", "", Count, |row| row.pairs(0).into())
        .with("pair_0_5", "", Count, |row| row.pairs(1).into())
        .with("pair_1", "", Count, |row| row.pairs(2).into())
        .with("pair_1_5", "", Count, |row| row.pairs(3).into())
        .with("pair_2", "", Count, |row| row.pairs(4).into())
        .with("a_score", "score %", Percent, |row| row.judged.score.into())
        .with("score_low, score_high", "95 %", Percent, |row| Ends(row.judged.interval))
        .with("elo", "Elo", Decimals(0), |row| row.elo()[0].into())
        .with("elo_low", "", Decimals(0), |row| row.elo()[1].into())
        .with("elo_high", "", Decimals(0), |row| row.elo()[2].into())
        .with("verdict", "verdict", Text, |row| row.verdict_words().into())
        .with("anytime_low, anytime_high", "at any time", Percent, |row| Ends(row.judged.anytime))
        .with("e_value", "e-value", EValue, |row| row.judged.e_value.into())
        .with("p_holm", "", PValue, |row| {
            row.p_value.and_then(|p| row.results.ranking.correction.p_holm(p)).into()
        })
        .with("p_value", "p", PValue, |row| row.p_value.into())
}
