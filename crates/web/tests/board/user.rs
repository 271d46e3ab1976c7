//! What a user does at the board: clicks moves, begins games, reads what is shown.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use crate::browser::Browser;
use serde_json::{Value as Json, json};
use tesuji_eval::Relation;
use tesuji_search::tournament::Tournament;
use tesuji_search::{
    Answer, NoListener, Phase, Search, SearchControl, SearchLimits, SearchRequest,
};
use tesuji_shogi::{Move, Position};

impl Browser {
    /// Clicks a square such as `7g`.
    pub(super) fn click_square(&mut self, square: &str) {
        let (x, y) = self.square(square);
        self.click_at(x, y);
    }

    /// Where a square is.
    pub(super) fn square(&mut self, square: &str) -> (f64, f64) {
        let file = i32::from(square.as_bytes()[0] - b'0');
        let rank = i32::from(square.as_bytes()[1] - b'a');
        let index = 9 - file + 9 * rank;
        self.middle(&format!("#content .cell[data-index='{index}']"))
    }

    /// Clicks a move, the promotion included.
    pub(super) fn click_move(&mut self, mv: &str) {
        if mv.as_bytes()[1] == b'*' {
            let kind = &mv[..1];
            let turn = self.run("tesuji.tab.board.position.turn");
            let turn = turn.as_str().unwrap();
            self.click(&format!(
                "#content .stand[data-color={turn}] [data-kind={kind}]"
            ));
        } else {
            self.click_square(&mv[..2]);
        }
        self.click_square(&mv[2..4]);
        let asks = self.run("!document.querySelector('#content .chooser').hidden");
        if asks == true {
            self.click(&format!(".chooser [data-move='{mv}']"));
        }
    }

    /// Drags a piece.
    pub(super) fn drag(&mut self, from: &str, to: &str) {
        let ((x1, y1), (x2, y2)) = (self.square(from), self.square(to));
        self.mouse("mousePressed", x1, y1);
        self.mouse("mouseMoved", (x1 + x2) / 2.0, (y1 + y2) / 2.0);
        self.mouse("mouseMoved", x2, y2);
        self.mouse("mouseReleased", x2, y2);
    }

    /// Asks the server for something, as the page would.
    pub(super) fn request(&mut self, request: &Json) {
        self.run(&format!("tesuji.request({request})"));
    }

    /// Begins a game from a position.
    pub(super) fn begin(&mut self, black: &Json, white: &Json, sfen: &str, clock: &Json) {
        let request = json!({ "play": { "type": "new-game", "black": black, "white": white,
                              "start": { "sfen": sfen }, "clock": clock, "pace": 0 } });
        let before = self.run("tesuji.games.play.shape");
        self.request(&request);
        self.wait(&format!("tesuji.games.play.shape !== {before}"));
    }

    /// The position that is shown.
    pub(super) fn sfen(&mut self) -> String {
        self.run("tesuji.tab.message.position.sfen")
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Waits until the board shows another position than this one.
    pub(super) fn wait_for_change(&mut self, sfen: &str) {
        self.wait(&format!(
            "tesuji.tab.message.position.sfen !== {}",
            json!(sfen)
        ));
    }

    /// How many moves of the main line the page knows in a tab.
    pub(super) fn moves(&mut self, tab: &str) -> u64 {
        self.run(&format!(
            "tesuji.games.{tab}.mainLine().filter((id) => tesuji.games.{tab}.nodes[id].move).length"
        ))
        .as_u64()
        .unwrap()
    }
}

/// A player strong enough to mate a beginner.
pub(super) struct Mentor(Tournament<Relation>);

impl Mentor {
    pub(super) fn new() -> Self {
        Self(Tournament::new(Relation::new(), 1, 16 << 20).unwrap())
    }

    /// A good move.
    pub(super) fn advise(&mut self, sfen: &str) -> Move {
        let request = SearchRequest::new(Position::from_sfen(sfen).unwrap())
            .with_limits(SearchLimits::nodes(30_000));
        let control = SearchControl::new(Phase::Thinking, None);
        match self.0.think(&request, &control, &mut NoListener).answer {
            Answer::Move(mv) => mv,
            answer => panic!("{answer:?} at {sfen}"),
        }
    }
}

/// A person as a player.
pub(super) fn person() -> Json {
    json!({ "who": "person" })
}

/// The engine as a player.
pub(super) fn engine(strength: u32) -> Json {
    json!({ "who": "engine", "strength": strength })
}
