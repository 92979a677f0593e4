//! A small measuring harness. The cases of a group are sampled in turn, so that noise hits all of them alike,
//! and the ratios of their medians to a memcpy in the same group are what is printed.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// One sample takes about this long.
const SAMPLE: Duration = Duration::from_micros(200);
const SAMPLES: usize = 300;

/// Cases that are measured together.
pub(crate) struct Group<'g> {
    copy: Option<&'g str>,
    cases: Vec<(String, Box<dyn FnMut() + 'g>)>,
}

impl<'g> Group<'g> {
    /// Starts a group whose ratios are to a memcpy of `output` into a fresh buffer.
    pub(crate) fn with_copy_of(output: &'g str) -> Self {
        let mut group = Self { copy: Some(output), cases: Vec::new() };
        group.case("memcpy of the output", move || black_box(output).to_owned());
        group
    }

    /// Starts a group that is measured in time alone.
    pub(crate) fn without_copy() -> Self {
        Self { copy: None, cases: Vec::new() }
    }

    /// Adds a case; what it returns is dropped within the measurement, as the memcpy's buffer is.
    pub(crate) fn case<T>(&mut self, name: &str, mut action: impl FnMut() -> T + 'g) {
        self.cases.push((name.to_owned(), Box::new(move || drop(black_box(action())))));
    }

    /// Measures all cases and prints a line for each.
    pub(crate) fn print(mut self) {
        let runs: Vec<u32> =
            self.cases.iter_mut().map(|(_, action)| runs_per_sample(action)).collect();
        let mut samples = vec![Vec::with_capacity(SAMPLES); self.cases.len()];
        for _ in 0..SAMPLES {
            for (number, (_, action)) in self.cases.iter_mut().enumerate() {
                samples[number].push(sample(action, runs[number]) / f64::from(runs[number]));
            }
        }
        let medians: Vec<f64> = samples.iter_mut().map(|times| median(times)).collect();
        for ((name, _), nanoseconds) in self.cases.iter().zip(&medians) {
            let ratio = self
                .copy
                .map_or_else(String::new, |_| format!("{:>9.2} x", nanoseconds / medians[0]));
            println!("  {name:<42} {:>12}{ratio}", time(*nanoseconds));
        }
    }
}

/// Prints the heading of a group.
pub(crate) fn heading(name: &str, note: &str) {
    println!("\n{name}\n  ({note})");
}

fn sample(action: &mut dyn FnMut(), runs: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..runs {
        action();
    }
    start.elapsed().as_secs_f64() * 1e9
}

fn runs_per_sample(action: &mut dyn FnMut()) -> u32 {
    let mut runs = 1;
    while sample(action, runs) < SAMPLE.as_secs_f64() * 1e9 && runs < 1 << 20 {
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
