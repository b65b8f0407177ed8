//! What the system claims of the device, against how it behaves.

use message::{Message, Names, label, messages};
use record::{ClassClaim, Judgement, Layer, Measured};
use units::Nanos;

use super::bands::{Class, Link};
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
    let words = describe_claim(disk)?;
    let contradictions = contradict_rotation(judgement, disk, class, latency_ns)
        .into_iter()
        .chain(class.and_then(|class| contradict_transport(disk, class)))
        .collect();
    Some(ClassClaim { words, contradictions })
}

/// `nvme, non-rotational, Samsung SSD 990 PRO 2TB`.
fn describe_claim(disk: &Layer) -> Option<Message> {
    let rotates = |rotates| match rotates {
        true => label("class-claims-rotation"),
        false => label("class-claims-no-rotation"),
    };
    let model = disk.model.as_ref().map(|model| model.trim());
    let transport = disk.transport.as_ref().map(Message::from_text);
    let parts = [transport, disk.rotational.map(rotates), model.map(Message::from_text)];
    let parts: Vec<Message> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| Claim { parts: Names(parts) }.into())
}

fn contradict_rotation(
    judgement: &Judgement,
    disk: &Layer,
    class: Option<&Class>,
    latency_ns: f64,
) -> Option<Message> {
    let claims = disk.rotational?;
    let latency = Nanos(latency_ns as u64);
    if claims && latency < SLOW_READ_MIN {
        return Some(TooFastForPlatter { latency }.into());
    }
    if let Some(rotation) = judgement.rotation.as_ref().filter(|_| !claims) {
        return Some(WaitsForPlatter { rpm: rotation.rpm.value }.into());
    }
    let like_a_disk = class.is_some_and(|class| class.rotational == Some(true));
    (like_a_disk && !claims).then(|| label("class-slow-as-platter"))
}

fn contradict_transport(disk: &Layer, class: &Class) -> Option<Message> {
    let transport = disk.transport.as_deref()?;
    match (transport, class.link) {
        ("nvme", Link::Network) => Some(NvmeLikeVolume { class: (class.label)() }.into()),
        ("sata", Link::Nvme) => Some(FasterThanSata { class: (class.label)() }.into()),
        (_, Link::Memory) => Some(FastAsMemory { transport: transport.to_owned() }.into()),
        _ => None,
    }
}

messages! {
    Claim = "class-claim" { parts: Names };
    TooFastForPlatter = "class-too-fast-for-platter" { latency: Nanos };
    WaitsForPlatter = "class-waits-for-platter" { rpm: f64 };
    NvmeLikeVolume = "class-nvme-like-volume" { class: Message };
    FasterThanSata = "class-faster-than-sata" { class: Message };
    FastAsMemory = "class-fast-as-memory" { transport: String };
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
        assert!(claim(&record).contradictions[0].text().contains("no platter turns so fast"));
        record.targets[0].stack[0].rotational = Some(false);
        let read = cell_mut(&mut record, "randread-4k-qd1").totals.read.as_mut().unwrap();
        read.latency_ns.percentiles.insert("p50".to_owned(), 12_000_000);
        for cell in &mut record.cells {
            for totals in [&mut cell.totals.read, &mut cell.totals.write].into_iter().flatten() {
                totals.iops = totals.iops.min(200.0);
                totals.bytes_per_second = totals.bytes_per_second.min(150e6);
            }
        }
        assert!(claim(&record).contradictions[0].text().contains("as slow as a rotating disk"));
        record.targets[0].stack.clear();
        assert_eq!(class(&record).unwrap().claim, None);
    }
}
