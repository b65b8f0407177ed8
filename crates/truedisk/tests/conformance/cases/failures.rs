//! What must be refused, what must go wrong, and what fio got after 3.33.

use crate::harness::case::{Case, case, file, job, null, refused};

/// Errors that are put up with, and their statuses.
pub fn errors() -> Vec<Case> {
    let mut all = vec![
        file("err-read-missing", "--rw=read --allow_file_create=0").fails().exit(1).free(),
        file("err-readonly-missing", "--readonly --rw=read").fails().exit(1).free().absent("f"),
        case("err-no-folder", "--name=a --directory=none --size=64k --rw=write").plain().fails(),
        case("err-two-fail", "--name=a --directory=none --size=64k --rw=write --numjobs=2")
            .plain()
            .fails(),
        case("err-one-of-two", "t.fio")
            .text(
                "t.fio",
                "[a]\nioengine=null\nsize=64k\n[b]\nfilename=x\nsize=64k\nrw=read\n\
                allow_file_create=0\n",
            )
            .plain()
            .free()
            .no_files()
            .exit(1),
        case("err-two-of-two", "t.fio")
            .text(
                "t.fio",
                "[global]\nsize=64k\nrw=read\nallow_file_create=0\n[a]\nfilename=x\n\
                [b]\nfilename=y\n",
            )
            .plain()
            .free()
            .no_files()
            .exit(2),
    ];
    all.extend(full_device());
    all
}

/// A device that is full.
fn full_device() -> Vec<Case> {
    vec![
        case("err-full", "--name=a --filename=/dev/full --size=64k --rw=write")
            .plain()
            .free()
            .exit(1),
        case("err-full-json", "--name=a --filename=/dev/full --size=64k --rw=write")
            .free()
            .exit(1)
            .eq("jobs/0/error", 28),
        case(
            "err-full-continue",
            "--name=a --filename=/dev/full --size=64k --rw=write \
            --continue_on_error=all",
        )
        // A full device is none of the errors that may be put up with this way.
        .exit(1)
        .eq("jobs/0/error", 28),
        case(
            "err-full-continue-normal",
            "--name=a --filename=/dev/full --size=64k --rw=write \
            --continue_on_error=write",
        )
        .exit(1)
        .plain(),
        case(
            "err-full-continue-read",
            "--name=a --filename=/dev/full --size=64k --rw=write \
            --continue_on_error=read",
        )
        .plain()
        .free()
        .exit(1),
        case(
            "err-full-ignore",
            "--name=a --filename=/dev/full --size=64k --rw=write \
            --ignore_error=,ENOSPC",
        )
        .free(),
        case(
            "err-full-ignore-other",
            "--name=a --filename=/dev/full --size=64k --rw=write --ignore_error=EIO",
        )
        .plain()
        .free()
        .exit(1),
        case(
            "err-full-dump-0",
            "--name=a --filename=/dev/full --size=64k --rw=write \
            --error_dump=0",
        )
        .plain()
        .free()
        .exit(1),
        case(
            "err-full-terse",
            "--minimal --name=a --filename=/dev/full --size=64k --rw=write \
            --continue_on_error=all",
        )
        .exit(1)
        .plain(),
        case("err-folder-as-file", "--name=a --filename=. --size=64k --rw=write").plain().fails(),
        case("err-direct-odd", "--name=a --filename=f --size=64k --rw=write --direct=1 --bs=1000")
            .plain()
            .fails(),
    ]
}

/// Command lines and job files that no fio takes.
pub fn refusals() -> Vec<Case> {
    let text = |name: &'static str, text: &str| job(name, text).plain().fails();
    vec![
        refused("no-jobs", "").exit(1).free(),
        refused("no-unknown-switch", "--nosuch").exit(1).free(),
        refused("no-unknown-option", "--name=a --nosuch=3").exit(1).free(),
        refused("no-unknown-dash", "-name=a -nosuch=3"),
        refused("no-job-file", "none.fio").exit(1).free(),
        refused("no-engine", "--name=a --ioengine=nosuch --size=1m").exit(1).free(),
        refused("no-rw", "--name=a --rw=foo").exit(1).free(),
        refused("no-rw-empty", "--name=a --rw="),
        refused("no-bool", "--name=a --ioengine=null --size=1m --invalidate=2"),
        refused("no-size-0", "--name=a --ioengine=null --size=0").exit(1).free(),
        refused("no-size-missing", "--name=a --ioengine=null --rw=write").exit(1).free(),
        refused("no-size-text", "--name=a --ioengine=null --size=abc"),
        refused("no-bs-text", "--name=a --ioengine=null --size=1m --bs=abc"),
        refused("no-depth-0", "--name=a --ioengine=null --size=1m --iodepth=0"),
        refused("no-mix-101", "--name=a --ioengine=null --size=1m --rw=randrw --rwmixread=101"),
        refused("no-numjobs-text", "--name=a --ioengine=null --size=1m --numjobs=x"),
        refused("no-verify", "--name=a --filename=f --size=1m --verify=nosuch"),
        refused(
            "no-distribution",
            "--name=a --ioengine=null --size=1m --rw=randread --random_distribution=nosuch",
        ),
        refused("no-fallocate", "--name=a --filename=f --size=1m --fallocate=nosuch"),
        refused("no-huge-pages", "--name=a --filename=f --size=1m --mem=shmhuge"),
        refused(
            "no-fixedbufs-of-libaio",
            "--name=a --filename=f --size=1m --ioengine=libaio \
            --fixedbufs",
        ),
        text("no-readonly-in-file", "[a]\nioengine=null\nsize=1m\nreadonly=1\n"),
        refused("no-mem", "--name=a --ioengine=null --size=1m --mem=nosuch"),
        refused("no-steady", "--name=a --ioengine=null --size=1m --ss=nosuch:5%"),
        refused("no-percentiles", "--name=a --ioengine=null --size=1m --percentile_list=abc"),
        refused("no-rate-both", "--name=a --ioengine=null --size=1m --rate=1m --rate_iops=100"),
        refused("no-value", "--name=a --ioengine"),
        refused("no-wait-for", "--name=a --ioengine=null --size=1m --wait_for=nosuch"),
        refused("no-readonly-write", "--readonly --name=a --filename=f --size=1m --rw=write")
            .exit(1)
            .free()
            .absent("f"),
        refused("no-readonly-null", "--readonly --name=a --ioengine=null --size=1m --rw=write")
            .exit(1),
        refused("no-readonly-randrw", "--readonly --name=a --filename=f --size=1m --rw=randrw")
            .noise("f", 65_536)
            .leaves("f", 65_536),
        refused("no-readonly-trim", "--readonly --name=a --filename=f --size=1m --rw=trim")
            .noise("f", 65_536),
        refused("no-format", "--output-format=nosuch --name=a --ioengine=null --size=1m"),
        refused(
            "no-terse-version",
            "--minimal --terse-version=9 --name=a --ioengine=null --size=1m",
        ),
        refused("no-enghelp", "--enghelp=nosuch"),
        refused(
            "no-engine-option-first",
            "--name=a --hipri --ioengine=io_uring --size=1m --filename=f",
        ),
        text("no-option-outside", "ioengine=null\n[a]\nsize=1m\n"),
        text("no-option-in-job", "[a]\nioengine=null\nsize=1m\nnosuch=1\n"),
        text("no-bare-word", "[a]\nioengine=null\nsize=1m\nsomething\n"),
        text("no-only-global", "[global]\nioengine=null\nsize=1m\n"),
        text("no-empty", ""),
        text("no-include", "[a]\ninclude none.inc\nioengine=null\nsize=1m\n"),
        text("no-env", "[a]\nioengine=null\nsize=1m\nrw=${NOT_SET_AT_ALL}\n"),
    ]
}

/// What came after 3.33 (fio 3.42 takes all of these).
pub fn added() -> Vec<Case> {
    vec![
        job("added-space-before-unit", "[a]\nioengine=null\nsize=1m\nbs = 8k\n")
            .added()
            .ios([128, 0, 0]),
        job("added-space-before-word", "[a]\nioengine=null\nsize=1m\nrw = write\n")
            .added()
            .ios([0, 256, 0]),
        // Only builds of fio with lex and yacc calculate; Debian's has none.
        job("added-arithmetic", "[a]\nioengine=null\nsize=(2*1m)\nbs=(4k+4k)\n")
            .added()
            .ios([256, 0, 0]),
        job("added-arithmetic-power", "[a]\nioengine=null\nsize=(2^20)\nbs=(16k/4-0)\n")
            .added()
            .ios([256, 0, 0]),
        file("added-end-syncfs", "--rw=write --end_syncfs=1").added().ios([0, 256, 0]),
        null("added-log-issue-time", "--write_lat_log=x --log_offset=1 --log_issue_time=1")
            .added()
            .log("x_lat.1.log", 256),
        null(
            "added-log-window-both",
            "--write_lat_log=x --log_avg_msec=100 \
            --log_window_value=both",
        )
        .added()
        .some_log("x_lat.1.log"),
        null("added-ramp-size", "--size=2m --ramp_size=1m").added().free(),
        file("added-write-sequence", "--rw=write --verify=crc32c --verify_write_sequence=0")
            .added()
            .ios([256, 256, 0]),
        null(
            "added-ss-interval",
            "--size=1g --time_based --runtime=3 --rate_iops=1000 \
            --ss=iops:90% --ss_dur=2 --ss_interval=500ms",
        )
        .paced()
        .added(),
    ]
}
