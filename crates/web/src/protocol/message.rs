//! What a page is sent: the state of its tab as far as it has not seen it, and answers.

use crate::protocol::engines::EnginesMessage;
use crate::protocol::explore::ExploreMessage;
use crate::protocol::library::LibraryMessage;
use crate::protocol::look::LookMessage;
use crate::protocol::position::{ColorLetter, LineView, MoveNames, MoveView, PositionView};
use crate::protocol::request::PlayerKind;
use crate::protocol::times::GameTimes;
use crate::protocol::train::TrainMessage;
use crate::user_error::UserError;
use serde::{Deserialize, Serialize};
use tesuji_record::{Ending, GameResult};
use tesuji_shogi::Color;
#[cfg(test)]
use ts_rs::TS;

/// One message to a page.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "type")]
pub(crate) enum ServerMessage<'s> {
    Play(PlayMessage<'s>),
    Analyse(AnalyseMessage<'s>),
    Live(LiveMessage<'s>),
    Review(ReviewMessage),
    Solve(SolveMessage<'s>),
    Lesson(LessonMessage),
    Explore(ExploreMessage),
    Library(LibraryMessage),
    Train(TrainMessage),
    Look(LookMessage),
    Engines(EnginesMessage),
    File(FileMessage),
    Link(LinkMessage),
    Several(SeveralMessage),
    Positions(PositionsMessage),
    Invitation(InvitationMessage),
    /// A game was not replaced: it has work in it that is nowhere else.
    Unsaved,
    Error(UserError),
}

impl ServerMessage<'_> {
    /// The message as it is sent.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("messages consist of plain values with text as keys")
    }
}

/// The play tab.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlayMessage<'s> {
    pub(crate) position: PositionView,
    pub(crate) game: GameUpdate<'s>,
    /// The node whose position is shown.
    pub(crate) shown: usize,
    /// Black and White.
    pub(crate) players: [PlayerKind; 2],
    pub(crate) clock: Option<ClockView>,
    pub(crate) over: Option<EndView>,
    pub(crate) can_move: bool,
    pub(crate) paused: bool,
    /// Whether the engine thinks about its move.
    pub(crate) thinking: bool,
    /// Whether the engine thinks about a hint.
    pub(crate) hinting: bool,
    pub(crate) hint: Option<&'s MoveView>,
    /// The side of whoever looks at the page, if there is a guest.
    pub(crate) seat: Option<ColorLetter>,
    /// Whether the page is the guest's.
    pub(crate) is_guest: bool,
    /// Whether the guest is there; `None` if nobody was invited.
    pub(crate) has_guest: Option<bool>,
}

/// Both clocks.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ClockView {
    /// Black and White.
    pub(crate) left: [TimeLeft; 2],
    pub(crate) running: Option<ColorLetter>,
    pub(crate) control: GameTimes,
}

/// What one clock shows, in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct TimeLeft {
    pub(crate) main: u64,
    pub(crate) byoyomi: u64,
}

/// The analysis tab.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct AnalyseMessage<'s> {
    pub(crate) position: PositionView,
    pub(crate) game: GameUpdate<'s>,
    /// Whether the engine thinks about the position.
    pub(crate) thinking: bool,
    /// How many lines it shows.
    pub(crate) lines: usize,
    /// How far the analysis of the whole game is, while it runs.
    pub(crate) game_analysis: Option<AnalysisProgress>,
    /// Whether there is work in the game that is nowhere else: it is not thrown away unasked.
    pub(crate) is_edited: bool,
    /// The move that was tried instead of a slip.
    pub(crate) trial: Option<&'s TrialView>,
}

/// A move that was tried instead of a slip.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct TrialView {
    /// The node of the slip.
    pub(crate) node: usize,
    pub(crate) tried: MoveView,
    pub(crate) verdict: TrialVerdict,
}

/// Whether a move that was tried is better than the slip.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TrialVerdict {
    /// The engine compares it with the best move.
    Thinking,
    /// It is the best move.
    Best,
    /// It costs next to nothing.
    Good,
    /// It is a slip as well.
    Bad,
}

/// What the review of a game found.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct ReviewMessage {
    /// How well Black and White played, in per cent; `None` without a move that was reviewed.
    pub(crate) accuracy: [Option<f64>; 2],
    /// The slips in the order of the game.
    pub(crate) slips: Vec<SlipView>,
}

/// A slip, and what would have been better.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SlipView {
    pub(crate) node: usize,
    pub(crate) color: ColorLetter,
    pub(crate) grade: SlipGrade,
    /// How much of the winning chance it cost, 0 to 1.
    pub(crate) loss: f64,
    /// What the best move is worth, for Black.
    pub(crate) best: i32,
    pub(crate) best_mate: Option<i32>,
    /// What the move is worth, for Black.
    pub(crate) played: i32,
    pub(crate) played_mate: Option<i32>,
    /// The better line.
    pub(crate) line: Vec<MoveView>,
    /// Whether the game turned here.
    pub(crate) is_turning_point: bool,
}

/// How many positions of a game have been evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct AnalysisProgress {
    pub(crate) done: usize,
    pub(crate) total: usize,
}

/// What the engine says while it thinks about the position of the analysis tab.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct LiveMessage<'s> {
    /// The node it thinks about.
    pub(crate) node: usize,
    pub(crate) turn: ColorLetter,
    pub(crate) lines: Vec<LineView>,
    pub(crate) game: GameUpdate<'s>,
}

/// The tab for mate problems.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct SolveMessage<'s> {
    pub(crate) position: PositionView,
    pub(crate) game: GameUpdate<'s>,
    pub(crate) attacker: ColorLetter,
    pub(crate) result: Option<&'s SolveResult>,
    pub(crate) solving: bool,
    pub(crate) progress: Option<SolveProgress>,
    /// What the last move of the user was worth.
    pub(crate) attempt: Option<SolveAttempt>,
}

/// What a move of the user in a mate problem was worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "verdict")]
pub(crate) enum SolveAttempt {
    /// The solver looks at it.
    Checking,
    /// It mates in so many plies more, the defender's answer counted.
    Right { left: usize },
    /// It does not mate; the defender's answer shows why.
    Wrong,
    /// It is mate.
    Solved,
    /// The solver does not know.
    Unknown,
}

/// What is known about a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case", tag = "found")]
pub(crate) enum SolveResult {
    /// Mate in so many plies; whether it is the shortest; the plies as composers count, and what
    /// is left in hand.
    Mate {
        plies: usize,
        shortest: bool,
        counted: usize,
        surplus: u32,
        nodes: u64,
    },
    NoMate {
        nodes: u64,
    },
    /// The search ended before it knew.
    Unknown {
        nodes: u64,
    },
}

/// How far the solver is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct SolveProgress {
    pub(crate) nodes: u64,
    pub(crate) millis: u64,
    pub(crate) depth: u32,
}

/// What changed in a game since the page was last told.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameUpdate<'s> {
    /// Whether the page has to forget every node it knows.
    pub(crate) is_new: bool,
    pub(crate) nodes: Vec<NodeView<'s>>,
    /// The node whose position is current.
    pub(crate) at: usize,
    /// The nodes whose moves were bad.
    pub(crate) slips: Vec<(usize, SlipGrade)>,
    /// Black and White by name, as far as they have one.
    pub(crate) players: [&'s str; 2],
    /// Whether White gave pieces: the sides have other names in Japanese then.
    pub(crate) is_handicap: bool,
}

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SlipGrade {
    Dubious,
    Mistake,
    Blunder,
}

/// A node of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[cfg_attr(test, ts(optional_fields))]
pub(crate) struct NodeView<'s> {
    pub(crate) id: usize,
    #[cfg_attr(test, ts(optional = false))]
    pub(crate) parent: Option<usize>,
    pub(crate) ply: usize,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(crate) mv: Option<String>,
    /// The name of the move in Japanese.
    pub(crate) ja: &'s str,
    /// The name of the move in Western notation.
    pub(crate) en: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<EndView>,
    pub(crate) comment: &'s str,
    /// How long its player thought, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<u64>,
    /// The evaluation for Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<i32>,
    /// Plies to the mate, negative if Black is mated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth: Option<u32>,
}

/// How a line ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct EndView {
    pub(crate) why: EndReason,
    pub(crate) winner: Option<ColorLetter>,
}

/// Why a line ended; the page has a text for each in both languages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum EndReason {
    Resignation,
    Interruption,
    Sealed,
    Repetition,
    Impasse,
    Draw,
    MoveLimit,
    Time,
    Foul,
    Declaration,
    Mate,
    NoMate,
    Default,
    Error,
}

impl EndView {
    pub(crate) fn new(ending: Ending, turn: Color) -> Self {
        let why = match ending {
            Ending::Resignation => EndReason::Resignation,
            Ending::Interruption => EndReason::Interruption,
            Ending::Sealed => EndReason::Sealed,
            Ending::Repetition => EndReason::Repetition,
            Ending::Impasse => EndReason::Impasse,
            Ending::Draw => EndReason::Draw,
            Ending::MoveLimit => EndReason::MoveLimit,
            Ending::Time => EndReason::Time,
            Ending::Foul { .. } => EndReason::Foul,
            Ending::Declaration => EndReason::Declaration,
            Ending::Mate => EndReason::Mate,
            Ending::NoMate => EndReason::NoMate,
            Ending::WonByDefault | Ending::LostByDefault => EndReason::Default,
            Ending::Error => EndReason::Error,
        };
        let winner = match ending.result(turn) {
            Some(GameResult::Win(color)) => Some(color.into()),
            _ => None,
        };
        Self { why, winner }
    }
}

/// A game as a file: its bytes in base 64, and its text.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct FileMessage {
    pub(crate) name: String,
    pub(crate) bytes: String,
    pub(crate) text: String,
}

/// A game as the part of an address behind `#game=`.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct LinkMessage {
    pub(crate) game: String,
    /// Where other machines find this server; none if they do not.
    pub(crate) addresses: Vec<String>,
}

/// An address to open elsewhere, and the code that a phone reads: its dots row by row, `1` for dark.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct InvitationMessage {
    pub(crate) url: String,
    /// How many dots stand in a row.
    pub(crate) size: usize,
    pub(crate) code: String,
}

/// Every position of the main line of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct PositionsMessage {
    pub(crate) positions: Vec<PositionView>,
    /// The node of each.
    pub(crate) nodes: Vec<usize>,
}

/// A text that was loaded holds several games; the first is shown.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct SeveralMessage {
    /// What they are called.
    pub(crate) titles: Vec<String>,
}

/// A text in both languages.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Bilingual {
    pub(crate) en: &'static str,
    pub(crate) ja: &'static str,
}

/// One lesson of the course: the algorithm, what is said about it, and every node it visited.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct LessonMessage {
    pub(crate) rung: &'static str,
    pub(crate) rungs: Vec<RungView>,
    pub(crate) title: Bilingual,
    pub(crate) idea: Bilingual,
    /// Questions with their answers.
    pub(crate) questions: Vec<(Bilingual, Bilingual)>,
    pub(crate) code: &'static str,
    pub(crate) has_window: bool,
    /// Whether values are those of Max at every node, as minimax sees them.
    pub(crate) for_max: bool,
    pub(crate) value: String,
    pub(crate) leaves: usize,
    pub(crate) tree: Option<String>,
    pub(crate) sfen: Option<String>,
    pub(crate) nodes: Vec<TracedNodeView>,
}

/// A rung of the ladder: an algorithm by name.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct RungView {
    pub(crate) name: &'static str,
    pub(crate) title: Bilingual,
}

/// A node as often as it was searched: its window, its value, and why the rest was cut.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct TracedNodeView {
    pub(crate) parent: Option<usize>,
    /// The branch that leads to it.
    pub(crate) name: String,
    /// The names of the move that leads to it, on a real position.
    #[serde(rename = "move")]
    pub(crate) mv: Option<MoveNames>,
    pub(crate) ply: u32,
    /// Whether Max is to move.
    pub(crate) max: bool,
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) value: i32,
    pub(crate) source: ValueSource,
    pub(crate) cut: Option<CutView>,
    /// The branches that were cut.
    pub(crate) left: Vec<String>,
}

/// Where the value of a visited node comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ValueSource {
    Evaluated,
    Searched,
    Table,
}

/// Why the rest of a node was cut.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct CutView {
    pub(crate) rule: String,
    pub(crate) en: String,
    pub(crate) ja: String,
}
