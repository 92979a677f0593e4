//! Real builds: a template that is missing fails `cargo build`, and another crate can use the compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{files, repository};

/// Copies the files of the repository that a build needs.
fn copy_of_the_repository(to: &Path) {
    let sources =
        [files("src", ".rs"), files("benches", ".rs"), files("templates", ".md")].concat();
    let others =
        ["Cargo.toml", "Cargo.lock", "build.rs", "templates/contract.toml"].map(str::to_owned);
    for file in sources.into_iter().chain(others) {
        copy(&repository(&file), &to.join(&file));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("the folder is made");
    fs::copy(from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
}

/// Runs cargo without the network: everything is there, or this test would not have been built. What says which toolchain is
/// used, and that none is fetched, is kept.
fn cargo(folder: &Path, arguments: &[&str]) -> Output {
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("builds");
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).arg("--offline").current_dir(folder).env("CARGO_TARGET_DIR", target);
    for (name, _) in
        std::env::vars().filter(|(name, _)| name.starts_with("CARGO_") || name.starts_with("RUST"))
    {
        let is_kept = name.starts_with("RUSTUP_")
            || ["CARGO_HOME", "CARGO_TARGET_DIR"].contains(&name.as_str());
        if !is_kept {
            command.env_remove(name);
        }
    }
    command.output().expect("cargo runs")
}

#[test]
fn a_build_without_base_plan_fails_and_names_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    copy_of_the_repository(folder.path());
    let build = || cargo(folder.path(), &["build", "--lib", "--no-default-features"]);
    let says = |output: &Output, expected: &str| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(expected), "not in the output: {expected}\n{stderr}");
    };
    let system = folder.path().join("templates/system");
    let base = fs::read(system.join("BASE-plan.md")).expect("the template");
    fs::remove_file(system.join("BASE-plan.md")).expect("removed");
    fs::write(system.join("CLAUDE-plan.md"), "# Plan\n\n{{TASK\n").expect("written");
    let broken = build();
    assert!(!broken.status.success());
    for expected in [
        "error: agentd-flows@0.1.0: templates/system/BASE-plan.md:1:1: phase `plan` has no base template: `BASE-plan.md` is missing [missing-base]",
        "error: agentd-flows@0.1.0: templates/system/CLAUDE-plan.md:3:1: `{{` is not closed before the end of the line [unclosed-marker]",
        "3 | {{TASK\n",
        "  | ^^^^^^",
        "error[missing-section]: section `Core Principles` is missing",
    ] {
        says(&broken, expected);
    }

    // The folder is tracked: what is added, removed or changed is noticed.
    fs::write(system.join("BASE-plan.md"), base).expect("written");
    fs::remove_file(system.join("CLAUDE-plan.md")).expect("removed");
    let mended = build();
    assert!(mended.status.success(), "{}", String::from_utf8_lossy(&mended.stderr));
    fs::write(folder.path().join("templates/shared/more.md"), "More.\n").expect("written");
    says(
        &build(),
        "warning: agentd-flows@0.1.0: templates/shared/more.md:1:1: no template includes this fragment [unused-fragment]",
    );
    fs::write(system.join("BASE-review.md"), "").expect("written");
    says(&build(), "templates/system/BASE-review.md:1:1: this file is empty [empty-file]");

    // So is the contract that the templates are held to.
    let contract = folder.path().join("templates/contract.toml");
    let text = fs::read_to_string(&contract).expect("the contract");
    let broken = text.replacen("sections = ", "section = ", 1);
    fs::write(&contract, broken).expect("written");
    says(&build(), "error: agentd-flows@0.1.0: templates/contract.toml:");
    says(&build(), ": there is no key `section` here [unknown-key]");
}

#[test]
fn another_crate_compiles_its_own_templates_and_renders_them() {
    let folder = tempfile::tempdir().expect("a folder");
    for file in files("tests/fixture-crate", "") {
        if file.contains("/target/") {
            continue;
        }
        let below = file.strip_prefix("tests/fixture-crate/").expect("a file of the fixture");
        copy(&repository(&file), &folder.path().join(below));
    }
    let manifest = fs::read_to_string(folder.path().join("Cargo.toml")).expect("the manifest");
    let root = repository("").display().to_string();
    fs::write(folder.path().join("Cargo.toml"), manifest.replace("../..", &root)).expect("written");
    copy(&repository("Cargo.lock"), &folder.path().join("Cargo.lock"));

    let output = cargo(folder.path(), &["run", "--quiet"]);
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.starts_with("BASE-implement.md\n# implement\n"), "{stdout}");
    assert!(stdout.contains("A literal {{brace}} stays."), "{stdout}");
    assert!(
        stdout.contains("a fixture\n1.1 {{TASKS}}\nContext not provided: ARTIFACTS\n"),
        "{stdout}"
    );
}
