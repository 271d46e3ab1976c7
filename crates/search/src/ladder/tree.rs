//! What can be searched: a tree whose nodes belong in turn to Max and to Min.

use std::fmt::Display;
use tesuji_shogi::Value;

/// Who chooses at a node. Max is whoever moves at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chooser {
    /// Wants the value high.
    Max,
    /// Wants the value low.
    Min,
}

impl Chooser {
    /// Who chooses so many moves below the root.
    pub const fn at(ply: u32) -> Self {
        if ply.is_multiple_of(2) {
            Self::Max
        } else {
            Self::Min
        }
    }

    /// Turns a value for Max into one for whoever chooses, and back.
    pub fn own(self, value: Value) -> Value {
        match self {
            Self::Max => value,
            Self::Min => -value,
        }
    }
}

/// A place in a tree from which one can go down and up again. It sees no further than its horizon:
/// a node there has no branches, whatever lies below.
///
/// Lists are plain vectors and values come one at a time: a rung of the ladder should read like its
/// mathematics. The tournament search is where speed is looked for.
pub trait Tree {
    /// What leads from a node to one below it.
    type Branch: Copy + Eq + Display;

    /// How many moves below the root it stands.
    fn ply(&self) -> u32;
    /// How far below the root it looks.
    fn horizon(&self) -> u32;
    /// Looks so far below the root from now on.
    fn look(&mut self, horizon: u32);
    /// A number for the node: equal nodes have equal keys.
    fn key(&self) -> u64;
    /// The ways down, in the order in which they are tried; none at a leaf and at the horizon.
    fn branches(&mut self) -> Vec<Self::Branch>;
    /// What a node without branches is worth to Max.
    fn value(&mut self) -> Value;
    /// Goes down.
    fn down(&mut self, branch: Self::Branch);
    /// Goes up again.
    fn up(&mut self);

    /// Hears that a search begins at the node, and with which window. Only those who watch listen.
    fn enter(&mut self, _alpha: Value, _beta: Value) {}

    /// Who chooses here.
    fn turn(&self) -> Chooser {
        Chooser::at(self.ply())
    }

    /// What a node without branches is worth to whoever chooses there.
    fn own_value(&mut self) -> Value {
        let turn = self.turn();
        turn.own(self.value())
    }

    /// Goes down, lets `search` say what is there, and comes back with it.
    fn after(&mut self, branch: Self::Branch, search: impl FnOnce(&mut Self) -> Value) -> Value {
        self.down(branch);
        let value = self.ask(search);
        self.up();
        value
    }

    /// Lets `search` say what the node is worth. Only those who watch do more.
    fn ask(&mut self, search: impl FnOnce(&mut Self) -> Value) -> Value {
        search(self)
    }
}
