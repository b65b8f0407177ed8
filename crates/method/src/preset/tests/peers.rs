//! What the presets that imitate other tools ask, step by step, against tables that were typed from
//! the sources of these tools. A table is never made from the presets.

use record::{Score, StepWork};
use units::{Bytes, Nanos};
use workload::{Access, DurableWrites, Mix, Pacing, Payload, SyncKind};

use super::super::plan::{JobTemplate, Step};
use super::super::*;

/// All that a step asks, in few words; what a peer's table leaves out is at its default.
fn step_words(step: &Step) -> String {
    let plan = &step.plan;
    let mut words = vec![plan.name.clone()];
    match &plan.work {
        StepWork::Surface { places, slice, access } => {
            let (block, depth) = (step.stream.0.to_compact(), step.stream.1);
            words.push(format!("{places} places of {slice} {block} q{depth}, near {access}"));
        }
        StepWork::Metadata(_) => panic!("no peer has small files"),
        StepWork::Jobs { .. } => {
            let jobs: Vec<String> = step.jobs.iter().map(job_asked).collect();
            words.push(jobs.join(" beside "));
        }
    }
    words.push(format!("x{}", plan.passes));
    let mut more = |given: bool, text: String| words.extend(given.then_some(text));
    more(plan.discarded > 0, format!("after {}", plan.discarded));
    more(plan.settle != Nanos::ZERO, format!("settle {}", plan.settle));
    more(plan.pause != Nanos::ZERO, format!("pause {}", plan.pause));
    more(plan.rest != Nanos::ZERO, format!("rest {}", plan.rest));
    more(plan.score != Score::Median, plan.score.name().to_owned());
    more(!plan.direct, "buffered".to_owned());
    more(plan.cache_dropped, "dropped".to_owned());
    more(plan.skips_unaligned, "where it fits".to_owned());
    more(plan.end_sync.is_some(), format!("end {}", plan.end_sync.map_or("", sync_word)));
    assert!(plan.fresh.is_none() && plan.group.is_none() && !plan.until_steady, "{words:?}");
    words.join(" ")
}

fn sync_word(kind: SyncKind) -> &'static str {
    match kind {
        SyncKind::Fsync => "fsync",
        SyncKind::Fdatasync => "fdatasync",
        SyncKind::FileRange => "range",
    }
}

fn job_asked(shape: &JobTemplate) -> String {
    let job = &shape.job;
    let access = match job.access {
        Access::Random => "random",
        Access::Sequential => "sequential",
        _ => panic!("{:?}", job.access),
    };
    let mix = match job.mix {
        Mix::Read => "read".to_owned(),
        Mix::Write => "write".to_owned(),
        Mix::Mixed { read_percent } => format!("{read_percent}%"),
        _ => panic!("{:?}", job.mix),
    };
    let bs = match &job.sizes.read {
        workload::Sizes::Block => job.block_size.to_compact(),
        workload::Sizes::Range { least, most } => {
            format!("{}-{}", least.to_compact(), most.to_compact())
        }
        other => panic!("{other:?}"),
    };
    let (depth, workers) = (job.depth, job.workers);
    let mut words = vec![format!("{access} {mix} {bs} q{depth} t{workers}")];
    words.extend(job.stop.time.map(|time| time.to_string()));
    let mut more = |given: bool, text: String| words.extend(given.then_some(text));
    more(job.warm_up != Nanos::ZERO, format!("warm {}", job.warm_up));
    more(job.stop.operations.is_some(), format!("{:?} ops", job.stop.operations.unwrap_or(0)));
    more(shape.bytes.is_some(), format!("bytes {}", shape.bytes.map_or_else(String::new, share)));
    more(shape.span != values::SizeOrShare::Fraction(1.0), format!("of {}", share(shape.span)));
    assert_eq!(shape.offset, values::SizeOrShare::Size(Bytes(0)));
    if let Some(sync) = job.sync {
        words.push(format!("{} each {}", sync_word(sync.kind), sync.every));
    }
    match job.durable {
        Some(DurableWrites::Data) => words.push("dsync".to_owned()),
        Some(DurableWrites::DataAndMetadata) => words.push("sync".to_owned()),
        None => {}
    }
    match job.payload {
        Payload::Unique => {}
        Payload::DevZero => words.push("zeros".to_owned()),
        _ => panic!("{:?}", job.payload),
    }
    let mut more = |given: bool, text: &str| words.extend(given.then(|| text.to_owned()));
    more(job.touch, "touched");
    more(job.finish, "finished");
    more(job.backend == workload::BackendChoice::Psync, "psync");
    more(job.backend == workload::BackendChoice::Threads, "threads");
    more(job.backend == workload::BackendChoice::Libaio, "libaio");
    assert!(job.caps == workload::Caps::default() && job.think.is_none(), "{words:?}");
    assert_eq!(job.pacing, Pacing::Closed);
    words.join(" ")
}

fn share(share: values::SizeOrShare) -> String {
    match share {
        values::SizeOrShare::Size(bytes) => bytes.to_compact(),
        values::SizeOrShare::Fraction(part) => format!("{:.0}%", part * 100.0),
    }
}

fn check(name: &str, size: Bytes, expected: &[String]) {
    let preset = Preset::find(name, &[]).unwrap();
    let found: Vec<String> = preset.steps.iter().map(step_words).collect();
    assert_eq!(found, expected, "{name}");
    assert_eq!(preset.plan.size, size, "{name}");
}

/// CrystalDiskMark's tests as its windows name them: `-b1024K -o8 -t1` of diskspd is `SEQ1M Q8T1`,
/// and of every thread the queue counts by itself. First all reads, then writes, then mixes.
fn crystaldiskmark(name: &str, tests: &[&str], passes: u32, seconds: [u64; 2], mixed: bool) {
    let mut expected = Vec::new();
    for (part, mix) in [("read", "read"), ("write", "write"), ("mix", "70%")] {
        if part == "mix" && !mixed {
            continue;
        }
        for test in tests {
            let (place, numbers) = test.split_once(' ').unwrap();
            let (kind, block) = place.split_at(3);
            let (queues, threads) = numbers[1..].split_once('T').unwrap();
            let access = if kind == "SEQ" { "sequential" } else { "random" };
            let [queues, threads] = [queues, threads].map(|text| text.parse::<u32>().unwrap());
            let depth = queues * threads;
            let step = format!("{place}-{}-{part}", numbers).to_lowercase();
            let [measure, interval] = seconds.map(Nanos::secs);
            expected.push(format!(
                "{step} {access} {mix} {} q{depth} t{threads} {measure} x{passes} after 1 rest \
                 {interval} best",
                block.to_lowercase()
            ));
        }
    }
    check(name, Bytes::gib(1), &expected);
}

#[test]
fn crystaldiskmarks_tests_are_those_of_its_source() {
    let default = ["SEQ1M Q8T1", "SEQ1M Q1T1", "RND4K Q32T1", "RND4K Q1T1"];
    let nvme = ["SEQ1M Q8T1", "SEQ128K Q32T1", "RND4K Q32T16", "RND4K Q1T1"];
    let peak = ["SEQ1M Q8T1", "RND4K Q32T1"];
    let nvme_peak = ["SEQ1M Q8T1", "RND4K Q32T16"];
    let real = ["SEQ1M Q1T1", "RND4K Q1T1"];
    for (profile, tests, seconds) in [
        ("", &default[..], [5, 5]),
        ("-nvme", &nvme, [5, 5]),
        ("-nvme-peak", &nvme_peak, [5, 5]),
        ("-flash", &default, [1, 30]),
        ("-peak", &peak, [5, 5]),
        ("-real", &real, [5, 5]),
    ] {
        crystaldiskmark(&format!("crystaldiskmark{profile}"), tests, 5, seconds, false);
        crystaldiskmark(&format!("crystaldiskmark{profile}-mix"), tests, 5, seconds, true);
    }
    crystaldiskmark("crystaldiskmark-demo", &["SEQ1M Q8T1"], 5, [5, 5], false);
    crystaldiskmark("crystaldiskmark-9", &default, 3, [5, 5], false);
    let seven = ["SEQ1M Q8T1", "SEQ1M Q1T1", "RND4K Q32T16", "RND4K Q1T1"];
    crystaldiskmark("crystaldiskmark-7", &seven, 5, [5, 5], false);
    let six = ["SEQ128K Q32T1", "RND4K Q8T8", "RND4K Q32T1", "RND4K Q1T1"];
    crystaldiskmark("crystaldiskmark-6", &six, 5, [5, 5], false);
    let five = ["SEQ128K Q32T1", "RND4K Q32T1", "SEQ1M Q1T1", "RND4K Q1T1"];
    crystaldiskmark("crystaldiskmark-5", &five, 5, [5, 5], false);
    let known = built_in_names().filter(|name| name.starts_with("crystaldiskmark")).count();
    assert_eq!(known, 17, "each has a line above");
}

#[test]
fn the_other_peers_tests_are_those_of_their_sources() {
    let check = |name: &str, size: Bytes, lines: &[&str]| {
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        check(name, size, &lines);
    };
    // Its order is that of its output; the depth of 8 is our estimate.
    check(
        "winsat",
        Bytes::gib(1),
        &[
            "ran-read random read 16k q8 t1 3.00 s x1",
            "seq-read sequential read 64k q8 t1 3.00 s x1",
            "seq-write sequential write 64k q8 t1 3.00 s x1",
            "flush-seq random read 16k q1 t1 4.00 s beside \
         sequential write 64k q1 t1 4.00 s fdatasync each 16 x1",
            "flush-ran random read 16k q1 t1 4.00 s beside \
         random write 16k q1 t1 4.00 s fdatasync each 16 x1",
        ],
    );
    // hdparm.c: TIMING_BUF_MB 2, 2 s of the same with -T, 3 s on and on with -t; sync and sleep(3)
    // before each, and flush_buffer_cache with sleep(1) before that of -T.
    check(
        "hdparm",
        Bytes::gib(2),
        &[
            "cached sequential read 2m q1 t1 2.00 s warm 100 ms of 2m touched \
             finished psync x1 settle 4.00 s buffered",
            "buffered sequential read 2m q1 t1 3.00 s bytes 100% touched \
             finished psync x1 settle 3.00 s buffered dropped",
            "direct-cached sequential read 2m q1 t1 2.00 s warm 100 ms of 2m touched \
             finished psync x1 settle 4.00 s",
            "direct sequential read 2m q1 t1 3.00 s bytes 100% touched \
             finished psync x1 settle 3.00 s",
        ],
    );
    check(
        "hdtune",
        Bytes::gib(2),
        &[
            "surface 101 places of 250 ms 64k q1, near 100 ms x1",
            "access random read 4k q1 t1 3.00 s x1",
            "burst sequential read 64k q1 t1 1.00 s of 64k x1",
            "random-512 random read 512 q1 t1 3.00 s x1 where it fits",
            "random-4k random read 4k q1 t1 3.00 s x1",
            "random-64k random read 64k q1 t1 3.00 s x1",
            "random-1m random read 1m q1 t1 3.00 s x1",
            "random-mixed random read 4k-1m q1 t1 3.00 s x1",
        ],
    );
    check(
        "dd",
        Bytes::gib(1),
        &[
            "write-8k-direct sequential write 8k q1 t1 15.0 s bytes 25% zeros psync x1",
            "read-8k-direct sequential read 8k q1 t1 15.0 s bytes 25% zeros psync x1",
            "write-1m-direct sequential write 1m q1 t1 15.0 s bytes 100% zeros psync x1",
            "read-1m-direct sequential read 1m q1 t1 15.0 s bytes 100% zeros psync x1",
            "write-1m-fdatasync sequential write 1m q1 t1 15.0 s bytes 100% zeros psync x1 \
             buffered end fdatasync",
            "read-1m-buffered sequential read 1m q1 t1 15.0 s bytes 100% zeros psync x1 \
             buffered dropped",
        ],
    );
    // yabs.sh: --rw=randrw --rwmixread=50 --iodepth=64 --numjobs=2 --size=2G --runtime=30.
    check(
        "yabs",
        Bytes::gib(2),
        &[
            "mixed-4k random 50% 4k q128 t2 30.0 s bytes 200% libaio x1",
            "mixed-64k random 50% 64k q128 t2 30.0 s bytes 200% libaio x1",
            "mixed-512k random 50% 512k q128 t2 30.0 s bytes 200% libaio x1",
            "mixed-1m random 50% 1m q128 t2 30.0 s bytes 200% libaio x1",
        ],
    );
    // gdu-benchmark-dialog.c, with its settings' defaults: 100 of 10 MiB, 1000 of a page; udisks
    // opens the device for it with O_DIRECT and O_SYNC.
    check(
        "gnome-disks",
        Bytes::gib(2),
        &[
            "read random read 10m q1 t1 60.0 s 100 ops psync x1",
            "write random write 10m q1 t1 60.0 s 100 ops fsync each 1 sync threads x1",
            "access random read 4k q1 t1 60.0 s 1000 ops psync x1",
        ],
    );
}
