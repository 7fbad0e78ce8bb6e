//! The discs that a move turns over, by one addition for each direction.

/// The cells from each cell to the edge, in eight directions.
pub(super) struct FlipRays {
    /// Four directions to higher cells, three to lower cells with the rows exchanged, and the left.
    rays: [[u64; 8]; 64],
}

const UP: [(i32, i32); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];
const DOWN: [(i32, i32); 3] = [(-1, -1), (0, -1), (1, -1)];

impl FlipRays {
    /// Rays on a board with this number of rows and columns.
    pub fn new(size: i32) -> FlipRays {
        let mut rays = [[0; 8]; 64];
        let ray = |x: i32, y: i32, (dx, dy): (i32, i32)| {
            let cells = (1..size).map(|step| (x + step * dx, y + step * dy));
            let inside = cells.filter(|(x, y)| (0..size).contains(x) && (0..size).contains(y));
            inside.fold(0_u64, |all, (x, y)| all | 1 << (8 * y + x))
        };
        for y in 0..size {
            for x in 0..size {
                let of_cell = &mut rays[(8 * y + x) as usize];
                for (i, way) in UP.into_iter().enumerate() {
                    of_cell[i] = ray(x, y, way);
                }
                for (i, way) in DOWN.into_iter().enumerate() {
                    of_cell[4 + i] = ray(x, y, way).swap_bytes();
                }
                of_cell[7] = ray(x, y, (-1, 0));
            }
        }
        FlipRays { rays }
    }

    /// The enemy discs that an own disc on this empty cell turns over.
    #[inline]
    pub fn turned(&self, own: u64, enemy: u64, cell: u32) -> u64 {
        let rays = &self.rays[cell as usize];
        // The carry runs through the enemy discs next to the cell. It stops at the end of their row.
        let toward_higher = |own: u64, enemy: u64, ray: u64| {
            let end = (enemy | !ray).wrapping_add(1) & own & ray;
            end.wrapping_sub(u64::from(end != 0)) & ray
        };
        let mut turned = 0;
        for &ray in &rays[..4] {
            turned |= toward_higher(own, enemy, ray);
        }
        let (own_swapped, enemy_swapped) = (own.swap_bytes(), enemy.swap_bytes());
        let mut swapped = 0;
        for &ray in &rays[4..7] {
            swapped |= toward_higher(own_swapped, enemy_swapped, ray);
        }
        turned |= swapped.swap_bytes();
        let ray = rays[7];
        let others = ray & !enemy;
        if others != 0 {
            let end = 1 << others.ilog2();
            if end & own != 0 {
                turned |= ray & !(end | (end - 1));
            }
        }
        turned
    }
}
