//! Charts as SVG, without a script.
//!
//! A [`Chart`] is drawn at the width of its place: on the page, on a phone, or as a file of its
//! own. Colours are CSS variables, so that one picture serves light, dark and paper. Symbols and
//! dashes carry the meaning a second time.
//!
//! Invariants
//! - Every text is escaped here; callers pass it as it is.
//! - Values that are not finite, or not positive on a logarithmic axis, are not drawn.
//! - Ticks and labels never overlap: what has no room is left out.

mod axis;
mod heat_map;
mod label;
mod plot;
mod series;
mod svg;

pub(crate) use axis::{Axis, NumberFormat};
pub(crate) use heat_map::{HeatCell, HeatMap};
pub(crate) use label::Label;
pub(crate) use plot::Plot;
pub(crate) use series::{Colour, Dash, Look, Point, Series, Symbol};

use message::Language;
use svg::escape;

/// Width in pixels of a picture that fills a row of the page, of one beside another, and of one on
/// a phone.
const WIDE: f64 = 1080.0;
const HALF: f64 = 532.0;
const NARROW: f64 = 350.0;

pub(crate) struct Chart {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) caption: String,
    /// Whether it has a row of its own.
    pub(crate) is_wide: bool,
    picture: Picture,
}

pub(crate) enum Picture {
    Plot(Plot),
    HeatMap(HeatMap),
}

impl From<Plot> for Picture {
    fn from(plot: Plot) -> Self {
        Self::Plot(plot)
    }
}

impl From<HeatMap> for Picture {
    fn from(map: HeatMap) -> Self {
        Self::HeatMap(map)
    }
}

impl Chart {
    pub(crate) fn new(
        (id, title): (impl Into<String>, impl Into<String>),
        caption: impl Into<String>,
        picture: impl Into<Picture>,
    ) -> Chart {
        let (id, title, caption) = (id.into(), title.into(), caption.into());
        Chart { id, title, caption, is_wide: false, picture: picture.into() }
    }

    pub(crate) fn wide(self) -> Chart {
        Chart { is_wide: true, ..self }
    }

    /// The picture for the page and that for a phone, of which CSS shows one.
    pub(crate) fn inline(&self, language: Language) -> String {
        let page = self.draw(self.width(), " class=\"on-wide\"", language);
        page + &self.draw(NARROW, " class=\"on-narrow\"", language)
    }

    const fn width(&self) -> f64 {
        if self.is_wide { WIDE } else { HALF }
    }

    /// The picture as a document of its own.
    pub(crate) fn to_file(&self, language: Language) -> String {
        let style = concat!("<style>", include_str!("../templates/chart.css"), "</style>");
        let drawn = self.draw(self.width(), " xmlns=\"http://www.w3.org/2000/svg\"", language);
        let (head, rest) = drawn.split_once('>').unwrap_or((&drawn, ""));
        format!("{head}>{style}<rect class=\"ground\" width=\"100%\" height=\"100%\"/>{rest}")
    }

    fn draw(&self, width: f64, attributes: &str, language: Language) -> String {
        let (height, body) = match &self.picture {
            Picture::Plot(plot) => plot.draw(width, language),
            Picture::HeatMap(map) => map.draw(width),
        };
        // On a phone it fills what there is.
        let limit = match width > NARROW {
            true => format!("style=\"max-width:{width:.0}px\""),
            false => String::new(),
        };
        format!(
            "<svg{attributes} role=\"img\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             {limit}><title>{}. {}</title>{body}</svg>\n",
            escape(&self.title),
            escape(&self.caption),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Chart {
        let mut plot = Plot::new(
            Axis::linear("operations per second", NumberFormat::Count).starting_at_zero(),
            Axis::log("p99", NumberFormat::Nanos),
        );
        let points = [(10.0, 1e5), (900.0, 2e5), (f64::NAN, 1.0), (1_000.0, 0.0)];
        let points = points.map(|(x, y)| Point::new(x, y, "<depth 1>"));
        plot.add(Series::joined("a & b", Look::series(0), points.to_vec()));
        plot.add_bound(1e6, "p99<1ms");
        plot.labels.push(Label::new(900.0, 2e5, "the answer").needed(Colour::Alert, "answer"));
        Chart::new(("id", "a <title>"), "caption", plot).wide()
    }

    #[test]
    fn a_picture_is_escaped_named_and_finite() {
        let drawn = sample().inline(Language::English);
        assert!(drawn.contains("a &lt;title&gt;. caption") && drawn.contains("p99&lt;1ms"));
        assert!(drawn.contains("role=\"img\"") && !drawn.contains("NaN"));
        assert!(!drawn.contains("inf"), "{drawn}");
        assert!(drawn.contains("the answer"));
        assert_eq!(drawn.matches("<svg").count(), 2, "for the page and for a phone");
    }

    #[test]
    fn a_file_is_a_document_with_its_colours() {
        let file = sample().to_file(Language::English);
        assert!(file.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{file}");
        assert!(file.contains("prefers-color-scheme") && file.contains("--c0"));
    }

    #[test]
    fn a_series_without_points_is_not_in_the_legend() {
        let mut plot =
            Plot::new(Axis::linear("x", NumberFormat::Count), Axis::log("y", NumberFormat::Count));
        for name in ["empty", "one", "two"] {
            let points = if name == "empty" { vec![] } else { vec![Point::new(1.0, 2.0, "")] };
            plot.add(Series::joined(name, Look::series(0), points));
        }
        let drawn = Chart::new(("id", "t"), "c", plot).inline(Language::English);
        assert!(drawn.contains(">one<") && !drawn.contains(">empty<"), "{drawn}");
    }

    #[test]
    fn words_that_have_no_room_beside_their_axis_stand_above_their_lines() {
        let words = "random read 4k, depth 64, most within p99<500us";
        let y = Axis::linear("", NumberFormat::Count).ticks(vec![(1.0, words.to_owned())]);
        let mut plot = Plot::new(Axis::linear("x", NumberFormat::Count), y.range(0.4, 1.6));
        plot.add(Series::points("", Look::series(0), vec![Point::new(1.0, 1.0, "")]));
        let drawn = Chart::new(("id", "t"), "c", plot).wide().inline(Language::English);
        assert_eq!(
            drawn.matches(">random read 4k, depth 64, most within p99&lt;500us<").count(),
            2
        );
    }

    #[test]
    fn an_empty_plot_is_drawn_without_a_number_that_is_none() {
        let plot =
            Plot::new(Axis::linear("x", NumberFormat::Count), Axis::log("y", NumberFormat::Count));
        let drawn = Chart::new(("id", "t"), "c", plot).inline(Language::English);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }
}
