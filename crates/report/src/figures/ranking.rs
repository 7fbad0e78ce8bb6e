//! The ratings of all agents and the comparisons between them.

#![deny(missing_docs)]

use super::multiple_comparisons;
use super::multiple_comparisons::Correction;
use super::run_facts_for_tables::{RatingIntervals, RunContext};
use super::verdict_phrases::{FEW, Judged, Memo, Sampling};
use crate::arena::Tally;
use crate::stats::ratings::{
    Length, ListOptions, PairComparison, PairingScore, Rating, RatingList, Reference, Standing,
    shortest_cycle,
};
use crate::stats::{Confidence, EloRange, Evidence, Trinomial};
use crate::text::number_format::{NONE, elo, elo_ends, is_informative_elo};

/// Judges two agents by distinct pairs, or by single games if there are no pairs.
pub fn judge(evidence: &Evidence, sampling: Sampling) -> Judged {
    Memo::default().evidence(evidence, sampling)
}

/// Ratings of all agents and their verdicts. All tables share them, because with many agents they
/// are most of the work.
#[derive(Debug, Clone)]
pub struct Ranking {
    /// Bradley-Terry ratings with draws as half points, and with a first-move advantage if the
    /// games determine it.
    pub(crate) list: RatingList,
    /// The intervals of the ratings.
    pub(crate) intervals: RatingIntervals,
    /// Comparisons between agents; empty if ratings are exact, and if the number of games was not
    /// fixed in advance.
    pub(crate) comparisons: Vec<PairComparison>,
    /// Indices of the comparisons by agent numbers, the smaller agent number first.
    by_agents: Vec<u32>,
    /// The shortest cycle of agents in which each beats the next.
    pub(crate) cycle: Option<Vec<usize>>,
    /// All pairings are exact over the opening set, so nothing is a sample.
    pub(crate) exact: bool,
    pub(crate) exact_pairings: usize,
    pub(crate) pairings: usize,
    /// The multiple-comparison correction of the verdicts on all pairings.
    pub(crate) correction: Correction,
    /// Distinct pairs of each agent, or single games if a pairing has no pairs.
    samples: Vec<u64>,
    /// The agents without a rank, because they are only a yardstick.
    reference_agents: Vec<usize>,
    reference: Reference,
    /// The first of two agents and the interval of its difference to the second, if it holds at any time.
    difference: Option<(usize, EloRange)>,
}

/// The number of samples of each agent: pairs, or games without pairs.
fn samples(agents: usize, between: &[PairingScore<&Evidence>]) -> Vec<u64> {
    let mut samples = vec![0; agents];
    for PairingScore { a, b, evidence } in between {
        let [pairs, games] = [evidence.pairs.n(), evidence.games().n()];
        for agent in [*a, *b] {
            samples[agent] += if pairs > 0 { pairs } else { games };
        }
    }
    samples
}

impl Ranking {
    /// Rates all agents that met another agent.
    pub fn new(tally: &Tally, context: &RunContext) -> Self {
        let options = ListOptions {
            first_mover: true,
            reference: context.reference,
            confidence: Confidence::P95,
            length: match context.rating_intervals(tally) {
                RatingIntervals::AtAnyTime => Length::AnyTime,
                RatingIntervals::FixedLength | RatingIntervals::None => Length::Fixed,
            },
        };
        let between: Vec<PairingScore<&Evidence>> =
            met(tally).filter(|_| context.state.rates_agents()).collect();
        let list = RatingList::of(tally.names.len(), &between, tally.results_by_opening(), options);
        let cycle = shortest_cycle(tally.names.len(), &between, Confidence::P95);
        let evidence = (tally.pairings.iter())
            .filter(|(pairing, results)| !pairing.is_self() && !results.distinct.is_empty())
            .map(|(_, results)| (&results.distinct, context.sampling(results)));
        let exact_pairings = evidence.clone().filter(|(_, sampling)| sampling.exhausted).count();
        let p_values = evidence
            .filter_map(|(of, sampling)| multiple_comparisons::p_value(of, sampling))
            .collect();
        let correction = Correction::new(p_values, context.overall(tally).fixed_length);
        let pairings = between.len();
        let exact = exact_pairings == pairings && pairings > 0;
        let intervals = context.rating_intervals(tally);
        let difference = match (&between[..], intervals) {
            ([only], RatingIntervals::AtAnyTime) => {
                let judged = judge(only.evidence, context.overall(tally));
                judged.anytime.map(|interval| (only.a, interval.elo()))
            }
            _ => None,
        };
        let comparisons = match intervals {
            RatingIntervals::FixedLength if !exact => list.comparisons(),
            _ => Vec::new(),
        };
        let mut by_agents: Vec<u32> = (0..comparisons.len() as u32).collect();
        by_agents.sort_by_key(|&i| agents_of(&comparisons[i as usize]));
        Ranking {
            list,
            intervals,
            comparisons,
            by_agents,
            cycle,
            exact,
            exact_pairings,
            pairings,
            correction,
            samples: samples(tally.names.len(), &between),
            reference_agents: context.reference_agents.clone(),
            reference: context.reference,
            difference,
        }
    }

    /// The number of groups of agents with separate ratings.
    pub fn components(&self) -> usize {
        self.list.components()
    }

    /// The standings of agents that met another agent, each with its rank within its group, from 1.
    /// References are not counted: they are R1, R2 and so on. The number of the group comes first if
    /// there are several.
    pub fn ranks(&self) -> impl Iterator<Item = (String, &Standing)> {
        let (mut component, mut ranks) = (usize::MAX, [0, 0]);
        self.list.standings.iter().filter(|standing| standing.games > 0).map(move |standing| {
            if component != standing.component {
                (component, ranks) = (standing.component, [0, 0]);
            }
            let is_reference = self.reference_agents.contains(&standing.player);
            let rank = &mut ranks[usize::from(is_reference)];
            *rank += 1;
            let mark = if is_reference { "R" } else { "" };
            let label = match self.components() {
                1 => format!("{mark}{rank}"),
                _ => format!("{}.{mark}{rank}", component + 1),
            };
            (label, standing)
        })
    }

    /// The rating and the known ends of its interval, for every output. A fact has no interval, and a
    /// rating has none if the results chose the games. A rating that is [`Self::withheld`] has no numbers.
    pub fn numbers(&self, standing: &Standing) -> [Option<f64>; 3] {
        if self.withheld(standing) { [None; 3] } else { self.all_numbers(standing) }
    }

    /// The same numbers, also of a rating that is withheld.
    fn all_numbers(&self, standing: &Standing) -> [Option<f64>; 3] {
        let [value, lo, hi] = match standing.rating {
            Rating::Estimate { elo, lo, hi, .. } => [Some(elo), Some(lo), Some(hi)],
            Rating::Reference => [Some(0.0), None, None],
            Rating::AtLeast(bound) => [None, Some(bound), None],
            Rating::AtMost(bound) => [None, None, Some(bound)],
            Rating::Unknown => [None; 3],
        };
        // Of two agents, the interval of the difference is known for any number of games.
        let [lo, hi] = match self.difference {
            Some((a, range)) if !matches!(standing.rating, Rating::Reference) => {
                let half = |end: Option<f64>| end.map(|elo| elo / self.agents_of_difference());
                let [low, high] = [half(range.lo()), half(range.hi())];
                if standing.player == a {
                    [low, high]
                } else {
                    [high, low].map(|end| end.map(|elo| -elo))
                }
            }
            _ => [lo, hi],
        };
        let shown = !self.exact && self.intervals != RatingIntervals::None;
        let [lo, hi] = [lo, hi].map(|end| end.filter(|end| shown && end.is_finite()));
        [value, lo, hi]
    }

    /// Between how many agents the difference of two is divided: ratings are relative to the mean of
    /// both, or to one of them.
    fn agents_of_difference(&self) -> f64 {
        if self.reference == Reference::Mean { 2.0 } else { 1.0 }
    }

    /// The rating of an agent in Elo, or the bound that is known of it.
    pub fn elo_or_bound(&self, agent: usize) -> Option<f64> {
        // An agent that won every game is not below the others, and one that lost every game not above.
        let rated = || self.list.standings.iter().filter_map(|standing| standing.rating.estimate());
        match self.standing(agent)?.rating {
            Rating::AtLeast(bound) => Some(rated().fold(bound, f64::max)),
            Rating::AtMost(bound) => Some(rated().fold(bound, f64::min)),
            rating => rating.estimate(),
        }
    }

    /// The standing of an agent, if it has one.
    pub(crate) fn standing(&self, agent: usize) -> Option<&Standing> {
        self.list.standings.iter().find(|standing| standing.player == agent)
    }

    /// Whether an agent's rating comes from too few distinct games or openings, so that its interval says
    /// nothing. Readers would trust such a number too much.
    pub fn withheld(&self, standing: &Standing) -> bool {
        let is_known = matches!(standing.rating, Rating::Reference | Rating::Unknown);
        // The rating of one of two agents is half their difference, which has the interval.
        let scale = if self.pairings == 1 { self.agents_of_difference() } else { 1.0 };
        let [_, ends @ ..] = self.all_numbers(standing).map(|number| number.map(|elo| scale * elo));
        let says_nothing = self.intervals != RatingIntervals::None && !is_informative_elo(ends);
        !self.exact && !is_known && (self.samples[standing.player] < FEW || says_nothing)
    }

    /// Whether some rating has an interval.
    pub fn any_interval(&self) -> bool {
        let ends = |standing: &Standing| self.numbers(standing)[1..].iter().any(Option::is_some);
        self.list.standings.iter().any(ends)
    }

    /// Whether some rating besides that of the reference is shown, or a bound of one.
    pub fn any_rating(&self) -> bool {
        let is_shown = |standing: &&Standing| self.numbers(standing).iter().any(Option::is_some);
        let is_reference = |standing: &&Standing| matches!(standing.rating, Rating::Reference);
        self.list.standings.iter().any(|it| is_shown(&it) && !is_reference(&it))
    }

    /// Why some ratings are not shown; `None` if all are.
    pub fn withheld_note(&self) -> Option<String> {
        let any = self
            .list
            .standings
            .iter()
            .any(|standing| standing.games > 0 && self.withheld(standing));
        any.then(|| {
            format!(
                "no Elo with fewer than {FEW} distinct pairs or games, or with an interval that says nothing"
            )
        })
    }

    /// The comparison of two agents, if both have ratings in the same group.
    pub fn compared(&self, a: usize, b: usize) -> Option<&PairComparison> {
        let of = |&i: &u32| agents_of(&self.comparisons[i as usize]);
        let place = self.by_agents.binary_search_by_key(&(a.min(b), a.max(b)), of).ok()?;
        Some(&self.comparisons[self.by_agents[place] as usize])
    }
}

/// The two agents of a comparison, the smaller number first.
fn agents_of(comparison: &PairComparison) -> (usize, usize) {
    (comparison.a.min(comparison.b), comparison.a.max(comparison.b))
}

/// The distinct evidence of all pairings between different agents.
pub(crate) fn met(tally: &Tally) -> impl Iterator<Item = PairingScore<&Evidence>> {
    (tally.pairings.iter())
        .filter(|(pairing, results)| !pairing.is_self() && !results.distinct.is_empty())
        .map(|(pairing, results)| PairingScore {
            a: pairing.a,
            b: pairing.b,
            evidence: &results.distinct,
        })
}

/// An agent's results against others, including repeated games.
pub fn results(tally: &Tally, agent: usize) -> Trinomial {
    let mut results = tally.agents[agent].moving_first;
    results.merge(&tally.agents[agent].moving_second);
    results
}

/// The distinct evidence of agent `a` against agent `b`, from the view of `a`.
pub(crate) fn between(tally: &Tally, a: usize, b: usize) -> Option<Evidence> {
    tally.pairings.iter().find_map(|(pairing, results)| {
        if (pairing.a, pairing.b) == (a, b) {
            Some(results.distinct)
        } else if (pairing.a, pairing.b) == (b, a) {
            Some(results.distinct.flipped())
        } else {
            None
        }
    })
}

/// A rating as text: the estimate and its interval, or a bound and its opponent.
pub(crate) fn rating_cells(tally: &Tally, ranking: &Ranking, standing: &Standing) -> [String; 2] {
    let [value, ends @ ..] = ranking.numbers(standing);
    let mut range = elo_ends(ends);
    let is_bound = ends.iter().flatten().count() == 1;
    if let Some(opponent) = standing.against.filter(|_| is_bound) {
        range.push_str(&format!(" against {}", tally.names[opponent]));
    }
    [value.map_or(NONE.to_owned(), elo), range]
}
