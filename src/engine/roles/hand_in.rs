//! Work that was handed over in YAML files, where an agent has no tools for it: taken as if it had been submitted.

use std::collections::BTreeMap;
use std::io;

use super::files::unusable;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::expected::FileFault;
use crate::engine::research::RESEARCH;
use crate::engine::schedule::unschedulable;
use crate::files::Failed;
use crate::flow::Step;
use crate::handoff::{self, Approval, Desk, HandoffError, PreferenceMemory, Taken, Tool};
use crate::models::change::ChangeId;
use crate::models::hash::Hash;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::preferences::PreferenceError;
use crate::template::{IncludeFault, Role};

/// What is wrong with what was handed over.
pub(super) struct Wrong {
    /// Every fault.
    pub(super) faults: Vec<FileFault>,
    /// Whether these hold what is wrong with the schedule, without the sub-plans that are set aside.
    pub(super) tells_of_schedule: bool,
}

/// Takes what the role of a step has handed over in files, and lists what is wrong with it.
pub(super) fn hand_in(
    change: &ChangeId,
    step: &Step,
    papers: &ConfinedFolder,
    now_ms: u64,
) -> Result<Wrong, EngineError> {
    let desk = desk(papers, step, change);
    let taken = handoff::read_fallback(&desk, now_ms);
    // A role may have files of an earlier step, about which nothing is to be said any more.
    let is_own = |taken: &&Taken| {
        [step.folder().unwrap_or_default(), RESEARCH]
            .iter()
            .any(|folder| taken.path.starts_with(folder))
    };
    let tells_of_schedule = taken.iter().any(is_about_schedule);
    let faults = taken.iter().filter(is_own).map(faults).collect::<Result<Vec<_>, _>>()?;
    Ok(Wrong { faults: faults.into_iter().flatten().collect(), tells_of_schedule })
}

fn desk<'d>(folder: &'d ConfinedFolder, step: &Step, change: &'d ChangeId) -> Desk<'d> {
    let role = step.role().unwrap_or(Role::Coder);
    Desk { folder, role, plan: None, schedule: unschedulable, change }
}

impl Driver<'_> {
    /// Takes the preferences that the role of a step handed in: they are kept where a person approved them, and else wait for
    /// one.
    pub(super) fn take_preferences(
        &self,
        step: &Step,
        papers: &ConfinedFolder,
        approval: Approval,
    ) -> Result<(), EngineError> {
        let folder = step.folder().unwrap_or_default();
        let entries = handoff::preferences(papers, folder).map_err(self.unusable(folder))?;
        if entries.is_empty() {
            return Ok(());
        }
        let (project, change) = (self.setup.project.root.as_path(), &self.change.id);
        let memory = PreferenceMemory { project, change, approval };
        let taken = memory.take(&entries, self.change.history.changed_ms);
        taken.map(drop).map_err(|error| match error {
            PreferenceError::Outside(path) => unusable(path)(IncludeFault::Outside),
            PreferenceError::NotAFile(path) => unusable(path)(IncludeFault::NotAFile),
            PreferenceError::Shared(path) => unusable(path)(IncludeFault::Shared),
            error => {
                let why = io::Error::other(error.to_string());
                Failed::new("take the preferences of", folder, why).into()
            }
        })
    }
}

/// Questions to researchers that a step's agent asks in YAML files while it is at work.
pub(in crate::engine) struct Requests {
    step: Step,
    /// The files as they were when they were last looked at.
    seen: BTreeMap<String, Hash>,
}

impl Requests {
    pub(in crate::engine) fn of(step: &Step) -> Self {
        Self { step: step.clone(), seen: BTreeMap::new() }
    }

    /// Takes what is asked. A file may be half written, so that it is taken once it stays the same or its author has ended.
    /// What is wrong with it is said when all that was handed over is looked at.
    pub(in crate::engine) fn take(
        &mut self,
        change: &ChangeId,
        papers: &ConfinedFolder,
        has_ended: bool,
        now_ms: u64,
    ) -> Result<(), EngineError> {
        let desk = desk(papers, &self.step, change);
        let mut files = handoff::fallback_files(&desk);
        files.retain(|file| {
            matches!(file.tool, Tool::ResearchDispatchCode | Tool::ResearchDispatchWeb)
        });
        for file in files {
            let read = papers.read_bytes(&file.path);
            let Some(bytes) = read.map_err(unusable((&file.path).into()))? else { continue };
            let now = Hash::of(bytes);
            let is_the_same = self.seen.get(&file.path) == Some(&now);
            self.seen.insert(file.path.clone(), now);
            if is_the_same || has_ended {
                file.take(&desk, now_ms).as_ref().map_or(Ok(Vec::new()), faults)?;
            }
        }
        Ok(())
    }
}

/// Returns whether something was refused for what is wrong with the schedule.
fn is_about_schedule(taken: &Taken) -> bool {
    match &taken.outcome {
        Err(HandoffError::Faults(faults)) => faults.iter().any(|fault| fault.file.is_some()),
        Ok(_) | Err(_) => false,
    }
}

/// Lists what is wrong with a file. That it cannot be taken because the machine does not write is nobody's fault.
fn faults(taken: &Taken) -> Result<Vec<FileFault>, EngineError> {
    let Err(error) = &taken.outcome else { return Ok(Vec::new()) };
    let help = "correct the file";
    Ok(match error {
        HandoffError::Faults(faults) => faults
            .iter()
            .map(|fault| {
                let line = fault.place.and_then(|place| usize::try_from(place.line).ok());
                let field = if fault.field.is_empty() { "" } else { ": " };
                let message = format!("{}{field}{}", fault.field, fault.message);
                let path = fault.file.as_deref().unwrap_or(&taken.path);
                FileFault::new(path, line, &message, help)
            })
            .collect(),
        // Nobody opens what is no plain file, and no agent is asked to mend what may be a trap.
        HandoffError::File { path, fault } => return Err(unusable(path.into())(fault.clone())),
        HandoffError::NotYours { .. }
        | HandoffError::Closed { .. }
        | HandoffError::Unwritable(_) => {
            vec![FileFault::new(&taken.path, None, &error.to_string(), help)]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_in_a_file_is_taken_once_the_file_stays_the_same() {
        let root = tempfile::tempdir().unwrap();
        let papers = ConfinedFolder::open(root.path()).unwrap();
        let change = "add-login".parse().unwrap();
        let flow = crate::catalog::CATALOG.flow("team").unwrap();
        let step = flow.step(flow.find("architect").unwrap());
        let mut requests = Requests::of(step);
        let mut look = |text: &str, has_ended| {
            papers.replace("03_research/code-auth/request.yaml", text.as_bytes()).unwrap();
            requests.take(&change, &papers, has_ended, 0).unwrap();
            papers.read("03_research/code-auth/request.md").unwrap()
        };
        let one = "topic: auth\nquestions: [Who?]\n";
        let two = "topic: auth\nquestions: [Who?, How?]\n";
        assert_eq!(look(one, false), None, "it may be half of it");
        assert_eq!(look(two, false), None, "it was");
        assert!(look(two, false).unwrap().contains("How?"));
        assert!(!look(one, true).unwrap().contains("How?"), "nobody writes any more");
        assert_eq!(look("topic: [", true), look(one, true), "its faults are told elsewhere");
    }
}
