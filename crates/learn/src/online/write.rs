//! Learnt tables in the formats that engines read.
//!
//! A file has room for one weight where the learner has several: a KPP file holds the sum of KPP
//! and PP, and what was learnt about piece values goes into the weights of single pieces, as engines
//! add piece values of their own. What 16 bits have no room for is clipped and counted.

use super::error::OnlineError;
use super::layout::{Tables, WeightKind};
use super::numbering::Numbering;
use super::tables::LearntTables;
use crate::data::DataRecord;
use serde::Serialize;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use tesuji_eval::pairs::{
    EvalSum, FvBin, KingView, Kp, KpPp, KpptWeights, PairError, PairTables, Pp, Turn16,
    WeightFormat, WrittenTable, write_kppt,
};
use tesuji_eval::{AnyEval, ChooseError, EvalSettings, EvalSpec, Evaluator};
use tesuji_shogi::{Color, Square};

/// On how many positions the files are compared with the engine.
const COMPARED: usize = 2000;

/// A file with learnt weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WrittenFile {
    /// Where it lies.
    pub path: PathBuf,
    /// How many bytes it has.
    pub bytes: u64,
    /// How many weights it has.
    pub weights: u64,
    /// How many of them are not zero.
    pub non_zero: u64,
    /// How many there was no room for and that were clipped.
    pub clipped: u64,
}

/// Weights of tables as Black sees them, whole numbers as in the files.
struct WholeWeights<'t, N>(&'t LearntTables<N>);

impl<N: Numbering> WholeWeights<'_, N> {
    fn view([black, white]: [Square; 2], pov: Color) -> KingView {
        let (own, foe) = match pov {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        KingView {
            pov,
            own: Some(own),
            foe: Some(foe),
        }
    }

    /// The weight of one king as it sees itself and two pieces.
    fn pair(&self, king: Square, one: u16, other: u16) -> EvalSum {
        let view = KingView {
            pov: Color::Black,
            own: Some(king),
            foe: None,
        };
        self.0.pairs(view, one, &[other])
    }

    fn kp(&self, king: Square, piece: u16) -> EvalSum {
        let view = KingView {
            pov: Color::Black,
            own: Some(king),
            foe: None,
        };
        let own = self
            .0
            .layout
            .own_king(view)
            .filter(|_| self.0.layout.has(WeightKind::Kp));
        own.map_or(EvalSum::ZERO, |own| self.0.rounded(own.kp(piece)))
    }

    fn piece_value(&self, piece: u16) -> EvalSum {
        let meaning = self.0.layout.numbers.of(piece);
        let each = self.0.rounded(self.0.layout.piece_value(meaning)).board;
        EvalSum::from(each * i32::from(meaning.own_pieces))
    }
}

impl<N: Numbering> KpptWeights for WholeWeights<'_, N> {
    fn kk(&self, kings: [Square; 2]) -> EvalSum {
        let [black, white] = Color::ALL.map(|pov| self.0.kings(Self::view(kings, pov)));
        from_both(black, white)
    }

    fn kkp(&self, kings: [Square; 2], piece: u16) -> EvalSum {
        let turned = self.0.layout.numbers.of(piece).turned;
        let black = self.0.single(Self::view(kings, Color::Black), piece);
        let white = self.0.single(Self::view(kings, Color::White), turned);
        from_both(black, white)
    }

    fn kpp(&self, king: Square, one: u16, other: u16) -> EvalSum {
        if one == other {
            return EvalSum::ZERO;
        }
        self.pair(king, one, other)
    }
}

/// What both sides see, as Black does.
fn from_both(black: EvalSum, white: EvalSum) -> EvalSum {
    EvalSum {
        board: black.board - white.board,
        turn: black.turn + white.turn,
    }
}

/// Weights of 16 bits, counted.
#[derive(Default)]
struct WeightCounter {
    weights: Cell<u64>,
    non_zero: Cell<u64>,
    clipped: Cell<u64>,
}

impl WeightCounter {
    fn fit(&self, sum: EvalSum) -> [i16; 2] {
        let fitting = Turn16::clip(sum);
        let count = |cell: &Cell<u64>, is: bool| cell.set(cell.get() + u64::from(is));
        count(&self.weights, true);
        count(&self.non_zero, fitting != EvalSum::ZERO);
        count(&self.clipped, fitting != sum);
        [fitting.board as i16, fitting.turn as i16]
    }

    fn written(self, path: PathBuf) -> Vec<WrittenTable> {
        vec![WrittenTable {
            path,
            weights: self.weights.get(),
            non_zero: self.non_zero.get(),
            clipped: self.clipped.get(),
        }]
    }
}

/// Writes the tables into a folder.
pub(super) fn write<N: Numbering>(
    tables: &LearntTables<N>,
    kind: Tables,
    folder: &Path,
) -> Result<Vec<WrittenFile>, OnlineError> {
    let written = write_tables(&WholeWeights(tables), kind, folder)?;
    let file = |table: WrittenTable| {
        let size = std::fs::metadata(&table.path);
        WrittenFile {
            bytes: size.map_or(0, |about| about.len()),
            path: table.path,
            weights: table.weights,
            non_zero: table.non_zero,
            clipped: table.clipped,
        }
    };
    Ok(written.into_iter().map(file).collect())
}

fn write_tables<N: Numbering>(
    whole: &WholeWeights<'_, N>,
    kind: Tables,
    folder: &Path,
) -> Result<Vec<WrittenTable>, PairError> {
    let path = spec(kind, folder).1;
    let counter = WeightCounter::default();
    let king = |number: usize| Square::new(number).expect("a king stands on one of 81 squares");
    let kp = |number: usize, piece: usize| {
        let piece = piece as u16;
        counter.fit(whole.kp(king(number), piece).plus(whole.piece_value(piece)))
    };
    // The piece values are in one of the tables only.
    let has_kp = kind == Tables::KpPp;
    let pp = |high: usize, low: usize| {
        let (high, low) = (high as u16, low as u16);
        counter.fit(match (high == low, has_kp) {
            (true, true) => EvalSum::ZERO,
            (true, false) => whole.piece_value(high),
            // No king is needed for a pair alone.
            (false, _) => whole.pair(king(0), high, low),
        })
    };
    match kind {
        Tables::Kp => Kp::from_fn(kp).write(&path)?,
        Tables::Pp => Pp::from_fn(pp).write(&path)?,
        Tables::KpPp => KpPp::from_fns(kp, pp).write(&path)?,
        Tables::Kppt => return write_kppt(folder, whole).map(Vec::from),
        Tables::Kpp => {
            let kpp = |king, one: u16, other: u16| match one == other {
                true => whole.kp(king, one).board,
                false => whole.pair(king, one, other).board,
            };
            let kkp = |kings, piece: u16| {
                let view = WholeWeights::<N>::view(kings, Color::Black);
                let single = whole.0.single(view, piece).board;
                single - whole.kp(kings[0], piece).board
            };
            return FvBin::write_weights(&path, kpp, kkp).map(|table| vec![table]);
        }
    }
    Ok(counter.written(path))
}

/// The evaluator that reads the tables of a folder, and their file.
pub(super) fn spec(kind: Tables, folder: &Path) -> (EvalSpec, PathBuf) {
    let file = |name: &str| folder.join(name);
    match kind {
        Tables::Kp => (EvalSpec::Kp(file("kp.bin")), file("kp.bin")),
        Tables::Pp => (EvalSpec::Pp(file("pp.bin")), file("pp.bin")),
        Tables::KpPp => (EvalSpec::KpPp(file("kppp.bin")), file("kppp.bin")),
        Tables::Kpp => (EvalSpec::Bonanza(file("fv.bin")), file("fv.bin")),
        Tables::Kppt => (EvalSpec::Kppt(folder.into()), folder.into()),
    }
}

/// Sees that the engine computes from the files what the learner computes, if nothing was clipped;
/// on how many positions.
pub(super) fn compare_with_engine<N: Numbering>(
    tables: &LearntTables<N>,
    (kind, folder): (Tables, &Path),
    files: &[WrittenFile],
    records: &[DataRecord],
) -> Result<usize, OnlineError> {
    if files.iter().any(|file| file.clipped > 0) {
        return Ok(0);
    }
    let engine = match AnyEval::choose(&spec(kind, folder).0, &EvalSettings::default()) {
        Ok(engine) => engine,
        Err(ChooseError::Pairs(error)) => return Err(error.into()),
        Err(_) => return Ok(0),
    };
    let step = (records.len() / COMPARED).max(1);
    let mut compared = 0;
    for pos in records
        .iter()
        .step_by(step)
        .filter_map(|record| record.position().ok())
    {
        let [engine, learner] = [engine.evaluate(&pos), tables.evaluate(&pos)];
        compared += 1;
        if engine != learner {
            return Err(OnlineError::Disagreement {
                engine: engine.points(),
                learner: learner.points(),
                sfen: pos.to_sfen(),
            });
        }
    }
    Ok(compared)
}
