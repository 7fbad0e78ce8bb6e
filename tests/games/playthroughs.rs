//! One recorded game of every game in the registry: positions, moves and values at every ply.
//!
//! The files in tests/data/playthroughs begin with the text of their game. After a change,
//! `UPDATE_EXPECT=1 cargo test --test games playthroughs` updates them and adds files for new
//! games; review the diff. To add a game of another size, create a file with only a first line,
//! such as `mnk:m=10,n=10,k=5`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::support::visit::{Visit, with_game};
use agon::games::{
    Configurable, Evaluator, EvaluatorVisitor, Game, Repetition, Scoring, Shortcuts, Turn, Weights,
    repeats,
};
use agon::play::Registry;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// The maximum number of player moves in a recorded game.
const PLIES: usize = 150;

/// Records a random game.
#[derive(Default)]
struct Record {
    text: String,
    /// The type that implements the game, without paths.
    served_by: String,
}

/// The values of some positions.
struct Values<'a, G: Game>(&'a G, &'a [G::State]);

impl<G: Game> EvaluatorVisitor<G> for Values<'_, G> {
    type Out = Vec<i32>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Vec<i32> {
        self.1.iter().map(|state| evaluator.evaluate(self.0, state)).collect()
    }
}

impl Visit for Record {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let words = std::any::type_name::<G>().split_inclusive(['<', '>', ',']);
        self.served_by = words.map(|word| word.rsplit("::").next().unwrap_or(word)).collect();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        let (mut states, mut options, mut keys) = (vec![game.start()], Vec::new(), Vec::new());
        let mut plies = 0;
        let end = loop {
            let state = &states[states.len() - 1];
            let written = |mv| {
                let mut text = String::new();
                game.write_move(state, mv, &mut text);
                text
            };
            let (who, listed, mv) = match game.turn(state) {
                Turn::Over => {
                    let winner = game.scoring().winner(state);
                    let (payoff, reason) = (game.payoff(state), game.reason(state));
                    break format!("over: {reason}, payoff {payoff}, winner {winner:?}");
                }
                Turn::Player(_) if plies == PLIES => break format!("stopped after {PLIES} plies"),
                Turn::Player(_)
                    if repeats::<G>()
                        && game.repetition().ended_by_history(state, &keys).is_some() =>
                {
                    break "drawn by repetition".to_owned();
                }
                Turn::Player(player) => {
                    plies += 1;
                    let mv = game.shortcuts().random_move(state, &mut rng, &mut moves);
                    moves.clear();
                    game.moves(state, &mut moves);
                    let listed: Vec<_> = moves.iter().map(|&mv| written(mv)).collect();
                    (format!("{player:?}"), listed, mv)
                }
                Turn::Chance => {
                    let mv = game.shortcuts().random_outcome(state, &mut rng, &mut outcomes);
                    outcomes.clear();
                    game.outcomes(state, &mut outcomes);
                    let weighted = outcomes.iter().map(|&(mv, w)| format!("{}*{w}", written(mv)));
                    // Some games begin with hundreds of arrangements.
                    ("Chance".to_owned(), weighted.take(40).collect(), mv)
                }
            };
            options.push((format!("{who}: {}", listed.join(" ")), written(mv)));
            let mut next = state.clone();
            game.play(&mut next, mv);
            keys.push(game.key(state));
            states.push(next);
        };
        let last = states.pop().expect("the last position");
        let values: Vec<(&str, Vec<i32>)> = (game.evaluators().into_iter())
            .map(|info| {
                let values = game.with_evaluator(info.name, &Weights::new(), Values(game, &states));
                (info.name, values.expect("an evaluator with its weights"))
            })
            .collect();
        for (ply, (state, (options, played))) in states.iter().zip(options).enumerate() {
            let values: Vec<_> =
                values.iter().map(|(name, values)| format!("{name} {}", values[ply])).collect();
            let _ = writeln!(self.text, "{}", game.write_position(state));
            let _ = writeln!(self.text, "  {options}\n  {}", values.join(", "));
            let _ = writeln!(self.text, "  plays {played}");
        }
        let _ = writeln!(self.text, "{}\n  {end}", game.write_position(&last));
    }
}

#[test]
fn every_game_is_played_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/playthroughs");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let registry = Registry::builtin();
    let mut specs: BTreeMap<_, _> = (registry.games.iter())
        .filter(|entry| entry.has_defaults())
        .map(|entry| (folder.join(format!("{}.txt", entry.kind)), entry.kind.to_owned()))
        .collect();
    for file in fs::read_dir(&folder).expect("the folder of playthroughs") {
        let path = file.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a playthrough");
        specs.insert(path, text.lines().next().expect("the game's text").to_owned());
    }
    let mut served = BTreeMap::<String, BTreeSet<String>>::new();
    for (path, spec) in &specs {
        let record = with_game(spec, Record::default());
        let text = format!("{spec}\n{}\n\n{}", record.served_by, record.text);
        if update {
            fs::write(path, &text).expect("a playthrough");
        }
        let recorded = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().zip(recorded.lines());
        let different = lines.enumerate().find(|(_, (now, before))| now != before);
        assert!(
            recorded == text,
            "{spec} is not played as in {}: {different:?}; where that is meant, run \
             `UPDATE_EXPECT=1 cargo test --test games playthroughs` and read the difference",
            path.display()
        );
        let (kind, _) = spec.split_once(':').unwrap_or((spec, ""));
        served.entry(kind.to_owned()).or_default().insert(record.served_by);
    }
    for entry in registry.games.iter().filter(|entry| entry.has_defaults()) {
        let types = &served[entry.kind];
        assert_eq!(
            types.len(),
            entry.types(),
            "a playthrough for each type that serves {}, not only {types:?}",
            entry.kind
        );
    }
}
