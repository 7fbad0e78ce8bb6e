//! The text of a config as a tree of tables, with the place of each value, and mistakes in it.

pub(crate) mod check_parameter_value;
pub(crate) mod config_kind;
pub(crate) mod diagnostics;
pub(crate) mod implied_kind;
pub mod keys_of_other_programs;
pub(crate) mod print_diagnostics;
pub(crate) mod read_toml_table;
pub(crate) mod source_of_each_value;
pub(crate) mod sweep;
pub(crate) mod toml_syntax_errors;
pub(crate) mod toml_tree;
