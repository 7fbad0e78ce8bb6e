//! The rules of Kalah: the implementation of `Game`.

use rand::Rng;

use super::evaluators::Stores;
use super::state::{Kalah, KalahState, Last};
use super::text;
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, nth_bit};
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Player, Scoring, SearchHints, Shortcuts,
    Turn, below,
};
use crate::params::{ParamError, Params};

impl Game for Kalah {
    type State = KalahState;
    /// A pit of the player to move, from 0 in the order of sowing.
    type Move = u8;

    fn start(&self) -> KalahState {
        let side = (0..self.pits).fold(0, |all, pit| all | u64::from(self.seeds) << (8 * pit));
        KalahState { stones: [side; 2], side: Player::First }
    }

    #[inline]
    fn turn(&self, state: &KalahState) -> Turn {
        // If the pits of one side are empty, both are: the rest has gone to the stores.
        if self.is_empty(state.stones[0]) { Turn::Over } else { Turn::Player(state.side) }
    }

    /// Pits in the order of sowing.
    #[inline]
    fn moves(&self, state: &KalahState, out: &mut Vec<u8>) {
        out.extend(self.playable(state));
    }

    #[inline]
    fn play(&self, state: &mut KalahState, pit: u8) {
        let (player, store) = (state.side.index(), 8 * self.pits);
        let stones = [state.stones[player], state.stones[1 - player]];
        let ([mut own, mut other], last) = self.sow(stones, pit);
        match last {
            Last::Store => {}
            Last::Capture { pit, opposite } => {
                own -= 1 << (8 * pit);
                own += (1 + u64::from(opposite)) << store;
                other &= !(0xFF << (8 * (self.pits - 1 - pit)));
                state.side = state.side.other();
            }
            Last::Other => state.side = state.side.other(),
        }
        if self.is_empty(own) || self.is_empty(other) {
            for stones in [&mut own, &mut other] {
                let rest = self.count(*stones);
                *stones = *stones - self.in_pits(*stones) + (rest << store);
            }
            // A finished position does not depend on the last player.
            state.side = Player::First;
        }
        state.stones[player] = own;
        state.stones[1 - player] = other;
    }

    #[inline]
    fn payoff(&self, state: &KalahState) -> i32 {
        self.lead(state)
    }

    #[inline]
    fn key(&self, state: &KalahState) -> u64 {
        let [first, second] = state.stones;
        fold(mix(first ^ (state.side.index() as u64).wrapping_neg()), second)
    }

    fn reason(&self, _state: &KalahState) -> &'static str {
        "side empty"
    }

    fn write_move(&self, _state: &KalahState, pit: u8, out: &mut String) {
        out.push_str(itoa::Buffer::new().format(pit + 1));
    }

    fn write_position(&self, state: &KalahState) -> String {
        text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<KalahState, String> {
        text::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        scoring: Scoring,
        notation: Notation,
        drawing: Drawing,
    );
}

impl Kalah {
    /// The moves of the player to move, in the order of sowing.
    #[inline]
    pub(crate) fn playable(&self, state: &KalahState) -> impl Iterator<Item = u8> + use<> {
        self.filled(state.stones[state.side.index()]).cells().map(Kalah::pit_of)
    }

    /// The first player's store minus the second player's.
    #[inline]
    pub(crate) fn lead(&self, state: &KalahState) -> i32 {
        self.store(state, Player::First) - self.store(state, Player::Second)
    }

    /// The stones that a move captures, its own included, or -1 if the player moves again.
    #[inline]
    fn gain(&self, state: &KalahState, pit: u8) -> i32 {
        let player = state.side.index();
        match self.sow([state.stones[player], state.stones[1 - player]], pit).1 {
            Last::Store => -1,
            Last::Capture { opposite, .. } => 1 + i32::from(opposite),
            Last::Other => 0,
        }
    }
}

impl Scoring<Kalah> for &Kalah {
    const MATERIAL: Option<&'static str> = Some("stones");

    fn numeric_score(self) -> bool {
        true
    }

    fn payoff_range(self) -> Option<(i32, i32)> {
        Some((-self.total(), self.total()))
    }

    #[inline]
    fn material(self, state: &KalahState) -> i32 {
        self.lead(state)
    }
}

impl Shortcuts<Kalah> for &Kalah {
    #[inline]
    fn legality(self, state: &KalahState, pit: u8) -> Option<bool> {
        Some(pit < self.pits && state.at(state.side, pit) > 0)
    }

    #[inline(always)]
    fn random_move<R: Rng>(self, state: &KalahState, rng: &mut R, _buffer: &mut Vec<u8>) -> u8 {
        let filled = self.filled(state.stones[state.side.index()]);
        Kalah::pit_of(nth_bit(filled, below(rng, filled.count_ones())))
    }
}

impl SearchHints<Kalah> for &Kalah {
    /// A stone that passes the store stays there, so at most as many moves pass it as there are
    /// stones. Every other move brings a stone nearer to the store.
    fn max_plies(self) -> Option<u32> {
        let stones = self.total() as u32;
        Some(stones * (1 + (stones + 1) * u32::from(self.pits)))
    }

    /// Moves that let the player move again, the pit nearest to the store first; then captures, the
    /// largest first.
    #[inline]
    fn order_hint(self, state: &KalahState, pit: u8) -> i32 {
        match self.gain(state, pit) {
            -1 => 1000 + i32::from(pit),
            gain => gain,
        }
    }

    const HAS_NOISY: bool = true;

    /// Captures, and moves that let the player move again.
    #[inline]
    fn noisy(self, state: &KalahState, out: &mut Vec<u8>) {
        let pits = self.filled(state.stones[state.side.index()]).cells().map(Kalah::pit_of);
        out.extend(pits.filter(|&pit| self.gain(state, pit) != 0));
    }
}

crate::params! {
    /// What Kalah takes.
    #[derive(Debug, Clone)]
    pub struct KalahParams {
        /// pits of each side, without the store
        pits: u32 [1..=7] = 6,
        /// stones in each pit at the start
        seeds: u32 [1..=10] = 4,
    }
}

impl Configurable for Kalah {
    const KIND: &'static str = "kalah";
    const SUMMARY: &'static str = "Kalah: sow stones and collect them in your store";
    const OPENING_PLIES: u32 = 4;

    type Params = KalahParams;

    fn from_params(params: KalahParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Kalah { pits: params.pits as u8, seeds: params.seeds as u8 })
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "stones in the stores: the own minus the opponent's";
        vec![NamedEvaluator::plain::<Stores>("stores", summary), NamedEvaluator::linear()]
    }
}
