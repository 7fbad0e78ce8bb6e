//! One file of a set of tables, such as `KQvK.rtbw`.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use cozy_chess::{Board, Color, Piece};

use super::compressed_values::CompressedValues;
use super::piece_order::{PieceOrder, is_pawn, leading_file};
use super::read_bytes::{block, bytes, go_to_even};
use super::table_names::piece_codes;

const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Bytes after the values: a checksum.
const CHECKSUM: u64 = 16;

#[derive(Debug)]
pub(super) struct TableFile {
    pub path: PathBuf,
    /// By file of the leading pawn, and then by side to move.
    parts: Vec<(PieceOrder, CompressedValues)>,
    /// The number of sides to move that have values: one if both sides have the same pieces.
    sides: usize,
}

impl TableFile {
    /// Reads the header of a file and checks its length. `None` if the file is damaged or cannot be
    /// read.
    pub fn open(path: &Path, name: &str) -> Option<Self> {
        let mut reader = BufReader::new(File::open(path).ok()?);
        let pieces = piece_codes(name);
        let (first, second) = name.split_once('v')?;
        let sides = if first == second { 1 } else { 2 };
        let pawns = [first, second].iter().filter(|side| side.contains('P')).count();
        let magic: [u8; 4] = bytes(&mut reader)?;
        let [flags] = bytes(&mut reader)?;
        if magic != MAGIC || (flags & 2 != 0) != (pawns > 0) || (flags & 1 != 0) != (sides == 2) {
            return None;
        }
        let mut orders = Vec::new();
        for file in 0..if pawns > 0 { 4 } else { 1 } {
            let places = block(&mut reader, pawns.max(1))?;
            let codes = block(&mut reader, pieces.len())?;
            for shift in [0, 4].into_iter().take(sides) {
                let half = |bytes: &[u8]| -> Vec<u8> {
                    bytes.iter().map(|byte| byte >> shift & 15).collect()
                };
                orders.push(PieceOrder::new(half(&codes), &pieces, &half(&places), file)?);
            }
        }
        go_to_even(&mut reader)?;
        let mut parts = Vec::new();
        for order in orders {
            let values = CompressedValues::read(&mut reader, order.positions)?;
            parts.push((order, values));
        }
        // The sparse indexes of all parts, the sizes of all blocks, and the blocks.
        let mut at = go_to_even(&mut reader)?;
        for (_, values) in &mut parts {
            values.index_at = at;
            at += 6 * values.entries;
        }
        for (_, values) in &mut parts {
            values.sizes_at = at;
            at += 2 * values.blocks;
        }
        for (_, values) in &mut parts {
            values.data_at = at.next_multiple_of(64);
            at = values.data_at + (values.stored_blocks << values.block_bits);
        }
        let length = reader.get_ref().metadata().ok()?.len();
        let is_whole = at.next_multiple_of(64) + CHECKSUM == length;
        is_whole.then(|| TableFile { path: path.to_owned(), parts, sides })
    }

    /// The value for the side to move, from -2 (loss) to 2 (win). Captures are not looked at.
    /// `swaps`: the first side of the table is Black. `None` if the file is damaged or cannot be read.
    pub fn value(&self, board: &Board, swaps: bool) -> Option<i8> {
        let squares = |code: u8| {
            let color = if (code & 8 != 0) == swaps { Color::White } else { Color::Black };
            let places = board.colored_pieces(color, Piece::index(usize::from(code & 7) - 1));
            let flip = if swaps { 56 } else { 0 };
            places.into_iter().map(move |square| square as usize ^ flip)
        };
        let leading = self.parts[0].0.codes[0];
        let file = if is_pawn(leading) { leading_file(squares(leading)) } else { 0 };
        let side = usize::from((board.side_to_move() == Color::Black) != swaps);
        let (order, values) = self.parts.get(file * self.sides + side)?;
        let mut kinds = order.codes.clone();
        kinds.dedup();
        let index = order.index(kinds.into_iter().flat_map(squares).collect())?;
        match values.get(&mut File::open(&self.path).ok()?, index)? {
            value @ 0..=4 => Some(value as i8 - 2),
            _ => None,
        }
    }
}
