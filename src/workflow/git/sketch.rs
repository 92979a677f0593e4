//! The names in a commit without its contents: what a folder tree is drawn from where nothing may be checked out.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Component, Path};

use super::commit::Commit;
use super::error::GitError;
use super::repository::Repository;
use super::status::{items, path_of};

/// The files whose contents decide what else is shown.
const RULES: [&str; 2] = [".gitignore", ".ignore"];

impl Repository {
    /// Makes an empty file in a folder for each file of a commit; only rules of what to ignore have their contents. Names
    /// that lead elsewhere, which no checkout has but a tree can hold, are passed over.
    pub fn sketch(&self, commit: &Commit, folder: &Path) -> Result<(), GitError> {
        let list = &["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit.as_str()];
        let list = self.place.call(list).run()?;
        for path in items(&list).map(path_of).filter(|path| leads_inwards(path)) {
            let is_rule = RULES.iter().any(|rule| path.ends_with(rule));
            let contents = if is_rule { self.contents(commit, &path)? } else { Vec::new() };
            write(&folder.join(&path), &contents).map_err(|source| GitError::Io {
                what: "write",
                path: folder.join(&path),
                source,
            })?;
        }
        Ok(())
    }

    fn contents(&self, commit: &Commit, path: &Path) -> Result<Vec<u8>, GitError> {
        let mut name = OsString::from(commit.as_str()).into_vec();
        name.push(b':');
        name.extend(path.as_os_str().as_encoded_bytes());
        self.place.call(&["cat-file", "blob"]).argument(OsString::from_vec(name)).run()
    }
}

/// Says whether a path stays below the folder that it is joined to.
fn leads_inwards(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

#[expect(clippy::disallowed_methods, reason = "a sketch is thrown away")]
fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, contents)
}
