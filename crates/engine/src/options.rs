//! Everything that can be set, in one table.
//!
//! Most names and meanings are those of YaneuraOu, some those of Stockfish.

use Preset::{Button, Check, Choice, Combo, File, Spin, Text};
use std::fmt;
use tesuji_search::players::{BoardName, PastPlayer, PlayerParts, SearchName};
use tesuji_search::{Params, TimeParams};
use tesuji_shogi::DeclarationRule;
use tesuji_usi::{OptionKind, OptionLine, unescape_empty};

/// What an option is before anybody sets it.
#[derive(Clone, Copy)]
enum Preset {
    Check(bool),
    Spin(i32, i32, i32),
    /// A rule of declaration.
    Combo(DeclarationRule),
    /// One of several words, the first unless somebody says otherwise.
    Choice(&'static [&'static str]),
    Button,
    Text(&'static str),
    File(&'static str),
}

macro_rules! options {
    ($($(#[doc = $doc:literal])* $id:ident $name:literal $preset:expr;)*) => {
        /// The name of an option.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum OptionName {
            $($(#[doc = $doc])* $id),*
        }

        const TABLE: &[(OptionName, &str, Preset)] = &[$((OptionName::$id, $name, $preset)),*];
    };
}

options! {
    /// The size of the transposition table in megabytes.
    Hash "USI_Hash" Spin(256, 1, 1 << 20);
    /// The GUI lets the engine ponder: moves may take a quarter longer.
    Ponder "USI_Ponder" Check(false);
    Threads "Threads" Spin(1, 1, 512);
    MultiPv "MultiPV" Spin(1, 1, 800);
    /// An evaluator by name or by file; without one, that in `EvalDir`, without that the built-in.
    EvalFile "EvalFile" File("");
    EvalDir "EvalDir" Text("");
    /// 0 leaves it to the file beside the network.
    FvScale "FV_SCALE" Spin(0, 0, 1024);
    NetworkDelay "NetworkDelay" Spin(20, 0, 10_000);
    NetworkDelay2 "NetworkDelay2" Spin(60, 0, 10_000);
    MinimumThinkingTime "MinimumThinkingTime" Spin(0, 0, 100_000);
    SlowMover "SlowMover" Spin(100, 1, 1000);
    RoundUpToFullSecond "RoundUpToFullSecond" Check(false);
    /// 0 is no limit.
    MaxMovesToDraw "MaxMovesToDraw" Spin(0, 0, 100_000);
    EnteringKingRule "EnteringKingRule" Combo(DeclarationRule::Points27);
    /// Resigns when it is worse off than this.
    ResignValue "ResignValue" Spin(99_999, 0, 99_999);
    DrawValueBlack "DrawValueBlack" Spin(0, -30_000, 30_000);
    DrawValueWhite "DrawValueWhite" Spin(0, -30_000, 30_000);
    GenerateAllLegalMoves "GenerateAllLegalMoves" Check(false);
    StochasticPonder "Stochastic_Ponder" Check(false);
    LimitStrength "USI_LimitStrength" Check(false);
    /// Counts only together with `USI_LimitStrength`.
    Strength "USI_Strength" Spin(20, 0, 20);
    SkillLevel "SkillLevel" Spin(20, 0, 20);
    /// 0 is no limit.
    NodesLimit "NodesLimit" Spin(0, 0, i32::MAX);
    /// 0 is no limit.
    DepthLimit "DepthLimit" Spin(0, 0, 255);
    /// `go mate` looks for the shortest mate once it has found one.
    ShortestMate "ShortestMate" Check(true);
    /// No book, no resigning, and a draw is a draw.
    AnalyseMode "USI_AnalyseMode" Check(false);
    OwnBook "USI_OwnBook" Check(true);
    /// `builtin` is the book inside the program, `no_book` none.
    BookFile "BookFile" Text("builtin");
    BookDir "BookDir" Text("book");
    /// Up to which move the book is asked.
    BookMoves "BookMoves" Spin(200, 0, 10_000);
    /// How much worse than the best a move of the book may be.
    BookEvalDiff "BookEvalDiff" Spin(30, 0, 99_999);
    BookEvalBlackLimit "BookEvalBlackLimit" Spin(0, -99_999, 99_999);
    BookEvalWhiteLimit "BookEvalWhiteLimit" Spin(-140, -99_999, 99_999);
    /// Positions whose best move was searched less deeply are passed over; 0 is no limit. Moves of
    /// depth 0 were typed by a person and count as deep enough.
    BookDepthLimit "BookDepthLimit" Spin(16, 0, 99_999);
    /// How often the book is passed over, in percent.
    BookIgnoreRate "BookIgnoreRate" Spin(0, 0, 100);
    /// Leaves out moves that were played in less than a tenth of the games.
    NarrowBook "NarrowBook" Check(false);
    /// Chooses more often what was played more often.
    ConsiderBookMoveCount "ConsiderBookMoveCount" Check(false);
    /// Leaves large sorted text files on disk; binary ones always stay there.
    BookOnTheFly "BookOnTheFly" Check(true);
    IgnoreBookPly "IgnoreBookPly" Check(true);
    /// Looks for the position turned round as well.
    FlippedBook "FlippedBook" Check(true);
    /// How much of the line in the book is shown.
    BookPvMoves "BookPvMoves" Spin(8, 1, 246);
    /// A player of the past: sets the options below to its parts, and `EvalFile` if there is none.
    Preset "Preset" Choice(&["none", "kuma2013", "tenuki2019", "osl2003"]);
    /// Which search plays.
    Search "Search" Choice(SEARCHES);
    /// On which board it searches.
    Board "Board" Choice(BoardName::NAMES);
    /// What it remembers; `usual` is what suits the search.
    Table "Table" Choice(&["usual", "none", "best-move", "bounds"]);
    /// Whether captures run out before a leaf is evaluated; `usual` is what suits the search.
    Quiescence "Quiescence" Choice(&["usual", "on", "off"]);
    /// Parts of the classic search.
    NullMove "NullMove" Check(true);
    Futility "Futility" Check(true);
    Reductions "Reductions" Check(true);
    MateInOne "MateInOne" Check(true);
    /// Proof search (df-pn) at the nodes of the tournament search: so many nodes each, 0 for none.
    LeafMateNodes "LeafMateNodes" Spin(0, 0, 10_000);
    ClearHash "ClearHash" Button;
}

/// The searches, with the one that plays tournaments first.
const SEARCHES: &[&str] = &{
    let mut names = [""; SearchName::NAMES.len()];
    let last = names.len() - 1;
    names[0] = SearchName::NAMES[last];
    let mut i = 0;
    while i < last {
        names[i + 1] = SearchName::NAMES[i];
        i += 1;
    }
    names
};

/// What an option is called that leaves a part as it usually is.
pub(crate) const USUAL: &str = "usual";

/// The options that put a player together, by the names of the parts.
pub(crate) const PART_OPTIONS: [(&str, OptionName); 8] = [
    ("search", OptionName::Search),
    ("board", OptionName::Board),
    ("table", OptionName::Table),
    ("quiescence", OptionName::Quiescence),
    ("null-move", OptionName::NullMove),
    ("futility", OptionName::Futility),
    ("reductions", OptionName::Reductions),
    ("mate", OptionName::MateInOne),
];

/// Other names under which GUIs know an option.
const ALIASES: [(&str, OptionName); 4] = [
    ("Hash", OptionName::Hash),
    ("USI_MultiPV", OptionName::MultiPv),
    ("Skill_Level", OptionName::SkillLevel),
    ("Clear_Hash", OptionName::ClearHash),
];

/// What an option is set to.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Setting {
    Yes(bool),
    Number(i32),
    Rule(DeclarationRule),
    Text(String),
    Nothing,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes(yes) => write!(f, "{yes}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Rule(rule) => write!(f, "{rule}"),
            Self::Text(text) if text.is_empty() => write!(f, "<empty>"),
            Self::Text(text) => write!(f, "{text}"),
            Self::Nothing => write!(f, "(button)"),
        }
    }
}

impl Preset {
    fn setting(self) -> Setting {
        match self {
            Check(yes) => Setting::Yes(yes),
            Spin(number, ..) => Setting::Number(number),
            Combo(rule) => Setting::Rule(rule),
            Choice(words) => Setting::Text(words[0].into()),
            Text(text) | File(text) => Setting::Text(text.into()),
            Button => Setting::Nothing,
        }
    }

    fn kind(self) -> OptionKind {
        match self {
            Check(yes) => OptionKind::Check(yes),
            Spin(default, min, max) => OptionKind::Spin { default, min, max },
            Combo(rule) => OptionKind::Combo {
                default: rule.to_string(),
                choices: DeclarationRule::ALL.map(|rule| rule.to_string()).into(),
            },
            Choice(words) => OptionKind::Combo {
                default: words[0].into(),
                choices: words.iter().map(|&word| word.into()).collect(),
            },
            Button => OptionKind::Button,
            Text(text) => OptionKind::Text(text.into()),
            File(text) => OptionKind::File(text.into()),
        }
    }

    fn read(self, value: &str) -> Result<Setting, String> {
        let number = |min: i32, max: i32| {
            let number = value.parse::<i64>().ok();
            let number = number.and_then(|number| i32::try_from(number).ok());
            number
                .filter(|number| (min..=max).contains(number))
                .ok_or_else(|| format!("a number from {min} to {max}"))
        };
        match self {
            Check(_) => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "yes" | "1" => Ok(Setting::Yes(true)),
                "false" | "off" | "no" | "0" => Ok(Setting::Yes(false)),
                _ => Err("true or false".into()),
            },
            Spin(_, min, max) => number(min, max).map(Setting::Number),
            Combo(_) => {
                let rule = value.parse().map(Setting::Rule);
                rule.map_err(|error: tesuji_shogi::rules::DeclarationRuleError| error.to_string())
            }
            Choice(words) => {
                let word = words.iter().find(|word| word.eq_ignore_ascii_case(value));
                word.map(|&word| Setting::Text(word.into()))
                    .ok_or_else(|| format!("one of {}", words.join(", ")))
            }
            Button => Ok(Setting::Nothing),
            Text(_) | File(_) => Ok(Setting::Text(unescape_empty(value).into())),
        }
    }
}

/// Why an option was not set; it stays as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("there is no option {0}")]
    Unknown(String),
    #[error("{name} stays {old}: expected {expected}, found {found:?}")]
    Value {
        name: &'static str,
        old: String,
        expected: String,
        found: String,
    },
}

/// What everything is set to.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    settings: Vec<Setting>,
    /// The numbers of the search, as far as time management needs them.
    params: Params,
}

impl Default for Options {
    fn default() -> Self {
        let presets = TABLE.iter().map(|(_, _, preset)| preset.setting());
        Self {
            settings: presets.collect(),
            params: Params::default(),
        }
    }
}

impl Options {
    /// All lines that tell a GUI what can be set.
    pub(crate) fn lines() -> impl Iterator<Item = OptionLine> {
        TABLE.iter().map(|(_, name, preset)| OptionLine {
            name: (*name).into(),
            kind: preset.kind(),
        })
    }

    /// Notes a number of the search; `false` if there is none that can be so.
    pub(crate) fn tune(&mut self, name: &str, value: i32) -> bool {
        self.params.set(name, value)
    }

    /// The numbers by which a clock is shared out.
    pub(crate) fn time_params(&self) -> TimeParams {
        self.params.time()
    }

    /// The option of a name, in capitals or not.
    pub(crate) fn find(name: &str) -> Option<OptionName> {
        let declared = TABLE.iter().map(|&(id, known, _)| (known, id));
        declared
            .chain(ALIASES)
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, id)| id)
    }

    /// Sets an option; which one it was.
    pub(crate) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<OptionName, OptionError> {
        let id = Self::find(name)
            .ok_or_else(|| OptionError::Unknown(name.chars().take(40).collect()))?;
        let (_, known, preset) = TABLE[id as usize];
        let value = value.unwrap_or("").trim();
        self.settings[id as usize] = preset.read(value).map_err(|expected| OptionError::Value {
            name: known,
            old: self.settings[id as usize].to_string(),
            expected,
            found: value.chars().take(40).collect(),
        })?;
        if let (OptionName::Preset, Ok(player)) = (id, value.parse::<PastPlayer>()) {
            self.put_together(player);
        }
        Ok(id)
    }

    /// Sets every part to that of a player of the past, and its evaluator if there is none yet.
    fn put_together(&mut self, player: PastPlayer) {
        let PlayerParts {
            search,
            board,
            table,
            quiescence,
            switches,
        } = player.parts();
        let on_or_off = |is_on| if is_on { "on" } else { "off" };
        let values = [
            search.name(),
            board.name(),
            table.map_or(USUAL, |table| table.name()),
            quiescence.map_or(USUAL, on_or_off),
            on_or_off(switches.null_move),
            on_or_off(switches.futility),
            on_or_off(switches.reductions),
            on_or_off(switches.mate),
        ];
        for ((_, id), value) in PART_OPTIONS.into_iter().zip(values) {
            let (_, name, preset) = TABLE[id as usize];
            match preset.read(value) {
                Ok(setting) => self.settings[id as usize] = setting,
                Err(expected) => debug_assert!(false, "{name}: {value} is not {expected}"),
            }
        }
        if self.text(OptionName::EvalFile).is_empty() && self.text(OptionName::EvalDir).is_empty() {
            self.settings[OptionName::EvalFile as usize] =
                Setting::Text(player.usual_eval().into());
        }
    }

    /// Sets an option unless somebody set it to something unusual before.
    pub(crate) fn suggest(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let is_usual =
            |id: OptionName| self.settings[id as usize] == TABLE[id as usize].2.setting();
        if Self::find(name).is_none_or(is_usual) {
            self.set(name, Some(value))?;
        }
        Ok(())
    }

    /// A name and what it is set to, as text.
    pub(crate) fn show(&self, id: OptionName) -> String {
        format!("{} = {}", TABLE[id as usize].1, self.settings[id as usize])
    }

    /// All of them.
    pub(crate) fn show_all(&self) -> impl Iterator<Item = String> + '_ {
        TABLE.iter().map(|&(id, ..)| self.show(id))
    }

    /// Whether a check is on.
    pub(crate) fn is_on(&self, id: OptionName) -> bool {
        self.settings[id as usize] == Setting::Yes(true)
    }

    /// Whether it is a check.
    pub(crate) fn is_check(&self, id: OptionName) -> bool {
        matches!(self.settings[id as usize], Setting::Yes(_))
    }

    /// What a spin is set to.
    pub(crate) fn number(&self, id: OptionName) -> i32 {
        match self.settings[id as usize] {
            Setting::Number(number) => number,
            _ => 0,
        }
    }

    /// What a spin that cannot be negative is set to.
    pub(crate) fn count(&self, id: OptionName) -> u32 {
        self.number(id).unsigned_abs()
    }

    /// A limit for which 0 means none.
    pub(crate) fn limit(&self, id: OptionName) -> Option<u32> {
        Some(self.count(id)).filter(|&limit| limit > 0)
    }

    /// What a text is set to.
    pub(crate) fn text(&self, id: OptionName) -> &str {
        match &self.settings[id as usize] {
            Setting::Text(text) => text,
            _ => "",
        }
    }

    /// By which rule a side may declare.
    pub(crate) fn rule(&self) -> DeclarationRule {
        match self.settings[OptionName::EnteringKingRule as usize] {
            Setting::Rule(rule) => rule,
            _ => DeclarationRule::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_case_and_stand_in_order() {
        for (place, &(id, name, _)) in TABLE.iter().enumerate() {
            assert_eq!(id as usize, place);
            assert_eq!(Options::find(&name.to_lowercase()), Some(id));
            assert!(!name.contains(' '));
        }
    }

    #[test]
    fn what_is_out_of_range_changes_nothing() {
        let mut options = Options::default();
        assert_eq!(options.set("THREADS", Some("4")), Ok(OptionName::Threads));
        for bad in ["0", "513", "99999999999999999999", "-1", "many", ""] {
            let error = options.set("Threads", Some(bad)).unwrap_err().to_string();
            assert!(error.starts_with("Threads stays 4: expected a number from 1 to 512"));
        }
        assert_eq!(options.number(OptionName::Threads), 4);
        assert!(options.set("NoSuch", Some("1")).is_err());
        options.set("EvalDir", Some("<empty>")).unwrap();
        assert_eq!(options.text(OptionName::EvalDir), "");
        options.set("EnteringKingRule", Some("TryRule")).unwrap();
        assert_eq!(options.rule(), DeclarationRule::TryRule);
        assert!(options.set("EnteringKingRule", Some("Rule")).is_err());
    }

    #[test]
    fn a_player_of_the_past_is_put_together() {
        for player in PastPlayer::ALL {
            let mut options = Options::default();
            assert_eq!(options.config().parts, PlayerParts::default());
            options.set("Preset", Some(player.name())).unwrap();
            assert_eq!(options.config().parts, player.parts());
            assert_eq!(options.text(OptionName::EvalFile), player.usual_eval());
            options.set("Search", Some("PVS")).unwrap();
            assert_eq!(options.config().parts.search, SearchName::Pvs);
        }
        let mut options = Options::default();
        let error = options.set("search", Some("plasma")).unwrap_err();
        let said = "Search stays tournament: expected one of tournament, minimax, negamax";
        assert!(error.to_string().starts_with(said), "{error}");
        options.set("EvalFile", Some("material")).unwrap();
        options.set("Preset", Some("osl2003")).unwrap();
        assert_eq!(options.text(OptionName::EvalFile), "material");
    }

    #[test]
    fn a_suggestion_yields_to_what_was_set() {
        let mut options = Options::default();
        options.suggest("Threads", "3").unwrap();
        assert_eq!(options.number(OptionName::Threads), 3);
        options.suggest("Threads", "2").unwrap();
        assert_eq!(options.number(OptionName::Threads), 3);
        assert!(options.suggest("Thread", "2").is_err());
    }
}
