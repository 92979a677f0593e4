//! Why a prompt of the team cannot be made.

use std::path::PathBuf;

use thiserror::Error;

use crate::files::Failed;
use crate::template::{IncludeFault, RenderError};

/// Why a prompt of the team cannot be made or put in its place.
#[derive(Debug, Error)]
pub enum TeamPromptError {
    /// A value or a file that the template asks for is missing, or may not be used.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A file or folder that goes into the prompt cannot be used.
    #[error("cannot use `{}`: {fault}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        fault: IncludeFault,
    },
    /// A folder cannot be opened, or a prompt cannot be written.
    #[error(transparent)]
    Io(#[from] Failed),
    /// A path cannot stand in a prompt.
    #[error("the path `{}` cannot be written in a prompt: it must be absolute, UTF-8 and one line", .0.display())]
    Path(PathBuf),
    /// A plan or its tasks are missing.
    #[error("`{file}` is missing, which the coder's prompt needs")]
    MissingPlanFile {
        /// The file, below the change's folder.
        file: String,
    },
    /// The work has not passed review, so there is nothing to sum up.
    #[error(
        "`07_review/review.md` does not start with `VERDICT: PASS`, so there is nothing to summarise"
    )]
    NotPassed,
}

impl TeamPromptError {
    /// Returns what to do.
    pub fn help(&self) -> String {
        match self {
            Self::Render(RenderError::MissingInclude { path, .. }) => {
                format!("write `{path}` in the change's folder: an earlier step of the team does")
            }
            Self::Render(RenderError::Include { .. }) | Self::Unusable { .. } => {
                "it must be a regular file inside its folder, and not a link".to_owned()
            }
            Self::Render(RenderError::MissingValue { .. } | RenderError::Unlinked { .. }) => {
                "this is a bug in agentd: please report it with the command line".to_owned()
            }
            Self::Io(_) => "check the folder and who may write to it".to_owned(),
            Self::Path(_) => "move the project to a folder with a plain name".to_owned(),
            Self::MissingPlanFile { .. } => {
                "the planner writes plan_1.md, plan_2.md and so on, each with its tasks_N.md"
                    .to_owned()
            }
            Self::NotPassed => "have the work reviewed again: `--command review`".to_owned(),
        }
    }
}
