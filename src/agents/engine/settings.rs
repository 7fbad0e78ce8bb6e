//! What an engine agent takes: how it is started, how long it may think.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::agents::budget;
use crate::agents::settings::given;
use crate::engine::{
    Clock, Go, Gomocup, Launch, NotFound, Protocol, Setting, TimeControl, UCI, UGI, Uci, words,
};
use crate::params::{Default, Param, ParamError, Type, Value, Values};

/// When an engine is started anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Restart {
    /// When it has ended or does not react any more.
    Auto,
    /// Before every game.
    Always,
    /// Not at all.
    Never,
}

/// The checked values.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    pub command: Vec<String>,
    pub dir: Option<String>,
    pub env: BTreeMap<String, String>,
    pub dialect: String,
    pub options: Vec<Setting>,
    pub movetime: Option<Duration>,
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub clock: Option<TimeControl>,
    pub margin: Duration,
    pub ceiling: Duration,
    pub startup: Duration,
    pub restart: Restart,
}

/// The parameters.
pub(super) fn params() -> Vec<Param> {
    let seconds = |key, default, help| Param::float(key, 0.001, 86_400.0, default, help);
    vec![
        Param {
            key: "command",
            ty: Type::Command,
            default: Default::Required,
            help: "what starts it, as in a terminal or as a list of words; looked up on PATH and \
                   in /usr/games",
        },
        Param::choice("protocol", &["uci", "ugi", "gomocup"], "uci", "what it speaks"),
        Param::of("dir", Type::Text, "where it runs, and where a path in `command` is seen from"),
        Param::of("env", Type::Settings, "variables that are added to its environment"),
        Param::of("options", Type::Settings, "its options, checked against what it advertises"),
        budget::nodes_param("positions that it is told to search for one move"),
        Param::int("depth", 1, 1_000_000, 1, "plies that it is told to look ahead").optional(),
        Param::int("movetime", 1, 86_400_000, 1, "milliseconds for one move; games then vary")
            .optional(),
        Param::of(
            "clock",
            Type::Text,
            "seconds and increment as in \"8+0.08\", or per so many moves as in \"40/60+0.6\"",
        ),
        Param::bool(
            "combine",
            false,
            "allows several of `nodes`, `depth`, `movetime` and `clock`: what is used up first \
             ends a move",
        ),
        Param::int(
            "time_margin",
            0,
            3_600_000,
            50,
            "milliseconds that it may exceed `movetime` or `clock` by",
        ),
        seconds("ceiling", 60.0, "seconds for one move where neither `movetime` nor `clock` is"),
        seconds("startup", 10.0, "seconds that it may take to start, and to be ready for a game"),
        Param::choice(
            "restart",
            &["auto", "always", "never"],
            "auto",
            "when it is started anew: when it has failed, before every game, or not at all",
        ),
        Param::int(
            "max_faults",
            0,
            1_000_000,
            3,
            "games lost by faults in a row that end the run; 0: none do",
        ),
    ]
}

impl Settings {
    /// Reads checked values.
    ///
    /// # Errors
    /// Values that do not work together.
    pub fn read(values: &Values) -> Result<Self, ParamError> {
        let command = match values.get("command") {
            Some(Value::Texts(words)) => words.clone(),
            Some(Value::Text(line)) => words(line)
                .map_err(|why| ParamError::at("command", why, "give the words as a list"))?,
            _ => Vec::new(),
        };
        if command.first().is_none_or(String::is_empty) {
            let remedy = "name a program, such as `command = \"stockfish\"`";
            return Err(ParamError::at("command", "the command is empty", remedy));
        }
        let clock = match values.text("clock").map(TimeControl::parse) {
            None => None,
            Some(Ok(clock)) => Some(clock),
            Some(Err(why)) => {
                let remedy = "seconds and increment as in \"8+0.08\", or \"40/60+0.6\"";
                return Err(ParamError::at("clock", why, remedy));
            }
        };
        let whole = |key| values.int(key).and_then(|v| u64::try_from(v).ok());
        let seconds =
            |key| Duration::from_secs_f64(given(values.float(key)).clamp(0.001, 86_400.0));
        let options = values.settings("options").into_iter().flatten();
        let settings = Settings {
            command,
            dir: values.text("dir").map(str::to_owned),
            env: values.settings("env").cloned().unwrap_or_default(),
            dialect: given(values.text("protocol")).to_owned(),
            options: options.map(|(name, value)| (name.clone(), value.clone())).collect(),
            movetime: whole("movetime").map(Duration::from_millis),
            nodes: whole("nodes"),
            depth: whole("depth").and_then(|depth| depth.try_into().ok()),
            clock,
            margin: Duration::from_millis(given(whole("time_margin"))),
            ceiling: seconds("ceiling"),
            startup: seconds("startup"),
            restart: match values.text("restart") {
                Some("always") => Restart::Always,
                Some("never") => Restart::Never,
                _ => Restart::Auto,
            },
        };
        settings.check(values)?;
        Ok(settings)
    }

    fn check(&self, values: &Values) -> Result<(), ParamError> {
        let limits = ["nodes", "depth", "movetime", "clock"];
        let combine = given(values.bool("combine"));
        let given: Vec<&str> = limits.into_iter().filter(|key| values.get(key).is_some()).collect();
        match given[..] {
            [] => Err(ParamError::at(
                "nodes",
                "the engine needs to know when to stop",
                "give `nodes`, `depth`, `movetime` or `clock`",
            )),
            [first, .., last] if !combine => Err(ParamError::at(
                last,
                format!("both `{first}` and `{last}` limit the engine"),
                "leave one out; or say `combine = true`: what is used up first ends a move",
            )),
            [only] if combine => Err(ParamError::at(
                "combine",
                format!("`{only}` is the only limit: there is nothing to combine"),
                "leave `combine` out",
            )),
            _ => Ok(()),
        }?;
        if let Some(key) =
            given.iter().find(|key| self.is_gomocup() && ["nodes", "depth"].contains(key))
        {
            let message = format!("the protocol of Gomocup knows no limit on `{key}`");
            return Err(ParamError::at(key, message, "give `movetime` or `clock`"));
        }
        // What cannot be said in one line of the protocol, or in an environment.
        let broken = |text: &str| text.contains(['\n', '\r', '\0']);
        if self.options.iter().any(|(name, value)| broken(name) || broken(value)) {
            let message = "an option spans several lines";
            return Err(ParamError::at("options", message, "write it in one line"));
        }
        let bad_name = |name: &str| name.is_empty() || name.contains(['=', '\0']);
        if self.env.iter().any(|(name, value)| bad_name(name) || value.contains('\0')) {
            let message = "no variable of an environment is called so";
            return Err(ParamError::at("env", message, "use letters, digits and `_`"));
        }
        if self.command.iter().any(|word| word.contains('\0')) {
            let message = "a word of the command holds the character 0";
            return Err(ParamError::at("command", message, "leave it out"));
        }
        Ok(())
    }

    /// The program with all that it takes.
    ///
    /// # Errors
    /// A program that is not there.
    pub fn launch(&self) -> Result<Launch, NotFound> {
        Launch::find(&self.command, self.dir.as_deref(), &self.env)
    }

    /// A conversation that has not begun.
    pub fn protocol(&self) -> Box<dyn Protocol> {
        match self.dialect.as_str() {
            "ugi" => Box::new(Uci::new(UGI)),
            "gomocup" => Box::new(Gomocup::new()),
            _ => Box::new(Uci::new(UCI)),
        }
    }

    /// The line that asks an engine to leave.
    pub fn quit_line(&self) -> &'static str {
        if self.is_gomocup() { "END\n" } else { "quit\n" }
    }

    /// What is said first, and the answer to it.
    pub fn greeting(&self) -> (&'static str, &'static str) {
        match self.dialect.as_str() {
            "ugi" => ("ugi", "ugiok"),
            "gomocup" => ("START 15", "OK"),
            _ => ("uci", "uciok"),
        }
    }

    fn is_gomocup(&self) -> bool {
        self.dialect == "gomocup"
    }

    /// The command line for people.
    pub fn shown(&self) -> String {
        self.command.join(" ")
    }

    /// Whether a clock runs for each move.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }

    /// What the engine is told of how long to think.
    pub fn go(&self, clocks: [Option<Clock>; 2]) -> Go {
        Go { clocks, movetime: self.movetime, nodes: self.nodes, depth: self.depth }
    }

    /// The time after which an answer is too late.
    pub fn budget(&self, clock: Option<Clock>) -> Duration {
        let timed = [self.movetime, clock.map(|clock| clock.left)].into_iter().flatten().min();
        timed.map_or(self.ceiling, |time| time + self.margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[(&str, Value)]) -> Result<Settings, ParamError> {
        let mut all = Values::default();
        all.set("command", Value::Text("sh -c true".into()));
        values.iter().for_each(|(key, value)| all.set(key, value.clone()));
        Settings::read(&all.filled(&params()))
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    #[test]
    fn limits_are_alone_unless_said() {
        let wrong = |values: &[(&str, Value)]| {
            let error = read(values).expect_err("no such limits");
            format!("{}: {error}", error.key.as_deref().unwrap_or_default())
        };
        let (clock, depth) = (("clock", text("8+0.08")), ("depth", Value::Int(6)));
        assert!(wrong(&[]).starts_with("nodes: the engine needs to know when to stop"));
        assert!(wrong(&[clock.clone(), depth.clone()]).contains("`combine = true`"));
        assert!(wrong(&[depth.clone(), ("combine", Value::Bool(true))]).starts_with("combine:"));
        assert!(wrong(&[("clock", text("8:00"))]).starts_with("clock: `8:00` is no time control"));
        assert!(read(&[clock, depth, ("combine", Value::Bool(true))]).is_ok());
    }

    #[test]
    fn the_budget_is_the_clock_or_the_ceiling() {
        let ms = Duration::from_millis;
        let nodes = read(&[("nodes", Value::Int(5))]).expect("fine");
        assert_eq!((nodes.budget(None), nodes.is_timed()), (ms(60_000), false));
        let timed = read(&[("movetime", Value::Int(100))]).expect("fine");
        assert_eq!((timed.budget(None), timed.is_timed()), (ms(150), true));
        let clocked = read(&[("clock", text("2")), ("time_margin", Value::Int(0))]).expect("fine");
        assert_eq!(clocked.budget(clocked.clock.map(Clock::new)), ms(2_000));
    }

    #[test]
    fn commands_are_text_or_words() {
        let nodes = ("nodes", Value::Int(5));
        assert_eq!(read(std::slice::from_ref(&nodes)).expect("fine").command, ["sh", "-c", "true"]);
        let words = Value::Texts(vec!["a b".into(), "c".into()]);
        assert_eq!(read(&[("command", words), nodes.clone()]).expect("fine").command, ["a b", "c"]);
        for wrong in ["", "  ", "a 'b", "''"] {
            let error = read(&[("command", text(wrong)), nodes.clone()]).expect_err(wrong);
            assert_eq!(error.key.as_deref(), Some("command"));
        }
    }
}
