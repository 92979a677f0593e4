//! Submodules in a workspace: their files are written there, as far as the user has them, so that builds and checks find them. They
//! are no part of a result: every commit of a change names the submodule's commit that its base names.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::checkout::Before;
use super::command::Call;
use super::commit::Commit;
use super::error::GitError;
use super::folder::{make_folder, remove_file};
use super::repository::Repository;
use super::status::{items, path_of};
use super::survey::{self, Survey};
use super::workspace::Workspace;
use crate::files::own::Folder;
use crate::files::replace_atomically;
use crate::models::hash::Hash;

/// Where the state of a workspace keeps the indexes of submodules.
const INDEXES: &str = "submodules";
/// The file that says that a tree has submodules. It is looked for first, since most have none.
const LIST: &str = ".gitmodules";
/// How an entry of a submodule begins.
const MODE: &[u8] = b"160000 ";
/// How deep submodules of submodules are written.
const DEEPEST: usize = 8;

/// A repository whose files stand in a workspace: the user's own, or one of a submodule.
struct Files {
    /// Its git folder.
    git_dir: PathBuf,
    /// Where its files stand in the workspace.
    folder: PathBuf,
    /// Its path below the workspace.
    path: PathBuf,
    /// The index of these files.
    index: PathBuf,
    /// Where the user has its files checked out.
    theirs: PathBuf,
}

/// A submodule of a tree: its path, and the commit that is wanted.
struct Submodule {
    path: PathBuf,
    commit: Commit,
}

impl Repository {
    /// Lists the submodules of a commit whose files the user does not have: their folders are empty in every workspace.
    pub fn absent_submodules(&self, commit: &Commit) -> Result<Vec<PathBuf>, GitError> {
        if fs::symlink_metadata(self.root().join(LIST)).is_err() {
            return Ok(Vec::new());
        }
        let list = self.place.call(&["ls-tree", "-r", "-z", commit.as_str()]).run()?;
        let mut absent = Vec::new();
        for module in items(&list).filter_map(of_tree) {
            let (theirs, kept) = (self.root().join(&module.path), self.kept(&module.path));
            if self.module_folder(&theirs, &kept, &module.commit)?.is_none() {
                absent.push(module.path);
            }
        }
        Ok(absent)
    }

    /// Returns where git keeps the repository of a submodule that is not checked out.
    fn kept(&self, path: &Path) -> PathBuf {
        self.common().join("modules").join(path)
    }

    /// Finds the git folder of a submodule that has a commit: that of the user's checkout, else the one that is kept.
    fn module_folder(
        &self,
        theirs: &Path,
        kept: &Path,
        commit: &Commit,
    ) -> Result<Option<PathBuf>, GitError> {
        let checked_out = theirs.join(".git");
        let folder = match fs::read(&checked_out) {
            // A file names the folder.
            Ok(text) => text.strip_prefix(b"gitdir: ").map(|path| {
                theirs.join(OsStr::from_bytes(path.strip_suffix(b"\n").unwrap_or(path)))
            }),
            Err(_) => Some(checked_out),
        };
        for folder in folder.into_iter().chain([kept.to_owned()]) {
            if folder.join("HEAD").is_file() {
                let call = self.place.git.call(["cat-file".as_ref(), "-e".as_ref()]);
                let call = call.variable("GIT_DIR", &folder);
                if call.argument(format!("{commit}^{{commit}}")).answer()?.status.success() {
                    return Ok(Some(folder));
                }
            }
        }
        Ok(None)
    }
}

impl Workspace {
    /// Writes the files of every submodule as its commit has them. What somebody edited there is put aside.
    pub(super) fn export_submodules(&self, before: &Before<'_>) -> Result<(), GitError> {
        self.visit(&self.own_files(), DEEPEST, &mut |module, commit| {
            if let Before::Files(survey) = before {
                let is_written = module.written().as_ref() == Some(commit);
                if is_written && !self.is_edited(module, survey)? {
                    return Ok(());
                }
                self.clear_folder(module, survey)?;
            }
            for file in [&module.record(), &module.index] {
                remove_file(file)?;
            }
            for folder in [&module.folder, module.index.parent().unwrap_or(&self.state)] {
                make_folder(folder)?;
            }
            let mut call = self.call_in(module, &["read-tree", "--reset", "-u"]);
            if let Before::Files(_) = before {
                call = call.held(self.writing(&module.git_dir));
            }
            call.argument(commit.as_str()).run()?;
            let record = module.record();
            replace_atomically(&record, commit.as_str().as_bytes())
                .map_err(|error| GitError::io("write", &record, error))
        })
    }

    /// Lists the submodules in which somebody edited files.
    pub(super) fn edited_in(&self, survey: &Survey) -> Result<Vec<PathBuf>, GitError> {
        let mut edited = Vec::new();
        self.visit(&self.own_files(), DEEPEST, &mut |module, _| {
            if module.written().is_some() && self.is_edited(module, survey)? {
                edited.push(module.path.clone());
            }
            Ok(())
        })?;
        Ok(edited)
    }

    /// Calls a function with each submodule that the user has, and then with its own submodules.
    fn visit(
        &self,
        files: &Files,
        depth: usize,
        each: &mut dyn FnMut(&Files, &Commit) -> Result<(), GitError>,
    ) -> Result<(), GitError> {
        if depth == 0 || !files.have_list() {
            return Ok(());
        }
        let list = self.call_in(files, &["ls-files", "-s", "-z"]).run()?;
        for Submodule { path, commit } in items(&list).filter_map(of_index) {
            let theirs = files.theirs.join(&path);
            let kept = files.git_dir.join("modules").join(&path);
            let Some(git_dir) = self.repository.module_folder(&theirs, &kept, &commit)? else {
                continue;
            };
            let (folder, path) = (files.folder.join(&path), files.path.join(&path));
            let name = Hash::of(path.as_os_str().as_bytes()).to_string();
            let index = self.state.join(INDEXES).join(name);
            let module = Files { git_dir, folder, path, index, theirs };
            each(&module, &commit)?;
            self.visit(&module, depth - 1, each)?;
        }
        Ok(())
    }

    fn own_files(&self) -> Files {
        Files {
            git_dir: self.repository.common.clone(),
            folder: self.path.clone(),
            path: PathBuf::new(),
            index: self.state.join("index"),
            theirs: self.repository.root().to_owned(),
        }
    }

    /// Returns whether the folder of a submodule holds something else than what was written there.
    fn is_edited(&self, module: &Files, survey: &Survey) -> Result<bool, GitError> {
        // With a repository of its own it is somebody's work, whatever that one says.
        let has_own_git = survey.inside.binary_search(&module.path).is_ok();
        let is_unfit = survey.is_unfit_below(&module.path);
        if has_own_git || is_unfit || survey.below(&module.path).is_err() {
            return Ok(true);
        }
        let options = ["ls-files", "-z", "-d", "-m", "-o", "--exclude-standard"];
        Ok(!self.call_in(module, &options).run()?.is_empty())
    }

    /// Makes room for the files of a submodule: those that were written before are removed, edited ones put aside.
    fn clear_folder(&self, module: &Files, survey: &Survey) -> Result<(), GitError> {
        let failed = |error| GitError::io("clear", &module.folder, error);
        let (parent, name) = survey::split(&module.path);
        let Ok(folder) = survey.below(parent) else { return Ok(()) };
        if folder.look(name).map_err(failed)?.is_none() {
            return Ok(());
        }
        let is_empty = match folder.below(Path::new(name)) {
            Ok(folder) => folder.entries().map_err(failed)?.is_empty(),
            Err(_) => false,
        };
        if !is_empty && module.written().is_some() && self.is_edited(module, survey)? {
            let kept = survey.put_aside(&module.path)?;
            log::warn!("edits of a submodule are kept in `{}`", kept.display());
        }
        folder.clear(name).map_err(failed)
    }

    fn call_in<'a>(&self, files: &Files, arguments: &[&'a str]) -> Call<'a> {
        let attributes = match files.written() {
            Some(commit) => commit.to_string(),
            None => self.attributes.clone(),
        };
        self.call_on((&files.git_dir, &files.folder), &files.index, &attributes, arguments)
    }
}

impl Files {
    /// Returns the file that names the commit whose files were written.
    fn record(&self) -> PathBuf {
        self.index.with_extension("commit")
    }

    /// Returns whether they have submodules. No link is followed to find out.
    fn have_list(&self) -> bool {
        let found = Folder::open(&self.folder).and_then(|folder| folder.look(LIST.as_ref()));
        found.is_ok_and(|stat| {
            stat.is_some_and(|stat| FileType::from_raw_mode(stat.st_mode).is_file())
        })
    }

    fn written(&self) -> Option<Commit> {
        let text = fs::read_to_string(self.record()).ok()?;
        Commit::try_from(text).ok()
    }
}

/// Reads `MODE OBJECT STAGE` and a path, as `ls-files -s` prints a submodule.
fn of_index(item: &[u8]) -> Option<Submodule> {
    let (about, path) = split(item)?;
    let commit = about.strip_prefix(MODE)?.split(|byte| *byte == b' ').next()?;
    submodule(commit, path)
}

/// Reads `MODE KIND OBJECT` and a path, as `ls-tree` prints a submodule.
fn of_tree(item: &[u8]) -> Option<Submodule> {
    let (about, path) = split(item)?;
    submodule(about.strip_prefix(MODE)?.strip_prefix(b"commit ")?, path)
}

fn split(item: &[u8]) -> Option<(&[u8], &[u8])> {
    let tab = item.iter().position(|byte| *byte == b'\t')?;
    Some((&item[..tab], &item[tab + 1..]))
}

fn submodule(commit: &[u8], path: &[u8]) -> Option<Submodule> {
    let commit = Commit::try_from(String::from_utf8_lossy(commit).into_owned()).ok()?;
    Some(Submodule { path: path_of(path), commit })
}
