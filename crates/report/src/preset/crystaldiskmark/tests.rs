//! Golden texts from CrystalDiskMark's own reports, and a script that reads them.

use super::*;

fn score(test: &str, megabytes: f64, latency_us: f64) -> Score {
    let (random, rest) = (test.starts_with("RND"), &test[3..]);
    let (block, rest) = rest.split_once('Q').unwrap();
    let (queues, threads) = rest.split_once('T').unwrap();
    Score {
        random,
        block: block.trim().parse().unwrap(),
        queues: queues.parse().unwrap(),
        threads: threads.trim().parse().unwrap(),
        bytes_per_second: megabytes * 1e6,
        latency_us: Some(latency_us),
    }
}

/// The figures of a report on a WD Blue 3D, by CrystalDiskMark 8.0.1.
fn report() -> Report {
    let reads = vec![
        score("SEQ1m Q8T1", 531.458, 15726.77),
        score("SEQ1m Q1T1", 489.838, 2139.41),
        score("RND4k Q32T1", 269.406, 470.58),
        score("RND4k Q1T1", 41.375, 98.75),
    ];
    let writes = vec![
        score("SEQ1m Q8T1", 498.656, 16750.30),
        score("SEQ1m Q1T1", 485.163, 2159.18),
        score("RND4k Q32T1", 222.691, 583.02),
        score("RND4k Q1T1", 99.900, 40.73),
    ];
    Report {
        version: Version::Eight,
        program: "truedisk 0.1.0".to_owned(),
        profile: "Default".to_owned(),
        reads,
        writes,
        mixed: None,
        size: Bytes::gib(1),
        passes: 5,
        measure_s: 5.0,
        interval_s: 5.0,
        drive: Some(("E".to_owned(), 894 * Bytes::GIB, 932 * Bytes::GIB)),
        date: "2021/06/22 17:19:21".to_owned(),
        os: "Windows 10  [10.0 Build 19042] (x64)".to_owned(),
    }
}

#[test]
fn version_8_is_as_it_prints_itself_but_for_its_name() {
    let golden = "\
------------------------------------------------------------------------------
truedisk 0.1.0 in the words of CrystalDiskMark 8
                                           Imitates: https://crystalmark.info/
------------------------------------------------------------------------------
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
* KB = 1000 bytes, KiB = 1024 bytes

[Read]
  SEQ    1MiB (Q=  8, T= 1):   531.458 MB/s [    506.8 IOPS] < 15726.77 us>
  SEQ    1MiB (Q=  1, T= 1):   489.838 MB/s [    467.1 IOPS] <  2139.41 us>
  RND    4KiB (Q= 32, T= 1):   269.406 MB/s [  65772.9 IOPS] <   470.58 us>
  RND    4KiB (Q=  1, T= 1):    41.375 MB/s [  10101.3 IOPS] <    98.75 us>

[Write]
  SEQ    1MiB (Q=  8, T= 1):   498.656 MB/s [    475.6 IOPS] < 16750.30 us>
  SEQ    1MiB (Q=  1, T= 1):   485.163 MB/s [    462.7 IOPS] <  2159.18 us>
  RND    4KiB (Q= 32, T= 1):   222.691 MB/s [  54367.9 IOPS] <   583.02 us>
  RND    4KiB (Q=  1, T= 1):    99.900 MB/s [  24389.6 IOPS] <    40.73 us>

Profile: Default
   Test: 1 GiB (x5) [E: 96% (894/932GiB)]
   Mode:
   Time: Measure 5 sec / Interval 5 sec~
   Date: 2021/06/22 17:19:21
     OS: Windows 10  [10.0 Build 19042] (x64)
";
    assert_eq!(render(&report()), golden.replace('~', " "));
}

#[test]
fn version_8_names_its_mix() {
    let mixed = Some((70, vec![score("SEQ1m Q8T1", 3635.544, 2303.51)]));
    let text = render(&Report { mixed, size: Bytes::mib(64), ..report() });
    let part = "\n[Mix] Read 70%/Write 30%\n  SEQ    1MiB (Q=  8, T= 1):  3635.544 MB/s \
                [   3467.1 IOPS] <  2303.51 us>\n\nProfile";
    assert!(text.contains(part), "{text}");
    assert!(text.contains("   Test: 64 MiB (x5) ["), "{text}");
}

#[test]
fn version_7_is_as_it_prints_itself_but_for_its_name() {
    // Its results string of profile Default; there is a drive, which it does not name.
    let golden = "\
------------------------------------------------------------------------------
truedisk 0.1.0 in the words of CrystalDiskMark 7
                                           Imitates: https://crystalmark.info/
------------------------------------------------------------------------------
* MB/s = 1,000,000 bytes/s [SATA/600 = 600,000,000 bytes/s]
* KB = 1000 bytes, KiB = 1024 bytes

[Read]
Sequential 1MiB (Q=  8, T= 1):   101.514 MB/s [     96.8 IOPS] < 81970.32 us>
Sequential 1MiB (Q=  1, T= 1):    97.030 MB/s [     92.5 IOPS] < 10802.09 us>
    Random 4KiB (Q= 32, T=16):     0.851 MB/s [    207.8 IOPS] <635043.04 us>
    Random 4KiB (Q=  1, T= 1):     0.419 MB/s [    102.3 IOPS] <  9763.07 us>

[Write]
Sequential 1MiB (Q=  8, T= 1):    99.125 MB/s [     94.5 IOPS] < 83700.33 us>
Sequential 1MiB (Q=  1, T= 1):    95.240 MB/s [     90.8 IOPS] < 11004.10 us>
    Random 4KiB (Q= 32, T=16):     1.012 MB/s [    247.1 IOPS] <570003.16 us>
    Random 4KiB (Q=  1, T= 1):     0.980 MB/s [    239.3 IOPS] <  4170.00 us>

Profile: Default
   Test: 1 GiB (x5) [Interval: 5 sec] <DefaultAffinity=DISABLED>
   Date: 2021/06/22 17:19:21
     OS: Windows 10  [10.0 Build 19042] (x64)

";
    let of = |scores: [(&str, f64, f64); 4]| scores.map(|(t, mb, us)| score(t, mb, us)).to_vec();
    let seven = Report {
        version: Version::Seven,
        reads: of([
            ("SEQ1m Q8T1", 101.514, 81970.32),
            ("SEQ1m Q1T1", 97.030, 10802.09),
            ("RND4k Q32T16", 0.851, 635_043.04),
            ("RND4k Q1T1", 0.419, 9763.07),
        ]),
        writes: of([
            ("SEQ1m Q8T1", 99.125, 83700.33),
            ("SEQ1m Q1T1", 95.240, 11004.10),
            ("RND4k Q32T16", 1.012, 570_003.16),
            ("RND4k Q1T1", 0.980, 4170.00),
        ]),
        ..report()
    };
    assert!(seven.drive.is_some());
    assert_eq!(render(&seven), golden);
    // The other profiles end with the system.
    let peak = render(&Report { profile: "Peak".to_owned(), ..seven });
    assert!(peak.contains("\nProfile: Peak\n") && peak.ends_with("(x64)\n"), "{peak}");
}

#[test]
fn dates_are_local_and_their_hours_not_padded() {
    let check = |time: &str, hours: i8, expected: &str| {
        let zone = TimeZone::fixed(jiff::tz::offset(hours));
        assert_eq!(format_date(time.parse().unwrap(), zone), expected);
    };
    check("2021-06-22T15:19:21Z", 2, "2021/06/22 17:19:21");
    check("2021-06-22T23:04:05Z", 9, "2021/06/23 8:04:05");
    check("2021-06-22T00:04:05Z", 0, "2021/06/22 0:04:05");
    check("2021-01-01T02:00:00Z", -5, "2020/12/31 21:00:00");
}

#[test]
fn versions_5_and_6_print_pairs() {
    let of = |tests: [(&str, f64); 4]| tests.map(|(test, rate)| score(test, rate, 1.0)).to_vec();
    let five = Report {
        version: Version::Five,
        reads: of([
            ("SEQ128k Q32T1", 140.647),
            ("RND4k Q32T1", 33.730),
            ("SEQ1m Q1T1", 156.034),
            ("RND4k Q1T1", 10.380),
        ]),
        writes: of([
            ("SEQ128k Q32T1", 89.082),
            ("RND4k Q32T1", 15.586),
            ("SEQ1m Q1T1", 96.884),
            ("RND4k Q1T1", 15.317),
        ]),
        drive: Some(("E".to_owned(), 27_682_406, 7_514_095_616)),
        ..report()
    };
    let golden = "
   Sequential Read (Q= 32,T= 1) :   140.647 MB/s
  Sequential Write (Q= 32,T= 1) :    89.082 MB/s
  Random Read 4KiB (Q= 32,T= 1) :    33.730 MB/s [  8234.9 IOPS]
 Random Write 4KiB (Q= 32,T= 1) :    15.586 MB/s [  3805.2 IOPS]
         Sequential Read (T= 1) :   156.034 MB/s
        Sequential Write (T= 1) :    96.884 MB/s
   Random Read 4KiB (Q= 1,T= 1) :    10.380 MB/s [  2534.2 IOPS]
  Random Write 4KiB (Q= 1,T= 1) :    15.317 MB/s [  3739.5 IOPS]

  Test : 1024 MiB [E: 0.4% (26.4/7166.0 MiB)] (x5)  [Interval=5 sec]
";
    let text = render(&five);
    assert!(text.contains(golden), "{text}");
    let six = render(&Report {
        version: Version::Six,
        reads: vec![score("RND4k Q8T8", 7.892, 1.0)],
        writes: vec![score("RND4k Q1T1", 2.260, 1.0)],
        ..five
    });
    let part = "\n  Random Read 4KiB (Q=  8,T= 8) :     7.892 MB/s [   1926.8 IOPS]\n \
                Random Write 4KiB (Q=  1,T= 1) :     2.260 MB/s [    551.8 IOPS]\n";
    assert!(six.contains(part), "{six}");
}

/// What a published parser of CrystalDiskMark's texts takes from a line of results: the words
/// between fixed marks, however many blanks there are; and the part that the line stands in,
/// which any line that is neither a result nor a title ends.
fn scrape(text: &str) -> Vec<(String, String, u32, u32, [f64; 3])> {
    let mut part = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let title = ["Read", "Write", "Mix"].iter().find(|t| line.contains(&format!("[{t}]")));
        if let Some(title) = title {
            part = Some((*title).to_owned());
        } else if let Some((test, rest)) = line.split_once("(Q=") {
            let numbers: Vec<&str> = rest
                .split(|c: char| !c.is_ascii_digit() && c != '.')
                .filter(|word| !word.is_empty())
                .collect();
            let [queues, threads, rate, iops, latency] = numbers.as_slice() else {
                panic!("{line}")
            };
            let test = test.split_whitespace().collect::<String>();
            let parsed = [*rate, *iops, *latency].map(|number| number.parse().unwrap());
            let part = part.clone().unwrap();
            found.push((part, test, queues.parse().unwrap(), threads.parse().unwrap(), parsed));
        } else {
            part = None;
        }
    }
    found
}

#[test]
fn a_script_for_crystaldiskmark_reads_it() {
    let mixed = Some((70, vec![score("RND4k Q32T16", 571.979, 3665.0)]));
    let rows = scrape(&render(&Report { mixed, ..report() }));
    assert_eq!(rows.len(), 9);
    let first = ("Read".to_owned(), "SEQ1MiB".to_owned(), 8, 1, [531.458, 506.8, 15726.77]);
    assert_eq!(rows[0], first);
    let last = ("Mix".to_owned(), "RND4KiB".to_owned(), 32, 16, [571.979, 139_643.3, 3665.0]);
    assert_eq!(rows[8], last);
}
