// The course in shogi: what is said and what is to be done on the board, in English and Japanese.

/**
 * A task on the board. With stars: every one is to be reached. With a goal: one move does it, or for a
 * castle as many as it takes.
 * @typedef {object} Task
 * @property {string} sfen
 * @property {[string, string]} text
 * @property {string[]} [stars]
 * @property {"take" | "promote" | "drop" | "check" | "mate" | "any"} [goal]
 * @property {string} [castle] the English name of the castle to build
 */

/**
 * @typedef {object} Lesson
 * @property {string} name
 * @property {[string, string]} title
 * @property {Task[]} tasks
 */

/** @type {Lesson[]} */
export const LESSONS = [
  {
    name: "king",
    title: ["The king", "玉の動き"],
    tasks: [
      { sfen: "9/9/9/9/4K4/9/9/9/9 b - 1", stars: ["4d", "4c", "5b"], text: [
        "Shogi is played on nine by nine squares. Whoever catches the king has won. The king moves one step in any direction. Click the king, then a dot: walk over the stars.",
        "将棋は 9×9 のマスで遊びます。相手の玉を捕まえたら勝ちです。玉は前後左右と斜めに一マス動けます。玉を押してから点を押し、星を全部踏んでください。",
      ] },
    ],
  },
  {
    name: "gold",
    title: ["Gold and silver", "金と銀"],
    tasks: [
      { sfen: "9/9/9/9/4G4/9/9/9/9 b - 1", stars: ["5d", "4c", "4d"], text: [
        "The gold general (金) goes one step forwards, sideways, straight back, or diagonally forwards – everywhere but diagonally back.",
        "金は前・横・後ろ・斜め前に一マス動けます。斜め後ろには動けません。",
      ] },
      { sfen: "9/9/9/9/4S4/9/9/9/9 b - 1", stars: ["6d", "7e", "7d"], text: [
        "The silver general (銀) goes one step straight forwards or along any diagonal. It is good at coming back.",
        "銀は前と斜め四方に一マス動けます。横と後ろには動けません。",
      ] },
    ],
  },
  {
    name: "pawn",
    title: ["Pawn, lance, knight", "歩・香・桂"],
    tasks: [
      { sfen: "9/9/9/9/9/9/4P4/9/9 b - 1", stars: ["5f", "5e"], text: [
        "The pawn (歩) goes one step straight forwards, and takes the same way.",
        "歩は一マス前に進みます。取るときも同じです。",
      ] },
      { sfen: "9/9/9/9/9/9/9/9/L8 b - 1", stars: ["9f", "9d"], text: [
        "The lance (香) goes straight forwards as far as the way is free. It never comes back.",
        "香車は前に何マスでも進めます。後戻りはできません。",
      ] },
      { sfen: "9/9/9/9/9/9/9/9/1N7 b - 1", stars: ["7g", "6e"], text: [
        "The knight (桂) jumps: two steps forwards and one to the side, over everything in between.",
        "桂馬は二つ前の左右に跳びます。間に駒があっても飛び越せます。",
      ] },
    ],
  },
  {
    name: "rook",
    title: ["Rook and bishop", "飛車と角"],
    tasks: [
      { sfen: "9/9/9/9/9/9/9/7R1/9 b - 1", stars: ["5h", "5e", "1e"], text: [
        "The rook (飛) goes along ranks and files as far as the way is free.",
        "飛車は縦横に何マスでも動けます。",
      ] },
      { sfen: "9/9/9/9/9/9/9/1B7/9 b - 1", stars: ["5e", "3g", "1e"], text: [
        "The bishop (角) goes along the diagonals.",
        "角は斜めに何マスでも動けます。",
      ] },
    ],
  },
  {
    name: "take",
    title: ["Taking", "駒を取る"],
    tasks: [
      { sfen: "9/9/9/4p4/9/9/9/4R4/9 b - 1", goal: "take", text: [
        "A piece that reaches a square with a foe takes it. What you take is yours from now on: it goes to the stand beside the board.",
        "相手の駒のあるマスに進むと、その駒を取れます。取った駒は駒台に置かれ、自分の駒になります。",
      ] },
      { sfen: "9/9/4g4/3p1p3/4S4/9/9/9/9 b - 1", goal: "take", text: [
        "Take a pawn with the silver.",
        "銀で歩を取ってください。",
      ] },
    ],
  },
  {
    name: "promotion",
    title: ["Promotion", "成り"],
    tasks: [
      { sfen: "9/9/9/4P4/9/9/9/9/9 b - 1", goal: "promote", text: [
        "The three farthest ranks are the foe's camp. A piece that enters, moves in or leaves it may promote. A pawn becomes a tokin (と) and moves like a gold. Step in and promote.",
        "敵陣(奥の三段)に入るとき、敵陣の中で動くとき、出るときに駒は成れます。歩は「と金」になり、金と同じ動きになります。進んで成ってください。",
      ] },
      { sfen: "9/9/9/9/9/9/9/7R1/9 b - 1", goal: "promote", text: [
        "Lance, knight and silver become golds too. The rook becomes a dragon (龍): a rook that also steps diagonally. Promote it.",
        "香・桂・銀も成ると金の動きになります。飛車は「龍」になり、斜めにも一マス動けます。成ってください。",
      ] },
      { sfen: "9/9/9/9/9/9/9/1B7/9 b - 1", goal: "promote", text: [
        "The bishop becomes a horse (馬): a bishop that also steps straight. King and gold do not promote.",
        "角は「馬」になり、縦横にも一マス動けます。玉と金は成りません。",
      ] },
    ],
  },
  {
    name: "drops",
    title: ["Drops", "持駒を打つ"],
    tasks: [
      { sfen: "9/9/9/4k4/9/4P4/9/9/9 b G 1", goal: "drop", text: [
        "Instead of moving you may drop a piece from your stand on any empty square. It lies unpromoted. Click the gold on the stand, then a square.",
        "動かす代わりに、持駒を空いているマスに打てます(成った状態では打てません)。駒台の金を押してからマスを押してください。",
      ] },
      { sfen: "4k4/9/9/9/9/9/9/9/9 b R 1", goal: "check", text: [
        "A move that attacks the king is a check (王手). Drop the rook so that it gives check.",
        "玉を取りにいく手を「王手」といいます。飛車を打って王手をかけてください。",
      ] },
      { sfen: "9/9/9/9/9/9/9/9/4k4 b N 1", goal: "drop", text: [
        "A piece may not be dropped where it could never move: no knight on the two last ranks, no pawn or lance on the last one. See where the dots are missing, then drop the knight.",
        "動けなくなるマスには打てません。桂は奥の二段、歩と香は一番奥の段に打てません。点のないマスを確かめてから、桂を打ってください。",
      ] },
    ],
  },
  {
    name: "fouls",
    title: ["Two pawns, pawn-drop mate", "二歩と打ち歩詰め"],
    tasks: [
      { sfen: "9/9/9/9/9/9/P1PP1PPPP/9/9 b P 1", goal: "drop", text: [
        "Two unpromoted pawns of yours may never stand on one file (二歩): whoever does it loses. Only two files are free for the pawn. Drop it.",
        "同じ筋に自分の歩(成っていない歩)を二枚置くと「二歩」で反則負けです。歩を打てる筋は二つだけです。打ってください。",
      ] },
      { sfen: "7lk/9/7G1/9/9/9/9/9/9 b GP 1", goal: "mate", text: [
        "A pawn may give mate by moving, but not by being dropped (打ち歩詰め). Mate with the gold instead.",
        "歩を打って詰ますのは「打ち歩詰め」で反則です(歩を突いて詰ますのはよい)。金を打って詰ましてください。",
      ] },
    ],
  },
  {
    name: "check",
    title: ["Out of check", "王手を受ける"],
    tasks: [
      { sfen: "9/9/9/4r4/9/9/9/9/4K4 b G 1", goal: "any", text: [
        "Your king is in check and must be saved: step away, put a piece between, or take the checker. Only such moves have dots.",
        "玉に王手がかかっています。逃げる、間に駒を打つ(合駒)、王手の駒を取る、のどれかで受けます。点のあるマスだけに動けます。",
      ] },
      { sfen: "9/9/9/9/9/9/9/3g1g3/4K4 b R 1", goal: "take", text: [
        "Two golds are near. Take one of them with the king, if it is not guarded.",
        "金が二枚迫っています。守られていない金を玉で取ってください。",
      ] },
    ],
  },
  {
    name: "mate",
    title: ["Mate", "詰み"],
    tasks: [
      { sfen: "4k4/9/4P4/9/9/9/9/9/9 b G 1", goal: "mate", text: [
        "A check that cannot be answered is mate (詰み). The gold right before the king, guarded by the pawn, is the most famous one: 頭金. Drop it.",
        "受けのない王手が「詰み」です。歩に守られた金を玉の頭に打つ「頭金」が基本です。打ってください。",
      ] },
      { sfen: "7lk/8p/9/9/9/9/9/9/9 b N 1", goal: "check", text: [
        "A knight can check over a wall. Drop it so that it attacks the king.",
        "桂は壁を越えて王手できます。桂を打って王手をかけてください。",
      ] },
      { sfen: "7nk/7bp/9/9/9/9/9/9/9 b N 1", goal: "mate", text: [
        "The king has walled itself in. Find the mate.",
        "玉が自分の駒で逃げられません。詰ましてください。",
      ] },
      { sfen: "3gkg3/9/4P4/9/9/9/9/9/4L4 b R 1", goal: "check", text: [
        "Not every check is mate. Give one, and see what White could answer.",
        "王手がすべて詰みとは限りません。王手をかけて、後手の受けを考えてみましょう。",
      ] },
    ],
  },
  {
    name: "castles",
    title: ["Castles", "囲い"],
    tasks: [
      { sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1BR6/LNSGKGSNL b - 1", castle: "Mino", text: [
        "Before the fight the king goes home. The Mino (美濃囲い) stands in five moves: king to 2h, silver to 3h, left gold to 5h; the other gold stays on 4i.",
        "戦いの前に玉を囲います。美濃囲いは五手で完成します。玉を２八、銀を３八、左の金を５八へ。右の金は４九のままです。",
      ] },
      { sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/2PPP4/PPS2PPPP/2GB3R1/LN2KGSNL b - 1", castle: "Fortress", text: [
        "The Fortress (矢倉): king to 8h, the right gold over 5h to 6g. Gold 7h and silver 7g are there already.",
        "矢倉囲い: 玉を８八へ、右の金を５八から６七へ。７八の金と７七の銀はもう置いてあります。",
      ] },
    ],
  },
];
