//! Structs whose fields are parameters, and enums whose variants are words of a choice.
//!
//! [`params!`](crate::params!) defines a struct and its parameters at once, so that default,
//! range and help are stated once, beside the field.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::{Default, Depth, Param, ParamError, Role, Spec, Type, Value, Values};

/// A struct whose fields are parameters; made by [`params!`](crate::params!).
pub trait Params: Sized {
    /// The parameters, in the order in which they are listed.
    fn list() -> Vec<Param>;

    /// The fields from values; a field that is not given has its default.
    ///
    /// # Errors
    /// A value of another type or out of range, and one that is missing but required.
    fn read(values: &Values) -> Result<Self, ParamError>;

    /// The fields as values, without those that are absent.
    fn values(&self) -> Values;

    /// Checks the ranges of fields that were set by hand.
    ///
    /// # Errors
    /// A field out of its range.
    fn check(&self) -> Result<(), ParamError> {
        Self::read(&self.values()).map(drop)
    }
}

/// No parameters.
impl Params for () {
    fn list() -> Vec<Param> {
        Vec::new()
    }

    fn read(_: &Values) -> Result<Self, ParamError> {
        Ok(())
    }

    fn values(&self) -> Values {
        Values::default()
    }
}

/// A type that one parameter can have.
pub trait Field: Sized {
    /// What the type alone does not say, such as a range.
    type Bounds;

    /// The type as the config, the lists and the schema know it.
    fn ty(bounds: &Self::Bounds) -> Type;

    /// What the value is for, where that matters to the program.
    fn role(_bounds: &Self::Bounds) -> Role {
        Role::Setting
    }

    /// The field from a value that the type allows.
    ///
    /// # Errors
    /// What is wrong with it all the same.
    fn read(value: &Value) -> Result<Self, ParamError>;

    /// The field as a value, `None` where it is absent.
    fn value(&self) -> Option<Value>;
}

/// One field of a struct of parameters, as [`params!`](crate::params!) hands it over.
pub struct Entry<T: Part> {
    /// The key, which is the field's name.
    pub key: &'static str,
    /// Its documentation.
    pub help: &'static str,
    /// Its bounds.
    pub bounds: T::Bounds,
    /// Its default; `None`: it must be given.
    pub default: Option<T>,
}

impl<T: Part + Params> Entry<T> {
    /// Lists the parameters of a struct inside another, whose default counts.
    pub fn list_group(self, out: &mut Vec<Param>) {
        let default = self.default.map(|default| default.values()).unwrap_or_default();
        out.extend(T::list().into_iter().map(|param| match default.get(param.key) {
            Some(value) => Param { default: Default::Is(value.clone()), ..param },
            None => param,
        }));
    }

    /// Reads a struct inside another.
    ///
    /// # Errors
    /// As [`Params::read`].
    pub fn read_group(self, values: &Values) -> Result<T, ParamError> {
        let mut all = self.default.map(|default| default.values()).unwrap_or_default();
        all.0.extend(values.0.clone());
        T::read(&all)
    }
}

/// A field: one parameter, or a struct with parameters of its own.
pub trait Part: Sized {
    /// What the type alone does not say.
    type Bounds;

    /// Adds the parameters of the field.
    fn add(entry: Entry<Self>, out: &mut Vec<Param>);

    /// Reads the field.
    ///
    /// # Errors
    /// As [`Params::read`].
    fn take(entry: Entry<Self>, values: &Values) -> Result<Self, ParamError>;

    /// Adds the values of the field.
    fn put(&self, key: &str, values: &mut Values);
}

impl<T: Field> Part for T {
    type Bounds = T::Bounds;

    fn add(entry: Entry<Self>, out: &mut Vec<Param>) {
        let Entry { key, help, bounds, default } = entry;
        let default = match default {
            None => Default::Required,
            Some(default) => default.value().map_or(Default::Absent, Default::Is),
        };
        let (ty, role) = (T::ty(&bounds), T::role(&bounds));
        out.push(Param { key, ty, default, role, help: help.trim_start() });
    }

    fn take(entry: Entry<Self>, values: &Values) -> Result<Self, ParamError> {
        let Entry { key, help, bounds, default } = entry;
        let Some(value) = values.get(key) else {
            let missing = || ParamError::at(key, format!("`{key}` is missing"), help.trim_start());
            return default.ok_or_else(missing);
        };
        let ty = T::ty(&bounds);
        if !ty.allows(value) {
            let message = format!("`{key}` must be {}", ty.wanted());
            return Err(ParamError::at(key, message, format!("it is {value}")));
        }
        T::read(value).map_err(|error| ParamError { key: Some(key.to_owned()), ..error })
    }

    fn put(&self, key: &str, values: &mut Values) {
        if let Some(value) = self.value() {
            values.set(key, value);
        }
    }
}

/// Defines a struct whose fields are parameters: the documentation of a field is its help, the
/// brackets hold its range, and a field without a default must be given.
///
/// A field may itself be such a struct; its parameters then stand among the others.
///
/// ```
/// use agon::params::{Params, Value, Values};
///
/// agon::params! {
///     /// What the game of Nim takes.
///     #[derive(Debug, PartialEq)]
///     pub struct NimParams {
///         /// how many there are
///         heap: u32 [1..=10_000] = 21,
///         /// how many may be taken at once; any number if not given
///         most: Option<u32> [1..=10_000] = None,
///     }
/// }
///
/// let mut values = Values::default();
/// assert_eq!(NimParams::read(&values), Ok(NimParams { heap: 21, most: None }));
/// values.set("heap", Value::Int(0));
/// let error = NimParams::read(&values).unwrap_err();
/// assert_eq!(error.message, "`heap` must be a whole number from 1 to 10000");
/// assert_eq!(NimParams::list()[0].help, "how many there are");
/// ```
#[macro_export]
macro_rules! params {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $(
        $(#[doc = $help:literal])* $field:ident: $ty:ty $([$bounds:expr])? = $default:expr
    ),+ $(,)? }) => {
        $crate::params! { @define $(#[$meta])* $vis struct $name { $(
            $(#[doc = $help])* $field: $ty $([$bounds])? = $default,
        )+ } }

        impl ::std::default::Default for $name {
            fn default() -> Self {
                $name { $($field: $default),+ }
            }
        }
    };
    (@define $(#[$meta:meta])* $vis:vis struct $name:ident { $(
        $(#[doc = $help:literal])* $field:ident: $ty:ty $([$bounds:expr])? $(= $default:expr)?,
    )+ }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[doc = $help])* pub $field: $ty),+ }

        impl $crate::params::Params for $name {
            fn list() -> Vec<$crate::params::Param> {
                let mut all = Vec::new();
                $(<$ty as $crate::params::Part>::add(
                    $crate::params!(@entry $field, [$($help)*], [$($bounds)?], [$($default)?]),
                    &mut all,
                );)+
                all
            }

            fn read(
                values: &$crate::params::Values,
            ) -> Result<Self, $crate::params::ParamError> {
                Ok($name { $($field: <$ty as $crate::params::Part>::take(
                    $crate::params!(@entry $field, [$($help)*], [$($bounds)?], [$($default)?]),
                    values,
                )?),+ })
            }

            fn values(&self) -> $crate::params::Values {
                let mut all = $crate::params::Values::default();
                $($crate::params::Part::put(&self.$field, stringify!($field), &mut all);)+
                all
            }
        }

        impl $crate::params::Part for $name {
            type Bounds = ();

            fn add(
                entry: $crate::params::Entry<Self>,
                out: &mut Vec<$crate::params::Param>,
            ) {
                entry.list_group(out);
            }

            fn take(
                entry: $crate::params::Entry<Self>,
                values: &$crate::params::Values,
            ) -> Result<Self, $crate::params::ParamError> {
                entry.read_group(values)
            }

            fn put(&self, _: &str, values: &mut $crate::params::Values) {
                values.0.extend($crate::params::Params::values(self).0);
            }
        }
    };
    (@entry $field:ident, [$($help:literal)*], [$($bounds:expr)?], [$($default:expr)?]) => {
        $crate::params::Entry {
            key: stringify!($field),
            help: concat!($($help),*),
            bounds: $crate::params!(@bounds $($bounds)?),
            default: $crate::params!(@default $($default)?),
        }
    };
    (@bounds) => { () };
    (@bounds $bounds:expr) => { ($bounds).into() };
    (@default) => { None };
    (@default $default:expr) => { Some($default) };
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $(
        $(#[doc = $help:literal])* $field:ident: $ty:ty $([$bounds:expr])? $(= $default:expr)?
    ),+ $(,)? }) => {
        $crate::params! { @define $(#[$meta])* $vis struct $name { $(
            $(#[doc = $help])* $field: $ty $([$bounds])? $(= $default)?,
        )+ } }
    };
}

/// Defines an enum whose variants are the words of a choice.
///
/// ```
/// agon::choice! {
///     /// Who begins.
///     pub enum Begins {
///         /// The first player.
///         First = "first",
///         /// The second player.
///         Second = "second",
///     }
/// }
///
/// assert_eq!(Begins::WORDS, ["first", "second"]);
/// assert_eq!(Begins::from_word("second").map(Begins::word), Some("second"));
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$about:meta])* $variant:ident = $word:literal),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $($(#[$about])* $variant),+ }

        impl $name {
            /// The words, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word of a variant.
            pub fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }

            /// The variant of a word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word {
                    $($word => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl $crate::params::Field for $name {
            type Bounds = ();

            fn ty(_: &()) -> $crate::params::Type {
                $crate::params::Type::Choice(Self::WORDS)
            }

            fn read(value: &$crate::params::Value) -> Result<Self, $crate::params::ParamError> {
                value.text().and_then(Self::from_word).ok_or_else($crate::params::mismatch)
            }

            fn value(&self) -> Option<$crate::params::Value> {
                Some($crate::params::Value::Text(self.word().to_owned()))
            }
        }
    };
}

/// The error of a value that a type does not allow.
pub fn mismatch() -> ParamError {
    ParamError::new("this value is of another type", "")
}

/// The bounds of a whole number, and what the number is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole(RangeInclusive<i64>, Role);

impl From<RangeInclusive<i64>> for Whole {
    fn from(range: RangeInclusive<i64>) -> Self {
        Whole(range, Role::Setting)
    }
}

/// Bounds of a number of megabytes (2^20 bytes) that one instance takes.
pub fn megabytes(range: RangeInclusive<i64>) -> Whole {
    Whole(range, Role::Memory)
}

/// Bounds of a number that says how much work may go into a move.
pub fn work(range: RangeInclusive<i64>) -> Whole {
    Whole(range, Role::Work)
}

/// Bounds of a number of milliseconds that a move may take.
pub fn milliseconds(range: RangeInclusive<i64>) -> Whole {
    Whole(range, Role::Time)
}

macro_rules! whole_numbers {
    ($($int:ty),+) => {$(
        impl Field for $int {
            type Bounds = Whole;

            fn ty(Whole(range, _): &Whole) -> Type {
                Type::Int { min: *range.start(), max: *range.end() }
            }

            fn role(Whole(_, role): &Whole) -> Role {
                *role
            }

            fn read(value: &Value) -> Result<Self, ParamError> {
                let Value::Int(int) = value else { return Err(mismatch()) };
                (*int).try_into().map_err(|_| mismatch())
            }

            fn value(&self) -> Option<Value> {
                i64::try_from(*self).ok().map(Value::Int)
            }
        }
    )+};
}

whole_numbers!(u32, u64, i32, usize);

impl Field for f64 {
    type Bounds = RangeInclusive<f64>;

    fn ty(bounds: &Self::Bounds) -> Type {
        Type::Float { min: *bounds.start(), max: *bounds.end() }
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        match value {
            Value::Float(float) => Ok(*float),
            Value::Int(int) => Ok(*int as f64),
            _ => Err(mismatch()),
        }
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Float(*self))
    }
}

impl Field for Depth {
    type Bounds = u32;

    fn ty(max: &u32) -> Type {
        Type::Depth { max: (*max).into() }
    }

    fn role(_: &u32) -> Role {
        Role::Work
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        Depth::of(value).ok_or_else(mismatch)
    }

    fn value(&self) -> Option<Value> {
        Some(self.to_value())
    }
}

impl<T: Field> Field for Option<T> {
    type Bounds = T::Bounds;

    fn ty(bounds: &T::Bounds) -> Type {
        T::ty(bounds)
    }

    fn role(bounds: &T::Bounds) -> Role {
        T::role(bounds)
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        T::read(value).map(Some)
    }

    fn value(&self) -> Option<Value> {
        self.as_ref().and_then(T::value)
    }
}

/// Types that are what a value holds.
macro_rules! held {
    ($($held:ty: $ty:expr, $value:ident;)+) => {$(
        impl Field for $held {
            type Bounds = ();

            fn ty(_: &()) -> Type {
                $ty
            }

            fn read(value: &Value) -> Result<Self, ParamError> {
                match value {
                    Value::$value(held) => Ok(held.clone().into()),
                    _ => Err(mismatch()),
                }
            }

            fn value(&self) -> Option<Value> {
                Some(Value::$value(self.clone().into()))
            }
        }
    )+};
}

held! {
    bool: Type::Bool, Bool;
    String: Type::Text, Text;
    BTreeMap<String, i64>: Type::Weights, Weights;
    BTreeMap<String, String>: Type::Settings, Settings;
    Vec<String>: Type::Texts, Texts;
    Vec<(f64, f64)>: Type::Pairs, Pairs;
    Box<Spec>: Type::Agent, Spec;
}
