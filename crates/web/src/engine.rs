//! Which search of the engine pool a session waits for.

use std::sync::Arc;
use tesuji_search::SearchControl;

/// Whether a control is the one of the search that is waited for: any other answer is out of date.
pub(crate) fn is_current(
    waiting: Option<&Arc<SearchControl>>,
    control: &Arc<SearchControl>,
) -> bool {
    waiting.is_some_and(|waiting| Arc::ptr_eq(waiting, control))
}
