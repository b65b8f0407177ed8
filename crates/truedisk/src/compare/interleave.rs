//! Two paths of this host, measured in turns.

use std::path::{Path, PathBuf};

use ::output::Destinations;
use engine::StopSignal;
use method::{InterleaveRequest, MeasureRequest, VisitCell};
use record::{Record, store};
use target::Roots;
use units::{Bytes, ErrorKind, Nanos, Seed};

use super::runs::{ComparedRuns, SourcedRecord};
use crate::args::{CompareArgs, Depths, Sizes, unique_values};
use crate::exit::Failure;
use crate::output::{command_line, seed_or_random};
use crate::progress::TerminalProgress;
use crate::signals;

const DEFAULT_BUDGET: Nanos = Nanos::secs(120);
/// Half the interval of a ratio, as a share of it.
const DEFAULT_PRECISION: f64 = 0.024;
/// Between the seeds, and so the names, of the two sides: more than there are ever visits.
const SEED_DISTANCE: u64 = 1 << 31;

pub(super) fn measure_sides(
    args: &CompareArgs,
    all: &mut Destinations,
) -> Result<ComparedRuns, Failure> {
    let [a, b] = args.sides.as_slice() else {
        let message = format!("--interleave takes two paths, {} given", args.sides.len());
        return Err(Failure::wrong(message).hint("truedisk compare --interleave /mnt/a /mnt/b"));
    };
    let budget = args.turns.budget.budget.unwrap_or(DEFAULT_BUDGET);
    let seed = seed_or_random(args.turns.extent.seed)?;
    let request = InterleaveRequest {
        sides: [
            side_request(args, a, seed),
            side_request(args, b, Seed(seed.0.wrapping_add(SEED_DISTANCE))),
        ],
        workloads: choose_workloads(args)?,
        cell_time: args.turns.cell_time,
        budget,
        precision: args.turns.precision.precision.unwrap_or(DEFAULT_PRECISION),
        visits: args.turns.visits,
    };
    if let Some(folder) = &args.turns.records {
        check_folder(folder, all)?;
    }
    let stop = StopSignal::default();
    let caught = signals::stop_on_signal(&stop)?;
    let mut bar = TerminalProgress::new(budget, args.quiet.quiet);
    let measured = method::interleave(&request, &Roots::host(), &stop, &mut bar);
    bar.clear();
    let measured = measured?;
    let with_id = |record: Record| (record.clone(), record.measured.id);
    let side = |runs: Vec<Record>| runs.into_iter().map(with_id).collect();
    let sides: Vec<Vec<SourcedRecord>> = measured.runs.into_iter().map(side).collect();
    save_records(args, &sides, all)?;
    if let Some(reason) = &measured.ended {
        let counts: Vec<String> = sides.iter().map(|side| side.len().to_string()).collect();
        let (visits, reason) = (counts.join(" and "), reason.text());
        let message = format!("it ended early, after {visits} visits: {reason}");
        match caught.number() {
            None => return Err(Failure::failed(message)),
            Some(_) if sides.iter().any(Vec::is_empty) => {
                return Err(Failure::new(ErrorKind::Interrupted, message, None));
            }
            Some(_) => {}
        }
    }
    Ok(ComparedRuns { sides, interrupted: caught.number().is_some() })
}

fn side_request(args: &CompareArgs, path: &str, seed: Seed) -> MeasureRequest {
    MeasureRequest {
        path: PathBuf::from(path),
        size: args.turns.extent.size,
        read_only: args.turns.extent.read_only,
        destroy_data_on: None,
        max_written: args.turns.extent.max_written.map(|max| Bytes(max.0 / 2)),
        seed,
        command: command_line(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn choose_workloads(args: &CompareArgs) -> Result<Vec<VisitCell>, Failure> {
    let turns = &args.turns;
    if turns.rw.is_empty() {
        return Ok(method::default_visit_cells(!turns.extent.read_only));
    }
    if let Some(writes) = turns.rw.iter().find(|kind| kind.writes && turns.extent.read_only) {
        let message = format!("a workload of --rw writes, but --read-only forbids it: {writes}");
        let hint = "leave --read-only out, or measure reads: --rw randread";
        return Err(Failure::wrong(message).hint(hint));
    }
    let sizes = unique_values(turns.bs.iter().map(|Sizes(sizes)| sizes));
    let depths = unique_values(turns.depth.iter().map(|Depths(depths)| depths));
    let mut unique: Vec<VisitCell> = Vec::new();
    for kind in &turns.rw {
        for &size in &sizes {
            for &depth in &depths {
                let cell = VisitCell { part: kind.part(turns.mix, size), depth };
                if !unique.contains(&cell) {
                    unique.push(cell);
                }
            }
        }
    }
    Ok(unique)
}

/// The number after the highest of the kept records: existing files stay.
fn next_number(folder: &Path) -> usize {
    let number = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name();
        let digits = name.to_str()?.strip_prefix(['a', 'b'])?.strip_suffix(".json")?;
        digits.parse::<usize>().ok()
    };
    let entries = std::fs::read_dir(folder).ok().into_iter().flatten();
    entries.filter_map(number).max().map_or(1, |highest| highest + 1)
}

/// Makes the folder of records, and finds out whether one can be written there.
fn check_folder(folder: &Path, all: &Destinations) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot create the folder {}: {error}", folder.display());
        Failure::wrong(message).hint("name another with --records")
    })?;
    let number = next_number(folder);
    for side in ["a", "b"] {
        all.clone().open(&record_path(folder, side, number))?;
    }
    Ok(())
}

fn record_path(folder: &Path, side: &str, number: usize) -> PathBuf {
    folder.join(format!("{side}{number:03}.json"))
}

fn save_records(
    args: &CompareArgs,
    sides: &[Vec<SourcedRecord>],
    all: &mut Destinations,
) -> Result<(), Failure> {
    let Some(folder) = &args.turns.records else { return Ok(()) };
    let first = next_number(folder);
    for (side, name) in sides.iter().zip(["a", "b"]) {
        for (number, (record, _)) in side.iter().enumerate() {
            let file = all.open(&record_path(folder, name, first + number))?;
            file.save_with(|file| store::write_json(record, file))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_records_are_numbered_on_from_those_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(next_number(&folder.path().join("none")), 1);
        assert_eq!(next_number(folder.path()), 1);
        for name in ["a001.json", "b012.json", "c099.json", "about.json", "a013.html"] {
            std::fs::write(folder.path().join(name), "{}").unwrap();
        }
        assert_eq!(next_number(folder.path()), 13);
    }
}
