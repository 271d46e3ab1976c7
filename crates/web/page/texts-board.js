// The texts of the board and of what can go wrong, in English and Japanese.

export const BOARD_TEXTS = {
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
