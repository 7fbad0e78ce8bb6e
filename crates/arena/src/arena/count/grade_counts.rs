//! Counts grades: how good the moves of each agent were, by seat.

use crate::games::Player;
use crate::rows::moves_csv_rows::{MoveRow, MoveRows};
use crate::rows::results_folder_errors::RowError;
use crate::stats::ClusterRatio;
use std::collections::BTreeMap;

/// How good the moves of an agent were, in one seat or in both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SideGrades {
    /// Moves that lost no value, clustered by game.
    pub optimal: ClusterRatio,
    /// Best moves: no other move is better, wins sooner or loses later.
    pub best: u64,
    /// Total regret in all games.
    pub regret: f64,
    /// Games by the ply of the first mistake; games without a mistake are left out.
    pub first_mistakes: BTreeMap<u32, u64>,
    /// Moves in won positions.
    pub won: u64,
    /// Moves that changed a win into a draw or a loss.
    pub wins_missed: u64,
    /// Moves in drawn positions.
    pub drawn: u64,
    /// Moves that changed a draw into a loss.
    pub draws_missed: u64,
    /// Moves by ply: the number of moves that lost no value, and the number of all moves.
    pub by_ply: BTreeMap<u32, [u64; 2]>,
}

impl SideGrades {
    /// Games with at least one graded move.
    pub fn games(&self) -> u64 {
        self.optimal.n
    }

    pub fn moves(&self) -> u64 {
        self.optimal.trials
    }

    /// The share of best moves.
    pub fn best_share(&self) -> Option<f64> {
        (self.moves() > 0).then(|| self.best as f64 / self.moves() as f64)
    }

    pub fn regret_per_game(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.regret / self.games() as f64)
    }

    /// Games without a mistake.
    pub fn flawless(&self) -> u64 {
        self.games() - self.first_mistakes.values().sum::<u64>()
    }

    /// The median ply of the first mistake over all games. A game without a mistake comes after
    /// every ply. Of two middle values, the earlier one is used. `None` if the median game has no
    /// mistake.
    pub fn first_mistake(&self) -> Option<u32> {
        let middle = self.games().div_ceil(2);
        let mut games = 0;
        self.first_mistakes.iter().find_map(|(&ply, &count)| {
            games += count;
            (games >= middle).then_some(ply)
        })
    }

    /// Adds the games of another seat.
    pub fn merge(&mut self, other: &SideGrades) {
        self.optimal.merge(&other.optimal);
        self.best += other.best;
        self.regret += other.regret;
        for (&ply, &count) in &other.first_mistakes {
            *self.first_mistakes.entry(ply).or_default() += count;
        }
        self.won += other.won;
        self.wins_missed += other.wins_missed;
        self.drawn += other.drawn;
        self.draws_missed += other.draws_missed;
        for (&ply, &[optimal, moves]) in &other.by_ply {
            let here = self.by_ply.entry(ply).or_default();
            *here = [here[0] + optimal, here[1] + moves];
        }
    }
}

/// All graded games of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grades {
    /// The grades by agent and seat.
    pub agents: Vec<[SideGrades; 2]>,
    pub games: u64,
    current: Option<Current>,
}

#[derive(Debug, Clone, PartialEq)]
struct Current {
    game: u64,
    sides: [Side; 2],
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Side {
    agent: usize,
    moves: u64,
    optimal: u64,
    first_mistake: Option<u32>,
}

impl Grades {
    /// Counts every graded row of `moves.csv`. Rows of unknown agents are left out. `None` if no
    /// row has a grade.
    pub fn read(rows: &mut MoveRows<'_>, names: &[String]) -> Result<Option<Self>, RowError> {
        let mut grades =
            Grades { agents: vec![Default::default(); names.len()], ..Grades::default() };
        while rows.advance()? {
            if !rows.is_graded() {
                continue;
            }
            let row = rows.row()?;
            if let Some(agent) = names.iter().position(|name| name == rows.agent()) {
                grades.push(&row, agent);
            }
        }
        grades.end_game();
        Ok((grades.games > 0).then_some(grades))
    }

    /// Counts a graded row. The rows of a game must come together.
    fn push(&mut self, row: &MoveRow, agent: usize) {
        if self.current.as_ref().is_none_or(|current| current.game != row.game) {
            self.end_game();
            self.games += 1;
            self.current = Some(Current { game: row.game, sides: Default::default() });
        }
        let mv = &row.graded;
        let mistake = mv.regret > 0.0;
        if let Some(current) = &mut self.current {
            let side = &mut current.sides[mv.player.index()];
            side.agent = agent;
            side.moves += 1;
            side.optimal += u64::from(!mistake);
            side.first_mistake = side.first_mistake.or(mistake.then_some(mv.ply));
        }
        let grades = &mut self.agents[agent][mv.player.index()];
        let ply = grades.by_ply.entry(mv.ply).or_default();
        *ply = [ply[0] + u64::from(!mistake), ply[1] + 1];
        grades.best += u64::from(mv.best);
        grades.regret += mv.regret;
        let (win, draw) = (if mv.player == Player::First { 1.0 } else { 0.0 }, 0.5);
        if mv.before == win {
            grades.won += 1;
            grades.wins_missed += u64::from(mistake);
        } else if mv.before == draw {
            grades.drawn += 1;
            grades.draws_missed += u64::from(mistake);
        }
    }

    fn end_game(&mut self) {
        let Some(current) = self.current.take() else { return };
        for (seat, side) in current.sides.into_iter().enumerate().filter(|(_, s)| s.moves > 0) {
            let grades = &mut self.agents[side.agent][seat];
            grades.optimal.add(side.optimal, side.moves);
            if let Some(ply) = side.first_mistake {
                *grades.first_mistakes.entry(ply).or_default() += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two games of `a` (first) against `b`. In the first game, `b` changes a draw into a loss on
    /// ply 2, and `a` wins. In the second game, `a` loses a win on ply 3, and `b` a draw on ply 4.
    const ROWS: &str = "game,ply,player,agent,move,nodes,depth,value,time_ns,value_before,\
        value_after,best,regret\n\
        1,1,first,a,1,,,,,0.5,0.5,1,0\n1,2,second,b,2,,,,,0.5,1,0,0.5\n1,3,first,a,3,,,,,1,1,0,0\n\
        2,1,first,a,1,,,,,,,,\n\
        3,2,second,b,1,,,,,1,1,1,0\n3,3,first,a,1,,,,,1,0.5,0,0.5\n3,4,second,b,1,,,,,0.5,1,0,0.5\n\
        3,5,first,a,1,,,,,1,0,0,1\n";

    fn grades() -> Grades {
        let mut rows = MoveRows::new(ROWS.as_bytes()).expect("a header");
        let names = ["b".to_owned(), "a".to_owned()];
        Grades::read(&mut rows, &names).expect("rows").expect("grades")
    }

    #[test]
    fn mistakes_are_counted_by_agent_and_seat() {
        let grades = grades();
        assert_eq!(grades.games, 2);
        let [a, none] = &grades.agents[1];
        assert_eq!(*none, SideGrades::default());
        assert_eq!((a.games(), a.moves(), a.optimal.hits, a.best), (2, 4, 2, 1));
        assert_eq!((a.won, a.wins_missed, a.drawn, a.draws_missed), (3, 2, 1, 0));
        assert_eq!((a.regret, a.regret_per_game()), (1.5, Some(0.75)));
        // One of two games has a mistake: the median is the earlier value.
        assert_eq!((a.flawless(), a.first_mistake()), (1, Some(3)));
        let [_, b] = &grades.agents[0];
        assert_eq!((b.games(), b.moves(), b.optimal.hits), (2, 3, 1));
        assert_eq!((b.won, b.wins_missed, b.drawn, b.draws_missed), (0, 0, 2, 2));
        assert_eq!((b.flawless(), b.first_mistake()), (0, Some(2)));
        let mut both = a.clone();
        both.merge(b);
        assert_eq!((both.games(), both.moves(), both.first_mistake()), (4, 7, Some(3)));
        assert_eq!(a.by_ply, [(1, [1, 1]), (3, [1, 2]), (5, [0, 1])].into());
        assert_eq!(both.by_ply[&2], [1, 2]);
    }

    #[test]
    fn rows_without_grades_are_none() {
        let bare = ROWS.lines().take(1).chain(["2,1,first,a,1,,,,,,,,"]).collect::<Vec<_>>();
        let text = bare.join("\n") + "\n";
        let mut rows = MoveRows::new(text.as_bytes()).expect("a header");
        assert_eq!(Grades::read(&mut rows, &["a".to_owned()]).expect("rows"), None);
    }
}
