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
export type Tab = "play" | "analyse" | "solve" | "learn" | "library" | "train" | "course" | "engines";

/**
 * A tab that has a game.
 */
export type GameTab = "play" | "analyse" | "solve";

/**
 * Every later message of a page.
 */
export type Request = { "show": Tab } | { "save": { tab: GameTab, format: string, encoding: string, } } | { "share": GameTab } | { "invite": InvitationKind } | { "positions": GameTab } | { "play": PlayRequest } | { "analyse": AnalyseRequest } | { "solve": SolveRequest } | { "learn": LearnRequest } | { "explore": ExploreRequest } | { "library": LibraryRequest } | { "train": TrainRequest } | { "look": LookRequest } | { "engines": EnginesRequest };

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
export type ServerMessage = { "type": "play" } & PlayMessage | { "type": "analyse" } & AnalyseMessage | { "type": "live" } & LiveMessage | { "type": "review" } & ReviewMessage | { "type": "solve" } & SolveMessage | { "type": "lesson" } & LessonMessage | { "type": "explore" } & ExploreMessage | { "type": "library" } & LibraryMessage | { "type": "train" } & TrainMessage | { "type": "look" } & LookMessage | { "type": "engines" } & EnginesMessage | { "type": "file" } & FileMessage | { "type": "link" } & LinkMessage | { "type": "several" } & SeveralMessage | { "type": "positions" } & PositionsMessage | { "type": "invitation" } & InvitationMessage | { "type": "unsaved" } | { "type": "error" } & UserError;

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
forMax: boolean, value: string, leaves: number, tree: string | null, sfen: string | null, nodes: Array<TracedNodeView>, };

/**
 * A rung of the ladder: an algorithm by name.
 */
export type RungView = { name: string, title: Bilingual, };

/**
 * A node as often as it was searched: its window, its value, and why the rest was cut.
 */
export type TracedNodeView = { parent: number | null, 
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
 * A name in Japanese and in English, as of a move or an opening.
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
isOwn: boolean, 
/**
 * Why it cannot be edited.
 */
problem: UserError | null, moves: Array<BookMoveView>, };

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
 * What the library is asked for.
 */
export type LibraryRequest = { "type": "find" } & GameSearch | { "type": "open", id: number, } | { "type": "open-version", version: number, } | { "type": "rename", id: number, names: GameNames, } | { "type": "delete", ids: Array<number>, } | { "type": "restore", ids: Array<number>, } | { "type": "undo", act: number, } | { "type": "import", act: number | null, files: Array<RecordFile>, } | { "type": "export", ids: Array<number>, format: string, } | { "type": "versions", id: number, };

/**
 * Which games are looked for; an empty field fits every game.
 */
export type GameSearch = { 
/**
 * Words of the players, the event or the opening.
 */
text: string, 
/**
 * The first and the last day, as 2026-11-15.
 */
from: string, to: string, 
/**
 * The opening by its English name.
 */
opening: string, 
/**
 * A position that occurs.
 */
sfen: string | null, 
/**
 * Where the game comes from.
 */
source: GameSource | null, 
/**
 * Whether the bin is looked into.
 */
deleted: boolean, order: GameOrder, offset: number, 
/**
 * How many are sent at most; 0 is only counted.
 */
limit: number, };

/**
 * What comes first.
 */
export type GameOrder = "changed" | "date" | "black" | "white" | "plies";

/**
 * Where a game of the library comes from.
 */
export type GameSource = "played" | "analysed" | "imported";

/**
 * The names of a game.
 */
export type GameNames = { black: string, white: string, event: string, };

/**
 * A file by its name and its bytes in base 64.
 */
export type RecordFile = { name: string, bytes: string, };

/**
 * What the library says.
 */
export type LibraryMessage = { "what": "games", total: number, offset: number, games: Array<LibraryGame>, 
/**
 * The openings of all games, the most frequent first.
 */
openings: Array<OpeningCount>, 
/**
 * How many games are in the bin.
 */
binned: number, 
/**
 * What can be taken back.
 */
last: ActView | null, } | { "what": "done", act: ActView | null, } | { "what": "opened" } | { "what": "imported", act: number, added: number, 
/**
 * How many were there already.
 */
known: number, failed: Array<ImportFailure>, } | { "what": "records", files: Array<RecordText>, } | { "what": "versions", id: number, versions: Array<VersionView>, };

/**
 * A game in the list.
 */
export type LibraryGame = { id: number, names: GameNames, date: string, opening: MoveNames | null, 
/**
 * "b", "w", "d" or nothing.
 */
result: string, plies: number, 
/**
 * Nothing if this program has no such source.
 */
source: GameSource | null, 
/**
 * How many earlier states of it are kept.
 */
versions: number, };

/**
 * How many games have an opening.
 */
export type OpeningCount = { name: MoveNames, count: number, };

/**
 * Something that was done and can be taken back.
 */
export type ActView = { act: number, kind: ActKind, 
/**
 * How many games it changed.
 */
games: number, };

/**
 * What was done.
 */
export type ActKind = "delete" | "restore" | "rename" | "import";

/**
 * Why a game of a file was not added.
 */
export type ImportFailure = { name: string, why: UserError, };

/**
 * A record as a file.
 */
export type RecordText = { name: string, text: string, };

/**
 * An earlier state of a game.
 */
export type VersionView = { version: number, 
/**
 * When it was replaced, in seconds since 1970.
 */
at: number, plies: number, };

/**
 * What may be asked about a position. Nothing is changed by it.
 */
export type LookRequest = { "type": "start", sfen: string, } | { "type": "line", sfen: string, line: Array<string>, } | { "type": "move", sfen: string, move: string, solo: boolean, } | { "type": "threat", sfen: string, } | { "type": "brinkmate", sfen: string, } | { "type": "names", tab: GameTab, };

/**
 * What is said about a position.
 */
export type LookMessage = { "what": "line", position: PositionView, } | { "what": "move", position: PositionView, facts: MoveFacts, } | { "what": "threat" } & ThreatView | { "what": "brinkmate" } & BrinkmateView | { "what": "names", opening: MoveNames | null, 
/**
 * Black's and White's castle.
 */
castles: [MoveNames | null, MoveNames | null], };

/**
 * What a move did.
 */
export type MoveFacts = { took: boolean, check: boolean, mate: boolean, 
/**
 * The castle of the side that moved.
 */
castle: MoveNames | null, };

/**
 * What is threatened in a position.
 */
export type ThreatView = { sfen: string, 
/**
 * What the opponent would play.
 */
moves: Array<MoveView>, 
/**
 * For Black.
 */
value: number, 
/**
 * How many plies a mate takes that is threatened (詰めろ).
 */
mate: number | null, };

/**
 * Whether mate can be made unavoidable.
 */
export type BrinkmateView = { sfen: string, found: BrinkmateFound, moves: Array<MoveView>, };

/**
 * What the search for a brinkmate found.
 */
export type BrinkmateFound = "mate" | "brinkmate" | "none" | "unknown";

/**
 * What the training tab asks for. The page says where it is; the server remembers what was solved.
 */
export type TrainRequest = { "type": "sets" } | { "type": "problem", set: string, number: number, unsolved: boolean, } | { "type": "move" } & TrainMove | { "type": "hint", set: string, number: number, line: Array<string>, } | { "type": "solution", set: string, number: number, line: Array<string>, } | { "type": "add-set", name: string, record: RecordSource, } | { "type": "remove-set", name: string, } | { "type": "explore", sfen: string, line: Array<string>, };

/**
 * A move of whoever solves a problem.
 */
export type TrainMove = { set: string, number: number, line: Array<string>, move: string, 
/**
 * Whether neither a hint nor another move was tried before.
 */
clean: boolean, };

/**
 * What the training tab is sent.
 */
export type TrainMessage = { "what": "sets", sets: Array<ProblemSetView>, progress: SolvingProgress, 
/**
 * The set that was taken away, to add it again.
 */
removed: RemovedSet | null, } | { "what": "problem" } & ProblemView | { "what": "step" } & StepView | { "what": "hint", 
/**
 * The square or the piece in hand that moves.
 */
origin: string, move: MoveView, } | { "what": "solution", moves: Array<MoveView>, } | { "what": "proof" } & ProofView;

/**
 * A set of problems.
 */
export type ProblemSetView = { name: string, kind: SetKind, 
/**
 * How long the mates of a set inside the program are.
 */
plies: number | null, total: number, solved: number, };

/**
 * What a set holds.
 */
export type SetKind = "mate" | "brinkmate" | "own";

/**
 * What was solved so far.
 */
export type SolvingProgress = { 
/**
 * Problems solved at once, one after the other.
 */
streak: number, best: number, solved: number, today: number, };

/**
 * A set that was taken away.
 */
export type RemovedSet = { name: string, text: string, };

/**
 * A problem.
 */
export type ProblemView = { set: string, number: number, total: number, kind: SetKind, 
/**
 * How long the solution is, if it is known.
 */
plies: number | null, unique: boolean, solved: boolean, position: PositionView, };

/**
 * What came of a move.
 */
export type StepView = { verdict: StepVerdict, 
/**
 * The position now: after the defence if the move was right, else before the move.
 */
position: PositionView, 
/**
 * The moves up to there.
 */
line: Array<MoveView>, 
/**
 * How many plies are left to the mate.
 */
left: number | null, progress: SolvingProgress, };

/**
 * Whether a move was right.
 */
export type StepVerdict = "right" | "solved" | "no-check" | "wrong" | "longer" | "unclear";

/**
 * What the solver knows about a position.
 */
export type ProofView = { sfen: string, line: Array<string>, 
/**
 * Whether the attacker is to move.
 */
attacks: boolean, branches: Array<ProofBranch>, };

/**
 * A move of a proof.
 */
export type ProofBranch = { move: MoveView, 
/**
 * Plies to the mate after it; `None` if there is none, or it is not known.
 */
mate: number | null, 
/**
 * Whether it is known that there is none.
 */
escapes: boolean, 
/**
 * The attacker's answer.
 */
answer: MoveView | null, };

/**
 * What the tab with the engines asks for. What starts programs or reads files is only done for a page
 * on this machine.
 */
export type EnginesRequest = { "type": "state" } | { "type": "configure" } & BuiltinSettings | { "type": "add", path: string, options: Array<[string, string]>, } | { "type": "set-options", engine: number, options: Array<[string, string]>, } | { "type": "remove", engine: number, } | { "type": "compare", engines: [number, number], sfen: string, } | { "type": "lines" } | { "type": "stop-comparing" } | { "type": "start-tournament" } & TournamentSettings | { "type": "standings" } | { "type": "stop-tournament" };

/**
 * How the engine inside the program is set up.
 */
export type BuiltinSettings = { threads: number, 
/**
 * In megabytes.
 */
hash: number, 
/**
 * `builtin`, or the path of a file.
 */
eval: string, 
/**
 * The path of a book; empty for none.
 */
book: string, 
/**
 * What the player is put together from, as words `part=value`; empty for what is usual.
 */
parts: string, };

/**
 * What a player of this program can be put together from.
 */
export type PlayerChoices = { search: Array<string>, board: Array<string>, table: Array<string>, 
/**
 * The players of the past.
 */
past: Array<PastPlayerView>, };

/**
 * A player of the past.
 */
export type PastPlayerView = { 
/**
 * Its number among the engines.
 */
id: number, name: string, parts: string, eval: string, };

/**
 * A tournament.
 */
export type TournamentSettings = { 
/**
 * The players; 0 is the engine inside the program, and the players of the past have numbers of
 * their own.
 */
engines: Array<number>, 
/**
 * How many times each meets each other, with both colours.
 */
rounds: number, 
/**
 * How long a move takes, in milliseconds.
 */
millis: number, };

/**
 * What the tab with the engines is sent.
 */
export type EnginesMessage = { "what": "state", builtin: BuiltinSettings, 
/**
 * How many threads this machine has.
 */
cores: number, engines: Array<EngineView>, choices: PlayerChoices, 
/**
 * Whether this page may start programs and read files.
 */
local: boolean, } | { "what": "lines", sides: Array<SideView>, } | { "what": "standings", 
/**
 * The game that is being played.
 */
live: LiveGameView | null, running: boolean, done: number, total: number, players: Array<TournamentStanding>, games: Array<TournamentGame>, error: string | null, };

/**
 * An engine that was added.
 */
export type EngineView = { id: number, name: string, path: string, options: Array<OptionView>, 
/**
 * Why it cannot be used, if it cannot.
 */
error: string | null, };

/**
 * An option of an engine.
 */
export type OptionView = { name: string, value: string, control: OptionControl, };

/**
 * How an option is set.
 */
export type OptionControl = { "kind": "check", default: boolean, } | { "kind": "spin", default: number, min: number, max: number, } | { "kind": "combo", default: string, choices: Array<string>, } | { "kind": "button" } | { "kind": "text", default: string, } | { "kind": "file", default: string, };

/**
 * What one of two engines says.
 */
export type SideView = { name: string, lines: Array<LineView>, error: string | null, };

/**
 * How a tournament stands.
 */
export type StandingsView = { running: boolean, done: number, total: number, players: Array<TournamentStanding>, games: Array<TournamentGame>, error: string | null, };

/**
 * A game of a tournament that is being played.
 */
export type LiveGameView = { black: string, white: string, plies: number, position: PositionView, };

/**
 * One player of a tournament.
 */
export type TournamentStanding = { name: string, wins: number, draws: number, losses: number, 
/**
 * Points against each player, in their order.
 */
against: Array<number>, };

/**
 * A game of a tournament that is over.
 */
export type TournamentGame = { black: string, white: string, 
/**
 * "b", "w" or "d".
 */
result: string, end: string, plies: number, 
/**
 * The number of the game in the library.
 */
id: number, };

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
