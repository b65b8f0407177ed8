//! The text for people: line by line, with numbers replaced by what they are.

use std::sync::OnceLock;

use regex::Regex;

/// Numbers as fio shortens them.
const NUM: &str = r"\d+(?:\.\d+)?[kMGTP]?";
/// Rates and amounts of bytes or bits, base 1024 or 1000.
const AMOUNT: &str = r"\d+(?:\.\d+)?(?:[KMGTPkE]i?)?[Bb](?:it)?";
/// A whole number, five wide at least.
const WIDE: &str = r"(?: {4}\d| {3}\d\d| {2}\d{3}| \d{4}|\d{5,})";
/// Two decimals, five wide at least.
const FIXED: &str = r"(?: \d\.\d\d|\d{2,}\.\d\d)";
/// `Sat Nov 21 00:01:16 2026`.
const DATE: &str = r"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}";

/// What the words in capitals of the table stand for; a word comes before those in its meaning.
const NAMES: [(&str, &str); 17] = [
    ("ZONES", r"(?:; \d+ zone resets)?"),
    ("LATENCY", "min=NUM, max=NUM, avg=FIXED, stdev=FIXED"),
    ("LAST", ">=64=PART"),
    ("SECTORS", "(?: sectors=PAIR,)?"),
    ("RATES", r"RATE \(RATE\), RATE-RATE \(RATE-RATE\)"),
    ("RATE", "AMOUNT/s"),
    ("SPREAD", r"avg=FIXED, stdev=FIXED, samples=\d+"),
    ("SHARE", r"\d+\.\d\d%"),
    ("PART", r"\d+\.\d%"),
    ("PAIR", r"\d+/\d+"),
    ("FOUR", r"\d+,\d+,\d+,\d+"),
    ("UNIT", "(?:[num]?s(?:ec)?)?"),
    ("NUM", NUM),
    ("AMOUNT", AMOUNT),
    ("WIDE", WIDE),
    ("FIXED", FIXED),
    ("DATE", DATE),
];

/// What is done with a line that a rule knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It stands in both texts, replaced by this.
    Becomes(&'static str),
    /// It stands in both if the run lasts; after a short one it may be missing.
    Windows(&'static str),
    /// It may be missing: left out.
    Dropped,
}

/// A line's shape and what becomes of it.
type Rule = (Regex, Use);

fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let fill = |text: &str| {
            let names = NAMES.iter();
            names.fold(text.to_string(), |text, (name, regex)| text.replace(name, regex))
        };
        let rule = |(text, what): &(&str, Use)| {
            Regex::new(&format!("^{}$", fill(text))).ok().map(|regex| (regex, *what))
        };
        TABLE.iter().filter_map(rule).collect()
    })
}

const TABLE: &[(&str, Use)] = &[
    (r"fio-3\.\d+.*", Use::Becomes("fio-3.N")),
    (
        r"(.*: \(groupid=\d+, jobs=\d+\): err=[ \d]\d)(?: \(.*\))?: pid=\d+: DATE",
        Use::Becomes("$1: pid=N: DATE"),
    ),
    (
        r"( *(?:read|write|trim|mixed): )IOPS=NUM, BW=RATE \(RATE\)\((AMOUNT)/\d+msec\)ZONES",
        Use::Becomes("${1}IOPS=N, BW=R (R)($2/Nmsec)"),
    ),
    (
        r"( {4,5}(?:slat|clat|lat|sync)) \([num]sec\): LATENCY",
        Use::Becomes("$1 (U): min=N, max=N, avg=F, stdev=F"),
    ),
    (r"(    (?:slat|clat|lat|sync) percentiles) \([num]sec\):", Use::Becomes("$1 (U):")),
    (
        r"   bw \((?:  [KMGT]iB| +[KMGTk]?(?:bit|B|b))/s\): min=WIDE, max=WIDE, per=SHARE, SPREAD",
        Use::Windows("   bw (U/s): min=I, max=I, per=P, avg=F, stdev=F, samples=N"),
    ),
    (
        r"   iops        : min=WIDE, max=WIDE, SPREAD",
        Use::Windows("   iops        : min=I, max=I, avg=F, stdev=F, samples=N"),
    ),
    (r"  lat \([num]sec\)   : (?:>=)?\d+=SHARE(?:, (?:>=)?\d+=SHARE)*", Use::Dropped),
    (
        r"  cpu          : usr=SHARE, sys=SHARE, ctx=\d+, majf=\d+, minf=\d+",
        Use::Becomes("  cpu          : usr=P, sys=P, ctx=N, majf=N, minf=N"),
    ),
    (
        r"  IO depths    : 1=PART, 2=PART, 4=PART, 8=PART, 16=PART, 32=PART, LAST",
        Use::Becomes("  IO depths    : P"),
    ),
    (
        r"(     (?:submit   |complete )) : 0=PART, 4=PART, 8=PART, 16=PART, 32=PART, 64=PART, LAST",
        Use::Becomes("$1 : P"),
    ),
    (
        r"     issued rwts: total=(\d+,\d+,\d+),\d+ short=FOUR dropped=FOUR",
        Use::Becomes("     issued rwts: total=$1,N short=N dropped=N"),
    ),
    (
        r"     latency   : target=NUMUNIT, window=NUMUNIT, percentile=(SHARE), depth=\d+",
        Use::Becomes("     latency   : target=T, window=T, percentile=$1, depth=N"),
    ),
    (
        r"  fsync/fdatasync/sync_file_range(?:/syncfs)?:",
        Use::Becomes("  fsync/fdatasync/sync_file_range:"),
    ),
    (
        r"( *(?:READ|WRITE|TRIM|MIXED): )bw=RATES, io=(AMOUNT \(AMOUNT\)), run=\d+-\d+msec",
        Use::Becomes("${1}bw=R (R), R-R (R-R), io=$2, run=N-Nmsec"),
    ),
    (
        r"  +(\w[\w-]*): ios=PAIR,SECTORS merge=PAIR, ticks=PAIR, in_queue=\d+, util=SHARE",
        Use::Becomes("  $1: ios=N"),
    ),
    (
        r"  steadystate  : attained=(?:yes|no), bw=RATE \(RATE\), (?:iops=NUM, )?.*=\d+\.\d+%?",
        Use::Becomes("  steadystate  : S"),
    ),
    (r"  system: SHARE", Use::Becomes("  system: P")),
    (r"  percpu: (?:SHARE(?:, )?)+", Use::Becomes("  percpu: P")),
    (
        r"  unit work: mean=\d+\.\d\dus, stddev=\d+\.\d\d",
        Use::Becomes("  unit work: mean=F, stddev=F"),
    ),
    // Talk that is no part of the results: ours goes to stderr, or nowhere.
    (r"note: .*", Use::Dropped),
    (r"fio: .*", Use::Dropped),
];

/// A line of an estimate: `Jobs: 1 (f=1): [m(1)][57.1%]...`.
fn is_estimate(line: &str) -> bool {
    line.starts_with("Jobs: ") && line.contains("(f=")
}

/// Before the cells of percentiles.
const CELLS: &str = "     |";
/// Lines of cells are not wider.
const WIDTH: usize = 80;

/// A text as lines without its numbers.
pub fn lines(text: &str, timed: bool) -> Vec<String> {
    let cut = text.replace('\r', "\n");
    let mut all: Vec<String> = Vec::new();
    for line in cut.lines().filter(|line| !is_estimate(line)) {
        let Some(line) = masked(line, timed) else { continue };
        // Blank lines part sections; that there are two has to do with what was left out.
        if line.trim().is_empty() && all.last().is_none_or(String::is_empty) {
            continue;
        }
        match (line.strip_prefix(CELLS), all.last_mut()) {
            // How many cells a line takes hangs on how wide the values are: one line of all.
            (Some(cells), Some(last)) if last.starts_with(CELLS) => last.push_str(cells),
            _ => all.push(line.trim_end().to_string()),
        }
    }
    while all.last().is_some_and(String::is_empty) {
        all.pop();
    }
    all
}

fn masked(line: &str, timed: bool) -> Option<String> {
    if line.starts_with(CELLS) {
        return Some(percentiles(line));
    }
    for (regex, what) in rules() {
        if !regex.is_match(line) {
            continue;
        }
        return match what {
            Use::Dropped => None,
            Use::Windows(_) if !timed => None,
            Use::Windows(text) | Use::Becomes(text) => {
                let text = regex.replace(line, *text).into_owned();
                Some(if timed { without_digits(&text) } else { text })
            }
        };
    }
    Some(line.to_string())
}

/// Amounts of timed runs differ.
fn without_digits(text: &str) -> String {
    static AMOUNTS: OnceLock<Option<Regex>> = OnceLock::new();
    let amounts = AMOUNTS
        .get_or_init(|| Regex::new(&format!(r"{AMOUNT}\b|\d+,\d+,\d+").replace("NUM", NUM)).ok());
    match amounts {
        Some(amounts)
            if text.contains("IOPS=") || text.contains("io=") || text.contains("rwts") =>
        {
            amounts.replace_all(text, "B").into_owned()
        }
        _ => text.to_string(),
    }
}

/// ` 1.00th=[   72],` with the value taken out; all values of a line are as wide.
fn percentiles(line: &str) -> String {
    let mut text = String::new();
    let mut widths = Vec::new();
    for (number, part) in line.split('[').enumerate() {
        let Some((value, rest)) = part.split_once(']').filter(|_| number > 0) else {
            text.push_str(part);
            continue;
        };
        let digits = value.trim_start_matches([' ', '>', '=']);
        let good = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        widths.push(value.len());
        text.push_str(if good { "[N]" } else { "[?]" });
        text.push_str(rest);
    }
    let even = widths.windows(2).all(|pair| pair.first() == pair.last());
    let good = even && widths.iter().all(|width| *width >= 5) && line.len() <= WIDTH;
    if good { text } else { format!("{text} uneven") }
}

/// Lines below the results that ours may add.
const FINDINGS: usize = 4;

/// Compares two texts; `timed` when amounts are not determined.
pub fn compare(real: &str, ours: &str, timed: bool) -> Vec<String> {
    let (old, mut new) = (lines(real, timed), lines(ours, timed));
    if new.len() > old.len() && new.len() <= old.len() + FINDINGS && new.starts_with(&old) {
        new.truncate(old.len());
    }
    if old == new { Vec::new() } else { diff(&old, &new) }
}

/// The usual marks: `-` only in fio's, `+` only in ours.
pub fn diff(old: &[String], new: &[String]) -> Vec<String> {
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut marked) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            marked.push(format!("- {}", old[i]));
            i += 1;
        } else {
            marked.push(format!("+ {}", new[j]));
            j += 1;
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_a_regex() {
        assert_eq!(rules().len(), TABLE.len());
    }

    #[test]
    fn numbers_go_and_spacing_stays() {
        let same = |a: &str, b: &str| assert_eq!(lines(a, false), lines(b, false));
        let other = |a: &str, b: &str| assert_ne!(lines(a, false), lines(b, false));
        same(
            "  write: IOPS=23.5k, BW=91.9MiB/s (96.3MB/s)(1024KiB/11msec); 0 zone resets",
            "  write: IOPS=3, BW=12.0KiB/s (12.3kB/s)(1024KiB/99msec)",
        );
        other(
            "  write: IOPS=23.5k, BW=91.9MiB/s (96.3MB/s)(1024KiB/11msec)",
            "  write: IOPS=23.5k, BW=91.9MiB/s (96.3MB/s)(1028KiB/11msec)",
        );
        other(
            "  write: IOPS=23.5k, BW=91.9MiB/s (96.3MB/s)(1024KiB/11msec)",
            "  write: IOPS=23.5k, BW= 91.9MiB/s (96.3MB/s)(1024KiB/11msec)",
        );
        same(
            "    clat (nsec): min=79, max=1795.5k, avg=94993.34, stdev=43979.73",
            "    clat (usec): min=29, max=471, avg=49.00, stdev= 8.46",
        );
        other(
            "    clat (nsec): min=79, max=17, avg=94.34, stdev= 8.46",
            "    clat (nsec): min=79, max=17, avg=94.34, stdev=8.46",
        );
        same(
            "     | 99.00th=[  137], 99.50th=[  155],",
            "     | 99.00th=[10137], 99.50th=[99155],",
        );
        other(
            "     | 99.00th=[  137], 99.50th=[ 155],",
            "     | 99.00th=[  137], 99.50th=[  155],",
        );
        same(
            "     |  1.00th=[   79],  5.00th=[   94],\n     | 10.00th=[   95]",
            "     |  1.00th=[1000079],\n     |  5.00th=[1000094], 10.00th=[1000095]",
        );
        same("  lat (usec)   : 250=1.00%\n  cpu", "  cpu");
        same("Jobs: 1 (f=1): [r(1)]\rx", "x");
    }

    #[test]
    fn both_samples_of_the_reference_have_the_same_shape() {
        let old = "     latency   : target=0, window=0, percentile=100.00%, depth=8";
        let new = "     latency   : target=0.00ns, window=0.00ns, percentile=100.00%, depth=8";
        assert_eq!(lines(old, false), lines(new, false));
        let old = "  vda: ios=1/2, merge=0/0, ticks=1/2, in_queue=3, util=71.03%";
        let new = "  vda: ios=1/2, sectors=1/2, merge=0/0, ticks=1/2, in_queue=3, util=1.03%";
        assert_eq!(lines(old, false), lines(new, false));
    }

    #[test]
    fn findings_may_follow() {
        assert!(compare("a\nb\n", "a\nb\n\nfinding\n", false).is_empty());
        assert_eq!(compare("a\nb\n", "a\nc\nb\n", false), ["+ c"]);
    }
}
