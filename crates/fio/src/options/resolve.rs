//! Rules between options.

use super::distribution::Distribution;
use super::engine::Engine;
use super::job::JobOptions;
use super::network::Protocol;
use super::parse::{READS, WRITES};
use super::report::UnitBase;
use super::sizes::SizeValue;
use super::target::LockMode;
use super::verify::VerifyMethod;
use super::zone::ZoneMode;

/// The smallest page of memory that Linux has, in bytes.
const MIN_PAGE: u64 = 4096;
/// Names of directions, for messages.
const DIRECTIONS: [&str; 3] = ["reads", "writes", "trims"];

/// Applies the rules between options, once all of a job's are set, and returns what there is to
/// tell about them. Calling it again changes nothing more.
/// What fio replaces in silence is replaced the same way; where options are without effect, a
/// note says so. What fio prints as a warning is a note here.
/// Errors: where fio refuses the job, and where it would run to a
/// meaningless result (`latency_target` with latencies turned off).
pub fn resolve_options(options: &mut JobOptions) -> Result<Vec<String>, String> {
    let mut notes = Vec::new();
    resolve_files(options, &mut notes);
    resolve_blocks(options, &mut notes);
    resolve_random(options, &mut notes);
    resolve_data(options, &mut notes);
    note_capped_depth(options, &mut notes);
    // As in fio.
    let splices_reads =
        options.engine.engine == Engine::Splice && options.pattern.rw.operation.reads();
    options.engine.direct |= splices_reads;
    check_overlap(options)?;
    check_priorities(options)?;
    check_length_engine(options)?;
    resolve_name_engine(options, &mut notes)?;
    resolve_cpu_engine(options)?;
    resolve_exec_engine(options)?;
    resolve_net_engine(options)?;
    note_useless_syncs(options, &mut notes);
    resolve_times(options, &mut notes);
    resolve_rates(options, &mut notes)?;
    resolve_goals(options, &mut notes)?;
    resolve_verify(options, &mut notes);
    check_trims(options)?;
    check_mapped_blocks(options)?;
    resolve_zones(options, &mut notes)?;
    resolve_reports(options, &mut notes);
    check_file_count(options)?;
    Ok(notes)
}

/// The engine numbers the files of an instance with 16 bits.
const FILES_MAX: u32 = u16::MAX as u32;

/// Before the first file is made.
fn check_file_count(o: &JobOptions) -> Result<(), String> {
    let files = o.target.nrfiles;
    if files > FILES_MAX && o.target.opendirs.is_empty() {
        return Err(format!(
            "nrfiles={files}: a job has {FILES_MAX} files at most; use numjobs for more"
        ));
    }
    Ok(())
}

fn resolve_files(o: &mut JobOptions, notes: &mut Vec<String>) {
    if let Ok(given @ 1..) = u32::try_from(o.target.filenames.len()) {
        if o.target.nrfiles != 1 && o.target.nrfiles != given {
            notes.push(format!("nrfiles has no effect: {given} filename(s) are given"));
        }
        o.target.nrfiles = given;
    }
    if o.target.lock != LockMode::None && !o.engine.engine.is_synchronous() {
        let engine = o.engine.engine.word();
        notes.push(format!("lockfile has no effect with {engine}: fio locks the submission alone"));
    }
    if o.target.pre_read {
        o.target.invalidate = false;
    }
    if o.size.fill_device && o.target.overwrite {
        notes.push("overwrite has no effect with fill_device".to_owned());
        o.target.overwrite = false;
    }
    if o.target.unlink_each_loop && o.target.allow_file_create && o.run.loops <= 1 {
        notes.push("unlink_each_loop without loops is the same as unlink".to_owned());
    }
}

fn resolve_blocks(o: &mut JobOptions, notes: &mut Vec<String>) {
    let default = JobOptions::default().pattern;
    for (index, name) in DIRECTIONS.iter().enumerate() {
        let wins = if !o.pattern.bssplit[index].is_empty() {
            "bssplit"
        } else if o.pattern.bsrange[index].is_some() {
            "bsrange"
        } else {
            continue;
        };
        if o.pattern.bs[index] != default.bs[index] {
            notes.push(format!("bs of {name} has no effect: {wins} is given"));
        }
    }
    if o.pattern.bs_unaligned && o.engine.direct {
        notes.push("bs_unaligned may not work with direct=1".to_owned());
    }
}

fn resolve_random(o: &mut JobOptions, notes: &mut Vec<String>) {
    let pattern = &mut o.pattern;
    if !pattern.rw.operation.is_random() || pattern.random_places.norandommap {
        return;
    }
    let aligned = (0..3)
        .any(|index| pattern.blockalign[index].is_some_and(|align| align != pattern.min_bs(index)));
    if aligned {
        notes.push("blockalign turns norandommap on".to_owned());
        pattern.random_places.norandommap = true;
    }
    // Skewed offsets repeat by their nature; fio keeps no map for them either.
    if pattern.random_distribution.iter().any(|kind| *kind != Distribution::Random) {
        pattern.random_places.norandommap = true;
    }
}

fn resolve_data(o: &mut JobOptions, notes: &mut Vec<String>) {
    let data = &mut o.data;
    let shaped = data.compress_percentage.is_some() || data.dedupe_percentage.is_some();
    if data.zero_buffers && (shaped || data.buffer_pattern.is_some()) {
        let wins = if shaped { "compression or duplicates are" } else { "buffer_pattern is" };
        notes.push(format!("zero_buffers has no effect: {wins} asked for"));
        data.zero_buffers = false;
    }
}

fn note_capped_depth(o: &JobOptions, notes: &mut Vec<String>) {
    if o.engine.iodepth > 1 && o.engine.engine.is_synchronous() {
        // fio's words: scripts look for them.
        let note = "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth \
                    will be capped at 1";
        notes.push(note.to_owned());
    }
}

/// Threads of one operation each do not know of each other's places.
fn check_overlap(o: &JobOptions) -> Result<(), String> {
    let posix = o.engine.engine == Engine::Posixaio && o.engine.iodepth > 1;
    if !o.engine.serialize_overlap || !posix {
        return Ok(());
    }
    let problem = "serialize_overlap with posixaio, which is threads here: they do not compare \
                   their operations; use libaio or io_uring";
    Err(problem.to_owned())
}

fn check_priorities(o: &JobOptions) -> Result<(), String> {
    if o.engine.cmdprio.has_conflict() {
        let problem = "cmdprio_percentage and cmdprio_bssplit are mutually exclusive; keep one";
        return Err(problem.to_owned());
    }
    Ok(())
}

fn check_length_engine(o: &JobOptions) -> Result<(), String> {
    let (engine, operation) = (o.engine.engine, o.pattern.rw.operation);
    if engine == Engine::Ftruncate && operation.reads() {
        return Err("ioengine=ftruncate only writes; use rw=write or rw=randwrite".to_owned());
    }
    if engine.changes_length() && o.verify.method != VerifyMethod::None {
        let word = engine.word();
        return Err(format!("ioengine={word} moves no data to be checked; leave verify out"));
    }
    Ok(())
}

/// Engines that call names have one operation per file, and only its completion latency.
fn resolve_name_engine(o: &mut JobOptions, notes: &mut Vec<String>) -> Result<(), String> {
    let (engine, operation) = (o.engine.engine, o.pattern.rw.operation);
    if !engine.calls_names() {
        return Ok(());
    }
    let word = engine.word();
    let directions = operation.directions().iter().filter(|has| **has).count();
    let refused = [
        (o.verify.method != VerifyMethod::None, "verify"),
        (o.target.unlink_each_loop, "unlink_each_loop"),
        (!o.target.opendirs.is_empty(), "opendir"),
        (o.size.fill_device, "fill_device"),
        (directions > 1 || operation.trims(), "rw other than read or write"),
        (!o.replay.read_iologs.is_empty(), "read_iolog"),
    ];
    if let Some((_, option)) = refused.iter().find(|(given, _)| *given) {
        return Err(format!("ioengine={word} calls names and moves no data; leave {option} out"));
    }
    let block = o.pattern.min_bs(if operation.writes() { WRITES } else { READS });
    if o.size.filesize.is_some_and(|size| size.min > block) {
        notes.push(format!(
            "ioengine={word} counts one operation per file; fio counts {block} bytes of filesize \
             as one, and calls for the first"
        ));
    }
    // Without latencies there are none at all. Resolved options have neither of the others.
    o.report.disable_clat |= o.report.disable_lat && !o.report.disable_slat;
    (o.report.disable_slat, o.report.disable_lat) = (true, true);
    Ok(())
}

/// As in fio: `cpuio` has one operation per busy piece, and pauses between them.
fn resolve_cpu_engine(o: &mut JobOptions) -> Result<(), String> {
    if o.engine.engine != Engine::CpuIo {
        return Ok(());
    }
    if o.engine.cpu.load == 0 {
        return Err("ioengine=cpuio needs cpuload, the load in percent".to_owned());
    }
    if !(o.run.time_based || o.run.runtime_us > 0 || o.engine.cpu.exit_on_io_done) {
        return Err("nothing ends ioengine=cpuio; give runtime or exit_on_io_done=1".to_owned());
    }
    let load = u64::from(o.engine.cpu.load);
    (o.rate.thinktime_us, o.rate.thinktime_spin_us) =
        (o.engine.cpu.chunk_us.saturating_mul(100 - load) / load, 0);
    o.target.nrfiles = 1;
    o.size.size = Some(SizeValue::Bytes(o.pattern.min_bs(READS).max(o.pattern.min_bs(WRITES))));
    o.verify.method = VerifyMethod::None;
    Ok(())
}

/// As in fio: `exec` looks 20 times a second whether its time is over.
fn resolve_exec_engine(o: &mut JobOptions) -> Result<(), String> {
    if o.engine.engine != Engine::Exec {
        return Ok(());
    }
    if o.engine.exec.program.is_none() {
        return Err("ioengine=exec needs program, the program to run".to_owned());
    }
    if o.run.runtime_us == 0 {
        return Err("nothing ends ioengine=exec; give runtime".to_owned());
    }
    (o.rate.thinktime_us, o.rate.thinktime_spin_us) = (50_000, 0);
    o.target.nrfiles = 1;
    o.size.size = Some(SizeValue::Bytes(o.pattern.min_bs(READS).max(o.pattern.min_bs(WRITES))));
    o.verify.method = VerifyMethod::None;
    Ok(())
}

/// As in fio, but for what it would run without an end. Its rates are in bits.
fn resolve_net_engine(o: &mut JobOptions) -> Result<(), String> {
    if o.engine.engine != Engine::Net {
        return Ok(());
    }
    let (net, operation) = (&o.engine.network, o.pattern.rw.operation);
    let is_unix = net.protocol == Protocol::Unix;
    let listens = if net.protocol.is_tcp() { net.listen } else { operation.reads() };
    let has_name = net.hostname.is_some() || !o.target.filenames.is_empty();
    let refused = [
        (operation.is_random(), "it cannot be random; use rw=read or rw=write"),
        (operation.reads() == operation.writes(), "it needs rw=read or rw=write"),
        (is_unix && net.port > 0, "protocol=unix has no port; leave port out"),
        (is_unix && o.run.numjobs > 1, "protocol=unix connects two jobs; leave numjobs out"),
        (is_unix && !has_name, "protocol=unix needs hostname, the path of the socket file"),
        (!is_unix && net.port == 0, "it needs port"),
        (net.listen && !net.protocol.is_tcp(), "listen is for TCP; of others rw=read listens"),
        (!listens && !has_name, "it needs hostname, or listen"),
        (o.target.nrfiles > 1, "a job has one connection; use numjobs for more"),
        (o.run.loops > 1, "a connection is made once; give a larger size in place of loops"),
        (o.verify.method != VerifyMethod::None, "what comes is not verified; leave verify out"),
        (o.size.fill_device, "nothing can be filled; leave fill_device out"),
        (!o.replay.read_iologs.is_empty(), "no trace is replayed; leave read_iolog out"),
    ];
    match refused.iter().find(|(given, _)| *given) {
        Some((_, reason)) => return Err(format!("ioengine=net: {reason}")),
        None if o.report.unit_base == UnitBase::Auto => o.report.unit_base = UnitBase::Bit,
        None => {}
    }
    Ok(())
}

fn note_useless_syncs(o: &JobOptions, notes: &mut Vec<String>) {
    if o.pattern.rw.operation.writes() || !o.replay.read_iologs.is_empty() {
        return;
    }
    for (name, given) in [
        ("fsync", o.sync.fsync > 0),
        ("fdatasync", o.sync.fdatasync > 0),
        ("sync_file_range", o.sync.sync_file_range.is_some()),
    ] {
        if given {
            notes.push(format!("{name} has no effect: the job does not write"));
        }
    }
}

fn resolve_times(o: &mut JobOptions, notes: &mut Vec<String>) {
    if o.run.time_based && o.run.runtime_us == 0 {
        notes.push("time_based has no effect: there is no runtime".to_owned());
        o.run.time_based = false;
    }
    if o.run.exec_prerun.is_some() && o.run.startdelay.max_us > 0 {
        notes.push("exec_prerun is run before startdelay".to_owned());
    }
    if o.run.time_based && o.run.loops > 1 {
        notes.push("loops has no effect with time_based".to_owned());
    }
    if o.run.time_based
        && o.pattern.rw.operation.writes()
        && o.verify.method != VerifyMethod::None
        && o.verify.do_verify
        && o.verify.backlog == 0
    {
        notes.push(
            "the check after the writes never starts: writes take all of runtime; use \
             verify_backlog, or leave time_based out"
                .to_owned(),
        );
    }
}

fn resolve_rates(o: &mut JobOptions, notes: &mut Vec<String>) -> Result<(), String> {
    let rate = &mut o.rate;
    let any = |rates: &[u64; 3]| rates.iter().any(|rate| *rate > 0);
    if (any(&rate.rate) && any(&rate.rate_iops))
        || (any(&rate.rate_min) && any(&rate.rate_iops_min))
    {
        let problem = "rate and rate_iops are mutually exclusive, and so are rate_min and \
                       rate_iops_min; keep one of them";
        return Err(problem.to_owned());
    }
    for (index, name) in DIRECTIONS.iter().enumerate() {
        for (most, least, option) in [
            (rate.rate[index], rate.rate_min[index], "rate"),
            (rate.rate_iops[index], rate.rate_iops_min[index], "rate_iops"),
        ] {
            if most > 0 && least > most {
                return Err(format!(
                    "{option}_min of {name} ({least}) is above {option} ({most}); lower the least \
                     or raise the most"
                ));
            }
        }
    }
    if rate.thinktime_us > 0 && rate.thinkcycles > 0 {
        return Err("thinkcycles and thinktime are two pauses; keep one of them".to_owned());
    }
    if rate.thinktime_us == 0 && (rate.thinktime_spin_us > 0 || rate.thinktime_iotime_us > 0) {
        notes.push("thinktime_spin and thinktime_iotime have no effect without thinktime".into());
        (rate.thinktime_spin_us, rate.thinktime_iotime_us) = (0, 0);
    }
    rate.thinktime_spin_us = rate.thinktime_spin_us.min(rate.thinktime_us);
    Ok(())
}

fn resolve_goals(o: &mut JobOptions, notes: &mut Vec<String>) -> Result<(), String> {
    let goal = &mut o.goal;
    if goal.latency_target_us > 0 && goal.latency_window_us == 0 {
        notes.push("latency_target is given without latency_window; 1 s is taken".to_owned());
        goal.latency_window_us = 1_000_000;
    }
    if goal.latency_target_us > 0 && (o.report.disable_lat || o.report.gtod_reduce) {
        let problem = "latency_target needs latencies, which gtod_reduce or disable_lat turn off; \
                       leave these out";
        return Err(problem.to_owned());
    }
    let verifies = o.verify.method != VerifyMethod::None || o.verify.pattern.is_some();
    if goal.latency_target_us > 0 && verifies && o.pattern.rw.operation.writes() {
        let problem = "latency_target searches a depth, and what its windows write is not read \
                       back: verify in a job of its own";
        return Err(problem.to_owned());
    }
    if goal.ss_dur_us == 0 && goal.steadystate != JobOptions::default().goal.steadystate {
        notes.push("steadystate has no effect without steadystate_duration".to_owned());
    }
    if goal.ss_dur_us > 0 && goal.ss_dur_us < 2 * goal.ss_interval_ms * 1000 {
        notes.push("steadystate_duration holds fewer than two samples".to_owned());
    }
    Ok(())
}

fn resolve_verify(o: &mut JobOptions, notes: &mut Vec<String>) {
    if o.verify.method == VerifyMethod::None {
        return;
    }
    let (least, most) = (o.pattern.min_bs(WRITES), o.pattern.max_bs(WRITES));
    if o.verify.interval > least || (o.verify.interval == 0 && least != most) {
        o.verify.interval = least;
    }
    if !o.pattern.rw.operation.is_random() || !o.pattern.random_places.norandommap {
        return;
    }
    if least != most {
        notes.push("norandommap given for variable block sizes, verify limited".to_owned());
    } else if o.engine.iodepth > 1 && !o.engine.engine.is_synchronous() {
        notes.push(
            "norandommap lets two writes in flight meet, which verify may report as an error"
                .to_owned(),
        );
    }
}

/// `trim_percentage`: what fio reports wrong blocks of is refused.
fn check_trims(o: &JobOptions) -> Result<(), String> {
    let (engine, operation) = (o.engine.engine, o.pattern.rw.operation);
    if o.trims() && operation.writes() && matches!(engine, Engine::Mmap | Engine::Splice) {
        let word = engine.word();
        return Err(format!("ioengine={word} has no call that trims; use ioengine=psync"));
    }
    if !operation.writes() || !o.verify.trims_places() {
        return Ok(());
    }
    let in_flight = o.engine.iodepth > 1 && !engine.is_synchronous() && engine != Engine::Null;
    let refused = [
        (operation.reads(), "needs a job that does not read; use rw=write or rw=trimwrite"),
        (in_flight, "needs iodepth=1: a trim could overtake the write of its place"),
        (o.pattern.random_places.norandommap, "needs each place once; leave norandommap out"),
        (o.verify.backlog > 0, "trims before the check; leave verify_backlog out"),
        (operation.trims() && o.size.number_ios > 0, "ends by size; leave number_ios out"),
    ];
    match refused.iter().find(|(given, _)| *given) {
        Some((_, reason)) => Err(format!("trim_percentage {reason}")),
        None => Ok(()),
    }
}

/// As in fio: what is written back of a mapped file is whole pages.
fn check_mapped_blocks(o: &JobOptions) -> Result<(), String> {
    let smallest = (0..3).map(|direction| o.pattern.min_bs(direction)).min().unwrap_or(MIN_PAGE);
    let writes_back = o.engine.direct || o.sync.fsync > 0 || o.sync.fdatasync > 0;
    if o.engine.engine == Engine::Mmap && writes_back && !smallest.is_multiple_of(MIN_PAGE) {
        return Err(format!(
            "ioengine=mmap with direct=1, fsync or fdatasync needs blocks of whole pages; \
             {smallest} is no multiple of {MIN_PAGE}"
        ));
    }
    Ok(())
}

fn resolve_zones(o: &mut JobOptions, notes: &mut Vec<String>) -> Result<(), String> {
    let zone = &mut o.zone;
    match zone.mode {
        ZoneMode::None if zone.size > 0 => {
            Err("zonesize is given with zonemode=none; add zonemode=strided".to_owned())
        }
        ZoneMode::None => {
            if zone.range > 0 || zone.skip != SizeValue::Bytes(0) {
                notes.push("zonerange and zoneskip have no effect with zonemode=none".to_owned());
            }
            Ok(())
        }
        ZoneMode::Strided if zone.size == 0 => {
            Err("zonemode=strided is given without zonesize; add zonesize".to_owned())
        }
        ZoneMode::Strided => {
            if zone.range == 0 {
                zone.range = zone.size;
            }
            Ok(())
        }
        ZoneMode::Zbd => Ok(()),
    }
}

fn resolve_reports(o: &mut JobOptions, notes: &mut Vec<String>) {
    if o.report.gtod_reduce {
        o.report.disable_lat = true;
        o.report.disable_clat = true;
        o.report.disable_slat = true;
    }
    if o.log.hist.is_some() && o.log.hist_ms == 0 {
        notes.push("write_hist_log stays empty without log_hist_msec".to_owned());
    }
    if o.log.avg_ms > 0 {
        if o.log.bw.is_some() {
            o.report.bwavgtime_ms = o.report.bwavgtime_ms.min(o.log.avg_ms);
        }
        if o.log.iops.is_some() {
            o.report.iopsavgtime_ms = o.report.iopsavgtime_ms.min(o.log.avg_ms);
        }
    }
}
