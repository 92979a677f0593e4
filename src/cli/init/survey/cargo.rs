//! Packages of cargo.

use serde_json::Value;

use super::files::Files;
use super::part::{Part, above, toml};

const FILE: &str = "Cargo.toml";

/// Returns the crate or the workspace in a folder. A workspace above it tests what is below.
pub(super) fn part(files: &Files, folder: &str, parts: &[Part]) -> Option<Part> {
    let manifest = toml(&files.text(folder, FILE).filter(|_| files.has(folder, FILE))?);
    if above(parts, FILE, folder).next().is_some() {
        return None;
    }
    let all = if manifest["workspace"].is_null() { "" } else { " --workspace" };
    let members = files.below(folder).filter(|path| path.ends_with("/Cargo.toml"));
    let members: Vec<_> =
        members.filter_map(|path| files.text(folder, path)).map(|text| toml(&text)).collect();
    let fetches = fetches(&manifest) || (!all.is_empty() && members.iter().any(fetches));
    let mut leaves = vec!["target/".to_owned()];
    if !files.has(folder, "Cargo.lock") {
        leaves.push("Cargo.lock".to_owned());
    }
    let part = Part::of(folder, FILE, "Rust").described(&manifest["package"]);
    Some(Part {
        setup: fetches.then(|| "cargo fetch".to_owned()).into_iter().collect(),
        build: Some(format!("cargo build{all}")),
        test: Some(format!("cargo test{all}")),
        leaves,
        ..part
    })
}

/// Returns whether a manifest has a dependency that is not in this repository.
fn fetches(manifest: &Value) -> bool {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let targets = manifest["target"].as_object().into_iter().flat_map(|all| all.values());
    let tables = [manifest, &manifest["workspace"]].into_iter().chain(targets);
    let dependencies =
        tables.flat_map(|table| kinds.map(|kind| &table[kind])).filter_map(Value::as_object);
    let is_elsewhere = |dependency: &Value| {
        dependency["path"].is_null() && dependency["workspace"] != Value::Bool(true)
    };
    dependencies.flat_map(|table| table.values()).any(is_elsewhere)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{commands, found};

    #[test]
    fn a_workspace_is_tested_as_a_whole_and_fetched_where_a_member_needs_it() {
        let root = ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n");
        let api = (
            "crates/api/Cargo.toml",
            "[package]\nname = \"api\"\n[dependencies]\nlib = { path = \"../lib\" }\n",
        );
        let lib = ("crates/lib/Cargo.toml", "[package]\nname = \"lib\"\n");
        assert_eq!(
            commands(&[root, api, lib]),
            (vec![], vec!["cargo test --workspace".to_owned()])
        );
        let lib = ("crates/lib/Cargo.toml", "[dependencies]\nserde = \"1\"\n");
        let (setup, tests) = commands(&[root, api, lib]);
        assert_eq!((setup, tests.len()), (vec!["cargo fetch".to_owned()], 1));
    }

    #[test]
    fn name_description_and_what_is_left_are_told() {
        let cargo = "[package]\nname = \"shop\"\ndescription = \"Sells\\n things.\"\n";
        let survey = found(&[("Cargo.toml", cargo)]);
        let part = &survey.parts[0];
        assert_eq!((part.name.as_deref(), part.language), (Some("shop"), "Rust"));
        assert_eq!(part.description.as_deref(), Some("Sells things."));
        assert_eq!(part.build.as_deref(), Some("cargo build"));
        assert_eq!(survey.unignored, ["target/", "Cargo.lock"]);
        let committed = [("Cargo.toml", cargo), ("Cargo.lock", ""), (".gitignore", "/target\n")];
        assert_eq!(found(&committed).unignored, [""; 0]);
    }
}
