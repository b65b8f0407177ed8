//! `truedisk explain`: what a finding means.

use record::FindingId;

use crate::exit::{Exit, Outcome};
use crate::terminal;

pub(crate) fn run(finding: Option<FindingId>) -> Outcome {
    let style = terminal::style();
    let text = match finding {
        Some(id) => report::render_explanation(id, style),
        None => report::render_explanations(style),
    };
    terminal::print(&text)?;
    Ok(Exit::Done)
}
