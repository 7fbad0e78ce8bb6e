//! A pool of results that grows: JSON Lines, to which rows are only appended.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::SystemTime;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::result_rows::{ResultRow, ResultRows};
use super::table_fault::TableFault;

/// Appends rows to a pool and returns their number. Each row has the date and the name of its batch, which
/// is the hash of all its rows. A game that agon recorded twice is appended once, because duplicates are no
/// evidence.
///
/// # Errors
/// A pool that cannot be read or written, or that has this batch already.
pub fn append_to_pool(pool: &Path, rows: &ResultRows) -> Result<u64, TableFault> {
    let fault = |message: String, help: &str| TableFault {
        file: pool.display().to_string(),
        line: 0,
        column: None,
        message,
        help: help.to_owned(),
    };
    let refused = |error: io::Error| fault(format!("cannot write: {error}"), "name another pool");
    let mut seen = HashSet::new();
    let mut kept: Vec<ResultRow<'_>> = rows.iter().collect();
    kept.retain(|row| row.facts.identity.is_none_or(|game| seen.insert(game)));
    let batch = batch(rows, &kept);
    let mut file =
        OpenOptions::new().create(true).read(true).append(true).open(pool).map_err(refused)?;
    if has_batch(&file, &batch).map_err(refused)? {
        let help = "each result counts once; `agon rate POOL` rates the pool without new results";
        return Err(fault(format!("the pool has these results already (batch {batch})"), help));
    }
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let mut text =
        if ends_in_line(&mut file).map_err(refused)? { String::new() } else { "\n".to_owned() };
    for row in &kept {
        let number = |number: u32| (number > 0).then(|| format!("{batch}-{number}"));
        let mut line = conditions(rows, row);
        for (key, value) in [
            ("players", json!(sides(rows, row))),
            ("ranks", json!(ranks(row))),
            ("date", json!(date)),
            ("batch", json!(batch)),
        ] {
            line.insert(key.to_owned(), value);
        }
        for (key, value) in
            [("opening", number(row.facts.opening)), ("group", number(row.facts.group))]
        {
            if let Some(value) = value {
                line.insert(key.to_owned(), json!(value));
            }
        }
        text.push_str(&format!("{}\n", Value::Object(line)));
    }
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(refused)?;
    Ok(kept.len() as u64)
}

/// The name of these rows from these files: it does not depend on the date.
fn batch(rows: &ResultRows, kept: &[ResultRow<'_>]) -> String {
    // Two weeks may have the same results in two files.
    let mut hash = Sha256::new();
    hash.update(json!(rows.files).to_string());
    for row in kept {
        let (opening, group) = (row.facts.opening, row.facts.group);
        hash.update(json!([sides(rows, row), ranks(row), opening, group]).to_string());
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

fn has_batch(mut file: &File, batch: &str) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    let name = format!("\"batch\":\"{batch}\"");
    for line in BufReader::new(file).lines() {
        if line?.contains(&name) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a file is empty or ends with a newline.
fn ends_in_line(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The conditions of a row, such as its time control.
fn conditions(rows: &ResultRows, row: &ResultRow<'_>) -> Map<String, Value> {
    let number = row.facts.conditions.checked_sub(1);
    let text = number.map(|number| rows.conditions_of_rows.text(number));
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The names of each side in the order of the seats.
fn sides<'a>(rows: &'a ResultRows, row: &ResultRow<'_>) -> Vec<Vec<&'a str>> {
    let sides = row.players.chunk_by(|a, b| a.seat == b.seat);
    sides.map(|team| team.iter().map(|it| rows.names.text(it.player)).collect()).collect()
}

fn ranks(row: &ResultRow<'_>) -> Vec<u16> {
    row.players.chunk_by(|a, b| a.seat == b.seat).map(|team| team[0].rank).collect()
}
