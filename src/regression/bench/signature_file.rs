//! Reads, writes and compares `benches/signature.txt`: the committed counts of a benchmark.

use std::fmt::Write;

use super::run_benchmark::Bench;
use std::collections::BTreeMap;

/// All counts of a benchmark. They are the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signature {
    /// Total number of searched nodes over all cases.
    pub nodes: u64,
    /// Number of move sequences by game and depth.
    perft: BTreeMap<(String, u32), u64>,
    /// Positions, nodes and a hash of the moves, by game and agent.
    cases: BTreeMap<(String, String), [u64; 3]>,
}

/// A line that does not belong in a signature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SignatureError {
    /// The number of the line, from 1.
    pub line: usize,
    pub message: String,
}

impl Signature {
    pub fn of(bench: &Bench) -> Self {
        let mut signature = Signature { nodes: bench.nodes(), ..Signature::default() };
        for p in &bench.perft {
            signature.perft.insert((p.game.to_owned(), p.depth), p.count);
        }
        for case in &bench.cases {
            let key = (case.game.to_owned(), case.agent.clone());
            signature.cases.insert(key, [case.positions, case.nodes, case.moves]);
        }
        signature
    }

    /// The signature as the text of a file.
    pub fn to_text(&self) -> String {
        let mut out = String::from(
            "# What `agon bench` counts: the same on every machine. Made by `agon bench --save`.\n\
             # game | depth | sequences of so many plies\n\
             # game | agent | positions | nodes | hash of the moves chosen\n",
        );
        let _ = writeln!(out, "signature {}", self.nodes);
        for ((game, depth), count) in &self.perft {
            let _ = writeln!(out, "perft | {game} | {depth} | {count}");
        }
        for ((game, agent), [positions, nodes, moves]) in &self.cases {
            let _ =
                writeln!(out, "nodes | {game} | {agent} | {positions} | {nodes} | {moves:016x}");
        }
        out
    }

    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Self, SignatureError> {
        let mut signature = Signature::default();
        let mut total = None;
        for (i, line) in text.lines().enumerate() {
            let fail = |message: &str| SignatureError { line: i + 1, message: message.to_owned() };
            let number = |text: &str| text.parse::<u64>().map_err(|_| fail("not a whole number"));
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(count) = line.strip_prefix("signature ") {
                total = Some(number(count.trim())?);
                continue;
            }
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let twice = match fields[..] {
                ["perft", game, depth, count] => {
                    let depth = depth.parse().map_err(|_| fail("not a depth"))?;
                    signature.perft.insert((game.to_owned(), depth), number(count)?).is_some()
                }
                ["nodes", game, agent, positions, nodes, moves] => {
                    let moves = u64::from_str_radix(moves, 16).map_err(|_| fail("not a hash"))?;
                    let counts = [number(positions)?, number(nodes)?, moves];
                    signature.cases.insert((game.to_owned(), agent.to_owned()), counts).is_some()
                }
                _ => return Err(fail("neither `signature`, nor `perft`, nor `nodes`")),
            };
            if twice {
                return Err(fail("this line appears twice"));
            }
        }
        let missing = || SignatureError {
            line: text.lines().count().max(1),
            message: "the line `signature N` is missing".to_owned(),
        };
        signature.nodes = total.ok_or_else(missing)?;
        Ok(signature)
    }

    /// The differences from a committed signature, one line each; empty if there are none.
    pub fn differences(&self, committed: &Signature) -> Vec<String> {
        let mut out = Vec::new();
        for (key, now, was) in merge(&self.perft, &committed.perft) {
            let what = format!("{} · {} plies", key.0, key.1);
            match (now, was) {
                (Some(now), Some(was)) if now != was => {
                    out.push(format!("{what}: {now} move sequences, were {was}"));
                }
                (Some(_), Some(_)) => {}
                (now, _) => out.push(one_sided(&what, now.is_some())),
            }
        }
        for (key, now, was) in merge(&self.cases, &committed.cases) {
            let what = format!("{} · {}", key.0, key.1);
            match (now, was) {
                (Some(now), Some(was)) if now[0] != was[0] => {
                    out.push(format!("{what}: {} positions, were {}", now[0], was[0]));
                }
                (Some(now), Some(was)) if now[1] != was[1] => {
                    let factor = now[1] as f64 / was[1].max(1) as f64;
                    let moves = if now[2] == was[2] { "the same moves" } else { "other moves" };
                    out.push(format!(
                        "{what}: {} nodes, were {} (× {factor:.4}), {moves}",
                        now[1], was[1]
                    ));
                }
                (Some(now), Some(was)) if now[2] != was[2] => {
                    out.push(format!("{what}: other moves, with as many nodes"));
                }
                (Some(_), Some(_)) => {}
                (now, _) => out.push(one_sided(&what, now.is_some())),
            }
        }
        if out.is_empty() && self.nodes != committed.nodes {
            let (now, was) = (self.nodes, committed.nodes);
            out.push(format!(
                "the line `signature` says {was}, but the lines after it add up to {now}"
            ));
        }
        out
    }
}

fn one_sided(what: &str, is_new: bool) -> String {
    match is_new {
        true => format!("{what}: not in the file"),
        false => format!("{what}: in the file, but no longer measured"),
    }
}

/// All keys of both maps, each with its value in the first and in the second.
fn merge<'a, K: Ord, V>(
    here: &'a BTreeMap<K, V>,
    there: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = (&'a K, Option<&'a V>, Option<&'a V>)> {
    let only_there = there.iter().filter(|(key, _)| here.get(key).is_none());
    (here.iter().map(|(key, value)| (key, Some(value), there.get(key))))
        .chain(only_there.map(|(key, value)| (key, None, Some(value))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# a remark\nsignature 30\nperft | pig | 2 | 4\n\
        nodes | pig | random | 8 | 0 | 00000000000000ff\n\
        nodes | pig | noisy:agent=(minimax:depth=1),epsilon=0.5 | 8 | 30 | 0000000000000001\n";

    fn signature() -> Signature {
        Signature::read(TEXT).expect("a signature")
    }

    #[test]
    fn what_is_written_is_read_back() {
        assert_eq!(Signature::read(&signature().to_text()), Ok(signature()));
        assert!(signature().differences(&signature()).is_empty());
    }

    #[test]
    fn every_difference_is_named() {
        let changed = TEXT
            .replace("2 | 4\n", "2 | 5\n")
            .replace("00ff", "00fe")
            .replace("8 | 30 |", "8 | 60 |")
            + "nodes | tree | random | 1 | 0 | 0000000000000000\n";
        let changed = Signature::read(&changed).expect("a signature");
        assert_eq!(
            changed.differences(&signature()),
            [
                "pig · 2 plies: 5 move sequences, were 4",
                "pig · noisy:agent=(minimax:depth=1),epsilon=0.5: 60 nodes, were 30 (× 2.0000), \
                 the same moves",
                "pig · random: other moves, with as many nodes",
                "tree · random: not in the file",
            ]
        );
        let back = signature().differences(&changed);
        assert_eq!(back[3], "tree · random: in the file, but no longer measured");
        let total = Signature { nodes: 31, ..signature() };
        assert!(signature().differences(&total)[0].contains("says 31"));
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, line) in [
            ("", 1),
            ("signature x", 1),
            ("signature 1\nfoo | bar", 2),
            ("signature 1\nperft | pig | 2 | 4\nperft | pig | 2 | 4", 3),
            ("signature 1\nnodes | a | b | 1 | 1 | xyz", 2),
            ("signature 1\nperft | pig | 2", 2),
        ] {
            assert_eq!(Signature::read(text).expect_err(text).line, line, "{text}");
        }
    }
}
