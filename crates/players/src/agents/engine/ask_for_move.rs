//! Asks an engine for a move, and asks again after an illegal answer if the config says so.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;

use super::illegal_moves::AfterIllegalMove;
use super::{Answered, Asked, EngineAgent, value};
use crate::agents::agent_trait::{Fault, FaultKind, GameSoFar, SearchInfo};
use crate::engine::{AnswerCost, CostFault, EngineErrorKind, EngineSeed, Question, shorten};
use crate::games::Player;
use crate::search::SearchStats;

impl EngineAgent {
    /// Asks for a player's move; `read` reads the answer.
    pub(super) fn answer(
        &mut self,
        asked: Asked<'_>,
        read: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<Answered, Box<Fault>> {
        let Asked { unknown_position, player, rng, search_info, game_so_far } = asked;
        let GameSoFar { game, opening, moves, clocks } = game_so_far;
        let opened = opening.strip_prefix("position ");
        let start = self.start.clone();
        let position = unknown_position.as_deref().or(opened).or(start.as_deref());
        let mut clocks = *clocks;
        let mut retries = 0;
        loop {
            let budget = self.params.budget(clocks[player.index()]);
            let question = Question {
                position,
                opening: if unknown_position.is_some() || opened.is_some() { "" } else { opening },
                moves,
                player,
                limits: self.params.go(clocks),
                seed: (game > 0).then(|| EngineSeed { seed: rng.get_seed(), game }),
                budget,
            };
            self.answer.cost = AnswerCost::default();
            let asked = self.ask(&question, budget);
            self.log_ended_process(game);
            self.count_cost();
            let why = match asked {
                Ok(()) => {
                    self.report(player, rng, search_info);
                    let text = &self.answer.text;
                    if self.params.is_gtp() && text.eq_ignore_ascii_case("resign") {
                        let detail = "it resigns".to_owned();
                        return Err(Box::new(Fault { kind: FaultKind::Resignation, detail }));
                    }
                    match read(text) {
                        Ok(()) => return Ok(Answered::Legal),
                        Err(why) => format!("it answered `{}`: {why}", shorten(text)),
                    }
                }
                Err(error) if error.kind == EngineErrorKind::NoMove => error.detail,
                Err(error) => {
                    let fault = self.fault(&error, &question, game);
                    self.halt(error.kind);
                    return Err(fault);
                }
            };
            self.counts.illegal += 1;
            if retries < self.params.illegal_moves().retries {
                retries += 1;
                self.counts.retries += 1;
                self.log(FaultKind::IllegalMove, Some("illegal"), &why, &question, game);
                self.reject(&why);
                if let Some(clock) = &mut clocks[player.index()] {
                    clock.left = clock.left.saturating_sub(self.answer.time);
                }
                continue;
            }
            let then = self.params.illegal_moves().then;
            let harmless = (then == AfterIllegalMove::Random).then_some("illegal");
            self.log(FaultKind::IllegalMove, harmless, &why, &question, game);
            let kind = match then {
                AfterIllegalMove::Random => return Ok(Answered::Illegal),
                AfterIllegalMove::Forfeit => FaultKind::IllegalMove,
                AfterIllegalMove::Void => FaultKind::IllegalVoid,
            };
            return Err(Box::new(Fault { kind, detail: why }));
        }
    }

    /// Reports the search of the last answer. Its time and its nodes are added to those of earlier
    /// answers to the same request.
    fn report(&self, player: Player, rng: &mut ChaCha8Rng, search_info: &mut SearchInfo) {
        let (info, details) = (&self.answer.info, &self.answer.details);
        search_info.searched = info.nodes.is_some() || info.depth.is_some();
        search_info.stats = SearchStats {
            nodes: search_info.stats.nodes.saturating_add(info.nodes.unwrap_or(0)),
            depth: info.depth.unwrap_or(0),
            ..SearchStats::default()
        };
        let reported = info.score.map(|score| value(score, player));
        search_info.value = details.value.or(reported);
        // Random words that the engine has drawn count as drawn in this game.
        if let Some(words) = details.words
            && u128::from(words) > rng.get_word_pos()
        {
            rng.set_word_pos(words.into());
        }
        search_info.time = Some(search_info.time.unwrap_or(Duration::ZERO) + self.answer.time);
    }

    /// Counts what the engine has paid for its last answer, whatever the answer is.
    fn count_cost(&mut self) {
        if let Some((fault, text)) = self.answer.cost_fault.take() {
            self.engine_context.record_cost_fault(&self.name, fault, text);
        }
        if self.params.costs == Some(true) {
            self.counts.cost.add(self.answer.cost);
        } else if self.answer.cost != AnswerCost::default() {
            let text = (self.answer.cost.billionths as f64 / 1e9).to_string();
            self.engine_context.record_cost_fault(&self.name, CostFault::NotAsked, text);
        }
    }

    /// Tells the engine that its answer is illegal, if its protocol has a word for this.
    fn reject(&mut self, why: &str) {
        if let Some(session) = &mut self.session {
            // An engine that has ended is noticed with the next question.
            let _ = session.protocol.reject(&mut session.link, why);
        }
    }
}
