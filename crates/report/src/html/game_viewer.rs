//! The viewer for recorded games.

use maud::{Markup, PreEscaped, html};

use super::page_sections::step_buttons;
use super::replay_data::ReplayData;
use crate::games::picture_for_html::{Body, Picture};
use crate::html::svg::board_svg::{CELL, bars, graph, ground, most, piece, size};
use crate::html::svg::svg_elements::px;

/// The section; its script adds the controls.
pub fn content(replays: Option<&ReplayData>) -> Markup {
    let Some(replays) = replays else { return html! {} };
    html! {
        noscript { p class="note" { "The board needs JavaScript." } }
        div id="viewer" hidden {
            p id="absent" class="remark" role="status" hidden {}
            div class="choices" {
                label { "games " select id="group" {} }
                label { "game " select id="game" {} }
            }
            p id="players" {}
            p id="ending" class="note" {}
            div class="stage" {
                div class="view" {
                    @if let Some(frame) = &replays.first { (drawing(replays, &frame.picture)) }
                    pre id="as-text" hidden {}
                    div class="controls" { (step_buttons("move")) }
                    input type="range" id="slider" min="0" value="0" aria-label="position";
                    @if replays.event.is_some() {
                        p class="controls" {
                            button type="button" id="copy-fen" { "copy FEN" }
                            button type="button" id="copy-pgn" { "copy PGN" }
                            span id="copied" role="status" {}
                        }
                    }
                }
                div class="script" {
                    ul id="said" aria-live="polite" {}
                    svg id="values" hidden role="img" viewBox="0 0 400 138"
                        aria-label="the agents' values by ply" {}
                    div id="moves" aria-label="moves" {}
                }
            }
            p class="note" {
                "Use the arrow keys, Home and End. Moves of the opening have a dashed frame. Chance \
                 moves are grey. The address of the page names the game and the position."
                @if replays.left_out {
                    " The page has selected games and the games of the first openings. For other games \
                     use "
                    code { "agon replay DIR GAME" }
                    "."
                }
            }
        }
        script type="application/json" id="replays" { (PreEscaped(replays.json())) }
    }
}

/// The static parts of the board, with empty elements for the changing parts.
fn drawing(replays: &ReplayData, picture: &Picture) -> Markup {
    let Some([width, height]) = size(picture) else { return html! {} };
    html! {
        svg id="drawing" class="position" viewBox={ "0 0 " (px(width)) " " (px(height)) }
            style={ "max-width:" (px(most(picture, width))) "px" } role="img"
            aria-label="the position" {
            defs {
                @for (number, shape) in replays.legend.iter().enumerate().skip(1) {
                    symbol id={ "piece" (number) } viewBox={ "0 0 " (px(CELL)) " " (px(CELL)) } {
                        (piece(*shape))
                    }
                }
            }
            @match &picture.body {
                Body::Board(board) => (ground(board)),
                Body::Bars(all) => (bars(all, true)),
                Body::Graph(all) => (graph(all, true)),
                Body::Text(_) => {},
            }
            g id="pieces" {}
            g id="dice" {}
        }
    }
}
