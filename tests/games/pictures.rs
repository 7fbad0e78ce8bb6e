//! Pictures of positions: what a page can draw without the rules.

use agon::games::picture_for_html::{Board, Body, Ground, Piece, Shape};
use agon::games::{
    Breakthrough, Checkers, Chess, Configurable, Connect4Standard, Drawing, Einstein, Game,
    GameTree, Kalah, Notation, Othello, Pacman, Pig, Player, TicTacToe,
};
use agon::params::Values;

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
    let tree = GameTree::build(&Values::default()).expect("the textbook's tree");
    let mut state = tree.start();
    tree.play(&mut state, 1);
    let Body::Graph(graph) = tree.drawing().picture(&state).body else { panic!("no graph") };
    assert_eq!((graph.nodes.len(), graph.links.len()), (tree.len(), tree.len() - 1));
    assert_eq!(graph.path.len(), 2);
}
