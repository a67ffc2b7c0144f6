//! Search threads that live as long as the engine, so that a search starts without a delay and each thread keeps
//! what it has learnt.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Sender};
use std::thread::{Builder, JoinHandle};

use crate::search::Worker;

/// Stack of a search thread in bytes: the deepest line takes a tenth of it, in a debug build too.
const STACK: usize = 16 << 20;

/// Memory in bytes that must be free for another thread: its stack, and as much again for what the runtime sets up
/// inside the new thread and for the searches that follow, which cannot report that there is none.
const ROOM: usize = 2 * STACK;

type Job = Box<dyn FnOnce(&mut Worker) + Send>;

struct Thread {
    jobs: Sender<Job>,
    handle: JoinHandle<()>,
}

impl Thread {
    fn spawn(index: usize) -> io::Result<Thread> {
        let (jobs, inbox) = mpsc::channel::<Job>();
        // Reserved for a moment, so that it is this that fails when memory runs out: that is an error, what follows
        // is an abort.
        Vec::<u8>::new().try_reserve_exact(ROOM).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let mut worker = Worker::default();
        let (started, start) = mpsc::sync_channel(1);
        let handle = Builder::new().name(format!("search-{index}")).stack_size(STACK).spawn(move || {
            let _ = started.send(());
            for job in inbox {
                // The panic has been reported on stderr; the thread goes on with a fresh state.
                if catch_unwind(AssertUnwindSafe(|| job(&mut worker))).is_err() {
                    worker = Worker::default();
                }
            }
        })?;
        // The thread now has all that it needs, so that the next one is measured against what is left.
        let _ = start.recv();
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
    /// When a thread cannot be started, or would leave no memory for the search; those that could remain.
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
