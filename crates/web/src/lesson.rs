//! The course: a rung of the ladder on a tree, every visit told, every cut explained.

use crate::complaint::Complaint;
use crate::wish::Wish;
use serde_json::{Value as Json, json};
use tesuji_eval::Relation;
use tesuji_record::names::{japanese, western};
use tesuji_search::ladder::{
    BestTable, BoundsTable, Drawn, Following, LESSON, NoTable, Order, Real, Rung, Trace, Turn,
    View, Way,
};
use tesuji_search::lesson::words::{self, Both};
use tesuji_search::lesson::{Naming, Story, number_text};
use tesuji_shogi::{Move, Position, Value};

/// Slots of the tables: more than there are nodes on any tree that is shown.
const SLOTS: usize = 1 << 16;

/// How many visits a page can show.
const MOST_VISITS: usize = 6000;

/// How deep a position is searched: what can be looked at.
const DEEPEST: u32 = 3;

/// One lesson, as a page shows it.
pub(crate) fn lesson(wish: &Wish) -> Result<Json, Complaint> {
    let Wish::Lesson {
        rung,
        tree,
        guess,
        sfen,
        depth,
    } = wish
    else {
        return Err(Complaint::no_game("no lesson"));
    };
    let rung: Rung = rung
        .parse()
        .map_err(|error| Complaint::new(format!("{error}."), "その段ははしごにありません。"))?;
    let guess = Value::new((*guess).clamp(-30_000, 30_000));
    let (trace, naming, drawing, pos) = match sfen {
        Some(sfen) => {
            let pos = Position::from_sfen(sfen).map_err(|error| Complaint::sfen(&error))?;
            let trace = of_position(rung, &pos, (*depth).clamp(1, DEEPEST));
            (trace, Naming::Branch, None, Some(pos))
        }
        None => {
            let text = tree.as_deref().unwrap_or(LESSON);
            let drawn: Drawn = text.parse().map_err(|error| {
                Complaint::new(
                    format!("This draws no tree: {error}."),
                    format!("木として読めません({error})。"),
                )
            })?;
            let drawing = text.split_whitespace().collect::<Vec<_>>().join(" ");
            (
                of_drawing(rung, drawn, guess),
                Naming::Way,
                Some(drawing),
                None,
            )
        }
    };
    if trace.visits.len() > MOST_VISITS {
        let visits = trace.visits.len();
        return Err(Complaint::new(
            format!("{visits} visits are too many to be shown: choose another rung or less depth."),
            format!(
                "訪問が {visits} 回もあり、表示しきれません。別の段か浅い深さを選んでください。"
            ),
        ));
    }
    Ok(told(&trace, naming, drawing, pos.as_ref()))
}

fn of_drawing(rung: Rung, tree: Drawn, guess: Value) -> Trace {
    match rung {
        Rung::Mtdf => rung.trace(tree, guess, &mut BoundsTable::new(SLOTS)),
        Rung::Deepening => rung.trace(tree, guess, &mut BestTable::new(SLOTS)),
        _ => rung.trace(tree, guess, &mut NoTable),
    }
}

fn of_position(rung: Rung, pos: &Position, depth: u32) -> Trace {
    let eval = Relation::new();
    // Minimax looks at everything: three moves deep that is more than anybody can look at.
    let depth = match rung.has_window() {
        true => depth,
        false => depth.min(2),
    };
    let tree = Real::new(pos.clone(), Following::new(&eval), Order::Captures, depth);
    rung.trace(tree, Value::ZERO, &mut BoundsTable::new(SLOTS))
}

fn told(trace: &Trace, naming: Naming, drawing: Option<String>, pos: Option<&Position>) -> Json {
    let story = Story::new(trace, naming);
    let visits: Vec<Json> = (0..trace.visits.len())
        .map(|number| visit(&story, number, pos))
        .collect();
    let lesson = words::lesson(trace.rung);
    let questions: Vec<Json> = lesson
        .questions
        .iter()
        .map(|(question, answer)| json!([both(*question), both(*answer)]))
        .collect();
    let names: Vec<Json> = Rung::ALL
        .iter()
        .map(|&rung| json!({ "name": rung.name(), "title": both(words::lesson(rung).title) }))
        .collect();
    json!({
        "is": "lesson",
        "rung": trace.rung.name(),
        "rungs": names,
        "title": both(lesson.title),
        "idea": both(lesson.idea),
        "course": both(words::TITLE),
        "preface": both(words::PREFACE),
        "questions": questions,
        "code": code(trace.rung.source()),
        "hasWindow": trace.rung.has_window(),
        "forMax": trace.rung.view() == View::Max,
        "value": number_text(trace.value),
        "leaves": trace.leaves(),
        "tree": drawing,
        "sfen": pos.map(Position::to_sfen),
        "visits": visits,
    })
}

/// One visit: its window, its answer, and why the rest was left out.
fn visit(story: &Story<'_>, number: usize, pos: Option<&Position>) -> Json {
    let visit = story.visit(number);
    let cut = story.cut(number).map(|cut| {
        json!({
            "rule": cut.rule,
            "en": cut.reason[0],
            "ja": cut.reason[1],
        })
    });
    let mut told = json!({
        "parent": visit.parent,
        "name": story.name(number),
        "ply": visit.ply,
        "max": visit.turn == Turn::Max,
        "alpha": visit.alpha.points(),
        "beta": visit.beta.points(),
        "value": visit.value.points(),
        "way": way(visit.way),
        "cut": cut,
        "left": visit.cut,
        "again": story.is_repeated(number),
    });
    if let (Some(pos), Some(told)) = (pos, told.as_object_mut()) {
        let line = moves_to(story, number);
        if let Some([ja, en]) = last_name(pos, &line) {
            told.insert("ja".into(), ja.into());
            told.insert("en".into(), en.into());
        }
    }
    told
}

const fn way(way: Way) -> &'static str {
    match way {
        Way::Judged => "judged",
        Way::Searched => "searched",
        Way::Remembered => "remembered",
    }
}

/// The moves that lead to a visit.
fn moves_to(story: &Story<'_>, number: usize) -> Vec<Move> {
    let upwards = std::iter::successors(Some(number), |&number| story.visit(number).parent);
    let mut moves: Vec<Move> = upwards
        .filter_map(|number| story.visit(number).branch.parse().ok())
        .collect();
    moves.reverse();
    moves
}

fn last_name(pos: &Position, line: &[Move]) -> Option<[String; 2]> {
    let (&last, before) = line.split_last()?;
    let mut pos = pos.clone();
    for &mv in before {
        pos.try_play(mv).ok()?;
    }
    Some([japanese(&pos, last), western(&pos, last)])
}

fn both(both: Both) -> Json {
    json!({ "en": both.en, "ja": both.ja })
}

/// The function without what stands above it.
fn code(source: &str) -> &str {
    let start = source.find("\n///").map_or(0, |start| start + 1);
    source[start..].trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(rung: &str, tree: Option<&str>, sfen: Option<&str>) -> Result<Json, Complaint> {
        lesson(&Wish::Lesson {
            rung: rung.into(),
            tree: tree.map(str::to_owned),
            guess: 70,
            sfen: sfen.map(str::to_owned),
            depth: 2,
        })
    }

    #[test]
    fn every_rung_teaches_the_same_value_and_cuts_are_explained() {
        for rung in Rung::ALL {
            let told = ask(rung.name(), None, None).unwrap();
            assert_eq!(told["value"], "75", "{rung}");
            let visits = told["visits"].as_array().unwrap();
            assert_eq!(
                visits.iter().any(|visit| !visit["cut"].is_null()),
                rung.has_window()
            );
        }
        let told = ask("alpha-beta", None, Some("startpos")).unwrap();
        assert_eq!(told["visits"][1]["ply"], 1);
        assert!(told["visits"][1]["ja"].as_str().unwrap().starts_with('▲'));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(ask("magic", None, None).is_err());
        assert!(ask("minimax", Some("[[3 12"), None).is_err());
        assert!(ask("minimax", None, Some("9/9")).is_err());
    }
}
