//! Watching a search: trees that count, and trees that write down every node.

use super::rung::{PointOfView, Rung};
use super::tree::{Chooser, Tree};
use serde::{Serialize, Serializer};
use tesuji_shogi::Value;

/// Everything a rung did on a tree, in the order in which it did it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trace {
    /// Which rung.
    #[serde(serialize_with = "by_name")]
    pub rung: Rung,
    /// What it says of the root, for Max.
    #[serde(serialize_with = "points")]
    pub value: Value,
    /// Every node, a parent before its children; a node that is searched again is written down again.
    pub nodes: Vec<TracedNode>,
}

/// A node as it was searched once. Windows and values are for Max or for whoever chooses at the node, as
/// [`Rung::view`] says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TracedNode {
    /// The node above it; `None` at the root.
    pub parent: Option<usize>,
    /// The branch that led here; empty at the root.
    pub branch: String,
    /// How many moves below the root.
    pub ply: u32,
    /// Who chooses.
    #[serde(serialize_with = "turn_name")]
    pub turn: Chooser,
    /// The window at the beginning: what is at most `alpha` …
    #[serde(serialize_with = "points")]
    pub alpha: Value,
    /// … or at least `beta` does not interest.
    #[serde(serialize_with = "points")]
    pub beta: Value,
    /// The answer.
    #[serde(serialize_with = "points")]
    pub value: Value,
    /// How it came to its answer.
    #[serde(serialize_with = "way_name")]
    pub way: Way,
    /// The branches that it did not look at, since the answer was already good enough.
    pub cut: Vec<String>,
}

/// How a node came to its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By evaluating a leaf.
    Evaluated,
    /// By looking at branches.
    Searched,
    /// From the table.
    Remembered,
}

fn points<S: Serializer>(value: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(value.points())
}

fn by_name<S: Serializer>(rung: &Rung, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rung.name())
}

fn turn_name<S: Serializer>(turn: &Chooser, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match turn {
        Chooser::Max => "max",
        Chooser::Min => "min",
    })
}

fn way_name<S: Serializer>(way: &Way, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match way {
        Way::Evaluated => "evaluated",
        Way::Searched => "searched",
        Way::Remembered => "remembered",
    })
}

impl Trace {
    /// The root: once for every time the whole tree was searched.
    pub fn passes(&self) -> impl Iterator<Item = usize> + '_ {
        self.below(None)
    }

    /// The nodes right below a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.below(Some(node))
    }

    fn below(&self, parent: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let all = self.nodes.iter().enumerate();
        all.filter(move |(_, node)| node.parent == parent)
            .map(|(number, _)| number)
    }

    /// How many nodes were evaluated.
    pub fn leaves(&self) -> usize {
        self.nodes
            .iter()
            .filter(|node| node.way == Way::Evaluated)
            .count()
    }

    /// The names of the branches that lead to a node, run together.
    pub fn name(&self, node: usize) -> String {
        let TracedNode { parent, branch, .. } = &self.nodes[node];
        match parent {
            Some(parent) => self.name(*parent) + branch,
            None => String::new(),
        }
    }
}

/// A tree that writes down every node.
pub struct TracedTree<T: Tree> {
    tree: T,
    nodes: Vec<TracedNode>,
    /// The nodes under way, from the root down.
    path: Vec<usize>,
    /// The branch gone down last, until the search has begun there.
    branch: String,
}

impl<T: Tree> TracedTree<T> {
    /// Nothing is written down yet.
    pub fn new(tree: T) -> Self {
        Self {
            tree,
            nodes: Vec::new(),
            path: Vec::new(),
            branch: String::new(),
        }
    }

    /// What was written down.
    pub fn trace(self, rung: Rung, value: Value) -> Trace {
        Trace {
            rung,
            value,
            nodes: self.nodes,
        }
    }

    fn node(&mut self) -> &mut TracedNode {
        let number = *self.path.last().expect("a search has begun");
        &mut self.nodes[number]
    }
}

impl<T: Tree> Tree for TracedTree<T> {
    type Branch = T::Branch;

    fn ply(&self) -> u32 {
        self.tree.ply()
    }
    fn horizon(&self) -> u32 {
        self.tree.horizon()
    }
    fn look(&mut self, horizon: u32) {
        self.tree.look(horizon);
    }
    fn key(&self) -> u64 {
        self.tree.key()
    }
    fn value(&mut self) -> Value {
        self.tree.value()
    }
    fn branches(&mut self) -> Vec<T::Branch> {
        let branches = self.tree.branches();
        let node = self.node();
        node.way = if branches.is_empty() {
            Way::Evaluated
        } else {
            Way::Searched
        };
        node.cut = branches.iter().map(ToString::to_string).collect();
        branches
    }
    fn down(&mut self, branch: T::Branch) {
        let name = branch.to_string();
        self.node().cut.retain(|other| *other != name);
        self.branch = name;
        self.tree.down(branch);
    }
    fn up(&mut self) {
        self.tree.up();
    }
    fn enter(&mut self, alpha: Value, beta: Value) {
        let node = TracedNode {
            parent: self.path.last().copied(),
            branch: std::mem::take(&mut self.branch),
            ply: self.tree.ply(),
            turn: self.tree.turn(),
            alpha,
            beta,
            value: Value::ZERO,
            way: Way::Remembered,
            cut: Vec::new(),
        };
        self.path.push(self.nodes.len());
        self.nodes.push(node);
    }
    fn ask(&mut self, search: impl FnOnce(&mut Self) -> Value) -> Value {
        let value = search(self);
        self.node().value = value;
        self.path.pop();
        value
    }
}

/// A tree that counts nodes and keeps the best branch of the root.
pub struct CountedTree<T: Tree> {
    tree: T,
    view: PointOfView,
    nodes: u64,
    leaves: u64,
    /// The branch gone down from the root last.
    branch: Option<T::Branch>,
    /// The window of the search under way.
    alpha: Value,
    /// The best branch of the search under way, and of the last one that found anything.
    leading: Option<(Value, T::Branch)>,
    best: Option<T::Branch>,
}

impl<T: Tree> CountedTree<T> {
    /// Nothing is counted yet; `view` says for whom the values will be.
    pub fn new(tree: T, view: PointOfView) -> Self {
        Self {
            tree,
            view,
            nodes: 0,
            leaves: 0,
            branch: None,
            alpha: -Value::INFINITE,
            leading: None,
            best: None,
        }
    }

    /// How many nodes were visited, each as often as it was.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of them were evaluated.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The best branch of the root.
    pub fn best(&self) -> Option<T::Branch> {
        self.best
    }

    /// A branch of the root has been searched.
    fn compare(&mut self, value: Value) {
        let value = match self.view {
            PointOfView::Max => value,
            PointOfView::Own => -value,
        };
        if let Some(branch) = self.branch
            && self.leading.is_none_or(|(best, _)| best < value)
        {
            self.leading = Some((value, branch));
        }
    }

    /// The root has been searched. Below its window nothing is known about which branch is best.
    fn conclude(&mut self) {
        if let Some((value, branch)) = self.leading
            && (self.alpha < value || self.best.is_none())
        {
            self.best = Some(branch);
        }
    }
}

impl<T: Tree> Tree for CountedTree<T> {
    type Branch = T::Branch;

    fn ply(&self) -> u32 {
        self.tree.ply()
    }
    fn horizon(&self) -> u32 {
        self.tree.horizon()
    }
    fn look(&mut self, horizon: u32) {
        self.tree.look(horizon);
    }
    fn key(&self) -> u64 {
        self.tree.key()
    }
    fn value(&mut self) -> Value {
        self.leaves += 1;
        self.tree.value()
    }
    fn branches(&mut self) -> Vec<T::Branch> {
        self.tree.branches()
    }
    fn down(&mut self, branch: T::Branch) {
        if self.tree.ply() == 0 {
            self.branch = Some(branch);
        }
        self.tree.down(branch);
    }
    fn up(&mut self) {
        self.tree.up();
    }
    fn enter(&mut self, alpha: Value, _: Value) {
        self.nodes += 1;
        if self.tree.ply() == 0 {
            self.alpha = alpha;
            self.leading = None;
        }
    }
    fn ask(&mut self, search: impl FnOnce(&mut Self) -> Value) -> Value {
        let value = search(self);
        match self.tree.ply() {
            0 => self.conclude(),
            1 => self.compare(value),
            _ => {}
        }
        value
    }
}
