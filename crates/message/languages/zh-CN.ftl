# 简体中文。消息及其变量与en.ftl相同。

list-clauses = {"；"}
list-names = {"、"}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

ended-early = 提前结束：{ $error }
with-interval = { $value } ±{ $half }
with-range = { $value }（95 %：{ $low }至{ $high }）

## analysis

measured-by-other-program = 数据由其他程序测得，其输出缺少此项检查所需的信息

clauses = { $clauses }
no-target = 没有测试目标的信息

## report/words

row-best = { $curve }，深度{ $depth } *
row-depth = { $curve }，深度{ $depth }
row-rate = { $curve }，到达率{ $rate }/s
row-reads = { $label }，读
row-its-writes = 其中的写
row-its-trims = 其中的TRIM
row-the-write = { $label }：写
row-the-sync = { $kind }
cell-idle = 空闲后读 { $size }
cell-replay = 重放
cell-trial = { $cell }（试测）
cell-commit = 提交 { $size }
cell-again = { $curve }，深度{ $depth }，重测
cell-round = { $curve }，深度{ $depth }，写到稳定
mark-invalid = 无效：{ $id }
mark-warning = 警告：{ $id }
mark-unstable = 不稳定：延迟没有随负载平稳上升
mark-degraded = 不完整：{ $hosts }台主机中只有{ $there }台参与
class-second = 其次接近的是{ $class }。
class-second-for = 其次接近的是{ $class }。支持：{ $supports }。
class-second-against = 其次接近的是{ $class }。不符：{ $contradicts }。
class-second-both = 其次接近的是{ $class }。支持：{ $supports }。不符：{ $contradicts }。
class-claim-agrees = 系统的描述：{ $words }。实测表现与之不矛盾。
class-claim-contradicted = 系统的描述：{ $words }。实测表现与之矛盾：{ $against }。
target-mounted = { $source }上的{ $kind }
target-parts = { $parts }
kind-partition = 分区
kind-disk = 磁盘
kind-lvm = LVM卷
kind-crypt = 加密设备
kind-device-mapper = device-mapper设备
kind-loop = loop设备
kind-zram = 压缩内存
kind-ram = 内存盘
kind-multipath = 多路径设备
kind-network-block = 网络块设备
kind-bcache = bcache设备
kind-optical = 光驱
layer-transport = { $transport }{ $kind }
layer-model = { $name }（{ $kind } { $model }，{ $size }）
layer-plain = { $name }（{ $kind }，{ $size }）
bounded-none = 没有测得数据
bounded-invalid = 无效：不是磁盘的极限
bounded-bound = 深度{ $depth }时{ $iops }，是满足{ $bound }的最大值
bounded-saturation = 深度{ $depth }时{ $iops }；队列再深只增加延迟，不增加IOPS
bounded-depth-tried = 深度{ $depth }时{ $iops }，这是试过的最大深度：可能还会更高
bounded-unreachable = 最低负载下也无法满足{ $bound }
bounded-provider-cap = 从深度{ $depth }起{ $iops }：人为设定的限速，不是磁盘的极限
bounded-control-group = 深度{ $depth }时{ $iops }：是本机cgroup的限值，不是磁盘的极限
bounded-client = 深度{ $depth }时至少{ $iops }：瓶颈是CPU，不是磁盘
bounded-unsure = 深度{ $depth }时约{ $iops }，尚不确定：请在没有其他程序使用设备时重测

## report/compare

compare-more-pairs = 另有{ $count }对，用-v查看。
compare-more-rates = 另有{ $count }行，用-v查看。
compare-more-notes = 另有{ $count }条提示，用-v查看。
compare-runs = 测{ $runs }次
compare-one-run = 测试{ $run }，{ $day }
compare-runs-of-day = 测{ $runs }次，{ $day }
compare-runs-of-days = 测{ $runs }次，{ $first }至{ $last }
compare-better = 更好
compare-better-one-run = 更好（只测1次）
compare-worse = 更差
compare-worse-one-run = 更差（只测1次）
compare-the-same = 相同
compare-needs-runs = 需测{ $runs }次
compare-price = 每月{ $price } { $currency }
compare-only-side = 仅{ $side }有：{ $cell }
compare-only-side-nearest = 仅{ $side }有：{ $cell }；{ $nearest }
compare-excluded = { $side }，{ $cell }（测试{ $run }）：{ $reason }
compare-method = 两侧之比按Hodges-Lehmann方法在对数上计算，附精确秩区间（95 %）；每边需测4次。更好或更差：整个区间超出{ $least } %。相同：整个区间在{ $margin } %以内。*：对全部{ $comparisons }项比较同时成立（Holm法）。每边只测1次时没有测试之间的区间：所示为两次测试各自内部的区间，相差1.5倍以上才算差异。
compare-rates-key = * 对全部比较同时成立。-：无区间。
compare-latency-title = 延迟，{ $b }与{ $a }之比：越小越好
compare-latency-key = * 测试之间的整个区间都超出算作差异的最小幅度。
compare-hosts-title = 逐台主机，{ $b }对比{ $a }
compare-hosts-note = 每台主机的结果汇总其全部测试项。这些对比不计入比较项数。
compare-unit-of-money = 货币单位
compare-money-title = 每月每{ $currency }
compare-its-figure = 其中{ $figure }
compare-cell-part = { $cell }，{ $part }

## report/summary

summary-title = { $command } { $path }（{ $host }），{ $when }
summary-title-without-host = { $command } { $path }，{ $when }
summary-target = { $target }；{ $file }；{ $seconds } s
summary-target-unknown = { $file }；{ $seconds } s
summary-file-direct = 测试文件{ $size }，O_DIRECT
summary-file-cached = 测试文件{ $size }，无O_DIRECT
summary-file-small = 自建的小文件
summary-file-read = 读取{ $span }，没有写入
summary-shortened = 测试文件小于计划：{ $why }。
summary-trusted = 可信
summary-caution = 谨慎：{ $reasons }
summary-caution-alone = 谨慎
summary-broken = 不可用：{ $reasons }
summary-partial = 部分完成：{ $reason }。已测得的结果已保留。
summary-no-verdict = 没有结论：测得太少
summary-key = { $signs }。
summary-key-best = * 满足{ $bound }的最大值
summary-key-invalid = X 不是磁盘的数值
summary-key-warning = ! 见警告
summary-key-vague = ~ 无数值：区间宽于±25 %
summary-key-missing = - 样本太少，或未测量
summary-class = 表现像{ $class }。
summary-class-or = 表现像{ $class }，或{ $other }。
summary-good-for = 适合：{ $uses }。
summary-too-slow-for = 速度不足以用于：{ $uses }。
summary-limited = 受限：{ $limits }。
summary-more-warnings = 另有{ $count }条警告，用-v查看。
summary-more-rows = 另有{ $count }行，用-v查看。
summary-more-lines = 另有{ $count }行，用-v查看。
summary-checks = { $passed }项检查通过，{ $unable }项无法运行。
summary-checks-notes = { $passed }项检查通过，{ $notes }项有提示，{ $unable }项无法运行。
summary-promised = 承诺：{ $promise }
summary-promise-line = { $label }：承诺{ $promised }，实测{ $measured }
summary-limit-row = { $curve } { $bound }
summary-bounded-by = 受限于
summary-load = 负载
summary-threshold = { $what } { $measured }，需要{ $limit }
sweep-matrix = { $workload }，各块大小和深度的IOPS
summary-hosts = 最慢的主机，{ $cell }

## checks/unwritten

check-unwritten-question = 读取的块事先写过吗？
check-unwritten-meaning = 空洞，或已预留但从未写入的块，读出来全是零，不经过任何设备：读这些块测到的是文件系统。
check-unwritten-ok = 读取的块都曾写入过
check-unwritten-not-observable = 目标是裸设备，或文件系统不支持FIEMAP
check-unwritten-note = 文件有一部分被压缩、加密、与其他文件共享，或存放在元数据中
check-unwritten-invalid = 文件有一部分从未写入
check-unwritten-remedy = 请测试完整写过的文件，或指定一个目录：truedisk会先写好自己的测试文件。
check-unwritten-blind-spot = 文件系统写过、但精简卷或SSD从未收到的块；裸设备上的块（见zero-blocks）。
check-unwritten-short-remedy = 测试已写满的文件，或指定目录让truedisk自己写一个

check-unwritten-method = 通过FIEMAP查询文件的分配情况。测试范围内未写入的部分超过{ $max }，即判为无效。
unwritten-on-device = 裸设备不提供哪些块写过的信息
unwritten-without-fiemap = 此文件系统不提供文件的分配情况（FIEMAP）
unwritten-bytes = 从未写入
unwritten-extents = { $length }中有{ $empty }，共{ $extents }个extent
unwritten-share = 文件的{ $share }从未写入：读取时直接返回零，不经过设备
unwritten-encoded = 被文件系统压缩或加密
unwritten-shared = 与其他文件共享
unwritten-inline = 存放在元数据中
unwritten-none = 读取的块都曾写入过
unwritten-reads-holes = 文件有一部分从未写入（见unwritten）

## checks/page_cache

check-page-cache-question = 数据真的到达了设备，还是由内存应答？
check-page-cache-meaning = 测到的是内存而不是磁盘的速度：往往虚高十倍到一千倍。
check-page-cache-ok = 请求的字节数确实由设备传输
check-page-cache-not-observable = 设备和内核都不统计本进程的字节数
check-page-cache-note = 本次测试有意测量页缓存：ping -C、hdparm -T
check-page-cache-warning = O_DIRECT被拒绝，或缓存变大，但无法证明是缓存应答
check-page-cache-invalid = 设备传输的字节少于请求的字节，或目标就是内存
check-page-cache-remedy = 挂载时不要用data=journal，也不要压缩；或用--read-only直接测设备。loop设备请启用直接I/O（losetup --direct-io=on）。
check-page-cache-blind-spot = 本机计数器看不到的缓存：虚拟化层的缓存（host-cache）或磁盘自带的缓存（device-cache）。
check-page-cache-short-remedy = 挂载时去掉data=journal和压缩，或直接测设备：--read-only DEV
remedy-direct-io = 用直接I/O测试
remedy-leave-out-cached = 要测设备，请去掉-C或改用-D
remedy-measure-folder-on-disk = 请测试位于目标磁盘上的目录

check-page-cache-method = 把请求的字节数与内核记在本进程名下的字节数、设备报告的字节数作比较。设备提供的字节少于请求的{ $served-min }的测试项，判为来自页缓存。没有计数时，测试期间新进入页缓存的部分超过测试范围的{ $growth-max }的测试项，也判为来自页缓存。内存文件系统（tmpfs）按类型识别。
page-cache-as-asked = 按要求经过页缓存，没有计数器能证明数据由设备传输
page-cache-refused-unproven = 文件系统拒绝O_DIRECT，且没有计数器能证明数据由设备传输
page-cache-answered = 由页缓存应答：设备传输的字节少于请求的字节
page-cache-grew = 读取期间页缓存变大，且没有计数器能证明数据由设备传输
page-cache-refused-too-little = 文件系统拒绝O_DIRECT，请求的字节又太少，看不出由谁传输
page-cache-refused-yet-moved = 文件系统拒绝O_DIRECT，但数据仍由设备传输
page-cache-device-moved = 请求的字节数确实由设备传输
page-cache-as-option-asks = 按-C的要求经过页缓存
page-cache-is-memory = 这是内存，不是磁盘：{ $kind }把文件存放在内存中
page-cache-of-small-files = 小文件操作经过页缓存；不检查其中哪些到达设备
page-cache-no-counters = 没有设备或本进程的计数器可供比较
page-cache-refused = 被此文件系统拒绝
page-cache-on-purpose = 按预设的要求经过页缓存，并且不清空缓存
page-cache-file-system = 文件系统
page-cache-mounted = { $mount-point }上的{ $kind }
page-cache-this-process = 本进程（/proc/self/io）
page-cache-read = 请求读取{ $asked }，{ $by }实际读取{ $served }
page-cache-written = 请求写入{ $asked }，{ $by }实际写入{ $served }
page-cache-rest-waits = 其余数据还在内存中等待写入
page-cache-holds-span = 测试后，页缓存中存有测试范围的{ $share }
page-cache-writes-of-others = 内存中还有其他测试项待写的数据：设备写的可能是那些数据
page-cache-unproven = 经过页缓存，无法证明有数据到达设备

## checks/zero_blocks

check-zero-blocks-question = 读空块是否让设备显得很快？
check-zero-blocks-meaning = 精简卷、执行过TRIM的SSD和许多云盘，查表就知道某块从未写入，不访问介质便直接应答。读空设备测到的是查表速度。
check-zero-blocks-method = 随机读取一些块并检查内容：全零块占多少，读全零块是否比读有数据的块更快。
check-zero-blocks-ok = 几乎没有全零块；本次测试写入的块中完全没有
check-zero-blocks-not-observable = 没有检查块的内容，或检查得太少
check-zero-blocks-note = 全零块很多，但并不比其他块快；或全零块太少，无法比较时间
check-zero-blocks-warning = 读全零块更快，或几乎所有块都是全零，没有数据可比较
check-zero-blocks-invalid = 几乎所有块都是全零，而且比有数据的块更快；或本次写入的块读出来是全零：设备会丢数据
check-zero-blocks-remedy = 测试前先把整个设备写一遍。或者测试设备上的一个目录：这样truedisk只读自己写过的内容。
check-zero-blocks-blind-spot = 读出来不是零的空块；曾写入零、确实从介质读出的块。
check-zero-blocks-short-remedy = 测试前先把设备写一遍，或改测目录
remedy-device-loses-data = 不要在此设备上存放数据：写入的内容会丢失；请检查设备日志

zero-blocks-not-read = 测试前没有检查块的内容
zero-blocks-too-few = 这段时间内检查的块太少，无法判断
zero-blocks-only = 全零块
zero-blocks-count = { $blocks }个{ $size }的块中有{ $zero }个
zero-blocks-hold-data = { $share }的块存有数据
zero-blocks-unread = { $share }的块是空的，不访问介质就直接应答
zero-blocks-as-slow = { $share }的块是全零，耗时与其他块相同
zero-blocks-all = 所有块都是全零：没有数据可比较，无法得知读取是否到达介质
zero-blocks-unknown = { $share }的块是全零：可比较的数据太少，无法得知读取是否到达介质
zero-blocks-untimed = { $share }的块是全零，数量太少，无法比较时间
zero-blocks-none = 每个块中都是写入的数据
zero-blocks-lost = 本次测试写入的块中，{ $share }读出来是全零
zero-blocks-median = 单次读取的中位数
zero-blocks-times = 全零块{ $zeros }，有数据的块{ $data }
zero-blocks-of-reads = 约占读取的{ $share }

## checks/host_cache

check-host-cache-question = 是否由下层缓存（虚拟化层或存储阵列）应答？
check-host-cache-meaning = 第二次读同一块时，数据来自另一台机器的内存。只有当您的数据能放进那块内存、又没有其他用户占用时，这些数值才成立。
check-host-cache-method = 随机读取一批本次测试未碰过的块，整批连读两遍。如果第二遍比第一遍快得多，也比在整个测试范围内读取快，就是缓存应答的。虚拟磁盘的读取如果与内存一样快，也这样判断。
check-host-cache-ok = 第二次读不比第一次快
check-host-cache-not-observable = 没有读取新的块，或读得太少
check-host-cache-note = 第二次读更快；但结果来自更大的范围
check-host-cache-warning = 结果本身就来自下层缓存
check-host-cache-remedy = 测试范围应大于宿主机内存，或询问服务商其磁盘的缓存方式（QEMU：cache=none）。
check-host-cache-blind-spot = 首次读取之前就已存有这些块的缓存（例如写测试文件时留下的），除非该缓存比任何磁盘都快。
check-host-cache-short-remedy = 让测试范围超过缓存容量（--size），或请服务商关闭宿主机缓存（QEMU：cache=none）；在此之前，测到的只是缓存

host-cache-none = 第二次读同一块与第一次耗时相同
host-cache-or-first-touch = 块的第一次读比第二次慢得多：缓存保留了它，或见first-touch
host-cache-not-fetched = 不是在首次访问时取回的
host-cache-share = 缓存能容纳的测试范围比例
host-cache-hits = 最多{ $share }的读取可能由缓存应答
host-cache-answers = 由本机之下的缓存应答：第二次读的速度是第一次的{ $times }倍
host-cache-beside = 第二次读的速度是第一次的{ $times }倍：本机之下的缓存存有这些块；但测得的读取几乎都不来自它
host-cache-median = 一半的读取耗时不超过{ $time }
host-cache-is-memory = 读取耗时{ $time }，与内存相当，走这种链路的磁盘做不到：由宿主机的缓存应答

## checks/device_cache

check-device-cache-question = 设备的缓存有多大？结果是否来自缓存？
check-device-cache-meaning = 数据在缓存内时，设备比访问介质更快。测试范围若大部分能放进缓存，测到的就是缓存；放不进缓存的数据库会更慢。
check-device-cache-method = 在逐步扩大的范围内随机读取。延迟跳升之处就是缓存的边界。缓存大小和两种延迟，根据缓存能应答的读取比例拟合得出。
check-device-cache-ok = 小范围与大范围速度相同
check-device-cache-not-observable = 测试范围太小，或各级之间波动太大
check-device-cache-note = 有缓存，但远小于测试范围；已给出其大小
check-device-cache-warning = 测试范围大部分能放进缓存
check-device-cache-remedy = 把--size设为所给缓存大小的数倍，或采用旁边给出的介质延迟。
check-device-cache-blind-spot = 大于测试范围的缓存；不保留随机读取块的缓存。
remedy-span-larger-than-cache = 无需处理：测试范围大于缓存；范围更小时会显得更快
remedy-measure-several-caches = 测试范围设为缓存大小的数倍：--size

device-cache-none = 在{ $first }内读取与在全部{ $last }内读取耗时相同
device-cache-or-first-touch = 读过的部分比其余部分快：有缓存，或块在首次访问时才取回（见first-touch）
device-cache-size = 缓存大小
device-cache-about = { $size }，误差在两倍以内
device-cache-share = 缓存占测试范围的比例
device-cache-small = 约{ $size }的缓存，占测试范围的{ $share }（缓存{ $hit }，介质{ $miss }）
device-cache-hits = 约{ $share }的读取来自缓存
device-cache-figures = 结果来自约{ $size }的缓存：缓存{ $hit }，介质{ $miss }
device-cache-part = 中位数{ $median }，快速读取占{ $fast }
device-cache-part-at-depth = 中位数{ $median }，快速读取占{ $fast }，深度{ $depth }时{ $rate } IOPS
device-cache-within = { $size }范围内

## checks/first_touch

check-first-touch-question = 首次访问一个块是否比再次访问慢？
check-first-touch-meaning = 精简卷在块首次写入时才分配空间。由快照创建的卷在块首次读取时才取回数据。新磁盘和正在增长的文件，实际会比测得的结果慢：测试用的是已访问过的块。
check-first-touch-ok = 首次访问与再次访问一样快
check-first-touch-not-observable = 已没有未用过的位置，或各位置差异太大
check-first-touch-note = 首次写比再次写慢
check-first-touch-warning = 首次读更慢：块在读取时才取回
check-first-touch-remedy = 投入使用前，先把整个卷写一遍；如果卷来自快照，则先读一遍。
check-first-touch-blind-spot = 本次测试之前用过、又没有归还（TRIM）的位置：对设备来说它们不是新的。
check-first-touch-short-remedy = 使用或测试之前先把整个卷读一遍，或请服务商初始化；目前的结果属于未初始化的卷
remedy-write-volume-once = 投入使用前先把整个卷写一遍

check-first-touch-method = 对本次测试未写过的位置，由同一任务连写两遍。首次写的耗时在设备上达到再次写的{ $on-device }倍，或在文件上（含文件系统自身的开销）达到{ $on-file }倍，且置信区间始终高于{ $clear-min }，即判为首次写较慢。读取则对新的块连读两遍，并与读取本次测试自己写入的块作比较。如果第二遍更快，则在其他读取全部结束后再读一遍：那时缓存里已是别的块，而取来的块仍然快。
first-touch-of-own-blocks = 本次测试只读了自己写入的块；要测首次读旧块的速度，请对设备使用--read-only
first-touch-read-as-fast = 块的首次读与第二次读耗时相同
first-touch-read-beside-cache = 第二次读来自缓存：见host-cache
first-touch-read-in-cell = 读取了此前没有读过的块
first-touch-read-slower = 块的首次读耗时是第二次的{ $times }倍：首次访问时才取回，或被大缓存保留
first-touch-large-writes = 大块顺序写
first-touch-small-writes = 分散的小写
first-touch-write-times = 首次写的耗时是第二次的{ $times }倍（{ $low }至{ $high }，{ $places }个位置）
first-touch-write-times-of-few = 首次写的耗时是第二次的{ $times }倍（{ $places }个位置）
first-touch-write-slower-on-file = 块的首次写耗时是再次写的{ $times }倍，其中含文件系统的开销
first-touch-write-slower = 块的首次写耗时是再次写的{ $times }倍：首次写要分配空间
first-touch-write-as-fast = 块的首次写与再次写一样快
first-touch-uneven = 各位置差异太大，无法比较首次写与再次写；延长测试才能判断

## checks/compressible

check-compressible-question = 全零数据是否因被压缩或省略而比其他数据快？
check-compressible-meaning = 文件系统、精简卷或控制器会压缩数据，或省略全零数据。用写零的工具（dd if=/dev/zero）测试，结果会虚高。truedisk写入不可压缩的数据，所以自身结果不受影响。
check-compressible-ok = 全零数据不比不重复数据快
check-compressible-not-observable = 没有绕过页缓存的写入，各时间片波动太大，或也可能是去重所致
check-compressible-note = 全零数据更快，或文件系统声明自己会压缩
check-compressible-remedy = 用与您的业务相似的数据测试。不要相信写零工具的结果。
check-compressible-blind-spot = 在压缩之前吸收短时写入的缓存。您自己的数据能快多少：介于没有提升与全零数据的提升之间。
check-compressible-short-remedy = 用与业务相似的数据测试；不要写零（dd if=/dev/zero）

check-compressible-method = 测试末尾，在同一位置以短时间片轮流写入并读回不重复数据、全零数据和重复数据，比较延迟中位数。全零数据的速度至少为不重复数据的{ $faster-min }倍，且置信区间始终高于{ $clear-min }，即判为更快；置信区间上限低于{ $excluded-max }，即判为不更快。文件系统的声明不看时间也算数：启用压缩的挂载选项，或以编码方式存放的零（FIEMAP）。
compressible-zeros = 全零数据对比不重复数据
compressible-or-dedup = 全零数据比不重复数据快，但重复数据也快：去重可以同时解释两者
compressible-written = 写全零数据的速度是不重复数据的{ $times }倍：用写零的工具测试，结果会虚高
compressible-read-back = 读回全零数据的速度是不重复数据的{ $times }倍：用写零的工具测试，结果会虚高
compressible-file-system = 文件系统会压缩：用写零的工具测试，结果会虚高；此处的结果用不可压缩的数据测得
compressible-none = 全零数据不比不重复数据快
compressible-uneven = 各时间片差异太大，无法比较全零数据与不重复数据；延长测试才能判断
compressible-mount = { $kind }的挂载选项
compressible-zeros-written = 写入的零
compressible-encoded = { $of }中有{ $encoded }以编码方式存放
compressible-file = 文件的实际存放方式
compressible-stored = { $of }中有{ $encoded }被压缩或加密

## checks/dedup

check-dedup-question = 重复的块是否因只存一份而更快？
check-dedup-meaning = 下层把相同的块只存一份（VDO、启用去重的ZFS、存储阵列）。用反复写同一缓冲区的工具测试，结果会虚高。truedisk写入的扇区各不相同，所以自身结果不受影响。
check-dedup-ok = 重复数据不比不重复数据快
check-dedup-not-observable = 没有绕过页缓存的写入，各时间片波动太大，或文件系统会压缩，也可能是压缩所致
check-dedup-note = 重复数据比不重复数据快
check-dedup-remedy = 用与您的业务相似的数据测试。让fio每次重填缓冲区（refill_buffers），或按业务数据的重复比例写入（dedupe_percentage）。
check-dedup-blind-spot = 稍后在后台进行的去重；在比对之前吸收短时写入的缓存。
check-dedup-short-remedy = 用与业务相似的数据测试；不要反复写同一缓冲区

check-dedup-method = 测试末尾，在同一位置以短时间片轮流写入并读回不重复数据、全零数据和重复数据，比较延迟中位数。几个不可压缩块的重复写入，速度至少为不重复数据的{ $faster-min }倍，且置信区间始终高于{ $clear-min }，即判为更快；置信区间上限低于{ $excluded-max }，即判为不更快。
dedup-copies = 重复数据对比不重复数据
dedup-copies-against-zeros = 重复数据对比全零数据
dedup-or-compression = 重复数据比不重复数据快，但文件系统会压缩，可以解释这一点
dedup-faster = 重复数据的速度是不重复数据的{ $times }倍：用反复写同一缓冲区的工具测试，结果会虚高
dedup-none = 重复的块不比不重复数据快
dedup-uneven = 各时间片差异太大，无法比较重复数据与不重复数据；延长测试才能判断

## checks/flush

check-flush-question = 写入落盘有没有代价？刷盘是否被忽略？
check-flush-meaning = 有易失缓存的设备每次刷盘都要清空缓存，需要时间。如果刷盘几乎不耗时，要么被忽略，要么缓存有电容、电池或宿主机存储的保护。只有断电才能分辨。机械硬盘的提交速率若高于转速，就是有缓存代它应答。
check-flush-ok = 刷盘确实需要时间，或设备声明不需要刷盘
check-flush-not-observable = 没有刷盘，耗时波动太大，或虚拟磁盘的刷盘与写入耗时相同：缓存在宿主机上
check-flush-note = 缓存是易失的，但刷盘并不比写入更耗时
check-flush-warning = 机械硬盘的提交速率高于转速，或文件系统的挂载方式不发送刷盘请求
check-flush-remedy = 询问厂商或服务商：断电时缓存是否安全。检查控制器的电池。磁盘的缓存可以关闭（hdparm -W 0、nvme set-feature -f 6 -v 0）。
check-flush-blind-spot = 刷盘花了时间却仍会丢数据的设备。只有断电才能证明数据不会丢。
check-flush-short-remedy = 在信任提交之前，先问厂商或服务商：断电时缓存是否安全
remedy-mount-with-barriers = 挂载时去掉nobarrier（barrier=1）
remedy-find-battery = 查明控制器缓存是否有电池；若没有，关闭磁盘写缓存（hdparm -W 0）后重测

check-flush-method = 一个客户端在同一位置反复覆盖写4 KiB，写后不调用与调用fdatasync轮流进行。带fdatasync的写入耗时（至少{ $commits-min }次提交）低于单独写入中位数的{ $free-max }倍，即判为刷盘无代价；达到{ $cost-min }倍，即判为有代价。同时给出设备对其缓存的声明（queue/write_cache）和内核统计的刷盘次数。非虚拟机中的机械硬盘每秒最多提交{ $rate-max }次（{ $turns-max }转，另加{ $slack }余量）。设备自己声明为旋转介质，且随机读耗时达到{ $arm-min }以上并符合寻道和旋转的分布，才认定为机械硬盘。
flush-of-memory = 内存无需刷盘
flush-not-measured = 本次测试没有要求落盘的写入
flush-commits = 单客户端提交
flush-commit-rate = 每秒{ $rate }次提交；每分钟{ $turns-per-minute }转的磁盘每秒最多落盘{ $turns }次
flush-random-reads = 随机读
flush-arm-moves = { $time }：有磁头寻道，盘片在旋转
flush-faster-than-turns = 提交速率高于任何磁盘的转速：有缓存代为应答，提交是否安全取决于该缓存
flush-barred = 挂载选项关闭了刷盘：即使fdatasync已返回，断电仍可能丢失已提交的数据
flush-not-needed = 设备声明没有易失缓存：内核无需刷盘
flush-of-virtual-disk = 写入带刷盘耗时{ $with }，不带刷盘{ $without }：此虚拟磁盘的缓存在宿主机上
flush-is-free = 写入带刷盘耗时{ $with }，不带刷盘{ $without }：刷盘被忽略，或易失缓存有断电保护
flush-costs = 刷盘确实需要时间：写入带刷盘{ $with }，不带刷盘{ $without }
flush-of-unknown-cache = 无从得知是否有需要刷盘的易失缓存
flush-not-counted = 内核统计的刷盘次数少于请求次数：无法得知刷盘的代价
flush-uneven = 提交太少或波动太大，无法判断刷盘的代价；延长测试才能判断
flush-write = 带刷盘的写入
flush-times = 中位数{ $median }，是单独写入的{ $times }倍（{ $low }至{ $high }）
flush-times-of-few = 中位数{ $median }，是单独写入的{ $times }倍
flush-cache-of = { $device }的缓存
flush-flushes = 刷盘次数
flush-flushes-counted = { $commits }次提交，内核统计到{ $counted }次刷盘

## checks/impossible

check-impossible-question = 有没有数值超出设备可能达到的范围？
check-impossible-meaning = 两个测得的数值不可能同时成立：应答的不是设备，或计入的不是设备的数据。
check-impossible-ok = 没有互相矛盾的数值
check-impossible-note = 随机读比顺序读略快
check-impossible-warning = 有一个数值难以解释
check-impossible-invalid = 有一个数值不可能来自设备
check-impossible-remedy = 查看其他检查项：page-cache、unwritten和host-cache通常会指出实际由什么应答。
check-impossible-blind-spot = 错误、但对此类设备来说可能出现的数值。
check-impossible-short-remedy = 查明由什么应答：宿主机或控制器的缓存，还是内存

check-impossible-method = 数值超过链路承载能力的{ $link }倍，或经过块层的读取中位数低于{ $latency }，即判为不可能。随机读传输的字节超过顺序读的{ $note }倍记为提示，超过{ $warning }倍记为警告。设备完成的读取次数不足本次测试发出次数的{ $operations }，而字节却由它提供，也记为警告。
impossible-none = 没有数值超出设备可能达到的范围
impossible-random-faster = 随机读传输的字节多于顺序读
impossible-figure = 有数值超出设备可能达到的范围：应答的不是设备
impossible-over-link = { $rate }，而链路只能承载{ $ceiling }
impossible-median = 一半的读取耗时低于{ $time }
impossible-requests = 随机读{ $reads }次，发到{ $device }的请求{ $requests }个，合并{ $merged }个
impossible-rates = 随机{ $random }，顺序{ $sequential }

## checks/client_bound

check-client-bound-question = 瓶颈是否在负载生成器，而不在磁盘？
check-client-bound-meaning = 该数值是磁盘能力的下限：CPU时间更多时，结果可能更高。
check-client-bound-ok = 负载生成器的CPU时间有余量
check-client-bound-not-observable = 没有在负载下测试
check-client-bound-note = 与读取同时进行的开环写入成批延迟发出，但速率正确；或本进程曾短暂停止运行，对结果几乎没有影响
check-client-bound-warning = 瓶颈是CPU，不是磁盘；或本进程在等待CPU
check-client-bound-invalid = 负载生成器没有跟上开环计划：响应时间不属于磁盘；或本进程在测试项的部分时间内没有运行，或大部分时间在等待CPU
check-client-bound-remedy = 按检查结果指出的原因处理：换个时间或主机，换用CPU更多或更快的主机，换一个cgroup。块越大，所需CPU时间越少。
check-client-bound-blind-spot = 虚拟化层少给CPU时间却不报告（见neighbour）；本进程短于85 ms的停止。

check-client-bound-short-remedy = 视为磁盘能力的下限；CPU时间更多时，结果可能更高
check-client-bound-method = 以下情况判为瓶颈在负载生成器：工作线程{ $busy-min }的时间处于忙碌；或主机所有CPU达到同样的忙碌比例，且本进程至少占其中{ $own-min }；或速率达到同一循环执行空操作时的{ $nop-min }。如果设备始终持有{ $device-min }的请求，或其队列所能容纳请求的{ $device-min }，则不算：工作线程只是在等待设备。开环测试看实际发出落后于计划的程度。心跳用于发现本进程没有运行的时段：被停止、得不到CPU，或机器被挂起。闭环速率会扣除这段时间。如果这段时间超过测试项时间的{ $paused-max }，或其间未完成的操作超过延迟上限所用百分位之外的操作数的{ $tail-max }，该测试项无效。调度器统计工作线程可以运行却没有CPU的时间：达到{ $withheld-warning }为警告（由cgroup限制造成时为{ $held-back }），达到{ $withheld-invalid }为无效。检查结果会指出限制它的cgroup；没有时则给出CPU时间的分配情况。
client-bound-nothing = 没有在负载下测试
client-bound-late = { $cells }个测试项中，延误的是负载生成器，不是磁盘：响应时间不属于磁盘
client-bound-writes-late = { $cells }个测试项中，与读取同时进行的写入成批延迟发出；其速率正确
client-bound-spare = 负载生成器的CPU时间有余量：最多用了{ $share }
client-bound-busy = { $cells }个测试项的瓶颈是CPU，不是磁盘
client-bound-lag = 1 %的请求延迟{ $lag }以上才发出；响应时间p99为{ $response }
client-bound-workers = 工作线程忙碌{ $share }
client-bound-process = 本进程占用{ $processors }个CPU总时间的{ $share }
client-bound-host = 主机所有CPU忙碌{ $share }，其中本进程占{ $own }
client-bound-loop = 每秒{ $rate }次操作；同一循环执行空操作可达每秒{ $most }次

## checks/backlog

check-backlog-question = 磁盘是否跟上了指定的速率？
check-backlog-meaning = 指定的操作多于磁盘完成的操作。完成的速率是磁盘的能力，响应时间则随测试时长增加。
check-backlog-ok = 没有指定速率，或已达到
check-backlog-warning = 没有达到指定的速率；检查结果会给出指定值、完成值、缺少的操作数，以及最后一次操作等了多久
check-backlog-remedy = 降低指定的速率；truedisk limit --open-loop可找出能维持的最高速率。
check-backlog-blind-spot = 速率只是上限、没有发出计划的任务：同时有多个方向、多种块大小、带思考时间（think time）。瓶颈在磁盘还是本机：见client-bound。
check-backlog-short-remedy = 降低指定的速率；truedisk limit --open-loop可找出能维持的最高速率

check-backlog-method = 对每个有速率和发出计划的任务，用这段时间内应有的操作数减去完成的操作数。除结束时仍未完成的操作外，缺少量超过{ $missing-max }即为积压。最后一次操作的等待时间，就是落后于计划的时间。
backlog-in-cell = 指定{ $asked-rate }/s，完成{ $done-rate }/s：应有{ $asked }次操作，缺{ $missing }次，最后一次等了{ $behind }
backlog-of-one = { $cell }：{ $backlog }
backlog-of-several = { $jobs }个任务没有达到指定的速率；最差的是{ $cell }：{ $backlog }
backlog-none = 达到了指定的速率
backlog-no-rate = 没有指定速率

## checks/little

check-little-question = 负载生成器的计数是否一致？是否保持了队列深度？
check-little-meaning = 按利特尔法则（Little's law），IOPS乘以平均延迟等于未完成的请求数。若与计数不符，说明操作或时间有遗漏。若两者都低于要求的深度，说明设备的实际负载低于测试项名称所示。
check-little-method = 计数得到的深度与按利特尔法则算出的深度，差异须在{ $agree }以内。未计入任何延迟的等待时间（失败的操作、跨越测试项首尾的操作）加到利特尔法则一侧。早期版本的记录没有统计这部分时间，对它们允许的差异更大。不足要求深度的{ $noted }记为提示，不足{ $warned }记为警告。
check-little-ok = 计数一致，保持了深度
check-little-not-observable = 没有测得数据
check-little-note = 部分时间有队列槽位空闲
check-little-warning = 未完成的请求远少于要求
check-little-invalid = 计数不一致：这是truedisk的缺陷，请反馈
check-little-remedy = 请把结果看作实际达到的深度的结果。更快的CPU或更多工作线程可以填满队列槽位。
check-little-blind-spot = 使两种计数同样出错的错误。
check-little-short-remedy = 请把结果看作实际达到的深度的结果：其余时间没有花在设备上

little-depths = 计数得深度{ $counted }，利特尔法则得{ $little }
little-depth-missed = 深度{ $counted }，要求{ $depth }
little-depth-at-device = 深度{ $counted }，要求{ $depth }；{ $device }上未完成的请求：{ $at-device }
little-too-few = 操作太少，无法核对深度
little-counts-differ = 计数的深度与利特尔法则不符：这是truedisk的缺陷，请反馈
little-depth-not-kept = 没有保持要求的深度：操作之间有队列槽位空闲
little-counts-agree = 计数的深度与利特尔法则相符，差异在{ $within }以内

## checks/os_throttle

check-os-throttle-question = 操作系统自身是否限制了磁盘？
check-os-throttle-meaning = 本系统的某个cgroup（容器或服务的）限制了磁盘：测到的就是这个限值。
check-os-throttle-method = 每个测试项前后，读取本进程所属cgroup对目标设备的限值（io.max、blkio.throttle）。对该设备的请求达到限值的{ $reached }，或在分片放行时达到{ $sliced }，即判为触及限值。拆分后的操作和刷盘也计入。另外多计一次操作：操作很少时，末尾可能有一次被拦住。达到限值{ $near }的测试项会列出：操作耗时波动时，限值会拦住其中一部分。
check-os-throttle-ok = 没有限值，或没有触及限值
check-os-throttle-note = 有限值，但没有触及
check-os-throttle-warning = 触及了限值
check-os-throttle-remedy = 在容器或服务之外测试，或调高其限值。如果您的程序就运行在其中，那么这就是它能得到的性能。
check-os-throttle-blind-spot = 本机之外的限制（provider-limit），以及本进程看不到的cgroup的限制。
check-os-throttle-short-remedy = 要看磁盘自身的性能，请在受限的cgroup之外测试

os-throttle-reached = cgroup限制了磁盘：{ $cells }个测试项触及限值
os-throttle-near = cgroup对此磁盘设有限值：没有测试项触及，{ $cells }个测试项接近限值
os-throttle-not-reached = cgroup对此磁盘设有限值，但没有测试项触及
os-throttle-none = 没有cgroup限制此磁盘
os-throttle-queue = { $settings }
os-throttle-scheduler = 调度器{ $name }
os-throttle-requests = 最多{ $requests }个请求排队
os-throttle-writeback = 延迟超过{ $latency }时抑制缓冲写（wbt）

## checks/link_bound

check-link-bound-question = 瓶颈是否在链路？链路速度是否低于应有水平？
check-link-bound-meaning = 传输速率由线缆、插槽或控制器决定，而不是磁盘。或者链路协商的速度低于两端的能力（降速），损失了磁盘的部分性能。
check-link-bound-method = 把每个测试项的传输速率与协商链路在线路编码后的承载能力作比较。协议开销占去一部分，因此超过{ $full }即视为链路已占满。并把协商的速度和通道数与磁盘和插槽的能力作比较。
check-link-bound-ok = 链路有余量，且运行在最佳状态
check-link-bound-not-observable = 看不到链路：虚拟磁盘或网络存储
check-link-bound-note = 链路已占满：性能好的磁盘都会这样
check-link-bound-warning = 链路的运行速度低于两端的能力
check-link-bound-remedy = 重新插好磁盘，换一个插槽、线缆或端口，并检查固件中该插槽的设置。
check-link-bound-blind-spot = 内核看不到的链路，以及途中与他人共享的交换机。
check-link-bound-short-remedy = 换更快的链路，才能发挥磁盘的更多性能

link-bound-not-shown = 看不到此设备的链路（虚拟或网络存储）
link-bound-not-of-every-disk = 目标中并非每块磁盘都能看到链路
link-bound-used = { $ceiling }中用了{ $rate }
link-bound-downtrained = 链路速度低于两端的能力：请检查插槽、线缆和端口
link-bound-had-room = 链路有余量：可承载{ $ceiling }
link-bound-full = { $cells }个测试项的瓶颈是链路：超过其承载能力的{ $share }
link-bound-speed = { $kind }，{ $speed }
link-bound-speed-below = { $kind }，{ $speed }，最高可达{ $max }

## checks/neighbour

check-neighbour-question = 测试期间，其他程序或机器是否在用磁盘或CPU？
check-neighbour-meaning = 结果来自共享的磁盘或繁忙的主机：独占时磁盘会更快。
check-neighbour-method = 设备处理的I/O中，超出本次测试请求的部分属于其他程序或机器。记为提示：达到本次字节数的{ $noted }且达到{ $noted-rate }，或达到本次请求数的{ $requests-noted }且达到每秒{ $noted-per-second }个请求；本次请求按每个最大{ $piece }拆分计数。记为警告：{ $warned }且{ $warned-rate }，或{ $requests-warned }且每秒{ $warned-per-second }个请求。被虚拟化层占用的CPU时间，从{ $stolen-noted }起为提示，从{ $stolen-warned }起为警告。其他进程占用达到{ $foreign }的CPU时开始计入，空闲少于{ $idle }时为警告。本次测试自己也在写入时，只有在自己的写入不会引起额外写入的情况下（没有同步操作，文件系统原地覆盖），才统计其他写入。
check-neighbour-ok = 没有其他程序或机器使用磁盘或CPU
check-neighbour-not-observable = 设备和主机都没有计数器
check-neighbour-note = 其他来源的使用太少，没有影响，或已重测该测试项
check-neighbour-warning = 其他来源的使用很多，足以影响结果
check-neighbour-remedy = 在主机空闲时测试。CPU时间被占用（steal）是服务商一侧的问题：换个时段或主机。
check-neighbour-short-remedy = 停掉其他负载，或在更空闲的时段重测并比较
check-neighbour-blind-spot = 虚拟磁盘在服务商一侧的邻居：只表现为波动（not-settled、stall）。

neighbour-not-counted = 设备的计数器无法显示其他来源的I/O
neighbour-busy = { $cells }个测试项期间，有其他程序或机器使用磁盘或CPU
neighbour-light = { $cells }个测试项期间，有其他程序或机器少量使用磁盘或CPU
neighbour-none = 没有其他程序或机器使用磁盘
neighbour-repeated = { $probes }次探测受到干扰，已重测
neighbour-also-repeated = { $statements }
neighbour-probes = 探测
neighbour-bytes = 其他来源{ $bytes }（{ $rate }），本测试项{ $ours }
neighbour-requests = 请求数：其他来源{ $others }，本测试项{ $ours }
neighbour-stolen = 虚拟化层占用了{ $stolen }的CPU时间
neighbour-processors = 其他进程占用{ $foreign }的CPU时间，空闲{ $idle }

## checks/stall

check-stall-question = 设备是否停止过响应？
check-stall-meaning = 设备曾有一段时间完全没有应答。闭环测试在等待时不再发请求，所以百分位几乎看不出来；但所有要用磁盘的程序都得等。
check-stall-method = 停顿是指相邻两次完成之间至少间隔{ $gap }，其间按平均速率本应完成{ $missed }次以上的操作，且该间隔至少是每千次操作中 999 次的耗时的{ $factor }倍。测试项末尾的停顿持续到第一个未完成的操作返回为止。本进程自己没有运行的时间（client-bound）及其前后{ $margin }不计入。
check-stall-ok = 设备没有停止过响应
check-stall-not-observable = 没有适合看出停顿的测试项
check-stall-warning = 设备停止过响应；检查结果会给出时刻和时长
check-stall-remedy = 请重测。若再次出现，请检查内核日志中的超时和重置、SSD固件（垃圾回收），以及服务商的状态页。
check-stall-blind-spot = 短于0.1秒的停顿，以及两个测试项之间的停顿。CPU繁忙的主机上，本进程的线程等待CPU时，看起来也像设备停顿（neighbour）。
check-stall-short-remedy = 检查内核日志中有无重置，并检查磁盘有无过热降速或垃圾回收；然后重测

stall-silence = 测试项开始{ $start }后，连续{ $gap }没有任何完成；停顿共{ $total }，占该测试项的{ $share }
stall-too-short = 没有足够长的测试项，无法看出停顿
stall-none = 除平常的间歇外，设备没有{ $gap }或更长的停顿
stall-longest = 设备最长停止响应{ $longest }

## checks/not_settled

check-not-settled-question = 测试期间速率是否稳定？
check-not-settled-meaning = 上升或下降的速率只反映某一时刻，不是设备的特性：再测一次，或测得更久，数值就会不同。
check-not-settled-method = 每个不短于{ $length }的测试项分成五段，检验其极差和斜率（五轮规则），并检验是否有至少{ $change }的趋势或水平变化，且这种变化偶然出现的概率低于{ $chance }。末尾的重测看整个测试是否漂移：在深度1和最大值所在的深度，两者变化都超过{ $drift }、方向相同，且置信区间或秩次不重叠。随机写轮次在连续五轮一致时结束。小文件的速率按各轮判断：95 %区间的一半不超过速率的{ $unsteady }。
check-not-settled-ok = 速率稳定
check-not-settled-not-observable = 测试项太短，不足五轮
check-not-settled-note = 速率有波动但无方向，有一次重测结果不同，由内存应答的读取在重测时结果不同，或各轮写入不一致；或小文件的速率在各轮之间不同
check-not-settled-warning = 测试期间速率上升、下降或在几个水平之间跳动，各轮写入朝一个方向变化，或末尾的重测结果不同；或创建文件的速率在各轮之间不同
check-not-settled-remedy = 测得更久：check不加--quick，或加--thorough，后者会一直写到速率稳定。
check-not-settled-blind-spot = 比测试更慢的变化：突发积分、大于写入量的写缓存、温度。
check-not-settled-short-remedy = 测得更久：--thorough会一直测到稳定

not-settled-short = 测试项太短；测60秒才能判断
not-settled-few-rounds = 轮数太少，看不出各轮速率是否不同
not-settled-search = 搜索不检查是否稳定；请用truedisk check
not-settled-matrix = 矩阵测试不检查是否稳定；请用truedisk check
not-settled-short-passes = 各遍太短；truedisk check测得更久
not-settled-single-requests = 单个请求不检查是否稳定；请用truedisk check
not-settled-no-series = 其他程序的输出中没有时间序列可看
not-settled-changing = 测试期间速率仍在变化
not-settled-differed = 末尾有一次重测结果不同
not-settled-varied = 速率有波动，但无方向
not-settled-files-created = 各轮创建文件的速率相差太大
not-settled-some-files = 部分速率在各轮之间相差很大
not-settled-steady = 测试期间速率稳定
not-settled-rounds-agree = 各轮速率一致
not-settled-writing = 写入轮次
not-settled-rounds = 最后五轮相差达均值的{ $range }；趋势：{ $change }
not-settled-file-rounds = 各轮每秒{ $low }到{ $high }次操作
not-settled-five-parts = 五段的极差为均值的{ $range }，{ $trend }
not-settled-rose = 上升{ $by }
not-settled-fell = 下降{ $by }
not-settled-rose-after = { $after }后上升{ $by }
not-settled-fell-after = { $after }后下降{ $by }
not-settled-no-trend = 无显著趋势
not-settled-repeated = 重测{ $cell }
not-settled-twice = 最初{ $first } IOPS，末尾{ $again } IOPS

## checks/coverage

check-coverage-question = 目标有多大部分被访问，访问了几遍？
check-coverage-meaning = 反复读取的块会来自途中的缓存。大磁盘若只抽样一小部分，结果不能代表没有读到的位置。
check-coverage-method = 小于{ $tiny }的测试范围能放进任何缓存。小于{ $cache }且读过{ $passes }遍以上的范围，多数是重复读取。不小于{ $large }且读取不足{ $thin }的范围，抽样稀疏。
check-coverage-ok = 测试范围大于常见缓存，或其中的块最多读过一遍；且抽样不稀疏
check-coverage-not-observable = 没有随机读取
check-coverage-note = 小范围内的块读了不止一遍，或大范围的抽样稀疏
check-coverage-warning = 测试范围太小，任何缓存都放得下；或读得太频繁，多数是重复读取
check-coverage-remedy = 加大--size，或延长时间：check --thorough。
check-coverage-blind-spot = 途中的缓存实际多大（device-cache、host-cache），以及没有访问的位置是否不同。
remedy-measure-larger-part = 测试磁盘的更大部分：--size 4g或更大
remedy-take-for-sample = 测得更久，或把结果看作抽样：没有读到的位置可能不同

coverage-no-reads = 没有测随机读
coverage-cached = { $span }的测试范围可能整个处在途中的缓存里
coverage-read-again = { $span }测试范围内的块读了不止一遍
coverage-thin = { $span }的测试范围只读取了{ $share }
coverage-passed = 随机读共覆盖{ $span }测试范围{ $passes }遍
coverage-passes = 遍数
coverage-read = 在{ $span }范围内随机读取{ $read }
coverage-share = 读取比例
coverage-sample = { $span }的{ $share }，均匀分布
coverage-cell-passes = { $span }范围读{ $passes }遍

## checks/idle_latency

check-idle-latency-question = 空闲后的首个请求是否更慢？
check-idle-latency-meaning = 设备、链路、主机或CPU空闲时会休眠，唤醒需要时间。请求少的程序会遇到这段时间；繁忙设备的结果则看不出来。
check-idle-latency-method = 把每次先空闲一段时间的单次读取与连续读取作比较，既看倍数也看绝对时间：仅虚拟主机的唤醒就要零点几毫秒。
check-idle-latency-ok = 空闲没有明显影响
check-idle-latency-not-observable = 没有测空闲后的读取
check-idle-latency-note = 空闲后的首次读取更慢；检查结果会给出代价
check-idle-latency-warning = 唤醒时间很长，请求少的程序主要感受到的就是它
check-idle-latency-remedy = 有影响时，让设备保持唤醒：NVMe关闭APST（nvme_core.default_ps_max_latency_us=0），硬盘禁用自动停转（hdparm -S 0），CPU只用较浅的空闲状态。
check-idle-latency-blind-spot = 是哪一个在休眠；以及需空闲更久才会进入的更深休眠。
check-idle-latency-short-remedy = 请求少的服务每次都要等这么久：检查磁盘（APST）、链路（ASPM、ALPM）和CPU的节能设置

idle-latency-no-usual = 没有连续读取可供比较
idle-latency-usual = { $median }（中位数）
idle-latency-too-few = 空闲后的读取太少
idle-latency-asleep = 设备会休眠：空闲{ $pause }后读取需{ $took }，平时{ $usual }
idle-latency-slower = 空闲{ $pause }后读取需{ $took }，平时{ $usual }
idle-latency-alike = 空闲{ $pause }后的读取，耗时最多是平时{ $usual }的{ $factor }倍
idle-latency-paused = 中位数{ $median }（读{ $reads }次），是平时的{ $times }倍
idle-latency-paused-busy = 中位数{ $median }（读{ $reads }次），是平时的{ $times }倍；CPU忙碌{ $busy }

## checks/misaligned

check-misaligned-question = 块是否没有与设备的物理块对齐？
check-misaligned-meaning = 分区或文件若从物理块中间开始，设备每读写一块都要处理两个物理块，写入前还要先读。
check-misaligned-method = 把分区的起点、loop设备在文件中的起点，与下层设备的物理块（至少{ $block }）作比较；文件则看不从物理块起点开始的部分。在设备接受时，用错位512字节的块测出代价。文件中最多允许{ $allowed }处于任意位置。
check-misaligned-ok = 所有起点都与磁盘的块对齐
check-misaligned-not-observable = 没有目标信息，或下层块设备未知
check-misaligned-note = 起点在4 KiB块的中间，但机械硬盘的扇区为512字节：没有代价
check-misaligned-warning = 分区、loop设备或文件的一部分没有对齐：其中的块跨越磁盘的两个块
check-misaligned-remedy = 重建分区，让起点落在整MiB处；现在的工具默认如此。
check-misaligned-blind-spot = 实际大于设备声明的物理块；任何设备都不报告的闪存页。
check-misaligned-short-remedy = 分区从1 MiB处开始，文件系统用4 KiB的块

misaligned-no-device = 下层块设备未知
misaligned-extents = extent
misaligned-file = 文件的{ $share }没有与设备的块对齐
misaligned-direct-io = 直接I/O要求的对齐
misaligned-unit = { $unit }（据{ $source }）
misaligned-across = 块没有对齐：跨越磁盘的两个块
misaligned-inside = 块的起点在{ $block }块的中间，此磁盘允许
misaligned-none = 所有起点都与磁盘的块对齐
misaligned-start = 起点为{ $start }，位于{ $block }块内{ $over }处
misaligned-read = 错位读
misaligned-write = 错位写
misaligned-slower = 错位512字节的块{ $took }，对齐的块{ $usual }：耗时为{ $times }倍
misaligned-no-slower = 错位512字节的块{ $took }，对齐的块{ $usual }：未见差异

## checks/short_stroke

check-short-stroke-question = 机械硬盘是否只测了一小部分，磁头几乎不动？
check-short-stroke-meaning = 在小范围内磁头行程短：随机读看起来最多能比全盘快一倍。
check-short-stroke-method = 对表现像机械硬盘的磁盘，在逐步扩大的范围内随机读取。磁头行程使延迟随范围大小的平方根增长；由此推出全盘的延迟。
check-short-stroke-ok = 不是机械硬盘，或所测部分与全盘一样慢
check-short-stroke-not-observable = 没有逐个进行的随机读，数量太少看不出旋转，或大多由缓存应答
check-short-stroke-warning = 文件或设备的结果只来自机械硬盘的一小部分；检查结果会估算全盘
check-short-stroke-remedy = 直接测设备：check --read-only DEVICE会在全盘范围内读取，不破坏任何内容。
check-short-stroke-blind-spot = 文件位于磁盘何处：外圈磁道传输的字节接近内圈的两倍。
check-short-stroke-short-remedy = 测试整个设备：对设备文件用truedisk check --read-only

short-stroke-no-reads = 没有逐个进行的随机读，看不出磁头行程
short-stroke-mean = 深度1随机读的均值
short-stroke-no-arm = 没有磁头：随机读耗时{ $mean }，转一圈都比这久
short-stroke-part = 所测部分
short-stroke-span = { $disk }中的{ $span }，{ $part }
short-stroke-as-whole = 机械硬盘：所测部分（{ $part }）与全盘一样慢
short-stroke-cached = 设备声明为旋转介质，但读取大多由缓存应答：无法判断磁头是否移动
short-stroke-too-few = { $reads }次随机读太少，看不出是否为机械硬盘：需要{ $needed }次
short-stroke-no-platter = 随机读耗时{ $mean }，但没有像机械硬盘那样均匀分布在一圈之内
short-stroke-reached = 覆盖范围
short-stroke-of-disk = 磁盘的{ $part }
short-stroke-range = 只测了机械硬盘的{ $part }：深度1随机读每秒{ $here }次，全盘约{ $low }至{ $high }次
short-stroke-flatters = 只测了机械硬盘的{ $part }：深度1随机读每秒{ $here }次，全盘约{ $whole }次
short-stroke-fit = 寻道{ $nearest-ms } ms + { $slope-ms } ms x sqrt(距离)，平方根的均值取8/15，加半圈（一圈{ $turn-ms } ms）
short-stroke-sheets = { $rpm } rpm磁盘的规格书给出平均寻道{ $low-ms }至{ $high-ms } ms，加半圈（一圈{ $turn-ms } ms）
short-stroke-turns = 转速
short-stroke-speed = { $rpm } rpm（{ $low }至{ $high }），据{ $reads }次读取
short-stroke-whole = 全盘随机读
short-stroke-whole-time = { $low }至{ $high }：{ $how }

## checks/provider_limit

check-provider-limit-question = IOPS的上限是否是人为设定的限速？
check-provider-limit-meaning = 上限由服务商或虚拟化层的限速决定，不是磁盘：队列再深也只增加等待。通常可以付费提高。
check-provider-limit-method = 深度相差至少一倍的多次探测，速率与同一数值相差都在{ $within }以内，且几乎没有探测超过该值。其中多数半秒段的波动小于独立操作的偶然波动。还须有一个迹象符合限速：更大的操作或另一方向的速率上限相同；虚拟磁盘上更大的操作与较小的操作每秒传输的字节数相同；或其速率正好是云厂商出售的规格。操作按限速的时间片成片完成，则在任何深度都表明有限速。如果限速被调低，以调低之后的探测为准。如果限速来自本系统的cgroup，由os-throttle报告。
check-provider-limit-ok = 加深队列后不再提速的情况，都不是限速所致；或限速由本系统的cgroup设定（os-throttle）
check-provider-limit-not-observable = 没有曲线进入平台并在其上测得足够久：快速测试的测试项太短，矩阵测试不检查限速
check-provider-limit-note = 此磁盘有限速；已给出数值，结果成立
check-provider-limit-remedy = 把限速值与您购买的规格作比较。程序的队列深度设为刚好达到限速即可：再深只增加等待。
check-provider-limit-blind-spot = 高于所达速率的限速、随积分变化的限速（burst），以及波动与设备相当的限速。

provider-limit-cap = { $iops } IOPS：{ $because }
provider-limit-of-provider = 服务商把此磁盘限速为{ $cap } IOPS：不是设备的极限
provider-limit-of-setting = 此磁盘被人为限速为{ $cap } IOPS：不是设备的极限
provider-limit-of-group = 限速来自本系统的cgroup（os-throttle）
provider-limit-counted = 服务商的限速制约了本次测量，依据是其自身的计数
provider-limit-none = 加深队列后不再提速的情况，都不是限速所致
provider-limit-matrix = 矩阵测试不检查限速；请用truedisk limit
provider-limit-quick = 快速测试的测试项太短，看不出限速；测60秒即可
provider-limit-short = 没有曲线进入平台并在其上测得足够久，看不出限速
provider-limit-unsure = 平台上的速率变化过大，无法证明存在限速；又过小或过于规律，无法排除限速

## checks/burst

check-burst-question = 测到的是不是暂时的突发性能（靠积分，或靠会写满的写缓存）？
check-burst-meaning = 这一速度只维持若干操作或字节，之后降到另一水平。能持续的是之后的速度。
check-burst-method = 在测试的速率序列和逐次写探测的速率中，查找水平持续下降之处，以及下降前传输的数量。只有写入下降、按字节计的，是写缓存写满；读取也一起下降的，是服务商的积分用完。
check-burst-ok = 没有下降，且测试时长足以发现已知的突发
check-burst-not-observable = 尚未下降；检查结果会给出测多久才能确定
check-burst-note = 有下降，但不影响计入的结果，或原因不明
check-burst-warning = 下降之前的结果属于突发性能
check-burst-remedy = 对持续的负载，采用下降后的速率。check --until-throttled会一直测到突发结束，--thorough会一直测到写入稳定。
check-burst-blind-spot = 持续时间比测试更长的一切：云盘积分可维持一分钟到数小时，写缓存则要到写满其容量为止。
check-burst-short-remedy = 以下降后的速率为准：check --until-throttled

burst-before = 之前
burst-after = 之后
burst-when = 时刻
burst-time = 开始后{ $after }，位于{ $cell }
burst-size = 数量
burst-operations = { $operations }次操作
burst-of-credits = { $until }之前的结果属于突发性能：用完{ $size }的积分之前为{ $burst }，之后为{ $baseline }
burst-ended = { $burst }的突发在用完{ $size }的积分后结束，降到{ $baseline }；此后测到的是磁盘能持续的性能
burst-write-cache-full = 写入{ $size }后设备的写缓存已满：之前{ $burst }，之后{ $baseline }，读取仍一样快
burst-rate-ramp = 速率从{ $from }一路降到{ $to }：是持续下滑，不是突发结束
burst-rate-fell = 速率从{ $from }降到{ $to }后没有恢复，且不均匀：积分、缓存，或本机看不到的其他负载
burst-rate-fell-last = 速率在{ $cell }中从{ $from }降到{ $to }；此后没有同类同深度的测量：是否保持，没有测到
burst-fell-beside-others = 速率在{ $cell }中从{ $from }降到{ $to }，当时有其他程序或机器使用磁盘或CPU：请在更空闲的时段重测，以判断突发是否结束
burst-none-under-full-load = 满负载{ $busy }内没有突发结束
burst-none-of-a-minute = 负载{ $busy }内没有突发结束，可排除一分钟左右的突发（DigitalOcean、Vultr）；AWS gp2的积分维持30至120分钟，Azure高级SSD为30分钟：check --until-throttled会一直测到突发结束
burst-none-yet = 负载{ $busy }内没有突发结束；DigitalOcean和Vultr的突发需60秒以上；AWS gp2的积分维持30至120分钟，Azure高级SSD为30分钟：check --until-throttled会一直测到突发结束
burst-nothing-for-a-cache = 没有采用积分的服务商，也没有任何可能填满缓存的写入
burst-no-cache-filled = 写入{ $written }后，没有缓存写满
burst-cache-may-be-larger = 大于{ $written }写入量的写缓存看不出来；写缓存最大可达设备容量的三分之一：此处为{ $needed }
burst-cache-of-unknown-size = 大于{ $written }写入量的写缓存看不出来

## evidence/contents

contents-written = 写入速度为{ $times }倍（{ $low }至{ $high }，{ $pairs }对）
contents-written-in-few = 写入速度为{ $times }倍（{ $pairs }对）
contents-read-back = 读回速度为{ $times }倍（{ $low }至{ $high }，{ $pairs }对）
contents-read-back-in-few = 读回速度为{ $times }倍（{ $pairs }对）
contents-not-written = 没有写入，而只有写入才能看出差别
contents-in-page-cache = 没有O_DIRECT，不论写什么内容都由页缓存接收
contents-too-few-operations = 操作太少，无法把全零数据和重复数据与不重复数据作比较；延长测试，或在更空闲的主机上测试才能判断
contents-not-compared = 本次测试没有把全零数据和重复数据与不重复数据作比较

## evidence/reread

reread-too-few-blocks = 没有块读过两遍，或数量太少
reread-from-page-cache = 第二次读由本机的页缓存应答：见page-cache
reread-of-own-blocks = 这些块由本次测试自己写入：无需取回
reread-as-fast-as-memory = 只有内存才能这么快应答
reread-too-fast-for-network = 太快，不像通过网络取回块的卷
reread-of-rotating-disk = 磁盘在旋转，会保留读过的内容
reread-too-close-to-fetch = 差异太小，不像从别处取回块
reread-slow-again = 读过的块又变慢了
reread-second-reads = 第二次读
reread-medians = 块的首次读{ $first }，第二次读{ $again }（{ $reads }次读取的中位数）
reread-third-reads = 其他读取全部结束后的第三次读
reread-median = { $median }（{ $reads }次读取的中位数）
reread-measured-by = 依据的测试项
reread-cells = { $cells }

## evidence/working_set

working-set-from-page-cache = 由本机的页缓存应答：见page-cache
working-set-not-read = 没有读取测试范围的各部分，或测试范围太小
working-set-too-few-reads = 这段时间内各部分的读取太少：--thorough会读得更多

## evidence/generator_pauses

remedy-measure-unstopped = 重测；期间不要停止truedisk，也不要挂起机器
generator-pauses-suspended = 机器曾被挂起，最长{ $length }：{ $cells }个测试项的结果包含这段时间
generator-pauses-in-figures = 本进程曾停止运行，最长{ $length }：{ $cells }个测试项的结果包含这段时间
generator-pauses-excluded = 本进程曾停止运行，最长{ $length }：速率已扣除这段时间；对{ $cells }个测试项的百分位几乎没有影响
generator-pauses-one = 停止运行{ $total }（占测试项的{ $share }），发生在测试开始后{ $start }
generator-pauses-several = 停止运行{ $total }（占测试项的{ $share }），共{ $pauses }次；最长一次{ $longest }，发生在测试开始后{ $start }

## evidence/withheld_cpu

remedy-measure-outside-group = 在此cgroup之外测试，或调高其限值
remedy-measure-without-steal = 换一个虚拟化层占用CPU时间更少的时段或主机测试
remedy-measure-alone = 在其他进程空闲时测试
remedy-measure-files-alone = 在主机空闲时用更多文件重测：--files N
remedy-measure-on-more-processors = 减少任务数，或在CPU更多的主机上测试
withheld-cpu-for = { $cause }：truedisk在{ $cells }个测试项中等待CPU，最多占{ $share }的时间
withheld-cpu-for-unknown = truedisk在{ $cells }个测试项中等待CPU，最多占{ $share }的时间
withheld-cpu-by-group = { $limit }（{ $cgroup }）；在{ $elapsed }中，truedisk有{ $lost }被限制运行
withheld-cpu-by-quota-of-one = cgroup只允许本进程使用一个CPU的{ $share }
withheld-cpu-by-quota = cgroup只允许本进程使用{ $processors }个CPU
withheld-cpu-by-limit = cgroup限制了本进程的CPU时间
withheld-cpu-by-hypervisor = 虚拟化层占用了CPU时间（steal）
withheld-cpu-by-others = CPU忙于其他工作
withheld-cpu-by-itself = 本进程占用的CPU时间多于其他进程
withheld-cpu-wait = 在{ $elapsed }中，工作线程等待CPU共{ $lost }
withheld-cpu-shares = CPU时间：本进程{ $own }，其他{ $others }，虚拟化层{ $stolen }，空闲{ $idle }
withheld-cpu-pressure = 在{ $elapsed }中，有{ $time }主机上至少一个进程在等待CPU

## cells

## class

class-memory = 内存，或磁盘前的缓存
class-optane = Optane SSD
class-fast-nvme = 高速NVMe SSD（PCIe 4或5）
class-nvme = NVMe SSD（PCIe 3级别）
class-sata = SATA SSD
class-virtual-ssd = 经虚拟化层访问的本地SSD
class-premium-volume = 高速网络块存储（高级云盘）
class-volume = 网络块存储（通用云盘）
class-rotating-disk = 机械硬盘
class-memory-card = 存储卡或U盘
class-unlike-all = 未知类别的设备；最接近的是{ $nearest }
class-read-latency = 深度1随机读每次{ $latency }
class-random-reads = 随机读{ $iops } IOPS
class-sequential-reads = 顺序读{ $rate }
class-writes-per-read = 随机写速度是随机读的{ $times }倍
class-times = { $times }
class-outside = { $feature }（此类通常为{ $low }至{ $high }）
class-called-rotational = sysfs标为旋转介质（rotational）
class-called-non-rotational = sysfs标为非旋转介质（non-rotational）

## class/claim

class-claim = { $parts }
class-claims-rotation = 旋转介质
class-claims-no-rotation = 非旋转介质
class-too-fast-for-platter = 设备声明为旋转介质，但读取只需{ $latency }：没有盘片转得这么快
class-waits-for-platter = 设备声明为非旋转介质，但读取的等待与{ $rpm } rpm的盘片相同
class-slow-as-platter = 设备声明为非旋转介质，但与机械硬盘一样慢
class-nvme-like-volume = 以NVMe设备的形式接入，但表现像{ $class }：云盘就是这样
class-faster-than-sata = 通过SATA接入，但速度超过该链路的承载能力：表现像{ $class }
class-fast-as-memory = 通过{ $transport }接入，但应答像内存：前面有缓存？

## compare

compare-has-it-with = { $side }只有相近的项：{ $differences }
compare-has-cell = { $side }有{ $cell }
compare-has-cell-like = { $side }有{ $cell }；{ $nearest }
compare-left-out = { $side }：{ $cell }未计入：{ $reason }
compare-reasons = { $reasons }
compare-no-cell = 没有可比较的测试项

## compare/caps

compare-caps-by-finding = { $finding }：{ $summary }
compare-caps-by-search = 搜索发现限速为{ $iops } IOPS
compare-caps-by-agreement = 不论读写，所有负载最高都约为{ $iops } IOPS（{ $rates }）：看来是限速，不是设备的极限。有这种限速的是{ $plan }。
compare-caps-workload-at-rate = { $workload } { $iops }
compare-caps-known-plan = { $plan ->
    [3000] 突发中的AWS EBS gp2、未加购IOPS的gp3，或未加购IOPS的Azure Premium SSD v2
    [3500] 突发中的小容量Azure Premium SSD
    [3600] 未加购IOPS的GCP Hyperdisk Balanced
    [5000] Azure P30磁盘，或突发结束后的DigitalOcean云盘
    [7500] Azure P50磁盘，或DigitalOcean云盘
    [10000] 突发中的DigitalOcean云盘，或Vultr NVMe
   *[16000] 最大容量的AWS EBS gp2
}

## compare/differences

compare-differences-host-and-path = { $host }:{ $path }
compare-differences-all-names = { $names }
compare-differences-names-and-more = { $names }和另外{ $more }个
compare-differences-fact-tool = 测试工具
compare-differences-fact-kernel = 内核
compare-differences-fact-architecture = 架构
compare-differences-fact-processor = CPU
compare-differences-fact-memory = 内存
compare-differences-fact-virtualisation = 虚拟化
compare-differences-fact-group-limits = cgroup的I/O限值
compare-differences-fact-file-system = 文件系统
compare-differences-fact-interface = 内核接口
compare-differences-fact-payload = 写入的数据
compare-differences-fact-hosts = 主机
compare-differences-fact-sharing = 主机间共享
compare-differences-processors = { $cpus } x { $model }
compare-differences-unknown-processors = { $cpus } x 未知型号
compare-differences-about-memory = 约{ $memory }
compare-differences-count = { $count }
compare-differences-no-file-system = 无
compare-differences-differs-within = { $side }内部的{ $fact }不一致：{ $values }
compare-differences-differs-between = { $fact }：{ $a }为{ $of-a }，{ $b }为{ $of-b }
compare-differences-run-on-both-sides = 测试{ $run }同时在两边：不可能与自身不同
compare-differences-only-side-has = 只有{ $side }包含{ $hosts }
compare-differences-hosts-differ = 两边的主机不同：{ $differences }
compare-differences-spans-differ = 测试范围：{ $a }为{ $of-a }，{ $b }为{ $of-b }；范围小则更容易放进缓存
compare-differences-times-differ = 单项时长：{ $a }最长{ $of-a }，{ $b }最长{ $of-b }；时间短的测试项可能全处于突发之中
compare-differences-ended-early = { $runs ->
    [1] { $side }提前结束
   *[other] { $side }的{ $runs }次测试中有{ $number }次提前结束
}
compare-differences-degraded = { $runs ->
    [1] { $side }不完整：{ $reason }
   *[other] { $side }的{ $runs }次测试中有{ $number }次不完整：{ $reason }
}
compare-differences-warned = { $runs ->
    [1] { $side }：{ $finding }：{ $summary }
   *[other] { $side }的{ $runs }次测试中有{ $number }次出现{ $finding }：{ $summary }
}

## compare/effect

compare-effect-same = 视为相同，差异在{ $margin }以内（x { $low }至{ $high }）
compare-effect-faster = { $side }更快，是对方的{ $factor }倍（{ $low }至{ $high }）
compare-effect-slower = { $side }更慢，对方是它的{ $factor }倍（{ $low }至{ $high }）
compare-effect-longer = { $side }的{ $figure }更长，是对方的{ $factor }倍（{ $low }至{ $high }）
compare-effect-shorter = { $side }的{ $figure }更短，对方是它的{ $factor }倍（{ $low }至{ $high }）
compare-effect-differs-in-one-run = { $difference }，每边只测1次；再测可能不同
compare-effect-ratio-of-one-run = x { $ratio }，每边只测1次；没有区间，无法下结论
compare-effect-undecided-by-one-run = 每边只测1次，无法判断：测试内为x { $low }至{ $high }，{ $needed }
compare-effect-too-few-runs = 无法判断：{ $runs }，{ $needed }
compare-effect-undecided = 无法判断：{ $runs }，x { $low }至{ $high }，{ $needed }
compare-effect-runs-needed = 每边需测{ $runs }次
compare-effect-many-runs-needed = 每边需测1000次以上
compare-effect-runs-each = 每边测{ $runs }次
compare-effect-runs-of-both = 两边分别测{ $a }次和{ $b }次

## compare/figures

compare-figures-nothing-completed = 没有操作完成
compare-figures-bound-never-kept = 任何负载都无法满足延迟上限
compare-figures-search-unsure = 上限的搜索结果不确定
compare-figures-limit-label = { $workload }，满足{ $bound }的最大值
compare-figures-open-limit-label = { $workload }，满足{ $bound }的最大值，开环

## compare/headline

compare-headline-sentences = { $first }{ $second }
compare-headline-nothing-usable = 无法判断：两边的测试结果均未计入（{ $reason }）。
compare-headline-looks-capped = { $side }看来被限速为{ $iops } IOPS。
compare-headline-gives-times = { $more }是{ $less }的{ $factor }倍，每边只测1次。
compare-headline-gives-times-over-cells = { $more }是{ $less }的{ $least }至{ $most }倍，共{ $cells }个测试项，每边只测1次。
compare-headline-no-interval-between-runs = 每边只测1次，看不出多次测试之间相差多少。
compare-headline-all-cells = 全部测试项合计：{ $verdict }；{ $runs }。
compare-headline-all-cells-undecided = 全部测试项合计：{ $verdict }。
compare-headline-depends-on-workload = 结果取决于负载类型。
compare-headline-one-cell = { $cell }：{ $verdict }；{ $runs }。
compare-headline-outcomes = { $comparisons }项比较中，{ $side }有{ $outcomes }（Holm法，全部{ $family }项合计5 %）。
compare-headline-faster-in = { $cells }项更快
compare-headline-slower-in = { $cells }项更慢
compare-headline-same-in = { $cells }项相同
compare-headline-different-alone-in = { $cells }项经多重比较校正后不显著
compare-headline-undecided-in = { $cells }项无法判断
compare-headline-family-needs-runs = 共{ $comparisons }项比较，每边需测{ $runs }次，结果才可能显著。

## compare/hosts

## compare/key

compare-key-other-order = 块的顺序不同
compare-key-blocks-of = 块大小{ $size }
compare-key-other-sizes = 操作大小不同
compare-key-at-depth = 深度{ $depth }
compare-key-other-pacing = 发出节奏不同
compare-key-other-rate-cap = 速率上限不同
compare-key-other-pauses = 间歇不同
compare-key-other-syncs = 刷盘调用（fsync等）不同
compare-key-other-durability = 写入的持久化标志（O_SYNC、O_DSYNC等）不同
compare-key-other-trim = TRIM类型不同
compare-key-with-direct = O_DIRECT
compare-key-no-direct = 无O_DIRECT
compare-key-other-job-beside = 并行任务不同
compare-key-read-after-pause = 空闲后读 { $size }
compare-key-commit = 提交 { $size }
compare-key-with-arrivals = { $workload }，到达率{ $rate }/s
compare-key-with-depth = { $workload }，深度{ $depth }
compare-key-without-direct = { $cell }，无O_DIRECT
compare-key-beside = { $cell }（同时{ $other }）

## curve

curve-rate-alternates = 速率在{ $least }至{ $most } IOPS之间忽高忽低
curve-rate-changes = 速率从{ $first } IOPS起一直朝一个方向变化
curve-higher-loads-disturbed = 更高负载下的测量都受到了干扰

## curve/cap

cap-probes-at-ceiling = { $all }次探测中有{ $near }次（深度{ $shallowest }至{ $deepest }）与{ $iops } IOPS相差在{ $within }以内
cap-calmer-than-chance = 多数半秒段的速率波动不超过{ $variation }；仅偶然波动就应有{ $chance }
cap-larger-as-often = { $larger }的操作与{ $size }的操作每秒完成次数相同
cap-larger-as-many-bytes = { $larger }的操作与{ $size }的操作每秒传输的字节数相同
cap-ends-at-same-rate = { $label }的速率上限相同
cap-sold-by-clouds = 云厂商出售{ $iops } IOPS的云盘
cap-served-in-slices = 操作成片完成：{ $share }的时间没有任何完成
cap-workers-starved = 工作线程没有剩余的CPU时间
cap-unconfirmed = 测量次数太少，无法确认该上限
cap-unconfirmed-disturbed = 未受干扰的测量次数太少，无法确认该上限

## curve/limit

limit-interval-too-wide = 区间为±{ $half }，太宽，得不出数值
limit-its-reads = 其中的读
limit-its-writes = 其中的写
limit-latency-not-monotone = 负载升高时延迟多次下降
limit-probes-used-up = 探测次数用尽，结果仍不确定

## curve/names

workload-read = { $order ->
    [sequential] 顺序读
   *[random] 随机读
}
workload-write = { $order ->
    [sequential] 顺序写
   *[random] 随机写
}
workload-trim = { $order ->
    [sequential] 顺序TRIM
   *[random] 随机TRIM
}
workload-trim-write = { $order ->
    [sequential] 顺序TRIM加写
   *[random] 随机TRIM加写
}
workload-mix = { $order ->
    [sequential] { $reads }/{ $writes }顺序混合
   *[random] { $reads }/{ $writes }混合
}
workload-of-size = { $workload } { $block-size }
workload-beside = { $first }（同时{ $second }）
workload-at-depth = { $workload }，深度{ $depth }

## curve/wording

curve-random-read-rate = 随机读{ $iops } IOPS
curve-random-write-rate = 随机写{ $iops } IOPS
curve-rate-of = { $label } { $iops } IOPS
curve-load-depth = 深度{ $depth }
curve-load-depths = 深度{ $depths }
curve-load-arrivals = 到达率{ $rate }/s
curve-load-lowest = 最低速率
curve-headline = { $rate }，满足{ $bound }（{ $load }）
curve-headline-with-interval = { $rate } ±{ $half }，满足{ $bound }（{ $load }）
curve-headline-unproven = { $rate }（{ $load }；操作太少，无法判断是否满足{ $bound }）
curve-headline-of-cap = { $headline }，这是服务商的限速
curve-headline-of-group = { $headline }：这是cgroup的限值
curve-headline-of-client = { $headline }；这是下限：瓶颈在本机
curve-level-changed = 至少前{ $until }为{ $before }，之后为{ $after }
curve-ramp-down = 持续下滑：开始时{ $before }，一直下降，最后{ $after }
curve-ramp-up = 持续爬升：开始时{ $before }，一直上升，最后{ $after }
curve-unreachable = 无法满足{ $bound }：空载时{ $statistic }已为{ $value }（{ $load }）
curve-unreachable-unknown = { $load }时也无法满足{ $bound }
curve-unreachable-headline = { $label }：{ $unreachable }
curve-unreachable-because = { $label }：{ $unreachable }；{ $because }
curve-unsure = 不确定：{ $rate }左右（{ $load }）
curve-unsure-because = 不确定：{ $rate }左右（{ $load }）；{ $because }
curve-limit-unreachable = { $label }：{ $unreachable }。此时磁盘可达{ $iops } IOPS。
curve-limit-unproven = { $label }：{ $load }时{ $iops } IOPS。完成的操作太少，无法判断是否满足{ $bound }。
curve-bound-and-value = { $bound }（{ $statistic }为{ $value }）
curve-limit-figure = { $cause ->
    [arrivals-saturation] { $label }：{ $load }时，即使前面的请求延误，仍能满足{ $bound }。再高设备就跟不上了。
    [arrivals] { $label }：{ $load }时，即使前面的请求延误，仍能满足{ $bound }。
    [unsure] { $label }：{ $load }时约{ $iops } IOPS，满足{ $bound }。此结果不确定。
    [saturation] { $label }：{ $load }时{ $iops } IOPS，满足{ $bound }。队列再深只增加延迟，不增加操作数。
    [bound] { $label }：{ $load }时{ $iops } IOPS，满足{ $bound }。队列再深，IOPS更高，但会超出延迟上限。
    [depth-tried] { $label }：{ $load }时{ $iops } IOPS，满足{ $bound }，这是试过的最大深度。队列再深，IOPS可能更高。
    [provider-cap] { $label }：从{ $load }起{ $iops } IOPS，满足{ $bound }。这是人为设定的限速，不是设备的极限。
    [control-group] { $label }：{ $load }时{ $iops } IOPS，满足{ $bound }。限值来自本机的cgroup，不是设备。
    [client] { $label }：{ $load }时至少{ $iops } IOPS，满足{ $bound }。瓶颈是本机的CPU，不是设备。
   *[other] { $label }：{ $load }时{ $iops } IOPS，满足{ $bound }。
}
curve-limit-evidence = { $label }上限的依据：{ $because }。
curve-limit-doubt = { $label }的上限不确定：{ $because }。
curve-parts = 其中：{ $parts }。
curve-part-figures = { $label }：{ $figures }
curve-statistic-value = { $statistic } { $value }
curve-queues-apart = 两个任务像两个程序一样互不等待：慢的写不占读的队列。混合读写（randrw）则共用一个队列，慢的写会占住读可用的位置。
curve-queue-shared = 读和写共用一个队列：慢的一方会占住另一方可用的位置。两个任务（--rw randread+randwrite）各自保持自己的深度。
curve-thrashing = { $label }：出现颠簸。深度{ $best }时{ $most } IOPS，深度{ $then }时只有{ $iops }。请把队列深度保持在{ $best }。
curve-knee = { $label }：拐点约在深度{ $depth }（最高{ $most } IOPS x 空载延迟{ $idle }）。队列再深，主要只是等待更久。
curve-bend = { $label }：实测曲线在深度{ $depth }处弯曲最明显。
curve-unsteady = { $label }：延迟没有随负载平稳上升。设备不稳定，搜索结果不可靠：请在设备没有其他负载时重测。

## evidence/group_limit

group-limit-of = { $cgroup }中的{ $device }：最多{ $most }
group-limit-unknown = { $cgroup }中的{ $device }：有限制，数值未知
group-limit-allows = cgroup { $cgroup }允许{ $device }最多{ $most }
group-limit-limits = cgroup { $cgroup }限制了{ $device }，数值未知
group-limit-reads = 读{ $rate }次/s
group-limit-writes = 写{ $rate }次/s
group-limit-bytes-read = 读{ $rate }
group-limit-bytes-written = 写{ $rate }
group-limit-reached = 限值的{ $share }：{ $used }

## fleet/findings

fleet-no-findings = 缺少该主机的检查结果：没有它的记录
fleet-unknown-ok = { $hosts }没有自己的记录，情况未知；其余正常
fleet-unknown-blind = { $hosts }没有自己的记录，情况未知；其余无法检查
fleet-one-host = { $host }：{ $finding }
fleet-one-of-hosts = { $hosts }台主机中的{ $host }：{ $finding }
fleet-all-hosts = 全部{ $hosts }台主机，例如{ $host }：{ $finding }
fleet-some-hosts = { $hosts }台主机中的{ $count }台（{ $names }），例如{ $host }：{ $finding }
fleet-host-fact = { $host }：{ $fact }
fleet-hosts = 主机
fleet-served-only-run = 其设备只处理了本次测试各主机的请求，没有其他请求

## fleet/wording

fleet-names = { $names }
fleet-names-and-more = { $names }和另外{ $more }台
fleet-missed = { $cells }个测试项中有{ $missed }个缺少{ $host }
fleet-ended-early = { $host }提前结束：{ $reason }
fleet-others = 其他进程：按{ $bound }在{ $hosts }台主机上监测了{ $requests }个请求。
fleet-others-unseen = 其他进程：按{ $bound }在{ $hosts }台主机上监测了{ $requests }个请求。{ $unseen }上没有看到任何请求：该界限在那里未经检验。
fleet-late = 协调程序有延迟：读取主机发来的消息最多晚了{ $late }。没有主机因此被算作失联；各项测试的开始可能晚于计划。
fleet-relays-lost = { $relays }个中继中有{ $lost }个失联（{ $names }）。协调程序改为直接接收其主机的消息；任何测量数据都不经过中继。
fleet-no-record = { $hosts }还没有传来自己的记录：fleet collect { $run }
fleet-lost = { $host }失联：{ $reason }
fleet-lost-at = { $host }在测试开始{ $at }后失联：{ $reason }
fleet-lost-in = { $host }在{ $cell }中失联：{ $reason }
fleet-lost-at-in = { $host }在测试开始{ $at }后失联，当时正在测{ $cell }：{ $reason }
fleet-in-no-total = 所有合计都不包含它
fleet-totals-without = { $totals }个合计中有{ $missed }个不包含它
fleet-lost-host = { $clauses }
fleet-headline-sum = { $hosts ->
    [1] { $headline }；1台主机，使用自己的目标
   *[other] { $headline }；{ $hosts }台主机各用自己的目标，结果相加
}
fleet-headline-at-once = { $hosts ->
    [1] { $headline }；1台主机
   *[other] { $headline }；{ $hosts }台主机同时测试
}
fleet-headline-degraded = { $headline }。结果不完整：{ $why }
fleet-degraded = 结果不完整：{ $why }
fleet-not-seen = { $checks }：{ $why }
fleet-shares = { $cell }的{ $hosts }台主机合计{ $iops } IOPS：每台{ $least }（{ $slowest }）至{ $most }（{ $fastest }）。
fleet-slowest = 最慢的主机是{ $host }：{ $cell }的一次操作在该主机上需{ $mean }，是中位主机（{ $median }）的{ $ratio }倍。
fleet-even = 没有主机明显偏慢：{ $cell }的一次操作在最慢的主机（{ $host }）上需{ $mean }，在中位主机上需{ $median }。
fleet-starts = 各主机的开始时间相差在{ $skew }以内（最差的是{ $cell }），时钟误差±{ $error }。
fleet-window = { $cell }中，各主机并非全程同时运行：最早的在{ $first }后结束，最晚的在{ $last }后结束。速率取全部主机同时运行的{ $together }，占总时间的{ $share }。
fleet-no-window = { $cell }中，各主机几乎没有同时运行：速率取全部{ $last }，低于各主机同时运行时的总和
fleet-headline-slow = { $headline }。{ $slow }
fleet-sentence = { $clause }。

## fleet/waves

wave-ended = 第{ $wave }批（共{ $waves }批）：{ $reason }
waves-not-begun = { $waves }批共{ $hosts }台主机没有开始
wave-finding = 第{ $wave }批（共{ $waves }批）：{ $finding }
waves-finding = { $waves }批中的{ $count }批，例如第{ $wave }批：{ $finding }
waves-headline = { $hosts }台主机分{ $waves }批测试，每批最多{ $most }台：没有合计，因为并非所有主机同时测试
waves-each = { $hosts }台主机，各自单独计算（{ $load }，深度{ $depth }）：{ $least }（{ $slowest }）至{ $most }（{ $fastest }）IOPS，中位数{ $median }。
waves-starts = 第{ $wave }批各主机的开始时间相差在{ $skew }以内（最差的是{ $cell }）：按时钟误差为{ $min }至{ $max }。

## fleet/outliers

outliers-none = 同类主机中没有偏慢的：共比较{ $hosts }台
outliers-found = { $hosts }台主机中有{ $slow }台偏慢
outliers-with-trait = { $hosts }台主机中有{ $slow }台偏慢，其中{ $count }台具有{ $what }
outliers-trait = { $kind ->
    [model] 型号 { $value }
    [firmware] 固件 { $value }
    [kernel] 内核 { $value }
   *[label] 标签 { $value }
}
outliers-evidence = { $what }：具有该特征的{ $hosts }台中有{ $slow }台偏慢，不具有的{ $without }台中有{ $others }台（{ $p }）
outliers-host = { $host }：{ $figure }
outliers-figure = { $load }：{ $value }，慢的程度是中位数{ $median }的{ $times }倍
outliers-not-compared = 同类主机不足四台或没有数据，因此未比较：{ $hosts }
outliers-sample = 随机抽取{ $all }台中的{ $hosts }台：若全部主机中有{ $found }台或更多偏慢，样本有95 %的把握包含至少一台；要发现{ $share }的偏慢主机需测{ $needed }台
outliers-peers = { $hosts }台主机，{ $model }，离散度{ $spread }
outliers-peers-unknown = { $hosts }台主机，离散度{ $spread }
outliers-p99 = p99 { $value }

## interference

interference-latency = { $label }：单独测试时{ $statistic }为{ $alone }，每秒{ $writes }次写同时进行时为{ $beside }（{ $times }倍）
interference-writes-alone = 单独测试时，目标每秒完成{ $writes }次随机写（深度32）；文中的比例都以此为准。
interference-reads = { $label }：单独测试时每秒{ $alone }次读，每秒{ $writes }次写同时进行时为{ $beside }次。
interference-writes-behind = 写入达到最大写速率的{ $share }起，目标完成的写少于到达的写：每秒{ $writes }次。此时目标或本机已满载，读和写一起等待。
interference-reads-drifted = 单独读的平均耗时，写入之前为{ $before }，之后为{ $after }。目标前后状态不同，因此比较只是粗略的。

## ladder

ladder-rung = { $kind ->
    [sold] { $example }（{ $iops } IOPS，标称）
    [computed] { $example }（{ $iops } IOPS，计算）
   *[measured] { $example }（{ $iops } IOPS，实测）
}
ladder-between = 在典型设备中，随机读{ $iops } IOPS介于{ $above }与{ $below }之间。
ladder-below = 在典型设备中，随机读{ $iops } IOPS低于{ $below }。
ladder-above = 在典型设备中，随机读{ $iops } IOPS高于{ $above }。

## pauses

## preset

preset-at-least = 不低于{ $limit }
preset-below = 低于{ $limit }
preset-not-measured = 没有测量
preset-too-few-operations = 操作太少，得不出此百分位
preset-interval-meets = 整个区间都达到阈值
preset-interval-misses = 整个区间都未达到阈值
preset-interval-meets-in-part = 区间只有一部分达到阈值
preset-clearly-meets = 数值明显达到阈值
preset-clearly-misses = 数值明显未达到阈值
preset-near-threshold = 数值接近阈值，且没有区间
preset-pass = { $missed-advice ->
    [0] { $preset }：通过，{ $all }项阈值达到{ $met }项
   *[other] { $preset }：通过，{ $all }项阈值达到{ $met }项；{ $missed-advice }项建议值未达到
}
preset-undecided = { $missed-advice ->
    [0] { $preset }：{ $all }项阈值中有{ $open }项无法判断；达到{ $met }项
   *[other] { $preset }：{ $all }项阈值中有{ $open }项无法判断；达到{ $met }项；{ $missed-advice }项建议值未达到
}
preset-fail = { $missed-advice ->
    [0] { $preset }：未通过，{ $all }项阈值中有{ $missed }项未达到
   *[other] { $preset }：未通过，{ $all }项阈值中有{ $missed }项未达到；另有{ $missed-advice }项建议值未达到
}
preset-main-figures = { $preset }：{ $figures }
preset-no-figure = { $preset }：没有步骤得出数值
preset-files-created = 每秒创建{ $rate }个文件
preset-surface-rate = 全盘平均读取{ $mean }
preset-best-reads = 读{ $value }（{ $step }）
preset-best-writes = 写{ $value }（{ $step }）
presets-title = 预设测试
head-at-most = 最长
head-test-file = 文件
preset-only-reads = { $title }（只读）
preset-group-servers = 服务器与云盘
preset-group-applications = 应用
preset-group-cards = 存储卡
preset-group-crystaldiskmark = CrystalDiskMark
preset-group-tools = 其他工具
preset-group-small-files = 小文件
preset-group-own = 自定义
preset-broken = 损坏：{ $error }
presets-note = 所列为测试时间，准备文件另需时间。truedisk preset NAME PATH运行一项，--show NAME显示其内容；./FILE.toml是您自己的预设。
preset-title-a1 = 存储卡：能否达到A1等级的承诺？
preset-title-a2 = 存储卡：能否达到A2等级的承诺？
preset-title-backup = 备份与恢复：长时间顺序读写
preset-title-cloud = 云盘：深度64的混合、读、写，然后测延迟
preset-title-crystaldiskmark = CrystalDiskMark所显示的：1 MiB顺序，4 KiB随机
preset-title-crystaldiskmark-mix = CrystalDiskMark，另加70 %读的混合
preset-title-crystaldiskmark-nvme = 用于NVMe的CrystalDiskMark：深队列，16线程
preset-title-crystaldiskmark-nvme-peak = NVMe设置下CrystalDiskMark的峰值：16线程
preset-title-crystaldiskmark-flash = 用于存储卡和U盘的CrystalDiskMark：每遍短，间歇长
preset-title-crystaldiskmark-peak = CrystalDiskMark的峰值：队列最深的两项
preset-title-crystaldiskmark-real = CrystalDiskMark的真实场景：一次一个请求
preset-title-crystaldiskmark-demo = CrystalDiskMark演示：一项测试
preset-title-crystaldiskmark-9 = CrystalDiskMark 9所显示的：同样项目，三遍
preset-title-crystaldiskmark-7 = CrystalDiskMark 7的测试
preset-title-crystaldiskmark-6 = CrystalDiskMark 6的测试
preset-title-crystaldiskmark-5 = CrystalDiskMark 5的测试
preset-title-dd = 人们常用dd做的六项测试
preset-title-etcd = etcd：对其日志和数据库够快吗？
preset-title-file-server = 文件服务器：80 %读，4至64 KiB随机
preset-title-gnome-disks = GNOME磁盘基准测试所显示的：10 MiB传输与访问时间
preset-title-hdparm = hdparm -T、-t和--direct所显示的：内存、页缓存预读和磁盘
preset-title-hdtune = HD Tune所显示的：盘面曲线与各大小的随机访问
preset-title-kafka = Kafka：追加日志，同时消费者追赶
preset-title-metadata = 小文件：创建、stat、打开、列目录、重命名、删除
preset-title-mysql = MySQL：InnoDB日志、16 KiB页及其刷盘
preset-title-oltp = OLTP：8 KiB页，70/30，同时写日志
preset-title-postgresql = PostgreSQL：提交，以及8 KiB随机页
preset-title-prometheus = Prometheus或任何LSM树：压实期间的查询
preset-title-redis-aof = Redis：仅追加文件，每秒同步与每次写入都同步
preset-title-snia = 稳态：IOPS、吞吐量、延迟、写饱和
preset-title-sqlite = SQLite：每秒事务数
preset-title-vdi = 虚拟桌面：以小块随机写为主
preset-title-vm-boot = 虚拟机启动：多种大小的随机读
preset-title-vps = 新服务器：带宽、随机操作、延迟
preset-title-web-server = Web服务器：随机读小文件，追加日志
preset-title-winsat = winsat disk所显示的：随机与顺序速率，以及等待写的读
preset-title-yabs = yabs的磁盘部分：四种大小的混合随机读写
preset-without-writes = 不允许写入：略去{ $steps }
preset-shorter-times = 各项时间均为预设的{ $share }，以便在{ $budget }内结束
preset-other-size = 测试文件为{ $size }，而不是{ $wanted }
preset-no-whole-sector = 略去“{ $step }”：{ $size }不是扇区大小{ $sector }的整数倍
preset-no-fresh-file = “{ $step }”覆盖写已写过的块：没有空间放新块
preset-step-again = “{ $step }”重新测量了一次：第一次在其时间内没有操作完成
preset-no-direct-io = 此目标不支持直接I/O：读写都经过页缓存
preset-too-small-for-surface = 目标太小，容不下盘面的{ $places }个位置
preset-step-a1-sequential = 顺序写 512k
preset-step-a1-read = 随机读 4k，深度1
preset-step-a1-write = 随机写 4k，深度1
preset-step-a2-sequential = 顺序写 512k
preset-step-a2-read = 随机读 4k，深度32
preset-step-a2-write = 随机写 4k，深度32
preset-step-backup-read-large = 大文件：顺序读 1m，深度4
preset-step-backup-read-small = 小文件：随机读 64k，深度4
preset-step-backup-restore = 写 1m，每256 MiB同步
preset-step-backup-verify = 读（同时写）
preset-step-cloud-randrw = 随机混合 75/25 4k，深度64
preset-step-cloud-randread = 随机读 4k，深度64
preset-step-cloud-randwrite = 随机写 4k，深度64
preset-step-cloud-latency = 随机读 4k，每100 ms一次
preset-note-cloud-latency = 同ioping：云盘空闲时一个请求的耗时
preset-note-dd-write-8k-direct = 测量逐个写8 KiB到磁盘缓存为止的延迟；不反映更多请求并行时磁盘的能力，也不反映数据是否安全
preset-note-dd-read-8k-direct = 测量读相邻8 KiB块的延迟，磁盘和主机会预读这些块；不是随机读
preset-note-dd-write-1m-direct = 测量逐个写1 MiB到磁盘缓存为止；不反映数据是否安全，也不反映缓存写满之后的速度
preset-note-dd-read-1m-direct = 测量逐个读1 MiB；快的磁盘在两次读之间空闲
preset-note-dd-write-1m-fdatasync = 测量先写入内存、再全部写到磁盘并刷盘：复制这么多数据直到安全落盘的耗时；不反映混在其他负载中的一次大写的耗时
preset-note-dd-read-1m-buffered = 如果文件刚被读写过，测到的是内存复制，否则是页缓存的预读；这里先把文件移出内存
preset-step-etcd-wal = 日志：写 2300 B + fdatasync
preset-note-etcd-wal = 写在预先分配了块的新文件中，与etcd预分配日志一样
preset-step-etcd-backend = 数据库：32页 + fdatasync
preset-note-etcd-backend = 半次提交：bbolt写改动的页并同步，再写元数据页并再次同步，每100 ms或每10,000次改动一次
preset-step-etcd-heavy = 日志 8000 B + fdatasync
preset-note-etcd-heavy = 按OpenShift指南计算的顺序IOPS：需要50，负载重时需要500
preset-step-file-server-light = 轻负载：深度8
preset-step-file-server-moderate = 中等负载：深度64
preset-note-hdparm-cached = 反复读同样的2 MiB：内存中的复制，与磁盘无关
preset-note-hdparm-buffered = 经清空的页缓存并预读：从头读文件的程序所得到的速度
preset-note-hdparm-direct-cached = 绕过页缓存反复读同样的2 MiB：磁盘自身或主机的缓存
preset-note-hdparm-direct = 每次2 MiB，逐个请求：低于更多请求并行时磁盘的能力
preset-note-hdtune-access = 在整个目标范围内，以下各项随机读也一样
preset-note-hdtune-burst = 反复读同样的64 KiB：磁盘缓存和到它的通路
preset-note-hdtune-random-mixed = 4 KB的各个倍数直到1 MB，频率相同
preset-step-kafka-produce = 写 1m，每八次有一次在别处
preset-step-kafka-catch-up = 写一个日志，读一个旧日志
preset-step-kafka-append = 追加 64k，每16 MiB同步
preset-note-kafka-append = 经页缓存，并强制磁盘跟上：broker可持续的速率
preset-step-metadata-small-files = 小文件
preset-step-mysql-redo = 提交：写 4k 日志 + fsync
preset-step-mysql-page = 随机读 16k，深度1
preset-step-mysql-pages = 随机读 16k，深度32
preset-step-mysql-flush = 随机写 16k，深度8
preset-note-mysql-flush = page cleaner；doublewrite缓冲把每页再顺序写一次
preset-step-oltp-load = 页 70/30，深度16，同时写日志
preset-step-oltp-scan = 扫描：顺序读 512k，深度4
preset-step-postgresql-wal = 提交：写 8k + fdatasync
preset-note-postgresql-wal = 一个客户端不停提交；多个客户端可共用一次刷盘，所以这是下限
preset-step-postgresql-page = 查索引：随机读 8k，深度1
preset-note-postgresql-page = 逐页等待的查询
preset-step-postgresql-pages = 多个客户端：随机读 8k，深度32
preset-step-postgresql-busy = 页 70/30，深度16，同时提交
preset-note-postgresql-busy = 同时读页和写回页时一次提交的代价
preset-step-prometheus-queries = 随机读 4k，深度4
preset-step-prometheus-compaction = 同上，压实期间
preset-note-prometheus-compaction = 压实对查询的影响：与上一行比较
preset-step-prometheus-wal = 日志：经页缓存写 32k
preset-note-prometheus-wal = 每次抓取的样本；128 MiB的段写满时同步
preset-step-redis-aof-everysec = 4k，每秒1,000次，每秒fdatasync
preset-step-redis-aof-always = 512 B + fdatasync
preset-note-redis-aof-always = Redis每次都等待：这是单个客户端每秒命令数的上限
preset-step-snia-precondition = 写 128k，两倍容量
preset-step-snia-saturation = 饱和：随机写 4k，深度32
preset-note-snia-saturation = 每轮20 s；各轮速率随时间的变化在记录中
preset-step-snia-iops-100-0-128k = IOPS：随机混合 100/0 128k，深度32
preset-step-snia-iops-100-0-64k = IOPS：随机混合 100/0 64k，深度32
preset-step-snia-iops-100-0-8k = IOPS：随机混合 100/0 8k，深度32
preset-step-snia-iops-100-0-4k = IOPS：随机混合 100/0 4k，深度32
preset-step-snia-iops-65-35-128k = IOPS：随机混合 65/35 128k，深度32
preset-step-snia-iops-65-35-64k = IOPS：随机混合 65/35 64k，深度32
preset-step-snia-iops-65-35-8k = IOPS：随机混合 65/35 8k，深度32
preset-step-snia-iops-65-35-4k = IOPS：随机混合 65/35 4k，深度32
preset-step-snia-iops-0-100-128k = IOPS：随机混合 0/100 128k，深度32
preset-step-snia-iops-0-100-64k = IOPS：随机混合 0/100 64k，深度32
preset-step-snia-iops-0-100-8k = IOPS：随机混合 0/100 8k，深度32
preset-step-snia-iops-0-100-4k = IOPS：随机混合 0/100 4k，深度32
preset-step-snia-throughput-read-128k = 吞吐量：顺序读 128k
preset-step-snia-throughput-write-128k = 吞吐量：顺序写 128k
preset-step-snia-throughput-read-1m = 吞吐量：顺序读 1m
preset-step-snia-throughput-write-1m = 吞吐量：顺序写 1m
preset-step-snia-latency-100-0-8k = 延迟：随机混合 100/0 8k，深度1
preset-step-snia-latency-65-35-8k = 延迟：随机混合 65/35 8k，深度1
preset-step-snia-latency-0-100-8k = 延迟：随机混合 0/100 8k，深度1
preset-step-snia-latency-100-0-4k = 延迟：随机混合 100/0 4k，深度1
preset-step-snia-latency-65-35-4k = 延迟：随机混合 65/35 4k，深度1
preset-step-snia-latency-0-100-4k = 延迟：随机混合 0/100 4k，深度1
preset-step-sqlite-rollback = 一页 + fsync：四分之一次提交
preset-note-sqlite-rollback = 刷盘对象为日志页、其目录、日志头和数据库：DELETE模式下每个事务四次
preset-step-sqlite-wal = 追加一页 + fsync
preset-step-sqlite-read = 随机读 4k，深度1
preset-note-sqlite-read = 不在任何缓存中的页：启动后最初的查询要等它
preset-step-vdi-most = 随机混合 10/90 4k，深度32
preset-step-vdi-work = 每秒到达250个操作，到达即发出
preset-note-vdi-work = 25个桌面，每个10 IOPS，开环：等待计入时间
preset-step-vm-boot-one = 一台虚拟机，深度4
preset-step-vm-boot-ten = 十台虚拟机同时，深度40
preset-note-vm-boot-ten = 启动风暴
preset-step-vps-bandwidth-read = 顺序读 1m，深度16
preset-step-vps-bandwidth-write = 顺序写 1m，深度16
preset-step-vps-random-read = 随机读 4k，深度64
preset-step-vps-random-write = 随机写 4k，深度64
preset-step-vps-latency-read = 随机读 4k，深度1
preset-note-vps-latency-read = 逐个等待请求的程序所得到的
preset-step-vps-latency-write = 随机写 4k，深度1
preset-step-vps-commit = 写 4k + fdatasync
preset-note-vps-commit = 把每次改动都持久化的数据库所得到的
preset-step-web-server-serve = 每写一次读十次文件，深度100
preset-note-winsat-flush-seq = 逐个随机读16 KiB，同时顺序写64 KiB，每16次写入刷盘一次
preset-note-winsat-flush-ran = 同上，同时在随机位置写16 KiB
preset-step-yabs-mixed-4k = 随机混合 4k
preset-step-yabs-mixed-64k = 随机混合 64k
preset-step-yabs-mixed-512k = 随机混合 512k
preset-step-yabs-mixed-1m = 随机混合 1m
preset-plan-note-a1-1 = 要求的数值出自SD协会；256 MiB的范围和深度1是我们对其规范的理解，该规范只有会员能看到
preset-plan-note-a2-1 = 要求的数值出自SD协会；256 MiB的范围和深度32是我们对其规范的理解，该规范只有会员能看到
preset-plan-note-a2-2 = 该等级的卡只有在使用卡的命令队列和缓存的读卡器中才能达到这些数值
preset-plan-note-cloud-1 = 原做法在fio把文件读写过一遍后就结束；这里每次运行固定的时间，使慢盘和快盘的测法相同
preset-plan-note-crystaldiskmark-1 = CrystalDiskMark显示最快的一遍，以及各遍中最短的平均延迟，二者可能不是同一遍；这里两者都作为得分，旁边给出各遍的中位数及其区间
preset-plan-note-crystaldiskmark-2 = MB/s是每秒字节数除以1,000,000，与CrystalDiskMark相同；KDiskMark 3.3用KiB/s除以1000，显示的值低2.4 %
preset-plan-note-crystaldiskmark-3 = CrystalDiskMark用同一个随机的MiB反复填满文件；这里每个扇区都不同，下面的任何一层都无法压缩数据或去重
preset-plan-note-crystaldiskmark-flash-1 = Flash Memory设置的时间（测量1 s，两项测试间隔30 s）是我们对版本9的理解；我们手上的版本8源代码既没有这个设置，也没有这么短的时间
preset-plan-note-crystaldiskmark-flash-2 = 每项测试前不计入结果的一遍与其他各遍一样长，与我们手上最新的源代码相同；版本8的早期发行版总是用5 s
preset-plan-note-crystaldiskmark-9-1 = 三遍（版本5到8为五遍）是我们对版本9源代码的理解
preset-plan-note-dd-1 = 不带conv=notrunc的dd会先清空文件，因此也测到了文件系统分配新块的时间
preset-plan-note-dd-2 = dd写的是零，本预设也一样：会压缩数据或去重的磁盘或宿主机看起来比实际更快
preset-plan-note-etcd-1 = etcd看的是wal_fsync_duration_seconds的第99百分位，只包含fdatasync的时间
preset-plan-note-etcd-2 = OpenShift接受20 ms以内；本预设采用etcd自己的上限
preset-plan-note-etcd-3 = etcd对后端一次提交的上限是25 ms。一次提交有两次fdatasync：写完各页之后一次，写完元数据页之后一次，每次按上限的一半要求。因此，一快一慢两次fdatasync组成的提交可能满足etcd的上限，而本预设判为不达标；本预设判为达标时，100次提交中可能有2次而不是1次超过上限
preset-plan-note-etcd-4 = 对重负载的集群，OpenShift建议500顺序IOPS；50到500之间的磁盘也算达标，对其他集群够用
preset-plan-note-file-server-1 = 原模式中五分之一的操作小于4 KiB；这里改为4 KiB，因为扇区为4 KiB的磁盘无法执行更小的操作
preset-plan-note-gnome-disks-1 = GNOME磁盘在每次传输前先在该处读一页，且不计时，所以它的速率不含寻道。这里所有速率都含寻道：200 MB/s、寻道12 ms的机械硬盘，结果比GNOME磁盘低五分之一；其他磁盘差别很小
preset-plan-note-gnome-disks-2 = GNOME磁盘在整块盘上等距的100处读取；这里从指定的文件或设备中随机选100个不同的块
preset-plan-note-gnome-disks-3 = GNOME磁盘把先前读到的内容写回；这里写入随机字节，且只写在不会破坏数据的地方
preset-plan-note-gnome-disks-4 = 写速率是单次写（连同其fsync）速率的平均值；记录中不保存哪个fsync跟在哪次写之后，因此对写与fsync的所有组合取平均
preset-plan-note-gnome-disks-5 = 每次只进行一个传输，远不能体现快速磁盘的能力
preset-plan-note-hdparm-1 = hdparm的MB即MiB；只读磁盘的开头，那是机械硬盘最快的部分
preset-plan-note-hdtune-1 = HD Tune从头到尾读取磁盘；这里以随机顺序读101处，使随时间的变化不会被误认为是某处的特性；每处之内的随机读显示那里短距离寻道的用时
preset-plan-note-hdtune-2 = HD Tune的源代码不公开；据我们所知，它的默认设置是64 KB的块，每次一个；用更大的块或更多的未完成请求，快速磁盘能做得更多
preset-plan-note-hdtune-3 = HD Tune的最后一行使用512字节起的大小；这里从4 KB起，因为扇区为4 KB的磁盘无法执行更小的操作
preset-plan-note-hdtune-4 = 用测试文件时只能看到文件所在的那部分磁盘；要看整块盘，请指定设备：对设备只读不写
preset-plan-note-hdtune-5 = HD Tune的MB按1,000,000字节计
preset-plan-note-kafka-1 = Kafka把刷盘交给系统，因此磁盘看到的是大块顺序写；1 MiB的直接写在没有页缓存的情况下体现这一点
preset-plan-note-metadata-1 = 创建包括open、write和close；打开包括open、read和close；带fsync时，创建同步该文件，改名和删除同步所在目录
preset-plan-note-metadata-2 = 文件按创建的顺序使用，每个线程用自己的文件；冷文件以随机顺序查询（stat）和打开
preset-plan-note-mysql-1 = innodb_io_capacity是InnoDB认为可用于刷盘的IOPS：8.0及以前为200，8.4起为10000；请设为步骤“flush”（随机写16k）的IOPS
preset-plan-note-redis-aof-1 = 使用everysec时，Redis在fdatasync期间继续运行；一次fdatasync超过两秒时，它会推迟写入
preset-plan-note-snia-1 = 仿照PTS，而非完整的规范：规范要求事先擦除的整个设备、每个测试项每轮一分钟，以及更多的块大小；这里的目标是一个文件，或设备的指定部分
preset-plan-note-snia-2 = 一轮是把一个部分的所有测试项各测一遍；连续五轮的极差不超过均值的20 %、漂移不超过10 %时，或满25轮后，该部分结束；报告最后五轮
preset-plan-note-snia-3 = 饱和测试在目标顺序写过两遍之后开始，而不是在刚擦除的设备上：它显示走向稳态的过程，而不是新盘最初的几小时；顺序写即使没写完，10分钟后也会结束
preset-plan-note-snia-4 = 请把--size设为磁盘允许的最大值：一小部分的稳态只对那一部分成立
preset-plan-note-sqlite-1 = 使用回滚日志时，一个事务有四次同步：每秒事务数是每秒同步数的四分之一，120次同步的阈值相当于30个事务
preset-plan-note-sqlite-2 = journal_mode=TRUNCATE和PERSIST同步清空后的日志，而不是其目录：也是四次；synchronous=EXTRA在删除日志后再同步一次目录：五次
preset-plan-note-sqlite-3 = 这里每次同步之前写一次4 KiB；创建和删除日志时文件系统的改动要另外计算
preset-plan-note-vdi-1 = IOPS除以10得到普通用户数，除以20得到重度用户数
preset-plan-note-web-server-1 = 真实的服务器从内存读热门文件；这里测的是需要访问磁盘的读
preset-plan-note-web-server-2 = filebench向一个日志追加；这里写与读一样落在随机位置。读写由同一个任务完成：只有这样，无论磁盘快慢，都是每十次读一次写
preset-plan-note-winsat-1 = winsat的源代码不公开，其速率测试的深度也未公布。它大于1：对一块NVMe盘，winsat报告每秒132,000次随机读和106,000次顺序读，而单次读用时0.040 ms。本预设采用深度8，与NVMe盘、SATA盘和机械硬盘的这类数值相符。速率只在这一限度内可比
preset-plan-note-winsat-2 = -flush测试的做法是从winsat的文字和数值推断的：逐个给读计时，同时另一个任务在写并刷盘
preset-plan-note-winsat-3 = 不给出Windows体验指数的分数：其公式从未公布
preset-plan-note-winsat-4 = 读等待写的时间，是其他同类工具没有给出的数值
preset-plan-note-yabs-1 = 在ARM（32位和64位）上，yabs用512 MiB而不是2 GiB：这里用--size 512m可做到相同
preset-plan-note-yabs-2 = yabs不测延迟（gtod_reduce），不单独测读，也不测顺序读写；快速磁盘一两秒就测完，此时突发性能尚未用尽
preset-plan-note-yabs-3 = KB、MB和GB是1000的幂；2026年7月以前，yabs把KiB标为KB，显示的值低2.4 %
preset-imitates-a1 = SD协会的应用性能等级1（Application Performance Class 1）：4 KiB随机操作，每秒1500次读和500次写，顺序10 MB/s
preset-imitates-a2 = SD协会的应用性能等级2（Application Performance Class 2）：4 KiB随机操作，每秒4000次读和2000次写，顺序10 MB/s
preset-imitates-backup = 读取大小文件的备份，以及写入并同步的恢复；块大小和队列深度由我们选定
preset-imitates-cloud = 云盘用户之间流传的做法：在4 GiB的文件上运行fio，4 KiB块，libaio，深度64，randrw 75/25、randread、randwrite；然后ioping
preset-imitates-crystaldiskmark = CrystalDiskMark 8和9，配置Default，采用版本8的五遍（版本9的三遍：crystaldiskmark-9）
preset-imitates-crystaldiskmark-mix = CrystalDiskMark 8和9，配置Default [+Mix]
preset-imitates-crystaldiskmark-nvme = CrystalDiskMark 8和9，配置Default，NVMe SSD设置
preset-imitates-crystaldiskmark-nvme-mix = CrystalDiskMark 8和9，配置Default [+Mix]，NVMe SSD设置
preset-imitates-crystaldiskmark-nvme-peak = CrystalDiskMark 8和9，配置Peak Performance，NVMe SSD设置
preset-imitates-crystaldiskmark-nvme-peak-mix = CrystalDiskMark 8和9，配置Peak Performance [+Mix]，NVMe SSD设置
preset-imitates-crystaldiskmark-flash = CrystalDiskMark 9，配置Default，Flash Memory设置：测量1 s，两项测试间隔30 s；采用版本8的五遍
preset-imitates-crystaldiskmark-flash-mix = CrystalDiskMark 9，配置Default [+Mix]，Flash Memory设置：测量1 s，两项测试间隔30 s；采用版本8的五遍
preset-imitates-crystaldiskmark-peak = CrystalDiskMark 8和9，配置Peak Performance
preset-imitates-crystaldiskmark-peak-mix = CrystalDiskMark 8和9，配置Peak Performance [+Mix]
preset-imitates-crystaldiskmark-real = CrystalDiskMark 8和9，配置Real World Performance
preset-imitates-crystaldiskmark-real-mix = CrystalDiskMark 8和9，配置Real World Performance [+Mix]
preset-imitates-crystaldiskmark-demo = CrystalDiskMark 8和9，配置Demo
preset-imitates-crystaldiskmark-9 = CrystalDiskMark 9，配置Default：版本8的各项测试，三遍
preset-imitates-crystaldiskmark-7 = CrystalDiskMark 7，配置Default
preset-imitates-crystaldiskmark-6 = CrystalDiskMark 6
preset-imitates-crystaldiskmark-5 = CrystalDiskMark 5
preset-imitates-dd = coreutils的dd：每次一个块，写零，用已有的文件（conv=notrunc）
preset-imitates-etcd = etcd指南中的fio命令（经页缓存的2300字节写，每次之后fdatasync，写入22 MiB的新文件）；后端一次提交的写和fdatasync；以及OpenShift指南中的8000字节写
preset-imitates-file-server = Iometer的文件服务器访问模式，与fio的示例相同，轻负载（深度8）和中等负载（深度64）
preset-imitates-gnome-disks = GNOME磁盘（gnome-disk-utility）：100次10 MiB传输，每次一个，绕过页缓存，每次写都用O_SYNC并随后fsync；1000次4 KiB随机读
preset-imitates-hdparm = hdparm 9.65的-T和-t，各有带和不带--direct两种：2 MiB读，每次一个，分别持续2 s和3 s，每项之前先sync并静置3 s（-T：4 s）
preset-imitates-hdtune = HD Tune Pro 5：整块盘的传输速率，每次一个64 KB块；访问时间、突发速率，以及512字节至1 MB的随机访问，均遍及整块盘
preset-imitates-kafka = 一个broker：其页缓存由内核以大块写回，其落后的消费者从磁盘读取
preset-imitates-metadata = mdtest和bonnie++通常测量的内容：对大量小文件的每秒操作数，在一个目录中和在目录树中，单线程和多线程；不包括它们经MPI的进程，也不包括它们的输出格式
preset-imitates-mysql = 使用innodb_flush_log_at_trx_commit=1和innodb_flush_method=O_DIRECT的InnoDB
preset-imitates-oltp = 用管理员所用指标描述的数据库服务器：数据文件和日志的延迟，负载由许多客户端产生
preset-imitates-postgresql = 用于日志的pg_test_fsync（8 KiB + fdatasync，Linux上常用的wal_sync_method），以及页不在内存中的数据库
preset-imitates-prometheus = 随机读取chunk的查询，包括单独运行时和压实block期间；压实是以大块顺序读写
preset-imitates-redis-aof = 使用appendfsync everysec、命令为4 MB/s的Redis，以及使用appendfsync always的Redis
preset-imitates-snia = SNIA性能测试规范（PTS），按其风格：流程与公开的实现相同，但块大小的种类更少、每轮更短
preset-imitates-sqlite = DELETE模式下使用回滚日志的事务（日志、目录、日志头、数据库：四次fsync），以及WAL模式下的事务（一次追加和一次fsync），两者都用synchronous=FULL
preset-imitates-vdi = 使用中的办公桌面：4 KiB的一读九写，每个普通用户8到10 IOPS；这里的阈值按25个这样的用户计
preset-imitates-vm-boot = 虚拟机启动时对磁盘的请求：九读一写，4至128 KiB，同时几个；单台虚拟机，以及十台同时启动；大小和比例由我们选定
preset-imitates-vps = 购买虚拟服务器的人会问的三个问题，基准测试脚本用dd、fio和ioping来回答
preset-imitates-web-server = filebench的webserver负载：100个线程；每完整读取十个小文件就向日志追加一次，每次操作平均16 KiB
preset-imitates-winsat = winsat disk：-ran -read、-seq -read、-seq -write、-flush -seq、-flush -ran，随机16 KiB，顺序64 KiB，绕过页缓存；速率以8个未完成请求测得，8是我们的估计
preset-imitates-yabs = yabs：fio randrw 50/50，libaio，2 GiB上的两个深度64的任务，各自直到传输2 GiB或满30 s

## promise

promise-rate-label = { $order ->
    [random] { $direction ->
        [write] 随机写
       *[read] 随机读
    }
    [sequential] { $direction ->
        [write] 顺序写
       *[read] 顺序读
    }
   *[any] { $direction ->
        [write] 写
       *[read] 读
    }
}
promise-burst-label = 突发时的{ $label }
promise-latency-label-at-rate = { $direction ->
    [write] { $iops } IOPS下随机写的{ $statistic }
   *[read] { $iops } IOPS下随机读的{ $statistic }
}
promise-latency-label-alone = { $direction ->
    [write] 逐个随机写的{ $statistic }
   *[read] 逐个随机读的{ $statistic }
}
promise-below-at-more-depth = 整个区间低于所需值，且深度{ $more }时的速率并不比深度{ $less }时更高
promise-below-with-enough-outstanding = 整个区间低于所需值，而未完成的请求数已是所需的{ $times }倍
promise-below-limit = 整个区间低于限值
promise-above-limit = 整个区间高于限值
promise-rate-within-bound = { $iops } IOPS能满足{ $bound }
promise-only-within-bound = 只有{ $iops } IOPS能满足{ $bound }
promise-not-measured = 没有测量此类操作
promise-every-cell-invalid = 相关的测试项都标为“无效”
promise-cell-invalid = 其测试项标为“无效”
promise-too-few-samples = 样本太少，得不出区间
promise-sample-too-small = 样本太少，得不出此统计量及其区间
promise-needed-inside = 所需值落在区间内；延长测试才能判断
promise-limit-inside = 限值落在区间内；延长测试才能判断
promise-rate-did-not-last = 速率没有持续：{ $finding }
promise-burst-alone = 测试只覆盖突发，没有测到之后的速率；满负载下满额突发持续{ $lasts }
promise-burst-of-unknown-length = 测试只覆盖突发，没有测到之后的速率；突发的时长未说明
promise-burst-not-reached = 没有达到突发；积分可能在测试前已用完
promise-no-minimum-promised = 速率低于限值，但服务商没有承诺下限
promise-other-limit = 速率可能受其他因素限制：{ $finding }
promise-other-cause = 延迟可能由其他因素造成：{ $finding }
promise-too-few-outstanding = 未完成的请求太少，无法更高；加深队列才能判断
promise-no-search = 本次测试没有搜索满足此延迟的负载
promise-load-not-reached = 不论延迟多少，都没有达到承诺的负载
promise-promised-item = { $label }：承诺{ $promised }
promise-measured-because = 实测{ $measured }：{ $why }。
promise-measured-needed-because = 实测{ $measured }，要求{ $needed }：{ $why }。
promise-titled = 承诺：{ $promise }。
promise-share-needed = 要求达到承诺速率的{ $percent } %：{ $because }。
promise-counting = 计数方式：{ $accounting }。
promise-full-burst = 满额突发可在满负载下持续{ $seconds } s。
promise-volume-none = 无
promise-volume-operations = { $count }次，平均{ $mean }
promise-volume = { $device }自身的计数（EBS日志页）：读{ $reads }，写{ $writes }。请求超出云盘上限的时间：{ $volume-iops }（操作数）、{ $volume-bytes }（字节数）；超出实例上限的时间：{ $instance-iops }、{ $instance-bytes }。
promise-volume-read-latency = { $device }自身的直方图：在云盘内部，读取耗时{ $median }至{ $median-to }（p50）、{ $high }至{ $high-to }（p99）；测得的超出部分在云盘与本机之间。
promise-volume-write-latency = { $device }自身的直方图：在云盘内部，写入耗时{ $median }至{ $median-to }（p50）、{ $high }至{ $high-to }（p99）；测得的超出部分在云盘与本机之间。
share-by-provider = 服务商声明在{ $of-time } %的时间内达到{ $share } %
share-by-plan = 套餐如此规定
share-for-measuring = 留出{ $percent } %给测试自身的开销
share-asked = 指定的容差为{ $percent } %
counting-each = 每次传输计为一次操作，不论长短
counting-units = 不超过{ $unit }计为一次操作，更长的计为多次
counting-units-merged = 不超过{ $unit }计为一次操作，更长的计为多次；短的顺序操作合并到该大小
counting-units-whole = 不超过{ $unit }计为一次操作，更长的计为多次；较短的随机操作按整个单位计字节数
counting-units-merged-whole = 不超过{ $unit }计为一次操作，更长的计为多次；短的顺序操作合并到该大小；较短的随机操作按整个单位计字节数

## promise/short_runs

promise-short-runs-whole-above = 整个区间不低于所需值
promise-short-runs-slices-far-above = { $all }个{ $length }的时间片中，有{ $above }个至少达到所需值的{ $factor }倍
promise-short-runs-point-within-bound = { $iops } IOPS能满足{ $bound }：{ $why }

## rotation

rotation-speed = { $rpm } rpm
rotation-platter-turns = 根据{ $reads }次随机读的耗时，这是{ $speed }的机械硬盘。
rotation-arm-moves = 全盘平均寻道时间为{ $seek }。

## support

support-doubt = { $check }：{ $summary }
support-doubt-invalid = 无效 { $check }：{ $summary }
support-earlier-level = 它是在设备速率变化之前测得的

## surface

surface-zones-fall = 速率从盘首的{ $first }降到盘尾的{ $last }，符合区位记录（ZBR）磁盘的规律（{ $places }个位置；曲线解释了差异的{ $explained }）。存放在靠后位置的数据读得更慢。
surface-even = 盘尾与盘首读得一样快：{ $places }个位置均为{ $rate }。
surface-uneven = 各处读取速度不同：盘首{ $first }，盘尾{ $last }（{ $places }个位置），但不符合区位记录（ZBR）磁盘的曲线。从未写入的块可能应答更快。
surface-weak-place = { $at }处{ $rate }（周围{ $around }）
surface-weak-places = 每次读取都比周围慢：{ $places }。重映射或需要重试的扇区会这样；被缓存或精简卷存放在别处的块也会这样。请查看磁盘日志（SMART）确认。

## sweep

sweep-best = 最高{ $iops } IOPS（{ $at }）和{ $rate }（{ $rate-at }）
sweep-best-of-workload = { $workload }：操作数最高为每秒{ $iops }次（{ $at }）；传输速率最高为{ $rate }（{ $rate-at }）。
sweep-soft-law = 深度{ $depth }时，小块趋于{ $iops }，大块趋于{ $rate }；两者在{ $size }附近相交
sweep-hard-law = 深度{ $depth }时，{ $size }以内约{ $iops }，超过后约{ $rate }
sweep-one-limit = 深度{ $depth }时，各种块大小均约{ $limit }
sweep-no-limit = 深度{ $depth }时没有达到上限
sweep-fitted-law = { $workload }：{ $law }。此规律与各测试项的实测值相差{ $residual }。
sweep-all-precise = 全部{ $cells }个测试项的IOPS误差都在±{ $asked }以内（95 %）。
sweep-some-precise = { $cells }个测试项中有{ $kept }个的IOPS误差在±{ $asked }以内（95 %）。
sweep-not-counted = 有{ $cells }个测试项未计入：不足以得出结论（见警告）。
sweep-least-precise = 最宽的区间为±{ $half }（{ $cell }）。延长时间（--budget、--cell-max）可以收窄，除非设备自身波动。
sweep-without-precision = 测试项{ $cell }太短，得不出区间。延长时间（--budget、--cell-max）即可得出。
sweep-resumed = 测试在{ $cells }次测量后中断，于{ $at }继续。

## trend

trend-title = { $target }：{ $figure }的{ $metric }，{ $runs }次测试
trend-level-words = { $from }至{ $to }：{ $runs }次测试，约{ $middle }
trend-level-with-change = { $level }，{ $change }
trend-change = 相对前一水平{ $change } %
trend-change-between = 相对前一水平{ $change } %（{ $low }至{ $high }）
trend-too-few = { $runs }次测试太少，看不出变化：至少需要{ $needed }次。
trend-no-change = 没有变化：所有测试处于同一水平。
trend-better = 自测试{ $run }起更好：{ $change }。
trend-worse = 自测试{ $run }起退化：{ $change }。
trend-within = 自测试{ $run }起有变化，但未超出区间所能解释的范围：{ $change }。

## verdict

verdict-not-the-disk = 测到的不是磁盘的性能：{ $reason }
verdict-headline-invalid = 测到的不是磁盘的性能：{ $reason }。不可使用：{ $headline }
verdict-headline-beside-invalid = 以下数值不是磁盘的性能：{ $cells }。其余：{ $headline }
verdict-more-cells = 另有{ $count }项测量
verdict-cannot-tell = 无法判断磁盘独占时的性能：{ $reason }
verdict-too-little = 测得太少，无法下结论
verdict-too-little-after-layout = 测得太少，无法下结论：{ $budget }中有{ $layout }用于创建测试文件。请给更多时间（--budget）或更小的文件（--size）
verdict-too-little-in-time = { $budget }内测得太少，无法下结论。请给更多时间（--budget）
verdict-headline-like = { $headline }；类似{ $class }
verdict-some-numbers-invalid = 本次测试有些数值不是磁盘的：{ $reasons }。
verdict-finding = { $check }：{ $summary }
verdict-one-read-at-a-time = 逐个请求时，4 KiB随机读每次需{ $latency }。不论磁盘并行时多快，每次读完再发下一个请求的程序每秒只能读{ $iops }次。
verdict-slow-after-pause = 空闲后，同样的读取需{ $latency }：设备、主机或CPU在请求之间休眠。
verdict-durable-write = 写入{ $size }并用{ $call }落盘，平均需{ $mean }：一个客户端每秒可提交{ $rate }次。
verdict-first-write-slower = 块的首次写比再次写慢：创建测试文件时{ $first }，覆盖写时{ $again }。
verdict-writes-burst = 写入结果属于突发性能：{ $because }。
verdict-writes-sustained = 写入速率可持续：{ $because }。
verdict-writes-not-settled = 写入尚未稳定：{ $because }。
verdict-written = 本次测试写入{ $written }：是测试范围{ $span }的{ $times }倍。
verdict-written-of-device = 本次测试写入{ $written }：是测试范围{ $span }的{ $times }倍，占设备容量{ $device }的{ $share }。
verdict-bucket-of-operations = 磁盘表现像容量为{ $size }次操作的令牌桶：每秒补充{ $baseline }次，每秒最多消耗{ $burst }次；满桶可维持满负载{ $lasts }。
verdict-bucket-of-bytes = 写入量达到约{ $size }之前，写入速率为{ $burst }，之后为{ $baseline }。
verdict-good-for-etcd = etcd：fdatasync p99为{ $p99 }，速度是etcd要求（{ $needed }）的{ $times }倍
verdict-good-for-commits = 频繁小提交的数据库：单客户端每秒{ $rate }次，是所需{ $needed }的{ $times }倍
verdict-good-for-databases = 大于内存的数据库和索引：随机读{ $iops } IOPS，满足{ $bound }，是所需{ $needed }的{ $times }倍
verdict-good-for-system = 虚拟机和交互式使用：每次读取{ $latency }，速度是所需（{ $needed }）的{ $times }倍
verdict-good-for-streaming = 备份和流式读写：至少{ $rate }，是所需{ $needed }的{ $times }倍
verdict-good-for-archives = 不限时的归档和备份：至少{ $rate }，是所需{ $needed }的{ $times }倍
verdict-too-slow-for-etcd = etcd：fdatasync p99为{ $p99 }，其要求为{ $needed }
verdict-too-slow-for-commits = 频繁小提交的数据库：单客户端每秒{ $rate }次，需要{ $needed }
verdict-too-slow-for-databases = 大于内存的数据库和索引：随机读{ $iops } IOPS，满足{ $bound }，需要{ $needed }
verdict-too-slow-for-system = 虚拟机和交互式使用：每次读取{ $latency }，需要低于{ $needed }
verdict-too-slow-for-streaming = 备份和流式读写：{ $rate }，需要{ $needed }
verdict-bound-unreachable = { $label }：{ $unreachable }
verdict-heat-not-seen = 过热降速：磁盘持续负载数分钟才会发热，本次测试没有这么久
verdict-cache-end-not-seen = 大于{ $written }写入量的写缓存何时写满
verdict-writes-not-seen = 写性能：本次没有写入
verdict-power-cut-not-seen = 断电后刷盘的数据是否仍在

## writes

writes-rounds-agree = 最后五轮平均{ $mean } IOPS，极差为均值的{ $range }，首尾变化{ $slope }
writes-rounds-disagree = 最后五轮平均{ $mean } IOPS，极差为均值的{ $range }（最多允许20 %），首尾变化{ $slope }（最多10 %）
writes-rounds-within-cache = { $agreed }，但写缓存可能吸收了全部{ $written }：写缓存可达设备容量的三分之一，此处为{ $cache }
writes-too-few-rounds = 只写了{ $rounds }轮，太少：须有五轮一致

## record

record-figure-of-direction = { $direction ->
    [read] 读{ $figure }
    [write] 写{ $figure }
    [trim] TRIM { $figure }
   *[sync] 同步{ $figure }
}
record-kept = 达标
record-not-kept = 未达标
record-cannot-tell = 无法判断
volume-iops-exceeded = 云盘自身计数（EBS）：{ $length }中有{ $time }对云盘的操作需求超过了购买的限额
volume-throughput-exceeded = 云盘自身计数（EBS）：{ $length }中有{ $time }对云盘的吞吐需求超过了购买的限额
instance-iops-exceeded = 云盘自身计数（EBS）：{ $length }中有{ $time }操作需求超过了实例的上限
instance-throughput-exceeded = 云盘自身计数（EBS）：{ $length }中有{ $time }吞吐需求超过了实例的上限
health-disk = { $disk }：{ $what }
health-throttled = 据其自身计数，本次测试中它因过热降速约 { $seconds } s
health-throttled-briefly = 据其自身计数，本次测试中它因过热降速，不足一秒
health-hot-minutes = 其自身对温度达到或超过厂商警告温度的分钟计数在本次测试中增加了 { $minutes }
health-media-errors-of-run = 本次测试中有数据无法恢复（介质错误：{ $count }）
health-spare-low = 其备用块剩余{ $spare } %，低于厂商下限{ $spare-min } %
health-unreliable = 它报告其可靠性因错误而下降
health-read-only = 它报告其介质已变为只读
health-backup-failed = 它报告其内存的断电保护已失效
health-worn = 已用额定寿命的{ $used } %
health-celsius = { $celsius } °C
health-spare = 备用块剩余{ $spare } %
health-used = 已用额定寿命{ $used } %
health-media-errors = 介质错误：{ $count }
health-unsafe-shutdowns = 意外断电次数：{ $count }
record-writes-burst = 突发
record-writes-sustained = 可持续
record-writes-not-settled = 未稳定
reason-interrupted = 被中断
reason-time-up = { $limit }的时限已到
reason-still-running = 写入记录时测试仍在进行
reason-request-failed = 有请求失败
reason-step-failed = { $step }：{ $error }
reason-nothing-completed = { $step }：没有操作完成
reason-layout-failed = 无法写入测试文件：{ $error }
reason-layout-too-small = 限时内测试文件只写了{ $written }
reason-max-written = --max-written { $max }：{ $cells }
reason-cells-cut-short = { $cells }个测试项提前结束
reason-cells-left-out = { $cells }个测试项未测
reason-coordinator-gone = 测试结束前协调端已消失
reason-host-lost = { $host }失联：{ $reason }
reason-others-slowed = { $host }：已达到{ $bound }：{ $seen }
reason-agent-gone = 其代理已消失，或没有保留任何结果
reason-host-silent = { $seconds } s没有任何消息
reason-no-agent = 没有这个名称的代理
reason-no-answer = { $seconds } s内没有应答
reason-not-done-in-time = { $seconds } s内未完成
reason-ended-itself = 它自行结束了本次测试
reason-server-gone = NATS服务器有{ $seconds } s无法连接
reason-figures-unusable = 其结果无法使用：{ $error }
reason-jobs-not-believed = 其保留的内容不可信：{ $error }
run-rate-and-mean = { $iops } IOPS，平均{ $mean }
record-hosts = { $hosts }台主机
record-others-over = { $disk }上{ $time }内{ $requests }个请求中有{ $slow }个耗时超过{ $limit }
record-others-mean = { $disk }上{ $time }内{ $requests }个请求平均耗时{ $mean }
record-hosts-left = { $hosts }台主机中的{ $left }台

## report/terminal

path-on-hosts = { $hosts }上的{ $path }
text-command-of = { $command }：{ $path }
text-note = 提示：{ $note }。
text-caution = 没有警告的数值可以使用。请阅读警告。
text-broken = 标为“无效”的数值不属于磁盘：请勿使用。
text-stream-changed = { $curve }：测试开始后{ $until }内为{ $before }次操作/s，之后为{ $after }。表中是最新的速率。
curve-by-depth = { $curve }，按深度
curve-by-depth-ramp = { $curve }，按深度：搜索前的逐步加压
curve-by-rate = { $curve }，按到达率
point-breaks-bound = 超出{ $bound }
point-too-few-samples = 样本太少
text-and-more = 另有{ $count }项
text-and-more-on-page = 另有{ $count }项：--html显示全部
text-explain = 了解某项检查：truedisk explain { $finding }
text-not-seen = 本次测试看不到的
text-root-would-add = 以root运行可增加：{ $parts }
class-like-for = 表现像{ $class }：{ $supports }。
class-against = 不符之处：{ $contradicts }。
class-could-be = 也可能是{ $other }。
text-surface = 盘面，逐个位置
text-surface-key = 条形：顺序读。|：所有位置的拟合曲线。右侧：该处随机读的均值。
surface-fast = 快于曲线
head-date = 日期 (UTC)
head-run = 测试
head-command = 命令
head-trust = 可信度
trust-word-partial = 部分完成
diff-same = 相同：{ $names }
diff-no-common-cell = 没有两次测试都测过的测试项。
diff-alone = 仅A有的数值：{ $a }。仅B有的：{ $b }。
diff-invalid-key = X：检查发现这些数值不可使用。
diff-hint = 各测一次看不出差异是否偶然：请用truedisk compare比较多次测试。
fact-tool = 工具
fact-command = 命令
fact-path = 路径
fact-file-system = 文件系统
fact-device = 设备
fact-model = 型号
fact-device-size = 设备容量
fact-write-cache = 写缓存
fact-queue = 队列
fact-processors = CPU数
fact-io-limits = I/O限制
fact-budget = 时间预算
fact-bounds = 延迟上限
fact-read-only = 只读

## report/words

## report/limit

limit-most-of = 最大值：{ $curve }
limit-rate-at = { $rate } IOPS（{ $load }）
limit-bounded-by = 受限于{ $cause }
limit-because = 原因：{ $reason }
limit-confirmed = 已确认：重新测过
limit-not-confirmed = 未经第二次测试确认
interval-of-rate = 95 %：{ $low }至{ $high }（±{ $half }）
interval-missing = 95 %：无，{ $reason }
by-bound = 延迟上限
by-bound-depth = 延迟上限：加深队列可得到更多，但会超出上限
by-bound-arrivals = 延迟上限：到达率再高就会超出
by-saturation = 饱和
by-saturation-depth = 饱和：加深队列只增加延迟
by-saturation-arrivals = 饱和：提高到达率只增加延迟
by-provider-cap = 人为限速
by-provider-cap-sentence = 服务商设定的限速：没有设备的速率会如此平稳
by-control-group = cgroup
by-control-group-sentence = 本机的cgroup，而不是磁盘
by-client = 本机
by-client-sentence = 本机：CPU时间已用尽。设备至少能达到此值
by-highest-rate = 试过的最高到达率
by-highest-rate-sentence = 试过的最高到达率：也许还能更多
by-deepest = 试过的最大深度
by-deepest-sentence = 试过的最大深度：也许还能更多
by-unreachable = 无法满足
by-unreachable-idle = 无法满足：空载时{ $statistic }为{ $value }
by-unreachable-lowest = 无法满足：最低负载也会超出
by-unsure = 不确定
by-unsure-sentence = 尚不明确的原因：请在没有其他程序使用设备时重测
point-left-out = 未计入
point-knee = 拐点
point-falls = 下降
point-breaks = 超出
point-breaks-all = 全部超出
point-too-few = 样本不足
point-too-few-for-all = 各项样本均不足
point-too-few-for = { $bounds }的样本不足
limit-legend-latency = 延迟：从提交到收取完成。未完成：平均未完成的操作数。-：样本太少。
limit-legend-response = 响应时间：从计划的开始到收取完成。未完成：平均未完成的操作数。-：样本太少。
limit-mark-points = { $mark }（{ $points }个点）
limit-chart-key = o p50，# p99，8 两者；@ 延迟上限内的最大值；- - 延迟上限
limit-chart-key-slower = o p50，# p99，8 两者，取较慢的任务；@ 延迟上限内的最大值；- - 延迟上限
limit-chart-key-invalid = X 无效
head-rate = 到达率

## report/sweep

sweep-matrix-bytes = { $workload }，各块大小和深度的MB/s
sweep-key = * 最大值。░▒▓█：占最大值的四分之几。-：未测。
sweep-key-marked = * 最大值。░▒▓█：占最大值的四分之几。X：不是磁盘的数值。!：见警告。-：未测。
sweep-within-all = 全部{ $cells }个测试项在±{ $asked }以内（95 %）。
sweep-within-some = { $cells }个测试项中有{ $within }个在±{ $asked }以内（95 %）。其余中最宽的：
sweep-too-short = { $cell }：时间太短，无法判断
sweep-two-limits = { $workload }：各深度的操作数上限与字节数上限（95 %区间）
head-meet-at = 相交于
head-misfit = 偏差
sweep-two-limits-key = 小块先到操作数上限，大块先到字节数上限。-：没有块大小达到它。
sweep-beside-writes = { $workload }，同时有随机写
head-worse = 变差
sweep-beside-key = 占比：计划的写占目标单独写入能力（每秒{ $most }次）的比例。变差：读延迟与没有写入时之比。X：不是磁盘的数值。
value-with-range = { $value }（{ $low }至{ $high }）
range = { $low }至{ $high }

## report/preset

preset-pass-word = 通过
preset-fail-word = 未通过
preset-not-met-word = 未达到
preset-part-of-job = { $job }，{ $part }
preset-step-part = { $step }：{ $part }
preset-score-mean = { $passes }遍的均值：{ $rate }，{ $latency }
preset-score-best = { $passes }遍中最好：{ $rate }，{ $latency }
preset-steady = 所示五遍处于稳态
preset-not-steady = 未达稳态：最后几遍仍有差异或漂移
preset-passes-of = { $planned }遍中的{ $made }遍
preset-figure-of = { $step }：{ $part }的{ $figure }
preset-recommended = { $limit }（建议）
preset-unmeasured = 未测
preset-our-convention = truedisk的约定
preset-needed-and-measured = 要求{ $limit }；实测{ $measured }
preset-why-and-source = { $why }。来源：{ $source }
preset-table-key = 各遍的中位数。95 %：IOPS的区间。-：样本太少。
text-source = 来源：{ $source }

## report/compare

## report/fleet

fleet-title-same-storage = { $hosts }，同一存储，各用自己的文件
fleet-title-own = { $hosts }，各测自己的目标
fleet-title-shared = { $hosts }，同一目标，各测全部
fleet-title-split = { $hosts }，同一目标，各测自己的一部分
fleet-title-in-waves = { $title }，分{ $waves }批，每批最多{ $most }台
wave-line = 第{ $wave }批，{ $hosts }：{ $answer }
fleet-note-slowest = 最慢
fleet-note-failed = 失败：{ $error }
fleet-note-lost-later = 后来失联
fleet-note-lost = 失联
fleet-note-no-share = 无份额：深度太小
fleet-note-nothing = 无数据
fleet-without = 缺少{ $hosts }
fleet-no-share-for = { $hosts }无份额
count-of = { $part }/{ $all }
fleet-processors = { $count }个CPU
fleet-clock-moved = { $offset }，漂移{ $by }
fleet-degraded-line = 不完整：{ $why }
fleet-faster-hosts = 另有{ $count }台更快的主机：--html显示全部
fleet-total = 合计
fleet-met-key = 时差：从第一台主机开始到最后一台主机开始。最早结束：第一台主机结束的时刻；合计取自所有主机同时运行的时段。
fleet-clocks = 时钟
head-against-coordinator = 相对协调端

## report/metadata

metadata-rates = 每秒操作数，各轮的中位数
metadata-half-widths = 95 %区间宽度的一半
metadata-p50 = 延迟，p50
metadata-p99 = 延迟，p99
metadata-cold = 冷缓存：清空缓存后的每秒操作数
metadata-key = create：打开新文件、写入、关闭。open：打开、读取、关闭。list：每秒列出的名称数，以及整个目录的延迟。带fsync时，create等待文件落盘，rename和delete等待目录落盘。-：未测，或样本太少。
metadata-unsteady = 以下速率各轮相差太大，不可依赖：{ $rates }。
metadata-rate-of = { $operation }，{ $load }（每秒{ $low }至{ $high }）
metadata-rate-of-cold = { $operation }，{ $load }，冷缓存（每秒{ $low }至{ $high }）
metadata-load-folder = { $size }，单个目录，{ $threads }线程
metadata-load-tree = { $size }，目录树，{ $threads }线程
metadata-counted-as-many = 清点：创建了{ $made }个文件，目录列出的数目相同；文件系统{ $inodes }。
metadata-counted-differ = 清点：创建了{ $made }个文件，目录列出{ $listed }个：文件系统丢失了一些，或列出了其他文件；文件系统{ $inodes }。
metadata-no-inodes = 不统计inode数
metadata-inodes-as-many = 统计的新增inode数与此相同
metadata-inodes-differ = 统计的新增inode数与此不同（{ $parts }）：期间可能有其他程序创建或删除文件，或统计有延迟
metadata-inodes-more = 多{ $count }
metadata-inodes-fewer = 少{ $count }
head-files = 文件数

## report/page

## report/page/charts

## report/page/compare

## report/page/fleet

## report/page/limit

## report/page/sweep

## report/page/trend

## report/explain

explain-meaning = 含义
explain-method = 如何发现
explain-remedy = 处理办法
explain-blind-spot = 看不到什么
explain-statuses = 可能的结果
explain-more = truedisk explain WORD说明其中一项。
explain-relation = 各数值之间的关系
explain-look = 在哪里看
term-iops-question = 每秒完成多少个请求？
term-iops-meaning = IOPS是磁盘每秒完成的读或写的次数。单独一个数没有意义：还要说明块大小、读还是写、队列深度和延迟。同一块磁盘在深度1可能是10,000 IOPS，在深度32则是80,000。
term-iops-relation = IOPS = 未完成的请求数 / 平均延迟（利特尔法则）。1个未完成请求、每个0.1 ms：10,000 IOPS。32个、每个0.4 ms：80,000 IOPS。IOPS × 块大小 = 吞吐量。
term-iops-look = truedisk limit PATH找出延迟不超过上限时的最高IOPS。不带上限的最大值是用来卖的数字：那时队列很深，每个请求都要等很久。
term-latency-question = 一个请求要多久？
term-latency-meaning = 延迟是从程序发出请求到得到应答的时间：包括排队等待和设备处理。逐个等待请求的程序（例如提交事务的数据库）感受到的只有延迟。
term-latency-relation = 深度1时就是设备自身的时间。只要设备还能同时处理更多请求，加深队列不增加延迟。一旦不能，多出的请求就要等待，此时延迟 = 深度 / IOPS。
term-latency-look = 看p99，不要看平均值。truedisk ping PATH逐个显示请求；truedisk check PATH显示每种负载的p50、p99和p99.9。
term-depth-question = 同时有多少请求未完成？
term-depth-meaning = 队列深度是程序已发出、尚未得到应答的请求数。逐个等待的单线程深度为1。线程更多或使用异步请求，队列就更深。
term-depth-relation = 有多个通道或多块盘的设备能同时处理多个请求：IOPS随深度上升，直到全部忙碌。这个深度就是拐点。超过拐点后IOPS不再上升，延迟上升：深度加倍，延迟加倍。
term-depth-look = truedisk limit PATH逐级加深，给出拐点和上限之内最深的队列。truedisk sweep PATH画出深度与块大小的关系。
term-thrashing-question = 队列更深，磁盘反而做得更少吗？
term-thrashing-meaning = 颠簸是指队列加深后IOPS下降，而不只是延迟上升：机械硬盘的磁头在相距很远的位置间来回移动，缓存装不下所需数据，或控制器把时间花在队列上。
term-thrashing-relation = 超过拐点后，正常的磁盘保持IOPS不变。超出测量误差、持续下降10 %以上，才是颠簸。邻居干扰或突发结束看起来也一样，所以受干扰的深度会先重测再下结论。
term-thrashing-look = truedisk limit PATH给出应当停留的深度。把队列保持在那里：减少线程、减小iodepth，或在数据库里设限。
term-throughput-question = 每秒传输多少字节？
term-throughput-meaning = 吞吐量 = IOPS × 块大小，这里以MB/s表示（1 MB = 1,000,000字节）。顺序的大块先碰到字节数上限（链路或套餐的），随机的小块先碰到IOPS上限。
term-throughput-relation = 4,000 IOPS、每个256 KiB是1048 MB/s；4,000 IOPS、每个4 KiB是16 MB/s。两种上限都有的套餐，先碰到哪个就受哪个限制。
term-throughput-look = truedisk sweep PATH显示每种块大小的IOPS和MB/s。truedisk model aws:gp3:500GiB显示套餐在哪种块大小下受哪个上限约束。
term-percentile-question = p50、p99和p99.9是什么？
term-percentile-meaning = p99是100个请求中有99个能在其内得到应答的延迟。p50是中间值。平均值会掩盖慢请求：99个0.1 ms加一个100 ms，平均1.1 ms，而没有一个请求是这么久。
term-percentile-relation = 一次应答若需要100次读，100次中有63次要等一个比p99更慢的读。服务的体验由高百分位决定。
term-percentile-look = 只有请求数足够时truedisk才显示百分位，否则显示-。上限写成：--bound 'p99<5ms'。
term-interval-question = 一个数值有多可信？
term-interval-meaning = 95 %置信区间说明本次测量的数值可能偏离真实平均值多远：20个这样的区间中有19个包含它。±1 %是精确的数值。宽于±25 %就不算数值，用~标出。
term-interval-relation = 相邻的请求彼此相似，所以一千个请求抵不上一千个相互独立的请求；区间已把这一点算在内。它只对测量的那段时间有效：换个时段，邻居就不同。
term-interval-look = truedisk compare根据两次运行之比的区间下结论。limit和sweep可用--budget测得更久，区间随之变窄。
term-credits-question = 这个速度是不是借来的？
term-credits-meaning = 突发是会结束的速度：云盘的积分用完，或写缓存写满。短测试只看到突发，看不到之后。
term-credits-relation = 100 GiB的gp2卷每秒得到300个I/O积分，每秒最多花3,000个，存有540万个：可用5,400,000 / (3,000 - 300) = 2,000 s。之后只有300 IOPS。
term-credits-look = 检查项burst寻找速度台阶；truedisk check PATH --until-throttled一直读到台阶出现。truedisk model aws:gp2:100GiB显示速度随时间的变化；truedisk capture和replay --plan说明积分够不够某个负载用。
term-cap-question = 是磁盘慢，还是被设了上限？
term-cap-meaning = 限速是服务商、虚拟机管理程序或控制组设定的IOPS或字节上限。设备本可以更快；超出上限的请求要等待。
term-cap-relation = 达到上限后，队列再深IOPS也一样，比任何设备都平稳，并且延迟 = 深度 / 上限：上限3,000 IOPS、32个未完成请求时，每个要10.7 ms。
term-cap-look = 检查项provider-limit和os-throttle会指出它。truedisk check PATH --plan aws:gp3:500GiB判断承诺是否达标。
term-cache-question = 是不是内存代替磁盘作了应答？
term-cache-meaning = 程序与磁盘之间有缓存：系统的页缓存、虚拟机管理程序或阵列的缓存、磁盘内的内存。由它们应答的读说明不了磁盘。由它们接收的写，刷盘（flush）之后才安全。
term-cache-relation = O_DIRECT绕过页缓存，但绕不过其他缓存。从未写过的块也用不到磁盘：系统查映射表后直接返回零。
term-cache-look = 每次运行中，检查项page-cache、host-cache、device-cache、unwritten和flush都会查找它。
status-not-observable = 无法观察

## method

caches-warm = 文件刚被创建或使用：stat、open和readdir由内存应答。未测冷缓存（需root：--drop-caches）。
caches-dropped = 文件刚被创建或使用：stat、open和readdir由内存应答。冷缓存的数值在sync并清空整台主机的缓存（drop_caches 3）之后，按随机顺序测得。
progress-looking = 查看目标
progress-looking-hosts = 查看所有主机的目标
progress-layout = 准备测试文件
progress-layout-hosts = 准备所有主机的测试文件
progress-pause = 间歇
progress-small-files = 小文件：{ $load }
progress-so-far = { $what }，已进行{ $time }
progress-check = 可信度检查：{ $what }
progress-idle = 空闲后读取
progress-depth = { $workload }，深度{ $depth }
progress-again = { $what }，重测
progress-for-cap = { $what }，查找限速
progress-until-throttled = { $what }，直到被限速
progress-rounds = 写到稳定，第{ $round }轮
progress-number = { $number }/{ $total }：{ $what }
progress-alone = { $what }，单独
progress-beside-writes = { $what }，同时{ $rate }次写/s
progress-arrivals = { $workload }，到达率{ $rate }/s
progress-commits = 写{ $size } + fdatasync
progress-pass = { $step }，第{ $pass }遍，共{ $passes }遍
progress-warming-up = { $step }，预热
progress-visit = { $side }，第{ $number }次：{ $what }
progress-replaying = 正在以{ $speed }倍速重放负载
progress-writes-alone = 仅随机写，深度32
progress-random-writes = 随机写

## ping

ping-shared-device = 各目标共用一个设备，其计数器无法区分它们
ping-headline = { CAP($label) }：{ $latency }
ping-tail = { $requests }个请求的p50为{ $p50 }，p99为{ $p99 }
ping-median = { $requests }个请求的p50为{ $p50 }（请求太少，得不出p99）
ping-mean = { $requests }个请求的均值为{ $mean }（请求太少，得不出百分位）
ping-reads = 读：{ $latency }
ping-writes = 写：{ $latency }
ping-latency-after-pause = 空闲后{ $latency }
ping-latency-back-to-back = 连续发出{ $latency }
ping-unknown = { $requests }次请求得不出，需要{ $needed }次
ping-range = { $value }（95 %：{ $low }至{ $high }）
ping-range-of = { $value }（95 %：{ $low }至{ $high }，n = { $n }）
ping-rate-kept = 速率：计划{ $planned }次请求/s，已保持
ping-rate-late = 速率：计划{ $planned }次请求/s，实际{ $made }：发出有延误
ping-rate-missed = 速率：计划{ $planned }次请求/s，实际{ $made }；应发出{ $all }次，错过{ $missed }次，因为请求耗时超过间隔
ping-rate-few = 速率：计划{ $planned }次请求/s；实际{ $starts }次，太少，算不出速率
ping-rate-few-missed = 速率：计划{ $planned }次请求/s；实际{ $starts }次，太少，算不出速率；应发出{ $all }次，错过{ $missed }次，因为请求耗时超过间隔
ping-after-pause = 空闲之后
ping-back-to-back = 连续发出
ping-ratio = 比值：{ $ratio }；{ $verdict }
ping-sleeps = 设备、主机或CPU在请求之间休眠
ping-faster-after-pause = 空闲后的请求更快：请求之间没有空闲时，之前的请求仍在处理，或速率受限
ping-no-difference = 区间重叠：看不出差异
replay-keeps-up = 跟得上这一负载：{ $clauses }
replay-falls-behind = 跟不上：只能按时完成此负载的{ $share }；{ $clauses }
replay-slowest = 没有请求超过{ $slowest }
replay-there-and-here = { $requests }：{ $percentile }在原处为{ $there }，在此处为{ $here }
replay-changed = { $fact }（{ $change }）
replay-slower = 比原处慢
replay-within-lateness = 可能只是负载生成器自身的延误所致
replay-here = { $requests }：{ $percentile }在此处为{ $here }
replay-interval = { $here } [{ $low }, { $high }]
replay-figure = { $here }
replay-reads = 读
replay-writes = 写
replay-flushes = 刷盘
replay-breaks = 在此负载的{ $breaks }倍时超出{ $bound }，在{ $keeps }倍时仍满足
replay-never-breaks = 在此负载的{ $keeps }倍（试过的最大值）时仍满足{ $bound }
replay-always-breaks = 即使在此负载的{ $breaks }倍时也超出{ $bound }
replay-limit-unknown = 请求太少，无法判断{ $bound }
replay-not-confirmed = { $answer }（未经后续探测确认）
replay-load = 负载：{ $length }内{ $requests }个请求，速度为{ $speed }倍；偏移{ $map }。
replay-probed = 搜索时以其他速度重放了负载中各长{ $time }的片段，每段的起点由随机种子决定。
replay-map-scale = 按目标大小缩放
replay-map-wrap = 超出目标末尾后从头开始
replay-map-as-is = 保持不变
replay-lateness = 负载生成器发出请求的延误：p99为{ $p99 }，最大{ $most }。
replay-awake = 其间空闲的处理器保持唤醒：允许处理器休眠的程序可能等待更久。
replay-deeper = { $share }的请求在此处遇到的队列比采集时更深：它们计入表中，但不计入原处与此处响应时间的比较。
replay-no-discards = 已略去{ $count }个discard请求：它们不重放。
replay-no-flushes = 已略去{ $count }次刷盘，因为此负载不写入。
replay-no-fua = { $count }次带FUA的写入按普通写入重放：在原处它们立即持久化。
replay-lost = 采集时丢失{ $count }个请求：实际负载更高。
replay-cut = 跟踪文件被截断：只重放最前面的{ $length }。
plan-load-title = { $plan }能否承载{ $load }？（计算结果，未做测量）
plan-load-carries = 可以承载此负载：没有请求因套餐限制而等待超过{ $wait }。
plan-load-carries-throttled = 可以承载此负载，但每天有{ $minutes }分钟被限速（{ $limit }）：请求最长等待{ $wait }。
plan-load-ends-in-the-day = 在采集时长内可以承载此负载，但不能持续一整天：突发额度会用尽，每天有{ $minutes }分钟被限速。
plan-load-not-carried = 不能承载此负载：按时完成{ $served }，每天有{ $minutes }分钟被限速（{ $limit }）；请求最长等待{ $wait }。
plan-load-peak = { $step }内最多
plan-load-burst-left = 突发额度：最低时剩余{ $lowest }，负载结束时剩余{ $end }。
plan-load-operations = 操作/秒（按套餐计数）
plan-load-bytes = MB/s（按套餐计数）
plan-load-always = 持续
plan-load-assumed = 假设：开始时突发额度是满的；一天由此负载反复组成；读写共用限额；完成时间未知的顺序请求视为已合并。不考虑延迟、flush和discard。
plan-load-lost = 采集丢失了{ $count }个请求：实际负载大于此处的计数。
plan-load-cut = 采集在{ $length }后中断。

## fio-run

## truedisk

wave-begins = 第{ $wave }批（共{ $waves }批）：{ $hosts }
waves-lost = 连续{ $count }批的所有主机均失联；最后一批：{ $reason }
waves-total-time = 共{ $waves }批，依次进行：每批需要一次完整测试的时间
output-report = 报告：{ $path }
output-record = 记录：{ $path }
output-more = 更多：{ $command }
output-page = 页面：{ $command }
output-written = 已写入：{ $path }
head-setting = 设置
head-value = 值
head-set-by = 来源
config-file-read = 已读取：{ $path }
config-file-missing = 未找到：{ $path }
config-variable-unknown = 未设置任何选项：{ $name }
share-removed-hosts = 已移除：主机名（{ $count }）
share-removed-addresses = 已移除：IP 地址（{ $count }）
share-removed-paths = 已移除：路径（{ $count }）
share-removed-serials = 已移除：设备的序列号和标识符（{ $count }）
share-removed-volumes = 已移除：卷和来源的名称（{ $count }）
share-removed-groups = 已移除：cgroup的名称（{ $count }）
share-removed-processes = 已移除：进程的名称（{ $count }）
share-removed-labels = 已移除：主机的标签（{ $count }）
share-removed-commands = 已移除：命令行的参数（{ $count }）
share-removed-sources = 已移除：预设和承诺的来源（{ $count }）
share-removed-jobs = 已移除：作业的名称（{ $count }）
share-removed-presets = 已移除：预设中的名称（{ $count }）
progress-left = 剩余{ $seconds } s
history-none = { $location }中还没有测试
history-none-fits = 保存了{ $known }次测试，没有符合筛选条件的
history-newest = 最新{ $shown }次测试；-n 0显示全部
history-tagged = { $name }指向{ $run }
history-tag-moved = { $name }指向{ $run }，不再指向{ $before }
history-untagged = { $name }不再指向{ $run }
history-deleted = 已删除{ $run }
history-deleted-of = 已删除{ $run }（{ $target }的{ $command }）
history-deleted-tagged = 已删除{ $run }（{ $target }的{ $command }，标签{ $tags }）
history-removed = 已移除{ $file }
history-pruned = 删除{ $deleted }，剩余{ $left }，另有{ $tagged }个带标签
history-exported = { $runs }次测试已写入{ $file }
history-kept = 已保存{ $run }
history-known = 已有{ $run }
history-imported = 新测试{ $new }次，已有{ $known }次
trend-left-out = 未计入：{ $runs }次测试，检查认定其数值无效。
fleet-no-agent = 没有代理应答
fleet-stream-keeps = 服务器也保存了测试{ $run }的{ $hosts }份记录：
fleet-agent-keeps = { $name }保存着测试{ $run }（{ $purpose }）的记录：
fleet-cannot-lead = 无法控制：版本为{ $version }
fleet-idle = 空闲
fleet-relay = 中继：不测量
fleet-busy = 测试{ $run }
fleet-read-only = { $paths }（只读）
head-name = 名称
head-labels = 标签
head-allows = 允许
head-state = 状态
fleet-stopped = 已停止：{ $names }

## report/templates

head-slow-host = 偏慢主机
head-slower = 慢
head-median = 中位数
head-spreads = 偏离（离散度）
head-slowest-host = 最慢
head-fastest-host = 最快
page-outliers = 偏慢的主机
page-slow-hosts = 偏慢的主机
page-peers = 同型号主机之间的差异
page-peers-caption = 同类主机的数值，从最慢到最快：5 %的主机慢于5 %列的数值。离散度是稳健标准差。
page-hosts-left-out = 其余{ $count }台较快的主机只在JSON记录中。
head-host = 主机
head-share = 占比
head-depth = 深度
head-mean = 均值
head-began = 开始
head-what = 项目
head-promised = 承诺
head-needed = 需要
head-measured = 实测
head-answer = 结论
head-step = 步骤
head-max = 最大
head-source = 来源
head-workload = 负载
head-out = 未完成
head-stands = 备注
head-cell = 测试项
head-hosts = 主机
head-waves = 批次
head-from = 从
head-to = 到
page-waves-caption = 同一批的主机同时测试。每批的合计在该批自己的记录中。
head-skew = 时差
head-known-to = 时钟误差
head-first-done = 最早结束
head-last-done = 最晚结束
head-slowest = 最慢主机，均值与中位主机之比
head-system = 系统
head-target = 目标
head-clock = 时钟
head-round-trip = 往返
head-own-record = 自有记录
page-small-files = 小文件
page-uses = 适用场景
page-results = 结果
page-host-by-host = 各主机结果
page-trust = 这些数值可信吗？
page-not-tested = 未测试
page-appendix = 附录
page-thresholds = 够用吗？
page-good-for = 适合
page-too-slow-for = 速度不足以用于
page-limited-by = 受限于
page-how-the-hosts-met = 各主机的时间
page-the-hosts = 主机
page-terms-and-sources = 说明和来源
page-meaning = 数值的含义
page-curves = 曲线、分布和随时间的变化
page-all-probes = 全部探测
page-environment = 磁盘和环境
page-method = 方法
page-command = 命令
page-picture = 延迟与每秒操作数
page-steps-caption = 各遍的中位数。±：IOPS的95 %区间。-：样本太少。
page-hosts-met-caption = 时差：从第一台主机开始到最后一台主机开始。时钟误差：该时间的误差。最早结束：所有主机同时运行的时长。
page-hosts-caption = 时钟：与协调端时钟的差，以及该差值的误差。
page-total-latency = 总延迟：从提交到收取完成。
page-response-time = 响应时间：从计划开始到收取完成。
head-figure = 数值
head-ratio = 倍数
head-verdict = 结论
head-cells = 测试项
page-what-else-differs = 其他不同之处
page-every-other-figure = 其他所有数值
page-curves-of-both-sides = 两边的曲线
page-for-the-money = 性价比
page-not-compared = 未比较
compare-hosts-caption = 两边都有的主机，各自汇总其全部测试项。不计入上面的比较项数。
page-levels = 水平
page-version = 版本
page-partial = 部分完成
page-partial-kept = 已测得的结果已保留。
page-degraded = 不完整
page-promise = 达到承诺了吗？
page-source = 来源：
page-no-problem = 检查没有发现问题。
page-probes-caption = 未完成：未完成操作数的平均值。-：样本太少。
head-arrivals = 到达数/s
page-lost = 失联：
page-root-would-add = 以root运行可增加：
page-method-text = 总延迟从提交调用之前开始，到收取完成为止；每批提交和每批收取各读一次时钟。均值的区间由每10 ms的计数得出，并校正自相关；百分位的区间由0.1秒数据块的bootstrap得出。只有样本足够时才显示百分位。未完成的操作数保持在要求的深度；实际达到的深度见记录。
status-invalid = 无效
status-warning = 警告
status-note = 提示
page-what-to-do = 处理办法：
page-cells = 测试项：

## report/html/shared

axis-operations = 每秒操作数
axis-depth = 未完成的操作数（深度）
axis-seconds = 秒
axis-latency = 延迟
axis-response = 响应时间
axis-slower-share = 更慢操作的占比
axis-block-size = 块大小
statistic-of-latency = 延迟{ $statistic }
statistic-of-response = 响应时间{ $statistic }
chart-replay-latency = 原处与此处的延迟
chart-replay-latency-caption = 线：此处的响应时间，从计划开始时刻算起。点：采集负载处的延迟。
series-replay-here = { $requests }，此处
series-replay-there = { $requests }，原处
chart-replay-search = { $statistic }随负载速度的变化
chart-replay-search-caption = 每个点是以某一速度进行的一次重放：一次重放全部负载，其余各重放其中一段。阴影：超出限值。
series-replay-probes = 探测
series-replay-late = 负载生成器延迟：不计入
axis-times-load = 此负载的倍数
load-at-depth = 深度{ $depth }
load-at-rate = 到达率{ $rate }/s
series-invalid = 无效
series-disturbed = 受干扰
chart-tails-caption = 曲线与1 %相交处，每100次操作中有1次更慢：即p99。曲线越靠右结束，尾延迟越长。

## report/html/load_picture

picture-title = { $statistic }与每秒操作数
picture-of-depths = 每点为一个深度。
picture-of-rates = 每点为一个到达率。
picture-bound = 阴影：超出延迟上限。星号：上限内的最大值。
picture-not-counted = 灰色空心：受干扰或无效，不计入。
picture-point = { $curve }，{ $load }：{ $rate } IOPS，{ $statistic } { $latency }
picture-ramp = { $curve }：搜索前的逐步加压
picture-series-not-counted = { $curve }：不计入
picture-answer-short = { $rate }（{ $load }）
picture-answer = { $of }：{ $rate }（{ $load }）

## report/html/charts

chart-depth = 每秒操作数与深度
chart-depth-caption = 曲线变平后，加深队列只增加延迟；曲线下降处，队列越深操作越少。
chart-tails = 操作耗时分布
chart-invalid-series = { $series }（无效）
chart-time-operations = 随时间的变化：操作数
chart-time-operations-caption = 每点为0.1秒，或数个0.1秒的均值。台阶表示换了负载。同一负载期间的骤降来自磁盘，或来自其他使用者。
chart-time-p99 = 随时间的变化：p99
chart-time-p99-caption = 操作数足够的每个0.1秒的p99。
chart-first-write = 首次写
chart-first-write-caption = 按顺序首次写入测试文件的各个块。向下的台阶表示写缓存写满或突发积分用完。
axis-written = 已写入（GB）

## report/html/limit_charts

limit-rates = 每秒操作数与负载：{ $curve }
limit-rates-served = 点线上，到达的请求全部得到处理。低于点线时设备跟不上，等待会无限增长。
limit-rates-plain = 曲线变平后，加深队列只增加延迟；曲线下降处，队列越深操作越少。
limit-rates-guides = 点线：任何队列都不能超过。它按深度/空载延迟上升，到实测最大值为止。
limit-rates-knee = 两条点线相交处为拐点：超过后加深队列只增加延迟。
limit-rates-no-knee = 在最深的队列下设备仍在提速：没有测到其上限。
limit-rates-law = 长划线：通用可扩展性定律（USL），限于测试过的深度。
axis-arrivals-planned = 计划每秒到达数
series-served = 全部得到处理
series-idle-guide = 深度/空载延迟
series-ceiling = 上限
series-most-seen = 实测最大
series-law = 可扩展性定律
series-reads = 读
series-writes = 写
series-trims = TRIM
series-syncs = 同步
series-together = 两者合计
series-measured = 实测
series-thrashing = 颠簸：深度{ $then }时少于深度{ $best }时
limit-tails = 上限处的操作耗时分布
series-of-direction = { $direction }，{ $load }

## report/html/surface_charts

steps-title = 各步骤的速率
steps-caption = 每个标记是一个步骤的速率，横线是95 %置信区间。空心：区间太宽，不能作为数值。
small-files-caption = 每个标记是一种操作的速率，横线是95 %置信区间。
small-files-p99-caption = 每100次操作中有99次快于此值。
range-point = { $what }：{ $value }
axis-place = 位置（距盘首，GB）
axis-share-read = 读取的设备范围
axis-mean-read = 随机读均值
series-sequential = 顺序读取
series-fit = 拟合曲线
series-weak = 薄弱处：每次都慢
series-passing = 只慢过一次
series-suspect = 慢，只读过一次
series-mean = 均值
series-longest = 最长
series-seek = 寻道加半圈
surface = 盘面：各位置的速率
surface-caption = 位置遍布整个设备，按随机次序读取。
surface-zones = 速率像区位记录（ZBR）磁盘那样下降；曲线解释了差异的{ $explained }。
surface-access = 盘面：访问时间
surface-access-caption = 在每个位置逐个随机读，不跨盘寻道。
surface-arm = 寻道时间
surface-arm-caption = 逐个随机读：磁头行程越远，耗时越长。盘片每分钟{ $turns }转。

## report/html/fleet_charts

hosts-slowest-drawn = 只画出最慢的{ $drawn }台主机；另有{ $left }台更快的主机，已计入合计。
hosts-load = { $curve }：各主机
hosts-load-caption = 每台主机一条线，另有合计。使用同一存储的主机应落在同一条线上：低于其他的主机，到存储的路径更慢。
hosts-time = 随时间的变化：各主机
hosts-time-caption = 所有主机用同一时钟。所有主机同时下降，原因在存储；只有一台下降，原因在该主机或其路径。
hosts-skew = 开始时间
hosts-skew-caption = 每个测试项从第一台主机开始到最后一台主机开始的时间。细线：时钟的误差。
axis-together-depth = 深度，全部主机合计
axis-together-rate = 每秒到达数，全部主机合计
axis-of-host = 单台主机每秒操作数
axis-cells = 测试项，按运行顺序
axis-skew = 时差
series-total = 合计
series-least = 最低
series-median = 中位数
series-most = 最高
series-mean-host = 全部主机均值

## report/html/sweep_charts

sweep-heat = { $workload }：各块大小和深度的{ $unit }
sweep-heat-operations = 颜色越深，每秒操作数越多。划去：受干扰或无效。!：见警告。
sweep-heat-bytes = 颜色越深，每秒MB数越多。划去：受干扰或无效。!：见警告。
sweep-heat-point = { $size }，深度{ $depth }：{ $figure } { $unit }
sweep-over-size = { $workload }：{ $unit }与块大小
sweep-over-size-caption = 点为实测值。虚线：双上限规律，即每秒操作数上限和每秒字节数上限；仅在各上限的区间两端之比小于10、且规律与所有点相符时画出。
sweep-crossover = 深度{ $depth }时，两个上限在{ $size }附近相交。
sweep-over-depth = { $workload }：IOPS与深度
sweep-over-depth-caption = 每种块大小一条线。变平之后，加深队列只增加延迟。
sweep-beside = 有写入时的读
sweep-beside-caption = { $job }。第一点只有读。最后一点计划每秒写{ $writes }次，即目标单独写时的最大速率。
sweep-beside-share = 最大写速率的{ $share }
series-of-reads = 读的{ $statistic }
axis-writes-beside = 同时进行的每秒随机写
axis-read-latency = 读延迟

## report/html/tiles

chip-ok = 正常
chip-warning = 警告
chip-no-figure = 无数值
chip-invalid = 无效
tile-replay-carries = 跟得上的负载
tile-replay-slowest = 最慢的请求：计划开始后{ $slowest }
tile-replay-response = 响应时间的{ $percentile }，{ $requests }
tile-replay-compared = 仅统计{ $share }的请求：它们在此处遇到的队列不比采集时更深
tile-replay-within = 满足{ $bound }的最大负载
unit-times-load = 倍
unit-there = 原处
unit-here = 此处
tile-latency = 读延迟，深度1
tile-requests = { CAP($requests) }
tile-reads = 随机读
tile-writes = 随机写
tile-streams = 顺序速率
tile-commits = 单客户端提交
tile-most-operations = 最大操作数
tile-most-bytes = 最大传输速率
tile-answer = { $curve }，满足{ $bound }
tile-slowest = 最慢的主机：{ $host }
unit-reads = 次读/s
unit-writes = 次写/s
unit-commits = 次提交/s
unit-files = 个文件/s
unit-read-rate = MB/s读
unit-write-rate = MB/s写
tile-no-interval = 无区间
tile-too-wide = 区间太宽，得不出数值
tile-too-wide-of = { $figures }：区间太宽，得不出数值
tile-within = 满足{ $bound }，深度{ $depth }
tile-not-kept = 深度{ $depth }时也无法满足{ $bound }
tile-answer-at = { $load }，{ $by }
tile-answer-with = { $load }（{ $statistic }），{ $by }
tile-answer-none = { $reason }；{ $load }时{ $rate } IOPS
tile-none = 无
tile-needed = 要求：{ $limit }
tile-cell = { $curve }，深度{ $depth }
tile-share = 占总数{ $share }
tile-mean-and-tail = 均值{ $mean }，p99 { $tail }
tile-commit-tail = p99 { $tail }

## report/html/trust

badge-trusted = 可信
badge-caution = 谨慎
badge-do-not-use = 不可用
badge-reason-sound = 所有能运行的检查都没有发现问题。
badge-reason-nothing = 没有测完任何一项：数值均不可信。
badge-reason-lost = 标为“不完整”的合计缺少主机。
badge-reason-not-judged = 未作判断：没有针对这类测试的可信度检查。
badge-reason-finding = { $finding }。
badge-reason-open = 各项检查未发现问题，但本次测试没有给出确定的结论。
badge-warned-cells = 警告涉及：{ $cells }。
trust-passed = { $count }项检查通过：{ $checks }。
trust-blind = { $count }项检查无法运行：{ $checks }。
trust-cells = { $count }个测试项中的{ $touched }个
trust-worst = 最差：{ $what }，{ $value }
trust-evidence = 依据

## report/html/view

page-unknown-host = 未知主机
page-test-file = 测试文件{ $size }；{ $time }
page-shorter-file = 测试文件{ $size }，原定{ $wanted }（{ $reason }）；{ $time }
page-own-files = 自建的小文件；{ $time }
page-only-read = 读取{ $size }，没有写入；{ $time }
page-imitates = 模仿{ $tool }。
page-departure = 与预设不同：{ $words }。
page-behaves-like = 表现像{ $class }。
page-results-caption = 总延迟：从提交到收取完成。±：本次测试内IOPS的95 %区间。*：满足{ $bound }的最大IOPS。-：样本太少。
page-results-plain-caption = 总延迟：从提交到收取完成。±：本次测试内IOPS的95 %区间。-：样本太少。
page-results-replay-caption = 响应时间：从计划开始时刻到完成。±：本次运行中IOPS的95 %区间。-：样本太少。
page-shares-caption = 各主机在{ $cell }中的占比。开始：第一台主机开始后的时间。
page-notes = { $count }条提示
page-more = 另有{ $count }项
page-footer = truedisk { $version }，记录{ $id }，schema { $schema }

## report/html/facts

layer-detail = { $name } { $value }
layer-link-words = { $kind } { $current }，可承载{ $carries }
layer-link-of = { $kind } { $current }（最高{ $most }），可承载{ $carries }
layer-serial = 序列号
layer-firmware = 固件
layer-rotational = 旋转介质（设备声明）
layer-scheduler = 调度器
layer-sector = 扇区
layer-physical-sector = 物理扇区
layer-write-cache = 写缓存：
layer-requests = 请求数
layer-largest-request = 最大请求
layer-hardware-queues = 硬件队列
layer-link = 链路
layer-health-start = 开始时健康状况：
layer-health-end = 结束时健康状况：
layer-file = 文件
layer-file-direct = 绕过该文件的缓存：
word-yes = 是
word-no = 否
fact-run = 测试
fact-started = 开始时间
fact-host = 主机
fact-coordinator = 协调端
fact-system = 系统
fact-kernel = 内核
fact-processor = CPU
fact-memory = 内存
fact-virtualisation = 虚拟化
fact-container = 容器
fact-user = 用户
fact-root = root
fact-not-root = 非root
fact-none-seen = 未发现
fact-io-uring = io_uring
fact-available = 可用
fact-measured-by = 测试工具
fact-known-of-it = 备注
fact-seed = 随机种子
fact-span = 测试范围
fact-clock = 时钟
fact-clock-words = { $clock }，每次读取{ $reading }
fact-generator = 负载生成器
fact-generator-words = 空操作：深度1时{ $one }/s，深度32时{ $many }/s
fact-control-group = cgroup

## report/compare/charts

compare-axis-ratio = { $b }与{ $a }之比
compare-ratios = { $b }与{ $a }之比，按测试项
compare-ratios-caption = 菱形为各测试项的倍数，横线为95 %区间。1的右侧表示{ $b }更高。阴影：{ $margin }以内视为相同。
compare-ratio-words = { $cell }：x { $ratio }
compare-cell-figure = { $cell }，{ $figure }
compare-side-point = { $side }，深度{ $depth }
compare-over-depth = { $workload }：IOPS与深度
compare-over-depth-caption = 两边在相同深度下的每秒操作数。竖条为95 %区间。
compare-over-load = { $workload }：延迟与负载
compare-over-load-caption = 每点为一个深度。越低、越靠右越好。

## report/compare/page

compare-sides = { $b }对比{ $a }
compare-ratio-caption = 倍数：{ $b }与{ $a }之比，附95 %区间。*：所有比较合并校正后仍成立（Holm法，5 %）。-：样本太少。
compare-no-difference = { $a }与{ $b }没有显示出差异
compare-same = { $a }与{ $b }：{ $words }
compare-more-runs = 无法判断的测试项，每边最多还需测{ $runs }次。
compare-one-run-each = 每边只测1次：得不出两次测试之间的区间
compare-cannot-tell = 无法判断
compare-no-currency = 未给出货币
compare-money = 按每月每单位货币计算。货币：

## report/trend

trend-run = 测试
trend-level = 水平
trend-caption = 每点为一次测试及其95 %区间。横线为若干次测试共有的水平。

## target

root-serial-numbers = { $disks }的序列号和标识
root-locked-memory = 超出内存锁定上限{ $limit }的注册缓冲区
root-raw-devices = 不经文件系统直接测试块设备
root-drop-caches = 清空整台主机的缓存，而不仅是被测文件的缓存

## watch

watch-not-counted = 内核不统计{ $disks }的I/O（queue/iostats为0），因此略去
watch-not-timed = 内核不对{ $disks }的I/O计时（queue/iostats为0）：只有速率，没有延迟
watch-bio-based = { $disks }的I/O不经过请求队列：只有速率和均值，没有百分位
watch-bios-timed = { $disks }没有请求队列：无法区分排队时间和设备时间；每秒超过16,000个请求时，每八个测一个
watch-ebpf-not-permitted = 延迟百分位需要root，或CAP_BPF和CAP_PERFMON：只有速率和均值
watch-ebpf-unavailable = 此处没有延迟百分位：{ $reason }
watch-instead-of-ebpf = 这里不能用eBPF（{ $reason }）：改用块层跟踪点，不知道谁在等待
watch-not-bottleneck = 瓶颈不在{ $disk }：{ $because }
watch-saturated = { $disk }已饱和：{ $because }
watch-capped = { $disk }被限速：{ $because }
watch-slow = { $disk }负载不高却很慢：{ $because }
watch-cannot-tell = 无法判断{ $disk }是否为瓶颈：{ $because }
watch-nothing-asked = { $time }内没有任何请求
watch-programs-waited = { $time }内，程序至少有{ $share }的时间在等待存储
watch-busy-share = { $time }内最多有{ $share }的时间存在未完成的请求
watch-read-latency = 读{ $statistic } { $latency }
watch-write-latency = 写{ $statistic } { $latency }
watch-read-latency-over = 读{ $statistic } { $latency }，超出{ $bound }
watch-write-latency-over = 写{ $statistic } { $latency }，超出{ $bound }
watch-flush-latency = 刷盘{ $statistic } { $latency }
watch-flush-latency-over = 刷盘{ $statistic } { $latency }，超出{ $bound }
watch-mean-latency = 平均延迟{ $latency }
watch-outstanding = 平均有{ $outstanding }个未完成的请求
watch-in-queue = 延迟中{ $share }是排队时间
watch-does-of = 目前{ $rate }；{ $date }测得满足{ $bound }时最多{ $limit }（{ $curve }）
watch-does-of-at-least = 目前{ $rate }；{ $date }测得满足{ $bound }时至少可达{ $limit }（{ $curve }）
watch-known-latency = 每个请求耗时{ $latency }；{ $date }在未完成的请求同样多时为{ $known }
watch-known-cap = 目前{ $rate }；{ $date }限速把它限制在{ $limit }
watch-flat = 速率平稳在{ $iops } IOPS：波动{ $variation }，小于随机波动
watch-group-use = 已用{ $share }
watch-silent = 共{ $time }几乎没有请求完成，期间未完成的请求为{ $outstanding }个
watch-waiter-group = 等待时间的{ $share }来自{ $group }
watch-waiter-writeback = 等待时间的{ $share }是页缓存回写（writeback）
watch-processor-waited = 程序有{ $share }的时间在等待CPU
watch-processor-busy = CPU有{ $share }的时间忙碌
watch-too-few = { $operations }个请求太少，无法得出百分位
watch-no-distribution = 当前数据源只给出均值，没有百分位
watch-held-elsewhere = 程序被别的因素拖住：cgroup限值、其他磁盘或网络存储
watch-limit-unknown = 不知道它在此负载下的极限
watch-too-hot = 它的温度为{ $celsius } °C，并自报过热
watch-too-hot-of = 它的温度为{ $celsius } °C，厂商的上限为{ $celsius-max } °C
watch-slow-link = 它的链路速率为{ $speed }，本可达到{ $speed-max }
watch-failed-now = 这段时间内有{ $count }个请求失败
watch-failed-commands = 自启动以来有{ $count }条命令超时
watch-flushes-among-writes = 刷盘被计入写入，因此无法与它的能力比较（用eBPF可区分）
watch-next-limit = 磁盘空闲时，测量它的极限：{ $command }
watch-next-limit-file = 提高或取消限值：{ $file }
watch-next-provider = 查看服务商对云盘和机型的限额；更快的磁盘只有在其限额更高时才有用。
watch-next-saturated = 更快的磁盘、缓存或更少的请求有用；增加并发请求没有用。
watch-next-depth = 程序仍在等待，因为并发请求少：增加并发请求可得到更高的速率。
watch-next-slow = 检查错误（dmesg）、温度（smartctl -a）以及共用同一硬件的其他负载。
watch-next-slow-check = 检查错误（dmesg）、温度（smartctl -a）以及共用同一硬件的其他负载，并在空闲时测量：{ $command }
watch-saturated-or-capped = 请求在{ $disk }前排队；无法判断是饱和还是被限速：{ $because }
watch-watching = 正在观察{ $disks }；数据源：{ $source }
watch-source-ebpf = eBPF，每个请求
watch-source-trace = 块层跟踪点，每个请求
watch-source-counters = 计数器（/proc/diskstats）：速率和均值，没有百分位
watch-metrics-at = 指标：{ $address }
watch-watched-for = 共{ $time }
watch-disk-line = { $disk }：未完成{ $outstanding }；已用：未知
watch-disk-line-used = { $disk }：未完成{ $outstanding }；已用：{ $date }满足{ $bound }时所测{ $limit }（{ $curve }）的{ $used }
watch-waited-per-second = { $time }/s
watch-waiters-estimated = 谁在等待是估计值：每秒超过16,000个请求时，快于1 ms的请求每八个计一个
watch-missing-requests = 延迟和等待者的统计中缺少{ $count }个请求；速率的统计包含它们
watch-probe = 每秒一次自己的读取：平均{ $mean }，最多{ $max }（{ $count }次读取）
watch-probe-waiting = 一次自己的读取已等待{ $time }
watch-probe-errors = 失败的自己的读取：{ $count }
watch-fact-probe = 自己的读取
watch-read = 读
watch-write = 写
watch-flush = 刷盘
watch-head-disk = 磁盘
watch-head-queue = 排队p99
watch-head-device = 设备p99
watch-head-who = 等待者
watch-head-waited = 等待
watch-others = 其他
watch-source = 数据源：{ $source }
watch-first-interval = 第一个统计周期尚未结束。
watch-paused = 已暂停：测量继续
watch-capturing = 正在将{ $disk }的负载采集到{ $file }：按 c 结束并保存文件
watch-capture-saved = 已保存{ $file }：{ $disk }的{ $requests }个请求
watch-capture-failed = 未能采集{ $disk }的负载：{ $error }
watch-keys = q 退出，j/k 磁盘，s 排序（{ $order }），c 采集，p 暂停，? 帮助
watch-order-verdict = 按结论
watch-order-rate = 按速率
watch-order-latency = 按延迟
watch-order-name = 按名称
watch-head-reads = 读/s
watch-head-writes = 写/s
watch-head-latency = 延迟
watch-head-outstanding = 未完成
watch-head-used = 已用
watch-map = { $disk }的延迟。请求占比：░ < 1 %，▒ < 10 %，▓ < 50 %，█ 更多
watch-means = { $disk }的平均延迟（*），每个统计周期一个；数据源没有分布
watch-help-end = 退出观察；打印整个观察期间的结果
watch-help-disk = 选择磁盘：结论、延迟图和等待者属于它
watch-help-sort = 按结论、速率、延迟或名称排序磁盘
watch-help-capture = 将所选磁盘的负载采集为供 truedisk replay 使用的负载概要；再按一次 c 保存
watch-help-pause = 暂停画面（也可按空格键）；测量继续
watch-help-help = 显示或关闭此帮助
watch-help-parts = 延迟（读、写和刷盘合计）：从块层接受请求到完成。队列：到驱动得到请求为止。设备：从驱动到完成。
watch-help-used = 已用：速率占该磁盘已保存的测试在延迟上限内所达最高速率的比例。
watch-help-map = 延迟图：一列是一个统计周期；一行是从其标签到上方标签的延迟。
watch-help-absent = -：数据源不提供此值，或该统计周期内的请求太少，得不出该百分位。
watch-scope = 观察{ $time }；数据源：{ $source }
watch-series-read = 读{ $statistic }
watch-series-write = 写{ $statistic }
watch-series-flush = 刷盘{ $statistic }
watch-chart-latency = { $disk }的延迟随时间变化
watch-chart-latency-caption = 每个点为{ $time }。只有请求数足够的点才显示百分位。
watch-chart-rate = { $disk }的请求随时间变化
watch-chart-rate-caption = 合并后每秒完成的请求数。每个点为{ $time }。
watch-tile-used-of = 占{ $date }在{ $bound }内的{ $limit }（{ $curve }）
watch-tile-median = p50 { $latency }
watch-tile-mean = 平均{ $latency }
watch-at-least-of-time = 至少{ $share }的时间
watch-of-time = { $share }的时间
watch-celsius = { $disk }：{ $degrees } °C
watch-errors-of = { $disk }：{ $count }
watch-unseen-use = { $disk }在此负载下的能力：没有大小和读写比例相同的已保存测试。
watch-unseen-pressure = 程序等待了多久：此内核不统计（内核命令行加psi=1）。
watch-unseen-throttle = cgroup的限值在块层接受请求之前扣留请求的时间：任何延迟都不包含它。
watch-unseen-order = 请求是随机还是顺序。
watch-badge-not-bottleneck = 不是瓶颈
watch-badge-saturated = 已饱和
watch-badge-capped = 被限速
watch-badge-slow = 慢
watch-badge-cannot-tell = 无法判断
watch-fact-pressure = 程序等待存储
watch-fact-processors = CPU忙碌
watch-fact-cpu-pressure = 程序等待CPU
watch-fact-steal = 虚拟化层在运行其他任务
watch-fact-dirty = 脏页（最多）
watch-fact-writeback = 正在写回的页（最多）
watch-fact-errors = 失败的请求
watch-fact-temperature = 温度
watch-fact-limits = cgroup的限值
watch-page-causes = 检查过的原因
watch-page-waiters = 谁在等待
watch-page-others = 其他磁盘
watch-page-figures = 数据
watch-tile-reads = 读
watch-tile-writes = 写
watch-tile-read-latency = 读延迟
watch-tile-write-latency = 写延迟
watch-tile-flush-latency = 刷盘延迟
watch-tile-used = 已用（相对已知能力）
watch-tile-used-unknown = 没有此负载的已保存测试
watch-unit-flushes = 次刷盘/s
watch-method-text = 延迟从块层接受请求到请求完成；队列：到驱动得到请求为止；设备：从驱动开始。请求在合并后计数。只有请求数足够时才显示百分位。负载来自其他程序：两次观察首先是负载不同，然后才是磁盘不同。
compare-watch-no-load = { $disk }中没有读写
compare-watch-other-mix = 读操作占{ $a }，对{ $b }
compare-watch-other-size = 每次操作{ $a }，对{ $b }
compare-watch-other-rate = { $a } IOPS，对{ $b } IOPS
compare-watch-differs = { $disk }：不下结论，因为负载不同：{ $differences }
compare-watch-faster = { $disk }：负载相同，B中的请求用时更短
compare-watch-slower = { $disk }：负载相同，B中的请求用时更长
compare-watch-alike = { $disk }：负载相同，B中的请求用时大致相同
compare-watch-unclear = { $disk }：不作结论：测得太少，或中位数与第99百分位、或读与写的结果互相矛盾
compare-watch-flushes = 刷盘计入了写，因此无法比较（以root运行时分开统计）
compare-watch-side = { $run }，{ $when }，{ $time }；{ $source }
compare-watch-side-on = { $host }上的{ $run }，{ $when }，{ $time }；{ $source }
compare-watch-no-disk = 没有磁盘在两次观察中都有活动。
compare-watch-method = 观察不是受控测量：负载来自其他程序。只有读写比例、大小和速率相近时才下结论。判为更久或更快：中位数和第99百分位（计数器：平均值）都相差四分之一以上。要比较磁盘：truedisk compare --interleave。
trend-changed = 自测试{ $run }起水平改变：{ $change }。各次观察的负载不同，所以这不表示更好或更差。

## stats

no-interval-nothing = 没有测得数据
no-interval-no-number = 序列中有非数值
no-interval-short = 太短：有效样本{ $worth }个，需要{ $needed }个
no-interval-few-measurements = 测量次数太少：{ $made }次，需要{ $needed }次
no-interval-few-rounds = 轮数太少，得不出中位数的区间：{ $made }轮，需要{ $needed }轮
no-interval-no-weight = 实测点不足以确定此值
no-interval-nothing-to-compare = 没有可比较的数据
no-interval-one-run-each = 每边只测1次，得不出测试之间差异的区间
no-interval-one-run = 单次测试，自身没有区间
no-interval-no-series = 没有序列
no-interval-one-pass = 只有一遍，得不出此值的区间
no-interval-longest = 全部中最长的一次
no-interval-next-longer = 下次测试可能出现更长的一次
no-interval-imported = fio的JSON中没有序列
no-interval-cache-size = 下降前写入的量；期间缓存会腾出空间，因此可能更小
no-interval-few-figures = 数值太少：一边{ $few }个，另一边{ $more }个
no-interval-flat = 许多取值与数据同样吻合

## fio

fio-import-no-series = fio的JSON中没有序列，因此单次测试的数值没有区间
fio-import-no-time = fio没有给出运行的日期和时刻
fio-import-completion-latency = 百分位是完成延迟（fio的clat）的：fio没有给出总延迟的百分位
fio-import-option = 任务'{ $job }'：忽略选项{ $option }：{ $why }
fio-import-more-options = 任务'{ $job }'：另有{ $more }个选项被忽略
fio-import-guessed = 任务'{ $job }'：fio没有给出所请求的参数；顺序、大小和深度取自其名称和数值

## report/devices

devices-title = 块设备
devices-none = 此处看不到块设备。
devices-health = 健康状况
devices-idle = 未列出（未设置、为空或属于内存）：{ $names }。
devices-may-write = 可以写入吗？
devices-write-note = 查明这些时没有以写方式打开任何设备；写入前会再次检查。只有两次写明设备名才会写入：truedisk check DEVICE --yes-destroy-data-on DEVICE。
devices-file-systems = 文件系统
devices-swap = 交换空间：{ $path }，已用{ $used }，共{ $size }。
devices-measure = 接下来可测试
devices-unknown = 未知
head-device = 设备
head-size = 容量
head-claims = 自称
head-link = 链路
head-health = 健康状况
head-queue = 队列
head-cache = 缓存
head-sectors = 扇区
head-why = 原因
head-mounted-on = 挂载点
head-kind = 类型
head-free = 可用
head-on = 位于
device-detail = { $kind } { $detail }
device-over = { $kind }，基于{ $file }
device-removable = { $device }，可移动
device-link = { $kind } { $current }：最高{ $ceiling }
device-link-of = { $kind } { $current }（可达{ $max }）：最高{ $ceiling }
device-link-below = { $link }，低于其能力
device-no = 否
device-loses-data = 会毁数据
device-yes = 是
device-unknown = 未知
device-holds = 此处无程序使用，但其上有数据：{ $held }
device-unused = 此处无程序使用，其上也未发现数据
device-unseen = 未见程序使用；见下文
mount-of = { $what }（{ $source }）
mount-of-on = { $what }，位于{ $devices }
mount-root = { $mount }：其中的{ $root }
mount-read-only = { $mount }，只读

## model

sheet-sources = 来源
models-title = 套餐与模型
head-for-example = 示例
model-own-plan = 自定义套餐
model-hdd = 按规格书计算的机械硬盘
model-ladder = 典型设备的水平
model-as-of = AWS云盘可用as-of=YYYY-MM-DD取该日的限额。
ladder-title = 典型设备每秒的4 KiB随机读次数
ladder-this-record = 本记录
head-class = 类别
head-example = 示例
ladder-note = 实测：iocost-benchmarks用户提交结果的中位数，每型号一至四块盘，主机各不相同。标称：服务商的说法。请看作大致范围。
ladder-measured = 实测
ladder-sold = 标称
ladder-computed = 计算
ladder-rotating-disk = 机械硬盘
ladder-cloud-volume = 云盘
ladder-below-time = 低于{ $time }
model-random-reads = 随机读，按块大小
model-random-writes = 随机写，按块大小
model-sequential-reads = 顺序读（合并），按块大小
model-sequential-writes = 顺序写（合并），按块大小
head-measured-iops = 实测IOPS
head-block = 块
head-burst = 突发
head-limit = 上限
head-time = 时间
model-tolerance = 服务商声明在{ $of-time } %的时间内达到其{ $share } %。
model-limit-operations = 操作数
model-limit-bytes = 字节数
model-no-limit = 无上限
model-over-time = 随时间变化：积分充满，负载取尽所能得到的
model-phase = { $from }至{ $until }
model-phase-on = { $from }之后
model-always = 持续
model-burst = 突发
model-refill = 无负载时，用尽的积分在{ $time }后恢复充满。
model-hours = { $seconds } s（{ $hours } h）
model-seconds = { $seconds } s
hdd-title = 机械硬盘，{ $rpm } rpm，平均寻道{ $seek }
hdd-formula = 一次一个随机操作：寻道 + 半圈旋转 + 传输 + 控制器。
hdd-stretch = 磁头只在{ $share } %的盘面上移动：寻道 = { $track } + ({ $seek } - { $track }) x sqrt({ $share } %)。
hdd-table = 随机，一次一个
hdd-surface = 顺序，沿盘面（最内半径为最外的一半）
head-seek-ms = 寻道ms
head-rotation = 旋转
head-transfer = 传输
head-controller = 控制器
head-all-ms = 合计ms
head-at = 位置
plan-gp2-base = 基准性能：每GiB 3 IOPS，至少100；170 GiB以内128 MiB/s，以上更多
plan-gp2-burst = 突发：540万积分，每次操作一分，开始时充满
plan-gp3 = 无突发；最多可购买每GiB 500 IOPS、每IOPS 0.25 MiB/s
plan-io1 = 32,000 IOPS以内500 MiB/s，以上每IOPS 16 KiB；超过32,000仅限Nitro
plan-io2 = 每IOPS 0.256 MiB/s，最高4,000 MiB/s；设计平均低于1 ms
plan-hdd-volume = 每TiB持续{ $base } MiB/s，突发{ $burst }，最高{ $most }；积分等于云盘容量的字节数
plan-azure-host-cache = 启用主机缓存时，读可能由它应答
plan-azure-credits = 操作数积分与字节数积分分开，各够30分钟
plan-azure-on-demand = 按需突发（付费）没有时间限制
plan-no-burst-bought = 无突发；可购买{ $limits }
plan-azure-v2-limits = 每GiB最多500 IOPS、每IOPS 0.25 MB/s
plan-azure-ultra-limits = 每GiB最多1,000 IOPS、每IOPS 0.25 MB/s
plan-gcp-machines = 无突发；小型机型另有更低的限额
plan-gcp-baseline = Google另加一个基准值，本模型没有其数值
plan-gcp-n2 = 最大值需要至少64个CPU的N2机型
plan-gcp-size = 云盘容量会限制可购买的范围；此处未检查
plan-gcp-extreme = 每1,000 IOPS配250 MiB/s，最高5,000 MiB/s
plan-gcp-throughput = 每MiB/s配4 IOPS；每次读10至30 ms，如同机械硬盘
plan-gcp-target = Google所述的目标值，不作保证；机型也会限制它
plan-digitalocean = 任何容量都相同；突发60 s，之后至少60 s不能突发
plan-vultr = Vultr所述的上限，没有下限；约一分钟内最多高出50 %
plan-what-aws-gp2 = EBS General Purpose SSD，有积分
plan-what-aws-gp3 = EBS General Purpose SSD
plan-what-aws-st1 = EBS Throughput Optimized HDD，有积分
plan-what-aws-sc1 = EBS Cold HDD，有积分
plan-what-gcp-pd-standard = Persistent Disk，机械硬盘
plan-what-azure-premium = Premium SSD，按容量或按名称p1至p80
plan-what-digitalocean-basic = 基础型droplet的云盘
plan-what-digitalocean-optimized = 优化型droplet的云盘
plan-what-vultr-nvme = 块存储，NVMe
plan-what-vultr-hdd = 块存储，HDD

## capture

capture-capturing = 正在采集{ $disk }的请求
capture-progress = { $disk }：{ $time }内{ $requests }个请求
capture-captured = { $disk }：{ $time }内{ $rate } IOPS（{ $requests }个请求）
capture-uncertain = 速率：±{ $margin }（95 %）。采集时间越长越可靠。
capture-kind = { $kind }：{ $facts }
capture-reads = 读
capture-writes = 写
capture-discards = discard
capture-flushes = 刷盘
capture-share = 占请求的{ $share }
capture-size = 多为{ $size }
capture-sequential = { $share }为顺序
capture-none-sequential = 无顺序请求
capture-latency = { $statistic } { $latency }
capture-lost = 有{ $lost }个请求未能采集（{ $share }）：速率偏低同样的比例。
capture-lost-few = 有{ $lost }个请求未能采集，不到总数的0.01 %。
capture-own-writes = { $file }位于{ $disk }上：对它的写入也是负载的一部分
capture-full = { $file }已达到最大大小{ $size }，采集结束。如需更多：--max-size。
capture-trace-saved = 跟踪文件：{ $file }（{ $size }）
capture-profile-saved = 负载概要：{ $file }

## target, announcements

announce-test-file = { $path }中{ $size }的测试文件
announce-test-files = 每台主机{ $path }中至多{ $size }的测试文件
announce-over = { $path }最前面的{ $size }
announce-then-reads = 写入{ $what }，之后只读：总共至多{ $time }
announce-then-writes-up-to = 写入{ $what }，之后读写：总共至多{ $max }、{ $time }
announce-then-writes = 写入{ $what }，之后全速读写：总共至多{ $time }；按1 GB/s计最多{ $gigabytes } GB（限制：--max-written SIZE）
announce-of-preset = { $preset }：{ $announcement }
announce-small-files = { $preset }：在{ $path }中自建的目录里写小文件，总共至多{ $written }，之后删除；{ $time }
announce-only-reads = { $preset }读取{ $path }，不写入任何内容；最多用时{ $time }
announce-search-part = 写入{ $path }之前检查上面有无数据（约2 s）
announce-search-whole = 写入{ $path }之前检查全部{ $size }有无数据
announce-requests-write = 每个请求向{ $place }写入{ $size }，{ $end }
announce-to-path = { $path }
announce-over-contents = { $path }（覆盖其内容）
announce-to-work-file = { $folder }中的工作文件
announce-work-file-then-requests = 在{ $folder }中写一个{ $work }的工作文件，之后每个请求写入{ $size }，{ $end }
announce-work-file-then-reads = 在{ $folder }中写一个{ $work }的工作文件，之后只读，{ $end }
announce-until-stopped = 直到被停止
announce-for-time = 持续{ $time }
announce-at-most = 最多{ $times }次
duration-at-most = 至多{ $max }
duration-about = 在SSD上约{ $usual }，直到全部测完
duration-about-and-at-most = 在SSD上约{ $usual }，至多{ $max }
use-mounted = { $device }挂载在{ $path }
use-swap = { $device }正用作交换空间
use-part-of = { $device }是{ $whole }的一部分
use-behind-loop = { $device }是{ $above }背后的设备
use-open = { $program }（进程{ $process }）以写方式打开了{ $device }
use-unknown-to-sysfs = sysfs中没有{ $device }：是否在使用中未知
use-number-unknown = sysfs没有给出{ $device }的设备号
use-proc-unreadable = 无法读取/proc：是否在使用中未知
write-no-size = 大小为零：尚未设置，或没有放入介质
write-kernel-read-only = 内核将其设为只读
write-optical = 不写光盘
write-no-permission = 当前用户无权写入
write-kernel-busy = 内核报告它正在使用中：{ $error }
write-contents-unseen = 是否有程序占用它、上面有什么：{ $reason }
write-blocks-unseen = 是否有程序占用它、各块的内容：{ $reason }
holds-by-udev = { $kind }（据udev）
holds-table-by-udev = 分区表（{ $kind }，据udev）
mount-size-unseen = 大小：{ $reason }
unseen-serial = { $device }的序列号：权限不足
unseen-nested-deeper = 嵌套超过{ $levels }层的文件系统
unseen-upper-outside = { $upper }所在的文件系统：位于本容器之外
unseen-upper-assumed = { $upper }位于本容器之外：假定与{ $mounted-at }一样在{ $source }上
unseen-backing-file-system = { $device }背后的文件{ $file }所在的文件系统
unseen-mounts = 挂载了什么：无法读取/proc/self/mountinfo
unseen-block-devices = 块设备：无法读取/sys/dev/block
device-file-missing = 没有设备文件{ $path }
device-file-other = { $path }不是{ $device }的设备文件
device-too-small = 太小，无法测量：至少需要{ $size-min }
device-health-unseen = 无法读取其健康日志（SMART）：{ $reason }
mount-no-permission = 当前用户不能写其顶层：请指定其中自己的目录
mount-overlay-upper = overlay：写入到{ $upper }
mount-overlay = 不接受写入的overlay
mount-memory = 内存，不是磁盘
mount-other-host = 在另一台主机上
mount-fuse = 由程序提供（FUSE）
holds-gpt-partition-table = GPT分区表
holds-ext2-3-4-file-system = ext2/3/4文件系统
holds-xfs-file-system = xfs文件系统
holds-btrfs-file-system = btrfs文件系统
holds-bcachefs-or-bcache-device = bcachefs或bcache设备
holds-bcachefs-file-system = bcachefs文件系统
holds-f2fs-file-system = f2fs文件系统
holds-ntfs-file-system = NTFS文件系统
holds-exfat-file-system = exFAT文件系统
holds-fat-file-system = FAT文件系统
holds-iso-9660-file-system = ISO 9660文件系统
holds-squashfs-file-system = squashfs文件系统
holds-lvm-physical-volume = LVM物理卷
holds-luks-volume = LUKS卷
holds-member-of-an-md-array = md阵列成员
holds-member-of-a-zfs-pool = ZFS池成员
holds-ceph-osd = Ceph OSD
holds-swap-space = 交换空间
holds-gzip-stream = gzip数据流
holds-xz-stream = xz数据流
holds-zstd-stream = zstd数据流
holds-lz4-stream = lz4数据流
holds-bzip2-stream = bzip2数据流
holds-zip-archive = zip归档
holds-7z-archive = 7z归档
holds-tar-archive = tar归档
holds-data-encrypted-by-openssl = 由OpenSSL加密的数据
holds-data-encrypted-by-age = 由age加密的数据
holds-partition-table-or-boot-sector = 分区表或引导扇区
holds-unknown-data = 未知类型的数据
holds-benchmark-data = 基准测试留下的数据，或没有头部的加密卷
