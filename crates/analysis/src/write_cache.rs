//! How much a run wrote, and how much a write cache of the device may hold.

use record::{LayerKind, Measured};
use units::Bytes;

/// Write caches of flash take at most this share of the device (methodology: a third).
const CACHE_SHARE_MAX: f64 = 1.0 / 3.0;

pub(crate) fn bytes_written(measured: &Measured) -> Bytes {
    let laid_out = measured.layout.as_ref().map_or(0, |layout| layout.written.0);
    let cells = measured.cells.iter().map(|cell| cell.ledger.write_bytes.0);
    Bytes(cells.fold(laid_out, u64::saturating_add))
}

pub(crate) fn write_cache_max(measured: &Measured) -> Option<Bytes> {
    disk_capacity(measured).map(|size| Bytes((size.0 as f64 * CACHE_SHARE_MAX) as u64))
}

pub(crate) fn disk_capacity(measured: &Measured) -> Option<Bytes> {
    let disks = measured.target()?.bottom_devices();
    let sizes = disks.iter().filter(|layer| layer.kind != LayerKind::Partition);
    sizes.map(|layer| layer.size).reduce(|a, b| Bytes(a.0.saturating_add(b.0)))
}
