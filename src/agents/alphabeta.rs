//! `alphabeta`: the moves of minimax for a fraction of its nodes, within a budget.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::settings::{self, Ties};
use super::{budget, worth};
use crate::games::{
    Configurable, Evaluator, EvaluatorVisitor, Game, MAX_VALUE, Player, SearchHints, Threat, Turn,
};
use crate::params::{Param, ParamError, Values};
use crate::search::{AlphaBeta, Limits, Options, Ordering, Stop, Terminal, Utility};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let mut params = budget::deepening().to_vec();
    params.extend([
        Param::choice(
            "ordering",
            Ordering::WORDS,
            "full",
            "moves as the game lists them, by its hint, or by table, killers, history and hint",
        ),
        switch(
            "killers",
            "with full ordering: try the ply's last two cut-off moves early (default: yes)",
        ),
        switch("history", "with full ordering: sort by cut-offs elsewhere (default: yes)"),
        budget::table_param(),
        switch(
            "threats",
            "see wins at once and forced replies without search (default: with full ordering)",
        ),
        switch("pvs", "ask of later moves only if they are better (default: with full ordering)"),
        Param::int(
            "aspiration",
            0,
            i64::from(MAX_VALUE),
            0,
            "look for each depth's value this near to the last one first; 0: anywhere",
        ),
        Param::bool(
            "reductions",
            false,
            "search late moves less deeply at first; may change values",
        ),
        Param::bool("quiescence", false, "follow noisy moves beyond the horizon"),
        Param::bool(
            "null_move",
            false,
            "leave positions where even a pass keeps the bound; may change values",
        ),
    ]);
    params.extend(settings::searching());
    params.extend(worth::params());
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
    let limits = budget::limits(game, values, "alphabeta")?;
    let table_mb = budget::table_mb(values)?;
    let quiescence = settings::given(values.bool("quiescence"));
    if quiescence && !game.hints().has_noisy() {
        return Err(ParamError::at(
            "quiescence",
            format!("{} names no noisy moves to follow", G::KIND),
            "leave `quiescence` out",
        ));
    }
    let null_move = settings::given(values.bool("null_move"));
    if null_move && !game.hints().has_pass() {
        let message = format!("{} offers no passes to prune with", G::KIND);
        return Err(ParamError::at("null_move", message, "leave `null_move` out"));
    }
    let options = Options {
        null_move,
        aspiration: settings::given(settings::unsigned(values, "aspiration")) as i32,
        reductions: settings::given(values.bool("reductions")),
        table_mb,
        quiescence,
        ..switched(game, values)?
    };
    let (ties, utility) = (Ties::of(values), worth::utility(values)?);
    settings::with_evaluator(game, values, Visitor { limits, options, ties, utility })
}

/// A switch whose default depends on the ordering.
fn switch(key: &'static str, help: &'static str) -> Param {
    Param::bool(key, true, help).optional()
}

/// The ordering, and what is on with full ordering unless somebody says otherwise.
///
/// # Errors
/// A switch that means nothing.
fn switched<G: Configurable>(game: &G, values: &Values) -> Result<Options, ParamError> {
    let terminal = settings::terminal(values);
    let ordering = Ordering::from_word(settings::given(values.text("ordering")));
    let full = ordering == Ordering::Full;
    let on = |key| values.bool(key).unwrap_or(full);
    for key in ["killers", "history"] {
        if !full && values.bool(key) == Some(true) {
            let message = format!("`{key}` means nothing unless `ordering = \"full\"`");
            return Err(ParamError::at(key, message, format!("leave `{key}` out")));
        }
    }
    if ordering == Ordering::None && values.bool("reductions") == Some(true) {
        let message = "`reductions` looks less deeply at moves that are ordered late, and \
                       `ordering = \"none\"` orders none";
        return Err(ParamError::at("reductions", message, "leave `reductions` out"));
    }
    let outcome = terminal == Terminal::Outcome;
    if !outcome && values.bool("threats") == Some(true) {
        let message = "`threats` knows what wins at once are worth only by their outcome";
        return Err(ParamError::at("threats", message, "leave `threats` out"));
    }
    let start = game.start();
    let silent = matches!(game.turn(&start), Turn::Player(_))
        && game.hints().threat(&start) == Threat::Unknown;
    if silent && values.bool("threats") == Some(true) {
        let message = format!("{} does not tell of wins at once", G::KIND);
        return Err(ParamError::at("threats", message, "leave `threats` out"));
    }
    Ok(Options {
        terminal,
        ordering,
        killers: full && on("killers"),
        history: full && on("history"),
        threats: outcome && on("threats"),
        pvs: on("pvs"),
        ..Options::PLAIN
    })
}

struct Visitor {
    limits: Limits,
    options: Options,
    ties: Ties,
    utility: Utility,
}

impl<G: Game> EvaluatorVisitor<G> for Visitor {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let Visitor { limits, options, ties, utility } = self;
        let search = AlphaBeta::new(evaluator, options);
        Box::new(Searcher { search, own: limits, limits, ties, utility, values: Vec::new() })
    }
}

struct Searcher<G: Game, E> {
    search: AlphaBeta<G, E>,
    own: Limits,
    limits: Limits,
    ties: Ties,
    /// Increasing, so that it is enough to apply it to what the search finds.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    fn new_game(&mut self, _game: &G, _player: Player) {
        self.search.new_game();
    }

    fn think_within(&mut self, limits: Option<&Limits>, stop: Option<Stop>) {
        self.limits = Limits { stop, ..*limits.unwrap_or(&self.own) };
    }

    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let ties = self.ties == Ties::Random;
        self.search.remember(ply.history);
        let answer = self.search.search(ply.game, ply.state, &self.limits, ties);
        ply.report(answer.stats, self.utility.apply(answer.value, ply.player));
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
        self.search.remember(ply.history);
        let stats = self.search.values(ply.game, ply.state, &self.limits, &mut self.values);
        out.clear();
        let worth = |value| self.utility.apply(value, ply.player);
        out.extend(self.values.iter().map(|&(mv, value)| (mv, worth(value))));
        settings::report_values(ply, stats, out);
        Ok(())
    }
}
