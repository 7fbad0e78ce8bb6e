//! Text and pictures of Pig: moves, positions and bars.
//!
//! Moves are `roll` and `hold`; faces of the die are `d1`, `d2`, …. A position is the two banked
//! scores, the side to move and the turn sum (`12-30 second 8`), followed by `rolling` while the
//! die is rolled. `12-30` alone is accepted too. In a finished game, the side is the winner.

use std::fmt::Write;

use super::state::{Phase, Pig, PigMove, PigState};
use crate::games::game::{Drawing, Game, Notation, Player, Turn};
use crate::games::picture_for_html::{Bar, Body, Picture};
use crate::games::read_number::{joined_numbers, whole_number};

pub(super) fn write_move(mv: PigMove, out: &mut String) {
    match mv {
        PigMove::Roll => out.push_str("roll"),
        PigMove::Hold => out.push_str("hold"),
        PigMove::Face(face) => {
            out.push('d');
            out.push_str(itoa::Buffer::new().format(face));
        }
    }
}

impl Notation<Pig> for &Pig {
    fn read_move(self, state: &PigState, text: &str) -> Result<PigMove, String> {
        let word = text.trim().to_ascii_lowercase();
        match self.turn(state) {
            Turn::Over => Err("the game is over, no move is legal".to_owned()),
            Turn::Chance => {
                let face = whole_number::<u8>(word.strip_prefix('d').unwrap_or(&word));
                match face {
                    Some(face) if (1..=self.die()).contains(&u32::from(face)) => {
                        Ok(PigMove::Face(face))
                    }
                    _ => Err(format!("`{word}` is not a face: use d1 to d{}", self.die())),
                }
            }
            Turn::Player(_) => match word.as_str() {
                "roll" | "r" if self.suffices(state) => {
                    Err("the sum is enough to win: only `hold` is legal".to_owned())
                }
                "roll" | "r" => Ok(PigMove::Roll),
                "hold" | "h" => Ok(PigMove::Hold),
                _ => Err(format!("`{word}` is not a move; legal: roll, hold")),
            },
        }
    }
}

pub(super) fn write_position(state: &PigState) -> String {
    let [first, second] = state.scores;
    let rolling = if state.phase == Phase::Roll { " rolling" } else { "" };
    format!("{first}-{second} {} {}{rolling}", state.side.name(), state.total)
}

/// Numbers in this order; the side and `rolling` anywhere between them.
pub(super) fn read_position(game: &Pig, text: &str) -> Result<PigState, String> {
    let lower = text.to_ascii_lowercase();
    let mut numbers = Vec::new();
    let mut side = None;
    let mut phase = Phase::Choose;
    let words = lower.split(|c: char| c.is_whitespace() || c == ',');
    for word in words.filter(|word| !word.is_empty()) {
        match word {
            "first" | "second" if side.is_some() => return Err("two sides to move".to_owned()),
            "first" => side = Some(Player::First),
            "second" => side = Some(Player::Second),
            "rolling" => phase = Phase::Roll,
            _ => match joined_numbers(word, &['-', ':', '+']) {
                Some(joined) => numbers.extend::<Vec<u16>>(joined),
                None => return Err(format!("`{word}` is not part of a position: {EXAMPLE}")),
            },
        }
    }
    let (scores, total) = match numbers[..] {
        [first, second] => ([first, second], 0),
        [first, second, total] => ([first, second], total),
        _ => return Err(format!("{} numbers: {EXAMPLE}", numbers.len())),
    };
    let state = PigState { scores, total, side: side.unwrap_or(Player::First), phase };
    check(game, state)
}

const EXAMPLE: &str =
    "write both scores, whose turn it is and the turn's sum, such as `12-30 second 8`";

/// The position, if play can reach it.
fn check(game: &Pig, mut state: PigState) -> Result<PigState, String> {
    let PigState { scores, total, phase, .. } = state;
    // A turn continues only below the goal, so its last roll exceeds the goal by less than a die.
    let most = game.goal() + game.die() - 1;
    let winner = Player::BOTH.into_iter().find(|p| state.score(*p) >= game.goal());
    if let Some(winner) = winner {
        if state.score(winner) > most {
            return Err(format!("a score cannot exceed {most}"));
        }
        if state.score(winner.other()) >= game.goal() {
            return Err("both have reached the goal, but the game ends with the first".to_owned());
        }
        if total > 0 || phase == Phase::Roll {
            return Err(format!("the {} player has won, so the die is not rolled", winner.name()));
        }
        state.side = winner;
        state.phase = Phase::Over;
        return Ok(state);
    }
    if let Some(one) = scores.into_iter().chain([total]).find(|&points| points == 1) {
        return Err(format!("a score or sum of {one} is impossible: a 1 scores nothing"));
    }
    if state.score(state.side) + state.total() > most {
        return Err(format!("score and sum together cannot exceed {most}"));
    }
    if phase == Phase::Roll && game.suffices(&state) {
        return Err("the sum is enough to win, so the die is not rolled".to_owned());
    }
    Ok(state)
}

impl Drawing<Pig> for &Pig {
    /// Both scores as bars, with the turn sum at the end of the mover's bar.
    fn text(self, state: &PigState) -> String {
        const WIDTH: u32 = 40;
        let mut out = String::new();
        for player in Player::BOTH {
            let score = state.score(player);
            let sum = if player == state.side { state.total() } else { 0 };
            let cells = |points: u32| (points.min(self.goal()) * WIDTH / self.goal()) as usize;
            let (banked, risked) = (cells(score), cells(score + sum));
            let bar = "#".repeat(banked) + &"+".repeat(risked - banked);
            let _ = write!(out, "{:<6} [{bar:.<40}] {score}", player.name());
            if sum > 0 {
                let _ = write!(out, " + {sum}");
            }
            out.push_str(match (player == state.side, state.phase) {
                (false, _) => "\n",
                (true, Phase::Choose) => "  <\n",
                (true, Phase::Roll) => "  < rolling\n",
                (true, Phase::Over) => "  wins\n",
            });
        }
        out
    }

    fn picture(self, state: &PigState) -> Picture {
        let bar = |owner: Player| Bar {
            owner,
            value: state.score(owner),
            risked: if owner == state.side { state.total() } else { 0 },
            goal: self.goal(),
        };
        let bars = Player::BOTH.map(bar).to_vec();
        let picture = Picture { dice: vec![0], ..Picture::of(Body::Bars(bars)) };
        if state.phase == Phase::Roll { picture.with("the die is rolled") } else { picture }
    }

    fn dice(self, mv: PigMove) -> Vec<u8> {
        if let PigMove::Face(face) = mv { vec![face] } else { Vec::new() }
    }
}
