//! Results as tables write them: words, scores, numbers and ranks.

/// A result of two players from the side of the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResultWord {
    First,
    Draw,
    Second,
    /// The number 0: a loss if wins are 1 and draws ½, a draw if losses are −1.
    Zero,
    /// The number −1.
    MinusOne,
    /// The number ½.
    Half,
    /// The game has no result, because agon or the machine failed.
    Void,
}

/// Reads a result. `None` for any other text.
pub(super) fn result(text: &str) -> Option<ResultWord> {
    use ResultWord::{Draw, First, Half, MinusOne, Second, Void, Zero};
    Some(match text.to_ascii_lowercase().as_str() {
        "win" | "won" | "w" | "first" | "white" | "true" => First,
        "loss" | "lose" | "lost" | "l" | "second" | "black" | "b" | "false" => Second,
        "1/2-1/2" | "½-½" | "1/2" | "½" | "draw" | "drawn" | "d" | "tie" | "tied" | "=" => Draw,
        "void" => Void,
        number if points(number).is_some() => match points(number)? {
            [a, b] if a > b => First,
            [a, b] if a < b => Second,
            _ => Draw,
        },
        number => match number.replace(',', ".").parse::<f64>().ok()? {
            1.0 => First,
            0.5 => Half,
            0.0 => Zero,
            -1.0 => MinusOne,
            _ => return None,
        },
    })
}

/// The points of both players in a result such as `3-1` or `2:2`.
fn points(text: &str) -> Option<[u32; 2]> {
    let text = text.replace(['–', ':'], "-");
    let (a, b) = text.split_once('-')?;
    // Half points of a match.
    let half = |text: &str| -> Option<u32> {
        let doubled = 2.0 * text.trim().parse::<f64>().ok().filter(|it| (0.0..1e6).contains(it))?;
        (doubled.fract() == 0.0).then_some(doubled as u32)
    };
    Some([half(a)?, half(b)?])
}

/// The number of a seat: a number, or a word for the first or the second one.
pub(super) fn seat_number(text: &str) -> Option<u64> {
    match text.to_ascii_lowercase().as_str() {
        "first" | "white" | "w" => Some(1),
        "second" | "black" | "b" => Some(2),
        number => number.parse().ok(),
    }
}

/// Whether a word of a column of winners means a draw.
pub(super) fn is_draw(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    matches!(text.as_str(), "draw" | "drawn" | "tie" | "tied" | "both" | "none" | "1/2-1/2" | "½")
        || text.starts_with("tie (")
}

/// The ranks of players with these points: more is better, and the best has rank 1.
pub(super) fn ranks_of_scores(scores: &[f64]) -> Vec<u16> {
    let better = |of: &f64| scores.iter().filter(|other| *other > of).count() as u16;
    scores.iter().map(|score| better(score) + 1).collect()
}

/// The least rank that is missing below a given one. Ranks begin with 1 or 0. After a tie of two, the
/// next rank is one more, or two more as in tables of sports.
pub(super) fn missing_rank(ranks: &[u16]) -> Option<u16> {
    let least = if ranks.contains(&0) { 0 } else { 1 };
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let (mut dense, mut sports) = (Some(()), Some(()));
    let mut expected = None;
    let mut distinct = 0;
    for (place, &rank) in sorted.iter().enumerate() {
        let is_new = place == 0 || sorted[place - 1] != rank;
        if !is_new {
            continue;
        }
        dense = dense.filter(|()| rank == least + distinct);
        sports = sports.filter(|()| rank == least + place as u16);
        if dense.is_none() && sports.is_none() {
            expected = Some(least + distinct);
            break;
        }
        distinct += 1;
    }
    expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_of_results_are_read() {
        use ResultWord::{Draw, First, Half, Second, Zero};
        for (text, of) in [
            ("1-0", First),
            ("WIN", First),
            ("0-1", Second),
            ("3-1", First),
            ("2:2", Draw),
            ("0.5-0.5", Draw),
            ("½-½", Draw),
            ("Tie", Draw),
            ("0", Zero),
            ("0,5", Half),
            ("1.0", First),
        ] {
            assert_eq!(result(text), Some(of), "{text}");
        }
        for text in ["", "*", "1e9", "2", "nan", "yes", "1-", "a-b", "1e9-0"] {
            assert_eq!(result(text), None, "{text}");
        }
    }

    #[test]
    fn ranks_have_no_gaps() {
        for ranks in [&[1, 2, 3][..], &[1, 1, 3], &[1, 1, 2], &[0, 1, 1], &[2, 1], &[1, 1]] {
            assert_eq!(missing_rank(ranks), None, "{ranks:?}");
        }
        assert_eq!(missing_rank(&[1, 3, 4]), Some(2));
        assert_eq!(missing_rank(&[2, 3]), Some(1));
        assert_eq!(missing_rank(&[1, 2, 2, 5]), Some(3));
        assert_eq!(ranks_of_scores(&[3.0, 7.0, 3.0]), [2, 1, 2]);
    }
}
