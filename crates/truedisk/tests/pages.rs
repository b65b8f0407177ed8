//! Every kind of page in a real browser: its height, what it takes to print, and on a phone.
#![allow(clippy::unwrap_used)] // also helpers of tests may fail

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lab::Need;
use record::{Purpose, Record, SweepPlan, fixture};
use support::truedisk;
use units::{Bytes, Depth, Nanos};

/// Pixels of a page on a screen of 1280, with its appendix folded.
const HEIGHT_MAX: u32 = 3_000;
const SIZE_MAX: usize = 400_000;
const SHEETS_MAX: usize = 2;

#[test]
fn every_kind_of_page_is_short_narrow_and_prints_on_two_sheets() {
    lab::skip_unless!(Need::Program("chromium"));
    let room = tempfile::tempdir().unwrap();
    let browser = Browser(room.path());
    for (name, record) in records() {
        fs::write(room.path().join(name), record::store::to_json(&record).unwrap()).unwrap();
        browser.run(&["history", "import", name]);
        let page = browser.page_of(&["history", "show", &record.measured.id]);
        browser.check(name, &page);
        if name == "check.json" {
            for language in ["vi", "ru", "zh-CN", "id"] {
                let words = ["history", "show", &record.measured.id, "--lang", language];
                browser.check(language, &browser.page_of(&words));
            }
        }
    }
    browser.check("compare", &browser.page_of(&["compare", "check.json", "again.json"]));
    browser.check("trend", &browser.page_of(&["history", "trend", "/srv/data"]));
    let words = "metadata --budget 10s --no-history -q".split(' ');
    browser.check("metadata", &browser.page_of(&Vec::from_iter(words)));
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

/// A folder with a history, and a browser that looks at its pages.
struct Browser<'a>(&'a Path);

impl Browser<'_> {
    #[track_caller]
    fn run(&self, args: &[&str]) {
        let output = truedisk(args).current_dir(self.0).env("XDG_DATA_HOME", self.0).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    /// The page that a command writes.
    #[track_caller]
    fn page_of(&self, args: &[&str]) -> String {
        let file = self.0.join("page.html");
        self.run(&[args, &["--html", "page.html"]].concat());
        let page = fs::read_to_string(&file).unwrap();
        fs::remove_file(file).unwrap();
        page
    }

    #[track_caller]
    fn check(&self, name: &str, page: &str) {
        assert!(page.len() <= SIZE_MAX, "{name}: {} bytes", page.len());
        let [height, width] = self.measure(page, 1280);
        assert!(
            (500..=HEIGHT_MAX).contains(&height) && width <= 1280,
            "{name}: {width} x {height}"
        );
        // A browser's window is wider than a phone: the page is in a frame.
        let [_, width] = self.measure(page, 400);
        assert!(width <= 400, "{name}: {width} pixels wide on a phone");
        let sheets = self.print(page);
        assert!((1..=SHEETS_MAX).contains(&sheets), "{name}: {sheets} sheets");
    }

    /// Height and width of a page in a frame.
    fn measure(&self, page: &str, width: u32) -> [u32; 2] {
        let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
        let frame = format!(
            "<iframe style=\"border:0;width:{width}px;height:700px\" srcdoc=\"{escaped}\"></iframe>\
             <script>onload = () => {{ const page = \
             document.querySelector('iframe').contentDocument.documentElement; document.title = \
             `${{page.scrollHeight}} ${{page.scrollWidth}}`; document.body.remove(); }}</script>"
        );
        let file = self.write(&frame);
        let shown = self.chromium(&["--hide-scrollbars", "--dump-dom"], &file);
        let shown = String::from_utf8(shown).unwrap();
        let title = shown.split("<title>").nth(1).and_then(|rest| rest.split('<').next());
        let figures = title.unwrap().split(' ').map(|figure| figure.parse().unwrap());
        Vec::from_iter(figures).try_into().unwrap()
    }

    /// The sheets that a page takes in print.
    fn print(&self, page: &str) -> usize {
        let file = self.write(page);
        let pdf = self.0.join("page.pdf");
        let option = format!("--print-to-pdf={}", pdf.display());
        self.chromium(&["--no-pdf-header-footer", &option], &file);
        let bytes = fs::read(pdf).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        text.lines().filter(|line| line.ends_with("/Type /Page")).count()
    }

    fn write(&self, page: &str) -> PathBuf {
        let file = self.0.join("shown.html");
        fs::write(&file, page).unwrap();
        file
    }

    fn chromium(&self, options: &[&str], file: &Path) -> Vec<u8> {
        let mut command = Command::new("chromium");
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,900"]);
        command.arg(format!("--user-data-dir={}", self.0.join("profile").display()));
        command.args(options).arg(format!("file://{}", file.display()));
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{command:?}");
        output.stdout
    }
}
