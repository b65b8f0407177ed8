//! `truedisk explain`: what a finding means.

use std::io::{self, Write as _};

use record::FindingId;

use crate::{Outcome, output};

/// Explains a finding, or lists all of them.
pub(crate) fn explain(finding: Option<FindingId>) -> Outcome {
    let style = output::style();
    let text = match finding {
        Some(id) => report::explanation(id, style),
        None => report::explanations(style),
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(0)
}
