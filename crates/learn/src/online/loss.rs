//! How wrong it is to value a rival as high as the move that was played.
//!
//! A sigmoid of the difference, after Hoki's Bonanza method (2006), flat where the difference is too
//! large to be mended and where the played move leads by more than a margin. The margin grows with
//! the progress of the game (Kuma Shogi 2013): late in a game moves differ by more. The paper gives no
//! numbers; docs/learner.md says how these were chosen.

use serde::{Deserialize, Serialize};
use tesuji_shogi::{Color, Position};

/// What a comparison of two moves costs.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RivalLoss {
    /// How steep the sigmoid is: its exponent per point.
    pub slope: f32,
    /// Rivals that are valued higher by this much are not looked at.
    pub window: i32,
    /// By how much the played move must lead before nothing more is learnt, at the start of a game.
    pub margin: i32,
    /// By how much the margin grows until the end of a game.
    pub margin_growth: i32,
}

impl Default for RivalLoss {
    fn default() -> Self {
        Self {
            slope: 7.0 / 256.0,
            window: 300,
            margin: 80,
            margin_growth: 240,
        }
    }
}

/// The loss of a comparison, and how much the difference should grow, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct RivalComparison {
    pub(super) loss: f32,
    pub(super) pull: f32,
}

impl RivalLoss {
    /// The lead of the played move from which on nothing is learnt, in a position.
    pub(super) fn margin_at(&self, progress: f32) -> i32 {
        self.margin + (self.margin_growth as f32 * progress).round() as i32
    }

    fn sigmoid(&self, lead: i32) -> f32 {
        1.0 / (1.0 + (self.slope * lead as f32).exp())
    }

    /// Compares by the lead of the played move over a rival, for a margin.
    pub(super) fn compare(&self, lead: i32, margin: i32) -> RivalComparison {
        let loss = self.sigmoid(lead.clamp(-self.window, margin));
        let is_inside = -self.window < lead && lead < margin;
        // Four times the slope of the sigmoid, over its exponent: 1 where it is steepest.
        let pull = if is_inside {
            4.0 * loss * (1.0 - loss)
        } else {
            0.0
        };
        RivalComparison { loss, pull }
    }
}

/// How far a game has come, from 0 to 1: by the pieces in hand.
pub(super) fn progress(pos: &Position) -> f32 {
    let held = Color::ALL.map(|color| pos.hand(color).total());
    ((held[0] + held[1]) as f32 / 14.0).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pull_is_the_slope_inside_and_nothing_outside() {
        let loss = RivalLoss::default();
        assert_eq!(
            loss.compare(0, 80),
            RivalComparison {
                loss: 0.5,
                pull: 1.0
            }
        );
        for lead in [-299, -120, -3, 5, 60, 79] {
            let [below, above] = [-1, 1].map(|step| loss.compare(lead + step, 81).loss);
            let slope = (below - above) / 2.0 / loss.slope * 4.0;
            let pull = loss.compare(lead, 81).pull;
            assert!((slope - pull).abs() < 0.01, "{lead}: {slope} {pull}");
        }
        for lead in [-301, -300, 80, 81, 5000] {
            assert_eq!(loss.compare(lead, 80).pull, 0.0);
        }
        assert_eq!(loss.compare(900, 80).loss, loss.compare(80, 80).loss);
    }

    #[test]
    fn the_margin_grows_with_the_pieces_in_hand() {
        let loss = RivalLoss::default();
        let at = |sfen: &str| loss.margin_at(progress(&Position::from_sfen(sfen).unwrap()));
        assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b - 1"), 80);
        assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b 4P3p 1"), 200);
        assert_eq!(at("4k4/9/9/9/9/9/9/9/4K4 b 9P9p 1"), 320);
    }
}
