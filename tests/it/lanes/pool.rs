//! Many jobs at once: each is reported once, and never more than allowed are under way.

use std::cell::{Cell, RefCell};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::time::Duration;

use agentd::engine::lanes::pool::{End, run};
use agentd::process::{Cancel, cancellation};
use proptest::prelude::*;
use tokio::task::yield_now;
use tokio::time::sleep;

/// What a job does.
#[derive(Clone, Copy, Debug)]
enum Job {
    EndsAtOnce,
    Sleeps(u64),
    Yields(usize),
    PanicsAtOnce,
    PanicsAfter(u64),
    Spawns(u64),
    Cancels,
}

fn job() -> impl Strategy<Value = Job> {
    prop_oneof![
        4 => Just(Job::EndsAtOnce),
        6 => (0_u64..1000).prop_map(Job::Sleeps),
        // More often than Tokio lets one task do something before it makes way for others.
        2 => (0_usize..300).prop_map(Job::Yields),
        2 => Just(Job::PanicsAtOnce),
        2 => (0_u64..1000).prop_map(Job::PanicsAfter),
        2 => (0_u64..1000).prop_map(Job::Spawns),
        1 => Just(Job::Cancels),
    ]
}

/// Counts a job for as long as it lives, also when it panics.
struct UnderWay<'a>(&'a Cell<usize>);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// What was seen of a pool at work.
#[derive(Debug, Default)]
struct Seen {
    begun: Vec<usize>,
    begun_after_cancel: bool,
    most: usize,
    ends: Vec<(usize, End<usize>)>,
}

fn watch(jobs: &[Job], most: usize, cancel_at: Option<u64>) -> Seen {
    let (canceller, cancel) = cancellation();
    let (seen, count) = (RefCell::new(Seen::default()), Cell::new(0));
    let work = |(number, job): (usize, &Job)| {
        let (job, seen, count, cancel, canceller) =
            (*job, &seen, &count, cancel.clone(), canceller.clone());
        async move {
            count.set(count.get() + 1);
            let _under_way = UnderWay(count);
            {
                let mut seen = seen.borrow_mut();
                seen.begun.push(number);
                seen.begun_after_cancel |= cancel.is_cancelled();
                seen.most = seen.most.max(count.get());
            }
            match job {
                Job::EndsAtOnce => {}
                Job::Sleeps(milliseconds) => sleep(Duration::from_millis(milliseconds)).await,
                Job::Yields(times) => {
                    for _ in 0..times {
                        yield_now().await;
                    }
                }
                Job::PanicsAtOnce => panic_quietly("at once"),
                Job::PanicsAfter(milliseconds) => {
                    sleep(Duration::from_millis(milliseconds)).await;
                    panic_quietly(&format!("after {milliseconds}"));
                }
                Job::Spawns(milliseconds) => {
                    tokio::spawn(sleep(Duration::from_millis(milliseconds))).await.unwrap();
                }
                Job::Cancels => canceller.cancel(),
            }
            number
        }
    };
    runtime().block_on(async {
        let all = run(
            jobs.iter().enumerate().map(work),
            NonZeroUsize::new(most).unwrap(),
            &cancel,
            |number, end| seen.borrow_mut().ends.push((number, end)),
        );
        tokio::pin!(all);
        if let Some(milliseconds) = cancel_at {
            tokio::select! {
                () = &mut all => return,
                () = sleep(Duration::from_millis(milliseconds)) => canceller.cancel(),
            }
        }
        all.await;
    });
    seen.into_inner()
}

/// Panics without the message that panics print, of which there would be a thousand.
fn panic_quietly(words: &str) -> ! {
    resume_unwind(Box::new(words.to_owned()))
}

/// Time that passes as soon as everybody waits.
fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_time().start_paused(true).build().unwrap()
}

#[test]
fn each_job_is_reported_once_and_never_are_more_under_way_than_allowed() {
    let cases = (prop::collection::vec(job(), 0..40), 1_usize..8, prop::option::of(0_u64..2000));
    let config = ProptestConfig { cases: 1000, failure_persistence: None, ..Default::default() };
    proptest!(config, |((jobs, most, cancel_at) in cases)| {
        let seen = watch(&jobs, most, cancel_at);
        let mut numbers: Vec<_> = seen.ends.iter().map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        prop_assert_eq!(numbers, (0..jobs.len()).collect::<Vec<_>>(), "each once");
        prop_assert!(seen.most <= most, "{} under way", seen.most);
        prop_assert!(!seen.begun_after_cancel);
        prop_assert_eq!(&seen.begun, &(0..seen.begun.len()).collect::<Vec<_>>(), "in order");
        for (number, end) in &seen.ends {
            let is_begun = *number < seen.begun.len();
            match end {
                End::Done(result) => prop_assert!(is_begun && result == number),
                End::Panicked(_) => prop_assert!(
                    is_begun && matches!(jobs[*number], Job::PanicsAtOnce | Job::PanicsAfter(_))
                ),
                End::NotStarted => prop_assert!(!is_begun),
            }
        }
        let is_cancelled = cancel_at.is_some() || jobs.iter().any(|job| matches!(job, Job::Cancels));
        prop_assert!(is_cancelled || seen.begun.len() == jobs.len(), "all are begun");
    });
}

#[test]
fn as_many_as_allowed_are_under_way_and_time_is_not_wasted() {
    let most = NonZeroUsize::new(32).unwrap();
    let took = runtime().block_on(async {
        let start = tokio::time::Instant::now();
        let jobs = (0..320).map(|_| sleep(Duration::from_secs(1)));
        run(jobs, most, &Cancel::never(), |_, _| {}).await;
        start.elapsed()
    });
    assert!(took >= Duration::from_secs(10) && took < Duration::from_millis(10_100), "{took:?}");
}

#[test]
fn a_panic_is_reported_with_its_words() {
    let seen = watch(&[Job::PanicsAfter(7), Job::PanicsAtOnce], 1, None);
    let words = |text: &str| End::Panicked(text.to_owned());
    assert_eq!(seen.ends, [(0, words("after 7")), (1, words("at once"))]);
}
