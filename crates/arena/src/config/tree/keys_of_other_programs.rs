//! Keys and options of other tournament programs, each with what agon has in its place.

/// Words of fastchess and cutechess that no key of agon has, in lower case and without `-` and
/// `_`, with their answers.
const WORDS: [(&[&str], &str); 25] = [
    (&["tc", "timecontrol"], "a clock is `clock = \"8+0.08\"`: seconds and increment"),
    (&["st", "movetimems"], "a fixed time for each move is `movetime = 100`, in milliseconds"),
    (&["cmd", "exe", "program"], "the command of an engine is `command = \"./engine\"`"),
    (&["proto"], "`protocol` is \"uci\", \"ugi\", \"gtp\" or \"gomocup\""),
    (
        &["rounds", "repeat", "norepeat", "numgames"],
        "`games` in `[schedule]` counts the games of a pairing; each opening is played from both \
         sides, so one round of two games is `games = 2`",
    ),
    (
        &["concurrency", "threads", "jobs", "cores"],
        "`-j N` on the command line sets the threads of a run; \
       an engine's own threads are `options.Threads = 1`",
    ),
    (
        &["book", "bookfile", "openingsfile", "openingbook", "polyglot"],
        "openings from a file: `[openings]` with `kind = \"file\"` and `file = \"book.epd\"`",
    ),
    (&["hash"], "an option of an engine is `options.Hash = 16`"),
    (&["option"], "options of an engine are `options.Hash = 16`, one line each"),
    (&["args", "arg"], "arguments are part of `command`, as in `command = \"./engine --fast\"`"),
    (&["timemargin"], "`time_margin`, in milliseconds, is a key of an engine"),
    (&["srand", "randomseed"], "`seed = 1` at the top of the config fixes all random numbers"),
    (
        &["resign", "draw", "maxmoves", "movenumber", "movecount"],
        "games end early by `[adjudication]`, and after `max_plies` of `[limits]`",
    ),
    (
        &["tb", "tbpieces", "tbpath", "syzygypath"],
        "`syzygy` in `[adjudication]` names folders with tables, and `syzygy_pieces` the largest \
         number of pieces",
    ),
    (
        &["variant"],
        "`variant` is a key of `[game]` with `kind = \"chess\"`: \"standard\" or \"960\"",
    ),
    (&["pgnout"], "`pgn = \"games\"` in `[output]` writes games.pgn"),
    (&["gauntlet", "tournament"], "`format = \"gauntlet\"` or \"round-robin\" in `[schedule]`"),
    (
        &["outcomeinterval", "ratinginterval", "autosaveinterval", "recover", "wait"],
        "agon needs no such setting: it saves every game and starts failed engines again",
    ),
    (&["event", "site"], "`name` and `question` at the top describe the run"),
    (&["sprtmodel"], "`model = \"normalized\"` in `[sprt]` chooses the scale of elo0 and elo1"),
    (
        &["time", "timeout", "seconds"],
        "`movetime` is milliseconds for one move, `clock` seconds for a game",
    ),
    (&["ply", "plies", "lookahead"], "`depth` is the number of plies that a search looks ahead"),
    (
        &["iterations", "playouts", "rollouts"],
        "`simulations` of `mcts` are its playouts for one move",
    ),
    (&["log", "logfile"], "agon writes the log of each engine fault to the results folder"),
    (&["outdir"], "`--out DIR` on the command line names the results folder"),
];

/// The answer to a word of another program.
pub fn answer(word: &str) -> Option<&'static str> {
    let plain: String =
        word.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect();
    WORDS.iter().find(|(words, _)| words.contains(&plain.as_str())).map(|(_, answer)| *answer)
}

/// What an agent of agon has in place of a key of external engines.
pub fn answer_for_own_agents(key: &str) -> Option<&'static str> {
    (key == "clock").then_some(
        "a clock is for external engines; limit agents of agon by `movetime`, in milliseconds, or \
         by `nodes`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_every_spelling() {
        for word in ["tc", "-tc", "bookFile", "book_file", "pgnout", "Hash"] {
            assert!(answer(word).is_some(), "{word}");
        }
        assert_eq!(answer("depth"), None);
    }

    #[test]
    fn no_word_hides_a_key() {
        let definitions = crate::config::Definitions::new(&crate::play::Registry::builtin());
        for kind in definitions.kinds("agents").iter().chain(definitions.kinds("openings")) {
            for param in kind.params.iter().filter(|param| answer(param.key).is_some()) {
                // A key of one kind may be a foreign word elsewhere only.
                assert!(["plies", "time_margin"].contains(&param.key), "{}", kind.kind);
            }
        }
    }
}
