//! The lines of the protocols: each type has the one reader and the one writer of its line, for
//! hosts and engines.

pub(super) mod engine_option;
pub(super) mod gomocup_cell;
pub(super) mod gtp_command;
pub(super) mod uci_command;
pub(super) mod uci_info;
pub(super) mod uci_reply;
