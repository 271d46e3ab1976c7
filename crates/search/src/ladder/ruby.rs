//! The rungs as Ruby-like pseudocode, for readers without Rust: the language of the course that this
//! one follows (Tenuki, 2023).

use super::rung::Rung;

impl Rung {
    /// The rung as pseudocode. `node.children` are the branches, `node.value` is what a leaf is worth
    /// to Max, `node.own_value` to whoever chooses there; `INF` is more than any value.
    pub const fn ruby(self) -> &'static str {
        match self {
            Self::Minimax => MINIMAX,
            Self::Negamax => NEGAMAX,
            Self::AlphaBeta => ALPHA_BETA,
            Self::NegaAlphaBeta => NEGA_ALPHA_BETA,
            Self::FailSoft => FAIL_SOFT,
            Self::Pvs => PVS,
            Self::Mtdf => MTDF,
            Self::Deepening => DEEPENING,
        }
    }
}

const MINIMAX: &str = "\
def minimax(node)
  return node.value if node.leaf?
  values = node.children.map { |child| minimax(child) }
  node.max? ? values.max : values.min
end
";

const NEGAMAX: &str = "\
def negamax(node)
  return node.own_value if node.leaf?
  node.children.map { |child| -negamax(child) }.max
end
";

const ALPHA_BETA: &str = "\
def alphabeta(node, alpha, beta)
  return node.value if node.leaf?
  node.children.each do |child|
    value = alphabeta(child, alpha, beta)
    if node.max? then alpha = [alpha, value].max
    else               beta  = [beta, value].min
    end
    break if beta <= alpha
  end
  node.max? ? [alpha, beta].min : [alpha, beta].max
end
alphabeta(root, -INF, INF)
";

const NEGA_ALPHA_BETA: &str = "\
def search(node, alpha, beta)
  return node.own_value if node.leaf?
  node.children.each do |child|
    alpha = [alpha, -search(child, -beta, -alpha)].max
    return beta if beta <= alpha
  end
  alpha
end
";

const FAIL_SOFT: &str = "\
def search(node, alpha, beta)
  return node.own_value if node.leaf?
  best = -INF
  node.children.each do |child|
    best = [best, -search(child, -beta, -[alpha, best].max)].max
    break if beta <= best
  end
  best
end
";

const PVS: &str = "\
def pvs(node, alpha, beta)
  return node.own_value if node.leaf?
  best = -INF
  node.children.each_with_index do |child, i|
    floor = [alpha, best].max
    value = INF
    value = -pvs(child, -floor - 1, -floor) if i > 0
    value = -pvs(child, -beta, -floor) if i == 0 || (floor < value && value < beta)
    best = [best, value].max
    break if beta <= best
  end
  best
end
";

const MTDF: &str = "\
def mtdf(root, guess)
  lower, upper, value = -INF, INF, guess
  while lower < upper
    beta = [value, lower + 1].max
    value = search_with_table(root, beta - 1, beta)
    if value < beta then upper = value else lower = value end
  end
  value
end
";

const DEEPENING: &str = "\
def deepening(root, depth)
  (1..depth).each do |horizon|
    @value = search_with_table(root, -INF, INF, horizon)  # the table's move comes first
    return @value if out_of_time?
  end
  @value
end
";
