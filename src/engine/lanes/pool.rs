//! Runs jobs, so many at once at most, and reports each exactly once, whatever becomes of it. It knows nothing of plans,
//! git or files.
//!
//! The jobs are polled here rather than spawned, so that they may borrow what they work with.

use std::any::Any;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

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
pub async fn run<J, T>(
    jobs: impl IntoIterator<Item = J>,
    most: NonZeroUsize,
    cancel: &Cancel,
    mut report: impl FnMut(usize, End<T>),
) where
    J: Future<Output = T>,
{
    let mut waiting = jobs.into_iter().enumerate();
    let mut pool = Pool::new(most);
    loop {
        for (number, job) in waiting.by_ref().take(pool.room()) {
            pool.add(number, job);
        }
        let Some((number, end)) = pool.next_end(cancel).await else { return };
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
/// let mut pool = Pool::new(NonZeroUsize::MIN);
/// pool.add(7, async { "done" });
/// assert_eq!(pool.room(), 0);
/// assert_eq!(runtime.block_on(pool.next_end(&Cancel::never())), Some((7, End::Done("done"))));
/// assert_eq!(runtime.block_on(pool.next_end(&Cancel::never())), None);
/// ```
pub struct Pool<J> {
    most: NonZeroUsize,
    under_way: Vec<Lane<J>>,
}

impl<J: Future> Pool<J> {
    /// Makes an empty pool for so many jobs at most.
    pub fn new(most: NonZeroUsize) -> Self {
        Self { most, under_way: Vec::new() }
    }

    /// Returns how many jobs can be added now.
    pub const fn room(&self) -> usize {
        self.most.get().saturating_sub(self.under_way.len())
    }

    /// Returns whether no job is under way.
    pub const fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Adds a job, which begins with the next look at the pool.
    pub fn add(&mut self, number: usize, job: J) {
        self.under_way.push(Lane { number, job: Box::pin(job), is_begun: false });
    }

    /// Waits for the next job to end; without any there is none.
    pub async fn next_end(&mut self, cancel: &Cancel) -> Option<(usize, End<J::Output>)> {
        if self.is_empty() {
            return None;
        }
        Some(poll_fn(|context| next_end(&mut self.under_way, cancel, context)).await)
    }
}

/// Looks at every job: there are few, and one that is not called has nothing to do.
fn next_end<J: Future>(
    lanes: &mut Vec<Lane<J>>,
    cancel: &Cancel,
    context: &mut Context<'_>,
) -> Poll<(usize, End<J::Output>)> {
    for place in 0..lanes.len() {
        if let Poll::Ready(end) = lanes[place].go_on(cancel, context) {
            // In order, since those that are not begun yet stand last.
            let lane = lanes.remove(place);
            return Poll::Ready((lane.number, end));
        }
    }
    // Tokio lets one task do only so much at a time: the next turn begins with another job.
    if !lanes.is_empty() {
        lanes.rotate_left(1);
    }
    Poll::Pending
}

/// A job that is under way, or is about to be.
struct Lane<J> {
    number: usize,
    job: Pin<Box<J>>,
    is_begun: bool,
}

impl<J: Future> Lane<J> {
    fn go_on(&mut self, cancel: &Cancel, context: &mut Context<'_>) -> Poll<End<J::Output>> {
        if !self.is_begun && cancel.is_cancelled() {
            return Poll::Ready(End::NotStarted);
        }
        self.is_begun = true;
        // A job that has panicked is dropped and never looked at again.
        match catch_unwind(AssertUnwindSafe(|| self.job.as_mut().poll(context))) {
            Ok(polled) => polled.map(End::Done),
            Err(words) => Poll::Ready(End::Panicked(last_words(&*words))),
        }
    }
}

/// Returns what a panic said.
fn last_words(words: &(dyn Any + Send)) -> String {
    let text = words.downcast_ref::<&str>().copied();
    let text = text.or_else(|| words.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a word").to_owned()
}
