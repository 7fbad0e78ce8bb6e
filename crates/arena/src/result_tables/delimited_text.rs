//! Results in CSV, TSV, or text with semicolons.

use std::io::BufRead;

use super::file_columns::{Cell, CellFault, FileColumns};
use super::row_builder::RowBuilder;
use super::table_fault::TableFault;
use super::table_options::TableOptions;

/// The delimiters, the most usual first.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// The delimiter that a header has most often.
pub(super) fn delimiter(header: &[u8]) -> u8 {
    let count = |delimiter: u8| header.iter().filter(|byte| **byte == delimiter).count();
    let most = DELIMITERS.iter().map(|&delimiter| count(delimiter)).max().unwrap_or(0);
    DELIMITERS.into_iter().find(|&delimiter| count(delimiter) == most).unwrap_or(b',')
}

/// Reads a table with a header.
///
/// # Errors
/// The first row that is wrong, unless such rows are left out.
pub(super) fn read(
    reader: impl BufRead,
    delimiter: u8,
    builder: &mut RowBuilder<'_>,
) -> Result<(), TableFault> {
    let mut table = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .has_headers(!are_numbers(builder.options))
        .from_reader(reader);
    let unreadable = |builder: &RowBuilder<'_>, line: u64, error: csv::Error| {
        builder.fault_at(line, format!("cannot read: {error}"), "is the file complete?")
    };
    let header = table.byte_headers().map_err(|error| unreadable(builder, 1, error))?;
    let text = |field: &[u8]| String::from_utf8(field.to_vec()).ok();
    // `byte_headers` gives the first row in either case, and it is read again if it is no header.
    let names: Option<Vec<String>> = match are_numbers(builder.options) {
        true => Some((1..=header.len()).map(|column| column.to_string()).collect()),
        false => header.iter().map(text).collect(),
    };
    let Some(names) = names else {
        return Err(builder.fault_at(1, "the header is not UTF-8", UTF8));
    };
    let columns = FileColumns::new(names, true, builder.options, (builder.file(), 1))?;
    let width = columns.names.len();
    let mut record = csv::ByteRecord::new();
    let mut line = 1;
    loop {
        match table.read_byte_record(&mut record) {
            Ok(true) => line = record.position().map_or(line, csv::Position::line),
            Ok(false) => return builder.end_file(&columns),
            Err(error) => return Err(unreadable(builder, line, error)),
        }
        match cells(&record, &columns, width) {
            Ok(cells) => builder.add(&columns, line, &cells, None)?,
            Err(fault) => builder.reject(&columns, line, fault)?,
        }
    }
}

/// Whether `--columns` has numbers in the place of names, because the file has no header.
fn are_numbers(options: &TableOptions) -> bool {
    let is_number = |name: &str| name.trim().parse::<usize>().is_ok_and(|number| number > 0);
    !options.columns.is_empty() && options.columns.iter().all(|(_, name)| is_number(name))
}

pub(super) const UTF8: &str = "convert the file to UTF-8, such as with `iconv -f latin1 -t utf-8`";

/// The cells of a row that are read.
fn cells<'r>(
    record: &'r csv::ByteRecord,
    columns: &FileColumns,
    width: usize,
) -> Result<Vec<Cell<'r>>, CellFault> {
    if let Some(column) = record.iter().position(|field| field.contains(&b'\n')) {
        let help = "close the quote in the same line";
        let column = Some(column).filter(|column| *column < width);
        return Err(CellFault::new(column, "a quote does not end in its line", help));
    }
    if record.len() != width {
        let message = format!("the row has {} fields, and the header has {width}", record.len());
        let help = "quote fields that contain the delimiter, and write empty fields";
        return Err(CellFault::new(None, message, help));
    }
    let mut cells = Vec::with_capacity(width);
    for (column, field) in record.iter().enumerate().filter(|(column, _)| columns.is_read(*column))
    {
        let Ok(text) = std::str::from_utf8(field) else {
            return Err(CellFault::new(Some(column), "the text is not UTF-8", UTF8));
        };
        match columns.is_list(column) {
            true => {
                let list = text.split([';', '|', ',', ' ']).filter(|text| !text.is_empty());
                cells.extend(list.enumerate().map(|(seat, text)| Cell { column, seat, text }));
            }
            false => cells.push(Cell { column, seat: 0, text }),
        }
    }
    Ok(cells)
}
