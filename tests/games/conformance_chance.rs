//! The conformance suite over the games with chance, scores and layouts.

use crate::support::chance::build;
use agon::games::{Configurable, Einstein, Game, Pacman, Pig, Tree, Turn, Weights, conformance};

macro_rules! conforms {
    ($($name:ident: $game:ty, $numbers:expr, $texts:expr, $games:literal;)*) => {
        $(
            #[test]
            fn $name() {
                conformance::check(&build::<$game>(&$numbers, &$texts), $games);
            }
        )*
    };
}

conforms! {
    pig: Pig, [], [], 3;
    pig_to_ten: Pig, [("goal", 10)], [], 50;
    pig_to_one: Pig, [("goal", 1)], [], 50;
    pig_with_a_coin: Pig, [("goal", 20), ("die", 2)], [], 20;
    pig_with_a_hundred_faces: Pig, [("goal", 300), ("die", 100)], [], 10;
    einstein: Einstein, [], [], 4;
    einstein_fixed: Einstein, [], [("arrangement", "123456/654321")], 40;
    einstein_2x2: Einstein, [("size", 2)], [], 50;
    einstein_3x3: Einstein, [("size", 3)], [], 50;
    einstein_4x4_six: Einstein, [("size", 4), ("stones", 6)], [("arrangement", "246135")], 50;
    einstein_6x6_one: Einstein, [("size", 6), ("stones", 1)], [], 50;
    pacman_chase: Pacman, [], [], 30;
    pacman_dead_end: Pacman, [], [("layout", "dead_end")], 30;
    pacman_with_capsules: Pacman, [], [("layout", "tests/data/chance/capsules.txt")], 10;
    pacman_alone: Pacman, [], [("layout", "%%%%%%/%P__.%/%%%%%%")], 20;
    tree: Tree, [], [], 20;
    tree_of_a_gamble: Tree, [], [("file", "configs/trees/chance.toml")], 20;
    tree_with_names: Tree, [], [("file", "configs/trees/trap.toml")], 20;
    tree_of_many_forms: Tree, [], [("file", "tests/data/chance/forms.toml")], 100;
    tree_of_chance_only: Tree, [], [("text", "chance = [1, 2]")], 20;
    einstein_8x8: Einstein, [("size", 8)], [("arrangement", "531642")], 10;
}

fn antisymmetric<G: Configurable>(game: &G, swap: impl Fn(&G::State) -> G::State) {
    let positions = conformance::positions(game, 20, 4);
    let swap = |state: &G::State| (game.turn(state) != Turn::Over).then(|| swap(state));
    for evaluator in game.evaluators() {
        conformance::antisymmetric(game, &positions, evaluator.name, &Weights::new(), swap);
    }
}

#[test]
fn evaluators_change_sign_with_the_sides() {
    antisymmetric(&build::<Einstein>(&[], &[]), |state| state.exchanged());
    let pig: Pig = build(&[], &[]);
    antisymmetric(&pig, |state| {
        let text = pig.write_position(state);
        let (scores, rest) = text.split_once(' ').unwrap();
        let (first, second) = scores.split_once('-').unwrap();
        let rest = match rest.strip_prefix("first") {
            Some(rest) => format!("second{rest}"),
            None => rest.replace("second", "first"),
        };
        pig.read_position(&format!("{second}-{first} {rest}")).unwrap()
    });
}
