//! The trait that every search implements.

use crate::control::SearchControl;
use crate::info::SearchListener;
use crate::request::SearchRequest;
use crate::result::SearchResult;

/// A game-tree search: a request in, a result out.
pub trait Search: Send {
    /// Searches a position that has a legal move, until a limit is reached or the control says
    /// stop. Never prints: what it finds on the way goes to the listener.
    fn search(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult;

    /// Answers a request: at once where there is nothing to search, else by searching. While it
    /// ponders, or analyses without end, the answer is held until it is wanted.
    fn think(
        &mut self,
        request: &SearchRequest,
        control: &SearchControl,
        listener: &mut dyn SearchListener,
    ) -> SearchResult {
        let result = match request.immediate_result() {
            Some(result) => result,
            None => self.search(request, control, listener),
        };
        control.hold_answer(request.limits.infinite);
        result
    }

    /// Forgets everything that belongs to the game before.
    fn new_game(&mut self) {}
}
