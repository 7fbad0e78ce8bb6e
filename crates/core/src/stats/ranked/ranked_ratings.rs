//! Ratings fitted to rows of results.

use std::cell::RefCell;
use std::fmt;

use super::super::ratings::Rating;
use super::anchors::{AnchorShift, Anchors};
use super::bound::bound;
use super::connected_players::{components, unconnected};
use super::design::{Design, TeamModel, Terms, TieModel};
use super::fitted::Fitted;
use super::group_covariance::GroupCovariance;
use super::likelihood::Maximum;
use super::ranked_samples::RankedSamples;
use super::seat_effects::{SeatEffects, seat_effects};
use crate::stats::numerics::confidence_level::Confidence;

/// The options of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankedOptions {
    /// The model of ties.
    pub ties: TieModel,
    /// The strength of a team.
    pub teams: TeamModel,
    /// Whether to fit an effect of each seat.
    pub seat_effects: bool,
    /// The confidence level of intervals and bounds.
    pub confidence: Confidence,
    /// Players and their given ratings in Elo. Without anchors, the mean of each component is 0.
    pub anchors: Vec<(usize, f64)>,
}

/// The reason why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRankedFit {
    /// There is no row.
    NoRows,
    /// An anchor is not one of the players.
    UnknownAnchor,
    /// No anchor has a finite rating.
    AnchorsUnrated,
    /// A row has too many sides for the model of Davidson and Luce.
    TooManySides {
        /// The number of its sides.
        sides: usize,
    },
    /// The likelihood has no maximum at finite ratings, or several.
    NoFiniteEstimate,
    /// Two players are in the same team in all of their rows, so only their team has a rating.
    AlwaysTogether {
        /// Their numbers.
        players: [usize; 2],
    },
}

impl fmt::Display for NoRankedFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRows => f.write_str("there are no results"),
            Self::UnknownAnchor => f.write_str("an anchor is not in the results"),
            Self::AnchorsUnrated => f.write_str("no anchor has a finite rating"),
            Self::TooManySides { sides } => write!(
                f,
                "a row has {sides} sides; the Davidson-Luce model allows {MOST_SIDES_WITH_WEIGHTS}"
            ),
            Self::NoFiniteEstimate => f.write_str(
                "the results do not determine finite ratings: some sets of players always rank \
                 above the others",
            ),
            Self::AlwaysTogether { players: [a, b] } => write!(
                f,
                "the players number {a} and {b} are always in the same team, so their ratings cannot be \
                 separated"
            ),
        }
    }
}

impl std::error::Error for NoRankedFit {}

/// The model of Davidson and Luce sums over all subsets of the sides.
const MOST_SIDES_WITH_WEIGHTS: usize = 12;

/// Ratings of all players, from one fit.
pub struct RankedRatings {
    ratings: Vec<Rating>,
    components: Vec<Vec<usize>>,
    unconnected: Vec<Vec<usize>>,
    rows_of: Vec<u64>,
    tie_weights: Vec<(usize, f64)>,
    seat_effects: Option<SeatEffects>,
    seats_missing: bool,
    anchor_shift: Option<AnchorShift>,
    /// `None` if no two players have a finite difference.
    fitted: Option<Fitted>,
}

/// The fits with and without effects of seats.
struct Fits {
    components: Vec<Vec<usize>>,
    terms: Terms,
    fitted: Option<Fitted>,
    seat_effects: Option<SeatEffects>,
}

impl Fits {
    /// `None` if there is no finite estimate.
    fn new(samples: &RankedSamples, options: &RankedOptions, do_ties_count: bool) -> Option<Self> {
        let mut components = components(samples, do_ties_count);
        let anchors = |members: &Vec<usize>| {
            options.anchors.iter().filter(|(player, _)| members.contains(player)).count()
        };
        components.sort_by_key(|members| std::cmp::Reverse((members.len() > 1, anchors(members))));
        let rated: Vec<Vec<usize>> =
            components.iter().filter(|members| members.len() > 1).cloned().collect();
        let tie_sizes = match options.ties {
            TieModel::AverageOfOrders => Vec::new(),
            TieModel::DavidsonLuce => samples.tie_sizes(),
        };
        let terms = Terms { ties: options.ties, teams: options.teams, tie_sizes, seats: 0 };
        if rated.is_empty() {
            return Some(Self { components, terms, fitted: None, seat_effects: None });
        }
        let design = Design::new(samples, &rated, &terms, |_| true);
        let best = design.maximize(vec![0.0; design.size], None)?;
        let fitted = |design: Design, best: Maximum| Fitted {
            variance: GroupCovariance::new(&design, &best),
            without_seats: design.with_seats(0),
            design,
            best,
            confidence: options.confidence,
            is_grouped: samples.groups().is_some(),
            reaches: RefCell::default(),
        };
        if options.seat_effects {
            let with = design.with_seats(samples.seats());
            let start = with.translate(&design, &best.point.at);
            if let Some(found) = with.maximize(start, None) {
                let fitted = fitted(with, found);
                let seat_effects = Some(seat_effects(&fitted, &best));
                return Some(Self { components, terms, fitted: Some(fitted), seat_effects });
            }
        }
        let fitted = Some(fitted(design, best));
        Some(Self { components, terms, fitted, seat_effects: None })
    }
}

impl RankedRatings {
    /// Fits ratings to the rows.
    pub fn fit(samples: &RankedSamples, options: &RankedOptions) -> Result<Self, NoRankedFit> {
        if samples.rows() == 0 {
            return Err(NoRankedFit::NoRows);
        }
        if options.anchors.iter().any(|(player, _)| *player >= samples.players()) {
            return Err(NoRankedFit::UnknownAnchor);
        }
        let sides = samples.seats();
        if options.ties == TieModel::DavidsonLuce && sides > MOST_SIDES_WITH_WEIGHTS {
            return Err(NoRankedFit::TooManySides { sides });
        }
        // With the weights of ties, ties alone may not be enough for finite ratings.
        let fits = Fits::new(samples, options, true)
            .or_else(|| Fits::new(samples, options, false))
            .ok_or_else(|| match samples.always_together() {
                Some(players) => NoRankedFit::AlwaysTogether { players },
                None => NoRankedFit::NoFiniteEstimate,
            })?;
        let seats_missing = options.seat_effects && fits.seat_effects.is_none();
        let mut rows_of = vec![0; samples.players()];
        for (_, sides, count) in samples.different_rows() {
            sides.for_each(|side| side.players().for_each(|player| rows_of[player] += count));
        }
        let (ratings, anchor_shift) = rate(samples, options, &fits);
        let is_rated = |player: usize| ratings[player].estimate().is_some();
        if !options.anchors.is_empty() && !options.anchors.iter().any(|(p, _)| is_rated(*p)) {
            return Err(NoRankedFit::AnchorsUnrated);
        }
        let weight = |(tie, &size): (usize, &usize)| {
            let Fitted { design, best, .. } = fits.fitted.as_ref()?;
            Some((size, best.point.at[design.tie(tie)].exp()))
        };
        Ok(Self {
            tie_weights: fits.terms.tie_sizes.iter().enumerate().filter_map(weight).collect(),
            ratings,
            unconnected: unconnected(samples),
            rows_of,
            seats_missing,
            anchor_shift,
            components: fits.components,
            seat_effects: fits.seat_effects,
            fitted: fits.fitted,
        })
    }

    /// The rating of each player in Elo. An end of an interval is infinite if there are fewer than 8
    /// groups. A player who always ranked above or below the players with ratings has a bound.
    /// [`Rating::Reference`] is not used.
    pub fn ratings(&self) -> &[Rating] {
        &self.ratings
    }

    /// Sets of players with finite differences. Ratings are comparable within a set, and with those
    /// bounds that are relative to it. The set with the most anchors is first, then the largest.
    pub fn components(&self) -> &[Vec<usize>] {
        &self.components
    }

    /// Sets of players who met, directly or through others; the largest first.
    pub fn unconnected(&self) -> &[Vec<usize>] {
        &self.unconnected
    }

    /// The number of rows with a player.
    pub fn rows_of(&self, player: usize) -> u64 {
        self.rows_of[player]
    }

    /// The log-likelihood in nats, of all components together.
    pub fn log_likelihood(&self) -> f64 {
        self.fitted.as_ref().map_or(0.0, |fitted| fitted.best.point.ln)
    }

    /// The sizes of ties and their weights in the model of Davidson and Luce.
    pub fn tie_weights(&self) -> &[(usize, f64)] {
        &self.tie_weights
    }

    /// The difference between the ratings of two players in Elo. [`Rating::Unknown`] if they are not
    /// in one component.
    pub fn difference(&self, a: usize, b: usize) -> Rating {
        let together =
            |members: &Vec<usize>| a != b && members.contains(&a) && members.contains(&b);
        match &self.fitted {
            Some(fitted) if self.components.iter().any(together) => {
                let ((m, p), (n, q)) = (fitted.exposure(a), fitted.exposure(b));
                fitted.estimate(&fitted.relative(a, &[b]), m.min(n), p.max(q)).into()
            }
            _ => Rating::Unknown,
        }
    }

    /// The fit, if two players have a finite difference.
    pub(super) fn fitted(&self) -> Option<&Fitted> {
        self.fitted.as_ref()
    }

    /// The effects of the seats; `None` if they were not asked for or are not determined.
    pub fn seat_effects(&self) -> Option<&SeatEffects> {
        self.seat_effects.as_ref()
    }

    /// Whether effects of the seats were asked for, but the results do not determine them.
    pub fn seats_missing(&self) -> bool {
        self.seats_missing
    }

    /// The shift to the anchors of the first component.
    pub fn anchor_shift(&self) -> Option<&AnchorShift> {
        self.anchor_shift.as_ref()
    }

    /// Whether there are too few groups for intervals.
    pub fn intervals_missing(&self) -> bool {
        self.fitted.as_ref().is_some_and(|fitted| !fitted.has_intervals())
    }
}

/// The ratings and bounds of all players, and the shift to the anchors of the first component.
fn rate(
    samples: &RankedSamples,
    options: &RankedOptions,
    fits: &Fits,
) -> (Vec<Rating>, Option<AnchorShift>) {
    let mut ratings = vec![Rating::Unknown; samples.players()];
    let Some(fitted) = &fits.fitted else { return (ratings, None) };
    let rated = fits.components.iter().filter(|members| members.len() > 1);
    let anchors = rated.map(|members| {
        let given = options.anchors.iter().filter(|(player, _)| members.contains(player));
        Anchors { members, given: given.copied().collect() }
    });
    let anchors: Vec<Anchors<'_>> = anchors.collect();
    for anchors in &anchors {
        let reference = anchors.reference();
        for &player in anchors.members {
            let (groups, opponents) = fitted.exposure(player);
            let contrast = fitted.relative(player, &reference);
            let estimate = fitted.estimate(&contrast, groups, opponents);
            ratings[player] = shifted(estimate.into(), anchors.level());
        }
    }
    for player in (0..samples.players()).filter(|&player| fitted.design.place(player).is_none()) {
        let bounds = anchors.iter().map(|anchors| {
            let (members, reference) = (anchors.members, anchors.reference());
            let bound = bound(samples, fitted, &fits.terms, members, &reference, player);
            shifted(bound, anchors.level())
        });
        let known = |bound: &Rating| *bound != Rating::Unknown;
        ratings[player] = bounds.into_iter().find(known).unwrap_or(Rating::Unknown);
    }
    (ratings, anchors[0].shift(fitted))
}

fn shifted(rating: Rating, by: f64) -> Rating {
    match rating {
        Rating::Estimate { elo, lo, hi, se } => {
            Rating::Estimate { elo: elo + by, lo: lo + by, hi: hi + by, se }
        }
        Rating::AtLeast(elo) => Rating::AtLeast(elo + by),
        Rating::AtMost(elo) => Rating::AtMost(elo + by),
        Rating::Reference | Rating::Unknown => rating,
    }
}
