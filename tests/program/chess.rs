//! Tests of chess from the config to games.pgn: opening files, adjudication and PGN.

use std::fs;
use std::process::Output;

use crate::engines::ROGUE;
use crate::support::{agon, ok, play, play_with_page, rows, stderr, stdout, write};

const CONFIG: &str = "name = \"c\"\nseed = 3\n[game]\nkind = \"chess\"\n\
    [[agents]]\nname = \"a\"\nkind = \"alphabeta\"\ndepth = 1\nties = \"random\"\n\
    [[agents]]\nname = \"b\"\nkind = \"alphabeta\"\ndepth = 1\nevaluator = \"material\"\n\
    ties = \"random\"\n[schedule]\ngames = 4\n";

const BOOK: &str = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 {good} Nc6 3. Bb5 a6 1-0\n\n\
    [Event \"y\"]\n\n1. d4 d5 2. c4 (2. Nf3) 2... e6 3. Nc3 Nf6 *\n\n\
    [Event \"short\"]\n\n1. e4 *\n\n\
    [Event \"z\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1. O-O Kd7 2. e4 Ke6 *\n";

#[test]
fn games_are_written_down() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "book.pgn", BOOK);
    let config = format!(
        "{CONFIG}[openings]\nkind = \"file\"\nfile = \"book.pgn\"\nplies = 4\n\
         [limits]\nmax_plies = 30\n[output]\nmoves = true\npgn = \"comments\"\n"
    );
    ok(play(dir.path(), &config, &["-v"]));
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("it");
    assert!(
        resolved.contains("\"e2e4 e7e5 g1f3 b8c6\",\n    \"d2d4 d7d5 c2c4 e7e6\",\n"),
        "{resolved}"
    );
    assert!(resolved.contains("\"8/8/4k3/8/4P3/8/8/5RK1 w - - 1 3\""), "{resolved}");
    let path = dir.path().join("out/games.pgn");
    let pgn = fs::read_to_string(&path).expect("games.pgn");
    assert_eq!(pgn.matches("[Event \"c\"]").count(), 4);
    for tag in ["[White \"a\"]", "[Black \"a\"]", "[Round \"4\"]", "[PlyCount \"30\"]"] {
        assert!(pgn.contains(tag), "{tag}: {pgn}");
    }
    assert!(pgn.contains("\n1. e4 e5 2. Nf3 Nc6 3. "), "{pgn}");
    assert!(pgn.contains(", n=") && pgn.contains("/1 0."), "{pgn}");
    assert!(pgn.contains("[TimeControl \"-\"]"), "{pgn}");
    let engine = concat!("[WhiteEngine \"agon ", env!("CARGO_PKG_VERSION"), "\"]");
    assert!(pgn.contains(engine), "{pgn}");
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");
    assert!(pgn.lines().all(|line| line.len() < 80), "{pgn}");

    // Written again from the rows, the file is the same.
    let folder = dir.path().join("out");
    let folder_name = folder.to_str().expect("text");
    let report = || agon(&["report", folder_name, "-q"]);
    // Without `--fresh`: the times of a game that is played again differ.
    let file = write(dir.path(), "c.toml", &config);
    let run = || agon(&["run", &file, "--out", folder_name, "--set", "output.report=false", "-q"]);
    for again in [&report as &dyn Fn() -> Output, &run] {
        fs::remove_file(&path).expect("it was there");
        ok(again());
        assert_eq!(fs::read_to_string(&path).expect("games.pgn"), pgn);
    }

    // The written file works as an opening file.
    fs::copy(&path, dir.path().join("book.pgn")).expect("a copy");
    let again = config.replace("plies = 4", "plies = 6\norder = \"random\"");
    ok(play(dir.path(), &again, &["--set", "output.pgn=none"]));
    assert!(!path.exists());
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("it");
    assert!(resolved.contains("\"e2e4 e7e5 g1f3 b8c6 "), "{resolved}");
}

#[test]
fn games_are_shown_on_boards_and_written_down_one_by_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let random = "name = \"c\"\nseed = 7\n[game]\nkind = \"chess\"\n[[agents]]\nname = \"a\"\n\
        kind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n[schedule]\n\
        games = 2\n[limits]\nmax_plies = 20\n[output]\nmoves = true\npgn = \"comments\"\n";
    ok(play_with_page(dir.path(), random, &[]));
    let folder = dir.path().join("out");
    let page = fs::read_to_string(folder.join("report.html")).expect("a page");
    assert_eq!(page.matches("<rect class=\"dark\"").count(), 32, "the dark squares");
    for (side, figure) in [("first", '♟'), ("second", '♟'), ("first", '♚'), ("second", '♛')]
    {
        let symbol =
            format!("<g class=\"{side}\"><text class=\"symbol middle\" x=\"15\" y=\"24\">{figure}");
        assert_eq!(page.matches(&symbol).count(), 1, "{symbol}");
    }
    let out = folder.to_str().expect("text");
    let shown = |game: &str, to: &str| {
        let output = ok(agon(&["replay", out, game, "--to", to]));
        stdout(&output)
    };
    // The PGN of one game is the same as in the file of all games.
    let all = fs::read_to_string(folder.join("games.pgn")).expect("games.pgn");
    assert_eq!(shown("1", "pgn") + &shown("2", "pgn"), all);
    // The text moves and the board diagrams match the moves in the PGN.
    let (sheet, text, svg) = (shown("2", "pgn"), shown("2", "text"), shown("2", "svg"));
    let after = |text: &str, what: &str| {
        let (_, rest) = text.split_once(what).unwrap_or_else(|| panic!("{what} in {text}"));
        rest.split([' ', '\n', '<']).next().unwrap_or_default().to_owned()
    };
    let first = after(&sheet, "\n1. ");
    assert_eq!(after(&text, "\n1. b (first): "), first);
    assert_eq!(after(&svg, ">1. b (first): "), first);
    assert!(text.contains("8  r n b q k b n r\n"), "{text}");
    let boards = text.matches("   a b c d e f g h\n").count();
    assert_eq!(boards, 21, "{text}");
    assert_eq!(svg.matches("<rect class=\"dark\"").count(), 32 * boards);
}

#[test]
fn agreement_ends_games_and_is_counted_apart() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!(
        "{CONFIG}[openings]\nkind = \"list\"\nlist = [\"3qk3/8/8/8/8/8/8/4K3 w - - 0 1\", \
         \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
         [adjudication]\nresign_value = 600\nresign_moves = 2\ndraw_value = 100\n\
         draw_moves = 3\ndraw_after = 3\n"
    );
    let output = ok(play(dir.path(), &config, &["-v"]));
    let text = stdout(&output);
    assert!(text.contains("2 games adjudicated drawn"), "{text}");
    assert!(text.contains("2 games adjudicated won"), "{text}");
    for row in rows(&dir.path().join("out/games.csv")) {
        let won = row["opening"] == "1";
        let expected =
            if won { ("adjudicated win", "second") } else { ("adjudicated draw", "draw") };
        assert_eq!((row["reason"].as_str(), row["result"].as_str()), expected, "{row:?}");
    }
}

/// Two games of this agent from a position: results, reasons and plies, and the printed text.
fn on_the_board(agent: &str, fen: &str, rules: &str) -> (Vec<[String; 3]>, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let config = format!(
        "name = \"c\"\nseed = 3\n[game]\nkind = \"chess\"\n[[agents]]\nname = \"a\"\n{agent}\n\
         [[agents]]\nname = \"b\"\n{agent}\n[schedule]\ngames = 2\n[limits]\nmax_plies = 7\n\
         [openings]\nkind = \"list\"\nlist = [\"{fen}\"]\n{rules}"
    );
    let output = ok(play(dir.path(), &config, &["-v"]));
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).expect("it");
    assert_eq!(resolved.contains("[adjudication]"), !rules.is_empty(), "{resolved}");
    for line in rules.lines() {
        assert!(resolved.contains(line), "{line}: {resolved}");
    }
    let rows = rows(&dir.path().join("out/games.csv"));
    let reported = rows.iter().map(|row| ["result", "reason", "plies"].map(|key| row[key].clone()));
    (reported.collect(), stdout(&output))
}

#[test]
fn what_is_on_the_board_ends_games_and_is_counted_apart() {
    let all = |found: &[[String; 3]], expected: [&str; 3]| {
        assert_eq!(found, [expected.map(str::to_owned), expected.map(str::to_owned)]);
    };
    // The agent plays the first legal move, so its king moves to and fro in the corner.
    let (first, corners) = (
        "kind = \"alphabeta\"\ndepth = 1\nevaluator = \"zero\"",
        "k7/p1p5/P1P5/8/8/8/8/K7 w - - 0 1",
    );
    let (found, text) = on_the_board(first, corners, "[adjudication]\nrepetitions = 2\n");
    all(&found, ["draw", "adjudicated draw", "4"]);
    assert!(text.contains("2 games adjudicated drawn"), "{text}");
    assert!(!text.contains("adjudicated won"), "{text}");
    let (found, _) = on_the_board(first, corners, "");
    all(&found, ["draw", "max plies", "7"]);

    // No pawn can move or be captured soon, and the agents evaluate nothing.
    let (random, pawns) = ("kind = \"random\"", "7k/p7/p7/p7/P7/8/8/7K w - - 0 1");
    let rules = "[adjudication]\nmaterial_lead = 200\nmaterial_moves = 3\n";
    let (found, text) = on_the_board(random, pawns, rules);
    all(&found, ["second", "adjudicated win", "6"]);
    assert!(text.contains("2 games adjudicated won"), "{text}");
    assert!(!text.contains("adjudicated drawn"), "{text}");
    let (found, text) = on_the_board(random, pawns, &rules.replace("200", "201"));
    all(&found, ["draw", "max plies", "7"]);
    assert!(text.contains("2 games drawn at"), "{text}");
    let (found, _) = on_the_board(random, pawns, "");
    all(&found, ["draw", "max plies", "7"]);
}

/// A player with a bare king cannot win by a forfeit of the opponent: FIDE Laws of Chess 6.9.
#[test]
fn a_forfeit_against_a_bare_king_is_a_draw() {
    let dir = tempfile::tempdir().expect("a folder");
    for (fault, reason) in [("illegal", "illegal move"), ("exit", "crash"), ("sleep", "timeout")] {
        let config = format!(
            "[game]\nkind = \"chess\"\nfen = \"8/8/8/4k3/8/8/8/4K2R w - - 0 1\"\n\
             [[agents]]\nname = \"e\"\nkind = \"engine\"\nmovetime = 300\n\
             startup_timeout = 20\ncommand = \"{ROGUE} {fault} --game chess\"\n\
             [[agents]]\nname = \"r\"\nkind = \"random\"\n[openings]\nkind = \"start\"\n\
             [schedule]\ngames = 2\n[limits]\nmax_plies = 9\n"
        );
        play(dir.path(), &config, &[]);
        let out = dir.path().join("out");
        let found: Vec<_> = rows(&out.join("games.csv"))
            .iter()
            .map(|row| ["first", "result", "reason"].map(|key| row[key].clone()))
            .collect();
        let expected = [["e", "draw", reason], ["r", "first", reason]];
        assert_eq!(found, expected.map(|row| row.map(str::to_owned)));
        let pgn = fs::read_to_string(out.join("games.pgn")).expect("games.pgn");
        assert!(pgn.contains("[Result \"1/2-1/2\"]") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
        // The moves and the results are checked.
        let out = out.to_str().expect("text");
        ok(agon(&["report", out, "--verify", "-q"]));
        let shown = stdout(&ok(agon(&["replay", out, "1"])));
        assert!(shown.contains(&format!("drawn: {reason}")), "{shown}");
    }
}

#[test]
fn games_that_the_limit_on_plies_ends_are_named_in_the_first_line() {
    let dir = tempfile::tempdir().expect("a folder");
    let match_of_two = ["match", "random:name=a", "random:name=b", "--game", "chess"];
    let folder = dir.path().join("out");
    let more = ["--openings", "start", "--games", "40", "--out", folder.to_str().expect("text")];
    let text = stdout(&ok(agon(&[&match_of_two[..], &more].concat())));
    let ended = rows(&folder.join("games.csv"));
    let ended = ended.iter().filter(|row| row["reason"] == "max plies").count();
    assert!(ended > 1, "{text}");
    let first: String = text.lines().take(3).collect::<Vec<_>>().join(" ");
    assert!(first.contains(&format!("{ended} games drawn at 400 plies (`max_plies`)")), "{text}");
}

#[test]
fn mistakes_name_the_place() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "bad.pgn", "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 Nc6 *\n");
    write(dir.path(), "bad.epd", "4k3/8/8/8/8/8/8/4K2R w K -\n# no\n4k3/8/8/8/8/8/8/4K2R w Q -\n");
    write(dir.path(), "none.pgn", "\n");
    // Both begin like a game of chess.
    write(dir.path(), "atomic.pgn", "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 *\n");
    write(dir.path(), "960.pgn", "[Event \"x\"]\n[Variant \"Chess 960\"]\n\n1. e4 e5 *\n");
    let cases = [
        (
            "[openings]\nkind = \"file\"\nfile = \"bad.pgn\"\nplies = 4\n",
            "not an opening of this game: `Ke3` is not a legal move",
        ),
        ("[openings]\nkind = \"file\"\nfile = \"bad.epd\"\norder = \"random\"\n", "bad.epd:3:1"),
        (
            "[openings]\nkind = \"file\"\nfile = \"atomic.pgn\"\nplies = 2\n",
            "not an opening of this game: a game of `Atomic`, not of standard chess",
        ),
        (
            "[openings]\nkind = \"file\"\nfile = \"960.pgn\"\nplies = 2\n",
            "not an opening of this game: a game of `Chess 960`: set `variant = \"960\"`",
        ),
        ("[openings]\nkind = \"file\"\nfile = \"none.pgn\"\n", "there is no opening in"),
        ("[openings]\nkind = \"file\"\nfile = \"gone.pgn\"\n", "cannot read the openings"),
        ("[adjudication]\ndraw_moves = 3\n", "has no effect without `draw_value`"),
        ("[adjudication]\nrepetitions = 3\n", "set `repetitions = 2`, or leave it out"),
        ("[adjudication]\nmaterial_moves = 3\n", "has no effect without `material_lead`"),
        ("[output]\npgn = \"comments\"\n", "add `moves = true`"),
    ];
    for (more, expected) in cases {
        let output = play(dir.path(), &format!("{CONFIG}{more}"), &[]);
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    let fen = CONFIG.replace("\"chess\"", "\"chess\"\nfen = \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"");
    let output = play(dir.path(), &fen, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("insufficient material"), "{}", stderr(&output));
}

/// The openings that a file gives a match of chess, and the text on stderr.
fn openings_of(name: &str, text: &[u8], more: &[&str]) -> (Vec<String>, String) {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join(name), text).expect("a file");
    let config = format!("{CONFIG}[openings]\nkind = \"file\"\nfile = \"{name}\"\n");
    let output = play(dir.path(), &config, more);
    let resolved = fs::read_to_string(dir.path().join("out/resolved.toml")).unwrap_or_default();
    let list = resolved.split("\nlist = [").nth(1).and_then(|rest| rest.split(']').next());
    let lines = list.unwrap_or_default().split('"').skip(1).step_by(2);
    (lines.map(str::to_owned).collect(), stderr(&output))
}

#[test]
fn every_format_has_the_same_rule_for_openings() {
    let fen = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    let dance = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    // Equal positions count once, whatever their counters and the order of their moves.
    let epd = format!("{fen}\n{fen} id \"x\";\n4k3/8/8/8/8/8/4P3/4K2R w K - 9 70\n");
    for order in ["sequential", "random"] {
        let order = format!("openings.order={order}");
        let (lines, said) = openings_of("b.epd", epd.as_bytes(), &["--set", &order]);
        assert_eq!(lines, [fen]);
        assert!(said.contains("2 of 3 lines left out: their position is there"), "{said}");
    }
    let (lines, _) = openings_of("b.txt", b"d4 d5 c4\nc4 d5 d4\n", &[]);
    assert_eq!(lines, ["d4 d5 c4"]);
    // An opening has 0 or more plies; shorter games are used whole.
    let pgn = format!("[FEN \"{fen}\"]\n\n*\n\n[Event \"x\"]\n1. e4 *\n1. d4 d5 *\n");
    for name in ["b.pgn", "pgn.txt"] {
        let (lines, said) = openings_of(name, pgn.as_bytes(), &[]);
        assert_eq!(lines, [fen, "e2e4", "d2d4 d7d5"]);
        assert!(said.contains("3 of 3 games used whole: shorter than 8 plies"), "{said}");
    }
    let (lines, _) = openings_of("b.pgn", pgn.as_bytes(), &["--set", "openings.plies=0"]);
    assert_eq!(lines, [fen, ""]);
    // An opening in which the game has ended is left out, in every format and for all plies.
    let pgn = format!("1. e4 *\n\n{dance} e4 e5 *\n");
    for plies in [8, 10] {
        let plies = format!("openings.plies={plies}");
        let (lines, said) = openings_of("b.pgn", pgn.as_bytes(), &["--set", &plies]);
        assert_eq!(lines, ["e2e4"]);
        assert!(said.contains("1 of 2 games left out") && said.contains("threefold: 1"), "{said}");
    }
    let text = format!("{dance}\ne4\n");
    assert_eq!(openings_of("b.txt", text.as_bytes(), &[]).0, ["e4"]);
    let (lines, said) = openings_of("b.txt", b"e4 e5\nd4\n", &["--set", "limits.max_plies=2"]);
    assert_eq!(lines, ["d4"]);
    assert!(said.contains("max plies: 1"), "{said}");
}

#[test]
fn files_that_are_no_openings_are_named() {
    for (name, text, expected) in [
        ("b.pgn.gz", &[0x1F, 0x8B, 8, 0][..], "it is a gzip file"),
        ("b.bin", &[0, 1, 2, 3, 4][..], "it is a binary file"),
        ("b.sgf", b"(;GM[1];B[aa])", "it has games in SGF"),
        ("b.pgn", b"1. e4 Sf6 *", "`Sf6` is not a legal move"),
        ("b.pgn", b"1. e4e5 *", "`e4e5` is not a legal move"),
        ("b.pgn", b"1. e4 (1. d4 *", "the variation that begins here never ends"),
        ("b.txt", b"e4 e5\rd4 zz\r", "b.txt:2:1"),
    ] {
        let (_, said) = openings_of(name, text, &[]);
        assert!(said.contains(expected), "{name}: {said}");
    }
}

/// The same opening as moves and as a position has its draw at the same move.
#[test]
fn a_draw_is_possible_from_the_same_move_of_the_game() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n";
    let fen = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5\n";
    let ends = [("b.pgn", moves), ("b.epd", fen)].map(|(name, text)| {
        let dir = tempfile::tempdir().expect("a folder");
        write(dir.path(), name, text);
        let config = format!(
            "{}[openings]\nkind = \"file\"\nfile = \"{name}\"\n[adjudication]\n\
             draw_value = 100000\ndraw_moves = 1\ndraw_after = 8\n",
            CONFIG
                .replace("ties = \"random\"", "ties = \"first\"")
                .replace("games = 4", "games = 2")
        );
        ok(play(dir.path(), &config, &[]));
        rows(&dir.path().join("out/games.csv"))
            .iter()
            .map(|row| row["moves"].clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(ends[0], ends[1]);
    assert_eq!(ends[0][0].split(' ').count(), 8);
}

/// The program's own number for a mate must not appear, and values are the mover's.
#[test]
fn comments_in_pgn_have_the_form_of_the_field() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = "while read -r w r; do case $w in uci) echo 'id name Own 1.2'; echo uciok;; \
                  isready) echo readyok;; go) echo 'info depth 5 score cp 31 nodes 100'; \
                  echo 'info depth 9 score mate 2 nodes 1200'; echo 'info depth 10 currmove a1a2'; \
                  case $m in '') m=1; echo bestmove a1a2;; *) m=; echo bestmove a2a1;; esac;; \
                  ucinewgame) m=;; quit) exit;; esac; done";
    let engine = write(dir.path(), "engine.sh", engine);
    let config = format!(
        "name = \"c\"\n[game]\nkind = \"chess\"\n[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
         command = [\"sh\", \"{engine}\"]\nmovetime = 10000\n[[agents]]\nname = \"r\"\n\
         kind = \"random\"\n[openings]\nkind = \"list\"\nlist = [\"7k/8/8/8/8/8/7p/R6K w - - 0 1\"]\n\
         [schedule]\ngames = 2\n[limits]\nmax_plies = 2\n[output]\nmoves = true\npgn = \"comments\"\n"
    );
    play(dir.path(), &config, &[]);
    let pgn = fs::read_to_string(dir.path().join("out/games.pgn")).expect("games.pgn");
    assert!(pgn.contains("1. Ra2 {+M3/9 0."), "{pgn}");
    assert!(pgn.contains("s, n=1200}"), "{pgn}");
    assert!(pgn.contains("[WhiteTimeControl \"10/move\"]\n[BlackTimeControl \"-\"]"), "{pgn}");
    assert!(pgn.contains("[WhiteEngine \"Own 1.2\"]"), "{pgn}");
    assert!(pgn.contains("[BlackEngine \"Own 1.2\"]"), "{pgn}");
    assert!(!pgn.contains("1999999"), "{pgn}");
}
