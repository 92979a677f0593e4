//! Decides what the markers of an answer say together: of several verdicts the worst counts, and PASS only where
//! nothing contradicts it.

use std::collections::HashMap;

use super::{Answer, Seen, Subject, one_line};
use crate::models::marker::{Ignored, Marker, MarkerError, Reason, ReviewResult};
use crate::template::{Phase, TaskStatus, Verdict};

impl Answer<'_> {
    /// Returns the verdict, if it is clear and one of the phase's.
    pub fn verdict(&self, phase: Option<Phase>) -> Result<ReviewResult, MarkerError> {
        let verdicts = phase.map(Phase::verdicts).unwrap_or_default();
        self.verdict_in(phase.map(|phase| (phase.word(), verdicts.as_slice())))
    }

    /// Returns the verdict, if it is clear and one that the named step can end with.
    pub fn verdict_in(
        &self,
        step: Option<(&str, &[Verdict])>,
    ) -> Result<ReviewResult, MarkerError> {
        let reviews = self.markers.iter().filter_map(|marker| match marker {
            Marker::Review { verdict, at } => Some((*verdict, *at)),
            Marker::Task { .. } | Marker::Blocked { .. } | Marker::Thought { .. } => None,
        });
        // Of equal ones the first is named.
        let Some((verdict, at)) = reviews.rev().max_by_key(|(verdict, _)| *verdict) else {
            return Err(self.no_verdict());
        };
        if let Some((step, _)) = step.filter(|(_, known)| !known.contains(&verdict)) {
            let (step, line) = (step.to_owned(), self.line(at));
            return Err(MarkerError::NotOfThisStep { verdict, step, line });
        }
        match self.seen.iter().find(|seen| seen.contradicts) {
            Some(seen) if verdict == Verdict::Pass => {
                Err(MarkerError::Contradicted { line: self.line(at), by: self.shown(seen) })
            }
            Some(_) | None => Ok(verdict),
        }
    }

    fn no_verdict(&self) -> MarkerError {
        let unknown = |seen: &&Seen| {
            seen.subject == Subject::Review && seen.reason == Some(Reason::UnknownWord)
        };
        if let Some(seen) = self.seen.iter().find(unknown) {
            let text = &self.text[seen.span.clone()];
            let inner = text.split_once('>').map_or(text, |(_, inner)| inner);
            let token = one_line(inner.split('<').next().unwrap_or_default());
            return MarkerError::UnknownVerdict { token, line: self.line(seen.span.start) };
        }
        let ignored = self.listed(|seen| match seen.subject {
            Subject::Review | Subject::Word => true,
            Subject::Task(_) | Subject::Blocked => false,
        });
        MarkerError::MissingReviewMarker { ignored }
    }

    /// Returns the status of each task that is spoken of, in the order of first mention; FAILED beats COMPLETED.
    pub fn task_statuses(&self) -> Result<Vec<(&str, TaskStatus)>, MarkerError> {
        let mut statuses: Vec<(&str, TaskStatus)> = Vec::new();
        let mut places = HashMap::new();
        for marker in &self.markers {
            if let Marker::Task { id, status, .. } = marker {
                let place = *places.entry(id.as_str()).or_insert(statuses.len());
                match statuses.get_mut(place) {
                    Some((_, known)) => *known = (*known).max(*status),
                    None => statuses.push((id, *status)),
                }
            }
        }
        // A task that failed has failed, whatever else is said of it.
        let has_failed = |id: &Option<String>| {
            let place = id.as_deref().and_then(|id| places.get(id));
            place.is_some_and(|place| statuses[*place].1 == TaskStatus::Failed)
        };
        let unclear = self.seen.iter().find(|seen| match (&seen.subject, seen.reason) {
            (Subject::Task(id), Some(Reason::UnknownWord | Reason::Malformed)) => !has_failed(id),
            (Subject::Task(_) | Subject::Review | Subject::Word | Subject::Blocked, _) => false,
        });
        match unclear {
            Some(seen) => Err(MarkerError::UnclearStatus(self.shown(seen))),
            None => Ok(statuses),
        }
    }

    /// Returns the statuses as [`Self::task_statuses`] does, for an agent that must report some: none at all is an error,
    /// and so is COMPLETED in a place where it does not count, if nothing else is said of its task.
    pub fn reported_statuses(&self) -> Result<Vec<(&str, TaskStatus)>, MarkerError> {
        let statuses = self.task_statuses()?;
        if statuses.is_empty() {
            let ignored = self.listed(|seen| matches!(seen.subject, Subject::Task(_)));
            return Err(MarkerError::MissingTaskStatus { ignored });
        }
        let known: std::collections::HashSet<&str> = statuses.iter().map(|(id, _)| *id).collect();
        let is_lost = |seen: &&Seen| match (&seen.subject, seen.reason) {
            (Subject::Task(Some(id)), Some(reason)) => {
                reason != Reason::Thought && !known.contains(id.as_str())
            }
            (Subject::Task(_) | Subject::Review | Subject::Word | Subject::Blocked, _) => false,
        };
        match self.seen.iter().find(is_lost) {
            Some(seen) => Err(MarkerError::UnclearStatus(self.shown(seen))),
            None => Ok(statuses),
        }
    }

    fn shown(&self, seen: &Seen) -> Ignored {
        Ignored {
            text: one_line(&self.text[seen.span.clone()]),
            line: self.line(seen.span.start),
            reason: seen.reason.unwrap_or(Reason::Malformed),
            contradicts: seen.contradicts,
        }
    }
}
