//! What the options mean to a search.

use super::book::Wishes;
use super::options::{Name, Options};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tesuji_eval::EvalSpec;
use tesuji_search::{Rules, SearchLimits, TimeBudget, TimeSettings};
use tesuji_shogi::{ByColor, Color, Value};
use tesuji_usi::{Go, MateLimit, Times};

/// What must be loaded and set up before a search can begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Equipment {
    /// Which evaluator.
    pub(super) spec: EvalSpec,
    /// What the output of a network is divided by, if the user says so.
    pub(super) fv_scale: Option<i32>,
    /// How many threads search.
    pub(super) threads: usize,
    /// How large the table is.
    pub(super) table_bytes: usize,
    /// The file of the book, if there is one.
    pub(super) book: Option<PathBuf>,
}

/// Beyond these values a search knows only mates.
const LARGEST_DRAW: i32 = 30_000;

impl Options {
    pub(super) fn equipment(&self) -> Equipment {
        Equipment {
            spec: self.spec(),
            fv_scale: match self.number(Name::FvScale) {
                0 => None,
                scale => Some(scale),
            },
            threads: self.count(Name::Threads) as usize,
            table_bytes: (self.count(Name::Hash) as usize) << 20,
            book: self.book_file(),
        }
    }

    /// `EvalFile` names an evaluator or a file, perhaps in `EvalDir`; alone, `EvalDir` is enough.
    fn spec(&self) -> EvalSpec {
        let (file, folder) = (self.text(Name::EvalFile), self.text(Name::EvalDir));
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
        match self.text(Name::BookFile) {
            "" | "no_book" => None,
            file if !self.is_on(Name::OwnBook) || file.is_empty() => None,
            file => {
                let inside = Path::new(self.text(Name::BookDir)).join(file);
                Some(if inside.exists() { inside } else { file.into() })
            }
        }
    }

    /// How the book is asked; `None` if it is not.
    pub(super) fn book_wishes(&self) -> Option<Wishes> {
        let wanted = self.is_on(Name::OwnBook) && !self.is_on(Name::AnalyseMode);
        wanted.then(|| Wishes {
            moves: self.count(Name::BookMoves),
            difference: self.number(Name::BookEvalDiff),
            floors: ByColor([
                self.number(Name::BookEvalBlackLimit),
                self.number(Name::BookEvalWhiteLimit),
            ]),
            depth: self.number(Name::BookDepthLimit),
            ignore_rate: self.count(Name::BookIgnoreRate),
            narrow: self.is_on(Name::NarrowBook),
            by_count: self.is_on(Name::ConsiderBookMoveCount),
            any_ply: self.is_on(Name::IgnoreBookPly),
            flipped: self.is_on(Name::FlippedBook),
            shown: self.count(Name::BookPvMoves) as usize,
        })
    }

    pub(super) fn rules(&self) -> Rules {
        let draw = |id| {
            let points = self.number(id).clamp(-LARGEST_DRAW, LARGEST_DRAW);
            let is_zero = self.is_on(Name::AnalyseMode);
            Value::new(if is_zero { 0 } else { points })
        };
        Rules {
            declaration: self.rule(),
            move_limit: self.limit(Name::MaxMovesToDraw),
            draw_value: ByColor([draw(Name::DrawValueBlack), draw(Name::DrawValueWhite)]),
            all_legal_moves: self.is_on(Name::GenerateAllLegalMoves),
        }
    }

    pub(super) fn limits(&self, go: &Go) -> SearchLimits {
        let least = |told: Option<u64>, set: Option<u32>| {
            let set = set.map(u64::from);
            told.into_iter().chain(set).min()
        };
        let depth = least(go.depth.map(u64::from), self.limit(Name::DepthLimit));
        let levels = [
            Some(self.count(Name::SkillLevel)),
            Some(self.count(Name::Strength)).filter(|_| self.is_on(Name::LimitStrength)),
        ];
        SearchLimits {
            // A search without any iteration has no answer.
            depth: depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX).max(1)),
            nodes: least(go.nodes, self.limit(Name::NodesLimit)),
            mate: None,
            infinite: go.infinite,
            multi_pv: self.count(Name::MultiPv) as usize,
            skill_level: levels
                .into_iter()
                .flatten()
                .min()
                .filter(|&level| level < 20),
        }
    }

    /// How bad a position must be to resign; `None` if that never happens.
    pub(super) fn resign_value(&self) -> Option<Value> {
        let points = self.number(Name::ResignValue);
        let never = points >= 99_999 || self.is_on(Name::AnalyseMode);
        (!never).then(|| Value::new(-points))
    }

    fn time(&self) -> TimeSettings {
        let millis = |id| Duration::from_millis(u64::from(self.count(id)));
        let slow_mover = self.count(Name::SlowMover);
        // Who ponders saves time whenever the guess is right.
        let ponders = self.is_on(Name::Ponder);
        TimeSettings {
            network_delay: millis(Name::NetworkDelay),
            worst_network_delay: millis(Name::NetworkDelay2),
            minimum: millis(Name::MinimumThinkingTime),
            slow_mover: if ponders {
                slow_mover * 5 / 4
            } else {
                slow_mover
            },
            whole_seconds: self.is_on(Name::RoundUpToFullSecond),
        }
    }

    /// What the clocks allow the side to move; `None` if they allow everything.
    pub(super) fn clock_budget(&self, times: &Times, turn: Color, ply: u32) -> Option<TimeBudget> {
        let clock = times.clock(turn)?;
        let limit = self.limit(Name::MaxMovesToDraw);
        Some(self.time().budget(&clock, ply, limit))
    }

    /// What a `go` allows.
    pub(super) fn budget(&self, go: &Go, turn: Color, ply: u32) -> Option<TimeBudget> {
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
