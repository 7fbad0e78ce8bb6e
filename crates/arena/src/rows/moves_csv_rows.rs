//! A row of `moves.csv`: a move of an agent, its cost, and its grade.

use std::io::Read;
use std::sync::LazyLock;

use super::csv_layout::{Column, CsvLayout, CsvLines};
use super::games_csv_rows::GameRow;
use super::results_folder_errors::RowError;
use super::row_fields::Columns;
use super::row_writer::RowWriter;
use crate::agents::FaultKind;
use crate::games::Player;
use crate::play::{GameRecord, GradedMove, MoveRecord, MoveTexts, Outcome};

// Meanings that several columns share.
const PLACE: &str = "number of the game; number of the move, counted over both players from the start of \
         the game, including the opening";
const WHO: &str = "`first` or `second`; the agent's name; in the game's notation";
const COST: &str = "nodes searched and depth completed; empty if nothing was searched, or the move was \
         not recorded during the game";
const EXACT: &str = "exact values as the first player's points: 1 a win, 0.5 a draw, 0 a loss, their mean \
         in games with dice; or the expected payoff. Empty if the game was not graded, as are \
         the next two";
const CUT: &str = "nodes that the search left early because of a cut-off, and the number of them with \
         the first move; empty as `nodes`";

/// The columns of `moves.csv`, in order. A new column is an entry at the end, and a line in
/// [`MoveRow::read`] and in [`write_row`]. The checksum comes after them.
static MOVE_COLUMNS: &[Column] = &[
    Column::new("game", PLACE),
    Column::new("ply", PLACE),
    Column::new("player", WHO),
    Column::new("agent", WHO),
    Column::new("move", WHO),
    Column::new("nodes", COST),
    Column::new("depth", COST),
    Column::new(
        "value",
        "the agent's own value of the position before its move, in the first player's frame \
         and the unit of its evaluator; empty if it has none",
    ),
    Column::new(
        "time_ns",
        "nanoseconds spent on choosing; empty if the move was not recorded during the game",
    ),
    Column::new("value_before", EXACT),
    Column::new("value_after", EXACT),
    Column::new("best", "1 if no move was better (sooner wins and later losses are), otherwise 0"),
    Column::new(
        "regret",
        "what the move lost against the best move, from the mover's side: 0 or more",
    ),
    Column::optional("cutoffs", CUT),
    Column::optional("first_cutoffs", CUT),
];

pub(crate) static LAYOUT: LazyLock<CsvLayout> =
    LazyLock::new(|| CsvLayout::new("moves.csv", MOVE_COLUMNS, &[]));

const GAME: usize = 0;
const PLY: usize = 1;
const AGENT: usize = 3;
const MOVE: usize = 4;
const TIME: usize = 8;
const REGRET: usize = 12;
const CUTOFFS: usize = 13;

/// The header line, including the newline.
pub fn header() -> &'static str {
    LAYOUT.header()
}

/// The columns of `moves.csv`, each with its meaning.
pub fn columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    MOVE_COLUMNS.iter().map(|column| (column.name, column.doc))
}

/// A value that may be unknown; `None` for an invalid text.
fn known(text: &str) -> Option<Option<f64>> {
    if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
}

/// Whether this reason is a fault of an agent. Then the last answer was not a move.
pub fn is_fault(reason: &str) -> bool {
    FaultKind::is_reason(reason)
}

/// The number of rows of a game: every answer of an agent except the one that lost by a fault.
pub fn expected(row: &GameRow) -> u64 {
    let answers: u64 = row.sides.iter().map(|side| u64::from(side.moves)).sum();
    match row.outcome {
        Outcome::Void => 0,
        _ => answers - u64::from(is_fault(row.reason)).min(answers),
    }
}

/// Appends the rows of a game that was just played, ungraded. Names are CSV fields, quoted if
/// necessary. A void game has no rows, because its moves are unknown.
pub fn write(out: &mut Vec<u8>, record: &GameRecord, names: &[String], texts: &MoveTexts) {
    if record.outcome == Outcome::Void {
        return;
    }
    let mut row = MoveRow { game: record.spec.game, ..MoveRow::default() };
    let moves = texts.log.as_ref().map_or(0, Vec::len);
    row.graded.ply = record.plies - moves as u32;
    for (cost, text) in texts.logged() {
        let agent = [record.spec.first, record.spec.second][cost.player.index()];
        let MoveRecord { nodes, depth, value, time_ns, cutoffs, .. } = *cost;
        row.graded.ply += 1;
        row.graded.player = cost.player;
        text.clone_into(&mut row.graded.text);
        row.costs = Costs { nodes, depth, value, time_ns: Some(time_ns), cutoffs };
        write_row(out, &row, &names[agent]);
    }
}

/// The cost of a move and the search information of its agent, each if it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// The agent's value from the first player's point of view.
    pub value: Option<f64>,
    /// Nanoseconds; known if the row was written while the game was played.
    pub time_ns: Option<u64>,
    /// The number of cut-offs, and how many of them the first move caused.
    pub cutoffs: Option<[u64; 2]>,
}

#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub struct MoveRow {
    pub game: u64,
    /// The move with its grade; without a grade, values and regret are 0.
    pub graded: GradedMove,
    pub is_graded: bool,
    pub costs: Costs,
}

impl Default for MoveRow {
    fn default() -> Self {
        let (before, after, best, regret) = (0.0, 0.0, false, 0.0);
        let (player, ply, text) = (Player::First, 0, String::new());
        let graded = GradedMove { player, ply, text, before, after, best, regret };
        MoveRow { game: 0, graded, is_graded: false, costs: Costs::default() }
    }
}

impl MoveRow {
    fn read(columns: &mut Columns<'_>) -> Option<MoveRow> {
        let game = columns.number()?;
        let ply = columns.number()?;
        let player = columns.text();
        let player = Player::BOTH.into_iter().find(|it| it.name() == player)?;
        let _agent = columns.field();
        let text = columns.text().to_owned();
        let nodes = columns.known_number()?;
        let depth = columns.known_number()?;
        let value = known(columns.text())?;
        let time_ns = columns.known_number()?;
        let before = known(columns.text())?.unwrap_or_default();
        let after = known(columns.text())?.unwrap_or_default();
        let best = match columns.text() {
            "" | "0" => false,
            "1" => true,
            _ => return None,
        };
        let regret = known(columns.text())?;
        let all = columns.known_number()?;
        let cutoffs = all.zip(columns.known_number()?).map(|(all, first)| [all, first]);
        let is_graded = regret.is_some();
        let regret = regret.unwrap_or_default();
        let graded = GradedMove { player, ply, text, before, after, best, regret };
        let costs = Costs { nodes, depth, value, time_ns, cutoffs };
        Some(MoveRow { game, graded, is_graded, costs })
    }

    fn grade(&self) -> Option<&GradedMove> {
        self.is_graded.then_some(&self.graded)
    }
}

/// Appends a row; the name of the agent is a CSV field.
pub fn write_row(out: &mut Vec<u8>, row: &MoveRow, name: &str) {
    let (MoveRow { graded, costs, .. }, grade) = (row, row.grade());
    let mut fields = RowWriter::new(out);
    fields.number(row.game);
    fields.number(graded.ply);
    fields.field(graded.player.name());
    fields.field(name);
    fields.text(&graded.text);
    fields.known_number(costs.nodes);
    fields.known_number(costs.depth);
    fields.real(costs.value);
    fields.known_number(costs.time_ns);
    fields.real(grade.map(|grade| grade.before));
    fields.real(grade.map(|grade| grade.after));
    fields.known_number(grade.map(|grade| grade.best));
    fields.real(grade.map(|grade| grade.regret));
    fields.known_number(costs.cutoffs.map(|[all, _]| all));
    fields.known_number(costs.cutoffs.map(|[_, first]| first));
    fields.seal(&LAYOUT);
}

/// Reads `moves.csv` row by row, in memory that does not grow with the number of rows.
pub struct MoveRows<'r> {
    pub(crate) lines: CsvLines<'r>,
    last: (u64, u32),
}

impl MoveRows<'static> {
    /// Reads single lines.
    pub(crate) fn of_lines() -> Self {
        MoveRows::new(header().as_bytes()).expect("the current header")
    }
}

impl<'r> MoveRows<'r> {
    pub fn new(reader: impl Read + Send + 'r) -> Result<Self, RowError> {
        Ok(MoveRows { lines: CsvLines::new(Box::new(reader), &LAYOUT)?, last: (0, 0) })
    }

    pub fn advance(&mut self) -> Result<bool, RowError> {
        if !self.lines.advance()? {
            return Ok(false);
        }
        if self.lines.is_sealed() {
            let (game, ply) = (self.game()?, self.ply()?);
            let (last, before) = self.last;
            if game < last || (game == last && ply != before + 1) {
                let (line, what) = (self.lines.number(), " is out of its place".to_owned());
                return Err(RowError::Line { line, what });
            }
            self.last = (game, ply);
        }
        Ok(true)
    }

    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    pub fn game(&self) -> Result<u64, RowError> {
        self.lines.number_in(GAME)
    }

    pub fn ply(&self) -> Result<u32, RowError> {
        self.lines.number_in(PLY)
    }

    pub fn text(&self) -> &str {
        self.lines.text(MOVE)
    }

    /// Whether the row was written while the game was played, and not by a grader.
    pub fn is_recorded(&self) -> bool {
        !self.lines.text(TIME).is_empty()
    }

    pub fn agent(&self) -> &str {
        self.lines.text(AGENT)
    }

    pub fn cutoffs(&self) -> Result<Option<[u64; 2]>, RowError> {
        if self.lines.text(CUTOFFS).is_empty() {
            return Ok(None);
        }
        Ok(Some([self.lines.number_in(CUTOFFS)?, self.lines.number_in(CUTOFFS + 1)?]))
    }

    pub fn is_graded(&self) -> bool {
        !self.lines.text(REGRET).is_empty()
    }

    pub fn row(&self) -> Result<MoveRow, RowError> {
        self.lines.read(MoveRow::read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::cell_text::quoted;
    use crate::rows::games_csv_rows::tests::sample;

    fn played() -> (GameRecord, MoveTexts) {
        let (record, texts) = sample();
        let record = GameRecord { plies: 6, ..record };
        let cost = |player, at, nodes, value| MoveRecord {
            player,
            at,
            nodes,
            depth: nodes.map(|_| 2),
            value,
            time_ns: 70,
            cutoffs: nodes.map(|nodes| [nodes / 2, nodes / 3]),
        };
        let log =
            vec![cost(Player::Second, 0, Some(12), Some(-0.0)), cost(Player::First, 4, None, None)];
        (record, MoveTexts { moves: "b1 6 c2".into(), log: Some(log), ..texts })
    }

    #[test]
    fn each_column_is_read_in_its_place() {
        let names: Vec<&str> = MOVE_COLUMNS.iter().map(|column| column.name).collect();
        for (at, name) in names.iter().enumerate() {
            let mut fields: Vec<&str> =
                "1,2,first,a,b1,1,1,0.5,70,1,1,1,0,2,1".split(',').collect();
            fields[at] = "?";
            let file = format!("{}\n{}\n", names.join(","), fields.join(","));
            let mut rows = MoveRows::new(file.as_bytes()).expect("a header");
            assert!(rows.advance().expect("a row"));
            let expected = format!("line 2: `?` is not a valid {name}");
            assert_eq!(rows.row().err().map(|error| error.to_string()), {
                (!["agent", "move"].contains(name)).then_some(expected)
            });
        }
    }

    #[test]
    fn what_is_written_is_read_back_and_written_again() {
        let (record, texts) = played();
        let names = ["\"a, b\"".to_owned(), "random".to_owned()];
        let mut bytes = header().as_bytes().to_vec();
        write(&mut bytes, &record, &names, &texts);
        let text = String::from_utf8(bytes.clone()).expect("text");
        let lines: Vec<&str> = text.lines().skip(1).map(|line| &line[..line.len() - 8]).collect();
        let expected =
            ["3,5,second,\"a, b\",b1,12,2,0,70,,,,,6,4,", "3,6,first,random,c2,,,,70,,,,,,,"];
        assert_eq!(lines, expected);
        let mut rows = MoveRows::new(&bytes[..]).expect("a header");
        let mut again = header().as_bytes().to_vec();
        while rows.advance().expect("rows") {
            let row = rows.row().expect("a row");
            assert!(row.costs.time_ns.is_some() && !row.is_graded);
            write_row(&mut again, &row, &quoted(rows.agent()));
        }
        assert_eq!(again, bytes);
        assert_eq!(rows.offset(), bytes.len() as u64);
    }

    #[test]
    fn the_page_on_results_lists_every_column() {
        let page = include_str!("../../../../results/README.md");
        let mut lines: Vec<(String, &str)> = Vec::new();
        for (name, doc) in crate::rows::games_csv_columns::columns().chain(columns()) {
            match lines.last_mut().filter(|(_, last)| *last == doc) {
                Some((names, _)) => *names += &format!(", `{name}`"),
                None => lines.push((format!("`{name}`"), doc)),
            }
        }
        for (names, doc) in lines {
            let line = format!("| {names} | {doc} |\n");
            assert!(page.contains(&line), "results/README.md lacks this line:\n{line}");
        }
    }

    #[test]
    fn grades_keep_their_values() {
        let graded = GradedMove {
            player: Player::First,
            ply: 1,
            text: "5".into(),
            before: 0.1 + 0.2,
            after: 0.25,
            best: false,
            regret: 0.1 + 0.2 - 0.25,
        };
        let row = MoveRow { game: 8, graded, is_graded: true, costs: Costs::default() };
        let mut bytes = header().as_bytes().to_vec();
        write_row(&mut bytes, &row, "x");
        let mut rows = MoveRows::new(&bytes[..]).expect("a header");
        assert!(rows.advance().expect("a row"));
        assert_eq!(rows.row().expect("a row"), row);
        assert!(row.costs.time_ns.is_none());
    }

    #[test]
    fn void_games_have_no_rows_and_errors_name_the_place() {
        let (record, texts) = played();
        let mut out = Vec::new();
        let void = GameRecord { outcome: Outcome::Void, plies: 0, ..record };
        write(&mut out, &void, &[], &texts);
        assert!(out.is_empty());
        let bytes = header().replace(",checksum", "") + "1,1,third,a,5,,,,,,,,,,\n";
        let mut rows = MoveRows::new(bytes.as_bytes()).expect("a header");
        assert!(rows.advance().expect("a row"));
        assert_eq!(
            rows.row().expect_err("no player").to_string(),
            "line 2: `third` is not a valid player"
        );
        let error = MoveRows::new(&b"game,ply\n"[..]).err().expect("no header");
        assert!(error.to_string().contains("moves.csv: `player` is missing"), "{error}");
    }
}
