//! The page: one file that works offline, on a phone, in the dark and on paper.

mod charts;
mod fleet_charts;
mod limit_charts;
mod limit_rates;
pub(crate) mod plot;
mod surface_charts;
mod sweep_charts;
mod view;

pub(crate) use view::plotly_source;

use askama::Template as _;
use record::Record;
use units::{escape_controls, escape_json};

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the page's template failed: {0}")]
pub struct ReportError(#[from] askama::Error);

/// The whole report as one self-contained page.
///
/// # Errors
/// Only when the template fails, which its tests rule out.
pub fn render_html(record: &Record) -> Result<String, ReportError> {
    let page = view::Page::from_record(record);
    Ok(escape_page(&page.render()?, &page.library))
}

/// The page with the control characters of foreign names written out: in its text, and in the
/// JSON of the charts, which follows the library. The library is not touched.
pub(crate) fn escape_page(page: &str, library: &str) -> String {
    match page.split_once(library) {
        Some((text, charts)) => [&*escape_controls(text), library, &*escape_json(charts)].concat(),
        None => escape_controls(page).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Status;

    #[test]
    fn control_characters_are_written_out_beside_the_library() {
        let escaped = escape_page("a\u{1b}b<lib\u{7f}>{\"a\": \"\u{202e}\"}", "<lib\u{7f}>");
        assert_eq!(escaped, "a\\u{1b}b<lib\u{7f}>{\"a\": \"\\u202e\"}");
        let page = own_part(&page(|record| {
            record.measured.targets[0].path = "/srv/x\u{1b}]0;y\u{7}\u{9b}\u{202e}z".to_owned();
        }));
        assert!(page.contains("/srv/x\\u{1b}]0;y\\u{7}\\u{9b}\\u{202e}z"));
        assert!(!page.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']));
    }

    fn page(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::ssd_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        render_html(&record).unwrap()
    }

    /// The page without the chart library, which is not ours.
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
            evil.clone_into(&mut record.measured.targets[0].path);
            record.measured.environment.hostname = Some(evil.to_owned());
            record.measured.cells[0].name = evil.to_owned();
            record.measured.targets[0].stack[0].model = Some("<img src=x>".to_owned());
        });
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains("<img src=x>"));
    }

    #[test]
    fn invalid_cells_are_marked_in_table_and_charts() {
        let page = own_part(&page(|record| {
            let of_depth_1 = |c: &&mut record::Cell| {
                c.job.depth.0 == 1 && c.job.access == workload::Access::Random
            };
            let cells = record.measured.cells.iter_mut().filter(of_depth_1);
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = units::Bytes(0));
        }));
        assert!(page.contains("INVALID: page-cache"));
        assert!(page.contains("\"x-thin-open\""), "an invalid point has a sign of its own");
    }

    #[test]
    fn a_promise_has_its_table() {
        let with = page(|record| {
            record.measured.promise = Some(record::Promise {
                asked: "iops=200000".to_owned(),
                title: Some("<b>plan</b>".to_owned()),
                items: vec![record::Promised {
                    what: record::PromisedWhat::Iops,
                    direction: None,
                    always: 200_000.0,
                    burst: None,
                }],
                share: 0.98,
                share_because: "by hand".to_owned(),
                io_unit: None,
                accounting: "one by one".to_owned(),
                burst_lasts: None,
                only_limits: false,
                notes: Vec::new(),
                sources: Vec::new(),
            });
        });
        check(&own_part(&with), &["Is it what was promised?", "200,000 IOPS", "NOT KEPT"]);
        assert!(!with.contains("<b>plan"), "titles are escaped");
        assert!(!own_part(&page(|_| {})).contains("promised?"));
    }

    #[test]
    fn every_finding_is_told() {
        let mut record = record::fixture::ssd_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let page = own_part(&render_html(&record).unwrap());
        for finding in &record.judgement_or_default().findings {
            assert!(page.contains(finding.id.name()), "{}", finding.id);
        }
        assert!(
            record
                .judgement_or_default()
                .findings
                .iter()
                .any(|f| f.status == Status::NotObservable)
        );
    }

    #[test]
    fn empty_and_partial_records_make_a_page() {
        let page = page(|record| {
            record.measured.cells.clear();
            record.measured.layout = None;
            let reason = "no space left".into();
            record.measured.completion = record::Completion::Partial { reason, failed: true };
        });
        assert!(page.contains("no space left"));
    }

    fn limit_page(mut record: Record, spoil: impl Fn(&mut Record)) -> String {
        record.judgement = Some(analysis::judge(&record.measured));
        spoil(&mut record);
        own_part(&render_html(&record).unwrap())
    }

    fn check(page: &str, wanted: &[&str]) {
        for words in wanted {
            assert!(page.contains(words), "'{words}' is missing");
        }
    }

    #[test]
    fn a_search_over_depth_has_cards_charts_and_all_points() {
        let page = limit_page(record::fixture::limit_record(), |record| {
            record.judged_mut().curves[0].limits[0].bounded_by = record::BoundedBy::Bound;
        });
        check(
            &page,
            &[
                "truedisk limit of",
                "random read 4k within p99&#60;1ms",
                "70,588 <span class=\"unit\">IOPS",
                "at depth 24 (p99 829 us), latency bound",
                "95 %: 69,882 to 71,294",
                "class=\"wide\"",
                "p99&lt;1ms: 71k IOPS at depth 24",
                "knee: near depth 11",
                "p99 to p99.9",
                "breaks a bound",
                "\"circle-open\"",
                "\"star\"",
                "depth / idle latency",
                "scalability law",
                "All probes",
                "breaks all",
            ],
        );
        assert!(!page.contains("<h2>Results</h2>"), "the table of a check has no place here");
    }

    #[test]
    fn every_reason_for_a_limit_has_its_word() {
        use record::BoundedBy as By;
        for (by, words) in [
            (By::Bound, ", latency bound"),
            (By::Saturation, ", saturation"),
            (By::ProviderCap, ", provider&#39;s cap"),
            (By::ControlGroup, ", control group"),
            (By::Client, ", client"),
            (By::DepthTried, ", deepest tried"),
            (By::Unreachable, "not reachable: idle p99 is 829 us; 70,588 IOPS"),
            (By::Unsure, ", unsure"),
        ] {
            let page = limit_page(record::fixture::limit_record(), |record| {
                record.judged_mut().curves[0].limits[0].bounded_by = by;
            });
            check(&page, &[words]);
        }
    }

    #[test]
    fn two_jobs_open_loops_and_thrashing_have_their_charts() {
        let two = limit_page(record::fixture::two_job_limit_record(), |_| {});
        let dashed = "\"dash\":\"dash\"";
        check(
            &two,
            &["writes p99", "both together", dashed, "\"square\"", "12 + 4", "reads</span>"],
        );
        let open = limit_page(record::fixture::open_loop_limit_record(), |_| {});
        check(
            &open,
            &["every arrival served", "71k arrivals/s", "response time, ms", "ramp before"],
        );
        let falling = limit_page(record::fixture::limit_record(), |record| {
            let shape = record.judged_mut().curves[0].shape.as_mut().unwrap();
            let (best_depth, then_depth) = (units::Depth(64), units::Depth(512));
            let (best_iops, then_iops) = (86_500.0, 70_000.0);
            shape.fall = Some(record::Fall { best_depth, best_iops, then_depth, then_iops });
        });
        check(&falling, &["thrashing: fewer at depth 512 than at 64", "triangle-down-open"]);
    }

    #[test]
    fn searches_that_are_hostile_cut_short_or_invalid_make_a_page() {
        let evil = "</script><script>alert(1)</script>";
        let mut record = record::fixture::limit_record();
        record.measured.cells[0].name = evil.to_owned();
        record.measured.cells[1].ledger.layers[0].read_bytes = units::Bytes(0);
        let page = limit_page(record, |record| {
            record.judged_mut().curves[0].label = evil.into();
            record.judged_mut().curves[0].limits[0].because = vec![evil.to_owned().into()];
        });
        assert!(!page.contains("<script>alert"));
        check(&page, &["x-thin-open", "INVALID: page-cache"]);
        for kept in 0..3 {
            let mut record = record::fixture::limit_record();
            record.measured.cells.truncate(kept);
            limit_page(record, |_| {});
        }
    }
}
