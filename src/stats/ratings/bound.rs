//! What straight wins, or straight losses, say about a player's rating.

use super::Pairing;
use super::covariance::NATS_PER_ELO;
use super::list::{Group, ListOptions, Rating, Reference};

/// Games of a player against one member of the group from one seat: their
/// number, and by how much the player's rating counts for more, in Elo.
struct Seat {
    games: f64,
    ahead: f64,
}

/// The bound for a player who won or lost every game against a group, or against a
/// single opponent given as a group without ratings.
///
/// `n` samples won out of `n` leave expected scores from `n / (n + z²)` on within
/// Wilson's interval, a sample being an opening pair or a lone game; the bound is
/// the rating at which the model expects just that score against the same
/// opponents. Who did not meet the group has none.
pub(super) fn bound(
    player: usize,
    group: &Group,
    pairings: &[Pairing],
    options: ListOptions,
) -> Rating {
    let fit = group.fit.as_ref().ok();
    let place = |player| group.players.iter().position(|&p| p == player);
    let rating = |place: usize| fit.map_or(0.0, |f| f.ratings[place]);
    let origin = match options.reference {
        Reference::Player(seed) => place(seed).map_or(0.0, rating),
        Reference::Mean => 0.0,
    };
    let first_move = fit.and_then(|f| f.first_mover).unwrap_or(0.0);
    let (mut samples, mut won) = (0.0, false);
    let mut seats = Vec::new();
    for p in pairings {
        let (opponent, evidence) = match player {
            _ if p.a == p.b => continue,
            _ if p.a == player => (p.b, p.evidence),
            _ if p.b == player => (p.a, p.evidence.flipped()),
            _ => continue,
        };
        let Some(opponent) = place(opponent) else { continue };
        let theirs = rating(opponent) - origin;
        samples += evidence.pairs.n() as f64;
        samples += evidence.lone_first.n() as f64 + evidence.lone_second.n() as f64;
        won |= evidence.games().wins() > 0;
        let (first, second) = (evidence.moving_first(), evidence.moving_second());
        seats.push(Seat { games: first.n() as f64, ahead: first_move - theirs });
        seats.push(Seat { games: second.n() as f64, ahead: -first_move - theirs });
    }
    let games: f64 = seats.iter().map(|seat| seat.games).sum();
    if games == 0.0 {
        return Rating::Unknown;
    }
    let least = samples / (samples + options.confidence.z().powi(2));
    let share = if won { least } else { 1.0 - least };
    let draw = fit.and_then(|f| f.draw).unwrap_or(options.model.draw_start(false));
    let expected = |rating: f64| {
        let points = seats.iter().map(|seat| {
            seat.games * options.model.score((rating + seat.ahead) * NATS_PER_ELO, draw)
        });
        points.sum::<f64>() / games
    };
    // The score grows with the rating.
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
