//! What a person does to the documents of a change between two steps: one that is gone is restored, and one that was edited is
//! accepted, with all that was said about it open again.

use std::path::Path;

use super::accept::Taken;
use super::documents::Documents;
use super::driver::Driver;
use super::entry::{Edited, Entry};
use super::error::EngineError;
use super::event::Event;
use super::ownership::may_write;
use super::plan_order::PlanOrder;
use super::schedule::PLANNING;
use crate::files::OrFailed as _;
use crate::flow::{Next, Step, Subject};

impl Driver<'_> {
    /// Takes account of what a person did to the documents. Nothing is taken while a step is under way: it goes on from what it
    /// began with.
    pub(super) fn take_edits(&mut self) -> Result<(), EngineError> {
        let history = &self.change.history;
        if history.is_over() || history.applying.is_some() {
            return Ok(());
        }
        if history.documents.accepted.is_empty() {
            // The request, and what lay there before the change began.
            let folder = &self.change.folder;
            let files = Documents::read(folder).or_failed("read", folder)?;
            return Ok(self.change.accept(&Taken { files, removed: Vec::new() })?);
        }
        let flow = std::sync::Arc::clone(&history.flow);
        let is_left = |path: &Path| flow.steps.iter().any(|step| may_write(step, path));
        let edits = self.change.reconcile(is_left)?;
        if !edits.restored.is_empty() {
            self.watch.event(&Event::DocumentsRestored { files: &edits.restored });
        }
        if edits.changed.is_empty() || self.change.history.started.is_some() {
            return Ok(());
        }
        let set = self.change.keep_edits(&edits.changed)?;
        let is_of = |subject: Subject| {
            let makes = |step: &&Step| step.changes == Some(subject);
            let mut makers = flow.steps.iter().filter(makes);
            makers.any(|step| edits.changed.iter().any(|name| may_write(step, Path::new(name))))
        };
        let subject = [Subject::Plan, Subject::Code].into_iter().find(|subject| is_of(*subject));
        let schedule = self.edited_plans(&edits.changed)?;
        let mut entry = Entry::Edited(Edited { set: set.clone(), subject, schedule });
        if self.change.history.allows(&entry).is_err() {
            // Nothing was said about it that could be open again.
            entry = Entry::Edited(Edited { set, subject: None, schedule: None });
        }
        self.change.happened(entry)?;
        self.watch.event(&Event::DocumentsEdited { files: &edits.changed });
        Ok(())
    }

    /// Reads the plans again where a person edited one of them.
    fn edited_plans(&self, changed: &[String]) -> Result<Option<PlanOrder>, EngineError> {
        let is_plan = |name: &String| name.starts_with(PLANNING);
        if self.change.history.schedule.is_none() || !changed.iter().any(is_plan) {
            return Ok(None);
        }
        match (self.plan_order(&self.change.accepted()?, &self.papers()?)?, self.next()) {
            (Ok(order), _) => Ok(Some(order)),
            // Whatever is wrong with plans that are made again does not matter.
            (Err(_), Next::Run(id)) if self.step(id).makes_schedule() => Ok(None),
            (Err(faults), _) => Err(EngineError::Schedule { id: self.change.id.clone(), faults }),
        }
    }
}
