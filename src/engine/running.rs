//! A search under way, as the engine and the search threads share it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::Control;

/// The flags of a search with a way to sleep until they change.
pub(super) struct Running {
    pub(super) control: Control,
    infinite: bool,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Helper threads that are still searching.
    helpers: usize,
    phase: Phase,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its threads are at work, or wait for leave to answer.
    Searching,
    /// Nothing runs any more; the answer is about to be told.
    Idle,
    /// The observer has heard the answer.
    Answered,
}

/// Counts a helper thread as done when it is dropped.
pub(super) struct Helper<'a>(&'a Running);

impl Drop for Helper<'_> {
    fn drop(&mut self) {
        self.0.lock().helpers -= 1;
        self.0.changed.notify_all();
    }
}

impl Running {
    pub(super) fn new(control: Control, infinite: bool, helpers: usize) -> Running {
        let state = Mutex::new(State { helpers, phase: Phase::Searching });
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

    pub(super) fn helper(&self) -> Helper<'_> {
        Helper(self)
    }

    pub(super) fn wait_for_helpers(&self) {
        self.wait_until(|state| state.helpers == 0);
    }

    pub(super) fn set_phase(&self, phase: Phase) {
        self.lock().phase = phase;
        self.changed.notify_all();
    }

    pub(super) fn phase(&self) -> Phase {
        self.lock().phase
    }

    pub(super) fn wait_for_answer(&self) {
        self.wait_until(|state| state.phase == Phase::Answered);
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
