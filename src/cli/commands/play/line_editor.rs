//! Line editing for a person at a terminal: arrow keys, and earlier lines by Up or Ctrl-R. A small
//! editor of our own: the usual library would make the program 400 kB larger.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::util::unix::{Pause, SingleKeys};

/// The maximum length of a line, in characters.
const LONGEST: usize = 4000;

/// The time in which a signal ends the process.
const SIGNAL_TIME: Duration = Duration::from_secs(1);

/// A key, as the terminal sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Char(char),
    /// The letter of a control character, such as `a` for Ctrl-A.
    Control(char),
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    Delete,
    Other,
}

/// What follows from a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Edit,
    Enter,
    EndOfInput,
    Pause(Pause),
}

/// Reads lines from a terminal, and remembers them.
#[derive(Default)]
pub struct LineEditor {
    earlier: Vec<String>,
}

/// The line that is edited.
#[derive(Debug, Default)]
struct Line {
    text: Vec<char>,
    cursor: usize,
    /// The place in the earlier lines, with the text that was typed before they were shown.
    shown: Option<(usize, Vec<char>)>,
}

impl LineEditor {
    /// Reads a line; `None` at the end of input. The prompt is printed. Nothing is read if the
    /// terminal does not send single keys: then the result is an error of the kind `Unsupported`.
    pub fn read(&mut self, prompt: &str, input: &mut dyn BufRead) -> io::Result<Option<String>> {
        let mut keys = Some(SingleKeys::begin().ok_or(io::ErrorKind::Unsupported)?);
        let mut out = io::stdout();
        let mut line = Line::default();
        loop {
            line.print(prompt, &mut out)?;
            let step = match read_key(input)? {
                Some(key) => line.press(key, &self.earlier),
                None => Step::EndOfInput,
            };
            match step {
                Step::Edit => {}
                Step::EndOfInput => return Ok(None),
                Step::Enter => {
                    writeln!(out)?;
                    let line: String = line.text.iter().collect();
                    let line = line.trim().to_owned();
                    if !line.is_empty() && self.earlier.last() != Some(&line) {
                        self.earlier.push(line.clone());
                    }
                    return Ok(Some(line));
                }
                Step::Pause(pause) => {
                    // The shell expects the terminal as it was.
                    keys.take();
                    writeln!(out)?;
                    pause.begin();
                    if pause == Pause::Interrupt {
                        // The signal ends the process from another thread. Under nohup and the like
                        // it is ignored, and the key still ends the game.
                        std::thread::sleep(SIGNAL_TIME);
                        return Ok(None);
                    }
                    keys = SingleKeys::begin();
                }
            }
        }
    }
}

impl Line {
    fn press(&mut self, key: Key, earlier: &[String]) -> Step {
        let (at, end) = (self.cursor, self.text.len());
        match key {
            Key::Char('\n' | '\r') => return Step::Enter,
            Key::Control('c') => return Step::Pause(Pause::Interrupt),
            Key::Control('z') => return Step::Pause(Pause::Stop),
            Key::Control('\\') => return Step::Pause(Pause::Quit),
            Key::Control('d') if end == 0 => return Step::EndOfInput,
            Key::Char(char) if end < LONGEST => {
                self.text.insert(at, char);
                self.cursor += 1;
            }
            Key::Left | Key::Control('b') => self.cursor = at.saturating_sub(1),
            Key::Right | Key::Control('f') => self.cursor = end.min(at + 1),
            Key::Home | Key::Control('a') => self.cursor = 0,
            Key::End | Key::Control('e') => self.cursor = end,
            Key::Control('h' | '?') => self.cut(at.saturating_sub(1), at),
            Key::Delete | Key::Control('d') => self.cut(at, end.min(at + 1)),
            Key::Control('k') => self.cut(at, end),
            Key::Control('u') => self.cut(0, at),
            Key::Control('w') => {
                let before = &self.text[..at];
                let word = before.iter().rposition(|char| *char != ' ').unwrap_or(0);
                let space = before[..word].iter().rposition(|char| *char == ' ');
                self.cut(space.map_or(0, |space| space + 1), at);
            }
            Key::Up | Key::Control('p') => self.go_back(earlier, |_, _| true),
            Key::Control('r') => self.go_back(earlier, |line, typed| line.contains(typed)),
            Key::Down | Key::Control('n') => self.go_forward(earlier),
            Key::Char(_) | Key::Control(_) | Key::Other => {}
        }
        Step::Edit
    }

    fn cut(&mut self, from: usize, to: usize) {
        self.text.drain(from..to);
        self.cursor = from;
    }

    /// Shows the next earlier line that fits the text that was typed.
    fn go_back(&mut self, earlier: &[String], fits: fn(&str, &str) -> bool) {
        let (place, typed) =
            self.shown.take().unwrap_or_else(|| (earlier.len(), self.text.clone()));
        let wanted: String = typed.iter().collect();
        let found = earlier[..place].iter().rposition(|line| fits(line, &wanted));
        if let Some(found) = found {
            self.show(earlier[found].chars().collect());
        }
        self.shown = Some((found.unwrap_or(place), typed));
    }

    fn go_forward(&mut self, earlier: &[String]) {
        let Some((place, typed)) = self.shown.take() else { return };
        match earlier.get(place + 1) {
            Some(line) => {
                self.show(line.chars().collect());
                self.shown = Some((place + 1, typed));
            }
            None => self.show(typed),
        }
    }

    fn show(&mut self, text: Vec<char>) {
        (self.cursor, self.text) = (text.len(), text);
    }

    /// Prints the line over itself. Of a line that is too long, the part at the cursor.
    fn print(&self, prompt: &str, out: &mut impl Write) -> io::Result<()> {
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0));
        let room = width.saturating_sub(prompt.width() + 1).max(1);
        let wide = |from: usize, to: usize| -> usize {
            self.text[from..to].iter().collect::<String>().width()
        };
        let mut from = 0;
        while wide(from, self.cursor) > room {
            from += 1;
        }
        let mut to = self.text.len();
        while wide(from, to) > room {
            to -= 1;
        }
        let text: String = self.text[from..to].iter().collect();
        write!(out, "\r{prompt}{text}\x1b[K")?;
        match wide(self.cursor, to) {
            0 => {}
            back => write!(out, "\x1b[{back}D")?,
        }
        out.flush()
    }
}

/// The next byte; `None` at the end of input.
fn read_byte(input: &mut dyn BufRead) -> io::Result<Option<u8>> {
    loop {
        match input.fill_buf() {
            Ok(bytes) => {
                let byte = bytes.first().copied();
                input.consume(byte.is_some().into());
                return Ok(byte);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The next key; `None` at the end of input.
fn read_key(input: &mut dyn BufRead) -> io::Result<Option<Key>> {
    let Some(byte) = read_byte(input)? else { return Ok(None) };
    let key = match byte {
        b'\n' | b'\r' => Key::Char('\n'),
        0x1b => return read_escape(input),
        0x7f => Key::Control('?'),
        0..0x20 => Key::Control(char::from(byte + 0x40).to_ascii_lowercase()),
        0x20..0x80 => Key::Char(char::from(byte)),
        _ => {
            let mut bytes = vec![byte];
            let length = Some(byte.leading_ones()).filter(|length| (2..=4).contains(length));
            for _ in 1..length.unwrap_or(1) {
                bytes.extend(read_byte(input)?);
            }
            let char = std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next());
            char.map_or(Key::Other, Key::Char)
        }
    };
    Ok(Some(key))
}

/// The key of an escape sequence, such as `ESC [ A` or `ESC [ 3 ~`.
fn read_escape(input: &mut dyn BufRead) -> io::Result<Option<Key>> {
    let Some(b'[' | b'O') = read_byte(input)? else { return Ok(Some(Key::Other)) };
    let mut number = 0;
    loop {
        let Some(byte) = read_byte(input)? else { return Ok(None) };
        let key = match byte {
            b'0'..=b'9' => {
                number = byte;
                continue;
            }
            b';' => continue,
            b'A' => Key::Up,
            b'B' => Key::Down,
            b'C' => Key::Right,
            b'D' => Key::Left,
            b'H' => Key::Home,
            b'F' => Key::End,
            b'~' => match number {
                b'1' | b'7' => Key::Home,
                b'4' | b'8' => Key::End,
                b'3' => Key::Delete,
                _ => Key::Other,
            },
            _ => Key::Other,
        };
        return Ok(Some(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line after these bytes, with earlier lines; the cursor is `|`.
    fn typed(bytes: &[u8], earlier: &[&str]) -> String {
        let earlier: Vec<String> = earlier.iter().map(|line| (*line).to_owned()).collect();
        let mut input = io::Cursor::new(bytes);
        let mut line = Line::default();
        while let Some(key) = read_key(&mut input).expect("keys") {
            assert_eq!(line.press(key, &earlier), Step::Edit);
        }
        let mut text = line.text.clone();
        text.insert(line.cursor, '|');
        text.into_iter().collect()
    }

    #[test]
    fn keys_edit_the_line() {
        for (bytes, line) in [
            (&b"e2e4"[..], "e2e4|"),
            (b"e2e4\x1b[D\x1b[D\x7f3", "e3|e4"),
            (b"ab\x1b[Hx\x1b[Fy\x1bOHz", "z|xaby"),
            (b"ab\x01\x1b[3~", "|b"),
            (b"abc\x02\x0b", "ab|"),
            (b"one two \x17", "one |"),
            (b"one two\x02\x15", "|o"),
            ("aé\u{d1ed}\x08".as_bytes(), "aé|"),
            (b"a\xff\x1b[1;5Cb\x1b[Z", "ab|"),
            (b"\x7f\x1b[D\x1b[C\x1b[3~\x17", "|"),
        ] {
            assert_eq!(typed(bytes, &[]), line, "{bytes:?}");
        }
    }

    #[test]
    fn earlier_lines_come_back() {
        let earlier = ["e2e4", "hint", "g1f3"];
        for (bytes, line) in [
            (&b"\x1b[A"[..], "g1f3|"),
            (b"\x1b[A\x1b[A\x1b[A\x1b[A", "e2e4|"),
            (b"x\x1b[A\x1b[A\x1b[B\x1b[B\x1b[B", "x|"),
            (b"e\x12", "e2e4|"),
            (b"zz\x12", "zz|"),
            (b"\x1b[B", "|"),
        ] {
            assert_eq!(typed(bytes, &earlier), line, "{bytes:?}");
        }
    }

    #[test]
    fn a_long_line_shows_the_part_at_the_cursor() {
        let mut line = Line::default();
        line.show(vec!['x'; 500]);
        let mut out = Vec::new();
        line.print("first> ", &mut out).expect("printed");
        let shown = String::from_utf8(out).expect("text");
        assert!(shown.matches('x').count() < 500 && shown.starts_with("\rfirst> x"), "{shown}");
    }

    #[test]
    fn the_end_and_signals_are_steps() {
        let mut line = Line::default();
        assert_eq!(line.press(Key::Control('d'), &[]), Step::EndOfInput);
        assert_eq!(line.press(Key::Control('c'), &[]), Step::Pause(Pause::Interrupt));
        assert_eq!(line.press(Key::Char('\n'), &[]), Step::Enter);
    }
}
