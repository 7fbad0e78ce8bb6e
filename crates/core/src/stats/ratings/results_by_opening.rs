//! Results by opening: all pairings play the same openings, so their results are not independent.
//!
//! An opening that suits an agent helps it against all others. The sums of points then vary more than
//! those of independent pairs. The covariance by opening is the sandwich estimator with the openings as
//! clusters (K.-Y. Liang and S. Zeger, "Longitudinal data analysis using generalized linear models",
//! 1986).

use super::super::evidence::GameScore;
use super::bradley_terry_model::Likelihood;
use crate::stats::numerics::symmetric_matrix::Matrix;

/// The games of one pairing from one opening, from the side of its first agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningResult {
    /// Both games of a pair: the agent's result moving first, and moving second.
    Pair(GameScore, GameScore),
    /// One game, in which the agent moved first.
    First(GameScore),
    /// One game, in which the agent moved second.
    Second(GameScore),
}

impl OpeningResult {
    fn code(self) -> u8 {
        match self {
            Self::Pair(first, second) => 3 * first as u8 + second as u8,
            Self::First(result) => 9 + result as u8,
            Self::Second(result) => 12 + result as u8,
        }
    }

    /// The kind of a result with this code: a pair, or a single game by seat.
    fn kind(code: u8) -> usize {
        (usize::from(code) / 3).saturating_sub(2)
    }

    /// The agent's points moving first and moving second; `None` for a game that was not played.
    fn points(code: u8) -> [Option<f64>; 2] {
        let points = |result: u8| Some(f64::from(result) / 2.0);
        match code {
            0..9 => [points(code / 3), points(code % 3)],
            9..12 => [points(code - 9), None],
            _ => [None, points(code - 12)],
        }
    }
}

/// The results of all pairings in the order of the games, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct ResultsByOpening {
    /// The two agents of each pairing.
    agents: Vec<[u32; 2]>,
    /// The pairing and the code of each result.
    pairings: Vec<u32>,
    codes: Vec<u8>,
    /// Where the results of another opening begin: the opening, and the first of its results.
    begins: Vec<(u64, usize)>,
    /// All results, including those above the limit.
    all: u64,
}

/// The covariance of the scores with openings as clusters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpeningScores {
    /// The sum of the outer products of the openings' scores.
    pub by_opening: Matrix,
    /// The same sum with each result as its own cluster.
    pub by_result: Matrix,
    pub openings: u64,
}

/// The number of results of one kind and the agent's half points in them, moving first and moving
/// second. The type is small because a large field has half a million pairings.
#[derive(Clone, Copy, Default)]
struct Totals {
    results: u32,
    half_points: [u32; 2],
}

impl Totals {
    fn mean(&self, seat: usize) -> f64 {
        f64::from(self.half_points[seat]) / 2.0 / f64::from(self.results)
    }
}

impl ResultsByOpening {
    /// The maximum number of results, which take 42 MB. The results before this limit show how much the
    /// openings matter, so the later ones are left out.
    pub const MOST: usize = 1 << 23;

    /// Adds a result of the pairing with this number, between the agents `a` and `b`. Results with the
    /// same `opening` are one cluster.
    pub fn add(&mut self, pairing: usize, [a, b]: [usize; 2], opening: u64, result: OpeningResult) {
        self.all += 1;
        if self.codes.len() == Self::MOST {
            return;
        }
        if self.agents.len() <= pairing {
            self.agents.resize(pairing + 1, [0; 2]);
        }
        self.agents[pairing] = [a as u32, b as u32];
        if self.begins.last().is_none_or(|(last, _)| *last != opening) {
            self.begins.push((opening, self.codes.len()));
        }
        self.pairings.push(pairing as u32);
        self.codes.push(result.code());
    }

    /// The parts of the results that are of one opening, as ranges of their places, sorted by opening.
    fn parts(&self) -> Vec<(u64, std::ops::Range<usize>)> {
        let ends = self.begins.iter().skip(1).map(|(_, begin)| *begin).chain([self.codes.len()]);
        let mut parts: Vec<(u64, std::ops::Range<usize>)> = (self.begins.iter().zip(ends))
            .map(|((opening, begin), end)| (*opening, *begin..end))
            .collect();
        parts.sort_by_key(|(opening, part)| (*opening, part.start));
        parts
    }

    /// The totals of each pairing by kind of result.
    fn totals(&self) -> Vec<[Totals; 3]> {
        let mut totals = vec![[Totals::default(); 3]; self.agents.len()];
        for (&pairing, &code) in self.pairings.iter().zip(&self.codes) {
            let of_kind = &mut totals[pairing as usize][OpeningResult::kind(code)];
            of_kind.results += 1;
            for (sum, points) in of_kind.half_points.iter_mut().zip(OpeningResult::points(code)) {
                *sum += points.map_or(0, |points| (2.0 * points) as u32);
            }
        }
        totals
    }

    /// The scores of the parameters of a model by opening. `place` is the number of an agent in the
    /// model, if it is one of its players. `None` if fewer than two openings have results of several
    /// pairings: the pairs are then the clusters. If there is only one opening, it is the only cluster.
    pub(super) fn scores(
        &self,
        model: &Likelihood,
        place: &dyn Fn(usize) -> Option<usize>,
    ) -> Option<OpeningScores> {
        // The agents' numbers in the model, as small as in `agents`.
        let players: Vec<Option<[u32; 2]>> = (self.agents.iter())
            .map(|agents| {
                let [a, b] = agents.map(|agent| place(agent as usize));
                Some([a? as u32, b? as u32]).filter(|[a, b]| a != b)
            })
            .collect();
        let parts = self.parts();
        let by_opening = || {
            parts.chunk_by(|one, next| one.0 == next.0).map(|parts| {
                let places = parts.iter().flat_map(|(_, part)| part.clone());
                places.filter(|&i| players[self.pairings[i] as usize].is_some())
            })
        };
        let (mut openings, mut shared) = (0, 0);
        for results in by_opening().map(Iterator::count) {
            openings += u64::from(results > 0);
            shared += u64::from(results > 1);
        }
        if shared == 0 || (shared == 1 && openings > 1) {
            return None;
        }
        let totals = self.totals();
        let size = model.size();
        let (mut of_openings, mut of_results) = (Matrix::zero(size), Matrix::zero(size));
        let mut sum = vec![0.0; size];
        for results in by_opening() {
            sum.fill(0.0);
            for i in results {
                let (pairing, code) = (self.pairings[i] as usize, self.codes[i]);
                let Some([a, b]) = players[pairing] else { continue };
                let totals = &totals[pairing][OpeningResult::kind(code)];
                let mut score = [(a as usize, 0.0), (b as usize, 0.0), (model.players, 0.0)];
                for (seat, points) in OpeningResult::points(code).into_iter().enumerate() {
                    let Some(points) = points else { continue };
                    let more = points - totals.mean(seat);
                    score[0].1 += more;
                    score[1].1 -= more;
                    score[2].1 += if seat == 0 { more } else { -more };
                }
                let score = if model.first_mover { &score[..] } else { &score[..2] };
                of_results.add_outer(score, 1.0);
                score.iter().for_each(|(parameter, score)| sum[*parameter] += score);
            }
            let score: Vec<(usize, f64)> =
                sum.iter().copied().enumerate().filter(|(_, score)| *score != 0.0).collect();
            of_openings.add_outer(&score, 1.0);
        }
        // Means from few openings leave less variance.
        let spread = openings as f64 / (openings.max(2) - 1) as f64 * self.all as f64
            / self.codes.len().max(1) as f64;
        of_openings.cells.iter_mut().for_each(|cell| *cell *= spread);
        of_results.cells.iter_mut().for_each(|cell| *cell *= spread);
        Some(OpeningScores { by_opening: of_openings, by_result: of_results, openings })
    }
}
