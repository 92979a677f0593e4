//! A small measuring harness: the median of many samples, and its ratio to that of a memcpy of the same output,
//! whose samples are taken in turn with the case's own.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One sample takes about this long.
const SAMPLE: Duration = Duration::from_micros(200);
const SAMPLES: usize = 400;
/// Every round leaves so many bytes allocated, so that the next finds other places in memory: how fast bytes are
/// copied depends on how their addresses lie to each other, and no case shall be lucky in all rounds.
const SPACER: usize = 584;

/// Cases that are measured together.
pub(crate) struct Group<'g> {
    unit: Option<Box<dyn FnMut() + 'g>>,
    cases: Vec<(String, Box<dyn FnMut() + 'g>)>,
}

impl<'g> Group<'g> {
    /// Starts a group whose ratios are to a memcpy of `output` into a fresh buffer.
    pub(crate) fn with_copy_of(output: &'g str) -> Self {
        Self::beside("memcpy of the output", move || black_box(output).to_owned())
    }

    /// Starts a group whose ratios are to `unit`.
    pub(crate) fn beside<T>(name: &str, unit: impl Fn() -> T + Copy + 'g) -> Self {
        let again = Box::new(move || drop(black_box(unit())));
        let mut group = Self { unit: Some(again), cases: Vec::new() };
        group.case(name, unit);
        group
    }

    /// Starts a group that is measured in time alone.
    pub(crate) fn alone() -> Self {
        Self { unit: None, cases: Vec::new() }
    }

    /// Adds a case; what it returns is dropped within the measurement, as the memcpy's buffer is.
    pub(crate) fn case<T>(&mut self, name: &str, mut action: impl FnMut() -> T + 'g) {
        self.cases.push((name.to_owned(), Box::new(move || drop(black_box(action())))));
    }

    /// Measures all cases and prints a line for each. Every sample of a case follows one of the unit, so that
    /// both meet the same machine and the same state of the allocator.
    pub(crate) fn print(mut self) {
        let has_unit = self.unit.is_some();
        let mut unit = self.unit.take().unwrap_or_else(|| Box::new(|| ()));
        let units = runs_per_sample(&mut unit);
        for (name, action) in &mut self.cases {
            let runs = runs_per_sample(action);
            let mut times = Vec::with_capacity(SAMPLES);
            let mut limits = Vec::with_capacity(SAMPLES);
            let mut spacers = Vec::with_capacity(SAMPLES);
            for _ in 0..SAMPLES {
                spacers.push(black_box(Vec::<u8>::with_capacity(SPACER)));
                limits.push(sample(&mut unit, units));
                times.push(sample(action, runs));
            }
            let nanoseconds = median(&mut times);
            let ratio = nanoseconds / median(&mut limits);
            let ratio = if has_unit { format!("{ratio:>9.2} x") } else { String::new() };
            println!("  {name:<42} {:>12}{ratio}", time(nanoseconds));
        }
    }
}

/// Prints the heading of a group.
pub(crate) fn heading(name: &str, note: &str) {
    println!("\n{name}\n  ({note})");
}

/// Measures the nanoseconds of one run by the time of many.
fn sample(action: &mut dyn FnMut(), runs: u32) -> f64 {
    // The first run is not timed: it pays for the caches that the case before left behind.
    action();
    let start = Instant::now();
    for _ in 0..runs {
        action();
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
}

fn runs_per_sample(action: &mut dyn FnMut()) -> u32 {
    let mut runs = 1;
    while sample(action, runs) * f64::from(runs) < SAMPLE.as_secs_f64() * 1e9 && runs < 1 << 20 {
        runs *= 2;
    }
    runs
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.1} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
