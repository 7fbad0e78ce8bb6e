//! Text of moves: written in UCI notation, read in UCI notation or SAN.

use cozy_chess::{File, Piece, Rank, Square};

use super::game_end::End;
use super::moves::ChessMove;
use super::rules::ChessState;
use super::san;
use crate::gather::Gather;

const PIECES: [u8; 6] = *b"pnbrqk";

#[inline]
pub(super) fn write_move(state: &ChessState, mv: ChessMove, out: &mut String) {
    let to = mv.castles_to(&state.board).unwrap_or(mv.target());
    for square in [mv.origin(), to] {
        out.push(char::from(b'a' + square.file() as u8));
        out.push(char::from(b'1' + square.rank() as u8));
    }
    if let Some(piece) = mv.promotion() {
        out.push(char::from(PIECES[piece as usize]));
    }
}

pub(super) fn read_move(state: &ChessState, text: &str) -> Result<ChessMove, String> {
    let word = text.trim();
    if state.end != End::No {
        return Err("the game is over, no move is legal".to_owned());
    }
    match read_squares(state, word) {
        Some(Some(mv)) => Ok(mv),
        Some(None) => Err(format!("`{word}` is not legal; legal: {}", san::legal(state))),
        None => san::read(state, word),
    }
}

/// Reads a move given as two squares: `None` for text in another form, `Some(None)` for an illegal
/// move.
fn read_squares(state: &ChessState, word: &str) -> Option<Option<ChessMove>> {
    if names_a_bishop(word) {
        return None;
    }
    let letters: Vec<u8> = word
        .bytes()
        .filter(|byte| !b"-x=:+#".contains(byte))
        .map(|byte| byte.to_ascii_lowercase())
        .gather();
    let (squares, promotion) = match letters.len() {
        4 => (&letters[..], None),
        5 => (&letters[..4], Some(letters[4])),
        _ => return None,
    };
    let from = square(squares[0], squares[1])?;
    let to = square(squares[2], squares[3])?;
    let promotion = match promotion {
        Some(letter) => match PIECES.iter().position(|&piece| piece == letter).map(Piece::index)? {
            Piece::Pawn | Piece::King => return Some(None),
            piece => Some(piece),
        },
        None => None,
    };
    let board = &state.board;
    let mv = ChessMove::from(cozy_chess::Move { from, to, promotion });
    if board.is_legal(mv.generated()) {
        return Some(Some(mv));
    }
    // The text has the king's target; the move generator has the rook's square.
    let castles = board.king(board.side_to_move()) == from
        && from.rank() == to.rank()
        && (from.file() as i8 - to.file() as i8).abs() == 2;
    let file = if from.file() < to.file() { File::H } else { File::A };
    let rook = Square::new(file, from.rank());
    let mv = ChessMove::from(cozy_chess::Move { from, to: rook, promotion });
    let own = board.colors(board.side_to_move()).has(rook);
    Some((castles && own && board.is_legal(mv.generated())).then_some(mv))
}

/// Whether a capital B followed by a rank is a bishop, as in `B2xc3`, not the square b2. It is a
/// bishop if the rest is not in capitals.
fn names_a_bishop(word: &str) -> bool {
    let rank =
        word.strip_prefix('B').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    rank && word.contains(|c: char| c.is_ascii_lowercase() && c != 'x')
}

/// The square with this file letter and rank digit.
pub(super) fn square(file: u8, rank: u8) -> Option<Square> {
    let file = File::try_index(usize::from(file.checked_sub(b'a')?))?;
    let rank = Rank::try_index(usize::from(rank.checked_sub(b'1')?))?;
    Some(Square::new(file, rank))
}
