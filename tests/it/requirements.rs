//! `docs/requirements.md` names a test for every requirement and scenario, `docs/RELIABILITY.md` one for every case, and
//! each of them exists.

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

/// The names in back-ticks in the last column of a table's row.
fn tests_of(row: &str) -> Vec<String> {
    let column = row.rsplit('|').nth(1).unwrap_or_default();
    column.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The rows of a text's tables without those of their heads, which have a line below them.
fn rows_of(text: &str) -> impl Iterator<Item = &str> {
    let below = text.lines().skip(1).chain([""]);
    let is_row =
        |(line, below): &(&str, &str)| line.starts_with("| ") && !below.starts_with("|---");
    text.lines().zip(below).filter(is_row).map(|(line, _)| line)
}

#[test]
fn the_rows_of_a_table_are_all_but_its_head() {
    let table =
        "| what | tests |\n|---|---|\n| what is there | `a` |\n| all | `b` |\n\n| what |\n|---|\n";
    assert_eq!(rows_of(table).collect::<Vec<_>>(), ["| what is there | `a` |", "| all | `b` |"]);
}

#[test]
fn every_case_of_reliability_is_listed_with_a_test_that_exists() {
    let document = read("docs/RELIABILITY.md");
    let tests = tests();
    let mut rows = 0;
    for section in document.split("\n## ").filter(|it| it.contains("| tests |\n")) {
        for row in rows_of(section) {
            let names = tests_of(row);
            assert!(!names.is_empty(), "no test in: {row}");
            for name in names {
                assert!(tests.contains(&name), "there is no test `{name}`: {row}");
            }
            rows += 1;
        }
    }
    assert!(rows > 50, "only {rows} cases found");
}

#[test]
fn every_requirement_is_listed_with_a_test_that_exists() {
    let document = read("docs/requirements.md");
    let tests = tests();
    let mut listed = Vec::new();
    for row in document.lines().filter(|line| line.starts_with("| 00")) {
        let names = tests_of(row);
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
