//! The TypeScript declarations of the page, made from the types of the protocol.

use super::engines::{
    BuiltinSettings, EngineView, EnginesMessage, EnginesRequest, LiveGameView, OptionControl,
    OptionView, PastPlayerView, PlayerChoices, SideView, StandingsView, TournamentGame,
    TournamentSettings, TournamentStanding,
};
use super::explore::{BookMoveView, BookView, ExploreMessage, ExploreRequest, WinView};
use super::library::{
    ActKind, ActView, GameNames, GameOrder, GameSearch, GameSource, ImportFailure, LibraryGame,
    LibraryMessage, LibraryRequest, OpeningCount, RecordFile, RecordText, VersionView,
};
use super::look::{BrinkmateFound, BrinkmateView, LookMessage, LookRequest, MoveFacts, ThreatView};
use super::message::{
    AnalyseMessage, AnalysisProgress, Bilingual, ClockView, CutView, EndReason, EndView,
    FileMessage, GameUpdate, InvitationMessage, LessonMessage, LinkMessage, LiveMessage, NodeView,
    PlayMessage, PositionsMessage, ReviewMessage, RungView, ServerMessage, SeveralMessage,
    SlipGrade, SlipView, SolveAttempt, SolveMessage, SolveProgress, SolveResult, TimeLeft,
    TracedNodeView, TrialVerdict, TrialView, ValueSource,
};
use super::position::{BoundSign, ColorLetter, LineView, MoveNames, MoveView, PositionView};
use super::request::{
    AnalyseRequest, GameTab, Hello, InvitationKind, LearnRequest, LessonRequest, LessonRoot,
    NewGame, PlayRequest, PlayerKind, RecordSource, Request, SolveRequest, StartPosition, Tab,
};
use super::train::{
    ProblemSetView, ProblemView, ProofBranch, ProofView, RemovedSet, SetKind, SolvingProgress,
    StepVerdict, StepView, TrainMessage, TrainMove, TrainRequest,
};
use crate::protocol::times::GameTimes;
use crate::user_error::UserError;
use std::path::Path;
use ts_rs::{Config, TS};

fn declarations() -> String {
    // Every number stays far below 2^53.
    let config = Config::new().with_large_int("number");
    let mut text = "// The messages between the page and its server, made from the types of the server by\n\
                    // `UPDATE=1 cargo test -p tesuji-web --lib typescript`. Do not edit it by hand.\n"
        .to_owned();
    macro_rules! add {
        ($($name:ty),* $(,)?) => {
            $(
                text.push('\n');
                text.push_str(&<$name as TS>::docs().unwrap_or_default());
                text.push_str("export ");
                text.push_str(&<$name as TS>::decl(&config));
                text.push('\n');
            )*
        };
    }
    add!(
        Hello,
        Tab,
        GameTab,
        Request,
        InvitationKind,
        PlayRequest,
        NewGame,
        StartPosition,
        PlayerKind,
        GameTimes,
        AnalyseRequest,
        SolveRequest,
        LearnRequest,
        ExploreRequest,
        LessonRequest,
        LessonRoot,
        RecordSource,
        ServerMessage<'static>,
        PlayMessage<'static>,
        ClockView,
        TimeLeft,
        AnalyseMessage<'static>,
        AnalysisProgress,
        TrialView,
        TrialVerdict,
        ReviewMessage,
        SlipView,
        LiveMessage<'static>,
        LineView,
        BoundSign,
        SolveMessage<'static>,
        SolveResult,
        SolveProgress,
        SolveAttempt,
        PositionView,
        ColorLetter,
        MoveView,
        GameUpdate<'static>,
        NodeView<'static>,
        EndView,
        EndReason,
        SlipGrade,
        LessonMessage,
        RungView,
        TracedNodeView,
        MoveNames,
        ValueSource,
        CutView,
        Bilingual,
        ExploreMessage,
        BookView,
        BookMoveView,
        WinView,
        LibraryRequest,
        GameSearch,
        GameOrder,
        GameSource,
        GameNames,
        RecordFile,
        LibraryMessage,
        LibraryGame,
        OpeningCount,
        ActView,
        ActKind,
        ImportFailure,
        RecordText,
        VersionView,
        LookRequest,
        LookMessage,
        MoveFacts,
        ThreatView,
        BrinkmateView,
        BrinkmateFound,
        TrainRequest,
        TrainMove,
        TrainMessage,
        ProblemSetView,
        SetKind,
        SolvingProgress,
        RemovedSet,
        ProblemView,
        StepView,
        StepVerdict,
        ProofView,
        ProofBranch,
        EnginesRequest,
        BuiltinSettings,
        PlayerChoices,
        PastPlayerView,
        TournamentSettings,
        EnginesMessage,
        EngineView,
        OptionView,
        OptionControl,
        SideView,
        StandingsView,
        LiveGameView,
        TournamentStanding,
        TournamentGame,
        FileMessage,
        LinkMessage,
        SeveralMessage,
        PositionsMessage,
        InvitationMessage,
        UserError,
    );
    text
}

#[test]
fn the_declarations_of_the_page_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page/protocol.d.ts");
    let made = declarations();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == made,
        "page/protocol.d.ts is out of date: run `UPDATE=1 cargo test -p tesuji-web --lib typescript`"
    );
}
