//! Tests of invalid `games.csv` files: torn, with duplicate, missing or swapped rows, and garbage.

use std::fs;

use crate::endure::{Dice, FORMATS, content, experiment, same};
use crate::support::{agon, stderr, write};

/// Damages the lines of a file once, except the header.
fn damage(lines: &mut Vec<Vec<u8>>, dice: &mut Dice) -> &'static str {
    let most = lines.len() as u64 - 1;
    let at = 1 + dice.below(most) as usize;
    let kinds = ["garbage", "twice", "missing", "exchanged", "half a line", "quote", "long"];
    let kind = kinds[dice.below(kinds.len() as u64) as usize];
    match kind {
        "garbage" => {
            let bytes = (0..dice.below(200)).map(|_| dice_byte(dice)).collect();
            lines.insert(at, bytes);
        }
        "twice" => {
            let other = lines[1 + dice.below(most) as usize].clone();
            lines.insert(at, other);
        }
        "missing" => {
            lines.remove(at);
        }
        "exchanged" => {
            let other = 1 + dice.below(most) as usize;
            lines.swap(at, other);
        }
        "half a line" => {
            let half = lines[at].len() / 2;
            lines[at].truncate(half);
        }
        "quote" => lines.insert(at, b"1,1,\"never closed".to_vec()),
        _ => lines.insert(at, vec![b'x'; 300_000]),
    }
    kind
}

/// Any byte except a newline.
fn dice_byte(dice: &mut Dice) -> u8 {
    match dice.below(255) as u8 {
        b'\n' => 255,
        byte => byte,
    }
}

/// Damages complete runs `rounds` times. The command that played the run repairs each one.
fn tortured(rounds: u64) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut dice = Dice::new();
    let (mut count, mut bytes) = (0, 0);
    for format in FORMATS {
        let config = write(dir.path(), &format!("{format}.toml"), &experiment(format, 40));
        let out = dir.path().join(format);
        let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
        agon(&arguments);
        let whole = content(&out);
        for _ in 0..rounds {
            let file = fs::read(out.join("games.csv")).expect("games.csv");
            let mut lines: Vec<Vec<u8>> = file.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            lines.pop();
            let kinds: Vec<&str> =
                (0..1 + dice.below(3)).map(|_| damage(&mut lines, &mut dice)).collect();
            count += kinds.len();
            let mut text = lines.join(&b'\n');
            if dice.below(2) == 0 {
                text.push(b'\n');
            }
            let manifest = fs::read_to_string(out.join("manifest.json")).expect("manifest.json");
            // As after a power failure: less of moves.csv reached the disk.
            let short = dice.below(3) == 0;
            if short {
                // Then no other damage, because it may leave few games in order.
                text = file;
                text.truncate(text.len() - dice.below(100) as usize);
                let file = fs::OpenOptions::new().write(true).open(out.join("moves.csv"));
                let length = fs::metadata(out.join("moves.csv")).expect("moves.csv").len();
                let file = file.expect("moves.csv");
                file.set_len(length - dice.below(length / 40)).expect("writable");
            }
            fs::write(out.join("games.csv"), text).expect("writable");
            if short || dice.below(2) == 0 {
                let stale = manifest.replace("\"complete\"", "\"running\"");
                fs::write(out.join("manifest.json"), stale).expect("writable");
            }
            let output = agon(&arguments);
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 3 | 4)), "{kinds:?}: {}", stderr(&output));
            bytes += same(&out, &whole);
        }
    }
    println!("{count} damages repaired, {bytes} bytes compared");
}

#[test]
fn damaged_journals_are_repaired_with_a_message() {
    tortured(2);
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", &experiment("match", 20));
    let out = dir.path().join("out");
    let arguments = ["--config", &config, "--out", out.to_str().expect("text")];
    agon(&arguments);
    let text = fs::read_to_string(out.join("games.csv")).expect("games.csv");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(5, "what is this?");
    lines.remove(8);
    let damaged = lines.join("\n") + "\n";
    fs::write(out.join("games.csv"), &damaged).expect("writable");
    let output = agon(&arguments);
    let said = stderr(&output);
    let expected =
        "removed: 1 damaged line; kept after the damage: 13 games; to play again: 1 game;";
    assert!(said.contains(expected), "{said}");
    assert!(said.contains("19 of 20 games are complete already"), "{said}");
    // Users can still find the removed lines.
    assert_eq!(fs::read_to_string(out.join("games.csv.damaged")).expect("kept"), damaged);
}

#[test]
#[ignore = "the long form of the test above"]
fn many_damaged_journals_are_repaired() {
    tortured(100);
}
