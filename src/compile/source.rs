//! The files of a templates folder, as they were read.

use sha2::{Digest, Sha256};

use super::diagnostic::Place;
use crate::template::Span;

/// A file's number among the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(usize);

/// The folder a template lies in, which decides its dialect and its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// `system/`: the prompts of the workflow's phases.
    System,
    /// `agents/`: the prompts of roles.
    Agents,
    /// `commands/`: the prompts of commands.
    Commands,
    /// `shared/`: fragments.
    Shared,
    /// `identities/`: the identities of the layered builder.
    Identities,
    /// `flows/`: the flows, and the templates that belong to one of them.
    Flows,
    /// `context.md`, which projects cannot extend.
    Context,
    /// Anywhere else, where no template belongs.
    Elsewhere,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as it is shown: the root as given, then the name.
    pub path: String,
    /// The folder it lies in.
    pub folder: Folder,
    /// The name inside that folder.
    pub name: String,
    /// The text, without a byte-order mark; where the file is not UTF-8, up to the first wrong byte and U+FFFD.
    pub text: String,
    /// Whether the file was UTF-8 throughout.
    pub utf8: bool,
    /// Whether the file exists; one that should and does not is listed too, to have a place.
    pub exists: bool,
}

/// The sources of one compilation.
#[derive(Clone, Debug)]
pub struct Sources {
    root: String,
    files: Vec<SourceFile>,
}

impl Sources {
    /// Starts without files; `root` is how the folder is shown.
    pub fn new(root: impl Into<String>) -> Self {
        Self { root: root.into(), files: Vec::new() }
    }

    /// Adds a file by its path below the root; a file that is no template is left out.
    pub fn add(&mut self, below: &str, bytes: Vec<u8>) {
        if let Some((folder, name)) = folder_of(below) {
            self.add_as(folder, name, format!("{}/{below}", self.root), bytes);
        }
    }

    /// Adds a file from anywhere as if it lay in `folder`.
    pub fn add_as(&mut self, folder: Folder, name: &str, path: String, bytes: Vec<u8>) -> FileId {
        let (text, utf8) = match String::from_utf8(bytes) {
            Ok(text) => (text, true),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(&error.into_bytes()[..valid]).into_owned();
                (text + "\u{fffd}", false)
            }
        };
        let text = match text.strip_prefix('\u{feff}') {
            Some(without_mark) => without_mark.to_owned(),
            None => text,
        };
        self.files.push(SourceFile {
            path,
            folder,
            name: name.to_owned(),
            text,
            utf8,
            exists: true,
        });
        FileId(self.files.len() - 1)
    }

    /// Adds a file that should exist and does not, so that a diagnostic can point at it.
    pub(crate) fn add_absent(&mut self, folder: Folder, below: &str) -> FileId {
        let name = below.rsplit('/').next().unwrap_or(below).to_owned();
        let path = format!("{}/{below}", self.root);
        self.files.push(SourceFile {
            path,
            folder,
            name,
            text: String::new(),
            utf8: true,
            exists: false,
        });
        FileId(self.files.len() - 1)
    }

    /// Keeps only the files of one folder.
    pub fn keep(&mut self, folder: Folder) {
        self.files.retain(|file| file.folder == folder);
    }

    /// Returns a file.
    pub fn get(&self, file: FileId) -> &SourceFile {
        &self.files[file.0]
    }

    /// Lists the files with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(number, file)| (FileId(number), file))
    }

    /// Returns the first line of a file as a place, for what concerns the file as a whole.
    pub(crate) fn first_line(&self, file: FileId) -> Place {
        let end = self.get(file).text.lines().next().map_or(0, str::len);
        Place { file, span: Span::new(0, end) }
    }

    /// Returns a hash of all names and texts: the same for the same templates, wherever they lie.
    pub fn hash(&self) -> String {
        let mut files: Vec<_> = self.files.iter().filter(|file| file.exists).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let mut hasher = Sha256::new();
        for file in files {
            let below = file.path.strip_prefix(&self.root).unwrap_or(&file.path);
            for part in [below, &file.text] {
                hasher.update(part.len().to_le_bytes());
                hasher.update(part);
            }
        }
        hex(&hasher.finalize())
    }
}

/// Returns the hash of one text.
pub(crate) fn hash_of(text: &str) -> String {
    hex(&Sha256::digest(text))
}

/// Shows the first 64 bits of a digest, which is plenty to tell template sets apart.
fn hex(digest: &[u8]) -> String {
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl Folder {
    /// The folders that hold templates.
    pub(crate) const NAMES: [&str; 6] =
        ["system", "agents", "commands", "shared", "identities", "flows"];
}

/// Tells a file's folder from its path; `blocks/` is not the compiler's, and only Markdown is a template.
fn folder_of(below: &str) -> Option<(Folder, &str)> {
    if below == "context.md" {
        return Some((Folder::Context, below));
    }
    let is_markdown = below.to_ascii_lowercase().ends_with(".md");
    if let Some(name) = below.strip_prefix("flows/") {
        let is_flow = name.to_ascii_lowercase().ends_with(".toml");
        return (is_markdown || is_flow).then_some((Folder::Flows, name));
    }
    let elsewhere = is_markdown.then_some((Folder::Elsewhere, below));
    let Some((folder, name)) = below.split_once('/') else { return elsewhere };
    let folder = match folder {
        "system" => Folder::System,
        "agents" => Folder::Agents,
        "commands" => Folder::Commands,
        "shared" => Folder::Shared,
        "identities" => Folder::Identities,
        "blocks" => return None,
        _ => return elsewhere,
    };
    Some((folder, name))
}
