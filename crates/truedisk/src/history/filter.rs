//! Which runs of the history the arguments name.

use history::Filter;

use crate::args::FilterArgs;

/// The filter of the arguments; a path is looked for in its canonical form, as it is stored.
pub(super) fn run_filter(args: &FilterArgs, target: Option<&str>, count: usize) -> Filter {
    Filter {
        target: target.map(canonical_target),
        host: args.host.clone(),
        tag: args.tag.clone(),
        since: args.since,
        command: args.command.clone(),
        newest: (count > 0).then_some(count),
    }
}

/// The canonical path; of what does not exist here the word itself, which may be a device, or a
/// path of another host.
fn canonical_target(target: &str) -> String {
    std::fs::canonicalize(target)
        .map_or_else(|_| target.to_owned(), |path| path.to_string_lossy().into_owned())
}
