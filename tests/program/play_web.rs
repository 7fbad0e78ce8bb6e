//! Tests of the page of `agon play --web`: raw requests, without a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{agon, stderr};

/// A running page; ends with the test.
struct Page {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    fn open(arguments: &[&str]) -> Page {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .arg("play")
            .args(arguments)
            .args(["--web", "--seed", "1"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let address = out.lines().find_map(|line| {
            let line = line.expect("text");
            line.trim().strip_prefix("http://127.0.0.1:").map(str::to_owned)
        });
        let address = address.expect("an address is printed");
        let (port, token) = address.split_once('/').expect("a path");
        let token = token.trim_end_matches('/').to_owned();
        assert_eq!(token.len(), 32);
        Page { child, port: port.parse().expect("a port"), token }
    }

    /// The complete answer to these bytes.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).expect("text")
    }

    /// Status and body of a request with these headers.
    fn ask(&self, request: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let answer = self.raw(
            format!("{request} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}")
                .as_bytes(),
        );
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
        (status.expect("a status"), body.expect("a body"))
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn path(&self, path: &str) -> String {
        format!("/{}/{path}", self.token)
    }

    /// The view after a line of the page.
    fn line(&self, line: &str) -> Value {
        let (status, body) = self.ask(&format!("POST {}", self.path("line")), &self.host(), line);
        assert_eq!(status, 200, "{body}");
        self.settled(&body)
    }

    fn view(&self) -> Value {
        let (status, body) = self.ask(&format!("GET {}", self.path("view")), &self.host(), "");
        assert_eq!(status, 200, "{body}");
        self.settled(&body)
    }

    /// The view when a person is to move.
    fn settled(&self, body: &str) -> Value {
        let view: Value = serde_json::from_str(body).expect("JSON");
        if view["ready"] == Value::Bool(true) {
            return view;
        }
        thread::sleep(Duration::from_millis(30));
        self.view()
    }
}

fn texts(view: &Value, field: &str, at: usize) -> Vec<String> {
    let items = view[field].as_array().expect("a list");
    items.iter().map(|item| item[at].as_str().expect("text").to_owned()).collect()
}

#[test]
fn only_the_page_itself_is_answered() {
    let page = Page::open(&["tictactoe", "--agent", "human"]);
    let (port, host, view) = (page.port, page.host(), format!("GET {}", page.path("view")));
    let before = page.view()["version"].clone();
    let refused = |request: &str, headers: &str| {
        let (status, body) = page.ask(request, headers, "play 4");
        assert_eq!(status, 403, "{request} {headers}: {body}");
        assert!(!body.contains(&page.token));
    };
    refused("GET /", &host);
    refused("GET /view", &host);
    refused(&format!("GET /{}", page.token), &host);
    refused(&format!("GET /{}/view", "0".repeat(32)), &host);
    refused(&format!("GET /?token={}", page.token), &host);
    refused(&view, "");
    for name in ["example.org", "127.0.0.1.example.org", "127.0.0.1@example.org", "0.0.0.0"] {
        refused(&view, &format!("Host: {name}:{port}\r\n"));
    }
    let line = format!("POST {}", page.path("line"));
    for origin in ["http://example.org", "null", "http://127.0.0.1:1", "https://127.0.0.1"] {
        refused(&line, &format!("{host}Origin: {origin}\r\n"));
    }
    assert_eq!(page.view()["version"], before, "nothing was played");
    let own = format!("{host}Origin: http://127.0.0.1:{port}\r\n");
    assert_eq!(page.ask(&line, &own, "play 4").0, 200);
    // A tunnel has another port.
    let tunnel = "Host: localhost:8000\r\nOrigin: http://localhost:8000\r\n";
    assert_eq!(page.ask(&view, tunnel, "").0, 200);
    assert_eq!(page.view()["played"].as_array().expect("a list").len(), 1);
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let page = Page::open(&["connect4", "--agent", "human"]);
    for (path, content_type) in
        [("", "text/html"), ("page.css", "text/css"), ("page.js", "text/javascript")]
    {
        let request = format!("GET {} HTTP/1.1\r\n{}\r\n", page.path(path), page.host());
        let answer = page.raw(request.as_bytes());
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.contains(&format!("Content-Type: {content_type};")), "{head}");
        assert!(head.contains("Content-Security-Policy: default-src 'none';"), "{head}");
        let elsewhere = body.replace("http://www.w3.org/", "");
        assert!(!elsewhere.contains("http:") && !elsewhere.contains("https:"), "{path}");
    }
    assert_eq!(page.ask(&format!("GET {}", page.path("../x")), &page.host(), "").0, 404);
}

#[test]
fn moves_are_played_undone_and_refused_with_a_sentence() {
    let page = Page::open(&["connect4", "--side", "first", "--level", "4"]);
    let view = page.view();
    assert_eq!(texts(&view, "moves", 0), ["1", "2", "3", "4", "5", "6", "7"]);
    assert_eq!(view["moves"][3][1], serde_json::json!([[38]]));
    let view = page.line("play 9");
    assert_eq!(
        view["said"],
        serde_json::json!(["`9` is not a column; legal: 1, 2, 3, 4, 5, 6, 7"])
    );
    assert_eq!(view["played"].as_array().map(Vec::len), Some(0));
    let view = page.line("play 4");
    assert_eq!(view["played"].as_array().map(Vec::len), Some(2), "{view}");
    assert!(view["said"][0].as_str().expect("text").starts_with("second plays "), "{view}");
    assert!(view["svg"].as_str().expect("a board").contains("class=\"changed\""));
    let view = page.line("hint");
    assert_eq!(texts(&view["hint"], "values", 0), texts(&view, "moves", 0));
    assert!(texts(&view, "moves", 0).contains(&view["hint"]["best"].as_str().unwrap().to_owned()));
    let view = page.line("undo");
    assert_eq!(
        (&view["said"][0], &view["hint"]),
        (&"2 moves are taken back.".into(), &Value::Null)
    );
    let view = page.line("resign");
    assert_eq!(view["result"], Value::from("You lose: resignation"));
    assert_eq!(page.line("undo")["result"], Value::Null);
    let view = page.line("new second 1");
    assert_eq!(view["players"], serde_json::json!(["level 1: random", "you"]));
    assert_eq!(view["played"].as_array().map(Vec::len), Some(1), "{view}");
    let view = page.line("new first human");
    assert_eq!(view["players"], serde_json::json!(["a person", "a person"]));
}

#[test]
fn titles_results_and_records_have_the_words_of_the_game() {
    let page = Page::open(&["connect4", "--side", "second", "--agent", "human"]);
    assert_eq!(page.view()["title"], Value::from("Connect Four, two people"));
    let columns = ["1", "2", "1", "2", "1", "2", "1"];
    let view = columns.iter().fold(Value::Null, |_, column| page.line(&format!("play {column}")));
    assert_eq!(view["result"], Value::from("X wins: four in a row"));
    assert_eq!(view["svg"].as_str().expect("a board").matches("class=\"won\"").count(), 4);
    assert_eq!(view["record"]["file"], Value::from("moves.txt"));
    assert_eq!(view["record"]["text"], Value::from("1\n2\n1\n2\n1\n2\n1\n"));
    let view = page.line("undo");
    assert!(!view["svg"].as_str().expect("a board").contains("class=\"won\""));

    // With `exact`, the row of four through the last stone does not win.
    let page = Page::open(&["mnk:m=6,n=6,k=3,exact=true", "--agent", "human"]);
    let cells = [12, 30, 13, 31, 15, 33, 2, 34, 8, 23, 14];
    let view = cells.iter().fold(Value::Null, |_, cell| page.line(&format!("play {cell}")));
    assert_eq!(view["result"], Value::from("X wins: three in a row"));
    assert_eq!(view["svg"].as_str().expect("a board").matches("class=\"won\"").count(), 3);

    let position = "7k/4P3/6K1/8/8/8/8/8 w - - 0 1";
    let chess = ["chess", "--side", "white", "--level", "1", "--position", position];
    let page = Page::open(&chess);
    let view = page.view();
    assert_eq!(view["title"], Value::from("Chess, you are White"));
    assert_eq!(view["sides"], serde_json::json!(["White", "Black"]));
    let pgn = view["record"]["text"].as_str().expect("a game");
    assert!(pgn.ends_with("\n\n{unfinished} *\n\n"), "{pgn}");
    let view = page.line("play e8=Q#");
    assert_eq!(view["result"], Value::from("You win: checkmate"));
    assert_eq!(view["record"]["file"], Value::from("game.pgn"));
    let pgn = view["record"]["text"].as_str().expect("a game");
    for part in [
        "[White \"a person\"]\n[Black \"level 1: random\"]\n[Result \"1-0\"]\n[SetUp \"1\"]\n",
        &format!("[FEN \"{position}\"]"),
        "\n\n1. e8=Q# {checkmate} 1-0\n",
    ] {
        assert!(pgn.contains(part), "{part}: {pgn}");
    }
}

/// The page must not write files or start programs.
#[test]
fn the_page_writes_no_files_and_starts_no_programs() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("x.txt");
    let page = Page::open(&["tictactoe", "--agent", "human"]);
    let request = format!("POST {}", page.path("line"));
    for line in [
        format!("save {}", file.display()),
        format!("save position {}", file.display()),
        "hint engine:command=\"touch x\"".to_owned(),
        "new first engine:command=\"touch x\"".to_owned(),
        "quit".to_owned(),
        "moves\nquit".to_owned(),
    ] {
        let (status, body) = page.ask(&request, &page.host(), &line);
        assert_eq!(status, 422, "{line}: {body}");
    }
    assert!(!file.exists());
    assert!(page.line("save")["said"][0].as_str().expect("text").starts_with("position  "));
}

#[test]
fn chance_is_rolled_and_shown() {
    let page = Page::open(&["pig:goal=20", "--side", "first", "--level", "3"]);
    assert_eq!(texts(&page.view(), "moves", 0), ["roll", "hold"]);
    let view = page.line("play roll");
    assert!(view["said"][0].as_str().expect("text").starts_with("chance: d"), "{view}");
    assert_eq!(view["played"][1][0], 0, "chance");
    let rolls = texts(&view, "played", 1);
    let last = rolls.iter().rfind(|text| text.starts_with('d')).expect("a roll");
    let pips = view["svg"].as_str().expect("a picture").matches("class=\"pip\"").count();
    assert_eq!(format!("d{pips}"), *last, "the die shows the last roll");
}

#[test]
fn requests_that_are_too_large_or_no_requests_are_refused() {
    let page = Page::open(&["tictactoe", "--agent", "human"]);
    let (host, line) = (page.host(), format!("POST {}", page.path("line")));
    let status = |bytes: &[u8]| page.raw(bytes).split(' ').nth(1).unwrap_or("none").to_owned();
    assert_eq!(status(b"hello\r\n\r\n"), "400");
    assert_eq!(status(&[0xff; 300]), "400");
    assert_eq!(status(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), "400");
    assert_eq!(status(b"GET / HTTP/1.1\r\n"), "408");
    assert_eq!(status(b""), "408");
    assert_eq!(status(format!("GET /{}", "a".repeat(200_000)).as_bytes()), "431");
    let many = "X: y\r\n".repeat(500);
    assert_eq!(status(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()), "431");
    let body = |length: &str| format!("{line} HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n");
    assert_eq!(status((body("9000") + &"x".repeat(9000)).as_bytes()), "413");
    assert_eq!(status(body("99999999999999999999999").as_bytes()), "400");
    assert_eq!(status(body("-1").as_bytes()), "400");
    assert_eq!(status((body("9") + "play").as_bytes()), "408");
    let chunked = format!("{line} HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    assert_eq!(status(chunked.as_bytes()), "411");
    assert_eq!(page.ask(&format!("DELETE {}", page.path("")), &host, "").0, 405);
    // Invalid UTF-8 is an illegal move.
    let mut bytes = body("8").into_bytes();
    bytes.extend_from_slice(b"play \xff\xfe\x00");
    assert_eq!(status(&bytes), "200");
    assert!(page.view()["said"][0].as_str().expect("text").contains("is not a cell"));
    // Connections without a request do not stop the others.
    let silent: Vec<TcpStream> = (0..20)
        .map(|_| TcpStream::connect(("127.0.0.1", page.port)).expect("a connection"))
        .collect();
    assert_eq!(page.line("play 4")["played"].as_array().map(Vec::len), Some(1));
    drop(silent);
}

/// A page asks for the view after its own, and gets it when something changes.
#[test]
fn silent_connections_of_other_programs_do_not_block_the_page() {
    let page = Page::open(&["tictactoe", "--agent", "human"]);
    let connect = || TcpStream::connect(("127.0.0.1", page.port)).expect("a connection");
    let silent = || (0..100).map(|_| connect()).collect::<Vec<_>>();
    let half = || {
        let mut stream = connect();
        // The server may have closed it already.
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        stream
    };
    let first = silent();
    assert_eq!(page.view()["ready"], Value::Bool(true));
    let second: Vec<TcpStream> = (0..100).map(|_| half()).collect();
    assert_eq!(page.line("play 4")["ready"], Value::Bool(true));
    // Many requests at the same time are still answered or refused in words.
    let host = page.host();
    let version = page.view()["version"].to_string();
    let waits =
        format!("GET {} HTTP/1.1\r\n{host}\r\n", page.path(&format!("view?after={version}")));
    let asking: Vec<TcpStream> = (0..64)
        .map(|_| {
            let mut stream = connect();
            stream.write_all(waits.as_bytes()).expect("written");
            stream
        })
        .collect();
    let mut status = 200;
    // The requests that wait are counted when they have arrived.
    for _ in 0..200 {
        if status == 503 {
            break;
        }
        thread::sleep(Duration::from_millis(10));
        status = page.ask(&format!("GET {}", page.path("page.css")), &host, "").0;
    }
    assert_eq!(status, 503);
    drop((first, second, asking));
}

#[test]
fn a_request_waits_for_a_change() {
    let page = Page::open(&["tictactoe", "--agent", "human"]);
    let version = page.view()["version"].clone();
    let begin = Instant::now();
    let next = thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let request = format!("GET {}?after={version}", page.path("view"));
            page.ask(&request, &page.host(), "").1
        });
        thread::sleep(Duration::from_millis(300));
        page.line("play 4");
        waiting.join().expect("an answer")
    });
    assert!(begin.elapsed() >= Duration::from_millis(300), "it waited");
    let next: Value = serde_json::from_str(&next).expect("JSON");
    assert!(next["version"].as_u64() > version.as_u64());
}

#[test]
fn a_line_while_the_agent_thinks_is_refused() {
    let page = Page::open(&["chess", "--side", "first", "--agent", "alphabeta:movetime=1500"]);
    page.view();
    let request = format!("POST {}", page.path("line"));
    let (status, body) = page.ask(&request, &page.host(), "play e4");
    assert_eq!(status, 200, "{body}");
    let view: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!((&view["thinking"], &view["ready"]), (&true.into(), &false.into()));
    let (status, body) = page.ask(&request, &page.host(), "undo");
    assert_eq!((status, body.contains("is thinking")), (409, true), "{body}");
    assert_eq!(page.view()["played"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let output = agon(&["play", "connect4", "--web", "--port", &port]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains(&format!("port {port} is in use")), "{text}");
    assert!(text.contains("leave out `--port`"), "{text}");
    let output = agon(&["play", "connect4", "--port", "4000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--web"), "{}", stderr(&output));
}
