//! What is moved: patterns, block sizes, engines, distributions.

use crate::harness::case::{Case, case, file, job, null};

/// Every `rw`, its modifiers, and how far a job goes.
pub fn patterns() -> Vec<Case> {
    vec![
        null("rw-read", "--rw=read").ios([256, 0, 0]),
        null("rw-write", "--rw=write").ios([0, 256, 0]),
        null("rw-trim", "--rw=trim").ios([0, 0, 256]),
        null("rw-randread", "--rw=randread").ios([256, 0, 0]),
        null("rw-randwrite", "--rw=randwrite").ios([0, 256, 0]),
        null("rw-randtrim", "--rw=randtrim").ios([0, 0, 256]),
        null("rw-rw", "--rw=rw"),
        null("rw-readwrite", "--rw=readwrite"),
        null("rw-randrw", "--rw=randrw"),
        null("rw-trimwrite", "--rw=trimwrite"),
        null("rw-randtrimwrite", "--rw=randtrimwrite"),
        null("rw-mix-read", "--rw=randrw --rwmixread=100").ios([256, 0, 0]),
        null("rw-mix-none", "--rw=randrw --rwmixread=0").ios([0, 256, 0]),
        null("rw-mix-75", "--rw=randrw --rwmixread=75")
            .about("jobs/0/read/total_ios", 192.0, 0.15)
            .timed(),
        null("rw-mix-write", "--rw=randrw --rwmixwrite=100").ios([0, 256, 0]),
        null("rw-mix-both", "--rw=rw --rwmixread=60 --rwmixwrite=40").timed(),
        null("rw-random-runs", "--rw=randread:4").ios([256, 0, 0]),
        null("rw-backwards", "--rw=read:-8k"),
        null("rw-holes", "--rw=write:4k"),
        null("rw-holes-odd", "--rw=write:6k").ios([0, 103, 0]),
        null("rw-holes-read", "--rw=read:6k").ios([103, 0, 0]),
        null("rw-holes-read-twice", "--rw=read:6k --loops=2").ios([206, 0, 0]),
        null("bs-2g", "--bs=2g --size=4g").ios([2, 0, 0]),
        null("rw-sequencer-sequential", "--rw=randread:8 --rw_sequencer=sequential"),
        null("rw-sequencer-identical", "--rw=randread:8 --rw_sequencer=identical"),
        null("rw-percentage-random", "--rw=randread --percentage_random=50").ios([256, 0, 0]),
        null("rw-percentage-random-ways", "--rw=randrw --percentage_random=100,50"),
        file("rw-file-read", "--rw=read").noise("f", 1 << 20).ios([256, 0, 0]),
        file("rw-file-write", "--rw=write").leaves("f", 1 << 20).ios([0, 256, 0]),
        file("rw-file-randread", "--rw=randread").leaves("f", 1 << 20).ios([256, 0, 0]),
        file("rw-file-randwrite", "--rw=randwrite").leaves("f", 1 << 20).ios([0, 256, 0]),
        file("rw-file-randrw", "--rw=randrw").leaves("f", 1 << 20),
        null("far-io-size-less", "--io_size=512k").ios([128, 0, 0]),
        null("far-io-size-more", "--io_size=3m --rw=write").ios([0, 768, 0]),
        file("far-io-size-verify", "--io_size=2m --rw=write --verify=md5").ios([256, 256, 0]),
        file("far-io-size-verify-more", "--io_size=2560k --rw=randwrite --verify=md5")
            .ios([512, 512, 0]),
        file("far-io-size-verify-rest", "--io_size=2080k --bs=64k --rw=write --verify=md5")
            .ios([16, 16, 0]),
        file("far-io-size-verify-no-map", "--io_size=3m --rw=randwrite --norandommap --verify=md5")
            .about("jobs/0/write/total_ios", 768.0, 0.001)
            .timed(),
        file("far-io-size-verify-loops", "--io_size=3m --rw=write --verify=md5 --loops=3")
            .ios([768, 768, 0]),
        null("far-number-ios", "--number_ios=10").ios([10, 0, 0]),
        null("far-number-ios-more", "--number_ios=1000").ios([256, 0, 0]),
        null("far-loops", "--loops=3").ios([768, 0, 0]),
        file("far-offset", "--size=512k --offset=512k --rw=write").leaves("f", 1 << 20),
        file("far-offset-align", "--size=512k --offset=5000 --offset_align=4096 --rw=write"),
        file("far-offset-increment", "--size=256k --numjobs=4 --offset_increment=256k --rw=write")
            .leaves("f", 1 << 20)
            .ios([0, 256, 0]),
        file("far-size-in-larger-file", "--size=130k --filesize=1m --rw=write").ios([0, 33, 0]),
        null("far-size-in-larger-files", "--size=130k --filesize=1m --rw=write --nrfiles=3")
            .ios([0, 33, 0]),
        null("far-size-in-larger-file-loops", "--size=130k --filesize=1m --rw=read --loops=2")
            .ios([65, 0, 0]),
        null("far-gaps-not-blocks", "--size=64k --bs=3k --rw=read:8k").ios([22, 0, 0]),
        null("far-gaps-not-blocks-loops", "--size=64k --bs=3k --rw=read:8k --loops=2")
            .ios([43, 0, 0]),
        null("far-gaps-part-loops", "--size=1000000 --rw=read:8k --loops=5").ios([1221, 0, 0]),
        null("far-gaps-io-size", "--rw=read:8k --io_size=512k --loops=2").ios([172, 0, 0]),
        null("far-gaps-io-size-part", "--size=1000000 --rw=write:8k --io_size=3000k --loops=3")
            .ios([0, 2250, 0]),
        file("far-gaps-io-size-deep", {
            "--size=1000000 --rw=write:8k --io_size=3000k --loops=3 --ioengine=libaio --iodepth=4"
        })
        .ios([0, 980, 0]),
        null("far-back-io-size", "--rw=write:-8k --io_size=1500k --loops=3").ios([0, 1125, 0]),
        null("far-back-part", "--size=1000000 --rw=read:-8k --loops=3").ios([733, 0, 0]),
        file("far-back-deep", "--rw=read:-8k --io_size=3m --loops=2 --ioengine=libaio --iodepth=4")
            .ios([768, 0, 0]),
        null("far-no-map-io-size", "--rw=randread --norandommap --io_size=3m --loops=2")
            .ios([1536, 0, 0]),
        null("far-gaps-sizes", "--rw=write:4k --bsrange=4k-16k"),
        null("far-gaps-mixed", "--rw=rw:8k"),
        null("far-gaps-zones", "--rw=write:8k --zonemode=strided --zonesize=128k --zoneskip=96k"),
        null("far-gaps-files", "--rw=write:12k --bs=16k --size=300k --nrfiles=2").ios([0, 10, 0]),
        null("far-gaps-many-files", "--rw=read:12k --size=2m --nrfiles=100").ios([512, 0, 0]),
        null("far-io-size-percent", {
            "--bs=8k --size=1000000 --nrfiles=5 --io_size=50% --loops=2"
        })
        .ios([123, 0, 0]),
        null("far-mix-of-reads", "--rw=rw --rwmixread=100 --bs=8k --size=1000000 --nrfiles=3")
            .ios([120, 0, 0]),
        null("far-mix-of-reads-io-size", {
            "--rw=rw --rwmixread=100 --bs=8k --size=1000000 --io_size=3000000 --loops=2"
        })
        .ios([366, 0, 0]),
        null("far-identical-part", "--rw=randread:2 --rw_sequencer=identical --bs=8k --size=300k")
            .ios([38, 0, 0]),
        null("far-offset-percent", "--rw=read --offset=50%").ios([256, 0, 0]),
        null("far-offset-percent-loops", "--rw=read --offset=50% --loops=2"),
        null("far-offset-percent-sizes", "--rw=trim --offset=50% --bsrange=4k-16k"),
        file("far-offset-percent-there", "--rw=read --offset=50% --bsrange=512-512 --loops=2")
            .noise("f", 3 << 20)
            .ios([4096, 0, 0]),
        null("far-mix-of-reads-syncs", "--rw=randrw --rwmixread=100 --fsync=4").ios([256, 0, 0]),
        file("far-mix-of-reads-durable", "--rw=randrw --rwmixread=100 --sync=1").ios([256, 0, 0]),
        file("far-size-not-blocks", "--size=1000000 --rw=write"),
        file("far-read-to-size", "--size=100% --rw=read").noise("f", 300_000),
        null("far-fill-device", "--fill_device=1 --rw=write --number_ios=5").free(),
        file("far-append", "--rw=write --file_append=1").noise("f", 8192).free(),
        file("far-append-loops", "--rw=write --size=100k --file_append=1 --loops=3")
            .noise("f", 100_000)
            .leaves("f", 202_400)
            .ios([0, 25, 0]),
        null("far-append-nothing", "--rw=randread --file_append=1 --loops=2 --nrfiles=3")
            .ios([255, 0, 0]),
        case("far-filesize-offset", {
            "--name=a --ioengine=null --filesize=130k --nrfiles=3 --offset=10k"
        })
        .ios([90, 0, 0]),
        case("far-filesize-loops", {
            "--name=a --ioengine=null --filesize=130k --offset=64k --rw=write --loops=2"
        })
        .ios([0, 33, 0]),
        null("far-io-size-percent-size", "--size=400k --filesize=1m --io_size=50%")
            .ios([100, 0, 0]),
        file("far-size-in-file-there", "--size=150k --rw=write --loops=3")
            .noise("f", 1 << 20)
            .ios([0, 113, 0]),
        null("far-back-files", "--rw=read:-8k --size=1000000 --nrfiles=5 --loops=3")
            .ios([733, 0, 0]),
        null("rw-trim-write-files", "--rw=trimwrite --nrfiles=3 --number_ios=50").ios([0, 49, 51]),
        null("rw-trim-write-sizes", "--rw=trimwrite --bsrange=4k-16k"),
        null("far-mix-loops", "--rw=rw --bs=3k --size=300k --io_size=1500k --loops=2"),
        file("far-offset-percent-lengthened", "--rw=write --offset=25% --loops=3")
            .noise("f", 1 << 20),
        null("repeat-randrepeat-0", "--rw=randread --randrepeat=0"),
        null("repeat-allrandrepeat", "--rw=randread --allrandrepeat=1"),
        null("repeat-randseed", "--rw=randread --randseed=42"),
    ]
}

/// Block sizes: ranges, splits, ways, alignment.
pub fn block_sizes() -> Vec<Case> {
    vec![
        null("bs-512", "--bs=512").ios([2048, 0, 0]),
        null("bs-1m", "--bs=1m").ios([1, 0, 0]),
        null("bs-odd", "--bs=2300"),
        null("bs-larger-than-size", "--size=4k --bs=8k").free().exit(1),
        null("bs-ways", "--rw=randrw --bs=4k,8k"),
        null("bs-three-ways", "--rw=randtrimwrite --bs=4k,8k,16k"),
        null("bs-second-empty", "--rw=randrw --bs=,8k"),
        null("bs-range", "--rw=randread --bsrange=1k-8k"),
        null("bs-range-ways", "--rw=randrw --bsrange=1k-4k,2k-8k"),
        null("bs-range-unaligned", "--rw=randread --bsrange=1k-8k --bs_unaligned=1 --norandommap"),
        null("bs-range-shares", "--rw=randread --bsrange=512/25:1k:25:2k:4k/25 --norandommap")
            .timed()
            .about("jobs/0/read/total_ios", 1365.0, 0.05),
        null("bs-range-second-colon", "--rw=randread --bsrange=1k-2k:8k --norandommap")
            .timed()
            .about("jobs/0/read/total_ios", 683.0, 0.05),
        null("bs-blockalign", "--rw=randread --bs=4k --blockalign=2k --norandommap")
            .ios([256, 0, 0]),
        null("bs-split", "--rw=randread --bssplit=4k/50:64k/50").timed(),
        null("bs-split-open", "--rw=randread --bssplit=4k/10:64k/50:32k/").timed(),
        null("bs-split-ways", "--rw=randrw --bssplit=2k/50:4k/50,4k/90:8k/10").timed(),
        file("bs-split-covers", "--rw=randwrite --bssplit=4k/50:64k/50")
            .timed()
            .eq("jobs/0/write/io_bytes", 1 << 20),
        file("bs-split-verified", "--rw=randwrite --bssplit=4k/50:64k/50 --verify=crc32c")
            .timed()
            .eq("jobs/0/read/io_bytes", 1 << 20),
        file("bs-lfsr", "--rw=randwrite --norandommap --random_generator=lfsr").ios([0, 256, 0]),
        null("bs-lfsr-sizes", "--rw=randread --bsrange=4k-16k --random_generator=lfsr")
            .timed()
            .about("jobs/0/read/total_ios", 103.0, 0.15),
        null("bs-range-unaligned-mean", {
            "--rw=randread --bsrange=4k-16k --bs_unaligned=1 --norandommap"
        })
        .timed()
        .about("jobs/0/read/total_ios", 89.0, 0.1),
        null("bs-split-multiples", "--rw=write --bssplit=4k/50:6k/50").ios([0, 256, 0]),
        null("bs-split-last", "--rw=write --bssplit=4k/1:64k/99 --size=300k").ios([0, 15, 0]),
        null("bs-split-over", "--bssplit=4k/60:8k/60 --rw=randread").free(),
        null("bs-split-one", "--rw=randread --bssplit=8k/100").ios([128, 0, 0]),
        file("bs-split-over-file", "--size=32k --rw=randwrite --bssplit=4k/50:64k/50")
            .ios([0, 8, 0])
            .bytes([0, 32 << 10, 0]),
        file("bs-split-over-file-all", "--size=32k --rw=read --bssplit=64k/50:128k/50").fails(),
        file("bs-range-over-file", "--size=32k --rw=randwrite --bsrange=4k-64k --verify=crc32c")
            .bytes([32 << 10, 32 << 10, 0])
            .timed(),
        null("bs-is-seq-rand", "--rw=randrw --bs=4k,8k --bs_is_seq_rand=1"),
        null("bs-by-order", "--rw=read --bs=4k,8k --bs_is_seq_rand=1").ios([256, 0, 0]),
        null("bs-by-order-write", "--rw=write --bs=4k,8k --bs_is_seq_rand=1").ios([0, 256, 0]),
        null("bs-by-order-random", "--rw=randread --bs=4k,8k --bs_is_seq_rand=1 --norandommap")
            .ios([128, 0, 0]),
        null("bs-by-order-trim", "--rw=randtrim --bs=4k,8k,16k --bs_is_seq_rand=1 --norandommap")
            .ios([0, 0, 128]),
        file("bs-odd-buffered", "--rw=write --bs=2300"),
        file("bs-direct", "--rw=write --bs=4k --direct=1").ios([0, 256, 0]),
        file("bs-direct-512", "--rw=write --bs=512 --direct=1 --size=64k").ios([0, 128, 0]),
    ]
}

/// Every engine, and what goes with some.
pub fn engines() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        case(name, &format!("--name=a --filename=f --size=1m {args}")).leaves("f", 1 << 20)
    };
    let mut all = vec![
        on("engine-default", "--rw=write").ios([0, 256, 0]),
        on("engine-sync", "--ioengine=sync --rw=randrw"),
        on("engine-psync", "--ioengine=psync --rw=randrw"),
        on("engine-vsync", "--ioengine=vsync --rw=write").ios([0, 256, 0]),
        on("engine-vsync-depth", "--ioengine=vsync --rw=write --iodepth=4").ios([0, 256, 0]),
        on("engine-pvsync", "--ioengine=pvsync --rw=randrw"),
        on("engine-pvsync2", "--ioengine=pvsync2 --rw=randrw"),
        on("engine-mmap", "--ioengine=mmap --rw=randrw"),
        on("engine-mmap-read", "--ioengine=mmap --rw=read").ios([256, 0, 0]),
        on("engine-mmap-parts", "--ioengine=mmap --rw=write --bs=512").ios([0, 2048, 0]),
        file("engine-mmap-parts-sync", "--ioengine=mmap --rw=write --bs=512 --fsync=4").fails(),
        file("engine-mmap-parts-direct", "--ioengine=mmap --rw=read --bs=512 --direct=1").fails(),
        on("engine-posixaio", "--ioengine=posixaio --rw=write --iodepth=4").ios([0, 256, 0]),
        on("engine-libaio", "--ioengine=libaio --rw=randread --iodepth=8 --direct=1")
            .ios([256, 0, 0]),
        on("engine-libaio-buffered", "--ioengine=libaio --rw=write --iodepth=8").ios([0, 256, 0]),
        on("engine-libaio-reap", "--ioengine=libaio --rw=randread --userspace_reap --direct=1"),
        on(
            "engine-libaio-batch",
            "--ioengine=libaio --rw=randread --iodepth=32 --iodepth_batch=8 \
            --direct=1",
        )
        .ios([256, 0, 0]),
        on(
            "engine-batch-submit",
            "--ioengine=libaio --iodepth=64 --iodepth_batch_submit=64 \
            --iodepth_batch_complete_max=64 --direct=1 --rw=randread",
        )
        .ios([256, 0, 0]),
        on(
            "engine-batch-complete",
            "--ioengine=libaio --iodepth=16 \
            --iodepth_batch_complete_min=1 --iodepth_batch_complete_max=8 --rw=randread",
        ),
        on(
            "engine-depth-low",
            "--ioengine=libaio --iodepth=16 --iodepth_low=4 --rw=randread \
            --direct=1",
        ),
        on(
            "engine-serialize-overlap",
            "--ioengine=libaio --iodepth=8 --serialize_overlap=1 \
            --rw=randwrite --norandommap",
        )
        .ios([0, 256, 0]),
        on(
            "engine-serialize-overlap-once",
            "--ioengine=libaio --iodepth=8 --serialize_overlap=1 --rw=randwrite",
        )
        .ios([0, 256, 0]),
    ];
    all.extend(newer_engines());
    all
}

/// io_uring, and engines that move no data.
fn newer_engines() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        case(name, &format!("--name=a --filename=f --size=1m {args}")).leaves("f", 1 << 20)
    };
    vec![
        on("engine-io-uring", "--ioengine=io_uring --iodepth=8 --rw=randrw"),
        on("engine-io-uring-direct", "--ioengine=io_uring --iodepth=8 --rw=randread --direct=1")
            .ios([256, 0, 0]),
        on(
            "engine-io-uring-fixed",
            "--ioengine=io_uring --iodepth=8 --rw=randread --fixedbufs \
            --registerfiles",
        ),
        on(
            "engine-io-uring-sqpoll",
            "--ioengine=io_uring --iodepth=8 --rw=randread \
            --sqthread_poll=1",
        ),
        on(
            "engine-io-uring-async",
            "--ioengine=io_uring --iodepth=8 --rw=randread \
            --force_async=4",
        ),
        on(
            "engine-io-uring-vectored",
            "--ioengine=io_uring --iodepth=8 --rw=randread \
            --nonvectored=0",
        ),
        null("engine-null-depth", "--iodepth=32 --rw=randread").ios([256, 0, 0]),
        on("engine-offload", "--ioengine=psync --rw=randread --iodepth=4 --io_submit_mode=offload")
            .added() // 3.33 hangs now and then
            .ios([256, 0, 0]),
        on("engine-sync-depth-note", "--ioengine=sync --iodepth=8 --rw=read")
            .ios([256, 0, 0])
            .eq("jobs/0/latency_depth", 8),
        on("engine-direct-flag", "--direct=1 --rw=read").ios([256, 0, 0]),
        on("engine-buffered-flag", "--buffered=0 --rw=read").ios([256, 0, 0]),
        on("engine-sync-flag", "--sync=1 --rw=write").ios([0, 256, 0]),
        on("engine-dsync-flag", "--sync=dsync --rw=write").ios([0, 256, 0]),
        case(
            "engine-filecreate",
            "--name=a --ioengine=filecreate --nrfiles=20 --filesize=4k \
            --openfiles=1 --create_on_open=1 --fallocate=none",
        ),
        case("engine-filestat", "--name=a --ioengine=filestat --nrfiles=20 --filesize=4k").free(),
        case(
            "engine-filedelete",
            "--name=a --ioengine=filedelete --nrfiles=20 \
            --filesize=4k",
        )
        .free(),
        case(
            "engine-filestat-statx",
            "--name=a --ioengine=filestat --nrfiles=5 --size=20k --stat_type=statx --loops=3",
        ),
        case(
            "engine-filedelete-twice",
            "--name=a --ioengine=filedelete --nrfiles=5 --size=20k --loops=2",
        )
        .exit(1),
        case(
            "engine-filecreate-write",
            "--name=a --ioengine=filecreate --nrfiles=5 --size=20k --rw=randwrite --numjobs=2",
        ),
        case(
            "engine-filecreate-unlink",
            "--name=a --ioengine=filecreate --nrfiles=5 --size=20k --unlink=1",
        ),
        case(
            "engine-filecreate-time",
            "--name=a --ioengine=filecreate --nrfiles=5 --size=20k --time_based --runtime=300ms",
        )
        .timed(),
        case(
            "engine-filecreate-cycle",
            "--ioengine=filecreate --nrfiles=5 --size=20k --filename_format=n.$filenum --name=a \
            --name=b --stonewall --ioengine=filestat --name=c --stonewall --ioengine=filedelete",
        ),
        case(
            "engine-ftruncate",
            "--name=a --filename=f --ioengine=ftruncate --size=64k \
            --rw=write",
        )
        .free(),
        case(
            "engine-falloc",
            "--name=a --filename=f --ioengine=falloc --size=1m --rw=write \
            --bs=64k",
        ),
        case("engine-cpuio", "--name=a --ioengine=cpuio --cpuload=50 --time_based --runtime=300ms")
            .timed(),
        case("engine-splice", "--name=a --filename=f --ioengine=splice --size=1m --rw=read"),
        case(
            "engine-splice-mixed",
            "--name=a --filename=f --ioengine=splice --size=1m --rw=randrw",
        ),
        case(
            "engine-splice-verify",
            "--name=a --filename=f --ioengine=splice --size=1m --rw=write --verify=crc32c",
        ),
        case(
            "engine-mmap-advice",
            "--name=a --filename=f --ioengine=mmap --size=1m --rw=randread --fadvise_hint=0",
        ),
        job(
            "engine-exec",
            "[a]\nioengine=exec\nprogram=/bin/sh\narguments=-c id\nruntime=1\n\
             [b]\nioengine=null\nsize=64k\n",
        )
        .makes("a.stdout")
        .makes("a.stderr")
        .timed()
        .free()
        .allows_exec(),
    ]
}

/// Where blocks lie.
pub fn distributions() -> Vec<Case> {
    let on = |name: &'static str, args: &str| {
        null(name, &format!("--rw=randread --norandommap {args}")).ios([256, 0, 0])
    };
    vec![
        null("dist-random", "--rw=randread --random_distribution=random").ios([256, 0, 0]),
        on("dist-zipf", "--random_distribution=zipf:1.2"),
        on("dist-zipf-default", "--random_distribution=zipf"),
        on("dist-zipf-center", "--random_distribution=zipf:1.2:0.5"),
        on("dist-pareto", "--random_distribution=pareto:0.3"),
        on("dist-normal", "--random_distribution=normal:20"),
        on("dist-gauss-center", "--random_distribution=normal:20:0.25"),
        on("dist-zoned", "--random_distribution=zoned:50/5:30/15:20/"),
        on("dist-zoned-abs", "--random_distribution=zoned_abs:60/256k:40/768k"),
        on("dist-norandommap", ""),
        on("dist-softrandommap", "--softrandommap=1"),
        null("dist-tausworthe64", "--rw=randread --random_generator=tausworthe64").ios([256, 0, 0]),
        null("dist-lfsr", "--rw=randread --random_generator=lfsr").ios([256, 0, 0]),
        null("dist-tausworthe", "--rw=randread --random_generator=tausworthe").ios([256, 0, 0]),
        null("dist-zipf-with-map", "--rw=randread --random_distribution=zipf:1.1"),
        job(
            "dist-service-zipf",
            "[a]\nioengine=psync\nnrfiles=8\nsize=1m\nrw=randread\nfile_service_type=zipf:1.2\n",
        ),
        job(
            "dist-service-random",
            "[a]\nioengine=psync\nnrfiles=8\nsize=1m\nrw=randread\nfile_service_type=random\n",
        ),
        job(
            "dist-service-roundrobin",
            "[a]\nioengine=psync\nnrfiles=4\nsize=1m\nrw=read\nfile_service_type=roundrobin:2\n",
        ),
        job(
            "dist-service-sequential",
            "[a]\nioengine=psync\nnrfiles=4\nsize=1m\nrw=write\nfile_service_type=sequential\n",
        ),
        job(
            "dist-service-gauss",
            "[a]\nioengine=psync\nnrfiles=8\nsize=1m\nrw=randread\nfile_service_type=gauss:20\n",
        ),
        job(
            "dist-service-pareto",
            "[a]\nioengine=psync\nnrfiles=8\nsize=1m\nrw=randread\nfile_service_type=pareto:0.3\n",
        ),
    ]
}
