//! The page: one file that works offline, on a phone, in the dark and on paper.

mod charts;
mod sweep_charts;
mod view;

use askama::Template as _;
use record::Record;

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the page's template failed: {0}")]
pub struct ReportError(#[from] askama::Error);

/// The whole report as one self-contained page.
///
/// # Errors
/// Only when the template fails, which its tests rule out.
pub fn html(record: &Record) -> Result<String, ReportError> {
    Ok(view::Page::of(record).render()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Status;

    fn page(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::ssd();
        spoil(&mut record);
        analysis::judge(&mut record);
        html(&record).unwrap()
    }

    /// The page without the chart library, which is somebody else's.
    fn own_part(page: &str) -> String {
        let start = page.find("<script type=\"text/javascript\">").unwrap();
        let end = start + page[start..].find("</script>\n").unwrap();
        format!("{}{}", &page[..start], &page[end..])
    }

    #[test]
    fn says_what_the_record_says() {
        let page = own_part(&page(|_| {}));
        for words in [
            "random reads/s within p99&#60;10ms",
            "random read 4k, depth 64",
            "page-cache",
            "etcd",
            "/srv/data",
            "20261118T110640Z-0badcafe",
            "vda",
        ] {
            assert!(page.contains(words), "'{words}' is missing");
        }
    }

    #[test]
    fn needs_nothing_from_anywhere() {
        let page = own_part(&page(|_| {}));
        for load in ["src=\"http", "href=\"http", "@import", "url(http", "<link", "<iframe"] {
            assert!(!page.contains(load), "{load}");
        }
    }

    #[test]
    fn hostile_names_are_escaped_in_text_and_charts() {
        let evil = "/srv/</script><script>alert(1)</script>&\"'";
        let page = page(|record| {
            evil.clone_into(&mut record.targets[0].path);
            record.environment.hostname = Some(evil.to_owned());
            record.cells[0].name = evil.to_owned();
            record.targets[0].stack[0].model = Some("<img src=x>".to_owned());
        });
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains("<img src=x>"));
    }

    #[test]
    fn invalid_cells_are_marked_in_table_and_charts() {
        let page = own_part(&page(|record| {
            let cell = record.cells.iter_mut().find(|c| c.name == "randread-4k-qd1").unwrap();
            cell.ledger.layers[0].read_bytes = units::Bytes(0);
        }));
        assert!(page.contains("INVALID: page-cache"));
        assert!(page.contains("\"x-thin-open\""), "an invalid point has a sign of its own");
    }

    #[test]
    fn every_finding_is_told() {
        let mut record = record::fixture::ssd();
        analysis::judge(&mut record);
        let page = own_part(&html(&record).unwrap());
        for finding in &record.findings {
            assert!(page.contains(finding.id.name()), "{}", finding.id);
        }
        assert!(record.findings.iter().any(|f| f.status == Status::NotObservable));
    }

    #[test]
    fn empty_and_partial_records_make_a_page() {
        let page = page(|record| {
            record.cells.clear();
            record.layout = None;
            let reason = "no space left".to_owned();
            record.completion = record::Completion::Partial { reason, failed: true };
        });
        assert!(page.contains("no space left"));
    }
}
