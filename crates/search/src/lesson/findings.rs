//! What a rung shows on the tree that the reader has drawn: found by running it, not written down.

use super::story::number_text;
use crate::ladder::{
    Chooser, Drawn, Fault, FirstBranch, NoTable, Rung, Trace, TracedNode, TracedTree, Tree,
};
use crate::ladder::{minimax, pvs_first};
use tesuji_shogi::Value;

/// A sentence in English and Japanese.
pub type Finding = [String; 2];

/// So many cuts are tried with infinities.
const MOST_CUTS: usize = 4;

/// What a rung shows on a drawn tree beyond its trace.
pub fn findings(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    match trace.rung {
        Rung::Negamax => signs(drawn, trace),
        Rung::AlphaBeta => [infinities(drawn, trace), ties(drawn)].concat(),
        Rung::NegaAlphaBeta => faults(drawn, trace),
        Rung::FailSoft => softer(drawn, trace),
        Rung::Pvs => first_branch(drawn, trace),
        _ => Vec::new(),
    }
}

fn plain(rung: Rung, drawn: &Drawn) -> Trace {
    rung.trace(drawn.clone(), Value::ZERO, &mut NoTable)
}

/// The table of signs: the same nodes with the values of minimax and of negamax.
fn signs(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    let mini = plain(Rung::Minimax, drawn);
    let row = |number: usize| {
        let (one, other) = (&mini.nodes[number], &trace.nodes[number]);
        let name = match mini.name(number) {
            name if name.is_empty() => "root".to_owned(),
            name => name,
        };
        let turn = match one.turn {
            Chooser::Max => "Max",
            Chooser::Min => "Min",
        };
        let [own, max] = [other.value, one.value].map(number_text);
        format!("{name:<6} {turn}  minimax {max:>6}  negamax {own:>6}")
    };
    let rows = (0..mini.nodes.len().min(trace.nodes.len())).map(row);
    let heading = [
        "The table of signs: where Min chooses, both values differ in sign.".to_owned(),
        "符号の表: Min が選ぶ節点では、二つの値の符号が逆になります。".to_owned(),
    ];
    std::iter::once(heading)
        .chain(rows.map(|row| [row.clone(), row]))
        .collect()
}

/// Whatever is put in for what was cut, the root stays the same.
fn infinities(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    let cuts = trace.nodes.iter().enumerate().flat_map(|(number, node)| {
        let way = trace.name(number);
        node.cut.iter().map(move |branch| format!("{way}{branch}"))
    });
    let try_out = |name: String| {
        let [low, high] = [-Drawn::INFINITE, Drawn::INFINITE].map(|value| {
            let value = minimax(&mut drawn.with_leaves_below(&name, value));
            number_text(value)
        });
        [
            format!("{name} was cut. With −∞ in its place minimax says {low}, with +∞ {high}."),
            format!(
                "{name} は刈られました。−∞ に置き換えても {low}、+∞ に置き換えても {high} です。"
            ),
        ]
    };
    cuts.take(MOST_CUTS).map(try_out).collect()
}

/// What `<` instead of `<=` would cost.
fn ties(drawn: &Drawn) -> Vec<Finding> {
    let usual = plain(Rung::NegaAlphaBeta, drawn).nodes.len();
    let strict = Fault::StrictCut.trace(drawn.clone()).nodes.len();
    let more = strict - usual;
    vec![[
        format!("With < instead of <= it would visit {more} nodes more on this tree: {strict}."),
        format!("<= を < にすると、この木では {more} 個多い {strict} 個の節点を訪れます。"),
    ]]
}

/// What the usual slips do here.
fn faults(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    let tell = |fault: Fault| {
        let broken = fault.trace(drawn.clone());
        let (value, nodes) = (number_text(broken.value), broken.nodes.len());
        let is_right = broken.value == trace.value;
        let [en, ja] = match is_right {
            true => ["right", "正しい"],
            false => ["wrong", "誤り"],
        };
        [
            format!("{fault}: value {value} ({en}), {nodes} nodes."),
            format!("{fault}: 値 {value}({ja})、節点 {nodes}。"),
        ]
    };
    let heading = [
        "With one line changed (tesuji teach --fault NAME draws it):".to_owned(),
        "一行だけ変えると(tesuji teach --fault 名前 で木を描きます):".to_owned(),
    ];
    std::iter::once(heading)
        .chain(Fault::ALL.map(tell))
        .collect()
}

/// The first node at which fail-soft says more than fail-hard.
fn softer(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    let hard = plain(Rung::NegaAlphaBeta, drawn);
    let both = trace.nodes.iter().zip(&hard.nodes).enumerate();
    let differing = both.filter(|(_, (soft, hard))| soft.value != hard.value);
    let tell = |(number, (soft, hard)): (usize, (&TracedNode, &TracedNode))| {
        let name = trace.name(number);
        let [soft, hard] = [soft, hard].map(|node| number_text(node.turn.own(node.value)));
        [
            format!("At {name} fail-hard answers {hard}, fail-soft {soft} (for Max)."),
            format!(
                "{name} で fail-hard は {hard}、fail-soft は {soft} と答えます(Max から見て)。"
            ),
        ]
    };
    differing.map(tell).take(MOST_CUTS).collect()
}

/// When to stop calling a branch the first one.
fn first_branch(drawn: &Drawn, trace: &Trace) -> Vec<Finding> {
    let mut tree = TracedTree::new(drawn.clone());
    let (low, high) = (-Value::INFINITE, Value::INFINITE);
    let value = tree.ask(|tree| pvs_first(tree, low, high, FirstBranch::UntilRaised));
    let other = tree.trace(Rung::Pvs, value).nodes.len();
    let usual = trace.nodes.len();
    vec![[
        format!(
            "If every branch were called the first until one has raised α, it would visit {other} \
             nodes instead of {usual}."
        ),
        format!(
            "α が上がるまでどの枝も「最初の枝」とみなすと、訪問は {usual} ではなく {other} になります。"
        ),
    ]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_of_the_lessons_shows_what_the_course_tells() {
        let drawn = Drawn::lesson();
        let of = |rung: Rung| {
            let told = findings(&drawn, &plain(rung, &drawn));
            told.into_iter().map(|[en, _]| en).collect::<Vec<_>>()
        };
        let cuts = of(Rung::AlphaBeta);
        assert!(cuts[0].starts_with("A2b was cut."), "{cuts:?}");
        assert!(
            cuts.iter().any(|text| text.contains("with +∞ 75")),
            "{cuts:?}"
        );
        let strict = cuts.last().unwrap();
        assert!(strict.contains("nodes more on this tree"), "{strict}");
        let signs = of(Rung::Negamax);
        assert_eq!(signs.len(), 1 + 29);
        assert!(
            of(Rung::FailSoft)
                .iter()
                .any(|text| text.starts_with("At D"))
        );
        let faults = of(Rung::NegaAlphaBeta);
        assert_eq!(faults.len(), 1 + Fault::ALL.len());
        assert!(faults[1].contains("value 75 (right)"), "{faults:?}");
        assert!(faults[3].contains("(wrong)"), "{faults:?}");
        assert_eq!(of(Rung::Pvs).len(), 1);
    }
}
