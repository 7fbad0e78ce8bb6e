//! The parameters of an engine agent: its command, its protocol and its limits.

use std::time::Duration;

use super::illegal_moves::IllegalMoves;
use crate::agents::budget_params::{MAX_MOVETIME, MAX_NODES};
use crate::engine::{
    Clock, CommandText, EngineError, EngineProtocol, Launch, MoveLimits, TimeControl,
};
use crate::params::{ParamError, milliseconds, work};
use std::collections::BTreeMap;

crate::choice! {
    /// When an engine is started again.
    pub enum Restart {
        /// When it has ended or does not react any more.
        Auto = "auto",
        Always = "always",
        Never = "never",
    }
}

crate::choice! {
    /// Whether a program runs in a sandbox.
    pub enum SandboxUse {
        No = "false",
        /// If this machine can make one.
        Yes = "true",
        /// A run without it is refused.
        Required = "required",
    }
}

crate::params! {
    #[derive(Debug, Clone)]
    pub struct EngineParams {
        /// command that starts the engine, as in a terminal or as a list of words;
        /// searched on PATH and in /usr/games
        command: CommandText,
        /// protocol of the engine
        protocol: EngineProtocol = EngineProtocol::Uci,
        /// working directory of the engine; a relative path in `command` starts here; `*`, as in
        /// "class/*", makes one agent per folder, with the name of the folder
        dir: Option<String> = None,
        /// environment variables for the engine
        env: Option<BTreeMap<String, String>> = None,
        /// options of the engine, checked against those that it advertises, and sent in this order
        options: Option<Vec<(String, String)>> = None,
        /// number of nodes for one move that the engine gets as its limit
        nodes: Option<u64> [work(1..=MAX_NODES)] = None,
        /// search depth in plies that the engine gets as its limit
        depth: Option<u32> [work(1..=1_000_000)] = None,
        /// milliseconds for one move; games then vary
        movetime: Option<u64> [milliseconds(1..=MAX_MOVETIME)] = None,
        /// time control: seconds and increment, such as "8+0.08", or for a number of
        /// moves, such as "40/60+0.6"
        clock: Option<TimeControl> = None,
        /// allows several of `nodes`, `depth`, `movetime` and `clock`; the first limit
        /// that is reached ends the search
        combine: bool = false,
        /// milliseconds by which the engine may exceed `movetime` or `clock`
        time_margin: u64 [0..=3_600_000] = 50,
        /// maximum seconds for one move without `movetime` and `clock`
        hang_timeout: f64 [0.001..=86_400.0] = 60.0,
        /// maximum seconds for the start of the engine, and for the start of a game
        startup_timeout: f64 [0.001..=86_400.0] = 10.0,
        /// when the engine is started again: after a failure, before every game, or
        /// never
        restart: Restart = Restart::Auto,
        /// seconds that one game waits at most for the provider of the engine (exit status 75,
        /// `info string unavailable`); after that the run stops, and the same command resumes; 0:
        /// such a failure is a forfeit, as is the default if `dir` has a `*`
        unavailable_wait: u64 [0..=604_800] = 600,
        /// what follows an illegal move: `retries` is how often the engine is asked again (0);
        /// `then` is "forfeit", "random" (a random legal move takes its place) or "void" (the game
        /// does not count)
        illegal: Option<IllegalMoves> = None,
        /// whether the engine reports what its answers cost (`info string cost`, UCI and UGI)
        costs: Option<bool> = None,
        /// whether the program runs in a sandbox on Linux: no network, files read-only, an empty
        /// folder of its own, limits; "required" refuses a machine that cannot make one; default:
        /// true if `dir` has a `*`, false otherwise
        sandbox: Option<SandboxUse> = None,
        /// sandbox: whether the program may use the network
        allow_network: Option<bool> = None,
        /// sandbox: more files and folders that the program may read
        readable: Option<Vec<String>> = None,
        /// sandbox: files and folders that the program may change; they may fill the disk
        writable: Option<Vec<String>> = None,
        /// sandbox: megabytes of memory for all processes of the program together; default: 1024
        memory_mb: Option<u64> [16..=16_777_216] = None,
        /// sandbox: maximum number of processes and threads of the program; default: 64
        processes: Option<u64> [1..=100_000] = None,
        /// sandbox: seconds of processor time of all processes of the program since its start; 0, the
        /// default: no limit
        cpu_seconds: Option<u64> [0..=31_536_000] = None,
        /// consecutive forfeits of the engine that end the run; 0: no limit
        max_consecutive_forfeits: u64 [0..=1_000_000] = 3,
    }
}

impl EngineParams {
    /// # Errors
    /// Values that do not work together.
    pub fn check(&self) -> Result<(), ParamError> {
        let command = self.command_words().map_err(|why| {
            ParamError::at("command", why, "close it, or give the words as a list")
        })?;
        if command.first().is_none_or(String::is_empty) {
            let help = "name a program, such as `command = \"stockfish\"`";
            return Err(ParamError::at("command", "the command is empty", help));
        }
        let given = self.limits();
        match given[..] {
            [] => Err(ParamError::at(
                "nodes",
                "the engine needs to know when to stop",
                "give `nodes`, `depth`, `movetime` or `clock`",
            )),
            [first, .., last] if !self.combine => Err(ParamError::at(
                last,
                format!("both `{first}` and `{last}` limit the engine"),
                "leave one out; or say `combine = true`: what is used up first ends a move",
            )),
            [only] if self.combine => Err(ParamError::at(
                "combine",
                format!("`{only}` is the only limit: there is nothing to combine"),
                "leave `combine` out",
            )),
            _ => Ok(()),
        }?;
        if let Some(key) =
            given.iter().find(|key| !self.protocol.is_uci() && ["nodes", "depth"].contains(key))
        {
            let name = if self.is_gtp() { "Go Text Protocol" } else { "protocol of Gomocup" };
            let message = format!("the {name} knows no limit on `{key}`");
            return Err(ParamError::at(key, message, "give `movetime` or `clock`"));
        }
        if self.costs == Some(true) && !self.protocol.is_uci() {
            let message = "only UCI and UGI have a line for costs";
            return Err(ParamError::at("costs", message, "remove it, or use `protocol = \"ugi\"`"));
        }
        self.check_sandbox()?;
        // Text that does not fit into one line of the protocol or into an environment variable.
        let broken = |text: &str| text.contains(['\n', '\r', '\0']);
        if self.options.iter().flatten().any(|(name, value)| broken(name) || broken(value)) {
            let message = "an option spans several lines";
            return Err(ParamError::at("options", message, "write it in one line"));
        }
        let options = self.options.as_deref().unwrap_or_default();
        let is_repeated = |at: &usize| {
            options[..*at].iter().any(|(name, _)| name.eq_ignore_ascii_case(&options[*at].0))
        };
        if let Some(at) = (0..options.len()).find(is_repeated) {
            let message = format!("the option `{}` is given twice", options[at].0);
            let help = "keep one of them; engines ignore the case of names";
            return Err(ParamError::at("options", message, help));
        }
        let bad_name = |name: &str| name.is_empty() || name.contains(['=', '\0']);
        if self.env.iter().flatten().any(|(name, value)| bad_name(name) || value.contains('\0')) {
            let message = "the name or the value of an environment variable is invalid";
            return Err(ParamError::at("env", message, "use letters, digits and `_` in the name"));
        }
        if command.iter().any(|word| word.contains('\0')) {
            let message = "a word of the command holds the character 0";
            return Err(ParamError::at("command", message, "leave it out"));
        }
        Ok(())
    }

    /// The keys of the limits for a move.
    pub fn limits(&self) -> Vec<&'static str> {
        let limits = [
            ("nodes", self.nodes.is_some()),
            ("depth", self.depth.is_some()),
            ("movetime", self.movetime.is_some()),
            ("clock", self.clock.is_some()),
        ];
        limits.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key).collect()
    }

    /// The program with everything needed to start it.
    ///
    /// # Errors
    /// A program that was not found.
    pub fn launch(&self) -> Result<Launch, EngineError> {
        let env = self.env.clone().unwrap_or_default();
        let mut launch = self.command.launch(self.dir.as_deref(), &env)?;
        launch.sandbox = self.sandbox_of(&launch)?;
        Ok(launch)
    }

    /// The words of the command.
    ///
    /// # Errors
    /// A text that cannot be split into words.
    pub fn command_words(&self) -> Result<Vec<String>, String> {
        self.command.words(self.dir.as_deref())
    }

    pub fn is_gtp(&self) -> bool {
        self.protocol == EngineProtocol::Gtp
    }

    /// The command line for people.
    pub fn shown(&self) -> String {
        self.command.shown()
    }

    fn movetime(&self) -> Option<Duration> {
        self.movetime.map(Duration::from_millis)
    }

    /// Time that a move may take beyond its limit.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.time_margin)
    }

    /// Time for the start, and for preparing a game.
    pub fn startup_timeout(&self) -> Duration {
        Duration::from_secs_f64(self.startup_timeout)
    }

    /// Whether a clock runs for each move.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.movetime.is_some()
    }

    pub fn illegal_moves(&self) -> IllegalMoves {
        self.illegal.unwrap_or_default()
    }

    /// The limits that agon sends to the engine.
    pub fn go(&self, clocks: [Option<Clock>; 2]) -> MoveLimits {
        MoveLimits { clocks, movetime: self.movetime(), nodes: self.nodes, depth: self.depth }
    }

    /// The time after which an answer is late.
    pub fn budget(&self, clock: Option<Clock>) -> Duration {
        let timed = [self.movetime(), clock.map(|clock| clock.left)].into_iter().flatten().min();
        timed.map_or(Duration::from_secs_f64(self.hang_timeout), |time| time + self.margin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{Params, Value, Values};

    fn read(values: &[(&str, Value)]) -> Result<EngineParams, ParamError> {
        let mut all = Values::default();
        all.set("command", Value::Text("sh -c true".into()));
        values.iter().for_each(|(key, value)| all.set(key, value.clone()));
        let params = EngineParams::read(&all)?;
        params.check().map(|()| params)
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
        assert!(
            wrong(&[("clock", text("8:00"))]).starts_with("clock: `8:00` is not a time control")
        );
        assert!(read(&[clock, depth, ("combine", Value::Bool(true))]).is_ok());
    }

    #[test]
    fn the_budget_is_the_clock_or_the_hang_timeout() {
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
        assert_eq!(
            read(std::slice::from_ref(&nodes)).expect("fine").command_words().expect("fine"),
            ["sh", "-c", "true"]
        );
        let words = Value::Texts(vec!["a b".into(), "c".into()]);
        assert_eq!(
            read(&[("command", words), nodes.clone()])
                .expect("fine")
                .command_words()
                .expect("fine"),
            ["a b", "c"]
        );
        for wrong in ["", "  ", "a 'b", "''"] {
            let error = read(&[("command", text(wrong)), nodes.clone()]).expect_err(wrong);
            assert_eq!(error.key.as_deref(), Some("command"));
        }
    }
}
