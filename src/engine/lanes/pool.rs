//! Runs jobs, so many at once at most, and reports each exactly once, whatever becomes of it. It knows nothing of plans,
//! git or files.
//!
//! The jobs are polled here rather than spawned, so that they may borrow what they work with.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;

use futures_util::future::{FutureExt as _, LocalBoxFuture};
use futures_util::stream::{FuturesUnordered, StreamExt as _};

use crate::process::Cancel;

/// What has become of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End<T> {
    /// It came to its end, with this.
    Done(T),
    /// It panicked, with these words.
    Panicked(String),
    /// It was not begun, since all was cancelled before.
    NotStarted,
}

/// Runs jobs in their order, at most so many at once, and reports the number and the end of each, once.
///
/// After a cancellation no job is begun; those under way are waited for, and it is up to them to end soon.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use agentd::process::Cancel;
/// use agentd::engine::lanes::pool::{End, run};
///
/// let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// let mut ends = Vec::new();
/// let jobs = ["one", "two"].map(|word| async { word.len() });
/// runtime.block_on(run(jobs, NonZeroUsize::MIN, &Cancel::never(), |job, end| ends.push((job, end))));
/// assert_eq!(ends, [(0, End::Done(3)), (1, End::Done(3))]);
/// ```
pub async fn run<'j, J, T>(
    jobs: impl IntoIterator<Item = J>,
    most: NonZeroUsize,
    cancel: &Cancel,
    mut report: impl FnMut(usize, End<T>),
) where
    J: Future<Output = T> + 'j,
    T: 'j,
{
    let mut waiting = jobs.into_iter().enumerate();
    let mut pool = Pool::new(most, cancel.clone());
    loop {
        for (number, job) in waiting.by_ref().take(pool.room()) {
            pool.add(number, job);
        }
        let Some((number, end)) = pool.next_end().await else { return };
        report(number, end);
    }
}

/// Jobs that are under way, to which others can be added.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use agentd::process::Cancel;
/// use agentd::engine::lanes::pool::{End, Pool};
///
/// let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// let mut pool = Pool::new(NonZeroUsize::MIN, Cancel::never());
/// pool.add(7, async { "done" });
/// assert_eq!(pool.room(), 0);
/// assert_eq!(runtime.block_on(pool.next_end()), Some((7, End::Done("done"))));
/// assert_eq!(runtime.block_on(pool.next_end()), None);
/// ```
pub struct Pool<'j, T> {
    most: NonZeroUsize,
    cancel: Cancel,
    under_way: FuturesUnordered<LocalBoxFuture<'j, (usize, End<T>)>>,
}

impl<'j, T: 'j> Pool<'j, T> {
    /// Creates an empty pool for so many jobs at most.
    pub fn new(most: NonZeroUsize, cancel: Cancel) -> Self {
        Self { most, cancel, under_way: FuturesUnordered::new() }
    }

    /// Returns how many jobs can be added now.
    pub fn room(&self) -> usize {
        self.most.get().saturating_sub(self.under_way.len())
    }

    /// Returns whether no job is under way.
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Adds a job, which begins when somebody waits for the next end.
    pub fn add(&mut self, number: usize, job: impl Future<Output = T> + 'j) {
        let cancel = self.cancel.clone();
        let job = async move {
            if cancel.is_cancelled() {
                return (number, End::NotStarted);
            }
            match AssertUnwindSafe(job).catch_unwind().await {
                Ok(result) => (number, End::Done(result)),
                Err(words) => (number, End::Panicked(last_words(&*words))),
            }
        };
        self.under_way.push(job.boxed_local());
    }

    /// Waits for the next job to end; without any there is none.
    pub async fn next_end(&mut self) -> Option<(usize, End<T>)> {
        self.under_way.next().await
    }
}

/// Returns what a panic said.
fn last_words(words: &(dyn Any + Send)) -> String {
    let text = words.downcast_ref::<&str>().copied();
    let text = text.or_else(|| words.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a word").to_owned()
}
