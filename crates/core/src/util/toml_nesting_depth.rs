//! Finds out how deeply a text is nested, without recursion, before a recursive parser reads it. A
//! dotted key nests like a table, so a short text can have thousands of levels. That can be more
//! than the stack of a thread allows.

/// The maximum number of levels within one value or header. Deeper texts are not parsed. The
/// callers have a lower limit of their own and report its place more exactly.
const DEEPEST: usize = 64;

/// The offset in bytes at which a TOML text is nested too deeply. Brackets within brackets and the
/// parts of dotted keys count together. Strings and comments do not count.
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // The depth of each open bracket.
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
            // A new entry: the parts of the key before it no longer count.
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

/// The index of the last byte before the end of the line.
fn rest_of_line(bytes: &[u8]) -> usize {
    // The loop above continues with the byte after it.
    bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()).saturating_sub(1)
}

/// The length in bytes of the string at the start. A string that is not closed ends with its line.
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
        // Many values side by side are not deep.
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
