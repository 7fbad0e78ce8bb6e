//! The key `illegal`: what follows an illegal move of an engine.

use crate::params::{Field, Param, ParamError, Type, Value, mismatch};
use crate::util::did_you_mean::did_you_mean;

crate::choice! {
    /// What follows if an engine has no retry left.
    pub enum AfterIllegalMove {
        /// The engine loses the game.
        Forfeit = "forfeit",
        /// A random legal move takes the place of its move.
        Random = "random",
        /// The game does not count.
        Void = "void",
    }
}

/// What follows an illegal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMoves {
    /// How often the engine is asked again for the same move.
    pub retries: u32,
    pub then: AfterIllegalMove,
}

/// The keys of its table.
fn keys() -> Vec<Param> {
    let retries = Type::Int { min: 0, max: 100 };
    let then = Type::Choice(AfterIllegalMove::WORDS);
    let forfeit = Value::Text(AfterIllegalMove::Forfeit.word().to_owned());
    vec![
        Param::of("retries", retries, "how often the engine is asked again").or(Value::Int(0)),
        Param::of("then", then, "what follows when no retry is left").or(forfeit),
    ]
}

impl Default for IllegalMoves {
    fn default() -> Self {
        IllegalMoves { retries: 0, then: AfterIllegalMove::Forfeit }
    }
}

impl Field for IllegalMoves {
    type Bounds = ();

    fn ty(_: &()) -> Type {
        Type::Keys(keys())
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        let Value::Settings(all) = value else { return Err(mismatch()) };
        let mut read = IllegalMoves::default();
        let keys = keys();
        for (key, text) in all {
            let Some(param) = keys.iter().find(|param| param.key == key) else {
                let message = format!("`illegal` has no key `{key}`");
                let keys: Vec<_> = keys.iter().map(|param| param.key).collect();
                return Err(ParamError::new(message, did_you_mean(key, &keys)));
            };
            let value = text.parse().map_or(Value::Text(text.clone()), Value::Int);
            if !param.ty.allows(&value) {
                let message = format!("`illegal.{key}` must be {}", param.ty.wanted());
                let help = match param.ty {
                    Type::Choice(words) => did_you_mean(text, words),
                    _ => format!("it is `{text}`"),
                };
                return Err(ParamError::new(message, help));
            }
            match value {
                Value::Int(retries) => read.retries = retries as u32,
                word => read.then = AfterIllegalMove::read(&word)?,
            }
        }
        Ok(read)
    }

    fn value(&self) -> Option<Value> {
        let pair = |key: &str, text: String| (key.to_owned(), text);
        let pairs =
            [pair("retries", self.retries.to_string()), pair("then", self.then.word().to_owned())];
        Some(Value::Settings(pairs.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<IllegalMoves, String> {
        let pair = |&(key, text): &(&str, &str)| (key.to_owned(), text.to_owned());
        let value = Value::Settings(pairs.iter().map(pair).collect());
        IllegalMoves::read(&value).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_written_is_read_back() {
        let random = IllegalMoves { retries: 2, then: AfterIllegalMove::Random };
        assert_eq!(read(&[("retries", "2"), ("then", "random")]), Ok(random));
        assert_eq!(random.value().map(|value| IllegalMoves::read(&value)), Some(Ok(random)));
        assert_eq!(read(&[]), Ok(IllegalMoves::default()));
    }

    #[test]
    fn mistakes_are_named() {
        for (key, text, words) in [
            ("retries", "-1", "`illegal.retries` must be a whole number from 0 to 100"),
            ("retries", "2.5", "it is `2.5`"),
            ("retries", "101", "it is `101`"),
            ("then", "radnom", "did you mean `random`?"),
            ("than", "void", "`illegal` has no key `than` (did you mean `then`?"),
        ] {
            let error = read(&[(key, text)]).expect_err("a mistake");
            assert!(error.contains(words), "{error}");
        }
    }
}
