//! The owner of an allowed folder exchanges a folder in it for a link out of it, all the time, and
//! leads no agent elsewhere.

use std::fs;
use std::os::unix::fs::symlink;

use lab::{Exchange, NatsServer, Need, Scratch, skip_unless};

use crate::here::{Agent, complaint, fleet};
use crate::support::run;

/// Each takes seconds: hundreds are given in `method`, without a server.
const ORDERS: usize = 4;

#[test]
fn an_agent_is_led_nowhere_by_the_owner_of_its_folder() {
    skip_unless!(Need::Program("nats-server"));
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let (data, out) = (room.join("data"), room.join("out"));
    let sub = data.join("sub");
    fs::create_dir_all(&sub).unwrap();
    fs::create_dir(&out).unwrap();
    symlink(&out, data.join("link")).unwrap();
    let leftover = b"truedisk test file 1\nid dead\n";
    fs::write(out.join(".truedisk-dead.tmp"), leftover).unwrap();
    let server = NatsServer::new_here().unwrap();
    let url = server.url();
    let agent = Agent::start(room, &["--nats", &url]);
    let exchange = Exchange::start(&sub, &data.join("link"));
    let (mut done, mut refused) = (0, 0);
    for order in 0..ORDERS {
        let job = room.join("jobs.fio");
        let name = sub.join(format!("new-{order}/file"));
        let text = format!("[w]\nfilename={}\nrw=write\nsize=64k\n", name.display());
        fs::write(&job, text).unwrap();
        let mut command = fleet(&["--nats", &url, "fio"]);
        command.arg(&job);
        if order % 4 == 3 {
            command = fleet(&["--nats", &url, "sweep", "--rw", "randread", "--bs", "4k"]);
            command.args(["--depth", "1", "--size", "16m", "--precision", "1%"]);
            command.args(["--cell-max", "500ms", "--budget", "1s", "--no-history"]).arg(&sub);
        }
        let output = run(command);
        match output.status.success() {
            true => done += 1,
            false => refused += 1,
        }
        // For whoever runs it with --nocapture.
        println!("{order}: {} {}", output.status, complaint(&output));
    }
    drop(exchange);
    let left: Vec<_> =
        fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".truedisk-dead.tmp"], "{done} done, {refused} refused: {}", agent.said());
    assert_eq!(fs::read(out.join(".truedisk-dead.tmp")).unwrap(), leftover);
    // In peace, an order is done.
    let mut command = fleet(&["--nats", &url, "fio"]);
    command.arg(room.join("jobs.fio"));
    let output = run(command);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(sub.join(format!("new-{}/file", ORDERS - 1)).exists());
}
