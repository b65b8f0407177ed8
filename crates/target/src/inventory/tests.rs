use std::path::Path;
use std::time::Duration;

use lab::{LoopDevice, Need};
use message::Message;
use record::{Device, Inventory, LayerKind, Tool};

use super::ask::shell_quote;
use super::*;
use crate::testing::Tree;

fn found(text: &str) -> Inventory {
    take_inventory(Tool::ours("0"), &Tree::of(text).roots)
}

fn names(found: &Inventory) -> Vec<&str> {
    found.devices.iter().map(|device| device.layer.name.as_str()).collect()
}

fn refused<'a>(found: &'a Inventory, name: &str) -> &'a [Message] {
    &found.device(name).unwrap().write.refused
}

/// A disk with a root file system and LVM, a RAID of two disks, a loop device over a file and one
/// that is not set up, network, memory and overlay beside.
const HOST: &str = "\
    sys/dev/block/8:0 -> ../../devices/ata1/block/sda\n\
    sys/devices/ata1/block/sda/dev = 8:0\n\
    sys/devices/ata1/block/sda/size = 4194304\n\
    sys/devices/ata1/block/sda/queue/rotational = 1\n\
    sys/devices/ata1/block/sda/device/model = WDC WD40\n\
    sys/class/ata_link/link1/sata_spd = 6.0 Gbps\n\
    sys/dev/block/8:2 -> ../../devices/ata1/block/sda/sda2\n\
    sys/devices/ata1/block/sda/sda2/dev = 8:2\n\
    sys/devices/ata1/block/sda/sda2/size = 1048576\n\
    sys/devices/ata1/block/sda/sda2/partition = 2\n\
    sys/dev/block/8:10 -> ../../devices/ata1/block/sda/sda10\n\
    sys/devices/ata1/block/sda/sda10/dev = 8:10\n\
    sys/devices/ata1/block/sda/sda10/size = 1048576\n\
    sys/devices/ata1/block/sda/sda10/partition = 10\n\
    sys/devices/ata1/block/sda/sda10/holders/dm-0 -> ../../../../../dm-0\n\
    sys/dev/block/253:0 -> ../../devices/dm-0\n\
    sys/devices/dm-0/dev = 253:0\n\
    sys/devices/dm-0/size = 1048000\n\
    sys/devices/dm-0/dm/name = vg0-data\n\
    sys/devices/dm-0/dm/uuid = LVM-x\n\
    sys/devices/dm-0/slaves/sda10 -> ../../ata1/block/sda/sda10\n\
    sys/dev/block/8:16 -> ../../devices/sdb\n\
    sys/devices/sdb/dev = 8:16\n\
    sys/devices/sdb/size = 4194304\n\
    sys/devices/sdb/holders/md0 -> ../../md0\n\
    sys/dev/block/8:32 -> ../../devices/sdc\n\
    sys/devices/sdc/dev = 8:32\n\
    sys/devices/sdc/size = 4194304\n\
    sys/dev/block/9:0 -> ../../devices/md0\n\
    sys/devices/md0/dev = 9:0\n\
    sys/devices/md0/size = 4194304\n\
    sys/devices/md0/md/level = raid1\n\
    sys/devices/md0/slaves/sdb -> ../../sdb\n\
    sys/dev/block/8:48 -> ../../devices/sdd\n\
    sys/devices/sdd/dev = 8:48\n\
    sys/devices/sdd/size = 0\n\
    sys/devices/sdd/removable = 1\n\
    sys/dev/block/8:64 -> ../../devices/ata2/block/sde\n\
    sys/devices/ata2/block/sde/dev = 8:64\n\
    sys/devices/ata2/block/sde/size = 4194304\n\
    sys/devices/ata2/block/sde/queue/rotational = 1\n\
    sys/class/ata_link/link2/sata_spd = <unknown>\n\
    sys/dev/block/11:0 -> ../../devices/ata2/block/sr0\n\
    sys/devices/ata2/block/sr0/dev = 11:0\n\
    sys/devices/ata2/block/sr0/size = 2097151\n\
    sys/dev/block/7:0 -> ../../devices/loop0\n\
    sys/devices/loop0/dev = 7:0\n\
    sys/devices/loop0/size = 204800\n\
    sys/devices/loop0/ro = 1\n\
    sys/devices/loop0/loop/backing_file = /srv/image\n\
    sys/dev/block/7:1 -> ../../devices/loop1\n\
    sys/devices/loop1/dev = 7:1\n\
    sys/devices/loop1/size = 0\n\
    run/udev/data/b8:32 = E:ID_FS_TYPE=xfs\\n\n\
    proc/swaps = Filename Type Size Used Priority\\n/dev/dm-0 partition 524000 1024 -2\\n\n\
    proc/self/mountinfo = 20 1 8:2 / / rw - ext4 /dev/sda2 rw\\n\
    21 20 8:2 /srv /with\\040blank rw - ext4 /dev/sda2 rw\\n\
    22 20 0:40 / /nfs rw - nfs4 host:/export rw\\n\
    23 20 0:41 / /old rw - tmpfs tmpfs rw\\n\
    24 20 0:42 / /old rw - ramfs none rw\\n\
    25 20 0:43 / /lower ro - overlay overlay ro,lowerdir=/a:/b\\n\
    26 20 0:44 / /proc rw - proc proc rw\\n\
    27 20 0:45 / /mnt/x rw - overlay overlay rw,upperdir=/srv/up\\n\n";

#[test]
fn devices_stand_after_what_they_lie_on() {
    let found = found(HOST);
    let expected =
        ["loop0", "sda", "sda2", "sda10", "dm-0", "sdb", "md0", "sdc", "sdd", "sde", "sr0"];
    assert_eq!(names(&found), expected);
    let device = |name: &str| -> &Device { found.device(name).unwrap() };
    assert_eq!(device("sda").claims.as_deref(), Some("sata, rotational, WDC WD40"));
    assert_eq!(device("sde").claims.as_deref(), Some("ata, rotational"), "no speed of SATA's");
    assert_eq!(device("sda10").holders, ["dm-0"]);
    assert_eq!(device("sdb").holders, ["md0"]);
    assert_eq!(device("sda2").mounted_on, ["/", "/with blank"]);
    assert_eq!(device("sda2").measure.as_deref(), Some("truedisk check /"));
    assert_eq!(device("loop0").layer.backing_file.as_deref(), Some("/srv/image"));
    assert!(device("sdd").removable && device("sdd").measure.is_none());
    assert!(
        device("sdc").unknown[0].text().contains("no device file /dev/sdc"),
        "{:?}",
        device("sdc")
    );
}

#[test]
fn the_guard_gives_its_reasons() {
    let found = found(HOST);
    let sda = refused(&found, "sda");
    assert!(sda[0].text().contains("sda10 is part of dm-0 (vg0-data)"), "{sda:?}");
    assert!(sda[1].text().contains("sda2 is mounted on /"), "{sda:?}");
    assert!(refused(&found, "dm-0")[0].text().contains("dm-0 is in use as swap space"));
    assert!(refused(&found, "sdb")[0].text().contains("sdb is part of md0"));
    assert!(refused(&found, "sdd")[0].text().contains("no size"));
    assert!(refused(&found, "loop0")[0].text().contains("read-only"));
    assert!(refused(&found, "sr0")[0].text().contains("optical"));
    // Nothing uses it; what is on it only udev can tell here, and that is said.
    let free = &found.device("sdc").unwrap().write;
    assert_eq!(free.holds.as_ref().map(message::Message::text), Some("xfs, by udev"));
    assert!(
        free.refused.is_empty() && free.unseen[0].text().contains("no device file"),
        "{free:?}"
    );
    assert_eq!(free.command, None, "what could not be looked at is not offered");
}

#[test]
fn the_guard_itself_says_the_same() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let device = || LoopDevice::options(1 << 20).sparse().direct_io(false).attach().unwrap();
    let (free, full, claimed) = (device(), device(), device());
    std::fs::write(full.path(), "the only row of this table").unwrap();
    let _claim = crate::guard::claim_for_reading(claimed.path()).unwrap();
    let mut found = take_inventory(Tool::ours("0"), &Roots::host());
    // Other tests' losetup looks for a free device, and has each open for a moment.
    let is_taken = |device: &LoopDevice, found: &Inventory| {
        refused(found, device.name()).iter().any(|reason| reason.text().contains("losetup"))
    };
    let mut tries = 0..100;
    while [&free, &full].iter().any(|device| is_taken(device, &found)) && tries.next().is_some() {
        found = take_inventory(Tool::ours("0"), &Roots::host());
    }
    let check = |device: &LoopDevice, refused: bool, holds: Option<&str>| {
        let (path, stand) = (device.path(), &found.device(device.name()).unwrap().write);
        assert_eq!(stand.holds.as_ref().map(message::Message::text), holds, "{stand:?}");
        let words = format!("--yes-destroy-data-on {}", path.display());
        let offered = stand.command.as_deref().map(|command| command.ends_with(&words));
        assert_eq!(offered, (!refused).then_some(true), "{stand:?}");
        let permit =
            crate::guard::permit_device(path, Some(path), &mut |_, _| true, &Roots::host());
        let guard = permit.err().map(|error| error.to_string());
        let first = stand.refused.first();
        let agree = |guard: &String| first.is_some_and(|first| guard.contains(first.text()));
        assert_eq!(guard.as_ref().map(agree), refused.then_some(true), "{stand:?}: {guard:?}");
    };
    check(&free, false, None);
    check(&full, false, Some("data of no known kind"));
    check(&claimed, true, None);
}

#[test]
fn a_name_that_has_come_to_mean_another_device_is_not_offered() {
    lab::skip_unless!(Need::Root, Need::LoopDevices);
    let device = LoopDevice::options(1 << 20).sparse().direct_io(false).attach().unwrap();
    let tree = Tree::of(HOST);
    std::fs::create_dir_all(tree.roots.host_path(Path::new("/dev/mapper"))).unwrap();
    let name = tree.roots.host_path(Path::new("/dev/mapper/vg0-data"));
    std::os::unix::fs::symlink(device.path(), name).unwrap();
    let found = take_inventory(Tool::ours("0"), &tree.roots);
    let stale = found.device("dm-0").unwrap();
    assert!(
        stale.unknown.iter().any(|why| why.text().contains("not the device file")),
        "{stale:?}"
    );
    assert_eq!((&stale.measure, &stale.write.command), (&None, &None), "{stale:?}");
}

#[test]
fn file_systems_are_called_what_they_are() {
    let found = found(HOST);
    let check = |place: &str, what: Option<&str>, devices: &[&str]| {
        let is_it = |m: &&record::Mounted| m.file_system.mount_point == place;
        let mount = found.mounts.iter().find(is_it).unwrap();
        assert_eq!(mount.what.as_ref().map(message::Message::text), what);
        assert_eq!(mount.devices, devices, "{place}");
        let asked = !mount.unknown.iter().any(|text| text.text().contains("its size"));
        assert_eq!(asked, place == "/", "the other folders are not there: {mount:?}");
    };
    check("/", None, &["sda2"]);
    check("/nfs", Some("on another host"), &[]);
    check("/old", Some("memory, no disk"), &[]);
    check("/lower", Some("an overlay that takes no writes"), &[]);
    check("/mnt/x", Some("an overlay: writes go to /srv/up"), &["sda2"]);
    assert_eq!(found.mounts.len(), 6, "proc keeps no files, and one of /old is hidden");
    let blank = &found.mounts[5];
    assert_eq!(blank.measure.as_deref(), Some("truedisk check '/with blank'"));
    assert_eq!((blank.root.as_str(), found.swaps[0].size), ("/srv", Bytes::kib(524_000)));
}

#[test]
fn an_empty_host_says_what_cannot_be_read() {
    let found = found("etc/os-release = x\n");
    assert!(found.devices.is_empty() && found.mounts.is_empty());
    assert!(found.unknown.iter().any(|text| text.text().contains("mountinfo cannot be read")));
    assert!(found.unknown.iter().any(|text| text.text().contains("/sys/dev/block cannot be read")));
}

#[test]
fn a_real_device_is_looked_at_without_harm() {
    lab::skip_unless!(Need::LoopDevices);
    let device = LoopDevice::options(32 << 20).sparse().direct_io(false).attach().unwrap();
    let stand = || {
        let found = take_inventory(Tool::ours("0"), &Roots::host());
        let it = found.device(device.name()).unwrap().clone();
        assert_eq!((it.layer.kind, it.layer.size), (LayerKind::Loop, Bytes::mib(32)));
        it
    };
    // For a moment `losetup` of another test, which looks for a free device, has it open.
    let mut free = stand();
    for _ in 0..50 {
        if free.write.refused.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20)); // sleeps because a program of others ends
        free = stand();
    }
    assert!(free.write.refused.is_empty() && free.write.holds.is_none(), "{free:?}");
    let command = free.write.command.unwrap();
    assert!(command.starts_with("truedisk check /dev/loop"), "{command}");
    let mut made = std::process::Command::new("mkfs.ext4");
    assert!(made.args(["-q", "-F"]).arg(device.path()).status().unwrap().success());
    assert_eq!(
        stand().write.holds.as_ref().map(message::Message::text),
        Some("an ext2/3/4 file system")
    );
    let claim = crate::guard::claim_for_reading(device.path()).unwrap();
    let claimed = stand();
    drop(claim);
    assert!(
        claimed.write.refused[0].text().contains("the kernel says that it is in use"),
        "{claimed:?}"
    );
    assert!(claimed.write.command.is_none());
}

#[test]
fn names_are_quoted_for_a_shell() {
    assert_eq!(shell_quote("/mnt/a-b.c"), "/mnt/a-b.c");
    assert_eq!(shell_quote("/my disk"), "'/my disk'");
    assert_eq!(shell_quote("it's"), r"'it'\''s'");
}
