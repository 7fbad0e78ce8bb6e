//! The bracket of a knockout as it is drawn on paper: a column for each round, from left to right.

use maud::{Markup, html};

use crate::figures::run_results::Results;
use crate::kinds::matches;

/// More agents are in the table of matches only.
const MOST: usize = 64;

/// The bracket; empty for other formats.
pub fn content(results: &Results) -> Markup {
    let rounds = matches::bracket(results);
    let rounds = rounds.filter(|_| results.tally.names.len() <= MOST).unwrap_or_default();
    html! {
        @if !rounds.is_empty() {
            div class="scroll" tabindex="0" role="group" aria-label="bracket" {
                div class="bracket" {
                    @for (name, matches) in &rounds {
                        section {
                            h3 { (name) }
                            ol {
                                @for game in matches {
                                    li {
                                        div {
                                            @for (side, (agent, points)) in game.sides.iter().enumerate() {
                                                p class=[(game.winner == Some(side)).then_some("won")] {
                                                    span { (agent) } span { (points) }
                                                }
                                            }
                                            @if !["games", "bye"].contains(&game.decided_by) {
                                                p { small { (game.decided_by) } }
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
