//! `truedisk sweep`: the request from the arguments, its run, and the file of an interrupted one.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ::output::save_private;
use history::History;
use method::{MeasureRequest, MethodError, SweepRequest};
use record::{Completion, Part, Record, SweepPlan, store};
use units::{Bytes, Nanos};
use workload::{Access, Mix};

use crate::args::{Common, DEFAULT_READ_PERCENT, Depths, Sizes, SweepArgs, unique_values};
use crate::exit::{Failure, Outcome};
use crate::output::{self, Outputs, Run};
use crate::site::{Site, history_location};
use crate::terminal;

/// The block sizes and depths where none are given.
const DEFAULT_BLOCK_SIZES: [Bytes; 5] =
    [Bytes::kib(4), Bytes::kib(16), Bytes::kib(64), Bytes::kib(256), Bytes::mib(1)];
const DEFAULT_DEPTHS: [u32; 4] = [1, 4, 16, 64];
const DEFAULT_BUDGET: Nanos = Nanos::secs(120);
const DEFAULT_PRECISION: f64 = 0.02;
/// Write rates beside which reads are measured, as shares of the highest write rate.
const WRITE_SHARES: [f64; 6] = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0];

pub(crate) fn open_outputs(args: &SweepArgs) -> Result<Outputs, Failure> {
    let inputs: Vec<&Path> = args.resume.as_deref().into_iter().collect();
    Outputs::from_common(&args.common, &inputs)
}

pub(crate) fn run(args: &SweepArgs, site: &Site, outputs: Outputs) -> Outcome {
    let source = match &args.resume {
        Some(file) => SweepSource::Resume(Box::new(load_partial(file)?)),
        None => SweepSource::New(sweep_plan(args)?),
    };
    let budget = match &source {
        SweepSource::Resume(record) => record.measured.plan.budget,
        SweepSource::New(_) => sweep_budget(args),
    };
    let mut partial = PartialFile::new(args);
    let mut completion = None;
    let outcome = output::run_method(
        Run { common: &args.common, site, outputs, budget, promise: None, text: None },
        |ask, place, stop, observer| {
            let request = source.request(args, ask)?;
            // A run over many hosts cannot be resumed.
            let mut save = |record: &Record| {
                if site.is_local() {
                    partial.save(record);
                }
            };
            let record = method::sweep(&request, place, stop, observer, &mut save)?;
            completion = Some(record.measured.completion.clone());
            Ok(record)
        },
    );
    match (&outcome, completion.filter(|_| site.is_local())) {
        (Ok(_), Some(Completion::Complete)) => partial.remove_if_saved(&args.common),
        (_, Some(_)) => partial.print_hint(args)?,
        // Nothing was measured by this run; what an earlier one left stays.
        (_, None) => {}
    }
    outcome
}

enum SweepSource {
    New(SweepPlan),
    Resume(Box<Record>),
}

impl SweepSource {
    fn request(&self, args: &SweepArgs, ask: MeasureRequest) -> Result<SweepRequest, MethodError> {
        match self {
            Self::New(plan) => {
                let (plan, budget) = (plan.clone(), sweep_budget(args));
                Ok(SweepRequest { ask, plan, budget, earlier: None })
            }
            Self::Resume(record) => {
                SweepRequest::resume(*record.clone(), &ask, args.common.path.as_deref())
            }
        }
    }
}

fn load_partial(file: &Path) -> Result<Record, Failure> {
    store::load_record(file).map_err(|error| {
        Failure::wrong(error).hint("name the ID.partial.json that an interrupted sweep left")
    })
}

fn sweep_budget(args: &SweepArgs) -> Nanos {
    args.budget.budget.unwrap_or(DEFAULT_BUDGET)
}

fn sweep_plan(args: &SweepArgs) -> Result<SweepPlan, Failure> {
    let sizes = unique_values(args.bs.iter().map(|Sizes(sizes)| sizes));
    let depths = unique_values(args.depth.iter().map(|Depths(depths)| depths));
    let block_sizes = values_or(sizes, &DEFAULT_BLOCK_SIZES, args.interference);
    let depths = values_or(depths, &DEFAULT_DEPTHS, args.interference);
    let parts = if args.interference {
        for (count, what) in [(block_sizes.len(), "--bs"), (depths.len(), "--depth")] {
            if count > 1 {
                let message =
                    format_args!("--interference takes one {what}, but {count} were given");
                return Err(Failure::wrong(message).hint("measure one after the other"));
            }
        }
        vec![Part { access: Access::Random, mix: Mix::Read, block_size: block_sizes[0] }]
    } else {
        sweep_parts(args, block_sizes[0])?
    };
    Ok(SweepPlan {
        parts,
        block_sizes,
        depths,
        precision: args.precision.precision.unwrap_or(DEFAULT_PRECISION),
        cell_time: method::cell_times(args.cell_max),
        write_shares: if args.interference { WRITE_SHARES.to_vec() } else { Vec::new() },
    })
}

/// The given values, or the default ones: for interference only the first.
fn values_or<T: Copy>(given: Vec<T>, defaults: &[T], only_first: bool) -> Vec<T> {
    match given.is_empty() {
        true if only_first => vec![defaults[0]],
        true => defaults.to_vec(),
        false => given,
    }
}

/// The workloads, each mix separately, without duplicates.
fn sweep_parts(args: &SweepArgs, block_size: Bytes) -> Result<Vec<Part>, Failure> {
    if !args.mix.is_empty() && !args.rw.iter().any(|kind| kind.is_mixed()) {
        let message = "--mix says how reads and writes share, but no mix of them is asked";
        return Err(Failure::wrong(message).hint("add randrw or rw: --rw randread,randrw"));
    }
    let shares = if args.mix.is_empty() { &[DEFAULT_READ_PERCENT] } else { args.mix.as_slice() };
    let mut parts: Vec<Part> = Vec::new();
    for kind in &args.rw {
        for part in shares.iter().map(|&share| kind.part(share, block_size)) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    Ok(parts)
}

/// The file that a sweep leaves when something ends it before its time.
struct PartialFile {
    folder: Option<PathBuf>,
    file: Option<PathBuf>,
    error: Option<String>,
}

impl PartialFile {
    /// Next to the file that is resumed, next to the record, or in the data folder.
    fn new(args: &SweepArgs) -> Self {
        let Common { result, no_history, .. } = &args.common;
        let beside = |file: &Path| match file.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let json = result.json.json.as_deref().filter(|file| !::output::is_dash(file));
        let mut error = None;
        let folder = match (&args.resume, json) {
            (Some(file), _) => Some(beside(file)),
            (None, Some(file)) => Some(beside(file)),
            (None, None) if *no_history => None,
            (None, None) => store::default_folder(|name| std::env::var(name).ok())
                .map_err(|why| error = Some(why.to_string()))
                .ok(),
        };
        Self { folder, file: None, error }
    }

    fn save(&mut self, record: &Record) {
        let Some(folder) = &self.folder else { return };
        let save = || -> Result<PathBuf, Box<dyn Error>> {
            let name = format!("{}.partial.json", record.measured.id);
            Ok(save_private(folder, &name, store::to_json(record)?.as_bytes())?)
        };
        match save() {
            Ok(file) => (self.file, self.error) = (Some(file), None),
            // The measurement goes on: what is lost is only that it can be gone on with.
            Err(error) => self.error = Some(error.to_string()),
        }
    }

    /// Where the run is to be kept in the history, but is not there, the file stays.
    fn remove_if_saved(&self, common: &Common) {
        let Some(file) = &self.file else { return };
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let id = name.trim_end_matches(".partial.json");
        let history = history_location().and_then(|location| History::open_read_only(&location));
        let is_kept = history.and_then(|mut history| history.has_run(id)).unwrap_or(false);
        if is_kept || common.no_history || common.result.json.json.is_some() {
            // Should it stay, it is only in the way.
            let _ = fs::remove_file(file);
        }
    }

    fn print_hint(&self, args: &SweepArgs) -> Result<(), Failure> {
        if let Some(error) = &self.error {
            terminal::eprint_line(format!("truedisk: the rest cannot be measured later: {error}"))?;
        }
        match &self.file {
            Some(file) => {
                let file = file.display();
                terminal::eprint_line(format!("hint: go on with: truedisk sweep --resume {file}"))?;
            }
            None if self.folder.is_none() && args.common.no_history => terminal::eprint_line(
                "truedisk: nothing was saved that --resume could go on with\n\
                 hint: leave --no-history out, or add --json FILE",
            )?,
            None => {}
        }
        Ok(())
    }
}
