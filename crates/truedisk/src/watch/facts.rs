//! What is known of the watched disks beside what is seen of them now.

use std::path::PathBuf;

use history::{Filter, History, HistoryError};
use jiff::Timestamp;
use record::{IoLimit, Layer, Purpose, Record};
use target::Roots;
use watch::{Disk, DiskFacts, DiskHealth, KnownCurve, disks_of_stack, list_known_curves};

use crate::exit::Failure;
use crate::site::history_location;

/// Records that are read at most, the newest: each takes a few milliseconds.
const RECORDS_MAX: usize = 100;

/// The disks that were named, or under what was named; without a name all that have done I/O.
pub(crate) fn choose_disks(
    paths: &[PathBuf],
    roots: &Roots,
) -> Result<Vec<(Disk, Option<PathBuf>)>, Failure> {
    if paths.is_empty() {
        return Ok(watch::list_disks(roots).into_iter().map(|disk| (disk, None)).collect());
    }
    let mut chosen: Vec<(Disk, Option<PathBuf>)> = Vec::new();
    for path in paths {
        let target = target::describe_target(path.as_path(), roots);
        let target = target.map_err(|error| Failure::wrong(error).hint(DISK_HINT))?;
        let names: Vec<&str> = target
            .top_device()
            .into_iter()
            .chain(target.bottom_devices())
            .map(|layer| layer.name.as_str())
            .collect();
        let disks = disks_of_stack(&target.stack).into_iter();
        let disks: Vec<Disk> = disks.filter(|disk| names.contains(&disk.name.as_str())).collect();
        if disks.is_empty() {
            let message = format_args!("{} lies on no disk of this host", path.display());
            return Err(Failure::wrong(message).hint(DISK_HINT));
        }
        let folder = path.is_dir().then(|| path.clone());
        for disk in disks {
            if !chosen.iter().any(|(known, _)| *known == disk) {
                chosen.push((disk, folder.clone()));
            }
        }
    }
    Ok(chosen)
}

const DISK_HINT: &str = "name a disk, or a file or folder on one; truedisk devices lists them";

/// One of each disk, in their order. `earlier` are those before, where there are any.
pub(super) fn gather_facts(
    disks: &[(Disk, Option<PathBuf>)],
    limits: &[IoLimit],
    known: &[Record],
    earlier: &[DiskFacts],
    roots: &Roots,
) -> Vec<DiskFacts> {
    let hostname = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let facts = |(disk, folder): &(Disk, Option<PathBuf>)| {
        let number = disk.device_number();
        let folder = folder.clone().or_else(|| target::find_mounted_folder(&disk.name, roots));
        let layers = target::describe_stack(&number, roots);
        let layer = layers.iter().find(|layer| layer.name == disk.name);
        let curves = |layer: &Layer| -> Vec<KnownCurve> {
            known.iter().flat_map(|record| list_known_curves(record, layer, &hostname)).collect()
        };
        let link = layer.and_then(|layer| layer.link.clone());
        let earlier = earlier.iter().find(|facts| facts.name == disk.name);
        let earlier = earlier.map(|facts| &facts.health.run);
        let is_own = |limit: &&IoLimit| limit.device == number;
        DiskFacts {
            name: disk.name.clone(),
            curves: layer.map(curves).unwrap_or_default(),
            limits: limits.iter().filter(is_own).cloned().collect(),
            health: DiskHealth::read(disk, link, earlier, roots),
            is_device: folder.is_none(),
            measurable: Some(match folder {
                Some(folder) => folder.display().to_string(),
                None => format!("/dev/{}", disk.name),
            }),
        }
    };
    disks.iter().map(facts).collect()
}

/// The stored runs that have curves, newest first.
pub(super) fn load_known_runs(since: Timestamp) -> Result<Vec<Record>, HistoryError> {
    let mut history = History::open_read_only(&history_location()?)?;
    let filter = Filter { since: Some(since), ..Filter::default() };
    let runs = history.list_runs(&filter)?;
    let has_curves = |command: &str| ["check", "limit", "sweep"].contains(&command);
    let with_curves = runs.iter().filter(|run| has_curves(&run.command)).take(RECORDS_MAX);
    // A damaged record says nothing; `history show` says why.
    let records = with_curves.filter_map(|run| history.load_record(&run.id).ok());
    let is_own = |record: &Record| record.measured.plan.purpose != Purpose::Imported;
    Ok(records.filter(is_own).collect())
}
