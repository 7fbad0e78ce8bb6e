//! Opens tables of results, guesses their format and reads their rows.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use super::delimited_text;
use super::repeated_rows::hash_of;
use super::result_rows::{ResultRows, RowFacts, SeatedPlayer};
use super::row_builder::RowBuilder;
use super::table_fault::TableFault;
use super::table_options::TableOptions;
use super::{json_lines, json_list, pgn_results};
use crate::play::Outcome;
use crate::rows::games_csv_columns;
use crate::rows::games_csv_rows::GameRows;

type Input = Box<dyn BufRead + Send>;

/// Reads all tables: files, folders of agon, and `-` for the standard input.
///
/// # Errors
/// A file that cannot be read, and the first row that is wrong, unless such rows are left out.
pub fn read_result_tables(
    paths: &[impl AsRef<Path>],
    options: &TableOptions,
) -> Result<ResultRows, TableFault> {
    let mut builder = RowBuilder::new(options);
    let mut seen = HashSet::new();
    for path in paths {
        let path = path.as_ref();
        let is_stdin = path == Path::new("-");
        builder.begin_file(&if is_stdin { "stdin".into() } else { path.display().to_string() });
        if path.is_dir() && !path.join("games.csv").exists() {
            let help = "name the results folder of one run of agon, or a file";
            return Err(builder.fault_at(0, "the folder has no games.csv", help));
        }
        // Named pipes have no real path, and each is another table.
        let real = if is_stdin { Ok(path.to_owned()) } else { fs::canonicalize(table(path)) };
        if real.is_ok_and(|real| !seen.insert(real)) {
            let help = "name each file once, because each result counts once";
            return Err(builder.fault_at(0, "the file is named twice", help));
        }
        let input = open(path).map_err(|error| {
            let help = "name a file of results, or the results folder of a run of agon";
            builder.fault_at(0, format!("cannot read: {error}"), help)
        })?;
        read(input, path, &mut builder)?;
    }
    Ok(builder.rows)
}

fn open(path: &Path) -> io::Result<Input> {
    if path == Path::new("-") {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(table(path))?)))
}

/// The file with the games of a path, which may be a folder of agon.
fn table(path: &Path) -> PathBuf {
    if path.is_dir() { path.join("games.csv") } else { path.to_owned() }
}

/// Reads a file in the format that its name or its first bytes have.
fn read(mut input: Input, path: &Path, builder: &mut RowBuilder<'_>) -> Result<(), TableFault> {
    let unreadable = |builder: &RowBuilder<'_>, error: io::Error| {
        builder.fault_at(0, format!("cannot read: {error}"), "is the file complete?")
    };
    if input.fill_buf().map_err(|error| unreadable(builder, error))?.starts_with(&[0x1F, 0x8B]) {
        input = Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(input)));
    }
    let mut first = Vec::new();
    while first.trim_ascii().is_empty() {
        let read = input.read_until(b'\n', &mut first);
        if read.map_err(|error| unreadable(builder, error))? == 0 {
            return Err(builder.fault_at(0, "the file is empty", "name a file with results"));
        }
    }
    if first.starts_with(&[0xFF, 0xFE]) || first.starts_with(&[0xFE, 0xFF]) {
        let help = "convert the file to UTF-8, such as with `iconv -f utf-16 -t utf-8`";
        return Err(builder.fault_at(1, "the file is UTF-16", help));
    }
    if first.starts_with(b"\xEF\xBB\xBF") {
        first.drain(..3);
    }
    if let Some(format) = foreign_format(first.trim_ascii_start()) {
        let help =
            "name a file in CSV, TSV, JSON or PGN, also with gzip, or a results folder of agon";
        return Err(builder.fault_at(0, format!("the file seems to be {format}"), help));
    }
    let delimiter = delimited_text::delimiter(&first);
    let start = first.trim_ascii().to_vec();
    let input = Cursor::new(first).chain(input);
    let is_pgn =
        path.to_string_lossy().trim_end_matches(".gz").to_ascii_lowercase().ends_with(".pgn");
    if is_pgn || start.starts_with(b"%") || is_tag(&start) {
        pgn_results::read(input, builder)
    } else if start.starts_with(b"{") {
        json_lines::read(input, builder)
    } else if start.starts_with(b"[") {
        json_list::read(input, builder)
    } else if is_of_agon(&start) {
        read_games_csv(input, builder)
    } else {
        delimited_text::read(input, delimiter, builder)
    }
}

/// The format of a file that has no results which can be read, by its first line.
fn foreign_format(line: &[u8]) -> Option<&'static str> {
    let is = |start: &[u8]| line.starts_with(start);
    match () {
        () if is(b"PK\x03\x04") => Some("a ZIP archive or a spreadsheet"),
        () if is(b"%PDF") => Some("PDF"),
        () if is(b"<") => Some("HTML or XML"),
        () if is(b"BZh") || is(b"\xFD7zXZ") || is(b"\x28\xB5\x2F\xFD") || is(b"7z\xBC") => {
            Some("compressed, but not with gzip")
        }
        () if line.contains(&0) => Some("binary"),
        () => None,
    }
}

/// Whether a line is a tag of PGN, such as `[White "name"]`.
fn is_tag(line: &[u8]) -> bool {
    line.starts_with(b"[") && line.get(1).is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a header is that of `games.csv`.
fn is_of_agon(header: &[u8]) -> bool {
    let columns = |header: &[u8]| {
        header.split(|byte| *byte == b',').take(6).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    columns(header) == columns(games_csv_columns::header().as_bytes())
}

/// Reads a `games.csv` of agon.
fn read_games_csv(input: impl Read + Send, builder: &mut RowBuilder<'_>) -> Result<(), TableFault> {
    let TableOptions { group, split_by, .. } = builder.options;
    let named = [("--group", group), ("--split-by", split_by)];
    if let Some((option, column)) = named.iter().find_map(|(o, column)| Some((o, column.as_ref()?)))
    {
        let message = format!("games of agon have no column `{column}` for `{option}`");
        let help =
            "their openings and pairs are known without it: rate them alone, without the option";
        return Err(builder.fault_at(0, message, help));
    }
    let mut line = 1;
    let damaged = |builder: &RowBuilder<'_>, line: u64, what: String| {
        let what = what.replacen(&format!("line {line} "), "the line ", 1);
        builder.fault_at(line, what, "`agon report --verify DIR` lists all damage of a folder")
    };
    let mut games = GameRows::new(input, Vec::new())
        .map_err(|error| damaged(builder, line, error.to_string()))?;
    let mut self_play = 0;
    loop {
        line += 1;
        let row = games.next_row().map_err(|error| damaged(builder, line, error.to_string()))?;
        let Some(row) = row else { break };
        let [first, second] = match row.outcome {
            Outcome::First => [1, 2],
            Outcome::Draw => [1, 1],
            Outcome::Second => [2, 1],
            Outcome::Void => {
                builder.rows.voids += 1;
                continue;
            }
        };
        if row.first == row.second {
            self_play += 1;
            continue;
        }
        let [a, b] = [row.first, row.second].map(|agent| {
            let name = games.names()[agent].clone();
            builder.rows.names.number(&name)
        });
        let players = [
            SeatedPlayer { player: a, seat: 0, rank: first },
            SeatedPlayer { player: b, seat: 1, rank: second },
        ];
        // The recorded identity has the numbers of the agents in their own file.
        let identity = (row.rng_draws == 0).then(|| hash_of((a, b, games.texts())));
        let facts = RowFacts { line: line as u32, identity, ..RowFacts::default() };
        builder.add_agon_row(players, games.texts().0, facts);
    }
    if self_play > 0 {
        let note = format!(
            "{}: {self_play} games of agents against themselves are left out",
            builder.file()
        );
        builder.rows.notes.push(note);
    }
    Ok(())
}
