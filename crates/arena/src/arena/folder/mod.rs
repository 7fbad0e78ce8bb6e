//! The results folder: its files, its manifest, its lock, and readers of its moves.

pub(crate) mod check_programs;
pub(crate) mod game_moves;
pub(crate) mod manifest;
pub(crate) mod results_folder;
pub(crate) mod results_folder_lock;
