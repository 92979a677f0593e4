//! What of the user's lies where a merge would write: files that git was not told of, ignored ones too, at a path that is
//! written, in the place of a folder above it, and below it where a folder becomes a file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::commit::Commit;
use super::error::GitError;
use super::place::Place;
use super::status::{items, path_of};

/// The mode of a submodule.
const SUBMODULE: &[u8] = b"160000";
/// The mode of what is not there.
const NOTHING: &[u8] = b"000000";
/// How many files are found before no more are looked for.
const MOST: usize = 1000;

/// A path that a tree changes in what is checked out.
pub(super) struct Rewritten {
    /// The path from the top of the checkout.
    pub(super) path: PathBuf,
    mode: Vec<u8>,
    /// What it becomes.
    pub(super) object: String,
}

impl Rewritten {
    /// Returns whether the path is gone afterwards.
    pub(super) fn is_removed(&self) -> bool {
        self.mode == NOTHING
    }

    /// Returns whether the path is a submodule afterwards, of which nothing is checked out.
    pub(super) fn is_submodule(&self) -> bool {
        self.mode == SUBMODULE
    }
}

/// What the index says of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tracked {
    Plainly,
    /// Git was told not to look at the file, so that nobody knows whether it is edited.
    Unseen,
}

/// Lists what a tree changes in what is checked out.
pub(super) fn rewritten(
    place: &Place,
    head: &Commit,
    tree: &OsStr,
) -> Result<Vec<Rewritten>, GitError> {
    let options = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev"];
    let call = place.call(&options).argument("--ignore-submodules=none");
    let list = call.argument(head.as_str()).argument(tree).run()?;
    let (mut items, mut found) = (items(&list), Vec::new());
    while let (Some(about), Some(path)) = (items.next(), items.next()) {
        // `:OLDMODE NEWMODE OLD NEW STATUS`
        let mut fields = about.split(|byte| *byte == b' ').skip(1);
        let mode = fields.next().unwrap_or_default().to_vec();
        let object = String::from_utf8_lossy(fields.nth(1).unwrap_or_default()).into_owned();
        found.push(Rewritten { path: path_of(path), mode, object });
    }
    Ok(found)
}

/// Lists what of the user's would be written over, in order.
pub(super) fn in_the_way(place: &Place, changes: &[Rewritten]) -> Result<Vec<PathBuf>, GitError> {
    let list = place.call(&["ls-files", "-z", "-v"]).run()?;
    let mut looked = Looked {
        root: &place.tree,
        index: index(&list),
        above: HashSet::new(),
        found: BTreeSet::new(),
    };
    for change in changes {
        looked.look_at(change)?;
    }
    Ok(looked.found.into_iter().collect())
}

/// Reads what `ls-files -v` prints: a letter, a space and a path.
fn index(list: &[u8]) -> HashMap<&Path, Tracked> {
    let entry = |item| {
        let (tag, path) = <[u8]>::split_at_checked(item, 2)?;
        let is_seen = tag[0].is_ascii_uppercase() && tag[0] != b'S';
        let tracked = if is_seen { Tracked::Plainly } else { Tracked::Unseen };
        Some((Path::new(OsStr::from_bytes(path)), tracked))
    };
    items(list).filter_map(entry).collect()
}

/// What was found so far.
struct Looked<'l> {
    root: &'l Path,
    index: HashMap<&'l Path, Tracked>,
    /// The folders above paths that were looked at.
    above: HashSet<PathBuf>,
    found: BTreeSet<PathBuf>,
}

impl Looked<'_> {
    fn look_at(&mut self, change: &Rewritten) -> Result<(), GitError> {
        let path = &change.path;
        let mut above: Vec<_> =
            path.ancestors().skip(1).filter(|it| *it != Path::new("")).collect();
        above.reverse();
        for folder in above {
            if self.above.contains(folder) {
                continue;
            }
            match self.kind_of(folder)? {
                Some(kind) if kind.is_dir() => drop(self.above.insert(folder.to_owned())),
                Some(_) => {
                    if !change.is_removed() {
                        self.add_unless_tracked(folder);
                    }
                    return Ok(());
                }
                None => return Ok(()),
            }
        }
        match self.kind_of(path)? {
            Some(kind) if kind.is_dir() => {
                let stays = change.is_submodule() || change.is_removed();
                if stays { Ok(()) } else { self.add_below(path) }
            }
            Some(_) => {
                self.add_unless_tracked(path);
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn add_unless_tracked(&mut self, path: &Path) {
        if self.index.get(path) != Some(&Tracked::Plainly) {
            self.found.insert(path.to_owned());
        }
    }

    /// Adds every file below a folder that git was not told of.
    fn add_below(&mut self, folder: &Path) -> Result<(), GitError> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            let full = self.root.join(&folder);
            let unread = |error| GitError::io("read", &full, error);
            for entry in fs::read_dir(&full).map_err(unread)? {
                let entry = entry.map_err(unread)?;
                let path = folder.join(entry.file_name());
                if entry.file_type().map_err(unread)?.is_dir() {
                    folders.push(path);
                } else {
                    self.add_unless_tracked(&path);
                }
                if self.found.len() >= MOST {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Returns what is at a path, if anything; no link is followed there.
    fn kind_of(&self, path: &Path) -> Result<Option<fs::FileType>, GitError> {
        let full = self.root.join(path);
        match fs::symlink_metadata(&full) {
            Ok(about) => Ok(Some(about.file_type())),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(GitError::io("look at", &full, error)),
        }
    }
}
