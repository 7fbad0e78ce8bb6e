//! The program from outside: what it writes, prints and returns.

mod bench;
mod known_results;
mod main_job;
mod readme;
mod report;
mod sprt;
mod support;
