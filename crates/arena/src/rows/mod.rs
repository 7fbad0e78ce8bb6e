//! The rows of `games.csv` and `moves.csv`: how they are written, read and checked.

pub(crate) mod cell_text;
pub(crate) mod csv_layout;
pub(crate) mod file_lines;
pub(crate) mod games_csv_columns;
pub(crate) mod games_csv_rows;
pub(crate) mod moves_csv_rows;
pub(crate) mod results_folder_errors;
pub(crate) mod row_fields;
pub(crate) mod row_writer;
