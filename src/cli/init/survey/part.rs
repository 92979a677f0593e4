//! A package: a folder of a project that is set up and tested in one way.

use serde_json::Value;

use crate::models::command::quoted;

/// The maximum length of a description.
const LONGEST: usize = 300;

/// Something that is set up, built and tested in one way.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Part {
    /// Its folder below the root, separated by slashes; empty for the root.
    pub(in super::super) folder: String,
    /// The file that identifies it.
    pub(in super::super) file: &'static str,
    /// Its language.
    pub(in super::super) language: &'static str,
    /// The project's name in that file.
    pub(in super::super) name: Option<String>,
    /// The project's description in that file.
    pub(in super::super) description: Option<String>,
    /// The commands that install its dependencies.
    pub(in super::super) setup: Vec<String>,
    /// The command that builds it.
    pub(in super::super) build: Option<String>,
    /// The command that tests it.
    pub(in super::super) test: Option<String>,
    /// What these commands create in its folder; folders end with a slash.
    pub(super) leaves: Vec<String>,
    /// Whether its setup covers the packages below it too.
    pub(super) covers: bool,
    /// Whether a recipe of the project tests all of it.
    pub(super) is_recipe: bool,
    /// Notes for the user.
    pub(in super::super) notes: Vec<String>,
}

impl Part {
    pub(super) fn of(folder: &str, file: &'static str, language: &'static str) -> Self {
        Self { folder: folder.to_owned(), file, language, ..Self::default() }
    }

    /// Takes name and description from a table of the file.
    pub(super) fn described(self, table: &Value) -> Self {
        let text = |key| line(table[key].as_str()?);
        Self { name: text("name"), description: text("description"), ..self }
    }

    /// Returns the path of the file that identifies it.
    pub(in super::super) fn path(&self) -> String {
        if self.folder.is_empty() {
            self.file.to_owned()
        } else {
            format!("{}/{}", self.folder, self.file)
        }
    }

    /// Returns the commands of its setup, as they are run in the root.
    pub(in super::super) fn setup_commands(&self) -> impl Iterator<Item = String> {
        self.setup.iter().map(|command| self.in_root(command))
    }

    /// Returns the command that tests it, as it is run in the root.
    pub(in super::super) fn test_command(&self) -> Option<String> {
        self.test.as_ref().map(|command| self.in_root(command))
    }

    /// Returns the command that builds it, as it is run in the root.
    pub(in super::super) fn build_command(&self) -> Option<String> {
        self.build.as_ref().map(|command| self.in_root(command))
    }

    fn in_root(&self, command: &str) -> String {
        if self.folder.is_empty() {
            command.to_owned()
        } else {
            format!("cd {} && {command}", quoted(&self.folder))
        }
    }

    /// Returns whether a folder lies inside its own.
    pub(super) fn is_above(&self, folder: &str) -> bool {
        match folder.strip_prefix(&self.folder) {
            Some(rest) if self.folder.is_empty() => !rest.is_empty(),
            Some(rest) => rest.starts_with('/'),
            None => false,
        }
    }
}

/// Returns the packages of a kind, named by its file, that lie above a folder.
pub(super) fn above<'p>(
    parts: &'p [Part],
    file: &'static str,
    folder: &str,
) -> impl Iterator<Item = &'p Part> {
    parts.iter().filter(move |part| part.file == file && part.is_above(folder))
}

/// Parses TOML; invalid text yields an empty table.
pub(super) fn toml(text: &str) -> Value {
    toml::from_str(text).unwrap_or_default()
}

/// Returns whether a table has an entry.
pub(super) fn has_entries(table: &Value) -> bool {
    table.as_object().is_some_and(|table| !table.is_empty())
}

/// Returns text that fits on a line, without control characters.
pub(super) fn line(text: &str) -> Option<String> {
    let text: Vec<_> = text.split_whitespace().collect();
    let text: String = text.join(" ").chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}
