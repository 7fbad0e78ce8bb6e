//! The referee of a game: asks the agents for moves, checks the moves and measures the time.

use std::sync::Arc;
use std::time::Duration;

use super::adjudication::{Adjudication, Judge};
use super::agent_of_any_game::ErasedAgent;
use super::any_game::{DynAgent, DynReferee, NewReferee, RefereeSettings};
use super::game_in_progress::Match;
use super::game_record::{GameRecord, GameSpec, Outcome, SideRecord};
use super::moves_as_text::MoveTexts;
use super::opening_of_each_game::OpeningBook;
use super::random_streams::Streams;
use crate::agents::{Agent, ExternalAgent, FaultKind, GameSoFar, SearchInfo};
use crate::engine::Clock;
use crate::games::{Configurable, Game, Player, Turn};
use crate::util::collect_with_less_code::Each;

/// The function that builds referees for these openings.
pub(super) fn referees<G: Configurable>(
    game: &Arc<G>,
    book: OpeningBook<G>,
    settings: RefereeSettings,
) -> Box<NewReferee> {
    let (game, book) = (Arc::clone(game), Arc::new(book));
    let RefereeSettings { seed, max_plies, adjudication } = settings;
    Box::new(move || {
        Box::new(Referee {
            clock: quanta::Clock::new(),
            book: Arc::clone(&book),
            max_plies,
            adjudication,
            played: Match::new(Arc::clone(&game), Streams::new(seed)),
        })
    })
}

/// The data that a referee reuses from game to game; a game allocates nothing.
struct Referee<G: Game> {
    clock: quanta::Clock,
    book: Arc<OpeningBook<G>>,
    max_plies: u32,
    adjudication: Adjudication,
    played: Match<G>,
}

impl<G: Configurable> DynReferee for Referee<G> {
    fn play(
        &mut self,
        spec: &GameSpec,
        agents: [&mut dyn DynAgent; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        let [first, second] = agents;
        self.referee(spec, [ErasedAgent::inner(first), ErasedAgent::inner(second)], texts)
    }
}

impl<G: Game> Referee<G> {
    fn referee(
        &mut self,
        spec: &GameSpec,
        mut agents: [&mut dyn Agent<G>; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord {
        let Referee { clock, max_plies, played, .. } = self;
        played.streams.rewind(spec.game, spec.dice);
        agents[0].new_game(&played.game, Player::First);
        agents[1].new_game(&played.game, Player::Second);

        let [first, second] = &mut agents;
        let mut costs = Costs::new([first.external(), second.external()]);
        open(played, &self.book, spec, texts);
        played.judge = Judge::new(self.adjudication);
        let (outcome, reason) = loop {
            let turn = played.game.turn(&played.state);
            if let Some(end) = played.end(turn, *max_plies) {
                break end;
            }
            let mv = if let Turn::Player(player) = turn {
                let seat = player.index();
                let mut search_info = SearchInfo::default();
                let game_so_far = GameSoFar {
                    game: spec.game,
                    opening: &texts.opening,
                    moves: &texts.moves,
                    clocks: &costs.clocks,
                };
                let begin = clock.raw();
                let answer = played.ask(&mut *agents[seat], player, &mut search_info, game_so_far);
                let mut time_ns = clock.delta_as_nanos(begin, clock.raw());
                costs.add(seat, &search_info, &mut time_ns);
                let mv = match answer {
                    Ok(mv) if played.is_legal(mv) => mv,
                    Ok(_) => break forfeit(player, FaultKind::IllegalMove),
                    Err(fault) => {
                        texts.fault = fault.detail;
                        break forfeit(player, fault.kind);
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
        };
        if played.game.turn(&played.state) == Turn::Over {
            let payoff = played.game.payoff(&played.state);
            let [first, second] = agents;
            let MoveTexts { opening, moves, .. } = &*texts;
            let clocks = &costs.clocks;
            let game_so_far = GameSoFar { game: spec.game, opening, moves, clocks };
            first.game_over(game_so_far, payoff);
            second.game_over(game_so_far, payoff);
        }
        let rng_draws = played.streams.drawn();
        let (plies, sides) = (played.plies, costs.sides);
        GameRecord { spec: *spec, outcome, reason, plies, rng_draws, luck: None, sides }
    }
}

/// The end of a game by a fault of this player's agent.
fn forfeit(player: Player, kind: FaultKind) -> (Outcome, &'static str) {
    let outcome = if kind.is_void() { Outcome::Void } else { Outcome::win_of(player.other()) };
    (outcome, kind.reason())
}

/// The clocks and the costs of the two sides.
struct Costs {
    clocks: [Option<Clock>; 2],
    sides: [SideRecord; 2],
}

impl Costs {
    fn new(external: [Option<&mut dyn ExternalAgent>; 2]) -> Self {
        let clocks = external.each(|agent| Some(Clock::new(agent?.time_control()?)));
        Costs { clocks, sides: [SideRecord::default(); 2] }
    }

    /// Adds a move. If the agent knows its time better, `time_ns` becomes that time.
    fn add(&mut self, seat: usize, search_info: &SearchInfo, time_ns: &mut u64) {
        if let Some(time) = search_info.time {
            *time_ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        }
        if let Some(clock) = &mut self.clocks[seat] {
            clock.spend(Duration::from_nanos(*time_ns));
        }
        self.sides[seat].add(search_info, *time_ns);
    }
}

/// Plays the opening of a game.
fn open<G: Game>(
    played: &mut Match<G>,
    book: &OpeningBook<G>,
    spec: &GameSpec,
    texts: &mut MoveTexts,
) {
    let position = book.first_position(spec.opening);
    texts.begin(position.map(|(_, text)| text.as_str()));
    played.restart(match position {
        Some((state, _)) => state.clone(),
        None => played.game.start(),
    });
    for &mv in book.moves(spec.opening) {
        texts.push_opening(&*played.game, &played.state, mv);
        played.play(mv);
    }
}
