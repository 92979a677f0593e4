//! Packages of Python: uv, poetry, or pip in `.venv`; tested with pytest or unittest.

use serde_json::Value;

use super::files::Files;
use super::part::{Part, has_entries, toml};

const FILE: &str = "pyproject.toml";
const LANGUAGE: &str = "Python";

/// Files that identify a package, the most informative first.
const FILES: [&str; 4] = [FILE, "setup.py", "setup.cfg", "requirements.txt"];

/// Files that list what pip installs.
const REQUIREMENTS: [&str; 6] = [
    "requirements.txt",
    "requirements-dev.txt",
    "requirements-test.txt",
    "dev-requirements.txt",
    "test-requirements.txt",
    "requirements_dev.txt",
];

/// Names under which a package lists the dependencies of its tests.
const EXTRAS: [&str; 4] = ["dev", "test", "testing", "tests"];

/// Files that may configure pytest, each with the text that shows it.
const CONFIGURED: [(&str, &str); 5] = [
    (FILE, "[tool.pytest"),
    ("pytest.ini", ""),
    ("tox.ini", "[pytest]"),
    ("setup.cfg", "[tool:pytest]"),
    ("conftest.py", ""),
];

/// How a package is installed, and how its Python is run.
struct Installed {
    setup: Vec<String>,
    python: &'static str,
    leaves: Vec<String>,
}

/// Returns the package in a folder. A package above it that has tests tests what is below.
pub(super) fn part(files: &Files, folder: &str, parts: &[Part]) -> Option<Part> {
    let file = files.first(folder, &FILES);
    let uses_pytest = uses_pytest(files, folder);
    let is_tested = || uses_pytest || unittest(files, folder).is_some();
    let is_covered = parts
        .iter()
        .any(|part| part.language == LANGUAGE && part.test.is_some() && part.is_above(folder));
    if is_covered || file.is_none() && !(folder.is_empty() && is_tested()) {
        return None;
    }
    let text = files.text(folder, FILE).filter(|_| files.has(folder, FILE)).unwrap_or_default();
    let manifest = toml(&text);
    let project = &manifest["project"];
    let table = if project.is_null() { &manifest["tool"]["poetry"] } else { project };
    let Installed { setup, python, leaves } = install(files, folder, &manifest, uses_pytest);
    let test = if uses_pytest { Some("-m pytest".to_owned()) } else { unittest(files, folder) };
    let part = Part::of(folder, file.unwrap_or("test files"), LANGUAGE).described(table);
    Some(Part { setup, test: test.map(|test| format!("{python} {test}")), leaves, ..part })
}

fn install(files: &Files, folder: &str, manifest: &Value, uses_pytest: bool) -> Installed {
    let cached = "__pycache__/".to_owned();
    for (lock, setup, python, venv) in [
        ("uv.lock", "uv sync", "uv run python", Some(".venv/")),
        ("poetry.lock", "poetry install", "poetry run python", None),
    ] {
        if files.has(folder, lock) {
            let leaves = venv.map(str::to_owned).into_iter().chain([cached]).collect();
            return Installed { setup: vec![setup.to_owned()], python, leaves };
        }
    }
    let mut words = Vec::new();
    let mut needs = String::new();
    for file in REQUIREMENTS.iter().filter(|file| files.has(folder, file)) {
        words.push(format!("-r {file}"));
        needs.push_str(&files.text(folder, file).unwrap_or_default());
    }
    let mut leaves = vec![cached];
    let project = &manifest["project"];
    if has_entries(project) || files.has(folder, "setup.py") {
        let extras = &project["optional-dependencies"];
        let extras: Vec<_> = EXTRAS.into_iter().filter(|name| extras[*name].is_array()).collect();
        let listed = |lists: &Value| lists.to_string();
        needs.push_str(&listed(&project["dependencies"]));
        for name in &extras {
            needs.push_str(&listed(&project["optional-dependencies"][*name]));
        }
        words.push(match extras.as_slice() {
            [] => "-e .".to_owned(),
            extras => format!("-e '.[{}]'", extras.join(",")),
        });
        let backend = manifest["build-system"]["build-backend"].as_str().unwrap_or("setuptools");
        if backend.contains("setuptools") {
            let name = project["name"].as_str().unwrap_or("package").replace(['-', '.'], "_");
            leaves.push(format!("{name}.egg-info/"));
        }
    }
    if words.is_empty() {
        return Installed { setup: Vec::new(), python: "python3", leaves };
    }
    if uses_pytest && !needs.contains("pytest") {
        words.push("pytest".to_owned());
    }
    leaves.insert(0, ".venv/".to_owned());
    let pip = format!(".venv/bin/pip install --quiet {}", words.join(" "));
    let setup = vec!["python3 -m venv .venv".to_owned(), pip];
    Installed { setup, python: ".venv/bin/python", leaves }
}

/// Returns whether pytest is configured or needed.
fn uses_pytest(files: &Files, folder: &str) -> bool {
    let text = |file: &str| files.text(folder, file).filter(|_| files.has(folder, file));
    let is_configured =
        CONFIGURED.iter().any(|(file, word)| text(file).is_some_and(|text| text.contains(word)));
    let names = |line: &str| {
        let line = line.trim_start_matches(|c: char| c.is_whitespace() || "\"'[,".contains(c));
        line.strip_prefix("pytest").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let lists = |file: &&str| text(file).is_some_and(|text| text.lines().any(names));
    let manifest = text(FILE).is_some_and(|text| text.split([',', '[', '=', '\n']).any(names));
    is_configured || manifest || REQUIREMENTS.iter().any(lists)
}

/// Returns the command for the tests that unittest finds, if there are any.
fn unittest(files: &Files, folder: &str) -> Option<String> {
    let is_test = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.starts_with("test")
            && std::path::Path::new(name).extension().is_some_and(|it| it == "py")
    };
    let speaks_of_it =
        |path: &&str| files.text(folder, path).is_some_and(|text| text.contains("unittest"));
    let found: Vec<&str> =
        files.below(folder).filter(|path| is_test(path)).filter(speaks_of_it).collect();
    let in_folder = |below: &str| found.iter().any(|path| path.starts_with(below));
    if found.iter().any(|path| !path.contains('/')) {
        return Some("-m unittest".to_owned());
    }
    ["tests", "test"].into_iter().find(|name| in_folder(&format!("{name}/"))).map(|name| {
        // A folder that is a package is found from above, and may import its siblings.
        if files.has(folder, &format!("{name}/__init__.py")) {
            format!("-m unittest discover -s {name} -t .")
        } else {
            format!("-m unittest discover -s {name}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{commands, found};

    const TEST: (&str, &str) = ("tests/test_shop.py", "import unittest\n");
    const VENV: &str = "python3 -m venv .venv";

    fn of(files: &[(&str, &str)]) -> (String, String) {
        let (setup, tests) = commands(files);
        (setup.join("; "), tests.join("; "))
    }

    fn pair(setup: &str, tests: &str) -> (String, String) {
        (setup.to_owned(), tests.to_owned())
    }

    #[test]
    fn a_lock_file_says_which_tool_installs_and_runs() {
        let project = ("pyproject.toml", "[project]\nname = \"shop\"\n[tool.pytest.ini_options]\n");
        let uv = of(&[project, ("uv.lock", "")]);
        assert_eq!(uv, pair("uv sync", "uv run python -m pytest"));
        let poetry = of(&[project, ("poetry.lock", "")]);
        assert_eq!(poetry, pair("poetry install", "poetry run python -m pytest"));
    }

    #[test]
    fn without_one_pip_installs_into_a_folder_of_its_own() {
        let requirements = ("requirements.txt", "flask\n");
        let pip = |words: &str| format!("{VENV}; .venv/bin/pip install --quiet {words}");
        assert_eq!(of(&[requirements]), pair(&pip("-r requirements.txt"), ""));
        let dev = ("requirements-dev.txt", "pytest>=8\n");
        assert_eq!(
            of(&[requirements, dev]),
            pair(&pip("-r requirements.txt -r requirements-dev.txt"), ".venv/bin/python -m pytest")
        );
        let project =
            "[project]\nname = \"my-shop\"\noptional-dependencies = { test = [\"pytest\"] }\n";
        assert_eq!(
            of(&[("pyproject.toml", project)]),
            pair(&pip("-e '.[test]'"), ".venv/bin/python -m pytest")
        );
        assert_eq!(
            found(&[("pyproject.toml", project)]).unignored,
            [".venv/", "__pycache__/", "my_shop.egg-info/"]
        );
        let configured = "[project]\nname = \"shop\"\n[tool.pytest.ini_options]\n";
        assert_eq!(
            of(&[("pyproject.toml", configured)]),
            pair(&pip("-e . pytest"), ".venv/bin/python -m pytest")
        );
    }

    #[test]
    fn unittest_runs_where_there_are_such_tests_and_no_pytest() {
        let at_root = [("test_shop.py", "import unittest, shop\n"), ("shop.py", "")];
        assert_eq!(of(&at_root), pair("", "python3 -m unittest"));
        let setup = ("setup.cfg", "[metadata]\n");
        assert_eq!(of(&[TEST, setup]), pair("", "python3 -m unittest discover -s tests"));
        let package = ("tests/__init__.py", "");
        assert_eq!(
            of(&[TEST, setup, package]),
            pair("", "python3 -m unittest discover -s tests -t .")
        );
        let bare = ("tests/test_shop.py", "def test_it():\n    pass\n");
        assert_eq!(of(&[bare, setup]), pair("", ""), "no tool is known that runs it");
        assert_eq!(of(&[bare, ("pytest.ini", "[pytest]\n")]), pair("", "python3 -m pytest"));
        let plugin = ("requirements.txt", "pytestify\n");
        assert!(of(&[plugin]).1.is_empty());
    }

    #[test]
    fn a_package_in_a_folder_is_installed_there() {
        let (setup, tests) =
            commands(&[("backend/requirements.txt", "pytest\n"), ("frontend/package.json", "{}")]);
        assert_eq!(
            setup,
            [
                "cd backend && python3 -m venv .venv",
                "cd backend && .venv/bin/pip install --quiet -r requirements.txt"
            ]
        );
        assert_eq!(tests, ["cd backend && .venv/bin/python -m pytest"]);
    }
}
