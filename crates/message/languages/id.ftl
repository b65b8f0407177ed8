# Bahasa Indonesia. Pesan dan argumennya sama dengan di en.ftl.

list-clauses = {"; "}
list-names = {", "}
quantity = { $value }
quantity-iops = { $value } IOPS

## words

ended-early = berhenti sebelum selesai: { $error }
with-interval = { $value } ±{ $half }
with-range = { $value } (95 %: { $low } sampai { $high })

## analysis

measured-by-other-program = hasil ini diukur program lain; keluarannya tidak memuat data yang diperlukan pemeriksaan ini

clauses = { $clauses }
no-target = tidak ada keterangan tentang target

## report/words

row-best = { $curve }, kedalaman { $depth } *
row-depth = { $curve }, kedalaman { $depth }
row-rate = { $curve }, { $rate } permintaan/s
row-reads = { $label }, baca
row-its-writes = bagian tulis
row-its-trims = bagian trim
row-the-write = { $label }: penulisan
row-the-sync = { $kind }
cell-idle = baca { $size } setelah jeda
cell-replay = pemutaran ulang
cell-trial = { $cell } (percobaan)
cell-commit = commit { $size }
cell-again = { $curve }, kedalaman { $depth }, diulang
cell-round = { $curve }, kedalaman { $depth }, sampai stabil
mark-invalid = TIDAK VALID: { $id }
mark-warning = peringatan: { $id }
mark-unstable = tidak stabil: latensi tidak naik secara teratur bersama beban
mark-degraded = tidak lengkap: { $there } dari { $hosts } host
class-second = Kelas terdekat kedua adalah { $class }.
class-second-for = Kelas terdekat kedua adalah { $class }. Yang mendukung: { $supports }.
class-second-against = Kelas terdekat kedua adalah { $class }. Yang bertentangan: { $contradicts }.
class-second-both = Kelas terdekat kedua adalah { $class }. Yang mendukung: { $supports }. Yang bertentangan: { $contradicts }.
class-claim-agrees = Keterangan sistem: { $words }. Perilakunya tidak bertentangan dengan keterangan itu.
class-claim-contradicted = Keterangan sistem: { $words }. Perilakunya bertentangan dengan keterangan itu: { $against }.
target-mounted = { $kind } pada { $source }
target-parts = { $parts }
kind-partition = partisi
kind-disk = disk
kind-lvm = volume LVM
kind-crypt = perangkat terenkripsi
kind-device-mapper = perangkat device-mapper
kind-loop = loop device
kind-zram = memori terkompresi
kind-ram = RAM disk
kind-multipath = perangkat multipath
kind-network-block = network block device
kind-bcache = perangkat bcache
kind-optical = drive optik
layer-transport = { $kind } { $transport }
layer-model = { $name } ({ $kind } { $model }, { $size })
layer-plain = { $name } ({ $kind }, { $size })
bounded-none = tidak ada yang diukur
bounded-invalid = TIDAK VALID: bukan batas disk
bounded-bound = { $iops } pada kedalaman { $depth } adalah yang tertinggi dalam batas { $bound }
bounded-saturation = { $iops } pada kedalaman { $depth }; antrean lebih dalam menambah latensi, bukan IOPS
bounded-depth-tried = { $iops } pada kedalaman { $depth }, yang terdalam yang dicoba: lebih dalam mungkin memberi lebih banyak
bounded-unreachable = { $bound } tidak terpenuhi bahkan pada beban terendah
bounded-provider-cap = { $iops } mulai kedalaman { $depth }: batas yang dikonfigurasi, bukan batas disk
bounded-control-group = { $iops } pada kedalaman { $depth }: batas dari control group host ini, bukan batas disk
bounded-client = setidaknya { $iops } pada kedalaman { $depth }: prosesor yang menjadi batas, bukan disk
bounded-unsure = sekitar { $iops } pada kedalaman { $depth }, belum pasti: ulangi saat tidak ada yang lain memakai perangkat

## report/compare

compare-more-pairs = Dan { $count } pasangan lagi: -v.
compare-more-rates = Dan { $count } baris lagi: -v.
compare-more-notes = Dan { $count } catatan lagi: -v.
compare-runs = { $runs } pengujian
compare-one-run = pengujian { $run }, { $day }
compare-runs-of-day = { $runs } pengujian, { $day }
compare-runs-of-days = { $runs } pengujian, { $first } sampai { $last }
compare-better = lebih baik
compare-better-one-run = lebih baik, satu pengujian
compare-worse = lebih buruk
compare-worse-one-run = lebih buruk, satu pengujian
compare-the-same = sama
compare-needs-runs = perlu { $runs } pengujian
compare-price = { $price } { $currency } per bulan
compare-only-side = hanya { $side }: { $cell }
compare-only-side-nearest = hanya { $side }: { $cell }; { $nearest }
compare-excluded = { $side }, { $cell } (pengujian { $run }): { $reason }
compare-method = Rasio antarpengujian dihitung menurut Hodges-Lehmann pada logaritma, dengan selang eksak berdasarkan peringkat (95 %); perlu 4 pengujian tiap sisi. Lebih baik atau lebih buruk: seluruh selang di luar { $least } %. Sama: seluruh selang dalam { $margin } %. *: berlaku untuk semua { $comparisons } perbandingan sekaligus (aturan Holm). Satu pengujian tiap sisi tidak memberi selang antarpengujian: selang yang ditampilkan adalah selang di dalam kedua pengujian, dan hanya perbedaan dengan faktor 1,5 yang dianggap berarti.
compare-rates-key = * berlaku untuk semua perbandingan sekaligus. -: tanpa selang.
compare-latency-title = Latensi, { $b } terhadap { $a }: makin kecil makin baik
compare-latency-key = * seluruh selang antarpengujian melampaui perbedaan terkecil yang dianggap berarti.
compare-hosts-title = Per host, { $b } dibanding { $a }
compare-hosts-note = Tiap host dihitung dari semua selnya. Perbandingan ini tidak ikut dihitung.
compare-unit-of-money = satuan uang
compare-money-title = Per { $currency } per bulan
compare-its-figure = { $figure }-nya
compare-cell-part = { $cell }, { $part }

## report/summary

summary-title = { $command } { $path } di { $host }, { $when }
summary-title-without-host = { $command } { $path }, { $when }
summary-target = { $target }; { $file }; { $seconds } s
summary-target-unknown = { $file }; { $seconds } s
summary-file-direct = file uji { $size }, O_DIRECT
summary-file-cached = file uji { $size }, tanpa O_DIRECT
summary-file-small = file kecil buatan sendiri
summary-file-read = { $span } dibaca, tidak ada yang ditulis
summary-shortened = File uji lebih kecil dari rencana: { $why }.
summary-trusted = tepercaya
summary-caution = hati-hati: { $reasons }
summary-caution-alone = hati-hati
summary-broken = jangan dipakai: { $reasons }
summary-partial = TIDAK SELESAI: { $reason }. Hasil yang sudah diukur tetap disimpan.
summary-no-verdict = tanpa kesimpulan: pengukuran terlalu sedikit
summary-key = { $signs }.
summary-key-best = * tertinggi dalam batas { $bound }
summary-key-invalid = X: bukan kemampuan disk
summary-key-warning = ! lihat peringatan
summary-key-vague = ~ tanpa angka: selangnya lebih lebar dari ±25 %
summary-key-missing = - sampel terlalu sedikit, atau tidak diukur
summary-class = Berperilaku seperti { $class }.
summary-class-or = Berperilaku seperti { $class }, atau { $other }.
summary-good-for = Cocok untuk: { $uses }.
summary-too-slow-for = Terlalu lambat untuk: { $uses }.
summary-limited = Keterbatasan: { $limits }.
summary-more-warnings = Dan { $count } peringatan lagi: -v.
summary-more-rows = Dan { $count } baris lagi: -v.
summary-more-lines = Dan { $count } baris lagi: -v.
summary-checks = { $passed } pemeriksaan lulus, { $unable } tidak dapat dijalankan.
summary-checks-notes = { $passed } pemeriksaan lulus, { $notes } dengan catatan, { $unable } tidak dapat dijalankan.
summary-promised = Dijanjikan: { $promise }
summary-promise-line = { $label }: dijanjikan { $promised }, terukur { $measured }
summary-limit-row = { $curve } { $bound }
summary-bounded-by = dibatasi oleh
summary-load = beban
summary-threshold = { $what } { $measured }, perlu { $limit }
sweep-matrix = { $workload }, IOPS per ukuran blok dan kedalaman
summary-hosts = Host paling lambat, { $cell }

## checks/unwritten

check-unwritten-question = Apakah blok sudah pernah ditulis sebelum dibaca?
check-unwritten-meaning = Hole, atau blok yang sudah dialokasikan tetapi belum pernah ditulis, dibaca sebagai nol tanpa menyentuh perangkat. Membacanya berarti mengukur filesystem.
check-unwritten-ok = semua blok yang dibaca sudah pernah ditulis
check-unwritten-not-observable = raw device, atau filesystem tanpa FIEMAP
check-unwritten-note = sebagian dikompresi, dienkripsi, dipakai bersama, atau disimpan di metadata
check-unwritten-invalid = sebagian file belum pernah ditulis
check-unwritten-remedy = Ukur file yang sudah ditulis dari awal sampai akhir, atau berikan folder: truedisk akan menulis file uji sendiri lebih dulu.
check-unwritten-blind-spot = Blok yang tidak pernah sampai ke volume thin atau SSD walaupun filesystem pernah menulisnya; blok pada raw device (lihat zero-blocks).
check-unwritten-short-remedy = ukur file yang sudah ditulis, atau berikan folder agar truedisk menulis file uji sendiri

check-unwritten-method = Filesystem ditanya bagaimana file dialokasikan (FIEMAP). Pemeriksaan gagal jika lebih dari { $max } dari rentang tidak memiliki blok yang sudah ditulis.
unwritten-on-device = raw device tidak memberi tahu blok mana yang pernah ditulis
unwritten-without-fiemap = filesystem ini tidak memberi tahu bagaimana file dialokasikan (FIEMAP)
unwritten-bytes = belum pernah ditulis
unwritten-extents = { $empty } dari { $length } dalam { $extents } extent
unwritten-share = { $share } dari file belum pernah ditulis: pembacaannya menghasilkan nol tanpa menyentuh perangkat
unwritten-encoded = dikompresi atau dienkripsi oleh filesystem
unwritten-shared = dipakai bersama file lain
unwritten-inline = disimpan di dalam metadata
unwritten-none = semua blok yang dibaca sudah pernah ditulis
unwritten-reads-holes = sebagian file belum pernah ditulis (lihat unwritten)

## checks/page_cache

check-page-cache-question = Apakah data benar-benar sampai ke perangkat, atau memori yang menjawab?
check-page-cache-meaning = Angkanya adalah kecepatan memori, bukan disk: sering kali sepuluh sampai seribu kali terlalu tinggi.
check-page-cache-ok = perangkat memindahkan semua byte yang diminta
check-page-cache-not-observable = baik perangkat maupun kernel tidak menghitung byte dari proses ini
check-page-cache-note = pengujian sengaja mengukur page cache: ping -C, hdparm -T
check-page-cache-warning = O_DIRECT ditolak, atau cache bertambah, tetapi tidak ada bukti bahwa cache yang menjawab
check-page-cache-invalid = perangkat memindahkan lebih sedikit byte daripada yang diminta, atau targetnya memori
check-page-cache-remedy = Mount tanpa data=journal dan tanpa kompresi, atau ukur perangkatnya langsung dengan --read-only. Pasang loop device dengan direct I/O (losetup --direct-io=on).
check-page-cache-blind-spot = Cache yang tidak terlihat oleh penghitung mana pun di host ini: milik hypervisor (host-cache) atau milik disk sendiri (device-cache).
check-page-cache-short-remedy = mount tanpa data=journal atau kompresi, atau ukur perangkatnya: --read-only DEV
remedy-direct-io = ukur dengan direct I/O
remedy-leave-out-cached = hilangkan -C, atau pakai -D, untuk mengukur perangkat
remedy-measure-folder-on-disk = ukur folder yang berada di disk yang dimaksud

check-page-cache-method = Jumlah byte yang diminta dibandingkan dengan jumlah yang dicatat kernel untuk proses ini dan jumlah yang menurut perangkat telah dilayani. Jika perangkat melayani kurang dari { $served-min } byte yang diminta, data sel itu berasal dari page cache. Jika tidak ada penghitung, hal yang sama disimpulkan bila lebih dari { $growth-max } rentang masuk ke page cache selama sel itu. Filesystem di memori (tmpfs) dikenali dari jenisnya.
page-cache-as-asked = permintaan dikirim lewat page cache sesuai opsi, dan tidak ada penghitung yang menunjukkan bahwa perangkat memindahkan data
page-cache-refused-unproven = filesystem menolak O_DIRECT, dan tidak ada penghitung yang menunjukkan bahwa perangkat memindahkan data
page-cache-answered = page cache yang menjawab: perangkat memindahkan lebih sedikit byte daripada yang diminta
page-cache-grew = page cache bertambah seiring pembacaan, dan tidak ada penghitung yang menunjukkan bahwa perangkat memindahkan data
page-cache-refused-too-little = filesystem menolak O_DIRECT, dan data yang diminta terlalu sedikit untuk mengetahui siapa yang memindahkannya
page-cache-refused-yet-moved = filesystem menolak O_DIRECT, tetapi perangkat tetap memindahkan datanya
page-cache-device-moved = perangkat memindahkan semua byte yang diminta
page-cache-as-option-asks = permintaan dikirim lewat page cache, sesuai opsi -C
page-cache-is-memory = ini memori, bukan disk: { $kind } menyimpan file di RAM
page-cache-of-small-files = operasi file kecil memakai page cache; mana yang sampai ke perangkat tidak diperiksa
page-cache-no-counters = tidak ada penghitung perangkat atau proses ini untuk perbandingan
page-cache-refused = ditolak filesystem ini
page-cache-on-purpose = lewat page cache tanpa mengosongkannya, sesuai preset
page-cache-file-system = filesystem
page-cache-mounted = { $kind } di { $mount-point }
page-cache-this-process = proses ini (/proc/self/io)
page-cache-read = { $asked } diminta, { $served } dibaca oleh { $by }
page-cache-written = { $asked } diminta, { $served } ditulis oleh { $by }
page-cache-rest-waits = sisanya menunggu di memori untuk ditulis
page-cache-holds-span = setelah itu page cache menyimpan { $share } dari rentang
page-cache-writes-of-others = data yang ditulis sel lain masih menunggu di memori: mungkin itu yang ditulis perangkat
page-cache-unproven = lewat page cache, dan tidak ada bukti data apa yang sampai ke perangkat

## checks/zero_blocks

check-zero-blocks-question = Apakah pembacaan blok kosong membuat perangkat tampak cepat?
check-zero-blocks-meaning = Volume thin, SSD yang sudah di-TRIM, dan banyak disk cloud mengetahui dari sebuah tabel bahwa blok belum pernah ditulis, lalu menjawab tanpa menyentuh media. Membaca perangkat kosong berarti mengukur tabel itu.
check-zero-blocks-method = Blok acak dibaca dan isinya diperiksa: berapa yang seluruhnya nol, dan apakah nol dijawab lebih cepat daripada data.
check-zero-blocks-ok = hampir tidak ada blok yang seluruhnya nol; dari blok yang ditulis pengujian ini, tidak satu pun
check-zero-blocks-not-observable = isi blok tidak diperiksa, atau terlalu sedikit
check-zero-blocks-note = banyak blok berisi nol, tetapi tidak lebih cepat daripada yang lain; atau blok nol terlalu sedikit untuk diukur waktunya
check-zero-blocks-warning = nol dijawab lebih cepat, atau hampir semua blok berisi nol sehingga tidak ada data pembanding
check-zero-blocks-invalid = hampir semua blok berisi nol dan dijawab lebih cepat daripada data; atau blok yang ditulis pengujian ini terbaca nol: perangkat kehilangan data
check-zero-blocks-remedy = Tulis seluruh perangkat satu kali sebelum mengukurnya. Atau ukur folder di atasnya: truedisk hanya membaca data yang ditulisnya sendiri.
check-zero-blocks-blind-spot = Blok kosong yang terbaca bukan sebagai nol, dan blok nol yang memang ditulis dan benar-benar dibaca dari media.
check-zero-blocks-short-remedy = tulis seluruh perangkat satu kali sebelum mengukurnya, atau ukur sebuah folder
remedy-device-loses-data = jangan percayakan data pada perangkat ini: data yang ditulis hilang; periksa log-nya

zero-blocks-not-read = tidak ada blok yang diperiksa sebelum pengukuran
zero-blocks-too-few = blok yang sempat diperiksa terlalu sedikit untuk menarik kesimpulan
zero-blocks-only = blok yang seluruhnya nol
zero-blocks-count = { $zero } dari { $blocks } blok berukuran { $size }
zero-blocks-hold-data = { $share } dari semua blok berisi data
zero-blocks-unread = { $share } dari semua blok ternyata kosong, dan dijawab tanpa menyentuh media
zero-blocks-as-slow = { $share } dari semua blok berisi nol, dan waktunya sama dengan blok lain
zero-blocks-all = semua blok berisi nol: tanpa data pembanding, tidak diketahui apakah pembacaan mencapai media
zero-blocks-unknown = { $share } dari semua blok berisi nol: data pembanding terlalu sedikit, sehingga tidak diketahui apakah pembacaan mencapai media
zero-blocks-untimed = { $share } dari semua blok berisi nol, terlalu sedikit untuk diukur waktunya
zero-blocks-none = setiap blok berisi data yang ditulis
zero-blocks-lost = { $share } dari blok yang ditulis pengujian ini terbaca sebagai nol
zero-blocks-median = median satu pembacaan
zero-blocks-times = { $zeros } untuk nol, { $data } untuk data
zero-blocks-of-reads = sekitar { $share } dari pembacaannya

## checks/host_cache

check-host-cache-question = Apakah cache di luar sistem ini yang menjawab: milik hypervisor atau storage array?
check-host-cache-meaning = Pembacaan kedua suatu blok berasal dari memori mesin lain. Angkanya berlaku selama data Anda muat di memori itu dan tidak ada pengguna lain yang membutuhkannya.
check-host-cache-method = Blok yang belum disentuh pengujian ini dibaca secara acak, dua kali berturut-turut. Jika pembacaan kedua jauh lebih cepat daripada yang pertama, dan lebih cepat daripada pembacaan seluruh rentang, cache yang menjawab. Begitu pula jika pembacaan disk virtual secepat memori.
check-host-cache-ok = pembacaan kedua tidak lebih cepat daripada yang pertama
check-host-cache-not-observable = tidak ada blok baru yang dibaca, atau terlalu sedikit
check-host-cache-note = pembacaan kedua lebih cepat; angkanya berasal dari rentang yang lebih besar
check-host-cache-warning = angkanya sendiri berasal dari cache di luar sistem ini
check-host-cache-remedy = Ukur rentang yang lebih besar daripada memori host, atau tanyakan kepada penyedia bagaimana disk di-cache (QEMU: cache=none).
check-host-cache-blind-spot = Cache yang sudah menyimpan blok sebelum pembacaan pertama (misalnya sejak file uji ditulis), kecuali jika lebih cepat daripada disk mana pun.
check-host-cache-short-remedy = ukur lebih banyak data daripada yang muat di cache (--size), atau minta cache host dimatikan (QEMU: cache=none); sebelum itu, angkanya adalah kecepatan cache

host-cache-none = pembacaan kedua suatu blok sama lamanya dengan yang pertama
host-cache-or-first-touch = pembacaan pertama suatu blok jauh lebih lambat daripada yang kedua: cache menyimpannya, atau lihat first-touch
host-cache-not-fetched = tidak diambil saat akses pertama
host-cache-share = bagian rentang yang muat di cache
host-cache-hits = cache mungkin menjawab sampai { $share } dari pembacaannya
host-cache-answers = cache di luar sistem ini yang menjawab: pembacaan kedua { $times } kali secepat yang pertama
host-cache-beside = pembacaan kedua { $times } kali secepat yang pertama: bloknya tersimpan di cache di luar sistem ini; cache itu nyaris tidak melayani pembacaan yang diukur
host-cache-median = separuh pembacaan selesai dalam { $time } atau kurang
host-cache-is-memory = pembacaan memerlukan { $time }, secepat memori dan tidak mungkin dicapai disk di balik koneksi seperti ini: cache host yang menjawab

## checks/device_cache

check-device-cache-question = Seberapa besar cache perangkat, dan apakah angkanya berasal dari cache itu?
check-device-cache-meaning = Dari cache, perangkat menjawab lebih cepat daripada dari media. Rentang yang sebagian besar muat di cache mengukur cache itu; database yang tidak muat akan lebih lambat.
check-device-cache-method = Pembacaan acak di bagian rentang yang diperbesar setahap demi setahap. Lonjakan latensi menunjukkan batas cache. Ukuran cache dan kedua latensi dihitung dari porsi pembacaan yang dapat dijawab cache.
check-device-cache-ok = bagian kecil dan besar dari rentang sama cepatnya
check-device-cache-not-observable = rentang terlalu kecil, atau tahapannya terlalu tidak merata
check-device-cache-note = ada cache yang jauh lebih kecil daripada rentang; ukurannya disebutkan
check-device-cache-warning = sebagian besar rentang muat di cache
check-device-cache-remedy = Berikan --size sebesar beberapa kali cache yang disebutkan, atau pakai latensi media yang tertera di sampingnya.
check-device-cache-blind-spot = Cache yang lebih besar daripada rentang, dan cache yang tidak menyimpan blok hasil pembacaan acak.
remedy-span-larger-than-cache = tidak perlu tindakan: rentang lebih besar daripada cache; rentang yang lebih kecil akan tampak lebih cepat
remedy-measure-several-caches = ukur beberapa kali ukuran cache: --size

device-cache-none = pembacaan di dalam { $first } sama lamanya dengan di seluruh { $last }
device-cache-or-first-touch = bagian yang sudah pernah dibaca lebih cepat daripada sisanya: karena cache, atau karena blok diambil saat akses pertama (lihat first-touch)
device-cache-size = ukuran cache
device-cache-about = { $size }, bisa meleset sampai dua kali lipat
device-cache-share = bagian rentang yang tersimpan di cache
device-cache-small = cache sekitar { $size } menyimpan { $share } dari rentang ({ $hit } dari cache, { $miss } dari media)
device-cache-hits = sekitar { $share } dari pembacaannya berasal dari cache
device-cache-figures = angkanya adalah kecepatan cache sekitar { $size }: { $hit } dari cache, { $miss } dari media
device-cache-part = median { $median }, { $fast } di antaranya cepat
device-cache-part-at-depth = median { $median }, { $fast } di antaranya cepat, { $rate } IOPS pada kedalaman { $depth }
device-cache-within = di dalam { $size }

## checks/first_touch

check-first-touch-question = Apakah akses pertama ke suatu blok lebih lambat daripada berikutnya?
check-first-touch-meaning = Volume thin mengalokasikan blok saat pertama kali ditulis. Volume dari snapshot mengambil blok saat pertama kali dibaca. Disk baru dan file yang bertambah besar lebih lambat daripada angka ini, yang diukur pada blok yang sudah pernah disentuh.
check-first-touch-ok = akses pertama sama cepatnya dengan berikutnya
check-first-touch-not-observable = tidak ada lagi lokasi yang belum disentuh, atau lokasinya terlalu berbeda-beda
check-first-touch-note = penulisan pertama lebih lambat daripada berikutnya
check-first-touch-warning = pembacaan pertama lebih lambat: blok diambil hanya saat dibaca
check-first-touch-remedy = Sebelum volume dipakai untuk beban penting, tulis seluruhnya satu kali; jika berasal dari snapshot, baca seluruhnya satu kali.
check-first-touch-blind-spot = Lokasi yang sudah dipakai sebelum pengujian ini dan tidak pernah dikembalikan (TRIM): bagi perangkat, lokasi itu bukan baru.
check-first-touch-short-remedy = baca seluruh volume satu kali sebelum dipakai atau diukur, atau minta penyedia menginisialisasinya; angka ini berasal dari volume yang belum diinisialisasi
remedy-write-volume-once = tulis seluruh volume satu kali sebelum dipakai untuk beban penting

check-first-touch-method = Lokasi yang belum ditulis pengujian ini ditulis dua kali berturut-turut oleh job yang sama. Penulisan pertama dianggap lebih lambat jika waktunya { $on-device } kali lipat pada perangkat, atau { $on-file } kali lipat pada file, karena filesystem juga memerlukan waktu; selang kepercayaannya harus tetap di atas { $clear-min }. Untuk pembacaan, blok baru dibaca dua kali dan dibandingkan dengan blok yang ditulis pengujian ini sendiri. Jika pembacaan kedua lebih cepat, blok itu dibaca sekali lagi setelah semua pembacaan lain: saat itu cache sudah berisi blok lain, sedangkan yang sudah diambil tetap cepat.
first-touch-of-own-blocks = pengujian ini hanya membaca blok yang ditulisnya sendiri; untuk mengukur pembacaan pertama blok lama, pakai --read-only pada perangkat
first-touch-read-as-fast = pembacaan pertama suatu blok tidak lebih lama daripada yang kedua
first-touch-read-beside-cache = pembacaan kedua dijawab cache: lihat host-cache
first-touch-read-in-cell = membaca blok yang belum pernah dibaca
first-touch-read-slower = pembacaan pertama suatu blok memerlukan { $times } kali waktu yang kedua: blok diambil saat akses pertama, atau disimpan cache yang besar
first-touch-large-writes = penulisan sekuensial besar
first-touch-small-writes = penulisan kecil yang tersebar
first-touch-write-times = yang pertama memerlukan { $times } kali waktu yang kedua ({ $low } sampai { $high }, { $places } lokasi)
first-touch-write-times-of-few = yang pertama memerlukan { $times } kali waktu yang kedua ({ $places } lokasi)
first-touch-write-slower-on-file = penulisan pertama suatu blok memerlukan { $times } kali waktu penulisan berikutnya, termasuk waktu untuk filesystem
first-touch-write-slower = penulisan pertama suatu blok memerlukan { $times } kali waktu penulisan berikutnya: blok dialokasikan saat itu
first-touch-write-as-fast = penulisan pertama suatu blok sama cepatnya dengan berikutnya
first-touch-uneven = perbedaan antarlokasi terlalu besar untuk membandingkan penulisan pertama dengan berikutnya; perlu pengujian yang lebih lama

## checks/compressible

check-compressible-question = Apakah nol lebih cepat daripada data lain, karena dikompresi atau tidak disimpan?
check-compressible-meaning = Filesystem, volume thin, atau kontroler mengompresi data, atau tidak menyimpan nol. Alat yang menulis nol (dd if=/dev/zero) mengukur efek itu. truedisk menulis data yang tidak dapat dikompresi, sehingga angkanya sendiri tetap benar.
check-compressible-ok = nol tidak lebih cepat daripada data unik
check-compressible-not-observable = tidak ada yang ditulis tanpa page cache, potongannya terlalu tidak merata, atau deduplikasi juga dapat menjadi sebabnya
check-compressible-note = nol lebih cepat, atau filesystem menyatakan bahwa ia mengompresi
check-compressible-remedy = Uji dengan data yang mirip data Anda. Jangan percaya angka dari alat yang menulis nol.
check-compressible-blind-spot = Cache yang menampung penulisan singkat sebelum dikompresi. Seberapa besar keuntungan untuk data Anda sendiri: antara tidak ada dan sebesar keuntungan nol.
check-compressible-short-remedy = uji dengan data yang mirip data Anda; jangan dengan nol (dd if=/dev/zero)

check-compressible-method = Di akhir, lokasi yang sama ditulis dan dibaca kembali dalam potongan waktu singkat, bergantian dengan data unik, nol, dan salinan, lalu median latensinya dibandingkan. Nol dianggap lebih cepat jika setidaknya { $faster-min } kali secepat data unik, dengan selang kepercayaan di atas { $clear-min }. Nol dianggap tidak lebih cepat jika selangnya berakhir di bawah { $excluded-max }. Keterangan filesystem berlaku tanpa pengukuran waktu: opsi mount untuk kompresi, atau nol yang disimpan dalam bentuk terkode (FIEMAP).
compressible-zeros = nol dibanding data unik
compressible-or-dedup = nol lebih cepat daripada data unik, tetapi salinan juga: deduplikasi menjelaskan keduanya
compressible-written = nol ditulis { $times } kali secepat data unik: alat yang menulis nol mengukur efek ini
compressible-read-back = nol dibaca kembali { $times } kali secepat data unik: alat yang menulis nol mengukur efek ini
compressible-file-system = filesystem mengompresi data: alat yang menulis nol mengukur efek ini; angka di sini dari data yang tidak dapat dikompresi
compressible-none = nol tidak lebih cepat daripada data unik
compressible-uneven = perbedaan antarpotongan terlalu besar untuk membandingkan nol dengan data unik; perlu pengujian yang lebih lama
compressible-mount = { $kind } yang di-mount
compressible-zeros-written = nol yang ditulis
compressible-encoded = { $encoded } dari { $of } disimpan terkode
compressible-file = file seperti tersimpan
compressible-stored = { $encoded } dari { $of } dikompresi atau dienkripsi

## checks/dedup

check-dedup-question = Apakah salinan blok yang sama lebih cepat, karena hanya disimpan satu kali?
check-dedup-meaning = Lapisan di bawah menyimpan blok yang sama hanya satu kali (VDO, ZFS dengan dedup, storage array). Alat yang menulis satu buffer berulang-ulang mengukur efek itu. Sektor yang ditulis truedisk tidak ada yang sama, sehingga angkanya sendiri tetap benar.
check-dedup-ok = salinan tidak lebih cepat daripada data unik
check-dedup-not-observable = tidak ada yang ditulis tanpa page cache, potongannya terlalu tidak merata, atau kompresi filesystem juga dapat menjadi sebabnya
check-dedup-note = salinan lebih cepat daripada data unik
check-dedup-remedy = Uji dengan data yang mirip data Anda. Buat fio mengisi ulang buffer-nya (refill_buffers), atau tulis salinan dengan porsi seperti pada data Anda (dedupe_percentage).
check-dedup-blind-spot = Deduplikasi yang berjalan belakangan di latar belakang, dan cache yang menampung penulisan singkat sebelum dibandingkan.
check-dedup-short-remedy = uji dengan data yang mirip data Anda; jangan dengan satu buffer yang ditulis berulang-ulang

check-dedup-method = Di akhir, lokasi yang sama ditulis dan dibaca kembali dalam potongan waktu singkat, bergantian dengan data unik, nol, dan salinan, lalu median latensinya dibandingkan. Salinan dari beberapa blok yang tidak dapat dikompresi dianggap lebih cepat jika setidaknya { $faster-min } kali secepat data unik, dengan selang kepercayaan di atas { $clear-min }. Salinan dianggap tidak lebih cepat jika selangnya berakhir di bawah { $excluded-max }.
dedup-copies = salinan dibanding data unik
dedup-copies-against-zeros = salinan dibanding nol
dedup-or-compression = salinan lebih cepat daripada data unik, tetapi filesystem mengompresi data, dan itu sudah menjelaskannya
dedup-faster = salinan { $times } kali secepat data unik: alat yang menulis satu buffer berulang-ulang mengukur efek ini
dedup-none = salinan blok yang sama tidak lebih cepat daripada data unik
dedup-uneven = perbedaan antarpotongan terlalu besar untuk membandingkan salinan dengan data unik; perlu pengujian yang lebih lama

## checks/flush

check-flush-question = Apakah membuat data yang ditulis permanen (fsync) memerlukan waktu, atau flush diabaikan?
check-flush-meaning = Perangkat dengan cache volatil harus mengosongkannya pada setiap flush, dan itu memerlukan waktu. Jika flush hampir tidak memerlukan waktu, flush diabaikan, atau cache dilindungi oleh kapasitor, baterai, atau penyimpanan host itu sendiri. Hanya uji putus listrik yang dapat menunjukkan yang mana. HDD yang melakukan commit lebih cepat daripada putarannya memiliki cache yang menjawab lebih dulu.
check-flush-ok = flush memerlukan waktu, atau perangkat menyatakan tidak membutuhkannya
check-flush-not-observable = tidak ada flush, waktunya terlalu tidak merata, atau flush pada disk virtual tidak lebih lama daripada penulisan: cache-nya milik host
check-flush-note = flush tidak lebih lama daripada penulisan, walaupun cache-nya volatil
check-flush-warning = HDD melakukan commit lebih cepat daripada putarannya, atau filesystem di-mount tanpa mengirim flush
check-flush-remedy = Tanyakan kepada produsen atau penyedia apakah isi cache selamat saat listrik padam. Periksa baterai kontroler. Cache disk dapat dimatikan (hdparm -W 0, nvme set-feature -f 6 -v 0).
check-flush-blind-spot = Perangkat yang memerlukan waktu untuk flush tetapi tetap kehilangan data. Hanya uji putus listrik yang membuktikan bahwa data selamat.
check-flush-short-remedy = sebelum mengandalkan commit, tanyakan kepada produsen atau penyedia apakah isi cache selamat saat listrik padam
remedy-mount-with-barriers = mount tanpa nobarrier (barrier=1)
remedy-find-battery = cari tahu apakah cache kontroler memiliki baterai; jika tidak, matikan cache tulis disk (hdparm -W 0) dan ukur lagi

check-flush-method = Satu klien menimpa lokasi yang sama dengan blok 4 KiB, bergantian tanpa dan dengan fdatasync setelah setiap penulisan. Flush dianggap tanpa biaya jika penulisan dengan flush memerlukan kurang dari { $free-max } kali median penulisan saja, pada setidaknya { $commits-min } commit. Flush dianggap memerlukan waktu jika perbandingan itu { $cost-min } kali atau lebih. Keterangan perangkat tentang cache-nya (queue/write_cache) dan jumlah flush menurut kernel ditampilkan di sampingnya. HDD, di luar mesin virtual, paling banyak melakukan { $rate-max } commit per detik ({ $turns-max } putaran, ditambah { $slack }). HDD dikenali dari keterangannya sendiri, dan dari pembacaan acak selama { $arm-min } atau lebih yang sebarannya sesuai dengan gerak lengan dan putaran piringan.
flush-of-memory = memori tidak punya tempat tujuan untuk flush
flush-not-measured = tidak ada penulisan dengan flush dalam pengujian ini
flush-commits = commit dari satu klien
flush-commit-rate = { $rate } commit/s; disk { $turns-per-minute } rpm paling banyak sanggup { $turns } commit permanen per detik
flush-random-reads = pembacaan acak
flush-arm-moves = { $time }: lengan bergerak dan piringan berputar
flush-faster-than-turns = commit lebih cepat daripada putaran disk mana pun: cache yang menjawab, dan commit hanya seaman cache itu
flush-barred = flush dimatikan oleh opsi mount: listrik padam dapat membatalkan commit, bahkan setelah fdatasync
flush-not-needed = perangkat menyatakan tidak memiliki cache volatil: kernel tidak perlu melakukan flush
flush-of-virtual-disk = penulisan memerlukan { $with } dengan flush dan { $without } tanpa flush: cache disk virtual ini milik host
flush-is-free = penulisan memerlukan { $with } dengan flush dan { $without } tanpa flush: flush diabaikan, atau cache volatilnya dilindungi
flush-costs = flush memerlukan waktu: penulisan memerlukan { $with } dengan flush dan { $without } tanpa flush
flush-of-unknown-cache = tidak ada keterangan apakah ada cache volatil yang perlu di-flush
flush-not-counted = kernel menghitung lebih sedikit flush daripada yang diminta: biayanya tidak diketahui
flush-uneven = commit terlalu sedikit, atau terlalu tidak merata, untuk menilai biaya flush; perlu pengujian yang lebih lama
flush-write = penulisan dengan flush
flush-times = median { $median }, { $times } kali penulisan saja ({ $low } sampai { $high })
flush-times-of-few = median { $median }, { $times } kali penulisan saja
flush-cache-of = cache { $device }
flush-flushes = flush
flush-flushes-counted = { $counted } dihitung kernel, untuk { $commits } commit

## checks/impossible

check-impossible-question = Apakah ada angka yang mustahil untuk perangkat ini?
check-impossible-meaning = Dua hal yang diukur tidak mungkin keduanya benar: sesuatu selain perangkat telah menjawab, atau ikut terhitung.
check-impossible-ok = tidak ada dua angka yang saling bertentangan
check-impossible-note = baca acak sedikit lebih cepat daripada baca sekuensial
check-impossible-warning = ada angka yang sulit dijelaskan
check-impossible-invalid = ada angka yang tidak mungkin berasal dari perangkat
check-impossible-remedy = Lihat temuan lain: page-cache, unwritten, dan host-cache biasanya menjelaskan apa yang menjawab.
check-impossible-blind-spot = Angka salah yang masih mungkin untuk perangkat seperti ini.
check-impossible-short-remedy = cari tahu apa yang menjawab: cache host atau kontroler, atau RAM

check-impossible-method = Angka dianggap mustahil jika lebih dari { $link } kali kapasitas koneksi, atau jika median pembacaan lewat lapisan blok di bawah { $latency }. Baca acak yang memindahkan lebih dari { $note } kali byte baca sekuensial menjadi catatan, lebih dari { $warning } kali menjadi peringatan. Jika perangkat menyelesaikan kurang dari { $operations } dari semua pembacaan pengujian ini, padahal bytenya disajikan perangkat, itu juga menjadi peringatan.
impossible-none = tidak ada angka yang mustahil untuk perangkat ini
impossible-random-faster = baca acak memindahkan lebih banyak byte daripada baca sekuensial
impossible-figure = ada angka yang mustahil untuk perangkat ini: sesuatu yang lain menjawab
impossible-over-link = { $rate } lewat koneksi berkapasitas { $ceiling }
impossible-median = separuh pembacaan selesai dalam kurang dari { $time }
impossible-requests = { $reads } baca acak, { $requests } permintaan ke { $device }, { $merged } digabung
impossible-rates = { $random } acak, { $sequential } sekuensial

## checks/client_bound

check-client-bound-question = Apakah pembangkit beban yang menjadi batas, bukan disk?
check-client-bound-meaning = Angkanya adalah batas bawah kemampuan disk: dengan waktu prosesor lebih banyak, hasilnya mungkin lebih tinggi.
check-client-bound-ok = pembangkit beban masih memiliki sisa waktu prosesor
check-client-bound-not-observable = tidak ada yang diukur dengan beban
check-client-bound-note = dalam open loop, penulisan yang menyertai pembacaan dimulai terlambat dan bergerombol, tetapi lajunya benar; atau proses ini terhenti sejenak, dengan pengaruh yang nyaris tidak terlihat pada angka
check-client-bound-warning = prosesor yang menjadi batas, bukan disk; atau proses ini menunggu prosesor
check-client-bound-invalid = pembangkit beban terlambat dari rencana open loop, sehingga waktu responsnya berasal dari pembangkit, bukan disk; atau proses ini tidak berjalan selama sebagian sel, atau menunggu prosesor selama sebagian besar sel
check-client-bound-remedy = Ikuti saran menurut penyebab dalam temuan: waktu atau host lain, host dengan prosesor lebih banyak atau lebih cepat, control group lain. Blok yang lebih besar memerlukan lebih sedikit waktu prosesor.
check-client-bound-blind-spot = Hypervisor yang menyembunyikan betapa sedikit waktu prosesor yang diberikannya (lihat neighbour); jeda di bawah 85 ms.

check-client-bound-short-remedy = baca angka ini sebagai kemampuan minimum disk; dengan waktu prosesor lebih banyak, hasilnya mungkin lebih tinggi
check-client-bound-method = Pembangkit beban menjadi batas jika worker-nya sibuk selama { $busy-min } dari waktu; atau jika semua prosesor host sibuk selama itu dan { $own-min } bebannya atau lebih berasal dari proses ini; atau jika lajunya { $nop-min } dari laju loop yang sama dengan operasi kosong. Pembangkit bukan batas jika perangkat selalu memegang { $device-min } dari permintaan, atau dari yang muat dalam antreannya: saat itu worker hanya menunggu perangkat. Untuk open loop, yang dinilai adalah keterlambatan dari rencana. Heartbeat menunjukkan kapan proses ini tidak berjalan: dihentikan, tidak mendapat prosesor, atau mesin di-suspend. Laju closed loop tidak menghitung waktu itu. Sel tidak valid jika waktu itu lebih dari { $paused-max } dari sel, atau jika operasi yang tertunda di dalamnya lebih dari { $tail-max } dari operasi yang melampaui persentil yang dipakai batas latensi. Scheduler menghitung berapa lama worker siap berjalan tanpa mendapat prosesor: { $withheld-warning } dari waktu menjadi peringatan ({ $held-back } jika batas control group yang menahannya), { $withheld-invalid } tidak valid. Temuan menyebutkan control group yang membatasinya; jika tidak ada, bagaimana waktu prosesor terbagi.
client-bound-nothing = tidak ada yang diukur dengan beban
client-bound-late = pembangkit beban, bukan disk, terlambat di { $cells } sel: waktu responsnya berasal dari pembangkit
client-bound-writes-late = penulisan yang menyertai pembacaan dimulai terlambat dan bergerombol di { $cells } sel; lajunya benar
client-bound-spare = pembangkit beban masih memiliki sisa waktu prosesor: paling banyak terpakai { $share }
client-bound-busy = prosesor yang menjadi batas, bukan disk, di { $cells } sel
client-bound-lag = satu dari seratus operasi dimulai terlambat { $lag } atau lebih; p99 waktu respons { $response }
client-bound-workers = worker sibuk { $share } dari waktu
client-bound-process = proses ini memakai { $share } waktu dari { $processors } prosesor
client-bound-host = semua prosesor host sibuk { $share }, { $own } di antaranya untuk proses ini
client-bound-loop = { $rate } operasi/s; loop yang sama mencapai { $most }/s dengan operasi kosong

## checks/backlog

check-backlog-question = Apakah disk sanggup mengikuti laju yang diminta?
check-backlog-meaning = Operasi yang diminta lebih banyak daripada yang diselesaikan disk. Lajunya adalah kemampuan disk, dan waktu respons terus naik selama pengujian berlangsung.
check-backlog-ok = tidak ada laju yang diminta, atau laju itu tercapai
check-backlog-warning = laju tidak tercapai; temuan menyebutkan yang diminta dan yang selesai, jumlah operasi yang tertinggal, dan lama tunggu operasi terakhir
check-backlog-remedy = Minta laju yang lebih rendah; truedisk limit --open-loop mencari laju tertinggi yang dapat dipenuhi.
check-backlog-blind-spot = Job yang lajunya hanya batas atas, tanpa rencana waktu mulai: beberapa arah sekaligus, blok berbagai ukuran, think time. Apakah disk atau host ini yang menjadi batas: lihat client-bound.
check-backlog-short-remedy = minta laju yang lebih rendah; truedisk limit --open-loop mencari laju tertinggi yang dapat dipenuhi

check-backlog-method = Untuk setiap job dengan laju dan rencana waktu mulai, operasi yang selesai dikurangkan dari yang diminta selama waktu itu. Jika yang tertinggal lebih dari { $missing-max }, di luar operasi yang masih berjalan di akhir, ada tumpukan (backlog). Lama tunggu terakhir adalah ketertinggalan dari rencana.
backlog-in-cell = diminta { $asked-rate }/s, selesai { $done-rate }/s: { $missing } dari { $asked } operasi tertinggal, dan yang terakhir menunggu { $behind }
backlog-of-one = { $cell }: { $backlog }
backlog-of-several = { $jobs } job tidak mencapai lajunya; yang terburuk: { $cell }: { $backlog }
backlog-none = laju yang diminta tercapai
backlog-no-rate = tidak ada laju yang diminta

## checks/little

check-little-question = Apakah hitungan pembangkit beban cocok, dan kedalaman antrean tercapai?
check-little-meaning = Menurut hukum Little, IOPS kali latensi rata-rata adalah jumlah permintaan yang sedang berjalan. Jika berbeda dari hitungan, ada operasi atau waktu yang hilang. Jika keduanya di bawah kedalaman yang diminta, beban perangkat lebih ringan daripada yang tertulis pada nama sel.
check-little-method = Kedalaman menurut hitungan dan menurut hukum Little harus cocok dalam { $agree }. Waktu tunggu yang tidak masuk ke latensi mana pun (operasi yang gagal, operasi yang melintasi awal atau akhir sel) ditambahkan ke hukum Little. Versi lama tidak menghitungnya; untuk hasil versi itu batasnya lebih longgar. Di bawah { $noted } dari kedalaman yang diminta menjadi catatan, di bawah { $warned } menjadi peringatan.
check-little-ok = hitungan cocok, dan kedalaman tercapai
check-little-not-observable = tidak ada yang diukur
check-little-note = antrean tidak penuh selama sebagian waktu
check-little-warning = permintaan yang berjalan jauh lebih sedikit daripada yang diminta
check-little-invalid = hitungan tidak cocok: ini kesalahan truedisk, mohon laporkan
check-little-remedy = Baca angkanya sebagai hasil pada kedalaman yang tercapai. Prosesor yang lebih cepat, atau worker lebih banyak, membuat antrean tetap penuh.
check-little-blind-spot = Kesalahan yang mengubah kedua hitungan dengan cara yang sama.
check-little-short-remedy = baca angkanya sebagai hasil pada kedalaman yang tercapai: sisa waktunya tidak dipakai perangkat

little-depths = kedalaman { $counted } menurut hitungan, { $little } menurut hukum Little
little-depth-missed = kedalaman { $counted }, bukan { $depth }
little-depth-at-device = kedalaman { $counted }, bukan { $depth }; { $device } memegang { $at-device } permintaan
little-too-few = operasi terlalu sedikit untuk memeriksa kedalaman
little-counts-differ = kedalaman terhitung dan hukum Little tidak cocok: ini kesalahan truedisk, mohon laporkan
little-depth-not-kept = kedalaman yang diminta tidak tercapai: antrean tidak selalu penuh di antara operasi
little-counts-agree = kedalaman terhitung cocok dengan hukum Little dalam { $within }

## checks/os_throttle

check-os-throttle-question = Apakah sistem operasi sendiri yang menahan disk?
check-os-throttle-meaning = Control group di sistem ini (milik container atau layanan) membatasi disk: angkanya adalah batas itu.
check-os-throttle-method = Batas pada control group proses ini (io.max, blkio.throttle) untuk perangkat target dibaca sebelum dan sesudah setiap sel. Sel mencapai batas jika permintaannya di perangkat itu sampai { $reached } dari batas, atau { $sliced } jika datang dalam potongan waktu. Pecahan operasi dan flush ikut dihitung. Satu operasi lagi ikut dihitung: jika operasinya sedikit, satu bisa tertahan di akhir. Sel yang sampai { $near } dari batas dicantumkan: jika waktu operasi berubah-ubah, batas menahan sebagian.
check-os-throttle-ok = tidak ada batas, atau batasnya tidak tercapai
check-os-throttle-note = ada batas, tetapi tidak tercapai
check-os-throttle-warning = batas tercapai
check-os-throttle-remedy = Ukur di luar container atau layanan, atau naikkan batasnya. Jika program Anda berjalan di dalamnya, inilah yang didapatnya.
check-os-throttle-blind-spot = Batas di luar host ini (provider-limit), dan batas pada grup yang tidak terlihat proses ini.
check-os-throttle-short-remedy = ukur di luar grup yang dibatasi untuk melihat kemampuan disk sendiri

os-throttle-reached = control group membatasi disk: { $cells } sel mencapai batasnya
os-throttle-near = control group membatasi disk ini: tidak ada sel yang mencapai batasnya, { $cells } sel mendekatinya
os-throttle-not-reached = control group membatasi disk ini, tetapi tidak ada sel yang mencapai batasnya
os-throttle-none = tidak ada control group yang membatasi disk ini
os-throttle-queue = { $settings }
os-throttle-scheduler = scheduler { $name }
os-throttle-requests = paling banyak { $requests } permintaan dalam antrean
os-throttle-writeback = buffered write ditahan jika latensi di atas { $latency } (wbt)

## checks/link_bound

check-link-bound-question = Apakah koneksi menjadi batas, atau lebih lambat dari seharusnya?
check-link-bound-meaning = Kabel, slot, atau kontroler yang menentukan laju data, bukan disk. Atau koneksi dinegosiasikan di bawah kemampuan kedua ujungnya (downtrained), sehingga sebagian kecepatan disk hilang.
check-link-bound-method = Laju data setiap sel dibandingkan dengan kapasitas koneksi yang dinegosiasikan setelah line coding. Protokol memakai sebagian, sehingga koneksi dianggap penuh di atas { $full }. Kecepatan dan lebar yang dinegosiasikan dibandingkan dengan kemampuan disk dan slot.
check-link-bound-ok = koneksi masih longgar, dan berjalan pada kemampuan terbaiknya
check-link-bound-not-observable = koneksi tidak terlihat: disk virtual, penyimpanan jaringan
check-link-bound-note = koneksi penuh, seperti wajarnya pada disk yang baik
check-link-bound-warning = koneksi berjalan di bawah kemampuan kedua ujungnya
check-link-bound-remedy = Pasang ulang disk, coba slot, kabel, atau port lain, dan periksa setelan firmware untuk slot itu.
check-link-bound-blind-spot = Koneksi yang tidak ditampilkan kernel, dan switch di jalur itu yang juga dipakai pihak lain.
check-link-bound-short-remedy = koneksi yang lebih cepat akan menunjukkan lebih banyak kemampuan disk

link-bound-not-shown = koneksi perangkat ini tidak terlihat (penyimpanan virtual atau jaringan)
link-bound-not-of-every-disk = tidak semua disk pada target menunjukkan koneksinya
link-bound-used = { $rate } dari { $ceiling }
link-bound-downtrained = koneksi lebih lambat daripada kemampuan kedua ujungnya: periksa slot, kabel, dan port
link-bound-had-room = koneksi masih longgar: kapasitasnya { $ceiling }
link-bound-full = koneksi menjadi batas di { $cells } sel: lebih dari { $share } kapasitasnya terpakai
link-bound-speed = { $kind } pada { $speed }
link-bound-speed-below = { $kind } pada { $speed }, kemampuannya { $max }

## checks/neighbour

check-neighbour-question = Apakah program atau mesin lain memakai disk atau prosesor selama pengujian?
check-neighbour-meaning = Angkanya berasal dari disk yang dipakai bersama atau host yang sibuk: tanpa gangguan, disk akan lebih cepat.
check-neighbour-method = I/O yang dilayani perangkat di luar permintaan truedisk adalah milik pihak lain. Catatan: mulai { $noted } dari byte truedisk dan { $noted-rate }, atau mulai { $requests-noted } dari permintaan truedisk dan { $noted-per-second } permintaan/s; permintaan truedisk dihitung dalam potongan paling besar { $piece }. Peringatan: mulai { $warned } dan { $warned-rate }, atau mulai { $requests-warned } dan { $warned-per-second } permintaan/s. Waktu prosesor yang diambil hypervisor menjadi catatan mulai { $stolen-noted } dan peringatan mulai { $stolen-warned }. Proses lain dihitung mulai { $foreign } dari prosesor, dan menjadi peringatan jika yang menganggur kurang dari { $idle }. Saat truedisk sendiri menulis, penulisan pihak lain dihitung hanya jika tulisan truedisk tidak menimbulkan tulisan tambahan: tanpa sync, pada filesystem yang menimpa di tempat.
check-neighbour-ok = tidak ada pihak lain yang memakai disk atau prosesor
check-neighbour-not-observable = baik perangkat maupun host tidak memiliki penghitung
check-neighbour-note = pemakaian oleh pihak lain terlalu kecil untuk berpengaruh, atau selnya diukur ulang
check-neighbour-warning = pemakaian oleh pihak lain cukup besar untuk mengubah angka
check-neighbour-remedy = Ukur saat host sepi. Waktu prosesor yang diambil hypervisor (steal) berasal dari sisi penyedia: coba jam atau host lain.
check-neighbour-short-remedy = hentikan beban lain, atau ulangi saat lebih sepi, lalu bandingkan
check-neighbour-blind-spot = Tetangga bising di sisi penyedia disk virtual, yang hanya tampak sebagai hasil yang tidak stabil (not-settled, stall).

neighbour-not-counted = perangkat tidak memiliki penghitung yang menunjukkan I/O pihak lain
neighbour-busy = pihak lain memakai disk atau prosesor selama { $cells } sel
neighbour-light = pihak lain memakai disk atau prosesor, tetapi hanya sedikit, selama { $cells } sel
neighbour-none = tidak ada pihak lain yang memakai disk
neighbour-repeated = { $probes } probe terganggu, dan diukur ulang
neighbour-also-repeated = { $statements }
neighbour-probes = probe
neighbour-bytes = { $bytes } dari pihak lain ({ $rate }), { $ours } dari sel ini
neighbour-requests = permintaan: { $others } dari pihak lain, { $ours } dari sel ini
neighbour-stolen = hypervisor mengambil { $stolen } waktu prosesor
neighbour-processors = proses lain memakai { $foreign } waktu prosesor, { $idle } menganggur

## checks/stall

check-stall-question = Apakah perangkat sempat berhenti merespons?
check-stall-meaning = Sesaat perangkat tidak menjawab sama sekali. Closed loop tidak mengirim apa-apa selama menunggu, sehingga persentil nyaris tidak menunjukkannya, padahal semua program yang membutuhkan disk harus menunggu.
check-stall-method = Macet sesaat adalah jeda antarpenyelesaian setidaknya { $gap }, ketika { $missed } operasi atau lebih seharusnya selesai pada laju rata-rata, dan yang lamanya setidaknya { $factor } kali 999 dari 1.000 operasi. Jeda di akhir sel berlangsung sampai operasi tertunda yang pertama selesai. Waktu ketika proses ini sendiri tidak berjalan tidak dihitung (client-bound), begitu pula { $margin } sebelum dan sesudahnya.
check-stall-ok = perangkat tidak pernah macet
check-stall-not-observable = tidak ada pengukuran yang dapat menunjukkannya
check-stall-warning = perangkat sempat macet; temuan menyebutkan kapan dan berapa lama
check-stall-remedy = Ukur lagi. Jika terulang, periksa log kernel untuk timeout dan reset, firmware SSD (garbage collection), dan status penyedia.
check-stall-blind-spot = Macet yang lebih singkat dari sepersepuluh detik, dan yang terjadi di antara dua sel. Di host dengan prosesor sibuk, thread proses ini yang menunggu prosesor tampak seperti perangkat yang macet (neighbour).
check-stall-short-remedy = periksa log kernel untuk reset, serta drive untuk throttling karena panas atau garbage collection; ulangi

stall-silence = tidak ada yang selesai selama { $gap }, { $start } setelah sel dimulai; total macet { $total }, { $share } dari sel
stall-too-short = tidak ada sel yang cukup lama untuk menunjukkan macet
stall-none = tidak ada macet selama { $gap } atau lebih, di luar jeda yang biasa pada perangkat ini
stall-longest = perangkat sempat macet, paling lama { $longest }

## checks/not_settled

check-not-settled-question = Apakah lajunya stabil selama diukur?
check-not-settled-meaning = Laju yang naik atau turun adalah keadaan sesaat, bukan sifat perangkat: pengujian lain, atau yang lebih lama, memberi angka lain.
check-not-settled-method = Setiap sel yang setidaknya { $length } dibagi menjadi lima bagian. Sebaran nilai dan kemiringannya diuji (aturan lima putaran), bersama tren atau perubahan tingkat setidaknya { $change } yang secara kebetulan muncul di kurang dari { $chance } sel. Sel yang diulang di akhir menunjukkan apakah seluruh pengujian bergeser: pada kedalaman 1 dan pada kedalaman dengan hasil tertinggi, keduanya lebih dari { $drift } ke arah yang sama, dengan selang atau peringkat yang terpisah. Putaran tulis acak berakhir jika lima putaran cocok. Laju file kecil dinilai dari putarannya: setengah selang 95 % paling banyak { $unsteady } dari laju.
check-not-settled-ok = lajunya stabil
check-not-settled-not-observable = selnya terlalu pendek untuk lima putaran
check-not-settled-note = laju bervariasi tanpa arah, satu pengulangan berbeda, pengulangan pembacaan dari memori berbeda, atau putaran tulis tidak cocok; atau laju file kecil berbeda antarputaran
check-not-settled-warning = laju naik, turun, atau berganti-ganti antara beberapa tingkat selama diukur, putaran tulis bergerak ke satu arah, atau pengulangan di akhir berbeda; atau laju pembuatan file berbeda antarputaran
check-not-settled-remedy = Uji lebih lama: check tanpa --quick, atau dengan --thorough, yang menulis sampai lajunya stabil.
check-not-settled-blind-spot = Perubahan yang lebih lambat daripada lama pengujian: kredit burst, cache tulis yang lebih besar daripada data yang ditulis, panas.
check-not-settled-short-remedy = ukur lebih lama: --thorough berjalan sampai stabil

not-settled-short = selnya terlalu pendek; pengujian 60 s cukup lama
not-settled-few-rounds = putaran terlalu sedikit untuk melihat apakah laju berbeda antarputaran
not-settled-search = pencarian tidak memeriksa kestabilan; truedisk check memeriksanya
not-settled-matrix = matriks tidak memeriksa kestabilan; truedisk check memeriksanya
not-settled-short-passes = ulangannya terlalu pendek; truedisk check mengukur lebih lama
not-settled-single-requests = permintaan satu per satu tidak memeriksa kestabilan; truedisk check memeriksanya
not-settled-no-series = keluaran program lain tidak memuat deret waktu untuk diperiksa
not-settled-changing = laju masih berubah selama diukur
not-settled-differed = salah satu pengulangan di akhir berbeda
not-settled-varied = laju bervariasi tanpa arah
not-settled-files-created = laju pembuatan file terlalu berbeda antarputaran
not-settled-some-files = sebagian laju sangat berbeda antarputaran
not-settled-steady = laju stabil selama diukur
not-settled-rounds-agree = laju semua putaran cocok
not-settled-writing = putaran tulis
not-settled-rounds = lima putaran terakhir berbeda sampai { $range } dari rata-ratanya; tren: { $change }
not-settled-file-rounds = putaran { $low } sampai { $high } operasi/s
not-settled-five-parts = sebaran lima bagian { $range } dari rata-ratanya, { $trend }
not-settled-rose = naik { $by }
not-settled-fell = turun { $by }
not-settled-rose-after = naik { $by } setelah { $after }
not-settled-fell-after = turun { $by } setelah { $after }
not-settled-no-trend = tanpa tren yang signifikan
not-settled-repeated = { $cell } diulang
not-settled-twice = pertama { $first } IOPS, di akhir { $again } IOPS

## checks/coverage

check-coverage-question = Seberapa banyak bagian target yang disentuh, dan berapa kali?
check-coverage-meaning = Blok yang dibaca berulang-ulang berasal dari cache di jalur ke disk. Sampel kecil dari disk besar tidak banyak bercerita tentang bagian yang tidak dibaca.
check-coverage-method = Rentang di bawah { $tiny } muat di cache mana pun. Rentang di bawah { $cache } yang dibaca lebih dari { $passes } kali sebagian besar adalah pembacaan ulang. Rentang { $large } atau lebih yang dibaca kurang dari { $thin } adalah sampel yang tipis.
check-coverage-ok = rentang lebih besar dari cache yang lazim, atau bloknya dibaca paling banyak satu kali; dan sampelnya tidak terlalu jarang
check-coverage-not-observable = tidak ada baca acak
check-coverage-note = blok di rentang kecil dibaca lebih dari satu kali, atau rentang besar hanya sedikit dibaca
check-coverage-warning = rentang sangat kecil sehingga muat di cache mana pun, atau dibaca begitu sering sehingga kebanyakan adalah pembacaan ulang
check-coverage-remedy = Berikan --size yang lebih besar, atau waktu lebih lama: check --thorough.
check-coverage-blind-spot = Ukuran cache yang sebenarnya di jalur ke disk (device-cache, host-cache), dan apakah bagian yang tidak disentuh berbeda.
remedy-measure-larger-part = ukur bagian disk yang lebih besar: --size 4g atau lebih
remedy-take-for-sample = ukur lebih lama, atau anggap sebagai sampel: bagian yang tidak dibaca bisa berbeda

coverage-no-reads = tidak ada baca acak yang diukur
coverage-cached = rentang { $span } mungkin tersimpan di cache di jalur ke disk
coverage-read-again = blok di rentang { $span } dibaca lebih dari satu kali
coverage-thin = hanya { $share } dari rentang { $span } yang dibaca
coverage-passed = baca acak seluruhnya menjangkau rentang { $span } sebanyak { $passes } kali
coverage-passes = berapa kali dibaca
coverage-read = { $read } dibaca acak di rentang { $span }
coverage-share = porsi yang dibaca
coverage-sample = { $share } dari { $span }, tersebar merata
coverage-cell-passes = rentang { $span } dibaca { $passes } kali

## checks/idle_latency

check-idle-latency-question = Apakah permintaan pertama setelah jeda lebih lambat?
check-idle-latency-meaning = Perangkat, koneksi, host, atau prosesor tidur saat tidak ada pekerjaan, dan perlu waktu untuk bangun. Program dengan sedikit permintaan merasakannya; angka perangkat yang sibuk tidak menunjukkannya.
check-idle-latency-method = Pembacaan satu per satu dengan jeda dibandingkan dengan pembacaan berturut-turut, sebagai rasio dan sebagai waktu absolut: bangunnya host virtual sendiri sudah memerlukan sepersekian milidetik.
check-idle-latency-ok = jeda tidak membuat perbedaan berarti
check-idle-latency-not-observable = tidak ada pembacaan dengan jeda
check-idle-latency-note = pembacaan pertama setelah jeda lebih lambat; temuan menyebutkan selisihnya
check-idle-latency-warning = waktu bangun begitu lama sehingga mendominasi program dengan sedikit permintaan
check-idle-latency-remedy = Jika penting, jaga agar perangkat tidak tidur: matikan APST untuk NVMe (nvme_core.default_ps_max_latency_us=0), jangan hentikan putaran HDD (hdparm -S 0), dan batasi prosesor pada idle state yang dangkal.
check-idle-latency-blind-spot = Komponen mana yang tidur, dan tidur lebih dalam yang baru terjadi setelah jeda lebih panjang daripada yang diuji.
check-idle-latency-short-remedy = layanan dengan sedikit permintaan menunggu selama ini: periksa penghematan daya pada drive (APST), koneksinya (ASPM, ALPM), dan prosesor

idle-latency-no-usual = tidak ada pembacaan berturut-turut sebagai pembanding
idle-latency-usual = { $median } (median)
idle-latency-too-few = pembacaan setelah jeda terlalu sedikit
idle-latency-asleep = perangkat tertidur: pembacaan setelah jeda { $pause } memerlukan { $took }, tanpa jeda { $usual }
idle-latency-slower = pembacaan setelah jeda { $pause } memerlukan { $took }, tanpa jeda { $usual }
idle-latency-alike = pembacaan setelah jeda { $pause } paling lama { $factor } kali pembacaan tanpa jeda ({ $usual })
idle-latency-paused = { $median } (median dari { $reads } pembacaan), { $times } kali pembacaan tanpa jeda
idle-latency-paused-busy = { $median } (median dari { $reads } pembacaan), { $times } kali pembacaan tanpa jeda; prosesor sibuk { $busy }

## checks/misaligned

check-misaligned-question = Apakah blok tidak selaras dengan blok fisik perangkat?
check-misaligned-meaning = Jika partisi atau file dimulai di tengah blok fisik, perangkat membaca dan menulis dua blok untuk satu blok, dan penulisan harus menunggu pembacaan dulu.
check-misaligned-method = Awal partisi, dan awal loop device di dalam file-nya, dibandingkan dengan blok fisik perangkat di bawahnya, setidaknya { $block }; untuk file, bagian yang tidak dimulai di awal blok itu. Blok yang digeser 512 byte menunjukkan biayanya, jika perangkat menerimanya. Sampai { $allowed } dari file boleh berada di mana saja.
check-misaligned-ok = semuanya selaras dengan blok disk
check-misaligned-not-observable = target, atau block device di bawahnya, tidak diketahui
check-misaligned-note = dimulai di dalam blok 4 KiB, pada HDD dengan sektor 512 byte: di sana tidak ada kerugian
check-misaligned-warning = partisi, loop device, atau bagian file tidak selaras: bloknya melintasi dua blok disk
check-misaligned-remedy = Buat ulang partisi agar dimulai tepat pada kelipatan MiB, seperti setelan bawaan alat masa kini.
check-misaligned-blind-spot = Blok fisik yang lebih besar daripada keterangan perangkat, dan page flash, yang tidak dilaporkan perangkat mana pun.
check-misaligned-short-remedy = mulai partisi pada 1 MiB, dan pakai blok 4 KiB untuk filesystem

misaligned-no-device = block device di bawahnya tidak diketahui
misaligned-extents = extent
misaligned-file = { $share } dari file tidak selaras dengan blok perangkat
misaligned-direct-io = alignment yang diperlukan direct I/O
misaligned-unit = { $unit } menurut { $source }
misaligned-across = blok tidak selaras: melintasi dua blok disk
misaligned-inside = blok dimulai di dalam blok { $block }, dan disk ini mengizinkannya
misaligned-none = semuanya selaras dengan blok disk
misaligned-start = dimulai pada { $start }, { $over } ke dalam blok { $block }
misaligned-read = pembacaan yang digeser
misaligned-write = penulisan yang digeser
misaligned-slower = { $took } untuk blok yang digeser 512 byte, { $usual } untuk blok yang selaras: { $times } kali lipat
misaligned-no-slower = { $took } untuk blok yang digeser 512 byte, { $usual } untuk blok yang selaras: tidak ada perbedaan yang terlihat

## checks/short_stroke

check-short-stroke-question = Apakah HDD hanya diukur di bagian kecil, sehingga lengannya nyaris tidak bergerak?
check-short-stroke-meaning = Di bagian kecil, jarak gerak lengan pendek: baca acak tampak sampai dua kali secepat di seluruh disk.
check-short-stroke-method = Pada disk yang berperilaku seperti HDD, baca acak dilakukan di bagian yang makin besar. Gerak lengan tampak sebagai latensi yang naik menurut akar kuadrat ukurannya; dari situ dihitung latensi di seluruh disk.
check-short-stroke-ok = disk tidak berputar, atau bagian yang diukur sama lambatnya dengan seluruh disk
check-short-stroke-not-observable = tidak ada baca acak satu per satu, terlalu sedikit untuk menunjukkan putaran, atau cache menjawab sebagian besar
check-short-stroke-warning = angka ini, dari file atau perangkat, berasal dari bagian kecil HDD; temuan memperkirakan angka untuk seluruh disk
check-short-stroke-remedy = Ukur perangkatnya langsung: check --read-only DEVICE membaca di seluruh disk dan tidak mengubah apa pun.
check-short-stroke-blind-spot = Letak file di disk: trek luar memindahkan byte hampir dua kali trek dalam.
check-short-stroke-short-remedy = ukur seluruh perangkat: truedisk check --read-only pada file perangkatnya

short-stroke-no-reads = tidak ada baca acak satu per satu yang dapat menunjukkan gerak lengan
short-stroke-mean = rata-rata baca acak pada kedalaman 1
short-stroke-no-arm = tidak ada lengan yang bergerak: baca acak memerlukan { $mean }, satu putaran saja sudah lebih lama
short-stroke-part = bagian yang diukur
short-stroke-span = { $span } dari { $disk }, { $part }
short-stroke-as-whole = HDD: bagian yang diukur ({ $part }) sama lambatnya dengan seluruh disk
short-stroke-cached = perangkat melaporkan diri sebagai disk berputar (rotational), tetapi cache menjawab sebagian besar pembacaan: tidak dapat dipastikan apakah lengannya bergerak
short-stroke-too-few = { $reads } baca acak terlalu sedikit untuk menunjukkan HDD: perlu { $needed }
short-stroke-no-platter = baca acak memerlukan { $mean }, tetapi tidak tersebar merata sepanjang satu putaran seperti pada HDD
short-stroke-reached = bagian yang dijangkau
short-stroke-of-disk = { $part } dari disk
short-stroke-range = hanya { $part } dari HDD yang diukur: { $here } baca acak/s pada kedalaman 1, sekitar { $low } sampai { $high } di seluruh disk
short-stroke-flatters = hanya { $part } dari HDD yang diukur: { $here } baca acak/s pada kedalaman 1, sekitar { $whole } di seluruh disk
short-stroke-fit = seek { $nearest-ms } ms + { $slope-ms } ms x sqrt(jarak), dengan rata-rata sqrt(jarak) 8/15, dan setengah putaran (satu putaran { $turn-ms } ms)
short-stroke-sheets = seek rata-rata { $low-ms } sampai { $high-ms } ms menurut lembar data disk { $rpm } rpm, dan setengah putaran (satu putaran { $turn-ms } ms)
short-stroke-turns = kecepatan putar
short-stroke-speed = { $rpm } rpm ({ $low } sampai { $high }), dari { $reads } pembacaan
short-stroke-whole = baca acak di seluruh disk
short-stroke-whole-time = { $low } sampai { $high }: { $how }

## checks/provider_limit

check-provider-limit-question = Apakah IOPS maksimum adalah batas yang dikonfigurasi?
check-provider-limit-meaning = Yang membatasi adalah setelan penyedia atau hypervisor, bukan disk: antrean yang lebih dalam hanya menambah waktu tunggu. Biasanya batas yang lebih tinggi dapat dibeli.
check-provider-limit-method = Probe pada rentang kedalaman dua kali lipat atau lebih berakhir dalam { $within } dari satu laju, dan hampir tidak ada probe yang melampauinya. Hasil per setengah detik di sana umumnya lebih seragam daripada variasi acak operasi yang independen. Harus ada satu tanda lagi yang cocok dengan pembatasan: operasi yang lebih besar atau arah lain berakhir pada laju yang sama, operasi yang lebih besar pada disk virtual memindahkan byte per detik sama banyak dengan yang lebih kecil, atau laju disk virtual sama dengan yang dijual cloud. Operasi yang selesai dalam potongan waktu khas throttle menunjukkan pembatasan pada kedalaman berapa pun. Jika batas diturunkan selama pengujian, nilai yang disebutkan adalah dari probe sesudahnya. Jika control group sistem ini yang membatasi, os-throttle melaporkannya.
check-provider-limit-ok = di tempat hasil tidak lagi naik bersama kedalaman, sebabnya bukan pembatasan; atau control group sistem ini yang membatasi (os-throttle)
check-provider-limit-not-observable = tidak ada kurva dengan plateau yang diukur cukup lama: sel dari pengujian cepat (quick) terlalu pendek, dan matriks tidak memeriksanya
check-provider-limit-note = disk ini dibatasi; nilai batasnya disebutkan, dan angkanya tetap berlaku
check-provider-limit-remedy = Bandingkan batas ini dengan yang Anda bayar. Atur antrean program Anda agar pas mencapainya: lebih dari itu hanya menunggu.
check-provider-limit-blind-spot = Batas di atas laju yang tercapai, batas yang berubah menurut kredit (burst), dan batas yang bervariasi seperti perangkat biasa.

provider-limit-cap = { $iops } IOPS: { $because }
provider-limit-of-provider = penyedia membatasi disk ini pada { $cap } IOPS: ini bukan batas perangkat
provider-limit-of-setting = setelan membatasi disk ini pada { $cap } IOPS: ini bukan batas perangkat
provider-limit-of-group = batas ini berasal dari control group sistem ini (os-throttle)
provider-limit-counted = pembatasan penyedia menahan pengukuran ini, menurut penghitungnya sendiri
provider-limit-none = di tempat hasil tidak lagi naik bersama kedalaman, sebabnya bukan pembatasan
provider-limit-matrix = matriks tidak mencari pembatasan; truedisk limit mencarinya
provider-limit-quick = sel dari pengujian cepat (quick) terlalu pendek untuk menunjukkan pembatasan; pengujian 60 s cukup lama
provider-limit-short = tidak ada kurva dengan plateau yang diukur cukup lama untuk menunjukkan pembatasan
provider-limit-unsure = pada plateau laju berubah terlalu banyak untuk menunjukkan pembatasan, dan terlalu sedikit atau terlalu teratur untuk menyangkalnya

## checks/burst

check-burst-question = Apakah ini burst yang akan berakhir: kredit, atau cache tulis yang akan penuh?
check-burst-meaning = Kecepatannya bertahan untuk sejumlah operasi atau byte, lalu turun ke tingkat lain. Yang bertahan lama adalah kecepatan sesudahnya.
check-burst-method = Laju selama pengujian, dan laju probe tulis satu demi satu, diperiksa apakah turun secara menetap, beserta jumlah yang dipindahkan sebelumnya. Penurunan yang hanya tampak pada penulisan, dihitung dalam byte, adalah akhir cache tulis; penurunan yang juga tampak pada pembacaan adalah akhir kredit penyedia.
check-burst-ok = tidak ada penurunan, dan pengujian cukup lama untuk burst yang dikenal
check-burst-not-observable = belum ada penurunan; temuan menyebutkan berapa lama harus mengukur agar pasti
check-burst-note = ada penurunan, di luar angka yang dipakai atau tanpa penyebab yang diketahui
check-burst-warning = angka sebelum penurunan adalah angka burst
check-burst-remedy = Untuk beban yang berlangsung lama, pakai laju setelah penurunan. check --until-throttled berjalan sampai burst berakhir, --thorough sampai penulisan stabil.
check-burst-blind-spot = Apa pun yang berlangsung lebih lama daripada pengujian: kredit volume cloud bertahan dari semenit sampai berjam-jam, cache tulis sampai kapasitasnya terisi.
check-burst-short-remedy = andalkan laju setelah penurunan: check --until-throttled

burst-before = sebelum
burst-after = sesudah
burst-when = kapan
burst-time = { $after } sejak awal, di { $cell }
burst-size = ukuran
burst-operations = { $operations } operasi
burst-of-credits = angka sebelum { $until } adalah burst: { $burst } sampai kredit { $size } terpakai, setelah itu { $baseline }
burst-ended = burst { $burst } berakhir setelah kredit { $size } terpakai, lalu turun ke { $baseline }; angka yang diukur sesudahnya adalah kemampuan disk dalam jangka panjang
burst-write-cache-full = cache tulis perangkat penuh setelah { $size }: { $burst } sebelumnya, { $baseline } sesudahnya, sedangkan pembacaan tetap sama cepat
burst-rate-ramp = laju terus turun, dari { $from } menjadi { $to }: penurunan bertahap, bukan akhir burst
burst-rate-fell = laju turun dari { $from } menjadi { $to } dan tetap di sana, tidak merata: kredit, cache, atau beban yang tidak terlihat dari host ini
burst-rate-fell-last = laju turun dari { $from } menjadi { $to } di { $cell }; sesudah itu tidak ada pengukuran sejenis dengan kedalaman sebesar itu: apakah laju tetap di sana tidak terlihat
burst-fell-beside-others = laju turun dari { $from } menjadi { $to } di { $cell } saat pihak lain memakai disk atau prosesor: ulangi saat lebih sepi untuk melihat apakah burst berakhir
burst-none-under-full-load = tidak ada burst yang berakhir dalam { $busy } beban penuh
burst-none-of-a-minute = tidak ada burst yang berakhir dalam { $busy } beban, sehingga burst sekitar semenit (DigitalOcean, Vultr) dapat dikesampingkan; kredit AWS gp2 bertahan 30 sampai 120 menit, Azure premium SSD 30 menit: check --until-throttled berjalan sampai kreditnya habis
burst-none-yet = tidak ada burst yang berakhir dalam { $busy } beban; burst DigitalOcean dan Vultr baru berakhir setelah 60 s atau lebih; kredit AWS gp2 bertahan 30 sampai 120 menit, Azure premium SSD 30 menit: check --until-throttled berjalan sampai kreditnya habis
burst-nothing-for-a-cache = tidak ada penyedia dengan kredit, dan tidak ada penulisan yang dapat memenuhi cache
burst-no-cache-filled = { $written } ditulis, dan sampai akhir tidak ada cache yang penuh
burst-cache-may-be-larger = cache tulis yang lebih besar daripada { $written } yang ditulis tidak akan terlihat; ukurannya bisa sampai sepertiga perangkat: di sini { $needed }
burst-cache-of-unknown-size = cache tulis yang lebih besar daripada { $written } yang ditulis tidak akan terlihat

## evidence/contents

contents-written = kecepatan tulis { $times } kali ({ $low } sampai { $high }, { $pairs } pasang)
contents-written-in-few = kecepatan tulis { $times } kali ({ $pairs } pasang)
contents-read-back = kecepatan baca kembali { $times } kali ({ $low } sampai { $high }, { $pairs } pasang)
contents-read-back-in-few = kecepatan baca kembali { $times } kali ({ $pairs } pasang)
contents-not-written = tidak ada yang ditulis, padahal efek ini hanya tampak pada penulisan
contents-in-page-cache = tanpa O_DIRECT, page cache menampung semua penulisan, apa pun isinya
contents-too-few-operations = operasi terlalu sedikit untuk membandingkan nol dan salinan dengan data unik; perlu pengujian yang lebih lama atau host yang lebih sepi
contents-not-compared = nol dan salinan tidak dibandingkan dengan data unik dalam pengujian ini

## evidence/reread

reread-too-few-blocks = tidak ada blok yang dibaca dua kali, atau terlalu sedikit
reread-from-page-cache = page cache host ini menjawab pembacaan kedua: lihat page-cache
reread-of-own-blocks = pengujian ini menulis bloknya sendiri: tidak ada yang perlu diambil
reread-as-fast-as-memory = hanya memori yang menjawab secepat ini
reread-too-fast-for-network = terlalu cepat untuk volume yang mengambil blok lewat jaringan
reread-of-rotating-disk = disk berputar, dan menyimpan apa yang sudah dibaca
reread-too-close-to-fetch = selisihnya terlalu kecil untuk blok yang diambil dari tempat lain
reread-slow-again = blok yang sudah dibaca menjadi lambat lagi
reread-second-reads = pembacaan kedua
reread-medians = { $first } untuk pembacaan pertama suatu blok, { $again } untuk yang kedua (median dari { $reads })
reread-third-reads = pembacaan ketiga, setelah semua yang lain
reread-median = { $median } (median dari { $reads })
reread-measured-by = diukur oleh
reread-cells = { $cells }

## evidence/working_set

working-set-from-page-cache = page cache host ini yang menjawab: lihat page-cache
working-set-not-read = sebagian rentang tidak dibaca, atau rentangnya terlalu kecil untuk ini
working-set-too-few-reads = pembacaan setiap bagian terlalu sedikit dalam waktu ini: --thorough membaca lebih banyak

## evidence/generator_pauses

remedy-measure-unstopped = ukur lagi; jangan ada yang menghentikan truedisk atau men-suspend mesin selama itu
generator-pauses-suspended = mesin sempat di-suspend, paling lama { $length }: angka { $cells } sel memuat jeda itu
generator-pauses-in-figures = proses ini sempat tidak berjalan, paling lama { $length }: angka { $cells } sel memuat jeda itu
generator-pauses-excluded = proses ini sempat tidak berjalan, paling lama { $length }: laju tidak menghitung jeda itu; persentil { $cells } sel nyaris tidak terpengaruh
generator-pauses-one = tidak berjalan selama { $total } ({ $share } dari sel), { $start } sejak awal pengujian
generator-pauses-several = tidak berjalan selama { $total } ({ $share } dari sel) dalam { $pauses } jeda; yang terpanjang { $longest }, { $start } sejak awal pengujian

## evidence/withheld_cpu

remedy-measure-outside-group = ukur di luar control group ini, atau naikkan batasnya
remedy-measure-without-steal = ukur pada jam atau host dengan steal yang lebih rendah
remedy-measure-alone = ukur saat proses lain menganggur
remedy-measure-files-alone = ukur lagi saat host tidak dipakai hal lain, dengan lebih banyak file: --files N
remedy-measure-on-more-processors = ukur dengan job lebih sedikit, atau di host dengan prosesor lebih banyak
withheld-cpu-for = { $cause }: truedisk menunggu prosesor paling banyak { $share } dari waktu, di { $cells } sel
withheld-cpu-for-unknown = truedisk menunggu prosesor paling banyak { $share } dari waktu, di { $cells } sel
withheld-cpu-by-group = { $limit } ({ $cgroup }); truedisk tertahan selama { $lost } dari { $elapsed }
withheld-cpu-by-quota-of-one = control group mengizinkan proses ini memakai { $share } dari satu prosesor
withheld-cpu-by-quota = control group mengizinkan proses ini memakai { $processors } prosesor
withheld-cpu-by-limit = control group membatasi waktu prosesor proses ini
withheld-cpu-by-hypervisor = hypervisor menahan waktu prosesor (steal)
withheld-cpu-by-others = prosesor sibuk mengerjakan hal lain
withheld-cpu-by-itself = proses ini memakai lebih banyak waktu prosesor daripada yang lain
withheld-cpu-wait = worker-nya menunggu prosesor selama { $lost } dari { $elapsed }
withheld-cpu-shares = waktu prosesor: proses ini { $own }, lainnya { $others }, hypervisor { $stolen }, menganggur { $idle }
withheld-cpu-pressure = setidaknya satu proses di host ini menunggu prosesor selama { $time } dari { $elapsed }

## cells

## class

class-memory = memori, atau cache di depan disk
class-optane = SSD Optane
class-fast-nvme = SSD NVMe cepat (PCIe 4 atau 5)
class-nvme = SSD NVMe (kelas PCIe 3)
class-sata = SSD SATA
class-virtual-ssd = SSD lokal di balik hypervisor
class-premium-volume = block storage jaringan yang cepat (volume premium)
class-volume = block storage jaringan (volume serbaguna)
class-rotating-disk = HDD
class-memory-card = kartu memori atau flash disk USB
class-unlike-all = perangkat di luar semua kelas yang dikenal; terdekat: { $nearest }
class-read-latency = { $latency } per baca acak pada kedalaman 1
class-random-reads = { $iops } baca acak/s
class-sequential-reads = { $rate } sekuensial
class-writes-per-read = kecepatan tulis acak { $times } kali baca acak
class-times = { $times }
class-outside = { $feature } ({ $low } sampai { $high } lazim untuk kelas ini)
class-called-rotational = menurut sysfs berputar (rotational)
class-called-non-rotational = menurut sysfs tidak berputar (non-rotational)

## class/claim

class-claim = { $parts }
class-claims-rotation = berputar (rotational)
class-claims-no-rotation = tidak berputar (non-rotational)
class-too-fast-for-platter = dilaporkan sebagai disk berputar, tetapi satu pembacaan memerlukan { $latency }: tidak ada piringan yang berputar secepat itu
class-waits-for-platter = dilaporkan sebagai disk tidak berputar, tetapi pembacaannya menunggu seperti pada piringan { $rpm } rpm
class-slow-as-platter = dilaporkan sebagai disk tidak berputar, tetapi selambat HDD
class-nvme-like-volume = terpasang sebagai perangkat NVMe, tetapi menjawab seperti { $class }: begitulah ciri volume cloud
class-faster-than-sata = terpasang lewat SATA, tetapi lebih cepat daripada kapasitas koneksinya: mirip { $class }
class-fast-as-memory = terpasang lewat { $transport }, tetapi menjawab secepat memori: ada cache di depannya?

## compare

compare-has-it-with = { $side } memilikinya dengan { $differences }
compare-has-cell = { $side } memiliki { $cell }
compare-has-cell-like = { $side } memiliki { $cell }, dan { $nearest }
compare-left-out = { $side }: { $cell } tidak diikutkan: { $reason }
compare-reasons = { $reasons }
compare-no-cell = tidak ada sel untuk dibandingkan

## compare/caps

compare-caps-by-finding = { $finding }: { $summary }
compare-caps-by-search = pencarian menemukan batas yang dikonfigurasi sebesar { $iops } IOPS
compare-caps-by-agreement = setiap beban kerja berakhir pada sekitar { $iops } IOPS, baik baca maupun tulis ({ $rates }): ini tampak seperti batas yang dikonfigurasi, bukan batas perangkat. Paket dengan batas seperti itu: { $plan }.
compare-caps-workload-at-rate = { $workload } { $iops }
compare-caps-known-plan = { $plan ->
    [3000] AWS EBS gp2 saat burst, gp3 tanpa IOPS tambahan, atau Azure Premium SSD v2 tanpa IOPS tambahan
    [3500] Azure Premium SSD kecil saat burst
    [3600] GCP Hyperdisk Balanced tanpa IOPS tambahan
    [5000] disk Azure P30, atau volume DigitalOcean setelah burst
    [7500] disk Azure P50, atau volume DigitalOcean
    [10000] volume DigitalOcean saat burst, atau Vultr NVMe
   *[16000] AWS EBS gp2 pada ukuran terbesarnya
}

## compare/differences

compare-differences-host-and-path = { $host }:{ $path }
compare-differences-all-names = { $names }
compare-differences-names-and-more = { $names } dan { $more } lainnya
compare-differences-fact-tool = diukur dengan
compare-differences-fact-kernel = kernel
compare-differences-fact-architecture = arsitektur
compare-differences-fact-processor = prosesor
compare-differences-fact-memory = memori
compare-differences-fact-virtualisation = virtualisasi
compare-differences-fact-group-limits = batas I/O control group
compare-differences-fact-file-system = filesystem
compare-differences-fact-interface = antarmuka kernel
compare-differences-fact-payload = data yang ditulis
compare-differences-fact-hosts = host
compare-differences-fact-sharing = pemakaian bersama antarhost
compare-differences-processors = { $cpus } x { $model }
compare-differences-unknown-processors = { $cpus } x tidak dikenal
compare-differences-about-memory = sekitar { $memory }
compare-differences-count = { $count }
compare-differences-no-file-system = tidak ada
compare-differences-differs-within = { $fact } tidak seragam di dalam { $side }: { $values }
compare-differences-differs-between = { $fact }: { $of-a } pada { $a }, { $of-b } pada { $b }
compare-differences-run-on-both-sides = pengujian { $run } ada di kedua sisi: tidak mungkin berbeda dari dirinya sendiri
compare-differences-only-side-has = hanya { $side } yang memiliki { $hosts }
compare-differences-hosts-differ = host-nya tidak sama: { $differences }
compare-differences-spans-differ = rentang: { $of-a } pada { $a }, { $of-b } pada { $b }; rentang yang lebih kecil lebih mudah muat di cache
compare-differences-times-differ = waktu per sel: sampai { $of-a } pada { $a }, sampai { $of-b } pada { $b }; sel yang pendek bisa seluruhnya berada dalam burst
compare-differences-ended-early = { $runs ->
    [1] { $side } berhenti sebelum selesai
   *[other] { $side } berhenti sebelum selesai di { $number } dari { $runs } pengujian
}
compare-differences-degraded = { $runs ->
    [1] { $side } tidak lengkap (degraded): { $reason }
   *[other] { $side } tidak lengkap (degraded) di { $number } dari { $runs } pengujian: { $reason }
}
compare-differences-warned = { $runs ->
    [1] { $side }: { $finding }: { $summary }
   *[other] { $side }: { $finding } di { $number } dari { $runs } pengujian: { $summary }
}

## compare/effect

compare-effect-same = sama dalam { $margin }: x { $low } sampai { $high }
compare-effect-faster = { $side } { $factor } x lebih cepat, { $low } sampai { $high }
compare-effect-slower = { $side } { $factor } x lebih lambat, { $low } sampai { $high }
compare-effect-longer = { $figure } pada { $side } { $factor } x lebih lama, { $low } sampai { $high }
compare-effect-shorter = { $figure } pada { $side } { $factor } x lebih singkat, { $low } sampai { $high }
compare-effect-differs-in-one-run = { $difference }, dari masing-masing satu pengujian; pengujian berikutnya bisa berbeda
compare-effect-ratio-of-one-run = x { $ratio } dari masing-masing satu pengujian; tanpa selang, tanpa kesimpulan
compare-effect-undecided-by-one-run = belum dapat dipastikan dari masing-masing satu pengujian: x { $low } sampai { $high } di dalam pengujian, { $needed }
compare-effect-too-few-runs = belum dapat dipastikan: { $runs }, { $needed }
compare-effect-undecided = belum dapat dipastikan: x { $low } sampai { $high } dari { $runs }, { $needed }
compare-effect-runs-needed = perlu { $runs }
compare-effect-many-runs-needed = perlu lebih dari 1000
compare-effect-runs-each = { $runs ->
    [1] masing-masing satu pengujian
   *[other] masing-masing { $runs } pengujian
}
compare-effect-runs-of-both = { $a } dan { $b } pengujian

## compare/figures

compare-figures-nothing-completed = tidak ada yang selesai
compare-figures-bound-never-kept = tidak ada beban yang memenuhi batas latensi
compare-figures-search-unsure = pencarian batas tidak pasti
compare-figures-limit-label = { $workload }, tertinggi dalam batas { $bound }
compare-figures-open-limit-label = { $workload }, tertinggi dalam batas { $bound }, open loop

## compare/headline

compare-headline-sentences = { $first } { $second }
compare-headline-nothing-usable = Belum dapat dipastikan: hasil pengukuran kedua sisi tidak diikutkan ({ $reason }).
compare-headline-looks-capped = { $side } tampaknya dibatasi pada { $iops } IOPS.
compare-headline-gives-times = { $more } memberi { $factor } x hasil { $less }, dari masing-masing satu pengujian.
compare-headline-gives-times-over-cells = { $more } memberi { $least } sampai { $most } x hasil { $less }, pada { $cells } sel, dari masing-masing satu pengujian.
compare-headline-no-interval-between-runs = Satu pengujian per sisi tidak menunjukkan seberapa besar perbedaan antarpengujian.
compare-headline-all-cells = Semua sel digabung: { $verdict } ({ $runs }).
compare-headline-all-cells-undecided = Semua sel digabung: { $verdict }.
compare-headline-depends-on-workload = Hasilnya bergantung pada beban kerja.
compare-headline-one-cell = { $cell }: { $verdict } ({ $runs }).
compare-headline-outcomes = Dari { $comparisons } perbandingan, { $side } { $outcomes } (Holm, 5 % untuk semua { $family }).
compare-headline-faster-in = lebih cepat di { $cells }
compare-headline-slower-in = lebih lambat di { $cells }
compare-headline-same-in = sama di { $cells }
compare-headline-different-alone-in = tidak signifikan setelah koreksi perbandingan ganda di { $cells }
compare-headline-undecided-in = belum pasti di { $cells }
compare-headline-family-needs-runs = Dengan { $comparisons } perbandingan, hasil yang signifikan memerlukan { $runs } pengujian per sisi.

## compare/hosts

## compare/key

compare-key-other-order = urutan blok berbeda
compare-key-blocks-of = blok { $size }
compare-key-other-sizes = ukuran operasi berbeda
compare-key-at-depth = kedalaman { $depth }
compare-key-other-pacing = pacing berbeda
compare-key-other-rate-cap = batas laju berbeda
compare-key-other-pauses = jeda berbeda
compare-key-other-syncs = sync berbeda
compare-key-other-durability = durabilitas penulisan berbeda
compare-key-other-trim = jenis trim berbeda
compare-key-with-direct = dengan O_DIRECT
compare-key-no-direct = tanpa O_DIRECT
compare-key-other-job-beside = job pendamping berbeda
compare-key-read-after-pause = baca { $size } setelah jeda
compare-key-commit = commit { $size }
compare-key-with-arrivals = { $workload }, { $rate } permintaan/s
compare-key-with-depth = { $workload }, kedalaman { $depth }
compare-key-without-direct = { $cell }, tanpa O_DIRECT
compare-key-beside = { $cell }, bersama { $other }

## curve

curve-rate-alternates = laju naik turun, dari { $least } sampai { $most } IOPS
curve-rate-changes = laju berubah dari { $first } IOPS terus ke satu arah
curve-higher-loads-disturbed = semua pengukuran pada beban yang lebih tinggi terganggu

## curve/cap

cap-probes-at-ceiling = { $near } dari { $all } probe, dari kedalaman { $shallowest } sampai { $deepest }, berakhir dalam { $within } dari { $iops } IOPS
cap-calmer-than-chance = laju per setengah detik umumnya bervariasi paling banyak { $variation }; secara kebetulan saja variasinya { $chance }
cap-larger-as-often = operasi { $larger } selesai sesering operasi { $size }
cap-larger-as-many-bytes = operasi { $larger } memindahkan byte per detik sama banyak dengan operasi { $size }
cap-ends-at-same-rate = { $label } berakhir pada laju yang sama
cap-sold-by-clouds = cloud menjual disk { $iops } IOPS
cap-served-in-slices = operasi datang dalam potongan waktu: tidak ada yang selesai selama { $share } dari waktu
cap-workers-starved = worker tidak memiliki sisa waktu prosesor
cap-unconfirmed = pengukuran terlalu sedikit untuk memastikan batas ini
cap-unconfirmed-disturbed = pengukuran yang tidak terganggu terlalu sedikit untuk memastikan batas ini

## curve/limit

limit-interval-too-wide = selangnya ±{ $half } terlalu lebar untuk satu angka
limit-its-reads = bagian baca
limit-its-writes = bagian tulis
limit-latency-not-monotone = latensi berulang kali turun saat beban naik
limit-probes-used-up = jatah probe habis sebelum jawabannya pasti

## curve/names

workload-read = { $order ->
    [sequential] baca sekuensial
   *[random] baca acak
}
workload-write = { $order ->
    [sequential] tulis sekuensial
   *[random] tulis acak
}
workload-trim = { $order ->
    [sequential] trim sekuensial
   *[random] trim acak
}
workload-trim-write = { $order ->
    [sequential] trim dan tulis sekuensial
   *[random] trim dan tulis acak
}
workload-mix = { $order ->
    [sequential] campuran baca/tulis sekuensial { $reads }/{ $writes }
   *[random] campuran baca/tulis { $reads }/{ $writes }
}
workload-of-size = { $workload } { $block-size }
workload-beside = { $first } bersama { $second }
workload-at-depth = { $workload }, kedalaman { $depth }

## curve/wording

curve-random-read-rate = { $iops } baca acak/s
curve-random-write-rate = { $iops } tulis acak/s
curve-rate-of = { $iops } IOPS { $label }
curve-load-depth = kedalaman { $depth }
curve-load-depths = kedalaman { $depths }
curve-load-arrivals = { $rate } permintaan/s
curve-load-lowest = laju terendah
curve-headline = { $rate } dalam batas { $bound } pada { $load }
curve-headline-with-interval = { $rate } dalam batas { $bound } pada { $load } (±{ $half })
curve-headline-unproven = { $rate } pada { $load } (operasi terlalu sedikit untuk menilai { $bound })
curve-headline-of-cap = { $headline }, batas dari penyedia
curve-headline-of-group = { $headline }: batas dari control group
curve-headline-of-client = Setidaknya { $headline }: host ini yang menjadi batas
curve-level-changed = { $before } untuk { $until } pertama atau lebih, lalu { $after }
curve-ramp-down = Penurunan bertahap: mula-mula { $before }, terus turun, akhirnya { $after }
curve-ramp-up = Kenaikan bertahap: mula-mula { $before }, terus naik, akhirnya { $after }
curve-unreachable = { $bound } tidak dapat dicapai: saat nyaris tanpa beban, { $statistic } sudah { $value } ({ $load })
curve-unreachable-unknown = { $bound } tidak terpenuhi bahkan pada { $load }
curve-unreachable-headline = { CAP($label) }: { $unreachable }
curve-unreachable-because = { CAP($label) }: { $unreachable }; { $because }
curve-unsure = Belum pasti: sekitar { $rate } pada { $load }
curve-unsure-because = Belum pasti: sekitar { $rate } pada { $load }; { $because }
curve-limit-unreachable = { CAP($label) }: { $unreachable }. Di sana disk memberi { $iops } IOPS.
curve-limit-unproven = { CAP($label) }: { $iops } IOPS pada { $load }. Operasi yang selesai terlalu sedikit untuk menilai apakah { $bound } terpenuhi.
curve-bound-and-value = { $bound } ({ $statistic } = { $value })
curve-limit-figure = { $cause ->
    [arrivals-saturation] { CAP($label) }: pada { $load }, permintaan dijawab dalam batas { $bound }, bahkan ketika permintaan-permintaan sebelumnya terlambat. Perangkat tidak sanggup lebih dari itu.
    [arrivals] { CAP($label) }: pada { $load }, permintaan dijawab dalam batas { $bound }, bahkan ketika permintaan-permintaan sebelumnya terlambat.
    [unsure] { CAP($label) }: sekitar { $iops } IOPS dalam batas { $bound } pada { $load }. Angka ini tidak pasti.
    [saturation] { CAP($label) }: { $iops } IOPS dalam batas { $bound } pada { $load }. Antrean yang lebih dalam menambah latensi, bukan operasi.
    [bound] { CAP($label) }: { $iops } IOPS dalam batas { $bound } pada { $load }. Antrean yang lebih dalam memberi lebih banyak, tetapi melanggar batas latensi.
    [depth-tried] { CAP($label) }: { $iops } IOPS dalam batas { $bound } pada { $load }, antrean terdalam yang dicoba. Antrean yang lebih dalam mungkin memberi lebih banyak.
    [provider-cap] { CAP($label) }: { $iops } IOPS dalam batas { $bound } mulai { $load }. Ini batas yang dikonfigurasi, bukan batas perangkat.
    [control-group] { CAP($label) }: { $iops } IOPS dalam batas { $bound } pada { $load }. Batas ini dari control group host ini, bukan dari perangkat.
    [client] { CAP($label) }: setidaknya { $iops } IOPS dalam batas { $bound } pada { $load }. Yang menjadi batas adalah prosesor host ini, bukan perangkat.
   *[other] { CAP($label) }: { $iops } IOPS dalam batas { $bound } pada { $load }.
}
curve-limit-evidence = Bukti untuk batas { $label }: { $because }.
curve-limit-doubt = Batas { $label } tidak pasti: { $because }.
curve-parts = Di antaranya, { $parts }.
curve-part-figures = { $label }: { $figures }
curve-statistic-value = { $statistic } { $value }
curve-queues-apart = Kedua job tidak saling menunggu, seperti dua program: penulisan yang lambat tidak menempati antrean baca. Dalam campuran (randrw) keduanya berbagi satu antrean, dan penulisan yang lambat menempati slot yang bisa dipakai pembacaan.
curve-queue-shared = Baca dan tulis berbagi satu antrean: operasi yang lambat menempati slot yang bisa dipakai operasi lain. Dua job (--rw randread+randwrite) masing-masing memiliki kedalaman sendiri.
curve-thrashing = { CAP($label) }: thrashing. Kedalaman { $best } memberi { $most } IOPS, kedalaman { $then } hanya { $iops }. Pertahankan antrean pada kedalaman { $best }.
curve-knee = { CAP($label) }: titik siku (knee) ada di sekitar kedalaman { $depth } (laju tertinggi { $most } IOPS x latensi tanpa beban { $idle }). Antrean yang lebih dalam terutama menambah waktu tunggu.
curve-bend = { CAP($label) }: kurva hasil pengukuran paling menekuk pada kedalaman { $depth }.
curve-unsteady = { CAP($label) }: latensi tidak naik secara teratur bersama beban. Perangkat tidak stabil, dan pencariannya tidak dapat diandalkan: ulangi saat tidak ada yang lain memakai perangkat.

## evidence/group_limit

group-limit-of = { $device } di { $cgroup }: paling banyak { $most }
group-limit-unknown = { $device } di { $cgroup }: dibatasi, angkanya tidak diketahui
group-limit-allows = control group { $cgroup } membatasi { $device } paling banyak { $most }
group-limit-limits = control group { $cgroup } membatasi { $device }, angkanya tidak diketahui
group-limit-reads = { $rate } baca/s
group-limit-writes = { $rate } tulis/s
group-limit-bytes-read = baca { $rate }
group-limit-bytes-written = tulis { $rate }
group-limit-reached = { $share } dari batas: { $used }

## fleet/findings

fleet-no-findings = tidak ada temuan untuk host ini: rekamannya tidak ada
fleet-unknown-ok = tidak ada informasi tentang { $hosts }: tidak ada rekaman sendiri; yang lain: ok
fleet-unknown-blind = tidak ada informasi tentang { $hosts }: tidak ada rekaman sendiri; yang lain tidak dapat memeriksa
fleet-one-host = { $host }: { $finding }
fleet-one-of-hosts = { $host }, dari { $hosts } host: { $finding }
fleet-all-hosts = semua { $hosts } host, misalnya { $host }: { $finding }
fleet-some-hosts = { $count } dari { $hosts } host ({ $names }), misalnya { $host }: { $finding }
fleet-host-fact = { $host }: { $fact }
fleet-hosts = host
fleet-served-only-run = perangkatnya melayani permintaan host dalam pengujian ini saja, tidak ada yang lain

## fleet/wording

fleet-names = { $names }
fleet-names-and-more = { $names } dan { $more } lainnya
fleet-missed = { $host } tidak ada di { $missed } dari { $cells } sel
fleet-ended-early = { $host } berhenti sebelum selesai: { $reason }
fleet-others = Proses lain: { $requests } permintaannya dipantau pada { $hosts } host untuk { $bound }.
fleet-others-unseen = Proses lain: { $requests } permintaannya dipantau pada { $hosts } host untuk { $bound }. Tidak ada yang terlihat pada { $unseen }: batas itu tidak teruji di sana.
fleet-late = Koordinator terlambat: kiriman host dibaca sampai { $late } lebih lambat daripada seharusnya. Tidak ada host yang dianggap terputus karena itu; sel mungkin dimulai lebih lambat daripada rencana.
fleet-relays-lost = { $lost } dari { $relays } penerus terputus ({ $names }). Koordinator mendengarkan host mereka sendiri; tidak ada angka yang melewati penerus.
fleet-no-record = rekaman milik { $hosts } belum diterima: fleet collect { $run }
fleet-lost = { $host } terputus: { $reason }
fleet-lost-at = { $host } terputus { $at } setelah pengujian dimulai: { $reason }
fleet-lost-in = { $host } terputus di { $cell }: { $reason }
fleet-lost-at-in = { $host } terputus { $at } setelah pengujian dimulai, di { $cell }: { $reason }
fleet-in-no-total = tidak termasuk dalam total mana pun
fleet-totals-without = { $missed } dari { $totals } total dihitung tanpa host ini
fleet-lost-host = { $clauses }
fleet-headline-sum = { $hosts ->
    [1] { $headline }; { $hosts } host dengan target sendiri
   *[other] { $headline }; { $hosts } host, masing-masing dengan target sendiri, dijumlahkan
}
fleet-headline-at-once = { $hosts ->
    [1] { $headline }; { $hosts } host
   *[other] { $headline }; { $hosts } host serentak
}
fleet-headline-degraded = { $headline }. Tidak lengkap: { $why }
fleet-degraded = tidak lengkap: { $why }
fleet-not-seen = { $checks }: { $why }
fleet-shares = { $hosts } host pada { $cell } bersama-sama menghasilkan { $iops } IOPS: masing-masing { $least } ({ $slowest }) sampai { $most } ({ $fastest }).
fleet-slowest = Host paling lambat adalah { $host }: satu operasi { $cell } di sana memerlukan { $mean }, { $ratio } kali { $median } pada host median.
fleet-even = Tidak ada host yang jauh lebih lambat daripada yang lain: satu operasi { $cell } memerlukan { $mean } pada host paling lambat ({ $host }), { $median } pada host median.
fleet-starts = Semua host mulai dalam selisih { $skew } (kasus terburuk, { $cell }), dengan galat jam ±{ $error }.
fleet-window = Pada { $cell } tidak semua host berjalan sepanjang waktu: yang pertama selesai setelah { $first }, yang terakhir setelah { $last }. Lajunya dihitung dari { $together } ketika semuanya berjalan, { $share } dari waktu.
fleet-no-window = pada { $cell } semua host hampir tidak pernah berjalan bersamaan: lajunya dihitung dari seluruh { $last }, dan lebih rendah daripada yang dicapai semua host bersama-sama
fleet-headline-slow = { $headline }. { CAP($slow) }
fleet-sentence = { CAP($clause) }.

## fleet/waves

wave-ended = gelombang { $wave } dari { $waves }: { $reason }
waves-not-begun = { $waves } gelombang dengan { $hosts } host tidak dimulai
wave-finding = gelombang { $wave } dari { $waves }: { $finding }
waves-finding = { $count } dari { $waves } gelombang, misalnya gelombang { $wave }: { $finding }
waves-headline = { $hosts } host dalam { $waves } gelombang, masing-masing paling banyak { $most }: tidak ada total, karena tidak semua host mengukur pada waktu yang sama
waves-each = { $hosts } host, masing-masing sendiri ({ $load }, kedalaman { $depth }): { $least } ({ $slowest }) sampai { $most } ({ $fastest }) IOPS, median { $median }.
waves-starts = Host pada gelombang { $wave } mulai dalam selisih { $skew } (kasus terburuk, { $cell }): { $min } sampai { $max }, menurut galat jamnya.

## fleet/outliers

outliers-none = tidak ada host yang lambat di antara host sejenis: { $hosts } host dibandingkan
outliers-found = { $slow } dari { $hosts } host lambat
outliers-with-trait = { $slow } dari { $hosts } host lambat: { $count } di antaranya memiliki { $what }
outliers-trait = { $kind ->
    [model] model { $value }
    [firmware] firmware { $value }
    [kernel] kernel { $value }
   *[label] label { $value }
}
outliers-evidence = { $what }: { $slow } dari { $hosts } host dengan ciri ini lambat, { $others } dari { $without } tanpa ciri ini ({ $p })
outliers-host = { $host }: { $figure }
outliers-figure = { $load }: { $value }, { $times } kali selambat median { $median }
outliers-not-compared = tidak dibandingkan karena host sejenis kurang dari empat atau tidak ada angkanya: { $hosts }
outliers-sample = sampel acak { $hosts } dari { $all } host: jika { $found } host atau lebih dari semuanya lambat, sampel ini memuat sedikitnya satu dengan kepastian 95 %; untuk menemukan { $share } diperlukan { $needed } host
outliers-peers = { $hosts } host dengan { $model }, sebaran { $spread }
outliers-peers-unknown = { $hosts } host, sebaran { $spread }
outliers-p99 = p99 { $value }

## interference

interference-latency = { CAP($label) }: { $statistic } { $alone } tanpa penulisan, { $beside } ({ $times } kali) bersama { $writes } tulis/s
interference-writes-alone = Tanpa pembacaan, target menyelesaikan { $writes } tulis acak per detik (kedalaman 32); porsi penulisan dihitung terhadap angka ini.
interference-reads = { CAP($label) }: { $alone } baca per detik tanpa penulisan, { $beside } bersama { $writes } tulis per detik.
interference-writes-behind = Mulai { $share } dari penulisan maksimum, target menyelesaikan lebih sedikit daripada yang datang: { $writes } per detik. Target atau host ini sudah jenuh, dan pembacaan ikut menunggu bersama penulisan.
interference-reads-drifted = Tanpa penulisan, pembacaan rata-rata memerlukan { $before } sebelum fase tulis dan { $after } sesudahnya. Keadaan target berubah, sehingga perbandingannya kasar.

## ladder

ladder-rung = { $kind ->
    [sold] { $example } ({ $iops } IOPS, dijual)
    [computed] { $example } ({ $iops } IOPS, dihitung)
   *[measured] { $example } ({ $iops } IOPS, terukur)
}
ladder-between = Di antara perangkat pada umumnya, { $iops } baca acak/s berada di antara { $above } dan { $below }.
ladder-below = Di antara perangkat pada umumnya, { $iops } baca acak/s berada di bawah { $below }.
ladder-above = Di antara perangkat pada umumnya, { $iops } baca acak/s berada di atas { $above }.

## pauses

## preset

preset-at-least = setidaknya { $limit }
preset-below = di bawah { $limit }
preset-not-measured = tidak diukur
preset-too-few-operations = operasi terlalu sedikit untuk persentil ini
preset-interval-meets = seluruh selang memenuhi ambang
preset-interval-misses = seluruh selang tidak memenuhi ambang
preset-interval-meets-in-part = hanya sebagian selang memenuhi ambang
preset-clearly-meets = angkanya jelas memenuhi ambang
preset-clearly-misses = angkanya jelas tidak memenuhi ambang
preset-near-threshold = angkanya dekat dengan ambang dan tidak memiliki selang
preset-pass = { $missed-advice ->
    [0] { $preset }: LULUS, { $met } dari { $all } ambang terpenuhi
   *[other] { $preset }: LULUS, { $met } dari { $all } ambang terpenuhi; { $missed-advice } rekomendasi tidak terpenuhi
}
preset-undecided = { $missed-advice ->
    [0] { $preset }: belum dapat dipastikan untuk { $open } dari { $all } ambang; terpenuhi: { $met }
   *[other] { $preset }: belum dapat dipastikan untuk { $open } dari { $all } ambang; terpenuhi: { $met }; { $missed-advice } rekomendasi tidak terpenuhi
}
preset-fail = { $missed-advice ->
    [0] { $preset }: GAGAL, { $missed } dari { $all } ambang tidak terpenuhi
   *[other] { $preset }: GAGAL, { $missed } dari { $all } ambang tidak terpenuhi, juga { $missed-advice } rekomendasi
}
preset-main-figures = { $preset }: { $figures }
preset-no-figure = { $preset }: tidak ada langkah yang menghasilkan angka
preset-files-created = { $rate } file dibuat per detik
preset-surface-rate = baca rata-rata { $mean } di seluruh permukaan
preset-best-reads = baca { $value } ({ $step })
preset-best-writes = tulis { $value } ({ $step })
presets-title = Preset
head-at-most = paling lama
head-test-file = file
preset-only-reads = { $title } (hanya membaca)
preset-group-servers = Server dan volume
preset-group-applications = Aplikasi
preset-group-cards = Kartu memori
preset-group-crystaldiskmark = CrystalDiskMark
preset-group-tools = Alat lain
preset-group-small-files = File kecil
preset-group-own = Milik Anda
preset-broken = RUSAK: { $error }
presets-note = Waktu yang tertera hanya waktu pengukuran; menyiapkan file perlu waktu tambahan. truedisk preset NAME PATH menjalankan satu, --show NAME menampilkannya; ./FILE.toml adalah preset Anda sendiri.
preset-title-a1 = kartu memori: apakah memenuhi janji kelas A1?
preset-title-a2 = kartu memori: apakah memenuhi janji kelas A2?
preset-title-backup = backup dan pemulihan: baca dan tulis sekuensial panjang
preset-title-cloud = volume cloud: campuran, baca, tulis pada kedalaman 64, lalu latensi
preset-title-crystaldiskmark = yang ditampilkan CrystalDiskMark: 1 MiB sekuensial, 4 KiB acak
preset-title-crystaldiskmark-mix = CrystalDiskMark dengan campuran 70 % baca
preset-title-crystaldiskmark-nvme = CrystalDiskMark untuk NVMe: antrean dalam, 16 thread
preset-title-crystaldiskmark-nvme-peak = puncak CrystalDiskMark dengan setelan NVMe: 16 thread
preset-title-crystaldiskmark-flash = CrystalDiskMark untuk kartu memori dan flash disk USB: ulangan singkat, jeda panjang
preset-title-crystaldiskmark-peak = puncak CrystalDiskMark: dua uji terdalam
preset-title-crystaldiskmark-real = dunia nyata menurut CrystalDiskMark: satu permintaan setiap kali
preset-title-crystaldiskmark-demo = demo CrystalDiskMark: satu uji
preset-title-crystaldiskmark-9 = yang ditampilkan CrystalDiskMark 9: hal yang sama dalam tiga ulangan
preset-title-crystaldiskmark-7 = uji CrystalDiskMark 7
preset-title-crystaldiskmark-6 = uji CrystalDiskMark 6
preset-title-crystaldiskmark-5 = uji CrystalDiskMark 5
preset-title-dd = enam uji yang biasa dijalankan orang dengan dd
preset-title-etcd = etcd: cukup cepat untuk log dan database-nya?
preset-title-file-server = server file: 80 % baca, 4 sampai 64 KiB acak
preset-title-gnome-disks = yang ditampilkan benchmark GNOME Disks: transfer 10 MiB dan waktu akses
preset-title-hdparm = yang ditampilkan hdparm -T, -t, dan --direct: memori, read-ahead page cache, dan disk
preset-title-hdtune = yang ditampilkan HD Tune: kurva permukaan disk dan akses acak menurut ukuran
preset-title-kafka = Kafka: penambahan ke log sementara consumer mengejar ketinggalan
preset-title-metadata = file kecil: buat, stat, buka, tampilkan daftar, ganti nama, hapus
preset-title-mysql = MySQL: log InnoDB, halaman 16 KiB, dan flush-nya
preset-title-oltp = OLTP: halaman 8 KiB, 70/30, bersama penulisan log
preset-title-postgresql = PostgreSQL: commit, dan halaman 8 KiB acak
preset-title-prometheus = Prometheus, atau pohon LSM lain: kompaksi bersama kueri
preset-title-redis-aof = Redis: file append-only, disinkronkan tiap detik dan pada setiap penulisan
preset-title-snia = kondisi stabil: IOPS, throughput, latensi, kejenuhan tulis
preset-title-sqlite = SQLite: transaksi per detik
preset-title-vdi = desktop virtual: sebagian besar tulis acak kecil
preset-title-vm-boot = boot mesin virtual: baca acak berbagai ukuran
preset-title-vps = server baru: bandwidth, operasi acak, latensi
preset-title-web-server = server web: baca acak file kecil, penambahan ke log
preset-title-winsat = yang ditampilkan winsat disk: laju acak dan sekuensial, serta baca yang menunggu tulis
preset-title-yabs = bagian disk dari yabs: baca dan tulis acak campuran dalam empat ukuran
preset-without-writes = tidak boleh menulis: { $steps } dilewati
preset-shorter-times = semua waktu adalah { $share } dari preset, agar selesai dalam { $budget }
preset-other-size = file uji berukuran { $size }, bukan { $wanted }
preset-no-whole-sector = '{ $step }' dilewati: { $size } bukan kelipatan ukuran sektor, { $sector }
preset-no-fresh-file = '{ $step }' menimpa blok yang sudah ditulis: tidak ada ruang untuk blok baru
preset-step-again = '{ $step }' diukur ulang: pertama kali tidak ada yang selesai dalam waktunya
preset-no-direct-io = target ini tidak mendukung direct I/O: baca dan tulis dilakukan melalui page cache
preset-too-small-for-surface = target terlalu kecil untuk { $places } lokasi di permukaan
preset-step-a1-sequential = tulis sekuensial 512k
preset-step-a1-read = baca acak 4k, kedalaman 1
preset-step-a1-write = tulis acak 4k, kedalaman 1
preset-step-a2-sequential = tulis sekuensial 512k
preset-step-a2-read = baca acak 4k, kedalaman 32
preset-step-a2-write = tulis acak 4k, kedalaman 32
preset-step-backup-read-large = file besar: baca sekuensial 1m, kedalaman 4
preset-step-backup-read-small = file kecil: baca acak 64k, kedalaman 4
preset-step-backup-restore = tulis 1m, disinkronkan tiap 256 MiB
preset-step-backup-verify = baca bersamaan dengan tulis
preset-step-cloud-randrw = campuran acak 75/25 4k, kedalaman 64
preset-step-cloud-randread = baca acak 4k, kedalaman 64
preset-step-cloud-randwrite = tulis acak 4k, kedalaman 64
preset-step-cloud-latency = baca acak 4k, tiap 100 ms
preset-note-cloud-latency = seperti ioping: waktu satu permintaan saat volume tidak mengerjakan hal lain
preset-note-dd-write-8k-direct = mengukur latensi tulis 8 KiB, satu per satu, sampai cache disk; bukan kemampuan disk dengan lebih banyak permintaan, dan bukan apakah data aman
preset-note-dd-read-8k-direct = mengukur latensi baca blok 8 KiB yang bersebelahan, yang dibaca lebih awal oleh disk dan host; bukan baca acak
preset-note-dd-write-1m-direct = mengukur tulis 1 MiB, satu per satu, sampai cache disk; bukan apakah data aman, dan bukan lajunya setelah cache penuh
preset-note-dd-read-1m-direct = mengukur baca 1 MiB, satu per satu; disk yang cepat menganggur di antaranya
preset-note-dd-write-1m-fdatasync = mengukur tulis ke memori lalu semuanya ke disk dengan flush: waktu menyalin sebanyak ini sampai aman; tidak menunjukkan lama satu tulis besar di antara beban lain
preset-note-dd-read-1m-buffered = mengukur salinan dari memori jika file baru dibaca atau ditulis, jika tidak, read-ahead page cache; di sini file dikeluarkan dulu dari memori
preset-step-etcd-wal = log: tulis 2300 B + fdatasync
preset-note-etcd-wal = dalam file baru yang bloknya sudah dialokasikan, seperti log etcd
preset-step-etcd-backend = database: 32 halaman + fdatasync
preset-note-etcd-backend = separuh commit: bbolt menulis halaman yang berubah, menyinkronkan, menulis halaman meta, lalu menyinkronkan lagi, tiap 100 ms atau 10 000 perubahan
preset-step-etcd-heavy = log 8000 B + fdatasync
preset-note-etcd-heavy = IOPS sekuensial menurut panduan OpenShift: perlu 50, atau 500 jika beban berat
preset-step-file-server-light = ringan: kedalaman 8
preset-step-file-server-moderate = sedang: kedalaman 64
preset-note-hdparm-cached = 2 MiB yang sama berulang kali: salinan dalam memori; tidak menunjukkan apa-apa tentang disk
preset-note-hdparm-buffered = lewat page cache yang dikosongkan, dengan read-ahead: yang didapat program yang membaca file dari awal
preset-note-hdparm-direct-cached = 2 MiB yang sama tanpa page cache: cache disk sendiri atau cache host
preset-note-hdparm-direct = 2 MiB setiap kali, satu per satu: kurang dari kemampuan disk dengan lebih banyak permintaan
preset-note-hdtune-access = di seluruh target, seperti semua baca acak di bawah
preset-note-hdtune-burst = 64 KiB yang sama berulang kali: cache disk dan jalur ke sana
preset-note-hdtune-random-mixed = setiap kelipatan 4 KB sampai 1 MB, sama seringnya
preset-step-kafka-produce = tulis 1m, setiap tulis kedelapan di lokasi lain
preset-step-kafka-catch-up = satu log ditulis, log lama dibaca
preset-step-kafka-append = append 64k, disinkronkan tiap 16 MiB
preset-note-kafka-append = lewat page cache, dengan disk dipaksa mengimbangi: laju yang dapat dipertahankan broker
preset-step-metadata-small-files = file kecil
preset-step-mysql-redo = commit: tulis 4k log + fsync
preset-step-mysql-page = baca acak 16k, kedalaman 1
preset-step-mysql-pages = baca acak 16k, kedalaman 32
preset-step-mysql-flush = tulis acak 16k, kedalaman 8
preset-note-mysql-flush = page cleaner; buffer doublewrite menulis setiap halaman sekali lagi, secara sekuensial
preset-step-oltp-load = halaman 70/30, kedalaman 16, dengan log
preset-step-oltp-scan = pemindaian: baca sekuensial 512k, kedalaman 4
preset-step-postgresql-wal = commit: tulis 8k + fdatasync
preset-note-postgresql-wal = satu klien yang commit sesering mungkin; beberapa klien berbagi satu flush, jadi ini batas bawah
preset-step-postgresql-page = pencarian indeks: baca acak 8k, kedalaman 1
preset-note-postgresql-page = kueri yang menunggu setiap halaman
preset-step-postgresql-pages = banyak klien: baca acak 8k, kedalaman 32
preset-step-postgresql-busy = halaman 70/30, kedalaman 16, dengan commit
preset-note-postgresql-busy = biaya commit saat halaman dibaca dan ditulis kembali
preset-step-prometheus-queries = baca acak 4k, kedalaman 4
preset-step-prometheus-compaction = sama, bersama kompaksi
preset-note-prometheus-compaction = pengaruh penggabungan pada kueri: bandingkan dengan baris di atas
preset-step-prometheus-wal = log: tulis 32k lewat page cache
preset-note-prometheus-wal = sampel dari tiap scrape; disinkronkan saat segmen 128 MiB penuh
preset-step-redis-aof-everysec = 4k, 1 000/s, fdatasync tiap detik
preset-step-redis-aof-always = 512 B + fdatasync
preset-note-redis-aof-always = Redis menunggu masing-masing: ini perintah per detik terbanyak dari satu klien
preset-step-snia-precondition = tulis 128k, dua kali kapasitas
preset-step-snia-saturation = kejenuhan: tulis acak 4k, kedalaman 32
preset-note-snia-saturation = putaran 20 s; lajunya dari waktu ke waktu ada dalam rekaman
preset-step-snia-iops-100-0-128k = IOPS: campuran acak 100/0 128k, kedalaman 32
preset-step-snia-iops-100-0-64k = IOPS: campuran acak 100/0 64k, kedalaman 32
preset-step-snia-iops-100-0-8k = IOPS: campuran acak 100/0 8k, kedalaman 32
preset-step-snia-iops-100-0-4k = IOPS: campuran acak 100/0 4k, kedalaman 32
preset-step-snia-iops-65-35-128k = IOPS: campuran acak 65/35 128k, kedalaman 32
preset-step-snia-iops-65-35-64k = IOPS: campuran acak 65/35 64k, kedalaman 32
preset-step-snia-iops-65-35-8k = IOPS: campuran acak 65/35 8k, kedalaman 32
preset-step-snia-iops-65-35-4k = IOPS: campuran acak 65/35 4k, kedalaman 32
preset-step-snia-iops-0-100-128k = IOPS: campuran acak 0/100 128k, kedalaman 32
preset-step-snia-iops-0-100-64k = IOPS: campuran acak 0/100 64k, kedalaman 32
preset-step-snia-iops-0-100-8k = IOPS: campuran acak 0/100 8k, kedalaman 32
preset-step-snia-iops-0-100-4k = IOPS: campuran acak 0/100 4k, kedalaman 32
preset-step-snia-throughput-read-128k = throughput: baca sekuensial 128k
preset-step-snia-throughput-write-128k = throughput: tulis sekuensial 128k
preset-step-snia-throughput-read-1m = throughput: baca sekuensial 1m
preset-step-snia-throughput-write-1m = throughput: tulis sekuensial 1m
preset-step-snia-latency-100-0-8k = latensi: campuran acak 100/0 8k, kedalaman 1
preset-step-snia-latency-65-35-8k = latensi: campuran acak 65/35 8k, kedalaman 1
preset-step-snia-latency-0-100-8k = latensi: campuran acak 0/100 8k, kedalaman 1
preset-step-snia-latency-100-0-4k = latensi: campuran acak 100/0 4k, kedalaman 1
preset-step-snia-latency-65-35-4k = latensi: campuran acak 65/35 4k, kedalaman 1
preset-step-snia-latency-0-100-4k = latensi: campuran acak 0/100 4k, kedalaman 1
preset-step-sqlite-rollback = satu halaman + fsync: seperempat commit
preset-note-sqlite-rollback = flush untuk halaman journal, folder journal, header journal, dan database: dalam mode DELETE empat kali per transaksi
preset-step-sqlite-wal = append satu halaman + fsync
preset-step-sqlite-read = baca acak 4k, kedalaman 1
preset-note-sqlite-read = halaman yang tidak ada di cache mana pun: yang ditunggu kueri pertama setelah start
preset-step-vdi-most = campuran acak 10/90 4k, kedalaman 32
preset-step-vdi-work = 250 operasi per detik menurut waktu kedatangannya
preset-note-vdi-work = 25 desktop, masing-masing 10 IOPS, open loop: waktu tunggu ikut dihitung
preset-step-vm-boot-one = satu mesin virtual, kedalaman 4
preset-step-vm-boot-ten = sepuluh mesin virtual, kedalaman 40
preset-note-vm-boot-ten = banyak mesin boot bersamaan
preset-step-vps-bandwidth-read = baca sekuensial 1m, kedalaman 16
preset-step-vps-bandwidth-write = tulis sekuensial 1m, kedalaman 16
preset-step-vps-random-read = baca acak 4k, kedalaman 64
preset-step-vps-random-write = tulis acak 4k, kedalaman 64
preset-step-vps-latency-read = baca acak 4k, kedalaman 1
preset-note-vps-latency-read = yang didapat program yang menunggu setiap permintaan
preset-step-vps-latency-write = tulis acak 4k, kedalaman 1
preset-step-vps-commit = tulis 4k + fdatasync
preset-note-vps-commit = yang didapat database yang membuat setiap perubahan permanen
preset-step-web-server-serve = sepuluh baca file per tulis, kedalaman 100
preset-note-winsat-flush-seq = baca acak 16 KiB, satu per satu, sementara 64 KiB ditulis sekuensial dan di-flush setelah tiap 16 penulisan
preset-note-winsat-flush-ran = sama, sementara 16 KiB ditulis di lokasi acak
preset-step-yabs-mixed-4k = campuran acak 4k
preset-step-yabs-mixed-64k = campuran acak 64k
preset-step-yabs-mixed-512k = campuran acak 512k
preset-step-yabs-mixed-1m = campuran acak 1m
preset-plan-note-a1-1 = angka yang disyaratkan berasal dari SD Association; ukuran 256 MiB dan kedalaman 1 adalah tafsiran kami atas spesifikasinya, yang hanya dapat dilihat anggota
preset-plan-note-a2-1 = angka yang disyaratkan berasal dari SD Association; ukuran 256 MiB dan kedalaman 32 adalah tafsiran kami atas spesifikasinya, yang hanya dapat dilihat anggota
preset-plan-note-a2-2 = kartu kelas ini mencapai angka tersebut hanya di pembaca kartu yang memakai antrean perintah dan cache kartu
preset-plan-note-cloud-1 = resep aslinya mengakhiri tiap fio setelah seluruh file dilalui satu kali; di sini tiap fio berjalan selama waktu tetap, agar volume lambat dan cepat diukur dengan cara yang sama
preset-plan-note-crystaldiskmark-1 = CrystalDiskMark menampilkan ulangan tercepat dan latensi rata-rata terpendek dari ulangan mana pun, yang mungkin bukan ulangan yang sama; di sini keduanya menjadi skor, di samping median semua ulangan dan selangnya
preset-plan-note-crystaldiskmark-2 = MB/s adalah byte per detik dibagi 1 000 000, seperti di CrystalDiskMark; KDiskMark 3.3 membagi KiB/s dengan 1000 dan menampilkan 2,4 % lebih kecil
preset-plan-note-crystaldiskmark-3 = CrystalDiskMark mengisi filenya dengan satu MiB acak yang diulang-ulang; di sini setiap sektor berbeda, sehingga tidak ada lapisan di bawahnya yang dapat mengompresi atau mendeduplikasi data
preset-plan-note-crystaldiskmark-flash-1 = waktu pada setelan Flash Memory, yaitu 1 s pengukuran dan 30 s di antara dua pengujian, adalah tafsiran kami atas versi 9; kode sumber versi 8 yang kami miliki tidak memuat setelan ini maupun waktu sesingkat itu
preset-plan-note-crystaldiskmark-flash-2 = ulangan sebelum tiap pengujian, yang tidak dihitung, sama lamanya dengan yang lain, seperti pada kode sumber terbaru yang kami miliki; rilis awal versi 8 selalu memakai 5 s untuknya
preset-plan-note-crystaldiskmark-9-1 = tiga ulangan, sedangkan versi 5 sampai 8 memakai lima, adalah tafsiran kami atas kode sumber versi 9
preset-plan-note-dd-1 = dd tanpa conv=notrunc mengosongkan filenya dulu, sehingga ikut mengukur cara filesystem mengalokasikan blok baru
preset-plan-note-dd-2 = dd menulis nol, begitu juga preset ini: disk atau host yang mengompresi atau mendeduplikasi data tampak lebih cepat daripada sebenarnya
preset-plan-note-etcd-1 = etcd menilai persentil ke-99 dari wal_fsync_duration_seconds, yaitu waktu fdatasync saja
preset-plan-note-etcd-2 = OpenShift menerima hingga 20 ms; preset ini memakai batas etcd sendiri
preset-plan-note-etcd-3 = batas etcd untuk satu commit backend adalah 25 ms. Satu commit punya dua fdatasync, satu setelah halaman-halamannya dan satu setelah halaman meta, dan masing-masing harus memenuhi setengah batas itu. Karena itu commit dengan satu fdatasync cepat dan satu lambat bisa memenuhi batas etcd walau preset ini menyatakan tidak; dan bila preset ini menyatakan ya, 2 dari 100 commit, bukan 1, bisa melampaui batas
preset-plan-note-etcd-4 = OpenShift menyarankan 500 IOPS sekuensial untuk klaster berbeban berat; disk dengan 50 sampai 500 lulus dan cukup untuk klaster lain
preset-plan-note-file-server-1 = seperlima operasi pada pola aslinya lebih kecil dari 4 KiB; di sini menjadi 4 KiB, karena disk bersektor 4 KiB tidak dapat melakukan yang lebih kecil
preset-plan-note-gnome-disks-1 = sebelum tiap transfer, GNOME Disks membaca satu halaman di lokasi itu tanpa menghitung waktunya, sehingga lajunya tidak mencakup seek. Di sini semua laju mencakupnya: HDD 200 MB/s dengan seek 12 ms menunjukkan seperlima lebih kecil daripada di GNOME Disks; pada disk lain selisihnya kecil
preset-plan-note-gnome-disks-2 = GNOME Disks membaca di 100 lokasi berjarak sama di seluruh disk; di sini 100 blok yang berbeda dipilih acak dari file atau perangkat yang diberikan
preset-plan-note-gnome-disks-3 = GNOME Disks menulis kembali yang dibaca sebelumnya; di sini byte acak yang ditulis, dan hanya di tempat yang penulisannya tidak merusak data
preset-plan-note-gnome-disks-4 = laju tulis adalah rata-rata laju tiap penulisan beserta fsync-nya; rekaman tidak menyimpan fsync mana yang mengikuti penulisan mana, sehingga rata-rata diambil atas semua kombinasi penulisan dan fsync
preset-plan-note-gnome-disks-5 = satu transfer setiap kali menunjukkan jauh lebih kecil daripada kemampuan disk yang cepat
preset-plan-note-hdparm-1 = MB pada hdparm adalah MiB; hanya awal disk yang dibaca, yaitu bagian tercepat pada HDD
preset-plan-note-hdtune-1 = HD Tune membaca disk dari awal sampai akhir; di sini 101 lokasi dibaca dengan urutan acak, agar perubahan seiring waktu tidak tampak seperti sifat suatu lokasi; baca acak di dalam tiap lokasi menunjukkan lamanya seek pendek di sana
preset-plan-note-hdtune-2 = kode sumber HD Tune tertutup; sejauh yang kami tahu, bawaannya adalah blok 64 KB satu per satu; disk cepat mampu lebih dengan blok lebih besar atau lebih banyak permintaan sekaligus
preset-plan-note-hdtune-3 = baris terakhir HD Tune memakai ukuran mulai 512 byte; di sini mulai dari 4 KB, karena disk bersektor 4 KB tidak dapat melakukan yang lebih kecil
preset-plan-note-hdtune-4 = dengan file uji, hanya bagian disk tempat file itu yang terlihat; untuk melihat seluruh disk, berikan perangkatnya: perangkat hanya dibaca
preset-plan-note-hdtune-5 = MB pada HD Tune dianggap 1 000 000 byte
preset-plan-note-kafka-1 = Kafka menyerahkan flush kepada sistem, sehingga disk menerima tulis sekuensial yang besar; tulis langsung 1 MiB menunjukkannya tanpa page cache
preset-plan-note-metadata-1 = membuat berarti open, write, dan close; membuka berarti open, read, dan close; dengan fsync, membuat menyinkronkan filenya, sedangkan mengganti nama atau menghapus menyinkronkan foldernya
preset-plan-note-metadata-2 = file dipakai sesuai urutan pembuatannya, tiap thread dengan filenya sendiri; file dingin ditanyai (stat) dan dibuka dengan urutan acak
preset-plan-note-mysql-1 = innodb_io_capacity adalah jumlah IOPS yang dianggap InnoDB tersedia untuk flush: 200 sampai versi 8.0, 10000 sejak 8.4; isi dengan IOPS langkah 'flush' (tulis acak 16k)
preset-plan-note-redis-aof-1 = dengan everysec, Redis tetap berjalan selama fdatasync, dan menunda penulisan bila satu fdatasync lebih lama dari dua detik
preset-plan-note-snia-1 = bergaya PTS, bukan spesifikasi lengkap: spesifikasi menuntut seluruh perangkat yang sebelumnya dikosongkan (erase), putaran satu menit per sel, dan lebih banyak ukuran; di sini targetnya sebuah file, atau bagian perangkat yang diberikan
preset-plan-note-snia-2 = satu putaran mengukur setiap sel suatu bagian satu kali; suatu bagian berakhir bila lima putaran berturut-turut memiliki sebaran paling besar 20 % dari rata-ratanya dan pergeseran paling besar 10 %, atau setelah 25 putaran; lima putaran terakhir dilaporkan
preset-plan-note-snia-3 = kejenuhan dimulai setelah target ditulis sekuensial dua kali, bukan pada perangkat yang baru dikosongkan (erase): yang terlihat adalah jalan menuju kondisi stabil, bukan jam-jam pertama disk baru; penulisan sekuensial itu berakhir setelah 10 menit walau belum selesai
preset-plan-note-snia-4 = berikan --size sebesar yang dimungkinkan disk: kondisi stabil suatu bagian kecil hanya berlaku untuk bagian itu
preset-plan-note-sqlite-1 = dengan rollback journal, satu transaksi punya empat sinkronisasi: transaksi per detik adalah seperempat dari sinkronisasi per detik, dan ambang 120 sinkronisasi setara dengan 30 transaksi
preset-plan-note-sqlite-2 = journal_mode=TRUNCATE dan PERSIST menyinkronkan journal yang dikosongkan, bukan foldernya: juga empat kali; synchronous=EXTRA menyinkronkan folder sekali lagi setelah journal dihapus: lima kali
preset-plan-note-sqlite-3 = di sini tiap sinkronisasi mengikuti satu penulisan 4 KiB; perubahan filesystem saat journal dibuat dan dihapus menjadi tambahan
preset-plan-note-vdi-1 = bagi IOPS dengan 10 untuk jumlah pengguna biasa, dengan 20 untuk jumlah pengguna intensif
preset-plan-note-web-server-1 = server sungguhan membaca file populer dari memori; yang diukur di sini adalah baca yang sampai ke disk
preset-plan-note-web-server-2 = filebench menambahkan ke satu log; di sini penulisan menuju tempat acak, seperti pembacaan. Satu job melakukan keduanya: hanya dengan cara itu ada satu tulis per sepuluh baca pada disk secepat atau selambat apa pun
preset-plan-note-winsat-1 = kode sumber winsat tertutup, dan kedalaman uji lajunya tidak diterbitkan. Nilainya lebih dari 1: untuk sebuah disk NVMe, winsat melaporkan 132 000 baca acak dan 106 000 baca sekuensial per detik, dan 0,040 ms untuk satu baca tunggal. Preset ini memakai kedalaman 8, yang cocok dengan angka seperti itu pada disk NVMe, disk SATA, dan HDD. Laju hanya dapat dibandingkan sejauh itu
preset-plan-note-winsat-2 = cara kerja uji -flush disimpulkan dari teks dan angka winsat: waktu baca diukur satu per satu selagi job lain menulis dan melakukan flush
preset-plan-note-winsat-3 = skor Windows Experience Index tidak diberikan: rumusnya tidak pernah diterbitkan
preset-plan-note-winsat-4 = lama baca menunggu tulis adalah angka yang tidak ada pada alat lain sejenis
preset-plan-note-yabs-1 = di ARM (32 dan 64 bit) yabs memakai 512 MiB, bukan 2 GiB: di sini --size 512m melakukan hal yang sama
preset-plan-note-yabs-2 = yabs tidak mengukur latensi (gtod_reduce), baca secara terpisah, maupun akses sekuensial; disk cepat selesai dalam satu dua detik, selagi burst-nya masih berlangsung
preset-plan-note-yabs-3 = KB, MB, dan GB adalah pangkat 1000; sebelum Juli 2026 yabs menulis KiB sebagai KB dan menampilkan 2,4 % lebih kecil
preset-imitates-a1 = Application Performance Class 1 dari SD Association: operasi acak 4 KiB, 1500 baca dan 500 tulis per detik, serta 10 MB/s sekuensial
preset-imitates-a2 = Application Performance Class 2 dari SD Association: operasi acak 4 KiB, 4000 baca dan 2000 tulis per detik, serta 10 MB/s sekuensial
preset-imitates-backup = backup yang membaca file besar dan kecil, dan pemulihan yang menulis lalu menyinkronkan; ukuran blok dan kedalaman adalah pilihan kami
preset-imitates-cloud = resep yang beredar di kalangan pengguna volume cloud: fio pada file 4 GiB, blok 4 KiB, libaio, kedalaman 64, randrw 75/25, randread, randwrite; lalu ioping
preset-imitates-crystaldiskmark = CrystalDiskMark 8 dan 9, profil Default, dengan lima ulangan versi 8 (untuk tiga ulangan versi 9: crystaldiskmark-9)
preset-imitates-crystaldiskmark-mix = CrystalDiskMark 8 dan 9, profil Default [+Mix]
preset-imitates-crystaldiskmark-nvme = CrystalDiskMark 8 dan 9, profil Default dengan setelan NVMe SSD
preset-imitates-crystaldiskmark-nvme-mix = CrystalDiskMark 8 dan 9, profil Default [+Mix] dengan setelan NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak = CrystalDiskMark 8 dan 9, profil Peak Performance dengan setelan NVMe SSD
preset-imitates-crystaldiskmark-nvme-peak-mix = CrystalDiskMark 8 dan 9, profil Peak Performance [+Mix] dengan setelan NVMe SSD
preset-imitates-crystaldiskmark-flash = CrystalDiskMark 9, profil Default dengan setelan Flash Memory: 1 s pengukuran, 30 s di antara dua pengujian; dengan lima ulangan versi 8
preset-imitates-crystaldiskmark-flash-mix = CrystalDiskMark 9, profil Default [+Mix] dengan setelan Flash Memory: 1 s pengukuran, 30 s di antara dua pengujian; dengan lima ulangan versi 8
preset-imitates-crystaldiskmark-peak = CrystalDiskMark 8 dan 9, profil Peak Performance
preset-imitates-crystaldiskmark-peak-mix = CrystalDiskMark 8 dan 9, profil Peak Performance [+Mix]
preset-imitates-crystaldiskmark-real = CrystalDiskMark 8 dan 9, profil Real World Performance
preset-imitates-crystaldiskmark-real-mix = CrystalDiskMark 8 dan 9, profil Real World Performance [+Mix]
preset-imitates-crystaldiskmark-demo = CrystalDiskMark 8 dan 9, profil Demo
preset-imitates-crystaldiskmark-9 = CrystalDiskMark 9, profil Default: pengujian versi 8 dalam tiga ulangan
preset-imitates-crystaldiskmark-7 = CrystalDiskMark 7, profil Default
preset-imitates-crystaldiskmark-6 = CrystalDiskMark 6
preset-imitates-crystaldiskmark-5 = CrystalDiskMark 5
preset-imitates-dd = dd dari coreutils: satu blok setiap kali, menulis nol, pada file yang sudah ada (conv=notrunc)
preset-imitates-etcd = perintah fio dari panduan etcd (tulis 2300 byte melalui page cache, masing-masing diikuti fdatasync, dalam file baru 22 MiB); tulis dan fdatasync dari satu commit backend; dan tulis 8000 byte dari panduan OpenShift
preset-imitates-file-server = pola akses server file dari Iometer seperti pada contoh fio, dengan beban ringan (kedalaman 8) dan beban sedang (kedalaman 64)
preset-imitates-gnome-disks = GNOME Disks (gnome-disk-utility): 100 transfer 10 MiB, satu per satu, tanpa melalui page cache, tiap tulis memakai O_SYNC dan diikuti fsync; 1000 baca acak 4 KiB
preset-imitates-hdparm = hdparm 9.65, -T dan -t, masing-masing dengan dan tanpa --direct: baca 2 MiB, satu per satu, selama 2 s dan 3 s, tiap kali setelah sync dan jeda 3 s (-T: 4 s)
preset-imitates-hdtune = HD Tune Pro 5: laju transfer di seluruh disk, satu blok 64 KB setiap kali; waktu akses, laju burst, dan akses acak 512 byte sampai 1 MB, semuanya di seluruh disk
preset-imitates-kafka = broker yang page cache-nya ditulis ke disk oleh kernel dalam potongan besar, dan yang consumer tertinggalnya membaca dari disk
preset-imitates-metadata = hal yang biasa diukur dengan mdtest dan bonnie++: operasi per detik pada banyak file kecil, dalam satu folder dan dalam satu pohon folder, oleh satu thread dan oleh beberapa thread; tanpa proses MPI-nya dan tanpa format keluarannya
preset-imitates-mysql = InnoDB dengan innodb_flush_log_at_trx_commit=1 dan innodb_flush_method=O_DIRECT
preset-imitates-oltp = server database menurut ukuran yang dipakai administratornya: latensi file data dan log, pada beban yang dihasilkan banyak klien
preset-imitates-postgresql = pg_test_fsync untuk log (8 KiB + fdatasync, wal_sync_method yang lazim di Linux), dan database yang halamannya tidak ada di memori
preset-imitates-prometheus = kueri yang membaca chunk secara acak, saat berjalan sendiri dan selagi block digabungkan, yaitu dibaca dan ditulis sekuensial dalam potongan besar
preset-imitates-redis-aof = Redis dengan appendfsync everysec dan 4 MB/s perintah, dan dengan appendfsync always
preset-imitates-snia = spesifikasi uji kinerja SNIA (PTS), menurut gayanya: prosedur seperti yang dijalankan implementasi publik, dengan lebih sedikit ukuran dan putaran lebih pendek
preset-imitates-sqlite = transaksi dengan rollback journal dalam mode DELETE (journal, folder, header journal, database: empat fsync), dan transaksi dalam mode WAL (satu penambahan dan satu fsync), keduanya dengan synchronous=FULL
preset-imitates-vdi = desktop kantor yang sedang dipakai: satu baca per sembilan tulis 4 KiB, 8 sampai 10 IOPS per pengguna rata-rata; ambang di sini untuk 25 pengguna seperti itu
preset-imitates-vm-boot = permintaan mesin virtual kepada disknya saat boot: sembilan baca per satu tulis, 4 sampai 128 KiB, beberapa sekaligus; satu mesin sendiri, dan sepuluh mesin bersamaan; ukuran dan perbandingan adalah pilihan kami
preset-imitates-vps = tiga pertanyaan pembeli server virtual, yang dijawab skrip benchmark dengan dd, fio, dan ioping
preset-imitates-web-server = profil webserver dari filebench: 100 thread; sepuluh baca file kecil seutuhnya per satu penambahan ke log, masing-masing rata-rata 16 KiB
preset-imitates-winsat = winsat disk: -ran -read, -seq -read, -seq -write, -flush -seq, -flush -ran, 16 KiB acak dan 64 KiB sekuensial, tanpa melalui page cache; laju diukur dengan 8 permintaan sekaligus, yang merupakan perkiraan kami
preset-imitates-yabs = yabs: fio randrw 50/50, libaio, dua job berkedalaman 64 pada 2 GiB, masing-masing sampai memindahkan 2 GiB atau 30 s berlalu

## promise

promise-rate-label = { $order ->
    [random] { $direction ->
        [write] tulis acak
       *[read] baca acak
    }
    [sequential] { $direction ->
        [write] tulis sekuensial
       *[read] baca sekuensial
    }
   *[any] { $direction ->
        [write] tulis
       *[read] baca
    }
}
promise-burst-label = { $label } saat burst
promise-latency-label-at-rate = { $direction ->
    [write] { $statistic } tulis acak pada { $iops } IOPS
   *[read] { $statistic } baca acak pada { $iops } IOPS
}
promise-latency-label-alone = { $direction ->
    [write] { $statistic } tulis acak, satu per satu
   *[read] { $statistic } baca acak, satu per satu
}
promise-below-at-more-depth = seluruh selang di bawah nilai yang diperlukan, dan kedalaman { $more } tidak memberi lebih banyak daripada kedalaman { $less }
promise-below-with-enough-outstanding = seluruh selang di bawah nilai yang diperlukan, padahal permintaan yang berjalan { $times } kali jumlah yang dibutuhkan laju itu
promise-below-limit = seluruh selang di bawah batas
promise-above-limit = seluruh selang di atas batas
promise-rate-within-bound = { $iops } IOPS tetap dalam batas { $bound }
promise-only-within-bound = hanya { $iops } IOPS yang tetap dalam batas { $bound }
promise-not-measured = operasi seperti itu tidak diukur
promise-every-cell-invalid = semua sel yang dapat menunjukkannya ditandai TIDAK VALID
promise-cell-invalid = selnya ditandai TIDAK VALID
promise-too-few-samples = sampel terlalu sedikit untuk selang kepercayaan
promise-sample-too-small = sampel terlalu kecil untuk statistik ini dan selangnya
promise-needed-inside = nilai yang diperlukan berada di dalam selang; perlu pengujian yang lebih lama
promise-limit-inside = batasnya berada di dalam selang; perlu pengujian yang lebih lama
promise-rate-did-not-last = laju tidak bertahan: { $finding }
promise-burst-alone = pengujian hanya mencakup burst, bukan laju sesudahnya; burst penuh bertahan { $lasts } pada beban penuh
promise-burst-of-unknown-length = pengujian hanya mencakup burst, bukan laju sesudahnya; lama burst tidak disebutkan
promise-burst-not-reached = burst tidak tercapai; kreditnya mungkin sudah habis sebelum pengujian
promise-no-minimum-promised = laju di bawah batas, tetapi penyedia tidak menjanjikan minimum
promise-other-limit = laju mungkin dibatasi hal lain: { $finding }
promise-other-cause = latensi mungkin disebabkan hal lain: { $finding }
promise-too-few-outstanding = permintaan yang berjalan terlalu sedikit untuk mencapai lebih; antrean yang lebih dalam dapat memastikannya
promise-no-search = tidak ada pencarian beban untuk latensi ini
promise-load-not-reached = beban yang dijanjikan tidak tercapai pada latensi berapa pun
promise-promised-item = { $label }: dijanjikan { $promised }
promise-measured-because = terukur { $measured }: { $why }.
promise-measured-needed-because = terukur { $measured }, perlu { $needed }: { $why }.
promise-titled = Dijanjikan: { $promise }.
promise-share-needed = Yang diperlukan { $percent } % dari laju yang dijanjikan: { $because }.
promise-counting = Cara hitung: { $accounting }.
promise-full-burst = Burst penuh bertahan { $seconds } s pada beban penuh.
promise-volume-none = tidak ada
promise-volume-operations = { $count }, rata-rata { $mean }
promise-volume = { $device } menghitung sendiri (halaman log EBS): baca { $reads }, tulis { $writes }. Permintaan melebihi batas volume selama { $volume-iops } (operasi) dan { $volume-bytes } (byte), dan melebihi batas instance selama { $instance-iops } dan { $instance-bytes }.
promise-volume-read-latency = { $device } menurut histogramnya sendiri: pembacaan memakan { $median } hingga { $median-to } (p50) dan { $high } hingga { $high-to } (p99) di dalam volume; selebihnya yang terukur ada di antara volume dan host ini.
promise-volume-write-latency = { $device } menurut histogramnya sendiri: penulisan memakan { $median } hingga { $median-to } (p50) dan { $high } hingga { $high-to } (p99) di dalam volume; selebihnya yang terukur ada di antara volume dan host ini.
share-by-provider = penyedia menyatakan { $share } % selama { $of-time } % waktu
share-by-plan = paketnya menyatakan demikian
share-for-measuring = { $percent } % disisihkan untuk biaya pengukuran itu sendiri
share-asked = toleransi { $percent } % diminta
counting-each = setiap transfer dihitung satu operasi, berapa pun panjangnya
counting-units = sampai { $unit } dihitung satu operasi, yang lebih panjang dihitung beberapa
counting-units-merged = sampai { $unit } dihitung satu operasi, yang lebih panjang dihitung beberapa; yang sekuensial pendek digabung sampai ukuran itu
counting-units-whole = sampai { $unit } dihitung satu operasi, yang lebih panjang dihitung beberapa; yang acak dan lebih pendek memakai byte satu unit penuh
counting-units-merged-whole = sampai { $unit } dihitung satu operasi, yang lebih panjang dihitung beberapa; yang sekuensial pendek digabung sampai ukuran itu; yang acak dan lebih pendek memakai byte satu unit penuh

## promise/short_runs

promise-short-runs-whole-above = seluruh selang sama dengan atau di atas nilai yang diperlukan
promise-short-runs-slices-far-above = { $above } dari { $all } potongan { $length } mencapai setidaknya { $factor } kali nilai yang diperlukan
promise-short-runs-point-within-bound = { $iops } IOPS tetap dalam batas { $bound }: { $why }

## rotation

rotation-speed = { $rpm } rpm
rotation-platter-turns = Disk ini HDD { $speed }, menurut waktu { $reads } baca acak.
rotation-arm-moves = Seek rata-rata di seluruh disk memerlukan { $seek }.

## support

support-doubt = { $check }: { $summary }
support-doubt-invalid = TIDAK VALID { $check }: { $summary }
support-earlier-level = diukur sebelum laju perangkat berubah

## surface

surface-zones-fall = Sepanjang permukaannya laju turun dari { $first } di awal menjadi { $last } di akhir, seperti lazimnya zona pada HDD ({ $places } lokasi; kurva menjelaskan { $explained } dari perbedaannya). Data di bagian akhir disk dibaca lebih lambat.
surface-even = Pembacaan di bagian akhir sama cepatnya dengan di awal: { $rate } di { $places } lokasi.
surface-uneven = Pembacaan tidak sama cepat di semua bagian: { $first } di awal, { $last } di akhir ({ $places } lokasi), tanpa kurva khas zona HDD. Blok yang belum pernah ditulis mungkin dijawab lebih cepat.
surface-weak-place = { $rate } pada { $at } ({ $around } di sekitarnya)
surface-weak-places = Lebih lambat daripada sekitarnya setiap kali dibaca: { $places }. Sektor yang dipindahkan, atau yang dibaca dengan percobaan ulang, tampak seperti ini; begitu pula blok yang disimpan cache atau volume thin di tempat lain. Log disk (SMART) menunjukkan sebabnya.

## sweep

sweep-best = Tertinggi { $iops } IOPS ({ $at }) dan { $rate } ({ $rate-at })
sweep-best-of-workload = { CAP($workload) }: operasi terbanyak { $iops } per detik, pada { $at }; byte terbanyak { $rate }, pada { $rate-at }.
sweep-soft-law = pada kedalaman { $depth }, blok kecil mendekati { $iops } dan blok besar mendekati { $rate }; keduanya bertemu di sekitar { $size }
sweep-hard-law = pada kedalaman { $depth }, sekitar { $iops } sampai { $size }, dan { $rate } setelahnya
sweep-one-limit = pada kedalaman { $depth }, sekitar { $limit } di semua ukuran
sweep-no-limit = pada kedalaman { $depth }, tidak ada batas yang tercapai
sweep-fitted-law = { CAP($workload) }: { $law }. Model ini meleset dari hasil sel sebesar { $residual }.
sweep-all-precise = IOPS dari { $cells } sel semuanya diketahui dalam ±{ $asked } (95 %).
sweep-some-precise = IOPS dari { $kept } dari { $cells } sel diketahui dalam ±{ $asked } (95 %).
sweep-not-counted = { $cells } sel tidak dihitung: tidak mendukung kesimpulan apa pun (lihat peringatan).
sweep-least-precise = Selang terlebar ±{ $half }, pada { $cell }. Waktu lebih lama (--budget, --cell-max) mempersempitnya, kecuali jika perangkatnya sendiri tidak stabil.
sweep-without-precision = Sel { $cell } terlalu pendek untuk menghasilkan selang. Waktu lebih lama (--budget, --cell-max) menghasilkannya.
sweep-resumed = Pengujian terhenti setelah { $cells } pengukuran, dan dilanjutkan pada { $at }.

## trend

trend-title = { $metric } dari { $figure } di { $target }, { $runs } pengujian
trend-level-words = { $from } sampai { $to }: { $runs } pengujian di sekitar { $middle }
trend-level-with-change = { $level }, { $change }
trend-change = { $change } % terhadap tingkat sebelumnya
trend-change-between = { $change } % ({ $low } sampai { $high }) terhadap tingkat sebelumnya
trend-too-few = { $runs } pengujian terlalu sedikit untuk melihat perubahan: perlu paling sedikit { $needed }.
trend-no-change = Tidak ada perubahan: satu tingkat menjelaskan semua pengujian.
trend-better = Lebih baik sejak pengujian { $run }: { $change }.
trend-worse = REGRESI sejak pengujian { $run }: { $change }.
trend-within = Berubah sejak pengujian { $run }, tetapi tidak lebih dari yang dijelaskan selangnya: { $change }.

## verdict

verdict-not-the-disk = Angka ini bukan kemampuan disk: { $reason }
verdict-headline-invalid = Angka ini bukan kemampuan disk: { $reason }. Jangan dipakai: { $headline }
verdict-headline-beside-invalid = Angka ini bukan kemampuan disk: { $cells }. Selain itu: { $headline }
verdict-more-cells = { $count } pengukuran lagi
verdict-cannot-tell = Kemampuan disk sendiri belum dapat dipastikan: { $reason }
verdict-too-little = Pengukuran terlalu sedikit untuk sebuah kesimpulan
verdict-too-little-after-layout = Pengukuran terlalu sedikit untuk sebuah kesimpulan: pembuatan file uji memakan { $layout } dari { $budget }. Beri waktu lebih lama (--budget) atau file lebih kecil (--size)
verdict-too-little-in-time = Pengukuran dalam { $budget } terlalu sedikit untuk sebuah kesimpulan. Beri waktu lebih lama (--budget)
verdict-headline-like = { $headline }; mirip { $class }
verdict-some-numbers-invalid = Sebagian angka pengujian ini bukan kemampuan disk: { $reasons }.
verdict-finding = { $check }: { $summary }
verdict-one-read-at-a-time = Dengan permintaan satu per satu, baca acak 4 KiB memerlukan { $latency }. Program yang menunggu setiap pembacaan mendapat { $iops } pembacaan per detik, secepat apa pun disk bekerja paralel.
verdict-slow-after-pause = Setelah jeda, pembacaan yang sama memerlukan { $latency }: perangkat, host, atau prosesor tidur di antara permintaan.
verdict-durable-write = Penulisan { $size } dengan { $call } rata-rata memerlukan { $mean } sampai data permanen: satu klien melakukan { $rate } commit per detik.
verdict-first-write-slower = Penulisan pertama suatu blok lebih lambat daripada berikutnya: { $first } saat file uji dibuat, { $again } saat ditimpa.
verdict-writes-burst = Laju tulisnya adalah burst: { $because }.
verdict-writes-sustained = Laju tulisnya bertahan lama: { $because }.
verdict-writes-not-settled = Laju tulisnya belum stabil: { $because }.
verdict-written = Pengujian ini menulis { $written }: { $times } kali rentang { $span } yang diukur.
verdict-written-of-device = Pengujian ini menulis { $written }: { $times } kali rentang { $span } yang diukur, dan { $share } dari kapasitas perangkat sebesar { $device }.
verdict-bucket-of-operations = Disk berperilaku seperti memiliki simpanan kredit (token bucket) { $size } operasi. Kredit terisi { $baseline } per detik dan terpakai sampai { $burst } per detik: kredit penuh bertahan { $lasts } pada beban penuh.
verdict-bucket-of-bytes = Penulisan berjalan pada { $burst } sampai sekitar { $size } ditulis, setelah itu pada { $baseline }.
verdict-good-for-etcd = etcd: p99 fdatasync { $p99 }, { $times } kali secepat yang disyaratkan etcd ({ $needed })
verdict-good-for-commits = database dengan banyak commit kecil: { $rate } per detik dari satu klien, { $times } kali { $needed } yang diperlukan
verdict-good-for-databases = database dan indeks yang lebih besar daripada memori: { $iops } baca acak/s dalam batas { $bound }, { $times } kali { $needed } yang diperlukan
verdict-good-for-system = mesin virtual dan pemakaian interaktif: { $latency } per pembacaan, { $times } kali secepat yang diperlukan ({ $needed })
verdict-good-for-streaming = backup dan streaming: setidaknya { $rate }, { $times } kali { $needed } yang diperlukan
verdict-good-for-archives = arsip dan backup tanpa tenggat: setidaknya { $rate }, { $times } kali { $needed } yang diperlukan
verdict-too-slow-for-etcd = etcd: p99 fdatasync { $p99 }, etcd mensyaratkan { $needed }
verdict-too-slow-for-commits = database dengan banyak commit kecil: { $rate } per detik dari satu klien, diperlukan { $needed }
verdict-too-slow-for-databases = database dan indeks yang lebih besar daripada memori: { $iops } baca acak/s dalam batas { $bound }, diperlukan { $needed }
verdict-too-slow-for-system = mesin virtual dan pemakaian interaktif: { $latency } per pembacaan, diperlukan kurang dari { $needed }
verdict-too-slow-for-streaming = backup dan streaming: { $rate }, diperlukan { $needed }
verdict-bound-unreachable = { $label }: { $unreachable }
verdict-heat-not-seen = throttling karena panas: disk perlu beberapa menit beban untuk menjadi panas, lebih lama daripada pengujian ini
verdict-cache-end-not-seen = akhir cache tulis yang lebih besar daripada { $written } yang ditulis
verdict-writes-not-seen = penulisan: tidak ada yang ditulis
verdict-power-cut-not-seen = apakah data yang sudah di-flush selamat saat listrik padam

## writes

writes-rounds-agree = lima putaran terakhir: { $mean } IOPS, sebarannya { $range } dari rata-rata, perubahannya { $slope } dari awal sampai akhir
writes-rounds-disagree = lima putaran terakhir: { $mean } IOPS, sebarannya { $range } dari rata-rata (paling banyak boleh 20 %), perubahannya { $slope } dari awal sampai akhir (paling banyak boleh 10 %)
writes-rounds-within-cache = { $agreed }, tetapi cache tulis mungkin menampung semua { $written } yang ditulis: ukurannya bisa sepertiga perangkat, di sini { $cache }
writes-too-few-rounds = { $rounds } putaran tulis terlalu sedikit: lima harus cocok

## record

record-figure-of-direction = { $direction ->
    [read] baca { $figure }
    [write] tulis { $figure }
    [trim] trim { $figure }
   *[sync] sync { $figure }
}
record-kept = terpenuhi
record-not-kept = TIDAK TERPENUHI
record-cannot-tell = belum dapat dipastikan
volume-iops-exceeded = volume itu sendiri menghitung (EBS): selama { $time } dari { $length } diminta lebih banyak operasi dari volume daripada yang dibeli
volume-throughput-exceeded = volume itu sendiri menghitung (EBS): selama { $time } dari { $length } diminta lebih banyak byte dari volume daripada yang dibeli
instance-iops-exceeded = volume itu sendiri menghitung (EBS): selama { $time } dari { $length } diminta lebih banyak operasi daripada yang diizinkan instans
instance-throughput-exceeded = volume itu sendiri menghitung (EBS): selama { $time } dari { $length } diminta lebih banyak byte daripada yang diizinkan instans
health-disk = { $disk }: { $what }
health-throttled = menurut hitungannya sendiri, ia melambatkan diri karena panas selama sekitar { $seconds } s dalam pengujian ini
health-throttled-briefly = menurut hitungannya sendiri, ia melambatkan diri karena panas dalam pengujian ini, kurang dari satu detik
health-hot-minutes = hitungannya sendiri atas menit pada atau di atas suhu peringatan pembuatnya bertambah { $minutes } dalam pengujian ini
health-media-errors-of-run = ada data yang tidak dapat dipulihkan dalam pengujian ini (kesalahan media: { $count })
health-spare-low = blok cadangannya tinggal { $spare } %, di bawah batas minimum pembuatnya { $spare-min } %
health-unreliable = ia menyatakan bahwa keandalannya menurun karena kesalahan
health-read-only = ia menyatakan bahwa medianya hanya dapat dibaca
health-backup-failed = ia menyatakan bahwa pelindung memorinya terhadap mati listrik telah rusak
health-worn = { $used } % dari umur rancangannya terpakai
health-celsius = { $celsius } °C
health-spare = blok cadangan tersisa { $spare } %
health-used = umur rancangan terpakai { $used } %
health-media-errors = kesalahan media: { $count }
health-unsafe-shutdowns = mati listrik tanpa pemberitahuan: { $count }
record-writes-burst = burst
record-writes-sustained = bertahan lama
record-writes-not-settled = belum stabil
reason-interrupted = dihentikan
reason-time-up = waktu { $limit } habis
reason-still-running = pengujian masih berjalan ketika ini ditulis
reason-request-failed = ada permintaan yang gagal
reason-step-failed = { $step }: { $error }
reason-nothing-completed = { $step }: tidak ada yang selesai
reason-layout-failed = file uji tidak dapat ditulis: { $error }
reason-layout-too-small = hanya { $written } dari file uji yang sempat ditulis
reason-max-written = --max-written { $max }: { $cells }
reason-cells-cut-short = { $cells } sel dipersingkat
reason-cells-left-out = { $cells } sel dilewati
reason-coordinator-gone = koordinatornya terputus sebelum pengujian selesai
reason-host-lost = { $host } terputus: { $reason }
reason-others-slowed = { $host }: mencapai { $bound }: { $seen }
reason-agent-gone = agent-nya hilang, atau tidak menyimpan apa pun
reason-host-silent = tidak ada kabar selama { $seconds } s
reason-no-agent = tidak ada agent dengan nama ini
reason-no-answer = tidak menjawab dalam { $seconds } s
reason-not-done-in-time = belum selesai dalam { $seconds } s
reason-ended-itself = host itu mengakhiri pengujian sendiri
reason-server-gone = server NATS tidak dapat dihubungi selama { $seconds } s
reason-figures-unusable = angkanya tidak dapat dipakai: { $error }
reason-jobs-not-believed = data yang disimpannya tidak dapat dipercaya: { $error }
run-rate-and-mean = { $iops } IOPS, rata-rata { $mean }
record-hosts = { $hosts } host
record-others-over = di { $disk } { $slow } dari { $requests } permintaan lebih lama dari { $limit } dalam { $time }
record-others-mean = di { $disk } { $requests } permintaan rata-rata memakan { $mean } dalam { $time }
record-hosts-left = { $left } dari { $hosts } host

## report/terminal

path-on-hosts = { $path } pada { $hosts }
text-command-of = { $command }: { $path }
text-note = Catatan: { $note }.
text-caution = Angka tanpa peringatan boleh dipakai. Baca peringatan yang ada.
text-broken = Angka bertanda TIDAK VALID bukan kemampuan disk: jangan dipakai.
text-stream-changed = { $curve }: { $before } operasi/s hingga { $until } sejak awal pengujian, lalu { $after }. Tabel memuat laju terbaru.
curve-by-depth = { $curve } per kedalaman
curve-by-depth-ramp = { $curve } per kedalaman: tahap kenaikan beban sebelum pencarian
curve-by-rate = { $curve } per laju permintaan
point-breaks-bound = melanggar { $bound }
point-too-few-samples = sampel terlalu sedikit
text-and-more = dan { $count } lainnya
text-and-more-on-page = dan { $count } lainnya: --html menampilkan semuanya
text-explain = Penjelasan suatu temuan: truedisk explain { $finding }
text-not-seen = Tidak terlihat dalam pengujian ini
text-root-would-add = Dengan root, tersedia juga: { $parts }
class-like-for = Berperilaku seperti { $class }: { $supports }.
class-against = Yang bertentangan: { $contradicts }.
class-could-be = Bisa juga { $other }.
text-surface = Permukaan disk, lokasi demi lokasi
text-surface-key = Batang: baca sekuensial. |: kurva melalui semua lokasi. Kanan: rata-rata baca acak di lokasi itu.
surface-fast = lebih cepat dari kurva
head-date = tanggal (UTC)
head-run = pengujian
head-command = perintah
head-trust = kepercayaan
trust-word-partial = tidak selesai
diff-same = Sama: { $names }
diff-no-common-cell = Tidak ada sel yang diukur di keduanya.
diff-alone = Angka hanya di A: { $a }. Hanya di B: { $b }.
diff-invalid-key = X: pemeriksaan menemukan angka ini tidak boleh dipakai.
diff-hint = Masing-masing satu pengujian tidak menunjukkan apakah perbedaan itu kebetulan. Bandingkan beberapa pengujian tiap sisi: truedisk compare.
fact-tool = alat
fact-command = perintah
fact-path = path
fact-file-system = filesystem
fact-device = perangkat
fact-model = model
fact-device-size = ukuran perangkat
fact-write-cache = cache tulis
fact-queue = antrean
fact-processors = jumlah prosesor
fact-io-limits = batas I/O
fact-budget = anggaran waktu
fact-bounds = batas latensi
fact-read-only = hanya baca

## report/words

## report/limit

limit-most-of = Tertinggi untuk { $curve }
limit-rate-at = { $rate } IOPS pada { $load }
limit-bounded-by = dibatasi oleh { $cause }
limit-because = karena { $reason }
limit-confirmed = terkonfirmasi: diukur ulang
limit-not-confirmed = belum dikonfirmasi dengan pengukuran kedua
interval-of-rate = 95 %: { $low } sampai { $high } (±{ $half })
interval-missing = 95 %: tidak ada, { $reason }
by-bound = batas latensi
by-bound-depth = batas latensi: kedalaman lebih besar memberi lebih banyak, tetapi melanggarnya
by-bound-arrivals = batas latensi: lebih banyak permintaan melanggarnya
by-saturation = kejenuhan
by-saturation-depth = kejenuhan: kedalaman tambahan hanya menambah latensi
by-saturation-arrivals = kejenuhan: laju lebih tinggi hanya menambah latensi
by-provider-cap = batas yang dikonfigurasi
by-provider-cap-sentence = batas yang dikonfigurasi penyedia: laju perangkat tidak pernah sedatar ini
by-control-group = control group
by-control-group-sentence = control group pada host ini, bukan disk
by-client = host ini
by-client-sentence = host ini: waktu prosesornya habis. Perangkat sanggup setidaknya sebesar ini
by-highest-rate = laju tertinggi yang dicoba
by-highest-rate-sentence = laju tertinggi yang dicoba: mungkin bisa lebih
by-deepest = antrean terdalam yang dicoba
by-deepest-sentence = antrean terdalam yang dicoba: mungkin bisa lebih
by-unreachable = tidak dapat dicapai
by-unreachable-idle = tidak dapat dicapai: { $statistic } tanpa beban { $value }
by-unreachable-lowest = tidak dapat dicapai: beban terendah pun melanggarnya
by-unsure = belum pasti
by-unsure-sentence = penyebab yang belum pasti: ulangi saat tidak ada yang lain memakai perangkat
point-left-out = tidak dihitung
point-knee = titik siku
point-falls = turun
point-breaks = melanggar
point-breaks-all = melanggar semua
point-too-few = terlalu sedikit
point-too-few-for-all = terlalu sedikit untuk semua
point-too-few-for = terlalu sedikit untuk { $bounds }
limit-legend-latency = Latensi: dari pengiriman sampai hasil diambil. Berjalan: rata-rata operasi yang belum selesai. -: sampel terlalu sedikit.
limit-legend-response = Waktu respons: dari waktu mulai yang direncanakan sampai hasil diambil. Berjalan: rata-rata operasi yang belum selesai. -: sampel terlalu sedikit.
limit-mark-points = { $mark } ({ $points } titik)
limit-chart-key = o p50, # p99, 8 keduanya; @ tertinggi dalam batas; - - batas
limit-chart-key-slower = o p50, # p99, 8 keduanya, dari job yang lebih lambat; @ tertinggi dalam batas; - - batas
limit-chart-key-invalid = X TIDAK VALID
head-rate = laju

## report/sweep

sweep-matrix-bytes = { $workload }, MB/s per ukuran blok dan kedalaman
sweep-key = * tertinggi. ░▒▓█: tiap tingkat seperempat dari nilai itu. -: tidak diukur.
sweep-key-marked = * tertinggi. ░▒▓█: tiap tingkat seperempat dari nilai itu. X: bukan kemampuan disk. !: lihat peringatan. -: tidak diukur.
sweep-within-all = Semua { $cells } sel dalam ±{ $asked } (95 %).
sweep-within-some = { $within } dari { $cells } sel dalam ±{ $asked } (95 %). Yang terlebar dari sisanya:
sweep-too-short = { $cell }: terlalu singkat
sweep-two-limits = { $workload }: batas operasi dan batas byte per kedalaman (selang 95 %)
head-meet-at = bertemu di
head-misfit = simpangan
sweep-two-limits-key = Blok kecil mencapai batas operasi, blok besar mencapai batas byte. -: tidak ada ukuran blok yang mencapainya.
sweep-beside-writes = { $workload } dengan tulis acak bersamaan
head-worse = memburuk
sweep-beside-key = Porsi: tulis yang direncanakan terhadap { $most } per detik yang diterima target saat hanya menulis. Memburuk: latensi dibanding saat hanya membaca. X: bukan kemampuan disk.
value-with-range = { $value } ({ $low } sampai { $high })
range = { $low } sampai { $high }

## report/preset

preset-pass-word = LULUS
preset-fail-word = GAGAL
preset-not-met-word = tidak terpenuhi
preset-part-of-job = { $job }, { $part }
preset-step-part = { $step }: { $part }
preset-score-mean = rata-rata { $passes } ulangan: { $rate }, { $latency }
preset-score-best = terbaik dari { $passes } ulangan: { $rate }, { $latency }
preset-steady = stabil selama lima ulangan yang ditampilkan
preset-not-steady = BELUM stabil: ulangan-ulangan terakhir masih berbeda atau bergeser
preset-passes-of = { $made } dari { $planned } ulangan
preset-figure-of = { $step }: { $figure } untuk { $part }
preset-recommended = { $limit }, anjuran
preset-unmeasured = tidak diukur
preset-our-convention = konvensi truedisk
preset-needed-and-measured = perlu { $limit }; terukur { $measured }
preset-why-and-source = { $why }. Sumber: { $source }
preset-table-key = Median semua ulangan. 95 %: selang kepercayaan IOPS. -: sampel terlalu sedikit.
text-source = Sumber: { $source }

## report/compare

## report/fleet

fleet-title-same-storage = { $hosts } pada penyimpanan yang sama, masing-masing dengan file sendiri
fleet-title-own = { $hosts }, masing-masing dengan target sendiri
fleet-title-shared = { $hosts } pada satu target, masing-masing pada seluruhnya
fleet-title-split = { $hosts } pada satu target, masing-masing pada bagiannya sendiri
fleet-title-in-waves = { $title }, dalam { $waves } gelombang yang masing-masing paling banyak { $most }
wave-line = Gelombang { $wave }, { $hosts }: { $answer }
fleet-note-slowest = paling lambat
fleet-note-failed = gagal: { $error }
fleet-note-lost-later = lalu terputus
fleet-note-lost = terputus
fleet-note-no-share = tanpa bagian: kedalaman terlalu kecil
fleet-note-nothing = tanpa angka
fleet-without = tanpa { $hosts }
fleet-no-share-for = tanpa bagian untuk { $hosts }
count-of = { $part } dari { $all }
fleet-processors = { $count } prosesor
fleet-clock-moved = { $offset }, bergeser { $by }
fleet-degraded-line = TIDAK LENGKAP: { $why }
fleet-faster-hosts = dan { $count } host yang lebih cepat: --html menampilkan semuanya
fleet-total = total
fleet-met-key = Selisih: dari mulainya host pertama sampai mulainya host terakhir. Host pertama selesai: saat host pertama selesai; total dihitung atas waktu semua host berjalan bersama.
fleet-clocks = Jam
head-against-coordinator = terhadap koordinator

## report/metadata

metadata-rates = Operasi per detik, median antarputaran
metadata-half-widths = Setengah lebar selang kepercayaan 95 %
metadata-p50 = Latensi, p50
metadata-p99 = Latensi, p99
metadata-cold = Dingin: operasi per detik setelah cache dikosongkan
metadata-key = create: buka file baru, tulis, tutup. open: buka, baca, tutup. list: nama per detik, dan latensi satu folder penuh. Dengan fsync, create menunggu filenya, rename dan delete menunggu foldernya. -: tidak diukur, atau sampel terlalu sedikit.
metadata-unsteady = Laju berikut terlalu berbeda antarputaran untuk diandalkan: { $rates }.
metadata-rate-of = { $operation } pada { $load } ({ $low } sampai { $high } per detik)
metadata-rate-of-cold = { $operation } pada { $load }, dingin ({ $low } sampai { $high } per detik)
metadata-load-folder = { $size }, satu folder, { $threads } thread
metadata-load-tree = { $size }, pohon folder, { $threads } thread
metadata-counted-as-many = Dihitung: { $made } file dibuat, dan foldernya memuat jumlah yang sama; filesystem { $inodes }.
metadata-counted-differ = Dihitung: { $made } file dibuat, tetapi foldernya memuat { $listed }: filesystem kehilangan sebagian, atau menampilkan yang lain; filesystem { $inodes }.
metadata-no-inodes = tidak menghitung inode
metadata-inodes-as-many = menghitung inode baru dengan jumlah yang sama
metadata-inodes-differ = menghitung inode baru dengan jumlah yang berbeda ({ $parts }): program lain mungkin membuat atau menghapus file, atau hitungannya terlambat
metadata-inodes-more = { $count } lebih banyak
metadata-inodes-fewer = { $count } lebih sedikit
head-files = file

## report/page

## report/page/charts

## report/page/compare

## report/page/fleet

## report/page/limit

## report/page/sweep

## report/page/trend

## report/explain

explain-meaning = Artinya
explain-method = Cara menemukannya
explain-remedy = Yang perlu dilakukan
explain-blind-spot = Yang tidak terlihat
explain-statuses = Hasil yang mungkin
explain-more = truedisk explain WORD menjelaskan salah satunya.
explain-relation = Hubungan antarangka
explain-look = Di mana melihatnya
term-iops-question = Berapa permintaan yang selesai dalam satu detik?
term-iops-meaning = IOPS adalah jumlah baca atau tulis yang diselesaikan disk dalam satu detik. Angka itu sendiri tidak berarti: perlu ukuran blok, baca atau tulis, kedalaman antrean, dan latensi. Disk yang sama bisa memberi 10 000 IOPS pada kedalaman 1 dan 80 000 pada kedalaman 32.
term-iops-relation = IOPS = permintaan yang belum selesai / latensi rata-rata (hukum Little). 1 permintaan yang belum selesai, masing-masing 0,1 ms: 10 000 IOPS. 32 permintaan, masing-masing 0,4 ms: 80 000 IOPS. IOPS × ukuran blok = throughput.
term-iops-look = truedisk limit PATH mencari IOPS terbanyak yang menjaga latensi dalam batas. Angka maksimum tanpa batas adalah angka untuk berjualan: antreannya begitu dalam sehingga setiap permintaan menunggu lama.
term-latency-question = Berapa lama satu permintaan?
term-latency-meaning = Latensi adalah waktu sejak program mengirim permintaan sampai menerima jawaban: menunggu di antrean dan kerja perangkat. Program yang menunggu setiap permintaan, misalnya basis data saat commit, hanya merasakan ini.
term-latency-relation = Pada kedalaman 1 itu adalah waktu perangkat sendiri. Antrean yang lebih dalam tidak menambah latensi selama perangkat masih bisa melayani lebih banyak permintaan sekaligus. Jika tidak bisa lagi, setiap permintaan tambahan menunggu, dan latensi = kedalaman / IOPS.
term-latency-look = Lihat p99, bukan rata-rata. truedisk ping PATH menampilkan permintaan satu per satu; truedisk check PATH menampilkan p50, p99, dan p99.9 setiap beban.
term-depth-question = Berapa permintaan yang belum selesai pada saat yang sama?
term-depth-meaning = Kedalaman antrean adalah jumlah permintaan yang sudah dikirim program dan belum dijawab. Satu thread yang menunggu setiap permintaan berkedalaman 1. Lebih banyak thread, atau permintaan asinkron, membuat antrean lebih dalam.
term-depth-relation = Perangkat dengan beberapa kanal atau disk melayani beberapa permintaan sekaligus: IOPS naik bersama kedalaman sampai semuanya sibuk. Kedalaman itu adalah titik lutut. Setelahnya IOPS tetap dan latensi naik: kedalaman dua kali, latensi dua kali.
term-depth-look = truedisk limit PATH menambah kedalaman selangkah demi selangkah, menyebut titik lutut dan antrean terdalam dalam batas. truedisk sweep PATH menggambar kedalaman terhadap ukuran blok.
term-thrashing-question = Apakah antrean yang lebih dalam membuat disk bekerja lebih sedikit?
term-thrashing-meaning = Disk mengalami thrashing bila antrean yang lebih dalam memberi IOPS lebih sedikit, bukan hanya latensi lebih besar. Lengan HDD bergerak di antara tempat yang berjauhan, cache tidak lagi memuat yang diminta, atau pengontrol menghabiskan waktunya untuk antrean.
term-thrashing-relation = Setelah titik lutut, disk yang sehat mempertahankan IOPS. Penurunan lebih dari 10 % yang menetap, di luar galat pengukuran, adalah thrashing. Tetangga, atau burst yang berakhir, tampak serupa, jadi kedalaman yang terganggu diukur ulang sebelum disimpulkan.
term-thrashing-look = truedisk limit PATH menyebut kedalaman yang sebaiknya dipertahankan. Jaga antrean di situ: lebih sedikit thread, iodepth lebih kecil, atau batas di basis data.
term-throughput-question = Berapa byte yang dipindahkan dalam satu detik?
term-throughput-meaning = Throughput adalah IOPS × ukuran blok, di sini dalam MB/s dengan 1 MB = 1 000 000 byte. Blok besar berurutan mencapai batas byte, dari tautan atau paket; blok kecil di tempat acak mencapai batas IOPS.
term-throughput-relation = 4 000 IOPS dengan blok 256 KiB adalah 1048 MB/s; 4 000 IOPS dengan blok 4 KiB adalah 16 MB/s. Paket dengan kedua batas dibatasi oleh yang tercapai lebih dahulu.
term-throughput-look = truedisk sweep PATH menampilkan IOPS dan MB/s untuk setiap ukuran blok. truedisk model aws:gp3:500GiB menunjukkan batas mana dari paket yang berlaku pada ukuran blok mana.
term-percentile-question = Apa itu p50, p99, dan p99.9?
term-percentile-meaning = p99 adalah latensi yang dipenuhi 99 dari 100 permintaan. p50 adalah nilai tengah. Rata-rata menyembunyikan permintaan yang lambat: 99 permintaan 0,1 ms dan satu 100 ms punya rata-rata 1,1 ms, padahal tidak ada yang selama itu.
term-percentile-relation = Jawaban yang memerlukan 100 baca menunggu satu baca yang lebih lambat dari p99 dalam 63 dari 100 kasus. Persentil atas menentukan rasa suatu layanan.
term-percentile-look = truedisk hanya menampilkan persentil bila jumlah permintaan cukup; jika tidak, tampil -. Batas menyebut satu persentil: --bound 'p99<5ms'.
term-interval-question = Seberapa jauh suatu angka bisa dipercaya?
term-interval-meaning = Selang kepercayaan 95 % menyatakan seberapa jauh angka pengukuran ini mungkin dari rata-rata sebenarnya: dari 20 selang seperti itu, 19 memuatnya. ±1 % adalah angka yang tajam. Yang lebih lebar dari ±25 % bukan angka, dan ditandai ~.
term-interval-relation = Permintaan yang berurutan saling mirip, sehingga seribu permintaan bernilai kurang dari seribu yang saling bebas; selang sudah memperhitungkannya. Ia berlaku untuk waktu yang diukur: pada jam lain tetangganya berbeda.
term-interval-look = truedisk compare memutuskan dari selang rasio dua pengukuran. Dengan --budget, limit dan sweep mengukur lebih lama dan selangnya menyempit.
term-credits-question = Apakah kecepatan ini hanya pinjaman?
term-credits-meaning = Burst adalah kecepatan yang berakhir: saat kredit volume cloud habis, atau saat cache tulis penuh. Uji yang singkat melihat burst dan tidak melihat sesudahnya.
term-credits-relation = Volume gp2 100 GiB mendapat 300 kredit I/O per detik, memakai sampai 3 000, dan menyimpan 5,4 juta: cukup untuk 5 400 000 / (3 000 - 300) = 2 000 s. Setelah itu hanya 300 IOPS.
term-credits-look = Pemeriksaan burst mencari perubahan tingkat; truedisk check PATH --until-throttled membaca sampai perubahan itu muncul. truedisk model aws:gp2:100GiB menunjukkan laju terhadap waktu; truedisk capture dan replay --plan menyatakan apakah kredit cukup untuk suatu beban.
term-cap-question = Apakah disknya lambat, atau ada pembatasan?
term-cap-meaning = Pembatasan adalah batas IOPS atau byte yang dipasang penyedia, hypervisor, atau cgroup. Perangkat bisa lebih; permintaan di atas batas menunggu.
term-cap-relation = Setelah batas tercapai, antrean yang lebih dalam memberi IOPS yang sama, lebih rata dari perangkat mana pun, dan latensi = kedalaman / batas: 32 permintaan yang belum selesai pada batas 3 000 IOPS masing-masing 10,7 ms.
term-cap-look = Pemeriksaan provider-limit dan os-throttle menyebutnya. truedisk check PATH --plan aws:gp3:500GiB menyatakan apakah yang dijual terpenuhi.
term-cache-question = Apakah memori yang menjawab, bukan disk?
term-cache-meaning = Di antara program dan disk ada cache: page cache sistem, cache hypervisor atau array, memori di dalam disk. Baca yang dijawab salah satunya tidak mengatakan apa-apa tentang disk. Tulis yang diterima salah satunya baru aman setelah flush.
term-cache-relation = O_DIRECT melewati page cache, tetapi tidak melewati yang lain. Blok yang belum pernah ditulis juga tidak memerlukan disk: dijawab dengan nol dari suatu peta.
term-cache-look = Pemeriksaan page-cache, host-cache, device-cache, unwritten, dan flush mencarinya dalam setiap pengukuran.
status-not-observable = tidak dapat diamati

## method

caches-warm = File baru saja dibuat atau dipakai: stat, open, dan readdir dijawab dari memori. Cache dingin tidak diukur (sebagai root: --drop-caches).
caches-dropped = File baru saja dibuat atau dipakai: stat, open, dan readdir dijawab dari memori. Angka dingin diukur dalam urutan acak, setelah sync dan setelah cache seluruh host dikosongkan (drop_caches 3).
progress-looking = memeriksa target
progress-looking-hosts = memeriksa target semua host
progress-layout = menyiapkan file uji
progress-layout-hosts = menyiapkan file uji di semua host
progress-pause = jeda
progress-small-files = file kecil: { $load }
progress-so-far = { $what }, sudah { $time }
progress-check = pemeriksaan kebenaran: { $what }
progress-idle = baca dengan jeda
progress-depth = { $workload }, kedalaman { $depth }
progress-again = { $what }, ulang
progress-for-cap = { $what }, mencari pembatasan
progress-until-throttled = { $what }, sampai dibatasi
progress-rounds = menulis sampai stabil, putaran { $round }
progress-number = { $number } dari { $total }: { $what }
progress-alone = { $what }, tanpa beban lain
progress-beside-writes = { $what } bersama { $rate } tulis/s
progress-arrivals = { $workload }, { $rate } permintaan/s
progress-commits = tulis { $size } + fdatasync
progress-pass = { $step }, ulangan { $pass } dari { $passes }
progress-warming-up = { $step }, pemanasan
progress-visit = { $side }, giliran { $number }: { $what }
progress-replaying = memutar ulang beban pada { $speed } kali kecepatannya
progress-writes-alone = hanya tulis acak, kedalaman 32
progress-random-writes = tulis acak

## ping

ping-shared-device = target-target ini berbagi satu perangkat, dan penghitungnya tidak membedakan masing-masing
ping-headline = { CAP($label) }: { $latency }
ping-tail = p50 { $p50 }, p99 { $p99 } dari { $requests } permintaan
ping-median = p50 { $p50 } dari { $requests } permintaan (terlalu sedikit untuk p99)
ping-mean = rata-rata { $mean } dari { $requests } permintaan (terlalu sedikit untuk persentil)
ping-reads = baca { $latency }
ping-writes = tulis { $latency }
ping-latency-after-pause = setelah jeda { $latency }
ping-latency-back-to-back = berturut-turut { $latency }
ping-unknown = belum diketahui dari { $requests } permintaan, perlu { $needed }
ping-range = { $value } (95 %: { $low } sampai { $high })
ping-range-of = { $value } (95 %: { $low } sampai { $high }, n = { $n })
ping-rate-kept = laju: direncanakan { $planned } permintaan/s, dan terpenuhi
ping-rate-late = laju: direncanakan { $planned } permintaan/s, terlaksana { $made }: permintaan dimulai terlambat
ping-rate-missed = laju: direncanakan { $planned } permintaan/s, terlaksana { $made }; { $missed } dari { $all } permintaan terjadwal tidak dimulai, karena permintaan berlangsung lebih lama daripada jarak antarpermintaan
ping-rate-few = laju: direncanakan { $planned } permintaan/s; terlaksana { $starts }, terlalu sedikit untuk menentukan laju
ping-rate-few-missed = laju: direncanakan { $planned } permintaan/s; terlaksana { $starts }, terlalu sedikit untuk menentukan laju; { $missed } dari { $all } permintaan terjadwal tidak dimulai, karena permintaan berlangsung lebih lama daripada jarak antarpermintaan
ping-after-pause = setelah jeda
ping-back-to-back = berturut-turut
ping-ratio = rasio: { $ratio }; { $verdict }
ping-sleeps = perangkat, host, atau prosesor tidur di antara permintaan
ping-faster-after-pause = permintaan lebih cepat setelah jeda: tanpa jeda, permintaan sebelumnya masih dikerjakan, atau lajunya dibatasi
ping-no-difference = selangnya tumpang tindih: tidak ada perbedaan yang terlihat
replay-keeps-up = Sanggup melayani beban ini: { $clauses }
replay-falls-behind = Tidak sanggup: hanya { $share } dari beban ini selesai tepat waktu; { $clauses }
replay-slowest = tidak ada permintaan yang lebih lama dari { $slowest }
replay-there-and-here = { $requests }: { $percentile } di sana { $there }, di sini { $here }
replay-changed = { $fact } ({ $change })
replay-slower = lebih lambat daripada di sana
replay-within-lateness = mungkin hanya karena keterlambatan pembangkit beban itu sendiri
replay-here = { $requests }: { $percentile } di sini { $here }
replay-interval = { $here } [{ $low }, { $high }]
replay-figure = { $here }
replay-reads = baca
replay-writes = tulis
replay-flushes = flush
replay-breaks = pada { $breaks } kali beban ini melanggar { $bound }, pada { $keeps } kali masih terpenuhi
replay-never-breaks = pada { $keeps } kali beban ini, yang tertinggi yang dicoba, { $bound } masih terpenuhi
replay-always-breaks = bahkan pada { $breaks } kali beban ini { $bound } dilanggar
replay-limit-unknown = terlalu sedikit permintaan untuk menilai { $bound }
replay-not-confirmed = { $answer } (belum dikonfirmasi oleh probe berikutnya)
replay-load = Beban: { $requests } permintaan dalam { $length }, pada { $speed } kali kecepatannya; offset { $map }.
replay-probed = Pencarian memutar ulang bagian-bagian beban, masing-masing { $time }, pada kecepatan lain. Awal setiap bagian dipilih oleh seed.
replay-map-scale = diskalakan ke target
replay-map-wrap = kembali ke awal setelah akhir target
replay-map-as-is = apa adanya
replay-lateness = Pembangkit beban memulai permintaan terlambat { $p99 } pada p99, paling lama { $most }.
replay-awake = Selama itu prosesor yang menganggur dijaga tetap bangun: program yang membiarkannya tidur mungkin menunggu lebih lama.
replay-deeper = { $share } permintaan menemui antrean yang lebih dalam di sini daripada saat perekaman: semuanya ada dalam tabel, tetapi tidak dalam perbandingan waktu respons di sana dan di sini.
replay-no-discards = Dilewati: { $count } discard, yang tidak diputar ulang.
replay-no-flushes = Dilewati: { $count } flush, karena beban ini tidak menulis apa pun.
replay-no-fua = { $count } penulisan dengan FUA diputar ulang sebagai penulisan biasa: di sana langsung tersimpan permanen.
replay-lost = { $count } permintaan hilang saat perekaman: beban sebenarnya lebih tinggi.
replay-cut = Trace terpotong: hanya { $length } pertama yang diputar ulang.
plan-load-title = { $plan }: sanggupkah melayani { $load }? (dihitung, tidak ada yang diukur)
plan-load-carries = Sanggup melayani beban ini: tidak ada permintaan yang menunggu lebih dari { $wait } karena paket.
plan-load-carries-throttled = Sanggup melayani beban ini, tetapi dibatasi { $minutes } menit per hari (oleh { $limit }): permintaan menunggu hingga { $wait }.
plan-load-ends-in-the-day = Sanggup melayani beban ini selama waktu perekaman, tetapi tidak sepanjang hari: jatah burst habis, dan beban dibatasi { $minutes } menit per hari.
plan-load-not-carried = Tidak sanggup melayani beban ini: { $served } selesai tepat waktu, dan dibatasi { $minutes } menit per hari (oleh { $limit }); permintaan menunggu hingga { $wait }.
plan-load-peak = terbanyak dalam { $step }
plan-load-burst-left = Jatah burst: tersisa { $lowest } pada titik terendah, { $end } pada akhir beban.
plan-load-operations = operasi/s menurut paket
plan-load-bytes = MB/s menurut paket
plan-load-always = berkelanjutan
plan-load-assumed = Asumsi: jatah burst penuh di awal; satu hari adalah beban ini berulang-ulang; baca dan tulis berbagi batas; permintaan sekuensial yang waktu selesainya tidak diketahui dianggap digabung. Latensi, flush, dan discard tidak dihitung.
plan-load-lost = Perekaman kehilangan { $count } permintaan: beban sebenarnya lebih besar daripada yang dihitung di sini.
plan-load-cut = Perekaman terpotong setelah { $length }.

## fio-run

## truedisk

wave-begins = gelombang { $wave } dari { $waves }: { $hosts }
waves-lost = semua host dari { $count } gelombang berturut-turut terputus; pada gelombang terakhir: { $reason }
waves-total-time = { $waves } gelombang berurutan: masing-masing memerlukan waktu satu pengujian penuh
output-report = laporan: { $path }
output-record = rekaman: { $path }
output-more = lebih lanjut: { $command }
output-page = halaman: { $command }
output-written = ditulis: { $path }
head-setting = setelan
head-value = nilai
head-set-by = diatur oleh
config-file-read = dibaca: { $path }
config-file-missing = tidak ditemukan: { $path }
config-variable-unknown = tidak mengatur opsi apa pun: { $name }
share-removed-hosts = dihapus: nama host ({ $count })
share-removed-addresses = dihapus: alamat IP ({ $count })
share-removed-paths = dihapus: path ({ $count })
share-removed-serials = dihapus: nomor seri dan pengenal perangkat ({ $count })
share-removed-volumes = dihapus: nama volume dan sumber ({ $count })
share-removed-groups = dihapus: nama control group ({ $count })
share-removed-processes = dihapus: nama proses ({ $count })
share-removed-labels = dihapus: label host ({ $count })
share-removed-commands = dihapus: argumen baris perintah ({ $count })
share-removed-sources = dihapus: sumber preset dan janji ({ $count })
share-removed-jobs = dihapus: nama job ({ $count })
share-removed-presets = dihapus: nama dalam preset ({ $count })
progress-left = sisa { $seconds } s
history-none = belum ada pengujian di { $location }
history-none-fits = { $known } pengujian tersimpan; tidak ada yang cocok dengan filter
history-newest = { $shown } pengujian terbaru; -n 0 menampilkan semuanya
history-tagged = { $name } adalah { $run }
history-tag-moved = { $name } adalah { $run }, bukan lagi { $before }
history-untagged = { $run } bukan lagi { $name }
history-deleted = dihapus: { $run }
history-deleted-of = dihapus: { $run } ({ $command } dari { $target })
history-deleted-tagged = dihapus: { $run } ({ $command } dari { $target }, tag { $tags })
history-removed = file dihapus: { $file }
history-pruned = { $deleted } dihapus, { $left } tersisa, { $tagged } lagi bertag
history-exported = { $runs } pengujian ditulis ke { $file }
history-kept = disimpan: { $run }
history-known = sudah ada: { $run }
history-imported = pengujian baru: { $new }, sudah ada: { $known }
trend-left-out = Tidak dihitung: { $runs } pengujian yang angkanya dinyatakan tidak valid oleh pemeriksaan.
fleet-no-agent = tidak ada agent yang menjawab
fleet-stream-keeps = server juga menyimpan { $hosts } rekaman pengujian { $run }:
fleet-agent-keeps = { $name } menyimpan rekaman pengujian { $run } ({ $purpose }):
fleet-cannot-lead = tidak dapat dikendalikan: versinya { $version }
fleet-idle = menganggur
fleet-relay = penerus: tidak mengukur
fleet-busy = pengujian { $run }
fleet-read-only = { $paths } (hanya baca)
head-name = nama
head-labels = label
head-allows = path yang diizinkan
head-state = keadaan
fleet-stopped = dihentikan: { $names }

## report/templates

head-slow-host = host lambat
head-slower = lebih lambat
head-median = median
head-spreads = dalam sebaran
head-slowest-host = paling lambat
head-fastest-host = paling cepat
page-outliers = Host lambat
page-slow-hosts = Host lambat
page-peers = Perbedaan antarhost dengan model yang sama
page-peers-caption = Angka host sejenis, dari yang paling lambat sampai yang paling cepat: 5 % host lebih lambat daripada angka di kolom 5 %. Sebaran adalah simpangan baku yang tahan pencilan.
page-hosts-left-out = { $count } host lainnya, yang lebih cepat, hanya ada di rekaman JSON.
head-host = host
head-share = porsi
head-depth = kedalaman
head-mean = rata-rata
head-began = mulai
head-what = keterangan
head-promised = dijanjikan
head-needed = perlu
head-measured = terukur
head-answer = jawaban
head-step = langkah
head-max = maks
head-source = sumber
head-workload = beban kerja
head-out = berjalan
head-stands = catatan
head-cell = sel
head-hosts = host
head-waves = Gelombang
head-from = dari
head-to = sampai
page-waves-caption = Host dalam satu gelombang mengukur pada waktu yang sama. Total setiap gelombang ada dalam rekamannya sendiri.
head-skew = selisih
head-known-to = galat jam
head-first-done = host pertama selesai
head-last-done = host terakhir selesai
head-slowest = paling lambat (rata-rata / median)
head-system = sistem
head-target = target
head-clock = jam
head-round-trip = bolak-balik
head-own-record = rekaman sendiri
page-small-files = File kecil
page-uses = Cocok untuk apa?
page-results = Hasil
page-host-by-host = Per host
page-trust = Dapatkah angkanya dipercaya?
page-not-tested = Tidak diuji
page-appendix = Lampiran
page-thresholds = Apakah cukup baik?
page-good-for = Cocok untuk
page-too-slow-for = Terlalu lambat untuk
page-limited-by = Keterbatasan
page-how-the-hosts-met = Keserentakan host
page-the-hosts = Daftar host
page-terms-and-sources = ketentuan dan sumber
page-meaning = Arti angka-angkanya
page-curves = Kurva, sebaran, dan jalannya pengujian
page-all-probes = Semua probe
page-environment = Disk dan lingkungannya
page-method = Metode
page-command = Perintah
page-picture = Latensi terhadap operasi per detik
page-steps-caption = Median dari semua ulangan. ±: selang kepercayaan 95 % untuk IOPS. -: sampel terlalu sedikit.
page-hosts-met-caption = Selisih: dari mulainya host pertama sampai mulainya host terakhir; galat jam: ketidakpastian waktu itu. Host pertama selesai: lamanya semua host berjalan bersama.
page-hosts-caption = Jam: selisihnya dari jam koordinator, dan ketidakpastian selisih itu.
page-total-latency = Latensi total, dari pengiriman sampai hasil diambil.
page-response-time = Waktu respons, dari rencana waktu mulai sampai hasil diambil.
head-figure = angka
head-ratio = rasio
head-verdict = kesimpulan
head-cells = sel
page-what-else-differs = Perbedaan lain
page-every-other-figure = Semua angka lain
page-curves-of-both-sides = Kurva kedua sisi
page-for-the-money = Dibanding biaya
page-not-compared = Tidak dibandingkan
compare-hosts-caption = Host yang ada di kedua sisi, masing-masing dihitung dari semua selnya. Perbandingan ini tidak ikut dihitung di atas.
page-levels = Tingkat
page-version = versi
page-partial = tidak selesai
page-partial-kept = Hasil yang sudah diukur tetap disimpan.
page-degraded = tidak lengkap (degraded)
page-promise = Apakah sesuai yang dijanjikan?
page-source = Sumber:
page-no-problem = Tidak ada pemeriksaan yang menemukan masalah.
page-probes-caption = Berjalan: rata-rata jumlah operasi yang sedang berjalan. -: sampel terlalu sedikit.
head-arrivals = permintaan/s
page-lost = terputus:
page-root-would-add = Dengan root, tersedia juga:
page-method-text = Latensi total dihitung dari tepat sebelum panggilan pengiriman sampai hasilnya diambil; jam dibaca satu kali per kelompok yang dikirim dan satu kali per kelompok yang diambil. Selang untuk rata-rata berasal dari hitungan per 10 ms, dikoreksi untuk autokorelasi; selang untuk persentil dari block bootstrap atas sepersepuluh detik. Persentil hanya ditampilkan jika sampelnya mencukupi. Jumlah operasi yang berjalan dijaga pada kedalaman yang diminta; kedalaman yang tercapai ada di rekaman.
status-invalid = tidak valid
status-warning = peringatan
status-note = catatan
page-what-to-do = Tindakan:
page-cells = Sel:

## report/html/shared

axis-operations = operasi per detik
axis-depth = operasi yang berjalan (kedalaman)
axis-seconds = detik
axis-latency = latensi
axis-response = waktu respons
axis-slower-share = porsi operasi yang lebih lambat
axis-block-size = ukuran blok
statistic-of-latency = { $statistic } latensi
statistic-of-response = { $statistic } waktu respons
chart-replay-latency = Latensi di sana dan di sini
chart-replay-latency-caption = Garis: waktu respons di sini, dari awal yang direncanakan. Titik: latensi di tempat beban direkam.
series-replay-here = { $requests } di sini
series-replay-there = { $requests } di sana
chart-replay-search = { $statistic } terhadap kecepatan beban
chart-replay-search-caption = Setiap titik adalah satu pemutaran ulang pada satu kecepatan: satu untuk seluruh beban, lainnya untuk sebagian beban. Diarsir: di luar batas.
series-replay-probes = probe
series-replay-late = generator terlambat: tidak dihitung
axis-times-load = kali beban ini
load-at-depth = kedalaman { $depth }
load-at-rate = { $rate } permintaan/s
series-invalid = tidak valid
series-disturbed = terganggu
chart-tails-caption = Di titik garis memotong 1 %, satu dari 100 operasi lebih lambat: itulah persentil ke-99. Makin ke kanan ujung garis, makin panjang ekornya.

## report/html/load_picture

picture-title = { CAP($statistic) } terhadap operasi per detik
picture-of-depths = Setiap titik adalah satu kedalaman.
picture-of-rates = Setiap titik adalah satu laju permintaan.
picture-bound = Diarsir: batas latensi dilanggar. Bintang: tertinggi dalam batas latensi.
picture-not-counted = Berongga dan abu-abu: terganggu atau tidak valid, tidak dihitung.
picture-point = { $curve }, { $load }: { $rate } IOPS, { $statistic } { $latency }
picture-ramp = { $curve }: kenaikan bertahap sebelum pencarian
picture-series-not-counted = { $curve }: tidak dihitung
picture-answer-short = { $rate } pada { $load }
picture-answer = { $of }: { $rate } pada { $load }

## report/html/charts

chart-depth = Operasi terhadap kedalaman
chart-depth-caption = Di tempat garis mendatar, kedalaman tambahan hanya menambah latensi; di tempat garis turun, kedalaman tambahan mengurangi hasil.
chart-tails = Lama operasi
chart-invalid-series = { $series } (tidak valid)
chart-time-operations = Jalannya pengujian: operasi
chart-time-operations-caption = Setiap titik adalah sepersepuluh detik, atau rata-rata beberapa di antaranya. Setiap undakan adalah beban baru. Penurunan sesaat di dalam satu undakan berasal dari disk atau dari pemakai disk lain.
chart-time-p99 = Jalannya pengujian: p99
chart-time-p99-caption = p99 setiap sepersepuluh detik yang operasinya mencukupi.
chart-first-write = Penulisan pertama
chart-first-write-caption = Penulisan pertama setiap blok file uji, secara sekuensial. Penurunan adalah akhir cache tulis atau kredit burst.
axis-written = GB ditulis

## report/html/limit_charts

limit-rates = Operasi terhadap beban: { $curve }
limit-rates-served = Pada garis titik-titik, semua permintaan dilayani. Di bawahnya perangkat tidak sanggup mengikuti, dan waktu tunggu naik tanpa henti.
limit-rates-plain = Di tempat garis mendatar, kedalaman tambahan hanya menambah latensi; di tempat garis turun, kedalaman tambahan mengurangi hasil.
limit-rates-guides = Titik-titik: batas yang tidak dapat dilampaui antrean mana pun. Garis ini naik sebagai kedalaman dibagi latensi tanpa beban, sampai nilai terukur tertinggi.
limit-rates-knee = Kedua garis titik-titik bertemu di titik siku: setelahnya, kedalaman tambahan hanya menambah latensi.
limit-rates-no-knee = Pada antrean terdalam hasil perangkat masih naik: batas tertingginya tidak terlihat.
limit-rates-law = Garis putus-putus panjang: hukum skalabilitas universal (universal scalability law), di dalam kedalaman yang diuji.
axis-arrivals-planned = permintaan per detik yang direncanakan
series-served = semua permintaan dilayani
series-idle-guide = kedalaman / latensi tanpa beban
series-ceiling = batas tertinggi
series-most-seen = tertinggi terukur
series-law = hukum skalabilitas
series-reads = baca
series-writes = tulis
series-trims = trim
series-syncs = sync
series-together = keduanya digabung
series-measured = terukur
series-thrashing = thrashing: hasil pada kedalaman { $then } lebih rendah daripada pada { $best }
limit-tails = Lama operasi pada batas
series-of-direction = { $direction }, { $load }

## report/html/surface_charts

steps-title = Laju tiap langkah
steps-caption = Tiap tanda adalah laju satu langkah, garisnya selang kepercayaan 95 %. Tanda kosong: selangnya terlalu lebar untuk sebuah angka.
small-files-caption = Tiap tanda adalah laju satu operasi, garisnya selang kepercayaan 95 %.
small-files-p99-caption = 99 dari 100 operasi lebih cepat dari nilai ini.
range-point = { $what }: { $value }
axis-place = lokasi, GB dari awal
axis-share-read = bagian perangkat yang dibaca
axis-mean-read = rata-rata satu baca acak
series-sequential = baca sekuensial
series-fit = kurva melalui semua
series-weak = lemah: selalu lambat
series-passing = lambat satu kali, tidak berulang
series-suspect = lambat, dibaca satu kali
series-mean = rata-rata
series-longest = terlama
series-seek = seek dan setengah putaran
surface = Permukaan: laju per lokasi
surface-caption = Lokasi di seluruh perangkat, dibaca dengan urutan acak.
surface-zones = Laju turun seperti lazimnya zona pada HDD; kurva menjelaskan { $explained } dari perbedaannya.
surface-access = Permukaan: waktu akses
surface-access-caption = Baca acak di setiap lokasi, satu per satu, tanpa seek melintasi disk.
surface-arm = Waktu seek
surface-arm-caption = Baca acak, satu per satu: makin jauh lengan bergerak, makin lama waktunya. Piringan berputar { $turns } kali per menit.

## report/html/fleet_charts

hosts-slowest-drawn = Hanya { $drawn } host paling lambat yang digambar; { $left } host yang lebih cepat ada di dalam total.
hosts-load = { $curve }: per host
hosts-load-caption = Satu garis untuk setiap host, dan totalnya. Host dengan penyimpanan yang sama seharusnya berada pada satu garis: host di bawah yang lain memiliki jalur yang lebih lambat.
hosts-time = Jalannya pengujian: per host
hosts-time-caption = Semua host pada satu jam. Penurunan sesaat di semua host berasal dari penyimpanan; di satu host saja, dari host itu atau jalurnya.
hosts-skew = Waktu mulai
hosts-skew-caption = Waktu dari mulainya host pertama sampai mulainya host terakhir, untuk setiap sel. Garis tipis: ketidakpastian jam.
axis-together-depth = kedalaman, semua host digabung
axis-together-rate = permintaan per detik, semua host digabung
axis-of-host = operasi per detik satu host
axis-cells = sel, menurut urutan pengujian
axis-skew = selisih waktu mulai
series-total = total
series-least = terendah
series-median = median
series-most = tertinggi
series-mean-host = rata-rata semua host

## report/html/sweep_charts

sweep-heat = { $workload }: { $unit } per ukuran blok dan kedalaman
sweep-heat-operations = Makin kuat warnanya, makin banyak operasi per detik. Dicoret: terganggu atau tidak valid. !: lihat peringatan.
sweep-heat-bytes = Makin kuat warnanya, makin banyak megabyte per detik. Dicoret: terganggu atau tidak valid. !: lihat peringatan.
sweep-heat-point = { $size }, kedalaman { $depth }: { $figure } { $unit }
sweep-over-size = { $workload }: { $unit } terhadap ukuran blok
sweep-over-size-caption = Titik adalah hasil pengukuran. Garis putus-putus: model dua batas, satu untuk operasi dan satu untuk byte per detik, jika diketahui dalam faktor 10 dan cocok dengan semua titik.
sweep-crossover = Pada kedalaman { $depth } kedua batas bertemu di sekitar { $size }.
sweep-over-depth = { $workload }: IOPS terhadap kedalaman
sweep-over-depth-caption = Satu garis per ukuran blok. Di tempat garis mendatar, kedalaman tambahan hanya menambah latensi.
sweep-beside = Baca bersama tulis
sweep-beside-caption = { $job }. Titik pertama adalah pembacaan saja. Titik terakhir direncanakan dengan { $writes } tulis per detik, yaitu kemampuan penuh target jika hanya menulis.
sweep-beside-share = { $share } dari penulisan maksimum
series-of-reads = { $statistic } baca
axis-writes-beside = tulis acak per detik yang berjalan bersamaan
axis-read-latency = latensi baca

## report/html/tiles

chip-ok = ok
chip-warning = peringatan
chip-no-figure = tanpa angka
chip-invalid = tidak valid
tile-replay-carries = Sanggup melayani
tile-replay-slowest = permintaan paling lambat: { $slowest } setelah awal yang direncanakan
tile-replay-response = { $percentile } waktu respons, { $requests }
tile-replay-compared = dari { $share } permintaan yang tidak menemui antrean lebih dalam di sini daripada saat perekaman
tile-replay-within = Memenuhi { $bound } sampai
unit-times-load = kali beban ini
unit-there = di sana
unit-here = di sini
tile-latency = Latensi baca, kedalaman 1
tile-requests = { CAP($requests) }
tile-reads = Baca acak
tile-writes = Tulis acak
tile-streams = Laju sekuensial
tile-commits = Commit, satu klien
tile-most-operations = Operasi terbanyak
tile-most-bytes = Byte terbanyak
tile-answer = { $curve } dalam batas { $bound }
tile-slowest = Host paling lambat: { $host }
unit-reads = baca/s
unit-writes = tulis/s
unit-commits = commit/s
unit-files = file/s
unit-read-rate = MB/s baca
unit-write-rate = MB/s tulis
tile-no-interval = tanpa selang
tile-too-wide = selang terlalu lebar untuk satu angka
tile-too-wide-of = { $figures }: selang terlalu lebar untuk satu angka
tile-within = dalam batas { $bound } pada kedalaman { $depth }
tile-not-kept = { $bound } tidak terpenuhi bahkan pada kedalaman { $depth }
tile-answer-at = pada { $load }, { $by }
tile-answer-with = pada { $load } ({ $statistic }), { $by }
tile-answer-none = { $reason }; { $rate } IOPS pada { $load }
tile-none = tidak ada
tile-needed = diperlukan: { $limit }
tile-cell = { $curve }, kedalaman { $depth }
tile-share = { $share } dari total
tile-mean-and-tail = rata-rata { $mean }, p99 { $tail }
tile-commit-tail = p99 { $tail }

## report/html/trust

badge-trusted = tepercaya
badge-caution = hati-hati
badge-do-not-use = jangan dipakai
badge-reason-sound = Semua pemeriksaan yang dapat dijalankan tidak menemukan masalah pada angkanya.
badge-reason-nothing = Tidak ada pengukuran yang selesai: tidak ada angka yang dapat dipercaya.
badge-reason-lost = Total yang ditandai tidak lengkap (degraded) kekurangan host.
badge-reason-not-judged = Tidak dinilai: tidak ada pemeriksaan kebenaran untuk jenis pengujian ini.
badge-reason-finding = { CAP($finding) }.
badge-reason-open = Pemeriksaan tidak menemukan masalah, tetapi pengukuran ini tidak memberi jawaban yang pasti.
badge-warned-cells = Yang diberi peringatan: { $cells }.
trust-passed = { $count } pemeriksaan lulus: { $checks }.
trust-blind = { $count } pemeriksaan tidak dapat dijalankan: { $checks }.
trust-cells = { $touched } dari { $count } sel
trust-worst = terburuk: { $what }, { $value }
trust-evidence = bukti

## report/html/view

page-unknown-host = host tidak dikenal
page-test-file = file uji { $size }; { $time }
page-shorter-file = file uji { $size }, bukan { $wanted } ({ $reason }); { $time }
page-own-files = file kecil buatan sendiri; { $time }
page-only-read = { $size } dibaca, tidak ada yang ditulis; { $time }
page-imitates = Meniru { $tool }.
page-departure = Berbeda dari preset: { $words }.
page-behaves-like = Berperilaku seperti { $class }.
page-results-caption = Latensi total, dari pengiriman sampai hasil diambil. ±: selang kepercayaan 95 % untuk IOPS di dalam pengujian ini. *: IOPS tertinggi dalam batas { $bound }. -: sampel terlalu sedikit.
page-results-plain-caption = Latensi total, dari pengiriman sampai hasil diambil. ±: selang kepercayaan 95 % untuk IOPS di dalam pengujian ini. -: sampel terlalu sedikit.
page-results-replay-caption = Waktu respons: dari awal yang direncanakan hingga selesai. ±: selang kepercayaan 95 % untuk IOPS dalam pengujian ini. -: sampel terlalu sedikit.
page-shares-caption = Porsi setiap host pada { $cell }. Mulai: waktu setelah host pertama mulai.
page-notes = { $count } catatan
page-more = { $count } lagi
page-footer = truedisk { $version }, rekaman { $id }, skema { $schema }

## report/html/facts

layer-detail = { $name } { $value }
layer-link-words = { $kind } { $current }, kapasitas { $carries }
layer-link-of = { $kind } { $current } dari { $most }, kapasitas { $carries }
layer-serial = nomor seri
layer-firmware = firmware
layer-rotational = berputar (menurut perangkat)
layer-scheduler = scheduler
layer-sector = sektor
layer-physical-sector = sektor fisik
layer-write-cache = cache tulis:
layer-requests = permintaan
layer-largest-request = permintaan terbesar
layer-hardware-queues = antrean hardware
layer-link = koneksi
layer-health-start = kesehatan di awal:
layer-health-end = kesehatan di akhir:
layer-file = file
layer-file-direct = tidak lewat cache file itu:
word-yes = ya
word-no = tidak
fact-run = pengujian
fact-started = dimulai
fact-host = host
fact-coordinator = koordinator
fact-system = sistem
fact-kernel = kernel
fact-processor = prosesor
fact-memory = memori
fact-virtualisation = virtualisasi
fact-container = container
fact-user = pengguna
fact-root = root
fact-not-root = bukan root
fact-none-seen = tidak terlihat
fact-io-uring = io_uring
fact-available = tersedia
fact-measured-by = diukur dengan
fact-known-of-it = catatan
fact-seed = seed
fact-span = rentang
fact-clock = jam
fact-clock-words = { $clock }, { $reading } per pembacaan
fact-generator = pembangkit beban
fact-generator-words = { $one }/s pada kedalaman 1, { $many }/s pada kedalaman 32, dengan operasi kosong
fact-control-group = control group

## report/compare/charts

compare-axis-ratio = rasio { $b } terhadap { $a }
compare-ratios = Rasio { $b } terhadap { $a }, per sel
compare-ratios-caption = Setiap belah ketupat adalah rasio satu sel, garisnya selang kepercayaan 95 %. Di kanan 1, { $b } memberi lebih banyak. Diarsir: dalam { $margin }, dianggap sama.
compare-ratio-words = { $cell }: x { $ratio }
compare-cell-figure = { $cell }, { $figure }
compare-side-point = { $side }, kedalaman { $depth }
compare-over-depth = { $workload }: IOPS terhadap kedalaman
compare-over-depth-caption = Operasi kedua sisi pada kedalaman yang sama. Garis tegak adalah selang kepercayaan 95 %.
compare-over-load = { $workload }: latensi terhadap beban
compare-over-load-caption = Setiap titik adalah satu kedalaman. Makin ke bawah dan makin ke kanan, makin baik.

## report/compare/page

compare-sides = { $b } dibanding { $a }
compare-ratio-caption = Rasio: { $b } terhadap { $a }, dengan selang kepercayaan 95 %. *: berlaku untuk semua perbandingan bersama-sama (Holm, 5 %). -: sampel terlalu sedikit.
compare-no-difference = Tidak ada perbedaan yang terlihat antara { $a } dan { $b }
compare-same = { $a } dan { $b } { $words }
compare-more-runs = Sel yang belum dapat dipastikan memerlukan sampai { $runs } pengujian lagi di setiap sisi.
compare-one-run-each = masing-masing satu pengujian: tanpa selang antarpengujian
compare-cannot-tell = belum dapat dipastikan
compare-no-currency = mata uang tidak disebutkan
compare-money = Per satuan uang per bulan. Mata uang:

## report/trend

trend-run = pengujian
trend-level = tingkat
trend-caption = Setiap titik adalah satu pengujian dengan selang kepercayaan 95 %. Garis adalah tingkat yang sama untuk beberapa pengujian.

## target

root-serial-numbers = nomor seri dan pengenal { $disks }
root-locked-memory = buffer terdaftar melebihi batas penguncian memori { $limit }
root-raw-devices = mengukur block device langsung tanpa filesystem
root-drop-caches = mengosongkan cache seluruh host, bukan hanya cache file yang diukur

## watch

watch-not-counted = kernel tidak menghitung I/O { $disks } (queue/iostats bernilai 0): tidak diikutkan
watch-not-timed = kernel tidak mengukur waktu I/O { $disks } (queue/iostats bernilai 0): hanya laju, tanpa latensi
watch-bio-based = I/O { $disks } tidak melewati antrean permintaan: laju dan rata-rata, tanpa persentil
watch-bios-timed = { $disks } tidak punya antrean permintaan: waktu di antrean dan di perangkat tidak dibedakan, dan di atas 16 000 permintaan/detik satu dari delapan diukur
watch-ebpf-not-permitted = persentil latensi memerlukan root, atau CAP_BPF dan CAP_PERFMON: hanya laju dan rata-rata
watch-ebpf-unavailable = tidak ada persentil latensi di sini: { $reason }
watch-instead-of-ebpf = eBPF tidak dapat dipakai di sini ({ $reason }): sebagai gantinya tracepoint lapisan blok, tanpa siapa yang menunggu
watch-not-bottleneck = { $disk } bukan penyebab kelambatan: { $because }
watch-saturated = { $disk } jenuh: { $because }
watch-capped = { $disk } dibatasi: { $because }
watch-slow = { $disk } lambat meskipun bebannya ringan: { $because }
watch-cannot-tell = belum dapat dipastikan apakah { $disk } penyebab kelambatan: { $because }
watch-nothing-asked = selama { $time } tidak ada permintaan
watch-programs-waited = selama { $time } program menunggu penyimpanan sedikitnya { $share } dari waktu
watch-busy-share = selama { $time } ada permintaan yang berjalan dalam paling banyak { $share } dari waktu
watch-read-latency = baca { $statistic } { $latency }
watch-write-latency = tulis { $statistic } { $latency }
watch-read-latency-over = baca { $statistic } { $latency }, melebihi { $bound }
watch-write-latency-over = tulis { $statistic } { $latency }, melebihi { $bound }
watch-flush-latency = flush { $statistic } { $latency }
watch-flush-latency-over = flush { $statistic } { $latency }, melebihi { $bound }
watch-mean-latency = latensi rata-rata { $latency }
watch-outstanding = rata-rata { $outstanding } permintaan yang berjalan
watch-in-queue = { $share } dari latensi adalah waktu di antrean
watch-does-of = sekarang { $rate } dari { $limit } yang diberikan dalam batas { $bound } pada { $date } ({ $curve })
watch-does-of-at-least = sekarang { $rate } dari sedikitnya { $limit } yang diberikan dalam batas { $bound } pada { $date } ({ $curve })
watch-known-latency = satu permintaan memakan { $latency }; pada { $date } dengan jumlah permintaan yang sama { $known }
watch-known-cap = sekarang { $rate }, dan pada { $date } pembatasan menahannya di { $limit }
watch-flat = lajunya rata di { $iops } IOPS: variasinya { $variation }, lebih kecil daripada variasi acak
watch-group-use = { $share } dari batas itu terpakai
watch-silent = selama total { $time } hampir tidak ada permintaan yang selesai, dengan { $outstanding } permintaan yang berjalan
watch-waiter-group = { $share } dari waktu tunggu adalah milik { $group }
watch-waiter-writeback = { $share } dari waktu tunggu adalah writeback page cache
watch-processor-waited = program menunggu prosesor { $share } dari waktu
watch-processor-busy = prosesor sibuk { $share } dari waktu
watch-too-few = { $operations } permintaan terlalu sedikit untuk persentil
watch-no-distribution = sumber yang dipakai memberi rata-rata, bukan persentil
watch-held-elsewhere = ada hal lain yang menahannya: batas control group, disk lain, atau penyimpanan jaringan
watch-limit-unknown = kemampuannya dengan beban ini tidak diketahui
watch-too-hot = suhunya { $celsius } °C, dan ia sendiri menyatakan terlalu panas
watch-too-hot-of = suhunya { $celsius } °C, sedangkan batas pembuatnya { $celsius-max } °C
watch-slow-link = koneksinya berjalan pada { $speed }, padahal bisa { $speed-max }
watch-failed-now = { $count } permintaan gagal selama waktu ini
watch-failed-commands = { $count } perintah kehabisan waktu sejak boot
watch-flushes-among-writes = flush dihitung di antara penulisannya, jadi lajunya tidak dapat dibandingkan dengan kemampuannya (dengan eBPF keduanya dipisah)
watch-next-limit = Saat disk menganggur, ukurlah kemampuannya: { $command }
watch-next-limit-file = Naikkan atau hapus batasnya: { $file }
watch-next-provider = Periksa batas volume dan batas tipe mesin di penyedia; disk yang lebih cepat hanya membantu bila batasnya lebih tinggi.
watch-next-saturated = Disk yang lebih cepat, cache, atau permintaan yang lebih sedikit membantu; menambah permintaan bersamaan tidak.
watch-next-depth = Program tetap menunggu karena permintaan bersamaannya sedikit: lebih banyak permintaan paralel akan menaikkan laju.
watch-next-slow = Periksa galat (dmesg), panas (smartctl -a), dan pemakai lain dari hardware yang sama.
watch-next-slow-check = Periksa galat (dmesg), panas (smartctl -a), dan pemakai lain dari hardware yang sama, lalu ukur saat menganggur: { $command }
watch-saturated-or-capped = permintaan mengantre untuk { $disk }; apakah jenuh atau dibatasi belum dapat dipastikan: { $because }
watch-watching = mengamati { $disks }; sumber: { $source }
watch-source-ebpf = eBPF, setiap permintaan
watch-source-trace = tracepoint lapisan blok, setiap permintaan
watch-source-counters = penghitung (/proc/diskstats): laju dan rata-rata, tanpa persentil
watch-metrics-at = metrik: { $address }
watch-watched-for = selama { $time }
watch-disk-line = { $disk }: { $outstanding } berjalan; terpakai: tidak diketahui
watch-disk-line-used = { $disk }: { $outstanding } berjalan; terpakai: { $used } dari { $limit } dalam batas { $bound } pada { $date } ({ $curve })
watch-waited-per-second = { $time }/s
watch-waiters-estimated = siapa yang menunggu adalah perkiraan: di atas 16 000 permintaan/detik, satu dari delapan permintaan yang lebih cepat dari 1 ms dihitung
watch-missing-requests = { $count } permintaan tidak ada dalam latensi dan dalam daftar yang menunggu; lajunya mencakup permintaan itu
watch-probe = satu pembacaan sendiri per detik: rata-rata { $mean }, paling lama { $max } ({ $count } pembacaan)
watch-probe-waiting = satu pembacaan sendiri sudah menunggu { $time }
watch-probe-errors = pembacaan sendiri yang gagal: { $count }
watch-fact-probe = pembacaan sendiri
watch-read = baca
watch-write = tulis
watch-flush = flush
watch-head-disk = disk
watch-head-queue = antrean p99
watch-head-device = perangkat p99
watch-head-who = yang menunggu
watch-head-waited = menunggu
watch-others = lainnya
watch-source = sumber: { $source }
watch-first-interval = Interval pertama belum selesai.
watch-paused = dijeda: pengukuran berlanjut
watch-capturing = merekam beban { $disk } ke { $file }: c mengakhiri dan menyimpan berkas
watch-capture-saved = { $file } disimpan: { $requests } permintaan ke { $disk }
watch-capture-failed = beban { $disk } tidak terekam: { $error }
watch-keys = q keluar, j/k disk, s urut ({ $order }), c rekam, p jeda, ? bantuan
watch-order-verdict = menurut kesimpulan
watch-order-rate = menurut laju
watch-order-latency = menurut latensi
watch-order-name = menurut nama
watch-head-reads = baca/s
watch-head-writes = tulis/s
watch-head-latency = latensi
watch-head-outstanding = berjalan
watch-head-used = terpakai
watch-map = Latensi { $disk }. Porsi permintaan: ░ < 1 %, ▒ < 10 %, ▓ < 50 %, █ lebih
watch-means = Latensi rata-rata { $disk } (*), satu per interval; sumber tidak memiliki distribusi
watch-help-end = akhiri pengamatan; hasil seluruh pengamatan dicetak
watch-help-disk = pilih disk untuk kalimat, peta, dan yang menunggu
watch-help-sort = urutkan disk menurut kesimpulan, laju, latensi, atau nama
watch-help-capture = rekam beban disk yang dipilih menjadi profil untuk truedisk replay; c sekali lagi menyimpannya
watch-help-pause = jeda layar (juga: bilah spasi); pengukuran berlanjut
watch-help-help = tampilkan atau tutup bantuan ini
watch-help-parts = latensi baca, tulis, dan flush bersama: dari penerimaan oleh lapisan blok sampai selesai. antrean: sampai driver mendapat permintaan. perangkat: dari driver sampai selesai.
watch-help-used = terpakai: laju sebagai porsi dari laju tertinggi yang dicapai pengujian tersimpan disk ini dalam batas.
watch-help-map = peta: satu kolom adalah satu interval; satu baris adalah latensi dari labelnya sampai label di atasnya.
watch-help-absent = -: sumber tidak menunjukkannya, atau permintaan dalam interval terlalu sedikit untuk persentil ini.
watch-scope = diamati selama { $time }; sumber: { $source }
watch-series-read = baca { $statistic }
watch-series-write = tulis { $statistic }
watch-series-flush = flush { $statistic }
watch-chart-latency = Latensi { $disk } dari waktu ke waktu
watch-chart-latency-caption = Satu titik adalah { $time }. Persentil ditampilkan jika titik itu punya cukup permintaan.
watch-chart-rate = Permintaan { $disk } dari waktu ke waktu
watch-chart-rate-caption = Permintaan selesai per detik, setelah digabung. Satu titik adalah { $time }.
watch-tile-used-of = dari { $limit } dalam { $bound } pada { $date } ({ $curve })
watch-tile-median = p50 { $latency }
watch-tile-mean = rata-rata { $latency }
watch-at-least-of-time = setidaknya { $share } dari waktu
watch-of-time = { $share } dari waktu
watch-celsius = { $disk }: { $degrees } °C
watch-errors-of = { $disk }: { $count }
watch-unseen-use = Kemampuan { $disk } dengan beban ini: tidak ada pengujian tersimpan dengan ukuran dan campuran yang sama.
watch-unseen-pressure = Berapa lama program menunggu: kernel ini tidak menghitungnya (psi=1 pada baris perintah kernel).
watch-unseen-throttle = Waktu saat batas control group menahan permintaan sebelum lapisan blok menerimanya: tidak ada latensi yang memuatnya.
watch-unseen-order = Apakah permintaan acak atau sekuensial.
watch-badge-not-bottleneck = bukan penyebab kelambatan
watch-badge-saturated = jenuh
watch-badge-capped = dibatasi
watch-badge-slow = lambat
watch-badge-cannot-tell = belum dapat dipastikan
watch-fact-pressure = program menunggu penyimpanan
watch-fact-processors = prosesor sibuk
watch-fact-cpu-pressure = program menunggu prosesor
watch-fact-steal = hypervisor menjalankan hal lain
watch-fact-dirty = halaman kotor, paling banyak
watch-fact-writeback = halaman yang sedang ditulis balik, paling banyak
watch-fact-errors = permintaan yang gagal
watch-fact-temperature = suhu
watch-fact-limits = batas control group
watch-page-causes = Penyebab yang diperiksa
watch-page-waiters = Siapa yang menunggu
watch-page-others = Disk lain
watch-page-figures = Angka
watch-tile-reads = Baca
watch-tile-writes = Tulis
watch-tile-read-latency = Latensi baca
watch-tile-write-latency = Latensi tulis
watch-tile-flush-latency = Latensi flush
watch-tile-used = Terpakai dari yang diketahui
watch-tile-used-unknown = tidak ada pengujian tersimpan dengan beban ini
watch-unit-flushes = flush/s
watch-method-text = Latensi dihitung dari penerimaan permintaan oleh lapisan blok sampai selesai; antrean: sampai driver menerimanya; perangkat: sejak driver. Permintaan dihitung setelah digabung. Persentil ditampilkan hanya jika jumlah permintaan mencukupi. Bebannya milik program lain: dua pengamatan berbeda bebannya sebelum berbeda disknya.
compare-watch-no-load = tidak ada yang dibaca atau ditulis di { $disk }
compare-watch-other-mix = { $a } berbanding { $b } operasi adalah baca
compare-watch-other-size = { $a } berbanding { $b } per operasi
compare-watch-other-rate = { $a } berbanding { $b } IOPS
compare-watch-differs = { $disk }: tanpa kesimpulan, karena bebannya berbeda: { $differences }
compare-watch-faster = { $disk }: dengan beban yang sama, permintaan di B memakan waktu lebih sedikit
compare-watch-slower = { $disk }: dengan beban yang sama, permintaan di B memakan waktu lebih lama
compare-watch-alike = { $disk }: dengan beban yang sama, permintaan di B memakan waktu yang kira-kira sama
compare-watch-unclear = { $disk }: tanpa kesimpulan: yang diukur terlalu sedikit, atau median dan persentil ke-99, atau baca dan tulis, saling bertentangan
compare-watch-flushes = flush dihitung di antara penulisan, jadi keduanya tidak dapat dibandingkan (dengan eBPF keduanya dipisah)
compare-watch-side = { $run }, { $when }, { $time }; { $source }
compare-watch-side-on = { $run } pada { $host }, { $when }, { $time }; { $source }
compare-watch-no-disk = Tidak ada disk yang aktif dalam kedua pengamatan.
compare-watch-method = Pengamatan bukan pengukuran terkendali: bebannya milik program lain. Kesimpulan hanya ada jika campuran, ukuran, dan laju operasi serupa. Lebih lama atau lebih cepat: median dan persentil ke-99 (pada penghitung: rata-rata) sama-sama berbeda seperempat atau lebih. Untuk membandingkan disk: truedisk compare --interleave.
trend-changed = Tingkat berubah sejak pengujian { $run }: { $change }. Dalam pengamatan bebannya berbeda, jadi ini bukan lebih baik atau lebih buruk.

## stats

no-interval-nothing = tidak ada yang diukur
no-interval-no-number = deretnya memuat nilai yang bukan angka
no-interval-short = terlalu singkat: { $worth } sampel efektif, perlu { $needed }
no-interval-few-measurements = pengukuran terlalu sedikit: { $made }, perlu { $needed }
no-interval-few-rounds = putaran terlalu sedikit untuk selang median: { $made }, perlu { $needed }
no-interval-no-weight = titik yang diukur tidak menentukannya
no-interval-nothing-to-compare = tidak ada yang dibandingkan
no-interval-one-run-each = satu pengujian tiap sisi tidak memberi selang untuk perbedaan antarpengujian
no-interval-one-run = satu pengujian tanpa selang sendiri
no-interval-no-series = tidak ada deret
no-interval-one-pass = satu ulangan tidak memberi selang untuk ini
no-interval-longest = yang terlama dari semuanya
no-interval-next-longer = pengujian berikutnya mungkin punya yang lebih lama
no-interval-imported = JSON fio tidak memuat deret
no-interval-cache-size = jumlah yang ditulis sebelum laju turun; sementara itu cache membebaskan ruang, jadi ukurannya mungkin lebih kecil
no-interval-few-figures = angka terlalu sedikit: { $few } di satu sisi, { $more } di sisi lain
no-interval-flat = banyak nilai sama cocoknya dengan data

## fio

fio-import-no-series = JSON fio tidak memuat deret, sehingga angka dari satu pengujian tidak punya selang
fio-import-no-time = fio tidak menyebutkan kapan berjalan
fio-import-completion-latency = persentil adalah latensi penyelesaian (clat fio): fio tidak memberi persentil latensi total
fio-import-option = job '{ $job }': opsi { $option } diabaikan: { $why }
fio-import-more-options = job '{ $job }': { $more } opsi lain diabaikan
fio-import-guessed = job '{ $job }': fio tidak menyebutkan apa yang diminta; urutan, ukuran, dan kedalaman diambil dari nama dan angkanya

## report/devices

devices-title = Block device
devices-none = Tidak ada block device yang terlihat di sini.
devices-health = Kesehatan
devices-idle = Tidak ditampilkan karena belum disiapkan, kosong, atau memori: { $names }.
devices-may-write = Bolehkah ditulisi?
devices-write-note = Tidak ada yang dibuka untuk ditulis saat memeriksa ini; sebelum menulis, pemeriksaan diulang. Perangkat hanya ditulisi bila disebut dua kali: truedisk check DEVICE --yes-destroy-data-on DEVICE.
devices-file-systems = Filesystem
devices-swap = Ruang swap: { $path }, terpakai { $used } dari { $size }.
devices-measure = Perintah untuk pengukuran berikutnya
devices-unknown = Tidak diketahui
head-device = perangkat
head-size = ukuran
head-claims = klaim perangkat
head-link = koneksi
head-health = kesehatan
head-queue = antrean
head-cache = cache
head-sectors = sektor
head-why = alasan
head-mounted-on = di-mount di
head-kind = jenis
head-free = ruang bebas
head-on = pada perangkat
device-detail = { $kind } { $detail }
device-over = { $kind } di atas { $file }
device-removable = { $device }, dapat dilepas
device-link = { $kind } { $current }: maksimal { $ceiling }
device-link-of = { $kind } { $current } dari { $max }: maksimal { $ceiling }
device-link-below = { $link }, di bawah kemampuannya
device-no = tidak
device-loses-data = data akan hilang
device-yes = ya
device-unknown = tidak diketahui
device-holds = tidak ada yang memakainya di sini, tetapi berisi { $held }
device-unused = tidak ada yang memakainya di sini, dan tidak ada data yang ditemukan
device-unseen = tidak terlihat ada yang memakainya; lihat di bawah
mount-of = { $what } ({ $source })
mount-of-on = { $what }, pada { $devices }
mount-root = { $mount }: folder { $root } di dalamnya
mount-read-only = { $mount }, hanya baca

## model

sheet-sources = Sumber
models-title = Paket dan model
head-for-example = contoh
model-own-plan = paket Anda sendiri
model-hdd = HDD menurut lembar datanya
model-ladder = kemampuan perangkat umum
model-as-of = Volume AWS menerima as-of=YYYY-MM-DD untuk batas pada hari itu.
ladder-title = Baca acak 4 KiB per detik pada perangkat umum
ladder-this-record = REKAMAN INI
head-class = kelas
head-example = contoh
ladder-note = Terukur: median kiriman pengguna ke iocost-benchmarks, satu sampai empat drive per model pada host yang berbeda. Dijual: menurut penyedia. Bacalah sebagai kisaran.
ladder-measured = terukur
ladder-sold = dijual
ladder-computed = dihitung
ladder-rotating-disk = HDD
ladder-cloud-volume = volume cloud
ladder-below-time = di bawah { $time }
model-random-reads = Baca acak, menurut ukuran blok
model-random-writes = Tulis acak, menurut ukuran blok
model-sequential-reads = Baca sekuensial, digabung, menurut ukuran blok
model-sequential-writes = Tulis sekuensial, digabung, menurut ukuran blok
head-measured-iops = IOPS terukur
head-block = blok
head-burst = burst
head-limit = batas
head-time = waktu
model-tolerance = Penyedia menyatakan { $share } % darinya selama { $of-time } % waktu.
model-limit-operations = operasi
model-limit-bytes = byte
model-no-limit = tanpa batas
model-over-time = Sepanjang waktu, mulai dari kredit penuh, dengan beban yang memakai semua yang tersedia
model-phase = { $from } sampai { $until }
model-phase-on = mulai { $from }
model-always = berkelanjutan
model-burst = burst
model-refill = Tanpa beban, kredit yang habis penuh lagi setelah { $time }.
model-hours = { $seconds } s ({ $hours } h)
model-seconds = { $seconds } s
hdd-title = HDD, { $rpm } rpm, seek rata-rata { $seek }
hdd-formula = Satu operasi acak setiap kali: seek + setengah rotasi + transfer + kontroler.
hdd-stretch = Lengan hanya bergerak di { $share } % permukaan: seek = { $track } + ({ $seek } - { $track }) x sqrt({ $share } %).
hdd-table = Acak, satu per satu
hdd-surface = Sekuensial, sepanjang permukaan (radius terdalam setengah dari yang terluar)
head-seek-ms = seek ms
head-rotation = rotasi
head-transfer = transfer
head-controller = kontroler
head-all-ms = total ms
head-at = posisi
plan-gp2-base = laju dasar: 3 IOPS per GiB, paling sedikit 100; 128 MiB/s sampai 170 GiB, di atasnya lebih
plan-gp2-burst = burst: 5,4 juta kredit, masing-masing satu operasi, penuh di awal
plan-gp3 = tanpa burst; dapat dibeli sampai 500 IOPS per GiB dan 0,25 MiB/s per IOPS
plan-io1 = 500 MiB/s sampai 32 000 IOPS, di atasnya 16 KiB per IOPS; lebih dari 32 000 hanya di Nitro
plan-io2 = 0,256 MiB/s per IOPS sampai 4 000 MiB/s; dirancang rata-rata di bawah 1 ms
plan-hdd-volume = per TiB: { $base } MiB/s berkelanjutan, saat burst { $burst } MiB/s; seluruhnya paling banyak { $most } MiB/s; kredit: satu kali ukuran volume
plan-azure-host-cache = pembacaan dapat dijawab oleh cache host, bila aktif
plan-azure-credits = kredit operasi dan kredit byte terpisah, masing-masing untuk 30 menit
plan-azure-on-demand = bursting sesuai permintaan, yang berbayar, tidak berakhir
plan-no-burst-bought = tanpa burst; dapat dibeli { $limits }
plan-azure-v2-limits = sampai 500 IOPS per GiB dan 0,25 MB/s per IOPS
plan-azure-ultra-limits = sampai 1 000 IOPS per GiB dan 0,25 MB/s per IOPS
plan-gcp-machines = tanpa burst; tipe mesin kecil punya batas sendiri yang lebih rendah
plan-gcp-baseline = Google menambahkan nilai dasar, yang angkanya tidak ada dalam model ini
plan-gcp-n2 = nilai tertinggi memerlukan mesin N2 dengan 64 prosesor atau lebih
plan-gcp-size = ukuran volume membatasi yang dapat dibeli; hal itu tidak diperiksa di sini
plan-gcp-extreme = 250 MiB/s untuk setiap 1 000 IOPS, sampai 5 000 MiB/s
plan-gcp-throughput = 4 IOPS untuk setiap MiB/s; 10 sampai 30 ms per pembacaan, seperti HDD
plan-gcp-target = target menurut Google, bukan jaminan; tipe mesin juga membatasinya
plan-digitalocean = sama untuk setiap ukuran; burst 60 s, lalu paling sedikit 60 s tanpa burst
plan-vultr = batas atas menurut Vultr, tanpa minimum; sampai 50 % lebih selama sekitar satu menit
plan-what-aws-gp2 = EBS General Purpose SSD, dengan kredit
plan-what-aws-gp3 = EBS General Purpose SSD
plan-what-aws-st1 = EBS Throughput Optimized HDD, dengan kredit
plan-what-aws-sc1 = EBS Cold HDD, dengan kredit
plan-what-gcp-pd-standard = Persistent Disk, HDD
plan-what-azure-premium = Premium SSD menurut ukuran, atau p1 sampai p80 menurut nama
plan-what-digitalocean-basic = volume pada droplet dasar
plan-what-digitalocean-optimized = volume pada droplet teroptimasi
plan-what-vultr-nvme = block storage, NVMe
plan-what-vultr-hdd = block storage, HDD

## capture

capture-capturing = merekam permintaan { $disk }
capture-progress = { $disk }: { $requests } permintaan dalam { $time }
capture-captured = { $disk }: { $rate } IOPS selama { $time } ({ $requests } permintaan)
capture-uncertain = Laju: ±{ $margin } (95 %). Perekaman yang lebih lama lebih pasti.
capture-kind = { $kind }: { $facts }
capture-reads = baca
capture-writes = tulis
capture-discards = discard
capture-flushes = flush
capture-share = { $share } dari permintaan
capture-size = umumnya { $size }
capture-sequential = { $share } sekuensial
capture-none-sequential = tidak ada yang sekuensial
capture-latency = { $statistic } { $latency }
capture-lost = { $lost } permintaan tidak terekam ({ $share }): laju terlalu rendah sebesar bagian itu.
capture-lost-few = { $lost } permintaan tidak terekam, kurang dari 0,01 % dari semuanya.
capture-own-writes = { $file } berada di { $disk }: penulisannya termasuk beban
capture-full = { $file } mencapai ukuran terbesarnya, { $size }, dan perekaman berakhir. Untuk lebih banyak: --max-size.
capture-trace-saved = trace: { $file } ({ $size })
capture-profile-saved = profil: { $file }

## target, announcements

announce-test-file = file uji { $size } di { $path }
announce-test-files = file uji sampai { $size } di { $path } pada setiap host
announce-over = ke { $size } pertama dari { $path } (isinya tertimpa)
announce-then-reads = menulis { $what }, lalu hanya membaca: seluruhnya paling lama { $time }
announce-then-writes-up-to = menulis { $what }, lalu membaca dan menulis: seluruhnya paling banyak { $max } dan { $time }
announce-then-writes = menulis { $what }, lalu membaca dan menulis dengan kecepatan penuh: seluruhnya paling lama { $time }; pada 1 GB/s sampai { $gigabytes } GB (batasi: --max-written SIZE)
announce-of-preset = { $preset }: { $announcement }
announce-small-files = { $preset }: menulis file kecil, seluruhnya sampai { $written }, dalam folder sendiri di { $path }; folder itu lalu dihapus; { $time }
announce-only-reads = { $preset } membaca { $path } dan tidak menulis apa pun; paling lama { $time }
announce-search-part = memeriksa apakah ada data di { $path } sebelum menulisinya (sekitar 2 s)
announce-search-whole = memeriksa seluruh { $size } dari { $path } apakah ada data sebelum menulisinya
announce-requests-write = tiap permintaan menulis { $size } { $place }, { $end }
announce-to-path = ke { $path }
announce-over-contents = ke { $path }, menimpa isinya
announce-to-work-file = ke file kerja di { $folder }
announce-work-file-then-requests = menulis file kerja { $work } di { $folder }, lalu { $size } per permintaan, { $end }
announce-work-file-then-reads = menulis file kerja { $work } di { $folder }, lalu hanya membaca, { $end }
announce-until-stopped = sampai dihentikan
announce-for-time = selama { $time }
announce-at-most = paling banyak { $times } kali
duration-at-most = paling lama { $max }
duration-about = sekitar { $usual } pada SSD, sampai semua terukur
duration-about-and-at-most = sekitar { $usual } pada SSD, paling lama { $max }
use-mounted = { $device } di-mount pada { $path }
use-swap = { $device } sedang dipakai sebagai swap
use-part-of = { $device } adalah bagian dari { $whole }
use-behind-loop = { $device } adalah perangkat di bawah { $above }
use-open = { $program } (proses { $process }) membuka { $device } untuk ditulis
use-unknown-to-sysfs = sysfs tidak mengenal { $device }: tidak diketahui apakah sedang dipakai
use-number-unknown = sysfs tidak memberi nomor { $device }
use-proc-unreadable = /proc tidak dapat dibaca: tidak diketahui apakah sedang dipakai
write-no-size = tidak punya ukuran: belum disiapkan, atau tidak ada media di dalamnya
write-kernel-read-only = kernel menjadikannya hanya baca
write-optical = media optik tidak ditulis
write-no-permission = pengguna ini tidak boleh menulis ke sana
write-kernel-busy = kernel menyatakan perangkat sedang dipakai: { $error }
write-contents-unseen = apakah ada program yang memakainya, dan apa isinya: { $reason }
write-blocks-unseen = apakah ada program yang memakainya, dan blok-bloknya: { $reason }
holds-by-udev = { $kind }, menurut udev
holds-table-by-udev = tabel partisi ({ $kind }), menurut udev
mount-size-unseen = ukurannya: { $reason }
unseen-serial = nomor seri { $device }: izin ditolak
unseen-nested-deeper = filesystem yang bersarang lebih dari { $levels } tingkat
unseen-upper-outside = filesystem dari { $upper }: berada di luar container ini
unseen-upper-assumed = { $upper } berada di luar container ini: dianggap ada di { $source }, seperti { $mounted-at }
unseen-backing-file-system = filesystem dari { $file }, file di balik { $device }
unseen-mounts = apa yang di-mount: /proc/self/mountinfo tidak dapat dibaca
unseen-block-devices = block device: /sys/dev/block tidak dapat dibaca
device-file-missing = tidak ada file perangkat { $path }
device-file-other = { $path } bukan file perangkat dari { $device }
device-too-small = terlalu kecil untuk diukur: perlu sedikitnya { $size-min }
device-health-unseen = log kesehatannya (SMART) tidak dapat dibaca: { $reason }
mount-no-permission = pengguna ini tidak boleh menulis di folder teratasnya: sebutkan folder milik Anda di sana
mount-overlay-upper = overlay: penulisan masuk ke { $upper }
mount-overlay = overlay yang tidak menerima penulisan
mount-memory = memori, bukan disk
mount-other-host = di host lain
mount-fuse = disajikan oleh program (FUSE)
holds-gpt-partition-table = tabel partisi GPT
holds-ext2-3-4-file-system = filesystem ext2/3/4
holds-xfs-file-system = filesystem xfs
holds-btrfs-file-system = filesystem btrfs
holds-bcachefs-or-bcache-device = perangkat bcachefs atau bcache
holds-bcachefs-file-system = filesystem bcachefs
holds-f2fs-file-system = filesystem f2fs
holds-ntfs-file-system = filesystem NTFS
holds-exfat-file-system = filesystem exFAT
holds-fat-file-system = filesystem FAT
holds-iso-9660-file-system = filesystem ISO 9660
holds-squashfs-file-system = filesystem squashfs
holds-lvm-physical-volume = physical volume LVM
holds-luks-volume = volume LUKS
holds-member-of-an-md-array = anggota array md
holds-member-of-a-zfs-pool = anggota pool ZFS
holds-ceph-osd = Ceph OSD
holds-swap-space = ruang swap
holds-gzip-stream = stream gzip
holds-xz-stream = stream xz
holds-zstd-stream = stream zstd
holds-lz4-stream = stream lz4
holds-bzip2-stream = stream bzip2
holds-zip-archive = arsip zip
holds-7z-archive = arsip 7z
holds-tar-archive = arsip tar
holds-data-encrypted-by-openssl = data yang dienkripsi OpenSSL
holds-data-encrypted-by-age = data yang dienkripsi age
holds-partition-table-or-boot-sector = tabel partisi atau boot sector
holds-unknown-data = data yang tidak dikenal jenisnya
holds-benchmark-data = sisa benchmark, atau volume terenkripsi tanpa header
