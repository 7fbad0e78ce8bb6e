//! Results in PGN: the tags of each game. Moves are only compared, never played.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::BufRead;

use super::delimited_text::UTF8;
use super::file_columns::{Cell, CellFault, FileColumns};
use super::row_builder::RowBuilder;
use super::table_fault::TableFault;

/// The tags that are read, each with the meaning of its name.
const TAGS: [&str; 6] = ["White", "Black", "Result", "FEN", "Variant", "TimeControl"];

/// A game whose end was not read yet.
#[derive(Default)]
struct OpenGame {
    /// The line of its first tag.
    line: u64,
    /// The values of the tags by column; empty if the game does not have the tag.
    values: Vec<String>,
    /// The text of the moves.
    moves: DefaultHasher,
    /// The number of words after the tags.
    words: u64,
    /// The result after the moves.
    end: String,
    /// A tag that is not UTF-8.
    broken_tag: Option<usize>,
}

/// Reads the games of a file.
///
/// # Errors
/// The first game that is wrong, unless such games are left out.
pub(super) fn read(
    mut reader: impl BufRead,
    builder: &mut RowBuilder<'_>,
) -> Result<(), TableFault> {
    let mut names: Vec<String> = TAGS.map(str::to_owned).to_vec();
    let asked = [&builder.options.group, &builder.options.split_by].into_iter().flatten();
    let named = builder.options.columns.iter().map(|(_, name)| name);
    for name in asked.chain(named) {
        if !names.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            names.push(name.clone());
        }
    }
    let columns = FileColumns::new(names, false, builder.options, (builder.file(), 0))?;
    let mut game: Option<OpenGame> = None;
    let (mut bytes, mut line, mut in_comment, mut games) = (Vec::new(), 0, false, 0);
    loop {
        bytes.clear();
        line += 1;
        match reader.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                return Err(builder.fault_at(
                    line,
                    format!("cannot read: {error}"),
                    "is the file complete?",
                ));
            }
        }
        let text = bytes.trim_ascii();
        if text.starts_with(b"[") && !in_comment {
            if game.as_ref().is_some_and(|game| game.words > 0) {
                games += 1;
                finish(game.take(), &columns, builder)?;
            }
            let width = columns.names.len();
            let game = game.get_or_insert_with(|| OpenGame {
                line,
                values: vec![String::new(); width],
                ..OpenGame::default()
            });
            read_tag(text, game, &columns);
        } else if !text.is_empty() && !text.starts_with(b"%") {
            let Some(game) = &mut game else {
                let help = "a game in PGN begins with tags, such as [White \"name\"]";
                return Err(builder.fault_at(line, "the line belongs to no game", help));
            };
            read_moves(text, game, &mut in_comment);
        }
    }
    games += u64::from(game.is_some());
    finish(game, &columns, builder)?;
    if games == 0 {
        return Err(builder.fault_at(0, "the file has no games", "name a file with results"));
    }
    builder.end_file(&columns)
}

/// Reads `[Name "value"]` if the tag has a meaning.
fn read_tag(line: &[u8], game: &mut OpenGame, columns: &FileColumns) {
    let line = &line[1..];
    let end = line
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b'"')
        .unwrap_or(line.len());
    let name = &line[..end];
    let Some(column) =
        columns.names.iter().position(|known| known.as_bytes().eq_ignore_ascii_case(name))
    else {
        return;
    };
    let quote = |byte: &u8| *byte == b'"';
    let (begin, end) = (line.iter().position(quote), line.iter().rposition(quote));
    let value =
        begin.zip(end).and_then(|(begin, end)| line.get(begin + 1..end)).unwrap_or_default();
    match std::str::from_utf8(value) {
        Ok(text) => game.values[column] = text.replace("\\\"", "\"").replace("\\\\", "\\"),
        Err(_) => game.broken_tag = Some(column),
    }
}

/// Reads a line of moves: keeps its last word outside comments, and the hash of its moves.
fn read_moves(line: &[u8], game: &mut OpenGame, in_comment: &mut bool) {
    let mut word = Vec::new();
    let mut end_word = |word: &mut Vec<u8>| {
        if !word.is_empty() {
            word.hash(&mut game.moves);
            game.words += 1;
            game.end.clear();
            if word.len() <= 7 {
                game.end.push_str(&String::from_utf8_lossy(word));
            }
            word.clear();
        }
    };
    for &byte in line {
        match byte {
            b'}' => *in_comment = false,
            _ if *in_comment => {}
            b'{' => {
                *in_comment = true;
                end_word(&mut word);
            }
            b';' => break,
            byte if byte.is_ascii_whitespace() => end_word(&mut word),
            byte => word.push(byte),
        }
    }
    end_word(&mut word);
}

/// Adds a game that has ended.
fn finish(
    game: Option<OpenGame>,
    columns: &FileColumns,
    builder: &mut RowBuilder<'_>,
) -> Result<(), TableFault> {
    let Some(mut game) = game else { return Ok(()) };
    if let Some(column) = game.broken_tag {
        let fault = CellFault::new(Some(column), "the tag is not UTF-8", UTF8);
        return builder.reject(columns, game.line, fault);
    }
    let result = &mut game.values[2];
    let is_result = ["1-0", "0-1", "1/2-1/2"].contains(&game.end.as_str());
    if result.is_empty() && is_result {
        result.clone_from(&game.end);
    }
    if is_result && *result != game.end {
        let message = format!("the tag says `{result}`, and the game ends with `{}`", game.end);
        let fault = CellFault::new(
            Some(2),
            message,
            "correct one of the two; `--skip-bad` leaves such games out",
        );
        return builder.reject(columns, game.line, fault);
    }
    // A result alone cannot be compared.
    let moves = (game.words > 1).then(|| game.moves.finish());
    let cells: Vec<Cell<'_>> = (game.values.iter().enumerate())
        .map(|(column, text)| Cell { column, seat: 0, text })
        .collect();
    builder.add(columns, game.line, &cells, moves)
}
