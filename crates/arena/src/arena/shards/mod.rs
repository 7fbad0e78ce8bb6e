//! Runs in several parts: their folders, their rounds, and how they are merged.

pub(crate) mod merge_shard_folders;
pub(crate) mod shard_folders;
pub(crate) mod shard_games;
pub(crate) mod wave;
