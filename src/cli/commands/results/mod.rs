//! Commands that read results folders.

pub(crate) mod compare;
pub(crate) mod grade;
pub(crate) mod next;
pub(crate) mod plot;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod scores_without_luck;
pub(crate) mod table;
