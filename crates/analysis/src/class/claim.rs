//! What the system claims of the device, against how it behaves.

use record::{ClassClaim, Judgement, Layer, Measured};
use units::Nanos;

use super::bands::Class;
use crate::rotation::SLOW_READ_MIN;

/// The claim of the disk below, and what contradicts it; `None` without one disk that claims
/// anything.
pub(super) fn compare_claim(
    measured: &Measured,
    judgement: &Judgement,
    class: Option<&Class>,
    latency_ns: f64,
) -> Option<ClassClaim> {
    let target = measured.target()?;
    let [disk] = target.bottom_devices()[..] else { return None };
    let words = disk.describe_claim()?;
    let contradictions = contradict_rotation(judgement, disk, class, latency_ns)
        .into_iter()
        .chain(class.and_then(|class| contradict_transport(disk, class)))
        .map(message::Message::from)
        .collect();
    Some(ClassClaim { words: words.into(), contradictions })
}

fn contradict_rotation(
    judgement: &Judgement,
    disk: &Layer,
    class: Option<&Class>,
    latency_ns: f64,
) -> Option<String> {
    let claims = disk.rotational?;
    let latency = Nanos(latency_ns as u64);
    if claims && latency < SLOW_READ_MIN {
        return Some(format!(
            "it calls itself rotational, and a read takes {latency}: no platter turns so fast"
        ));
    }
    if let Some(rotation) = judgement.rotation.as_ref().filter(|_| !claims) {
        return Some(format!(
            "it calls itself non-rotational, and its reads wait as for a platter of {:.0} rpm",
            rotation.rpm.value
        ));
    }
    let like_a_disk = class.is_some_and(|class| class.rotational == Some(true));
    (like_a_disk && !claims)
        .then(|| "it calls itself non-rotational, and is as slow as a rotating disk".to_owned())
}

fn contradict_transport(disk: &Layer, class: &Class) -> Option<String> {
    let transport = disk.transport.as_deref()?;
    let remote = class.label.contains("network");
    match transport {
        "nvme" if remote => Some(format!(
            "it is attached as an NVMe device, and answers like {}: cloud volumes come so",
            class.label
        )),
        "sata" if class.label.contains("NVMe") => Some(format!(
            "it is attached by SATA, and is faster than that link carries: like {}",
            class.label
        )),
        _ if class.label.contains("memory, or a cache") => Some(format!(
            "it is attached by {transport}, and answers as memory does: a cache in front of it?"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{cell_mut, sample_record};

    #[test]
    fn a_claim_stands_beside_the_behaviour() {
        let mut record = sample_record();
        let class =
            |record: &record::Measured| crate::classify_device(record, &crate::judge(record));
        let claim = |record: &record::Measured| class(record).unwrap().claim.unwrap();
        let plain = claim(&record);
        assert_eq!(plain.words, "virtio, non-rotational");
        assert!(plain.contradictions.is_empty(), "{plain:?}");
        record.targets[0].stack[0].rotational = Some(true);
        assert!(claim(&record).contradictions[0].contains("no platter turns so fast"));
        record.targets[0].stack[0].rotational = Some(false);
        let read = cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap();
        read.latency_ns.percentiles.insert("p50".to_owned(), 12_000_000);
        for cell in &mut record.cells {
            for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
                totals.iops = totals.iops.min(200.0);
                totals.bytes_per_second = totals.bytes_per_second.min(150e6);
            }
        }
        assert!(claim(&record).contradictions[0].contains("as slow as a rotating disk"));
        record.targets[0].stack.clear();
        assert_eq!(class(&record).unwrap().claim, None);
    }
}
