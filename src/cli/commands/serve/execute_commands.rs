//! Executes the commands of a host in order: set up, search, answer.

use std::io;
use std::time::Instant;

use super::info_lines::InfoLine;
use super::output_of_both_threads::HostOutput;
use super::search_limits::search_limits;
use super::session_options::{Effect, SessionOptions, shortened};
use crate::config::ConfigError;
use crate::engine::{GoCommand, UGI, UciCommand, UciReply, Words};
use crate::games::{Player, Turn};
use crate::play::TextSession;

/// The error if the options do not work together.
const NO_GAME: &str = "there is no game: the options do not work together";

/// The thread that searches.
pub struct ServeWorker {
    options: SessionOptions,
    /// `None` if the options do not work together.
    session: Option<TextSession>,
    /// Whether the options have changed since the session was opened.
    stale: bool,
    words: Words,
    host: HostOutput,
}

/// The work also ends if an agent panics.
impl Drop for ServeWorker {
    fn drop(&mut self) {
        self.host.end_work();
    }
}

impl ServeWorker {
    pub fn open(options: SessionOptions, host: HostOutput) -> Result<Self, ConfigError> {
        let session = Some(options.open()?);
        Ok(ServeWorker { options, session, stale: false, words: UGI, host })
    }

    pub fn execute(&mut self, command: UciCommand) -> io::Result<()> {
        match command {
            UciCommand::Greeting(words) => self.greet(words),
            UciCommand::IsReady => {
                if let Some(session) = self.session()? {
                    session.prepare();
                }
                self.host.say(UciReply::ReadyOk)
            }
            UciCommand::NewGame(_) => {
                self.options.next_game();
                self.session()?;
                if let Some(session) = &mut self.session {
                    session.new_game();
                    self.options.begin_streams(session);
                }
                Ok(())
            }
            UciCommand::SetOption { name, value } => self.set(&name, &value.unwrap_or_default()),
            UciCommand::Position { from, moves } => {
                let played = match self.session()? {
                    Some(session) => session.set_up(from.as_deref(), &moves),
                    None => Err(NO_GAME.to_owned()),
                };
                played.or_else(|why| self.host.info_string(&why))
            }
            UciCommand::Go(go) => self.search(&go),
            UciCommand::Query(what) => self.respond(&what),
            UciCommand::Display => match self.session()?.and_then(|session| session.shown()) {
                Some((position, drawing)) => {
                    drawing.lines().try_for_each(|line| self.host.info_string(line))?;
                    self.host.info_string(&format!("position {position}"))
                }
                None => self.host.info_string("there is no position"),
            },
            UciCommand::Unknown(why) => self.host.info_string(&why),
            UciCommand::Nothing | UciCommand::Illegal(_) | UciCommand::Stop | UciCommand::Quit => {
                Ok(())
            }
        }
    }

    fn greet(&mut self, words: Words) -> io::Result<()> {
        self.words = words;
        self.host.say(UciReply::Name(&self.options.name()))?;
        self.host.say(UciReply::Author("the authors of agon"))?;
        self.options.list().into_iter().try_for_each(|option| self.host.say(option))?;
        self.host.say(UciReply::Greeted(words))
    }

    fn set(&mut self, name: &str, value: &str) -> io::Result<()> {
        match self.options.set(name, value) {
            Ok(Effect::Session) => self.stale = true,
            Ok(Effect::Streams) => {
                if let Some(session) = &mut self.session {
                    self.options.begin_streams(session);
                }
            }
            Ok(Effect::None) => {}
            Err(why) => self.host.info_string(&why)?,
        }
        Ok(())
    }

    /// The session of the current options. Sends an error if there is none.
    fn session(&mut self) -> io::Result<Option<&mut TextSession>> {
        if self.stale {
            self.stale = false;
            self.session = match self.options.open() {
                Ok(session) => Some(session),
                Err(error) => {
                    error.short().lines().try_for_each(|line| self.host.info_string(line))?;
                    None
                }
            };
        }
        Ok(self.session.as_mut())
    }

    fn respond(&mut self, what: &str) -> io::Result<()> {
        let session = self.session()?.map(|session| &*session);
        let turn = session.and_then(TextSession::turn);
        let winner = session.and_then(TextSession::winner);
        let moves = || session.map(TextSession::moves).unwrap_or_default().join(" ");
        let word = match (what, turn) {
            ("p1turn", _) => (turn == Some(Turn::Player(Player::First))).to_string(),
            ("gameover", _) => (turn == Some(Turn::Over)).to_string(),
            ("result", Some(Turn::Over)) => match winner {
                Some(Player::First) => "p1win",
                Some(Player::Second) => "p2win",
                None => "draw",
            }
            .to_owned(),
            ("moves", Some(Turn::Player(_))) => moves(),
            ("position", Some(_)) => session.and_then(TextSession::facts).unwrap_or_default(),
            ("result" | "moves" | "position", _) => "none".to_owned(),
            _ => return self.host.info_string(&format!("unknown query `{}`", shortened(what))),
        };
        self.host.say(UciReply::Response(&word))
    }

    fn search(&mut self, go: &GoCommand) -> io::Result<()> {
        if !go.ignored.is_empty() {
            let ignored = shortened(&go.ignored.join(" "));
            self.host.info_string(&format!("ignored `{ignored}`"))?;
        }
        self.options.note_request();
        self.host.begin();
        let (overhead, details) = (self.options.overhead, self.options.details);
        let (stop, words) = (self.host.stop(), self.words);
        let answer = match self.session()? {
            Some(session) => {
                let player = match session.turn() {
                    Some(Turn::Player(player)) => Some(player),
                    _ => None,
                };
                let limits = search_limits(go, player, overhead);
                let begin = Instant::now();
                let choice = session.choose(limits.as_ref(), stop);
                let (time, scored) = (begin.elapsed(), session.has_numeric_score());
                let results = session.reports_results();
                let line = InfoLine { time, words, scored, results, details };
                choice.map(|choice| (choice, line))
            }
            None => Err(NO_GAME.to_owned()),
        };
        if go.infinite {
            self.host.wait_for_stop();
        }
        match answer {
            Ok((choice, line)) => {
                let mut lines = line.info(&choice);
                if details {
                    lines.push_str(&line.details(&choice));
                }
                lines.push_str(&UciReply::BestMove(&choice.text).to_string());
                self.host.answer(lines)
            }
            Err(why) => {
                self.host.info_string(&why)?;
                self.host.answer(UciReply::BestMove("(none)"))
            }
        }
    }
}
