//! Tests of Pig: known results, exact values by value iteration, and play that agrees with them.

use agon::games::pig::value_iteration::{Solution, Strategy, hold_at};
use agon::games::{
    Configurable, Game, Notation, Pig, Player, PlayoutBuffer, Scoring, Turn, playout,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn pig(goal: u32) -> Pig {
    Pig::new(goal, 6).unwrap()
}

#[track_caller]
fn close(seen: f64, known: f64, error: f64) {
    assert!((seen - known).abs() <= error, "{seen:.12}, not {known}");
}

/// The fixture: `goal first second probability`, one match per line.
const KNOWN: &str = include_str!("../data/chance/pig.txt");

#[test]
fn known_matches() {
    let mut lines = 0;
    let hundred = Solution::optimal(&pig(100)).table();
    let optimal = |own, other, sum| f64::from(u8::from(hundred.rolls(own, other, sum)));
    let (hold_20, hold_25) = (hold_at(20), hold_at(25));
    for line in KNOWN.lines().filter(|line| !line.starts_with('#')) {
        let [goal, first, second, known] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("four words: {line}")
        };
        let game = pig(goal.parse().unwrap());
        let strategy = |word| match word {
            "best" => Strategy::Best,
            "optimal" => Strategy::Rolls(&optimal),
            "hold-20" => Strategy::Rolls(&hold_20),
            "hold-25" => Strategy::Rolls(&hold_25),
            "random" => Strategy::Rolls(&|_, _, _| 0.5),
            _ => panic!("no strategy {word}"),
        };
        let seen = Solution::of(&game, [strategy(first), strategy(second)]).first_wins();
        let digits = known.split('.').nth(1).unwrap().len() as i32;
        close(seen, known.parse().unwrap(), 0.5 * 10f64.powi(-digits) + 1e-12);
        lines += 1;
    }
    assert_eq!(lines, 15);
}

#[test]
fn random_play_agrees_with_the_exact_value() {
    let game = pig(100);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut buffer = PlayoutBuffer::default();
    let games = 100_000;
    let wins = (0..games).filter(|_| playout(&game, game.start(), &mut rng, &mut buffer).0 > 0);
    // Three standard errors.
    close(wins.count() as f64 / f64::from(games), 0.512658154, 3.0 * 0.5 / f64::from(games).sqrt());
}

#[test]
fn a_goal_within_one_face_is_solved_by_hand() {
    // With a goal of 2 points, every face but 1 suffices, so p = (1 - p)/6 + 5/6.
    let solution = Solution::optimal(&pig(2));
    close(solution.first_wins(), 6.0 / 7.0, 1e-15);
    close(solution.at_start(1, 0, 0), 6.0 / 7.0, 1e-15);
    let [roll, hold] = solution.roll_or_hold(0, 0, 0);
    close(roll, 6.0 / 7.0, 1e-15);
    close(hold, 1.0 / 7.0, 1e-15);
    let table = solution.table();
    assert!(table.rolls(0, 0, 0) && !table.rolls(0, 0, 2) && !table.rolls(1, 1, 6));
}

#[test]
fn the_optimal_table_holds_and_rolls_by_the_rule_of_thumb() {
    // T. W. Neller and C. G. M. Presser, "Practical Play of the Dice Game Pig", The UMAP
    // Journal 31(1), 2010: hold at 21 with equal scores, roll to win from 71 on.
    let table = Solution::optimal(&pig(100)).table();
    assert!(table.rolls(0, 0, 20) && !table.rolls(0, 0, 21));
    assert!(table.rolls(80, 10, 19) && table.rolls(10, 99, 89));
}

#[test]
fn with_enough_to_win_only_hold_is_legal() {
    let game = pig(100);
    let state = game.read_position("92-40 first 8").unwrap();
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    assert_eq!(moves.len(), 1);
    assert!(game.notation().read_move(&state, "roll").unwrap_err().contains("only `hold`"));
    let mut after = state;
    game.play(&mut after, game.notation().read_move(&state, "hold").unwrap());
    assert_eq!(game.scoring().winner(&after), Some(Player::First));
    assert_eq!(game.write_position(&after), "100-40 first 0");
    assert_eq!(game.reason(&after), "goal");
}

#[test]
fn a_one_loses_the_turn() {
    let game = pig(100);
    let mut state = game.read_position("12-30 second 8 rolling").unwrap();
    let one = game.notation().read_move(&state, "d1").unwrap();
    game.play(&mut state, one);
    assert_eq!(game.write_position(&state), "12-30 first 0");
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = pig(100);
    for text in [
        "",
        "12",
        "12-1",
        "12-30 first 1",
        "106-3",
        "100-100",
        "90-90 second 16",
        "99-10 first 8 rolling",
        "100-3 second 4",
        "12-30 third",
        "1-2-3-4",
        "99999999-1",
        "65535-65535 first 65535",
        "first second 3-4",
        "50-30 first -2",
        "50-30 first +2",
        "-50-30 first",
        "50 -30",
        "50--30",
        "50-30 first ٣",
    ] {
        assert!(game.read_position(text).is_err(), "{text}");
    }
    let state = game.read_position("50-30 first 2");
    for text in ["50:30 2", "50 - 30, 2", "50,30+2", "050 030 first 02"] {
        assert_eq!(game.read_position(text), state, "{text}");
    }
}

#[test]
fn values_agree_with_the_moves_below_them() {
    let game = Pig::new(20, 6).expect("a goal");
    let Ok(mut solver) = game.exact_solver() else { panic!("a solver") };
    let mut pending = vec![game.start()];
    let mut checked = 0;
    while let Some(state) = pending.pop() {
        checked += 1;
        if checked > 2_000 {
            return;
        }
        let after = |mv| {
            let mut child = state;
            game.play(&mut child, mv);
            child
        };
        let value = solver.value(&game, &state).mean;
        let below = match game.turn(&state) {
            Turn::Over => continue,
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                pending.extend(outcomes.iter().map(|&(face, _)| after(face)));
                let values = outcomes.iter().map(|&(face, _)| after(face));
                values.map(|child| solver.value(&game, &child).mean).sum::<f64>() / 6.0
            }
            Turn::Player(player) => {
                let mut moves = Vec::new();
                game.moves(&state, &mut moves);
                pending.extend(moves.iter().map(|&mv| after(mv)));
                let values = moves.iter().map(|&mv| after(mv));
                let values = values.map(|child| solver.value(&game, &child).mean);
                match player {
                    Player::First => values.fold(f64::NEG_INFINITY, f64::max),
                    Player::Second => values.fold(f64::INFINITY, f64::min),
                }
            }
        };
        assert!((value - below).abs() < 1e-12, "{state:?}: {value} and {below}");
    }
    panic!("too few positions");
}
