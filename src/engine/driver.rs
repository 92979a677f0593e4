//! Brings a change from where it is to its end, step by step, as the machine says. Whatever happens to agentd in
//! between, the journal knows what was done, and the next driver goes on from there.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use log::warn;

use super::archive::{self, ArchiveError, ArchivePlan};
use super::change::Change;
use super::desks::Room;
use super::entry::Entry;
use super::error::EngineError;
use super::event::{Event, Watch};
use super::evidence::{self, Purpose};
use super::expected::{self, ChangeFiles};
use super::flow::Flow;
use super::git::{Commit, Worktree};
use super::ground::set_worktree_back;
use super::machine::{Check, Stage, Step};
use super::setup::Setup;
use super::snapshot::Snapshot;
use super::spent;
use super::team;
use super::today::day_of as today;
use super::verify::{Ran, Shop};
use crate::models::secrets::Secrets;
use crate::orchestrator::Allowance;
use crate::process::Cancel;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Phase;

/// How far a driver goes.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// The phase after whose success it stops.
    pub until: Option<Phase>,
    /// The phases about which a person is asked.
    pub pauses: BTreeSet<Phase>,
}

/// Why a driver has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The change has ended.
    Ended(Stage),
    /// It has come as far as it was to come.
    Reached(Phase),
    /// A person is to approve what this phase came to.
    Waiting(Phase),
    /// This phase has been run as often as it may be.
    Exhausted(Phase),
}

/// Drives one change.
pub struct Driver<'a> {
    pub(super) setup: &'a Setup,
    pub(super) change: Change,
    pub(super) watch: Arc<dyn Watch>,
    pub(super) cancel: Cancel,
    /// What may still be spent, by all calls together.
    pub(super) allowance: Arc<Allowance>,
}

impl<'a> Driver<'a> {
    /// Drives a change that is held.
    pub fn new(setup: &'a Setup, change: Change, watch: Arc<dyn Watch>, cancel: Cancel) -> Self {
        Self { setup, change, watch, cancel, allowance: Arc::default() }
    }

    /// Adds up what the change has cost, and refuses to go on where that is what it may cost.
    pub(super) fn add_up(&mut self) -> Result<(), EngineError> {
        let folder = &self.change.folder;
        let allowance = spent::allowance(&self.setup.limits, folder);
        self.allowance =
            Arc::new(allowance.map_err(EngineError::io("add up the runs of", folder))?);
        Ok(self.allowance.check()?)
    }

    /// Gives the change.
    pub const fn change(&self) -> &Change {
        &self.change
    }

    /// Goes on until the change has ended, a person is needed, or the way is at its end.
    pub async fn run(&mut self, way: &Way) -> Result<Stop, EngineError> {
        self.await_guards()?;
        loop {
            if self.cancel.is_cancelled() {
                return Err(EngineError::Interrupted);
            }
            if let Some(phase) = self.change.history.state.succeeded
                && self.settled(phase)
                && way.pauses.contains(&phase)
            {
                self.change.happened(Entry::Paused { phase })?;
                return Ok(Stop::Waiting(phase));
            }
            if let Some(until) = way.until
                && is_past(self.change.history.state.stage, until)
            {
                return Ok(Stop::Reached(until));
            }
            match self.change.history.state.step(self.setup.rounds()) {
                Step::Run(phase) => self.phase(phase).await?,
                Step::Verify(check) => self.verify(check).await?,
                Step::Apply => self.apply()?,
                Step::Wait(phase) => return Ok(Stop::Waiting(phase)),
                Step::Exhausted(phase) => return Ok(Stop::Exhausted(phase)),
                Step::End => {
                    let stage = self.change.history.state.stage;
                    if stage == Stage::Archived {
                        self.clear_away()?;
                    }
                    return Ok(Stop::Ended(stage));
                }
            }
        }
    }

    /// Runs one phase that is due, and the checks that belong to it.
    pub async fn one(&mut self, phase: Phase) -> Result<(), EngineError> {
        self.await_guards()?;
        self.phase(phase).await?;
        while let Step::Verify(check) = self.change.history.state.step(self.setup.rounds()) {
            self.verify(check).await?;
        }
        if self.change.history.state.stage == Stage::Apply {
            self.apply()?;
            self.clear_away()?;
        }
        Ok(())
    }

    /// Says whether all that belongs to a phase is done, its checks too.
    fn settled(&self, phase: Phase) -> bool {
        let history = &self.change.history;
        let is_checked = !matches!(history.state.stage, Stage::Verify(_));
        // An archive that is half in place is put in place, whoever is to be asked.
        let is_open = history.applying.is_none() && !history.state.is_over();
        is_checked
            && is_open
            && history.state.started.is_none()
            && history.finished.contains_key(&phase)
    }

    /// Runs the project's checks on the code as it is.
    pub(super) async fn verify(&mut self, check: Check) -> Result<(), EngineError> {
        let setup = self.setup;
        let worktree = self.desk()?;
        // Checks that were cut off may have left something, and a person may have worked there.
        let commit = self.code_commit()?;
        let aside = self.last_run_folder()?;
        set_worktree_back(&worktree, &commit, &aside, |event| self.watch.event(event))?;
        let commands = setup.verify.commands.iter().map(|command| (command, Purpose::Test));
        let security = setup.verify.security.iter().map(|command| (command, Purpose::Security));
        let commands: Vec<_> = commands.chain(security).collect();
        self.watch.event(&Event::ChecksStarted { check, count: commands.len() });
        let change = self.change.folder.clone();
        let shop = self.shop(&worktree, &change);
        let mut checks = Vec::new();
        for (command, purpose) in commands {
            self.watch.event(&Event::CheckStarted { command: &command.to_string() });
            let checked = match shop.run(command, purpose).await? {
                Ran::Done(checked) => checked,
                Ran::Interrupted => return Err(EngineError::Interrupted),
            };
            self.watch.event(&Event::CheckFinished(&checked));
            checks.push(checked);
        }
        // What checks leave behind is no part of the change.
        worktree.restore(&commit)?;
        let most = usize::try_from(setup.context.max_evidence).unwrap_or(usize::MAX);
        let text = evidence::document(&checks, commit.as_str(), most);
        self.keep_evidence(&self.without_secrets(&text))?;
        let evidence = evidence::evidence(&checks);
        self.change.happened(Entry::Verified { check, evidence, commit })?;
        self.watch.event(&Event::ChecksFinished { evidence });
        Ok(())
    }

    /// Writes what the checks came to where the reviewer looks for it.
    fn keep_evidence(&self, text: &str) -> Result<(), EngineError> {
        match self.change.history.flow() {
            Flow::Sdd => Ok(self.change.write(evidence::FILE, text)?),
            Flow::Team => self.paper(team::EVIDENCE, text),
        }
    }

    pub(super) fn shop<'s>(&'s self, worktree: &'s Worktree, change: &'s Path) -> Shop<'s> {
        Shop {
            guard: &self.setup.guard,
            workspace: worktree.path(),
            change,
            environment: &self.setup.environment,
            timeout: self.setup.verify.timeout,
            cancel: self.cancel.clone(),
        }
    }

    /// Puts the archive in place: what is to be done is in the journal before it is done.
    pub(super) fn apply(&mut self) -> Result<(), EngineError> {
        let root = self.setup.project.folder();
        let plan = match self.change.history.applying.clone() {
            Some(plan) => match archive::apply(&plan, &root) {
                // Others have written to the same files while agentd was gone: there is another way now, if any.
                Err(ArchiveError::Changed { .. }) => self.put_in_place(&root)?,
                applied => applied.map(|()| plan)?,
            },
            None => self.put_in_place(&root)?,
        };
        let folder = root.join(plan.target());
        self.change.moved_to(&folder);
        self.change.happened(Entry::Applied)?;
        self.watch.event(&Event::Archived { folder: &folder });
        Ok(())
    }

    fn put_in_place(&mut self, root: &Path) -> Result<ArchivePlan, EngineError> {
        if let Some(code) = self.change.history.code() {
            // What came to the branch since then, nobody has looked at.
            self.setup.repository.refuse_moved(&Setup::branch(&self.change.id), code)?;
        }
        let plan = self.plan_archive(root)?;
        self.change.happened(Entry::Applying { plan: plan.clone() })?;
        // Nothing is ever begun anew from it.
        let folder = &self.change.folder;
        Snapshot::forget(folder).map_err(EngineError::io("clear up", folder))?;
        archive::apply(&plan, root)?;
        Ok(plan)
    }

    fn plan_archive(&self, root: &Path) -> Result<ArchivePlan, EngineError> {
        if self.change.history.flow() == Flow::Team {
            let date = today(self.change.history.changed_ms).ok_or(EngineError::NoDay)?;
            let id = &self.change.id;
            return Ok(archive::plan_move(id, id.as_str(), &date, &archive::look(root)?));
        }
        let folder = ConfinedFolder::open(&self.change.folder)
            .map_err(EngineError::io("open", &self.change.folder))?;
        let files = ChangeFiles::read(&folder)?;
        let title = files.get("proposal.md").and_then(expected::title);
        let date = today(self.change.history.changed_ms).ok_or(EngineError::NoDay)?;
        let change = archive::Change {
            id: &self.change.id,
            title: title.as_deref().unwrap_or(self.change.id.as_str()),
            date: &date,
            files: &files,
            baseline: &self.change.history.specs,
        };
        Ok(archive::plan(change, &archive::look(root)?)?)
    }

    /// Removes the worktrees of a change that is done, and what is of no use in its folder. The branch stays, and so does
    /// a worktree that holds what is nowhere else: that is said, and is no failure.
    pub(super) fn clear_away(&self) -> Result<(), EngineError> {
        let id = &self.change.id;
        for room in Room::ALL {
            if let Err(error) = self.remove_room(room) {
                warn!("a worktree of `{id}` stays: {error}");
            }
        }
        if self.setup.desk(id).exists()
            && let Err(error) = self.desk().and_then(|desk| Ok(desk.remove()?))
        {
            warn!("the worktree of `{id}` stays: {error}");
        }
        Ok(self.change.tidy_up()?)
    }

    /// Hides the secrets of the environment and of the agents: what is derived from a run never holds one.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        let variables = self.setup.environment.iter().map(|(name, value)| (name, value));
        let mut secrets = Secrets::of(variables);
        let agents = self.setup.agents.values().chain(self.setup.roles.values());
        secrets.add_agents(agents, &self.setup.environment);
        secrets.hide(text).into_owned()
    }

    /// Gives the commit that the change's code is at.
    pub(super) fn code_commit(&self) -> Result<Commit, EngineError> {
        Ok(self.setup.code_commit(&self.change.history)?)
    }
}

/// Says whether a change that goes on has left a phase and its checks behind.
fn is_past(stage: Stage, phase: Phase) -> bool {
    match stage {
        Stage::Due(due) => due > phase,
        Stage::Verify(Check::AfterImplement) => phase < Phase::Implement,
        Stage::Verify(Check::BeforeArchive) => phase < Phase::Review,
        Stage::Apply => phase < Phase::Archive,
        Stage::Gate(_) | Stage::Archived | Stage::Rejected | Stage::Cancelled => false,
    }
}
