//! The charts of the surface of a device, and of what turns and moves below it.

use plotly::common::{DashType, Line, Marker, MarkerSymbol, Mode};
use plotly::{Plot, Scatter};
use record::{Record, Rotation, SliceStand, Surface};

use super::plot::{Chart, axis_from_zero, build_chart, set_axes, titled_axis};

/// Points of the line of a law.
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

/// The rate of every place, and the curve.
fn draw_rates(surface: &Surface) -> Chart {
    let mut plot = Plot::new();
    let rate: Vec<f64> = surface.slices.iter().map(|slice| slice.rate() / 1e6).collect();
    let at: Vec<f64> = surface.slices.iter().map(|slice| to_gigabytes(slice.at)).collect();
    plot.add_trace(
        Scatter::new(at.clone(), rate)
            .mode(Mode::LinesMarkers)
            .marker(Marker::new().size(8))
            .name("read in sequence"),
    );
    let curve: Vec<f64> =
        surface.slices.iter().filter_map(|slice| Some(slice.expected? / 1e6)).collect();
    if curve.len() == at.len() {
        let dashed = Line::new().dash(DashType::Dash).width(1.5);
        plot.add_trace(
            Scatter::new(at, curve).mode(Mode::Lines).line(dashed).name("curve through all"),
        );
    }
    for (stand, name, symbol) in [
        (SliceStand::Weak, "weak: slow every time", MarkerSymbol::XThinOpen),
        (SliceStand::Passing, "slow once, not again", MarkerSymbol::CircleOpen),
        (SliceStand::Suspect, "slow, read once", MarkerSymbol::DiamondOpen),
    ] {
        let of: Vec<_> = surface.slices.iter().filter(|slice| slice.stand == stand).collect();
        if !of.is_empty() {
            let x: Vec<f64> = of.iter().map(|slice| to_gigabytes(slice.at)).collect();
            let y: Vec<f64> = of.iter().map(|slice| slice.rate() / 1e6).collect();
            let marker = Marker::new().size(16).symbol(symbol);
            plot.add_trace(Scatter::new(x, y).mode(Mode::Markers).marker(marker).name(name));
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
    build_chart("surface".into(), "The surface: rate by place".into(), caption, &plot)
}

/// The times of random reads at every place.
fn draw_access_times(surface: &Surface) -> Chart {
    let mut plot = Plot::new();
    let x: Vec<f64> = surface.access.iter().map(|point| to_gigabytes(point.at)).collect();
    let of = |ns: &dyn Fn(&record::AccessPoint) -> f64| -> Vec<f64> {
        surface.access.iter().map(|point| ns(point) / 1e6).collect()
    };
    let marker = |symbol| Marker::new().size(8).symbol(symbol);
    plot.add_trace(
        Scatter::new(x.clone(), of(&|point| point.mean_ns))
            .mode(Mode::LinesMarkers)
            .marker(marker(MarkerSymbol::Circle))
            .name("mean"),
    );
    plot.add_trace(
        Scatter::new(x, of(&|point| point.max_ns as f64))
            .mode(Mode::Markers)
            .marker(marker(MarkerSymbol::CircleOpen))
            .name("longest"),
    );
    set_axes(
        &mut plot,
        titled_axis("place, GB from the start", false),
        axis_from_zero("latency, ms"),
    );
    let caption = "Random reads at each place, one at a time: without a seek over the disk.";
    build_chart("access".into(), "The surface: access times".into(), caption.into(), &plot)
}

/// How the mean wait grows with the part of the device that is read.
fn draw_seek_times(rotation: &Rotation) -> Chart {
    let mut plot = Plot::new();
    let of = |part: &dyn Fn(&record::StretchPoint) -> f64| -> Vec<f64> {
        rotation.points.iter().map(part).collect()
    };
    plot.add_trace(
        Scatter::new(of(&|p| 100.0 * p.share), of(&|p| p.mean_ns / 1e6))
            .mode(Mode::Markers)
            .marker(Marker::new().size(9))
            .name("measured"),
    );
    let share = |step: u32| (f64::from(step) / f64::from(LAW_STEPS)).powi(2);
    let law = |share: f64| {
        let seek = rotation.nearest_seek_ns + rotation.slope_ns * 8.0 / 15.0 * share.sqrt();
        (seek + rotation.turn_ns() / 2.0) / 1e6
    };
    let x: Vec<f64> = (0..=LAW_STEPS).map(|step| 100.0 * share(step)).collect();
    let y: Vec<f64> = (0..=LAW_STEPS).map(|step| law(share(step))).collect();
    let dashed = Line::new().dash(DashType::Dash).width(1.5);
    plot.add_trace(Scatter::new(x, y).mode(Mode::Lines).line(dashed).name("seek and half a turn"));
    set_axes(
        &mut plot,
        titled_axis("part of the device that is read, %", false),
        axis_from_zero("mean of a random read, ms"),
    );
    let caption = format!(
        "Random reads, one at a time: the further the arm has to go, the longer they take. The \
         platter makes {:.0} revolutions a minute.",
        rotation.rpm.value
    );
    build_chart("arm".into(), "What the arm takes".into(), caption, &plot)
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
