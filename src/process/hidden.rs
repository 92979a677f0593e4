//! What confined programs may read: all but what is hidden. Landlock allows and never denies, so folders that hold something hidden
//! are allowed entry by entry, and the others whole.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::files::real_path;

/// A file or folder whatever its name, which is not the only one where something is mounted twice.
type Number = (u64, u64);

/// Lists what may be read. A file that is made later in a folder that holds something hidden cannot be read.
pub(super) fn shown(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let hidden = Hidden::of(hidden);
    let (mut shown, mut folders) = (Vec::new(), vec![PathBuf::from("/")]);
    while let Some(folder) = folders.pop() {
        if !hidden.is_within(&folder) {
            shown.push(folder);
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            // What a link leads to is shown where it is, or hidden there.
            let about = fs::symlink_metadata(entry.path());
            if about.is_ok_and(|about| !about.is_symlink() && !hidden.is_one(&about)) {
                folders.push(entry.path());
            }
        }
    }
    shown
}

/// What is not shown.
struct Hidden {
    places: BTreeSet<Number>,
    /// The folders in which they are, and those above.
    above: BTreeSet<Number>,
}

impl Hidden {
    fn of(paths: &[PathBuf]) -> Self {
        let real = |path: &PathBuf| real_path(path).unwrap_or_else(|_| path.clone());
        let mut paths: Vec<_> = paths.iter().map(real).collect();
        let kept_elsewhere: Vec<_> = paths.iter().flat_map(|path| linked_files(path)).collect();
        paths.extend(kept_elsewhere);
        let number = |path: &Path| fs::symlink_metadata(path).ok().map(|about| number(&about));
        Self {
            places: paths.iter().filter_map(|path| number(path)).collect(),
            above: paths
                .iter()
                .flat_map(|path| path.ancestors().skip(1))
                .filter_map(number)
                .collect(),
        }
    }

    fn is_one(&self, about: &Metadata) -> bool {
        self.places.contains(&number(about))
    }

    fn is_within(&self, folder: &Path) -> bool {
        let about = fs::symlink_metadata(folder);
        about.is_ok_and(|about| self.above.contains(&number(&about)))
    }
}

fn number(about: &Metadata) -> Number {
    (about.dev(), about.ino())
}

/// Lists the files that the links in a folder lead to: some people keep what is secret with other settings.
fn linked_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let links = entries.filter(|path| path.is_symlink() && path.is_file());
    links.filter_map(|path| fs::canonicalize(path).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_shown_but_what_is_hidden_and_what_leads_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for path in
            ["home/.ssh", "home/.config/gh", "home/.config/other", "home/work/deep", "real/now"]
        {
            fs::create_dir_all(root.join(path)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("real"), root.join("way")).unwrap();
        std::os::unix::fs::symlink(root.join("home/.ssh"), root.join("home/link")).unwrap();
        std::os::unix::fs::symlink(root.join("home/work/key"), root.join("home/.ssh/key")).unwrap();
        fs::write(root.join("home/work/key"), "secret").unwrap();
        let hidden = ["home/.ssh", "home/.config/gh", "none", "way/later"];
        let shown = shown(&hidden.map(|path| root.join(path)));
        let within: Vec<_> =
            shown.iter().filter_map(|path| path.strip_prefix(&root).ok()).collect();
        assert!(within.contains(&Path::new("home/work/deep")), "{within:?}");
        assert!(within.contains(&Path::new("home/.config/other")), "{within:?}");
        assert!(within.contains(&Path::new("real/now")), "{within:?}");
        assert_eq!(within.len(), 3, "{within:?}");
        assert!(shown.iter().all(|path| path != Path::new("/")) && shown.len() > 5);
        assert_eq!(super::shown(&[]), [Path::new("/")]);
    }
}
