//! Runs the cases side by side, and tells what came of each.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cases::{CASES, Case};
use crate::cli::Cli;

/// What all cases share.
pub(crate) struct Suite {
    /// The agentd binary.
    agentd: PathBuf,
    /// Where programs are looked for: the CLIs, node and git.
    path: String,
    /// The folder for the cases' files.
    pub(crate) scratch: PathBuf,
}

/// What came of a case.
struct Finding {
    case: &'static str,
    cli: Cli,
    took: Duration,
    fault: Option<String>,
}

/// A case with a CLI.
type Job = (&'static Case, Cli);

impl Suite {
    pub(crate) fn new(clis: &Path) -> Self {
        Self {
            agentd: env!("CARGO_BIN_EXE_agentd").into(),
            path: format!("{}/bin:/usr/local/bin:/usr/bin:/bin", clis.display()),
            scratch: Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-clis"),
        }
    }

    /// Sets agentd up to run in the project below a case's folder, with an environment of the case's own.
    pub(crate) fn agentd(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.agentd);
        command
            .current_dir(root.join("project"))
            .env_clear()
            .env("PATH", &self.path)
            .env("LANG", "C.UTF-8")
            .env("HOME", root.join("home"))
            .env("TMPDIR", root.join("tmp"))
            // Copilot unpacks itself there, 200 MB of it; nothing else is kept.
            .env("XDG_CACHE_HOME", self.scratch.join("cache"))
            .stdin(Stdio::null());
        command
    }

    /// Runs every case whose name, or whose CLI's, is among the words; all of them without any.
    pub(crate) fn run(&self, words: &[String]) -> ExitCode {
        let chosen = |(case, cli): &Job| {
            let named = |name: &str| words.iter().any(|word| word == name);
            let by_cli = Cli::ALL.iter().any(|cli| named(cli.name()));
            let by_case = CASES.iter().any(|case| named(case.name));
            (!by_cli || named(cli.name())) && (!by_case || named(case.name))
        };
        let jobs = CASES.iter().flat_map(|case| Cli::ALL.map(|cli| (case, cli)));
        let (waiting, busy): (VecDeque<Job>, VecDeque<Job>) = jobs
            .filter(|(case, cli)| (case.applies)(*cli))
            .filter(chosen)
            .partition(|(case, _)| case.waits);
        // A fault is told once, at the end.
        panic::set_hook(Box::new(|_| {}));
        let start = Instant::now();
        let findings = Mutex::new(Vec::new());
        // Cases that wait for a time-out need no core; of the others two run on each.
        let workers = thread::available_parallelism().map_or(2, usize::from) + 1;
        let queues = [Mutex::new(waiting), Mutex::new(busy)];
        thread::scope(|scope| {
            for (queue, workers) in queues.iter().zip([4, workers]) {
                for _ in 0..workers {
                    scope.spawn(|| self.work(queue, &findings));
                }
            }
        });
        let findings = findings.into_inner().unwrap_or_else(PoisonError::into_inner);
        tell(&findings, start.elapsed())
    }

    fn work(&self, queue: &Mutex<VecDeque<Job>>, findings: &Mutex<Vec<Finding>>) {
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        while let Some((case, cli)) = next() {
            let start = Instant::now();
            let ran = panic::catch_unwind(AssertUnwindSafe(|| (case.run)(self, cli)));
            let fault = ran.err().map(|payload| {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| Some((*payload.downcast_ref::<&str>()?).to_owned()));
                text.unwrap_or_else(|| "it panicked".to_owned())
            });
            let finding = Finding { case: case.name, cli, took: start.elapsed(), fault };
            findings.lock().unwrap_or_else(PoisonError::into_inner).push(finding);
        }
    }
}

/// Prints the faults, then a table of all cases with their seconds.
fn tell(findings: &[Finding], took: Duration) -> ExitCode {
    for finding in findings {
        if let Some(fault) = &finding.fault {
            println!("\nFAILED {} with {}:\n{fault}", finding.case, finding.cli.name());
        }
    }
    println!("\n{:<34}{}", "seconds", Cli::ALL.map(|cli| format!("{:>12}", cli.name())).concat());
    for case in CASES {
        let cell = |cli: Cli| {
            let found = findings.iter().find(|found| found.case == case.name && found.cli == cli);
            let shown = match found {
                None => "-".to_owned(),
                Some(Finding { took, fault: None, .. }) => format!("{:.1}", took.as_secs_f64()),
                Some(Finding { took, .. }) => format!("FAILED {:.1}", took.as_secs_f64()),
            };
            format!("{shown:>12}")
        };
        println!("{:<34}{}", case.name, Cli::ALL.map(cell).concat());
    }
    let failed = findings.iter().filter(|finding| finding.fault.is_some()).count();
    println!(
        "\nreal CLIs: {} cases, {failed} failed, in {:.0} s",
        findings.len(),
        took.as_secs_f64()
    );
    if failed == 0 && !findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
