//! Games as data for the viewer on the page. Every position is computed here, so the page needs no
//! rules of the game.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::arena::{Highlights, LuckyGame, MoveRow, StoredGame, Tally};
use crate::games::picture_for_html::{Body, Piece, Shape};
use crate::games::{Drawing, Game, Player};
use crate::html::svg::board_svg;
use crate::html::svg::board_svg::{cell_size, corner, dice_corners};
use crate::play::{AnyGame, Frame, Outcome};
use std::collections::BTreeMap;

/// Maximum size of all games on a page in bytes, even if the rest of the page is small.
const MOST_BYTES: usize = 560_000;
/// Maximum size of one game in bytes.
const ONE: usize = 120_000;
/// Maximum number of games on a page.
const GAMES: usize = 2_000;

/// All data for the page's script.
#[derive(Debug, Serialize)]
pub struct ReplayData {
    pub agents: Vec<String>,
    /// The number of games of the run.
    rows: u64,
    /// The name of the run if its games can be written as PGN.
    pub event: Option<String>,
    /// The top left corner of each cell.
    corners: Vec<[f64; 2]>,
    /// Width and height of a cell.
    cell: [f64; 2],
    /// The top left corner of each die.
    dice: Vec<[f64; 2]>,
    /// The names of the pieces; their indices are those of the symbols.
    pieces: Vec<String>,
    /// The width of a goal.
    goal: f64,
    /// The cells before the first move of most games, as indices of pieces.
    base: Vec<usize>,
    /// Groups of games: name, and indices of the games.
    groups: Vec<(String, Vec<usize>)>,
    /// Each game as JSON.
    games: Vec<Box<RawValue>>,
    /// The pieces in the order of their indices.
    #[serde(skip)]
    pub legend: Vec<Piece>,
    /// The first position, for the parts that do not change.
    #[serde(skip)]
    pub first: Option<Frame>,
    /// Whether games were left out for lack of space.
    #[serde(skip)]
    pub left_out: bool,
}

#[derive(Debug, Serialize)]
struct Recorded {
    /// Number of the game.
    n: u64,
    /// The agents that moved first and second.
    a: [usize; 2],
    /// Its result.
    r: &'static str,
    why: &'static str,
    /// Its length in plies.
    l: u32,
    /// The number of its opening.
    o: u64,
    /// The reasons for its selection.
    tags: String,
    /// Its positions.
    f: Vec<PositionData>,
}

/// A position; empty fields are omitted.
#[derive(Debug, Default, Serialize)]
struct PositionData {
    /// The move that led here.
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<String>,
    /// Who made the move: 1, 2, or 0 for chance.
    p: u8,
    /// Whether the move belongs to the opening.
    #[serde(skip_serializing_if = "is_zero")]
    o: u8,
    /// Changed cells: cell and piece alternate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    c: Vec<usize>,
    /// Scores: safe points and points at risk alternate, then the goal.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    b: Vec<u32>,
    /// The dice, as indices of pieces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    q: Vec<usize>,
    /// Nodes on the path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    g: Vec<u32>,
    /// The board as text if there are no shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<String>,
    /// Fields of a FEN after the placement. For the first position all; later castling rights, en
    /// passant square and half-move clock, if they do not follow from the position before.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<String>,
    /// The lines below the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    t: Vec<String>,
    /// Positions searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    /// Completed depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<u32>,
    /// The agent's evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<f64>,
    /// Time in nanoseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<u64>,
    /// The exact value after the move, and the regret of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<[f64; 2]>,
}

fn is_zero(value: &u8) -> bool {
    *value == 0
}

/// Collects the games of a page, in at most `room` bytes. `score` is an agent's score against the
/// others. `None` if no game can be shown.
pub fn collect(
    (any_game, event): (&AnyGame, &str),
    tally: &Tally,
    (highlights, luckiest): (&Highlights, &[LuckyGame]),
    moves: &BTreeMap<u64, Vec<MoveRow>>,
    score: impl Fn(usize) -> Option<f64>,
    room: usize,
) -> Option<ReplayData> {
    any_game.check_has_moves().ok()?;
    let mut collector = Collector {
        any_game,
        moves,
        replays: ReplayData {
            agents: tally.names.clone(),
            rows: tally.rows,
            event: any_game.transcribe("", "").map(|_| event.to_owned()),
            corners: Vec::new(),
            cell: [0.0; 2],
            dice: Vec::new(),
            pieces: vec![board_svg::name(Piece::NONE)],
            goal: board_svg::GOAL,
            base: Vec::new(),
            groups: Vec::new(),
            games: Vec::new(),
            legend: vec![Piece::NONE],
            first: None,
            left_out: false,
        },
        room: room.min(MOST_BYTES),
        full: false,
        known: BTreeMap::default(),
    };
    let mut group = Vec::new();
    for (stored, why) in
        highlights.of_interest(&score, &mut luckiest.iter().map(|game| &game.stored))
    {
        let words: Vec<&str> = why.iter().map(|interest| interest.word()).collect();
        group.extend(collector.add(stored, words.join(", ")));
    }
    if !group.is_empty() {
        collector.replays.groups.push(("selected games".to_owned(), group));
    }
    let (openings, complete) = highlights.by_opening();
    collector.replays.left_out = !complete;
    for (opening, games) in openings {
        let mut group = Vec::new();
        for stored in games {
            group.extend(collector.add(stored, String::new()));
        }
        if !group.is_empty() {
            collector.replays.groups.push((format!("opening {opening}"), group));
        }
    }
    (!collector.replays.games.is_empty()).then_some(collector.replays)
}

impl ReplayData {
    /// The data as JSON for a script element: no text in it can end the script.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c")
    }

    fn number(&mut self, piece: Piece) -> usize {
        self.legend.iter().position(|known| *known == piece).unwrap_or_else(|| {
            self.legend.push(piece);
            self.pieces.push(board_svg::name(piece));
            self.legend.len() - 1
        })
    }
}

struct Collector<'a> {
    any_game: &'a AnyGame,
    moves: &'a BTreeMap<u64, Vec<MoveRow>>,
    replays: ReplayData,
    /// Remaining bytes.
    room: usize,
    /// Whether a game did not fit.
    full: bool,
    known: BTreeMap<u64, usize>,
}

impl Collector<'_> {
    /// Adds a game if it fits and can be replayed; returns its index.
    fn add(&mut self, stored: &StoredGame, tags: String) -> Option<usize> {
        if let Some(&place) = self.known.get(&stored.row.game) {
            return Some(place);
        }
        if self.full || self.replays.games.len() == GAMES {
            self.replays.left_out = true;
            return None;
        }
        let game = self.record(stored, tags)?;
        let json = to_raw_value(&game).ok()?;
        let bytes = json.get().len();
        // After a game that did not fit, hardly any other game would fit.
        self.full = bytes > self.room;
        if bytes > ONE || self.full {
            self.replays.left_out = true;
            return None;
        }
        self.room -= bytes;
        self.replays.games.push(json);
        self.known.insert(stored.row.game, self.replays.games.len() - 1);
        self.known.get(&stored.row.game).copied()
    }

    fn record(&mut self, stored: &StoredGame, tags: String) -> Option<Recorded> {
        let rows = self.moves.get(&stored.row.game).map_or(&[][..], Vec::as_slice);
        let mut rows = rows.iter().peekable();
        let (mut shots, mut cells) = (Vec::new(), self.replays.base.clone());
        let mut room = ONE;
        let mut fen = self.replays.event.is_some().then(FenFields::default);
        let (any_game, replays) = (self.any_game, &mut self.replays);
        let mut add = |frame: Frame| {
            let mut shot = position(any_game, replays, &frame, &mut cells);
            shot.k = fen.as_mut().and_then(|fen| fen.next(&any_game.write_position(&frame.state)));
            let row = rows.next_if(|row| {
                frame.mover.is_some() && !frame.opening && row.graded.ply == frame.ply
            });
            if let Some(row) = row {
                let costs = row.costs;
                (shot.n, shot.d, shot.v, shot.s) =
                    (costs.nodes, costs.depth, costs.value, costs.time_ns);
                shot.e = row.is_graded.then_some([row.graded.after, row.graded.regret]);
            }
            let text = shot.x.as_ref().map_or(0, String::len);
            room = room.saturating_sub(12 + text + 4 * shot.c.len());
            shots.push(shot);
            room > 0
        };
        let replayed = any_game.replay(&stored.opening, &stored.moves, &mut add);
        // `agon replay` reports unreadable records; the page shows other games.
        if replayed.is_err() || room == 0 {
            return None;
        }
        let row = &stored.row;
        Some(Recorded {
            n: row.game,
            a: [row.first, row.second],
            r: match row.outcome {
                Outcome::First => "first player wins",
                Outcome::Draw => "draw",
                Outcome::Second => "second player wins",
                Outcome::Void => "void",
            },
            why: row.reason,
            l: row.plies,
            o: row.opening,
            tags,
            f: shots,
        })
    }
}

/// Castling rights, en passant square and half-move clock of the last FEN.
#[derive(Default)]
struct FenFields(Option<[String; 3]>);

impl FenFields {
    /// The fields of the next FEN that the page cannot know. After most moves the rights stay, no
    /// capture en passant is possible, and the clock goes on.
    fn next(&mut self, fen: &str) -> Option<String> {
        let (_, all) = fen.split_once(' ')?;
        let mut words = all.split(' ').skip(1);
        let fields: [String; 3] = std::array::from_fn(|_| words.next().unwrap_or("-").to_owned());
        let last = self.0.replace(fields.clone());
        let Some([castling, _, clock]) = last else { return Some(all.to_owned()) };
        let clock = clock.parse().map_or(0, |clock: u32| clock + 1);
        (fields != [castling, "-".to_owned(), clock.to_string()]).then(|| fields.join(" "))
    }
}

/// A position as data. `cells` contains the previous position and is updated to this one.
fn position(
    any_game: &AnyGame,
    replays: &mut ReplayData,
    frame: &Frame,
    cells: &mut Vec<usize>,
) -> PositionData {
    let mut shot = PositionData {
        m: frame.text.clone(),
        p: frame.mover.map_or(0, |player| if player == Player::First { 1 } else { 2 }),
        o: u8::from(frame.opening && frame.text.is_some()),
        t: frame.picture.captions.clone(),
        ..PositionData::default()
    };
    match &frame.picture.body {
        Body::Board(board) => {
            let now: Vec<usize> = board.cells.iter().map(|piece| replays.number(*piece)).collect();
            if replays.first.is_none() {
                replays.base = now.clone();
                replays.corners = (0..now.len()).map(|cell| corner(board, cell)).collect();
                replays.cell = cell_size(board);
                cells.clone_from(&now);
            }
            if now.len() == cells.len() {
                let changed = now.iter().zip(cells.iter()).enumerate();
                let changed = changed.filter(|(_, (now, before))| now != before);
                shot.c = changed.flat_map(|(cell, (now, _))| [cell, *now]).collect();
                *cells = now;
            } else {
                shot.x = Some(any_game.drawing().text(&frame.state));
            }
        }
        Body::Bars(bars) => {
            shot.b = bars.iter().flat_map(|bar| [bar.value, bar.risked, bar.goal]).collect();
        }
        Body::Graph(graph) => shot.g = graph.path.clone(),
        Body::Text(text) => shot.x = Some(text.clone()),
    }
    let dice = frame.picture.dice.iter().map(|face| Piece::thing(Shape::Die(*face)));
    shot.q = dice.map(|die| replays.number(die)).collect();
    if replays.first.is_none() {
        replays.dice = dice_corners(&frame.picture);
    }
    replays.first.get_or_insert_with(|| frame.clone());
    shot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Configurable};
    use crate::params::Values;

    /// The rule of `fenFields` in replay.js, with a double step, castling and a capture.
    #[test]
    fn fields_of_fens_follow_from_those_before() {
        let game = AnyGame::of(Chess::build(&Values::default()).expect("the usual start"));
        let moves = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e5d4";
        let (mut fields, mut known) = (FenFields::default(), 0);
        let mut last: Option<[String; 3]> = None;
        let mut see = |frame: Frame| {
            let position = game.write_position(&frame.state);
            let words: Vec<String> = position.split(' ').map(str::to_owned).collect();
            let told = fields.next(&position);
            known += usize::from(told.is_some());
            let now = match (told, last.take()) {
                (Some(all), None) => {
                    assert_eq!(all, "w KQkq - 0 1");
                    ["KQkq", "-", "0"].map(str::to_owned)
                }
                (Some(told), Some(_)) => {
                    let words: Vec<String> = told.split(' ').map(str::to_owned).collect();
                    <[String; 3]>::try_from(words).expect("three fields")
                }
                (None, Some([castling, _, clock])) => {
                    let clock = clock.parse::<u32>().expect("a number") + 1;
                    [castling, "-".to_owned(), clock.to_string()]
                }
                (None, None) => panic!("the first position has all fields"),
            };
            assert_eq!(now, words[2..5], "{position}");
            last = Some(now);
            true
        };
        game.replay("", moves, &mut see).expect("a game");
        // The start, three pawns, castling, two captures.
        assert_eq!(known, 7);
    }
}
