//! An agent of one's own, for every game, in a program that can do all that `agon` can.
use agon::agents::{Agent, AgentKind, Fault, MoveRequest};
use agon::games::{Configurable, Game, PlayoutBuffer, playout};
use agon::params::ParamError;
use agon::play::Registry;
use agon::search::SearchStats;

agon::params! {
    /// Flat Monte Carlo: plays random games behind each move, and the move with the best mean.
    pub struct Flat {
        /// random games for each move
        playouts: u32 [1..=1_000_000] = 100,
    }
}

impl<G: Game> Agent<G> for Flat {
    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        let (mut moves, mut buffer) = (Vec::new(), PlayoutBuffer::default());
        request.game.moves(request.state, &mut moves);
        let (mut best, mut most) = (moves[0], f64::NEG_INFINITY);
        for &mv in &moves {
            let mut state = request.state.clone();
            request.game.play(&mut state, mv);
            let payoffs = (0..self.playouts)
                .map(|_| playout(request.game, state.clone(), request.rng, &mut buffer).0);
            // Payoffs are the first player's; the second wants the opposite.
            let mean = payoffs.map(f64::from).sum::<f64>() / f64::from(self.playouts);
            if mean * f64::from(request.player.sign()) > most {
                (best, most) = (mv, mean * f64::from(request.player.sign()));
            }
        }
        let nodes = moves.len() as u64 * u64::from(self.playouts);
        let stats = SearchStats { nodes, depth: 1, ..SearchStats::default() };
        request.report(stats, most * f64::from(request.player.sign()));
        Ok(best)
    }
}

impl AgentKind for Flat {
    const KIND: &'static str = "flat";
    const SUMMARY: &'static str =
        "Plays random games behind each move, and the move with the best mean";
    type Params = Flat;

    fn build<G: Configurable>(_: &G, flat: Flat) -> Result<Box<dyn Agent<G>>, ParamError> {
        Ok(Box::new(flat))
    }
}

fn main() -> std::process::ExitCode {
    agon::cli::main_with(std::env::args_os(), Registry::builtin().add_agent::<Flat>())
}
