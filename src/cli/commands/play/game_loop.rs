//! Plays an interactive game. Reads moves and commands, and asks again after a mistake.
//!
//! The loop knows no terminal and no browser: a [`Frontend`] shows the game and asks for lines.

use std::fs::OpenOptions;
use std::io::{self, Write};

use super::greeting;
use super::user_commands::{self, NewGame, Save, UserCommand};
use crate::config;
use crate::games::{Player, Turn};
use crate::params::Spec;
use crate::play::{Advice, AnyGame, InteractiveGame, Registry};
use crate::report::counted;

/// The place where people see the game and type or click.
pub trait Frontend {
    fn begin(&mut self, table: &GameLoop<'_>) -> io::Result<()>;
    /// The position in which a person decides, or the last one.
    fn show(&mut self, table: &GameLoop<'_>) -> io::Result<()>;
    /// An agent is asked for its move, or for a hint.
    fn wait_for_agent(&mut self, table: &GameLoop<'_>) -> io::Result<()>;
    /// One or more lines of text.
    fn say(&mut self, text: &str) -> io::Result<()>;
    /// A move that cannot be played, and why.
    fn refuse(&mut self, message: &str) -> io::Result<()>;
    /// A hint of the agent `name`.
    fn advise(&mut self, name: &str, advice: &Advice) -> io::Result<()>;
    /// The next line of a person; `None` at the end of input.
    fn ask(&mut self, prompt: &str) -> io::Result<Option<String>>;
    /// Whether the game stays open after a resignation or a failure of the agent.
    fn stays_open(&self) -> bool;
}

pub struct GameLoop<'a> {
    pub live: InteractiveGame,
    pub greeting: greeting::Greeting,
    /// Whether no agent plays.
    pub two_people: bool,
    /// The agents that give hints, in order of preference.
    pub advisers: Vec<Spec>,
    /// The game, to read other advisers from a `SPEC`.
    pub any_game: AnyGame,
    /// The registry, also to read other advisers.
    pub registry: &'a Registry,
    pub given_up: Option<GivenUp>,
    /// The text of the first position, if it is not the start.
    pub opening: Option<String>,
    /// The game and its sides, as people call them.
    pub names: GameNames,
}

/// A game that ended by no rule.
pub struct GivenUp {
    pub winner: Player,
    /// Why, such as `resignation`.
    pub reason: String,
    /// The result in a sentence.
    sentence: String,
}

/// What people call a game and its sides, such as `Chess`, `White` and `Black`.
pub struct GameNames {
    pub game: String,
    pub sides: [String; 2],
}

pub enum Ended {
    Left,
    /// Another game is asked for.
    New(NewGame),
}

enum Next {
    Ask,
    Go,
    End(Ended),
}

impl GameLoop<'_> {
    /// Plays until a player leaves, or the input ends, or a new game is asked for.
    pub fn play(&mut self, front: &mut dyn Frontend) -> io::Result<Ended> {
        let mut shown = false;
        loop {
            match self.turn() {
                Turn::Chance => {
                    let thrown = self.live.roll();
                    front.say(&format!("chance: {thrown}"))?;
                    shown = false;
                }
                Turn::Player(player) if self.live.is_agent(player) => {
                    front.wait_for_agent(self)?;
                    match self.live.play_agent_move() {
                        Ok(answer) => {
                            let (who, effort) = (player.name(), greeting::effort(&answer));
                            front.say(&format!("{who} plays {}   {effort}", answer.text))?;
                        }
                        Err(fault) => {
                            let (winner, reason) =
                                (player.other(), format!("the agent fails ({fault})"));
                            let sentence =
                                format!("The agent fails ({fault}): {} wins.", winner.name());
                            let given_up = GivenUp { winner, reason, sentence };
                            if let Next::End(ended) = self.give_up(given_up, front)? {
                                return Ok(ended);
                            }
                        }
                    }
                    shown = false;
                }
                turn => {
                    if !shown {
                        front.show(self)?;
                        shown = true;
                    }
                    let prompt = match turn {
                        Turn::Player(player) => format!("{}> ", player.name()),
                        _ => "over (undo, save, quit)> ".to_owned(),
                    };
                    let Some(line) = front.ask(&prompt)? else {
                        return self.leave(front).map(|()| Ended::Left);
                    };
                    match self.execute(&line, front)? {
                        Next::Ask => {}
                        Next::Go => shown = false,
                        Next::End(ended) => return Ok(ended),
                    }
                }
            }
        }
    }

    /// Who acts; the game is over if it was given up.
    pub fn turn(&self) -> Turn {
        if self.given_up.is_some() { Turn::Over } else { self.live.turn() }
    }

    /// The result in a sentence, if the game is over.
    pub fn result(&self) -> Option<String> {
        self.given_up.as_ref().map(|given_up| given_up.sentence.clone()).or_else(|| {
            let ending = self.live.end()?;
            Some(greeting::ending(&ending, self.live.has_numeric_score()))
        })
    }

    fn leave(&self, front: &mut dyn Frontend) -> io::Result<()> {
        match self.turn() {
            Turn::Over => Ok(()),
            _ => front
                .say("The input has ended, and so has the game. Continue it with `--position`:")
                .and_then(|()| front.say(&self.saved())),
        }
    }

    /// Ends the game with this result.
    fn give_up(&mut self, given_up: GivenUp, front: &mut dyn Frontend) -> io::Result<Next> {
        front.say(&given_up.sentence)?;
        self.given_up = Some(given_up);
        Ok(if front.stays_open() { Next::Go } else { Next::End(Ended::Left) })
    }

    fn execute(&mut self, line: &str, front: &mut dyn Frontend) -> io::Result<Next> {
        let over = self.turn() == Turn::Over;
        let legal = if over { Vec::new() } else { self.live.legal_moves() };
        let command = user_commands::read(line, |text| {
            legal.iter().any(|mv| mv.to_lowercase().starts_with(&text.to_lowercase()))
        });
        match command {
            UserCommand::Nothing => {}
            UserCommand::Move(_) if over => {
                front.say("The game is over: `undo` takes a move back, `new` starts another.")?;
            }
            UserCommand::Move(text) => match self.live.play(&text) {
                Ok(_) => return Ok(Next::Go),
                Err(message) => front.refuse(&message)?,
            },
            UserCommand::Moves if over => front.say("The game is over, no move is legal.")?,
            UserCommand::Moves => front.say(&greeting::moves(&legal))?,
            UserCommand::Hint(_) if over => front.say("The game is over.")?,
            UserCommand::Hint(text) => self.advise(text.as_deref(), front)?,
            UserCommand::Undo if self.given_up.take().is_some() => return Ok(Next::Go),
            UserCommand::Undo => match self.live.undo() {
                0 => front.say("You have no move to take back.")?,
                moves => {
                    let are = if moves == 1 { "is" } else { "are" };
                    let moves = counted(moves as u64, "move");
                    front.say(&format!("{moves} {are} taken back."))?;
                    return Ok(Next::Go);
                }
            },
            UserCommand::Board => return Ok(Next::Go),
            UserCommand::New(new) => return Ok(Next::End(Ended::New(new))),
            UserCommand::Save(save) => front.say(&self.save(&save))?,
            UserCommand::Resign if over => front.say("The game is over already.")?,
            UserCommand::Resign => {
                let loser = match self.live.turn() {
                    Turn::Player(player) if self.two_people => player,
                    _ => self.greeting.you,
                };
                let winner = loser.other();
                let (loses, wins) = (loser.name(), winner.name());
                let sentence = format!("The {loses} player resigns: the {wins} player wins.");
                let reason = "resignation".to_owned();
                return self.give_up(GivenUp { winner, reason, sentence }, front);
            }
            UserCommand::Help => front.say(user_commands::HELP)?,
            UserCommand::Quit => return Ok(Next::End(Ended::Left)),
        }
        Ok(Next::Ask)
    }

    fn advise(&mut self, text: Option<&str>, front: &mut dyn Frontend) -> io::Result<()> {
        let named = match text {
            None => None,
            Some(text) => {
                match config::parse_agent_spec(text, "hint", &self.any_game, self.registry) {
                    Ok(spec) => Some(spec),
                    Err(error) => return front.say(&error.render(true)),
                }
            }
        };
        front.wait_for_agent(self)?;
        // The named agent, or else the first one that gives a value to every move.
        let asked = named.as_ref().map_or(&self.advisers[..], std::slice::from_ref);
        let mut problem = "there is no agent to ask: name one, as in `hint random`".to_owned();
        let mut best: Option<(&str, Advice)> = None;
        for spec in asked {
            let side = self.registry.requirements(spec).side;
            let side = side.map(|(_, side)| Turn::Player(side));
            if side.is_some_and(|side| side != self.live.turn()) {
                problem = format!("`{}` plays the other side only", spec.kind);
                continue;
            }
            match self.live.hint(spec) {
                Ok(advice) => {
                    let has_values = !advice.values.is_empty();
                    best = Some((&spec.kind, advice));
                    if has_values {
                        break;
                    }
                }
                Err(message) => problem = message,
            }
        }
        match best {
            Some((name, advice)) => front.advise(name, &advice),
            None => front.say(&problem),
        }
    }

    /// The game as a position and as an opening line.
    fn saved(&self) -> String {
        let position = format!("position  {}", self.live.position());
        match self.live.line() {
            Some(line) if !line.is_empty() => format!("{position}\nline      {line}"),
            _ => position,
        }
    }

    fn save(&self, save: &Save) -> String {
        let (file, line) = match save {
            Save::Show => return self.saved(),
            Save::Position(file) => (file, None),
            Save::Line(file) => (file, self.live.line().filter(|line| !line.is_empty())),
        };
        let text = line.unwrap_or_else(|| self.live.position());
        let opened = OpenOptions::new().create(true).append(true).open(file);
        match opened.and_then(|mut opened| writeln!(opened, "{text}")) {
            Ok(()) => format!("{text}\nis now the last line of {file}."),
            Err(error) => format!("{file} cannot be written: {error}"),
        }
    }
}
