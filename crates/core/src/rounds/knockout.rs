//! Knockouts: the winners of neighbouring matches meet in the next round, by a fixed plan.

use super::tournament::{Meeting, Placing, Tournament, TournamentRules};

/// The winners of the round before meet; losers are out.
#[derive(Debug)]
pub struct Knockout;

impl TournamentRules for Knockout {
    fn name(&self) -> &'static str {
        "knockout"
    }

    fn placing(&self) -> Placing {
        Placing::Bracket
    }

    fn rounds(&self, players: usize) -> u64 {
        size(players).ilog2().into()
    }

    fn matches(&self, players: usize, _rounds: u64) -> u64 {
        (players as u64).saturating_sub(1)
    }

    fn next_round(&self, tournament: &Tournament) -> Vec<Meeting> {
        let seeds = &tournament.design().seeds;
        let seed_of = |player: &usize| seeds.iter().position(|seed| seed == player);
        let mut meetings = Vec::new();
        for pair in slots(tournament).chunks(2) {
            let mut pair: Vec<usize> = pair.iter().copied().flatten().collect();
            pair.sort_by_key(seed_of);
            meetings.push((pair[0], pair.get(1).copied()));
        }
        meetings
    }
}

/// The places of the first round: the smallest power of two for all players.
fn size(players: usize) -> usize {
    players.next_power_of_two().max(2)
}

/// The players of the next round in the order of the bracket.
fn slots(tournament: &Tournament) -> Vec<Option<usize>> {
    let round = tournament.round();
    if round > 0 {
        let before = tournament.matches().iter().filter(|game| game.round == round);
        return before.map(|game| game.winner).collect();
    }
    // The best seeds meet last: 1, then 1 and 2, then 1, 4, 2 and 3.
    let players = &tournament.design().seeds;
    let mut seeds = vec![0];
    while seeds.len() < size(players.len()) {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    seeds.into_iter().map(|seed: usize| players.get(seed).copied()).collect()
}
