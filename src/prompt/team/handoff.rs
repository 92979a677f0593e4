//! The research handoff: finished topics by reference, for those who build on them.

use askama::Template;
use log::warn;

use super::error::TeamPromptError;
use super::session::TeamSession;
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// The folder of all topics, below the change's folder.
const RESEARCH: &str = "03_research";

#[derive(Template)]
#[template(path = "blocks/research-handoff.md.j2", escape = "none")]
struct Handoff {
    topics: Vec<FinishedTopic>,
}

/// A topic whose research is done: its files, below the change's folder.
struct FinishedTopic {
    summary: String,
    detail: Option<String>,
}

/// Lists the finished topics, sorted by the names of their folders; where there are none, it is empty.
pub(super) fn research_handoff(
    session: &TeamSession,
    files: &ConfinedFolder,
) -> Result<String, TeamPromptError> {
    let unusable =
        |fault| TeamPromptError::Unusable { path: session.feature_dir.join(RESEARCH), fault };
    let folders = files.list(RESEARCH, "").map_err(unusable)?;
    let topics: Vec<_> = folders.iter().filter_map(|folder| finished(files, folder)).collect();
    if topics.is_empty() {
        return Ok(String::new());
    }
    Ok(Handoff { topics }.to_string().trim_end().to_owned())
}

fn finished(files: &ConfinedFolder, folder: &str) -> Option<FinishedTopic> {
    let path = |name: &str| format!("{RESEARCH}/{folder}/{name}");
    let found = || -> Result<Option<FinishedTopic>, IncludeFault> {
        let Some(topic) = files.below(&format!("{RESEARCH}/{folder}"))? else { return Ok(None) };
        if !topic.has_file("done")? || !topic.has_file("summary.md")? {
            return Ok(None);
        }
        let detail = topic.has_file("detail.md")?.then(|| path("detail.md"));
        Ok(Some(FinishedTopic { summary: path("summary.md"), detail }))
    };
    match found() {
        // A name goes into the prompt as it is, so it must be no more than one.
        Ok(Some(_)) if !is_plain(folder) => {
            warn!(
                "`{RESEARCH}/{}` is left out: its name is not that of a topic",
                folder.escape_debug()
            );
            None
        }
        Ok(topic) => topic,
        Err(fault) => {
            warn!("`{RESEARCH}/{}` is left out: {fault}", folder.escape_debug());
            None
        }
    }
}

fn is_plain(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    name.bytes().all(is_plain)
}
