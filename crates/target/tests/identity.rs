//! What lies under a device, on trees as real hosts show them (`trees/*.tree`).

#![allow(clippy::unwrap_used)] // also helpers of tests may fail

use std::path::Path;

use lab::SysfsTree;
use record::{Environment, IoUringStatus, Layer, LayerKind};
use target::{Roots, describe_environment, describe_stack};

fn tree(name: &str) -> (SysfsTree, Roots) {
    let path = Path::new("tests/trees").join(format!("{name}.tree"));
    let tree = SysfsTree::from_text(&std::fs::read_to_string(path).unwrap()).unwrap();
    let roots = Roots::under(tree.root());
    (tree, roots)
}

fn stack(name: &str, device: &str) -> Vec<Layer> {
    let (_tree, roots) = tree(name);
    describe_stack(device, &roots)
}

fn host(name: &str) -> Environment {
    let (_tree, roots) = tree(name);
    describe_environment(&roots, IoUringStatus { available: true, reason: None })
}

/// Name, kind and the layer above, of every layer.
fn shape(stack: &[Layer]) -> Vec<(&str, LayerKind, Option<&str>)> {
    stack.iter().map(|l| (l.name.as_str(), l.kind, l.above.as_deref())).collect()
}

#[test]
fn virtio() {
    let stack = stack("virtio", "254:0");
    assert_eq!(shape(&stack), [("vda", LayerKind::Disk, None)]);
    let disk = &stack[0];
    assert_eq!(disk.transport.as_deref(), Some("virtio"));
    assert_eq!(disk.size.0, 256 << 30);
    assert_eq!(disk.serial.as_deref(), Some("overlayblk"));
    assert_eq!((disk.vendor.as_deref(), disk.link.as_ref()), (None, None));
    let queue = disk.queue.as_ref().unwrap();
    assert_eq!(queue.scheduler.as_deref(), Some("mq-deadline"));
    assert_eq!(queue.write_cache.as_deref(), Some("write back"));
    assert_eq!(
        (queue.fua, queue.nr_requests, queue.hardware_queues),
        (Some(false), Some(256), Some(1))
    );
    assert_eq!(queue.max_request.unwrap().0, 4 << 20);
    assert_eq!(queue.physical_block_size.unwrap().0, 4096);
}

#[test]
fn nvme_at_its_speed_and_below_it() {
    let check = |name: &str, current: &str, ceiling_mb: f64, downtrained: bool| {
        let stack = stack(name, "259:2");
        assert_eq!(
            shape(&stack),
            [
                ("nvme0n1p2", LayerKind::Partition, None),
                ("nvme0n1", LayerKind::Disk, Some("nvme0n1p2")),
            ]
        );
        assert_eq!(stack[0].start.unwrap().0, 1_050_624 * 512);
        let disk = &stack[1];
        assert_eq!(disk.model.as_deref(), Some("Samsung SSD 980 PRO 1TB"));
        assert_eq!(disk.serial.as_deref(), Some("S5GXNX0T000001"));
        assert_eq!(disk.firmware.as_deref(), Some("5B2QGXA7"));
        assert_eq!(disk.transport.as_deref(), Some("nvme"));
        let link = disk.link.as_ref().unwrap();
        assert_eq!((link.kind.as_str(), link.current.as_str()), ("pcie", current));
        assert_eq!(link.max.as_deref(), Some("16.0 GT/s x4"));
        assert!((link.ceiling.as_mb() - ceiling_mb).abs() < 1.0, "{}", link.ceiling);
        assert_eq!(link.downtrained, downtrained);
    };
    check("nvme", "16.0 GT/s x4", 7876.0, false);
    check("nvme-downtrained", "8.0 GT/s x4", 3940.0, true);
}

#[test]
fn sata_disks_and_their_cables() {
    let ssd = &stack("sata-ssd", "8:0")[0];
    assert_eq!(ssd.model.as_deref(), Some("Samsung SSD 870"));
    assert_eq!(ssd.vendor, None, "'ATA' is no vendor");
    assert_eq!(ssd.serial.as_deref(), Some("SERIAL-sda"));
    assert_eq!((ssd.transport.as_deref(), ssd.rotational), (Some("sata"), Some(false)));
    let link = ssd.link.as_ref().unwrap();
    assert_eq!((link.ceiling.as_mb(), link.downtrained), (600.0, false));

    let disk = &stack("sata-hdd", "8:16")[0];
    assert_eq!(disk.rotational, Some(true));
    let link = disk.link.as_ref().unwrap();
    assert_eq!((link.kind.as_str(), link.current.as_str()), ("sata", "3.0 Gbps"));
    assert_eq!((link.ceiling.as_mb(), link.downtrained), (300.0, true));
}

#[test]
fn raid_branches() {
    use LayerKind::{Disk, Partition, Raid};
    let stack = stack("md", "9:0");
    assert_eq!(
        shape(&stack),
        [
            ("md0", Raid, None),
            ("sda1", Partition, Some("md0")),
            ("sda", Disk, Some("sda1")),
            ("sdb1", Partition, Some("md0")),
            ("sdb", Disk, Some("sdb1")),
        ]
    );
    assert_eq!(stack[0].detail.as_deref(), Some("raid1"));
}

#[test]
fn lvm_on_luks_on_a_partition() {
    use LayerKind::{Crypt, Disk, Lvm, Partition};
    let stack = stack("lvm", "253:1");
    assert_eq!(
        shape(&stack),
        [
            ("dm-1", Lvm, None),
            ("dm-0", Crypt, Some("dm-1")),
            ("nvme0n1p2", Partition, Some("dm-0")),
            ("nvme0n1", Disk, Some("nvme0n1p2")),
        ]
    );
    assert_eq!(stack[0].detail.as_deref(), Some("vg0-root"));
}

#[test]
fn a_loop_device_is_followed_to_the_disk_of_its_file() {
    let stack = stack("loop", "7:3");
    assert_eq!(
        shape(&stack),
        [("loop3", LayerKind::Loop, None), ("vda", LayerKind::Disk, Some("loop3"))]
    );
    assert_eq!(stack[0].backing_file.as_deref(), Some("/srv/disk image.raw"));
    assert_eq!(stack[0].backing_direct, Some(false));
}

#[test]
fn loop_devices_over_several_file_systems() {
    use LayerKind::{Disk, Loop, Partition};
    let shape_of = |device: &str| stack("loop-ext4", device);
    assert_eq!(
        shape(&shape_of("259:0")),
        [
            ("loop0p1", Partition, None),
            ("loop0", Loop, Some("loop0p1")),
            ("vda", Disk, Some("loop0")),
        ]
    );
    assert_eq!(
        shape(&shape_of("7:1")),
        [("loop1", Loop, None), ("vdb1", Partition, Some("loop1")), ("vdb", Disk, Some("vdb1"))]
    );
}

#[test]
fn an_nvme_disk_on_its_subsystem_has_its_controllers_link() {
    let disk = &stack("nvme-subsystem", "259:0")[0];
    assert_eq!(disk.model.as_deref(), Some("Samsung SSD 980 PRO 1TB"));
    assert_eq!(disk.transport.as_deref(), Some("nvme"));
    assert_eq!(disk.link.as_ref().unwrap().current, "16.0 GT/s x4");
}

#[test]
fn usb() {
    let stick = &stack("usb", "8:32")[0];
    assert_eq!(stick.transport.as_deref(), Some("usb"));
    assert_eq!(stick.link.as_ref().unwrap().ceiling.as_mb(), 60.0);
}

#[test]
fn a_container_and_its_limits() {
    let host = host("container");
    assert_eq!(host.container.unwrap().kind, "docker");
    assert_eq!(host.virtualisation.as_deref(), Some("Amazon EC2 (t3.medium)"));
    assert_eq!(host.os.as_deref(), Some("Alpine Linux v3.20"));
    assert_eq!(host.kernel, "6.1.0-28-cloud-amd64");
    assert_eq!(host.memory.unwrap().0, 4_034_868 * 1024);
    assert_eq!(host.cpu_model.as_deref(), Some("Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz"));
    let limits: Vec<_> = host
        .io_limits
        .iter()
        .map(|l| (l.cgroup.as_str(), l.device_name.as_deref(), l.read_iops.map(|i| i.0)))
        .collect();
    assert_eq!(
        limits,
        [
            ("/system.slice/docker-abc.scope", Some("nvme0n1"), Some(3000.0)),
            ("/system.slice", Some("nvme0n1"), None),
        ]
    );
    assert_eq!(host.io_limits[0].write_iops.unwrap().0, 1000.0);
    assert_eq!(host.io_limits[1].write_bytes.unwrap().0, 104_857_600.0);
}

#[test]
fn limits_of_version_1_groups_and_their_parents() {
    let limits = host("cgroup1").io_limits;
    assert_eq!(limits.len(), 2, "{limits:?}");
    assert_eq!((limits[0].cgroup.as_str(), limits[0].read_iops.unwrap().0), ("/box/inner", 3000.0));
    assert_eq!(
        (limits[1].cgroup.as_str(), limits[1].write_bytes.unwrap().0),
        ("/box", 52_428_800.0)
    );
}

#[test]
fn a_device_that_is_not_there_has_no_stack() {
    assert!(stack("virtio", "8:99").is_empty());
}
