//! The next command for a person.

use super::merge_status::MergeStatus;
use crate::engine::entry::Entry;
use crate::engine::git::Repository;
use crate::engine::history::History;
use crate::flow::{Limit, Next, Position, Waiting};
use crate::models::change::ChangeId;

/// Returns the next command for a change that no process works on.
pub(super) fn next(
    id: &ChangeId,
    history: &History,
    repository: &Repository,
    rounds: impl Fn(Limit) -> u32,
) -> String {
    match (history.state.next(&history.flow, rounds), history.state.position) {
        (Next::Run(_), _) if history.baseline.as_ref().is_some_and(|it| !it.is_settled()) => {
            format!("agentd run {id} --baseline fix, or agentd run {id} --baseline tolerate")
        }
        (Next::Run(_), _) => format!("agentd run {id}"),
        (Next::Wait(waiting), _) => answers(id, history, waiting),
        (Next::End, Position::Archived) => {
            let status = MergeStatus::find(repository, id, history);
            let nothing = status.ok().and_then(|status| status.nothing_to_do());
            nothing.map_or_else(|| format!("agentd merge {id}"), str::to_owned)
        }
        (Next::End, Position::Rejected(_)) => {
            format!("agentd show {id}, or agentd approve {id} --override \"why\"")
        }
        (Next::End, _) => format!("agentd show {id}"),
    }
}

/// Returns what a person can do about a waiting change.
pub(super) fn answers(id: &ChangeId, history: &History, waiting: Waiting) -> String {
    match waiting {
        Waiting::Blocked(_) => format!("agentd run {id} \"your answer\", or agentd cancel {id}"),
        Waiting::Exhausted(_) => {
            format!("agentd reject {id} \"what to do\", which allows new rounds")
        }
        Waiting::Paused(_) | Waiting::Gate(_) if may_be_rejected(history) => {
            format!("agentd approve {id}, or agentd reject {id} \"what to change\"")
        }
        Waiting::Paused(_) | Waiting::Gate(_) => {
            format!("agentd approve {id}, or agentd run {id} \"what else is needed\"")
        }
    }
}

/// Returns whether a person can reject the work now.
pub(super) fn may_be_rejected(history: &History) -> bool {
    history.allows(&Entry::Rejected { reason: String::new() }).is_ok()
}
