//! Pictures of positions: what a page can draw without the rules.

use agon::games::picture_for_html::{Board, Body, Ground, Piece, Shape};
use agon::games::{
    Backgammon, Breakthrough, Checkers, Chess, Configurable, Connect4Standard, Drawing, Einstein,
    Game, GameExt, GameTree, Go, Kalah, Mnk, Notation, Othello, Pacman, Pig, Player, TicTacToe,
};
use agon::params::Values;

use crate::support::games::build;

fn board<G: Game>(game: &G, moves: &str) -> Board {
    let mut state = game.start();
    for word in moves.split_whitespace() {
        let mv = game.notation().read_move(&state, word).expect("a move");
        game.play(&mut state, mv);
    }
    match game.drawing().picture(&state).body {
        Body::Board(board) => board,
        other => panic!("no board: {other:?}"),
    }
}

#[test]
fn columns_go_on_after_z() {
    let names = Board::new(Ground::Grid, (53, 1), |_, _| Piece::NONE).column_names;
    assert_eq!([0, 25, 26, 51, 52].map(|column| &names[column]), ["a", "z", "aa", "az", "ba"]);
}

#[test]
fn stones_stand_where_they_were_put() {
    let (first, second) = (Player::First, Player::Second);
    let ttt = board(&TicTacToe, "2 6");
    assert_eq!(ttt.cells[2], Piece::of(first, Shape::Mark));
    assert_eq!(ttt.cells[6], Piece::of(second, Shape::Mark));
    assert_eq!(ttt.cells.iter().filter(|piece| **piece != Piece::NONE).count(), 2);
    assert_eq!((ttt.column_names[2].as_str(), ttt.row_names[0].as_str()), ("2", "0"));
    let standard = Connect4Standard::build(&Values::default()).expect("the board");
    let four = board(&standard, "1 1 7");
    assert_eq!(four.cells[5 * 7], Piece::of(first, Shape::Disc));
    assert_eq!(four.cells[4 * 7], Piece::of(second, Shape::Disc));
    assert_eq!(four.cells[5 * 7 + 6], Piece::of(first, Shape::Disc));
    assert_eq!(four.column_names.join(""), "1234567");
}

#[test]
fn rows_count_from_the_bottom() {
    let game = Breakthrough::build(&Values::default()).expect("the standard board");
    let moved = board(&game, "a2a3 h7h6");
    assert_eq!(
        (moved.row_names.join(""), moved.column_names.join("")),
        ("87654321".into(), "abcdefgh".into())
    );
    assert_eq!(moved.cells[5 * 8], Piece::of(Player::First, Shape::Disc));
    assert_eq!(moved.cells[2 * 8 + 7], Piece::of(Player::Second, Shape::Disc));
    assert_eq!(moved.cells[6 * 8], Piece::NONE);
    let mv = game.notation().read_move(&game.start(), "a2b3").expect("a move");
    assert_eq!(game.drawing().cells(&game.start(), mv), [6 * 8, 5 * 8 + 1]);
}

#[test]
fn stores_are_at_the_ends() {
    let game = Kalah::build(&Values::default()).expect("the usual board");
    let moved = board(&game, "3 1");
    let of = |player| move |stones| Piece::of(player, Shape::Number(stones));
    assert_eq!((moved.columns, moved.rows), (8, 2));
    let above = [0, 4, 4, 4, 4, 4, 4].map(of(Player::Second));
    assert_eq!((&moved.cells[..7], moved.cells[7]), (&above[..], Piece::NONE));
    let below = [0, 5, 1, 6, 6, 5, 1].map(of(Player::First));
    assert_eq!((moved.cells[8], &moved.cells[9..]), (Piece::NONE, &below[..]));
    assert_eq!(moved.column_names.join("."), ".1.2.3.4.5.6.");
    assert_eq!(game.drawing().cells(&game.start(), 0), [9]);
}

#[test]
fn rows_of_othello_count_from_the_top() {
    let game = Othello::build(&Values::default()).expect("the usual board");
    let moved = board(&game, "d3");
    assert_eq!(moved.row_names.join(""), "12345678");
    let disc = |player| Piece::of(player, Shape::Disc);
    assert_eq!(
        (moved.cells[2 * 8 + 3], moved.cells[4 * 8 + 4]),
        (disc(Player::First), disc(Player::Second))
    );
    assert_eq!(game.drawing().picture(&game.start()).captions, ["2 x, 2 o"]);
    let mv = game.notation().read_move(&game.start(), "d3").expect("a move");
    assert_eq!(game.drawing().cells(&game.start(), mv), [2 * 8 + 3]);
}

#[test]
fn kings_of_checkers_have_a_shape_of_their_own() {
    let game = Checkers::build(&Values::default()).expect("checkers");
    let state = game.read_position("B:W29,K4:B12,K21").expect("a position");
    let Body::Board(board) = game.drawing().picture(&state).body else { panic!("no board") };
    let [man, king] = [Shape::Disc, Shape::King];
    let first = [board.cells[2 * 8 + 7], board.cells[5 * 8]];
    assert_eq!(first, [man, king].map(|shape| Piece::of(Player::First, shape)));
    let second = [board.cells[7 * 8], board.cells[7]];
    assert_eq!(second, [man, king].map(|shape| Piece::of(Player::Second, shape)));
    assert_eq!((board.ground, board.row_names[7].as_str()), (Ground::Squares, "29-32"));
    // Black moves from 21, in row 6, to 17, in row 5.
    let mv = game.notation().read_move(&state, "21-17").expect("a move");
    assert_eq!(game.drawing().cells(&state, mv), [5 * 8, 4 * 8 + 1]);
}

#[test]
fn figures_stand_on_light_and_dark_squares() {
    let chess = Chess::build(&Values::default()).expect("the usual position");
    let picture = |moves: &str| board(&chess, moves);
    let start = picture("");
    let (rook, pawn) = (Shape::Symbol('♜'), Shape::Symbol('♟'));
    assert_eq!((start.ground, start.column_names.join("")), (Ground::Squares, "abcdefgh".into()));
    assert_eq!(start.cells[0], Piece::of(Player::Second, rook));
    assert_eq!(start.cells[63], Piece::of(Player::First, rook));
    assert_eq!(start.cells.iter().filter(|piece| piece.shape == pawn).count(), 16);
    let moved = picture("e2e4 c7c5");
    assert_eq!((moved.cells[36], moved.cells[52]), (Piece::of(Player::First, pawn), Piece::NONE));
    assert_eq!(moved.cells[26], Piece::of(Player::Second, pawn));
    let mated = chess.read_position("7k/8/8/8/8/8/8/K6R b - - 0 1").expect("a position");
    assert_eq!(chess.drawing().picture(&mated).captions, ["check"]);
}

#[test]
fn the_maze_has_its_walls_and_everybody_in_it() {
    let pacman = Pacman::build(&Values::default()).expect("the default maze");
    let board = board(&pacman, "");
    let count = |is: fn(Shape) -> bool| board.cells.iter().filter(|cell| is(cell.shape)).count();
    let of = [
        count(|shape| matches!(shape, Shape::Own(own) if own.name == "Pacman")),
        count(|shape| matches!(shape, Shape::Own(own) if own.name == "ghost")),
        count(|shape| shape == Shape::Dot),
    ];
    assert_eq!((board.columns, board.rows, of), (9, 5, [1, 3, 2]));
    assert_eq!(board.cells[0], Piece::thing(Shape::Wall));
}

#[test]
fn dice_stones_scores_and_trees_have_pictures() {
    let einstein = Einstein::build(&Values::default()).expect("the standard board");
    let set_up = board(&einstein, "123456 123456");
    assert_eq!(set_up.cells[0], Piece::of(Player::First, Shape::Number(1)));
    assert_eq!(set_up.cells[24], Piece::of(Player::Second, Shape::Number(1)));
    let pig = Pig::new(100, 6).expect("a goal");
    let state = pig.read_position("12-30 second 8").expect("a position");
    let Body::Bars(bars) = pig.drawing().picture(&state).body else { panic!("no bars") };
    let short: Vec<_> = bars.iter().map(|bar| (bar.value, bar.risked, bar.goal)).collect();
    assert_eq!(short, [(12, 0, 100), (30, 8, 100)]);
    let rolling = pig.read_position("12-30 second 8 rolling").expect("a position");
    let face = pig.notation().read_move(&rolling, "d5").expect("a face");
    let roll = pig.drawing().dice(face);
    assert_eq!(pig.drawing().picture(&state).dice, [0]);
    assert_eq!(pig.drawing().picture(&state).with_last_roll(&roll).dice, [5]);
    let tree = GameTree::build(&Values::default()).expect("the textbook's tree");
    let mut state = tree.start();
    tree.play(&mut state, 1);
    let Body::Graph(graph) = tree.drawing().picture(&state).body else { panic!("no graph") };
    assert_eq!((graph.nodes.len(), graph.links.len()), (tree.len(), tree.len() - 1));
    assert_eq!(graph.path.len(), 2);
}

#[test]
fn stones_of_go_and_gomoku_stand_on_crossings() {
    let go = Go::build(&Values::default()).expect("a board");
    assert_eq!(board(&go, "D4").ground, Ground::Crossings);
    let mnk = |size: &str| board(&build::<Mnk<7>>(&format!("mnk:m={size},n={size},k=5")), "0");
    let stone = |shape| Piece::of(Player::First, shape);
    assert_eq!((mnk("15").ground, mnk("15").cells[0]), (Ground::Crossings, stone(Shape::Disc)));
    assert_eq!((mnk("7").ground, mnk("7").cells[0]), (Ground::Grid, stone(Shape::Mark)));
}

#[test]
fn checkers_of_backgammon_stand_on_points_and_steps_are_clicked_in_any_order() {
    let game = Backgammon::build(&Values::default()).expect("the usual start");
    let start = board(&game, "31");
    assert_eq!(start.ground, Ground::Points { bar: 6, off: 13 });
    let stack = |player, count, up| Piece::of(player, Shape::Stack { count, up });
    // Point 13 is above on the left, point 1 below on the right.
    assert_eq!(start.cells[0], stack(Player::First, 5, false));
    assert_eq!(start.cells[26], stack(Player::Second, 2, true));
    assert_eq!((start.names_above[0].as_str(), start.column_names[12].as_str()), ("13", "1"));
    let mut state = game.start();
    let roll = game.notation().read_move(&state, "31").expect("a roll");
    game.play(&mut state, roll);
    assert_eq!(game.drawing().picture(&state).dice, [3, 1]);
    let clicks = |text: &str| {
        let mv = game.notation().read_move(&state, text).expect("a move");
        let mut clicks = game.drawing().click_orders(&state, mv);
        clicks.sort();
        clicks
    };
    // Points 8, 6 and 5 are in the columns 4, 7 and 8 below.
    assert_eq!(clicks("8/5 6/5"), [[18, 22, 21, 22], [21, 22, 18, 22]]);
    // Points 24, 23, 21 and 20 are in the columns 12, 11, 9 and 8 above: with the 1 or the 3 first,
    // or at once.
    let one_checker = [vec![12, 8], vec![12, 9, 9, 8], vec![12, 11, 11, 8]];
    assert_eq!(clicks("24/20"), one_checker);
    // The second player's bar and the checkers borne off are above.
    let state =
        game.read_position(&format!("-O{}b- second 21", "-".repeat(22))).expect("a position");
    let mv = game.legal_moves(&state)[0];
    assert!(game.drawing().click_orders(&state, mv).concat().contains(&13));
    let after = game.drawing().picture(&state).body;
    let Body::Board(board) = after else { panic!("no board") };
    assert_eq!(board.cells[13], stack(Player::Second, 13, false));
}
