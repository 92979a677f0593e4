//! Lanes: a thousand without git, and thirty-two with it, beside what would be ideal. Their agents are real processes
//! under the real guard that only sleep.
//!
//! With git, most that is done is to make files, and how long that takes is up to the disk: ext4 without a journal passes
//! over every file that was removed in the last minutes. So what is demanded is demanded in memory, where there is a place
//! for that; on the disk, it is printed beside what as many files take by themselves.

#![allow(clippy::disallowed_methods, reason = "benchmarks write their scenes as they like")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![expect(clippy::expect_used, reason = "a benchmark that cannot go on says why")]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentd::engine::error::EngineError;
use agentd::engine::git::{At, Branch, Git, Owner, Repository, Workspace};
use agentd::engine::lanes::pool::{self, End};
use agentd::engine::lanes::{
    Asking, LaneAnswer, LaneEvent, LaneRecords, LaneRunner, LaneState, Site, Workplace, run_group,
};
use agentd::engine::project::Project;
use agentd::engine::schedule::{self, Lane, PlanningFiles, Schedule};
use agentd::engine::setup::Setup;
use agentd::models::change::ChangeId;
use agentd::models::run::{End as RunEnd, Invocation};
use agentd::models::settings;
use agentd::process::{self, Cancel, Limits, Supervision};

const AGENTD: &str = env!("CARGO_BIN_EXE_agentd");
const AT_ONCE: usize = 32;
/// In the repository that lanes with git begin with.
const FILES: usize = 200;

fn main() {
    // Cargo passes `--bench`; `cargo test --benches` does not, and has no time for this.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    println!("\nlanes, {AT_ONCE} at once, under the guard");
    runtime.block_on(a_thousand(folder.path()));
    let memory = tempfile::tempdir_in("/dev/shm").ok();
    let demanded =
        memory.as_ref().map(|memory| runtime.block_on(with_git(memory.path(), "memory")));
    let alone = files_alone(&folder.path().join("alone"));
    let on_disk = runtime.block_on(with_git(folder.path(), "the temporary folder"));
    println!("  as many files, by themselves, in the temporary folder: {alone:.1} s");
    assert!(demanded.unwrap_or(on_disk) >= 0.8, "under the limit");
}

/// Makes as many files as lanes with git do, and gives the seconds that it takes.
fn files_alone(folder: &Path) -> f64 {
    let start = Instant::now();
    for lane in 0..AT_ONCE {
        write_files(&folder.join(lane.to_string()));
    }
    start.elapsed().as_secs_f64()
}

fn write_files(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    for number in 0..FILES {
        let text = format!("line {number}\n").repeat(50);
        fs::write(folder.join(format!("file-{number}.txt")), text).expect("a file");
    }
}

/// Runs a script as an agent is run.
async fn script(script: &str, workspace: &Path, run_folder: &Path) -> bool {
    let env = std::env::vars_os().filter(|(name, _)| name == "PATH").collect();
    let args = vec!["-c".into(), script.into()];
    let invocation = Invocation { program: "sh".into(), args, env, ..Invocation::default() };
    let limits = Limits {
        timeout: Duration::from_mins(5),
        idle_timeout: None,
        grace: Duration::from_secs(5),
        largest_output: 1 << 20,
    };
    let guard = Path::new(AGENTD);
    let cancel = Cancel::never();
    let supervision = Supervision { guard, workspace, run_folder, limits, grant: None, cancel };
    let record = process::run(&invocation, &supervision, &mut |_| {}).await;
    record.is_ok_and(|record| record.end == RunEnd::Exited { code: 0 })
}

async fn a_thousand(folder: &Path) {
    const LANES: usize = 1000;
    let runs: Vec<_> = (0..LANES).map(|lane| folder.join(format!("runs/{lane}"))).collect();
    let mut reported = vec![0; LANES];
    let most = NonZeroUsize::new(AT_ONCE).expect("a number");
    let start = Instant::now();
    let jobs = runs.iter().map(|run| script("sleep 1", folder, run));
    pool::run(jobs, most, &Cancel::never(), |lane, end| {
        assert_eq!(end, End::Done(true), "lane {lane}");
        reported[lane] += 1;
    })
    .await;
    let took = start.elapsed().as_secs_f64();
    assert!(reported.iter().all(|count| *count == 1), "each is reported once");
    let ideal = count(LANES) / count(AT_ONCE);
    let limit = 1.5 * ideal + 5.0;
    let peak = peak_mib();
    println!(
        "  {LANES} lanes of 1 s: {took:.1} s (ideal {ideal:.1} s, limit {limit:.1} s), peak {peak:.0} MiB (limit 200 MiB)"
    );
    assert!(took <= limit && peak < 200.0, "over the limit");
}

/// An agent that sleeps and then writes a file.
struct Sleeper<'a>(&'a Path);

impl LaneRunner for Sleeper<'_> {
    async fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        _: Asking,
    ) -> Result<LaneAnswer, EngineError> {
        let run = format!("{:03}-coder", lane.index().get());
        let agent =
            format!("sleep 10; mkdir lane-{0}; echo done >lane-{0}/new.txt", lane.index().get());
        let is_done = script(&agent, place.workspace.path(), &self.0.join(&run)).await;
        assert!(is_done, "lane {}", lane.index().get());
        Ok(LaneAnswer { agent: "sh".to_owned(), run, results: None })
    }
}

/// Gives the share of the ideal speed-up.
async fn with_git(folder: &Path, place: &str) -> f64 {
    const LANES: u32 = 32;
    let setup = setup(folder);
    let id: ChangeId = "bench".parse().expect("an id");
    let head = setup.repository.head().expect("a commit");
    let name = Setup::branch(&id);
    let branch = Some(Branch { name: &name, owner: Owner::Anybody });
    let at = At { commit: &head, branch, attributes: &head };
    let desk = Workspace::open(&setup.repository, &setup.desk(&id), at).expect("a desk");
    let site = Site {
        setup: &setup,
        id: &id,
        state: &folder.join("change"),
        desk: Arc::new(desk),
        code: head.clone(),
        max_parallel: NonZeroUsize::new(AT_ONCE).expect("a number"),
        cancel: Cancel::never(),
    };
    let schedule = scheduled(LANES);
    let lanes = schedule.groups()[0].lanes();
    let start = Instant::now();
    let (mut done, mut last_done) = (0, 0.0);
    let mut journal = |event: &LaneEvent| {
        if let LaneEvent::Finished { .. } = event {
            (done, last_done) = (done + 1, start.elapsed().as_secs_f64());
        }
        Ok(())
    };
    let runs = folder.join("lanes");
    let records = LaneRecords::default();
    let records = run_group(&site, lanes, &records, &Sleeper(&runs), &mut journal).await;
    let took = start.elapsed().as_secs_f64();
    let records = records.expect("a group that is done");
    let is_merged = |lane: &Lane| matches!(records.state(lane.index()), LaneState::Merged { .. });
    assert!(lanes.iter().all(is_merged), "all are merged");
    assert_eq!(done, LANES);
    let share = 10.0 / took;
    println!(
        "  {LANES} lanes of 10 s with git, in {place}: {took:.1} s, of which {:.1} s after the last lane was done; {:.0} % of the ideal speed-up (limit 80 %)",
        took - last_done,
        share * 100.0
    );
    share
}

fn scheduled(lanes: u32) -> Schedule {
    let mut files = PlanningFiles::new("agentd/changes/bench");
    let mut group = "version: 1\ngroups:\n- group_id: all\n  mode: parallel\n  plans:\n".to_owned();
    for plan in 1..=lanes {
        group.push_str(&format!("  - {{file: plan_{plan}.md, name: Part {plan}}}\n"));
        let text = format!(
            "# Part\n\n## Scope\nIt.\n\n## Owned files/modules\n- `lane-{plan}/`\n\n## Dependencies\nnone\n\n## Isolation\nAlone.\n"
        );
        files = files.with(&format!("plan_{plan}.md"), text);
        files = files.with(&format!("tasks_{plan}.md"), "- [ ] Write a test\n");
    }
    schedule::check(&files.with("execution_plan.yaml", group)).expect("a schedule")
}

fn setup(folder: &Path) -> Setup {
    let root = folder.join("repo");
    write_files(&root);
    let environment: Vec<_> = std::env::vars_os().filter(|(name, _)| name == "PATH").collect();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.env_clear().envs(environment.iter().cloned()).args(arguments).current_dir(&root);
        assert!(command.status().expect("git").success(), "{arguments:?}");
    };
    git(&["init", "--quiet", "."]);
    git(&["add", "--all"]);
    git(&["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "start"]);
    let git = Git::new(environment.clone());
    Setup {
        sandbox: None,
        project: Project::at(&root),
        repository: Repository::find(&root, &git).expect("a repository"),
        workspaces: folder.join("state"),
        guard: AGENTD.into(),
        environment,
        agents: BTreeMap::new(),
        reasons: BTreeMap::new(),
        templates: std::sync::Arc::default(),
        team: agentd::models::settings::Team {
            product_manager: false,
            single_coder: false,
            max_parallel: 4,
            review_rounds: 3,
            delivery: agentd::models::settings::Handover::File,
        },
        prices: BTreeMap::new(),
        verify: settings::Verify {
            commands: Vec::new(),
            security: Vec::new(),
            timeout: Duration::from_mins(1),
            baseline: settings::RedBaseline::Stop,
        },
        limits: settings::Limits {
            plan_rounds: 1,
            implement_rounds: 1,
            ..settings::Limits::default()
        },
        context: settings::Context { thoughts: false, max_diff: 0, max_evidence: 0 },
        workspace: settings::WorkspaceSettings { setup: Vec::new() },
    }
}

/// The most memory that this process has had at a time.
fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("what the system knows of us");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    let kib: f64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
    kib / 1024.0
}

#[expect(clippy::cast_precision_loss, reason = "a count of lanes")]
fn count(number: usize) -> f64 {
    number as f64
}
