//! What the seats are worth, and whether they differ.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::design::Design;
use super::fitted::Fitted;
use super::joint_test::{JointTest, TestMethod};
use super::likelihood::Maximum;

/// The effects of all seats, and a joint test that all are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatEffects {
    /// The effect of each seat.
    pub seats: Vec<SeatEffect>,
    /// The joint test of all seats.
    pub test: Option<JointTest>,
}

/// The effect of one seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatEffect {
    /// What the seat adds to a rating, in Elo. The sum of all seats is 0.
    pub elo: f64,
    /// Its confidence interval in Elo; `None` below 8 groups.
    pub interval: Option<[f64; 2]>,
}

/// The numbers of random permutations, and of moved residuals that the time allows.
const PERMUTATIONS: [usize; 2] = [999, 9_999];
const MOST_MOVES: usize = 40_000_000;

/// The effects of the seats in a fit with seats. `without` is the fit without seats.
pub(super) fn seat_effects(fitted: &Fitted, without: &Maximum) -> SeatEffects {
    let design = &fitted.design;
    let seats = design.seats;
    let effect = |seat: usize| {
        let mut contrast = vec![0.0; design.size];
        (0..seats).for_each(|other| contrast[design.seat(other)] = -1.0 / seats as f64);
        contrast[design.seat(seat)] += 1.0;
        let groups = fitted.variance.groups_of[design.seat(seat)];
        let estimate = fitted.estimate(&contrast, groups, seats - 1);
        let interval = fitted.has_intervals().then_some([estimate.lo, estimate.hi]);
        SeatEffect { elo: estimate.elo, interval }
    };
    let test = match fitted.is_grouped {
        true => {
            permutation_test(design, &design.translate(&fitted.without_seats, &without.point.at))
        }
        false => likelihood_ratio_test(fitted, without),
    };
    SeatEffects { seats: (0..seats).map(effect).collect(), test }
}

fn likelihood_ratio_test(fitted: &Fitted, without: &Maximum) -> Option<JointTest> {
    let design = &fitted.design;
    let difference = |seat: usize| {
        let mut contrast = vec![0.0; design.size];
        contrast[design.seat(0)] = -1.0;
        contrast[design.seat(seat)] = 1.0;
        contrast
    };
    let contrasts: Vec<Vec<f64>> = (1..design.seats).map(difference).collect();
    let ratio = 2.0 * (fitted.best.point.ln - without.point.ln).max(0.0);
    fitted.joint_test(TestMethod::LikelihoodRatio, ratio, &contrasts)
}

/// The residuals of the seats in the rows of one group with one number of seats.
type Residuals = Vec<f64>;

/// Whether the seats differ, by random exchanges of the seats of each group: the same exchange in
/// all its rows with the same number of seats. The statistic is the sum over seats of the squared sum
/// of residuals in the fit without seats.
fn permutation_test(design: &Design, at: &[f64]) -> Option<JointTest> {
    let mut blocks: BTreeMap<(Option<usize>, usize), Residuals> = BTreeMap::new();
    design.for_each_row(at, |row, point| {
        let seats = row.seats.iter().max().map_or(0, |last| last + 1);
        let block = blocks.entry((row.group, seats)).or_insert_with(|| vec![0.0; seats]);
        for (seat, residual) in row.seats.iter().zip(&point.gradient) {
            block[*seat] += row.count * residual;
        }
    });
    let mut blocks: Vec<Residuals> = blocks.into_values().collect();
    // The numbers of the groups have no meaning, so the random numbers must not depend on them.
    blocks.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.partial_cmp(b).expect("numbers")));
    let statistic = |blocks: &[Residuals]| {
        let mut sums = vec![0.0; design.seats];
        for block in blocks {
            sums.iter_mut().zip(block).for_each(|(sum, residual)| *sum += residual);
        }
        sums.iter().map(|sum| sum * sum).sum::<f64>()
    };
    let observed = statistic(&blocks);
    let [fewest, most] = PERMUTATIONS;
    let moves = blocks.len().max(1) * design.seats;
    let permutations = (MOST_MOVES / moves).clamp(fewest, most);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut as_large = 1;
    for _ in 0..permutations {
        for block in &mut blocks {
            for last in (1..block.len()).rev() {
                block.swap(last, rng.random_range(0..=last as u32) as usize);
            }
        }
        as_large += usize::from(statistic(&blocks) >= observed * (1.0 - 1e-9));
    }
    let p = as_large as f64 / (permutations + 1) as f64;
    let df = design.seats - 1;
    Some(JointTest { method: TestMethod::Permutation, statistic: observed, df, p })
}
