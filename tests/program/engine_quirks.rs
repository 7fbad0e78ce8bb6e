//! Quirks of engines in the protocol, and how agon keeps and restarts them.

use std::time::{Duration, Instant};

use agon::engine::{Connection, EngineErrorKind, Launch, Line, UciCommand, UciReply};
use agon::play::{GameRecord, MoveTexts, Outcome};

use crate::engines::{ROGUE, game, lineup};

/// Runs a shell script as engine for the last move of a game of tic-tac-toe; `answer` is its answer
/// to `go`.
fn last_move(protocol: &str, answer: &str, more: &str) -> (GameRecord, MoveTexts, String) {
    let logs = tempfile::tempdir().expect("a folder");
    let script = format!(
        "echo Banner by someone; while read -r word rest; do case $word in \
         {protocol}) echo; echo \"id name  x \"; printf '{protocol}ok  \\r\\n';; \
         isready) echo bestmove 1; echo readyok;; \
         go) {answer};; quit) exit;; esac; done"
    );
    let agents = format!(
        "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"{protocol}\"\n\
         command = [\"sh\", \"-c\", '''{script}''']\nstartup_timeout = 20\n{more}\n\
         [[agents]]\nkind = \"random\""
    );
    // All cells except the last: the player to move can only fill this cell.
    let rest = "[openings]\nkind = \"list\"\nlist = [\"0 1 2 4 7 5 3 6\"]\n";
    let lineup = lineup("tictactoe", &agents, rest, logs.path());
    let mut texts = MoveTexts::logging(true);
    let record = lineup.worker().play(&game(1), &mut texts);
    let log = std::fs::read_to_string(logs.path().join("engine-e-game-1.log"));
    (record, texts, log.unwrap_or_default())
}

const NODES: &str = "nodes = 7\nhang_timeout = 20";

#[test]
fn what_engines_say_without_need_is_passed_over() {
    let answer = "echo 'info depth 3 score cp 25 nodes 40 pv 8'; echo 'info string hm'; \
                  echo; echo 'info depth 4 score cp 90 lowerbound nodes 70'; \
                  printf 'info depth 4 nodes 80 score mate 1\\r\\nbestmove 8  ponder 1 \\r\\n'";
    for protocol in ["uci", "ugi"] {
        let (record, texts, log) = last_move(protocol, answer, NODES);
        assert_eq!((record.reason, record.plies, log.as_str()), ("board full", 9, ""));
        let (mv, text) = texts.logged().next().expect("a move");
        assert_eq!((text, mv.nodes, mv.depth), ("8", Some(80), Some(4)));
        assert_eq!(mv.value, Some(f64::from(agon::search::WIN) - 1.0));
        assert!(mv.time_ns > 0 && mv.time_ns < 20_000_000_000);
    }
}

#[test]
fn the_depth_of_a_move_is_that_of_its_score() {
    let score = "printf 'info\\tdepth\\t3\\tscore\\tcp\\t25\\tnodes\\t40\\n'";
    let answers = [
        "printf 'info depth 4 currmove 8 currmovenumber 1\\nbestmove\\t8\\n'",
        "printf 'info depth 4 score cp 90 upperbound\\nbestmove 8\\n'",
        "printf 'info depth 4\\nbestmove 8\\n'",
        "printf 'info depth 4 score mate 0\\nbestmove 8\\n'",
    ];
    for answer in answers {
        let (record, texts, log) = last_move("ugi", &format!("{score}; {answer}"), NODES);
        assert_eq!((record.reason, log.as_str()), ("board full", ""), "{answer}");
        let (mv, _) = texts.logged().next().expect("a move");
        assert_eq!((mv.depth, mv.value, mv.nodes), (Some(3), Some(25.0), Some(40)), "{answer}");
    }
}

/// For an engine of chess, `startpos` is the usual start, even if the game starts elsewhere.
#[test]
fn an_engine_is_told_where_a_game_starts_that_does_not_start_as_usual() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let script = "while read -r word rest; do case $word in uci) echo uciok;; \
                  isready) echo readyok;; position) p=$rest;; quit) exit;; \
                  go) echo info string $p >&2; echo bestmove e1g1;; esac; done";
    let sent = |fen: &str, openings: &str| {
        let logs = tempfile::tempdir().expect("a folder");
        let agents = format!(
            "{fen}[[agents]]\nname = \"e\"\nkind = \"engine\"\n\
             command = [\"sh\", \"-c\", \'\'\'{script}\'\'\']\nstartup_timeout = 20\n{NODES}\n\
             [[agents]]\nkind = \"random\""
        );
        let lineup = lineup("chess", &agents, openings, logs.path());
        lineup.worker().play(&game(1), &mut MoveTexts::default());
        let log = std::fs::read_to_string(logs.path().join("engine-e-game-1.log"));
        let log = log.expect("e1g1 cannot be played twice");
        log.lines().find(|line| line.contains("> position")).expect("a position").to_owned()
    };
    let other = format!("fen = \"{start}\"\n");
    assert!(sent(&other, "").ends_with(&format!("> position fen {start}")));
    let moves = "[openings]\nkind = \"list\"\nlist = [\"a1b1 a8b8\"]\n";
    assert!(sent(&other, moves).ends_with(&format!("> position fen {start} moves a1b1 a8b8")));
    let position = format!("[openings]\nkind = \"list\"\nlist = [\"{start}\"]\n");
    assert!(sent("", &position).ends_with(&format!("> position fen {start}")));
}

#[test]
fn what_is_no_text_hides_nothing_before_it() {
    let answer = "printf 'info string K\\344se\n\\377\\376\nbestmove 8 K\\344se\n'";
    let (record, ..) = last_move("ugi", answer, NODES);
    assert_eq!(record.reason, "board full");
}

#[test]
fn an_engine_that_tells_nothing_has_searched_nothing() {
    let (record, texts, _) = last_move("uci", "echo bestmove 8", NODES);
    assert_eq!(record.reason, "board full");
    let (mv, _) = texts.logged().next().expect("a move");
    assert_eq!((mv.nodes, mv.depth, mv.value), (None, None, None));
}

#[test]
fn answers_that_are_no_move_are_faults() {
    for (answer, shown) in [
        ("bestmove (none)", "(none)"),
        ("bestmove 0000", "0000"),
        ("bestmove a1a1", "a1a1"),
        ("bestmove", ""),
        ("bestmove 5", "5"),
    ] {
        let (record, _, log) = last_move("uci", &format!("echo '{answer}'"), NODES);
        assert_eq!((record.reason, record.outcome), ("illegal move", Outcome::Second), "{answer}");
        assert!(log.contains(&format!("it answered `{shown}`: ")), "{log}");
        let pasted = "uci\nucinewgame\nisready\nposition startpos moves 0 1 2 4 7 5 3 6\nisready\ngo nodes 7\n";
        assert!(log.contains(pasted), "{log}");
    }
}

#[test]
fn a_line_without_an_end_is_no_answer_and_is_logged() {
    let (record, _, log) = last_move("ugi", "printf 'bestmove 8'", "nodes = 7\nhang_timeout = 0.3");
    assert_eq!(record.reason, "stall");
    assert!(log.contains("the last line that it wrote has no end"), "{log}");
    assert!(log.contains(" < bestmove 8\n"), "{log}");
}

#[test]
fn the_time_of_a_move_is_that_of_the_engine() {
    let (record, _, _) = last_move("uci", "sleep 0.2; echo bestmove 8", NODES);
    let time = Duration::from_nanos(record.sides[0].time_ns);
    assert!(time >= Duration::from_millis(200) && time < Duration::from_secs(20), "{time:?}");
    let (record, _, _) = last_move("uci", "sleep 0.3; echo bestmove 8", "clock = \"0.2\"");
    assert_eq!(record.reason, "timeout");
}

#[test]
fn what_was_written_before_the_question_is_no_answer() {
    // The shell script also sends a move with `readyok`; here this happens again after the answer
    // to `go`.
    let stale = "echo readyok; echo bestmove 5";
    let (record, ..) = last_move("uci", &format!("echo bestmove 8; {stale}"), NODES);
    assert_eq!(record.reason, "board full");
}

/// The second answer arrived at the request for the next move, and named an occupied cell.
#[test]
fn a_second_answer_is_not_taken_for_that_of_the_next_question() {
    let logs = tempfile::tempdir().expect("a folder");
    for (limit, protocol) in [("nodes = 1", "ugi"), ("movetime = 9000", "uci")] {
        let agents = format!(
            "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"{protocol}\"\n\
             command = \"{ROGUE} twice --game tictactoe\"\nstartup_timeout = 20\n{limit}\n\
             [[agents]]\nkind = \"random\""
        );
        let lineup = lineup("tictactoe", &agents, "", logs.path());
        let mut worker = lineup.worker();
        for number in 1..=3 {
            let record = worker.play(&game(number), &mut MoveTexts::default());
            assert!(["line", "board full"].contains(&record.reason), "{}", record.reason);
        }
    }
}

/// agon sends `isready` together with `go`, so an engine that is not ready is late like any other.
#[test]
fn an_engine_that_is_not_ready_for_a_move_is_late_by_its_own_limit() {
    let script = "while read -r w r; do case $w in ugi) echo ugiok;; isready) [ -z \"$p\" ] && \
                  echo readyok;; position) p=$r;; go) echo bestmove 0;; quit) exit;; esac; done";
    let agents = format!(
        "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"ugi\"\nnodes = 1\n\
         command = [\"sh\", \"-c\", '''{script}''']\nhang_timeout = 0.5\n[[agents]]\nkind = \"random\""
    );
    let logs = tempfile::tempdir().expect("a folder");
    let mut worker = lineup("tictactoe", &agents, "", logs.path()).worker();
    let record = worker.play(&game(1), &mut MoveTexts::default());
    assert_eq!(record.reason, "stall");
    let log = std::fs::read_to_string(logs.path().join("engine-e-game-1.log")).expect("a log");
    assert!(log.contains("no answer in time, not even `readyok`"), "{log}");
}

/// In the first game the engine sends `readyok` only after `stop`. This `readyok` must not count
/// for the next game. Otherwise an answer to the first game would count as a new one.
#[test]
fn answers_to_a_question_that_is_over_stay_out_of_the_next_game() {
    let script = "while read -r w r; do case $w in ugi) echo ugiok;; \
                  isready) [ \"$n\" = 1 ] && read -r go && read -r stop; \
                  echo bestmove 5; echo readyok; [ \"$n\" = 1 ] && n=2 && echo bestmove 5;; \
                  position) n=${n:-1};; go) echo bestmove 8;; quit) exit;; esac; done";
    let agents = format!(
        "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"ugi\"\nnodes = 1\n\
         hang_timeout = 1\nrestart = \"never\"\ncommand = [\"sh\", \"-c\", '''{script}''']\n\
         [[agents]]\nkind = \"random\""
    );
    let logs = tempfile::tempdir().expect("a folder");
    let rest = "[openings]\nkind = \"list\"\nlist = [\"0 1 2 4 7 5 3 6\"]\n";
    let mut worker = lineup("tictactoe", &agents, rest, logs.path()).worker();
    let mut play = |number| worker.play(&game(number), &mut MoveTexts::default()).reason;
    assert_eq!(play(1), "stall");
    assert_eq!(play(2), "board full");
}

#[test]
fn an_engine_that_does_not_read_blocks_no_game() {
    let words = ["sleep".to_owned(), "600".to_owned()];
    let launch = Launch::find(&words, None, &Default::default()).expect("a program");
    let mut link = Connection::spawn(&launch).expect("a process");
    // More than any pipe buffer holds, less than agon stores.
    let line = [b'x'; 1 << 18];
    let begin = Instant::now();
    link.send(&line).expect("room in the buffer");
    let error = link.next_line(begin + Duration::from_millis(50)).expect_err("nothing to read");
    assert_eq!(
        (error.kind, error.detail.as_str()),
        (EngineErrorKind::Late, "it does not read its input")
    );
    let error = (0..8).find_map(|_| link.send(&line).err()).expect("no more room");
    assert_eq!(error.kind, EngineErrorKind::Disconnected);
    link.quit("quit\n");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn questions_to_an_engine_of_ugi_are_answered() {
    let script = "while read -r w r; do echo \"response $r\"; done";
    let words = ["sh", "-c", script].map(str::to_owned);
    let launch = Launch::find(&words, None, &Default::default()).expect("a program");
    let mut link = Connection::spawn(&launch).expect("a process");
    let deadline = Instant::now() + Duration::from_secs(20);
    link.send_lines(&[UciCommand::Query("p1turn".to_owned())]).expect("a reader");
    let response = |line: &str| match UciReply::parse(line) {
        UciReply::Response(word) => Line::End(word.to_owned()),
        _ => Line::Other,
    };
    assert_eq!(link.listen(deadline, response).map(|(_, word)| word).as_deref(), Ok("p1turn"));
    link.quit("quit\n");
}

/// The results of three games of an engine that fails at its third move.
fn three_games(rogue: &str, restart: &str) -> Vec<(&'static str, u32)> {
    let logs = tempfile::tempdir().expect("a folder");
    let agents = format!(
        "[[agents]]\nname = \"rogue\"\nkind = \"engine\"\nprotocol = \"ugi\"\n\
         command = \"{ROGUE} {rogue} --after 2\"\nstartup_timeout = 20\nhang_timeout = 1.0\nnodes = 1\n\
         restart = \"{restart}\"\n[[agents]]\nkind = \"random\""
    );
    let lineup = lineup("connect4", &agents, "", logs.path());
    let mut worker = lineup.worker();
    let mut texts = MoveTexts::default();
    (1..=3)
        .map(|number| worker.play(&game(number), &mut texts))
        .map(|record| (record.reason, record.plies))
        .collect()
}

#[test]
fn engines_are_started_again_as_asked() {
    let (crash, gone) = (("crash", 4), ("disconnected", 0));
    // An engine that obeys `stop` is kept, and this one has no good moves left.
    let kept = [("stall", 4), ("stall", 0), ("stall", 0)];
    std::thread::scope(|scope| {
        let cases = [
            ("exit", "auto", [crash; 3]),
            ("exit", "never", [crash, gone, gone]),
            ("late", "auto", kept),
            ("late", "never", kept),
            ("late", "always", [("stall", 4); 3]),
        ];
        for (rogue, restart, games) in cases {
            scope
                .spawn(move || assert_eq!(three_games(rogue, restart), games, "{rogue} {restart}"));
        }
    });
}
