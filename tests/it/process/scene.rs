//! A run to look at: a shell script as the agent, the real guard, and a mark by which its processes are found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use agentd::models::run::{EndRecord, Invocation};
use agentd::models::sandbox::Grant;
use agentd::process::{Cancel, Limits, ProcessError, Supervision, cancellation, run};
use rustix::process::{Pid, Signal, kill_process};

/// Everything is given five times the time that it needs, and then some for a machine that has much else to do.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// A folder for a run, and the run's invocation and limits.
pub(crate) struct Scene {
    pub(super) folder: tempfile::TempDir,
    pub(super) invocation: Invocation,
    pub(super) limits: Limits,
    pub(super) grant: Option<Grant>,
    pub(super) cancel: Cancel,
    pub(super) mark: Mark,
}

/// What has become of a run.
pub(crate) struct Outcome {
    pub(super) result: Result<EndRecord, ProcessError>,
    pub(crate) lines: Vec<String>,
    pub(super) took: Duration,
}

impl Scene {
    /// Sets up a shell script as the agent. `MARK` in it becomes a number of seconds by which a `sleep` is found.
    pub(crate) fn of(script: &str) -> Self {
        let mark = Mark::new();
        let script = script.replace("MARK", &mark.0);
        Self { mark, ..Self::program("sh", &["-c", &script]) }
    }

    /// Sets up any program as the agent.
    pub(super) fn program(program: &str, args: &[&str]) -> Self {
        let path = std::env::var_os("PATH").expect("a PATH");
        Self {
            folder: tempfile::tempdir().expect("a folder"),
            invocation: Invocation {
                program: program.into(),
                args: args.iter().map(OsString::from).collect(),
                env: vec![("PATH".into(), path)],
                ..Invocation::default()
            },
            limits: Limits {
                timeout: Duration::from_mins(1),
                idle_timeout: None,
                grace: Duration::from_millis(500),
                largest_output: 64 << 20,
            },
            grant: None,
            cancel: cancellation().1,
            mark: Mark::new(),
        }
    }

    pub(super) fn timeout(mut self, milliseconds: u64) -> Self {
        self.limits.timeout = Duration::from_millis(milliseconds);
        self
    }

    pub(super) fn idle_timeout(mut self, milliseconds: u64) -> Self {
        self.limits.idle_timeout = Some(Duration::from_millis(milliseconds));
        self
    }

    pub(super) fn stdin(mut self, text: impl Into<String>) -> Self {
        self.invocation.stdin = text.into();
        self
    }

    /// Confines the agent: it may write what is named, and not read what is hidden.
    pub(super) fn confined(mut self, write: &[&str], hidden: &[&str]) -> Self {
        let paths = |names: &[&str]| names.iter().map(|name| self.path(name)).collect::<Vec<_>>();
        let (write, hidden) = (paths(write), paths(hidden));
        for folder in write.iter().chain(&hidden) {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let temporary = self.path("tmp");
        self.grant = Some(Grant {
            write,
            read: Vec::new(),
            hidden,
            temporary,
            network: true,
            sockets: false,
            is_required: true,
        });
        self
    }

    /// Gives a path in the folder that the agent runs in.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn run_folder(&self) -> PathBuf {
        self.path("runs/001-plan")
    }

    /// Reads what was kept of one stream.
    pub(super) fn kept(&self, stream: &str) -> Vec<u8> {
        std::fs::read(self.run_folder().join(stream)).expect("a spooled stream")
    }

    pub(super) fn run(&self) -> Outcome {
        self.run_with(|_| {})
    }

    /// Runs the agent and does something at each line that it prints.
    pub(super) fn run_with(&self, on_line: impl FnMut(&str) + Send) -> Outcome {
        runtime().block_on(self.running(on_line))
    }

    pub(crate) async fn running(&self, mut on_line: impl FnMut(&str) + Send) -> Outcome {
        let start = Instant::now();
        let mut lines = Vec::new();
        let run_folder = self.run_folder();
        let supervision = Supervision {
            guard: Path::new(env!("CARGO_BIN_EXE_agentd")),
            workspace: self.folder.path(),
            run_folder: &run_folder,
            limits: self.limits,
            grant: self.grant.clone(),
            cancel: self.cancel.clone(),
        };
        let mut take_line = |line: &str| {
            lines.push(line.to_owned());
            on_line(line);
        };
        let result = run(&self.invocation, &supervision, &mut take_line).await;
        Outcome { result, lines, took: start.elapsed() }
    }
}

impl Outcome {
    pub(crate) fn record(&self) -> &EndRecord {
        self.result.as_ref().expect("a record")
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// A number that stands in the command lines of one scene's processes and of no others.
pub(crate) struct Mark(pub(crate) String);

impl Mark {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self(format!("3600.{}{number:04}", std::process::id()))
    }

    /// Lists the processes that carry the mark and have not ended: agents, their children and guards.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let entries = std::fs::read_dir("/proc").expect("a list of processes").flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let is_marked = |pid: &i32| {
            // That of a process that has ended is empty.
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&self.0)
        };
        pids.filter(is_marked).collect()
    }

    /// Lists the `sleep`s among them.
    pub(crate) fn sleepers(&self) -> Vec<i32> {
        let is_sleep = |pid: &i32| {
            let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            command.starts_with(b"sleep\0")
        };
        self.processes().into_iter().filter(is_sleep).collect()
    }

    pub(crate) fn assert_nobody_is_left(&self) {
        assert_eq!(self.processes(), [0; 0], "processes that are left");
    }
}

/// A test that fails leaves nobody either.
impl Drop for Mark {
    fn drop(&mut self) {
        for pid in self.processes().into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Waits until something holds; a test that waits too long says for what.
pub(crate) fn await_that(what: &str, mut holds: impl FnMut() -> bool) -> Duration {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
    start.elapsed()
}
