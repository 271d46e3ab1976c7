//! The table of floors in docs/house.md.

use crate::tree::{read, root};

/// One row of the table, for one crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floor {
    /// The crate, by folder.
    pub name: String,
    /// Its height: larger is higher. Crates of one floor have the same.
    pub height: usize,
    /// What it may use; nothing if it may use all crates of lower floors.
    pub uses: Option<Vec<String>>,
}

/// The table of the house, highest floor first.
pub fn floors() -> Vec<Floor> {
    parse(&read(&root().join("docs/house.md")))
}

/// Reads the first table with the columns floor, crate, what it is, uses.
fn parse(house: &str) -> Vec<Floor> {
    let rows = house
        .lines()
        .skip_while(|line| !line.starts_with("| floor | crate |"))
        .skip(2);
    let rows: Vec<Vec<&str>> = rows
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut found = Vec::new();
    let mut height = rows.len();
    let mut last = None;
    for row in rows {
        let [floor, names, _, uses] = row[..] else {
            panic!("four columns: {row:?}")
        };
        if last.is_some_and(|last| last != floor) {
            height -= 1;
        }
        last = Some(floor);
        let uses = match uses {
            "everything" => None,
            "–" => Some(Vec::new()),
            list => Some(list.split(", ").map(str::to_owned).collect()),
        };
        for name in names.split(", ") {
            let name = name.trim_matches('`').to_owned();
            found.push(Floor {
                name,
                height,
                uses: uses.clone(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Floor, parse};

    #[test]
    fn rows_are_read() {
        let table = "text\n\n| floor | crate | what it is | uses |\n|---|---|---|---|\n\
            | roof | `a` | x | everything |\n| 1 | `b`, `c` | y | d |\n| ground | `d` | z | – |\n\ntext";
        let floor = |name: &str, height, uses: Option<&[&str]>| Floor {
            name: name.to_owned(),
            height,
            uses: uses.map(|uses| uses.iter().map(|&name| name.to_owned()).collect()),
        };
        let expected = [
            floor("a", 3, None),
            floor("b", 2, Some(&["d"])),
            floor("c", 2, Some(&["d"])),
            floor("d", 1, Some(&[])),
        ];
        assert_eq!(parse(table), expected);
    }
}
