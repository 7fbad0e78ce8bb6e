//! Games with human players: moves as text, undo, hints.

use agon::games::{Chess, Configurable, Connect4Standard, Pig, Player, Turn};
use agon::params::{Spec, Value, Values};
use agon::play::{AnyGame, InteractiveGame, InteractiveSetup};

fn open<G: Configurable>(agents: [Option<Spec>; 2], opening: Option<&str>) -> InteractiveGame {
    let game = AnyGame::of(G::build(&Values::default()).expect("the usual size"));
    let setup = InteractiveSetup {
        agents,
        seed: 7,
        opening: opening.map(str::to_owned),
        ..InteractiveSetup::default()
    };
    game.interactive(&setup).expect("a game")
}

fn spec(kind: &str, depth: i64) -> Spec {
    let mut spec = Spec { kind: kind.to_owned(), ..Spec::default() };
    if depth > 0 {
        spec.values.set("depth", Value::Int(depth));
    }
    spec
}

#[test]
fn undo_goes_back_to_a_decision_and_chance_stays_what_it_was() {
    let mut played = open::<Pig>([None, Some(spec("random", 0))], None);
    let start = played.position();
    assert_eq!(played.undo(), 0);
    let until_next = |played: &mut InteractiveGame| {
        played.play("roll").expect("legal");
        let mut said = Vec::new();
        loop {
            match played.turn() {
                Turn::Chance => said.push(played.roll()),
                Turn::Player(Player::Second) => {
                    said.push(played.play_agent_move().expect("fine").text)
                }
                _ => return said,
            }
        }
    };
    let first = until_next(&mut played);
    let there = played.position();
    let dice = first.iter().filter(|text| text.starts_with('d')).count();
    assert_eq!(played.undo(), first.len() + 1 - dice);
    assert_eq!(played.position(), start);
    assert_eq!(until_next(&mut played), first);
    assert_eq!(played.position(), there);
    assert_eq!(played.line(), Some(format!("roll {}", first.join(" "))));
}

#[test]
fn lines_and_positions_can_be_taken_up_again() {
    let mut played = open::<Connect4Standard>([None, None], Some("4 4"));
    played.play("3").expect("legal");
    assert!(played.play("8").is_err());
    assert_eq!(played.line().as_deref(), Some("4 4 3"));
    let again = open::<Connect4Standard>([None, None], played.line().as_deref());
    assert_eq!(again.position(), played.position());
    let position = played.position();
    let mut again = open::<Connect4Standard>([None, None], Some(&position));
    assert_eq!((again.position(), again.line()), (position.clone(), None));
    again.play("1").expect("legal");
    assert_eq!(again.undo(), 1);
    assert_eq!(again.position(), position);
}

#[test]
fn people_see_their_notation_and_lines_keep_that_of_files() {
    let mut played = open::<Chess>([None, None], Some("e2e4 e7e5"));
    assert!(played.legal_moves().contains(&"Nf3".to_owned()));
    assert_eq!(played.play("g1f3").as_deref(), Ok("Nf3"));
    assert_eq!(played.play("Nc6").as_deref(), Ok("Nc6"));
    assert_eq!(played.line().as_deref(), Some("e2e4 e7e5 g1f3 b8c6"));
    let advice = played.hint(&spec("alphabeta", 1)).expect("advice");
    assert!(played.legal_moves().contains(&advice.answer.text));
    assert_eq!(advice.values.len(), played.legal_moves().len());
}

#[test]
fn a_hint_values_every_move_and_changes_nothing() {
    let mut played = open::<Connect4Standard>([None, Some(spec("minimax", 2))], Some("4 1 4 1 4"));
    played.undo();
    let mut other = open::<Connect4Standard>([None, None], Some("4 1 4 1 4"));
    // The second player must block the column.
    let advice = other.hint(&spec("alphabeta", 4)).expect("advice");
    assert_eq!(advice.answer.text, "4");
    assert_eq!(advice.values.len(), 7);
    assert!(advice.values.iter().all(|(text, value)| text == "4" || *value > 1e9));
    assert_eq!(other.line().as_deref(), Some("4 1 4 1 4"));
    assert_eq!(played.play_agent_move().expect("a move").text, "4");
    assert!(other.hint(&spec("optimal", 0)).is_err());
}

/// Two separate searches once disagreed: after `4 3` the move had +8 and another move +99.
#[test]
fn a_hint_has_the_best_of_its_values() {
    let mut searcher = spec("alphabeta", 0);
    searcher.values.set("nodes", Value::Int(20_000));
    let agrees = |mut played: InteractiveGame| {
        let Turn::Player(player) = played.turn() else { panic!("a player moves") };
        let advice = played.hint(&searcher).expect("advice");
        let (line, moves) = (played.line(), played.legal_moves());
        assert_eq!(advice.values.iter().map(|(mv, _)| mv.clone()).collect::<Vec<_>>(), moves);
        let own = |value: f64| f64::from(player.sign()) * value;
        let best = advice.values.iter().map(|&(_, value)| own(value)).fold(-1e99, f64::max);
        let value = |mv: &str| advice.values.iter().find(|(text, _)| text == mv).unwrap().1;
        assert_eq!(own(value(&advice.answer.text)), best, "{line:?}");
        assert_eq!(advice.answer.search_info.value.map(own), Some(best), "{line:?}");
    };
    for line in ["", "1", "4", "4 3", "4 4", "2 6 3", "4 4 4", "1 7 1 7", "3 4 5 4", "4 1 4 1"] {
        agrees(open::<Connect4Standard>([None, None], Some(line)));
    }
    for line in ["", "e2e4", "e2e4 e7e5 g1f3"] {
        agrees(open::<Chess>([None, None], Some(line)));
    }
}
