//! The result of a finished game in an engine's words, beside the result by the rules.

/// What an engine says about the result of a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalScore {
    /// Whether the rules of agon have the same result.
    pub agrees: bool,
    /// The result in the engine's words.
    pub engine: String,
}

/// How often an engine's final score was the result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FinalScores {
    /// Finished games for which the engine gave a score.
    pub games: u64,
    /// Those with another result.
    pub different: u64,
    /// The engine's score of one of them.
    pub example: String,
}
