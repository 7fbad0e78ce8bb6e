//! Tests of Pacman: exact values and node counts, each rule, and bad layouts.

use crate::support::chance::{Opponent, Plain, after, follow};
use agon::games::pacman::{PacmanMove, PacmanParams, PacmanState, ScoreEvaluator};
use agon::games::{
    Configurable, Drawing, Game, Notation, Pacman, Player, Scoring, SearchHints, Shortcuts, Turn,
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn try_build(layout: &str, stop: bool) -> Result<Pacman, agon::params::ParamError> {
    Pacman::from_params(PacmanParams { layout: layout.to_owned(), stop })
}

fn pacman(layout: &str, stop: bool) -> Pacman {
    try_build(layout, stop).unwrap_or_else(|error| panic!("{error}"))
}

/// The value of the start and the number of nodes, at a depth of `rounds` rounds.
fn search(game: &Pacman, opponent: Opponent, rounds: u32) -> (f64, u64) {
    let mut plain = Plain { game, evaluator: ScoreEvaluator, opponent, nodes: 0 };
    let value = plain.value(&game.start(), rounds * game.hints().plies_per_round());
    (value, plain.nodes)
}

#[test]
fn known_values() {
    let mut lines = 0;
    for line in include_str!("../data/chance/pacman.txt").lines().filter(|l| !l.starts_with('#')) {
        let [layout, stop, method, values] = line.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("four parts: {line}")
        };
        let game = pacman(layout, stop == "true");
        let opponent = if method == "minimax" { Opponent::Minimiser } else { Opponent::Uniform };
        for (rounds, value) in (1..).zip(values.split(' ')) {
            let (seen, _) = search(&game, opponent, rounds);
            assert_eq!(seen, value.parse::<f64>().unwrap(), "{line}: {rounds} rounds");
        }
        lines += 1;
    }
    assert_eq!(lines, 7);
}

#[test]
fn known_node_counts() {
    for (layout, counts) in [("chase", [25, 215, 1_312, 6_146]), ("dead_end", [11, 39, 67, 93])] {
        let game = pacman(layout, true);
        for (rounds, count) in (1..).zip(counts) {
            assert_eq!(search(&game, Opponent::Minimiser, rounds).1, count, "{layout} {rounds}");
        }
    }
}

#[test]
fn mirrored_layouts_have_the_same_values() {
    for name in ["chase", "dead_end"] {
        let game = pacman(name, true);
        let text = std::fs::read_to_string(format!("configs/layouts/{name}.txt")).unwrap();
        let rows: Vec<String> = text.lines().map(str::to_owned).collect();
        let left_right = |rows: &[String]| {
            rows.iter().map(|row| row.chars().rev().collect()).collect::<Vec<String>>()
        };
        let upside_down = |rows: &[String]| rows.iter().rev().cloned().collect::<Vec<String>>();
        let images = [left_right(&rows), upside_down(&rows), upside_down(&left_right(&rows))];
        for image in images {
            let image = pacman(&image.join("\n"), true);
            for opponent in [Opponent::Minimiser, Opponent::Uniform] {
                for rounds in 1..=4 {
                    let (seen, known) =
                        (search(&image, opponent, rounds).0, search(&game, opponent, rounds).0);
                    assert_eq!(seen, known, "{name} {opponent:?} {rounds}");
                }
            }
        }
    }
}

/// The number of games that Pacman wins against random ghosts, with a search of three rounds and
/// the first of equal moves.
fn wins(layout: &str, opponent: Opponent, games: u64) -> usize {
    let game = pacman(layout, true);
    let won = |seed: &u64| {
        let mut rng = ChaCha8Rng::seed_from_u64(*seed);
        let mut state = game.start();
        while let Turn::Player(player) = game.turn(&state) {
            let mv = match player {
                Player::First => best(&game, &state, opponent, 3),
                Player::Second => game.shortcuts().random_move(&state, &mut rng, &mut Vec::new()),
            };
            game.play(&mut state, mv);
        }
        game.scoring().winner(&state) == Some(Player::First)
    };
    (0..games).filter(won).count()
}

fn best(game: &Pacman, state: &PacmanState, opponent: Opponent, rounds: u32) -> PacmanMove {
    let mut plain = Plain { game, evaluator: ScoreEvaluator, opponent, nodes: 0 };
    let depth = rounds * game.hints().plies_per_round() - 1;
    let mut best = (f64::NEG_INFINITY, PacmanMove::Stop);
    for mv in legal(game, state) {
        let value = plain.value(&after(game, state, mv), depth);
        if value > best.0 {
            best = (value, mv);
        }
    }
    best.1
}

#[test]
fn the_trapped_pacman_gives_up_by_minimax_and_tries_by_expectimax() {
    assert_eq!(wins("dead_end", Opponent::Minimiser, 1_000), 0);
    // 49.9 % over many games; the range is four standard errors of these games.
    let wins = wins("dead_end", Opponent::Uniform, 1_000);
    assert!((436..=562).contains(&wins), "{wins}");
}

fn legal(game: &Pacman, state: &PacmanState) -> Vec<PacmanMove> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

#[test]
fn moves_come_in_their_order_and_ghosts_do_not_stop() {
    let game = pacman("%%%%%\n%   %\n%GP %\n%  .%\n%%%%%", true);
    assert_eq!(
        legal(&game, &game.start()),
        [
            PacmanMove::North,
            PacmanMove::South,
            PacmanMove::East,
            PacmanMove::West,
            PacmanMove::Stop
        ]
    );
    // The first step of a ghost is free.
    let state = follow(&game, &game.start(), "stop");
    assert_eq!(legal(&game, &state), [PacmanMove::North, PacmanMove::South, PacmanMove::East]);
    // The ghost does not reverse.
    let state = follow(&game, &state, "north stop");
    assert_eq!(legal(&game, &state), [PacmanMove::East]);
    let game = pacman("%%%%%/%GP.%/%%%%%", false);
    assert_eq!(legal(&game, &game.start()), [PacmanMove::East, PacmanMove::West]);
    let game = pacman("%%%%%%/%P_.%%/%%%%%%/%G_%%%/%%%%%%", true);
    // In a dead end, reverse is the only direction.
    let state = follow(&game, &game.start(), "stop east stop");
    assert_eq!(legal(&game, &state), [PacmanMove::West]);
}

#[test]
fn food_time_and_the_last_food() {
    let game = pacman("%%%%%%/%P..%%/%%%%%%/%%%%G_/%%%%%%", true);
    let one = follow(&game, &game.start(), "east");
    assert_eq!((one.score(), one.food()), (9, 1));
    let won = follow(&game, &one, "east east");
    assert_eq!(won.score(), 9 + 10 + 500 - 1);
    assert_eq!(game.turn(&won), Turn::Over);
    assert_eq!(
        (game.scoring().winner(&won), game.reason(&won)),
        (Some(Player::First), "all food eaten")
    );
    assert_eq!(game.payoff(&won), 518);
}

#[test]
fn the_last_food_wins_even_onto_a_ghost() {
    let game = pacman("%%%%%/%P.G%/%%%%%", true);
    let state = game.read_position("%%%%%/%P._%/%%%%% ghost1=2:1:west:0").unwrap();
    let won = follow(&game, &state, "east");
    assert_eq!((won.score(), game.scoring().winner(&won)), (509, Some(Player::First)));
}

#[test]
fn who_runs_into_whom_does_not_matter() {
    let game = pacman("%%%%%%/%PG_.%/%%%%%%", true);
    let lost = follow(&game, &game.start(), "east");
    assert_eq!((lost.score(), game.turn(&lost)), (-501, Turn::Over));
    assert_eq!(
        (game.scoring().winner(&lost), game.reason(&lost)),
        (Some(Player::Second), "caught")
    );
    let lost = follow(&game, &game.start(), "stop west");
    assert_eq!((lost.score(), game.turn(&lost)), (-501, Turn::Over));
    let text = game.write_position(&lost);
    assert!(text.ends_with(" end=lost"), "{text}");
    assert_eq!(game.read_position(&text), Ok(lost));
}

#[test]
fn a_capsule_scares_for_forty_moves_of_half_a_cell() {
    let game = pacman("%%%%%%%%%%/%Po.%____%/%%%%%G%%%%/%%%%%%%%%%", true);
    let mut state = follow(&game, &game.start(), "east");
    assert_eq!(state.ghost(0).scared, 40);
    state = follow(&game, &state, "north");
    let ghost = state.ghost(0);
    assert_eq!((ghost.x, ghost.y, ghost.scared), (10, 3, 39));
    // Straight on between cells.
    state = follow(&game, &state, "stop");
    assert_eq!(legal(&game, &state), [PacmanMove::North]);
    let (mut plies, mut cells) = (1, 0);
    while state.ghost(0).scared > 0 {
        let mv = if state.mover() == 0 { PacmanMove::Stop } else { legal(&game, &state)[0] };
        plies += u32::from(state.mover() == 1);
        let before = state.ghost(0);
        game.play(&mut state, mv);
        let after = state.ghost(0);
        cells += u32::from(before.x.abs_diff(after.x) + before.y.abs_diff(after.y));
    }
    assert_eq!((plies, cells), (40, 39));
    assert!(state.ghost(0).x.is_multiple_of(2) && state.ghost(0).y.is_multiple_of(2));
}

#[test]
fn a_second_capsule_between_cells_ends_with_a_snap() {
    let game = pacman("%%%%%%%/%Poo.%%/%G____%/%%%%%%%", true);
    let state =
        game.read_position("%%%%%%%/%P_o.%%/%_____%/%%%%%%% mover=1 ghost1=3.5:1:east:1").unwrap();
    let after = follow(&game, &state, "east");
    let ghost = after.ghost(0);
    assert_eq!((ghost.x, ghost.y, ghost.scared), (8, 2, 0));
    let state =
        game.read_position("%%%%%%%/%P_o.%%/%_____%/%%%%%%% mover=1 ghost1=3:1:west:1").unwrap();
    // Half a cell west of column 3 is as near to 3 as to 2: the ghost returns to the right cell.
    let ghost = follow(&game, &state, "west").ghost(0);
    assert_eq!((ghost.x, ghost.y, ghost.facing), (6, 2, PacmanMove::West));
}

#[test]
fn scared_ghosts_are_eaten_and_start_again() {
    let game = pacman("%%%%%%%/%G_Po.%/%%%%%%%", true);
    let state = game.read_position("%%%%%%%/%__P_.%/%%%%%%% ghost1=2.5:1:east:7 mover=1").unwrap();
    let eaten = follow(&game, &state, "east");
    assert_eq!(eaten.score(), 200);
    assert_eq!(eaten.ghost(0), game.start().ghost(0));
    assert_eq!(legal(&game, &follow(&game, &eaten, "stop")), [PacmanMove::East]);
}

#[test]
fn every_ghost_that_is_near_counts() {
    let game = pacman("%%%%%%/%GGP.%/%%%%%%", true);
    let state =
        game.read_position("%%%%%%/%__P.%/%%%%%% ghost1=2:1:east:0 ghost2=1.5:1:east:9").unwrap();
    let lost = follow(&game, &state, "west");
    assert_eq!(lost.score(), -1 - 500 + 200);
    assert_eq!(game.scoring().winner(&lost), Some(Player::Second));
}

#[test]
fn ghosts_are_numbered_by_column_then_row() {
    let game = pacman("%%%%%/%G_G%/%_P.%/%G__%/%%%%%", true);
    let cells = [0, 1, 2].map(|n| (game.start().ghost(n).x / 2, game.start().ghost(n).y / 2));
    assert_eq!(cells, [(1, 1), (1, 3), (3, 3)]);
    assert_eq!((game.ghosts(), game.hints().plies_per_round(), game.size()), (3, 4, (5, 5)));
}

#[test]
fn hints_lead_ghosts_to_pacman_and_away_while_they_are_scared() {
    let game = pacman("%%%%%%%/%__G_P%/%o____%/%.%%%%%/%%%%%%%", true);
    let state = follow(&game, &game.start(), "stop");
    let hints: Vec<i32> =
        legal(&game, &state).iter().map(|&mv| game.hints().order_hint(&state, mv)).collect();
    assert_eq!(legal(&game, &state), [PacmanMove::South, PacmanMove::East, PacmanMove::West]);
    assert_eq!(hints, [-6, -2, -6]);
    let text = game.write_position(&state).replace(":-:0", ":-:9");
    let scared = game.read_position(&text).unwrap();
    let hints: Vec<i32> =
        legal(&game, &scared).iter().map(|&mv| game.hints().order_hint(&scared, mv)).collect();
    assert_eq!(hints, [5, 3, 5]);
}

#[test]
fn layouts_with_mistakes_are_refused_with_their_place() {
    let long = format!("%{}%", "_".repeat(70));
    let cases = [
        ("no_such_layout", "the layout `no_such_layout` cannot be read"),
        ("\n\n", "the layout is empty"),
        ("%%%\n%.%\n%%%", "the layout has no Pacman"),
        ("%%%%\n%P.%%\n%%%%", "line 2 of the layout has 5 cells, but the first row has 4"),
        ("# a maze\n\n%%%%\n%P.%\n%%%", "line 5 of the layout has 3 cells"),
        ("%%%%\n%P?%\n%%%%", "`?` is not a cell, in line 2, column 3"),
        ("%%%%\n%PP%\n%%%%", "a second Pacman is in line 2, column 3"),
        ("%%%%%\n%P%G%\n%%%%%", "the ghost in line 2, column 4 is walled in"),
        ("%GGGGGGGGGP%", "9 ghosts are too many"),
        (&long, "a layout of 72 by 1 cells is too large"),
    ];
    for (text, expected) in cases {
        let error = try_build(text, true).unwrap_err();
        assert_eq!(error.key.as_deref(), Some("layout"));
        assert!(error.message.starts_with(expected), "{}\n  not {expected}", error.message);
        assert!(!error.help.is_empty());
    }
    let error = try_build("%%%/%P%/%.%/%%%", false);
    assert!(error.is_ok());
    let error = try_build("%%%%/%P%./%%%%", false).unwrap_err();
    assert_eq!(error.key.as_deref(), Some("stop"));
}

#[test]
fn a_byte_order_mark_is_no_cell() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("maze.txt");
    std::fs::write(&path, "\u{feff}%%%%\n%P.%\n%%%%\n").expect("a writable folder");
    let game = try_build(path.to_str().expect("text"), true).expect("a game");
    assert_eq!(
        game.drawing().text(&game.start()),
        pacman("%%%%/%P.%/%%%%", true).drawing().text(&game.start())
    );
}

#[test]
fn food_out_of_reach_is_a_warning() {
    assert!(pacman("chase", true).warnings().is_empty());
    assert!(pacman("dead_end", true).warnings().is_empty());
    let warning = &pacman("%%%%%%/%P.%.%/%%%%%%", true).warnings()[0];
    assert!(warning.contains("row 2 from the top, column 5,"), "{warning}");
    let warning = &pacman("%%%%/%P_%/%%%%", true).warnings()[0];
    assert!(warning.contains("no food"), "{warning}");
}

#[test]
fn the_drawing_shows_the_maze() {
    let game = pacman("chase", true);
    let drawing = "\
%%%%%%%%%
%G    P.%
%%%G%.% %
%%%    G%
%%%%%%%%%
score 0, Pacman to move: east, west, stop
";
    let mut state = game.start();
    assert_eq!(game.drawing().text(&state), drawing);
    let west = game.notation().read_move(&state, "west").expect("legal");
    game.play(&mut state, west);
    let drawing = "\
%%%%%%%%%
%1   P .%
%%%G%.% %
%%%    G%
%%%%%%%%%
score -1, ghost 1 to move: east
";
    assert_eq!(game.drawing().text(&state), drawing);
    let state = game.read_position("%%%%%%%%%/%____P__%/%%%_%_%_%/%%%____%/%%%%%%%%%");
    assert!(state.is_err(), "other walls");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_text_makes_the_reader_panic(text in "[%. oPG_#/\n1é]{0,60}") {
        if let Ok(game) = try_build(&format!("%{text}"), true) {
            prop_assert!(!game.drawing().text(&game.start()).is_empty());
            game.warnings();
        }
    }
}
