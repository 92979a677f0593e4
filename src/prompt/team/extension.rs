//! What a project adds to the prompts of the team: Markdown files of its own, one for each role or command. The file of
//! a role, with its preferences, also reaches the commands that the role is given.
//!
//! They are plain text. A `[[placeholder:…]]` of a name that the prompt has a value for is filled in; nothing else in
//! them means anything.

use std::path::Path;

use super::error::TeamPromptError;
use crate::files::OrFailed as _;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::legible;
use crate::template::TeamPrompt;

/// The folders of a project's own prompts, the first one ours, in the order in which their texts are joined.
pub const FOLDERS: [&str; 2] = ["agentd/prompts", ".agentmux/prompts"];

/// The largest file that is read.
pub(super) const LARGEST: u64 = 1 << 20;

/// Reads what a project adds to a prompt: the files of the role, then those of the command, each text once. Where there
/// is no file, that is nothing.
pub(super) fn read(root: &Path, prompt: TeamPrompt) -> Result<String, TeamPromptError> {
    let folders = folders(root)?;
    let mut texts: Vec<String> = Vec::new();
    for file in prompt.extended_by().into_iter().map(TeamPrompt::file) {
        for (folder, files) in &folders {
            let unusable =
                |fault| TeamPromptError::Unusable { path: root.join(folder).join(&file), fault };
            let mut text = String::new();
            let shown = format!("{folder}/{file}");
            legible::append(files, &file, &shown, LARGEST, &mut text).map_err(unusable)?;
            let text = text.trim_start_matches('\u{feff}').trim_end();
            if !text.is_empty() && !texts.iter().any(|known| known == text) {
                texts.push(text.to_owned());
            }
        }
    }
    Ok(texts.join("\n\n"))
}

/// Opens the folders that are there. Each is confined to itself, and found without leaving the project.
pub(super) fn folders(root: &Path) -> Result<Vec<(&'static str, ConfinedFolder)>, TeamPromptError> {
    let project = ConfinedFolder::of_project(root).or_failed("open", root)?;
    let mut found = Vec::new();
    for folder in FOLDERS {
        let unusable = |fault| TeamPromptError::Unusable { path: root.join(folder), fault };
        found.extend(project.below(folder).map_err(unusable)?.map(|files| (folder, files)));
    }
    Ok(found)
}

/// Lists the files with which a project extends a prompt, below its root, in the order in which they are joined.
pub fn extension_files(root: &Path, prompt: TeamPrompt) -> Result<Vec<String>, TeamPromptError> {
    let folders = folders(root)?;
    let mut found = Vec::new();
    for file in prompt.extended_by().into_iter().map(TeamPrompt::file) {
        for (folder, files) in &folders {
            let path = format!("{folder}/{file}");
            let unusable = |fault| TeamPromptError::Unusable { path: root.join(&path), fault };
            if files.has_file(&file).map_err(unusable)? {
                found.push(path);
            }
        }
    }
    Ok(found)
}
