//! The log of an engine's failure: the failure, how to reproduce it, and the conversation.

use std::fmt;

use crate::engine::{ConversationLog, Exit, shorten};

pub(super) struct FailureLog<'a> {
    /// The failure's name, as in `games.csv`, or `restart`.
    pub what: &'a str,
    pub name: &'a str,
    pub game: u64,
    pub detail: &'a str,
    pub command: Vec<String>,
    pub dir: Option<String>,
    /// Environment variables in addition to those of agon.
    pub env: Vec<(String, String)>,
    /// Lines to paste into a terminal, if the engine ran.
    pub reproducer: Option<String>,
    /// How the process ended, if it has ended.
    pub exit: Option<Exit>,
    pub conversation_log: Option<&'a ConversationLog>,
}

impl fmt::Display for FailureLog<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailureLog { what, name, game, detail, .. } = self;
        let mut lines = detail.lines();
        let first = shorten(lines.next().unwrap_or_default());
        writeln!(f, "# {what} of `{name}` in game {game}: {first}")?;
        lines.try_for_each(|line| writeln!(f, "# {}", shorten(line)))?;
        // One line for a shell.
        let cd = self.dir.iter().map(|dir| format!("cd {} &&", shell_word(dir)));
        let env = self.env.iter().map(|(name, value)| format!("{name}={}", shell_word(value)));
        let words = self.command.iter().map(|word| shell_word(word));
        let words: Vec<String> = cd.chain(env).chain(words).collect();
        writeln!(f, "# {}", words.join(" "))?;
        if let Some(exit) = self.exit {
            writeln!(f, "# ended: {exit}")?;
        }
        if let Some(lines) = &self.reproducer {
            write!(
                f,
                "\n# To see it again, start the program with the command above and paste:\n{lines}"
            )?;
        }
        if let Some(conversation_log) = self.conversation_log {
            writeln!(f, "\n# What was said (seconds; > stdin, < stdout, ! stderr):")?;
            f.write_str(&conversation_log.text())?;
        }
        Ok(())
    }
}

/// The file name of an engine's failure log, from the agent's name and the game's number.
/// Characters that a file name may not contain become `_`.
pub fn log_name(name: &str, game: u64) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).take(80).collect();
    format!("engine-{name}-game-{game}.log")
}

/// Quotes a word for a shell.
fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_logs_stay_in_their_folder() {
        assert_eq!(log_name("sf 17", 12), "engine-sf_17-game-12.log");
        assert_eq!(log_name("../../etc", 1), "engine-.._.._etc-game-1.log");
    }

    #[test]
    fn a_log_begins_with_what_happened_and_how_to_see_it_again() {
        let failure_log = FailureLog {
            what: "crash",
            name: "sf",
            game: 3,
            detail: "signal 11, SIGSEGV",
            command: vec!["my engine".to_owned(), "it's".to_owned(), "-x".to_owned()],
            dir: Some("my class".to_owned()),
            env: vec![("PYTHONPATH".to_owned(), "..".to_owned())],
            reproducer: Some("uci\ngo nodes 5\n".to_owned()),
            exit: Some(Exit::Signal(11)),
            conversation_log: None,
        };
        let expected = "# crash of `sf` in game 3: signal 11, SIGSEGV\n\
            # cd 'my class' && PYTHONPATH=.. 'my engine' 'it'\\''s' -x\n\
            # ended: signal 11, SIGSEGV\n\
            \n\
            # To see it again, start the program with the command above and paste:\n\
            uci\ngo nodes 5\n";
        assert_eq!(failure_log.to_string(), expected);
    }
}
