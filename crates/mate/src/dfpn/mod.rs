//! Depth-first proof-number search (df-pn).
//!
//! After Nagai (2002): always to the position whose decision is expected to decide the root
//! soonest, and no further back than the numbers demand. Written as a loop over its own stack, so
//! that a mate of a thousand moves needs no deep recursion.
//!
//! Thresholds are extended for old children (TCA), after Kishimoto (2010).

mod conclude;
mod double_counting;
mod simulate;

use crate::cycles::Path;
use crate::dominance::{self, PackedHand};
use crate::expand;
use crate::heuristic_init::HeuristicInit;
use crate::memory::SearchMemory;
use crate::move_samples::MoveSampleRecorder;
use crate::node::{Child, MateNode, NONE, NodeOutcome, ProofState, Thresholds};
use crate::number::{INFINITE, ProofNumber};
use crate::path_registry::PathRegistry;
use crate::table::{Length, PositionKey, SlotCounter, TableProbe};
use simulate::Twin;
use std::sync::Arc;
use tesuji_shogi::{Any, Color, Move, MoveList, Position, Square, movegen, tactics};

/// No path is longer: what lies beyond counts as a failure on this path.
pub(crate) const MAX_DEPTH: u16 = 4000;

/// How far down the path a thread looks for what others have decided.
const LOOKED_AT: usize = 100;

/// Why a worker paused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pause {
    /// The root is decided.
    Decided(NodeOutcome),
    /// The table must grow or forget.
    Crowded,
    /// So many nodes as were asked for are done.
    Due,
}

/// What one thread owns.
pub(crate) struct MateWorker {
    pub(crate) pos: Position,
    attacker: Color,
    king: Square,
    pub(crate) path: Path,
    pub(crate) stack: Vec<MateNode>,
    pub(crate) top: usize,
    list: MoveList,
    pub(crate) taken: SlotCounter,
    /// How many old children are being searched with extended thresholds (threshold controlling
    /// algorithm, TCA, Kishimoto 2010).
    tca_extensions: u32,
    /// Positions looked at.
    pub(crate) nodes: u64,
    /// The greatest depth reached.
    pub(crate) deepest: u16,
    /// Records training samples, if they were asked for.
    pub(crate) recorder: Option<MoveSampleRecorder>,
}

impl MateWorker {
    /// A worker for a position in which `attacker` wants to mate the king on `king`.
    pub(crate) fn new(pos: Position, attacker: Color, king: Square) -> Self {
        Self {
            pos,
            attacker,
            king,
            path: Path::new(),
            stack: vec![MateNode::empty()],
            top: 0,
            list: MoveList::new(),
            taken: SlotCounter::default(),
            tca_extensions: 0,
            nodes: 0,
            deepest: 0,
            recorder: None,
        }
    }

    /// A worker that is told later whom to mate.
    pub(crate) fn for_either(pos: Position) -> Self {
        let attacker = pos.turn();
        let king = Square::all().next().expect("a board has squares");
        Self::new(pos, attacker, king)
    }

    /// Says who attacks, and which king.
    pub(crate) fn aim(&mut self, attacker: Color, king: Square) {
        (self.attacker, self.king) = (attacker, king);
    }

    /// Another worker for the same root.
    pub(crate) fn helper(&self) -> Self {
        let mut pos = self.pos.clone();
        for _ in 0..self.top {
            pos.undo();
        }
        Self::new(pos, self.attacker, self.king)
    }

    /// Lets the other threads of a search see where it is, and sees where they are.
    pub(crate) fn join(&mut self, registry: &Arc<PathRegistry>) {
        self.path.publish(registry);
    }

    /// Tells the others where it is now.
    pub(crate) fn tell(&mut self) {
        self.path.tell();
    }

    /// Searches alone again.
    pub(crate) fn part(&mut self) {
        self.path.withdraw();
    }

    /// Turns to another position, keeping the room it has.
    pub(crate) fn reset(&mut self, pos: Position, attacker: Color, king: Square) {
        (self.pos, self.attacker, self.king) = (pos, attacker, king);
        self.path.clear();
        (self.top, self.tca_extensions, self.nodes, self.deepest) = (0, 0, 0, 0);
    }

    /// The present position as the table sees it.
    pub(crate) fn position(&self) -> PositionKey {
        PositionKey {
            key: expand::board_key(&self.pos, self.attacker) ^ self.salt(),
            hand: PackedHand::new(self.pos.hand(self.attacker)),
        }
    }

    /// Keeps apart what must not answer for each other: attackers of different colour, and sets
    /// from which different pieces are missing.
    fn salt(&self) -> u64 {
        let mut counts = 0u64;
        for color in Color::ALL {
            for (kind, count) in self.pos.hand(color).iter() {
                counts += u64::from(count) << (kind.index() * 8);
            }
        }
        for square in self.pos.occupied().iter() {
            if let Some(piece) = self.pos.at(square).filter(|piece| !piece.is_king()) {
                counts += 1 << (piece.base().index() * 8);
            }
        }
        (counts | self.attacker.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Begins a search of the present position for a mate of at most `length` plies.
    pub(crate) fn begin(&mut self, memory: &SearchMemory, length: Length) {
        self.rewind();
        let position = self.position();
        self.path.clear();
        // Paths from different roots must not be taken for each other.
        let start = position.key ^ u64::from(position.hand.bits()) << 32;
        self.path.enter(position, start);
        (self.top, self.tca_extensions) = (0, 0);
        self.nodes += 1;
        let known = memory
            .table
            .look_up(position, self.is_attacking(), 0, length);
        let mask = match known {
            TableProbe::Open(open) => open.mask,
            _ => 0,
        };
        self.expand(memory, position, length, true, mask);
        let root = &mut self.stack[0];
        // With a bound on the length there is nothing to be gained by going back to the root.
        let limit = if length == Length::ANY { 2 } else { INFINITE };
        root.thresholds = Thresholds {
            phi: limit,
            delta: limit,
        };
        self.enter(memory);
    }

    /// Goes back to the root of a search that was not finished.
    pub(crate) fn rewind(&mut self) {
        for _ in 0..self.top {
            self.pos.undo();
        }
        self.top = 0;
    }

    /// The move that decided the root.
    pub(crate) fn decisive(&self) -> Option<Move> {
        let root = &self.stack[0];
        root.children.get(root.summary.best).map(|child| child.mv)
    }

    /// The position that a move leads to, as the table sees it.
    pub(crate) fn child_position(&self, position: PositionKey, mv: Move) -> PositionKey {
        let hand = if self.is_attacking() {
            dominance::after(&self.pos, mv, position.hand)
        } else {
            position.hand
        };
        PositionKey {
            key: expand::key_after(&self.pos, position.key, mv),
            hand,
        }
    }

    /// Whether the attacker is to move.
    #[inline(always)]
    pub(crate) fn is_attacking(&self) -> bool {
        self.pos.turn() == self.attacker
    }

    /// Searches on until something has to be done about it.
    pub(crate) fn run(&mut self, memory: &SearchMemory, nodes: u64) -> Pause {
        let due = self.nodes.saturating_add(nodes);
        loop {
            let node = &mut self.stack[self.top];
            if node.is_within() && !node.done {
                self.descend(memory);
                if self.nodes >= due {
                    return Pause::Due;
                }
                if memory.table.is_crowded() {
                    return Pause::Crowded;
                }
            } else if self.top > 0 {
                self.ascend(memory);
            } else {
                let outcome = self.conclude();
                let root = &mut self.stack[0];
                let spent = root.thresholds.phi >= INFINITE || root.thresholds.delta >= INFINITE;
                if outcome.state != ProofState::Open || (spent && !root.done) {
                    self.remember(memory, outcome);
                    return Pause::Decided(outcome);
                }
                root.thresholds.phi = raised(root.thresholds.phi, outcome.phi);
                root.thresholds.delta = raised(root.thresholds.delta, outcome.delta);
                root.done = false;
                self.tca_extensions = 0;
                self.enter(memory);
            }
        }
    }

    /// Finds the slots of the path again after the table has moved them.
    pub(crate) fn relocate(&mut self, memory: &SearchMemory) {
        for (depth, node) in self.stack[..=self.top].iter_mut().enumerate() {
            let numbers = numbers(node.attacking, node.summary.phi, node.summary.delta);
            node.slot = memory
                .table
                .reserve(node.position, depth as u16, numbers, &mut self.taken);
        }
    }

    /// Plays the best move, or another if other threads are there already, and looks at the
    /// position behind it.
    fn descend(&mut self, memory: &SearchMemory) {
        let node = &mut self.stack[self.top];
        let thresholds = node.choose(|position| self.path.others_at(position));
        let child = node.children[node.chosen];
        let (length, depth) = (node.length.shorter(), self.path.depth() + 1);
        if depth >= MAX_DEPTH {
            let outcome = NodeOutcome {
                state: ProofState::Loop(-1),
                phi: INFINITE,
                delta: 0,
                hand: child.position.hand,
                length,
            };
            return self.update(memory, child.position, outcome, 1);
        }
        self.path.enter(child.position, self.path.after(child.mv));
        self.pos.play(child.mv);
        self.top += 1;
        if self.top == self.stack.len() {
            self.stack.push(MateNode::empty());
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(depth);
        let first = child.state == ProofState::Fresh;
        let sum = self.path.sum();
        let node = &mut self.stack[self.top];
        if !first && node.is_at(child.position, sum, length) {
            node.done = false;
        } else {
            node.sum = sum;
            self.expand(memory, child.position, length, first, child.mask);
        }
        let node = &mut self.stack[self.top];
        node.thresholds = thresholds;
        node.extended = thresholds;
        node.started = self.nodes;
        if first {
            self.tca_extensions = self.tca_extensions.saturating_sub(1);
            if !node.is_within() {
                node.tca_extensions = self.tca_extensions;
                return;
            }
        }
        self.enter(memory);
    }

    /// Begins to search the topmost node within its thresholds.
    fn enter(&mut self, memory: &SearchMemory) {
        self.detect_double_counting(memory);
        let depth = self.top as u16;
        let node = &mut self.stack[self.top];
        node.tca_extensions = self.tca_extensions;
        node.extended = node.thresholds;
        let numbers = numbers(node.attacking, node.summary.phi, node.summary.delta);
        node.slot = memory
            .table
            .reserve(node.position, depth, numbers, &mut self.taken);
        if node.has_old_child {
            self.tca_extensions += 1;
        }
        if self.tca_extensions > 0 {
            node.extend_thresholds();
        }
    }

    /// Takes the last move back and tells the node above what came of it.
    fn ascend(&mut self, memory: &SearchMemory) {
        let outcome = self.conclude();
        let node = &self.stack[self.top];
        let (position, spent) = (node.position, self.nodes + 1 - node.started);
        self.tca_extensions = self.tca_extensions.min(node.tca_extensions);
        if let ProofState::Loop(start) = outcome.state {
            memory.loops.store(self.path.sum(), start, outcome.length);
        }
        self.pos.undo();
        self.path.leave();
        self.top -= 1;
        self.update(memory, position, outcome, spent);
    }

    /// Stores what came of the chosen move of the topmost node, and adds up anew.
    fn update(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        outcome: NodeOutcome,
        spent: u64,
    ) {
        self.store(memory, position, outcome, spent);
        let node = &mut self.stack[self.top];
        let chosen = node.chosen;
        let child = &mut node.children[chosen];
        child.state = outcome.state;
        // Phi and delta change places between a node and the one above it.
        (child.phi, child.delta) = (outcome.delta, outcome.phi);
        (child.hand, child.length) = (outcome.hand, outcome.length);
        self.recompute(memory, true);
    }

    /// Goes back to where another thread has decided a position on the path, and goes on from
    /// there. Very deep down it would take too long to look.
    pub(crate) fn catch_up(&mut self, memory: &SearchMemory) {
        let is_decided = |&depth: &usize| {
            let node = &self.stack[depth];
            let (position, attacking, length) = (node.position, node.attacking, node.length);
            let found = memory
                .table
                .look_up(position, attacking, depth as u16, length);
            !matches!(found, TableProbe::Open(_))
        };
        let Some(depth) = (1..=self.top.min(LOOKED_AT)).find(is_decided) else {
            return;
        };
        while self.top >= depth {
            self.tca_extensions = self.tca_extensions.min(self.stack[self.top].tca_extensions);
            self.pos.undo();
            self.path.leave();
            self.top -= 1;
        }
        self.look_up_child(memory, self.stack[self.top].chosen, false);
        self.recompute(memory, false);
    }

    /// Adds up the topmost node anew after its chosen move has changed.
    fn recompute(&mut self, memory: &SearchMemory, first: bool) {
        let node = &self.stack[self.top];
        let chosen = node.chosen;
        let child = &node.children[chosen];
        if child.is_decided() && child.delta == 0 {
            self.release(memory, chosen, first);
        }
        let tca_extensions = self.tca_extensions;
        let node = &mut self.stack[self.top];
        node.sum_up();
        node.extended = node.thresholds;
        if tca_extensions > 0 {
            node.extend_thresholds();
        } else if node.tca_extensions > 0 {
            node.done = true;
        }
    }

    fn store(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        outcome: NodeOutcome,
        spent: u64,
    ) {
        let node = &self.stack[self.top];
        let attacking = !node.attacking;
        let decided = PositionKey {
            key: position.key,
            hand: outcome.hand,
        };
        match outcome.state {
            ProofState::Mate => {
                memory
                    .table
                    .store_mate(decided, outcome.length, spent, &mut self.taken);
            }
            ProofState::Escape => {
                memory.table.store_escape(
                    decided,
                    (outcome.length, attacking),
                    spent,
                    &mut self.taken,
                );
            }
            ProofState::Loop(_) => memory.table.store_loop(position, &mut self.taken),
            ProofState::Open | ProofState::Fresh => {
                let below = &self.stack[self.top + 1];
                let numbers = numbers(attacking, outcome.phi, outcome.delta);
                let (depth, link) = (self.top as u16 + 1, (Some(node.slot), below.mask()));
                memory
                    .table
                    .store_open(position, depth, numbers, link, spent, &mut self.taken);
            }
        }
    }

    /// Stores the root.
    fn remember(&mut self, memory: &SearchMemory, outcome: NodeOutcome) {
        let node = &self.stack[0];
        let position = PositionKey {
            key: node.position.key,
            hand: outcome.hand,
        };
        match outcome.state {
            ProofState::Mate => {
                memory
                    .table
                    .store_mate(position, outcome.length, self.nodes, &mut self.taken);
            }
            ProofState::Escape => {
                let (length, attacking) = (outcome.length, node.attacking);
                memory.table.store_escape(
                    position,
                    (length, attacking),
                    self.nodes,
                    &mut self.taken,
                );
            }
            _ => {}
        }
    }

    /// Generates the moves of the present position and asks the table about all of them.
    fn expand(
        &mut self,
        memory: &SearchMemory,
        position: PositionKey,
        length: Length,
        first: bool,
        mask: u32,
    ) {
        let attacking = self.is_attacking();
        expand::moves(&self.pos, attacking, &mut self.list);
        let king = self.king_of_defender();
        let node = &mut self.stack[self.top];
        (node.attacking, node.position, node.length) = (attacking, position, length);
        (node.has_old_child, node.done) = (false, false);
        node.init = HeuristicInit::new(&self.pos, self.attacker, king, self.list.len());
        let fetch = |key| memory.table.fetch(key);
        expand::children(
            &self.pos,
            attacking,
            position,
            &self.list,
            &mut node.children,
            fetch,
        );
        for (i, child) in node.children.iter_mut().enumerate().take(28) {
            child.shared |= mask >> i & 1 != 0;
        }
        for i in 0..self.stack[self.top].children.len() {
            if self.stack[self.top].children[i].is_delayed {
                continue;
            }
            self.look_up_child(memory, i, first);
            let child = &self.stack[self.top].children[i];
            if child.phi == 0 {
                break;
            }
            if child.is_decided() {
                self.release(memory, i, first);
            }
        }
        self.stack[self.top].sum_up();
    }

    /// Lets the moves take part that waited for a losing one.
    fn release(&mut self, memory: &SearchMemory, decided: usize, first: bool) {
        let mut at = decided;
        loop {
            let children = &mut self.stack[self.top].children;
            let next = children[at].next;
            if next == NONE || children[at].delta != 0 {
                return;
            }
            let proven = at;
            at = usize::from(next);
            children[at].active = true;
            self.look_up_child(memory, at, first);
            self.simulate(memory, at, proven);
        }
    }

    /// Tries the proof of one interposition on the next.
    fn simulate(&mut self, memory: &SearchMemory, index: usize, proven: usize) {
        let node = &self.stack[self.top];
        let (child, other) = (node.children[index], node.children[proven]);
        if node.attacking || child.is_decided() || other.state != ProofState::Mate {
            return;
        }
        let left = node.length.shorter();
        let Some(twin) = Twin::of_drops(self.pos.turn(), child.mv, other.mv) else {
            return;
        };
        self.pos.play(child.mv);
        let found = self.copy_proof(memory, child.position, twin);
        self.pos.undo();
        if let Some((hand, length)) = found.filter(|&(_, length)| length <= left) {
            let child = &mut self.stack[self.top].children[index];
            mate(child, false, hand, length);
        }
    }

    /// Asks the path and the table about a move of the topmost node; a position never seen is
    /// looked at for a mate in one.
    fn look_up_child(&mut self, memory: &SearchMemory, index: usize, first: bool) {
        let depth = self.path.depth() + 1;
        let node = &mut self.stack[self.top];
        let (attacking, length) = (node.attacking, node.length);
        let child = &mut node.children[index];
        if let Some(start) = self.path.at_least(child.position) {
            return escape(
                child,
                attacking,
                ProofState::Loop(start as i16),
                child.position.hand,
                length,
            );
        }
        if !attacking && length.0 < 2 {
            return escape(
                child,
                attacking,
                ProofState::Escape,
                child.position.hand,
                Length(0),
            );
        }
        let left = length.shorter();
        match memory
            .table
            .look_up(child.position, !attacking, depth, left)
        {
            TableProbe::Mate(hand, length) => mate(child, attacking, hand, length),
            TableProbe::Escape(hand, length) => {
                escape(child, attacking, ProofState::Escape, hand, length)
            }
            TableProbe::Open(open) => {
                if open.looped
                    && let Some((start, known)) =
                        memory.loops.look_up(self.path.after(child.mv), left)
                {
                    return escape(
                        child,
                        attacking,
                        ProofState::Loop(start),
                        child.position.hand,
                        known,
                    );
                }
                let (mut pn, mut dn) = (open.pn, open.dn);
                node.has_old_child |= open.old;
                child.mask = open.mask;
                if open.visited {
                    child.state = ProofState::Open;
                } else {
                    let (first_pn, first_dn) = node.init.numbers(&self.pos, child.mv);
                    (pn, dn) = (pn.max(first_pn), dn.max(first_dn));
                    child.state = ProofState::Fresh;
                }
                (child.phi, child.delta) = if attacking { (pn, dn) } else { (dn, pn) };
                if first && !open.visited {
                    self.first_visit(memory, index);
                }
            }
        }
    }

    /// Looks at a move that no search has met.
    fn first_visit(&mut self, memory: &SearchMemory, index: usize) {
        if !self.stack[self.top].attacking {
            self.look_ahead(memory, index);
        }
        let node = &self.stack[self.top];
        let child = &node.children[index];
        if let Some(recorder) = self.recorder.as_mut().filter(|_| !child.is_decided()) {
            recorder.record(child.position, node.attacking, || {
                node.init.features(&self.pos, child.mv)
            });
        }
    }

    /// Looks for a mate in one behind an answer, and for answers that leave no check.
    fn look_ahead(&mut self, memory: &SearchMemory, index: usize) {
        let child = &mut self.stack[self.top].children[index];
        self.pos.play(child.mv);
        let key = child.position.key;
        if let Some(mv) = tactics::mate_in_one(&mut self.pos) {
            self.pos.play(mv);
            let needed = dominance::proof(&self.pos, PackedHand::EMPTY);
            self.pos.undo();
            let hand = dominance::before(&self.pos, mv, needed);
            mate(child, false, hand, Length(1));
            memory
                .table
                .store_mate(PositionKey { key, hand }, Length(1), 1, &mut self.taken);
        } else if movegen::checks(&self.pos, &mut Any::default()).is_continue() {
            let hand = dominance::disproof(&self.pos, self.king_of_defender(), PackedHand::FULL);
            let child = &mut self.stack[self.top].children[index];
            escape(child, false, ProofState::Escape, hand, Length::ANY);
            memory.table.store_escape(
                PositionKey { key, hand },
                (Length::ANY, true),
                1,
                &mut self.taken,
            );
        }
        self.pos.undo();
    }

    #[inline(always)]
    pub(crate) fn king_of_defender(&self) -> Square {
        // The root has one, and kings are never taken.
        self.pos.king(self.attacker.foe()).unwrap_or(self.king)
    }
}

/// Phi and delta as proof and disproof numbers.
#[inline(always)]
fn numbers(attacking: bool, phi: ProofNumber, delta: ProofNumber) -> (ProofNumber, ProofNumber) {
    if attacking {
        (phi, delta)
    } else {
        (delta, phi)
    }
}

/// A move after which the attacker mates.
#[inline(always)]
fn mate(child: &mut Child, attacking: bool, hand: PackedHand, length: Length) {
    child.state = ProofState::Mate;
    (child.phi, child.delta) = if attacking {
        (0, INFINITE)
    } else {
        (INFINITE, 0)
    };
    (child.hand, child.length) = (hand, length);
}

/// A move after which the defender escapes.
#[inline(always)]
fn escape(child: &mut Child, attacking: bool, state: ProofState, hand: PackedHand, length: Length) {
    child.state = state;
    (child.phi, child.delta) = if attacking {
        (INFINITE, 0)
    } else {
        (0, INFINITE)
    };
    (child.hand, child.length) = (hand, length);
}

/// The next threshold of the root.
fn raised(limit: ProofNumber, reached: ProofNumber) -> ProofNumber {
    (reached.saturating_mul(17) / 10 + 1).clamp(limit, INFINITE)
}
