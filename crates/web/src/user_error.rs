//! Errors as users read them, in both languages.

use serde::Serialize;
use std::path::Path;
use tesuji_engine::PanicReport;
use tesuji_record::{ReadError, ReadProblem, Refusal};
use tesuji_shogi::rules::Foul;
use tesuji_shogi::{Color, Obstacle, PieceKind, SetupError, SfenError};

/// An error as a sentence in English and Japanese.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct UserError {
    pub(crate) en: String,
    pub(crate) ja: String,
}

impl UserError {
    /// A file that the user named is not there.
    pub(crate) fn no_such_file(path: &str) -> Self {
        Self::new(
            format!("There is no file {path}: give its whole path."),
            format!("ファイル {path} がありません。絶対パスを入力してください。"),
        )
    }

    /// A sentence in both languages.
    pub(crate) fn new(en: impl Into<String>, ja: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            ja: ja.into(),
        }
    }

    /// A request that is none of the protocol: a page of another version, most likely.
    pub(crate) fn unknown_request(error: &serde_json::Error) -> Self {
        Self::new(
            format!("The page asked for something unknown: {error}. Reload it."),
            format!("ページからの要求を理解できません({error})。再読み込みしてください。"),
        )
    }

    pub(crate) fn no_such_move() -> Self {
        Self::new(
            "There is no such move in this game any more.",
            "その手はもう棋譜にありません。",
        )
    }

    pub(crate) fn not_a_move(text: &str) -> Self {
        let text: String = text.chars().take(16).collect();
        Self::new(
            format!("“{text}” is not a move."),
            format!("「{text}」は指し手ではありません。"),
        )
    }

    pub(crate) fn too_many_moves(most: usize) -> Self {
        Self::new(
            format!("This game already has {most} moves: save it and begin another."),
            format!("棋譜が {most} 手に達しました。保存してから新しく始めてください。"),
        )
    }

    /// A book that cannot be read or written.
    pub(crate) fn book(error: &tesuji_book::BookError) -> Self {
        Self::new(
            format!("The book cannot be used: {error}."),
            format!("定跡ファイルを使えません({error})。"),
        )
    }

    /// A line of the user's own book that makes no sense.
    pub(crate) fn own_book(path: &Path, error: &tesuji_book::BookError) -> Self {
        let path = path.display();
        Self::new(
            format!(
                "{path}: {error}. It is left out; the book can be changed here again when an editor \
                 has repaired it."
            ),
            format!(
                "{path}: {error}。この行は使われません。エディターで直すまで、ここでは編集できません。"
            ),
        )
    }

    pub(crate) fn not_your_turn() -> Self {
        Self::new("It is not your turn.", "あなたの手番ではありません。")
    }

    /// Nobody else can open the board.
    pub(crate) fn not_reachable() -> Self {
        Self::new(
            "Only this computer can open the board now. Start it with “tesuji play --host 0.0.0.0 \
             --token …” (a word of 16 letters or more) so that others in your network can.",
            "いまはこのコンピューターからしか開けません。「tesuji play --host 0.0.0.0 --token …」\
             (16 文字以上の合言葉)で起動すると、同じネットワークの端末から開けます。",
        )
    }

    /// A place at the board that is not there any more.
    pub(crate) fn only_the_host() -> Self {
        Self::new(
            "Only whoever invited you can do that.",
            "それは招いた人だけができます。",
        )
    }

    /// A guest is invited while a game runs that has no place for one.
    pub(crate) fn no_place_for_guest() -> Self {
        Self::new(
            "A game against the engine is running: finish it, or begin a game between two people.",
            "エンジンとの対局中です。終えてから招くか、二人の対局を始めてください。",
        )
    }

    /// A move of the attacker in a mate problem that is no check.
    pub(crate) fn not_a_check() -> Self {
        Self::new(
            "That is no check: in a mate problem every move of the attacker gives check.",
            "王手ではありません。詰将棋の攻方は王手の連続で詰めます。",
        )
    }

    pub(crate) fn game_over() -> Self {
        Self::new("The game is over.", "対局は終わっています。")
    }

    pub(crate) fn refused(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Over => Self::game_over(),
            Refusal::TooLong => Self::too_many_moves(tesuji_record::Game::LONGEST),
            Refusal::Foul(foul) => Self::new(
                format!("An illegal move: {foul}."),
                format!("反則です。{}。", foul_ja(foul)),
            ),
        }
    }

    pub(crate) fn obstacle(obstacle: Obstacle) -> Self {
        let ja = match obstacle {
            Obstacle::NoRule => "この対局に入玉宣言はありません".into(),
            Obstacle::NoKing => "玉がありません".into(),
            Obstacle::NoTry(square) => format!("玉が {square} へ動けません"),
            Obstacle::NotInZone => "玉が敵陣三段目以内に入っていません".into(),
            Obstacle::InCheck => "王手がかかっています".into(),
            Obstacle::TooFewPieces(count) => {
                format!("敵陣の駒が {count} 枚です(玉のほかに 10 枚必要)")
            }
            Obstacle::TooFewPoints { points, needed } => {
                format!("{points} 点です({needed} 点必要)")
            }
        };
        Self::new(
            format!("You cannot declare yet: {obstacle}."),
            format!("まだ宣言できません。{ja}。"),
        )
    }

    pub(crate) fn unreadable(error: &ReadError) -> Self {
        Self::new(
            format!("Line {} cannot be read: {}.", error.line, error.problem),
            format!(
                "{} 行目が読めません。{}。",
                error.line,
                problem_ja(&error.problem)
            ),
        )
    }

    /// A record was read as far as it could be.
    pub(crate) fn read_up_to(fault: &ReadError, moves: usize) -> Self {
        let why = Self::unreadable(fault);
        Self::new(
            format!("{} The {moves} moves before it are shown.", why.en),
            format!("{}それまでの {moves} 手を表示しています。", why.ja),
        )
    }

    /// A text that is an address: nothing is fetched from elsewhere.
    pub(crate) fn address() -> Self {
        Self::new(
            "This is an address. The board fetches nothing from elsewhere: open it in the browser \
             and copy the record itself, or save it as a file and drop that here.",
            "これはアドレスです。外部からは取得しません。ブラウザで開いて棋譜そのものを貼り付けるか、\
             ファイルを落としてください。",
        )
    }

    /// A text that looks like no record.
    pub(crate) fn prose(first: &str) -> Self {
        let first: String = first.chars().take(40).collect();
        Self::new(
            format!(
                "“{first}” is neither a record nor a position: paste KIF, KI2, CSA, JKF, USI or an \
                 SFEN."
            ),
            format!(
                "「{first}」は棋譜でも局面でもありません。KIF・KI2・CSA・JKF・USI か SFEN を貼り付けて\
                 ください。"
            ),
        )
    }

    /// A text has fewer games.
    pub(crate) fn no_such_game() -> Self {
        Self::new("There is no such game.", "その番号の棋譜はありません。")
    }

    pub(crate) fn problem(problem: &ReadProblem) -> Self {
        Self::new(
            format!("The record cannot be read: {problem}."),
            format!("棋譜が読めません。{}。", problem_ja(problem)),
        )
    }

    pub(crate) fn position(error: &SfenError) -> Self {
        Self::new(
            format!("This is no position: {error}."),
            format!("局面として読めません。{}。", sfen_ja(error)),
        )
    }

    pub(crate) fn busy() -> Self {
        Self::new(
            "Two searches are running already: stop one of them first.",
            "すでに二つの探索が動いています。どちらかを止めてください。",
        )
    }

    pub(crate) fn engine(why: &str) -> Self {
        Self::new(
            format!("The engine cannot start: {why}. The board works without it."),
            format!("エンジンを起動できません({why})。盤はそのまま使えます。"),
        )
    }

    /// Something panicked. The whole report lies in a file, if there is room for it.
    pub(crate) fn panicked(report: &PanicReport) -> Self {
        let told = report.told();
        Self::new(
            format!("A mistake of this program ended what you asked for: {told}."),
            format!("プログラムの誤りで処理が中断しました({told})。"),
        )
    }

    /// What was kept of a session cannot be read, and lies aside under another name.
    pub(crate) fn put_aside(why: &str, aside: &Path) -> Self {
        let aside = aside.display();
        Self::new(
            format!("The games kept here cannot be read ({why}). They are not lost: {aside}."),
            format!("保存された棋譜を読めません({why})。{aside} に残してあります。"),
        )
    }

    /// What was kept of a session can neither be read nor put aside.
    pub(crate) fn not_kept(why: &str, path: &Path) -> Self {
        let path = path.display();
        Self::new(
            format!("{path} cannot be read ({why}), so that games are not kept this time."),
            format!("{path} を読めないため({why})、今回の棋譜は保存されません。"),
        )
    }

    pub(crate) fn no_game(what: &str) -> Self {
        Self::new(
            format!("This text is no game: {what}."),
            format!("棋譜として読めません({what})。"),
        )
    }
}

const fn foul_ja(foul: Foul) -> &'static str {
    match foul {
        Foul::NoPiece => "そこに駒がありません",
        Foul::NotYours => "相手の駒です",
        Foul::CannotReach => "その駒はそこへ動けません",
        Foul::Occupied => "そのマスには駒があります",
        Foul::CannotPromote => "そこでは成れません",
        Foul::NotInHand => "その駒を持っていません",
        Foul::DeadEnd => "行き所のない駒になります",
        Foul::TwoPawns => "二歩です",
        Foul::IgnoredCheck => "王手放置です",
        Foul::PawnDropMate => "打ち歩詰めです",
    }
}

fn problem_ja(problem: &ReadProblem) -> String {
    match problem {
        ReadProblem::Line(line) => format!("「{line}」はこの形式の行ではありません"),
        ReadProblem::Missing(_) => "棋譜が途中で切れています".into(),
        ReadProblem::Move(text, _) => format!("「{text}」は指し手ではありません"),
        ReadProblem::Name(error) => format!("指し手を特定できません({error})"),
        ReadProblem::Foul { mv, foul } => format!("「{mv}」は反則です({})", foul_ja(*foul)),
        ReadProblem::Turn(mv) => format!("「{mv}」は相手の手番の手です"),
        ReadProblem::Number { found, before } => format!("{before} 手目の次が {found} 手目です"),
        ReadProblem::Over(mv) => format!("終局の後に「{mv}」があります"),
        ReadProblem::TooLong => "手数が多すぎます".into(),
        ReadProblem::Variation(number) => format!("{number} 手目の変化に対応する本譜がありません"),
        ReadProblem::Board(text, _) => format!("開始局面の「{text}」が読めません"),
        ReadProblem::Setup(error) => format!("開始局面が成り立ちません({})", setup_ja(*error)),
        ReadProblem::Sfen(error) => sfen_ja(error),
        ReadProblem::Time(text) => format!("「{text}」は時間ではありません"),
        ReadProblem::Json(_) => "JKF 形式の JSON ではありません".into(),
        ReadProblem::Encoding(_) => "UTF-8・Shift_JIS・EUC-JP のどれでもありません".into(),
        ReadProblem::DoubtfulEncoding => "Shift_JIS か EUC-JP か決められません".into(),
    }
}

fn sfen_ja(error: &SfenError) -> String {
    match error {
        SfenError::Setup(error) => setup_ja(*error),
        error => format!("SFEN ではありません({error})"),
    }
}

/// What is wrong with a position, in Japanese.
pub(crate) fn setup_ja(error: SetupError) -> String {
    match error {
        SetupError::TwoKings(color, _) => format!("{}の玉が二枚あります", side(color)),
        SetupError::TooMany { kind, found, most } => {
            format!("{}が {found} 枚あります({most} 枚まで)", kind_ja(kind))
        }
        SetupError::TwoPawns(color, file) => {
            format!("{}の歩が {file} 筋に二枚あります", side(color))
        }
        SetupError::DeadEnd {
            color,
            kind,
            square,
        } => format!(
            "{}の {square} の{}は行き所がありません",
            side(color),
            kind_ja(kind)
        ),
        SetupError::CanTakeKing(color) => format!("手番の{}が相手の玉を取れます", side(color)),
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

const fn kind_ja(kind: PieceKind) -> char {
    kind.kanji()
}
