//! What a desk does when somebody wishes something.

use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::play::Beginning;
use crate::wish::{Corner, Wish};
use crate::{link, reading};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use tesuji_record::Game;
use tesuji_shogi::{ByColor, Position};

impl Desk {
    /// Does what somebody wishes; the answer is for the page that asked, everything else is told to
    /// all pages.
    pub(crate) fn obey(self: &Arc<Self>, wish: Wish) -> Result<Option<Json>, Complaint> {
        let mut state = self.state();
        let answer = match wish {
            Wish::Save {
                corner,
                format,
                encoding,
            } => return reading::file(state.game(corner), &format, encoding.as_deref()).map(Some),
            Wish::Link { corner } => {
                let text = link::write(state.game(corner));
                return Ok(Some(json!({ "is": "link", "game": text })));
            }
            Wish::Hello { .. } | Wish::Show { .. } | Wish::Lesson { .. } => return Ok(None),
            wish @ (Wish::Begin { .. }
            | Wish::Move { .. }
            | Wish::TakeBack
            | Wish::Hint
            | Wish::Resign
            | Wish::Declare
            | Wish::Pause { .. }
            | Wish::Look { .. }) => self.in_play(&mut state, wish),
            wish @ (Wish::Pose { .. }
            | Wish::Solve
            | Wish::StopSolving
            | Wish::Defences
            | Wish::Step { .. }
            | Wish::Answer { .. }) => self.in_problem(&mut state, wish),
            wish => self.in_study(&mut state, wish),
        };
        drop(state);
        // Even what went wrong may have changed something: a flag that fell, for example.
        self.changed();
        answer.map(|()| None)
    }

    fn in_play(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let play = &mut state.play;
        match wish {
            Wish::Begin {
                black,
                white,
                handicap,
                sfen,
                clock,
                pace,
            } => play.begin(Beginning {
                seats: ByColor([black, white]),
                handicap,
                sfen,
                clock,
                pace,
            })?,
            Wish::Move { mv } => play.play(&mv)?,
            Wish::TakeBack => play.take_back()?,
            Wish::Resign => play.resign()?,
            Wish::Declare => play.declare()?,
            Wish::Pause { on } => play.set_pause(on),
            Wish::Look { node } => return play.look(node),
            _ => return self.look_for_hint(state),
        }
        self.go_on(state);
        Ok(())
    }

    fn in_study(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let study = &mut state.study;
        match wish {
            Wish::Go { node } => {
                let id = study.sheet.node(node)?;
                study.sheet.go(id);
                self.follow(state)
            }
            Wish::Try { mv } => {
                study.play(&mv)?;
                self.follow(state)
            }
            Wish::Comment { node, text } => {
                let id = study.sheet.node(node)?;
                study
                    .sheet
                    .set_comment(id, text.chars().take(4000).collect());
                Ok(())
            }
            Wish::Think { on, lines } => self.think(state, on, lines),
            Wish::Judge { millis } => self.judge_game(state, millis),
            Wish::StopJudging => {
                study.stop_judging();
                Ok(())
            }
            Wish::Remove { node } => {
                let id = study.sheet.node(node)?;
                if id != Game::ROOT {
                    study.sheet.remove(id);
                }
                self.follow_anew(state)
            }
            Wish::Promote { node } => {
                let id = study.sheet.node(node)?;
                study.sheet.promote(id);
                self.follow_anew(state)
            }
            Wish::Load { text, bytes, name } => {
                let game = reading::game(text.as_deref(), bytes.as_deref(), name.as_deref())?;
                study.replace(game);
                self.follow_anew(state)
            }
            Wish::SetUp { sfen } => {
                let start = Position::from_sfen(&sfen).map_err(|error| Complaint::sfen(&error))?;
                study.replace(Game::new(start));
                self.follow_anew(state)
            }
            _ => {
                // The game moves over; the study that was there is replaced, as loading does.
                study.replace(state.play.sheet.game().clone());
                self.follow_anew(state)
            }
        }
    }

    fn in_problem(self: &Arc<Self>, state: &mut State, wish: Wish) -> Result<(), Complaint> {
        let puzzle = &mut state.puzzle;
        match wish {
            Wish::Pose { text, bytes, name } => {
                let game = reading::game(text.as_deref(), bytes.as_deref(), name.as_deref())?;
                puzzle.pose(game.start())
            }
            Wish::StopSolving => {
                puzzle.stop();
                Ok(())
            }
            Wish::Step { node } => {
                let id = puzzle.sheet.node(node)?;
                puzzle.sheet.go(id);
                Ok(())
            }
            Wish::Answer { mv } => puzzle.play(&mv),
            Wish::Defences => self.defences(state),
            _ => self.solve(state),
        }
    }
}

impl State {
    /// The game of a corner.
    fn game(&self, corner: Corner) -> &Game {
        match corner {
            Corner::Play => self.play.sheet.game(),
            Corner::Problem => self.puzzle.sheet.game(),
            Corner::Study | Corner::Learn => self.study.sheet.game(),
        }
    }
}
