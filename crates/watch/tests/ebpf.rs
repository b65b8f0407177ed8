//! The program in the real kernel, on devices of our own.

use lab::Need;
use target::Roots;
use watch::{SourceKind, list_disks, open_source};

#[test]
fn it_opens() {
    lab::skip_unless!(Need::Root);
    let roots = Roots::host();
    let disks = list_disks(&roots);
    let mut opened = open_source(Some(SourceKind::Ebpf), &disks, &roots).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(1));
    let sample = opened.source.sample().unwrap();
    for d in &sample.devices {
        for s in [&d.read, &d.write] {
            let q = |h: &Option<stats::LatencyHistogram>| {
                h.as_ref().map(|h| (h.count(), h.quantile(0.5), h.quantile(0.99)))
            };
            println!(
                "{} {} {} total {:?} queue {:?} device {:?}",
                d.name,
                s.operations,
                s.bytes,
                q(&s.total),
                q(&s.queue),
                q(&s.device)
            );
        }
        println!("{:?} {:?} {:?}", d.flushes, d.errors, d.outstanding);
    }
    println!("{:?} {}", sample.host, sample.lost_events);
}
