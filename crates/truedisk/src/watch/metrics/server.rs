//! The smallest HTTP server that Prometheus can scrape: one GET per connection, strict limits.

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use super::catalogue::TextFormat;
use super::samples::LatestSamples;
use crate::exit::Failure;

/// Bytes of the request line and the headers.
const REQUEST_MAX: usize = 8 << 10;
/// Time to send the whole request, and time to take the whole answer.
const TIME_MAX: Duration = Duration::from_secs(5);
const CONNECTIONS_MAX: usize = 8;
/// Pause after a failed accept, such as one without a free descriptor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

pub(super) fn bind(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AddrInUse => {
                let port = address.port().checked_add(1).unwrap_or(1024);
                let other = SocketAddr::new(address.ip(), port);
                format!("another program has this port; use another: --prometheus {other}")
            }
            _ => "use an address of this host: --prometheus 127.0.0.1:9187".to_owned(),
        };
        Failure::wrong(format_args!("cannot serve metrics at {address}: {error}")).hint(hint)
    })
}

/// Answers until the process ends; returns the address.
pub(super) fn start(listener: TcpListener, latest: LatestSamples) -> Result<SocketAddr, Failure> {
    let failed = |error| Failure::failed(format_args!("cannot serve metrics: {error}"));
    let address = listener.local_addr().map_err(failed)?;
    let serve = move || serve_connections(&listener, &latest);
    let started = thread::Builder::new().name("metrics".to_owned()).spawn(serve);
    started.map(|_| address).map_err(failed)
}

struct Connection {
    stream: TcpStream,
    /// Whether the whole request has come.
    has_asked: AtomicBool,
}

fn serve_connections(listener: &TcpListener, latest: &LatestSamples) {
    // Oldest first. The thread of a connection owns it.
    let mut open: VecDeque<Weak<Connection>> = VecDeque::new();
    loop {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        open.retain(|connection| connection.strong_count() > 0);
        if open.len() >= CONNECTIONS_MAX && !close_oldest_silent(&mut open) {
            // The peer may have gone.
            let _ =
                send(&mut &stream, &Answer::error("503 Service Unavailable", "try again later"));
            continue;
        }
        let connection = Arc::new(Connection { stream, has_asked: AtomicBool::new(false) });
        open.push_back(Arc::downgrade(&connection));
        let latest = latest.clone();
        let answer = move || {
            // An answer that cannot be sent concerns the peer only.
            let _ = answer_connection(&connection, &latest);
        };
        // Without a thread the connection is closed.
        let _ = thread::Builder::new().name("scrape".to_owned()).spawn(answer);
    }
}

/// Peers that say nothing must not keep out those that ask. Whether one was closed.
fn close_oldest_silent(open: &mut VecDeque<Weak<Connection>>) -> bool {
    let is_silent = |connection: &Arc<Connection>| !connection.has_asked.load(Ordering::Relaxed);
    let silent = open
        .iter()
        .enumerate()
        .find_map(|(place, connection)| Some((place, connection.upgrade().filter(is_silent)?)));
    let Some((place, connection)) = silent else { return false };
    open.remove(place);
    // Its thread ends. The peer may have gone.
    let _ = connection.stream.shutdown(Shutdown::Both);
    true
}

fn answer_connection(connection: &Connection, latest: &LatestSamples) -> io::Result<()> {
    let mut stream = &connection.stream;
    let request = read_request(&mut stream)?;
    connection.has_asked.store(true, Ordering::Relaxed);
    let answer = match request {
        Some(request) => answer_request(&request, latest),
        None => Answer::error("431 Request Header Fields Too Large", "a request has at most 8 KiB"),
    };
    send(&mut stream, &answer)
}

/// The request line and the headers; `None` if they are too long.
fn read_request(stream: &mut &TcpStream) -> io::Result<Option<String>> {
    let end = Instant::now() + TIME_MAX;
    let (mut bytes, mut part) = (Vec::new(), [0; 1024]);
    loop {
        stream.set_read_timeout(Some(time_until(end)?))?;
        let count = stream.read(&mut part)?;
        bytes.extend_from_slice(&part[..count]);
        if count == 0 || bytes.windows(4).any(|four| four == b"\r\n\r\n") {
            return Ok(Some(String::from_utf8_lossy(&bytes).into_owned()));
        }
        if bytes.len() >= REQUEST_MAX {
            return Ok(None);
        }
    }
}

fn time_until(end: Instant) -> io::Result<Duration> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

struct Answer {
    status: &'static str,
    content_type: &'static str,
    body: String,
}

impl Answer {
    fn error(status: &'static str, words: &str) -> Self {
        Self { status, content_type: "text/plain; charset=utf-8", body: format!("{words}\n") }
    }
}

fn answer_request(request: &str, latest: &LatestSamples) -> Answer {
    let mut lines = request.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let (method, target) = match words[..] {
        [method, target, version] if version.starts_with("HTTP/1.") => (method, target),
        _ => return Answer::error("400 Bad Request", "this is a server of HTTP/1.1"),
    };
    if method != "GET" {
        return Answer::error("405 Method Not Allowed", "use GET");
    }
    if target.split('?').next() != Some("/metrics") {
        return Answer::error("404 Not Found", "the metrics are at /metrics");
    }
    let format = choose_format(lines);
    match format.encode(latest.newest()) {
        Ok(body) => Answer { status: "200 OK", content_type: format.content_type(), body },
        Err(_) => Answer::error("500 Internal Server Error", "the metrics cannot be encoded"),
    }
}

/// OpenMetrics if the header `Accept` names it, and does not refuse it by `q=0`.
fn choose_format<'a>(headers: impl Iterator<Item = &'a str>) -> TextFormat {
    let accepted = headers
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("accept"))
        .flat_map(|(_, ranges)| ranges.split(','));
    for range in accepted {
        let mut parts = range.split(';').map(str::trim);
        let is_open = parts.next() == Some("application/openmetrics-text");
        let quality = parts.find_map(|part| part.strip_prefix("q="));
        let is_refused = quality.is_some_and(|quality| quality.parse() == Ok(0.0));
        if is_open && !is_refused {
            return TextFormat::OpenMetrics;
        }
    }
    TextFormat::Prometheus
}

fn send(stream: &mut &TcpStream, answer: &Answer) -> io::Result<()> {
    let Answer { status, content_type, body } = answer;
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
         Vary: Accept\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    let end = Instant::now() + TIME_MAX;
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        stream.set_write_timeout(Some(time_until(end)?))?;
        match stream.write(rest)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => rest = &rest[count..],
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_connections_that_have_not_asked_make_room() {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let connect = |has_asked: bool| {
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            Arc::new(Connection { stream, has_asked: AtomicBool::new(has_asked) })
        };
        let all = [true, false, false].map(connect);
        let mut open: VecDeque<_> = all.iter().map(Arc::downgrade).collect();
        let closed = |connection: &Connection| {
            connection.stream.set_nonblocking(true).unwrap();
            matches!((&connection.stream).read(&mut [0; 1]), Ok(0))
        };
        assert!(close_oldest_silent(&mut open));
        assert_eq!(all.each_ref().map(|connection| closed(connection)), [false, true, false]);
        assert!(close_oldest_silent(&mut open));
        assert!(!close_oldest_silent(&mut open));
        assert_eq!(open.len(), 1);
    }
}
