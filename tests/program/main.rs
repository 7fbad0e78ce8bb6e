//! The program from outside: what it writes, prints and returns.

mod bench;
mod ci_page;
mod compare;
mod known_results;
mod main_job;
mod readme;
mod sprt;
mod support;
