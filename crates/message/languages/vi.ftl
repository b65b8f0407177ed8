# Tiếng Việt. Cùng thông điệp và cùng tham số như tiếng Anh.

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

ended-early = kết thúc sớm: { $error }
with-interval = { $value } ±{ $half }
with-range = { $value } (95 %: { $low } đến { $high })

## analysis

measured-by-other-program = số liệu do chương trình khác đo; đầu ra của nó không có dữ liệu cần cho mục kiểm tra này

clauses = { $clauses }
no-target = không có mô tả đích đo

## report/words

row-best = { $curve }, độ sâu { $depth } *
row-depth = { $curve }, độ sâu { $depth }
row-rate = { $curve }, { $rate } yêu cầu đến/s
row-reads = { $label }, phần đọc
row-its-writes = phần ghi
row-its-trims = phần TRIM
row-the-write = { $label }: lệnh ghi
row-the-sync = lệnh { $kind }
cell-idle = đọc { $size } sau khoảng nghỉ
cell-replay = phát lại
cell-trial = { $cell } (thử)
cell-commit = commit { $size }
cell-again = { $curve }, độ sâu { $depth }, lặp lại
cell-round = { $curve }, độ sâu { $depth }, chờ ổn định
mark-invalid = KHÔNG HỢP LỆ: { $id }
mark-warning = cảnh báo: { $id }
mark-unstable = không ổn định: độ trễ không tăng đều theo tải
mark-degraded = không đầy đủ: { $there }/{ $hosts } máy
class-second = Loại giống thứ nhì: { $class }.
class-second-for = Loại giống thứ nhì: { $class }. Điểm giống: { $supports }.
class-second-against = Loại giống thứ nhì: { $class }. Điểm khác: { $contradicts }.
class-second-both = Loại giống thứ nhì: { $class }. Điểm giống: { $supports }. Điểm khác: { $contradicts }.
class-claim-agrees = Hệ thống báo đây là: { $words }. Cách hoạt động của ổ đĩa không trái với điều đó.
class-claim-contradicted = Hệ thống báo đây là: { $words }. Cách hoạt động của ổ đĩa trái với điều đó: { $against }.
target-mounted = { $kind } trên { $source }
target-parts = { $parts }
kind-partition = phân vùng
kind-disk = ổ đĩa
kind-lvm = volume LVM
kind-crypt = thiết bị mã hóa
kind-device-mapper = thiết bị device-mapper
kind-loop = thiết bị loop
kind-zram = RAM nén
kind-ram = ổ đĩa RAM
kind-multipath = thiết bị multipath
kind-network-block = thiết bị khối qua mạng
kind-bcache = thiết bị bcache
kind-optical = ổ đĩa quang
layer-transport = { $kind } { $transport }
layer-model = { $name } ({ $kind } { $model }, { $size })
layer-plain = { $name } ({ $kind }, { $size })
bounded-none = không có phép đo nào
bounded-invalid = KHÔNG HỢP LỆ: không phải giới hạn của ổ đĩa
bounded-bound = { $iops } ở độ sâu { $depth } là mức tối đa với { $bound }
bounded-saturation = { $iops } ở độ sâu { $depth }; tăng độ sâu chỉ tăng độ trễ, không tăng IOPS
bounded-depth-tried = { $iops } ở độ sâu { $depth }, sâu nhất đã thử: có thể còn cao hơn
bounded-unreachable = không giữ được { $bound } ngay cả ở tải thấp nhất
bounded-provider-cap = { $iops } từ độ sâu { $depth } trở đi: mức giới hạn cấu hình, không phải giới hạn của ổ đĩa
bounded-control-group = { $iops } ở độ sâu { $depth }: do một cgroup của máy này giới hạn, không phải do ổ đĩa
bounded-client = ít nhất { $iops } ở độ sâu { $depth }: giới hạn là CPU, không phải ổ đĩa
bounded-unsure = khoảng { $iops } ở độ sâu { $depth }, chưa chắc chắn: hãy đo lại khi không có gì khác dùng thiết bị

## report/compare

compare-more-pairs = Còn { $count } cặp nữa: -v.
compare-more-rates = Còn { $count } hàng nữa: -v.
compare-more-notes = Còn { $count } ghi chú nữa: -v.
compare-runs = { $runs } lần chạy
compare-one-run = lần chạy { $run }, { $day }
compare-runs-of-day = { $runs } lần chạy, { $day }
compare-runs-of-days = { $runs } lần chạy, { $first } đến { $last }
compare-better = tốt hơn
compare-better-one-run = tốt hơn, một lần chạy
compare-worse = kém hơn
compare-worse-one-run = kém hơn, một lần chạy
compare-the-same = như nhau
compare-needs-runs = cần { $runs } lần chạy
compare-price = { $price } { $currency } mỗi tháng
compare-only-side = chỉ { $side } có: { $cell }
compare-only-side-nearest = chỉ { $side } có: { $cell }; { $nearest }
compare-excluded = { $side }, { $cell } (lần chạy { $run }): { $reason }
compare-method = Tỷ số giữa các lần chạy theo Hodges-Lehmann trên logarit, với khoảng tin cậy chính xác theo hạng (95 %); cần 4 lần chạy mỗi bên. Tốt hơn hoặc kém hơn: cả khoảng nằm ngoài { $least } %. Như nhau: cả khoảng nằm trong { $margin } %. *: đúng cho cả { $comparisons } phép so sánh cùng lúc (quy tắc Holm). Mỗi bên một lần chạy thì không có khoảng giữa các lần chạy: khoảng ghi ở đây là khoảng bên trong hai lần chạy đó, và chỉ mức chênh 1,5 lần mới tính là khác biệt.
compare-rates-key = * đúng cho mọi phép so sánh cùng lúc. -: không có khoảng tin cậy.
compare-latency-title = Độ trễ, { $b } so với { $a }: thấp hơn là tốt hơn
compare-latency-key = * cả khoảng giữa các lần chạy vượt mức khác biệt nhỏ nhất được tính.
compare-hosts-title = Từng máy, { $b } so với { $a }
compare-hosts-note = Mỗi máy tính trên mọi phép đo của nó. Không nằm trong số phép so sánh được đếm.
compare-unit-of-money = đơn vị tiền
compare-money-title = Trên mỗi { $currency } hằng tháng
compare-its-figure = { $figure } tương ứng
compare-cell-part = { $cell }, { $part }

## report/summary

summary-title = { $command } { $path } trên { $host }, { $when }
summary-title-without-host = { $command } { $path }, { $when }
summary-target = { $target }; { $file }; { $seconds } s
summary-target-unknown = { $file }; { $seconds } s
summary-file-direct = tệp đo { $size }, O_DIRECT
summary-file-cached = tệp đo { $size }, không O_DIRECT
summary-file-small = các tệp nhỏ tự tạo
summary-file-read = đọc { $span }, không ghi gì
summary-shortened = Tệp đo nhỏ hơn dự định: { $why }.
summary-trusted = tin cậy
summary-caution = thận trọng: { $reasons }
summary-caution-alone = thận trọng
summary-broken = không dùng được: { $reasons }
summary-partial = CHƯA HOÀN TẤT: { $reason }. Kết quả đã đo vẫn được giữ.
summary-no-verdict = chưa kết luận: đo quá ít
summary-key = { $signs }.
summary-key-best = * mức tối đa với { $bound }
summary-key-invalid = X không phải số liệu của ổ đĩa
summary-key-warning = ! xem cảnh báo
summary-key-vague = ~ không có số liệu: khoảng tin cậy rộng hơn ±25 %
summary-key-missing = - quá ít mẫu, hoặc không đo
summary-class = Hoạt động giống { $class }.
summary-class-or = Hoạt động giống { $class }, hoặc { $other }.
summary-good-for = Phù hợp cho: { $uses }.
summary-too-slow-for = Quá chậm cho: { $uses }.
summary-limited = Hạn chế: { $limits }.
summary-more-warnings = Còn { $count } cảnh báo nữa: -v.
summary-more-rows = Còn { $count } hàng nữa: -v.
summary-more-lines = Còn { $count } dòng nữa: -v.
summary-checks = { $passed } mục kiểm tra đạt, { $unable } mục không chạy được.
summary-checks-notes = { $passed } mục kiểm tra đạt, { $notes } mục có ghi chú, { $unable } mục không chạy được.
summary-promised = Cam kết: { $promise }
summary-promise-line = { $label }: cam kết { $promised }, đo được { $measured }
summary-limit-row = { $curve } { $bound }
summary-bounded-by = giới hạn bởi
summary-load = tải
summary-threshold = { $what } { $measured }, cần { $limit }
sweep-matrix = { $workload }, IOPS theo kích thước khối và độ sâu
summary-hosts = Máy chậm nhất, { $cell }

## checks/unwritten

check-unwritten-question = Các khối có được ghi trước khi đọc không?
check-unwritten-meaning = Vùng trống (hole), hoặc khối đã cấp phát nhưng chưa từng ghi, trả về toàn số 0 mà không cần đến thiết bị: đọc chúng chỉ là đo hệ thống tệp.
check-unwritten-ok = mọi khối được đọc đều đã được ghi trước đó
check-unwritten-not-observable = thiết bị thô, hoặc hệ thống tệp không có FIEMAP
check-unwritten-note = một phần được nén, mã hóa, dùng chung hoặc nằm trong siêu dữ liệu
check-unwritten-invalid = một phần của tệp chưa từng được ghi
check-unwritten-remedy = Hãy đo một tệp đã được ghi đầy từ đầu đến cuối, hoặc chỉ định một thư mục: truedisk sẽ tự ghi tệp của mình trước.
check-unwritten-blind-spot = Các khối mà ổ đĩa thin hoặc SSD chưa từng nhận dù hệ thống tệp đã ghi một lần; các khối của thiết bị thô (xem zero-blocks).
check-unwritten-short-remedy = đo một tệp đã được ghi, hoặc chỉ định thư mục để truedisk tự ghi tệp

check-unwritten-method = Hỏi hệ thống tệp xem tệp được cấp phát thế nào (FIEMAP). Mục này không đạt nếu hơn { $max } của vùng đo không có khối đã ghi.
unwritten-on-device = thiết bị thô không cho biết khối nào đã từng được ghi
unwritten-without-fiemap = hệ thống tệp này không cho biết tệp được cấp phát thế nào (FIEMAP)
unwritten-bytes = chưa từng ghi
unwritten-extents = { $empty } trên { $length }, trong { $extents } extent
unwritten-share = { $share } của tệp chưa từng được ghi: đọc phần này chỉ nhận số 0, không qua thiết bị
unwritten-encoded = được hệ thống tệp nén hoặc mã hóa
unwritten-shared = dùng chung với tệp khác
unwritten-inline = nằm trong siêu dữ liệu
unwritten-none = mọi khối được đọc đều đã được ghi trước đó
unwritten-reads-holes = một phần của tệp chưa từng được ghi (xem unwritten)

## checks/page_cache

check-page-cache-question = Dữ liệu có thật sự đi qua thiết bị không, hay chỉ qua RAM?
check-page-cache-meaning = Đây là tốc độ của RAM, không phải của ổ đĩa: thường cao hơn thực tế từ mười đến một nghìn lần.
check-page-cache-ok = thiết bị đã truyền đủ số byte được yêu cầu
check-page-cache-not-observable = cả thiết bị lẫn kernel đều không đếm số byte của tiến trình này
check-page-cache-note = lần chạy này chủ ý đo bộ đệm trang: ping -C, hdparm -T
check-page-cache-warning = O_DIRECT bị từ chối, hoặc bộ đệm trang tăng lên, nhưng không có bằng chứng là dữ liệu đến từ bộ đệm
check-page-cache-invalid = thiết bị truyền ít byte hơn yêu cầu, hoặc đích đo là RAM
check-page-cache-remedy = Gắn (mount) không dùng data=journal và không nén, hoặc đo chính thiết bị với --read-only. Thiết bị loop cần bật direct I/O (losetup --direct-io=on).
check-page-cache-blind-spot = Bộ nhớ đệm mà máy này không có bộ đếm nào nhìn thấy: của hypervisor (host-cache) hoặc của chính ổ đĩa (device-cache).
check-page-cache-short-remedy = mount không dùng data=journal và không nén, hoặc đo thiết bị: --read-only DEV
remedy-direct-io = đo bằng direct I/O
remedy-leave-out-cached = bỏ -C, hoặc dùng -D, để đo thiết bị
remedy-measure-folder-on-disk = đo một thư mục nằm trên ổ đĩa cần kiểm tra

check-page-cache-method = So sánh số byte được yêu cầu với số byte kernel ghi nhận cho tiến trình này và số byte thiết bị báo đã phục vụ. Nếu thiết bị chỉ phục vụ dưới { $served-min } số byte được yêu cầu, dữ liệu của phép đo đến từ bộ đệm trang. Khi không có bộ đếm, cũng kết luận như vậy nếu hơn { $growth-max } vùng đo được nạp thêm vào bộ đệm trang trong lúc đo. Hệ thống tệp trong bộ nhớ (tmpfs) được nhận ra theo loại.
page-cache-as-asked = yêu cầu đi qua bộ đệm trang như đã chọn, và không có bộ đếm nào cho thấy thiết bị đã truyền dữ liệu
page-cache-refused-unproven = hệ thống tệp từ chối O_DIRECT, và không có bộ đếm nào cho thấy thiết bị đã truyền dữ liệu
page-cache-answered = dữ liệu đến từ bộ đệm trang: thiết bị truyền ít byte hơn yêu cầu
page-cache-grew = bộ đệm trang tăng lên theo các lần đọc, và không có bộ đếm nào cho thấy thiết bị đã truyền dữ liệu
page-cache-refused-too-little = hệ thống tệp từ chối O_DIRECT, và số byte yêu cầu quá ít để biết cái gì đã truyền chúng
page-cache-refused-yet-moved = hệ thống tệp từ chối O_DIRECT, nhưng thiết bị vẫn truyền đủ dữ liệu
page-cache-device-moved = thiết bị đã truyền đủ số byte được yêu cầu
page-cache-as-option-asks = yêu cầu đi qua bộ đệm trang, đúng như -C yêu cầu
page-cache-is-memory = đây là RAM, không phải ổ đĩa: { $kind } lưu tệp trong RAM
page-cache-of-small-files = thao tác trên tệp nhỏ dùng bộ đệm trang; thao tác nào đến được thiết bị thì không kiểm tra
page-cache-no-counters = không có bộ đếm của thiết bị hay của tiến trình này để so sánh
page-cache-refused = bị hệ thống tệp này từ chối
page-cache-on-purpose = đi qua bộ đệm trang và không xóa bộ đệm, đúng như preset quy định
page-cache-file-system = hệ thống tệp
page-cache-mounted = { $kind } tại { $mount-point }
page-cache-this-process = tiến trình này (/proc/self/io)
page-cache-read = yêu cầu đọc { $asked }, { $by } đọc { $served }
page-cache-written = yêu cầu ghi { $asked }, { $by } ghi { $served }
page-cache-rest-waits = phần còn lại chờ ghi trong bộ nhớ
page-cache-holds-span = sau đó bộ đệm trang giữ { $share } của vùng đo
page-cache-writes-of-others = dữ liệu ghi của các phép đo khác còn chờ trong bộ nhớ: có thể thiết bị đã ghi chúng
page-cache-unproven = đi qua bộ đệm trang, và không có gì cho thấy dữ liệu đã đến thiết bị

## checks/zero_blocks

check-zero-blocks-question = Có phải thiết bị trông nhanh chỉ vì đọc các khối trống không?
check-zero-blocks-meaning = Ổ đĩa thin, SSD đã TRIM và nhiều ổ đĩa cloud tra bảng, thấy khối chưa từng ghi thì trả kết quả ngay mà không chạm đến phương tiện lưu trữ. Đọc thiết bị trống chỉ là đo bảng đó.
check-zero-blocks-method = Đọc các khối ngẫu nhiên và xem nội dung: bao nhiêu khối toàn số 0, và chúng có được đọc nhanh hơn khối có dữ liệu không.
check-zero-blocks-ok = hầu như không khối nào toàn số 0; trong các khối do lần chạy này ghi thì không có khối nào
check-zero-blocks-not-observable = không xem nội dung khối nào, hoặc xem quá ít
check-zero-blocks-note = nhiều khối toàn số 0, nhưng không nhanh hơn khối khác; hoặc quá ít khối toàn số 0 để đo thời gian
check-zero-blocks-warning = khối toàn số 0 được đọc nhanh hơn, hoặc gần như mọi khối đều toàn số 0 nên không có dữ liệu để so sánh
check-zero-blocks-invalid = gần như mọi khối đều toàn số 0 và được đọc nhanh hơn dữ liệu; hoặc khối mà lần chạy này đã ghi, khi đọc lại chỉ toàn số 0: thiết bị làm mất dữ liệu
check-zero-blocks-remedy = Ghi đầy toàn bộ thiết bị một lần trước khi đo. Hoặc đo một thư mục trên đó: khi ấy truedisk chỉ đọc những gì nó đã ghi.
check-zero-blocks-blind-spot = Khối trống nhưng đọc ra giá trị khác 0, và khối toàn số 0 đã được ghi thật và thực sự đọc từ phương tiện lưu trữ.
check-zero-blocks-short-remedy = ghi đầy thiết bị một lần trước khi đo, hoặc đo một thư mục
remedy-device-loses-data = đừng lưu dữ liệu trên thiết bị này: nó làm mất dữ liệu đã ghi; hãy xem log của nó

zero-blocks-not-read = không xem khối nào trước khi đo
zero-blocks-too-few = thời gian quá ngắn, xem được quá ít khối để kết luận
zero-blocks-only = chỉ các khối toàn số 0
zero-blocks-count = { $zero } trên { $blocks } khối { $size }
zero-blocks-hold-data = { $share } số khối có dữ liệu
zero-blocks-unread = { $share } số khối là khối trống, được trả về mà không đọc phương tiện lưu trữ
zero-blocks-as-slow = { $share } số khối toàn số 0, và đọc lâu như các khối khác
zero-blocks-all = mọi khối đều toàn số 0: không có dữ liệu để so sánh, nên không rõ việc đọc có đến phương tiện lưu trữ không
zero-blocks-unknown = { $share } số khối toàn số 0: quá ít dữ liệu để so sánh, nên không rõ việc đọc có đến phương tiện lưu trữ không
zero-blocks-untimed = { $share } số khối toàn số 0, quá ít để đo thời gian
zero-blocks-none = mọi khối đều chứa đúng dữ liệu đã ghi
zero-blocks-lost = { $share } số khối mà lần chạy này đã ghi, khi đọc lại chỉ toàn số 0
zero-blocks-median = trung vị thời gian đọc
zero-blocks-times = { $zeros } với khối số 0, { $data } với khối dữ liệu
zero-blocks-of-reads = khoảng { $share } số lần đọc

## checks/host_cache

check-host-cache-question = Dữ liệu có đến từ bộ nhớ đệm bên dưới hệ thống này không: của hypervisor, của tủ đĩa?
check-host-cache-meaning = Lần đọc thứ hai của một khối đến từ bộ nhớ của máy khác. Số liệu chỉ đúng khi dữ liệu của bạn nằm vừa trong bộ nhớ đó và không ai khác cần đến nó.
check-host-cache-method = Đọc ngẫu nhiên các khối mà lần chạy này chưa chạm tới, hai lượt liên tiếp. Nếu lượt hai nhanh hơn hẳn lượt một, và nhanh hơn đọc trên toàn vùng đo, thì dữ liệu đến từ bộ nhớ đệm. Cũng kết luận như vậy nếu ổ đĩa ảo đọc nhanh như RAM.
check-host-cache-ok = lần đọc thứ hai không nhanh hơn lần đầu
check-host-cache-not-observable = không đọc khối mới nào, hoặc quá ít
check-host-cache-note = lần đọc thứ hai nhanh hơn; số liệu lấy từ vùng đo lớn hơn
check-host-cache-warning = số liệu này đến từ bộ nhớ đệm bên dưới hệ thống
check-host-cache-remedy = Đo vùng lớn hơn bộ nhớ của máy chủ vật lý, hoặc hỏi nhà cung cấp xem ổ đĩa được đệm (cache) thế nào (QEMU: cache=none).
check-host-cache-blind-spot = Bộ nhớ đệm đã giữ sẵn các khối trước lần đọc đầu (ví dụ từ lúc ghi tệp đo), trừ khi nó nhanh hơn mọi ổ đĩa.
check-host-cache-short-remedy = đo vùng lớn hơn bộ nhớ đệm (--size), hoặc tắt bộ nhớ đệm của máy chủ vật lý (QEMU: cache=none); nếu không, đây là số liệu của bộ nhớ đệm

host-cache-none = lần đọc thứ hai của một khối lâu như lần đầu
host-cache-or-first-touch = lần đọc đầu của một khối chậm hơn nhiều so với lần hai: có bộ nhớ đệm giữ lại, hoặc xem first-touch
host-cache-not-fetched = không phải do nạp khối ở lần truy cập đầu
host-cache-share = phần vùng đo mà bộ nhớ đệm chứa được
host-cache-hits = tối đa { $share } số lần đọc có thể đã lấy từ bộ nhớ đệm
host-cache-answers = dữ liệu đến từ bộ nhớ đệm bên dưới máy này: đọc lần hai nhanh gấp { $times } lần
host-cache-beside = đọc lần hai nhanh gấp { $times } lần: bộ nhớ đệm bên dưới máy này giữ các khối đó; hầu như không lần đọc nào được đo lấy từ đó
host-cache-median = một nửa số lần đọc mất { $time } trở xuống
host-cache-is-memory = mỗi lần đọc mất { $time }, nhanh như RAM, không ổ đĩa nào qua kết nối này làm được: dữ liệu đến từ bộ nhớ đệm của máy chủ vật lý

## checks/device_cache

check-device-cache-question = Bộ nhớ đệm của thiết bị lớn bao nhiêu, và số liệu có đến từ đó không?
check-device-cache-meaning = Khi dữ liệu nằm trong bộ nhớ đệm, thiết bị nhanh hơn khi phải đến phương tiện lưu trữ. Nếu phần lớn vùng đo nằm vừa trong đó thì chỉ đo được bộ nhớ đệm; cơ sở dữ liệu không vừa bộ nhớ đệm sẽ chậm hơn.
check-device-cache-method = Đọc ngẫu nhiên trong các phần vùng đo lớn dần. Độ trễ tăng đột ngột ở đâu thì bộ nhớ đệm hết ở đó. Kích thước bộ nhớ đệm và hai mức độ trễ được ước lượng theo tỷ lệ lần đọc lấy được từ bộ nhớ đệm.
check-device-cache-ok = phần nhỏ và phần lớn của vùng đo nhanh như nhau
check-device-cache-not-observable = vùng đo quá nhỏ, hoặc các bước quá không đều
check-device-cache-note = có bộ nhớ đệm, nhỏ hơn nhiều so với vùng đo; kích thước được nêu rõ
check-device-cache-warning = phần lớn vùng đo nằm vừa trong bộ nhớ đệm
check-device-cache-remedy = Đặt --size lớn gấp vài lần bộ nhớ đệm đã nêu, hoặc dùng độ trễ của phương tiện lưu trữ ghi bên cạnh.
check-device-cache-blind-spot = Bộ nhớ đệm lớn hơn vùng đo, và bộ nhớ đệm không giữ các khối đọc ngẫu nhiên.
remedy-span-larger-than-cache = không cần làm gì: vùng đo lớn hơn bộ nhớ đệm; vùng nhỏ hơn sẽ trông nhanh hơn
remedy-measure-several-caches = đo vùng lớn gấp vài lần bộ nhớ đệm: --size

device-cache-none = đọc trong { $first } lâu như đọc trên toàn bộ { $last }
device-cache-or-first-touch = các phần đã đọc trước đó nhanh hơn phần còn lại: do bộ nhớ đệm, hoặc do khối chỉ được nạp ở lần truy cập đầu (xem first-touch)
device-cache-size = kích thước bộ nhớ đệm
device-cache-about = { $size }, sai số đến hai lần
device-cache-share = phần vùng đo nằm trong bộ nhớ đệm
device-cache-small = bộ nhớ đệm khoảng { $size } giữ { $share } của vùng đo ({ $hit } từ bộ nhớ đệm, { $miss } từ phương tiện lưu trữ)
device-cache-hits = khoảng { $share } số lần đọc đến từ bộ nhớ đệm
device-cache-figures = đây là số liệu của bộ nhớ đệm khoảng { $size }: { $hit } từ bộ nhớ đệm, { $miss } từ phương tiện lưu trữ
device-cache-part = trung vị { $median }, { $fast } số lần đọc thuộc nhóm nhanh
device-cache-part-at-depth = trung vị { $median }, { $fast } số lần đọc thuộc nhóm nhanh, { $rate } IOPS ở độ sâu { $depth }
device-cache-within = trong { $size }

## checks/first_touch

check-first-touch-question = Lần truy cập đầu của một khối có chậm hơn lần sau không?
check-first-touch-meaning = Ổ đĩa thin cấp phát khối ở lần ghi đầu. Ổ đĩa tạo từ snapshot nạp khối ở lần đọc đầu. Ổ đĩa mới và tệp đang lớn dần chậm hơn số liệu này, vì số liệu chỉ tính các khối đã truy cập trước đó.
check-first-touch-ok = lần truy cập đầu nhanh như lần sau
check-first-touch-not-observable = không còn vị trí mới, hoặc các vị trí quá không đều
check-first-touch-note = lần ghi đầu chậm hơn lần sau
check-first-touch-warning = lần đọc đầu chậm hơn: khối chỉ được nạp khi đọc
check-first-touch-remedy = Trước khi cần đến tốc độ, hãy ghi toàn bộ ổ đĩa một lần; nếu ổ đĩa tạo từ snapshot thì đọc toàn bộ một lần.
check-first-touch-blind-spot = Các vị trí đã dùng trước lần chạy này và chưa được trả lại (TRIM): với thiết bị, chúng không còn mới.
check-first-touch-short-remedy = đọc toàn bộ ổ đĩa một lần trước khi dùng hoặc đo, hoặc nhờ nhà cung cấp khởi tạo; đây là số liệu của ổ đĩa chưa khởi tạo
remedy-write-volume-once = ghi toàn bộ ổ đĩa một lần trước khi cần đến tốc độ

check-first-touch-method = Cùng một tác vụ ghi hai lần liên tiếp vào các vị trí mà lần chạy này chưa ghi. Lần ghi đầu bị coi là chậm hơn nếu lâu gấp { $on-device } lần trên thiết bị, hoặc gấp { $on-file } lần trên tệp, nơi hệ thống tệp cũng góp phần; khoảng tin cậy phải nằm trên { $clear-min }. Về đọc: khối mới được đọc hai lần, và so với việc đọc các khối do chính lần chạy này ghi. Nếu lần đọc thứ hai nhanh hơn, chúng được đọc thêm một lần sau mọi lần đọc khác: lúc đó bộ nhớ đệm đã giữ các khối khác, còn khối đã nạp thì vẫn nhanh.
first-touch-of-own-blocks = lần chạy này chỉ đọc các khối do chính nó ghi; để đo lần đọc đầu của khối cũ, dùng --read-only trên thiết bị
first-touch-read-as-fast = lần đọc đầu của một khối không lâu hơn lần thứ hai
first-touch-read-beside-cache = lần đọc thứ hai đến từ bộ nhớ đệm: xem host-cache
first-touch-read-in-cell = đã đọc các khối chưa từng được đọc trước đó
first-touch-read-slower = lần đọc đầu của một khối lâu gấp { $times } lần so với lần thứ hai: khối được nạp ở lần truy cập đầu, hoặc được một bộ nhớ đệm lớn giữ lại
first-touch-large-writes = ghi tuần tự khối lớn
first-touch-small-writes = ghi rải rác khối nhỏ
first-touch-write-times = lần đầu lâu gấp { $times } lần so với lần thứ hai ({ $low } đến { $high }, { $places } vị trí)
first-touch-write-times-of-few = lần đầu lâu gấp { $times } lần so với lần thứ hai ({ $places } vị trí)
first-touch-write-slower-on-file = lần ghi đầu của một khối lâu gấp { $times } lần so với lần ghi sau, tính cả phần của hệ thống tệp
first-touch-write-slower = lần ghi đầu của một khối lâu gấp { $times } lần so với lần ghi sau: do phải cấp phát
first-touch-write-as-fast = lần ghi đầu của một khối nhanh như lần ghi sau
first-touch-uneven = các vị trí khác nhau quá nhiều để so lần ghi đầu với lần sau; hãy chạy lâu hơn

## checks/compressible

check-compressible-question = Dữ liệu toàn số 0 có nhanh hơn dữ liệu khác, vì được nén hoặc bỏ qua, không?
check-compressible-meaning = Hệ thống tệp, ổ đĩa thin hoặc bộ điều khiển nén dữ liệu hoặc bỏ qua số 0. Công cụ ghi số 0 (dd if=/dev/zero) vì thế đo ra tốc độ ảo. truedisk ghi dữ liệu không nén được nên số liệu của nó vẫn đúng.
check-compressible-ok = số 0 không nhanh hơn dữ liệu không trùng lặp
check-compressible-not-observable = không có lần ghi nào bỏ qua bộ đệm trang, các đợt đo quá không đều, hoặc khử trùng lặp cũng giải thích được kết quả
check-compressible-note = số 0 nhanh hơn, hoặc hệ thống tệp cho biết có nén
check-compressible-remedy = Hãy thử với dữ liệu giống dữ liệu của bạn. Đừng tin số liệu của công cụ ghi số 0.
check-compressible-blind-spot = Bộ nhớ đệm nhận các lần ghi ngắn trước khi chúng được nén. Dữ liệu của bạn nhanh thêm bao nhiêu cũng không rõ: từ không thêm gì đến nhanh như số 0.
check-compressible-short-remedy = thử với dữ liệu giống của bạn; đừng dùng số 0 (dd if=/dev/zero)

check-compressible-method = Cuối lần chạy, cùng một vị trí được ghi và đọc lại theo từng đợt ngắn, lần lượt với dữ liệu không trùng lặp, số 0 và bản sao, rồi so trung vị độ trễ. Số 0 được coi là nhanh hơn nếu nhanh gấp ít nhất { $faster-min } lần dữ liệu không trùng lặp và khoảng tin cậy nằm trên { $clear-min }. Số 0 được coi là không nhanh hơn nếu khoảng tin cậy kết thúc dưới { $excluded-max }. Thông tin từ hệ thống tệp được tính mà không cần đo: tùy chọn mount có nén, hoặc số 0 được lưu ở dạng biến đổi (encoded) (FIEMAP).
compressible-zeros = số 0 so với dữ liệu không trùng lặp
compressible-or-dedup = số 0 nhanh hơn dữ liệu không trùng lặp, nhưng bản sao cũng vậy: khử trùng lặp giải thích được cả hai
compressible-written = ghi số 0 nhanh gấp { $times } lần dữ liệu không trùng lặp: công cụ ghi số 0 sẽ đo ra tốc độ ảo này
compressible-read-back = đọc lại số 0 nhanh gấp { $times } lần dữ liệu không trùng lặp: công cụ ghi số 0 sẽ đo ra tốc độ ảo này
compressible-file-system = hệ thống tệp có nén: công cụ ghi số 0 sẽ đo ra tốc độ ảo; số liệu ở đây đo bằng dữ liệu không nén được
compressible-none = số 0 không nhanh hơn dữ liệu không trùng lặp
compressible-uneven = các đợt đo khác nhau quá nhiều để so số 0 với dữ liệu không trùng lặp; hãy chạy lâu hơn
compressible-mount = { $kind } được mount
compressible-zeros-written = ghi số 0
compressible-encoded = { $encoded } trên { $of } được lưu ở dạng biến đổi (encoded)
compressible-file = tệp như được lưu
compressible-stored = { $encoded } trên { $of } được nén hoặc mã hóa

## checks/dedup

check-dedup-question = Bản sao của cùng một khối có nhanh hơn vì chỉ được lưu một lần không?
check-dedup-meaning = Một lớp bên dưới chỉ lưu một lần các khối giống nhau (VDO, ZFS bật dedup, tủ đĩa). Công cụ ghi lặp lại cùng một vùng đệm vì thế đo ra tốc độ ảo. truedisk không ghi hai sector nào giống nhau nên số liệu của nó vẫn đúng.
check-dedup-ok = bản sao không nhanh hơn dữ liệu không trùng lặp
check-dedup-not-observable = không có lần ghi nào bỏ qua bộ đệm trang, các đợt đo quá không đều, hoặc hệ thống tệp có nén và điều đó cũng giải thích được kết quả
check-dedup-note = bản sao nhanh hơn dữ liệu không trùng lặp
check-dedup-remedy = Hãy thử với dữ liệu giống dữ liệu của bạn. Cho fio làm mới vùng đệm (refill_buffers), hoặc ghi với tỷ lệ bản sao như dữ liệu của bạn (dedupe_percentage).
check-dedup-blind-spot = Khử trùng lặp chạy sau, ở chế độ nền, và bộ nhớ đệm nhận các lần ghi ngắn trước khi chúng được so sánh.
check-dedup-short-remedy = thử với dữ liệu giống của bạn; đừng ghi lặp lại cùng một vùng đệm

check-dedup-method = Cuối lần chạy, cùng một vị trí được ghi và đọc lại theo từng đợt ngắn, lần lượt với dữ liệu không trùng lặp, số 0 và bản sao, rồi so trung vị độ trễ. Bản sao của vài khối không nén được bị coi là nhanh hơn nếu nhanh gấp ít nhất { $faster-min } lần dữ liệu không trùng lặp và khoảng tin cậy nằm trên { $clear-min }. Chúng được coi là không nhanh hơn nếu khoảng tin cậy kết thúc dưới { $excluded-max }.
dedup-copies = bản sao so với dữ liệu không trùng lặp
dedup-copies-against-zeros = bản sao so với số 0
dedup-or-compression = bản sao nhanh hơn dữ liệu không trùng lặp, nhưng hệ thống tệp có nén, và điều đó giải thích được kết quả
dedup-faster = bản sao nhanh gấp { $times } lần dữ liệu không trùng lặp: công cụ ghi lặp lại một vùng đệm sẽ đo ra tốc độ ảo này
dedup-none = bản sao của cùng một khối không nhanh hơn dữ liệu không trùng lặp
dedup-uneven = các đợt đo khác nhau quá nhiều để so bản sao với dữ liệu không trùng lặp; hãy chạy lâu hơn

## checks/flush

check-flush-question = Ghi bền vững (fsync) có tốn thời gian không, hay lệnh flush bị bỏ qua?
check-flush-meaning = Thiết bị có bộ nhớ đệm mất dữ liệu khi mất điện (volatile) phải xả bộ nhớ đệm ở mỗi lệnh flush, và việc đó tốn thời gian. Nếu flush gần như không tốn gì thì hoặc nó bị bỏ qua, hoặc bộ nhớ đệm được bảo vệ bằng tụ điện, pin hay hệ thống lưu trữ của máy chủ vật lý. Chỉ thử ngắt điện mới biết là trường hợp nào. Ổ cứng HDD commit nhanh hơn tốc độ quay nghĩa là bộ nhớ đệm đã xác nhận thay ổ đĩa.
check-flush-ok = flush tốn thời gian như bình thường, hoặc thiết bị cho biết không cần flush
check-flush-not-observable = không có lệnh flush nào, thời gian quá không đều, hoặc flush của ổ đĩa ảo không lâu hơn lệnh ghi: bộ nhớ đệm là của máy chủ vật lý
check-flush-note = flush không lâu hơn lệnh ghi, dù bộ nhớ đệm thuộc loại mất dữ liệu khi mất điện
check-flush-warning = ổ cứng HDD commit nhanh hơn tốc độ quay, hoặc hệ thống tệp được mount ở chế độ không gửi flush
check-flush-remedy = Hỏi nhà sản xuất hoặc nhà cung cấp xem bộ nhớ đệm có giữ được dữ liệu khi mất điện không. Kiểm tra pin của bộ điều khiển. Có thể tắt bộ nhớ đệm của ổ đĩa (hdparm -W 0, nvme set-feature -f 6 -v 0).
check-flush-blind-spot = Thiết bị vẫn tốn thời gian cho flush nhưng lại mất dữ liệu. Chỉ thử ngắt điện mới chứng minh được dữ liệu còn nguyên.
check-flush-short-remedy = trước khi tin vào commit, hãy hỏi nhà sản xuất hoặc nhà cung cấp xem bộ nhớ đệm có giữ được dữ liệu khi mất điện không
remedy-mount-with-barriers = mount không dùng nobarrier (barrier=1)
remedy-find-battery = kiểm tra xem bộ nhớ đệm của bộ điều khiển có pin không; nếu không, tắt bộ nhớ đệm ghi của ổ đĩa (hdparm -W 0) rồi đo lại

check-flush-method = Một client ghi đè cùng một vị trí 4 KiB, xen kẽ giữa không có và có fdatasync sau mỗi lần ghi. Flush được coi là không tốn thời gian nếu ghi kèm flush mất dưới { $free-max } lần trung vị của ghi thường, trên ít nhất { $commits-min } lần commit. Từ { $cost-min } lần trở lên là có tốn thời gian. Kèm theo là thông tin thiết bị báo về bộ nhớ đệm (queue/write_cache) và số lệnh flush mà kernel đếm được. Ngoài máy ảo, ổ cứng HDD commit nhiều nhất { $rate-max } lần mỗi giây ({ $turns-max } vòng quay, cộng thêm { $slack }); ổ HDD được nhận ra theo thông tin nó tự khai, và theo thời gian đọc ngẫu nhiên từ { $arm-min } trở lên, phân bố như khi có đầu đọc di chuyển và đĩa quay.
flush-of-memory = RAM không có nơi nào để flush xuống
flush-not-measured = lần chạy này không có lần ghi bền vững nào
flush-commits = số lần commit của một client
flush-commit-rate = { $rate } commit/s; ổ đĩa { $turns-per-minute } vòng/phút chỉ ghi bền vững được nhiều nhất { $turns } commit/s
flush-random-reads = đọc ngẫu nhiên
flush-arm-moves = { $time }: có đầu đọc di chuyển và đĩa quay
flush-faster-than-turns = commit nhanh hơn mọi tốc độ quay: bộ nhớ đệm đã xác nhận thay ổ đĩa, và commit chỉ an toàn bằng bộ nhớ đệm đó
flush-barred = flush bị tắt bằng tùy chọn mount: mất điện có thể làm mất commit, kể cả sau fdatasync
flush-not-needed = thiết bị cho biết không có bộ nhớ đệm mất dữ liệu khi mất điện (volatile): kernel không cần flush
flush-of-virtual-disk = một lần ghi mất { $with } khi có flush và { $without } khi không: bộ nhớ đệm của ổ đĩa ảo này là của máy chủ vật lý
flush-is-free = một lần ghi mất { $with } khi có flush và { $without } khi không: flush bị bỏ qua, hoặc bộ nhớ đệm được bảo vệ khi mất điện
flush-costs = flush tốn thời gian: một lần ghi mất { $with } khi có flush và { $without } khi không
flush-of-unknown-cache = không rõ thiết bị có bộ nhớ đệm cần flush hay không
flush-not-counted = kernel đếm được ít lệnh flush hơn yêu cầu: không rõ flush tốn bao nhiêu
flush-uneven = quá ít lần commit, hoặc quá không đều, để biết flush tốn bao nhiêu; hãy chạy lâu hơn
flush-write = một lần ghi kèm flush
flush-times = trung vị { $median }, gấp { $times } lần ghi thường ({ $low } đến { $high })
flush-times-of-few = trung vị { $median }, gấp { $times } lần ghi thường
flush-cache-of = bộ nhớ đệm của { $device }
flush-flushes = lệnh flush
flush-flushes-counted = kernel đếm { $counted }, cho { $commits } lần commit

## checks/impossible

check-impossible-question = Có số liệu nào trái với khả năng của thiết bị không?
check-impossible-meaning = Hai kết quả đo không thể cùng đúng: dữ liệu đến từ nơi khác chứ không phải thiết bị, hoặc đã đếm nhầm.
check-impossible-ok = không có hai số liệu nào mâu thuẫn nhau
check-impossible-note = đọc ngẫu nhiên nhanh hơn đọc tuần tự một chút
check-impossible-warning = có số liệu khó giải thích
check-impossible-invalid = có số liệu không thể là của thiết bị
check-impossible-remedy = Xem các mục kiểm tra khác: page-cache, unwritten và host-cache thường cho biết dữ liệu đến từ đâu.
check-impossible-blind-spot = Số liệu sai nhưng vẫn nằm trong khả năng của thiết bị.
check-impossible-short-remedy = tìm xem dữ liệu đến từ đâu: bộ nhớ đệm của máy chủ vật lý, của bộ điều khiển, hay RAM

check-impossible-method = Số liệu là không thể nếu vượt { $link } lần khả năng của kết nối, hoặc nếu trung vị thời gian đọc qua tầng block thấp hơn { $latency }. Đọc ngẫu nhiên truyền hơn { $note } lần số byte của đọc tuần tự thì ghi chú, hơn { $warning } lần thì cảnh báo. Thiết bị hoàn thành chưa đến { $operations } số lần đọc của lần chạy này, dù đã cấp đủ byte, thì cũng cảnh báo.
impossible-none = không số liệu nào trái với khả năng của thiết bị
impossible-random-faster = đọc ngẫu nhiên truyền nhiều byte hơn đọc tuần tự
impossible-figure = có số liệu trái với khả năng của thiết bị: dữ liệu đến từ nơi khác
impossible-over-link = { $rate } qua kết nối chỉ tải được { $ceiling }
impossible-median = một nửa số lần đọc mất dưới { $time }
impossible-requests = { $reads } lần đọc ngẫu nhiên, { $requests } yêu cầu đến { $device }, { $merged } được gộp
impossible-rates = { $random } ngẫu nhiên, { $sequential } tuần tự

## checks/client_bound

check-client-bound-question = Có phải giới hạn nằm ở trình tạo tải chứ không phải ở ổ đĩa?
check-client-bound-meaning = Số liệu là mức tối thiểu của ổ đĩa: có thêm CPU thì ổ đĩa có thể đạt cao hơn.
check-client-bound-ok = trình tạo tải còn dư CPU
check-client-bound-not-observable = không có phép đo nào dưới tải
check-client-bound-note = trong vòng hở, các lần ghi chạy song song với đọc bắt đầu muộn và dồn cục, nhưng vẫn đúng tốc độ; hoặc tiến trình này tạm dừng trong chốc lát, hầu như không ảnh hưởng đến số liệu
check-client-bound-warning = giới hạn là CPU, không phải ổ đĩa; hoặc tiến trình này phải chờ CPU
check-client-bound-invalid = trình tạo tải chậm so với kế hoạch của vòng hở: thời gian phản hồi là của chính nó; hoặc tiến trình này không được chạy trong một phần phép đo, hoặc phải chờ CPU trong phần lớn phép đo
check-client-bound-remedy = Làm theo nguyên nhân mà kết quả kiểm tra nêu ra: đổi thời điểm hoặc máy, dùng máy có CPU nhanh hơn hay nhiều hơn, hoặc đổi cgroup. Khối lớn hơn cần ít CPU hơn.
check-client-bound-blind-spot = Hypervisor giấu việc nó cấp quá ít thời gian CPU (xem neighbour); các lần tạm dừng dưới 85 ms.

check-client-bound-short-remedy = hãy coi đây là mức tối thiểu của ổ đĩa; có thêm CPU thì ổ đĩa có thể đạt cao hơn
check-client-bound-method = Trình tạo tải là giới hạn nếu các worker của nó bận { $busy-min } thời gian; hoặc nếu mọi CPU của máy đều bận như vậy và tiến trình này chiếm từ { $own-min } tải trở lên; hoặc nếu tốc độ đạt { $nop-min } mức mà cùng vòng lặp đó đạt được với thao tác rỗng. Nó không phải là giới hạn nếu thiết bị luôn giữ { $device-min } số yêu cầu, hoặc số yêu cầu mà hàng đợi của nó chứa được: khi đó các worker chỉ chờ thiết bị. Với vòng hở, xét mức chậm so với kế hoạch. Một nhịp kiểm tra định kỳ cho biết khi nào tiến trình này không chạy: bị dừng, thiếu CPU, hoặc máy ở chế độ ngủ. Tốc độ của vòng kín không tính thời gian đó. Phép đo không hợp lệ nếu thời gian đó vượt { $paused-max } phép đo, hoặc nếu số thao tác đang xử lý lúc đó vượt { $tail-max } số thao tác nằm ngoài phân vị của giới hạn độ trễ. Bộ lập lịch cho biết worker sẵn sàng chạy mà không có CPU trong bao lâu: { $withheld-warning } thời gian thì cảnh báo ({ $held-back } nếu do giới hạn của cgroup), { $withheld-invalid } thì không hợp lệ. Kết quả kiểm tra nêu cgroup có giới hạn đã bắt worker phải chờ, nếu không có thì nêu thời gian CPU được chia thế nào.
client-bound-nothing = không có phép đo nào dưới tải
client-bound-late = trình tạo tải, không phải ổ đĩa, bị chậm trong { $cells } phép đo: thời gian phản hồi là của chính nó
client-bound-writes-late = các lần ghi chạy song song với đọc bắt đầu muộn và dồn cục trong { $cells } phép đo; tốc độ của chúng vẫn đúng
client-bound-spare = trình tạo tải còn dư CPU: nó dùng nhiều nhất { $share }
client-bound-busy = giới hạn là CPU, không phải ổ đĩa, trong { $cells } phép đo
client-bound-lag = cứ một trăm thao tác thì một thao tác bắt đầu muộn { $lag } trở lên; p99 thời gian phản hồi { $response }
client-bound-workers = các worker bận { $share }
client-bound-process = tiến trình này dùng { $share } thời gian của { $processors } CPU
client-bound-host = mọi CPU của máy bận { $share }, trong đó { $own } do tiến trình này
client-bound-loop = { $rate } thao tác/s; cùng vòng lặp đó đạt { $most }/s với thao tác rỗng

## checks/backlog

check-backlog-question = Ổ đĩa có theo kịp tốc độ yêu cầu không?
check-backlog-meaning = Số thao tác yêu cầu nhiều hơn số ổ đĩa hoàn thành. Tốc độ đo được là khả năng của ổ đĩa, còn thời gian phản hồi tăng theo độ dài lần chạy.
check-backlog-ok = không yêu cầu tốc độ nào, hoặc đã đạt tốc độ đó
check-backlog-warning = không đạt tốc độ; kết quả kiểm tra nêu mức yêu cầu và mức đạt được, số thao tác còn thiếu, và thao tác cuối đã chờ bao lâu
check-backlog-remedy = Yêu cầu tốc độ thấp hơn; truedisk limit --open-loop tìm ra tốc độ cao nhất đạt được.
check-backlog-blind-spot = Các tác vụ mà tốc độ chỉ là mức trần, không có kế hoạch bắt đầu: nhiều chiều đọc ghi cùng lúc, khối nhiều kích thước, có thời gian nghỉ. Giới hạn là ổ đĩa hay máy này: xem client-bound.
check-backlog-short-remedy = yêu cầu tốc độ thấp hơn; truedisk limit --open-loop tìm ra tốc độ cao nhất đạt được

check-backlog-method = Với mỗi tác vụ có tốc độ và kế hoạch bắt đầu, lấy số thao tác yêu cầu trong thời gian đó trừ đi số đã hoàn thành. Nếu thiếu hơn { $missing-max }, không kể các thao tác còn đang xử lý lúc cuối, thì có tồn đọng. Thời gian chờ cuối cùng là mức chậm so với kế hoạch.
backlog-in-cell = yêu cầu { $asked-rate }/s, đạt { $done-rate }/s: thiếu { $missing } trên { $asked } thao tác, và thao tác cuối đã chờ { $behind }
backlog-of-one = { $cell }: { $backlog }
backlog-of-several = { $jobs } tác vụ không đạt tốc độ; nặng nhất: { $cell }: { $backlog }
backlog-none = đạt tốc độ yêu cầu
backlog-no-rate = không yêu cầu tốc độ nào

## checks/little

check-little-question = Các số đếm của trình tạo tải có khớp nhau, và có giữ được độ sâu không?
check-little-meaning = Theo định luật Little, IOPS nhân với độ trễ trung bình bằng số yêu cầu đang xử lý. Nếu khác với số đếm được thì thiếu thao tác hoặc thiếu thời gian. Nếu cả hai đều thấp hơn độ sâu yêu cầu thì thiết bị ít việc hơn so với tên phép đo.
check-little-method = Độ sâu đếm được và độ sâu theo định luật Little phải khớp, sai khác không quá { $agree }. Thời gian chờ không nằm trong độ trễ nào (thao tác thất bại, thao tác vắt qua đầu hoặc cuối phép đo) được cộng vào định luật Little. Kết quả của các phiên bản cũ không đếm thời gian đó; với chúng, giới hạn rộng hơn. Dưới { $noted } độ sâu yêu cầu thì ghi chú, dưới { $warned } thì cảnh báo.
check-little-ok = các số đếm khớp nhau, và độ sâu được giữ
check-little-not-observable = không có phép đo nào
check-little-note = hàng đợi không đầy trong một phần thời gian
check-little-warning = số yêu cầu đang xử lý ít hơn nhiều so với độ sâu yêu cầu
check-little-invalid = các số đếm không khớp: lỗi của truedisk, vui lòng báo lỗi
check-little-remedy = Hãy coi số liệu là của độ sâu đạt được. CPU nhanh hơn hoặc nhiều worker hơn sẽ giữ hàng đợi luôn đầy.
check-little-blind-spot = Lỗi làm sai cả hai số đếm theo cùng một cách.
check-little-short-remedy = coi số liệu là của độ sâu đạt được: thời gian còn lại không phải của thiết bị

little-depths = độ sâu { $counted } theo số đếm, { $little } theo định luật Little
little-depth-missed = độ sâu { $counted } thay vì { $depth }
little-depth-at-device = độ sâu { $counted } thay vì { $depth }; { $device } có { $at-device } yêu cầu đang xử lý
little-too-few = quá ít thao tác để kiểm tra độ sâu
little-counts-differ = độ sâu đếm được và định luật Little không khớp: lỗi của truedisk, vui lòng báo lỗi
little-depth-not-kept = không giữ được độ sâu yêu cầu: hàng đợi có chỗ trống giữa các thao tác
little-counts-agree = độ sâu đếm được khớp với định luật Little, sai khác không quá { $within }

## checks/os_throttle

check-os-throttle-question = Chính hệ điều hành có giới hạn tốc độ ổ đĩa không?
check-os-throttle-meaning = Một cgroup của hệ thống này (của container, của dịch vụ) giới hạn ổ đĩa: số liệu chính là giới hạn đó.
check-os-throttle-method = Đọc các giới hạn của cgroup chứa tiến trình này (io.max, blkio.throttle) đối với thiết bị được đo, trước và sau mỗi phép đo. Phép đo chạm giới hạn nếu số yêu cầu đến thiết bị đạt { $reached } giới hạn, hoặc { $sliced } khi được phục vụ theo từng đợt. Các phần của thao tác bị chia nhỏ và lệnh flush đều được tính. Tính thêm một thao tác: khi có ít thao tác, nó có thể đã bị giữ lại ở cuối. Các phép đo đạt { $near } giới hạn được liệt kê: khi thời gian thao tác dao động, giới hạn giữ lại một số thao tác.
check-os-throttle-ok = không đặt giới hạn, hoặc không chạm giới hạn nào
check-os-throttle-note = có đặt giới hạn, nhưng không chạm tới
check-os-throttle-warning = đã chạm giới hạn
check-os-throttle-remedy = Đo bên ngoài container hoặc dịch vụ, hoặc nâng giới hạn. Nếu chương trình của bạn chạy bên trong thì đây là tốc độ nó nhận được.
check-os-throttle-blind-spot = Giới hạn bên ngoài máy này (provider-limit), và của các cgroup mà tiến trình này không thấy.
check-os-throttle-short-remedy = đo bên ngoài cgroup bị giới hạn để thấy chính ổ đĩa

os-throttle-reached = cgroup giới hạn ổ đĩa: { $cells } phép đo đã chạm giới hạn
os-throttle-near = có cgroup giới hạn ổ đĩa này: không phép đo nào chạm giới hạn, { $cells } phép đo gần chạm
os-throttle-not-reached = có cgroup giới hạn ổ đĩa này, nhưng không phép đo nào chạm giới hạn
os-throttle-none = không có cgroup nào giới hạn ổ đĩa này
os-throttle-queue = { $settings }
os-throttle-scheduler = bộ lập lịch { $name }
os-throttle-requests = xếp hàng nhiều nhất { $requests } yêu cầu
os-throttle-writeback = ghi qua bộ đệm bị hãm lại khi độ trễ vượt { $latency } (wbt)

## checks/link_bound

check-link-bound-question = Giới hạn là kết nối, hay kết nối chậm hơn mức đáng có?
check-link-bound-meaning = Tốc độ do cáp, khe cắm hoặc bộ điều khiển quyết định, không phải do ổ đĩa. Hoặc kết nối được thiết lập thấp hơn khả năng của hai đầu (downtrained) và làm mất một phần tốc độ ổ đĩa.
check-link-bound-method = So tốc độ truyền của mỗi phép đo với mức mà kết nối đã thiết lập tải được sau mã hóa đường truyền. Giao thức cũng chiếm một phần, nên kết nối được coi là đầy khi dùng quá { $full } mức đó. So tốc độ và số làn đã thiết lập với khả năng của ổ đĩa và khe cắm.
check-link-bound-ok = kết nối còn dư băng thông và chạy ở mức tốt nhất
check-link-bound-not-observable = không thấy kết nối: ổ đĩa ảo, lưu trữ mạng
check-link-bound-note = kết nối đầy tải, như thường thấy với ổ đĩa tốt
check-link-bound-warning = kết nối chạy dưới khả năng của cả hai đầu
check-link-bound-remedy = Cắm lại ổ đĩa, thử khe, cáp hoặc cổng khác, và kiểm tra thiết lập firmware cho khe cắm.
check-link-bound-blind-spot = Kết nối mà kernel không hiển thị, và các switch trên đường đi dùng chung với thiết bị khác.
check-link-bound-short-remedy = kết nối nhanh hơn sẽ cho thấy thêm khả năng của ổ đĩa

link-bound-not-shown = không thấy kết nối của thiết bị này (lưu trữ ảo hoặc qua mạng)
link-bound-not-of-every-disk = không phải mọi ổ đĩa của đích đo đều cho thấy kết nối
link-bound-used = { $rate } trên { $ceiling }
link-bound-downtrained = kết nối chạy chậm hơn khả năng của cả hai đầu: kiểm tra khe cắm, cáp và cổng
link-bound-had-room = kết nối còn dư băng thông: tải được { $ceiling }
link-bound-full = kết nối là giới hạn trong { $cells } phép đo: vượt { $share } mức nó tải được
link-bound-speed = { $kind } ở { $speed }
link-bound-speed-below = { $kind } ở { $speed }, có thể đạt { $max }

## checks/neighbour

check-neighbour-question = Có chương trình hay máy khác dùng ổ đĩa hoặc CPU trong lúc đo không?
check-neighbour-meaning = Đây là số liệu của ổ đĩa dùng chung hoặc của máy đang bận: nếu chạy một mình, ổ đĩa sẽ tốt hơn.
check-neighbour-method = I/O mà thiết bị phục vụ ngoài các yêu cầu của lần chạy này là của chương trình khác. Ghi chú khi I/O đó đạt { $noted } số byte của lần chạy này và { $noted-rate }, hoặc { $requests-noted } số yêu cầu của lần chạy này và { $noted-per-second } yêu cầu/s; yêu cầu của lần chạy này được tính theo từng phần tối đa { $piece }. Cảnh báo khi đạt { $warned } và { $warned-rate }, hoặc { $requests-warned } và { $warned-per-second } yêu cầu/s. Thời gian CPU bị hypervisor lấy: ghi chú từ { $stolen-noted }, cảnh báo từ { $stolen-warned }. Tiến trình khác được tính từ { $foreign } CPU, và là cảnh báo nếu CPU rảnh dưới { $idle }. Khi lần chạy này cũng ghi, lần ghi của chương trình khác chỉ được tính nếu việc ghi của lần chạy này không gây thêm lần ghi nào: không có sync, và hệ thống tệp ghi đè tại chỗ.
check-neighbour-ok = không ai khác dùng ổ đĩa hoặc CPU
check-neighbour-not-observable = cả thiết bị lẫn máy đều không có bộ đếm
check-neighbour-note = tải khác quá nhỏ để ảnh hưởng, hoặc phép đo đã được đo lại
check-neighbour-warning = tải khác đủ lớn để làm thay đổi số liệu
check-neighbour-remedy = Đo khi máy rảnh. Nếu CPU bị hypervisor lấy thì đó là việc của nhà cung cấp: thử giờ khác hoặc máy khác.
check-neighbour-short-remedy = dừng tải khác, hoặc đo lại lúc ít tải hơn, rồi so sánh
check-neighbour-blind-spot = Tải của máy khác ở phía nhà cung cấp, nằm sau ổ đĩa ảo: chỉ thể hiện qua nhiễu (not-settled, stall).

neighbour-not-counted = thiết bị không có bộ đếm cho thấy I/O của chương trình khác
neighbour-busy = chương trình khác dùng ổ đĩa hoặc CPU trong { $cells } phép đo
neighbour-light = chương trình khác dùng ổ đĩa hoặc CPU một chút trong { $cells } phép đo
neighbour-none = không ai khác dùng ổ đĩa
neighbour-repeated = { $probes } lần thử bị nhiễu và đã được đo lại
neighbour-also-repeated = { $statements }
neighbour-probes = lần thử
neighbour-bytes = { $bytes } của chương trình khác ({ $rate }), { $ours } của phép đo này
neighbour-requests = yêu cầu: { $others } của chương trình khác, { $ours } của phép đo này
neighbour-stolen = hypervisor lấy { $stolen } thời gian CPU
neighbour-processors = chương trình khác chiếm { $foreign } thời gian CPU, { $idle } rảnh

## checks/stall

check-stall-question = Thiết bị có lúc nào ngừng phản hồi không?
check-stall-meaning = Có lúc thiết bị không trả lời gì cả. Vòng kín không gửi gì trong lúc chờ nên phân vị hầu như không thể hiện, nhưng mọi chương trình cần ổ đĩa đều phải chờ.
check-stall-method = Ngừng phản hồi là khoảng trống giữa các lần hoàn thành dài ít nhất { $gap }, trong đó với tốc độ trung bình đáng lẽ đã xong từ { $missed } thao tác trở lên, và dài gấp ít nhất { $factor } lần 999 trên 1.000 thao tác. Khoảng im lặng cuối phép đo kéo dài đến khi thao tác đang xử lý đầu tiên hoàn thành. Thời gian mà chính tiến trình này không chạy không được tính (client-bound), kể cả { $margin } trước và sau đó.
check-stall-ok = không có lần ngừng phản hồi nào
check-stall-not-observable = không có phép đo nào có thể cho thấy việc ngừng phản hồi
check-stall-warning = thiết bị ngừng phản hồi; kết quả kiểm tra nêu thời điểm và thời lượng
check-stall-remedy = Đo lại. Nếu lặp lại, xem log của kernel để tìm timeout và reset, kiểm tra firmware của SSD (dọn rác) và trạng thái phía nhà cung cấp.
check-stall-blind-spot = Các lần ngừng ngắn hơn một phần mười giây, và giữa hai phép đo. Trên máy bận CPU, một luồng của tiến trình này chờ CPU trông giống như thiết bị ngừng phản hồi (neighbour).
check-stall-short-remedy = xem log của kernel để tìm reset, và xem ổ đĩa có bị giảm tốc do nóng hoặc đang dọn rác không; đo lại

stall-silence = không thao tác nào hoàn thành trong { $gap }, bắt đầu { $start } sau khi phép đo bắt đầu; tổng thời gian ngừng { $total }, bằng { $share } phép đo
stall-too-short = không phép đo nào đủ dài để thấy việc ngừng phản hồi
stall-none = ngoài những khoảng nghỉ thường thấy, thiết bị không lần nào ngừng phản hồi từ { $gap } trở lên
stall-longest = thiết bị có lúc ngừng phản hồi lâu đến { $longest }

## checks/not_settled

check-not-settled-question = Tốc độ có ổn định trong lúc đo không?
check-not-settled-meaning = Tốc độ đang tăng hoặc giảm chỉ là số liệu nhất thời, không phải đặc tính của ổ đĩa: chạy lại hoặc chạy lâu hơn sẽ cho số khác.
check-not-settled-method = Mỗi phép đo dài ít nhất { $length } được chia năm phần. Kiểm định độ dao động và độ dốc của chúng (quy tắc năm lượt), cùng với xu hướng hoặc thay đổi mức từ { $change } trở lên mà ngẫu nhiên chỉ gây ra ở dưới { $chance } số phép đo. Các phép đo lặp lại ở cuối cho biết tốc độ của cả lần chạy có trôi dần không: ở độ sâu 1 và ở độ sâu đạt tối đa, cả hai lệch hơn { $drift } theo cùng một hướng, với khoảng tin cậy hoặc thứ hạng tách rời nhau. Các lượt ghi ngẫu nhiên dừng khi năm lượt khớp nhau. Tốc độ của tệp nhỏ được xét theo các lượt: nửa khoảng tin cậy 95 % không quá { $unsteady } tốc độ.
check-not-settled-ok = tốc độ ổn định
check-not-settled-not-observable = phép đo quá ngắn để có năm lượt
check-not-settled-note = tốc độ dao động nhưng không theo hướng nào, một phép đo lặp lại bị lệch, phép đo lặp lại trên RAM bị lệch, hoặc các lượt ghi không khớp nhau; hoặc tốc độ của tệp nhỏ khác nhau giữa các lượt
check-not-settled-warning = tốc độ tăng, giảm hoặc nhảy giữa các mức trong lúc đo, các lượt ghi đi theo một hướng, hoặc các phép đo lặp lại ở cuối bị lệch; hoặc tốc độ tạo tệp khác nhau giữa các lượt
check-not-settled-remedy = Chạy lâu hơn: check không có --quick, hoặc có --thorough để ghi đến khi tốc độ ổn định.
check-not-settled-blind-spot = Thay đổi chậm hơn lần chạy: tín dụng burst, bộ nhớ đệm ghi lớn hơn số byte đã ghi, nhiệt độ.
check-not-settled-short-remedy = đo lâu hơn: --thorough chạy đến khi tốc độ ổn định

not-settled-short = phép đo quá ngắn; lần chạy 60 s sẽ cho biết
not-settled-few-rounds = quá ít lượt để biết tốc độ có khác nhau giữa các lượt không
not-settled-search = lệnh tìm giới hạn không kiểm tra tính ổn định; truedisk check có kiểm tra
not-settled-matrix = đo ma trận không kiểm tra tính ổn định; truedisk check có kiểm tra
not-settled-short-passes = các lượt đo quá ngắn; truedisk check đo lâu hơn
not-settled-single-requests = đo từng yêu cầu đơn lẻ không kiểm tra tính ổn định; truedisk check có kiểm tra
not-settled-no-series = đầu ra của chương trình khác không có chuỗi thời gian để xem
not-settled-changing = tốc độ vẫn đang thay đổi trong lúc đo
not-settled-differed = một trong các phép đo lặp lại ở cuối bị lệch
not-settled-varied = tốc độ dao động nhưng không theo hướng nào
not-settled-files-created = tốc độ tạo tệp khác nhau quá nhiều giữa các lượt
not-settled-some-files = một số tốc độ khác nhau nhiều giữa các lượt
not-settled-steady = tốc độ ổn định trong lúc đo
not-settled-rounds-agree = tốc độ của các lượt khớp nhau
not-settled-writing = các lượt ghi
not-settled-rounds = năm lượt cuối chênh nhau đến { $range } so với trung bình; xu hướng: { $change }
not-settled-file-rounds = các lượt từ { $low } đến { $high } thao tác/s
not-settled-five-parts = năm phần dao động { $range } so với trung bình, { $trend }
not-settled-rose = tăng { $by }
not-settled-fell = giảm { $by }
not-settled-rose-after = tăng { $by } sau { $after }
not-settled-fell-after = giảm { $by } sau { $after }
not-settled-no-trend = không có xu hướng rõ rệt
not-settled-repeated = { $cell } lặp lại
not-settled-twice = lần đầu { $first } IOPS, lúc cuối { $again } IOPS

## checks/coverage

check-coverage-question = Đã chạm đến bao nhiêu phần của đích đo, và bao nhiêu lần?
check-coverage-meaning = Các khối đọc đi đọc lại sẽ đến từ một bộ nhớ đệm trên đường đi. Mẫu thưa trên ổ đĩa lớn cho biết rất ít về những chỗ chưa đọc.
check-coverage-method = Vùng đo dưới { $tiny } nằm vừa trong mọi bộ nhớ đệm. Vùng đo dưới { $cache } mà được đọc hơn { $passes } lần thì phần lớn là đọc lặp. Vùng đo từ { $large } trở lên mà đọc chưa đến { $thin } là mẫu thưa.
check-coverage-ok = vùng đo lớn hơn các bộ nhớ đệm thông thường, hoặc mỗi khối được đọc nhiều nhất một lần; và mẫu không quá thưa
check-coverage-not-observable = không đọc ngẫu nhiên
check-coverage-note = các khối của vùng đo nhỏ được đọc hơn một lần, hoặc vùng đo lớn được đọc thưa
check-coverage-warning = vùng đo nhỏ đến mức nằm vừa trong mọi bộ nhớ đệm, hoặc được đọc nhiều đến mức phần lớn là đọc lặp
check-coverage-remedy = Đặt --size lớn hơn, hoặc cho thêm thời gian: check --thorough.
check-coverage-blind-spot = Kích thước thật của các bộ nhớ đệm trên đường đi (device-cache, host-cache), và liệu những chỗ chưa chạm tới có khác không.
remedy-measure-larger-part = đo phần lớn hơn của ổ đĩa: --size 4g trở lên
remedy-take-for-sample = đo lâu hơn, hoặc chỉ coi là mẫu: những chỗ chưa đọc có thể khác

coverage-no-reads = không đo đọc ngẫu nhiên
coverage-cached = vùng đo { $span } có thể nằm trong bộ nhớ đệm trên đường đến ổ đĩa
coverage-read-again = các khối của vùng đo { $span } được đọc hơn một lần
coverage-thin = chỉ đọc { $share } của vùng đo { $span }
coverage-passed = các lần đọc ngẫu nhiên phủ vùng đo { $span } tổng cộng { $passes } lần
coverage-passes = số lượt
coverage-read = đọc ngẫu nhiên { $read } trên vùng đo { $span }
coverage-share = phần đã đọc
coverage-sample = { $share } của { $span }, rải đều
coverage-cell-passes = { $passes } lượt trên { $span }

## checks/idle_latency

check-idle-latency-question = Yêu cầu đầu tiên sau lúc nghỉ có chậm hơn không?
check-idle-latency-meaning = Thiết bị, kết nối, máy hoặc CPU ngủ khi không có việc và cần thời gian để thức dậy. Chương trình gửi ít yêu cầu sẽ gặp thời gian đó; số liệu của thiết bị đang bận không cho thấy.
check-idle-latency-method = So các lần đọc đơn lẻ có khoảng nghỉ ở giữa với các lần đọc liên tiếp, theo cả tỷ lệ lẫn thời gian tuyệt đối: riêng máy ảo đã cần một phần nhỏ của mili giây để thức dậy.
check-idle-latency-ok = khoảng nghỉ không tạo khác biệt đáng kể
check-idle-latency-not-observable = không có lần đọc nào sau khoảng nghỉ
check-idle-latency-note = lần đọc đầu sau khoảng nghỉ chậm hơn; kết quả kiểm tra nêu mức chậm
check-idle-latency-warning = thức dậy lâu đến mức chương trình gửi ít yêu cầu chủ yếu phải chờ việc đó
check-idle-latency-remedy = Nếu quan trọng, đừng để thiết bị ngủ: tắt APST của NVMe (nvme_core.default_ps_max_latency_us=0), không cho HDD dừng quay (hdparm -S 0), dùng mức ngủ nông hơn cho CPU.
check-idle-latency-blind-spot = Thành phần nào đã ngủ, và các mức ngủ sâu hơn cần khoảng nghỉ dài hơn khoảng đã thử.
check-idle-latency-short-remedy = dịch vụ có ít yêu cầu phải chờ lâu như vậy: kiểm tra chế độ tiết kiệm điện của ổ đĩa (APST), của kết nối (ASPM, ALPM) và của CPU

idle-latency-no-usual = không có các lần đọc liên tiếp để so sánh
idle-latency-usual = { $median } (trung vị)
idle-latency-too-few = quá ít lần đọc sau khoảng nghỉ
idle-latency-asleep = thiết bị có lúc ngủ: đọc sau khoảng nghỉ { $pause } mất { $took }, bình thường { $usual }
idle-latency-slower = đọc sau khoảng nghỉ { $pause } mất { $took }, bình thường { $usual }
idle-latency-alike = đọc sau khoảng nghỉ { $pause } mất nhiều nhất { $factor } lần mức bình thường { $usual }
idle-latency-paused = { $median } (trung vị của { $reads } lần đọc), gấp { $times } lần bình thường
idle-latency-paused-busy = { $median } (trung vị của { $reads } lần đọc), gấp { $times } lần bình thường; CPU bận { $busy }

## checks/misaligned

check-misaligned-question = Các khối có nằm vắt qua ranh giới khối đọc ghi của thiết bị không?
check-misaligned-meaning = Nếu phân vùng hoặc tệp bắt đầu giữa một khối vật lý, thiết bị phải đọc ghi hai khối thay vì một, và lệnh ghi phải chờ đọc trước.
check-misaligned-method = So điểm bắt đầu của phân vùng, và của thiết bị loop trong tệp của nó, với khối vật lý của thiết bị bên dưới, tối thiểu { $block }; với tệp thì xét phần không bắt đầu đúng ranh giới khối. Nếu thiết bị cho phép, đọc ghi lệch 512 byte để biết mức chậm. Tối đa { $allowed } của tệp được nằm tùy ý.
check-misaligned-ok = mọi thứ bắt đầu đúng ranh giới khối của ổ đĩa
check-misaligned-not-observable = không rõ đích đo, hoặc không rõ thiết bị khối bên dưới
check-misaligned-note = bắt đầu giữa một khối 4 KiB, trên ổ cứng HDD có sector 512 byte: ở đó không làm chậm
check-misaligned-warning = phân vùng, thiết bị loop hoặc một phần của tệp nằm vắt qua hai khối của ổ đĩa
check-misaligned-remedy = Tạo lại phân vùng sao cho bắt đầu ở bội số của 1 MiB, như các công cụ hiện nay làm mặc định.
check-misaligned-blind-spot = Khối vật lý lớn hơn mức thiết bị khai báo, và trang flash mà không thiết bị nào báo.
check-misaligned-short-remedy = cho phân vùng bắt đầu ở 1 MiB, và dùng khối 4 KiB cho hệ thống tệp

misaligned-no-device = không rõ thiết bị khối bên dưới
misaligned-extents = extent
misaligned-file = { $share } của tệp không căn đúng với khối của thiết bị
misaligned-direct-io = căn chỉnh cần cho direct I/O
misaligned-unit = { $unit } theo { $source }
misaligned-across = các khối nằm vắt qua hai khối của ổ đĩa
misaligned-inside = các khối bắt đầu giữa khối { $block }, ổ đĩa này cho phép điều đó
misaligned-none = mọi thứ bắt đầu đúng ranh giới khối của ổ đĩa
misaligned-start = bắt đầu ở { $start }, lệch { $over } so với đầu khối { $block }
misaligned-read = đọc lệch
misaligned-write = ghi lệch
misaligned-slower = { $took } với khối lệch 512 byte, { $usual } với khối căn chỉnh đúng: lâu gấp { $times } lần
misaligned-no-slower = { $took } với khối lệch 512 byte, { $usual } với khối căn chỉnh đúng: không thấy khác biệt

## checks/short_stroke

check-short-stroke-question = Có phải chỉ đo một phần nhỏ của ổ cứng HDD, nơi đầu đọc hầu như không phải di chuyển?
check-short-stroke-meaning = Trong phần nhỏ, đầu đọc chỉ đi quãng ngắn: đọc ngẫu nhiên trông nhanh đến gấp đôi so với toàn ổ đĩa.
check-short-stroke-method = Trên ổ đĩa hoạt động như HDD, đọc ngẫu nhiên trong các phần lớn dần. Quãng di chuyển của đầu đọc thể hiện qua độ trễ tăng theo căn bậc hai của kích thước; từ đó tính ra độ trễ trên toàn ổ đĩa.
check-short-stroke-ok = ổ đĩa không quay, hoặc phần đã đo chậm như toàn ổ đĩa
check-short-stroke-not-observable = không có lần đọc ngẫu nhiên từng cái một, quá ít để thấy đĩa quay, hoặc phần lớn lần đọc lấy từ bộ nhớ đệm
check-short-stroke-warning = số liệu, của tệp hoặc của thiết bị, là của một phần nhỏ ổ cứng HDD; kết quả kiểm tra ước tính cho toàn ổ đĩa
check-short-stroke-remedy = Đo chính thiết bị: check --read-only DEVICE đọc khắp ổ đĩa và không phá hủy gì.
check-short-stroke-blind-spot = Vị trí của tệp trên ổ đĩa: rãnh ngoài truyền gần gấp đôi số byte so với rãnh trong.
check-short-stroke-short-remedy = đo toàn bộ thiết bị: truedisk check --read-only trên tệp thiết bị của nó

short-stroke-no-reads = không có lần đọc ngẫu nhiên từng cái một để thấy đầu đọc di chuyển
short-stroke-mean = trung bình đọc ngẫu nhiên ở độ sâu 1
short-stroke-no-arm = không có đầu đọc phải di chuyển: đọc ngẫu nhiên mất { $mean }, riêng một vòng quay đã lâu hơn
short-stroke-part = phần đã đo
short-stroke-span = { $span } trên { $disk }, { $part }
short-stroke-as-whole = ổ cứng HDD: phần đã đo ({ $part }) chậm như toàn ổ đĩa
short-stroke-cached = ổ đĩa tự khai là đĩa quay, nhưng phần lớn lần đọc lấy từ bộ nhớ đệm: không biết được đầu đọc có di chuyển không
short-stroke-too-few = { $reads } lần đọc ngẫu nhiên là quá ít để nhận ra ổ cứng HDD: cần { $needed }
short-stroke-no-platter = đọc ngẫu nhiên mất { $mean }, nhưng không phân bố đều theo vòng quay như ở ổ cứng HDD
short-stroke-reached = phạm vi đã đo
short-stroke-of-disk = { $part } của ổ đĩa
short-stroke-range = chỉ đo { $part } của ổ cứng HDD: { $here } lượt đọc ngẫu nhiên/s ở độ sâu 1, trên toàn ổ đĩa khoảng { $low } đến { $high }
short-stroke-flatters = chỉ đo { $part } của ổ cứng HDD: { $here } lượt đọc ngẫu nhiên/s ở độ sâu 1, trên toàn ổ đĩa khoảng { $whole }
short-stroke-fit = thời gian tìm kiếm { $nearest-ms } ms + { $slope-ms } ms x sqrt(khoảng cách), với trung bình của căn là 8/15, và nửa vòng quay (một vòng mất { $turn-ms } ms)
short-stroke-sheets = thời gian tìm kiếm trung bình { $low-ms } đến { $high-ms } ms theo tài liệu kỹ thuật của ổ đĩa { $rpm } vòng/phút, và nửa vòng quay (một vòng mất { $turn-ms } ms)
short-stroke-turns = tốc độ quay
short-stroke-speed = { $rpm } vòng/phút ({ $low } đến { $high }), từ { $reads } lần đọc
short-stroke-whole = đọc ngẫu nhiên trên toàn ổ đĩa
short-stroke-whole-time = { $low } đến { $high }: { $how }

## checks/provider_limit

check-provider-limit-question = IOPS tối đa có phải là mức giới hạn được cấu hình không?
check-provider-limit-meaning = Mức trần do nhà cung cấp hoặc hypervisor đặt, không phải do ổ đĩa: hàng đợi sâu hơn chỉ làm chờ lâu hơn. Thường có thể mua thêm.
check-provider-limit-method = Các lần thử có độ sâu chênh nhau từ hai lần trở lên đều dừng trong { $within } quanh một tốc độ, hầu như không lần nào vượt qua. Ở đó tốc độ từng nửa giây phần lớn dao động ít hơn mức ngẫu nhiên của các thao tác độc lập. Phải có thêm một dấu hiệu của giới hạn: thao tác lớn hơn hoặc chiều khác cũng dừng ở cùng tốc độ, thao tác lớn hơn trên ổ đĩa ảo truyền cùng số byte mỗi giây như thao tác nhỏ hơn, hoặc tốc độ trùng với gói mà các cloud bán. Nếu thao tác hoàn thành theo từng đợt như khi bị giới hạn tốc độ thì mức giới hạn lộ ra ở mọi độ sâu. Nếu mức giới hạn bị hạ xuống giữa chừng thì chỉ tính các lần thử từ lúc đó. Nếu cgroup của hệ thống này đặt giới hạn thì os-throttle báo.
check-provider-limit-ok = ở chỗ tăng độ sâu không còn tác dụng, nguyên nhân không phải là mức giới hạn cấu hình; hoặc cgroup của hệ thống này đặt giới hạn (os-throttle)
check-provider-limit-not-observable = không đường cong nào đạt mức ngang đủ lâu: phép đo của lần chạy nhanh quá ngắn, và đo ma trận không tìm giới hạn này
check-provider-limit-note = ổ đĩa này có mức giới hạn; giá trị được nêu rõ, và số liệu vẫn đúng
check-provider-limit-remedy = So mức giới hạn với gói bạn trả tiền. Chọn độ sâu hàng đợi của chương trình vừa đủ chạm mức đó: nhiều hơn chỉ phải chờ.
check-provider-limit-blind-spot = Mức giới hạn cao hơn tốc độ đã đạt, mức giới hạn thay đổi theo tín dụng (burst), và mức giới hạn dao động nhiều như một thiết bị.

provider-limit-cap = { $iops } IOPS: { $because }
provider-limit-of-provider = nhà cung cấp giới hạn ổ đĩa này ở { $cap } IOPS: đây không phải giới hạn của thiết bị
provider-limit-of-setting = ổ đĩa này bị cấu hình giới hạn ở { $cap } IOPS: đây không phải giới hạn của thiết bị
provider-limit-of-group = mức giới hạn là của một cgroup trên hệ thống này (os-throttle)
provider-limit-counted = giới hạn của nhà cung cấp đã kìm lần đo này, theo bộ đếm của chính họ
provider-limit-none = ở chỗ tăng độ sâu không còn tác dụng, nguyên nhân không phải là mức giới hạn cấu hình
provider-limit-matrix = đo ma trận không tìm mức giới hạn; truedisk limit có tìm
provider-limit-quick = phép đo của lần chạy nhanh quá ngắn để thấy mức giới hạn; lần chạy 60 s là đủ
provider-limit-short = không đường cong nào đạt mức ngang đủ lâu để thấy mức giới hạn
provider-limit-unsure = ở mức ngang, tốc độ thay đổi quá nhiều để cho thấy mức giới hạn, nhưng quá ít hoặc quá đều đặn để loại trừ nó

## checks/burst

check-burst-question = Đây có phải tốc độ burst tạm thời không: do tín dụng, hoặc do bộ nhớ đệm ghi chưa đầy?
check-burst-meaning = Tốc độ này giữ được trong một số thao tác hoặc byte nhất định, rồi giảm xuống mức khác. Tốc độ duy trì được là mức sau khi giảm.
check-burst-method = Trong các tốc độ của lần chạy, và trong các lần thử ghi liên tiếp, tìm chỗ mức tốc độ giảm hẳn, cùng lượng dữ liệu đã truyền trước đó. Nếu chỉ ghi bị giảm, tính theo byte, thì đó là lúc bộ nhớ đệm ghi đầy; nếu đọc cũng giảm thì đó là lúc hết tín dụng của nhà cung cấp.
check-burst-ok = không giảm, và lần chạy đủ dài so với các loại burst đã biết
check-burst-not-observable = chưa thấy giảm; kết quả kiểm tra nêu cần đo bao lâu để chắc chắn
check-burst-note = có giảm, nhưng nằm ngoài số liệu được tính hoặc chưa rõ nguyên nhân
check-burst-warning = số liệu trước lúc giảm là số liệu burst
check-burst-remedy = Với tải kéo dài, hãy dùng tốc độ sau khi giảm. check --until-throttled chạy đến khi burst kết thúc, --thorough chạy đến khi tốc độ ghi ổn định.
check-burst-blind-spot = Mọi thay đổi chậm hơn lần chạy: tín dụng của ổ đĩa cloud kéo dài từ một phút đến vài giờ, bộ nhớ đệm ghi thì đến khi đầy.
check-burst-short-remedy = tính theo tốc độ sau khi giảm: check --until-throttled

burst-before = trước
burst-after = sau
burst-when = thời điểm
burst-time = { $after } từ lúc bắt đầu, trong { $cell }
burst-size = kích thước
burst-operations = { $operations } thao tác
burst-of-credits = số liệu trước { $until } là burst: { $burst } cho đến khi dùng hết tín dụng { $size }, sau đó { $baseline }
burst-ended = burst { $burst } kết thúc khi hết tín dụng { $size }, còn { $baseline }; số liệu đo sau đó là mức ổ đĩa duy trì được
burst-write-cache-full = bộ nhớ đệm ghi của thiết bị đầy sau { $size }: trước đó { $burst }, sau đó { $baseline }, trong khi đọc vẫn nhanh như cũ
burst-rate-ramp = tốc độ giảm liên tục từ { $from } xuống { $to }: đây là giảm dần, không phải burst kết thúc
burst-rate-fell = tốc độ giảm từ { $from } xuống { $to } và ở lại mức đó, không đều: do tín dụng, bộ nhớ đệm, hoặc tải mà máy này không nhìn thấy
burst-rate-fell-last = tốc độ giảm từ { $from } xuống { $to } trong { $cell }; sau đó không có phép đo cùng loại nào ở độ sâu đó: chưa thấy tốc độ có ở lại mức đó không
burst-fell-beside-others = tốc độ giảm từ { $from } xuống { $to } trong { $cell }, lúc chương trình khác dùng ổ đĩa hoặc CPU: đo lại lúc ít tải hơn để biết burst có kết thúc hay không
burst-none-under-full-load = không có burst nào kết thúc trong { $busy } tải tối đa
burst-none-of-a-minute = không có burst nào kết thúc trong { $busy } có tải, nên loại trừ các loại burst khoảng một phút (DigitalOcean, Vultr); tín dụng của AWS gp2 kéo dài 30 đến 120 phút, của Azure premium SSD 30 phút: check --until-throttled chạy đến khi chúng hết
burst-none-yet = không có burst nào kết thúc trong { $busy } có tải; burst của DigitalOcean và Vultr kéo dài từ 60 s trở lên; tín dụng của AWS gp2 kéo dài 30 đến 120 phút, của Azure premium SSD 30 phút: check --until-throttled chạy đến khi chúng hết
burst-nothing-for-a-cache = không có nhà cung cấp nào dùng tín dụng, và không ghi gì có thể làm đầy bộ nhớ đệm
burst-no-cache-filled = đã ghi { $written } mà không có bộ nhớ đệm nào đầy
burst-cache-may-be-larger = bộ nhớ đệm ghi lớn hơn { $written } đã ghi sẽ không lộ ra; nó có thể chiếm đến một phần ba thiết bị: ở đây là { $needed }
burst-cache-of-unknown-size = bộ nhớ đệm ghi lớn hơn { $written } đã ghi sẽ không lộ ra

## evidence/contents

contents-written = ghi nhanh gấp { $times } lần ({ $low } đến { $high }, { $pairs } cặp)
contents-written-in-few = ghi nhanh gấp { $times } lần ({ $pairs } cặp)
contents-read-back = đọc lại nhanh gấp { $times } lần ({ $low } đến { $high }, { $pairs } cặp)
contents-read-back-in-few = đọc lại nhanh gấp { $times } lần ({ $pairs } cặp)
contents-not-written = không ghi gì, mà chỉ ghi mới phát hiện được
contents-in-page-cache = không có O_DIRECT, bộ đệm trang nhận mọi lần ghi bất kể nội dung
contents-too-few-operations = quá ít thao tác để so số 0 và bản sao với dữ liệu không trùng lặp; hãy chạy lâu hơn hoặc trên máy ít tải hơn
contents-not-compared = lần chạy này không so số 0 và bản sao với dữ liệu không trùng lặp

## evidence/reread

reread-too-few-blocks = không khối nào được đọc hai lần, hoặc quá ít
reread-from-page-cache = lần đọc thứ hai lấy từ bộ đệm trang của máy này: xem page-cache
reread-of-own-blocks = lần chạy này đã tự ghi các khối đó: không phải nạp gì
reread-as-fast-as-memory = chỉ RAM mới nhanh như vậy
reread-too-fast-for-network = quá nhanh so với ổ đĩa nạp khối qua mạng
reread-of-rotating-disk = ổ đĩa quay, và giữ lại những gì đã đọc
reread-too-close-to-fetch = chênh lệch quá nhỏ so với khối phải nạp từ nơi khác
reread-slow-again = các khối từng đọc nhanh nay chậm trở lại
reread-second-reads = lần đọc thứ hai
reread-medians = lần đọc đầu của khối { $first }, lần hai { $again } (trung vị của { $reads })
reread-third-reads = lần đọc thứ ba, sau mọi lần đọc khác
reread-median = { $median } (trung vị của { $reads })
reread-measured-by = đo bằng
reread-cells = { $cells }

## evidence/working_set

working-set-from-page-cache = dữ liệu đến từ bộ đệm trang của máy này: xem page-cache
working-set-not-read = không đọc các phần của vùng đo, hoặc vùng đo quá nhỏ
working-set-too-few-reads = thời gian quá ngắn, quá ít lần đọc ở mỗi phần: --thorough đọc nhiều hơn

## evidence/generator_pauses

remedy-measure-unstopped = đo lại; trong lúc đo đừng để thứ gì dừng truedisk hoặc cho máy ngủ
generator-pauses-suspended = máy có lúc ngủ (suspend) lâu đến { $length }: số liệu của { $cells } phép đo bao gồm thời gian đó
generator-pauses-in-figures = tiến trình này có lúc ngừng chạy lâu đến { $length }: số liệu của { $cells } phép đo bao gồm thời gian đó
generator-pauses-excluded = tiến trình này có lúc ngừng chạy lâu đến { $length }: tốc độ không tính thời gian đó; phân vị của { $cells } phép đo hầu như không bị ảnh hưởng
generator-pauses-one = không chạy trong { $total } ({ $share } phép đo), { $start } sau khi lần chạy bắt đầu
generator-pauses-several = không chạy trong { $total } ({ $share } phép đo), chia làm { $pauses } lần dừng; lần lâu nhất { $longest }, { $start } sau khi lần chạy bắt đầu

## evidence/withheld_cpu

remedy-measure-outside-group = đo bên ngoài cgroup này, hoặc nâng giới hạn của nó
remedy-measure-without-steal = đo vào lúc, hoặc ở nơi, hypervisor lấy ít thời gian CPU hơn
remedy-measure-alone = đo khi các tiến trình khác rảnh
remedy-measure-files-alone = đo lại khi không có gì khác dùng máy, với nhiều tệp hơn: --files N
remedy-measure-on-more-processors = đo với ít tác vụ hơn, hoặc trên máy có nhiều CPU hơn
withheld-cpu-for = { $cause }: truedisk phải chờ CPU tối đa { $share } thời gian, trong { $cells } phép đo
withheld-cpu-for-unknown = truedisk phải chờ CPU tối đa { $share } thời gian, trong { $cells } phép đo
withheld-cpu-by-group = { $limit } ({ $cgroup }); truedisk phải chờ CPU { $lost } trên { $elapsed }
withheld-cpu-by-quota-of-one = cgroup chỉ cho tiến trình này chạy { $share } của một CPU
withheld-cpu-by-quota = cgroup chỉ cho tiến trình này dùng { $processors } CPU
withheld-cpu-by-limit = cgroup giới hạn thời gian CPU của tiến trình này
withheld-cpu-by-hypervisor = hypervisor lấy bớt thời gian CPU (steal)
withheld-cpu-by-others = CPU bận việc khác
withheld-cpu-by-itself = tiến trình này dùng nhiều thời gian CPU hơn các tiến trình khác
withheld-cpu-wait = các worker chờ CPU { $lost } trên { $elapsed }
withheld-cpu-shares = thời gian CPU: tiến trình này { $own }, tiến trình khác { $others }, hypervisor { $stolen }, rảnh { $idle }
withheld-cpu-pressure = có ít nhất một tiến trình trên máy chờ CPU trong { $time } trên { $elapsed }

## cells

## class

class-memory = RAM, hoặc bộ nhớ đệm phía trước ổ đĩa
class-optane = SSD Optane
class-fast-nvme = SSD NVMe nhanh (PCIe 4 hoặc 5)
class-nvme = SSD NVMe (hạng PCIe 3)
class-sata = SSD SATA
class-virtual-ssd = SSD cục bộ sau hypervisor
class-premium-volume = lưu trữ khối qua mạng loại nhanh (premium)
class-volume = lưu trữ khối qua mạng loại phổ thông
class-rotating-disk = ổ cứng HDD
class-memory-card = thẻ nhớ hoặc ổ USB
class-unlike-all = một loại chưa biết, gần nhất với { $nearest }
class-read-latency = { $latency } mỗi lần đọc ngẫu nhiên ở độ sâu 1
class-random-reads = { $iops } lượt đọc ngẫu nhiên/s
class-sequential-reads = { $rate } tuần tự
class-writes-per-read = tốc độ ghi ngẫu nhiên bằng { $times } lần đọc ngẫu nhiên
class-times = { $times }
class-outside = { $feature } (loại này thường { $low } đến { $high })
class-called-rotational = sysfs ghi là đĩa quay
class-called-non-rotational = sysfs ghi là không phải đĩa quay

## class/claim

class-claim = { $parts }
class-claims-rotation = đĩa quay
class-claims-no-rotation = không phải đĩa quay
class-too-fast-for-platter = ổ đĩa tự khai là đĩa quay, nhưng mỗi lần đọc chỉ mất { $latency }: không đĩa nào quay nhanh như vậy
class-waits-for-platter = ổ đĩa tự khai không phải đĩa quay, nhưng lần đọc phải chờ như với đĩa { $rpm } vòng/phút
class-slow-as-platter = ổ đĩa tự khai không phải đĩa quay, nhưng chậm như ổ cứng HDD
class-nvme-like-volume = ổ đĩa gắn dưới dạng thiết bị NVMe, nhưng phản hồi như { $class }: ổ đĩa cloud trông như thế này
class-faster-than-sata = ổ đĩa gắn qua SATA, nhưng nhanh hơn mức kết nối đó tải được: giống { $class }
class-fast-as-memory = ổ đĩa gắn qua { $transport }, nhưng phản hồi nhanh như RAM: có bộ nhớ đệm phía trước?

## compare

compare-has-it-with = { $side } có phép đo này nhưng với { $differences }
compare-has-cell = { $side } có { $cell }
compare-has-cell-like = { $side } có { $cell }, và { $nearest }
compare-left-out = { $side }: không tính { $cell }: { $reason }
compare-reasons = { $reasons }
compare-no-cell = không có phép đo nào để so sánh

## compare/caps

compare-caps-by-finding = { $finding }: { $summary }
compare-caps-by-search = khi tìm giới hạn đã thấy mức giới hạn cấu hình { $iops } IOPS
compare-caps-by-agreement = mọi tải đều dừng ở khoảng { $iops } IOPS, cả đọc lẫn ghi ({ $rates }): trông như mức giới hạn cấu hình, không phải giới hạn của thiết bị. Các gói có mức này: { $plan }.
compare-caps-workload-at-rate = { $workload } { $iops }
compare-caps-known-plan = { $plan ->
    [3000] AWS EBS gp2 khi burst, gp3 không mua thêm IOPS, hoặc Azure Premium SSD v2 không mua thêm IOPS
    [3500] Azure Premium SSD nhỏ khi burst
    [3600] GCP Hyperdisk Balanced không mua thêm IOPS
    [5000] ổ đĩa Azure P30, hoặc ổ đĩa DigitalOcean sau burst
    [7500] ổ đĩa Azure P50, hoặc ổ đĩa DigitalOcean
    [10000] ổ đĩa DigitalOcean khi burst, hoặc Vultr NVMe
   *[16000] AWS EBS gp2 ở dung lượng lớn nhất
}

## compare/differences

compare-differences-host-and-path = { $host }:{ $path }
compare-differences-all-names = { $names }
compare-differences-names-and-more = { $names } và { $more } mục khác
compare-differences-fact-tool = đo bằng
compare-differences-fact-kernel = kernel
compare-differences-fact-architecture = kiến trúc
compare-differences-fact-processor = CPU
compare-differences-fact-memory = bộ nhớ
compare-differences-fact-virtualisation = ảo hóa
compare-differences-fact-group-limits = giới hạn I/O của cgroup
compare-differences-fact-file-system = hệ thống tệp
compare-differences-fact-interface = giao diện kernel
compare-differences-fact-payload = dữ liệu ghi
compare-differences-fact-hosts = máy
compare-differences-fact-sharing = dùng chung giữa các máy
compare-differences-processors = { $cpus } x { $model }
compare-differences-unknown-processors = { $cpus } x không rõ
compare-differences-about-memory = khoảng { $memory }
compare-differences-count = { $count }
compare-differences-no-file-system = không có
compare-differences-differs-within = { $fact } không đồng nhất trong { $side }: { $values }
compare-differences-differs-between = { $fact }: { $a } có { $of-a }, { $b } có { $of-b }
compare-differences-run-on-both-sides = lần chạy { $run } có ở cả hai bên: nó không thể khác chính nó
compare-differences-only-side-has = chỉ { $side } có { $hosts }
compare-differences-hosts-differ = các máy không giống nhau: { $differences }
compare-differences-spans-differ = vùng đo: { $a } có { $of-a }, { $b } có { $of-b }; vùng nhỏ dễ nằm vừa trong bộ nhớ đệm hơn
compare-differences-times-differ = thời gian mỗi phép đo: { $a } tối đa { $of-a }, { $b } tối đa { $of-b }; phép đo ngắn có thể nằm trọn trong burst
compare-differences-ended-early = { $runs ->
    [1] { $side } kết thúc sớm
   *[other] { $side } kết thúc sớm trong { $number } trên { $runs } lần chạy
}
compare-differences-degraded = { $runs ->
    [1] { $side } không đầy đủ: { $reason }
   *[other] { $side } không đầy đủ trong { $number } trên { $runs } lần chạy: { $reason }
}
compare-differences-warned = { $runs ->
    [1] { $side }: { $finding }: { $summary }
   *[other] { $side }: { $finding } trong { $number } trên { $runs } lần chạy: { $summary }
}

## compare/effect

compare-effect-same = như nhau (lệch không quá { $margin }): x { $low } đến { $high }
compare-effect-faster = { $side } nhanh gấp { $factor } lần, { $low } đến { $high }
compare-effect-slower = { $side } chậm hơn { $factor } lần, { $low } đến { $high }
compare-effect-longer = { $figure } của { $side } dài gấp { $factor } lần, { $low } đến { $high }
compare-effect-shorter = { $figure } của { $side } ngắn hơn { $factor } lần, { $low } đến { $high }
compare-effect-differs-in-one-run = { $difference }, mỗi bên một lần chạy; lần chạy sau có thể khác
compare-effect-ratio-of-one-run = x { $ratio } với mỗi bên một lần chạy; không có khoảng tin cậy, không kết luận
compare-effect-undecided-by-one-run = chưa kết luận được với mỗi bên một lần chạy: x { $low } đến { $high } trong từng lần chạy, { $needed }
compare-effect-too-few-runs = chưa kết luận được: { $runs }, { $needed }
compare-effect-undecided = chưa kết luận được: x { $low } đến { $high } trong { $runs }, { $needed }
compare-effect-runs-needed = cần { $runs } lần chạy
compare-effect-many-runs-needed = cần hơn 1000 lần chạy
compare-effect-runs-each = { $runs ->
    [1] mỗi bên một lần chạy
   *[other] mỗi bên { $runs } lần chạy
}
compare-effect-runs-of-both = { $a } và { $b } lần chạy

## compare/figures

compare-figures-nothing-completed = không thao tác nào hoàn thành
compare-figures-bound-never-kept = không tải nào giữ được giới hạn độ trễ
compare-figures-search-unsure = kết quả tìm giới hạn không chắc chắn
compare-figures-limit-label = { $workload }, tối đa với { $bound }
compare-figures-open-limit-label = { $workload }, tối đa với { $bound }, vòng hở

## compare/headline

compare-headline-sentences = { $first } { $second }
compare-headline-nothing-usable = Chưa kết luận được: các phép đo chung của hai bên đã bị bỏ ({ $reason }).
compare-headline-looks-capped = { $side } có vẻ bị giới hạn ở { $iops } IOPS.
compare-headline-gives-times = { $more } đạt gấp { $factor } lần { $less }, mỗi bên một lần chạy.
compare-headline-gives-times-over-cells = { $more } đạt gấp { $least } đến { $most } lần { $less }, trên { $cells } phép đo, mỗi bên một lần chạy.
compare-headline-no-interval-between-runs = Mỗi bên một lần chạy thì chưa biết các lần chạy khác nhau bao nhiêu.
compare-headline-all-cells = Tính chung mọi phép đo: { $verdict } ({ $runs }).
compare-headline-all-cells-undecided = Tính chung mọi phép đo: { $verdict }.
compare-headline-depends-on-workload = Kết quả tùy theo loại tải.
compare-headline-one-cell = { $cell }: { $verdict } ({ $runs }).
compare-headline-outcomes = Trong { $comparisons } phép so sánh, { $side } { $outcomes } (Holm, 5 % cho cả { $family }).
compare-headline-faster-in = nhanh hơn ở { $cells }
compare-headline-slower-in = chậm hơn ở { $cells }
compare-headline-same-in = như nhau ở { $cells }
compare-headline-different-alone-in = không còn ý nghĩa thống kê sau khi hiệu chỉnh cho nhiều phép so sánh ở { $cells }
compare-headline-undecided-in = chưa rõ ở { $cells }
compare-headline-family-needs-runs = Với { $comparisons } phép so sánh, cần { $runs } lần chạy mỗi bên mới có kết quả có ý nghĩa thống kê.

## compare/hosts

## compare/key

compare-key-other-order = thứ tự khối khác
compare-key-blocks-of = khối { $size }
compare-key-other-sizes = kích thước thao tác khác
compare-key-at-depth = độ sâu { $depth }
compare-key-other-pacing = nhịp khác
compare-key-other-rate-cap = giới hạn tốc độ khác
compare-key-other-pauses = khoảng nghỉ khác
compare-key-other-syncs = cách sync khác
compare-key-other-durability = mức bền vững khi ghi khác
compare-key-other-trim = kiểu TRIM khác
compare-key-with-direct = O_DIRECT
compare-key-no-direct = không O_DIRECT
compare-key-other-job-beside = tác vụ chạy song song khác
compare-key-read-after-pause = đọc { $size } sau khoảng nghỉ
compare-key-commit = commit { $size }
compare-key-with-arrivals = { $workload }, { $rate } yêu cầu đến/s
compare-key-with-depth = { $workload }, độ sâu { $depth }
compare-key-without-direct = { $cell }, không O_DIRECT
compare-key-beside = { $cell }, song song với { $other }

## curve

curve-rate-alternates = tốc độ lúc cao lúc thấp, từ { $least } đến { $most } IOPS
curve-rate-changes = tốc độ thay đổi từ { $first } IOPS và liên tục theo một hướng
curve-higher-loads-disturbed = mọi phép đo ở tải cao hơn đều bị nhiễu

## curve/cap

cap-probes-at-ceiling = { $near } trên { $all } lần thử, từ độ sâu { $shallowest } đến { $deepest }, dừng trong { $within } quanh { $iops } IOPS
cap-calmer-than-chance = tốc độ từng nửa giây phần lớn dao động nhiều nhất { $variation }; chỉ do ngẫu nhiên thì đã dao động { $chance }
cap-larger-as-often = thao tác { $larger } hoàn thành nhiều như thao tác { $size }
cap-larger-as-many-bytes = thao tác { $larger } truyền được số byte mỗi giây bằng thao tác { $size }
cap-ends-at-same-rate = { $label } dừng ở cùng tốc độ
cap-sold-by-clouds = các cloud có bán ổ đĩa { $iops } IOPS
cap-served-in-slices = thao tác hoàn thành theo từng đợt: { $share } thời gian không có thao tác nào hoàn thành
cap-workers-starved = các worker không còn thời gian CPU
cap-unconfirmed = quá ít phép đo để xác nhận mức giới hạn
cap-unconfirmed-disturbed = quá ít phép đo không bị nhiễu để xác nhận mức giới hạn

## curve/limit

limit-interval-too-wide = khoảng tin cậy ±{ $half } quá rộng để nêu số liệu
limit-its-reads = phần đọc
limit-its-writes = phần ghi
limit-latency-not-monotone = độ trễ nhiều lần giảm trong khi tải tăng
limit-probes-used-up = hết số lần thử trước khi có câu trả lời chắc chắn

## curve/names

workload-read = { $order ->
    [sequential] đọc tuần tự
   *[random] đọc ngẫu nhiên
}
workload-write = { $order ->
    [sequential] ghi tuần tự
   *[random] ghi ngẫu nhiên
}
workload-trim = { $order ->
    [sequential] TRIM tuần tự
   *[random] TRIM ngẫu nhiên
}
workload-trim-write = { $order ->
    [sequential] TRIM và ghi tuần tự
   *[random] TRIM và ghi ngẫu nhiên
}
workload-mix = { $order ->
    [sequential] đọc/ghi tuần tự { $reads }/{ $writes }
   *[random] đọc/ghi { $reads }/{ $writes }
}
workload-of-size = { $workload } { $block-size }
workload-beside = { $first } song song với { $second }
workload-at-depth = { $workload }, độ sâu { $depth }

## curve/wording

curve-random-read-rate = { $iops } lượt đọc ngẫu nhiên/s
curve-random-write-rate = { $iops } lượt ghi ngẫu nhiên/s
curve-rate-of = { $iops } IOPS { $label }
curve-load-depth = độ sâu { $depth }
curve-load-depths = độ sâu { $depths }
curve-load-arrivals = { $rate } yêu cầu đến/s
curve-load-lowest = tốc độ thấp nhất
curve-headline = { $rate } với { $bound } ở { $load }
curve-headline-with-interval = { $rate } với { $bound } ở { $load } (±{ $half })
curve-headline-unproven = { $rate } ở { $load } (quá ít để xét { $bound })
curve-headline-of-cap = { $headline }, do nhà cung cấp giới hạn
curve-headline-of-group = { $headline }: do cgroup giới hạn
curve-headline-of-client = Ít nhất { $headline }: giới hạn nằm ở máy tạo tải
curve-level-changed = { $before } trong ít nhất { $until } đầu, sau đó { $after }
curve-ramp-down = Giảm dần: lúc đầu { $before }, giảm liên tục, lúc cuối { $after }
curve-ramp-up = Tăng dần: lúc đầu { $before }, tăng liên tục, lúc cuối { $after }
curve-unreachable = không thể đạt { $bound }: lúc rảnh { $statistic } đã là { $value } ({ $load })
curve-unreachable-unknown = không giữ được { $bound } ngay cả ở { $load }
curve-unreachable-headline = { CAP($label) }: { $unreachable }
curve-unreachable-because = { CAP($label) }: { $unreachable }; { $because }
curve-unsure = Chưa chắc chắn: khoảng { $rate } ở { $load }
curve-unsure-because = Chưa chắc chắn: khoảng { $rate } ở { $load }; { $because }
curve-limit-unreachable = { CAP($label) }: { $unreachable }. Ở đó ổ đĩa đạt { $iops } IOPS.
curve-limit-unproven = { CAP($label) }: { $iops } IOPS ở { $load }. Quá ít thao tác hoàn thành để biết có giữ được { $bound } không.
curve-bound-and-value = { $bound } ({ $statistic } là { $value })
curve-limit-figure = { $cause ->
    [arrivals-saturation] { CAP($label) }: ở { $load } vẫn giữ được { $bound }, kể cả khi các yêu cầu trước bị muộn. Thiết bị không theo kịp tải cao hơn.
    [arrivals] { CAP($label) }: ở { $load } vẫn giữ được { $bound }, kể cả khi các yêu cầu trước bị muộn.
    [unsure] { CAP($label) }: khoảng { $iops } IOPS với { $bound } ở { $load }. Kết quả này không chắc chắn.
    [saturation] { CAP($label) }: { $iops } IOPS với { $bound } ở { $load }. Hàng đợi sâu hơn chỉ tăng độ trễ, không tăng số thao tác.
    [bound] { CAP($label) }: { $iops } IOPS với { $bound } ở { $load }. Hàng đợi sâu hơn cho nhiều hơn, nhưng vượt giới hạn độ trễ.
    [depth-tried] { CAP($label) }: { $iops } IOPS với { $bound } ở { $load }, hàng đợi sâu nhất đã thử. Sâu hơn nữa có thể cho nhiều hơn.
    [provider-cap] { CAP($label) }: { $iops } IOPS với { $bound } từ { $load } trở đi. Đây là mức giới hạn cấu hình, không phải giới hạn của thiết bị.
    [control-group] { CAP($label) }: { $iops } IOPS với { $bound } ở { $load }. Giới hạn này do một cgroup của máy này đặt, không phải do thiết bị.
    [client] { CAP($label) }: ít nhất { $iops } IOPS với { $bound } ở { $load }. Giới hạn là CPU của máy này, không phải thiết bị.
   *[other] { CAP($label) }: { $iops } IOPS với { $bound } ở { $load }.
}
curve-limit-evidence = Bằng chứng về giới hạn của { $label }: { $because }.
curve-limit-doubt = Giới hạn của { $label } không chắc chắn: { $because }.
curve-parts = Trong đó, { $parts }.
curve-part-figures = { $label }: { $figures }
curve-statistic-value = { $statistic } { $value }
curve-queues-apart = Hai tác vụ không chờ nhau, giống như hai chương trình: lần ghi chậm không chiếm chỗ trong hàng đợi của lần đọc. Với tải kết hợp (randrw), cả hai dùng chung một hàng đợi, và lần ghi chậm chiếm chỗ của lần đọc.
curve-queue-shared = Đọc và ghi dùng chung một hàng đợi: thao tác chậm chiếm chỗ của thao tác kia. Hai tác vụ (--rw randread+randwrite) thì mỗi tác vụ giữ độ sâu riêng.
curve-thrashing = { CAP($label) }: quá tải (thrashing). Độ sâu { $best } cho { $most } IOPS, độ sâu { $then } chỉ { $iops }. Hãy giữ hàng đợi ở độ sâu { $best }.
curve-knee = { CAP($label) }: điểm gãy ở gần độ sâu { $depth } (IOPS cao nhất { $most } x độ trễ lúc rảnh { $idle }). Hàng đợi sâu hơn nữa chủ yếu làm chờ lâu hơn.
curve-bend = { CAP($label) }: đường cong đo được gãy mạnh nhất ở độ sâu { $depth }.
curve-unsteady = { CAP($label) }: độ trễ không tăng đều theo tải. Thiết bị không ổn định và kết quả tìm giới hạn không đáng tin: hãy tìm lại khi không có gì khác dùng thiết bị.

## evidence/group_limit

group-limit-of = { $device } trong { $cgroup }: nhiều nhất { $most }
group-limit-unknown = { $device } trong { $cgroup }: bị giới hạn, không rõ mức
group-limit-allows = cgroup { $cgroup } cho { $device } nhiều nhất { $most }
group-limit-limits = cgroup { $cgroup } giới hạn { $device }, không rõ mức
group-limit-reads = { $rate } lượt đọc/s
group-limit-writes = { $rate } lượt ghi/s
group-limit-bytes-read = đọc { $rate }
group-limit-bytes-written = ghi { $rate }
group-limit-reached = { $share } giới hạn: { $used }

## fleet/findings

fleet-no-findings = không có kết quả kiểm tra của máy nào: thiếu bản ghi của máy
fleet-unknown-ok = không biết gì về { $hosts }: không có bản ghi riêng; các máy khác: ok
fleet-unknown-blind = không biết gì về { $hosts }: không có bản ghi riêng; các máy khác không kiểm tra được
fleet-one-host = { $host }: { $finding }
fleet-one-of-hosts = { $host }, trong { $hosts } máy: { $finding }
fleet-all-hosts = cả { $hosts } máy, ví dụ { $host }: { $finding }
fleet-some-hosts = { $count } trên { $hosts } máy ({ $names }), ví dụ { $host }: { $finding }
fleet-host-fact = { $host }: { $fact }
fleet-hosts = máy
fleet-served-only-run = thiết bị của máy này chỉ phục vụ yêu cầu từ các máy của lần chạy này

## fleet/wording

fleet-names = { $names }
fleet-names-and-more = { $names } và { $more } máy khác
fleet-missed = { $host } thiếu trong { $missed } trên { $cells } phép đo
fleet-ended-early = { $host } kết thúc sớm: { $reason }
fleet-others = Tiến trình khác: đã theo dõi { $requests } yêu cầu trên { $hosts } máy theo giới hạn { $bound }.
fleet-others-unseen = Tiến trình khác: đã theo dõi { $requests } yêu cầu trên { $hosts } máy theo giới hạn { $bound }. Không thấy yêu cầu nào trên { $unseen }: giới hạn chưa được kiểm chứng ở đó.
fleet-late = Máy điều phối bị trễ: nó đọc những gì các máy đã gửi muộn tới { $late }. Không máy nào bị coi là mất liên lạc vì việc đó; các phép đo có thể bắt đầu muộn hơn dự định.
fleet-relays-lost = Mất liên lạc với { $lost } trên { $relays } trạm chuyển tiếp ({ $names }). Máy điều phối tự nghe các máy của chúng; không số liệu nào đi qua trạm chuyển tiếp.
fleet-no-record = chưa nhận được bản ghi riêng của { $hosts }: fleet collect { $run }
fleet-lost = mất liên lạc với { $host }: { $reason }
fleet-lost-at = mất liên lạc với { $host } sau khi chạy được { $at }: { $reason }
fleet-lost-in = mất liên lạc với { $host } trong { $cell }: { $reason }
fleet-lost-at-in = mất liên lạc với { $host } sau khi chạy được { $at }, trong { $cell }: { $reason }
fleet-in-no-total = không tổng nào có máy này
fleet-totals-without = { $missed } trên { $totals } tổng không có máy này
fleet-lost-host = { $clauses }
fleet-headline-sum =
    { $hosts ->
        [1] { $headline }; 1 máy với đích đo riêng
       *[other] { $headline }; { $hosts } máy, mỗi máy một đích đo riêng, cộng lại
    }
fleet-headline-at-once = { $headline }; { $hosts } máy cùng lúc
fleet-headline-degraded = { $headline }. Không đầy đủ: { $why }
fleet-degraded = không đầy đủ: { $why }
fleet-not-seen = { $checks }: { $why }
fleet-shares = { $hosts } máy của { $cell } đạt tổng cộng { $iops } IOPS: mỗi máy từ { $least } ({ $slowest }) đến { $most } ({ $fastest }).
fleet-slowest = Máy chậm nhất là { $host }: một thao tác của { $cell } ở đó mất { $mean }, gấp { $ratio } lần mức { $median } của máy trung vị.
fleet-even = Không máy nào chậm hơn hẳn: một thao tác của { $cell } mất { $mean } trên máy chậm nhất ({ $host }), { $median } trên máy trung vị.
fleet-starts = Các máy bắt đầu cách nhau nhiều nhất { $skew } (ở { $cell }), theo đồng hồ có sai số ±{ $error }.
fleet-window = Trong { $cell }, các máy không chạy cùng nhau suốt thời gian: máy đầu tiên xong sau { $first }, máy cuối sau { $last }. Tốc độ tính trên { $together } mà tất cả cùng chạy, bằng { $share } thời gian.
fleet-no-window = trong { $cell }, các máy hầu như không lúc nào chạy cùng nhau: tốc độ tính trên toàn bộ { $last }, thấp hơn mức các máy cùng đạt được
fleet-headline-slow = { $headline }. { CAP($slow) }
fleet-sentence = { CAP($clause) }.

## fleet/waves

wave-ended = đợt { $wave }/{ $waves }: { $reason }
waves-not-begun = { $waves } đợt với { $hosts } máy chưa bắt đầu
wave-finding = đợt { $wave }/{ $waves }: { $finding }
waves-finding = { $count } trên { $waves } đợt, ví dụ đợt { $wave }: { $finding }
waves-headline = { $hosts } máy trong { $waves } đợt, mỗi đợt nhiều nhất { $most } máy: không có số tổng, vì không phải mọi máy đều đo cùng lúc
waves-each = { $hosts } máy, tính riêng từng máy ({ $load }, độ sâu { $depth }): từ { $least } ({ $slowest }) đến { $most } ({ $fastest }) IOPS, trung vị { $median }.
waves-starts = Các máy của đợt { $wave } bắt đầu cách nhau nhiều nhất { $skew } (ở { $cell }): từ { $min } đến { $max }, theo sai số đồng hồ của chúng.

## fleet/outliers

outliers-none = không máy nào chậm so với các máy cùng loại: đã so sánh { $hosts } máy
outliers-found = { $slow } trên { $hosts } máy bị chậm
outliers-with-trait = { $slow } trên { $hosts } máy bị chậm: { $count } máy trong số đó có { $what }
outliers-trait = { $kind ->
    [model] model { $value }
    [firmware] firmware { $value }
    [kernel] kernel { $value }
   *[label] nhãn { $value }
}
outliers-evidence = { $what }: { $slow } trên { $hosts } máy có đặc điểm này bị chậm, so với { $others } trên { $without } máy không có ({ $p })
outliers-host = { $host }: { $figure }
outliers-figure = { $load }: { $value }, chậm gấp { $times } lần so với trung vị { $median }
outliers-not-compared = không so sánh vì có ít hơn bốn máy cùng loại hoặc không có số đo: { $hosts }
outliers-sample = mẫu ngẫu nhiên { $hosts } trên { $all } máy: nếu từ { $found } máy trở lên trong tất cả bị chậm, mẫu có ít nhất một máy chậm với xác suất 95 %; để phát hiện { $share } cần { $needed } máy
outliers-peers = { $hosts } máy có { $model }, độ phân tán { $spread }
outliers-peers-unknown = { $hosts } máy, độ phân tán { $spread }
outliers-p99 = p99 { $value }

## interference

interference-latency = { CAP($label) }: { $statistic } là { $alone } khi chạy riêng, { $beside } (gấp { $times } lần) khi có { $writes } lượt ghi/s
interference-writes-alone = Khi chạy riêng, đích đo hoàn thành { $writes } lượt ghi ngẫu nhiên mỗi giây (độ sâu 32); các tỷ lệ tính theo mức này.
interference-reads = { CAP($label) }: { $alone } lượt đọc mỗi giây khi chạy riêng, { $beside } khi có { $writes } lượt ghi mỗi giây.
interference-writes-behind = Từ { $share } mức ghi tối đa trở đi, đích đo hoàn thành ít hơn số yêu cầu đến: { $writes } mỗi giây. Đích đo hoặc máy này đã đầy tải, và lần đọc phải chờ cùng lần ghi.
interference-reads-drifted = Đọc riêng mất trung bình { $before } trước khi ghi và { $after } sau khi ghi. Đích đo không giữ nguyên suốt quá trình, nên so sánh chỉ là gần đúng.

## ladder

ladder-rung = { $kind ->
    [sold] { $example } ({ $iops } IOPS, mức được bán)
    [computed] { $example } ({ $iops } IOPS, tính toán)
   *[measured] { $example } ({ $iops } IOPS, đo được)
}
ladder-between = So với các thiết bị điển hình, { $iops } lượt đọc ngẫu nhiên/s nằm giữa { $above } và { $below }.
ladder-below = So với các thiết bị điển hình, { $iops } lượt đọc ngẫu nhiên/s thấp hơn { $below }.
ladder-above = So với các thiết bị điển hình, { $iops } lượt đọc ngẫu nhiên/s cao hơn { $above }.

## pauses

## preset

preset-at-least = ít nhất { $limit }
preset-below = dưới { $limit }
preset-not-measured = không đo
preset-too-few-operations = quá ít thao tác cho phân vị này
preset-interval-meets = toàn bộ khoảng tin cậy đạt ngưỡng
preset-interval-misses = toàn bộ khoảng tin cậy không đạt ngưỡng
preset-interval-meets-in-part = chỉ một phần khoảng tin cậy đạt ngưỡng
preset-clearly-meets = số liệu rõ ràng đạt ngưỡng
preset-clearly-misses = số liệu rõ ràng không đạt ngưỡng
preset-near-threshold = số liệu gần ngưỡng và không có khoảng tin cậy
preset-pass = { $missed-advice ->
    [0] { $preset }: ĐẠT, đạt { $met } trên { $all } ngưỡng
   *[other] { $preset }: ĐẠT, đạt { $met } trên { $all } ngưỡng; không đạt { $missed-advice } khuyến nghị
}
preset-undecided = { $missed-advice ->
    [0] { $preset }: chưa kết luận được { $open } trên { $all } ngưỡng; đạt: { $met }
   *[other] { $preset }: chưa kết luận được { $open } trên { $all } ngưỡng; đạt: { $met }; không đạt { $missed-advice } khuyến nghị
}
preset-fail = { $missed-advice ->
    [0] { $preset }: KHÔNG ĐẠT, không đạt { $missed } trên { $all } ngưỡng
   *[other] { $preset }: KHÔNG ĐẠT, không đạt { $missed } trên { $all } ngưỡng và { $missed-advice } khuyến nghị
}
preset-main-figures = { $preset }: { $figures }
preset-no-figure = { $preset }: không bước nào cho số liệu
preset-files-created = tạo { $rate } tệp mỗi giây
preset-surface-rate = đọc trung bình { $mean } trên toàn bề mặt
preset-best-reads = đọc { $value } ({ $step })
preset-best-writes = ghi { $value } ({ $step })
presets-title = Các bài đo có sẵn
head-at-most = tối đa
head-test-file = tệp
preset-only-reads = { $title } (chỉ đọc)
preset-group-servers = Máy chủ và ổ đĩa
preset-group-applications = Ứng dụng
preset-group-cards = Thẻ nhớ
preset-group-crystaldiskmark = CrystalDiskMark
preset-group-tools = Công cụ khác
preset-group-small-files = Tệp nhỏ
preset-group-own = Của bạn
preset-broken = LỖI: { $error }
presets-note = Thời gian chỉ tính phần đo; tạo tệp mất thêm thời gian. truedisk preset NAME PATH chạy một bài, --show NAME in nội dung; ./FILE.toml là bài của bạn.
preset-title-a1 = thẻ nhớ: có đạt mức mà hạng A1 cam kết không?
preset-title-a2 = thẻ nhớ: có đạt mức mà hạng A2 cam kết không?
preset-title-backup = sao lưu và khôi phục: đọc và ghi tuần tự dài
preset-title-cloud = ổ đĩa cloud: kết hợp, đọc, ghi ở độ sâu 64, rồi độ trễ
preset-title-crystaldiskmark = như CrystalDiskMark hiển thị: 1 MiB tuần tự, 4 KiB ngẫu nhiên
preset-title-crystaldiskmark-mix = CrystalDiskMark với phần kết hợp 70 % đọc
preset-title-crystaldiskmark-nvme = CrystalDiskMark cho NVMe: hàng đợi sâu, 16 luồng
preset-title-crystaldiskmark-nvme-peak = mức đỉnh của CrystalDiskMark với thiết lập cho NVMe: 16 luồng
preset-title-crystaldiskmark-flash = CrystalDiskMark cho thẻ nhớ và USB: lượt ngắn, nghỉ dài
preset-title-crystaldiskmark-peak = mức đỉnh của CrystalDiskMark: hai bài sâu nhất
preset-title-crystaldiskmark-real = thực tế theo CrystalDiskMark: mỗi lúc một yêu cầu
preset-title-crystaldiskmark-demo = bản demo của CrystalDiskMark: một bài
preset-title-crystaldiskmark-9 = như CrystalDiskMark 9 hiển thị: cùng các bài, ba lượt
preset-title-crystaldiskmark-7 = các bài của CrystalDiskMark 7
preset-title-crystaldiskmark-6 = các bài của CrystalDiskMark 6
preset-title-crystaldiskmark-5 = các bài của CrystalDiskMark 5
preset-title-dd = sáu bài mà người ta thường chạy với dd
preset-title-etcd = etcd: có đủ nhanh cho nhật ký và cơ sở dữ liệu của nó không?
preset-title-file-server = máy chủ tệp: 80 % đọc, 4 đến 64 KiB ngẫu nhiên
preset-title-gnome-disks = như bài đo của GNOME Disks hiển thị: truyền 10 MiB và thời gian truy cập
preset-title-hdparm = như hdparm -T, -t và --direct hiển thị: bộ nhớ, đọc trước của bộ đệm trang, và ổ đĩa
preset-title-hdtune = như HD Tune hiển thị: đường cong trên bề mặt đĩa và truy cập ngẫu nhiên theo kích thước
preset-title-kafka = Kafka: ghi nối nhật ký trong khi consumer đọc bù
preset-title-metadata = tệp nhỏ: tạo, stat, mở, liệt kê, đổi tên, xóa
preset-title-mysql = MySQL: nhật ký InnoDB, các trang 16 KiB, và việc ghi trang xuống đĩa
preset-title-oltp = OLTP: trang 8 KiB, 70/30, cùng lúc với nhật ký
preset-title-postgresql = PostgreSQL: commit, và trang 8 KiB ngẫu nhiên
preset-title-prometheus = Prometheus, hoặc mọi cây LSM: nén gộp cùng lúc với truy vấn
preset-title-redis-aof = Redis: tệp ghi nối, đồng bộ mỗi giây và ở mỗi lần ghi
preset-title-snia = trạng thái ổn định: IOPS, thông lượng, độ trễ, bão hòa ghi
preset-title-sqlite = SQLite: số giao dịch mỗi giây
preset-title-vdi = máy tính để bàn ảo: phần lớn là ghi ngẫu nhiên nhỏ
preset-title-vm-boot = khởi động máy ảo: đọc ngẫu nhiên nhiều kích thước
preset-title-vps = máy chủ mới: băng thông, thao tác ngẫu nhiên, độ trễ
preset-title-web-server = máy chủ web: đọc ngẫu nhiên tệp nhỏ, ghi nối nhật ký
preset-title-winsat = như winsat disk hiển thị: tốc độ ngẫu nhiên và tuần tự, và các lượt đọc chờ ghi
preset-title-yabs = phần ổ đĩa của yabs: đọc và ghi ngẫu nhiên kết hợp ở bốn kích thước
preset-without-writes = không được ghi gì: bỏ qua { $steps }
preset-shorter-times = mọi thời lượng bằng { $share } của bài đo, để xong trong { $budget }
preset-other-size = tệp đo có { $size } thay vì { $wanted }
preset-no-whole-sector = bỏ qua '{ $step }': { $size } không phải bội số của kích thước sector, { $sector }
preset-no-fresh-file = '{ $step }' ghi đè lên các khối đã ghi trước đó: không đủ chỗ trống cho khối mới
preset-step-again = '{ $step }' được đo lại: lần đầu không thao tác nào hoàn thành trong thời gian của nó
preset-no-direct-io = đích này không hỗ trợ direct I/O: đọc và ghi đi qua bộ đệm trang
preset-too-small-for-surface = đích quá nhỏ cho { $places } vị trí trên bề mặt
preset-step-a1-sequential = ghi tuần tự 512k
preset-step-a1-read = đọc ngẫu nhiên 4k, độ sâu 1
preset-step-a1-write = ghi ngẫu nhiên 4k, độ sâu 1
preset-step-a2-sequential = ghi tuần tự 512k
preset-step-a2-read = đọc ngẫu nhiên 4k, độ sâu 32
preset-step-a2-write = ghi ngẫu nhiên 4k, độ sâu 32
preset-step-backup-read-large = tệp lớn: đọc tuần tự 1m, độ sâu 4
preset-step-backup-read-small = tệp nhỏ: đọc ngẫu nhiên 64k, độ sâu 4
preset-step-backup-restore = ghi 1m, đồng bộ mỗi 256 MiB
preset-step-backup-verify = đọc song song với ghi
preset-step-cloud-randrw = kết hợp ngẫu nhiên 75/25 4k, độ sâu 64
preset-step-cloud-randread = đọc ngẫu nhiên 4k, độ sâu 64
preset-step-cloud-randwrite = ghi ngẫu nhiên 4k, độ sâu 64
preset-step-cloud-latency = đọc ngẫu nhiên 4k, mỗi 100 ms
preset-note-cloud-latency = như ioping: thời gian một yêu cầu khi ổ đĩa không có việc khác
preset-note-dd-write-8k-direct = đo độ trễ của từng lần ghi 8 KiB, đến bộ đệm của ổ đĩa; không đo được khả năng của ổ đĩa khi có nhiều yêu cầu hơn, cũng không cho biết dữ liệu có an toàn không
preset-note-dd-read-8k-direct = đo độ trễ của từng lần đọc 8 KiB kề nhau, mà ổ đĩa và máy đọc trước; không phải đọc ngẫu nhiên
preset-note-dd-write-1m-direct = đo từng lần ghi 1 MiB, đến bộ đệm của ổ đĩa; không cho biết dữ liệu có an toàn không, cũng không cho biết tốc độ khi bộ đệm đầy
preset-note-dd-read-1m-direct = đo từng lần đọc 1 MiB; ổ đĩa nhanh rảnh giữa hai lần đọc
preset-note-dd-write-1m-fdatasync = đo việc ghi vào bộ nhớ rồi ghi hết xuống ổ đĩa và flush: thời gian chép một tệp cỡ này đến khi an toàn; không cho biết một lần ghi lớn giữa các tải khác mất bao lâu
preset-note-dd-read-1m-buffered = với tệp vừa đọc hoặc ghi, bài này đo việc chép từ bộ nhớ; nếu không thì đo đọc trước của bộ đệm trang; ở đây tệp được bỏ khỏi bộ nhớ trước
preset-step-etcd-wal = nhật ký: ghi 2300 B + fdatasync
preset-note-etcd-wal = trong tệp mới đã cấp phát sẵn khối, như etcd cấp phát trước nhật ký
preset-step-etcd-backend = cơ sở dữ liệu: 32 trang + fdatasync
preset-note-etcd-backend = nửa commit: bbolt ghi các trang đã đổi, đồng bộ, ghi trang meta, đồng bộ lần nữa, mỗi 100 ms hoặc mỗi 10 000 thay đổi
preset-step-etcd-heavy = nhật ký 8000 B + fdatasync
preset-note-etcd-heavy = IOPS tuần tự theo cách đếm của hướng dẫn OpenShift: cần 50, nếu tải nặng thì 500
preset-step-file-server-light = tải nhẹ: độ sâu 8
preset-step-file-server-moderate = tải vừa: độ sâu 64
preset-note-hdparm-cached = cùng 2 MiB lặp đi lặp lại: chép trong bộ nhớ; không nói gì về ổ đĩa
preset-note-hdparm-buffered = qua bộ đệm trang đã xóa, có đọc trước: tốc độ mà chương trình đọc tệp từ đầu nhận được
preset-note-hdparm-direct-cached = cùng 2 MiB, không qua bộ đệm trang: bộ đệm của ổ đĩa hoặc của máy chủ ảo hóa
preset-note-hdparm-direct = mỗi lần 2 MiB, từng yêu cầu một: ít hơn khả năng của ổ đĩa khi có nhiều yêu cầu hơn
preset-note-hdtune-access = trên toàn bộ đích, như mọi lần đọc ngẫu nhiên bên dưới
preset-note-hdtune-burst = cùng 64 KiB lặp đi lặp lại: bộ đệm của ổ đĩa và đường đến đó
preset-note-hdtune-random-mixed = mọi bội số của 4 KB đến 1 MB, với tần suất như nhau
preset-step-kafka-produce = ghi 1m, cứ tám lần thì một lần ở chỗ khác
preset-step-kafka-catch-up = ghi một nhật ký, đọc một nhật ký cũ
preset-step-kafka-append = ghi nối 64k, đồng bộ mỗi 16 MiB
preset-note-kafka-append = qua bộ đệm trang, buộc ổ đĩa theo kịp: tốc độ mà một broker giữ được
preset-step-metadata-small-files = tệp nhỏ
preset-step-mysql-redo = commit: ghi 4k nhật ký + fsync
preset-step-mysql-page = đọc ngẫu nhiên 16k, độ sâu 1
preset-step-mysql-pages = đọc ngẫu nhiên 16k, độ sâu 32
preset-step-mysql-flush = ghi ngẫu nhiên 16k, độ sâu 8
preset-note-mysql-flush = page cleaner; bộ đệm doublewrite ghi mỗi trang thêm một lần, theo tuần tự
preset-step-oltp-load = trang 70/30, độ sâu 16, cùng nhật ký
preset-step-oltp-scan = quét: đọc tuần tự 512k, độ sâu 4
preset-step-postgresql-wal = commit: ghi 8k + fdatasync
preset-note-postgresql-wal = một client commit liên tục; nhiều client dùng chung một flush, nên đây là mức thấp nhất
preset-step-postgresql-page = tra chỉ mục: đọc ngẫu nhiên 8k, độ sâu 1
preset-note-postgresql-page = một truy vấn chờ từng trang
preset-step-postgresql-pages = nhiều client: đọc ngẫu nhiên 8k, độ sâu 32
preset-step-postgresql-busy = trang 70/30 ở độ sâu 16, cùng commit
preset-note-postgresql-busy = chi phí của commit khi các trang đang được đọc và ghi lại
preset-step-prometheus-queries = đọc ngẫu nhiên 4k, độ sâu 4
preset-step-prometheus-compaction = như trên, cùng lúc với nén gộp
preset-note-prometheus-compaction = ảnh hưởng của nén gộp đến truy vấn: so với dòng trên
preset-step-prometheus-wal = nhật ký: ghi 32k qua bộ đệm trang
preset-note-prometheus-wal = mẫu của mỗi lần thu thập; đồng bộ khi một đoạn 128 MiB đầy
preset-step-redis-aof-everysec = 4k, 1 000 lần/s, fdatasync mỗi giây
preset-step-redis-aof-always = 512 B + fdatasync
preset-note-redis-aof-always = Redis chờ từng lần: đây là số lệnh mỗi giây nhiều nhất của một client
preset-step-snia-precondition = ghi 128k, gấp đôi dung lượng
preset-step-snia-saturation = bão hòa: ghi ngẫu nhiên 4k, độ sâu 32
preset-note-snia-saturation = các vòng 20 s; tốc độ theo thời gian có trong bản ghi
preset-step-snia-iops-100-0-128k = IOPS: kết hợp ngẫu nhiên 100/0 128k, độ sâu 32
preset-step-snia-iops-100-0-64k = IOPS: kết hợp ngẫu nhiên 100/0 64k, độ sâu 32
preset-step-snia-iops-100-0-8k = IOPS: kết hợp ngẫu nhiên 100/0 8k, độ sâu 32
preset-step-snia-iops-100-0-4k = IOPS: kết hợp ngẫu nhiên 100/0 4k, độ sâu 32
preset-step-snia-iops-65-35-128k = IOPS: kết hợp ngẫu nhiên 65/35 128k, độ sâu 32
preset-step-snia-iops-65-35-64k = IOPS: kết hợp ngẫu nhiên 65/35 64k, độ sâu 32
preset-step-snia-iops-65-35-8k = IOPS: kết hợp ngẫu nhiên 65/35 8k, độ sâu 32
preset-step-snia-iops-65-35-4k = IOPS: kết hợp ngẫu nhiên 65/35 4k, độ sâu 32
preset-step-snia-iops-0-100-128k = IOPS: kết hợp ngẫu nhiên 0/100 128k, độ sâu 32
preset-step-snia-iops-0-100-64k = IOPS: kết hợp ngẫu nhiên 0/100 64k, độ sâu 32
preset-step-snia-iops-0-100-8k = IOPS: kết hợp ngẫu nhiên 0/100 8k, độ sâu 32
preset-step-snia-iops-0-100-4k = IOPS: kết hợp ngẫu nhiên 0/100 4k, độ sâu 32
preset-step-snia-throughput-read-128k = thông lượng: đọc tuần tự 128k
preset-step-snia-throughput-write-128k = thông lượng: ghi tuần tự 128k
preset-step-snia-throughput-read-1m = thông lượng: đọc tuần tự 1m
preset-step-snia-throughput-write-1m = thông lượng: ghi tuần tự 1m
preset-step-snia-latency-100-0-8k = độ trễ: kết hợp ngẫu nhiên 100/0 8k, độ sâu 1
preset-step-snia-latency-65-35-8k = độ trễ: kết hợp ngẫu nhiên 65/35 8k, độ sâu 1
preset-step-snia-latency-0-100-8k = độ trễ: kết hợp ngẫu nhiên 0/100 8k, độ sâu 1
preset-step-snia-latency-100-0-4k = độ trễ: kết hợp ngẫu nhiên 100/0 4k, độ sâu 1
preset-step-snia-latency-65-35-4k = độ trễ: kết hợp ngẫu nhiên 65/35 4k, độ sâu 1
preset-step-snia-latency-0-100-4k = độ trễ: kết hợp ngẫu nhiên 0/100 4k, độ sâu 1
preset-step-sqlite-rollback = một trang + fsync: một phần tư commit
preset-note-sqlite-rollback = các lần flush trang nhật ký, thư mục, phần đầu nhật ký và cơ sở dữ liệu: ở chế độ DELETE mỗi giao dịch có bốn lần
preset-step-sqlite-wal = ghi nối một trang + fsync
preset-step-sqlite-read = đọc ngẫu nhiên 4k, độ sâu 1
preset-note-sqlite-read = trang không có trong bộ đệm nào: điều mà các truy vấn đầu tiên sau khi khởi động phải chờ
preset-step-vdi-most = kết hợp ngẫu nhiên 10/90 4k, độ sâu 32
preset-step-vdi-work = 250 thao tác mỗi giây, theo lúc đến
preset-note-vdi-work = 25 máy tính để bàn, mỗi máy 10 IOPS, vòng hở: thời gian chờ được tính
preset-step-vm-boot-one = một máy ảo, độ sâu 4
preset-step-vm-boot-ten = mười máy ảo cùng lúc, độ sâu 40
preset-note-vm-boot-ten = nhiều máy khởi động cùng lúc
preset-step-vps-bandwidth-read = đọc tuần tự 1m, độ sâu 16
preset-step-vps-bandwidth-write = ghi tuần tự 1m, độ sâu 16
preset-step-vps-random-read = đọc ngẫu nhiên 4k, độ sâu 64
preset-step-vps-random-write = ghi ngẫu nhiên 4k, độ sâu 64
preset-step-vps-latency-read = đọc ngẫu nhiên 4k, độ sâu 1
preset-note-vps-latency-read = mức mà chương trình chờ từng yêu cầu nhận được
preset-step-vps-latency-write = ghi ngẫu nhiên 4k, độ sâu 1
preset-step-vps-commit = ghi 4k + fdatasync
preset-note-vps-commit = mức mà cơ sở dữ liệu nhận được khi ghi bền từng thay đổi
preset-step-web-server-serve = mười lần đọc tệp mỗi lần ghi, độ sâu 100
preset-note-winsat-flush-seq = đọc ngẫu nhiên 16 KiB, từng yêu cầu một, trong khi ghi tuần tự 64 KiB và flush sau mỗi 16 lần ghi
preset-note-winsat-flush-ran = như trên, trong khi ghi 16 KiB ở vị trí ngẫu nhiên
preset-step-yabs-mixed-4k = kết hợp ngẫu nhiên 4k
preset-step-yabs-mixed-64k = kết hợp ngẫu nhiên 64k
preset-step-yabs-mixed-512k = kết hợp ngẫu nhiên 512k
preset-step-yabs-mixed-1m = kết hợp ngẫu nhiên 1m
preset-plan-note-a1-1 = các mức yêu cầu là của SD Association; vùng đo 256 MiB và độ sâu 1 là cách chúng tôi hiểu đặc tả của họ, vốn chỉ thành viên mới xem được
preset-plan-note-a2-1 = các mức yêu cầu là của SD Association; vùng đo 256 MiB và độ sâu 32 là cách chúng tôi hiểu đặc tả của họ, vốn chỉ thành viên mới xem được
preset-plan-note-a2-2 = thẻ hạng này chỉ đạt các mức đó trong đầu đọc dùng hàng đợi lệnh và bộ đệm của thẻ
preset-plan-note-cloud-1 = công thức gốc kết thúc mỗi lần chạy fio sau một lượt qua tệp; ở đây mỗi lần chạy kéo dài một thời gian cố định, để ổ đĩa chậm và nhanh được đo như nhau
preset-plan-note-crystaldiskmark-1 = CrystalDiskMark hiển thị lượt nhanh nhất và độ trễ trung bình ngắn nhất của một lượt, có thể là lượt khác; ở đây cả hai là điểm số, bên cạnh trung vị của các lượt và khoảng tin cậy của nó
preset-plan-note-crystaldiskmark-2 = MB/s là số byte mỗi giây chia cho 1 000 000, như trong CrystalDiskMark; KDiskMark 3.3 chia KiB/s cho 1000 và hiển thị ít hơn 2,4 %
preset-plan-note-crystaldiskmark-3 = CrystalDiskMark lấp đầy tệp bằng cùng một MiB ngẫu nhiên lặp lại; ở đây mọi sector đều khác nhau, để không tầng nào bên dưới có thể nén hay khử trùng lặp dữ liệu
preset-plan-note-crystaldiskmark-flash-1 = thời gian của thiết lập Flash Memory, đo 1 s và nghỉ 30 s giữa hai bài, là cách chúng tôi hiểu bản 9; mã nguồn bản 8 mà chúng tôi có không có thiết lập này, cũng không có thời gian ngắn như vậy
preset-plan-note-crystaldiskmark-flash-2 = lượt không tính trước mỗi bài dài bằng các lượt khác, như trong mã nguồn mới nhất mà chúng tôi có; các bản 8 đầu tiên luôn dành 5 s cho lượt này
preset-plan-note-crystaldiskmark-9-1 = ba lượt, trong khi các bản 5 đến 8 chạy năm lượt, là cách chúng tôi hiểu mã nguồn bản 9
preset-plan-note-dd-1 = dd không có conv=notrunc làm rỗng tệp trước, nên còn đo cả việc hệ thống tệp cấp phát khối mới
preset-plan-note-dd-2 = dd ghi số 0, và preset này cũng vậy: ổ đĩa hoặc máy chủ vật lý có nén hay khử trùng lặp dữ liệu sẽ trông nhanh hơn thực tế
preset-plan-note-etcd-1 = etcd xét phân vị 99 của wal_fsync_duration_seconds, tức chỉ thời gian của fdatasync
preset-plan-note-etcd-2 = OpenShift chấp nhận đến 20 ms; preset này dùng giới hạn của chính etcd
preset-plan-note-etcd-3 = giới hạn của etcd cho một commit của backend là 25 ms. Mỗi commit có hai fdatasync, một sau các trang và một sau trang meta, và mỗi cái không được quá một nửa giới hạn. Vì vậy, một commit gồm một fdatasync nhanh và một fdatasync chậm vẫn có thể nằm trong giới hạn của etcd dù preset này báo không đạt; và khi preset này báo đạt, có thể 2 trong 100 commit thay vì 1 vượt giới hạn
preset-plan-note-etcd-4 = OpenShift khuyến nghị 500 IOPS tuần tự cho cụm chịu tải nặng; ổ đĩa từ 50 đến 500 vẫn đạt và đủ cho các cụm khác
preset-plan-note-file-server-1 = một phần năm thao tác của mẫu gốc nhỏ hơn 4 KiB; ở đây chúng là 4 KiB, vì ổ đĩa có sector 4 KiB không làm được thao tác nhỏ hơn
preset-plan-note-gnome-disks-1 = trước mỗi lần truyền, GNOME Disks đọc một trang tại chỗ đó mà không tính thời gian, nên tốc độ của nó không gồm thời gian tìm kiếm. Ở đây mọi tốc độ đều gồm thời gian đó: ổ cứng HDD 200 MB/s có thời gian tìm kiếm 12 ms cho kết quả thấp hơn một phần năm so với GNOME Disks; với ổ đĩa khác, chênh lệch nhỏ
preset-plan-note-gnome-disks-2 = GNOME Disks đọc ở 100 chỗ cách đều trên toàn ổ đĩa; ở đây 100 khối khác nhau được chọn ngẫu nhiên từ tệp hoặc thiết bị được chỉ định
preset-plan-note-gnome-disks-3 = GNOME Disks ghi lại dữ liệu vừa đọc; ở đây ghi byte ngẫu nhiên, và chỉ ở nơi việc đó không phá hỏng dữ liệu
preset-plan-note-gnome-disks-4 = tốc độ ghi là trung bình tốc độ của từng lần ghi cùng với fsync của nó; bản ghi không giữ fsync nào đi sau lần ghi nào, nên lấy trung bình trên mọi tổ hợp gồm một lần ghi và một fsync
preset-plan-note-gnome-disks-5 = truyền từng lần một cho thấy ít hơn nhiều so với khả năng của ổ đĩa nhanh
preset-plan-note-hdparm-1 = MB của hdparm là MiB; chỉ đọc phần đầu ổ đĩa, là phần nhanh nhất của ổ cứng HDD
preset-plan-note-hdtune-1 = HD Tune đọc ổ đĩa từ đầu đến cuối; ở đây 101 chỗ được đọc theo thứ tự ngẫu nhiên, để thay đổi theo thời gian không bị nhầm là đặc điểm của một chỗ; các lần đọc ngẫu nhiên trong mỗi chỗ cho biết tìm kiếm ngắn ở đó mất bao lâu
preset-plan-note-hdtune-2 = mã nguồn của HD Tune không công khai; theo chỗ chúng tôi biết, mặc định của nó là khối 64 KB, từng khối một; ổ đĩa nhanh làm được nhiều hơn với khối lớn hơn hoặc nhiều yêu cầu đồng thời hơn
preset-plan-note-hdtune-3 = dòng cuối của HD Tune dùng kích thước từ 512 byte; ở đây bắt đầu từ 4 KB, vì ổ đĩa có sector 4 KB không làm được kích thước nhỏ hơn
preset-plan-note-hdtune-4 = với tệp đo, chỉ thấy phần ổ đĩa chứa tệp; để thấy toàn ổ đĩa, hãy chỉ định thiết bị: thiết bị chỉ bị đọc
preset-plan-note-hdtune-5 = MB của HD Tune được coi là 1 000 000 byte
preset-plan-note-kafka-1 = Kafka để hệ thống tự flush, nên ổ đĩa nhận các lần ghi tuần tự lớn; ghi trực tiếp 1 MiB cho thấy điều đó mà không qua bộ đệm trang
preset-plan-note-metadata-1 = tạo gồm open, write và close; mở gồm open, read và close; với fsync, lần tạo đồng bộ tệp của nó, còn lần đổi tên hoặc xóa đồng bộ thư mục của nó
preset-plan-note-metadata-2 = tệp được dùng theo thứ tự tạo ra, mỗi luồng dùng tệp riêng; tệp không có trong bộ nhớ được hỏi (stat) và mở theo thứ tự ngẫu nhiên
preset-plan-note-mysql-1 = innodb_io_capacity là số IOPS mà InnoDB cho rằng có để ghi trang xuống đĩa: 200 đến bản 8.0, 10000 từ bản 8.4; hãy đặt nó bằng IOPS của bước 'flush' (ghi ngẫu nhiên 16k)
preset-plan-note-redis-aof-1 = với everysec, Redis vẫn chạy tiếp trong lúc fdatasync, và hoãn ghi khi một fdatasync lâu hơn hai giây
preset-plan-note-snia-1 = theo kiểu PTS, không phải toàn bộ đặc tả: đặc tả đòi hỏi cả thiết bị đã xóa trước, các vòng một phút cho mỗi phép đo, và nhiều kích thước hơn; ở đây đích là một tệp, hoặc phần thiết bị được chỉ định
preset-plan-note-snia-2 = một vòng là một lượt qua mọi phép đo của một phần; một phần kết thúc khi năm vòng liên tiếp chênh nhau không quá 20 % giá trị trung bình và trôi không quá 10 %, hoặc sau 25 vòng; năm vòng cuối được báo cáo
preset-plan-note-snia-3 = phần bão hòa bắt đầu sau khi đích được ghi tuần tự hai lần, không phải trên thiết bị vừa xóa: nó cho thấy quá trình đi tới trạng thái ổn định, không phải những giờ đầu của ổ đĩa mới; việc ghi tuần tự dừng sau 10 phút dù chưa xong
preset-plan-note-snia-4 = hãy cho --size lớn nhất mà ổ đĩa cho phép: trạng thái ổn định của một phần nhỏ chỉ đúng cho phần đó
preset-plan-note-sqlite-1 = với nhật ký rollback, mỗi giao dịch có bốn lần đồng bộ: số giao dịch mỗi giây bằng một phần tư số lần đồng bộ mỗi giây, và ngưỡng 120 lần đồng bộ tương ứng với 30 giao dịch
preset-plan-note-sqlite-2 = journal_mode=TRUNCATE và PERSIST đồng bộ nhật ký đã làm rỗng thay cho thư mục của nó: cũng bốn lần; synchronous=EXTRA đồng bộ thư mục thêm một lần sau khi xóa nhật ký: năm lần
preset-plan-note-sqlite-3 = ở đây mỗi lần đồng bộ đi sau một lần ghi 4 KiB; những thay đổi của hệ thống tệp khi tạo và xóa nhật ký phải cộng thêm
preset-plan-note-vdi-1 = lấy IOPS chia cho 10 để được số người dùng trung bình, chia cho 20 để được số người dùng nặng
preset-plan-note-web-server-1 = máy chủ thật đọc các tệp phổ biến từ bộ nhớ; đây là các lần đọc phải xuống ổ đĩa
preset-plan-note-web-server-2 = filebench ghi nối vào một nhật ký; ở đây các lần ghi đến những chỗ ngẫu nhiên, như các lần đọc. Một tác vụ làm cả hai: chỉ như vậy mới có một lần ghi trên mười lần đọc với ổ đĩa nhanh hay chậm
preset-plan-note-winsat-1 = mã nguồn của winsat không công khai, và độ sâu của các bài đo tốc độ không được công bố. Nó lớn hơn 1: với một ổ NVMe, winsat báo 132 000 lần đọc ngẫu nhiên và 106 000 lần đọc tuần tự mỗi giây, nhưng 0,040 ms cho một lần đọc đơn lẻ. Preset này dùng độ sâu 8, khớp với các số liệu như vậy của ổ NVMe, ổ SATA và ổ cứng HDD. Chỉ so sánh được tốc độ trong phạm vi đó
preset-plan-note-winsat-2 = việc các bài -flush làm được suy ra từ văn bản và số liệu của winsat: đo thời gian từng lần đọc trong khi một tác vụ khác ghi và flush
preset-plan-note-winsat-3 = không có điểm Windows Experience Index: công thức của nó chưa từng được công bố
preset-plan-note-winsat-4 = thời gian đọc phải chờ ghi là con số mà các công cụ cùng loại bỏ qua
preset-plan-note-yabs-1 = trên ARM (32 và 64 bit) yabs dùng 512 MiB thay vì 2 GiB: ở đây --size 512m cũng làm như vậy
preset-plan-note-yabs-2 = yabs không đo độ trễ (gtod_reduce), không đo đọc riêng và không đo gì tuần tự; ổ đĩa nhanh xong trong một hai giây, khi burst vẫn còn
preset-plan-note-yabs-3 = KB, MB và GB là lũy thừa của 1000; trước tháng 7 năm 2026 yabs ghi KiB là KB và hiển thị ít hơn 2,4 %
preset-imitates-a1 = Application Performance Class 1 của SD Association: thao tác ngẫu nhiên 4 KiB, 1500 lần đọc và 500 lần ghi mỗi giây, và 10 MB/s tuần tự
preset-imitates-a2 = Application Performance Class 2 của SD Association: thao tác ngẫu nhiên 4 KiB, 4000 lần đọc và 2000 lần ghi mỗi giây, và 10 MB/s tuần tự
preset-imitates-backup = một lần sao lưu đọc tệp lớn và nhỏ, và một lần khôi phục ghi rồi đồng bộ; kích thước khối và độ sâu do chúng tôi chọn
preset-imitates-cloud = công thức mà người dùng ổ đĩa đám mây truyền nhau: fio trên tệp 4 GiB, khối 4 KiB, libaio, độ sâu 64, randrw 75/25, randread, randwrite; rồi ioping
preset-imitates-crystaldiskmark = CrystalDiskMark 8 và 9, cấu hình Default, với năm lượt của bản 8 (ba lượt của bản 9: crystaldiskmark-9)
preset-imitates-crystaldiskmark-mix = CrystalDiskMark 8 và 9, cấu hình Default [+Mix]
preset-imitates-crystaldiskmark-nvme = CrystalDiskMark 8 và 9, cấu hình Default với thiết lập NVMe SSD
preset-imitates-crystaldiskmark-nvme-mix = CrystalDiskMark 8 và 9, cấu hình Default [+Mix] với thiết lập NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak = CrystalDiskMark 8 và 9, cấu hình Peak Performance với thiết lập NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak-mix = CrystalDiskMark 8 và 9, cấu hình Peak Performance [+Mix] với thiết lập NVMe SSD
preset-imitates-crystaldiskmark-flash = CrystalDiskMark 9, cấu hình Default với thiết lập Flash Memory: đo 1 s, nghỉ 30 s giữa hai bài; với năm lượt của bản 8
preset-imitates-crystaldiskmark-flash-mix = CrystalDiskMark 9, cấu hình Default [+Mix] với thiết lập Flash Memory: đo 1 s, nghỉ 30 s giữa hai bài; với năm lượt của bản 8
preset-imitates-crystaldiskmark-peak = CrystalDiskMark 8 và 9, cấu hình Peak Performance
preset-imitates-crystaldiskmark-peak-mix = CrystalDiskMark 8 và 9, cấu hình Peak Performance [+Mix]
preset-imitates-crystaldiskmark-real = CrystalDiskMark 8 và 9, cấu hình Real World Performance
preset-imitates-crystaldiskmark-real-mix = CrystalDiskMark 8 và 9, cấu hình Real World Performance [+Mix]
preset-imitates-crystaldiskmark-demo = CrystalDiskMark 8 và 9, cấu hình Demo
preset-imitates-crystaldiskmark-9 = CrystalDiskMark 9, cấu hình Default: các bài của bản 8 trong ba lượt
preset-imitates-crystaldiskmark-7 = CrystalDiskMark 7, cấu hình Default
preset-imitates-crystaldiskmark-6 = CrystalDiskMark 6
preset-imitates-crystaldiskmark-5 = CrystalDiskMark 5
preset-imitates-dd = dd của coreutils: từng khối một, ghi số 0, trên tệp đã có (conv=notrunc)
preset-imitates-etcd = lệnh fio trong các hướng dẫn etcd (các lần ghi 2300 byte qua bộ đệm trang, sau mỗi lần là fdatasync, trong một tệp mới 22 MiB); các lần ghi và fdatasync của một commit của backend; và các lần ghi 8000 byte trong hướng dẫn của OpenShift
preset-imitates-file-server = mẫu truy cập máy chủ tệp của Iometer như trong ví dụ của fio, với tải nhẹ (độ sâu 8) và tải vừa (độ sâu 64)
preset-imitates-gnome-disks = GNOME Disks (gnome-disk-utility): 100 lần truyền 10 MiB, từng lần một, không qua bộ đệm trang, mỗi lần ghi dùng O_SYNC và theo sau là fsync; 1000 lần đọc ngẫu nhiên 4 KiB
preset-imitates-hdparm = hdparm 9.65, -T và -t, mỗi bài có và không có --direct: đọc 2 MiB, từng lần một, trong 2 s và 3 s, mỗi bài sau một sync và nghỉ 3 s (-T: 4 s)
preset-imitates-hdtune = HD Tune Pro 5: tốc độ truyền trên toàn ổ đĩa, mỗi lần một khối 64 KB; thời gian truy cập, tốc độ burst, và truy cập ngẫu nhiên từ 512 byte đến 1 MB, đều trên toàn ổ đĩa
preset-imitates-kafka = một broker có bộ đệm trang được kernel ghi xuống theo mảnh lớn, và có các consumer bị chậm đọc từ ổ đĩa
preset-imitates-metadata = những gì mdtest và bonnie++ thường được dùng để đo: số thao tác mỗi giây trên nhiều tệp nhỏ, trong một thư mục và trong một cây thư mục, bằng một luồng và bằng nhiều luồng; trừ các tiến trình qua MPI và định dạng đầu ra của chúng
preset-imitates-mysql = InnoDB với innodb_flush_log_at_trx_commit=1 và innodb_flush_method=O_DIRECT
preset-imitates-oltp = một máy chủ cơ sở dữ liệu theo các đại lượng mà người quản trị của nó dùng: độ trễ của tệp dữ liệu và của nhật ký, ở mức tải do nhiều máy khách tạo ra
preset-imitates-postgresql = pg_test_fsync cho nhật ký (8 KiB + fdatasync, wal_sync_method thường dùng trên Linux), và một cơ sở dữ liệu có các trang không nằm trong bộ nhớ
preset-imitates-prometheus = các truy vấn đọc chunk ngẫu nhiên, khi chạy riêng và trong khi các block được gộp, tức được đọc và ghi tuần tự theo mảnh lớn
preset-imitates-redis-aof = Redis với appendfsync everysec và 4 MB/s lệnh, và với appendfsync always
preset-imitates-snia = đặc tả kiểm tra hiệu năng SNIA (PTS), theo kiểu của nó: quy trình như các bản hiện thực công khai chạy, với ít kích thước hơn và vòng ngắn hơn
preset-imitates-sqlite = một giao dịch với nhật ký rollback ở chế độ DELETE (nhật ký, thư mục, phần đầu của nhật ký, cơ sở dữ liệu: bốn fsync), và một giao dịch ở chế độ WAL (một lần ghi nối và một fsync), cả hai với synchronous=FULL
preset-imitates-vdi = các máy tính văn phòng đang được dùng: một lần đọc trên chín lần ghi 4 KiB, 8 đến 10 IOPS cho mỗi người dùng trung bình; ngưỡng ở đây dành cho 25 người dùng như vậy
preset-imitates-vm-boot = các yêu cầu của một máy ảo đến ổ đĩa khi khởi động: chín lần đọc trên một lần ghi, 4 đến 128 KiB, vài yêu cầu cùng lúc; một máy ảo riêng lẻ, và mười máy ảo cùng lúc; kích thước và tỷ lệ do chúng tôi chọn
preset-imitates-vps = ba câu hỏi mà người mua máy chủ ảo đặt ra, được các script benchmark trả lời bằng dd, fio và ioping
preset-imitates-web-server = cấu hình webserver của filebench: 100 luồng; cứ mười lần đọc trọn tệp nhỏ thì có một lần ghi nối vào nhật ký, mỗi lần trung bình 16 KiB
preset-imitates-winsat = winsat disk: -ran -read, -seq -read, -seq -write, -flush -seq, -flush -ran, 16 KiB ngẫu nhiên và 64 KiB tuần tự, không qua bộ đệm trang; các tốc độ được đo với 8 yêu cầu đồng thời, số này do chúng tôi ước lượng
preset-imitates-yabs = yabs: fio randrw 50/50, libaio, hai tác vụ độ sâu 64 trên 2 GiB, mỗi tác vụ đến khi truyền được 2 GiB hoặc hết 30 s

## promise

promise-rate-label = { $order ->
    [random] { $direction ->
        [write] ghi ngẫu nhiên
       *[read] đọc ngẫu nhiên
    }
    [sequential] { $direction ->
        [write] ghi tuần tự
       *[read] đọc tuần tự
    }
   *[any] { $direction ->
        [write] ghi
       *[read] đọc
    }
}
promise-burst-label = { $label } khi burst
promise-latency-label-at-rate = { $direction ->
    [write] { $statistic } ghi ngẫu nhiên ở { $iops } IOPS
   *[read] { $statistic } đọc ngẫu nhiên ở { $iops } IOPS
}
promise-latency-label-alone = { $direction ->
    [write] { $statistic } ghi ngẫu nhiên, từng thao tác một
   *[read] { $statistic } đọc ngẫu nhiên, từng thao tác một
}
promise-below-at-more-depth = toàn bộ khoảng tin cậy thấp hơn mức cần, và độ sâu { $more } không cho nhiều hơn độ sâu { $less }
promise-below-with-enough-outstanding = toàn bộ khoảng tin cậy thấp hơn mức cần, dù số yêu cầu đang xử lý gấp { $times } lần mức cần
promise-below-limit = toàn bộ khoảng tin cậy thấp hơn giới hạn
promise-above-limit = toàn bộ khoảng tin cậy cao hơn giới hạn
promise-rate-within-bound = { $iops } IOPS giữ được { $bound }
promise-only-within-bound = chỉ { $iops } IOPS giữ được { $bound }
promise-not-measured = không đo thao tác loại này
promise-every-cell-invalid = mọi phép đo liên quan đều bị đánh dấu KHÔNG HỢP LỆ
promise-cell-invalid = phép đo này bị đánh dấu KHÔNG HỢP LỆ
promise-too-few-samples = quá ít mẫu để có khoảng tin cậy
promise-sample-too-small = mẫu quá nhỏ cho đại lượng này và khoảng tin cậy của nó
promise-needed-inside = mức cần nằm trong khoảng tin cậy; chạy lâu hơn sẽ rõ
promise-limit-inside = giới hạn nằm trong khoảng tin cậy; chạy lâu hơn sẽ rõ
promise-rate-did-not-last = tốc độ không duy trì được: { $finding }
promise-burst-alone = lần chạy chỉ thấy burst, chưa thấy tốc độ sau đó; burst đầy kéo dài { $lasts } ở tải tối đa
promise-burst-of-unknown-length = lần chạy chỉ thấy burst, chưa thấy tốc độ sau đó; không công bố burst kéo dài bao lâu
promise-burst-not-reached = không đạt mức burst; tín dụng có thể đã dùng hết trước lần chạy
promise-no-minimum-promised = tốc độ thấp hơn giới hạn, nhưng nhà cung cấp không cam kết mức tối thiểu
promise-other-limit = thứ khác có thể giới hạn tốc độ: { $finding }
promise-other-cause = thứ khác có thể gây ra độ trễ: { $finding }
promise-too-few-outstanding = quá ít yêu cầu đang xử lý để đạt cao hơn; hàng đợi sâu hơn sẽ cho biết
promise-no-search = không tìm tải ứng với độ trễ này
promise-load-not-reached = không đạt tải cam kết ở bất kỳ độ trễ nào
promise-promised-item = { $label }: cam kết { $promised }
promise-measured-because = đo được { $measured }: { $why }.
promise-measured-needed-because = đo được { $measured }, cần { $needed }: { $why }.
promise-titled = Cam kết: { $promise }.
promise-share-needed = Cần đạt { $percent } % của tốc độ cam kết: { $because }.
promise-counting = Cách đếm: { $accounting }.
promise-full-burst = Một đợt burst đầy kéo dài { $seconds } s ở tải tối đa.
promise-volume-none = không có
promise-volume-operations = { $count }, trung bình { $mean }
promise-volume = { $device } tự đếm (trang nhật ký EBS): đọc { $reads }, ghi { $writes }. Yêu cầu vượt mức của ổ đĩa trong { $volume-iops } (thao tác) và { $volume-bytes } (byte), vượt mức của máy ảo trong { $instance-iops } và { $instance-bytes }.
promise-volume-read-latency = { $device } theo biểu đồ tần suất của chính nó: thao tác đọc mất { $median } đến { $median-to } (p50) và { $high } đến { $high-to } (p99) bên trong ổ; phần đo được vượt quá nằm giữa ổ và máy này.
promise-volume-write-latency = { $device } theo biểu đồ tần suất của chính nó: thao tác ghi mất { $median } đến { $median-to } (p50) và { $high } đến { $high-to } (p99) bên trong ổ; phần đo được vượt quá nằm giữa ổ và máy này.
share-by-provider = nhà cung cấp công bố { $share } % trong { $of-time } % thời gian
share-by-plan = gói dịch vụ ghi như vậy
share-for-measuring = { $percent } % dành cho chi phí của chính phép đo
share-asked = yêu cầu cho phép sai lệch { $percent } %
counting-each = mỗi lần truyền tính là một thao tác, dài bao nhiêu cũng vậy
counting-units = đến { $unit } tính là một thao tác, dài hơn tính là nhiều thao tác
counting-units-merged = đến { $unit } tính là một thao tác, dài hơn tính là nhiều thao tác; các thao tác tuần tự ngắn được gộp đến mức đó
counting-units-whole = đến { $unit } tính là một thao tác, dài hơn tính là nhiều thao tác; thao tác ngẫu nhiên ngắn hơn vẫn tốn số byte của cả đơn vị
counting-units-merged-whole = đến { $unit } tính là một thao tác, dài hơn tính là nhiều thao tác; các thao tác tuần tự ngắn được gộp đến mức đó; thao tác ngẫu nhiên ngắn hơn vẫn tốn số byte của cả đơn vị

## promise/short_runs

promise-short-runs-whole-above = toàn bộ khoảng tin cậy bằng hoặc cao hơn mức cần
promise-short-runs-slices-far-above = { $above } trên { $all } đoạn { $length } đạt ít nhất { $factor } lần mức cần
promise-short-runs-point-within-bound = { $iops } IOPS giữ được { $bound }: { $why }

## rotation

rotation-speed = { $rpm } vòng/phút
rotation-platter-turns = Đây là ổ cứng HDD { $speed }, theo thời gian của { $reads } lần đọc ngẫu nhiên.
rotation-arm-moves = Thời gian tìm kiếm trung bình trên toàn ổ đĩa là { $seek }.

## support

support-doubt = { $check }: { $summary }
support-doubt-invalid = KHÔNG HỢP LỆ { $check }: { $summary }
support-earlier-level = nó được đo trước khi tốc độ của thiết bị thay đổi

## surface

surface-zones-fall = Trên bề mặt, tốc độ giảm từ { $first } ở đầu xuống { $last } ở cuối, như ở ổ đĩa ghi theo vùng (ZBR) ({ $places } vị trí; đường cong giải thích { $explained } khác biệt). Dữ liệu nằm ở cuối ổ đĩa đọc chậm hơn.
surface-even = Đọc ở cuối nhanh như ở đầu: { $rate } tại { $places } vị trí.
surface-uneven = Đọc không nhanh như nhau ở mọi nơi: { $first } ở đầu, { $last } ở cuối ({ $places } vị trí), không theo đường cong của ổ đĩa ghi theo vùng (ZBR). Các khối chưa từng ghi có thể được trả lời nhanh hơn.
surface-weak-place = { $rate } tại { $at } (xung quanh { $around })
surface-weak-places = Lần nào đọc cũng chậm hơn xung quanh: { $places }. Sector đã bị chuyển chỗ, hoặc phải đọc lại nhiều lần, trông như vậy; khối mà bộ nhớ đệm hoặc ổ đĩa thin lưu ở nơi khác cũng thế. Log của ổ đĩa (SMART) cho biết là trường hợp nào.

## sweep

sweep-best = Cao nhất { $iops } IOPS ({ $at }) và { $rate } ({ $rate-at })
sweep-best-of-workload = { CAP($workload) }: nhiều thao tác nhất là { $iops } mỗi giây, ở { $at }; nhiều byte nhất là { $rate }, ở { $rate-at }.
sweep-soft-law = ở độ sâu { $depth }, khối nhỏ tiến đến { $iops } và khối lớn tiến đến { $rate }; hai giới hạn gặp nhau gần { $size }
sweep-hard-law = ở độ sâu { $depth }, khoảng { $iops } với khối không quá { $size }, khối lớn hơn thì { $rate }
sweep-one-limit = ở độ sâu { $depth }, khoảng { $limit } với mọi kích thước
sweep-no-limit = ở độ sâu { $depth }, chưa chạm giới hạn nào
sweep-fitted-law = { CAP($workload) }: { $law }. Quy luật này lệch { $residual } so với các phép đo.
sweep-all-precise = IOPS của tất cả { $cells } phép đo có sai số trong ±{ $asked } (95 %).
sweep-some-precise = IOPS của { $kept } trên { $cells } phép đo có sai số trong ±{ $asked } (95 %).
sweep-not-counted = { $cells } phép đo không được tính: chúng không cho kết luận nào (xem cảnh báo).
sweep-least-precise = Khoảng tin cậy rộng nhất là ±{ $half }, của { $cell }. Thêm thời gian (--budget, --cell-max) sẽ thu hẹp nó, trừ khi chính thiết bị không đều.
sweep-without-precision = Phép đo { $cell } quá ngắn để có khoảng tin cậy. Thêm thời gian (--budget, --cell-max) thì sẽ có.
sweep-resumed = Lần chạy bị ngắt sau { $cells } phép đo, và tiếp tục lúc { $at }.

## trend

trend-title = { $metric } của { $figure } trên { $target }, { $runs } lần chạy
trend-level-words = { $from } đến { $to }: { $runs } lần chạy quanh { $middle }
trend-level-with-change = { $level }, { $change }
trend-change = { $change } % so với mức trước
trend-change-between = { $change } % ({ $low } đến { $high }) so với mức trước
trend-too-few = { $runs } lần chạy là quá ít để thấy thay đổi: cần ít nhất { $needed }.
trend-no-change = Không thay đổi: một mức giải thích được mọi lần chạy.
trend-better = Tốt hơn từ lần chạy { $run }: { $change }.
trend-worse = SUY GIẢM từ lần chạy { $run }: { $change }.
trend-within = Có thay đổi từ lần chạy { $run }, nhưng không vượt mức các khoảng tin cậy giải thích được: { $change }.

## verdict

verdict-not-the-disk = Không phải số liệu của ổ đĩa: { $reason }
verdict-headline-invalid = Không phải số liệu của ổ đĩa: { $reason }. Không dùng: { $headline }
verdict-headline-beside-invalid = Không phải số liệu của ổ đĩa: { $cells }. Phần còn lại: { $headline }
verdict-more-cells = và { $count } phép đo khác
verdict-cannot-tell = Chưa biết ổ đĩa đạt mức nào khi không có tải khác: { $reason }
verdict-too-little = Đo quá ít để kết luận
verdict-too-little-after-layout = Đo quá ít để kết luận: tạo tệp đo mất { $layout } trong { $budget }. Hãy cho thêm thời gian (--budget) hoặc dùng tệp nhỏ hơn (--size)
verdict-too-little-in-time = Đo được quá ít trong { $budget } để kết luận. Hãy cho thêm thời gian (--budget)
verdict-headline-like = { $headline }; giống { $class }
verdict-some-numbers-invalid = Một số số liệu của lần chạy này không phải của ổ đĩa: { $reasons }.
verdict-finding = { $check }: { $summary }
verdict-one-read-at-a-time = Khi gửi từng yêu cầu một, đọc ngẫu nhiên 4 KiB mất { $latency }. Chương trình chờ từng lần đọc chỉ được { $iops } lần mỗi giây, dù ổ đĩa chạy song song nhanh đến đâu.
verdict-slow-after-pause = Sau khoảng nghỉ, cùng lần đọc đó mất { $latency }: thiết bị, máy hoặc CPU ngủ giữa các yêu cầu.
verdict-durable-write = Một lần ghi { $size } được bảo đảm bền vững bằng { $call } mất trung bình { $mean }: một client commit { $rate } lần mỗi giây.
verdict-first-write-slower = Lần ghi đầu của một khối chậm hơn lần sau: { $first } khi tạo tệp đo, { $again } khi ghi đè.
verdict-writes-burst = Số liệu ghi là burst: { $because }.
verdict-writes-sustained = Số liệu ghi là mức duy trì được: { $because }.
verdict-writes-not-settled = Tốc độ ghi chưa ổn định: { $because }.
verdict-written = Lần chạy này đã ghi { $written }: gấp { $times } lần vùng đo { $span }.
verdict-written-of-device = Lần chạy này đã ghi { $written }: gấp { $times } lần vùng đo { $span }, và bằng { $share } dung lượng { $device } của thiết bị.
verdict-bucket-of-operations = Ổ đĩa hoạt động như có kho tín dụng (token bucket) { $size } thao tác. Kho đầy lại với tốc độ { $baseline } mỗi giây và tiêu hao tối đa { $burst } mỗi giây: kho đầy đủ dùng cho { $lasts } ở tải tối đa.
verdict-bucket-of-bytes = Ghi đạt { $burst } cho đến khi ghi được khoảng { $size }, sau đó còn { $baseline }.
verdict-good-for-etcd = etcd: p99 của fdatasync là { $p99 }, nhanh gấp { $times } lần mức { $needed } mà etcd yêu cầu
verdict-good-for-commits = cơ sở dữ liệu có nhiều commit nhỏ: { $rate } mỗi giây từ một client, gấp { $times } lần mức { $needed } cần có
verdict-good-for-databases = cơ sở dữ liệu và chỉ mục lớn hơn bộ nhớ: { $iops } lượt đọc ngẫu nhiên/s với { $bound }, gấp { $times } lần mức { $needed } cần có
verdict-good-for-system = máy ảo và sử dụng tương tác: { $latency } mỗi lần đọc, nhanh gấp { $times } lần mức { $needed } cần có
verdict-good-for-streaming = sao lưu và streaming: ít nhất { $rate }, gấp { $times } lần mức { $needed } cần có
verdict-good-for-archives = kho lưu trữ (archive) và sao lưu không gấp: ít nhất { $rate }, gấp { $times } lần mức { $needed } cần có
verdict-too-slow-for-etcd = etcd: p99 của fdatasync là { $p99 }, etcd yêu cầu { $needed }
verdict-too-slow-for-commits = cơ sở dữ liệu có nhiều commit nhỏ: { $rate } mỗi giây từ một client, cần { $needed }
verdict-too-slow-for-databases = cơ sở dữ liệu và chỉ mục lớn hơn bộ nhớ: { $iops } lượt đọc ngẫu nhiên/s với { $bound }, cần { $needed }
verdict-too-slow-for-system = máy ảo và sử dụng tương tác: { $latency } mỗi lần đọc, cần dưới { $needed }
verdict-too-slow-for-streaming = sao lưu và streaming: { $rate }, cần { $needed }
verdict-bound-unreachable = { $label }: { $unreachable }
verdict-heat-not-seen = giảm tốc do nhiệt: ổ đĩa cần vài phút tải để nóng lên, lâu hơn lần chạy này
verdict-cache-end-not-seen = khi nào bộ nhớ đệm ghi lớn hơn { $written } đã ghi bị đầy
verdict-writes-not-seen = ghi: lần chạy này không ghi gì
verdict-power-cut-not-seen = dữ liệu đã flush có còn sau khi mất điện không

## writes

writes-rounds-agree = năm lượt cuối, trung bình { $mean } IOPS, dao động { $range } so với trung bình và thay đổi { $slope } từ lượt đầu đến lượt cuối
writes-rounds-disagree = năm lượt cuối, trung bình { $mean } IOPS, dao động { $range } so với trung bình (cho phép đến 20 %) và thay đổi { $slope } từ lượt đầu đến lượt cuối (cho phép đến 10 %)
writes-rounds-within-cache = { $agreed }, nhưng bộ nhớ đệm ghi có thể đã nhận trọn { $written } đã ghi: nó có thể chiếm một phần ba thiết bị, ở đây là { $cache }
writes-too-few-rounds = { $rounds } lượt ghi là quá ít: cần năm lượt khớp nhau

## record

record-figure-of-direction = { $direction ->
    [read] đọc { $figure }
    [write] ghi { $figure }
    [trim] TRIM { $figure }
   *[sync] sync { $figure }
}
record-kept = đạt
record-not-kept = KHÔNG ĐẠT
record-cannot-tell = chưa kết luận được
volume-iops-exceeded = chính ổ đã đếm (EBS): trong { $time } của { $length }, số thao tác yêu cầu vượt mức đã mua của ổ
volume-throughput-exceeded = chính ổ đã đếm (EBS): trong { $time } của { $length }, số byte yêu cầu vượt mức đã mua của ổ
instance-iops-exceeded = chính ổ đã đếm (EBS): trong { $time } của { $length }, số thao tác yêu cầu vượt mức mà instance cho phép
instance-throughput-exceeded = chính ổ đã đếm (EBS): trong { $time } của { $length }, số byte yêu cầu vượt mức mà instance cho phép
health-disk = { $disk }: { $what }
health-throttled = theo bộ đếm của chính nó, nó tự giảm tốc do nhiệt khoảng { $seconds } s trong lần chạy này
health-throttled-briefly = theo bộ đếm của chính nó, nó tự giảm tốc do nhiệt trong lần chạy này, chưa đến một giây
health-hot-minutes = bộ đếm của chính nó về số phút ở mức hoặc trên mức nhiệt độ cảnh báo của nhà sản xuất đã tăng { $minutes } trong lần chạy này
health-media-errors-of-run = nó không khôi phục được dữ liệu trong lần chạy này (lỗi phương tiện: { $count })
health-spare-low = khối dự phòng của nó còn { $spare } %, dưới mức tối thiểu { $spare-min } % của nhà sản xuất
health-unreliable = nó báo rằng độ tin cậy của nó đã giảm do lỗi
health-read-only = nó báo rằng phương tiện của nó chỉ còn đọc được
health-backup-failed = nó báo rằng phần bảo vệ bộ nhớ của nó khi mất điện đã hỏng
health-worn = đã dùng { $used } % tuổi thọ định mức
health-celsius = { $celsius } °C
health-spare = khối dự phòng còn { $spare } %
health-used = đã dùng { $used } % tuổi thọ định mức
health-media-errors = lỗi phương tiện: { $count }
health-unsafe-shutdowns = số lần mất điện đột ngột: { $count }
record-writes-burst = burst
record-writes-sustained = duy trì được
record-writes-not-settled = chưa ổn định
reason-interrupted = bị ngắt
reason-time-up = đã hết thời gian { $limit }
reason-still-running = lần chạy vẫn đang tiếp diễn khi ghi bản ghi này
reason-request-failed = một yêu cầu bị lỗi
reason-step-failed = { $step }: { $error }
reason-nothing-completed = { $step }: không thao tác nào hoàn thành
reason-layout-failed = không ghi được tệp đo: { $error }
reason-layout-too-small = chỉ ghi được { $written } của tệp đo trong thời gian cho phép
reason-max-written = --max-written { $max }: { $cells }
reason-cells-cut-short = { $cells } phép đo bị cắt ngắn
reason-cells-left-out = { $cells } phép đo bị bỏ
reason-coordinator-gone = mất liên lạc với máy điều phối trước khi lần chạy kết thúc
reason-host-lost = mất liên lạc với { $host }: { $reason }
reason-others-slowed = { $host }: đã đạt { $bound }: { $seen }
reason-agent-gone = agent của máy này không còn, hoặc không giữ lại gì
reason-host-silent = không có tin trong { $seconds } s
reason-no-agent = không có agent nào mang tên này
reason-no-answer = không trả lời trong { $seconds } s
reason-not-done-in-time = chưa xong sau { $seconds } s
reason-ended-itself = máy tự kết thúc lượt đo
reason-server-gone = máy chủ NATS không liên lạc được trong { $seconds } s
reason-figures-unusable = không dùng được số liệu của máy này: { $error }
reason-jobs-not-believed = không thể tin dữ liệu máy này giữ lại: { $error }
run-rate-and-mean = { $iops } IOPS, trung bình { $mean }
record-hosts = { $hosts } máy
record-others-over = trên { $disk }, { $slow }/{ $requests } yêu cầu mất hơn { $limit } trong { $time }
record-others-mean = trên { $disk }, { $requests } yêu cầu mất trung bình { $mean } trong { $time }
record-hosts-left = { $left }/{ $hosts } máy

## report/terminal

path-on-hosts = { $path } trên { $hosts }
text-command-of = { $command }: { $path }
text-note = Ghi chú: { $note }.
text-caution = Số liệu không kèm cảnh báo thì dùng được. Hãy đọc các cảnh báo.
text-broken = Số liệu đánh dấu KHÔNG HỢP LỆ không phải của ổ đĩa: đừng dùng.
text-stream-changed = { $curve }: { $before } thao tác/s cho đến { $until } kể từ đầu lần chạy, sau đó { $after }. Bảng ghi tốc độ mới nhất.
curve-by-depth = { $curve } theo độ sâu
curve-by-depth-ramp = { $curve } theo độ sâu: giai đoạn tăng tải trước khi tìm
curve-by-rate = { $curve } theo số yêu cầu đến mỗi giây
point-breaks-bound = vượt { $bound }
point-too-few-samples = quá ít mẫu
text-and-more = và { $count } mục khác
text-and-more-on-page = và { $count } mục khác: --html cho xem tất cả
text-explain = Xem thêm về một kết quả kiểm tra: truedisk explain { $finding }
text-not-seen = Lần chạy này không thấy được
text-root-would-add = Nếu chạy bằng root sẽ có thêm: { $parts }
class-like-for = Ổ đĩa hoạt động giống { $class }: { $supports }.
class-against = Điểm không khớp: { $contradicts }.
class-could-be = Cũng có thể là { $other }.
text-surface = Bề mặt đĩa, từng vị trí
text-surface-key = Thanh: đọc tuần tự. |: đường cong qua mọi vị trí. Bên phải: trung bình một lần đọc ngẫu nhiên tại đó.
surface-fast = nhanh hơn đường cong
head-date = ngày giờ (UTC)
head-run = lần chạy
head-command = lệnh
head-trust = tin cậy
trust-word-partial = chưa hoàn tất
diff-same = Giống nhau: { $names }
diff-no-common-cell = Không có phép đo nào chung cho cả hai.
diff-alone = Số liệu chỉ có trong A: { $a }. Chỉ có trong B: { $b }.
diff-invalid-key = X: một mục kiểm tra cho thấy không được dùng các số này.
diff-hint = Mỗi bên một lần chạy không cho biết khác biệt có phải ngẫu nhiên không. Hãy so nhiều lần chạy của mỗi bên: truedisk compare.
fact-tool = công cụ
fact-command = lệnh
fact-path = đường dẫn
fact-file-system = hệ thống tệp
fact-device = thiết bị
fact-model = model
fact-device-size = dung lượng thiết bị
fact-write-cache = bộ nhớ đệm ghi
fact-queue = hàng đợi
fact-processors = số CPU
fact-io-limits = giới hạn I/O
fact-budget = quỹ thời gian
fact-bounds = giới hạn độ trễ
fact-read-only = chỉ đọc

## report/words

## report/limit

limit-most-of = Mức tối đa của { $curve }
limit-rate-at = { $rate } IOPS ở { $load }
limit-bounded-by = bị giới hạn bởi { $cause }
limit-because = vì { $reason }
limit-confirmed = đã xác nhận: đo lại lần nữa
limit-not-confirmed = chưa được xác nhận bằng lần đo thứ hai
interval-of-rate = 95 %: { $low } đến { $high } (±{ $half })
interval-missing = 95 %: không có, { $reason }
by-bound = giới hạn độ trễ
by-bound-depth = giới hạn độ trễ: tăng độ sâu thì được nhiều hơn nhưng vượt giới hạn
by-bound-arrivals = giới hạn độ trễ: thêm yêu cầu đến sẽ vượt giới hạn
by-saturation = bão hòa
by-saturation-depth = bão hòa: tăng độ sâu chỉ tăng độ trễ
by-saturation-arrivals = bão hòa: tăng tốc độ chỉ tăng độ trễ
by-provider-cap = mức giới hạn cấu hình
by-provider-cap-sentence = mức giới hạn do nhà cung cấp cấu hình: không thiết bị nào có tốc độ phẳng như vậy
by-control-group = cgroup
by-control-group-sentence = cgroup của máy này, không phải ổ đĩa
by-client = máy này
by-client-sentence = máy này: không còn thời gian CPU. Thiết bị đạt ít nhất mức này
by-highest-rate = tốc độ cao nhất đã thử
by-highest-rate-sentence = tốc độ cao nhất đã thử: có thể còn cho nhiều hơn
by-deepest = độ sâu lớn nhất đã thử
by-deepest-sentence = độ sâu lớn nhất đã thử: có thể còn cho nhiều hơn
by-unreachable = không đạt được
by-unreachable-idle = không đạt được: { $statistic } lúc rảnh là { $value }
by-unreachable-lowest = không đạt được: ngay cả tải thấp nhất cũng vượt
by-unsure = không chắc chắn
by-unsure-sentence = nguyên nhân không rõ: hãy đo lại khi không có gì khác dùng thiết bị
point-left-out = không tính
point-knee = điểm gãy
point-falls = giảm
point-breaks = vượt
point-breaks-all = vượt tất cả
point-too-few = quá ít mẫu
point-too-few-for-all = quá ít mẫu cho mọi mức
point-too-few-for = quá ít mẫu cho { $bounds }
limit-legend-latency = Độ trễ: từ lúc gửi yêu cầu đến lúc nhận kết quả. Đang xử lý: số thao tác đang chờ, trung bình. -: quá ít mẫu.
limit-legend-response = Thời gian phản hồi: từ thời điểm dự kiến bắt đầu đến lúc nhận kết quả. Đang xử lý: số thao tác đang chờ, trung bình. -: quá ít mẫu.
limit-mark-points = { $mark } ({ $points } điểm)
limit-chart-key = o p50, # p99, 8 cả hai; @ mức tối đa trong giới hạn; - - giới hạn
limit-chart-key-slower = o p50, # p99, 8 cả hai, của tác vụ chậm hơn; @ mức tối đa trong giới hạn; - - giới hạn
limit-chart-key-invalid = X KHÔNG HỢP LỆ
head-rate = tốc độ

## report/sweep

sweep-matrix-bytes = { $workload }, MB/s theo kích thước khối và độ sâu
sweep-key = * cao nhất. ░▒▓█: từng phần tư của mức đó. -: không đo.
sweep-key-marked = * cao nhất. ░▒▓█: từng phần tư của mức đó. X: không phải số liệu của ổ đĩa. !: xem cảnh báo. -: không đo.
sweep-within-all = Cả { $cells } phép đo có sai số trong ±{ $asked } (95 %).
sweep-within-some = { $within } trên { $cells } phép đo có sai số trong ±{ $asked } (95 %). Rộng nhất trong số còn lại:
sweep-too-short = { $cell }: quá ngắn để kết luận
sweep-two-limits = { $workload }: giới hạn thao tác và giới hạn byte theo độ sâu (khoảng tin cậy 95 %)
head-meet-at = gặp nhau ở
head-misfit = sai lệch
sweep-two-limits-key = Khối nhỏ chạm giới hạn thao tác, khối lớn chạm giới hạn byte. -: không kích thước khối nào chạm tới.
sweep-beside-writes = { $workload } khi có ghi ngẫu nhiên đồng thời
head-worse = chậm hơn
sweep-beside-key = Tỷ trọng: số lần ghi dự kiến so với { $most } lần/s mà đích đo đạt khi chỉ ghi. Chậm hơn: độ trễ so với khi chỉ đọc. X: không phải số liệu của ổ đĩa.
value-with-range = { $value } ({ $low } đến { $high })
range = { $low } đến { $high }

## report/preset

preset-pass-word = ĐẠT
preset-fail-word = KHÔNG ĐẠT
preset-not-met-word = chưa đạt
preset-part-of-job = { $job }, { $part }
preset-step-part = { $step }: { $part }
preset-score-mean = trung bình của { $passes } lượt: { $rate }, { $latency }
preset-score-best = tốt nhất của { $passes } lượt: { $rate }, { $latency }
preset-steady = ổn định qua năm lượt được hiển thị
preset-not-steady = CHƯA ổn định: các lượt cuối còn khác nhau hoặc trôi
preset-passes-of = { $made } trong { $planned } lượt
preset-figure-of = { $step }: { $figure } của { $part }
preset-recommended = { $limit }, khuyến nghị
preset-unmeasured = không đo
preset-our-convention = quy ước của truedisk
preset-needed-and-measured = cần { $limit }; đo được { $measured }
preset-why-and-source = { $why }. Nguồn: { $source }
preset-table-key = Trung vị các lượt. 95 %: khoảng tin cậy của IOPS. -: quá ít mẫu.
text-source = Nguồn: { $source }

## report/compare

## report/fleet

fleet-title-same-storage = { $hosts } trên cùng một hệ thống lưu trữ, mỗi máy một tệp riêng
fleet-title-own = { $hosts }, mỗi máy một đích đo riêng
fleet-title-shared = { $hosts } trên một đích đo, mỗi máy dùng toàn bộ
fleet-title-split = { $hosts } trên một đích đo, mỗi máy một phần riêng
fleet-title-in-waves = { $title }, trong { $waves } đợt, mỗi đợt nhiều nhất { $most } máy
wave-line = Đợt { $wave }, { $hosts }: { $answer }
fleet-note-slowest = chậm nhất
fleet-note-failed = lỗi: { $error }
fleet-note-lost-later = sau đó bị mất
fleet-note-lost = mất liên lạc
fleet-note-no-share = không có phần: độ sâu quá nhỏ
fleet-note-nothing = không có số liệu
fleet-without = thiếu { $hosts }
fleet-no-share-for = không có phần cho { $hosts }
count-of = { $part }/{ $all }
fleet-processors = { $count } CPU
fleet-clock-moved = { $offset }, lệch thêm { $by }
fleet-degraded-line = KHÔNG ĐẦY ĐỦ: { $why }
fleet-faster-hosts = và { $count } máy nhanh hơn: --html cho xem tất cả
fleet-total = tổng
fleet-met-key = Độ lệch: từ lúc máy đầu bắt đầu đến lúc máy cuối bắt đầu. Máy đầu xong: lúc máy đầu tiên kết thúc; tổng được tính trên khoảng thời gian mọi máy cùng chạy.
fleet-clocks = Đồng hồ
head-against-coordinator = so với máy điều phối

## report/metadata

metadata-rates = Thao tác mỗi giây, trung vị qua các lượt
metadata-half-widths = Nửa bề rộng khoảng tin cậy 95 %
metadata-p50 = Độ trễ, p50
metadata-p99 = Độ trễ, p99
metadata-cold = Nguội: thao tác mỗi giây sau khi xóa các bộ đệm
metadata-key = create: mở tệp mới, ghi, đóng. open: mở, đọc, đóng. list: số tên mỗi giây, và độ trễ của cả thư mục. Với fsync, create chờ tệp của nó, rename và delete chờ thư mục. -: không đo, hoặc quá ít mẫu.
metadata-unsteady = Các tốc độ này chênh nhau quá nhiều giữa các lượt, không thể dựa vào: { $rates }.
metadata-rate-of = { $operation } với { $load } ({ $low } đến { $high } mỗi giây)
metadata-rate-of-cold = { $operation } với { $load }, nguội ({ $low } đến { $high } mỗi giây)
metadata-load-folder = { $size }, một thư mục, { $threads } luồng
metadata-load-tree = { $size }, cây thư mục, { $threads } luồng
metadata-counted-as-many = Đã đếm: { $made } tệp được tạo, và các thư mục liệt kê đúng số đó; hệ thống tệp { $inodes }.
metadata-counted-differ = Đã đếm: { $made } tệp được tạo, nhưng các thư mục liệt kê { $listed }: hệ thống tệp làm mất một số, hoặc hiện tệp khác; hệ thống tệp { $inodes }.
metadata-no-inodes = không đếm inode
metadata-inodes-as-many = đếm thêm đúng số inode đó
metadata-inodes-differ = đếm số inode mới khác ({ $parts }): có thể chương trình khác đã tạo hoặc xóa tệp lúc đó, hoặc hệ thống tệp đếm trễ
metadata-inodes-more = nhiều hơn { $count }
metadata-inodes-fewer = ít hơn { $count }
head-files = tệp

## report/page

## report/page/charts

## report/page/compare

## report/page/fleet

## report/page/limit

## report/page/sweep

## report/page/trend

## report/explain

explain-meaning = Ý nghĩa
explain-method = Cách phát hiện
explain-remedy = Cần làm gì
explain-blind-spot = Điều không thấy được
explain-statuses = Các kết quả có thể có
explain-more = truedisk explain WORD giải thích từng mục.
explain-relation = Các con số liên hệ với nhau thế nào
explain-look = Xem ở đâu
term-iops-question = Mỗi giây hoàn thành bao nhiêu yêu cầu?
term-iops-meaning = IOPS là số lần đọc hoặc ghi mà ổ đĩa hoàn thành trong một giây. Đứng riêng, con số này không nói lên gì: phải kèm kích thước khối, đọc hay ghi, độ sâu hàng đợi và độ trễ. Cùng một ổ đĩa có thể cho 10 000 IOPS ở độ sâu 1 và 80 000 ở độ sâu 32.
term-iops-relation = IOPS = số yêu cầu đang chờ / độ trễ trung bình (định luật Little). 1 yêu cầu đang chờ, mỗi yêu cầu 0,1 ms: 10 000 IOPS. 32 yêu cầu đang chờ, mỗi yêu cầu 0,4 ms: 80 000 IOPS. IOPS × kích thước khối = thông lượng.
term-iops-look = truedisk limit PATH tìm mức IOPS cao nhất mà độ trễ vẫn trong giới hạn. Mức tối đa không kèm giới hạn là con số để quảng cáo: hàng đợi khi đó sâu đến mức yêu cầu nào cũng phải chờ lâu.
term-latency-question = Một yêu cầu mất bao lâu?
term-latency-meaning = Độ trễ là thời gian từ lúc chương trình gửi yêu cầu đến lúc nhận được trả lời: gồm thời gian chờ trong hàng đợi và thời gian thiết bị làm việc. Chương trình phải chờ từng yêu cầu, như cơ sở dữ liệu khi commit, chỉ cảm nhận được con số này.
term-latency-relation = Ở độ sâu 1, đó là thời gian của riêng thiết bị. Hàng đợi sâu hơn không làm tăng độ trễ chừng nào thiết bị còn phục vụ được thêm yêu cầu cùng lúc. Khi không còn, mỗi yêu cầu thêm vào đều phải chờ, và độ trễ = độ sâu / IOPS.
term-latency-look = Hãy xem p99 chứ đừng xem trung bình. truedisk ping PATH hiện từng yêu cầu; truedisk check PATH hiện p50, p99 và p99.9 của từng loại tải.
term-depth-question = Có bao nhiêu yêu cầu đang chờ cùng lúc?
term-depth-meaning = Độ sâu hàng đợi là số yêu cầu chương trình đã gửi mà chưa được trả lời. Một luồng chờ xong từng yêu cầu có độ sâu 1. Nhiều luồng hơn, hoặc yêu cầu bất đồng bộ, làm hàng đợi sâu hơn.
term-depth-relation = Thiết bị có nhiều kênh hoặc nhiều đĩa phục vụ nhiều yêu cầu cùng lúc: IOPS tăng theo độ sâu cho đến khi tất cả đều bận. Độ sâu đó là điểm gãy. Quá điểm này IOPS đứng yên còn độ trễ tăng: độ sâu gấp đôi, độ trễ gấp đôi.
term-depth-look = truedisk limit PATH tăng dần độ sâu, chỉ ra điểm gãy và hàng đợi sâu nhất còn trong giới hạn. truedisk sweep PATH vẽ độ sâu theo kích thước khối.
term-thrashing-question = Hàng đợi sâu hơn có làm ổ đĩa làm được ít hơn không?
term-thrashing-meaning = Ổ đĩa bị quá tải (thrashing) khi hàng đợi sâu hơn lại cho ít IOPS hơn, chứ không chỉ tăng độ trễ. Đầu đọc của ổ HDD phải chạy qua lại giữa các vị trí xa nhau, bộ nhớ đệm không còn chứa được dữ liệu cần đến, hoặc bộ điều khiển mất thời gian cho hàng đợi.
term-thrashing-relation = Quá điểm gãy, ổ đĩa bình thường vẫn giữ nguyên IOPS. Mức giảm hơn 10 % và kéo dài, vượt quá sai số đo, là thrashing. Tải từ máy khác dùng chung hoặc burst vừa hết trông cũng giống vậy, nên các độ sâu bị nhiễu được đo lại trước khi kết luận.
term-thrashing-look = truedisk limit PATH chỉ ra độ sâu nên giữ. Hãy giữ hàng đợi ở đó: ít luồng hơn, iodepth nhỏ hơn, hoặc đặt giới hạn trong cơ sở dữ liệu.
term-throughput-question = Mỗi giây chuyển được bao nhiêu byte?
term-throughput-meaning = Thông lượng là IOPS × kích thước khối, ở đây tính bằng MB/s với 1 MB = 1 000 000 byte. Khối lớn tuần tự chạm giới hạn về byte, của đường truyền hoặc của gói dịch vụ; khối nhỏ ngẫu nhiên chạm giới hạn về IOPS.
term-throughput-relation = 4 000 IOPS với khối 256 KiB là 1048 MB/s; 4 000 IOPS với khối 4 KiB là 16 MB/s. Gói có cả hai giới hạn thì bị chặn bởi giới hạn nào chạm trước.
term-throughput-look = truedisk sweep PATH hiện IOPS và MB/s cho từng kích thước khối. truedisk model aws:gp3:500GiB cho biết giới hạn nào của gói có tác dụng ở kích thước khối nào.
term-percentile-question = p50, p99 và p99.9 là gì?
term-percentile-meaning = p99 là độ trễ mà 99 trên 100 yêu cầu được trả lời trong đó. p50 là giá trị ở giữa. Trung bình che mất các yêu cầu chậm: 99 yêu cầu 0,1 ms và một yêu cầu 100 ms có trung bình 1,1 ms, trong khi không yêu cầu nào mất chừng ấy.
term-percentile-relation = Một lần trả lời cần 100 lần đọc thì trong 63 trên 100 trường hợp phải chờ một lần đọc chậm hơn p99. Các phân vị cao quyết định cảm nhận về dịch vụ.
term-percentile-look = truedisk chỉ hiện phân vị khi có đủ yêu cầu để tính; nếu không thì hiện -. Giới hạn dùng một phân vị: --bound 'p99<5ms'.
term-interval-question = Tin được con số đến mức nào?
term-interval-meaning = Khoảng tin cậy 95 % cho biết con số của lần đo này có thể lệch bao xa so với trung bình thật: trong 20 khoảng như vậy, 19 khoảng chứa nó. ±1 % là con số chính xác. Rộng hơn ±25 % thì không còn là con số, và được đánh dấu ~.
term-interval-relation = Các yêu cầu liền nhau thường giống nhau, nên một nghìn yêu cầu không đáng giá bằng một nghìn yêu cầu độc lập; khoảng tin cậy đã tính điều này. Nó chỉ đúng cho thời gian đã đo: vào giờ khác, máy dùng chung lại khác.
term-interval-look = truedisk compare kết luận dựa trên khoảng tin cậy của tỷ số hai lần đo. Với --budget, limit và sweep đo lâu hơn và khoảng hẹp lại.
term-credits-question = Có phải tốc độ này chỉ là tạm vay?
term-credits-meaning = Burst là tốc độ rồi sẽ hết: khi tín dụng của ổ đĩa đám mây cạn, hoặc khi bộ nhớ đệm ghi đầy. Bài đo ngắn chỉ thấy burst mà không thấy phần sau đó.
term-credits-relation = Ổ gp2 100 GiB mỗi giây được 300 tín dụng I/O, tiêu tối đa 3 000 và chứa 5,4 triệu: chúng đủ cho 5 400 000 / (3 000 - 300) = 2 000 s. Sau đó còn 300 IOPS.
term-credits-look = Kiểm tra burst tìm chỗ tốc độ đổi mức; truedisk check PATH --until-throttled đọc cho đến khi gặp. truedisk model aws:gp2:100GiB cho thấy tốc độ theo thời gian; truedisk capture và replay --plan cho biết tín dụng có đủ cho một tải hay không.
term-cap-question = Ổ đĩa chậm, hay có giới hạn đặt lên nó?
term-cap-meaning = Giới hạn tốc độ (cap) là mức IOPS hoặc byte mà nhà cung cấp, trình ảo hóa hoặc cgroup đặt ra. Thiết bị có thể làm nhiều hơn; yêu cầu vượt mức phải chờ.
term-cap-relation = Khi đã chạm giới hạn, hàng đợi sâu hơn vẫn cho cùng mức IOPS, đều hơn mọi thiết bị, và độ trễ = độ sâu / giới hạn: 32 yêu cầu đang chờ với giới hạn 3 000 IOPS thì mỗi yêu cầu mất 10,7 ms.
term-cap-look = Kiểm tra provider-limit và os-throttle chỉ ra giới hạn này. truedisk check PATH --plan aws:gp3:500GiB cho biết cam kết khi bán có được giữ hay không.
term-cache-question = Có phải bộ nhớ trả lời thay cho ổ đĩa?
term-cache-meaning = Giữa chương trình và ổ đĩa có các bộ nhớ đệm: bộ đệm trang của hệ thống, bộ nhớ đệm của trình ảo hóa hoặc của hệ thống lưu trữ, bộ nhớ trong ổ đĩa. Lần đọc do chúng trả lời không nói lên gì về ổ đĩa. Lần ghi do chúng nhận chỉ an toàn sau khi flush.
term-cache-relation = O_DIRECT bỏ qua bộ đệm trang, nhưng không bỏ qua cái nào khác. Khối chưa từng được ghi cũng không cần đến ổ đĩa: chúng được trả lời bằng số không từ một bảng ánh xạ.
term-cache-look = Các kiểm tra page-cache, host-cache, device-cache, unwritten và flush tìm chúng trong mỗi lần đo.
status-not-observable = không quan sát được

## method

caches-warm = Các tệp vừa được tạo hoặc dùng: stat, open và readdir được trả lời từ bộ nhớ. Không đo với bộ đệm nguội (chạy bằng root: --drop-caches).
caches-dropped = Các tệp vừa được tạo hoặc dùng: stat, open và readdir được trả lời từ bộ nhớ. Số liệu nguội được đo theo thứ tự ngẫu nhiên, sau sync và sau khi xóa bộ đệm của cả máy (drop_caches 3).
progress-looking = đang xem xét đích đo
progress-looking-hosts = đang xem xét đích đo của mọi máy
progress-layout = đang tạo tệp đo
progress-layout-hosts = đang tạo tệp đo trên mọi máy
progress-pause = khoảng nghỉ
progress-small-files = tệp nhỏ: { $load }
progress-so-far = { $what }, đã { $time }
progress-check = kiểm tra độ tin cậy: { $what }
progress-idle = đọc có khoảng nghỉ
progress-depth = { $workload }, độ sâu { $depth }
progress-again = { $what }, đo lại
progress-for-cap = { $what }, tìm mức giới hạn
progress-until-throttled = { $what }, đến khi bị giới hạn tốc độ
progress-rounds = ghi đến khi ổn định, lượt { $round }
progress-number = { $number }/{ $total }: { $what }
progress-alone = { $what }, chạy riêng
progress-beside-writes = { $what } khi có { $rate } lượt ghi/s
progress-arrivals = { $workload }, { $rate } yêu cầu đến/s
progress-commits = ghi { $size } + fdatasync
progress-pass = { $step }, lượt { $pass }/{ $passes }
progress-warming-up = { $step }, khởi động
progress-visit = { $side }, lần đo { $number }: { $what }
progress-replaying = đang phát lại tải ở { $speed } lần tốc độ
progress-writes-alone = chỉ ghi ngẫu nhiên, độ sâu 32
progress-random-writes = ghi ngẫu nhiên

## ping

ping-shared-device = các đích đo dùng chung một thiết bị, bộ đếm của nó không phân biệt được chúng
ping-headline = { CAP($label) }: { $latency }
ping-tail = p50 { $p50 }, p99 { $p99 } của { $requests } yêu cầu
ping-median = p50 { $p50 } của { $requests } yêu cầu (quá ít để có p99)
ping-mean = trung bình { $mean } của { $requests } yêu cầu (quá ít để có phân vị)
ping-reads = đọc { $latency }
ping-writes = ghi { $latency }
ping-latency-after-pause = sau khoảng nghỉ { $latency }
ping-latency-back-to-back = liên tiếp { $latency }
ping-unknown = chưa kết luận được từ { $requests } yêu cầu, cần { $needed }
ping-range = { $value } (95 %: { $low } đến { $high })
ping-range-of = { $value } (95 %: { $low } đến { $high }, n = { $n })
ping-rate-kept = tốc độ: dự kiến { $planned } yêu cầu/s, và giữ được
ping-rate-late = tốc độ: dự kiến { $planned } yêu cầu/s, thực hiện { $made }: bắt đầu trễ
ping-rate-missed = tốc độ: dự kiến { $planned } yêu cầu/s, thực hiện { $made }; bỏ lỡ { $missed } trong { $all } lần bắt đầu, vì yêu cầu lâu hơn khoảng cách
ping-rate-few = tốc độ: dự kiến { $planned } yêu cầu/s; thực hiện { $starts }, quá ít để tính tốc độ
ping-rate-few-missed = tốc độ: dự kiến { $planned } yêu cầu/s; thực hiện { $starts }, quá ít để tính tốc độ; bỏ lỡ { $missed } trong { $all } lần bắt đầu, vì yêu cầu lâu hơn khoảng cách
ping-after-pause = sau khoảng nghỉ
ping-back-to-back = liên tiếp
ping-ratio = tỷ số: { $ratio }; { $verdict }
ping-sleeps = thiết bị, máy hoặc CPU ngủ giữa các yêu cầu
ping-faster-after-pause = yêu cầu nhanh hơn sau khoảng nghỉ: nếu không nghỉ, các yêu cầu trước còn đang được xử lý, hoặc tốc độ bị giới hạn
ping-no-difference = các khoảng tin cậy chồng nhau: không thấy khác biệt
replay-keeps-up = Theo kịp tải này: { $clauses }
replay-falls-behind = Không theo kịp: chỉ hoàn thành kịp { $share } tải này; { $clauses }
replay-slowest = không yêu cầu nào trễ hơn { $slowest }
replay-there-and-here = { $requests }: { $percentile } ở nơi thu thập là { $there }, ở đây là { $here }
replay-changed = { $fact } ({ $change })
replay-slower = chậm hơn nơi thu thập
replay-within-lateness = có thể chỉ do độ trễ của chính trình tạo tải
replay-here = { $requests }: { $percentile } ở đây là { $here }
replay-interval = { $here } [{ $low }, { $high }]
replay-figure = { $here }
replay-reads = đọc
replay-writes = ghi
replay-flushes = flush
replay-breaks = ở mức { $breaks } lần tải này nó vượt { $bound }, ở mức { $keeps } lần vẫn giữ được
replay-never-breaks = ở mức { $keeps } lần tải này, mức cao nhất đã thử, nó vẫn giữ { $bound }
replay-always-breaks = ngay ở mức { $breaks } lần tải này nó đã vượt { $bound }
replay-limit-unknown = quá ít yêu cầu để đánh giá { $bound }
replay-not-confirmed = { $answer } (chưa được xác nhận bằng các lần dò tiếp theo)
replay-load = Tải: { $requests } yêu cầu trong { $length }, ở { $speed } lần tốc độ của nó; vị trí { $map }.
replay-probed = Phép tìm phát lại từng phần dài { $time } của tải ở các tốc độ khác. Seed quyết định mỗi phần bắt đầu ở đâu.
replay-map-scale = được co giãn theo đích đo
replay-map-wrap = quay lại từ đầu khi quá cuối đích đo
replay-map-as-is = giữ nguyên
replay-lateness = Trình tạo tải bắt đầu yêu cầu trễ { $p99 } ở p99, nhiều nhất { $most }.
replay-awake = Trong lúc đó các bộ xử lý rảnh được giữ thức: chương trình để chúng ngủ có thể phải chờ lâu hơn.
replay-deeper = { $share } số yêu cầu gặp hàng đợi sâu hơn so với khi thu thập: chúng có trong bảng, nhưng không có trong phép so sánh thời gian phản hồi giữa nơi thu thập và ở đây.
replay-no-discards = Bỏ qua: { $count } lệnh discard, chúng không được phát lại.
replay-no-flushes = Bỏ qua: { $count } lệnh flush, vì tải không ghi gì.
replay-no-fua = { $count } lệnh ghi có FUA được phát lại như ghi thường: ở nơi thu thập chúng bền vững ngay.
replay-lost = { $count } yêu cầu bị mất khi thu thập: tải thật cao hơn.
replay-cut = Trace bị cắt: chỉ { $length } đầu được phát lại.
plan-load-title = { $plan }: có đáp ứng được { $load } không? (tính toán, không đo gì)
plan-load-carries = Đáp ứng được tải này: không yêu cầu nào phải chờ lâu hơn { $wait } vì gói dịch vụ.
plan-load-carries-throttled = Đáp ứng được tải này, nhưng bị giới hạn { $minutes } phút mỗi ngày (do { $limit }): một yêu cầu chờ tối đa { $wait }.
plan-load-ends-in-the-day = Đáp ứng được tải này trong thời gian thu thập, nhưng không được cả ngày: phần burst sẽ hết và tải bị giới hạn { $minutes } phút mỗi ngày.
plan-load-not-carried = Không đáp ứng được tải này: { $served } được xử lý đúng thời gian, bị giới hạn { $minutes } phút mỗi ngày (do { $limit }); một yêu cầu chờ tối đa { $wait }.
plan-load-peak = nhiều nhất trong { $step }
plan-load-burst-left = Phần burst: mức thấp nhất còn { $lowest }, khi tải kết thúc còn { $end }.
plan-load-operations = thao tác/s theo cách tính của gói
plan-load-bytes = MB/s theo cách tính của gói
plan-load-always = duy trì
plan-load-assumed = Giả định: phần burst đầy lúc bắt đầu; một ngày là tải này lặp lại; đọc và ghi dùng chung các mức; các yêu cầu tuần tự không rõ lúc kết thúc được coi là đã gộp. Không tính độ trễ, flush và discard.
plan-load-lost = Khi thu thập đã mất { $count } yêu cầu: tải lớn hơn số đã tính ở đây.
plan-load-cut = Việc thu thập bị ngắt sau { $length }.

## fio-run

## truedisk

wave-begins = đợt { $wave }/{ $waves }: { $hosts }
waves-lost = mất liên lạc với mọi máy của { $count } đợt liên tiếp; ở đợt cuối: { $reason }
waves-total-time = { $waves } đợt, lần lượt từng đợt: mỗi đợt mất thời gian của một lần đo đầy đủ
output-report = báo cáo: { $path }
output-record = bản ghi: { $path }
output-more = xem thêm: { $command }
output-page = trang: { $command }
output-written = đã ghi: { $path }
head-setting = thiết lập
head-value = giá trị
head-set-by = đặt bởi
config-file-read = đã đọc: { $path }
config-file-missing = không tìm thấy: { $path }
config-variable-unknown = không đặt tùy chọn nào: { $name }
share-removed-hosts = đã bỏ: tên máy ({ $count })
share-removed-addresses = đã bỏ: địa chỉ IP ({ $count })
share-removed-paths = đã bỏ: đường dẫn ({ $count })
share-removed-serials = đã bỏ: số sê-ri và mã định danh của thiết bị ({ $count })
share-removed-volumes = đã bỏ: tên ổ đĩa logic và nguồn ({ $count })
share-removed-groups = đã bỏ: tên cgroup ({ $count })
share-removed-processes = đã bỏ: tên tiến trình ({ $count })
share-removed-labels = đã bỏ: nhãn của máy ({ $count })
share-removed-commands = đã bỏ: đối số của dòng lệnh ({ $count })
share-removed-sources = đã bỏ: nguồn của preset và cam kết ({ $count })
share-removed-jobs = đã bỏ: tên tác vụ ({ $count })
share-removed-presets = đã bỏ: tên trong preset ({ $count })
progress-left = còn { $seconds } s
history-none = chưa có lần chạy nào trong { $location }
history-none-fits = đang giữ { $known } lần chạy; không lần nào khớp bộ lọc
history-newest = { $shown } lần chạy mới nhất; -n 0 cho xem tất cả
history-tagged = { $name } là { $run }
history-tag-moved = { $name } là { $run }, không còn là { $before }
history-untagged = { $run } không còn tên { $name }
history-deleted = đã xóa { $run }
history-deleted-of = đã xóa { $run } ({ $command } của { $target })
history-deleted-tagged = đã xóa { $run } ({ $command } của { $target }, nhãn { $tags })
history-removed = đã xóa tệp { $file }
history-pruned = đã xóa { $deleted }, còn { $left }, thêm { $tagged } có nhãn
history-exported = đã ghi { $runs } lần chạy vào { $file }
history-kept = đã giữ { $run }
history-known = đã có { $run }
history-imported = lần chạy mới: { $new }, đã có từ trước: { $known }
trend-left-out = Không tính: { $runs } lần chạy có số liệu mà một mục kiểm tra kết luận là không hợp lệ.
fleet-no-agent = không agent nào trả lời
fleet-stream-keeps = máy chủ cũng giữ { $hosts } bản ghi của lần chạy { $run }:
fleet-agent-keeps = { $name } giữ bản ghi của lần chạy { $run } ({ $purpose }):
fleet-cannot-lead = không điều khiển được: phiên bản { $version }
fleet-idle = rảnh
fleet-relay = trạm chuyển tiếp: không đo
fleet-busy = đang chạy { $run }
fleet-read-only = { $paths } (chỉ đọc)
head-name = tên
head-labels = nhãn
head-allows = cho phép
head-state = trạng thái
fleet-stopped = đã dừng: { $names }

## report/templates

head-slow-host = máy chậm
head-slower = chậm hơn
head-median = trung vị
head-spreads = số lần độ phân tán
head-slowest-host = chậm nhất
head-fastest-host = nhanh nhất
page-outliers = Máy chậm
page-slow-hosts = Máy chậm
page-peers = Các máy cùng model khác nhau ra sao
page-peers-caption = Số đo của các máy cùng loại, từ máy chậm nhất đến nhanh nhất: 5 % số máy chậm hơn số ở cột 5 %. Độ phân tán là độ lệch chuẩn ước lượng bền vững.
page-hosts-left-out = { $count } máy khác, nhanh hơn, chỉ có trong bản ghi JSON.
head-host = máy
head-share = tỷ trọng
head-depth = độ sâu
head-mean = trung bình
head-began = bắt đầu
head-what = mục
head-promised = cam kết
head-needed = cần
head-measured = đo được
head-answer = kết luận
head-step = bước
head-max = tối đa
head-source = nguồn
head-workload = tải
head-out = đang xử lý
head-stands = ghi chú
head-cell = phép đo
head-hosts = máy
head-waves = Các đợt
head-from = từ
head-to = đến
page-waves-caption = Các máy trong một đợt đo cùng lúc. Số tổng của mỗi đợt nằm trong bản ghi riêng của đợt đó.
head-skew = độ lệch
head-known-to = sai số đồng hồ
head-first-done = máy đầu xong
head-last-done = máy cuối xong
head-slowest = chậm nhất, trung bình so với trung vị
head-system = hệ thống
head-target = đích đo
head-clock = đồng hồ
head-round-trip = khứ hồi
head-own-record = bản ghi riêng
page-small-files = Tệp nhỏ
page-uses = Ổ đĩa phù hợp cho việc gì
page-results = Kết quả
page-host-by-host = Từng máy
page-trust = Có tin được số liệu không?
page-not-tested = Chưa kiểm tra
page-appendix = Phụ lục
page-thresholds = Có đủ tốt không?
page-good-for = Phù hợp cho
page-too-slow-for = Quá chậm cho
page-limited-by = Hạn chế
page-how-the-hosts-met = Thời gian các máy chạy
page-the-hosts = Các máy
page-terms-and-sources = điều khoản và nguồn
page-meaning = Ý nghĩa của số liệu
page-curves = Đường cong, phân bố và diễn biến theo thời gian
page-all-probes = Tất cả lần thử
page-environment = Ổ đĩa và môi trường
page-method = Phương pháp
page-command = Lệnh
page-picture = Độ trễ theo số thao tác mỗi giây
page-steps-caption = Trung vị của các lượt. ±: khoảng tin cậy 95 % của IOPS. -: quá ít mẫu.
page-hosts-met-caption = Độ lệch: từ lúc máy đầu tiên bắt đầu đến lúc máy cuối cùng bắt đầu; sai số đồng hồ: sai số của khoảng này. Máy đầu xong: thời gian mà mọi máy cùng chạy.
page-hosts-caption = Đồng hồ: độ lệch so với đồng hồ của máy điều phối, và sai số của độ lệch đó.
page-total-latency = Độ trễ tổng, từ lúc gửi yêu cầu đến lúc nhận kết quả.
page-response-time = Thời gian phản hồi, từ lúc bắt đầu theo kế hoạch đến lúc nhận kết quả.
head-figure = số liệu
head-ratio = tỷ số
head-verdict = kết luận
head-cells = phép đo
page-what-else-differs = Khác biệt khác
page-every-other-figure = Tất cả số liệu khác
page-curves-of-both-sides = Đường cong của hai bên
page-for-the-money = So với chi phí
page-not-compared = Không so sánh
compare-hosts-caption = Các máy có ở cả hai bên, mỗi máy tính trên mọi phép đo của nó. Chúng không nằm trong số phép so sánh đếm ở trên.
page-levels = Các mức
page-version = phiên bản
page-partial = chưa hoàn tất
page-partial-kept = Kết quả đã đo vẫn được giữ.
page-degraded = không đầy đủ
page-promise = Có đúng như cam kết không?
page-source = Nguồn:
page-no-problem = Không mục kiểm tra nào thấy vấn đề.
page-probes-caption = Đang xử lý: số thao tác đang xử lý trung bình. -: quá ít mẫu.
head-arrivals = yêu cầu đến/s
page-lost = mất liên lạc:
page-root-would-add = Nếu chạy bằng root sẽ có thêm:
page-method-text = Độ trễ tổng tính từ ngay trước lời gọi gửi yêu cầu đến khi nhận kết quả hoàn thành; đồng hồ được đọc một lần cho mỗi lô gửi đi và một lần cho mỗi lô nhận về. Khoảng tin cậy của giá trị trung bình tính từ số đếm mỗi 10 ms, có hiệu chỉnh tự tương quan; khoảng tin cậy của phân vị tính bằng block bootstrap trên từng phần mười giây. Chỉ hiển thị phân vị khi đủ mẫu. Số thao tác đang xử lý được giữ ở độ sâu yêu cầu; độ sâu đạt được có trong bản ghi.
status-invalid = không hợp lệ
status-warning = cảnh báo
status-note = ghi chú
page-what-to-do = Cần làm:
page-cells = Phép đo:

## report/html/shared

axis-operations = thao tác mỗi giây
axis-depth = thao tác đang xử lý (độ sâu)
axis-seconds = giây
axis-latency = độ trễ
axis-response = thời gian phản hồi
axis-slower-share = tỷ lệ thao tác chậm hơn
axis-block-size = kích thước khối
statistic-of-latency = { $statistic } độ trễ
statistic-of-response = { $statistic } thời gian phản hồi
chart-replay-latency = Độ trễ ở nơi thu thập và ở đây
chart-replay-latency-caption = Đường: thời gian phản hồi ở đây, tính từ thời điểm bắt đầu theo kế hoạch. Điểm: độ trễ ở nơi thu thập tải.
series-replay-here = { $requests } ở đây
series-replay-there = { $requests } ở nơi thu thập
chart-replay-search = { $statistic } theo tốc độ của tải
chart-replay-search-caption = Mỗi điểm là một lần phát lại ở một tốc độ: một lần cho toàn bộ tải, các lần khác cho một phần của tải. Vùng tô: vượt giới hạn.
series-replay-probes = các lần dò
series-replay-late = trình tạo tải bị trễ: không tính
axis-times-load = lần tải này
load-at-depth = độ sâu { $depth }
load-at-rate = { $rate } yêu cầu đến/s
series-invalid = không hợp lệ
series-disturbed = bị nhiễu
chart-tails-caption = Tại điểm đường cắt mức 1 %, cứ 100 thao tác có một thao tác chậm hơn: đó là phân vị 99. Đường càng kéo dài sang phải thì đuôi độ trễ càng dài.

## report/html/load_picture

picture-title = { CAP($statistic) } theo số thao tác mỗi giây
picture-of-depths = Mỗi điểm là một độ sâu.
picture-of-rates = Mỗi điểm là một tốc độ yêu cầu đến.
picture-bound = Vùng tô: vượt giới hạn độ trễ. Ngôi sao: mức tối đa trong giới hạn.
picture-not-counted = Rỗng và xám: bị nhiễu hoặc không hợp lệ, không được tính.
picture-point = { $curve }, { $load }: { $rate } IOPS, { $statistic } { $latency }
picture-ramp = { $curve }: giai đoạn tăng tải trước khi tìm
picture-series-not-counted = { $curve }: không được tính
picture-answer-short = { $rate } ở { $load }
picture-answer = { $of }: { $rate } ở { $load }

## report/html/charts

chart-depth = Số thao tác theo độ sâu
chart-depth-caption = Nơi đường nằm ngang, tăng độ sâu chỉ tăng độ trễ; nơi đường đi xuống, tăng độ sâu lại cho ít hơn.
chart-tails = Thao tác mất bao lâu
chart-invalid-series = { $series } (không hợp lệ)
chart-time-operations = Diễn biến theo thời gian: số thao tác
chart-time-operations-caption = Mỗi điểm là một phần mười giây, hoặc trung bình của vài phần. Mỗi bậc là một mức tải mới. Chỗ tụt trong một bậc là do ổ đĩa hoặc do chương trình khác dùng ổ đĩa.
chart-time-p99 = Diễn biến theo thời gian: p99
chart-time-p99-caption = p99 của từng phần mười giây có đủ thao tác.
chart-first-write = Lần ghi đầu
chart-first-write-caption = Lần ghi đầu của từng khối trong tệp đo, ghi tuần tự. Bậc tụt xuống là lúc bộ nhớ đệm ghi đầy hoặc hết tín dụng burst.
axis-written = GB đã ghi

## report/html/limit_charts

limit-rates = Số thao tác theo tải: { $curve }
limit-rates-served = Trên đường chấm, mọi yêu cầu đến đều được phục vụ. Bên dưới đường đó, thiết bị không theo kịp và thời gian chờ tăng mãi.
limit-rates-plain = Nơi đường nằm ngang, tăng độ sâu chỉ tăng độ trễ; nơi đường đi xuống, tăng độ sâu lại cho ít hơn.
limit-rates-guides = Đường chấm: mức không hàng đợi nào vượt được. Nó tăng theo độ sâu chia cho độ trễ lúc rảnh, cho đến mức cao nhất đo được.
limit-rates-knee = Hai đường gặp nhau ở điểm gãy: quá đó, tăng độ sâu chỉ tăng độ trễ.
limit-rates-no-knee = Ở hàng đợi sâu nhất, thiết bị vẫn còn cho nhiều hơn: chưa thấy mức trần.
limit-rates-law = Nét đứt dài: quy luật mở rộng phổ quát (universal scalability law), trong phạm vi độ sâu đã thử.
axis-arrivals-planned = yêu cầu đến mỗi giây theo kế hoạch
series-served = phục vụ mọi yêu cầu đến
series-idle-guide = độ sâu / độ trễ lúc rảnh
series-ceiling = mức trần
series-most-seen = cao nhất đo được
series-law = quy luật mở rộng
series-reads = đọc
series-writes = ghi
series-trims = TRIM
series-syncs = sync
series-together = cả hai cộng lại
series-measured = đo được
series-thrashing = quá tải: ở độ sâu { $then } ít hơn ở { $best }
limit-tails = Thao tác mất bao lâu ở mức giới hạn
series-of-direction = { $direction }, { $load }

## report/html/surface_charts

steps-title = Tốc độ của các bước
steps-caption = Mỗi dấu là tốc độ của một bước, vạch là khoảng tin cậy 95 %. Dấu rỗng: khoảng quá rộng, không thành số liệu.
small-files-caption = Mỗi dấu là tốc độ của một thao tác, vạch là khoảng tin cậy 95 %.
small-files-p99-caption = 99 trên 100 thao tác nhanh hơn mức này.
range-point = { $what }: { $value }
axis-place = vị trí, GB từ đầu
axis-share-read = phần thiết bị được đọc
axis-mean-read = trung bình một lần đọc ngẫu nhiên
series-sequential = đọc tuần tự
series-fit = đường cong qua mọi điểm
series-weak = yếu: lần nào cũng chậm
series-passing = chậm một lần, không lặp lại
series-suspect = chậm, chỉ đọc một lần
series-mean = trung bình
series-longest = lâu nhất
series-seek = tìm kiếm và nửa vòng quay
surface = Bề mặt: tốc độ theo vị trí
surface-caption = Các vị trí trên khắp thiết bị, đọc theo thứ tự ngẫu nhiên.
surface-zones = Tốc độ giảm như ở ổ đĩa ghi theo vùng (ZBR); đường cong giải thích { $explained } khác biệt.
surface-access = Bề mặt: thời gian truy cập
surface-access-caption = Đọc ngẫu nhiên tại từng vị trí, từng lần một, đầu đọc không phải chạy qua ổ đĩa.
surface-arm = Thời gian tìm kiếm
surface-arm-caption = Đọc ngẫu nhiên, từng lần một: đầu đọc đi càng xa thì càng lâu. Đĩa quay { $turns } vòng/phút.

## report/html/fleet_charts

hosts-slowest-drawn = Chỉ vẽ { $drawn } máy chậm nhất; { $left } máy nhanh hơn nằm trong các tổng.
hosts-load = { $curve }: từng máy
hosts-load-caption = Mỗi máy một đường, và một đường cho tổng. Các máy dùng cùng hệ thống lưu trữ phải nằm trên một đường: máy nằm dưới có đường truyền đến lưu trữ chậm hơn.
hosts-time = Diễn biến theo thời gian: từng máy
hosts-time-caption = Mọi máy theo cùng một đồng hồ. Tất cả cùng tụt là do hệ thống lưu trữ; một máy tụt là do máy đó hoặc đường truyền của nó.
hosts-skew = Thời điểm bắt đầu
hosts-skew-caption = Thời gian từ lúc máy đầu tiên bắt đầu đến lúc máy cuối cùng bắt đầu, của từng phép đo. Đường mảnh: sai số của đồng hồ.
axis-together-depth = độ sâu, tất cả máy cộng lại
axis-together-rate = yêu cầu đến mỗi giây, tất cả máy cộng lại
axis-of-host = thao tác mỗi giây của một máy
axis-cells = phép đo, theo thứ tự chạy
axis-skew = độ lệch
series-total = tổng
series-least = thấp nhất
series-median = trung vị
series-most = cao nhất
series-mean-host = trung bình mọi máy

## report/html/sweep_charts

sweep-heat = { $workload }: { $unit } theo kích thước khối và độ sâu
sweep-heat-operations = Màu càng đậm thì càng nhiều thao tác mỗi giây. Gạch ngang: bị nhiễu hoặc không hợp lệ. !: xem cảnh báo.
sweep-heat-bytes = Màu càng đậm thì càng nhiều megabyte mỗi giây. Gạch ngang: bị nhiễu hoặc không hợp lệ. !: xem cảnh báo.
sweep-heat-point = { $size }, độ sâu { $depth }: { $figure } { $unit }
sweep-over-size = { $workload }: { $unit } theo kích thước khối
sweep-over-size-caption = Các điểm là số đo. Nét đứt: quy luật hai giới hạn, một về số thao tác và một về số byte mỗi giây; chỉ vẽ khi sai số trong 10 lần và khớp mọi điểm.
sweep-crossover = Ở độ sâu { $depth }, hai giới hạn gặp nhau gần { $size }.
sweep-over-depth = { $workload }: IOPS theo độ sâu
sweep-over-depth-caption = Mỗi kích thước khối một đường. Nơi đường nằm ngang, tăng độ sâu chỉ tăng độ trễ.
sweep-beside = Đọc song song với ghi
sweep-beside-caption = { $job }. Điểm đầu tiên là chỉ đọc. Ở điểm cuối, kế hoạch là ghi đủ { $writes } lượt/s mà đích đo đạt khi chỉ ghi.
sweep-beside-share = { $share } mức ghi tối đa
series-of-reads = { $statistic } của lần đọc
axis-writes-beside = lượt ghi ngẫu nhiên mỗi giây cùng lúc
axis-read-latency = độ trễ đọc

## report/html/tiles

chip-ok = ok
chip-warning = cảnh báo
chip-no-figure = không có số liệu
chip-invalid = không hợp lệ
tile-replay-carries = Theo kịp
tile-replay-slowest = yêu cầu chậm nhất: { $slowest } sau thời điểm bắt đầu theo kế hoạch
tile-replay-response = { $percentile } của thời gian phản hồi, { $requests }
tile-replay-compared = của { $share } số yêu cầu không gặp hàng đợi sâu hơn so với khi thu thập
tile-replay-within = Giữ { $bound } đến mức
unit-times-load = lần tải này
unit-there = ở nơi thu thập
unit-here = ở đây
tile-latency = Độ trễ đọc, độ sâu 1
tile-requests = { CAP($requests) }
tile-reads = Đọc ngẫu nhiên
tile-writes = Ghi ngẫu nhiên
tile-streams = Tốc độ tuần tự
tile-commits = Commit, một client
tile-most-operations = Nhiều thao tác nhất
tile-most-bytes = Nhiều byte nhất
tile-answer = { $curve } với { $bound }
tile-slowest = Máy chậm nhất: { $host }
unit-reads = lượt đọc/s
unit-writes = lượt ghi/s
unit-commits = commit/s
unit-files = tệp/s
unit-read-rate = MB/s đọc
unit-write-rate = MB/s ghi
tile-no-interval = không có khoảng tin cậy
tile-too-wide = khoảng tin cậy quá rộng để nêu số liệu
tile-too-wide-of = { $figures }: khoảng tin cậy quá rộng để nêu số liệu
tile-within = với { $bound } ở độ sâu { $depth }
tile-not-kept = không giữ được { $bound } ngay cả ở độ sâu { $depth }
tile-answer-at = ở { $load }, { $by }
tile-answer-with = ở { $load } ({ $statistic }), { $by }
tile-answer-none = { $reason }; { $rate } IOPS ở { $load }
tile-none = không có
tile-needed = cần: { $limit }
tile-cell = { $curve }, độ sâu { $depth }
tile-share = { $share } tổng số
tile-mean-and-tail = trung bình { $mean }, p99 { $tail }
tile-commit-tail = p99 { $tail }

## report/html/trust

badge-trusted = tin cậy
badge-caution = thận trọng
badge-do-not-use = không dùng được
badge-reason-sound = Mọi mục kiểm tra chạy được đều không thấy vấn đề gì với số liệu.
badge-reason-nothing = Không phép đo nào hoàn tất: không tin được số liệu nào.
badge-reason-lost = Các tổng ghi "không đầy đủ" bị thiếu một máy.
badge-reason-not-judged = Chưa đánh giá: loại lần chạy này không có mục kiểm tra độ tin cậy.
badge-reason-finding = { CAP($finding) }.
badge-reason-open = Các mục kiểm tra không thấy vấn đề, nhưng lần chạy này chưa cho câu trả lời chắc chắn.
badge-warned-cells = Cảnh báo liên quan đến: { $cells }.
trust-passed = { $count } mục kiểm tra đạt: { $checks }.
trust-blind = { $count } mục kiểm tra không chạy được: { $checks }.
trust-cells = { $touched } trên { $count } phép đo
trust-worst = nặng nhất: { $what }, { $value }
trust-evidence = bằng chứng

## report/html/view

page-unknown-host = không rõ máy
page-test-file = tệp đo { $size }; { $time }
page-shorter-file = tệp đo { $size } thay vì { $wanted } ({ $reason }); { $time }
page-own-files = các tệp nhỏ tự tạo; { $time }
page-only-read = đọc { $size }, không ghi gì; { $time }
page-imitates = Mô phỏng { $tool }.
page-departure = Khác với preset: { $words }.
page-behaves-like = Ổ đĩa hoạt động giống { $class }.
page-results-caption = Độ trễ tổng, từ lúc gửi yêu cầu đến lúc nhận kết quả. ±: khoảng tin cậy 95 % của IOPS trong lần chạy này. *: IOPS tối đa với { $bound }. -: quá ít mẫu.
page-results-plain-caption = Độ trễ tổng, từ lúc gửi yêu cầu đến lúc nhận kết quả. ±: khoảng tin cậy 95 % của IOPS trong lần chạy này. -: quá ít mẫu.
page-results-replay-caption = Thời gian phản hồi: từ thời điểm bắt đầu theo kế hoạch đến khi hoàn tất. ±: khoảng tin cậy 95 % của IOPS trong lần chạy này. -: quá ít mẫu.
page-shares-caption = Tỷ trọng của từng máy trong { $cell }. Bắt đầu: thời gian sau khi máy đầu tiên bắt đầu.
page-notes = { $count } ghi chú
page-more = { $count } mục nữa
page-footer = truedisk { $version }, bản ghi { $id }, schema { $schema }

## report/html/facts

layer-detail = { $name } { $value }
layer-link-words = { $kind } { $current }, tải được { $carries }
layer-link-of = { $kind } { $current } trên { $most }, tải được { $carries }
layer-serial = số sê-ri
layer-firmware = firmware
layer-rotational = đĩa quay (tự khai)
layer-scheduler = bộ lập lịch
layer-sector = sector
layer-physical-sector = sector vật lý
layer-write-cache = bộ nhớ đệm ghi:
layer-requests = yêu cầu
layer-largest-request = yêu cầu lớn nhất
layer-hardware-queues = hàng đợi phần cứng
layer-link = kết nối
layer-health-start = sức khỏe lúc đầu:
layer-health-end = sức khỏe lúc cuối:
layer-file = tệp
layer-file-direct = bỏ qua bộ nhớ đệm của tệp đó:
word-yes = có
word-no = không
fact-run = lần chạy
fact-started = bắt đầu
fact-host = máy
fact-coordinator = máy điều phối
fact-system = hệ thống
fact-kernel = kernel
fact-processor = CPU
fact-memory = bộ nhớ
fact-virtualisation = ảo hóa
fact-container = container
fact-user = người dùng
fact-root = root
fact-not-root = không phải root
fact-none-seen = không thấy
fact-io-uring = io_uring
fact-available = có sẵn
fact-measured-by = đo bằng
fact-known-of-it = ghi chú
fact-seed = seed
fact-span = vùng đo
fact-clock = đồng hồ
fact-clock-words = { $clock }, { $reading } mỗi lần đọc
fact-generator = trình tạo tải
fact-generator-words = { $one }/s ở độ sâu 1, { $many }/s ở độ sâu 32, với thao tác rỗng
fact-control-group = cgroup

## report/compare/charts

compare-axis-ratio = { $b } so với { $a }
compare-ratios = { $b } so với { $a }, từng phép đo
compare-ratios-caption = Mỗi hình thoi là tỷ số của một phép đo, đường kẻ là khoảng tin cậy 95 %. Bên phải 1 nghĩa là { $b } cho nhiều hơn. Vùng tô: lệch không quá { $margin }, coi như nhau.
compare-ratio-words = { $cell }: x { $ratio }
compare-cell-figure = { $cell }, { $figure }
compare-side-point = { $side }, độ sâu { $depth }
compare-over-depth = { $workload }: IOPS theo độ sâu
compare-over-depth-caption = Số thao tác của hai bên ở cùng độ sâu. Thanh dọc là khoảng tin cậy 95 %.
compare-over-load = { $workload }: độ trễ theo tải
compare-over-load-caption = Mỗi điểm là một độ sâu. Càng thấp và càng lệch phải thì càng tốt.

## report/compare/page

compare-sides = { $b } so với { $a }
compare-ratio-caption = Tỷ số: { $b } chia { $a }, kèm khoảng tin cậy 95 %. *: đúng khi xét chung mọi phép so sánh (Holm, 5 %). -: quá ít mẫu.
compare-no-difference = Không thấy khác biệt giữa { $a } và { $b }
compare-same = { $a } và { $b } { $words }
compare-more-runs = Để kết luận các phép đo còn chưa rõ, mỗi bên cần thêm tối đa { $runs } lần chạy.
compare-one-run-each = mỗi bên một lần chạy: không có khoảng tin cậy giữa các lần chạy
compare-cannot-tell = chưa kết luận được
compare-no-currency = không chỉ định tiền tệ
compare-money = Tính trên mỗi đơn vị tiền mỗi tháng. Tiền tệ:

## report/trend

trend-run = lần chạy
trend-level = mức
trend-caption = Mỗi điểm là một lần chạy với khoảng tin cậy 95 %. Mỗi đường là một mức chung của các lần chạy nằm trên đó.

## target

root-serial-numbers = số sê-ri và mã định danh của { $disks }
root-locked-memory = bộ đệm đăng ký (registered buffer) vượt giới hạn khóa bộ nhớ { $limit }
root-raw-devices = đo trực tiếp thiết bị khối, không qua hệ thống tệp
root-drop-caches = xóa bộ đệm của cả máy, không chỉ của tệp được đo

## watch

watch-not-counted = kernel không đếm I/O của { $disks } (queue/iostats bằng 0): không được tính
watch-not-timed = kernel không đo thời gian I/O của { $disks } (queue/iostats bằng 0): chỉ có tốc độ, không có độ trễ
watch-bio-based = I/O của { $disks } không đi qua hàng đợi yêu cầu: có tốc độ và trung bình, không có phân vị
watch-bios-timed = { $disks } không có hàng đợi yêu cầu: không tách được thời gian trong hàng đợi và trong thiết bị; trên 16 000 yêu cầu/giây thì cứ tám yêu cầu đo một
watch-ebpf-not-permitted = phân vị độ trễ cần root, hoặc CAP_BPF và CAP_PERFMON: chỉ có tốc độ và trung bình
watch-ebpf-unavailable = không có phân vị độ trễ ở đây: { $reason }
watch-instead-of-ebpf = eBPF không dùng được ở đây ({ $reason }): thay bằng các tracepoint của lớp khối, không biết ai đang chờ
watch-not-bottleneck = { $disk } không phải là điểm nghẽn: { $because }
watch-saturated = { $disk } đã bão hòa: { $because }
watch-capped = { $disk } bị giới hạn tốc độ: { $because }
watch-slow = { $disk } chậm dù tải nhẹ: { $because }
watch-cannot-tell = chưa kết luận được { $disk } có phải là điểm nghẽn hay không: { $because }
watch-nothing-asked = trong { $time } không có yêu cầu nào
watch-programs-waited = trong { $time }, chương trình chờ lưu trữ ít nhất { $share } thời gian
watch-busy-share = trong { $time }, có yêu cầu đang xử lý trong nhiều nhất { $share } thời gian
watch-read-latency = đọc { $statistic } { $latency }
watch-write-latency = ghi { $statistic } { $latency }
watch-read-latency-over = đọc { $statistic } { $latency }, vượt { $bound }
watch-write-latency-over = ghi { $statistic } { $latency }, vượt { $bound }
watch-flush-latency = flush { $statistic } { $latency }
watch-flush-latency-over = flush { $statistic } { $latency }, vượt { $bound }
watch-mean-latency = độ trễ trung bình { $latency }
watch-outstanding = trung bình { $outstanding } yêu cầu đang xử lý
watch-in-queue = { $share } độ trễ là thời gian trong hàng đợi
watch-does-of = đang đạt { $rate } trên { $limit } đã đo được với { $bound } ngày { $date } ({ $curve })
watch-does-of-at-least = đang đạt { $rate } trên ít nhất { $limit } đã đo được với { $bound } ngày { $date } ({ $curve })
watch-known-latency = một yêu cầu mất { $latency }; ngày { $date } chỉ mất { $known } với cùng số yêu cầu đang xử lý
watch-known-cap = đang đạt { $rate }, và ngày { $date } một giới hạn cấu hình giữ ở { $limit }
watch-flat = tốc độ đi ngang ở { $iops } IOPS: chỉ dao động { $variation }, ít hơn mức ngẫu nhiên
watch-group-use = đã dùng { $share } mức đó
watch-silent = tổng cộng { $time } hầu như không yêu cầu nào hoàn thành, trong khi { $outstanding } yêu cầu đang xử lý
watch-waiter-group = { $share } thời gian chờ là của { $group }
watch-waiter-writeback = { $share } thời gian chờ là ghi lại bộ đệm trang (writeback)
watch-processor-waited = chương trình chờ CPU { $share } thời gian
watch-processor-busy = CPU bận { $share } thời gian
watch-too-few = { $operations } yêu cầu là quá ít để có phân vị
watch-no-distribution = nguồn đang dùng chỉ cho giá trị trung bình, không cho phân vị
watch-held-elsewhere = thứ khác giữ chúng lại: giới hạn của cgroup, ổ đĩa khác hoặc lưu trữ mạng
watch-limit-unknown = không rõ ổ này làm được bao nhiêu với tải này
watch-too-hot = nó nóng { $celsius } °C và tự báo là quá nóng
watch-too-hot-of = nó nóng { $celsius } °C, vượt giới hạn { $celsius-max } °C của nhà sản xuất
watch-slow-link = đường nối chạy ở { $speed }, có thể chạy ở { $speed-max }
watch-failed-now = { $count } yêu cầu bị lỗi trong thời gian này
watch-failed-commands = { $count } lệnh gửi tới nó quá hạn từ khi khởi động
watch-flushes-among-writes = các lượt flush bị đếm chung với lượt ghi, nên không so được tốc độ với mức đĩa làm được (dùng eBPF thì tách được)
watch-next-limit = Khi ổ rảnh, hãy đo khả năng của ổ: { $command }
watch-next-limit-file = Nâng hoặc bỏ giới hạn: { $file }
watch-next-provider = Xem giới hạn của ổ và của loại máy ở nhà cung cấp; ổ nhanh hơn chỉ có ích nếu giới hạn của nó cao hơn.
watch-next-saturated = Ổ nhanh hơn, bộ nhớ đệm hoặc ít yêu cầu hơn sẽ có ích; thêm yêu cầu đồng thời thì không.
watch-next-depth = Chương trình vẫn phải chờ vì mỗi lúc chỉ gửi ít yêu cầu: gửi nhiều yêu cầu đồng thời hơn sẽ nhanh hơn.
watch-next-slow = Kiểm tra lỗi (dmesg), nhiệt độ (smartctl -a) và tải khác trên cùng phần cứng.
watch-next-slow-check = Kiểm tra lỗi (dmesg), nhiệt độ (smartctl -a) và tải khác trên cùng phần cứng, rồi đo khi ổ rảnh: { $command }
watch-saturated-or-capped = yêu cầu xếp hàng chờ { $disk }; chưa kết luận được ổ đã bão hòa hay bị giới hạn tốc độ: { $because }
watch-watching = đang theo dõi { $disks }; nguồn: { $source }
watch-source-ebpf = eBPF, mọi yêu cầu
watch-source-trace = tracepoint của lớp khối, mọi yêu cầu
watch-source-counters = bộ đếm (/proc/diskstats): tốc độ và trung bình, không có phân vị
watch-metrics-at = số đo: { $address }
watch-watched-for = trong { $time }
watch-disk-line = { $disk }: { $outstanding } yêu cầu đang xử lý; đã dùng: không rõ
watch-disk-line-used = { $disk }: { $outstanding } yêu cầu đang xử lý; đã dùng: { $used } của { $limit } với { $bound } ngày { $date } ({ $curve })
watch-waited-per-second = { $time }/s
watch-waiters-estimated = ai chờ là số ước lượng: trên 16 000 yêu cầu/giây thì cứ tám yêu cầu nhanh hơn 1 ms đếm một
watch-missing-requests = { $count } yêu cầu không có trong độ trễ và trong bảng ai chờ; tốc độ có tính chúng
watch-probe = mỗi giây một lượt đọc của chính chương trình: trung bình { $mean }, nhiều nhất { $max } ({ $count } lượt đọc)
watch-probe-waiting = một lượt đọc của chính chương trình đã chờ { $time }
watch-probe-errors = lượt đọc của chính chương trình bị lỗi: { $count }
watch-fact-probe = lượt đọc của chính chương trình
watch-read = đọc
watch-write = ghi
watch-flush = flush
watch-head-disk = ổ
watch-head-queue = hàng đợi p99
watch-head-device = thiết bị p99
watch-head-who = ai chờ
watch-head-waited = thời gian chờ
watch-others = các nhóm khác
watch-source = nguồn: { $source }
watch-first-interval = Khoảng đo đầu tiên chưa kết thúc.
watch-paused = tạm dừng: vẫn tiếp tục đo
watch-capturing = đang thu thập tải của { $disk } vào { $file }: nhấn c để kết thúc và lưu tệp
watch-capture-saved = đã lưu { $file }: { $requests } yêu cầu của { $disk }
watch-capture-failed = không thu thập được tải của { $disk }: { $error }
watch-keys = q thoát, j/k ổ đĩa, s sắp xếp ({ $order }), c thu thập, p dừng, ? trợ giúp
watch-order-verdict = theo kết luận
watch-order-rate = theo tốc độ
watch-order-latency = theo độ trễ
watch-order-name = theo tên
watch-head-reads = đọc/s
watch-head-writes = ghi/s
watch-head-latency = độ trễ
watch-head-outstanding = đang xử lý
watch-head-used = đã dùng
watch-map = Độ trễ của { $disk }. Tỷ lệ yêu cầu: ░ < 1 %, ▒ < 10 %, ▓ < 50 %, █ nhiều hơn
watch-means = Độ trễ trung bình của { $disk } (*), mỗi khoảng đo một giá trị; nguồn không có phân bố
watch-help-end = kết thúc; kết quả của toàn bộ lần theo dõi được in ra
watch-help-disk = chọn ổ đĩa cho câu kết luận, bản đồ và danh sách nơi đang chờ
watch-help-sort = sắp xếp ổ đĩa theo kết luận, tốc độ, độ trễ hoặc tên
watch-help-capture = thu thập tải của ổ đĩa đã chọn thành hồ sơ tải cho truedisk replay; nhấn c lần nữa để lưu
watch-help-pause = tạm dừng màn hình (cả phím cách); vẫn tiếp tục đo
watch-help-help = hiện hoặc đóng trợ giúp này
watch-help-parts = độ trễ của đọc, ghi và flush gộp lại: từ khi tầng block nhận yêu cầu đến khi hoàn tất. hàng đợi: đến khi trình điều khiển nhận yêu cầu. thiết bị: từ trình điều khiển đến khi hoàn tất.
watch-help-used = đã dùng: tốc độ so với tốc độ cao nhất mà một lần chạy đã lưu của ổ đĩa đạt được trong giới hạn.
watch-help-map = bản đồ: một cột là một khoảng đo; một hàng là các độ trễ từ nhãn của nó đến nhãn phía trên.
watch-help-absent = -: nguồn không cho biết, hoặc khoảng đo có quá ít yêu cầu cho phân vị này.
watch-scope = theo dõi trong { $time }; nguồn: { $source }
watch-series-read = đọc { $statistic }
watch-series-write = ghi { $statistic }
watch-series-flush = flush { $statistic }
watch-chart-latency = Độ trễ của { $disk } theo thời gian
watch-chart-latency-caption = Mỗi điểm là { $time }. Phân vị chỉ hiện khi điểm có đủ yêu cầu.
watch-chart-rate = Yêu cầu của { $disk } theo thời gian
watch-chart-rate-caption = Số yêu cầu hoàn thành mỗi giây, sau khi gộp. Mỗi điểm là { $time }.
watch-tile-used-of = của mức { $limit } trong giới hạn { $bound }, đo ngày { $date } ({ $curve })
watch-tile-median = p50 { $latency }
watch-tile-mean = trung bình { $latency }
watch-at-least-of-time = ít nhất { $share } thời gian
watch-of-time = { $share } thời gian
watch-celsius = { $disk }: { $degrees } °C
watch-errors-of = { $disk }: { $count }
watch-unseen-use = { $disk } làm được bao nhiêu với tải này: không có lần chạy nào đã lưu cùng kích thước và tỷ lệ đọc ghi.
watch-unseen-pressure = Chương trình đã chờ bao lâu: kernel này không đếm (psi=1 trên dòng lệnh kernel).
watch-unseen-throttle = Thời gian giới hạn của cgroup giữ yêu cầu lại trước khi tầng block nhận: không độ trễ nào tính thời gian này.
watch-unseen-order = Yêu cầu là ngẫu nhiên hay tuần tự.
watch-badge-not-bottleneck = không phải điểm nghẽn
watch-badge-saturated = bão hòa
watch-badge-capped = bị giới hạn tốc độ
watch-badge-slow = chậm
watch-badge-cannot-tell = chưa kết luận
watch-fact-pressure = chương trình chờ lưu trữ
watch-fact-processors = CPU bận
watch-fact-cpu-pressure = chương trình chờ CPU
watch-fact-steal = hypervisor chạy việc khác
watch-fact-dirty = trang bẩn, nhiều nhất
watch-fact-writeback = trang đang được ghi xuống, nhiều nhất
watch-fact-errors = yêu cầu bị lỗi
watch-fact-temperature = nhiệt độ
watch-fact-limits = giới hạn của cgroup
watch-page-causes = Các nguyên nhân đã xem
watch-page-waiters = Ai chờ
watch-page-others = Các ổ khác
watch-page-figures = Số liệu
watch-tile-reads = Đọc
watch-tile-writes = Ghi
watch-tile-read-latency = Độ trễ đọc
watch-tile-write-latency = Độ trễ ghi
watch-tile-flush-latency = Độ trễ flush
watch-tile-used = Đã dùng so với mức đã biết
watch-tile-used-unknown = không có lần chạy đã lưu với tải này
watch-unit-flushes = flush/s
watch-method-text = Độ trễ tính từ khi tầng block nhận yêu cầu đến khi hoàn thành; hàng đợi: đến khi driver nhận; thiết bị: từ driver trở đi. Yêu cầu được đếm sau khi gộp. Phân vị chỉ hiện khi số yêu cầu đủ. Tải là của người khác: hai lần theo dõi khác nhau về tải trước khi khác nhau về ổ.
compare-watch-no-load = không có gì được đọc hay ghi trong { $disk }
compare-watch-other-mix = { $a } so với { $b } thao tác là đọc
compare-watch-other-size = { $a } so với { $b } mỗi thao tác
compare-watch-other-rate = { $a } so với { $b } IOPS
compare-watch-differs = { $disk }: không kết luận, vì tải khác nhau: { $differences }
compare-watch-faster = { $disk }: với cùng tải, yêu cầu ở B mất ít thời gian hơn
compare-watch-slower = { $disk }: với cùng tải, yêu cầu ở B mất nhiều thời gian hơn
compare-watch-alike = { $disk }: với cùng tải, yêu cầu ở B mất thời gian gần như nhau
compare-watch-unclear = { $disk }: không kết luận: đo được quá ít, hoặc trung vị và phân vị 99, hoặc đọc và ghi, cho kết quả trái nhau
compare-watch-flushes = flush bị đếm chung với lượt ghi nên không so sánh được (dùng eBPF thì tách được)
compare-watch-side = { $run }, { $when }, { $time }; { $source }
compare-watch-side-on = { $run } trên { $host }, { $when }, { $time }; { $source }
compare-watch-no-disk = Không có ổ nào hoạt động trong cả hai lần theo dõi.
compare-watch-method = Theo dõi không phải phép đo có kiểm soát: tải là của chương trình khác. Chỉ kết luận khi tỷ lệ đọc ghi, kích thước và tốc độ của thao tác giống nhau. Lâu hơn hoặc nhanh hơn: cả trung vị lẫn phân vị 99 (với bộ đếm: trung bình) khác nhau từ một phần tư trở lên. Để so sánh ổ: truedisk compare --interleave.
trend-changed = Mức đã đổi từ lần chạy { $run }: { $change }. Trong các lần theo dõi tải khác nhau, nên không nói được tốt hơn hay kém hơn.

## stats

no-interval-nothing = không có gì được đo
no-interval-no-number = chuỗi số liệu có giá trị không phải số
no-interval-short = quá ngắn: { $worth } mẫu hiệu dụng, cần { $needed }
no-interval-few-measurements = quá ít lần đo: { $made }, cần { $needed }
no-interval-few-rounds = quá ít lượt để có khoảng tin cậy của trung vị: { $made }, cần { $needed }
no-interval-no-weight = các điểm đo không xác định được giá trị này
no-interval-nothing-to-compare = không có gì để so sánh
no-interval-one-run-each = mỗi bên một lần chạy thì không có khoảng tin cậy cho khác biệt giữa các lần chạy
no-interval-one-run = một lần chạy không có khoảng tin cậy riêng
no-interval-no-series = không có chuỗi số liệu
no-interval-one-pass = một lượt không cho khoảng tin cậy của số này
no-interval-longest = dài nhất trong tất cả
no-interval-next-longer = lần chạy sau có thể có lần dài hơn
no-interval-imported = JSON của fio không có chuỗi số liệu
no-interval-cache-size = dữ liệu đã ghi trước khi tốc độ giảm; trong lúc đó bộ nhớ đệm giải phóng chỗ, nên nó có thể nhỏ hơn
no-interval-few-figures = quá ít số liệu: một bên { $few }, bên kia { $more }
no-interval-flat = nhiều giá trị khớp dữ liệu như nhau

## fio

fio-import-no-series = JSON của fio không có chuỗi số liệu, nên số liệu của một lần chạy không có khoảng tin cậy
fio-import-no-time = fio không cho biết chạy lúc nào
fio-import-completion-latency = phân vị là của độ trễ hoàn thành (clat của fio): fio không cho phân vị của độ trễ tổng
fio-import-option = tác vụ '{ $job }': bỏ qua tùy chọn { $option }: { $why }
fio-import-more-options = tác vụ '{ $job }': bỏ qua thêm { $more } tùy chọn
fio-import-guessed = tác vụ '{ $job }': fio không cho biết yêu cầu; thứ tự, kích thước và độ sâu được suy từ tên và số liệu

## report/devices

devices-title = Thiết bị khối
devices-none = Không thấy thiết bị khối nào ở đây.
devices-health = Sức khỏe
devices-idle = Không liệt kê vì chưa thiết lập, rỗng, hoặc là RAM: { $names }.
devices-may-write = Có được ghi không?
devices-write-note = Không mở gì để ghi khi tìm hiểu điều này; trước khi ghi, bộ bảo vệ kiểm tra lại. Một thiết bị chỉ bị ghi khi được nêu tên hai lần: truedisk check DEVICE --yes-destroy-data-on DEVICE.
devices-file-systems = Hệ thống tệp
devices-swap = Vùng swap: { $path }, đã dùng { $used } trong { $size }.
devices-measure = Lệnh để đo tiếp
devices-unknown = Không rõ
head-device = thiết bị
head-size = dung lượng
head-claims = tự khai
head-link = kết nối
head-health = sức khỏe
head-queue = hàng đợi
head-cache = bộ đệm
head-sectors = sector
head-why = vì sao
head-mounted-on = gắn tại
head-kind = loại
head-free = còn trống
head-on = nằm trên
device-detail = { $kind } { $detail }
device-over = { $kind } trên tệp { $file }
device-removable = { $device }, tháo rời được
device-link = { $kind } { $current }: tối đa { $ceiling }
device-link-of = { $kind } { $current } trên { $max }: tối đa { $ceiling }
device-link-below = { $link }, thấp hơn khả năng
device-no = không
device-loses-data = sẽ mất dữ liệu
device-yes = được
device-unknown = chưa rõ
device-holds = ở đây không có gì dùng nó, nhưng nó chứa { $held }
device-unused = ở đây không có gì dùng nó, và không thấy dữ liệu trên nó
device-unseen = không thấy gì dùng nó; xem bên dưới
mount-of = { $what } ({ $source })
mount-of-on = { $what }, trên { $devices }
mount-root = { $mount }: thư mục { $root } của nó
mount-read-only = { $mount }, chỉ đọc

## model

sheet-sources = Nguồn
models-title = Các gói dịch vụ và mô hình
head-for-example = ví dụ
model-own-plan = gói của riêng bạn
model-hdd = ổ cứng HDD theo thông số kỹ thuật
model-ladder = mức mà các thiết bị tiêu biểu đạt được
model-as-of = Với ổ đĩa AWS, as-of=YYYY-MM-DD cho giới hạn của ngày đó.
ladder-title = Số lần đọc ngẫu nhiên 4 KiB mỗi giây của các thiết bị tiêu biểu
ladder-this-record = BẢN GHI NÀY
head-class = loại
head-example = ví dụ
ladder-note = Đo được: trung vị các kết quả người dùng gửi cho iocost-benchmarks, mỗi model một đến bốn ổ trên các máy khác nhau. Mức được bán: theo công bố của nhà cung cấp. Hãy đọc như các khoảng.
ladder-measured = đo được
ladder-sold = mức được bán
ladder-computed = tính toán
ladder-rotating-disk = ổ cứng HDD
ladder-cloud-volume = ổ đĩa cloud
ladder-below-time = dưới { $time }
model-random-reads = Đọc ngẫu nhiên, theo kích thước khối
model-random-writes = Ghi ngẫu nhiên, theo kích thước khối
model-sequential-reads = Đọc tuần tự, có gộp, theo kích thước khối
model-sequential-writes = Ghi tuần tự, có gộp, theo kích thước khối
head-measured-iops = IOPS đo được
head-block = khối
head-burst = burst
head-limit = giới hạn
head-time = thời gian
model-tolerance = Nhà cung cấp công bố { $share } % mức này trong { $of-time } % thời gian.
model-limit-operations = thao tác
model-limit-bytes = byte
model-no-limit = không giới hạn
model-over-time = Theo thời gian, bắt đầu với tín dụng đầy, dưới tải dùng hết khả năng
model-phase = { $from } đến { $until }
model-phase-on = từ { $from } trở đi
model-always = duy trì
model-burst = burst
model-refill = Khi không có tải, tín dụng cạn đầy lại sau { $time }.
model-hours = { $seconds } s ({ $hours } h)
model-seconds = { $seconds } s
hdd-title = Ổ cứng HDD, { $rpm } vòng/phút, thời gian tìm kiếm trung bình { $seek }
hdd-formula = Mỗi lúc một thao tác ngẫu nhiên: thời gian tìm kiếm + nửa vòng quay + truyền dữ liệu + bộ điều khiển.
hdd-stretch = Đầu đọc chỉ di chuyển trên { $share } % bề mặt: thời gian tìm kiếm = { $track } + ({ $seek } - { $track }) x sqrt({ $share } %).
hdd-table = Ngẫu nhiên, từng thao tác một
hdd-surface = Tuần tự, trên bề mặt (bán kính trong cùng bằng nửa bán kính ngoài cùng)
head-seek-ms = tìm kiếm ms
head-rotation = quay
head-transfer = truyền
head-controller = bộ điều khiển
head-all-ms = tổng ms
head-at = tại
plan-gp2-base = mức cơ bản: 3 IOPS mỗi GiB, ít nhất 100; 128 MiB/s đến 170 GiB, trên đó cao hơn
plan-gp2-burst = burst: 5,4 triệu tín dụng, mỗi tín dụng một thao tác, lúc đầu đầy
plan-gp3 = không burst; có thể mua đến 500 IOPS mỗi GiB và 0,25 MiB/s mỗi IOPS
plan-io1 = 500 MiB/s đến 32 000 IOPS, trên đó 16 KiB mỗi IOPS; hơn 32 000 chỉ trên Nitro
plan-io2 = 0,256 MiB/s mỗi IOPS đến 4 000 MiB/s; thiết kế cho trung bình dưới 1 ms
plan-hdd-volume = duy trì { $base } MiB/s mỗi TiB, khi burst { $burst }, tối đa { $most }; tín dụng: bằng dung lượng ổ đĩa
plan-azure-host-cache = lượt đọc có thể được bộ đệm của máy chủ trả lời, nếu bật
plan-azure-credits = tín dụng thao tác và tín dụng byte riêng, mỗi loại đủ 30 phút
plan-azure-on-demand = burst theo nhu cầu, có trả phí, không bị giới hạn thời gian
plan-no-burst-bought = không burst; có thể mua { $limits }
plan-azure-v2-limits = đến 500 IOPS mỗi GiB và 0,25 MB/s mỗi IOPS
plan-azure-ultra-limits = đến 1 000 IOPS mỗi GiB và 0,25 MB/s mỗi IOPS
plan-gcp-machines = không burst; loại máy nhỏ có giới hạn riêng thấp hơn
plan-gcp-baseline = Google cộng thêm một mức cơ bản, mô hình này không có số liệu đó
plan-gcp-n2 = mức tối đa cần máy N2 có từ 64 CPU
plan-gcp-size = dung lượng ổ đĩa hạn chế mức có thể mua; điều này không được kiểm tra ở đây
plan-gcp-extreme = 250 MiB/s cho mỗi 1 000 IOPS, đến 5 000 MiB/s
plan-gcp-throughput = 4 IOPS cho mỗi MiB/s; 10 đến 30 ms mỗi lần đọc, như ổ cứng HDD
plan-gcp-target = mục tiêu theo công bố của Google, không phải bảo đảm; loại máy cũng giới hạn nó
plan-digitalocean = như nhau với mọi dung lượng; burst 60 s, rồi ít nhất 60 s không burst
plan-vultr = giới hạn trên theo công bố của Vultr, không có mức tối thiểu; cao hơn đến 50 % trong khoảng một phút
plan-what-aws-gp2 = EBS General Purpose SSD, có tín dụng
plan-what-aws-gp3 = EBS General Purpose SSD
plan-what-aws-st1 = EBS Throughput Optimized HDD, có tín dụng
plan-what-aws-sc1 = EBS Cold HDD, có tín dụng
plan-what-gcp-pd-standard = Persistent Disk, ổ cứng HDD
plan-what-azure-premium = Premium SSD theo dung lượng, hoặc p1 đến p80 theo tên
plan-what-digitalocean-basic = ổ đĩa gắn với droplet cơ bản
plan-what-digitalocean-optimized = ổ đĩa gắn với droplet tối ưu
plan-what-vultr-nvme = lưu trữ khối, NVMe
plan-what-vultr-hdd = lưu trữ khối, HDD

## capture

capture-capturing = đang thu thập các yêu cầu của { $disk }
capture-progress = { $disk }: { $requests } yêu cầu trong { $time }
capture-captured = { $disk }: { $rate } IOPS trong { $time } ({ $requests } yêu cầu)
capture-uncertain = Tốc độ: ±{ $margin } (95 %). Thu thập lâu hơn thì chắc chắn hơn.
capture-kind = { $kind }: { $facts }
capture-reads = đọc
capture-writes = ghi
capture-discards = discard
capture-flushes = flush
capture-share = { $share } số yêu cầu
capture-size = phần lớn { $size }
capture-sequential = { $share } tuần tự
capture-none-sequential = không có tuần tự
capture-latency = { $statistic } { $latency }
capture-lost = { $lost } yêu cầu không thu thập được ({ $share }): tốc độ thấp hơn thực tế theo tỷ lệ đó.
capture-lost-few = { $lost } yêu cầu không thu thập được, dưới 0,01 % tổng số.
capture-own-writes = { $file } nằm trên { $disk }: việc ghi tệp này là một phần của tải
capture-full = { $file } đã đạt kích thước tối đa { $size } nên việc thu thập kết thúc. Muốn nhiều hơn: --max-size.
capture-trace-saved = trace: { $file } ({ $size })
capture-profile-saved = hồ sơ tải: { $file }

## target, announcements

announce-test-file = tệp đo { $size } trong { $path }
announce-test-files = tệp đo đến { $size } trong { $path } trên mỗi máy
announce-over = đè lên { $size } đầu tiên của { $path }
announce-then-reads = ghi { $what }, sau đó chỉ đọc: tổng cộng nhiều nhất { $time }
announce-then-writes-up-to = ghi { $what }, sau đó đọc và ghi: tổng cộng nhiều nhất { $max } và { $time }
announce-then-writes = ghi { $what }, sau đó đọc và ghi hết tốc độ: tổng cộng nhiều nhất { $time }; ở 1 GB/s là đến { $gigabytes } GB (giới hạn: --max-written SIZE)
announce-of-preset = { $preset }: { $announcement }
announce-small-files = { $preset }: ghi tệp nhỏ, tổng cộng đến { $written }, trong một thư mục riêng ở { $path }, rồi xóa thư mục đó; { $time }
announce-only-reads = { $preset } đọc { $path } và không ghi gì; mất nhiều nhất { $time }
announce-search-part = tìm dữ liệu trên { $path } trước khi ghi vào đó (khoảng 2 s)
announce-search-whole = tìm dữ liệu trên toàn bộ { $size } của { $path } trước khi ghi vào đó
announce-requests-write = mỗi yêu cầu ghi { $size } { $place }, { $end }
announce-to-path = vào { $path }
announce-over-contents = vào { $path }, ghi đè lên nội dung của nó
announce-to-work-file = vào tệp tạm trong { $folder }
announce-work-file-then-requests = ghi một tệp tạm { $work } trong { $folder }, sau đó mỗi yêu cầu ghi { $size }, { $end }
announce-work-file-then-reads = ghi một tệp tạm { $work } trong { $folder }, sau đó chỉ đọc, { $end }
announce-until-stopped = cho đến khi bị dừng
announce-for-time = trong { $time }
announce-at-most = nhiều nhất { $times } lần
duration-at-most = nhiều nhất { $max }
duration-about = khoảng { $usual } trên SSD, đến khi đo xong hết
duration-about-and-at-most = khoảng { $usual } trên SSD, nhiều nhất { $max }
use-mounted = { $device } được gắn vào { $path }
use-swap = { $device } đang được dùng làm vùng swap
use-part-of = { $device } là một phần của { $whole }
use-behind-loop = { $device } là thiết bị bên dưới { $above }
use-open = { $program } (tiến trình { $process }) đang mở { $device } để ghi
use-unknown-to-sysfs = sysfs không biết { $device }: không rõ thiết bị có đang được dùng không
use-number-unknown = sysfs không cho biết số của { $device }
use-proc-unreadable = không đọc được /proc: không rõ thiết bị có đang được dùng không
write-no-size = không có dung lượng: chưa được thiết lập, hoặc không có đĩa bên trong
write-kernel-read-only = kernel đặt chế độ chỉ đọc
write-optical = không ghi đĩa quang
write-no-permission = người dùng này không được ghi vào đó
write-kernel-busy = kernel báo thiết bị đang được dùng: { $error }
write-contents-unseen = có chương trình nào đang giữ nó không, và nó chứa gì: { $reason }
write-blocks-unseen = có chương trình nào đang giữ nó không, và các khối của nó: { $reason }
holds-by-udev = { $kind }, theo udev
holds-table-by-udev = bảng phân vùng ({ $kind }), theo udev
mount-size-unseen = dung lượng: { $reason }
unseen-serial = số serial của { $device }: không có quyền đọc
unseen-nested-deeper = các hệ thống tệp lồng nhau sâu hơn { $levels } tầng
unseen-upper-outside = hệ thống tệp của { $upper }: nằm ngoài container này
unseen-upper-assumed = { $upper } nằm ngoài container này: giả định là nằm trên { $source }, như { $mounted-at }
unseen-backing-file-system = hệ thống tệp chứa { $file }, tệp nền của { $device }
unseen-mounts = những gì đang được mount: không đọc được /proc/self/mountinfo
unseen-block-devices = các thiết bị khối: không đọc được /sys/dev/block
device-file-missing = không có tệp thiết bị { $path }
device-file-other = { $path } không phải tệp thiết bị của { $device }
device-too-small = quá nhỏ để đo: cần ít nhất { $size-min }
device-health-unseen = không đọc được nhật ký sức khỏe (SMART) của nó: { $reason }
mount-no-permission = người dùng này không được ghi ở thư mục gốc của nó: hãy nêu một thư mục của bạn ở đó
mount-overlay-upper = overlay: dữ liệu ghi vào { $upper }
mount-overlay = overlay không nhận ghi
mount-memory = bộ nhớ, không phải ổ đĩa
mount-other-host = trên máy khác
mount-fuse = do một chương trình phục vụ (FUSE)
holds-gpt-partition-table = bảng phân vùng GPT
holds-ext2-3-4-file-system = hệ thống tệp ext2/3/4
holds-xfs-file-system = hệ thống tệp xfs
holds-btrfs-file-system = hệ thống tệp btrfs
holds-bcachefs-or-bcache-device = thiết bị bcachefs hoặc bcache
holds-bcachefs-file-system = hệ thống tệp bcachefs
holds-f2fs-file-system = hệ thống tệp f2fs
holds-ntfs-file-system = hệ thống tệp NTFS
holds-exfat-file-system = hệ thống tệp exFAT
holds-fat-file-system = hệ thống tệp FAT
holds-iso-9660-file-system = hệ thống tệp ISO 9660
holds-squashfs-file-system = hệ thống tệp squashfs
holds-lvm-physical-volume = physical volume của LVM
holds-luks-volume = ổ đĩa LUKS
holds-member-of-an-md-array = thành viên của mảng md
holds-member-of-a-zfs-pool = thành viên của pool ZFS
holds-ceph-osd = Ceph OSD
holds-swap-space = vùng swap
holds-gzip-stream = luồng gzip
holds-xz-stream = luồng xz
holds-zstd-stream = luồng zstd
holds-lz4-stream = luồng lz4
holds-bzip2-stream = luồng bzip2
holds-zip-archive = tệp nén zip
holds-7z-archive = tệp nén 7z
holds-tar-archive = tệp tar
holds-data-encrypted-by-openssl = dữ liệu do OpenSSL mã hóa
holds-data-encrypted-by-age = dữ liệu do age mã hóa
holds-partition-table-or-boot-sector = bảng phân vùng hoặc sector khởi động
holds-unknown-data = dữ liệu không rõ loại
holds-benchmark-data = dữ liệu do một phép đo để lại, hoặc ổ mã hóa không có header
