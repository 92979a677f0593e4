//! Which files of a change go into the prompt of each phase, and why: one table.

use crate::template::Phase;

/// A file of the change's folder that a phase's prompt holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its path below the change's folder; `FOLDER/*.md` stands for every such file, sorted.
    pub path: &'static str,
    /// Whether the phase can do without it.
    pub need: Need,
    /// What the agent is to make of it.
    pub why: &'static str,
}

/// Whether a phase can do without a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It cannot.
    Required,
    /// It can; the file is there in later rounds only.
    IfThere,
}

const fn required(path: &'static str, why: &'static str) -> Wanted {
    Wanted { path, need: Need::Required, why }
}

const fn if_there(path: &'static str, why: &'static str) -> Wanted {
    Wanted { path, need: Need::IfThere, why }
}

/// Lists the files of a change that the prompt of a phase holds, in their order.
pub const fn wanted(phase: Phase) -> &'static [Wanted] {
    match phase {
        Phase::Plan => {
            const {
                &[
                    if_there("proposal.md", "the proposal of the round before"),
                    if_there("specs/*.md", "the specs of the round before"),
                    if_there("tasks.md", "the tasks of the round before"),
                    if_there("CHALLENGE.md", "what the critic found in them"),
                ]
            }
        }
        Phase::Challenge => {
            const {
                &[
                    required("proposal.md", "the proposal to judge"),
                    required("specs/*.md", "the specs to judge"),
                    required("tasks.md", "the tasks to judge"),
                    if_there("CHALLENGE.md", "what you found in the round before"),
                ]
            }
        }
        Phase::Implement => {
            const {
                &[
                    required("proposal.md", "what is wanted and why"),
                    required("specs/*.md", "what it must do"),
                    required("tasks.md", "the tasks, done and open"),
                    if_there("CHALLENGE.md", "what the critic said of the plan"),
                    if_there("IMPLEMENTATION.md", "what was done in the round before"),
                    if_there("REVIEW.md", "what the reviewer found in it"),
                    if_there("EVIDENCE.md", "what the project's checks printed"),
                ]
            }
        }
        Phase::Review => {
            const {
                &[
                    required("proposal.md", "what was wanted and why"),
                    required("specs/*.md", "what it must do"),
                    required("tasks.md", "the tasks, done and open"),
                    if_there("IMPLEMENTATION.md", "what the implementer says was done"),
                    if_there("REVIEW.md", "what you found in the round before"),
                    if_there("EVIDENCE.md", "what the project's checks printed just now"),
                ]
            }
        }
        Phase::Archive => {
            const {
                &[
                    required("proposal.md", "what was wanted and why"),
                    required("specs/*.md", "what it does now"),
                    required("tasks.md", "the tasks that were done"),
                    if_there("IMPLEMENTATION.md", "what was done"),
                    if_there("REVIEW.md", "how it was judged"),
                    if_there("EVIDENCE.md", "what the project's checks printed"),
                ]
            }
        }
    }
}
