//! The system templates: one subject for each, held to its phase.

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::compile::{Code, contract};
use agentd::template::{Variable, Verdict};

use super::{
    Case, Set, Subject, encoding, frames, judge, repository_templates, sections, without_phrase,
};

/// The system templates and all fragments: the prompts of the team have a matrix of their own.
fn system_templates() -> Set {
    let mut set = repository_templates();
    set.retain(|path, _| path.starts_with("system/") || path.starts_with("shared/"));
    set
}

fn cases(subject: &Subject<'_>, phase: Phase, linked: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    names(subject, &mut cases);
    encoding(subject, &mut cases);
    sections(subject, &contract::of_phase(phase).sections, &mut cases);
    syntax(subject, &mut cases);
    variables(subject, phase, &mut cases);
    fragments(subject, &mut cases);
    frames(subject, "{{", &mut cases);
    cases.push(subject.with_line("</{{PROJECT_CONTEXT}}>", Code::ValueInTag));
    // What a template says may stand in its fragments, so these start from its linked text.
    let linked = Subject { text: linked.to_owned(), path: subject.path.clone(), ..*subject };
    directives(&linked, phase, &mut cases);
    markers(&linked, phase, &mut cases);
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

fn variables(subject: &Subject<'_>, phase: Phase, cases: &mut Vec<Case>) {
    for variable in Variable::ALL {
        let marker = format!("{{{{{variable}}}}}");
        if !subject.text.contains(&marker) {
            if !contract::of_phase(phase).allows(variable.word()) {
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
        if contract::of_phase(phase).required.contains(&variable.word()) {
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
    cases.push(subject.with_line("<x>{{TASKS} and {{ARTIFACTS}}</x>", Code::UnclosedMarker));
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

fn directives(subject: &Subject<'_>, phase: Phase, cases: &mut Vec<Case>) {
    for spellings in &contract::of_phase(phase).speaks_of {
        let mut text = subject.text.clone();
        for phrase in spellings {
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

fn markers(subject: &Subject<'_>, phase: Phase, cases: &mut Vec<Case>) {
    let marker = |verdict: &Verdict| format!("<review>{verdict}</review>");
    let own = phase.verdicts();
    for verdict in &own {
        let other = own.iter().find(|other| **other > Verdict::Pass && *other != verdict);
        let replacement = match other {
            Some(other) if *verdict != Verdict::Pass => marker(other),
            _ => verdict.word().to_owned(),
        };
        let text = subject.text.replace(&marker(verdict), &replacement);
        cases.push(subject.case(&format!("{verdict} untaught"), text, Code::UntaughtMarker, 1));
    }
    for status in contract::of_phase(phase).task_statuses() {
        let text = subject.text.replace(&format!(">{status}</task_status>"), "> </task_status >");
        cases.push(subject.case(&format!("{status} untaught"), text, Code::UntaughtMarker, 1));
    }
    let silent = subject.text.replace("<thought>", "thought");
    cases.push(subject.case("thought untaught", silent, Code::UntaughtMarker, 1));
    for (what, untaught) in [
        ("no question", "if you must"),
        ("an empty question", "<blocked></blocked>"),
        ("an open question", "<blocked>the question"),
    ] {
        let text = subject
            .text
            .replace("<blocked>what you need to know, and what depends on it</blocked>", untaught);
        assert_ne!(text, subject.text, "{}", subject.path);
        cases.push(subject.case(what, text, Code::UntaughtMarker, 1));
    }
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
    let set = system_templates();
    let all = CATALOG.templates.iter().flat_map(|template| {
        let path = format!("system/{}", template.file);
        let text = String::from_utf8(set[&path].clone()).expect("UTF-8");
        cases(&Subject { set: &set, path, text }, template.phase, template.text)
    });
    let (count, codes) = judge(all);
    assert!(count > 900, "{count} cases");
    for code in Code::ALL.iter().filter(|code| !beyond(**code)) {
        assert!(codes.contains(code), "no case for {}", code.slug());
    }
}

/// Says whether a code is not about one system template; other tests break each.
fn beyond(code: Code) -> bool {
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
    beyond.contains(&code)
}
