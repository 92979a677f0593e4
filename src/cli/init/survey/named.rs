//! Build files that are recognised by their name, and recipes of make and just.

use super::files::Files;
use super::part::{Part, line};

/// A build tool: its file, its language, and how it builds and tests.
struct Tool {
    file: &'static str,
    language: &'static str,
    build: &'static str,
    test: Option<&'static str>,
    /// What its commands create.
    leaves: &'static [&'static str],
    /// A program beside the file that replaces the installed one.
    wrapper: Option<&'static str>,
    /// A note for the user.
    note: Option<&'static str>,
}

/// Maven has no variable for the folder that it downloads to.
const MAVEN: &str = "Maven downloads into ~/.m2, where checks cannot write in the sandbox: download first (`mvn dependency:go-offline`), or set \
                     `check_write = [\"~/.m2\"]` in `[sandbox]`";

const TOOLS: [Tool; 10] = [
    Tool {
        wrapper: Some("mvnw"),
        note: Some(MAVEN),
        ..tool("pom.xml", "Java (Maven)", "mvn -B compile", Some("mvn -B test"), &["target/"])
    },
    Tool { wrapper: Some("gradlew"), ..gradle("build.gradle") },
    Tool { wrapper: Some("gradlew"), ..gradle("build.gradle.kts") },
    tool("mix.exs", "Elixir", "mix compile", Some("mix test"), &["_build/"]),
    tool("Package.swift", "Swift", "swift build", Some("swift test"), &[".build/"]),
    tool("build.sbt", "Scala", "sbt compile", Some("sbt test"), &["target/"]),
    tool("stack.yaml", "Haskell", "stack build", Some("stack test"), &[".stack-work/"]),
    tool("dune-project", "OCaml", "dune build", Some("dune test"), &["_build/"]),
    tool("build.zig", "Zig", "zig build", Some("zig build test"), &["zig-out/"]),
    tool("CMakeLists.txt", "C or C++ (CMake)", "cmake -B build && cmake --build build", None, &[]),
];

const fn tool(
    file: &'static str,
    language: &'static str,
    build: &'static str,
    test: Option<&'static str>,
    leaves: &'static [&'static str],
) -> Tool {
    Tool { file, language, build, test, leaves, wrapper: None, note: None }
}

const fn gradle(file: &'static str) -> Tool {
    tool(file, "Gradle", "gradle assemble", Some("gradle test"), &["build/", ".gradle/"])
}

/// Files with recipes, each with what runs them.
const RECIPES: [(&str, &str); 4] =
    [("justfile", "just"), ("Justfile", "just"), ("Makefile", "make"), ("makefile", "make")];

/// Returns the packages in a folder. A package of the same kind above it builds what is below, except for Go, where
/// each is separate.
pub(super) fn parts(files: &Files, folder: &str, parts: &[Part]) -> Vec<Part> {
    let has = |name: &str| files.has(folder, name);
    let is_new = |tool: &&Tool| {
        has(tool.file)
            && !parts.iter().any(|part| part.language == tool.language && part.is_above(folder))
    };
    let found = TOOLS.iter().filter(is_new).map(|tool| {
        let wrapped = |command: &str| match tool.wrapper.filter(|name| has(name)) {
            Some(wrapper) => {
                let rest = command.split_once(' ').map_or("", |(_, rest)| rest);
                format!("./{wrapper} {rest}")
            }
            None => command.to_owned(),
        };
        Part {
            build: Some(wrapped(tool.build)),
            test: tool.test.map(wrapped),
            leaves: tool.leaves.iter().map(|name| (*name).to_owned()).collect(),
            notes: tool.note.map(str::to_owned).into_iter().collect(),
            ..Part::of(folder, tool.file, tool.language)
        }
    });
    go(files, folder).into_iter().chain(found).collect()
}

fn go(files: &Files, folder: &str) -> Option<Part> {
    let text = files.text(folder, "go.mod").filter(|_| files.has(folder, "go.mod"))?;
    let module = text.lines().find_map(|line| line.trim().strip_prefix("module "));
    let name = module.and_then(|module| module.trim().trim_matches('"').rsplit('/').next());
    let fetches = files.has(folder, "go.sum") && !files.has(folder, "vendor/modules.txt");
    Some(Part {
        name: name.and_then(line),
        setup: fetches.then(|| "go mod download".to_owned()).into_iter().collect(),
        build: Some("go build ./...".to_owned()),
        test: Some("go test ./...".to_owned()),
        ..Part::of(folder, "go.mod", "Go")
    })
}

/// Finds which of the usual recipes the root has.
pub(super) fn recipes(files: &Files) -> Option<Part> {
    let mut parts = RECIPES.into_iter().filter_map(|(file, runner)| {
        let text = files.text("", file).filter(|_| files.has("", file))?;
        let has = |name: &str| {
            text.lines().any(|line| is_head(line, name)).then(|| format!("{runner} {name}"))
        };
        let test = has("test").or_else(|| has("check"));
        let build = has("build").or_else(|| has("all"));
        let found = test.is_some() || build.is_some();
        found.then(|| Part { build, test, is_recipe: true, ..Part::of("", file, "") })
    });
    let first = parts.next()?;
    let has_test = first.test.is_some();
    if has_test { Some(first) } else { parts.find(|part| part.test.is_some()).or(Some(first)) }
}

/// Returns whether a line starts a recipe: its name, optional parameters, and a colon that is not an assignment.
fn is_head(line: &str, name: &str) -> bool {
    let Some(rest) = line.strip_prefix(name) else { return false };
    let Some((parameters, more)) = rest.split_once(':') else { return false };
    let is_whole = parameters.is_empty() || parameters.starts_with(char::is_whitespace);
    is_whole && !more.starts_with('=')
}

#[cfg(test)]
mod tests {
    use super::super::tests::{commands, found};

    fn tests(files: &[(&str, &str)]) -> Vec<String> {
        commands(files).1
    }

    #[test]
    fn the_wrapper_of_a_build_is_used_where_there_is_one() {
        assert_eq!(tests(&[("pom.xml", "")]), ["mvn -B test"]);
        assert_eq!(tests(&[("pom.xml", ""), ("mvnw", "")]), ["./mvnw -B test"]);
        assert_eq!(tests(&[("pom.xml", ""), ("core/pom.xml", "")]), ["mvn -B test"]);
        let gradle = [("app/build.gradle.kts", ""), ("app/gradlew", "")];
        assert_eq!(tests(&gradle), ["cd app && ./gradlew test"]);
    }

    #[test]
    fn modules_of_go_are_fetched_and_tested_each() {
        let module = "module example.org/me/shop\n";
        assert_eq!(found(&[("go.mod", module)]).parts[0].name.as_deref(), Some("shop"));
        let (setup, tests) =
            commands(&[("go.mod", module), ("go.sum", ""), ("tools/go.mod", module)]);
        assert_eq!(setup, ["go mod download"]);
        assert_eq!(tests, ["go test ./...", "cd tools && go test ./..."]);
    }

    #[test]
    fn recipes_count_where_nothing_else_tells_how_to_test() {
        let make = "CC := cc\ntest := no\nall: x\n\tcc x.c\ncheck : all\n\t./x\n";
        assert_eq!(tests(&[("Makefile", make)]), ["make check"]);
        assert_eq!(tests(&[("Makefile", "test: x\n"), ("CMakeLists.txt", "")]), ["make test"]);
        assert_eq!(tests(&[("Makefile", "test: x\n"), ("go.mod", "")]), ["go test ./..."]);
        assert_eq!(tests(&[("justfile", "test filter='':\n\t./x\n")]), ["just test"]);
        assert_eq!(
            tests(&[("justfile", "build:\n\t./x\n"), ("Makefile", "test:\n")]),
            ["make test"]
        );
        assert_eq!(tests(&[("justfile", "testing:\n"), ("Makefile", "test x\n")]), [""; 0]);
        assert_eq!(found(&[("Makefile", "clean:\n\trm x\n")]).parts, []);
    }
}
