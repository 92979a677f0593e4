//! What git must not come upon in a workspace: it waits for a pipe that has the name of a file which it reads, and does whatever
//! the files of a repository inside say. So every name is looked at before git is called, and nothing is opened but folders.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::mem;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::error::GitError;
use super::folder::{free_name, put_aside};
use super::lock::Lock;
use super::unfit::{Unfit, Why};
use super::workspace::Workspace;
use crate::files::own::{self, Folder, Refused};

/// The name of a repository in its folder.
const REPOSITORY: &str = ".git";
/// How the names of the files begin that git reads by itself.
const RULES: &[u8] = b".git";
/// The longest path that the system takes, and so git.
const LONGEST: usize = 4095;

/// All names in a workspace were looked at. Repositories inside are out of git's sight for as long as this is there.
#[derive(Debug)]
pub(super) struct Survey {
    top: Folder,
    /// Pipes, sockets and devices.
    pub(super) irregular: Vec<PathBuf>,
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
        let (irregular, too_long, inside, kept) = (Vec::new(), Vec::new(), Vec::new(), None);
        let mut survey = Survey { top, irregular, too_long, inside, kept };
        let looked = survey.look().and_then(|()| survey.hide(&self.path));
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
                match kind {
                    FileType::Directory => waiting.push(path.join(name)),
                    FileType::RegularFile | FileType::Symlink => {}
                    _ => self.irregular.push(path.join(name)),
                }
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
    fn hide(&mut self, workspace: &Path) -> io::Result<()> {
        if self.inside.is_empty() {
            return Ok(());
        }
        let path = free_name(workspace)?;
        own::create_folder(&path)?;
        let kept = Folder::open(&path)?;
        for (number, folder) in self.inside.iter().enumerate() {
            let folder = self.below(folder);
            let hidden = folder
                .and_then(|folder| folder.exchange(REPOSITORY.as_ref(), &kept, &name(number)));
            unless_gone(hidden)?;
        }
        self.kept = Some((path, kept));
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
    pub(super) fn put_aside(
        &self,
        repository: &Path,
        workspace: &Path,
    ) -> Result<PathBuf, GitError> {
        let failed = |error| GitError::io("put aside", &workspace.join(repository), error);
        self.show(repository).map_err(failed)?;
        let (parent, name) = split(repository);
        put_aside(&self.below(parent).map_err(failed)?, name, workspace)
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

    /// Refuses what git would wait for: a pipe with the name of a file that it reads by itself.
    pub(super) fn refuse(&self, workspace: &Path) -> Result<(), GitError> {
        let is_read = |path: &&PathBuf| split(path).1.as_bytes().starts_with(RULES);
        let unfit = |path: &PathBuf| Unfit { path: path.clone(), why: Why::Irregular };
        let files: Vec<_> = self.irregular.iter().filter(is_read).map(unfit).collect();
        if files.is_empty() {
            return Ok(());
        }
        Err(GitError::Unfit { place: workspace.to_owned(), files })
    }

    /// Removes what nobody can keep: pipes, sockets and devices, and what lies too deep for git.
    pub(super) fn remove_unfit(&mut self) -> io::Result<()> {
        let unfit = [mem::take(&mut self.irregular), mem::take(&mut self.too_long)];
        for path in unfit.into_iter().flatten() {
            let (parent, name) = split(&path);
            unless_gone(self.below(parent).and_then(|folder| folder.clear(name)))?;
        }
        Ok(())
    }
}

impl Drop for Survey {
    fn drop(&mut self) {
        let shown = self.show(Path::new(""));
        let Some((path, kept)) = self.kept.take() else { return };
        drop(kept);
        // Unless a folder of one is gone, all are where they were.
        if fs::remove_dir(&path).is_err() {
            let why = shown.err().map(|error| format!(": {error}")).unwrap_or_default();
            log::warn!("a repository in a workspace is kept in `{}`{why}", path.display());
        }
    }
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
