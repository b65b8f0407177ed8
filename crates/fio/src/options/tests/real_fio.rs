//! The same values given to the real fio.

use super::set;
use std::process::Command;

/// What fio prints for a job that does one operation with the engine that does nothing.
fn fio(arguments: &[&str]) -> Option<String> {
    let fixed = ["--name=x", "--ioengine=null", "--size=64m", "--number_ios=1"];
    let output = Command::new("fio").args(fixed).args(arguments).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn block_sizes() {
    crate::tests::skip_unless!("fio");
    for (base, value) in [
        ("1024", "4k"),
        ("1024", "4ki"),
        ("1024", "4kib"),
        ("1024", "1mi"),
        ("1024", "1MiB"),
        ("1024", "0x1000"),
        ("1000", "4k"),
        ("1000", "4ki"),
        ("1000", "4kib"),
        ("1024", ",8k,"),
        ("1024", "8k,"),
        ("1024", "4k,8k,16k"),
    ] {
        let Some(text) = fio(&[&format!("--kb_base={base}"), &format!("--bs={value}")]) else {
            return;
        };
        let job = set(&[("kb_base", base), ("bs", value)]).unwrap();
        for (bytes, direction) in job.pattern.bs.iter().zip(["R", "W", "T"]) {
            let small = format!("({direction}) {bytes}B-");
            let large = format!("({direction}) {:.1}KiB-", *bytes as f64 / 1024.0);
            let thousands = format!("({direction}) {:.1}kB-", *bytes as f64 / 1000.0);
            let mega = format!("({direction}) {:.0}KiB-", *bytes as f64 / 1024.0);
            let found = [small, large, thousands, mega].iter().any(|form| text.contains(form));
            assert!(found, "kb_base={base} bs={value}: {bytes} not in {text:.120}");
        }
    }
}

#[test]
fn latency_targets() {
    crate::tests::skip_unless!("fio");
    for value in ["50", "50us", "1ms", "1MS", "1msec", "1s", "1m", "1h", "1d"] {
        let target = format!("--latency_target={value}");
        let Some(text) = fio(&[&target, "--latency_window=2s"]) else { return };
        let us = set(&[("latency_target", value)]).unwrap().goal.latency_target_us;
        let expected = format!("target={},", us * 1000);
        assert!(text.contains(&expected), "{value}: no {expected} in {text}");
    }
}
