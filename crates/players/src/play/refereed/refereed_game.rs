//! The game whose referee is a program. It has no positions and no moves.

use std::collections::BTreeMap;
use std::time::Duration;

use super::placeholders::fill;
use crate::engine::{CommandText, Launch};
use crate::games::{Configurable, Game, Turn};
use crate::params::ParamError;
use crate::util::did_you_mean::did_you_mean;

crate::params! {
    /// The program that plays whole games.
    #[derive(Debug, Clone)]
    pub struct RefereedParams {
        /// command that plays one game and prints its result; `{first}` and `{second}` become the
        /// commands of the players, `{seed}` a number, `{log}` the path of a file in the results
        /// folder
        referee: CommandText,
        /// working directory of the referee; relative paths in commands start here
        dir: Option<String> = None,
        /// maximum seconds for one game
        timeout: f64 [0.001..=86_400.0] = 300.0,
        /// attributes of the results that become columns of games.csv, such as ["turns", "scores_first"]
        attributes: Option<Vec<String>> = None,
    }
}

/// A game whose referee is a program.
#[derive(Debug)]
pub struct RefereedGame {
    pub(super) launch: Launch,
    /// The command, for people.
    pub(super) shown: String,
    pub(super) timeout: Duration,
    pub(in crate::play) attributes: Vec<String>,
    /// Whether the referee gets a seed.
    pub(super) has_seed: bool,
    dir: Option<String>,
}

/// What a command can ask for.
const PLACEHOLDERS: [&str; 4] = ["first", "second", "seed", "log"];
/// More than a table can show.
const MOST_ATTRIBUTES: usize = 64;
const LONGEST_ATTRIBUTE: usize = 64;

impl RefereedGame {
    pub(super) fn dir(&self) -> Option<&str> {
        self.dir.as_deref()
    }
}

impl Configurable for RefereedGame {
    const KIND: &'static str = "referee";
    const SUMMARY: &'static str = "A game by a referee: a program plays it between two commands";

    type Params = RefereedParams;

    fn from_params(params: RefereedParams) -> Result<Self, ParamError> {
        let RefereedParams { referee, dir, timeout, attributes } = params;
        let launch = referee
            .launch(dir.as_deref(), &BTreeMap::new())
            .map_err(|error| ParamError::at("referee", error.detail, error.help))?;
        let placeholders = placeholders(&launch.args);
        check_placeholders(&placeholders)?;
        let attributes = attributes.unwrap_or_default();
        check_attributes(&attributes)?;
        Ok(RefereedGame {
            launch,
            shown: referee.shown(),
            timeout: Duration::from_secs_f64(timeout),
            attributes,
            has_seed: placeholders.iter().any(|name| name == "seed"),
            dir,
        })
    }

    fn warnings(&self) -> Vec<String> {
        if self.has_seed {
            return Vec::new();
        }
        let warning = "`referee` has no `{seed}`: agon does not see the moves, so it cannot see \
                       whether games repeat others";
        vec![warning.to_owned()]
    }
}

/// The names in braces in these words.
fn placeholders(words: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for word in words {
        fill(word, |name| {
            let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (is_name && !name.is_empty()).then(|| names.push(name.to_owned()))?;
            Some(String::new())
        });
    }
    names
}

fn check_placeholders(names: &[String]) -> Result<(), ParamError> {
    let wrong = |message: String, help: String| Err(ParamError::at("referee", message, help));
    if let Some(name) = names.iter().find(|name| !PLACEHOLDERS.contains(&name.as_str())) {
        if ["third", "fourth", "p3", "p4"].contains(&name.as_str()) {
            return wrong(
                format!("`{{{name}}}` is one seat too many: agon plays games of two players"),
                "`agon rate` rates the results of games with more players".to_owned(),
            );
        }
        let help = did_you_mean(name, &PLACEHOLDERS);
        return wrong(format!("there is no placeholder `{{{name}}}`"), help);
    }
    for seat in ["first", "second"] {
        if !names.iter().any(|name| name == seat) {
            return wrong(
                format!("the command does not say where the {seat} player goes"),
                "write `{first}` and `{second}`, as in `java -jar referee.jar -p1 {first} -p2 \
                 {second} -d seed={seed}`"
                    .to_owned(),
            );
        }
    }
    Ok(())
}

fn check_attributes(attributes: &[String]) -> Result<(), ParamError> {
    let wrong = |message: String, help: &str| Err(ParamError::at("attributes", message, help));
    if attributes.len() > MOST_ATTRIBUTES {
        return wrong(format!("there are more than {MOST_ATTRIBUTES} attributes"), "name fewer");
    }
    for (at, name) in attributes.iter().enumerate() {
        let is_plain = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        if name.is_empty() || !is_plain || name.len() > LONGEST_ATTRIBUTE {
            return wrong(
                format!("`{name}` cannot be the name of a column"),
                "use letters, digits, `_`, `-` and `.`",
            );
        }
        if attributes[..at].contains(name) {
            return wrong(format!("the attribute `{name}` is there twice"), "keep one of them");
        }
    }
    Ok(())
}

/// A game that is over before its first move. The referee plays it.
impl Game for RefereedGame {
    type State = ();
    type Move = ();

    fn start(&self) {}

    fn turn(&self, (): &()) -> Turn {
        Turn::Over
    }

    fn moves(&self, (): &(), _: &mut Vec<()>) {}

    /// A seed is as good as dice: the games of a pair can share it.
    fn has_chance(&self) -> bool {
        self.has_seed
    }

    fn play(&self, (): &mut (), (): ()) {}

    fn payoff(&self, (): &()) -> i32 {
        0
    }

    fn key(&self, (): &()) -> u64 {
        0
    }

    fn write_move(&self, (): &(), (): (), _: &mut String) {}

    fn write_position(&self, (): &()) -> String {
        "start".to_owned()
    }

    fn read_position(&self, _: &str) -> Result<(), String> {
        Err("a game by a referee has no positions".to_owned())
    }
}
