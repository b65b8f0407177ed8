//! Runs of the history: which the arguments name, and one as it is judged today.

use history::{Filter, History};
use record::Record;

use crate::args::FilterArgs;
use crate::exit::Failure;

/// A path in its canonical form, as it is stored; what does not exist here is taken as it is.
pub(super) fn run_filter(args: &FilterArgs, target: Option<&str>, count: u64) -> Filter {
    let canonical = |target: &str| {
        let path = std::fs::canonicalize(target).ok();
        path.map_or_else(|| target.to_owned(), |path| path.to_string_lossy().into_owned())
    };
    Filter {
        target: target.map(canonical),
        host: args.host.clone(),
        tag: args.tag.clone(),
        since: args.since,
        without_commands: Vec::new(),
        command: args.command.clone(),
        newest: usize::try_from(count).ok().filter(|count| *count > 0),
    }
}

pub(super) fn load_judged(history: &mut History, name: &str) -> Result<Record, Failure> {
    let id = history.find_run(name)?;
    let mut record = history.load_record(&id)?;
    record.judgement = Some(analysis::judge(&record.measured));
    Ok(record)
}
