//! One game refereed: agents are asked, moves are checked, time is measured.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;

use super::adjudication::{Adjudication, Judge};
use super::field::MoveTexts;
use super::openings::Book;
use super::record::{GameRecord, GameSpec, Outcome, SideRecord};
use super::streams::{Role, rewind, root};
use crate::agents::{Agent, FaultKind, Ply, Thought, Told};
use crate::engine::Clock;
use crate::games::{Game, Player, Repetition, Scoring, Shortcuts, Turn, random_outcome, repeats};

/// What a referee needs from game to game; nothing is allocated during a game.
pub struct Referee<G: Game> {
    clock: quanta::Clock,
    rngs: [ChaCha8Rng; 2],
    dice: ChaCha8Rng,
    history: Vec<u64>,
    opening: Vec<G::Move>,
    buffer: Vec<G::Move>,
    outcomes: Vec<(G::Move, u32)>,
    adjudication: Adjudication,
}

impl<G: Game> Referee<G> {
    /// A referee for the experiment of that seed.
    pub fn new(seed: u64) -> Self {
        Referee {
            clock: quanta::Clock::new(),
            rngs: [root(seed), root(seed)],
            dice: root(seed),
            history: Vec::new(),
            opening: Vec::new(),
            buffer: Vec::new(),
            outcomes: Vec::new(),
            adjudication: Adjudication::default(),
        }
    }

    /// The same with rules for ending games early.
    pub fn adjudicating(self, adjudication: Adjudication) -> Self {
        Referee { adjudication, ..self }
    }

    /// Plays one game; the moves are appended to `texts`.
    pub fn play(
        &mut self,
        game: &G,
        book: &Book<G>,
        max_plies: u32,
        spec: &GameSpec,
        agents: [&mut dyn Agent<G>; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        rewind(&mut self.rngs[0], Role::First, spec.game);
        rewind(&mut self.rngs[1], Role::Second, spec.game);
        rewind(&mut self.dice, Role::Dice, spec.dice);
        agents[0].new_game(game, Player::First);
        agents[1].new_game(game, Player::Second);

        let mut clocks = [&agents[0], &agents[1]].map(|agent| agent.time_control().map(Clock::new));
        let mut sides = [SideRecord::default(); 2];
        let mut judge = Judge::new(self.adjudication);
        let (mut state, mut plies) = self.open(game, book, spec, texts);
        let (outcome, reason) = loop {
            let turn = game.turn(&state);
            if repeats::<G>()
                && matches!(turn, Turn::Player(_))
                && let Some(reason) = game.repetition().ended_by_history(&state, &self.history)
            {
                break (Outcome::Draw, reason);
            }
            if matches!(turn, Turn::Player(_))
                && let Some(end) = judge.verdict(game, &state, &self.history, plies)
            {
                break end;
            }
            let (player, mv) = match turn {
                Turn::Over => {
                    break (Outcome::of_winner(game.scoring().winner(&state)), game.reason(&state));
                }
                Turn::Chance => {
                    let mv = random_outcome(game, &state, &mut self.dice, &mut self.outcomes);
                    (None, mv)
                }
                Turn::Player(_) if plies >= max_plies => break (Outcome::Draw, "max plies"),
                Turn::Player(player) => {
                    let seat = player.index();
                    let mut thought = Thought::default();
                    let mut ply = Ply {
                        game,
                        state: &state,
                        player,
                        history: &self.history,
                        rng: &mut self.rngs[seat],
                        thought: &mut thought,
                        told: Told {
                            game: spec.game,
                            opening: &texts.opening,
                            moves: &texts.moves,
                            clocks: &clocks,
                        },
                    };
                    let begin = self.clock.raw();
                    let answer = agents[seat].choose(&mut ply);
                    let mut time_ns = self.clock.delta_as_nanos(begin, self.clock.raw());
                    if let Some(time) = thought.time {
                        time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                    }
                    if let Some(clock) = &mut clocks[seat] {
                        clock.spend(Duration::from_nanos(time_ns));
                    }
                    let side = &mut sides[seat];
                    side.moves += 1;
                    side.nodes += thought.stats.nodes;
                    side.depth += u64::from(thought.stats.depth);
                    side.time_ns += time_ns;
                    side.slowest_ns = side.slowest_ns.max(time_ns);
                    let fault = match answer {
                        Ok(mv) if game.shortcuts().is_legal(&state, mv, &mut self.buffer) => Ok(mv),
                        Ok(_) => Err(FaultKind::IllegalMove),
                        Err(fault) => {
                            texts.fault = fault.detail;
                            Err(fault.kind)
                        }
                    };
                    match fault {
                        Ok(mv) => {
                            judge.hear(player, thought.value);
                            texts.note(player, &thought, time_ns);
                            (Some(player), mv)
                        }
                        Err(kind) if kind.is_void() => break (Outcome::Void, kind.reason()),
                        Err(kind) => break (Outcome::win_of(player.other()), kind.reason()),
                    }
                }
            };
            texts.push(game, &state, mv);
            self.history.push(game.key(&state));
            game.play(&mut state, mv);
            if player.is_some() {
                plies += 1;
                judge.weigh(game, &state);
            }
        };
        let words = |rng: &ChaCha8Rng| rng.get_word_pos() as u64;
        let random_words = words(&self.rngs[0]) + words(&self.rngs[1]) + words(&self.dice);
        GameRecord { spec: *spec, outcome, reason, plies, random_words, sides }
    }

    /// Sets up the opening; returns the position and the players' plies so far.
    fn open(
        &mut self,
        game: &G,
        book: &Book<G>,
        spec: &GameSpec,
        texts: &mut MoveTexts,
    ) -> (G::State, u32) {
        let (end, position) = book.open(game, spec.opening, &mut self.opening);
        self.history.clear();
        texts.begin(position);
        let mut plies = 0;
        if !self.opening.is_empty() {
            let mut state = game.start();
            for &mv in &self.opening {
                plies += u32::from(game.turn(&state) != Turn::Chance);
                texts.push_opening(game, &state, mv);
                self.history.push(game.key(&state));
                game.play(&mut state, mv);
            }
        }
        (end, plies)
    }
}
