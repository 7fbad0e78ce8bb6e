//! The board for the terminal, its picture, and the clicks of a move.

use std::fmt::Write;

use super::checkers_of_one_side::{BAR, CHECKERS};
use super::legal_moves::Mover;
use super::state::{Backgammon, BackgammonMove, BackgammonState, CheckerStep, Phase};
use crate::games::game::{Drawing, Player};
use crate::games::grid::bitboard::Bitboard;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};
use crate::games::stone_board_text::letter;

/// A column between the quarters of the board, and the last one.
const BAR_COLUMN: usize = 6;
const OFF_COLUMN: usize = 13;

/// The first player's number of a point: in the row above from 13 to 24, below from 12 to 1.
fn point(column: usize, row: usize) -> u32 {
    let along = (column - usize::from(column > BAR_COLUMN)) as u32;
    if row == 0 { 13 + along } else { 12 - along }
}

/// The owner and the number of the checkers in a cell.
fn at(state: &BackgammonState, column: usize, row: usize) -> Option<(Player, u32)> {
    let of_row = [Player::Second, Player::First][row];
    let own = state.checkers(of_row);
    let (owner, count) = match column {
        BAR_COLUMN => (of_row, own.at(BAR)),
        OFF_COLUMN => (of_row, CHECKERS - own.on_board()),
        _ => {
            let point = point(column, row);
            match state.checkers(Player::First).at(point) {
                0 => (Player::Second, state.checkers(Player::Second).at(25 - point)),
                count => (Player::First, count),
            }
        }
    };
    (count > 0).then_some((owner, count))
}

/// The cell of a player's point, of the bar, or of the checkers borne off (0).
fn cell(player: Player, point: u32) -> usize {
    let of_first = if player == Player::First { point } else { 25 - point };
    let (row, column) = match point {
        BAR | 0 => {
            let column = if point == BAR { BAR_COLUMN } else { OFF_COLUMN };
            (usize::from(player == Player::First), column)
        }
        _ => {
            let row = usize::from(of_first < 13);
            let along = if row == 0 { of_first - 13 } else { 12 - of_first } as usize;
            (row, along + usize::from(along >= BAR_COLUMN))
        }
    };
    row * (OFF_COLUMN + 1) + column
}

/// The steps of a move in every order that leads to the same position with the same hits.
fn step_orders(state: &BackgammonState, mv: BackgammonMove) -> Vec<Vec<CheckerStep>> {
    let (mover, steps) = (Mover::of(state), mv.steps());
    let dice = match steps.len() {
        0 | 1 => return vec![steps.to_vec()],
        2 => mover.dice.to_vec(),
        more => vec![mover.dice[0]; more],
    };
    let after = |steps: &[CheckerStep]| {
        let (mut own, mut hits) = (mover.own, 0);
        for step in steps {
            step.play(&mut own);
            hits |= mover.blots & 1 << step.to();
        }
        (own, hits)
    };
    let mut orders: Vec<(Vec<CheckerStep>, Vec<u32>)> = vec![(Vec::new(), dice)];
    for _ in steps {
        let mut longer = Vec::new();
        for (steps_so_far, dice) in orders {
            let (own, _) = after(&steps_so_far);
            for (i, &die) in dice.iter().enumerate() {
                if dice[..i].contains(&die) {
                    continue;
                }
                for from in mover.playable(own.points(), die).cells() {
                    let step = CheckerStep::new(from, die);
                    // The steps of doubles differ in their order only.
                    if !mover.is_double() || steps.contains(&step) {
                        let mut dice = dice.clone();
                        dice.remove(i);
                        longer.push(([&steps_so_far[..], &[step]].concat(), dice));
                    }
                }
            }
        }
        orders = longer;
    }
    let result = after(steps);
    let all = orders.into_iter().map(|(steps, _)| steps);
    all.filter(|steps| after(steps) == result).collect()
}

fn heading(column: usize, row: usize) -> String {
    match column {
        BAR_COLUMN => "bar".to_owned(),
        OFF_COLUMN => "off".to_owned(),
        _ => point(column, row).to_string(),
    }
}

/// What happens next, in words.
fn next(state: &BackgammonState) -> String {
    let side = letter(Some(state.side));
    match state.phase {
        Phase::FirstRoll => "each side rolls a die".to_owned(),
        Phase::Roll => format!("{side} rolls"),
        Phase::Move => format!("{side} to move, dice {} {}", state.dice[0], state.dice[1]),
        Phase::Over => format!("{side} has won"),
    }
}

impl Drawing<Backgammon> for &Backgammon {
    /// The second player's home is above on the right, the first player's below.
    fn text(self, state: &BackgammonState) -> String {
        let mut out = String::new();
        let mut line = |of: &dyn Fn(usize) -> String| {
            for column in 0..=OFF_COLUMN {
                let _ = write!(out, "{:>4}", of(column));
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        };
        let checkers = |row: usize| {
            move |column: usize| match at(state, column, row) {
                Some((owner, count)) => format!("{}{count}", letter(Some(owner))),
                None if [BAR_COLUMN, OFF_COLUMN].contains(&column) => String::new(),
                None => ".".to_owned(),
            }
        };
        line(&|column| heading(column, 0));
        line(&checkers(0));
        line(&checkers(1));
        line(&|column| heading(column, 1));
        let pips = |player| state.checkers(player).pips();
        let _ = writeln!(
            out,
            "pips: x {}, o {}; {}",
            pips(Player::First),
            pips(Player::Second),
            next(state)
        );
        out
    }

    fn picture(self, state: &BackgammonState) -> Picture {
        let ground = Ground::Points { bar: BAR_COLUMN, off: OFF_COLUMN };
        let board = Board::new(ground, (OFF_COLUMN + 1, 2), |column, row| {
            at(state, column, row).map_or(Piece::NONE, |(owner, count)| {
                // Checkers lie at the edges, those on the bar in the middle.
                let up = (row == 1) != (column == BAR_COLUMN);
                Piece::of(owner, Shape::Stack { count: count as u8, up })
            })
        });
        let [names_above, column_names] =
            [0, 1].map(|row| (0..=OFF_COLUMN).map(|column| heading(column, row)).collect());
        let board = Board { column_names, names_above, row_names: Vec::new(), ..board };
        let dice = state.dice.to_vec();
        let picture = Picture { dice, ..Picture::of(Body::Board(board)) }.with(next(state));
        // The board has the numbers of the first player.
        let is_second = state.phase == Phase::Move && state.side == Player::Second;
        if is_second { picture.with("o's 24 is x's 1") } else { picture }
    }

    fn click_orders(self, state: &BackgammonState, mv: BackgammonMove) -> Vec<Vec<usize>> {
        let cell = |point| cell(state.side, point);
        let orders = step_orders(state, mv);
        let of_steps = orders.iter().map(|steps| {
            steps.iter().flat_map(|step| [cell(step.from()), cell(step.to())]).collect()
        });
        let mut clicks: Vec<Vec<usize>> = of_steps.collect();
        // One checker may go to its last point at once.
        let in_a_row = |steps: &&Vec<CheckerStep>| {
            steps.len() > 1 && steps.windows(2).all(|pair| pair[0].to() == pair[1].from())
        };
        if let Some([first, .., last]) = orders.iter().find(in_a_row).map(Vec::as_slice)
            && last.to() > 0
        {
            clicks.push(vec![cell(first.from()), cell(last.to())]);
        }
        clicks
    }

    fn dice(self, mv: BackgammonMove) -> Vec<u8> {
        if let BackgammonMove::Roll(a, b) = mv { vec![a.max(b), a.min(b)] } else { Vec::new() }
    }
}
