//! A contact sheet of a recorded game: one SVG with a small picture of every position.

use maud::html;

use super::page_sections::BOARD_STYLE;
use crate::html::svg::board_svg::{picture, size};
use crate::html::svg::svg_elements::{fit, px, text};
use crate::play::Frame;

const ACROSS: usize = 6;
/// The width of a picture including its margin.
const WIDE: f64 = 240.0;
/// Space for the text below a picture.
const WORDS: f64 = 40.0;

/// The game in pictures, with two lines of `words` below each. `None` if positions have no shapes.
pub fn contact_sheet(frames: &[Frame], words: &[[String; 2]], title: &str) -> Option<String> {
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
            (crate::html::svg::svg_elements::rect("paper", [0.0, 0.0], all))
            (text("title", [12.0, 24.0], title))
            @for (i, (frame, words)) in frames.iter().zip(words).enumerate() {
                @let x = 12.0 + WIDE * (i % ACROSS) as f64;
                @let y = 40.0 + high * (i / ACROSS) as f64;
                g transform=(format!("translate({} {}) scale({shrink:.4})", px(x), px(y))) {
                    (picture(&frame.picture))
                }
                @for (words, below) in words.iter().zip([14.0, 29.0]) {
                    (text("edge", [x, y + high - WORDS + below], &fit(words, WIDE - 12.0)))
                }
            }
        }
    };
    Some(format!("{}\n", drawing.into_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Configurable, Einstein};
    use crate::params::Values;

    #[test]
    fn a_picture_is_well_formed_xml() {
        let game = Einstein::build(&Values::default()).expect("the standard board");
        let mut frames = Vec::new();
        let mut see = |frame: Frame| {
            frames.push(frame);
            true
        };
        crate::play::AnyGame::of(game).replay("", "123456 654321 d1", &mut see).expect("a game");
        let words = vec![["a < b & c".to_owned(), String::new()]; frames.len()];
        let svg = contact_sheet(&frames, &words, "a <title>").expect("shapes");
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag that ends");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(tag.split(' ').next().unwrap_or_default()),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert_eq!(svg.matches("a &lt; b &amp; c").count(), frames.len());
    }
}
