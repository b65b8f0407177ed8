//! placeholder
use record::Record;
/// x
#[derive(Debug, thiserror::Error)]
#[error("x")]
pub struct ReportError;
/// x
pub fn html(_: &Record) -> Result<String, ReportError> {
    Ok(String::new())
}
