# English. Every other language has the same messages with the same arguments.

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

with-interval = { $value } ±{ $half }

## report/words

row-best = { $curve }, depth { $depth } *
row-depth = { $curve }, depth { $depth }
row-reads = { $label }, reads
row-its-writes = its writes
row-its-trims = its trims
row-the-write = { $label }: the write
row-the-sync = the { $kind }

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
summary-partial = PARTIAL: { $reason }. What was measured until then is kept.
summary-no-verdict = no verdict: too little was measured
summary-key = { $signs }.
summary-key-best = * the most within { $bound }
summary-key-invalid = X not the disk's number
summary-key-warning = ! see the warnings
summary-key-vague = ~ no figure: its interval is wider than ±25 %
summary-class = Behaves like { $class }.
summary-class-or = Behaves like { $class }, or { $other }.
summary-good-for = Good for: { $uses }.
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
summary-points-by-depth = { $curve } by depth
summary-points-by-rate = { $curve } by arrivals a second
summary-threshold = { $what } { $measured }, needed { $limit }
sweep-matrix = { $workload }, IOPS by block size and depth
summary-hosts = Slowest hosts of { $cell }
summary-share = share

## checks/unwritten

check-unwritten-question = Had the blocks been written before they were read?
check-unwritten-meaning = A hole, or a block that was reserved and never written, reads as zeros without any device: reads of it measure the file system.
check-unwritten-ok = every block that was read had been written
check-unwritten-not-observable = a raw device, or a file system without FIEMAP
check-unwritten-note = a part is compressed, encrypted, shared or kept in metadata
check-unwritten-invalid = a part of the file was never written
check-unwritten-remedy = Measure a file that was written from end to end, or give a folder: truedisk then writes a file of its own first.
check-unwritten-blind-spot = Blocks that a thin volume or an SSD never got, under a file system that did write them once, or on a raw device (zero-blocks).
check-unwritten-short-remedy = measure a file that was written, or give a folder and let truedisk write one

## checks/page_cache

check-page-cache-question = Did the bytes reach the device, or did memory answer?
check-page-cache-meaning = The number is that of memory, not of the disk: often ten to a thousand times too good.
check-page-cache-ok = the device moved the bytes that were asked
check-page-cache-not-observable = neither a device nor this process is counted
check-page-cache-note = the page cache was to answer: ping -C, hdparm -T
check-page-cache-warning = O_DIRECT was refused, or the cache grew, yet nothing proves more
check-page-cache-invalid = the device moved fewer bytes than were asked, or it is memory
check-page-cache-remedy = Mount without data=journal and without compression, or measure the device itself with --read-only. A loop device needs direct I/O (losetup --direct-io=on).
check-page-cache-blind-spot = A cache that no counter of this host sees: the hypervisor's (host-cache) or the disk's own (device-cache).
check-page-cache-short-remedy = mount without data=journal or compression, or measure the device: --read-only DEV
remedy-direct-io = measure with direct I/O
remedy-leave-out-cached = leave out -C, or use -D, to measure the device
remedy-measure-folder-on-disk = measure a folder on the disk in question

## checks/zero_blocks

check-zero-blocks-question = Do reads of empty blocks make the device look fast?
check-zero-blocks-meaning = A thin volume, a trimmed SSD and many cloud disks answer for a block that was never written from a table, without touching the medium. Reads of an empty device measure that table.
check-zero-blocks-method = Random blocks are read with a look at what they hold: the share that is all zeros, and whether those were answered faster than blocks with data.
check-zero-blocks-ok = hardly a block was zeros; of blocks that this run wrote, none
check-zero-blocks-not-observable = contents were not looked at, or too few of them
check-zero-blocks-note = many blocks are zeros, and no faster than others, or too few to time
check-zero-blocks-warning = zeros are answered faster, or nearly everything is zeros with no data to compare
check-zero-blocks-invalid = nearly everything is zeros, and answered faster than data; or blocks that this run wrote read back as zeros: the device loses data
check-zero-blocks-remedy = Write the whole device once before you measure it, or measure a folder on it: truedisk then reads only what it wrote.
check-zero-blocks-blind-spot = Empty blocks that read as something other than zeros, and blocks of zeros that were written and do come from the medium.
check-zero-blocks-short-remedy = write the device once before measuring it, or measure a folder
remedy-device-loses-data = do not trust this device with data: it loses what is written; look at its log

## checks/host_cache

check-host-cache-question = Does a cache below this system answer: the hypervisor's, an array's?
check-host-cache-meaning = The second read of a block comes from the memory of another machine. The numbers hold for as long as your data fit there and nobody else needs that memory.
check-host-cache-method = Blocks that this run had not touched are read at random, and at once again. A second pass that is much faster than the first, and faster than reads of the whole span, comes from a cache; so do reads of a virtual disk that take no longer than memory does.
check-host-cache-ok = the second read is no faster than the first
check-host-cache-not-observable = no fresh blocks to read, or too few
check-host-cache-note = the second read is faster; the figures come from a larger span
check-host-cache-warning = the figures themselves come from a cache below this system
check-host-cache-remedy = Measure a span larger than the memory of the host, or ask the provider how its disks are cached (QEMU: cache=none).
check-host-cache-blind-spot = A cache that already held the blocks before their first read, for instance since the test file was written, unless it is faster than any disk.
check-host-cache-short-remedy = measure more than the cache can hold (--size), or have the host's cache turned off (QEMU: cache=none); take the figures for those of the cache

## checks/device_cache

check-device-cache-question = How large is the cache of the device, and do the figures come from it?
check-device-cache-meaning = Within its cache a device is faster than on its medium. A span that mostly fits measures the cache; a database that does not fit will be slower.
check-device-cache-method = Random reads within parts of the span that grow step by step. A step in latency shows where the cache ends; its size and the two latencies are fitted to the share of reads that it can answer.
check-device-cache-ok = small and large parts of the span are as fast
check-device-cache-not-observable = the span is too small, or the steps too uneven
check-device-cache-note = there is a cache, much smaller than the span; its size is given
check-device-cache-warning = most of the span fits into the cache
check-device-cache-remedy = Give a --size several times as large as the cache that is named, or take the latency of the medium that is given beside it.
check-device-cache-blind-spot = A cache larger than the span, which answers everything alike, and one that does not keep what was read at random.
remedy-span-larger-than-cache = nothing: the span is larger than the cache; smaller ones look faster
remedy-measure-several-caches = measure several times as much as the cache holds: --size

## checks/first_touch

check-first-touch-question = Is the first access of a block slower than the next?
check-first-touch-meaning = A thin volume allocates at the first write, and a volume made from a snapshot fetches at the first read. New disks and growing files are slower than the figures of blocks that were touched before.
check-first-touch-ok = the first access is as fast as the next
check-first-touch-not-observable = no fresh place was left, or the places were too uneven
check-first-touch-note = the first write is slower than the next
check-first-touch-warning = the first read is slower: the volume is filled when it is read
check-first-touch-remedy = Write the whole volume once, or read it once where it comes from a snapshot, before its speed matters.
check-first-touch-blind-spot = Places that were used before this run and never given back (TRIM): they are no longer new to the device.
check-first-touch-short-remedy = read the whole volume once before it is used or measured, or have the provider initialise it; the figures are those of a volume that was not
remedy-write-volume-once = write the whole volume once before its speed matters

## checks/compressible

check-compressible-question = Are zeros faster than other data, because they are cut short?
check-compressible-meaning = The file system, a thin volume or the controller compresses, or leaves zeros out. Tools that write zeros (dd if=/dev/zero) measure that. truedisk writes data that nobody can make smaller, so its own figures stand.
check-compressible-ok = zeros are no faster than unique data
check-compressible-not-observable = nothing was written past the page cache, the slices were too uneven, or deduplication explains the same
check-compressible-note = zeros are faster, or the file system says that it compresses
check-compressible-remedy = Test with data like yours. Take figures of tools that write zeros for nothing.
check-compressible-blind-spot = A cache that takes the short writes before anybody looks at what they hold. How much your own data would gain: between nothing and what zeros gain.
check-compressible-short-remedy = test with data like yours; never with zeros (dd if=/dev/zero)

## checks/dedup

check-dedup-question = Are copies of the same blocks faster, because they are stored once?
check-dedup-meaning = A layer below stores equal blocks once (VDO, ZFS with dedup, an array). Tools that write one buffer over and over measure that. No two sectors that truedisk writes are equal, so its own figures stand.
check-dedup-ok = copies are no faster than unique data
check-dedup-not-observable = nothing was written past the page cache, the slices were too uneven, or the file system compresses, which explains the same
check-dedup-note = copies are faster than unique data
check-dedup-remedy = Test with data like yours. Tell fio to refill its buffers (refill_buffers), or to write as many copies as you have (dedupe_percentage).
check-dedup-blind-spot = Deduplication that works later, in the background, and a cache that takes the short writes before anybody compares them.
check-dedup-short-remedy = test with data like yours; never with one buffer over and over

## checks/flush

check-flush-question = Does making a write durable cost anything, or is the flush ignored?
check-flush-meaning = A device whose cache is volatile has to empty it at every flush, and that takes time. Where it takes next to none, the flush is ignored, or the cache is protected by capacitors, a battery or the host's own storage. Without cutting the power nobody can tell which. A rotating disk that commits faster than it turns has a cache that answers in its place.
check-flush-ok = a flush takes its time, or the device says that it needs none
check-flush-not-observable = nothing was flushed, it was too uneven to say, or a virtual disk's flush takes no longer than a write: its cache is the host's
check-flush-note = a flush takes no longer than a write though the cache is volatile
check-flush-warning = a rotating disk commits faster than it turns, or the file system is mounted to send no flushes
check-flush-remedy = Ask the maker or the provider whether the cache survives a loss of power. Of a controller, look whether its battery is good; a disk's own cache can be switched off (hdparm -W 0, nvme set-feature -f 6 -v 0).
check-flush-blind-spot = A device that takes its time and forgets the data anyway. Only a power cut proves that data survive one.
check-flush-short-remedy = ask the maker or provider whether the cache survives a loss of power, before you trust a commit to it
remedy-mount-with-barriers = mount without nobarrier (barrier=1)
remedy-find-battery = find out whether the controller's cache has a battery; else switch the disk's write cache off (hdparm -W 0) and measure again

## checks/impossible

check-impossible-question = Does a figure contradict what the device can be?
check-impossible-meaning = Two things that were measured cannot both be true: something other than the device answered, or was counted.
check-impossible-ok = nothing contradicts anything
check-impossible-note = random reads a little faster than sequential ones
check-impossible-warning = a figure that is hard to explain
check-impossible-invalid = a figure that cannot be the device's
check-impossible-remedy = Look at what else is marked: page-cache, unwritten, host-cache usually say what answered instead.
check-impossible-blind-spot = Lies that stay within what is possible for such a device.
check-impossible-short-remedy = find out what answered: a cache of the host, of a controller, RAM

## checks/client_bound

check-client-bound-question = Was the load generator the limit, and not the disk?
check-client-bound-meaning = With more processor the same disk would have given more: the number is a lower bound of what it can do.
check-client-bound-ok = the generator had processor time to spare
check-client-bound-not-observable = nothing was measured under load
check-client-bound-note = writes of an open loop beside its reads started late, in bunches; their rate is right; or a short pause of this process, which hardly shows in the figures
check-client-bound-warning = the processor was the limit, not the disk; or this process waited for one
check-client-bound-invalid = the generator was late for the plan of an open loop: response times are its own; or this process did not run for a part of the cell, or waited for a processor for most of it
check-client-bound-remedy = Use a host with more or faster processors, larger blocks, or fewer other processes. Measure outside of a control group that limits processor time.
check-client-bound-blind-spot = A hypervisor that hides how little processor time it gives (see neighbour); pauses below 85 ms.
check-client-bound-short-remedy = read these as the least that the disk can do; a faster processor, or more, shows it

## checks/backlog

check-backlog-question = Did the disk keep up with the rate that was asked for?
check-backlog-meaning = More operations were asked for than came back. The rate is what the disk can do, and response times grow with the length of the run.
check-backlog-ok = no rate was asked for, or it was kept
check-backlog-warning = the rate was not kept; the finding says what was asked for and done, what is missing, and how long the last operation waited
check-backlog-remedy = Ask for less than was done; truedisk limit --open-loop finds the highest rate that is kept.
check-backlog-blind-spot = Rates that are upper bounds without a plan of starts: of several directions at once, of blocks of several sizes, and beside think time. Whether the disk or this host was the limit: see client-bound.
check-backlog-short-remedy = ask for less; truedisk limit --open-loop finds the highest rate that is kept

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

## evidence/generator_pauses

remedy-measure-unstopped = measure again on an idle host; do not stop or suspend truedisk

## evidence/withheld_cpu

remedy-measure-unlimited = measure outside of such a control group, or on an idle host

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
