// The texts around the course in shogi.

import { translator } from "./texts.js";

export const c = translator({
  course: ["How shogi is played", "将棋のルール"],
  engines: ["How engines think", "コンピューターの考え方"],
  task: ["Task {0} of {1}", "課題 {0} / {1}"],
  well: ["Well done!", "よくできました!"],
  lessonDone: ["Lesson complete.", "このレッスンは終わりです。"],
  next: ["Next", "次へ"],
  again: ["Again", "もう一度"],
  notYet: ["Not yet. Try again.", "まだです。もう一度どうぞ。"],
  notMate: ["A legal move, but no mate. Try again.", "指せる手ですが詰みではありません。もう一度。"],
  notCheck: ["That is no check. Try again.", "王手になっていません。もう一度。"],
  starsLeft: ["{0} stars left", "残りの星: {0}"],
  allDone: ["You know the rules now. Play your first game!", "ルールはこれで全部です。最初の対局をしてみましょう!"],
  play: ["Play a first game", "対局してみる"],
  train: ["Solve mate problems", "詰将棋を解く"],
});
