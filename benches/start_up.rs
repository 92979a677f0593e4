//! From process start to the last byte: `agentd prompt` beside `/bin/true`, in turn, with instruction counts
//! where valgrind is installed; and what it costs to confine a call.

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on says why")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agentd::models::run::{End, Invocation};
use agentd::models::sandbox::{Grant, Sandbox, SandboxSettings};
use agentd::process::{Cancel, Limits, Supervision, run as run_under_guard, support};

const SAMPLES: usize = 300;
const CALLS: usize = 100;
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
    confining();
}

/// Calls of `/bin/true` under a guard, in turn without the sandbox and with it.
fn confining() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = env::home_dir();
    let environment: Vec<_> = env::vars_os().collect();
    let state = folder.path().join("state");
    let sandbox = Sandbox::new(SandboxSettings::default(), home, &environment, state, Vec::new());
    let grant = sandbox.expect("it is on").for_agent(vec![folder.path().to_owned()], &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mut times = [Vec::new(), Vec::new()];
    for sample in 0..CALLS {
        for (times, grant) in times.iter_mut().zip([None, Some(&grant)]) {
            let run_folder = folder.path().join(format!("{sample}-{}", grant.is_some()));
            let start = Instant::now();
            runtime.block_on(call(folder.path(), &run_folder, grant.cloned()));
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let [free, confined] = times.map(|mut times| median(&mut times));
    println!("\na call under a guard ({})\n  (the median of {CALLS})", support().describe());
    println!("  {:<42} {free:>9.2} ms", "not confined");
    println!("  {:<42} {confined:>9.2} ms", "confined");
    println!("  {:<42} {:>9.2} ms  (goal: under 5)", "more", confined - free);
}

async fn call(workspace: &Path, run_folder: &Path, grant: Option<Grant>) {
    let invocation = Invocation { program: "/bin/true".into(), ..Invocation::default() };
    let supervision = Supervision {
        guard: Path::new(AGENTD),
        workspace,
        run_folder,
        limits: Limits {
            timeout: Duration::from_mins(1),
            idle_timeout: None,
            grace: Duration::from_secs(1),
            largest_output: 1 << 20,
        },
        grant,
        cancel: Cancel::never(),
    };
    let record = run_under_guard(&invocation, &supervision, &mut |_| {}).await.expect("a run");
    assert_eq!(record.end, End::Exited { code: 0 });
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
