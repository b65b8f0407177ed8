//! What a process costs, as the kernel counts it.

use std::fs;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

/// Ticks of a second in /proc/PID/stat: USER_HZ, which is 100 wherever Linux runs.
const TICKS_PER_SECOND: f64 = 100.0;
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// The length of a process's busiest time: a second is a hundred ticks.
const WINDOW_S: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProcessCost {
    pub(super) wall_s: f64,
    pub(super) cpu_s: f64,
    pub(super) busiest: f64,
    pub(super) peak_bytes: f64,
}

pub(super) fn watch_process(child: &mut Child) -> Result<(ProcessCost, ExitStatus)> {
    let (pid, begun) = (child.id(), Instant::now());
    let mut seen = vec![(0.0, 0.0)];
    let mut peak_bytes: f64 = 0.0;
    // A child that has ended keeps its times until it is waited for, and its memory no longer.
    let cpu_s = loop {
        let (state, cpu_s) = read_times(pid)?;
        seen.push((begun.elapsed().as_secs_f64(), cpu_s));
        peak_bytes = peak_bytes.max(read_peak_bytes(pid).unwrap_or(0.0));
        if state == 'Z' {
            break cpu_s;
        }
        std::thread::sleep(POLL_INTERVAL);
    };
    let wall_s = begun.elapsed().as_secs_f64();
    let status = child.wait().context("cannot wait for a process")?;
    Ok((ProcessCost { wall_s, cpu_s, busiest: busiest_second(&seen), peak_bytes }, status))
}

/// The most of a processor that was taken over a second, of pairs of time and processor time.
fn busiest_second(seen: &[(f64, f64)]) -> f64 {
    let mut first = 0;
    let mut most: f64 = 0.0;
    for last in seen {
        while seen.get(first + 1).is_some_and(|next| last.0 - next.0 >= WINDOW_S) {
            first += 1;
        }
        let (at, cpu_s) = seen[first];
        if last.0 - at >= WINDOW_S {
            most = most.max((last.1 - cpu_s) / (last.0 - at));
        }
    }
    most
}

pub(super) fn read_cpu_s(pid: u32) -> Result<f64> {
    read_times(pid).map(|(_, cpu_s)| cpu_s)
}

pub(super) fn read_peak_bytes(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    parse_peak(&status)
}

pub(super) fn parse_peak(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0)
}

fn read_times(pid: u32) -> Result<(char, f64)> {
    let path = format!("/proc/{pid}/stat");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
    parse_times(&text).with_context(|| format!("{path} says something else than it should"))
}

/// Of `PID (NAME) STATE ...`, where the name may have anything in it.
fn parse_times(text: &str) -> Option<(char, f64)> {
    let (_, rest) = text.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<f64>().ok();
    // utime and stime are the 14th and 15th of all, counted from 1.
    let cpu_s = (ticks(11)? + ticks(12)?) / TICKS_PER_SECOND;
    Some((fields.first()?.chars().next()?, cpu_s))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn the_kernels_lines_are_read() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 1 0 5 6 7";
        assert_eq!(parse_times(stat), Some(('S', 2.0)));
        assert_eq!(parse_times("7 (a) S"), None);
        assert_eq!(parse_peak("Name:\ta\nVmHWM:\t     2 kB\nVmRSS:\t 1 kB\n"), Some(2048.0));
        assert_eq!(parse_peak("Name:\ta\n"), None);
    }

    #[test]
    fn the_busiest_second_is_found() {
        let seen = [(0.0, 0.0), (0.5, 0.0), (1.0, 0.5), (1.5, 1.0), (2.0, 1.0), (3.0, 1.0)];
        assert!((busiest_second(&seen) - 1.0).abs() < 1e-9);
        assert_eq!(busiest_second(&seen[..2]), 0.0, "less than a second is none");
    }

    #[test]
    fn a_child_is_watched_to_its_end() {
        let mut child = Command::new("sh").args(["-c", "exit 3"]).spawn().unwrap();
        let (watched, status) = watch_process(&mut child).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(watched.cpu_s < 5.0 && watched.wall_s > 0.0, "{watched:?}");
    }
}
