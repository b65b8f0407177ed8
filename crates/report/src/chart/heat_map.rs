//! A heat map: a figure in every cell of two categories, with its shade.

use std::fmt::Write as _;

use super::svg::{Anchor, FONT, LINE, escape, fit_text, text_width, write_line, write_text};

const ROW: f64 = 34.0;
/// Below this width of a cell its words have no room.
const CELL_MIN: f64 = 30.0;

pub(crate) struct HeatMap {
    pub(crate) x_title: String,
    pub(crate) y_title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<(String, Vec<Option<HeatCell>>)>,
}

pub(crate) struct HeatCell {
    /// From 0 to 1: how dark.
    pub(crate) share: f64,
    pub(crate) words: String,
    /// A number that must not be used, or that something disturbed.
    pub(crate) is_struck: bool,
    /// What is shown where the pointer is.
    pub(crate) note: String,
}

impl HeatMap {
    /// Its height and its SVG at a width.
    pub(super) fn draw(&self, width: f64) -> (f64, String) {
        let widest = self.rows.iter().map(|row| text_width(&row.0)).fold(20.0, f64::max);
        let (left, top) = (widest + 10.0, LINE + 8.0);
        let cell_width = ((width - left) / self.columns.len().max(1) as f64).max(CELL_MIN);
        let mut out = String::new();
        write_text(&mut out, (0.0, FONT), Anchor::Start, "s", &self.y_title);
        for (place, (name, cells)) in self.rows.iter().enumerate() {
            let y = top + ROW * place as f64;
            let base = y + ROW / 2.0 + FONT * 0.35;
            write_text(&mut out, (left - 6.0, base), Anchor::End, "s", name);
            for (column, cell) in cells.iter().enumerate() {
                let x = left + cell_width * column as f64;
                if let Some(cell) = cell {
                    write_cell(&mut out, cell, (x, y), cell_width);
                }
            }
        }
        let bottom = top + ROW * self.rows.len() as f64;
        for (column, name) in self.columns.iter().enumerate() {
            let middle = left + cell_width * (column as f64 + 0.5);
            let name = fit_text(name, cell_width - 2.0);
            write_text(&mut out, (middle, bottom + LINE), Anchor::Middle, "s", &name);
        }
        let title = (width, bottom + 2.0 * LINE + 2.0);
        write_text(&mut out, title, Anchor::End, "s", &self.x_title);
        (bottom + 2.0 * LINE + 8.0, out)
    }
}

fn write_cell(out: &mut String, cell: &HeatCell, (x, y): (f64, f64), width: f64) {
    let share = if cell.share.is_finite() { cell.share.clamp(0.0, 1.0) } else { 0.0 };
    let _ = write!(
        out,
        "<g><title>{}</title><rect class=\"heat\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
         height=\"{:.1}\" fill-opacity=\"{:.2}\"/>",
        escape(&cell.note),
        x + 1.0,
        y + 1.0,
        width - 2.0,
        ROW - 2.0,
        0.05 + 0.65 * share,
    );
    let (middle, base) = (x + width / 2.0, y + ROW / 2.0 + FONT * 0.35);
    let words = fit_text(&cell.words, width - 4.0);
    write_text(out, (middle, base), Anchor::Middle, "t", &words);
    if cell.is_struck {
        let half = text_width(&words) / 2.0 + 4.0;
        let height = y + ROW / 2.0;
        write_line(out, (middle - half, height), (middle + half, height), "struck");
    }
    out.push_str("</g>");
}
