//! Runs that go out to other tools, and that come in from them.

use std::io::{BufWriter, Write};

use history::export::{Export, Format, RowKind};
use history::{History, HistoryError, ImportOutcome};
use record::Record;

use super::runs::run_filter;
use super::words::{Exported, ImportedRuns, KeptRun, KnownRun};
use crate::args::{ExportArgs, FormatArg, ImportArgs, RowsArg};
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{open_destination, open_json, write_json};
use crate::site::history_location;
use crate::terminal;

pub(super) fn export_runs(args: &ExportArgs) -> Outcome {
    let output = args.json.json.as_deref().unwrap_or(&args.output);
    let to_stdout = ::output::is_dash(output);
    let format = match args.format {
        _ if args.json.json.is_some() => Format::Json,
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Csv => Format::Csv,
        FormatArg::Parquet if to_stdout => {
            let message = "a Parquet file is written at once, and not to stdout";
            return Err(Failure::wrong(message).hint("name one: -o runs.parquet"));
        }
        FormatArg::Parquet => Format::Parquet,
    };
    if format == Format::Jsonl && args.rows.is_some() {
        let message = "--rows is of CSV and Parquet; JSON Lines are whole records";
        return Err(Failure::wrong(message).hint("leave it out, or add --format csv"));
    }
    let rows = match args.rows {
        None | Some(RowsArg::Cells) => RowKind::Cells,
        Some(RowsArg::Intervals) => RowKind::Intervals,
    };
    let mut file = BufWriter::new(open_destination(output)?);
    let mut history = History::open_read_only(&history_location()?)?;
    let ids = select_runs(&mut history, args)?;
    write_runs(&mut history, &ids, Export::new(&mut file, format, rows)?)?;
    file.into_inner().map_err(|error| error.into_error())?.commit()?;
    let exported = Exported { runs: ids.len(), file: output.display().to_string() };
    terminal::eprint_line(terminal::tell(exported))?;
    Ok(Exit::Done)
}

/// Oldest first, so that an import keeps their order.
fn select_runs(history: &mut History, args: &ExportArgs) -> Result<Vec<String>, Failure> {
    if args.runs.is_empty() {
        let runs =
            history.list_runs(&run_filter(&args.filter.other, args.filter.target.as_deref(), 0))?;
        return Ok(runs.into_iter().rev().map(|run| run.id).collect());
    }
    let mut ids = Vec::new();
    for name in &args.runs {
        ids.push(history.find_run(name)?);
    }
    Ok(ids)
}

fn write_runs<W: Write + Send>(
    history: &mut History,
    ids: &[String],
    mut export: Export<W>,
) -> Result<(), HistoryError> {
    for id in ids {
        let mut record = history.load_record(id)?;
        judge_unjudged(&mut record);
        export.add_record(&record)?;
    }
    export.finish()
}

pub(super) fn import_files(args: &ImportArgs) -> Outcome {
    let json = open_json(&args.json)?;
    let mut history = History::open(&history_location()?)?;
    let (mut new, mut known) = (Vec::new(), Vec::new());
    let mut read_all = || -> Result<(), HistoryError> {
        for file in &args.files {
            history::import::read_records(file, &parse_fio_output, &mut |mut record| {
                judge_unjudged(&mut record);
                let run = record.measured.id.clone();
                let words = match history.import_record(&record)? {
                    ImportOutcome::New => {
                        new.push(run.clone());
                        terminal::tell(KeptRun { run })
                    }
                    ImportOutcome::Known => {
                        known.push(run.clone());
                        terminal::tell(KnownRun { run })
                    }
                };
                if json.is_some() {
                    return Ok(());
                }
                // One line at a time: what was said to be kept is.
                terminal::print_line(words)
                    .map_err(|error| HistoryError::Export { words: error.to_string() })
            })?;
        }
        Ok(())
    };
    // Runs of the files before one that cannot be read are kept, and named.
    let read = read_all();
    if read.is_ok() || !new.is_empty() || !known.is_empty() {
        match json {
            Some(file) => {
                write_json(file, &serde_json::json!({"new": new, "known": known}))?;
            }
            None => {
                let (new, known) = (new.len(), known.len());
                terminal::eprint_line(terminal::tell(ImportedRuns { new, known }))?;
            }
        }
    }
    read?;
    Ok(Exit::Done)
}

/// Records of older versions, and those of other programs, come without a judgement.
fn judge_unjudged(record: &mut Record) {
    record.judgement.get_or_insert_with(|| analysis::judge(&record.measured));
}

fn parse_fio_output(text: &str) -> Option<Result<Vec<Record>, String>> {
    fio::import::looks_like_fio(text).then(|| {
        let record = fio::import::import_record(text).map_err(|error| error.to_string())?;
        Ok(vec![record])
    })
}
