//! Every kind of page in a real browser: its height, what it takes to print, and on a phone.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use lab::Need;
use record::{Purpose, Record, SweepPlan, fixture};
use support::truedisk;
use units::{Bytes, Depth, Nanos};

const SCREEN_WIDTH: u32 = 1280;
const PHONE_WIDTH: u32 = 400;
/// Pixels of a page on that screen, with its appendix folded.
const HEIGHT_MAX: u32 = 3_000;
const SIZE_MAX: usize = 400_000;
const SHEETS_MAX: usize = 2;
/// Browsers that print at a time.
const BROWSERS: usize = 3;

#[test]
fn every_kind_of_page_is_short_narrow_and_prints_on_two_sheets() {
    lab::skip_unless!(Need::Program("chromium"));
    let room = tempfile::tempdir().unwrap();
    let pages = make_pages(room.path());
    for (name, page) in &pages {
        assert!(page.len() <= SIZE_MAX, "{name}: {} bytes", page.len());
    }
    let widths = [SCREEN_WIDTH, PHONE_WIDTH];
    let sizes = measure(room.path(), &pages, &widths);
    assert_eq!(sizes.len(), pages.len() * widths.len());
    for ((name, _), sizes) in pages.iter().zip(sizes.chunks_exact(widths.len())) {
        let height = sizes[0][0];
        assert!((500..=HEIGHT_MAX).contains(&height), "{name}: {height} pixels high");
        for (size, width) in sizes.iter().zip(widths) {
            assert!(size[1] <= width, "{name}: {} of {width} pixels wide", size[1]);
        }
    }
    thread::scope(|scope| {
        for pages in pages.chunks(pages.len().div_ceil(BROWSERS)) {
            scope.spawn(move || {
                let room = tempfile::tempdir().unwrap();
                for (name, page) in pages {
                    let sheets = print(room.path(), page);
                    assert!((1..=SHEETS_MAX).contains(&sheets), "{name}: {sheets} sheets");
                }
            });
        }
    });
}

/// Each kind of page with its name, made of a history in this folder.
fn make_pages(room: &Path) -> Vec<(&'static str, String)> {
    let mut pages = Vec::new();
    let mut keep = |name, args: &[&str]| pages.push((name, page_of(room, args)));
    for (name, record) in records() {
        fs::write(room.join(name), record::store::to_json(&record).unwrap()).unwrap();
        run(room, &["history", "import", name]);
        let show = ["history", "show", &record.measured.id];
        keep(name, &show);
        if name == "check.json" {
            for language in ["vi", "ru", "zh-CN", "id"] {
                keep(language, &[&show[..], &["--lang", language]].concat());
            }
        }
    }
    keep("compare", &["compare", "check.json", "again.json"]);
    keep("trend", &["history", "trend", "/srv/data"]);
    let json = ["--json", "metadata.json"];
    keep("metadata", &[&["metadata", "--budget", "10s", "--no-history", "-q"][..], &json].concat());
    let id = make_unsteady(&room.join("metadata.json"));
    run(room, &["history", "import", "metadata.json"]);
    keep("metadata, unsteady", &["history", "show", &id]);
    pages
}

/// Changes a run of small files into one of a busy disk: no rate is the same in two rounds. Gives
/// its id.
fn make_unsteady(path: &Path) -> String {
    let mut record: Record = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    for phase in &mut record.measured.metadata.as_mut().unwrap().phases {
        let rate = phase.rate.value;
        phase.rounds = vec![rate / 7.0, rate, 7.0 * rate];
        (phase.rate.low, phase.rate.high) = (Some(rate / 7.0), Some(7.0 * rate));
    }
    record.judgement = Some(analysis::judge(&record.measured));
    fs::write(path, record::store::to_json(&record).unwrap()).unwrap();
    record.measured.id
}

/// A made-up run of each kind, by the name of its file.
fn records() -> Vec<(&'static str, Record)> {
    let mut again = fixture::ssd_record();
    again.measured.id = "20261119T110640Z-0badcafe".to_owned();
    let mut lost = fixture::fleet_record();
    fixture::lose_host(&mut lost.measured);
    let mut many = fixture::fleet_record();
    fixture::multiply_hosts(&mut many.measured, 200);
    let all = [
        ("check.json", fixture::ssd_record()),
        ("again.json", again),
        ("limit.json", fixture::limit_record()),
        ("two-jobs.json", fixture::two_job_limit_record()),
        ("open-loop.json", fixture::open_loop_limit_record()),
        ("sweep.json", sweep_record()),
        ("fleet.json", fixture::fleet_record()),
        ("lost-host.json", lost),
        ("many-hosts.json", many),
    ];
    let renamed = |(place, (name, mut record)): (usize, (&'static str, Record))| {
        record.measured.id = format!("202611{:02}T110640Z-0badcafe", place + 1);
        record.judgement = Some(analysis::judge(&record.measured));
        (name, record)
    };
    all.into_iter().enumerate().map(renamed).collect()
}

/// Thirteen sizes by nine depths.
fn sweep_record() -> Record {
    let mut record = fixture::ssd_record();
    let template = record.measured.cell("randread-4k-qd64").unwrap().clone();
    let sizes: Vec<Bytes> = (0..13).map(|power| Bytes::kib(1 << power)).collect();
    let depths: Vec<u32> = (0..9).map(|power| 1 << power).collect();
    record.measured.cells.clear();
    for &depth in &depths {
        for &size in &sizes {
            let mut cell = template.clone();
            cell.role = record::CellRole::Point;
            cell.name = format!("randread-{}-qd{depth}", size.to_compact());
            (cell.job.block_size, cell.job.depth) = (size, Depth(depth));
            record.measured.cells.push(cell);
        }
    }
    let (access, mix, block_size) = (template.job.access, template.job.mix, sizes[0]);
    record.measured.plan.bounds.clear();
    record.measured.plan.purpose = Purpose::Sweep(SweepPlan {
        parts: vec![record::Part { access, mix, block_size }],
        block_sizes: sizes,
        depths,
        precision: 0.02,
        cell_time: (Nanos::millis(700), Nanos::secs(10)),
        write_shares: Vec::new(),
    });
    record
}

#[track_caller]
fn run(room: &Path, args: &[&str]) {
    let output = truedisk(args).current_dir(room).env("XDG_DATA_HOME", room).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The page that a command writes.
#[track_caller]
fn page_of(room: &Path, args: &[&str]) -> String {
    let file = room.join("page.html");
    run(room, &[args, &["--html", "page.html"]].concat());
    let page = fs::read_to_string(&file).unwrap();
    fs::remove_file(file).unwrap();
    page
}

/// Height and width of each page at each width: one browser shows all of them, in frames, as its
/// window is wider than a phone.
fn measure(room: &Path, pages: &[(&str, String)], widths: &[u32]) -> Vec<[u32; 2]> {
    let mut shown = String::new();
    for (_, page) in pages {
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        for width in widths {
            shown += &format!(
                "<iframe style=\"border:0;width:{width}px;height:700px\" srcdoc=\"{escaped}\">\
                 </iframe>"
            );
        }
    }
    shown += "<script>onload = () => { document.title = \
              [...document.querySelectorAll('iframe')].map(frame => { \
              const page = frame.contentDocument.documentElement; \
              return `${page.scrollHeight} ${page.scrollWidth}`; }).join(' '); \
              document.body.remove(); }</script>";
    let shown = run_browser(room, &["--hide-scrollbars", "--dump-dom"], &shown);
    let shown = String::from_utf8(shown).unwrap();
    let title = shown.split("<title>").nth(1).and_then(|rest| rest.split('<').next());
    let figures = title.unwrap().split(' ').map(|figure| figure.parse().unwrap());
    Vec::from_iter(figures).as_chunks().0.to_vec()
}

/// The sheets that a page takes in print.
fn print(room: &Path, page: &str) -> usize {
    let pdf = room.join("page.pdf");
    let option = format!("--print-to-pdf={}", pdf.display());
    run_browser(room, &["--no-pdf-header-footer", &option], page);
    let bytes = fs::read(pdf).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    text.lines().filter(|line| line.ends_with("/Type /Page")).count()
}

/// What the browser prints of a page, with its own files in this folder.
fn run_browser(room: &Path, options: &[&str], page: &str) -> Vec<u8> {
    let file = room.join("shown.html");
    fs::write(&file, page).unwrap();
    let mut command = Command::new("chromium");
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"]);
    command.arg(format!("--user-data-dir={}", room.join("profile").display()));
    command.args(options).arg(format!("file://{}", file.display()));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{command:?}");
    output.stdout
}
