//! Standard algebraic notation: `Nbd2`, `exd8=Q+`, `O-O`.

use crate::gather::Gather;
use cozy_chess::{Board, File, Piece, Rank, Square};

use super::game_end::End;
use super::move_sets::MoveSets;
use super::move_text::{square, write_move};
use super::moves::ChessMove;
use super::rules::ChessState;

/// The move in SAN, with `+` for check and `#` for checkmate.
pub(super) fn write(state: &ChessState, mv: ChessMove) -> String {
    let board = &state.board;
    let mut out = bare(board, mv);
    let mut child = board.clone();
    child.play_unchecked(mv.generated());
    let check = !child.checkers().is_empty();
    match End::of(&child) {
        End::Checkmate => out.push('#'),
        _ if check => out.push('+'),
        _ => {}
    }
    out
}

/// All legal moves of a position.
fn moves(board: &Board) -> Vec<ChessMove> {
    let mut all = Vec::new();
    for &moves in MoveSets::of(board).list() {
        all.extend(moves.into_iter().map(ChessMove::from));
    }
    all
}

/// The move in SAN without the check mark.
fn bare(board: &Board, mv: ChessMove) -> String {
    if let Some(king) = mv.castles_to(board) {
        return if king.file() == File::G { "O-O" } else { "O-O-O" }.to_owned();
    }
    let Some(piece) = board.piece_on(mv.origin()) else { return String::new() };
    let mut out = String::new();
    let takes = mv.captures(board);
    if piece == Piece::Pawn {
        if takes {
            push_file(&mut out, mv.origin());
        }
    } else {
        out.push(char::from(piece).to_ascii_uppercase());
        let twins: Vec<Square> = moves(board)
            .into_iter()
            .filter(|other| other.target() == mv.target() && other.origin() != mv.origin())
            .map(ChessMove::origin)
            .filter(|&from| board.piece_on(from) == Some(piece))
            .gather();
        let same =
            |what: fn(Square) -> usize| twins.iter().any(|&twin| what(twin) == what(mv.origin()));
        let (file, rank) = (same(|s| s.file() as usize), same(|s| s.rank() as usize));
        // The file disambiguates, otherwise the rank, otherwise both are needed.
        if !twins.is_empty() && (!file || rank) {
            push_file(&mut out, mv.origin());
        }
        if file {
            push_rank(&mut out, mv.origin());
        }
    }
    if takes {
        out.push('x');
    }
    push_file(&mut out, mv.target());
    push_rank(&mut out, mv.target());
    if let Some(piece) = mv.promotion() {
        out.push('=');
        out.push(char::from(piece).to_ascii_uppercase());
    }
    out
}

fn push_file(out: &mut String, square: Square) {
    out.push(char::from(b'a' + square.file() as u8));
}

fn push_rank(out: &mut String, square: Square) {
    out.push(char::from(b'1' + square.rank() as u8));
}

/// The legal moves, for an error message.
pub(super) fn legal(state: &ChessState) -> String {
    let all = moves(&state.board);
    all.iter().map(|&mv| bare(&state.board, mv)).gather::<Vec<_>>().join(", ")
}

/// The parts of a move in a text.
struct Said {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

/// Reads a move leniently: the marks for check, capture, promotion and annotation are optional,
/// zeros may replace the letter O, and the origin may be more precise than needed.
///
/// # Errors
/// A sentence that lists the legal moves or the matching ones.
pub(super) fn read(state: &ChessState, word: &str) -> Result<ChessMove, String> {
    let board = &state.board;
    let all = moves(board);
    let plain = word.trim_end_matches(['+', '#', '!', '?']);
    let plain = plain.strip_suffix("e.p.").unwrap_or(plain).trim_end();
    let castling = match plain.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" | "OO" => Some(File::G),
        "O-O-O" | "OOO" => Some(File::C),
        _ => None,
    };
    let meant: Vec<ChessMove> = match (castling, parse(plain)) {
        (Some(file), _) => {
            let castles =
                |mv: &ChessMove| mv.castles_to(board).is_some_and(|king| king.file() == file);
            all.iter().copied().filter(castles).gather()
        }
        (None, Some(said)) => all.iter().copied().filter(|&mv| said.means(board, mv)).gather(),
        (None, None) => {
            let all = legal(state);
            return Err(format!("`{word}` is not a move; legal: {all}"));
        }
    };
    match meant[..] {
        [mv] => Ok(mv),
        [] => Err(format!("`{word}` is not legal; legal: {}", legal(state))),
        _ => {
            let texts = meant.iter().map(|&mv| {
                let mut text = String::new();
                write_move(state, mv, &mut text);
                text
            });
            let texts: Vec<String> = texts.gather();
            Err(format!("`{word}` is not clear: {}", texts.join(" or ")))
        }
    }
}

fn piece(letter: u8) -> Option<Piece> {
    let pieces = [
        (b'N', Piece::Knight),
        (b'B', Piece::Bishop),
        (b'R', Piece::Rook),
        (b'Q', Piece::Queen),
        (b'K', Piece::King),
    ];
    pieces.into_iter().find(|(name, _)| *name == letter).map(|(_, piece)| piece)
}

fn parse(text: &str) -> Option<Said> {
    let mut letters: Vec<u8> = text.bytes().filter(|byte| !b"-x:=()".contains(byte)).gather();
    let mover = match letters.first().copied() {
        Some(b'P') => {
            letters.remove(0);
            Piece::Pawn
        }
        Some(letter) => match piece(letter) {
            Some(piece) => {
                letters.remove(0);
                piece
            }
            None => Piece::Pawn,
        },
        None => return None,
    };
    let mut promotion = None;
    if mover == Piece::Pawn && letters.len() > 2 {
        let last = letters[letters.len() - 1];
        if !last.is_ascii_digit() {
            promotion = Some(piece(last.to_ascii_uppercase())?);
            letters.pop();
        }
    }
    let rank = letters.pop()?;
    let to = square(letters.pop()?, rank)?;
    let (file, rank) = match letters[..] {
        [] => (None, None),
        [one] if one.is_ascii_digit() => (None, Some(square(b'a', one)?.rank())),
        [one] => (Some(square(one, b'1')?.file()), None),
        [file, rank] => {
            let from = square(file, rank)?;
            (Some(from.file()), Some(from.rank()))
        }
        _ => return None,
    };
    Some(Said { piece: mover, file, rank, to, promotion })
}

impl Said {
    fn means(&self, board: &Board, mv: ChessMove) -> bool {
        let from = mv.origin();
        mv.target() == self.to
            && mv.castles_to(board).is_none()
            && board.piece_on(from) == Some(self.piece)
            && self.file.is_none_or(|file| from.file() == file)
            && self.rank.is_none_or(|rank| from.rank() == rank)
            && mv.promotion() == self.promotion
    }
}
