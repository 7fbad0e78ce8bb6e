//! A running sequential test. It takes samples in schedule order, and its verdict is final.

use super::super::pairs::{Evidence, GameScore};
use super::design::{Design, Unit};
use super::overshoot::Overshoot;

/// The verdict of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// H0 was accepted: there is no gain of the requested size.
    AcceptH0,
    /// H1 was accepted.
    AcceptH1,
    /// The limit of games was reached before a hypothesis was accepted.
    Undecided,
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
        match self.design.settings().unit {
            Unit::Pairs => {
                if self.verdict.is_some() {
                    self.overrun.pairs.add(moving_first, moving_second);
                } else {
                    self.evidence.pairs.add(moving_first, moving_second);
                    self.look();
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
            self.look();
        }
        self.verdict
    }

    fn look(&mut self) {
        self.llr = self.design.llr(&self.evidence);
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

    /// The log-likelihood ratio in nats, at the verdict if there is one.
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

#[cfg(test)]
mod tests {
    use super::super::SprtSettings;
    use super::*;
    use GameScore::{Draw, Loss, Win};

    fn test(change: impl Fn(&mut SprtSettings)) -> Sprt {
        let mut settings = SprtSettings::default();
        change(&mut settings);
        Sprt::new(settings.check().unwrap())
    }

    fn pairs_until_verdict(
        mut sprt: Sprt,
        first: GameScore,
        second: GameScore,
    ) -> (u64, SprtVerdict) {
        loop {
            if let Some(verdict) = sprt.push_pair(first, second) {
                return (sprt.evidence().pairs.n(), verdict);
            }
        }
    }

    #[test]
    fn pairs_without_variance_end_where_they_should() {
        use super::super::EloModel::{Logistic, Normalized};
        use SprtVerdict::{AcceptH0, AcceptH1};
        for (model, first, second, want) in [
            (Logistic, Draw, Draw, (204, AcceptH0)),
            (Logistic, Win, Draw, (207, AcceptH1)),
            (Logistic, Win, Win, (207, AcceptH1)),
            (Normalized, Draw, Draw, (7130, AcceptH0)),
            (Normalized, Win, Draw, (208, AcceptH1)),
            (Normalized, Win, Win, (147, AcceptH1)),
        ] {
            let sprt = test(|s| s.model = model);
            assert_eq!(pairs_until_verdict(sprt, first, second), want, "{model:?}");
        }
    }

    #[test]
    fn the_verdict_is_frozen_and_the_rest_is_overrun() {
        let mut sprt = test(|s| s.elo1 = 100.0);
        while sprt.push_pair(Win, Draw).is_none() {}
        let (at, llr) = (*sprt.evidence(), sprt.llr());
        for _ in 0..500 {
            assert_eq!(sprt.push_pair(Loss, Loss), Some(SprtVerdict::AcceptH1));
        }
        sprt.push_game(Loss, true);
        assert_eq!((*sprt.evidence(), sprt.llr()), (at, llr));
        assert_eq!(sprt.overrun().pairs.n(), 500);
        assert_eq!(sprt.overrun().games().n(), 1001);
    }

    #[test]
    fn the_cap_ends_an_endless_test() {
        let sprt = test(|s| (s.elo0, s.elo1, s.max_games) = (-3.0, 3.0, Some(1001)));
        assert_eq!(pairs_until_verdict(sprt, Draw, Draw), (500, SprtVerdict::Undecided));
    }

    #[test]
    fn single_games_are_looked_at_one_by_one() {
        let mut sprt = test(|s| (s.unit, s.max_games) = (Unit::Games, Some(3)));
        assert_eq!(sprt.push_pair(Win, Loss), None);
        assert_eq!(sprt.push_game(Draw, true), Some(SprtVerdict::Undecided));
        assert_eq!(sprt.push_pair(Win, Win), Some(SprtVerdict::Undecided));
        assert_eq!(sprt.evidence().games().n(), 3);
        assert_eq!(sprt.overrun().games().n(), 2);
    }

    #[test]
    fn lone_games_are_no_evidence_about_pairs() {
        let mut sprt = test(|_| ());
        for _ in 0..10_000 {
            assert_eq!(sprt.push_game(Win, true), None);
        }
        assert_eq!(sprt.llr(), 0.0);
        assert_eq!(sprt.evidence().lone_first.n(), 10_000);
    }

    #[test]
    fn overshoot_brings_the_bounds_nearer() {
        let mut plain = test(|s| s.elo1 = 200.0);
        let mut corrected = test(|s| (s.elo1, s.overshoot) = (200.0, true));
        for _ in 0..3 {
            plain.push_pair(Win, Win);
            corrected.push_pair(Win, Win);
        }
        assert!(corrected.upper() < plain.upper());
        assert_eq!(corrected.lower(), plain.lower());
    }
}
