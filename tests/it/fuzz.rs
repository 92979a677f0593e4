//! What the fuzzer began with and what it has found, as tests of every day: each input is held to its oracle.

#[path = "../fuzz/oracles/mod.rs"]
pub(crate) mod oracles;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::{files, repository};

/// Checks every input that is kept for a target, and names those that fail.
fn replay(target: &str, check: fn(&[u8])) {
    let mut inputs = files(&format!("tests/fuzz/seeds/{target}"), "");
    assert!(inputs.len() > 3, "{target} has {} seeds", inputs.len());
    let regressions = format!("tests/fuzz/regressions/{target}");
    if repository(&regressions).exists() {
        inputs.extend(files(&regressions, ""));
    }
    let fails = |path: &&String| {
        let input = std::fs::read(repository(path)).expect("an input");
        catch_unwind(AssertUnwindSafe(|| check(&input))).is_err()
    };
    let failed: Vec<&String> = inputs.iter().filter(fails).collect();
    assert_eq!(failed, Vec::<&String>::new());
}

#[cfg(feature = "cli")]
#[test]
fn what_was_fuzzed_of_templates_holds() {
    replay("templates", oracles::templates::check);
}

#[test]
fn what_was_fuzzed_of_the_envelope_holds() {
    replay("envelope", oracles::envelope::check);
}

#[test]
fn what_was_fuzzed_of_markers_holds() {
    replay("markers", oracles::markers::check);
}

#[cfg(feature = "cli")]
#[test]
fn what_was_fuzzed_of_plans_holds() {
    replay("plans", oracles::plans::check);
}

#[cfg(feature = "cli")]
#[test]
fn what_was_fuzzed_of_mcp_holds() {
    replay("mcp", oracles::mcp::check);
}

#[cfg(feature = "cli")]
#[test]
fn what_was_fuzzed_of_terminals_holds() {
    replay("terminal", oracles::terminal::check);
}

#[cfg(feature = "cli")]
#[test]
fn what_was_fuzzed_of_paths_holds() {
    replay("paths", oracles::paths::check);
}
