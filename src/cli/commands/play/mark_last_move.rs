//! Marks the last move on a board of text: `(x)`.

/// The maximum number of marks. A move that changes more is not marked.
const MOST: usize = 3;

/// The board with brackets around the pieces that the last move put there. Boards that do not have
/// blanks around their pieces stay as they are.
pub fn mark(before: &str, after: &str) -> String {
    let same_size = before.lines().count() == after.lines().count()
        && before.lines().zip(after.lines()).all(|(a, b)| a.chars().count() == b.chars().count());
    let mut marks = 0;
    let lines = before.lines().zip(after.lines()).map(|(before, after)| {
        let line = marked(before, after);
        marks += line.as_ref().map_or(0, |(_, marks)| *marks);
        line.map_or_else(|| after.to_owned(), |(line, _)| line)
    });
    let text: String = lines.map(|line| line + "\n").collect();
    if same_size && marks <= MOST { text } else { after.to_owned() }
}

/// A line with its marks, and their number; `None` if nothing is marked.
fn marked(before: &str, after: &str) -> Option<(String, usize)> {
    // Bars and walls are no pieces, and words are no board.
    if after.contains(['[', '%', ',']) {
        return None;
    }
    let (before, after): (Vec<char>, Vec<char>) =
        (before.chars().collect(), after.chars().collect());
    let mut line = after.clone();
    let mut marks = 0;
    let mut begin = 0;
    while begin < after.len() {
        let end = after[begin..].iter().position(|c| *c == ' ').map_or(after.len(), |n| begin + n);
        let word = &after[begin..end];
        let is_piece = !word.is_empty() && word.len() <= 2 && word != ['.'];
        if is_piece && begin > 0 && before.get(begin..end) != Some(word) {
            line[begin - 1] = '(';
            match line.get_mut(end) {
                Some(blank) => *blank = ')',
                None => line.push(')'),
            }
            marks += 1;
        }
        begin = end + 1;
    }
    (marks > 0).then(|| (line.into_iter().collect(), marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_piece_that_is_new_is_marked() {
        assert_eq!(mark(" . . .\n 1 2 3\n", " . x .\n 1 2 3\n"), " .(x).\n 1 2 3\n");
        assert_eq!(mark(" . .\n", " . o\n"), " .(o)\n");
        // A piece that moves is marked where it is now.
        assert_eq!(mark("2  P .\n1  . .\n", "2  . .\n1  . P\n"), "2  . .\n1  .(P)\n");
        assert_eq!(mark(" 5 x2  .\n", " 5  . x2\n"), " 5  .(x2)\n");
    }

    #[test]
    fn boards_without_blanks_stay_as_they_are() {
        for (before, after) in
            [("%P %\n", "% P%\n"), ("a [..] 1\n", "a [#.] 2\n"), (". .", ". . .")]
        {
            assert_eq!(mark(before, after), after);
        }
    }
}
