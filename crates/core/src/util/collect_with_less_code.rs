//! Collecting of lists that are not on a hot path.
//!
//! The compiler generates `Iterator::collect` again for each closure, about 400 lines of
//! machine-independent code each. Here the list asks for its items through a pointer. So filling it
//! is compiled once for each type of item.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

pub trait Gather: Iterator + Sized {
    /// As `collect`, with less code and a call through a pointer for each item.
    fn gather<C: FromNext<Self::Item>>(mut self) -> C {
        C::from_next(&mut self)
    }

    /// As `sum`, with less code and a call through a pointer for each item.
    fn total(mut self) -> Self::Item
    where
        Self::Item: Summable,
    {
        Summable::total(&mut self)
    }
}

impl<I: Iterator> Gather for I {}

pub trait AddAll<T> {
    /// As `extend`, with less code and a call through a pointer for each item.
    fn add_all(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T> AddAll<T> for Vec<T> {
    fn add_all(&mut self, items: impl IntoIterator<Item = T>) {
        add(self, &mut items.into_iter());
    }
}

/// An iterator behind a pointer. The table of a `dyn Iterator` has more functions.
pub trait Next<T> {
    fn take_next(&mut self) -> Option<T>;
}

impl<T, I: Iterator<Item = T>> Next<T> for I {
    fn take_next(&mut self) -> Option<T> {
        self.next()
    }
}

fn add<T>(all: &mut Vec<T>, items: &mut dyn Next<T>) {
    while let Some(item) = items.take_next() {
        all.push(item);
    }
}

/// Numbers with a sum.
pub trait Summable: Sized {
    fn total(items: &mut dyn Next<Self>) -> Self;
}

macro_rules! numbers {
    ($($number:ty: $zero:literal;)+) => {$(
        impl Summable for $number {
            fn total(items: &mut dyn Next<Self>) -> Self {
                let mut sum = $zero;
                while let Some(item) = items.take_next() {
                    sum += item;
                }
                sum
            }
        }
    )+};
}

numbers! {
    i32: 0;
    i64: 0;
    u64: 0;
    usize: 0;
    // As `sum` begins.
    f64: -0.0;
}

pub trait FromNext<T> {
    fn from_next(items: &mut dyn Next<T>) -> Self;
}

impl<T> FromNext<T> for Vec<T> {
    fn from_next(items: &mut dyn Next<T>) -> Self {
        let mut all = Vec::new();
        add(&mut all, items);
        all
    }
}

/// Collections with a method that adds one item.
macro_rules! one_by_one {
    ($([$($bounds:tt)*] $item:ty => $all:ty: |$to:ident, $one:pat_param| $add:expr;)+) => {$(
        impl<$($bounds)*> FromNext<$item> for $all {
            fn from_next(items: &mut dyn Next<$item>) -> Self {
                let mut $to = <$all>::new();
                while let Some($one) = items.take_next() {
                    $add;
                }
                $to
            }
        }
    )+};
}

one_by_one! {
    [K: Ord, V] (K, V) => BTreeMap<K, V>: |all, (key, value)| all.insert(key, value);
    [] (String, Value) => Map<String, Value>: |all, (key, value)| all.insert(key, value);
    [] String => String: |all, text| all.push_str(&text);
    ['a] &'a str => String: |all, text| all.push_str(text);
    [] char => String: |all, letter| all.push(letter);
}

impl<T, E, C: FromNext<T>> FromNext<Result<T, E>> for Result<C, E> {
    fn from_next(items: &mut dyn Next<Result<T, E>>) -> Self {
        let mut first = None;
        let mut good = std::iter::from_fn(|| match items.take_next()? {
            Ok(item) => Some(item),
            Err(error) => {
                first = Some(error);
                None
            }
        });
        let all = C::from_next(&mut good);
        first.map_or(Ok(all), Err)
    }
}

impl<T, C: FromNext<T>> FromNext<Option<T>> for Option<C> {
    fn from_next(items: &mut dyn Next<Option<T>>) -> Self {
        let mut missing = false;
        let mut some = std::iter::from_fn(|| {
            let item = items.take_next()?;
            missing = item.is_none();
            item
        });
        let all = C::from_next(&mut some);
        (!missing).then_some(all)
    }
}

/// Calls a function with each item of a short array.
pub trait Each<T> {
    /// The array of the results.
    type Of<R>;

    /// As `map` of an array, which has 300 lines of machine-independent code for each closure.
    fn each<R>(self, f: impl FnMut(T) -> R) -> Self::Of<R>;
}

macro_rules! each {
    ($($count:literal: $($item:ident)+;)+) => {$(
        impl<T> Each<T> for [T; $count] {
            type Of<R> = [R; $count];

            #[inline]
            fn each<R>(self, mut f: impl FnMut(T) -> R) -> [R; $count] {
                let [$($item),+] = self;
                [$(f($item)),+]
            }
        }
    )+};
}

each! {
    2: a b;
    3: a b c;
    4: a b c d;
    5: a b c d e;
    6: a b c d e f;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathers_what_collect_collects() {
        let lines: [&[&str]; 4] = [&[], &["1", "2"], &["1", "x", "3"], &["y"]];
        for line in lines {
            let numbers = || line.iter().map(|text| text.parse::<u32>());
            assert_eq!(numbers().gather::<Result<Vec<_>, _>>(), numbers().collect());
            let known = || numbers().map(Result::ok);
            assert_eq!(known().gather::<Option<Vec<_>>>(), known().collect());
            assert_eq!(known().gather::<Vec<_>>(), known().collect::<Vec<_>>());
            let pairs = || line.iter().zip(1..);
            assert_eq!(pairs().gather::<BTreeMap<_, _>>(), pairs().collect());
            assert_eq!(line.iter().copied().gather::<String>(), line.concat());
            let mut all = vec!["before"];
            all.add_all(line.iter().copied());
            assert_eq!(line.iter().map(|text| text.len()).total(), line.concat().len());
            assert_eq!(all, [&["before"], line].concat());
        }
    }
}
