//! The browser as a front end: a page on the loopback address shows the game and sends lines.
//!
//! The game loop puts each change into the view, and the page asks for the view that comes after
//! its own. A click is a line, as a person would type it in the terminal.

mod http_server;
mod winning_line;

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::game_loop::{Frontend, GameLoop};
use super::greeting;
use super::user_commands::{self, NewGame, Save, UserCommand};
use crate::cli::failure::Failure;
use crate::games::picture_for_html::Body;
use crate::games::{Player, Turn};
use crate::play::{Advice, Outcome, short_number};
use crate::report::html::{BOARD_STYLE, live_board};
use crate::report::pgn_of_moves;
use crate::util::locks::lock;
use http_server::{Request, Response, Server};
use winning_line::winning_line;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// How long a request waits for a change. The page then asks again.
const WAIT: Duration = Duration::from_secs(20);

/// The maximum number of lines of text that the page keeps.
const LINES: usize = 60;

/// All that the page shows.
#[derive(Default, Serialize)]
struct View {
    /// Counts the changes.
    version: u64,
    /// The game and the side of the person, such as `Chess, you are White`.
    title: String,
    game: String,
    /// What people call the sides.
    sides: [String; 2],
    /// The players by seat.
    players: [String; 2],
    /// Whether the loop waits for a line.
    ready: bool,
    thinking: bool,
    /// Who acts: 1, 2, or 0 if no player does.
    turn: u8,
    /// The result, if the game is over.
    result: Option<String>,
    /// The position as an SVG, or else as text.
    svg: Option<String>,
    text: Option<String>,
    captions: Vec<String>,
    /// The legal moves, with the cells to click in each possible order.
    moves: Vec<(String, Vec<Vec<usize>>)>,
    /// The moves so far, with the player: 1, 2, or 0 for chance.
    played: Vec<(u8, String)>,
    /// The lines since the last line of a person.
    said: Vec<String>,
    hint: Option<Hint>,
    record: Record,
}

/// The game so far as a file.
#[derive(Default, Serialize)]
struct Record {
    file: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Hint {
    agent: String,
    best: String,
    effort: String,
    /// The moves with their values in words.
    values: Vec<(String, String)>,
}

/// The view, and the line that the page has sent.
#[derive(Default)]
struct Room {
    view: View,
    line: Option<String>,
}

#[derive(Default)]
struct Shared {
    room: Mutex<Room>,
    changed: Condvar,
}

impl Shared {
    fn room(&self) -> MutexGuard<'_, Room> {
        lock(&self.room)
    }

    fn change(&self, change: impl FnOnce(&mut View)) {
        let mut room = self.room();
        change(&mut room.view);
        room.view.version += 1;
        self.changed.notify_all();
    }

    fn wait_while<'a>(
        &self,
        room: MutexGuard<'a, Room>,
        condition: &dyn Fn(&Room) -> bool,
    ) -> MutexGuard<'a, Room> {
        let waited = self.changed.wait_timeout_while(room, WAIT, |room| condition(room));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn answer(&self, request: &Request) -> Response {
        match (request.is_post, request.path.as_str()) {
            (false, "") => Response::of("text/html", PAGE),
            (false, "page.css") => Response::of("text/css", format!("{BOARD_STYLE}{STYLE}")),
            (false, "page.js") => Response::of("text/javascript", SCRIPT),
            (false, "view") => {
                let known = request.query.strip_prefix("after=").and_then(|n| n.parse().ok());
                let waits = |room: &Room| Some(room.view.version) == known;
                json(&self.wait_while(self.room(), &waits).view)
            }
            (true, "line") => match allowed(&request.body) {
                Ok(line) => self.take(line),
                Err(sentence) => Response::refuse(422, sentence),
            },
            _ => Response::refuse(404, "There is no such page."),
        }
    }

    /// Gives a line to the loop. Answers when an agent thinks about it, or when it is done. A line
    /// that comes before the first question waits for it.
    fn take(&self, line: String) -> Response {
        let is_busy = |room: &Room| !room.view.ready && !room.view.thinking;
        let mut room = self.wait_while(self.room(), &is_busy);
        if !room.view.ready {
            return Response::refuse(409, "The agent is thinking: wait for its move.");
        }
        room.view.ready = false;
        room.line = Some(line);
        self.changed.notify_all();
        json(&self.wait_while(room, &is_busy).view)
    }
}

fn json(view: &View) -> Response {
    Response::of("application/json", serde_json::to_string(view).unwrap_or_default())
}

/// A line that the page may send: no files, no programs.
fn allowed(line: &str) -> Result<String, &'static str> {
    let is_plain =
        |opponent: &str| opponent == user_commands::HUMAN || opponent.parse::<u8>().is_ok();
    match user_commands::read(line, |_| false) {
        UserCommand::Save(Save::Line(_) | Save::Position(_)) => {
            Err("The page cannot write files: use `save` in the terminal.")
        }
        UserCommand::New(NewGame { opponent: Some(text), .. }) if !is_plain(&text) => {
            Err("The page knows the levels 1 to 10 and `human` as opponents.")
        }
        UserCommand::Hint(Some(_)) => Err("The page asks its own agents for hints."),
        UserCommand::Quit => Err("Ctrl-C in the terminal ends the program."),
        _ if line.contains(['\n', '\r']) => Err("One line at a time."),
        _ => Ok(line.to_owned()),
    }
}

/// The reason of games that end with a row of pieces.
const LINE: &str = "line";

/// The result for the person, if the game is over, such as `You lose: four in a row`. `length` is
/// that of the row that ended the game.
fn result(table: &GameLoop<'_>, length: usize) -> Option<String> {
    let (winner, why, points) = match (&table.given_up, table.live.end()) {
        (Some(given_up), _) => (Some(given_up.winner), given_up.reason.clone(), None),
        (None, Some(end)) => {
            let winner = match end.outcome {
                Outcome::First => Some(Player::First),
                Outcome::Second => Some(Player::Second),
                Outcome::Draw | Outcome::Void => None,
            };
            let why = match (end.reason, length) {
                (LINE, 2..=10) => format!("{} in a row", NUMBERS[length - 2]),
                (LINE, 11..) => format!("{length} in a row"),
                (reason, _) => reason.to_owned(),
            };
            (winner, why, table.live.has_numeric_score().then_some(end.payoff))
        }
        (None, None) => return None,
    };
    let who = match winner {
        None => "A draw".to_owned(),
        Some(winner) if table.two_people => format!("{} wins", table.names.sides[winner.index()]),
        Some(winner) if winner == table.greeting.you => "You win".to_owned(),
        Some(_) => "You lose".to_owned(),
    };
    let score = points
        .map_or(String::new(), |points| format!(" with {} points", short_number(points.into())));
    Some(format!("{who}{score}: {why}"))
}

/// The numbers from two to ten.
const NUMBERS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// The game so far: PGN if the game has it, otherwise its moves.
fn record(table: &GameLoop<'_>) -> Record {
    let moves = table.live.moves_played().into_iter().map(|(_, text)| text);
    let opening = table.opening.as_deref().unwrap_or_default();
    let Some(Ok(mut transcript)) = table.any_game.transcribe(opening, "") else {
        let moves: Vec<String> = moves.collect();
        let start = table.opening.iter().map(|opening| format!("position {opening}\n"));
        let text = start.collect::<String>() + &moves.join("\n") + "\n";
        return Record { file: "moves.txt", text };
    };
    transcript.moves.extend(moves);
    let you = table.greeting.you;
    let players = [Player::First, Player::Second].map(|player| match &table.greeting.opponent {
        Some(opponent) if player != you => opponent.as_str(),
        _ => "a person",
    });
    let (outcome, reason) = match (&table.given_up, table.live.end()) {
        (Some(given_up), _) if given_up.winner == Player::First => {
            (Outcome::First, given_up.reason.as_str())
        }
        (Some(given_up), _) => (Outcome::Second, given_up.reason.as_str()),
        (None, Some(end)) => (end.outcome, end.reason),
        (None, None) => (Outcome::Void, "unfinished"),
    };
    Record { file: "game.pgn", text: pgn_of_moves(players, &transcript, outcome, reason) }
}

/// The front end of the game loop.
pub struct Web {
    shared: Arc<Shared>,
    address: String,
    out: Box<dyn Write>,
}

impl Web {
    /// Serves the page; port 0 is a free port.
    ///
    /// # Errors
    /// A port that cannot be used.
    pub fn listen(port: u16, out: Box<dyn Write>) -> Result<Web, Failure> {
        let server = Server::listen(port)?;
        let shared = Arc::new(Shared::default());
        let address = server.address.clone();
        let answering = Arc::clone(&shared);
        server.serve(move |request| answering.answer(request));
        Ok(Web { shared, address, out })
    }

    /// Shows the position, with the legal moves if a person decides.
    fn put(&mut self, table: &GameLoop<'_>, thinking: bool) {
        let (live, turn) = (&table.live, table.turn());
        let picture = live.picture();
        let moves: Vec<(String, Vec<Vec<usize>>)> = match turn {
            Turn::Player(player) if !live.is_agent(player) => {
                live.choices().into_iter().map(|choice| (choice.text, choice.clicks)).collect()
            }
            _ => Vec::new(),
        };
        let mut clicked: Vec<usize> = Vec::new();
        moves.iter().for_each(|(_, orders)| clicked.extend(orders.concat()));
        clicked.sort_by_key(|cell| *cell);
        clicked.dedup();
        let before = live.before_last_move().map(|(_, picture)| picture);
        let lines = match (&picture.body, before.as_ref().map(|before| &before.body), live.end()) {
            (Body::Board(now), Some(Body::Board(before)), Some(end)) if end.reason == LINE => {
                winning_line(before, now, live.exact_line())
            }
            _ => Vec::new(),
        };
        let svg = live_board(&picture, before.as_ref(), &clicked, &lines.concat());
        let (result, record) = (result(table, lines.first().map_or(0, Vec::len)), record(table));
        let text = match &picture.body {
            Body::Text(text) => Some(text.clone()),
            _ => None,
        };
        let number = |player: Option<Player>| player.map_or(0, |player| player.index() as u8 + 1);
        let played = live.moves_played().into_iter().map(|(by, text)| (number(by), text)).collect();
        self.shared.change(|view| {
            view.thinking = thinking;
            view.turn = match turn {
                Turn::Player(player) => number(Some(player)),
                _ => 0,
            };
            (view.result, view.record) = (result, record);
            (view.svg, view.text, view.captions) = (svg, text, picture.captions);
            (view.moves, view.played) = (moves, played);
        });
    }
}

impl Frontend for Web {
    fn begin(&mut self, table: &GameLoop<'_>) -> io::Result<()> {
        let greeting = &table.greeting;
        if !self.address.is_empty() {
            let address = std::mem::take(&mut self.address);
            writeln!(
                self.out,
                "{}\nOpen this address in a browser on this computer. Ctrl-C ends the \
                 program.\n\n  {address}\n",
                greeting.lines()[0]
            )?;
            self.out.flush()?;
        }
        let players = [Player::First, Player::Second].map(|player| match &greeting.opponent {
            None => "a person".to_owned(),
            Some(_) if player == greeting.you => "you".to_owned(),
            Some(opponent) => opponent.clone(),
        });
        let game = greeting.lines()[0].clone();
        let (name, sides) = (&table.names.game, table.names.sides.clone());
        let title = match &greeting.opponent {
            None => format!("{name}, two people"),
            Some(_) => format!("{name}, you are {}", sides[greeting.you.index()]),
        };
        self.shared.change(|view| {
            *view = View { version: view.version, title, game, sides, players, ..View::default() };
        });
        Ok(())
    }

    fn show(&mut self, table: &GameLoop<'_>) -> io::Result<()> {
        self.put(table, false);
        Ok(())
    }

    fn wait_for_agent(&mut self, table: &GameLoop<'_>) -> io::Result<()> {
        self.put(table, true);
        Ok(())
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        let text = anstream::adapter::strip_str(text).to_string();
        self.shared.change(|view| {
            view.said.extend(text.trim_end().lines().map(str::to_owned));
            let more = view.said.len().saturating_sub(LINES);
            view.said.drain(..more);
        });
        Ok(())
    }

    fn refuse(&mut self, message: &str) -> io::Result<()> {
        self.say(message)
    }

    fn advise(&mut self, name: &str, advice: &Advice) -> io::Result<()> {
        let hint = Hint {
            agent: name.to_owned(),
            best: advice.answer.text.clone(),
            effort: greeting::effort(&advice.answer),
            values: advice
                .values
                .iter()
                .map(|(text, value)| (text.clone(), greeting::value(*value)))
                .collect(),
        };
        self.shared.change(|view| view.hint = Some(hint));
        Ok(())
    }

    /// Waits for a line of the page.
    fn ask(&mut self, _: &str) -> io::Result<Option<String>> {
        self.shared.change(|view| (view.ready, view.thinking) = (true, false));
        let mut room = self.shared.room();
        let line = loop {
            if let Some(line) = room.line.take() {
                break line;
            }
            room = self.shared.wait_while(room, &|room| room.line.is_none());
        };
        // The answer to this line replaces what was said before.
        (room.view.said, room.view.hint) = (Vec::new(), None);
        Ok(Some(line))
    }

    fn stays_open(&self) -> bool {
        true
    }
}
