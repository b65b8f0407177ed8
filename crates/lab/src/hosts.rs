//! Hosts of one machine: network namespaces on one bridge, some with a clock of their own.
//!
//! The bridge stands in a namespace as well, the hub, so that nothing of ours is among the
//! machine's own links, and two tests may use the same addresses. A device or a file system of
//! the machine is seen by all hosts, as a SAN would be.

pub(crate) mod network_namespace;
mod time_namespace;

use std::ffi::OsStr;
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Duration;

use crate::scratch::Scratch;
use crate::{LabError, Result};
use network_namespace::NetworkNamespace;
use time_namespace::TimeNamespace;

/// The bridge, in the hub.
const BRIDGE: &str = "br0";

/// A host's only link, beside its loopback.
const LINK: &str = "eth0";

/// The hub's number in the network 10.77.0.0/24; hosts count from 1.
const HUB_NUMBER: u8 = 254;

/// How hosts are to be; ends with [`join`](HostOptions::join).
#[derive(Debug, Clone)]
pub struct HostOptions {
    count: u8,
    clock_offsets: Vec<(usize, Duration)>,
}

impl HostOptions {
    /// Sets a host's monotonic clock ahead of the machine's, by whole seconds.
    #[must_use]
    pub fn clock_ahead(mut self, host: usize, by: Duration) -> HostOptions {
        self.clock_offsets.push((host, by));
        self
    }

    /// Makes the hosts and joins them.
    /// Fails when there are none or more than 253, a clock is set on a host that is not there, or
    /// the kernel has no network or time namespaces for us.
    pub fn create_hosts(self) -> Result<Hosts> {
        if self.count == 0 || self.count >= HUB_NUMBER {
            return Err(LabError::unusable(BRIDGE, format!("cannot join {} hosts", self.count)));
        }
        if let Some((host, _)) =
            self.clock_offsets.iter().find(|(h, _)| *h >= usize::from(self.count))
        {
            return Err(LabError::unusable(BRIDGE, format!("has no host {host} with a clock")));
        }
        let scratch = Scratch::new()?;
        let hub = Host::new("hub".to_owned(), HUB_NUMBER, None)?;
        let hosts: Result<Vec<Host>> =
            (0..self.count).map(|n| self.create_host(usize::from(n), n + 1, &scratch)).collect();
        let hosts = Hosts { hosts: hosts?, hub, scratch };
        hosts.connect_hosts()?;
        Ok(hosts)
    }

    fn create_host(&self, index: usize, number: u8, scratch: &Scratch) -> Result<Host> {
        let name = format!("h{number}");
        let ahead = self.clock_offsets.iter().find(|(host, _)| *host == index);
        let path = scratch.path().join(format!("clock-{name}"));
        let clock = ahead.map(|(_, by)| TimeNamespace::create_ahead(*by, &path)).transpose()?;
        Host::new(name, number, clock)
    }
}

/// Hosts on one bridge; everything that runs on them is killed, and they go, on drop.
#[derive(Debug)]
pub struct Hosts {
    /// Before the hub: with their namespaces go their ends of the links.
    hosts: Vec<Host>,
    hub: Host,
    /// Has the clocks' files, so it goes last.
    scratch: Scratch,
}

impl Hosts {
    /// `count` hosts, with the machine's clock.
    /// Fails as [`HostOptions::join`].
    pub fn new(count: u8) -> Result<Hosts> {
        Hosts::options(count).create_hosts()
    }

    /// Hosts that differ from [`Hosts::new`].
    #[must_use]
    pub fn options(count: u8) -> HostOptions {
        HostOptions { count, clock_offsets: Vec::new() }
    }

    /// The host with the bridge: a place for servers, and for the coordinator.
    #[must_use]
    pub fn hub(&self) -> &Host {
        &self.hub
    }

    /// All but the hub: `h1`, `h2`, ...
    #[must_use]
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Takes a host off the network, as when its cable is pulled: what it sends and is sent is
    /// lost, without an error.
    /// Fails when the host is none of these.
    pub fn disconnect_host(&self, host: &Host) -> Result<()> {
        self.hub.namespace.run_ip(&["link", "set", &host.name, "down"])
    }

    /// Puts an unplugged host back.
    /// Fails as [`Hosts::disconnect_host`].
    pub fn reconnect_host(&self, host: &Host) -> Result<()> {
        self.hub.namespace.run_ip(&["link", "set", &host.name, "up"])
    }

    /// Lays the links. A file of lines for `ip` costs one process per host instead of seven.
    fn connect_hosts(&self) -> Result<()> {
        // The alias tells whose link it is, should one be found elsewhere.
        let alias = self.hub.namespace.name();
        let mut lines = format!(
            "link set lo up\nlink add name {BRIDGE} type bridge\n\
             link set {BRIDGE} alias {alias} up\n\
             address add {}/24 dev {BRIDGE}\n",
            self.hub.address
        );
        for host in &self.hosts {
            let (port, space) = (&host.name, host.namespace.name());
            lines += &format!(
                "link add name {port} type veth peer name {LINK} netns {space}\n\
                 link set {port} alias {alias} master {BRIDGE} up\n"
            );
        }
        self.run_ip_lines(&self.hub, &lines)?;
        for host in &self.hosts {
            let lines = format!(
                "link set lo up\naddress add {}/24 dev {LINK}\nlink set {LINK} up\n",
                host.address
            );
            self.run_ip_lines(host, &lines)?;
        }
        Ok(())
    }

    fn run_ip_lines(&self, host: &Host, lines: &str) -> Result<()> {
        let path = self.scratch.path().join(format!("links-{}", host.name));
        fs::write(&path, lines).map_err(|e| LabError::io("write", &path, e))?;
        host.namespace.run_ip_batch(&path)
    }
}

/// One host.
#[derive(Debug)]
pub struct Host {
    name: String,
    address: Ipv4Addr,
    namespace: NetworkNamespace,
    /// After the processes that have it, which go with the space: fields are dropped in order.
    clock: Option<TimeNamespace>,
}

impl Host {
    fn new(name: String, number: u8, clock: Option<TimeNamespace>) -> Result<Host> {
        let space = NetworkNamespace::new(&format!("host-{name}"))?;
        Ok(Host { address: Ipv4Addr::new(10, 77, 0, number), name, namespace: space, clock })
    }

    /// `h1`, or `hub`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the others reach it.
    #[must_use]
    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// A program that is to run on this host. Its process is the child itself, with no other
    /// between: who kills the child kills the program.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut inside = Command::new("nsenter");
        inside.arg("--no-fork").arg(format_option("--net=", self.namespace.path().as_os_str()));
        if let Some(clock) = &self.clock {
            inside.arg(format_option("--time=", clock.path().as_os_str()));
        }
        inside.arg("--").arg(program);
        inside
    }
}

fn format_option(name: &str, value: &OsStr) -> std::ffi::OsString {
    let mut word = std::ffi::OsString::from(name);
    word.push(value);
    word
}
