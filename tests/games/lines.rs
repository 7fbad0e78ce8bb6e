//! Tests of lines, threats and evaluators against slow references that use the board's text.

use crate::support::visit::{Visit, with_game};
use agon::games::{
    Configurable, Evaluator, EvaluatorVisitor, Game, Player, SearchHints, Turn, Weights,
    conformance,
};

/// The board in its text: rows from the top, cells from the left.
#[derive(Clone)]
struct Board {
    rows: Vec<Vec<char>>,
    length: i32,
    exact: bool,
}

type Place = (i32, i32);
const DIRECTIONS: [Place; 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Board {
    fn at(&self, (r, c): Place) -> Option<char> {
        self.rows.get(usize::try_from(r).ok()?)?.get(usize::try_from(c).ok()?).copied()
    }

    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (rows, columns) = (self.rows.len() as i32, self.rows[0].len() as i32);
        (0..rows).flat_map(move |r| (0..columns).map(move |c| (r, c)))
    }

    /// The cell at a distance of `n` steps.
    fn step((r, c): Place, (dr, dc): Place, n: i32) -> Place {
        (r + n * dr, c + n * dc)
    }

    /// Every line as its first cell and direction.
    fn lines(&self) -> Vec<(Place, Place)> {
        let starts = self.places().flat_map(|p| DIRECTIONS.map(|d| (p, d)));
        starts.filter(|&(p, d)| self.at(Self::step(p, d, self.length - 1)).is_some()).collect()
    }

    /// The number of stones on each line that a side can still complete.
    fn open(&self, side: char) -> Vec<usize> {
        let count = |&(place, d): &(Place, Place)| {
            let cells = (0..self.length).map(|n| self.at(Self::step(place, d, n)).unwrap());
            let cells: Vec<char> = cells.collect();
            let beyond = [-1, self.length].map(|n| self.at(Self::step(place, d, n)));
            if self.exact && beyond.contains(&Some(side)) {
                return None;
            }
            let mine = cells.iter().filter(|&&c| c == side).count();
            cells.iter().all(|&c| c == side || c == '.').then_some(mine)
        };
        self.lines().iter().filter_map(count).collect()
    }

    /// Whether a row of the right length contains the cell, counted outwards from it.
    fn wins_at(&self, place: Place, side: char) -> bool {
        DIRECTIONS.iter().any(|&d| {
            let run = |sign| {
                (1..).take_while(|n| self.at(Self::step(place, d, sign * n)) == Some(side)).count()
            };
            let row = (1 + run(1) + run(-1)) as i32;
            if self.exact { row == self.length } else { row >= self.length }
        })
    }

    fn winner(&self) -> Option<char> {
        let stone = |p: &Place| self.at(*p).filter(|&side| side != '.' && self.wins_at(*p, side));
        self.places().find_map(|p| stone(&p))
    }

    /// Empty cells where a stone of this side completes a line.
    fn threats(&self, side: char) -> Vec<Place> {
        let empty = self.places().filter(|&p| self.at(p) == Some('.'));
        empty.filter(|&p| self.wins_at(p, side)).collect()
    }

    fn segments(&self, weights: &Weights) -> i64 {
        let weight = |stones: &usize| match stones {
            0 => 0,
            n => weights[NAMES[n - 1]],
        };
        let value = |side| self.open(side).iter().map(weight).sum::<i64>();
        value('x') - value('o')
    }

    fn count(&self, side: char, wanted: impl Fn(Place) -> bool) -> i64 {
        self.places().filter(|&p| self.at(p) == Some(side) && wanted(p)).count() as i64
    }

    /// Whether the index has this distance from the middle columns or rows.
    fn near_middle(size: usize, index: i32, distance: i32) -> bool {
        let size = size as i32;
        index == (size - 1) / 2 - distance || index == size / 2 + distance
    }

    fn feature(&self, name: &str, side: char) -> i64 {
        let (rows, columns) = (self.rows.len(), self.rows[0].len());
        let threats = self.threats(side);
        let number =
            |wanted: &dyn Fn(&&Place) -> bool| threats.iter().filter(wanted).count() as i64;
        match name {
            "lines" => self.open(side).len() as i64,
            "threats" => threats.len() as i64,
            "corners" => self.count(side, |(r, c)| {
                [0, rows as i32 - 1].contains(&r) && [0, columns as i32 - 1].contains(&c)
            }),
            "playable" => number(&|p| self.at((p.0 + 1, p.1)) != Some('.')),
            "stacked" => number(&|p| threats.contains(&(p.0 + 1, p.1))),
            "zugzwang" => {
                let wanted = if side == 'x' { 1 } else { 0 };
                number(&|p| (rows as i32 - p.0) % 2 == wanted)
            }
            "inner" if columns < 3 => 0,
            "inner" => self.count(side, |(_, c)| Self::near_middle(columns, c, 1)),
            _ => unreachable!("{name}"),
        }
    }
}

const NAMES: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// The values of an evaluator.
struct Values<'a, G: Game>(&'a G, &'a [G::State]);

impl<G: Game> EvaluatorVisitor<G> for Values<'_, G> {
    type Out = Vec<i32>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Vec<i32> {
        self.1.iter().map(|state| evaluator.evaluate(self.0, state)).collect()
    }
}

struct Against {
    spec: &'static str,
    length: i32,
    exact: bool,
}

impl Against {
    fn board(&self, text: &str) -> Board {
        let rows = text.split('/').map(|row| row.chars().collect()).collect();
        Board { rows, length: self.length, exact: self.exact }
    }

    fn check_rules<G: Game>(&self, game: &G, state: &G::State) {
        let text = game.write_position(state);
        let board = self.board(&text);
        let winner = board.winner();
        let letter = |player| if player == Player::First { 'x' } else { 'o' };
        let full = board.count('.', |_| true) == 0;
        match game.turn(state) {
            Turn::Over => {
                let payoff = winner.map_or(0, |side| if side == 'x' { 1 } else { -1 });
                assert_eq!(game.payoff(state), payoff, "{text}");
                assert_eq!(game.reason(state), if payoff == 0 { "board full" } else { "line" });
                assert!(full || winner.is_some(), "{text}");
            }
            Turn::Player(player) => {
                assert!(winner.is_none() && !full, "{text}");
                let mut moves = Vec::new();
                game.moves(state, &mut moves);
                let place = |mv: G::Move| {
                    let mut next = state.clone();
                    game.play(&mut next, mv);
                    let next = self.board(&game.write_position(&next));
                    board.places().find(|&p| board.at(p) != next.at(p)).unwrap()
                };
                let urgent = |side| {
                    let wins = |mv: &G::Move| board.wins_at(place(*mv), side);
                    moves.iter().copied().filter(wins).collect::<Vec<_>>()
                };
                let wins = urgent(letter(player));
                let known = if wins.is_empty() { urgent(letter(player.other())) } else { wins };
                let mut noisy = Vec::new();
                game.hints().noisy(state, &mut noisy);
                assert_eq!(noisy, known, "noisy moves in {text}");
            }
            Turn::Chance => unreachable!(),
        }
    }

    fn check_evaluators<G: Configurable>(&self, game: &G, positions: &[G::State]) {
        let boards: Vec<_> =
            positions.iter().map(|s| self.board(&game.write_position(s))).collect();
        let evaluate = |name, weights: &Weights| {
            let given = weights.clone();
            game.with_evaluator(name, &given, Values(game, positions)).unwrap()
        };
        let info = game.evaluators();
        let defaults: Weights = info[0].features.iter().cloned().collect();
        // Weights for which no other mixture of lines has the same sum by accident, with and
        // without a weight for single stones.
        let odd: Weights = (1..)
            .zip(NAMES)
            .take(self.length as usize)
            .map(|(i, name)| (name.to_owned(), [0, 7, -31, 173, 1009, 40_009, -77][i]))
            .collect();
        let mut no_one = odd.clone();
        no_one.insert("one".to_owned(), 0);
        for weights in [defaults, odd, no_one] {
            for (board, value) in boards.iter().zip(evaluate("segments", &weights)) {
                let text: Vec<String> = board.rows.iter().map(|r| r.iter().collect()).collect();
                assert_eq!(i64::from(value), board.segments(&weights), "{}", text.join("/"));
            }
        }
        for (feature, _) in &info[1].features {
            let mut weights: Weights =
                info[1].features.iter().map(|(name, _)| (name.clone(), 0)).collect();
            weights.insert(feature.clone(), 1);
            for (board, value) in boards.iter().zip(evaluate("linear", &weights)) {
                let columns = board.rows[0].len();
                let count = |side| match feature.as_str() {
                    "centre" => board.count(side, |(r, c)| {
                        let row = Board::near_middle(board.rows.len(), r, 0);
                        Board::near_middle(columns, c, 0) && (row || G::KIND == "connect4")
                    }),
                    name => board.feature(name, side),
                };
                let text: Vec<String> = board.rows.iter().map(|r| r.iter().collect()).collect();
                let known = count('x') - count('o');
                assert_eq!(i64::from(value), known, "{feature} of {}", text.join("/"));
            }
        }
    }
}

impl Visit for Against {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let positions = conformance::positions(game, 25, 5);
        // The reference is slower on larger boards.
        let cells = self.board(&game.write_position(&game.start())).places().count();
        let positions: Vec<_> = positions.into_iter().take(600.min(40_000 / cells)).collect();
        for state in &positions {
            self.check_rules(game, state);
        }
        self.check_evaluators(game, &positions);
    }
}

macro_rules! agrees {
    ($($name:ident: $spec:literal, $length:literal, $exact:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let against = Against { spec: $spec, length: $length, exact: $exact };
                with_game(against.spec, against);
            }
        )*
    };
}

agrees! {
    tictactoe: "tictactoe", 3, false;
    connect4: "connect4", 4, false;
    connect4_9x6: "connect4:columns=9,rows=6", 4, false;
    connect4_5x5_three: "connect4:columns=5,rows=5,connect=3", 3, false;
    connect4_8x7_five: "connect4:columns=8,rows=7,connect=5", 5, false;
    connect4_16x3: "connect4:columns=16,rows=3", 4, false;
    connect4_2x2: "connect4:columns=2,rows=2,connect=2", 2, false;
    mnk_4x3: "mnk:m=4,n=3,k=3", 3, false;
    mnk_7x5: "mnk:m=7,n=5,k=4", 4, false;
    mnk_7x7_exact: "mnk:m=7,n=7,k=3,exact=true", 3, true;
    mnk_10x10: "mnk:m=10,n=10,k=5", 5, false;
    mnk_10x10_exact: "mnk:m=10,n=10,k=4,exact=true", 4, true;
    mnk_15x15: "mnk:m=15,n=15,k=5", 5, false;
    mnk_19x19_exact: "mnk:m=19,n=19,k=5,exact=true", 5, true;
    mnk_19x4_six: "mnk:m=19,n=4,k=6", 6, false;
    mnk_20x20: "mnk:m=20,n=20,k=5", 5, false;
    mnk_20x20_exact: "mnk:m=20,n=20,k=5,exact=true", 5, true;
    mnk_20x20_three: "mnk:m=20,n=20,k=3", 3, false;
    mnk_20x3_six: "mnk:m=20,n=3,k=6", 6, false;
    mnk_2x20_two: "mnk:m=2,n=20,k=2,exact=true", 2, true;
    mnk_3x19_two: "mnk:m=3,n=19,k=2,exact=true", 2, true;
}
