# English. Every other language has the same messages with the same arguments.

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

ended-early = it ended early: { $error }
with-interval = { $value } ±{ $half }
with-range = { $value } (95 %: { $low } to { $high })

## analysis

measured-by-other-program = another program measured this; its output does not hold what this check needs

clauses = { $clauses }
no-target = no target was described

## report/words

row-best = { $curve }, depth { $depth } *
row-depth = { $curve }, depth { $depth }
row-rate = { $curve }, { $rate } arrivals/s
row-reads = { $label }, reads
row-its-writes = its writes
row-its-trims = its trims
row-the-write = { $label }: the write
row-the-sync = the { $kind }
cell-idle = read { $size } after a pause
cell-replay = replay
cell-trial = { $cell } (a trial)
cell-commit = commit { $size }
cell-again = { $curve }, depth { $depth }, again
cell-round = { $curve }, depth { $depth }, until steady
mark-invalid = INVALID: { $id }
mark-warning = warning: { $id }
mark-unstable = unstable: latency did not rise steadily with the load
mark-degraded = degraded: { $there } of { $hosts } hosts
class-second = The second nearest is { $class }.
class-second-for = The second nearest is { $class }. For it: { $supports }.
class-second-against = The second nearest is { $class }. Against it: { $contradicts }.
class-second-both = The second nearest is { $class }. For it: { $supports }. Against it: { $contradicts }.
class-claim-agrees = The system calls it: { $words }. Its behaviour does not contradict that.
class-claim-contradicted = The system calls it: { $words }. Its behaviour contradicts that: { $against }.
target-mounted = { $kind } on { $source }
target-parts = { $parts }
kind-partition = partition
kind-disk = disk
kind-lvm = LVM volume
kind-crypt = encrypted device
kind-device-mapper = device-mapper device
kind-loop = loop device
kind-zram = compressed memory
kind-ram = memory disk
kind-multipath = multipath device
kind-network-block = network block device
kind-bcache = bcache device
kind-optical = optical drive
layer-transport = { $transport } { $kind }
layer-model = { $name } ({ $kind } { $model }, { $size })
layer-plain = { $name } ({ $kind }, { $size })
bounded-none = nothing was measured
bounded-invalid = INVALID: not a limit of the disk
bounded-bound = { $iops } at depth { $depth } is the most within { $bound }
bounded-saturation = { $iops } at depth { $depth }; more depth adds latency, not IOPS
bounded-depth-tried = { $iops } at depth { $depth }, the deepest tried: it may give more
bounded-unreachable = { $bound } is not kept even at the lowest load
bounded-provider-cap = { $iops } from depth { $depth } on: a configured cap, not the disk's limit
bounded-control-group = { $iops } at depth { $depth }: the limit of a control group of this host, not the disk's
bounded-client = at least { $iops } at depth { $depth }: the processor was the limit, not the disk
bounded-unsure = about { $iops } at depth { $depth }, uncertain: repeat it when nothing else uses the device

## report/compare

compare-more-pairs = { $count ->
    [one] And 1 more pair: -v.
   *[other] And { $count } more pairs: -v.
}
compare-more-rates = { $count ->
    [one] And 1 more row: -v.
   *[other] And { $count } more rows: -v.
}
compare-more-notes = { $count ->
    [one] And 1 more note: -v.
   *[other] And { $count } more notes: -v.
}
compare-runs = { $runs ->
    [one] { $runs } run
   *[other] { $runs } runs
}
compare-one-run = run { $run }, { $day }
compare-runs-of-day = { $runs ->
    [one] { $runs } run, { $day }
   *[other] { $runs } runs, { $day }
}
compare-runs-of-days = { $runs ->
    [one] { $runs } run, { $first } to { $last }
   *[other] { $runs } runs, { $first } to { $last }
}
compare-better = better
compare-better-one-run = better, one run
compare-worse = worse
compare-worse-one-run = worse, one run
compare-the-same = the same
compare-needs-runs = { $runs ->
    [one] needs { $runs } run
   *[other] needs { $runs } runs
}
compare-price = { $price } { $currency } a month
compare-only-side = only { $side }: { $cell }
compare-only-side-nearest = only { $side }: { $cell }; { $nearest }
compare-excluded = { $side }, { $cell } (run { $run }): { $reason }
compare-method = { $comparisons ->
    [one] The ratio between runs is Hodges and Lehmann's, on logarithms, with its exact interval by ranks (95 %); this takes 4 runs of each side. Better or worse: the whole interval is beyond { $least } %. The same: the whole interval is within { $margin } %. *: holds for the { $comparisons } comparison (Holm's rule). One run of each side has no interval between runs: the intervals shown are those within the two runs, and only a factor of 1.5 counts as a difference.
   *[other] The ratio between runs is Hodges and Lehmann's, on logarithms, with its exact interval by ranks (95 %); this takes 4 runs of each side. Better or worse: the whole interval is beyond { $least } %. The same: the whole interval is within { $margin } %. *: holds for all { $comparisons } comparisons together (Holm's rule). One run of each side has no interval between runs: the intervals shown are those within the two runs, and only a factor of 1.5 counts as a difference.
}
compare-rates-key = * holds for all comparisons together. -: no interval.
compare-latency-title = Latency, { $b } over { $a }: less is better
compare-latency-key = * the whole interval between runs is beyond the smallest difference that counts.
compare-hosts-title = Host by host, { $b } against { $a }
compare-hosts-note = Each host over all of its cells. These are not among the comparisons counted.
compare-unit-of-money = unit of money
compare-money-title = For each { $currency } a month
compare-its-figure = its { $figure }
compare-cell-part = { $cell }, { $part }

## report/summary

summary-title = { $command } of { $path } on { $host }, { $when }
summary-title-without-host = { $command } of { $path }, { $when }
summary-target = { $target }; { $file }; { $seconds } s
summary-target-unknown = { $file }; { $seconds } s
summary-file-direct = test file of { $size }, O_DIRECT
summary-file-cached = test file of { $size }, no O_DIRECT
summary-file-small = small files of its own
summary-file-read = { $span } read, nothing written
summary-shortened = The test file is smaller than planned: { $why }.
summary-trusted = trusted
summary-caution = caution: { $reasons }
summary-caution-alone = caution
summary-broken = do not use: { $reasons }
summary-partial = PARTIAL: { $reason }. What was measured is kept.
summary-no-verdict = no verdict: too little was measured
summary-key = { $signs }.
summary-key-best = * the most within { $bound }
summary-key-invalid = X not the disk's number
summary-key-warning = ! see the warnings
summary-key-vague = ~ no figure: its interval is wider than ±25 %
summary-key-missing = - too few samples, or not measured
summary-class = Behaves like { $class }.
summary-class-or = Behaves like { $class }, or { $other }.
summary-good-for = Good for: { $uses }.
summary-too-slow-for = Too slow for: { $uses }.
summary-limited = Limited: { $limits }.
summary-more-warnings = { $count ->
    [one] And 1 more warning: -v.
   *[other] And { $count } more warnings: -v.
}
summary-more-rows = { $count ->
    [one] And 1 more row: -v.
   *[other] And { $count } more rows: -v.
}
summary-more-lines = { $count ->
    [one] And 1 more line: -v.
   *[other] And { $count } more lines: -v.
}
summary-checks = { $passed ->
    [one] 1 check passed
   *[other] { $passed } checks passed
}, { $unable } could not run.
summary-checks-notes = { $passed ->
    [one] 1 check passed
   *[other] { $passed } checks passed
}, { $notes ->
    [one] 1 has a note
   *[other] { $notes } have a note
}, { $unable } could not run.
summary-promised = Promised: { $promise }
summary-promise-line = { $label }: { $promised } promised, { $measured } measured
summary-limit-row = { $curve } { $bound }
summary-bounded-by = bounded by
summary-load = load
summary-threshold = { $what } { $measured }, needed { $limit }
sweep-matrix = { $workload }, IOPS by block size and depth
summary-hosts = Slowest hosts, { $cell }

## checks/unwritten

check-unwritten-question = Had the blocks been written before they were read?
check-unwritten-meaning = A hole, or a block that was reserved and never written, reads as zeros without any device: reads of it measure the file system.
check-unwritten-ok = every block that was read had been written
check-unwritten-not-observable = a raw device, or a file system without FIEMAP
check-unwritten-note = a part is compressed, encrypted, shared or kept in metadata
check-unwritten-invalid = a part of the file was never written
check-unwritten-remedy = Measure a file that was written from end to end, or give a folder: truedisk then writes a file of its own first.
check-unwritten-blind-spot = Blocks that a thin volume or an SSD never received although the file system wrote them once; blocks of a raw device (see zero-blocks).
check-unwritten-short-remedy = measure a file that was written, or give a folder and let truedisk write one

check-unwritten-method = The file system is asked how the file is allocated (FIEMAP). The check fails if more than { $max } of the range has no written blocks.
unwritten-on-device = a raw device does not say which of its blocks were ever written
unwritten-without-fiemap = this file system does not say how the file is allocated (FIEMAP)
unwritten-bytes = never written
unwritten-extents = { $extents ->
    [one] { $empty } of { $length } in { $extents } extent
   *[other] { $empty } of { $length } in { $extents } extents
}
unwritten-share = { $share } of the file was never written: reading it gives zeros without the device
unwritten-encoded = compressed or encrypted by the file system
unwritten-shared = shared with another file
unwritten-inline = kept inside metadata
unwritten-none = every block that was read had been written
unwritten-reads-holes = a part of the file was never written (see unwritten)

## checks/page_cache

check-page-cache-question = Did the bytes reach the device, or did memory answer?
check-page-cache-meaning = The figure is that of memory, not of the disk: often ten to a thousand times too high.
check-page-cache-ok = the device moved the bytes that were asked for
check-page-cache-not-observable = neither the device nor the kernel counts the bytes of this process
check-page-cache-note = the run measures the page cache on purpose: ping -C, hdparm -T
check-page-cache-warning = O_DIRECT was refused, or the cache grew, but nothing proves that the cache answered
check-page-cache-invalid = the device moved fewer bytes than were asked for, or it is memory
check-page-cache-remedy = Mount without data=journal and without compression, or measure the device itself with --read-only. Set up a loop device with direct I/O (losetup --direct-io=on).
check-page-cache-blind-spot = A cache that no counter of this host sees: the hypervisor's (host-cache) or the disk's own (device-cache).
check-page-cache-short-remedy = mount without data=journal or compression, or measure the device: --read-only DEV
remedy-direct-io = measure with direct I/O
remedy-leave-out-cached = leave out -C, or use -D, to measure the device
remedy-measure-folder-on-disk = measure a folder on the disk in question

check-page-cache-method = The bytes that were asked for are compared with those that the kernel charged to this process and those that the device says it served. A cell came from the page cache if the device served less than { $served-min } of its bytes. Without counters, a cell came from the page cache if more than { $growth-max } of the span entered the page cache during the cell. A file system in memory (tmpfs) is known by its kind.
page-cache-as-asked = requests went through the page cache, as asked, and no counter shows that a device moved the bytes
page-cache-refused-unproven = the file system refused O_DIRECT, and no counter shows that a device moved the bytes
page-cache-answered = the page cache answered: the device moved fewer bytes than were asked for
page-cache-grew = the page cache grew with the reads, and no counter shows that a device moved the bytes
page-cache-refused-too-little = the file system refused O_DIRECT, and too few bytes were requested to see whether the device moved them
page-cache-refused-yet-moved = the file system refused O_DIRECT, yet the device moved the bytes
page-cache-device-moved = the device moved the bytes that were asked for
page-cache-as-option-asks = requests went through the page cache, as -C asks
page-cache-is-memory = this is memory, not a disk: { $kind } keeps its files in RAM
page-cache-of-small-files = operations on small files use the page cache; which of them reached the device is not checked
page-cache-no-counters = no counters of a device or of this process to compare with
page-cache-refused = refused by this file system
page-cache-on-purpose = through the page cache and without emptying it, as the preset asks
page-cache-file-system = file system
page-cache-mounted = { $kind } on { $mount-point }
page-cache-this-process = this process (/proc/self/io)
page-cache-read = { $asked } asked for, { $served } read by { $by }
page-cache-written = { $asked } asked for, { $served } written by { $by }
page-cache-rest-waits = the rest waits in memory to be written
page-cache-holds-span = afterwards the page cache holds { $share } of the span
page-cache-writes-of-others = writes of other cells waited in memory: the device may have written those
page-cache-unproven = through the page cache, and nothing shows what reached a device

## checks/zero_blocks

check-zero-blocks-question = Do reads of empty blocks make the device look fast?
check-zero-blocks-meaning = A thin volume, a trimmed SSD and many cloud disks look up in a table that a block was never written, and answer without touching the medium. Reads of an empty device measure that table.
check-zero-blocks-method = Random blocks are read and their contents checked: what share is all zeros, and whether zeros were answered faster than data.
check-zero-blocks-ok = hardly any block is all zeros, and none of those that this run wrote
check-zero-blocks-not-observable = no contents were checked, or too few
check-zero-blocks-note = many blocks are zeros, but no faster than others; or too few are zeros to time them
check-zero-blocks-warning = zeros are answered faster, or nearly all blocks are zeros and there is no data to compare with
check-zero-blocks-invalid = nearly all blocks are zeros, and answered faster than data; or blocks that this run wrote read back as zeros: the device loses data
check-zero-blocks-remedy = Write the whole device once before you measure it. Or measure a folder on it: truedisk then reads only what it wrote.
check-zero-blocks-blind-spot = Empty blocks that read as something other than zeros, and blocks of zeros that were written and do come from the medium.
check-zero-blocks-short-remedy = write the device once before measuring it, or measure a folder
remedy-device-loses-data = do not trust this device with data: it loses what is written; look at its log

zero-blocks-not-read = no blocks were checked before the measurement
zero-blocks-too-few = too few blocks were checked in this time to say anything
zero-blocks-only = blocks of zeros only
zero-blocks-count = { $zero } of { $blocks } blocks of { $size }
zero-blocks-hold-data = { $share } of the blocks hold data
zero-blocks-unread = { $share } of the blocks are empty, and were answered without the medium
zero-blocks-as-slow = { $share } of the blocks hold zeros, and take as long as the others
zero-blocks-all = all blocks hold zeros: without data to compare with, it is unknown whether reads reach the medium
zero-blocks-unknown = { $share } of the blocks hold zeros: with so little data to compare, it is unknown whether reads reach the medium
zero-blocks-untimed = { $share } of the blocks hold zeros, too few to time them
zero-blocks-none = every block holds the data that was written
zero-blocks-lost = { $share } of the blocks that this run wrote read back as zeros
zero-blocks-median = median of a read
zero-blocks-times = { $zeros } for zeros, { $data } for data
zero-blocks-of-reads = about { $share } of its reads

## checks/host_cache

check-host-cache-question = Does a cache below this system answer: the hypervisor's, an array's?
check-host-cache-meaning = The second read of a block comes from the memory of another machine. The figures hold as long as your data fit into that memory and no other user needs it.
check-host-cache-method = Blocks that this run had not touched are read at random, twice in a row. If the second pass is much faster than the first, and faster than reads of the whole span, a cache answered it. The same holds for reads of a virtual disk that are as fast as memory.
check-host-cache-ok = the second read is no faster than the first
check-host-cache-not-observable = no fresh blocks were read, or too few
check-host-cache-note = the second read is faster; the figures come from a larger span
check-host-cache-warning = the figures themselves come from a cache below this system
check-host-cache-remedy = Measure a span larger than the memory of the host, or ask the provider how its disks are cached (QEMU: cache=none).
check-host-cache-blind-spot = A cache that held the blocks before their first read (for instance since the test file was written), unless it is faster than any disk.
check-host-cache-short-remedy = measure more than the cache can hold (--size), or have the host's cache turned off (QEMU: cache=none); until then, the figures are the cache's

host-cache-none = the second read of a block takes as long as the first
host-cache-or-first-touch = the first read of a block is much slower than the second: a cache keeps it, or see first-touch
host-cache-not-fetched = not fetched on first touch
host-cache-share = share of the span that the cache can hold
host-cache-hits = the cache may have answered up to { $share } of its reads
host-cache-answers = a cache below this host's own answers: second reads are { $times } times as fast
host-cache-beside = second reads are { $times } times as fast: a cache below this host holds the blocks; it served hardly any of the measured reads
host-cache-median = half of the reads took { $time } or less
host-cache-is-memory = reads take { $time }, as memory does and no disk behind such a link: a cache of the host answers

## checks/device_cache

check-device-cache-question = How large is the cache of the device, and do the figures come from it?
check-device-cache-meaning = Within its cache a device is faster than on its medium. A span that mostly fits measures the cache; a database that does not fit will be slower.
check-device-cache-method = Random reads within parts of the span that grow step by step. A step in latency shows where the cache ends. Its size and both latencies are fitted to the share of reads that it can answer.
check-device-cache-ok = small and large parts of the span are equally fast
check-device-cache-not-observable = the span is too small, or the steps too uneven
check-device-cache-note = there is a cache, much smaller than the span; its size is given
check-device-cache-warning = most of the span fits into the cache
check-device-cache-remedy = Give a --size several times as large as the cache that is named, or take the latency of the medium that is given beside it.
check-device-cache-blind-spot = A cache larger than the span, and one that does not keep blocks that were read at random.
remedy-span-larger-than-cache = nothing to do: the span is larger than the cache; a smaller span would look faster
remedy-measure-several-caches = measure several times the size of the cache: --size

device-cache-none = reads within { $first } take as long as over all of the { $last }
device-cache-or-first-touch = parts that had been read are faster than the rest: a cache, or blocks fetched on first touch (see first-touch)
device-cache-size = size of the cache
device-cache-about = { $size }, within a factor of two
device-cache-share = share of the span that it holds
device-cache-small = a cache of about { $size } holds { $share } of the span ({ $hit } from the cache, { $miss } from the medium)
device-cache-hits = about { $share } of its reads come from the cache
device-cache-figures = the figures are those of a cache of about { $size }: { $hit } from the cache, { $miss } from the medium
device-cache-part = median { $median }, { $fast } of the reads fast
device-cache-part-at-depth = median { $median }, { $fast } of the reads fast, { $rate } IOPS at depth { $depth }
device-cache-within = within { $size }

## checks/first_touch

check-first-touch-question = Is the first access of a block slower than the next?
check-first-touch-meaning = A thin volume allocates a block at its first write. A volume made from a snapshot fetches a block at its first read. New disks and growing files are slower than the figures, which are of blocks that were touched before.
check-first-touch-ok = the first access is as fast as the next
check-first-touch-not-observable = no fresh place was left, or the places were too uneven
check-first-touch-note = the first write is slower than the next
check-first-touch-warning = the first read is slower: blocks are fetched when they are read
check-first-touch-remedy = Before its speed matters, write the whole volume once; read it once if it comes from a snapshot.
check-first-touch-blind-spot = Places that were used before this run and never given back (TRIM): they are not new to the device.
check-first-touch-short-remedy = read the whole volume once before you use or measure it, or have the provider initialise it; these figures are those of a volume that was not
remedy-write-volume-once = write the whole volume once before its speed matters

check-first-touch-method = Places that this run has not written are written twice in a row by the same job. The first write counts as slower if it takes { $on-device } times as long on a device, or { $on-file } times on a file, where the file system has its own part in it; the interval must stay above { $clear-min }. Of reads, fresh blocks are read twice, and compared with reads of blocks that the run has written itself. If the second read is faster, they are read once more after all other reads: a cache holds other blocks by then, and what was fetched stays.
first-touch-of-own-blocks = this run read only blocks that it wrote; to time first reads of older blocks, use --read-only on the device
first-touch-read-as-fast = the first read of a block takes no longer than the second
first-touch-read-beside-cache = second reads come from a cache: see host-cache
first-touch-read-in-cell = read blocks that had not been read before
first-touch-read-slower = the first read of a block takes { $times } times as long as the second: fetched on first touch, or kept by a large cache
first-touch-large-writes = large sequential writes
first-touch-small-writes = scattered small writes
first-touch-write-times = { $places ->
    [one] the first took { $times } times as long as the second ({ $low } to { $high }, { $places } place)
   *[other] the first took { $times } times as long as the second ({ $low } to { $high }, { $places } places)
}
first-touch-write-times-of-few = { $places ->
    [one] the first took { $times } times as long as the second ({ $places } place)
   *[other] the first took { $times } times as long as the second ({ $places } places)
}
first-touch-write-slower-on-file = the first write of a block takes { $times } times as long as the next, which includes the file system's part
first-touch-write-slower = the first write of a block takes { $times } times as long as the next: it allocates
first-touch-write-as-fast = the first write of a block is as fast as the next
first-touch-uneven = the places differ too much to compare first writes with later ones; run longer to tell

## checks/compressible

check-compressible-question = Are zeros faster than other data, because they are compressed or left out?
check-compressible-meaning = The file system, a thin volume or the controller compresses data, or leaves zeros out. Tools that write zeros (dd if=/dev/zero) measure that. truedisk writes data that cannot be compressed, so its own figures stand.
check-compressible-ok = zeros are no faster than unique data
check-compressible-not-observable = no write bypassed the page cache, the slices were too uneven, or deduplication explains it as well
check-compressible-note = zeros are faster, or the file system says that it compresses
check-compressible-remedy = Test with data like yours. Do not trust figures of tools that write zeros.
check-compressible-blind-spot = A cache that takes the short writes before they are compressed. How much your own data would gain: between nothing and what zeros gain.
check-compressible-short-remedy = test with data like yours; never with zeros (dd if=/dev/zero)

check-compressible-method = At the end the same place is written and read back in short slices, in turn with unique data, zeros and copies, and the median latencies are compared. Zeros count as faster if they are at least { $faster-min } times as fast as unique data, with an interval that stays above { $clear-min }. They count as no faster if the interval ends below { $excluded-max }. What the file system says counts without timing: a mount option that compresses, or zeros that were stored encoded (FIEMAP).
compressible-zeros = zeros against unique data
compressible-or-dedup = zeros are faster than unique data, but so are copies: deduplication explains both
compressible-written = zeros are written { $times } times as fast as unique data: tools that write zeros measure that
compressible-read-back = zeros are read back { $times } times as fast as unique data: tools that write zeros measure that
compressible-file-system = the file system compresses: tools that write zeros measure that; these figures are of data that cannot be compressed
compressible-none = zeros are no faster than unique data
compressible-uneven = the slices differ too much to compare zeros with unique data; run longer to tell
compressible-mount = { $kind } mounted
compressible-zeros-written = zeros written
compressible-encoded = { $encoded } of { $of } stored encoded
compressible-file = the file as it is stored
compressible-stored = { $encoded } of { $of } compressed or encrypted

## checks/dedup

check-dedup-question = Are copies of the same blocks faster, because they are stored once?
check-dedup-meaning = A layer below stores equal blocks once (VDO, ZFS with dedup, an array). Tools that write one buffer repeatedly measure that. No two sectors that truedisk writes are equal, so its own figures stand.
check-dedup-ok = copies are no faster than unique data
check-dedup-not-observable = no write bypassed the page cache, the slices were too uneven, or the file system compresses, which explains it as well
check-dedup-note = copies are faster than unique data
check-dedup-remedy = Test with data like yours. Let fio refill its buffers (refill_buffers), or write the share of copies that your data have (dedupe_percentage).
check-dedup-blind-spot = Deduplication that runs later, in the background, and a cache that takes the short writes before they are compared.
check-dedup-short-remedy = test with data like yours; never with one buffer written repeatedly

check-dedup-method = At the end the same place is written and read back in short slices, in turn with unique data, zeros and copies, and the median latencies are compared. Copies of a few blocks that do not compress count as faster if they are at least { $faster-min } times as fast as unique data, with an interval that stays above { $clear-min }. They count as no faster if the interval ends below { $excluded-max }.
dedup-copies = copies against unique data
dedup-copies-against-zeros = copies against zeros
dedup-or-compression = copies are faster than unique data, but the file system compresses, which explains it
dedup-faster = copies are { $times } times as fast as unique data: tools that write one buffer repeatedly measure that
dedup-none = copies of the same blocks are no faster than unique data
dedup-uneven = the slices differ too much to compare copies with unique data; run longer to tell

## checks/flush

check-flush-question = Does making a write durable cost anything, or is the flush ignored?
check-flush-meaning = A device with a volatile cache must empty it at every flush, which takes time. Where a flush takes next to no time, it is ignored, or the cache is protected by capacitors, a battery or the host's own storage. Only cutting the power shows which. A rotating disk that commits faster than it turns has a cache that answers in its place.
check-flush-ok = a flush takes its time, or the device says that it needs none
check-flush-not-observable = nothing was flushed, the times were too uneven, or a flush of a virtual disk takes no longer than a write: its cache is the host's
check-flush-note = a flush takes no longer than a write, although the cache is volatile
check-flush-warning = a rotating disk commits faster than it turns, or the file system is mounted to send no flushes
check-flush-remedy = Ask the maker or the provider whether the cache survives a loss of power. Check the battery of a controller. The cache of a disk can be switched off (hdparm -W 0, nvme set-feature -f 6 -v 0).
check-flush-blind-spot = A device that takes its time for a flush and loses the data anyway. Only a power cut proves that data survive one.
check-flush-short-remedy = before you trust a commit, ask the maker or provider whether the cache survives a loss of power
remedy-mount-with-barriers = mount without nobarrier (barrier=1)
remedy-find-battery = find out whether the cache of the controller has a battery; if not, switch off the write cache of the disk (hdparm -W 0) and measure again

check-flush-method = One client overwrites the same place in 4 KiB, in turn without and with an fdatasync after each write. The flush counts as free if, over at least { $commits-min } commits, the write with it takes less than { $free-max } times the median of a write alone. It has a cost from { $cost-min } times on. The finding also gives what the device says of its cache (queue/write_cache) and the flushes that the kernel counted. A rotating disk outside of a virtual machine can make at most { $rate-max } commits a second ({ $turns-max } turns, and { $slack } more). A disk counts as rotating if it says so and if its random reads take { $arm-min } or more, with the spread that an arm and a turn give.
flush-of-memory = memory has nothing to flush to
flush-not-measured = no write was made durable in this run
flush-commits = commits of one client
flush-commit-rate = { $rate } commits/s; a disk of { $turns-per-minute } rpm can make at most { $turns }/s durable
flush-random-reads = random reads
flush-arm-moves = { $time }: an arm moves, and a disk turns
flush-faster-than-turns = it commits faster than any disk turns: a cache answers in its place, and a commit is as safe as that cache
flush-barred = flushes are switched off by a mount option: a power loss can undo commits, even after fdatasync
flush-not-needed = the device says that it has no volatile cache: the kernel has nothing to flush
flush-of-virtual-disk = a write takes { $with } with a flush and { $without } without: the cache of this virtual disk is the host's
flush-is-free = a write takes { $with } with a flush and { $without } without: the flush is ignored, or the volatile cache is protected
flush-costs = a flush takes its time: a write takes { $with } with it and { $without } without
flush-of-unknown-cache = nothing tells whether there is a volatile cache to flush
flush-not-counted = the kernel counted fewer flushes than were asked: what they cost is not known
flush-uneven = too few commits, or too uneven, to say what a flush costs; run longer to tell
flush-write = a write with a flush
flush-times = { $median } at the median, { $times } times a write alone ({ $low } to { $high })
flush-times-of-few = { $median } at the median, { $times } times a write alone
flush-cache-of = the cache of { $device }
flush-flushes = flushes
flush-flushes-counted = { $commits ->
    [one] { $counted } counted by the kernel, for { $commits } commit
   *[other] { $counted } counted by the kernel, for { $commits } commits
}

## checks/impossible

check-impossible-question = Is a figure impossible for this device?
check-impossible-meaning = Two things that were measured cannot both be true: something other than the device answered, or was counted.
check-impossible-ok = no two figures contradict each other
check-impossible-note = random reads are a little faster than sequential ones
check-impossible-warning = a figure that is hard to explain
check-impossible-invalid = a figure that cannot be the device's
check-impossible-remedy = Look at the other findings: page-cache, unwritten and host-cache usually say where the data came from.
check-impossible-blind-spot = Wrong figures that are possible for such a device.
check-impossible-short-remedy = find out what answered: a cache of the host or of a controller, or RAM

check-impossible-method = A figure is impossible if it is more than { $link } times what the link carries, or if the median of a read through the block layer is below { $latency }. Random reads that move more than { $note } times the bytes of sequential ones are a note, more than { $warning } times a warning. A device that completed less than { $operations } of the reads that this run made, although it served their bytes, is a warning too.
impossible-none = no figure is impossible for this device
impossible-random-faster = random reads moved more bytes than sequential ones
impossible-figure = a figure is impossible for this device: the data came from elsewhere
impossible-over-link = { $rate } over a link that carries { $ceiling }
impossible-median = half of the reads took less than { $time }
impossible-requests = { $reads } random reads, { $requests } requests to { $device }, { $merged } merged
impossible-rates = { $random } at random, { $sequential } in sequence

## checks/client_bound

check-client-bound-question = Was the load generator the limit, and not the disk?
check-client-bound-meaning = The figure is a lower bound of what the disk can do: with more processor time it may do more.
check-client-bound-ok = the generator had processor time to spare
check-client-bound-not-observable = nothing was measured under load
check-client-bound-note = writes of an open loop beside its reads started late, in bunches, at the right rate; or this process paused for a moment, which hardly shows in the figures
check-client-bound-warning = the processor was the limit, not the disk; or this process waited for one
check-client-bound-invalid = the generator fell behind the plan of an open loop: response times are its own; or this process did not run for a part of the cell, or waited for a processor for most of it
check-client-bound-remedy = Do what the finding says of its cause: another time or host, a host with more or faster processors, another control group. Larger blocks need less processor time.
check-client-bound-blind-spot = A hypervisor that hides how little processor time it gives (see neighbour); pauses below 85 ms.

check-client-bound-short-remedy = read these as the least that the disk can do; with more processor time it may do more
check-client-bound-method = The generator is the limit if its workers were busy for { $busy-min } of the time. It is the limit, too, if all processors of the host were as busy and this process was { $own-min } of the load or more, or if the rate is { $nop-min } of what the same loop reaches on operations that do nothing. It is not the limit where the device held { $device-min } of the requests all the time, or of those that its queue takes: then the workers only waited for it. Of an open loop, the lag behind the plan is judged. A heartbeat shows pauses, in which this process did not run: it was stopped, had no processor, or the machine was suspended. Rates of closed loops leave pauses out. A cell is invalid if pauses take more than { $paused-max } of it, or if operations outstanding in pauses are more than { $tail-max } of those beyond the bound's percentile. The scheduler counts how long workers could have run and had no processor: { $withheld-warning } of the time is a warning ({ $held-back } where the limit of a control group held them back), { $withheld-invalid } is invalid. The finding names the control group whose limit held them back, else how the processor time was shared.
client-bound-nothing = nothing was measured under load
client-bound-late = { $cells ->
    [one] the generator, not the disk, was late in { $cells } cell: response times are its own
   *[other] the generator, not the disk, was late in { $cells } cells: response times are its own
}
client-bound-writes-late = { $cells ->
    [one] writes beside the reads started late, in bunches, in { $cells } cell; their rate is right
   *[other] writes beside the reads started late, in bunches, in { $cells } cells; their rate is right
}
client-bound-spare = the generator had processor time to spare: it used { $share } at most
client-bound-busy = { $cells ->
    [one] the processor was the limit, not the disk, in { $cells } cell
   *[other] the processor was the limit, not the disk, in { $cells } cells
}
client-bound-lag = one operation in a hundred started { $lag } late or more; p99 of the response time { $response }
client-bound-workers = its workers were { $share } busy
client-bound-process = { $processors ->
    [one] this process used { $share } of the time of { $processors } processor
   *[other] this process used { $share } of the time of { $processors } processors
}
client-bound-host = all processors of the host were { $share } busy, { $own } of that with this process
client-bound-loop = { $rate } operations/s; the same loop reaches { $most }/s on operations that do nothing

## checks/backlog

check-backlog-question = Did the disk keep up with the rate that was asked for?
check-backlog-meaning = More operations were asked for than the disk completed. The rate is what the disk can do, and response times grow with the length of the run.
check-backlog-ok = no rate was asked for, or it was kept
check-backlog-warning = the rate was not kept; the finding says what was asked for and done, how many operations are missing, and how long the last one waited
check-backlog-remedy = Ask for a lower rate; truedisk limit --open-loop finds the highest rate that is kept.
check-backlog-blind-spot = Jobs whose rate is only an upper bound, without a plan of starts: several directions at once, blocks of several sizes, think time. Whether the disk or this host was the limit: see client-bound.
check-backlog-short-remedy = ask for a lower rate; truedisk limit --open-loop finds the highest rate that is kept

check-backlog-method = Of each job with a rate and a plan of starts, the operations done are subtracted from those asked for in the time. If more than { $missing-max } are missing, beyond those outstanding at the end, there is a backlog. The last wait is the time that the plan is behind.
backlog-in-cell = asked for { $asked-rate }/s, done { $done-rate }/s: { $missing ->
    [one] { $missing } of { $asked } operations is missing
   *[other] { $missing } of { $asked } operations are missing
}, and the last waited { $behind }
backlog-of-one = { $cell }: { $backlog }
backlog-of-several = { $jobs ->
    [one] { $jobs } job did not keep its rate; the worst: { $cell }: { $backlog }
   *[other] { $jobs } jobs did not keep their rate; the worst: { $cell }: { $backlog }
}
backlog-none = the rate that was asked for was kept
backlog-no-rate = no rate was asked for

## checks/little

check-little-question = Do the counts of the load generator agree, and was the depth kept?
check-little-meaning = By Little's law, IOPS times mean latency is the number of outstanding requests. Where that differs from the count, operations or time are missing. Where both stay below the requested depth, the device had less to do than the name of the cell says.
check-little-method = The counted depth and the depth by Little's law must agree within { $agree }. Outstanding time that is in no latency (failed operations, operations across the ends of a cell) is added to Little's law. Runs of earlier versions did not count it; for them the limit is wider. Below { $noted } of the requested depth is a note, below { $warned } a warning.
check-little-ok = the counts agree, and the depth was kept
check-little-not-observable = nothing was measured
check-little-note = the queue was not full for a part of the time
check-little-warning = far fewer requests were outstanding than requested
check-little-invalid = the counts disagree: a fault of truedisk, please report it
check-little-remedy = Read the figure as that of the achieved depth. A faster processor, or more workers, keep the queue full.
check-little-blind-spot = Errors that change both counts in the same way.
check-little-short-remedy = read the figure as that of the achieved depth: the rest of the time was not spent in the device

little-depths = depth { $counted } by counting, { $little } by Little's law
little-depth-missed = depth { $counted } instead of { $depth }
little-depth-at-device = depth { $counted } instead of { $depth }; { $device } had { $at-device } outstanding
little-too-few = too few operations to check the depth
little-counts-differ = the counted depth and Little's law disagree: a fault of truedisk, please report it
little-depth-not-kept = the requested depth was not kept: the queue was not always full between operations
little-counts-agree = the counted depth agrees with Little's law within { $within }

## checks/os_throttle

check-os-throttle-question = Does the operating system itself hold the disk back?
check-os-throttle-meaning = A control group of this system (a container's, a service's) limits the disk: the figure is that limit.
check-os-throttle-method = The limits on this process's control groups (io.max, blkio.throttle) for the devices of the target are read before and after each cell. A cell reached a limit if its requests at that device came to { $reached } of it, or to { $sliced } where a throttle let them through in slices. Parts of split operations and flushes count. One operation more counts: of a few it may have been held back at the end. Cells that came to { $near } of a limit are listed: where operations vary, it holds some of them back.
check-os-throttle-ok = no limit is set, or none was reached
check-os-throttle-note = a limit is set, and was not reached
check-os-throttle-warning = a limit was reached
check-os-throttle-remedy = Measure outside the container or service, or raise its limit. If your program runs inside it, the figure is what it gets.
check-os-throttle-blind-spot = Limits outside this host (provider-limit), and on groups that this process cannot see.
check-os-throttle-short-remedy = measure outside the limited group to see the disk itself

os-throttle-reached =
    { $cells ->
        [one] a control group caps the disk: 1 cell reached the limit
       *[other] a control group caps the disk: { $cells } cells reached the limit
    }
os-throttle-near =
    { $cells ->
        [one] a control group limits this disk: no cell reached the limit, 1 came near it
       *[other] a control group limits this disk: no cell reached the limit, { $cells } came near it
    }
os-throttle-not-reached = a control group limits this disk, but no cell reached the limit
os-throttle-none = no control group limits this disk
os-throttle-queue = { $settings }
os-throttle-scheduler = scheduler { $name }
os-throttle-requests =
    { $requests ->
        [one] at most 1 request queued
       *[other] at most { $requests } requests queued
    }
os-throttle-writeback = buffered writes are held back above a latency of { $latency } (wbt)

## checks/link_bound

check-link-bound-question = Was the link the limit, or is it slower than it should be?
check-link-bound-meaning = The cable, slot or controller sets the data rate, not the disk. Or a link was negotiated below what both ends can do (downtrained), and a part of the disk's speed is lost.
check-link-bound-method = The data rate of each cell is compared with what the negotiated link carries after line coding. Protocols take a part of that, so a link counts as full above { $full }. The negotiated speed and width are compared with what disk and slot can do.
check-link-bound-ok = the link had room, and runs at its best
check-link-bound-not-observable = no link is shown: a virtual disk, network storage
check-link-bound-note = the link is full, as it should be with a good disk
check-link-bound-warning = the link runs below what both ends can do
check-link-bound-remedy = Seat the disk again, try another slot, cable or port, and check the firmware's settings for the slot.
check-link-bound-blind-spot = Links that the kernel does not show, and switches on the way that others share.
check-link-bound-short-remedy = a faster link would show more of the disk

link-bound-not-shown = no link is shown for this device (virtual or network storage)
link-bound-not-of-every-disk = not every disk of the target shows its link
link-bound-used = { $rate } of { $ceiling }
link-bound-downtrained = the link runs slower than both ends can: check slot, cable and port
link-bound-had-room = the link had room: it carries { $ceiling }
link-bound-full =
    { $cells ->
        [one] the link was the limit in 1 cell: more than { $share } of what it carries
       *[other] the link was the limit in { $cells } cells: more than { $share } of what it carries
    }
link-bound-speed = { $kind } at { $speed }
link-bound-speed-below = { $kind } at { $speed }, could run at { $max }

## checks/neighbour

check-neighbour-question = Did other programs or machines use the disk or the processors meanwhile?
check-neighbour-meaning = The figures are those of a shared disk or of a busy host: alone, the disk would do better.
check-neighbour-method = What the device served beyond our requests is the I/O of others. Our requests are counted in pieces of at most { $piece }. A note: others' I/O is at least { $noted } of our bytes and { $noted-rate }, or at least { $requests-noted } of our requests and { $noted-per-second } requests/s. A warning: at least { $warned } and { $warned-rate }, or at least { $requests-warned } and { $warned-per-second } requests/s. Processor time that the hypervisor took is a note from { $stolen-noted } and a warning from { $stolen-warned }. Other processes count from { $foreign } of the processors. They are a warning where less than { $idle } was idle. While we write, others' writes count only where ours cause no further ones: without syncs, on file systems that overwrite in place.
check-neighbour-ok = nobody else used disk or processors
check-neighbour-not-observable = neither the device nor the host has counters
check-neighbour-note = other use was too small to matter, or the cell was measured again
check-neighbour-warning = other use was large enough to change the figures
check-neighbour-remedy = Measure when the host is quiet. Stolen processor time is the provider's: try another hour or another host.
check-neighbour-short-remedy = stop the other load, or repeat at a quieter time, and compare
check-neighbour-blind-spot = Neighbours on the provider's side of a virtual disk, who show only as noise (not-settled, stall).

neighbour-not-counted = the device has no counters that show the I/O of others
neighbour-busy =
    { $cells ->
        [one] others used the disk or the processors during 1 cell
       *[other] others used the disk or the processors during { $cells } cells
    }
neighbour-light =
    { $cells ->
        [one] others used the disk or the processors a little, during 1 cell
       *[other] others used the disk or the processors a little, during { $cells } cells
    }
neighbour-none = nobody else used the disk
neighbour-repeated =
    { $probes ->
        [one] 1 probe was disturbed, and measured again
       *[other] { $probes } probes were disturbed, and measured again
    }
neighbour-also-repeated = { $statements }
neighbour-probes = probes
neighbour-bytes = { $bytes } of others ({ $rate }), { $ours } of this cell
neighbour-requests = requests: { $others } of others, { $ours } of this cell
neighbour-stolen = the hypervisor took { $stolen } of the processor time
neighbour-processors = others took { $foreign } of the processor time, { $idle } was idle

## checks/stall

check-stall-question = Did the device stop answering?
check-stall-meaning = For a moment the device answered nothing at all. A closed loop sends nothing while it waits, so percentiles hardly show it, but every program that needed the disk had to wait.
check-stall-method = A stall is a gap between completions of at least { $gap } in which { $missed } operations or more would have completed at the mean rate, and which is at least { $factor } times as long as all but one in a thousand operations take. A gap at the end of a cell lasts until the first outstanding operation completes. Time in which this process itself did not run does not count (client-bound), nor do { $margin } before and after it.
check-stall-ok = the device never stopped answering
check-stall-not-observable = no cell was suited to show a stall
check-stall-warning = the device stopped answering; the finding says when and how long
check-stall-remedy = Measure again. If it comes back, check the kernel's log for timeouts and resets, the SSD's firmware (garbage collection), and the provider's status.
check-stall-blind-spot = Stalls shorter than a tenth of a second, and those between two cells. On a host with busy processors, a thread of this process that waits for a processor looks like a stalled device (neighbour).
check-stall-short-remedy = check the kernel log for resets, and the drive for throttling by heat or garbage collection; repeat

stall-silence = nothing completed for { $gap }, { $start } after the start of the cell; stalls took { $total } in all, { $share } of the cell
stall-too-short = no cell was long enough to show a stall
stall-none = no stall of { $gap } or longer, apart from the device's usual pauses
stall-longest = the device stopped answering for up to { $longest }

## checks/not_settled

check-not-settled-question = Was the rate steady while it was measured?
check-not-settled-meaning = A rate that rises or falls describes a moment, not the disk: another run, or a longer one, gives another number.
check-not-settled-method = Each cell of at least { $length } is cut into five parts. Their range and slope are tested (the five-round rule). So is a trend or a change of level of at least { $change }, if chance would give it in less than { $chance } of the cells. Cells repeated at the end show whether the whole run drifted. It did if the cells at depth 1 and at the depth of the maximum both changed by more than { $drift }, in the same direction, with intervals or ranks apart. Rounds of random writing end when five agree. Rates of small files are judged by their rounds: half the 95 % interval is at most { $unsteady } of the rate.
check-not-settled-ok = the rates were steady
check-not-settled-not-observable = the cells were too short for five rounds
check-not-settled-note = a rate varied without a direction, one repetition differed, a repetition of reads from memory differed, or rounds of writing did not agree; or rates of small files differed between rounds
check-not-settled-warning = a rate rose, fell or swung between levels while it was measured, rounds of writing went one way, or the repetitions at the end differed; or the rate of files created differed between rounds
check-not-settled-remedy = Run longer: check without --quick, or with --thorough, which writes until the rates are steady.
check-not-settled-blind-spot = Changes slower than the run: burst credits, a write cache larger than the bytes written, heat.
check-not-settled-short-remedy = measure longer: --thorough runs until it settles

not-settled-short = the cells were too short; a run of 60 s is long enough
not-settled-few-rounds = too few rounds to see whether the rates differ between rounds
not-settled-search = a search does not check whether rates settle; truedisk check does
not-settled-matrix = a matrix does not check whether rates settle; truedisk check does
not-settled-short-passes = the passes were too short; truedisk check measures longer
not-settled-single-requests = single requests do not show whether rates settle; truedisk check does
not-settled-no-series = the output of another program has no series to look at
not-settled-changing = the rate was still changing while it was measured
not-settled-differed = one of the repetitions at the end differed
not-settled-varied = the rate varied, without a direction
not-settled-files-created = the rate of files created differs too much from round to round
not-settled-some-files = some rates differ much from round to round
not-settled-steady = the rates were steady while they were measured
not-settled-rounds-agree = the rates of the rounds agree
not-settled-writing = rounds of writing
not-settled-rounds = the last five rounds differ by up to { $range } of their mean; trend: { $change }
not-settled-file-rounds = rounds of { $low } to { $high } operations/s
not-settled-five-parts = five parts range over { $range } of their mean, { $trend }
not-settled-rose = rising by { $by }
not-settled-fell = falling by { $by }
not-settled-rose-after = rising by { $by } after { $after }
not-settled-fell-after = falling by { $by } after { $after }
not-settled-no-trend = without a significant trend
not-settled-repeated = { $cell } repeated
not-settled-twice = { $first } IOPS first, { $again } IOPS at the end

## checks/coverage

check-coverage-question = How much of the target was touched, and how often?
check-coverage-meaning = Blocks that are read again and again come from a cache on the way. A thin sample of a large disk says little about the places that were not read.
check-coverage-method = A span of less than { $tiny } fits into any cache. A span below { $cache } that was read more than { $passes } times was mostly read again. A span of { $large } or more of which less than { $thin } was read is a thin sample.
check-coverage-ok = the span is larger than common caches, or its blocks were read once at most; and the sample is not thin
check-coverage-not-observable = nothing was read at random
check-coverage-note = blocks of a small span were read more than once, or a large one thinly
check-coverage-warning = the span is so small that any cache holds it, or was read so often that most reads were repetitions
check-coverage-remedy = Give a larger --size, or more time: check --thorough.
check-coverage-blind-spot = How large the caches on the way really are (device-cache, host-cache), and whether the places that were not touched are different.
remedy-measure-larger-part = measure a larger part of the disk: --size 4g or more
remedy-take-for-sample = measure longer, or read it as a sample: places that were not read may differ

coverage-no-reads = no random reads were measured
coverage-cached = a span of { $span } may lie in a cache on the way to the disk
coverage-read-again = blocks of the span of { $span } were read more than once
coverage-thin = only { $share } of the span of { $span } was read
coverage-passed = random reads covered the span of { $span } { $passes } times in all
coverage-passes = passes
coverage-read = { $read } read at random over a span of { $span }
coverage-share = share read
coverage-sample = { $share } of { $span }, spread evenly
coverage-cell-passes = { $passes } passes over { $span }

## checks/idle_latency

check-idle-latency-question = Is the first request after a pause slower?
check-idle-latency-meaning = Device, link, host or processor sleep when they have nothing to do, and need time to wake. Programs with few requests see that time; the figures of a busy device do not show it.
check-idle-latency-method = Single reads with pauses between them are compared with reads one after the other, as a ratio and in absolute time: virtual hosts alone take a fraction of a millisecond to wake.
check-idle-latency-ok = a pause makes no notable difference
check-idle-latency-not-observable = no reads with pauses were made
check-idle-latency-note = the first read after a pause is slower; the finding gives the cost
check-idle-latency-warning = waking takes so long that a program with few requests sees mostly that
check-idle-latency-remedy = Where it matters, keep the device awake: APST off for NVMe (nvme_core.default_ps_max_latency_us=0), no spin-down for disks (hdparm -S 0), shallower idle states for the processor.
check-idle-latency-blind-spot = Which of them slept, and deeper sleep that takes longer pauses than those that were made.
check-idle-latency-short-remedy = a service with few requests waits this long: check the power saving of the drive (APST), its link (ASPM, ALPM) and the processor

idle-latency-no-usual = no reads one after the other to compare with
idle-latency-usual = { $median } (median)
idle-latency-too-few = too few reads after a pause
idle-latency-asleep = the device falls asleep: a read after a pause of { $pause } takes { $took }, otherwise { $usual }
idle-latency-slower = a read after a pause of { $pause } takes { $took }, otherwise { $usual }
idle-latency-alike = a read after a pause of { $pause } takes at most { $factor } times the usual { $usual }
idle-latency-paused =
    { $reads ->
        [one] { $median } (1 read), { $times } times the usual
       *[other] { $median } (median of { $reads } reads), { $times } times the usual
    }
idle-latency-paused-busy =
    { $reads ->
        [one] { $median } (1 read), { $times } times the usual; the processors were { $busy } busy
       *[other] { $median } (median of { $reads } reads), { $times } times the usual; the processors were { $busy } busy
    }

## checks/misaligned

check-misaligned-question = Are blocks misaligned with the physical blocks of the device?
check-misaligned-meaning = If a partition or file starts in the middle of a physical block, the device reads and writes two blocks for one, and writes wait for a read first.
check-misaligned-method = The starts of partitions, and of loop devices in their files, are compared with the physical block of the device below, at least { $block }; of a file, the part that does not start at such a block. Blocks shifted by 512 bytes show the cost, where the device takes them. Up to { $allowed } of a file may lie anywhere.
check-misaligned-ok = everything is aligned with the blocks of the disk
check-misaligned-not-observable = no target, or no block device below it, is known
check-misaligned-note = a start inside a block of 4 KiB, on a rotating disk with sectors of 512 bytes: it costs nothing there
check-misaligned-warning = a partition, a loop device or a part of the file is misaligned: its blocks lie across two blocks of the disk
check-misaligned-remedy = Create the partition again so that it starts on a full MiB, as current tools do by default.
check-misaligned-blind-spot = Physical blocks that are larger than the device says, and the pages of flash, which no device reports.
check-misaligned-short-remedy = start partitions at 1 MiB, and use blocks of 4 KiB for the file system

misaligned-no-device = no block device is known below it
misaligned-extents = extents
misaligned-file = { $share } of the file is misaligned with the blocks of the device
misaligned-direct-io = alignment that direct I/O needs
misaligned-unit = { $unit }, according to { $source }
misaligned-across = blocks are misaligned: they lie across two blocks of the disk
misaligned-inside = blocks start inside those of { $block }, which this disk allows
misaligned-none = everything is aligned with the blocks of the disk
misaligned-start = starts at { $start }, { $over } into a block of { $block }
misaligned-read = shifted read
misaligned-write = shifted write
misaligned-slower = { $took } for a block shifted by 512 bytes, { $usual } for an aligned one: { $times } times as long
misaligned-no-slower = { $took } for a block shifted by 512 bytes, { $usual } for an aligned one: no difference shown

## checks/short_stroke

check-short-stroke-question = Was a rotating disk measured over a small part, where its arm hardly moves?
check-short-stroke-meaning = Within a small part the arm moves only short distances: random reads look up to twice as fast as over the whole disk.
check-short-stroke-method = On a disk that behaves like a rotating one, random reads go over parts of growing size. The distance that the arm moves shows as latency that grows with the square root of the size; the latency over the whole disk follows from it.
check-short-stroke-ok = it does not rotate, or the part that was measured is as slow as the whole
check-short-stroke-not-observable = no random reads one at a time, too few of them to show a rotation, or a cache that answers most of them
check-short-stroke-warning = the figures, of a file or of a device, are those of a small part of a rotating disk; the finding estimates the whole
check-short-stroke-remedy = Measure the device itself: check --read-only DEVICE reads all over it and destroys nothing.
check-short-stroke-blind-spot = Where on the disk a file lies: outer tracks move nearly twice the bytes of inner ones.
check-short-stroke-short-remedy = measure the whole device: truedisk check --read-only on its device file

short-stroke-no-reads = no random reads one at a time, which would show an arm
short-stroke-mean = mean of random reads at depth 1
short-stroke-no-arm = no arm to move: random reads take { $mean }, one rotation alone takes longer
short-stroke-part = part that was measured
short-stroke-span = { $span } of { $disk }, { $part }
short-stroke-as-whole = a rotating disk: the part that was measured ({ $part }) is as slow as the whole
short-stroke-cached = it reports itself as rotational, but a cache answers most reads: whether its arm moved is unknown
short-stroke-too-few =
    { $reads ->
        [one] 1 random read is too few to show a rotating disk: it takes { $needed }
       *[other] { $reads } random reads are too few to show a rotating disk: it takes { $needed }
    }
short-stroke-no-platter = random reads take { $mean }, but not spread evenly over a rotation as on a rotating disk
short-stroke-reached = reached
short-stroke-of-disk = { $part } of the disk
short-stroke-range = only { $part } of a rotating disk was measured: { $here } random reads/s at depth 1, about { $low } to { $high } over the whole disk
short-stroke-flatters = only { $part } of a rotating disk was measured: { $here } random reads/s at depth 1, about { $whole } over the whole disk
short-stroke-fit = a seek of { $nearest-ms } ms + { $slope-ms } ms x sqrt(distance), with a mean root of 8/15, and half a turn (a turn takes { $turn-ms } ms)
short-stroke-sheets = a mean seek of { $low-ms } to { $high-ms } ms by the data sheets of disks of { $rpm } rpm, and half a turn (a turn takes { $turn-ms } ms)
short-stroke-turns = speed of rotation
short-stroke-speed =
    { $reads ->
        [one] { $rpm } rpm ({ $low } to { $high }), from 1 read
       *[other] { $rpm } rpm ({ $low } to { $high }), from { $reads } reads
    }
short-stroke-whole = random read over the whole disk
short-stroke-whole-time = { $low } to { $high }: { $how }

## checks/provider_limit

check-provider-limit-question = Is the maximum of IOPS a configured cap?
check-provider-limit-meaning = A cap of the provider or the hypervisor, not the disk, sets the limit: deeper queues only add waiting. More can usually be bought.
check-provider-limit-method = Probes whose depths differ by a factor of two or more end within { $within } of one rate, and hardly any probe exceeds it. Most of their half-second rates vary less than chance alone would make those of independent operations vary. One more sign must fit a cap. Larger operations or another direction end at the same rate; or larger operations on a virtual disk move as many bytes per second as smaller ones; or the rate of a virtual disk is one that clouds sell. Completions that come in the slices of a throttle show a cap at any depth. If a cap was lowered during the run, the value given is that of the later probes. Where a control group of this system sets the cap, os-throttle reports it.
check-provider-limit-ok = where more depth gave no more, it was no cap; or a control group of this system set it (os-throttle)
check-provider-limit-not-observable = no curve reached a plateau that was measured for long enough: cells of a quick run are too short, and a matrix does not look
check-provider-limit-note = this disk has a cap; its value is given, and the numbers stand
check-provider-limit-remedy = Compare the cap with what you pay for. Size the queue of your program so that it just reaches it: more only waits.
check-provider-limit-blind-spot = A cap above what was reached, a cap that changes with credits (burst), and one that varies as much as a device does.

provider-limit-cap = { $iops } IOPS: { $because }
provider-limit-of-provider = a cap of the provider limits this disk to { $cap } IOPS: it is not the device's limit
provider-limit-of-setting = a configured cap limits this disk to { $cap } IOPS: it is not the device's limit
provider-limit-of-group = the cap is that of a control group of this system (os-throttle)
provider-limit-counted = a cap of the provider held this run, by its own counters
provider-limit-none = where more depth gave no more, it was no cap
provider-limit-matrix = a matrix does not look for a cap; truedisk limit does
provider-limit-quick = the cells of a quick run are too short to show a cap; a run of 60 s is long enough
provider-limit-short = no curve reached a plateau that was measured for long enough to show a cap
provider-limit-unsure = on the plateau the rate varies too much to show a cap, and too little or too regularly to rule one out

## checks/burst

check-burst-question = Was it a burst that ends: credits, or a write cache that fills?
check-burst-meaning = The speed holds for a number of operations or bytes, and then falls to another. What lasts is the speed after it.
check-burst-method = The rates of the run, and those of each probe of writes, are searched for a lasting fall; what was moved before the fall is counted. A fall that only writes show, counted in bytes, is the end of a write cache; one that reads share is the end of a provider's credits.
check-burst-ok = no fall, and the run was long enough for those that are known
check-burst-not-observable = no fall yet; the finding says how long to measure to be sure
check-burst-note = a fall outside the figures that count, or one whose cause is not known
check-burst-warning = figures from before the fall are those of a burst
check-burst-remedy = Take the rate after the fall for work that lasts. check --until-throttled goes on until a burst ends, --thorough until writes are steady.
check-burst-blind-spot = Anything that lasts longer than the run: the credits of cloud volumes last from a minute to hours, a write cache until its size is written.
check-burst-short-remedy = count on the rate after the fall: check --until-throttled

burst-before = before
burst-after = after
burst-when = when
burst-time = { $after } from the start, in { $cell }
burst-size = size
burst-operations = { $operations } operations
burst-of-credits = the figures before { $until } are a burst: { $burst } until { $size } of credit were used, { $baseline } from then on
burst-ended = a burst of { $burst } ended after { $size } of credit, at { $baseline }; what was measured after it is what the disk sustains
burst-write-cache-full = a write cache of the device was full after { $size }: { $burst } before, { $baseline } from then on, while reads stayed as fast
burst-rate-ramp = the rate fell all the time, from { $from } to { $to }: a gradual decline, not the end of a burst
burst-rate-fell = the rate fell from { $from } to { $to } and stayed there, unevenly: credits, a cache, or load that this host cannot see
burst-rate-fell-last = the rate fell from { $from } to { $to } in { $cell }; nothing of its kind and as deep was measured after it: whether it stays there was not seen
burst-fell-beside-others = the rate fell from { $from } to { $to } in { $cell }, while others used the disk or the processors: repeat at a quieter time to see whether a burst ended
burst-none-under-full-load = no burst ended within { $busy } of full load
burst-none-of-a-minute = no burst ended within { $busy } of load, which rules out those of about a minute (DigitalOcean, Vultr); credits of AWS gp2 last 30 to 120 minutes, of Azure premium SSD 30: check --until-throttled goes on until they end
burst-none-yet = no burst ended within { $busy } of load; those of DigitalOcean and Vultr take 60 s and more; credits of AWS gp2 last 30 to 120 minutes, of Azure premium SSD 30: check --until-throttled goes on until they end
burst-nothing-for-a-cache = there is no provider with credits, and nothing was written that could fill a cache
burst-no-cache-filled = { $written } were written, and no cache was full after that
burst-cache-may-be-larger = a write cache larger than the { $written } that were written would not show; such caches hold up to a third of a device: { $needed } here
burst-cache-of-unknown-size = a write cache larger than the { $written } that were written would not show

## evidence/contents

contents-written = { $pairs ->
    [one] written { $times } times as fast ({ $low } to { $high }, { $pairs } pair)
   *[other] written { $times } times as fast ({ $low } to { $high }, { $pairs } pairs)
}
contents-written-in-few = { $pairs ->
    [one] written { $times } times as fast ({ $pairs } pair)
   *[other] written { $times } times as fast ({ $pairs } pairs)
}
contents-read-back = { $pairs ->
    [one] read back { $times } times as fast ({ $low } to { $high }, { $pairs } pair)
   *[other] read back { $times } times as fast ({ $low } to { $high }, { $pairs } pairs)
}
contents-read-back-in-few = { $pairs ->
    [one] read back { $times } times as fast ({ $pairs } pair)
   *[other] read back { $times } times as fast ({ $pairs } pairs)
}
contents-not-written = nothing was written, and only writes show it
contents-in-page-cache = without O_DIRECT the page cache takes the writes, whatever they hold
contents-too-few-operations = too few operations to compare zeros and copies with unique data; run longer, or on a quieter host
contents-not-compared = zeros and copies were not compared with unique data in this run

## evidence/reread

reread-too-few-blocks = no blocks were read twice, or too few
reread-from-page-cache = the page cache of this host answered the second reads: see page-cache
reread-of-own-blocks = this run had written the blocks itself: nothing had to be fetched
reread-as-fast-as-memory = only memory answers so fast
reread-too-fast-for-network = too fast for a volume that fetches blocks over a network
reread-of-rotating-disk = the disk turns, and keeps what it has read
reread-too-close-to-fetch = the difference is too small for a block fetched from elsewhere
reread-slow-again = blocks that had been read became slow again
reread-second-reads = second reads
reread-medians = { $first } for the first read of a block, { $again } for the second (medians of { $reads })
reread-third-reads = third reads, after all others
reread-median = { $median } (median of { $reads })
reread-measured-by = measured by
reread-cells = { $cells }

## evidence/working_set

working-set-from-page-cache = the page cache of this host answered: see page-cache
working-set-not-read = parts of the span were not read, or the span is too small for it
working-set-too-few-reads = too few reads of each part in this time: --thorough makes more

## evidence/generator_pauses

remedy-measure-unstopped = measure again; let nothing stop truedisk or suspend the machine meanwhile
generator-pauses-suspended = { $cells ->
    [one] the machine was suspended for up to { $length }: the figures of { $cells } cell contain it
   *[other] the machine was suspended for up to { $length }: the figures of { $cells } cells contain it
}
generator-pauses-in-figures = { $cells ->
    [one] this process did not run for up to { $length }: the figures of { $cells } cell contain it
   *[other] this process did not run for up to { $length }: the figures of { $cells } cells contain it
}
generator-pauses-excluded = { $cells ->
    [one] this process paused for up to { $length }: rates leave the pause out; percentiles of { $cells } cell hardly change
   *[other] this process paused for up to { $length }: rates leave the pause out; percentiles of { $cells } cells hardly change
}
generator-pauses-one = did not run for { $total } ({ $share } of the cell), { $start } from the start of the run
generator-pauses-several = { $pauses ->
    [one] did not run for { $total } ({ $share } of the cell) in { $pauses } pause; the longest took { $longest }, { $start } from the start of the run
   *[other] did not run for { $total } ({ $share } of the cell) in { $pauses } pauses; the longest took { $longest }, { $start } from the start of the run
}

## evidence/withheld_cpu

remedy-measure-outside-group = measure outside of this control group, or raise its limit
remedy-measure-without-steal = measure when, or where, the hypervisor withholds less processor time
remedy-measure-alone = measure while the other processes are idle
remedy-measure-files-alone = measure again while nothing else uses the host, with more files: --files N
remedy-measure-on-more-processors = measure with fewer jobs, or on a host with more processors
withheld-cpu-for = { $cells ->
    [one] { $cause }: truedisk waited for a processor for up to { $share } of the time, in { $cells } cell
   *[other] { $cause }: truedisk waited for a processor for up to { $share } of the time, in { $cells } cells
}
withheld-cpu-for-unknown = { $cells ->
    [one] truedisk waited for a processor for up to { $share } of the time, in { $cells } cell
   *[other] truedisk waited for a processor for up to { $share } of the time, in { $cells } cells
}
withheld-cpu-by-group = { $limit } ({ $cgroup }); truedisk was held back for { $lost } of { $elapsed }
withheld-cpu-by-quota-of-one = a control group lets this process use { $share } of a processor
withheld-cpu-by-quota = a control group lets this process use { $processors } processors
withheld-cpu-by-limit = a control group limits the processor time of this process
withheld-cpu-by-hypervisor = the hypervisor withheld processor time (steal)
withheld-cpu-by-others = the processors were busy with other work
withheld-cpu-by-itself = this process used more processor time than others did
withheld-cpu-wait = its workers waited for a processor for { $lost } of { $elapsed }
withheld-cpu-shares = processor time: this process { $own }, others { $others }, hypervisor { $stolen }, idle { $idle }
withheld-cpu-pressure = at least one process on the host waited for a processor for { $time } of { $elapsed }

## cells

## class

class-memory = memory, or a cache in front of the disk
class-optane = an Optane SSD
class-fast-nvme = a fast NVMe SSD (PCIe 4 or 5)
class-nvme = an NVMe SSD (PCIe 3 class)
class-sata = a SATA SSD
class-virtual-ssd = a local SSD behind a hypervisor
class-premium-volume = fast network block storage (premium volume)
class-volume = network block storage (general-purpose volume)
class-rotating-disk = a rotating disk
class-memory-card = a memory card or USB stick
class-unlike-all = no known class; nearest is { $nearest }
class-read-latency = { $latency } per random read at depth 1
class-random-reads = { $iops } random reads/s
class-sequential-reads = { $rate } sequential
class-writes-per-read = random writes are { $times } times as fast as random reads
class-times = { $times }
class-outside = { $feature } ({ $low } to { $high } is usual in this class)
class-called-rotational = sysfs calls it rotational
class-called-non-rotational = sysfs calls it non-rotational

## class/claim

class-claim = { $parts }
class-claims-rotation = rotational
class-claims-no-rotation = non-rotational
class-too-fast-for-platter = it calls itself rotational, but a read takes { $latency }: no platter turns so fast
class-waits-for-platter = it calls itself non-rotational, but its reads wait as for a platter of { $rpm } rpm
class-slow-as-platter = it calls itself non-rotational, but is as slow as a rotating disk
class-nvme-like-volume = it is attached as an NVMe device, but answers like { $class }: cloud volumes look like this
class-faster-than-sata = it is attached by SATA, but is faster than that link carries: it is like { $class }
class-fast-as-memory = it is attached by { $transport }, but answers like memory: a cache in front of it?

## compare

compare-has-it-with = { $side } has it with { $differences }
compare-has-cell = { $side } has { $cell }
compare-has-cell-like = { $side } has { $cell }, and { $nearest }
compare-left-out = { $side }: { $cell } was left out: { $reason }
compare-reasons = { $reasons }
compare-no-cell = there is no cell to compare

## compare/caps

compare-caps-by-finding = { $finding }: { $summary }
compare-caps-by-search = a search found a configured cap of { $iops } IOPS
compare-caps-by-agreement = every workload ends at about { $iops } IOPS, reads as well as writes ({ $rates }): that looks like a configured cap, not like the limit of a device. Plans with such a cap: { $plan }.
compare-caps-workload-at-rate = { $workload } { $iops }
compare-caps-known-plan = { $plan ->
    [3000] AWS EBS gp2 in its burst, gp3 without extra IOPS, or Azure Premium SSD v2 without extra IOPS
    [3500] a small Azure Premium SSD in its burst
    [3600] GCP Hyperdisk Balanced without extra IOPS
    [5000] an Azure P30 disk, or a DigitalOcean volume after its burst
    [7500] an Azure P50 disk, or a DigitalOcean volume
    [10000] a DigitalOcean volume in its burst, or Vultr NVMe
   *[16000] AWS EBS gp2 at its largest size
}

## compare/differences

compare-differences-host-and-path = { $host }:{ $path }
compare-differences-all-names = { $names }
compare-differences-names-and-more = { $names } and { $more } more
compare-differences-fact-tool = measured by
compare-differences-fact-kernel = kernel
compare-differences-fact-architecture = architecture
compare-differences-fact-processor = processor
compare-differences-fact-memory = memory
compare-differences-fact-virtualisation = virtualisation
compare-differences-fact-group-limits = I/O limits of control groups
compare-differences-fact-file-system = file system
compare-differences-fact-interface = kernel interface
compare-differences-fact-payload = data written
compare-differences-fact-hosts = hosts
compare-differences-fact-sharing = sharing among hosts
compare-differences-processors = { $cpus } x { $model }
compare-differences-unknown-processors = { $cpus } x unknown
compare-differences-about-memory = about { $memory }
compare-differences-count = { $count }
compare-differences-no-file-system = none
compare-differences-differs-within = { $fact } differs within { $side }: { $values }
compare-differences-differs-between = { $fact }: { $of-a } of { $a }, { $of-b } of { $b }
compare-differences-run-on-both-sides = run { $run } is on both sides: it cannot differ from itself
compare-differences-only-side-has = only { $side } has { $hosts }
compare-differences-hosts-differ = the hosts are not the same: { $differences }
compare-differences-spans-differ = span: { $of-a } of { $a }, { $of-b } of { $b }; a smaller span fits better into caches
compare-differences-times-differ = time of a cell: up to { $of-a } of { $a }, up to { $of-b } of { $b }; a short cell may lie wholly in a burst
compare-differences-ended-early = { $runs ->
    [1] { $side } ended early
   *[other] { $side } ended early in { $number } of { $runs } runs
}
compare-differences-degraded = { $runs ->
    [1] { $side } is degraded: { $reason }
   *[other] { $side } is degraded in { $number } of { $runs } runs: { $reason }
}
compare-differences-warned = { $runs ->
    [1] { $side }: { $finding }: { $summary }
   *[other] { $side }: { $finding } in { $number } of { $runs } runs: { $summary }
}

## compare/effect

compare-effect-same = the same within { $margin }: x { $low } to { $high }
compare-effect-faster = { $side } is { $factor } x faster, { $low } to { $high }
compare-effect-slower = { $side } is { $factor } x slower, { $low } to { $high }
compare-effect-longer = { $side }'s { $figure } is { $factor } x longer, { $low } to { $high }
compare-effect-shorter = { $side }'s { $figure } is { $factor } x shorter, { $low } to { $high }
compare-effect-differs-in-one-run = { $difference }, in one run each; the next run may differ
compare-effect-ratio-of-one-run = x { $ratio } in one run each; no interval, no verdict
compare-effect-undecided-by-one-run = cannot tell from one run each: x { $low } to { $high } within the runs, { $needed }
compare-effect-too-few-runs = cannot tell: { $runs }, { $needed }
compare-effect-undecided = cannot tell: x { $low } to { $high } in { $runs }, { $needed }
compare-effect-runs-needed = { $runs } needed
compare-effect-many-runs-needed = more than 1000 needed
compare-effect-runs-each = { $runs ->
    [1] one run each
    [one] { $runs } run each
   *[other] { $runs } runs each
}
compare-effect-runs-of-both = { $a } and { $b } runs

## compare/figures

compare-figures-nothing-completed = nothing completed
compare-figures-bound-never-kept = no load keeps the bound
compare-figures-search-unsure = the search for the limit was unsure
compare-figures-limit-label = { $workload }, most within { $bound }
compare-figures-open-limit-label = { $workload }, most within { $bound }, open loop

## compare/headline

compare-headline-sentences = { $first } { $second }
compare-headline-nothing-usable = Cannot tell: what both sides measured was left out ({ $reason }).
compare-headline-looks-capped = { $side } looks capped at { $iops } IOPS.
compare-headline-gives-times = { $more } gives { $factor } x what { $less } gives, in one run each.
compare-headline-gives-times-over-cells = { $more } gives { $least } to { $most } x what { $less } gives, over { $cells } cells, in one run each.
compare-headline-no-interval-between-runs = One run of each side does not show how much runs differ.
compare-headline-all-cells = All cells together: { $verdict } ({ $runs }).
compare-headline-all-cells-undecided = All cells together: { $verdict }.
compare-headline-depends-on-workload = It depends on the workload.
compare-headline-one-cell = { $cell }: { $verdict } ({ $runs }).
compare-headline-outcomes = { $comparisons ->
    [one] In { $comparisons } comparison, { $side } is { $outcomes } (Holm, 5 % for all { $family }).
   *[other] In { $comparisons } comparisons, { $side } is { $outcomes } (Holm, 5 % for all { $family }).
}
compare-headline-faster-in = faster in { $cells }
compare-headline-slower-in = slower in { $cells }
compare-headline-same-in = the same in { $cells }
compare-headline-different-alone-in = not significantly different after correction for multiple comparisons in { $cells }
compare-headline-undecided-in = undecided in { $cells }
compare-headline-family-needs-runs = { $runs ->
    [one] With { $comparisons } comparisons, a significant result needs { $runs } run of each side.
   *[other] With { $comparisons } comparisons, a significant result needs { $runs } runs of each side.
}

## compare/hosts

## compare/key

compare-key-other-order = another order of the blocks
compare-key-blocks-of = blocks of { $size }
compare-key-other-sizes = other sizes of operations
compare-key-at-depth = depth { $depth }
compare-key-other-pacing = another pacing
compare-key-other-rate-cap = another rate cap
compare-key-other-pauses = other pauses
compare-key-other-syncs = other syncs
compare-key-other-durability = another durability of writes
compare-key-other-trim = another kind of trim
compare-key-with-direct = O_DIRECT
compare-key-no-direct = no O_DIRECT
compare-key-other-job-beside = another job beside it
compare-key-read-after-pause = read { $size } after a pause
compare-key-commit = commit { $size }
compare-key-with-arrivals = { $workload }, { $rate } arrivals/s
compare-key-with-depth = { $workload }, depth { $depth }
compare-key-without-direct = { $cell }, no O_DIRECT
compare-key-beside = { $cell }, beside { $other }

## curve

curve-rate-alternates = the rate went to and fro, from { $least } to { $most } IOPS
curve-rate-changes = the rate changed from { $first } IOPS in one direction all the time
curve-higher-loads-disturbed = all measurements at higher loads were disturbed

## curve/cap

cap-probes-at-ceiling = { $near } of { $all } probes, from depth { $shallowest } to { $deepest }, end within { $within } of { $iops } IOPS
cap-calmer-than-chance = most half-second rates vary by at most { $variation }; by chance alone they would vary by { $chance }
cap-larger-as-often = operations of { $larger } complete as often as those of { $size }
cap-larger-as-many-bytes = operations of { $larger } move as many bytes per second as those of { $size }
cap-ends-at-same-rate = { $label } ends at the same rate
cap-sold-by-clouds = clouds sell disks of { $iops } IOPS
cap-served-in-slices = operations come in slices: nothing completes in { $share } of the time
cap-workers-starved = the workers had no processor time left
cap-unconfirmed = too few measurements to confirm it
cap-unconfirmed-disturbed = too few undisturbed measurements to confirm it

## curve/limit

limit-interval-too-wide = its interval of ±{ $half } is too wide for a figure
limit-its-reads = its reads
limit-its-writes = its writes
limit-latency-not-monotone = latency fell again and again as the load rose
limit-probes-used-up = the probes were used up before the answer was certain

## curve/names

workload-read = { $order ->
    [sequential] sequential read
   *[random] random read
}
workload-write = { $order ->
    [sequential] sequential write
   *[random] random write
}
workload-trim = { $order ->
    [sequential] sequential trim
   *[random] random trim
}
workload-trim-write = { $order ->
    [sequential] sequential trim and write
   *[random] random trim and write
}
workload-mix = { $order ->
    [sequential] sequential { $reads }/{ $writes } mix
   *[random] { $reads }/{ $writes } mix
}
workload-of-size = { $workload } { $block-size }
workload-beside = { $first } beside { $second }
workload-at-depth = { $workload }, depth { $depth }

## curve/wording

curve-random-read-rate = { $iops } random reads/s
curve-random-write-rate = { $iops } random writes/s
curve-rate-of = { $iops } IOPS of { $label }
curve-load-depth = depth { $depth }
curve-load-depths = depth { $depths }
curve-load-arrivals = { $rate } arrivals/s
curve-load-lowest = the lowest rate
curve-headline = { $rate } within { $bound } at { $load }
curve-headline-with-interval = { $rate } within { $bound } at { $load } (±{ $half })
curve-headline-unproven = { $rate } at { $load } (too few to judge { $bound })
curve-headline-of-cap = { $headline }, a provider's cap
curve-headline-of-group = { $headline }: the limit of a control group
curve-headline-of-client = At least { $headline }: this host is the limit
curve-level-changed = { $before } for the first { $until } or more, then { $after }
curve-ramp-down = Gradual decline: { $before } at first, falling all the time, { $after } at the end
curve-ramp-up = Gradual rise: { $before } at first, rising all the time, { $after } at the end
curve-unreachable = { $bound } is not reachable: idle { $statistic } is { $value } ({ $load })
curve-unreachable-unknown = { $bound } is not kept even at { $load }
curve-unreachable-headline = { CAP($label) }: { $unreachable }
curve-unreachable-because = { CAP($label) }: { $unreachable }; { $because }
curve-unsure = Uncertain: about { $rate } at { $load }
curve-unsure-because = Uncertain: about { $rate } at { $load }; { $because }
curve-limit-unreachable = { CAP($label) }: { $unreachable }. The disk gives { $iops } IOPS there.
curve-limit-unproven = { CAP($label) }: { $iops } IOPS at { $load }. Too few operations completed to say whether { $bound } is kept.
curve-bound-and-value = { $bound } ({ $statistic } is { $value })
curve-limit-figure = { $cause ->
    [arrivals-saturation] { CAP($label) }: at { $load } requests are answered within { $bound }, even when earlier ones are late. The device keeps up with no more.
    [arrivals] { CAP($label) }: at { $load } requests are answered within { $bound }, even when earlier ones are late.
    [unsure] { CAP($label) }: about { $iops } IOPS within { $bound } at { $load }. This is uncertain.
    [saturation] { CAP($label) }: { $iops } IOPS within { $bound } at { $load }. A deeper queue adds latency, not operations.
    [bound] { CAP($label) }: { $iops } IOPS within { $bound } at { $load }. A deeper queue gives more, but breaks the bound.
    [depth-tried] { CAP($label) }: { $iops } IOPS within { $bound } at { $load }, the deepest queue tried. A deeper one may give more.
    [provider-cap] { CAP($label) }: { $iops } IOPS within { $bound } from { $load } on. This is a configured cap, not the device's limit.
    [control-group] { CAP($label) }: { $iops } IOPS within { $bound } at { $load }. A control group of this host sets this limit, not the device.
    [client] { CAP($label) }: at least { $iops } IOPS within { $bound } at { $load }. The processor of this host is the limit, not the device.
   *[other] { CAP($label) }: { $iops } IOPS within { $bound } at { $load }.
}
curve-limit-evidence = Evidence for the limit of { $label }: { $because }.
curve-limit-doubt = The limit of { $label } is uncertain: { $because }.
curve-parts = Of these, { $parts }.
curve-part-figures = { $label }: { $figures }
curve-statistic-value = { $statistic } { $value }
curve-queues-apart = The two jobs do not wait for each other, like two programs: slow writes take no place in the queue of the reads. In a mix (randrw) both share one queue, and a slow write holds a place that a read could have.
curve-queue-shared = Reads and writes share one queue: a slow one holds a place that the other could have. Two jobs (--rw randread+randwrite) each keep their own depth.
curve-thrashing = { CAP($label) }: thrashing. Depth { $best } gives { $most } IOPS, depth { $then } only { $iops }. Keep the queue at depth { $best }.
curve-knee = { CAP($label) }: the knee is near depth { $depth } (highest rate { $most } IOPS x idle latency { $idle }). A deeper queue mostly adds waiting.
curve-bend = { CAP($label) }: the measured curve bends most at depth { $depth }.
curve-unsteady = { CAP($label) }: latency did not rise steadily with the load. The device is unstable, and the search unreliable: repeat it when nothing else uses the device.

## evidence/group_limit

group-limit-of = { $device } in { $cgroup }: at most { $most }
group-limit-unknown = { $device } in { $cgroup }: limited, without a figure
group-limit-allows = control group { $cgroup } allows { $device } at most { $most }
group-limit-limits = control group { $cgroup } limits { $device }, without a figure
group-limit-reads = { $rate } reads/s
group-limit-writes = { $rate } writes/s
group-limit-bytes-read = { $rate } read
group-limit-bytes-written = { $rate } written
group-limit-reached = { $share } of the limit: { $used }

## fleet/findings

fleet-no-findings = no findings of a host are here: its record is missing
fleet-unknown-ok = no findings of { $hosts } (own record missing); the other hosts: ok
fleet-unknown-blind = no findings of { $hosts } (own record missing); the other hosts could not look
fleet-one-host = { $host }: { $finding }
fleet-one-of-hosts = { $host }, of { $hosts } hosts: { $finding }
fleet-all-hosts = all { $hosts } hosts, such as { $host }: { $finding }
fleet-some-hosts = { $count } of { $hosts } hosts ({ $names }), such as { $host }: { $finding }
fleet-host-fact = { $host }: { $fact }
fleet-hosts = hosts
fleet-served-only-run = its device served the requests of this run's hosts, and nobody else's

## fleet/wording

fleet-names = { $names }
fleet-names-and-more = { $names } and { $more } more
fleet-missed =
    { $cells ->
        [one] { $host } is missing in { $missed } of 1 cell
       *[other] { $host } is missing in { $missed } of { $cells } cells
    }
fleet-ended-early = { $host } ended early: { $reason }
fleet-others = Watched for { $bound }: { $requests } of their requests; hosts: { $hosts }.
fleet-others-unseen = Watched for { $bound }: { $requests } of their requests; hosts: { $hosts }. None were seen on { $unseen }: the bound was not put to the test there.
fleet-late = The coordinator was late: it read what hosts had sent up to { $late } later than it should. None counts as lost for that; cells may have begun later than planned.
fleet-relays-lost = Relays lost: { $lost } of { $relays } ({ $names }). The coordinator listened to their hosts itself; no figure passes through a relay.
fleet-no-record = no record of their own has come from { $hosts }: fleet collect { $run }
fleet-lost = { $host } was lost: { $reason }
fleet-lost-at = { $host } was lost { $at } into the run: { $reason }
fleet-lost-in = { $host } was lost in { $cell }: { $reason }
fleet-lost-at-in = { $host } was lost { $at } into the run, in { $cell }: { $reason }
fleet-in-no-total = it is in none of the totals
fleet-totals-without =
    { $missed ->
        [one] 1 of { $totals } totals is without it
       *[other] { $missed } of { $totals } totals are without it
    }
fleet-lost-host = { $clauses }
fleet-headline-sum =
    { $hosts ->
        [one] { $headline }; 1 host with its own target
       *[other] { $headline }; { $hosts } hosts, each with its own target, added up
    }
fleet-headline-at-once =
    { $hosts ->
        [one] { $headline }; 1 host
       *[other] { $headline }; { $hosts } hosts at once
    }
fleet-headline-degraded = { $headline }. Degraded: { $why }
fleet-degraded = degraded: { $why }
fleet-not-seen = { $checks }: { $why }
fleet-shares = The { $hosts } hosts of { $cell } make { $iops } IOPS together: { $least } ({ $slowest }) to { $most } ({ $fastest }) each.
fleet-slowest = The slowest host is { $host }: an operation of { $cell } takes { $mean } there, { $ratio } times the { $median } of the median host.
fleet-even = No host is much slower than the others: an operation of { $cell } takes { $mean } on the slowest ({ $host }), { $median } on the median host.
fleet-starts = The hosts began within { $skew } of each other (the worst case, { $cell }), by clocks known to ±{ $error }.
fleet-window = In { $cell } not all hosts ran all the time: the first ended after { $first }, the last after { $last }. The rates are those of the { $together } in which all ran, { $share } of the time.
fleet-no-window = in { $cell } all hosts hardly ever ran at the same time: its rates are over all { $last }, and lower than what the hosts do together
fleet-headline-slow = { $headline }. { CAP($slow) }
fleet-sentence = { CAP($clause) }.

## fleet/waves

wave-ended = wave { $wave } of { $waves }: { $reason }
waves-not-begun =
    { $waves ->
        [one] { $waves } wave with { $hosts ->
            [one] { $hosts } host
           *[other] { $hosts } hosts
        } did not begin
       *[other] { $waves } waves with { $hosts } hosts did not begin
    }
wave-finding = wave { $wave } of { $waves }: { $finding }
waves-finding = { $count } of { $waves } waves, such as wave { $wave }: { $finding }
waves-headline =
    { $waves ->
        [one] { $hosts } hosts in { $waves } wave of at most { $most }: no total, because not all hosts measured at the same time
       *[other] { $hosts } hosts in { $waves } waves of at most { $most }: no total, because not all hosts measured at the same time
    }
waves-each = { $hosts } hosts, each by itself ({ $load }, depth { $depth }): { $least } ({ $slowest }) to { $most } ({ $fastest }) IOPS, median { $median }.
waves-starts = The hosts of wave { $wave } began within { $skew } of each other (the worst case, { $cell }): { $min } to { $max }, by the errors of their clocks.

## fleet/outliers

outliers-none = no host is slow among those alike: { $hosts } were compared
outliers-found = { $slow ->
    [one] 1 of { $hosts } hosts is slow
   *[other] { $slow } of { $hosts } hosts are slow
}
outliers-with-trait = { $slow } of { $hosts } hosts are slow: { $count } of them have { $what }
outliers-trait = { $kind ->
    [model] model { $value }
    [firmware] firmware { $value }
    [kernel] kernel { $value }
   *[label] label { $value }
}
outliers-evidence = { $what }: { $slow } of { $hosts } hosts with it are slow, { $others } of { $without } without it ({ $p })
outliers-host = { $host }: { $figure }
outliers-figure = { $load }: { $value }, { $times } times as slow as the median { $median }
outliers-not-compared = not compared, because fewer than four hosts are alike or they have no figures: { $hosts }
outliers-sample = a random sample of { $hosts } of { $all } hosts: if { $found } or more of all hosts were slow, it would hold one with 95 % certainty; to find { $share } takes { $needed } hosts
outliers-peers = { $hosts } hosts with { $model }, spread { $spread }
outliers-peers-unknown = { $hosts } hosts, spread { $spread }
outliers-p99 = p99 { $value }

## interference

interference-latency = { CAP($label) }: { $statistic } is { $alone } alone, { $beside } ({ $times } times) beside { $writes } writes/s
interference-writes-alone = Alone, the target completes { $writes } random writes a second (depth 32); shares are shares of this rate.
interference-reads = { CAP($label) }: { $alone } reads a second alone, { $beside } beside { $writes } writes a second.
interference-writes-behind = From { $share } of the maximum write rate on, the target completes fewer writes than arrive: { $writes } a second. The target or this host is fully loaded there, and reads wait with the writes.
interference-reads-drifted = Reads alone took { $before } on average before the writes and { $after } after them. The target was not the same throughout, so the comparison is rough.

## ladder

ladder-rung = { $kind ->
    [sold] { $example } ({ $iops } IOPS, sold)
    [computed] { $example } ({ $iops } IOPS, computed)
   *[measured] { $example } ({ $iops } IOPS, measured)
}
ladder-between = Among typical devices, { $iops } random reads/s are between { $above } and { $below }.
ladder-below = Among typical devices, { $iops } random reads/s are below { $below }.
ladder-above = Among typical devices, { $iops } random reads/s are above { $above }.

## pauses

## preset

preset-at-least = at least { $limit }
preset-below = below { $limit }
preset-not-measured = it was not measured
preset-too-few-operations = too few operations for this percentile
preset-interval-meets = the whole interval meets the threshold
preset-interval-misses = the whole interval misses the threshold
preset-interval-meets-in-part = only a part of the interval meets the threshold
preset-clearly-meets = the figure clearly meets the threshold
preset-clearly-misses = the figure clearly misses the threshold
preset-near-threshold = the figure is near the threshold and has no interval
preset-pass = { $missed-advice ->
    [0] { $preset }: PASS, { $met } of { $all } thresholds are met
    [one] { $preset }: PASS, { $met } of { $all } thresholds are met; { $missed-advice } recommendation is not
   *[other] { $preset }: PASS, { $met } of { $all } thresholds are met; { $missed-advice } recommendations are not
}
preset-undecided = { $missed-advice ->
    [0] { $preset }: cannot tell for { $open } of { $all } thresholds; met: { $met }
    [one] { $preset }: cannot tell for { $open } of { $all } thresholds; met: { $met }; { $missed-advice } recommendation is not
   *[other] { $preset }: cannot tell for { $open } of { $all } thresholds; met: { $met }; { $missed-advice } recommendations are not
}
preset-fail = { $missed-advice ->
    [0] { $preset }: FAIL, { $missed } of { $all } thresholds are not met
    [one] { $preset }: FAIL, { $missed } of { $all } thresholds are not met, nor is { $missed-advice } recommendation
   *[other] { $preset }: FAIL, { $missed } of { $all } thresholds are not met, nor are { $missed-advice } recommendations
}
preset-main-figures = { $preset }: { $figures }
preset-no-figure = { $preset }: no step gave a figure
preset-files-created = { $rate } files created per second
preset-surface-rate = { $mean } read on average over the surface
preset-best-reads = { $value } read ({ $step })
preset-best-writes = { $value } written ({ $step })
presets-title = Presets
head-at-most = at most
head-test-file = file
preset-only-reads = { $title } (only reads)
preset-group-servers = Servers and volumes
preset-group-applications = Applications
preset-group-cards = Memory cards
preset-group-crystaldiskmark = CrystalDiskMark
preset-group-tools = Other tools
preset-group-small-files = Small files
preset-group-own = Yours
preset-broken = BROKEN: { $error }
presets-note = Times are those of measuring; laying out the file takes longer. truedisk preset NAME PATH runs one, --show NAME prints it; ./FILE.toml is one of your own.
preset-title-a1 = memory card: does it do what the class A1 promises?
preset-title-a2 = memory card: does it do what the class A2 promises?
preset-title-backup = backup and restore: long sequential reads and writes
preset-title-cloud = cloud volume: mixed, read, write at depth 64, then latency
preset-title-crystaldiskmark = what CrystalDiskMark shows: 1 MiB in sequence, 4 KiB at random
preset-title-crystaldiskmark-mix = CrystalDiskMark with a mix of 70 % reads
preset-title-crystaldiskmark-nvme = CrystalDiskMark for NVMe: deep queues, 16 threads
preset-title-crystaldiskmark-nvme-peak = CrystalDiskMark's peak with the settings for NVMe: 16 threads
preset-title-crystaldiskmark-flash = CrystalDiskMark for memory cards and sticks: short passes, long pauses
preset-title-crystaldiskmark-peak = CrystalDiskMark's peak: the two deepest tests
preset-title-crystaldiskmark-real = CrystalDiskMark's real world: one request at a time
preset-title-crystaldiskmark-demo = CrystalDiskMark's demo: one test
preset-title-crystaldiskmark-9 = what CrystalDiskMark 9 shows: the same in three passes
preset-title-crystaldiskmark-7 = the tests of CrystalDiskMark 7
preset-title-crystaldiskmark-6 = the tests of CrystalDiskMark 6
preset-title-crystaldiskmark-5 = the tests of CrystalDiskMark 5
preset-title-dd = the six tests that people run with dd
preset-title-etcd = etcd: fast enough for its log and its database?
preset-title-file-server = file server: 80 % reads of 4 to 64 KiB at random
preset-title-gnome-disks = what the benchmark of GNOME Disks shows: transfers of 10 MiB, and access time
preset-title-hdparm = what hdparm -T, -t and --direct show: memory, the page cache's reading ahead, and the disk
preset-title-hdtune = what HD Tune shows: the curve over the surface, and random access by size
preset-title-kafka = Kafka: logs appended while consumers catch up
preset-title-metadata = small files: create, stat, open, list, rename, delete
preset-title-mysql = MySQL: InnoDB's log, its pages of 16 KiB, and flushing them
preset-title-oltp = OLTP: pages of 8 KiB, 70/30, beside a log
preset-title-postgresql = PostgreSQL: commits, and pages of 8 KiB at random
preset-title-prometheus = Prometheus, or any LSM tree: compaction beside queries
preset-title-redis-aof = Redis: the append-only file, synced every second and at every write
preset-title-snia = steady state: IOPS, throughput, latency, write saturation
preset-title-sqlite = SQLite: transactions a second
preset-title-vdi = virtual desktops: mostly small random writes
preset-title-vm-boot = boot of a virtual machine: random reads of many sizes
preset-title-vps = a new server: bandwidth, random operations, latency
preset-title-web-server = web server: small files read at random, a log appended
preset-title-winsat = what winsat disk shows: random and sequential rates, and reads that wait for writes
preset-title-yabs = the disk part of yabs: mixed random reads and writes at four sizes
preset-without-writes = nothing may be written: left out are { $steps }
preset-shorter-times = all times are { $share } of the preset's, to end within { $budget }
preset-other-size = the test file has { $size } instead of { $wanted }
preset-no-whole-sector = '{ $step }' is left out: { $size } is not a multiple of the sector size, { $sector }
preset-no-fresh-file = '{ $step }' overwrites blocks that were written before: there is no free space for new blocks
preset-step-again = '{ $step }' was measured again: at first nothing completed within its time
preset-no-direct-io = this target does not support direct I/O: reads and writes go through the page cache
preset-too-small-for-surface = { $places ->
    [one] the target is too small for { $places } place of a surface
   *[other] the target is too small for { $places } places of a surface
}
preset-step-a1-sequential = sequential write 512k
preset-step-a1-read = random read 4k, depth 1
preset-step-a1-write = random write 4k, depth 1
preset-step-a2-sequential = sequential write 512k
preset-step-a2-read = random read 4k, depth 32
preset-step-a2-write = random write 4k, depth 32
preset-step-backup-read-large = large files: sequential read 1m, depth 4
preset-step-backup-read-small = small files: random read 64k, depth 4
preset-step-backup-restore = write 1m, synced each 256 MiB
preset-step-backup-verify = read beside a write
preset-step-cloud-randrw = random 75/25 mix 4k, depth 64
preset-step-cloud-randread = random read 4k, depth 64
preset-step-cloud-randwrite = random write 4k, depth 64
preset-step-cloud-latency = random read 4k, every 100 ms
preset-note-cloud-latency = as ioping: what one request takes when the volume has nothing else to do
preset-note-dd-write-8k-direct = measures the latency of a write of 8 KiB, one at a time, up to the disk's cache; not what the disk can do with more outstanding, and not whether it is safe
preset-note-dd-read-8k-direct = latency of consecutive 8 KiB reads, which disks and hosts read ahead; not random reads
preset-note-dd-write-1m-direct = measures writes of 1 MiB, one at a time, up to the disk's cache; not whether they are safe, nor what comes when that cache is full
preset-note-dd-read-1m-direct = measures reads of 1 MiB, one at a time; a fast disk is idle between two of them
preset-note-dd-write-1m-fdatasync = measures writing to memory and then all of it to the disk, flushed: what a copy of this size takes until it is safe; not how long one large write among others takes
preset-note-dd-read-1m-buffered = measures copies out of memory where the file was just written or read, and the page cache's reading ahead where it was not; here the file is out of memory first
preset-step-etcd-wal = log: write 2300 B + fdatasync
preset-note-etcd-wal = in a new file with its blocks reserved, as etcd preallocates its log
preset-step-etcd-backend = database: 32 pages + fdatasync
preset-note-etcd-backend = half of a commit: bbolt writes the pages that changed, syncs, writes the meta page, and syncs again, every 100 ms or 10,000 changes
preset-step-etcd-heavy = log of 8000 B + fdatasync
preset-note-etcd-heavy = sequential IOPS as OpenShift's guide counts them: 50 are needed, 500 where the load is heavy
preset-step-file-server-light = light: depth 8
preset-step-file-server-moderate = moderate: depth 64
preset-note-hdparm-cached = the same 2 MiB again and again: copies within memory; says nothing of the disk
preset-note-hdparm-buffered = through an emptied page cache, which reads ahead: what a program gets that reads a file from its start
preset-note-hdparm-direct-cached = the same 2 MiB past the page cache: the disk's own cache, or the host's
preset-note-hdparm-direct = 2 MiB at a time, one at a time: less than the disk can do with more outstanding
preset-note-hdtune-access = over the whole of it, as every random read below
preset-note-hdtune-burst = the same 64 KiB again and again: the disk's cache and the way to it
preset-note-hdtune-random-mixed = any multiple of 4 KB up to 1 MB, each as often
preset-step-kafka-produce = write 1m, every eighth elsewhere
preset-step-kafka-catch-up = a log written, an old one read
preset-step-kafka-append = append 64k, synced each 16 MiB
preset-note-kafka-append = through the page cache, with the disk made to keep up: the rate that a broker can hold
preset-step-metadata-small-files = small files
preset-step-mysql-redo = commit: write 4k of log + fsync
preset-step-mysql-page = random read 16k, depth 1
preset-step-mysql-pages = random read 16k, depth 32
preset-step-mysql-flush = random write 16k, depth 8
preset-note-mysql-flush = the page cleaner; the doublewrite buffer writes each page a second time, in sequence
preset-step-oltp-load = pages 70/30, depth 16, beside the log
preset-step-oltp-scan = scan: sequential read 512k, depth 4
preset-step-postgresql-wal = commit: write 8k + fdatasync
preset-note-postgresql-wal = one client that commits as often as it can; several share a flush, so this is the floor
preset-step-postgresql-page = index lookup: random read 8k, depth 1
preset-note-postgresql-page = a query that waits for each page
preset-step-postgresql-pages = many clients: random read 8k, depth 32
preset-step-postgresql-busy = pages 70/30 at depth 16 beside commits
preset-note-postgresql-busy = what a commit costs while pages are read and written back
preset-step-prometheus-queries = random read 4k, depth 4
preset-step-prometheus-compaction = the same beside a compaction
preset-note-prometheus-compaction = what a merge does to the queries: compare with the line above
preset-step-prometheus-wal = log: write 32k through the page cache
preset-note-prometheus-wal = samples of each scrape; synced when a segment of 128 MiB is full
preset-step-redis-aof-everysec = 4k at 1,000/s, fdatasync each second
preset-step-redis-aof-always = 512 B + fdatasync
preset-note-redis-aof-always = Redis waits for each: this is the most commands a second of one client
preset-step-snia-precondition = twice the capacity, write 128k
preset-step-snia-saturation = saturation: random write 4k, depth 32
preset-note-snia-saturation = rounds of 20 s; their rates over time stand in the record
preset-step-snia-iops-100-0-128k = IOPS: random 100/0 128k, depth 32
preset-step-snia-iops-100-0-64k = IOPS: random 100/0 64k, depth 32
preset-step-snia-iops-100-0-8k = IOPS: random 100/0 8k, depth 32
preset-step-snia-iops-100-0-4k = IOPS: random 100/0 4k, depth 32
preset-step-snia-iops-65-35-128k = IOPS: random 65/35 128k, depth 32
preset-step-snia-iops-65-35-64k = IOPS: random 65/35 64k, depth 32
preset-step-snia-iops-65-35-8k = IOPS: random 65/35 8k, depth 32
preset-step-snia-iops-65-35-4k = IOPS: random 65/35 4k, depth 32
preset-step-snia-iops-0-100-128k = IOPS: random 0/100 128k, depth 32
preset-step-snia-iops-0-100-64k = IOPS: random 0/100 64k, depth 32
preset-step-snia-iops-0-100-8k = IOPS: random 0/100 8k, depth 32
preset-step-snia-iops-0-100-4k = IOPS: random 0/100 4k, depth 32
preset-step-snia-throughput-read-128k = throughput: sequential read 128k
preset-step-snia-throughput-write-128k = throughput: sequential write 128k
preset-step-snia-throughput-read-1m = throughput: sequential read 1m
preset-step-snia-throughput-write-1m = throughput: sequential write 1m
preset-step-snia-latency-100-0-8k = latency: random 100/0 8k, depth 1
preset-step-snia-latency-65-35-8k = latency: random 65/35 8k, depth 1
preset-step-snia-latency-0-100-8k = latency: random 0/100 8k, depth 1
preset-step-snia-latency-100-0-4k = latency: random 100/0 4k, depth 1
preset-step-snia-latency-65-35-4k = latency: random 65/35 4k, depth 1
preset-step-snia-latency-0-100-4k = latency: random 0/100 4k, depth 1
preset-step-sqlite-rollback = a page + fsync: a quarter of a commit
preset-note-sqlite-rollback = flushes of the journal's pages, its directory, its header, and the database: in DELETE mode four for a transaction
preset-step-sqlite-wal = append a page + fsync
preset-step-sqlite-read = random read 4k, depth 1
preset-note-sqlite-read = a page that is in no cache: what the first queries after a start wait for
preset-step-vdi-most = random 10/90 mix 4k, depth 32
preset-step-vdi-work = 250 operations a second as they arrive
preset-note-vdi-work = 25 desktops of 10 IOPS, in an open loop: what waits is counted as waiting
preset-step-vm-boot-one = one guest, depth 4
preset-step-vm-boot-ten = ten guests at once, depth 40
preset-note-vm-boot-ten = a boot storm
preset-step-vps-bandwidth-read = sequential read 1m, depth 16
preset-step-vps-bandwidth-write = sequential write 1m, depth 16
preset-step-vps-random-read = random read 4k, depth 64
preset-step-vps-random-write = random write 4k, depth 64
preset-step-vps-latency-read = random read 4k, depth 1
preset-note-vps-latency-read = what a program gets that waits for each request
preset-step-vps-latency-write = random write 4k, depth 1
preset-step-vps-commit = write 4k + fdatasync
preset-note-vps-commit = what a database gets that makes each change durable
preset-step-web-server-serve = ten reads of files to a write, depth 100
preset-note-winsat-flush-seq = random reads of 16 KiB, one at a time, during sequential writes of 64 KiB, with a flush after every 16 writes
preset-note-winsat-flush-ran = the same while 16 KiB are written at random places
preset-step-yabs-mixed-4k = random mix 4k
preset-step-yabs-mixed-64k = random mix 64k
preset-step-yabs-mixed-512k = random mix 512k
preset-step-yabs-mixed-1m = random mix 1m
preset-plan-note-a1-1 = the required figures are those of the SD Association; the 256 MiB and the depth of 1 are our reading of its specification, which only members can see
preset-plan-note-a2-1 = the required figures are those of the SD Association; the 256 MiB and the depth of 32 are our reading of its specification, which only members can see
preset-plan-note-a2-2 = a card of this class reaches these figures only in a reader that uses the card's command queue and its cache
preset-plan-note-cloud-1 = the original recipe ends each fio run after one pass over the file; here each run lasts a fixed time, so that slow and fast volumes are measured alike
preset-plan-note-crystaldiskmark-1 = CrystalDiskMark shows the fastest pass and the shortest mean latency of any pass, which may be a different pass; here both are the score, next to the median of the passes and its interval
preset-plan-note-crystaldiskmark-2 = MB/s are bytes per second divided by 1,000,000, as in CrystalDiskMark; KDiskMark 3.3 divides KiB/s by 1000 and shows 2.4 % less
preset-plan-note-crystaldiskmark-3 = CrystalDiskMark fills its file with one random MiB again and again; here every sector differs, so that no layer below can compress or deduplicate the data
preset-plan-note-crystaldiskmark-flash-1 = the times of the setting Flash Memory, 1 s of measuring and 30 s between two tests, are our reading of version 9; the sources of version 8 that we have contain neither this setting nor so short a time
preset-plan-note-crystaldiskmark-flash-2 = the pass before each test, which does not count, is as long as the others, as in the newest source that we have; early releases of version 8 always took 5 s for it
preset-plan-note-crystaldiskmark-9-1 = three passes, where versions 5 to 8 made five, are our reading of the source of version 9
preset-plan-note-dd-1 = dd without conv=notrunc empties its file first, and so also measures how the file system allocates new blocks
preset-plan-note-dd-2 = dd writes zeros, and so does this preset: a disk or host that compresses or deduplicates data looks faster than it is
preset-plan-note-etcd-1 = etcd judges the 99th percentile of wal_fsync_duration_seconds, which is the time of fdatasync alone
preset-plan-note-etcd-2 = OpenShift accepts up to 20 ms; this preset uses etcd's own limit
preset-plan-note-etcd-3 = etcd's limit for a commit of the backend is 25 ms. A commit has two fdatasyncs, one after its pages and one after the meta page, and each is held to half of the limit. A commit of a fast and a slow fdatasync may therefore keep etcd's limit where this preset says no; and where this preset says yes, 2 of 100 commits instead of 1 may exceed it
preset-plan-note-etcd-4 = OpenShift recommends 500 sequential IOPS for clusters under heavy load; a disk between 50 and 500 passes and is enough for other clusters
preset-plan-note-file-server-1 = a fifth of the original pattern's operations are smaller than 4 KiB; here they are 4 KiB, because disks with 4 KiB sectors cannot do smaller ones
preset-plan-note-gnome-disks-1 = GNOME Disks reads one page at the place before each transfer and does not time it, so that its rates exclude the seek. Here all rates include it: a rotating disk of 200 MB/s that seeks in 12 ms shows a fifth less than in GNOME Disks; on other disks the difference is small
preset-plan-note-gnome-disks-2 = GNOME Disks reads at 100 evenly spaced places of the whole disk; here 100 different blocks are chosen at random from the given file or device
preset-plan-note-gnome-disks-3 = GNOME Disks writes back what it read before; here random bytes are written, and only where that destroys no data
preset-plan-note-gnome-disks-4 = the rate of writes is the mean of the rates of single writes, each with its fsync; the record does not keep which fsync followed which write, so the mean is over all combinations of a write and an fsync
preset-plan-note-gnome-disks-5 = one transfer at a time shows much less than a fast disk can do
preset-plan-note-hdparm-1 = hdparm's MB are MiB; only the start of the disk is read, which is the fastest part of a rotating disk
preset-plan-note-hdtune-1 = HD Tune reads a disk from its start to its end; here 101 places are read in random order, so that a drift over time does not look like a property of a place; random reads within each place show what short seeks take there
preset-plan-note-hdtune-2 = HD Tune's source is closed; blocks of 64 KB, one at a time, are its default as far as we know; a fast disk can do more with larger blocks or with more outstanding
preset-plan-note-hdtune-3 = HD Tune's last row uses sizes from 512 bytes; here they start at 4 KB, because disks with 4 KB sectors cannot do smaller ones
preset-plan-note-hdtune-4 = with a test file, only the file's part of the disk is seen; to see the whole disk, give the device: it is only read
preset-plan-note-hdtune-5 = HD Tune's MB are taken as 1,000,000 bytes
preset-plan-note-kafka-1 = Kafka leaves flushing to the system, so that the disk sees large sequential writes; direct writes of 1 MiB show them without the page cache
preset-plan-note-metadata-1 = a create is open, write and close; an open is open, read and close; with fsync, a create syncs its file, and a rename or a delete syncs its folder
preset-plan-note-metadata-2 = files are used in the order in which they were created, each thread with its own files; cold files are queried (stat) and opened in random order
preset-plan-note-mysql-1 = innodb_io_capacity is the number of IOPS that InnoDB assumes for flushing: 200 up to version 8.0, 10000 since 8.4; set it to the IOPS of the step 'flush' (random write 16k)
preset-plan-note-redis-aof-1 = with everysec, Redis continues while an fdatasync runs, and delays its writes when an fdatasync takes longer than two seconds
preset-plan-note-snia-1 = in the style of PTS, not the full specification: that wants a whole device, erased before, rounds of one minute per cell, and more sizes; here the target is a file, or the given part of a device
preset-plan-note-snia-2 = a round is one pass over every cell of a part; a part ends when five consecutive rounds have a range of at most 20 % of their mean and a drift of at most 10 %, or after 25 rounds; the last five are reported
preset-plan-note-snia-3 = saturation starts after the target was written twice sequentially, not on a device just erased: it shows the way to the steady state, not the first hours of a new disk; the sequential writing ends after 10 minutes even if it is not complete
preset-plan-note-snia-4 = give as large a --size as the disk allows: the steady state of a small part holds for that part only
preset-plan-note-sqlite-1 = with the rollback journal, one transaction has four syncs: transactions per second are a quarter of the syncs per second, and the threshold of 120 syncs stands for 30 transactions
preset-plan-note-sqlite-2 = journal_mode=TRUNCATE and PERSIST sync the emptied journal instead of its directory: also four syncs; synchronous=EXTRA syncs the directory once more after the journal is deleted: five syncs
preset-plan-note-sqlite-3 = here every sync follows one write of 4 KiB; what the file system changes when the journal is created and deleted comes on top
preset-plan-note-vdi-1 = divide the IOPS by 10 for the number of average users, by 20 for that of heavy users
preset-plan-note-web-server-1 = a real server reads popular files from memory; these are the reads that go to the disk
preset-plan-note-web-server-2 = filebench appends to one log; here writes go to random places, like the reads. One job does both, so that there is one write to ten reads on a disk of any speed
preset-plan-note-winsat-1 = winsat's source is closed, and the depth of its rate tests is not published. It is more than 1: for an NVMe disk winsat reports 132,000 random and 106,000 sequential reads per second, and 0.040 ms for a single read. This preset uses a depth of 8, which fits such figures of NVMe disks, SATA disks and rotating disks. Rates are comparable only to this extent
preset-plan-note-winsat-2 = what the -flush tests do is inferred from winsat's texts and figures: reads are timed one at a time while another job writes and flushes
preset-plan-note-winsat-3 = no score of the Windows Experience Index is given: its formula was never published
preset-plan-note-winsat-4 = how long reads wait for writes is the figure that other tools of this kind leave out
preset-plan-note-yabs-1 = on ARM (32 and 64 bits) yabs uses 512 MiB instead of 2 GiB: --size 512m does the same here
preset-plan-note-yabs-2 = yabs measures no latency (gtod_reduce), no reads alone and nothing sequential; a fast disk finishes within a second or two, while its burst still lasts
preset-plan-note-yabs-3 = KB, MB and GB are powers of 1000; before July 2026 yabs labelled KiB as KB and showed 2.4 % less
preset-imitates-a1 = the Application Performance Class 1 of the SD Association: random operations of 4 KiB, 1500 reads and 500 writes a second, and 10 MB/s in sequence
preset-imitates-a2 = the Application Performance Class 2 of the SD Association: random operations of 4 KiB, 4000 reads and 2000 writes a second, and 10 MB/s in sequence
preset-imitates-backup = a backup that reads large and small files, and a restore that writes and syncs; block sizes and depths are our choice
preset-imitates-cloud = the recipe that users of cloud volumes pass around: fio on a 4 GiB file, 4 KiB blocks, libaio, depth 64, randrw 75/25, randread, randwrite; then ioping
preset-imitates-crystaldiskmark = CrystalDiskMark 8 and 9, profile Default, with the five passes of 8 (for the three of 9: crystaldiskmark-9)
preset-imitates-crystaldiskmark-mix = CrystalDiskMark 8 and 9, profile Default [+Mix]
preset-imitates-crystaldiskmark-nvme = CrystalDiskMark 8 and 9, profile Default with the settings NVMe SSD
preset-imitates-crystaldiskmark-nvme-mix = CrystalDiskMark 8 and 9, profile Default [+Mix] with the settings NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak = CrystalDiskMark 8 and 9, profile Peak Performance with the settings NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak-mix = CrystalDiskMark 8 and 9, profile Peak Performance [+Mix] with the settings NVMe SSD
preset-imitates-crystaldiskmark-flash = CrystalDiskMark 9, profile Default with the settings Flash Memory: 1 s of measuring, 30 s between two tests; with the five passes of 8
preset-imitates-crystaldiskmark-flash-mix = CrystalDiskMark 9, profile Default [+Mix] with the settings Flash Memory: 1 s of measuring, 30 s between two tests; with the five passes of 8
preset-imitates-crystaldiskmark-peak = CrystalDiskMark 8 and 9, profile Peak Performance
preset-imitates-crystaldiskmark-peak-mix = CrystalDiskMark 8 and 9, profile Peak Performance [+Mix]
preset-imitates-crystaldiskmark-real = CrystalDiskMark 8 and 9, profile Real World Performance
preset-imitates-crystaldiskmark-real-mix = CrystalDiskMark 8 and 9, profile Real World Performance [+Mix]
preset-imitates-crystaldiskmark-demo = CrystalDiskMark 8 and 9, profile Demo
preset-imitates-crystaldiskmark-9 = CrystalDiskMark 9, profile Default: the tests of 8 in three passes
preset-imitates-crystaldiskmark-7 = CrystalDiskMark 7, profile Default
preset-imitates-crystaldiskmark-6 = CrystalDiskMark 6
preset-imitates-crystaldiskmark-5 = CrystalDiskMark 5
preset-imitates-dd = dd of coreutils: one block at a time, zeros written, on a file that exists (conv=notrunc)
preset-imitates-etcd = the fio command of the etcd guides (2300-byte writes through the page cache, each followed by fdatasync, in a new file of 22 MiB); the writes and fdatasyncs of a commit of the backend; and the 8000-byte writes of OpenShift's guide
preset-imitates-file-server = Iometer's file server access pattern as in fio's example, with a light load (depth 8) and a moderate load (depth 64)
preset-imitates-gnome-disks = GNOME Disks (gnome-disk-utility): 100 transfers of 10 MiB, one at a time, past the page cache, each write with O_SYNC and followed by fsync; 1000 reads of 4 KiB at random
preset-imitates-hdparm = hdparm 9.65, -T and -t, each with and without --direct: reads of 2 MiB, one at a time, for 2 s and 3 s, each after a sync and 3 s of rest (-T: 4 s)
preset-imitates-hdtune = HD Tune Pro 5: transfer rate over the whole of the disk, 64 KB at a time and one at a time; access time, burst rate, and random access of 512 bytes to 1 MB, all over the whole of it
preset-imitates-kafka = a broker whose page cache is written back by the kernel in large pieces, and whose late consumers read from the disk
preset-imitates-metadata = what mdtest and bonnie++ are used for: operations a second on many small files, in one folder and in a tree, by one thread and by several; without their processes over MPI and without their output format
preset-imitates-mysql = InnoDB with innodb_flush_log_at_trx_commit=1 and innodb_flush_method=O_DIRECT
preset-imitates-oltp = a database server in the terms of its administrators: latencies of data files and of the log, at a load that many clients make
preset-imitates-postgresql = pg_test_fsync for the log (8 KiB + fdatasync, the usual wal_sync_method of Linux), and a database whose pages are not in memory
preset-imitates-prometheus = queries that read chunks at random, alone and while blocks are merged: read and written in sequence, in large pieces
preset-imitates-redis-aof = Redis with appendfsync everysec and 4 MB/s of commands, and with appendfsync always
preset-imitates-snia = the SNIA performance test specification (PTS), in its style: the procedure as public implementations run it, with fewer sizes and shorter rounds
preset-imitates-sqlite = a transaction with a rollback journal in DELETE mode (journal, directory, the journal's header, database: four fsyncs), and one in WAL mode (an append and one), both with synchronous=FULL
preset-imitates-vdi = office desktops in use: one read to nine writes of 4 KiB, 8 to 10 IOPS for each average user; the limit here is for 25 such users
preset-imitates-vm-boot = the requests of a virtual machine to its disk while it starts: nine reads to one write, 4 to 128 KiB, a few at a time; one machine alone, and ten at once; sizes and shares are our choice
preset-imitates-vps = the three questions that buyers of virtual servers ask, which benchmark scripts answer with dd, fio and ioping
preset-imitates-web-server = filebench's webserver personality: 100 threads; ten reads of whole small files to one append to the log, each of 16 KiB on average
preset-imitates-winsat = winsat disk: -ran -read, -seq -read, -seq -write, -flush -seq, -flush -ran, of 16 KiB at random and 64 KiB in sequence, past the page cache; the rates with 8 outstanding, which is our estimate
preset-imitates-yabs = yabs: fio randrw 50/50, libaio, two jobs of depth 64 on 2 GiB, each until it has moved 2 GiB or 30 s are over

## promise

promise-rate-label = { $order ->
    [random] { $direction ->
        [write] random writes
       *[read] random reads
    }
    [sequential] { $direction ->
        [write] sequential writes
       *[read] sequential reads
    }
   *[any] { $direction ->
        [write] writes
       *[read] reads
    }
}
promise-burst-label = { $label } in the burst
promise-latency-label-at-rate = { $direction ->
    [write] { $statistic } of random writes at { $iops } IOPS
   *[read] { $statistic } of random reads at { $iops } IOPS
}
promise-latency-label-alone = { $direction ->
    [write] { $statistic } of random writes, one at a time
   *[read] { $statistic } of random reads, one at a time
}
promise-below-at-more-depth = the whole interval is below what is needed, and depth { $more } gave no more than depth { $less }
promise-below-with-enough-outstanding = the whole interval is below the needed rate, although { $times } times as many requests were outstanding as that rate needs
promise-below-limit = the whole interval is below the limit
promise-above-limit = the whole interval is above the limit
promise-rate-within-bound = { $iops } IOPS stay within { $bound }
promise-only-within-bound = only { $iops } IOPS stay within { $bound }
promise-not-measured = no such operations were measured
promise-every-cell-invalid = every cell that could show it is marked INVALID
promise-cell-invalid = its cell is marked INVALID
promise-too-few-samples = too few samples for an interval
promise-sample-too-small = the sample is too small for this statistic and its interval
promise-needed-inside = what is needed lies inside the interval; a longer run would tell
promise-limit-inside = the limit lies inside the interval; a longer run would tell
promise-rate-did-not-last = the rate did not last: { $finding }
promise-burst-alone = the run saw only the burst, not the rate after it; a full burst lasts { $lasts } at full load
promise-burst-of-unknown-length = the run saw only the burst, not the rate after it; the length of the burst is not stated
promise-burst-not-reached = the burst was not reached; its credits may have been used up before the run
promise-no-minimum-promised = the rate is below the limit, but the provider promises no minimum
promise-other-limit = something else may limit the rate: { $finding }
promise-other-cause = something else may cause the latency: { $finding }
promise-too-few-outstanding = too few requests were outstanding to reach more; a deeper queue would tell
promise-no-search = the run did not search for the load that has this latency
promise-load-not-reached = the promised load was not reached at any latency
promise-promised-item = { $label }: { $promised } promised
promise-measured-because = measured { $measured }: { $why }.
promise-measured-needed-because = measured { $measured }, needed { $needed }: { $why }.
promise-titled = Promised: { $promise }.
promise-share-needed = Needed: { $percent } % of the promised rate. { CAP($because) }.
promise-counting = Counting: { $accounting }.
promise-full-burst = A full burst lasts { $seconds } s at full load.
promise-volume-none = none
promise-volume-operations = { $count } in { $mean } on average
promise-volume = { $device } counted itself (EBS log page): reads { $reads }, writes { $writes }. Demand exceeded the limits of the volume for { $volume-iops } (operations) and { $volume-bytes } (bytes), and those of the instance for { $instance-iops } and { $instance-bytes }.
promise-volume-read-latency = { $device } by its own histogram: reads took { $median } to { $median-to } (p50) and { $high } to { $high-to } (p99) within the volume; what was measured beyond that lies between it and this host.
promise-volume-write-latency = { $device } by its own histogram: writes took { $median } to { $median-to } (p50) and { $high } to { $high-to } (p99) within the volume; what was measured beyond that lies between it and this host.
share-by-provider = the provider states { $share } % for { $of-time } % of the time
share-by-plan = the plan states it
share-for-measuring = { $percent } % is left for the cost of measuring itself
share-asked = a tolerance of { $percent } % was asked for
counting-each = every transfer counts as one operation, however long
counting-units = requests up to { $unit } count as one operation, longer ones as several
counting-units-merged = requests up to { $unit } count as one operation, longer ones as several; short sequential ones are merged up to that size
counting-units-whole = requests up to { $unit } count as one operation, longer ones as several; a shorter random one uses the bytes of a whole one
counting-units-merged-whole = requests up to { $unit } count as one operation, longer ones as several; short sequential ones are merged up to that size; a shorter random one uses the bytes of a whole one

## promise/short_runs

promise-short-runs-whole-above = the whole interval is at or above what is needed
promise-short-runs-slices-far-above = { $above } of { $all } slices of { $length } had at least { $factor } times what is needed
promise-short-runs-point-within-bound = { $iops } IOPS stay within { $bound }: { $why }

## rotation

rotation-speed = { $rpm } rpm
rotation-platter-turns = The disk is a rotating disk of { $speed }, by the times of { $reads } random reads.
rotation-arm-moves = The average seek over the whole disk takes { $seek }.

## support

support-doubt = { $check }: { $summary }
support-doubt-invalid = INVALID { $check }: { $summary }
support-earlier-level = it was measured before the rate of the device changed

## surface

surface-zones-fall = Over its surface the rate falls from { $first } at the start to { $last } at the end, as on a disk with zone bit recording ({ $places } places; the curve explains { $explained } of the differences). What is stored late on the disk is read slower.
surface-even = Reading is as fast at its end as at its start: { $rate } in { $places } places.
surface-uneven = Reading is not equally fast everywhere: { $first } at the start, { $last } at the end ({ $places } places), without the curve of a disk with zone bit recording. Blocks that were never written may answer faster.
surface-weak-place = { $rate } at { $at } ({ $around } around it)
surface-weak-places = Slower than its surroundings every time it was read: { $places }. Remapped sectors, and sectors that are read with retries, look like this; so do blocks that a cache or a thin volume keeps elsewhere. The log of the disk (SMART) tells which.

## sweep

sweep-best = At best { $iops } IOPS ({ $at }) and { $rate } ({ $rate-at })
sweep-best-of-workload = { CAP($workload) }: the most operations are { $iops } a second, at { $at }; the most bytes are { $rate }, at { $rate-at }.
sweep-soft-law = at depth { $depth } small blocks tend to { $iops } and large ones to { $rate }; both meet near { $size }
sweep-hard-law = at depth { $depth } about { $iops } up to { $size }, and { $rate } beyond
sweep-one-limit = at depth { $depth } about { $limit } at every size
sweep-no-limit = at depth { $depth } no limit was reached
sweep-fitted-law = { CAP($workload) }: { $law }. This law misses the cells by { $residual }.
sweep-all-precise = { $cells ->
    [one] The IOPS of the cell are known to within ±{ $asked } (95 %).
   *[other] The IOPS of all { $cells } cells are known to within ±{ $asked } (95 %).
}
sweep-some-precise = { $cells ->
    [one] The IOPS of { $kept } of { $cells } cell are known to within ±{ $asked } (95 %).
   *[other] The IOPS of { $kept } of { $cells } cells are known to within ±{ $asked } (95 %).
}
sweep-not-counted = { $cells ->
    [one] { $cells } cell is not counted: it supports no conclusion (see the warnings).
   *[other] { $cells } cells are not counted: they support no conclusion (see the warnings).
}
sweep-least-precise = The widest interval is ±{ $half }, of { $cell }. More time (--budget, --cell-max) narrows it, unless the device itself is uneven.
sweep-without-precision = The cell { $cell } is too short to give an interval. More time (--budget, --cell-max) gives one.
sweep-resumed = { $cells ->
    [one] The run was interrupted after one measurement, and resumed at { $at }.
   *[other] The run was interrupted after { $cells } measurements, and resumed at { $at }.
}

## trend

trend-title = { $runs ->
    [one] { $metric } of { $figure } on { $target }, { $runs } run
   *[other] { $metric } of { $figure } on { $target }, { $runs } runs
}
trend-level-words = { $runs ->
    [one] { $from } to { $to }: { $runs } run around { $middle }
   *[other] { $from } to { $to }: { $runs } runs around { $middle }
}
trend-level-with-change = { $level }, { $change }
trend-change = { $change } % against the level before
trend-change-between = { $change } % ({ $low } to { $high }) against the level before
trend-too-few = { $runs ->
    [one] { $runs } run is too few to see a change: it takes at least { $needed }.
   *[other] { $runs } runs are too few to see a change: it takes at least { $needed }.
}
trend-no-change = No change: one level explains every run.
trend-better = Better since run { $run }: { $change }.
trend-worse = REGRESSION since run { $run }: { $change }.
trend-within = Changed since run { $run }, but by no more than the intervals explain: { $change }.

## verdict

verdict-not-the-disk = Not the disk's numbers: { $reason }
verdict-headline-invalid = Not the disk's numbers: { $reason }. Do not use: { $headline }
verdict-headline-beside-invalid = Not the disk's numbers: { $cells }. Apart from that: { $headline }
verdict-more-cells = { $count ->
    [one] one more measurement
   *[other] { $count } more measurements
}
verdict-cannot-tell = Cannot tell what the disk does alone: { $reason }
verdict-too-little = Too little was measured for a verdict
verdict-too-little-after-layout = Too little was measured for a verdict: the test file took { $layout } of the { $budget }. Give more time (--budget) or a smaller file (--size)
verdict-too-little-in-time = Too little was measured for a verdict in { $budget }. Give more time (--budget)
verdict-headline-like = { $headline }; like { $class }
verdict-some-numbers-invalid = Some numbers of this run are not the disk's: { $reasons }.
verdict-finding = { $check }: { $summary }
verdict-one-read-at-a-time = One request at a time, a 4 KiB random read takes { $latency }. A program that waits for each read gets { $iops } of them a second, however fast the disk is in parallel.
verdict-slow-after-pause = After a pause the same read takes { $latency }: the device, the host or the processor sleeps between requests.
verdict-durable-write = A { $size } write made durable with { $call } takes { $mean } on average: one client commits { $rate } times a second.
verdict-first-write-slower = The first write of a block is slower than the next: { $first } when the test file was made, { $again } when it was written over.
verdict-writes-burst = The writes are a burst: { $because }.
verdict-writes-sustained = The writes are sustained: { $because }.
verdict-writes-not-settled = The writes are not settled: { $because }.
verdict-written = This run wrote { $written }: { $times } times the { $span } that it measured.
verdict-written-of-device = This run wrote { $written }: { $times } times the { $span } that it measured, and { $share } of the device's { $device }.
verdict-bucket-of-operations = The disk behaves like a token bucket of { $size } operations. It fills at { $baseline } a second and is spent at up to { $burst } a second: a full bucket lasts { $lasts } of full load.
verdict-bucket-of-bytes = Writes run at { $burst } until about { $size } have been written, and at { $baseline } from then on.
verdict-good-for-etcd = etcd: fdatasync p99 is { $p99 }, { $times } times as fast as etcd asks for ({ $needed })
verdict-good-for-commits = databases with many small commits: { $rate } a second from one client, { $times } times the { $needed } needed
verdict-good-for-databases = databases and indexes larger than memory: { $iops } random reads/s within { $bound }, { $times } times the { $needed } needed
verdict-good-for-system = virtual machines and interactive use: { $latency } a read, { $times } times as fast as needed ({ $needed })
verdict-good-for-streaming = backups and streaming: at least { $rate }, { $times } times the { $needed } needed
verdict-good-for-archives = archives and backups without a deadline: at least { $rate }, { $times } times the { $needed } needed
verdict-too-slow-for-etcd = etcd: fdatasync p99 is { $p99 }; less than { $needed } is needed
verdict-too-slow-for-commits = databases with many small commits: { $rate } a second from one client, { $needed } needed
verdict-too-slow-for-databases = databases and indexes larger than memory: { $iops } random reads/s within { $bound }, { $needed } needed
verdict-too-slow-for-system = virtual machines and interactive use: a read takes { $latency }; less than { $needed } is needed
verdict-too-slow-for-streaming = backups and streaming: { $rate }, { $needed } needed
verdict-bound-unreachable = { $label }: { $unreachable }
verdict-heat-not-seen = throttling by heat: a disk takes minutes of load to get hot, longer than this run
verdict-cache-end-not-seen = the end of a write cache larger than the { $written } that were written
verdict-writes-not-seen = writing: nothing was written
verdict-power-cut-not-seen = whether a flush survives a power cut

## writes

writes-rounds-agree = the last five rounds, of { $mean } IOPS, range over { $range } of their mean and change by { $slope } from first to last
writes-rounds-disagree = the last five rounds, of { $mean } IOPS, range over { $range } of their mean (at most 20 % is allowed) and change by { $slope } from first to last (at most 10 %)
writes-rounds-within-cache = { $agreed }, but a write cache may have taken all { $written } that were written: it can be a third of a device, { $cache } here
writes-too-few-rounds = { $rounds ->
    [one] one round of writing is too few: five must agree
   *[other] { $rounds } rounds of writing are too few: five must agree
}

## record

record-figure-of-direction = { $direction ->
    [read] read { $figure }
    [write] write { $figure }
    [trim] trim { $figure }
   *[sync] sync { $figure }
}
record-kept = kept
record-not-kept = NOT KEPT
record-cannot-tell = cannot tell
volume-iops-exceeded = the volume itself counted (EBS): for { $time } of { $length } more operations were asked of the volume than were bought
volume-throughput-exceeded = the volume itself counted (EBS): for { $time } of { $length } more bytes were asked of the volume than were bought
instance-iops-exceeded = the volume itself counted (EBS): for { $time } of { $length } more operations were asked than the instance allows
instance-throughput-exceeded = the volume itself counted (EBS): for { $time } of { $length } more bytes were asked than the instance allows
health-disk = { $disk }: { $what }
health-throttled = by its own count it slowed itself down because of heat for about { $seconds } s of this run
health-throttled-briefly = by its own count it slowed itself down because of heat in this run, for less than a second
health-hot-minutes = its own count of minutes at or above its maker's warning temperature grew by { $minutes } in this run
health-media-errors-of-run = it could not recover data in this run (media errors: { $count })
health-spare-low = its spare blocks are at { $spare } %, below its maker's minimum of { $spare-min } %
health-unreliable = it reports that its reliability is degraded by errors
health-read-only = it reports that it can only be read: its medium is read-only
health-backup-failed = it reports that what protects its memory from a loss of power has failed
health-worn = { $used } % of its rated life is used
health-celsius = { $celsius } °C
health-spare = { $spare } % of its spare blocks left
health-used = { $used } % of its rated life used
health-media-errors = media errors: { $count }
health-unsafe-shutdowns = losses of power without notice: { $count }
record-writes-burst = burst
record-writes-sustained = sustained
record-writes-not-settled = not settled
reason-interrupted = interrupted
reason-time-up = the time of { $limit } was up
reason-still-running = the run was still going when this was written
reason-request-failed = a request failed
reason-step-failed = { $step }: { $error }
reason-nothing-completed = { $step }: nothing completed
reason-layout-failed = the test file could not be written: { $error }
reason-layout-too-small = only { $written } of the test file were written in its time
reason-max-written = --max-written { $max }: { $cells }
reason-cells-cut-short = { $cells ->
    [one] { $cells } cell was cut short
   *[other] { $cells } cells were cut short
}
reason-cells-left-out = { $cells ->
    [one] { $cells } cell was left out
   *[other] { $cells } cells were left out
}
reason-coordinator-gone = its coordinator was gone before the run was over
reason-host-lost = { $host } was lost: { $reason }
reason-others-slowed = { $host }: reached { $bound }: { $seen }
reason-agent-gone = its agent is gone, or kept nothing
reason-host-silent = silent for { $seconds } s
reason-no-agent = no agent has this name
reason-no-answer = no answer within { $seconds } s
reason-not-done-in-time = not done within { $seconds } s
reason-ended-itself = it ended the run by itself
reason-server-gone = the NATS server was gone for { $seconds } s
reason-figures-unusable = its figures cannot be used: { $error }
reason-jobs-not-believed = what it kept cannot be trusted: { $error }
run-rate-and-mean = { $iops } IOPS, mean { $mean }
record-hosts = { $hosts ->
    [one] { $hosts } host
   *[other] { $hosts } hosts
}
record-others-over = on { $disk } { $slow } of { $requests } requests took longer than { $limit } within { $time }
record-others-mean = on { $disk } { $requests } requests took { $mean } on average within { $time }
record-hosts-left = { $hosts ->
    [one] { $left } of { $hosts } host
   *[other] { $left } of { $hosts } hosts
}

## report/terminal

path-on-hosts = { $path } on { $hosts }
text-command-of = { $command } of { $path }
text-note = Note: { $note }.
text-caution = Numbers without a warning can be used. Read the warnings.
text-broken = Numbers marked INVALID are not the disk's: do not use them.
text-stream-changed = { $curve }: { $before } operations/s until { $until } from the start of the run, then { $after }. The table has the newest rate.
curve-by-depth = { $curve } by depth
curve-by-depth-ramp = { $curve } by depth: the ramp before the search
curve-by-rate = { $curve } by rate of arrivals
point-breaks-bound = breaks { $bound }
point-too-few-samples = too few samples
text-and-more = and { $count } more
text-and-more-on-page = and { $count } more: --html shows all of them
text-explain = More on a finding: truedisk explain { $finding }
text-not-seen = Not seen in this run
text-root-would-add = Root would add: { $parts }
class-like-for = It behaves like { $class }: { $supports }.
class-against = Against it: { $contradicts }.
class-could-be = It could also be { $other }.
text-surface = The surface, place by place
text-surface-key = Bars: read in sequence. |: the curve through all places. Right: the mean of a random read there.
surface-fast = faster than the curve
head-date = date (UTC)
head-run = run
head-command = command
head-trust = trust
trust-word-partial = partial
diff-same = The same: { $names }
diff-no-common-cell = No cell was measured in both.
diff-alone = Figures only in A: { $a }. Only in B: { $b }.
diff-invalid-key = X: a check found that these numbers must not be used.
diff-hint = One run of each does not show whether a difference is chance. Compare several runs of each: truedisk compare.
fact-tool = tool
fact-command = command
fact-path = path
fact-file-system = file system
fact-device = device
fact-model = model
fact-device-size = device size
fact-write-cache = write cache
fact-queue = queue
fact-processors = processors
fact-io-limits = I/O limits
fact-budget = time budget
fact-bounds = bounds
fact-read-only = read only

## report/words

## report/limit

limit-most-of = Most of { $curve }
limit-rate-at = { $rate } IOPS at { $load }
limit-bounded-by = bounded by { $cause }
limit-because = because { $reason }
limit-confirmed = confirmed: measured again
limit-not-confirmed = not confirmed by a second measurement
interval-of-rate = 95 %: { $low } to { $high } (±{ $half })
interval-missing = 95 %: none, { $reason }
by-bound = latency bound
by-bound-depth = the latency bound: more depth gives more, but breaks it
by-bound-arrivals = the latency bound: more arrivals break it
by-saturation = saturation
by-saturation-depth = saturation: more depth only adds latency
by-saturation-arrivals = saturation: a higher rate only adds latency
by-provider-cap = configured cap
by-provider-cap-sentence = a configured cap of the provider: no device is this flat
by-control-group = control group
by-control-group-sentence = a control group of this host, not the disk
by-client = this host
by-client-sentence = this host: it had no processor time left. The device can do at least this
by-highest-rate = highest rate tried
by-highest-rate-sentence = the highest rate tried: it may give more
by-deepest = deepest queue tried
by-deepest-sentence = the deepest queue tried: it may give more
by-unreachable = not reachable
by-unreachable-idle = not reachable: idle { $statistic } is { $value }
by-unreachable-lowest = not reachable: even the lowest load breaks it
by-unsure = unsure
by-unsure-sentence = an unknown cause: repeat it when nothing else uses the device
point-left-out = left out
point-knee = knee
point-falls = falls
point-breaks = breaks
point-breaks-all = breaks all
point-too-few = too few to say
point-too-few-for-all = too few for all
point-too-few-for = too few for { $bounds }
limit-legend-latency = Latency: from submission to completion. Out: operations outstanding on average. -: too few samples.
limit-legend-response = Response time: from the planned start to completion. Out: operations outstanding on average. -: too few samples.
limit-mark-points = { $points ->
    [one] { $mark } (1 point)
   *[other] { $mark } ({ $points } points)
}
limit-chart-key = o p50, # p99, 8 both; @ the most within a bound; - - bound
limit-chart-key-slower = o p50, # p99, 8 both, of the slower job; @ the most within a bound; - - bound
limit-chart-key-invalid = X INVALID
head-rate = rate

## report/sweep

sweep-matrix-bytes = { $workload }, MB/s by block size and depth
sweep-key = * highest. ░▒▓█: quarters of the highest. -: not measured.
sweep-key-marked = * highest. ░▒▓█: quarters of the highest. X: not the disk's number. !: see the warnings. -: not measured.
sweep-within-all = All { $cells } within ±{ $asked } (95 %).
sweep-within-some = { $within } of { $cells } within ±{ $asked } (95 %). The widest of the others:
sweep-too-short = { $cell }: too short to say
sweep-two-limits = { $workload }: the limit of operations and that of bytes, by depth (95 % intervals)
head-meet-at = meet at
head-misfit = misfit
sweep-two-limits-key = Small blocks reach the limit of operations, large ones that of bytes. -: no block size reached it.
sweep-beside-writes = { $workload } beside random writes
head-worse = worse
sweep-beside-key = Share: the writes planned, as a share of the { $most } a second that the target takes alone. Worse: latency over that of the reads alone. X: not the disk's number.
value-with-range = { $value } ({ $low } to { $high })
range = { $low } to { $high }

## report/preset

preset-pass-word = PASS
preset-fail-word = FAIL
preset-not-met-word = not met
preset-part-of-job = { $job } { $part }
preset-step-part = { $step }: { $part }
preset-score-mean = mean of { $passes } passes: { $rate }, { $latency }
preset-score-best = best of { $passes } passes: { $rate }, { $latency }
preset-steady = steady over the five passes that are shown
preset-not-steady = NOT steady: the last passes still differ or drift
preset-passes-of = { $made } of { $planned } passes
preset-figure-of = { $step }: { $figure } of { $part }
preset-recommended = { $limit }, a recommendation
preset-unmeasured = not measured
preset-our-convention = our convention
preset-needed-and-measured = needed { $limit }; measured { $measured }
preset-why-and-source = { $why }. Source: { $source }
preset-table-key = Median of the passes. 95 %: interval of the IOPS. -: too few samples.
text-source = Source: { $source }

## report/compare

## report/fleet

fleet-title-same-storage = { $hosts } on the same storage, each in a file of its own
fleet-title-own = { $hosts }, each with a target of its own
fleet-title-shared = { $hosts } on one target, each on all of it
fleet-title-split = { $hosts } on one target, each on a part of its own
fleet-title-in-waves =
    { $waves ->
        [one] { $title }, in { $waves } wave of at most { $most }
       *[other] { $title }, in { $waves } waves of at most { $most }
    }
wave-line = Wave { $wave }, { $hosts }: { $answer }
fleet-note-slowest = slowest
fleet-note-failed = failed: { $error }
fleet-note-lost-later = lost later
fleet-note-lost = lost
fleet-note-no-share = no share: the depth is too small
fleet-note-nothing = no figures
fleet-without = without { $hosts }
fleet-no-share-for = no share for { $hosts }
count-of = { $part } of { $all }
fleet-processors = { $count ->
    [one] { $count } processor
   *[other] { $count } processors
}
fleet-clock-moved = { $offset }, moved { $by }
fleet-degraded-line = DEGRADED: { $why }
fleet-faster-hosts = { $count ->
    [one] and 1 faster host: --html shows all of them
   *[other] and { $count } faster hosts: --html shows all of them
}
fleet-total = total
fleet-met-key = Skew: from the first host's start to the last host's start. First done: when the first host finished; the totals cover the time in which all hosts ran.
fleet-clocks = Clocks
head-against-coordinator = against the coordinator

## report/metadata

metadata-rates = Operations a second, median over rounds
metadata-half-widths = Half the width of its 95 % interval
metadata-p50 = Latency, p50
metadata-p99 = Latency, p99
metadata-cold = Cold: operations a second after the caches were dropped
metadata-key = create: open a new file, write, close. open: open, read, close. list: names a second, and latency of a whole folder. With fsync, a create waits for its file, a rename and a delete for their folder. -: not measured, or too few samples.
metadata-unsteady = These rates differ too much from round to round to rely on: { $rates }.
metadata-rate-of = { $operation } of { $load } ({ $low } to { $high } a second)
metadata-rate-of-cold = { $operation } of { $load }, cold ({ $low } to { $high } a second)
metadata-load-folder = { $threads ->
    [one] { $size }, folder, { $threads } thread
   *[other] { $size }, folder, { $threads } threads
}
metadata-load-tree = { $threads ->
    [one] { $size }, tree, { $threads } thread
   *[other] { $size }, tree, { $threads } threads
}
metadata-counted-as-many = Counted: { $made } files were made, and their folders list as many; the file system { $inodes }.
metadata-counted-differ = Counted: { $made } files were made, and their folders list { $listed }: the file system lost some, or shows others; the file system { $inodes }.
metadata-no-inodes = keeps no count of inodes
metadata-inodes-as-many = counts the same number of new inodes
metadata-inodes-differ = counts a different number of new inodes ({ $parts }): others may have made or removed files meanwhile, or it counts late
metadata-inodes-more = { $count } more
metadata-inodes-fewer = { $count } fewer
head-files = files

## report/page

## report/page/charts

## report/page/compare

## report/page/fleet

## report/page/limit

## report/page/sweep

## report/page/trend

## report/explain

explain-meaning = What it means
explain-method = How it is found
explain-remedy = What to do
explain-blind-spot = What it cannot see
explain-statuses = Possible results
explain-more = truedisk explain WORD explains one of them.
explain-relation = How the figures hang together
explain-look = Where to see it
term-iops-question = How many requests are finished in a second?
term-iops-meaning = IOPS are the reads or writes that the disk finishes in one second. The number says nothing alone: it needs the block size, reads or writes, the queue depth and the latency. The same disk can give 10,000 IOPS at depth 1 and 80,000 at depth 32.
term-iops-relation = IOPS = requests outstanding / mean latency (Little's law). 1 request outstanding and 0.1 ms each: 10,000 IOPS. 32 outstanding and 0.4 ms each: 80,000 IOPS. IOPS × block size = throughput.
term-iops-look = truedisk limit PATH finds the most IOPS that keep the latency within a bound. A maximum without a bound is what a seller shows: the queue is then so deep that each request waits long.
term-latency-question = How long does one request take?
term-latency-meaning = Latency is the time from the moment at which a program hands over a request until it has the answer: the wait in queues and the work of the device. A program that waits for each request, such as a database that commits, feels only this.
term-latency-relation = At depth 1 it is the device's own time. A deeper queue costs no latency while the device can serve more requests at once. When it cannot, each further request waits, and latency = depth / IOPS.
term-latency-look = Read p99, not the mean. truedisk ping PATH shows request by request; truedisk check PATH shows p50, p99 and p99.9 of each load.
term-depth-question = How many requests are outstanding at once?
term-depth-meaning = Queue depth is the number of requests that a program handed over and that are not answered yet. One thread that waits for each request has depth 1. More threads, or asynchronous requests, make the queue deeper.
term-depth-relation = A device with several channels or disks serves several requests at once: IOPS grow with the depth until all of them are busy. That depth is the knee. Past it IOPS stand still and latency grows: twice the depth, twice the latency.
term-depth-look = truedisk limit PATH raises the depth step by step, names the knee and the deepest queue within the bound. truedisk sweep PATH draws depths against block sizes.
term-thrashing-question = Does a deeper queue make the disk do less?
term-thrashing-meaning = A disk thrashes when a deeper queue gives fewer IOPS, not only more latency. The arm of a rotating disk moves between far places, a cache no longer holds what is asked for, or a controller spends its time on the queue.
term-thrashing-relation = Past the knee a sound disk keeps its IOPS. A fall of more than 10 % that stays, beyond the error of the measurement, is thrashing. A neighbour, or a burst that ends, looks alike, so disturbed depths are measured again before it is named.
term-thrashing-look = truedisk limit PATH names the depth at which to stay. Keep the queue there: fewer threads, a smaller iodepth, or a limit in the database.
term-throughput-question = How many bytes are moved in a second?
term-throughput-meaning = Throughput is IOPS × block size, here in MB/s of 1,000,000 bytes. Large blocks in sequence reach the limit in bytes, of the link or of a plan; small blocks at random places reach the limit in IOPS.
term-throughput-relation = 4,000 IOPS of 256 KiB are 1048 MB/s; 4,000 IOPS of 4 KiB are 16 MB/s. A plan with both limits is bound by the one that is reached first.
term-throughput-look = truedisk sweep PATH shows IOPS and MB/s for each block size. truedisk model aws:gp3:500GiB shows which limit of a plan binds at which block size.
term-percentile-question = What are p50, p99 and p99.9?
term-percentile-meaning = p99 is the latency within which 99 of 100 requests are answered. p50 is the middle. A mean hides slow requests: 99 requests of 0.1 ms and one of 100 ms have a mean of 1.1 ms, which none of them took.
term-percentile-relation = An answer that needs 100 reads waits for one that is slower than p99 in 63 of 100 cases. The slowest percentiles decide how a service feels.
term-percentile-look = truedisk shows a percentile only where enough requests support it; otherwise it shows -. A bound names one: --bound 'p99<5ms'.
term-interval-question = How far can a figure be trusted?
term-interval-meaning = The 95 % interval says how far the figure of this run may be from its true mean: of 20 such intervals, 19 contain it. A figure of ±1 % is sharp. One of more than ±25 % is none, and is marked with ~.
term-interval-relation = Requests that follow each other resemble each other, so that a thousand of them are worth fewer than a thousand independent ones; the interval counts this. It holds for the time that was measured: at another hour the neighbours differ.
term-interval-look = truedisk compare decides from the interval of the ratio of two runs. limit and sweep measure longer with --budget, and the intervals become narrower.
term-credits-question = Is the speed only lent?
term-credits-meaning = A burst is a speed that ends: when the credits of a cloud volume are spent, or when a write cache is full. A short test shows the burst and not what follows.
term-credits-relation = A gp2 volume of 100 GiB earns 300 I/O credits per second, spends up to 3,000 and holds 5.4 million: they last 5,400,000 / (3,000 - 300) = 2,000 s. Then it gives 300 IOPS.
term-credits-look = The check burst looks for a change of level; truedisk check PATH --until-throttled reads until it comes. truedisk model aws:gp2:100GiB shows the rate over time; truedisk capture and replay --plan tell whether the credits suffice for a load.
term-cap-question = Is the disk slow, or is there a limit on it?
term-cap-meaning = A cap is a limit on IOPS or bytes that a provider, a hypervisor or a control group sets. The device could do more; requests above the cap wait.
term-cap-relation = Where a cap is reached, a deeper queue gives the same IOPS, more evenly than any device, and latency = depth / cap: 32 requests outstanding at a cap of 3,000 IOPS take 10.7 ms each.
term-cap-look = The checks provider-limit and os-throttle name it. truedisk check PATH --plan aws:gp3:500GiB says whether what was sold is kept.
term-cache-question = Did memory answer instead of the disk?
term-cache-meaning = Between a program and the disk are caches: the page cache of the system, a cache of the hypervisor or of an array, memory in the disk. A read that one of them answers says nothing of the disk. A write that one of them takes is safe only after a flush.
term-cache-relation = O_DIRECT goes past the page cache, and past none of the others. Blocks that were never written need no disk either: they are answered with zeros from a map.
term-cache-look = The checks page-cache, host-cache, device-cache, unwritten and flush look for it in each run.
status-not-observable = not observable

## method

caches-warm = Files had just been made or used: stat, open and readdir are answered from memory. Cold caches were not measured (as root: --drop-caches).
caches-dropped = Files had just been made or used: stat, open and readdir are answered from memory. The cold figures were measured in random order, after a sync and after the caches of the whole host were dropped (drop_caches 3).
progress-looking = looking at the target
progress-looking-hosts = looking at the targets of all hosts
progress-layout = laying out the test file
progress-layout-hosts = laying out the test files of all hosts
progress-pause = pause
progress-small-files = small files: { $load }
progress-so-far = { $what }, { $time } so far
progress-check = truth check: { $what }
progress-idle = reads with pauses
progress-depth = { $workload }, depth { $depth }
progress-again = { $what }, again
progress-for-cap = { $what }, looking for a cap
progress-until-throttled = { $what }, until throttled
progress-rounds = writing until steady, round { $round }
progress-number = { $number } of { $total }: { $what }
progress-alone = { $what }, alone
progress-beside-writes = { $what } beside { $rate } writes/s
progress-arrivals = { $workload }, { $rate } arrivals/s
progress-commits = write { $size } + fdatasync
progress-pass = { $step }, pass { $pass } of { $passes }
progress-warming-up = { $step }, warming up
progress-visit = { $side }, visit { $number }: { $what }
progress-replaying = replaying the load at { $speed } times its speed
progress-writes-alone = random writes alone, depth 32
progress-random-writes = random writes

## ping

ping-shared-device = the targets share a device, whose counters do not tell them apart
ping-headline = { CAP($label) }: { $latency }
ping-tail = p50 { $p50 }, p99 { $p99 } of { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
}
ping-median = p50 { $p50 } of { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
} (too few for p99)
ping-mean = mean { $mean } of { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
} (too few for a percentile)
ping-reads = reads { $latency }
ping-writes = writes { $latency }
ping-latency-after-pause = after a pause { $latency }
ping-latency-back-to-back = back to back { $latency }
ping-unknown = not known from { $requests } requests, { $needed } are needed
ping-range = { $value } (95 %: { $low } to { $high })
ping-range-of = { $value } (95 %: { $low } to { $high }, n = { $n })
ping-rate-kept = rate: { $planned } requests/s planned, and kept
ping-rate-late = rate: { $planned } requests/s planned, { $made } made: starts were late
ping-rate-missed = rate: { $planned } requests/s planned, { $made } made; { $missed } of { $all } starts missed, because requests took longer than the interval
ping-rate-few = rate: { $planned } requests/s planned; { $starts } made, too few to tell a rate
ping-rate-few-missed = rate: { $planned } requests/s planned; { $starts } made, too few to tell a rate; { $missed } of { $all } starts missed, because requests took longer than the interval
ping-after-pause = after a pause
ping-back-to-back = back to back
ping-ratio = ratio: { $ratio }; { $verdict }
ping-sleeps = device, host or processor go to sleep between requests
ping-faster-after-pause = requests are faster after a pause: without one, earlier requests are still being worked on, or a rate is limited
ping-no-difference = the intervals overlap: no difference is shown
replay-keeps-up = Keeps up with this load: { $clauses }
replay-falls-behind = Does not keep up: completes only { $share } of this load in time; { $clauses }
replay-slowest = nothing later than { $slowest }
replay-there-and-here = { $requests }: { $percentile } was { $there } there and is { $here } here
replay-changed = { $fact } ({ $change })
replay-slower = slower than there
replay-within-lateness = the load generator's own lateness may explain it
replay-here = { $requests }: { $percentile } is { $here } here
replay-interval = { $here } [{ $low }, { $high }]
replay-figure = { $here }
replay-reads = reads
replay-writes = writes
replay-flushes = flushes
replay-breaks = at { $breaks } times this load it breaks { $bound }, at { $keeps } times it keeps it
replay-never-breaks = at { $keeps } times this load, the most tried, it keeps { $bound }
replay-always-breaks = even at { $breaks } times this load it breaks { $bound }
replay-limit-unknown = too few requests to judge { $bound }
replay-not-confirmed = { $answer } (not confirmed by further probes)
replay-load = The load: { $requests } requests in { $length }, at { $speed } times its speed; offsets { $map }.
replay-probed = The search replayed parts of the load, { $time } each, at other speeds. The seed chose where each part begins.
replay-map-scale = scaled to the target
replay-map-wrap = wrapped at the end of the target
replay-map-as-is = as they were
replay-lateness = The load generator started requests { $p99 } late at p99, { $most } at most.
replay-awake = Idle processors were kept awake meanwhile: a program that lets them sleep may wait longer.
replay-deeper = { $share } of the requests met a deeper queue here than in the capture: they are in the table, and not in the comparison of the response times there and here.
replay-no-discards = { $count ->
    [one] Left out: { $count } discard, which is not replayed.
   *[other] Left out: { $count } discards, which are not replayed.
}
replay-no-flushes = { $count ->
    [one] Left out: { $count } flush, because the load writes nothing.
   *[other] Left out: { $count } flushes, because the load writes nothing.
}
replay-no-fua = { $count ->
    [one] { $count } write with FUA was replayed as a plain write: there it was durable at once.
   *[other] { $count } writes with FUA were replayed as plain writes: there they were durable at once.
}
replay-lost = { $count ->
    [one] { $count } request was lost in the capture: the load was higher than this.
   *[other] { $count } requests were lost in the capture: the load was higher than this.
}
replay-cut = The trace was cut: only its first { $length } are replayed.
plan-load-title = { $plan }: would it carry { $load }? (computed, nothing was measured)
plan-load-carries = Carries this load: because of the plan no request waits longer than { $wait }.
plan-load-carries-throttled = Carries this load. The plan throttles it { $minutes } minutes a day (by { $limit }); a request waits up to { $wait }.
plan-load-ends-in-the-day = Carries this load for the length of the capture, but not all day: the burst runs out, and the plan throttles the load { $minutes } minutes a day.
plan-load-not-carried = Does not carry this load: { $served } of it completes in time. The plan throttles it { $minutes } minutes a day (by { $limit }); a request waits up to { $wait }.
plan-load-peak = peak in { $step }
plan-load-burst-left = Burst left: { $lowest } at its lowest, { $end } at the end of the load.
plan-load-operations = operations/s, as counted
plan-load-bytes = MB/s, as counted
plan-load-always = sustained
plan-load-assumed = Assumed: the burst is full at the start; a day is this load again and again; reads and writes share the rates; sequential requests whose end is not known are merged. Latency, flushes and discards are not part of it.
plan-load-lost = { $count ->
    [one] The capture lost { $count } request: the load is larger than counted here.
   *[other] The capture lost { $count } requests: the load is larger than counted here.
}
plan-load-cut = The capture was cut after { $length }.

## fio-run

## truedisk

wave-begins = wave { $wave } of { $waves }: { $hosts }
waves-lost = all hosts of { $count } waves in a row were lost; of the last wave: { $reason }
waves-total-time = { $waves } waves, one after the other: each takes the time of a whole run
output-report = report: { $path }
output-record = record: { $path }
output-more = more:   { $command }
output-page = page:   { $command }
output-written = written: { $path }
head-setting = setting
head-value = value
head-set-by = set by
config-file-read = read: { $path }
config-file-missing = not found: { $path }
config-variable-unknown = sets no option: { $name }
share-removed-hosts = removed: host names ({ $count })
share-removed-addresses = removed: IP addresses ({ $count })
share-removed-paths = removed: paths ({ $count })
share-removed-serials = removed: serial numbers and identifiers of devices ({ $count })
share-removed-volumes = removed: names of volumes and sources ({ $count })
share-removed-groups = removed: names of control groups ({ $count })
share-removed-processes = removed: names of processes ({ $count })
share-removed-labels = removed: labels of hosts ({ $count })
share-removed-commands = removed: command-line arguments ({ $count })
share-removed-sources = removed: sources of presets and promises ({ $count })
share-removed-jobs = removed: names of jobs ({ $count })
share-removed-presets = removed: names in the preset ({ $count })
progress-left = { $seconds } s left
history-none = no runs yet in { $location }
history-none-fits = { $known ->
    [one] { $known } run is kept; it does not match the filters
   *[other] { $known } runs are kept; none matches the filters
}
history-newest = { $shown ->
    [one] the newest run; -n 0 shows all
   *[other] the newest { $shown } runs; -n 0 shows all
}
history-tagged = { $name } is { $run }
history-tag-moved = { $name } is { $run }, and no longer { $before }
history-untagged = { $run } is no longer { $name }
history-deleted = deleted { $run }
history-deleted-of = deleted { $run } ({ $command } of { $target })
history-deleted-tagged = deleted { $run } ({ $command } of { $target }, tagged { $tags })
history-removed = removed { $file }
history-pruned = { $deleted } deleted, { $left } left, { $tagged } more with a tag
history-exported = { $runs ->
    [one] { $runs } run written to { $file }
   *[other] { $runs } runs written to { $file }
}
history-kept = kept { $run }
history-known = known { $run }
history-imported = new runs: { $new }, known before: { $known }
trend-left-out = { $runs ->
    [one] Left out: { $runs } run whose figure a check found invalid.
   *[other] Left out: { $runs } runs whose figure a check found invalid.
}
fleet-no-agent = no agent answers
fleet-stream-keeps = { $hosts ->
    [one] the server keeps { $hosts } record of run { $run }, too:
   *[other] the server keeps { $hosts } records of run { $run }, too:
}
fleet-agent-keeps = { $name } keeps its record of run { $run } ({ $purpose }):
fleet-cannot-lead = cannot be led: its version is { $version }
fleet-idle = idle
fleet-relay = relay: measures nothing
fleet-busy = run { $run }
fleet-read-only = { $paths } (read-only)
head-name = name
head-labels = labels
head-allows = allows
head-state = state
fleet-stopped = stopped: { $names }

## report/templates

head-slow-host = slow host
head-slower = slower
head-median = median
head-spreads = spreads off
head-slowest-host = slowest
head-fastest-host = fastest
page-outliers = Slow hosts
page-slow-hosts = Slow hosts
page-peers = How hosts of one model differ
page-peers-caption = Figures of hosts that are alike, from the slowest host to the fastest: 5 % of the hosts are slower than the figure below 5 %. The spread is a robust standard deviation.
page-hosts-left-out = { $count ->
    [one] 1 more host, which is faster, is only in the JSON record.
   *[other] { $count } more hosts, which are faster, are only in the JSON record.
}
head-host = host
head-share = share
head-depth = depth
head-mean = mean
head-began = began
head-what = what
head-promised = promised
head-needed = needed
head-measured = measured
head-answer = answer
head-step = step
head-max = max
head-source = source
head-workload = workload
head-out = out
head-stands = notes
head-cell = cell
head-hosts = hosts
head-waves = Waves
head-from = from
head-to = to
page-waves-caption = The hosts of a wave measured at the same time. The totals of a wave are in its own record.
head-skew = skew
head-known-to = clock error
head-first-done = first done
head-last-done = last done
head-slowest = slowest, mean over the median
head-system = system
head-target = target
head-clock = clock
head-round-trip = round trip
head-own-record = own record
page-small-files = Small files
page-uses = What it is good for
page-results = Results
page-host-by-host = Host by host
page-trust = Can the numbers be trusted?
page-not-tested = Not tested
page-appendix = Appendix
page-thresholds = Is it good enough?
page-good-for = Good for
page-too-slow-for = Too slow for
page-limited-by = Limited by
page-how-the-hosts-met = Timing of the hosts
page-the-hosts = The hosts
page-terms-and-sources = terms and sources
page-meaning = What the figures mean
page-curves = Curves, distributions, and the run over time
page-all-probes = All probes
page-environment = The disk and the environment
page-method = Method
page-command = Command
page-picture = Latency over operations per second
page-steps-caption = Median of the passes. ±: 95 % interval of the IOPS. -: too few samples.
page-hosts-met-caption = Skew: from the first host's start to the last host's start; clock error: the error of this time. First done: the time in which all hosts ran.
page-hosts-caption = Clock: its difference from the coordinator's clock, and the error of that difference.
page-total-latency = Total latency: from submission to completion.
page-response-time = Response time: from the planned start to completion.
head-figure = figure
head-ratio = ratio
head-verdict = verdict
head-cells = cells
page-what-else-differs = What else differs
page-every-other-figure = Every other figure
page-curves-of-both-sides = Curves of both sides
page-for-the-money = For the money
page-not-compared = Not compared
compare-hosts-caption = Hosts that are on both sides, each over all of its cells. They are not among the comparisons counted above.
page-levels = Levels
page-version = version
page-partial = partial
page-partial-kept = What was measured is kept.
page-degraded = degraded
page-promise = Is it what was promised?
page-source = Source:
page-no-problem = No check found a problem.
page-probes-caption = Out: operations outstanding on average. -: too few samples.
head-arrivals = arrivals/s
page-lost = lost:
page-root-would-add = Root would add:
page-method-text = Total latency runs from just before the submitting call until the program has the completion; the clock is read once per submitted batch and once per completed batch. Intervals of means come from counts per 10 ms, corrected for autocorrelation; intervals of percentiles from a block bootstrap over tenths of a second. A percentile is shown only where the sample supports it. Operations outstanding are kept at the depth asked; the achieved depth is in the record.
status-invalid = invalid
status-warning = warning
status-note = note
page-what-to-do = What to do:
page-cells = Cells:

## report/html/shared

axis-operations = operations per second
axis-depth = operations outstanding (depth)
axis-seconds = seconds
axis-latency = latency
axis-response = response time
axis-slower-share = share of slower operations
axis-block-size = block size
statistic-of-latency = { $statistic } of latency
statistic-of-response = { $statistic } of response time
chart-replay-latency = Latencies there and here
chart-replay-latency-caption = Lines: response times here, from the planned start. Points: latencies where the load was captured.
series-replay-here = { $requests } here
series-replay-there = { $requests } there
chart-replay-search = { $statistic } over the speed of the load
chart-replay-search-caption = Each point is a replay at one speed: one of the whole load, the others of a part of it. Shaded: outside the bound.
series-replay-probes = probes
series-replay-late = generator late: not counted
axis-times-load = times this load
load-at-depth = depth { $depth }
load-at-rate = { $rate } arrivals/s
series-invalid = invalid
series-disturbed = disturbed
chart-tails-caption = Where a line crosses 1 %, one operation in 100 is slower: that is the 99th percentile. The further right a line ends, the longer its tail.

## report/html/load_picture

picture-title = { CAP($statistic) } over operations per second
picture-of-depths = Each point is one depth.
picture-of-rates = Each point is one rate of arrivals.
picture-bound = Shaded: the bound is broken. Star: the most within the bound.
picture-not-counted = Hollow and grey: disturbed or invalid, not counted.
picture-point = { $curve }, { $load }: { $rate } IOPS, { $statistic } { $latency }
picture-ramp = { $curve }: the ramp before the search
picture-series-not-counted = { $curve }: not counted
picture-answer-short = { $rate } at { $load }
picture-answer = { $of }: { $rate } at { $load }

## report/html/charts

chart-depth = Operations over depth
chart-depth-caption = Where a line turns flat, more depth only adds latency; where it falls, more depth gives less.
chart-tails = How long operations take
chart-invalid-series = { $series } (invalid)
chart-time-operations = The run over time: operations
chart-time-operations-caption = Each point is a tenth of a second, or the mean of several. A step is a new load. A dip within a step comes from the disk or from another user of it.
chart-time-p99 = The run over time: p99
chart-time-p99-caption = p99 of each tenth of a second that has enough operations.
chart-first-write = First write
chart-first-write-caption = The first write of each block of the test file, in sequence. A step down is the end of a write cache or of burst credits.
axis-written = GB written

## report/html/limit_charts

limit-rates = Operations over load: { $curve }
limit-rates-served = On the dotted line every arrival is served. Below it the device does not keep up, and waits grow without end.
limit-rates-plain = Where the line turns flat, more depth only adds latency; where it falls, more depth gives less.
limit-rates-guides = Dotted: what no queue can exceed. It rises as depth divided by idle latency, up to the most that was measured.
limit-rates-knee = The two dotted lines meet at the knee: beyond it, more depth adds latency only.
limit-rates-no-knee = The device gave still more at the deepest queue: its ceiling was not seen.
limit-rates-law = Long dashes: the universal scalability law, within the tested depths.
axis-arrivals-planned = planned arrivals per second
series-served = every arrival served
series-idle-guide = depth / idle latency
series-ceiling = ceiling
series-most-seen = most measured
series-law = scalability law
series-reads = reads
series-writes = writes
series-trims = trims
series-syncs = syncs
series-together = both together
series-measured = measured
series-thrashing = thrashing: fewer at depth { $then } than at { $best }
limit-tails = How long operations take at the limit
series-of-direction = { $direction }, { $load }

## report/html/surface_charts

steps-title = Rates of the steps
steps-caption = Each mark is the rate of a step, its line the 95 % interval. Hollow: the interval is too wide for a figure.
small-files-caption = Each mark is the rate of an operation, its line the 95 % interval.
small-files-p99-caption = 99 of 100 operations were faster than this.
range-point = { $what }: { $value }
axis-place = place, GB from the start
axis-share-read = part of the device that is read
axis-mean-read = mean of a random read
series-sequential = read in sequence
series-fit = curve through all
series-weak = weak: slow every time
series-passing = slow once, not again
series-suspect = slow, read once
series-mean = mean
series-longest = longest
series-seek = seek and half a turn
surface = The surface: rate by place
surface-caption = Places all over the device, read in random order.
surface-zones = The rate falls as on a disk with zone bit recording; the curve explains { $explained } of the differences.
surface-access = The surface: access times
surface-access-caption = Random reads at each place, one at a time, without a seek over the disk.
surface-arm = Seek times
surface-arm-caption = Random reads, one at a time: the further the arm has to go, the longer they take. The platter makes { $turns } revolutions a minute.

## report/html/fleet_charts

hosts-slowest-drawn = { $drawn ->
    [one] Only the slowest host is drawn; { $left } faster hosts are in the totals.
   *[other] Only the { $drawn } slowest hosts are drawn; { $left } faster hosts are in the totals.
}
hosts-load = { $curve }: host by host
hosts-load-caption = One line for each host, and their total. Hosts of the same storage should be on one line: a host below the others has a slower path to it.
hosts-time = The run over time: host by host
hosts-time-caption = All hosts on one clock. A dip of all hosts comes from the storage; a dip of one comes from that host or its path.
hosts-skew = Start times
hosts-skew-caption = Time from the first host's start to the last host's start, for each cell. Thin lines: the error of the clocks.
axis-together-depth = depth, all hosts together
axis-together-rate = arrivals per second, all hosts together
axis-of-host = operations per second of a host
axis-cells = cells, in the order in which they ran
axis-skew = skew
series-total = total
series-least = least
series-median = median
series-most = most
series-mean-host = mean of all hosts

## report/html/sweep_charts

sweep-heat = { $workload }: { $unit } by block size and depth
sweep-heat-operations = The stronger the colour, the more operations per second. Struck out: disturbed or invalid. !: see the warnings.
sweep-heat-bytes = The stronger the colour, the more megabytes per second. Struck out: disturbed or invalid. !: see the warnings.
sweep-heat-point = { $size }, depth { $depth }: { $figure } { $unit }
sweep-over-size = { $workload }: { $unit } over block size
sweep-over-size-caption = Points are measured. Dashed: the law of two limits, one of operations and one of bytes per second, where it is known within a factor of 10 and fits every point.
sweep-crossover = At depth { $depth } the two limits meet near { $size }.
sweep-over-depth = { $workload }: IOPS over depth
sweep-over-depth-caption = One line per block size. Where it turns flat, more depth only adds latency.
sweep-beside = Reads beside writes
sweep-beside-caption = { $job }. The first point is the reads alone. At the last point all { $writes } writes per second that the target takes alone were planned.
sweep-beside-share = { $share } of the maximum write rate
series-of-reads = { $statistic } of reads
axis-writes-beside = random writes per second at the same time
axis-read-latency = latency of reads

## report/html/tiles

chip-ok = ok
chip-warning = warning
chip-no-figure = no figure
chip-invalid = invalid
tile-replay-carries = Keeps up with
tile-replay-slowest = slowest request: { $slowest } after its planned start
tile-replay-response = { $percentile } of response time, { $requests }
tile-replay-compared = of the { $share } of the requests that met no deeper queue here than there
tile-replay-within = Keeps { $bound } up to
unit-times-load = times this load
unit-there = there
unit-here = here
tile-latency = Read latency, depth 1
tile-requests = { CAP($requests) }
tile-reads = Random reads
tile-writes = Random writes
tile-streams = Sequential rate
tile-commits = Commits, one client
tile-most-operations = Most operations
tile-most-bytes = Most bytes
tile-answer = { $curve } within { $bound }
tile-slowest = Slowest host: { $host }
unit-reads = reads/s
unit-writes = writes/s
unit-commits = commits/s
unit-files = files/s
unit-read-rate = MB/s read
unit-write-rate = MB/s write
tile-no-interval = no interval
tile-too-wide = the interval is too wide for a figure
tile-too-wide-of = { $figures }: the interval is too wide for a figure
tile-within = within { $bound } at depth { $depth }
tile-not-kept = { $bound } is not kept even at depth { $depth }
tile-answer-at = at { $load }, { $by }
tile-answer-with = at { $load } ({ $statistic }), { $by }
tile-answer-none = { $reason }; { $rate } IOPS at { $load }
tile-none = none
tile-needed = needed: { $limit }
tile-cell = { $curve }, depth { $depth }
tile-share = { $share } of all
tile-mean-and-tail = mean { $mean }, p99 { $tail }
tile-commit-tail = p99 { $tail }

## report/html/trust

badge-trusted = trusted
badge-caution = caution
badge-do-not-use = do not use
badge-reason-sound = The checks that could run found no problem.
badge-reason-nothing = No measurement was completed: no number can be trusted.
badge-reason-lost = Totals marked degraded lack a host.
badge-reason-not-judged = Not judged: no truth check applies to this kind of run.
badge-reason-finding = { CAP($finding) }.
badge-reason-open = The checks found nothing, but the run gives no certain answer.
badge-warned-cells = Warnings touch: { $cells }.
trust-passed = { $count ->
    [one] { $count } check passed: { $checks }.
   *[other] { $count } checks passed: { $checks }.
}
trust-blind = { $count ->
    [one] { $count } check could not run: { $checks }.
   *[other] { $count } checks could not run: { $checks }.
}
trust-cells = { $count ->
    [one] { $touched } of { $count } cell
   *[other] { $touched } of { $count } cells
}
trust-worst = worst: { $what }, { $value }
trust-evidence = evidence

## report/html/view

page-unknown-host = unknown host
page-test-file = test file of { $size }; { $time }
page-shorter-file = test file of { $size } instead of { $wanted } ({ $reason }); { $time }
page-own-files = small files of its own; { $time }
page-only-read = { $size } were read, nothing was written; { $time }
page-imitates = Imitates { $tool }.
page-departure = Differs from the preset: { $words }.
page-behaves-like = It behaves like { $class }.
page-results-caption = Total latency: from submission to completion. ±: 95 % interval of the IOPS within this run. *: the most IOPS within { $bound }. -: too few samples.
page-results-plain-caption = Total latency: from submission to completion. ±: 95 % interval of the IOPS within this run. -: too few samples.
page-results-replay-caption = Response times: from the planned start to the completion. ±: 95 % interval of the IOPS within this run. -: too few samples.
page-shares-caption = Share of each host in { $cell }. Began: time after the first host's start.
page-notes = { $count ->
    [one] { $count } note
   *[other] { $count } notes
}
page-more = { $count ->
    [one] { $count } more
   *[other] { $count } more
}
page-footer = truedisk { $version }, record { $id }, schema { $schema }

## report/html/facts

layer-detail = { $name } { $value }
layer-link-words = { $kind } { $current }, carries { $carries }
layer-link-of = { $kind } { $current } of { $most }, carries { $carries }
layer-serial = serial
layer-firmware = firmware
layer-rotational = rotational (as claimed)
layer-scheduler = scheduler
layer-sector = sector
layer-physical-sector = physical sector
layer-write-cache = write cache:
layer-requests = requests
layer-largest-request = largest request
layer-hardware-queues = hardware queues
layer-link = link
layer-health-start = health at the start:
layer-health-end = health at the end:
layer-file = file
layer-file-direct = bypasses the cache of that file:
word-yes = yes
word-no = no
fact-run = run
fact-started = started
fact-host = host
fact-coordinator = coordinator
fact-system = system
fact-kernel = kernel
fact-processor = processor
fact-memory = memory
fact-virtualisation = virtualisation
fact-container = container
fact-user = user
fact-root = root
fact-not-root = not root
fact-none-seen = none seen
fact-io-uring = io_uring
fact-available = available
fact-measured-by = measured by
fact-known-of-it = notes
fact-seed = seed
fact-span = span
fact-clock = clock
fact-clock-words = { $clock }, { $reading } per reading
fact-generator = generator
fact-generator-words = { $one }/s at depth 1, { $many }/s at depth 32, on operations that do nothing
fact-control-group = control group

## report/compare/charts

compare-axis-ratio = { $b } over { $a }
compare-ratios = { $b } over { $a }, cell by cell
compare-ratios-caption = Each diamond is the ratio of a cell, its line the 95 % interval. Right of 1, { $b } gives more. Shaded: within { $margin }, the same.
compare-ratio-words = { $cell }: x { $ratio }
compare-cell-figure = { $cell }, { $figure }
compare-side-point = { $side }, depth { $depth }
compare-over-depth = { $workload }: IOPS over depth
compare-over-depth-caption = Operations of both sides at the same depths. Bars are 95 % intervals.
compare-over-load = { $workload }: latency over load
compare-over-load-caption = Each point is a depth. Lower and farther right is better.

## report/compare/page

compare-sides = { $b } against { $a }
compare-ratio-caption = Ratio: { $b } over { $a }, with its 95 % interval. *: holds for all comparisons together (Holm, 5 %). -: too few samples.
compare-no-difference = No difference shown between { $a } and { $b }
compare-same = { $a } and { $b } are { $words }
compare-more-runs = { $runs ->
    [one] The undecided cells need { $runs } more run of each side.
   *[other] The undecided cells need up to { $runs } more runs of each side.
}
compare-one-run-each = one run each: no interval between runs
compare-cannot-tell = cannot tell
compare-no-currency = no currency was given
compare-money = Per unit of money a month. Currency:

## report/trend

trend-run = run
trend-level = level
trend-caption = Each point is a run with its 95 % interval. A line is a level that its runs share.

## target

root-serial-numbers = serial numbers and identifiers of { $disks }
root-locked-memory = registered buffers beyond the memory-lock limit of { $limit }
root-raw-devices = measuring raw block devices without a file system
root-drop-caches = dropping the caches of the whole host, not only of the measured file

## watch

watch-not-counted = the kernel does not count the I/O of { $disks } (queue/iostats is 0): left out
watch-not-timed = the kernel does not time the I/O of { $disks } (queue/iostats is 0): rates without latencies
watch-bio-based = the I/O of { $disks } passes no request queue: rates and means, no percentile
watch-bios-timed = { $disks } has no request queue: the time in the queue and in the device are not told apart, and above 16,000 requests/s one of eight is timed
watch-ebpf-not-permitted = latency percentiles need root, or CAP_BPF and CAP_PERFMON: rates and means only
watch-ebpf-unavailable = no latency percentiles here: { $reason }
watch-instead-of-ebpf = eBPF does not work here ({ $reason }): the block tracepoints instead, without who waits
watch-not-bottleneck = { $disk } is not your bottleneck: { $because }
watch-saturated = { $disk } is saturated: { $because }
watch-capped = { $disk } is capped: { $because }
watch-slow = { $disk } is slow though lightly used: { $because }
watch-cannot-tell = cannot tell whether { $disk } is your bottleneck: { $because }
watch-nothing-asked = no requests in { $time }
watch-programs-waited = in { $time } programs waited for storage at least { $share } of the time
watch-busy-share = in { $time } a request was outstanding for at most { $share } of the time
watch-read-latency = read { $statistic } { $latency }
watch-write-latency = write { $statistic } { $latency }
watch-read-latency-over = read { $statistic } { $latency }, beyond { $bound }
watch-write-latency-over = write { $statistic } { $latency }, beyond { $bound }
watch-flush-latency = flush { $statistic } { $latency }
watch-flush-latency-over = flush { $statistic } { $latency }, beyond { $bound }
watch-mean-latency = mean latency { $latency }
watch-outstanding = { $outstanding } requests outstanding on average
watch-in-queue = { $share } of the latency is time in the queue
watch-does-of = it does { $rate } of the { $limit } that it gave within { $bound } on { $date } ({ $curve })
watch-does-of-at-least = it does { $rate } of at least { $limit } that it gave within { $bound } on { $date } ({ $curve })
watch-known-latency = a request takes { $latency }; on { $date } it took { $known } with as many outstanding
watch-known-cap = it does { $rate }, and on { $date } a cap held it at { $limit }
watch-flat = its rate is flat at { $iops } IOPS: it varies by { $variation }, less than chance would make it
watch-group-use = { $share } of that is used
watch-silent = hardly any request completed for { $time } in all, with { $outstanding } outstanding
watch-waiter-group = { $share } of the waiting is by { $group }
watch-waiter-writeback = { $share } of the waiting is writeback of the page cache
watch-processor-waited = programs waited for a processor { $share } of the time
watch-processor-busy = the processors were busy { $share } of the time
watch-too-few = { $operations ->
    [one] { $operations } request is too few for a percentile
   *[other] { $operations } requests are too few for a percentile
}
watch-no-distribution = the source in use gives means, not percentiles
watch-held-elsewhere = something else holds them up: a limit of a control group, another disk, or network storage
watch-limit-unknown = what it can do with this load is not known
watch-too-hot = its temperature is { $celsius } °C, and it reports that this is too hot
watch-too-hot-of = its temperature is { $celsius } °C, and its maker's limit is { $celsius-max } °C
watch-slow-link = its link runs at { $speed }, and could run at { $speed-max }
watch-failed-now = { $count ->
    [one] { $count } request failed in this time
   *[other] { $count } requests failed in this time
}
watch-failed-commands = { $count ->
    [one] { $count } command to it timed out since the boot
   *[other] { $count } commands to it timed out since the boot
}
watch-flushes-among-writes = flushes are counted as writes, so the disk's rate cannot be compared with its limit (with eBPF, flushes are counted apart)
watch-next-limit = When the disk is idle, measure what it can do: { $command }
watch-next-limit-file = Raise or remove the limit: { $file }
watch-next-provider = Look at the limits of the volume and of the machine type at the provider; a faster disk helps only where its limit is higher.
watch-next-saturated = A faster disk, a cache or fewer requests help; more requests at a time do not.
watch-next-depth = Programs still wait because they send few requests at a time: more in parallel would raise the rate.
watch-next-slow = Look for errors (dmesg), heat (smartctl -a) and other users of the same hardware.
watch-next-slow-check = Look for errors (dmesg), heat (smartctl -a) and other users of the same hardware, and measure it when it is idle: { $command }
watch-saturated-or-capped = requests queue for { $disk }; whether it is saturated or capped is unknown: { $because }
watch-watching = watching { $disks }; source: { $source }
watch-source-ebpf = eBPF, every request
watch-source-trace = block tracepoints, every request
watch-source-counters = counters (/proc/diskstats): rates and means, no percentiles
watch-metrics-at = metrics: { $address }
watch-watched-for = over { $time }
watch-disk-line = { $disk }: { $outstanding } outstanding; used: not known
watch-disk-line-used = { $disk }: { $outstanding } outstanding; used: { $used } of the { $limit } within { $bound } on { $date } ({ $curve })
watch-waited-per-second = { $time }/s
watch-waiters-estimated = who waits is an estimate: above 16,000 requests/s, one of eight requests faster than 1 ms is counted
watch-missing-requests = { $count ->
    [one] { $count } request is missing from the latencies and from who waits; the rates include it
   *[other] { $count } requests are missing from the latencies and from who waits; the rates include them
}
watch-probe = one read of our own a second: { $mean } on average, { $max } at most ({ $count ->
    [one] { $count } read
   *[other] { $count } reads
})
watch-probe-waiting = a read of our own has been waiting for { $time }
watch-probe-errors = reads of our own that failed: { $count }
watch-fact-probe = reads of our own
watch-read = read
watch-write = write
watch-flush = flush
watch-head-disk = disk
watch-head-queue = queue p99
watch-head-device = device p99
watch-head-who = who waits
watch-head-waited = waited
watch-others = others
watch-source = source: { $source }
watch-first-interval = The first interval has not ended yet.
watch-paused = paused: measuring goes on
watch-capturing = capturing { $disk } into { $file }: c ends it and saves the file
watch-capture-saved =
    { $requests ->
        [one] Saved { $requests } request of { $disk } to { $file }
       *[other] Saved { $requests } requests of { $disk } to { $file }
    }
watch-capture-failed = Cannot capture { $disk }: { $error }
watch-keys = q end, j/k disk, s sort ({ $order }), c capture, p pause, ? help
watch-order-verdict = by verdict
watch-order-rate = by rate
watch-order-latency = by latency
watch-order-name = by name
watch-head-reads = reads/s
watch-head-writes = writes/s
watch-head-latency = latency
watch-head-outstanding = outstanding
watch-head-used = used
watch-map = Latency of { $disk }. Share of the requests: ░ < 1 %, ▒ < 10 %, ▓ < 50 %, █ more
watch-means = Mean latency of { $disk } (*), one per interval; the source has no distribution
watch-help-end = end the watch; the result of the whole watch is printed
watch-help-disk = choose the disk of the sentence, the map and those who wait
watch-help-sort = sort the disks by verdict, rate, latency or name
watch-help-capture = capture the load of the chosen disk into a profile for truedisk replay; c again saves it
watch-help-pause = pause the screen (also: space bar); measuring goes on
watch-help-help = show or close this help
watch-help-parts = latency of reads, writes and flushes together: from the acceptance by the block layer to the completion. queue: until the driver gets the request. device: from the driver to the completion.
watch-help-used = used: the rate as a share of the highest rate that a stored run of the disk reached within the bound.
watch-help-map = map: a column is an interval; a row is the latencies from its label up to the label above.
watch-help-absent = -: the source does not report it, or the interval has too few requests for this percentile.
watch-scope = watched for { $time }; source: { $source }
watch-series-read = read { $statistic }
watch-series-write = write { $statistic }
watch-series-flush = flush { $statistic }
watch-chart-latency = Latency of { $disk } over time
watch-chart-latency-caption = A point is { $time }. A percentile is shown where the point has enough requests for it.
watch-chart-rate = Requests of { $disk } over time
watch-chart-rate-caption = Requests completed per second, after merging. A point is { $time }.
watch-tile-used-of = of { $limit } within { $bound } on { $date } ({ $curve })
watch-tile-median = p50 { $latency }
watch-tile-mean = mean { $latency }
watch-at-least-of-time = at least { $share } of the time
watch-of-time = { $share } of the time
watch-celsius = { $disk }: { $degrees } °C
watch-errors-of = { $disk }: { $count }
watch-unseen-use = What { $disk } can do with this load: no stored run has its size and mix.
watch-unseen-pressure = How long programs waited: this kernel does not count it (psi=1 on its command line).
watch-unseen-throttle = Time for which a limit of a control group holds requests back before the block layer accepts them: no latency includes it.
watch-unseen-order = Whether the requests are random or sequential.
watch-badge-not-bottleneck = not the bottleneck
watch-badge-saturated = saturated
watch-badge-capped = capped
watch-badge-slow = slow
watch-badge-cannot-tell = cannot tell
watch-fact-pressure = programs waited for storage
watch-fact-processors = processors were busy
watch-fact-cpu-pressure = programs waited for a processor
watch-fact-steal = the hypervisor ran something else
watch-fact-dirty = dirty pages, at most
watch-fact-writeback = pages being written back, at most
watch-fact-errors = requests that failed
watch-fact-temperature = temperature
watch-fact-limits = limits of control groups
watch-page-causes = Causes looked at
watch-page-waiters = Who waits
watch-page-others = Other disks
watch-page-figures = Figures
watch-tile-reads = Reads
watch-tile-writes = Writes
watch-tile-read-latency = Read latency
watch-tile-write-latency = Write latency
watch-tile-flush-latency = Flush latency
watch-tile-used = Used, of the known limit
watch-tile-used-unknown = no stored run with this load
watch-unit-flushes = flushes/s
watch-method-text = Latency runs from the acceptance of a request by the block layer to its completion; queue: until the driver gets it; device: from the driver on. Requests are counted after merging. A percentile is shown only where the number of requests supports it. The load was that of others: two watches differ by their loads before they differ by their disks.
compare-watch-no-load = nothing was read or written in { $disk }
compare-watch-other-mix = { $a } against { $b } of the operations are reads
compare-watch-other-size = { $a } against { $b } per operation
compare-watch-other-rate = { $a } against { $b } IOPS
compare-watch-differs = { $disk }: no verdict, because the loads differ: { $differences }
compare-watch-faster = { $disk }: with the same load, requests take less time in B
compare-watch-slower = { $disk }: with the same load, requests take longer in B
compare-watch-alike = { $disk }: with the same load, requests take about the same time in B
compare-watch-unclear = { $disk }: no verdict: too little was measured, or the results disagree (median and 99th percentile, or reads and writes)
compare-watch-flushes = flushes are counted as writes, so the two watches cannot be compared (with eBPF, flushes are counted apart)
compare-watch-side = { $run }, { $when }, { $time }; { $source }
compare-watch-side-on = { $run } on { $host }, { $when }, { $time }; { $source }
compare-watch-no-disk = No disk was active in both watches.
compare-watch-method = A watch is no controlled measurement: the load is that of others. There is a verdict only where mix, size and rate of the operations are alike. Longer or less time: the median and the 99th percentile (with counters: the mean) both differ by a quarter or more. To compare disks: truedisk compare --interleave.
trend-changed = The level changed with run { $run }: { $change }. In watches the load differs, so this says neither better nor worse.

## stats

no-interval-nothing = nothing was measured
no-interval-no-number = the series holds values that are not numbers
no-interval-short = too short: { $worth } of the { $needed } effective samples needed
no-interval-few-measurements = too few measurements: { $made }, { $needed } needed
no-interval-few-rounds = too few rounds for an interval of the median: { $made }, { $needed } needed
no-interval-no-weight = the measured points do not determine it
no-interval-nothing-to-compare = nothing to compare
no-interval-one-run-each = one run of each side does not show how much runs differ
no-interval-one-run = one run without an interval of its own
no-interval-no-series = no series
no-interval-one-pass = one pass has no interval of this
no-interval-longest = the longest of all
no-interval-next-longer = the next run may have a longer one
no-interval-imported = fio's JSON holds no series
no-interval-cache-size = this was written before the fall; the cache frees space meanwhile, so it may be smaller
no-interval-few-figures = too few figures: { $few } on one side, { $more } on the other
no-interval-flat = many values fit the data equally well

## fio

fio-import-no-series = fio's JSON holds no series, so no figure of a single run has an interval
fio-import-no-time = fio did not say when it ran
fio-import-completion-latency = percentiles are of completion latency (fio's clat): fio gave none of total latency
fio-import-option = job '{ $job }': option { $option } was ignored: { $why }
fio-import-more-options = { $more ->
    [one] job '{ $job }': { $more } more option was ignored
   *[other] job '{ $job }': { $more } more options were ignored
}
fio-import-guessed = job '{ $job }': fio did not say what was asked; order, size and depth are taken from its name and its figures

## report/devices

devices-title = Block devices
devices-none = No block device can be seen here.
devices-health = Health
devices-idle = Left out here, because they are not set up, empty, or memory: { $names }.
devices-may-write = May they be written?
devices-write-note = Nothing was opened for writing to find this out; the check is repeated before anything is written. A device is written only when it is named twice: truedisk check DEVICE --yes-destroy-data-on DEVICE.
devices-file-systems = File systems
devices-swap = Swap space: { $path }, { $used } of { $size } used.
devices-measure = To measure next
devices-unknown = Not known
head-device = device
head-size = size
head-claims = what it claims
head-link = link
head-health = health
head-queue = queue
head-cache = cache
head-sectors = sectors
head-why = why
head-mounted-on = mounted on
head-kind = kind
head-free = free
head-on = on
device-detail = { $kind } { $detail }
device-over = { $kind } over { $file }
device-removable = { $device }, removable
device-link = { $kind } { $current }: { $ceiling } at most
device-link-of = { $kind } { $current } of { $max }: { $ceiling } at most
device-link-below = { $link }, below what it can do
device-no = no
device-loses-data = loses data
device-yes = yes
device-unknown = unknown
device-holds = nothing here uses it, but it holds { $held }
device-unused = nothing here uses it, and nothing is found on it
device-unseen = nothing is seen to use it; see below
mount-of = { $what } ({ $source })
mount-of-on = { $what }, on { $devices }
mount-root = { $mount }: its { $root }
mount-read-only = { $mount }, read-only

## model

sheet-sources = Sources
models-title = Plans and models
head-for-example = for example
model-own-plan = a plan of your own
model-hdd = a rotating disk by its data sheet
model-ladder = what typical devices give
model-as-of = AWS volumes take as-of=YYYY-MM-DD for the limits of that day.
ladder-title = Random reads of 4 KiB a second: what typical devices give
ladder-this-record = THIS RECORD
head-class = class
head-example = example
ladder-note = Measured: medians of users' submissions to iocost-benchmarks, one to four drives of a model on different hosts. Sold: as the provider states it. Read them as ranges.
ladder-measured = measured
ladder-sold = sold
ladder-computed = computed
ladder-rotating-disk = rotating disk
ladder-cloud-volume = volume in a cloud
ladder-below-time = below { $time }
model-random-reads = Random reads, by block size
model-random-writes = Random writes, by block size
model-sequential-reads = Sequential reads, merged, by block size
model-sequential-writes = Sequential writes, merged, by block size
head-measured-iops = measured IOPS
head-block = block
head-burst = burst
head-limit = limit
head-time = time
model-tolerance = The provider states { $share } % of it for { $of-time } % of the time.
model-limit-operations = operations
model-limit-bytes = bytes
model-no-limit = no limit
model-over-time = Over time, from full credits, under a load that takes all it gets
model-phase = { $from } to { $until }
model-phase-on = from { $from } on
model-always = sustained
model-burst = burst
model-refill = Without load, empty credits are full again after { $time }.
model-hours = { $seconds } s ({ $hours } h)
model-seconds = { $seconds } s
hdd-title = Rotating disk, { $rpm } rpm, { $seek } average seek
hdd-formula = One random operation at a time: seek + half a rotation + transfer + controller.
hdd-stretch = The arm moves over { $share } % of the surface only: seek = { $track } + ({ $seek } - { $track }) x sqrt({ $share } %).
hdd-table = Random, one at a time
hdd-surface = Sequential, over the surface (the innermost radius is half of the outermost)
head-seek-ms = seek ms
head-rotation = rotation
head-transfer = transfer
head-controller = controller
head-all-ms = all ms
head-at = at
plan-gp2-base = baseline: 3 IOPS per GiB, at least 100; 128 MiB/s up to 170 GiB, more above
plan-gp2-burst = burst: 5.4 million credits of one operation, full at the start
plan-gp3 = no burst; up to 500 IOPS per GiB, and 0.25 MiB/s per IOPS, can be bought
plan-io1 = 500 MiB/s up to 32,000 IOPS, 16 KiB per IOPS above; more than 32,000 on Nitro only
plan-io2 = 0.256 MiB/s per IOPS up to 4,000 MiB/s; designed for less than 1 ms on average
plan-hdd-volume = { $base } MiB/s per TiB sustained, { $burst } in a burst, at most { $most }; credits equal to the volume's size in bytes
plan-azure-host-cache = reads may be answered by the host's cache, where it is on
plan-azure-credits = separate credits of operations and of bytes, each for 30 minutes
plan-azure-on-demand = on-demand bursting, which is paid for, has no end
plan-no-burst-bought = no burst; { $limits }, can be bought
plan-azure-v2-limits = up to 500 IOPS per GiB, and 0.25 MB/s per IOPS
plan-azure-ultra-limits = up to 1,000 IOPS per GiB, and 0.25 MB/s per IOPS
plan-gcp-machines = no burst; small machine types have lower limits of their own
plan-gcp-baseline = Google adds a baseline, whose figures are not in this model
plan-gcp-n2 = the maximum needs an N2 machine with 64 processors or more
plan-gcp-size = the size of the volume narrows what can be bought; that is not checked here
plan-gcp-extreme = 250 MiB/s with every 1,000 IOPS, up to 5,000 MiB/s
plan-gcp-throughput = 4 IOPS with every MiB/s; 10 to 30 ms per read, as a rotating disk
plan-gcp-target = a target as Google states it, no guarantee; the machine type limits it, too
plan-digitalocean = the same for every size; bursts of 60 s, then at least 60 s without a burst
plan-vultr = upper limits as Vultr states them, no minimum; up to 50 % more for about one minute
plan-what-aws-gp2 = EBS General Purpose SSD, with credits
plan-what-aws-gp3 = EBS General Purpose SSD
plan-what-aws-st1 = EBS Throughput Optimized HDD, with credits
plan-what-aws-sc1 = EBS Cold HDD, with credits
plan-what-gcp-pd-standard = Persistent Disk, rotating
plan-what-azure-premium = Premium SSD by size, or p1 to p80 by name
plan-what-digitalocean-basic = volume at a basic droplet
plan-what-digitalocean-optimized = volume at an optimized droplet
plan-what-vultr-nvme = block storage, NVMe
plan-what-vultr-hdd = block storage, HDD

## capture

capture-capturing = capturing the requests of { $disk }
capture-progress = { $disk }: { $requests } requests in { $time }
capture-captured = { $disk }: { $rate } IOPS over { $time } ({ $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
})
capture-uncertain = Rate: ±{ $margin } (95 %). A longer capture is more certain.
capture-kind = { $kind }: { $facts }
capture-reads = reads
capture-writes = writes
capture-discards = discards
capture-flushes = flushes
capture-share = { $share } of the requests
capture-size = mostly { $size }
capture-sequential = { $share } sequential
capture-none-sequential = none sequential
capture-latency = { $statistic } { $latency }
capture-lost = { $lost ->
    [one] { $lost } request was
   *[other] { $lost } requests were
} not captured ({ $share }): the rates are too low by that share.
capture-lost-few = { $lost ->
    [one] { $lost } request was
   *[other] { $lost } requests were
} not captured, less than 0.01 % of all.
capture-own-writes = { $file } lies on { $disk }: its writes are a part of the load
capture-full = { $file } reached its largest size of { $size }, and the capture ended. For more: --max-size.
capture-trace-saved = trace: { $file } ({ $size })
capture-profile-saved = profile: { $file }

## target, announcements

announce-test-file = a test file of { $size } in { $path }
announce-test-files = a test file of up to { $size } in { $path } on each host
announce-over = over the first { $size } of { $path }
announce-then-reads = writes { $what }, then only reads: at most { $time } in all
announce-then-writes-up-to = writes { $what }, then reads and writes: at most { $max } and { $time } in all
announce-then-writes = writes { $what }, then reads and writes at full speed: at most { $time } in all; at 1 GB/s up to { $gigabytes } GB (limit: --max-written SIZE)
announce-of-preset = { $preset } { $announcement }
announce-small-files = { $preset } writes small files, up to { $written } in all, in a folder of its own in { $path }, which it removes; { $time }
announce-only-reads = { $preset } reads { $path } and writes nothing; it takes at most { $time }
announce-search-part = checking { $path } for data before writing to it (about 2 s)
announce-search-whole = checking all { $size } of { $path } for data before writing to it
announce-requests-write = writes { $size } per request { $place }, { $end }
announce-to-path = to { $path }
announce-over-contents = to { $path }, overwriting its contents
announce-to-work-file = to the work file in { $folder }
announce-work-file-then-requests = writes a work file of { $work } in { $folder }, then { $size } per request, { $end }
announce-work-file-then-reads = writes a work file of { $work } in { $folder }, then only reads, { $end }
announce-until-stopped = until it is stopped
announce-for-time = for { $time }
announce-at-most = { $times ->
    [one] once
   *[other] { $times } times at most
}
duration-at-most = at most { $max }
duration-about = about { $usual } on an SSD, until all are measured
duration-about-and-at-most = about { $usual } on an SSD, at most { $max }
use-mounted = { $device } is mounted on { $path }
use-swap = { $device } is in use as swap space
use-part-of = { $device } is part of { $whole }
use-behind-loop = { $device } is the device behind { $above }
use-open = { $program } (process { $process }) has { $device } open for writing
use-unknown-to-sysfs = sysfs does not know { $device }: whether it is in use is unknown
use-number-unknown = sysfs does not tell the number of { $device }
use-proc-unreadable = /proc cannot be read: whether it is in use is unknown
write-no-size = it has no size: it is not set up, or there is no medium in it
write-kernel-read-only = the kernel has it read-only
write-optical = optical media are not written
write-no-permission = this user may not write to it
write-kernel-busy = the kernel says that it is in use: { $error }
write-contents-unseen = whether a program has claimed it, and what is on it: { $reason }
write-blocks-unseen = whether a program has claimed it, and its blocks: { $reason }
holds-by-udev = { $kind }, by udev
holds-table-by-udev = a partition table ({ $kind }), by udev
mount-size-unseen = its size: { $reason }
unseen-serial = the serial number of { $device }: permission denied
unseen-nested-deeper = file systems nested deeper than { $levels } levels
unseen-upper-outside = the file system of { $upper }: it is outside this container
unseen-upper-assumed = { $upper } is outside this container: assumed to be on { $source }, like { $mounted-at }
unseen-backing-file-system = the file system of { $file }, the file behind { $device }
unseen-mounts = what is mounted: /proc/self/mountinfo cannot be read
unseen-block-devices = the block devices: /sys/dev/block cannot be read
device-file-missing = there is no device file { $path }
device-file-other = { $path } is not the device file of { $device }
device-too-small = too small to be measured: at least { $size-min } are needed
device-health-unseen = its health log (SMART) cannot be read: { $reason }
mount-no-permission = this user may not write at its top: name a folder of yours on it
mount-overlay-upper = an overlay: writes go to { $upper }
mount-overlay = an overlay that takes no writes
mount-memory = memory, no disk
mount-other-host = on another host
mount-fuse = served by a program (FUSE)
holds-gpt-partition-table = a GPT partition table
holds-ext2-3-4-file-system = an ext2/3/4 file system
holds-xfs-file-system = an xfs file system
holds-btrfs-file-system = a btrfs file system
holds-bcachefs-or-bcache-device = a bcachefs or bcache device
holds-bcachefs-file-system = a bcachefs file system
holds-f2fs-file-system = an f2fs file system
holds-ntfs-file-system = an NTFS file system
holds-exfat-file-system = an exFAT file system
holds-fat-file-system = a FAT file system
holds-iso-9660-file-system = an ISO 9660 file system
holds-squashfs-file-system = a squashfs file system
holds-lvm-physical-volume = an LVM physical volume
holds-luks-volume = a LUKS volume
holds-member-of-an-md-array = a member of an md array
holds-member-of-a-zfs-pool = a member of a ZFS pool
holds-ceph-osd = a Ceph OSD
holds-swap-space = swap space
holds-gzip-stream = a gzip stream
holds-xz-stream = an xz stream
holds-zstd-stream = a zstd stream
holds-lz4-stream = an lz4 stream
holds-bzip2-stream = a bzip2 stream
holds-zip-archive = a zip archive
holds-7z-archive = a 7z archive
holds-tar-archive = a tar archive
holds-data-encrypted-by-openssl = data encrypted by OpenSSL
holds-data-encrypted-by-age = data encrypted by age
holds-partition-table-or-boot-sector = a partition table or boot sector
holds-unknown-data = data of no known kind
holds-benchmark-data = what a benchmark left, or a volume encrypted without a header
