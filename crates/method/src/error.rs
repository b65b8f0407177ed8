//! Why a method could not begin, or could not go on.

use std::path::PathBuf;

use engine::EngineError;
use target::TargetError;
use units::{ErrorKind, Nanos};
use workload::Bound;

#[derive(Debug, thiserror::Error)]
pub enum MethodError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// `--read-only` with a folder.
    #[error("{} is a folder: with --read-only there must be something to read", .0.display())]
    NothingToRead(PathBuf),
    #[error("{0} writes, but --read-only forbids it")]
    WritesForbidden(String),
    #[error("{what}")]
    Request { what: String, hint: String },
    #[error("{0}")]
    Unready(String),
    /// Hosts are gone, and nobody is left to measure.
    #[error("all hosts were lost: {0}")]
    HostsLost(String),
    /// A host, or the way to it: what is wrong, and what to do next.
    #[error("{what}")]
    Hosts {
        /// What is wrong, with the name of the host.
        what: String,
        hint: Option<String>,
        kind: ErrorKind,
    },
    /// The longest probe is too short for the percentile.
    #[error(
        "{bound} needs {needed} operations in a probe, but at {iops:.0} a second the longest \
         probe of {longest} has {has}"
    )]
    TooSlow {
        bound: Bound,
        needed: u64,
        /// Operations per second at depth 1.
        iops: f64,
        longest: Nanos,
        has: u64,
    },
}

/// Why a sequence of cells goes no further.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The run ended early: the session's completion says why, and what was measured is kept.
    Ended,
    Failed(MethodError),
}

pub(crate) type HaltResult<T = ()> = Result<T, Halt>;

impl From<MethodError> for Halt {
    fn from(error: MethodError) -> Self {
        Self::Failed(error)
    }
}

impl MethodError {
    pub(crate) fn invalid_request(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Request { what: what.into(), hint: hint.into() }
    }

    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Target(error) => error.hint(),
            Self::Engine(_) => None,
            Self::NothingToRead(_) => {
                Some("name an existing file or device, such as --read-only /dev/sda".to_owned())
            }
            Self::WritesForbidden(_) => {
                Some("leave --read-only out, or measure reads: --rw randread".to_owned())
            }
            Self::Request { hint, .. } => Some(hint.clone()),
            Self::Unready(_) => None,
            Self::HostsLost(_) => {
                let hint = "fetch what they kept when they are back: truedisk fleet collect RUN";
                Some(hint.to_owned())
            }
            Self::Hosts { hint, .. } => hint.clone(),
            Self::TooSlow { needed, iops, .. } => Some(format!(
                "take a lower percentile, such as p95, or --probe-max {:.0}s",
                (*needed as f64 / iops.max(0.1) * 1.2).ceil()
            )),
        }
    }

    /// Whether other hosts may be there, though these are gone.
    pub const fn is_loss(&self) -> bool {
        matches!(self, Self::HostsLost(_))
    }

    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Target(error) => error.kind(),
            Self::Engine(_) | Self::Unready(_) | Self::HostsLost(_) => ErrorKind::Failed,
            Self::Hosts { kind, .. } => *kind,
            Self::NothingToRead(_)
            | Self::WritesForbidden(_)
            | Self::Request { .. }
            | Self::TooSlow { .. } => ErrorKind::WrongRequest,
        }
    }
}

pub(crate) fn refuse<T>(
    what: impl Into<String>,
    hint: impl Into<String>,
) -> Result<T, MethodError> {
    Err(MethodError::invalid_request(what, hint))
}
