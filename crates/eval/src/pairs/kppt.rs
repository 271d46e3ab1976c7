//! King, king and piece, king and two pieces, and the turn: the tables of Apery (2014) and kin.
//!
//! The numbers for a king and two pieces are added up by both sides, each from its own king; those
//! for both kings, alone and with each piece, once, from Black's view. Four sets of files share
//! this meaning and are told apart by their sizes.

use super::cell::{Cell, Plain, Turned, Wide};
use super::error::PairError;
use super::index::{self, PLACES};
use super::kpp::Kpp;
use super::sums::{Kings, PairTables, Sum, View};
use super::table::{Table, save, size_among};
use super::worths::Worths;
use std::io::Write;
use std::path::{Path, PathBuf};
use tesuji_shogi::{Color, Piece, Square};

/// The tables: `K` for both kings and a piece, `P` for a king and two pieces.
///
/// The files are mapped: opening them takes no time, and processes share them.
#[derive(Clone, Debug)]
pub struct Kppt<K, P> {
    kk: Option<Table<K>>,
    kkp: Table<K>,
    kpp: Kpp<P>,
}

const KK_CELLS: usize = 81 * 81;
const KKP_CELLS: usize = KK_CELLS * PLACES;

impl<K: Cell, P: Cell> Kppt<K, P> {
    /// How long the three files are: both kings; with a piece; a king and two pieces.
    pub const SIZES: [u64; 3] = [
        (KK_CELLS * K::BYTES) as u64,
        (KKP_CELLS * K::BYTES) as u64,
        Kpp::<P>::SIZE,
    ];

    fn open(kk: Option<&Path>, kkp: &Path, kpp: &Path) -> Result<Self, PairError> {
        Ok(Self {
            kk: kk.map(|path| Table::open(path, KK_CELLS)).transpose()?,
            kkp: Table::open(kkp, KKP_CELLS)?,
            kpp: Kpp::open(kpp)?,
        })
    }

    /// Writes the files into a folder, byte for byte as they were read.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PairError> {
        let ending = if self.kk.is_some() { LONG } else { SHORT };
        let parts = [
            ("KK", self.kk.as_ref().map(Table::bytes)),
            ("KKP", Some(self.kkp.bytes())),
            ("KPP", Some(self.kpp.bytes())),
        ];
        for (stem, bytes) in parts {
            if let Some(bytes) = bytes {
                save(&named(folder, stem, ending), |out| out.write_all(bytes))?;
            }
        }
        Ok(())
    }
}

/// How the names of three files end, and those of two.
const LONG: &str = "_synthesized.bin";
const SHORT: &str = ".bin";

fn named(folder: &Path, stem: &str, ending: &str) -> PathBuf {
    folder.join(format!("{stem}{ending}"))
}

/// The numbers of the two kings, as `bk * 81 + wk` without turning: Black looks for both.
#[inline(always)]
fn both(view: View) -> Option<usize> {
    match view.pov {
        Color::Black => view.kings().map(|(own, foe)| own * 81 + foe),
        Color::White => None,
    }
}

impl<K: Cell, P: Cell> PairTables for Kppt<K, P> {
    const KINGS: Kings = Kings::Both;
    const COUNTED: bool = false;

    #[inline(always)]
    fn standing(pov: Color, piece: Piece, square: Square) -> Option<u16> {
        index::standing(pov, piece, square)
    }

    #[inline(always)]
    fn held(pov: Color, piece: Piece, nth: u32) -> u16 {
        index::held(pov, piece, nth)
    }

    #[inline(always)]
    fn worths(&self) -> &Worths {
        &Worths::KPPT
    }

    #[inline(always)]
    fn pairs(&self, view: View, place: u16, others: &[u16]) -> Sum {
        let pairs = |king| self.kpp.pairs(king, place, others);
        view.king().map_or(Sum::ZERO, pairs)
    }

    #[inline(always)]
    fn lone(&self, view: View, place: u16) -> Sum {
        let cell = |both: usize| K::read(self.kkp.cells()[both * PLACES + usize::from(place)]);
        both(view).map_or(Sum::ZERO, cell)
    }

    #[inline(always)]
    fn kings(&self, view: View) -> Sum {
        let cell = |kk: &Table<K>| Some(K::read(kk.cells()[both(view)?]));
        self.kk.as_ref().and_then(cell).unwrap_or(Sum::ZERO)
    }
}

/// Which set of files it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Three files; both kings in 32 bits (2016).
    Kppt,
    /// Three files; everything in 16 bits (2017).
    Kppt16,
    /// Two files: as above without the kings alone (2019).
    TwoFiles,
    /// Three files; king and two pieces without the turn.
    KppKkpt,
}

impl Shape {
    /// Every set.
    pub const ALL: [Self; 4] = [Self::Kppt, Self::Kppt16, Self::TwoFiles, Self::KppKkpt];
}

/// A set of files of any shape, to be taken apart once.
#[derive(Clone, Debug)]
pub enum AnyKppt {
    /// [`Shape::Kppt`].
    Kppt(Kppt<Wide, Turned>),
    /// [`Shape::Kppt16`] and [`Shape::TwoFiles`].
    Short(Kppt<Turned, Turned>),
    /// [`Shape::KppKkpt`].
    Turnless(Kppt<Wide, Plain>),
}

impl AnyKppt {
    /// Which set of files it is.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Kppt(_) => Shape::Kppt,
            Self::Short(kppt) if kppt.kk.is_some() => Shape::Kppt16,
            Self::Short(_) => Shape::TwoFiles,
            Self::Turnless(_) => Shape::KppKkpt,
        }
    }

    /// Writes the files into a folder, byte for byte as they were read.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PairError> {
        match self {
            Self::Kppt(kppt) => kppt.write(folder),
            Self::Short(kppt) => kppt.write(folder),
            Self::Turnless(kppt) => kppt.write(folder),
        }
    }
}

/// Opens the files of a folder: `KK`, `KKP` and `KPP`, each with the ending `_synthesized.bin` or
/// `.bin`. Their sizes say which set it is.
///
/// # Errors
/// If a file is missing or has none of the sizes that go with the others.
pub fn open(folder: &Path) -> Result<AnyKppt, PairError> {
    let [kk, kkp, kpp] = ["KK", "KKP", "KPP"].map(|stem| {
        let long = named(folder, stem, LONG);
        let short = named(folder, stem, SHORT);
        if !long.exists() && short.exists() {
            short
        } else {
            long
        }
    });
    let pairs = size_among(&kpp, &[Kpp::<Turned>::SIZE, Kpp::<Plain>::SIZE])?;
    let [_, wide, _] = Kppt::<Wide, Turned>::SIZES;
    let [_, short, _] = Kppt::<Turned, Turned>::SIZES;
    if pairs == Kpp::<Plain>::SIZE {
        return Kppt::open(Some(&kk), &kkp, &kpp).map(AnyKppt::Turnless);
    }
    if size_among(&kkp, &[wide, short])? == wide {
        return Kppt::open(Some(&kk), &kkp, &kpp).map(AnyKppt::Kppt);
    }
    let kk = kk.exists().then_some(kk.as_path());
    Kppt::open(kk, &kkp, &kpp).map(AnyKppt::Short)
}
