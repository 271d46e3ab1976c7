//! What a trace tells: which node led to which, what was cut, and why that was allowed.

use crate::ladder::{Chooser, PointOfView, Rung, Trace, TracedNode, Way};
use tesuji_shogi::Value;

/// A trace, ready to be told.
pub struct Story<'t> {
    /// What was written down.
    pub trace: &'t Trace,
    /// The nodes right below each node.
    pub children: Vec<Vec<usize>>,
    naming: Naming,
}

/// What nodes are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naming {
    /// By the whole way from the root, as in A2b.
    Way,
    /// By the branch that leads to them, as moves are.
    Branch,
}

/// Why the rest of a node was left out.
pub struct Cutoff {
    /// `β ≤ α`, with the numbers of the rung.
    pub rule: String,
    /// The reason in words, in English and Japanese.
    pub reason: [String; 2],
}

impl<'t> Story<'t> {
    /// Finds out which node led to which.
    pub fn new(trace: &'t Trace, naming: Naming) -> Self {
        let mut children = vec![Vec::new(); trace.nodes.len()];
        for (number, node) in trace.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(number);
            }
        }
        Self {
            trace,
            children,
            naming,
        }
    }

    /// A node of the trace.
    pub fn node(&self, number: usize) -> &TracedNode {
        &self.trace.nodes[number]
    }

    /// What a node is called; nothing at the root.
    pub fn name(&self, number: usize) -> String {
        match self.naming {
            Naming::Way => self.trace.name(number),
            Naming::Branch => self.node(number).branch.clone(),
        }
    }

    /// What the branches are called that a node left out.
    pub fn cut_names(&self, number: usize) -> Vec<String> {
        let way = match self.naming {
            Naming::Way => self.trace.name(number),
            Naming::Branch => String::new(),
        };
        let cut = self.node(number).cut.iter();
        cut.map(|branch| format!("{way}{branch}")).collect()
    }

    /// The window of a node, if the rung has windows.
    pub fn window(&self, number: usize) -> Option<String> {
        let TracedNode { alpha, beta, .. } = *self.node(number);
        let rung: Rung = self.trace.rung;
        rung.has_window()
            .then(|| format!("({}, {})", number_text(alpha), number_text(beta)))
    }

    /// Whether the same branch was visited before from the same node.
    pub fn is_repeated(&self, number: usize) -> bool {
        let node = self.node(number);
        let siblings = node.parent.map_or(&[][..], |parent| &self.children[parent]);
        siblings
            .iter()
            .any(|&other| other < number && self.node(other).branch == node.branch)
    }

    /// Why the rest of a node was left out, if it was.
    pub fn cut(&self, number: usize) -> Option<Cutoff> {
        let node = self.node(number);
        let last = *self.children[number].last()?;
        if node.cut.is_empty() || node.way != Way::Searched {
            return None;
        }
        let answer = self.node(last).value;
        // In the view of whoever chooses: what it has here, and what the other will not exceed.
        let (has, bound) = match (self.trace.rung.view(), node.turn) {
            (PointOfView::Own, _) => (-answer, node.beta),
            (PointOfView::Max, Chooser::Max) => (answer, node.beta),
            (PointOfView::Max, Chooser::Min) => (-answer, -node.alpha),
        };
        let rule = match (self.trace.rung.view(), node.turn) {
            (PointOfView::Max, Chooser::Min) => {
                format!("β {} ≤ α {}", number_text(-has), number_text(-bound))
            }
            _ => format!("β {} ≤ α {}", number_text(bound), number_text(has)),
        };
        let is_scout = node.beta - node.alpha == Value::new(1);
        Some(Cutoff {
            rule,
            reason: reason(node.turn, has, bound, is_scout),
        })
    }
}

/// The reason of a cut in words; all numbers are told for Max.
fn reason(turn: Chooser, has: Value, bound: Value, is_scout: bool) -> [String; 2] {
    let (mine, theirs) = (number_text(turn.own(has)), number_text(turn.own(bound)));
    let (other, here) = match turn {
        Chooser::Max => (
            "Min",
            [
                format!("Max gets at least {mine} here"),
                format!("ここで Max は {mine} 以上を得ます"),
            ],
        ),
        Chooser::Min => (
            "Max",
            [
                format!("Min keeps this down to at most {mine}"),
                format!("ここで Min は {mine} 以下に抑えます"),
            ],
        ),
    };
    let [en, ja] = here;
    if is_scout {
        let (bound_en, bound_ja) = match turn {
            Chooser::Max => ("at least", "以上"),
            Chooser::Min => ("at most", "以下"),
        };
        return [
            format!("{en}. The question was only whether it is {bound_en} {theirs}: yes."),
            format!("{ja}。問いは {theirs} {bound_ja}かどうかだけだったので、答えは「はい」です。"),
        ];
    }
    let (gain_en, gain_ja) = if has == bound {
        (
            "can gain nothing by coming here",
            "ここへ来ても得をしません",
        )
    } else {
        ("will not come here", "ここへは来ません")
    };
    [
        format!("{en}, and {other} is sure of {theirs} elsewhere: {other} {gain_en}."),
        format!("{ja}。{other} は別の所で {theirs} を確保しているので、{gain_ja}。"),
    ]
}

/// A value as people write it.
pub fn number_text(value: Value) -> String {
    match value {
        Value::INFINITE => "+∞".into(),
        _ if value == -Value::INFINITE => "−∞".into(),
        _ => match value.mate_distance() {
            Some(plies) if plies > 0 => format!("mate {plies}"),
            Some(plies) => format!("mated {}", -plies),
            None if value < Value::ZERO => format!("−{}", -value.points()),
            None => value.points().to_string(),
        },
    }
}
