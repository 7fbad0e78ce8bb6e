//! One row of `moves.csv`: a move of an agent, what it cost, and how good it was.

use std::io::{Read, Write};

use super::lines::{Layout, Lines, quoted};
use super::row::{Row, RowError};
use crate::agents::FaultKind;
use crate::games::Player;
use crate::world::{GameRecord, GradedMove, MoveTexts, Outcome};

/// The columns of `moves.csv`, in order. New columns come before `checksum`, the last one.
pub const MOVE_COLUMNS: [&str; 16] = [
    "game",
    "ply",
    "player",
    "agent",
    "move",
    "nodes",
    "depth",
    "value",
    "time_ns",
    "value_before",
    "value_after",
    "best",
    "loss",
    "cutoffs",
    "first_cutoffs",
    "checksum",
];

/// How rows of `moves.csv` are written and read; the columns after `loss` were added later.
pub(super) static LAYOUT: Layout = Layout::new("moves.csv", &MOVE_COLUMNS, 13);

/// Places in [`MOVE_COLUMNS`].
const GAME: usize = 0;
const PLY: usize = 1;
const PLAYER: usize = 2;
const AGENT: usize = 3;
const MOVE: usize = 4;
const NODES: usize = 5;
const TIME: usize = 8;
const BEFORE: usize = 9;
const AFTER: usize = 10;
const BEST: usize = 11;
const LOSS: usize = 12;
const CUTOFFS: usize = 13;

/// The header line, newline included.
pub fn header() -> String {
    LAYOUT.header()
}

/// Whether a game that ended for that reason ended by an agent's fault, so that its last
/// answer was no move.
pub fn is_fault(reason: &str) -> bool {
    FaultKind::is_reason(reason)
}

/// How many rows a game has: every answer of an agent but the one by which it lost.
pub fn expected(row: &Row) -> u64 {
    let answers: u64 = row.sides.iter().map(|side| u64::from(side.moves)).sum();
    match row.outcome {
        Outcome::Void => 0,
        _ => answers - u64::from(is_fault(row.reason)).min(answers),
    }
}

/// The word in the `player` column.
fn side(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// A number at full precision; never a minus zero.
fn real(out: &mut Vec<u8>, value: f64) {
    if value.is_finite() {
        write!(out, "{}", value + 0.0).expect("memory takes everything");
    }
}

/// Appends the rows of a game that was just played, ungraded. Names come as CSV fields,
/// quoted where needed. A void game has no rows: nobody can say what happened in it.
pub fn write(out: &mut Vec<u8>, record: &GameRecord, names: &[String], texts: &MoveTexts) {
    if record.outcome == Outcome::Void {
        return;
    }
    let mut digits = itoa::Buffer::new();
    let mut number = |out: &mut Vec<u8>, value: u64| {
        out.extend_from_slice(digits.format(value).as_bytes());
        out.push(b',');
    };
    let moves = texts.log.as_ref().map_or(0, Vec::len) as u64;
    let before = u64::from(record.plies) - moves;
    for (i, (cost, text)) in texts.logged().enumerate() {
        let agent = [record.spec.first, record.spec.second][cost.player.index()];
        let begin = out.len();
        number(out, record.spec.game);
        number(out, before + i as u64 + 1);
        for text in [side(cost.player), &names[agent], &quoted(text)] {
            out.extend_from_slice(text.as_bytes());
            out.push(b',');
        }
        for count in [cost.nodes, cost.depth.map(u64::from)] {
            match count {
                Some(count) => number(out, count),
                None => out.push(b','),
            }
        }
        cost.value.into_iter().for_each(|value| real(out, value));
        out.push(b',');
        number(out, cost.time_ns);
        out.extend_from_slice(b",,,,");
        match cost.cutoffs {
            Some([all, first]) => write!(out, "{all},{first}").expect("memory takes everything"),
            None => out.push(b','),
        }
        out.push(b',');
        LAYOUT.seal(out, begin);
    }
}

/// What a row tells of a move besides its grade, as it stands in the file: nodes, depth,
/// value and time, commas between them; and cut-offs behind the grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs(String, String);

impl Costs {
    /// Nothing is known.
    pub fn unknown() -> Self {
        Costs(",,,".to_owned(), ",".to_owned())
    }

    /// Positions searched, depth completed, the agent's value in the first player's frame, and
    /// nanoseconds: each where it is known.
    pub fn fields(&self) -> (Option<u64>, Option<u32>, Option<f64>, Option<u64>) {
        let mut fields = self.0.split(',');
        let mut next = || fields.next().unwrap_or_default();
        (
            next().parse().ok(),
            next().parse().ok(),
            next().parse().ok().filter(|value: &f64| value.is_finite()),
            next().parse().ok(),
        )
    }

    /// Nodes, depth, value and time as the file has them, commas between them.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether the row was written while the game was played, and not by a grader.
    pub fn is_recorded(&self) -> bool {
        !self.0.ends_with(',')
    }
}

/// A row as it stands in `moves.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveRow {
    /// Number of the game.
    pub game: u64,
    /// The move with its grade; without one, values and loss are 0.
    pub graded: GradedMove,
    /// Whether it has a grade.
    pub is_graded: bool,
    /// What it cost.
    pub costs: Costs,
}

/// Appends a row; `name` is the agent's, as a CSV field.
pub fn write_row(out: &mut Vec<u8>, row: &MoveRow, name: &str) {
    let MoveRow { game, graded, is_graded, costs } = row;
    let (player, text) = (side(graded.player), quoted(&graded.text));
    let begin = out.len();
    write!(out, "{game},{},{player},{name},{text},{},", graded.ply, costs.0)
        .expect("memory takes everything");
    if *is_graded {
        real(out, graded.before);
        out.push(b',');
        real(out, graded.after);
        out.extend_from_slice(if graded.best { b",1," } else { b",0," });
        real(out, graded.loss);
    } else {
        out.extend_from_slice(b",,,");
    }
    out.push(b',');
    out.extend_from_slice(costs.1.as_bytes());
    out.push(b',');
    LAYOUT.seal(out, begin);
}

/// Reads `moves.csv` row by row, in memory that does not grow with the rows.
pub struct MoveRows<R> {
    /// The file line by line.
    pub(super) lines: Lines<R>,
    /// Game and ply of the row before.
    last: (u64, u32),
}

impl<R: Read> MoveRows<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// A header that is damaged or lacks a column.
    pub fn new(reader: R) -> Result<Self, RowError> {
        Ok(MoveRows { lines: Lines::new(reader, &LAYOUT, false)?, last: (0, 0) })
    }

    /// The same for a repair: rows count even where the header is damaged.
    pub fn repairing(reader: R) -> Result<Self, RowError> {
        Ok(MoveRows { lines: Lines::new(reader, &LAYOUT, true)?, last: (0, 0) })
    }

    /// Goes to the next row; whether there is one.
    ///
    /// # Errors
    /// A line that is damaged or out of its place.
    pub fn advance(&mut self) -> Result<bool, RowError> {
        if !self.lines.advance()? {
            return Ok(false);
        }
        if self.lines.is_sealed() {
            let (game, ply) = (self.game()?, self.ply()?);
            let (last, before) = self.last;
            if game < last || (game == last && ply != before + 1) {
                return Err(RowError::Order { line: self.lines.number() });
            }
            self.last = (game, ply);
        }
        Ok(true)
    }

    /// The byte offset behind the row.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// Number of the row's game.
    ///
    /// # Errors
    /// What is no number.
    pub fn game(&self) -> Result<u64, RowError> {
        self.lines.parsed(GAME)
    }

    /// Number of the move in its game.
    ///
    /// # Errors
    /// What is no number.
    pub fn ply(&self) -> Result<u32, RowError> {
        self.lines.parsed(PLY)
    }

    /// The move.
    pub fn text(&self) -> &str {
        self.lines.text(MOVE)
    }

    /// Whether the row was written while the game was played, and not by a grader.
    pub fn is_recorded(&self) -> bool {
        !self.lines.text(TIME).is_empty()
    }

    /// The agent's name.
    pub fn agent(&self) -> &str {
        self.lines.text(AGENT)
    }

    /// Nodes left early because a bound was met, and how many of them after the first move;
    /// `None` where nothing was searched or nobody counted.
    ///
    /// # Errors
    /// What is no number.
    pub fn cutoffs(&self) -> Result<Option<[u64; 2]>, RowError> {
        if self.lines.text(CUTOFFS).is_empty() {
            return Ok(None);
        }
        Ok(Some([self.lines.parsed(CUTOFFS)?, self.lines.parsed(CUTOFFS + 1)?]))
    }

    /// Whether the row has a grade.
    pub fn is_graded(&self) -> bool {
        !self.lines.text(LOSS).is_empty()
    }

    /// The whole row.
    ///
    /// # Errors
    /// A field that is not what its column holds.
    pub fn row(&self) -> Result<MoveRow, RowError> {
        let is_graded = self.is_graded();
        let player = match self.lines.text(PLAYER) {
            "first" => Player::First,
            "second" => Player::Second,
            _ => return Err(self.lines.error(PLAYER)),
        };
        let real = |column| if is_graded { self.lines.parsed(column) } else { Ok(0.0) };
        let best = match self.lines.text(BEST) {
            "1" => true,
            "0" => false,
            _ if !is_graded => false,
            _ => return Err(self.lines.error(BEST)),
        };
        let costs: Vec<&str> = (NODES..=TIME).map(|column| self.lines.text(column)).collect();
        Ok(MoveRow {
            game: self.game()?,
            graded: GradedMove {
                player,
                ply: self.lines.parsed(PLY)?,
                text: self.lines.text(MOVE).to_owned(),
                before: real(BEFORE)?,
                after: real(AFTER)?,
                best,
                loss: real(LOSS)?,
            },
            is_graded,
            costs: Costs(
                costs.join(","),
                format!("{},{}", self.lines.text(CUTOFFS), self.lines.text(CUTOFFS + 1)),
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::row::tests::sample;
    use crate::world::MoveRecord;

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
    fn what_is_written_is_read_back_and_written_again() {
        let (record, texts) = played();
        let names = ["\"a, b\"".to_owned(), "random".to_owned()];
        let mut bytes = header().into_bytes();
        write(&mut bytes, &record, &names, &texts);
        let text = String::from_utf8(bytes.clone()).expect("text");
        let lines: Vec<&str> = text.lines().skip(1).map(|line| &line[..line.len() - 8]).collect();
        let expected =
            ["3,5,second,\"a, b\",b1,12,2,0,70,,,,,6,4,", "3,6,first,random,c2,,,,70,,,,,,,"];
        assert_eq!(lines, expected);
        let mut rows = MoveRows::new(&bytes[..]).expect("a header");
        let mut again = header().into_bytes();
        while rows.advance().expect("rows") {
            let row = rows.row().expect("a row");
            assert!(row.costs.is_recorded() && !row.is_graded);
            write_row(&mut again, &row, &quoted(rows.agent()));
        }
        assert_eq!(again, bytes);
        assert_eq!(rows.offset(), bytes.len() as u64);
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
            loss: 0.1 + 0.2 - 0.25,
        };
        let row = MoveRow { game: 8, graded, is_graded: true, costs: Costs::unknown() };
        let mut bytes = header().into_bytes();
        write_row(&mut bytes, &row, "x");
        let mut rows = MoveRows::new(&bytes[..]).expect("a header");
        assert!(rows.advance().expect("a row"));
        assert_eq!(rows.row().expect("a row"), row);
        assert!(!row.costs.is_recorded());
    }

    #[test]
    fn void_games_have_no_rows_and_errors_name_the_place() {
        let (record, texts) = played();
        let mut out = Vec::new();
        let void = GameRecord { outcome: Outcome::Void, plies: 0, ..record };
        write(&mut out, &void, &[], &texts);
        assert!(out.is_empty());
        let bytes = MOVE_COLUMNS[..15].join(",") + "\n1,1,third,a,5,,,,,,,,,,\n";
        let mut rows = MoveRows::new(bytes.as_bytes()).expect("a header");
        assert!(rows.advance().expect("a row"));
        assert_eq!(rows.row().expect_err("no player").to_string(), "line 2: `third` is no player");
        let error = MoveRows::new(&b"game,ply\n"[..]).err().expect("no header");
        assert!(error.to_string().contains("moves.csv: `player` is missing"), "{error}");
    }
}
