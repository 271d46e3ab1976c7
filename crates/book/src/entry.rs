//! One position of a book with its moves: what every format is read into and written from.

use crate::graph::{BookNodeId, BookSource, Graph};
use crate::repetition_rule::RepetitionRule;
use crate::solve::Score;
use tesuji_record::packed::PackError;
use tesuji_shogi::{Move, Position};

/// A move of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookMove {
    /// The move; `None` is resigning.
    pub mv: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// What it is worth to the side that plays it, in hundredths of a pawn.
    pub value: i32,
    /// How deep it was searched, or how far its value is away; 0 if nobody searched it.
    pub depth: i32,
    /// How often it was played, or its weight.
    pub count: u64,
    /// How many games whoever played it won.
    pub won: u32,
    /// How many it lost.
    pub lost: u32,
    /// What is written behind it.
    pub comment: String,
    /// Where the value comes from.
    pub source: BookSource,
}

impl BookMove {
    /// A move that nothing else is known about.
    pub fn new(mv: Move) -> Self {
        Self {
            mv: Some(mv),
            count: 1,
            ..Self::default()
        }
    }

    /// Giving up.
    pub fn resign() -> Self {
        Self {
            count: 1,
            ..Self::default()
        }
    }

    /// The same on the board turned by half a turn.
    pub fn rotated(&self) -> Self {
        Self {
            mv: self.mv.map(Move::rotated),
            ponder: self.ponder.map(Move::rotated),
            ..self.clone()
        }
    }

    /// Adds what another book says about the same move: counts add up, the deeper value stays.
    pub fn merge(&mut self, other: &Self) {
        if other.depth > self.depth {
            (self.value, self.depth) = (other.value, other.depth);
            self.source = other.source.clone();
        }
        self.count = self.count.saturating_add(other.count);
        self.won = self.won.saturating_add(other.won);
        self.lost = self.lost.saturating_add(other.lost);
        self.ponder = self.ponder.or(other.ponder);
        if self.comment.is_empty() {
            self.comment.clone_from(&other.comment);
        }
    }
}

/// A position of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookEntry {
    /// The position, with its move number.
    pub pos: Position,
    /// Its moves, the best one first.
    pub moves: Vec<BookMove>,
    /// How often it was challenged while a book was made.
    pub challenges: u32,
    /// Whether games begin here.
    pub is_start: bool,
    /// What a repetition means in games that begin here, if the book was made by playing them.
    pub repetition: Option<RepetitionRule>,
    /// Whether a mate solver proved that the side to move wins.
    pub is_proven_win: bool,
}

impl BookEntry {
    /// A position with moves.
    pub fn new(pos: Position, moves: Vec<BookMove>) -> Self {
        Self {
            pos,
            moves,
            challenges: 0,
            is_start: false,
            repetition: None,
            is_proven_win: false,
        }
    }

    /// The same on the board turned by half a turn.
    pub fn rotated(&self) -> Self {
        Self {
            pos: self.pos.flipped(),
            moves: self.moves.iter().map(BookMove::rotated).collect(),
            repetition: self.repetition.map(|rule| match rule {
                RepetitionRule::Loses(loser) => RepetitionRule::Loses(loser.foe()),
                RepetitionRule::Draw => RepetitionRule::Draw,
            }),
            ..self.clone()
        }
    }

    /// The moves that cannot be played.
    pub fn illegal(&self) -> impl Iterator<Item = Move> + '_ {
        let moves = self.moves.iter().filter_map(|mv| mv.mv);
        moves.filter(|&mv| !self.pos.is_legal(mv))
    }

    /// Adds what another book says about the same position; the smaller move number stays.
    pub fn merge(&mut self, other: &Self) {
        if other.pos.ply() < self.pos.ply() {
            self.pos = other.pos.clone();
        }
        for theirs in &other.moves {
            match self.moves.iter_mut().find(|mv| mv.mv == theirs.mv) {
                Some(own) => own.merge(theirs),
                None => self.moves.push(theirs.clone()),
            }
        }
        self.challenges = self.challenges.saturating_add(other.challenges);
        self.is_start |= other.is_start;
        self.repetition = self.repetition.or(other.repetition);
        self.is_proven_win |= other.is_proven_win;
    }

    /// Puts the best move first: by value, then by the better depth, then by count. A book in which
    /// nothing was searched goes by count alone.
    pub fn sort(&mut self) {
        sort_moves(&mut self.moves);
    }
}

/// As [`BookEntry::sort`], without the position.
pub(crate) fn sort_moves(moves: &mut [BookMove]) {
    let is_searched = moves.iter().any(|mv| mv.depth != 0 || mv.value != 0);
    moves.sort_by_key(|mv| {
        let value = if is_searched { mv.value } else { 0 };
        let depth = if value >= 0 { -mv.depth } else { mv.depth };
        let is_evaluated = is_searched && mv.depth >= 0;
        let leaves = mv.depth != Score::CHECKS_ON;
        let depth = if is_evaluated { depth } else { 0 };
        let key = (value, leaves, depth, mv.count);
        std::cmp::Reverse((mv.mv.is_some(), key))
    });
}

/// A value as a graph keeps it.
pub(crate) fn short(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

impl Graph {
    /// Adds an entry: its position, its moves and where they lead to. Moves that cannot be played are
    /// left out. Counts add up; the deeper value stays.
    ///
    /// # Errors
    /// If the position has no two kings.
    pub fn add_entry(&mut self, entry: &BookEntry) -> Result<BookNodeId, PackError> {
        self.add_folded(entry, Position::clone)
    }

    /// The same where several positions are taken as one: `fold` says as which. The entry's own
    /// position must be one of those.
    ///
    /// # Errors
    /// If the position has no two kings.
    pub fn add_folded(
        &mut self,
        entry: &BookEntry,
        fold: impl Fn(&Position) -> Position,
    ) -> Result<BookNodeId, PackError> {
        let node = self.add_position(&entry.pos)?;
        *self.challenges_mut(node) += entry.challenges;
        if entry.is_start {
            self.set_start(node, true);
        }
        if let Some(rule) = entry.repetition {
            self.set_repetition(rule);
        }
        if entry.is_proven_win {
            self.set_proven_win(node, true);
        }
        let mut pos = entry.pos.clone();
        for book_move in &entry.moves {
            let Some(mv) = book_move.mv else {
                self.set_resigned(node, true);
                continue;
            };
            if pos.try_play(mv).is_err() {
                continue;
            }
            let child = self.add_position(&fold(&pos))?;
            pos.undo();
            let before = self.edge_count();
            let id = self.link(node, mv, child);
            let is_new = self.edge_count() > before;
            let edge = self.edge_mut(id);
            edge.count = u32::try_from(u64::from(edge.count).saturating_add(book_move.count))
                .unwrap_or(u32::MAX);
            self.add_results(id, book_move.won, book_move.lost);
            let edge = self.edge_mut(id);
            let depth = book_move.depth.clamp(0, u16::MAX.into()) as u16;
            if is_new || depth > edge.depth {
                (edge.value, edge.depth) = (short(book_move.value), depth);
                self.set_source(id, book_move.source.clone());
            }
        }
        Ok(node)
    }

    /// A position of the graph as an entry; `None` if its key is no position.
    pub fn entry(&self, node: BookNodeId) -> Option<BookEntry> {
        let mut entry = BookEntry::new(self.position(node).ok()?, Vec::new());
        entry.challenges = self.challenges(node);
        let flags = self.flags(node);
        (entry.is_start, entry.is_proven_win) = (flags.is_start(), flags.is_proven_win());
        entry.repetition = self.repetition().filter(|_| entry.is_start);
        self.moves_into(node, &mut entry.moves);
        Some(entry)
    }

    /// Appends the moves of a position.
    pub(crate) fn moves_into(&self, node: BookNodeId, moves: &mut Vec<BookMove>) {
        for id in self.edges(node) {
            let edge = self.edge(id);
            let (won, lost) = self.results(id);
            moves.push(BookMove {
                won,
                lost,
                mv: Some(edge.mv()),
                value: edge.value.into(),
                depth: edge.depth.into(),
                count: edge.count.into(),
                source: self.source(id).clone(),
                ..BookMove::default()
            });
        }
        if self.flags(node).is_resigned() {
            moves.push(BookMove::resign());
        }
    }
}
