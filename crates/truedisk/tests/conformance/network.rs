//! `ioengine=net`, each program at either end of a connection with the real fio.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use lab::Need;
use rustix::process::{Pid, Signal, kill_process};

use crate::harness::run::{Outcome, Side, run, words};
use crate::harness::{folder, gate};

type End = (Outcome, serde_json::Value);

/// Of datagrams, no more than a socket holds for a job that is late.
const BYTES: u64 = 1 << 16;

/// A port that was free a moment ago.
fn free_port() -> u16 {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    UdpSocket::bind(("127.0.0.1", tcp)).map_or_else(|_| free_port(), |_| tcp)
}

fn start(side: Side, job: &str, folder: &Path) -> End {
    let mut all = vec!["--output-format=json".to_owned(), "--ioengine=net".to_owned()];
    all.extend(words(&format!("--bs=1k --size=64k {job}")));
    let outcome = run(side, &all, folder, None, &[]).unwrap();
    // The real fio says on standard output that it waits.
    let json = outcome.stdout.find('{').map_or("null", |at| &outcome.stdout[at..]);
    let json = serde_json::from_str(json).unwrap();
    (outcome, json)
}

/// Waits until a table of the kernel's has a line with `marks`.
fn wait_for_socket(table: &str, marks: [&str; 2]) {
    let limit = Instant::now() + Duration::from_secs(30);
    let is_there = || {
        let text = fs::read_to_string(format!("/proc/net/{table}")).unwrap();
        text.lines().any(|line| marks.iter().all(|mark| line.contains(mark)))
    };
    while !is_there() {
        assert!(Instant::now() < limit, "{table}: {marks:?}");
        thread::sleep(Duration::from_millis(20)); // sleeps because the table cannot be awaited
    }
}

fn wait_for_port(table: &str, port: u16) {
    let state = if table == "tcp" { " 0A " } else { " 07 " };
    wait_for_socket(table, [&format!(":{port:04X} 00000000:0000"), state]);
}

/// The results of both ends: the one that receives waits for the one that sends.
fn connect(sides: [Side; 2], protocol: &str, more: &str) -> [End; 2] {
    let root = folder().unwrap();
    let (path, port) = (root.path().join("socket"), free_port());
    let common = match protocol {
        "unix" => format!("--protocol=unix --hostname={}", path.display()),
        _ => format!("--protocol={protocol} --port={port}"),
    };
    let listens = if protocol == "tcp" { "--listen" } else { "" };
    let connects = if protocol == "unix" { "" } else { "--hostname=127.0.0.1" };
    let receiver = format!("--name=rx --rw=read {common} {more} {listens}");
    let sender = format!("--name=tx --rw=write {common} {more} {connects}");
    let folders = ["rx", "tx"].map(|name| root.path().join(name));
    folders.iter().for_each(|folder| fs::create_dir(folder).unwrap());
    thread::scope(|scope| {
        let receiving = scope.spawn(|| start(sides[0], &receiver, &folders[0]));
        match protocol {
            "unix" => wait_for_socket("unix", [path.to_str().unwrap(), " 00010000 "]),
            table => wait_for_port(table, port),
        }
        let sent = start(sides[1], &sender, &folders[1]);
        let received = receiving.join().unwrap();
        assert!(sides[0] == Side::Real || !path.exists(), "{sides:?}");
        [received, sent]
    })
}

fn bytes(end: &End, way: &str) -> u64 {
    end.1["jobs"][0][way]["io_bytes"].as_u64().unwrap()
}

#[test]
fn both_ends_count_the_same_bytes_with_fio_at_either_end() {
    lab::skip_unless!(Need::Program("fio"));
    let _pass = gate::enter(gate::Company::Any);
    for sides in [[Side::Ours, Side::Real], [Side::Real, Side::Ours], [Side::Ours; 2]] {
        for (protocol, more) in
            [("tcp", ""), ("tcp", "--pingpong"), ("unix", ""), ("unix", "--pingpong"), ("udp", "")]
        {
            let [rx, tx] = connect(sides, protocol, more);
            let case = format!("{sides:?} {protocol} {more} {rx:?} {tx:?}");
            // The real fio cannot send what closes a connection over a socket file (EISCONN).
            let status = sides.map(|side| i32::from(side == Side::Real && protocol == "unix"));
            assert_eq!([rx.0.status, tx.0.status], status, "{case}");
            assert_eq!(bytes(&tx, "write"), BYTES, "{case}");
            let in_parts = sides[0] == Side::Real && (protocol, more) == ("tcp", "");
            match bytes(&rx, "read") {
                // The real fio counts what comes in parts as less than it is.
                less if in_parts => assert!((1..=BYTES).contains(&less), "{case}"),
                all => assert_eq!(all, BYTES, "{case}"),
            }
        }
    }
}

#[test]
fn rates_of_connections_are_in_bits_as_fios_are() {
    lab::skip_unless!(Need::Program("fio"));
    let _pass = gate::enter(gate::Company::Any);
    let root = folder().unwrap();
    for side in [Side::Ours, Side::Real] {
        let port = free_port();
        let jobs = format!(
            "--bs=1k --size=64k --ioengine=net --port={port} --name=rx --rw=read --listen \
             --name=tx --bs=1k --size=64k --ioengine=net --port={port} --rw=write --startdelay=1 \
             --hostname=127.0.0.1"
        );
        let outcome = run(side, &words(&jobs), root.path(), None, &[]).unwrap();
        assert_eq!(outcome.status, 0, "{outcome:?}");
        let rates =
            outcome.stdout.lines().filter(|line| line.contains("BW=") || line.contains("bw="));
        let rates: Vec<_> = rates.collect();
        assert_eq!(rates.len(), 4, "{outcome:?}");
        assert!(rates.iter().all(|line| line.contains("bit/s (")), "{outcome:?}");
    }
}

#[test]
fn jobs_of_one_file_connect_over_a_socket_file_that_is_removed() {
    let _pass = gate::enter(gate::Company::Any);
    let root = folder().unwrap();
    let path = root.path().join("socket");
    let name = format!("--hostname={}", path.display());
    // The sender comes first, and starts later.
    let jobs = format!(
        "--protocol=unix --name=tx --rw=write --startdelay=1 {name} \
         --name=rx --ioengine=net --protocol=unix --bs=1k --size=64k --rw=read {name}"
    );
    let (outcome, json) = start(Side::Ours, &jobs, root.path());
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert_eq!(json["jobs"][0]["write"]["io_bytes"].as_u64(), Some(BYTES));
    assert_eq!(json["jobs"][1]["read"]["io_bytes"].as_u64(), Some(BYTES));
    // The time without a sender does not count.
    assert!(json["jobs"][1]["read"]["runtime"].as_u64().unwrap() < 900, "{json}");
    assert!(!path.exists());
    // A file that exists stays.
    fs::write(&path, "data").unwrap();
    let job = format!("--protocol=unix --name=rx --rw=read {name}");
    let (outcome, _) = start(Side::Ours, &job, root.path());
    assert!(outcome.status != 0 && outcome.stderr.contains("it is in use"), "{outcome:?}");
    assert_eq!(fs::read(&path).unwrap(), b"data");
}

/// The job that receives from what `acts` as the other end.
fn receive_from(more: &str, acts: impl FnOnce(TcpStream)) -> End {
    let (root, port) = (folder().unwrap(), free_port());
    let job = format!("--name=rx --rw=read --port={port} --listen {more}");
    thread::scope(|scope| {
        let receiving = scope.spawn(|| start(Side::Ours, &job, root.path()));
        wait_for_port("tcp", port);
        acts(TcpStream::connect(("127.0.0.1", port)).unwrap());
        receiving.join().unwrap()
    })
}

#[test]
fn an_end_that_is_cut_or_silent_or_speaks_otherwise_hangs_no_job() {
    let _pass = gate::enter(gate::Company::Any);
    // Part of a block is no block.
    let cut = receive_from("", |mut peer| peer.write_all(&[7; 1500]).unwrap());
    assert_eq!((cut.0.status, cut.1["jobs"][0]["error"].as_u64()), (1, Some(104)), "{cut:?}");
    assert_eq!(bytes(&cut, "read"), 1024, "{cut:?}");
    let cut = receive_from("--pingpong", |mut peer| {
        peer.write_all(&[7; 1024]).unwrap();
        peer.read_exact(&mut [0; 1024]).unwrap();
    });
    assert_eq!((cut.0.status, cut.1["jobs"][0]["error"].as_u64()), (1, Some(104)), "{cut:?}");
    assert_eq!(bytes(&cut, "read"), 1024, "{cut:?}");
    let silent = receive_from("--runtime=1", |mut peer| drop(peer.read(&mut [0])));
    assert_eq!((silent.0.status, bytes(&silent, "read")), (0, 0), "{silent:?}");
    // A datagram that opens no connection.
    let (root, port) = (folder().unwrap(), free_port());
    let job = format!("--name=rx --rw=read --port={port} --protocol=udp");
    let (outcome, _) = thread::scope(|scope| {
        let receiving = scope.spawn(|| start(Side::Ours, &job, root.path()));
        wait_for_port("udp", port);
        let other = UdpSocket::bind("127.0.0.1:0").unwrap();
        other.send_to(b"garbage", ("127.0.0.1", port)).unwrap();
        receiving.join().unwrap()
    });
    assert_eq!(outcome.status, 1, "{outcome:?}");
    assert!(outcome.stderr.contains("opens no connection"), "{outcome:?}");
}

#[test]
fn a_job_that_waits_for_the_other_end_is_stopped_at_once() {
    let check = |ends: &str, port: u16, acts: &dyn Fn() -> Vec<TcpStream>| {
        let root = folder().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_truedisk"));
        command.args(words(&format!("fio --name=a --ioengine=net --size=1m --port={port} {ends}")));
        let mut child = command.current_dir(root.path()).stdout(Stdio::null()).spawn().unwrap();
        let _peers = acts();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let stopped = Instant::now();
        assert_eq!(child.wait().unwrap().code(), Some(128), "{ends}");
        assert!(stopped.elapsed() < Duration::from_secs(5), "{ends}: {:?}", stopped.elapsed());
    };
    let listens = "--rw=read --listen";
    let port = free_port();
    check(listens, port, &|| {
        wait_for_port("tcp", port);
        Vec::new()
    });
    let port = free_port();
    check(listens, port, &|| {
        wait_for_port("tcp", port);
        let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
        wait_for_socket("tcp", [&format!(":{port:04X} 0100007F:"), " 01 "]);
        vec![silent]
    });
    // Where no more connections are taken, no answer comes.
    let full = TcpListener::bind("127.0.0.1:0").unwrap();
    rustix::net::listen(&full, 0).unwrap();
    let port = full.local_addr().unwrap().port();
    let _queued = TcpStream::connect(("127.0.0.1", port)).unwrap();
    check("--rw=write --hostname=127.0.0.1", port, &|| {
        wait_for_socket("tcp", [&format!(" 0100007F:{port:04X} 02 "), ""]);
        Vec::new()
    });
}

#[test]
fn what_is_no_connection_is_refused() {
    let root = folder().unwrap();
    let check = |job: &str, reason: &str| {
        let (outcome, _) = start(Side::Ours, &format!("--name=a {job}"), root.path());
        assert_ne!(outcome.status, 0, "{job}");
        assert!(outcome.stderr.contains(reason), "{job}: {outcome:?}");
    };
    check("--rw=randread --port=1 --listen", "cannot be random");
    check("--rw=read", "needs port");
    check("--rw=read --port=1", "needs hostname, or listen");
    check("--rw=rw --port=1 --listen", "rw=read or rw=write");
    check("--rw=read --port=1 --protocol=udp --listen", "listen is for TCP");
    check("--rw=read --port=1 --listen --verify=crc32c", "leave verify out");
    // Nobody listens.
    let (outcome, json) = start(
        Side::Ours,
        &format!("--name=a --rw=write --hostname=127.0.0.1 --port={}", free_port()),
        root.path(),
    );
    assert_eq!((outcome.status, json["jobs"][0]["error"].as_u64()), (1, Some(111)));
    assert!(outcome.stderr.contains("start the other end"), "{outcome:?}");
}
