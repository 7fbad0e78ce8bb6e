//! The trait at the centre: the rules of one game.

use std::fmt::Debug;
use std::hash::Hash;

use rand::Rng;

use super::picture::Picture;
use super::urgency::Urgency;

/// One of the two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// Who moves first; maximises values.
    First,
    /// Who moves second; minimises values.
    Second,
}

impl Player {
    /// The opponent.
    #[inline]
    pub fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }

    /// +1 for the first player, −1 for the second.
    #[inline]
    pub fn sign(self) -> i32 {
        match self {
            Player::First => 1,
            Player::Second => -1,
        }
    }
}

/// Who acts in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// This side chooses a move.
    Player(Player),
    /// A die decides.
    Chance,
    /// Nobody: the game has ended.
    Over,
}

/// The rules of one game instance; its parameters (board size, goal, …) live in `self`.
///
/// Values are in the **first player's frame**: the first maximises, the second
/// minimises, chance averages.
///
/// ```
/// use agon::games::{Game, Player, TicTacToe, Turn};
///
/// let (game, mut state) = (TicTacToe, TicTacToe.start());
/// for text in ["b2", "a1", "c3", "c1", "a3"] {
///     let mv = game.read_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.turn(&state), Turn::Player(Player::Second));
/// assert_eq!(game.write_position(&state), "x.x/.x./o.o");
/// let mut moves = Vec::new();
/// game.moves(&state, &mut moves);
/// assert_eq!(moves.len(), 4);
/// ```
pub trait Game: Send + Sync + 'static {
    /// A position: flat, `Copy` where it can be, under 256 bytes; no generator, no history.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A player's move or an outcome of chance: at most 8 bytes.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// Whether positions can come back in a game and it matters when they do: then whoever
    /// plays asks [`ended_by_history`](Self::ended_by_history) after each move, and searches
    /// count a repetition as a draw.
    const REPEATS: bool = false;

    /// The occurrence of a position with which the rules themselves end the game, if they do
    /// so by a number. Means something only where [`REPEATS`](Self::REPEATS).
    const LAST_OCCURRENCE: Option<u32> = None;

    /// The unit in which the game counts material, where it does and more of it is better:
    /// then [`material`](Self::material) says who is ahead.
    const MATERIAL: Option<&'static str> = None;

    /// Whether noisy moves differ so much that quiescence search should sort them by
    /// [`order_hint`](Self::order_hint).
    const SORTS_NOISY: bool = false;

    /// The position that the game starts from.
    fn start(&self) -> Self::State;

    /// Who acts.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal moves of the player to act, in a fixed documented order,
    /// without duplicates. Called only where `turn` is a player's.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Appends the outcomes of chance with positive integer weights, equal outcomes
    /// merged. Called only where `turn` is `Chance`.
    fn outcomes(&self, _state: &Self::State, _out: &mut Vec<(Self::Move, u32)>) {}

    /// Plays a legal move or outcome: the only mutator.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// Plays a legal move of which [`urgency`](Self::urgency) has shown that it does not
    /// win, where that is cheaper than [`play`](Self::play).
    #[inline]
    fn play_on(&self, state: &mut Self::State, mv: Self::Move) {
        self.play(state, mv);
    }

    /// The first player's payoff of a finished game (zero-sum): its sign says who won, unless
    /// [`winner`](Self::winner) says otherwise.
    /// Called only where `turn` is `Over`.
    fn payoff(&self, state: &Self::State) -> i32;

    /// A hash of the position, the side to move included: equal states, equal keys.
    fn key(&self, state: &Self::State) -> u64;

    /// The key under which a search remembers what it found out about the position: the same
    /// as [`key`](Self::key), unless something beside the position, such as a clock, is about
    /// to matter.
    #[inline]
    fn table_key(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// How many of the last plies can be part of a repetition: at most those since the last
    /// move that cannot be undone. Asked only where [`REPEATS`](Self::REPEATS).
    #[inline]
    fn reversible_plies(&self, _state: &Self::State) -> usize {
        0
    }

    /// How often this position has occurred, now included, where the keys of those before it
    /// are given, oldest first. Asked only where [`REPEATS`](Self::REPEATS).
    fn occurrences(&self, state: &Self::State, history: &[u64]) -> usize {
        let key = self.key(state);
        let plies = self.reversible_plies(state);
        let before = &history[history.len().saturating_sub(plies)..];
        1 + before.iter().filter(|&&past| past == key).count()
    }

    /// Whether the game is drawn in this position because of those before it, whose keys are
    /// given, oldest first: why, in the words of the `reason` column. Asked only where
    /// [`REPEATS`](Self::REPEATS) and it is a player's turn.
    fn ended_by_history(&self, _state: &Self::State, _history: &[u64]) -> Option<&'static str> {
        None
    }

    /// How much material the first player has more than the second, in the unit of
    /// [`MATERIAL`](Self::MATERIAL); 0 where that is `None`.
    #[inline]
    fn material(&self, _state: &Self::State) -> i32 {
        0
    }

    /// Why the game ended, in the words of the `reason` column (`line`, `board full`, …), where
    /// there is more to say than that it has ended. Called only where `turn` is `Over`.
    fn reason(&self, _state: &Self::State) -> &'static str {
        "end"
    }

    /// An upper bound on the number of moves of players in a game, if there is one.
    fn max_plies(&self) -> Option<u32> {
        None
    }

    /// Whether the payoff is a score to be maximised (as in Pacman) and not only the sign
    /// of a result. Searches then value an ending by its payoff and do not prefer sooner wins.
    fn scored(&self) -> bool {
        false
    }

    /// The least and the largest payoff of any finished game, where the rules bound a score
    /// ([`scored`](Self::scored)): searches prune with them.
    fn payoff_range(&self) -> Option<(i32, i32)> {
        None
    }

    /// Whether `turn` can ever be `Chance`.
    fn has_chance(&self) -> bool {
        false
    }

    /// Who won a finished game, if anybody did: by the sign of the payoff, unless that is a
    /// score that says something else. Called only where `turn` is `Over`.
    fn winner(&self, state: &Self::State) -> Option<Player> {
        match self.payoff(state) {
            0 => None,
            payoff => Some(if payoff > 0 { Player::First } else { Player::Second }),
        }
    }

    /// Plies of a round, for look-ahead that is counted in rounds: in most games both sides
    /// once.
    fn plies_per_round(&self) -> u32 {
        2
    }

    /// What is probably not meant about this instance of the game, in sentences for people:
    /// shown before anything is played, but no reason to refuse it.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Number of symmetries of the board, the identity (number 0) included.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position as symmetry `s` shows it; commutes with `play`.
    fn map_state(&self, _s: usize, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// The move as symmetry `s` shows it.
    fn map_move(&self, _s: usize, mv: Self::Move) -> Self::Move {
        mv
    }

    /// The smallest key among all symmetric images of the position.
    fn canonical_key(&self, state: &Self::State) -> u64 {
        (1..self.symmetries())
            .map(|s| self.key(&self.map_state(s, state)))
            .fold(self.key(state), u64::min)
    }

    /// How promising a move looks without search: larger is tried earlier.
    fn order_hint(&self, _state: &Self::State, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether the game names noisy moves, so that quiescence search has something to do.
    fn has_noisy(&self) -> bool {
        false
    }

    /// Appends the noisy moves (immediate threats, captures) that quiescence search
    /// follows, in the order of `moves`; none in a quiet position.
    fn noisy(&self, _state: &Self::State, _out: &mut Vec<Self::Move>) {}

    /// Whether quiescence search may leave it at the static value here: not where the player
    /// has to answer a threat (a check); [`noisy`](Self::noisy) then lists all that he can do.
    #[inline]
    fn may_stand(&self, _state: &Self::State) -> bool {
        true
    }

    /// The position after a pass, where having to move is hardly ever a burden, so that a pass
    /// shows what the position is worth at least: for null-move pruning. Passing need not be
    /// legal.
    #[inline]
    fn pass(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// Whether the game offers passes at all.
    fn has_pass(&self) -> bool {
        false
    }

    /// What the position forces, where the game can tell faster than a search; searches
    /// rely on it without looking. Called only where `turn` is a player's.
    #[inline]
    fn urgency(&self, _state: &Self::State) -> Urgency<Self::Move> {
        Urgency::Unknown
    }

    /// Whether a move is legal where it is a player's turn; `buffer` is scratch space.
    /// Every agent's answer is put to this test.
    #[inline]
    fn is_legal(&self, state: &Self::State, mv: Self::Move, buffer: &mut Vec<Self::Move>) -> bool {
        buffer.clear();
        self.moves(state, buffer);
        buffer.contains(&mv)
    }

    /// One uniformly random legal move; `buffer` is scratch space. Games refine it for speed;
    /// what is drawn is part of the reproducible record.
    #[inline]
    fn random_move<R: Rng>(
        &self,
        state: &Self::State,
        rng: &mut R,
        buffer: &mut Vec<Self::Move>,
    ) -> Self::Move {
        buffer.clear();
        self.moves(state, buffer);
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    /// One outcome of chance, drawn by its weight; `buffer` is scratch space. Games refine it
    /// for speed; what is drawn is part of the reproducible record.
    #[inline]
    fn random_outcome<R: Rng>(
        &self,
        state: &Self::State,
        rng: &mut R,
        buffer: &mut Vec<(Self::Move, u32)>,
    ) -> Self::Move {
        buffer.clear();
        self.outcomes(state, buffer);
        let mut ticket = below(rng, buffer.iter().map(|(_, weight)| weight).sum());
        for &(outcome, weight) in buffer.iter() {
            match ticket.checked_sub(weight) {
                Some(rest) => ticket = rest,
                None => return outcome,
            }
        }
        unreachable!("the ticket lies below the sum of the weights")
    }

    /// How many sequences of `depth` players' moves can be played: see [`perft`](super::perft),
    /// which asks here. Games refine it for speed.
    fn perft(&self, state: &Self::State, depth: u32) -> u64
    where
        Self: Sized,
    {
        super::perft::count(self, state, depth)
    }

    /// Appends the move's text: strict, the same for every reader.
    fn write_move(&self, state: &Self::State, mv: Self::Move, out: &mut String);

    /// The move as people write it down in games of which they keep sheets.
    fn write_for_people(&self, state: &Self::State, mv: Self::Move) -> String {
        let mut text = String::new();
        self.write_move(state, mv, &mut text);
        text
    }

    /// How a sheet of a game that begins in this position is headed, where people keep such
    /// sheets (PGN).
    fn sheet(&self, _state: &Self::State) -> Option<Sheet> {
        None
    }

    /// Reads a move: lenient; only legal moves (or outcomes) are returned. Unless the game
    /// knows better, what is written as one of them, in small or capital letters.
    ///
    /// # Errors
    /// A sentence for people that says what is legal.
    fn read_move(&self, state: &Self::State, text: &str) -> Result<Self::Move, String> {
        read_as_written(self, state, text)
    }

    /// The position as one line that `read_position` takes.
    fn write_position(&self, state: &Self::State) -> String;

    /// Reads a position from one line: lenient.
    ///
    /// # Errors
    /// A sentence for people.
    fn read_position(&self, text: &str) -> Result<Self::State, String>;

    /// The board for the terminal: several lines, the last with a newline. Unless the game
    /// draws one, the position's text.
    fn draw(&self, state: &Self::State) -> String {
        format!("{}\n", self.write_position(state))
    }

    /// The position as shapes, for pages; the terminal's board where a game has none.
    fn picture(&self, state: &Self::State) -> Picture {
        Picture::text(self.draw(state))
    }
}

/// The legal move or the outcome that is written like the text.
fn read_as_written<G: Game + ?Sized>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<G::Move, String> {
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    match game.turn(state) {
        Turn::Player(_) => game.moves(state, &mut moves),
        Turn::Chance => {
            game.outcomes(state, &mut outcomes);
            moves.extend(outcomes.iter().map(|&(mv, _)| mv));
        }
        Turn::Over => return Err("the game is over, no move is legal".to_owned()),
    }
    let mut legal = Vec::new();
    for mv in moves {
        let mut written = String::new();
        game.write_move(state, mv, &mut written);
        if written.to_lowercase() == text.trim().to_lowercase() {
            return Ok(mv);
        }
        legal.push(written);
    }
    Err(format!("`{}` is not legal here: {}", text.trim(), legal.join(", ")))
}

/// The head of the sheet on which a game is written down.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The position, where it is not the one that games usually start from.
    pub start: Option<String>,
    /// Number of the first move.
    pub number: u32,
}

/// A uniformly random number below `n` (at least 1) from 32 random bits:
/// multiply-shift with rejection, exact (Lemire 2019, "Fast random integer
/// generation in an interval").
#[inline]
pub fn below<R: Rng>(rng: &mut R, n: u32) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(n);
    if (product as u32) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}
