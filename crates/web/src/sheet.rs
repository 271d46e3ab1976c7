//! A game on a sheet of paper: written on, wiped and read by pages that know an older state of it.

use crate::complaint::Complaint;
use serde::Serialize;
use std::time::Duration;
use tesuji_record::analysis::{Grade, slips};
use tesuji_record::names::{japanese, western};
use tesuji_record::{Ending, Evaluation, Game, NodeId, Pen, Step, Verdict};
use tesuji_shogi::{Color, Move, Position};

/// How many nodes a sheet may hold: more than anybody will click together.
pub(crate) const MOST_NODES: usize = 20_000;

/// A game, a place in it, and what changed when.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pen: Pen,
    /// The names of the moves, by node: Japanese, Western.
    names: Vec<[String; 2]>,
    /// When each node changed last.
    stamps: Vec<u64>,
    now: u64,
    /// Counts the times that nodes were taken away: then a page has to read everything again.
    generation: u64,
}

/// How much of a sheet a page has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seen {
    generation: u64,
    stamp: u64,
}

impl Sheet {
    /// A sheet with a game on it, at its start.
    pub(crate) fn new(game: Game) -> Self {
        let mut sheet = Self {
            pen: Pen::new(Game::default()),
            names: Vec::new(),
            stamps: Vec::new(),
            now: 0,
            generation: 0,
        };
        sheet.replace(game);
        sheet
    }

    /// Another game, at its start.
    pub(crate) fn replace(&mut self, game: Game) {
        self.now += 1;
        self.generation += 1;
        let size = game.size();
        self.pen = Pen::new(game);
        self.stamps = vec![self.now; size];
        self.names = vec![[String::new(), String::new()]; size];
        for index in 1..size {
            self.name(index);
        }
        self.pen.go(Game::ROOT);
    }

    /// Finds out what the move of a node is called.
    fn name(&mut self, index: usize) {
        let Some(id) = self.game().node(index) else {
            return;
        };
        let node = &self.game()[id];
        let (mv, parent) = (node.mv(), node.parent().unwrap_or(Game::ROOT));
        if let Some(mv) = mv {
            self.pen.go(parent);
            let pos = self.pen.position();
            self.names[index] = [japanese(pos, mv), western(pos, mv)];
        }
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        self.pen.game()
    }

    /// Where we are.
    pub(crate) fn at(&self) -> NodeId {
        self.pen.at()
    }

    /// The position there.
    pub(crate) fn position(&self) -> &Position {
        self.pen.position()
    }

    /// The node with a number.
    pub(crate) fn node(&self, index: usize) -> Result<NodeId, Complaint> {
        self.game().node(index).ok_or_else(Complaint::no_such_move)
    }

    /// Goes to a node.
    pub(crate) fn go(&mut self, id: NodeId) {
        self.pen.go(id);
    }

    /// Plays a move where we are, or follows it if it is there already.
    pub(crate) fn play(&mut self, mv: Move) -> Result<NodeId, Complaint> {
        let at = self.at();
        let children = self.game()[at].children();
        let known = children
            .iter()
            .copied()
            .find(|&id| self.game()[id].mv() == Some(mv));
        if let Some(id) = known {
            self.pen.go(id);
            return Ok(id);
        }
        if self.game().size() >= MOST_NODES {
            return Err(Complaint::too_many_moves(MOST_NODES));
        }
        let names = match self.position().is_legal(mv) {
            true => [japanese(self.position(), mv), western(self.position(), mv)],
            false => [String::new(), String::new()],
        };
        let id = self.pen.play(mv).map_err(Complaint::refused)?;
        self.names.push(names);
        self.now += 1;
        self.stamps.push(self.now);
        Ok(id)
    }

    /// Ends the line where we are.
    pub(crate) fn end(&mut self, ending: Ending) {
        let size = self.game().size();
        self.pen.end(ending);
        if self.game().size() > size {
            self.names.push([String::new(), String::new()]);
            self.now += 1;
            self.stamps.push(self.now);
        }
    }

    /// Says how long the player of a move thought.
    pub(crate) fn set_time(&mut self, id: NodeId, time: Duration) {
        self.touch(id);
        self.pen.game_mut()[id].time = Some(time);
    }

    /// Says what is thought of the position at a node.
    pub(crate) fn set_evaluation(&mut self, id: NodeId, evaluation: Evaluation) {
        self.touch(id);
        self.pen.game_mut()[id].evaluation = Some(evaluation);
    }

    /// Says something about a node.
    pub(crate) fn set_comment(&mut self, id: NodeId, comment: String) {
        self.touch(id);
        self.pen.game_mut()[id].comment = comment;
    }

    fn touch(&mut self, id: NodeId) {
        self.now += 1;
        self.stamps[id.index()] = self.now;
    }

    /// Takes a node away with everything behind it. We stand at the nearest node that is left.
    pub(crate) fn remove(&mut self, id: NodeId) {
        let mut here = self.at();
        if self.game().path(here).contains(&id) {
            here = self.game()[id].parent().unwrap_or(Game::ROOT);
        }
        self.copy(here, |game, at| {
            let children = game[at].children().iter().copied();
            children.filter(|&child| child != id).collect()
        });
    }

    /// Makes the line of a node the main line.
    pub(crate) fn promote(&mut self, id: NodeId) {
        let path = self.game().path(id);
        self.copy(self.at(), |game, at| {
            let mut children = game[at].children().to_vec();
            children.sort_by_key(|child| !path.contains(child)); // Stable.
            children
        });
    }

    /// Writes the game anew with the children that `keep` gives for every node, and stands where
    /// `here` went.
    fn copy(&mut self, here: NodeId, keep: impl Fn(&Game, NodeId) -> Vec<NodeId>) {
        let old = self.pen.game();
        let mut game = Game::new(old.start().clone());
        game.headers = old.headers.clone();
        let mut pen = Pen::new(game);
        let mut place = Game::ROOT;
        let mut open = vec![(Game::ROOT, Game::ROOT)];
        while let Some((id, parent)) = open.pop() {
            if id != Game::ROOT {
                pen.go(parent);
                match old[id].step() {
                    Step::Move(mv) if pen.play(mv).is_ok() => {}
                    Step::End(ending) => {
                        pen.end(ending);
                    }
                    _ => continue,
                }
            }
            let (from, copy) = (&old[id], pen.at());
            let node = pen.node();
            node.comment.clone_from(&from.comment);
            node.time = from.time;
            node.evaluation.clone_from(&from.evaluation);
            if id == here {
                place = copy;
            }
            let children = keep(old, id);
            open.extend(children.into_iter().rev().map(|child| (child, copy)));
        }
        self.replace(pen.finish());
        self.pen.go(place);
    }

    /// What a page has not seen yet, and what it has seen then.
    pub(crate) fn news(&self, seen: Seen) -> (SheetNews<'_>, Seen) {
        let is_new = seen.generation != self.generation;
        let since = if is_new { 0 } else { seen.stamp };
        let game = self.game();
        let changed = self
            .stamps
            .iter()
            .enumerate()
            .filter(|&(_, &stamp)| stamp > since);
        let nodes = changed
            .filter_map(|(index, _)| Some(NodeNews::new(game, game.node(index)?, &self.names)))
            .collect();
        let slips = slips(game).into_iter();
        let news = SheetNews {
            generation: self.generation,
            is_new,
            nodes,
            at: self.at().index(),
            slips: slips
                .map(|slip| (slip.node.index(), grade_name(slip.grade)))
                .collect(),
            players: &game.headers.players.0,
        };
        let seen = Seen {
            generation: self.generation,
            stamp: self.now,
        };
        (news, seen)
    }
}

const fn grade_name(grade: Grade) -> &'static str {
    match grade {
        Grade::Dubious => "dubious",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    }
}

/// What changed on a sheet.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SheetNews<'s> {
    generation: u64,
    /// Whether everything that was known is to be forgotten.
    is_new: bool,
    nodes: Vec<NodeNews<'s>>,
    at: usize,
    slips: Vec<(usize, &'static str)>,
    players: &'s [String; 2],
}

/// A node that changed.
#[derive(Serialize)]
pub(crate) struct NodeNews<'s> {
    id: usize,
    parent: Option<usize>,
    ply: usize,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    ja: &'s str,
    #[serde(skip_serializing_if = "str::is_empty")]
    en: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndNews>,
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<u64>,
    /// For Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i32>,
    /// Plies to the mate, negative if Black is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
}

impl<'s> NodeNews<'s> {
    fn new(game: &'s Game, id: NodeId, names: &'s [[String; 2]]) -> Self {
        let node = &game[id];
        let [ja, en] = &names[id.index()];
        let evaluation = node.evaluation.as_ref();
        Self {
            id: id.index(),
            parent: node.parent().map(NodeId::index),
            ply: node.depth(),
            mv: node.mv().map(|mv| mv.to_string()),
            ja,
            en,
            end: node
                .ending()
                .map(|ending| EndNews::new(ending, game.turn(id))),
            comment: &node.comment,
            time: node.time.map(|time| time.as_millis() as u64),
            value: evaluation.map(|evaluation| evaluation.value.points()),
            mate: evaluation.and_then(|evaluation| evaluation.value.mate_distance()),
            depth: evaluation.and_then(|evaluation| evaluation.depth),
        }
    }
}

/// How a line ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct EndNews {
    /// A word that the page knows in both languages.
    pub(crate) why: &'static str,
    /// `b`, `w` or nothing.
    pub(crate) winner: Option<char>,
}

impl EndNews {
    pub(crate) fn new(ending: Ending, turn: Color) -> Self {
        let why = match ending {
            Ending::Resignation => "resignation",
            Ending::Interruption => "interruption",
            Ending::Sealed => "sealed",
            Ending::Repetition => "repetition",
            Ending::Impasse => "impasse",
            Ending::Draw => "draw",
            Ending::MoveLimit => "move-limit",
            Ending::Time => "time",
            Ending::Foul { .. } => "foul",
            Ending::Declaration => "declaration",
            Ending::Mate => "mate",
            Ending::NoMate => "no-mate",
            Ending::WonByDefault | Ending::LostByDefault => "default",
            Ending::Error => "error",
        };
        let winner = match ending.verdict(turn) {
            Some(Verdict::Win(color)) => Some(color.letter()),
            _ => None,
        };
        Self { why, winner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(moves: &str) -> Sheet {
        let game = tesuji_record::usi::read(&format!("startpos moves {moves}")).unwrap();
        Sheet::new(game)
    }

    #[test]
    fn a_page_hears_only_what_is_new() {
        let mut sheet = sheet("7g7f 3c3d");
        let (news, seen) = sheet.news(Seen::default());
        assert!(news.is_new && news.nodes.len() == 3);
        assert_eq!(news.nodes[1].ja, "▲７六歩");
        assert!(sheet.news(seen).0.nodes.is_empty());
        let id = sheet.play("2g2f".parse().unwrap()).unwrap();
        sheet.set_comment(id, "another opening".into());
        let (news, seen) = sheet.news(seen);
        assert!(!news.is_new && news.nodes.len() == 1 && news.nodes[0].parent == Some(0));
        sheet.remove(id);
        let (news, _) = sheet.news(seen);
        assert!(news.is_new && news.nodes.len() == 3 && news.at == 0);
    }

    #[test]
    fn a_promoted_line_comes_first_and_nothing_is_lost() {
        let mut sheet = sheet("7g7f 3c3d 2g2f");
        sheet.go(sheet.game().node(1).unwrap());
        sheet.play("8c8d".parse().unwrap()).unwrap();
        let last = sheet.play("7f7e".parse().unwrap()).unwrap();
        sheet.promote(last);
        let moves: Vec<_> = sheet.game().moves().map(|mv| mv.to_string()).collect();
        assert_eq!(moves, ["7g7f", "8c8d", "7f7e"]);
        assert_eq!(sheet.game().size(), 6);
        assert_eq!(sheet.position().ply(), 4);
    }
}
