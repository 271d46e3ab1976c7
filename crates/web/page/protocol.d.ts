// The messages between the page and its server, made from the types of the server by
// `UPDATE=1 cargo test -p tesuji-web --lib typescript`. Do not edit it by hand.

/**
 * The first message of a page: which session it belongs to and which tab it shows.
 */
export type Hello = { session: string, tab: Tab, 
/**
 * The code of an invitation: the page shows the game of whoever invited.
 */
guest: string | null, };

/**
 * A tab of the page.
 */
export type Tab = "play" | "analyse" | "solve" | "learn";

/**
 * A tab that has a game.
 */
export type GameTab = "play" | "analyse" | "solve";

/**
 * Every later message of a page.
 */
export type Request = { "show": Tab } | { "save": { tab: GameTab, format: string, encoding: string, } } | { "share": GameTab } | { "invite": InvitationKind } | { "positions": GameTab } | { "play": PlayRequest } | { "analyse": AnalyseRequest } | { "solve": SolveRequest } | { "learn": LearnRequest } | { "explore": ExploreRequest };

/**
 * Whom an invitation is for.
 */
export type InvitationKind = "session" | { "guest": { color: ColorLetter, } };

/**
 * What the play tab asks for.
 */
export type PlayRequest = { "type": "new-game" } & NewGame | { "type": "move", move: string, } | { "type": "take-back" } | { "type": "hint" } | { "type": "resign" } | { "type": "declare" } | { "type": "pause", on: boolean, } | { "type": "go-to", node: number | null, };

/**
 * How a game begins.
 */
export type NewGame = { black: PlayerKind, white: PlayerKind, start: StartPosition, clock: TimeControl | null, 
/**
 * How long a move of the engine takes at least, in milliseconds.
 */
pace: number, };

/**
 * Where a game begins.
 */
export type StartPosition = { "handicap": number } | { "sfen": string };

/**
 * Who moves the pieces of one side.
 */
export type PlayerKind = { "who": "person" } | { "who": "engine", strength: number, };

/**
 * How much time each side has; all in milliseconds.
 */
export type TimeControl = { 
/**
 * For the whole game.
 */
main: number, 
/**
 * For every move once the main time is used up.
 */
byoyomi: number, 
/**
 * Added for every move.
 */
increment: number, };

/**
 * What the analysis tab asks for.
 */
export type AnalyseRequest = { "type": "go-to", node: number, } | { "type": "move", move: string, } | { "type": "remove", node: number, } | { "type": "promote", node: number, } | { "type": "comment", node: number, text: string, } | { "type": "load", record: RecordSource, number: number | null, replace: boolean, } | { "type": "set-position", sfen: string, replace: boolean, } | { "type": "load-played-game", replace: boolean, review: number | null, } | { "type": "set-engine", on: boolean, lines: number, } | { "type": "analyse-game", millis: number, } | { "type": "stop-analysing-game" } | { "type": "try", node: number, move: string, } | { "type": "add-better-line", node: number, };

/**
 * What the tab for mate problems asks for.
 */
export type SolveRequest = { "type": "go-to", node: number, } | { "type": "move", move: string, } | { "type": "load", record: RecordSource, } | { "type": "solve" } | { "type": "solve-defences" } | { "type": "stop" };

/**
 * What the tab with the course asks for.
 */
export type LearnRequest = { "type": "lesson" } & LessonRequest;

/**
 * What the opening explorer asks for.
 */
export type ExploreRequest = { "type": "look", sfen: string, } | { "type": "edit", sfen: string, move: string, weight: number, };

/**
 * A lesson: a rung of the ladder, and what it searches.
 */
export type LessonRequest = { rung: string, root: LessonRoot, 
/**
 * The first guess of MTD(f).
 */
guess: number, };

/**
 * What a lesson searches.
 */
export type LessonRoot = { "tree": string | null } | { "position": { sfen: string, depth: number, } };

/**
 * Where a record or a position comes from.
 */
export type RecordSource = { "text": string } | { "file": { name: string, bytes: string, } };

/**
 * One message to a page.
 */
export type ServerMessage = { "type": "play" } & PlayMessage | { "type": "analyse" } & AnalyseMessage | { "type": "live" } & LiveMessage | { "type": "review" } & ReviewMessage | { "type": "solve" } & SolveMessage | { "type": "lesson" } & LessonMessage | { "type": "explore" } & ExploreMessage | { "type": "file" } & FileMessage | { "type": "link" } & LinkMessage | { "type": "several" } & SeveralMessage | { "type": "positions" } & PositionsMessage | { "type": "invitation" } & InvitationMessage | { "type": "unsaved" } | { "type": "error" } & UserError;

/**
 * The play tab.
 */
export type PlayMessage = { position: PositionView, game: GameUpdate, 
/**
 * The node whose position is shown.
 */
shown: number, 
/**
 * Black and White.
 */
players: [PlayerKind, PlayerKind], clock: ClockView | null, over: EndView | null, canMove: boolean, paused: boolean, 
/**
 * Whether the engine thinks about its move.
 */
thinking: boolean, 
/**
 * Whether the engine thinks about a hint.
 */
hinting: boolean, hint: MoveView | null, 
/**
 * The side of whoever looks at the page, if there is a guest.
 */
seat: ColorLetter | null, 
/**
 * Whether the page is the guest's.
 */
isGuest: boolean, 
/**
 * Whether the guest is there; `None` if nobody was invited.
 */
hasGuest: boolean | null, };

/**
 * Both clocks.
 */
export type ClockView = { 
/**
 * Black and White.
 */
left: [TimeLeft, TimeLeft], running: ColorLetter | null, control: TimeControl, };

/**
 * What one clock shows, in milliseconds.
 */
export type TimeLeft = { main: number, byoyomi: number, };

/**
 * The analysis tab.
 */
export type AnalyseMessage = { position: PositionView, game: GameUpdate, 
/**
 * Whether the engine thinks about the position.
 */
thinking: boolean, 
/**
 * How many lines it shows.
 */
lines: number, 
/**
 * How far the analysis of the whole game is, while it runs.
 */
gameAnalysis: AnalysisProgress | null, 
/**
 * Whether there is work in the game that is nowhere else: it is not thrown away unasked.
 */
isEdited: boolean, 
/**
 * The move that was tried instead of a slip.
 */
trial: TrialView | null, };

/**
 * How many positions of a game have been evaluated.
 */
export type AnalysisProgress = { done: number, total: number, };

/**
 * A move that was tried instead of a slip.
 */
export type TrialView = { 
/**
 * The node of the slip.
 */
node: number, tried: MoveView, verdict: TrialVerdict, };

/**
 * Whether a move that was tried is better than the slip.
 */
export type TrialVerdict = "thinking" | "best" | "good" | "bad";

/**
 * What the review of a game found.
 */
export type ReviewMessage = { 
/**
 * How well Black and White played, in per cent; `None` without a move that was reviewed.
 */
accuracy: [number | null, number | null], 
/**
 * The slips in the order of the game.
 */
slips: Array<SlipView>, };

/**
 * A slip, and what would have been better.
 */
export type SlipView = { node: number, color: ColorLetter, grade: SlipGrade, 
/**
 * How much of the winning chance it cost, 0 to 1.
 */
loss: number, 
/**
 * What the best move is worth, for Black.
 */
best: number, bestMate: number | null, 
/**
 * What the move is worth, for Black.
 */
played: number, playedMate: number | null, 
/**
 * The better line.
 */
line: Array<MoveView>, 
/**
 * Whether the game turned here.
 */
isTurningPoint: boolean, };

/**
 * What the engine says while it thinks about the position of the analysis tab.
 */
export type LiveMessage = { 
/**
 * The node it thinks about.
 */
node: number, turn: ColorLetter, lines: Array<LineView>, game: GameUpdate, };

/**
 * One of the best lines of a search.
 */
export type LineView = { depth: number, value: number, mate: number | null, bound: BoundSign, nodes: number, millis: number, moves: Array<MoveView>, };

/**
 * What kind of bound a value is, for Black.
 */
export type BoundSign = "=" | "≥" | "≤";

/**
 * The tab for mate problems.
 */
export type SolveMessage = { position: PositionView, game: GameUpdate, attacker: ColorLetter, result: SolveResult | null, solving: boolean, progress: SolveProgress | null, 
/**
 * What the last move of the user was worth.
 */
attempt: SolveAttempt | null, };

/**
 * What is known about a problem.
 */
export type SolveResult = { "found": "mate", plies: number, shortest: boolean, counted: number, surplus: number, nodes: number, } | { "found": "no-mate", nodes: number, } | { "found": "unknown", nodes: number, };

/**
 * How far the solver is.
 */
export type SolveProgress = { nodes: number, millis: number, depth: number, };

/**
 * What a move of the user in a mate problem was worth.
 */
export type SolveAttempt = { "verdict": "checking" } | { "verdict": "right", left: number, } | { "verdict": "wrong" } | { "verdict": "solved" } | { "verdict": "unknown" };

/**
 * A position, ready to be drawn.
 */
export type PositionView = { sfen: string, 
/**
 * 81 squares in the order of reading: 9一 first, then 8一; pieces as SFEN writes them.
 */
board: Array<string | null>, 
/**
 * Black and White.
 */
hands: [{ [key in string]: number }, { [key in string]: number }], turn: ColorLetter, 
/**
 * Every legal move, if a person may move.
 */
moves: Array<string>, last: string | null, 
/**
 * The square of a king in check.
 */
check: string | null, };

/**
 * A colour as SFEN writes it.
 */
export type ColorLetter = "b" | "w";

/**
 * A move with its names in Japanese and in Western notation.
 */
export type MoveView = { move: string, ja: string, en: string, };

/**
 * What changed in a game since the page was last told.
 */
export type GameUpdate = { 
/**
 * Whether the page has to forget every node it knows.
 */
isNew: boolean, nodes: Array<NodeView>, 
/**
 * The node whose position is current.
 */
at: number, 
/**
 * The nodes whose moves were bad.
 */
slips: Array<[number, SlipGrade]>, 
/**
 * Black and White by name, as far as they have one.
 */
players: [string, string], 
/**
 * Whether White gave pieces: the sides have other names in Japanese then.
 */
isHandicap: boolean, };

/**
 * A node of a game.
 */
export type NodeView = { id: number, parent: number | null, ply: number, move?: string, 
/**
 * The name of the move in Japanese.
 */
ja: string, 
/**
 * The name of the move in Western notation.
 */
en: string, end?: EndView, comment: string, 
/**
 * How long its player thought, in milliseconds.
 */
time?: number, 
/**
 * The evaluation for Black.
 */
value?: number, 
/**
 * Plies to the mate, negative if Black is mated.
 */
mate?: number, depth?: number, };

/**
 * How a line ended.
 */
export type EndView = { why: EndReason, winner: ColorLetter | null, };

/**
 * Why a line ended; the page has a text for each in both languages.
 */
export type EndReason = "resignation" | "interruption" | "sealed" | "repetition" | "impasse" | "draw" | "move-limit" | "time" | "foul" | "declaration" | "mate" | "no-mate" | "default" | "error";

/**
 * How bad a move was.
 */
export type SlipGrade = "dubious" | "mistake" | "blunder";

/**
 * One lesson of the course: the algorithm, what is said about it, and every node it visited.
 */
export type LessonMessage = { rung: string, rungs: Array<RungView>, title: Bilingual, idea: Bilingual, 
/**
 * Questions with their answers.
 */
questions: Array<[Bilingual, Bilingual]>, code: string, hasWindow: boolean, 
/**
 * Whether values are those of Max at every node, as minimax sees them.
 */
forMax: boolean, value: string, leaves: number, tree: string | null, sfen: string | null, visits: Array<VisitView>, };

/**
 * A rung of the ladder: an algorithm by name.
 */
export type RungView = { name: string, title: Bilingual, };

/**
 * One visit of a node: its window, its value, and why the rest was cut.
 */
export type VisitView = { parent: number | null, 
/**
 * The branch that leads to it.
 */
name: string, 
/**
 * The names of the move that leads to it, on a real position.
 */
move: MoveNames | null, ply: number, 
/**
 * Whether Max is to move.
 */
max: boolean, alpha: number, beta: number, value: number, source: ValueSource, cut: CutView | null, 
/**
 * The branches that were cut.
 */
left: Array<string>, };

/**
 * A move in both notations.
 */
export type MoveNames = { ja: string, en: string, };

/**
 * Where the value of a visited node comes from.
 */
export type ValueSource = "evaluated" | "searched" | "table";

/**
 * Why the rest of a node was cut.
 */
export type CutView = { rule: string, en: string, ja: string, };

/**
 * A text in both languages.
 */
export type Bilingual = { en: string, ja: string, };

/**
 * What the books say about a position.
 */
export type ExploreMessage = { sfen: string, books: Array<BookView>, };

/**
 * One book.
 */
export type BookView = { 
/**
 * The name of the user's file; `None` for the own book and the one inside the program.
 */
name: string | null, 
/**
 * Whether it is the one that the page edits.
 */
isOwn: boolean, moves: Array<BookMoveView>, };

/**
 * A move of a book.
 */
export type BookMoveView = { move: MoveView, 
/**
 * The value for Black, if somebody gave one.
 */
value: number | null, depth: number, count: number, 
/**
 * Games won by whoever played it.
 */
won: number, lost: number, win: WinView | null, };

/**
 * Who wins by what was played behind a move.
 */
export type WinView = { 
/**
 * Whether the side that plays the move wins; otherwise it loses.
 */
wins: boolean, 
/**
 * After how many plies; `None` if by a repetition.
 */
plies: number | null, 
/**
 * How often the position behind it was challenged.
 */
challenges: number, 
/**
 * Whether a mate solver proved it.
 */
proven: boolean, };

/**
 * A game as a file: its bytes in base 64, and its text.
 */
export type FileMessage = { name: string, bytes: string, text: string, };

/**
 * A game as the part of an address behind `#game=`.
 */
export type LinkMessage = { game: string, 
/**
 * Where other machines find this server; none if they do not.
 */
addresses: Array<string>, };

/**
 * A text that was loaded holds several games; the first is shown.
 */
export type SeveralMessage = { 
/**
 * What they are called.
 */
titles: Array<string>, };

/**
 * Every position of the main line of a game.
 */
export type PositionsMessage = { positions: Array<PositionView>, 
/**
 * The node of each.
 */
nodes: Array<number>, };

/**
 * An address to open elsewhere, and the code that a phone reads: its dots row by row, `1` for dark.
 */
export type InvitationMessage = { url: string, 
/**
 * How many dots stand in a row.
 */
size: number, code: string, };

/**
 * An error as a sentence in English and Japanese.
 */
export type UserError = { en: string, ja: string, };
