//! The play tab: a game between people and engines, its turns, its clocks, its end.

use crate::game_view::{GameVersion, GameView};
use crate::library::fresh_id;
use crate::protocol::message::{ClockView, EndView, PlayMessage, TimeLeft};
use crate::protocol::position::{MoveView, PositionView};
use crate::protocol::request::{NewGame, PlayerKind, StartPosition};
use crate::protocol::times::{GameTimes, to_millis};
use crate::timer::Timer;
use crate::user_error::UserError;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_game::{GameClock, GameOver, Referee, Termination, TimeControl};
use tesuji_record::{Ending, Game, NodeId};
use tesuji_search::{SearchControl, TimeBudget, TimeSettings};
use tesuji_shogi::rules::declare;
use tesuji_shogi::{ByColor, Cause, Color, Declaration, Handicap, Move, Position, RuleSet};

/// The highest strength.
pub(crate) const FULL_STRENGTH: u32 = 20;

/// After so many moves a game is drawn.
pub(crate) const MOVE_LIMIT: u32 = 1000;

/// A game that is being played, or was.
pub(crate) struct PlayTab {
    pub(crate) game: GameView,
    /// The number of the game in the library.
    pub(crate) library_id: u64,
    /// Games that were replaced and are still to be kept.
    pub(crate) replaced: Vec<(u64, Game)>,
    pub(crate) players: ByColor<PlayerKind>,
    referee: Referee,
    timer: Timer,
    /// How long a move of the engine takes at least.
    pub(crate) pace: Duration,
    pub(crate) is_paused: bool,
    /// The earlier node that is shown, if any.
    shown: Option<NodeId>,
    /// The search for the engine's move.
    pub(crate) thinking: Option<Arc<SearchControl>>,
    /// The search for a hint, and the hint.
    pub(crate) hinting: Option<Arc<SearchControl>>,
    pub(crate) hint: Option<MoveView>,
    /// Whether the person resigns as soon as the engine has moved.
    pub(crate) resigns: bool,
    /// The person elsewhere who plays one side.
    pub(crate) guest: Option<Guest>,
    since: Instant,
}

/// A person elsewhere who was invited to play one side.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    /// What the address of the invitation has.
    pub(crate) code: String,
    pub(crate) color: Color,
    /// How many pages of the guest are open.
    pub(crate) pages: usize,
}

/// Who looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Viewer {
    /// Whoever the session belongs to.
    Owner,
    /// The guest, who looks at an earlier position perhaps.
    Guest { shown: Option<NodeId> },
}

impl Default for PlayTab {
    fn default() -> Self {
        Self {
            game: GameView::new(Game::default()),
            library_id: fresh_id(),
            replaced: Vec::new(),
            players: ByColor([PlayerKind::Person, PlayerKind::Engine { strength: 4 }]),
            referee: referee(Position::start(), GameClock::new(ByColor::default())),
            timer: Timer::default(),
            pace: Duration::ZERO,
            is_paused: false,
            shown: None,
            thinking: None,
            hinting: None,
            hint: None,
            resigns: false,
            guest: None,
            since: Instant::now(),
        }
    }
}

/// The rules of every game here.
fn rules() -> RuleSet {
    RuleSet {
        move_limit: Some(MOVE_LIMIT),
        ..RuleSet::default()
    }
}

fn referee(pos: Position, clock: GameClock) -> Referee {
    Referee::new(pos, rules(), clock)
}

impl PlayTab {
    /// Begins another game.
    pub(crate) fn begin(&mut self, new: NewGame) -> Result<(), UserError> {
        let start = match &new.start {
            StartPosition::Sfen(sfen) => {
                Position::from_sfen(sfen).map_err(|error| UserError::position(&error))?
            }
            &StartPosition::Handicap(number) => {
                let handicap = Handicap::ALL.get(number).copied();
                Position::handicap(handicap.unwrap_or(Handicap::Even))
            }
        };
        if Color::ALL.iter().any(|&color| start.king(color).is_none()) {
            return Err(UserError::new(
                "A game needs both kings: put them on the board.",
                "対局には両方の玉が必要です。盤に置いてください。",
            ));
        }
        if new.clock.is_some_and(|control| !control.is_sound()) {
            return Err(UserError::new(
                "A clock has at least a second and at most a day.",
                "持ち時間は 1 秒以上 1 日以内にしてください。",
            ));
        }
        self.stop_searches();
        let players = ByColor([new.black, new.white]);
        let mut game = Game::new(start);
        for color in Color::ALL {
            game.headers.players[color] = player_name(players[color]);
            game.headers.clocks[color] = new.clock.map(TimeControl::from);
        }
        self.replaced
            .push((self.library_id, self.game.record().clone()));
        self.library_id = fresh_id();
        self.game.replace(game);
        self.players = players;
        let control = new.clock.map(TimeControl::from).unwrap_or_default();
        let clock = GameClock::new(ByColor([control; 2]));
        self.referee = referee(self.game.position().clone(), clock);
        self.timer = Timer::default();
        self.pace = Duration::from_millis(new.pace.min(60_000));
        self.is_paused = false;
        self.shown = None;
        self.resigns = false;
        self.since = Instant::now();
        if self.players != ByColor([PlayerKind::Person; 2]) {
            self.guest = None;
        }
        if let Some(over) = self.referee.verdict() {
            self.finish(over);
        }
        Ok(())
    }

    /// Gives one side to a guest; a game against an engine must be over.
    pub(crate) fn invite(&mut self, code: String, color: Color) -> Result<(), UserError> {
        if self.players != ByColor([PlayerKind::Person; 2]) {
            if !self.is_over() && self.game.record().size() > 1 {
                return Err(UserError::no_place_for_guest());
            }
            self.begin(NewGame {
                black: PlayerKind::Person,
                white: PlayerKind::Person,
                start: StartPosition::Handicap(0),
                clock: None,
                pace: 0,
            })?;
        }
        self.guest = Some(Guest {
            code,
            color,
            pages: 0,
        });
        Ok(())
    }

    /// The side of whoever looks, if there is a guest.
    fn seat(&self, viewer: Viewer) -> Option<Color> {
        let guest = self.guest.as_ref()?;
        Some(match viewer {
            Viewer::Owner => guest.color.foe(),
            Viewer::Guest { .. } => guest.color,
        })
    }

    /// An error if somebody else has the move.
    pub(crate) fn check_turn(&self, viewer: Viewer) -> Result<(), UserError> {
        match self.seat(viewer) {
            Some(color) if color != self.turn() => Err(UserError::not_your_turn()),
            _ => Ok(()),
        }
    }

    /// Ends the game because whoever looks gives it up, who must have the move; `false` if there is
    /// no guest.
    pub(crate) fn resign_seat(&mut self, viewer: Viewer) -> Result<bool, UserError> {
        self.check_running()?;
        let has_seat = self.seat(viewer).is_some();
        if has_seat {
            self.check_turn(viewer)?;
            self.end_by_resignation();
        }
        Ok(has_seat)
    }

    /// Stops every search for this game.
    fn stop_searches(&mut self) {
        for control in [self.thinking.take(), self.hinting.take()]
            .into_iter()
            .flatten()
        {
            control.stop();
        }
        self.hint = None;
    }

    pub(crate) fn turn(&self) -> Color {
        self.game.position().turn()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.game.record()[self.game.at()].ending().is_some()
    }

    pub(crate) fn is_person(&self, color: Color) -> bool {
        self.players[color] == PlayerKind::Person
    }

    /// Whether two engines play.
    pub(crate) fn is_engine_match(&self) -> bool {
        Color::ALL.iter().all(|&color| !self.is_person(color))
    }

    /// An error if the game is over.
    pub(crate) fn check_running(&self) -> Result<(), UserError> {
        match self.is_over() {
            true => Err(UserError::game_over()),
            false => Ok(()),
        }
    }

    /// Plays a move of a person.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), UserError> {
        self.check_running()?;
        if !self.is_person(self.turn()) {
            return Err(UserError::not_your_turn());
        }
        let mv = text.parse().map_err(|_| UserError::not_a_move(text))?;
        self.stop_searches();
        self.set_pause(false);
        self.make(mv).map(|_| ())
    }

    /// Plays a move, presses the clock and looks whether the game is over.
    pub(crate) fn make(&mut self, mv: Move) -> Result<NodeId, UserError> {
        let turn = self.turn();
        let elapsed = match self.has_clock() {
            true => self.timer.elapsed(turn),
            false => self.since.elapsed(),
        };
        if let Some(over) = self.referee.wait(elapsed) {
            self.finish(over);
            return Err(UserError::new("The time is over.", "時間切れです。"));
        }
        // An illegal move is refused, and loses nothing here.
        let id = self.game.play(mv)?;
        let over = self.referee.play(mv, elapsed);
        self.game.set_time(id, elapsed);
        self.since = Instant::now();
        self.shown = None;
        if self.has_clock() {
            self.timer.start(turn.foe());
        }
        if let Some(over) = over {
            self.finish(over);
        }
        Ok(id)
    }

    /// Ends the game as the referee says.
    fn finish(&mut self, over: GameOver) {
        let over = self.referee.end(over);
        self.end(over.into());
    }

    /// Ends the game because the side to move resigns.
    pub(crate) fn end_by_resignation(&mut self) {
        self.finish(GameOver::lost(self.turn(), Termination::Resignation));
    }

    /// Ends the game because the side to move declares.
    pub(crate) fn end_by_declaration(&mut self) {
        self.finish(self.referee.declared());
    }

    fn end(&mut self, ending: Ending) {
        self.stop_searches();
        self.game.end(ending);
        self.stop_clock();
    }

    /// Whether there is a clock.
    fn has_clock(&self) -> bool {
        !self.referee.clock().control(Color::Black).is_unlimited()
    }

    /// Lets the clock of the side to move run.
    pub(crate) fn start_clock(&mut self) {
        if self.has_clock() {
            self.timer.start(self.turn());
        }
    }

    /// Stops the clock; what was spent of the main time is gone.
    fn stop_clock(&mut self) {
        if let Some((color, elapsed)) = self.timer.stop() {
            self.referee.clock_mut().interrupt(color, elapsed);
        }
    }

    /// How long until the flag of the side that thinks falls; zero if it has.
    pub(crate) fn until_flag(&self) -> Option<Duration> {
        let color = self.timer.running()?;
        let falls = self.referee.clock().flag(color)?;
        Some(falls.saturating_sub(self.timer.elapsed(color)))
    }

    /// How much time each side has, if there is a clock.
    pub(crate) fn times(&self) -> Option<GameTimes> {
        let control = *self.referee.clock().control(Color::Black);
        self.has_clock().then(|| control.into())
    }

    /// Main time and byoyomi left at this moment.
    pub(crate) fn time_left(&self, color: Color) -> TimeLeft {
        let clock = self.referee.clock();
        let (left, spent) = (clock.left_with_increment(color), self.timer.elapsed(color));
        let over = spent.saturating_sub(left);
        TimeLeft {
            main: to_millis(left.saturating_sub(spent)),
            byoyomi: to_millis(clock.control(color).byoyomi.saturating_sub(over)),
        }
    }

    /// How long an engine may think that has the move, if there is a clock.
    pub(crate) fn budget(&self) -> Option<TimeBudget> {
        let turn = self.turn();
        let mut clock = self.referee.clock().clone();
        clock.interrupt(turn, self.timer.elapsed(turn));
        let rest = clock.remaining(turn);
        let ply = self.game.position().ply();
        self.has_clock()
            .then(|| TimeSettings::default().budget(&rest, ply, None))
    }

    /// Takes moves back until it is a person's turn again.
    pub(crate) fn take_back(&mut self) -> Result<(), UserError> {
        if self.is_engine_match() {
            return Err(UserError::new(
                "Engines do not take moves back.",
                "エンジン同士の対局では待ったはできません。",
            ));
        }
        let game = self.game.record();
        if game.ending() == Some(Ending::Time) {
            return Err(UserError::new(
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
            return Err(UserError::new(
                "There is nothing to take back.",
                "戻す手がありません。",
            ));
        };
        self.stop_searches();
        self.resigns = false;
        self.game.remove(first);
        self.game.go(self.game.record().last());
        self.shown = None;
        self.since = Instant::now();
        self.stop_clock();
        let clock = self.referee.clock().clone();
        self.referee = referee(self.game.position().clone(), clock);
        Ok(())
    }

    /// Resigns; if it is the engine's turn, as soon as it has moved.
    pub(crate) fn resign(&mut self) -> Result<(), UserError> {
        self.check_running()?;
        if self.is_person(self.turn()) {
            self.end_by_resignation();
        } else if self.is_engine_match() {
            self.end(Ending::Interruption);
        } else {
            self.resigns = true;
            if let Some(control) = &self.thinking {
                control.stop();
            }
        }
        Ok(())
    }

    /// Declares the win by entering king; a declaration that is not allowed is answered with the
    /// reason, and the game goes on.
    pub(crate) fn declare(&mut self) -> Result<(), UserError> {
        self.check_running()?;
        if !self.is_person(self.turn()) {
            return Err(UserError::not_your_turn());
        }
        let over = self.referee.declared();
        let is_wrong = over.termination == Termination::Rules(Cause::WrongDeclaration);
        // The referee decides; only the rule knows what is missing.
        match declare(self.referee.position(), rules().declaration) {
            Declaration::NotAllowed(obstacle) if is_wrong => Err(UserError::obstacle(obstacle)),
            _ => {
                self.finish(over);
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
            self.stop_searches();
            self.stop_clock();
        }
        self.since = Instant::now();
    }

    /// Shows another position of the game.
    pub(crate) fn go_to(&mut self, node: Option<usize>) -> Result<(), UserError> {
        let node = node.map(|index| self.game.node(index)).transpose()?;
        self.shown = node.filter(|&id| id != self.game.at());
        Ok(())
    }

    /// Ends the game if a flag has fallen.
    pub(crate) fn check_flag(&mut self) -> bool {
        let Some(color) = self.timer.running().filter(|_| !self.is_over()) else {
            return false;
        };
        let over = self.referee.wait(self.timer.elapsed(color));
        over.into_iter().for_each(|over| self.finish(over));
        over.is_some()
    }

    /// What a page that was sent the version `seen` of the game is sent now.
    pub(crate) fn message(
        &self,
        seen: GameVersion,
        viewer: Viewer,
    ) -> (PlayMessage<'_>, GameVersion) {
        let (game, seen) = self.game.update(seen);
        let over = self.game.record()[self.game.at()].ending();
        let turn = self.turn();
        let (seat, is_guest) = (self.seat(viewer), viewer != Viewer::Owner);
        let shown = match viewer {
            Viewer::Owner => self.shown,
            Viewer::Guest { shown } => shown.filter(|&id| id != self.game.at()),
        };
        let can_move = over.is_none()
            && shown.is_none()
            && self.is_person(turn)
            && seat.is_none_or(|seat| seat == turn);
        let position = match shown {
            Some(id) => PositionView::new(&self.game.record().position(id), false),
            None => PositionView::new(self.game.position(), can_move),
        };
        let message = PlayMessage {
            position,
            game,
            shown: shown.unwrap_or(self.game.at()).index(),
            players: self.players.0,
            clock: self.times().map(|control| ClockView {
                left: Color::ALL.map(|color| self.time_left(color)),
                running: self.timer.running().map(Into::into),
                control,
            }),
            over: over.map(|ending| EndView::new(ending, turn)),
            can_move,
            paused: self.is_paused,
            thinking: self.thinking.is_some(),
            hinting: self.hinting.is_some(),
            hint: self.hint.as_ref().filter(|_| shown.is_none() && !is_guest),
            seat: seat.map(Into::into),
            is_guest,
            has_guest: self.guest.as_ref().map(|guest| guest.pages > 0),
        };
        (message, seen)
    }

    /// A game that was stored.
    pub(crate) fn restored(
        game: Game,
        players: ByColor<PlayerKind>,
        clock: GameClock,
        pace: Duration,
        is_paused: bool,
    ) -> Self {
        let mut game = GameView::new(game);
        game.go(game.record().last());
        Self {
            referee: referee(game.position().clone(), clock),
            game,
            players,
            pace,
            is_paused,
            ..Self::default()
        }
    }
}

fn player_name(player: PlayerKind) -> String {
    match player {
        PlayerKind::Person => String::new(),
        PlayerKind::Engine { strength } if strength >= FULL_STRENGTH => "Tesuji".into(),
        PlayerKind::Engine { strength } => format!("Tesuji ({strength})"),
    }
}

#[cfg(test)]
mod tests;
