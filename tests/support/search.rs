//! Games and evaluators for tests only: random graphs and random evaluations.

use agon::games::{
    Configurable, Drawing, Evaluator, Game, Notation, Player, Scoring, SearchHints, Turn,
};
use agon::params::{Value, Values};

/// A game from some of its parameters, with defaults for the others.
pub fn build<G: Configurable>(given: &[(&str, i64)]) -> G {
    let mut values = Values::default();
    for &(key, value) in given {
        values.set(key, Value::Int(value));
    }
    G::build(&values).unwrap()
}

/// Mixes words into a pseudo-random word (the finaliser of splitmix64).
pub fn mix(words: &[u64]) -> u64 {
    words.iter().fold(0x9E37_79B9_7F4A_7C15, |hash, &word| {
        let mut z = (hash ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

/// A random game on a layered graph. Moves skip layers, so lines of different lengths reach the
/// same position. Players move in any order. Some positions are terminal, some have one move, and
/// others have many moves.
#[derive(Debug, Clone)]
pub struct Graph {
    pub seed: u64,
    /// Layers below the start, which is the maximum length of a game.
    pub layers: u32,
    /// Positions per layer.
    pub width: u32,
    /// Maximum number of moves in a position.
    pub moves: u32,
    /// Number of chance nodes among 8 positions.
    pub chance: u64,
    /// Whether results are scores.
    pub scored: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    pub layer: u32,
    pub id: u32,
}

impl Graph {
    pub fn new(seed: u64) -> Self {
        Graph { seed, layers: 12, width: 40, moves: 5, chance: 0, scored: false }
    }

    fn hash(&self, place: &Place, salt: u64) -> u64 {
        mix(&[self.seed, u64::from(place.layer), u64::from(place.id), salt])
    }
}

impl Game for Graph {
    type State = Place;
    type Move = u16;

    fn start(&self) -> Place {
        Place { layer: 0, id: 0 }
    }

    fn turn(&self, place: &Place) -> Turn {
        let hash = self.hash(place, 1);
        if place.layer >= self.layers || (place.layer > 2 && hash.is_multiple_of(16)) {
            Turn::Over
        } else if place.layer > 0 && hash >> 8 & 7 < self.chance {
            Turn::Chance
        } else if hash >> 16 & 7 < 4 {
            Turn::Player(Player::First)
        } else {
            Turn::Player(Player::Second)
        }
    }

    fn moves(&self, place: &Place, out: &mut Vec<u16>) {
        let count = 1 + self.hash(place, 2) % u64::from(self.moves);
        out.extend((0..count).map(|i| 100 + 3 * i as u16));
    }

    fn outcomes(&self, place: &Place, out: &mut Vec<(u16, u32)>) {
        let mut moves = Vec::new();
        self.moves(place, &mut moves);
        let weight = |mv: u16| 1 + (self.hash(place, 1000 + u64::from(mv)) % 5) as u32;
        out.extend(moves.into_iter().map(|mv| (mv, weight(mv))));
    }

    fn play(&self, place: &mut Place, mv: u16) {
        let hash = self.hash(place, 3 + u64::from(mv));
        place.layer = (place.layer + 1 + hash.is_multiple_of(3) as u32).min(self.layers);
        place.id = (hash >> 8) as u32 % self.width;
    }

    fn payoff(&self, place: &Place) -> i32 {
        let range = if self.scored { 21 } else { 3 };
        (self.hash(place, 4) % range) as i32 - range as i32 / 2
    }

    fn key(&self, place: &Place) -> u64 {
        u64::from(place.layer) << 32 | u64::from(place.id)
    }

    fn reason(&self, _place: &Place) -> &'static str {
        "end"
    }

    fn has_chance(&self) -> bool {
        self.chance > 0
    }

    fn write_move(&self, _place: &Place, mv: u16, out: &mut String) {
        out.push_str(&mv.to_string());
    }

    fn write_position(&self, place: &Place) -> String {
        format!("{place:?}")
    }

    fn read_position(&self, _text: &str) -> Result<Place, String> {
        Err("not needed".to_owned())
    }

    fn drawing(&self) -> impl Drawing<Self> {
        self
    }

    #[inline]
    fn hints(&self) -> impl SearchHints<Self> {
        self
    }

    #[inline]
    fn scoring(&self) -> impl Scoring<Self> {
        self
    }

    fn notation(&self) -> impl Notation<Self> {
        self
    }
}

impl Notation<Graph> for &Graph {
    fn read_move(self, _place: &Place, text: &str) -> Result<u16, String> {
        text.parse().map_err(|_| "not a number".to_owned())
    }
}

impl Scoring<Graph> for &Graph {
    fn numeric_score(self) -> bool {
        self.scored
    }
}

impl SearchHints<Graph> for &Graph {
    fn order_hint(self, place: &Place, mv: u16) -> i32 {
        (self.hash(place, 2000 + u64::from(mv)) % 4) as i32 - 2
    }

    const HAS_NOISY: bool = true;

    fn noisy(self, place: &Place, out: &mut Vec<u16>) {
        let first = out.len();
        self.moves(place, out);
        let mut i = first;
        while i < out.len() {
            if self.hash(place, 3000 + u64::from(out[i])).is_multiple_of(4) {
                i += 1;
            } else {
                out.remove(i);
            }
        }
    }
}

impl Drawing<Graph> for &Graph {
    fn text(self, place: &Place) -> String {
        format!("{place:?}\n")
    }
}

/// An evaluator without knowledge: values are a hash of the position within ±`range`.
#[derive(Debug, Clone, Copy)]
pub struct Opinion {
    pub seed: u64,
    pub range: u64,
}

impl<G: Game> Evaluator<G> for Opinion {
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let hash = mix(&[self.seed, game.key(state)]);
        (hash % (2 * self.range + 1)) as i32 - self.range as i32
    }
}

/// A position after a few random moves, with a player to move.
pub fn position<G: Game>(game: &G, seed: u64, plies: u64) -> G::State {
    let mut state = game.start();
    let mut played = 0;
    for i in 0.. {
        let mut moves = Vec::new();
        match game.turn(&state) {
            Turn::Over => {
                // The game is over: start again with another line.
                state = game.start();
                played = 0;
                continue;
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&state, &mut outcomes);
                moves.extend(outcomes.into_iter().map(|(mv, _)| mv));
            }
            Turn::Player(_) if played >= plies => break,
            Turn::Player(_) => {
                game.moves(&state, &mut moves);
                played += 1;
            }
        }
        game.play(&mut state, moves[mix(&[seed, i]) as usize % moves.len()]);
        if i > 10_000 {
            // No line is this long; use the start position.
            return game.start();
        }
    }
    state
}
