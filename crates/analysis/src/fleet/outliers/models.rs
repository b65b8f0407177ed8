//! Which hosts have the same model of disk.

use std::collections::BTreeMap;

use record::{Fleet, TargetInfo};

/// Sizes of one model differ by a few blocks: between firmwares, and by what a partition leaves.
const SIZE_TOLERANCE: f64 = 1e-3;

/// The model of each host's disks: `2 x WDC WD40EFRX, 8000 GB`. Their size together is all that
/// tells virtual disks apart. Empty where nothing is known.
pub(super) fn name_models(fleet: &Fleet) -> Vec<String> {
    let mut names = vec![String::new(); fleet.hosts.len()];
    let mut models: BTreeMap<String, Vec<(f64, usize)>> = BTreeMap::new();
    for (number, host) in fleet.hosts.iter().enumerate() {
        let Some(target) = &host.target else { continue };
        let disks = target.bottom_devices();
        if !disks.is_empty() {
            let gigabytes = disks.iter().map(|disk| disk.size.0 as f64 / 1e9).sum();
            models.entry(list_disks(target)).or_default().push((gigabytes, number));
        }
    }
    for (model, mut sizes) in models {
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut smallest = f64::NEG_INFINITY;
        for (size, number) in sizes {
            if size - smallest > find_tolerance(smallest) {
                smallest = size;
            }
            let words = [model.clone(), format_size(smallest)];
            let words = words.into_iter().filter(|word| !word.is_empty());
            names[number] = words.collect::<Vec<_>>().join(", ");
        }
    }
    names
}

fn list_disks(target: &TargetInfo) -> String {
    let mut models: BTreeMap<&str, usize> = BTreeMap::new();
    for disk in target.bottom_devices() {
        let unknown = disk.transport.as_deref().unwrap_or_default();
        *models.entry(disk.model.as_deref().map_or(unknown, str::trim)).or_default() += 1;
    }
    let model = |(model, count): (&&str, &usize)| match count {
        _ if model.is_empty() => None,
        1 => Some((*model).to_owned()),
        count => Some(format!("{count} x {model}")),
    };
    models.iter().filter_map(model).collect::<Vec<_>>().join(", ")
}

/// Below this many gigabytes a size is shown with a digit after its point.
const SMALL_GIGABYTES: f64 = 10.0;

fn format_size(gigabytes: f64) -> String {
    match gigabytes {
        small if small < SMALL_GIGABYTES => format!("{small:.1} GB"),
        large => format!("{large:.0} GB"),
    }
}

/// At least the last digit that is shown.
fn find_tolerance(gigabytes: f64) -> f64 {
    let shown: f64 = if gigabytes < SMALL_GIGABYTES { 0.1 } else { 1.0 };
    shown.max(SIZE_TOLERANCE * gigabytes)
}

#[cfg(test)]
mod tests {
    use units::Bytes;

    use super::*;

    #[test]
    fn sizes_that_differ_by_rounding_are_one_model() {
        let check = |sizes: &[u64], expected: &[&str]| {
            let mut fleet = record::fixture::fleet_record().measured.fleet.unwrap();
            let host = fleet.hosts[0].clone();
            let with_size = |size: &u64| {
                let mut host = host.clone();
                for layer in &mut host.target.as_mut().unwrap().stack {
                    (layer.model, layer.size) = (Some("X".to_owned()), Bytes(*size));
                }
                host
            };
            fleet.hosts = sizes.iter().map(with_size).collect();
            assert_eq!(name_models(&fleet), expected, "{sizes:?}");
        };
        check(&[480_499_999_744, 480_500_000_256], &["X, 480 GB"; 2]);
        check(&[8_001_563_222_016, 8_000_450_000_000], &["X, 8000 GB"; 2]);
        check(&[960_197_124_096, 480_103_981_056], &["X, 960 GB", "X, 480 GB"]);
        check(
            &[20_000_000_000, 22_000_000_000, 20_900_000_000],
            &["X, 20 GB", "X, 22 GB", "X, 20 GB"],
        );
        check(&[1_949_999_616, 1_950_000_128], &["X, 1.9 GB"; 2]);
    }
}
