//! Test suites and exporters: their commands made short, and what they read of the answer. Each
//! script ends with another status than 0 where a figure is missing.

use std::path::Path;

use super::{good, needs};
use crate::harness::run::Side;

/// Runs a script in which every command of fio must be silent on stderr.
fn passes(side: Side, dir: &Path, text: &str) -> Result<(), String> {
    needs(dir, "command -v jq", "jq")?;
    let outcome = good(side, dir, "bash", &format!("set -eo pipefail\n{text}"))?;
    match outcome.stderr.as_str() {
        "" => Ok(()),
        words => Err(format!("stderr: {words}")),
    }
}

/// JSON of one job: every figure above 0, bandwidths whole.
pub fn kdiskmark(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
F=$PWD/.kdiskmark.tmp
fio --output-format=json --create_only=1 --filename=$F --size=16m --zero_buffers=0 --name=prepare \
  | jq -e '.jobs[0].error == 0' >/dev/null
[ $(stat -c %s $F) = 16777216 ]
for RUN in read:1024:8:1 write:1024:8:1 rw:1024:1:1 randread:4:32:2 randwrite:4:32:2 randrw:4:1:1
do
  IFS=: read -r RW BS Q T <<< "$RUN"
  fio --output-format=json --ioengine=libaio --direct=1 --randrepeat=0 --refill_buffers \
    --end_fsync=1 --rwmixread=70 --filename=$F --name=$RW --size=16m --zero_buffers=0 --bs=${BS}k \
    --runtime=1 --rw=$RW --iodepth=$Q --numjobs=$T > r.json
  case $RW in *read) WAYS=read;; *write) WAYS=write;; *) WAYS='read write';; esac
  for WAY in $WAYS; do
    jq -e --arg way $WAY '[.jobs[] | .error == 0 and (.[$way] | .bw > 0 and .bw == (.bw|floor)
      and .iops > 0 and .lat_ns.mean > 0)] | all' r.json > /dev/null
  done
done"#;
    passes(side, dir, text)
}

/// Terse fields by number, counted from 0: whole rates, latencies of the direction.
pub fn tkperf(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
for RUN in 100:512 65:8k 0:64k; do
  IFS=: read -r MIX BS <<< "$RUN"
  LINE=$(fio --filename=f --name=iops --direct=1 --minimal --ioengine=libaio --time_based \
    --numjobs=2 --iodepth=4 --runtime=1 --group_reporting --size=4m --rw=randrw --rwmixread=$MIX \
    --bs=$BS --refill_buffers)
  IFS=';' read -r -a T <<< "$LINE"
  READS='6 7 37 38 39' WRITES='46 47 48 78 79 80'
  case $MIX in 100) SOME=$READS;; 0) SOME=$WRITES;; *) SOME="$READS $WRITES";; esac
  for AT in $SOME; do awk "BEGIN { exit !(${T[$AT]} > 0) }" || { echo "$MIX: $AT"; exit 3; }; done
  for AT in 6 7 46 47 48; do [ "${T[$AT]}" -ge 0 ]; done
done"#;
    passes(side, dir, text)
}

/// Job files that include others, and idle processors.
pub fn kbench(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
printf 'stonewall=1\nrandrepeat=0\nverify=0\nioengine=libaio\ndirect=1\ntime_based=1\n' > quick
printf 'ramp_time=100ms\nruntime=600ms\n' >> quick
printf 'bs=4K\niodepth=64\n' > iops
for RW in randread randwrite read write; do
  printf "[$RW-iops]\nreadwrite=$RW\ninclude iops\ninclude quick\n\n"
done > iops.fio
fio iops.fio --idle-prof=percpu --filename=f --size=8m --output-format=json --output=iops.json
jq -e '(.cpu_idleness.system | type) == "number"' iops.json
for JOB in 0:read 1:write 2:read 3:write; do
  IFS=: read -r AT WAY <<< "$JOB"
  jq -e --arg way $WAY --argjson at $AT '.jobs[$at][$way] | .iops_mean > 0 and .bw_mean > 0
    and .lat_ns.mean > 0 and .clat_ns.percentile["99.000000"] > 0' iops.json
done"#;
    passes(side, dir, text)
}

/// The helpers of blktests and xfstests: options that must be known, terse version 4.
pub fn kernel_tests(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
fio --parse-only --terse-version=4 > /dev/null 2>&1
fio --cmdhelp=zonemode 2>&1 | grep -q zbd
IFS='.' read -r A B C < <(fio --version | cut -c 5- | sed 's/-.*//')
[ $((A * 65536 + B * 256 + C)) -ge $((3 * 65536 + 30 * 256)) ]
run() { fio --output=perf --output-format=terse --terse-version=4 --group_reporting=1 "$@"; }
above() { for AT in "$@"; do
  V=$(cut -d ';' -f $AT perf); awk "BEGIN { exit !(${V%\%} > 0) }" || { echo "$AT: $V"; exit 3; }
done; }
run --bs=4k --rw=randread --norandommap --numjobs=2 --name=reads --direct=1 --size=4m --filename=f
[ $(wc -l < perf) = 1 ]; above 6 7 8 9 16 40 131 134
run --name=verify --rw=randwrite --direct=1 --ioengine=libaio --bs=4k --iodepth=16 \
  --verify=crc32c --size=4m --filename=f
ls local*verify*state > /dev/null; rm -f local*verify*state
[ $(wc -l < perf) = 1 ]; above 6 7 8 16 47 48 49 57 81
printf '[w]\nfilename=f\nsize=1m\nrw=randwrite\ndirect=1\n' > job.fio
fio --warnings-fatal --showcmd job.fio | grep -q -- '--rw=randwrite'
if printf '[a]\nrw=read\nsize=1m\nnosuch=1\n' | fio --warnings-fatal --showcmd - >/dev/null 2>&1
then exit 4; fi"#;
    passes(side, dir, text)
}

/// The text for people, without latencies.
pub fn phoronix(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
for ENGINE in sync libaio posixaio io_uring; do
  for RW in randread write; do
    cat > test.fio <<JOB
[global]
rw=$RW
ioengine=$ENGINE
iodepth=64
size=4m
direct=1
buffered=0
startdelay=10ms
ramp_time=100ms
runtime=600ms
time_based
disk_util=0
clat_percentiles=0
disable_lat=1
disable_clat=1
disable_slat=1
filename=fiofile
[test]
name=test
bs=4k
stonewall
JOB
    fio test.fio > LOG
    grep -qE '^ +(read|write) ?: IOPS=[0-9.k]+, BW=[0-9.]+[KMG]iB/s' LOG
    grep -qE 'bw \( +[KM]iB/s\): min= *[0-9]+, max= *[0-9]+, per=[0-9.]+%, avg=' LOG
    grep -qE 'iops +: min= *[0-9]+, max= *[0-9]+, avg=' LOG
    if grep -q clat LOG; then exit 3; fi
  done
done"#;
    passes(side, dir, text)
}

/// json+ with a bin for every operation, and logs of windows of a second.
pub fn ezfio(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
fio -v > /dev/null
fio --help | grep -q 'json+'
for RUN in 0:16:1 30:2:1 100:1:4; do
  IFS=: read -r MIX THREADS QD <<< "$RUN"
  cat > job <<JOB
[test-f]
readwrite=randrw
rwmixwrite=$MIX
bs=4096
invalidate=1
end_fsync=0
group_reporting=1
direct=1
filename=f
size=4M
time_based=1
runtime=2
ioengine=libaio
numjobs=$THREADS
iodepth=$QD
norandommap=1
randrepeat=0
thread=1
exitall=1
offset=0G
write_iops_log=$PWD/T
write_lat_log=$PWD/T
log_avg_msec=1000
log_unix_epoch=0
JOB
  rm -f T_*; fio job --output-format=json+ > r.json
  jq -e '[.jobs[0] | .read, .write | select(.total_ios > 0)
    | .iops > 0 and .lat_ns.mean > 0 and ([.clat_ns.bins[]] | add) == .total_ios]
    | length > 0 and all' r.json > /dev/null
  [ $(ls T_iops.*.log | wc -l) = $THREADS ]; [ $(ls T_clat.*.log T_slat.*.log | wc -l) -gt 1 ]
  # Lines before 950 ms would be of no whole second.
  awk -F', ' '$1 < 950 || $3 > 1 { exit 3 } END { exit NR == 0 }' T_iops.*.log
done"#;
    passes(side, dir, text)
}

/// JSON behind the text for people, cut out behind the line that says how many jobs start.
pub fn cbt(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
mkdir ep
fio --ioengine=libaio --rw=write --numjobs=2 --bs=4M --size 4M --output-format=json,normal \
  --name=ep/h-0-0 > /dev/null
fio --ioengine=libaio --direct=1 --bs=4096B --iodepth=16 --end_fsync=0 --rw=randrw --rwmixread=50 \
  --rwmixwrite=50 --random_distribution=zipf:1.1 --norandommap --size=4M --numjobs=2 --runtime=1 \
  --time_based --ramp_time=1 --name=ep/h-0-0 --write_iops_log=o --write_bw_log=o \
  --write_lat_log=o --log_avg_msec=250 --output-format=json,normal > out
sed -n '/Starting/,/^$/p' out | tail -n +2 | sed '/^$/d' > cut.json
jq -e '.["global options"] | .bs == "4096B" and .numjobs == "2" and .rwmixwrite == "50"' cut.json
jq -e '[.jobs[] | .read, .write | .io_bytes > 0 and .bw_bytes > 0 and .iops > 0
  and .total_ios > 0 and .clat_ns.mean > 0 and .clat_ns.stddev > 0] | all' cut.json
for KIND in iops bw lat clat slat; do [ -s o_$KIND.1.log ]; [ -s o_$KIND.2.log ]; done"#;
    passes(side, dir, text)
}

/// Terse lines while the job runs: of version 3 and of version 5, whose last has all figures.
pub fn exporters(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
fio --name=a --filename=f --ioengine=libaio --direct=1 --size=4m --runtime=2 --time_based \
  --rw=randrw --bs=4k --iodepth=4 --group_reporting --status-interval=1 --output-format=terse \
  --terse-version=3 > lines
[ $(wc -l < lines) -ge 2 ]
awk -F';' 'NF < 121 || (NF - 121) % 9 { exit 3 } { for (i = 5; i <= 121; i++) { v = $i
  sub(/.*=/, "", v); sub(/%$/, "", v); if (v !~ /^[0-9.]+$/) exit 4 } }
  { last = $7 * $8 * $48 * $49 } END { if (last == 0) exit 5 }' lines
fio --name=latency --numjobs=2 --ioengine=libaio --direct=1 --bs=4k --iodepth=1 \
  --readwrite=randrw --status-interval=1 --directory=. --size=2M --runtime=2 --time_based \
  --output-format=terse --terse-version=5 --lat_percentiles=1 --clat_percentiles=0 \
  --group_reporting > lines
grep -qv '^5;fio-' lines && exit 3
tail -n 1 lines | awk -F';' '{
  split("7 8 38 39 40 42 43 45 48 49 50 54 55 85 86 87 89 90 92 95 96 97", some, " ")
  for (i in some) if ($some[i] + 0 <= 0) exit 4
  split("28 29 30 75 76 77", some, " ")
  for (i in some) { split($some[i], v, "="); if (v[2] + 0 <= 0) exit 5 } }'"#;
    passes(side, dir, text)
}

/// A log of each kind for each job, of lines with four whole numbers.
pub fn pbench(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
cat > fio.job <<JOB
[global]
bs=4k
ioengine=libaio
iodepth=32
direct=1
sync=0
time_based=1
runtime=2
clocksource=gettimeofday
ramp_time=1
[job1]
rw=randrw
size=4M
write_bw_log=fio
write_iops_log=fio
write_lat_log=fio
log_avg_msec=500
filename=f
numjobs=2
JOB
fio --max-jobs=1 --output-format=json fio.job > r.json
jq -e '.["global options"].ramp_time == "1" and .jobs[0]["job options"].numjobs == "2"' r.json
for KIND in bw iops lat clat slat; do
  for JOB in 1 2; do
    [ -s fio_$KIND.$JOB.log ]
    if grep -qvE '^[0-9]+, +[0-9]+, +[0-9]+, +[0-9]+' fio_$KIND.$JOB.log; then exit 3; fi
  done
done"#;
    passes(side, dir, text)
}

/// A job file with decimals, by Python's configparser.
pub fn cdm(side: Side, dir: &Path) -> Result<(), String> {
    let text = r#"
cat > cdm.jobfile <<JOB
[global]
ioengine=posixaio
filename=.fio_testmark
directory=$PWD
size=4194304.0
direct=1
runtime=5
refill_buffers
norandommap
randrepeat=0
allrandrepeat=0
group_reporting
JOB
for RW in read write rw; do
  printf "[seq-$RW-1m-q8-t1]\nrw=$RW\nbs=1m\nrwmixread=70.0\niodepth=8\nnumjobs=2\nloops=2\n"
  printf "stonewall\n"
done >> cdm.jobfile
fio --ioengine posixaio --max-jobs=1 --output-format json cdm.jobfile > r.json
jq -e '[.jobs[] | .error] == [0, 0, 0] and .jobs[0].read.bw_bytes > 0
  and .jobs[1].write.bw_bytes > 0 and .jobs[2].read.iops > 0' r.json"#;
    passes(side, dir, text)
}
