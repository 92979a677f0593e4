//! Whether git ignores what setup and tests create. Only the project's own `.gitignore` files apply in a workspace.

use ignore::gitignore::GitignoreBuilder;

use super::files::{Files, joined};
use super::part::Part;

/// Returns the paths that the commands of the packages create and git does not ignore.
pub(super) fn unignored(files: &Files, parts: &[Part]) -> Vec<String> {
    let left = parts
        .iter()
        .filter(|part| !part.setup.is_empty() || part.test.is_some())
        .flat_map(|part| part.leaves.iter().map(|name| joined(&part.folder, name)));
    let mut paths: Vec<_> = left.filter(|path| !is_ignored(files, path)).collect();
    paths.dedup();
    paths
}

/// Returns whether a path is ignored; the path of a folder ends with a slash. The nearest `.gitignore` with a matching
/// line decides.
fn is_ignored(files: &Files, path: &str) -> bool {
    let (path, is_folder) = match path.strip_suffix('/') {
        Some(path) => (path, true),
        None => (path, false),
    };
    let mut folder = path;
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let below = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
        let Some(text) = files.text(folder, ".gitignore") else { continue };
        let mut rules = GitignoreBuilder::new("");
        for line in text.lines() {
            // An invalid line ignores nothing.
            let _ = rules.add_line(None, line);
        }
        let Ok(rules) = rules.build() else { continue };
        let matched = rules.matched_path_or_any_parents(below, is_folder);
        if !matched.is_none() {
            return matched.is_ignore();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rules_that_speak_of_a_path_count() {
        let files = Files::in_memory(&[
            (".gitignore", "node_modules/\n/dist\n*.log\n"),
            ("web/.gitignore", "!node_modules/\nout/\n"),
        ]);
        for (path, expected) in [
            ("node_modules/", true),
            ("api/node_modules/", true),
            ("web/node_modules/", false),
            ("web/out/", true),
            ("out/", false),
            ("dist/", true),
            ("web/dist/", false),
            ("web/x.log", true),
            ("target/", false),
        ] {
            assert_eq!(is_ignored(&files, path), expected, "{path}");
        }
    }
}
