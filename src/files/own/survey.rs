//! A look at all that a folder holds, before anything of it is used.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use super::folder::{Folder, Kind};
use super::refused::{Reason, Refused};

/// What is known of the names in a folder.
pub(crate) trait Names {
    /// Returns whether a name is a file's, so that no folder can have it.
    fn is_of_a_file(&self, name: &OsStr) -> bool;

    /// Returns whether nobody opens what is in a folder, whatever it is.
    fn is_left_alone(&self, folder: &Path) -> bool;
}

/// The most folders in which something may lie.
pub(crate) const DEEPEST: usize = 64;

/// Something in a folder that would be refused when it is opened: where it is, and why.
pub(crate) type Found = (PathBuf, io::Error);

/// Refuses a folder that holds something, however deep, that would be refused when it is opened; nothing is none.
///
/// Whoever opens it later may have paid for much before. The judgement is the same one.
pub(crate) fn refuse_unless_plain(root: &Path, names: &impl Names) -> Result<(), Found> {
    let at_root = |error| (root.to_owned(), error);
    let top = match Folder::open(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened.map_err(at_root)?,
    };
    let mut waiting = vec![PathBuf::new()];
    while let Some(below) = waiting.pop() {
        let entries = match top.below(&below).and_then(|folder| Ok((folder.entries()?, folder))) {
            // Others may be at work in it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries,
        };
        let (entries, folder) = entries.map_err(|error| (root.join(&below), error))?;
        for (name, kind) in entries {
            let path = below.join(&name);
            let judged = match kind {
                Kind::Folder if names.is_of_a_file(&name) => {
                    Err(Refused::because(Reason::NotAFile))
                }
                Kind::Folder if path.components().count() > DEEPEST => {
                    Err(Refused::because(Reason::TooDeep(DEEPEST)))
                }
                Kind::Folder => Ok(()),
                Kind::File | Kind::Other => folder.refuse_unless_file(&name),
            };
            judged.map_err(|error| (root.join(&path), error))?;
            if kind == Kind::Folder && !names.is_left_alone(&path) {
                waiting.push(path);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    struct Markdown;

    impl Names for Markdown {
        fn is_of_a_file(&self, name: &OsStr) -> bool {
            Path::new(name).extension().is_some_and(|ending| ending == "md")
        }

        fn is_left_alone(&self, folder: &Path) -> bool {
            folder == Path::new("alone")
        }
    }

    #[test]
    fn whatever_is_no_file_of_its_own_is_refused_and_named_however_deep_it_lies() {
        let outer = tempfile::tempdir().unwrap();
        let outer = outer.path().canonicalize().unwrap();
        let root = outer.join("root");
        let deep = root.join("d/".repeat(DEEPEST));
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(root.join("alone")).unwrap();
        fs::write(outer.join("secret"), "secret").unwrap();
        fs::write(deep.join("plain.md"), "plain").unwrap();
        symlink("anywhere", root.join("alone/link")).unwrap();
        let look = || refuse_unless_plain(&root, &Markdown);
        look().unwrap();
        let refused = |path: &Path, reason| {
            let (found, error) = look().unwrap_err();
            assert_eq!(found, path);
            assert_eq!(Refused::of(&error).map(|refused| refused.reason), Some(reason), "{error}");
        };
        let link = deep.join("link");
        symlink("plain.md", &link).unwrap();
        refused(&link, Reason::Link);
        fs::remove_file(&link).unwrap();
        fs::hard_link(outer.join("secret"), &link).unwrap();
        refused(&link, Reason::Shared);
        fs::remove_file(&link).unwrap();
        let folder = deep.join("folder.md");
        fs::create_dir(&folder).unwrap();
        refused(&folder, Reason::NotAFile);
        fs::remove_dir(&folder).unwrap();
        look().unwrap();
        let folder = deep.join("d");
        fs::create_dir(&folder).unwrap();
        refused(&folder, Reason::TooDeep(DEEPEST));
        assert!(refuse_unless_plain(&outer.join("nothing"), &Markdown).is_ok());
    }
}
