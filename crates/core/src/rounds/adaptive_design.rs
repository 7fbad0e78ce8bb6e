//! What a format in rounds is to find out, with which error, and how its answers are proven.
//!
//! # Why an answer is wrong with probability `alpha` at most
//!
//! Each pair of games with the same opening is a bet that a player wins. A bet of a share `b`
//! multiplies the capital by `1 + b (2x - 1)`, where `x` is the player's score in the pair. Assume
//! that this player scores at most half of the points on average. Then each bet has a mean of at
//! most 1, because the pairing and the share were chosen before the games. So the capital is a
//! supermartingale: it ever reaches `c` with probability at most `1/c`. Games of other pairings are
//! other games, so the product of several capitals is a supermartingale, too: `k` given false
//! statements reach `c` together with probability at most `1/c^k`. Half of the capital is spread over
//! twelve shares from 0.02 to 0.9. The other half bets by the ratings of the rounds before: wrong
//! ratings cost games but add no error.
//!
//! **The best of `K` players.** All games of a player against any leader count together against "no
//! other player beats it". At `2/alpha` the player is eliminated. The last player must prove to beat
//! each other player at `3/alpha + 1`. If another player proves to beat it at `2(K - 1)/alpha`, no
//! player is the best.
//!
//! - *"X is the best" is false.* Let `m` be the number of players that X does not beat. Then `m` false
//!   statements reached `c = 3/alpha + 1`, with probability at most `1/c^m`. Take the players with at
//!   most `t` such opponents. Of any two of them, one does not beat the other. So `s` such players
//!   have `s (s - 1)/2 <= s t`, and `s` is at most `2t + 1`: three with `m = 1`, two more for each
//!   further `m`. The sum is at most `3/c + 2/c^2 + 2/c^3 + … <= alpha`.
//! - *Some player beats all others, and the answer is another one.* Then it was eliminated, or one of
//!   `K - 1` players proved to beat it. Each has probability `alpha/2` at most. This includes the
//!   first case, so the error is `alpha`.
//!
//! With `epsilon_elo`, the run also ends when no player is better than the leader by more than this.
//! It needs an e-value of `4K/alpha` against each other player, that the leader is better or not so
//! much worse. The bounds of an elimination are twice as large, because both answers share the error.
//!
//! **The order.** Neighbours play until an e-value reaches
//! `c = (1 + alpha)/(1 - alpha) · K/(0.7 alpha)`. Proofs imply others, and at last all implied pairs
//! play. Their later games confirm the implied order at an e-value of `d = 5/alpha`, or they prove
//! the reverse. Assume that the order is wrong.
//!
//! - *It contains a false proof*, "A beats B" at `c`. Take a player Z with "B beats or equals Z, and Z
//!   beats or equals A" in truth. The order must contradict one of these two facts, so one more false
//!   statement reached `c` or `d`. With `r = alpha`, which is at least `2/c + 2/d`, the probability is
//!   at most `r^m/c` for `m` such players Z. For a given B, take the players A with at most `m` of
//!   them. As above, there are at most `2m + 1`. So the sum over all A and B is at most
//!   `K/c (1 + 2r + 2r^2 + …) = K/c (1 + r)/(1 - r) = 0.7 alpha`.
//! - *Its false statements are all confirmed implications.* Take the first false implication in time.
//!   It was fixed before the games that confirmed it, so its probability is at most
//!   `1/d = 0.2 alpha`.
//!
//! If proofs contradict each other, their pairs play on until each e-value is
//! `K (K - 1)/(0.1 alpha)`. So a named cycle is wrong with probability `0.1 alpha` at most.
//!
//! With `epsilon_elo`, a pair may also be close, and nothing follows from that. So the bound is
//! `K (K - 1)/(0.7 alpha)`: at most two of its three statements are false for each of `K (K - 1)/2`
//! pairs. With `against`, it is `2(K - 1)/alpha`.

/// What the games are to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdaptiveQuestion {
    Best,
    /// The order of all players.
    Ranking,
    /// Which players are better or worse than this one, by index.
    Against(usize),
}

/// What the choice of the next games saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AdaptiveWeight {
    /// Games: all pairings that need games play equally many.
    #[default]
    Games,
    /// What the games cost: pairings with little evidence for their cost wait for the others.
    Cost,
}

/// A procedure with its error and its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveDesign {
    /// What the games are to find out.
    pub question: AdaptiveQuestion,
    /// The probability of a wrong statement, in (0, 1). For [`AdaptiveQuestion::Best`] this is the
    /// probability that a player is eliminated whom no other player beats on average.
    pub alpha: f64,
    /// Differences up to this number of Elo need not be decided.
    pub epsilon_elo: Option<f64>,
    /// The maximum number of games of all pairings.
    pub max_games: u64,
    /// Whether scores without luck decide. Their e-values are asymptotic, so the error is too.
    pub adjusted: bool,
    /// What the choice of the next games saves.
    pub weight: AdaptiveWeight,
}

/// Why a pair of players was decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Proof {
    /// The natural logarithm of the e-value that reached its bound.
    EValue(f64),
    /// The asymptotic e-value of scores without luck reached its bound.
    Asymptotic {
        /// Its natural logarithm.
        ln_e: f64,
        /// The natural logarithm of the strict e-value of the raw scores.
        ln_strict: f64,
    },
    /// More games would only repeat the games that were played.
    Exact,
    /// It follows from other decisions, and the pair's own later games agree: the natural logarithm
    /// of their e-value.
    Transitive(f64),
    /// The difference is at most [`AdaptiveDesign::epsilon_elo`].
    Close,
}

impl Proof {
    /// The natural logarithm of the e-value that decided.
    pub fn ln_e(self) -> Option<f64> {
        match self {
            Proof::EValue(ln_e) | Proof::Asymptotic { ln_e, .. } | Proof::Transitive(ln_e) => {
                Some(ln_e)
            }
            Proof::Exact | Proof::Close => None,
        }
    }
}
