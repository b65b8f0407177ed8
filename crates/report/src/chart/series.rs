//! What a plot shows: lines, points with their intervals, bars.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    /// One of a cycle of eight that can be told apart.
    Series(usize),
    Guide,
    Alert,
}

impl Colour {
    pub(super) fn class(self) -> String {
        match self {
            Self::Series(place) => format!("c{}", place % COLOURS),
            Self::Guide => "guide".to_owned(),
            Self::Alert => "alert".to_owned(),
        }
    }
}

const COLOURS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dash {
    Solid,
    Dashed,
    Dotted,
    Mixed,
    Long,
}

impl Dash {
    const ALL: [Dash; 5] = [Self::Solid, Self::Dashed, Self::Dotted, Self::Mixed, Self::Long];

    pub(super) fn attribute(self) -> &'static str {
        match self {
            Self::Solid => "",
            Self::Dashed => " stroke-dasharray=\"6 4\"",
            Self::Dotted => " stroke-dasharray=\"1.5 3.5\"",
            Self::Mixed => " stroke-dasharray=\"8 3 2 3\"",
            Self::Long => " stroke-dasharray=\"12 4\"",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    Circle,
    Square,
    Diamond,
    Triangle,
    TriangleDown,
    Cross,
    Star,
    /// A bar from zero.
    Bar,
}

impl Symbol {
    const CYCLE: [Symbol; 5] =
        [Self::Circle, Self::Square, Self::Diamond, Self::Triangle, Self::TriangleDown];
}

/// How a series looks. Two series of a plot never look the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) colour: Colour,
    pub(crate) dash: Dash,
    pub(crate) symbol: Symbol,
    pub(crate) size: f64,
    pub(crate) is_hollow: bool,
    pub(crate) width: f64,
}

impl Look {
    /// The look of the series at a place: its colour, its symbol, and beyond eight its dash.
    pub(crate) fn series(place: usize) -> Look {
        Look {
            colour: Colour::Series(place),
            dash: Dash::ALL[(place / COLOURS) % Dash::ALL.len()],
            symbol: Symbol::CYCLE[place % Symbol::CYCLE.len()],
            size: 4.0,
            is_hollow: false,
            width: 1.8,
        }
    }

    /// As [`Look::series`], for lines without symbols: neighbours differ by their dash too.
    pub(crate) fn line(place: usize) -> Look {
        Look { dash: Dash::ALL[(place + place / COLOURS) % Dash::ALL.len()], ..Look::series(place) }
    }

    pub(crate) fn guide(dash: Dash) -> Look {
        Look { colour: Colour::Guide, dash, width: 1.3, ..Look::series(0) }
    }

    pub(crate) fn hollow(self) -> Look {
        Look { is_hollow: true, ..self }
    }

    pub(crate) fn symbol(self, symbol: Symbol) -> Look {
        Look { symbol, ..self }
    }

    pub(crate) fn colour(self, colour: Colour) -> Look {
        Look { colour, ..self }
    }

    pub(crate) fn size(self, size: f64) -> Look {
        Look { size, ..self }
    }

    pub(crate) fn width(self, width: f64) -> Look {
        Look { width, ..self }
    }

    pub(crate) fn dash(self, dash: Dash) -> Look {
        Look { dash, ..self }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// What is shown where the pointer is.
    pub(crate) words: String,
    pub(crate) x_between: Option<(f64, f64)>,
    pub(crate) y_between: Option<(f64, f64)>,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64, words: impl Into<String>) -> Point {
        Point { x, y, words: words.into(), ..Point::default() }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Series {
    /// In the legend; a series without a name is not.
    pub(crate) name: String,
    pub(crate) look: Look,
    /// Each through its own points: a gap ends a line.
    pub(crate) lines: Vec<Vec<(f64, f64)>>,
    pub(crate) points: Vec<Point>,
}

impl Series {
    pub(crate) fn points(name: impl Into<String>, look: Look, points: Vec<Point>) -> Series {
        Series { name: name.into(), look, lines: Vec::new(), points }
    }

    pub(crate) fn line(
        name: impl Into<String>,
        look: Look,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Series {
        let lines = vec![points.into_iter().collect()];
        Series { name: name.into(), look, lines, points: Vec::new() }
    }

    /// A line wherever values follow each other; a missing one is a gap.
    pub(crate) fn line_with_gaps(
        name: impl Into<String>,
        look: Look,
        points: impl IntoIterator<Item = (f64, Option<f64>)>,
    ) -> Series {
        let mut lines = vec![Vec::new()];
        for (x, y) in points {
            match (y, lines.last_mut()) {
                (Some(y), Some(line)) => line.push((x, y)),
                _ => lines.push(Vec::new()),
            }
        }
        lines.retain(|line| !line.is_empty());
        Series { name: name.into(), look, lines, points: Vec::new() }
    }

    pub(crate) fn joined(name: impl Into<String>, look: Look, points: Vec<Point>) -> Series {
        let lines = vec![points.iter().map(|point| (point.x, point.y)).collect()];
        Series { name: name.into(), look, lines, points }
    }

    /// Points in the order of their load, joined only where the first figure rises: a line that
    /// runs back would tangle.
    pub(crate) fn joined_where_rising(
        name: impl Into<String>,
        look: Look,
        points: Vec<Point>,
    ) -> Series {
        let mut lines: Vec<Vec<(f64, f64)>> = Vec::new();
        for point in &points {
            let at = (point.x, point.y);
            match lines.last_mut() {
                Some(line) if line.last().is_some_and(|last| last.0 < at.0) => line.push(at),
                _ => lines.push(vec![at]),
            }
        }
        Series { name: name.into(), look, lines, points }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_where_values_are_missing_or_run_back() {
        let look = Look::series(0);
        let gaps = [(0.0, Some(1.0)), (1.0, Some(1.0)), (2.0, None), (3.0, Some(1.0))];
        assert_eq!(Series::line_with_gaps("", look, gaps).lines.len(), 2);
        let points = [1.0, 2.0, 1.5, 1.6].map(|x| Point::new(x, 1.0, ""));
        assert_eq!(Series::joined_where_rising("", look, points.to_vec()).lines.len(), 2);
    }

    #[test]
    fn no_two_of_many_lines_look_the_same() {
        for look in [Look::series, Look::line] {
            let looks: Vec<(String, Dash)> =
                (0..32).map(look).map(|look| (look.colour.class(), look.dash)).collect();
            for (place, one) in looks.iter().enumerate() {
                assert!(!looks[place + 1..].contains(one), "{place}: {one:?}");
            }
        }
    }
}
