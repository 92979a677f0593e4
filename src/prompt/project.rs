//! A project's own prompts: identities in place of ours, and additions to the prompts of phases. They are read
//! when they are first asked for, and held to the same rules as those compiled in.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::compile::{Folder, IdentityUnit, Sources, check_identity, report};
use crate::files::read_small_own;
use crate::template::Phase;
use crate::template::lexer::is_name;

/// The folder `agentd/prompts` of a project.
#[derive(Debug)]
pub struct ProjectPrompts {
    root: PathBuf,
    identities: HashMap<String, Option<IdentityUnit>>,
    phases: HashMap<Phase, Option<String>>,
}

/// Why a project's prompt cannot be used.
#[derive(Debug, Error)]
pub enum ProjectPromptError {
    /// It cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It breaks the rules of the template language.
    #[error("`{}` has errors:\n{report}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The report, as the compiler gives it.
        report: String,
    },
}

impl ProjectPrompts {
    /// Uses the prompts in a folder, which need not exist.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), identities: HashMap::new(), phases: HashMap::new() }
    }

    /// Forgets what was read, so that files which have changed are read again.
    pub fn reload(&mut self) {
        self.identities.clear();
        self.phases.clear();
    }

    /// Returns the project's identity of this name, if it has one.
    pub fn identity(&mut self, name: &str) -> Result<Option<&IdentityUnit>, ProjectPromptError> {
        if !is_name(name) {
            return Ok(None);
        }
        if !self.identities.contains_key(name) {
            let path = self.root.join("identities").join(format!("{name}.md"));
            let unit = read(&path)?.map(|bytes| checked(name, &path, bytes)).transpose()?;
            self.identities.insert(name.to_owned(), unit);
        }
        Ok(self.identities.get(name).and_then(Option::as_ref))
    }

    /// Returns what the project adds to the prompt of a phase, as plain text.
    pub fn phase(&mut self, phase: Phase) -> Result<Option<&str>, ProjectPromptError> {
        if !self.phases.contains_key(&phase) {
            let path = self.root.join("phases").join(format!("{phase}.md"));
            let text = read(&path)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            self.phases.insert(phase, text);
        }
        Ok(self.phases.get(&phase).and_then(Option::as_deref))
    }
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, ProjectPromptError> {
    let unreadable = |source| ProjectPromptError::Unreadable { path: path.to_owned(), source };
    read_small_own(path).map_err(unreadable)
}

fn checked(name: &str, path: &Path, bytes: Vec<u8>) -> Result<IdentityUnit, ProjectPromptError> {
    let mut sources = Sources::new("");
    let shown = path.display().to_string();
    let file = sources.add_as(Folder::Identities, &format!("{name}.md"), shown, bytes);
    let (unit, compilation) = check_identity(sources, file);
    unit.filter(|_| compilation.is_ok()).ok_or_else(|| ProjectPromptError::Invalid {
        path: path.to_owned(),
        report: report::human(&compilation, report::Colors::Off),
    })
}
