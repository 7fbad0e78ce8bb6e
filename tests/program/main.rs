//! The program from outside: what it writes, prints and returns.

mod chance;
mod known_chance;
mod known_results;
mod main_job;
mod readme;
mod solve;
mod sprt;
mod support;
mod textbook;
