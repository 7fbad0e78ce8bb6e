//! A game of one's own: Nim with one heap, in a program that can do all that `agon` can.
use agon::games::{Configurable, FullSearch, Game, Offer, Player, Turn};
use agon::{params::ParamError, play::Registry};
agon::params! {
    /// Take one, two or three from the heap; the player who takes the last one wins.
    pub struct Nim {
        /// how many there are
        heap: u32 [1..=10_000] = 21,
    }
}

impl Game for Nim {
    type State = (u32, Player); // what is left, and who takes next
    type Move = u32;
    fn start(&self) -> Self::State {
        (self.heap, Player::First)
    }
    fn turn(&self, &(left, player): &Self::State) -> Turn {
        if left == 0 { Turn::Over } else { Turn::Player(player) }
    }
    fn moves(&self, state: &Self::State, out: &mut Vec<u32>) {
        out.extend(1..=state.0.min(3));
    }
    fn play(&self, state: &mut Self::State, taken: u32) {
        *state = (state.0 - taken, state.1.other());
    }
    fn payoff(&self, state: &Self::State) -> i32 {
        -state.1.sign()
    }
    fn key(&self, &(left, player): &Self::State) -> u64 {
        agon::games::key_hash::mix(2 * u64::from(left) + player.index() as u64)
    }
    fn write_move(&self, _: &Self::State, taken: u32, out: &mut String) {
        out.push_str(&taken.to_string());
    }
    fn write_position(&self, &(left, player): &Self::State) -> String {
        format!("{left} {player:?}")
    }
    fn read_position(&self, text: &str) -> Result<Self::State, String> {
        let states = (0..=self.heap).flat_map(|n| [(n, Player::First), (n, Player::Second)]);
        let read = states.into_iter().find(|state| self.write_position(state) == text.trim());
        read.ok_or(format!("`{text}` is no heap: write it like `{} First`", self.heap))
    }
}

impl Configurable for Nim {
    const KIND: &'static str = "nim";
    const SUMMARY: &'static str = "Take one, two or three from a heap; the last one wins";
    type Params = Nim;
    fn from_params(nim: Nim) -> Result<Self, ParamError> {
        Ok(nim)
    }
    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(FullSearch::default()))
    }
}
fn main() -> std::process::ExitCode {
    agon::cli::main_with(std::env::args_os(), Registry::builtin().add_game::<Nim>())
}
