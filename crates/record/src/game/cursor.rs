//! A node of a game with the position there, and a cursor that reads and writes a game at such a
//! node.

use super::{Game, GameNode, NodeId, Refusal, Step};
use crate::ending::Ending;
use tesuji_shogi::{Move, Position};

/// A node of a game and the position there. Going elsewhere undoes and plays only what differs.
#[derive(Clone, Debug)]
pub struct GamePosition {
    at: NodeId,
    pos: Position,
}

impl GamePosition {
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
/// use tesuji_record::{Ending, Game, GameCursor};
/// let mut cursor = GameCursor::new(Game::default());
/// cursor.play("7g7f".parse().unwrap()).unwrap();
/// assert!(cursor.play("7f7e".parse().unwrap()).is_err()); // White is to move
/// cursor.play("3c3d".parse().unwrap()).unwrap();
/// cursor.go(Game::ROOT);
/// cursor.play("2g2f".parse().unwrap()).unwrap();          // a variation of the first move
/// cursor.node().comment = "Also possible.".into();
/// cursor.end(Ending::Interruption);
/// assert_eq!(cursor.finish().size(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct GameCursor {
    game: Game,
    here: GamePosition,
}

impl GameCursor {
    /// A cursor at the start of a game.
    pub fn new(game: Game) -> Self {
        let here = GamePosition::start(&game);
        Self { game, here }
    }

    /// The game so far.
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// The game so far, to change what is not a move.
    pub const fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Which node it stands at.
    pub const fn at(&self) -> NodeId {
        self.here.at
    }

    /// The position there.
    pub const fn position(&self) -> &Position {
        &self.here.pos
    }

    /// The node there.
    pub fn node(&mut self) -> &mut GameNode {
        &mut self.game[self.here.at]
    }

    /// Plays a move if it is legal, and stands behind it.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, Refusal> {
        self.game.refusal(self.here.at, &self.here.pos, mv)?;
        self.here.at = self.game.attach(self.here.at, Step::Move(mv));
        self.here.pos.play(mv);
        Ok(self.here.at)
    }

    /// Ends the line, unless it has ended already, and stands at the ending.
    pub fn end(&mut self, ending: Ending) -> NodeId {
        self.here.at = self.game.end_at(self.here.at, ending);
        self.here.at
    }

    /// Goes to any node.
    pub fn go(&mut self, to: NodeId) {
        self.here.go(&self.game, to);
    }

    /// The game.
    pub fn finish(self) -> Game {
        self.game
    }
}
