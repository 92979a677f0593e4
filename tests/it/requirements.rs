//! `docs/requirements.md` names a test for every requirement and scenario, and each of them exists.

use crate::support::{files, read};

/// The names of all test functions.
fn tests() -> Vec<String> {
    let mut names = Vec::new();
    for path in files("tests", ".rs").iter().chain(&files("src", ".rs")) {
        let text = read(path);
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if line == "#[test]" {
                // A property is a test too; other attributes may stand between.
                let name = lines.find_map(|line| line.strip_prefix("fn "));
                names.extend(name.and_then(|rest| rest.split('(').next()).map(str::to_owned));
            }
        }
    }
    names
}

#[test]
fn every_requirement_is_listed_with_a_test_that_exists() {
    let document = read("docs/requirements.md");
    let tests = tests();
    let mut listed = Vec::new();
    for row in document.lines().filter(|line| line.starts_with("| 00")) {
        let tests_of_row = row.rsplit('|').nth(1).unwrap_or_default();
        let names: Vec<_> = tests_of_row.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert!(!names.is_empty(), "no test in: {row}");
        for name in names {
            assert!(tests.contains(&name), "there is no test `{name}`: {row}");
            listed.push(name);
        }
    }
    for id in
        ["000-R1", "000-R2", "000-R3", "000-R4", "000-R5", "001-R1", "001-R2", "001-R3", "001-R5"]
    {
        assert!(document.contains(&format!("| {id} |")), "{id} is not listed");
    }
    for name in tests.iter().filter(|name| name.starts_with("seed_")) {
        assert!(listed.contains(name), "`{name}` is not listed in docs/requirements.md");
    }
}
