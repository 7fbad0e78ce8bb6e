//! The program from outside: what it writes, prints and returns.

mod bench;
mod chance;
mod ci_page;
mod compare;
mod endure;
mod endure_damage;
mod endure_disk;
mod grade;
mod known_chance;
mod known_results;
mod main_job;
mod readme;
mod report;
mod said;
mod shards;
mod solve;
mod sprt;
mod support;
mod textbook;
