//! What straight wins, or straight losses, say about a player's rating.

use super::super::elo;
use super::Pairing;
use super::list::{Group, ListOptions, Rating, Reference};

/// The bound for a player who won or lost every game against the main group.
///
/// `n` wins in `n` games leave expected scores from `n / (n + z²)` on within
/// Wilson's interval; the bound is the rating that expects just that against the
/// same opponents. Lone strangers of the group have none.
pub(super) fn bound(
    player: usize,
    main: &Group,
    pairings: &[Pairing],
    options: ListOptions,
) -> Rating {
    let shift = match (&main.fit, options.reference) {
        (Ok(fit), Reference::Player(seed)) => {
            main.players.iter().position(|&p| p == seed).map_or(0.0, |place| fit.ratings[place])
        }
        _ => 0.0,
    };
    let first_move = main.fit.as_ref().ok().and_then(|f| f.first_mover).unwrap_or(0.0);
    let (mut games, mut won) = (0.0, false);
    // Opponents by what the player's own rating is raised or lowered by.
    let mut opponents: Vec<(f64, f64)> = Vec::new();
    for p in pairings {
        let evidence = if p.a == player { p.evidence } else { p.evidence.flipped() };
        let opponent = if p.a == player { p.b } else { p.a };
        let Some(place) = main.players.iter().position(|&m| m == opponent) else {
            continue;
        };
        if p.a != player && p.b != player {
            continue;
        }
        let theirs = main.fit.as_ref().map_or(0.0, |f| f.ratings[place]) - shift;
        for (seat, worth) in
            [(evidence.moving_first(), first_move), (evidence.moving_second(), -first_move)]
        {
            let n = seat.n() as f64;
            games += n;
            won |= seat.wins() > 0;
            opponents.push((n, worth - theirs));
        }
    }
    if games == 0.0 {
        return Rating::Unknown;
    }
    let z2 = options.confidence.z().powi(2);
    let least = games / (games + z2);
    let share = if won { least } else { 1.0 - least };
    let expected = |rating: f64| {
        let points: f64 = opponents.iter().map(|(n, by)| n * elo::to_score(rating + by)).sum();
        points / games
    };
    let (mut lo, mut hi) = (-20_000.0, 20_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(lo, hi);
        if expected(middle) < share {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    if won { Rating::AtLeast(lo) } else { Rating::AtMost(hi) }
}
