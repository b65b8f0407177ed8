//! Runs that go out to other tools, and that come in from them.

use std::io::{BufWriter, Write};
use std::path::Path;

use history::export::{Export, Format, Rows};
use history::{History, HistoryError, Saved};
use record::Record;

use super::{WRONG, filter, place};
use crate::args::{ExportArgs, FormatArg, ImportArgs, RowsArg};
use crate::output::destinations;
use crate::{Failure, Outcome, terminal};

/// Writes runs for other tools.
pub(super) fn export(args: &ExportArgs) -> Outcome {
    let to_stdout = args.output == Path::new("-");
    let format = match args.format {
        FormatArg::Jsonl => Format::Jsonl,
        FormatArg::Csv => Format::Csv,
        FormatArg::Parquet if to_stdout => {
            let message = "a Parquet file is written at once, and not to stdout";
            let hint = "name one: -o runs.parquet".to_owned();
            return Err(Failure::new(message, Some(hint), WRONG));
        }
        FormatArg::Parquet => Format::Parquet,
    };
    let rows = match args.rows {
        RowsArg::Cells => Rows::Cells,
        RowsArg::Intervals => Rows::Intervals,
    };
    let mut file = BufWriter::new(destinations::<&Path>([]).open(&args.output)?);
    let mut history = History::read(&place()?)?;
    let ids = meant(&mut history, args)?;
    write(&mut history, &ids, Export::new(&mut file, format, rows)?)?;
    file.into_inner().map_err(|error| error.into_error())?.commit()?;
    let (count, output) = (ids.len(), args.output.display());
    terminal::say_line(format_args!("{count} runs written to {output}"))?;
    Ok(0)
}

/// The runs that are named, or those that fit; oldest first, so that taking them in again keeps
/// their order.
fn meant(history: &mut History, args: &ExportArgs) -> Result<Vec<String>, Failure> {
    if args.runs.is_empty() {
        let runs = history.list(&filter(&args.filter, args.target.as_deref(), 0))?;
        return Ok(runs.into_iter().rev().map(|run| run.id).collect());
    }
    let mut ids = Vec::new();
    for name in &args.runs {
        ids.push(history.find(name)?);
    }
    Ok(ids)
}

fn write<W: Write + Send>(
    history: &mut History,
    ids: &[String],
    mut export: Export<W>,
) -> Result<(), HistoryError> {
    for id in ids {
        export.add(&history.load(id)?)?;
    }
    export.finish()
}

/// Takes runs in; says of each whether it is new.
pub(super) fn import(args: &ImportArgs) -> Outcome {
    let mut history = History::open(&place()?)?;
    let (mut new, mut known) = (0, 0);
    for file in &args.files {
        history::import::read(file, &foreign, &mut |record| {
            let id = record.measured.id.clone();
            let word = match history.take_in(&record)? {
                Saved::New => {
                    new += 1;
                    "kept"
                }
                Saved::Known => {
                    known += 1;
                    "known"
                }
            };
            // One line at a time: what was said to be kept is.
            terminal::print_line(format_args!("{word} {id}"))
                .map_err(|error| HistoryError::Export { words: error.to_string() })
        })?;
    }
    terminal::say_line(format_args!("{new} runs are new, {known} were known"))?;
    Ok(0)
}

/// What fio printed.
fn foreign(text: &str) -> Option<Result<Vec<Record>, String>> {
    fio::import::claimed(text).then(|| {
        let mut record = fio::import::record(text).map_err(|error| error.to_string())?;
        record.judgement = Some(analysis::judge(&record.measured));
        Ok(vec![record])
    })
}
