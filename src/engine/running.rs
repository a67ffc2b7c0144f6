//! A search under way, as the engine and the search threads share it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::Control;

/// The flags of a search with a way to sleep until they change.
pub(super) struct Running {
    pub(super) control: Control,
    infinite: bool,
    /// Helper threads that are still searching, and whether the whole search is over.
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    helpers: usize,
    finished: bool,
}

impl Running {
    pub(super) fn new(control: Control, infinite: bool, helpers: usize) -> Running {
        let state = Mutex::new(State { helpers, finished: false });
        Running { control, infinite, state, changed: Condvar::new() }
    }

    pub(super) fn stop(&self) {
        let _state = self.lock();
        self.control.stop();
        self.changed.notify_all();
    }

    pub(super) fn ponder_hit(&self) {
        let _state = self.lock();
        self.control.ponder_hit();
        self.changed.notify_all();
    }

    /// Sleeps until the search may answer: an infinite one when it is stopped, a pondering one also when the
    /// expected move has been played.
    pub(super) fn wait_for_release(&self) {
        self.wait_until(|_| self.control.is_stopped() || !(self.infinite || self.control.is_pondering()));
    }

    pub(super) fn helper_done(&self) {
        self.lock().helpers -= 1;
        self.changed.notify_all();
    }

    pub(super) fn wait_for_helpers(&self) {
        self.wait_until(|state| state.helpers == 0);
    }

    pub(super) fn finish(&self) {
        self.lock().finished = true;
        self.changed.notify_all();
    }

    pub(super) fn is_finished(&self) -> bool {
        self.lock().finished
    }

    pub(super) fn wait_for_finish(&self) {
        self.wait_until(|state| state.finished);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_until(&self, condition: impl Fn(&State) -> bool) {
        let mut state = self.lock();
        while !condition(&state) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
