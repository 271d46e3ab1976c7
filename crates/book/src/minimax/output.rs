//! The valued book as text, written by all threads, sorted.

use super::text::{write_move, write_number};
use super::{ConnectedBlock, MinimaxStep, TextPlace};
use crate::entry::BookMove;
use crate::format::db::HEADER;
use crate::graph::{BookNodeId, Graph};
use crate::solve::{Evaluations, GraphSolver};
use std::io::{self, Write};
use std::path::Path;
use tesuji_record::file::NewFile;

/// How many positions are made into text before they are written.
const SLICE: usize = 1 << 16;

/// How many positions are not worth a thread.
const FEW: usize = 1 << 10;

/// A book whose values are known.
pub(super) struct ValuedBook<'a> {
    pub(super) graph: &'a Graph,
    pub(super) solver: &'a GraphSolver<Evaluations>,
    pub(super) draws: &'a [u16],
    pub(super) blocks: &'a [ConnectedBlock],
    pub(super) texts: &'a [TextPlace],
    pub(super) shrinks: bool,
}

impl ValuedBook<'_> {
    /// Writes the whole book; says how many positions it has.
    pub(super) fn write(
        &self,
        path: &Path,
        tell: &(dyn Fn(MinimaxStep) + Sync),
    ) -> io::Result<u64> {
        let order = self.order();
        let mut out = NewFile::create(path)?;
        writeln!(out, "{HEADER}")?;
        for nodes in order.chunks(SLICE) {
            for text in self.texts_of(nodes) {
                out.write_all(&text)?;
            }
            tell(MinimaxStep::Written(nodes.len()));
        }
        out.keep()?;
        Ok(order.len() as u64)
    }

    fn text(&self, node: u32) -> &[u8] {
        let place = self.texts[node as usize];
        let (start, len) = (place.start as usize, place.len as usize);
        &self.blocks[place.block as usize].text[start..start + len]
    }

    /// The positions by their text. Most books are sorted already.
    fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.texts.len() as u32).collect();
        if order.is_sorted_by(|&a, &b| self.text(a) < self.text(b)) {
            return order;
        }
        // The first bytes tell most of them apart without a look at the text.
        let first = |node: u32| {
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&self.text(node)[..16]);
            u128::from_be_bytes(bytes)
        };
        let mut keys: Vec<(u128, u32)> = order.iter().map(|&node| (first(node), node)).collect();
        keys.sort_unstable_by(|a, b| {
            let by_text = || self.text(a.1).cmp(self.text(b.1));
            a.0.cmp(&b.0).then_with(by_text)
        });
        order.clear();
        order.extend(keys.into_iter().map(|(_, node)| node));
        order
    }

    /// The text of some positions, in as many parts as there are threads.
    fn texts_of(&self, nodes: &[u32]) -> Vec<Vec<u8>> {
        if nodes.len() < FEW {
            return vec![self.part(nodes)];
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            let parts = nodes.chunks(nodes.len().div_ceil(threads).max(1));
            let threads = parts.map(|part| scope.spawn(move || self.part(part)));
            let threads: Vec<_> = threads.collect();
            let ends = threads.into_iter().map(|thread| thread.join());
            ends.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    fn part(&self, nodes: &[u32]) -> Vec<u8> {
        let mut text = Vec::with_capacity(nodes.len() * 128);
        let mut moves = Vec::new();
        for &node in nodes {
            let id = BookNodeId(node);
            moves.clear();
            self.graph.moves_into(id, &mut moves);
            self.solver
                .value_moves(self.graph, id, self.draws, &mut moves);
            if self.shrinks
                && let Some(best) = moves.first().map(|mv| mv.value)
            {
                moves.retain(|mv| mv.value == best);
            }
            text.extend_from_slice(b"sfen ");
            text.extend_from_slice(self.text(node));
            text.push(b' ');
            write_number(self.graph.ply(id).max(1).into(), &mut text);
            text.push(b'\n');
            moves.iter().for_each(|mv| write_line(mv, &mut text));
        }
        text
    }
}

fn write_line(book_move: &BookMove, text: &mut Vec<u8>) {
    match book_move.mv {
        Some(mv) => write_move(mv, text),
        None => text.extend_from_slice(b"resign"),
    }
    text.extend_from_slice(b" none ");
    write_number(book_move.value.into(), text);
    text.push(b' ');
    write_number(book_move.depth.into(), text);
    text.push(b' ');
    write_number(book_move.count as i64, text);
    text.push(b'\n');
}
