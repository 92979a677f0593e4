//! Every identity, broken in every way its frontmatter can be: exactly that defect at the right line.

use agentd::catalog::{CATALOG, IdentityTemplate};
use agentd::compile::{Code, Severity, Sources, compile, report};

use crate::support::{files, read};

/// The errors of the repository's templates with one file changed or added, as (code, file, line).
fn errors(path: &str, text: &str) -> (Vec<(Code, String, usize)>, String) {
    let mut sources = Sources::new("templates");
    let below = |file: &str| file.strip_prefix("templates/").expect("a template").to_owned();
    for file in files("templates", ".md").iter().filter(|file| below(file) != path) {
        sources.add(&below(file), read(file).into_bytes());
    }
    sources.add(path, text.as_bytes().to_vec());
    let compilation = compile(sources);
    let found =
        compilation.diagnostics.iter().filter(|d| d.code.severity() == Severity::Error).map(
            |diagnostic| {
                let line = report::position(diagnostic.place, &compilation.sources).line;
                (diagnostic.code, compilation.sources.get(diagnostic.place.file).path.clone(), line)
            },
        );
    (found.collect(), report::human(&compilation, report::Colors::Off))
}

/// A way to break an identity: what was done, the text, and the defect with its line, 0 for any.
type Case = (&'static str, String, Code, usize);

/// What can be broken in every identity.
fn cases(identity: &IdentityTemplate, text: &str) -> Vec<Case> {
    let line_of = |part: &str| line_of(text, part);
    let swapped = |from: &str, to: &str| text.replacen(from, to, 1);
    let lines = text.lines().count();
    let name = format!("name: {}\n", identity.name);
    let category = format!("category: {}\n", identity.category);
    let at_category = line_of("category:");
    vec![
        ("no frontmatter", identity.body.to_owned(), Code::MissingFrontmatter, 1),
        ("frontmatter not closed", swapped("\n---\n", "\n"), Code::UnclosedMarker, 1),
        ("no YAML", swapped("category: ", "category: ["), Code::FrontmatterSyntax, 0),
        (
            "key twice",
            swapped("category: ", "name: x\ncategory: "),
            Code::FrontmatterSyntax,
            at_category,
        ),
        ("no name", swapped(&name, ""), Code::FrontmatterField, 2),
        ("no category", swapped(&category, ""), Code::FrontmatterField, 2),
        ("key misspelt", swapped("category:", "catgory:"), Code::FrontmatterKey, at_category),
        (
            "key unknown",
            swapped("category:", "colour: red\ncategory:"),
            Code::FrontmatterKey,
            at_category,
        ),
        (
            "category unknown",
            swapped(&category, "category: poem\n"),
            Code::FrontmatterType,
            at_category,
        ),
        ("name a list", swapped(&name, "name: [a]\n"), Code::FrontmatterType, 2),
        ("name empty", swapped(&name, "name: ''\n"), Code::FrontmatterType, 2),
        ("name of another file", swapped(&name, "name: someone-else\n"), Code::IdentityName, 2),
        (
            "unknown variable",
            format!("{text}{{{{no_such_thing}}}}\n"),
            Code::UndeclaredVariable,
            lines + 1,
        ),
        ("unclosed", format!("{text}{{{{no_such_thing\n"), Code::UnclosedMarker, lines + 1),
        ("foreign case", format!("{text}{{{{TASKS}}}}\n"), Code::ForeignMarker, lines + 1),
        (
            "foreign directive",
            format!("{text}[[shared:thoughts]]\n"),
            Code::ForeignMarker,
            lines + 1,
        ),
        ("malformed", format!("{text}{{{{a b}}}}\n"), Code::MalformedMarker, lines + 1),
        ("empty", String::new(), Code::EmptyFile, 1),
    ]
}

/// What can be broken in the variables of an identity.
fn variable_cases(identity: &IdentityTemplate, text: &str) -> Vec<Case> {
    let line_of = |part: &str| line_of(text, part);
    let swapped = |from: &str, to: &str| text.replacen(from, to, 1);
    let Some(first) = identity.variables.first().map(|variable| variable.name) else {
        let wrong = swapped("variables: []", "variables: x");
        return vec![("variables a text", wrong, Code::FrontmatterType, line_of("variables:"))];
    };
    let (hole, declared) = (format!("{{{{{first}}}}}"), format!("- name: {first}\n"));
    let (line, required) = (line_of(&declared), "required: true");
    let again = format!("  - name: {first}\n    description: x\n    required: true\n");
    let (head, body) = text[4..].split_once("\n---\n").unwrap_or_default();
    let twice = format!("---\n{head}\n{again}---\n{body}");
    let end = head.lines().count() + 2;
    vec![
        ("declared but not used", text.replace(&hole, "nothing"), Code::UnusedVariable, line),
        (
            "used misspelt",
            swapped(&hole, &format!("{{{{{first}s}}}}")),
            Code::UndeclaredVariable,
            line_of(&hole),
        ),
        (
            "required a text",
            swapped(required, "required: perhaps"),
            Code::FrontmatterType,
            line_of(required),
        ),
        ("required missing", swapped("    required: true\n", ""), Code::FrontmatterField, line),
        (
            "key misspelt",
            swapped(required, "requird: true"),
            Code::FrontmatterKey,
            line_of(required),
        ),
        ("declared twice", twice, Code::UnusedVariable, end),
    ]
}

fn line_of(text: &str, part: &str) -> usize {
    text[..text.find(part).unwrap_or_else(|| panic!("no {part:?}"))].matches('\n').count() + 1
}

#[test]
fn every_identity_broken_in_every_way_is_reported_exactly() {
    let mut count = 0;
    for identity in CATALOG.identities {
        let path = format!("identities/{}.md", identity.name);
        let text = read(&format!("templates/{path}"));
        for (what, broken, code, line) in
            [cases(identity, &text), variable_cases(identity, &text)].concat()
        {
            let (found, report) = errors(&path, &broken);
            let [(found_code, file, found_line)] = found.as_slice() else {
                panic!("{path}: {what}: {found:?}\n{report}");
            };
            assert_eq!(
                (*found_code, file),
                (code, &format!("templates/{path}")),
                "{path}: {what}\n{report}"
            );
            assert!(
                line == 0 || *found_line == line,
                "{path}: {what}: expected line {line}\n{report}"
            );
            count += 1;
        }
    }
    assert!(count > 120, "{count} cases");
}

#[test]
fn names_and_aliases_are_unique() {
    let text = read("templates/identities/task-agent.md");
    let other = text.replace("name: task-agent", "name: other\naliases: [chat_agent_system]");
    let (found, report) = errors("identities/other.md", &other);
    assert_eq!(
        found.iter().map(|(code, ..)| *code).collect::<Vec<_>>(),
        [Code::IdentityName],
        "{report}"
    );
    assert!(report.contains("`chat_agent_system` is the name of two identities"), "{report}");
    assert!(report.contains("first here"), "{report}");
}

#[test]
fn an_identity_has_at_most_sixteen_variables() {
    let declare =
        |number: usize| format!("  - name: v{number}\n    description: x\n    required: true\n");
    let identity = |count: usize| {
        let declared: String = (0..count).map(declare).collect();
        let used: String = (0..count).map(|number| format!("{{{{v{number}}}}}")).collect();
        format!(
            "---\nname: many\ncategory: rules\ndescription: x\nvariables:\n{declared}---\n{used}\n"
        )
    };
    assert_eq!(errors("identities/many.md", &identity(16)).0, []);
    let found = errors("identities/many.md", &identity(17)).0;
    assert_eq!(found.iter().map(|(code, ..)| *code).collect::<Vec<_>>(), [Code::FrontmatterType]);
}
