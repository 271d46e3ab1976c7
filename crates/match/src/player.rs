//! What a match needs of a player.

use tesuji_usi::process::{EngineProcess, MoveReply, MoveRequest, ProcessError};

/// Plays games. Engines in processes do; so do the players of tests.
pub trait Player: Send {
    /// Gets ready for a game.
    ///
    /// # Errors
    /// If it cannot play.
    fn new_game(&mut self) -> Result<(), ProcessError>;

    /// Thinks about a position and answers.
    ///
    /// # Errors
    /// If it does not answer, or not in the words of the protocol.
    fn think(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, ProcessError>;

    /// Ponders: thinks on the opponent's time about a position whose last move is a guess. The next
    /// request shows whether the guess was right.
    fn ponder(&mut self, _request: &MoveRequest<'_>) {}

    /// Hears how the game ended: whether it won, or `None` for a draw.
    fn game_over(&mut self, won: Option<bool>);
}

impl Player for EngineProcess {
    fn new_game(&mut self) -> Result<(), ProcessError> {
        self.new_game()
    }

    fn think(&mut self, request: &MoveRequest<'_>) -> Result<MoveReply, ProcessError> {
        self.think(request)
    }

    fn ponder(&mut self, request: &MoveRequest<'_>) {
        self.ponder(request);
    }

    fn game_over(&mut self, won: Option<bool>) {
        self.game_over(won);
    }
}
