//! An opening book as text: the scores of all positions with few stones.
//!
//! The first lines are `agon book 1`, the game (`connect4 columns=7 rows=6 connect=4`),
//! `plies=… positions=…`, and `sum=…`: 64-bit FNV-1a of the following lines. Then there is one line for
//! each unfinished position with at most this many stones. It has the stones of the player to move,
//! those of the other player, and the score. Stones are hexadecimal numbers: one bit a cell, rows + 1
//! bits a column, from the left, bottom up. A position and its mirror image share one line, that of the
//! smaller position.

use std::collections::HashMap;
use std::fmt::Write;

use super::board_size_and_stones::{BoardSize, BoardStones};

/// The largest number of plies in a book. A single position can take minutes, and all positions
/// take a day.
pub const MOST_PLIES: u32 = 8;

const FIRST_LINE: &str = "agon book 1";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreBook {
    scores: HashMap<[u64; 2], i32>,
}

impl ScoreBook {
    /// The built-in book: the four positions after the first move of the standard board. It was
    /// made by `agon solve --game connect4 --book FILE --book-plies 1`. These positions take ten
    /// times as long as the empty board. The empty board itself is not in the book: it is always
    /// searched. For other boards the book is empty.
    pub(super) fn first_moves(shape: BoardSize) -> ScoreBook {
        let mut book = ScoreBook::read(shape, include_str!("first_moves.book")).unwrap_or_default();
        book.scores.remove(&[0, 0]);
        book
    }

    /// Number of positions in the book.
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether the book has no positions.
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    pub(super) fn score(&self, shape: BoardSize, stones: &BoardStones) -> Option<i32> {
        if self.is_empty() {
            return None;
        }
        self.scores.get(&smaller(shape, stones)).copied()
    }

    pub(super) fn insert(&mut self, shape: BoardSize, stones: &BoardStones, score: i32) {
        self.scores.insert(smaller(shape, stones), score);
    }

    /// The book as text. Equal scores give equal text.
    pub fn write(&self, shape: BoardSize) -> String {
        let mut entries: Vec<_> = self.scores.iter().collect();
        entries.sort_by_key(|&(stones, _)| (count(stones), *stones));
        let mut lines = String::new();
        for ([mover, other], score) in &entries {
            let _ = writeln!(lines, "{mover:x} {other:x} {score}");
        }
        let (game, size) = (game_line(shape), self.size_line());
        format!("{FIRST_LINE}\n{game}\n{size}\nsum={:016x}\n{lines}", sum(&lines))
    }

    fn size_line(&self) -> String {
        let plies = self.scores.keys().map(count).max().unwrap_or(0);
        format!("plies={plies} positions={}", self.len())
    }

    /// Reads the text of [`write`](Self::write).
    ///
    /// # Errors
    /// The book is damaged, or belongs to another game or board. The message has no full stop.
    pub fn read(shape: BoardSize, text: &str) -> Result<ScoreBook, String> {
        let mut rest = text;
        let mut next = || {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            line.trim_end()
        };
        let [first, game, size, expected] = [next(), next(), next(), next()];
        if first != FIRST_LINE {
            return Err(format!("this is not a book: the first line is not `{FIRST_LINE}`"));
        }
        let own = game_line(shape);
        if game != own {
            return Err(format!("a book of `{game}`, not of `{own}`"));
        }
        let lines = rest.replace('\r', "");
        if expected != format!("sum={:016x}", sum(&lines)) {
            return Err("the book is damaged: its sum does not fit its lines".to_owned());
        }
        let mut book = ScoreBook::default();
        for (i, line) in lines.lines().enumerate() {
            let entry = entry(shape, line)
                .ok_or_else(|| format!("the book is damaged: line {} is not a position", i + 5))?;
            book.scores.insert(entry.0, entry.1);
        }
        if size != book.size_line() {
            return Err(
                "the book is damaged: its plies or positions differ from its head".to_owned()
            );
        }
        Ok(book)
    }
}

fn count([mover, other]: &[u64; 2]) -> u32 {
    (mover | other).count_ones()
}

fn game_line(shape: BoardSize) -> String {
    let BoardSize { columns, rows, connect } = shape;
    format!("connect4 columns={columns} rows={rows} connect={connect}")
}

fn sum(text: &str) -> u64 {
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

fn entry(shape: BoardSize, line: &str) -> Option<([u64; 2], i32)> {
    let mut words = line.split(' ');
    let mut stones = || u64::from_str_radix(words.next()?, 16).ok();
    let [mover, other] = [stones()?, stones()?];
    let score: i32 = words.next()?.parse().ok()?;
    let most = (shape.columns * shape.rows).div_ceil(2) as i32;
    // Each stone is on the bottom or on another stone, and the players took turns.
    let all = mover | other;
    let fits = mover & other == 0
        && shape.cells() & all == all
        && (all << 1 | shape.bottoms()) & all == all
        && mover.count_ones() == all.count_ones() / 2
        && score.abs() <= most
        && words.next().is_none();
    fits.then_some(([mover, other], score))
}

fn smaller(shape: BoardSize, stones: &BoardStones) -> [u64; 2] {
    let own = [stones.mover, stones.other];
    own.min(own.map(|set| shape.mirror(set)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: BoardSize = BoardSize { columns: 5, rows: 4, connect: 4 };

    fn book() -> ScoreBook {
        let mut book = ScoreBook::default();
        for (mover, other, score) in [(0, 0, 0), (0, 1, -2), (1, 1 << 20, 3)] {
            book.insert(SHAPE, &BoardStones { mover, other, line: false }, score);
        }
        book
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let text = book().write(SHAPE);
        assert_eq!(ScoreBook::read(SHAPE, &text), Ok(book()));
        assert_eq!(ScoreBook::read(SHAPE, &text.replace('\n', "\r\n")), Ok(book()));
        // A position and its mirror image count as one.
        let image = BoardStones { mover: 1 << 20, other: 1, line: false };
        assert_eq!(book().score(SHAPE, &image), Some(3));
        assert_eq!(
            book().score(SHAPE, &BoardStones { mover: 0, other: 1 << 5, line: false }),
            None
        );
    }

    #[test]
    fn the_book_that_comes_along_knows_four_positions() {
        let standard = BoardSize { columns: 7, rows: 6, connect: 4 };
        let book = ScoreBook::first_moves(standard);
        let score = |column: u32| {
            book.score(standard, &BoardStones { mover: 0, other: 1 << (7 * column), line: false })
        };
        let after: Vec<_> = (0..7).map(score).collect();
        assert_eq!(after, [2, 1, 0, -1, 0, 1, 2].map(Some));
        assert_eq!(book.score(standard, &BoardStones { mover: 0, other: 0, line: false }), None);
        assert!(ScoreBook::first_moves(SHAPE).is_empty());
    }

    #[test]
    fn what_is_not_the_games_book_is_refused() {
        let text = book().write(SHAPE);
        let error = |text: &str| ScoreBook::read(SHAPE, text).unwrap_err();
        assert!(error("").contains("not a book"));
        assert!(
            error(&text.replace("columns=5", "columns=6")).contains("not of `connect4 columns=5")
        );
        assert!(error(&text.replace("0 1 -2", "0 1 2")).contains("sum"));
        assert!(error(&text.replace("plies=2", "plies=3")).contains("head"));
        assert!(error(&text.replace("positions=3", "positions=4")).contains("head"));
        assert!(error(text.trim_end().rsplit_once('\n').unwrap().0).contains("sum"));
        for line in ["0 2 1", "1 1 1", "1 0 1", "0 0 99", "0 0", "0 0 0 0", "0 10 0", "x 0 0"] {
            let lines = format!("{line}\n");
            let head = format!("{FIRST_LINE}\n{}\nplies=2 positions=1", game_line(SHAPE));
            let text = format!("{head}\nsum={:016x}\n{lines}", sum(&lines));
            assert!(error(&text).contains("line 5"), "{line}");
        }
    }
}
