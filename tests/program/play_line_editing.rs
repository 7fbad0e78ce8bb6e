//! Tests of `agon play` at a terminal: the program runs at a pseudo-terminal, and keys are sent to it.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The program answers at once: who waits longer waits for ever.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The program at a pseudo-terminal.
struct AtTerminal {
    child: Child,
    keys: File,
    screen: std::sync::mpsc::Receiver<u8>,
    shown: String,
}

impl AtTerminal {
    fn play(arguments: &[&str], term: &str) -> Self {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
        grantpt(&main).and_then(|()| unlockpt(&main)).expect("an open pseudo-terminal");
        let name = ptsname(&main, Vec::new()).expect("a name").into_string().expect("text");
        let side = || {
            let options = OpenOptions::new().read(true).write(true).open(&name);
            Stdio::from(options.expect("the other side"))
        };
        let child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["play", "tictactoe", "--agent", "perfect", "--side", "first", "--seed", "1"])
            .args(arguments)
            .env("TERM", term)
            .stdin(side())
            .stdout(side())
            .stderr(side())
            // Signals go to the group of the program, not to the tests.
            .process_group(0)
            .spawn()
            .expect("the program runs");
        let keys = File::from(main);
        let mut reader = keys.try_clone().expect("a second handle");
        let (send, screen) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 256];
            // The end is an error here.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                for &byte in &bytes[..count] {
                    let _ = send.send(byte);
                }
            }
        });
        AtTerminal { child, keys, screen, shown: String::new() }
    }

    /// Waits until the screen shows a text after all that was waited for before.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + LONGEST_WAIT;
        let mut bytes = Vec::new();
        while !String::from_utf8_lossy(&bytes).contains(text) {
            let rest = end.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(rest) {
                Ok(byte) => bytes.push(byte),
                Err(_) => panic!("no {text:?} in {:?}", String::from_utf8_lossy(&bytes)),
            }
        }
        self.shown += &String::from_utf8_lossy(&bytes);
    }

    fn send(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys");
    }

    /// Sends a line, and waits until the next may be typed. The prompt is also printed for each key
    /// of the line, and between lines the terminal itself edits: a key would not reach the program.
    fn enter(&mut self, line: &str) {
        self.send(&format!("{line}\r"));
        self.wait_for("\r\n");
        self.wait_for("first> ");
    }

    fn end(mut self) -> (ExitStatus, String) {
        let end = Instant::now() + LONGEST_WAIT;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return (status, std::mem::take(&mut self.shown));
            }
            assert!(Instant::now() < end, "no end after {:?}", self.shown);
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for AtTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_line_is_edited_and_comes_back() {
    let mut play = AtTerminal::play(&[], "xterm");
    play.wait_for("first> ");
    // `4` with a wrong key before it, which is removed.
    play.enter("x4\x1b[D\x7f");
    play.enter("undo");
    // The last line but one is the move.
    play.enter("\x1b[A\x1b[A");
    play.enter("un\x12");
    play.send("\x04");
    let (status, shown) = play.end();
    assert_eq!(status.code(), Some(0), "{shown}");
    assert!(!shown.contains("is not"), "{shown}");
    assert_eq!(shown.matches("second plays").count(), 2, "{shown}");
}

#[test]
fn ctrl_c_ends_the_game_as_elsewhere() {
    for term in ["xterm", "dumb"] {
        let mut play = AtTerminal::play(&[], term);
        play.wait_for("first> ");
        if term == "dumb" {
            play.send("4\n");
            play.wait_for("second plays");
            play.wait_for("first> ");
            play.send("quit\n");
            assert_eq!(play.end().0.code(), Some(0));
            continue;
        }
        play.send("some text\x03");
        let (status, shown) = play.end();
        assert_eq!(status.code(), Some(130), "{shown}");
    }
}

#[test]
fn moves_are_edited_without_colours() {
    let mut play = AtTerminal::play(&["--color", "never"], "xterm");
    play.wait_for("first> ");
    play.enter("9\x7f4");
    play.send("quit\r");
    let (status, shown) = play.end();
    assert_eq!(status.code(), Some(0), "{shown}");
}
