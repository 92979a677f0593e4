//! The contents of a project: its packages, and how each is set up and tested. Reading is bounded, and a file that
//! cannot be parsed is ignored.

mod cargo;
mod files;
mod ignored;
mod named;
mod node;
mod part;
mod python;

use std::path::Path;

use crate::models::command::CommandLine;
use files::Files;
pub(super) use part::Part;

/// The maximum number of names that are listed.
const MOST_LISTED: usize = 40;
/// The maximum number of packages that are examined.
const MOST_PARTS: usize = 30;

/// What was found in a project.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The project's name, from a build file or its folder.
    pub(super) name: String,
    /// The project's own description.
    pub(super) description: Option<String>,
    /// The packages, each with how it is set up, built and tested; those in the root first.
    pub(super) parts: Vec<Part>,
    /// How many packages were not examined because there are too many.
    pub(super) left_out: usize,
    /// What setup and tests create and no `.gitignore` names.
    pub(super) unignored: Vec<String>,
    /// The names in the root, folders with a slash, without hidden and ignored ones.
    pub(super) layout: Vec<String>,
}

impl Survey {
    /// Examines a project.
    pub(super) fn of(root: &Path) -> Self {
        let files = Files::of(root);
        let (parts, left_out) = parts(&files);
        let folder = root.file_name().map(|name| name.to_string_lossy().into_owned());
        let in_root = || parts.iter().filter(|part| part.folder.is_empty());
        let name = in_root().find_map(|part| part.name.clone()).or(folder);
        Self {
            name: name.unwrap_or_else(|| "this project".to_owned()),
            description: in_root().find_map(|part| part.description.clone()),
            unignored: ignored::unignored(&files, &parts),
            layout: layout(root),
            parts,
            left_out,
        }
    }

    /// Returns the commands that set up a workspace.
    pub(super) fn setup(&self) -> Vec<CommandLine> {
        self.parts.iter().flat_map(Part::setup_commands).map(CommandLine::Shell).collect()
    }

    /// Returns the commands that verify a change: the tests that the project itself names, else the tests of every
    /// package.
    pub(super) fn verify(&self) -> Vec<CommandLine> {
        let own = self.parts.iter().any(|part| part.is_recipe && part.test.is_some());
        let parts = self.parts.iter().filter(|part| !own || part.is_recipe);
        parts.filter_map(Part::test_command).map(CommandLine::Shell).collect()
    }
}

/// Finds the packages of a project, and how many were not examined.
fn parts(files: &Files) -> (Vec<Part>, usize) {
    let mut parts: Vec<Part> = Vec::new();
    let folders = files.folders();
    let left_out = folders.len().saturating_sub(MOST_PARTS);
    for folder in folders.into_iter().take(MOST_PARTS) {
        let found = [
            cargo::part(files, &folder, &parts),
            node::part(files, &folder, &parts),
            python::part(files, &folder, &parts),
        ];
        let named = named::parts(files, &folder, &parts);
        parts.extend(found.into_iter().flatten().chain(named));
    }
    if parts.iter().all(|part| !part.folder.is_empty() || part.test.is_none()) {
        parts.extend(named::recipes(files));
    }
    (parts, left_out)
}

/// Lists the names in the root that git does not ignore.
fn layout(root: &Path) -> Vec<String> {
    let walk = ignore::WalkBuilder::new(root)
        .max_depth(Some(1))
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(|entry| entry.file_name() != "agentd")
        .build();
    let entries = walk.flatten().filter(|entry| entry.depth() == 1).take(MOST_LISTED);
    entries
        .map(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let name = entry.file_name().to_string_lossy();
            let name = name.replace(|c: char| c.is_control() || c == '`', "\u{fffd}");
            format!("{name}{}", if is_folder { "/" } else { "" })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the packages in these files.
    pub(super) fn found(files: &[(&str, &str)]) -> Survey {
        let files = Files::in_memory(files);
        let (parts, left_out) = parts(&files);
        let unignored = ignored::unignored(&files, &parts);
        Survey { parts, left_out, unignored, ..Survey::default() }
    }

    /// Returns the commands of setup and tests for these files.
    pub(super) fn commands(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
        let survey = found(files);
        let lines = |commands: Vec<CommandLine>| {
            commands.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        (lines(survey.setup()), lines(survey.verify()))
    }

    #[test]
    fn packages_in_folders_begin_with_their_folder() {
        let (setup, tests) = commands(&[
            ("backend/Cargo.toml", "[package]\nname = \"api\"\n"),
            ("my site/package.json", r#"{"dependencies": {"x": "1"}, "scripts": {"test": "x"}}"#),
            ("my site/package-lock.json", "{}"),
        ]);
        assert_eq!(setup, ["cd 'my site' && npm ci"]);
        assert_eq!(tests, ["cd backend && cargo test", "cd 'my site' && npm test"]);
    }

    #[test]
    fn what_only_looks_like_a_package_is_none() {
        let package = r#"{"scripts": {"test": "x"}}"#;
        for path in
            ["tests/fixtures/a/package.json", "examples/b/package.json", "a/b/c/d/package.json"]
        {
            let (setup, tests) = commands(&[(path, package)]);
            assert!(setup.is_empty() && tests.is_empty(), "{path}: {setup:?} {tests:?}");
        }
    }

    #[test]
    fn of_many_packages_those_that_are_left_out_are_counted() {
        let paths: Vec<_> = (0..40).map(|at| format!("p{at}/go.mod")).collect();
        let files: Vec<_> = paths.iter().map(|path| (path.as_str(), "module x\n")).collect();
        let survey = found(&files);
        assert_eq!((survey.parts.len(), survey.left_out), (MOST_PARTS - 1, 11), "the root is one");
    }

    #[test]
    fn what_a_recipe_tests_is_not_tested_twice() {
        let nested = r#"{"dependencies": {"x": "1"}, "scripts": {"test": "x"}}"#;
        let (setup, tests) = commands(&[
            ("Makefile", "test:\n\tcd web && npm test\n"),
            ("web/package.json", nested),
            ("web/package-lock.json", ""),
        ]);
        assert_eq!(
            (setup, tests),
            (vec!["cd web && npm ci".to_owned()], vec!["make test".to_owned()])
        );
    }
}
