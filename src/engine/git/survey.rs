//! What git must not come upon in a workspace: it waits for a pipe that has the name of a file which it reads, and does whatever
//! the files of a repository inside say. So every name is looked at before git is called, and nothing is opened but folders.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::error::GitError;
use super::folder::put_aside;
use super::lock::Lock;
use super::unfit::{Unfit, Why};
use super::workspace::Workspace;
use crate::files::own::{self, Folder, Refused};

/// The name of a repository in its folder.
const REPOSITORY: &str = ".git";
/// What the name of the folder ends with in which repositories inside are out of sight.
const INSIDE: &str = ".inside";
/// How the names of the files begin that git reads by itself.
const RULES: &[u8] = b".git";
/// The largest of them that git is let read, in bytes: it takes as much memory.
const LARGEST_RULES: u64 = 10 << 20;
/// The longest path that the system takes, and so git.
const LONGEST: usize = 4095;

/// All names in a workspace were looked at. Repositories inside are out of git's sight for as long as this is there.
#[derive(Debug)]
pub(super) struct Survey {
    /// The path of the workspace.
    workspace: PathBuf,
    top: Folder,
    /// Pipes, sockets and devices.
    pub(super) irregular: Vec<PathBuf>,
    /// What git must not read by itself: it would wait, or take much memory.
    unreadable: Vec<Unfit>,
    /// Folders with something whose path is longer than git takes.
    pub(super) too_long: Vec<PathBuf>,
    /// The folders of repositories inside.
    pub(super) inside: Vec<PathBuf>,
    /// Where their `.git` is meanwhile, each under its number.
    kept: Option<(PathBuf, Folder)>,
}

impl Workspace {
    /// Looks at all names in the workspace, and takes repositories inside out of git's sight.
    pub(super) fn survey(&self, _: &Lock) -> Result<Survey, GitError> {
        let top = self.folder()?;
        let mut survey = Survey {
            workspace: self.path.clone(),
            top,
            irregular: Vec::new(),
            unreadable: Vec::new(),
            too_long: Vec::new(),
            inside: Vec::new(),
            kept: None,
        };
        let looked = survey.look().and_then(|()| survey.hide());
        looked.map_err(|error| GitError::io("read", &self.path, error))?;
        Ok(survey)
    }
}

impl Survey {
    fn look(&mut self) -> io::Result<()> {
        let mut waiting = vec![PathBuf::new()];
        while let Some(path) = waiting.pop() {
            let Some(folder) = self.open(&path)? else { continue };
            let length = path.as_os_str().len();
            folder.for_each(|name, kind| {
                if name == REPOSITORY {
                    // That of the workspace itself is the agent's, and git is not led there.
                    if length > 0 {
                        self.inside.push(path.clone());
                    }
                    return Ok(());
                }
                // Git puts a slash behind the name of a folder.
                let end = usize::from(kind == FileType::Directory);
                if length + 1 + name.len() + end > LONGEST {
                    if self.too_long.last() != Some(&path) {
                        self.too_long.push(path.clone());
                    }
                    return Ok(());
                }
                let is_read = name.as_bytes().starts_with(RULES);
                let why = match kind {
                    FileType::Directory => {
                        waiting.push(path.join(name));
                        return Ok(());
                    }
                    FileType::RegularFile if is_read => {
                        let bytes = folder.size(Path::new(name))?;
                        let most = LARGEST_RULES;
                        (bytes > most).then_some(Why::TooLarge { bytes, most })
                    }
                    FileType::RegularFile | FileType::Symlink => None,
                    _ => {
                        self.irregular.push(path.join(name));
                        is_read.then_some(Why::Irregular)
                    }
                };
                let unfit = |why| Unfit { path: path.join(name), why };
                self.unreadable.extend(why.map(unfit));
                Ok(())
            })?;
        }
        for list in [&mut self.irregular, &mut self.too_long, &mut self.inside] {
            list.sort_unstable();
        }
        Ok(())
    }

    /// Opens a folder, of which whoever made it may have taken the rights away; none if somebody else has taken it away.
    fn open(&self, path: &Path) -> io::Result<Option<Folder>> {
        let opened = match self.below(path) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let (parent, name) = split(path);
                self.below(parent).and_then(|folder| folder.opened_up(name))
            }
            opened => opened,
        };
        match opened {
            Ok(folder) => Ok(Some(folder)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens a folder of the workspace; no link is followed.
    pub(super) fn below(&self, path: &Path) -> io::Result<Folder> {
        self.top.below(path)
    }

    /// Moves the `.git` of each repository inside away from it.
    fn hide(&mut self) -> io::Result<()> {
        if self.inside.is_empty() {
            return Ok(());
        }
        let mut path = self.workspace.as_os_str().to_owned();
        path.push(INSIDE);
        let path = PathBuf::from(path);
        // A crash may have left some there.
        keep(&path, &self.workspace)?;
        let (parent, new) = own::parent(&path)?;
        parent.new_folder(new, &path)?;
        let kept = parent.below(Path::new(new))?;
        let (_, kept) = self.kept.insert((path.clone(), kept));
        for (number, folder) in self.inside.iter().enumerate() {
            let folder = self.top.below(folder);
            let hidden =
                folder.and_then(|it| it.exchange(REPOSITORY.as_ref(), kept, &name(number)));
            unless_gone(hidden)?;
        }
        Ok(())
    }

    /// Moves the `.git` of a repository back, and those of all repositories in it. Where the folder is gone, it stays where it is.
    fn show(&self, repository: &Path) -> io::Result<()> {
        let Some((_, kept)) = &self.kept else { return Ok(()) };
        for (number, folder) in self.inside.iter().enumerate() {
            if folder.starts_with(repository) && kept.look(&name(number))?.is_some() {
                let folder = self.below(folder);
                let shown = folder
                    .and_then(|folder| kept.exchange(&name(number), &folder, REPOSITORY.as_ref()));
                unless_gone(shown)?;
            }
        }
        Ok(())
    }

    /// Puts a repository aside with all its files, beside the workspace.
    pub(super) fn put_aside(&self, repository: &Path) -> Result<PathBuf, GitError> {
        let (parent, name) = split(repository);
        let kept = self.show(repository).and_then(|()| {
            let folder = self.below(parent)?;
            put_aside(&folder, name, &self.workspace)
        });
        kept.map_err(|error| GitError::io("put aside", &self.workspace.join(repository), error))
    }

    /// Removes the repositories that are out of git's sight.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        match self.kept.take() {
            Some((path, _)) => own::clear(&path),
            None => Ok(()),
        }
    }

    /// Lets the owner do everything in every folder.
    pub(super) fn open_up(&self) -> io::Result<()> {
        let mut waiting = vec![PathBuf::new()];
        while let Some(path) = waiting.pop() {
            let (parent, name) = split(&path);
            let folder = self.below(parent);
            let opened = folder
                .and_then(|it| if path == Path::new("") { Ok(it) } else { it.opened_up(name) });
            match opened {
                Ok(folder) => folder.for_each(|name, kind| {
                    if kind == FileType::Directory {
                        waiting.push(path.join(name));
                    }
                    Ok(())
                })?,
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Returns whether nothing is there that no commit can hold.
    pub(super) fn is_fit(&self) -> bool {
        self.irregular.is_empty() && self.unreadable.is_empty() && self.too_long.is_empty()
    }

    /// Returns whether something below a folder is nothing that git may look at.
    pub(super) fn is_unfit_below(&self, folder: &Path) -> bool {
        let unreadable = self.unreadable.iter().map(|unfit| &unfit.path);
        self.irregular.iter().chain(unreadable).any(|path| path.starts_with(folder))
    }

    /// Refuses what git must not read by itself.
    pub(super) fn refuse(&self) -> Result<(), GitError> {
        if self.unreadable.is_empty() {
            return Ok(());
        }
        Err(GitError::Unfit { place: self.workspace.clone(), files: self.unreadable.clone() })
    }

    /// Removes what nobody can keep: pipes, sockets and devices, and what lies too deep for git.
    pub(super) fn remove_unfit(&mut self) -> io::Result<()> {
        let unreadable = self.unreadable.drain(..).map(|unfit| unfit.path);
        let paths = unreadable.chain(self.irregular.drain(..)).chain(self.too_long.drain(..));
        for path in paths.collect::<Vec<_>>() {
            let (parent, name) = split(&path);
            unless_gone(self.below(parent).and_then(|folder| folder.clear(name)))?;
        }
        Ok(())
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        let shown = self.show(Path::new(""));
        let Some((path, _)) = self.kept.take() else { return };
        if let Err(error) = shown.and_then(|()| keep(&path, &self.workspace)) {
            log::warn!("a repository in a workspace is left in `{}`: {error}", path.display());
        }
    }
}

/// Removes the folder of repositories that were out of sight if it is empty. What is in it for want of a place is put aside.
fn keep(path: &Path, workspace: &Path) -> io::Result<()> {
    let (folder, name) = own::parent(path)?;
    if folder.remove_if_empty(name)? {
        return Ok(());
    }
    let kept = put_aside(&folder, name, workspace)?;
    log::warn!("a repository in a workspace is kept in `{}`", kept.display());
    Ok(())
}

/// Returns the name of a `.git` that is out of sight.
fn name(number: usize) -> OsString {
    number.to_string().into()
}

/// Splits a path of the workspace into its folder and its name.
pub(super) fn split(path: &Path) -> (&Path, &OsStr) {
    (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default())
}

/// Lets pass that somebody who is still at work has taken something away, or put something else in its place.
fn unless_gone(done: io::Result<()>) -> io::Result<()> {
    done.or_else(|error| if is_gone(&error) { Ok(()) } else { Err(error) })
}

/// Returns whether something is not there, or no way leads there but by a link.
pub(super) fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        || Refused::is(error)
}
