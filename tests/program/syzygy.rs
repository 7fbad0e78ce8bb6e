//! Tests of games that Syzygy tables decide.

use std::fs;
use std::path::Path;

use crate::support::{agon, games_without_times, ok, play, rows, stderr, stdout, write};

/// Pawns and rooks that random moves soon capture; all tables of three pieces are there.
fn config(tables: &str) -> String {
    format!(
        "name = \"c\"\nseed = 3\n[game]\nkind = \"chess\"\n\
         [[agents]]\nname = \"a\"\nkind = \"random\"\n\
         [[agents]]\nname = \"b\"\nkind = \"alphabeta\"\ndepth = 1\nties = \"random\"\n\
         [schedule]\ngames = 40\nallow_duplicates = true\n[limits]\nmax_plies = 120\n\
         [openings]\nkind = \"list\"\nlist = [\n\
         \"position 8/8/3k4/3p4/8/3KP3/8/8 w - - 0 1\",\n\
         \"position 8/8/3k4/3r4/8/3KR3/8/8 w - - 0 1\",\n\
         \"position 8/1k6/8/8/8/8/6PK/8 w - - 0 1\",\n]\n\
         [adjudication]\nsyzygy = {tables:?}\n"
    )
}

/// The tables of three pieces.
fn tables() -> String {
    format!("{}/tests/data/syzygy", env!("CARGO_MANIFEST_DIR"))
}

/// Copies the tables into a folder.
fn copy_tables(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    for file in fs::read_dir(tables()).expect("the tables") {
        let path = file.expect("a file").path();
        fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
}

#[test]
fn tables_decide_games_for_all_threads_and_after_a_kill() {
    let dir = tempfile::tempdir().expect("a folder");
    let one = stdout(&ok(play(dir.path(), &config(&tables()), &["-j", "1", "-v"])));
    let out = dir.path().join("out");
    let games = games_without_times(&out);
    let found = rows(&out.join("games.csv"));
    for (reason, results) in
        [("adjudicated draw", &["draw"][..]), ("adjudicated win", &["first", "second"])]
    {
        let with: Vec<_> = found.iter().filter(|row| row["reason"] == reason).collect();
        assert!(with.len() > 5, "{reason}: {}", with.len());
        assert!(with.iter().all(|row| results.contains(&&*row["result"])), "{reason}");
    }
    // A pawn moves up before anything is captured: the tables have its position.
    let pawn = found.iter().filter(|row| row["opening_moves"].contains("6PK"));
    let by_pawn = |row: &std::collections::BTreeMap<String, String>| {
        row["moves"].split(' ').next_back().is_some_and(|mv| mv.starts_with("g2g"))
    };
    assert!(pawn.clone().any(by_pawn), "{games}");
    assert!(one.contains("games adjudicated drawn"), "{one}");
    assert!(one.contains("adjudicated won"), "{one}");

    let two = tempfile::tempdir().expect("a folder");
    ok(play(two.path(), &config(&tables()), &["-j", "2"]));
    assert_eq!(games_without_times(&two.path().join("out")), games);

    // The rest of the games after half of them; the tables are elsewhere now.
    let path = out.join("games.csv");
    let text = fs::read_to_string(&path).expect("games.csv");
    fs::write(&path, &text[..text.len() / 2]).expect("half of it");
    copy_tables(&dir.path().join("elsewhere"));
    let moved = write(dir.path(), "c.toml", &config("elsewhere"));
    let folder = out.to_str().expect("text");
    ok(agon(&["run", &moved, "--out", folder]));
    assert_eq!(games_without_times(&out), games);

    // Reports need no tables.
    fs::remove_dir_all(dir.path().join("elsewhere")).expect("the tables");
    ok(agon(&["report", folder, "--verify"]));
}

#[test]
fn missing_and_cut_tables_are_one_error() {
    let dir = tempfile::tempdir().expect("a folder");
    let error = |config: &str| {
        let output = play(dir.path(), config, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(!dir.path().join("out/games.csv").exists());
        let text = stderr(&output);
        assert_eq!(text.matches("error:").count(), 1, "{text}");
        text
    };
    let text = error(&config("none"));
    assert!(text.contains("cannot read the folder") && text.contains("c.toml:2"), "{text}");
    let text = error(&format!("{}syzygy_pieces = 4\n", config(&tables())));
    assert!(text.contains("the table `KQvKQ.rtbw` of 4 pieces is not in"), "{text}");
    assert!(text.contains("set `syzygy_pieces = 3`"), "{text}");
    copy_tables(&dir.path().join("cut"));
    let file = dir.path().join("cut/KRvK.rtbw");
    let table = fs::read(&file).expect("a table");
    fs::write(&file, &table[..table.len() - 1]).expect("a cut table");
    let text = error(&config("cut"));
    assert!(text.contains("KRvK.rtbw is cut or damaged"), "{text}");
    fs::write(&file, "").expect("an empty table");
    assert!(error(&config("cut")).contains("KRvK.rtbw is cut or damaged"));

    let text = error(&config("cut").replace("syzygy = \"cut\"", "syzygy_pieces = 3"));
    assert!(text.contains("`syzygy_pieces` has no effect without `syzygy`"), "{text}");
    let other = "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n\
        [[agents]]\nname = \"b\"\nkind = \"random\"\n[adjudication]\nsyzygy = \"cut\"\n";
    let text = error(other);
    assert!(text.contains("there are no Syzygy tables of `connect4`"), "{text}");
    assert!(text.contains("it is for `chess`"), "{text}");
}

/// A table that is damaged in its values has the right length, so only a game finds the damage.
#[test]
fn a_table_that_is_damaged_inside_stops_the_run_and_costs_no_game() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("tables");
    copy_tables(&folder);
    let file = folder.join("KPvK.rtbw");
    let sound = fs::read(&file).expect("a table");
    let mut damaged = sound.clone();
    // The first part stays: the file opens, and positions of other parts have no value.
    let end = damaged.len();
    damaged[1500..end].fill(0xff);
    fs::write(&file, &damaged).expect("a damaged table");
    let output = play(dir.path(), &config("tables"), &["-j", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("KPvK.rtbw is damaged or gone"), "{text}");
    assert!(text.contains("the same command plays the missing games"), "{text}");
    let games = rows(&dir.path().join("out/games.csv"));
    assert!(games.iter().all(|row| row["result"] != "void"), "{games:?}");

    fs::write(&file, &sound).expect("a table");
    ok(play(dir.path(), &config("tables"), &["-j", "1"]));
    let whole = tempfile::tempdir().expect("a folder");
    ok(play(whole.path(), &config(&tables()), &["-j", "1"]));
    let games = |dir: &Path| games_without_times(&dir.join("out"));
    assert_eq!(games(dir.path()), games(whole.path()));
}

#[test]
fn openings_are_played_and_later_moves_decide() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = config(&tables()).replace(
        "list = [\n",
        "list = [\n\"position 8/8/8/3k4/8/8/8/3KQ3 w - - 0 1\",\n\"position 4k3/8/8/8/8/8/8/4K2R w K - 0 1\",\n",
    );
    ok(play(dir.path(), &config.replace("games = 40", "games = 4"), &[]));
    let found = rows(&dir.path().join("out/games.csv"));
    assert!(found.iter().all(|row| row["plies"] != "0"), "{found:?}");
}
