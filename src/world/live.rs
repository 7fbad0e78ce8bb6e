//! A game in which people take part: moves come one by one as text, and can be taken back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;

use super::openings::{Opening, read};
use super::record::Outcome;
use super::streams::{Role, rewind, root, stream};
use crate::agents::{Agent, Fault, FaultKind, Guests, Ply, Thought, Told};
use crate::engine::House;
use crate::games::{
    Configurable, Drawing, Game, Notation, Player, Repetition, Scoring, Shortcuts, Turn,
    random_outcome, repeats,
};
use crate::params::{ParamError, Spec};

/// Who plays a live game, and from where.
#[derive(Debug, Clone, Default)]
pub struct LiveSetup {
    /// By seat: an agent, or a person.
    pub agents: [Option<Spec>; 2],
    /// Fixes the dice and what agents draw.
    pub seed: u64,
    /// Moves from the start or a position; the start if not given.
    pub opening: Option<String>,
    /// What agents that are programs from outside need to know of the game.
    pub house: Arc<House>,
}

/// Why a live game cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LiveError {
    /// An agent cannot be built for this game.
    #[error(transparent)]
    Agent(#[from] ParamError),
    /// The text is no opening.
    #[error("{0}")]
    Opening(String),
}

/// A move of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// As people write it.
    pub text: String,
    /// What the agent reports.
    pub thought: Thought,
    /// How long it took.
    pub time: Duration,
}

/// What an agent recommends. One search finds the move and the values.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The move: one with the best of the values.
    pub answer: Answer,
    /// The value of every move, in the game's order and the first player's frame; empty for an
    /// agent that does not value moves.
    pub values: Vec<(String, f64)>,
}

/// How a live game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// By which rule.
    pub reason: &'static str,
    /// The first player's payoff.
    pub payoff: i32,
}

/// A game in progress, whatever its type.
pub trait Live {
    /// Who acts.
    fn turn(&self) -> Turn;
    /// Whether an agent plays that side.
    fn is_agent(&self, player: Player) -> bool;
    /// Whether the payoff is a score.
    fn scored(&self) -> bool;
    /// The position as a line that the game reads.
    fn position(&self) -> String;
    /// The board.
    fn drawing(&self) -> String;
    /// All moves from the start, dice included, as an opening is written; `None` where the game
    /// began at a position.
    fn line(&self) -> Option<String>;
    /// The moves of the player whose turn it is, as people write them.
    fn legal(&self) -> Vec<String>;
    /// How it ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// Plays a person's move; its text as people write it.
    ///
    /// # Errors
    /// A text that is no legal move, in a sentence for people.
    fn play(&mut self, text: &str) -> Result<String, String>;
    /// Lets chance decide; what it decided. Called only where it is its turn.
    fn throw(&mut self) -> String;
    /// Lets the agent whose turn it is move. Called only where it is an agent's turn.
    ///
    /// # Errors
    /// A fault of the agent; the position is then as before.
    fn answer(&mut self) -> Result<Answer, Box<Fault>>;
    /// Goes back to where a person last had to decide; the number of moves taken back, throws
    /// between them not counted, 0 where there was no decision.
    fn undo(&mut self) -> usize;
    /// Asks an agent for advice in a position in which a player is to move.
    ///
    /// # Errors
    /// An agent that cannot play this game, or a fault of it.
    fn hint(&mut self, spec: &Spec) -> Result<Advice, String>;
}

/// Hints are drawn from streams of their own, behind those of any game.
const HINTS: u64 = 1 << 48;

/// The most agents that are kept for further hints.
const ADVISERS: usize = 3;

/// A live game of this type.
///
/// # Errors
/// An agent that cannot play, or a text that is no opening.
pub(super) fn live<G: Configurable>(
    game: &Arc<G>,
    guests: &Arc<Guests>,
    setup: &LiveSetup,
) -> Result<Box<dyn Live>, LiveError> {
    let sit = |spec: &Option<Spec>| spec.as_ref().map(|spec| guests.build(&**game, spec));
    let [first, second] = [sit(&setup.agents[0]), sit(&setup.agents[1])];
    let opening = match &setup.opening {
        Some(text) => read(&**game, text).map_err(LiveError::Opening)?,
        None => Opening { moves: Vec::new(), state: game.start(), position: None },
    };
    let mut rngs = [root(setup.seed), root(setup.seed), root(setup.seed)];
    for (rng, role) in rngs.iter_mut().zip([Role::First, Role::Second, Role::Dice]) {
        rewind(rng, role, 1);
    }
    let mut live = Typed {
        game: Arc::clone(game),
        guests: Arc::clone(guests),
        agents: [first.transpose()?, second.transpose()?],
        house: Arc::clone(&setup.house),
        advisers: Vec::new(),
        seed: setup.seed,
        rngs,
        history: history(&**game, &opening),
        state: opening.state.clone(),
        opening,
        steps: Vec::new(),
    };
    for agent in live.agents.iter_mut().flatten() {
        agent.join(&live.house, "opponent");
        agent.ready()?;
    }
    live.begin();
    Ok(Box::new(live))
}

/// The keys of the positions before the opening's end.
fn history<G: Game>(game: &G, opening: &Opening<G>) -> Vec<u64> {
    let mut state = game.start();
    let key = |&mv: &G::Move| {
        let key = game.key(&state);
        game.play(&mut state, mv);
        key
    };
    opening.moves.iter().map(key).collect()
}

/// A move or a throw, with all that it takes to go back.
struct Step<G: Game> {
    before: G::State,
    text: String,
    by_person: bool,
    /// Where the random streams were.
    words: [u128; 3],
}

struct Typed<G: Configurable> {
    game: Arc<G>,
    guests: Arc<Guests>,
    agents: [Option<Box<dyn Agent<G>>>; 2],
    advisers: Vec<(Spec, Box<dyn Agent<G>>)>,
    house: Arc<House>,
    seed: u64,
    /// Of the first player, the second and the dice.
    rngs: [ChaCha8Rng; 3],
    opening: Opening<G>,
    steps: Vec<Step<G>>,
    /// Keys of the positions before this one.
    history: Vec<u64>,
    state: G::State,
}

impl<G: Configurable> Live for Typed<G> {
    fn turn(&self) -> Turn {
        if self.drawn().is_some() { Turn::Over } else { self.game.turn(&self.state) }
    }

    fn is_agent(&self, player: Player) -> bool {
        self.agents[player.index()].is_some()
    }

    fn scored(&self) -> bool {
        self.game.scoring().numeric_score()
    }

    fn position(&self) -> String {
        self.game.write_position(&self.state)
    }

    fn drawing(&self) -> String {
        self.game.drawing().text(&self.state)
    }

    fn line(&self) -> Option<String> {
        if self.opening.position.is_some() {
            return None;
        }
        let mut line = self.opening.text(&*self.game);
        for step in &self.steps {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&step.text);
        }
        Some(line)
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if let Turn::Player(_) = self.turn() {
            self.game.moves(&self.state, &mut moves);
        }
        moves.into_iter().map(|mv| self.shown(mv)).collect()
    }

    fn ending(&self) -> Option<Ending> {
        if let Some(reason) = self.drawn() {
            return Some(Ending { outcome: Outcome::Draw, reason, payoff: 0 });
        }
        (self.turn() == Turn::Over).then(|| Ending {
            outcome: Outcome::of_winner(self.game.scoring().winner(&self.state)),
            reason: self.game.reason(&self.state),
            payoff: self.game.payoff(&self.state),
        })
    }

    fn play(&mut self, text: &str) -> Result<String, String> {
        let mv = self.game.notation().read_move(&self.state, text)?;
        let words = self.words();
        Ok(self.step(mv, true, words))
    }

    fn throw(&mut self) -> String {
        let words = self.words();
        let mv = random_outcome(&*self.game, &self.state, &mut self.rngs[2], &mut Vec::new());
        self.step(mv, false, words)
    }

    fn answer(&mut self) -> Result<Answer, Box<Fault>> {
        let Turn::Player(player) = self.turn() else { return Err(nobody()) };
        let words = self.words();
        let (opening, moves) = self.record();
        let Some(agent) = &mut self.agents[player.index()] else { return Err(nobody()) };
        let mut thought = Thought::default();
        let mut ply = Ply {
            game: &*self.game,
            state: &self.state,
            player,
            history: &self.history,
            told: Told { game: 1, opening: &opening, moves: &moves, clocks: &[None, None] },
            rng: &mut self.rngs[player.index()],
            thought: &mut thought,
        };
        let begin = Instant::now();
        let chosen = agent.choose(&mut ply);
        let time = begin.elapsed();
        let mv = checked(&*self.game, &self.state, chosen)?;
        Ok(Answer { text: self.step(mv, false, words), thought, time })
    }

    fn undo(&mut self) -> usize {
        let Some(last) = self.steps.iter().rposition(|step| step.by_person) else { return 0 };
        self.history.truncate(self.history.len() - (self.steps.len() - last));
        let turn = |step: &Step<G>| self.game.turn(&step.before);
        let back = self.steps[last..].iter().filter(|step| turn(step) != Turn::Chance).count();
        if let Some(step) = self.steps.drain(last..).next() {
            self.state = step.before;
            for (rng, words) in self.rngs.iter_mut().zip(step.words) {
                rng.set_word_pos(words);
            }
        }
        // What agents remember is of a game that has not been played.
        self.begin();
        back
    }

    fn hint(&mut self, spec: &Spec) -> Result<Advice, String> {
        let Turn::Player(player) = self.turn() else { return Err("nobody is to move".to_owned()) };
        if self.advisers.iter().all(|(known, _)| known != spec) {
            let build = || {
                let mut agent = self.guests.build(&*self.game, spec)?;
                agent.join(&self.house, "adviser");
                agent.ready().map(|()| agent)
            };
            let agent = build().map_err(|error| error.to_string())?;
            self.advisers.truncate(ADVISERS - 1);
            self.advisers.insert(0, (spec.clone(), agent));
        }
        let (opening, moves) = self.record();
        let adviser = self.advisers.iter_mut().find(|(known, _)| known == spec);
        let Some((_, agent)) = adviser else { return Err("nobody gives advice".to_owned()) };
        agent.new_game(&self.game, player);
        let role = if player == Player::First { Role::First } else { Role::Second };
        let mut rng = stream(self.seed, role, HINTS + self.history.len() as u64);
        let (mut thought, mut values) = (Thought::default(), Vec::new());
        let mut ply = Ply {
            game: &*self.game,
            state: &self.state,
            player,
            history: &self.history,
            told: Told { game: 1, opening: &opening, moves: &moves, clocks: &[None, None] },
            rng: &mut rng,
            thought: &mut thought,
        };
        let begin = Instant::now();
        agent.move_values(&mut ply, &mut values).map_err(|fault| fault.to_string())?;
        let best = best_valued(&values, player);
        let mv = match best[..] {
            [only] => only,
            // No values, or several equal moves: the agent chooses as in a game.
            _ => {
                let mut search = Thought::default();
                if !best.is_empty() {
                    ply.thought = &mut search;
                }
                let chosen = agent.choose(&mut ply);
                let mv = checked(&*self.game, &self.state, chosen).map_err(|f| f.to_string())?;
                if best.is_empty() || best.contains(&mv) { mv } else { best[0] }
            }
        };
        let answer = Answer { text: self.shown(mv), thought, time: begin.elapsed() };
        let values = values.into_iter().map(|(mv, value)| (self.shown(mv), value)).collect();
        Ok(Advice { answer, values })
    }
}

impl<G: Configurable> Typed<G> {
    /// Tells the agents that a game begins.
    fn begin(&mut self) {
        for (agent, player) in self.agents.iter_mut().zip([Player::First, Player::Second]) {
            if let Some(agent) = agent {
                agent.new_game(&self.game, player);
            }
        }
    }

    /// Why the positions before this one make it a draw, if they do.
    fn drawn(&self) -> Option<&'static str> {
        let ask = repeats::<G>() && matches!(self.game.turn(&self.state), Turn::Player(_));
        ask.then(|| self.game.repetition().ended_by_history(&self.state, &self.history)).flatten()
    }

    /// The game so far as it would stand in its record: opening and moves.
    fn record(&self) -> (String, String) {
        let opening = match &self.opening.position {
            Some(position) => format!("position {position}"),
            None => self.opening.text(&*self.game),
        };
        let moves: Vec<&str> = self.steps.iter().map(|step| step.text.as_str()).collect();
        (opening, moves.join(" "))
    }

    fn words(&self) -> [u128; 3] {
        [0, 1, 2].map(|i| self.rngs[i].get_word_pos())
    }

    fn text(&self, mv: G::Move) -> String {
        let mut text = String::new();
        self.game.write_move(&self.state, mv, &mut text);
        text
    }

    /// The move for people to look at.
    fn shown(&self, mv: G::Move) -> String {
        self.game.notation().san(&self.state, mv)
    }

    fn step(&mut self, mv: G::Move, by_person: bool, words: [u128; 3]) -> String {
        let (shown, text) = (self.shown(mv), self.text(mv));
        let before = self.state.clone();
        self.history.push(self.game.key(&self.state));
        self.game.play(&mut self.state, mv);
        self.steps.push(Step { before, text, by_person, words });
        shown
    }
}

/// The moves with the best value for a player, in their order.
fn best_valued<M: Copy>(values: &[(M, f64)], player: Player) -> Vec<M> {
    let own = |&(_, value): &(M, f64)| f64::from(player.sign()) * value;
    let best = values.iter().map(own).fold(f64::NEG_INFINITY, f64::max);
    values.iter().filter(|valued| own(valued) == best).map(|&(mv, _)| mv).collect()
}

/// The answer of an agent, if it is legal.
fn checked<G: Game>(
    game: &G,
    state: &G::State,
    chosen: Result<G::Move, Box<Fault>>,
) -> Result<G::Move, Box<Fault>> {
    let mv = chosen?;
    if game.shortcuts().is_legal(state, mv, &mut Vec::new()) {
        return Ok(mv);
    }
    let detail = format!("it answered with {mv:?}");
    Err(Box::new(Fault { kind: FaultKind::IllegalMove, detail }))
}

fn nobody() -> Box<Fault> {
    let detail = "no agent is to move".to_owned();
    Box::new(Fault { kind: FaultKind::Crash, detail })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Connect4Standard, Pig};
    use crate::params::{Value, Values};

    fn open<G: Configurable>(agents: [Option<Spec>; 2], opening: Option<&str>) -> Box<dyn Live> {
        let mut values = Values::default();
        for param in G::params() {
            if let crate::params::Default::Is(value) = param.default {
                values.set(param.key, value);
            }
        }
        let game = Arc::new(G::build(&values).expect("the usual size"));
        let setup = LiveSetup {
            agents,
            seed: 7,
            opening: opening.map(str::to_owned),
            ..LiveSetup::default()
        };
        live(&game, &Arc::default(), &setup).expect("a game")
    }

    fn spec(kind: &str, depth: i64) -> Spec {
        let mut spec = Spec { kind: kind.to_owned(), ..Spec::default() };
        if depth > 0 {
            spec.values.set("depth", Value::Int(depth));
        }
        spec
    }

    #[test]
    fn undo_goes_back_to_a_decision_and_chance_stays_what_it_was() {
        let mut live = open::<Pig>([None, Some(spec("random", 0))], None);
        let start = live.position();
        assert_eq!(live.undo(), 0);
        let until_next = |live: &mut dyn Live| {
            live.play("roll").expect("legal");
            let mut said = Vec::new();
            loop {
                match live.turn() {
                    Turn::Chance => said.push(live.throw()),
                    Turn::Player(Player::Second) => said.push(live.answer().expect("fine").text),
                    _ => return said,
                }
            }
        };
        let first = until_next(&mut *live);
        let there = live.position();
        let dice = first.iter().filter(|text| text.starts_with('d')).count();
        assert_eq!(live.undo(), first.len() + 1 - dice);
        assert_eq!(live.position(), start);
        assert_eq!(until_next(&mut *live), first);
        assert_eq!(live.position(), there);
        assert_eq!(live.line(), Some(format!("roll {}", first.join(" "))));
    }

    #[test]
    fn lines_and_positions_can_be_taken_up_again() {
        let mut live = open::<Connect4Standard>([None, None], Some("4 4"));
        live.play("3").expect("legal");
        assert!(live.play("8").is_err());
        assert_eq!(live.line().as_deref(), Some("4 4 3"));
        let again = open::<Connect4Standard>([None, None], live.line().as_deref());
        assert_eq!(again.position(), live.position());
        let position = live.position();
        let mut again = open::<Connect4Standard>([None, None], Some(&position));
        assert_eq!((again.position(), again.line()), (position.clone(), None));
        again.play("1").expect("legal");
        assert_eq!(again.undo(), 1);
        assert_eq!(again.position(), position);
    }

    #[test]
    fn people_see_their_notation_and_lines_keep_that_of_files() {
        let mut live = open::<Chess>([None, None], Some("e2e4 e7e5"));
        assert!(live.legal().contains(&"Nf3".to_owned()));
        assert_eq!(live.play("g1f3").as_deref(), Ok("Nf3"));
        assert_eq!(live.play("Nc6").as_deref(), Ok("Nc6"));
        assert_eq!(live.line().as_deref(), Some("e2e4 e7e5 g1f3 b8c6"));
        let advice = live.hint(&spec("alphabeta", 1)).expect("advice");
        assert!(live.legal().contains(&advice.answer.text));
        assert_eq!(advice.values.len(), live.legal().len());
    }

    #[test]
    fn a_hint_values_every_move_and_changes_nothing() {
        let mut live =
            open::<Connect4Standard>([None, Some(spec("minimax", 2))], Some("4 1 4 1 4"));
        live.undo();
        let mut other = open::<Connect4Standard>([None, None], Some("4 1 4 1 4"));
        // The second player must stop the column.
        let advice = other.hint(&spec("alphabeta", 4)).expect("advice");
        assert_eq!(advice.answer.text, "4");
        assert_eq!(advice.values.len(), 7);
        assert!(advice.values.iter().all(|(text, value)| text == "4" || *value > 1e9));
        assert_eq!(other.line().as_deref(), Some("4 1 4 1 4"));
        assert_eq!(live.answer().expect("a move").text, "4");
        assert!(other.hint(&spec("optimal", 0)).is_err());
    }

    /// Two searches gave them once: after `4 3` the move was worth +8 and another +99.
    #[test]
    fn a_hint_has_the_best_of_its_values() {
        let mut searcher = spec("alphabeta", 0);
        searcher.values.set("nodes", Value::Int(20_000));
        let agrees = |mut live: Box<dyn Live>| {
            let Turn::Player(player) = live.turn() else { panic!("a player moves") };
            let advice = live.hint(&searcher).expect("advice");
            let (line, moves) = (live.line(), live.legal());
            assert_eq!(advice.values.iter().map(|(mv, _)| mv.clone()).collect::<Vec<_>>(), moves);
            let own = |value: f64| f64::from(player.sign()) * value;
            let best = advice.values.iter().map(|&(_, value)| own(value)).fold(-1e99, f64::max);
            let value = |mv: &str| advice.values.iter().find(|(text, _)| text == mv).unwrap().1;
            assert_eq!(own(value(&advice.answer.text)), best, "{line:?}");
            assert_eq!(advice.answer.thought.value.map(own), Some(best), "{line:?}");
        };
        for line in ["", "1", "4", "4 3", "4 4", "2 6 3", "4 4 4", "1 7 1 7", "3 4 5 4", "4 1 4 1"]
        {
            agrees(open::<Connect4Standard>([None, None], Some(line)));
        }
        for line in ["", "e2e4", "e2e4 e7e5 g1f3"] {
            agrees(open::<Chess>([None, None], Some(line)));
        }
    }
}
