//! What an error means to its caller.

/// What an error means to its caller; the program's exit status follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The system failed at what it should have done.
    Failed,
    /// Another request would have gone through.
    WrongRequest,
    /// A bound, a promise or a threshold was not met.
    NotMet,
    /// Refused to protect data.
    Refused,
    /// The user ended it.
    Interrupted,
}
