//! The values of one part of a file: a constant, or blocks of symbols in a canonical Huffman code.
//! A symbol is a value, or a pair of symbols.

use super::file_reader::{Damage, FileReader};

/// The values of the positions of one part, by index.
pub(super) enum Values {
    Constant(u8),
    Compressed(Compressed),
}

pub(super) struct Compressed {
    /// Binary logarithm of the number of bytes of a block.
    block_bits: u32,
    /// Binary logarithm of the number of positions of an entry of the sparse index.
    index_bits: u32,
    blocks: u64,
    stored_blocks: u64,
    entries: u64,
    min_length: u32,
    /// By length of a code from `min_length` on: the first symbol, and the smallest code in the
    /// highest bits.
    codes: Vec<(u32, u64)>,
    symbols: Vec<Symbol>,
    index_at: u64,
    sizes_at: u64,
    data_at: u64,
}

struct Symbol {
    /// The two symbols of a pair. A value has 0xFFF as the second.
    pair: [usize; 2],
    /// The number of values.
    length: u32,
}

const NO_PAIR: usize = 0xfff;
/// The longest sequence of values of one symbol.
const LONGEST: u32 = 256;

impl Values {
    /// Reads the header of the values of this number of positions.
    pub fn read(reader: &mut FileReader, positions: u64) -> Result<Self, Damage> {
        let [flags, second] = reader.bytes()?;
        if flags & 0x80 != 0 {
            return Ok(Values::Constant(second));
        }
        let [index_bits, padding] = reader.bytes()?.map(u32::from);
        let stored_blocks = u64::from(u32::from_le_bytes(reader.bytes()?));
        let [max_length, min_length] = reader.bytes()?.map(u32::from);
        let block_bits = u32::from(second);
        let right = (1..=32).contains(&min_length) && (min_length..=32).contains(&max_length);
        if !right || !(3..=16).contains(&block_bits) || !(1..=32).contains(&index_bits) {
            return Err(Damage);
        }
        let mut firsts = Vec::new();
        for _ in min_length..=max_length {
            firsts.push(u32::from(u16::from_le_bytes(reader.bytes()?)));
        }
        let mut bases = vec![0_u64; firsts.len()];
        for i in (0..firsts.len() - 1).rev() {
            let sum = bases[i + 1] + u64::from(firsts[i]);
            bases[i] = sum.checked_sub(u64::from(firsts[i + 1])).ok_or(Damage)? / 2;
        }
        let shifted = (min_length..).zip(bases).map(|(length, base)| base << (64 - length));
        let codes = firsts.into_iter().zip(shifted).collect();
        let count = u16::from_le_bytes(reader.bytes()?);
        let mut pairs = Vec::new();
        for _ in 0..count {
            let [low, middle, high] = reader.bytes()?.map(usize::from);
            pairs.push([low | (middle & 15) << 8, middle >> 4 | high << 4]);
        }
        reader.skip(u64::from(count & 1))?;
        Ok(Values::Compressed(Compressed {
            block_bits,
            index_bits,
            blocks: stored_blocks + u64::from(padding),
            stored_blocks,
            entries: positions.div_ceil(1 << index_bits),
            min_length,
            codes,
            symbols: symbols(pairs)?,
            index_at: 0,
            sizes_at: 0,
            data_at: 0,
        }))
    }

    /// Sets the places in the file: the sparse indexes, the sizes of the blocks and the blocks of
    /// all parts are in the file one after the other. Returns the end of the file's values.
    pub fn place(parts: &mut [&mut Values], start: u64) -> u64 {
        let mut at = start;
        let mut compressed: Vec<&mut Compressed> = (parts.iter_mut())
            .filter_map(|values| match values {
                Values::Constant(_) => None,
                Values::Compressed(values) => Some(values),
            })
            .collect();
        for values in &mut compressed {
            values.index_at = at;
            at += 6 * values.entries;
        }
        for values in &mut compressed {
            values.sizes_at = at;
            at += 2 * values.blocks;
        }
        for values in &mut compressed {
            values.data_at = at.next_multiple_of(64);
            at = values.data_at + (values.stored_blocks << values.block_bits);
        }
        at
    }

    /// The value of the position with this index.
    pub fn get(&self, reader: &mut FileReader, index: u64) -> Result<u8, Damage> {
        match self {
            Values::Constant(value) => Ok(*value),
            Values::Compressed(values) => values.get(reader, index),
        }
    }
}

impl Compressed {
    fn get(&self, reader: &mut FileReader, index: u64) -> Result<u8, Damage> {
        // The entry is for the position in the middle of its range.
        let entry = index >> self.index_bits;
        reader.go(self.index_at + 6 * entry)?;
        let mut block = u64::from(u32::from_le_bytes(reader.bytes()?));
        let mut offset = i64::from(u16::from_le_bytes(reader.bytes()?));
        offset += (index & ((1 << self.index_bits) - 1)) as i64 - (1_i64 << (self.index_bits - 1));
        while offset < 0 {
            block = block.checked_sub(1).ok_or(Damage)?;
            offset += self.size(reader, block)?;
        }
        loop {
            let size = self.size(reader, block)?;
            if offset < size {
                break;
            }
            offset -= size;
            block += 1;
        }
        self.in_block(reader, block, offset as u32)
    }

    /// The number of values in a block.
    fn size(&self, reader: &mut FileReader, block: u64) -> Result<i64, Damage> {
        if block >= self.blocks {
            return Err(Damage);
        }
        reader.go(self.sizes_at + 2 * block)?;
        Ok(i64::from(u16::from_le_bytes(reader.bytes()?)) + 1)
    }

    fn in_block(&self, reader: &mut FileReader, block: u64, offset: u32) -> Result<u8, Damage> {
        if block >= self.stored_blocks {
            return Err(Damage);
        }
        reader.go(self.data_at + (block << self.block_bits))?;
        let bytes = reader.block(1 << self.block_bits)?;
        let (mut bit, mut rest) = (0, offset);
        loop {
            let code = window(&bytes, bit);
            let is_long_enough = |&(_, base): &(u32, u64)| code >= base;
            let at = self.codes.iter().position(is_long_enough).ok_or(Damage)?;
            let (first, base) = self.codes[at];
            let length = self.min_length + at as u32;
            let number = u64::from(first) + ((code - base) >> (64 - length));
            let symbol = usize::try_from(number).map_err(|_| Damage)?;
            let values = self.symbols.get(symbol).ok_or(Damage)?.length;
            if rest < values {
                return self.in_symbol(symbol, rest);
            }
            rest -= values;
            bit += length as usize;
        }
    }

    fn in_symbol(&self, mut symbol: usize, mut offset: u32) -> Result<u8, Damage> {
        loop {
            let [left, right] = self.symbols[symbol].pair;
            if right == NO_PAIR {
                return Ok(left as u8);
            }
            let values = self.symbols[left].length;
            if offset < values {
                symbol = left;
            } else {
                (symbol, offset) = (right, offset - values);
            }
        }
    }
}

/// The symbols with their lengths.
fn symbols(pairs: Vec<[usize; 2]>) -> Result<Vec<Symbol>, Damage> {
    let symbol = |pair: [usize; 2]| Symbol { pair, length: u32::from(pair[1] == NO_PAIR) };
    let mut symbols: Vec<Symbol> = pairs.into_iter().map(symbol).collect();
    // A pair is known after its parts, so each pass knows more of them.
    loop {
        let mut unknown = 0;
        let mut progress = false;
        for i in 0..symbols.len() {
            if symbols[i].length > 0 {
                continue;
            }
            let parts = symbols[i].pair.map(|part| symbols.get(part).map(|part| part.length));
            let [Some(left), Some(right)] = parts else { return Err(Damage) };
            if left == 0 || right == 0 {
                unknown += 1;
            } else if left + right > LONGEST {
                return Err(Damage);
            } else {
                symbols[i].length = left + right;
                progress = true;
            }
        }
        match unknown {
            0 => return Ok(symbols),
            _ if !progress => return Err(Damage),
            _ => {}
        }
    }
}

/// The 64 bits from this bit on, with zeros after the end.
fn window(bytes: &[u8], bit: usize) -> u64 {
    let byte = |i: usize| u128::from(bytes.get(bit / 8 + i).copied().unwrap_or(0));
    let whole = (0..9).fold(0, |sum, i| sum << 8 | byte(i));
    (whole >> (8 - bit % 8)) as u64
}
