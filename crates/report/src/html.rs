//! The page: one file that works offline and without a script, on a phone, in the dark and on
//! paper.

mod charts;
mod facts;
mod fleet_charts;
mod limit_charts;
mod load_picture;
mod range_charts;
pub(crate) mod replay_charts;
mod replay_tiles;
pub(crate) mod shared;
mod surface_charts;
mod sweep_charts;
pub(crate) mod tiles;
mod trust;
mod view;
mod watch_page;

use askama::Template as _;
use message::Language;
use record::Record;
use units::escape_controls;

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the page's template failed: {0}")]
pub struct ReportError(#[from] askama::Error);

/// The whole report as one self-contained page.
///
/// # Errors
/// Only when the template fails, which its tests rule out.
pub fn render_html(record: &Record, language: Language) -> Result<String, ReportError> {
    if let Some(watch) = &record.measured.watch {
        return Ok(watch_page::render_watch_page(record, watch, language)?);
    }
    Ok(escape_controls(&view::Page::from_record(record, language).render()?).into_owned())
}

/// Every picture of the page as a document: its file's name, and the SVG.
pub fn render_svg_files(record: &Record, language: Language) -> Vec<(String, String)> {
    let pictures =
        load_picture::draw_load_pictures(record, language).into_iter().map(|picture| picture.chart);
    let charts = charts::draw_charts(record, language);
    let watched = record.measured.watch.iter();
    let watched = watched.flat_map(|watch| crate::watch::draw_watch_pictures(watch, language));
    let all = pictures.chain(charts.answers).chain(charts.details).chain(watched);
    all.map(|chart| (format!("{}.svg", shared::id_of(&chart.id)), chart.to_file(language)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use message::Render as _;
    use record::Status;

    #[test]
    fn control_characters_are_written_out() {
        let page = page(|record| {
            record.measured.targets[0].path = "/srv/x\u{1b}]0;y\u{7}\u{9b}\u{202e}z".to_owned();
        });
        assert!(page.contains("/srv/x\\u{1b}]0;y\\u{7}\\u{9b}\\u{202e}z"));
        assert!(!page.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']));
    }

    fn page(spoil: impl Fn(&mut Record)) -> String {
        let mut record = record::fixture::ssd_record();
        spoil(&mut record);
        record.judgement = Some(analysis::judge(&record.measured));
        render_html(&record, Language::English).unwrap()
    }

    #[test]
    fn the_notes_of_an_imported_run_are_in_the_readers_language() {
        let note = |id| message::Message::find(id).unwrap();
        let notes = vec![note("fio-import-no-series"), note("fio-import-no-time")];
        let mut record = record::fixture::ssd_record();
        record.measured.imported = Some(record::Imported {
            program: "fio".to_owned(),
            version: "fio-3.42".to_owned(),
            paths: Vec::new(),
            notes: notes.clone(),
            findings: Vec::new(),
        });
        for language in Language::ALL {
            let said = notes.iter().map(|note| note.render(language)).collect::<Vec<_>>();
            let facts = facts::run_facts(&record, language);
            let between = note("list-clauses").render(language);
            assert!(facts.iter().any(|fact| fact.1 == said.join(&between)), "{facts:?}");
            let style = crate::Style { language, ..crate::Style::PLAIN };
            let texts = [crate::render_summary, crate::render_terminal];
            for text in texts.map(|render| render(&record, style)) {
                let flat = |text: &str| text.split_whitespace().collect::<String>();
                for words in &said {
                    assert!(flat(&text).contains(&flat(words)), "{words} is missing in {text}");
                }
            }
        }
    }

    /// The star of the picture, the limit and the rows of the table are one figure.
    #[test]
    fn the_answer_of_the_picture_is_that_of_the_table() {
        let mut record = record::fixture::ssd_record();
        let judgement = record.judgement.insert(analysis::judge(&record.measured)).clone();
        let files = render_svg_files(&record, Language::English);
        let picture = &files.iter().find(|file| file.0 == "load-p99.svg").unwrap().1;
        let rows = crate::words::build_rows(&record, Language::English);
        let mut answers = 0;
        for limit in judgement.curves.iter().filter_map(record::Curve::main_limit) {
            let shown = units::Iops(limit.iops.value).to_string();
            assert!(picture.contains(&shown), "{shown}: {picture}");
            let of_limit = rows.iter().filter(|row| row.cell == limit.cell);
            let figure =
                |row: &crate::words::Row| row.iops.replace(',', "").parse::<f64>().unwrap();
            let total: f64 = of_limit.map(figure).sum();
            assert!((total / limit.iops.value - 1.0).abs() < 0.001, "{total} for {shown}");
            answers += 1;
        }
        assert_eq!(answers, 3, "reads, writes and the mix");
    }

    #[test]
    fn a_disturbed_point_is_hollow_in_the_picture() {
        let classes = |spoil: &dyn Fn(&mut record::Cell)| {
            let mut record = record::fixture::ssd_record();
            let cells = record.measured.cells.iter_mut();
            cells.filter(|cell| cell.name == "randread-4k-qd16").for_each(spoil);
            record.judgement = Some(analysis::judge(&record.measured));
            let files = render_svg_files(&record, Language::English);
            let picture = files.into_iter().find(|file| file.0 == "load-p99.svg").unwrap().1;
            let mark = |load: &str| {
                let words = format!("<title>random read 4k, {load}: ");
                let (before, _) = picture.split_once(&words).unwrap_or_else(|| panic!("{picture}"));
                let (_, class) = before.rsplit_once("class=\"").unwrap();
                class.trim_end_matches("\">").to_owned()
            };
            ["depth 4", "depth 16", "depth 64"].map(mark)
        };
        assert_eq!(classes(&|_| ()), ["f", "f", "f"]);
        let beside = |cell: &mut record::Cell| cell.ledger.layers[0].read_bytes.0 *= 2;
        assert_eq!(classes(&beside), ["f", "h", "f"]);
    }

    #[test]
    fn says_what_the_record_says() {
        let page = page(|_| {});
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
        let page = page(|_| {});
        for load in ["src=", "href=", "@import", "url(", "<link", "<iframe", "<script", "onload"] {
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
    fn the_health_of_a_disk_stands_with_what_it_is() {
        let page = render_html(&crate::terminal::hot_record(), Language::English).unwrap();
        let wanted = [
            "because of heat for about 34 s of this run",
            "health at the start: 38.0 \u{b0}C; 4 % of its spare blocks left",
            "health at the end: 81.0 \u{b0}C;",
        ];
        check(&page, &wanted);
    }

    #[test]
    fn invalid_cells_are_marked_in_table_and_charts() {
        let page = page(|record| {
            let of_depth_1 = |c: &&mut record::Cell| {
                c.job.depth.0 == 1 && c.job.access == workload::Access::Random
            };
            let cells = record.measured.cells.iter_mut().filter(of_depth_1);
            cells.for_each(|cell| cell.ledger.layers[0].read_bytes = units::Bytes(0));
        });
        let wanted = ["INVALID: page-cache", "✗ invalid", "✗ do not use", ": not counted"];
        check(&page, &wanted);
    }

    #[test]
    fn a_headline_that_cannot_tell_is_never_beside_a_badge_of_trust() {
        let mut seen = 0;
        for record in [
            record::fixture::ssd_record(),
            record::fixture::limit_record(),
            record::fixture::two_job_limit_record(),
            record::fixture::open_loop_limit_record(),
            record::fixture::fleet_record(),
        ] {
            let mut record = record;
            let verdict =
                record.judgement.insert(analysis::judge(&record.measured)).verdict.clone();
            let is_open = verdict.unwrap().headline.text().starts_with("Uncertain");
            let page = render_html(&record, Language::English).unwrap();
            let screen = crate::render_summary(&record, crate::Style::PLAIN);
            assert!(!(is_open && page.contains("✓ trusted")), "{page}");
            assert!(!(is_open && screen.contains("[trusted]")), "{screen}");
            assert_eq!(is_open, page.contains("but the run gives no certain answer"));
            seen += usize::from(is_open);
        }
        assert!(seen > 0, "no headline left its question open");
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
                share_because: message::Message::from_text("by hand"),
                io_unit: None,
                accounting: message::Message::from_text("one by one"),
                burst_lasts: None,
                only_limits: false,
                notes: Vec::new(),
                sources: Vec::new(),
            });
        });
        check(&with, &["Is it what was promised?", "200,000 IOPS", "NOT KEPT"]);
        assert!(!with.contains("<b>plan"), "titles are escaped");
        assert!(!page(|_| {}).contains("promised?"));
    }

    #[test]
    fn every_finding_is_told() {
        let mut record = record::fixture::ssd_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let page = render_html(&record, Language::English).unwrap();
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
            let reason = message::Message::from_text("no space left");
            record.measured.completion = record::Completion::Partial { reason, failed: true };
        });
        assert!(page.contains("no space left"));
    }

    /// Every kind of page is small, and holds no number that is none.
    #[test]
    fn pages_are_small_and_finite() {
        let many = || {
            let mut record = record::fixture::fleet_record();
            record::fixture::multiply_hosts(&mut record.measured, 200);
            record
        };
        let records = [
            record::fixture::ssd_record(),
            record::fixture::limit_record(),
            record::fixture::two_job_limit_record(),
            record::fixture::open_loop_limit_record(),
            record::fixture::fleet_record(),
            many(),
            crate::sweep::tests::record(&[1, 4, 16, 64]),
        ];
        for record in records {
            let page = limit_page(record, |_| {});
            assert!(page.len() <= SIZE_MAX, "{} bytes", page.len());
            assert!(!page.contains("NaN") && !page.contains("inf "), "a number that is none");
            assert!(page.contains("<title>truedisk "), "a title of its own");
        }
    }

    /// Bytes of a page.
    const SIZE_MAX: usize = 400_000;

    #[test]
    fn a_tile_shows_the_figure_of_its_row() {
        let mut record = record::fixture::ssd_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let rows = crate::words::build_rows(&record, message::Language::English);
        let tiles = tiles::build_tiles(&record, &rows, None, Language::English);
        assert_eq!(tiles.len(), 5, "latency, reads, writes, sequential, commits");
        let shown: Vec<&String> = rows
            .iter()
            .flat_map(|row| row.latency.iter().chain([&row.iops, &row.rate, &row.interval]))
            .collect();
        for figure in tiles.iter().flat_map(|tile| &tile.figures) {
            assert!(shown.contains(&&figure.value), "{} is in no row", figure.value);
        }
    }

    #[test]
    fn a_commit_is_no_sequential_rate() {
        let page = page(|record| {
            record.measured.cells.retain(|cell| cell.job.sync.is_some());
        });
        assert!(page.contains("commits/s") && !page.contains("Sequential rate"));
    }

    #[test]
    fn a_figure_that_is_not_known_is_not_shown() {
        let page = page(|record| {
            for cell in &mut record.measured.cells {
                let estimates = [&mut cell.confidence.iops.read, &mut cell.confidence.iops.sync];
                for estimate in estimates.into_iter().flatten() {
                    estimate.low = Some(-0.1 * estimate.value);
                }
            }
        });
        check(&page, &["? no figure", "the interval is too wide for a figure"]);
    }

    #[test]
    fn of_two_figures_the_one_too_wide_is_named() {
        let page = page(|record| {
            // Of several visits the intervals are computed again: one is kept.
            record.measured.cells.retain(|cell| cell.role == record::CellRole::Main);
            for cell in &mut record.measured.cells {
                let Some(mut p99) = cell.confidence.iops.read.as_deref().cloned() else { continue };
                (p99.value, p99.low, p99.high) = (90e3, Some(45e3), Some(135e3));
                let read = cell.confidence.percentiles_ns.read.get_or_insert_default();
                read.insert("p99".to_owned(), p99);
            }
        });
        check(&page, &["p99: the interval is too wide for a figure"]);
    }

    #[test]
    fn every_picture_is_a_file_with_a_name_of_its_own() {
        let mut record = record::fixture::ssd_record();
        record.judgement = Some(analysis::judge(&record.measured));
        let files = render_svg_files(&record, Language::English);
        let mut names: Vec<&str> = files.iter().map(|file| file.0.as_str()).collect();
        assert!(names.contains(&"load-p99.svg") && names.contains(&"tails.svg"), "{names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), files.len(), "{names:?}");
        assert!(files.iter().all(|file| file.1.starts_with("<svg xmlns=")));
    }

    fn limit_page(mut record: Record, spoil: impl Fn(&mut Record)) -> String {
        record.judgement = Some(analysis::judge(&record.measured));
        spoil(&mut record);
        render_html(&record, Language::English).unwrap()
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
                "truedisk limit: ",
                "random read 4k within p99&#60;1ms",
                "70,588</span> <span class=\"unit\">IOPS",
                "at depth 24 (p99 829 us), latency bound",
                "95 %: 69,882 to 71,294",
                "p99&lt;1ms: 70,588 at depth 24",
                "id=\"show-load-p99\" checked",
                "Shaded: the bound is broken.",
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
            (By::ProviderCap, ", configured cap"),
            (By::ControlGroup, ", control group"),
            (By::Client, ", this host"),
            (By::DepthTried, ", deepest queue tried"),
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
        check(&two, &["both together", "stroke-dasharray", "12 + 4", "reads</span>"]);
        let open = limit_page(record::fixture::open_loop_limit_record(), |_| {});
        check(
            &open,
            &["every arrival served", "arrivals/s", "p99 of response time", "ramp before"],
        );
        let falling = limit_page(record::fixture::limit_record(), |record| {
            let shape = record.judged_mut().curves[0].shape.as_mut().unwrap();
            let (best_depth, then_depth) = (units::Depth(64), units::Depth(512));
            let (best_iops, then_iops) = (86_500.0, 70_000.0);
            shape.fall = Some(record::Fall { best_depth, best_iops, then_depth, then_iops });
        });
        check(&falling, &["thrashing: fewer at depth 512 than at 64"]);
    }

    #[test]
    fn searches_that_are_hostile_cut_short_or_invalid_make_a_page() {
        let evil = "</script><script>alert(1)</script>";
        let mut record = record::fixture::limit_record();
        record.measured.cells[0].name = evil.to_owned();
        record.measured.cells[1].ledger.layers[0].read_bytes = units::Bytes(0);
        let page = limit_page(record, |record| {
            record.judged_mut().curves[0].label = message::Message::from_text(evil);
            record.judged_mut().curves[0].limits[0].because =
                vec![message::Message::from_text(evil)];
        });
        assert!(!page.contains("<script>alert"));
        check(&page, &[": not counted", "INVALID: page-cache"]);
        for kept in 0..3 {
            let mut record = record::fixture::limit_record();
            record.measured.cells.truncate(kept);
            limit_page(record, |_| {});
        }
    }
}
