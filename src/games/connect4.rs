//! Connect Four on any board that fits 64 bits.
//!
//! One bit per cell, a column after another from the left, bottom up, with one guard
//! bit above each column; four in a row is found by shifting the board onto itself.

use super::evaluator::{EvaluatorInfo, EvaluatorVisitor, Weights, Zero};
use super::game::{Configurable, Game, Player, Turn};
use crate::params::{Param, ParamError, Values};

/// The rules for one board size.
#[derive(Debug, Clone)]
pub struct Connect4 {
    columns: u32,
    rows: u32,
    connect: u32,
}

/// A position: the stones of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    stones: [u64; 2],
    plies: u32,
}

impl Connect4 {
    /// Bits from a column to the next.
    fn stride(&self) -> u32 {
        self.rows + 1
    }

    fn line(&self, board: u64) -> bool {
        [1, self.stride(), self.stride() - 1, self.stride() + 1].into_iter().any(|shift| {
            let mut run = board;
            for _ in 1..self.connect {
                run &= run >> shift;
            }
            run != 0
        })
    }

    fn top(&self, column: u32) -> u64 {
        1 << (column * self.stride() + self.rows - 1)
    }

    fn bottom(&self, column: u32) -> u64 {
        1 << (column * self.stride())
    }

    fn winner(&self, state: &State) -> Option<Player> {
        if self.line(state.stones[0]) {
            Some(Player::First)
        } else if self.line(state.stones[1]) {
            Some(Player::Second)
        } else {
            None
        }
    }
}

impl Game for Connect4 {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        State { stones: [0, 0], plies: 0 }
    }

    fn turn(&self, state: &State) -> Turn {
        let mover = state.plies & 1;
        if self.line(state.stones[(mover ^ 1) as usize]) || state.plies == self.columns * self.rows
        {
            Turn::Over
        } else if mover == 0 {
            Turn::Player(Player::First)
        } else {
            Turn::Player(Player::Second)
        }
    }

    /// Columns from the left.
    fn moves(&self, state: &State, out: &mut Vec<u8>) {
        let all = state.stones[0] | state.stones[1];
        out.extend((0..self.columns).filter(|&c| all & self.top(c) == 0).map(|c| c as u8));
    }

    fn play(&self, state: &mut State, mv: u8) {
        let all = state.stones[0] | state.stones[1];
        let column = u32::from(mv);
        let mask = ((1u64 << self.rows) - 1) << (column * self.stride());
        let cell = (all & mask).wrapping_add(self.bottom(column)) & !(all & mask) & mask;
        state.stones[(state.plies & 1) as usize] |= cell;
        state.plies += 1;
    }

    fn payoff(&self, state: &State) -> i32 {
        self.winner(state).map_or(0, Player::sign)
    }

    fn key(&self, state: &State) -> u64 {
        state.stones[0].wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ state.stones[1].wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(32)
    }

    fn reason(&self, state: &State) -> &'static str {
        if self.winner(state).is_some() { "line" } else { "board full" }
    }

    fn max_plies(&self) -> Option<u32> {
        Some(self.columns * self.rows)
    }

    fn write_move(&self, _state: &State, mv: u8, out: &mut String) {
        out.push((b'1' + mv) as char);
    }

    fn read_move(&self, state: &State, text: &str) -> Result<u8, String> {
        let mut legal = Vec::new();
        self.moves(state, &mut legal);
        text.trim()
            .parse::<u8>()
            .ok()
            .and_then(|c| c.checked_sub(1))
            .filter(|c| legal.contains(c))
            .ok_or_else(|| format!("`{text}` is not a column that has room"))
    }

    fn write_position(&self, _state: &State) -> String {
        String::new()
    }

    fn read_position(&self, text: &str) -> Result<State, String> {
        let mut state = self.start();
        for c in text.chars() {
            let mv = self.read_move(&state, &c.to_string())?;
            self.play(&mut state, mv);
        }
        Ok(state)
    }

    fn draw(&self, _state: &State) -> String {
        String::new()
    }
}

impl Configurable for Connect4 {
    const KIND: &'static str = "connect4";
    const SUMMARY: &'static str = "Drop stones into columns; four in a row wins";

    fn params() -> Vec<Param> {
        vec![
            Param::int("columns", 1, 20, 7, "columns of the board"),
            Param::int("rows", 1, 20, 6, "rows of the board"),
            Param::int("connect", 2, 20, 4, "stones in a row that win"),
        ]
    }

    fn build(values: &Values) -> Result<Self, ParamError> {
        let get = |key| values.int(key).unwrap_or(0) as u32;
        Ok(Connect4 { columns: get("columns"), rows: get("rows"), connect: get("connect") })
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        vec![EvaluatorInfo { name: "zero", summary: "knows nothing", features: Vec::new() }]
    }

    fn with_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        _name: &str,
        _weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        Ok(visitor.visit(Zero))
    }
}
