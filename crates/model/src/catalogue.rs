//! All plans by name.

use strsim::levenshtein;

use crate::error::ModelError;
use crate::plan::Plan;
use crate::spec::PlanSpec;
use crate::{aws, azure, gcp, others};

#[derive(Debug, Clone, Copy)]
pub struct PlanEntry {
    /// `aws:gp2`.
    pub name: &'static str,
    pub what: &'static str,
    /// Of an example: what follows the name, or all of it.
    parameters: &'static str,
    build: BuildPlan,
}

impl PlanEntry {
    /// An example of it: `aws:gp2:50GiB`.
    pub fn example(&self) -> String {
        match self.parameters.starts_with("azure:") {
            true => self.parameters.to_owned(),
            false => format!("{}{}", self.name, self.parameters),
        }
    }
}

/// Makes the plan of a specification and a kind, as `gp2` of `aws:gp2`.
type BuildPlan = fn(&PlanSpec<'_>, &str) -> Result<Plan, ModelError>;

/// In the order in which they are listed.
pub const PLANS: &[PlanEntry] = &[
    entry("aws:gp2", "EBS General Purpose SSD, with credits", ":50GiB", aws::gp2),
    entry("aws:gp3", "EBS General Purpose SSD", ":100GiB,iops=6000,throughput=250", aws::gp3),
    entry("aws:io1", "EBS Provisioned IOPS SSD", ":100GiB,iops=5000", aws::io1),
    entry("aws:io2", "EBS io2 Block Express", ":256GiB,iops=64000", aws::io2),
    entry("aws:st1", "EBS Throughput Optimized HDD, with credits", ":1TiB", aws::hdd),
    entry("aws:sc1", "EBS Cold HDD, with credits", ":1TiB", aws::hdd),
    entry("gcp:pd-standard", "Persistent Disk, rotating", ":500GiB", gcp::persistent_disk),
    entry("gcp:pd-balanced", "Persistent Disk, balanced", ":500GiB", gcp::persistent_disk),
    entry("gcp:pd-ssd", "Persistent Disk, SSD", ":500GiB", gcp::persistent_disk),
    entry("gcp:pd-extreme", "Persistent Disk, extreme", ",iops=20000", gcp::extreme),
    entry(
        "gcp:hyperdisk-balanced",
        "Hyperdisk Balanced",
        ",iops=3000,throughput=140",
        gcp::hyperdisk_balanced,
    ),
    entry("gcp:hyperdisk-extreme", "Hyperdisk Extreme", ",iops=50000", gcp::hyperdisk_extreme),
    entry(
        "gcp:hyperdisk-throughput",
        "Hyperdisk Throughput",
        ":2TiB,throughput=100",
        gcp::hyperdisk_throughput,
    ),
    entry(
        "azure:premium",
        "Premium SSD by size, or p1 to p80 by name",
        "azure:p10",
        azure::premium,
    ),
    entry("azure:premium-v2", "Premium SSD v2", ":100GiB,iops=5000", azure::premium_v2),
    entry("azure:ultra", "Ultra Disk", ":64GiB,iops=20000,throughput=500", azure::ultra),
    entry("digitalocean:basic", "volume at a basic droplet", "", others::digitalocean),
    entry("digitalocean:optimized", "volume at an optimized droplet", "", others::digitalocean),
    entry("vultr:nvme", "block storage, NVMe", "", others::vultr),
    entry("vultr:hdd", "block storage, HDD", "", others::vultr),
];

const fn entry(
    name: &'static str,
    what: &'static str,
    parameters: &'static str,
    build: BuildPlan,
) -> PlanEntry {
    PlanEntry { name, what, parameters, build }
}

/// The plan of a specification: `aws:gp2:50GiB`.
///
/// # Errors
/// When there is none of that name, or a parameter is not for sale.
pub fn find_plan(text: &str) -> Result<Plan, ModelError> {
    let lower = text.trim().to_lowercase();
    let whole = lower.as_str();
    // The name ends at the second colon, or at the first comma.
    let comma = whole.find(',').unwrap_or(whole.len());
    let colon = whole.match_indices(':').nth(1).map_or(whole.len(), |(at, _)| at);
    let (name, rest) = whole.split_at(comma.min(colon));
    let spec = PlanSpec::new(whole, rest)?;
    let listed = if is_premium_size(name) { "azure:premium" } else { name };
    let Some(entry) = PLANS.iter().find(|entry| entry.name == listed) else {
        let near = nearest_names(name, PLANS.iter().map(|entry| entry.name));
        return Err(ModelError::Unknown { asked: text.trim().to_owned(), near });
    };
    let kind = name.split_once(':').map_or("", |(_, kind)| kind);
    let plan = (entry.build)(&spec, kind)?;
    spec.refuse_unused()?;
    Ok(plan)
}

fn is_premium_size(name: &str) -> bool {
    let number = name.strip_prefix("azure:p").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

pub(crate) fn nearest_names<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut near: Vec<(usize, &str)> = names.map(|name| (levenshtein(asked, name), name)).collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_plan_with_sources() {
        for entry in PLANS {
            let plan = find_plan(&entry.example()).unwrap();
            assert!(!plan.sources.is_empty() && !plan.title.is_empty(), "{}", entry.name);
            assert!(plan.sources.iter().all(|s| s.url.starts_with("https://")), "{}", entry.name);
        }
    }

    #[test]
    fn what_is_not_for_sale_is_refused_with_the_range() {
        let check = |text: &str, spec: &str| {
            let error = find_plan(text).unwrap_err().to_string();
            assert!(error.contains(spec), "{text}: {error}");
        };
        check("aws:gp4:50GiB", "unknown plan 'aws:gp4:50GiB'; nearest: aws:gp2, aws:gp3");
        check("gp3", "nearest: aws:gp3");
        check("", "unknown plan ''");
        check("aws:gp2", "a size is missing; write it like :100GiB");
        check("aws:gp2:17TiB", "17 TiB is not for sale; sizes are 1 GiB to 16 TiB");
        check("aws:gp2:tiny", "must start with a number");
        check("aws:gp2:1GiB:2GiB", "'2gib' is a second size");
        check("aws:gp2:50GiB,iops=5", "unknown parameter 'iops'; it takes as-of");
        check(
            "aws:gp3:32GiB,iops=16001",
            "iops 16,001 is not for sale here; it is 3,000 to 16,000",
        );
        check("aws:gp3:100GiB,throughput=800", "it is 125 to 750 MiB/s");
        check("aws:gp3:100GiB,iops=many", "iops is a plain number, not 'many'");
        check("aws:gp3:100GiB,iops=NaN", "is not for sale");
        check("aws:gp3:100GiB,iops=3000,iops=4000", "iops is given twice");
        check("aws:gp3:17TiB,as-of=2024-01-01", "1 GiB to 16 TiB");
        check("aws:gp3:100GiB,as-of=yesterday", "as-of is a day such as");
        check("aws:io1:100GiB", "iops=NUMBER is missing; it is 100 to 5,000");
        check("aws:st1:100GiB", "sizes are 125 GiB to 16 TiB");
        check("azure:p5", "no such size; they are p1 to p80");
        check("azure:p10:100GiB", "it takes no size");
        check("azure:p30,bursting=maybe", "on or off");
        check("azure:ultra:4GiB,iops=5000,throughput=100", "100 to 4,000");
        check("gcp:hyperdisk-throughput:8TiB,throughput=50", "80 to 600 MiB/s");
        check("vultr:nvme,size=3", "unknown parameter 'size'; it takes none");
    }

    #[test]
    fn distances_are_letters() {
        for (a, b, expected) in [("", "", 0), ("a", "", 1), ("gp2", "gp3", 1), ("ab", "ba", 2)] {
            assert_eq!(levenshtein(a, b), expected, "{a} {b}");
            assert_eq!(levenshtein(b, a), expected, "{b} {a}");
        }
    }
}
