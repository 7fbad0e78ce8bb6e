//! The referee of a game: asks the agents for moves, checks the moves and measures the time.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudication, Judge};
use super::any_game::{AnyGame, DynAgent, DynReferee, RefereeSettings, typed};
use super::game_in_progress::GameInProgress;
use super::game_record::{GameRecord, GameSpec, Outcome, SideRecord};
use super::moves_as_text::MoveTexts;
use super::opening_book::OpeningBook;
use super::random_streams::Streams;
use crate::agents::{Agent, ExternalAgent, FaultKind, SearchInfo};
use crate::engine::Clock;
use crate::games::{Configurable, Game, Player, SyzygyTables, Turn};

/// The data that a referee reuses from game to game; a game allocates nothing.
pub(super) struct Referee<G: Game> {
    clock: quanta::Clock,
    book: Arc<OpeningBook<AnyGame>>,
    max_plies: u32,
    adjudication: Adjudication,
    tables: Option<Arc<SyzygyTables>>,
    /// The moves of the book by their numbers.
    moves: Vec<G::Move>,
    played: GameInProgress<G>,
}

impl<G: Configurable> DynReferee for Referee<G> {
    fn play(
        &mut self,
        spec: &GameSpec,
        agents: [&mut dyn DynAgent; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        let [first, second] = agents;
        self.referee(spec, [first.for_game(), second.for_game()], texts)
    }
}

impl<G: Game> Referee<G> {
    /// A referee for games from these openings; `moves` are the game's moves by their numbers.
    pub fn new(
        game: &Arc<G>,
        moves: Vec<G::Move>,
        book: &Arc<OpeningBook<AnyGame>>,
        settings: &RefereeSettings<'_>,
    ) -> Self {
        let &RefereeSettings { seed, max_plies, adjudication, tables, .. } = settings;
        let (clock, book) = (quanta::Clock::new(), Arc::clone(book));
        let played = GameInProgress::new(Arc::clone(game), Streams::new(seed));
        Referee { clock, book, max_plies, adjudication, tables: tables.clone(), moves, played }
    }

    fn referee(
        &mut self,
        spec: &GameSpec,
        mut agents: [&mut dyn Agent<G>; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        let Referee { max_plies, tables, played, .. } = self;
        played.streams.rewind(spec.game, spec.dice);
        agents[0].new_game(&played.game, Player::First);
        agents[1].new_game(&played.game, Player::Second);

        let [first, second] = &mut agents;
        let mut costs = Costs::new(&self.clock, [first.external(), second.external()]);
        open(played, &self.book, &self.moves, spec, texts);
        played.judge = Judge::new(self.adjudication);
        let (outcome, reason) = loop {
            let turn = played.game.turn(&played.state);
            if let Some(end) = played.end(turn, *max_plies) {
                break end;
            }
            let mv = if let Turn::Player(player) = turn {
                let seat = player.index();
                let mut search_info = SearchInfo::default();
                let game_so_far = texts.game_so_far(spec.game, &costs.clocks);
                let begin = costs.clock.raw();
                let answer = played.ask(&mut *agents[seat], player, &mut search_info, game_so_far);
                let time_ns = costs.add(begin, seat, &search_info);
                let mv = match answer {
                    Ok(mv) if played.is_legal(mv) => mv,
                    Ok(_) => break forfeit(played, player, FaultKind::IllegalMove),
                    Err(fault) => {
                        texts.fault = fault.detail;
                        break forfeit(played, player, fault.kind);
                    }
                };
                played.judge.record_value(player, search_info.value);
                texts.log_move(player, &search_info, time_ns);
                if texts.choices.sides[seat] {
                    texts.choices.add(&mut *agents[seat], &*played.game, &played.state);
                }
                mv
            } else {
                played.roll()
            };
            texts.push(&*played.game, &played.state, mv);
            played.play_as(turn, mv);
            if let Some(tables) = tables {
                match played.end_by_tables(tables) {
                    Ok(None) => {}
                    Ok(Some(end)) => break end,
                    Err(what) => {
                        texts.fault = what;
                        break (Outcome::Void, FaultKind::Tables.reason());
                    }
                }
            }
        };
        for (side, agent) in costs.sides.iter_mut().zip(&mut agents) {
            side.answers = agent.external().map(|it| it.answer_counts()).unwrap_or_default();
        }
        if let Turn::Over = played.game.turn(&played.state) {
            let payoff = played.game.payoff(&played.state);
            let [first, second] = agents;
            let game_so_far = texts.game_so_far(spec.game, &costs.clocks);
            first.game_over(game_so_far, payoff);
            second.game_over(game_so_far, payoff);
        }
        let rng_draws = played.streams.drawn();
        let (plies, sides) = (played.plies, costs.sides);
        GameRecord { spec: *spec, outcome, reason, plies, rng_draws, luck: None, sides }
    }
}

/// The end of a game by a fault of this player's agent.
fn forfeit<G: Game>(
    played: &GameInProgress<G>,
    player: Player,
    kind: FaultKind,
) -> (Outcome, &'static str) {
    let outcome = if kind.is_void() { Outcome::Void } else { played.forfeited_by(player) };
    (outcome, kind.reason())
}

/// The clocks and the costs of the two sides.
struct Costs<'a> {
    clock: &'a quanta::Clock,
    clocks: [Option<Clock>; 2],
    sides: [SideRecord; 2],
}

impl<'a> Costs<'a> {
    fn new(clock: &'a quanta::Clock, external: [Option<&mut dyn ExternalAgent>; 2]) -> Self {
        let clocks = external.map(|agent| Some(Clock::new(agent?.time_control()?)));
        Costs { clock, clocks, sides: [SideRecord::default(); 2] }
    }

    /// Adds a move that ends now. Returns its time: since `begin`, or the time that the agent
    /// reports, if the agent knows it better.
    #[inline(never)]
    fn add(&mut self, begin: u64, seat: usize, search_info: &SearchInfo) -> u64 {
        let mut time_ns = self.clock.delta_as_nanos(begin, self.clock.raw());
        if let Some(time) = search_info.time {
            time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        }
        if let Some(clock) = &mut self.clocks[seat] {
            clock.spend(Duration::from_nanos(time_ns));
        }
        self.sides[seat].add(search_info, time_ns);
        time_ns
    }
}

/// Plays the opening of a game.
fn open<G: Game>(
    played: &mut GameInProgress<G>,
    book: &OpeningBook<AnyGame>,
    moves: &[G::Move],
    spec: &GameSpec,
    texts: &mut MoveTexts,
) {
    let position = book.first_position(spec.opening);
    texts.begin(position.map(|(_, text)| text.as_str()));
    played.restart(match position {
        Some((state, _)) => typed::<G>(state).clone(),
        None => played.game.start(),
    });
    for mv in book.moves(spec.opening) {
        let mv = moves[mv.0 as usize];
        texts.push_opening(&*played.game, &played.state, mv);
        played.play(mv);
    }
}
