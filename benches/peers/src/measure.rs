//! Times the cases of a group in turns, so that noise of the machine hits all of them alike.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::allocations;

/// How often each case of a group is timed.
const ROUNDS: usize = 1000;
/// A sample repeats its case until it takes at least this long, beside which reading the clock is nothing.
const SAMPLE: Duration = Duration::from_micros(50);

/// Each round leaves so many bytes allocated, so that the next finds other places in memory. How fast
/// bytes are copied depends on how their addresses lie to each other, and no case shall be lucky in all rounds.
const SPACER: usize = 584;

/// Something to be measured.
pub struct Case<'c> {
    name: &'static str,
    sample: Box<dyn Fn(u32) -> Sample + 'c>,
}

/// One sample of a case: how long its repetitions took and how often they allocated.
struct Sample {
    elapsed: Duration,
    allocations: u64,
}

impl<'c> Case<'c> {
    /// Makes a case of a closure that works on a state, which each sample makes anew. What it returns is
    /// kept from being optimized away, and dropped.
    pub fn new<S, T>(
        name: &'static str,
        start: impl Fn() -> S + 'c,
        run: impl Fn(&mut S) -> T + 'c,
    ) -> Self {
        let sample = move |repetitions| {
            let mut state = start();
            // The first run is not timed: it would pay for the caches that the case before left behind.
            black_box(run(&mut state));
            let allocations = allocations::count();
            let clock = Instant::now();
            for _ in 0..repetitions {
                black_box(run(&mut state));
            }
            let elapsed = clock.elapsed();
            Sample { elapsed, allocations: allocations::count() - allocations }
        };
        Self { name, sample: Box::new(sample) }
    }

    /// Finds how many repetitions make a sample.
    fn repetitions(&self) -> u32 {
        let mut repetitions = 1;
        while (self.sample)(repetitions).elapsed < SAMPLE {
            repetitions *= 2;
        }
        repetitions
    }
}

/// What was measured of a case.
pub struct Measured {
    /// The name of the case.
    pub name: &'static str,
    /// The median time of one repetition, in nanoseconds.
    pub nanoseconds: f64,
    /// The allocations of one repetition.
    pub allocations: u64,
}

/// Measures the cases of a group.
pub fn measure(cases: &[Case<'_>]) -> Vec<Measured> {
    let repetitions: Vec<u32> = cases.iter().map(Case::repetitions).collect();
    let mut times = vec![Vec::with_capacity(ROUNDS); cases.len()];
    let mut spacers = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        spacers.push(black_box(Vec::<u8>::with_capacity(SPACER)));
        for ((case, repetitions), times) in cases.iter().zip(&repetitions).zip(&mut times) {
            let sample = (case.sample)(*repetitions);
            times.push(sample.elapsed.as_nanos() as f64 / f64::from(*repetitions));
        }
    }
    let measured = |(case, mut times): (&Case<'_>, Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        Measured {
            name: case.name,
            nanoseconds: times[ROUNDS / 2],
            allocations: (case.sample)(1).allocations,
        }
    };
    cases.iter().zip(times).map(measured).collect()
}
