//! `truedisk explain`: what a finding means.

use record::FindingId;

use crate::{Outcome, terminal};

/// Explains a finding, or lists all of them.
pub(crate) fn explain(finding: Option<FindingId>) -> Outcome {
    let style = terminal::style();
    let text = match finding {
        Some(id) => report::explanation(id, style),
        None => report::explanations(style),
    };
    terminal::print(&text)?;
    Ok(0)
}
