//! Measures the luck in recorded games: how much the outcomes of chance changed a player's expected
//! score, by a value function. The moves that an agent draws by itself are outcomes, too, if the agent
//! knows their probabilities.
//!
//! Each outcome counts with its value minus the mean value of all outcomes that were possible. This
//! difference has mean 0 for every value function, so a score minus the luck has the same mean as
//! the score. M. White and M. Bowling, "Learning a Value Analysis Tool for Agent Evaluation", IJCAI
//! 2009; N. Burch, M. Schmid, M. Moravčík, D. Morrill and M. Bowling, "AIVAT", AAAI 2018.

use std::fmt;
use std::sync::Arc;

use crate::games::{Game, GameExt, Player, Scoring, Turn, Weights};
use crate::params::{ParamError, Spec, Value};
use crate::play::any_game::{AnyGame, AnyMove, AnyState};
use crate::play::game_in_progress::{GameInProgress, words};
use crate::play::random_choices::RandomChoices;
use crate::solve::Unsolved;
use crate::stats::LogisticMap;

/// The value function that measures luck.
#[derive(Debug, Clone, PartialEq)]
pub enum LuckSettings {
    /// The exact values of optimal play.
    Exact,
    /// An evaluator, mapped to expected scores by `1 / (1 + exp(-(value + offset) / scale))`.
    Evaluator {
        /// The name of the evaluator.
        name: String,
        /// Its weights; missing weights have their defaults.
        weights: Weights,
        /// The evaluator's unit: this lead is worth odds of `e` to 1. Positive.
        scale: f64,
        /// Added to the evaluator's value.
        offset: f64,
        /// Plies that are searched before the evaluator is asked; chance is averaged.
        depth: u32,
    },
    /// An evaluator with the map that fits the games. It is known after the last game only.
    Fitted {
        /// The name of the evaluator.
        name: String,
        /// Its weights; missing weights have their defaults.
        weights: Weights,
        /// Plies that are searched before the evaluator is asked; chance is averaged.
        depth: u32,
    },
}

impl fmt::Display for LuckSettings {
    /// Exact values, or the evaluator with its map to expected scores.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LuckSettings::Exact => f.write_str("`exact`"),
            LuckSettings::Evaluator { name, weights, scale, offset, depth } => {
                write!(f, "`{name}` with scale {scale}, offset {offset}, depth {depth}")?;
                write_weights(f, weights)
            }
            LuckSettings::Fitted { name, weights, depth } => {
                write!(f, "`{name}` with a fitted scale, depth {depth}")?;
                write_weights(f, weights)
            }
        }
    }
}

fn write_weights(f: &mut fmt::Formatter<'_>, weights: &Weights) -> fmt::Result {
    match weights.is_empty() {
        true => Ok(()),
        false => write!(f, " and weights {}", Value::Weights(weights.clone())),
    }
}

impl LuckSettings {
    /// Whether the value function depends on the games, so that luck is measured after the last one.
    pub fn is_fitted(&self) -> bool {
        matches!(self, LuckSettings::Fitted { .. })
    }

    /// The settings of a fitted evaluator with its map; other settings stay as they are.
    pub fn with_map(&self, LogisticMap { scale, offset }: LogisticMap) -> Self {
        match self.clone() {
            LuckSettings::Fitted { name, weights, depth } => {
                LuckSettings::Evaluator { name, weights, scale, offset, depth }
            }
            settings => settings,
        }
    }
}

/// The first player's expected score in a position, about from 0 to 1.
type ValueFunction = dyn FnMut(&AnyState) -> f64 + Send;

/// Measures the luck in games.
pub struct LuckMeter {
    game: Arc<AnyGame>,
    value: Box<ValueFunction>,
}

/// An outcome of chance in a recorded game, or a move that an agent drew.
#[derive(Debug, Clone, PartialEq)]
pub struct Roll {
    /// The number of moves of the players before it, with those of the opening.
    pub ply: u32,
    /// The outcome in the game's notation.
    pub text: String,
    /// What it added to the first player's expected score.
    pub luck: f64,
}

impl AnyGame {
    /// Checks that the luck in games of these agents can be measured by this value function.
    ///
    /// # Errors
    /// See [`luck_meter`](Self::luck_meter); also a game without chance whose agents report no
    /// probabilities of their own random choices.
    pub fn check_luck(&self, settings: &LuckSettings, agents: &[Spec]) -> Result<(), ParamError> {
        if !self.has_chance() && !agents.iter().any(|spec| self.reports_choices(spec)) {
            let kind = self.kind();
            let message = format!(
                "`{kind}` is a game without chance, and no agent reports the probabilities of its \
                 own random choices. So there is no luck to remove"
            );
            let help = "leave out `[luck]` and `--luck`; agents that report them are `random`, \
                        `noisy`, and others with `ties = \"random\"`, without a time limit";
            return Err(ParamError::new(message, help));
        }
        self.luck_meter(settings).map(drop)
    }

    /// A meter of luck for this game. A fitted value function is ½ everywhere until its map is known
    /// (see [`LuckSettings::with_map`]).
    ///
    /// # Errors
    /// A game without exact values or without this evaluator, with help. The key is that of
    /// `[luck]`.
    pub fn luck_meter(&self, settings: &LuckSettings) -> Result<LuckMeter, ParamError> {
        let (name, weights, depth, map) = match settings {
            LuckSettings::Exact => return self.exact_meter(),
            &LuckSettings::Evaluator { ref name, ref weights, scale, offset, depth } => {
                (name, weights, depth, LogisticMap { scale, offset })
            }
            LuckSettings::Fitted { name, weights, depth } => {
                (name, weights, *depth, LogisticMap { scale: f64::INFINITY, offset: 0.0 })
            }
        };
        let value = Arc::clone(&self.0).evaluator(name, weights).map_err(|error| {
            let key = error.key.map(|key| if key == "evaluator" { "value".into() } else { key });
            ParamError { key, ..error }
        })?;
        let game = self.clone();
        let expected = move |state: &AnyState| map.expected(f64::from(value(state)));
        Ok(LuckMeter::new(self, move |state| after_chance(&game, state, depth, &expected)))
    }

    fn exact_meter(&self) -> Result<LuckMeter, ParamError> {
        let kind = self.kind();
        let known = self.evaluators();
        let known = known.first().map_or("zero", |info| info.name);
        let other = format!("name an evaluator with its scale, such as `{known}` and `scale = …`");
        if self.numeric_score() {
            let message = format!("exact values of `{kind}` are scores and not chances to win");
            return Err(ParamError::at("value", message, other));
        }
        let solver = self.solver_of_games();
        let mut solver = solver.map_err(|Unsolved { why, help }| {
            let help = if help.is_empty() { other } else { format!("{help}; or {other}") };
            ParamError::at("value", format!("there are no exact values: {why}"), help)
        })?;
        let game = self.clone();
        Ok(LuckMeter::new(self, move |state| 0.5 + 0.5 * solver.value(&game, state).mean))
    }
}

/// The value after an outcome of chance. If chance decides again, the value function is asked at once:
/// the two arrangements of EinStein have 518 400 outcomes together.
fn after_chance(
    game: &AnyGame,
    state: &AnyState,
    depth: u32,
    value: &dyn Fn(&AnyState) -> f64,
) -> f64 {
    match game.turn(state) {
        Turn::Chance => value(state),
        _ => search(game, state, depth, value),
    }
}

/// Expectimax: the best moves of the players for `depth` plies, then the value function.
fn search(game: &AnyGame, state: &AnyState, depth: u32, value: &dyn Fn(&AnyState) -> f64) -> f64 {
    let player = match game.turn(state) {
        Turn::Over => return points(game, state),
        _ if depth == 0 => return value(state),
        Turn::Chance => {
            let after = |next: &AnyState| after_chance(game, next, depth, value);
            return mean(game, state, &outcomes(game, state), after, &mut |_, _| {});
        }
        Turn::Player(player) => player,
    };
    let moves = game.legal_moves(state);
    let mut best: Option<f64> = None;
    for mv in moves {
        let after = search(game, &game.after(state, mv), depth - 1, value);
        best = Some(best.map_or(after, |best| match player {
            Player::First => best.max(after),
            Player::Second => best.min(after),
        }));
    }
    best.unwrap_or_else(|| value(state))
}

/// The outcomes of chance with their weights.
fn outcomes(game: &AnyGame, state: &AnyState) -> Vec<(AnyMove, f64)> {
    let mut outcomes = Vec::new();
    game.outcomes(state, &mut outcomes);
    outcomes.into_iter().map(|(outcome, weight)| (outcome, f64::from(weight))).collect()
}

/// The mean value after these moves, by their weights; each one is also passed to `observe`.
fn mean(
    game: &AnyGame,
    state: &AnyState,
    moves: &[(AnyMove, f64)],
    mut value: impl FnMut(&AnyState) -> f64,
    observe: &mut dyn FnMut(AnyMove, f64),
) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for &(mv, weight) in moves {
        let after = value(&game.after(state, mv));
        observe(mv, after);
        sum += weight * after;
        total += weight;
    }
    sum / total
}

/// The moves that an agent could draw, with their probabilities.
fn drawn(game: &AnyGame, state: &AnyState, probabilities: &[f64]) -> Vec<(AnyMove, f64)> {
    let moves = game.legal_moves(state);
    let all = moves.into_iter().zip(probabilities.iter().copied());
    all.filter(|(_, probability)| *probability > 0.0).collect()
}

/// The first player's score in a finished game.
fn points(game: &AnyGame, state: &AnyState) -> f64 {
    game.scoring().winner(state).map_or(0.5, |winner| 0.5 + 0.5 * f64::from(winner.sign()))
}

impl LuckMeter {
    /// A meter with any value function: the first player's expected score in a position that is
    /// not finished. It must always give the same value for the same position.
    pub fn new(game: &AnyGame, value: impl FnMut(&AnyState) -> f64 + Send + 'static) -> Self {
        LuckMeter { game: Arc::new(game.clone()), value: Box::new(value) }
    }

    /// The first player's luck after the opening: the sum over all outcomes of chance, and over the
    /// choices that agents drew with known probabilities. Each one is also passed to `observe`. Both
    /// texts are in the format of `games.csv`.
    ///
    /// # Errors
    /// Texts that are not a legal game, in a sentence for people.
    pub fn luck(
        &mut self,
        opening: &str,
        moves: &str,
        choices: &RandomChoices,
        observe: &mut dyn FnMut(&Roll),
    ) -> Result<f64, String> {
        let game = Arc::clone(&self.game);
        let mut played = GameInProgress::after_opening(&game, opening)?;
        let (mut all, mut choices_left) = (0.0, choices.moves.iter());
        for word in words(moves) {
            let mv = played.read(word)?;
            let possible = match game.turn(&played.state) {
                Turn::Chance => outcomes(&game, &played.state),
                Turn::Player(player) if choices.sides[player.index()] => {
                    let probabilities = choices_left.next().map_or(&[][..], Vec::as_slice);
                    drawn(&game, &played.state, probabilities)
                }
                _ => Vec::new(),
            };
            // A single possible move is no luck.
            if possible.len() < 2 {
                played.play(mv);
                continue;
            }
            let mut own = None;
            let mut keep = |other, value| own = own.or((other == mv).then_some(value));
            let mean = mean(&game, &played.state, &possible, |next| self.value(next), &mut keep);
            let ply = played.plies;
            played.play(mv);
            let luck = own.unwrap_or_else(|| self.value(&played.state)) - mean;
            all += luck;
            observe(&Roll { ply, text: word.to_owned(), luck });
        }
        Ok(all)
    }

    /// The same in billionths of a point, as in `games.csv`.
    ///
    /// # Errors
    /// See [`luck`](Self::luck).
    pub fn billionths(
        &mut self,
        opening: &str,
        moves: &str,
        choices: &RandomChoices,
    ) -> Result<i64, String> {
        Ok((self.luck(opening, moves, choices, &mut |_| {})? * 1e9).round() as i64)
    }

    fn value(&mut self, state: &AnyState) -> f64 {
        match self.game.turn(state) {
            Turn::Over => points(&self.game, state),
            Turn::Player(_) | Turn::Chance => (self.value)(state),
        }
    }
}
