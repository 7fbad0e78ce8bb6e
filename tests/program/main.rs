//! The program from outside: what it writes, prints and returns.

mod bench;
mod chance;
mod check_engine;
mod chess;
mod ci_page;
mod compare;
mod gomocup;
mod grade;
mod known_chance;
mod known_results;
mod lopsided;
mod main_job;
mod page;
mod protocol_page;
mod readme;
mod replay;
mod report;
mod said;
mod serve;
mod served;
mod solve;
mod sprt;
mod support;
mod textbook;
