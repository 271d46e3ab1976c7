//! King, king and piece, king and two pieces, and the turn: the tables of Apery (Hiraoka 2016) and
//! kin.
//!
//! The weights for a king and two pieces are added up by both sides, each from its own king; those
//! for both kings, alone and with each piece, once, from Black's view. Four sets of files share
//! this meaning and are told apart by their sizes.

use super::error::PairError;
use super::eval_sum::EvalSum;
use super::file::{WrittenTable, save, size_among, write_table};
use super::table::{BothKings, OwnKing, PairEvaluator, PairTable};
use super::weight::{Board16, Turn16, Turn32, WeightFormat};
use crate::bona_piece::BONA_PIECES;
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_shogi::Square;

/// Both kings.
pub type Kk<W> = PairTable<W, BothKings, 0>;
/// Both kings and a piece.
pub type Kkp<W> = PairTable<W, BothKings, 1>;
/// A king and two pieces.
pub type Kpp<W> = PairTable<W, OwnKing, 2>;

/// The tables: `K` for both kings and a piece, `P` for a king and two pieces.
///
/// The files are mapped: opening them takes no time, and processes share them.
pub type Kppt<K, P> = PairEvaluator<(Option<Kk<K>>, Kkp<K>, Kpp<P>)>;

impl<K: WeightFormat, P: WeightFormat> Kppt<K, P> {
    /// How long the three files are: both kings; with a piece; a king and two pieces.
    pub const SIZES: [u64; 3] = [Kk::<K>::SIZE, Kkp::<K>::SIZE, Kpp::<P>::SIZE];

    fn open(kk: Option<&Path>, kkp: &Path, kpp: &Path) -> Result<Self, PairError> {
        let kk = kk.map(PairTable::open).transpose()?;
        Ok(Self((kk, PairTable::open(kkp)?, PairTable::open(kpp)?)))
    }

    fn has_kk(&self) -> bool {
        self.0.0.is_some()
    }

    /// Writes the files into a folder, byte for byte as they were read.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PairError> {
        let ending = if self.has_kk() { LONG } else { SHORT };
        let (kk, kkp, kpp) = &self.0;
        let parts = [
            ("KK", kk.as_ref().map(PairTable::bytes)),
            ("KKP", Some(kkp.bytes())),
            ("KPP", Some(kpp.bytes())),
        ];
        for (stem, bytes) in parts {
            if let Some(bytes) = bytes {
                save(&named(folder, stem, ending), |out| out.write_all(bytes))?;
            }
        }
        Ok(())
    }
}

/// The weights of [`KpptFormat::Kppt`], told one by one.
pub trait KpptWeights: Sync {
    /// The weight of both kings, Black's first.
    fn kk(&self, kings: [Square; 2]) -> EvalSum;
    /// The weight of both kings and a piece as Black sees it.
    fn kkp(&self, kings: [Square; 2], piece: u16) -> EvalSum;
    /// The weight of a king and two pieces as its side sees them.
    fn kpp(&self, king: Square, one: u16, other: u16) -> EvalSum;
}

/// Writes the three files of [`KpptFormat::Kppt`] into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write_kppt(
    folder: &Path,
    weights: &impl KpptWeights,
) -> Result<[WrittenTable; 3], PairError> {
    let pieces = 0..BONA_PIECES as u16;
    let both = || Square::all().flat_map(|black| Square::all().map(move |white| [black, white]));
    let kk = write_table::<Turn32>(&named(folder, "KK", LONG), |table| {
        both().try_for_each(|kings| table.put(weights.kk(kings)))
    })?;
    let kkp = write_table::<Turn32>(&named(folder, "KKP", LONG), |table| {
        both().try_for_each(|kings| {
            let each = |piece| table.put(weights.kkp(kings, piece));
            pieces.clone().try_for_each(each)
        })
    })?;
    let kpp = write_table::<Turn16>(&named(folder, "KPP", LONG), |table| {
        for king in Square::all() {
            for one in pieces.clone() {
                for other in pieces.clone() {
                    table.put(weights.kpp(king, one, other))?;
                }
            }
        }
        Ok(())
    })?;
    Ok([kk, kkp, kpp])
}

/// How the names of three files end, and those of two.
const LONG: &str = "_synthesized.bin";
const SHORT: &str = ".bin";

fn named(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    folder.join(format!("{stem}{ending}"))
}

/// Which set of files it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KpptFormat {
    /// Three files; both kings in 32 bits (2016).
    Kppt,
    /// Three files; everything in 16 bits (2017).
    Kppt16,
    /// Two files: as above without the kings alone (2019).
    TwoFiles,
    /// Three files; king and two pieces without the turn.
    KppKkpt,
}

impl KpptFormat {
    /// Every set.
    pub const ALL: [Self; 4] = [Self::Kppt, Self::Kppt16, Self::TwoFiles, Self::KppKkpt];
}

/// A set of files of any format, to be taken apart once.
#[derive(Clone, Debug)]
pub enum AnyKppt {
    /// [`KpptFormat::Kppt`].
    Kppt(Kppt<Turn32, Turn16>),
    /// [`KpptFormat::Kppt16`] and [`KpptFormat::TwoFiles`].
    Kppt16(Kppt<Turn16, Turn16>),
    /// [`KpptFormat::KppKkpt`].
    KppKkpt(Kppt<Turn32, Board16>),
}

impl AnyKppt {
    /// Which set of files it is.
    pub fn format(&self) -> KpptFormat {
        match self {
            Self::Kppt(_) => KpptFormat::Kppt,
            Self::Kppt16(kppt) if kppt.has_kk() => KpptFormat::Kppt16,
            Self::Kppt16(_) => KpptFormat::TwoFiles,
            Self::KppKkpt(_) => KpptFormat::KppKkpt,
        }
    }

    /// Writes the files into a folder, byte for byte as they were read.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PairError> {
        match self {
            Self::Kppt(kppt) => kppt.write(folder),
            Self::Kppt16(kppt) => kppt.write(folder),
            Self::KppKkpt(kppt) => kppt.write(folder),
        }
    }
}

/// Opens the files of a folder: `KK`, `KKP` and `KPP`, each with the ending `_synthesized.bin` or
/// `.bin`. Their sizes say which set it is.
///
/// # Errors
/// If a file is missing or has none of the sizes that go with the others.
pub fn open_kppt(folder: &Path) -> Result<AnyKppt, PairError> {
    let [kk, kkp, kpp] = ["KK", "KKP", "KPP"].map(|stem| {
        let long = named(folder, stem, LONG);
        let short = named(folder, stem, SHORT);
        if !long.exists() && short.exists() {
            short
        } else {
            long
        }
    });
    let pairs = size_among(&kpp, &[Kpp::<Turn16>::SIZE, Kpp::<Board16>::SIZE])?;
    let [_, wide, _] = Kppt::<Turn32, Turn16>::SIZES;
    let [_, short, _] = Kppt::<Turn16, Turn16>::SIZES;
    if pairs == Kpp::<Board16>::SIZE {
        return Kppt::open(Some(&kk), &kkp, &kpp).map(AnyKppt::KppKkpt);
    }
    if size_among(&kkp, &[wide, short])? == wide {
        return Kppt::open(Some(&kk), &kkp, &kpp).map(AnyKppt::Kppt);
    }
    let kk = kk.exists().then_some(kk.as_path());
    Kppt::open(kk, &kkp, &kpp).map(AnyKppt::Kppt16)
}
