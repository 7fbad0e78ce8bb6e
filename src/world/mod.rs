//! Type erasure at the game's boundary: the registry, and one game refereed.
