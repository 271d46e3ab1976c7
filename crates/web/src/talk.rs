//! One page and its desk: wishes in, news out.

use crate::complaint::Complaint;
use crate::desk::{Desk, State};
use crate::hall::Hall;
use crate::lesson;
use crate::sheet::Seen;
use crate::wish::{Corner, Wish};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// How often a page is told what the engine thinks, at most.
const BEAT: Duration = Duration::from_millis(100);

/// What one page has been told.
struct Eyes {
    corner: Corner,
    play: Seen,
    study: Seen,
    problem: Seen,
    live: u64,
    notice: u64,
}

impl Eyes {
    /// What changed since, for the corner that is shown.
    fn news(&mut self, state: &State) -> Vec<Json> {
        let mut all = Vec::new();
        let news = match self.corner {
            Corner::Play => Some(fresh(&mut self.play, |seen| state.play.news(seen))),
            Corner::Study => Some(fresh(&mut self.study, |seen| state.study.news(seen))),
            Corner::Problem => Some(fresh(&mut self.problem, |seen| state.puzzle.news(seen))),
            Corner::Learn => None,
        };
        all.extend(news);
        let (notices, last) = state.notices(self.notice);
        all.extend(notices.into_iter().map(sorry));
        self.notice = last;
        all
    }

    /// What the engine said since, if the study is shown.
    fn live(&mut self, state: &State) -> Option<Json> {
        let version = state.study.live_version();
        if self.corner != Corner::Study || self.live == version {
            return None;
        }
        self.live = version;
        Some(fresh(&mut self.study, |seen| state.study.live_news(seen)))
    }
}

/// Tells what is new and remembers that it was told.
fn fresh(seen: &mut Seen, news: impl FnOnce(Seen) -> (Json, Seen)) -> Json {
    let (news, now) = news(*seen);
    *seen = now;
    news
}

fn sorry(complaint: &Complaint) -> Json {
    json!({ "is": "sorry", "en": complaint.en, "ja": complaint.ja })
}

/// One page, from its first word to its last.
pub(crate) async fn talk(hall: &Hall, socket: WebSocket) {
    let (mut out, mut words) = socket.split();
    let hello = words.next().await;
    let Some((desk, corner)) = greeted(hall, hello) else {
        let reason = "say hello with the name of a desk first".into();
        let _ = out
            .send(Message::Close(Some(CloseFrame { code: 1008, reason })))
            .await;
        return;
    };
    desk.enter();
    let mut changes = desk.listen();
    changes.mark_changed();
    let mut eyes = Eyes {
        corner,
        play: Seen::default(),
        study: Seen::default(),
        problem: Seen::default(),
        live: u64::MAX,
        notice: desk.state().last_notice(),
    };
    let mut beat = tokio::time::interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let news = tokio::select! {
            word = words.next() => match word {
                Some(Ok(Message::Text(text))) => hear(&desk, &mut eyes, text.as_str()).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => break,
            },
            _ = changes.changed() => eyes.news(&desk.state()),
            _ = beat.tick() => eyes.live(&desk.state()).into_iter().collect(),
        };
        let mut is_lost = false;
        for one in news {
            is_lost |= out
                .feed(Message::Text(one.to_string().into()))
                .await
                .is_err();
        }
        if is_lost || out.flush().await.is_err() {
            break;
        }
    }
    desk.leave();
}

fn greeted(
    hall: &Hall,
    hello: Option<Result<Message, axum::Error>>,
) -> Option<(Arc<Desk>, Corner)> {
    let Some(Ok(Message::Text(text))) = hello else {
        return None;
    };
    match serde_json::from_str(&text).ok()? {
        Wish::Hello { desk, corner } => Some((hall.desk(&desk)?, corner)),
        _ => None,
    }
}

/// Does what a page asks for; what only it is told is the answer.
async fn hear(desk: &Arc<Desk>, eyes: &mut Eyes, text: &str) -> Vec<Json> {
    let wish = match serde_json::from_str::<Wish>(text) {
        Ok(wish) => wish,
        Err(error) => {
            return vec![sorry(&Complaint::new(
                format!("The page asked for something unknown: {error}. Reload it."),
                format!("ページからの要求を理解できません({error})。再読み込みしてください。"),
            ))];
        }
    };
    let answer = match wish {
        Wish::Show { corner } => {
            eyes.corner = corner;
            eyes.live = u64::MAX;
            return eyes.news(&desk.state());
        }
        Wish::Lesson { .. } => {
            let lesson = tokio::task::spawn_blocking(move || lesson::lesson(&wish)).await;
            lesson
                .map_err(|error| Complaint::no_game(&error.to_string()))
                .and_then(|lesson| lesson)
                .map(Some)
        }
        wish => desk.obey(wish),
    };
    match answer {
        Ok(answer) => answer.into_iter().collect(),
        Err(complaint) => vec![sorry(&complaint)],
    }
}
