//! The tab with the course in game-tree search: a rung of the ladder on a tree, every node shown,
//! every cut explained.

use crate::protocol::message::{
    Bilingual, CutView, LessonMessage, RungView, TracedNodeView, ValueSource,
};
use crate::protocol::position::MoveNames;
use crate::protocol::request::{LessonRequest, LessonRoot};
use crate::user_error::UserError;
use tesuji_eval::Relation;
use tesuji_record::names::{japanese, western};
use tesuji_search::ladder::{
    BestTable, BoardTree, BoundsTable, Chooser, Drawn, IncrementalLeafEval, LESSON, MoveOrder,
    NoTable, PointOfView, Rung, Trace, Way,
};
use tesuji_search::lesson::words::{self, Both};
use tesuji_search::lesson::{Naming, Story, number_text};
use tesuji_shogi::{Move, Position, Value};

/// Slots of the tables: more than there are nodes on any tree that is shown.
const SLOTS: usize = 1 << 16;

/// How many nodes a page can show.
const MOST_NODES: usize = 6000;

/// How deep a position is searched: deeper trees cannot be shown.
const DEEPEST: u32 = 3;

/// One lesson, as a page shows it.
pub(crate) fn lesson(request: &LessonRequest) -> Result<LessonMessage, UserError> {
    let rung: Rung = request
        .rung
        .parse()
        .map_err(|error| UserError::new(format!("{error}."), "その段ははしごにありません。"))?;
    let guess = Value::new(request.guess.clamp(-30_000, 30_000));
    let (trace, naming, drawing, pos) = match &request.root {
        LessonRoot::Position { sfen, depth } => {
            let pos = Position::from_sfen(sfen).map_err(|error| UserError::position(&error))?;
            let trace = search_position(rung, &pos, (*depth).clamp(1, DEEPEST));
            (trace, Naming::Branch, None, Some(pos))
        }
        LessonRoot::Tree(tree) => {
            let text = tree.as_deref().unwrap_or(LESSON);
            let drawn: Drawn = text.parse().map_err(|error| {
                UserError::new(
                    format!("This draws no tree: {error}."),
                    format!("木として読めません({error})。"),
                )
            })?;
            let drawing = text.split_whitespace().collect::<Vec<_>>().join(" ");
            (
                search_drawing(rung, drawn, guess),
                Naming::Way,
                Some(drawing),
                None,
            )
        }
    };
    if trace.nodes.len() > MOST_NODES {
        let nodes = trace.nodes.len();
        return Err(UserError::new(
            format!("{nodes} nodes are too many to be shown: choose another rung or less depth."),
            format!(
                "節点が {nodes} 個もあり、表示しきれません。別の段か浅い深さを選んでください。"
            ),
        ));
    }
    Ok(message(&trace, naming, drawing, pos.as_ref()))
}

fn search_drawing(rung: Rung, tree: Drawn, guess: Value) -> Trace {
    match rung {
        Rung::Mtdf => rung.trace(tree, guess, &mut BoundsTable::new(SLOTS)),
        Rung::Deepening => rung.trace(tree, guess, &mut BestTable::new(SLOTS)),
        _ => rung.trace(tree, guess, &mut NoTable),
    }
}

fn search_position(rung: Rung, pos: &Position, depth: u32) -> Trace {
    let eval = Relation::new();
    // Minimax visits everything: three moves deep that is more than a page can show.
    let depth = match rung.has_window() {
        true => depth,
        false => depth.min(2),
    };
    let tree = BoardTree::new(
        pos.clone(),
        IncrementalLeafEval::new(&eval),
        MoveOrder::Captures,
        depth,
    );
    rung.trace(tree, Value::ZERO, &mut BoundsTable::new(SLOTS))
}

fn message(
    trace: &Trace,
    naming: Naming,
    drawing: Option<String>,
    pos: Option<&Position>,
) -> LessonMessage {
    let story = Story::new(trace, naming);
    let lesson = words::lesson(trace.rung);
    let questions = lesson.questions.iter();
    let rungs = Rung::ALL.iter().map(|&rung| RungView {
        name: rung.name(),
        title: bilingual(words::lesson(rung).title),
    });
    LessonMessage {
        rung: trace.rung.name(),
        rungs: rungs.collect(),
        title: bilingual(lesson.title),
        idea: bilingual(lesson.idea),
        questions: questions
            .map(|&(question, answer)| (bilingual(question), bilingual(answer)))
            .collect(),
        code: code(trace.rung.source()),
        has_window: trace.rung.has_window(),
        for_max: trace.rung.view() == PointOfView::Max,
        value: number_text(trace.value),
        leaves: trace.leaves(),
        tree: drawing,
        sfen: pos.map(Position::to_sfen),
        nodes: (0..trace.nodes.len())
            .map(|number| node(&story, number, pos))
            .collect(),
    }
}

/// One node: its window, its value, and why the rest was cut.
fn node(story: &Story<'_>, number: usize, pos: Option<&Position>) -> TracedNodeView {
    let node = story.node(number);
    TracedNodeView {
        parent: node.parent,
        name: story.name(number),
        mv: pos.and_then(|pos| last_names(pos, &moves_to(story, number))),
        ply: node.ply,
        max: node.turn == Chooser::Max,
        alpha: node.alpha.points(),
        beta: node.beta.points(),
        value: node.value.points(),
        source: match node.way {
            Way::Evaluated => ValueSource::Evaluated,
            Way::Searched => ValueSource::Searched,
            Way::Remembered => ValueSource::Table,
        },
        cut: story.cut(number).map(|cut| {
            let [en, ja] = cut.reason;
            CutView {
                rule: cut.rule,
                en,
                ja,
            }
        }),
        left: node.cut.clone(),
    }
}

/// The moves that lead to a node.
fn moves_to(story: &Story<'_>, number: usize) -> Vec<Move> {
    let upwards = std::iter::successors(Some(number), |&number| story.node(number).parent);
    let mut moves: Vec<Move> = upwards
        .filter_map(|number| story.node(number).branch.parse().ok())
        .collect();
    moves.reverse();
    moves
}

/// The names of the last move of a line.
fn last_names(pos: &Position, line: &[Move]) -> Option<MoveNames> {
    let (&last, before) = line.split_last()?;
    let mut pos = pos.clone();
    for &mv in before {
        pos.try_play(mv).ok()?;
    }
    Some(MoveNames {
        ja: japanese(&pos, last),
        en: western(&pos, last),
    })
}

const fn bilingual(both: Both) -> Bilingual {
    Bilingual {
        en: both.en,
        ja: both.ja,
    }
}

/// The function without the head of its file.
fn code(source: &'static str) -> &'static str {
    let start = source.find("\n///").map_or(0, |start| start + 1);
    source[start..].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(rung: &str, root: LessonRoot) -> Result<LessonMessage, UserError> {
        lesson(&LessonRequest {
            rung: rung.into(),
            root,
            guess: 70,
        })
    }

    fn position(sfen: &str) -> LessonRoot {
        LessonRoot::Position {
            sfen: sfen.into(),
            depth: 2,
        }
    }

    #[test]
    fn every_rung_teaches_the_same_value_and_cuts_are_explained() {
        for rung in Rung::ALL {
            let lesson = ask(rung.name(), LessonRoot::Tree(None)).unwrap();
            assert_eq!(lesson.value, "75", "{rung}");
            assert_eq!(
                lesson.nodes.iter().any(|node| node.cut.is_some()),
                rung.has_window()
            );
        }
        let lesson = ask("alpha-beta", position("startpos")).unwrap();
        assert_eq!(lesson.nodes[1].ply, 1);
        let names = lesson.nodes[1].mv.as_ref().unwrap();
        assert!(names.ja.starts_with('▲'));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(ask("magic", LessonRoot::Tree(None)).is_err());
        assert!(ask("minimax", LessonRoot::Tree(Some("[[3 12".into()))).is_err());
        assert!(ask("minimax", position("9/9")).is_err());
    }
}
