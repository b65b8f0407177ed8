//! A plot: series over two axes, bounds, bands, labels and a legend.

use std::fmt::Write as _;

use message::Language;

use super::axis::{Axis, AxisScale, Tick};
use super::label::{Label, Occupied};
use super::series::{Look, Point, Series, Symbol};
use super::svg::{Anchor, Area, FONT, LINE, escape, fit_text, text_width, write_line, write_text};

/// Height of the plot itself on a wide picture, on one beside another, and on a phone.
const HEIGHT_WIDE: f64 = 300.0;
const HEIGHT_HALF: f64 = 220.0;
/// The widest words beside the axis that goes up, as a share of the picture; wider ones stand above
/// their lines.
const SIDE_SHARE_MAX: f64 = 0.42;
/// How much higher a plot is then.
const HEIGHT_WORDS_ABOVE: f64 = 1.8;
const LEGEND_SAMPLE: f64 = 26.0;
const RIGHT_MARGIN: f64 = 14.0;

pub(crate) struct Plot {
    x: Axis,
    y: Axis,
    series: Vec<Series>,
    pub(crate) labels: Vec<Label>,
    bounds: Vec<(f64, String)>,
    /// Shaded from one x to another, with a dashed line between them.
    band: Option<(f64, f64, f64)>,
    height: Option<f64>,
}

impl Plot {
    pub(crate) fn new(x: Axis, y: Axis) -> Plot {
        let (series, labels, bounds) = (Vec::new(), Vec::new(), Vec::new());
        Plot { x, y, series, labels, bounds, band: None, height: None }
    }

    pub(crate) fn add(&mut self, series: Series) {
        self.series.push(series);
    }

    /// Adds points only where there are some.
    pub(crate) fn add_points(&mut self, name: &str, look: Look, points: Vec<Point>) {
        if !points.is_empty() {
            self.add(Series::points(name, look, points));
        }
    }

    /// A dashed line; everything above it is shaded as forbidden.
    pub(crate) fn add_bound(&mut self, y: f64, words: impl Into<String>) {
        self.bounds.push((y, words.into()));
    }

    pub(crate) fn shade_band(&mut self, low: f64, middle: f64, high: f64) {
        self.band = Some((low, middle, high));
    }

    pub(crate) fn set_height(&mut self, height: f64) {
        self.height = Some(height);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    fn x_values(&self) -> impl Iterator<Item = f64> {
        let ends = |point: &Point| {
            let (low, high) = point.x_between.unwrap_or((point.x, point.x));
            [point.x, low, high]
        };
        let points = self.series.iter().flat_map(move |s| s.points.iter().flat_map(ends));
        let lines = self.series.iter().flat_map(|s| s.lines.iter().flatten().map(|at| at.0));
        let band = self.band.into_iter().flat_map(|(low, middle, high)| [low, middle, high]);
        points.chain(lines).chain(band)
    }

    fn y_values(&self) -> impl Iterator<Item = f64> {
        let ends = |point: &Point| {
            let (low, high) = point.y_between.unwrap_or((point.y, point.y));
            [point.y, low, high]
        };
        let points = self.series.iter().flat_map(move |s| s.points.iter().flat_map(ends));
        let lines = self.series.iter().flat_map(|s| s.lines.iter().flatten().map(|at| at.1));
        // Some of the forbidden side is always seen.
        let bounds = self.bounds.iter().map(|bound| bound.0 * 1.5);
        points.chain(lines).chain(bounds)
    }

    /// Its height and its SVG at a width.
    pub(super) fn draw(&self, width: f64, language: Language) -> (f64, String) {
        let height = self.height.unwrap_or(if width > 700.0 { HEIGHT_WIDE } else { HEIGHT_HALF });
        let top = if self.y.title.is_empty() { 10.0 } else { LINE + 8.0 };
        let scale = |height: f64| {
            let y = self.y.scale(self.y_values(), (top + height, top));
            let ticks = y.ticks(false, language);
            (top + height, y, ticks)
        };
        let (mut bottom, mut y, mut ticks) = scale(height);
        let widest = ticks.iter().map(|tick| text_width(&tick.1)).fold(20.0, f64::max);
        let words_above = widest > width * SIDE_SHARE_MAX;
        if words_above {
            (bottom, y, ticks) = scale(height * HEIGHT_WORDS_ABOVE);
        }
        let left = if words_above { 4.0 } else { widest + 10.0 };
        let x = self.x.scale(self.x_values(), (left, width - RIGHT_MARGIN));
        let area = Area { left, top, right: width - RIGHT_MARGIN, bottom };
        let has_pointer = width > super::NARROW;
        let frame = Frame { area, x, y, words_above, has_pointer };
        let mut out = String::new();
        frame.write_grid(&mut out, self, (&ticks, &frame.x.ticks(true, language)));
        frame.write_shades(&mut out, self);
        if words_above {
            frame.write_words_above(&mut out, &ticks);
        }
        for series in &self.series {
            frame.write_series(&mut out, series);
        }
        frame.write_labels(&mut out, self);
        let axis_end = bottom + LINE + if self.x.title.is_empty() { 4.0 } else { LINE + 6.0 };
        let end = self.write_legend(&mut out, axis_end, (left, width));
        (end, out)
    }

    /// Writes the names of the series in rows, and returns where they end.
    fn write_legend(&self, out: &mut String, top: f64, (left, width): (f64, f64)) -> f64 {
        let is_drawn = |s: &&Series| !s.points.is_empty() || s.lines.iter().any(|l| !l.is_empty());
        let named = self.series.iter().filter(|s| !s.name.is_empty());
        let named: Vec<&Series> = named.filter(is_drawn).collect();
        if named.len() < 2 {
            return top;
        }
        // A narrow picture has no room to lose.
        let left = if width < 700.0 { 4.0 } else { left };
        let (mut x, mut y) = (left, top + LINE);
        for series in named {
            let name = fit_text(&series.name, width - left - LEGEND_SAMPLE - 10.0);
            let room = LEGEND_SAMPLE + 6.0 + text_width(&name);
            if x > left && x + room > width {
                (x, y) = (left, y + LINE + 2.0);
            }
            write_sample(out, series, (x, y - FONT * 0.35));
            write_text(out, (x + LEGEND_SAMPLE + 6.0, y), Anchor::Start, "t", &name);
            x += room + 18.0;
        }
        y + 8.0
    }
}

fn write_sample(out: &mut String, series: &Series, (x, y): (f64, f64)) {
    let _ = write!(out, "<g class=\"{}\">", series.look.colour.class());
    if !series.lines.is_empty() {
        write_path(out, &series.look, &[(x, y), (x + LEGEND_SAMPLE, y)]);
    }
    if !series.points.is_empty() {
        let look = Look { size: series.look.size.min(6.0), ..series.look };
        let look = if look.symbol == Symbol::Bar { look.symbol(Symbol::Square) } else { look };
        write_symbol(out, look, (x + LEGEND_SAMPLE / 2.0, y), "");
    }
    out.push_str("</g>");
}

fn write_path(out: &mut String, look: &Look, points: &[(f64, f64)]) {
    if points.len() < 2 {
        return;
    }
    // In tenths of a pixel, each from the last: absolute places would be half of a page's bytes.
    let tenths = |value: f64| (value * 10.0).round() as i64;
    let (mut x, mut y) = (tenths(points[0].0), tenths(points[0].1));
    let _ = write!(out, "<path class=\"l\" d=\"M{} {}", write_tenths(x), write_tenths(y));
    let mut step = (0_i64, 0_i64);
    let mut write_step = |step: (i64, i64)| {
        let _ = match step {
            (0, 0) => Ok(()),
            (dx, 0) => write!(out, "h{}", write_tenths(dx)),
            (0, dy) => write!(out, "v{}", write_tenths(dy)),
            (dx, dy) => write!(out, "l{} {}", write_tenths(dx), write_tenths(dy)),
        };
    };
    for (at, point) in points.iter().enumerate().skip(1) {
        let (dx, dy) = (tenths(point.0) - x, tenths(point.1) - y);
        // Less than a pixel is not seen, but at the end of a line.
        if dx.abs() + dy.abs() < 10 && at + 1 < points.len() {
            continue;
        }
        (x, y) = (x + dx, y + dy);
        // What goes on in the same direction is one line.
        let goes_on = dx == 0 && step.0 == 0 && dy.signum() == step.1.signum()
            || dy == 0 && step.1 == 0 && dx.signum() == step.0.signum();
        if goes_on {
            step = (step.0 + dx, step.1 + dy);
        } else if (dx, dy) != (0, 0) {
            write_step(step);
            step = (dx, dy);
        }
    }
    write_step(step);
    let _ = write!(out, "\" stroke-width=\"{}\"{}/>", look.width, look.dash.attribute());
}

/// Tenths as a decimal number, without a zero before the point.
fn write_tenths(tenths: i64) -> String {
    let (sign, number) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match (number / 10, number % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (0, tenth) => format!("{sign}.{tenth}"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}"),
    }
}

/// A symbol around a place, with the words that are shown where the pointer is.
fn write_symbol(out: &mut String, look: Look, (x, y): (f64, f64), words: &str) {
    let r = look.size;
    let polygon = |corners: &[(f64, f64)]| {
        // From corner to corner: absolute places take half as much again.
        let tenths = |value: f64| (value * 10.0).round() as i64;
        let corner = |(dx, dy): &(f64, f64)| (tenths(x + dx * r), tenths(y + dy * r));
        let (mut path, mut last) = (String::from("<path d=\""), (0, 0));
        for (at, (x, y)) in corners.iter().map(corner).enumerate() {
            let (dx, dy) = (write_tenths(x - last.0), write_tenths(y - last.1));
            let _ = write!(path, "{}{dx} {dy}", if at == 0 { 'M' } else { 'l' });
            last = (x, y);
        }
        path + "Z\""
    };
    let shape = match look.symbol {
        Symbol::Circle => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\""),
        Symbol::Square | Symbol::Bar => {
            polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)])
        }
        Symbol::Diamond => polygon(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        Symbol::Triangle => polygon(&[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)]),
        Symbol::TriangleDown => polygon(&[(0.0, 1.2), (1.15, -0.9), (-1.15, -0.9)]),
        Symbol::Star => polygon(&star_corners()),
        Symbol::Cross => {
            let (a, b, c, d) = (x - r, y - r, x + r, y + r);
            format!("<path d=\"M{a:.1} {b:.1}L{c:.1} {d:.1}M{a:.1} {d:.1}L{c:.1} {b:.1}\"")
        }
    };
    let class = if look.is_hollow || look.symbol == Symbol::Cross { "h" } else { "f" };
    let title = match words {
        "" => String::new(),
        words => format!("<title>{}</title>", escape(words)),
    };
    let _ = match title.as_str() {
        "" => write!(out, "{shape} class=\"{class}\"/>"),
        title => {
            let tag = if shape.starts_with("<circle") { "circle" } else { "path" };
            write!(out, "{shape} class=\"{class}\">{title}</{tag}>")
        }
    };
}

fn star_corners() -> Vec<(f64, f64)> {
    let corner = |place: u32| {
        let angle = std::f64::consts::PI * (f64::from(place) / 5.0 - 0.5);
        let far = if place.is_multiple_of(2) { 1.0 } else { 0.42 };
        (far * angle.cos(), far * angle.sin())
    };
    (0..10).map(corner).collect()
}

/// The scales of a plot, and the area between its axes.
struct Frame<'a> {
    area: Area,
    x: AxisScale<'a>,
    y: AxisScale<'a>,
    /// Whether the words of the axis that goes up stand above their lines.
    words_above: bool,
    /// Whether words are shown where the pointer is: a phone has none.
    has_pointer: bool,
}

impl Frame<'_> {
    fn at(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        (self.x.shows(x) && self.y.shows(y)).then(|| (self.x.place(x), self.y.place(y)))
    }

    fn write_grid(&self, out: &mut String, plot: &Plot, (y_ticks, x_ticks): (&[Tick], &[Tick])) {
        let Area { left, top, right, bottom } = self.area;
        if !plot.y.title.is_empty() {
            write_text(out, (0.0, FONT), Anchor::Start, "s", &plot.y.title);
        }
        for (value, words) in y_ticks {
            let y = self.y.place(*value);
            write_line(out, (left, y), (right, y), "grid");
            if !self.words_above {
                write_text(out, (left - 6.0, y + FONT * 0.35), Anchor::End, "s", words);
            }
        }
        for (value, words) in x_ticks {
            let x = self.x.place(*value);
            let end = if plot.x.has_round_ticks() { bottom } else { bottom + 4.0 };
            write_line(out, (x, top), (x, end), "grid");
            // Half of the words must not stand beyond the edge.
            let half = text_width(words) / 2.0;
            let x = x.clamp(half, (right + RIGHT_MARGIN - half).max(half));
            write_text(out, (x, bottom + LINE), Anchor::Middle, "s", words);
        }
        write_line(out, (left, bottom), (right, bottom), "axis");
        let title = fit_text(&plot.x.title, right);
        write_text(out, (right, bottom + 2.0 * LINE + 2.0), Anchor::End, "s", &title);
    }

    fn write_words_above(&self, out: &mut String, y_ticks: &[Tick]) {
        let Area { left, right, .. } = self.area;
        for (value, words) in y_ticks {
            let words = fit_text(words, right - left);
            let base = self.y.place(*value) - 9.0;
            write_text(out, (left, base), Anchor::Start, "s halo", &words);
        }
    }

    fn write_shades(&self, out: &mut String, plot: &Plot) {
        let Area { left, top, right, bottom } = self.area;
        if let Some((low, middle, high)) = plot.band {
            let (from, to) = (self.x.place(low), self.x.place(high));
            write_rectangle(out, Area { left: from, top, right: to, bottom }, "same");
            let x = self.x.place(middle);
            write_line(out, (x, top), (x, bottom), "rule");
        }
        // The strictest bound shades all that a looser one would.
        let strictest = plot.bounds.iter().map(|bound| bound.0).fold(f64::INFINITY, f64::min);
        if strictest.is_finite() {
            let forbidden = Area { left, top, right, bottom: self.y.place(strictest) };
            write_rectangle(out, forbidden, "forbidden");
        }
        for (bound, _) in &plot.bounds {
            let y = self.y.place(*bound);
            write_line(out, (left, y), (right, y), "bound");
        }
    }

    fn write_series(&self, out: &mut String, series: &Series) {
        let _ = write!(out, "<g class=\"{}\">", series.look.colour.class());
        for line in &series.lines {
            // What is beyond the axes interrupts a line.
            let places: Vec<Option<(f64, f64)>> = line.iter().map(|at| self.at(*at)).collect();
            for run in places.split(Option::is_none) {
                write_path(out, &series.look, &Vec::from_iter(run.iter().flatten().copied()));
            }
        }
        for point in &series.points {
            let Some(place) = self.at((point.x, point.y)) else { continue };
            self.write_intervals(out, point, place);
            if series.look.symbol == Symbol::Bar {
                let area = Area {
                    left: place.0 - series.look.size,
                    top: place.1,
                    right: place.0 + series.look.size,
                    bottom: self.area.bottom,
                };
                write_rectangle(out, area, "f");
            } else {
                let words = if self.has_pointer { point.words.as_str() } else { "" };
                write_symbol(out, series.look, place, words);
            }
        }
        out.push_str("</g>");
    }

    /// Whiskers of the 95 % intervals, which end at the axes.
    fn write_intervals(&self, out: &mut String, point: &Point, (x, y): (f64, f64)) {
        if let Some((low, high)) = point.y_between {
            let (low, high) = (self.y.place(low), self.y.place(high));
            write_line(out, (x, low), (x, high), "w");
            for end in [low, high] {
                write_line(out, (x - 3.0, end), (x + 3.0, end), "w");
            }
        }
        if let Some((low, high)) = point.x_between {
            let (low, high) = (self.x.place(low), self.x.place(high));
            write_line(out, (low, y), (high, y), "w");
            for end in [low, high] {
                write_line(out, (end, y - 4.0), (end, y + 4.0), "w");
            }
        }
    }

    fn write_labels(&self, out: &mut String, plot: &Plot) {
        let mut occupied =
            Occupied { bounds: self.area, areas: Vec::new(), points: self.sample_drawn(plot) };
        for (y, words) in &plot.bounds {
            // Above its line, at the left.
            let (left, base) = (self.area.left + 6.0, self.y.place(*y) - 5.0);
            let (top, right) = (base - FONT, left + text_width(words));
            occupied.areas.push(Area { left, top, right, bottom: base + 4.0 });
            write_text(out, (left, base), Anchor::Start, "own halo alert", words);
            let line = self.y.place(*y);
            let steps = ((self.area.right - self.area.left) / 6.0) as u32;
            let along = (0..steps).map(|step| (self.area.left + 6.0 * f64::from(step), line));
            occupied.points.extend(along);
        }
        let mut sorted: Vec<&Label> = plot.labels.iter().collect();
        sorted.sort_by_key(|label| label.needed.is_none());
        for label in sorted {
            let Some(at) = self.at((label.x, label.y)) else { continue };
            let class = match label.needed {
                Some(colour) => format!("own b halo {}", colour.class()),
                None => "s halo".to_owned(),
            };
            for text in [&label.text, &label.short].into_iter().filter(|text| !text.is_empty()) {
                if let Some(area) = occupied.place(at, text, label.needed.is_some()) {
                    let base = (area.left, area.bottom - LINE * 0.27);
                    write_text(out, base, Anchor::Start, &class, text);
                    break;
                }
            }
        }
    }

    /// Points along all that is drawn, in pixels, for labels to keep away from.
    fn sample_drawn(&self, plot: &Plot) -> Vec<(f64, f64)> {
        let mut all = Vec::new();
        for series in &plot.series {
            for (x, y) in series.points.iter().filter_map(|point| self.at((point.x, point.y))) {
                let r = series.look.size;
                all.extend([(x, y), (x - r, y), (x + r, y), (x, y - r), (x, y + r)]);
            }
            for line in &series.lines {
                let places: Vec<(f64, f64)> = line.iter().filter_map(|at| self.at(*at)).collect();
                for pair in places.windows(2) {
                    let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
                    let steps = ((x2 - x1).hypot(y2 - y1) / 6.0).ceil().min(200.0) as u32;
                    let share = |step: u32| f64::from(step) / f64::from(steps.max(1));
                    let between = (0..steps).map(share);
                    all.extend(between.map(|s| (x1 + (x2 - x1) * s, y1 + (y2 - y1) * s)));
                }
            }
        }
        all
    }
}

fn write_rectangle(out: &mut String, area: Area, class: &str) {
    let Area { left, top, right, bottom } = area;
    let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
    let _ = write!(
        out,
        "<rect class=\"{class}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\"/>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_its_peaks_and_its_end() {
        let mut out = String::new();
        let points = [(0.0, 50.0), (0.4, 50.3), (0.8, 10.0), (1.2, 50.0), (9.0, 50.0), (9.5, 50.0)];
        write_path(&mut out, &Look::series(0), &points);
        assert!(out.contains("d=\"M0 50l.8 -40l.4 40h8.3\""), "{out}");
    }
}
