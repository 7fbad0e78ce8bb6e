//! UCI, and UGI, its version for any game. UGI uses `ugi` in place of `uci`, and numbers in place
//! of colours for the players. Unexpected lines are ignored, and so are answers to earlier
//! questions.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::connection::{Connection, Line};
use super::engine_error::{EngineError, EngineErrorKind};
use super::engine_logs_and_start_permits::EngineContext;
use super::engine_options::{EngineOption, OptionType, check_option};
use super::protocol_trait::{
    EngineAnswer, EngineSeed, EngineSettings, Exchange, MoveLimits, Protocol, Question, Setting,
};
use super::transcript::shorten;
use super::uci_info_lines::{Details, EngineScore};

use crate::games::{UCI_VARIANT, UciOption};

/// The words that differ between UCI and UGI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The greeting. The engine's answer and the command for a new game begin with this word.
    pub hello: &'static str,
    /// Prefixes of the clock commands for the first and the second player.
    pub players: [&'static str; 2],
}

/// The words of UCI, in which the first player is white.
pub const UCI: Words = Words { hello: "uci", players: ["w", "b"] };

/// The words of UGI.
pub const UGI: Words = Words { hello: "ugi", players: ["p1", "p2"] };

/// A conversation in UCI or UGI.
#[derive(Debug)]
pub struct Uci {
    words: Words,
    options: Vec<EngineOption>,
    /// The source of random numbers in this game, if it was sent.
    sent_seed: Option<EngineSeed>,
    /// Whether the engine plays a game other than chess, whose positions are not FEN.
    is_variant: bool,
    /// The number of `isready` commands without a `readyok` yet.
    pending_ready: u32,
}

impl Uci {
    /// A conversation before the greeting.
    pub fn new(words: Words) -> Self {
        Uci { words, options: Vec::new(), sent_seed: None, is_variant: false, pending_ready: 0 }
    }

    /// The options that the engine has advertised.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Sends `isready` and waits for the answer.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    pub fn is_ready(
        &mut self,
        link: &mut Connection,
        deadline: Instant,
    ) -> Result<(), EngineError> {
        self.pending_ready += 1;
        link.send(b"isready\n")?;
        self.await_ready(link, deadline)
    }

    /// Waits for the last outstanding `readyok`.
    fn await_ready(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        let owed = &mut self.pending_ready;
        let ready = |line: &str| (is_earlier(owed, line) && *owed == 0).then_some(()).into();
        let greeting = format!("`{}ok`", self.words.hello);
        let late = |error: EngineError| error.after_greeting(&greeting, "`isready` with `readyok`");
        link.listen(deadline, ready).map(drop).map_err(late)
    }

    /// Asks a UGI engine about the last position: `p1turn`, `gameover` or `result`. Returns the
    /// word of the answer.
    ///
    /// # Errors
    /// An engine that does not answer in time or ends.
    pub fn query(
        &mut self,
        link: &mut Connection,
        what: &str,
        deadline: Instant,
    ) -> Result<String, EngineError> {
        link.send(format!("query {what}\n").as_bytes())?;
        let response = |line: &str| {
            let mut words = line.split_ascii_whitespace();
            let is_response = words.next() == Some("response");
            is_response.then(|| words.next().unwrap_or_default().to_owned()).into()
        };
        link.listen(deadline, response).map(|(_, word)| word)
    }

    /// The settings that select the game, if the engine supports the game. An engine without the
    /// option `Game` is treated as an engine for this game only.
    fn game(&self, engine_context: &EngineContext) -> Result<Vec<Setting>, EngineError> {
        if let Some(UciOption { name, value, help }) = engine_context.facts.uci_option
            && self.words == UCI
        {
            if !self.has(name) {
                let game = &engine_context.game;
                let detail = format!("the engine has no option `{name}`, which this {game} needs");
                return Err(EngineError::refused(detail, help.to_owned()));
            }
            // Some engines ignore a value that they do not know, and play chess.
            let (_, value) = check_option(&self.options, name, value)?;
            return Ok(vec![(name.to_owned(), value.to_owned())]);
        }
        if self.words != UGI || engine_context.game.is_empty() {
            return Ok(Vec::new());
        }
        let has = |name: &str| self.options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
        let mut settings = Vec::new();
        if let Some(option) = has("Game") {
            if let OptionType::Combo(games) = &option.ty
                && !games.contains(&engine_context.game)
            {
                let detail = format!("the engine does not play {}", engine_context.game);
                let help = format!("it plays {}", games.join(", "));
                return Err(EngineError::refused(detail, help));
            }
            settings.push((option.name.clone(), engine_context.game.clone()));
        }
        if let Some(option) = has("Params").filter(|_| !engine_context.params.is_empty()) {
            settings.push((option.name.clone(), engine_context.params.clone()));
        }
        Ok(settings)
    }

    /// Whether the engine has this option.
    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether the engine takes its random numbers from agon.
    fn supports_seed(&self) -> bool {
        self.has("Seed") && self.has("GameNumber")
    }

    /// Sends the source of random numbers to an engine that supports it.
    fn write_seed(&self, seed: Option<EngineSeed>, out: &mut String) {
        let Some(EngineSeed { seed, game }) = seed.filter(|_| self.supports_seed()) else { return };
        out.push_str("setoption name Seed value ");
        for byte in seed {
            let _ = write!(out, "{byte:02x}");
        }
        let _ = writeln!(out, "\nsetoption name GameNumber value {game}");
    }

    fn settings(
        &self,
        EngineSettings { engine_context, settings }: EngineSettings<'_>,
    ) -> Result<String, EngineError> {
        let mut lines = String::new();
        let mut set = |name: &str, value: Option<&str>| {
            let _ = match value {
                Some(value) => writeln!(lines, "setoption name {name} value {value}"),
                None => writeln!(lines, "setoption name {name}"),
            };
        };
        let game = self.game(engine_context)?;
        for (name, value) in &game {
            set(name, Some(value));
        }
        if self.supports_seed() && self.has("Details") {
            set("Details", Some("true"));
        }
        for (name, value) in settings {
            let (option, value) = check_option(&self.options, name, value)?;
            let needed =
                engine_context.facts.uci_option.filter(|needed| needed.name == option.name);
            if let Some(needed) = needed.filter(|needed| needed.value != value) {
                let detail = format!("the option `{name}` cannot be `{value}` in this game");
                let help = format!("it needs `{}`; agon sets it", needed.value);
                return Err(EngineError { kind: EngineErrorKind::Option, detail, help });
            }
            match option.ty {
                OptionType::Button if value == "false" => {}
                OptionType::Button => set(&option.name, None),
                _ => set(&option.name, Some(value)),
            }
        }
        Ok(lines)
    }

    /// Writes the position, `isready` and the `go` command; they are sent together.
    fn write_question(&self, question: &Question<'_>, out: &mut String) {
        self.write_position(question, out);
        out.push_str("isready\n");
        self.write_go(question, out);
    }

    fn write_position(&self, question: &Question<'_>, out: &mut String) {
        match question.position {
            None => out.push_str("position startpos"),
            Some(position) => {
                out.push_str("position fen ");
                out.push_str(position);
            }
        }
        let mut lead = " moves ";
        for moves in [question.opening, question.moves] {
            if !moves.is_empty() {
                out.push_str(lead);
                out.push_str(moves);
                lead = " ";
            }
        }
        out.push('\n');
    }

    fn write_go(&self, question: &Question<'_>, out: &mut String) {
        out.push_str("go");
        let MoveLimits { clocks, movetime, nodes, depth } = &question.limits;
        let mut say = |player: &str, word: &str, number: u128| {
            let _ = write!(out, " {player}{word} {number}");
        };
        let players = self.words.players;
        // Whole milliseconds, at least 1: a running clock never shows 0.
        let ms = |time: Duration| time.as_millis().max(1);
        if let Some(own) = &clocks[question.player.index()] {
            for (seat, clock) in clocks.iter().enumerate() {
                // For an opponent without a clock, the engine's own time is sent.
                say(players[seat], "time", ms(clock.as_ref().unwrap_or(own).left));
            }
            let increments = clocks.map(|clock| clock.unwrap_or(*own).control.increment);
            if increments.iter().any(|increment| !increment.is_zero()) {
                for (seat, increment) in increments.iter().enumerate() {
                    say(players[seat], "inc", increment.as_millis());
                }
            }
            if let Some(moves) = own.moves_to_go {
                say("", "movestogo", moves.into());
            }
        }
        if let Some(movetime) = movetime {
            say("", "movetime", ms(*movetime));
        }
        if let Some(nodes) = nodes {
            say("", "nodes", (*nodes).into());
        }
        if let Some(depth) = depth {
            say("", "depth", (*depth).into());
        }
        out.push('\n');
    }
}

/// Whether a line belongs to an earlier command: it came before the last outstanding `readyok`, or
/// is that `readyok`.
fn is_earlier(owed: &mut u32, line: &str) -> bool {
    let owes = *owed > 0;
    if line == "readyok" {
        *owed = owed.saturating_sub(1);
    }
    owes
}

/// The text after the first word of a line and the white space after it, if the line begins with
/// this word.
fn after_word<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let rest = line.strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace()))
        .then(|| rest.trim_ascii_start())
}

/// The move of a line `bestmove MOVE …`; empty if the line has no move.
fn best_move(line: &str) -> Option<&str> {
    Some(after_word(line, "bestmove")?.split_ascii_whitespace().next().unwrap_or_default())
}

impl Protocol for Uci {
    fn open(
        &mut self,
        link: &mut Connection,
        terms: EngineSettings<'_>,
        by: Instant,
    ) -> Result<(), EngineError> {
        let hello = self.words.hello;
        link.send(format!("{hello}\n").as_bytes())?;
        self.options.clear();
        let mut name = None;
        link.listen(by, |line| {
            if let Some(line) = after_word(line, "option") {
                self.options.extend(EngineOption::read(line));
                return Line::Part;
            }
            if let Some(text) = after_word(line, "id").and_then(|line| after_word(line, "name"))
                && name.is_none()
            {
                name = Some(shorten(text.trim()));
            }
            (line.strip_prefix(hello) == Some("ok")).then_some(()).into()
        })?;
        link.announced_name = name;
        let needed = terms.engine_context.facts.uci_option;
        self.is_variant = self.words == UCI && needed.is_some_and(|it| it.name == UCI_VARIANT);
        let settings = self.settings(terms)?;
        link.send(settings.as_bytes())?;
        self.is_ready(link, by)
    }

    fn announce_game(&mut self, link: &mut Connection) -> Result<(), EngineError> {
        self.sent_seed = None;
        self.pending_ready += 1;
        link.send(format!("{}newgame\nisready\n", self.words.hello).as_bytes())
    }

    fn new_game(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        self.await_ready(link, deadline)
    }

    fn ask(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        to: &mut EngineAnswer,
    ) -> Exchange {
        to.clear();
        let sent = std::mem::replace(&mut self.sent_seed, what.seed);
        let mut owed = self.pending_ready + 1;
        let write = |out: &mut String| {
            if self.is_variant && what.position.is_some() {
                let detail = "agon cannot send positions of this game by UCI";
                let help = "use openings by moves: `kind = \"random\"`";
                return Err(EngineError::refused(detail, help));
            }
            if what.seed != sent {
                self.write_seed(what.seed, out);
            }
            self.write_question(what, out);
            Ok(())
        };
        let asked = link.ask(what.budget, write, |line| {
            if is_earlier(&mut owed, line) {
                return Line::Other;
            }
            if let Some(info) = after_word(line, "info") {
                to.info.read(info);
                let text = after_word(info, "string");
                if let Some(details) = text.and_then(|text| after_word(text, "details")) {
                    to.details = Details::read(details);
                }
                return Line::Other;
            }
            let mv = best_move(line);
            to.text.extend(mv);
            mv.map(drop).into()
        });
        self.pending_ready = owed;
        to.time = asked.map_err(|mut trouble| {
            if trouble.kind == EngineErrorKind::Late && owed > 0 {
                trouble.detail.push_str(", not even `readyok`");
            }
            trouble
        })?;
        if self.words == UGI
            && let Some(EngineScore::Mate(plies)) = to.info.score
        {
            to.info.score = Some(EngineScore::MateInPlies(plies));
        }
        Ok(())
    }

    fn stop(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        link.send(b"stop\n")?;
        let answer = |line: &str| {
            let is_earlier = is_earlier(&mut self.pending_ready, line);
            best_move(line).filter(|_| !is_earlier).map(drop).into()
        };
        link.listen(deadline, answer).map(drop)
    }

    fn reproducer(&self, terms: EngineSettings<'_>, question: &Question<'_>) -> String {
        let hello = self.words.hello;
        let mut out = format!("{hello}\n");
        out.push_str(&self.settings(terms).unwrap_or_default());
        let _ = writeln!(out, "{hello}newgame\nisready");
        self.write_seed(question.seed, &mut out);
        self.write_question(question, &mut out);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::time_control::{Clock, TimeControl};
    use super::*;
    use crate::games::Player;

    fn question<'a>(position: Option<&'a str>, opening: &'a str, moves: &'a str) -> Question<'a> {
        let (player, go, budget) = (Player::Second, MoveLimits::default(), Duration::ZERO);
        Question { position, opening, moves, player, limits: go, seed: None, budget }
    }

    fn asked(words: Words, question: &Question<'_>) -> String {
        let mut out = String::new();
        Uci::new(words).write_question(question, &mut out);
        out
    }

    #[test]
    fn positions_are_sent_as_moves_where_they_are_known() {
        let nodes = MoveLimits { nodes: Some(7), ..MoveLimits::default() };
        let written = |position, opening, moves| {
            let question = Question { limits: nodes, ..question(position, opening, moves) };
            let written = asked(UGI, &question);
            written.strip_suffix("\nisready\ngo nodes 7\n").expect("the order to think").to_owned()
        };
        assert_eq!(written(None, "", ""), "position startpos");
        assert_eq!(written(None, "a b", "c"), "position startpos moves a b c");
        assert_eq!(written(None, "", "c d"), "position startpos moves c d");
        assert_eq!(written(None, "a", ""), "position startpos moves a");
        assert_eq!(written(Some("x/y w"), "", "c"), "position fen x/y w moves c");
    }

    #[test]
    fn clocks_are_sent_for_both_sides() {
        let clock = |text| Some(Clock::new(TimeControl::parse(text).expect("a control")));
        let written = |words, first, second| {
            let go = MoveLimits { clocks: [first, second], ..MoveLimits::default() };
            asked(words, &Question { limits: go, ..question(None, "", "") })
                .lines()
                .nth(2)
                .map(str::to_owned)
        };
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(
            written(UCI, clock("8+0.08"), clock("40/60")),
            is("go wtime 8000 btime 60000 winc 80 binc 0 movestogo 40")
        );
        assert_eq!(written(UGI, None, clock("5")), is("go p1time 5000 p2time 5000"));
        assert_eq!(written(UGI, clock("5"), None), is("go"));
    }

    #[test]
    fn moves_are_found_in_what_engines_write() {
        assert_eq!(best_move("bestmove e2e4 ponder e7e5"), Some("e2e4"));
        assert_eq!(best_move("bestmove\t(none)"), Some("(none)"));
        assert_eq!(best_move("bestmove"), Some(""));
        assert_eq!(best_move("bestmoves e2e4"), None);
        assert_eq!(best_move("info string bestmove e2e4"), None);
    }
}
