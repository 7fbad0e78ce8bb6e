//! Formats the search info of a move for the protocol.

use std::time::Duration;

use crate::agents::result_in_hundredths;
use crate::engine::{Details, EngineScore, UCI, UciReply, Words};
use crate::play::ChosenMove;
use crate::search::{MAX_DEPTH, QUIESCENCE_PLIES, win_distance};

/// The largest score that is sent in hundredths.
const MOST: f64 = 1e9;

/// Facts besides the agent's answer.
#[derive(Debug, Clone, Copy)]
pub struct InfoLine {
    /// The time of the move.
    pub time: Duration,
    /// UCI counts mate distances in moves, UGI in plies.
    pub words: Words,
    /// Whether values are scores that never mean a win.
    pub scored: bool,
    /// Whether values are expected results from -1 to 1.
    pub results: bool,
    /// Whether the host wants the extensions of agon.
    pub details: bool,
}

impl InfoLine {
    /// The `info` line before the move: depth, nodes, time, value for the side to move, the move.
    pub fn info(&self, choice: &ChosenMove) -> String {
        let ChosenMove { search_info, text, .. } = choice;
        let stats = &search_info.stats;
        let mut line = String::from("info");
        if search_info.searched {
            let deepest = stats.selective_depth.max(stats.depth);
            line.push_str(&format!(" depth {} seldepth {deepest}", stats.depth));
        }
        match search_info.value.filter(|_| search_info.searched || !self.details) {
            Some(value) => {
                let score = self.score(value * f64::from(choice.player.sign()));
                line.push_str(&format!(" score {score}"));
            }
            // Some hosts reject a line without a score. A host that knows agon gets no score.
            None if !self.details => line.push_str(" score cp 0"),
            None => {}
        }
        if search_info.searched {
            line.push_str(&format!(" nodes {}", stats.nodes));
        }
        line.push_str(&format!(" time {}", self.time.as_millis()));
        if search_info.searched {
            let nps = u128::from(stats.nodes) * 1_000_000_000 / self.time.as_nanos().max(1);
            line.push_str(&format!(" nps {nps}"));
        }
        line.push_str(&format!(" pv {text}\n"));
        line
    }

    /// Extensions for agon's own hosts: the exact value from the first player's view, and the
    /// number of random words drawn in this game.
    pub fn details(&self, choice: &ChosenMove) -> String {
        let value = choice.search_info.value.filter(|_| choice.search_info.searched);
        let details = Details { words: Some(choice.words), value };
        format!("{}\n", UciReply::Details(details))
    }

    fn score(&self, own: f64) -> EngineScore {
        if self.results && !self.scored && own.abs() <= 1.0 {
            return EngineScore::Centipawns(result_in_hundredths(own).round_ties_even() as i64);
        }
        let longest = MAX_DEPTH + QUIESCENCE_PLIES;
        let whole = own.fract() == 0.0 && own.abs() < f64::from(i32::MAX);
        let distance = win_distance(own as i32).filter(|&plies| whole && plies <= longest);
        match distance.filter(|_| !self.scored) {
            Some(plies) => {
                let count = if self.words == UCI { plies.div_ceil(2) } else { plies };
                EngineScore::Mate(if own < 0.0 { -i64::from(count) } else { count.into() })
            }
            None => EngineScore::Centipawns(own.clamp(-MOST, MOST).round() as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::SearchInfo;
    use crate::engine::UGI;
    use crate::games::Player;
    use crate::search::{SearchStats, WIN};

    fn line(words: Words, scored: bool, player: Player, value: f64) -> String {
        let stats = SearchStats { nodes: 3000, depth: 4, ..SearchStats::default() };
        let search_info = SearchInfo { searched: true, stats, value: Some(value), time: None };
        let choice = ChosenMove { text: "b2".to_owned(), player, search_info, words: 7 };
        let time = Duration::from_millis(2);
        let line = InfoLine { time, words, scored, results: false, details: false };
        assert_eq!(line.details(&choice), format!("info string details words 7 value {value:?}\n"));
        line.info(&choice)
    }

    #[test]
    fn scores_are_the_movers_and_wins_are_counted() {
        let rest = "nodes 3000 time 2 nps 1500000 pv b2\n";
        let wins = f64::from(WIN - 5);
        for (words, scored, player, value, score) in [
            (UGI, false, Player::First, 12.0, "cp 12"),
            (UGI, false, Player::Second, 12.0, "cp -12"),
            (UGI, false, Player::Second, -0.25, "cp 0"),
            (UGI, false, Player::First, wins, "mate 5"),
            (UCI, false, Player::First, wins, "mate 3"),
            (UCI, false, Player::Second, wins + 1.0, "mate -2"),
            (UGI, true, Player::First, 500.0, "cp 500"),
            (UGI, false, Player::First, 1.5e9, "cp 1000000000"),
            (UGI, false, Player::First, 1e300, "cp 1000000000"),
        ] {
            let wanted = format!("info depth 4 seldepth 4 score {score} {rest}");
            assert_eq!(line(words, scored, player, value), wanted);
        }
    }

    #[test]
    fn who_does_not_search_tells_only_the_time() {
        let search_info = SearchInfo::default();
        let choice =
            ChosenMove { text: "4".to_owned(), player: Player::First, search_info, words: 2 };
        let line = InfoLine {
            time: Duration::ZERO,
            words: UGI,
            scored: false,
            results: false,
            details: true,
        };
        assert_eq!(line.info(&choice), "info time 0 pv 4\n");
        let foreign = InfoLine { details: false, ..line };
        assert_eq!(foreign.info(&choice), "info score cp 0 time 0 pv 4\n");
        assert_eq!(line.details(&choice), "info string details words 2\n");
    }

    #[test]
    fn expected_results_are_scores() {
        let line = InfoLine {
            time: Duration::ZERO,
            words: UGI,
            scored: false,
            results: true,
            details: false,
        };
        assert_eq!(line.score(0.0), EngineScore::Centipawns(0));
        assert_eq!(line.score(0.5), EngineScore::Centipawns(89));
        assert_eq!(line.score(-1.0), EngineScore::Centipawns(-12_780));
        assert_eq!(line.score(f64::from(3 - WIN)), EngineScore::Mate(-3));
        let scored = InfoLine { scored: true, ..line };
        assert_eq!(scored.score(1.0), EngineScore::Centipawns(1));
    }
}
