//! Hosts of one machine: network namespaces on one bridge, some with a clock of their own. The
//! bridge is in a namespace too, so nothing of ours is among the machine's own links. All hosts see
//! the machine's devices and file systems, as a SAN would be.

pub(crate) mod network_namespace;
mod time_namespace;

use std::ffi::OsStr;
use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;
use std::time::Duration;

use crate::{LabError, Result, Scratch};
use network_namespace::NetworkNamespace;
use time_namespace::TimeNamespace;

/// The bridge, in the hub.
const BRIDGE: &str = "br0";

/// A host's only link, beside its loopback.
const LINK: &str = "eth0";

/// The hub's number in the network 10.77.0.0/24; hosts count from 1.
const HUB_NUMBER: u8 = 254;

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
    pub fn new(count: u8) -> Result<Hosts> {
        Hosts::with_clocks(count, &[])
    }

    /// `count` hosts; the clocks of those named are ahead of the machine's by whole seconds.
    /// Fails when there are none or more than 253, a clock is set on a host that is not there, or
    /// the kernel has no network or time namespaces for us.
    pub fn with_clocks(count: u8, clocks: &[(usize, Duration)]) -> Result<Hosts> {
        if count == 0 || count >= HUB_NUMBER {
            return Err(LabError::unusable(BRIDGE, format!("cannot join {count} hosts")));
        }
        if let Some((host, _)) = clocks.iter().find(|(host, _)| *host >= usize::from(count)) {
            return Err(LabError::unusable(BRIDGE, format!("has no host {host} with a clock")));
        }
        let scratch = Scratch::new()?;
        let hub = Host::new("hub".to_owned(), HUB_NUMBER, None)?;
        let create = |n: u8| {
            let name = format!("h{}", n + 1);
            let ahead = clocks.iter().find(|(host, _)| *host == usize::from(n));
            let path = scratch.path().join(format!("clock-{name}"));
            let clock = ahead.map(|(_, by)| TimeNamespace::create_ahead(*by, &path)).transpose()?;
            Host::new(name, n + 1, clock)
        };
        let hosts: Result<Vec<Host>> = (0..count).map(create).collect();
        let hosts = Hosts { hosts: hosts?, hub, scratch };
        hosts.connect_hosts()?;
        Ok(hosts)
    }

    /// The host with the bridge: a place for servers, and for the coordinator.
    pub fn hub(&self) -> &Host {
        &self.hub
    }

    /// All but the hub: `h1`, `h2`, ...
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Takes a host off the network, as when its cable is pulled.
    pub fn disconnect_host(&self, host: &Host) -> Result<()> {
        self.hub.namespace.run_ip(&["link", "set", &host.name, "down"])
    }

    /// Puts a host back that was off the network.
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
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the others reach it.
    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// A program that is to run on this host. Who kills its process kills the program.
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
