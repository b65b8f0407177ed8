//! The owner of an allowed folder exchanges a folder in it for a link out of it, all the time, and
//! leads no agent elsewhere.

use std::fs;
use std::os::unix::fs::symlink;

use lab::{NameExchanger, NatsServer, Need, Scratch, skip_unless};

use crate::support::local_agents::{Agent, complaint, fleet};
use crate::support::{beside, run};

/// Each takes 2 s: hundreds are given in `method`, without a server.
const ORDERS: usize = 4;

/// What an agent says that meets a link, or its target, in place of the folder.
const REFUSALS: [&str; 3] = [
    "is not among the paths that this agent allows",
    "it is a symbolic link",
    "it leads outside the allowed folder",
];

#[test]
fn an_agent_is_led_nowhere_by_the_owner_of_its_folder() {
    skip_unless!(Need::Program("nats-server"));
    let _beside = beside();
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let (data, out) = (room.join("data"), room.join("out"));
    let sub = data.join("sub");
    fs::create_dir_all(&sub).unwrap();
    fs::create_dir(&out).unwrap();
    symlink(&out, data.join("link")).unwrap();
    let leftover = b"truedisk test file 1\nid dead\n";
    fs::write(out.join(".truedisk-dead.tmp"), leftover).unwrap();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let agent = Agent::start(room, &["--nats", &url]);
    let exchange = NameExchanger::start(&sub, &data.join("link"));
    let mut written = Vec::new();
    for order in 0..ORDERS {
        let job = room.join("jobs.fio");
        let name = sub.join(format!("new-{order}/file"));
        let is_sweep = order % 4 == 3;
        let text = format!("[w]\nfilename={}\nrw=write\nsize=64k\n", name.display());
        fs::write(&job, text).unwrap();
        let mut command = fleet(&["--nats", &url, "fio"]);
        command.arg(&job);
        if is_sweep {
            command = fleet(&["--nats", &url, "sweep", "--rw", "randread", "--bs", "4k"]);
            command.args(["--depth", "1", "--size", "16m", "--precision", "1%"]);
            command.args(["--cell-max", "500ms", "--budget", "2s", "--no-history"]).arg(&sub);
        }
        let count = exchange.exchange_count();
        let output = run(command);
        assert!(exchange.exchange_count() > count, "{order}: nothing was exchanged");
        let said = complaint(&output);
        match output.status.code() {
            Some(0) if is_sweep => {}
            Some(0) => written.push(name),
            Some(4) => {
                let is_known = REFUSALS.iter().any(|words| said.contains(words));
                assert!(is_known, "{order}: {said}");
            }
            _ => panic!("{order}: {} {said}", output.status),
        }
    }
    drop(exchange);
    let left: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".truedisk-dead.tmp"], "{}", agent.read_output());
    assert_eq!(fs::read(out.join(".truedisk-dead.tmp")).unwrap(), leftover);
    for file in written {
        assert_eq!(fs::metadata(&file).unwrap().len(), 64 << 10, "{}", file.display());
    }
    // In peace, an order is done.
    let mut command = fleet(&["--nats", &url, "fio"]);
    command.arg(room.join("jobs.fio"));
    let output = run(command);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(sub.join(format!("new-{}/file", ORDERS - 1)).exists());
}
