//! Orders that are forged, damaged, or go beyond what an agent allows.

use std::path::Path;
use std::process::Stdio;

use lab::{NatsServer, Need, Scratch, skip_unless};

use crate::digest;
use crate::support::agent_hosts::wait;
use crate::support::local_agents::{Agent, LIMIT, Raw, fleet};

/// The first order of a verb that a real coordinator sends to an agent, which then ends. On a busy
/// host a coordinator may give up before the agent has answered: then another one asks.
fn overhear(room: &Path, server: &NatsServer, verb: &str, words: &[&str]) -> String {
    let _agent = Agent::start(room, &["--nats", &server.url()]);
    let mut ear = Raw::new(server);
    ear.send(format!("SUB truedisk.v1.agent.a.{verb} 1\r\nPING\r\n"));
    assert_eq!(ear.line(), "PONG");
    let url = server.url();
    let words: Vec<&str> = ["--nats", &url].into_iter().chain(words.iter().copied()).collect();
    std::thread::scope(|scope| {
        let heard = scope.spawn(move || String::from_utf8(ear.message()).unwrap());
        while !heard.is_finished() {
            let mut command = fleet(&words);
            let mut coordinator =
                command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            wait(LIMIT, "an order, or the end of its coordinator", || {
                heard.is_finished() || coordinator.try_wait().unwrap().is_some()
            });
            let _ = coordinator.kill();
            let _ = coordinator.wait();
        }
        heard.join().unwrap()
    })
}

/// The order as if it were the first of another coordinator to this agent.
fn readdress(order: &[u8], instance: u64, session: usize) -> Option<Vec<u8>> {
    let mut order: serde_json::Value = serde_json::from_slice(order).ok()?;
    let body = order.get_mut("body")?.as_object_mut()?;
    body.insert("instance".to_owned(), instance.into());
    body.insert("session".to_owned(), session.into());
    Some(order.to_string().into_bytes())
}

/// The order with a byte of it changed, differently for each number.
fn damaged(order: &str, number: usize) -> Vec<u8> {
    let mut bytes = order.as_bytes().to_vec();
    let place = number.wrapping_mul(7919) % bytes.len();
    bytes[place] ^= 1 << (number % 8);
    bytes
}

fn assert_only(folder: &Path, name: &str) {
    let names: Vec<_> =
        std::fs::read_dir(folder).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, [name]);
}

#[test]
fn forged_and_damaged_orders_change_nothing_outside() {
    skip_unless!(Need::Program("nats-server"));
    let scratch = Scratch::new().unwrap();
    let room = scratch.path();
    let server = NatsServer::start_on_loopback().unwrap();
    let url = server.url();
    let outside = room.join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("precious"), vec![7; 4 << 20]).unwrap();
    let before = digest(&outside.join("precious"));
    let data = room.join("data");
    std::fs::create_dir(&data).unwrap();
    let inside = data.to_str().unwrap();
    let file = format!("{inside}/x");

    let check = overhear(room, &server, "begin", &["check", "--no-history", inside]);
    let job = ["fio", "--name=a", "--rw=write", "--size=1m"];
    let filename = format!("--filename={file}");
    let jobs: Vec<&str> = job.into_iter().chain([filename.as_str()]).collect();
    let jobs = overhear(room, &server, "begin_jobs", &jobs);
    let agent = Agent::start(room, &["--nats", &url]);
    let mut raw = Raw::new(&server);
    let instance = raw.instance();
    let (mut refused, mut sessions) = (0, 0..);
    for (verb, order) in [("begin", &check), ("begin_jobs", &jobs)] {
        for to in ["../outside", "../outside/precious", "/etc", "/dev/vda", "x/../../outside/new"] {
            let path = if to.starts_with('/') { to.to_owned() } else { format!("{inside}/{to}") };
            let forged = if verb == "begin" {
                order.replace(&format!("\"{inside}\""), &format!("\"{path}\""))
            } else {
                order.replace(&file, &path)
            };
            assert_ne!(&forged, order, "nothing was forged in {order}");
            let subject = format!("truedisk.v1.agent.a.{verb}");
            let old = raw.ask(&subject, forged.as_bytes());
            let what = old["body"]["of"]["what"].as_str().unwrap();
            assert!(what.contains("from before this agent started"), "{what}");
            let session = sessions.next().unwrap();
            let forged = readdress(forged.as_bytes(), instance, session).unwrap();
            let answer = raw.ask(&subject, &forged);
            refused += usize::from(answer["body"]["reply"] == "refused");
        }
        for number in 0..100 {
            let damaged = damaged(order, number);
            let session = sessions.next().unwrap();
            let damaged = readdress(&damaged, instance, session).unwrap_or(damaged);
            raw.ask(&format!("truedisk.v1.agent.a.{verb}"), &damaged);
        }
    }
    assert!(refused >= 5, "only {refused} of the forged orders were refused at once");
    let ping = raw.ask("truedisk.v1.agent.a.ping", b"{");
    assert_eq!(ping["body"]["reply"], "refused", "it no longer answers: {}", agent.read_output());
    assert_only(&outside, "precious");
    assert_eq!(digest(&outside.join("precious")), before);
}
