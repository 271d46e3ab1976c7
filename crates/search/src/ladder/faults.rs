//! The fourth rung with a mistake in it, to see what goes wrong: the slips that everybody makes once.

use super::rung::Rung;
use super::trace::{Trace, TracedTree};
use super::tree::Tree;
use std::fmt;
use std::str::FromStr;
use tesuji_shogi::Value;

/// A mistake in negamax alpha-beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Cuts at `beta < alpha` instead of `beta <= alpha`: right, and more work than needed.
    StrictCut,
    /// Answers a cut with alpha instead of beta: right at the root, and no longer fail-hard.
    ReturnAlpha,
    /// Forgets to turn the sign of what comes back.
    ForgottenSign,
    /// Hands the window down as it is instead of `(-beta, -alpha)`.
    UnturnedWindow,
}

/// A text names no mistake.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no fault: strict-cut, return-alpha, forgotten-sign or unturned-window")]
pub struct FaultError(String);

impl Fault {
    /// All of them, the harmless first.
    pub const ALL: [Self; 4] = [
        Self::StrictCut,
        Self::ReturnAlpha,
        Self::ForgottenSign,
        Self::UnturnedWindow,
    ];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StrictCut => "strict-cut",
            Self::ReturnAlpha => "return-alpha",
            Self::ForgottenSign => "forgotten-sign",
            Self::UnturnedWindow => "unturned-window",
        }
    }

    /// Whether the root has its right value nevertheless, on every tree.
    pub const fn is_harmless(self) -> bool {
        matches!(self, Self::StrictCut | Self::ReturnAlpha)
    }

    /// What the broken rung does on a tree, node by node.
    pub fn trace<T: Tree>(self, tree: T) -> Trace {
        let mut watched = TracedTree::new(tree);
        let value = watched.ask(|tree| self.search(tree, -Value::INFINITE, Value::INFINITE));
        watched.trace(Rung::NegaAlphaBeta, value)
    }

    /// The fourth rung, line by line, with one of its lines changed.
    fn search(self, tree: &mut impl Tree, mut alpha: Value, beta: Value) -> Value {
        tree.enter(alpha, beta);
        let branches = tree.branches();
        if branches.is_empty() {
            return tree.own_value();
        }
        for branch in branches {
            let window = match self {
                Self::UnturnedWindow => (alpha, beta),
                _ => (-beta, -alpha),
            };
            let below = tree.after(branch, |below| self.search(below, window.0, window.1));
            let value = match self {
                Self::ForgottenSign => below,
                _ => -below,
            };
            alpha = alpha.max(value);
            let cuts = match self {
                Self::StrictCut => beta < alpha,
                _ => beta <= alpha,
            };
            if cuts {
                return match self {
                    Self::ReturnAlpha => alpha,
                    _ => beta,
                };
            }
        }
        alpha
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Fault {
    type Err = FaultError;

    fn from_str(text: &str) -> Result<Self, FaultError> {
        let fault = Self::ALL.into_iter().find(|fault| fault.name() == text);
        fault.ok_or_else(|| FaultError(text.to_owned()))
    }
}
