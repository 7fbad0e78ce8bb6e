//! Moves of backgammon as text.
//!
//! A turn names the points before and after each checker's way, in the mover's numbers from 24 to 1:
//! `8/5+6/5`, on score sheets with a space instead of `+`. `bar/20` enters a checker, `6/off` bears
//! one off, `*` hits, `8/4(2)` are two checkers. A checker that hits on its way names that point:
//! `24/18*/13`. A roll is both dice: `31`.

use super::checkers_of_one_side::{BAR, Side};
use super::legal_moves::Mover;
use super::state::{Backgammon, BackgammonMove, BackgammonState, Phase};
use crate::games::game::{Game, GameExt, Notation, Turn};
use crate::games::grid::bitboard::Bitboard;
use crate::games::lenient_move_reading::meant;
use crate::games::read_number::whole_number;

/// The ways of the checkers of a turn: the points of each, with a hit there or not.
fn ways(state: &BackgammonState, mv: BackgammonMove) -> Vec<Vec<(u32, bool)>> {
    let mut blots = Mover::of(state).blots;
    let mut ways: Vec<Vec<(u32, bool)>> = Vec::new();
    for step in mv.steps() {
        let hits = step.to() > 0 && blots.has(step.to());
        blots &= !(u32::from(hits) << step.to());
        let end = (step.to(), hits);
        let goes_on = |way: &&mut Vec<(u32, bool)>| way[way.len() - 1].0 == step.from();
        match ways.iter_mut().find(goes_on) {
            Some(way) => way.push(end),
            None => ways.push(vec![(step.from(), false), end]),
        }
    }
    ways
}

/// The first and the last point, and those between them with a hit.
fn write_way(way: &[(u32, bool)]) -> String {
    let mut out = String::new();
    for (i, &(point, hits)) in way.iter().enumerate() {
        if i > 0 && i + 1 < way.len() && !hits {
            continue;
        }
        if i > 0 {
            out.push('/');
        }
        match point {
            BAR => out.push_str("bar"),
            0 => out.push_str("off"),
            _ => out.push_str(itoa::Buffer::new().format(point)),
        }
        if hits {
            out.push('*');
        }
    }
    out
}

/// Appends a move, with this sign between the ways of several checkers.
pub(super) fn write_move(
    state: &BackgammonState,
    mv: BackgammonMove,
    sign: char,
    out: &mut String,
) {
    if let BackgammonMove::Roll(a, b) = mv {
        out.push(char::from(b'0' + a));
        out.push(char::from(b'0' + b));
        return;
    }
    if mv.steps().is_empty() {
        out.push_str("pass");
    }
    let ways: Vec<String> = ways(state, mv).iter().map(|way| write_way(way)).collect();
    let mut rest = &ways[..];
    while let Some(way) = rest.first() {
        // Only the first of several checkers hits.
        let plain = way.trim_end_matches('*');
        let count = rest.iter().take_while(|way| way.trim_end_matches('*') == plain).count();
        if rest.len() < ways.len() {
            out.push(sign);
        }
        out.push_str(way);
        if count > 1 {
            out.push('(');
            out.push(char::from(b'0' + count as u8));
            out.push(')');
        }
        rest = &rest[count..];
    }
}

impl Notation<Backgammon> for &Backgammon {
    /// Reads a turn with spaces or `+` between the ways and with or without `*`. Points on the way
    /// may be named.
    fn read_move(self, state: &BackgammonState, text: &str) -> Result<BackgammonMove, String> {
        let word = text.trim().to_lowercase();
        match self.turn(state) {
            Turn::Over => Err("the game is over, no move is legal".to_owned()),
            Turn::Chance => read_roll(&word, state.phase == Phase::FirstRoll),
            Turn::Player(_) => read_turn(self, state, &word),
        }
    }

    fn san(self, state: &BackgammonState, mv: BackgammonMove) -> String {
        let mut text = String::new();
        write_move(state, mv, ' ', &mut text);
        text
    }
}

/// The numbers of two dice.
pub(super) fn read_dice(word: &str) -> Option<[u8; 2]> {
    let digits: Vec<u8> = word.bytes().filter(|c| !b" -d:".contains(c)).collect();
    match digits[..] {
        [a @ b'1'..=b'6', b @ b'1'..=b'6'] => Some([a - b'0', b - b'0']),
        _ => None,
    }
}

fn read_roll(word: &str, first: bool) -> Result<BackgammonMove, String> {
    match read_dice(word) {
        Some([a, b]) if first && a == b => Err(format!(
            "`{word}` is not a first roll: the dice differ, and the player with the larger begins"
        )),
        Some([a, b]) if first => Ok(BackgammonMove::Roll(a, b)),
        Some([a, b]) => Ok(BackgammonMove::Roll(a.max(b), a.min(b))),
        None => Err(format!("`{word}` is not a roll: write both dice, such as `31`")),
    }
}

/// The ways of a turn as written.
struct Written {
    /// The mover's checkers after the turn.
    own: Side,
    /// The points that are named.
    named: u32,
}

fn read_ways(mut own: Side, text: &str) -> Option<Written> {
    let (mut named, mut steps) = (0, 0);
    for way in text.split([' ', '+', ';', '\t']).filter(|way| !way.is_empty()) {
        let (way, count) = match way.strip_suffix(')').and_then(|way| way.split_once('(')) {
            Some((way, count)) => (way, whole_number(count).filter(|n| (1..=4).contains(n))?),
            None => (way, 1),
        };
        let (mut before, steps_before) = (None, steps);
        for point in way.split(['/', '-']) {
            let point = match point.trim_end_matches('*') {
                "bar" | "b" => BAR,
                "off" | "o" => 0,
                number => whole_number(number).filter(|point| *point <= BAR)?,
            };
            if let Some(from) = before {
                (point < from).then_some(())?;
                steps += 1;
                for _ in 0..count {
                    own.remove(from);
                    if point > 0 {
                        own.add(point);
                    }
                }
            }
            named |= 1 << point;
            before = Some(point);
        }
        (steps > steps_before).then_some(())?;
    }
    (steps > 0).then_some(Written { own, named })
}

fn read_turn(
    game: &Backgammon,
    state: &BackgammonState,
    word: &str,
) -> Result<BackgammonMove, String> {
    let legal = game.legal_moves(state);
    let read = read_ways(state.checkers(state.side), word);
    let blots = Mover::of(state).blots;
    let fits = |mv: &BackgammonMove| {
        let Some(Written { own, named }) = read else { return false };
        let mut after = state.checkers(state.side);
        let mut points = 0;
        for step in mv.steps() {
            step.play(&mut after);
            points |= 1 << step.from() | 1 << step.to();
        }
        // A named point with an enemy checker is on the way.
        after == own && named & blots & !points == 0
    };
    let hits_on_the_way = |mv: &BackgammonMove| {
        ways(state, *mv).iter().any(|way| way[..way.len() - 1].iter().any(|(_, hits)| *hits))
    };
    let mut found: Vec<BackgammonMove> = legal.iter().copied().filter(fits).collect();
    if found.len() > 1 {
        // Without a point on the way, no checker is hit there.
        let quiet: Vec<_> = found.iter().copied().filter(|mv| !hits_on_the_way(mv)).collect();
        if quiet.len() == 1 {
            found = quiet;
        }
    }
    if let [mv] = found[..] {
        return Ok(mv);
    }
    let listed = if found.is_empty() { &legal } else { &found };
    let ambiguous = found.len() > 1;
    let forms = |mv: &BackgammonMove| {
        let mut written = String::new();
        write_move(state, *mv, '+', &mut written);
        if ambiguous { vec![written, word.to_owned()] } else { vec![written] }
    };
    let forms: Vec<Vec<String>> = listed.iter().map(forms).collect();
    meant(word, &forms).map(|number| listed[number])
}
