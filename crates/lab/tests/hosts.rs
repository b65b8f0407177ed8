//! Hosts of one machine, and the servers of a fleet.

#![allow(clippy::unwrap_used, reason = "a test's helpers may fail the test")]

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lab::{CertificateAuthority, Host, Hosts, NatsServer, Need, Sshd, Validity, skip_unless};

/// What a program prints, trimmed; it must succeed.
fn stdout(mut command: Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Seconds since boot, by the clock of the process that runs it.
fn uptime(mut command: Command) -> f64 {
    command.arg("/proc/uptime");
    stdout(command).split(' ').next().unwrap().parse().unwrap()
}

/// Waits until a host's link has a carrier, or has none: the kernel tells it within a second.
fn wait_for_carrier(host: &Host, expected: bool) {
    let started = Instant::now();
    loop {
        let mut command = host.command("ip");
        command.args(["-brief", "link", "show", "eth0"]);
        let line = stdout(command);
        if line.contains("LOWER_UP") == expected && line.contains("NO-CARRIER") != expected {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{line}");
    }
}

#[test]
fn hosts_have_links_and_clocks_of_their_own_and_leave_nothing() {
    skip_unless!(Need::NetworkNamespaces, Need::TimeNamespaces);
    let ahead = Duration::from_secs(1000);
    let hosts = Hosts::with_clocks(2, &[(1, ahead)]).unwrap();
    let [h1, h2] = hosts.hosts() else { panic!("not two hosts") };
    assert_eq!((h1.name(), h2.name(), hosts.hub().name()), ("h1", "h2", "hub"));
    let apart = uptime(h2.command("cat")) - uptime(h1.command("cat"));
    assert!((apart - 1000.0).abs() < 60.0, "{apart} s apart");
    let here = uptime(Command::new("cat")) - uptime(h1.command("cat"));
    assert!(here.abs() < 60.0, "{here} s apart");

    hosts.hosts().iter().for_each(|host| wait_for_carrier(host, true));
    hosts.disconnect_host(h1).unwrap();
    wait_for_carrier(h1, false);
    wait_for_carrier(h2, true);
    hosts.reconnect_host(h1).unwrap();
    wait_for_carrier(h1, true);

    // The child is the program itself.
    let mut child = h2.command("sleep").arg("600").spawn().unwrap();
    let seen = || std::fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap();
    while seen().trim() != "sleep" {
        std::thread::yield_now();
    }
    let spaces = || {
        let listed = std::fs::read_dir("/run/netns").unwrap().flatten();
        let names = listed.map(|entry| entry.file_name().into_string().unwrap());
        let ours = format!("{}{}-", lab::PREFIX, std::process::id());
        names.filter(|name| name.starts_with(&ours) && name.contains("host")).count()
    };
    assert!(spaces() >= 3);
    let links = || std::fs::read_dir("/sys/class/net").unwrap().count();
    let before = links();
    drop(hosts);
    assert!(child.wait().unwrap().code().is_none(), "what ran there was killed");
    assert_eq!(links(), before, "no link of ours was, or is, among the machine's");
}

#[test]
fn an_order_for_no_hosts_is_refused() {
    let refused = |count, clocks: &[_]| Hosts::with_clocks(count, clocks).unwrap_err().to_string();
    assert!(refused(0, &[]).contains("0 hosts"));
    assert!(refused(254, &[]).contains("254 hosts"));
    let late = [(2, Duration::from_secs(1))];
    assert!(refused(2, &late).contains("no host 2"));
}

#[test]
fn ssh_leads_from_host_to_host() {
    skip_unless!(Need::NetworkNamespaces, Need::Program("sshd"), Need::Program("ssh"));
    let hosts = Hosts::new(2).unwrap();
    let sshd = Sshd::start_on_hosts(hosts.hosts()).unwrap();
    for host in hosts.hosts() {
        let mut command = hosts.hub().command(sshd.client_folder().join("ssh"));
        command.args(["-o", "BatchMode=yes", host.name(), "ip -brief address show eth0"]);
        assert!(stdout(command).contains(&host.address().to_string()));
    }
    let mut stranger = hosts.hub().command("ssh");
    stranger.args(["-F", "/dev/null", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes"]);
    stranger.args([&hosts.hosts()[0].address().to_string(), "true"]);
    let refused = stranger.stdin(Stdio::null()).output().unwrap();
    assert!(!refused.status.success(), "without its keys nobody comes in");
}

/// What a NATS server says first to a client.
fn greeting(server: &NatsServer) -> String {
    let address = server.url();
    let (_, address) = address.split_once("://").unwrap();
    let mut line = String::new();
    BufReader::new(TcpStream::connect(address).unwrap()).read_line(&mut line).unwrap();
    line
}

#[test]
fn a_nats_server_is_what_it_was_asked_to_be_and_comes_back_where_it_was() {
    skip_unless!(Need::Program("nats-server"), Need::Program("openssl"));
    let mut plain = NatsServer::options().jetstream().start().unwrap();
    let url = plain.url();
    assert!(url.starts_with("nats://127.0.0.1:"), "{url}");
    let said = greeting(&plain);
    assert!(said.starts_with("INFO ") && said.contains("\"jetstream\":true"), "{said}");
    assert!(!said.contains("\"auth_required\":true"), "{said}");
    let pid = plain.pid().unwrap();
    plain.restart(None).unwrap();
    assert_eq!(plain.url(), url);
    assert_ne!(plain.pid(), Some(pid));
    assert!(greeting(&plain).contains("\"jetstream\":true"));
    plain.stop().unwrap();
    assert!(plain.pid().is_none() && !Path::new(&format!("/proc/{pid}")).exists());

    let authority = CertificateAuthority::new().unwrap();
    let here = [std::net::Ipv4Addr::LOCALHOST];
    let certificate = authority.issue("server", &here, Validity::Now).unwrap();
    let closed = NatsServer::options().tls(&certificate).user("lab", "word").start().unwrap();
    assert!(closed.url().starts_with("tls://"));
    let said = greeting(&closed);
    assert!(said.contains("\"tls_required\":true") && said.contains("\"auth_required\":true"));
}

#[test]
fn a_server_that_does_not_start_says_why() {
    skip_unless!(Need::Program("nats-server"));
    let error = NatsServer::options().settings("no_such_setting: 1\n").start().unwrap_err();
    assert!(error.to_string().contains("no_such_setting"), "{error}");
}

#[test]
fn certificates_hold_between_their_days_for_their_addresses_only() {
    skip_unless!(Need::Program("openssl"));
    let authority = CertificateAuthority::new().unwrap();
    let other = CertificateAuthority::new().unwrap();
    let address = [std::net::Ipv4Addr::new(10, 77, 0, 254)];
    let good = authority.issue("good", &address, Validity::Now).unwrap();
    let past = authority.issue("past", &address, Validity::Past).unwrap();
    let verifies = |by: &CertificateAuthority, chain: &Path, ip: &str| {
        let mut command = Command::new("openssl");
        command.args(["verify", "-verify_ip", ip, "-CAfile"]);
        command.arg(by.certificate()).arg(chain);
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let here = "10.77.0.254";
    let (good_verifies, why) = verifies(&authority, &good.chain, here);
    assert!(good_verifies, "{why}");
    let (verified, why) = verifies(&authority, &past.chain, here);
    assert!(!verified && why.contains("expired"), "{why}");
    assert!(!verifies(&other, &good.chain, here).0, "another authority's");
    assert!(!verifies(&authority, &good.chain, "10.77.0.1").0, "another address");
}
