//! The values of one part of a file: a constant, or blocks of symbols in a canonical Huffman code.
//! A symbol is a value, or a pair of symbols.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::read_bytes::{block, bytes, go_to_even};

/// The values of the positions of one part, by index.
#[derive(Debug, Default)]
pub(super) struct CompressedValues {
    /// The value of all positions. Then there is nothing else.
    constant: Option<u8>,
    /// Binary logarithm of the number of bytes of a block.
    pub block_bits: u8,
    /// Binary logarithm of the number of positions of an entry of the sparse index.
    index_bits: u8,
    /// The number of blocks that have a size, and of those that are in the file.
    pub blocks: u64,
    pub stored_blocks: u64,
    /// The number of entries of the sparse index.
    pub entries: u64,
    /// By length of a code from 1 on: the smallest code, and its symbol.
    codes: Vec<(u64, u64)>,
    /// The two symbols of each pair. A value has `NO_PAIR` as the second.
    symbols: Vec<[u16; 2]>,
    /// The number of values of each symbol.
    lengths: Vec<usize>,
    /// Places in the file: of the sparse index, of the sizes of the blocks, and of the blocks.
    pub index_at: u64,
    pub sizes_at: u64,
    pub data_at: u64,
}

const NO_PAIR: u16 = 0xfff;
/// The longest sequence of values of one symbol.
const LONGEST: usize = 256;

impl CompressedValues {
    /// Reads the header of the values of this number of positions. It does not have the places in the
    /// file.
    pub fn read(reader: &mut (impl Read + Seek), positions: u64) -> Option<Self> {
        let [flags, second] = bytes(reader)?;
        if flags & 0x80 != 0 {
            return Some(CompressedValues { constant: Some(second), ..Self::default() });
        }
        let [index_bits, padding] = bytes(reader)?;
        let stored_blocks = u64::from(u32::from_le_bytes(bytes(reader)?));
        let [longest, shortest] = bytes(reader)?.map(usize::from);
        let right = (1..=32).contains(&shortest) && (shortest..=32).contains(&longest);
        if !right || !(3..=16).contains(&second) || !(1..=32).contains(&index_bits) {
            return None;
        }
        // No code is shorter than the shortest.
        let mut codes = vec![(u64::MAX, 0); shortest - 1];
        for _ in shortest..=longest {
            codes.push((0, u64::from(u16::from_le_bytes(bytes(reader)?))));
        }
        for i in (shortest - 1..longest - 1).rev() {
            let (longer, symbol) = codes[i + 1];
            codes[i].0 = (longer + codes[i].1).checked_sub(symbol)? / 2;
        }
        let mut symbols = Vec::new();
        for _ in 0..u16::from_le_bytes(bytes(reader)?) {
            let [low, middle, high] = bytes(reader)?.map(u16::from);
            symbols.push([low | (middle & 15) << 8, middle >> 4 | high << 4]);
        }
        go_to_even(reader)?;
        let mut lengths = vec![0; symbols.len()];
        for symbol in 0..symbols.len() {
            measure(&symbols, symbol, &mut lengths)?;
        }
        Some(CompressedValues {
            block_bits: second,
            index_bits,
            blocks: stored_blocks + u64::from(padding),
            stored_blocks,
            entries: positions.div_ceil(1 << index_bits),
            codes,
            symbols,
            lengths,
            ..Self::default()
        })
    }

    /// The value of the position with this index.
    pub fn get(&self, file: &mut File, index: u64) -> Option<u8> {
        if self.constant.is_some() {
            return self.constant;
        }
        // The entry is for the position in the middle of its range.
        let range = 1 << self.index_bits;
        file.seek(SeekFrom::Start(self.index_at + 6 * (index / range))).ok()?;
        let mut block = u64::from(u32::from_le_bytes(bytes(file)?));
        let in_block = i64::from(u16::from_le_bytes(bytes(file)?));
        let mut offset = in_block + (index % range) as i64 - (range / 2) as i64;
        while offset < 0 {
            block = block.checked_sub(1)?;
            offset += self.size(file, block)?;
        }
        loop {
            let size = self.size(file, block)?;
            if offset < size {
                return self.in_block(file, block, offset as usize);
            }
            offset -= size;
            block += 1;
        }
    }

    /// The number of values in a block.
    fn size(&self, file: &mut File, block: u64) -> Option<i64> {
        if block >= self.blocks {
            return None;
        }
        file.seek(SeekFrom::Start(self.sizes_at + 2 * block)).ok()?;
        Some(i64::from(u16::from_le_bytes(bytes(file)?)) + 1)
    }

    fn in_block(&self, file: &mut File, number: u64, mut offset: usize) -> Option<u8> {
        if number >= self.stored_blocks {
            return None;
        }
        file.seek(SeekFrom::Start(self.data_at + (number << self.block_bits))).ok()?;
        let bytes = block(file, 1 << self.block_bits)?;
        let mut bits =
            bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| u64::from(byte >> i & 1)));
        loop {
            let mut code = 0;
            let symbol = self.codes.iter().find_map(|&(smallest, symbol)| {
                code = code << 1 | bits.next()?;
                (code >= smallest).then(|| symbol + code - smallest)
            });
            let symbol = usize::try_from(symbol?).ok()?;
            let length = *self.lengths.get(symbol)?;
            if offset < length {
                return Some(self.in_symbol(symbol, offset));
            }
            offset -= length;
        }
    }

    fn in_symbol(&self, mut symbol: usize, mut offset: usize) -> u8 {
        loop {
            let [left, right] = self.symbols[symbol];
            if right == NO_PAIR {
                return left as u8;
            }
            let length = self.lengths[usize::from(left)];
            if offset < length {
                symbol = usize::from(left);
            } else {
                symbol = usize::from(right);
                offset -= length;
            }
        }
    }
}

/// Sets the number of values of a symbol and of its parts.
fn measure(symbols: &[[u16; 2]], symbol: usize, lengths: &mut [usize]) -> Option<usize> {
    if *lengths.get(symbol)? == 0 {
        // A pair that is a part of itself is too long.
        lengths[symbol] = LONGEST + 1;
        lengths[symbol] = match symbols[symbol] {
            [_, NO_PAIR] => 1,
            [left, right] => {
                measure(symbols, left.into(), lengths)? + measure(symbols, right.into(), lengths)?
            }
        };
    }
    (lengths[symbol] <= LONGEST).then_some(lengths[symbol])
}
