//! What the last search knows of positions inside its proof, without searching again.
//!
//! A game that goes on after a mate was found stays inside the proof: every answer of the defender
//! is covered, so the next move is only looked up.

use crate::dfpn::MateWorker;
use crate::expand;
use crate::line;
use crate::solver::Solver;
use crate::table::Length;
use tesuji_shogi::{Color, Move, MoveList, Position};

/// What is remembered of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Probe {
    /// The attacker mates in at most so many plies.
    Mate {
        /// How to go on, if the attacker is to move and the memory still has it.
        mv: Option<Move>,
        /// The plies it takes at most.
        plies: u32,
    },
    /// The attacker cannot mate by checks alone.
    NoMate,
}

impl Solver {
    /// What the last search has found out about a position; `None` if nothing final.
    ///
    /// ```
    /// use tesuji_mate::{MateLimits, Probe, Solver};
    /// use tesuji_shogi::Position;
    /// let pos = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// let mut solver = Solver::new(16 << 20);
    /// solver.solve(&pos, pos.turn(), &MateLimits::NONE, &mut ()).unwrap();
    /// let mv = Some("G*5b".parse().unwrap());
    /// assert_eq!(solver.probe(&pos, pos.turn()), Some(Probe::Mate { mv, plies: 1 }));
    /// ```
    pub fn probe(&self, pos: &Position, attacker: Color) -> Option<Probe> {
        let king = pos.king(attacker.foe())?;
        let worker = MateWorker::new(pos.clone(), attacker, king);
        let (position, attacking) = (worker.position(), worker.is_attacking());
        let (mate, escape) = self.search.memory.table.range(position, attacking);
        if let Some(length) = mate {
            let mv = attacking.then(|| {
                let mut list = MoveList::new();
                expand::moves(pos, true, &mut list);
                let found = line::shortest(&self.search, &worker, &list);
                found.filter(|&(_, left)| left < length).map(|(mv, _)| mv)
            });
            return Some(Probe::Mate {
                mv: mv.flatten(),
                plies: length.0.into(),
            });
        }
        (escape == Some(Length::ANY)).then_some(Probe::NoMate)
    }
}
