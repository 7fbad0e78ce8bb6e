//! Tests of EinStein würfelt nicht: rules, known results, and play that agrees with them.

use crate::support::chance::{Exact, build, chances, follow};
use agon::games::einstein::Stones;
use agon::games::{
    Configurable, Einstein, Game, Notation, Player, PlayoutBuffer, Scoring, Shortcuts, Symmetry,
    Turn, playout,
};
use agon::params::{Value, Values};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

#[track_caller]
fn close(seen: f64, known: f64, error: f64) {
    assert!((seen - known).abs() <= error, "{seen:.9}, not {known}");
}

/// The first player's winning probability: mean over all arrangements, lowest, highest.
fn solved(size: i64, stones: i64) -> [f64; 3] {
    let game: Einstein = build(&[("size", size), ("stones", stones)], &[]);
    // Rotates positions of the second player, so both players share one set of positions.
    let mut exact = Exact::standing(&game, |game, state| match state.side() {
        Player::First => (game.symmetry().canonical_key(state), 1.0),
        Player::Second => (game.symmetry().canonical_key(&state.exchanged()), -1.0),
    });
    let mut of = Vec::new();
    for (p, first) in chances(&game, &game.start()) {
        for (q, both) in chances(&game, &first) {
            of.push((p * q, (1.0 + exact.value(&both)) / 2.0));
        }
    }
    let values = || of.iter().map(|(_, value)| *value);
    let mean = of.iter().map(|(p, value)| p * value).sum();
    [mean, values().fold(1.0, f64::min), values().fold(0.0, f64::max)]
}

#[test]
fn one_stone_each_always_wins_for_the_mover() {
    for size in 2..=6 {
        assert_eq!(solved(size, 1), [1.0; 3], "size {size}");
    }
}

#[test]
fn three_stones_on_three_by_three() {
    let [mean, lowest, highest] = solved(3, 3);
    close(mean, 0.667124, 5e-7);
    close(lowest, 0.588477, 5e-7);
    close(highest, 0.699588, 5e-7);
}

#[test]
fn three_stones_on_four_by_four() {
    let [mean, lowest, highest] = solved(4, 3);
    close(mean, 0.552097, 5e-7);
    close(lowest, 0.516967, 5e-7);
    close(highest, 0.591711, 5e-7);
}

#[test]
fn random_play_wins_a_little_more_than_half_for_the_mover() {
    let game: Einstein = build(&[], &[]);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut buffer = PlayoutBuffer::default();
    let games = 200_000;
    let (mut wins, mut all) = (0, 0);
    for _ in 0..games {
        let (payoff, plies) = playout(&game, game.start(), &mut rng, &mut buffer);
        wins += i32::from(payoff > 0);
        all += plies;
    }
    close(f64::from(wins) / f64::from(games), 0.532, 0.004);
    close(f64::from(all) / f64::from(games), 21.58, 0.03);
}

#[test]
fn fast_random_outcomes_follow_the_weights() {
    let game: Einstein = build(&[], &[]);
    let state = game.read_position("...../.x2.../....x5/.o4.../o1.... first").unwrap();
    let mut outcomes = Vec::new();
    game.outcomes(&state, &mut outcomes);
    // Faces 1 and 2 move stone 2, faces 5 and 6 stone 5, faces 3 and 4 either stone.
    let weights: Vec<u32> = outcomes.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights, [2, 2, 2]);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut counts = [0; 3];
    for _ in 0..30_000 {
        let mv = game.shortcuts().random_outcome(&state, &mut rng, &mut Vec::new());
        counts[outcomes.iter().position(|(outcome, _)| *outcome == mv).unwrap()] += 1;
    }
    // Four standard deviations.
    assert!(counts.iter().all(|count| (9_670..10_330).contains(count)), "{counts:?}");
}

#[test]
fn a_die_for_a_lost_stone_lets_its_neighbours_move() {
    let game: Einstein = build(&[], &[]);
    let state = game.read_position("...../.x2.../....x5/.o4.../o1.... first").unwrap();
    let rolled = follow(&game, &state, "d4");
    // Faces with the same effect are one outcome, written as the lowest of these faces.
    assert!(game.write_position(&rolled).ends_with(" first d3"));
    let mut texts = String::new();
    let mut moves = Vec::new();
    game.moves(&rolled, &mut moves);
    for mv in moves {
        game.write_move(&rolled, mv, &mut texts);
        texts.push(' ');
    }
    // Stone 2 along the row, along the column, along the diagonal; stone 5 at the edge.
    assert_eq!(texts, "2c4 2b3 2c3 5e2 ");
    for lenient in ["2c3", "b4c3", "b4-c3", "2xC3", "c3", " 2C3 "] {
        let state = follow(&game, &rolled, lenient.trim());
        assert_eq!(game.turn(&state), Turn::Chance);
        assert_eq!(state.side(), Player::Second);
    }
    assert!(
        game.notation()
            .read_move(&rolled, "2b5")
            .unwrap_err()
            .contains("legal: 2c4, 2b3, 2c3, 5e2")
    );
}

#[test]
fn stones_capture_own_stones_and_enemies() {
    let game: Einstein = build(&[], &[]);
    let state = game.read_position("x1x2.../..o3../o4..../...../..... first d1").unwrap();
    let own = follow(&game, &state, "1b5");
    assert_eq!(game.write_position(&own), ".x1.../..o3../o4..../...../..... second");
    let enemy = follow(&game, &own, "d3 3b5");
    assert_eq!(game.turn(&enemy), Turn::Over);
    assert_eq!(game.reason(&enemy), "no stones left");
    assert_eq!(game.scoring().winner(&enemy), Some(Player::Second));
}

#[test]
fn the_opposite_corner_wins() {
    let game: Einstein = build(&[], &[]);
    let state = game.read_position("...../...../...../...x2./...o1. first d2").unwrap();
    let end = follow(&game, &state, "2e1");
    assert_eq!(game.turn(&end), Turn::Over);
    assert_eq!((game.scoring().winner(&end), game.reason(&end)), (Some(Player::First), "corner"));
    assert_eq!(game.write_position(&end), "...../...../...../...../...o1x2 first");
}

#[test]
fn arrangements_are_chance_or_fixed() {
    let random: Einstein = build(&[], &[]);
    let mut outcomes = Vec::new();
    random.outcomes(&random.start(), &mut outcomes);
    assert_eq!(outcomes.len(), 720);
    let by_moves = follow(&random, &random.start(), "214365 123456");
    let fixed: Einstein = build(&[], &[("arrangement", "214365/123456")]);
    assert_eq!(by_moves, fixed.start());
    assert_eq!(
        fixed.write_position(&fixed.start()),
        "x2x1x4../x3x6.../x5...o6/...o5o4/..o3o2o1 first"
    );
    let same: Einstein = build(&[("size", 3)], &[("arrangement", "312")]);
    assert_eq!(same.write_position(&same.start()), "x3x1./x2.o2/.o1o3 first");
}

#[test]
fn parameters_that_do_not_fit_are_refused_at_their_key() {
    let refused = |numbers: &[(&str, i64)], arrangement: &str| {
        let mut values = Values::default();
        numbers.iter().for_each(|(key, value)| values.set(key, Value::Int(*value)));
        values.set("arrangement", Value::Text(arrangement.to_owned()));
        let error = Einstein::build(&values).unwrap_err();
        assert!(!error.help.is_empty());
        error.key.unwrap()
    };
    assert_eq!(refused(&[("size", 9)], "random"), "size");
    assert_eq!(refused(&[("stones", 4)], "random"), "stones");
    assert_eq!(refused(&[("size", 3), ("stones", 6)], "random"), "stones");
    for text in ["", "12345", "123455", "1234567", "abcdef", "123456/", "123456/123456/123456"] {
        assert_eq!(refused(&[], text), "arrangement", "{text}");
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game: Einstein = build(&[], &[]);
    for text in [
        "",
        "first",
        "x1..../...../...../.....",
        "x1..../...../...../...../.....o2 first",
        "x1..../x1..../...../...../....o2 first",
        "x7..../...../...../...../....o2 first",
        "x1..../...../...../...../....o2 first d7",
        "o1..../...../...../...../....x1 first",
        "...../...../...../...../..... first",
        "x1..../...../...../...../..... first d1",
        "x1..../...../...../...../..... second arrange",
        "...../...../...../...../..... first arrange d1",
    ] {
        assert!(game.read_position(text).is_err(), "{text}");
    }
    let fixed: Einstein = build(&[], &[("arrangement", "123456")]);
    assert!(fixed.read_position("...../...../...../...../..... first arrange").is_err());
}

#[test]
fn stones_are_put_found_and_captured() {
    for stone in 0..8 {
        for cell in 0..64 {
            let mut stones = Stones::NONE;
            assert_eq!(stones.alive(), 0);
            stones.put(stone, cell);
            assert_eq!((stones.alive(), stones.cell(stone)), (1 << stone, cell));
            assert_eq!(stones.on(cell), Some(stone));
            for other in 0..64 {
                let mut after = stones;
                after.capture(other);
                assert_eq!(after == Stones::NONE, other == cell, "{stones:?} at {other}");
            }
        }
    }
}

#[test]
fn only_the_stone_on_the_cell_is_captured() {
    let mut stones = Stones::NONE;
    (0..6).for_each(|stone| stones.put(stone, 9 * stone));
    stones.capture(18);
    assert_eq!(stones.alive(), 0b11_1011);
    assert_eq!(stones.transposed(), stones);
    stones.put(0, 5);
    stones.put(1, 41);
    let image = stones.transposed();
    assert_eq!((image.cell(0), image.cell(1), image.cell(2)), (40, 13, Stones::GONE));
}
