//! A piece of work that an agent does for a change: a phase, or a step of a team. What it may write is known here.

use std::fmt;
use std::path::Path;

use super::team::papers::is_kept_review;
use super::team::research::{RESEARCH, may_ask};
use super::team::{EVIDENCE, TeamStep};
use crate::models::agent::Permissions;
use crate::template::Phase;

/// A piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A phase.
    Phase(Phase),
    /// A step of a team.
    Step(TeamStep),
    /// Research that a team asks for.
    Research,
}

impl Work {
    /// Says whether it writes code.
    pub const fn writes_code(self) -> bool {
        match self {
            Self::Phase(Phase::Implement) => true,
            Self::Step(step) => step.writes_code(),
            Self::Phase(Phase::Plan | Phase::Challenge | Phase::Review | Phase::Archive)
            | Self::Research => false,
        }
    }

    /// Says whether it only judges, so that a file it writes for others is a fault of its own.
    pub const fn only_judges(self) -> bool {
        match self {
            Self::Phase(Phase::Challenge | Phase::Review) => true,
            Self::Phase(Phase::Plan | Phase::Implement | Phase::Archive)
            | Self::Step(_)
            | Self::Research => false,
        }
    }

    /// Says whether an agent with these permissions may run commands in it.
    pub fn may_run_commands(self, permissions: Permissions) -> bool {
        match self {
            Self::Phase(phase) => permissions.in_phase(phase) == Permissions::Shell,
            Self::Step(TeamStep::Review | TeamStep::Coders | TeamStep::Fix) => {
                permissions == Permissions::Shell
            }
            Self::Step(_) | Self::Research => false,
        }
    }

    /// Says whether it may write a file of the change's folder.
    pub fn may_write(self, path: &Path) -> bool {
        match self {
            Self::Phase(phase) => phase_may_write(phase, path),
            Self::Step(step) => step_may_write(step, path),
            Self::Research => path.starts_with(RESEARCH),
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phase(phase) => write!(f, "phase `{phase}`"),
            Self::Step(step) => write!(f, "step `{step}`"),
            Self::Research => f.write_str("research"),
        }
    }
}

fn phase_may_write(phase: Phase, path: &Path) -> bool {
    let below = |folder: &str| path.starts_with(folder);
    match phase {
        // Notes beside the plan do no harm; what agentd writes is not for agents.
        Phase::Plan => {
            let own = [
                ".gitignore",
                "request.md",
                "CHALLENGE.md",
                "IMPLEMENTATION.md",
                "REVIEW.md",
                "EVIDENCE.md",
            ];
            !own.iter().any(|name| path == Path::new(name)) && !below("archive")
        }
        Phase::Implement => path == Path::new("IMPLEMENTATION.md"),
        Phase::Archive => below("archive"),
        Phase::Challenge | Phase::Review => false,
    }
}

/// A step writes in its own folder, and asks for research where it can. Coders tick their tasks.
fn step_may_write(step: TeamStep, path: &Path) -> bool {
    let below = |folder: &str| path.starts_with(folder);
    let is_tasks = || {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.parent() == Some(Path::new("04_planning")) && name.starts_with("tasks")
    };
    if may_ask(step) && below(RESEARCH) {
        return true;
    }
    match step {
        TeamStep::ProductManager => below("01_product_management"),
        TeamStep::Architect => below("02_architecting"),
        TeamStep::Planner | TeamStep::Change => below("04_planning"),
        TeamStep::Designer => below("05_design"),
        TeamStep::Coders | TeamStep::Fix => below("06_implementation") || is_tasks(),
        TeamStep::Review => {
            below("07_review") && path != Path::new(EVIDENCE) && !is_kept_review(path)
        }
        TeamStep::Summary => below("08_completion") && !path.ends_with("changes.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_phase_may_write_its_own_files_alone() {
        let allowed = |phase| {
            let files = [
                "request.md",
                "proposal.md",
                "specs/a.md",
                "tasks.md",
                "CHALLENGE.md",
                "IMPLEMENTATION.md",
                "REVIEW.md",
                "EVIDENCE.md",
                "archive/changelog.md",
            ];
            let may_write = |file: &&str| Work::Phase(phase).may_write(Path::new(file));
            files.into_iter().filter(may_write).collect::<Vec<_>>()
        };
        assert_eq!(allowed(Phase::Plan), ["proposal.md", "specs/a.md", "tasks.md"]);
        assert_eq!(allowed(Phase::Implement), ["IMPLEMENTATION.md"]);
        assert_eq!(allowed(Phase::Archive), ["archive/changelog.md"]);
        assert_eq!(allowed(Phase::Challenge), [""; 0]);
        assert_eq!(allowed(Phase::Review), [""; 0]);
    }

    #[test]
    fn each_step_may_write_in_its_own_folder_alone() {
        let allowed = |step| {
            let files = [
                "requirements.md",
                "02_architecting/architecture.md",
                "03_research/code-auth/request.md",
                "04_planning/plan_1.md",
                "04_planning/tasks_1.md",
                "06_implementation/done_1",
                "07_review/review.md",
                "07_review/review_1.md",
                "07_review/evidence.md",
                "08_completion/summary.md",
                "08_completion/changes.md",
            ];
            let may_write = |file: &&str| Work::Step(step).may_write(Path::new(file));
            files.into_iter().filter(may_write).collect::<Vec<_>>()
        };
        let research = "03_research/code-auth/request.md";
        assert_eq!(allowed(TeamStep::Architect), ["02_architecting/architecture.md", research]);
        let planning = [research, "04_planning/plan_1.md", "04_planning/tasks_1.md"];
        assert_eq!(allowed(TeamStep::Planner), planning);
        let coding = ["04_planning/tasks_1.md", "06_implementation/done_1"];
        assert_eq!(allowed(TeamStep::Coders), coding);
        assert_eq!(allowed(TeamStep::Fix), coding);
        assert_eq!(allowed(TeamStep::Review), ["07_review/review.md"]);
        assert_eq!(allowed(TeamStep::Summary), ["08_completion/summary.md"]);
    }
}
