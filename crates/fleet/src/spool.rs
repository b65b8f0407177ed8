//! The folder where an agent keeps every record until a coordinator has it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fio_run::{RemoteResult, SentJobs};
use jiff::Timestamp;
use output::{OutputError, make_private_folder, save_private};
use record::{FleetSpan, Record};
use serde::{Deserialize, Serialize};
use units::Nanos;

use crate::error::FleetError;
use crate::message::{HOSTS_MAX, KeptRun};
use crate::name::{AgentName, RunName};
use crate::payload::{ChunkedPayload, PIECE_BYTES_MAX, PIECES_MAX};

/// Newest records that are reported to coordinators.
const LISTED_MAX: usize = 100;

const MANIFEST_BYTES_MAX: u64 = 16 << 20;
const PAYLOAD_BYTES_MAX: u64 = PIECES_MAX as u64 * PIECE_BYTES_MAX as u64;

pub(crate) const JOBS_PURPOSE: &str = "fio";
/// Jobs of fio have one start, that of the first wave.
pub(crate) const START_TURN: u64 = 0;

const BEGUN_SUFFIX: &str = ".begun.json";

/// Results of fio's jobs, with all that is needed to print them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedJobs {
    pub(crate) jobs: SentJobs,
    pub(crate) given: RemoteResult,
}

#[derive(Debug, Clone)]
pub(crate) struct Spool {
    folder: PathBuf,
}

/// Facts about a record that are known without reading it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    pub(crate) run: RunName,
    pub(crate) started: Timestamp,
    pub(crate) purpose: String,
    /// Start of each cell relative to its planned instant.
    pub(crate) began_ns: BTreeMap<String, i64>,
    /// Maximum error of these, as stated by the coordinator.
    pub(crate) clock_error: Nanos,
    pub(crate) labels: BTreeMap<String, String>,
    pub(crate) sharing: FleetSpan,
    /// Some hosts of the run; all of them if an older agent kept it.
    pub(crate) hosts: Vec<AgentName>,
    #[serde(default)]
    pub(crate) host_count: u32,
}

/// Hosts of a run that kept nothing. Hosts know a few others: those that none knows get a number.
pub(crate) fn absent_hosts<'m>(
    kept: impl Iterator<Item = (&'m AgentName, &'m Manifest)> + Clone,
) -> Vec<AgentName> {
    let here: BTreeSet<&AgentName> = kept.clone().map(|(name, _)| name).collect();
    let named = kept.clone().flat_map(|(_, manifest)| &manifest.hosts);
    let named: BTreeSet<&AgentName> = named.filter(|name| !here.contains(name)).collect();
    let counts = kept.map(|(_, manifest)| manifest.host_count).filter(|count| *count <= HOSTS_MAX);
    let unnamed = (counts.max().unwrap_or(0) as usize).saturating_sub(here.len() + named.len());
    let numbered = (1..=unnamed).filter_map(|number| format!("unnamed-{number}").parse().ok());
    named.into_iter().cloned().chain(numbered).collect()
}

impl Spool {
    pub(crate) fn open(base: &Path, name: &AgentName) -> Result<Self, FleetError> {
        let folder = base.join(name.as_str());
        let spool = Self { folder };
        // A folder that cannot be written is found before anything is measured.
        let probe = format!(".{name}.probe");
        let written = make_private_folder(&spool.folder)
            .and_then(|()| save_private(&spool.folder, &probe, b""));
        written.map_err(|error| {
            let what = format!("cannot keep records: {error}");
            FleetError::wrong_request(
                what,
                "name a folder that this user may write: --spool FOLDER",
            )
        })?;
        let _ = std::fs::remove_file(spool.folder.join(probe));
        Ok(spool)
    }

    fn file(&self, run: &RunName, ending: &str) -> PathBuf {
        self.folder.join(format!("{run}.{ending}"))
    }

    pub(crate) fn save_record(&self, manifest: &Manifest, record: &Record) -> Result<(), String> {
        let packed = record::store::compress_record(record).map_err(|error| error.to_string())?;
        self.save_packed(manifest, &packed)
    }

    pub(crate) fn save_packed(&self, manifest: &Manifest, packed: &[u8]) -> Result<(), String> {
        let run = &manifest.run;
        let words = |error: OutputError| error.to_string();
        let manifest = serde_json::to_vec(manifest).map_err(|error| error.to_string())?;
        // The manifest comes last: a record with one is complete.
        save_private(&self.folder, &format!("{run}.json.gz"), packed).map_err(words)?;
        save_private(&self.folder, &format!("{run}.slip.json"), &manifest).map_err(words)?;
        Ok(())
    }

    /// Notes that a run lays out a test file in `folder`, for the case that this process is killed.
    pub(crate) fn mark_begun(&self, run: &RunName, folder: &Path) -> Result<(), String> {
        let note = serde_json::to_vec(folder).map_err(|error| error.to_string())?;
        save_private(&self.folder, &format!("{run}{BEGUN_SUFFIX}"), &note)
            .map(|_| ())
            .map_err(|e| e.to_string())
    }

    pub(crate) fn clear_begun(&self, run: &RunName) {
        let _ = std::fs::remove_file(self.folder.join(format!("{run}{BEGUN_SUFFIX}")));
    }

    /// The folders of runs that did not finish, each once.
    pub(crate) fn take_unfinished(&self) -> BTreeSet<PathBuf> {
        let folder = |note: PathBuf| {
            let folder =
                serde_json::from_slice(&input::read_file(&note, MANIFEST_BYTES_MAX).ok()?).ok();
            let _ = std::fs::remove_file(note);
            folder
        };
        self.files_ending(BEGUN_SUFFIX).filter_map(folder).collect()
    }

    fn files_ending(&self, suffix: &str) -> impl Iterator<Item = PathBuf> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        paths.filter(move |path| path.to_str().is_some_and(|path| path.ends_with(suffix)))
    }

    fn read_manifest(&self, file: &Path) -> Option<Manifest> {
        serde_json::from_slice(&input::read_file(file, MANIFEST_BYTES_MAX).ok()?).ok()
    }

    pub(crate) fn list_kept(&self) -> Vec<KeptRun> {
        let mut kept: Vec<KeptRun> = self
            .files_ending(".slip.json")
            .filter_map(|file| self.read_manifest(&file))
            .map(|Manifest { run, started, purpose, .. }| KeptRun { run, started, purpose })
            .collect();
        kept.sort_by_key(|kept| std::cmp::Reverse(kept.started));
        kept.truncate(LISTED_MAX);
        kept
    }

    /// The record to be fetched; `None` if there is none.
    pub(crate) fn record_payload(&self, run: &RunName) -> Option<Result<ChunkedPayload, String>> {
        self.read_manifest(&self.file(run, "slip.json"))?;
        let bytes = input::read_file(&self.file(run, "json.gz"), PAYLOAD_BYTES_MAX);
        Some(
            bytes
                .map(ChunkedPayload::from_packed)
                .map_err(|error| format!("cannot read the record: {error}")),
        )
    }

    pub(crate) fn manifest_payload(&self, run: &RunName) -> Option<Result<ChunkedPayload, String>> {
        let manifest = self.read_manifest(&self.file(run, "slip.json"))?;
        Some(ChunkedPayload::pack(&manifest).map_err(|error| error.to_string()))
    }

    pub(crate) fn has_record(&self, run: &RunName) -> bool {
        self.file(run, "slip.json").exists()
    }

    pub(crate) fn remove(&self, run: &RunName) {
        // The manifest goes first: a record without one is ignored.
        let _ = std::fs::remove_file(self.file(run, "slip.json"));
        let _ = std::fs::remove_file(self.file(run, "json.gz"));
    }
}

/// Default folder: `$XDG_STATE_HOME/truedisk/agent`, else below `$HOME/.local/state`.
pub fn default_spool(env: impl Fn(&str) -> Option<String>) -> Result<PathBuf, FleetError> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    base.map(|base| base.join("truedisk/agent")).ok_or_else(|| {
        let what = "no folder to keep records in: neither XDG_STATE_HOME nor HOME is set";
        FleetError::wrong_request(what, "name one: --spool FOLDER")
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    #[test]
    fn a_record_is_kept_until_a_coordinator_has_it() {
        let room = tempfile::tempdir().unwrap();
        let name: AgentName = "a".parse().unwrap();
        let run: RunName = "r1".parse().unwrap();
        let spool = Spool::open(room.path(), &name).unwrap();
        assert!(spool.list_kept().is_empty() && spool.record_payload(&run).is_none());
        let record = analysis::judge_record(record::fixture::ssd_record().measured);
        let manifest = Manifest {
            run: run.clone(),
            started: record.measured.started,
            purpose: "check".to_owned(),
            began_ns: BTreeMap::from([(record.measured.cells[0].name.clone(), 7)]),
            clock_error: Nanos(5),
            labels: BTreeMap::new(),
            sharing: FleetSpan::Own,
            hosts: vec![name.clone()],
            host_count: 1,
        };
        spool.save_record(&manifest, &record).unwrap();
        // For nobody else to read.
        let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!(mode(&spool.folder), 0o700);
        for entry in std::fs::read_dir(&spool.folder).unwrap().flatten() {
            assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
        }
        // Another process finds it.
        let again = Spool::open(room.path(), &name).unwrap();
        assert_eq!(again.list_kept().len(), 1);
        let bytes = |payload: ChunkedPayload| -> Vec<u8> {
            (0..).map_while(|n| payload.piece(n)).flat_map(|(_, piece)| piece.to_vec()).collect()
        };
        let kept = bytes(again.record_payload(&run).unwrap().unwrap());
        assert!(crate::payload::unpack_record(kept).unwrap() == record);
        let kept = bytes(again.manifest_payload(&run).unwrap().unwrap());
        assert_eq!(crate::payload::unpack_json::<Manifest>(&kept).unwrap(), manifest);
        again.remove(&run);
        assert!(again.list_kept().is_empty() && again.record_payload(&run).is_none());
        // Another agent of this host has its own.
        assert!(Spool::open(room.path(), &"b".parse().unwrap()).unwrap().list_kept().is_empty());
    }

    #[test]
    fn hosts_that_kept_nothing_are_named_where_another_knows_them() {
        let manifest = |hosts: &str, host_count| Manifest {
            run: "r1".parse().unwrap(),
            started: Timestamp::UNIX_EPOCH,
            purpose: "check".to_owned(),
            began_ns: BTreeMap::new(),
            clock_error: Nanos(5),
            labels: BTreeMap::new(),
            sharing: FleetSpan::Own,
            hosts: hosts.split_terminator(',').map(|name| name.parse().unwrap()).collect(),
            host_count,
        };
        let check = |kept: &[(&str, &str, u32)], expected: &str| {
            let kept: Vec<(AgentName, Manifest)> = kept
                .iter()
                .map(|(name, hosts, count)| (name.parse().unwrap(), manifest(hosts, *count)))
                .collect();
            let absent = absent_hosts(kept.iter().map(|(name, manifest)| (name, manifest)));
            let absent: Vec<&str> = absent.iter().map(AgentName::as_str).collect();
            assert_eq!(absent.join(","), expected, "{kept:?}");
        };
        check(&[("a", "a,b", 2), ("b", "b,a", 2)], "");
        check(&[("a", "a,b,c", 3), ("b", "b,c,a", 3)], "c");
        check(&[("a", "a,b", 5), ("c", "c,d", 5)], "b,d,unnamed-1");
        // What an agent of an older version kept has all names and no number.
        check(&[("a", "a,b,c", 0)], "b,c");
        check(&[("a", "a", u32::MAX)], "");
    }

    #[test]
    fn the_folder_follows_from_the_environment() {
        let check = |vars: &[(&str, &str)], expected: Option<&str>| {
            let find = |name: &str| {
                vars.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(default_spool(find).ok(), expected.map(PathBuf::from));
        };
        check(&[("XDG_STATE_HOME", "/s")], Some("/s/truedisk/agent"));
        check(&[("XDG_STATE_HOME", "s"), ("HOME", "/h")], Some("/h/.local/state/truedisk/agent"));
        check(&[("HOME", "")], None);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_refused_at_once() {
        let room = tempfile::tempdir().unwrap();
        let file = room.path().join("file");
        std::fs::write(&file, b"").unwrap();
        let error = Spool::open(&file, &"a".parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains("cannot keep records"), "{error}");
        assert_eq!(error.kind(), units::ErrorKind::WrongRequest);
    }
}
