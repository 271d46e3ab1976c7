//! The book that grows by playing against itself (YaneuraOu's team, 2023).
//!
//! Games are played from given positions. Before each move the graph is asked for a winning branch; if
//! there is one it is followed, otherwise somebody thinks, over a number of positions drawn anew for
//! every game, and the move is stored, resigning too. So the winner follows, the loser looks for
//! something better, and a win that stands has been challenged at many strengths. It is a win against
//! the replies that were tried, never a proof.
//!
//! Two things are left open by the original. Left alone, a loser plays refuted moves again; they can be
//! forbidden in a share of its turns. That share should be none: the move that a side likes best is
//! repaired deep inside by playing it again, whereas forbidding it after one lost game fills the book
//! with worse moves that were challenged once. And which position is challenged next can be chosen.

use crate::entry::{BookEntry, BookMove};
use crate::error::BookError;
use crate::graph::{BookNodeId, BookSource, Graph};
use crate::repetition_rule::RepetitionRule;
use crate::solve::{BookOutcome, Wins};
use crate::store::FactStore;
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard};
use tesuji_shogi::{Board, ByColor, Color, Move, Position};

/// Somebody who thinks when the book does not know better.
pub trait Challenger: Send {
    /// Forgets the game before.
    fn new_game(&mut self) {}

    /// Thinks over about so many positions; only the moves given may be played, or all if there are
    /// none.
    ///
    /// # Errors
    /// If it cannot answer: a message for people.
    fn think(
        &mut self,
        pos: &Position,
        nodes: u64,
        only: &[Move],
    ) -> Result<ChallengerReply, String>;

    /// What it is called.
    fn name(&self) -> String;
}

/// What a challenger answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengerReply {
    /// What it does.
    pub answer: BookAnswer,
    /// What the position is worth to it.
    pub value: i32,
    /// How deep it looked.
    pub depth: u32,
    /// At how many positions.
    pub nodes: u64,
    /// Whether a mate solver proved that it wins.
    pub is_proven_win: bool,
}

/// What a player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookAnswer {
    /// Plays a move.
    Move(Move),
    /// Gives up.
    Resign,
    /// Declares that its king has entered.
    Win,
}

/// Which start position comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeOrder {
    /// One after the other.
    InTurn,
    /// The one with the fewest wins in a row, so that the weakest is worked on.
    FewestWins,
    /// The one whose game was challenged least often.
    FewestChallenges,
}

/// How a book is made.
#[derive(Clone, Debug)]
pub struct MakePlan {
    /// Where games begin.
    pub starts: Vec<Position>,
    /// The smallest and the largest budget; drawn so that every power of ten is as likely.
    pub budget: (u64, u64),
    /// Whose wins are followed. The other side always thinks.
    pub follows: ByColor<bool>,
    /// What a repetition means.
    pub repetition: RepetitionRule,
    /// In which share of the loser's turns refuted moves are forbidden, from 0 to 1.
    pub exclude: f64,
    /// After how many moves from its start a game is given up without result.
    pub longest: usize,
    /// Whoever is worse off than this resigns.
    pub resign_value: i32,
    /// Which start comes next.
    pub order: ChallengeOrder,
    /// Stop when every start has so many wins in a row of one side.
    pub wins: Option<u32>,
    /// The same seed gives the same games, if one thread plays.
    pub seed: u64,
    /// Whether what was played is added to the book.
    pub learns: bool,
}

/// How a game went, as files of games and results of jobs have it too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameReport {
    /// Its number, from 0.
    pub number: u64,
    /// Which start.
    pub start: usize,
    /// Who won.
    #[serde(with = "winner_letter")]
    pub winner: Option<Color>,
    /// How many moves it had.
    pub plies: usize,
    /// How many of them came from the book.
    pub followed: usize,
    /// If one side alone has the book: what it thought its position was worth when it first had to
    /// think. Not written, because it is of no use to those that grow a book.
    #[serde(skip)]
    pub left_at: Option<i32>,
    /// The budget.
    pub budget: u64,
    /// How many positions were searched.
    pub nodes: u64,
}

/// The letter of who won, or nothing.
mod winner_letter {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use tesuji_shogi::Color;

    pub(super) fn serialize<S: Serializer>(
        winner: &Option<Color>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        winner.map(Color::letter).serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Color>, D::Error> {
        let Some(letter) = Option::<char>::deserialize(input)? else {
            return Ok(None);
        };
        let mut colors = Color::ALL.into_iter();
        let winner = colors.find(|color| color.letter() == letter);
        winner
            .map(Some)
            .ok_or_else(|| Error::custom("no side has such a letter"))
    }
}

/// How a start position stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Streak {
    /// Who won last.
    pub winner: Option<Color>,
    /// How often in a row.
    pub wins: u32,
    /// The longest row so far.
    pub longest: u32,
    /// All games.
    pub games: u32,
}

impl Streak {
    fn add(&mut self, winner: Option<Color>) {
        let goes_on = winner.is_some() && winner == self.winner;
        self.wins = match (goes_on, winner) {
            (true, _) => self.wins + 1,
            (false, Some(_)) => 1,
            (false, None) => 0,
        };
        self.winner = winner;
        self.longest = self.longest.max(self.wins);
        self.games += 1;
    }
}

/// What all threads share.
#[derive(Debug)]
pub struct BookMaker {
    plan: MakePlan,
    state: Mutex<MakerState>,
}

#[derive(Debug)]
struct MakerState {
    graph: Graph,
    wins: Wins,
    store: Option<Box<dyn FactStore>>,
    streaks: Vec<Streak>,
    next_game: u64,
    nodes: u64,
}

/// How far the making of a book is.
#[derive(Clone, PartialEq, Debug)]
pub struct MakeProgress {
    /// Positions in the book.
    pub positions: usize,
    /// Moves in the book.
    pub moves: usize,
    /// Games played.
    pub games: u64,
    /// Positions searched.
    pub nodes: u64,
    /// How each start stands.
    pub streaks: Vec<Streak>,
    /// What is known of each start.
    pub outcomes: Vec<BookOutcome>,
    /// Of which starts a mate solver proved that the side to move wins.
    pub are_proven: Vec<bool>,
    /// How many challenges each start has had.
    pub challenges: Vec<u32>,
    /// Whether the goal is reached.
    pub is_done: bool,
}

/// One ply of a game, as it is stored.
struct Ply {
    pos: Position,
    choice: BookMove,
    was_challenged: bool,
    is_proven_win: bool,
}

impl BookMaker {
    /// Goes on with a graph; what is new is appended to the store as well. `before` are the games
    /// that were played already.
    pub fn new(
        plan: MakePlan,
        mut graph: Graph,
        store: Option<Box<dyn FactStore>>,
        before: &[GameReport],
    ) -> Self {
        for start in &plan.starts {
            if let Ok(node) = graph.add_position(start) {
                graph.set_start(node, true);
                graph.set_repetition(plan.repetition);
            }
        }
        let mut wins = Wins::new(plan.repetition);
        wins.solve(&graph);
        let mut streaks = vec![Streak::default(); plan.starts.len()];
        for report in before {
            if let Some(streak) = streaks.get_mut(report.start) {
                streak.add(report.winner);
            }
        }
        let next_game = before.iter().map(|report| report.number + 1).max();
        let state = MakerState {
            graph,
            wins,
            store,
            streaks,
            next_game: next_game.unwrap_or(0),
            nodes: before.iter().map(|report| report.nodes).sum(),
        };
        Self {
            plan,
            state: Mutex::new(state),
        }
    }

    fn state(&self) -> MutexGuard<'_, MakerState> {
        // Whoever panicked held no half of a game: games are added whole.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// How the work stands.
    pub fn progress(&self) -> MakeProgress {
        let state = self.state();
        let nodes: Vec<Option<BookNodeId>> = self
            .plan
            .starts
            .iter()
            .map(|start| state.graph.find_position(start))
            .collect();
        let outcome = |node: &Option<BookNodeId>| {
            node.map_or(BookOutcome::Unknown, |node| {
                state.wins.outcome(&state.graph, node)
            })
        };
        MakeProgress {
            positions: state.graph.node_count(),
            moves: state.graph.edge_count(),
            games: state.next_game,
            nodes: state.nodes,
            streaks: state.streaks.clone(),
            outcomes: nodes.iter().map(outcome).collect(),
            are_proven: nodes
                .iter()
                .map(|node| node.is_some_and(|node| state.graph.flags(node).is_proven_win()))
                .collect(),
            challenges: nodes
                .iter()
                .map(|node| node.map_or(0, |node| state.graph.challenges(node)))
                .collect(),
            is_done: self.is_done(&state),
        }
    }

    fn is_done(&self, state: &MakerState) -> bool {
        let Some(wins) = self.plan.wins else {
            return false;
        };
        state.streaks.iter().all(|streak| streak.wins >= wins)
    }

    /// Does something with the book as it stands.
    pub fn with_book<T>(&self, work: impl FnOnce(&Graph, &Wins) -> T) -> T {
        let state = self.state();
        work(&state.graph, &state.wins)
    }

    /// Plays one game between two challengers, Black first, and adds it to the book.
    ///
    /// # Errors
    /// If a challenger fails or the store cannot be written.
    pub fn play(
        &self,
        challengers: &mut ByColor<Box<dyn Challenger>>,
    ) -> Result<GameReport, MakeError> {
        let (number, start) = {
            let mut state = self.state();
            let number = state.next_game;
            state.next_game += 1;
            (number, self.next_start(&state, number))
        };
        let (report, entries) = self.play_numbered(number, start, challengers)?;
        self.add(&report, &entries)?;
        Ok(report)
    }

    /// Plays the game of a number from a start without adding it to the book: how it went, and what
    /// it says about its positions, the last one first. It depends on the book, the number and the
    /// start alone.
    ///
    /// # Errors
    /// If a challenger fails.
    pub fn play_numbered(
        &self,
        number: u64,
        start: usize,
        challengers: &mut ByColor<Box<dyn Challenger>>,
    ) -> Result<(GameReport, Vec<BookEntry>), MakeError> {
        // Every game has its own numbers, so that work can go on in the middle.
        let mut dice = fastrand::Rng::with_seed(self.plan.seed ^ number.wrapping_mul(0x9e37_79b9));
        let budget = self.budget(&mut dice);
        let mut report = GameReport {
            number,
            start,
            winner: None,
            plies: 0,
            followed: 0,
            left_at: None,
            budget,
            nodes: 0,
        };
        challengers.0.iter_mut().for_each(|who| who.new_game());
        let plies = self.moves(challengers, &mut report, &mut dice)?;
        report.plies = plies.len();
        let entries = self.entries(&plies, &report);
        Ok((report, entries))
    }

    /// The start of a game that nobody has begun, if so many games are running from every start.
    pub fn next_start_beside(&self, number: u64, running: &[u32]) -> usize {
        let state = self.state();
        match self.plan.order {
            ChallengeOrder::InTurn => self.next_start(&state, number),
            _ => (0..self.plan.starts.len())
                .min_by_key(|&start| {
                    let beside = running.get(start).copied().unwrap_or(0);
                    let wins = match self.plan.order {
                        ChallengeOrder::FewestWins => state.streaks[start].wins,
                        _ => self.challenges(&state, start),
                    };
                    wins.saturating_add(beside)
                })
                .unwrap_or(0),
        }
    }

    fn challenges(&self, state: &MakerState, start: usize) -> u32 {
        let node = state.graph.find_position(&self.plan.starts[start]);
        node.map_or(0, |node| state.graph.challenges(node))
    }

    fn next_start(&self, state: &MakerState, number: u64) -> usize {
        let starts = 0..self.plan.starts.len();
        let found = match self.plan.order {
            ChallengeOrder::InTurn => None,
            ChallengeOrder::FewestWins => starts.min_by_key(|&start| state.streaks[start].wins),
            ChallengeOrder::FewestChallenges => {
                starts.min_by_key(|&start| self.challenges(state, start))
            }
        };
        found.unwrap_or(number as usize % self.plan.starts.len().max(1))
    }

    /// A budget, every power of ten as likely as another.
    fn budget(&self, dice: &mut fastrand::Rng) -> u64 {
        let (least, most) = self.plan.budget;
        let (low, high) = ((least.max(1) as f64).ln(), (most.max(1) as f64).ln());
        (low + dice.f64() * (high - low)).exp().round() as u64
    }

    /// Plays until somebody gives up, a position comes again, or the game is too long.
    fn moves(
        &self,
        challengers: &mut ByColor<Box<dyn Challenger>>,
        report: &mut GameReport,
        dice: &mut fastrand::Rng,
    ) -> Result<Vec<Ply>, MakeError> {
        let mut pos = self.plan.starts[report.start].clone();
        let mut seen = vec![(pos.identity(), pos.in_check())];
        let mut plies: Vec<Ply> = Vec::new();
        while plies.len() < self.plan.longest {
            let turn = pos.turn();
            let mut ply = Ply {
                pos: pos.setup().build().expect("a sound position"),
                choice: BookMove::resign(),
                was_challenged: false,
                is_proven_win: false,
            };
            if pos.legal_moves().is_empty() {
                ply.choice.source = BookSource::Proof;
                plies.push(ply);
                report.winner = Some(turn.foe());
                break;
            }
            let (followed, only) = self.ask(&pos, dice);
            match followed {
                Some(mv) => {
                    report.followed += 1;
                    ply.choice.mv = Some(mv);
                }
                None => {
                    let who = &mut challengers[turn];
                    let reply = who.think(&pos, report.budget, &only);
                    let reply = reply.map_err(|why| MakeError::Challenger(who.name(), why))?;
                    report.nodes += reply.nodes;
                    if self.plan.follows[turn] && !self.plan.follows[turn.foe()] {
                        report.left_at.get_or_insert(reply.value);
                    }
                    self.take(&mut ply, &reply, &who.name());
                    if let BookAnswer::Win = reply.answer {
                        report.winner = Some(turn);
                    }
                }
            }
            let mv = ply.choice.mv;
            plies.push(ply);
            let Some(mv) = mv else {
                report.winner = report.winner.or(Some(turn.foe()));
                break;
            };
            if pos.try_play(mv).is_err() {
                return Err(MakeError::Illegal(mv, pos.to_sfen()));
            }
            let first = seen.iter().position(|&(key, _)| key == pos.identity());
            if let Some(first) = first {
                report.winner = self.round(&seen[first..], pos.turn());
                break;
            }
            seen.push((pos.identity(), pos.in_check()));
        }
        Ok(plies)
    }

    /// The winning move of the book, if it is followed; otherwise the moves that may be thought about.
    fn ask(&self, pos: &Position, dice: &mut fastrand::Rng) -> (Option<Move>, Vec<Move>) {
        // Drawn in any case, so that one answer does not shift all the others.
        let excludes = dice.f64() < self.plan.exclude;
        let state = self.state();
        let Some(node) = state.graph.find_position(pos) else {
            return (None, Vec::new());
        };
        if self.plan.follows[pos.turn()]
            && let Some(edge) = state.wins.winning_move(&state.graph, node)
        {
            return (Some(state.graph.edge(edge).mv()), Vec::new());
        }
        let refuted: Vec<Move> = state
            .graph
            .edges(node)
            .map(|edge| state.graph.edge(edge))
            .filter(|edge| state.wins.outcome(&state.graph, edge.child()).is_win())
            .map(|edge| edge.mv())
            .collect();
        if !excludes || refuted.is_empty() {
            return (None, Vec::new());
        }
        let legal = pos.legal_moves();
        (
            None,
            legal.iter().filter(|mv| !refuted.contains(mv)).collect(),
        )
    }

    /// Takes over what a challenger answered.
    fn take(&self, ply: &mut Ply, reply: &ChallengerReply, name: &str) {
        ply.was_challenged = true;
        ply.is_proven_win = reply.is_proven_win || reply.answer == BookAnswer::Win;
        ply.choice.value = reply.value;
        ply.choice.depth = i32::try_from(reply.depth).unwrap_or(i32::MAX);
        ply.choice.source = match reply.is_proven_win {
            true => BookSource::Proof,
            false => BookSource::search(name, reply.nodes),
        };
        ply.choice.mv = match reply.answer {
            BookAnswer::Move(mv) if reply.value > -self.plan.resign_value => Some(mv),
            _ => None,
        };
    }

    /// Who wins when a position comes again; `cycle` are the positions since then, `turn` moves in
    /// the first of them.
    fn round(&self, cycle: &[(u128, bool)], turn: Color) -> Option<Color> {
        let always = |first: usize| cycle.iter().skip(first).step_by(2).all(|&(_, check)| check);
        match (always(0), always(1)) {
            // The side to move was checked all the time: the other one loses.
            (true, false) => Some(turn),
            (false, true) => Some(turn.foe()),
            _ => match self.plan.repetition {
                RepetitionRule::Draw => None,
                RepetitionRule::Loses(loser) => Some(loser.foe()),
            },
        }
    }

    /// Counts a game, and adds what it says to the book if it learns.
    ///
    /// # Errors
    /// If an entry is no position of a game, or the store cannot be written.
    pub fn add(&self, report: &GameReport, entries: &[BookEntry]) -> Result<(), BookError> {
        let mut state = self.state();
        if self.plan.learns {
            learn(&mut state, entries)?;
        }
        state.next_game = state.next_game.max(report.number + 1);
        state.nodes += report.nodes;
        if let Some(streak) = state.streaks.get_mut(report.start) {
            streak.add(report.winner);
        }
        Ok(())
    }

    /// What a game says about its positions, the last one first.
    fn entries(&self, plies: &[Ply], report: &GameReport) -> Vec<BookEntry> {
        let start = self.plan.starts[report.start].identity();
        let entry = |ply: &Ply| {
            let is_declared = ply.is_proven_win && ply.choice.mv.is_none();
            let moves = match is_declared {
                true => Vec::new(),
                false => vec![ply.choice.clone()],
            };
            let mut entry = BookEntry::new(ply.pos.clone(), moves);
            entry.challenges = u32::from(ply.was_challenged);
            entry.is_proven_win = ply.is_proven_win;
            entry.is_start = ply.pos.identity() == start;
            entry.repetition = entry.is_start.then_some(self.plan.repetition);
            entry
        };
        plies.iter().rev().map(entry).collect()
    }
}

/// Adds entries to the book, and to the store.
fn learn(state: &mut MakerState, entries: &[BookEntry]) -> Result<(), BookError> {
    for entry in entries {
        let node = state
            .graph
            .add_entry(entry)
            .map_err(crate::error::BookProblem::from)?;
        state.wins.update(&state.graph, node);
        if let Some(store) = &mut state.store {
            store.append(entry)?;
        }
    }
    state.wins.refresh(&state.graph);
    if let Some(store) = &mut state.store {
        store.sync()?;
    }
    Ok(())
}

/// Why a book cannot grow.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// Somebody does not answer.
    #[error("{0}: {1}")]
    Challenger(String, String),
    /// Somebody plays what cannot be played.
    #[error("{0} was answered, which cannot be played in {1}")]
    Illegal(Move, String),
    /// The store cannot be written.
    #[error(transparent)]
    Store(#[from] BookError),
}

#[cfg(test)]
mod tests;
