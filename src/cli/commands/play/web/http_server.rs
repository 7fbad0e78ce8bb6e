//! A small HTTP server for one page on the loopback address.
//!
//! It answers only requests that know the random token in the address, that name a loopback host,
//! and that no other page has sent. Heads, bodies, times and numbers of connections are bounded. If
//! too many connections wait for a valid request, the oldest of them is closed for a new one, so
//! silent connections of other programs do not block the page.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rand::TryRng;
use rand::rngs::SysRng;

use crate::cli::failure::Failure;
use crate::util::locks::lock;

/// The maximum size of a request without its body, in bytes.
const HEAD: usize = 8 << 10;

/// The maximum size of a body, in bytes.
const BODY: usize = 4 << 10;

/// How long a request may take to arrive, and how long a reader may take for the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The maximum number of connections that wait for a valid request, and of requests that are being
/// answered.
const CONNECTIONS: usize = 64;

/// No page may load anything from elsewhere, and no other page may show this one.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; \
    style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cache-Control: no-store\r\n\
    Connection: close\r\n";

pub struct Request {
    pub is_post: bool,
    /// The path behind the token, without a slash at its start.
    pub path: String,
    /// What follows `?` in the address.
    pub query: String,
    pub body: String,
}

pub struct Response {
    status: u16,
    content_type: &'static str,
    body: String,
}

impl Response {
    pub fn of(content_type: &'static str, body: impl Into<String>) -> Response {
        Response { status: 200, content_type, body: body.into() }
    }

    /// A refusal, in a sentence.
    pub fn refuse(status: u16, sentence: &str) -> Response {
        Response { status, content_type: "text/plain", body: format!("{sentence}\n") }
    }
}

/// A server that listens, with its address.
pub struct Server {
    listener: TcpListener,
    token: String,
    pub address: String,
}

impl Server {
    /// Listens on the loopback address; port 0 is a free port.
    ///
    /// # Errors
    /// A port that is in use or reserved.
    pub fn listen(port: u16) -> Result<Server, Failure> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
            let problem = match error.kind() {
                io::ErrorKind::AddrInUse => format!("port {port} is in use by another program"),
                _ => format!("port {port} cannot be used: {error}"),
            };
            Failure::usage(problem, "name another port, or leave out `--port` to get a free one")
        })?;
        let port = listener.local_addr()?.port();
        let word = || SysRng.try_next_u64().map_err(io::Error::other);
        let token = format!("{:016x}{:016x}", word()?, word()?);
        let address = format!("http://127.0.0.1:{port}/{token}/");
        Ok(Server { listener, token, address })
    }

    /// Answers requests in threads until the program ends.
    pub fn serve(self, answer: impl Fn(&Request) -> Response + Send + Sync + 'static) {
        let shared = Arc::new((self.token, answer, Connections::default()));
        thread::spawn(move || {
            for stream in self.listener.incoming() {
                let Ok(stream) = stream else {
                    thread::sleep(Duration::from_millis(20));
                    continue;
                };
                let shared = Arc::clone(&shared);
                let Ok(number) = shared.2.enter(&stream) else { continue };
                thread::spawn(move || {
                    let (token, answer, connections) = &*shared;
                    let request = |request: &Request| {
                        connections.leave(number);
                        connections.answer(|| answer(request))
                    };
                    let _ = answer_connection(stream, token, &request);
                    connections.leave(number);
                });
            }
        });
    }
}

#[derive(Default)]
struct Connections {
    /// Those without a valid request, oldest first, with their numbers.
    waiting: Mutex<VecDeque<(u64, TcpStream)>>,
    entered: AtomicU64,
    /// The number of requests that are being answered.
    answering: AtomicUsize,
}

impl Connections {
    /// Adds a new connection; if there are too many, closes the oldest. Returns its number.
    fn enter(&self, stream: &TcpStream) -> io::Result<u64> {
        let mut waiting = lock(&self.waiting);
        if waiting.len() >= CONNECTIONS
            && let Some((_, oldest)) = waiting.pop_front()
        {
            // Its thread now reads the end of the stream, and ends.
            let _ = oldest.shutdown(Shutdown::Both);
        }
        let number = self.entered.fetch_add(1, Ordering::SeqCst);
        waiting.push_back((number, stream.try_clone()?));
        Ok(number)
    }

    /// Removes a connection that has sent a valid request, or that is closed.
    fn leave(&self, number: u64) {
        lock(&self.waiting).retain(|(waiting, _)| *waiting != number);
    }

    fn answer(&self, answer: impl FnOnce() -> Response) -> Response {
        let response = match self.answering.fetch_add(1, Ordering::SeqCst) < CONNECTIONS {
            true => answer(),
            false => Response::refuse(503, "Too many requests at the same time: try again."),
        };
        self.answering.fetch_sub(1, Ordering::SeqCst);
        response
    }
}

/// Reads one request and answers it.
fn answer_connection(
    mut stream: TcpStream,
    token: &str,
    answer: &dyn Fn(&Request) -> Response,
) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let response = match read(&mut stream, token) {
        Ok(request) => answer(&request),
        Err(refusal) => refusal,
    };
    let Response { status, content_type, body } = &response;
    let phrase = if *status == 200 { "OK" } else { "Refused" };
    let head = format!(
        "HTTP/1.1 {status} {phrase}\r\nContent-Type: {content_type}; charset=utf-8\r\n\
         Content-Length: {}\r\n{HEADERS}\r\n",
        body.len()
    );
    stream.write_all((head + body).as_bytes())?;
    // Unread bytes would reset the connection before the answer is read.
    stream.shutdown(Shutdown::Write)?;
    stream.set_read_timeout(Some(Duration::from_millis(500)))?;
    io::copy(&mut stream.take(1 << 20), &mut io::sink()).map(|_| ())
}

/// A request that may be answered.
fn read(stream: &mut TcpStream, token: &str) -> Result<Request, Response> {
    let begin = Instant::now();
    let mut bytes = Vec::new();
    let mut more = |bytes: &mut Vec<u8>| {
        let mut piece = [0; 2048];
        let late = begin.elapsed() > PATIENCE;
        match stream.read(&mut piece) {
            Ok(read) if read > 0 && !late => {
                bytes.extend_from_slice(&piece[..read]);
                Ok(())
            }
            _ => Err(Response::refuse(408, "The request did not arrive completely.")),
        }
    };
    loop {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        let length = match parsed.parse(&bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < HEAD => {
                more(&mut bytes)?;
                continue;
            }
            Ok(httparse::Status::Partial) | Err(httparse::Error::TooManyHeaders) => {
                return Err(Response::refuse(431, "The head of the request is too long."));
            }
            Err(_) => return Err(Response::refuse(400, "This is not an HTTP request.")),
        };
        let (mut request, body) = checked(&parsed, token)?;
        while bytes.len() < length + body {
            more(&mut bytes)?;
        }
        request.body = String::from_utf8_lossy(&bytes[length..length + body]).into_owned();
        return Ok(request);
    }
}

/// Checks where the request comes from. Returns the request and the size of its body.
fn checked(parsed: &httparse::Request<'_, '_>, token: &str) -> Result<(Request, usize), Response> {
    let header = |name: &str| {
        let found = parsed.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| std::str::from_utf8(header.value).unwrap_or("?").trim())
    };
    // The port may be another one: that of a tunnel.
    let host = header("host").unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !["127.0.0.1", "localhost"].contains(&name) {
        return Err(Response::refuse(403, "The host must be 127.0.0.1 or localhost."));
    }
    if header("origin").is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
        return Err(Response::refuse(403, "Another page has sent this request."));
    }
    let address = parsed.path.unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let path = path.strip_prefix('/').and_then(|path| path.strip_prefix(token));
    let Some(path) = path.and_then(|path| path.strip_prefix('/')) else {
        let help = "The address has no valid token: open the address that `agon play` has printed.";
        return Err(Response::refuse(403, help));
    };
    let is_post = match parsed.method {
        Some("GET") => false,
        Some("POST") => true,
        _ => return Err(Response::refuse(405, "The method must be GET or POST.")),
    };
    if header("transfer-encoding").is_some() {
        return Err(Response::refuse(411, "The body must have a length."));
    }
    let body = match header("content-length").map(str::parse::<usize>) {
        None => 0,
        Some(Ok(length)) if length <= BODY => length,
        Some(Ok(_)) => return Err(Response::refuse(413, "The body is too long.")),
        Some(Err(_)) => {
            return Err(Response::refuse(400, "The length of the body is not a number."));
        }
    };
    let (path, query) = (path.to_owned(), query.to_owned());
    Ok((Request { is_post, path, query, body: String::new() }, body))
}
