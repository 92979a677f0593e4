//! From process start to the last byte: `agentd prompt` beside `/bin/true`, in turn, with instruction counts
//! where valgrind is installed.

#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::process::{Command, Stdio};
use std::time::Instant;

const SAMPLES: usize = 300;
const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");

fn main() {
    let cases: [(&str, Vec<&str>); 3] = [
        ("/bin/true", vec!["/bin/true"]),
        ("agentd --version", vec![AGENTD, "--version"]),
        (
            "agentd prompt plan",
            vec![AGENTD, "-q", "prompt", "plan", "--agent", "claude", "Add login"],
        ),
    ];
    let mut times = vec![Vec::with_capacity(SAMPLES); cases.len()];
    for _ in 0..SAMPLES {
        for (times, (_, command)) in times.iter_mut().zip(&cases) {
            let start = Instant::now();
            run(command);
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    println!("\nprocess start to last byte\n  (ratio to /bin/true; the median of {SAMPLES} runs)");
    for ((name, command), median) in cases.iter().zip(&medians) {
        let instructions = instructions(command)
            .map_or_else(String::new, |count| format!("{count:>12} instructions"));
        println!("  {name:<42} {median:>9.2} ms{:>9.2} x{instructions}", median / medians[0]);
    }
}

fn run(command: &[&str]) {
    let status = Command::new(command[0])
        .args(&command[1..])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "{command:?} fails");
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Counts the instructions of one run, which do not depend on what else the machine does.
fn instructions(command: &[&str]) -> Option<u64> {
    let valgrind = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
    let output = Command::new("valgrind").args(valgrind).args(command).output().ok()?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    report.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
}
