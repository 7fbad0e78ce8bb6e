//! Recorded games: replays, checks of the result, grades, and the reader of PGN.

use agon::games::{Chess, Configurable, Pig, Player, TicTacToe, Turn};
use agon::params::Values;
use agon::play::{AnyGame, Claim, Frame, GradedMove, Outcome, PgnGame, PgnReader};

fn frames<G: Configurable>(game: G, opening: &str, moves: &str) -> Result<Vec<Frame>, String> {
    let mut frames = Vec::new();
    AnyGame::of(game).replay(opening, moves, &mut |frame| {
        frames.push(frame);
        true
    })?;
    Ok(frames)
}

#[test]
fn every_position_is_shown_with_the_move_that_led_to_it() {
    let frames = frames(TicTacToe, "0 1", "4 8 6").expect("a game");
    let short: Vec<_> = frames.iter().map(|f| (f.ply, f.opening, f.mover)).collect();
    let (first, second) = (Some(Player::First), Some(Player::Second));
    assert_eq!(short[..3], [(0, true, None), (1, true, first), (2, true, second)]);
    assert_eq!(short[3..], [(3, false, first), (4, false, second), (5, false, first)]);
    let game = AnyGame::of(TicTacToe);
    assert_eq!(game.write_position(&frames[5].state), "xo./.x./x.o");
    assert_eq!(frames[5].text.as_deref(), Some("6"));
}

#[test]
fn dice_have_no_player_and_positions_can_begin_a_game() {
    let pig = Pig::new(10, 6).expect("a goal");
    let rolled = frames(pig, "", "roll d6 roll d5 hold").expect("a game");
    assert_eq!(rolled.iter().map(|f| f.ply).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
    assert_eq!((rolled[2].mover, rolled[5].turn), (None, Turn::Over));
    let later = frames(TicTacToe, "position xx./oo./...", "2").expect("a game");
    assert_eq!((later.len(), later[1].ply, later[1].turn), (2, 1, Turn::Over));
}

#[test]
fn moves_are_shown_as_people_write_them() {
    let chess = Chess::build(&Values::default()).expect("the usual position");
    let all = frames(chess, "e2e4 e7e5", "g1f3 b8c6").expect("a game");
    let moves: Vec<&str> = all.iter().filter_map(|frame| frame.text.as_deref()).collect();
    assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"]);
}

#[test]
fn texts_that_are_no_game_are_refused_and_a_replay_can_stop() {
    for (opening, moves) in [("", "1 1"), ("", "0 1 2 3 4 5 6 7"), ("position x", ""), ("9", "")] {
        assert!(frames(TicTacToe, opening, moves).is_err(), "{opening} {moves}");
    }
    let mut seen = 0;
    let result = AnyGame::of(TicTacToe).replay("", "0 1 2 9", &mut |_| {
        seen += 1;
        seen < 3
    });
    assert_eq!((result, seen), (Ok(()), 3));
}

#[test]
fn a_result_must_follow_from_the_moves() {
    let claim =
        |outcome, reason, plies, moves| Claim { outcome, reason, plies, moves, max_plies: 9 };
    let win = claim(Outcome::First, "line", 5, [2, 1]);
    let check = |claim: &Claim<'_>| AnyGame::of(TicTacToe).verify("0 3", "1 4 2", claim);
    assert_eq!(check(&win), Ok(()));
    for wrong in [
        claim(Outcome::Second, "line", 5, [2, 1]),
        claim(Outcome::First, "board full", 5, [2, 1]),
        claim(Outcome::First, "line", 4, [2, 1]),
        claim(Outcome::First, "line", 5, [1, 2]),
        claim(Outcome::First, "timeout", 5, [2, 1]),
        claim(Outcome::First, "adjudicated win", 5, [2, 1]),
        claim(Outcome::Draw, "max plies", 5, [2, 1]),
    ] {
        assert!(check(&wrong).is_err(), "{wrong:?}");
    }
    for moves in ["1 4", "1 4 2 5", "1 4 4", "1 4 x"] {
        assert!(AnyGame::of(TicTacToe).verify("0 3", moves, &win).is_err(), "{moves}");
    }
}

#[test]
fn the_loser_of_a_fault_is_to_move() {
    let claim =
        |outcome| Claim { outcome, reason: "timeout", plies: 3, moves: [1, 1], max_plies: 9 };
    assert_eq!(AnyGame::of(TicTacToe).verify("0 3", "1", &claim(Outcome::First)), Ok(()));
    assert!(AnyGame::of(TicTacToe).verify("0 3", "1", &claim(Outcome::Second)).is_err());
}

fn grades<G: Configurable>(game: G, opening: &str, moves: &str) -> Vec<GradedMove> {
    let mut grader = AnyGame::of(game).grader().unwrap_or_else(|e| panic!("{}", e.message));
    let mut out = Vec::new();
    grader.grade(opening, moves, &mut out).expect("a game");
    out
}

/// Squares have numbers from 0: 0 is a corner, 1 an edge, 4 the centre.
#[test]
fn a_blunder_costs_what_it_throws_away() {
    // First a corner, then an edge: every answer to a corner but the centre loses.
    let grades = grades(TicTacToe, "", "0 1 4 8 6");
    let short: Vec<_> = grades.iter().map(|g| (g.ply, g.before, g.after, g.regret)).collect();
    assert_eq!(
        short,
        [
            (1, 0.5, 0.5, 0.0),
            (2, 0.5, 1.0, 0.5),
            (3, 1.0, 1.0, 0.0),
            (4, 1.0, 1.0, 0.0),
            (5, 1.0, 1.0, 0.0),
        ]
    );
    assert!(grades.iter().all(|g| g.best == (g.ply != 2)), "{grades:?}");
    // The move makes a fork in place of an immediate win. It loses no points, but it is not the
    // best.
    let slow = self::grades(TicTacToe, "0 1 4 2", "6");
    assert_eq!((slow[0].ply, slow[0].regret, slow[0].best), (5, 0.0, false));
    // The second player misses a win.
    let thrown = self::grades(TicTacToe, "position xx./oo./x..", "8");
    assert_eq!((thrown[0].before, thrown[0].regret), (0.0, 1.0));
}

#[test]
fn dice_stand_between_the_moves_and_are_not_graded() {
    let game = Pig::new(10, 6).expect("a goal");
    let grades = grades(game, "", "roll 6 roll 5 hold");
    assert_eq!(
        grades.iter().map(|g| g.text.as_str()).collect::<Vec<_>>(),
        ["roll", "roll", "hold"]
    );
    let last = grades.last().expect("a move");
    assert_eq!((last.before, last.after, last.best), (1.0, 1.0, true));
    assert!(grades[0].before > 0.5 && grades[0].before < 1.0, "{grades:?}");
    assert_eq!(grades[0].before, grades[0].after, "the first roll is the only good move");
}

#[test]
fn texts_that_are_no_game_get_no_grades() {
    let mut grader = AnyGame::of(TicTacToe).grader().expect("it can be solved");
    let mut out = Vec::new();
    for (opening, moves) in [("", "1 1"), ("", "1 2 4 5 7 8"), ("position x", "1"), ("1 1", "2")] {
        let error = grader.grade(opening, moves, &mut out).expect_err(moves);
        assert!(!error.is_empty());
    }
}

fn pgn_games(text: &str, most: usize) -> Vec<PgnGame> {
    let mut reader = PgnReader::new(text.as_bytes());
    std::iter::from_fn(|| reader.next_game(most).expect("memory")).collect()
}

fn moves(game: &PgnGame) -> Vec<&str> {
    game.moves.iter().map(|(text, _)| text.as_str()).collect()
}

#[test]
fn everything_but_the_moves_is_passed_over() {
    let text = "% escaped\n[Event \"a [b] \\\"c\\\"\"]\n[White \"K\u{e4}se\"]\n\n\
        1. e4 {best by test (1. d4) ; still\ncomment} e5 $1 2.Nf3!? (2. f4 exf4 (2... d5) 3. Nf3)\n\
        2... Nc6 ; to the end of the line 3. Bb5\n3. Bb5 a6 1-0\n\n\
        [Event \"next\"]\n[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n1. 0-0 *\n";
    let games = pgn_games(text, 99);
    assert_eq!(games.len(), 2);
    assert_eq!(moves(&games[0]), ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
    assert_eq!((games[0].line, games[0].moves[5].1), (2, 8));
    assert_eq!(games[1].position.as_deref(), Some("8/8/8/8/8/8/8/K1k5 w - - 0 1"));
    assert_eq!((games[1].line, games[1].position_line), (10, 11));
    assert_eq!(moves(&games[1]), ["0-0"]);
}

#[test]
fn what_is_never_closed_hides_no_games() {
    for (text, error) in [
        ("1. e4 e5 (2. d4 *\n\n[Event \"x\"]\n1. c4 *", "line 1: the variation that begins here"),
        ("1. e4\ne5 {what\n1-0\n1. d4 *\n", "line 2: the comment that begins here never ends"),
        ("1. e4 {what\n*\n[Event \"x\"]\n1. d4 {good} *", "line 1: the comment that begins here"),
        ("1. e4) e5 *", "line 1: `)` closes no variation"),
        ("1. e4\r\n} e5 *", "line 2: `}` closes no comment"),
        ("1. e4 e5 2. Nf3 Nc6\n1. d4 d5 *", "line 2: `1.` begins another game"),
        ("[FEN 8/8/8]\n*", "line 1: `[FEN` begins no tag"),
    ] {
        let mut reader = PgnReader::new(text.as_bytes());
        let found = std::iter::from_fn(|| reader.next_game(9).transpose()).find_map(Result::err);
        let found = found.expect(text).to_string();
        assert!(found.starts_with(error), "{found}");
    }
    assert_eq!(moves(&pgn_games("1. e4 -- 2. d4 *", 9)[0]), ["e4", "--", "d4"]);
}

#[test]
fn a_number_in_a_wrong_place_is_an_error() {
    let first_error = |text: &str| {
        let mut reader = PgnReader::new(text.as_bytes());
        std::iter::from_fn(|| reader.next_game(9).transpose()).find_map(Result::err)
    };
    let black = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n";
    for (text, number) in [
        ("1. e4 e5 3. Nc3 Nc6 *", "`3.` is in the place of move 2"),
        ("1. e4 2. e5 *", "`2.` is in the place of move 1"),
        ("1. e4 e5\n1/2 2. Nf3 *", "`2.` is in the place of move 1"),
        ("2. e4 *", "`2.` is in the place of move 1"),
        ("1. e4 1... e5 1... Nf3 *", "`1.` is in the place of move 2"),
        (&format!("{black}30... Kd7 32. e4 *"), "`32.` is in the place of move 31"),
    ] {
        let found = first_error(text).expect(text).to_string();
        assert!(found.contains(number), "{found}");
    }
    for text in [
        "1. e4 e5 2. Nf3 2... Nc6 3.Bb5 3...a6 *",
        "e4 e5 2. Nf3 Nc6 *",
        "1.e4 (1.d4 d5 2.c4) e5 2 Nf3 {2. d4} 2... Nc6 1/2",
        &format!("{black}30... Kd7 31. e4 31...Kd6 *"),
        &format!("{black}1... Kd7 2. e4 Kd6 *"),
    ] {
        assert!(first_error(text).is_none(), "{text}");
    }
    // What is cut off is not checked.
    assert!(PgnReader::new("1. e4 e5 3. Nc3 *".as_bytes()).next_game(2).is_ok());
}

#[test]
fn words_are_found_without_blanks_and_no_move_is_passed_over() {
    let all = pgn_games("1.e4 e6* 1. d4 a6$2 2.\u{2658}f3\u{a0}Z0 +- 0-1 1-0\r[Event \"x\"]\r*", 9);
    let words: Vec<_> = all.iter().map(moves).collect();
    assert_eq!(words, [vec!["e4", "e6"], vec!["d4", "a6", "\u{2658}f3", "Z0"], vec![]]);
    assert_eq!(all[2].line, 2);
    assert_eq!(
        moves(&pgn_games("1. \u{2658} f3 --!? 2. e4+- 0000 *", 9)[0]),
        ["\u{2658}", "f3", "--!?", "e4", "0000"]
    );
    // Games of a position without moves or result, one after the other.
    let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n";
    assert_eq!(pgn_games(&fen.repeat(3), 9).len(), 3);
}

#[test]
fn games_without_tags_or_results_are_games() {
    let all = pgn_games("1. e4 e5\n\n[Event \"x\"]\n\n1. d4 1/2-1/2\n1. c4 *\n", 1);
    assert_eq!(all.iter().map(moves).collect::<Vec<_>>(), [["e4"], ["d4"], ["c4"]]);
    assert_eq!(pgn_games("\n\n", 5), []);
}
