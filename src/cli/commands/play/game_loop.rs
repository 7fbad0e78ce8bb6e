//! Plays an interactive game. Reads moves and commands, and asks again after a mistake.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Read, Write};

use super::format_messages;
use super::mark_last_move;
use super::user_commands::{self, Save, UserCommand};
use crate::cli::warn_of_old_keys;
use crate::games::{Player, Turn};
use crate::params::Spec;
use crate::play::{AnyGame, InteractiveGame, Registry};
use crate::report::counted;

/// The maximum length of an input line, in bytes.
const LONGEST: u64 = 1 << 12;

/// A game with its players.
pub struct GameLoop<'a> {
    pub live: InteractiveGame,
    /// The seat of the person, if there is only one.
    pub you: Player,
    /// Whether one person plays against an agent.
    pub alone: bool,
    /// The agents that give hints, in order of preference.
    pub advisers: Vec<Spec>,
    /// The game, to read other advisers from a `SPEC`.
    pub world: AnyGame,
    /// The registry, also to read other advisers.
    pub registry: &'a Registry,
    /// Whether input is printed. A terminal already shows it.
    pub echo: bool,
    /// The board before the last move.
    pub before: Option<String>,
}

enum Next {
    Ask,
    Go,
    Leave,
}

impl GameLoop<'_> {
    /// Plays until the game is over and no move is taken back, a player quits, or the input ends.
    pub fn play(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut shown = false;
        loop {
            match self.live.turn() {
                Turn::Chance => {
                    let thrown = self.live.roll();
                    writeln!(out, "chance: {thrown}")?;
                    shown = false;
                }
                Turn::Player(player) if self.live.is_agent(player) => {
                    self.before = Some(self.live.drawing());
                    match self.live.play_agent_move() {
                        Ok(answer) => {
                            let (who, effort) =
                                (format_messages::side(player), format_messages::effort(&answer));
                            writeln!(out, "{who} plays {}   {effort}", answer.text)?;
                        }
                        Err(fault) => {
                            let winner = format_messages::side(player.other());
                            return writeln!(out, "The agent fails ({fault}): {winner} wins.");
                        }
                    }
                    shown = false;
                }
                turn => {
                    if !shown {
                        let board = self.live.drawing();
                        let board = match &self.before {
                            Some(before) => mark_last_move::mark(before, &board),
                            None => board,
                        };
                        writeln!(out, "\n{}", board.trim_end_matches('\n'))?;
                        if let Some(ending) = self.live.end() {
                            writeln!(
                                out,
                                "{}",
                                format_messages::ending(&ending, self.live.has_numeric_score())
                            )?;
                        }
                        shown = true;
                    }
                    let Some(line) = self.ask(turn, input, out)? else { return self.leave(out) };
                    match self.execute(&line, out)? {
                        Next::Ask => {}
                        Next::Go => shown = false,
                        Next::Leave => return Ok(()),
                    }
                }
            }
        }
    }

    /// Asks for a line; `None` at the end of input.
    fn ask(
        &self,
        turn: Turn,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>> {
        match turn {
            Turn::Player(player) => write!(out, "{}> ", format_messages::side(player))?,
            _ => write!(out, "over (undo, save, quit)> ")?,
        }
        out.flush()?;
        let mut bytes = Vec::new();
        input.take(LONGEST).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            writeln!(out)?;
            return Ok(None);
        }
        if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
            while bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
                bytes.clear();
                input.take(LONGEST).read_until(b'\n', &mut bytes)?;
            }
            writeln!(out, "This line is too long for a move.")?;
            return Ok(Some(String::new()));
        }
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if self.echo {
            writeln!(out, "{line}")?;
        }
        Ok(Some(line))
    }

    fn leave(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.live.turn() {
            Turn::Over => Ok(()),
            _ => writeln!(
                out,
                "The input has ended, and so has the game. Continue it with `--position`:"
            )
            .and_then(|()| self.show(out)),
        }
    }

    fn execute(&mut self, line: &str, out: &mut dyn Write) -> io::Result<Next> {
        let over = self.live.turn() == Turn::Over;
        let legal = self.live.legal_moves();
        let command = user_commands::read(line, |text| {
            legal.iter().any(|mv| mv.to_lowercase().starts_with(&text.to_lowercase()))
        });
        match command {
            UserCommand::Nothing => {}
            UserCommand::Move(_) if over => {
                writeln!(out, "The game is over: `undo` takes a move back, `quit` leaves.")?;
            }
            UserCommand::Move(text) => match self.played(&text) {
                Ok(()) => return Ok(Next::Go),
                Err(message) => {
                    writeln!(out, "{message}\n(`moves` shows the legal moves, `help` the rest)")?;
                }
            },
            UserCommand::Moves if over => writeln!(out, "The game is over, no move is legal.")?,
            UserCommand::Moves => write!(out, "{}", format_messages::moves(&legal))?,
            UserCommand::Hint(_) if over => writeln!(out, "The game is over.")?,
            UserCommand::Hint(text) => self.advise(text.as_deref(), out)?,
            UserCommand::Undo => match self.live.undo() {
                0 => writeln!(out, "You have no move to take back.")?,
                moves => {
                    self.before = None;
                    let are = if moves == 1 { "is" } else { "are" };
                    let moves = counted(moves as u64, "move");
                    writeln!(out, "{moves} {are} taken back.")?;
                    return Ok(Next::Go);
                }
            },
            UserCommand::Board => return Ok(Next::Go),
            UserCommand::Save(save) => self.save(&save, out)?,
            UserCommand::Resign if over => writeln!(out, "The game is over already.")?,
            UserCommand::Resign => {
                let loser = match self.live.turn() {
                    Turn::Player(player) if !self.alone => player,
                    _ => self.you,
                };
                let (loser, winner) =
                    (format_messages::side(loser), format_messages::side(loser.other()));
                writeln!(out, "The {loser} player resigns: the {winner} player wins.")?;
                return Ok(Next::Leave);
            }
            UserCommand::Help => write!(out, "{}", user_commands::HELP)?,
            UserCommand::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Ask)
    }

    /// Plays a move of a person, and keeps the board before it.
    fn played(&mut self, text: &str) -> Result<(), String> {
        let before = self.live.drawing();
        self.live.play(text)?;
        self.before = Some(before);
        Ok(())
    }

    fn advise(&mut self, text: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        let named = match text {
            None => None,
            Some(text) => {
                match warn_of_old_keys::agent_spec(text, "hint", &self.world, self.registry) {
                    Ok(spec) => Some(spec),
                    Err(error) => return write!(out, "{}", error.render(true)),
                }
            }
        };
        // The named agent, or else the first one that gives a value to every move.
        let asked = named.as_ref().map_or(&self.advisers[..], std::slice::from_ref);
        let mut said = "there is no agent to ask: name one, as in `hint random`\n".to_owned();
        for spec in asked {
            let side = self.registry.requirements(spec).side;
            let side = side.map(|(_, side)| Turn::Player(side));
            if side.is_some_and(|side| side != self.live.turn()) {
                said = format!("`{}` plays the other side only\n", spec.kind);
                continue;
            }
            match self.live.hint(spec) {
                Ok(advice) => {
                    said = format_messages::advice(&spec.kind, &advice);
                    if !advice.values.is_empty() {
                        break;
                    }
                }
                Err(message) => said = format!("{message}\n"),
            }
        }
        write!(out, "{said}")
    }

    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "position  {}", self.live.position())?;
        match self.live.line() {
            Some(line) if !line.is_empty() => writeln!(out, "line      {line}"),
            _ => Ok(()),
        }
    }

    fn save(&self, save: &Save, out: &mut dyn Write) -> io::Result<()> {
        let (file, line) = match save {
            Save::Show => return self.show(out),
            Save::Position(file) => (file, None),
            Save::Line(file) => (file, self.live.line().filter(|line| !line.is_empty())),
        };
        let text = line.unwrap_or_else(|| self.live.position());
        let opened = OpenOptions::new().create(true).append(true).open(file);
        match opened.and_then(|mut opened| writeln!(opened, "{text}")) {
            Ok(()) => writeln!(out, "{text}\nis now the last line of {file}."),
            Err(error) => writeln!(out, "{file} cannot be written: {error}"),
        }
    }
}
