//! `truedisk devices`: what is here, what it claims, what may be written.

use ::output::OutputError;
use record::Tool;
use target::Roots;

use crate::args::DevicesArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::{open_destination, write_json};
use crate::terminal::{self, columns, style};

pub(crate) fn run(args: &DevicesArgs) -> Outcome {
    let path = args.json.json.as_deref();
    let json = path.map(open_destination).transpose().map_err(output_failure)?;
    let inventory = target::take_inventory(Tool::ours(env!("CARGO_PKG_VERSION")), &Roots::host());
    match json {
        Some(file) => write_json(file, &inventory),
        None => {
            terminal::print(&report::render_devices(&inventory, style(), columns()))?;
            Ok(Exit::Done)
        }
    }
}

/// A device after `--json` is likely meant to be looked at.
fn output_failure(error: OutputError) -> Failure {
    let is_refused = matches!(error, OutputError::Refused { .. });
    let failure = Failure::from(error);
    if is_refused {
        return failure.hint(
            "`devices --json` takes no device: it lists all; to write the list to a file: \
             truedisk devices --json > FILE",
        );
    }
    failure
}
