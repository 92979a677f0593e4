//! The first change in projects of real tools: `agentd init`, a commit and `agentd run`, in the sandbox and without a network.

use std::path::PathBuf;
use std::process::Command;

use super::scene::{ID, Scene};
use super::tools::{found, toolchain};
use crate::project::ran;

/// A project as its user has it.
struct Project {
    files: &'static [(&'static str, &'static str)],
    setup: &'static [&'static str],
    checks: &'static [&'static str],
}

/// Commits all that is there.
fn commit(scene: &Scene, message: &str) {
    scene.git(&["add", "--all"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    scene.git(&[&who[..], &["commit", "--quiet", "-m", message]].concat());
}

/// Makes the project and its first change, with nothing but what `agentd init` writes.
fn is_archived(project: &Project, prepare: impl FnOnce(&Scene), variables: &[(&str, PathBuf)]) {
    let scene = Scene::new();
    scene.write("user.toml", "");
    for (path, text) in project.files {
        scene.write(&format!("repo/{path}"), text);
    }
    prepare(&scene);
    commit(&scene, "Project");
    let with = |arguments: &[&str]| {
        let mut command = scene.agentd(arguments);
        command.envs(variables.iter().cloned());
        ran(&mut command)
    };
    let init = with(&["init", "--yes"]).exits(0);
    assert_eq!(init.stderr, "", "nothing stands in the way");
    let lines = |start: &str| -> Vec<&str> {
        init.stdout.lines().filter_map(|line| line.strip_prefix(start)).collect()
    };
    assert_eq!(lines("copies of the code are set up with: "), project.setup);
    assert_eq!(lines("changes are verified with: "), project.checks);
    commit(&scene, "Set up agentd");
    let run = ["run", ID, "Add a login page", "--flow", "quick", "--agent", "offline"];
    let run = with(&run).exits(0).prints("archived   ");
    for check in project.checks {
        assert!(run.stdout.contains(&format!("passed: {check}")), "{check}\n{}", run.stdout);
    }
    with(&["status", ID]).exits(0).prints("checks     green");
    assert_eq!(
        scene.git(&["status", "--porcelain", "--", ":!agentd"]),
        "",
        "the checkout is as it was"
    );
}

#[test]
fn of_an_npm_project_with_a_dependency() {
    if !found("npm", &["--version"]) || !found("node", &["--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (".gitignore", "node_modules/\n"),
            (
                "package.json",
                r#"{ "name": "shop", "version": "1.0.0", "dependencies": { "price": "file:price" }, "scripts": { "test": "node --test" } }"#,
            ),
            (
                "package-lock.json",
                r#"{ "name": "shop", "version": "1.0.0", "lockfileVersion": 3, "requires": true, "packages": {
                     "": { "name": "shop", "version": "1.0.0", "dependencies": { "price": "file:price" } },
                     "node_modules/price": { "resolved": "price", "link": true },
                     "price": { "version": "1.0.0" } } }"#,
            ),
            ("price/package.json", r#"{ "name": "price", "version": "1.0.0" }"#),
            ("price/index.js", "exports.of = count => count * 3;\n"),
            (
                "shop.test.js",
                "const test = require('node:test');\ntest('adds', () => { if (require('price').of(2) !== 6) throw new Error(); });\n",
            ),
        ],
        setup: &["npm ci"],
        checks: &["npm test"],
    };
    is_archived(&project, |_| {}, &[]);
}

#[test]
fn of_a_monorepo_of_two_packages() {
    if !found("npm", &["--version"]) || !found("node", &["--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (".gitignore", "node_modules/\n"),
            (
                "package.json",
                r#"{ "name": "mono", "private": true, "workspaces": ["packages/*"] }"#,
            ),
            (
                "package-lock.json",
                r#"{ "name": "mono", "lockfileVersion": 3, "requires": true, "packages": {
                     "": { "name": "mono", "workspaces": ["packages/*"] },
                     "node_modules/price": { "resolved": "packages/price", "link": true },
                     "node_modules/shop": { "resolved": "packages/shop", "link": true },
                     "packages/price": { "version": "1.0.0" },
                     "packages/shop": { "version": "1.0.0", "dependencies": { "price": "1.0.0" } } } }"#,
            ),
            (
                "packages/price/package.json",
                r#"{ "name": "price", "version": "1.0.0", "scripts": { "test": "node -e \"if (require('.').of(2) !== 6) process.exit(1)\"" } }"#,
            ),
            ("packages/price/index.js", "exports.of = count => count * 3;\n"),
            (
                "packages/shop/package.json",
                r#"{ "name": "shop", "version": "1.0.0", "dependencies": { "price": "1.0.0" }, "scripts": { "test": "node -e \"if (require('price').of(2) !== 6) process.exit(1)\"" } }"#,
            ),
        ],
        setup: &["npm ci"],
        checks: &["cd packages/price && npm test", "cd packages/shop && npm test"],
    };
    is_archived(&project, |_| {}, &[]);
}

/// A wheel of nothing but one function, made without a build tool.
const WHEEL: &str = "import os, zipfile\n\
    os.mkdir('wheels')\n\
    with zipfile.ZipFile('wheels/price-1.0-py3-none-any.whl', 'w') as wheel:\n\
    \x20   wheel.writestr('price.py', 'def of(count): return count * 3\\n')\n\
    \x20   info = 'price-1.0.dist-info/'\n\
    \x20   wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: price\\nVersion: 1.0\\n')\n\
    \x20   wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: shop\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n\
    \x20   wheel.writestr(info + 'RECORD', 'price.py,,\\nprice-1.0.dist-info/METADATA,,\\nprice-1.0.dist-info/WHEEL,,\\nprice-1.0.dist-info/RECORD,,\\n')\n";

#[test]
fn of_a_python_project_with_requirements() {
    if !found("python3", &["-m", "ensurepip", "--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (".gitignore", ".venv/\n__pycache__/\n"),
            ("requirements.txt", "--no-index\n--find-links wheels\nprice\n"),
            (
                "tests/test_shop.py",
                "import unittest, price, shop\n\nclass Shop(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(price.of(2), shop.TOTAL)\n",
            ),
            ("shop.py", "TOTAL = 6\n"),
        ],
        setup: &["python3 -m venv .venv", ".venv/bin/pip install --quiet -r requirements.txt"],
        checks: &[".venv/bin/python -m unittest discover -s tests"],
    };
    let make_wheel = |scene: &Scene| {
        let mut python = Command::new("python3");
        let made = python.args(["-c", WHEEL]).current_dir(scene.path("repo")).status();
        assert!(made.expect("python runs").success(), "no wheel");
    };
    is_archived(&project, make_wheel, &[]);
}

#[test]
fn of_a_python_project_with_pytest() {
    if !found("python3", &["-m", "pytest", "--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (".gitignore", "__pycache__/\n"),
            ("pytest.ini", "[pytest]\n"),
            ("tests/test_shop.py", "def test_adds():\n    assert 2 * 3 == 6\n"),
        ],
        setup: &[],
        checks: &["python3 -m pytest"],
    };
    is_archived(&project, |_| {}, &[]);
}

#[test]
fn of_a_rust_workspace_of_two_crates() {
    let project = Project {
        files: &[
            (".gitignore", "/target\n"),
            ("Cargo.toml", "[workspace]\nmembers = [\"price\", \"shop\"]\nresolver = \"2\"\n"),
            (
                "Cargo.lock",
                "version = 3\n\n[[package]]\nname = \"price\"\nversion = \"1.0.0\"\n\n\
                 [[package]]\nname = \"shop\"\nversion = \"1.0.0\"\ndependencies = [\n \"price\",\n]\n",
            ),
            (
                "price/Cargo.toml",
                "[package]\nname = \"price\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
            ),
            ("price/src/lib.rs", "pub fn of(count: u32) -> u32 { count * 3 }\n"),
            (
                "shop/Cargo.toml",
                "[package]\nname = \"shop\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\nprice = { path = \"../price\" }\n",
            ),
            (
                "shop/src/lib.rs",
                "pub fn total() -> u32 { price::of(2) }\n#[test]\nfn adds() { assert_eq!(total(), 6) }\n",
            ),
        ],
        setup: &[],
        checks: &["cargo test --workspace"],
    };
    is_archived(&project, |_| {}, &[toolchain()]);
}

#[test]
fn of_a_backend_beside_a_frontend() {
    if !found("npm", &["--version"]) || !found("python3", &["--version"]) {
        return;
    }
    let project = Project {
        files: &[
            (".gitignore", "__pycache__/\n"),
            ("backend/setup.cfg", "[metadata]\nname = shop\n"),
            (
                "backend/test_shop.py",
                "import unittest\n\nclass Shop(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(2 * 3, 6)\n",
            ),
            (
                "frontend/package.json",
                r#"{ "name": "front", "scripts": { "test": "node --version" } }"#,
            ),
        ],
        setup: &[],
        checks: &["cd backend && python3 -m unittest", "cd frontend && npm test"],
    };
    is_archived(&project, |_| {}, &[]);
}
