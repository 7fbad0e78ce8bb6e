//! A recorded game as one SVG: every position in a row of small pictures.

use maud::html;

use super::BOARD_STYLE;
use super::board::{picture, size};
use super::svg::{px, text};
use crate::world::Frame;

/// Pictures in a row.
const ACROSS: usize = 6;
/// The width of a picture with the room around it.
const WIDE: f64 = 240.0;
/// Room for the words below a picture.
const WORDS: f64 = 40.0;

/// The game in pictures; `words` stand below each. `None` where positions have no shapes.
pub fn strip(frames: &[Frame], words: &[String], title: &str) -> Option<String> {
    let [width, height] = size(&frames.first()?.picture)?;
    let shrink = (WIDE - 24.0) / width;
    let high = height * shrink + WORDS;
    let across = ACROSS.min(frames.len());
    let down = frames.len().div_ceil(ACROSS);
    let all = [WIDE * across as f64 + 12.0, high * down as f64 + 44.0];
    let drawing = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (px(all[0])) " " (px(all[1])) }
            width=(px(all[0])) height=(px(all[1])) class="strip" {
            title { (title) }
            style { (maud::PreEscaped(BOARD_STYLE)) }
            (super::svg::rect("paper", [0.0, 0.0], all))
            (text("title", [12.0, 24.0], title))
            @for (i, (frame, words)) in frames.iter().zip(words).enumerate() {
                @let x = 12.0 + WIDE * (i % ACROSS) as f64;
                @let y = 40.0 + high * (i / ACROSS) as f64;
                g transform=(format!("translate({} {}) scale({shrink:.4})", px(x), px(y))) {
                    (picture(&frame.picture))
                }
                (text("edge", [x, y + high - WORDS + 16.0], words))
            }
        }
    };
    Some(format!("{}\n", drawing.into_string()))
}
