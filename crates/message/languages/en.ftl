# English. Every other language has the same messages with the same arguments.

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

with-interval = { $value } ±{ $half }

clauses = { $clauses }
no-target = no target was described

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

check-page-cache-method = The bytes that were asked for are compared with those that the kernel charged to this process and those that the device says it served. A cell of which the device served less than { $served-min } came from the page cache. Where nothing is counted, so did a cell during which the cached part of the span grew by more than { $growth-max }. A file system in memory (tmpfs) is known by its kind.
page-cache-as-asked = requests went through the page cache, as asked, and no counter shows that a device moved the bytes
page-cache-refused-unproven = the file system refused O_DIRECT, and no counter shows that a device moved the bytes
page-cache-answered = the page cache answered: the device moved fewer bytes than were asked for
page-cache-grew = the page cache grew with the reads, and no counter shows that a device moved the bytes
page-cache-refused-too-little = the file system refused O_DIRECT, and too few bytes were asked for to see what moved them
page-cache-refused-yet-moved = the file system refused O_DIRECT, yet the device moved the bytes
page-cache-device-moved = the device moved the bytes that were asked for
page-cache-as-option-asks = requests went through the page cache, as -C asks
page-cache-is-memory = this is memory, not a disk: { $kind } keeps its files in RAM
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
check-zero-blocks-method = Random blocks are read and looked into: what share is all zeros, and whether zeros were answered faster than data.
check-zero-blocks-ok = hardly any block is all zeros; of blocks that this run wrote, none
check-zero-blocks-not-observable = no contents were looked at, or too few
check-zero-blocks-note = many blocks are zeros, and no faster than others, or too few to time
check-zero-blocks-warning = zeros are answered faster, or nearly all blocks are zeros and there is no data to compare with
check-zero-blocks-invalid = nearly all blocks are zeros, and answered faster than data; or blocks that this run wrote read back as zeros: the device loses data
check-zero-blocks-remedy = Write the whole device once before you measure it. Or measure a folder on it: truedisk then reads only what it wrote.
check-zero-blocks-blind-spot = Empty blocks that read as something other than zeros, and blocks of zeros that were written and do come from the medium.
check-zero-blocks-short-remedy = write the device once before measuring it, or measure a folder
remedy-device-loses-data = do not trust this device with data: it loses what is written; look at its log

zero-blocks-not-read = no blocks were looked at before the measurement
zero-blocks-too-few = too few blocks were looked at in this time to say anything
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
host-cache-beside = second reads are { $times } times as fast: a cache below this host holds them; the figures hardly come from it
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

check-first-touch-method = Places that this run has not written are written twice in a row by the same job. The first write counts as slower if it takes { $on-device } times as long on a device, or { $on-file } times on a file, where the file system has its own part in it; the interval must stay above { $clear-min }. Of reads, fresh blocks are read twice, and compared with reads of blocks that the run has written itself.
first-touch-of-own-blocks = this run wrote its blocks itself: a run with --read-only on the device shows how slow the first read of older ones is
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
first-touch-uneven = the places differ too much to compare first writes with later ones; a longer run shows it

## checks/compressible

check-compressible-question = Are zeros faster than other data, because they are compressed or left out?
check-compressible-meaning = The file system, a thin volume or the controller compresses data, or leaves zeros out. Tools that write zeros (dd if=/dev/zero) measure that. truedisk writes data that cannot be compressed, so its own figures stand.
check-compressible-ok = zeros are no faster than unique data
check-compressible-not-observable = nothing was written past the page cache, the slices were too uneven, or deduplication explains it as well
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
compressible-uneven = the slices differ too much to compare zeros with unique data; a longer run shows it
compressible-mount = { $kind } mounted
compressible-zeros-written = zeros written
compressible-encoded = { $encoded } of { $of } stored encoded
compressible-file = the file as it is stored
compressible-stored = { $encoded } of { $of } compressed or encrypted

## checks/dedup

check-dedup-question = Are copies of the same blocks faster, because they are stored once?
check-dedup-meaning = A layer below stores equal blocks once (VDO, ZFS with dedup, an array). Tools that write one buffer repeatedly measure that. No two sectors that truedisk writes are equal, so its own figures stand.
check-dedup-ok = copies are no faster than unique data
check-dedup-not-observable = nothing was written past the page cache, the slices were too uneven, or the file system compresses, which explains it as well
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
dedup-uneven = the slices differ too much to compare copies with unique data; a longer run shows it

## checks/flush

check-flush-question = Does making a write durable cost anything, or is the flush ignored?
check-flush-meaning = A device with a volatile cache must empty it at every flush, which takes time. Where a flush takes next to none, it is ignored, or the cache is protected by capacitors, a battery or the host's own storage. Only cutting the power shows which. A rotating disk that commits faster than it turns has a cache that answers in its place.
check-flush-ok = a flush takes its time, or the device says that it needs none
check-flush-not-observable = nothing was flushed, the times were too uneven, or a flush of a virtual disk takes no longer than a write: its cache is the host's
check-flush-note = a flush takes no longer than a write, although the cache is volatile
check-flush-warning = a rotating disk commits faster than it turns, or the file system is mounted to send no flushes
check-flush-remedy = Ask the maker or the provider whether the cache survives a loss of power. Check the battery of a controller. The cache of a disk can be switched off (hdparm -W 0, nvme set-feature -f 6 -v 0).
check-flush-blind-spot = A device that takes its time for a flush and loses the data anyway. Only a power cut proves that data survive one.
check-flush-short-remedy = before you trust a commit, ask the maker or provider whether the cache survives a loss of power
remedy-mount-with-barriers = mount without nobarrier (barrier=1)
remedy-find-battery = find out whether the cache of the controller has a battery; if not, switch off the write cache of the disk (hdparm -W 0) and measure again

check-flush-method = One client overwrites the same place in 4 KiB, in turn without and with an fdatasync after each write. The flush is free if the write with it takes less than { $free-max } times the median of a write alone, over at least { $commits-min } commits. It has a cost at { $cost-min } times. Beside it stand what the device says of its cache (queue/write_cache) and the flushes that the kernel counted. A rotating disk, outside of virtual machines, can make at most { $rate-max } commits a second ({ $turns-max } turns, and { $slack } more); it is known by its own word, and by random reads of { $arm-min } or more that spread as those of an arm and a turn.
flush-of-memory = memory has nothing to flush to
flush-not-measured = no write was made durable in this run
flush-commits = commits of one client
flush-commit-rate = { $rate } a second; a disk of { $turns-per-minute } turns a minute can make { $turns } durable
flush-random-reads = random reads
flush-arm-moves = { $time }: an arm moves, and a disk turns
flush-faster-than-turns = it commits faster than any disk turns: a cache answers in its place, and a commit is as safe as that cache
flush-barred = the file system is mounted to send no flushes: a loss of power undoes commits, whatever fdatasync says
flush-not-needed = the device says that it has no volatile cache: the kernel has nothing to flush
flush-of-virtual-disk = a write takes { $with } with a flush and { $without } without: the cache of this virtual disk is the host's
flush-is-free = a write takes { $with } with a flush and { $without } without: the flush is ignored, or the volatile cache is protected
flush-costs = a flush takes its time: a write takes { $with } with it and { $without } without
flush-of-unknown-cache = nothing tells whether there is a volatile cache to flush
flush-not-counted = the kernel counted fewer flushes than were asked: what they cost is not known
flush-uneven = too few commits, or too uneven, to say what a flush costs; a longer run shows it
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

check-impossible-question = Does a figure contradict what the device can be?
check-impossible-meaning = Two things that were measured cannot both be true: something other than the device answered, or was counted.
check-impossible-ok = no two figures contradict each other
check-impossible-note = random reads are a little faster than sequential ones
check-impossible-warning = a figure that is hard to explain
check-impossible-invalid = a figure that cannot be the device's
check-impossible-remedy = Look at the other findings: page-cache, unwritten and host-cache usually say what answered instead.
check-impossible-blind-spot = Wrong figures that are possible for such a device.
check-impossible-short-remedy = find out what answered: a cache of the host or of a controller, or RAM

check-impossible-method = A figure is impossible if it is more than { $link } times what the link carries, or if the median of a read through the block layer is below { $latency }. Random reads that move more than { $note } times the bytes of sequential ones are a note, more than { $warning } times a warning. A device that completed less than { $operations } of the reads that this run made is a warning too.
impossible-none = no figure contradicts what the device can be
impossible-random-faster = random reads moved more bytes than sequential ones
impossible-figure = a figure contradicts what the device can be: something else answered
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
check-client-bound-invalid = the generator was late for the plan of an open loop: response times are its own; or this process did not run for a part of the cell, or waited for a processor for most of it
check-client-bound-remedy = Do what the finding says of its cause: another time or host, a host with more or faster processors, another control group. Larger blocks need less processor time.
check-client-bound-blind-spot = A hypervisor that hides how little processor time it gives (see neighbour); pauses below 85 ms.

check-client-bound-short-remedy = read these as the least that the disk can do; with more processor time it may do more
check-client-bound-method = The generator is the limit if its workers were busy for { $busy-min } of the time; or if all processors of the host were, with this process as { $own-min } of the load or more; or if the rate is { $nop-min } of what the same loop reaches on operations that do nothing. It is not the limit where the device held { $device-min } of the requests all the time: then the workers only polled. Of an open loop, the lag behind the plan is judged. A heartbeat shows when this process did not run: stopped, starved of processors, or the machine suspended. Rates of closed loops leave that time out. A cell is invalid if it is more than { $paused-max } of its time, or if the operations outstanding in it are more than { $tail-max } of those beyond the percentile of the bound. The scheduler counts how long workers could have run and had no processor: { $withheld-warning } of the time is a warning, { $withheld-invalid } is invalid. The finding names the control group whose limit held them back, else how the processor time was shared.
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
client-bound-lag = one start in a hundred was { $lag } late or more; p99 of response { $response }
client-bound-workers = its workers were { $share } busy
client-bound-process = { $processors ->
    [one] this process used { $share } of the time of { $processors } processor
   *[other] this process used { $share } of the time of { $processors } processors
}
client-bound-host = all processors of the host were { $share } busy, { $own } of that with this process
client-bound-loop = { $rate } operations/s; the same loop reaches { $most }/s on no-operations

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

check-little-question = Do the generator's own books balance, and was the depth kept?
check-little-meaning = By Little's law, IOPS times mean latency is the number outstanding. Where that differs from what was counted, operations or time went missing. Where both stay below the depth asked, the device had less to do than the name of the cell says.
check-little-ok = the books balance, and the depth was kept
check-little-not-observable = nothing was measured
check-little-note = slots stood idle for a part of the time
check-little-warning = far fewer requests were outstanding than were asked
check-little-invalid = the books do not balance: that is a fault of ours, please report it
check-little-remedy = Take the achieved depth for the asked one. A faster processor, or more workers, keep the slots full.
check-little-blind-spot = Errors that keep both counts in step with each other.
check-little-short-remedy = take the achieved depth for the asked one: the rest of the time is not the device's

## checks/os_throttle

check-os-throttle-question = Does the operating system itself hold the disk back?
check-os-throttle-meaning = A control group of this system (a container's, a service's) limits the disk: the figure is the limit that was set there.
check-os-throttle-ok = no limit is set, or none was reached
check-os-throttle-note = a limit is set, and was not reached
check-os-throttle-warning = a limit was reached
check-os-throttle-remedy = Measure outside the container or service, or raise its limit. If that is where your program runs, the figure is what it gets.
check-os-throttle-blind-spot = Limits outside this host (provider-limit), and on groups that this process cannot see.
check-os-throttle-short-remedy = measure outside the limited group to see the disk itself

## checks/link_bound

check-link-bound-question = Was the link the limit, or is it slower than it should be?
check-link-bound-meaning = The cable, slot or controller sets the data rate, not the disk; or a link was negotiated below what both ends can (downtrained), and wastes a part of the disk.
check-link-bound-ok = the link had room, and runs at its best
check-link-bound-not-observable = no link is shown: a virtual disk, network storage
check-link-bound-note = the link is full, as a good disk fills it
check-link-bound-warning = the link runs below what both ends can
check-link-bound-remedy = Seat the disk again, try another slot, cable or port, and look into the firmware's settings for the slot.
check-link-bound-blind-spot = Links that the kernel does not show, and switches on the way that others share.
check-link-bound-short-remedy = a faster link would show more of the disk

## checks/neighbour

check-neighbour-question = Did other programs or machines use the disk or the processors meanwhile?
check-neighbour-meaning = The figures are those of a disk that was shared, or of a host that was busy: on its own it would be better.
check-neighbour-ok = nobody else used disk or processors
check-neighbour-not-observable = neither the device nor the host is counted
check-neighbour-note = other use was too small to matter; or it was measured again
check-neighbour-warning = other use was large enough to change the figures
check-neighbour-remedy = Measure when the host is quiet. Stolen processor time is the provider's: another hour or another host is better.
check-neighbour-short-remedy = stop the other load, or repeat at a quieter time, and compare
check-neighbour-blind-spot = Neighbours on the provider's side of a virtual disk, who show only as noise (not-settled, stall).

## checks/stall

check-stall-question = Did the device fall silent?
check-stall-meaning = For a moment nothing was answered at all. A closed loop sends nothing while it waits, so percentiles hardly show it; everybody who wanted the disk meanwhile waited.
check-stall-ok = no such silence
check-stall-not-observable = nothing was measured in which one would show
check-stall-warning = the device fell silent; the finding says when and how long
check-stall-remedy = Measure again. If it comes back, look at the kernel's log for timeouts and resets, at the SSD's firmware (garbage collection), at the provider's status.
check-stall-blind-spot = Silences shorter than a tenth of a second, and those between two cells. On a host whose processors are busy, a thread of this process that waits for one looks like a silent device (neighbour).
check-stall-short-remedy = look for resets in the kernel log, a throttle, or garbage collection; repeat

## checks/not_settled

check-not-settled-question = Did the rate hold still while it was measured?
check-not-settled-meaning = A rate that rises or falls is a moment, not a property: another run, or a longer one, gives another number.
check-not-settled-ok = the rates held still
check-not-settled-not-observable = the cells were too short for five rounds
check-not-settled-note = a rate varied without a direction, one of the repetitions differed, or memory's did, or rounds of writing did not come to agree
check-not-settled-warning = a rate rose or fell while it was measured, rounds of writing went one way, or the repetitions at the end differed
check-not-settled-remedy = Run longer: check without --quick, or --thorough, which writes until the rates hold still.
check-not-settled-blind-spot = Changes slower than the run: burst credits, a write cache larger than what was written, heat.
check-not-settled-short-remedy = measure longer: --thorough runs until it settles

## checks/coverage

check-coverage-question = How much of the target was touched, and how often?
check-coverage-meaning = Blocks that are read again and again come from whatever cache is on the way. A thin sample of a large disk says little about the places it never went to.
check-coverage-ok = the span is large enough, and was read hardly more than once, or not thinly
check-coverage-not-observable = nothing was read at random
check-coverage-note = blocks of a small span were read more than once, or a large one thinly
check-coverage-warning = the span is so small that any cache holds it, or was gone through so often that most reads were repetitions
check-coverage-remedy = Give a larger --size, or more time: check --thorough.
check-coverage-blind-spot = How large the caches on the way really are (device-cache, host-cache), and whether the places that were not touched are different.
remedy-measure-larger-part = measure a larger part of the disk: --size 4g or more
remedy-take-for-sample = measure longer, or take it for a sample: places that were not read may differ

## checks/idle_latency

check-idle-latency-question = Is the first request after a pause slower?
check-idle-latency-meaning = Device, link, host or processor go to sleep when nothing is asked, and need time to wake. Programs that ask now and then see that time, and the figures of a busy device do not.
check-idle-latency-method = Single reads with pauses between them are held against reads one after the other, as a ratio and in absolute time: virtual hosts alone take a fraction of a millisecond to wake.
check-idle-latency-ok = a pause makes no difference worth a word
check-idle-latency-not-observable = no reads with pauses were made
check-idle-latency-note = the first read after a pause is slower; the finding gives the cost
check-idle-latency-warning = waking takes so long that it is what a quiet program sees
check-idle-latency-remedy = Where it matters, keep the device awake: APST off for NVMe (nvme_core.default_ps_max_latency_us=0), no spin-down for disks (hdparm -S 0), shallower idle states for the processor.
check-idle-latency-blind-spot = Which of them slept, and deeper sleep that takes longer pauses than those that were made.
check-idle-latency-short-remedy = a service with few requests waits this long: look at the power saving of the drive (APST), its link (ASPM, ALPM) and the processor

## checks/misaligned

check-misaligned-question = Do blocks lie across the borders of what the device reads and writes?
check-misaligned-meaning = A partition or file that starts in the middle of a physical block makes the device read and write two blocks for one, and writes wait for a read first.
check-misaligned-ok = everything starts where blocks of the disk start
check-misaligned-not-observable = no target, or no block device below it, is known
check-misaligned-note = a start inside a block of 4 KiB, on a rotating disk whose sectors are of 512 bytes: it does not mind
check-misaligned-warning = a partition, a loop device or a part of the file lies across two blocks of the disk
check-misaligned-remedy = Make the partition anew so that it starts on a full MiB, as current tools do by themselves.
check-misaligned-blind-spot = Physical blocks that are larger than the device says, and the pages of flash, which no device tells.
check-misaligned-short-remedy = start partitions at 1 MiB, and take blocks of 4 KiB for the file system

## checks/short_stroke

check-short-stroke-question = Was a rotating disk measured over a small part, where its arm hardly moves?
check-short-stroke-meaning = Within a small part the arm has short ways: random reads look up to twice as fast as over the whole disk.
check-short-stroke-method = Of a disk that behaves as if it turned, random reads over parts of growing size: the way of the arm shows as latency that grows with the root of the size, from which the whole disk follows.
check-short-stroke-ok = it does not turn, or the part that was measured is as slow as the whole
check-short-stroke-not-observable = no random reads one at a time, too few of them to tell a turn, or a cache that answers most of them
check-short-stroke-warning = the figures, of a file or of a device, are those of a small part of a rotating disk; the finding estimates the whole
check-short-stroke-remedy = Measure the device itself: check --read-only DEVICE reads all over it and destroys nothing.
check-short-stroke-blind-spot = Where on the disk a file lies: outer tracks move nearly twice the bytes of inner ones.
check-short-stroke-short-remedy = measure the whole device: truedisk check --read-only on its device file

## checks/provider_limit

check-provider-limit-question = Is the maximum of IOPS a configured cap?
check-provider-limit-meaning = A cap of the provider or the hypervisor, not the disk, sets the limit: deeper queues add waiting and nothing else. More can usually be bought.
check-provider-limit-ok = where more depth gave no more, it was no cap; or a control group of this system set it (os-throttle)
check-provider-limit-not-observable = no curve came to an end that was looked at for long enough: cells of a quick run are too short, and a matrix does not look
check-provider-limit-note = this disk has a cap; its value is given, and the numbers stand
check-provider-limit-remedy = Compare the cap with what you pay for. Size the queue of your program so that it just reaches it: more only waits.
check-provider-limit-blind-spot = A cap above what was reached, a cap that changes with credits (burst), and one that wobbles as much as a device does.

## checks/burst

check-burst-question = Was it a burst that ends: credits, or a write cache that fills?
check-burst-meaning = The speed holds for a number of operations or bytes, and then falls to another. What lasts is the speed after it.
check-burst-method = The rates of the run, and those of one probe of writes after the other, are searched for a lasting fall of their level, with what was moved before it. A fall that only writes show, counted in bytes, is the end of a write cache; one that reads share is the end of a provider's credits.
check-burst-ok = no fall, and the run was long enough for those that are known
check-burst-not-observable = no fall yet; the finding says how long to measure to be sure
check-burst-note = a fall, outside the figures that count
check-burst-warning = figures from before the fall are those of a burst
check-burst-remedy = Take the rate after the fall for work that lasts. check --until-throttled goes on until a burst ends, --thorough until writes are steady.
check-burst-blind-spot = Everything slower than the run: the credits of cloud volumes last from a minute to hours, a write cache as many bytes as it has.
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
burst-rate-ramp = the rate fell all the time, from { $from } to { $to }: a ramp, and no burst's end
burst-rate-fell = the rate fell from { $from } to { $to } and stayed there, unevenly: credits, a cache, or others out of sight
burst-none-under-full-load = no burst ended within { $busy } of full load
burst-none-of-a-minute = no burst ended within { $busy } of load, which rules out those of about a minute (DigitalOcean, Vultr); credits of AWS gp2 last 30 to 120 minutes, of Azure premium SSD 30: check --until-throttled goes on until they end
burst-none-yet = no burst ended within { $busy } of load; those of DigitalOcean and Vultr take 60 s and more; credits of AWS gp2 last 30 to 120 minutes, of Azure premium SSD 30: check --until-throttled goes on until they end
burst-nothing-for-a-cache = no provider is between, and nothing was written that a cache could take
burst-no-cache-filled = { $written } were written, and no cache was full after that
burst-cache-may-be-larger = a write cache larger than the { $written } that were written would not show; they are up to a third of a device: { $needed } here
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
contents-too-few-operations = too few operations to compare zeros and copies with unique data; a longer run or a quieter host shows it
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
    [one] this process did not run for up to { $length }: rates exclude it; it hardly affects percentiles of { $cells } cell
   *[other] this process did not run for up to { $length }: rates exclude it; it hardly affects percentiles of { $cells } cells
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
remedy-measure-on-more-processors = measure with fewer jobs, or on a host with more processors
withheld-cpu-for = { $cells ->
    [one] { $cause }; truedisk was held back for up to { $share } of the time, in { $cells } cell
   *[other] { $cause }; truedisk was held back for up to { $share } of the time, in { $cells } cells
}
withheld-cpu-for-unknown = { $cells ->
    [one] truedisk waited for a processor for up to { $share } of the time, in { $cells } cell
   *[other] truedisk waited for a processor for up to { $share } of the time, in { $cells } cells
}
withheld-cpu-by-group = { $limit } ({ $cgroup }); truedisk was held back for { $lost } of { $elapsed }
withheld-cpu-by-quota-of-one = a control group lets this process run { $share } of a processor
withheld-cpu-by-quota = a control group lets this process run { $processors } processors
withheld-cpu-by-limit = a control group limits the processor time of this process
withheld-cpu-by-hypervisor = the hypervisor withheld processor time (steal)
withheld-cpu-by-others = other processes and interrupts used at least as much processor time as this process
withheld-cpu-by-itself = this process used more processor time than others did
withheld-cpu-wait = its workers waited for a processor for { $lost } of { $elapsed }
withheld-cpu-shares = processor time: this process { $own }, others { $others }, hypervisor { $stolen }, idle { $idle }
withheld-cpu-pressure = some process of the host waited for { $time } of { $elapsed }

## cells

## class

## class/claim

## compare

## compare/caps

## compare/differences

## compare/effect

## compare/figures

## compare/headline

## compare/hosts

## curve

## curve/cap

## curve/limit

## curve/names

## curve/wording

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

## fleet/wording

## interference

## ladder

## pauses

## preset

## promise

## promise/short_runs

## rotation

## support

## surface

## sweep

## trend

## verdict

## writes

## report/terminal

## report/words

## report/limit

## report/sweep

## report/preset

## report/compare

## report/fleet

## report/metadata

## report/page

## report/page/charts

## report/page/compare

## report/page/fleet

## report/page/limit

## report/page/sweep

## report/page/trend

## report/explain

## method

## ping

## fio-run

## truedisk
