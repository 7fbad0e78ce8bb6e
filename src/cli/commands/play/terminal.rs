//! The terminal as a front end: boards and messages as text, lines from the keyboard or a file.

use std::io::{self, BufRead, IsTerminal, Write};

use super::game_loop::{Frontend, GameLoop};
use super::line_editor::LineEditor;
use super::{greeting, mark_last_move};
use crate::cli::input_line::{self, InputLine};
use crate::play::Advice;

/// The maximum length of an input line, in bytes.
const LONGEST: u64 = 1 << 12;

pub struct Terminal<'a> {
    pub input: &'a mut dyn BufRead,
    pub out: &'a mut dyn Write,
    /// Whether input is printed. A terminal already shows it.
    pub echo: bool,
    /// Reads from a person at a terminal.
    pub editor: Option<LineEditor>,
}

/// An editor of lines, if a person types at a terminal that can move its cursor.
pub fn line_editor() -> Option<LineEditor> {
    let can_move = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    (can_move && is_terminal).then(LineEditor::default)
}

impl Frontend for Terminal<'_> {
    fn begin(&mut self, table: &GameLoop<'_>) -> io::Result<()> {
        self.say(&table.greeting.text())
    }

    fn show(&mut self, table: &GameLoop<'_>) -> io::Result<()> {
        let board = table.live.drawing();
        let board = match table.live.before_last_move() {
            Some((before, _)) => mark_last_move::mark(&before, &board),
            None => board,
        };
        writeln!(self.out, "\n{}", board.trim_end_matches('\n'))?;
        table.result().map_or(Ok(()), |result| self.say(&result))
    }

    fn wait_for_agent(&mut self, _: &GameLoop<'_>) -> io::Result<()> {
        Ok(())
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", text.trim_end_matches('\n'))
    }

    fn refuse(&mut self, message: &str) -> io::Result<()> {
        writeln!(self.out, "{message}\n(`moves` shows the legal moves, `help` the rest)")
    }

    fn advise(&mut self, name: &str, advice: &Advice) -> io::Result<()> {
        self.say(&greeting::advice(name, advice))
    }

    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>> {
        self.out.flush()?;
        if let Some(editor) = &mut self.editor {
            match editor.read(prompt, self.input) {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => self.editor = None,
                Ok(None) => {
                    writeln!(self.out)?;
                    return Ok(None);
                }
                other => return other,
            }
        }
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let line = match input_line::next(self.input, LONGEST)? {
            InputLine::Line(line) => line.trim().to_owned(),
            InputLine::TooLong => {
                self.say("This line is too long for a move.")?;
                return Ok(Some(String::new()));
            }
            InputLine::Nothing => {
                writeln!(self.out)?;
                return Ok(None);
            }
        };
        if self.echo {
            writeln!(self.out, "{line}")?;
        }
        Ok(Some(line))
    }

    fn stays_open(&self) -> bool {
        false
    }
}
