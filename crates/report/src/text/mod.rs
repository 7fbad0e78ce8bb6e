//! Text and numbers for people, and tables of them.

pub(crate) mod data_table;
pub(crate) mod number_format;
pub(crate) mod text_table;
pub(crate) mod text_width;
