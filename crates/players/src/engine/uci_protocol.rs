//! UCI, and UGI, its version for any game. UGI uses `ugi` in place of `uci`, and numbers in place
//! of colours for the players. Unexpected lines are ignored, and so are answers to earlier
//! questions.

use std::time::{Duration, Instant};

use super::connection::{Connection, Line, write_lines};
use super::conversation_log::shorten;
use super::cost_faults::CostFault;
use super::engine_context::EngineContext;
use super::engine_error::{EngineError, EngineErrorKind};
use super::messages::engine_option::{EngineOption, OptionType, check_option};
use super::messages::uci_command::{GoCommand, UCI, UGI, UciCommand, Words};
use super::messages::uci_info::{AnswerCost, EngineScore};
use super::messages::uci_reply::UciReply;
use super::protocol_trait::{
    EngineAnswer, EngineSeed, EngineSettings, MoveLimits, Protocol, Question,
};
use crate::games::{UCI_VARIANT, UciOption};

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

    /// Waits for the last outstanding `readyok`.
    fn await_ready(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        let owed = &mut self.pending_ready;
        let ready = |line: &str| {
            (is_earlier(owed, &UciReply::parse(line)) && *owed == 0).then_some(()).into()
        };
        let greeting = format!("`{}ok`", self.words.hello);
        let late = |error: EngineError| error.after_greeting(&greeting, "`isready` with `readyok`");
        link.listen(deadline, ready).map(drop).map_err(late)
    }

    /// The commands that select the game, if the engine supports the game. An engine without the
    /// option `Game` is treated as an engine for this game only.
    fn game(&self, engine_context: &EngineContext) -> Result<Vec<UciCommand>, EngineError> {
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
            return Ok(vec![set(name, value)]);
        }
        if self.words != UGI || engine_context.game.is_empty() {
            return Ok(Vec::new());
        }
        let has = |name: &str| self.options.iter().find(|o| o.name.eq_ignore_ascii_case(name));
        let mut commands = Vec::new();
        if let Some(option) = has("Game") {
            if let OptionType::Combo(games) = &option.ty
                && !games.contains(&engine_context.game)
            {
                let detail = format!("the engine does not play {}", engine_context.game);
                let help = format!("it plays {}", games.join(", "));
                return Err(EngineError::refused(detail, help));
            }
            commands.push(set(&option.name, &engine_context.game));
        }
        if let Some(option) = has("Params").filter(|_| !engine_context.params.is_empty()) {
            commands.push(set(&option.name, &engine_context.params));
        }
        Ok(commands)
    }

    /// Whether the engine has this option.
    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Whether the engine takes its random numbers from agon.
    fn supports_seed(&self) -> bool {
        self.has("Seed") && self.has("GameNumber")
    }

    /// The source of random numbers, for an engine that supports it.
    fn seed_commands(&self, seed: Option<EngineSeed>) -> Vec<UciCommand> {
        let Some(EngineSeed { seed, game }) = seed.filter(|_| self.supports_seed()) else {
            return Vec::new();
        };
        let digits: String = seed.iter().map(|byte| format!("{byte:02x}")).collect();
        vec![set("Seed", &digits), set("GameNumber", &game.to_string())]
    }

    /// The commands for the game's settings and for those of the config.
    fn option_commands(
        &self,
        EngineSettings { engine_context, options }: EngineSettings<'_>,
    ) -> Result<Vec<UciCommand>, EngineError> {
        let mut commands = self.game(engine_context)?;
        if self.supports_seed() && self.has("Details") {
            commands.push(set("Details", "true"));
        }
        for (name, value) in options {
            let (option, value) = check_option(&self.options, name, value)?;
            let needed =
                engine_context.facts.uci_option.filter(|needed| needed.name == option.name);
            if let Some(needed) = needed.filter(|needed| needed.value != value) {
                let detail = format!("the option `{name}` cannot be `{value}` in this game");
                let help = format!("it needs `{}`; agon sets it", needed.value);
                return Err(EngineError { kind: EngineErrorKind::Option, detail, help });
            }
            let value = match option.ty {
                OptionType::Button if value == "false" => continue,
                OptionType::Button => None,
                _ => Some(value.to_owned()),
            };
            commands.push(UciCommand::SetOption { name: option.name.clone(), value });
        }
        Ok(commands)
    }

    /// The position, `isready` and the `go` command; they are sent together.
    fn question(&self, question: &Question<'_>) -> [UciCommand; 3] {
        let moves = match (question.opening, question.moves) {
            (opening, "") => opening.to_owned(),
            ("", moves) => moves.to_owned(),
            (opening, moves) => format!("{opening} {moves}"),
        };
        let from = question.position.map(str::to_owned);
        let go = UciCommand::Go(self.go(question));
        [UciCommand::Position { from, moves }, UciCommand::IsReady, go]
    }

    fn go(&self, question: &Question<'_>) -> GoCommand {
        let MoveLimits { clocks, movetime, nodes, depth } = question.limits;
        // Whole milliseconds, at least 1: a running clock never shows 0.
        let ms = |time: Duration| time.as_millis().max(1) as i64;
        let mut go = GoCommand { movetime: movetime.map(ms), nodes, depth, ..GoCommand::default() };
        go.has_colours = self.words == UCI;
        if let Some(own) = clocks[question.player.index()] {
            // For an opponent without a clock, the engine's own time is sent.
            let clocks = clocks.map(|clock| clock.unwrap_or(own));
            go.time = clocks.map(|clock| Some(ms(clock.left)));
            let increments = clocks.map(|clock| clock.control.increment);
            if increments.iter().any(|increment| !increment.is_zero()) {
                go.increment = increments.map(|increment| Some(increment.as_millis() as i64));
            }
            go.moves_to_go = own.moves_to_go.map(i64::from);
        }
        go
    }
}

fn set(name: &str, value: &str) -> UciCommand {
    UciCommand::SetOption { name: name.to_owned(), value: Some(value.to_owned()) }
}

/// Whether a line belongs to an earlier command: it came before the last outstanding `readyok`, or
/// is that `readyok`.
fn is_earlier(owed: &mut u32, reply: &UciReply<'_>) -> bool {
    let owes = *owed > 0;
    if *reply == UciReply::ReadyOk {
        *owed = owed.saturating_sub(1);
    }
    owes
}

impl Protocol for Uci {
    fn open(
        &mut self,
        link: &mut Connection,
        settings: EngineSettings<'_>,
        by: Instant,
    ) -> Result<(), EngineError> {
        link.send_lines(&[UciCommand::Greeting(self.words)])?;
        self.options.clear();
        let mut name = None;
        link.listen(by, |line| match UciReply::parse(line) {
            UciReply::Option(option) => {
                self.options.push(option);
                Line::Part
            }
            UciReply::Name(text) => {
                name.get_or_insert_with(|| shorten(text.trim()));
                Line::Other
            }
            UciReply::Greeted(words) if words == self.words => Line::End(()),
            _ => Line::Other,
        })?;
        link.announced_name = name;
        let needed = settings.engine_context.facts.uci_option;
        self.is_variant = self.words == UCI && needed.is_some_and(|it| it.name == UCI_VARIANT);
        link.send_lines(&self.option_commands(settings)?)?;
        self.pending_ready += 1;
        link.send_lines(&[UciCommand::IsReady])?;
        self.await_ready(link, by)
    }

    fn options(&self) -> &[EngineOption] {
        &self.options
    }

    fn announce_game(&mut self, link: &mut Connection) -> Result<(), EngineError> {
        self.sent_seed = None;
        self.pending_ready += 1;
        link.send_lines(&[UciCommand::NewGame(self.words), UciCommand::IsReady])
    }

    fn new_game(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        self.await_ready(link, deadline)
    }

    fn ask(
        &mut self,
        link: &mut Connection,
        what: &Question<'_>,
        to: &mut EngineAnswer,
    ) -> Result<(), EngineError> {
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
                write_lines(&self.seed_commands(what.seed), out);
            }
            write_lines(&self.question(what), out);
            Ok(())
        };
        let mut unavailable = None;
        let asked = link.ask(what.budget, write, |line| {
            let reply = UciReply::parse(line);
            if is_earlier(&mut owed, &reply) {
                if let UciReply::Cost(text) = reply {
                    to.cost_fault = Some((CostFault::AfterMove, shorten(text)));
                }
                return Line::Other;
            }
            match reply {
                UciReply::Cost(text) => match AnswerCost::parse(text) {
                    Some(cost) => to.cost.add(cost),
                    None => to.cost_fault = Some((CostFault::Invalid, shorten(text))),
                },
                UciReply::Info(info) => to.info.read(info),
                UciReply::Details(details) => to.details = details,
                UciReply::Unavailable(why) => {
                    unavailable = Some(shorten(why));
                    return Line::End(());
                }
                UciReply::BestMove(mv) => {
                    to.text.push_str(mv);
                    return Line::End(());
                }
                _ => {}
            }
            Line::Other
        });
        self.pending_ready = owed;
        to.time = asked.map_err(|mut error| {
            if error.kind == EngineErrorKind::Late && owed > 0 {
                error.detail.push_str(", not even `readyok`");
            }
            error
        })?;
        if let Some(why) = unavailable {
            let detail = format!("its provider is unavailable: {why}");
            return Err(EngineError::new(EngineErrorKind::Unavailable, detail));
        }
        if self.words == UGI
            && let Some(EngineScore::Mate(plies)) = to.info.score
        {
            to.info.score = Some(EngineScore::MateInPlies(plies));
        }
        Ok(())
    }

    fn reject(&mut self, link: &mut Connection, why: &str) -> Result<(), EngineError> {
        if self.words != UGI {
            return Ok(());
        }
        link.send_lines(&[UciCommand::Illegal(shorten(why))])
    }

    fn stop(&mut self, link: &mut Connection, deadline: Instant) -> Result<(), EngineError> {
        link.send_lines(&[UciCommand::Stop])?;
        let answer = |line: &str| {
            let reply = UciReply::parse(line);
            let is_earlier = is_earlier(&mut self.pending_ready, &reply);
            (!is_earlier && matches!(reply, UciReply::BestMove(_))).then_some(()).into()
        };
        link.listen(deadline, answer).map(drop)
    }

    fn reproducer(&self, settings: EngineSettings<'_>, question: &Question<'_>) -> String {
        let mut commands = vec![UciCommand::Greeting(self.words)];
        commands.extend(self.option_commands(settings).unwrap_or_default());
        commands.extend([UciCommand::NewGame(self.words), UciCommand::IsReady]);
        commands.extend(self.seed_commands(question.seed));
        commands.extend(self.question(question));
        let mut out = String::new();
        write_lines(&commands, &mut out);
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
        write_lines(&Uci::new(words).question(question), &mut out);
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
}
