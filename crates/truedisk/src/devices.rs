//! `truedisk devices`: what is here, what it claims, what may be written.

use std::path::Path;

use record::{Inventory, Tool};
use target::Roots;

use crate::args::DevicesArgs;
use crate::terminal::{columns, style};
use crate::{Failure, Outcome, output, terminal};

/// Tells what is on this host.
pub(crate) fn devices(args: &DevicesArgs) -> Outcome {
    let found = target::inventory(Tool::ours(env!("CARGO_PKG_VERSION")), &Roots::host());
    if let Some(path) = &args.json {
        return json(&found, path);
    }
    terminal::print(&report::devices(&found, style(), columns()))?;
    Ok(0)
}

fn json(found: &Inventory, path: &Path) -> Outcome {
    let failed = |error: String| Failure::new(error, None, 1);
    let text = serde_json::to_string_pretty(found).map_err(|error| failed(error.to_string()))?;
    if path == Path::new("-") {
        terminal::print_json(&(text + "\n"))?;
    } else {
        output::write(path, (text + "\n").as_bytes())?;
    }
    Ok(0)
}
