//! Checks threats: playing the moves must confirm the immediate wins that a game reports.

use crate::games::{Game, GameExt, Player, Scoring, SearchHints, Shortcuts, Threat, Turn};

/// Compares `SearchHints::threat` with all moves and all replies, and `Shortcuts::play_on` with
/// [`Game::play`].
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    for state in positions {
        let Turn::Player(mover) = game.turn(state) else { continue };
        let threat = game.hints().threat(state);
        if threat == Threat::Unknown {
            continue;
        }
        let text = game.write_position(state);
        let wins = wins(game, state, mover);
        if let Threat::Win(mv) = threat {
            assert!(wins.contains(&mv), "{mv:?} does not win at once in {text}");
            continue;
        }
        assert!(wins.is_empty(), "{wins:?} win at once in {text}");
        for mv in game.legal_moves(state) {
            let child = game.after(state, mv);
            let mut other = state.clone();
            game.shortcuts().play_on(&mut other, mv);
            assert_eq!(other, child, "`play_on` of {mv:?} in {text}");
            let loses = match threat {
                Threat::Reply(reply) => mv != reply,
                threat => threat == Threat::Lost,
            };
            if loses {
                assert_eq!(game.turn(&child), Turn::Player(mover.other()), "{mv:?} in {text}");
                let replies = self::wins(game, &child, mover.other());
                assert!(!replies.is_empty(), "{mv:?} does not lose in {text}");
            }
        }
    }
}

/// The moves that win at once for the player to move.
fn wins<G: Game>(game: &G, state: &G::State, mover: Player) -> Vec<G::Move> {
    let mut moves = game.legal_moves(state);
    moves.retain(|&mv| {
        let child = game.after(state, mv);
        game.turn(&child) == Turn::Over && game.scoring().winner(&child) == Some(mover)
    });
    moves
}
