//! Swiss tournaments: players with equal scores meet, and no two players meet twice.

use super::dutch_pairing::{Entrant, Float, pair_round};
use super::tournament::{Match, Meeting, Placing, Tournament, TournamentRules};

/// Players with equal scores meet.
#[derive(Debug)]
pub struct Swiss;

impl TournamentRules for Swiss {
    fn name(&self) -> &'static str {
        "Swiss tournament"
    }

    fn placing(&self) -> Placing {
        Placing::Points
    }

    /// Just enough rounds for one player to win all its matches.
    fn rounds(&self, players: usize) -> u64 {
        players.next_power_of_two().ilog2().into()
    }

    /// Without a second match of two players. With an odd number, one player in turn has no opponent.
    fn most_rounds(&self, players: usize) -> Option<u64> {
        Some((players - usize::from(players.is_multiple_of(2) && players > 0)) as u64)
    }

    fn matches(&self, players: usize, rounds: u64) -> u64 {
        rounds.saturating_mul(players as u64 / 2)
    }

    fn next_round(&self, tournament: &Tournament) -> Vec<Meeting> {
        let (seeds, matches) = (&tournament.design().seeds, tournament.matches());
        let met = |i: usize, j: usize| {
            let both = |game: &&Match| game.has(seeds[i]) && game.has(seeds[j]);
            matches.iter().filter(both).count() as u64
        };
        let round = pair_round(&entrants(seeds, matches), &met);
        let mut meetings: Vec<Meeting> =
            round.pairs.iter().map(|&(i, j)| (seeds[i], Some(seeds[j]))).collect();
        meetings.extend(round.bye.map(|i| (seeds[i], None)));
        meetings
    }
}

/// The players in the order of the seeds, with the scores and floats of the rounds so far.
fn entrants(seeds: &[usize], matches: &[Match]) -> Vec<Entrant> {
    let mut entrants = vec![Entrant::default(); seeds.len()];
    let mut seed_of = vec![0; seeds.len()];
    seeds.iter().enumerate().for_each(|(seed, &player)| seed_of[player] = seed);
    for round in matches.chunk_by(|one, other| one.round == other.round) {
        let scores: Vec<u64> = entrants.iter().map(|entrant| entrant.score).collect();
        for game in round {
            for player in [Some(game.a), game.b].into_iter().flatten() {
                let opponent = game.opponent(player).map(|other| scores[seed_of[other]]);
                let entrant = &mut entrants[seed_of[player]];
                let float = match opponent {
                    None => Float::Down,
                    Some(other) if other < entrant.score => Float::Down,
                    Some(other) if other > entrant.score => Float::Up,
                    Some(_) => Float::None,
                };
                entrant.floats = [float, entrant.floats[0]];
                entrant.byes += u64::from(opponent.is_none());
                entrant.score += game.half_points(player);
            }
        }
    }
    entrants
}
