//! Tests of the agon program: files, output and exit codes.

mod bench;
mod chance;
mod check_engine;
mod chess;
mod ci_page;
mod compare;
mod console;
mod damage;
mod endure;
mod endure_damage;
mod endure_disk;
mod gomocup;
mod grade;
mod known_chance;
mod known_results;
mod lopsided;
mod main_job;
mod manual;
mod old_names;
mod page;
mod play;
mod protocol_page;
mod readme;
mod replay;
mod report;
mod said;
mod scale;
mod search_page;
mod serve;
mod served;
mod shards;
mod solve;
mod sprt;
#[path = "../support/program.rs"]
mod support;
mod textbook;
