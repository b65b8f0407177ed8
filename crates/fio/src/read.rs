//! From words and bytes to raw sections: job files, the command line, what counts where.
//!
//! fio's order, weakest first: options before the first `--name` (and after `--name=global`), the
//! `[global]` sections above a section, the section itself. So what a job file says wins over
//! the command line's defaults. Those defaults reach the first job file only, as in fio.

pub(crate) mod command;
mod command_line;
mod environment;
pub(crate) mod error;
mod expression;
mod job_file;
mod keywords;
mod limits;
mod options;
pub(crate) mod place;
pub(crate) mod sections;
mod sent;
mod show;
mod sources;
#[cfg(test)]
mod tests;

pub use command::{JobSource, ParsedCommand, RawSwitch};
pub use environment::{DiskFiles, FileSource, FileText, ReadEnvironment};
pub use error::ReadError;
pub use expression::{ExpressionError, Number, Units, evaluate};
pub use keywords::Keywords;
pub use place::{COMMAND_LINE, Place, STDIN};
pub use sections::{Origin, RawOption, RawSection, SourceGroup};
pub use sent::SentJobs;
pub use show::show_command;
pub use sources::read_command;
