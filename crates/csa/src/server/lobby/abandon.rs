//! What is given up when the server itself has made a mistake: one connection or one game, no more.

use super::{ConnectionId, Lobby, LobbyAction};
use crate::archive::timestamp;
use crate::end::CsaEndReason;
use crate::line::ServerLine;
use crate::server::results::ResultLine;
use std::time::Instant;
use tesuji_shogi::Color;

/// What the lobby is working on: if that panics, this is lost and nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touched {
    Nothing,
    Connections([ConnectionId; 2]),
    Game(u64, [ConnectionId; 2]),
}

impl Lobby {
    pub(super) fn touch(&mut self, number: u64) {
        if let Some(game) = self.games.get(&number) {
            let connections = game.players.0.map(|player| player.connection);
            self.touched = Touched::Game(number, connections);
        }
    }

    /// Ends what the lobby was working on when it panicked: the game it was about, and the
    /// connection that spoke. Says which game that was.
    pub fn abandon(&mut self, speaker: Option<ConnectionId>, at: Instant) -> Option<String> {
        let touched = std::mem::replace(&mut self.touched, Touched::Nothing);
        let (game, connections) = match touched {
            Touched::Nothing => (None, [None; 2]),
            Touched::Connections(both) => (None, both.map(Some)),
            Touched::Game(number, both) => (self.games.remove(&number), both.map(Some)),
        };
        if let Touched::Game(number, _) = touched {
            self.unschedule(number, true);
        }
        let id = game.as_ref().map(|game| game.id().to_owned());
        if let Some(mut game) = game.filter(|game| game.started) {
            let end_time = timestamp(self.wall(at));
            game.abort(&end_time);
            let players = &game.summary.players;
            let result = ResultLine {
                time: end_time,
                id: game.id().into(),
                black: players[Color::Black].clone(),
                white: players[Color::White].clone(),
                winner: "none",
                reason: CsaEndReason::Abort.word().trim_start_matches('#'),
                plies: game.plies(),
                record: String::new(),
            };
            let save = game.changed_record();
            let save = save.map(|record| LobbyAction::Save(game.id().into(), record));
            self.actions.extend(save);
            self.actions.push(LobbyAction::Result(result));
        }
        let abort = ServerLine::EndReason(CsaEndReason::Abort).to_string();
        for connection in connections.into_iter().flatten() {
            if Some(connection) == speaker || !self.connections.contains_key(&connection) {
                continue;
            }
            self.say(connection, &abort);
            match self.config.stay {
                true => self.return_to_lobby(connection, at),
                false => self.close_connection(connection),
            }
        }
        if let Some(speaker) = speaker {
            self.close_connection(speaker);
        }
        id
    }
}
