//! A game between people and engines: turns, clocks, the end.

use crate::clock::{Clock, Control as TimeControl};
use crate::complaint::Complaint;
use crate::sheet::{EndNews, Seen, Sheet};
use crate::view::{MoveView, PositionView};
use crate::wish::Seat;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_record::{Ending, Game, NodeId};
use tesuji_search::Control;
use tesuji_shogi::rules::{declare, declared, outcome};
use tesuji_shogi::{
    ByColor, Cause, Color, Declaration, Handicap, Move, Outcome, Position, RuleSet,
};

/// The highest strength.
pub(crate) const FULL_STRENGTH: u32 = 20;

/// After so many moves a game is drawn.
pub(crate) const MOVE_LIMIT: u32 = 1000;

/// A game that is being played, or was.
pub(crate) struct Play {
    pub(crate) sheet: Sheet,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) clock: Option<Clock>,
    /// How long a move of the engine takes at least.
    pub(crate) pace: Duration,
    pub(crate) is_paused: bool,
    /// An earlier position that is looked at.
    shown: Option<NodeId>,
    /// Whoever thinks about the next move.
    pub(crate) thinking: Option<Arc<Control>>,
    /// Whoever thinks about a hint, and the hint.
    pub(crate) hinting: Option<Arc<Control>>,
    pub(crate) hint: Option<MoveView>,
    /// Somebody gives up as soon as the engine has moved.
    pub(crate) resigns: bool,
    since: Instant,
}

impl Default for Play {
    fn default() -> Self {
        Self {
            sheet: Sheet::new(Game::default()),
            seats: ByColor([Seat::Person, Seat::Engine { strength: 4 }]),
            clock: None,
            pace: Duration::ZERO,
            is_paused: false,
            shown: None,
            thinking: None,
            hinting: None,
            hint: None,
            resigns: false,
            since: Instant::now(),
        }
    }
}

/// How a game begins.
pub(crate) struct Beginning {
    pub(crate) seats: ByColor<Seat>,
    pub(crate) handicap: usize,
    pub(crate) sfen: Option<String>,
    pub(crate) clock: Option<TimeControl>,
    pub(crate) pace: u64,
}

/// The rules of every game here.
pub(crate) fn rules() -> RuleSet {
    RuleSet {
        move_limit: Some(MOVE_LIMIT),
        ..RuleSet::default()
    }
}

impl Play {
    /// Begins another game.
    pub(crate) fn begin(&mut self, how: Beginning) -> Result<(), Complaint> {
        let start = match &how.sfen {
            Some(sfen) => Position::from_sfen(sfen).map_err(|error| Complaint::sfen(&error))?,
            None => {
                let handicap = Handicap::ALL.get(how.handicap).copied();
                Position::handicap(handicap.unwrap_or(Handicap::Even))
            }
        };
        if how.clock.is_some_and(|control| !control.is_sound()) {
            return Err(Complaint::new(
                "A clock has between a second and a day.",
                "持ち時間は 1 秒から 1 日までです。",
            ));
        }
        self.silence();
        let mut game = Game::new(start);
        for color in Color::ALL {
            game.headers.players[color] = player_name(how.seats[color]);
            game.headers.clocks[color] = how.clock.map(|control| tesuji_record::TimeControl {
                main: Duration::from_millis(control.main),
                byoyomi: Duration::from_millis(control.byoyomi),
                increment: Duration::from_millis(control.increment),
            });
        }
        self.sheet.replace(game);
        self.seats = how.seats;
        self.clock = how.clock.map(Clock::new);
        self.pace = Duration::from_millis(how.pace.min(60_000));
        self.is_paused = false;
        self.shown = None;
        self.resigns = false;
        self.since = Instant::now();
        self.judge();
        Ok(())
    }

    /// Ends all thinking about this game.
    fn silence(&mut self) {
        for control in [self.thinking.take(), self.hinting.take()]
            .into_iter()
            .flatten()
        {
            control.stop();
        }
        self.hint = None;
    }

    pub(crate) fn turn(&self) -> Color {
        self.sheet.position().turn()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.sheet.game()[self.sheet.at()].ending().is_some()
    }

    pub(crate) fn is_person(&self, color: Color) -> bool {
        self.seats[color] == Seat::Person
    }

    /// Whether two engines play.
    pub(crate) fn is_watched(&self) -> bool {
        Color::ALL.iter().all(|&color| !self.is_person(color))
    }

    pub(crate) fn open(&self) -> Result<(), Complaint> {
        match self.is_over() {
            true => Err(Complaint::game_over()),
            false => Ok(()),
        }
    }

    /// A move of somebody at the board.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Complaint> {
        self.open()?;
        if !self.is_person(self.turn()) {
            return Err(Complaint::not_your_turn());
        }
        let mv = text.parse().map_err(|_| Complaint::not_a_move(text))?;
        self.silence();
        self.set_pause(false);
        self.make(mv).map(|_| ())
    }

    /// Plays a move, presses the clock and looks whether the game is over.
    pub(crate) fn make(&mut self, mv: Move) -> Result<NodeId, Complaint> {
        let turn = self.turn();
        if self
            .clock
            .as_ref()
            .and_then(Clock::until_flag)
            .is_some_and(|left| left.is_zero())
        {
            self.end(Ending::Time);
            return Err(Complaint::new("The time is over.", "時間切れです。"));
        }
        let id = self.sheet.play(mv)?;
        let spent = match &mut self.clock {
            Some(clock) => clock.press(turn),
            None => self.since.elapsed(),
        };
        self.sheet.set_time(id, spent);
        self.since = Instant::now();
        self.shown = None;
        self.judge();
        Ok(id)
    }

    /// Ends the game if the rules say so.
    fn judge(&mut self) {
        if let Some(outcome) = outcome(self.sheet.position(), &rules()) {
            self.end(ending(outcome));
        }
    }

    pub(crate) fn end(&mut self, ending: Ending) {
        self.silence();
        self.sheet.end(ending);
        if let Some(clock) = &mut self.clock {
            clock.pause();
        }
    }

    /// Takes moves back until it is somebody's turn again.
    pub(crate) fn take_back(&mut self) -> Result<(), Complaint> {
        if self.is_watched() {
            return Err(Complaint::new(
                "Engines do not take moves back.",
                "エンジン同士の対局では待ったはできません。",
            ));
        }
        let game = self.sheet.game();
        if game.ending() == Some(Ending::Time) {
            return Err(Complaint::new(
                "The time is over: begin another game.",
                "時間切れの対局は続けられません。新しく始めてください。",
            ));
        }
        let line: Vec<_> = game.main_line().collect();
        // The last move after which it is a person's turn, and which is not the last of all.
        let moves = line.iter().filter(|&&id| game[id].mv().is_some()).count();
        let keeps = (0..moves).rev().find(|&count| {
            let before = count.checked_sub(1).map_or(Game::ROOT, |last| line[last]);
            self.is_person(game.turn(before))
        });
        let Some(first) = keeps.and_then(|count| line.get(count).copied()) else {
            return Err(Complaint::new(
                "There is nothing to take back.",
                "戻す手がありません。",
            ));
        };
        self.silence();
        self.resigns = false;
        self.sheet.remove(first);
        self.sheet.go(self.sheet.game().last());
        self.shown = None;
        self.since = Instant::now();
        if let Some(clock) = &mut self.clock {
            clock.pause();
        }
        Ok(())
    }

    /// Gives up; if it is the engine's turn, as soon as it has moved.
    pub(crate) fn resign(&mut self) -> Result<(), Complaint> {
        self.open()?;
        if self.is_person(self.turn()) {
            self.end(Ending::Resignation);
        } else if self.is_watched() {
            self.end(Ending::Interruption);
        } else {
            self.resigns = true;
            if let Some(control) = &self.thinking {
                control.stop();
            }
        }
        Ok(())
    }

    /// Declares that the king has entered; who may not is told why, and plays on.
    pub(crate) fn declare(&mut self) -> Result<(), Complaint> {
        self.open()?;
        if !self.is_person(self.turn()) {
            return Err(Complaint::not_your_turn());
        }
        match declare(self.sheet.position(), rules().declaration) {
            Declaration::NotAllowed(obstacle) => Err(Complaint::obstacle(obstacle)),
            _ => {
                self.end(ending(declared(self.sheet.position(), &rules())));
                Ok(())
            }
        }
    }

    /// Stops everything, or lets it go on.
    pub(crate) fn set_pause(&mut self, on: bool) {
        if self.is_paused == on {
            return;
        }
        self.is_paused = on;
        if on {
            self.silence();
            if let Some(clock) = &mut self.clock {
                clock.pause();
            }
        }
        self.since = Instant::now();
    }

    /// Looks at another position of the game.
    pub(crate) fn look(&mut self, node: Option<usize>) -> Result<(), Complaint> {
        let node = node.map(|index| self.sheet.node(index)).transpose()?;
        self.shown = node.filter(|&id| id != self.sheet.at());
        Ok(())
    }

    /// Ends the game if a flag has fallen.
    pub(crate) fn flag(&mut self) -> bool {
        let left = self.clock.as_ref().and_then(Clock::until_flag);
        let falls = !self.is_over() && left.is_some_and(|left| left.is_zero());
        if falls {
            self.end(Ending::Time);
        }
        falls
    }

    /// What a page is told.
    pub(crate) fn news(&self, seen: Seen) -> (Json, Seen) {
        let (sheet, seen) = self.sheet.news(seen);
        let over = self.sheet.game()[self.sheet.at()].ending();
        let turn = self.turn();
        let can_move = over.is_none() && self.shown.is_none() && self.is_person(turn);
        let position = match self.shown {
            Some(id) => PositionView::new(&self.sheet.game().position(id), false),
            None => PositionView::new(self.sheet.position(), can_move),
        };
        let clock = self.clock.as_ref().map(|clock| {
            json!({
                "left": Color::ALL.map(|color| clock.left(color)),
                "running": clock.running().map(Color::letter),
                "control": clock.control,
            })
        });
        let news = json!({
            "is": "play",
            "position": position,
            "sheet": sheet,
            "shown": self.shown.unwrap_or(self.sheet.at()).index(),
            "seats": self.seats.0,
            "clock": clock,
            "over": over.map(|ending| EndNews::new(ending, turn)),
            "canMove": can_move,
            "paused": self.is_paused,
            "thinking": self.thinking.is_some(),
            "hinting": self.hinting.is_some(),
            "hint": self.hint.as_ref().filter(|_| self.shown.is_none()),
            "pace": self.pace.as_millis() as u64,
        });
        (news, seen)
    }

    /// A game that was kept on disk.
    pub(crate) fn restored(
        game: Game,
        seats: ByColor<Seat>,
        clock: Option<Clock>,
        pace: Duration,
        is_paused: bool,
    ) -> Self {
        let mut sheet = Sheet::new(game);
        sheet.go(sheet.game().last());
        Self {
            sheet,
            seats,
            clock,
            pace,
            is_paused,
            ..Self::default()
        }
    }
}

fn player_name(seat: Seat) -> String {
    match seat {
        Seat::Person => String::new(),
        Seat::Engine { strength } if strength >= FULL_STRENGTH => "Tesuji".into(),
        Seat::Engine { strength } => format!("Tesuji ({strength})"),
    }
}

/// How an outcome is recorded.
pub(crate) fn ending(outcome: Outcome) -> Ending {
    let foul = || Ending::Foul {
        by: outcome.winner.map_or(Color::Black, Color::foe),
        made: None,
    };
    match outcome.cause {
        Cause::Mate | Cause::NoMove => Ending::Mate,
        Cause::Repetition => Ending::Repetition,
        Cause::PerpetualCheck | Cause::WrongDeclaration => foul(),
        Cause::MoveLimit => Ending::MoveLimit,
        Cause::Declaration if outcome.winner.is_none() => Ending::Impasse,
        Cause::Declaration | Cause::Try => Ending::Declaration,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(seats: [Seat; 2], sfen: &str) -> Play {
        let mut play = Play::default();
        play.begin(Beginning {
            seats: ByColor(seats),
            handicap: 0,
            sfen: Some(sfen.into()),
            clock: None,
            pace: 0,
        })
        .unwrap();
        play
    }

    const PEOPLE: [Seat; 2] = [Seat::Person; 2];

    #[test]
    fn mate_repetition_and_declaration_end_a_game() {
        let mut play = game(PEOPLE, "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
        play.play("G*5b").unwrap();
        assert_eq!(play.sheet.game().ending(), Some(Ending::Mate));
        assert!(play.play("5a4a").is_err());

        let mut play = game(PEOPLE, "startpos");
        for mv in "2h3h 8b7b 3h2h 7b8b".split(' ').cycle().take(12) {
            play.play(mv).unwrap();
        }
        assert_eq!(play.sheet.game().ending(), Some(Ending::Repetition));

        let mut play = game(PEOPLE, "startpos");
        assert!(play.declare().unwrap_err().en.contains("three ranks"));
        assert!(!play.is_over());
        let entered = "+P+P+P+P+P+P+P+P1/3+RK+B3/9/9/9/9/9/9/k8 b RB 1";
        let mut play = game(PEOPLE, entered);
        play.declare().unwrap();
        assert_eq!(play.sheet.game().ending(), Some(Ending::Declaration));
    }

    #[test]
    fn taking_back_gives_the_turn_to_a_person() {
        let engine = Seat::Engine { strength: 0 };
        let mut play = game([Seat::Person, engine], "startpos");
        assert!(play.take_back().is_err());
        play.play("7g7f").unwrap();
        assert!(play.play("3c3d").is_err());
        play.take_back().unwrap(); // while the engine thinks
        assert_eq!(play.sheet.game().moves().count(), 0);
        play.play("7g7f").unwrap();
        play.make("3c3d".parse().unwrap()).unwrap();
        play.play("2g2f").unwrap();
        play.make("8c8d".parse().unwrap()).unwrap();
        play.take_back().unwrap();
        assert_eq!(play.sheet.game().moves().count(), 2);
        play.resign().unwrap();
        play.take_back().unwrap(); // a game that was given up goes on
        assert!(!play.is_over());

        let mut play = game([engine, Seat::Person], "startpos");
        play.make("7g7f".parse().unwrap()).unwrap();
        assert!(play.take_back().is_err(), "the person has not moved yet");
        let mut play = game([engine; 2], "startpos");
        assert!(play.take_back().is_err());
    }
}
