//! The bench `depth`: our random reads against fio's, on a file on the real disk.

use anyhow::Result;

use super::harness::{
    Bench, BenchContext, Bound, PairedSamples, Reading, Section, run_fio, run_in_turns,
    run_one_cell, scratch_file,
};

const FILE_BYTES: u64 = 512 << 20;
const DEPTHS: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const INTERFACES: [&str; 2] = ["io_uring", "libaio"];
/// Name, digits of the medians, figure, and the ratio required of ours to fio's.
type Comparison = (&'static str, usize, fn(&Reading) -> f64, Option<Bound>);
const COMPARISONS: [Comparison; 3] = [
    ("IOPS", 0, |reading| reading.iops, Some(Bound::AtLeast(1.0))),
    ("CPU, ns per operation", 0, |r| r.user_ns + r.system_ns, Some(Bound::Below(1.0))),
    ("mean outstanding", 2, outstanding, None),
];
/// Of the depth, on average over the time.
const OUTSTANDING_MIN: f64 = 0.97;

pub(super) const BENCH: Bench = Bench {
    name: "depth",
    heading: "Random reads against fio, by depth",
    method: "Random 4 KiB `O_DIRECT` reads of the same 512 MiB file of random data, our engine and \
             fio on the same interface taking turns, 2 s each; medians over the rounds. CPU is \
             user and system time; outstanding is IOPS times mean latency.",
    columns: "depth, interface | figure | ours | fio | ratio of medians (of single rounds) | n",
    tools: &["fio"],
    rounds: 7,
    run,
};

fn outstanding(reading: &Reading) -> f64 {
    reading.iops * reading.mean_ns / 1e9
}

fn run(context: &BenchContext<'_>, section: &mut Section) -> Result<()> {
    let one_cell = context.build_one_cell()?;
    let (_scratch, file) = scratch_file(FILE_BYTES)?;
    for depth in DEPTHS {
        for interface in INTERFACES {
            let backend = format!("backend={interface}");
            let sides = run_in_turns(context.rounds, 2, |side, round| match side {
                0 => run_one_cell(&one_cell, &file, depth, round, &[&backend]),
                _ => run_fio(interface, &file, depth, round, &[]),
            })?;
            add_results(section, depth, interface, &sides);
        }
    }
    Ok(())
}

fn add_results(section: &mut Section, depth: u32, interface: &str, sides: &[Vec<Reading>]) {
    let [ours, fio] = sides else { return };
    let case = format!("{depth}, {interface}");
    for (name, digits, figure, bound) in COMPARISONS {
        let pairs = PairedSamples::from_readings(ours, fio, figure);
        section.add_pairs(&[&case, name], &pairs, digits);
        let (what, value, bound) = match bound {
            Some(bound) => (format!("{name}, ours / fio"), pairs.ratio().ratio, bound),
            None => (
                format!("{name} / depth"),
                pairs.median_a() / f64::from(depth),
                Bound::AtLeast(OUTSTANDING_MIN),
            ),
        };
        section.require(format!("{what}, at depth {case}"), bound, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_figure_has_its_requirement() {
        let reading = |iops: f64, system_ns: f64| Reading {
            iops,
            mean_ns: 80_000.0,
            p50_ns: 1.0,
            p99_ns: 1.0,
            operations: 1.0,
            user_ns: 0.0,
            system_ns,
        };
        let sides = [vec![reading(100_000.0, 9.0)], vec![reading(80_000.0, 9.0)]];
        let mut section = Section::new("Heading", "how", "");
        add_results(&mut section, 8, "libaio", &sides);
        let text = section.render_markdown();
        for line in [
            "| 8, libaio | mean outstanding | 8.00 | 6.40 | 1.250 (1.250 to 1.250) | 1 |",
            "IOPS, ours / fio, at depth 8, libaio: required >= 1.00, measured 1.250: met",
            "CPU, ns per operation, ours / fio, at depth 8, libaio: required < 1.00, measured \
             1.000: NOT",
            "mean outstanding / depth, at depth 8, libaio: required >= 0.97, measured 1.000: met",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }
}
