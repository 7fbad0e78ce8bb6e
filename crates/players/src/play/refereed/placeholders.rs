//! Placeholders in the words of a command, such as `{seed}`.

/// Replaces each placeholder that has a value. Placeholders in the values stay as they are.
pub(super) fn fill(word: &str, mut value: impl FnMut(&str) -> Option<String>) -> String {
    let (mut filled, mut rest) = (String::new(), word);
    while let Some((before, inner)) = rest.split_once('{') {
        filled.push_str(before);
        match inner.split_once('}').and_then(|(name, after)| Some((value(name)?, after))) {
            Some((value, after)) => {
                filled.push_str(&value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = inner;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_filled_again() {
        let value = |name: &str| match name {
            "first" => Some("./bot {seed}".to_owned()),
            "seed" => Some("7".to_owned()),
            _ => None,
        };
        assert_eq!(fill("-p1={first}", value), "-p1=./bot {seed}");
        assert_eq!(fill("{{seed}} {other} {seed", value), "{7} {other} {seed");
    }
}
