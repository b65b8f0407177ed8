//! The raw outcomes: a file of JSON lines that grows by one line after each run, so that the runs
//! may be gathered over several nights. A line that was cut short is a fault that is named.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use lab::Scenario;
use record::{Cell, CellRole, Effort, FindingId, Record, Status};
use serde::{Deserialize, Serialize};

use super::fio::FioResult;

/// A cell from whose processor time the hypervisor took more than this says more of the host than
/// of the disk. `neighbour` warns of one such cell, and is right.
const STOLEN_SHARE_MAX: f64 = 0.1;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct OutcomeLine {
    pub(super) scenario: String,
    pub(super) effort: Effort,
    /// What was run: a commit of this repository, or a program's path.
    pub(super) program: String,
    /// How long it took with building and undoing the disk, in seconds.
    pub(super) seconds: f64,
    pub(super) outcome: RunOutcome,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RunOutcome {
    Judged(JudgedRun),
    /// It gave none, and this is why.
    Failed(String),
    Fio(FioResult),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JudgedRun {
    pub(super) findings: BTreeMap<FindingId, Status>,
    /// The cap that was found, or else the most random reads per second.
    pub(super) read_iops: Option<f64>,
    /// Whether this host was too busy to prove anything either way; such runs do not count.
    #[serde(default)]
    pub(super) starved: bool,
    /// The words of each finding that was missed, and of each false alarm.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) said: BTreeMap<FindingId, String>,
}

impl JudgedRun {
    pub(super) fn from_record(record: &Record, scenario: &Scenario) -> JudgedRun {
        let truth = &scenario.truth;
        let strange = |finding: &&record::Finding| {
            let raised = truth.raises.iter().any(|(id, _)| *id == finding.id);
            let missed = raised && !truth.is_met(finding.id, finding.status);
            missed || truth.is_false_alarm(finding.id, finding.status)
        };
        let words = |finding: &record::Finding| {
            let facts = finding
                .evidence
                .iter()
                .map(|fact| format!("{} {}", fact.what.text(), fact.value.text()));
            let facts = facts.collect::<Vec<_>>().join("; ");
            (finding.id, format!("{} ({facts})", finding.summary.text()))
        };
        let judgement = record.judgement_or_default();
        let limit = judgement.curves.first().and_then(|curve| curve.main_limit());
        let limit = limit.map(|limit| limit.iops.value);
        JudgedRun {
            findings: judgement.findings.iter().map(|f| (f.id, f.status)).collect(),
            read_iops: truth.read_iops.and(found_cap(record).or(limit)),
            starved: is_starved(record),
            said: judgement.findings.iter().filter(strange).map(words).collect(),
        }
    }
}

fn found_cap(record: &Record) -> Option<f64> {
    let told = |found: &&record::Finding| {
        found.id == FindingId::ProviderLimit && found.status >= Status::Note
    };
    let mut caps = record.judgement_or_default().findings.iter().filter(told);
    caps.find_map(|found| found.evidence.iter().find_map(|fact| fact.figure))
}

/// Whether the hypervisor took the processors away: what such a run finds, or misses, is chance.
fn is_starved(record: &Record) -> bool {
    let counts = |cell: &&Cell| !matches!(cell.role, CellRole::Disturbed | CellRole::Trial);
    let cells = record.measured.cells.iter().filter(counts);
    let mut systems = cells.filter_map(|cell| cell.ledger.system.as_ref());
    systems.any(|system| system.cpu_steal.0 as f64 > STOLEN_SHARE_MAX * system.cpu_total.0 as f64)
}

#[derive(Debug)]
pub(super) struct OutcomeFile {
    path: PathBuf,
    file: File,
    lines: Vec<OutcomeLine>,
}

impl OutcomeFile {
    /// Opens it, or begins it, and reads what it has.
    pub(super) fn open(path: &Path) -> Result<OutcomeFile> {
        let shown = path.display();
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder of {shown}"))?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.with_context(|| format!("cannot open {shown}"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {shown}"))?;
        let lines = parse_lines(&text).with_context(|| format!("in {shown}"))?;
        Ok(OutcomeFile { path: path.to_owned(), file, lines })
    }

    pub(super) fn append(&mut self, line: OutcomeLine) -> Result<()> {
        let mut text = serde_json::to_string(&line).context("an outcome is no JSON")?;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes());
        written.with_context(|| format!("cannot write to {}", self.path.display()))?;
        self.lines.push(line);
        Ok(())
    }

    pub(super) fn lines_of<'a>(
        &'a self,
        scenario: &'a Scenario,
    ) -> impl Iterator<Item = &'a OutcomeLine> {
        let same =
            |line: &&OutcomeLine| line.scenario == scenario.name && line.effort == scenario.effort;
        self.lines.iter().filter(same)
    }

    /// How many checks of a scenario are done; those on a starved host are still to be done.
    pub(super) fn done_runs(&self, scenario: &Scenario) -> u32 {
        let checks = self.lines_of(scenario).filter(|line| match &line.outcome {
            RunOutcome::Judged(judged) => !judged.starved,
            RunOutcome::Failed(_) => true,
            RunOutcome::Fio(_) => false,
        });
        u32::try_from(checks.count()).unwrap_or(u32::MAX)
    }

    pub(super) fn has_fio(&self, scenario: &Scenario) -> bool {
        self.lines_of(scenario).any(|line| matches!(line.outcome, RunOutcome::Fio(_)))
    }

    pub(super) fn mean_seconds(&self, scenario: &Scenario) -> Option<f64> {
        let checks =
            self.lines_of(scenario).filter(|line| matches!(line.outcome, RunOutcome::Judged(_)));
        let all: Vec<f64> = checks.map(|line| line.seconds).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }
}

fn parse_lines(text: &str) -> Result<Vec<OutcomeLine>> {
    let parse = |(number, line): (usize, &str)| {
        let hint = "it may have been cut short; delete that line";
        serde_json::from_str(line)
            .with_context(|| format!("line {number} is no outcome\nhint: {hint}"))
    };
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).map(parse).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use message::Message;

    pub(crate) fn judged(name: &str, findings: &[(FindingId, Status)]) -> OutcomeLine {
        let findings = findings.iter().copied().collect();
        let (said, starved) = (BTreeMap::new(), false);
        let judged = JudgedRun { findings, read_iops: None, starved, said };
        line(name, RunOutcome::Judged(judged))
    }

    pub(crate) fn line(name: &str, outcome: RunOutcome) -> OutcomeLine {
        let effort = lab::find_scenario(name).unwrap().effort;
        OutcomeLine {
            scenario: name.to_owned(),
            effort,
            program: "abc".to_owned(),
            seconds: 20.0,
            outcome,
        }
    }

    #[test]
    fn what_is_appended_is_there_the_next_night() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/outcomes.jsonl");
        let stall = lab::find_scenario("stall").unwrap();
        let lines = [
            judged("stall", &[(FindingId::Stall, Status::Warning)]),
            line("stall", RunOutcome::Failed("no disk".to_owned())),
            line("stall", RunOutcome::Fio(FioResult { iops: 1.5, p99_ns: 2.0, writes: false })),
            judged("burst", &[]),
        ];
        for line in &lines {
            // Each by a program of its own, as after an interruption.
            OutcomeFile::open(&path).unwrap().append(line.clone()).unwrap();
        }
        let raw = OutcomeFile::open(&path).unwrap();
        assert_eq!(raw.lines, lines);
        assert_eq!((raw.done_runs(&stall), raw.has_fio(&stall)), (2, true));
        assert_eq!(raw.mean_seconds(&stall), Some(20.0));
        let burst = lab::find_scenario("burst").unwrap();
        assert_eq!((raw.done_runs(&burst), raw.has_fio(&burst)), (1, false));
        // A run of another effort than the scenario's claims something else.
        let mut longer = burst;
        longer.effort = Effort::Thorough;
        assert_eq!(raw.done_runs(&longer), 0);
    }

    #[test]
    fn a_host_without_processors_proves_nothing() {
        let starved = |role: CellRole, share: f64| {
            let mut record = record::fixture::ssd_record();
            let mut system = record::SystemCounters::default();
            system.cpu_total.0 = 2_000_000_000;
            system.cpu_steal.0 = (2e9 * share) as u64;
            let cell = &mut record.measured.cells[0];
            (cell.role, cell.ledger.system) = (role, Some(system));
            is_starved(&record)
        };
        assert!(!starved(CellRole::Main, STOLEN_SHARE_MAX));
        assert!(starved(CellRole::Main, 0.11));
        assert!(!starved(CellRole::Disturbed, 0.5), "it was measured again");
    }

    #[test]
    fn a_cap_is_the_one_that_was_found() {
        let mut record = record::fixture::ssd_record();
        assert_eq!(found_cap(&record), None);
        record.judged_mut().findings.push(record::Finding {
            id: FindingId::ProviderLimit,
            status: Status::Note,
            summary: Message::from_text("this disk is capped at 4,990 IOPS"),
            evidence: vec![
                record::Evidence::text(Message::from_text("a word"), Message::from_text("none")),
                record::Evidence::figure(
                    Message::from_text("random read 4k"),
                    Message::from_text("4,990 IOPS"),
                    4990.0,
                ),
            ],
            cells: Vec::new(),
            remedy: None,
        });
        assert_eq!(found_cap(&record), Some(4990.0));
    }

    #[test]
    fn a_line_that_was_cut_short_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcomes.jsonl");
        OutcomeFile::open(&path).unwrap().append(judged("stall", &[])).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{}", &whole[..20])).unwrap();
        let error = format!("{:#}", OutcomeFile::open(&path).unwrap_err());
        assert!(error.contains("outcomes.jsonl: line 2 is no outcome"), "{error}");
    }
}
