//! The reader of whole numbers in positions and moves.

use std::str::FromStr;

/// The number that a text of digits 0 to 9 names; zeros in front are allowed. `None` for a sign,
/// a space, another digit (`٣`), an empty text and a number that is too large for the type.
pub fn whole_number<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// The numbers of a word with one of these characters between any two (`12-30`); none in a word
/// that is a single such character. `None` if a part is not a number: `-2` and `+8` have a sign.
pub fn joined_numbers<T: FromStr>(word: &str, between: &[char]) -> Option<Vec<T>> {
    let mut letters = word.chars();
    if letters.next().is_some_and(|first| between.contains(&first)) && letters.next().is_none() {
        return Some(Vec::new());
    }
    word.split(between).map(whole_number).collect()
}

#[cfg(test)]
mod tests {
    use super::{joined_numbers, whole_number};

    #[test]
    fn a_sign_is_not_a_separator() {
        let read = |word| joined_numbers::<u8>(word, &['-', ':']);
        assert_eq!(read("12-30:8"), Some(vec![12, 30, 8]));
        assert_eq!((read("7"), read("-")), (Some(vec![7]), Some(vec![])));
        for word in ["-2", "12-", "12--30", "12:-30", "--", "12-300", ""] {
            assert_eq!(read(word), None, "{word}");
        }
    }

    #[test]
    fn only_digits_are_numbers() {
        assert_eq!(
            [whole_number("0"), whole_number("255"), whole_number("007")],
            [Some(0_u8), Some(255), Some(7)]
        );
        for text in ["", "+3", "-2", "-0", " 3", "3 ", "٣", "３", "256", "1e1", "0x1", "1.0", "1_0"]
        {
            assert_eq!(whole_number::<u8>(text), None, "{text}");
            assert_eq!(whole_number::<i8>(text), None, "{text}");
        }
    }
}
