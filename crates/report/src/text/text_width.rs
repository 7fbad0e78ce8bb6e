//! The width of texts, and how to shorten them. A shortened text keeps its beginning and its end,
//! because similar names often differ in their last letters only.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The terminal columns that a text occupies, without its escape sequences.
pub fn columns(text: &str) -> usize {
    match text.contains('\u{1b}') {
        true => anstream::adapter::strip_str(text).to_string().width(),
        false => text.width(),
    }
}

/// A text in at most `most` columns.
pub fn to_columns(text: &str, most: usize) -> String {
    shortened(text, most as f64, |letter| letter.width().unwrap_or(0) as f64)
}

/// A text of at most the width `most`; `wide` is the width of a letter.
pub fn shortened(text: &str, most: f64, wide: impl Fn(char) -> f64) -> String {
    let all: f64 = text.chars().map(&wide).sum();
    if all <= most {
        return text.to_owned();
    }
    let room = most - wide('…');
    let mut used = 0.0;
    let mut takes = |letter: &char, room: f64| {
        let fits = used + wide(*letter) <= room;
        used += if fits { wide(*letter) } else { 0.0 };
        fits
    };
    let end: Vec<char> =
        text.chars().rev().take_while(|letter| takes(letter, 0.4 * room)).collect();
    let begin: String = text.chars().take_while(|letter| takes(letter, room)).collect();
    let end: String = end.into_iter().rev().collect();
    format!("{}…{}", begin.trim_end(), end.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_names_stay() {
        assert_eq!(to_columns("short", 5), "short");
        assert_eq!(to_columns("alphabeta_of_depth_12", 12), "alphabe…h_12");
        assert_eq!(to_columns("長い名前を持っています", 9), "長い名…す");
        assert_eq!(columns("長い名前"), 8);
        for most in 0..20 {
            assert!(columns(&to_columns("a name of some length", most)) <= most.max(1));
        }
    }
}
