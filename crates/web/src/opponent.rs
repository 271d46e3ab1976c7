//! The engine as somebody to play with: its moves, its hints, its clock.

use crate::clock::Clock;
use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::engine::Job;
use crate::play::{FULL_STRENGTH, MOVE_LIMIT, ending, rules};
use crate::view::{for_black, line_view};
use crate::wish::Seat;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_record::{Ending, Evaluation};
use tesuji_search::{Answer, Best, Budget, Control, Limits, Phase, Quiet, Root, Rules, Search};
use tesuji_shogi::Position;
use tesuji_shogi::rules::declared;

/// How long the engine thinks where no clock says it.
const USUAL_THINKING: Duration = Duration::from_millis(1500);

/// How long it thinks about a hint.
const HINT_THINKING: Duration = Duration::from_millis(1000);

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
        self.tools.engine.done(control);
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
                desk.tools.engine.done(&own);
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
