//! When it sleeps, what wakes it, and what it answers.

use super::*;
use crate::options::Options;
use tesuji_search::{SearchRequest, TimeBudget};
use tesuji_shogi::{Color, Position, Value};

fn gate(phase: Phase, time: Option<Duration>) -> Arc<AnswerGate> {
    let budget = time.map(TimeBudget::exactly);
    Arc::new(AnswerGate::new(phase, budget, false, Arc::default()))
}

fn running_go(phase: Phase, time: Option<Duration>, earlier: Option<Arc<AnswerGate>>) -> RunningGo {
    RunningGo {
        request: SearchRequest::new(Position::start()),
        for_mate: false,
        shortest_mate: false,
        config: Options::default().config(),
        book: None,
        resign: Some(Value::new(-500)),
        answer: gate(phase, time),
        earlier,
        turn: Color::Black,
        ply: 1,
        has_limit: true,
        is_timed: true,
    }
}

const LONG: Duration = Duration::from_secs(1000);

#[test]
fn it_sleeps_until_the_time_is_up_and_no_longer() {
    let go = running_go(Phase::Thinking, Some(LONG), None);
    match go.wait(false) {
        Wait::For(left) => assert!((LONG / 2..=LONG + GRACE[1]).contains(&left), "{left:?}"),
        other => panic!("{other:?}"),
    }
    go.answer.finish();
    assert_eq!(go.wait(false), Wait::ForChange);
}

#[test]
fn it_waits_for_a_line_for_files_and_for_the_answer_before() {
    let before = gate(Phase::Thinking, None);
    let go = running_go(Phase::Thinking, Some(Duration::ZERO), Some(before.clone()));
    let line = ["7g7f".parse().unwrap()];
    go.answer.set_best_line(Value::ZERO, &line);
    assert_eq!(go.wait(false), Wait::ForChange);
    before.finish();
    assert_eq!(go.wait(false), Wait::Over);
    go.answer.set_loading(true);
    assert_eq!(go.wait(false), Wait::ForChange);
}

#[test]
fn what_it_waits_for_wakes_it() {
    let wake = Arc::new(WakeSignal::default());
    let gate = AnswerGate::new(Phase::Thinking, None, false, wake.clone());
    let mut seen = 0;
    let mut is_woken = || std::mem::replace(&mut seen, wake.count()) < wake.count();
    gate.set_loading(false);
    assert!(is_woken());
    gate.set_best_line(Value::ZERO, &["7g7f".parse().unwrap()]);
    assert!(is_woken());
    gate.set_best_line(Value::ZERO, &["2g2f".parse().unwrap()]);
    assert!(!is_woken(), "another line changes nothing");
    gate.finish();
    assert!(is_woken());
}

#[test]
fn a_search_has_a_little_time_to_end() {
    let millis = |time| grace(Duration::from_millis(time)).as_micros();
    assert_eq!(
        [0, 8, 100, 500, 60_000].map(millis),
        [0, 1000, 2000, 10_000, 20_000]
    );
}

#[test]
fn without_a_clock_it_sleeps_on() {
    let untimed = running_go(Phase::Thinking, None, None);
    assert_eq!(untimed.wait(false), Wait::ForChange);
    let pondering = running_go(Phase::Pondering, Some(Duration::ZERO), None);
    assert_eq!(pondering.wait(false), Wait::ForChange);
    pondering.answer.ponderhit(Some(TimeBudget::exactly(LONG)));
    assert!(matches!(pondering.wait(false), Wait::For(_)));
}

#[test]
fn it_answers_as_the_search_would() {
    let go = running_go(Phase::Thinking, Some(LONG), None);
    let told = |value: i32, line: &str| {
        let line: Vec<_> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
        go.answer.set_best_line(Value::new(value), &line);
        Reply::BestMove(go.best_so_far()).to_string()
    };
    assert_eq!(told(20, "7g7f 3c3d"), "bestmove 7g7f ponder 3c3d");
    assert_eq!(told(20, "7g7f 7g7f"), "bestmove 7g7f");
    assert_eq!(told(-500, "7g7f"), "bestmove resign");
    assert_ne!(told(20, "3c3d"), "bestmove 3c3d", "which is illegal");
}
