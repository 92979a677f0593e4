//! The project's directory tree, for `PROJECT_STRUCTURE`: sorted, bounded, and without what git ignores.

use std::fmt::Write as _;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::files::{is_small, read_small};

/// No more entries are listed.
const MOST_ENTRIES: usize = 500;

/// No deeper folders are opened.
pub(crate) const DEEPEST: usize = 6;

/// The files with rules of what to ignore, in every folder.
const RULES: [&str; 2] = [".gitignore", ".ignore"];

/// The last line of a tree from which something was left out.
const LEFT_OUT: &str = "(more entries are left out)\n";

/// Returns whether as much is listed as ever is: what else there is makes no difference.
pub fn is_full(tree: &str) -> bool {
    tree.ends_with(LEFT_OUT)
}

/// Draws the tree below a folder, one entry a line, each indented below its folder, folders with a slash. What
/// does not fit is left out, and the last line says so: among many files most need not be looked at.
///
/// Agents may have put anything where rules are looked for. What is below a folder with such rules is left out.
pub fn tree(root: &Path) -> String {
    if !has_plain_rules(root) {
        return String::new();
    }
    let excluded = excluded(root);
    let is_shown = move |entry: &DirEntry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        entry.file_name() != ".git"
            && !is_record(entry.path())
            && !excluded.matched(entry.path(), is_folder).is_ignore()
            && (!is_folder || has_plain_rules(entry.path()))
    };
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        // The files of a repository inside may say anything.
        .git_exclude(false)
        // A workspace may lie below a folder that ignores everything, a home folder say.
        .parents(false)
        .max_depth(Some(DEEPEST))
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(is_shown)
        .build();
    let mut text = String::new();
    // A folder that cannot be read shows as empty: the tree is a help, not a proof.
    let entries = walk.flatten().filter(|entry| entry.depth() > 0);
    for (index, entry) in entries.enumerate() {
        if index == MOST_ENTRIES {
            text.push_str(LEFT_OUT);
            break;
        }
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let name = entry.file_name().to_string_lossy();
        let indent = 2 * (entry.depth() - 1);
        // A name with a line break must not look like two entries. Writing to a string cannot fail.
        let _ =
            write!(text, "{:indent$}{}", "", name.replace(|c: char| c.is_control(), "\u{fffd}"));
        text.push_str(if is_folder { "/\n" } else { "\n" });
    }
    text
}

/// Returns whether nobody would wait for the rules of a folder, or read them without end.
fn has_plain_rules(folder: &Path) -> bool {
    RULES.iter().all(|name| is_small(&folder.join(name)))
}

/// Reads what the repository of a folder ignores beyond its own files.
fn excluded(root: &Path) -> Gitignore {
    let mut rules = GitignoreBuilder::new(root);
    let text = read_small(&root.join(".git/info/exclude")).ok().flatten().unwrap_or_default();
    for line in String::from_utf8_lossy(&text).lines() {
        // A line that means nothing ignores nothing.
        let _ = rules.add_line(None, line);
    }
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Returns whether a path is where agentd keeps what it did, which is no part of the project.
fn is_record(path: &Path) -> bool {
    path.ends_with("agentd/changes") || path.ends_with("agentd/archive")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_tree_is_sorted_and_leaves_out_what_git_ignores() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in
            ["src/b.rs", "src/a.rs", "target/x", ".git/config", ".ci/run", "agentd/changes/x/y"]
        {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        fs::write(root.join(".gitignore"), "target\n").unwrap();
        fs::write(root.join("two\nlines"), "").unwrap();
        assert_eq!(
            tree(root),
            ".ci/\n  run\n.gitignore\nagentd/\nsrc/\n  a.rs\n  b.rs\ntwo\u{fffd}lines\n"
        );
    }

    #[test]
    fn a_tree_does_not_heed_what_a_folder_above_it_ignores() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("workspace");
        fs::create_dir(&root).unwrap();
        fs::write(folder.path().join(".gitignore"), "*\n").unwrap();
        fs::write(root.join("a.rs"), "").unwrap();
        assert_eq!(tree(&root), "a.rs\n");
    }

    #[test]
    fn nobody_waits_for_rules_that_are_no_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["a/inner", "b/inner", "c/inner", "d", ".git/info/exclude"] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "/d\n").unwrap();
        }
        let pipe = |path: &str| {
            let made = std::process::Command::new("mkfifo").arg(root.join(path)).status();
            assert!(made.unwrap().success());
        };
        pipe("a/.gitignore");
        std::os::unix::fs::symlink("/dev/zero", root.join("b/.ignore")).unwrap();
        fs::create_dir_all(root.join("c/.git/info")).unwrap();
        pipe("c/.git/info/exclude");
        assert_eq!(tree(root), "c/\n  inner\n");
        pipe(".ignore");
        assert_eq!(tree(root), "");
    }

    #[test]
    fn a_tree_is_bounded_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MOST_ENTRIES + 3 {
            fs::write(folder.path().join(format!("{number:05}")), "").unwrap();
        }
        let tree = tree(folder.path());
        assert_eq!(tree.lines().count(), MOST_ENTRIES + 1);
        assert!(is_full(&tree), "{tree}");
        let deep = folder.path().join("a/b/c/d/e/f/g/h");
        fs::create_dir_all(&deep).unwrap();
        assert!(!super::tree(folder.path()).contains("g/"));
    }
}
