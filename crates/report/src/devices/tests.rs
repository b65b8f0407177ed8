use record::{Tool, WriteStand};

use super::*;

fn layer(text: &str) -> Layer {
    let target = record::fixture::ssd_record().measured.targets.remove(0);
    Layer { name: text.to_owned(), ..target.stack[0].clone() }
}

fn device(name: &str) -> Device {
    let layer = layer(name);
    Device {
        path: format!("/dev/{name}"),
        claims: layer.describe_claim(),
        layer,
        lies_on: Vec::new(),
        health: None,
        removable: false,
        mounted_on: Vec::new(),
        holders: Vec::new(),
        write: WriteStand::default(),
        measure: Some(format!("truedisk check --read-only /dev/{name}")),
        unknown: Vec::new(),
    }
}

fn host() -> Inventory {
    let mut found = Inventory::new(Tool::ours("0"));
    let mut used = device("sda");
    let refused = "sda1 is mounted on /a/rather/long/path/to/be/broken";
    used.write.refused.push(Message::from_text(refused));
    used.layer.link = Some(Link {
        kind: "sata".to_owned(),
        current: "3.0 Gbps".to_owned(),
        max: Some("6.0 Gbps".to_owned()),
        ceiling: units::BytesPerSecond::from_mb(300.0),
        downtrained: true,
    });
    let mut part = device("sda1");
    part.layer.kind = LayerKind::Partition;
    (part.claims, part.lies_on) = (None, vec!["sda".to_owned()]);
    let mut held = device("sdb");
    held.write.holds = Some(Message::from_text("an xfs file system"));
    let mut unseen = device("sdc");
    unseen.write.unseen.push(Message::from_text("what is on it: permission denied"));
    let mut empty = device("zram0");
    empty.layer.size = Bytes(0);
    found.devices = vec![used, part, held, unseen, device("sdd"), empty];
    found.swaps.push(Swap { path: "/swap".to_owned(), size: Bytes::gib(1), used: Bytes(0) });
    found.unknown.push(Message::from_text("something"));
    found
}

const PLAIN: Style = Style::PLAIN;

#[test]
fn what_a_disk_says_of_its_health_is_shown_with_what_is_wrong_first() {
    assert!(!render_devices(&host(), PLAIN, 100).contains("Health"));
    let mut found = host();
    let nvme = record::NvmeHealth {
        spare_percent: 4,
        spare_min_percent: 10,
        used_percent: 97,
        media_errors: 3,
        unsafe_shutdowns: 14,
        ..Default::default()
    };
    let health = record::DiskHealth { celsius: Some(41.0), nvme: Some(nvme), ..Default::default() };
    found.devices[0].health = Some(health);
    let text = render_devices(&found, PLAIN, 300);
    let row = text.split("Health").nth(1).unwrap().split("May they").next().unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        words.join(" "),
        "device health sda its spare blocks are at 4 %, below its maker's minimum of 10 %; 41.0 \
         \u{b0}C; 4 % of its spare blocks left; 97 % of its rated life used; media errors: 3; \
         losses of power without notice: 14"
    );
}

#[test]
fn every_width_holds_everything() {
    for width in [1, 40, 60, 80, 100, 300] {
        let text = render_devices(&host(), PLAIN, width);
        let most = width.clamp(40, 100);
        let commands = |line: &&str| !line.starts_with("  truedisk ");
        let longest = text.lines().filter(commands).map(|line| line.chars().count()).max();
        assert!(longest.unwrap() <= most, "{width}: {text}");
        for word in ["sda", "sdb", "sdc", "sdd", "zram0", "Not known"] {
            assert!(text.contains(word), "{word} at {width}: {text}");
        }
    }
}

/// `root` of the file system of `sda1`, mounted there.
fn mounted(mount_point: &str, root: &str) -> Mounted {
    let target = record::fixture::ssd_record().measured.targets.remove(0);
    let mount_point = mount_point.to_owned();
    Mounted {
        measure: Some(format!("truedisk check {mount_point}")),
        file_system: record::FileSystem { mount_point, ..target.file_system.unwrap() },
        root: root.to_owned(),
        devices: vec!["sda1".to_owned()],
        what: None,
        single_file: false,
        unknown: Vec::new(),
    }
}

#[test]
fn a_mount_point_is_broken_between_its_folders() {
    let mut found = host();
    found.mounts = vec![Mounted {
        what: Some(Message::from_text("overlay of a container with a long description")),
        ..mounted("/var/lib/containers/storage/overlay/merged", "/")
    }];
    let text = render_devices(&found, PLAIN, 60);
    let begins = |words: &str| text.lines().any(|line| line.starts_with(words));
    assert!(begins("/var/lib/") && !text.contains("contain\n"), "{text}");
    let at_80 = render_devices(&found, PLAIN, 80);
    assert!(at_80.lines().all(|line| line.chars().count() <= 80), "{at_80}");
}

#[test]
fn a_folder_that_is_mounted_again_is_not_measured_twice() {
    let commands = |mounts: &[(&str, &str)]| {
        let mut found = host();
        found.mounts = mounts.iter().map(|(place, root)| mounted(place, root)).collect();
        let text = render_devices(&found, PLAIN, 80);
        text.lines().filter(|line| line.contains("truedisk check /")).count()
    };
    assert_eq!(commands(&[("/", "/"), ("/run/netns", "/run/netns")]), 1);
    assert_eq!(commands(&[("/srv", "/@srv"), ("/home", "/@home")]), 2, "the whole is not mounted");
}

#[test]
fn writing_is_told_with_its_reason() {
    let text = render_devices(&host(), PLAIN, 100);
    let line = |words: &str| {
        let found = text.lines().find(|line| line.contains(words));
        found.unwrap_or_else(|| panic!("{words}: {text}"))
    };
    assert!(line("sda1 is mounted on").starts_with("sda "), "{text}");
    assert!(line("holds an xfs file system").contains("loses data"));
    assert!(line("is seen to use it").starts_with("sdc"));
    assert!(line("nothing is found on it").contains("yes"));
    assert!(line("permission denied").contains("sdc: what is on it"));
    assert!(line("zram0").contains("Left out here"));
    assert!(text.contains("what it can") && text.contains("Swap space: /swap"), "{text}");
    assert!(text.contains("\n  sda1 "), "a partition stands below its disk: {text}");
}

#[test]
fn an_empty_host_is_no_error() {
    let text = render_devices(&Inventory::new(Tool::ours("0")), PLAIN, 100);
    assert!(text.contains("No block device can be seen here"), "{text}");
}
