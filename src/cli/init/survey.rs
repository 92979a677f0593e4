//! What is there: the build files in a project's root, and what they tell of it. Reading is bounded, and a file that
//! cannot be understood tells nothing.

mod manifests;

use std::path::Path;

use crate::models::command::CommandLine;
use crate::prompt::confined::ConfinedFolder;

/// What was found in a project's root.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The project's name, from a build file or its folder.
    pub(super) name: String,
    /// What it says it is.
    pub(super) description: Option<String>,
    /// The parts that are built each in its own way.
    pub(super) parts: Vec<Part>,
    /// The names in the root, folders with a slash, but for what is hidden or ignored.
    pub(super) layout: Vec<String>,
}

/// Something that is built and tested in one way.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The file that tells of it.
    pub(super) file: &'static str,
    /// What it is written in.
    pub(super) language: &'static str,
    /// The project's name in it.
    pub(super) name: Option<String>,
    /// What it says the project is.
    pub(super) description: Option<String>,
    /// The command that builds it.
    pub(super) build: Option<String>,
    /// The command that tests it.
    pub(super) test: Option<String>,
}

/// No more names are listed.
const MOST_LISTED: usize = 40;

impl Survey {
    /// Looks at a project's root.
    pub(super) fn of(root: &Path) -> Self {
        let parts = match ConfinedFolder::of_project(root) {
            Ok(folder) => manifests::parts(|path| folder.read(path).ok().flatten()),
            Err(_) => Vec::new(),
        };
        let folder = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = parts.iter().find_map(|part| part.name.clone()).or(folder);
        Self {
            name: name.unwrap_or_else(|| "this project".to_owned()),
            description: parts.iter().find_map(|part| part.description.clone()),
            parts,
            layout: layout(root),
        }
    }

    /// Proposes the commands that verify a change: the tests of every part.
    pub(super) fn verify(&self) -> Vec<CommandLine> {
        let tests = self.parts.iter().filter_map(|part| part.test.clone());
        tests.map(CommandLine::Shell).collect()
    }
}

/// Lists the names in the root that git does not ignore.
fn layout(root: &Path) -> Vec<String> {
    let walk = ignore::WalkBuilder::new(root)
        .max_depth(Some(1))
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(|entry| entry.file_name() != "agentd")
        .build();
    let entries = walk.flatten().filter(|entry| entry.depth() == 1).take(MOST_LISTED);
    entries
        .map(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_string_lossy();
            let name = name.replace(|c: char| c.is_control() || c == '`', "\u{fffd}");
            format!("{name}{}", if is_folder { "/" } else { "" })
        })
        .collect()
}
