//! The connection to the server: address, credentials, and refusal of open servers.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use record::redact_address;

use crate::error::FleetError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Two missing answers end the connection.
const PING_INTERVAL: Duration = Duration::from_secs(2);
const RECONNECT_INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Default)]
pub struct NatsServer {
    /// `nats://host:4222` or `tls://host:4222`; several with commas.
    pub url: String,
    /// A file of user credentials, or of the seed of an nkey.
    pub credentials: Option<PathBuf>,
    /// CA file to verify the server; enables TLS.
    pub tls_ca: Option<PathBuf>,
    /// Client certificate and its key.
    pub tls_client: Option<(PathBuf, PathBuf)>,
    /// Allow other hosts without credentials and TLS.
    pub insecure: bool,
}

#[derive(Debug)]
pub(crate) struct ConnectionState {
    up: AtomicBool,
    begun: Instant,
    /// When it came up last, in milliseconds since `begun`.
    since_ms: AtomicU64,
    /// Last error that the server reported.
    server_error: std::sync::Mutex<Option<String>>,
}

impl ConnectionState {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            up: AtomicBool::new(true),
            begun: Instant::now(),
            since_ms: AtomicU64::new(0),
            server_error: std::sync::Mutex::new(None),
        })
    }

    fn handle_event(&self, event: &Event) {
        match event {
            Event::Connected => {
                let passed = self.begun.elapsed().as_millis() as u64;
                self.since_ms.store(passed, Ordering::SeqCst);
                self.up.store(true, Ordering::SeqCst);
            }
            Event::Disconnected | Event::Closed => self.up.store(false, Ordering::SeqCst),
            Event::ServerError(error) => {
                if let Ok(mut said) = self.server_error.lock() {
                    *said = Some(error.to_string());
                }
            }
            _ => {}
        }
    }

    pub(crate) fn is_up(&self) -> bool {
        self.up.load(Ordering::SeqCst)
    }

    pub(crate) fn up_since(&self) -> Instant {
        self.begun + Duration::from_millis(self.since_ms.load(Ordering::SeqCst))
    }

    pub(crate) fn take_server_error(&self) -> Option<String> {
        self.server_error.lock().ok().and_then(|mut said| said.take())
    }
}

impl NatsServer {
    /// The addresses; an unprotected server on another host is refused.
    fn parse_addresses(&self) -> Result<Vec<ServerAddr>, FleetError> {
        let parse = |url: &str| {
            url.parse::<ServerAddr>().map_err(|error| {
                // The whole URL: a comma in a password splits it.
                let whole = redact_address(&self.url);
                let what = format!("'{whole}' is no address of a NATS server: {error}");
                FleetError::wrong_request(what, "give one like --nats nats://host:4222")
            })
        };
        let addresses: Vec<ServerAddr> =
            self.url.split(',').map(str::trim).map(parse).collect::<Result<_, _>>()?;
        for address in &addresses {
            self.check_security(address)?;
        }
        Ok(addresses)
    }

    fn check_security(&self, address: &ServerAddr) -> Result<(), FleetError> {
        if address.is_websocket() {
            let what = format!("{} is a websocket, which is not spoken here", address.host());
            return Err(FleetError::wrong_request(what, "give one like --nats nats://host:4222"));
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
        Err(FleetError::wrong_request(what, hint))
    }

    async fn connect_options(&self, name: &str) -> Result<ConnectOptions, FleetError> {
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT_TIMEOUT)
            .request_timeout(Some(CONNECT_TIMEOUT))
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(|_| RECONNECT_INTERVAL);
        if let Some(file) = &self.credentials {
            options = add_credentials(options, file).await?;
        }
        if let Some(file) = &self.tls_ca {
            check_readable("--tls-ca", file)?;
            options = options.add_root_certificates(file.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.tls_client {
            for file in [certificate, key] {
                check_readable("--tls-cert", file)?;
            }
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options)
    }

    pub(crate) async fn connect(
        &self,
        name: &str,
    ) -> Result<(Client, Arc<ConnectionState>), FleetError> {
        let addresses = self.parse_addresses()?;
        let line = ConnectionState::new();
        let ears = Arc::clone(&line);
        let options = self.connect_options(name).await?;
        let options = add_user(options, &addresses).event_callback(move |event| {
            ears.handle_event(&event);
            std::future::ready(())
        });
        let client =
            options.connect(addresses).await.map_err(|error| self.connect_error(&error))?;
        Ok((client, line))
    }

    fn connect_error(&self, error: &async_nats::ConnectError) -> FleetError {
        let cause = error_chain(error);
        let url = redact_address(&self.url);
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
            _ => FleetError::server_absent(
                format!("cannot reach the NATS server {url}: {cause}"),
                "is it running there? start one with: nats-server -js",
            ),
        }
    }
}

/// User and password of an address: the client itself ignores them.
fn add_user(options: ConnectOptions, addresses: &[ServerAddr]) -> ConnectOptions {
    let known = addresses.iter().find_map(|address| Some((address.username()?, address)));
    match known {
        Some((user, address)) => {
            let password = address.password().unwrap_or_default();
            options.user_and_password(percent_decode(user), percent_decode(password))
        }
        None => options,
    }
}

/// Decodes `%40` of URLs.
fn percent_decode(text: &str) -> String {
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

async fn add_credentials(
    options: ConnectOptions,
    file: &std::path::Path,
) -> Result<ConnectOptions, FleetError> {
    let text =
        input::read_text(file, input::TEXT_MAX).map_err(|e| read_error("--creds", file, &e))?;
    // The seed of an nkey: SU and 56 more letters.
    if let Some(seed) = text.lines().map(str::trim).find(|line| line.starts_with("SU"))
        && !text.contains("BEGIN NATS USER JWT")
    {
        return Ok(options.nkey(seed.to_owned()));
    }
    options.credentials(&text).map_err(|error| {
        let what = format!("{} holds no credentials: {error}", file.display());
        FleetError::wrong_request(
            what,
            "give a .creds file of nsc, or a file with the seed of an nkey",
        )
    })
}

/// NATS's client reads files without a limit, and does not name them in errors.
fn check_readable(flag: &str, file: &std::path::Path) -> Result<(), FleetError> {
    let read = input::read_file(file, input::TEXT_MAX);
    read.map(drop).map_err(|error| read_error(flag, file, &error))
}

fn read_error(flag: &str, file: &std::path::Path, error: &std::io::Error) -> FleetError {
    let what = format!("cannot read {} of {flag}: {error}", file.display());
    FleetError::wrong_request(what, "name a file that this user may read")
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn error_chain(error: &dyn std::error::Error) -> String {
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

    fn server(url: &str) -> NatsServer {
        NatsServer { url: url.to_owned(), ..NatsServer::default() }
    }

    #[test]
    fn without_proof_only_this_host_is_spoken_to() {
        for here in ["nats://127.0.0.1:4222", "localhost", "nats://[::1]:4222", "127.1.2.3"] {
            assert!(server(here).parse_addresses().is_ok(), "{here}");
        }
        for there in ["nats://10.0.0.1:4222", "db1", "nats://127.0.0.1,nats://db1"] {
            let error = server(there).parse_addresses().unwrap_err();
            assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
            assert!(error.to_string().contains("another host"), "{error}");
            assert!(error.hint().unwrap().contains("--insecure"));
            let insecure = NatsServer { insecure: true, ..server(there) };
            assert!(insecure.parse_addresses().is_ok());
            let creds = NatsServer { credentials: Some("x".into()), ..server(there) };
            assert!(creds.parse_addresses().is_ok());
        }
        for proven in ["tls://db1:4222", "nats://user:word@db1:4222"] {
            assert!(server(proven).parse_addresses().is_ok(), "{proven}");
        }
    }

    #[test]
    fn passwords_of_addresses_are_read_as_urls_write_them() {
        let check = |text: &str, expected: &str| assert_eq!(percent_decode(text), expected);
        check("word", "word");
        check("a%40b%2Fc", "a@b/c");
        check("100%", "100%");
        check("%zz%4", "%zz%4");
        check("%C3%A9", "é");
    }

    #[test]
    fn no_message_shows_a_password() {
        for url in ["http://me:secret@db1", "nats://me:1secret,2secret@db1", "me:x/secret@db1"] {
            let error = server(url).parse_addresses().unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
