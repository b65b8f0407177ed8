//! The way to the server: which one, who we are there, and what is too open to be used.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use record::redact_address;

use crate::error::FleetError;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(3);
/// How often the server is asked whether it is there. Two missing answers end the connection, so
/// that a cut line is known within seconds.
const PING: Duration = Duration::from_secs(2);
/// Between two attempts to reach a server that is gone.
const AGAIN: Duration = Duration::from_millis(500);

/// A NATS server, and who we are there.
#[derive(Debug, Clone, Default)]
pub struct Server {
    /// `nats://host:4222`, `tls://host:4222`; several with commas.
    pub url: String,
    /// A file of user credentials, or of the seed of an nkey.
    pub credentials: Option<PathBuf>,
    /// A file of certificates that the server's must come from.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate and its key, where the server asks for one.
    pub tls_client: Option<(PathBuf, PathBuf)>,
    /// Other hosts are spoken to without credentials and TLS.
    pub insecure: bool,
}

/// Whether the connection is up, as the client's events say.
#[derive(Debug)]
pub(crate) struct Line {
    up: AtomicBool,
    begun: Instant,
    /// When it came up last, in milliseconds since `begun`.
    since_ms: AtomicU64,
    /// Words of the server, for people.
    said: std::sync::Mutex<Option<String>>,
}

impl Line {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            up: AtomicBool::new(true),
            begun: Instant::now(),
            since_ms: AtomicU64::new(0),
            said: std::sync::Mutex::new(None),
        })
    }

    fn note(&self, event: &Event) {
        match event {
            Event::Connected => {
                let passed = self.begun.elapsed().as_millis() as u64;
                self.since_ms.store(passed, Ordering::SeqCst);
                self.up.store(true, Ordering::SeqCst);
            }
            Event::Disconnected | Event::Closed => self.up.store(false, Ordering::SeqCst),
            Event::ServerError(error) => {
                if let Ok(mut said) = self.said.lock() {
                    *said = Some(error.to_string());
                }
            }
            _ => {}
        }
    }

    /// Whether the server can be reached.
    pub(crate) fn is_up(&self) -> bool {
        self.up.load(Ordering::SeqCst)
    }

    /// Since when it can be.
    pub(crate) fn since(&self) -> Instant {
        self.begun + Duration::from_millis(self.since_ms.load(Ordering::SeqCst))
    }

    /// What the server complained of since this was last asked.
    pub(crate) fn complaint(&self) -> Option<String> {
        self.said.lock().ok().and_then(|mut said| said.take())
    }
}

impl Server {
    /// The addresses; refused where anybody on the way could give orders.
    fn addresses(&self) -> Result<Vec<ServerAddr>, FleetError> {
        let parse = |url: &str| {
            url.parse::<ServerAddr>().map_err(|error| {
                // The whole of it: a comma in a password makes two pieces, which hide nothing.
                let whole = redact_address(&self.url);
                let what = format!("'{whole}' is no address of a NATS server: {error}");
                FleetError::wrong(what, "give one like --nats nats://host:4222")
            })
        };
        let addresses: Vec<ServerAddr> =
            self.url.split(',').map(str::trim).map(parse).collect::<Result<_, _>>()?;
        for address in &addresses {
            self.secure(address)?;
        }
        Ok(addresses)
    }

    /// Refuses a server on another host to which nothing proves who speaks.
    fn secure(&self, address: &ServerAddr) -> Result<(), FleetError> {
        if address.is_websocket() {
            let what = format!("{} is a websocket, which is not spoken here", address.host());
            return Err(FleetError::wrong(what, "give one like --nats nats://host:4222"));
        }
        let proven = self.credentials.is_some()
            || self.tls_ca.is_some()
            || address.tls_required()
            || address.has_user_pass();
        if proven || self.insecure || is_loopback(address.host()) {
            return Ok(());
        }
        let what = format!(
            "{} is another host, and neither credentials nor TLS say who may give orders there",
            address.host()
        );
        let hint = "give --creds FILE or --tls-ca FILE, or --insecure on a network of your own";
        Err(FleetError::wrong(what, hint))
    }

    async fn options(&self, name: &str) -> Result<ConnectOptions, FleetError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT)
            .request_timeout(Some(CONNECT))
            .ping_interval(PING)
            .reconnect_delay_callback(|_| AGAIN);
        if let Some(file) = &self.credentials {
            options = with_credentials(options, file).await?;
        }
        if let Some(file) = &self.tls_ca {
            // Found out here, where the file can be named.
            std::fs::metadata(file).map_err(|error| unreadable("--tls-ca", file, &error))?;
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.tls_client {
            for file in [certificate, key] {
                std::fs::metadata(file).map_err(|error| unreadable("--tls-cert", file, &error))?;
            }
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }

    /// Connects.
    pub(crate) async fn connect(&self, name: &str) -> Result<(Client, Arc<Line>), FleetError> {
        let addresses = self.addresses()?;
        let line = Line::new();
        let ears = Arc::clone(&line);
        let options = self.options(name).await?;
        let options = with_user(options, &addresses).event_callback(move |event| {
            ears.note(&event);
            std::future::ready(())
        });
        let client = options.connect(addresses).await.map_err(|error| self.refused(&error))?;
        Ok((client, line))
    }

    /// What a connection that was not made says.
    fn refused(&self, error: &async_nats::ConnectError) -> FleetError {
        let cause = causes(error);
        let url = redact_address(&self.url);
        // Certificates are looked at while the connection is made.
        let insecure = error.kind() == ConnectErrorKind::Tls || cause.contains("certificate");
        match error.kind() {
            _ if insecure => FleetError::failed(
                format!("no secure connection to the NATS server {url}: {cause}"),
                "check --tls-ca, the name in the server's certificate, and its dates",
            ),
            ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
                FleetError::failed(
                    format!("the NATS server {url} refused who we are: {cause}"),
                    "give credentials that it knows: --creds FILE",
                )
            }
            _ => FleetError::absent(
                format!("cannot reach the NATS server {url}: {cause}"),
                "is it running there? start one with: nats-server -js",
            ),
        }
    }
}

/// The user and the password that stand in an address, where one does: the client itself does not
/// look at them.
fn with_user(options: ConnectOptions, addresses: &[ServerAddr]) -> ConnectOptions {
    let known = addresses.iter().find_map(|address| Some((address.username()?, address)));
    match known {
        Some((user, address)) => {
            let password = address.password().unwrap_or_default();
            options.user_and_password(unescaped(user), unescaped(password))
        }
        None => options,
    }
}

/// Undoes the `%40` of URLs; what is no such escape stays as it is.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn with_credentials(
    options: ConnectOptions,
    file: &std::path::Path,
) -> Result<ConnectOptions, FleetError> {
    let text =
        input::read_text(file, input::TEXT_MAX).map_err(|e| unreadable("--creds", file, &e))?;
    // An nkey's seed stands by itself: SU and 56 more letters.
    if let Some(seed) = text.lines().map(str::trim).find(|line| line.starts_with("SU"))
        && !text.contains("BEGIN NATS USER JWT")
    {
        return Ok(options.nkey(seed.to_owned()));
    }
    options.credentials(&text).map_err(|error| {
        let what = format!("{} holds no credentials: {error}", file.display());
        FleetError::wrong(what, "give a .creds file of nsc, or a file with the seed of an nkey")
    })
}

fn unreadable(flag: &str, file: &std::path::Path, error: &std::io::Error) -> FleetError {
    let what = format!("cannot read {} of {flag}: {error}", file.display());
    FleetError::wrong(what, "name a file that this user may read")
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// An error with everything that is behind it, each said once.
fn causes(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if !words.contains(&text) {
            words = format!("{words}: {text}");
        }
        next = cause.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> Server {
        Server { url: url.to_owned(), ..Server::default() }
    }

    #[test]
    fn without_proof_only_this_host_is_spoken_to() {
        for here in ["nats://127.0.0.1:4222", "localhost", "nats://[::1]:4222", "127.1.2.3"] {
            assert!(server(here).addresses().is_ok(), "{here}");
        }
        for there in ["nats://10.0.0.1:4222", "db1", "nats://127.0.0.1,nats://db1"] {
            let error = server(there).addresses().unwrap_err();
            assert_eq!(error.exit_status(), 2);
            assert!(error.to_string().contains("another host"), "{error}");
            assert!(error.hint().unwrap().contains("--insecure"));
            let insecure = Server { insecure: true, ..server(there) };
            assert!(insecure.addresses().is_ok());
            let creds = Server { credentials: Some("x".into()), ..server(there) };
            assert!(creds.addresses().is_ok());
        }
        for proven in ["tls://db1:4222", "nats://user:word@db1:4222"] {
            assert!(server(proven).addresses().is_ok(), "{proven}");
        }
    }

    #[test]
    fn passwords_of_addresses_are_read_as_urls_write_them() {
        let check = |text: &str, expected: &str| assert_eq!(unescaped(text), expected);
        check("word", "word");
        check("a%40b%2Fc", "a@b/c");
        check("100%", "100%");
        check("%zz%4", "%zz%4");
        check("%C3%A9", "é");
    }

    #[test]
    fn no_message_shows_a_password() {
        for url in ["http://me:secret@db1", "nats://me:1secret,2secret@db1", "me:x/secret@db1"] {
            let error = server(url).addresses().unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
