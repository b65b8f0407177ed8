//! The smallest HTTP server that Prometheus can scrape: one GET per connection, strict limits.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::Published;
use super::catalogue::{OPENMETRICS_TYPE, encode_openmetrics, encode_prometheus};
use crate::exit::Failure;

/// Bytes of the request line and the headers.
const REQUEST_MAX: usize = 8 << 10;
/// Time to send the whole request, and time to take the whole answer.
const TIME_MAX: Duration = Duration::from_secs(5);
const CONNECTIONS_MAX: usize = 8;
/// Pause after a failed accept, such as one without a free descriptor.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

pub(super) struct Server {
    listener: Option<TcpListener>,
    address: SocketAddr,
    published: Published,
}

impl Server {
    pub(super) fn bind(address: SocketAddr, published: Published) -> Result<Self, Failure> {
        let bound = TcpListener::bind(address).and_then(|it| Ok((it.local_addr()?, it)));
        let (address, listener) = bound.map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    let ip = address.ip();
                    let port = address.port().checked_add(1).unwrap_or(1024);
                    let other = SocketAddr::new(ip, port);
                    format!("another program has this port; use another: --prometheus {other}")
                }
                _ => format!("use an address of this host: --prometheus {}", loopback(9187)),
            };
            Failure::wrong(format_args!("cannot serve metrics at {address}: {error}")).hint(hint)
        })?;
        Ok(Self { listener: Some(listener), address, published })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the process ends.
    pub(super) fn start(&mut self) -> Result<(), Failure> {
        let Some(listener) = self.listener.take() else { return Ok(()) };
        let published = self.published.clone();
        let serve = move || serve_connections(&listener, &published);
        let thread = thread::Builder::new().name("metrics".to_owned()).spawn(serve);
        thread.map(drop).map_err(|error| {
            Failure::failed(format_args!("cannot start the server of metrics: {error}"))
        })
    }
}

pub(super) const fn loopback(port: u16) -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), port)
}

fn serve_connections(listener: &TcpListener, published: &Published) {
    let slots = Arc::new(());
    loop {
        let Ok((mut stream, _)) = listener.accept() else {
            thread::sleep(ACCEPT_PAUSE);
            continue;
        };
        if Arc::strong_count(&slots) > CONNECTIONS_MAX {
            // The peer may have gone.
            let _ = send(&mut stream, &Answer::error("503 Service Unavailable", "try again later"));
            continue;
        }
        let (slot, published) = (slots.clone(), published.clone());
        let answer = move || {
            // An answer that cannot be sent concerns the peer only.
            let _ = answer_connection(&mut stream, &published);
            drop(slot);
        };
        // Without a thread the connection is closed.
        let _ = thread::Builder::new().name("scrape".to_owned()).spawn(answer);
    }
}

fn answer_connection(stream: &mut TcpStream, published: &Published) -> io::Result<()> {
    let answer = match read_request(stream)? {
        Some(request) => answer_request(&request, published),
        None => {
            let words = format!("a request has at most {REQUEST_MAX} bytes");
            Answer::error("431 Request Header Fields Too Large", &words)
        }
    };
    send(stream, &answer)
}

/// The request line and the headers; `None` if they are too long.
fn read_request(stream: &mut TcpStream) -> io::Result<Option<String>> {
    let end = Instant::now() + TIME_MAX;
    let mut bytes = Vec::new();
    let mut part = [0; 1024];
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
    is_head: bool,
}

impl Answer {
    fn error(status: &'static str, words: &str) -> Self {
        let content_type = "text/plain; charset=utf-8";
        Self { status, content_type, body: format!("{words}\n"), is_head: false }
    }
}

fn answer_request(request: &str, published: &Published) -> Answer {
    let mut lines = request.split("\r\n");
    let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let (method, target) = match words[..] {
        [method, target, version] if version.starts_with("HTTP/1.") => (method, target),
        _ => return Answer::error("400 Bad Request", "this is a server of HTTP/1.1"),
    };
    if !["GET", "HEAD"].contains(&method) {
        return Answer::error("405 Method Not Allowed", "use GET");
    }
    if target.split('?').next() != Some("/metrics") {
        return Answer::error("404 Not Found", "the metrics are at /metrics");
    }
    let figures = published.newest();
    let encoded = match accepts_openmetrics(lines) {
        true => encode_openmetrics(figures),
        false => encode_prometheus(figures),
    };
    let is_head = method == "HEAD";
    match encoded {
        Ok((content_type, body)) => Answer { status: "200 OK", content_type, body, is_head },
        Err(_) => Answer::error("500 Internal Server Error", "the metrics cannot be encoded"),
    }
}

fn accepts_openmetrics<'a>(headers: impl Iterator<Item = &'a str>) -> bool {
    let accepted = headers
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("accept"))
        .flat_map(|(_, ranges)| ranges.split(','));
    let is_accepted = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        let is_type = parts.next().is_some_and(|it| it.eq_ignore_ascii_case(OPENMETRICS_TYPE));
        let refuses = |part: &str| {
            part.strip_prefix("q=").and_then(|q| q.parse::<f64>().ok()).is_some_and(|q| q <= 0.0)
        };
        is_type && !parts.any(refuses)
    };
    accepted.into_iter().any(is_accepted)
}

fn send(stream: &mut TcpStream, answer: &Answer) -> io::Result<()> {
    let Answer { status, content_type, body, is_head } = answer;
    let mut text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\
         Vary: Accept\r\nConnection: close\r\n\r\n",
        body.len()
    );
    if !is_head {
        text.push_str(body);
    }
    let end = Instant::now() + TIME_MAX;
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        stream.set_write_timeout(Some(time_until(end)?))?;
        let count = stream.write(rest)?;
        if count == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest = &rest[count..];
    }
    Ok(())
}
