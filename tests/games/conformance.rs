//! The conformance suite over every game and several sizes of each.

use crate::support::games::{Visit, with_game};
use agon::games::{Configurable, Turn, Weights, conformance};

struct Check(u32);

impl Visit for Check {
    fn visit<G: Configurable>(&mut self, game: &G) {
        conformance::check(game, self.0);
    }
}

macro_rules! conforms {
    ($($name:ident: $spec:literal, $games:literal;)*) => {
        $(
            #[test]
            fn $name() {
                with_game($spec, &mut Check($games));
            }
        )*
    };
}

conforms! {
    tictactoe: "tictactoe", 300;
    connect4: "connect4", 200;
    connect4_4x4: "connect4:columns=4,rows=4", 200;
    connect4_5x4: "connect4:columns=5,rows=4", 200;
    connect4_9x6: "connect4:columns=9,rows=6", 50;
    connect4_6x9: "connect4:columns=6,rows=9", 50;
    connect4_8x7: "connect4:columns=8,rows=7,connect=5", 50;
    connect4_12x4: "connect4:columns=12,rows=4", 50;
    connect4_one_row: "connect4:columns=32,rows=1,connect=3", 50;
    connect4_one_column: "connect4:columns=1,rows=20,connect=2", 10;
    connect4_three: "connect4:columns=3,rows=15,connect=12", 50;
    chess: "chess", 2;
    mnk_3x3: "mnk:m=3,n=3,k=3", 300;
    mnk_4x3: "mnk:m=4,n=3,k=3", 200;
    mnk_3x5: "mnk:m=3,n=5,k=4", 200;
    mnk_7x5: "mnk:m=7,n=5,k=4", 50;
    mnk_10x10: "mnk:m=10,n=10,k=5", 5;
    mnk_10x10_exact: "mnk:m=10,n=10,k=4,exact=true", 5;
    mnk_19x19: "mnk:m=19,n=19,k=5", 1;
    mnk_19x19_line: "mnk:m=19,n=19,k=19,exact=true", 1;
    mnk_6x6_exact: "mnk:m=6,n=6,k=3,exact=true", 50;
    mnk_one_row: "mnk:m=19,n=1,k=6", 50;
    mnk_one_column: "mnk:m=1,n=19,k=2", 50;
}

/// Exchanges the colours where both sides have the same number of stones.
struct Antisymmetric<'a>(&'a str, Weights);

impl Visit for Antisymmetric<'_> {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let positions = conformance::positions(game, 30, 4);
        let swap = |state: &G::State| {
            if game.turn(state) == Turn::Over {
                return None;
            }
            let exchange = |c| match c {
                'x' => 'o',
                'o' => 'x',
                c => c,
            };
            let text: String = game.write_position(state).chars().map(exchange).collect();
            game.read_position(&text).ok()
        };
        conformance::antisymmetric(game, &positions, self.0, &self.1, swap);
    }
}

#[test]
fn evaluators_change_sign_with_the_colours() {
    let specs = [
        "tictactoe",
        "connect4",
        "connect4:columns=6,rows=5",
        "mnk:m=5,n=4,k=4",
        "mnk:m=10,n=10,k=5",
        "mnk:m=6,n=6,k=3,exact=true",
    ];
    for spec in specs {
        with_game(spec, &mut Antisymmetric("segments", Weights::new()));
        with_game(spec, &mut Antisymmetric("zero", Weights::new()));
        // The end of the game suits the sides differently, so this feature is left out.
        let weights = match spec.starts_with("connect4") {
            true => Weights::from([("zugzwang".to_owned(), 0)]),
            false => Weights::new(),
        };
        with_game(spec, &mut Antisymmetric("linear", weights));
    }
}
