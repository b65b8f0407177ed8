//! BENCHMARKS.md: sections between marks.

use anyhow::{Result, bail};

pub(crate) const EMPTY_DOCUMENT: &str = "\
# Benchmarks

Written by `cargo xtask bench`, section by section; edit nothing between the marks. Each section
says on which machine and commit it was measured.
";

pub(crate) fn replace_section(document: &str, name: &str, section: &str) -> Result<String> {
    let (open, close) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let marked = format!("{open}\n{}\n{close}", section.trim());
    match (document.find(&open), document.find(&close)) {
        (None, None) => Ok(format!("{}\n\n{marked}\n", document.trim_end())),
        (Some(start), Some(end)) if start < end => {
            let (before, after) = (&document[..start], &document[end + close.len()..]);
            if after.contains(&open) || after.contains(&close) {
                bail!("bench '{name}' has two sections\nhint: delete one of them by hand");
            }
            Ok(format!("{before}{marked}{after}"))
        }
        _ => bail!("the marks of bench '{name}' do not match\nhint: put {open} before {close}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# B\n\n<!-- bench:a -->\nold a\n<!-- /bench:a -->\n\nby hand\n\n\
                       <!-- bench:b -->\nold b\n<!-- /bench:b -->\n";

    #[test]
    fn one_section_is_replaced_and_the_rest_is_left_alone() {
        assert_eq!(replace_section(TWO, "a", "new\n").unwrap(), TWO.replace("old a", "new"));
        assert_eq!(replace_section(TWO, "b", "new").unwrap(), TWO.replace("old b", "new"));
    }

    #[test]
    fn a_new_section_is_appended_once() {
        let once = replace_section(TWO, "c", "first").unwrap();
        assert_eq!(once, format!("{TWO}\n<!-- bench:c -->\nfirst\n<!-- /bench:c -->\n"));
        assert_eq!(replace_section(&once, "c", "first").unwrap(), once);
        assert!(replace_section(EMPTY_DOCUMENT, "a", "x").unwrap().starts_with(EMPTY_DOCUMENT));
    }

    #[test]
    fn marks_that_do_not_match_are_not_guessed_at() {
        for text in ["<!-- bench:a -->", "<!-- /bench:a -->", "<!-- /bench:a --><!-- bench:a -->"] {
            assert!(
                replace_section(text, "a", "x").unwrap_err().to_string().contains("do not match")
            );
        }
        let twice = format!("{TWO}<!-- bench:a --><!-- /bench:a -->");
        assert!(
            replace_section(&twice, "a", "x").unwrap_err().to_string().contains("two sections")
        );
    }
}
