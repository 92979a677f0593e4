//! Runs jobs, so many at once at most, and reports each exactly once, whatever becomes of it. It knows nothing of plans,
//! git or files.
//!
//! The jobs are polled here rather than spawned, so that they may borrow what they work with.

use std::any::Any;
use std::future::poll_fn;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

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
    bell: Arc<Bell>,
}

impl<J: Future> Pool<J> {
    /// Has room for so many jobs at once.
    pub fn new(most: NonZeroUsize) -> Self {
        Self { most, under_way: Vec::new(), bell: Arc::default() }
    }

    /// Says how many more jobs may be under way.
    pub const fn room(&self) -> usize {
        self.most.get().saturating_sub(self.under_way.len())
    }

    /// Says whether no job is under way.
    pub const fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Adds a job, which begins when the next end is waited for.
    pub fn add(&mut self, number: usize, job: J) {
        self.under_way.push(Lane::of(number, job, &self.bell));
    }

    /// Goes on with all jobs until one of them has ended; none ends where none is under way. Who gives up waiting loses
    /// nothing.
    pub async fn next_end(&mut self, cancel: &Cancel) -> Option<(usize, End<J::Output>)> {
        if self.is_empty() {
            return None;
        }
        let next = poll_fn(|context| {
            self.bell.hang(context.waker());
            next_end(&mut self.under_way, cancel)
        });
        Some(next.await)
    }
}

/// Goes on with each job that asks for it, and takes out the first that has ended.
fn next_end<J: Future>(lanes: &mut Vec<Lane<J>>, cancel: &Cancel) -> Poll<(usize, End<J::Output>)> {
    for place in 0..lanes.len() {
        if let Poll::Ready(end) = lanes[place].go_on(cancel) {
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

/// A job that has a place.
struct Lane<J> {
    number: usize,
    job: Pin<Box<J>>,
    is_begun: bool,
    call: Arc<Call>,
}

impl<J: Future> Lane<J> {
    fn of(number: usize, job: J, bell: &Arc<Bell>) -> Self {
        let call = Call { is_waiting: AtomicBool::new(true), bell: Arc::clone(bell) };
        Self { number, job: Box::pin(job), is_begun: false, call: Arc::new(call) }
    }

    fn go_on(&mut self, cancel: &Cancel) -> Poll<End<J::Output>> {
        if !self.is_begun && cancel.is_cancelled() {
            return Poll::Ready(End::NotStarted);
        }
        if !self.call.is_waiting.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        self.is_begun = true;
        let waker = Waker::from(Arc::clone(&self.call));
        // A job that has panicked is dropped and never looked at again.
        let polled = catch_unwind(AssertUnwindSafe(|| {
            self.job.as_mut().poll(&mut Context::from_waker(&waker))
        }));
        match polled {
            Ok(polled) => polled.map(End::Done),
            Err(words) => Poll::Ready(End::Panicked(last_words(&*words))),
        }
    }
}

/// Gives what a panic said.
fn last_words(words: &(dyn Any + Send)) -> String {
    let text = words.downcast_ref::<&str>().copied();
    let text = text.or_else(|| words.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a word").to_owned()
}

/// What wakes the whole.
#[derive(Default)]
struct Bell(Mutex<Option<Waker>>);

impl Bell {
    fn hang(&self, waker: &Waker) {
        let mut hung = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *hung {
            Some(there) => there.clone_from(waker),
            empty => *empty = Some(waker.clone()),
        }
    }

    fn ring(&self) {
        let hung = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(waker) = hung {
            waker.wake();
        }
    }
}

/// What wakes one job, so that the others need not be looked at.
struct Call {
    is_waiting: AtomicBool,
    bell: Arc<Bell>,
}

impl Wake for Call {
    fn wake(self: Arc<Self>) {
        self.is_waiting.store(true, Ordering::Release);
        self.bell.ring();
    }
}
