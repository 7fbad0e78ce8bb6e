//! A scan of all lines: wins, threats and hopeless attacks of a position.

use super::board_lines::LineBoard;

/// The largest number of stones in a line, plus one.
const SIZES: usize = 20;

/// The stones of the side that wants a line and of the side that prevents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SideStones {
    pub attacker: u64,
    pub defender: u64,
}

/// The lines that each side can still complete, by the number of missing stones.
pub struct LineScan {
    /// Cells where the attacker wins at once.
    pub wins: u64,
    /// Cells where the defender wins at once.
    pub threats: u64,
    /// Empty cells of the attacker's lines, by the number of missing stones.
    open: [u64; SIZES],
    count: [u32; SIZES],
    /// Empty cells of the defender's lines.
    counter: [u64; SIZES],
    /// Empty cells that are in more than one of the attacker's lines with two missing stones.
    crossings: u64,
}

impl LineScan {
    #[inline]
    pub fn at(board: &LineBoard, stones: SideStones) -> LineScan {
        let SideStones { attacker, defender } = stones;
        let mut scan = LineScan {
            wins: 0,
            threats: 0,
            open: [0; SIZES],
            count: [0; SIZES],
            counter: [0; SIZES],
            crossings: 0,
        };
        let taken = attacker | defender;
        for line in &board.lines {
            let empty = line.cells & !taken;
            let lack = empty.count_ones() as usize;
            if line.cells & defender == 0 && line.ends & attacker == 0 {
                if lack == 2 {
                    scan.crossings |= scan.open[2] & empty;
                }
                scan.open[lack] |= empty;
                scan.count[lack] += 1;
            }
            if line.cells & attacker == 0 && line.ends & defender == 0 {
                scan.counter[lack] |= empty;
            }
        }
        scan.wins = scan.open[1];
        scan.threats = scan.counter[1];
        scan
    }

    /// The smallest number of stones that a line of the attacker lacks. `None` if no line is left.
    #[inline]
    pub fn nearest(&self) -> Option<u32> {
        self.count.iter().position(|&count| count > 0).map(|lack| lack as u32)
    }

    /// Whether the defender, who is to move, blocks all lines with at most `most` missing stones.
    /// The defender always takes the cell with the largest weight. A line with n missing stones
    /// weighs 2^−n, and all lines together weigh less than 1 (Erdős and Selfridge 1973, "On a
    /// combinatorial game"). If the attacker is to move, the lines must weigh less than one half.
    #[inline]
    pub fn is_outweighed(&self, most: u32, attacker_moves: bool) -> bool {
        let mut weight = 0u64;
        for lack in 1..=(most as usize).min(SIZES - 1) {
            weight += u64::from(self.count[lack]) << (SIZES - lack);
        }
        weight < 1 << (SIZES - usize::from(attacker_moves))
    }

    /// The empty cells of the attacker's lines with at most `most` missing stones.
    #[inline]
    pub fn open(&self, most: u32) -> u64 {
        self.open[..=(most as usize).min(SIZES - 1)].iter().fold(0, |all, cells| all | cells)
    }

    /// The empty cells of the defender's lines with at most `most` missing stones.
    #[inline]
    pub fn counter(&self, most: u32) -> u64 {
        self.counter[..=(most as usize).min(SIZES - 1)].iter().fold(0, |all, cells| all | cells)
    }

    /// The cells where a stone of the defender threatens an immediate win.
    #[inline]
    pub fn forcing(&self) -> u64 {
        self.counter[2]
    }

    /// The cells that answer all double threats of the attacker. A double threat is a stone that
    /// leaves two winning cells; the attacker has no single threat. The result is all cells if
    /// there is no double threat, and no cell if none answers them all. `among`: the cells where
    /// the attacker may play.
    #[inline]
    pub fn double_threat_replies(&self, board: &LineBoard, stones: SideStones, among: u64) -> u64 {
        let mut crossings = self.crossings & among;
        let mut replies = u64::MAX;
        while crossings != 0 && replies != 0 {
            let cell = crossings & crossings.wrapping_neg();
            crossings ^= cell;
            let mut wins = 0;
            for line in &board.lines {
                let empty = line.cells & !stones.attacker;
                let open = line.cells & stones.defender == 0 && line.ends & stones.attacker == 0;
                if open && empty & cell != 0 && empty.count_ones() == 2 {
                    wins |= empty ^ cell;
                }
            }
            match wins.count_ones() {
                // Two lines with the same missing cells have only one winning cell.
                0 | 1 => {}
                2 => replies &= wins | cell,
                _ => replies &= cell,
            }
        }
        replies
    }
}
