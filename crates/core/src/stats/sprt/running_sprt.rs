//! A running sequential test. It takes samples in schedule order, and its verdict is final.

use super::super::betting_e_value::{ln_e_below, ln_e_value};
use super::super::evidence::{Evidence, GameScore};
use super::super::luck_adjusted::LuckAdjusted;
use super::overshoot::Overshoot;
use super::sprt_design::{Design, Unit};

/// The verdict of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// H0 was accepted: there is no gain of the requested size.
    AcceptH0,
    AcceptH1,
    /// The limit of games was reached before a hypothesis was accepted.
    Undecided,
}

impl SprtVerdict {
    /// The accepted hypothesis: `H1`, `H0` or `undecided`.
    pub fn word(self) -> &'static str {
        match self {
            SprtVerdict::AcceptH1 => "H1",
            SprtVerdict::AcceptH0 => "H0",
            SprtVerdict::Undecided => "undecided",
        }
    }

    /// The verdict as part of a sentence: `H1 accepted`, `H0 accepted` or `undecided`.
    pub fn words(self) -> &'static str {
        match self {
            SprtVerdict::AcceptH1 => "H1 accepted",
            SprtVerdict::AcceptH0 => "H0 accepted",
            SprtVerdict::Undecided => "undecided",
        }
    }
}

/// A running sequential test.
///
/// One sample leads to the verdict, and the verdict does not change later. Games that were still
/// running then are counted separately in [`Sprt::overrun`]. So the result depends only on the
/// order of the schedule, not on the number of concurrent games.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    design: Design,
    evidence: Evidence,
    overrun: Evidence,
    adjusted: LuckAdjusted,
    llr: f64,
    overshoot: Overshoot,
    verdict: Option<SprtVerdict>,
}

impl Sprt {
    /// A test before its first game.
    pub fn new(design: Design) -> Self {
        Self {
            design,
            evidence: Evidence::default(),
            overrun: Evidence::default(),
            adjusted: LuckAdjusted::default(),
            llr: 0.0,
            overshoot: Overshoot::default(),
            verdict: None,
        }
    }

    /// Adds the next pair of the schedule: A's results moving first and moving second. If the unit
    /// is games, they count one after the other.
    pub fn push_pair(
        &mut self,
        moving_first: GameScore,
        moving_second: GameScore,
    ) -> Option<SprtVerdict> {
        self.push([moving_first, moving_second], None)
    }

    /// The same with A's luck in points, the mean of both games. A test of adjusted scores needs it.
    pub fn push_pair_with_luck(
        &mut self,
        moving_first: GameScore,
        moving_second: GameScore,
        luck: f64,
    ) -> Option<SprtVerdict> {
        self.push([moving_first, moving_second], Some(luck))
    }

    fn push(
        &mut self,
        [moving_first, moving_second]: [GameScore; 2],
        luck: Option<f64>,
    ) -> Option<SprtVerdict> {
        match self.design.settings().unit {
            Unit::Pairs => {
                if self.verdict.is_some() {
                    self.overrun.pairs.add(moving_first, moving_second);
                } else {
                    self.evidence.pairs.add(moving_first, moving_second);
                    if let Some(luck) = luck {
                        let score = f64::from(moving_first as u8 + moving_second as u8) / 4.0;
                        self.adjusted.add(score, luck);
                    }
                    self.update_verdict();
                }
                self.verdict
            }
            Unit::Games => {
                self.push_game(moving_first, true);
                self.push_game(moving_second, false)
            }
        }
    }

    /// Adds the next single game of the schedule: A's result and whether A moved first. If the
    /// unit is pairs, the game is counted but does not affect the verdict.
    pub fn push_game(&mut self, result: GameScore, a_moved_first: bool) -> Option<SprtVerdict> {
        let into = if self.verdict.is_some() { &mut self.overrun } else { &mut self.evidence };
        let lone = if a_moved_first { &mut into.lone_first } else { &mut into.lone_second };
        let cell = &mut lone.0[result as usize];
        *cell = cell.saturating_add(1);
        if self.verdict.is_none() && self.design.settings().unit == Unit::Games {
            self.update_verdict();
        }
        self.verdict
    }

    fn update_verdict(&mut self) {
        self.llr = match self.design.settings().adjusted {
            true => self.evidence_of_adjusted_scores(),
            false => self.design.llr(&self.evidence),
        };
        if self.design.settings().overshoot {
            self.overshoot.observe(self.llr);
        }
        self.verdict = if self.llr >= self.upper() {
            Some(SprtVerdict::AcceptH1)
        } else if self.llr <= self.lower() {
            Some(SprtVerdict::AcceptH0)
        } else {
            // One more sample must be within the limit of games.
            let next = self.samples().saturating_add(1);
            let games = next.saturating_mul(self.design.settings().unit.games());
            let full = self.design.settings().max_games.is_some_and(|most| games > most);
            full.then_some(SprtVerdict::Undecided)
        };
    }

    /// The logarithm of the asymptotic e-value against the hypothesis that is nearer to its rejection;
    /// negative if this is H1. 0 if there is no evidence.
    fn evidence_of_adjusted_scores(&self) -> f64 {
        let [against_h0, against_h1] =
            self.ln_asymptotic_e_values().map(|ln_e| ln_e.unwrap_or(0.0).max(0.0));
        match against_h0 * -self.lower() >= against_h1 * self.upper() {
            true => against_h0,
            false => -against_h1,
        }
    }

    /// The logarithms of the asymptotic e-values of the scores without luck: against "at most `elo0`"
    /// and against "at least `elo1`". `None`: no evidence.
    pub fn ln_asymptotic_e_values(&self) -> [Option<f64>; 2] {
        let [s0, s1] = self.design.scores();
        [self.adjusted.ln_asymptotic_e_above(s0), self.adjusted.ln_asymptotic_e_below(s1)]
    }

    /// The logarithms of the strict e-values of the raw scores against the same hypotheses. They hold
    /// at any time, for any number of pairs.
    pub fn ln_strict_e_values(&self) -> [f64; 2] {
        let ([s0, s1], pairs) = (self.design.scores(), self.evidence.pairs.strength());
        [ln_e_value(&pairs, s0), ln_e_below(&pairs, s1)]
    }

    fn samples(&self) -> u64 {
        match self.design.settings().unit {
            Unit::Pairs => self.evidence.pairs.n(),
            Unit::Games => self.evidence.games().n(),
        }
    }

    /// The verdict. `None` while the test is running.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.verdict
    }

    /// The log-likelihood ratio in nats, at the verdict if there is one. For adjusted scores: the
    /// logarithm of the asymptotic e-value against H0, or, if it is negative, against H1.
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The ratio at or below which H0 is accepted, corrected for overshoot.
    pub fn lower(&self) -> f64 {
        (self.design.lower() + self.overshoot.below()).min(0.0)
    }

    /// The ratio at or above which H1 is accepted, corrected for overshoot.
    pub fn upper(&self) -> f64 {
        (self.design.upper() - self.overshoot.above()).max(0.0)
    }

    /// The games up to the verdict, or all so far.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// The games added after the verdict.
    pub fn overrun(&self) -> &Evidence {
        &self.overrun
    }

    /// The design of the test.
    pub fn design(&self) -> &Design {
        &self.design
    }
}
