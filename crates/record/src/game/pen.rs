//! A place in a game with the position there, and a pen that writes at such a place.

use super::{Game, Node, NodeId, Refusal, Step};
use crate::ending::Ending;
use tesuji_shogi::{Move, Position};

/// A node of a game and the position there. Going elsewhere undoes and plays only what differs.
#[derive(Clone, Debug)]
pub struct Place {
    at: NodeId,
    pos: Position,
}

impl Place {
    /// The start of a game.
    pub fn start(game: &Game) -> Self {
        Self {
            at: Game::ROOT,
            pos: game.start().clone(),
        }
    }

    /// Which node.
    pub const fn at(&self) -> NodeId {
        self.at
    }

    /// The position there.
    pub const fn position(&self) -> &Position {
        &self.pos
    }

    /// The position, kept.
    pub fn into_position(self) -> Position {
        self.pos
    }

    /// Goes to another node of the same game.
    pub fn go(&mut self, game: &Game, to: NodeId) {
        let mut ahead = Vec::new();
        let mut target = to;
        while target != self.at {
            let (here, there) = (&game[self.at], &game[target]);
            if there.depth >= here.depth {
                ahead.push(target);
                target = there.parent.unwrap_or(Game::ROOT);
            } else {
                if here.mv().is_some() {
                    self.pos.undo();
                }
                self.at = here.parent.unwrap_or(Game::ROOT);
            }
        }
        for id in ahead.into_iter().rev() {
            if let Some(mv) = game[id].mv() {
                self.pos.play(mv);
            }
        }
        self.at = to;
    }
}

/// Writes a game, move after move: what readers of records hold.
///
/// ```
/// use tesuji_record::{Ending, Game, Pen};
/// let mut pen = Pen::new(Game::default());
/// pen.play("7g7f".parse().unwrap()).unwrap();
/// assert!(pen.play("7f7e".parse().unwrap()).is_err()); // White is to move
/// pen.play("3c3d".parse().unwrap()).unwrap();
/// pen.go(Game::ROOT);
/// pen.play("2g2f".parse().unwrap()).unwrap();          // a variation of the first move
/// pen.node().comment = "Also possible.".into();
/// pen.end(Ending::Interruption);
/// assert_eq!(pen.finish().size(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Pen {
    game: Game,
    place: Place,
}

impl Pen {
    /// A pen at the start of a game.
    pub fn new(game: Game) -> Self {
        let place = Place::start(&game);
        Self { game, place }
    }

    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game so far, to change what is not a move.
    pub const fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Which node the pen stands at.
    pub const fn at(&self) -> NodeId {
        self.place.at
    }

    /// The position there.
    pub const fn position(&self) -> &Position {
        &self.place.pos
    }

    /// The node there.
    pub fn node(&mut self) -> &mut Node {
        &mut self.game[self.place.at]
    }

    /// Plays a move if it is legal, and stands behind it.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, Refusal> {
        self.game.refusal(self.place.at, &self.place.pos, mv)?;
        self.place.at = self.game.attach(self.place.at, Step::Move(mv));
        self.place.pos.play(mv);
        Ok(self.place.at)
    }

    /// Ends the line, unless it has ended already, and stands at the ending.
    pub fn end(&mut self, ending: Ending) -> NodeId {
        self.place.at = self.game.end_at(self.place.at, ending);
        self.place.at
    }

    /// Goes to any node.
    pub fn go(&mut self, to: NodeId) {
        self.place.go(&self.game, to);
    }

    /// The game.
    pub fn finish(self) -> Game {
        self.game
    }
}
