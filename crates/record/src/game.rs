//! A game: where it starts, the tree of its moves, what was said and thought about them, its end.
//!
//! ```
//! use std::time::Duration;
//! use tesuji_record::{Ending, Game, GameResult};
//! use tesuji_shogi::{Color, Position};
//!
//! let mut game = Game::new(Position::start());
//! game.headers.players[Color::Black] = "Habu".into();
//! let first = game.push("7g7f".parse().unwrap()).unwrap();
//! game[first].time = Some(Duration::from_secs(12));
//! game[first].comment = "The most popular first move.".into();
//! game.push("3c3d".parse().unwrap()).unwrap();
//! game.add(first, "8c8d".parse().unwrap()).unwrap(); // a variation: White could also have …
//! game.end(Ending::Resignation);
//!
//! assert_eq!(game.moves().count(), 2);
//! assert_eq!(game.variations(first).len(), 1);
//! assert_eq!(game.result(), Some(GameResult::Win(Color::White)));
//! ```

mod cursor;
#[cfg(test)]
mod tests;

pub use cursor::{GameCursor, GamePosition};

use crate::ending::{Ending, GameResult};
use crate::evaluation::Evaluation;
use crate::headers::Headers;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::time::Duration;
use tesuji_shogi::rules::{Foul, foul};
use tesuji_shogi::{Color, Move, Position};

/// Where in a game: the number of a node. Nodes are never taken away, so it stays valid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// Its number: 0 at the start, then in the order in which the nodes were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node adds to the line that leads to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Nothing: the start position.
    Start,
    /// A legal move.
    Move(Move),
    /// The end of the line. Nothing follows it.
    End(Ending),
}

/// Why a move cannot be added to a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Refusal {
    /// The line has ended there.
    #[error("the game is over")]
    Over,
    /// No game was ever so long; something is wrong.
    #[error("a line of more than {} moves", Game::LONGEST)]
    TooLong,
    /// The move is illegal.
    #[error(transparent)]
    Foul(#[from] Foul),
}

/// A step of a game with all that is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameNode {
    step: Step,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    depth: u32,
    /// What somebody wrote about it, in lines.
    pub comment: String,
    /// How long the player thought.
    pub time: Option<Duration>,
    /// What was thought of the position after it.
    pub evaluation: Option<Evaluation>,
}

impl GameNode {
    fn new(step: Step, parent: Option<NodeId>, depth: u32) -> Self {
        Self {
            step,
            parent,
            children: Vec::new(),
            depth,
            comment: String::new(),
            time: None,
            evaluation: None,
        }
    }

    /// What the node adds.
    pub const fn step(&self) -> Step {
        self.step
    }

    /// The move, if it is one.
    pub const fn mv(&self) -> Option<Move> {
        match self.step {
            Step::Move(mv) => Some(mv),
            _ => None,
        }
    }

    /// The ending, if it is one.
    pub const fn ending(&self) -> Option<Ending> {
        match self.step {
            Step::End(ending) => Some(ending),
            _ => None,
        }
    }

    /// The node before; `None` at the start.
    pub const fn parent(&self) -> Option<NodeId> {
        self.parent
    }

    /// What may follow: first the line that is played on, then the variations.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }

    /// How many steps lie between the start and here.
    pub const fn depth(&self) -> usize {
        self.depth as usize
    }

    /// Whether the same may be said of both, wherever they stand.
    fn says_the_same(&self, other: &Self) -> bool {
        self.step == other.step
            && self.comment == other.comment
            && self.time == other.time
            && self.evaluation == other.evaluation
            && self.children.len() == other.children.len()
    }
}

/// A game.
///
/// Its moves are a tree. The first child of every node is the main line; further children are
/// variations. Every move in it is legal. Two games are equal if their headers, start positions and
/// trees say the same, in whatever order the nodes were added.
#[derive(Clone)]
pub struct Game {
    /// Names, dates, clocks.
    pub headers: Headers,
    start: Position,
    nodes: Vec<GameNode>,
}

impl Default for Game {
    /// No move yet from the usual start position.
    fn default() -> Self {
        Self::new(Position::start())
    }
}

impl Game {
    /// The node of the start position.
    pub const ROOT: NodeId = NodeId(0);

    /// How many steps a line may have.
    pub const LONGEST: usize = 65_535;

    /// A game in which nothing has been played yet. What was played before `start` is forgotten.
    pub fn new(start: Position) -> Self {
        let start = match start.played() {
            0 => start,
            _ => start.setup().build().unwrap_or(start),
        };
        Self {
            headers: Headers::default(),
            start,
            nodes: vec![GameNode::new(Step::Start, None, 0)],
        }
    }

    /// The game that a position with a past has come from; a pass cannot be recorded.
    ///
    /// ```
    /// use tesuji_record::Game;
    /// use tesuji_shogi::Position;
    /// let mut pos = Position::start();
    /// pos.play("7g7f".parse().unwrap());
    /// let game = Game::of_position(&pos).unwrap();
    /// assert_eq!(game.moves().count(), 1);
    /// assert_eq!(game.position(game.last()).key(), pos.key());
    /// ```
    pub fn of_position(pos: &Position) -> Option<Self> {
        let mut start = pos.clone();
        while start.played() > 0 {
            start.undo();
        }
        let mut cursor = GameCursor::new(Self::new(start));
        for mv in pos.moves() {
            cursor.play(mv?).ok()?;
        }
        Some(cursor.finish())
    }

    /// Where the game starts.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How many nodes there are, the start included.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The node with a number, if there are so many.
    pub fn node(&self, index: usize) -> Option<NodeId> {
        (index < self.nodes.len()).then_some(NodeId(index as u32))
    }

    /// The last node of the main line, which may be an ending.
    pub fn last(&self) -> NodeId {
        self.main_line().last().unwrap_or(Self::ROOT)
    }

    /// The nodes of the main line behind the start.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line(Self::ROOT)
    }

    /// The nodes behind one, following the first child.
    pub fn line(&self, from: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = |id: &NodeId| self[*id].children.first().copied();
        std::iter::successors(next(&from), next)
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.main_line().filter_map(|id| self[id].mv())
    }

    /// How the main line ended, if it did.
    pub fn ending(&self) -> Option<Ending> {
        self[self.last()].ending()
    }

    /// Who won the main line, if it is known.
    pub fn result(&self) -> Option<GameResult> {
        let last = self.last();
        self[last].ending()?.result(self.turn(last))
    }

    /// The other first moves that were considered at a node besides the one played.
    pub fn variations(&self, id: NodeId) -> &[NodeId] {
        self[id].children.get(1..).unwrap_or_default()
    }

    /// Whether any node has more than one child.
    pub fn has_variations(&self) -> bool {
        self.nodes.iter().any(|node| node.children.len() > 1)
    }

    /// Who is to move at a node; at an ending, who would have been.
    pub fn turn(&self, id: NodeId) -> Color {
        let node = &self[id];
        let moves = node.depth - u32::from(node.ending().is_some());
        match moves % 2 {
            0 => self.start.turn(),
            _ => self.start.turn().foe(),
        }
    }

    /// The nodes from the start to one, that one included and the start left out.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self[id].parent).collect();
        path.pop();
        path.reverse();
        path
    }

    /// The position at a node, with its past.
    pub fn position(&self, id: NodeId) -> Position {
        let mut here = GamePosition::start(self);
        here.go(self, id);
        here.into_position()
    }

    /// Plays on at the end of the main line. Behind an ending nothing can be played.
    pub fn push(&mut self, mv: Move) -> Result<NodeId, Refusal> {
        self.add(self.last(), mv)
    }

    /// Adds a move at any node: the continuation if there is none yet, otherwise a variation.
    pub fn add(&mut self, at: NodeId, mv: Move) -> Result<NodeId, Refusal> {
        self.refusal(at, &self.position(at), mv)?;
        Ok(self.attach(at, Step::Move(mv)))
    }

    /// Whether a move may stand at a node, given the position there.
    fn refusal(&self, at: NodeId, pos: &Position, mv: Move) -> Result<(), Refusal> {
        if self[at].ending().is_some() {
            return Err(Refusal::Over);
        }
        if self[at].depth() >= Self::LONGEST {
            return Err(Refusal::TooLong);
        }
        // Asking for the reason takes longer than asking whether there is one.
        match pos.is_legal(mv) {
            true => Ok(()),
            false => foul(pos, mv).map_or(Ok(()), |foul| Err(foul.into())),
        }
    }

    /// Ends the main line; the node of the ending can hold a time and a comment. A line that has
    /// ended keeps its ending.
    pub fn end(&mut self, ending: Ending) -> NodeId {
        self.end_at(self.last(), ending)
    }

    /// Ends the line at a node.
    pub fn end_at(&mut self, at: NodeId, ending: Ending) -> NodeId {
        match self[at].step {
            Step::End(_) => at,
            _ => self.attach(at, Step::End(ending)),
        }
    }

    /// Adds a node; the caller knows that it may stand there.
    fn attach(&mut self, at: NodeId, step: Step) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than four billion nodes"));
        let node = GameNode::new(step, Some(at), self[at].depth + 1);
        self.nodes.push(node);
        self[at].children.push(id);
        id
    }
}

impl Index<NodeId> for Game {
    type Output = GameNode;
    fn index(&self, id: NodeId) -> &GameNode {
        &self.nodes[id.0 as usize]
    }
}

impl IndexMut<NodeId> for Game {
    fn index_mut(&mut self, id: NodeId) -> &mut GameNode {
        &mut self.nodes[id.0 as usize]
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        if self.headers != other.headers || self.start.to_sfen() != other.start.to_sfen() {
            return false;
        }
        let mut open = vec![(Self::ROOT, Self::ROOT)];
        while let Some((mine, theirs)) = open.pop() {
            let (mine, theirs) = (&self[mine], &other[theirs]);
            if !mine.says_the_same(theirs) {
                return false;
            }
            open.extend(
                mine.children
                    .iter()
                    .copied()
                    .zip(theirs.children.iter().copied()),
            );
        }
        true
    }
}

impl Eq for Game {}

/// The tree, one node a line, indented by how deep inside variations it stands.
impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.headers)?;
        writeln!(f, "{}", self.start.to_sfen())?;
        let mut open = vec![(Self::ROOT, 0)];
        while let Some((id, level)) = open.pop() {
            let node = &self[id];
            writeln!(f, "{:level$}{} {:?}", "", node.depth, node.step)?;
            if !node.comment.is_empty() || node.time.is_some() || node.evaluation.is_some() {
                let (comment, time, evaluation) = (&node.comment, node.time, &node.evaluation);
                writeln!(f, "{:level$}  {comment:?} {time:?} {evaluation:?}", "")?;
            }
            let inner = |nth| level + usize::from(nth > 0);
            let children = node.children.iter().enumerate().rev();
            open.extend(children.map(|(nth, &child)| (child, inner(nth))));
        }
        Ok(())
    }
}
