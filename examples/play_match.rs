//! agon as a library: plays 100 games and prints a score with its 95 % confidence interval.
use agon::config::{self, Overrides};
use agon::play::Registry;
use agon::stats::Confidence;

const CONFIG: &str = r#"
seed = 1

[game]
kind = "connect4"

[[agents]]
name = "deep"
kind = "alphabeta"
depth = 4

[[agents]]
name = "flat"
kind = "alphabeta"
depth = 2

[schedule]
games = 100
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::builtin();
    let experiment = config::parse(CONFIG, "my_match.toml", &Overrides::default(), &registry)?;
    let threads = 2;
    let played = agon::run(&experiment, threads)?;

    // The evidence: results of pairs, which are two games from one opening with changed seats.
    let (_, pairing) = &played.tally.pairings[0];
    let pairs = pairing.distinct.pairs.strength();
    if let (Some(score), Some(interval)) = (pairs.mean(), pairs.interval(Confidence::P95)) {
        println!(
            "deep scores {:.1} % [{:.1}, {:.1}] in {} games",
            100.0 * score,
            100.0 * interval.lo,
            100.0 * interval.hi,
            pairing.games(),
        );
    }
    Ok(())
}
