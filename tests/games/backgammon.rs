//! Tests of backgammon: rules, texts, known results, and bear-offs.

use std::collections::HashSet;

use crate::support::chance::{build, follow};
use agon::games::{
    Backgammon, Configurable, Drawing, Exact, Game, Notation, Player, Scoring, Turn, conformance,
    random_outcome,
};
use agon::params::{Value, Values};
use agon::solve::exact_solver;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

const START: &str = "-b----E-C---eE---c-e----B-";

fn game() -> Backgammon {
    build(&[], &[])
}

fn texts(game: &Backgammon, position: &str) -> Vec<String> {
    let state = game.read_position(position).expect(position);
    let mut moves = Vec::new();
    game.moves(&state, &mut moves);
    let text = |mv| {
        let mut text = String::new();
        game.write_move(&state, mv, &mut text);
        text
    };
    moves.into_iter().map(text).collect()
}

#[track_caller]
fn legal(position: &str, expected: &[&str]) {
    let mut found = texts(&game(), position);
    found.sort();
    let mut expected: Vec<_> = expected.to_vec();
    expected.sort();
    assert_eq!(found, expected, "{position}");
}

/// Two other programs have these numbers, except those of doubles, which are from one.
#[test]
fn first_rolls_have_their_known_numbers_of_positions() {
    let game = game();
    for (roll, count) in [
        ("21", 15),
        ("31", 16),
        ("41", 14),
        ("51", 8),
        ("61", 10),
        ("32", 17),
        ("42", 18),
        ("52", 8),
        ("62", 14),
        ("43", 17),
        ("53", 9),
        ("63", 14),
        ("54", 9),
        ("64", 14),
        ("65", 7),
        ("11", 42),
        ("22", 75),
        ("33", 73),
        ("44", 52),
        ("55", 4),
        ("66", 11),
    ] {
        for side in ["first", "second"] {
            let state = game.read_position(&format!("{START} {side} {roll}")).expect("a position");
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let ends: HashSet<String> = moves
                .iter()
                .map(|&mv| {
                    let mut after = state;
                    game.play(&mut after, mv);
                    game.write_position(&after)
                })
                .collect();
            assert_eq!((moves.len(), ends.len()), (count, count), "{roll} of the {side} player");
        }
    }
}

/// All positions after a turn by the words of the rules: every order of every step, on a plain array.
struct Slow {
    own: [i32; 26],
    other: [i32; 26],
}

impl Slow {
    fn of(game: &Backgammon, state: &<Backgammon as Game>::State) -> (Slow, [usize; 2]) {
        let text = game.write_position(state);
        let words: Vec<&str> = text.split(' ').collect();
        let (mut first, mut second) = ([0; 26], [0; 26]);
        for (place, letter) in words[0].bytes().enumerate() {
            match letter {
                b'A'..=b'O' => first[place] = i32::from(letter - b'A') + 1,
                b'a'..=b'o' => second[25 - place] = i32::from(letter - b'a') + 1,
                _ => {}
            }
        }
        let (own, other) = if words[1] == "first" { (first, second) } else { (second, first) };
        let dice = words[2].bytes().map(|die| usize::from(die - b'0')).collect::<Vec<_>>();
        (Slow { own, other }, [dice[0], dice[1]])
    }

    fn step(&self, from: usize, die: usize) -> Option<Slow> {
        let Slow { mut own, mut other } = *self;
        if own[from] == 0 || from != 25 && own[25] > 0 {
            return None;
        }
        own[from] -= 1;
        if from > die {
            let to = from - die;
            match other[25 - to] {
                0 => {}
                1 => {
                    other[25 - to] = 0;
                    other[25] += 1;
                }
                _ => return None,
            }
            own[to] += 1;
        } else {
            let home = self.own[7..].iter().all(|count| *count == 0);
            let exact = from == die || self.own[from + 1..].iter().all(|count| *count == 0);
            if !home || !exact {
                return None;
            }
        }
        Some(Slow { own, other })
    }

    /// Adds the ends of all longest turns: by number of steps and largest die of a single step.
    fn turns(&self, dice: &[usize], played: (usize, usize), out: &mut Vec<((usize, usize), Slow)>) {
        for (i, &die) in dice.iter().enumerate() {
            let rest: Vec<usize> = [&dice[..i], &dice[i + 1..]].concat();
            for from in 1..=25 {
                if let Some(next) = self.step(from, die) {
                    next.turns(&rest, (played.0 + 1, if played.0 == 0 { die } else { 0 }), out);
                }
            }
        }
        out.push((played, Slow { own: self.own, other: self.other }));
    }
}

#[test]
fn turns_agree_with_the_words_of_the_rules() {
    let game = game();
    let mut seen = HashSet::new();
    for state in conformance::positions(&game, 15, 7) {
        let Turn::Player(player) = game.turn(&state) else { continue };
        let (slow, dice) = Slow::of(&game, &state);
        let dice = if dice[0] == dice[1] { vec![dice[0]; 4] } else { dice.to_vec() };
        let mut turns = Vec::new();
        slow.turns(&dice, (0, 0), &mut turns);
        let longest = turns.iter().map(|(played, _)| *played).max().expect("no step at least");
        let ends: HashSet<_> = turns
            .into_iter()
            .filter(|(played, _)| *played == longest)
            .map(|(_, Slow { own, other })| (own, other))
            .collect();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        let numbers = |state: &<Backgammon as Game>::State| {
            [player, player.other()].map(|player| {
                let mut numbers = [0; 26];
                (1..=25).for_each(|p| numbers[p] = state.checkers(player).at(p as u32) as i32);
                numbers
            })
        };
        let found: HashSet<_> = moves
            .iter()
            .map(|&mv| {
                let mut after = state;
                game.play(&mut after, mv);
                let [own, other] = numbers(&after);
                (own, other)
            })
            .collect();
        assert_eq!(found, ends, "{}", game.write_position(&state));
        assert_eq!(moves.len(), ends.len(), "equal positions in {}", game.write_position(&state));
        seen.insert((longest.0, dice.len()));
    }
    // No step, one step, all steps; with doubles also two and three.
    assert_eq!(seen.len(), 8, "{seen:?}");
}

/// The board with checkers on these points, in the first player's numbers: 25 and 0 are the bars.
fn board(first: &[(usize, u8)], second: &[(usize, u8)]) -> String {
    let mut letters = ['-'; 26];
    for (none, checkers) in [(b'A', first), (b'a', second)] {
        for &(point, count) in checkers {
            letters[point] = char::from(none - 1 + count);
        }
    }
    letters.iter().collect()
}

#[test]
fn both_dice_are_played_if_possible() {
    let first = |first: &[(usize, u8)], second: &[(usize, u8)], roll: &str, moves: &[&str]| {
        legal(&format!("{} first {roll}", board(first, second)), moves);
    };
    // Either die can be played, but not both: the larger one.
    first(&[(23, 1)], &[(12, 2)], "65", &["23/17"]);
    // Only the smaller can be played.
    first(&[(23, 1)], &[(17, 2), (12, 2)], "65", &["23/18"]);
    // Only one order is open.
    first(&[(23, 1)], &[(17, 2)], "65", &["23/12"]);
    first(&[(23, 1)], &[(17, 2), (18, 2)], "65", &["pass"]);
    // A double: two of four steps, then one.
    first(&[(24, 2)], &[(14, 2)], "55", &["24/19(2)"]);
    first(&[(24, 1)], &[(14, 2)], "55", &["24/19"]);
}

#[test]
fn checkers_on_the_bar_enter_first() {
    let second = [(19, 2), (22, 2)];
    let position =
        |count: u8, roll: &str| format!("{} first {roll}", board(&[(25, count), (13, 1)], &second));
    // Points 19 and 22 are closed: 6 and 3 do not enter.
    legal(&position(1, "63"), &["pass"]);
    legal(&position(1, "61"), &["bar/18", "bar/24+13/7"]);
    legal(&position(2, "61"), &["bar/24"]);
    legal(
        &position(2, "44"),
        &["bar/21(2)+13/5", "bar/17+bar/21+13/9", "bar/17(2)", "bar/13+bar/21"],
    );
}

#[test]
fn checkers_are_borne_off_by_the_die_or_from_the_highest_point() {
    let first = |checkers: &[(usize, u8)], roll: &str, moves: &[&str]| {
        legal(&format!("{} first {roll}", board(checkers, &[(24, 2)])), moves);
    };
    // Both dice take the upper checker off: 6/3/off.
    first(&[(6, 1), (3, 1)], "63", &["6/off", "6/off+3/off"]);
    first(&[(4, 1), (2, 1)], "65", &["4/off+2/off"]);
    first(&[(5, 1), (2, 1)], "43", &["5/off", "5/1+2/off"]);
    // A checker outside the home must come home first.
    first(&[(7, 1), (1, 2)], "61", &["7/off"]);
    first(&[(2, 5)], "66", &["2/off(4)"]);
}

#[test]
fn hits_are_written_and_send_to_the_bar() {
    let checkers = [(24, 1), (8, 1), (6, 2)];
    let start = format!("{} first", board(&checkers, &[(18, 1), (4, 1), (1, 2)]));
    // The way decides what is hit.
    legal(&format!("{} first 65", board(&[(24, 1)], &[(18, 1), (1, 2)])), &["24/18*/13", "24/13"]);
    legal(
        &format!("{} first 65", board(&[(24, 1)], &[(18, 1), (19, 1), (1, 2)])),
        &["24/18*/13", "24/19*/13"],
    );
    let expected = board(&[(24, 1), (6, 1), (4, 2)], &[(18, 1), (1, 2), (0, 1)]);
    for text in ["8/4*+6/4", "8/4+6/4", "8/4* 6/4", "8-4, 6-4", "6/4*;8/4*", "6/4 8/4"] {
        let text = text.replace(", ", "+");
        let game = game();
        let state = game.read_position(&format!("{start} 42")).expect("a position");
        let mv = game.notation().read_move(&state, &text).expect(&text);
        let mut end = state;
        game.play(&mut end, mv);
        assert_eq!(game.write_position(&end), format!("{expected} second"), "{text}");
        assert_eq!(game.notation().san(&state, mv), "8/4* 6/4");
    }
    let double = format!("{} first 22", board(&[(8, 2), (6, 2)], &[(4, 1), (1, 2)]));
    assert!(texts(&game(), &double).contains(&"8/4*(2)".to_owned()));
    assert!(texts(&game(), &double).contains(&"8/4*+6/4(2)".to_owned()));
}

#[test]
fn moves_are_read_leniently_and_refused_with_the_legal_ones() {
    let game = game();
    let state = game.read_position(&format!("{START} first 31")).expect("a position");
    for text in ["8/5+6/5", "8/5 6/5", "6/5 8/5", " 8-5 6-5 ", "8/5;6/5"] {
        let mv = game.notation().read_move(&state, text).expect(text);
        assert_eq!(game.notation().san(&state, mv), "8/5 6/5");
    }
    for text in ["24/23/20", "24/21/20", "24/20", "24/23 23/20"] {
        let mv = game.notation().read_move(&state, text).expect(text);
        assert_eq!(game.notation().san(&state, mv), "24/20");
    }
    let error = |text: &str| game.notation().read_move(&state, text).expect_err(text);
    assert!(error("13/8").starts_with("`13/8` is not a legal move; legal: "), "{}", error("13/8"));
    for text in ["8/5", "8", "pass", "8/5(5) 6/5", "5/8 5/6", "8/5 6/5 6", "99/3", "8//5"] {
        error(text);
    }
    let both = board(&[(24, 1)], &[(18, 1), (19, 1), (1, 2)]) + " first 65";
    let both = game.read_position(&both).expect("a position");
    let error = game.notation().read_move(&both, "24/13").expect_err("two ways");
    assert_eq!(error, "`24/13` is not clear; it may be: 24/19*/13, 24/18*/13");
}

#[test]
fn the_first_roll_decides_who_begins() {
    let game = game();
    let start = game.start();
    assert_eq!(game.write_position(&start), format!("{START} begin"));
    let mut outcomes = Vec::new();
    game.outcomes(&start, &mut outcomes);
    assert_eq!((outcomes.len(), outcomes.iter().map(|(_, weight)| weight).sum()), (30, 30));
    for (roll, side) in [("31", "first 31"), ("13", "second 31"), ("6-5", "first 65")] {
        assert_eq!(game.write_position(&follow(&game, &start, roll)), format!("{START} {side}"));
    }
    let error = game.notation().read_move(&start, "33").expect_err("a double");
    assert!(error.starts_with("`33` is not a first roll"));
    let later = follow(&game, &start, "31 8/5+6/5");
    outcomes.clear();
    game.outcomes(&later, &mut outcomes);
    assert_eq!((outcomes.len(), outcomes.iter().map(|(_, weight)| weight).sum()), (21, 36));
    assert_eq!(follow(&game, &later, "64"), follow(&game, &later, "46"));
    assert!(game.notation().read_move(&later, "70").is_err());
}

#[test]
fn fast_random_outcomes_follow_the_weights() {
    let game = game();
    let begin = game.start();
    let later = follow(&game, &begin, "31 8/5+6/5");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (state, draws) in [(begin, 30_000), (later, 36_000)] {
        let mut outcomes = Vec::new();
        game.outcomes(&state, &mut outcomes);
        let mut counts = vec![0; outcomes.len()];
        for _ in 0..draws {
            let mv = random_outcome(&game, &state, &mut rng, &mut Vec::new());
            counts[outcomes.iter().position(|(outcome, _)| *outcome == mv).expect("known")] += 1;
        }
        for ((outcome, weight), count) in outcomes.iter().zip(counts) {
            // Five standard deviations.
            let expected = 1000.0 * f64::from(*weight);
            assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{outcome:?}");
        }
    }
}

#[test]
fn positions_are_read_and_refused() {
    let game = game();
    let state = game.read_position("-b----E-C---eE---c-e----B- second 52").expect("a position");
    for text in [
        "-b----E-C---eE---c-e----B- o 25",
        "XGID=-b----E-C---eE---c-e----B-:0:0:-1:52:0:0:3:0:10",
        "xgid=-b----E-C---eE---c-e----B-:0:0:-1:25:0:0:0:0:10",
        ".b....E.C...eE...c.e....B. second 5-2",
    ] {
        assert_eq!(game.read_position(text), Ok(state), "{text}");
    }
    for (text, why) in [
        ("", "write 26 letters"),
        ("-b- first", "3 letters for the board"),
        ("-b----E-C---eE---c-e----B! first", "`!` is not a number of checkers"),
        ("Ab----E-C---eE---c-e----B- first", "that bar is the other player's"),
        ("-b----O-C---eE---c-e----B- first", "25 checkers of the first player"),
        ("-b----E-C---eo---c-e----B- first", "30 checkers of the second player"),
        ("-b----E-C---eE---c-e----B- first 70", "`70` is not a roll"),
        ("-b----E-C---eE---c-e----B- first 31 31", "`31` is too much"),
        ("-b----E-C---eE---c-e----B- first begin", "no side and no roll is known"),
        ("-b----E-C---eE---c-d----B- begin", "the first roll is at the start"),
        ("-------------------------- first", "a board without checkers"),
        ("-b------------------------ first 31", "the game is over"),
        ("XGID=-b----E-C---eE---c-e----B-:0:0:2:52:0:0:3:0:10", "`2` is not a side"),
        ("XGID=-b----E-C---eE---c-e----B-", "an XGID has ten fields"),
    ] {
        let error = game.read_position(text).expect_err(text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_board_is_drawn_with_numbers_of_checkers() {
    let game = game();
    let state = follow(&game, &game.start(), "31 8/5+6/5");
    assert_eq!(
        game.drawing().text(&state),
        "  13  14  15  16  17  18 bar  19  20  21  22  23  24 off
  x5   .   .   .  o3   .      o5   .   .   .   .  x2
  o5   .   .   .  x2   .      x4  x2   .   .   .  o2
  12  11  10   9   8   7 bar   6   5   4   3   2   1 off
pips: x 163, o 167; o rolls
"
    );
}

/// The chance to bear off two checkers in one roll, as in every book on backgammon: rolls of 36.
#[test]
fn two_checkers_are_borne_off_as_often_as_known() {
    let game = game();
    let mut solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    for ([a, b], rolls) in [
        ([1, 1], 36),
        ([1, 2], 36),
        ([1, 3], 34),
        ([1, 4], 29),
        ([1, 5], 23),
        ([1, 6], 15),
        ([2, 2], 26),
        ([2, 3], 25),
        ([2, 4], 23),
        ([2, 5], 19),
        ([2, 6], 13),
        ([3, 3], 17),
        ([3, 4], 17),
        ([3, 5], 14),
        ([3, 6], 10),
        ([4, 4], 11),
        ([4, 5], 10),
        ([4, 6], 8),
        ([5, 5], 6),
        ([5, 6], 6),
        ([6, 6], 4),
    ] {
        let own = if a == b { vec![(a, 2)] } else { vec![(a, 1), (b, 1)] };
        // The other side would be out at its next roll.
        let position = format!("{} first", board(&own, &[(24, 1)]));
        let state = game.read_position(&position).expect("a position");
        let value = solver.value(&game, &state);
        assert!((0.5 + 0.5 * value.mean - f64::from(rolls) / 36.0).abs() < 1e-12, "{a} {b}");
    }
}

/// The values of gnubg's database, in steps of 1/65535.
#[test]
fn bear_offs_have_the_values_of_gnubg() {
    let game = game();
    let mut solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    for (position, wins) in [
        ("-A-C---------------b-a---- first", 0.832273),
        ("----A-B---------------c-a- first", 0.565042),
    ] {
        let state = game.read_position(position).expect(position);
        let found = 0.5 + 0.5 * solver.value(&game, &state).mean;
        assert!((found - wins).abs() < 5e-5, "{position}: {found}");
    }
}

/// The solver's values are those of plain expectimax, and change sign with the sides.
#[test]
fn bear_offs_have_the_values_of_full_search() {
    let game = game();
    let mut solver = exact_solver(&game).map_err(|no| no.why).expect("a solver");
    for position in [
        "--A------------------aa--- first",
        "----A---------------a-a--- second",
        "-B---A---------------a---- first 21",
        "------A-------------a---a- second 43",
    ] {
        let state = game.read_position(position).expect(position);
        let Exact { mean, .. } = solver.value(&game, &state);
        assert!((mean - full(&game, &state)).abs() < 1e-12, "{position}");
        assert!((mean + solver.value(&game, &state.exchanged()).mean).abs() < 1e-12);
    }
    for refused in ["-b----E-C---eE---c-e----B- begin", "-I----------------------a- first"] {
        let state = game.read_position(refused).expect(refused);
        assert!(solver.refuses(&game, &state).is_some(), "{refused}");
    }
}

fn full(game: &Backgammon, state: &<Backgammon as Game>::State) -> f64 {
    let value = |mv| {
        let mut next = *state;
        game.play(&mut next, mv);
        full(game, &next)
    };
    match game.turn(state) {
        Turn::Over => f64::from(game.payoff(state)),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            outcomes.into_iter().map(|(mv, weight)| f64::from(weight) / 36.0 * value(mv)).sum()
        }
        Turn::Player(player) => {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            let sign = f64::from(player.sign());
            moves.into_iter().map(|mv| sign * value(mv)).fold(f64::MIN, f64::max) * sign
        }
    }
}

#[test]
fn games_end_with_points() {
    let (plain, scored) = (
        game(),
        Backgammon::build(&{
            let mut values = Values::default();
            values.set("gammons", Value::Bool(true));
            values
        }),
    );
    let scored = scored.expect("a game");
    for (position, points, reason) in [
        ("-A-----------------------e first", 0, ""),
        ("-A-----------n------------ first 21", 1, "borne off"),
        ("-A-----------o------------ first 21", 2, "gammon"),
        ("-A----a------n------------ first 21", 3, "backgammon"),
        ("aA-----------n------------ first 21", 3, "backgammon"),
    ] {
        if points == 0 {
            assert!(plain.read_position(position).is_err());
            continue;
        }
        let state = plain.read_position(position).expect(position);
        let end = follow(&plain, &state, "1/off");
        assert_eq!((plain.turn(&end), plain.reason(&end)), (Turn::Over, reason));
        assert_eq!((plain.payoff(&end), scored.payoff(&end)), (1, points));
        assert_eq!(plain.scoring().winner(&end), Some(Player::First));
        assert_eq!(scored.payoff(&end.exchanged()), -points);
    }
    assert!(!plain.scoring().numeric_score() && scored.scoring().numeric_score());
}
