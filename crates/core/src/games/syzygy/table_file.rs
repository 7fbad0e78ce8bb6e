//! One file of a set of tables, such as `KQvK.rtbw`.

use std::path::{Path, PathBuf};

use cozy_chess::{Board, Color, Piece};

use super::compressed_values::Values;
use super::file_reader::{Damage, FileReader};
use super::material::Material;
use super::piece_order::PieceOrder;

const MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
/// Bytes after the values: a checksum.
const CHECKSUM: u64 = 16;

pub(super) struct TableFile {
    pub path: PathBuf,
    /// The material of the file, which may have other colours than its name.
    material: Material,
    /// By file of the leading pawn, and then by side to move.
    parts: Vec<(PieceOrder, Values)>,
    /// The number of sides to move that have values.
    sides: usize,
}

impl TableFile {
    /// Reads the header of a file and checks its length.
    pub fn open(path: &Path, material: Material) -> Result<Self, Damage> {
        let mut reader = FileReader::open(path)?;
        let pieces = material.pieces() as usize;
        let has_pawns = material.pawns() != [0, 0];
        let is_symmetric = material == material.swapped();
        let magic: [u8; 4] = reader.bytes()?;
        let [flags] = reader.bytes()?;
        if magic != MAGIC || (flags & 2 != 0) != has_pawns || (flags & 1 != 0) == is_symmetric {
            return Err(Damage);
        }
        let sides = if is_symmetric { 1 } else { 2 };
        let mut orders = Vec::new();
        for file in 0..if has_pawns { 4 } else { 1 } {
            let [first] = reader.bytes()?;
            let both = material.pawns().iter().all(|&pawns| pawns > 0);
            let second = if both { reader.bytes::<1>()?[0] } else { 0 };
            let codes = reader.block(pieces)?;
            for shift in (0..sides).map(|side| 4 * side) {
                let half = |byte: u8| byte >> shift & 15;
                let codes = codes.iter().map(|&byte| half(byte)).collect();
                orders.push(PieceOrder::new(codes, material, [first, second].map(half), file)?);
            }
        }
        let material = Material::of_codes(&orders[0].codes).ok_or(Damage)?;
        if orders.iter().any(|order| Material::of_codes(&order.codes) != Some(material)) {
            return Err(Damage);
        }
        reader.skip(reader.at() & 1)?;
        let mut parts = Vec::new();
        for order in orders {
            let values = Values::read(&mut reader, order.positions)?;
            parts.push((order, values));
        }
        let mut values: Vec<&mut Values> = parts.iter_mut().map(|(_, values)| values).collect();
        let end = Values::place(&mut values, reader.at());
        if end.next_multiple_of(64) + CHECKSUM != reader.len()? {
            return Err(Damage);
        }
        Ok(TableFile { path: path.to_owned(), material, parts, sides })
    }

    /// The value for the side to move, from -2 (loss) to 2 (win). Captures are not looked at.
    pub fn value(&self, board: &Board) -> Result<i8, Damage> {
        let is_black = board.side_to_move() == Color::Black;
        let swaps = if self.sides == 1 { is_black } else { Material::of(board) != self.material };
        let side = usize::from(self.sides == 2 && is_black != swaps);
        let squares = |codes: &[u8]| {
            let mut squares = Vec::with_capacity(codes.len());
            while squares.len() < codes.len() {
                let code = codes[squares.len()];
                let color = if (code & 8 != 0) == swaps { Color::White } else { Color::Black };
                let piece = match code & 7 {
                    1 => Piece::Pawn,
                    2 => Piece::Knight,
                    3 => Piece::Bishop,
                    4 => Piece::Rook,
                    5 => Piece::Queen,
                    _ => Piece::King,
                };
                let flip = if swaps { 56 } else { 0 };
                let places = board.colored_pieces(color, piece).into_iter();
                squares.extend(places.map(|square| square as usize ^ flip));
            }
            squares
        };
        let leading = &self.parts[0].0.codes;
        let pawns = leading.iter().take_while(|&&code| code == leading[0] && code & 7 == 1).count();
        let file = match pawns {
            0 => 0,
            _ => PieceOrder::file_of(&mut squares(&leading[..pawns])),
        };
        let (order, values) = self.parts.get(file * self.sides + side).ok_or(Damage)?;
        let mut reader = FileReader::open(&self.path)?;
        match values.get(&mut reader, order.index(squares(&order.codes)))? {
            value @ 0..=4 => Ok(value as i8 - 2),
            _ => Err(Damage),
        }
    }
}
