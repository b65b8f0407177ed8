//! The charts of the surface of a device, and of what turns and moves below it.

use plotly::Plot;
use plotly::common::{Marker, MarkerSymbol, Mode};
use record::{Record, Rotation, Slice, SliceStand, Surface};

use super::plot::{Chart, axis_from_zero, dashed_line, marker_of, set_axes, titled_axis, trace_of};

const LAW_STEPS: u32 = 60;

pub(super) fn draw_surface_charts(record: &Record) -> Vec<Chart> {
    let mut charts = Vec::new();
    if let Some(surface) = &record.judgement_or_default().surface {
        charts.extend((!surface.slices.is_empty()).then(|| draw_rates(surface)));
        charts.extend((!surface.access.is_empty()).then(|| draw_access_times(surface)));
    }
    charts.extend(record.judgement_or_default().rotation.as_ref().map(draw_seek_times));
    charts
}

fn to_gigabytes(at: units::Bytes) -> f64 {
    at.0 as f64 / 1e9
}

fn draw_rates(surface: &Surface) -> Chart {
    let mut plot = Plot::new();
    let place = |slice: &Slice| (to_gigabytes(slice.at), slice.rate() / 1e6);
    let read = trace_of(surface.slices.iter().map(place), Mode::LinesMarkers, "read in sequence");
    plot.add_trace(read.marker(Marker::new().size(8)));
    let slices = surface.slices.iter();
    let curve = slices.map(|slice| Some((to_gigabytes(slice.at), slice.expected? / 1e6)));
    if let Some(curve) = curve.collect::<Option<Vec<_>>>() {
        let curve = trace_of(curve, Mode::Lines, "curve through all");
        plot.add_trace(curve.line(dashed_line(1.5)));
    }
    for (stand, name, symbol) in [
        (SliceStand::Weak, "weak: slow every time", MarkerSymbol::XThinOpen),
        (SliceStand::Passing, "slow once, not again", MarkerSymbol::CircleOpen),
        (SliceStand::Suspect, "slow, read once", MarkerSymbol::DiamondOpen),
    ] {
        let of = surface.slices.iter().filter(|slice| slice.stand == stand);
        let points: Vec<(f64, f64)> = of.map(place).collect();
        if !points.is_empty() {
            plot.add_trace(trace_of(points, Mode::Markers, name).marker(marker_of(16, symbol)));
        }
    }
    set_axes(&mut plot, titled_axis("place, GB from the start", false), axis_from_zero("MB/s"));
    let caption = match &surface.zones {
        Some(zones) if zones.falls => format!(
            "Read here and there over the whole, in random order. The rate falls as on a disk with \
             zones; the curve explains {:.0} % of the differences.",
            zones.r_squared * 100.0
        ),
        _ => "Read here and there over the whole, in random order.".to_owned(),
    };
    Chart::new(("surface", "The surface: rate by place"), caption, &plot)
}

fn draw_access_times(surface: &Surface) -> Chart {
    let mut plot = Plot::new();
    let points = surface.access.iter();
    let mean = points.clone().map(|point| (to_gigabytes(point.at), point.mean_ns / 1e6));
    let mean = trace_of(mean, Mode::LinesMarkers, "mean");
    plot.add_trace(mean.marker(marker_of(8, MarkerSymbol::Circle)));
    let longest = points.map(|point| (to_gigabytes(point.at), point.max_ns as f64 / 1e6));
    let longest = trace_of(longest, Mode::Markers, "longest");
    plot.add_trace(longest.marker(marker_of(8, MarkerSymbol::CircleOpen)));
    let x = titled_axis("place, GB from the start", false);
    set_axes(&mut plot, x, axis_from_zero("latency, ms"));
    let caption = "Random reads at each place, one at a time: without a seek over the disk.";
    Chart::new(("access", "The surface: access times"), caption, &plot)
}

fn draw_seek_times(rotation: &Rotation) -> Chart {
    let mut plot = Plot::new();
    let measured = rotation.points.iter().map(|p| (100.0 * p.share, p.mean_ns / 1e6));
    let measured = trace_of(measured, Mode::Markers, "measured");
    plot.add_trace(measured.marker(Marker::new().size(9)));
    let share = |step: u32| (f64::from(step) / f64::from(LAW_STEPS)).powi(2);
    let law = |share: f64| {
        let seek = rotation.nearest_seek_ns + rotation.slope_ns * 8.0 / 15.0 * share.sqrt();
        (seek + rotation.turn_ns() / 2.0) / 1e6
    };
    let law = (0..=LAW_STEPS).map(share).map(|share| (100.0 * share, law(share)));
    let law = trace_of(law, Mode::Lines, "seek and half a turn");
    plot.add_trace(law.line(dashed_line(1.5)));
    let x = titled_axis("part of the device that is read, %", false);
    set_axes(&mut plot, x, axis_from_zero("mean of a random read, ms"));
    let caption = format!(
        "Random reads, one at a time: the further the arm has to go, the longer they take. The \
         platter makes {:.0} revolutions a minute.",
        rotation.rpm.value
    );
    Chart::new(("arm", "What the arm takes"), caption, &plot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{AccessPoint, Slice, StretchPoint};
    use stats::Estimate;
    use units::Bytes;

    #[test]
    fn a_disk_has_its_surface_and_its_arm_drawn() {
        let mut record = record::fixture::ssd_record();
        assert!(draw_surface_charts(&record).is_empty());
        let slices = (0..11_u32).map(|place| Slice {
            at: Bytes::gib(100 * u64::from(place)),
            bytes_per_second: vec![200e6 - 10e6 * f64::from(place)],
            expected: Some(200e6 - 10e6 * f64::from(place)),
            stand: if place == 4 { SliceStand::Weak } else { SliceStand::Usual },
        });
        let access = vec![AccessPoint { at: Bytes(0), mean_ns: 5.1e6, max_ns: 9_000_000, n: 20 }];
        let size = Bytes::gib(1001);
        record.judged_mut().surface =
            Some(Surface { size, slices: slices.collect(), access, zones: None });
        record.judged_mut().rotation = Some(Rotation {
            rpm: Estimate::without_interval(7_200.0, 300, "by hand".to_owned()),
            average_seek_ns: None,
            nearest_seek_ns: 0.7e6,
            slope_ns: 15e6,
            size,
            gain: 50.0,
            points: vec![StretchPoint { share: 1.0, n: 300, mean_ns: 13e6, law_ns: 12.9e6 }],
        });
        let drawn = draw_surface_charts(&record);
        let ids: Vec<&str> = drawn.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids, ["surface", "access", "arm"]);
        assert!(drawn[0].json.contains("x-thin-open"), "weak places have a sign of their own");
        assert!(drawn[2].caption.contains("7200 revolutions"));
    }
}
