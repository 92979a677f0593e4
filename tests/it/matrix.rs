//! Every template, broken in every way: the compiler reports exactly that defect at the right line.
//!
//! The cases are generated: for each template of the repository and each class of defect one or more copies
//! of the whole set in which just that one thing is wrong.

use std::collections::BTreeMap;

use agentd::compile::{Code, Compilation, Severity, Sources, compile, contract, report};
use agentd::template::{Variable, Verdict};
use agentd::{Phase, catalog::CATALOG};

use crate::smallest;
use crate::support::{files, read};

/// The templates by their paths below `templates/`.
type Set = BTreeMap<String, Vec<u8>>;

fn repository_templates() -> Set {
    let below = |path: &str| path.strip_prefix("templates/").expect("a template").to_owned();
    files("templates", ".md").iter().map(|path| (below(path), read(path).into_bytes())).collect()
}

fn compiled(set: &Set) -> Compilation {
    let mut sources = Sources::new("templates");
    for (path, bytes) in set {
        sources.add(path, bytes.clone());
    }
    compile(sources)
}

/// The errors of a set as (code, path, line), and the report for messages.
fn errors(set: &Set) -> (Vec<(Code, String, usize)>, String) {
    let compilation = compiled(set);
    let errors = compilation.diagnostics.iter().filter(|d| d.code.severity() == Severity::Error);
    let found = errors.map(|diagnostic| {
        let source = compilation.sources.get(diagnostic.place.file);
        let line = report::position(diagnostic.place, &compilation.sources).line;
        (diagnostic.code, source.path.clone(), line)
    });
    (found.collect(), report::human(&compilation, report::Colors::Off))
}

/// One template of the set, to be broken.
struct Subject<'s> {
    set: &'s Set,
    path: String,
    text: String,
    phase: Phase,
}

/// A broken set and the one defect it has.
struct Case {
    what: String,
    set: Set,
    expected: (Code, String, usize),
}

impl Subject<'_> {
    fn case(&self, what: &str, text: String, code: Code, line: usize) -> Case {
        let mut set = self.set.clone();
        set.insert(self.path.clone(), text.into_bytes());
        let what = format!("{}: {what}", self.path);
        Case { what, set, expected: (code, format!("templates/{}", self.path), line) }
    }

    /// The template with a line at its end.
    fn with_line(&self, line: &str, code: Code) -> Case {
        self.case(
            &format!("line {line:?}"),
            format!("{}{line}\n", self.text),
            code,
            self.lines() + 1,
        )
    }

    fn with_file(&self, path: &str, bytes: &[u8], code: Code) -> Case {
        let mut set = self.set.clone();
        set.insert(path.to_owned(), bytes.to_vec());
        Case {
            what: format!("{}: copied to {path}", self.path),
            set,
            expected: (code, format!("templates/{path}"), 1),
        }
    }

    fn lines(&self) -> usize {
        self.text.lines().count()
    }

    fn line_of(&self, part: &str) -> usize {
        let at = self.text.find(part).unwrap_or_else(|| panic!("{} has no {part:?}", self.path));
        self.text[..at].matches('\n').count() + 1
    }
}

fn cases(subject: &Subject<'_>, linked: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    names(subject, &mut cases);
    encoding(subject, &mut cases);
    sections(subject, &mut cases);
    syntax(subject, &mut cases);
    variables(subject, &mut cases);
    fragments(subject, &mut cases);
    // What a template says may stand in its fragments, so these start from its linked text.
    let linked = Subject { text: linked.to_owned(), path: subject.path.clone(), ..*subject };
    directives(&linked, &mut cases);
    markers(&linked, &mut cases);
    cases
}

fn names(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    let bytes = subject.text.as_bytes();
    let stem = subject
        .path
        .strip_prefix("system/")
        .and_then(|name| name.strip_suffix(".md"))
        .expect("a stem");
    let (agent, phase) = stem.split_once('-').expect("agent and phase");
    for wrong in [
        format!("{agent}{phase}.md"),
        format!("{stem}.txt"),
        format!("sub/{stem}.md"),
        agent.to_owned(),
    ] {
        cases.push(subject.with_file(&format!("system/{wrong}"), bytes, Code::FileName));
    }
    cases.push(subject.with_file(
        &format!("system/{agent}X-{phase}.md"),
        bytes,
        Code::UnknownAgent,
    ));
    cases.push(subject.with_file(
        &format!("system/{agent}-{phase}x.md"),
        bytes,
        Code::UnknownPhase,
    ));
    cases.push(subject.with_file(
        &format!("system/{agent}-{phase}-2.md"),
        bytes,
        Code::UnknownPhase,
    ));
    for wrong in [
        format!("{}-{phase}.md", agent.to_lowercase()),
        format!("{agent}-{}.md", phase.to_uppercase()),
        format!("{stem}.MD"),
    ] {
        let mut set = subject.set.clone();
        let bytes = set.remove(&subject.path).expect("the template");
        set.insert(format!("system/{wrong}"), bytes);
        let expected = (Code::FileCase, format!("templates/system/{wrong}"), 1);
        cases.push(Case { what: format!("{}: renamed to {wrong}", subject.path), set, expected });
    }
    cases.push(subject.with_file(&format!("sytem/{stem}.md"), bytes, Code::FileName));
    cases.push(subject.with_file(&format!("{stem}.md"), bytes, Code::FileName));
    for misnamed in
        [format!("{agent}-{phase}.txt"), format!("{agent}-{phase}"), format!("{agent}_{phase}.md")]
    {
        if agent == "BASE" {
            continue;
        }
        let mut set = subject.set.clone();
        let bytes = set.remove(&subject.path).expect("the template");
        set.insert(format!("system/{misnamed}"), bytes);
        let expected = (Code::FileName, format!("templates/system/{misnamed}"), 1);
        cases.push(Case {
            what: format!("{}: renamed to {misnamed}", subject.path),
            set,
            expected,
        });
    }
    if agent == "BASE" {
        let mut set = subject.set.clone();
        set.remove(&subject.path);
        let expected = (Code::MissingBase, format!("templates/{}", subject.path), 1);
        cases.push(Case { what: format!("{}: removed", subject.path), set, expected });
    }
}

fn encoding(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    cases.push(subject.case("empty", String::new(), Code::EmptyFile, 1));
    cases.push(subject.case("blank", " \n\n\t\n".to_owned(), Code::EmptyFile, 1));
    let middle = subject.lines() / 2;
    let mut bytes: Vec<u8> = Vec::new();
    for (number, line) in subject.text.lines().enumerate() {
        bytes.extend(line.as_bytes());
        if number + 1 == middle {
            bytes.push(0xff);
        }
        bytes.push(b'\n');
    }
    let mut case = subject.case("not UTF-8", String::new(), Code::NotUtf8, middle);
    case.set.insert(subject.path.clone(), bytes);
    cases.push(case);
}

fn sections(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    for section in contract::SECTIONS {
        let heading = format!("## {section}\n");
        let line = subject.line_of(&heading);
        let with = |replacement: &str| subject.text.replacen(&heading, replacement, 1);
        cases.push(subject.case(
            &format!("no {section}"),
            with("## Something quite different\n"),
            Code::MissingSection,
            1,
        ));
        cases.push(subject.case(
            &format!("{section} misspelt"),
            with(&format!("## {section}s\n")),
            Code::MissingSection,
            line,
        ));
        cases.push(subject.case(
            &format!("{section} too deep"),
            with(&format!("#{heading}")),
            Code::MissingSection,
            line,
        ));
        cases.push(subject.case(
            &format!("{section} empty"),
            with(&format!("{heading}\n## More\n")),
            Code::EmptySection,
            line,
        ));
        let fenced = with(&format!("```md\n{heading}```\n"));
        cases.push(subject.case(
            &format!("{section} in code"),
            fenced,
            Code::FencedSection,
            line + 1,
        ));
        let twice = format!("{}\n{}\ntext\n", subject.text, heading.to_uppercase().trim_end());
        cases.push(subject.case(
            &format!("{section} twice"),
            twice,
            Code::DuplicateSection,
            subject.lines() + 2,
        ));
    }
}

fn syntax(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    for (line, code) in [
        ("{{", Code::UnclosedMarker),
        ("a {{PROJECT_CONTEXT b", Code::UnclosedMarker),
        ("[[shared:thoughts", Code::UnclosedMarker),
        ("{{ PROJECT_CONTEXT }}", Code::MalformedMarker),
        ("{{}}", Code::MalformedMarker),
        ("{{{PROJECT_CONTEXT}}}", Code::MalformedMarker),
        ("[[shared:Thoughts]]", Code::MalformedMarker),
        ("[[shared]]", Code::MalformedMarker),
        ("{{project_context}}", Code::ForeignMarker),
        ("[[placeholder:project_instructions]]", Code::ForeignMarker),
        ("[[include:plan.md]]", Code::ForeignMarker),
        ("[[include-optional:plan.md]]", Code::ForeignMarker),
        ("[[inclde:x]]", Code::UnknownDirective),
        ("[[share]]", Code::UnknownDirective),
        ("[[nonsense:x]]", Code::UnknownDirective),
        ("```rust", Code::UnclosedFence),
        ("~~~", Code::UnclosedFence),
    ] {
        cases.push(subject.with_line(line, code));
    }
    let fence = format!("\n```rust\n{}", subject.text);
    cases.push(subject.case("fence at the start", fence, Code::UnclosedFence, 2));
}

fn variables(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    for variable in Variable::ALL {
        let marker = format!("{{{{{variable}}}}}");
        if !subject.text.contains(&marker) {
            if !subject.phase.allows(*variable) {
                cases.push(subject.with_line(&marker, Code::VariableNotAllowed));
            }
            continue;
        }
        let line = subject.line_of(&marker);
        let with = |replacement: &str| subject.text.replace(&marker, replacement);
        cases.push(subject.case(
            &format!("{variable} unclosed"),
            with(&format!("{{{{{variable}")),
            Code::UnclosedMarker,
            line,
        ));
        cases.push(subject.case(
            &format!("{variable} misspelt"),
            with(&format!("{{{{{variable}S}}}}")),
            Code::UnknownVariable,
            line,
        ));
        cases.push(subject.case(
            &format!("{variable} spaced"),
            with(&format!("{{{{ {variable} }}}}")),
            Code::MalformedMarker,
            line,
        ));
        let lower = format!("{{{{{}}}}}", variable.word().to_lowercase());
        cases.push(subject.case(
            &format!("{variable} small"),
            with(&lower),
            Code::ForeignMarker,
            line,
        ));
        if subject.phase.required_variables().contains(variable) {
            let heading = subject.line_of("## Context Placeholders\n");
            cases.push(subject.case(
                &format!("{variable} missing"),
                with("nothing"),
                Code::MissingVariable,
                heading,
            ));
        }
    }
    cases.push(subject.with_line("{{NO_SUCH_THING}}", Code::UnknownVariable));
    cases.push(subject.with_line("{{TASKS} and {{ARTIFACTS}}", Code::UnclosedMarker));
}

fn fragments(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    let used: Vec<&str> =
        subject.text.lines().filter(|line| line.starts_with("[[shared:")).collect();
    assert!(!used.is_empty(), "{} uses fragments", subject.path);
    for marker in used {
        let line = subject.line_of(marker);
        let with = |replacement: &str| subject.text.replacen(marker, replacement, 1);
        let misspelt = marker.replace("]]", "x]]");
        cases.push(subject.case(&misspelt, with(&misspelt), Code::UnknownFragment, line));
        cases.push(subject.case(
            &format!("{marker} unclosed"),
            with(marker.trim_end_matches(']')),
            Code::UnclosedMarker,
            line,
        ));
        let directive = marker.replace("shared", "shred");
        cases.push(subject.case(&directive, with(&directive), Code::UnknownDirective, line));
    }
    cases.push(subject.with_line("[[shared:no-such-fragment]]", Code::UnknownFragment));
    let mut live = |what: &str, fragment: &str, expected: Code, in_fragment: &str, line: usize| {
        let mut case = subject.with_line("[[shared:zz-a]]", expected);
        case.what = format!("{}: {what}", subject.path);
        case.set.insert("shared/zz-a.md".to_owned(), fragment.as_bytes().to_vec());
        case.set.insert("shared/zz-b.md".to_owned(), b"text\n\n[[shared:zz-a]]\n".to_vec());
        case.expected = (expected, format!("templates/shared/{in_fragment}.md"), line);
        cases.push(case);
    };
    live("cycle", "[[shared:zz-b]]\n", Code::FragmentCycle, "zz-b", 3);
    live("circle of one", "text\n[[shared:zz-a]]\n", Code::FragmentCycle, "zz-a", 2);
    for marker in ["{{PROJECT_CONTEXT}}", "{{", "{{x}}", "[[placeholder:x]]", "[[include:x]]"] {
        let fragment = format!("text\n{marker}\n");
        let mut case = subject.with_line("[[shared:zz-a]]", Code::LiveFragment);
        case.what = format!("{}: {marker} in a fragment", subject.path);
        case.set.insert("shared/zz-a.md".to_owned(), fragment.into_bytes());
        case.expected = (Code::LiveFragment, "templates/shared/zz-a.md".to_owned(), 2);
        cases.push(case);
    }
}

fn directives(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    for spellings in contract::directives(subject.phase) {
        let mut text = subject.text.clone();
        for phrase in *spellings {
            text = without_phrase(&text, phrase);
        }
        cases.push(subject.case(
            &format!("nothing of {}", spellings[0]),
            text.clone(),
            Code::MissingDirective,
            1,
        ));
        let in_code = format!("{text}\n```\n{}\n```\n", spellings[0]);
        cases.push(subject.case(
            &format!("{} only in code", spellings[0]),
            in_code,
            Code::MissingDirective,
            1,
        ));
    }
}

/// Replaces a phrase in any case, but not in a variable, and across line breaks.
fn without_phrase(text: &str, phrase: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = phrase_length(rest, phrase).filter(|_| !out.ends_with("{{"));
        if let Some(length) = taken {
            out.push_str("that");
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

fn phrase_length(text: &str, phrase: &str) -> Option<usize> {
    let mut rest = text;
    for (number, word) in phrase.split(' ').enumerate() {
        let trimmed = if number == 0 { rest } else { rest.trim_start() };
        if number > 0 && trimmed.len() == rest.len() {
            return None;
        }
        let head = trimmed.get(..word.len())?;
        if !head.eq_ignore_ascii_case(word) {
            return None;
        }
        rest = &trimmed[word.len()..];
    }
    Some(text.len() - rest.len())
}

fn markers(subject: &Subject<'_>, cases: &mut Vec<Case>) {
    let marker = |verdict: &Verdict| format!("<review>{verdict}</review>");
    let own = subject.phase.verdicts();
    for verdict in own {
        let other = own.iter().find(|other| **other > Verdict::Pass && *other != verdict);
        let replacement = match other {
            Some(other) if *verdict != Verdict::Pass => marker(other),
            _ => verdict.word().to_owned(),
        };
        let text = subject.text.replace(&marker(verdict), &replacement);
        cases.push(subject.case(&format!("{verdict} untaught"), text, Code::UntaughtMarker, 1));
    }
    for status in subject.phase.task_statuses() {
        let text = subject.text.replace(&format!(">{status}</task_status>"), "> </task_status >");
        cases.push(subject.case(&format!("{status} untaught"), text, Code::UntaughtMarker, 1));
    }
    let silent = subject.text.replace("<thought>", "thought");
    cases.push(subject.case("thought untaught", silent, Code::UntaughtMarker, 1));
    for verdict in Verdict::ALL.iter().filter(|verdict| !own.contains(verdict)) {
        let line = format!("{} or not", marker(verdict));
        cases.push(subject.with_line(&line, Code::UnknownVerdict));
    }
    cases.push(subject.with_line("<review>MAYBE</review>", Code::UnknownVerdict));
    cases.push(
        subject.with_line("<task_status id=\"1.1\">DONE</task_status>", Code::UnknownVerdict),
    );
    if !own.is_empty() {
        cases.push(subject.with_line(&marker(&Verdict::Pass), Code::LonePass));
    }
}

#[test]
fn every_template_broken_in_every_way_is_reported_exactly() {
    let set = repository_templates();
    let mut count = 0;
    let mut codes: Vec<Code> = Vec::new();
    let mut wrong = Vec::new();
    for template in CATALOG.templates {
        let path = format!("system/{}", template.file);
        let text = String::from_utf8(set[&path].clone()).expect("UTF-8");
        let subject = Subject { set: &set, path, text, phase: template.phase };
        for case in cases(&subject, template.text) {
            let (found, report) = errors(&case.set);
            if found != [case.expected.clone()] {
                wrong.push(format!(
                    "{}\n  expected {:?}\n  found {found:?}\n{report}",
                    case.what, case.expected
                ));
            }
            count += 1;
            if !codes.contains(&case.expected.0) {
                codes.push(case.expected.0);
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} cases are wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    assert!(count > 900, "{count} cases");
    // These are not about one system template; other tests break each.
    let beyond = [
        Code::JoinedMarker,
        Code::LinkedTooLarge,
        Code::UnusedFragment,
        Code::UnknownPrompt,
        Code::MissingPrompt,
        Code::MissingFragment,
        Code::UnknownSessionFile,
        Code::MissingSessionFile,
        Code::SessionFilePresence,
        Code::ExtensionPoint,
        Code::MissingFrontmatter,
        Code::FrontmatterSyntax,
        Code::FrontmatterKey,
        Code::FrontmatterField,
        Code::FrontmatterType,
        Code::IdentityName,
        Code::UndeclaredVariable,
        Code::UnusedVariable,
    ];
    for code in Code::ALL.iter().filter(|code| !beyond.contains(code)) {
        assert!(codes.contains(code), "no case for {}", code.slug());
    }
}

#[test]
fn the_repository_templates_have_no_faults_at_all() {
    let compilation = compiled(&repository_templates());
    assert!(
        compilation.diagnostics.is_empty(),
        "{}",
        report::human(&compilation, report::Colors::Off)
    );
}

#[test]
fn prose_and_code_may_hold_braces_and_brackets() {
    let harmless = "\nUse `arr[[0]]`, `[[bin]]`, `[[ -f x ]]`, `[[:alpha:]]`, {one}, }} and ]].\n\n\
                    ```toml\n[[bin]]\nname = \"{x}\"\n[[[[1]]]]\n```\n\nA literal {{{{TASKS}} and [[[[shared:x]].\n";
    for template in CATALOG.templates {
        let mut set = repository_templates();
        let path = format!("system/{}", template.file);
        set.entry(path).and_modify(|bytes| bytes.extend(harmless.as_bytes()));
        let (found, report) = errors(&set);
        assert!(found.is_empty(), "{report}");
    }
}

/// The codes of a set in which one thing is changed.
fn codes_after(path: &str, change: impl Fn(&str) -> String) -> Vec<Code> {
    let mut set = repository_templates();
    let text = String::from_utf8(set[path].clone()).expect("UTF-8");
    set.insert(path.to_owned(), change(&text).into_bytes());
    errors(&set).0.into_iter().map(|(code, ..)| code).collect()
}

#[test]
fn one_slip_is_one_report() {
    let review = "system/BASE-review.md";
    let misspelt = |text: &str| {
        text.replace("<review>NEEDS_CHANGES</review>", "<review>NEED_CHANGES</review>")
    };
    let found = codes_after(review, misspelt);
    assert!(found.iter().all(|code| *code == Code::UnknownVerdict), "{found:?}");
    let in_one = |text: &str| format!("{text}\n<review>PASS|NEEDS_CHANGES|MAJOR_ISSUES</review>\n");
    assert_eq!(codes_after(review, in_one), [Code::UnknownVerdict]);
    let unspaced = |text: &str| text.replace("## Core Principles", "##Core Principles");
    assert_eq!(codes_after(review, unspaced), [Code::MissingSection]);
    let mark = |text: &str| format!("\u{feff}{text}");
    assert_eq!(codes_after(review, mark), []);
    let nameless = |text: &str| text.replace("<task_status id=\"1.1\">", "<task_status>");
    assert_eq!(
        codes_after("system/BASE-implement.md", nameless),
        [Code::UntaughtMarker, Code::UntaughtMarker]
    );
    let two_lines = |text: &str| format!("{text}\n<review>GOOD\nENOUGH</review>\n");
    assert_eq!(codes_after(review, two_lines), [Code::UnknownVerdict]);
}

#[test]
fn messages_stay_on_one_line_and_short() {
    let mut set = repository_templates();
    let long = "x".repeat(500);
    set.entry("system/BASE-review.md".to_owned()).and_modify(|bytes| {
        bytes.extend(
            format!("<review>GOOD\nENOUGH</review>\n{{{{{long}}}}}\n[[include:{long}]]\n").bytes(),
        );
    });
    let compilation = compiled(&set);
    assert_eq!(compilation.diagnostics.len(), 3);
    for diagnostic in &compilation.diagnostics {
        assert!(
            !diagnostic.message.contains('\n') && diagnostic.message.len() < 150,
            "{}",
            diagnostic.message
        );
    }
    assert_eq!(report::cargo(&compilation).lines().count(), 3);
}

#[test]
fn a_marker_that_two_files_join_into_is_refused() {
    for (fragment, line) in [
        ("a {", "[[shared:zz]]{PROJECT_CONTEXT}}"),
        ("{PROJECT_CONTEXT}}", "{[[shared:zz]]"),
        ("[", "[[shared:zz]][shared:thoughts]]"),
    ] {
        let mut set = repository_templates();
        set.insert("shared/zz.md".to_owned(), format!("{fragment}\n").into_bytes());
        set.entry("system/BASE-plan.md".to_owned())
            .and_modify(|bytes| bytes.extend(format!("{line}\n").bytes()));
        let (found, report) = errors(&set);
        assert!(
            found.iter().any(|(code, ..)| *code == Code::JoinedMarker),
            "{line}: {found:?}\n{report}"
        );
    }
}

#[test]
fn many_defects_in_many_files_are_all_reported_in_one_run() {
    let mut set = repository_templates();
    set.remove("system/BASE-plan.md");
    set.insert("system/claude-plan.md".to_owned(), b"x".to_vec());
    set.insert("system/CLAUDE-archive.md".to_owned(), vec![0xff]);
    set.entry("system/BASE-review.md".to_owned()).and_modify(|bytes| {
        bytes.extend(b"{{TASK}}\n[[inclde:x]]\n<review>PASS</review>\n```\n");
    });
    let (found, _) = errors(&set);
    let codes: Vec<_> = found.iter().map(|(code, ..)| *code).collect();
    assert_eq!(
        codes,
        [
            Code::MissingBase,
            Code::UnknownVariable,
            Code::UnknownDirective,
            Code::LonePass,
            Code::UnclosedFence,
            Code::NotUtf8,
            Code::FileCase,
        ]
    );
}

#[test]
fn fragments_that_multiply_are_refused_quickly() {
    for (body, filler) in [("text ".repeat(1_000), "text"), (String::new(), "nothing")] {
        let mut set = repository_templates();
        for level in 0..40 {
            let next = level + 1;
            let fragment = format!("{body}[[shared:f{next}]][[shared:f{next}]]\n");
            set.insert(format!("shared/f{level}.md"), fragment.into_bytes());
        }
        set.insert("shared/f40.md".to_owned(), b"end\n".to_vec());
        set.entry("system/BASE-plan.md".to_owned())
            .and_modify(|bytes| bytes.extend(b"[[shared:f0]]\n"));
        let (found, _) = errors(&set);
        assert!(
            found.iter().all(|(code, ..)| *code == Code::LinkedTooLarge),
            "{filler}: {found:?}"
        );
        assert!(!found.is_empty());
    }
}

#[test]
fn role_templates_hold_the_extension_point_exactly_once() {
    let point = "[[placeholder:project_instructions]]";
    let found = |path: &str, change: &dyn Fn(&str) -> String| {
        let mut set = with_team(repository_templates());
        let text = String::from_utf8(set[path].clone()).expect("UTF-8");
        set.insert(path.to_owned(), change(&text).into_bytes());
        errors(&set).0
    };
    let expected =
        |path: &str, line| vec![(Code::ExtensionPoint, format!("templates/{path}"), line)];
    assert_eq!(found("agents/coder.md", &str::to_owned), []);
    let without = |text: &str| text.replace(point, "nothing");
    assert_eq!(found("agents/coder.md", &without), expected("agents/coder.md", 1));
    let twice = |text: &str| format!("{point}\n\n{}\n{point}\n", without(text));
    let lines = |text: &str| text.lines().count();
    let fix = with_team(repository_templates())["commands/fix.md"].clone();
    let last = lines(&twice(&String::from_utf8(fix).expect("UTF-8")));
    assert_eq!(found("commands/fix.md", &twice), expected("commands/fix.md", last));
    let extended = |text: &str| format!("a\n{point}\n{text}");
    assert_eq!(found("context.md", &extended), expected("context.md", 2));
}

/// The same templates with the prompts of the team, the smallest ones where the repository has none.
fn with_team(mut set: Set) -> Set {
    for (path, text) in smallest::team() {
        set.entry(path).or_insert_with(|| text.into_bytes());
    }
    set
}

#[test]
fn generated_code_is_the_same_every_time() {
    let set = repository_templates();
    let code = compiled(&set).generate("crate");
    assert_eq!(code, compiled(&set).generate("crate"));
    let mut backwards = Sources::new("elsewhere");
    for (path, bytes) in set.iter().rev() {
        backwards.add(path, bytes.clone());
    }
    assert_eq!(compile(backwards).sources.hash(), compiled(&set).sources.hash());
}
