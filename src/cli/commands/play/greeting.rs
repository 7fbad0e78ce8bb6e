//! Formats messages of an interactive game.

use crate::cli::print_run_results::folded;
use crate::games::{MAX_VALUE, Player};
use crate::params::{Default, Param, Spec};
use crate::play::{Advice, AgentAnswer, GameEnd, Outcome, short_number};
use crate::report::{grouped, minus, time, wrapped};
use crate::search::{WIN, win_distance};

/// An agent with its parameters; default values are left out.
pub fn agent_in_words(spec: &Spec, params: &[Param]) -> String {
    let mut shortened = spec.clone();
    for param in params {
        if let Default::Is(value) = &param.default
            && shortened.values.get(param.key) == Some(value)
        {
            shortened.values.0.remove(param.key);
        }
    }
    shortened.in_words(params)
}

pub struct Greeting {
    pub game: String,
    /// The seat of the person.
    pub you: Player,
    /// Whether the seat was drawn at random.
    pub is_random: bool,
    /// The agent; `None`: another person.
    pub opponent: Option<String>,
    /// The seed of dice and agents.
    pub seed: u64,
}

impl Greeting {
    /// The game, and who plays it.
    pub fn lines(&self) -> [String; 2] {
        let Greeting { game, you, is_random, opponent, seed } = self;
        let who = match opponent {
            Some(opponent) => {
                let random = if *is_random { " (random)" } else { "" };
                let (you, other) = (you.name(), you.other().name());
                format!("You play {you}{random}, {opponent} plays {other}.")
            }
            None => "Two people play.".to_owned(),
        };
        [format!("{game} · seed {seed}"), who]
    }

    pub fn text(&self) -> String {
        let [game, who] = self.lines();
        folded(&game) + &folded(&format!("{who} Type a move, or `help`."))
    }
}

/// No forced win is longer, in plies.
const LONGEST: u32 = 10_000;

/// Formats an agent's value of a position or a move. A search value beyond the range of evaluators
/// means a forced end of the game; a mean of such values is a share of a win.
pub fn value(value: f64) -> String {
    let (size, win) = (value.abs(), f64::from(WIN));
    let is_mean = value.fract() != 0.0 && size > win / 500.0;
    let (mut unit, mut digits, mut name) = (1.0, 1000.0, "");
    if size <= win && (is_mean || size > f64::from(MAX_VALUE)) {
        match win_distance(value as i32) {
            Some(plies @ ..=LONGEST) if !is_mean => {
                let winner = if value > 0.0 { "first" } else { "second" };
                return format!("{winner} wins in {plies}");
            }
            _ => (unit, digits, name) = (win / 100.0, 10.0, " % of a win"),
        }
    }
    let text = short_number((value / unit * digits).round() / digits) + name;
    if text != "0" && value > 0.0 { format!("+{text}") } else { minus(&text) }
}

/// Formats the cost of an agent's move.
pub fn effort(answer: &AgentAnswer) -> String {
    let mut parts = Vec::new();
    if let Some(of) = answer.search_info.value {
        parts.push(format!("value {}", value(of)));
    }
    if answer.search_info.searched {
        parts.push(format!("depth {}", answer.search_info.stats.depth));
        parts.push(format!("{} nodes", grouped(answer.search_info.stats.nodes)));
    }
    parts.push(time(Some(answer.time.as_nanos() as f64)));
    parts.join(", ")
}

/// Formats a hint: the move, and the values of all moves if the agent has them.
pub fn advice(name: &str, advice: &Advice) -> String {
    let mut text = format!("{name} suggests {}   {}\n", advice.answer.text, effort(&advice.answer));
    let width = advice.values.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
    for (mv, of) in &advice.values {
        let mark = if *mv == advice.answer.text { '*' } else { ' ' };
        let pad = width - mv.chars().count();
        text.push_str(&format!(" {mark} {mv}{}   {}\n", " ".repeat(pad), value(*of)));
    }
    if advice.values.is_empty() {
        text.push_str("This agent does not value single moves.\n");
    } else {
        text.push_str(
            "Positive: good for the first player. Negative: good for the second player.\n",
        );
    }
    text
}

/// Width of a list of moves, in columns.
const WIDTH: usize = 76;

/// Formats a list of moves. The turns of some games contain spaces, so commas come between moves,
/// and a line ends only after a whole move.
pub fn moves(moves: &[String]) -> String {
    let words: Vec<String> = moves.iter().map(|mv| mv.replace(' ', "\u{a0}")).collect();
    wrapped(&words.join(", "), Some(WIDTH), "", "").replace('\u{a0}', " ")
}

pub fn ending(ending: &GameEnd, scored: bool) -> String {
    let score = match scored {
        true => format!(" with {} points", short_number(ending.payoff.into())),
        false => String::new(),
    };
    match ending.outcome {
        Outcome::First => format!("The first player wins{score} ({}).", ending.reason),
        Outcome::Second => format!("The second player wins{score} ({}).", ending.reason),
        Outcome::Draw | Outcome::Void => format!("A draw{score} ({}).", ending.reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_listed_in_lines() {
        let all: Vec<String> = (0..225).map(|cell| cell.to_string()).collect();
        let text = moves(&all);
        assert!(
            text.lines()
                .all(|line| line.len() <= WIDTH && line.len() > 60 || line.ends_with("224"))
        );
        assert_eq!(text.split_whitespace().count(), 225);
        assert_eq!(moves(&all[..3]), "0, 1, 2\n");
    }

    #[test]
    fn a_line_ends_after_a_whole_turn() {
        let turns = vec!["13/9 24/18".to_owned(); 20];
        let text = moves(&turns);
        assert!(text.lines().count() > 1);
        let read: Vec<&str> =
            text.lines().flat_map(|line| line.trim_end_matches(',').split(", ")).collect();
        assert_eq!(read, turns);
    }

    #[test]
    fn values_are_formatted_in_words() {
        assert_eq!(value(12.0), "+12");
        assert_eq!(value(-0.25), "−0.25");
        assert_eq!(value(7.733_41), "+7.733");
        assert_eq!([0.0, -0.0, 1e-9, -1e-9].map(value), ["0"; 4]);
        assert_eq!(value(f64::from(WIN - 3)), "first wins in 3");
        assert_eq!(value(-f64::from(WIN - 1)), "second wins in 1");
        assert_eq!(value(f64::from(WIN) * -0.75), "−75 % of a win");
        assert_eq!(value(f64::from(WIN) / 3.0 + 0.25), "+33.3 % of a win");
        assert_eq!(value(2e12), "+2000000000000");
    }
}
