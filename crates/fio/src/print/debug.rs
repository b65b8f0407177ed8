//! Lines of `--debug`, in the words that scripts look for.

use std::fmt::Write as _;

use crate::options::goal::{SteadyLimit, SteadyMetric};
use crate::options::job::JobOptions;
use crate::options::values::apply_option;
use crate::plan::{Section, expand_instances, plan_seed};
use crate::read::{ParsedCommand, RawOption};

/// `--debug=parse`: the options in the order in which they count, defaults first.
pub fn render_parsing(command: &ParsedCommand, pid: u32) -> String {
    let mut text = String::new();
    for group in &command.groups {
        let own = group.sections.iter().flat_map(|section| &section.own);
        for option in group.globals.iter().chain(own) {
            let value = option.evaluated_value().unwrap_or("(null)");
            let _ = writeln!(text, "parse    {pid:<5} handle_option={}, ptr={value}", option.name);
            if let Some(threshold) = steady_threshold(option) {
                let _ = writeln!(text, "parse    {pid:<5} set steady state {threshold}");
            }
        }
    }
    text
}

fn steady_threshold(option: &RawOption) -> Option<String> {
    let mut options = JobOptions::default();
    if option.name != "steadystate" || apply_option(&mut options, option).is_err() {
        return None;
    }
    let steady = options.goal.steadystate;
    Some(match (steady.limit, steady.metric) {
        (SteadyLimit::Percent(percent), _) => format!("threshold to {percent:.6}%"),
        (SteadyLimit::Absolute(limit), SteadyMetric::Bandwidth) => {
            format!("BW threshold to {limit:.0}")
        }
        (SteadyLimit::Absolute(limit), SteadyMetric::Iops) => {
            format!("IOPS threshold to {limit:.6}")
        }
        (SteadyLimit::Absolute(limit), SteadyMetric::Latency) => {
            format!("latency threshold to {limit:.0}")
        }
    })
}

/// `--debug=random`: the seed of each instance, from which all its random choices follow; fio has
/// one for each kind of choice. `fresh` is the random number of jobs that do not repeat theirs.
pub fn render_seeds(sections: &[Section], fresh: u64, pid: u32) -> String {
    let mut text = String::new();
    for instance in expand_instances(sections) {
        let seed = plan_seed(&sections[instance.section].options, &instance, fresh).0;
        let _ = writeln!(text, "random   {pid:<5} FIO_RAND_NR_OFFS=1");
        let _ = writeln!(text, "random   {pid:<5} rand_seeds[0]={seed}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::read_jobs;
    use crate::tests::read_words;

    #[test]
    fn thresholds_are_told_as_fio_tells_them() {
        let check = |steady: &str, expected: &str| {
            let text = render_parsing(&read_words(&[&format!("--ss={steady}")]), 7);
            assert!(text.starts_with("parse    7     handle_option=steadystate, ptr="), "{text}");
            assert!(text.ends_with(&format!("set steady state {expected}\n")), "{text}");
        };
        check("iops:10", "IOPS threshold to 10.000000");
        check("iops:10%", "threshold to 10.000000%");
        check("bw:.1%", "threshold to 0.100000%");
        check("bw:12", "BW threshold to 12");
    }

    #[test]
    fn a_seed_is_told_of_each_instance() {
        let seeds = |words: &[&str], fresh| {
            let jobs = read_jobs(&read_words(words)).unwrap();
            render_seeds(&jobs.sections, fresh, 7)
        };
        let two = seeds(&["--name=j", "--numjobs=2"], 1);
        assert_eq!(two.lines().count(), 4);
        assert_eq!(two, seeds(&["--name=j", "--numjobs=2"], 2));
        assert_ne!(
            seeds(&["--name=j", "--allrandrepeat=0"], 1),
            seeds(&["--name=j", "--allrandrepeat=0"], 2)
        );
        assert_ne!(
            seeds(&["--name=j", "--randseed=1"], 1),
            seeds(&["--name=j", "--randseed=2"], 1)
        );
    }
}
