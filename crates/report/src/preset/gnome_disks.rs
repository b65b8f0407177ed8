//! The results page of the benchmark of GNOME Disks, as text: a label of the page to a line.

use std::fmt::Write as _;

/// What GNOME Disks measures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Samples {
    /// Bytes of one transfer.
    pub(crate) size: u64,
    /// Bytes per second of each read, over the whole of the disk.
    pub(crate) reads: Vec<f64>,
    /// Bytes per second of each write; none where nothing was written.
    pub(crate) writes: Vec<f64>,
    /// Mean access time in seconds, and of how many.
    pub(crate) access: Option<(f64, u64)>,
}

/// The text.
pub(crate) fn print(samples: &Samples) -> String {
    let Samples { size, reads, writes, access } = samples;
    let mut text = String::new();
    let grouped = grouped(*size);
    let mebibytes = *size as f64 / f64::from(1 << 20);
    let _ = writeln!(text, "Sample Size: {mebibytes:.1} MiB ({grouped} bytes)");
    for (label, rates) in [("Read", reads), ("Write", writes)] {
        if !rates.is_empty() {
            let mean = rates.iter().sum::<f64>() / rates.len() as f64;
            let count = counted(rates.len() as u64);
            let _ = writeln!(text, "Average {label} Rate: {}/s ({count})", format_size(mean));
        }
    }
    if let Some((seconds, count)) = access {
        let count = counted(*count);
        let _ = writeln!(text, "Average Access Time: {:.2} msec ({count})", seconds * 1000.0);
    }
    text
}

fn counted(n: u64) -> String {
    if n == 1 { "1 sample".to_owned() } else { format!("{n} samples") }
}

/// GLib's `g_format_size`: powers of 1000 with one digit behind the point.
fn format_size(bytes: f64) -> String {
    let bytes = bytes.floor();
    if bytes < 1000.0 {
        return format!("{bytes:.0} bytes");
    }
    let units = [("EB", 1e18), ("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let fits = units.into_iter().find(|(_, factor)| bytes >= *factor);
    let (unit, factor) = fits.unwrap_or(("kB", 1e3));
    format!("{:.1} {unit}", bytes / factor)
}

/// `10,485,760`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_the_page() {
        let samples = Samples {
            size: 10_485_760,
            reads: vec![2.6e9, 2.8e9],
            writes: vec![450.25e6],
            access: Some((0.000_052, 1000)),
        };
        let golden = "Sample Size: 10.0 MiB (10,485,760 bytes)\n\
                      Average Read Rate: 2.7 GB/s (2 samples)\n\
                      Average Write Rate: 450.2 MB/s (1 sample)\n\
                      Average Access Time: 0.05 msec (1000 samples)\n";
        assert_eq!(print(&samples), golden);
        let none = Samples { writes: Vec::new(), access: None, ..samples };
        assert_eq!(print(&none).lines().count(), 2);
    }

    #[test]
    fn what_a_person_copies_from_the_page_can_be_read() {
        let samples =
            Samples { size: 1 << 20, reads: vec![812.0, 814.0], writes: vec![], access: None };
        let text = print(&samples);
        let line = text.lines().find_map(|line| line.strip_prefix("Average Read Rate: ")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["813", "bytes/s", "(2", "samples)"]);
    }
}
