//! "Did you mean": finds the known word that is nearest to an unknown one.

/// Words that mean the same, each with the word of agon.
const OTHER_NAMES: [(&str, &str); 2] = [("reversi", "othello"), ("mancala", "kalah")];

/// The candidate that was probably meant, if one is near.
pub fn nearest<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    // The limit on the length keeps a megabyte of garbage cheap.
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    let other = OTHER_NAMES.iter().find(|(other, _)| *other == word);
    if let Some((_, own)) = other
        && let Some(own) = candidates.iter().find(|candidate| *candidate == own)
    {
        return Some(own);
    }
    candidates
        .iter()
        .map(|&candidate| {
            let lower = candidate.to_lowercase();
            let edits = strsim::damerau_levenshtein(&word, &lower);
            (strsim::jaro_winkler(&word, &lower), edits, candidate)
        })
        .filter(|&(likeness, edits, candidate)| {
            let length = candidate.chars().count();
            likeness > 0.8 || (edits <= 1 + length / 5 && edits < length)
        })
        // One slip is more probable than a likeness that favours long words with the same beginning.
        .max_by(|a, b| (a.1 <= 1).cmp(&(b.1 <= 1)).then(a.0.total_cmp(&b.0)).then(b.1.cmp(&a.1)))
        .map(|(_, _, candidate)| candidate)
}

/// The help for an unknown word: the nearest candidate, else all candidates.
pub fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    did_you_mean_or(word, candidates, || one_of(candidates))
}

/// The help for an unknown word: the nearest candidate, else another text.
pub fn did_you_mean_or(word: &str, candidates: &[&str], other: impl FnOnce() -> String) -> String {
    match nearest(word, candidates) {
        Some(near) => format!("did you mean `{near}`?"),
        None => other(),
    }
}

/// "use one of `a`, `b` or `c`", shortened if there are many.
pub fn one_of(candidates: &[&str]) -> String {
    const SHOWN: usize = 12;
    match candidates {
        [] => String::new(),
        [only] => format!("use `{only}`"),
        [.., last] if candidates.len() <= SHOWN => {
            let first: Vec<_> =
                candidates[..candidates.len() - 1].iter().map(|c| format!("`{c}`")).collect();
            format!("use one of {} or `{last}`", first.join(", "))
        }
        _ => {
            let first: Vec<_> = candidates[..SHOWN].iter().map(|c| format!("`{c}`")).collect();
            format!("use one of {} and {} more", first.join(", "), candidates.len() - SHOWN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_recognised() {
        let words = ["depth", "ordering", "table_mb", "nodes"];
        assert_eq!(nearest("depht", &words), Some("depth"));
        assert_eq!(nearest("Ordering", &words), Some("ordering"));
        assert_eq!(nearest("tablemb", &words), Some("table_mb"));
        assert_eq!(nearest("chees", &["chess", "checkers"]), Some("chess"));
        assert_eq!(nearest("Reversi", &["chess", "othello"]), Some("othello"));
        assert_eq!(nearest("mancala", &words), None);
        assert_eq!(nearest("zzz", &words), None);
        assert_eq!(nearest("", &words), None);
        assert_eq!(nearest("z", &["m", "n", "k"]), None);
    }

    #[test]
    fn the_choice_is_listed_where_nothing_is_near() {
        assert_eq!(did_you_mean("zzz", &["a", "b", "c"]), "use one of `a`, `b` or `c`");
        assert_eq!(did_you_mean("zzz", &["only"]), "use `only`");
    }
}
