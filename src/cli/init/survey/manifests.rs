//! What build files tell: pure functions from their text, and a table for those whose name says enough.

use serde_json::Value as Json;
use toml::Value as Toml;

use super::Part;

/// The longest description that is carried over.
const LONGEST: usize = 300;

/// A build file whose name says enough: how such projects are built and tested.
struct Known {
    file: &'static str,
    language: &'static str,
    build: Option<&'static str>,
    test: Option<&'static str>,
}

const KNOWN: [Known; 9] = [
    Known::new("pom.xml", "Java (Maven)", "mvn -B compile", "mvn -B test"),
    Known::new("gradlew", "Gradle", "./gradlew assemble", "./gradlew test"),
    Known::new("mix.exs", "Elixir", "mix compile", "mix test"),
    Known::new("Package.swift", "Swift", "swift build", "swift test"),
    Known::new("build.sbt", "Scala", "sbt compile", "sbt test"),
    Known::new("stack.yaml", "Haskell", "stack build", "stack test"),
    Known::new("dune-project", "OCaml", "dune build", "dune test"),
    Known::new("build.zig", "Zig", "zig build", "zig build test"),
    Known {
        file: "CMakeLists.txt",
        language: "C or C++ (CMake)",
        build: Some("cmake -B build && cmake --build build"),
        test: None,
    },
];

impl Known {
    const fn new(
        file: &'static str,
        language: &'static str,
        build: &'static str,
        test: &'static str,
    ) -> Self {
        Self { file, language, build: Some(build), test: Some(test) }
    }
}

/// Finds the parts of a project; `read` gives the text of a file in its root, if there is one.
pub(super) fn parts(read: impl Fn(&str) -> Option<String>) -> Vec<Part> {
    let mut parts = Vec::new();
    parts.extend(read("Cargo.toml").map(|text| cargo(&text)));
    parts.extend(read("package.json").map(|text| node(&text, runner(&read))));
    parts.extend(read("pyproject.toml").map(|text| python(&text, &read)));
    parts.extend(read("go.mod").map(|text| go(&text)));
    parts.extend(KNOWN.iter().filter(|known| read(known.file).is_some()).map(|known| Part {
        file: known.file,
        language: known.language,
        build: known.build.map(str::to_owned),
        test: known.test.map(str::to_owned),
        ..Part::default()
    }));
    if parts.iter().all(|part| part.test.is_none()) {
        parts.extend(read("justfile").and_then(|text| recipes("justfile", "just", &text)));
        parts.extend(read("Makefile").and_then(|text| recipes("Makefile", "make", &text)));
    }
    parts
}

fn cargo(text: &str) -> Part {
    let manifest = toml(text);
    let said = |key| line(manifest.get("package")?.get(key)?.as_str()?);
    let all = if manifest.get("workspace").is_some() { " --workspace" } else { "" };
    Part {
        file: "Cargo.toml",
        language: "Rust",
        name: said("name"),
        description: said("description"),
        build: Some(format!("cargo build{all}")),
        test: Some(format!("cargo test{all}")),
    }
}

fn node(text: &str, runner: &str) -> Part {
    let manifest: Json = serde_json::from_str(text).unwrap_or_default();
    let said = |key: &str| line(manifest[key].as_str()?);
    let script = |name: &str| manifest["scripts"][name].as_str();
    // What `npm init` writes says that there are no tests.
    let test = script("test").filter(|script| !script.contains("no test specified"));
    let typed = script("build").is_some_and(|script| script.contains("tsc"))
        || manifest["devDependencies"]["typescript"].is_string();
    Part {
        file: "package.json",
        language: if typed { "TypeScript" } else { "JavaScript" },
        name: said("name"),
        description: said("description"),
        build: script("build").map(|_| format!("{runner} run build")),
        test: test
            .map(|_| format!("{runner} test"))
            .map(|test| test.replace("bun test", "bun run test")),
    }
}

/// Tells the program that runs a package's scripts by the file in which it locks versions.
fn runner(read: &impl Fn(&str) -> Option<String>) -> &'static str {
    let locks = [("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun")];
    locks.iter().find(|(file, _)| read(file).is_some()).map_or("npm", |(_, runner)| runner)
}

fn python(text: &str, read: &impl Fn(&str) -> Option<String>) -> Part {
    let manifest = toml(text);
    let table = manifest
        .get("project")
        .or_else(|| manifest.get("tool").and_then(|tool| tool.get("poetry")));
    let said = |key| line(table?.get(key)?.as_str()?);
    let locks = [("uv.lock", "uv run "), ("poetry.lock", "poetry run ")];
    let runner =
        locks.iter().find(|(file, _)| read(file).is_some()).map_or("", |(_, runner)| runner);
    let test = text.contains("pytest").then(|| format!("{runner}python -m pytest"));
    Part {
        file: "pyproject.toml",
        language: "Python",
        name: said("name"),
        description: said("description"),
        build: None,
        test,
    }
}

fn go(text: &str) -> Part {
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    let name = module.and_then(|module| module.trim().trim_matches('"').rsplit('/').next());
    Part {
        file: "go.mod",
        language: "Go",
        name: name.and_then(line),
        description: None,
        build: Some("go build ./...".to_owned()),
        test: Some("go test ./...".to_owned()),
    }
}

/// Reads which of the usual recipes a file has.
fn recipes(file: &'static str, runner: &str, text: &str) -> Option<Part> {
    let has = |name: &str| {
        let head = |line: &str| {
            line.strip_prefix(name)
                .is_some_and(|rest| rest.trim_start().starts_with(':') && !rest.contains(":="))
        };
        text.lines().any(head).then(|| format!("{runner} {name}"))
    };
    let test = has("test").or_else(|| has("check"));
    let build = has("build").or_else(|| has("all"));
    (test.is_some() || build.is_some()).then(|| Part {
        file,
        language: "",
        build,
        test,
        ..Part::default()
    })
}

fn toml(text: &str) -> Toml {
    text.parse::<toml::Table>().map_or_else(|_| Toml::Table(toml::Table::new()), Toml::Table)
}

/// Takes text that fits on a line, without what a terminal would obey.
fn line(text: &str) -> Option<String> {
    let text: Vec<_> = text.split_whitespace().collect();
    let text: String = text.join(" ").chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Part> {
        parts(|path| {
            files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned())
        })
    }

    fn tests(files: &[(&str, &str)]) -> Vec<String> {
        found(files).into_iter().filter_map(|part| part.test).collect()
    }

    #[test]
    fn build_files_tell_name_description_and_commands() {
        let cargo = "[package]\nname = \"shop\"\ndescription = \"Sells\\n things.\"\n";
        let part = found(&[("Cargo.toml", cargo)]).remove(0);
        assert_eq!((part.name.as_deref(), part.language), (Some("shop"), "Rust"));
        assert_eq!(part.description.as_deref(), Some("Sells things."));
        assert_eq!(part.build.as_deref(), Some("cargo build"));
        assert_eq!(tests(&[("Cargo.toml", "[workspace]\n")]), ["cargo test --workspace"]);
        assert_eq!(tests(&[("go.mod", "module example.org/me/shop\n")]), ["go test ./..."]);
        assert_eq!(
            found(&[("go.mod", "module example.org/me/shop\n")])[0].name.as_deref(),
            Some("shop")
        );
    }

    #[test]
    fn a_package_is_tested_by_its_own_runner_and_only_if_it_has_tests() {
        let with = r#"{"name": "web", "scripts": {"test": "vitest", "build": "tsc"}}"#;
        assert_eq!(tests(&[("package.json", with)]), ["npm test"]);
        assert_eq!(tests(&[("package.json", with), ("pnpm-lock.yaml", "")]), ["pnpm test"]);
        assert_eq!(tests(&[("package.json", with), ("bun.lock", "")]), ["bun run test"]);
        assert_eq!(found(&[("package.json", with)])[0].language, "TypeScript");
        let without = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
        assert_eq!(tests(&[("package.json", without)]), [""; 0]);
        assert_eq!(tests(&[("package.json", "not JSON")]), [""; 0]);
    }

    #[test]
    fn python_is_tested_where_it_speaks_of_pytest() {
        let with = "[project]\nname = \"tool\"\n[tool.pytest.ini_options]\n";
        assert_eq!(tests(&[("pyproject.toml", with)]), ["python -m pytest"]);
        assert_eq!(
            tests(&[("pyproject.toml", with), ("uv.lock", "")]),
            ["uv run python -m pytest"]
        );
        assert_eq!(tests(&[("pyproject.toml", "[project]\nname = \"tool\"\n")]), [""; 0]);
    }

    #[test]
    fn recipes_count_where_nothing_else_tells_how_to_test() {
        let make = "CC := cc\ntest := no\nall: x\n\tcc x.c\ncheck : all\n\t./x\n";
        assert_eq!(tests(&[("Makefile", make)]), ["make check"]);
        assert_eq!(tests(&[("Makefile", "test: x\n"), ("CMakeLists.txt", "")]), ["make test"]);
        assert_eq!(tests(&[("Makefile", "test: x\n"), ("go.mod", "")]), ["go test ./..."]);
        assert_eq!(found(&[("Makefile", "clean:\n\trm x\n")]), []);
    }
}
