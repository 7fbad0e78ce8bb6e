//! A proof by pairing that an attack fails.
//!
//! Every line that the attacker can still complete must contain a pair of empty cells, and no two
//! pairs may share a cell. The defender answers a stone on one cell of a pair with a stone on the
//! other. Then no line is ever completed (Hales and Jewett 1963, "Regularity and positional
//! games").

use super::board_lines::LineBoard;
use super::line_scan::SideStones;

const MOST: usize = 128;
/// The largest number of pairs tried for a line.
const PAIRS: usize = 32;
/// Number of backtracking steps before the search for a proof stops.
const MOST_STEPS: u32 = 256;

/// Whether each line of the attacker with at most `most` missing stones has its own pair. The
/// attacker may be to move. Some proofs are missed.
pub fn blocks(board: &LineBoard, stones: SideStones, most: u32) -> bool {
    let SideStones { attacker, defender } = stones;
    let (mut lines, mut count) = ([0u64; MOST], 0);
    for line in &board.lines {
        if line.cells & defender == 0 && line.ends & attacker == 0 {
            let empty = line.cells & !attacker;
            if empty.count_ones() <= most {
                if count == MOST {
                    return false;
                }
                lines[count] = empty;
                count += 1;
            }
        }
    }
    let mut steps_left = MOST_STEPS;
    paired(&mut lines[..count], u64::MAX, &mut steps_left)
}

/// Finds pairs of free cells for the lines. The order of the lines does not matter.
fn paired(lines: &mut [u64], free: u64, steps_left: &mut u32) -> bool {
    // The line with the fewest free cells is the hardest.
    let Some(hardest) = lines.iter().map(|line| line & free).min_by_key(|cells| cells.count_ones())
    else {
        return true;
    };
    let (mut pairs, mut count) = ([(0i32, 0u64); PAIRS], 0);
    let mut firsts = hardest;
    while firsts != 0 {
        let first = firsts & firsts.wrapping_neg();
        firsts ^= first;
        let mut seconds = firsts;
        while seconds != 0 && count < PAIRS {
            let second = seconds & seconds.wrapping_neg();
            seconds ^= second;
            let both = first | second;
            pairs[count] = (usefulness(lines, both), both);
            count += 1;
        }
    }
    let pairs = &mut pairs[..count];
    pairs.sort_unstable_by_key(|&(useful, pair)| (-useful, pair));
    for &(_, pair) in &*pairs {
        // Lines that contain the pair go to the end.
        let (mut i, mut rest) = (0, lines.len());
        while i < rest {
            if lines[i] & pair == pair {
                rest -= 1;
                lines.swap(i, rest);
            } else {
                i += 1;
            }
        }
        if paired(&mut lines[..rest], free & !pair, steps_left) {
            return true;
        }
        *steps_left = steps_left.saturating_sub(1);
        if *steps_left == 0 {
            return false;
        }
    }
    false
}

/// A good pair serves many lines and takes a cell from few other lines.
fn usefulness(lines: &[u64], pair: u64) -> i32 {
    let usefulness = |line: &u64| match (line & pair).count_ones() {
        2 => 8,
        1 => -1,
        _ => 0,
    };
    lines.iter().map(usefulness).sum()
}

#[cfg(test)]
mod tests {
    use super::super::board_lines::WinningLine;
    use super::*;

    fn board(lines: &[u64]) -> LineBoard {
        let lines = lines.iter().map(|&cells| WinningLine { cells, ends: 0 }).collect();
        LineBoard { cells: 9, exact: false, lines }
    }

    const NOTHING: SideStones = SideStones { attacker: 0, defender: 0 };

    #[test]
    fn every_line_needs_a_pair() {
        // Three lines of two cells, each of which crosses the two others: there is no pairing.
        assert!(!blocks(&board(&[0b011, 0b110, 0b101]), NOTHING, 9));
        assert!(blocks(&board(&[0b0011, 0b1100]), NOTHING, 9));
        // One pair may serve several lines.
        assert!(blocks(&board(&[0b0111, 0b1110]), NOTHING, 9));
        // A stone of the attacker takes a cell; a stone of the defender blocks the line.
        let line = board(&[0b011]);
        assert!(!blocks(&line, SideStones { attacker: 1, defender: 0 }, 9));
        assert!(blocks(&line, SideStones { attacker: 0, defender: 1 }, 9));
    }

    #[test]
    fn lines_with_few_cells_choose_first() {
        assert!(blocks(&board(&[0b001_111, 0b010_001, 0b100_010]), NOTHING, 9));
        assert!(!blocks(&board(&[0b000_111, 0b001_001, 0b010_010]), NOTHING, 9));
        // Lines with more missing stones than `most` do not count.
        assert!(blocks(&board(&[0b000_111, 0b001_001, 0b010_010]), NOTHING, 2));
    }
}
