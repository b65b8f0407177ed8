//! What the eBPF source costs: the program's time per request, by the kernel's own statistics, and
//! the reader's time per sample, by this process's own, after a first interval: by it the source
//! chooses whether to sample. As root, while a load runs:
//! `cargo run -p watch --example cost -- [SECONDS]`.

use std::io::Write as _;
use std::time::{Duration, Instant};

use target::Roots;
use watch::{EbpfSource, Source as _, list_disks};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(10), |word| word.parse::<u32>())?;
    let roots = Roots::host();
    let mut source = EbpfSource::open(&list_disks(&roots), &roots)?;
    std::thread::sleep(Duration::from_secs(1));
    source.sample()?;
    let _timed = target::enable_bpf_statistics()?;
    let before = source.statistics()?;
    let cpu_before = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let begun = Instant::now();
    let (mut operations, mut lost) = (0, 0);
    for _ in 0..seconds {
        std::thread::sleep(Duration::from_secs(1));
        let sample = source.sample()?;
        let devices = sample.devices.iter();
        operations += devices.map(|d| d.read.operations + d.write.operations).sum::<u64>();
        lost += sample.missing_requests;
    }
    let wall_ns = begun.elapsed().as_nanos() as f64;
    let cpu_after = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let after = source.statistics()?;
    let runs = after.run_count - before.run_count;
    let program_ns = (after.run_time_ns - before.run_time_ns) as f64;
    let reader_ns = (cpu_after.tv_sec - cpu_before.tv_sec) as f64 * 1e9
        + (cpu_after.tv_nsec - cpu_before.tv_nsec) as f64;
    let mut out = std::io::stdout().lock();
    writeln!(out, "requests/s      {:.0}", operations as f64 / wall_ns * 1e9)?;
    writeln!(out, "lost            {lost}")?;
    writeln!(
        out,
        "program         {:.0} ns per run, {runs} runs",
        program_ns / runs.max(1) as f64
    )?;
    writeln!(out, "reader          {:.2} ms per sample", reader_ns / 1e6 / f64::from(seconds))?;
    writeln!(out, "both            {:.2} % of a CPU", (program_ns + reader_ns) / wall_ns * 100.0)?;
    Ok(())
}
