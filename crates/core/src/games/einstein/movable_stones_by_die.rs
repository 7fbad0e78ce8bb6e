//! The stones that may move for each face of the die.

/// The set of stones that may move, indexed by the set of stones on the board and the face from 0:
/// the stone of that number or, if it is gone, its neighbours on both sides.
pub(super) static MOVABLE: [[u8; 6]; 64] = movable();

/// The face (from 0) that represents all faces with the same effect, with the same indices: see
/// [`name`].
pub(super) static NAMED: [[u8; 6]; 64] = named();

const fn movable() -> [[u8; 6]; 64] {
    let mut table = [[0; 6]; 64];
    let mut alive = 0;
    while alive < 64 {
        let mut face = 0;
        while face < 6 {
            let below = alive & ((1 << face) - 1);
            let above = alive >> face << face;
            table[alive][face] = if alive >> face & 1 == 1 {
                1 << face
            } else {
                let lower = if below == 0 { 0 } else { 1 << below.ilog2() };
                lower | (above & above.wrapping_neg()) as u8
            };
            face += 1;
        }
        alive += 1;
    }
    table
}

const fn named() -> [[u8; 6]; 64] {
    let movable = movable();
    let mut table = [[0; 6]; 64];
    let mut alive = 1;
    while alive < 64 {
        let mut face = 0;
        while face < 6 {
            table[alive][face] = name(movable[alive][face]);
            face += 1;
        }
        alive += 1;
    }
    table
}

/// The face (from 0) that represents a set of one or two movable stones: the number of the only
/// stone, or the lowest face between the two.
pub(super) const fn name(movable: u8) -> u8 {
    let lowest = movable.trailing_zeros() as u8;
    if movable.is_power_of_two() { lowest } else { lowest + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_moves_its_stone_or_the_neighbours() {
        // Stones 2 and 5 of six remain.
        let alive = 0b01_0010;
        let sets = [0b10, 0b10, 0b1_0010, 0b1_0010, 0b1_0000, 0b1_0000];
        assert_eq!(MOVABLE[alive], sets);
        assert_eq!(NAMED[alive], [1, 1, 2, 2, 4, 4]);
        assert_eq!(NAMED[0b11_1111], [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn names_lead_back_to_the_set() {
        for alive in 1..64 {
            for face in 0..6 {
                let named = usize::from(NAMED[alive][face]);
                assert_eq!(MOVABLE[alive][named], MOVABLE[alive][face]);
            }
        }
    }
}
