//! The support modules of the tests of the program that these tests need.
#![allow(dead_code, reason = "each test program uses its part")]

#[path = "../../../../tests/support/games.rs"]
pub mod games;
#[path = "../../../../tests/support/search.rs"]
pub mod search;
