//! Random games in plain loops written for one game each, without agon: how many a second this machine allows.
//!
//! ```text
//! rustc -C opt-level=3 -o random_games benches/limit/random_games.rs && ./random_games
//! ```
//!
//! The random numbers are of xorshift64*, which is faster than ChaCha8 and not safe against guessing. No
//! game is recorded. Prints the games a second of one thread: the best of five rounds.
//!
//! Where a stone may be put on any cell, there are two loops. The first keeps the empty cells in any
//! order. The second keeps them in the order of the board, as agon does, because it numbers the moves.

use std::time::Instant;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((word * u64::from(n)) >> 32) as u32
    }
}

/// Removes the cell at index `chosen` from the first `left` cells. With `IN_ORDER`, all later cells
/// move down; otherwise the last one takes its place.
fn remove<T: Copy, const IN_ORDER: bool>(cells: &mut [T], chosen: usize, left: u32) {
    let left = left as usize;
    if IN_ORDER {
        cells.copy_within(chosen + 1..left, chosen);
    } else {
        cells[chosen] = cells[left - 1];
    }
}

/// Whether each set of cells of tic-tac-toe has a line.
fn lines() -> [bool; 512] {
    let all = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    std::array::from_fn(|set| all.iter().any(|line| set & line == *line))
}

/// Plays a game; returns 1 if the first player wins, −1 if it loses, and the number of plies.
fn tic_tac_toe<const IN_ORDER: bool>(random: &mut Random, has_line: &[bool; 512]) -> (i32, u32) {
    let mut cells: [u8; 9] = std::array::from_fn(|cell| cell as u8);
    let mut stones = [0_usize; 2];
    for ply in 0..9 {
        let left = 9 - ply;
        let chosen = random.below(left) as usize;
        let own = &mut stones[ply as usize & 1];
        *own |= 1 << cells[chosen];
        remove::<_, IN_ORDER>(&mut cells, chosen, left);
        if has_line[*own & 511] {
            return (1 - 2 * (ply as i32 & 1), ply + 1);
        }
    }
    (0, 9)
}

/// Whether a set has four in a row, in seven columns of seven bits, of which the highest is empty.
fn has_four(set: u64) -> bool {
    let mut found = 0;
    for step in [1, 6, 7, 8] {
        let two = set & set >> step;
        found |= two & two >> (2 * step);
    }
    found != 0
}

fn connect_four(random: &mut Random) -> (i32, u32) {
    let (mut stones, mut heights) = ([0_u64; 2], [0_u8; 7]);
    let (mut open, mut many) = ([0_u8, 1, 2, 3, 4, 5, 6], 7_u32);
    for ply in 0..42 {
        let chosen = random.below(many) as usize;
        let column = open[chosen] as usize;
        let own = &mut stones[ply as usize & 1];
        *own |= 1 << (7 * column as u32 + u32::from(heights[column]));
        heights[column] += 1;
        if heights[column] == 6 {
            many -= 1;
            open[chosen] = open[many as usize];
        }
        if has_four(*own) {
            return (1 - 2 * (ply as i32 & 1), ply + 1);
        }
    }
    (0, 42)
}

/// Seven columns and six rows, four in a row win; a stone may be put on any cell.
fn four_in_a_row<const IN_ORDER: bool>(random: &mut Random) -> (i32, u32) {
    let mut cells: [u8; 42] = std::array::from_fn(|cell| (cell + cell / 6) as u8);
    let mut stones = [0_u64; 2];
    for ply in 0..42 {
        let left = 42 - ply;
        let chosen = random.below(left) as usize;
        let own = &mut stones[ply as usize & 1];
        *own |= 1 << cells[chosen];
        remove::<_, IN_ORDER>(&mut cells, chosen, left);
        if has_four(*own) {
            return (1 - 2 * (ply as i32 & 1), ply + 1);
        }
    }
    (0, 42)
}

/// Fifteen columns and rows, five in a row win. The board has an edge of one cell.
fn five_in_a_row<const IN_ORDER: bool>(random: &mut Random) -> (i32, u32) {
    let mut board = [0_u8; 17 * 17];
    let mut cells: [u16; 225] =
        std::array::from_fn(|cell| (17 * (cell / 15 + 1) + cell % 15 + 1) as u16);
    for ply in 0..225 {
        let left = 225 - ply;
        let chosen = random.below(left) as usize;
        let cell = usize::from(cells[chosen]);
        remove::<_, IN_ORDER>(&mut cells, chosen, left);
        let own = 1 + (ply as u8 & 1);
        board[cell] = own;
        for step in [1, 16, 17, 18] {
            let (mut length, mut place) = (1, cell + step);
            while board[place] == own {
                (length, place) = (length + 1, place + step);
            }
            place = cell - step;
            while board[place] == own {
                (length, place) = (length + 1, place - step);
            }
            if length >= 5 {
                return (1 - 2 * (ply as i32 & 1), ply + 1);
            }
        }
    }
    (0, 225)
}

fn measure(name: &str, games: u32, mut play: impl FnMut(&mut Random) -> (i32, u32)) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut best, mut score, mut plies) = (f64::INFINITY, 0_i64, 0_u64);
    for _ in 0..5 {
        let begin = Instant::now();
        for _ in 0..games {
            let (payoff, length) = play(&mut random);
            score += i64::from(payoff);
            plies += u64::from(length);
        }
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let all = 5.0 * f64::from(games);
    println!(
        "{name}: {:.2} million games a second; mean score of the first player {:+.4}, {:.2} plies",
        f64::from(games) / best / 1e6,
        score as f64 / all,
        plies as f64 / all
    );
}

fn main() {
    let has_line = lines();
    measure("tic-tac-toe", 3_000_000, |random| tic_tac_toe::<false>(random, &has_line));
    measure("tic-tac-toe, in order", 3_000_000, |random| tic_tac_toe::<true>(random, &has_line));
    measure("Connect Four", 1_000_000, connect_four);
    measure("7x6, four in a row", 1_000_000, four_in_a_row::<false>);
    measure("7x6, four in a row, in order", 1_000_000, four_in_a_row::<true>);
    measure("15x15, five in a row", 20_000, five_in_a_row::<false>);
    measure("15x15, five in a row, in order", 20_000, five_in_a_row::<true>);
}
