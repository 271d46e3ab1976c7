//! A game as pages see it: a tree with a current node, and stamps that say what a page that knows an
//! older state of it has to be sent.

use crate::protocol::message::{EndView, GameUpdate, NodeView, SlipGrade};
use crate::user_error::UserError;
use std::collections::BTreeMap;
use std::time::Duration;
use tesuji_record::analysis::Grade;
use tesuji_record::names::{japanese, western};
use tesuji_record::{Ending, Evaluation, Game, GameCursor, Headers, NodeId, Step};
use tesuji_shogi::{Handicap, Move, Position, Value};

/// How many nodes a game may have: more than anybody will enter by hand.
pub(crate) const MOST_NODES: usize = 20_000;

/// A game, the current node, and when each node changed.
#[derive(Clone, Debug)]
pub(crate) struct GameView {
    cursor: GameCursor,
    /// The names of the moves, by node: Japanese, Western.
    names: Vec<[String; 2]>,
    /// When each node changed last.
    stamps: Vec<u64>,
    now: u64,
    /// How often nodes were removed: then a page has to read everything again.
    generation: u64,
    /// What the review says about moves, by node.
    reviews: BTreeMap<NodeId, MoveReview>,
    /// Whether White gave pieces.
    is_handicap: bool,
}

/// What a review found out about a move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct MoveReview {
    /// How much of the winning chance it cost its player, 0 to 1.
    pub(crate) loss: f64,
    /// What the best move is worth, for Black.
    pub(crate) best: Value,
    /// What the move is worth, for Black, by the same search.
    pub(crate) played: Value,
    /// The best line; empty if the move was good.
    pub(crate) line: Vec<Move>,
}

impl MoveReview {
    /// How bad the move was.
    pub(crate) fn grade(&self) -> Option<Grade> {
        Grade::of_loss(self.loss)
    }
}

/// Which state of a game a page has been sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct GameVersion {
    generation: u64,
    stamp: u64,
}

impl GameView {
    /// The view of a game, at its start.
    pub(crate) fn new(game: Game) -> Self {
        let mut view = Self {
            cursor: GameCursor::new(Game::default()),
            names: Vec::new(),
            stamps: Vec::new(),
            now: 0,
            generation: 0,
            reviews: BTreeMap::new(),
            is_handicap: false,
        };
        view.replace(game);
        view
    }

    /// Replaces the game by another one, at its start.
    pub(crate) fn replace(&mut self, game: Game) {
        self.now += 1;
        self.generation += 1;
        self.reviews.clear();
        self.is_handicap = is_handicap(game.start());
        let size = game.size();
        self.cursor = GameCursor::new(game);
        self.stamps = vec![self.now; size];
        self.names = vec![[String::new(), String::new()]; size];
        for index in 1..size {
            self.name(index);
        }
        self.cursor.go(Game::ROOT);
    }

    /// Stores the names of the move of a node.
    fn name(&mut self, index: usize) {
        let Some(id) = self.record().node(index) else {
            return;
        };
        let node = &self.record()[id];
        let (mv, parent) = (node.mv(), node.parent().unwrap_or(Game::ROOT));
        if let Some(mv) = mv {
            self.cursor.go(parent);
            let pos = self.cursor.position();
            self.names[index] = [japanese(pos, mv), western(pos, mv)];
        }
    }

    /// The game.
    pub(crate) fn record(&self) -> &Game {
        self.cursor.game()
    }

    /// The current node.
    pub(crate) fn at(&self) -> NodeId {
        self.cursor.at()
    }

    /// The position at the current node.
    pub(crate) fn position(&self) -> &Position {
        self.cursor.position()
    }

    /// The node with a number.
    pub(crate) fn node(&self, index: usize) -> Result<NodeId, UserError> {
        self.record()
            .node(index)
            .ok_or_else(UserError::no_such_move)
    }

    /// Goes to a node.
    pub(crate) fn go(&mut self, id: NodeId) {
        self.cursor.go(id);
    }

    /// Plays a move at the current node, or goes to its node if it was played before.
    pub(crate) fn play(&mut self, mv: Move) -> Result<NodeId, UserError> {
        let at = self.at();
        let children = self.record()[at].children();
        let known = children
            .iter()
            .copied()
            .find(|&id| self.record()[id].mv() == Some(mv));
        if let Some(id) = known {
            self.cursor.go(id);
            return Ok(id);
        }
        if self.record().size() >= MOST_NODES {
            return Err(UserError::too_many_moves(MOST_NODES));
        }
        let names = match self.position().is_legal(mv) {
            true => [japanese(self.position(), mv), western(self.position(), mv)],
            false => [String::new(), String::new()],
        };
        let id = self.cursor.play(mv).map_err(UserError::refused)?;
        self.names.push(names);
        self.now += 1;
        self.stamps.push(self.now);
        Ok(id)
    }

    /// Ends the line at the current node.
    pub(crate) fn end(&mut self, ending: Ending) {
        let size = self.record().size();
        self.cursor.end(ending);
        if self.record().size() > size {
            self.names.push([String::new(), String::new()]);
            self.now += 1;
            self.stamps.push(self.now);
        }
    }

    /// Stores how long the player of a move thought.
    pub(crate) fn set_time(&mut self, id: NodeId, time: Duration) {
        self.touch(id);
        self.cursor.game_mut()[id].time = Some(time);
    }

    /// Stores the evaluation of the position at a node.
    pub(crate) fn set_evaluation(&mut self, id: NodeId, evaluation: Evaluation) {
        self.touch(id);
        self.cursor.game_mut()[id].evaluation = Some(evaluation);
    }

    /// Stores a comment on a node.
    pub(crate) fn set_comment(&mut self, id: NodeId, comment: String) {
        self.touch(id);
        self.cursor.game_mut()[id].comment = comment;
    }

    /// Stores what a review says about the move of a node.
    pub(crate) fn set_review(&mut self, id: NodeId, review: MoveReview) {
        self.touch(id);
        self.reviews.insert(id, review);
    }

    /// Forgets every review.
    pub(crate) fn clear_reviews(&mut self) {
        self.reviews.clear();
    }

    /// What a review says about moves, by node.
    pub(crate) const fn reviews(&self) -> &BTreeMap<NodeId, MoveReview> {
        &self.reviews
    }

    /// Takes over the names of the players and of the event.
    pub(crate) fn set_names(&mut self, headers: &Headers) {
        let own = &mut self.cursor.game_mut().headers;
        own.players.clone_from(&headers.players);
        own.event.clone_from(&headers.event);
    }

    fn touch(&mut self, id: NodeId) {
        self.now += 1;
        self.stamps[id.index()] = self.now;
    }

    /// Removes a node with everything behind it. If the current node goes, its nearest ancestor that
    /// is left becomes the current one.
    pub(crate) fn remove(&mut self, id: NodeId) {
        let mut here = self.at();
        if self.record().path(here).contains(&id) {
            here = self.record()[id].parent().unwrap_or(Game::ROOT);
        }
        self.copy(here, |game, at| {
            let children = game[at].children().iter().copied();
            children.filter(|&child| child != id).collect()
        });
    }

    /// Makes the line of a node the main line.
    pub(crate) fn promote(&mut self, id: NodeId) {
        let path = self.record().path(id);
        self.copy(self.at(), |game, at| {
            let mut children = game[at].children().to_vec();
            children.sort_by_key(|child| !path.contains(child)); // Stable.
            children
        });
    }

    /// Rebuilds the game with the children that `keep` gives for every node; the copy of `here`
    /// becomes the current node.
    fn copy(&mut self, here: NodeId, keep: impl Fn(&Game, NodeId) -> Vec<NodeId>) {
        let old = self.cursor.game();
        let mut game = Game::new(old.start().clone());
        game.headers = old.headers.clone();
        let mut cursor = GameCursor::new(game);
        let mut place = Game::ROOT;
        let mut reviews = BTreeMap::new();
        let mut open = vec![(Game::ROOT, Game::ROOT)];
        while let Some((id, parent)) = open.pop() {
            if id != Game::ROOT {
                cursor.go(parent);
                match old[id].step() {
                    Step::Move(mv) if cursor.play(mv).is_ok() => {}
                    Step::End(ending) => {
                        cursor.end(ending);
                    }
                    _ => continue,
                }
            }
            let (from, copy) = (&old[id], cursor.at());
            let node = cursor.node();
            node.comment.clone_from(&from.comment);
            node.time = from.time;
            node.evaluation.clone_from(&from.evaluation);
            if let Some(review) = self.reviews.get(&id) {
                reviews.insert(copy, review.clone());
            }
            if id == here {
                place = copy;
            }
            let children = keep(old, id);
            open.extend(children.into_iter().rev().map(|child| (child, copy)));
        }
        self.replace(cursor.finish());
        self.reviews = reviews;
        self.cursor.go(place);
    }

    /// What a page that was sent the version `seen` has to be sent now, and the version it has then.
    pub(crate) fn update(&self, seen: GameVersion) -> (GameUpdate<'_>, GameVersion) {
        let is_new = seen.generation != self.generation;
        let since = if is_new { 0 } else { seen.stamp };
        let game = self.record();
        let changed = self
            .stamps
            .iter()
            .enumerate()
            .filter(|&(_, &stamp)| stamp > since);
        let nodes = changed
            .filter_map(|(index, _)| Some(node_view(game, game.node(index)?, &self.names)))
            .collect();
        let slips = self.reviews.iter();
        let update = GameUpdate {
            is_new,
            nodes,
            at: self.at().index(),
            slips: slips
                .filter_map(|(id, review)| Some((id.index(), slip_grade(review.grade()?))))
                .collect(),
            players: game.headers.players.0.each_ref().map(String::as_str),
            is_handicap: self.is_handicap,
        };
        let seen = GameVersion {
            generation: self.generation,
            stamp: self.now,
        };
        (update, seen)
    }
}

/// Whether a position is the start of a handicap game.
fn is_handicap(start: &Position) -> bool {
    let start = start.to_sfen();
    let mut handicaps = Handicap::ALL.iter().skip(1);
    handicaps.any(|&handicap| Position::handicap(handicap).to_sfen() == start)
}

pub(crate) const fn slip_grade(grade: Grade) -> SlipGrade {
    match grade {
        Grade::Dubious => SlipGrade::Dubious,
        Grade::Mistake => SlipGrade::Mistake,
        Grade::Blunder => SlipGrade::Blunder,
    }
}

fn node_view<'s>(game: &'s Game, id: NodeId, names: &'s [[String; 2]]) -> NodeView<'s> {
    let node = &game[id];
    let [ja, en] = &names[id.index()];
    let evaluation = node.evaluation.as_ref();
    NodeView {
        id: id.index(),
        parent: node.parent().map(NodeId::index),
        ply: node.depth(),
        mv: node.mv().map(|mv| mv.to_string()),
        ja,
        en,
        end: node
            .ending()
            .map(|ending| EndView::new(ending, game.turn(id))),
        comment: &node.comment,
        time: node.time.map(|time| time.as_millis() as u64),
        value: evaluation.map(|evaluation| evaluation.value.points()),
        mate: evaluation.and_then(|evaluation| evaluation.value.mate_distance()),
        depth: evaluation.and_then(|evaluation| evaluation.depth),
    }
}

#[cfg(test)]
mod tests;
