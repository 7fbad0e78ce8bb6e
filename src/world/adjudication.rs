//! Games ended early because of how they stand: by what both agents agree on, by material, or
//! by a position that comes back.
//!
//! An agent agrees by the values that it reports of its own moves; one that reports none never
//! does. Material and repetitions need nobody's consent, but a game that knows of them.

use super::record::Outcome;
use crate::games::{Game, Player, Repetition, Scoring, material_unit, repeats};

/// When games are ended early; by default never.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Adjudication {
    /// Agreement on a draw.
    pub draw: Option<DrawRule>,
    /// Agreement on who wins.
    pub resign: Option<ResignRule>,
    /// A win by material, in games that count it ([`Scoring::MATERIAL`]).
    pub material: Option<MaterialRule>,
    /// A draw once a position has occurred so often, the opening's moves included, in games
    /// in which positions come back ([`Repetition::REPEATS`]).
    pub repetitions: Option<u32>,
}

/// Both agents value the position near 0 for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawRule {
    /// The largest absolute value that counts as level, in the evaluator's unit.
    pub value: f64,
    /// Moves of each side in a row that must be valued so.
    pub moves: u32,
    /// Moves of each side before a game can be drawn, the opening's included.
    pub after: u32,
}

/// Both agents see the same side ahead for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResignRule {
    /// The least value that counts as won for the side that is ahead, in the evaluator's unit.
    pub value: f64,
    /// Moves of each side in a row that must be valued so.
    pub moves: u32,
}

/// One side has more material for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialRule {
    /// The least difference that counts as won, in the unit of the game's count.
    pub lead: i32,
    /// Moves of each side in a row after which the difference must be so large; the
    /// opening's do not count.
    pub moves: u32,
}

/// The word in the `reason` column of a game that was declared drawn.
pub const ADJUDICATED_DRAW: &str = "adjudicated draw";
/// The word in the `reason` column of a game that was declared won.
pub const ADJUDICATED_WIN: &str = "adjudicated win";

/// For how long what the rules ask for has been so, in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Judge {
    rules: Adjudication,
    /// Whether there is any rule at all.
    sits: bool,
    /// By seat: its moves in a row that it valued as level.
    level: [u32; 2],
    /// By winner and seat: moves in a row that the seat valued as won for the winner.
    won: [[u32; 2]; 2],
    /// By side: plies in a row after which it had so much more material.
    ahead: [u32; 2],
}

impl Judge {
    /// Has seen nothing as yet.
    pub fn new(rules: Adjudication) -> Self {
        Judge { rules, sits: rules != Adjudication::default(), ..Judge::default() }
    }

    /// An agent has moved and valued the position, in the first player's frame.
    #[inline]
    pub fn hear(&mut self, player: Player, value: Option<f64>) {
        let seat = player.index();
        if let Some(rule) = self.rules.draw {
            count(&mut self.level[seat], value.is_some_and(|value| value.abs() <= rule.value));
        }
        if let Some(rule) = self.rules.resign {
            for winner in [Player::First, Player::Second] {
                let ahead = |value: f64| value * f64::from(winner.sign()) >= rule.value;
                count(&mut self.won[winner.index()][seat], value.is_some_and(ahead));
            }
        }
    }

    /// This is the position behind an agent's move.
    #[inline]
    pub fn weigh<G: Game>(&mut self, game: &G, state: &G::State) {
        if material_unit::<G>().is_some()
            && let Some(rule) = self.rules.material
        {
            let material = i64::from(game.scoring().material(state));
            for side in [Player::First, Player::Second] {
                let lead = material * i64::from(side.sign());
                count(&mut self.ahead[side.index()], lead >= i64::from(rule.lead));
            }
        }
    }

    /// How the game ends in this position, if it does after so many plies; the keys of the
    /// positions before it are given, oldest first. A win comes before a draw.
    #[inline]
    pub fn verdict<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        history: &[u64],
        plies: u32,
    ) -> Option<(Outcome, &'static str)> {
        if !self.sits {
            return None;
        }
        for winner in [Player::First, Player::Second] {
            if self.agreed(winner) || self.outweighs(winner) {
                return Some((Outcome::win_of(winner), ADJUDICATED_WIN));
            }
        }
        let again = |most: u32| game.repetition().occurrences(state, history) >= most as usize;
        let repeated = repeats::<G>() && self.rules.repetitions.is_some_and(again);
        (repeated || self.levelled(plies)).then_some((Outcome::Draw, ADJUDICATED_DRAW))
    }

    /// Whether both agents have agreed for long enough that this side wins.
    fn agreed(&self, winner: Player) -> bool {
        let enough = |rule: ResignRule| self.won[winner.index()].map(|run| run >= rule.moves);
        self.rules.resign.is_some_and(|rule| enough(rule) == [true; 2])
    }

    /// Whether this side has had so much more material for long enough.
    fn outweighs(&self, side: Player) -> bool {
        let enough = |rule: MaterialRule| rule.moves.saturating_mul(2);
        self.rules.material.is_some_and(|rule| self.ahead[side.index()] >= enough(rule))
    }

    /// Whether both agents have agreed for long enough that nobody wins.
    fn levelled(&self, plies: u32) -> bool {
        self.rules.draw.is_some_and(|rule| {
            let long = plies >= rule.after.saturating_mul(2);
            long && self.level.iter().all(|&run| run >= rule.moves)
        })
    }
}

/// One more in a row, or none.
#[inline]
fn count(run: &mut u32, holds: bool) {
    *run = if holds { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Notation;
    use crate::games::{Chess, Configurable, TicTacToe, Turn};
    use crate::params::Values;

    /// What becomes of a game in which the sides value their moves like this, by turns.
    fn game(rules: Adjudication, values: &[Option<f64>]) -> Option<(usize, Outcome)> {
        let mut judge = Judge::new(rules);
        let players = [Player::First, Player::Second].into_iter().cycle();
        for (ply, (&value, player)) in (1..).zip(values.iter().zip(players)) {
            judge.hear(player, value);
            if let Some((outcome, _)) = judge.verdict(&TicTacToe, &TicTacToe.start(), &[], ply) {
                return Some((ply as usize, outcome));
            }
        }
        None
    }

    /// What becomes of a game with these moves, and after how many of them.
    fn moves<G: Game>(
        game: &G,
        rules: Adjudication,
        text: &str,
    ) -> Option<(usize, Outcome, &'static str)> {
        let (mut judge, mut state, mut history) = (Judge::new(rules), game.start(), Vec::new());
        for (ply, word) in (1..).zip(text.split(' ')) {
            let mv = game.notation().read_move(&state, word).expect("a legal move");
            history.push(game.key(&state));
            game.play(&mut state, mv);
            judge.weigh(game, &state);
            if let Some((outcome, reason)) = judge.verdict(game, &state, &history, ply) {
                return Some((ply as usize, outcome, reason));
            }
        }
        None
    }

    fn chess(fen: &str) -> Chess {
        let mut values = Values::default();
        values.set("fen", crate::params::Value::Text(fen.to_owned()));
        Chess::build(&values).expect("a position")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn both_must_agree_for_long_enough() {
        let draw = Some(DrawRule { value: 10.0, moves: 2, after: 3 });
        let drawing = Adjudication { draw, ..Adjudication::default() };
        let some = |values: &[f64]| values.iter().map(|&v| Some(v)).collect::<Vec<_>>();
        assert_eq!(game(drawing, &some(&[0.0; 8])), Some((6, Outcome::Draw)));
        assert_eq!(
            game(drawing, &some(&[0.0, 11.0, 0.0, 0.0, 0.0, -9.0])),
            Some((6, Outcome::Draw))
        );
        assert_eq!(game(drawing, &some(&[5.0, 50.0, 5.0, 50.0, 5.0, 50.0, 5.0, 50.0])), None);
        assert_eq!(game(drawing, &[None; 20]), None);

        let resign = Some(ResignRule { value: 500.0, moves: 2 });
        let resigning = Adjudication { resign, ..Adjudication::default() };
        assert_eq!(game(resigning, &some(&[600.0; 6])), Some((4, Outcome::First)));
        assert_eq!(game(resigning, &some(&[-500.0; 6])), Some((4, Outcome::Second)));
        assert_eq!(game(resigning, &some(&[600.0, -600.0, 600.0, -600.0, 600.0, -600.0])), None);
        assert_eq!(game(Adjudication::default(), &some(&[0.0; 50])), None);
    }

    #[test]
    fn a_position_that_comes_back_is_a_draw() {
        let twice = Adjudication { repetitions: Some(2), ..Adjudication::default() };
        let chess = chess(START);
        let dance = "Nf3 Nf6 Ng1 Ng8";
        assert_eq!(moves(&chess, twice, dance), Some((4, Outcome::Draw, ADJUDICATED_DRAW)));
        // The pawn cannot go back, so the first position that occurs twice is a later one.
        let later = "e4 Nf6 Nf3 Ng8 Ng1 Nf6";
        assert_eq!(moves(&chess, twice, later), Some((5, Outcome::Draw, ADJUDICATED_DRAW)));
        assert_eq!(moves(&chess, twice, "Nf3 Nf6 e3 e6 Ng1 Ng8"), None);
        assert_eq!(moves(&chess, Adjudication::default(), dance), None);
        let thrice = Adjudication { repetitions: Some(3), ..Adjudication::default() };
        let all = format!("{dance} {dance}");
        assert_eq!(moves(&chess, thrice, &all), Some((8, Outcome::Draw, ADJUDICATED_DRAW)));
    }

    /// A stone goes round three cells, and nobody ever wins.
    struct Round;

    impl Game for Round {
        type State = u8;
        type Move = u8;
        fn start(&self) -> u8 {
            0
        }
        fn turn(&self, _: &u8) -> Turn {
            Turn::Player(Player::First)
        }
        fn moves(&self, _: &u8, out: &mut Vec<u8>) {
            out.push(1);
        }
        fn play(&self, state: &mut u8, mv: u8) {
            *state = (*state + mv) % 3;
        }
        fn payoff(&self, _: &u8) -> i32 {
            0
        }
        fn key(&self, state: &u8) -> u64 {
            u64::from(*state)
        }
        fn write_move(&self, _: &u8, mv: u8, out: &mut String) {
            out.push_str(&mv.to_string());
        }
        fn write_position(&self, state: &u8) -> String {
            state.to_string()
        }
        fn read_position(&self, text: &str) -> Result<u8, String> {
            text.parse().map_err(|_| "no number".to_owned())
        }

        #[inline]
        fn repetition(&self) -> impl Repetition<Self> {
            self
        }
    }

    impl Repetition<Round> for &Round {
        const REPEATS: bool = true;

        fn reversible_plies(self, _: &u8) -> usize {
            usize::MAX
        }
    }

    #[test]
    fn any_game_can_let_positions_come_back() {
        for number in 2..=4 {
            let rules = Adjudication { repetitions: Some(number), ..Adjudication::default() };
            let plies = 3 * (number as usize - 1);
            let drawn = Some((plies, Outcome::Draw, ADJUDICATED_DRAW));
            assert_eq!(moves(&Round, rules, "1 1 1 1 1 1 1 1 1"), drawn);
        }
    }

    #[test]
    fn material_must_last() {
        let rule = |lead, moves| Adjudication {
            material: Some(MaterialRule { lead, moves }),
            ..Adjudication::default()
        };
        let won = |ply, outcome| Some((ply, outcome, ADJUDICATED_WIN));
        // White takes a rook, so it has a queen against nothing.
        let queen = chess("r3k3/8/8/8/8/Q7/8/4K3 w - - 0 1");
        let text = "Qxa8+ Ke7 Qa7+ Ke6 Qa6+ Ke7";
        assert_eq!(moves(&queen, rule(950, 1), text), won(2, Outcome::First));
        assert_eq!(moves(&queen, rule(950, 2), text), won(4, Outcome::First));
        assert_eq!(moves(&queen, rule(951, 1), text), None);
        assert_eq!(moves(&queen, rule(450, 4), text), None);
        assert_eq!(moves(&queen, Adjudication::default(), text), None);
        // Of an exchange of rooks only one ply shows a lead.
        let rooks = chess("3rk3/p7/8/8/8/8/P7/3RK3 w - - 0 1");
        assert_eq!(moves(&rooks, rule(500, 1), "Rxd8+ Kxd8 Ke2 Ke7"), None);
        let black = chess("3qk3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(moves(&black, rule(900, 1), "Ke2 Ke7"), won(2, Outcome::Second));
        // A lead comes before a repetition that is there at the same time.
        let both = Adjudication { repetitions: Some(2), ..rule(900, 2) };
        let dance = "Ke2 Ke7 Ke1 Ke8";
        assert_eq!(moves(&black, both, dance), won(4, Outcome::Second));
        // A game that counts nothing is not decided by it.
        assert_eq!(moves(&TicTacToe, both, "b2 a1 c3 c1"), None);
    }
}
