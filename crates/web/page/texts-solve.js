// The texts of the tab for mate problems, in English and Japanese.

export const SOLVE_TEXTS = {
  loadProblem: ["Set a problem", "問題を出す"],
  solveIt: ["Solve", "解く"],
  stop: ["Stop", "止める"],
  solving: ["Solving …", "解いています…"],
  solved: ["Mate in {0}", "{0}手詰"],
  solvedLong: ["A mate in {0} (perhaps there is a shorter one)", "{0}手で詰み(最短とは限りません)"],
  counted: ["{0} as composers count", "無駄合を除いて {0} 手"],
  surplus: ["{0} left in hand", "駒余り {0} 枚"],
  noMate: ["There is no mate", "詰みません"],
  unknown: ["Stopped before it was known", "分かる前に止まりました"],
  nodesTold: ["{0} positions", "{0} 局面"],
  progress: ["{0} positions, {1} s, line of {2}", "{0} 局面、{1} 秒、手順 {2}"],
  attackerIs: ["{0} mates", "攻方: {0}"],
  defences: ["Show every defence", "すべての応手を調べる"],
  findMate: ["Find the mate from here", "ここからの詰みを調べる"],
  defenceHint: [
    "At a position of the defender, “Show every defence” finds the mate after each of its moves.",
    "受方の番で「すべての応手を調べる」を押すと、それぞれの応手の詰みを調べます。",
  ],
  notSolved: ["Find the mate yourself, or let the solver show it.", "自分で考えるか、「解く」を押してください。"],
};
