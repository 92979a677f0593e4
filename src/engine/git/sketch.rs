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

/// What the entry of a submodule begins with.
const SUBMODULE: &[u8] = b"160000 ";

impl Repository {
    /// Makes an empty file in a folder for each file of a commit, and an empty folder for each submodule, as a checkout
    /// does; only rules of what to ignore have their contents, those of the repository itself too. Names that lead
    /// elsewhere, which no checkout has but a tree can hold, are passed over.
    pub fn sketch(&self, commit: &Commit, folder: &Path) -> Result<(), GitError> {
        let io = |what, path: &Path| {
            let path = path.to_owned();
            move |source| GitError::Io { what, path, source }
        };
        let list = &["ls-tree", "-r", "-z", "--full-tree", commit.as_str()];
        let list = self.place.call(list).run()?;
        for item in items(&list) {
            let mut parts = item.splitn(2, |byte| *byte == b'\t');
            let (Some(about), Some(name)) = (parts.next(), parts.next()) else { continue };
            let path = path_of(name);
            if !leads_inwards(&path) {
                continue;
            }
            let place = folder.join(&path);
            if about.starts_with(SUBMODULE) {
                fs::create_dir_all(&place).map_err(io("make", &place))?;
                continue;
            }
            let is_rule = RULES.iter().any(|rule| path.ends_with(rule));
            let contents = if is_rule { self.contents(commit, &path)? } else { Vec::new() };
            write(&place, &contents).map_err(io("write", &place))?;
        }
        let rules = Path::new("info/exclude");
        match fs::read(self.common.join(rules)) {
            Ok(contents) => {
                let place = folder.join(".git").join(rules);
                write(&place, &contents).map_err(io("write", &place))
            }
            // There need not be any.
            Err(_) => Ok(()),
        }
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
