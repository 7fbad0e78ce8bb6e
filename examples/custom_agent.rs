//! An agent of one's own, for every game, in a program that can do all that `agon` can.
use agon::agents::{Agent, AgentInfo, AgentKind, Fault, Ply};
use agon::games::{Configurable, Game, PlayoutBuffer, playout};
use agon::params::{Param, ParamError, Values};
use agon::search::SearchStats;
use agon::world::Registry;

/// Flat Monte Carlo: plays random games behind each move, and the move with the best mean.
pub struct Flat {
    playouts: u32,
}

impl<G: Game> Agent<G> for Flat {
    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let (mut moves, mut buffer) = (Vec::new(), PlayoutBuffer::default());
        ply.game.moves(ply.state, &mut moves);
        let (mut best, mut most) = (moves[0], f64::NEG_INFINITY);
        for &mv in &moves {
            let mut state = ply.state.clone();
            ply.game.play(&mut state, mv);
            let payoffs = (0..self.playouts)
                .map(|_| playout(ply.game, state.clone(), ply.rng, &mut buffer).0);
            // Payoffs are the first player's; the second wants the opposite.
            let mean = payoffs.map(f64::from).sum::<f64>() / f64::from(self.playouts);
            if mean * f64::from(ply.player.sign()) > most {
                (best, most) = (mv, mean * f64::from(ply.player.sign()));
            }
        }
        let nodes = moves.len() as u64 * u64::from(self.playouts);
        let stats = SearchStats { nodes, depth: 1, ..SearchStats::default() };
        ply.report(stats, most * f64::from(ply.player.sign()));
        Ok(best)
    }
}

impl AgentKind for Flat {
    fn info() -> AgentInfo {
        AgentInfo {
            kind: "flat",
            summary: "Plays random games behind each move, and the move with the best mean",
            params: vec![Param::int("playouts", 1, 1_000_000, 100, "random games for each move")],
            example: "kind = \"flat\"\nplayouts = 100",
        }
    }

    fn build<G: Configurable>(_: &G, values: &Values) -> Result<Box<dyn Agent<G>>, ParamError> {
        let playouts = values.int("playouts").expect("it has a default") as u32;
        Ok(Box::new(Flat { playouts }))
    }
}

fn main() -> std::process::ExitCode {
    agon::cli::main_with(std::env::args_os(), Registry::builtin().add_agent::<Flat>())
}
