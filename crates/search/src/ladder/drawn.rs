//! A tree drawn by hand, for lessons and tests.

use super::tree::Tree;
use std::fmt;
use std::str::FromStr;
use tesuji_shogi::Value;

/// The tree of the lessons: Max chooses at the root, Min below it, Max again, then the leaves. It is
/// worth 75. The numbers before the brackets are what the nodes look like to a search that stops
/// there.
pub const LESSON: &str = "[58[62[60 45] 76[70 90]] 70[72[75 50] 78[80 20]] \
                          64[71[40 75] 66[85 10]] 40[44[30 35] 69[85 60]]]";

/// A tree drawn by hand. Values are those for Max, who chooses at the root.
///
/// Leaves are numbers; a node is its branches in brackets, and the number before them, if there is
/// one, is what a search sees that stops at the node. Without a number it sees 0.
///
/// ```
/// use tesuji_search::ladder::{Drawn, minimax};
/// let mut tree: Drawn = "[[3 12] [2 8 9] [14 1]]".parse().unwrap();
/// assert_eq!(minimax(&mut tree).points(), 3);
/// assert!("[[3 12] [2".parse::<Drawn>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    nodes: Vec<DrawnNode>,
    /// From the root to where we stand.
    path: Vec<usize>,
    horizon: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct DrawnNode {
    value: Value,
    below: Vec<usize>,
}

/// Why a text draws no tree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DrawnError {
    /// Something else than a number, a bracket or a space.
    #[error("{0:?} is neither a number nor a bracket")]
    Word(String),
    /// The value is as large as a mate.
    #[error("{0} is too large: values lie between -30000 and 30000")]
    Large(String),
    /// A bracket is missing.
    #[error("a bracket [ is never closed")]
    Open,
    /// A bracket too many, or something behind the tree.
    #[error("{0:?} stands behind the end of the tree")]
    Behind(String),
    /// Brackets with nothing between them.
    #[error("a node without branches is a number, not []")]
    Empty,
    /// More levels than a search should go down.
    #[error("the tree is more than {DEEPEST} levels deep")]
    Deep,
    /// There is nothing.
    #[error("there is no tree: draw one as in [[3 12] [2 8]]")]
    Nothing,
}

/// More levels than anybody draws.
const DEEPEST: usize = 64;
/// Values are smaller than mates.
const GREATEST: i32 = 30_000;

impl Drawn {
    /// The tree of the lessons, worth 75.
    pub fn lesson() -> Self {
        LESSON
            .parse()
            .expect("the tree of the lessons is well drawn")
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it is a single leaf, where there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// The longest way down from the root.
    pub fn height(&self) -> u32 {
        fn of(tree: &Drawn, node: usize) -> u32 {
            let below = tree.nodes[node]
                .below
                .iter()
                .map(|&child| 1 + of(tree, child));
            below.max().unwrap_or(0)
        }
        of(self, 0)
    }

    /// The values of the leaves below the node that is called so (A, A2, A2b; nothing for the root),
    /// from left to right; none if no node is.
    pub fn leaves_below(&self, name: &str) -> Vec<Value> {
        fn gather(tree: &Drawn, node: usize, leaves: &mut Vec<Value>) {
            let DrawnNode { value, below } = &tree.nodes[node];
            if below.is_empty() {
                leaves.push(*value);
            }
            below.iter().for_each(|&child| gather(tree, child, leaves));
        }
        let mut leaves = Vec::new();
        if let Some(node) = self.named(name) {
            gather(self, node, &mut leaves);
        }
        leaves
    }

    /// The same tree with another value at every leaf below the node that is called so: whatever is
    /// put in for what was cut, the root stays the same.
    ///
    /// ```
    /// use tesuji_search::ladder::{Drawn, minimax};
    /// let tree = Drawn::lesson();
    /// for value in [-Drawn::INFINITE, Drawn::INFINITE] {
    ///     assert_eq!(minimax(&mut tree.with_leaves_below("A2b", value)).points(), 75);
    /// }
    /// ```
    #[must_use]
    pub fn with_leaves_below(&self, name: &str, value: Value) -> Self {
        fn fill(tree: &mut Drawn, node: usize, value: Value) {
            let below = tree.nodes[node].below.clone();
            if below.is_empty() {
                tree.nodes[node].value = value;
            }
            below.iter().for_each(|&child| fill(tree, child, value));
        }
        let mut tree = self.clone();
        if let Some(node) = self.named(name) {
            fill(&mut tree, node, value);
        }
        tree
    }

    /// More than any leaf can be worth.
    pub const INFINITE: Value = Value::new(GREATEST);

    fn named(&self, name: &str) -> Option<usize> {
        fn find(tree: &Drawn, node: usize, ply: u32, name: &str) -> Option<usize> {
            if name.is_empty() {
                return Some(node);
            }
            (0..)
                .zip(&tree.nodes[node].below)
                .find_map(|(number, &child)| {
                    let rest = name.strip_prefix(&Twig { number, ply }.to_string())?;
                    find(tree, child, ply + 1, rest)
                })
        }
        find(self, 0, 0, name)
    }

    fn at(&self) -> usize {
        *self.path.last().expect("the path begins with the root")
    }

    fn here(&self) -> &DrawnNode {
        &self.nodes[self.at()]
    }
}

/// As it is read.
impl fmt::Display for Drawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Behind a leaf a bracket would belong to the leaf, so that even a 0 must be written there.
        fn write(
            tree: &Drawn,
            node: usize,
            behind_leaf: bool,
            f: &mut fmt::Formatter<'_>,
        ) -> fmt::Result {
            let DrawnNode { value, below } = &tree.nodes[node];
            if below.is_empty() || behind_leaf || *value != Value::ZERO {
                write!(f, "{}", value.points())?;
            }
            let mut behind_leaf = false;
            for (number, &child) in below.iter().enumerate() {
                f.write_str(if number == 0 { "[" } else { " " })?;
                write(tree, child, behind_leaf, f)?;
                behind_leaf = tree.nodes[child].below.is_empty();
            }
            f.write_str(if below.is_empty() { "" } else { "]" })
        }
        write(self, 0, false, f)
    }
}

/// A branch of a drawn tree, named by its place: A, B, C below the root, then 1, 2, 3, then a, b, c.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Twig {
    number: usize,
    ply: u32,
}

impl fmt::Display for Twig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = u8::try_from(self.number).ok().filter(|&number| number < 26);
        match (self.ply, letter) {
            (0, Some(number)) => write!(f, "{}", char::from(b'A' + number)),
            (ply, Some(number)) if ply % 2 == 0 => write!(f, "{}", char::from(b'a' + number)),
            (ply, None) if ply % 2 == 0 => write!(f, "({})", self.number + 1),
            _ => write!(f, "{}", self.number + 1),
        }
    }
}

impl Tree for Drawn {
    type Branch = Twig;

    fn ply(&self) -> u32 {
        self.path.len() as u32 - 1
    }
    fn horizon(&self) -> u32 {
        self.horizon
    }
    fn look(&mut self, horizon: u32) {
        self.horizon = horizon;
    }
    fn key(&self) -> u64 {
        // Spread, since tables look at the highest bits.
        (self.at() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn branches(&mut self) -> Vec<Twig> {
        if self.ply() >= self.horizon {
            return Vec::new();
        }
        let ply = self.ply();
        (0..self.here().below.len())
            .map(|number| Twig { number, ply })
            .collect()
    }
    fn value(&mut self) -> Value {
        self.here().value
    }
    fn down(&mut self, twig: Twig) {
        self.path.push(self.here().below[twig.number]);
    }
    fn up(&mut self) {
        self.path.pop();
    }
}

impl FromStr for Drawn {
    type Err = DrawnError;

    fn from_str(text: &str) -> Result<Self, DrawnError> {
        let spaced = text
            .replace('[', " [ ")
            .replace(']', " ] ")
            .replace(',', " ");
        let mut words = spaced.split_whitespace();
        let first = words.next().ok_or(DrawnError::Nothing)?;
        let mut nodes = Vec::new();
        let next = read(first, &mut words, &mut nodes, 0)?;
        if let Some(word) = next.or_else(|| words.next()) {
            return Err(DrawnError::Behind(word.to_owned()));
        }
        let mut tree = Self {
            nodes,
            path: vec![0],
            horizon: 0,
        };
        tree.horizon = tree.height();
        Ok(tree)
    }
}

/// Reads the node that begins with `word`, and hands back the word that had to be read to see that
/// the node had ended.
fn read<'t>(
    word: &'t str,
    words: &mut impl Iterator<Item = &'t str>,
    nodes: &mut Vec<DrawnNode>,
    depth: usize,
) -> Result<Option<&'t str>, DrawnError> {
    if depth > DEEPEST {
        return Err(DrawnError::Deep);
    }
    let at = nodes.len();
    nodes.push(DrawnNode::default());
    if word != "[" {
        nodes[at].value = number(word)?;
        match words.next() {
            Some("[") => {}
            other => return Ok(other),
        }
    }
    let mut next = words.next();
    loop {
        match next {
            None => return Err(DrawnError::Open),
            Some("]") if nodes[at].below.is_empty() => return Err(DrawnError::Empty),
            Some("]") => return Ok(words.next()),
            Some(word) => {
                let child = nodes.len();
                nodes[at].below.push(child);
                next = read(word, words, nodes, depth + 1)?;
            }
        }
    }
}

fn number(word: &str) -> Result<Value, DrawnError> {
    let number: i32 = word
        .parse()
        .map_err(|_| DrawnError::Word(word.to_owned()))?;
    if (-GREATEST..=GREATEST).contains(&number) {
        Ok(Value::new(number))
    } else {
        Err(DrawnError::Large(word.to_owned()))
    }
}
