//! Where a prompt of the team is made, and the prompt that comes of it.

use std::path::{Path, PathBuf};

use super::error::TeamPromptError;
use super::facts::Facts;
use crate::catalog::TeamTemplate;
use crate::files::{Failed, OrFailed as _};
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// What the prompts of one change speak of and are made from. All paths are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamSession {
    /// The change's folder, from which files are included and in which prompts are written.
    pub feature_dir: PathBuf,
    /// The folder in which the agent works on the project's code.
    pub project_dir: PathBuf,
    /// The project's root, in which its own prompts are.
    pub project_root: PathBuf,
    /// What is known of the change beyond its files.
    pub facts: Facts,
}

/// A finished prompt.
#[derive(Clone, Debug)]
pub struct BuiltPrompt {
    /// The prompt, which holds all that the agent needs.
    pub text: String,
    /// The file that it belongs in, below the change's folder.
    pub file: String,
    /// The template that it was made of.
    pub template: &'static TeamTemplate,
}

impl BuiltPrompt {
    /// Writes the prompt into its phase's folder, which is made if it is not there, and gives the file's path.
    ///
    /// The file is whole at any time. A link is refused, wherever it leads.
    pub fn write(&self, session: &TeamSession) -> Result<PathBuf, TeamPromptError> {
        let path = session.feature_dir.join(&self.file);
        let change = ConfinedFolder::open(&session.feature_dir).or_failed("write", &path)?;
        match change.replace(&self.file, self.text.as_bytes()) {
            Ok(()) => Ok(path),
            Err(IncludeFault::Unreadable(why)) => {
                Err(Failed::new("write", path, std::io::Error::other(why)).into())
            }
            Err(fault) => Err(TeamPromptError::Unusable { path, fault }),
        }
    }
}

/// Returns a path as it stands in a prompt.
pub(super) fn in_prompt(path: &Path) -> Result<&str, TeamPromptError> {
    let text = path.to_str().filter(|text| path.is_absolute() && !text.contains(char::is_control));
    text.ok_or_else(|| TeamPromptError::Path(path.to_owned()))
}
