//! Tests of chance in the generic tools, with a game made for this purpose, and of the conformance
//! suite with faulty games.

use std::panic::catch_unwind;
use std::sync::Arc;

use agon::games::{
    AnyEvaluator, Configurable, Drawing, Evaluator, EvaluatorInfo, Game, Notation, Player,
    PlayoutBuffer, SearchHints, Shortcuts, Symmetry, Turn, Weights, Zero, conformance, perft,
    playout,
};
use agon::params::ParamError;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

const GOAL: u8 = 4;

/// Two runners alternate. Each turn is a step (one square) or a jump (two squares with probability
/// 2/3, else none). The first to reach the goal wins; after ten turns each, the game is drawn.
#[derive(Clone, Copy)]
struct Race(Option<Flaw>);

/// A violated requirement.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Flaw {
    MoveTwice,
    LegalIsNot,
    QuietIsNot,
    UnstableOrder,
    KeyForgetsMover,
    WeightZero,
    OutcomeTwice,
    HiddenChance,
    SymmetryOfNothing,
    UnfairRandomMove,
    TooShortBound,
    TextLosesMover,
    AnyTextIsAMove,
    ReadingPanics,
    EvaluatorOutOfRange,
    EvaluatorCountsMore,
    NoReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    at: [u8; 2],
    turns: u8,
    jumping: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Move {
    Step,
    Jump,
    Land,
    Fall,
}

impl Race {
    fn has(&self, flaw: Flaw) -> bool {
        self.0 == Some(flaw)
    }
}

impl Game for Race {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { at: [0, 0], turns: 0, jumping: false }
    }

    fn turn(&self, state: &State) -> Turn {
        match state {
            _ if state.at.iter().any(|&at| at >= GOAL) || state.turns == 20 => Turn::Over,
            _ if state.jumping => Turn::Chance,
            _ if state.turns.is_multiple_of(2) => Turn::Player(Player::First),
            _ => Turn::Player(Player::Second),
        }
    }

    fn moves(&self, _state: &State, out: &mut Vec<Move>) {
        out.extend([Move::Step, Move::Jump]);
        if self.has(Flaw::MoveTwice) {
            out.push(Move::Step);
        }
        if self.has(Flaw::UnstableOrder) && out.len() > 2 {
            out.reverse();
        }
    }

    fn outcomes(&self, _state: &State, out: &mut Vec<(Move, u32)>) {
        out.extend([(Move::Land, 2), (Move::Fall, 1)]);
        if self.has(Flaw::WeightZero) {
            out[1].1 = 0;
        }
        if self.has(Flaw::OutcomeTwice) {
            out.push((Move::Land, 1));
        }
    }

    fn play(&self, state: &mut State, mv: Move) {
        let runner = &mut state.at[usize::from(state.turns % 2)];
        *runner += match mv {
            Move::Step => 1,
            Move::Land => 2,
            Move::Jump | Move::Fall => 0,
        };
        state.jumping = mv == Move::Jump;
        state.turns += u8::from(!state.jumping);
    }

    fn payoff(&self, state: &State) -> i32 {
        i32::from(state.at[0] >= GOAL) - i32::from(state.at[1] >= GOAL)
    }

    fn key(&self, state: &State) -> u64 {
        let turns = if self.has(Flaw::KeyForgetsMover) { 0 } else { u64::from(state.turns) };
        let [a, b] = state.at.map(u64::from);
        (a | b << 8 | turns << 16 | u64::from(state.jumping) << 24)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn reason(&self, state: &State) -> &'static str {
        match state.turns {
            _ if self.has(Flaw::NoReason) => "",
            20 => "turns",
            _ => "goal",
        }
    }

    fn has_chance(&self) -> bool {
        !self.has(Flaw::HiddenChance)
    }

    fn write_move(&self, _state: &State, mv: Move, out: &mut String) {
        out.push_str(&format!("{mv:?}").to_lowercase());
    }

    fn write_position(&self, state: &State) -> String {
        let jumping = if state.jumping { " jumping" } else { "" };
        let turns = if self.has(Flaw::TextLosesMover) { 0 } else { state.turns };
        format!("{} {} {turns}{jumping}", state.at[0], state.at[1])
    }

    fn read_position(&self, text: &str) -> Result<State, String> {
        if self.has(Flaw::ReadingPanics) && &text[..1] == "-" {
            return Err("no place is negative".to_owned());
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |i: usize| words.get(i).and_then(|word| word.parse::<u8>().ok());
        let numbers = (number(0), number(1), number(2));
        let jumping = words.get(3) == Some(&"jumping");
        match numbers {
            (Some(a), Some(b), Some(turns)) if turns <= 20 && a < 9 && b < 9 => {
                Ok(State { at: [a, b], turns, jumping })
            }
            _ => Err("two places and the turns, such as `2 0 3`".to_owned()),
        }
    }

    fn drawing(&self) -> impl Drawing<Self> {
        self
    }

    #[inline]
    fn hints(&self) -> impl SearchHints<Self> {
        self
    }

    #[inline]
    fn shortcuts(&self) -> impl Shortcuts<Self> {
        self
    }

    #[inline]
    fn symmetry(&self) -> impl Symmetry<Self> {
        self
    }

    fn notation(&self) -> impl Notation<Self> {
        self
    }
}

impl Notation<Race> for &Race {
    fn read_move(self, state: &State, text: &str) -> Result<Move, String> {
        let mv = match text.trim().to_lowercase().as_str() {
            "step" => Move::Step,
            "jump" => Move::Jump,
            "land" => Move::Land,
            "fall" => Move::Fall,
            _ if self.has(Flaw::AnyTextIsAMove) => return Ok(Move::Fall),
            _ => return Err("step, jump, land or fall".to_owned()),
        };
        let chance = matches!(mv, Move::Land | Move::Fall);
        let legal = match self.turn(state) {
            Turn::Over => false,
            Turn::Chance => chance,
            Turn::Player(_) => !chance,
        };
        if legal { Ok(mv) } else { Err("not now".to_owned()) }
    }
}

impl Symmetry<Race> for &Race {
    fn symmetries(self) -> usize {
        if self.has(Flaw::SymmetryOfNothing) { 2 } else { 1 }
    }

    fn map_state(self, s: usize, state: &State) -> State {
        let [a, b] = state.at;
        if s == 0 { *state } else { State { at: [b, a], ..*state } }
    }
}

impl Shortcuts<Race> for &Race {
    fn legality(self, state: &State, mv: Move) -> Option<bool> {
        (self.has(Flaw::LegalIsNot) && state.turns > 1).then_some(mv == Move::Step)
    }

    fn random_move<R: rand::Rng>(self, _state: &State, rng: &mut R, _: &mut Vec<Move>) -> Move {
        let odds = if self.has(Flaw::UnfairRandomMove) { 3 } else { 2 };
        if rng.next_u32().is_multiple_of(odds) { Move::Step } else { Move::Jump }
    }
}

impl SearchHints<Race> for &Race {
    fn quiet(self, state: &State) -> Option<impl Fn(Move) -> bool> {
        let goes_on = state.at.iter().all(|&at| at + 1 < GOAL) && state.turns < 19;
        let is_quiet = goes_on || self.has(Flaw::QuietIsNot);
        Some(move |mv| mv == Move::Step && is_quiet)
    }

    fn max_plies(self) -> Option<u32> {
        Some(if self.has(Flaw::TooShortBound) { 3 } else { 20 })
    }
}

impl Drawing<Race> for &Race {
    fn text(self, state: &State) -> String {
        format!("{}\n", self.write_position(state))
    }
}

/// The first runner's lead.
#[derive(Clone)]
struct Lead {
    weight: i32,
    counts_pieces: bool,
}

impl Evaluator<Race> for Lead {
    fn evaluate(&self, _game: &Race, state: &State) -> i32 {
        self.weight.saturating_mul(i32::from(state.at[0]) - i32::from(state.at[1]))
    }

    fn counts_pieces(&self) -> bool {
        self.counts_pieces
    }
}

impl Configurable for Race {
    const KIND: &'static str = "race";
    const SUMMARY: &'static str = "a race of steps and jumps";

    type Params = ();

    fn from_params((): ()) -> Result<Self, ParamError> {
        Ok(Race(None))
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        let info = |name| EvaluatorInfo { name, summary: "for tests", features: Vec::new() };
        vec![info("zero"), info("lead")]
    }

    fn evaluator(&self, name: &str, weights: &Weights) -> Result<AnyEvaluator<Self>, ParamError> {
        match name {
            _ if !weights.is_empty() => Err(ParamError::at("weights", "no features", "none")),
            "zero" => Ok(Arc::new(Zero)),
            "lead" => Ok(Arc::new(Lead {
                weight: if self.has(Flaw::EvaluatorOutOfRange) { 2_000_000_000 } else { 1 },
                counts_pieces: self.has(Flaw::EvaluatorCountsMore),
            })),
            _ => Err(ParamError::at("evaluator", "no such evaluator", "zero or lead")),
        }
    }
}

#[test]
fn a_game_of_chance_conforms() {
    conformance::check(&Race(None), 200);
}

#[test]
fn every_broken_promise_is_noticed() {
    let flaws = [
        (Flaw::MoveTwice, "moves twice"),
        (Flaw::LegalIsNot, "`legality` of"),
        (Flaw::QuietIsNot, "is not quiet"),
        (Flaw::UnstableOrder, "does not append"),
        (Flaw::KeyForgetsMover, "different positions share the key"),
        (Flaw::WeightZero, "a weight of 0"),
        (Flaw::OutcomeTwice, "not merged"),
        (Flaw::HiddenChance, "`has_chance` denies it"),
        (Flaw::SymmetryOfNothing, "symmetry 1"),
        (Flaw::UnfairRandomMove, "not uniform"),
        (Flaw::TooShortBound, "`max_plies` is 3"),
        (Flaw::TextLosesMover, "reads as another position"),
        (Flaw::AnyTextIsAMove, "a move without a name"),
        (Flaw::ReadingPanics, "byte index"),
        (Flaw::EvaluatorOutOfRange, "out of range"),
        (Flaw::EvaluatorCountsMore, "counts more than pieces"),
        (Flaw::NoReason, "no reason"),
    ];
    for (flaw, message) in flaws {
        let failure = catch_unwind(|| conformance::check(&Race(Some(flaw)), 50)).unwrap_err();
        let text = failure.downcast_ref::<String>().map_or("", String::as_str);
        assert!(text.contains(message), "{flaw:?}: {text}");
    }
}

#[test]
fn perft_takes_no_depth_for_chance() {
    // A step, a successful jump or a failed jump: three sequences per turn until the goal is near.
    let race = Race(None);
    assert_eq!((1..=2).map(|d| perft(&race, &race.start(), d)).collect::<Vec<_>>(), [2, 6]);
}

/// The first player's probabilities of a win and a draw when both play randomly.
fn odds(game: &Race, state: &State) -> [f64; 2] {
    let after = |mv| {
        let mut next = *state;
        game.play(&mut next, mv);
        odds(game, &next)
    };
    let mix = |a: [f64; 2], b: [f64; 2], p: f64| [0, 1].map(|i| p * a[i] + (1.0 - p) * b[i]);
    match game.turn(state) {
        Turn::Over => [f64::from(game.payoff(state) == 1), f64::from(game.payoff(state) == 0)],
        Turn::Player(_) => mix(after(Move::Step), after(Move::Jump), 0.5),
        Turn::Chance => mix(after(Move::Land), after(Move::Fall), 2.0 / 3.0),
    }
}

#[test]
fn playouts_follow_the_weights_of_chance() {
    let race = Race(None);
    let [win, draw] = odds(&race, &race.start());
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut buffer = PlayoutBuffer::default();
    let games = 100_000;
    let mut wins = 0;
    for _ in 0..games {
        let (payoff, plies) = playout(&race, race.start(), &mut rng, &mut buffer);
        wins += u32::from(payoff == 1);
        assert!((3..=20).contains(&plies));
    }
    let share = f64::from(wins) / f64::from(games);
    // Four standard errors.
    assert!((share - win).abs() < 0.0064, "{share} instead of {win}");
    assert!(draw < 0.01, "{draw}");
}
