//! The error of all logs.

use std::io;

/// Why a log could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("cannot write the {log} log: {source}; look at the space and the rights of its folder")]
    Write { log: &'static str, source: io::Error },
    #[error("the {log} log got direction {direction}; there are 0 (read), 1 (write) and 2 (trim)")]
    Direction { log: &'static str, direction: u8 },
}
