//! What somebody does at the board: clicks moves, begins games, looks at the state of things.
#![allow(clippy::unwrap_used)] // Helpers of tests may fail like tests.

use crate::browser::Browser;
use serde_json::{Value as Json, json};
use tesuji_eval::Relation;
use tesuji_search::tournament::Tournament;
use tesuji_search::{Answer, Control, Limits, Phase, Quiet, Root, Search};
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
        self.middle(&format!("#place .cell[data-index='{index}']"))
    }

    /// Clicks a move, the promotion included.
    pub(super) fn click_move(&mut self, mv: &str) {
        if mv.as_bytes()[1] == b'*' {
            let kind = &mv[..1];
            let turn = self.run("tesuji.corner.board.position.turn");
            let turn = turn.as_str().unwrap();
            self.click(&format!(
                "#place .stand[data-color={turn}] [data-kind={kind}]"
            ));
        } else {
            self.click_square(&mv[..2]);
        }
        self.click_square(&mv[2..4]);
        let asks = self.run("!document.querySelector('#place .chooser').hidden");
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
    pub(super) fn wish(&mut self, wish: &Json) {
        self.run(&format!("tesuji.wish({wish})"));
    }

    /// Begins a game from a position.
    pub(super) fn begin(&mut self, black: &Json, white: &Json, sfen: &str, clock: &Json) {
        let wish = json!({ "do": "begin", "black": black, "white": white, "sfen": sfen,
                           "clock": clock, "pace": 0 });
        let before = self.run("tesuji.sheets.play.shape");
        self.wish(&wish);
        self.wait(&format!("tesuji.sheets.play.shape !== {before}"));
    }

    /// The position that is shown.
    pub(super) fn sfen(&mut self) -> String {
        self.run("tesuji.corner.last.position.sfen")
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Waits until the board shows another position than this one.
    pub(super) fn wait_for_change(&mut self, sfen: &str) {
        self.wait(&format!(
            "tesuji.corner.last.position.sfen !== {}",
            json!(sfen)
        ));
    }

    /// How many moves of the main line the page knows in a corner.
    pub(super) fn moves(&mut self, corner: &str) -> u64 {
        self.run(&format!(
            "tesuji.sheets.{corner}.mainLine().filter((id) => tesuji.sheets.{corner}.nodes[id].move).length"
        ))
        .as_u64()
        .unwrap()
    }
}

/// Somebody who plays well enough to mate a beginner.
pub(super) struct Mentor(Tournament<Relation>);

impl Mentor {
    pub(super) fn new() -> Self {
        Self(Tournament::new(Relation::new(), 1, 16 << 20).unwrap())
    }

    /// A good move.
    pub(super) fn advise(&mut self, sfen: &str) -> Move {
        let root = Root::new(Position::from_sfen(sfen).unwrap());
        let limits = Limits {
            nodes: Some(30_000),
            ..Limits::default()
        };
        let control = Control::new(Phase::Thinking, None);
        match self.0.think(&root, &limits, &control, &mut Quiet).answer {
            Answer::Move(mv) => mv,
            answer => panic!("{answer:?} at {sfen}"),
        }
    }
}

/// A person's seat.
pub(super) fn person() -> Json {
    json!({ "who": "person" })
}

/// The engine's seat.
pub(super) fn engine(strength: u32) -> Json {
    json!({ "who": "engine", "strength": strength })
}
