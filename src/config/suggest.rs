//! "Did you mean": the nearest word to one that nobody knows.

use crate::sorting;
use std::path::Path;

/// The candidate that a person may have meant, if one is near.
pub(super) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A word of any length is compared: a bound keeps a megabyte of garbage cheap.
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let lower = candidate.to_lowercase();
            let edits = strsim::damerau_levenshtein(&word, &lower);
            (strsim::jaro_winkler(&word, &lower), edits, candidate)
        })
        .filter(|&(likeness, edits, candidate)| {
            let length = candidate.chars().count();
            likeness > 0.8 || (edits <= 1 + length / 5 && edits < length)
        })
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        .map(|(_, _, candidate)| candidate)
}

/// The remedy for an unknown word: the nearest one, else all there are.
pub(super) fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => one_of(candidates),
    }
}

/// "use one of `a`, `b` or `c`", shortened where there are many.
pub(super) fn one_of(candidates: &[&str]) -> String {
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

/// The remedy for a file that does not exist: its neighbour of nearly that name.
pub(super) fn near_file(path: &Path) -> Option<String> {
    let with_ending = path.with_extension("toml");
    if with_ending.is_file() {
        return Some(format!("did you mean `{}`?", with_ending.display()));
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = path.file_name()?.to_str()?;
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Some(format!("there is no folder `{}` either", parent.display()));
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(10_000)
        .collect();
    sorting::by(&mut names, Ord::cmp);
    let near = nearest(wanted, names.iter().map(String::as_str))?;
    Some(format!("did you mean `{}`?", path.with_file_name(near).display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_recognised() {
        let words = ["depth", "ordering", "table_mb", "nodes"];
        assert_eq!(nearest("depht", words), Some("depth"));
        assert_eq!(nearest("Ordering", words), Some("ordering"));
        assert_eq!(nearest("tablemb", words), Some("table_mb"));
        assert_eq!(nearest("zzz", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest("z", ["m", "n", "k"]), None);
    }

    #[test]
    fn the_choice_is_listed_where_nothing_is_near() {
        assert_eq!(did_you_mean("zzz", &["a", "b", "c"]), "use one of `a`, `b` or `c`");
        assert_eq!(did_you_mean("zzz", &["only"]), "use `only`");
    }
}
