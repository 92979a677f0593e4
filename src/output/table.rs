//! Rows in columns, with a bold header.

use std::fmt;

use anstyle::Style;

/// A table for people. The last column has no fixed width.
pub(crate) struct Table<const N: usize> {
    head: [&'static str; N],
    rows: Vec<(Style, [String; N])>,
}

impl<const N: usize> Table<N> {
    pub(crate) const fn new(head: [&'static str; N]) -> Self {
        Self { head, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: [String; N]) {
        self.styled_row(Style::new(), cells);
    }

    pub(crate) fn styled_row(&mut self, style: Style, cells: [String; N]) {
        self.rows.push((style, cells));
    }
}

impl<const N: usize> fmt::Display for Table<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|(_, cells)| cells[column].chars().count());
            cells.max().unwrap_or(0).max(self.head[column].len())
        };
        let widths: Vec<_> = (0..N).map(width).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| -> String {
            let padded = cells.zip(&widths).map(|(cell, width)| format!("{cell:<width$}  "));
            padded.collect::<String>().trim_end().to_owned()
        };
        let bold = Style::new().bold();
        writeln!(f, "{bold}{}{bold:#}", line(&mut self.head.iter().copied()))?;
        for (style, cells) in &self.rows {
            writeln!(f, "{style}{}{style:#}", line(&mut cells.iter().map(String::as_str)))?;
        }
        Ok(())
    }
}
