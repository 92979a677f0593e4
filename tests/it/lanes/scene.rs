//! A change whose plans stand-ins for agents carry out, and what has become of it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agentd::engine::error::EngineError;
use agentd::engine::git::{At, Branch, Commit, Owner, Workspace};
use agentd::engine::lanes::{
    Asking, Journal, LaneAnswer, LaneEvent, LaneRecords, LaneRunner, LaneState, Site, Workplace,
    run_group, run_serial,
};
use agentd::engine::project::Project;
use agentd::engine::schedule::{self, Lane, PlanningFiles, Schedule};
use agentd::engine::setup::Setup;
use agentd::models::change::ChangeId;
use agentd::models::plan::PlanIndex;
use agentd::models::settings::{
    Context, Handover, Limits, RedBaseline, Team as TeamSettings, Verify, WorkspaceSettings,
};
use agentd::process::{Cancel, Canceller, cancellation};

use crate::git::scene::{BRANCH, Scene, write};
use crate::process::scene::runtime;

pub(super) const GUARD: &str = env!("CARGO_BIN_EXE_agentd");

/// How the plans of a group are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Parallel,
    Serial,
}

/// A change in a repository, its journal, and how many plans are carried out at once.
pub(super) struct Team {
    pub(super) git: Scene,
    pub(super) setup: Setup,
    pub(super) mode: Mode,
    pub(super) most: usize,
    pub(super) canceller: Canceller,
    pub(super) cancel: Cancel,
    pub(super) events: Vec<LaneEvent>,
    /// Where the change's code is, unless the events say.
    pub(super) known: Option<Commit>,
}

/// What a stand-in does in its workspace.
pub(super) type Act<'a> = dyn Fn(&Path) -> Result<(), EngineError> + 'a;

/// Stand-ins for agents: plan N writes `lane-N/` as it is told.
#[derive(Default)]
pub(super) struct Agents<'a> {
    acts: BTreeMap<u32, Box<Act<'a>>>,
    /// Plans whose agents are said to have left an answer.
    pub(super) left_over: Vec<u32>,
    /// Who was asked, and how.
    pub(super) asked: RefCell<Vec<(u32, Asking)>>,
    pub(super) at_once: Cell<usize>,
    pub(super) most_at_once: Cell<usize>,
}

impl<'a> Agents<'a> {
    /// Sets up agents that each write a file of their own.
    pub(super) fn writing(plans: impl IntoIterator<Item = u32>) -> Self {
        let mut agents = Self::default();
        for plan in plans {
            agents = agents.with(plan, move |tree| {
                write(&tree.join(format!("lane-{plan}/new.txt")), format!("by {plan}\n"));
                Ok(())
            });
        }
        agents
    }

    pub(super) fn with(
        mut self,
        plan: u32,
        act: impl Fn(&Path) -> Result<(), EngineError> + 'a,
    ) -> Self {
        self.acts.insert(plan, Box::new(act));
        self
    }

    /// Lists the plans whose agents were asked, sorted: whose workspace is ready first is nobody's choice.
    pub(super) fn plans_asked(&self) -> Vec<u32> {
        let mut plans: Vec<_> = self.asked.borrow().iter().map(|(plan, _)| *plan).collect();
        plans.sort_unstable();
        plans
    }
}

impl LaneRunner for Agents<'_> {
    fn has_left_over(&self, lane: &Lane) -> bool {
        self.left_over.contains(&lane.index().get())
    }

    async fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        asking: Asking,
    ) -> Result<LaneAnswer, EngineError> {
        let plan = lane.index().get();
        self.asked.borrow_mut().push((plan, asking));
        self.at_once.set(self.at_once.get() + 1);
        self.most_at_once.set(self.most_at_once.get().max(self.at_once.get()));
        tokio::task::yield_now().await;
        let done = match asking {
            Asking::Anew => self.acts[&plan](place.workspace.path()),
            Asking::LeftOver => Ok(()),
        };
        self.at_once.set(self.at_once.get() - 1);
        done.map(|()| LaneAnswer {
            agent: "stub".to_owned(),
            run: format!("{plan:03}-coder"),
            results: None,
        })
    }
}

pub(super) fn refusal(reason: &str) -> EngineError {
    EngineError::WorkspaceSetup {
        command: "stub".to_owned(),
        reason: reason.to_owned(),
        lines: String::new(),
    }
}

impl Team {
    pub(super) fn new() -> Self {
        Self::of(Scene::new())
    }

    pub(super) fn of(git: Scene) -> Self {
        let (canceller, cancel) = cancellation();
        let setup = setup(&git.repository(), &git.path("state"), git.environment());
        Self {
            setup,
            mode: Mode::Parallel,
            most: 4,
            canceller,
            cancel,
            events: Vec::new(),
            known: None,
            git,
        }
    }

    pub(super) fn serial() -> Self {
        Self { mode: Mode::Serial, ..Self::new() }
    }

    /// Runs plans to see what becomes of them. Plan N owns what is below `lane-N/`.
    pub(super) fn run(
        &mut self,
        plans: impl IntoIterator<Item = u32>,
        runner: &impl LaneRunner,
    ) -> Result<LaneRecords, EngineError> {
        self.run_until(plans, runner, |_, _| Fault::None)
    }

    /// Runs plans with a journal that fails when it is told to.
    pub(super) fn run_until(
        &mut self,
        plans: impl IntoIterator<Item = u32>,
        runner: &impl LaneRunner,
        fault: impl Fn(&LaneEvent, usize) -> Fault,
    ) -> Result<LaneRecords, EngineError> {
        let (records, id) = (self.records(), id());
        let site = Site {
            setup: &self.setup,
            id: &id,
            state: &self.git.path("change"),
            desk: Arc::new(self.desk()),
            code: self.code(),
            max_parallel: NonZeroUsize::new(self.most).unwrap(),
            cancel: self.cancel.clone(),
        };
        let events = &mut self.events;
        let mut journal = |event: &LaneEvent| {
            let failed = || Err(refusal("the disk is full"));
            match fault(event, events.len()) {
                Fault::None => events.push(event.clone()),
                Fault::Before => return failed(),
                Fault::After => {
                    events.push(event.clone());
                    return failed();
                }
            }
            Ok(())
        };
        carry_out(self.mode, &site, plans, &records, runner, &mut journal)
    }

    pub(super) fn records(&self) -> LaneRecords {
        let mut records = LaneRecords::default();
        self.events.iter().for_each(|event| records.take(event));
        records
    }

    pub(super) fn state(&self, plan: u32) -> LaneState {
        self.records().state(index(plan)).clone()
    }

    /// Returns the commit that the change's code is at, as its journal says.
    pub(super) fn code(&self) -> Commit {
        self.known.clone().unwrap_or_else(|| code(&self.setup, &self.events, self.mode))
    }

    pub(super) fn desk(&self) -> Workspace {
        desk(&self.setup)
    }

    pub(super) fn lane_folder(&self, plan: u32) -> PathBuf {
        self.git.path("state").join(format!("{}.plan-{plan}", id()))
    }

    pub(super) fn lane_commit(&self, plan: u32) -> Option<Commit> {
        self.setup.repository.branch_commit(&format!("{BRANCH}.plan-{plan}")).unwrap()
    }

    /// Lists the files of the change's branch that plans have written.
    pub(super) fn files(&self) -> Vec<String> {
        let list = self.git.git(&["ls-tree", "-r", "--name-only", BRANCH]);
        list.lines().filter(|line| line.starts_with("lane-")).map(str::to_owned).collect()
    }

    /// Lists the branches of plans, and what was kept of them.
    pub(super) fn branches(&self) -> Vec<String> {
        let list = ["for-each-ref", "--format=%(refname:short)", "refs/heads/agentd"];
        let list = self.git.git(&list);
        let prefix = format!("{BRANCH}.");
        list.lines().filter_map(|line| line.strip_prefix(&prefix).map(str::to_owned)).collect()
    }

    /// Lists the subjects of the change's own commits, the first first.
    pub(super) fn subjects(&self) -> Vec<String> {
        let range = format!("main..{BRANCH}");
        let log = self.git.git(&["log", "--first-parent", "--reverse", "--format=%s", &range]);
        log.lines().map(str::to_owned).collect()
    }

    pub(super) fn words(&self) -> Vec<String> {
        self.events.iter().map(word).collect()
    }
}

/// Opens the workspace of the change's own branch, or makes it.
pub(super) fn desk(setup: &Setup) -> Workspace {
    let from = setup.repository.branch_commit(BRANCH).unwrap();
    let from = from.unwrap_or_else(|| setup.repository.head().unwrap());
    let branch = Some(Branch { name: BRANCH, owner: Owner::Anybody });
    let at = At { commit: &from, branch, attributes: &from };
    Workspace::open(&setup.repository, &setup.desk(&id()), at).unwrap()
}

/// Returns the commit that the change's code is at, as events say.
pub(super) fn code(setup: &Setup, events: &[LaneEvent], mode: Mode) -> Commit {
    let last = events.iter().rev().find_map(|event| match event {
        LaneEvent::Merged { into, .. } => Some(into.clone()),
        LaneEvent::Finished { commit, .. } if mode == Mode::Serial => Some(commit.clone()),
        _ => None,
    });
    last.unwrap_or_else(|| setup.repository.head().unwrap())
}

/// Carries out plans, of which N owns what is below `lane-N/`.
pub(super) fn carry_out(
    mode: Mode,
    site: &Site<'_>,
    plans: impl IntoIterator<Item = u32>,
    records: &LaneRecords,
    runner: &impl LaneRunner,
    journal: &mut Journal<'_>,
) -> Result<LaneRecords, EngineError> {
    let schedule = scheduled(mode, plans);
    let lanes = schedule.groups()[0].lanes();
    runtime().block_on(async {
        match mode {
            Mode::Parallel => run_group(site, lanes, records, runner, journal).await,
            Mode::Serial => run_serial(site, lanes, records, runner, journal).await,
        }
    })
}

/// Gives a schedule of one group.
fn scheduled(mode: Mode, plans: impl IntoIterator<Item = u32>) -> Schedule {
    let mode = match mode {
        Mode::Parallel => "parallel",
        Mode::Serial => "serial",
    };
    let mut files = PlanningFiles::new("agentd/changes/add-login");
    let mut group = format!("version: 1\ngroups:\n- group_id: all\n  mode: {mode}\n  plans:\n");
    for plan in plans {
        group.push_str(&format!("  - {{file: plan_{plan}.md, name: Part  {plan}}}\n"));
        let text = format!(
            "# Part\n\n## Scope\nIt.\n\n## Owned files/modules\n- `lane-{plan}/`\n\n## Dependencies\nnone\n\n## Isolation\nAlone.\n"
        );
        files = files.with(&format!("plan_{plan}.md"), text);
        files = files.with(&format!("tasks_{plan}.md"), "- [ ] Write a test\n");
    }
    schedule::check(&files.with("execution_plan.yaml", group)).unwrap()
}

pub(super) fn index(plan: u32) -> PlanIndex {
    PlanIndex::new(plan).unwrap()
}

/// When a journal fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    /// Nothing is written.
    Before,
    /// All is written, but nobody learns of it.
    After,
}

pub(super) fn id() -> ChangeId {
    "add-login".parse().unwrap()
}

/// Says in short what happened.
fn word(event: &LaneEvent) -> String {
    let plan = event.plan().get();
    match event {
        LaneEvent::Started { .. } => format!("started {plan}"),
        LaneEvent::SetAside { branch, .. } => format!("set aside {plan}: {branch}"),
        LaneEvent::Finished { .. } => format!("finished {plan}"),
        LaneEvent::Failed { message, .. } => format!("failed {plan}: {message}"),
        LaneEvent::Quarantined { files, .. } => format!("quarantined {plan}: {}", files.join(" ")),
        LaneEvent::WroteOutside { files, .. } => format!("outside {plan}: {}", files.join(" ")),
        LaneEvent::Merged { .. } => format!("merged {plan}"),
        LaneEvent::Conflict { files, .. } => format!("conflict {plan}: {}", files.join(" ")),
    }
}

pub(super) fn setup(
    repository: &agentd::engine::git::Repository,
    workspaces: &Path,
    environment: Vec<(std::ffi::OsString, std::ffi::OsString)>,
) -> Setup {
    let limits = Limits { plan_rounds: 1, implement_rounds: 1, ..Limits::default() };
    Setup {
        sandbox: None,
        project: Project::at(repository.root()),
        repository: repository.clone(),
        workspaces: workspaces.to_owned(),
        guard: GUARD.into(),
        environment,
        agents: BTreeMap::new(),
        reasons: BTreeMap::new(),
        templates: std::sync::Arc::default(),
        team: TeamSettings {
            product_manager: false,
            single_coder: false,
            max_parallel: 4,
            review_rounds: 3,
            delivery: Handover::File,
        },
        prices: BTreeMap::new(),
        verify: Verify {
            commands: Vec::new(),
            security: Vec::new(),
            timeout: Duration::from_mins(1),
            baseline: RedBaseline::Stop,
        },
        limits,
        context: Context { thoughts: false, max_diff: 0, max_evidence: 0 },
        workspace: WorkspaceSettings { setup: Vec::new() },
    }
}
