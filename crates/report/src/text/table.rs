//! A table of figures that fits its terminal: words are wrapped, and columns are left out, before
//! a figure is ever broken.

use super::wrap::{longest_piece, longest_word, pad_left, pad_right, text_width, wrap_text};

const GAP: usize = 2;

/// A first column of words, and columns of figures to the right.
pub(crate) struct FigureTable {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Columns in the order in which they are left out.
    dispensable: Vec<usize>,
}

impl FigureTable {
    pub(crate) fn new(
        head: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Self {
        let head = head.into_iter().map(Into::into).collect();
        Self { head, rows: rows.into_iter().collect(), dispensable: Vec::new() }
    }

    /// The columns that may be left out where the terminal is narrow, in that order.
    pub(crate) fn dispensable(mut self, columns: &[usize]) -> Self {
        self.dispensable = columns.to_vec();
        self
    }

    /// The lines of the head, and those of each row.
    pub(crate) fn lines(&self, width: usize) -> (Vec<String>, Vec<Vec<String>>) {
        let columns = self.fitting_columns(width);
        let label = self.label_width(&columns, width);
        let format = |row: &Vec<String>| self.format_row(row, &columns, label);
        (format(&self.head), self.rows.iter().map(format).collect())
    }

    fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().chain([&self.head]).filter_map(|row| row.get(column));
        cells.map(|cell| text_width(cell)).max().unwrap_or(0)
    }

    fn figures_width(&self, columns: &[usize]) -> usize {
        columns.iter().map(|column| GAP + self.column_width(*column)).sum()
    }

    /// Labels need nearly half of the terminal, or less where they are short.
    fn fitting_columns(&self, width: usize) -> Vec<usize> {
        let mut columns: Vec<usize> = (1..self.head.len()).collect();
        let has_figures = |column: &usize| {
            self.rows.iter().any(|row| row.get(*column).is_some_and(|cell| cell.trim() != "-"))
        };
        columns.retain(|column| self.rows.is_empty() || has_figures(column));
        let label_min = self.column_width(0).min(width * 9 / 20);
        for column in &self.dispensable {
            if label_min + self.figures_width(&columns) <= width {
                break;
            }
            columns.retain(|kept| kept != column);
        }
        columns
    }

    fn label_width(&self, columns: &[usize], width: usize) -> usize {
        let room = width.saturating_sub(self.figures_width(columns));
        self.column_width(0).min(room).max(1)
    }

    fn format_row(&self, row: &[String], columns: &[usize], label: usize) -> Vec<String> {
        let words = row.first().map_or("", String::as_str);
        let indent = words.len() - words.trim_start_matches([' ', 'X', '!']).len();
        let (sign, words) = words.split_at(indent.min(4));
        let mut lines = wrap_text(words, label.saturating_sub(sign.len()).max(8));
        let first = format!("{sign}{}", lines.remove(0));
        let figures = columns.iter().map(|column| {
            let cell = row.get(*column).map_or("", String::as_str);
            let width = self.column_width(*column);
            // Words, as notes are, have no title.
            let is_text = self.head[*column].is_empty();
            let cell = if is_text { pad_right(cell, width) } else { pad_left(cell, width) };
            format!("{:GAP$}{cell}", "")
        });
        let first = format!("{}{}", pad_right(&first, label), figures.collect::<String>());
        let below = lines.iter().map(|line| format!("{:width$}{line}", "", width = sign.len() + 2));
        [first.trim_end().to_owned()].into_iter().chain(below).collect()
    }
}

/// Breaks cells of the widest columns into lines: between words as long as that is enough, then
/// within paths and lists, at last anywhere.
pub(super) fn break_cells(rows: &mut Vec<Vec<String>>, width: usize) {
    let columns = rows.first().map_or(0, Vec::len);
    let widest = |measure: fn(&str) -> usize| -> Vec<usize> {
        let cells = |at: usize| rows.iter().filter_map(move |row| row.get(at));
        (0..columns).map(|at| cells(at).map(|cell| measure(cell)).max().unwrap_or(0)).collect()
    };
    let mut widths = widest(text_width);
    let least = [widest(longest_word), widest(longest_piece), vec![1; columns]];
    let gaps = GAP * columns.saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > width {
        let wider_than = |least: &Vec<usize>| {
            let columns = (0..columns).filter(|at| widths[*at] > least[*at]);
            columns.max_by_key(|at| widths[*at])
        };
        let Some(at) = least.iter().find_map(wider_than) else { break };
        widths[at] -= 1;
    }
    for row in rows {
        for (cell, width) in row.iter_mut().zip(&widths) {
            if text_width(cell) > *width {
                *cell = wrap_text(cell, *width).join("\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_broken_between_words_and_folders() {
        let check = |width: usize, expected: [&str; 3]| {
            let cells = ["/srv/data/first", "ext4", "on the disk sda"];
            let mut rows = vec![cells.map(str::to_owned).to_vec()];
            break_cells(&mut rows, width);
            assert_eq!(rows[0], expected, "{width}");
        };
        check(40, ["/srv/data/first", "ext4", "on the disk sda"]);
        check(34, ["/srv/data/first", "ext4", "on the disk\nsda"]);
        check(26, ["/srv/data/\nfirst", "ext4", "on\nthe\ndisk\nsda"]);
        check(17, ["/srv/\ndata/\nfirst", "ext4", "on\nthe\ndisk\nsda"]);
    }

    fn table() -> FigureTable {
        let row = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let rows = [
            row(&["! random read 4k within p99<10ms", "118,402", "±1.2 %", "485", "1.2 ms"]),
            row(&["  commit 4k", "1,204", "±3.0 %", "-", "1.8 ms"]),
        ];
        FigureTable::new(["", "IOPS", "95 %", "MB/s", "p99"], rows).dispensable(&[3, 2])
    }

    #[test]
    fn figures_are_never_broken() {
        let (head, rows) = table().lines(80);
        assert_eq!(head, ["                                     IOPS    95 %  MB/s     p99"]);
        assert_eq!(rows[0], ["! random read 4k within p99<10ms  118,402  ±1.2 %   485  1.2 ms"]);
        let (_, rows) = table().lines(40);
        let all: Vec<&String> = rows.iter().flatten().collect();
        assert!(all.iter().all(|line| text_width(line) <= 40), "{all:#?}");
        assert!(rows[0][0].ends_with("1.2 ms") && rows[0][0].contains("118,402"), "{all:#?}");
        assert!(rows[0].len() > 1 && !rows[0][0].contains("485"), "{all:#?}");
    }
}
