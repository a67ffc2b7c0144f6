//! Search threads that live as long as the engine, so that a search starts without a delay and each thread keeps
//! what it has learnt.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread::{Builder, JoinHandle};

use crate::search::Worker;

/// Stack of a search thread in bytes: the deepest line takes a tenth of it, in a debug build too.
const STACK: usize = 16 << 20;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

struct Thread {
    jobs: Sender<Job>,
    handle: JoinHandle<()>,
}

impl Thread {
    fn spawn(index: usize) -> io::Result<Thread> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        // Before the thread, so that it is the thread that fails when memory runs out: that is an error, this an abort.
        let mut worker = Worker::default();
        let handle = Builder::new().name(format!("search-{index}")).stack_size(STACK).spawn(move || {
            for job in inbox {
                // The panic has been reported on stderr; the thread goes on with a fresh state.
                if catch_unwind(AssertUnwindSafe(|| job(&mut worker))).is_err() {
                    worker = Worker::default();
                }
            }
        })?;
        Ok(Thread { jobs, handle })
    }
}

/// The threads, of which the first coordinates.
pub(super) struct Pool {
    threads: Vec<Thread>,
}

impl Pool {
    pub(super) const fn empty() -> Pool {
        Pool { threads: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are `count`; they must be idle.
    ///
    /// # Errors
    /// When a thread cannot be started; those that could remain.
    pub(super) fn resize(&mut self, count: usize) -> io::Result<()> {
        while self.threads.len() > count {
            self.end_last();
        }
        while self.threads.len() < count {
            self.threads.push(Thread::spawn(self.threads.len())?);
        }
        Ok(())
    }

    /// Gives a thread something to do after what it does already.
    pub(super) fn submit(&self, thread: usize, job: impl FnOnce(&mut Worker) + Send + 'static) {
        // The thread, and with it the channel, lives as long as the pool.
        let _ = self.threads[thread].jobs.send(Box::new(job));
    }

    fn end_last(&mut self) {
        if let Some(Thread { jobs, handle }) = self.threads.pop() {
            drop(jobs);
            // Jobs that panic do not end their thread.
            let _ = handle.join();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        while !self.threads.is_empty() {
            self.end_last();
        }
    }
}
