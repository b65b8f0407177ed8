//! Files: names, sizes, what is done before and after; what is written; durability.

use crate::harness::case::{Case, Step, case, file, job, null};
use crate::harness::run::Outcome;

/// Names and numbers of files.
pub fn files() -> Vec<Case> {
    vec![
        case("file-default-name", "--name=a --size=64k --rw=write").leaves("a.0.0", 65_536),
        case("file-numjobs-names", "--name=a --size=64k --rw=write --numjobs=2")
            .leaves("a.0.0", 65_536)
            .leaves("a.1.0", 65_536),
        case("file-nrfiles", "--name=a --size=64k --rw=write --nrfiles=4")
            .leaves("a.0.0", 16_384)
            .leaves("a.0.3", 16_384),
        case("file-filesize", "--name=a --nrfiles=2 --filesize=32k --rw=write")
            .leaves("a.0.1", 32_768),
        case("file-filesize-size", "--name=a --nrfiles=2 --filesize=32k --size=64k --rw=write"),
        case("file-filesize-range", "--name=a --nrfiles=4 --filesize=8k-32k --size=64k --rw=write")
            .no_files()
            .timed(),
        case("file-filesize-small", "--name=a --filesize=64k --size=256k --rw=write")
            .ios([0, 16, 0]),
        case("file-filesize-drawn", "--name=a --nrfiles=4 --filesize=8k-32k --rw=write")
            .no_files()
            .timed(),
        case("file-sizes-differ", "--name=a --filename=x:y --rw=write")
            .noise("x", 65_536)
            .noise("y", 16_384)
            .ios([0, 20, 0]),
        case("file-sizes-differ-random", "--name=a --filename=x:y --rw=randread")
            .noise("x", 16_384)
            .noise("y", 65_536)
            .ios([20, 0, 0]),
        case("file-job-in-folder", "--name=sub/a --size=64k --rw=write")
            .leaves("sub/a.0.0", 65_536),
        case("file-job-of-path", "--name={dir}/sub/a --size=64k --rw=write")
            .leaves("sub/a.0.0", 65_536),
        case(
            "file-offset-increment-percent",
            "--name=a --filename=x --numjobs=2 --size=64k --offset_increment=50% --rw=write",
        )
        .leaves("x", 98_304),
        case("file-openfiles", "--name=a --nrfiles=8 --openfiles=2 --size=64k --rw=write"),
        case("file-directory", "--name=a --directory=sub --size=64k --rw=write")
            .step(Step::Folder("sub"))
            .leaves("sub/a.0.0", 65_536),
        case(
            "file-two-directories",
            "--name=a --directory=one:two --numjobs=2 --size=64k --rw=write",
        )
        .step(Step::Folder("one"))
        .step(Step::Folder("two")),
        case(
            "file-directory-filename",
            "--name=a --directory={dir} --filename=x --size=64k --rw=write",
        )
        .leaves("x", 65_536),
        case("file-format", "--name=a --size=64k --rw=write --filename_format=f.$jobnum.$filenum")
            .leaves("f.0.0", 65_536),
        case(
            "file-format-jobname",
            "--name=a --size=64k --rw=write --nrfiles=2 --filename_format=$jobname-$filenum",
        )
        .leaves("a-1", 32_768),
        case("file-shared", "--name=a --filename=x --numjobs=2 --size=64k --rw=write")
            .leaves("x", 65_536),
        case("file-colon-list", "--name=a --filename=x:y:z --size=96k --rw=write")
            .leaves("y", 32_768),
        case("file-absolute", "--name=a --filename={dir}/x --size=64k --rw=write")
            .leaves("x", 65_536),
        case("file-opendir", "--name=a --opendir=sub --size=64k --rw=read")
            .noise("sub/x", 32_768)
            .noise("sub/y", 32_768),
        case("file-opendir-deep", "--name=a --opendir=sub --rw=read")
            .noise("sub/x", 32_768)
            .step(Step::Folder("sub/y"))
            .noise("sub/y/z", 32_768)
            .ios([16, 0, 0]),
        case("file-unique", "--name=a --size=64k --rw=write --unique_filename=0"),
        case(
            "file-lock-exclusive",
            "--name=a --filename=x --size=64k --rw=write --lockfile=exclusive --numjobs=2",
        ),
        case("file-lock-readwrite", "--name=a --filename=x --size=1m --rw=rw --lockfile=readwrite"),
        case("file-dev-null", "--name=a --filename=/dev/null --size=64k --rw=write")
            .ios([0, 16, 0]),
        case("file-dev-zero", "--name=a --filename=/dev/zero --size=64k --rw=read").ios([16, 0, 0]),
        case("file-larger-kept", "--name=a --filename=x --size=64k --rw=write").noise("x", 100_000),
        case("file-larger-read", "--name=a --filename=x --size=64k --rw=read")
            .noise("x", 100_000)
            .leaves("x", 100_000),
        case("file-whole-without-size", "--name=a --filename=x --rw=read")
            .noise("x", 65_536)
            .ios([16, 0, 0]),
        case("file-nrfiles-lots", "--name=a --nrfiles=50 --size=200k --rw=randwrite"),
    ]
}

/// What is done to files before and after.
pub fn file_steps() -> Vec<Case> {
    vec![
        file("step-unlink", "--rw=write --unlink=1").absent("f"),
        file("step-unlink-read", "--rw=read --unlink=1").absent("f"),
        file("step-unlink-existing", "--rw=read --unlink=1").noise("f", 1 << 20),
        file("step-unlink-each-loop", "--rw=write --unlink_each_loop=1 --loops=2"),
        file("step-unlink-each-verified", "--rw=write --unlink_each_loop=1 --loops=2 --verify=md5")
            .no_files()
            .ios([512, 512, 0]),
        file("step-create-only", "--rw=write --create_only=1").leaves("f", 1 << 20).ios([0, 0, 0]),
        file("step-create-only-read", "--rw=read --create_only=1").leaves("f", 1 << 20),
        file("step-create-on-open", "--rw=write --create_on_open=1").leaves("f", 1 << 20),
        file("step-create-serialize", "--rw=read --create_serialize=0 --numjobs=2"),
        file("step-create-fsync", "--rw=read --create_fsync=0"),
        // fio makes the user's file longer to read it; it loses what it held.
        file("step-read-makes-longer", "--rw=read").noise("f", 1 << 19).leaves("f", 1 << 20),
        file("step-read-empty", "--rw=read").noise("f", 0).leaves("f", 1 << 20),
        file("step-write-empty", "--rw=randwrite").noise("f", 0).leaves("f", 1 << 20),
        file("step-create-only-empty", "--rw=randread --create_only=1")
            .noise("f", 0)
            .leaves("f", 1 << 20)
            .free(),
        file("step-read-beyond", "--rw=read --offset=1m").noise("f", 1 << 20).leaves("f", 1 << 21),
        file("step-no-create", "--rw=read --allow_file_create=0").fails(),
        file("step-fallocate-none", "--rw=write --fallocate=none").leaves("f", 1 << 20),
        file("step-fallocate-posix", "--rw=write --fallocate=posix").leaves("f", 1 << 20),
        file("step-fallocate-keep", "--rw=write --fallocate=keep").leaves("f", 1 << 20),
        file("step-fallocate-truncate", "--rw=write --fallocate=truncate").leaves("f", 1 << 20),
        file("step-fallocate-native", "--rw=write --fallocate=native").leaves("f", 1 << 20),
        file("step-fallocate-0", "--rw=write --fallocate=0").leaves("f", 1 << 20),
        file("step-fallocate-partly", "--rw=write --number_ios=8 --fallocate=none").ios([0, 8, 0]),
        file("step-overwrite", "--rw=write --overwrite=1").leaves("f", 1 << 20),
        file("step-overwrite-partly", "--rw=randwrite --overwrite=1 --number_ios=8")
            .leaves("f", 1 << 20),
        file("step-pre-read", "--rw=read --pre_read=1 --invalidate=0").ios([256, 0, 0]),
        file("step-invalidate-0", "--rw=read --invalidate=0").noise("f", 1 << 20),
        file("step-invalidate-1", "--rw=read --invalidate=1").noise("f", 1 << 20),
        file("step-fadvise-0", "--rw=read --fadvise_hint=0"),
        file("step-fadvise-random", "--rw=read --fadvise_hint=random"),
        file("step-fadvise-sequential", "--rw=read --fadvise_hint=sequential"),
        file("step-write-hint", "--rw=write --write_hint=short"),
        file("step-allow-mounted", "--rw=write --allow_mounted_write=1"),
        job(
            "step-exec",
            "[a]\nioengine=null\nsize=64k\nexec_prerun=touch before\nexec_postrun=touch after\n",
        )
        .makes("before")
        .makes("after")
        .makes("a.prerun.txt")
        .makes("a.postrun.txt")
        .free()
        .allows_exec(),
        job("step-exec-fails", "[a]\nioengine=null\nsize=64k\nexec_prerun=echo no && false\n")
            .makes("a.prerun.txt")
            .free()
            .allows_exec(),
    ]
}

fn bytes_of(outcome: &Outcome, name: &str) -> Vec<u8> {
    std::fs::read(outcome.dir.join(name)).unwrap_or_default()
}

fn both(
    real: &Outcome,
    ours: &Outcome,
    what: &str,
    holds: fn(&[u8]) -> bool,
) -> Result<(), String> {
    for (side, outcome) in [("fio", real), ("ours", ours)] {
        let bytes = bytes_of(outcome, "f");
        if bytes.is_empty() || !holds(&bytes) {
            return Err(format!("{side}: the file is not {what}"));
        }
    }
    Ok(())
}

fn all_zero(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "all zeros", |bytes| bytes.iter().all(|byte| *byte == 0))
}

fn not_zero(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "full of data", |bytes| {
        bytes.chunks(4096).all(|block| block.iter().any(|byte| *byte != 0))
    })
}

fn blocks_differ(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "of unlike blocks", |bytes| {
        let blocks: std::collections::HashSet<&[u8]> = bytes.chunks(4096).collect();
        blocks.len() == bytes.len().div_ceil(4096)
    })
}

fn repeated(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    if bytes_of(real, "f") == bytes_of(ours, "f") {
        return Ok(());
    }
    Err("the files differ though a pattern is given".into())
}

fn half_alike(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "of blocks half of which repeat", |bytes| {
        let blocks: std::collections::HashSet<&[u8]> = bytes.chunks(4096).collect();
        let share = blocks.len() as f64 / (bytes.len() / 4096) as f64;
        (0.3..0.75).contains(&share)
    })
}

/// Share of zero bytes: fio compresses by filling the rest of a piece with zeros.
fn half_zero(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "half zeros", |bytes| {
        let zeros = bytes.iter().filter(|byte| **byte == 0).count();
        (0.4..0.6).contains(&(zeros as f64 / bytes.len() as f64))
    })
}

/// Bytes in which each block of 4 KiB differs from the one before it.
fn differences(bytes: &[u8]) -> Vec<usize> {
    let blocks: Vec<_> = bytes.chunks_exact(4096).collect();
    let differ = |pair: &[&[u8]]| pair[0].iter().zip(pair[1]).filter(|(a, b)| a != b).count();
    blocks.windows(2).map(differ).collect()
}

/// One buffer again and again, with its offset and the time in each sector.
fn scrambled(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "one buffer, scrambled", |bytes| {
        differences(bytes).iter().all(|count| (1..=8 * 32).contains(count))
    })
}

fn all_alike(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    both(real, ours, "one buffer", |bytes| differences(bytes).iter().all(|count| *count == 0))
}

/// What stands in the blocks.
pub fn payload() -> Vec<Case> {
    let on = |name: &'static str, args: &str| file(name, &format!("--rw=write {args}"));
    vec![
        on("data-default", "").check(not_zero).check(blocks_differ).check(scrambled),
        on("data-default-depth", "--ioengine=libaio --iodepth=4").check(blocks_differ),
        on("data-zero", "--zero_buffers").check(all_zero),
        on("data-refill", "--refill_buffers").check(not_zero).check(blocks_differ),
        on("data-no-scramble", "--scramble_buffers=0").check(not_zero).check(all_alike),
        on("data-no-compression", "--buffer_compress_percentage=0").check(all_alike),
        on("data-pattern-hex", "--buffer_pattern=0xdeadbeef").check(repeated),
        on("data-pattern-byte", "--buffer_pattern=0x5a").check(repeated),
        on("data-pattern-text", "--buffer_pattern='\"abcd\"'").check(repeated),
        on("data-pattern-mixed", "--buffer_pattern='\"abcd\"-120xdeadface'").check(repeated),
        on("data-pattern-number", "--buffer_pattern=170").check(repeated),
        on("data-compress", "--buffer_compress_percentage=50 --refill_buffers").check(half_zero),
        on(
            "data-compress-chunk",
            "--buffer_compress_percentage=50 --buffer_compress_chunk=1k --refill_buffers",
        )
        .check(half_zero),
        on(
            "data-compress-pattern",
            "--buffer_compress_percentage=50 --buffer_pattern=0x00 --refill_buffers",
        ),
        on("data-compress-100", "--buffer_compress_percentage=100"),
        on("data-dedupe", "--dedupe_percentage=50 --refill_buffers").check(half_alike),
        on(
            "data-dedupe-compress",
            "--dedupe_percentage=50 --buffer_compress_percentage=50 --refill_buffers",
        )
        .check(half_alike),
        on("data-dedupe-100", "--dedupe_percentage=100"),
        on(
            "data-dedupe-set",
            "--dedupe_percentage=50 --dedupe_mode=working_set --dedupe_working_set_percentage=10",
        ),
        on(
            "data-dedupe-global",
            "--dedupe_percentage=50 --dedupe_mode=working_set --dedupe_global=1",
        ),
    ]
}

/// What stands in files that are laid out.
pub fn layout_content() -> Vec<Case> {
    let on = |name: &'static str, args: &str| file(name, &format!("--rw=read {args}"));
    vec![
        on("data-of-layout", "").check(not_zero).check(blocks_differ),
        on("data-of-layout-zero", "--zero_buffers").check(all_zero),
        on("data-of-layout-pattern", "--size=1500k --buffer_pattern=0xdeadbeef").check(repeated),
        on("data-of-layout-pattern-odd", "--buffer_pattern=0xdeadbe").check(repeated),
        on("data-of-layout-compress", "--size=1500k --buffer_compress_percentage=50")
            .check(half_zero),
        on("data-of-layout-dedupe", "--size=3m --dedupe_percentage=50").check(half_alike),
        on("data-of-layout-overwrite", "--rw=randwrite --overwrite=1 --buffer_pattern=0x5a")
            .check(repeated),
        file("data-of-layout-mapped", {
            "--ioengine=mmap --rw=randwrite --number_ios=1 --buffer_pattern=0x5a"
        })
        .check(repeated),
    ]
}

fn calls(real: &Outcome, ours: &Outcome) -> Result<(), String> {
    let count = |outcome: &Outcome| {
        crate::compare::last_json(&outcome.stdout)?.figure("jobs/0/sync/lat_ns/N")
    };
    match (count(real), count(ours)) {
        (Some(a), Some(b)) if a > 0.0 && b > 0.0 => Ok(()),
        (a, b) => Err(format!("durability calls measured: fio {a:?}, ours {b:?}")),
    }
}

/// fsync and its family.
pub fn durability() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        file(name, &format!("--size=256k --rw=write {args}")).ios([0, 64, 0])
    };
    vec![
        on("sync-fsync-1", "--fsync=1").check(calls),
        on("sync-fsync-8", "--fsync=8").check(calls),
        on("sync-fdatasync-1", "--fdatasync=1").check(calls),
        on("sync-fdatasync-16", "--fdatasync=16").check(calls),
        on("sync-range", "--sync_file_range=write:4").check(calls),
        on("sync-range-wait", "--sync_file_range=wait_before,write,wait_after:8").check(calls),
        on("sync-barrier", "--write_barrier=8"),
        on("sync-end-fsync", "--end_fsync=1"),
        on("sync-on-close", "--fsync_on_close=1"),
        on("sync-fsync-io-uring", "--ioengine=io_uring --iodepth=4 --fsync=8").check(calls),
        on("sync-fsync-libaio", "--ioengine=libaio --iodepth=4 --fsync=8").check(calls),
        on("sync-fdatasync-normal", "--fdatasync=4").plain(),
        file("sync-of-read", "--rw=read --fsync=1").ios([256, 0, 0]),
        file("sync-mixed", "--rw=randrw --fsync=4").check(calls),
        null("sync-null", "--rw=write --fsync=4"),
    ]
}
