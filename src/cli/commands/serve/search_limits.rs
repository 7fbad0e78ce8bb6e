//! The limits of a search from the arguments of `go`.

use std::time::Duration;

use crate::engine::GoCommand;
use crate::games::Player;
use crate::search::Limits;

/// The assumed number of moves left on the clock if the host does not give it.
const MOVES_LEFT: i64 = 30;

/// The limits of the side to move. `None` if the host gives no limit, so that the agent's own
/// budget applies. `overhead` is subtracted from every time.
///
/// With a clock, the time is an equal share of the time left (1/30 if the number of moves is not
/// given) plus four fifths of the increment.
pub fn search_limits(go: &GoCommand, player: Option<Player>, overhead: i64) -> Option<Limits> {
    if go.infinite {
        return Some(Limits::default());
    }
    let kept = |time: i64| time.saturating_sub(overhead).max(time / 2).max(1);
    let clock = player.and_then(|player| {
        let left = kept(go.time[player.index()]?);
        let share = left / go.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, 1000);
        let gained = go.increment[player.index()].unwrap_or(0).max(0) / 5 * 4;
        Some(share.saturating_add(gained).clamp(1, left))
    });
    let time = match (go.movetime.map(kept), clock) {
        (Some(movetime), Some(clock)) => Some(movetime.min(clock)),
        (movetime, clock) => movetime.or(clock),
    };
    let limits = Limits {
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        movetime: time.map(|time| Duration::from_millis(time.unsigned_abs())),
        stop: None,
    };
    (limits != Limits::default()).then_some(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::UciCommand;

    fn limits(line: &str, player: Option<Player>, overhead: i64) -> Option<Limits> {
        match UciCommand::parse(line) {
            UciCommand::Go(go) => search_limits(&go, player, overhead),
            other => panic!("{other:?}"),
        }
    }

    fn millis(line: &str, player: Option<Player>, overhead: i64) -> u128 {
        limits(line, player, overhead).unwrap().movetime.unwrap().as_millis()
    }

    #[test]
    fn limits_of_uci_and_ugi_are_read() {
        assert_eq!(limits("go", Some(Player::First), 0), None);
        let depth = limits("go depth 5", None, 0).unwrap();
        assert_eq!((depth.depth, depth.nodes, depth.movetime), (Some(5), None, None));
        assert_eq!(limits("go nodes 0", None, 0).unwrap().nodes, Some(1));
        assert_eq!(limits("go mate 3", None, 0).unwrap().depth, Some(5));
        assert_eq!(millis("go movetime 100", None, 10), 90);
        assert_eq!(millis("go movetime 5", None, 10), 2);
        assert_eq!(limits("go infinite", None, 0), Some(Limits::default()));
        for line in [
            "go p1time 60010 p2time 30010 p1inc 0 p2inc 100",
            "go wtime 60010 btime 30010 winc 0 binc 100",
        ] {
            assert_eq!(millis(line, Some(Player::First), 10), 2000);
            assert_eq!(millis(line, Some(Player::Second), 10), 1080);
        }
        assert_eq!(millis("go wtime 1010 movestogo 1", Some(Player::First), 10), 1000);
    }

    #[test]
    fn nonsense_is_no_panic() {
        let strange = "go depth x nodes -4 wtime -50 binc 9e99 movestogo 0 searchmoves a1";
        assert_eq!(millis(strange, Some(Player::First), 10), 1);
        assert!(limits(strange, Some(Player::Second), i64::MAX).is_some());
        let huge = "go mate 9223372036854775807 movetime -9223372036854775808";
        assert_eq!(millis(huge, None, 10), 1);
    }
}
