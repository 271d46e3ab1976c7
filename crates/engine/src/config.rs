//! The configuration of an engine, and what the USI options mean to a search.

use crate::options::{OptionName, Options, PART_OPTIONS, USUAL};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_book::BUILTIN;
use tesuji_book::probe::{Selection, priorities};
use tesuji_eval::EvalSpec;
use tesuji_search::players::PlayerParts;
use tesuji_search::tournament::AnyTournament;
use tesuji_search::{Rules, SearchLimits, TimeBudget, TimeSettings};
use tesuji_shogi::{ByColor, Color, Value};
use tesuji_usi::{Go, MateLimit, Times};

/// What must be loaded and set up before a search can begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineConfig {
    /// What the player is put together from.
    pub parts: PlayerParts,
    /// Which evaluation.
    pub eval: EvalSpec,
    /// What the output of a network is divided by, if the user says so.
    pub fv_scale: Option<i32>,
    /// How many threads search.
    pub threads: usize,
    /// How much memory the table and the histories of all threads have together.
    pub memory_bytes: usize,
    /// The file of the book, if there is one.
    pub book: Option<PathBuf>,
    /// Whether a large text file stays on disk.
    pub book_on_the_fly: bool,
}

impl EngineConfig {
    /// An evaluation on so many threads with so many bytes of memory; no book.
    pub fn new(eval: EvalSpec, threads: usize, memory_bytes: usize) -> Self {
        Self {
            parts: PlayerParts::default(),
            eval,
            fv_scale: None,
            threads,
            memory_bytes,
            book: None,
            book_on_the_fly: true,
        }
    }

    /// Whether a search for the other configuration needs neither another evaluation nor other tables.
    pub(crate) fn is_same_search(&self, other: &Self) -> bool {
        (self.threads, self.memory_bytes) == (other.threads, other.memory_bytes)
            && self.is_same_evaluation(other)
    }

    /// What the histories of the threads leave of the memory for the table, but at least half of it.
    pub fn table_bytes(&self) -> usize {
        let left = self.memory_bytes.saturating_sub(self.history_bytes());
        left.max(self.memory_bytes / 2)
    }

    /// What the one thread that a search keeps leaves for the mate solver.
    pub(crate) fn solver_bytes(&self) -> usize {
        let left = self.memory_bytes.saturating_sub(THREAD_BYTES);
        left.max(self.memory_bytes / 2)
    }

    /// How large the histories of all threads are.
    fn history_bytes(&self) -> usize {
        self.threads.saturating_mul(THREAD_BYTES)
    }

    /// What is said if the memory is too small for so many threads.
    pub(crate) fn memory_hint(&self) -> Option<String> {
        let used = self.history_bytes().saturating_add(self.table_bytes());
        (used > self.memory_bytes).then(|| {
            let (threads, table) = (self.threads, self.table_bytes() >> 20);
            let (histories, hash) = (self.history_bytes() >> 20, self.memory_bytes >> 20);
            format!(
                "USI_Hash {hash} is little for {threads} threads: their histories need {histories} \
                 MB beside a table of {table} MB"
            )
        })
    }

    /// Whether a search for the other configuration needs no other parts and no other evaluation.
    pub(crate) fn is_same_evaluation(&self, other: &Self) -> bool {
        (self.parts, &self.eval, self.fv_scale) == (other.parts, &other.eval, other.fv_scale)
    }
}

/// The histories of one thread.
const THREAD_BYTES: usize = AnyTournament::THREAD_BYTES;

/// Beyond these values a search knows only mates.
const LARGEST_DRAW: i32 = 30_000;

impl Options {
    pub(crate) fn config(&self) -> EngineConfig {
        EngineConfig {
            parts: self.parts(),
            eval: self.eval_spec(),
            fv_scale: match self.number(OptionName::FvScale) {
                0 => None,
                scale => Some(scale),
            },
            threads: self.count(OptionName::Threads) as usize,
            memory_bytes: (self.count(OptionName::Hash) as usize) << 20,
            book: self.book_file(),
            book_on_the_fly: self.is_on(OptionName::BookOnTheFly),
        }
    }

    /// What the player is put together from.
    fn parts(&self) -> PlayerParts {
        let mut parts = PlayerParts::default();
        for (part, id) in PART_OPTIONS {
            let value = match self.is_check(id) {
                true if self.is_on(id) => "on",
                true => "off",
                false => self.text(id),
            };
            // What an option can be set to is a name of its part, or its usual value.
            if value != USUAL && parts.set(part, value).is_err() {
                debug_assert!(false, "{part} cannot be {value}");
            }
        }
        parts
    }

    /// `EvalFile` names an evaluator or a file, perhaps in `EvalDir`; alone, `EvalDir` is enough.
    fn eval_spec(&self) -> EvalSpec {
        let (file, folder) = (
            self.text(OptionName::EvalFile),
            self.text(OptionName::EvalDir),
        );
        let inside = Path::new(folder).join(file);
        let text = match (file, folder) {
            ("", "") => return EvalSpec::Builtin,
            ("", folder) => folder.into(),
            (file, "") => file.into(),
            (file, _) if !Path::new(file).exists() && inside.exists() => {
                inside.to_string_lossy().into_owned()
            }
            (file, _) => file.to_owned(),
        };
        text.parse().unwrap_or(EvalSpec::Nnue(text.into()))
    }

    fn book_file(&self) -> Option<PathBuf> {
        match self.text(OptionName::BookFile) {
            "" | "no_book" => None,
            _ if !self.is_on(OptionName::OwnBook) => None,
            BUILTIN => Some(BUILTIN.into()),
            file => {
                let inside = Path::new(self.text(OptionName::BookDir)).join(file);
                let is_inside = priorities(&inside).iter().any(|path| path.exists());
                Some(if is_inside { inside } else { file.into() })
            }
        }
    }

    /// How the book is asked; `None` if it is not.
    pub(crate) fn book_selection(&self) -> Option<Selection> {
        let wanted = self.is_on(OptionName::OwnBook) && !self.is_on(OptionName::AnalyseMode);
        wanted.then(|| Selection {
            moves: self.count(OptionName::BookMoves),
            eval_diff: self.number(OptionName::BookEvalDiff),
            eval_limit: ByColor([
                self.number(OptionName::BookEvalBlackLimit),
                self.number(OptionName::BookEvalWhiteLimit),
            ]),
            depth_limit: self.number(OptionName::BookDepthLimit),
            ignore_rate: self.count(OptionName::BookIgnoreRate),
            narrow: self.is_on(OptionName::NarrowBook),
            by_count: self.is_on(OptionName::ConsiderBookMoveCount),
            ignore_ply: self.is_on(OptionName::IgnoreBookPly),
            flipped: self.is_on(OptionName::FlippedBook),
            pv_moves: self.count(OptionName::BookPvMoves) as usize,
        })
    }

    pub(crate) fn rules(&self) -> Rules {
        let draw = |id| {
            let points = self.number(id).clamp(-LARGEST_DRAW, LARGEST_DRAW);
            let is_zero = self.is_on(OptionName::AnalyseMode);
            Value::new(if is_zero { 0 } else { points })
        };
        Rules {
            declaration: self.rule(),
            move_limit: self.limit(OptionName::MaxMovesToDraw),
            draw_value: ByColor([
                draw(OptionName::DrawValueBlack),
                draw(OptionName::DrawValueWhite),
            ]),
            all_legal_moves: self.is_on(OptionName::GenerateAllLegalMoves),
        }
    }

    pub(crate) fn limits(&self, go: &Go) -> SearchLimits {
        let least = |told: Option<u64>, set: Option<u32>| {
            let set = set.map(u64::from);
            told.into_iter().chain(set).min()
        };
        let depth = least(go.depth.map(u64::from), self.limit(OptionName::DepthLimit));
        let levels = [
            Some(self.count(OptionName::SkillLevel)),
            Some(self.count(OptionName::Strength))
                .filter(|_| self.is_on(OptionName::LimitStrength)),
        ];
        SearchLimits {
            // A search without any iteration has no answer.
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX).max(1)),
            nodes: least(go.nodes, self.limit(OptionName::NodesLimit)),
            mate: None,
            infinite: go.infinite,
            multi_pv: self.count(OptionName::MultiPv) as usize,
            skill_level: levels
                .into_iter()
                .flatten()
                .min()
                .filter(|&level| level < 20),
        }
    }

    /// How bad a position must be to resign; `None` if that never happens.
    pub(crate) fn resign_value(&self) -> Option<Value> {
        let points = self.number(OptionName::ResignValue);
        let never = points >= 99_999 || self.is_on(OptionName::AnalyseMode);
        (!never).then(|| Value::new(-points))
    }

    fn time(&self) -> TimeSettings {
        let millis = |id| Duration::from_millis(u64::from(self.count(id)));
        let slow_mover = self.count(OptionName::SlowMover);
        // Who ponders saves time whenever the guess is right.
        let ponders = self.is_on(OptionName::Ponder);
        TimeSettings {
            network_delay: millis(OptionName::NetworkDelay),
            worst_network_delay: millis(OptionName::NetworkDelay2),
            minimum: millis(OptionName::MinimumThinkingTime),
            slow_mover: if ponders {
                slow_mover * 5 / 4
            } else {
                slow_mover
            },
            whole_seconds: self.is_on(OptionName::RoundUpToFullSecond),
            params: self.time_params(),
        }
    }

    /// What the clocks allow the side to move; `None` if they allow everything.
    pub(crate) fn clock_budget(&self, times: &Times, turn: Color, ply: u32) -> Option<TimeBudget> {
        let rest = times.control(turn)?;
        let limit = self.limit(OptionName::MaxMovesToDraw);
        Some(self.time().budget(&rest, ply, limit))
    }

    /// What a `go` allows.
    pub(crate) fn budget(&self, go: &Go, turn: Color, ply: u32) -> Option<TimeBudget> {
        if go.infinite {
            None
        } else if let Some(limit) = go.mate {
            match limit {
                MateLimit::Infinite => None,
                MateLimit::Time(time) => Some(TimeBudget::exactly(time)),
            }
        } else if let Some(time) = go.movetime {
            Some(TimeBudget::exactly(time))
        } else if let Some(time) = go.rtime {
            let most = time.saturating_mul(3).as_millis();
            let least = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            let most = u64::try_from(most).unwrap_or(u64::MAX);
            Some(TimeBudget::exactly(Duration::from_millis(fastrand::u64(
                least..=most,
            ))))
        } else {
            self.clock_budget(&go.times, turn, ply)
        }
    }
}
