//! Starting arrangements of the stones: all of them, and those that a config fixes.

use super::stones_of_one_side::Stones;
use crate::params::ParamError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub size: u8,
    pub stones: u8,
}

impl Shape {
    /// The shape for a board size from 2 to 8. Without `stones`, the usual number.
    ///
    /// # Errors
    /// An invalid number of stones, or stones that do not fit.
    pub fn of(size: u32, stones: Option<u32>) -> Result<Shape, ParamError> {
        let most = [1, 3, 6][(size as usize - 2).min(2)];
        let usual = if size < 5 { most.min(3) } else { 6 };
        let stones = stones.unwrap_or(usual);
        if ![1, 3, 6].contains(&stones) {
            let message = format!("{stones} stones do not fill a triangle");
            return Err(ParamError::at("stones", message, "1, 3 or 6"));
        }
        if stones > most {
            let message = format!("{stones} stones of each side do not fit a board of size {size}");
            return Err(ParamError::at("stones", message, format!("at most {most} there")));
        }
        Ok(Shape { size: size as u8, stones: stones as u8 })
    }

    /// The cells of the starting triangle, row by row from the corner.
    pub fn triangle(self) -> Vec<u8> {
        let side = (1..).find(|side| side * (side + 1) / 2 >= self.stones).unwrap_or(1);
        (0..side).flat_map(|row| (0..side - row).map(move |column| 8 * row + column)).collect()
    }

    /// All arrangements, in the order of their texts.
    pub fn all(self) -> Vec<Stones> {
        let mut all = Vec::new();
        let mut order: Vec<u8> = (0..self.stones).collect();
        loop {
            all.push(self.place(&order));
            // The next permutation in lexicographic order (Knuth, TAOCP 7.2.1.2, algorithm L).
            let Some(i) = (1..order.len()).rev().find(|&i| order[i - 1] < order[i]) else {
                return all;
            };
            let j = (i..order.len()).rev().find(|&j| order[j] > order[i - 1]).unwrap_or(i);
            order.swap(i - 1, j);
            order[i..].reverse();
        }
    }

    /// The stones (from 0) on the cells of the triangle.
    fn place(self, order: &[u8]) -> Stones {
        let mut stones = Stones::NONE;
        for (&stone, &cell) in order.iter().zip(&self.triangle()) {
            stones.put(stone, cell);
        }
        stones
    }

    /// The numbers of the stones row by row from the corner.
    pub fn text(self, stones: Stones) -> String {
        let digit = |&cell: &u8| stones.on(cell).map_or('?', |stone| char::from(b'1' + stone));
        self.triangle().iter().map(digit).collect()
    }

    /// Reads an arrangement: each number once, row by row from the corner.
    pub fn read(self, text: &str) -> Option<Stones> {
        let order: Vec<u8> = text.bytes().map(|byte| byte.wrapping_sub(b'1')).collect();
        let each = (0..self.stones).all(|stone| order.contains(&stone));
        (order.len() == usize::from(self.stones) && each).then(|| self.place(&order))
    }
}

/// The arrangements in a text, first and second; `None` if they are random.
///
/// # Errors
/// The text is not an arrangement.
pub(super) fn fixed(shape: Shape, text: &str) -> Result<Option<[Stones; 2]>, ParamError> {
    if text == "random" {
        return Ok(None);
    }
    let (first, second) = text.split_once('/').unwrap_or((text, text));
    let read = |text: &str| {
        shape.read(text.trim()).ok_or_else(|| {
            let usual: String = (0..shape.stones).map(|i| char::from(b'1' + i)).collect();
            let message = format!("`{text}` does not name each of the {} stones once", shape.stones);
            let help = format!(
                "`random`, `{usual}` (row by row from each side's own corner), or `{usual}/{usual}` \
                 for first and second"
            );
            ParamError::at("arrangement", message, help)
        })
    };
    Ok(Some([read(first)?, read(second)?]))
}
