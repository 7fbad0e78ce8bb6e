//! The columns of `games.csv` with their meanings, and the layouts of files that have them.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use super::csv_layout::{Column, CsvLayout};
use crate::util::locks::lock;

// Meanings of the columns that both seats have.
const SEATS: &str = "the agents' names; `first` moved first";
const NODES: &str = "nodes of each side's searches";
const TIME: &str = "nanoseconds in which each side chose its moves";
const MADE: &str = "moves that each side chose";
const DEPTH: &str = "sum of the completed depths of these moves, in plies; divide by the moves to get the \
         mean depth";
const SLOWEST: &str = "each side's slowest move";

const ILLEGAL: &str = "illegal answers of each side to requests for a move, including the last one of a \
         lost game; these four columns are only in runs with an agent that has \
         [`illegal`](../docs/services.md#illegal-moves)";
const COST: &str = "what each side has paid for its answers, in its own unit, as its engine reports it; \
         these columns and the next four are only in runs with an agent that has \
         [`costs`](../docs/services.md#costs)";
const TOKENS: &str = "tokens that each side's language model has read (`in`) and written (`out`)";
const RETRIES: &str = "how often each side was asked again after an illegal answer";

/// The columns of `games.csv`, in order. A new column is an entry at the end, and a line in the functions
/// of [`games_csv_rows`](super::games_csv_rows) that write and read a row. The checksum comes after them.
pub(super) static COLUMNS: &[Column] = &[
    Column::new("game", "number of the game, from 1"),
    Column::new("pairing", "number of the pairing, from 1, in the schedule's order"),
    Column::new(
        "opening",
        "number of the opening, from 1; the same number is the same opening in every pairing",
    ),
    Column::new("first", SEATS),
    Column::new("second", SEATS),
    Column::new(
        "result",
        "`first`, `draw`, `second`, or `void` (a fault of agon, of the machine or of the \
         program of `[game]`, or of both agents, or an illegal move of an agent whose games are then \
         void; not counted)",
    ),
    Column::new(
        "reason",
        "the rule that ended the game (`line`, `board full`, …), `max plies` (adjudicated a \
         draw), `adjudicated draw` or `adjudicated win` (a rule of `[adjudication]`), \
         `referee` (a [game by a referee](../docs/your-own-game.md#games-by-a-referee)), or the \
         loser's fault (`illegal move`, `timeout`, `crash`, `sandbox violation`, or `error` if the \
         referee gives another text). Of void games: `panic`, `rules failure` (the program of \
         `[game]` failed), `both erred` (both players of a game by a referee failed), `illegal \
         move` (of an agent with `illegal.then = \"void\"`), or `overload` if the machine stayed too \
         busy to measure time",
    ),
    Column::new("plies", "moves of both players from the start of the game, including the opening"),
    Column::new(
        "opening_moves",
        "the opening's moves, separated by blanks; or `position` and the position's text",
    ),
    Column::new(
        "moves",
        "the moves after the opening, in the game's notation, separated by blanks; outcomes \
         of chance are between them",
    ),
    Column::new("nodes_first", NODES),
    Column::new("nodes_second", NODES),
    Column::new("time_first_ns", TIME),
    Column::new("time_second_ns", TIME),
    Column::new("moves_first", MADE),
    Column::new("moves_second", MADE),
    Column::new("depth_sum_first", DEPTH),
    Column::new("depth_sum_second", DEPTH),
    Column::new("max_move_time_first_ns", SLOWEST),
    Column::new("max_move_time_second_ns", SLOWEST),
    Column::new(
        "rng_draws",
        "random numbers drawn by agents and dice, as far as agon knows. 0 means that the same \
         opening and seats always give the same game, and that playing it again shows nothing \
         new. External programs and agents with `movetime` are excepted",
    ),
    Column::optional(
        "luck_first",
        "the first player's luck in points: what the outcomes of chance and the agents' random \
         choices added to its expected score, by the value function of `[luck]`; empty without \
         `[luck]`, and with `fit = true`",
    ),
    Column::optional(
        "adjusted_first",
        "the first player's score (win 1, draw ½) without this luck. Its mean is that of the \
         score. It may be below 0 or above 1",
    ),
];

/// Columns about the answers of agents that may need more than one for a move. Only the files of runs
/// with such agents have them.
pub(super) static ANSWER_COLUMNS: &[Column] = &[
    Column::new("illegal_first", ILLEGAL),
    Column::new("illegal_second", ILLEGAL),
    Column::new("retries_first", RETRIES),
    Column::new("retries_second", RETRIES),
    Column::new("cost_first", COST),
    Column::new("cost_second", COST),
    Column::new("tokens_in_first", TOKENS),
    Column::new("tokens_in_second", TOKENS),
    Column::new("tokens_out_first", TOKENS),
    Column::new("tokens_out_second", TOKENS),
];
/// The number of the columns about illegal answers; the others are about costs.
const ILLEGAL_COLUMNS: usize = 4;

/// The columns about illegal answers.
pub(crate) fn illegal_columns() -> impl Iterator<Item = String> {
    ANSWER_COLUMNS[..ILLEGAL_COLUMNS].iter().map(|column| column.name.to_owned())
}

/// The columns about costs.
pub(crate) fn cost_columns() -> impl Iterator<Item = String> {
    ANSWER_COLUMNS[ILLEGAL_COLUMNS..].iter().map(|column| column.name.to_owned())
}

/// Places in `COLUMNS`.
pub(super) const OPENING_MOVES: usize = 8;
pub(super) const MOVES: usize = 9;

pub(crate) static LAYOUT: LazyLock<CsvLayout> =
    LazyLock::new(|| CsvLayout::new("games.csv", COLUMNS, &[]));

/// The layout of a file with these columns after those of every file. A process plays few runs with
/// such columns, so their layouts are kept until it ends.
pub(crate) fn layout(added: &[String]) -> &'static CsvLayout {
    static LAYOUTS: Mutex<BTreeMap<&[String], &CsvLayout>> = Mutex::new(BTreeMap::new());
    if added.is_empty() {
        return &LAYOUT;
    }
    let mut layouts = lock(&LAYOUTS);
    if let Some(known) = layouts.get(added) {
        return known;
    }
    let added: &'static [String] = Vec::leak(added.to_vec());
    let layout = Box::leak(Box::new(CsvLayout::new("games.csv", COLUMNS, added)));
    layouts.insert(added, layout);
    layout
}

/// The columns of `games.csv`, each with its meaning.
pub fn columns() -> impl Iterator<Item = (&'static str, &'static str)> {
    COLUMNS.iter().chain(ANSWER_COLUMNS).map(|column| (column.name, column.doc))
}

/// The header line, including the newline.
pub fn header() -> &'static str {
    LAYOUT.header()
}
