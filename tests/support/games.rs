//! Games by their text, as in `connect4:columns=5,rows=4`, for the tests of games.
use agon::games::{Chess, Configurable, Connect4, Connect4Standard, Mnk, TicTacToe};
use agon::params::{Default, Type, Value, Values};

/// What is done with a game of any type.
pub trait Visit {
    fn visit<G: Configurable>(&mut self, game: &G);
}

/// Builds the game and hands it on; the first type of its kind that fits.
pub fn with_game(spec: &str, visitor: &mut impl Visit) {
    let (kind, _) = spec.split_once(':').unwrap_or((spec, ""));
    match kind {
        "tictactoe" => visitor.visit(&build::<TicTacToe>(spec)),
        "connect4" if fits::<Connect4Standard>(spec) => {
            visitor.visit(&build::<Connect4Standard>(spec));
        }
        "connect4" => visitor.visit(&build::<Connect4>(spec)),
        "mnk" if fits::<Mnk<1>>(spec) => visitor.visit(&build::<Mnk<1>>(spec)),
        "mnk" if fits::<Mnk<2>>(spec) => visitor.visit(&build::<Mnk<2>>(spec)),
        "chess" => visitor.visit(&build::<Chess>(spec)),
        "mnk" => visitor.visit(&build::<Mnk<6>>(spec)),
        _ => panic!("no game `{kind}`"),
    }
}

/// The parameters that a text gives, defaults filled in.
pub fn values<G: Configurable>(spec: &str) -> Values {
    let mut values = Values::default();
    for param in G::params() {
        if let Default::Is(value) = &param.default {
            values.set(param.key, value.clone());
        }
    }
    let (_, given) = spec.split_once(':').unwrap_or((spec, ""));
    for pair in given.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap();
        let param = G::params().into_iter().find(|param| param.key == key).unwrap();
        let value = match param.ty {
            Type::Bool => Value::Bool(value.parse().unwrap()),
            _ => Value::Int(value.parse().unwrap()),
        };
        values.set(key, value);
    }
    values
}

fn fits<G: Configurable>(spec: &str) -> bool {
    G::fits(&values::<G>(spec))
}

/// The game of a type that fits.
pub fn build<G: Configurable>(spec: &str) -> G {
    G::build(&values::<G>(spec)).unwrap()
}

/// The lines of a data file that are not comments, split at `|`.
pub fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#')).map(|l| l.split('|').map(str::trim).collect())
}

/// Numbers between spaces.
pub fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|n| n.replace('_', "").parse().unwrap()).collect()
}
