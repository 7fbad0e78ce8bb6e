//! Positions in Forsyth-Edwards Notation: strict in writing, lenient in reading.
//!
//! Also accepted: positions without counters, EPD (of its operations, `hmvc` and `fmvn` are used),
//! the word `startpos`, and castling rights as files (`HAha`). An en passant square is written only
//! where such a capture is legal. So equal positions have equal texts except for the counters.
//!
//! The game is drawn at 100 half-moves without a capture or a pawn move. A player has to claim that
//! draw (FIDE Laws of Chess 2023, 9.3), so positions of other programs have up to 150 (9.6.2). They
//! are read as 100: the game is over.
//!
//! In Chess960 castling rights are written as files (Shredder-FEN). In reading, `KQkq` are the
//! outermost rooks (X-FEN).

use std::fmt::Write;

use cozy_chess::{Board, Color, FenParseError, File, Square, get_king_moves};

use super::en_passant;
use super::game_end::FIFTY_MOVES;
use super::state::{ChessState, Variant};
use crate::games::read_number::whole_number;

/// The half-moves without a capture or a pawn move after which no game goes on (FIDE 9.6.2).
const SEVENTY_FIVE_MOVES: u8 = 150;

pub(super) fn write(state: &ChessState, variant: Variant) -> String {
    let board = &state.board;
    let mut out = String::with_capacity(80);
    let _ = match variant {
        Variant::Standard => write!(out, "{board}"),
        Variant::Chess960 => write!(out, "{board:#}"),
    };
    if !en_passant::is_impossible(board) {
        return out;
    }
    let mut words: Vec<&str> = out.split(' ').collect();
    if let Some(square) = words.get_mut(3) {
        *square = "-";
    }
    words.join(" ")
}

pub(super) fn read(text: &str, variant: Variant) -> Result<ChessState, String> {
    let mut words = text.split_whitespace();
    let placement = match words.next() {
        Some("startpos") => return Ok(ChessState::of(Board::startpos())),
        Some(placement) => placement,
        None => return Err("a position begins with the pieces, rank by rank".to_owned()),
    };
    check_placement(placement)?;
    let side = match words.next().unwrap_or("w") {
        "w" | "W" | "white" => "w",
        "b" | "B" | "black" => "b",
        word => return Err(format!("`{word}` is not a side: `w` or `b` is to move")),
    };
    let castling = words.next().unwrap_or("-");
    let en_passant = words.next().unwrap_or("-");
    let rest: Vec<&str> = words.collect();
    let (clock, number) = counters(&rest)?;
    let fen = |castling| format!("{placement} {side} {castling} {en_passant} {clock} {number}");
    let board = match variant {
        Variant::Standard => fen(castling).parse(),
        Variant::Chess960 => Board::from_fen(&fen(&rook_files(placement, castling)), true),
    };
    let board = board.map_err(|error| wrong(error, castling, en_passant, variant))?;
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err("the kings are on adjacent squares".to_owned());
    }
    if variant == Variant::Standard {
        check_castling(&board, castling)?;
    }
    Ok(ChessState::of(board))
}

/// Castling rights with the files of the outermost rooks in the place of `KQkq`. A letter without
/// such a rook stays.
fn rook_files(placement: &str, castling: &str) -> String {
    let first_rank = |white: bool| {
        let rank = if white { placement.rsplit('/').next() } else { placement.split('/').next() };
        let empty = |c: char| c.to_digit(10).map_or(1, |count| count as usize);
        let squares = |c: char| std::iter::repeat_n(c, empty(c));
        rank.unwrap_or_default().chars().flat_map(squares).collect::<Vec<_>>()
    };
    let file = |right: char| {
        let white = right.is_ascii_uppercase();
        let piece = |letter: char| if white { letter } else { letter.to_ascii_lowercase() };
        let squares = first_rank(white);
        let king = squares.iter().position(|&square| square == piece('K'))?;
        let is_rook = |&square: &char| square == piece('R');
        let file = match right.to_ascii_uppercase() {
            'K' => king + squares[king..].iter().rposition(is_rook)?,
            'Q' => squares[..king].iter().position(is_rook)?,
            _ => return None,
        };
        Some(piece(char::from(b'A' + file as u8)))
    };
    castling.chars().map(|right| file(right).unwrap_or(right)).collect()
}

fn check_placement(placement: &str) -> Result<(), String> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return Err(format!("{} ranks between `/`, but the board has 8", ranks.len()));
    }
    for (number, rank) in (1..=8).rev().zip(ranks) {
        let mut squares = 0;
        for letter in rank.chars() {
            squares += match letter {
                '1'..='8' => letter as u32 - '0' as u32,
                _ if "pnbrqkPNBRQK".contains(letter) => 1,
                _ => return Err(format!("`{letter}` in rank {number} is not a piece")),
            };
        }
        if squares != 8 {
            return Err(format!("rank {number} has {squares} squares instead of 8"));
        }
    }
    Ok(())
}

/// Half-move clock and move number: the last two fields of a FEN, or the operations `hmvc` and
/// `fmvn` of EPD. Operations may follow the fields of a FEN, too.
fn counters(rest: &[&str]) -> Result<(u8, u16), String> {
    let text = without_quoted(&rest.join(" "));
    let operations = text.replace(';', " ; ");
    let mut words: Vec<&str> = operations.split_whitespace().collect();
    let is_number = |word: &&&str| word.chars().all(|c| c.is_ascii_digit());
    let fields = words.iter().take(2).take_while(is_number).count();
    let operations = words.split_off(fields);
    if let Some(more) = operations.first()
        && !operations.contains(&";")
    {
        return Err(match fields {
            0 => format!("`{more}` is not a number of half-moves"),
            1 => format!("`{more}` is not the number of a move"),
            _ => format!("`{more}` after the number of the move"),
        });
    }
    let value = |field: usize, name, default| {
        let mut found = operations.iter().skip_while(|word| **word != name).skip(1);
        words.get(field).or_else(|| found.next()).copied().unwrap_or(default)
    };
    let (clock, number) = (value(0, "hmvc", "0"), value(1, "fmvn", "1"));
    let half =
        whole_number::<u8>(clock).filter(|half| *half <= SEVENTY_FIVE_MOVES).ok_or_else(|| {
            format!(
                "`{clock}` is not a number of half-moves since a capture or a pawn move: from 0 to \
             {SEVENTY_FIVE_MOVES}, where a game ends by the 75-move rule"
            )
        })?;
    // Some programs count moves from 0.
    let read = whole_number::<u16>(number).map(|number| number.max(1));
    let read = read
        .ok_or_else(|| format!("`{number}` is not a number of the move from 1 to {}", u16::MAX))?;
    Ok((half.min(FIFTY_MOVES), read))
}

/// The text without its parts in quotes, which may contain any word.
fn without_quoted(text: &str) -> String {
    text.split('"').step_by(2).collect::<Vec<_>>().join(" ")
}

fn wrong(error: FenParseError, castling: &str, en_passant: &str, variant: Variant) -> String {
    match error {
        FenParseError::InvalidCastlingRights => {
            let why = match variant {
                Variant::Standard => "king and rook must be on their first squares",
                Variant::Chess960 => {
                    "each right is the file of a rook (`HAha`), or `K` or `Q` for the outermost \
                     rook on that side; king and rook are on the first rank"
                }
            };
            format!("`{castling}` does not fit the position: {why}")
        }
        FenParseError::InvalidEnPassant => {
            format!("no pawn has just moved two squares over `{en_passant}`; write `-` if none has")
        }
        _ => "each side has one king, at most eight pawns (none on the first and last rank) and \
              at most sixteen pieces, and the side that has just moved is not in check"
            .to_owned(),
    }
}

/// Rejects castling rights that only exist in Chess960.
fn check_castling(board: &Board, castling: &str) -> Result<(), String> {
    let usual = |color: Color| {
        let rights = board.castle_rights(color);
        let none = rights.short.is_none() && rights.long.is_none();
        let right = |file: Option<File>, usual| file.is_none_or(|file| file == usual);
        none || board.king(color) == Square::E1.relative_to(color)
            && right(rights.short, File::H)
            && right(rights.long, File::A)
    };
    if Color::ALL.into_iter().all(usual) {
        return Ok(());
    }
    Err(format!(
        "`{castling}`: only a king on the e-file castles, with rooks from the corners; for \
         Chess960 write `variant = \"960\"` in `[game]`"
    ))
}
