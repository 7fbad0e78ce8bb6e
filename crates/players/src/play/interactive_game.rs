//! Games with human players: moves arrive as text, one by one, and can be taken back.

#![deny(missing_docs)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::any_game::{AnyGame, AnyMove, DynAgent};
use super::game_in_progress::{GameInProgress, Opening, Snapshot};
use super::game_record::Outcome;
use super::random_streams::{StreamRole, Streams, stream};
use crate::agents::{Fault, FaultKind, GameSoFar, MoveRequest, SearchInfo};
use crate::engine::EngineContext;
use crate::games::picture_for_html::Picture;
use crate::games::{Game, Player, Turn};
use crate::params::{ParamError, Spec};
use crate::play::openings::read_openings::read_opening;

/// The players and the start of an interactive game.
#[derive(Debug, Clone, Default)]
pub struct InteractiveSetup {
    /// By seat: an agent; `None` for a person.
    pub agents: [Option<Spec>; 2],
    /// The seed of the dice and of the agents' random numbers.
    pub seed: u64,
    /// An opening as moves or as a position; `None`: the game's usual start.
    pub opening: Option<String>,
    /// The context for external engines.
    pub engine_context: Arc<EngineContext>,
}

/// Why an interactive game cannot start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InteractiveError {
    /// An agent cannot be built for this game.
    #[error(transparent)]
    Agent(#[from] ParamError),
    /// The text is not an opening.
    #[error("{0}")]
    Opening(String),
}

/// An agent's move.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentAnswer {
    /// The move in the notation for people.
    pub text: String,
    /// What the agent reports.
    pub search_info: SearchInfo,
    /// The time for the move.
    pub time: Duration,
}

/// A recommendation of an agent. One search finds the move and the values.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The move: one with the best value.
    pub answer: AgentAnswer,
    /// The value of every move, in the game's order and from the first player's view. Empty if the
    /// agent does not value moves.
    pub values: Vec<(String, f64)>,
}

/// The end of an interactive game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEnd {
    /// The result.
    pub outcome: Outcome,
    /// The rule that ended the game.
    pub reason: &'static str,
    /// The first player's payoff.
    pub payoff: i32,
}

/// Hints have their own random streams, with numbers above those of all games.
const HINT_STREAMS: u64 = 1 << 48;

/// The largest number of agents that are kept for more hints.
const MAX_ADVISERS: usize = 3;

/// A game in progress with human players.
pub struct InteractiveGame {
    played: GameInProgress<AnyGame>,
    agents: [Option<Box<dyn DynAgent>>; 2],
    advisers: Vec<(Spec, Box<dyn DynAgent>)>,
    engine_context: Arc<EngineContext>,
    seed: u64,
    opening: Opening,
    steps: Vec<Step>,
}

/// A move or a roll, with the state before it.
struct Step {
    before: Snapshot<AnyGame>,
    text: String,
    /// The move in the notation for people.
    shown: String,
    by_person: bool,
    /// The dice of the last roll.
    dice: Vec<u8>,
}

/// A legal move for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move in the notation for people.
    pub text: String,
    /// What to click in the picture, in each possible order: one cell, or origins and targets in
    /// turns. Empty if the move cannot be clicked.
    pub clicks: Vec<Vec<usize>>,
}

impl AnyGame {
    /// Starts a game with human players.
    ///
    /// # Errors
    /// An agent that does not support the game, or a text that is not an opening.
    pub fn interactive(
        &self,
        setup: &InteractiveSetup,
    ) -> Result<InteractiveGame, InteractiveError> {
        let sit = |spec: &Option<Spec>| spec.as_ref().map(|spec| self.agent(spec)).transpose();
        let agents = [sit(&setup.agents[0])?, sit(&setup.agents[1])?];
        let opening = match &setup.opening {
            Some(text) => read_opening(self, text).map_err(InteractiveError::Opening)?,
            None => Opening::start(self),
        };
        let mut streams = Streams::new(setup.seed);
        streams.rewind(1, 1);
        let mut played = GameInProgress::new(Arc::new(self.clone()), streams);
        played.play_opening(&opening);
        let mut game = InteractiveGame {
            played,
            agents,
            advisers: Vec::new(),
            engine_context: Arc::clone(&setup.engine_context),
            seed: setup.seed,
            opening,
            steps: Vec::new(),
        };
        for agent in game.agents.iter_mut().flatten() {
            check(&mut **agent, &game.engine_context, "opponent")?;
        }
        game.restart_agents();
        Ok(game)
    }
}

impl InteractiveGame {
    /// Who acts.
    pub fn turn(&self) -> Turn {
        self.played.turn()
    }

    /// Whether an agent plays this side.
    pub fn is_agent(&self, player: Player) -> bool {
        self.agents[player.index()].is_some()
    }

    /// Whether the payoff is a numeric score.
    pub fn has_numeric_score(&self) -> bool {
        self.played.game.numeric_score()
    }

    /// The position as text on one line.
    pub fn position(&self) -> String {
        self.played.game.write_position(&self.played.state)
    }

    /// A drawing of the board.
    pub fn drawing(&self) -> String {
        self.played.game.drawing().text(&self.played.state)
    }

    /// The board as a picture, with the dice of the last roll.
    pub fn picture(&self) -> Picture {
        self.played.game.picture(&self.played.state).with_last_roll(self.last_roll())
    }

    fn last_roll(&self) -> &[u8] {
        self.steps.last().map_or(&[], |step| &step.dice)
    }

    /// The length of the rows that win, if longer rows do not win.
    pub fn exact_line(&self) -> Option<usize> {
        self.played.game.exact_line()
    }

    /// The position before the last move of a player: drawn, and as a picture. `None` if no move
    /// was played.
    pub fn before_last_move(&self) -> Option<(String, Picture)> {
        let game = &self.played.game;
        let last = self.steps.iter().rfind(|step| by_player(game, step))?;
        Some((game.drawing().text(&last.before.state), game.picture(&last.before.state)))
    }

    /// The moves and rolls after the opening, in the notation for people. `None`: chance.
    pub fn moves_played(&self) -> Vec<(Option<Player>, String)> {
        let played = |step: &Step| match self.played.game.turn(&step.before.state) {
            Turn::Player(player) => (Some(player), step.shown.clone()),
            _ => (None, step.shown.clone()),
        };
        self.steps.iter().map(played).collect()
    }

    /// All moves from the start, dice included, in the format of an opening. `None` if the game
    /// started from a given position.
    pub fn line(&self) -> Option<String> {
        if self.opening.position.is_some() {
            return None;
        }
        let (opening, moves) = self.record();
        Some([opening, moves].join(" ").trim().to_owned())
    }

    /// The legal moves of the player to move, in the notation for people.
    pub fn legal_moves(&self) -> Vec<String> {
        self.choices().into_iter().map(|choice| choice.text).collect()
    }

    /// The same moves, with the cells to click.
    pub fn choices(&self) -> Vec<Choice> {
        let mut moves = Vec::new();
        let clicks = |mv| {
            let mut clicks = self.played.game.click_orders(&self.played.state, mv);
            clicks.retain(|cells| !cells.is_empty());
            clicks
        };
        if let Turn::Player(_) = self.turn() {
            self.played.game.moves(&self.played.state, &mut moves);
        }
        let choice = |mv| Choice { text: self.played.san(mv), clicks: clicks(mv) };
        moves.into_iter().map(choice).collect()
    }

    /// How the game ended, if it has ended.
    pub fn end(&self) -> Option<GameEnd> {
        let (game, state) = (&self.played.game, &self.played.state);
        let turn = game.turn(state);
        let (outcome, reason) = self.played.end(turn, u32::MAX)?;
        let payoff = if turn == Turn::Over { game.payoff(state) } else { 0 };
        Some(GameEnd { outcome, reason, payoff })
    }

    /// Plays a person's move, given in the notation for people.
    ///
    /// # Errors
    /// A text that is not a legal move, in a sentence for people.
    pub fn play(&mut self, text: &str) -> Result<String, String> {
        let mv = self.played.game.read_move(&self.played.state, text)?;
        let before = self.played.snapshot();
        Ok(self.play_step(before, mv, true))
    }

    /// Plays an outcome of chance and returns it. It must be the turn of chance.
    pub fn roll(&mut self) -> String {
        let before = self.played.snapshot();
        let mv = self.played.roll();
        self.play_step(before, mv, false)
    }

    /// Plays the move of an agent. It must be the turn of an agent.
    ///
    /// # Errors
    /// A fault of the agent; the position then does not change.
    pub fn play_agent_move(&mut self) -> Result<AgentAnswer, Box<Fault>> {
        let Turn::Player(player) = self.turn() else { return Err(no_agent_to_move()) };
        let before = self.played.snapshot();
        let (opening, moves) = self.record();
        let Some(agent) = &mut self.agents[player.index()] else { return Err(no_agent_to_move()) };
        let (so_far, mut search_info) = (game_so_far(&opening, &moves), SearchInfo::default());
        let begin = Instant::now();
        let chosen = self.played.ask(&mut **agent, player, &mut search_info, so_far);
        let time = begin.elapsed();
        let mv = check_legal(&mut self.played, chosen)?;
        Ok(AgentAnswer { text: self.play_step(before, mv, false), search_info, time })
    }

    /// Goes back to the last decision of a person. Returns the number of moves taken back, without
    /// rolls; 0 if there was no such decision.
    pub fn undo(&mut self) -> usize {
        let Some(last) = self.steps.iter().rposition(|step| step.by_person) else { return 0 };
        let game = &self.played.game;
        let back = self.steps[last..].iter().filter(|step| by_player(game, step)).count();
        if let Some(step) = self.steps.drain(last..).next() {
            self.played.undo(step.before);
        }
        // The agents' memory no longer matches the game.
        self.restart_agents();
        back
    }

    /// Asks an agent for advice. A player must be to move.
    ///
    /// # Errors
    /// An agent that does not support this game, or a fault of the agent.
    pub fn hint(&mut self, spec: &Spec) -> Result<Advice, String> {
        let Turn::Player(player) = self.turn() else {
            return Err("no player is to move".to_owned());
        };
        if self.advisers.iter().all(|(known, _)| known != spec) {
            let build = || {
                let mut agent = self.played.game.agent(spec)?;
                check(&mut *agent, &self.engine_context, "adviser").map(|()| agent)
            };
            let agent = build().map_err(|error| error.to_string())?;
            self.advisers.truncate(MAX_ADVISERS - 1);
            self.advisers.insert(0, (spec.clone(), agent));
        }
        let (opening, moves) = self.record();
        let adviser = self.advisers.iter_mut().find(|(known, _)| known == spec);
        let Some((_, agent)) = adviser else { return Err("no agent gives advice".to_owned()) };
        agent.new_game(&self.played.game, player);
        let role = if player == Player::First { StreamRole::First } else { StreamRole::Second };
        let mut rng = stream(self.seed, role, HINT_STREAMS + self.played.history.len() as u64);
        let (mut search_info, mut values) = (SearchInfo::default(), Vec::new());
        let mut request = MoveRequest {
            game: &*self.played.game,
            state: &self.played.state,
            player,
            history: &self.played.history,
            game_so_far: game_so_far(&opening, &moves),
            rng: &mut rng,
            search_info: &mut search_info,
        };
        let begin = Instant::now();
        agent.move_values(&mut request, &mut values).map_err(|fault| fault.to_string())?;
        let best = best_valued(&values, player);
        let mv = match best[..] {
            [only] => only,
            // Without values or with several equal moves, the agent chooses as in a game.
            _ => {
                let mut search = SearchInfo::default();
                if !best.is_empty() {
                    request.search_info = &mut search;
                }
                let chosen = agent.choose(&mut request);
                let mv = check_legal(&mut self.played, chosen).map_err(|f| f.to_string())?;
                if best.is_empty() || best.contains(&mv) { mv } else { best[0] }
            }
        };
        let shown = |mv| self.played.san(mv);
        let answer = AgentAnswer { text: shown(mv), search_info, time: begin.elapsed() };
        let values = values.into_iter().map(|(mv, value)| (shown(mv), value)).collect();
        Ok(Advice { answer, values })
    }

    /// Starts a new game for the agents.
    fn restart_agents(&mut self) {
        for (agent, player) in self.agents.iter_mut().zip([Player::First, Player::Second]) {
            if let Some(agent) = agent {
                agent.new_game(&self.played.game, player);
            }
        }
    }

    /// The record of the game so far: opening and moves.
    fn record(&self) -> (String, String) {
        let moves: Vec<&str> = self.steps.iter().map(|step| step.text.as_str()).collect();
        (self.opening.text(&self.played.game), moves.join(" "))
    }

    fn play_step(&mut self, before: Snapshot<AnyGame>, mv: AnyMove, by_person: bool) -> String {
        let (shown, text) = (self.played.san(mv), self.played.text(mv));
        let rolled = self.played.game.dice(mv);
        let dice = if rolled.is_empty() { self.last_roll().to_vec() } else { rolled };
        self.played.play(mv);
        self.steps.push(Step { before, text, shown: shown.clone(), by_person, dice });
        shown
    }
}

/// Whether the step is a move and no roll.
fn by_player(game: &AnyGame, step: &Step) -> bool {
    game.turn(&step.before.state) != Turn::Chance
}

/// The record of a game for the agents.
fn game_so_far<'a>(opening: &'a String, moves: &'a String) -> GameSoFar<'a> {
    GameSoFar { game: 1, opening, moves, clocks: &[None, None] }
}

/// The moves with the best value for a player, in their order.
fn best_valued(values: &[(AnyMove, f64)], player: Player) -> Vec<AnyMove> {
    let own = |&(_, value): &(AnyMove, f64)| f64::from(player.sign()) * value;
    let best = values.iter().map(own).fold(f64::NEG_INFINITY, f64::max);
    values.iter().filter(|valued| own(valued) == best).map(|&(mv, _)| mv).collect()
}

/// The agent's move, if it is legal.
fn check_legal(
    played: &mut GameInProgress<AnyGame>,
    chosen: Result<AnyMove, Box<Fault>>,
) -> Result<AnyMove, Box<Fault>> {
    let mv = chosen?;
    if played.is_legal(mv) {
        return Ok(mv);
    }
    let detail = format!("it answered with {}", played.game.0.name_of(mv));
    Err(Box::new(Fault { kind: FaultKind::IllegalMove, detail }))
}

fn no_agent_to_move() -> Box<Fault> {
    let detail = "no agent is to move".to_owned();
    Box::new(Fault { kind: FaultKind::Crash, detail })
}

/// Attaches an agent with an external program to the game, and checks that it can play.
fn check(
    agent: &mut dyn DynAgent,
    engine_context: &Arc<EngineContext>,
    name: &str,
) -> Result<(), ParamError> {
    let Some(external) = agent.external() else { return Ok(()) };
    external.attach(engine_context, name);
    external.check()
}
