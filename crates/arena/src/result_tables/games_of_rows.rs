//! Puts rows of players together to games: a row is a player, and the rows of a game have one identity.

use std::collections::HashMap;

use super::column_roles::ColumnRole;
use super::file_columns::{Cell, CellFault, FileColumns};
use super::repeated_rows::hash_of;
use super::result_words::seat_number;

/// The cells of a game: column, seat and text.
type GameCells = Vec<(usize, usize, String)>;

/// A game of which some rows were read.
struct OpenGame {
    /// The line of its first row.
    line: u64,
    /// The cells of each row with the key of its seat.
    rows: Vec<(u64, Vec<(usize, String)>)>,
    /// The cells that belong to the game as a whole, from its first row.
    shared: GameCells,
}

/// The games of a file, in the order of their first rows.
#[derive(Default)]
pub(super) struct GamesOfRows {
    games: Vec<OpenGame>,
    by_id: HashMap<String, usize>,
}

impl GamesOfRows {
    /// Adds the row of a player.
    pub fn add(
        &mut self,
        columns: &FileColumns,
        line: u64,
        cells: &[Cell<'_>],
    ) -> Result<(), CellFault> {
        let is_id = |cell: &&Cell<'_>| columns.roles[cell.column] == Some(ColumnRole::Id);
        let id = cells.iter().find(is_id).map(|cell| cell.text.trim()).unwrap_or_default();
        if id.is_empty() {
            let column = columns.roles.iter().position(|role| *role == Some(ColumnRole::Id));
            return Err(CellFault::new(
                column,
                "the game has no identity",
                "name the game of each row",
            ));
        }
        let is_of_player = |cell: &Cell<'_>| {
            use ColumnRole::{Players, Ranks, Scores};
            matches!(columns.roles[cell.column], Some(Players | Ranks | Scores))
        };
        let text = |cell: &Cell<'_>| (cell.column, cell.text.trim().to_owned());
        let row: Vec<(usize, String)> =
            cells.iter().filter(|cell| is_of_player(cell)).map(text).collect();
        let seat = match cells.iter().find(|cell| columns.seat == Some(cell.column)) {
            Some(cell) => seat_number(cell.text.trim()).ok_or_else(|| {
                let message = format!("`{}` is not a seat", cell.text.trim());
                CellFault::new(Some(cell.column), message, "write the seat as a number")
            })?,
            // Files are often sorted by rank, so their order must not look like an effect of the seat.
            None => hash_of((id, &row)),
        };
        let next = self.games.len();
        let game = *self.by_id.entry(id.to_owned()).or_insert(next);
        if game == next {
            let shared = cells
                .iter()
                .filter(|cell| !is_of_player(cell) && columns.seat != Some(cell.column));
            let shared = shared.map(|cell| (cell.column, 0, cell.text.to_owned())).collect();
            self.games.push(OpenGame { line, rows: Vec::new(), shared });
        }
        self.games[game].rows.push((seat, row));
        Ok(())
    }

    /// Each game with the line of its first row, its players in the order of their seats.
    pub fn in_order(self) -> impl Iterator<Item = (u64, GameCells)> {
        self.games.into_iter().map(|mut game| {
            game.rows.sort_by_key(|(seat, _)| *seat);
            let mut cells = game.shared;
            for (seat, (_, row)) in game.rows.into_iter().enumerate() {
                cells.extend(row.into_iter().map(|(column, text)| (column, seat, text)));
            }
            (game.line, cells)
        })
    }
}
