//! Makes rows of the named cells of a table, and says what is wrong with a row.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::column_roles::{ColumnRole, guess};
use super::file_columns::{Cell, CellFault, FileColumns};
use super::games_of_rows::GamesOfRows;
use super::repeated_rows::{RepeatedRows, each_game_mirrored, hash_of};
use super::result_rows::{ConditionCounts, ResultRows, RowFacts, SeatedPlayer};
use super::result_words::{self, ResultWord};
use super::table_fault::TableFault;
use super::table_options::TableOptions;
use crate::stats::ranked::RankedSamples;

/// A name or a value of a seat, and its column.
type OfSeat<'a> = (usize, &'a str, usize);

/// More players in a row, or longer names in bytes, are a mistake.
const MOST_PLAYERS: usize = 1_000;
const LONGEST_NAME: usize = 1_000;

/// The cells of a row by their meaning.
#[derive(Default)]
struct RowCells<'a> {
    players: Vec<OfSeat<'a>>,
    ranks: Vec<OfSeat<'a>>,
    scores: Vec<OfSeat<'a>>,
    result: Option<(&'a str, usize)>,
    winner: Option<(&'a str, usize)>,
    opening: &'a str,
    seed: &'a str,
    id: &'a str,
    group: Option<&'a str>,
    list: Option<&'a str>,
    /// The seat of the player whose view the row is.
    seat: Option<(&'a str, usize)>,
    /// The columns of conditions with their values.
    conditions: Vec<(usize, &'a str)>,
}

/// What the numbers of a file of results mean, and where that was seen.
#[derive(Default)]
struct NumberScale {
    /// Rows whose result is 0.
    zeros: Vec<usize>,
    minus_one: Option<u64>,
    half: Option<u64>,
}

/// Makes the rows of all tables.
pub(super) struct RowBuilder<'o> {
    pub options: &'o TableOptions,
    pub rows: ResultRows,
    openings: HashMap<u64, u32>,
    groups: HashMap<u64, u32>,
    scale: NumberScale,
    repeated: RepeatedRows,
    games: GamesOfRows,
    entries: Vec<SeatedPlayer>,
    /// The number of rows before the current file.
    rows_before: usize,
}

/// The number of a key, from 1.
fn number_of(numbers: &mut HashMap<u64, u32>, key: u64) -> u32 {
    let next = numbers.len() as u32 + 1;
    *numbers.entry(key).or_insert(next)
}

impl<'o> RowBuilder<'o> {
    pub fn new(options: &'o TableOptions) -> Self {
        RowBuilder {
            options,
            rows: ResultRows::default(),
            openings: HashMap::new(),
            groups: HashMap::new(),
            scale: NumberScale::default(),
            repeated: RepeatedRows::default(),
            games: GamesOfRows::default(),
            entries: Vec::new(),
            rows_before: 0,
        }
    }

    pub fn begin_file(&mut self, file: &str) {
        self.rows.files.push(file.to_owned());
        self.scale = NumberScale::default();
        self.repeated = RepeatedRows::default();
        self.games = GamesOfRows::default();
        self.rows_before = self.rows.len();
    }

    /// The current file, as the user named it.
    pub fn file(&self) -> &str {
        self.rows.files.last().map_or("", String::as_str)
    }

    /// A mistake in a line of the current file.
    pub fn fault_at(&self, line: u64, message: impl Into<String>, help: &str) -> TableFault {
        let (file, message) = (self.file().to_owned(), message.into());
        TableFault { file, line, column: None, message, help: help.to_owned() }
    }

    /// Leaves a wrong row out, or ends the reading.
    pub fn reject(
        &mut self,
        columns: &FileColumns,
        line: u64,
        fault: CellFault,
    ) -> Result<(), TableFault> {
        let column = fault.column.map(|column| {
            (columns.are_numbered.then_some(column + 1), columns.names[column].trim().to_owned())
        });
        let at = self.fault_at(line, fault.message, fault.help);
        let fault = TableFault { column, ..at };
        if !self.options.skip_bad {
            return Err(fault);
        }
        self.rows.skipped_rows += 1;
        if self.rows.skipped.len() < ResultRows::SHOWN {
            self.rows.skipped.push(fault);
        }
        Ok(())
    }

    /// Adds a row. `moves` is the hash of the moves, if the table has them.
    pub fn add(
        &mut self,
        columns: &FileColumns,
        line: u64,
        cells: &[Cell<'_>],
        moves: Option<u64>,
    ) -> Result<(), TableFault> {
        if columns.is_row_of_player {
            return match self.games.add(columns, line, cells) {
                Ok(()) => Ok(()),
                Err(fault) => self.reject(columns, line, fault),
            };
        }
        self.add_game(columns, line, cells, moves)
    }

    fn add_game(
        &mut self,
        columns: &FileColumns,
        line: u64,
        cells: &[Cell<'_>],
        moves: Option<u64>,
    ) -> Result<(), TableFault> {
        let row = self.cells_by_meaning(columns, cells);
        match self.build(&row, line).and_then(|has_result| {
            row.seat.map_or(Ok(()), |seat| self.take_seats(seat)).map(|()| has_result)
        }) {
            Ok(true) => self.finish_row(&row, columns, line, moves),
            Ok(false) => self.rows.voids += 1,
            Err(fault) => return self.reject(columns, line, fault),
        }
        Ok(())
    }

    fn cells_by_meaning<'a>(&mut self, columns: &FileColumns, cells: &[Cell<'a>]) -> RowCells<'a> {
        use ColumnRole::{
            Condition, Group, Id, Opening, Players, Rank, Ranks, Result, Score, Scores, Seat, Seed,
            Winner,
        };
        let mut row = RowCells::default();
        for &Cell { column, seat, text } in cells {
            let text = text.trim();
            if columns.group == Some(column) {
                row.group = Some(text);
            }
            if columns.list == Some(column) {
                row.list = Some(text);
            }
            if columns.seat == Some(column) && columns.is_view_of_player {
                row.seat = Some((text, column));
            }
            match columns.roles[column] {
                Some(Seat(seat)) if is_team(&columns.names[column]) => {
                    row.players.extend(text.split('+').map(|name| (seat, name.trim(), column)));
                }
                Some(Seat(seat)) => row.players.push((seat, text, column)),
                Some(Players) => row.players.push((seat, text, column)),
                Some(Rank(seat)) => row.ranks.push((seat, text, column)),
                Some(Ranks) => row.ranks.push((seat, text, column)),
                Some(Score(seat)) => row.scores.push((seat, text, column)),
                Some(Scores) => row.scores.push((seat, text, column)),
                Some(Result) => row.result = Some((text, column)),
                Some(Winner) => row.winner = Some((text, column)),
                Some(Opening) => row.opening = text,
                Some(Seed) => row.seed = text,
                Some(Id) => row.id = text,
                Some(Condition) => {
                    self.count_condition(&columns.names[column], text);
                    row.conditions.push((column, text));
                }
                Some(Group) | None => {}
            }
        }
        row
    }

    /// The number of the conditions of a row.
    fn conditions(&mut self, row: &RowCells<'_>, columns: &FileColumns) -> u32 {
        let given = row.conditions.iter().filter(|(_, value)| !value.is_empty());
        let given = given.map(|&(column, value)| (columns.names[column].trim(), value));
        let object: BTreeMap<&str, &str> = given.collect();
        match object.is_empty() {
            true => 0,
            false => self.rows.conditions_of_rows.number(&json!(object).to_string()) + 1,
        }
    }

    fn count_condition(&mut self, name: &str, value: &str) {
        let known = self.rows.conditions.iter_mut().find(|(of, _)| of == name);
        match known {
            Some((_, counts)) => counts.count(value),
            None => {
                let mut counts = ConditionCounts::default();
                counts.count(value);
                self.rows.conditions.push((name.to_owned(), counts));
            }
        }
    }

    /// Makes the players of a row with their ranks. False for a row without result.
    fn build(&mut self, row: &RowCells<'_>, line: u64) -> Result<bool, CellFault> {
        let has_result = self.rank(row, line)?;
        let sides = self.entries.chunk_by(|a, b| a.seat == b.seat);
        let mut ranks: Vec<u16> = sides.map(|side| side[0].rank).collect();
        ranks.sort_unstable();
        let tied = ranks.chunk_by(|a, b| a == b).map(<[u16]>::len).max().unwrap_or(0);
        if tied > RankedSamples::MOST_TIED {
            let cells = [&row.ranks, &row.scores].into_iter().flatten();
            let message = format!(
                "{tied} players have the same rank; at most {} can be tied",
                RankedSamples::MOST_TIED
            );
            let help = "give more exact ranks or points; `--skip-bad` leaves such rows out";
            return Err(CellFault::new(cells.map(|it| it.2).next(), message, help));
        }
        Ok(has_result)
    }

    /// The players and the ranks of a row.
    fn rank(&mut self, row: &RowCells<'_>, line: u64) -> Result<bool, CellFault> {
        self.entries.clear();
        if row.players.len() > MOST_PLAYERS {
            let message = format!("the row has {} players", row.players.len());
            let help = "a row has at most 1000 players; `--skip-bad` leaves such rows out";
            return Err(CellFault::new(row.players.first().map(|it| it.2), message, help));
        }
        for &(seat, name, column) in &row.players {
            let has_value =
                |of: &[OfSeat<'_>]| of.iter().any(|(s, text, _)| *s == seat && !text.is_empty());
            if name.is_empty() && seat > 1 && !has_value(&row.ranks) && !has_value(&row.scores) {
                continue;
            }
            if name.is_empty() || name == "?" {
                let help = "give each player a name, or leave such rows out with `--skip-bad`";
                return Err(CellFault::new(Some(column), "the player has no name", help));
            }
            if name.len() > LONGEST_NAME {
                let message = format!("the name of the player has {} bytes", name.len());
                let help = "a name has at most 1000 bytes: is a delimiter or a quote missing?";
                return Err(CellFault::new(Some(column), message, help));
            }
            let player = self.rows.names.number(name);
            if self.entries.iter().any(|it| it.player == player) {
                let message = format!("`{name}` plays against itself");
                let help =
                    "different players need different names; `--skip-bad` leaves such rows out";
                return Err(CellFault::new(Some(column), message, help));
            }
            self.entries.push(SeatedPlayer { player, seat: seat as u16, rank: 1 });
        }
        self.entries.sort_by_key(|it| it.seat);
        let mut seats: Vec<u16> = self.entries.iter().map(|it| it.seat).collect();
        seats.dedup();
        if seats.len() < 2 {
            let help = "a row needs at least two players";
            let message = format!("the row has {} of the players", seats.len());
            return Err(CellFault::new(row.players.first().map(|it| it.2), message, help));
        }
        let is_given = |of: &[OfSeat<'_>]| of.iter().any(|(_, text, _)| !text.is_empty());
        if is_given(&row.ranks)
            || (row.result.is_none() && row.winner.is_none() && row.scores.is_empty())
        {
            self.rank_by_ranks(row, &seats).map(|()| true)
        } else if let Some(cell) = row.result {
            self.rank_by_result(row, &seats, cell, line)
        } else if let Some((text, column)) = row.winner {
            self.rank_by_winner(row, &seats, text, column).map(|()| true)
        } else {
            self.rank_by_scores(row, &seats).map(|()| true)
        }
    }

    /// Exchanges the seats if the player whose view the row is has moved second.
    fn take_seats(&mut self, (text, column): (&str, usize)) -> Result<(), CellFault> {
        match result_words::seat_number(text) {
            Some(1) => Ok(()),
            Some(2) => {
                self.entries.iter_mut().for_each(|it| it.seat = 1 - it.seat);
                self.entries.sort_by_key(|it| it.seat);
                Ok(())
            }
            _ => {
                let message = format!("`{text}` is not a seat of two players");
                let help = "write 1 or 2, first or second, or white or black";
                Err(CellFault::new(Some(column), message, help))
            }
        }
    }

    fn set_ranks(&mut self, seats: &[u16], ranks: &[u16]) {
        for entry in &mut self.entries {
            let place = seats.iter().position(|seat| *seat == entry.seat).unwrap_or(0);
            entry.rank = ranks[place];
        }
    }

    /// Ranks for seats that have won and seats that have not.
    fn set_winner(&mut self, winner: u16) {
        self.entries.iter_mut().for_each(|it| it.rank = if it.seat == winner { 1 } else { 2 });
    }

    fn rank_by_ranks(&mut self, row: &RowCells<'_>, seats: &[u16]) -> Result<(), CellFault> {
        let help = "ranks are whole numbers from 1 or from 0, the best first; players with the same rank \
                    are tied";
        let ranks =
            of_seats(&row.ranks, seats, row, "rank", help, |text| text.parse::<u16>().ok())?;
        if let Some(missing) = result_words::missing_rank(&ranks) {
            let after = (row.ranks.iter())
                .find(|(_, text, _)| text.parse().is_ok_and(|rank: u16| rank > missing));
            let message = format!("the ranks have a gap: no player has rank {missing}");
            return Err(CellFault::new(after.map(|it| it.2), message, help));
        }
        self.set_ranks(seats, &ranks);
        Ok(())
    }

    fn rank_by_scores(&mut self, row: &RowCells<'_>, seats: &[u16]) -> Result<(), CellFault> {
        const MOST: f64 = 1e9;
        let help = "points are numbers between -1e9 and 1e9; more is better";
        let scores = of_seats(&row.scores, seats, row, "score", help, |text| {
            text.replace(',', ".").parse::<f64>().ok().filter(|score| score.abs() < MOST)
        })?;
        self.set_ranks(seats, &result_words::ranks_of_scores(&scores));
        Ok(())
    }

    fn rank_by_result(
        &mut self,
        row: &RowCells<'_>,
        seats: &[u16],
        (text, column): (&str, usize),
        line: u64,
    ) -> Result<bool, CellFault> {
        let Some(result) = result_words::result(text) else {
            let is_name = row.players.iter().any(|(_, name, _)| *name == text);
            if is_name {
                return self.rank_by_winner(row, seats, text, column).map(|()| true);
            }
            let message = match text {
                "" => "the result is missing".to_owned(),
                "*" => "the game has no result (`*`)".to_owned(),
                text => format!("`{text}` is not a result"),
            };
            let help = "write 1-0, 0-1 or 1/2-1/2, or win, draw or loss, or 1, 0.5 or 0, or the winner's \
                 name; `--skip-bad` leaves such rows out";
            return Err(CellFault::new(Some(column), message, help));
        };
        let &[first, second] = seats else {
            let message =
                format!("`{text}` is the result of two players, and the row has {}", seats.len());
            let help = "give ranks or points for each player";
            return Err(CellFault::new(Some(column), message, help));
        };
        match result {
            ResultWord::First => self.set_winner(first),
            ResultWord::Draw => {}
            ResultWord::Second => self.set_winner(second),
            ResultWord::Half => self.scale.half = self.scale.half.or(Some(line)),
            ResultWord::Zero => {
                self.scale.zeros.push(self.rows.len());
                self.set_winner(second);
            }
            ResultWord::MinusOne => {
                self.scale.minus_one = self.scale.minus_one.or(Some(line));
                self.set_winner(second);
            }
            ResultWord::Void => return Ok(false),
        }
        Ok(true)
    }

    fn rank_by_winner(
        &mut self,
        row: &RowCells<'_>,
        seats: &[u16],
        text: &str,
        column: usize,
    ) -> Result<(), CellFault> {
        let named = row.players.iter().find(|(_, name, _)| *name == text).map(|it| it.0 as u16);
        let seated = || match guess(text) {
            Some(ColumnRole::Seat(seat)) => Some(seat as u16),
            _ => text.parse::<u16>().ok().and_then(|number| number.checked_sub(1)),
        };
        let is_draw = result_words::is_draw(text);
        let winner = named.or_else(|| seated().filter(|_| !is_draw && !text.is_empty()));
        match winner.filter(|seat| seats.contains(seat)) {
            Some(seat) => self.set_winner(seat),
            None if is_draw => {}
            None => {
                let message = match text {
                    "" => "the winner is missing".to_owned(),
                    text => format!("the winner `{text}` is not a player of this row"),
                };
                let help = "write the name of a player of the row, or `draw`";
                return Err(CellFault::new(Some(column), message, help));
            }
        }
        Ok(())
    }

    /// Keeps the row that was built.
    fn finish_row(
        &mut self,
        row: &RowCells<'_>,
        columns: &FileColumns,
        line: u64,
        moves: Option<u64>,
    ) {
        let opening = match row.opening {
            "" => 0,
            text => number_of(&mut self.openings, hash_of(text)),
        };
        let group = row.group.map_or(0, |text| number_of(&mut self.groups, hash_of(text)));
        let list = row.list.map_or(0, |text| self.rows.lists.number(text));
        let file = self.rows.files.len() as u32 - 1;
        let conditions = self.conditions(row, columns);
        let line = line as u32;
        let facts = RowFacts { opening, group, list, conditions, file, line, identity: None };
        let start = hash_of((row.opening, row.seed, moves));
        let is_start_known = opening > 0 || !row.seed.is_empty() || moves.is_some();
        if !row.id.is_empty() {
            self.repeated.add_id(hash_of(row.id));
        } else if columns.is_view_of_player && seats_of_two(&self.entries) {
            let viewer = row.players.iter().find(|(seat, _, _)| *seat == 0);
            let viewer = viewer.map_or(0, |(_, name, _)| self.rows.names.number(name));
            // With a column of seats, both views of a game have the same seats.
            let seats = row.seat.map(|_| self.entries[0].player);
            self.repeated.add_view(&self.entries, viewer, hash_of((start, seats)));
        }
        if is_start_known {
            let players: Vec<u32> = self.entries.iter().map(|it| it.player).collect();
            self.repeated.add_start(hash_of((players, start)));
        }
        self.rows.push(&self.entries, facts);
    }

    /// Adds a row of a folder of agon.
    pub fn add_agon_row(&mut self, players: [SeatedPlayer; 2], opening: &str, facts: RowFacts) {
        let opening = number_of(&mut self.openings, hash_of(("agon", opening)));
        let file = self.rows.files.len() as u32 - 1;
        self.rows.push(&players, RowFacts { opening, file, ..facts });
    }

    /// Ends a file: what its numbers mean, and whether it holds games twice.
    pub fn end_file(&mut self, columns: &FileColumns) -> Result<(), TableFault> {
        for (line, cells) in std::mem::take(&mut self.games).in_order() {
            let cells: Vec<Cell<'_>> = (cells.iter())
                .map(|(column, seat, text)| Cell { column: *column, seat: *seat, text })
                .collect();
            self.add_game(columns, line, &cells, None)?;
        }
        if columns.is_row_of_player && columns.seat.is_none() {
            let note = format!(
                "{}: no column is `seat`, so the order of the players is random, and figures of seats say nothing",
                self.file()
            );
            self.rows.notes.push(note);
        }
        if let (Some(minus_one), Some(half)) = (self.scale.minus_one, self.scale.half) {
            let message = format!("the results have −1 (line {minus_one}) and ½ (line {half})");
            let help = "wins, draws and losses are 1, 0, −1 or 1, ½, 0: write one of the two";
            return Err(self.fault_at(0, message, help));
        }
        if self.scale.minus_one.is_some() {
            let zeros = std::mem::take(&mut self.scale.zeros);
            zeros.into_iter().for_each(|row| self.rows.draw(row));
        }
        let has_identity = columns.roles.contains(&Some(ColumnRole::Id));
        let may_be_mirrored =
            !has_identity && !columns.is_view_of_player && columns.group.is_none();
        let columns = columns.in_words(self.rows.has_openings());
        self.rows.columns.push(format!("{}: {columns}", self.file()));
        let repeated = std::mem::take(&mut self.repeated);
        if let Some(twice) = repeated.each_game_twice() {
            let help = "keep the log of one player only: a game that counts twice looks like more evidence";
            return Err(self.fault_at(0, twice, help));
        }
        let mirrored =
            may_be_mirrored.then(|| each_game_mirrored(&self.rows, self.rows_before)).flatten();
        if let Some(twice) = mirrored {
            let help = "keep the log of one player only; if they are different games, name a column of \
                        tasks or openings with `--group`";
            return Err(self.fault_at(0, twice, help));
        }
        let note = repeated.note().map(|note| format!("{}: {note}", self.file()));
        self.rows.notes.extend(note);
        Ok(())
    }
}

fn is_team(column: &str) -> bool {
    column.trim().to_ascii_lowercase().starts_with("team")
}

fn seats_of_two(entries: &[SeatedPlayer]) -> bool {
    entries.len() == 2
}

/// The value of each seat, parsed.
fn of_seats<T>(
    cells: &[OfSeat<'_>],
    seats: &[u16],
    row: &RowCells<'_>,
    what: &str,
    help: &'static str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, CellFault> {
    let player = |seat: usize| {
        let of = row.players.iter().find(|(of, _, _)| *of == seat);
        of.map_or(String::new(), |(_, name, _)| format!("`{name}`"))
    };
    let extra =
        cells.iter().find(|(seat, text, _)| !text.is_empty() && !seats.contains(&(*seat as u16)));
    if let Some((_, text, column)) = extra {
        let message = format!("the {what} `{text}` belongs to no player");
        return Err(CellFault::new(Some(*column), message, help));
    }
    let value = |seat: &u16| {
        let seat = usize::from(*seat);
        let found = cells.iter().find(|(of, text, _)| *of == seat && !text.is_empty());
        let Some((_, text, column)) = found else {
            let column = cells.first().map(|it| it.2);
            return Err(CellFault::new(column, format!("{} has no {what}", player(seat)), help));
        };
        parse(text)
            .ok_or_else(|| CellFault::new(Some(*column), format!("`{text}` is not a {what}"), help))
    };
    seats.iter().map(value).collect()
}
