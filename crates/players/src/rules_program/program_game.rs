//! The game whose rules are a program behind a pipe.

use std::collections::BTreeMap;
use std::time::Duration;

use rand::Rng;

use super::position::{Abilities, ProgramMove, ProgramState};
use super::program_solver::ProgramSolver;
use super::rules_failure::RulesFailure;
use super::rules_process::{Program, RulesProcess};
use super::trial_game::warnings_of_trial_game;
use crate::engine::CommandText;
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Piece, Shape};
use crate::games::{
    Configurable, Drawing, Evaluator, FullSearch, Game, NamedEvaluator, Notation, Offer, Player,
    Scoring, SearchHints, Shortcuts, Symmetry, Turn, below,
};
use crate::params::ParamError;

crate::params! {
    /// The program of the rules.
    #[derive(Debug, Clone)]
    pub struct ProgramParams {
        /// command that starts the program, as in a terminal or as a list of words
        command: CommandText,
        /// working directory of the program; a relative path in `command` starts here
        dir: Option<String> = None,
        /// maximum seconds for one line of an answer
        timeout: f64 [0.001..=86_400.0] = 10.0,
    }
}

/// A game whose rules are a program behind a pipe.
#[derive(Debug)]
pub struct ProgramGame {
    program: Program,
    abilities: Abilities,
    /// The start and the positions after its first moves.
    first_positions: Vec<ProgramState>,
}

impl ProgramGame {
    /// Asks the process of this thread. If the program fails, the game that is being played is left.
    fn ask<T>(&self, question: impl FnOnce(&mut RulesProcess) -> Result<T, RulesFailure>) -> T {
        self.ask_or_fail(question).unwrap_or_else(|failure| failure.raise())
    }

    fn ask_or_fail<T>(
        &self,
        question: impl FnOnce(&mut RulesProcess) -> Result<T, RulesFailure>,
    ) -> Result<T, RulesFailure> {
        self.program.ask(|process| {
            process.check_start(&self.first_positions)?;
            question(process)
        })
    }

    /// Leaves the game in which a full search has met a position twice.
    fn leave_endless(&self, state: &ProgramState) -> ! {
        let failure = RulesFailure {
            command: self.program.shown.clone(),
            what: format!(
                "a game can come back to the position `{}`, so it need not end, and its exact value \
                 is unknown; `perfect`, `agon solve` and grades need a game that ends, such as one \
                 whose states count the moves up to a draw",
                state.text()
            ),
            transcript: String::new(),
            is_shortage: false,
        };
        failure.raise()
    }
}

impl Game for ProgramGame {
    type State = ProgramState;
    type Move = ProgramMove;

    fn start(&self) -> ProgramState {
        self.first_positions[0].clone()
    }

    fn turn(&self, state: &ProgramState) -> Turn {
        state.turn()
    }

    /// In the order of the program.
    fn moves(&self, state: &ProgramState, out: &mut Vec<ProgramMove>) {
        state.expand();
        out.extend(state.moves());
    }

    fn outcomes(&self, state: &ProgramState, out: &mut Vec<(ProgramMove, u32)>) {
        state.expand();
        out.extend(state.moves().iter().copied().zip(state.weights().iter().copied()));
    }

    fn has_chance(&self) -> bool {
        self.abilities.chance
    }

    fn play(&self, state: &mut ProgramState, mv: ProgramMove) {
        let index = state.index_of(mv).expect("a legal move");
        let next = self.ask(|process| process.after(state, index));
        *state = next;
    }

    fn payoff(&self, state: &ProgramState) -> i32 {
        state.payoff()
    }

    fn reason(&self, state: &ProgramState) -> &'static str {
        state.reason()
    }

    fn key(&self, state: &ProgramState) -> u64 {
        state.text_hash()
    }

    fn write_move(&self, state: &ProgramState, mv: ProgramMove, out: &mut String) {
        let text = state.index_of(mv).and_then(|index| state.move_texts().nth(index));
        out.push_str(text.unwrap_or("?"));
    }

    fn write_position(&self, state: &ProgramState) -> String {
        state.text().to_owned()
    }

    fn read_position(&self, text: &str) -> Result<ProgramState, String> {
        let (text, mut is_own) = (text.trim(), true);
        let read = self.ask_or_fail(|process| {
            is_own = process.knows(text);
            process.read_state(text)
        });
        match read {
            Err(failure) if is_own => failure.raise(),
            // A text that people have typed may be too much for a program. That ends no run.
            read => read.unwrap_or_else(|failure| Err(failure.to_string())),
        }
    }

    fn shortcuts(&self) -> impl Shortcuts<Self> {
        self
    }

    fn hints(&self) -> impl SearchHints<Self> {
        self
    }

    fn symmetry(&self) -> impl Symmetry<Self> {
        self
    }

    fn scoring(&self) -> impl Scoring<Self> {
        self
    }

    fn notation(&self) -> impl Notation<Self> {
        self
    }

    fn drawing(&self) -> impl Drawing<Self> {
        self
    }
}

impl SearchHints<ProgramGame> for &ProgramGame {
    fn table_key(self, state: &ProgramState) -> u64 {
        state.key_hash()
    }
}

/// The program's keys stand for its symmetries.
impl Symmetry<ProgramGame> for &ProgramGame {
    fn canonical_key(self, state: &ProgramState) -> u64 {
        state.key_hash()
    }

    fn canonical_image(self, state: &ProgramState) -> (u64, Option<ProgramState>) {
        (state.key_hash(), None)
    }

    fn is_equivalent(self, canonical: &ProgramState, other: &ProgramState) -> bool {
        canonical.has_key_of(other)
    }
}

/// One random move needs one position, not the positions after all moves.
impl Shortcuts<ProgramGame> for &ProgramGame {
    fn legality(self, state: &ProgramState, mv: ProgramMove) -> Option<bool> {
        Some(state.index_of(mv).is_some())
    }

    fn random_move<R: Rng>(
        self,
        state: &ProgramState,
        rng: &mut R,
        _: &mut Vec<ProgramMove>,
    ) -> ProgramMove {
        state.moves()[below(rng, state.moves().len() as u32) as usize]
    }

    fn random_outcome<R: Rng>(
        self,
        state: &ProgramState,
        rng: &mut R,
        _: &mut Vec<(ProgramMove, u32)>,
    ) -> ProgramMove {
        state.moves()[state.outcome_of(below(rng, state.weights().iter().sum()))]
    }

    fn random_plies(
        self,
        state: &mut ProgramState,
        numbers: &mut dyn FnMut() -> u32,
        most: u32,
    ) -> [u32; 2] {
        match self.abilities.playout && most > 0 && state.turn() != Turn::Over {
            true => self.ask(|process| process.random_plies(state, numbers, most)),
            false => [0; 2],
        }
    }
}

impl Scoring<ProgramGame> for &ProgramGame {
    fn numeric_score(self) -> bool {
        self.abilities.points
    }
}

impl Notation<ProgramGame> for &ProgramGame {
    fn read_move(self, state: &ProgramState, text: &str) -> Result<ProgramMove, String> {
        let text = text.trim();
        if state.turn() == Turn::Over {
            return Err("the game is over, no move is legal".to_owned());
        }
        let is_lenient = |known: &str| known.to_lowercase() == text.to_lowercase();
        let exact = state.move_texts().position(|known| known == text);
        match exact.or_else(|| state.move_texts().position(is_lenient)) {
            Some(index) => Ok(state.moves()[index]),
            None => {
                let legal: Vec<&str> = state.move_texts().collect();
                Err(format!("`{text}` is not legal here: {}", legal.join(", ")))
            }
        }
    }
}

/// A board that the program cannot draw ends no run: the failure is shown in its place.
impl Drawing<ProgramGame> for &ProgramGame {
    fn text(self, state: &ProgramState) -> String {
        let drawn = match (self.abilities.draw, self.abilities.picture) {
            (true, _) => self.ask_or_fail(|process| process.about("draw", state)),
            (false, true) => self.ask_or_fail(|process| process.about("picture", state)),
            (false, false) => Ok(state.text().to_owned()),
        };
        let drawn = drawn.unwrap_or_else(|failure| format!("{}\n({failure})", state.text()));
        drawn.replace('\t', "\n") + "\n"
    }

    fn picture(self, state: &ProgramState) -> Picture {
        match self.board(state) {
            Some(board) => Picture::of(Body::Board(board)),
            None => Picture::text(self.text(state)),
        }
    }

    /// The cells that the move names, such as `b2` or `a2-a3`: columns are letters, and the lowest
    /// row is 1.
    fn cells(self, state: &ProgramState, mv: ProgramMove) -> Vec<usize> {
        let Some(board) = self.board(state) else { return Vec::new() };
        let text = state.index_of(mv).and_then(|index| state.move_texts().nth(index));
        cells_of(text.unwrap_or_default(), board.columns, board.rows)
    }
}

impl ProgramGame {
    fn board(&self, state: &ProgramState) -> Option<Board> {
        let rows = self.abilities.picture.then(|| {
            let asked = self.ask_or_fail(|process| process.about("picture", state));
            asked.ok()
        });
        rows.flatten().map(|rows| board_of(&rows))
    }
}

/// The board of a `picture`: rows of cells, separated by tabs. `x` is a disc of the first player, `o`
/// of the second, `.` an empty cell and `#` a wall. Other letters are pieces: capitals are the first
/// player's.
fn board_of(answer: &str) -> Board {
    let rows: Vec<Vec<char>> = answer.split('\t').map(|row| row.chars().collect()).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    Board::new(Ground::Grid, (columns, rows.len()), |column, row| {
        rows[row].get(column).map_or(Piece::NONE, |&c| piece(c))
    })
}

fn piece(c: char) -> Piece {
    match c {
        '.' | ' ' => Piece::NONE,
        'x' => Piece::of(Player::First, Shape::Disc),
        'o' => Piece::of(Player::Second, Shape::Disc),
        '#' => Piece::thing(Shape::Wall),
        c if c.is_uppercase() => Piece::of(Player::First, Shape::Symbol(c)),
        c if c.is_lowercase() => Piece::of(Player::Second, Shape::Symbol(c)),
        c => Piece::thing(Shape::Symbol(c)),
    }
}

fn cells_of(text: &str, columns: usize, rows: usize) -> Vec<usize> {
    let mut cells = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_lowercase()) {
        let column = usize::from(rest.as_bytes()[at] - b'a');
        let digits = &rest[at + 1..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let row: Option<usize> = digits[..end].parse().ok();
        if let Some(row) = row.filter(|row| (1..=rows).contains(row) && column < columns) {
            cells.push((rows - row) * columns + column);
        }
        rest = &digits[end..];
    }
    cells
}

/// The value in the program's answer.
#[derive(Debug, Clone, Copy, Default)]
struct ProgramValue;

impl Evaluator<ProgramGame> for ProgramValue {
    fn evaluate(&self, _: &ProgramGame, state: &ProgramState) -> i32 {
        state.value()
    }
}

impl Configurable for ProgramGame {
    const KIND: &'static str = "program";
    const SUMMARY: &'static str = "Your own game: rules by a program in any language";

    type Params = ProgramParams;

    fn from_params(params: ProgramParams) -> Result<Self, ParamError> {
        let ProgramParams { command, dir, timeout } = params;
        let launch = command
            .launch(dir.as_deref(), &BTreeMap::new())
            .map_err(|error| ParamError::at("command", error.detail, error.help))?;
        let timeout = Duration::from_secs_f64(timeout);
        let program = Program { launch, shown: command.shown(), timeout };
        let asked = program.ask(|process| {
            let first_positions = process.first_positions()?;
            process.try_drawing(&first_positions[0])?;
            Ok((process.abilities, first_positions))
        });
        let (abilities, first_positions) = asked.map_err(|failure| failure.at_start())?;
        Ok(ProgramGame { program, abilities, first_positions })
    }

    fn warnings(&self) -> Vec<String> {
        let start = &self.first_positions[0];
        let found = self.ask_or_fail(|process| warnings_of_trial_game(process, start));
        found.unwrap_or_else(|failure| {
            vec![format!("a random game before the run: {}", failure.in_one_line())]
        })
    }

    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(ProgramSolver { search: FullSearch::default(), leave: Self::leave_endless }))
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "the value in the program's answer";
        let own = NamedEvaluator::plain::<ProgramValue>("program", summary);
        if self.abilities.evaluate { vec![own] } else { Vec::new() }
    }
}
