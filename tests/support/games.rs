//! Games from text, as in `connect4:columns=5,rows=4`, for the tests of games.
use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;

use agon::agents::{Agent, AgentKind};
use agon::config::parse_game_spec;
use agon::games::Configurable;
use agon::params::{ParamError, Params, Spec, Type, Value, Values};
use agon::play::Registry;

/// An operation on a game of any type.
pub trait Visit: 'static {
    fn visit<G: Configurable>(&mut self, game: &G);
}

thread_local! {
    /// The visitor on its way through the registry and back.
    static VISITOR: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// An agent that is never built. The registry knows the types of all games and calls `build`, which
/// passes the game to the visitor.
struct Door<V>(PhantomData<V>);

impl<V: Visit> AgentKind for Door<V> {
    const KIND: &'static str = "door";
    const SUMMARY: &'static str = "Lets a visitor see the game";
    type Params = ();

    fn build<G: Configurable>(game: &G, (): ()) -> Result<Box<dyn Agent<G>>, ParamError> {
        let mut visitor = VISITOR.take().expect("a visitor");
        visitor.downcast_mut::<V>().expect("this visitor").visit(game);
        VISITOR.set(Some(visitor));
        Err(ParamError::new("visited", ""))
    }
}

/// Builds the game with this text in the registry, and passes it to the visitor.
pub fn with_game<V: Visit>(spec: &str, visitor: V) -> V {
    let mut registry = Registry::builtin();
    registry.add_agent::<Door<V>>();
    let opened = parse_game_spec(spec, "--game", &registry);
    let (_, any_game) = opened.unwrap_or_else(|error| panic!("{}", error.render(false)));
    VISITOR.set(Some(Box::new(visitor)));
    let door = Spec { kind: "door".to_owned(), values: Values::default() };
    assert_eq!(any_game.check_agent(&door).expect_err("no agent").message, "visited");
    *VISITOR.take().expect("the visitor").downcast().expect("this visitor")
}

/// The parameters in a text.
pub fn values<G: Configurable>(spec: &str) -> Values {
    let mut values = Values::default();
    let (_, given) = spec.split_once(':').unwrap_or((spec, ""));
    for pair in given.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap();
        let param = G::Params::list().into_iter().find(|param| param.key == key).unwrap();
        let value = match param.ty {
            Type::Bool => Value::Bool(value.parse().unwrap()),
            Type::Choice(_) => Value::Text(value.to_owned()),
            Type::Float { .. } => Value::Float(value.parse().unwrap()),
            _ => Value::Int(value.parse().unwrap()),
        };
        values.set(key, value);
    }
    values
}

/// A game of a known type from its text.
pub fn build<G: Configurable>(spec: &str) -> G {
    G::build(&values::<G>(spec)).unwrap()
}

/// The lines of a data file except comments, split at `|`.
pub fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#')).map(|l| l.split('|').map(str::trim).collect())
}

/// Numbers separated by spaces.
pub fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|n| n.replace('_', "").parse().unwrap()).collect()
}
