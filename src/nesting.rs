//! How deeply a text nests, found without recursion before anything recursive reads it:
//! a dotted key nests as tables do, so that a short text can hold thousands of levels,
//! more than a thread's stack takes to read and to free.

/// Levels within one value or header beyond which a text is not parsed. Whoever reads it
/// refuses what is nested less deeply, with a better place, but still has no use.
const DEEPEST: usize = 64;

/// Where a TOML text gets nested too deeply, as an offset in bytes: brackets within
/// brackets and the parts of dotted keys count together. Strings and comments do not.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // How deep each open bracket stands.
    let mut open: Vec<usize> = Vec::new();
    let (mut level, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at += rest_of_line(&bytes[at..]),
            b'"' | b'\'' => {
                at += quoted(&bytes[at..]);
                continue;
            }
            b'.' => level += 1,
            b'[' | b'{' => {
                open.push(level);
                level += 1;
            }
            b']' | b'}' => level = open.pop().unwrap_or(0),
            // A new entry: what the key before it added is over.
            b',' => level = open.last().map_or(0, |outer| outer + 1),
            b'\n' if open.is_empty() => level = 0,
            _ => {}
        }
        if level > DEEPEST {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The bytes up to the end of the line, which is not among them.
fn rest_of_line(bytes: &[u8]) -> usize {
    // The loop above goes on behind the last of them.
    bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()).saturating_sub(1)
}

/// The bytes of the string that these begin with, up to the end of the line where it is
/// not closed.
fn quoted(bytes: &[u8]) -> usize {
    let quote = bytes[0];
    let long = bytes.starts_with(&[quote; 3]);
    let mut at = if long { 3 } else { 1 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at,
            _ if byte != quote => {}
            _ if !long => return at + 1,
            _ if bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_configs_hold_is_not_deep() {
        for text in [
            "",
            "# ......................................................................... [[[[[[",
            "a = \"........................................................................\"",
            "a = '\\' # [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
            "a = \"\"\"\n\\\"\"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"\"\"",
            "[a.b]\nc = [[1.5, 2], { d.e = 3 }]\n",
        ] {
            assert_eq!(too_deep(text), None, "{text}");
        }
        // Many things beside one another are not deep, however many they are.
        assert_eq!(too_deep(&"a.b = [[1.5], { c.d = 1 }]\n".repeat(1000)), None);
        assert_eq!(too_deep(&format!("a = [{}]", "1.5, [2.5], ".repeat(1000))), None);
    }

    #[test]
    fn brackets_and_dots_count_together() {
        assert_eq!(too_deep(&"[".repeat(100)), Some(DEEPEST));
        assert_eq!(too_deep(&format!("{}a", "a.".repeat(100))), Some(2 * DEEPEST + 1));
        let keys = "{ a.a.a.a = ".repeat(DEEPEST / 4);
        assert_eq!(too_deep(&keys), None);
        assert!(too_deep(&format!("{keys}[")).is_some());
        // A string that is not closed ends with its line.
        assert!(too_deep(&format!("a = \"b\nc = '\nd = {}", "[".repeat(100))).is_some());
    }
}
