//! Runs the benchmark: one move in each position, with nodes counted and time measured.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::benchmark_suite::{BenchGame, POSITIONS, agents, fill, games, takes_part};
use crate::config::{parse_agent_spec, parse_game_spec};
use crate::params::Spec;
use crate::play::{
    Adjudication, AnyGame, GameSpec, Lineup, LineupWorker, MoveTexts, Openings, Registry, Setup,
};

/// The count of all move sequences of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Perft {
    /// The game, as given on the command line.
    pub game: &'static str,
    /// Length of the sequences in plies.
    pub depth: u32,
    /// The number of sequences.
    pub count: u64,
}

/// One agent in the positions of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The game, as given on the command line.
    pub game: &'static str,
    /// The agent, as given on the command line.
    pub agent: String,
    /// Number of positions in which it chose a move.
    pub positions: u64,
    pub nodes: u64,
    /// Hash of the chosen moves.
    pub moves: u64,
    /// Time of the fastest pass, in nanoseconds.
    pub time_ns: u64,
}

impl Case {
    /// Nodes per second; `None` for agents that do not search.
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes > 0 && self.time_ns > 0).then(|| self.nodes as f64 * 1e9 / self.time_ns as f64)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bench {
    /// Counts of move sequences.
    pub perft: Vec<Perft>,
    pub cases: Vec<Case>,
    /// Number of passes of every case.
    pub passes: u32,
    /// Whether the times of the last two passes agree within 3 %.
    pub agreed: bool,
    /// Whether every pass chose the same moves with the same number of nodes.
    pub repeatable: bool,
}

/// Two passes agree if their times differ by less than this share.
pub const AGREEMENT: f64 = 0.03;
const MAX_PASSES: u32 = 12;
/// After two passes, no further pass begins after this time.
const MAX_TIME: Duration = Duration::from_secs(20);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passes {
    /// One pass: the counts are exact, but the speeds are not reliable.
    One,
    /// At least two passes, until two consecutive passes agree.
    UntilAgreed,
}
/// The seed of all openings, dice and agents.
const SEED: u64 = 1;

impl Bench {
    /// The node signature: the total number of searched nodes over all cases.
    pub fn nodes(&self) -> u64 {
        self.cases.iter().map(|case| case.nodes).sum()
    }

    /// Nodes per second over all cases of agents that search.
    pub fn nodes_per_second(&self) -> Option<f64> {
        let searching = self.cases.iter().filter(|case| case.nodes > 0);
        let time: u64 = searching.map(|case| case.time_ns).sum();
        (time > 0).then(|| self.nodes() as f64 * 1e9 / time as f64)
    }
}

/// Measures every agent in every game that it supports.
pub fn measure(registry: &Registry, wanted: Passes) -> Bench {
    let begin = Instant::now();
    let mut runners = Vec::new();
    let mut perft = Vec::new();
    for game in &games(registry) {
        // A custom game may have parameters without defaults.
        let Ok((_, any_game)) = parse_game_spec(game.spec, "", registry) else { continue };
        let count = any_game.perft(&any_game.start(), game.perft);
        perft.push(Perft { game: game.spec, depth: game.perft, count });
        for spec in agents(registry).into_iter().filter(|spec| takes_part(spec, game)) {
            let text = fill(spec, game);
            // Games that the agent cannot play are skipped.
            if let Ok(spec) = parse_agent_spec(&text, "", &any_game, registry) {
                runners.push(CaseRunner::new(game, text, &spec, &any_game));
            }
        }
    }
    let (mut passes, mut agreed, mut repeatable) = (1, false, true);
    let mut cases: Vec<Case> = runners.iter_mut().map(CaseRunner::run).collect();
    let mut last: u64 = cases.iter().map(|case| case.time_ns).sum();
    while wanted == Passes::UntilAgreed && needs_another_pass(passes, agreed, begin.elapsed()) {
        let mut total = 0;
        for (line, case) in runners.iter_mut().zip(&mut cases) {
            let again = line.run();
            total += again.time_ns;
            repeatable &= (again.nodes, again.moves) == (case.nodes, case.moves);
            case.time_ns = case.time_ns.min(again.time_ns);
        }
        agreed = total.abs_diff(last) as f64 <= AGREEMENT * last as f64;
        last = total;
        passes += 1;
    }
    Bench { perft, cases, passes, agreed, repeatable }
}

/// Whether speeds need another pass. There are always two passes. Then passes continue until two
/// consecutive ones agree or the time limit is reached.
fn needs_another_pass(passes: u32, agreed: bool, elapsed: Duration) -> bool {
    passes < 2 || (!agreed && passes < MAX_PASSES && elapsed < MAX_TIME)
}

/// One agent in the positions of one game.
struct CaseRunner {
    game: &'static str,
    agent: String,
    workers: Vec<(LineupWorker, u64)>,
    texts: MoveTexts,
}

impl CaseRunner {
    fn new(game: &BenchGame, agent: String, spec: &Spec, any_game: &AnyGame) -> Self {
        let workers = (game.plies.iter())
            .filter_map(|&plies| {
                let lineup = lineup(any_game, spec, plies, POSITIONS)?;
                let openings = lineup.openings();
                Some((lineup.worker(), openings))
            })
            .collect();
        CaseRunner { game: game.spec, agent, workers, texts: MoveTexts::default() }
    }

    /// Lets the agent choose a move in every position.
    fn run(&mut self) -> Case {
        let mut case = Case {
            game: self.game,
            agent: self.agent.clone(),
            positions: 0,
            nodes: 0,
            moves: 0xCBF2_9CE4_8422_2325,
            time_ns: 0,
        };
        for (table, openings) in &mut self.workers {
            for opening in 1..=*openings {
                let (game, dice) = (opening, opening);
                let spec = GameSpec { game, pairing: 1, opening, first: 0, second: 0, dice };
                let record = table.play(&spec, &mut self.texts);
                case.positions += 1;
                for side in record.sides {
                    case.nodes += side.nodes;
                    case.time_ns += side.time_ns;
                }
                for byte in self.texts.moves.bytes().chain([b'\n']) {
                    case.moves = (case.moves ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
                }
            }
        }
        case
    }
}

/// The positions after openings of `plies` plies; games end one ply later. `None` if the game has
/// no such positions.
fn lineup(any_game: &AnyGame, spec: &Spec, plies: u32, wanted: u64) -> Option<Arc<Lineup>> {
    let setup = Setup {
        agents: vec![spec.clone()],
        openings: if plies == 0 { Openings::Start } else { Openings::Random { plies } },
        wanted,
        fewer_openings: true,
        max_plies: plies + 1,
        max_cost: None,
        adjudication: Adjudication::default(),
        syzygy: None,
        luck: None,
        tuned: Vec::new(),
        seed: SEED,
        engine_context: Arc::default(),
    };
    any_game.lineup(setup).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_one_move_and_repeats() {
        let registry = Registry::builtin();
        let (_, any_game) = parse_game_spec("tictactoe", "", &registry).expect("a game");
        let spec = parse_agent_spec("minimax:depth=2", "", &any_game, &registry).expect("an agent");
        let game = BenchGame { spec: "tictactoe", plies: &[0, 2], perft: 1, depths: [2, 2] };
        let mut line = CaseRunner::new(&game, "minimax:depth=2".to_owned(), &spec, &any_game);
        let case = line.run();
        assert_eq!(case.positions, 1 + POSITIONS);
        // The start: itself, 9 moves, 72 replies. After two plies: 1 + 7 + 42 each.
        assert_eq!(case.nodes, 82 + 50 * POSITIONS);
        let again = line.run();
        assert_eq!((again.nodes, again.moves), (case.nodes, case.moves));
    }

    #[test]
    fn a_slow_first_pass_is_repeated_all_the_same() {
        let second = Duration::from_secs(1);
        assert!(needs_another_pass(1, false, 100 * second), "one pass agrees with nothing");
        assert!(needs_another_pass(2, false, 6 * second) && !needs_another_pass(2, true, second));
        assert!(
            !needs_another_pass(2, false, MAX_TIME)
                && !needs_another_pass(MAX_PASSES, false, second)
        );
    }

    #[test]
    fn a_game_with_fewer_positions_gives_what_it_has() {
        let registry = Registry::builtin();
        let (_, any_game) = parse_game_spec("tictactoe", "", &registry).expect("a game");
        let spec = parse_agent_spec("random", "", &any_game, &registry).expect("an agent");
        // Corner, edge and centre.
        assert_eq!(lineup(&any_game, &spec, 1, 8).expect("openings").openings(), 3);
    }
}
