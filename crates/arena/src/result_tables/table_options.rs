//! What the user says about tables of results.

use super::column_roles::ColumnRole;

/// What the user says about the tables.
#[derive(Debug, Clone, Default)]
pub struct TableOptions {
    /// The columns that `--columns` names.
    pub columns: Vec<(ColumnRole, String)>,
    /// The column whose values are the samples.
    pub group: Option<String>,
    /// The column whose values have separate lists.
    pub split_by: Option<String>,
    /// Whether wrong rows are counted and left out.
    pub skip_bad: bool,
}
