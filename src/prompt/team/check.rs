//! Looks at the files with which a project extends the prompts of the team, and says what would not work as meant.

use std::path::Path;

use super::error::TeamPromptError;
use super::extension::{LARGEST, folders};
use crate::catalog::{TEAM, TeamTemplate};
use crate::prompt::confined::ConfinedFolder;
use crate::template::nearest::nearest;
use crate::template::{Command, IncludeFault, LineIndex, Position, Role, TeamPrompt};

/// Something about a project's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub weight: Weight,
    /// The file, below the project's root.
    pub file: String,
    /// Where in it.
    pub position: Position,
    /// What is found.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It may be meant.
    Warning,
    /// The file has no effect, or no prompt can be made with it.
    Error,
}

/// The two folders of extensions, and the words that name their files.
const KINDS: [(&str, &str, &[&str]); 2] =
    [("agents", "role", Role::WORDS), ("commands", "command", Command::WORDS)];

/// What opens a value, in a project's text too.
const OPEN: &str = "[[placeholder:";

/// Checks every file with which a project extends the prompts, in the order of their names.
pub fn check_extensions(root: &Path) -> Result<Vec<Finding>, TeamPromptError> {
    let mut found = Vec::new();
    for (folder, files) in folders(root)? {
        for (kind, what, words) in KINDS {
            let below = format!("{folder}/{kind}");
            match files.list(kind, "") {
                Ok(names) => names
                    .iter()
                    .filter(|name| !name.starts_with('.'))
                    .for_each(|name| check(&files, &below, kind, name, (what, words), &mut found)),
                Err(fault) => found.push(unusable(below, &fault)),
            }
        }
        let context = TeamPrompt::Context.file();
        if files.has_file(&context).unwrap_or(true) {
            found.push(error(
                format!("{folder}/{context}"),
                "a project cannot extend the context".to_owned(),
                "remove the file, or move its text to the roles that need it".to_owned(),
            ));
        }
    }
    Ok(found)
}

/// Checks one file.
fn check(
    files: &ConfinedFolder,
    folder: &str,
    kind: &str,
    name: &str,
    (what, words): (&str, &[&str]),
    found: &mut Vec<Finding>,
) {
    let file = format!("{folder}/{name}");
    let Some(prompt) = TeamPrompt::from_file(&format!("{kind}/{name}")) else {
        let stem = name.strip_suffix(".md").unwrap_or(name);
        let help = match nearest(stem, words.iter().copied()) {
            Some(near) => format!("did you mean `{near}.md`?"),
            None => format!("the files of this folder are {}, each with `.md`", words.join(", ")),
        };
        found.push(error(file, format!("there is no {what} `{stem}`"), help));
        return;
    };
    let mut bytes = Vec::new();
    match files.read_into(&format!("{kind}/{name}"), LARGEST, &mut bytes) {
        Ok(_) => {}
        Err(fault) => return found.push(unusable(file, &fault)),
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => {
            let extended = TEAM.iter().filter(|it| it.prompt.extended_by().contains(&prompt));
            found.extend(inert_values(&file, text, &extended.collect::<Vec<_>>()));
        }
        Err(wrong) => {
            let valid = String::from_utf8_lossy(&bytes[..wrong.valid_up_to()]);
            let position = LineIndex::new(&valid).position(valid.len());
            let help = "save the file as UTF-8".to_owned();
            let finding = error(file, "this byte is not UTF-8".to_owned(), help);
            found.push(Finding { position, ..finding });
        }
    }
}

/// Finds markers of values that a prompt with this text does not have; they stay in the text as they are. Each is
/// reported once, for the first such prompt.
fn inert_values(file: &str, text: &str, extended: &[&'static TeamTemplate]) -> Vec<Finding> {
    let index = LineIndex::new(text);
    let inert = text.match_indices(OPEN).filter_map(|(at, _)| {
        let (name, _) = text[at + OPEN.len()..].lines().next()?.split_once("]]")?;
        let template = extended.iter().find(|it| !it.extension_names.contains(&name))?;
        Some((at, name, *template))
    });
    let finding = |(at, name, template): (usize, &str, &TeamTemplate)| {
        let names = template.extension_names;
        Finding {
            weight: Weight::Warning,
            file: file.to_owned(),
            position: index.position(at),
            message: format!("{} has no value `{name}`: this stays as it is", template.file),
            help: match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{OPEN}{near}]]`?"),
                None => format!("the values of this prompt are {}", names.join(", ")),
            },
        }
    };
    inert.map(finding).collect()
}

fn unusable(file: String, fault: &IncludeFault) -> Finding {
    let help = "it must be a regular file inside its folder, and not a link";
    error(file, format!("this cannot be used: {fault}"), help.to_owned())
}

fn error(file: String, message: String, help: String) -> Finding {
    let position = Position { line: 1, column: 1 };
    Finding { weight: Weight::Error, file, position, message, help }
}
