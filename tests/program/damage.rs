//! All kinds of damage to `games.csv` and `moves.csv`: each one is reported, and the same command
//! replays the damaged games. Also folders of another version, and lost manifests.

use std::fs;
use std::path::PathBuf;

use crate::endure::{content, experiment, same};
use crate::support::{agon, ok, stderr, stdout, write};

/// The lines of a file, including newlines.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Damages a CSV file at these eighths of its length. Returns each kind of damage with the content.
fn damages(bytes: &[u8], parts: &[usize]) -> Vec<(String, Vec<u8>)> {
    let rows = lines(bytes);
    let mut all = Vec::new();
    for &part in parts {
        let at = bytes.len() * part / 8;
        all.push((format!("cut at byte {at}"), bytes[..at].to_vec()));
        let line = rows.len() * part / 8;
        all.push((format!("cut at line {line}"), rows[..line].concat()));
        let mut damaged = rows.clone();
        damaged.remove(line);
        all.push((format!("without line {line}"), damaged.concat()));
        let mut damaged = rows.clone();
        damaged.insert(line, rows[line].clone());
        all.push((format!("line {line} twice"), damaged.concat()));
        let mut damaged = rows.clone();
        damaged.swap(line, (line + 7) % rows.len());
        all.push((format!("line {line} swapped"), damaged.concat()));
        let mut damaged = rows.clone();
        damaged.swap(line, line + 1);
        all.push((format!("line {line} and the next one swapped"), damaged.concat()));
        for hole in [1, 16, 300] {
            let mut damaged = bytes.to_vec();
            damaged[at..(at + hole).min(bytes.len())].fill(0);
            all.push((format!("{hole} NULs at {at}"), damaged));
        }
        let mut damaged = bytes.to_vec();
        for (i, byte) in damaged[at..].iter_mut().take(20).enumerate() {
            *byte = byte.wrapping_add(1 + (i * 37 + part) as u8 % 255);
        }
        all.push((format!("other bytes at {at}"), damaged));
    }
    let mut damaged = bytes.to_vec();
    damaged[3] ^= 1;
    all.push(("a bit of the header".to_owned(), damaged));
    let mut damaged = bytes.to_vec();
    damaged[..40].fill(0);
    all.push(("no header".to_owned(), damaged));
    all.push(("lines behind the end".to_owned(), [bytes, b"1,2,3\n"].concat()));
    all.push(("bytes behind the end".to_owned(), [bytes, b"\0\0\0"].concat()));
    if bytes.starts_with(b"game,pairing") {
        all.push(("cut in the header".to_owned(), bytes[..40].to_vec()));
    }
    all
}

/// Bit flips in every column of the last row.
fn flips(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let rows = lines(bytes);
    let mut all = Vec::new();
    let line = rows.len() - 1;
    let begin = rows[..line].concat().len();
    for (field, at) in (0..rows[line].len()).filter(|&i| rows[line][i] == b',').enumerate() {
        let mut damaged = bytes.to_vec();
        damaged[begin + at + 1] ^= 1;
        all.push((format!("a bit after comma {field} of line {line}"), damaged));
    }
    all
}

struct Run {
    dir: tempfile::TempDir,
    config: String,
    out: PathBuf,
}

impl Run {
    fn new(text: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let config = write(dir.path(), "c.toml", text);
        let out = dir.path().join("out");
        let run = Run { dir, config, out };
        assert_eq!(run.again().0, Some(0));
        run
    }

    fn again(&self) -> (Option<i32>, String) {
        let output =
            agon(&["--config", &self.config, "--out", self.out.to_str().expect("text"), "-q"]);
        (output.status.code(), stderr(&output))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.out.join(name)
    }

    fn verify(&self) -> (Option<i32>, String) {
        let out = self.out.to_str().expect("text");
        let output = agon(&["report", "--verify", "-q", out]);
        (output.status.code(), stderr(&output))
    }
}

/// Damages both files in every way; returns the number of damages.
fn damaged(parts: &[usize]) -> usize {
    let run = Run::new(&experiment("match", 14));
    let whole = content(&run.out);
    let mut count = 0;
    for name in ["moves.csv", "games.csv"] {
        let sound = ["games.csv", "moves.csv"].map(|name| fs::read(run.file(name)).expect(name));
        let bytes = &sound[usize::from(name == "moves.csv")];
        for (what, damaged) in damages(bytes, parts).into_iter().chain(flips(bytes)) {
            if damaged == *bytes {
                continue;
            }
            fs::write(run.file(name), &damaged).expect("writable");
            let (code, said) = run.verify();
            assert_eq!(code, Some(9), "{name}: {what}: {said}");
            assert!(said.contains(name), "{name}: {what}: {said}");
            let (code, said) = run.again();
            assert_eq!(code, Some(0), "{name}: {what}: {said}");
            assert!(said.contains("warning: ") && said.contains(name), "{name}: {what}: {said}");
            same(&run.out, &whole);
            for (name, sound) in ["games.csv", "moves.csv"].iter().zip(&sound) {
                fs::write(run.file(name), sound).expect("writable");
            }
            count += 1;
        }
    }
    println!("{count} damages, all named and repaired");
    count
}

#[test]
fn every_damage_is_named_and_played_again() {
    assert!(damaged(&[3, 6]) > 60);
}

#[test]
#[ignore = "the long form of the test above"]
fn many_damages_are_named_and_played_again() {
    assert!(damaged(&[1, 2, 3, 4, 5, 6, 7]) > 150);
}

#[test]
fn damage_in_a_file_of_an_older_format_is_named() {
    let run = Run::new(&experiment("match", 14));
    let whole = content(&run.out);
    let path = run.file("games.csv");
    let text = fs::read_to_string(&path).expect("games.csv");
    let fields = |line: &str| line.rsplit_once(',').expect("a checksum").0.to_owned() + "\n";
    let rows: Vec<String> = text.lines().map(fields).collect();
    let mut damaged = rows.clone();
    damaged[5] = "no row\n".to_owned();
    let mut twice = rows.clone();
    twice.insert(5, rows[5].clone());
    for (damaged, what) in
        [(damaged, "games.csv: line 6 is damaged"), (twice, "games.csv: row 6 is game 5 and not 6")]
    {
        fs::write(&path, damaged.concat()).expect("writable");
        let (code, said) = run.again();
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains(what), "{said}");
        let kept = fs::read(run.file("games.csv.damaged")).expect("a copy");
        assert_eq!(String::from_utf8(kept).expect("text"), damaged.concat());
        fs::remove_file(run.file("games.csv.damaged")).expect("removed");
        fs::remove_file(run.file("moves.csv.damaged")).expect("removed");
        same(&run.out, &whole);
    }
    // Rows after the last game are left out, as in files of this format.
    let more = [rows.concat(), rows[rows.len() - 1].clone(), "no row\n".to_owned()].concat();
    fs::write(&path, more).expect("writable");
    let (code, said) = run.again();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("damaged") && !run.file("games.csv.damaged").exists(), "{said}");
    same(&run.out, &whole);
    // So are blank lines between moves.
    let path = run.file("moves.csv");
    let text = fs::read_to_string(&path).expect("moves.csv");
    let rows: Vec<String> = text.lines().map(|line| fields(line) + "\n").collect();
    fs::write(&path, rows.concat()).expect("writable");
    fs::remove_file(run.file("manifest.json")).expect("removed");
    let (code, said) = run.again();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("again") && !run.file("moves.csv.damaged").exists(), "{said}");
    same(&run.out, &whole);
}

#[test]
fn a_result_that_does_not_follow_from_its_moves_is_found() {
    let run = Run::new(&experiment("match", 4));
    assert_eq!(run.verify(), (Some(0), String::new()));
    let text = fs::read_to_string(run.file("games.csv")).expect("games.csv");
    let (header, rows) = text.split_once('\n').expect("a header");
    let row = rows.lines().next().expect("a row");
    let (begin, _) = row.rsplit_once(',').expect("a checksum");
    let other = if begin.contains(",first,line,") { ",second,line," } else { ",first,line," };
    let wrong = begin.replace(",first,line,", other).replace(",second,line,", other);
    assert_ne!(wrong, begin);
    // A row that a program with a bug would write: its checksum is correct.
    let sum = crc32fast::hash(format!("{header}\n{wrong},").as_bytes());
    fs::write(run.file("games.csv"), text.replace(row, &format!("{wrong},{sum:08x}")))
        .expect("writable");
    let (code, said) = run.verify();
    assert_eq!(code, Some(9), "{said}");
    assert!(said.contains("games.csv: game 1: result "), "{said}");
}

#[test]
fn a_folder_of_another_version_is_refused() {
    let run = Run::new(&experiment("match", 4));
    let path = run.file("manifest.json");
    let text = fs::read_to_string(&path).expect("a manifest");
    let out = run.out.to_str().expect("text");
    let run_again = ["--config", &run.config, "--out", out];
    for version in ["1", "3"] {
        let other = format!("\"format_version\": {version}");
        let other = text.replace("\"format_version\": 2", &other);
        assert_ne!(other, text);
        fs::write(&path, &other).expect("writable");
        for command in [&run_again[..], &["report", out], &["grade", out], &["replay", out, "1"]] {
            let output = agon(command);
            assert_eq!(output.status.code(), Some(2), "{command:?}");
            let said = stderr(&output);
            let wanted = format!("this version of agon reads format_version 2, and not {version}");
            assert!(said.contains(&wanted) && said.contains("help: "), "{said}");
        }
        assert_eq!(fs::read_to_string(&path).expect("a manifest"), other);
    }
}

#[test]
fn a_lost_manifest_is_made_again() {
    let run = Run::new(&experiment("match", 4));
    let whole = content(&run.out);
    let path = run.file("manifest.json");
    let before = fs::read_to_string(&path).expect("a manifest");
    let kept = ["\"status\"", "\"config_hash\"", "\"games\"", "\"node_signature\"", "\"seed\""];
    for command in ["run", "report", "compare"] {
        for lost in [None, Some(""), Some("{\"format_ver"), Some("\0\0\0")] {
            match lost {
                None => fs::remove_file(&path).expect("a manifest"),
                Some(text) => fs::write(&path, text).expect("writable"),
            }
            let out = run.out.to_str().expect("text");
            let output = match command {
                "run" => agon(&["--config", &run.config, "--out", out, "-q"]),
                "report" => agon(&["report", out]),
                _ => agon(&["compare", out, out]),
            };
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 4)), "{command}: {code:?} {}", stderr(&output));
            assert!(stderr(&output).contains("manifest.json"), "{}", stderr(&output));
            let now = fs::read_to_string(&path).expect("a manifest");
            for key in kept {
                let line = |text: &str| text.lines().find(|l| l.contains(key)).map(str::to_owned);
                assert_eq!(line(&now), line(&before), "{command}");
            }
        }
    }
    same(&run.out, &whole);
    // Verdicts without the config may be others.
    let resolved = fs::read_to_string(run.file("resolved.toml")).expect("a config");
    fs::write(run.file("resolved.toml"), "= 1\n").expect("a file");
    let output = agon(&["report", run.out.to_str().expect("text")]);
    let said = stderr(&output);
    assert!(said.contains("the config cannot be used, so only the games are counted"), "{said}");
    fs::write(run.file("resolved.toml"), resolved).expect("a file");
    // Without a config, the experiment is unknown.
    for name in ["config.toml", "resolved.toml", "manifest.json"] {
        fs::remove_file(run.file(name)).expect(name);
    }
    let (code, said) = run.again();
    assert_eq!(code, Some(2), "{said}");
    drop(run.dir);
}

#[test]
fn cells_that_look_like_formulas_are_safe_in_spreadsheets() {
    let text = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"=1+1\"\nkind = \"random\"\n\
                [[agents]]\nname = \"@b\"\nkind = \"random\"\n[[agents]]\nname = \"'-c\"\n\
                kind = \"random\"\n[[agents]]\nname = \"+d, e\"\nkind = \"random\"\n\
                [schedule]\ngames = 4\n[output]\nmoves = true\n";
    let run = Run::new(text);
    for name in ["games.csv", "moves.csv", "agents.csv", "pairings.csv", "seats.csv"] {
        let mut reader = csv::Reader::from_path(run.file(name)).expect(name);
        for record in reader.records() {
            for cell in &record.expect("a row") {
                let formula = cell.starts_with(['=', '+', '-', '@']);
                assert!(!formula || cell.parse::<f64>().is_ok(), "{name}: {cell}");
            }
        }
    }
    let output = ok(agon(&["report", "--verify", run.out.to_str().expect("text")]));
    for name in ["=1+1", "@b", "'-c", "+d, e"] {
        assert!(stdout(&output).contains(name), "{name}");
    }
    let agents = fs::read_to_string(run.file("agents.csv")).expect("agents.csv");
    assert!(agents.contains("\n'=1+1,") && agents.contains("\n''-c,"), "{agents}");
}

#[test]
fn characters_that_turn_the_order_of_a_text_are_written_out() {
    let turn = ["\u{202e}", "\u{2066}", "\u{200f}", "\u{61c}"];
    let text = format!(
        "question = \"who{}?\"\n[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"a{}b\"\n\
         kind = \"random\"\n[[agents]]\nname = \"c{}{}\"\nkind = \"random\"\n\
         [schedule]\ngames = 2\n",
        turn[0], turn[0], turn[1], turn[3]
    );
    let run = Run::new(&text);
    let output = agon(&["report", run.out.to_str().expect("text")]);
    let mut all = stdout(&output) + &stderr(&output);
    for name in ["games.csv", "agents.csv", "summary.txt", "report.html", "resolved.toml"] {
        all += &fs::read_to_string(run.file(name)).expect(name);
    }
    assert!(all.contains("a<U+202E>b") && all.contains("c<U+2066><U+061C>"));
    assert!(!turn.iter().any(|c| all.contains(c)));
    // The escaped name is the name of the same agent.
    assert_eq!(run.again(), (Some(0), String::new()));
    // An error quotes the invalid text.
    let config = write(run.dir.path(), "wrong.toml", "[game]\nkind = \"tic\u{202e}tac\"\n");
    let output = agon(&["--config", &config]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!stderr(&output).contains('\u{202e}'), "{}", stderr(&output));
}
