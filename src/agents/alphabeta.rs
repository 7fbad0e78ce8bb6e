//! `alphabeta`: the moves of minimax for a fraction of its nodes, within a budget.

use std::time::Duration;

use super::agent::{Agent, Fault, Ply};
use super::catalogue::AgentInfo;
use super::settings::{self, Ties};
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game, Player};
use crate::params::{Param, ParamError, Values};
use crate::search::{AlphaBeta, Limits, Options, Ordering, table_fits};

/// The largest table that can be asked for, in megabytes.
const MAX_TABLE_MB: i64 = 65_536;

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let mut params = vec![
        settings::depth_param().optional(),
        Param::int(
            "nodes",
            1,
            1_000_000_000_000_000,
            1,
            "positions that it may enter for one move, deepening as far as they last",
        )
        .optional(),
        Param::int(
            "movetime",
            0,
            86_400_000,
            0,
            "milliseconds for one move, deepening as far as they last; games then vary",
        )
        .optional(),
        Param::choice(
            "ordering",
            Ordering::WORDS,
            "full",
            "moves as the game lists them, by its hint, or by table, killers, history and hint",
        ),
        Param::int("table_mb", 0, MAX_TABLE_MB, 16, "megabytes of transposition table; 0 is none"),
        Param::bool("quiescence", false, "follow noisy moves beyond the horizon"),
    ];
    params.extend(settings::searching());
    AgentInfo {
        kind: "alphabeta",
        summary: "Finds the moves of minimax without looking at lines that cannot matter",
        params,
        example: "kind = \"alphabeta\"\ndepth = 8",
    }
}

/// Builds the agent.
pub(super) fn build<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    settings::without_chance(game, "alphabeta")?;
    let limits = limits(game, values)?;
    let table_mb = settings::unsigned(values, "table_mb").unwrap_or(16) as usize;
    if !table_fits(table_mb) {
        return Err(ParamError::at(
            "table_mb",
            format!("there is no memory for a table of {table_mb} MB"),
            "each worker has a table of its own; take a smaller one",
        ));
    }
    let quiescence = values.bool("quiescence").unwrap_or(false);
    if quiescence && !game.has_noisy() {
        return Err(ParamError::at(
            "quiescence",
            format!("{} names no noisy moves to follow", G::KIND),
            "leave `quiescence` out",
        ));
    }
    let options = Options {
        terminal: settings::terminal(values),
        ordering: values.text("ordering").map_or(Ordering::Full, Ordering::from_word),
        table_mb,
        quiescence,
    };
    settings::with_evaluator(game, values, Visitor { limits, options, ties: Ties::of(values) })
}

/// The budget of a move: at least one limit must be given.
fn limits<G: Game>(game: &G, values: &Values) -> Result<Limits, ParamError> {
    let depth = match values.get("depth") {
        Some(_) => Some(settings::depth(game, values)?),
        None => None,
    };
    let nodes = settings::unsigned(values, "nodes");
    let movetime = settings::unsigned(values, "movetime").map(Duration::from_millis);
    if depth.is_none() && nodes.is_none() && movetime.is_none() {
        return Err(ParamError::at(
            "depth",
            "`alphabeta` needs to know when to stop",
            "give `depth`, `nodes` or `movetime`, or several of them",
        ));
    }
    Ok(Limits { depth, nodes, movetime })
}

struct Visitor {
    limits: Limits,
    options: Options,
    ties: Ties,
}

impl<G: Game> EvaluatorVisitor<G> for Visitor {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let search = AlphaBeta::new(evaluator, self.options);
        Box::new(Searcher { search, limits: self.limits, ties: self.ties, values: Vec::new() })
    }
}

struct Searcher<G: Game, E> {
    search: AlphaBeta<G, E>,
    limits: Limits,
    ties: Ties,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    fn new_game(&mut self, _game: &G, _player: Player) {
        self.search.new_game();
    }

    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let ties = self.ties == Ties::Random;
        let answer = self.search.search(ply.game, ply.state, &self.limits, ties);
        ply.report(answer.stats, f64::from(answer.value));
        Ok(self.ties.choose(&answer.best, ply.rng))
    }

    fn has_move_values(&self) -> bool {
        true
    }

    fn move_values(
        &mut self,
        ply: &mut Ply<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        let stats = self.search.values(ply.game, ply.state, &self.limits, &mut self.values);
        out.clear();
        out.extend(self.values.iter().map(|&(mv, value)| (mv, f64::from(value))));
        settings::report_values(ply, stats, out);
        Ok(())
    }
}
