//! Two ways to ask for a value: one wide window, or many that hold nothing.

use tesuji_shogi::Value;

/// How the value of a root is asked for.
pub trait WindowMethod: Send {
    /// The value, by asking about windows; `None` as soon as an answer is `None`. `guess` is what an
    /// earlier search said.
    fn seek(guess: Value, ask: impl FnMut(Value, Value) -> Option<Value>) -> Option<Value>;
}

/// Asks once, with everything open.
#[derive(Clone, Copy, Debug, Default)]
pub struct AlphaBeta;

impl WindowMethod for AlphaBeta {
    fn seek(_: Value, mut ask: impl FnMut(Value, Value) -> Option<Value>) -> Option<Value> {
        ask(-Value::INFINITE, Value::INFINITE)
    }
}

/// Asks "above or below?" until the answers meet; lives on the memory of the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct MtdF;

impl WindowMethod for MtdF {
    fn seek(guess: Value, mut ask: impl FnMut(Value, Value) -> Option<Value>) -> Option<Value> {
        const STEP: Value = Value::new(1);
        let (mut value, mut lower, mut upper) = (guess, -Value::INFINITE, Value::INFINITE);
        while lower < upper {
            let beta = value.max(lower + STEP);
            value = ask(beta - STEP, beta)?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
            }
        }
        Some(value)
    }
}
