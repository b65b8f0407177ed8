//! The charts of the surface of a device, and of what turns and moves below it.

use message::{Language, Render as _, messages};
use record::{Record, Rotation, Slice, SliceStand, Surface};
use units::Ratio;

use super::shared::cross_look;
use crate::chart::{Axis, Chart, Dash, Look, NumberFormat, Plot, Point, Series, Symbol};
use crate::words::say;

messages! {
    SurfaceZones = "surface-zones" { explained: Ratio };
    ArmCaption = "surface-arm-caption" { turns: u64 };
}

const LAW_STEPS: u32 = 60;

pub(super) fn draw_surface_charts(record: &Record, language: Language) -> Vec<Chart> {
    let mut charts = Vec::new();
    if let Some(surface) = &record.judgement_or_default().surface {
        charts.extend((!surface.slices.is_empty()).then(|| draw_rates(surface, language)));
        charts.extend((!surface.access.is_empty()).then(|| draw_access_times(surface, language)));
    }
    charts.extend(
        record.judgement_or_default().rotation.as_ref().map(|of| draw_seek_times(of, language)),
    );
    charts
}

fn to_gigabytes(at: units::Bytes) -> f64 {
    at.0 as f64 / 1e9
}

fn place_axis(language: Language) -> Axis {
    Axis::linear(say("axis-place", language), NumberFormat::Count)
}

fn draw_rates(surface: &Surface, language: Language) -> Chart {
    let mut plot = Plot::new(
        place_axis(language),
        Axis::linear("MB/s", NumberFormat::Count).starting_at_zero(),
    );
    let place = |slice: &Slice| {
        let (at, rate) = (to_gigabytes(slice.at), slice.rate() / 1e6);
        Point::new(at, rate, format!("{at:.0} GB: {rate:.0} MB/s"))
    };
    let read = surface.slices.iter().map(place).collect();
    plot.add(Series::joined(say("series-sequential", language), Look::series(0).size(3.0), read));
    let slices = surface.slices.iter();
    let curve = slices.map(|slice| Some((to_gigabytes(slice.at), slice.expected? / 1e6)));
    if let Some(curve) = curve.collect::<Option<Vec<_>>>() {
        plot.add(Series::line(say("series-fit", language), Look::guide(Dash::Dashed), curve));
    }
    let large = Look::series(1).size(8.0).hollow();
    for (stand, name, look) in [
        (SliceStand::Weak, say("series-weak", language), cross_look()),
        (SliceStand::Passing, say("series-passing", language), large.symbol(Symbol::Circle)),
        (SliceStand::Suspect, say("series-suspect", language), large.symbol(Symbol::Diamond)),
    ] {
        let of = surface.slices.iter().filter(|slice| slice.stand == stand);
        plot.add_points(&name, look, of.map(place).collect());
    }
    let mut caption = say("surface-caption", language);
    if let Some(zones) = surface.zones.as_ref().filter(|zones| zones.falls) {
        let explained = Ratio(zones.r_squared);
        caption = [caption, SurfaceZones { explained }.render(language)].join(" ");
    }
    Chart::new(("surface", say("surface", language)), caption, plot).wide()
}

fn draw_access_times(surface: &Surface, language: Language) -> Chart {
    let y = Axis::linear(say("axis-latency", language), NumberFormat::Nanos).starting_at_zero();
    let mut plot = Plot::new(place_axis(language), y);
    let at = |point: &record::AccessPoint| to_gigabytes(point.at);
    let points = surface.access.iter();
    let mean = points.clone().map(|point| Point::new(at(point), point.mean_ns, "")).collect();
    plot.add(Series::joined(say("series-mean", language), Look::series(0), mean));
    let longest = points.map(|point| Point::new(at(point), point.max_ns as f64, "")).collect();
    plot.add(Series::points(say("series-longest", language), Look::series(1).hollow(), longest));
    let title = say("surface-access", language);
    Chart::new(("access", title), say("surface-access-caption", language), plot)
}

fn draw_seek_times(rotation: &Rotation, language: Language) -> Chart {
    let x =
        Axis::linear(say("axis-share-read", language), NumberFormat::Percent).starting_at_zero();
    let y = Axis::linear(say("axis-mean-read", language), NumberFormat::Nanos).starting_at_zero();
    let mut plot = Plot::new(x, y);
    let measured = rotation.points.iter().map(|p| Point::new(100.0 * p.share, p.mean_ns, ""));
    plot.add(Series::points(
        say("series-measured", language),
        Look::series(0).size(5.0),
        measured.collect(),
    ));
    let share = |step: u32| (f64::from(step) / f64::from(LAW_STEPS)).powi(2);
    let law = |share: f64| {
        let seek = rotation.nearest_seek_ns + rotation.slope_ns * 8.0 / 15.0 * share.sqrt();
        seek + rotation.turn_ns() / 2.0
    };
    let law = (0..=LAW_STEPS).map(share).map(|share| (100.0 * share, law(share)));
    plot.add(Series::line(say("series-seek", language), Look::guide(Dash::Dashed), law));
    let turns = rotation.rpm.value.max(0.0).round() as u64;
    let title = say("surface-arm", language);
    Chart::new(("arm", title), ArmCaption { turns }.render(language), plot)
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
        assert!(draw_surface_charts(&record, Language::English).is_empty());
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
            rpm: Estimate::without_interval(7_200.0, 300, message::Message::from_text("by hand")),
            average_seek_ns: None,
            nearest_seek_ns: 0.7e6,
            slope_ns: 15e6,
            size,
            gain: 50.0,
            points: vec![StretchPoint { share: 1.0, n: 300, mean_ns: 13e6, law_ns: 12.9e6 }],
        });
        let drawn = draw_surface_charts(&record, Language::English);
        let ids: Vec<&str> = drawn.iter().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids, ["surface", "access", "arm"]);
        assert!(
            drawn[0].inline(Language::English).contains("weak: slow every time"),
            "weak places have a sign"
        );
        assert!(drawn[2].caption.contains("7,200 revolutions"));
    }
}
