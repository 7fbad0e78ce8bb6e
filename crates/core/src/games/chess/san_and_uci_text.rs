//! Text of moves: written in UCI notation, read in UCI notation or SAN.
//!
//! Castling is the king's step (`e1g1`), in Chess960 king takes rook (`e1h1`). Both are read in both
//! variants, unless the king can also step there without castling. Figurines (`♘f3`) are read as the
//! letters of their pieces.

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color, File, Move, Piece, Square};

use super::chess_move::ChessMove;
use super::fen;
use super::game_end::End;
use super::state::{Chess, ChessState, Variant};
use crate::games::game::{Game, GameExt, Notation, PgnHeader};

impl Notation<Chess> for &Chess {
    /// Reads two squares or SAN. The marks for check, capture, promotion and annotation are
    /// optional, zeros may replace the letter O, and the origin may be more precise than needed.
    fn read_move(self, state: &ChessState, text: &str) -> Result<ChessMove, String> {
        if state.end != End::No {
            return Err("the game is over, no move is legal".to_owned());
        }
        let (board, word, mut legal) = (&state.board, text.trim(), Vec::new());
        self.moves(state, &mut legal);
        let letters = in_letters(word);
        let squares = letters.replace(['-', 'x', '=', ':', '+', '#'], "").to_ascii_lowercase();
        if !names_a_bishop(&letters)
            && let Some(named) = two_squares(&squares)
            && let Some(mv) = (legal.iter().find(|mv| mv.generated() == named))
                .or_else(|| legal.iter().find(|mv| mv.castles_as(board, named)))
        {
            return Ok(*mv);
        }
        let san = plain_san(&letters);
        let forms = |mv: &ChessMove| san_forms(board, *mv);
        let knight = format!("N{san}");
        if letters.starts_with('P') && legal.iter().any(|mv| forms(mv).contains(&knight)) {
            return Err(format!(
                "`{word}` is not clear: `P` is the pawn in English and the knight in Dutch; write \
                 `{san}` or `{knight}`"
            ));
        }
        let meant: Vec<_> = legal.iter().filter(|mv| forms(mv).contains(&san)).collect();
        match meant[..] {
            [mv] => Ok(*mv),
            [] => {
                let legal: Vec<_> = legal.iter().map(|mv| self.san(state, *mv)).collect();
                Err(format!("`{word}` is not a legal move; legal: {}", legal.join(", ")))
            }
            _ => {
                let written = |mv: &ChessMove| self.move_text(state, *mv);
                let texts: Vec<_> = meant.into_iter().map(written).collect();
                Err(format!("`{word}` is not clear: {}", texts.join(" or ")))
            }
        }
    }

    fn san(self, state: &ChessState, mv: ChessMove) -> String {
        display_san_move(&state.board, mv.generated()).to_string()
    }

    /// As the number of the move says.
    fn plies_before(self, state: &ChessState) -> u32 {
        let black = u32::from(state.board.side_to_move() == Color::Black);
        2 * (u32::from(state.board.fullmove_number()) - 1) + black
    }

    fn pgn_header(self, state: &ChessState) -> Option<PgnHeader> {
        let chess960 = self.variant == Variant::Chess960;
        let usual = !chess960 && state.board == Board::startpos();
        let start = (!usual).then(|| fen::write(state, self.variant));
        let number = u32::from(state.board.fullmove_number());
        Some(PgnHeader { variant: chess960.then_some("Chess960"), start, number })
    }
}

impl ChessMove {
    /// Appends the move in UCI notation.
    #[inline]
    pub(super) fn write(self, board: &Board, variant: Variant, out: &mut String) {
        self.write_to(self.shown_target(board, variant), out);
    }

    /// Appends the move with another target square.
    fn write_to(self, target: Square, out: &mut String) {
        for square in [self.origin(), target] {
            out.push(char::from(b'a' + square.file() as u8));
            out.push(char::from(b'1' + square.rank() as u8));
        }
        if let Some(piece) = self.promotion() {
            out.push(piece.into());
        }
    }

    /// The target square in texts; for castling the king's, in Chess960 the rook's square.
    pub(super) fn shown_target(self, board: &Board, variant: Variant) -> Square {
        let king = match variant {
            Variant::Standard => self.castles_to(board),
            Variant::Chess960 => None,
        };
        king.unwrap_or(self.target())
    }

    /// Whether the move castles, and these are the squares of the king.
    fn castles_as(self, board: &Board, squares: Move) -> bool {
        self.castles_to(board)
            .is_some_and(|to| squares == Move { from: self.origin(), to, promotion: None })
    }
}

/// Two squares and perhaps a new piece, and nothing else; the library also reads other pieces and
/// longer texts.
fn two_squares(text: &str) -> Option<Move> {
    text.parse().ok().filter(|mv: &Move| mv.to_string() == text)
}

/// Whether a capital B followed by a rank is a bishop, as in `B2xc3`, not the square b2. It is a
/// bishop if the rest is not in capitals.
fn names_a_bishop(word: &str) -> bool {
    let rank =
        word.strip_prefix('B').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    rank && word.contains(|c: char| c.is_ascii_lowercase() && c != 'x')
}

/// The word with letters for figurines of either colour, and with `-` and `x` for other signs of the
/// same meaning.
fn in_letters(word: &str) -> String {
    let letter = |sign: char| match sign {
        '♔' | '♚' => 'K',
        '♕' | '♛' => 'Q',
        '♖' | '♜' => 'R',
        '♗' | '♝' => 'B',
        '♘' | '♞' => 'N',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '×' => 'x',
        sign => sign,
    };
    // A figurine may be followed by a variation selector. Figurines of pawns have no letter.
    let signs = word.chars().filter(|sign| !['♙', '♟', '\u{fe0e}', '\u{fe0f}'].contains(sign));
    signs.map(letter).collect()
}

/// A text in SAN without its optional parts.
fn plain_san(word: &str) -> String {
    let word = word.trim_end_matches(['+', '#', '!', '?', '†', '‡']);
    let word = ["e.p.", "ep"].iter().find_map(|mark| word.strip_suffix(mark)).unwrap_or(word);
    let mut plain = word.trim_end().replace(['-', 'x', ':', '=', '(', ')', '/'], "");
    let castles = plain.to_ascii_uppercase().replace('0', "O");
    if ["OO", "OOO"].contains(&castles.as_str()) {
        return castles;
    }
    if let Some(promotion) = plain.pop() {
        plain.push(promotion.to_ascii_uppercase());
    }
    plain.strip_prefix('P').map(str::to_owned).unwrap_or(plain)
}

/// The move in SAN without its optional parts, for each precision of its origin.
fn san_forms(board: &Board, mv: ChessMove) -> [String; 4] {
    if let Some(king) = mv.castles_to(board) {
        let text = if king.file() == File::G { "OO" } else { "OOO" };
        return [(); 4].map(|()| text.to_owned());
    }
    let letter = |piece: Piece| char::from(piece).to_ascii_uppercase().to_string();
    let piece = board.piece_on(mv.origin()).filter(|&piece| piece != Piece::Pawn);
    let (piece, promotion) =
        (piece.map(letter).unwrap_or_default(), mv.promotion().map(letter).unwrap_or_default());
    let (file, rank) = (mv.origin().file().to_string(), mv.origin().rank().to_string());
    [String::new(), file.clone(), rank.clone(), file + &rank]
        .map(|origin| format!("{piece}{origin}{}{promotion}", mv.target()))
}
