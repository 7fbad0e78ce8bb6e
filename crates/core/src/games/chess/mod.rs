//! Chess by the FIDE rules. The crate `cozy-chess` plays moves and tests single ones; this module
//! generates them and detects the end.
//!
//! The first player is White. Checkmate wins. Stalemate, 50 moves by each side without capture or
//! pawn move, and insufficient material are immediate draws. The third occurrence of a position is
//! a draw too, but a position does not contain its history: the caller counts occurrences
//! (`Repetition::ended_by_history`). Moves are written in UCI notation (`e2e4`, `e7e8q`, castling
//! as the king's move `e1g1`). UCI notation and SAN are accepted. Positions are FEN.
//!
//! Chess960 is a parameter (`Variant`). It changes only the starts and the texts: castling is
//! written as king takes rook (`e1h1`), and positions are Shredder-FEN. Boards and moves contain the
//! files of the rooks in both variants.

mod chess_move;
mod draw_board;
mod en_passant;
mod evaluators;
mod fen;
mod game_end;
mod move_sets;
mod perft;
mod piece_square_tables;
mod quiet_moves;
mod rules;
mod san_and_uci_text;
mod state;

pub use chess_move::ChessMove;
pub use evaluators::Squares;
pub use rules::ChessParams;
pub use state::{BoardStyle, Chess, ChessState, Variant};
