// Every text of the page, in English and Japanese.

/** @typedef {"en" | "ja"} Language */

/** @type {Language} */
let current = "en";

/** The language of the page. */
export function language() {
  return current;
}

/** @param {Language} code */
export function setLanguage(code) {
  current = code;
}

const TEXTS = {
  title: ["Tesuji – the shogi board", "手筋 ― 将棋盤"],
  play: ["Play", "対局"],
  analyse: ["Analyse", "検討"],
  solve: ["Solve", "詰将棋"],
  learn: ["Learn", "学ぶ"],
  settings: ["Settings", "設定"],
  language: ["Language", "言語"],
  look: ["Colours", "配色"],
  board: ["Board", "盤"],
  pieces: ["Pieces", "駒"],
  auto: ["Automatic", "自動"],
  en: ["English", "English"],
  ja: ["日本語", "日本語"],
  light: ["Light", "明るい"],
  dark: ["Dark", "暗い"],
  wood: ["Wood", "木目"],
  plain: ["Plain", "無地"],
  one: ["Kanji, one character", "一字駒"],
  two: ["Kanji, two characters", "二字駒"],
  western: ["Western", "国際駒"],
  close: ["Close", "閉じる"],

  black: ["Black", "先手"],
  white: ["White", "後手"],
  you: ["You", "あなた"],
  engine: ["Engine", "エンジン"],
  newGame: ["New game", "新しい対局"],
  takeBack: ["Take back", "待った"],
  hint: ["Hint", "ヒント"],
  resign: ["Resign", "投了"],
  stopGame: ["Stop", "中断"],
  declare: ["Declare", "入玉宣言"],
  pause: ["Pause", "一時停止"],
  goOn: ["Go on", "再開"],
  flip: ["Flip", "反転"],
  rematch: ["Again", "もう一局"],
  analyseGame: ["Analyse this game", "この対局を検討"],
  yourTurn: ["Your move", "あなたの番です"],
  turnOf: ["{0} to move", "{0}の番"],
  thinking: ["The engine is thinking …", "エンジンが考えています…"],
  hinting: ["Looking for a good move …", "良い手を探しています…"],
  hintIs: ["Hint: {0}", "ヒント: {0}"],
  paused: ["Paused", "一時停止中"],
  check: ["Check!", "王手"],
  looking: ["An earlier position", "以前の局面"],
  openings: ["Opening books", "定跡"],
  ownBook: ["My book", "自分の定跡"],
  builtinBook: ["Tesuji's book", "手筋の定跡"],
  notInBook: ["nothing here", "この局面はありません"],
  bookMove: ["Move", "指し手"],
  bookCount: ["Games", "局数"],
  bookResults: ["Won–lost", "勝敗"],
  bookValue: ["Value", "評価値"],
  bookWeight: ["Weight", "重み"],
  bookAdd: ["Add to my book", "自分の定跡に加える"],
  bookRemove: ["Take out of my book", "自分の定跡から除く"],
  bookWins: ["wins in", "勝ち"],
  bookLoses: ["loses in", "負け"],
  bookProven: ["(proven)", "(証明済み)"],
  bookChallenges: ["{0} challenges", "挑戦 {0} 回"],
  byRepetition: ["by repetition", "千日手"],
  moves: ["Moves", "棋譜"],
  start: ["Start", "開始局面"],

  who: ["Who plays?", "対局者"],
  againstEngine: ["I play the engine", "エンジンと対局"],
  watch: ["Watch two engines", "エンジン同士を観戦"],
  twoPeople: ["Two people, one board", "二人で対局"],
  mySide: ["My side", "手番"],
  random: ["Either", "振り駒"],
  level: ["Level", "強さ"],
  levelOf: ["Level of {0}", "{0}の強さ"],
  levels: [
    "Beginner|Novice|Learner|Casual|Club player|Strong club player|Expert|Strong expert|Master|Strong master|Full strength",
    "入門|初心者|初級|中級|級位者|初段くらい|有段者|高段者|達人|名手|全力",
  ],
  handicap: ["Handicap", "手合"],
  handicaps: [
    "Even|Lance|Right lance|Bishop|Rook|Rook and lance|Two pieces|Three pieces|Four pieces|Five pieces|Left five pieces|Six pieces|Right seven pieces|Left seven pieces|Eight pieces|Ten pieces",
    "平手|香落ち|右香落ち|角落ち|飛車落ち|飛香落ち|二枚落ち|三枚落ち|四枚落ち|五枚落ち|左五枚落ち|六枚落ち|右七枚落ち|左七枚落ち|八枚落ち|十枚落ち",
  ],
  handicapNote: [
    "White gives the pieces and moves first.",
    "上手(後手)が駒を落とし、先に指します。",
  ],
  clock: ["Clock", "持ち時間"],
  noClock: ["No clock", "時間無制限"],
  suddenDeath: ["Sudden death", "切れ負け"],
  byoyomi: ["Byoyomi", "秒読み"],
  fischer: ["Fischer", "フィッシャー"],
  minutes: ["Minutes", "分"],
  seconds: ["Seconds per move", "一手の秒数"],
  pace: ["Pace", "指す速さ"],
  slow: ["Slow", "ゆっくり"],
  normal: ["Normal", "ふつう"],
  fast: ["Fast", "速い"],
  begin: ["Begin", "対局開始"],

  wins: ["{0} wins", "{0}の勝ち"],
  drawn: ["Draw", "引き分け"],
  noResult: ["No result", "勝敗なし"],
  "end-resignation": ["by resignation", "投了"],
  "end-interruption": ["stopped", "中断"],
  "end-sealed": ["sealed move", "封じ手"],
  "end-repetition": ["by repetition", "千日手"],
  "end-impasse": ["by impasse", "持将棋"],
  "end-draw": ["agreed", "合意"],
  "end-move-limit": ["by the move limit", "最大手数"],
  "end-time": ["on time", "時間切れ"],
  "end-foul": ["by a foul", "反則"],
  "end-declaration": ["by declaration", "入玉宣言"],
  "end-mate": ["by mate", "詰み"],
  "end-no-mate": ["no mate", "不詰"],
  "end-default": ["by default", "不戦"],
  "end-error": ["error", "エラー"],

  think: ["Engine", "エンジン"],
  lines: ["Lines", "候補手"],
  depth: ["depth {0}", "深さ {0}"],
  nodesPerSecond: ["{0} nodes/s", "{0} 局面/秒"],
  mated: ["mated", "詰み"],
  mateIn: ["mate {0}", "詰 {0}手"],
  analyseWholeGame: ["Analyse the whole game", "棋譜全体を解析"],
  stopAnalysing: ["Stop the analysis", "解析を止める"],
  positionsDone: ["{0} of {1} positions", "{1} 局面中 {0}"],
  perMove: ["per move", "一手あたり"],
  graph: ["Winning chances over the game; click to go there", "形勢グラフ(クリックで移動)"],
  slips: ["{0}: {1} dubious, {2} mistakes, {3} blunders", "{0}: 疑問手 {1}、悪手 {2}、大悪手 {3}"],
  dubious: ["dubious", "疑問手"],
  mistake: ["mistake", "悪手"],
  blunder: ["blunder", "大悪手"],
  open: ["Open", "開く"],
  openRecord: ["Open a game or a position", "棋譜・局面を開く"],
  pasteHere: [
    "Paste a record (KIF, KI2, CSA, JKF, USI), an SFEN or a link here, or drop a file on the page.",
    "棋譜(KIF・KI2・CSA・JKF・USI)、SFEN、リンクを貼り付けるか、ファイルをページに落としてください。",
  ],
  chooseFile: ["Choose a file", "ファイルを選ぶ"],
  save: ["Save", "保存"],
  saveAs: ["Save the game", "棋譜を保存"],
  format: ["Format", "形式"],
  encoding: ["Encoding", "文字コード"],
  copy: ["Copy", "コピー"],
  copied: ["Copied", "コピーしました"],
  download: ["Download", "ダウンロード"],
  share: ["Share", "共有"],
  shareLink: ["A link that holds the game", "棋譜を含むリンク"],
  edit: ["Edit position", "局面編集"],
  comment: ["Comment on this move", "この手のコメント"],
  promoteLine: ["Make main line", "本譜にする"],
  removeLine: ["Delete from here", "ここから削除"],
  first: ["First", "最初"],
  previous: ["Back", "戻る"],
  next: ["Forward", "進む"],
  last: ["Last", "最後"],
  playFromHere: ["Play from here", "ここから対局"],
  solveThis: ["Solve as a mate problem", "詰将棋として解く"],

  edited: ["Position editor", "局面編集"],
  editHelp: [
    "Choose a piece, then squares. Clicking a piece on the board turns it: promoted, other side, away. Right click removes it.",
    "駒を選んでマスを押すと置けます。盤上の駒を押すと成・向き・除去の順に変わります。右クリックで除去。",
  ],
  toMove: ["To move", "手番"],
  emptyBoard: ["Empty", "全消去"],
  startBoard: ["Start position", "平手初期"],
  mateBoard: ["Mate problem", "詰将棋用"],
  restToWhite: ["Rest into White's hand", "残りを後手の持駒に"],
  use: ["Use this position", "この局面を使う"],

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

  legend: [
    "▲ Max chooses, ▼ Min chooses. Inside a node stands what it is worth so far, below it α and β at this step. A dashed red branch with ✂ was cut: it was never looked at, and the rule beside it says why nothing is lost.",
    "▲ は Max の番、▼ は Min の番です。節点の中はこの時点での値、下はこの時点の α と β です。✂ の付いた赤い破線は刈られた枝で、一度も見ていません。横の式が、見なくてもよい理由です。",
  ],
  rung: ["Rung", "段"],
  tree: ["Tree", "木"],
  drawnTree: ["Drawn tree", "描いた木"],
  realPosition: ["Real position", "実戦の局面"],
  step: ["Step {0} of {1}", "{1} 歩中 {0}"],
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
  more: ["{0} more", "あと {0}"],
  guess: ["First guess of MTD(f)", "MTD(f) の最初の推測"],
  depthLabel: ["Depth", "深さ"],
  clickTree: ["Click a node to fold or unfold what is below it.", "節点を押すと、その下を畳んだり開いたりできます。"],
  stopsAt: ["Every number is what the search knows at this step.", "数字はすべて、この時点で探索が知っている値です。"],

  lost: [
    "The server does not answer. Your game is kept: start “tesuji play” again and it goes on.",
    "サーバーが応答しません。対局は保存されています。「tesuji play」を起動し直すと続きができます。",
  ],
  tooLarge: ["This is too large: at most 1.4 MB.", "大きすぎます(1.4 MB まで)。"],
  promote: ["Promote", "成る"],
  stay: ["Do not promote", "成らない"],
  promotionOf: ["Promote?", "成りますか"],
  empty: ["empty", "空"],
  handOf: ["{0} in hand", "{0}の持駒"],
  chosen: ["{0} chosen, {1} targets", "{0}を選択、行き先 {1}"],
  ends: ["The game is over: {0}", "終局: {0}"],
  keys: [
    "Keys: arrows move over the board, Enter chooses, Esc lets go; , and . step through the moves, f flips, u takes back, e turns the engine on or off.",
    "キー: 矢印で移動、Enter で選択、Esc で解除。, と . で手順を移動、f で反転、u で待った、e でエンジン。",
  ],
};

/** @typedef {keyof typeof TEXTS} TextKey */

/**
 * A text, with the parts in its braces.
 * @param {TextKey} key
 * @param {...(string | number)} parts
 */
export function t(key, ...parts) {
  const text = TEXTS[key][current === "ja" ? 1 : 0] ?? "";
  return text.replace(/\{(\d)\}/g, (_, place) => String(parts[place] ?? ""));
}

/**
 * A list of texts.
 * @param {"levels" | "handicaps"} key
 */
export function list(key) {
  return t(key).split("|");
}

/**
 * The text for the language of the page.
 * @param {{ en: string, ja: string }} both
 */
export function pick(both) {
  return both[current];
}

/**
 * The name of a side.
 * @param {import("./protocol.js").ColorLetter} color
 */
export function colorName(color) {
  return t(color === "b" ? "black" : "white");
}

/** @type {Record<string, [string, string]>} */
const KINDS = {
  P: ["pawn", "歩"], L: ["lance", "香"], N: ["knight", "桂"], S: ["silver", "銀"], G: ["gold", "金"],
  B: ["bishop", "角"], R: ["rook", "飛"], K: ["king", "玉"],
  "+P": ["promoted pawn", "と"], "+L": ["promoted lance", "成香"], "+N": ["promoted knight", "成桂"],
  "+S": ["promoted silver", "成銀"], "+B": ["horse", "馬"], "+R": ["dragon", "龍"],
};

/**
 * The name of a kind of piece.
 * @param {string} code the piece as SFEN writes it
 */
export function kindName(code) {
  return KINDS[code.toUpperCase()]?.[current === "ja" ? 1 : 0] ?? code;
}

const RANKS = "一二三四五六七八九";

/**
 * The name of a square such as 7g.
 * @param {string} square
 */
export function squareName(square) {
  return `${square[0]}${rankName("abcdefghi".indexOf(square[1] ?? ""))}`;
}

/**
 * The name of a rank, 0 being the uppermost.
 * @param {number} rank
 */
export function rankName(rank) {
  return (current === "ja" ? RANKS : "abcdefghi")[rank] ?? "";
}

/**
 * The name of a piece on a square, for screen readers.
 * @param {string} code the piece as SFEN writes it
 */
export function pieceName(code) {
  const side = colorName(code === code.toUpperCase() ? "b" : "w");
  return current === "ja" ? side + kindName(code) : `${side} ${kindName(code)}`;
}
