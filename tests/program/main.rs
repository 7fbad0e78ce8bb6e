//! The program from outside: what it writes, prints and returns.

mod bench;
mod chance;
mod ci_page;
mod compare;
mod console;
mod grade;
mod known_chance;
mod known_results;
mod main_job;
mod manual;
mod play;
mod readme;
mod report;
mod said;
mod solve;
mod sprt;
mod support;
mod textbook;
