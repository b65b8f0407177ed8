//! The score as a table.

use std::fmt::Write as _;

use record::Effort;

use super::fio::FioResult;
use super::options::DEFAULT_RUNS;
use super::scenario_runs::ScenarioRuns;

const HEAD: &str = "\
## Disks that lie

`truedisk check` on every scenario of `crates/lab`, by the shortest effort that claims to see it, \
each run on a disk built anew; and what fio printed of the same disk: 4 KiB at random, depth 16, \
direct, for 4 s. A finding counts as detected with the status that the scenario demands or worse; \
wrong is every other warning that the scenario does not explain. As it must be: all of a scenario \
detected in 19 runs of 20, any wrong alarm in one of 20 at most and in none of a plain disk (a row \
`none`); a provider's limit in every run, and each within 1 %. `little` has no scenario: nothing \
here unbalances the books, and a record that was spoiled shows that it would be seen. Runs for \
which others left no processor time are listed apart and count for nothing.

| finding | scenario | check | detected | wrong alarms | as it must be | rate | fio printed | of |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

#[derive(Debug)]
pub(super) struct ScoreRow {
    pub(super) runs: ScenarioRuns,
    missing: Option<String>,
}

impl ScoreRow {
    pub(super) fn from_runs(runs: ScenarioRuns) -> ScoreRow {
        let missing = runs.scenario.require().err().map(|missing| missing.to_string());
        ScoreRow { runs, missing }
    }

    fn render(&self, old: &str) -> String {
        let runs = &self.runs;
        let mut text = String::new();
        let ids: Vec<_> = runs.found.iter().map(|(id, n)| (id.name(), Some(*n))).collect();
        let ids = if ids.is_empty() { vec![("none", None)] } else { ids };
        if runs.is_empty() {
            let kept = old_rows(runs.scenario.name, old);
            if !kept.is_empty() {
                return kept;
            }
            let why = self.missing.as_deref().unwrap_or("was not asked for");
            for (id, _) in ids {
                write_line(&mut text, runs, id, &format!("not run: {why}"), [""; 5]);
            }
            return text;
        }
        let rate = runs.median_rate().map(|(rate, truth)| format!("{rate:.0} of {truth:.0} IOPS"));
        let programs: Vec<&str> = runs.programs.iter().map(String::as_str).collect();
        let rest = [
            &*false_alarm_words(runs),
            &*verdict_words(runs),
            &rate.unwrap_or_default(),
            &fio_words(runs.fio),
            &programs.join(", "),
        ];
        for (id, found) in ids {
            let detected = match found {
                Some(found) => format!("{found}/{}", runs.count),
                None => format!("- ({} runs)", runs.count),
            };
            write_line(&mut text, runs, id, &detected, rest);
        }
        text
    }
}

fn write_line(
    text: &mut String,
    runs: &ScenarioRuns,
    finding: &str,
    detected: &str,
    rest: [&str; 5],
) {
    let (name, effort) = (runs.scenario.name, effort_words(runs.scenario.effort));
    let rest = rest.join(" | ");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "| {finding} | {name} | {effort} | {detected} | {rest} |");
}

fn old_rows(name: &str, old: &str) -> String {
    let same_table = HEAD.lines().rev().nth(1).is_some_and(|columns| old.contains(columns));
    let of_it = |line: &&str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        cells.len() == 11 && cells[2] == name
    };
    let lines = old.lines().filter(|_| same_table).filter(of_it);
    lines.fold(String::new(), |all, line| all + line + "\n")
}

pub(super) fn summary_line(runs: &ScenarioRuns) -> String {
    let found: Vec<String> =
        runs.found.iter().map(|(id, n)| format!("{id} {n}/{}", runs.count)).collect();
    let found = if found.is_empty() { "nothing to find".to_owned() } else { found.join(", ") };
    let (verdict, wrong) = (verdict_words(runs), false_alarm_words(runs));
    format!("{}: {verdict}: {found}; wrong: {wrong}", runs.scenario.name)
}

/// These scenarios, in their order; of those without a run, what `old`, the document, says.
pub(super) fn render_markdown(rows: &[ScoreRow], old: &str, stamp: &str) -> String {
    let rows: String = rows.iter().map(|row| row.render(old)).collect();
    format!("{HEAD}{rows}\n{stamp}\n")
}

fn effort_words(effort: Effort) -> &'static str {
    match effort {
        Effort::Quick => "quick",
        Effort::Standard => "60 s",
        Effort::Thorough => "thorough",
    }
}

fn verdict_words(runs: &ScenarioRuns) -> String {
    let told = |n: u32, what: &str| match n {
        0 => String::new(),
        n => format!(" ({n} {what})"),
    };
    let failed = told(runs.failed, "failed");
    let starved = told(runs.starved, "on a starved host");
    let verdict = match (runs.is_as_required(), runs.count) {
        (true, DEFAULT_RUNS..) => "yes",
        (true, _) => "so far",
        (false, 0) if runs.failed == 0 => "not known",
        (false, _) => "NO",
    };
    format!("{verdict}{failed}{starved}")
}

fn false_alarm_words(runs: &ScenarioRuns) -> String {
    let wrong: Vec<String> = runs.false_alarms.iter().map(|(id, n)| format!("{id} {n}")).collect();
    if wrong.is_empty() { "none".to_owned() } else { wrong.join(", ") }
}

fn fio_words(fio: Option<FioResult>) -> String {
    fio.map_or_else(String::new, |fio| {
        let what = if fio.writes { "writes" } else { "reads" };
        format!("{:.0} {what}/s, p99 {:.3} ms", fio.iops, fio.p99_ns / 1e6)
    })
}

#[cfg(test)]
mod tests {
    use super::super::outcome_file::RunOutcome;
    use super::super::outcome_file::tests::{judged, line};
    use super::*;
    use record::{FindingId, Status};

    fn row(name: &str, lines: &[super::super::outcome_file::OutcomeLine]) -> ScoreRow {
        ScoreRow {
            runs: ScenarioRuns::from_lines(lab::find_scenario(name).unwrap(), lines.iter()),
            missing: None,
        }
    }

    fn impossible() -> ScoreRow {
        let fio = FioResult { iops: 81_234.4, p99_ns: 512_000.0, writes: false };
        let found = [(FindingId::LinkBound, Status::Warning)];
        row("impossible", &[judged("impossible", &found), line("impossible", RunOutcome::Fio(fio))])
    }

    fn has(text: &str, rows: &[&str]) {
        for row in rows {
            assert!(text.contains(row), "{row}{text}");
        }
    }

    #[test]
    fn every_finding_of_a_scenario_has_its_row() {
        let control = row("control-loop", &[judged("control-loop", &[])]);
        let rest = "none | NO |  | 81234 reads/s, p99 0.512 ms | abc |\n";
        has(
            &render_markdown(&[impossible(), control], "", "*here*"),
            &[
                &format!("| link-bound | impossible | quick | 1/1 | {rest}"),
                &format!("| impossible | impossible | quick | 0/1 | {rest}"),
                "| none | control-loop | quick | - (1 runs) | none | so far |  |  | abc |\n",
                "\n*here*\n",
            ],
        );
    }

    #[test]
    fn what_this_machine_cannot_build_stands_in_the_table() {
        let lacking = ScoreRow { missing: Some("needs FUSE".to_owned()), ..row("dedup", &[]) };
        has(
            &render_markdown(&[lacking, row("burst", &[])], "", ""),
            &[
                "| dedup | dedup | quick | not run: needs FUSE |  |  |  |  |  |\n",
                "| burst | burst | quick | not run: was not asked for |  |  |  |  |  |\n",
            ],
        );
    }

    #[test]
    fn rows_of_other_scenarios_stay_as_they_are() {
        let old = render_markdown(&[impossible()], "", "");
        let stall = [judged("stall", &[(FindingId::Stall, Status::Warning)])];
        let new = render_markdown(&[row("impossible", &[]), row("stall", &stall)], &old, "");
        has(
            &new,
            &["| impossible | impossible | quick | 0/1 |", "| stall | stall | quick | 1/1 |"],
        );
        assert_eq!(new.matches("| impossible |").count(), old.matches("| impossible |").count());
        // What was run anew replaces its rows.
        let again = row("impossible", &[judged("impossible", &[])]);
        assert!(!render_markdown(&[again], &old, "").contains("81234"));
    }
}
