//! Packages of npm, pnpm, yarn and bun.

use serde_json::Value;

use super::files::Files;
use super::part::{Part, above, has_entries};

const FILE: &str = "package.json";

/// A package manager.
struct Manager {
    name: &'static str,
    /// The file in which it locks versions.
    lock: &'static str,
    /// How it installs the locked versions.
    install: &'static str,
    test: &'static str,
}

const MANAGERS: [Manager; 6] = [
    Manager { name: "npm", lock: "package-lock.json", install: "npm ci", test: "npm test" },
    Manager { name: "npm", lock: "npm-shrinkwrap.json", install: "npm ci", test: "npm test" },
    Manager {
        name: "pnpm",
        lock: "pnpm-lock.yaml",
        install: "pnpm install --frozen-lockfile",
        test: "pnpm test",
    },
    Manager {
        name: "yarn",
        lock: "yarn.lock",
        install: "yarn install --frozen-lockfile",
        test: "yarn test",
    },
    // `bun test` runs its own kind of tests.
    Manager {
        name: "bun",
        lock: "bun.lock",
        install: "bun install --frozen-lockfile",
        test: "bun run test",
    },
    Manager {
        name: "bun",
        lock: "bun.lockb",
        install: "bun install --frozen-lockfile",
        test: "bun run test",
    },
];

/// How npm installs without a lock file: `npm install` alone would write one, which git does not ignore.
const UNLOCKED: &str = "npm install --no-package-lock";

/// Returns the package in a folder.
pub(super) fn part(files: &Files, folder: &str, parts: &[Part]) -> Option<Part> {
    let text = files.text(folder, FILE).filter(|_| files.has(folder, FILE))?;
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let own = manager_in(files, folder);
    let root = above(parts, FILE, folder).last();
    let is_member = own.is_none() && root.is_some_and(|root| root.covers);
    let manager = own.or_else(|| manager_in(files, &root?.folder));
    let is_tested_above = own.is_none() && root.is_some_and(|root| root.test.is_some());
    let script = |name: &str| manifest["scripts"][name].as_str();
    let is_typed = script("build").is_some_and(|script| script.contains("tsc"))
        || manifest["devDependencies"]["typescript"].is_string();
    let language = if is_typed { "TypeScript" } else { "JavaScript" };
    let runner = manager.map_or("npm", |manager| manager.name);
    // `npm init` writes this text if there are no tests.
    let test = script("test").filter(|script| !script.contains("no test specified"));
    let covers = !manifest["workspaces"].is_null() || files.has(folder, "pnpm-workspace.yaml");
    let kinds = ["dependencies", "devDependencies", "optionalDependencies"];
    let needs = covers || kinds.iter().any(|kind| has_entries(&manifest[kind]));
    let (setup, note) =
        if is_member || !needs { (None, None) } else { setup(files, folder, &manifest, own) };
    Some(Part {
        leaves: setup.iter().map(|_| "node_modules/".to_owned()).collect(),
        setup: setup.into_iter().collect(),
        build: script("build").map(|_| format!("{runner} run build")),
        test: test
            .filter(|_| !is_tested_above)
            .map(|_| manager.map_or("npm test", |manager| manager.test).to_owned()),
        covers,
        notes: note.into_iter().collect(),
        ..Part::of(folder, FILE, language).described(&manifest)
    })
}

fn manager_in(files: &Files, folder: &str) -> Option<&'static Manager> {
    MANAGERS.iter().find(|manager| files.has(folder, manager.lock))
}

/// Returns how the dependencies of a package are installed, or why that is unknown.
fn setup(
    files: &Files,
    folder: &str,
    manifest: &Value,
    manager: Option<&Manager>,
) -> (Option<String>, Option<String>) {
    if let Some(Manager { lock, install, .. }) = manager {
        // The lock files of newer yarns contain this, and need another option.
        let is_newer = *lock == "yarn.lock"
            && files.text(folder, lock).is_some_and(|text| text.contains("__metadata:"));
        let install = if is_newer { "yarn install --immutable" } else { install };
        return (Some(install.to_owned()), None);
    }
    let named = manifest["packageManager"].as_str().filter(|name| !name.starts_with("npm@"));
    match named.and_then(|name| name.split('@').next()) {
        None => (Some(UNLOCKED.to_owned()), None),
        Some(name) => {
            (None, Some(format!("its package manager is {name}, whose lock file is missing")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{commands, found};

    const PACKAGE: &str = r#"{"name": "web", "dependencies": {"x": "1"}, "scripts": {"test": "vitest", "build": "tsc"}}"#;

    #[test]
    fn a_package_is_installed_and_tested_by_the_manager_of_its_lock_file() {
        for (lock, text, install, test) in [
            ("package-lock.json", "", "npm ci", "npm test"),
            ("pnpm-lock.yaml", "", "pnpm install --frozen-lockfile", "pnpm test"),
            ("yarn.lock", "# yarn lockfile v1\n", "yarn install --frozen-lockfile", "yarn test"),
            ("yarn.lock", "__metadata:\n  version: 8\n", "yarn install --immutable", "yarn test"),
            ("bun.lock", "", "bun install --frozen-lockfile", "bun run test"),
            ("README", "", "npm install --no-package-lock", "npm test"),
        ] {
            let (setup, tests) = commands(&[("package.json", PACKAGE), (lock, text)]);
            assert_eq!((setup, tests), (vec![install.to_owned()], vec![test.to_owned()]), "{lock}");
        }
        let survey = found(&[("package.json", PACKAGE)]);
        assert_eq!(survey.parts[0].language, "TypeScript");
        assert_eq!(survey.unignored, ["node_modules/"]);
    }

    #[test]
    fn nothing_is_invented() {
        let none = (vec![], vec![]);
        let untested = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
        assert_eq!(commands(&[("package.json", untested)]), none);
        assert_eq!(commands(&[("package.json", "not JSON")]), none);
        let pnpm = r#"{"dependencies": {"x": "1"}, "packageManager": "pnpm@9.1.0"}"#;
        assert_eq!(commands(&[("package.json", pnpm)]), none);
        assert!(found(&[("package.json", pnpm)]).parts[0].notes[0].contains("pnpm"));
    }

    #[test]
    fn members_of_a_workspace_are_installed_by_the_root_and_tested_each() {
        let root = r#"{"workspaces": ["packages/*"]}"#;
        let files = [
            ("package.json", root),
            ("pnpm-lock.yaml", ""),
            ("packages/a/package.json", PACKAGE),
            ("packages/b/package.json", PACKAGE),
        ];
        let (setup, tests) = commands(&files);
        assert_eq!(setup, ["pnpm install --frozen-lockfile"]);
        assert_eq!(tests, ["cd packages/a && pnpm test", "cd packages/b && pnpm test"]);
        let root = r#"{"workspaces": ["packages/*"], "scripts": {"test": "turbo test"}}"#;
        let (_, tests) = commands(&[("package.json", root), files[1], files[2], files[3]]);
        assert_eq!(tests, ["pnpm test"]);
    }

    #[test]
    fn packages_side_by_side_are_installed_each() {
        let files = [
            ("packages/a/package.json", PACKAGE),
            ("packages/a/package-lock.json", ""),
            ("packages/b/package.json", r#"{"scripts": {"test": "node --test"}}"#),
        ];
        let (setup, tests) = commands(&files);
        assert_eq!(setup, ["cd packages/a && npm ci"]);
        assert_eq!(tests, ["cd packages/a && npm test", "cd packages/b && npm test"]);
        assert_eq!(found(&files).unignored, ["packages/a/node_modules/"]);
    }
}
