//! The list of results, and the standings it makes.

use std::collections::BTreeMap;
use std::fmt;

/// A game that is over, as one line of the list.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ResultLine {
    /// When it ended.
    pub time: String,
    /// Its name.
    pub id: String,
    /// Who played Black.
    pub black: String,
    /// Who played White.
    pub white: String,
    /// `black`, `white`, `draw`, or `none` if nobody finished it.
    pub winner: &'static str,
    /// Why it ended, as the server said.
    pub reason: &'static str,
    /// After how many moves.
    pub plies: usize,
    /// Where its record is.
    pub record: String,
}

impl ResultLine {
    /// The names of the columns.
    pub const COLUMNS: &'static str = "time\tid\tblack\twhite\twinner\treason\tplies\trecord";
}

impl fmt::Display for ResultLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.plies.to_string();
        let fields = [
            &self.time,
            &self.id,
            &self.black,
            &self.white,
            self.winner,
            self.reason,
            &plies,
            &self.record,
        ];
        f.write_str(&fields.join("\t"))
    }
}

/// One player's results.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct PlayerStanding {
    /// The player.
    pub name: String,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl PlayerStanding {
    /// A point for a win, half a point for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }
}

/// The results of every player, the best first.
pub fn standings(results: &[ResultLine]) -> Vec<PlayerStanding> {
    let mut rows: BTreeMap<&str, PlayerStanding> = BTreeMap::new();
    for result in results.iter().filter(|result| result.winner != "none") {
        for (name, side) in [(&result.black, "black"), (&result.white, "white")] {
            let standing = rows.entry(name).or_default();
            standing.name.clone_from(name);
            match result.winner {
                "draw" => standing.draws += 1,
                winner if winner == side => standing.wins += 1,
                _ => standing.losses += 1,
            }
        }
    }
    let mut rows: Vec<_> = rows.into_values().collect();
    rows.sort_by(|one, other| other.points().total_cmp(&one.points()));
    rows
}
