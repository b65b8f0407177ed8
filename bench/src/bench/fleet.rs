//! The bench `fleet`: what a host costs its coordinator and the server.
mod test_bed;

use anyhow::Result;

use super::harness::{
    Bench, BenchContext, Bound, Section, build_programs, median, min_and_max, run_in_turns,
    scratch_file,
};
use test_bed::{FleetPrograms, RunCost, measure_cost, measure_lag_s};

const HOSTS: [u32; 4] = [200, 500, 1000, 2000];
const HOSTS_MAX: u32 = 2000;
const RELAYS: [u32; 2] = [1, 8];
const RELAYED_HOSTS: u32 = 1000;
/// Where the lag of progress is measured: more agents keep the processors from showing it in time.
const LAG_HOSTS: u32 = 200;
const EXTRAPOLATED_HOSTS: f64 = 10_000.0;
/// The file that all hosts allow and none reads: their disks are simulated.
const FILE_BYTES: u64 = 64 << 20;
/// The second cell of a sweep is as long as this: what it would need for its interval differs
/// between fleets, as a short first cell of few hosts has none.
const CELL_TIME: &str = "2100ms";
/// Long enough to see how far behind the progress is.
const LAG_CELL_TIME: &str = "10s";
/// What a run may take: its cells, and looking at every target before.
const BUDGET: &str = "60s";
const MIB: f64 = (1 << 20) as f64;
/// What nats-server takes at most by default.
const CONNECTIONS_MAX: u32 = 65_536;

type Figure = fn(&RunCost) -> f64;

pub(super) const BENCH: Bench = Bench {
    name: "fleet",
    heading: "Many hosts",
    method: "The coordinator (`truedisk fleet ... --span shared`, keeping its history) and \
             Debian's nats-server (with JetStream) as processes of their own, and all agents in \
             a third: the real agent's code, each with its own connection, spool and threads, \
             over a simulated disk that serves one operation in 200 ms of real time. Relays are \
             processes of their own. All of it shares this machine's processors. Sizes take turns; \
             medians of runs. CPU is that of the whole process, from its start to its end, \
             judging, page and history included; messages and bytes are those of the \
             coordinator's connection, both ways, as the server counted them. The sweep has a \
             depth of one on each host, in two cells of 0.7 and 1.4 s; the check has cells of \
             fewer operations than hosts, in which the others rest. \
             The skew is the worst of a run, of its cells with the most hosts, as its record has \
             it.",
    columns: "run | hosts | s | coordinator's CPU, s (least to most) | a host, ms | a host and \
              second, ms | processors, mean | busiest second | peak, MiB | messages a host | \
              KB a host | server's CPU, s | agents' CPU, s | IOPS a host | worst skew, ms (known \
              to) | n",
    tools: &["nats-server", "script"],
    rounds: 3,
    run,
};

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let arguments = ["-p", "truedisk", "--bin", "truedisk", "-p", "fleet", "--example", "swarm"];
    let [truedisk, swarm] = build_programs(context.root, &arguments, ["truedisk", "swarm"])?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    let programs = FleetPrograms { truedisk, swarm, file };
    let sweeps = run_in_turns(context.rounds, HOSTS.len(), |side, _| {
        measure_cost(&programs, (HOSTS[side], 0), &sweep_words(&HOSTS[side].to_string(), CELL_TIME))
    })?;
    let relayed_words = RELAYED_HOSTS.to_string();
    let relayed = run_in_turns(context.rounds, RELAYS.len(), |side, _| {
        let words = sweep_words(&relayed_words, CELL_TIME);
        measure_cost(&programs, (RELAYED_HOSTS, RELAYS[side]), &words)
    })?;
    let checks =
        context.repeat(|_| measure_cost(&programs, (HOSTS_MAX, 0), &["check", "--quick"]))?;
    let depth = LAG_HOSTS.to_string();
    // A lag that could not be seen does not lose what was measured before.
    let lags = context.repeat(|_| {
        let lag = measure_lag_s(&programs, LAG_HOSTS, &sweep_words(&depth, LAG_CELL_TIME));
        Ok(lag.inspect_err(|error| eprintln!("xtask: bench: {error:#}")).ok())
    })?;
    let lags: Vec<f64> = lags.into_iter().flatten().collect();
    add_results(section, &sweeps, &checks, &lags);
    for (relays, runs) in RELAYS.iter().zip(&relayed) {
        section.add_row(cost_row(&format!("sweep, {relays} relays"), runs));
    }
    Ok(())
}

fn add_results(section: &mut Section, sweeps: &[Vec<RunCost>], checks: &[RunCost], lags: &[f64]) {
    for runs in sweeps {
        section.add_row(cost_row("sweep", runs));
    }
    section.add_row(cost_row("check --quick", checks));
    add_requirements(section, sweeps, checks, lags);
    section.remark(&extrapolation_text(sweeps, lags));
}

/// A sweep of two cells, one of which only looks how long the other must be.
fn sweep_words<'a>(depth: &'a str, cell_time: &'a str) -> Vec<&'a str> {
    let row = ["sweep", "--rw", "randread", "--bs", "4k", "--depth", depth];
    let time = ["--precision", "0.1%", "--cell-max", cell_time, "--budget", BUDGET];
    row.into_iter().chain(time).collect()
}
fn cost_row(name: &str, runs: &[RunCost]) -> Vec<String> {
    let of = |figure: Figure| median_of(runs, figure);
    let (least, most) = range(runs, |run| run.coordinator.cpu_s);
    vec![
        name.to_owned(),
        format!("{:.0}", of(|run| run.hosts)),
        format!("{:.1}", of(|run| run.coordinator.wall_s)),
        format!("{:.2} ({least:.2} to {most:.2})", of(|run| run.coordinator.cpu_s)),
        format!("{:.2}", of(|run| run.coordinator.cpu_s * 1e3 / run.hosts)),
        format!("{:.3}", of(cpu_ms_per_host_second)),
        format!("{:.3}", of(mean_processors)),
        format!("{:.2}", of(|run| run.coordinator.busiest)),
        format!("{:.1}", of(peak_mib)),
        format!("{:.0}", of(|run| run.messages / run.hosts)),
        format!("{:.1}", of(|run| run.bytes / 1e3 / run.hosts)),
        format!("{:.2}", of(|run| run.server_cpu_s)),
        format!("{:.1}", of(|run| run.agents_cpu_s)),
        format!("{:.1}", of(|run| run.start.iops / run.hosts)),
        format!(
            "{:.2} (±{:.2})",
            of(|run| run.start.skew_ns / 1e6),
            of(|run| run.start.error_ns / 1e6)
        ),
        runs.len().to_string(),
    ]
}

fn cpu_ms_per_host_second(run: &RunCost) -> f64 {
    run.coordinator.cpu_s * 1e3 / run.hosts / run.coordinator.wall_s
}

fn mean_processors(run: &RunCost) -> f64 {
    run.coordinator.cpu_s / run.coordinator.wall_s
}

fn peak_mib(run: &RunCost) -> f64 {
    run.coordinator.peak_bytes / MIB
}

fn median_of(runs: &[RunCost], figure: Figure) -> f64 {
    median(&runs.iter().map(figure).collect::<Vec<_>>())
}

fn range(runs: &[RunCost], figure: Figure) -> (f64, f64) {
    min_and_max(&runs.iter().map(figure).collect::<Vec<_>>())
}

fn add_requirements(
    section: &mut Section,
    sweeps: &[Vec<RunCost>],
    checks: &[RunCost],
    lags: &[f64],
) {
    let largest = sweeps.last().map_or(&[][..], Vec::as_slice);
    let worst = |figure: Figure| range(largest, figure).1.max(range(checks, figure).1);
    let at = format!("{HOSTS_MAX} hosts, the worst run");
    let what = format!("processors of the coordinator, {at}");
    section.require(what, Bound::AtMost(1.0), worst(mean_processors));
    let what = format!("memory of the coordinator, {at}");
    section.require_with_unit(what, Bound::AtMost(200.0), worst(peak_mib), " MiB");
    let what = format!("memory of one more host, {HOSTS:?} hosts");
    let (_, mib) = fit_line(&points(sweeps, peak_mib));
    section.require_with_unit(what, Bound::AtMost(20.0), mib * 1024.0, " KiB");
    let costs: [(&str, Figure); 3] = [
        ("processor time", |run| run.coordinator.cpu_s),
        ("messages", |run| run.messages),
        ("bytes", |run| run.bytes),
    ];
    for (name, figure) in costs {
        let what = format!("{name} a host, {HOSTS:?} hosts, farthest from that of {}", HOSTS[0]);
        section.require(what, Bound::Within(0.9, 1.1), farthest_ratio(sweeps, figure));
    }
    section.require_with_unit(
        format!("progress behind what happens, {LAG_HOSTS} hosts, median of {}", lags.len()),
        Bound::AtMost(2.0),
        median(lags),
        " s",
    );
}

/// Of the costs of a host by that in the smallest fleet, the one that is farthest from 1.
fn farthest_ratio(sweeps: &[Vec<RunCost>], figure: Figure) -> f64 {
    let a_host = |runs: &Vec<RunCost>| median_of(runs, figure) / median_of(runs, |run| run.hosts);
    let first = sweeps.first().map_or(f64::NAN, a_host);
    let ratios = sweeps.iter().map(|runs| a_host(runs) / first);
    ratios.max_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs())).unwrap_or(f64::NAN)
}

fn points(sweeps: &[Vec<RunCost>], figure: Figure) -> Vec<(f64, f64)> {
    sweeps.iter().flatten().map(|run| (run.hosts, figure(run))).collect()
}

/// A line through the points: what there is without hosts, and what each adds (least squares).
fn fit_line(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let mean = |pick: fn(&(f64, f64)) -> f64| points.iter().map(pick).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let along: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let slope = along / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
    (y - slope * x, slope)
}

fn extrapolation_text(sweeps: &[Vec<RunCost>], lags: &[f64]) -> String {
    let fit = |figure: Figure| {
        let (base, slope) = fit_line(&points(sweeps, figure));
        (base, slope, base + slope * EXTRAPOLATED_HOSTS)
    };
    let cpu = fit(|run| run.coordinator.cpu_s);
    let memory = fit(peak_mib);
    let messages = fit(|run| run.messages);
    let bytes = fit(|run| run.bytes / 1e6);
    let server = fit(|run| run.server_cpu_s);
    let room = fit(|run| run.server_peak_bytes / MIB);
    let skew = sweeps.iter().flatten().filter(|run| run.hosts == f64::from(HOSTS_MAX));
    let skew: Vec<f64> = skew.map(|run| run.start.true_ns / 1e6).collect();
    let lag = lags.iter().map(|lag| format!("{lag:.2}")).collect::<Vec<_>>().join(", ");
    format!(
        "Progress at {LAG_HOSTS} hosts was behind by {lag} s. By the machine's one clock, which \
         the program does not know to be one, the worst starts of {HOSTS_MAX} hosts on these \
         processors were {:.2} ms apart (median; they cannot all be awake at once).\n\n\
         Lines through all sweeps (least squares): CPU {:.2} s + {:.2} ms a host, memory {:.1} MiB \
         + {:.0} KiB a host, messages {:.0} + {:.1} a host, {:.2} MB + {:.1} KB a host; the \
         server's CPU {:.2} s + {:.2} ms a host, its memory {:.1} MiB + {:.0} KiB a host.\n\n\
         For {EXTRAPOLATED_HOSTS:.0} hosts that is, extrapolated {:.0} times beyond what was \
         measured: {:.0} s of CPU for such a run, {:.1} GiB of memory, {:.1} million messages with \
         {:.1} GB, and {:.0} s of the server's CPU. The coordinator's one thread would give way \
         first: states alone are {:.0} messages a second, and the clocks are measured with 120 \
         messages a host before the first cell. No message grows with the number of hosts. The \
         server takes {CONNECTIONS_MAX} connections by default.",
        median(&skew),
        cpu.0,
        cpu.1 * 1e3,
        memory.0,
        memory.1 * 1024.0,
        messages.0,
        messages.1,
        bytes.0,
        bytes.1 * 1e3,
        server.0,
        server.1 * 1e3,
        room.0,
        room.1 * 1024.0,
        EXTRAPOLATED_HOSTS / f64::from(HOSTS_MAX),
        cpu.2,
        memory.2 / 1024.0,
        messages.2 / 1e6,
        bytes.2 / 1e3,
        server.2,
        2.0 * EXTRAPOLATED_HOSTS,
    )
}

#[cfg(test)]
mod tests {
    use super::super::process_cost::ProcessCost;
    use super::test_bed::StartSkew;
    use super::*;

    fn run(hosts: f64, cpu_s: f64) -> RunCost {
        RunCost {
            hosts,
            coordinator: ProcessCost { wall_s: 10.0, cpu_s, busiest: 0.5, peak_bytes: 50.0 * MIB },
            server_cpu_s: 0.1,
            agents_cpu_s: 1.0,
            server_peak_bytes: MIB,
            messages: 100.0 * hosts,
            bytes: 1e4 * hosts,
            start: StartSkew { skew_ns: 1e6, error_ns: 1e5, true_ns: 1e6, iops: 50.0 * hosts },
        }
    }

    fn render_section(sweeps: &[Vec<RunCost>], checks: &[RunCost], lags: &[f64]) -> String {
        let mut section = Section::new(BENCH.heading, BENCH.method, BENCH.columns);
        add_results(&mut section, sweeps, checks, lags);
        section.render_markdown()
    }

    #[test]
    fn a_line_is_found_again() {
        let (base, slope) = fit_line(&[(10.0, 7.0), (50.0, 27.0), (200.0, 102.0)]);
        assert!((base - 2.0).abs() < 1e-9 && (slope - 0.5).abs() < 1e-9, "{base} {slope}");
    }

    #[test]
    fn a_cost_that_rises_faster_than_the_hosts_is_not_met() {
        let sweeps = |cpu: fn(f64) -> f64| -> Vec<Vec<RunCost>> {
            HOSTS.map(|hosts| vec![run(f64::from(hosts), cpu(f64::from(hosts)))]).to_vec()
        };
        let checks = [run(2000.0, 2.0)];
        let linear = render_section(&sweeps(|hosts| 0.01 + hosts / 1e3), &checks, &[0.5]);
        assert!(!linear.contains("NOT MET"), "{linear}");
        let square = render_section(&sweeps(|hosts| hosts * hosts / 1e6), &checks, &[0.5]);
        let words = "processor time a host";
        let missed = square.lines().find(|line| line.contains(words)).unwrap();
        assert!(missed.ends_with("NOT MET"), "{missed}");
        let late = render_section(&sweeps(|hosts| hosts / 1e3), &checks, &[2.5]);
        assert!(late.lines().any(|line| line.contains("behind") && line.ends_with("NOT MET")));
    }
}
