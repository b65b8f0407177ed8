//! The surface in plain characters: a bar per place, with the curve through all of them.

use record::{SliceStand, Surface};
use units::{BytesPerSecond, Nanos};

use crate::text::{Style, wrap_text};
use crate::words::or_dash;

const BAR_WIDTH: usize = 40;
const FILLED_SIGN: char = '█';
const CURVE: char = '|';

/// A line per place, and what the signs mean; empty without places read in sequence.
pub(super) fn draw_surface(surface: &Surface, style: Style) -> Vec<String> {
    let rates =
        surface.slices.iter().flat_map(|slice| [slice.rate(), slice.expected.unwrap_or(0.0)]);
    let most = rates.fold(1.0, f64::max);
    let column =
        |rate: f64| (rate / most * BAR_WIDTH as f64).round().clamp(0.0, BAR_WIDTH as f64) as usize;
    let figure = |value: String| style.language.punctuate(&value);
    let mut lines: Vec<String> = Vec::new();
    for slice in &surface.slices {
        let mut bar = vec![' '; BAR_WIDTH + 1];
        bar[..column(slice.rate())].fill(FILLED_SIGN);
        if let Some(expected) = slice.expected {
            bar[column(expected)] = CURVE;
        }
        let access = surface.access.iter().find(|point| point.at == slice.at);
        let access = or_dash(access.map(|point| Nanos(point.mean_ns as u64)));
        let line = format!(
            "{:>10} {:>12}  {}{:>8}  {}",
            figure(slice.at.to_string()),
            figure(BytesPerSecond(slice.rate()).to_string()),
            bar.into_iter().collect::<String>(),
            figure(access),
            slice_words(slice.stand, style),
        );
        lines.push(line.trim_end().to_owned());
    }
    if !lines.is_empty() {
        lines.extend(wrap_text(&style.say("text-surface-key"), style.prose_width()));
    }
    lines
}

fn slice_words(stand: SliceStand, style: Style) -> String {
    match stand {
        SliceStand::Usual => String::new(),
        SliceStand::Suspect => style.say("series-suspect"),
        SliceStand::Passing => style.say("series-passing"),
        SliceStand::Weak => style.say("series-weak"),
        SliceStand::Fast => style.say("surface-fast"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{AccessPoint, Slice};
    use units::Bytes;

    #[test]
    fn every_place_has_its_bar_and_weak_ones_a_word() {
        let slices = (0..11_u32).map(|place| Slice {
            at: Bytes::gib(100 * u64::from(place)),
            bytes_per_second: vec![if place == 4 { 80e6 } else { 200e6 - 10e6 * f64::from(place) }],
            expected: Some(200e6 - 10e6 * f64::from(place)),
            stand: if place == 4 { SliceStand::Weak } else { SliceStand::Usual },
        });
        let access = vec![AccessPoint { at: Bytes(0), mean_ns: 5.1e6, max_ns: 9_000_000, n: 20 }];
        let size = Bytes::gib(1001);
        let made = Surface { size, slices: slices.collect(), access, zones: None };
        let lines = draw_surface(&made, Style::PLAIN);
        assert_eq!(lines.len(), 12);
        assert!(lines.iter().all(|line| line.chars().count() <= crate::text::WIDTH), "{lines:#?}");
        assert!(lines[4].ends_with("weak: slow every time"), "{}", lines[4]);
        assert!(lines[0].contains("200 MB/s") && lines[0].ends_with("5.10 ms"), "{}", lines[0]);
        let bar = |line: &str| line.chars().filter(|c| *c == FILLED_SIGN).count();
        assert!(bar(&lines[4]) < bar(&lines[10]) && bar(&lines[10]) < bar(&lines[0]));
        assert!(draw_surface(&Surface { slices: Vec::new(), ..made }, Style::PLAIN).is_empty());
    }
}
