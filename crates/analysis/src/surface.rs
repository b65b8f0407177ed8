//! The curve over the surface: rate by place, the zones of a rotating disk, and weak places. A
//! place is weak where it was slower than the curve every time it was read.

use message::{Message, messages};
use record::{
    AccessPoint, Cell, Judgement, Measured, Slice, SliceStand, Surface, Trial, ZoneLaw, Zones,
};
use stats::{CurveShape, Slope, deviation_sign, fit_slope};
use units::{Bytes, BytesPerSecond, Ratio};

use crate::lists::find_or_push;

/// Share of the differences between places that the curve must explain ...
const ZONES_R_SQUARED_MIN: f64 = 0.9;
/// ... and the end over the start. Disks lose half, fast ones a third (methodology 7.3).
const ZONES_RATIO_MAX: f64 = 0.85;

/// The curve over the surface; `None` without such cells. `size` is that of the device or file.
pub fn build_surface(cells: &[Cell], size: Bytes) -> Option<Surface> {
    let (mut slices, mut access) = (Vec::<Slice>::new(), Vec::new());
    for cell in cells {
        match cell.trial {
            Some(Trial::Surface { at }) => {
                let bytes_per_second = Vec::new();
                let stand = SliceStand::Usual;
                let new = || Slice { at, bytes_per_second, expected: None, stand };
                let slice = find_or_push(&mut slices, |slice| slice.at == at, new);
                slice.bytes_per_second.push(cell.bytes_per_second());
            }
            Some(Trial::Access { at }) => access.extend(access_point(cell, at)),
            _ => {}
        }
    }
    if slices.is_empty() && access.is_empty() {
        return None;
    }
    slices.sort_by_key(|slice| slice.at);
    access.sort_by_key(|point: &AccessPoint| point.at);
    let share = |at: Bytes| at.0 as f64 / size.0.max(1) as f64;
    // The first time each was read: a place that is read more often has no more weight.
    let points: Vec<(f64, f64)> = slices
        .iter()
        .filter_map(|slice| Some((share(slice.at), *slice.bytes_per_second.first()?)))
        .collect();
    let curve = fit_slope(&points);
    if let Some(curve) = &curve {
        for slice in &mut slices {
            slice.expected = Some(curve.at(share(slice.at)));
            slice.stand = judge_slice(curve, share(slice.at), &slice.bytes_per_second);
        }
    }
    Some(Surface { size, slices, access, zones: curve.map(|curve| build_zones(&curve)) })
}

pub(crate) fn record_surface(measured: &Measured) -> Option<Surface> {
    build_surface(&measured.cells, surface_size(measured)?)
}

/// The end of the furthest place that was read.
fn surface_size(measured: &Measured) -> Option<Bytes> {
    let ends = measured.cells.iter().filter_map(|cell| match cell.trial {
        Some(Trial::Surface { .. } | Trial::Access { .. }) => {
            Some(Bytes(cell.job.span.offset.0.saturating_add(cell.job.span.length.0)))
        }
        _ => None,
    });
    ends.max()
}

fn access_point(cell: &Cell, at: Bytes) -> Option<AccessPoint> {
    let read = cell.totals.read.as_ref()?;
    let (mean_ns, max_ns) = (read.latency_ns.mean, read.latency_ns.max);
    Some(AccessPoint { at, mean_ns, max_ns, n: read.ops })
}

fn judge_slice(curve: &Slope, x: f64, rates: &[f64]) -> SliceStand {
    let [first, again @ ..] = rates else { return SliceStand::Usual };
    match deviation_sign(curve, (x, *first)) {
        0 => SliceStand::Usual,
        1 => SliceStand::Fast,
        _ if again.is_empty() => SliceStand::Suspect,
        _ if again.iter().all(|rate| deviation_sign(curve, (x, *rate)) < 0) => SliceStand::Weak,
        _ => SliceStand::Passing,
    }
}

fn build_zones(curve: &Slope) -> Zones {
    Zones {
        first: curve.at(0.0),
        last: curve.at(1.0),
        law: if curve.shape == CurveShape::Root { ZoneLaw::Root } else { ZoneLaw::Straight },
        r_squared: curve.r_squared,
        falls: curve.r_squared > ZONES_R_SQUARED_MIN && curve.ratio < ZONES_RATIO_MAX,
    }
}

pub(crate) fn describe_surface(judgement: &Judgement) -> Vec<Message> {
    let Some(surface) = &judgement.surface else { return Vec::new() };
    let mut said = Vec::new();
    if let Some(zones) = &surface.zones {
        let (first, last) = (BytesPerSecond(zones.first), BytesPerSecond(zones.last));
        let places = surface.slices.len();
        said.push(if zones.falls {
            ZonesFall { first, last, places, explained: Ratio(zones.r_squared) }.into()
        } else if zones.first.max(zones.last) < 1.15 * zones.first.min(zones.last) {
            EvenSurface { rate: first, places }.into()
        } else {
            UnevenSurface { first, last, places }.into()
        });
    }
    said.extend(describe_weak_places(surface));
    said
}

fn describe_weak_places(surface: &Surface) -> Option<Message> {
    let describe = |slice: &Slice| {
        let around = BytesPerSecond(slice.expected.unwrap_or(0.0));
        WeakPlace { rate: BytesPerSecond(slice.rate()), at: slice.at, around }.into()
    };
    let weak = surface.slices.iter().filter(|slice| slice.stand == SliceStand::Weak);
    let places: Vec<Message> = weak.map(describe).collect();
    (!places.is_empty()).then(|| WeakPlaces { places }.into())
}

messages! {
    ZonesFall = "surface-zones-fall" {
        first: BytesPerSecond, last: BytesPerSecond, places: usize, explained: Ratio,
    };
    EvenSurface = "surface-even" { rate: BytesPerSecond, places: usize };
    UnevenSurface = "surface-uneven" {
        first: BytesPerSecond, last: BytesPerSecond, places: usize,
    };
    WeakPlace = "surface-weak-place" { rate: BytesPerSecond, at: Bytes, around: BytesPerSecond };
    WeakPlaces = "surface-weak-places" { places: Vec<Message> };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cell_mut, sample_record};
    use record::CellRole;

    const SIZE: Bytes = Bytes::gib(1000);

    /// Cells of a surface with these rates in MB/s, and the end of the device.
    fn cells(rates: &[f64]) -> Vec<Cell> {
        let mut record = sample_record();
        let plain = cell_mut(&mut record, "seqread-1m").clone();
        let last = (rates.len() - 1) as u64;
        (0..)
            .zip(rates)
            .map(|(place, rate)| {
                let mut cell = plain.clone();
                let at = Bytes((SIZE.0 - Bytes::GIB) / last * place);
                cell.role = CellRole::Trial;
                cell.trial = Some(Trial::Surface { at });
                cell.job.span = workload::Span { offset: at, length: Bytes::gib(1) };
                cell.totals.read.as_mut().unwrap().bytes_per_second = rate * 1e6;
                cell
            })
            .collect()
    }

    fn disk() -> Vec<f64> {
        (0..11).map(|i| 250.0 * (1.0 - f64::from(i) / 10.0 * 0.75).sqrt()).collect()
    }

    #[test]
    fn zones_are_seen_and_said() {
        let mut record = sample_record();
        record.cells.extend(cells(&disk()));
        let judgement = crate::judge(&record);
        let surface = judgement.surface.as_ref().unwrap();
        let zones = surface.zones.as_ref().unwrap();
        assert!(zones.falls && zones.law == ZoneLaw::Root, "{zones:?}");
        assert!((zones.first / 250e6 - 1.0).abs() < 0.01, "{zones:?}");
        assert!((zones.last / 125e6 - 1.0).abs() < 0.02, "{zones:?}");
        let said = message::texts(&judgement.verdict.unwrap().meaning).join(" ");
        assert!(said.contains("as on a disk with zone bit recording"), "{said}");
        assert!(!said.contains("Slower than its surroundings"), "{said}");
    }

    #[test]
    fn a_flat_device_has_no_zones() {
        let rates: Vec<f64> = (0..11).map(|i| 500.0 + 3.0 * f64::from(i * 5 % 7)).collect();
        let surface = build_surface(&cells(&rates), SIZE).unwrap();
        assert!(!surface.zones.as_ref().unwrap().falls);
        assert!(surface.slices.iter().all(|slice| slice.stand == SliceStand::Usual));
    }

    #[test]
    fn a_place_is_weak_only_if_it_is_so_again() {
        let mut rates = disk();
        rates[4] *= 0.5;
        let first = cells(&rates);
        let stand = |cells: &[Cell]| build_surface(cells, SIZE).unwrap().slices[4].stand;
        assert_eq!(stand(&first), SliceStand::Suspect);
        let again = |factor: f64| {
            let mut rates = disk();
            rates[4] *= factor;
            let mut all = first.clone();
            all.push(cells(&rates).remove(4));
            all
        };
        assert_eq!(stand(&again(1.0)), SliceStand::Passing);
        assert_eq!(stand(&again(0.5)), SliceStand::Weak);
        let mut record = sample_record();
        record.cells.extend(again(0.5));
        let judgement = crate::judge(&record);
        let said = message::texts(&judgement.verdict.unwrap().meaning).join(" ");
        assert!(said.contains("Slower than its surroundings every time"), "{said}");
    }

    #[test]
    fn without_places_there_is_no_surface() {
        assert_eq!(build_surface(&sample_record().cells, SIZE), None);
        assert_eq!(build_surface(&cells(&[100.0, 90.0]), SIZE).unwrap().zones, None);
    }
}
