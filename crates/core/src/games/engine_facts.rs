//! What engines must know of a game, by the protocols of other programs.

/// What engines must know of a game, by protocol. A game without facts is played by agon's own
/// protocol only.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EngineFacts {
    /// The option with which UCI engines play the game, if they need one.
    pub uci_option: Option<UciOption>,
    /// The game in the Go Text Protocol.
    pub gtp: Option<GtpGame>,
    /// The game in the protocol of Gomocup.
    pub gomocup: Option<FiveInARow>,
}

/// A UCI option that an engine needs to play a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UciOption {
    pub name: &'static str,
    /// The value that the game needs.
    pub value: &'static str,
    /// What to do if an engine does not have the option.
    pub help: &'static str,
}

/// The UCI option that selects a game other than chess.
pub const UCI_VARIANT: &str = "UCI_Variant";

/// A game of the Go Text Protocol.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GtpGame {
    /// Rows and columns.
    pub size: u32,
    /// The komi; `None` if the game is Othello.
    pub komi: Option<f64>,
    /// Whether a player may remove own stones.
    pub suicide: bool,
}

/// Five in a row on a square board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FiveInARow {
    /// Rows and columns.
    pub size: usize,
    /// Whether rows of more than five do not win.
    pub exact: bool,
}

impl GtpGame {
    /// The first player's lead in points from the payoff of a finished game.
    pub fn lead(&self, payoff: i32) -> f64 {
        // The payoff of Go is in half points.
        if self.komi.is_some() { f64::from(payoff) / 2.0 } else { f64::from(payoff) }
    }

    /// Whether two leads are the same result. In Othello some engines count the empty cells for the
    /// winner.
    pub fn agrees(&self, own: f64, engine: f64) -> bool {
        let with_empty_cells = own * engine > 0.0 && engine.abs() > own.abs();
        own == engine || self.komi.is_none() && with_empty_cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Breakthrough, Chess, Configurable, Go, Mnk, Othello};
    use crate::params::{Value, Values};

    fn facts<G: Configurable>(params: &[(&str, Value)]) -> EngineFacts {
        let mut values = Values::default();
        params.iter().for_each(|(key, value)| values.set(key, value.clone()));
        G::build(&values).unwrap_or_else(|error| panic!("{error}")).engine_facts()
    }

    #[test]
    fn boards_of_gomocup_are_square_with_five_in_a_row() {
        let board = |[m, n, k]: [i64; 3], exact| {
            let size = [("m", m), ("n", n), ("k", k)].map(|(key, value)| (key, Value::Int(value)));
            facts::<Mnk<4>>(&[&size[..], &[("exact", Value::Bool(exact))]].concat()).gomocup
        };
        assert_eq!(board([15, 15, 5], false), Some(FiveInARow { size: 15, exact: false }));
        assert_eq!(board([9, 9, 5], true), Some(FiveInARow { size: 9, exact: true }));
        assert_eq!((board([9, 9, 4], false), board([9, 8, 5], false)), (None, None));
    }

    #[test]
    fn scores_of_gtp_are_compared_as_its_engines_count() {
        let params = [("size", Value::Int(19)), ("komi", Value::Float(6.5))];
        let go = facts::<Go>(&params).gtp.expect("Go");
        assert_eq!(go, GtpGame { size: 19, komi: Some(6.5), suicide: false });
        assert!(go.agrees(1.5, 1.5) && !go.agrees(1.5, 2.5));
        assert_eq!(go.lead(-3), -1.5);
        let othello = facts::<Othello>(&[]).gtp.expect("Othello");
        assert!(othello.agrees(20.0, 24.0) && !othello.agrees(20.0, 18.0));
        assert!(!othello.agrees(2.0, -4.0) && !othello.agrees(0.0, 4.0));
    }

    #[test]
    fn uci_needs_an_option_for_variants_only() {
        let variant = facts::<Breakthrough>(&[]).uci_option.map(|option| option.name);
        assert_eq!(variant, Some(UCI_VARIANT));
        assert_eq!(facts::<Breakthrough>(&[("rows", Value::Int(6))]), EngineFacts::default());
        assert_eq!(facts::<Chess>(&[]), EngineFacts::default());
    }
}
