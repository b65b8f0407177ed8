//! Holding a scenario, so that a person can look at it.

use std::io::BufRead as _;
use std::sync::mpsc;
use std::thread;

use anyhow::{Context as _, Result};
use lab::Scenario;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Builds it, tells where it is, and undoes it on Enter or a signal.
pub(super) fn hold_scenario(scenario: &Scenario) -> Result<bool> {
    scenario.require()?;
    // Before anything is built: what a signal ends must be undone.
    let asked = wait_for_end()?;
    eprintln!("xtask: lab: building {}: {}", scenario.name, scenario.about);
    let situation = scenario.set_up()?;
    println!("{}", situation.path().display());
    let words: Vec<_> =
        situation.arguments().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    eprintln!("try: truedisk check --quick {}", words.join(" "));
    if let Some(machine) = situation.machine_root() {
        eprintln!("its hardware is described in {}", machine.display());
    }
    eprintln!("Enter or Ctrl-C ends it");
    asked.recv().context("nobody is left to end it")?;
    situation.tear_down()?;
    Ok(true)
}

/// A line on stdin, or a signal to end. Where stdin has ended only a signal counts.
fn wait_for_end() -> Result<mpsc::Receiver<()>> {
    let (ask, asked) = mpsc::channel();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot watch signals")?;
    let by_signal = ask.clone();
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            // The other side has ended already when this fails.
            let _ = by_signal.send(());
        }
    });
    thread::spawn(move || {
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            let _ = ask.send(());
        }
    });
    Ok(asked)
}
