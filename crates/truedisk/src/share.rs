//! `truedisk share`: a record without the names of its host.

use std::path::PathBuf;

use message::{Message, messages};
use record::{Record, RemovedKind, store};

use crate::args::ShareArgs;
use crate::compare::load_run;
use crate::exit::{Exit, Outcome};
use crate::output::{guarded_destinations, write_json_text};
use crate::terminal;

pub(crate) fn run(args: &ShareArgs) -> Outcome {
    let record = load_run(&args.run)?;
    let path = args.output.clone();
    let path = path.unwrap_or_else(|| PathBuf::from(format!("{}.shared.json", record.measured.id)));
    let file = guarded_destinations([&args.run]).open(&path)?;
    let (measured, removed) = record::anonymise(record.measured)?;
    let judgement = Some(analysis::judge(&measured));
    let shared = Record { judgement, measured, ..record };
    let written = write_json_text(file, &store::to_json(&shared)?)?;
    for (kind, count) in removed {
        terminal::eprint_line(terminal::tell(removed_words(kind, count)))?;
    }
    if let Some(path) = written {
        terminal::eprint_line(terminal::tell(crate::output::WrittenTo { path }))?;
    }
    Ok(Exit::Done)
}

fn removed_words(kind: RemovedKind, count: usize) -> Message {
    match kind {
        RemovedKind::Host => RemovedHosts { count }.into(),
        RemovedKind::Path => RemovedPaths { count }.into(),
        RemovedKind::Serial => RemovedSerials { count }.into(),
        RemovedKind::VolumeName => RemovedVolumes { count }.into(),
        RemovedKind::ControlGroup => RemovedGroups { count }.into(),
        RemovedKind::Process => RemovedProcesses { count }.into(),
        RemovedKind::Label => RemovedLabels { count }.into(),
        RemovedKind::CommandLine => RemovedCommands { count }.into(),
        RemovedKind::Source => RemovedSources { count }.into(),
    }
}

messages! {
    pub(crate) static MESSAGES;
    RemovedHosts = "share-removed-hosts" { count: usize };
    RemovedPaths = "share-removed-paths" { count: usize };
    RemovedSerials = "share-removed-serials" { count: usize };
    RemovedVolumes = "share-removed-volumes" { count: usize };
    RemovedGroups = "share-removed-groups" { count: usize };
    RemovedProcesses = "share-removed-processes" { count: usize };
    RemovedLabels = "share-removed-labels" { count: usize };
    RemovedCommands = "share-removed-commands" { count: usize };
    RemovedSources = "share-removed-sources" { count: usize };
}
