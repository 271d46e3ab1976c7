//! A game between people and engines: turns, clocks, the end.

use crate::clock::{Clock, Control as TimeControl};
use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::engine::Job;
use crate::sheet::{EndNews, Seen, Sheet};
use crate::view::{MoveView, PositionView, for_black, line_view};
use crate::wish::Seat;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_record::{Ending, Evaluation, Game, NodeId};
use tesuji_search::{Answer, Best, Budget, Control, Limits, Phase, Quiet, Root, Rules, Search};
use tesuji_shogi::rules::{declare, declared, outcome};
use tesuji_shogi::{
    ByColor, Cause, Color, Declaration, Handicap, Move, Outcome, Position, RuleSet,
};

/// The highest strength.
pub(crate) const FULL_STRENGTH: u32 = 20;

/// How long the engine thinks where no clock says it.
const USUAL_THINKING: Duration = Duration::from_millis(1500);

/// How long it thinks about a hint.
const HINT_THINKING: Duration = Duration::from_millis(1000);

/// After so many moves a game is drawn.
const MOVE_LIMIT: u32 = 1000;

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
    thinking: Option<Arc<Control>>,
    /// Whoever thinks about a hint, and the hint.
    hinting: Option<Arc<Control>>,
    hint: Option<MoveView>,
    /// Somebody gives up as soon as the engine has moved.
    resigns: bool,
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

fn rules() -> RuleSet {
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

    fn turn(&self) -> Color {
        self.sheet.position().turn()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.sheet.game()[self.sheet.at()].ending().is_some()
    }

    fn is_person(&self, color: Color) -> bool {
        self.seats[color] == Seat::Person
    }

    /// Whether two engines play.
    pub(crate) fn is_watched(&self) -> bool {
        Color::ALL.iter().all(|&color| !self.is_person(color))
    }

    fn open(&self) -> Result<(), Complaint> {
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
    fn make(&mut self, mv: Move) -> Result<NodeId, Complaint> {
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

    fn end(&mut self, ending: Ending) {
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
    fn flag(&mut self) -> bool {
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
fn ending(outcome: Outcome) -> Ending {
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

fn root(pos: &Position) -> Root {
    Root {
        position: pos.clone(),
        moves: Vec::new(),
        rules: Rules {
            move_limit: Some(MOVE_LIMIT),
            ..Rules::default()
        },
    }
}

impl Desk {
    /// Lets the clock run and the engine think if it is its turn. Called after every change of the
    /// game.
    pub(crate) fn go_on(self: &Arc<Self>, state: &mut State) {
        let play = &mut state.play;
        if play.is_over() || play.is_paused {
            return;
        }
        let turn = play.turn();
        // The first move of a game without haste: nobody loses time before it.
        let waits = play.sheet.game().size() == 1 && play.is_person(turn);
        if let Some(clock) = play.clock.as_mut().filter(|_| !waits) {
            clock.start(turn);
        }
        if let Some(left) = play.clock.as_ref().and_then(Clock::until_flag) {
            let desk = self.clone();
            self.tools.runtime.spawn(async move {
                tokio::time::sleep(left + Duration::from_millis(2)).await;
                let fallen = desk.state().play.flag();
                if fallen {
                    desk.changed();
                }
            });
        }
        if let Seat::Engine { strength } = play.seats[turn]
            && play.thinking.is_none()
        {
            self.ask_for_move(state, strength);
        }
    }

    fn ask_for_move(self: &Arc<Self>, state: &mut State, strength: u32) {
        let play = &mut state.play;
        let (pos, turn) = (play.sheet.position().clone(), play.turn());
        let budget = play
            .clock
            .as_ref()
            .map_or(Budget::exactly(USUAL_THINKING), |clock| {
                clock.budget(turn, pos.ply())
            });
        let control = Arc::new(Control::new(Phase::Thinking, Some(budget)));
        let limits = Limits {
            strength: (strength < FULL_STRENGTH).then_some(strength),
            ..Limits::default()
        };
        play.thinking = Some(control.clone());
        let (desk, asked, pace) = (self.clone(), Instant::now(), play.pace);
        let own = control.clone();
        let job = Job {
            control,
            is_endless: false,
            work: Box::new(move |thinker| match thinker {
                Err(why) => desk.no_engine(&own, why),
                Ok(thinker) => {
                    // A search that waited in the line has its time from now on.
                    own.hit(None);
                    let best = thinker.think(&root(&pos), &limits, &own, &mut Quiet);
                    while asked.elapsed() < pace && !own.is_stopped() {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    desk.engine_moves(&own, &best);
                }
            }),
        };
        if self.tools.engine.ask(job).is_err() {
            play.thinking = None;
            play.set_pause(true);
            state.notice(Complaint::busy());
        }
    }

    /// The engine has an answer; if the game went another way meanwhile, nobody wants it.
    fn engine_moves(self: &Arc<Self>, control: &Arc<Control>, best: &Best) {
        let mut state = self.state();
        let play = &mut state.play;
        if !is_same(play.thinking.as_ref(), control) {
            return;
        }
        play.thinking = None;
        let turn = play.turn();
        match best.answer {
            Answer::Move(mv) => {
                if let Ok(id) = play.make(mv) {
                    let evaluation = Evaluation {
                        value: for_black(best.value, turn),
                        depth: Some(best.depth),
                        nodes: Some(best.nodes),
                        line: best.line.get(1..).unwrap_or_default().to_vec(),
                    };
                    play.sheet.set_evaluation(id, evaluation);
                }
            }
            Answer::Resign => play.end(Ending::Resignation),
            Answer::Declare => play.end(ending(declared(play.sheet.position(), &rules()))),
        }
        if std::mem::take(&mut play.resigns) && !play.is_over() {
            play.end(Ending::Resignation);
        }
        self.go_on(&mut state);
        drop(state);
        self.changed();
    }

    fn no_engine(self: &Arc<Self>, control: &Arc<Control>, why: &str) {
        let mut state = self.state();
        if is_same(state.play.thinking.as_ref(), control) {
            state.play.thinking = None;
            state.play.set_pause(true);
            state.notice(Complaint::engine(why));
            drop(state);
            self.shown();
        }
    }

    /// Looks for a good move for whoever is to move.
    pub(crate) fn look_for_hint(self: &Arc<Self>, state: &mut State) -> Result<(), Complaint> {
        let play = &mut state.play;
        play.open()?;
        if !play.is_person(play.turn()) {
            return Err(Complaint::not_your_turn());
        }
        if play.hinting.is_some() {
            return Ok(());
        }
        let pos = play.sheet.position().clone();
        let budget = Budget::exactly(HINT_THINKING);
        let control = Arc::new(Control::new(Phase::Thinking, Some(budget)));
        let (desk, own) = (self.clone(), control.clone());
        play.hinting = Some(control.clone());
        let job = Job {
            control,
            is_endless: false,
            work: Box::new(move |thinker| {
                let mut complaint = None;
                let mut hint = None;
                match thinker {
                    Err(why) => complaint = Some(Complaint::engine(why)),
                    Ok(thinker) => {
                        own.hit(None);
                        let limits = Limits::default();
                        let best = thinker.think(&root(&pos), &limits, &own, &mut Quiet);
                        hint = line_view(&pos, &best.line, 1).into_iter().next();
                    }
                }
                let mut state = desk.state();
                if is_same(state.play.hinting.as_ref(), &own) {
                    state.play.hinting = None;
                    state.play.hint = hint;
                    complaint.into_iter().for_each(|c| state.notice(c));
                    drop(state);
                    desk.shown();
                }
            }),
        };
        self.tools.engine.ask(job).map_err(|_| {
            play.hinting = None;
            Complaint::busy()
        })
    }
}

/// Whether somebody still waits for this control's answer.
pub(crate) fn is_same(waiting: Option<&Arc<Control>>, control: &Arc<Control>) -> bool {
    waiting.is_some_and(|waiting| Arc::ptr_eq(waiting, control))
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
