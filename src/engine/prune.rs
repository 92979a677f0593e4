//! Removing what finished changes left: workspaces, branches that are merged, and state of changes that are no more. Nothing goes
//! that is not merged or that holds files which no commit holds.

use std::collections::BTreeMap;
use std::path::Path;

use super::change::Change;
use super::discard::merged_into;
use super::error::EngineError;
use super::git::{GitError, Leftover, Repository, size_of};
use super::history::History;
use super::journal;
use super::lock::Lock;
use super::project::{Location, Project};
use super::setup::Setup;
use crate::files::OrFailed as _;
use crate::files::own::{self, Kind};
use crate::flow::Position;
use crate::models::change::ChangeId;

/// Where to look, and whether to remove.
#[derive(Debug)]
pub struct Prune<'p> {
    /// The project.
    pub project: &'p Project,
    /// Its repository.
    pub repository: &'p Repository,
    /// The folder of its workspaces.
    pub workspaces: &'p Path,
    /// Whether it is only listed what would be removed.
    pub is_dry: bool,
    /// The change whose workspaces and branches are removed, if not those of all.
    pub only: Option<&'p ChangeId>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// What was removed, or would be.
    pub removed: Vec<Removed>,
    /// What stays though its change is finished, each with the reason.
    pub kept: Vec<(String, &'static str)>,
}

/// Something that was removed, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// What it is: `workspace`, `branch` or `state`.
    pub what: &'static str,
    /// Its path or its name.
    pub name: String,
    /// How many bytes it took; a branch takes none to speak of.
    pub bytes: u64,
}

/// What has become of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// It may go on, or cannot be read.
    Open,
    /// It is given up, or archived and merged.
    Finished,
}

/// Who holds a change.
#[derive(Debug)]
enum Hold {
    /// We do, as long as this lives.
    Ours(#[expect(dead_code, reason = "it is in use")] Lock),
    /// Nobody does, and nothing is removed.
    Looked,
    /// Somebody else.
    Others,
}

impl Prune<'_> {
    /// Removes what finished changes left, or lists it.
    pub fn run(&self) -> Result<Pruned, EngineError> {
        let (mut pruned, mut lives, mut locks) = (Pruned::default(), self.lives()?, Vec::new());
        lives.retain(|id, _| self.only.is_none_or(|only| only == id));
        let finished: Vec<_> = lives.iter().filter(|(_, life)| **life == Life::Finished).collect();
        let finished: Vec<ChangeId> = finished.into_iter().map(|(id, _)| id.clone()).collect();
        for id in &finished {
            // Somebody who is at work on it may still need all of it.
            match self.held(id) {
                Hold::Others => drop(lives.insert(id.clone(), Life::Open)),
                held => locks.push(held),
            }
        }
        for leftover in Leftover::all(self.repository, self.workspaces)? {
            self.workspace(&leftover, &lives, &mut pruned)?;
        }
        for id in finished.iter().filter(|id| lives.get(*id) == Some(&Life::Finished)) {
            self.branches(id, &mut pruned)?;
        }
        if self.only.is_none() {
            self.states(&mut pruned)?;
        }
        Ok(pruned)
    }

    /// Takes the lock of a change, unless it is held; where nothing is removed, it is only looked at.
    fn held(&self, id: &ChangeId) -> Hold {
        if self.is_dry {
            let holder = Lock::holder(&self.project.location(id).state);
            return if matches!(holder, Ok(None)) { Hold::Looked } else { Hold::Others };
        }
        Change::lock(id, self.project).map_or(Hold::Others, Hold::Ours)
    }

    fn lives(&self) -> Result<BTreeMap<ChangeId, Life>, EngineError> {
        let states = self.project.states();
        let open = self.project.open().or_failed("read", &states)?;
        let archived = self.project.archived().or_failed("read", &states)?;
        let all = open.into_iter().chain(archived);
        all.map(|(id, location)| self.life(&id, &location).map(|life| (id, life))).collect()
    }

    fn life(&self, id: &ChangeId, location: &Location) -> Result<Life, EngineError> {
        let records = journal::read(&location.state).map(|(records, _)| records);
        let history = records.ok().and_then(|records| History::of(&records).ok().flatten());
        let Some(history) = history.filter(|it| self.project.may_hold(it.checkout.as_deref()))
        else {
            return Ok(Life::Open);
        };
        let is_finished = match history.state.position {
            Position::Cancelled => true,
            Position::Archived => {
                let has_branch = self.repository.branch_exists(&Setup::branch(id))?;
                !has_branch || merged_into(self.repository, id, &history)?.is_some()
            }
            Position::Step(_)
            | Position::Paused { .. }
            | Position::Blocked(_)
            | Position::Rejected(_) => false,
        };
        Ok(if is_finished { Life::Finished } else { Life::Open })
    }

    /// Removes a workspace of a change that is finished or no more.
    fn workspace(
        &self,
        leftover: &Leftover,
        lives: &BTreeMap<ChangeId, Life>,
        pruned: &mut Pruned,
    ) -> Result<(), EngineError> {
        let id = leftover.id().parse::<ChangeId>().ok();
        let life = id.as_ref().and_then(|id| lives.get(id));
        let is_other = self.only.is_some() && self.only != id.as_ref();
        if is_other || life == Some(&Life::Open) {
            return Ok(());
        }
        // One that is being begun has a lock before it has a journal.
        let held = match (life, &id) {
            (None, Some(id)) => self.held(id),
            _ => Hold::Looked,
        };
        if matches!(held, Hold::Others) {
            return Ok(());
        }
        let name = leftover.path(self.repository).display().to_string();
        match leftover.is_clean(self.repository)? {
            Some(true) => {
                pruned.removed.push(Removed { what: "workspace", name, bytes: leftover.size() });
                if !self.is_dry {
                    leftover.remove(self.repository)?;
                }
            }
            Some(false) => pruned.kept.push((name, "it contains commits that no branch contains")),
            None => pruned.kept.push((name, "agentd cannot find out what it contains")),
        }
        Ok(())
    }

    /// Removes the branches of a finished change that are merged.
    fn branches(&self, id: &ChangeId, pruned: &mut Pruned) -> Result<(), GitError> {
        for branch in self.repository.branches_of(&Setup::branch(id))? {
            let Some(tip) = self.repository.branch_commit(&branch)? else { continue };
            if self.repository.merged_into(&tip)?.is_none() {
                pruned.kept.push((branch, "it is not merged"));
                continue;
            }
            if self.repository.refuse_in_use(&branch).is_err() {
                pruned.kept.push((branch, "it is checked out"));
                continue;
            }
            if !self.is_dry {
                self.repository.delete_branch(&branch, &tip)?;
            }
            pruned.removed.push(Removed { what: "branch", name: branch, bytes: 0 });
        }
        Ok(())
    }

    /// Removes the state of changes that are no more: earlier ones of an id, and what was never begun.
    fn states(&self, pruned: &mut Pruned) -> Result<(), EngineError> {
        let states = self.project.states();
        let entries = own::entries(&states).or_failed("read", &states)?;
        for (name, kind) in entries {
            let Some((id, rest)) = name.to_str().and_then(|name| name.split_once('.')) else {
                continue;
            };
            let path = states.join(&name);
            let Ok(id) = id.parse::<ChangeId>() else { continue };
            if rest == "discarded" {
                let reason = "`agentd discard` was interrupted: the same command completes it";
                pruned.kept.push((path.display().to_string(), reason));
                continue;
            }
            let is_over = rest == "new" || rest.bytes().all(|byte| byte.is_ascii_digit());
            if kind != Kind::Folder || !is_over {
                continue;
            }
            let held = self.held(&id);
            if matches!(held, Hold::Others) {
                continue;
            }
            let bytes = size_of(&path);
            if !self.is_dry {
                own::clear(&path).or_failed("remove", &path)?;
            }
            let name = path.display().to_string();
            pruned.removed.push(Removed { what: "state", name, bytes });
        }
        Ok(())
    }
}
