//! The score as a table.

use std::fmt::Write as _;

use super::fio::Printed;
use super::outcome::Runs;

/// One scenario in a line, while the others still run.
pub(super) fn line(runs: &Runs) -> String {
    let verdict = if runs.is_well() { "well" } else { "NOT WELL" };
    let found: Vec<String> =
        runs.found.iter().map(|(id, n)| format!("{id} {n}/{}", runs.count)).collect();
    let found = if found.is_empty() { "nothing to find".to_owned() } else { found.join(", ") };
    format!("{}: {verdict}: {found}; wrong: {}", runs.scenario.name, wrong(runs))
}

/// All of them, in the order of the catalogue.
pub(super) fn markdown(all: &[Runs]) -> String {
    let mut text = String::from(
        "## Disks that lie\n\n\
         `truedisk check --quick` on every scenario of `crates/lab`, each run on a disk built \
         anew; and what fio printed of the same disk: 4 KiB at random, depth 16, direct, for 4 s. \
         A finding counts as detected with the status that the scenario demands or worse; wrong \
         is every other warning that the scenario does not explain.\n\n\
         | finding | scenario | detected | wrong alarms | rate | fio printed |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for runs in all {
        if runs.scenario.is_control() {
            row(&mut text, runs, "none", &format!("- ({} runs)", runs.count));
        }
        for (id, found) in &runs.found {
            row(&mut text, runs, id.name(), &format!("{found}/{}", runs.count));
        }
    }
    text.push('\n');
    for runs in all.iter().filter(|runs| !runs.is_well()) {
        let _ = writeln!(text, "- not as it must be: {}", runs.scenario.name);
    }
    for runs in all.iter().filter(|runs| runs.failed > 0) {
        let _ = writeln!(text, "- without a record: {} of {}", runs.failed, runs.scenario.name);
    }
    text
}

fn row(text: &mut String, runs: &Runs, finding: &str, detected: &str) {
    let rate = runs.rate().map(|(rate, truth)| format!("{rate:.0} of {truth:.0} IOPS"));
    let rate = rate.unwrap_or_default();
    let (name, wrong, fio) = (runs.scenario.name, wrong(runs), printed(runs.fio));
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {finding} | {name} | {detected} | {wrong} | {rate} | {fio} |");
}

fn wrong(runs: &Runs) -> String {
    let wrong: Vec<String> = runs.false_alarms.iter().map(|(id, n)| format!("{id} {n}")).collect();
    if wrong.is_empty() { "none".to_owned() } else { wrong.join(", ") }
}

fn printed(fio: Option<Printed>) -> String {
    fio.map_or_else(String::new, |fio| {
        let what = if fio.writes { "writes" } else { "reads" };
        format!("{:.0} {what}/s, p99 {:.3} ms", fio.iops, fio.p99_ns / 1e6)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_finding_of_a_scenario_has_its_row() {
        let mut runs = Runs::new(lab::scenario("impossible").unwrap());
        runs.count = 20;
        runs.fio = Some(Printed { iops: 81_234.4, p99_ns: 512_000.0, writes: false });
        let text = markdown(&[runs, Runs::new(lab::scenario("control-loop").unwrap())]);
        let fio = "81234 reads/s, p99 0.512 ms";
        for row in [
            &format!("| link-bound | impossible | 0/20 | none |  | {fio} |\n"),
            &format!("| impossible | impossible | 0/20 | none |  | {fio} |\n"),
            "| none | control-loop | - (0 runs) | none |  |  |\n",
            "- not as it must be: impossible\n",
        ] {
            assert!(text.contains(row), "{row}{text}");
        }
    }
}
