//! The error of all logs.

use std::io;

/// Why a log could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file below failed.
    #[error("cannot write the {log} log: {source}; look at the space and the rights of its folder")]
    Write {
        /// Which log, as in its file name: `clat`.
        log: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// A direction other than 0, 1 and 2.
    #[error("the {log} log got direction {direction}; there are 0 (read), 1 (write) and 2 (trim)")]
    Direction {
        /// Which log.
        log: &'static str,
        /// What it got.
        direction: u8,
    },
    /// `log_hist_coarseness` above 6.
    #[error("log_hist_coarseness={0} is too coarse; take 0 (1856 bins) to 6 (29 bins)")]
    Coarseness(u8),
}
