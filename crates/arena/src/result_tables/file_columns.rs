//! What the columns of a file mean.

use super::column_roles::{ColumnRole, GUESSED_COLUMNS, RANK_WORDS, SCORE_WORDS, guess, word};
use super::table_fault::TableFault;
use super::table_options::TableOptions;
use crate::util::did_you_mean::did_you_mean_or;

/// A cell of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell<'a> {
    pub column: usize,
    /// The place in the list of a column that holds lists.
    pub seat: usize,
    pub text: &'a str,
}

/// A mistake in a row: what, its column, and what to do.
pub(super) struct CellFault {
    pub message: String,
    pub column: Option<usize>,
    pub help: &'static str,
}

impl CellFault {
    pub fn new(column: Option<usize>, message: impl Into<String>, help: &'static str) -> Self {
        CellFault { message: message.into(), column, help }
    }
}

/// The columns of a file with their meanings.
#[derive(Debug, Default)]
pub(super) struct FileColumns {
    pub names: Vec<String>,
    pub roles: Vec<Option<ColumnRole>>,
    /// Whether columns have numbers for people, as in CSV.
    pub are_numbered: bool,
    pub group: Option<usize>,
    pub list: Option<usize>,
    /// Whether each row is a player's view of a game, so that a file can have a game twice.
    pub is_view_of_player: bool,
    /// Whether each row is a player of a game, and the rows of a game have the same identity.
    pub is_row_of_player: bool,
    /// The seat of the player of a row, if rows are players or the views of players.
    pub seat: Option<usize>,
}

/// What is wrong with the columns, and what to do.
type Wrong = (String, String);

/// The place of a column.
fn find(names: &[String], name: &str) -> Result<usize, Wrong> {
    let is_name = |column: &String| column.trim().eq_ignore_ascii_case(name.trim());
    names.iter().position(is_name).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let all = || format!("the columns are {}", known.join(", "));
        (format!("there is no column `{name}`"), did_you_mean_or(name, &known, all))
    })
}

fn is_seat(role: &ColumnRole) -> bool {
    matches!(role, ColumnRole::Seat(_) | ColumnRole::Players)
}

fn is_outcome(role: &ColumnRole) -> bool {
    use ColumnRole::{Rank, Ranks, Result, Score, Scores, Winner};
    matches!(role, Rank(_) | Ranks | Score(_) | Scores | Result | Winner)
}

/// Guesses what the columns without a role are. Named columns replace all guesses of their sort.
fn guess_others(names: &[String], roles: &mut [Option<ColumnRole>]) -> Result<(), Wrong> {
    let named: Vec<ColumnRole> = roles.iter().flatten().copied().collect();
    for (place, name) in names.iter().enumerate() {
        let Some(role) = guess(name).filter(|_| roles[place].is_none()) else { continue };
        let replaced = |of: fn(&ColumnRole) -> bool| of(&role) && named.iter().any(of);
        if replaced(is_seat) || replaced(is_outcome) {
            continue;
        }
        match roles.iter().position(|of| *of == Some(role)) {
            Some(earlier) if is_seat(&role) => {
                let role = word(role);
                return Err((
                    format!("`{}` and `{name}` may both be {role}", names[earlier]),
                    format!("choose one: `--columns {role}={name}`"),
                ));
            }
            Some(_) if role != ColumnRole::Condition => {}
            _ => roles[place] = Some(role),
        }
    }
    Ok(())
}

impl FileColumns {
    /// The meanings of these columns.
    ///
    /// # Errors
    /// Columns of `options` that do not exist, and too few columns that are known.
    pub fn new(
        names: Vec<String>,
        are_numbered: bool,
        options: &TableOptions,
        (file, line): (&str, u64),
    ) -> Result<Self, TableFault> {
        let wrong = |(message, help): Wrong| TableFault {
            file: file.to_owned(),
            line,
            column: None,
            message,
            help,
        };
        let find = |name: &str| find(&names, name).map_err(wrong);
        let mut roles: Vec<Option<ColumnRole>> = vec![None; names.len()];
        for (role, name) in &options.columns {
            roles[find(name)?] = Some(*role);
        }
        guess_others(&names, &mut roles).map_err(wrong)?;
        let is_row_of_player = are_rows_of_players(&names, &mut roles);
        let has = |of: &dyn Fn(&ColumnRole) -> bool| roles.iter().flatten().any(of);
        let seats = roles.iter().flatten().filter(|role| is_seat(role)).count();
        let has_players = seats > 1 || has(&|role| *role == ColumnRole::Players);
        if !has_players || !has(&is_outcome) {
            let lacks = if has_players { "the result" } else { "the players" };
            let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(wrong((
                format!("no column is known to hold {lacks}: the columns are {list}"),
                "name them, such as `--columns first=NAME,second=NAME,result=NAME`".to_owned(),
            )));
        }
        let group = options.group.as_deref().map(find).transpose()?;
        let group = group.or(roles.iter().position(|role| *role == Some(ColumnRole::Group)));
        let list = options.split_by.as_deref().map(find).transpose()?;
        let of_seat = |seat| roles.iter().position(|role| *role == Some(ColumnRole::Seat(seat)));
        let is_view_of_player =
            of_seat(1).is_some_and(|place| names[place].trim().eq_ignore_ascii_case("opponent"));
        let names_seat = |name: &String| SEAT_NAMES.contains(&name.trim().to_lowercase().as_str());
        let seat = names.iter().position(names_seat);
        let seat = seat.filter(|_| is_row_of_player || is_view_of_player);
        Ok(FileColumns {
            names,
            roles,
            are_numbered,
            group,
            list,
            is_view_of_player,
            is_row_of_player,
            seat,
        })
    }

    /// The number of a column; a new one is guessed.
    pub fn number(&mut self, name: &str) -> usize {
        if let Some(place) = self.names.iter().position(|known| known == name) {
            return place;
        }
        let role = guess(name)
            .filter(|role| *role == ColumnRole::Condition || !self.roles.contains(&Some(*role)));
        self.names.push(name.to_owned());
        self.roles.push(role);
        self.names.len() - 1
    }

    /// Whether cells of a column are read.
    pub fn is_read(&self, column: usize) -> bool {
        self.roles[column].is_some() || [self.group, self.list, self.seat].contains(&Some(column))
    }

    /// Whether a column holds lists.
    pub fn is_list(&self, column: usize) -> bool {
        use ColumnRole::{Players, Ranks, Scores};
        !self.is_row_of_player && matches!(self.roles[column], Some(Players | Ranks | Scores))
    }

    /// What the columns were taken for: `first = white, second = black`.
    pub fn in_words(&self, has_openings: bool) -> String {
        let of = |(name, role): (&String, &Option<ColumnRole>)| {
            Some((((*role)?), name.trim().to_owned()))
        };
        let mut all: Vec<(ColumnRole, String)> =
            self.names.iter().zip(&self.roles).filter_map(of).collect();
        let place = |role: &ColumnRole| match role {
            ColumnRole::Seat(seat) => (0, *seat),
            ColumnRole::Rank(seat) => (1, *seat),
            ColumnRole::Score(seat) => (2, *seat),
            role => (3, GUESSED_COLUMNS.iter().position(|(of, _, _)| of == role).unwrap_or(0)),
        };
        all.retain(|(role, _)| {
            *role != ColumnRole::Condition && (has_openings || *role != ColumnRole::Opening)
        });
        all.sort_by_key(|(role, _)| place(role));
        let of = |(role, name): (ColumnRole, String)| format!("{} = {name}", word(role));
        all.into_iter().map(of).collect::<Vec<_>>().join(", ")
    }
}

/// Names of the column of seats, if each row is a player or the view of a player.
const SEAT_NAMES: [&str; 4] = ["seat", "color", "colour", "side"];

/// Names of the column of players, if each row is a player.
const PLAYER_WORDS: [&str; 7] = ["agent", "bot", "engine", "model", "team", "name", "competitor"];

/// Whether each row is a player of a game: the columns are an identity, one player, and a rank or
/// points. They are then given the meanings of lists.
fn are_rows_of_players(names: &[String], roles: &mut [Option<ColumnRole>]) -> bool {
    use ColumnRole::{Id, Players, Rank, Ranks, Result, Score, Scores, Seat};
    let place = |roles: &[Option<ColumnRole>], of: &dyn Fn(ColumnRole) -> bool| {
        roles.iter().position(|role| role.is_some_and(of))
    };
    let named = |words: &[&str]| {
        names.iter().position(|name| words.contains(&name.trim().to_lowercase().as_str()))
    };
    let seats = roles.iter().flatten().filter(|role| matches!(role, Seat(_) | Players)).count();
    if place(roles, &|role| role == Id).is_none() || seats > 1 {
        return false;
    }
    let player = match seats {
        0 => named(&PLAYER_WORDS),
        _ => place(roles, &|role| role == Seat(0)),
    };
    let rank = place(roles, &|role| matches!(role, Rank(0) | Ranks)).or_else(|| named(RANK_WORDS));
    let score = place(roles, &|role| matches!(role, Score(0) | Scores | Result));
    let score = score.or_else(|| named(SCORE_WORDS));
    let outcome = rank.map(|rank| (rank, Ranks)).or(score.map(|score| (score, Scores)));
    let (Some(player), Some((place, outcome))) = (player, outcome) else { return false };
    roles[player] = Some(Players);
    roles[place] = Some(outcome);
    true
}
