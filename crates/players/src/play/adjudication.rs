//! Adjudication ends games early: both agents agree on the result, one side has more material, or a
//! position repeats.
//!
//! An agent agrees through the values that it reports for its own moves. An agent without values
//! never agrees. Material and repetitions need no agreement of the agents, but the game must
//! support them.

use std::path::PathBuf;

use super::game_record::Outcome;
use crate::games::{Game, Player, Repetition, Scoring, material_unit, repeats};

/// The adjudication rules; by default there are none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Adjudication {
    /// A draw by agreement.
    pub draw: Option<DrawRule>,
    /// A win by agreement.
    pub resign: Option<ResignRule>,
    /// A win by material, in games that count material ([`Scoring::MATERIAL`]).
    pub material: Option<MaterialRule>,
    /// A draw when a position occurs for this number of times, the opening's moves included. Only
    /// in games in which positions can repeat ([`Repetition::REPEATS`]).
    pub repetitions: Option<u32>,
}

/// Both agents value the position near 0 for several moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DrawRule {
    /// The largest absolute value that counts as equal, in the evaluator's unit.
    pub value: f64,
    /// Consecutive moves of each side with such a value.
    pub moves: u32,
    /// Moves of each side before a draw is possible, the opening's moves included.
    pub after: u32,
}

/// Both agents see the same side ahead for several moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResignRule {
    /// The smallest value that counts as a win for the side ahead, in the evaluator's unit.
    pub value: f64,
    /// Consecutive moves of each side with such a value.
    pub moves: u32,
}

/// One side has more material for several moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MaterialRule {
    /// The smallest difference that counts as a win, in the game's unit of material.
    pub lead: i32,
    /// Consecutive moves of each side with such a difference; the opening's moves do not count.
    pub moves: u32,
}

/// Syzygy tables decide chess games, at the first capture or pawn move of an agent after which they
/// have the position. No agent has to agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyzygyRule {
    /// The folders of the tables.
    pub folders: Vec<PathBuf>,
    /// The largest number of pieces; `None`: of all complete tables.
    pub pieces: Option<u32>,
}

/// The word in the `reason` column of a game that was adjudicated a draw.
pub const ADJUDICATED_DRAW: &str = "adjudicated draw";
/// The word in the `reason` column of a game that was adjudicated a win.
pub const ADJUDICATED_WIN: &str = "adjudicated win";

/// For how many moves the conditions of the rules have been true in one game.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Judge {
    rules: Adjudication,
    /// Whether there is any rule.
    is_active: bool,
    /// By seat: consecutive moves that the seat valued as equal.
    draw_runs: [u32; 2],
    /// By winner and seat: consecutive moves that the seat valued as a win for the winner.
    win_runs: [[u32; 2]; 2],
    /// By side: consecutive plies after which the side had enough more material.
    material_runs: [u32; 2],
}

impl Judge {
    /// A judge at the start of a game.
    pub fn new(rules: Adjudication) -> Self {
        Judge { rules, is_active: rules != Adjudication::default(), ..Judge::default() }
    }

    /// Records an agent's value of its move, from the first player's view.
    #[inline]
    pub fn record_value(&mut self, player: Player, value: Option<f64>) {
        let seat = player.index();
        if let Some(rule) = self.rules.draw {
            update_run(
                &mut self.draw_runs[seat],
                value.is_some_and(|value| value.abs() <= rule.value),
            );
        }
        if let Some(rule) = self.rules.resign {
            for winner in [Player::First, Player::Second] {
                let ahead = |value: f64| value * f64::from(winner.sign()) >= rule.value;
                update_run(&mut self.win_runs[winner.index()][seat], value.is_some_and(ahead));
            }
        }
    }

    /// Records the material in the position after an agent's move.
    #[inline]
    pub fn record_material<G: Game>(&mut self, game: &G, state: &G::State) {
        if material_unit::<G>().is_some()
            && let Some(rule) = self.rules.material
        {
            self.update_material_runs(rule, game.scoring().material(state));
        }
    }

    fn update_material_runs(&mut self, rule: MaterialRule, material: i32) {
        for side in [Player::First, Player::Second] {
            let lead = i64::from(material) * i64::from(side.sign());
            update_run(&mut self.material_runs[side.index()], lead >= i64::from(rule.lead));
        }
    }

    /// The adjudicated result in this position after `plies` plies, if there is one. `history`
    /// contains the keys of the earlier positions, oldest first. A win has priority over a draw.
    #[inline]
    pub fn verdict<G: Game>(
        &self,
        game: &G,
        state: &G::State,
        history: &[u64],
        plies: u32,
    ) -> Option<(Outcome, &'static str)> {
        if !self.is_active {
            return None;
        }
        let again = |most: u32| game.repetition().occurrences(state, history) >= most as usize;
        self.verdict_after(plies, repeats::<G>() && self.rules.repetitions.is_some_and(again))
    }

    /// The same; `repeated`: the position has occurred often enough for a draw.
    fn verdict_after(&self, plies: u32, repeated: bool) -> Option<(Outcome, &'static str)> {
        for winner in [Player::First, Player::Second] {
            if self.both_see_win(winner) || self.has_material_lead(winner) {
                return Some((Outcome::win_of(winner), ADJUDICATED_WIN));
            }
        }
        (repeated || self.both_see_draw(plies)).then_some((Outcome::Draw, ADJUDICATED_DRAW))
    }

    /// Whether both agents have agreed for long enough that this side wins.
    fn both_see_win(&self, winner: Player) -> bool {
        let runs = &self.win_runs[winner.index()];
        self.rules.resign.is_some_and(|rule| runs.iter().all(|&run| run >= rule.moves))
    }

    /// Whether this side has had enough more material for long enough.
    fn has_material_lead(&self, side: Player) -> bool {
        let enough = |rule: MaterialRule| rule.moves.saturating_mul(2);
        self.rules.material.is_some_and(|rule| self.material_runs[side.index()] >= enough(rule))
    }

    /// Whether both agents have agreed on a draw for long enough.
    fn both_see_draw(&self, plies: u32) -> bool {
        self.rules.draw.is_some_and(|rule| {
            let long = plies >= rule.after.saturating_mul(2);
            long && self.draw_runs.iter().all(|&run| run >= rule.moves)
        })
    }
}

/// Increments the run if the condition holds; otherwise resets it to 0.
#[inline]
fn update_run(run: &mut u32, holds: bool) {
    *run = if holds { *run + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Notation;
    use crate::games::{Chess, Configurable, TicTacToe, Turn};
    use crate::params::Values;

    /// The adjudication of a game in which the sides, in turn, report these values.
    fn game(rules: Adjudication, values: &[Option<f64>]) -> Option<(usize, Outcome)> {
        let mut judge = Judge::new(rules);
        let players = [Player::First, Player::Second].into_iter().cycle();
        for (ply, (&value, player)) in (1..).zip(values.iter().zip(players)) {
            judge.record_value(player, value);
            if let Some((outcome, _)) = judge.verdict(&TicTacToe, &TicTacToe.start(), &[], ply) {
                return Some((ply as usize, outcome));
            }
        }
        None
    }

    /// The adjudication of a game with these moves, and the number of moves before it.
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
            judge.record_material(game, &state);
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
        // The pawn cannot move back, so the first position that occurs twice is a later one.
        let later = "e4 Nf6 Nf3 Ng8 Ng1 Nf6";
        assert_eq!(moves(&chess, twice, later), Some((5, Outcome::Draw, ADJUDICATED_DRAW)));
        assert_eq!(moves(&chess, twice, "Nf3 Nf6 e3 e6 Ng1 Ng8"), None);
        assert_eq!(moves(&chess, Adjudication::default(), dance), None);
        let thrice = Adjudication { repetitions: Some(3), ..Adjudication::default() };
        let all = format!("{dance} {dance}");
        assert_eq!(moves(&chess, thrice, &all), Some((8, Outcome::Draw, ADJUDICATED_DRAW)));
    }

    /// A stone moves around three cells; the game has no winner.
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
        // White captures a rook and then has a queen against nothing.
        let queen = chess("r3k3/8/8/8/8/Q7/8/4K3 w - - 0 1");
        let text = "Qxa8+ Ke7 Qa7+ Ke6 Qa6+ Ke7";
        assert_eq!(moves(&queen, rule(950, 1), text), won(2, Outcome::First));
        assert_eq!(moves(&queen, rule(950, 2), text), won(4, Outcome::First));
        assert_eq!(moves(&queen, rule(951, 1), text), None);
        assert_eq!(moves(&queen, rule(450, 4), text), None);
        assert_eq!(moves(&queen, Adjudication::default(), text), None);
        // In an exchange of rooks, only one ply shows a lead.
        let rooks = chess("3rk3/p7/8/8/8/8/P7/3RK3 w - - 0 1");
        assert_eq!(moves(&rooks, rule(500, 1), "Rxd8+ Kxd8 Ke2 Ke7"), None);
        let black = chess("3qk3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(moves(&black, rule(900, 1), "Ke2 Ke7"), won(2, Outcome::Second));
        // A lead has priority over a repetition in the same position.
        let both = Adjudication { repetitions: Some(2), ..rule(900, 2) };
        let dance = "Ke2 Ke7 Ke1 Ke8";
        assert_eq!(moves(&black, both, dance), won(4, Outcome::Second));
        // The material rule does not affect a game that counts no material.
        assert_eq!(moves(&TicTacToe, both, "b2 a1 c3 c1"), None);
    }
}
