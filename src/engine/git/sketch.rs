//! The names in a commit without its contents: what a folder tree is drawn from where nothing may be checked out.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::repository::Repository;
use crate::prompt::tree::DEEPEST;

/// The files whose contents decide what else is shown.
const RULES: [&[u8]; 2] = [b".gitignore", b".ignore"];
/// The mode of a folder in a tree.
const FOLDER: &[u8] = b"40000";
/// The mode of a submodule.
const SUBMODULE: &[u8] = b"160000";

/// How much of a commit was sketched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Every name that a tree can show.
    Whole,
    /// The first names, all of them up to one.
    Beginning,
    /// The first names, and rules that come after others which are missing.
    Gaps,
}

impl Repository {
    /// Makes an empty file in a folder for each file of a commit, and an empty folder for each submodule, as a checkout
    /// does, for the first names in the order of a tree, as deep as that shows them. Only rules of what to ignore have their
    /// contents, those of the repository itself too. Names that lead elsewhere, which no checkout has but a tree can hold, are
    /// passed over.
    pub fn sketch(&self, commit: &Commit, folder: &Path, most: usize) -> Result<Extent, GitError> {
        let hash = commit.as_str().len() / 2;
        let mut sketch = Sketch { place: &self.place, hash, left: most, extent: Extent::Whole };
        sketch.fill(&format!("{commit}^{{tree}}"), folder, 1)?;
        let rules = Path::new("info/exclude");
        // There need not be any.
        if let Ok(contents) = fs::read(self.common.join(rules)) {
            write(&folder.join(".git").join(rules), &contents)?;
        }
        Ok(sketch.extent)
    }
}

/// A sketch in the making.
struct Sketch<'s> {
    place: &'s Place,
    /// How many bytes a hash has.
    hash: usize,
    /// How many more names there may be.
    left: usize,
    extent: Extent,
}

impl Sketch<'_> {
    /// Writes the names of a tree, which are so deep, and of the trees in it. Others are not even read.
    fn fill(&mut self, tree: &str, folder: &Path, depth: usize) -> Result<(), GitError> {
        let tree = self.place.read(tree)?;
        let mut entries = entries(&tree, self.hash);
        entries.sort_unstable_by_key(|entry| entry.name);
        make(folder)?;
        // A rule counts for names before it too.
        for rule in entries.iter().filter(|entry| entry.is_rule()) {
            write(&folder.join(OsStr::from_bytes(rule.name)), &self.place.read(&rule.object)?)?;
        }
        for entry in entries {
            if self.left == 0 {
                let is_gap = self.extent == Extent::Gaps || entry.is_rule();
                self.extent = if is_gap { Extent::Gaps } else { Extent::Beginning };
                continue;
            }
            self.left -= 1;
            let path = folder.join(OsStr::from_bytes(entry.name));
            match entry.mode {
                FOLDER if depth < DEEPEST => self.fill(&entry.object, &path, depth + 1)?,
                FOLDER | SUBMODULE => make(&path)?,
                _ if entry.is_rule() => {}
                _ => write(&path, b"")?,
            }
        }
        Ok(())
    }
}

/// A name in a tree.
struct Entry<'t> {
    mode: &'t [u8],
    name: &'t [u8],
    object: String,
}

impl Entry<'_> {
    fn is_rule(&self) -> bool {
        RULES.contains(&self.name) && ![FOLDER, SUBMODULE].contains(&self.mode)
    }
}

/// Reads a tree: `MODE NAME`, NUL and the bytes of a hash for each name.
fn entries(mut tree: &[u8], hash: usize) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    while let Some(end) = tree.iter().position(|byte| *byte == 0)
        && let Some((about, rest)) = tree.split_at_checked(end)
        && let Some((object, next)) = rest[1..].split_at_checked(hash)
    {
        let space = about.iter().position(|byte| *byte == b' ').unwrap_or(end);
        let (mode, name) = (&about[..space], about.get(space + 1..).unwrap_or_default());
        if leads_inwards(name) {
            let object = object.iter().map(|byte| format!("{byte:02x}")).collect();
            entries.push(Entry { mode, name, object });
        }
        tree = next;
    }
    entries
}

/// Returns whether a name is one of something in the folder that it is joined to.
fn leads_inwards(name: &[u8]) -> bool {
    let mut parts = Path::new(OsStr::from_bytes(name)).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
}

fn make(folder: &Path) -> Result<(), GitError> {
    fs::create_dir_all(folder).map_err(|error| GitError::io("make", folder, error))
}

#[expect(clippy::disallowed_methods, reason = "a sketch is thrown away")]
fn write(path: &Path, contents: &[u8]) -> Result<(), GitError> {
    make(path.parent().unwrap_or(path))?;
    fs::write(path, contents).map_err(|error| GitError::io("write", path, error))
}
