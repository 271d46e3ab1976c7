//! Writes one JKF game.

use super::PRESETS;
use super::schema::{
    JkfHand, JkfHeader, JkfInitial, JkfMove, JkfMoveEntry, JkfPosition, JkfRecord, JkfSpan,
    JkfSquare, JkfSquareContent, JkfTime,
};
use crate::comments;
use crate::csa::letters;
use crate::ending::Ending;
use crate::error::WriteError;
use crate::game::{Game, GamePosition, NodeId, Step};
use crate::kif::key_of;
use crate::names::{dropped_mark, relative_letters};
use std::time::Duration;
use tesuji_shogi::{ByColor, Color, Move, Piece, Position, Square};

/// How deep variations may lie in each other; every level costs three levels of JSON, and readers
/// of JSON stop at 128.
const DEEPEST: usize = 36;

/// A game with all its variations, as JSON in one line.
pub fn write(game: &Game) -> Result<String, WriteError> {
    let mut place = GamePosition::start(game);
    let first = JkfMoveEntry {
        comments: comments::lines(&game[Game::ROOT], place.position()),
        ..JkfMoveEntry::default()
    };
    let mut moves = vec![first];
    let head = game[Game::ROOT].children().first().copied();
    if let Some(head) = head {
        moves.extend(write_line(game, head, &mut place, ByColor::default(), 0)?);
    }
    let record = JkfRecord {
        header: JkfHeader(key_of(game)),
        initial: Some(initial(game.start())),
        moves,
    };
    let mut text = serde_json::to_string(&record).expect("a record is plain data");
    text.push('\n');
    Ok(text)
}

fn initial(start: &Position) -> JkfInitial {
    let sfen = start.to_sfen_without_ply();
    let preset = PRESETS
        .iter()
        .find(|&&(_, handicap)| Position::handicap(handicap).to_sfen_without_ply() == sfen);
    match preset {
        Some(&(name, _)) => JkfInitial {
            preset: name.into(),
            data: None,
        },
        None => JkfInitial {
            preset: "OTHER".into(),
            data: Some(data(start)),
        },
    }
}

fn data(start: &Position) -> JkfPosition {
    let cell = |square: Option<Square>| match square.and_then(|square| start.at(square)) {
        None => JkfSquareContent::default(),
        Some(piece) => JkfSquareContent {
            color: Some(piece.color().index() as u8),
            kind: Some(letters(piece.kind()).into()),
        },
    };
    let files = (1..=9).map(|file| (1..=9).map(|rank| cell(Square::at(file, rank))).collect());
    let held = |color| -> JkfHand {
        let hand = start.hand(color).iter();
        hand.map(|(kind, count)| (letters(kind).into(), count))
            .collect()
    };
    JkfPosition {
        color: start.turn().index() as u8,
        board: files.collect(),
        hands: Color::ALL.into_iter().map(held).collect(),
    }
}

/// The line that begins with a node. Its own siblings are left to the line it leaves.
fn write_line(
    game: &Game,
    head: NodeId,
    place: &mut GamePosition,
    mut totals: ByColor<Duration>,
    level: usize,
) -> Result<Vec<JkfMoveEntry>, WriteError> {
    if level > DEEPEST {
        return Err(WriteError::TooDeep(level));
    }
    let mut entries = Vec::new();
    for id in std::iter::once(head).chain(game.line(head)) {
        let parent = game[id].parent().unwrap_or(Game::ROOT);
        place.go(game, parent);
        let before = totals;
        write_step(game, id, place, &mut totals, &mut entries);
        if level > 0 && id == head {
            continue;
        }
        let forks = game.variations(parent).iter();
        let forks = forks.map(|&fork| write_line(game, fork, place, before, level + 1));
        let forks = forks.collect::<Result<_, _>>()?;
        if let Some(entry) = entries.last_mut() {
            entry.forks = forks;
        }
    }
    Ok(entries)
}

fn write_step(
    game: &Game,
    id: NodeId,
    place: &mut GamePosition,
    totals: &mut ByColor<Duration>,
    entries: &mut Vec<JkfMoveEntry>,
) {
    let pos = place.position();
    let turn = pos.turn();
    let mut entry = JkfMoveEntry::default();
    match game[id].step() {
        Step::Start => {}
        Step::Move(mv) => entry.mv = Some(write_move(pos, mv)),
        Step::End(ending) => {
            if let Some(mv) = ending.made(pos) {
                entries.push(JkfMoveEntry {
                    mv: Some(write_move(pos, mv)),
                    ..JkfMoveEntry::default()
                });
            }
            entry.special = Some(special(ending, turn).into());
        }
    }
    if let Some(time) = game[id].time {
        totals[turn] += Duration::from_secs(time.as_secs());
        let span = |time: Duration| JkfSpan {
            h: Some((time.as_secs() / 3600) as u32),
            m: (time.as_secs() / 60 % 60) as u32,
            s: (time.as_secs() % 60) as u32,
        };
        entry.time = Some(JkfTime {
            now: span(time),
            total: Some(span(totals[turn])),
        });
    }
    place.go(game, id);
    entry.comments = comments::lines(&game[id], place.position());
    entries.push(entry);
}

/// The word of CSA where it has one.
fn special(ending: Ending, turn: Color) -> &'static str {
    match ending {
        Ending::Sealed | Ending::WonByDefault | Ending::LostByDefault => ending.japanese(turn),
        _ => ending.csa(turn),
    }
}

fn write_move(pos: &Position, mv: Move) -> JkfMove {
    let point = |square: Square| JkfSquare {
        x: square.file(),
        y: square.rank(),
    };
    let kind = match mv.from() {
        Some(from) => pos.at(from).map(Piece::kind),
        None => mv.dropped(),
    };
    let piece = pos.at(mv.to()).filter(|taken| taken.color() != pos.turn());
    let zone = |square: Square| square.rank_for(pos.turn()) <= 3;
    let may_promote = kind.is_some_and(|kind| kind.can_promote())
        && mv.from().is_some_and(|from| zone(from) || zone(mv.to()));
    let same = pos.last_move().is_some_and(|last| last.to() == mv.to());
    JkfMove {
        color: Some(pos.turn().index() as u8),
        from: mv.from().map(point),
        to: Some(point(mv.to())),
        piece: kind.map_or("FU", letters).into(),
        same: same.then_some(true),
        promote: (may_promote || mv.is_promotion()).then_some(mv.is_promotion()),
        capture: piece.map(|piece| letters(piece.kind()).into()),
        relative: relative(pos, mv),
    }
}

/// `H` for 打, otherwise where the piece comes from and how it moves: `R`, `U`, `LU`.
fn relative(pos: &Position, mv: Move) -> Option<String> {
    if dropped_mark(pos, mv) {
        return Some("H".into());
    }
    let letter = |c| match c {
        '左' => 'L',
        '直' => 'C',
        '右' => 'R',
        '上' => 'U',
        '寄' => 'M',
        _ => 'D',
    };
    let letters: String = relative_letters(pos, mv).into_iter().map(letter).collect();
    (!letters.is_empty()).then_some(letters)
}
