// The texts of the course, in English and Japanese.

export const LEARN_TEXTS = {
  legend: [
    "▲ Max chooses, ▼ Min chooses. Inside a node stands what it is worth so far, below it α and β at this step. A dashed red branch with ✂ was cut: it was never looked at, and the rule beside it says why nothing is lost.",
    "▲ は Max の番、▼ は Min の番です。節点の中はこの時点での値、下はこの時点の α と β です。✂ の付いた赤い破線は刈られた枝で、一度も見ていません。横の式が、見なくてもよい理由です。",
  ],
  rung: ["Rung", "段"],
  tree: ["Tree", "木"],
  drawnTree: ["Drawn tree", "描いた木"],
  realPosition: ["Real position", "実戦の局面"],
  step: ["Step {0} of {1}", "手順 {0} / {1}"],
  playSteps: ["Run", "再生"],
  pauseSteps: ["Pause", "停止"],
  back: ["Step back", "一歩戻る"],
  forward: ["Step on", "一歩進む"],
  visitsLeaves: ["Value {0}: {1} visits, {2} leaves", "値 {0}、訪問 {1}、葉 {2}"],
  code: ["The code that runs", "動いているコード"],
  questions: ["Questions", "問いと答え"],
  visitNow: ["{0} looks at {1}", "{0} が {1} を見ています"],
  root: ["the root", "根"],
  gives: ["{0} answers {1}", "{0} の答えは {1}"],
  cutHere: ["Cut: {0}", "枝刈り: {0}"],
  moreBranches: ["{0} more", "あと {0}"],
  guess: ["First guess of MTD(f)", "MTD(f) の最初の推測"],
  depthLabel: ["Depth", "深さ"],
  clickTree: ["Click a node to fold or unfold what is below it.", "節点を押すと、その下を畳んだり開いたりできます。"],
  stopsAt: ["Every number is what the search knows at this step.", "数字はすべて、この時点で探索が知っている値です。"],
};
