//! Where the weights lie: parts for kings and pieces, with one cell for everything that is the same
//! by symmetry.
//!
//! A board that is mirrored left to right is worth the same, so the own king is folded onto the
//! files 1 to 5; if it stands on file 5, the rest of the cell decides. A board that is turned by
//! half a turn is the same for the other side, so every side looks from its own king and what White
//! sees is subtracted. Two pieces are the same pair in either order. (Dimension lowering by
//! symmetry, as in Bonanza and Apery.)

use super::numbering::{Meaning, NumberTable, Numbering, VALUED_KINDS};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tesuji_eval::pairs::KingView;
use tesuji_shogi::Square;

/// The tables that can be learnt, by the files that they are written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tables {
    /// The own king and a piece.
    Kp,
    /// Two pieces.
    Pp,
    /// Both of these together.
    KpPp,
    /// The own king and two pieces, both kings and an own piece, as Bonanza has them.
    Kpp,
    /// Both kings; both kings and a piece; the own king and two pieces; each with the turn.
    Kppt,
}

/// A kind of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WeightKind {
    /// Both kings.
    Kk,
    /// Both kings and an own piece.
    Kkp,
    /// The own king and a piece.
    Kp,
    /// Two pieces.
    Pp,
    /// The own king and two pieces.
    Kpp,
    /// What a piece is worth beyond the value that engines add.
    PieceValue,
}

impl WeightKind {
    pub(super) const ALL: [Self; 6] = [
        Self::Kk,
        Self::Kkp,
        Self::Kp,
        Self::Pp,
        Self::Kpp,
        Self::PieceValue,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Kk => "KK",
            Self::Kkp => "KKP",
            Self::Kp => "KP",
            Self::Pp => "PP",
            Self::Kpp => "KPP",
            Self::PieceValue => "piece values",
        }
    }

    /// Which parts make up some tables. Small parts stand in for what the large ones have not seen
    /// yet: a file of KPP weights is the sum of KPP and PP.
    const fn is_in(self, tables: Tables) -> bool {
        match self {
            Self::PieceValue => true,
            Self::Kp => !matches!(tables, Tables::Pp),
            Self::Pp => !matches!(tables, Tables::Kp),
            Self::Kkp | Self::Kpp => matches!(tables, Tables::Kpp | Tables::Kppt),
            Self::Kk => matches!(tables, Tables::Kppt),
        }
    }
}

/// How many squares the own king has when the board is folded.
const FOLDED: usize = 45;

/// The cells of some tables.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    starts: [u32; 7],
    count: usize,
    pub(super) numbers: NumberTable,
}

impl Layout {
    pub(super) fn new<N: Numbering>(tables: Tables) -> Self {
        let pairs = N::COUNT * (N::COUNT + 1) / 2;
        let mut starts = [0; 7];
        for (place, part) in WeightKind::ALL.into_iter().enumerate() {
            let cells = match part {
                _ if !part.is_in(tables) => 0,
                WeightKind::Kk => FOLDED * 81,
                WeightKind::Kkp => FOLDED * 81 * N::COUNT,
                WeightKind::Kp => FOLDED * N::COUNT,
                WeightKind::Pp => pairs,
                WeightKind::Kpp => FOLDED * pairs,
                WeightKind::PieceValue => VALUED_KINDS.len(),
            };
            starts[place + 1] = starts[place] + cells as u32;
        }
        Self {
            starts,
            count: N::COUNT,
            numbers: NumberTable::new::<N>(),
        }
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.starts[6] as usize
    }

    /// The cells of a part.
    pub(super) fn range(&self, part: WeightKind) -> Range<usize> {
        let place = part as usize;
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    #[inline(always)]
    pub(super) fn has(&self, part: WeightKind) -> bool {
        self.starts[part as usize] < self.starts[part as usize + 1]
    }

    #[inline(always)]
    const fn start(&self, part: WeightKind) -> u32 {
        self.starts[part as usize]
    }

    /// The cell of a piece value.
    #[inline(always)]
    pub(super) const fn piece_value(&self, meaning: &Meaning) -> u32 {
        self.start(WeightKind::PieceValue) + meaning.class as u32
    }

    /// The cell of two pieces.
    #[inline(always)]
    pub(super) fn pp(&self, one: u16, other: u16) -> u32 {
        self.start(WeightKind::Pp) + self.symmetric(one, other)
    }

    #[inline(always)]
    fn symmetric(&self, one: u16, other: u16) -> u32 {
        let (there, others) = (self.numbers.mirrored(one), self.numbers.mirrored(other));
        triangle(one, other).min(triangle(there, others))
    }

    /// What the own king of a side chooses; `None` without a king.
    #[inline(always)]
    pub(super) fn own_king(&self, view: KingView) -> Option<OwnKingCells<'_>> {
        let seen = view.own?.for_color(view.pov);
        let is_mirrored = seen.file() > 5;
        let folded = if is_mirrored { seen.mirrored() } else { seen };
        Some(OwnKingCells {
            layout: self,
            king: folded.index() as u32,
            is_mirrored,
            is_central: seen.file() == 5,
        })
    }

    /// What both kings choose; `None` without one of them.
    #[inline(always)]
    pub(super) fn both_kings(&self, view: KingView) -> Option<BothKingsCells<'_>> {
        let own = self.own_king(view)?;
        let foe = view.foe?.for_color(view.pov);
        let foe = if own.is_mirrored { foe.mirrored() } else { foe };
        Some(BothKingsCells { own, foe })
    }
}

#[inline(always)]
fn triangle(one: u16, other: u16) -> u32 {
    let (high, low) = (u32::from(one.max(other)), u32::from(one.min(other)));
    high * (high + 1) / 2 + low
}

/// The cells that the own king of a side chooses.
#[derive(Clone, Copy)]
pub(super) struct OwnKingCells<'a> {
    layout: &'a Layout,
    king: u32,
    is_mirrored: bool,
    is_central: bool,
}

impl OwnKingCells<'_> {
    #[inline(always)]
    fn folded(&self, number: u16) -> u16 {
        if self.is_mirrored {
            self.layout.numbers.mirrored(number)
        } else {
            number
        }
    }

    #[inline(always)]
    pub(super) fn kp(&self, number: u16) -> u32 {
        let mut number = self.folded(number);
        if self.is_central {
            number = number.min(self.layout.numbers.mirrored(number));
        }
        let section = self.king * self.layout.count as u32;
        self.layout.start(WeightKind::Kp) + section + u32::from(number)
    }

    #[inline(always)]
    pub(super) fn kpp(&self, one: u16, other: u16) -> u32 {
        let (one, other) = (self.folded(one), self.folded(other));
        let pair = if self.is_central {
            self.layout.symmetric(one, other)
        } else {
            triangle(one, other)
        };
        let count = self.layout.count as u32;
        self.layout.start(WeightKind::Kpp) + self.king * (count * (count + 1) / 2) + pair
    }
}

/// The cells that both kings choose.
#[derive(Clone, Copy)]
pub(super) struct BothKingsCells<'a> {
    own: OwnKingCells<'a>,
    foe: Square,
}

impl BothKingsCells<'_> {
    #[inline(always)]
    pub(super) fn kk(&self) -> u32 {
        let mut foe = self.foe.index();
        if self.own.is_central {
            foe = foe.min(self.foe.mirrored().index());
        }
        self.own.layout.start(WeightKind::Kk) + self.own.king * 81 + foe as u32
    }

    #[inline(always)]
    pub(super) fn kkp(&self, number: u16) -> u32 {
        let layout = self.own.layout;
        let count = layout.count as u32;
        let cell = |foe: Square, number: u16| foe.index() as u32 * count + u32::from(number);
        let number = self.own.folded(number);
        let mut place = cell(self.foe, number);
        if self.own.is_central {
            let mirrored = layout.numbers.mirrored(number);
            place = place.min(cell(self.foe.mirrored(), mirrored));
        }
        layout.start(WeightKind::Kkp) + self.own.king * 81 * count + place
    }
}
