//! Coming back to a running game after a lost connection, with the same name and password.
//!
//! Whoever comes back is offered the game anew, as if it had begun with the moves that were played: a
//! client that can begin in the middle of a game needs to know nothing else.

use super::{Connected, ConnectionId, Lobby, LobbyAction, LoginState, WaitingPlayer};
use crate::line::{ClientLine, ServerLine};
use std::time::Instant;
use tesuji_shogi::Color;

impl Lobby {
    /// The game that somebody plays, and its side there.
    pub(super) fn running_game(&self, name: &str) -> Option<(u64, Color)> {
        self.games
            .iter()
            .filter(|(_, game)| game.started)
            .find_map(|(&number, game)| Some((number, game.side_of(name)?)))
    }

    /// Shows a player who has logged in the game that it plays.
    pub(super) fn return_to_game(
        &mut self,
        id: ConnectionId,
        who: WaitingPlayer,
        (number, color): (u64, Color),
        at: Instant,
    ) {
        let until = at + self.config.reconnect;
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        // Until it agrees it is as far away as before.
        game.players[color].away.get_or_insert(until);
        let summary = game.show(color, id, at);
        self.say(id, &ServerLine::LoginOk(who.name.clone()).to_string());
        self.actions.push(LobbyAction::Send(id, summary));
        let state = LoginState::Playing {
            who,
            game: number,
            color,
        };
        self.connections.insert(id, Connected { state, since: at });
    }

    /// A line of somebody who was shown its game again.
    pub(super) fn hear_returning(
        &mut self,
        number: u64,
        color: Color,
        line: &ClientLine,
        at: Instant,
    ) {
        let Some(game) = self.games.get_mut(&number) else {
            return;
        };
        match line {
            ClientLine::Agree(id) if id.as_ref().is_none_or(|id| id == game.id()) => {
                game.resume(color);
                self.after(number, None, at);
            }
            ClientLine::Reject(_) | ClientLine::Logout => {
                let connection = game.players[color].connection;
                self.log_out(number, color, connection, at);
            }
            _ => {}
        }
    }
}
