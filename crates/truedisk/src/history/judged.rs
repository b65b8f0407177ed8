//! A stored run, judged as of today.

use history::History;
use record::Record;

use crate::exit::Failure;

pub(super) fn load_judged(history: &mut History, name: &str) -> Result<Record, Failure> {
    let id = history.find_run(name)?;
    let mut record = history.load_record(&id)?;
    record.judgement = Some(analysis::judge(&record.measured));
    Ok(record)
}
