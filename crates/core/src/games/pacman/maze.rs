//! Walls, open directions, and distances between cells.

use super::state::PacmanMove;

const FAR: u16 = u16::MAX;

/// A grid of open cells and walls; outside its edges are walls.
#[derive(Debug, Clone)]
pub(super) struct Maze {
    width: usize,
    open: Vec<bool>,
    /// The open directions of each cell, as bits in the order of the moves.
    ways: Vec<u8>,
    /// Steps from each cell to each cell; `FAR` if there is no path.
    distances: Vec<u16>,
}

impl Maze {
    pub fn new(width: usize, open: Vec<bool>) -> Self {
        let cells = open.len();
        let mut maze =
            Maze { width, ways: vec![0; cells], distances: vec![FAR; cells * cells], open };
        for index in (0..cells).filter(|&index| maze.open[index]) {
            for direction in PacmanMove::DIRECTIONS {
                if maze.neighbour(maze.cell(index), direction).is_some() {
                    maze.ways[index] |= 1 << direction as u8;
                }
            }
        }
        let mut queue = Vec::with_capacity(cells);
        for from in 0..cells {
            if maze.open[from] {
                maze.measure(from, &mut queue);
            }
        }
        maze
    }

    /// Computes the steps from one cell to all others, breadth first.
    fn measure(&mut self, from: usize, queue: &mut Vec<usize>) {
        let row = from * self.open.len();
        queue.clear();
        queue.push(from);
        self.distances[row + from] = 0;
        let mut next = 0;
        while let Some(&index) = queue.get(next) {
            next += 1;
            let cell = self.cell(index);
            for direction in self.ways(cell) {
                let to = self.index(step(cell, direction));
                if self.distances[row + to] == FAR {
                    self.distances[row + to] = self.distances[row + index] + 1;
                    queue.push(to);
                }
            }
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.open.len() / self.width
    }

    #[inline]
    pub fn index(&self, (x, y): (u8, u8)) -> usize {
        usize::from(y) * self.width + usize::from(x)
    }

    fn cell(&self, index: usize) -> (u8, u8) {
        ((index % self.width) as u8, (index / self.width) as u8)
    }

    pub fn is_open(&self, (x, y): (u8, u8)) -> bool {
        let inside = usize::from(x) < self.width && usize::from(y) < self.height();
        inside && self.open[self.index((x, y))]
    }

    pub fn neighbour(&self, (x, y): (u8, u8), direction: PacmanMove) -> Option<(u8, u8)> {
        let (dx, dy) = direction.delta();
        let cell = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        self.is_open(cell).then_some(cell)
    }

    /// The directions without a wall.
    #[inline]
    pub fn ways(&self, cell: (u8, u8)) -> impl Iterator<Item = PacmanMove> + use<> {
        let ways = self.ways[self.index(cell)];
        PacmanMove::DIRECTIONS
            .into_iter()
            .filter(move |&direction| ways >> direction as u8 & 1 != 0)
    }

    /// Steps between two open cells, if there is a path.
    #[inline]
    pub fn distance(&self, from: (u8, u8), to: (u8, u8)) -> Option<u32> {
        let distance = self.distances[self.index(from) * self.open.len() + self.index(to)];
        (distance != FAR).then_some(u32::from(distance))
    }
}

/// The cell one step away, which must exist.
#[inline]
pub(super) fn step((x, y): (u8, u8), direction: PacmanMove) -> (u8, u8) {
    let (dx, dy) = direction.delta();
    (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_and_distances_of_a_ring() {
        // Three by three with a wall in the middle: eight cells around it.
        let maze = Maze::new(3, (0..9).map(|index| index != 4).collect());
        assert!(maze.ways((0, 0)).eq([PacmanMove::North, PacmanMove::East]));
        assert!(maze.ways((1, 0)).eq([PacmanMove::East, PacmanMove::West]));
        assert_eq!(maze.distance((0, 0), (2, 2)), Some(4));
        assert_eq!(maze.distance((1, 0), (1, 2)), Some(4));
        assert!(!maze.is_open((1, 1)) && !maze.is_open((3, 0)) && !maze.is_open((255, 255)));
    }

    #[test]
    fn walls_cut_cells_off() {
        let maze = Maze::new(3, vec![true, false, true]);
        assert_eq!(maze.distance((0, 0), (2, 0)), None);
        assert_eq!(maze.ways((0, 0)).count(), 0);
    }
}
