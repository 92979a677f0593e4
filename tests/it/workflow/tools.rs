//! Projects of real tools in the sandbox: they are set up, built and tested where they may write little, without a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::scene::{ID, Scene};
use crate::project::ran;
use crate::support::skipped;

/// A project of one tool.
struct Project {
    files: &'static [(&'static str, &'static str)],
    ignored: &'static str,
    setup: &'static [&'static str],
    checks: &'static [&'static str],
    /// What checks may write beside their workspace.
    write: &'static [&'static str],
}

/// Finds a program that works, or tells that the tests which need it are skipped.
pub(super) fn found(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    let works = command.status().is_ok_and(|status| status.success());
    if !works {
        skipped(&format!("1 test, for `{program}` is not installed"));
    }
    works
}

/// Runs a small change in a project, whose setup and checks must pass before it and after it.
fn is_built_and_tested(project: &Project, variables: &[(&str, PathBuf)]) {
    let scene = Scene::new();
    for (path, text) in project.files {
        scene.write(&format!("repo/{path}"), text);
    }
    scene.write("repo/.gitignore", project.ignored);
    scene.git(&["add", "--all"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    scene.git(&[&who[..], &["commit", "--quiet", "-m", "Project"]].concat());
    let Project { setup, checks, write, .. } = project;
    scene.write(
        "user.toml",
        format!("[sandbox]\ncheck_write = {write:?}\n[workspace]\nsetup = {setup:?}\n[verify]\ncommands = {checks:?}\n"),
    );
    let mut run =
        scene.agentd(&["run", ID, "Add a login page", "--flow", "quick", "--agent", "offline"]);
    run.envs(variables.iter().cloned());
    ran(&mut run).exits(0).prints("sandbox    files, signals");
    ran(&mut scene.agentd(&["status", ID])).exits(0).prints("checks     green");
    let home = fs::read_dir(scene.path("home")).expect("a home");
    let home: Vec<_> = home.flatten().map(|entry| entry.file_name()).collect();
    assert!(home.iter().all(|name| name == ".local"), "nothing is written to the home: {home:?}");
}

/// Returns the search path on which the toolchain of this test is found first.
pub(super) fn toolchain() -> (&'static str, PathBuf) {
    let cargo = PathBuf::from(env!("CARGO"));
    let toolchain = cargo.parent().expect("a folder").to_owned();
    let path = std::env::var("PATH").expect("a PATH");
    ("PATH", format!("{}:{path}", toolchain.display()).into())
}

#[test]
fn a_cargo_project_is_built_and_tested_in_the_sandbox() {
    let project = Project {
        files: &[
            (
                "Cargo.toml",
                "[package]\nname = \"shop\"\nedition = \"2021\"\n[dependencies]\nprice = { path = \"price\" }\n",
            ),
            (
                "src/lib.rs",
                "pub fn total() -> u32 { price::of(2) }\n#[test]\nfn adds() { assert_eq!(total(), 6) }\n",
            ),
            ("src/main.rs", "fn main() {}\n"),
            ("price/Cargo.toml", "[package]\nname = \"price\"\nedition = \"2021\"\n"),
            ("price/src/lib.rs", "pub fn of(count: u32) -> u32 { count * 3 }\n"),
            ("price/build.rs", "fn main() { println!(\"cargo::rerun-if-changed=build.rs\"); }\n"),
        ],
        ignored: "target/\nCargo.lock\n",
        setup: &["cargo fetch --offline"],
        checks: &["cargo test --offline --quiet", "cargo build --offline --quiet"],
        write: &[],
    };
    is_built_and_tested(&project, &[toolchain()]);
}

#[test]
fn an_npm_project_is_installed_and_tested_in_the_sandbox() {
    if !found("npm", &["--version"]) || !found("node", &["--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (
                "package.json",
                r#"{ "name": "shop", "private": true, "dependencies": { "price": "file:./price" },
                     "scripts": { "postinstall": "node -e \"require('fs').writeFileSync('node_modules/.ready', '')\"", "test": "node --test" } }"#,
            ),
            ("price/package.json", r#"{ "name": "price", "version": "1.0.0" }"#),
            ("price/index.js", "exports.of = count => count * 3;\n"),
            (
                "shop.test.js",
                "const test = require('node:test');\ntest('adds', () => { if (require('price').of(2) !== 6) throw new Error(); });\n",
            ),
        ],
        ignored: "node_modules/\npackage-lock.json\n",
        setup: &["npm install --offline --no-audit --no-fund"],
        checks: &["test -e node_modules/.ready && npm test"],
        write: &[],
    };
    is_built_and_tested(&project, &[]);
}

/// A wheel of nothing but one function, made without a build tool.
const WHEEL: &str = "import zipfile\n\
    with zipfile.ZipFile('wheels/price-1.0-py3-none-any.whl', 'w') as wheel:\n\
    \x20   wheel.writestr('price.py', 'def of(count): return count * 3\\n')\n\
    \x20   info = 'price-1.0.dist-info/'\n\
    \x20   wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: price\\nVersion: 1.0\\n')\n\
    \x20   wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: shop\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n\
    \x20   wheel.writestr(info + 'RECORD', 'price.py,,\\nprice-1.0.dist-info/METADATA,,\\nprice-1.0.dist-info/WHEEL,,\\nprice-1.0.dist-info/RECORD,,\\n')\n";

#[test]
fn a_python_project_is_installed_with_pip_and_tested_in_the_sandbox() {
    if !found("python3", &["-m", "ensurepip", "--version"]) {
        return;
    }
    let project = Project {
        files: &[
            ("wheel.py", WHEEL),
            ("wheels/.gitkeep", ""),
            (
                "test_shop.py",
                "import unittest, price\n\nclass Shop(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(price.of(2), 6)\n",
            ),
        ],
        ignored: ".venv/\n*.whl\n__pycache__/\n.pytest_cache/\n",
        setup: &[
            "python3 -m venv .venv",
            "python3 wheel.py",
            ".venv/bin/pip install --quiet --no-index --find-links wheels price",
        ],
        checks: &[".venv/bin/python -m unittest"],
        write: &[],
    };
    is_built_and_tested(&project, &[]);
}

#[test]
fn a_project_of_pytest_is_tested_in_the_sandbox() {
    if !found("python3", &["-m", "pytest", "--version"]) {
        return;
    }
    let project = Project {
        files: &[(
            "test_shop.py",
            "def test_adds(tmp_path):\n    (tmp_path / 'sum').write_text('6')\n    assert (tmp_path / 'sum').read_text() == '6'\n",
        )],
        ignored: "__pycache__/\n.pytest_cache/\n",
        setup: &[],
        checks: &["python3 -m pytest -q"],
        write: &[],
    };
    is_built_and_tested(&project, &[]);
}

#[test]
fn a_program_that_makes_terminals_works_in_the_sandbox_where_it_may() {
    if !Path::new("/dev/ptmx").exists() || !found("script", &["--version"]) {
        return;
    }
    let project = Project {
        files: &[("README", "Shop\n")],
        ignored: "*.log\n",
        setup: &[],
        checks: &["script -qec 'test -t 1' typescript.log"],
        write: &["/dev/pts"],
    };
    is_built_and_tested(&project, &[]);
}
