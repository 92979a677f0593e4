//! The prompts of the team: one subject for each, broken in every way and in everything that its own contract asks for.
//!
//! A subject stands among the smallest prompts that fulfil their contracts. They need nothing of the fragments but that
//! they are there, so what is taken out of a fragment is missed by the subject alone.

use agentd::Phase;
use agentd::compile::contract::{self, Contract, SessionFile, session_paths};
use agentd::compile::{Code, report};
use agentd::template::{Command, Placeholder, Role, TeamPrompt};

use super::{
    Case, Set, Subject, compiled, encoding, errors, frames, judge, repository_templates, sections,
    without_phrase,
};
use crate::smallest;

const POINT: &str = "[[placeholder:project_instructions]]";

/// The smallest set with these templates in it: where it lacks a fragment or a prompt, the smallest stands in.
fn set_with(templates: impl IntoIterator<Item = (String, Vec<u8>)>) -> Set {
    let base = |phase: &Phase| (format!("system/BASE-{phase}.md"), smallest::base_template(*phase));
    let small = Phase::ALL.iter().map(base).chain(smallest::team());
    let mut set: Set = small.map(|(path, text)| (path, text.into_bytes())).collect();
    set.extend(templates);
    set
}

/// The set in which one prompt and its fragments are the repository's.
fn set_of(prompt: TeamPrompt) -> Set {
    let mut templates = repository_templates();
    let used = fragments_of(&templates, &prompt.file());
    templates.retain(|path, _| *path == prompt.file() || used.contains(path));
    set_with(templates)
}

/// The set in which all prompts and fragments are the repository's.
fn whole_team() -> Set {
    set_with(repository_templates().into_iter().filter(|(path, _)| !path.starts_with("system/")))
}

fn text_of(set: &Set, path: &str) -> String {
    String::from_utf8(set[path].clone()).expect("UTF-8")
}

/// Lists the fragments in a set of which a team prompt includes one, itself or by way of another.
fn fragments_of(set: &Set, path: &str) -> Vec<String> {
    let text = text_of(set, path);
    let names = text.match_indices("[[shared:").map(|(at, marker)| {
        text[at + marker.len()..].split("]]").next().expect("a name").to_owned()
    });
    let paths = names.map(|name| format!("shared/{name}.md"));
    let mut all: Vec<String> = Vec::new();
    for path in paths {
        let deeper = fragments_of(set, &path);
        all.extend(std::iter::once(path).chain(deeper));
    }
    all
}

/// A prompt to be broken.
struct Target<'s> {
    subject: Subject<'s>,
    prompt: TeamPrompt,
    contract: &'static Contract,
}

impl Target<'_> {
    /// The prompt with a line at its end, after a blank one so that it is a block of its own.
    fn with_block(&self, line: &str, code: Code) -> Case {
        let text = format!("{}\n{line}\n", self.subject.text);
        self.subject.case(&format!("line {line:?}"), text, code, self.subject.lines() + 2)
    }

    /// The set with the same change in the prompt and in each of its fragments.
    fn everywhere(&self, what: &str, code: Code, change: impl Fn(&str) -> String) -> Case {
        let mut case = self.subject.case(what, change(&self.subject.text), code, 1);
        for path in fragments_of(self.subject.set, &self.subject.path) {
            let text = change(&text_of(self.subject.set, &path));
            case.set.insert(path, text.into_bytes());
        }
        case
    }

    /// The prompt with the first of a marker replaced, on the line on which it stands; nothing where it is in a fragment.
    fn replaced(&self, marker: &str, with: &str, code: Code) -> Option<Case> {
        self.subject.text.contains(marker).then(|| {
            let text = self.subject.text.replacen(marker, with, 1);
            self.subject.case(
                &format!("{marker} is {with}"),
                text,
                code,
                self.subject.line_of(marker),
            )
        })
    }

    /// The prompt under another name.
    fn renamed(&self, path: &str, code: Code) -> Case {
        let mut set = self.subject.set.clone();
        let bytes = set.remove(&self.subject.path).expect("the prompt");
        set.insert(path.to_owned(), bytes);
        let what = format!("{}: renamed to {path}", self.subject.path);
        Case { what, set, expected: (code, format!("templates/{path}"), 1) }
    }
}

fn cases(prompt: TeamPrompt) -> Vec<Case> {
    let set = set_of(prompt);
    let (path, text) = (prompt.file(), text_of(&set, &prompt.file()));
    let subject = Subject { set: &set, path, text };
    let target = Target { subject, prompt, contract: contract::of_prompt(prompt) };
    let mut cases = Vec::new();
    names(&target, &mut cases);
    encoding(&target.subject, &mut cases);
    sections(&target.subject, &target.contract.sections, &mut cases);
    syntax(&target, &mut cases);
    placeholders(&target, &mut cases);
    extension_point(&target, &mut cases);
    fragments(&target, &mut cases);
    session_files(&target, &mut cases);
    teachings(&target, &mut cases);
    if prompt != TeamPrompt::Context {
        for (what, untaught) in [("no question", "(blocked)"), ("an open one", "<blocked> <")] {
            let without = |text: &str| text.replace("<blocked>", untaught);
            cases.push(target.everywhere(what, Code::UntaughtMarker, without));
        }
    }
    frames(&target.subject, "[[include", &mut cases);
    cases.push(target.with_block("See <[[placeholder:feature_dir]]>.", Code::ValueInTag));
    cases.push(target.with_block("Say <review>PASS</review> if all is well.", Code::LonePass));
    cases
}

fn names(target: &Target<'_>, cases: &mut Vec<Case>) {
    let path = target.subject.path.as_str();
    let mut set = target.subject.set.clone();
    set.remove(path);
    let expected = (Code::MissingPrompt, format!("templates/{path}"), 1);
    cases.push(Case { what: format!("{path}: removed"), set, expected });
    let Some((folder, name)) = path.split_once('/') else {
        cases.extend(["Context.md", "contxt.md"].map(|name| target.renamed(name, Code::FileName)));
        return;
    };
    let stem = name.strip_suffix(".md").expect("Markdown");
    let bytes = target.subject.text.as_bytes();
    for (copy, code) in [
        (format!("{folder}/{stem}.txt"), Code::FileName),
        (format!("{folder}/sub/{stem}.md"), Code::FileName),
        (format!("{folder}/{stem} 2.md"), Code::FileName),
        (format!("{folder}/{stem}s.md"), Code::UnknownPrompt),
        (format!("{folder}/something-else.md"), Code::UnknownPrompt),
    ] {
        cases.push(target.subject.with_file(&copy, bytes, code));
    }
    let other = if folder == "agents" { "commands" } else { "agents" };
    for (name, code) in [
        (format!("{folder}/{stem}.markdown"), Code::FileName),
        (format!("{folder}/{stem}"), Code::FileName),
        (format!("{folder}x/{stem}.md"), Code::FileName),
        (format!("{folder}/{}.md", stem.to_uppercase()), Code::FileCase),
        (format!("{folder}/{stem}.MD"), Code::FileCase),
        (format!("{folder}/{stem}s.md"), Code::UnknownPrompt),
        (format!("{other}/{stem}.md"), Code::UnknownPrompt),
    ] {
        cases.push(target.renamed(&name, code));
    }
}

fn syntax(target: &Target<'_>, cases: &mut Vec<Case>) {
    for (line, code) in [
        ("[[shared:thoughts", Code::UnclosedMarker),
        ("[[placeholder:feature_dir] b", Code::UnclosedMarker),
        ("[[include:state.json", Code::UnclosedMarker),
        ("[[include:[[placeholder:feature_dir]]", Code::UnclosedMarker),
        ("[[placeholder: feature_dir]]", Code::MalformedMarker),
        ("[[placeholder]]", Code::MalformedMarker),
        ("[[placeholder:FEATURE_DIR]]", Code::MalformedMarker),
        ("[[shared:Thoughts]]", Code::MalformedMarker),
        ("[[include: ]]", Code::MalformedMarker),
        ("[[include-optional:a[[1]].md]]", Code::MalformedMarker),
        ("[[include:[[shared:thoughts]]]]", Code::MalformedMarker),
        ("[[inclde:state.json]]", Code::UnknownDirective),
        ("[[include_optional:state.json]]", Code::UnknownDirective),
        ("[[share]]", Code::UnknownDirective),
        ("[[nonsense:x]]", Code::UnknownDirective),
        ("```rust", Code::UnclosedFence),
        ("~~~", Code::UnclosedFence),
    ] {
        cases.push(target.with_block(line, code));
    }
    let fence = format!("\n```rust\n{}", target.subject.text);
    cases.push(target.subject.case("fence at the start", fence, Code::UnclosedFence, 2));
}

fn placeholders(target: &Target<'_>, cases: &mut Vec<Case>) {
    cases.push(target.with_block("[[placeholder:no_such_thing]]", Code::UnknownVariable));
    let in_path = "[[include-optional:[[placeholder:no_such_thing]]/x.md]]";
    cases.push(target.with_block(in_path, Code::UnknownVariable));
    for placeholder in Placeholder::ALL {
        let marker = format!("[[placeholder:{placeholder}]]");
        if *placeholder == Placeholder::ProjectInstructions {
            continue;
        }
        if !target.contract.allows(placeholder.word()) {
            cases.push(target.with_block(&marker, Code::VariableNotAllowed));
            let in_path = format!("[[include-optional:{marker}]]");
            cases.push(target.with_block(&in_path, Code::VariableNotAllowed));
            continue;
        }
        let unclosed = format!("[[placeholder:{placeholder}");
        cases.extend(target.replaced(&marker, &unclosed, Code::UnclosedMarker));
        let misspelt = format!("[[placeholder:{placeholder}s]]");
        cases.extend(target.replaced(&marker, &misspelt, Code::UnknownVariable));
        let spaced = format!("[[placeholder: {placeholder}]]");
        cases.extend(target.replaced(&marker, &spaced, Code::MalformedMarker));
        // A path that must be included asks for the value too.
        let is_in_path = target.contract.files.iter().any(|file| file.path.contains(&marker));
        if target.contract.required.contains(&placeholder.word()) && !is_in_path {
            let without = |text: &str| text.replace(&marker, "nothing");
            let what = format!("{placeholder} missing");
            cases.push(target.everywhere(&what, Code::MissingVariable, without));
        }
    }
}

fn extension_point(target: &Target<'_>, cases: &mut Vec<Case>) {
    cases.push(target.with_block(POINT, Code::ExtensionPoint));
    if target.prompt != TeamPrompt::Context {
        let without = |text: &str| text.replace(POINT, "nothing");
        cases.push(target.everywhere("no extension point", Code::ExtensionPoint, without));
    }
}

fn fragments(target: &Target<'_>, cases: &mut Vec<Case>) {
    cases.push(target.with_block("[[shared:no-such-fragment]]", Code::UnknownFragment));
    for name in &target.contract.fragments {
        let marker = format!("[[shared:{name}]]");
        // With its text in its place nothing is missing but the fragment.
        let text = text_of(target.subject.set, &format!("shared/{name}.md"));
        let inlined = target.subject.text.replace(&marker, text.trim_end());
        assert_ne!(inlined, target.subject.text, "{} has {marker}", target.subject.path);
        let what = format!("{name} written out");
        cases.push(target.subject.case(&what, inlined, Code::MissingFragment, 1));
        let misspelt = format!("[[shared:{name}x]]");
        cases.extend(target.replaced(&marker, &misspelt, Code::UnknownFragment));
        let unclosed = format!("[[shared:{name}");
        cases.extend(target.replaced(&marker, &unclosed, Code::UnclosedMarker));
    }
    for (fragment, code, line) in [
        ("text\n[[shared:zz]]\n", Code::FragmentCycle, 2),
        ("text\n[[placeholder:no_such_thing]]\n", Code::UnknownVariable, 2),
        ("\n\n[[include:no-such-file.md]]\n", Code::UnknownSessionFile, 3),
        ("text\n\n```rust\nfn main() {}\n", Code::UnclosedFence, 3),
        ("[[shared:zz", Code::UnclosedMarker, 1),
        (" \n", Code::EmptyFile, 1),
    ] {
        let mut case = target.with_block("[[shared:zz]]", code);
        case.what = format!("{} with a fragment {fragment:?}", case.what);
        case.set.insert("shared/zz.md".to_owned(), fragment.as_bytes().to_vec());
        case.expected = (code, "templates/shared/zz.md".to_owned(), line);
        cases.push(case);
    }
}

fn session_files(target: &Target<'_>, cases: &mut Vec<Case>) {
    for line in [
        "[[include:no/such/file.txt]]",
        "[[include-optional:../../secrets]]",
        "[[include:/etc/passwd]]",
        "[[include-optional:[[placeholder:feature_dir]]]]",
    ] {
        cases.push(target.with_block(line, Code::UnknownSessionFile));
    }
    for file in &target.contract.files {
        let marker = smallest::include(file);
        let without = |text: &str| text.replace(&marker, "nothing");
        let what = format!("{marker} missing");
        cases.push(target.everywhere(&what, Code::MissingSessionFile, without));
        let flipped = smallest::include(&SessionFile { presence: other(file), ..file.clone() });
        cases.extend(target.replaced(&marker, &flipped, Code::SessionFilePresence));
        let (directive, _) = marker.split_once(':').expect("a directive");
        let misspelt = format!("{directive}:{}x]]", file.path);
        cases.extend(target.replaced(&marker, &misspelt, Code::UnknownSessionFile));
    }
    for path in session_paths() {
        if target.contract.file(path).is_none() && !path.contains("[[") {
            let certain = format!("[[include:{path}]]");
            cases.push(target.with_block(&certain, Code::SessionFilePresence));
        }
    }
}

/// The presence that a file does not have.
fn other(file: &SessionFile) -> contract::Presence {
    match file.presence {
        contract::Presence::Certain => contract::Presence::Possible,
        contract::Presence::Possible => contract::Presence::Certain,
    }
}

fn teachings(target: &Target<'_>, cases: &mut Vec<Case>) {
    for teaching in &target.contract.teaches {
        for spellings in &teaching.says {
            // A line that shows PASS alone is another fault, whose cases are elsewhere.
            if spellings[0].starts_with("<review>") {
                continue;
            }
            let without = |text: &str| {
                spellings.iter().fold(text.to_owned(), |text, phrase| unsaid(&text, phrase))
            };
            let what = format!("nothing of {}", spellings[0]);
            let case = target.everywhere(&what, Code::MissingDirective, without);
            let text = text_of(&case.set, &target.subject.path);
            let in_code = format!("{text}\n```\n{}\n```\n", spellings[0]);
            let mut fenced = target.everywhere(&what, Code::MissingDirective, without);
            fenced.set.insert(target.subject.path.clone(), in_code.into_bytes());
            fenced.what = format!("{}: {} only in code", target.subject.path, spellings[0]);
            cases.extend([case, fenced]);
        }
    }
}

/// Takes a phrase out of a text, but not out of its markers.
fn unsaid(text: &str, phrase: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[[") {
        let end = rest[at..].find('\n').map_or(rest.len(), |length| at + length);
        let end = rest[at..end].rfind("]]").map_or(end, |length| at + length + 2);
        out.push_str(&without_phrase(&rest[..at], phrase));
        out.push_str(&rest[at..end]);
        rest = &rest[end..];
    }
    out + &without_phrase(rest, phrase)
}

fn judge_all(prompts: impl Iterator<Item = TeamPrompt>, least: usize) {
    let (count, codes) = judge(prompts.flat_map(cases));
    assert!(count >= least, "{count} cases");
    for code in [
        Code::MissingPrompt,
        Code::UnknownPrompt,
        Code::FileCase,
        Code::MissingSection,
        Code::EmptySection,
        Code::DuplicateSection,
        Code::FencedSection,
        Code::UnclosedFence,
        Code::UnknownVariable,
        Code::VariableNotAllowed,
        Code::MissingVariable,
        Code::MissingFragment,
        Code::UnknownSessionFile,
        Code::MissingSessionFile,
        Code::SessionFilePresence,
        Code::MissingDirective,
        Code::LonePass,
        Code::ExtensionPoint,
    ] {
        assert!(codes.contains(&code), "no case for {}", code.slug());
    }
}

#[test]
fn every_prompt_of_a_role_broken_in_every_way_is_reported_exactly() {
    judge_all(Role::ALL.iter().copied().map(TeamPrompt::Role), 900);
}

#[test]
fn every_prompt_of_a_command_and_the_context_broken_in_every_way_are_reported_exactly() {
    let commands = Command::ALL.iter().copied().map(TeamPrompt::Command);
    judge_all(commands.chain([TeamPrompt::Context]), 500);
}

#[test]
fn the_smallest_prompts_that_fulfil_their_contracts_compile() {
    for set in [set_with([]), whole_team()] {
        let (found, report) = errors(&set);
        assert!(found.is_empty(), "{report}");
    }
    for prompt in TeamPrompt::all() {
        let (found, report) = errors(&set_of(prompt));
        assert!(found.is_empty(), "{report}");
    }
}

#[test]
fn a_fragments_own_fault_is_reported_once_however_many_prompts_include_it() {
    let whole = whole_team();
    let mut used: Vec<String> =
        TeamPrompt::all().flat_map(|prompt| fragments_of(&whole, &prompt.file())).collect();
    used.sort();
    used.dedup();
    assert!(used.len() >= 5, "{used:?}");
    let all = used.iter().flat_map(|path| {
        let text = text_of(&whole, path);
        let subject = Subject { set: &whole, path: path.clone(), text };
        [
            ("[[placeholder:no_such_thing]]", Code::UnknownVariable),
            ("[[include:no-such-file.md]]", Code::UnknownSessionFile),
            ("[[shared:no-such-fragment]]", Code::UnknownFragment),
            ("[[placeholder: topic]]", Code::MalformedMarker),
            ("[[include:state.json", Code::UnclosedMarker),
            ("```rust", Code::UnclosedFence),
        ]
        .map(|(line, code)| {
            let text = format!("{}\n{line}\n", subject.text);
            subject.case(&format!("line {line:?}"), text, code, subject.lines() + 2)
        })
    });
    judge(all);
}

#[test]
fn a_placeholder_in_a_fragment_must_have_a_value_in_every_prompt_that_includes_it() {
    let mut set = set_with([]);
    let path = "shared/coder-discipline.md";
    set.insert(path.to_owned(), b"Do it.\n[[placeholder:plan_file]]\n".to_vec());
    let compilation = compiled(&set);
    let [diagnostic] = compilation.diagnostics.as_slice() else {
        panic!("{}", report::human(&compilation, report::Colors::Off));
    };
    assert_eq!(diagnostic.code, Code::VariableNotAllowed);
    assert_eq!(compilation.sources.get(diagnostic.place.file).path, format!("templates/{path}"));
    let labelled: Vec<_> = diagnostic
        .labels
        .iter()
        .map(|(place, _)| compilation.sources.get(place.file).path.as_str())
        .collect();
    assert_eq!(labelled, ["templates/commands/fix.md"]);

    // All prompts that lack the value are shown.
    let path = "shared/preference-memory.md";
    set = set_with([(path.to_owned(), b"[[placeholder:topic]]\n".to_vec())]);
    let compilation = compiled(&set);
    assert_eq!(compilation.diagnostics.len(), 1);
    let includes = |prompt: &TeamPrompt| {
        contract::of_prompt(*prompt).fragments.iter().any(|name| name == "preference-memory")
    };
    assert_eq!(compilation.diagnostics[0].labels.len(), TeamPrompt::all().filter(includes).count());
}

#[test]
fn a_file_of_another_prompt_can_be_included_where_it_may_be_missing() {
    let coder = TeamPrompt::Role(Role::Coder);
    let text = smallest::team_prompt(coder) + "<x>\n[[include-optional:requirements.md]]\n</x>\n";
    let (found, report) = errors(&set_with([(coder.file(), text.into_bytes())]));
    assert!(found.is_empty(), "{report}");
}

#[test]
fn a_folder_without_any_prompt_of_the_team_is_complete() {
    let is_team = |path: &str| !path.starts_with("system/") && !path.starts_with("shared/");
    let mut set = set_with([]);
    set.retain(|path, _| !is_team(path));
    assert_eq!(errors(&set).0, []);
    let context = TeamPrompt::Context;
    set.insert(context.file(), smallest::team_prompt(context).into_bytes());
    let (found, _) = errors(&set);
    assert_eq!(found.len(), 12);
    assert!(found.iter().all(|(code, ..)| *code == Code::MissingPrompt), "{found:?}");
}
