//! Checks notation: strict in writing, lenient in reading, never a panic.

use std::collections::BTreeSet;
use std::collections::HashMap;

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use super::sample_positions::playable;
use crate::games::game::{Drawing, Game, GameExt, Notation, Turn, below};
use crate::games::picture_for_html::{Body, Picture};

/// Checks that moves and positions can be read from their text, and that boards can be drawn.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    for state in positions {
        let text = game.write_position(state);
        assert!(!text.contains('\n'), "a position takes several lines: {text}");
        match game.read_position(&text) {
            Ok(read) => assert_eq!(&read, state, "`{text}` reads as another position"),
            Err(error) => panic!("`{text}` does not read: {error}"),
        }
        let drawing = game.drawing().text(state);
        assert!(drawing.ends_with('\n') && drawing.trim() != "", "the drawing of {text}");
        let picture = game.drawing().picture(state);
        check_picture(&picture, &text);
        check_moves(game, state, &text);
        if let Turn::Player(_) = game.turn(state) {
            check_cells(game, state, &picture);
        }
    }
}

/// Checks that the cells of the legal moves are in the picture.
fn check_cells<G: Game>(game: &G, state: &G::State, picture: &Picture) {
    let cells = match &picture.body {
        Body::Board(board) => board.cells.len(),
        Body::Graph(graph) => graph.nodes.len(),
        _ => return,
    };
    for mv in playable(game, state) {
        let clicked = game.drawing().cells(state, mv);
        assert!(clicked.len() <= 2, "{mv:?}");
        let orders = game.drawing().click_orders(state, mv);
        assert!(!orders.is_empty() && orders.concat().iter().all(|cell| *cell < cells), "{mv:?}");
    }
}

/// Checks that a picture is complete and can be drawn without the game.
fn check_picture(picture: &Picture, position: &str) {
    match &picture.body {
        Body::Board(board) => {
            assert_eq!(board.cells.len(), board.columns * board.rows, "cells of {position}");
            for (names, n) in [
                (&board.column_names, board.columns),
                (&board.names_above, board.columns),
                (&board.row_names, board.rows),
            ] {
                assert!(names.is_empty() || names.len() == n, "names at the edge of {position}");
            }
        }
        Body::Bars(bars) => {
            assert!(!bars.is_empty(), "no bars in {position}");
            assert!(bars.iter().all(|bar| bar.goal > 0), "a goal of 0 in {position}");
        }
        Body::Graph(graph) => {
            let all = graph.nodes.len() as u32;
            let ends = graph.links.iter().flat_map(|(from, to, _)| [from, to]);
            assert!(ends.chain(&graph.path).all(|node| *node < all), "a node of {position}");
            assert!(!graph.path.is_empty(), "{position} is nowhere");
        }
        Body::Text(text) => assert!(text.trim() != "", "an empty picture of {position}"),
    }
    assert!(picture.captions.iter().all(|caption| !caption.is_empty()), "{position}");
}

/// Checks the move texts of a position: single words, distinct, readable with spaces around them.
fn check_moves<G: Game>(game: &G, state: &G::State, position: &str) {
    let mut texts = HashMap::new();
    for mv in playable(game, state) {
        let text = game.move_text(state, mv);
        let word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ',');
        assert!(word, "the move `{text}` is not a word in {position}");
        assert!(!text.contains('"'), "the move `{text}` needs quotes in CSV in {position}");
        for text in [text.clone(), format!(" {text} ")] {
            assert_eq!(game.notation().read_move(state, &text), Ok(mv), "`{text}` in {position}");
        }
        let other = texts.insert(text.clone(), mv);
        assert_eq!(other, None, "two moves are written `{text}` in {position}");
    }
    for text in ["", " ", "?"] {
        let error = game.notation().read_move(state, text).expect_err("a move without a name");
        assert!(!error.is_empty(), "an empty error for `{text}` in {position}");
    }
}

/// Reads a text as a move of each position and as a position. If the text is accepted, the move
/// must be legal or the position consistent.
///
/// # Panics
/// If the result is illegal or inconsistent, or if reading panics.
pub fn read_anything<G: Game>(game: &G, positions: &[G::State], text: &str) {
    for state in positions {
        match game.notation().read_move(state, text) {
            Ok(mv) => {
                let position = game.write_position(state);
                let legal = playable(game, state).contains(&mv);
                assert!(legal, "`{text}` reads as {mv:?}, which is not legal in {position}");
            }
            Err(error) => assert!(!error.is_empty(), "an empty error for the move `{text}`"),
        }
    }
    match game.read_position(text) {
        Ok(state) => {
            let written = game.write_position(&state);
            assert_eq!(game.read_position(&written), Ok(state.clone()), "{written} from `{text}`");
            let over = game.turn(&state) == Turn::Over;
            assert_eq!(playable(game, &state).is_empty(), over, "{written} from `{text}`");
        }
        Err(error) => assert!(!error.is_empty(), "an empty error for the position `{text}`"),
    }
}

/// Reads random texts made of the game's characters and others, and damaged texts of positions.
pub(super) fn check_garbage<G: Game>(game: &G, positions: &[G::State]) {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let stride = (positions.len() / 8).max(1);
    let some: Vec<_> = positions.iter().step_by(stride).cloned().collect();
    let mut alphabet: BTreeSet<char> =
        " ,/-_.09azAZ?\u{e9}\u{4e00}\u{1F3B2}\0\n\t".chars().collect();
    for state in &some {
        alphabet.extend(game.write_position(state).chars());
        for mv in playable(game, state) {
            let text = game.move_text(state, mv);
            alphabet.extend(text.chars());
        }
    }
    let alphabet: Vec<char> = alphabet.into_iter().collect();
    let mut letter = |rng: &mut ChaCha8Rng| alphabet[below(rng, alphabet.len() as u32) as usize];
    for round in 0..300_usize {
        let length = below(&mut rng, 12);
        let text: String = (0..length).map(|_| letter(&mut rng)).collect();
        read_anything(game, &some, &text);
        let mut damaged: Vec<char> =
            game.write_position(&some[round % some.len()]).chars().collect();
        damage(&mut damaged, &mut rng, &mut letter);
        read_anything(game, &some[..1], &damaged.into_iter().collect::<String>());
    }
}

/// Replaces, removes or duplicates one character.
fn damage<R: Rng>(text: &mut Vec<char>, rng: &mut R, letter: &mut impl FnMut(&mut R) -> char) {
    if text.is_empty() {
        return;
    }
    let at = below(rng, text.len() as u32) as usize;
    match below(rng, 3) {
        0 => text[at] = letter(rng),
        1 => {
            text.remove(at);
        }
        _ => text.insert(at, text[at]),
    }
}
