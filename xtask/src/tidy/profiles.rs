//! What tests optimise because it runs between two operations, a release optimises in full: at
//! level 1 a rate of small files was a quarter lower.

use super::Finding;
use super::workspace::manifest_section;

const DEV: &str = "[profile.dev.package.";

pub(super) fn check(manifest: &str) -> Vec<Finding> {
    let lines = manifest.lines().zip(1..);
    let optimised = lines.filter_map(|(line, number)| {
        let package = line.strip_prefix(DEV)?.strip_suffix(']')?;
        (!is_optimised(manifest, package)).then_some((package, number))
    });
    let finding = |(package, number): (&str, usize)| {
        let message = format!(
            "tests optimise '{package}' and a release does not in full; add \
             [profile.release.package.{package}] with opt-level = 3"
        );
        Finding::new("Cargo.toml", number, message)
    };
    optimised.map(finding).collect()
}

fn is_optimised(manifest: &str, package: &str) -> bool {
    let heading = format!("[profile.release.package.{package}]");
    manifest_section(manifest, &heading).any(|(_, line)| line.trim() == "opt-level = 3")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_optimise_is_optimised_in_a_release() {
        let dev = "[profile.dev.package.engine]\nopt-level = 1\n";
        let check = |release: &str, expected: usize| {
            assert_eq!(check(&format!("{dev}{release}")).len(), expected, "{release}");
        };
        check("", 1);
        check("[profile.release.package.engine]\ncodegen-units = 1\n", 1);
        check("[profile.release.package.engine]\nopt-level = 1\n", 1);
        check("[profile.release.package.stats]\nopt-level = 3\n", 1);
        check("[profile.release.package.engine]\nopt-level = 3\n", 0);
    }
}
