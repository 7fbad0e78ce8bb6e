//! Commands that a person types between moves.

use crate::cli::failure::Failure;
use crate::games::Player;
use crate::play::{GameEntry, Registry};
use crate::util::did_you_mean::did_you_mean;

/// The seat of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserSide {
    Of(Player),
    Random,
}

impl UserSide {
    /// Reads `first`, `second`, `random`, or what players of this game call a side.
    pub fn read(word: &str, game: &GameEntry) -> Result<UserSide, Failure> {
        let lower = word.trim().to_lowercase();
        if lower == "random" {
            return Ok(UserSide::Random);
        }
        let names = [["first", "second"]].into_iter().chain(game.sides.iter().copied());
        let players = [Player::First, Player::Second];
        let known: Vec<(&str, Player)> =
            names.flat_map(|pair| pair.into_iter().zip(players)).collect();
        let found = known.iter().find(|(name, _)| *name == lower);
        found.map(|(_, player)| UserSide::Of(*player)).ok_or_else(|| {
            let mut words: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
            words.push("random");
            let message = format!("`{}` has no side `{word}`", game.kind);
            Failure::usage(message, did_you_mean(&lower, &words))
        })
    }

    /// Whether a built-in game calls a side so.
    fn is_named(word: &str) -> bool {
        let word = word.to_lowercase();
        let registry = Registry::builtin();
        let mut names = registry.games.iter().flat_map(|game| game.sides.concat());
        ["first", "second", "random"].contains(&word.as_str()) || names.any(|name| name == word)
    }
}

/// The name of a person in place of a `SPEC`.
pub const HUMAN: &str = "human";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserCommand {
    /// A move, which the game reads.
    Move(String),
    Moves,
    /// Ask an agent for a move; `None`: the default agent.
    Hint(Option<String>),
    Undo,
    Board,
    /// Show the game as a position and as an opening line, or write one of them to a file.
    Save(Save),
    New(NewGame),
    Resign,
    Help,
    Quit,
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Save {
    Show,
    Position(String),
    /// Write the moves from the start. Write the position if there are no moves.
    Line(String),
}

/// What changes in the next game; `None`: as in this game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewGame {
    /// A word for a side, as typed.
    pub side: Option<String>,
    /// A level, a `SPEC`, or `human`.
    pub opponent: Option<String>,
}

impl NewGame {
    fn read(text: &str) -> NewGame {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let side = UserSide::is_named(word).then(|| word.to_owned());
        let opponent = if side.is_some() { rest } else { text }.trim();
        NewGame { side, opponent: (!opponent.is_empty()).then(|| opponent.to_owned()) }
    }
}

/// The commands with their letters, as `help` shows them.
pub const HELP: &str =
    "  a move            as `moves` shows it; `play MOVE` if it looks like a command
  moves (m, ?)      the legal moves
  hint (h) [SPEC]   the move that the agent suggests, and its value of every move;
                    another one's as in `hint minimax:depth=2`
  undo (u)          back to your last decision
  board (b)         the board again
  save (s)          the game as a position and as an opening line
  save line FILE    adds it to a file of openings; also `save position FILE`
  new [SIDE] [1-10] another game: your side (first, white, x, …; random) and the
                    level of the opponent; also a SPEC or `human`
  resign            gives the game up
  quit (q)          leaves; so does the end of input
";

/// Reads a line. Whole words are commands. A single letter is a command only if the game has no
/// move of that name; `is_move` checks that.
pub fn read(line: &str, is_move: impl Fn(&str) -> bool) -> UserCommand {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let lower = word.trim_start_matches(['/', ':']).to_lowercase();
    let short = lower.chars().count() == 1 && lower == word.to_lowercase();
    if short && is_move(line) {
        return UserCommand::Move(line.to_owned());
    }
    let plain = rest.is_empty();
    match lower.as_str() {
        "" => UserCommand::Nothing,
        "moves" | "legal" | "m" | "?" if plain => UserCommand::Moves,
        "hint" | "h" => UserCommand::Hint((!plain).then(|| rest.to_owned())),
        "undo" | "back" | "u" if plain => UserCommand::Undo,
        "board" | "b" if plain => UserCommand::Board,
        "save" | "s" => UserCommand::Save(match rest.split_once(char::is_whitespace) {
            _ if plain => Save::Show,
            Some(("position", file)) => Save::Position(file.trim().to_owned()),
            Some(("line", file)) => Save::Line(file.trim().to_owned()),
            _ => Save::Line(rest.to_owned()),
        }),
        "new" => UserCommand::New(NewGame::read(rest)),
        "resign" if plain => UserCommand::Resign,
        "help" if plain => UserCommand::Help,
        "quit" | "exit" | "q" if plain => UserCommand::Quit,
        "play" if !plain => UserCommand::Move(rest.to_owned()),
        _ => UserCommand::Move(line.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_commands_and_letters_only_where_they_are_no_moves() {
        let read = |line| read(line, |text| text == "h" || text == "b");
        assert_eq!(read("  HINT "), UserCommand::Hint(None));
        assert_eq!(
            read("hint mcts:simulations=5"),
            UserCommand::Hint(Some("mcts:simulations=5".into()))
        );
        assert_eq!(read("h"), UserCommand::Move("h".into()));
        assert_eq!(read("/h"), UserCommand::Hint(None));
        assert_eq!(read("u"), UserCommand::Undo);
        assert_eq!(read("a1 b2"), UserCommand::Move("a1 b2".into()));
        assert_eq!(read("play moves"), UserCommand::Move("moves".into()));
        assert_eq!(read("save line a b.txt"), UserCommand::Save(Save::Line("a b.txt".into())));
        assert_eq!(read("save x.txt"), UserCommand::Save(Save::Line("x.txt".into())));
        assert_eq!(read(""), UserCommand::Nothing);
        let new = |side: Option<&str>, opponent: Option<&str>| {
            let [side, opponent] = [side, opponent].map(|word| word.map(str::to_owned));
            UserCommand::New(NewGame { side, opponent })
        };
        assert_eq!(read("new"), new(None, None));
        assert_eq!(read("new 5"), new(None, Some("5")));
        assert_eq!(read("new second"), new(Some("second"), None));
        assert_eq!(read("new first pig x"), new(Some("first"), Some("pig x")));
        assert_eq!(read("new White 3"), new(Some("White"), Some("3")));
    }
}
