//! A page about a book in the making: the streaks as a plot, the tree to open and close.

use std::collections::HashSet;
use std::fmt::Write;
use tesuji_book::make::{GameReport, MakePlan};
use tesuji_book::{BookNodeId, BookOutcome, EdgeId, Graph, Wins};
use tesuji_record::names::japanese;
use tesuji_shogi::{Color, Position};

/// How many moves deep the tree is drawn.
const DEPTH: usize = 24;
/// How many lines of it.
const LINES: usize = 3000;

/// What the page is about.
pub(super) struct BookPage<'a> {
    pub(super) graph: &'a Graph,
    pub(super) wins: &'a Wins,
    pub(super) plan: &'a MakePlan,
    pub(super) reports: &'a [GameReport],
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;\
padding:0 1rem;color:#222;background:#fff}details{margin-left:1.2rem}summary{cursor:pointer}\
.win{color:#075}.loss{color:#a22}.leaf{margin-left:2.2rem}svg{width:100%;height:auto}\
code{word-break:break-all}@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}\
.win{color:#6c9}.loss{color:#e88}}";

impl BookPage<'_> {
    /// The whole page.
    pub(super) fn write(&self) -> String {
        let mut page = String::new();
        let _ = write!(
            page,
            "<!doctype html><html lang=en><meta charset=utf-8><title>Book in the making</title>\
             <style>{STYLE}</style><h1>Book in the making</h1><p>{} games, {} positions, {} moves. \
             A win is a win against what was tried, not a proof.</p>",
            self.reports.len(),
            self.graph.node_count(),
            self.graph.edge_count()
        );
        for (number, start) in self.plan.starts.iter().enumerate() {
            let _ = write!(
                page,
                "<h2>Start {}</h2><p><code>{}</code></p>",
                number + 1,
                start.to_sfen()
            );
            self.plot(&mut page, number);
            if let Some(node) = self.graph.find_position(start) {
                let mut left = LINES;
                let mut seen = HashSet::new();
                self.tree(&mut page, node, start, DEPTH, &mut left, &mut seen);
            }
        }
        page.push_str("</html>\n");
        page
    }

    /// Wins in a row over games: Black's above the line, White's below.
    fn plot(&self, page: &mut String, start: usize) {
        let games: Vec<_> = self
            .reports
            .iter()
            .filter(|game| game.start == start)
            .collect();
        let (mut row, mut last) = (0_i64, None);
        let mut points = vec![(0_i64, 0_i64)];
        for (place, game) in games.iter().enumerate() {
            row = match game.winner {
                None => 0,
                winner if winner == last => row + 1,
                Some(_) => 1,
            };
            last = game.winner;
            let sign = if last == Some(Color::White) { -1 } else { 1 };
            points.push((place as i64 + 1, sign * row));
        }
        let most = points
            .iter()
            .map(|point| point.1.abs())
            .max()
            .unwrap_or(0)
            .max(1);
        let width = points.len().max(2) as f64 - 1.0;
        let line: Vec<String> = points
            .iter()
            .map(|&(x, y)| {
                let x = 40.0 + x as f64 / width * 740.0;
                format!("{x:.1},{:.1}", 110.0 - y as f64 / most as f64 * 95.0)
            })
            .collect();
        let _ = write!(
            page,
            "<svg viewBox='0 0 800 220' role=img aria-label='wins in a row'>\
             <line x1=40 y1=110 x2=780 y2=110 stroke=gray />\
             <text x=2 y=22 font-size=12 fill=gray>B {most}</text>\
             <text x=2 y=208 font-size=12 fill=gray>W {most}</text>\
             <text x=690 y=126 font-size=12 fill=gray>{} games</text>\
             <polyline fill=none stroke='#27a' stroke-width=1.5 points='{}'/></svg>",
            games.len(),
            line.join(" ")
        );
    }

    /// What is known of a move.
    fn line(&self, pos: &Position, id: EdgeId) -> String {
        let edge = self.graph.edge(id);
        let outcome = self.wins.move_outcome(self.graph, id);
        let (class, mark) = match outcome {
            outcome if outcome.is_win() => ("win", "wins"),
            outcome if outcome.is_loss() => ("loss", "loses"),
            _ => ("open", ""),
        };
        let plies = match outcome {
            BookOutcome::Win(plies) | BookOutcome::Loss(plies) => format!(" in {plies}"),
            _ => String::new(),
        };
        let basis = match self.wins.is_move_proven(self.graph, id) {
            true => "proven".to_owned(),
            false => format!("{} challenges", self.graph.challenges(edge.child())),
        };
        let name = japanese(pos, edge.mv());
        format!(
            "<span class={class}>{name} {mark}{plies}</span> ×{} · {basis}",
            edge.count
        )
    }

    fn tree(
        &self,
        page: &mut String,
        node: BookNodeId,
        pos: &Position,
        depth: usize,
        left: &mut usize,
        seen: &mut HashSet<BookNodeId>,
    ) {
        for id in self.graph.edges(node) {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let edge = self.graph.edge(id);
            let child = edge.child();
            let line = self.line(pos, id);
            let is_open = depth > 0 && self.graph.is_expanded(child) && seen.insert(child);
            let mut next = pos.clone();
            if !is_open || next.try_play(edge.mv()).is_err() {
                let _ = write!(page, "<div class=leaf>{line}</div>");
                continue;
            }
            let _ = write!(page, "<details><summary>{line}</summary>");
            self.tree(page, child, &next, depth - 1, left, seen);
            page.push_str("</details>");
        }
        if self.graph.flags(node).is_resigned() {
            page.push_str("<div class='leaf loss'>resigns</div>");
        }
    }
}
