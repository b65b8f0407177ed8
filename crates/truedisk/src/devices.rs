//! `truedisk devices`: what is here, what it claims, what may be written.

use std::path::Path;

use ::output::{Destination, OutputError};
use record::{Inventory, Tool};
use target::Roots;

use crate::args::DevicesArgs;
use crate::terminal::{columns, style};
use crate::{Failure, Outcome, output, terminal};

/// Tells what is on this host.
pub(crate) fn run(args: &DevicesArgs) -> Outcome {
    let json_file = match &args.json {
        Some(path) => {
            Some(output::guarded_destinations::<&Path>([]).open(path).map_err(output_failure)?)
        }
        None => None,
    };
    let found = target::take_inventory(Tool::ours(env!("CARGO_PKG_VERSION")), &Roots::host());
    if let Some(file) = json_file {
        return write_inventory(&found, file);
    }
    terminal::print(&report::render_devices(&found, style(), columns()))?;
    Ok(0)
}

/// A device after `--json` is likely meant to be looked at.
fn output_failure(error: OutputError) -> Failure {
    let hint = "`devices --json` takes no device: it lists all; to write the list to a file: \
                truedisk devices --json > FILE";
    match error {
        OutputError::Refused { .. } => {
            Failure::new(error.to_string(), Some(hint.to_owned()), crate::exit_code(error.kind()))
        }
        other => other.into(),
    }
}

fn write_inventory(found: &Inventory, file: Destination) -> Outcome {
    let failed = |error: String| Failure::new(error, None, 1);
    let text = serde_json::to_string_pretty(found).map_err(|error| failed(error.to_string()))?;
    file.save(units::escape_json(&(text + "\n")).as_bytes())?;
    Ok(0)
}
