//! Every template, broken in every way: the compiler reports exactly that defect at the right line.
//!
//! The cases are generated: for each template of the repository and each class of defect one or more copies
//! of the whole set in which just that one thing is wrong.

mod system;
mod team;

use std::collections::BTreeMap;

use agentd::catalog::CATALOG;
use agentd::compile::{Code, Compilation, Severity, Sources, compile, report};

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

/// Compiles the cases, and demands of each its one defect. Gives their number and the codes that were met.
fn judge(cases: impl IntoIterator<Item = Case>) -> (usize, Vec<Code>) {
    let mut count = 0;
    let mut codes: Vec<Code> = Vec::new();
    let mut wrong = Vec::new();
    for case in cases {
        let (mut found, report) = errors(&case.set);
        // One phrase may be missed in several ways.
        if case.expected.0 == Code::MissingDirective {
            found.dedup();
        }
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
    assert!(
        wrong.is_empty(),
        "{} of {count} cases are wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
    (count, codes)
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

fn sections(subject: &Subject<'_>, titles: &[String], cases: &mut Vec<Case>) {
    for section in titles {
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

/// Takes away one end of each frame, and both.
fn frames(subject: &Subject<'_>, marker: &str, cases: &mut Vec<Case>) {
    let lines: Vec<&str> = subject.text.lines().collect();
    let without = |gone: &[usize]| -> String {
        let kept = lines.iter().enumerate().filter(|(number, _)| !gone.contains(number));
        kept.map(|(_, line)| format!("{line}\n")).collect()
    };
    let framed = (1..lines.len() - 1).filter(|at| {
        lines[*at].starts_with(marker) && lines[at + 1] == lines[at - 1].replacen('<', "</", 1)
    });
    for at in framed {
        let name = lines[at - 1];
        let mut broken = |gone: &[usize], code, line| {
            cases.push(subject.case(
                &format!("{name} without {gone:?}"),
                without(gone),
                code,
                line,
            ));
        };
        broken(&[at + 1], Code::UnclosedFrame, at);
        broken(&[at - 1], Code::UnopenedFrame, at + 1);
        broken(&[at - 1, at + 1], Code::UnframedValue, at);
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
        assert_ne!(found, []);
    }
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
