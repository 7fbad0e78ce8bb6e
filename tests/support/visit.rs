//! Operations on games of any type, given as text.

use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;

use agon::agents::{Agent, AgentKind};
use agon::config::parse_game_spec;
use agon::games::Configurable;
use agon::params::{ParamError, Spec, Values};
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
