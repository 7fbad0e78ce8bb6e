//! `slices.csv`: what each block of slices cost both sides.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::stats::Confidence;
use crate::stats::timing::{BlockRatio, block_ratio};

/// A block: a slice of the games, played by both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The number of the block, from 1.
    pub block: u64,
    /// The slice, from 1.
    pub slice: u64,
    /// The side that was started first.
    pub began: String,
    pub old_moves: u64,
    pub new_moves: u64,
    /// Processor time, in nanoseconds.
    pub old_time_ns: u64,
    pub new_time_ns: u64,
    /// Empty if instructions were not counted.
    pub old_instructions: Option<u64>,
    pub new_instructions: Option<u64>,
}

/// The columns of the file, in the order of the fields of a block.
const HEAD: [&str; 9] = [
    "block",
    "slice",
    "began",
    "old_moves",
    "new_moves",
    "old_time_ns",
    "new_time_ns",
    "old_instructions",
    "new_instructions",
];

/// The blocks of a gate, in the order in which they were played.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SlicesCsv(pub Vec<Block>);

impl Block {
    /// The logarithm of the ratio of both times per move.
    fn log_ratio(&self) -> f64 {
        let per_move = |time: u64, moves: u64| time.max(1) as f64 / moves.max(1) as f64;
        let [old, new] = [(self.old_time_ns, self.old_moves), (self.new_time_ns, self.new_moves)];
        (per_move(new.0, new.1) / per_move(old.0, old.1)).ln()
    }
}

impl SlicesCsv {
    /// The name of the file, in the folder with the folders of both sides.
    pub const NAME: &'static str = "slices.csv";

    /// The ratio of the times per move with its interval, which is valid at any time.
    pub fn time_ratio(&self, confidence: Confidence) -> Option<BlockRatio> {
        let logs: Vec<f64> = self.0.iter().map(Block::log_ratio).collect();
        block_ratio(&logs, confidence)
    }

    /// Nanoseconds per move of both sides: the medians of the blocks. Single disturbed blocks would change
    /// a mean more than the ratio.
    pub fn time_per_move(&self) -> [f64; 2] {
        let median = |time: fn(&Block) -> u64, moves: fn(&Block) -> u64| {
            let per_move = |block| time(block) as f64 / moves(block).max(1) as f64;
            let mut all: Vec<f64> = self.0.iter().map(per_move).collect();
            all.sort_by(f64::total_cmp);
            all.get(all.len() / 2).copied().unwrap_or_default()
        };
        [median(|b| b.old_time_ns, |b| b.old_moves), median(|b| b.new_time_ns, |b| b.new_moves)]
    }

    /// Instructions per move of both sides; `None` if they were not counted.
    pub fn instructions_per_move(&self) -> Option<[f64; 2]> {
        let sum = |of: fn(&Block) -> Option<u64>| self.0.iter().map(of).sum::<Option<u64>>();
        let (old, new) = (sum(|b| b.old_instructions)?, sum(|b| b.new_instructions)?);
        let moves = |of: fn(&Block) -> u64| self.0.iter().map(of).sum::<u64>().max(1) as f64;
        let counted = old > 0 && new > 0;
        counted.then(|| [old as f64 / moves(|b| b.old_moves), new as f64 / moves(|b| b.new_moves)])
    }

    /// Whether both sides made the same number of moves in each block, as in the same games.
    pub fn has_equal_moves(&self) -> bool {
        self.0.iter().all(|block| block.old_moves == block.new_moves)
    }

    /// The processor time of both sides together.
    pub fn total_time(&self) -> Duration {
        Duration::from_nanos(self.0.iter().map(|block| block.old_time_ns + block.new_time_ns).sum())
    }

    /// Whether another block fits into a budget of processor time.
    pub fn has_time_within(&self, budget: Duration) -> bool {
        let blocks = self.0.len().max(1) as u32;
        self.total_time() + self.total_time() / blocks <= budget
    }

    /// Whether a folder has such a file, also of an earlier version with other columns.
    pub fn is_in(folder: &Path) -> bool {
        std::fs::read(folder.join(Self::NAME)).is_ok_and(|text| text.starts_with(b"block,"))
    }

    /// Reads the file of a folder.
    ///
    /// # Errors
    /// The file is missing or has other columns.
    pub fn read(folder: &Path) -> io::Result<SlicesCsv> {
        let mut reader = csv::Reader::from_path(folder.join(Self::NAME))?;
        let blocks = reader.deserialize().collect::<Result<_, csv::Error>>()?;
        Ok(SlicesCsv(blocks))
    }

    /// Begins the file, without blocks.
    ///
    /// # Errors
    /// As the disk.
    pub fn begin(folder: &Path) -> io::Result<()> {
        fs::write(folder.join(Self::NAME), HEAD.join(",") + "\n")
    }

    /// Adds a block, here and in the file.
    ///
    /// # Errors
    /// As the disk.
    pub fn add(&mut self, block: Block, folder: &Path) -> io::Result<()> {
        let mut row = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        row.serialize(&block)?;
        let row = row.into_inner().map_err(|error| error.into_error())?;
        self.0.push(block);
        OpenOptions::new().append(true).open(folder.join(Self::NAME))?.write_all(&row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let block = Block {
            block: 1,
            slice: 1,
            began: "new".to_owned(),
            old_moves: 100,
            new_moves: 100,
            old_time_ns: 1_000_000,
            new_time_ns: 2_000_000,
            old_instructions: None,
            new_instructions: None,
        };
        let mut counted = Block { block: 2, old_instructions: Some(500), ..block.clone() };
        counted.new_instructions = Some(1000);
        let dir = tempfile::tempdir().expect("a folder");
        let mut slices = SlicesCsv::default();
        SlicesCsv::begin(dir.path()).expect("written");
        slices.add(block, dir.path()).expect("written");
        slices.add(counted.clone(), dir.path()).expect("written");
        assert_eq!(SlicesCsv::read(dir.path()).expect("read"), slices);
        assert_eq!(slices.time_per_move(), [10_000.0, 20_000.0]);
        assert_eq!(slices.instructions_per_move(), None, "not all blocks were counted");
        let ratio = slices.time_ratio(Confidence::P99).expect("blocks").ratio;
        assert!((ratio - 2.0).abs() < 1e-9, "{ratio}");
        assert_eq!(SlicesCsv(vec![counted]).instructions_per_move(), Some([5.0, 10.0]));
    }
}
