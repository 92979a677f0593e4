//! The project's directory tree, for `PROJECT_STRUCTURE`: sorted, bounded, and without what git ignores.

use std::fmt::Write as _;
use std::path::Path;

use ignore::WalkBuilder;

/// No more entries are listed.
const MOST_ENTRIES: usize = 500;

/// No deeper folders are opened.
const DEEPEST: usize = 6;

/// Draws the tree below a folder, one entry a line, each indented below its folder, folders with a slash. What
/// does not fit is left out, and the last line says so.
pub fn tree(root: &Path) -> String {
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .require_git(false)
        // A worktree may lie below a folder that ignores everything, a home folder say.
        .parents(false)
        .max_depth(Some(DEEPEST))
        .sort_by_file_name(std::ffi::OsStr::cmp)
        .filter_entry(|entry| entry.file_name() != ".git" && !is_record(entry.path()))
        .build();
    let mut text = String::new();
    let mut listed = 0;
    let mut left_out = 0;
    // A folder that cannot be read shows as empty: the tree is a help, not a proof.
    for entry in walk.flatten().filter(|entry| entry.depth() > 0) {
        if listed == MOST_ENTRIES {
            left_out += 1;
            continue;
        }
        listed += 1;
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        let name = entry.file_name().to_string_lossy();
        let indent = 2 * (entry.depth() - 1);
        // A name with a line break must not look like two entries. Writing to a string cannot fail.
        let _ =
            write!(text, "{:indent$}{}", "", name.replace(|c: char| c.is_control(), "\u{fffd}"));
        text.push_str(if is_folder { "/\n" } else { "\n" });
    }
    if left_out > 0 {
        let _ = writeln!(text, "({left_out} more entries are left out)");
    }
    text
}

/// Says whether a path is where agentd keeps what it did, which is no part of the project.
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
        let root = folder.path().join("worktree");
        fs::create_dir(&root).unwrap();
        fs::write(folder.path().join(".gitignore"), "*\n").unwrap();
        fs::write(root.join("a.rs"), "").unwrap();
        assert_eq!(tree(&root), "a.rs\n");
    }

    #[test]
    fn a_tree_is_bounded_and_says_so() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..MOST_ENTRIES + 3 {
            fs::write(folder.path().join(format!("{number:05}")), "").unwrap();
        }
        let tree = tree(folder.path());
        assert_eq!(tree.lines().count(), MOST_ENTRIES + 1);
        assert!(tree.ends_with("(3 more entries are left out)\n"), "{tree}");
        let deep = folder.path().join("a/b/c/d/e/f/g/h");
        fs::create_dir_all(&deep).unwrap();
        assert!(!super::tree(folder.path()).contains("g/"));
    }
}
