//! Games that others look at while they are played.

use crate::player::Player;
use tesuji_shogi::{Move, Position};
use tesuji_usi::process::{MoveReply, MoveRequest, ProcessError};

/// A game that is being played.
#[derive(Clone, Copy, Debug)]
pub struct LiveGame<'a> {
    /// Who plays, Black first.
    pub names: [&'a str; 2],
    /// Where it began.
    pub start: &'a Position,
    /// Every move so far.
    pub moves: &'a [Move],
}

/// Is told of a running game before each of its moves.
pub type Spectator<'a> = &'a (dyn Fn(&LiveGame<'_>) + Sync);

/// A player whose game a spectator looks at.
pub(crate) struct WatchedPlayer<'a, P> {
    pub(crate) player: &'a mut P,
    pub(crate) names: [&'a str; 2],
    pub(crate) spectator: Spectator<'a>,
}

impl<P: Player> Player for WatchedPlayer<'_, P> {
    fn new_game(&mut self) -> Result<(), ProcessError> {
        self.player.new_game()
    }

    fn think(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, ProcessError> {
        (self.spectator)(&LiveGame {
            names: self.names,
            start: request.start,
            moves: request.moves,
        });
        self.player.think(request)
    }

    fn ponder(&mut self, request: &MoveRequest<'_>) {
        self.player.ponder(request);
    }

    fn game_over(&mut self, won: Option<bool>) {
        self.player.game_over(won);
    }
}
