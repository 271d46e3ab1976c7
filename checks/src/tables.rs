//! Tables of documents, and the code spans in their cells.

/// A table of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table<'a> {
    /// What stands above each column.
    pub heads: Vec<&'a str>,
    /// Each row with its line in the document.
    pub rows: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Table<'a> {
    /// The cells below a head, each with its line; none if no column is called so.
    pub fn column(&self, head: &str) -> impl Iterator<Item = (usize, &'a str)> {
        let at = self.heads.iter().position(|&other| other == head);
        let cell = move |(line, cells): &(usize, Vec<&'a str>)| Some((*line, *cells.get(at?)?));
        self.rows.iter().filter_map(cell)
    }
}

/// Every table of a document.
pub fn tables(document: &str) -> Vec<Table<'_>> {
    let mut found: Vec<Table> = Vec::new();
    let mut is_inside = false;
    for (at, line) in document.lines().enumerate() {
        let Some(cells) = line.strip_prefix('|').map(cells) else {
            is_inside = false;
            continue;
        };
        match found.last_mut().filter(|_| is_inside) {
            None => found.push(Table {
                heads: cells,
                rows: Vec::new(),
            }),
            Some(_) if line.starts_with("|--") => {}
            Some(table) => table.rows.push((at + 1, cells)),
        }
        is_inside = true;
    }
    found
}

fn cells(row: &str) -> Vec<&str> {
    let row = row.trim_end();
    let row = row.strip_suffix('|').unwrap_or(row);
    row.split('|').map(str::trim).collect()
}

/// The code spans of a text.
pub fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::{code_spans, tables};

    #[test]
    fn columns_are_found_by_their_heads() {
        let text = "| a | b |\n|---|---|\n| 1 | `x`, `y` |\n| 2 | – |\n\ntext\n\n| c |\n|--|\n";
        let found = tables(text);
        assert_eq!(found.len(), 2);
        let column: Vec<_> = found[0].column("b").collect();
        assert_eq!(column, [(3, "`x`, `y`"), (4, "–")]);
        assert_eq!(found[0].column("c").count(), 0);
        assert!(found[1].rows.is_empty());
        assert!(code_spans(column[0].1).eq(["x", "y"]));
    }
}
