//! Every way a game can end, with players that do what they are told.

use super::*;
use crate::adjudicate::ResignRule;
use std::collections::VecDeque;
use std::slice;
use tesuji_shogi::{Board, DeclarationRule};
use tesuji_usi::process::MoveReply;

/// What a scripted player does next.
#[derive(Clone)]
enum Act {
    Play(&'static str),
    Do(Answer),
    Fail(ProcessError),
    Wait(u64),
}

/// Does one thing after the other, then plays any legal move.
struct Script {
    acts: VecDeque<Act>,
    value: Option<i32>,
    heard: Option<Option<bool>>,
}

fn script(acts: &[Act]) -> Script {
    Script {
        acts: acts.iter().cloned().collect(),
        value: None,
        heard: None,
    }
}

impl Player for Script {
    fn new_game(&mut self) -> Result<(), ProcessError> {
        Ok(())
    }

    fn think(&mut self, turn: &MoveRequest<'_>) -> Result<MoveReply, ProcessError> {
        let mut pos = turn.start.clone();
        for &mv in turn.moves {
            pos.play(mv);
        }
        let legal = Answer::Move(pos.legal_moves().iter().next().unwrap());
        let mut time = 0;
        let answer = match self.acts.pop_front() {
            None => legal,
            Some(Act::Wait(millis)) => {
                time = millis;
                legal
            }
            Some(Act::Play(mv)) => Answer::Move(mv.parse().unwrap()),
            Some(Act::Do(answer)) => answer,
            Some(Act::Fail(error)) => return Err(error),
        };
        Ok(MoveReply {
            ponder: None,
            answer,
            time: Duration::from_millis(time),
            value: self.value.map(Value::new),
            depth: None,
            nodes: None,
        })
    }

    fn game_over(&mut self, won: Option<bool>) {
        self.heard = Some(won);
    }
}

fn settings() -> GameSettings {
    GameSettings {
        rules: RuleSet {
            move_limit: Some(60),
            declaration: DeclarationRule::Points27,
            ..RuleSet::default()
        },
        limits: ByColor(["1".parse().unwrap(); 2]),
        margin: Duration::from_millis(50),
        adjudication: Adjudication::default(),
        ponder: false,
    }
}

/// How a game between two scripts ends.
fn ends(sfen: &str, black: &[Act], white: &[Act]) -> (Option<Color>, GameEnd) {
    let (mut black, mut white) = (script(black), script(white));
    let start = Position::from_sfen(sfen).unwrap();
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    let game = play(ByColor(players), &start, &settings()).unwrap();
    let won = |color| Some(game.winner.map(|winner| winner == color));
    assert_eq!(black.heard, won(Color::Black));
    assert_eq!(white.heard, won(Color::White));
    (game.winner, game.end)
}

const BLACK: Option<Color> = Some(Color::Black);
const WHITE: Option<Color> = Some(Color::White);

#[test]
fn players_lose_by_their_own_fault() {
    let start = "startpos";
    let late = ProcessError::Late(Duration::from_secs(3));
    let silent = ProcessError::Silent(Duration::from_secs(3), String::new());
    let nonsense = ProcessError::Nonsense("bestmove 0000".into());
    for (act, end) in [
        (Act::Do(Answer::Resign), GameEnd::Resign),
        (Act::Do(Answer::Declare), GameEnd::WrongDeclaration),
        (Act::Play("5e5d"), GameEnd::IllegalMove),
        (Act::Play("8h2b+"), GameEnd::IllegalMove),
        (Act::Fail(ProcessError::Crash), GameEnd::Crash),
        (Act::Fail(late), GameEnd::Time),
        (Act::Fail(silent), GameEnd::Silence),
        (Act::Fail(nonsense), GameEnd::Nonsense),
        (Act::Wait(1050), GameEnd::Time),
    ] {
        assert_eq!(ends(start, slice::from_ref(&act), &[]), (WHITE, end));
        assert_eq!(ends(start, &[], &[act]), (BLACK, end));
    }
    assert_eq!(
        ends(start, &[Act::Wait(1049)], &[Act::Do(Answer::Resign)]),
        (BLACK, GameEnd::Resign)
    );
    let slow = [Act::Wait(600), Act::Wait(600)];
    assert_eq!(
        ends(start, &slow, &[]),
        (WHITE, GameEnd::Time),
        "the main time is for the whole game"
    );
}

#[test]
fn the_board_decides() {
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    assert_eq!(
        ends(mate, &[Act::Play("G*5b")], &[]),
        (BLACK, GameEnd::Mate)
    );
    let entered = "+P+P+P+PK+P+P+P+P/+P+P+R+B5/9/9/9/9/9/9/4k4 b RB 1";
    assert_eq!(
        ends(entered, &[Act::Do(Answer::Declare)], &[]),
        (BLACK, GameEnd::Declaration)
    );
    let shuffle = |there: &'static str, back: &'static str| -> Vec<Act> {
        let pair = [Act::Play(there), Act::Play(back)];
        pair.into_iter().cycle().take(6).collect()
    };
    let (black, white) = (shuffle("2h3h", "3h2h"), shuffle("8b7b", "7b8b"));
    assert_eq!(
        ends("startpos", &black, &white),
        (None, GameEnd::Repetition)
    );
    let kings = "4k4/9/9/9/9/9/9/9/4K4 b - 58";
    assert_eq!(ends(kings, &[], &[]), (None, GameEnd::MoveLimit));
}

#[test]
fn evaluations_that_agree_end_a_game() {
    let (mut black, mut white) = (script(&[]), script(&[]));
    (black.value, white.value) = (Some(5000), Some(-5000));
    let mut settings = settings();
    settings.adjudication.resign = Some(ResignRule {
        value: 3000,
        moves: 2,
    });
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    let game = play(ByColor(players), &Position::start(), &settings).unwrap();
    assert_eq!((game.winner, game.end), (BLACK, GameEnd::AdjudicatedWin));
    assert_eq!(game.moves.len(), 4);
}
