//! Reads results of other programs: delimited text, JSON, PGN and folders of agon.
//!
//! Each format is a file. All of them give named cells to one builder of rows, so that a result, a rank
//! and a mistake mean the same in every format. `games.csv` of agon is read by `GameRows`, as in `report`,
//! `compare` and `merge`.

pub(crate) mod column_roles;
pub(crate) mod delimited_text;
pub(crate) mod file_columns;
pub(crate) mod games_of_rows;
pub(crate) mod json_lines;
pub(crate) mod json_list;
pub(crate) mod pgn_results;
pub(crate) mod read_result_tables;
pub(crate) mod repeated_rows;
pub(crate) mod result_pool;
pub(crate) mod result_rows;
pub(crate) mod result_words;
pub(crate) mod row_builder;
pub(crate) mod table_fault;
pub(crate) mod table_options;
