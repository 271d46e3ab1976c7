//! The table of floors in docs/house.md, and the picture of them.

use crate::tree::{read, root};

/// One row of the table, for one crate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Floor {
    /// The crate, by folder.
    pub name: String,
    /// What its floor is called: `roof`, a number, `ground`, `cellar`.
    pub label: String,
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
                label: floor.to_owned(),
                height,
                uses: uses.clone(),
            });
        }
    }
    found
}

/// The picture of the floors in a document: what each floor is called and the crates on it, highest
/// floor first. Nothing if there is no block of text that begins with the roof.
pub fn picture(document: &str) -> Vec<(String, Vec<String>)> {
    let rows = document
        .lines()
        .skip_while(|line| !line.starts_with("roof "));
    let row = |line: &str| {
        let mut words = line.split_whitespace().filter(|&word| word != "·");
        let label = words.next()?.to_owned();
        Some((label, words.map(str::to_owned).collect()))
    };
    rows.take_while(|line| !line.starts_with("```"))
        .filter_map(row)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Floor, parse, picture};

    #[test]
    fn rows_are_read() {
        let table = "text\n\n| floor | crate | what it is | uses |\n|---|---|---|---|\n\
            | roof | `a` | x | everything |\n| 1 | `b`, `c` | y | d |\n| ground | `d` | z | – |\n\ntext";
        let floor = |name: &str, label: &str, height, uses: Option<&[&str]>| Floor {
            name: name.to_owned(),
            label: label.to_owned(),
            height,
            uses: uses.map(|uses| uses.iter().map(|&name| name.to_owned()).collect()),
        };
        let expected = [
            floor("a", "roof", 3, None),
            floor("b", "1", 2, Some(&["d"])),
            floor("c", "1", 2, Some(&["d"])),
            floor("d", "ground", 1, Some(&[])),
        ];
        assert_eq!(parse(table), expected);
    }

    #[test]
    fn a_picture_is_read() {
        let text = "text\n```\nroof      app\n1      a · b\n```\nmore\n";
        let row = |label: &str, names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            (label.to_owned(), names)
        };
        assert_eq!(
            picture(text),
            [row("roof", &["app"]), row("1", &["a", "b"])]
        );
        assert!(picture("roof").is_empty());
    }
}
