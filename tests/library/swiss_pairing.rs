//! The pairs of Swiss rounds, compared with other programs and with a search of all pairings.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use agon::rounds::dutch_pairing::{Entrant, Float, RoundPairs, pair_round};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// A round: the players, how often two of them have met, and the pairs of the lines with other words.
#[derive(Default)]
struct Round {
    entrants: Vec<Entrant>,
    met: BTreeMap<(usize, usize), u64>,
    pairs: BTreeMap<String, String>,
}

impl Round {
    fn read(block: &str) -> Round {
        let mut round = Round::default();
        for line in block.lines() {
            let Some((player, opponents)) = line.split_once(':') else {
                let (word, pairs) = line.split_at(line.find(['=', '~']).expect("pairs"));
                round.pairs.insert(word.trim().to_owned(), pairs[2..].to_owned());
                continue;
            };
            let words: Vec<&str> = player.split(' ').collect();
            let float = |word: &str| match word {
                "D" => Float::Down,
                "U" => Float::Up,
                _ => Float::None,
            };
            for opponent in opponents.split_whitespace() {
                let pair = (round.entrants.len(), opponent.parse().expect("a player"));
                *round.met.entry(pair).or_insert(0) += 1;
            }
            round.entrants.push(Entrant {
                score: words[0].parse().expect("a score"),
                floats: [float(words[1]), float(words[2])],
                byes: words[3].parse().expect("a number"),
            });
        }
        round
    }

    /// How often two players have met.
    fn times(&self, a: usize, b: usize) -> u64 {
        self.met.get(&(a, b)).copied().unwrap_or(0)
    }

    fn paired(&self) -> RoundPairs {
        pair_round(&self.entrants, &|a, b| self.times(a, b))
    }
}

/// `0-3 1-2 4-`: the pairs and the player with the bye.
fn words(round: &RoundPairs) -> String {
    let mut pairs: Vec<(usize, usize)> =
        round.pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    pairs.extend(round.bye.map(|bye| (bye, usize::MAX)));
    pairs.sort_unstable();
    let word = |&(a, b): &(usize, usize)| match b {
        usize::MAX => format!("{a}-"),
        b => format!("{a}-{b}"),
    };
    pairs.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn rounds(text: &str) -> Vec<Round> {
    text.trim_end().split("\n\n").skip(1).map(Round::read).collect()
}

#[test]
fn other_programs_pair_the_same_rounds() {
    let known = rounds(include_str!("../data/swiss_rounds.txt"));
    assert_eq!(known.len(), 70);
    for round in known {
        assert_eq!(words(&round.paired()), round.pairs[""], "{:?}", round.entrants);
    }
}

#[test]
fn the_edition_of_2026_decides_where_editions_differ() {
    let known = rounds(include_str!("../data/swiss_editions.txt"));
    assert_eq!(known.len(), 21);
    for round in known {
        let own = &round.pairs[""];
        assert_eq!(words(&round.paired()), *own, "{:?}", round.entrants);
        if round.entrants.len() <= 10 {
            assert_eq!(words(&by_trying_all(&round)), *own, "{:?}", round.entrants);
        }
        let bye_score = |pairs: &str| {
            let bye = pairs.split(' ').find_map(|pair| pair.strip_suffix('-'));
            bye.map(|bye| round.entrants[bye.parse::<usize>().expect("a player")].score)
        };
        match round.pairs.get("bye") {
            Some(other) => assert!(bye_score(own) < bye_score(other), "C5: {:?}", round.entrants),
            None => {
                let other = &round.pairs["collapsed"];
                assert!(bye_score(own) == bye_score(other) && own != other);
            }
        }
    }
}

/// All pairings of these players: for each player its opponent. The bye is a player, too.
fn all_pairings(mates: &mut Vec<usize>, out: &mut Vec<Vec<usize>>) {
    let Some(a) = mates.iter().position(|&mate| mate == usize::MAX) else {
        out.push(mates.clone());
        return;
    };
    for b in a + 1..mates.len() {
        if mates[b] == usize::MAX {
            (mates[a], mates[b]) = (b, a);
            all_pairings(mates, out);
            (mates[a], mates[b]) = (usize::MAX, usize::MAX);
        }
    }
}

/// The pairings that are still the best. A criterion leaves those with the smallest failure.
struct Search<'a> {
    round: &'a Round,
    /// The players by score and seed.
    order: Vec<usize>,
    pairings: Vec<Vec<usize>>,
}

/// A group of equal score. The first players have moved down to it, the others are its residents.
struct Bracket<'a> {
    moved: &'a [usize],
    residents: &'a [usize],
}

impl Bracket<'_> {
    fn members(&self) -> Vec<usize> {
        [self.moved, self.residents].concat()
    }

    /// The players from above who are paired, each with its opponent.
    fn moved_pairs(&self, mates: &[usize]) -> Vec<(usize, usize)> {
        let pairs = self.moved.iter().map(|&player| (player, mates[player]));
        pairs.filter(|(_, mate)| self.residents.contains(mate)).collect()
    }
}

fn floaters(mates: &[usize], members: &[usize]) -> Vec<usize> {
    members.iter().copied().filter(|&player| !members.contains(&mates[player])).collect()
}

impl Search<'_> {
    fn keep_best<K: Ord>(&mut self, failure: impl Fn(&Round, &[usize]) -> K) {
        let round = self.round;
        let best = self.pairings.iter().map(|mates| failure(round, mates)).min().expect("one");
        self.pairings.retain(|mates| failure(round, mates) == best);
    }

    /// C1 and C2 with as few exceptions as possible, and C5. C4 needs no step: all pairings are
    /// complete.
    fn of_the_round(&mut self) {
        let count = self.order.len();
        self.keep_best(|round, mates| {
            let exceptions = (0..count).map(|a| match mates[a] {
                b if b == count => round.entrants[a].byes,
                b if a < b => round.times(a, b),
                _ => 0,
            });
            exceptions.sum::<u64>()
        });
        self.keep_best(|round, mates| mates.get(count).map(|&player| round.entrants[player].score));
    }

    /// C6 and C7, and the same in the next group: C8.
    fn downfloaters(&mut self, bracket: &Bracket, next: Option<&Vec<usize>>) {
        let members = bracket.members();
        let failures = |round: &Round, mates: &[usize], members: &[usize]| {
            let floaters = floaters(mates, members);
            let scores = floaters.iter().map(|&player| round.entrants[player].score);
            (floaters.len(), scores.collect::<Vec<_>>())
        };
        self.keep_best(|round, mates| failures(round, mates, &members));
        if let Some(next) = next {
            self.keep_best(|round, mates| {
                failures(round, mates, &[floaters(mates, &members), next.clone()].concat())
            });
        }
    }

    /// C14 to C21: floats of the previous round and of the round before.
    fn repeated_floats(&mut self, bracket: &Bracket) {
        let had = |round: &Round, player: usize, k: usize, float| {
            round.entrants[player].floats[k] == float
        };
        for k in 0..2 {
            self.keep_best(|round, mates| {
                let mut floaters = floaters(mates, &bracket.members());
                floaters.retain(|player| bracket.residents.contains(player));
                floaters.iter().filter(|&&player| had(round, player, k, Float::Down)).count()
            });
            self.keep_best(|round, mates| {
                let pairs = bracket.moved_pairs(mates);
                pairs.iter().filter(|&&(_, mate)| had(round, mate, k, Float::Up)).count()
            });
        }
        for k in 0..2 {
            // A player who moves down once more has the largest difference.
            self.keep_best(|round, mates| {
                let again = bracket.moved.iter().filter(|&&m| had(round, m, k, Float::Down));
                let mut differences: Vec<_> = again
                    .map(|&m| (!bracket.residents.contains(&mates[m]), round.entrants[m].score))
                    .collect();
                differences.sort_by_key(|&difference| Reverse(difference));
                differences
            });
            self.keep_best(|round, mates| {
                let mut pairs = bracket.moved_pairs(mates);
                pairs.retain(|&(_, mate)| had(round, mate, k, Float::Up));
                pairs.iter().map(|&(m, _)| round.entrants[m].score).collect::<Vec<_>>()
            });
        }
    }

    /// Article 4: which players from above are paired and with whom, then exchanges and
    /// transpositions of the other residents.
    fn earliest(&mut self, bracket: &Bracket) {
        let order = self.order.clone();
        let rank = |player: usize| order.iter().position(|&other| other == player);
        self.keep_best(|_, mates| {
            let pairs = bracket.moved_pairs(mates);
            let (moved, opponents): (Vec<_>, Vec<_>) =
                pairs.iter().map(|&(m, mate)| (rank(m), rank(mate))).unzip();
            (moved, opponents)
        });
        self.keep_best(|_, mates| {
            let above = bracket.moved_pairs(mates);
            let mut rest = bracket.residents.to_vec();
            rest.retain(|player| above.iter().all(|(_, mate)| mate != player));
            let number = |player: usize| rest.iter().position(|&other| other == player);
            let pairs: Vec<(usize, usize)> = (rest.iter().enumerate())
                .filter_map(|(i, &player)| Some((i, number(mates[player])?)))
                .filter(|(i, j)| i < j)
                .collect();
            let first: Vec<usize> = pairs.iter().map(|&(i, _)| i).collect();
            let down: Vec<usize> = (0..pairs.len()).rev().filter(|i| !first.contains(i)).collect();
            let up: Vec<usize> = first.into_iter().filter(|&i| i >= pairs.len()).collect();
            let difference = up.iter().sum::<usize>() - down.iter().sum::<usize>();
            let transposition: Vec<usize> = pairs.iter().map(|&(_, j)| j).collect();
            (down.len(), difference, Reverse(down), up, transposition)
        });
    }
}

/// The pairing by the words of the handbook (C.04.3, in force since February 2026): each criterion in
/// turn leaves the best of all pairings, group by group.
fn by_trying_all(round: &Round) -> RoundPairs {
    let count = round.entrants.len();
    let score = |player: usize| round.entrants[player].score;
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&player| (Reverse(score(player)), player));
    let mut search = Search { round, order: order.clone(), pairings: Vec::new() };
    all_pairings(&mut vec![usize::MAX; count.next_multiple_of(2)], &mut search.pairings);
    search.of_the_round();
    let groups: Vec<Vec<usize>> =
        order.chunk_by(|&a, &b| score(a) == score(b)).map(<[usize]>::to_vec).collect();
    let mut moved: Vec<usize> = Vec::new();
    for (number, residents) in groups.iter().enumerate() {
        let bracket = Bracket { moved: &moved, residents };
        search.downfloaters(&bracket, groups.get(number + 1));
        search.repeated_floats(&bracket);
        search.earliest(&bracket);
        moved = floaters(&search.pairings[0], &bracket.members());
    }
    let [mates] = &search.pairings[..] else { panic!("{:?}", search.pairings) };
    let pairs = (0..count).filter(|&a| a < mates[a] && mates[a] < count);
    RoundPairs { pairs: pairs.map(|a| (a, mates[a])).collect(), bye: mates.get(count).copied() }
}

/// A round of random players. In every second round most players have the same score, so the order
/// of exchanges decides.
fn random_round(count: usize, case: usize, rng: &mut ChaCha8Rng) -> Round {
    let mut round = Round::default();
    let (scores, rematches) = (rng.random_range(1..4), rng.random_range(0..8));
    for a in 0..count {
        let mut float = || [Float::None, Float::Down, Float::Up][rng.random_range(0..3)];
        let floats = [float(), float()];
        let score = match case % 2 {
            0 => rng.random_range(0..=scores),
            _ if a == 0 => 2,
            _ => u64::from(a + 1 < count),
        };
        round.entrants.push(Entrant { score, floats, byes: u64::from(rng.random_bool(0.25)) });
        for b in 0..a {
            let times = u64::from(rng.random_range(0..10) < rematches);
            round.met.extend([((a, b), times), ((b, a), times)]);
        }
    }
    round
}

#[test]
fn a_search_of_all_pairings_finds_the_same() {
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    let mut relaxed = 0;
    for case in 0..400 {
        let round = random_round(3 + case % 8, case / 8, &mut rng);
        let found = round.paired();
        let wanted = words(&by_trying_all(&round));
        assert_eq!(words(&found), wanted, "case {case}: {:?}", round.entrants);
        let again = found.pairs.iter().any(|&(a, b)| round.times(a, b) > 0);
        relaxed += usize::from(again || found.bye.is_some_and(|bye| round.entrants[bye].byes > 0));
    }
    assert!((20..200).contains(&relaxed), "{relaxed}");
}
