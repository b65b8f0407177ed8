//! A nats-server of a test's own.

use std::fs;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::authority::Certificate;
use super::daemon::{Daemon, server_command};
use crate::{Host, LabError, Result, Scratch};

/// How long it may take until it listens; a tenth of a second is usual.
const START_LIMIT: Duration = Duration::from_secs(10);

/// The port on a host, where nobody else is.
const PORT: u16 = 4222;

#[derive(Debug, Clone, Default)]
pub struct NatsOptions {
    jetstream: bool,
    monitored: bool,
    certificate: Option<Certificate>,
    settings: String,
}

impl NatsOptions {
    /// With streams, kept in files that outlive a [`restart`](NatsServer::restart).
    pub fn jetstream(mut self) -> NatsOptions {
        self.jetstream = true;
        self
    }

    /// With its account of connections and messages, at [`monitoring`](NatsServer::monitoring).
    pub fn monitored(mut self) -> NatsOptions {
        self.monitored = true;
        self
    }

    /// With TLS, and nothing without it.
    pub fn tls(mut self, certificate: &Certificate) -> NatsOptions {
        self.certificate = Some(certificate.clone());
        self
    }

    /// For this user only.
    pub fn user(self, name: &str, password: &str) -> NatsOptions {
        let users = format!("{{ user: \"{name}\", password: \"{password}\" }}");
        self.settings(&format!("authorization {{ users: [ {users} ] }}\n"))
    }

    /// Only for clients with the seed of this public nkey (`U...`).
    pub fn nkey(self, public: &str) -> NatsOptions {
        self.settings(&format!("authorization {{ users: [ {{ nkey: \"{public}\" }} ] }}\n"))
    }

    /// Further lines of its configuration, as nats-server reads them.
    pub fn settings(mut self, lines: &str) -> NatsOptions {
        self.settings += lines;
        self
    }

    /// Starts it on this machine's loopback, at a free port.
    /// Fails when nats-server is missing, refuses its configuration, or does not come up.
    pub fn start(self) -> Result<NatsServer> {
        NatsServer::new(self, None)
    }

    pub fn start_on(self, host: &Host) -> Result<NatsServer> {
        NatsServer::new(self, Some(host))
    }
}

/// A running nats-server; killed on drop, and its streams removed.
#[derive(Debug)]
pub struct NatsServer {
    daemon: Option<Daemon>,
    /// Without its port, which the first start finds out.
    options: NatsOptions,
    address: Ipv4Addr,
    port: u16,
    monitoring: Option<u16>,
    scratch: Scratch,
}

impl NatsServer {
    /// One without streams, TLS or users, on this machine's loopback.
    pub fn start_on_loopback() -> Result<NatsServer> {
        NatsServer::options().start()
    }

    /// One that differs from [`NatsServer::start_on_loopback`].
    pub fn options() -> NatsOptions {
        NatsOptions::default()
    }

    fn new(options: NatsOptions, on: Option<&Host>) -> Result<NatsServer> {
        let scratch = Scratch::new()?;
        let address = on.map_or(Ipv4Addr::LOCALHOST, Host::address);
        let port = if on.is_some() { PORT } else { 0 };
        let monitoring = None;
        let mut server = NatsServer { daemon: None, options, address, port, monitoring, scratch };
        server.launch(on)?;
        Ok(server)
    }

    /// Where clients find it: `nats://127.0.0.1:41327`, or `tls://...`.
    pub fn url(&self) -> String {
        let scheme = if self.options.certificate.is_some() { "tls" } else { "nats" };
        format!("{scheme}://{}:{}", self.address, self.port)
    }

    /// Where it tells of itself by HTTP: `127.0.0.1:41328`, of a monitored one.
    pub fn monitoring(&self) -> Option<String> {
        self.monitoring.map(|port| format!("{}:{port}", self.address))
    }

    /// Its process, while it runs.
    pub fn pid(&self) -> Option<u32> {
        self.daemon.as_ref().map(Daemon::pid)
    }

    /// What it wrote to its log so far.
    pub fn read_log(&self) -> Result<String> {
        let log = self.log_path();
        fs::read_to_string(&log).map_err(|e| LabError::io("read", &log, e))
    }

    /// Ends it; its streams and its port stay its own. Fails when it does not end.
    pub fn stop(&mut self) -> Result<()> {
        self.daemon.take().map_or(Ok(()), Daemon::stop)
    }

    /// Kills it, as when its machine fails.
    pub fn kill(&mut self) {
        self.daemon = None;
    }

    /// Starts it again where it was, on the host it was on, with the streams it had.
    pub fn restart(&mut self, on: Option<&Host>) -> Result<()> {
        self.stop()?;
        self.launch(on)
    }

    fn launch(&mut self, on: Option<&Host>) -> Result<()> {
        let ports = self.scratch.path().join("ports");
        // Of an earlier start.
        let _ = fs::remove_dir_all(&ports);
        fs::create_dir(&ports).map_err(|e| LabError::io("create", &ports, e))?;
        let settings = self.scratch.path().join("nats.conf");
        fs::write(&settings, self.config_text(&ports))
            .map_err(|e| LabError::io("write", &settings, e))?;
        let mut command = server_command("nats-server", on);
        command.arg("--config").arg(&settings);
        let mut daemon = Daemon::start(command, &self.log_path())?;
        let (mut port, mut monitoring) = (None, None);
        daemon.wait_until("listen", START_LIMIT, || {
            let text = read_ports_file(&ports)?;
            port = parse_port(&text, "nats");
            monitoring = parse_port(&text, "monitoring");
            Ok(port.is_some() && (monitoring.is_some() || !self.options.monitored))
        })?;
        self.port = port.unwrap_or(self.port);
        self.monitoring = monitoring;
        self.daemon = Some(daemon);
        Ok(())
    }

    fn log_path(&self) -> PathBuf {
        self.scratch.path().join("nats.log")
    }

    fn config_text(&self, ports: &Path) -> String {
        // Its word for a free port is -1.
        let port = if self.port == 0 { "-1".to_owned() } else { self.port.to_string() };
        let (address, ports) = (self.address, ports.display());
        let mut lines = format!("host: \"{address}\"\nport: {port}\nports_file_dir: \"{ports}\"\n");
        if self.options.monitored {
            lines += "http_port: -1\n";
        }
        if self.options.jetstream {
            let store = self.scratch.path().join("streams");
            let sizes = "max_memory_store: 64MB, max_file_store: 1GB";
            lines += &format!("jetstream {{ store_dir: \"{}\", {sizes} }}\n", store.display());
        }
        if let Some(Certificate { chain, key }) = &self.options.certificate {
            let (chain, key) = (chain.display(), key.display());
            lines +=
                &format!("tls {{ cert_file: \"{chain}\", key_file: \"{key}\", timeout: 5 }}\n");
        }
        lines + &self.options.settings
    }
}

/// The file that nats-server writes when it listens; nothing before.
fn read_ports_file(folder: &Path) -> Result<String> {
    let entries = fs::read_dir(folder).map_err(|e| LabError::io("list", folder, e))?;
    let Some(file) = entries.flatten().next() else { return Ok(String::new()) };
    Ok(fs::read_to_string(file.path()).unwrap_or_default())
}

/// The port of the first URL of a kind: `{"nats":["nats://127.0.0.1:41327"], ...}`.
fn parse_port(text: &str, kind: &str) -> Option<u16> {
    let (_, urls) = text.split_once(&format!("\"{kind}\""))?;
    let (urls, _) = urls.split_once(']').unwrap_or((urls, ""));
    let (_, url) = urls.split_once("://")?;
    let (authority, _) = url.split_once('"')?;
    authority.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_from_the_ports_file() {
        let check = |text: &str, nats, monitoring| {
            assert_eq!(parse_port(text, "nats"), nats, "{text}");
            assert_eq!(parse_port(text, "monitoring"), monitoring, "{text}");
        };
        check("{\"nats\":[\"nats://127.0.0.1:41327\"],\"monitoring\":[]}", Some(41327), None);
        let both = "{\"nats\":[\"nats://127.0.0.1:4\"],\"monitoring\":[\"http://127.0.0.1:5\"]}";
        check(both, Some(4), Some(5));
        // One that monitors nothing, before one that does.
        check("{\"monitoring\":[],\"nats\":[\"nats://127.0.0.1:7\"]}", Some(7), None);
        check("{\n  \"nats\": [\n    \"tls://10.77.0.254:4222\"\n  ]\n}", Some(4222), None);
        check("{\"nats\":[\"nats://127.0.0.1:41", None, None);
        check("", None, None);
    }
}
