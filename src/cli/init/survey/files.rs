//! The files of a project: their paths, and their texts on demand.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::Path;

use crate::prompt::confined::ConfinedFolder;

/// The maximum depth of files.
const DEEPEST: usize = 6;
/// The maximum depth of packages below the root.
const DEEPEST_PACKAGE: usize = 3;
/// The maximum number of files.
const MOST: usize = 20_000;

/// Files that identify a package.
const MANIFESTS: [&str; 18] = [
    "CMakeLists.txt",
    "Cargo.toml",
    "Package.swift",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "build.zig",
    "dune-project",
    "go.mod",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "requirements.txt",
    "setup.cfg",
    "setup.py",
    "stack.yaml",
    "uv.lock",
];

/// Folders whose packages are not part of the project: examples, test data, and third-party code.
const ELSEWHERE: [&str; 21] = [
    "__tests__",
    "bench",
    "benches",
    "doc",
    "docs",
    "e2e",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "fuzz",
    "node_modules",
    "sample",
    "samples",
    "template",
    "templates",
    "test",
    "testdata",
    "tests",
    "third_party",
    "vendor",
];

/// Returns the text of a file by its path, if there is one.
type Read = dyn Fn(&str) -> Option<String>;

/// The files that git does not ignore.
pub(super) struct Files {
    paths: BTreeSet<String>,
    read: Box<Read>,
}

impl Files {
    /// Lists the files below a project's root; none if agentd cannot read that folder.
    pub(super) fn of(root: &Path) -> Self {
        let walk = ignore::WalkBuilder::new(root)
            .max_depth(Some(DEEPEST))
            .sort_by_file_name(OsStr::cmp)
            .filter_entry(|entry| {
                entry.file_name() != "node_modules"
                    && !(entry.depth() == 1 && entry.file_name() == "agentd")
            })
            .build();
        let files = walk.flatten().filter(|entry| entry.file_type().is_some_and(|it| !it.is_dir()));
        let path = |entry: ignore::DirEntry| {
            Some(entry.path().strip_prefix(root).ok()?.to_str()?.to_owned())
        };
        let paths = files.filter_map(path).take(MOST).collect();
        let folder = ConfinedFolder::of_project(root).ok();
        let read = move |path: &str| folder.as_ref()?.read(path).ok().flatten();
        Self { paths, read: Box::new(read) }
    }

    /// Returns whether a folder has a file.
    pub(super) fn has(&self, folder: &str, name: &str) -> bool {
        self.paths.contains(&joined(folder, name))
    }

    /// Returns the text of a file, if it exists. It may be hidden.
    pub(super) fn text(&self, folder: &str, name: &str) -> Option<String> {
        (self.read)(&joined(folder, name))
    }

    /// Returns the first of these files that exists in a folder.
    pub(super) fn first<'n>(&self, folder: &str, names: &[&'n str]) -> Option<&'n str> {
        names.iter().copied().find(|name| self.has(folder, name))
    }

    /// Lists the paths of the files below a folder, starting there.
    pub(super) fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s str> {
        self.paths.iter().filter_map(move |path| {
            if folder.is_empty() {
                return Some(path.as_str());
            }
            path.strip_prefix(folder)?.strip_prefix('/')
        })
    }

    /// Lists the folders that may contain a package, the root first, and each folder before its subfolders.
    pub(super) fn folders(&self) -> Vec<String> {
        let mut folders = BTreeSet::from([String::new()]);
        for path in &self.paths {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            let parts = || folder.split('/');
            let is_ours = parts().count() <= DEEPEST_PACKAGE
                && parts().all(|part| !ELSEWHERE.contains(&part) && !part.starts_with('.'));
            if is_ours && MANIFESTS.contains(&name) {
                folders.insert(folder.to_owned());
            }
        }
        folders.into_iter().collect()
    }

    /// Holds texts by their paths.
    #[cfg(test)]
    pub(super) fn in_memory(files: &[(&str, &str)]) -> Self {
        let texts: std::collections::BTreeMap<String, String> =
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        let hidden = |path: &&String| path.split('/').any(|part| part.starts_with('.'));
        let paths = texts.keys().filter(|path| !hidden(path)).cloned().collect();
        Self { paths, read: Box::new(move |path| texts.get(path).cloned()) }
    }
}

/// Returns the path of a file in a folder.
pub(super) fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
