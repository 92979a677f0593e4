//! Holds the documents to the code: every example of the grammar is run, every report of the diagnostics is generated,
//! and so is what the guide to agents says of keys and command lines; the commands of the guides are run in order, and the
//! diagram and the tables of the workflow are the machine's own, the reports on plans those of the check.
//! and so is what the guide to agents says of keys and command lines; the commands of the guide are run in order, the
//! examples of the hand-off contracts are handed in, and the diagram and the tables of the workflow are the machine's own.
//!
//! `AGENTD_BLESS=1 cargo test --test documents` writes what is generated anew instead of comparing it.

#![allow(clippy::disallowed_methods, reason = "tests write the files that they need as they like")]
#![cfg(feature = "compiler")]
#![cfg_attr(
    feature = "cli",
    expect(clippy::expect_used, reason = "a test that cannot go on says why and fails")
)]

#[cfg(feature = "cli")]
#[path = "documents/agents.rs"]
mod agents;
#[cfg(feature = "cli")]
#[path = "documents/flows.rs"]
mod flows;
#[cfg(feature = "cli")]
#[path = "documents/guide.rs"]
mod guide;
#[cfg(feature = "cli")]
#[path = "documents/handoff.rs"]
mod handoff;
#[cfg(feature = "cli")]
#[path = "documents/planning.rs"]
mod planning;
#[cfg(feature = "cli")]
#[path = "documents/played.rs"]
mod played;
#[cfg(feature = "cli")]
#[path = "documents/prompts.rs"]
mod prompts;
#[cfg(feature = "cli")]
#[path = "documents/schedule.rs"]
mod schedule;
#[cfg(feature = "cli")]
#[path = "documents/session.rs"]
mod session;
#[cfg(feature = "cli")]
#[path = "documents/settled.rs"]
mod settled;
#[path = "it/smallest.rs"]
mod smallest;
#[cfg(feature = "cli")]
#[path = "documents/team.rs"]
mod team;
#[cfg(feature = "cli")]
#[path = "documents/workflow.rs"]
mod workflow;

use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

use agentd::catalog::CATALOG;
use agentd::compile::report::{self, Colors};
use agentd::compile::{
    Code, Compilation, Diagnostic, Folder, Severity, Sources, compile, link_one,
};
use agentd::template::{
    Dialect, FaultKind, IncludeFault, Includes, Node, Phase, RenderError, parse, render,
};

const GRAMMAR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/grammar.md");
const DIAGNOSTICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/diagnostics.md");

/// How many examples the grammar has at least: fewer means that they are no longer found.
const EXAMPLES: usize = 127;

/// The names that are live in the grammar's examples of the extension dialect.
const ALLOWED: &[&str] = &["plan_file", "task_id"];

#[test]
fn every_example_of_the_grammar_gives_the_result_it_states() {
    let document = read(GRAMMAR);
    let world = World::of(&document);
    let examples = rows(&document, "| source | dialect | result |");
    assert!(examples.len() >= EXAMPLES, "only {} examples were found", examples.len());
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|[source, dialect, stated]| {
            let given = world.outcome(&decoded(source), dialect_named(dialect));
            (given != *stated).then(|| format!("{source} in {dialect} gives {given}, not {stated}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_faulty_marker_leaves_nothing_and_the_rest_of_the_file_is_parsed() {
    let document = read(GRAMMAR);
    let world = World::of(&document);
    let examples = rows(&document, "| source | dialect | faults | what is left |");
    assert!(examples.len() >= 4, "only {} examples were found", examples.len());
    for [source, dialect, faults, left] in &examples {
        let (text, dialect) = (decoded(source), dialect_named(dialect));
        let parsed = parse(&text, &dialect);
        let codes = parsed.faults.iter().map(|fault| code_of(fault.kind));
        assert_eq!(listed(codes), *faults, "{source}");
        let nodes = parsed.nodes.iter().map(|(node, _)| node);
        assert_eq!(world.rendered(nodes, &dialect), *left, "{source}");
    }
}

#[test]
fn the_grammar_shows_every_dialect_and_every_fault() {
    let document = read(GRAMMAR);
    let examples = rows(&document, "| source | dialect | result |");
    let names = ["system", "role", "identity", "extension"];
    let table = rows(&document, "| dialect | where | live | a value that is missing |");
    assert_eq!(table.iter().map(|[name, _, _, _]| name.as_str()).collect::<Vec<_>>(), names);
    let shown: BTreeSet<_> = examples.iter().map(|[_, dialect, _]| dialect.as_str()).collect();
    assert_eq!(shown, BTreeSet::from(names));
    let kinds = [
        FaultKind::Unclosed,
        FaultKind::Malformed,
        FaultKind::Foreign,
        FaultKind::UnknownDirective,
    ];
    for kind in kinds {
        let stated = format!("error: {}", listed([code_of(kind)]));
        assert!(examples.iter().any(|[_, _, result]| *result == stated), "{stated} is not shown");
    }
}

#[test]
fn every_code_has_one_section_in_the_order_of_the_table() {
    let document = read(DIAGNOSTICS);
    let documented: Vec<&str> =
        sections(&document).into_iter().filter_map(|(title, _)| in_code_font(title)).collect();
    let known: Vec<&str> = Code::ALL.iter().map(|code| code.slug()).collect();
    assert_eq!(documented, known);
}

#[test]
fn every_section_states_severity_meaning_reason_and_remedy() {
    let document = read(DIAGNOSTICS);
    for code in Code::ALL {
        let severity = match code.severity() {
            Severity::Error => "- Severity: error.",
            Severity::Warning => "- Severity: warning.",
        };
        let body = section(&document, *code);
        for part in [severity, "- Meaning: ", "- Why: ", "- Fix: "] {
            let count = body.lines().filter(|line| line.starts_with(part)).count();
            assert_eq!(count, 1, "`{}` has {count} lines with `{part}`", code.slug());
        }
        assert_eq!(body.matches("```text\n").count(), 1, "`{}` shows one report", code.slug());
    }
}

#[test]
fn every_report_in_the_document_is_the_one_the_compiler_gives() {
    let document = read(DIAGNOSTICS);
    let mut blocks = vec![report_of_two(), cargo_lines_of_two()];
    blocks.extend(Code::ALL.iter().map(|code| report_of(*code)));
    let current = with_blocks(&document, &blocks);
    if blessed(DIAGNOSTICS, &current) {
        return;
    }
    for code in Code::ALL {
        let (stated, given) = (section(&document, *code), section(&current, *code));
        assert_eq!(stated, given, "`{}`: run with AGENTD_BLESS=1", code.slug());
    }
    assert_eq!(document, current, "run with AGENTD_BLESS=1");
}

#[test]
fn the_set_of_templates_that_the_reports_start_from_is_correct() {
    let compilation = Set::correct().compile();
    assert_eq!(report::human(&compilation, Colors::Off), "");
    assert_eq!(compilation.system.len(), Phase::ALL.len());
}

/// What the examples of the grammar refer to: values, fragments and files of a session.
struct World {
    values: BTreeMap<String, String>,
    fragments: BTreeMap<String, String>,
    files: Files,
}

struct Files(BTreeMap<String, String>);

impl Includes for Files {
    fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        Ok(self.0.get(path).cloned())
    }
}

impl World {
    fn of(document: &str) -> Self {
        let named = |header| -> BTreeMap<String, String> {
            let rows = rows(document, header);
            assert!(!rows.is_empty(), "there is no table `{header}`");
            rows.iter().map(|[name, text]| (decoded(name), decoded(text))).collect()
        };
        Self {
            values: named("| value | text |"),
            fragments: named("| fragment | text |"),
            files: Files(named("| file | text |")),
        }
    }

    /// Parses, links and renders a source, and puts the outcome as the document's tables do.
    fn outcome(&self, source: &str, dialect: Dialect<'_>) -> String {
        let faults = parse(source, &dialect).faults;
        if !faults.is_empty() {
            return format!("error: {}", listed(faults.iter().map(|fault| code_of(fault.kind))));
        }
        let mut sources = Sources::new("templates");
        for (name, text) in &self.fragments {
            sources.add(&format!("shared/{name}.md"), text.clone().into_bytes());
        }
        let path = "templates/commands/example.md".to_owned();
        let file = sources.add_as(Folder::Commands, "example.md", path, source.into());
        let (linked, compilation) = link_one(sources, file, &dialect);
        if !compilation.diagnostics.is_empty() {
            return format!("error: {}", listed(compilation.diagnostics.iter().map(|d| d.code)));
        }
        let parsed = parse(&linked.text, &dialect);
        self.rendered(parsed.nodes.iter().map(|(node, _)| node), &dialect)
    }

    fn rendered<'n, 't: 'n>(
        &self,
        nodes: impl Iterator<Item = &'n Node<'t>>,
        dialect: &Dialect<'_>,
    ) -> String {
        let mut out = String::new();
        match render(
            "example",
            nodes,
            &self.values,
            &self.files,
            dialect.on_missing,
            CATALOG.tags,
            &mut out,
        ) {
            Ok(_) if out.is_empty() => "nothing".to_owned(),
            Ok(_) => encoded(&out),
            Err(RenderError::MissingValue { name, .. }) => format!("error: no value `{name}`"),
            Err(RenderError::MissingInclude { path, .. }) => format!("error: no file `{path}`"),
            Err(error) => format!("error: {error}"),
        }
    }
}

fn dialect_named(name: &str) -> Dialect<'static> {
    match name {
        "system" => Dialect::SYSTEM,
        "role" => Dialect::ROLE,
        "identity" => Dialect::IDENTITY,
        "extension" => Dialect::extension(ALLOWED),
        other => panic!("there is no dialect `{other}`"),
    }
}

/// The code under which the compiler reports a fault of the parser.
fn code_of(kind: FaultKind) -> Code {
    match kind {
        FaultKind::Unclosed => Code::UnclosedMarker,
        FaultKind::Malformed => Code::MalformedMarker,
        FaultKind::Foreign => Code::ForeignMarker,
        FaultKind::UnknownDirective => Code::UnknownDirective,
    }
}

fn listed(codes: impl IntoIterator<Item = Code>) -> String {
    codes.into_iter().map(|code| format!("`{}`", code.slug())).collect::<Vec<_>>().join(", ")
}

/// Writes a text as the tables show it: in code font, line breaks as `\r` and `\n`.
fn encoded(text: &str) -> String {
    format!("`{}`", text.replace('\r', "\\r").replace('\n', "\\n"))
}

fn decoded(cell: &str) -> String {
    let text = in_code_font(cell).unwrap_or_else(|| panic!("`{cell}` is not in code font"));
    text.replace("\\r", "\r").replace("\\n", "\n")
}

fn in_code_font(text: &str) -> Option<&str> {
    text.strip_prefix('`')?.strip_suffix('`')
}

/// Gives the cells of every row of every table with this header.
fn rows<const N: usize>(document: &str, header: &str) -> Vec<[String; N]> {
    let mut rows = Vec::new();
    let mut lines = document.lines();
    while lines.by_ref().any(|line| line == header) {
        let body = lines.by_ref().take_while(|line| line.starts_with('|')).skip(1);
        rows.extend(body.map(|line| {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
            cells.collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("not {N} cells: {line}"))
        }));
    }
    rows
}

/// A folder of templates that is made by hand.
struct Set(BTreeMap<String, Vec<u8>>);

impl Set {
    /// The smallest set without a fault: the BASE template of each phase.
    fn correct() -> Self {
        let template = |phase: &Phase| (base(*phase), smallest::base_template(*phase).into_bytes());
        Self(Phase::ALL.iter().map(template).collect())
    }

    /// The same with the prompts of the team.
    fn with_team() -> Self {
        smallest::team()
            .into_iter()
            .fold(Self::correct(), |set, (file, text)| set.with(&file, text))
    }

    fn with(mut self, file: &str, text: impl Into<Vec<u8>>) -> Self {
        self.0.insert(file.to_owned(), text.into());
        self
    }

    /// The same with an identity of this frontmatter.
    fn with_guide(self, frontmatter: &str) -> Self {
        self.with("identities/guide.md", identity(frontmatter))
    }

    fn without(mut self, file: &str) -> Self {
        assert!(self.0.remove(file).is_some(), "there is no `{file}`");
        self
    }

    fn with_change(self, file: &str, old: &str, new: &str) -> Self {
        let text = String::from_utf8_lossy(&self.0[file]).into_owned();
        assert_eq!(text.matches(old).count(), 1, "`{old}` in `{file}`");
        self.with(file, text.replace(old, new))
    }

    fn compile(&self) -> Compilation {
        let mut sources = Sources::new("templates");
        for (file, text) in &self.0 {
            sources.add(file, text.clone());
        }
        compile(sources)
    }
}

/// The path of a phase's BASE template in its set.
fn base(phase: Phase) -> String {
    format!("system/BASE-{phase}.md")
}

/// The frontmatter of a correct identity.
const IDENTITY: &str = "name: guide\ncategory: identity\ndescription: a guide\nvariables:\n  - name: place\n    \
                        description: where\n    required: true";

/// An identity with this frontmatter.
fn identity(frontmatter: &str) -> String {
    format!("---\n{frontmatter}\n---\n# Guide\n\nLead the way from {{{{place}}}}.\n")
}

/// What breaks the frame of the smallest template.
const FRAME_SLIPS: [(Code, &str, &str); 4] = [
    (Code::UnclosedFrame, "</values>\n", ""),
    (Code::UnopenedFrame, "<values>\n", ""),
    (Code::UnframedValue, "{{SKELETON}}\n</values>", "</values>\n{{SKELETON}}"),
    (Code::ValueInTag, "{{SKELETON}}", "<path is=\"{{SKELETON}}\">\n</path>"),
];

/// Breaks one thing in the correct set, so that exactly this code is reported.
fn broken(code: Code) -> Set {
    let (set, team) = (Set::correct(), Set::with_team());
    let (coder, fix) = ("agents/coder.md", "commands/fix.md");
    let (plan, implement, review) =
        (&base(Phase::Plan), &base(Phase::Implement), &base(Phase::Review));
    match code {
        Code::FileName => set.with("system/notes.md", "Ideas for later.\n"),
        Code::FileCase => {
            set.without(plan).with("system/Base-Plan.md", smallest::base_template(Phase::Plan))
        }
        Code::UnknownAgent => {
            set.with("system/GEMNI-plan.md", smallest::base_template(Phase::Plan))
        }
        Code::UnknownPhase => {
            set.with("system/CODEX-reveiw.md", smallest::base_template(Phase::Review))
        }
        Code::MissingBase => set.without(&base(Phase::Archive)),
        Code::UnknownPrompt => team.with("agents/tester.md", "You test.\n"),
        Code::MissingPrompt => team.without(fix),
        Code::EmptyFile => set.with("system/CODEX-review.md", "\n\n"),
        Code::NotUtf8 => {
            set.with("system/CODEX-review.md", b"# Prompt\n\nMeet at the caf\xe9.\n".as_slice())
        }
        Code::MissingSection => set.with_change(plan, "## Core Principles", "## Principles"),
        Code::EmptySection => set.with_change(plan, "Be exact.\n", ""),
        Code::DuplicateSection => {
            set.with_change(plan, "## Workflow", "## core principles\nBe brief.\n\n## Workflow")
        }
        Code::FencedSection => set.with_change(
            plan,
            "## Core Principles\nBe exact.\n",
            "```markdown\n## Core Principles\nBe exact.\n```\n",
        ),
        Code::UnclosedFence => {
            set.with_change(plan, "Be exact.\n", "Be exact. Draw:\n\n```mermaid\ngraph LR\n")
        }
        Code::UnclosedMarker => set.with_change(plan, "{{SKELETON}}", "{{SKELETON}"),
        Code::MalformedMarker => set.with_change(plan, "{{SKELETON}}", "{{ SKELETON }}"),
        Code::ForeignMarker => set.with_change(plan, "{{SKELETON}}", "{{skeleton}}"),
        Code::UnknownDirective => set
            .with_change(plan, "Be exact.", "Be exact.\n[[shard:tone]]\n[[shared:tone]]")
            .with("shared/tone.md", "Be polite.\n"),
        Code::UnknownVariable => set.with_change(review, "{{ARTIFACTS}}", "{{ARTIFACT}}"),
        Code::VariableNotAllowed => {
            set.with_change(plan, "{{SKELETON}}", "{{SKELETON}}\nTasks: {{TASKS}}")
        }
        Code::MissingVariable => set.with_change(plan, "{{SKELETON}}\n", ""),
        Code::UnknownFragment => set
            .with_change(plan, "Be exact.", "Be exact.\n[[shared:tome]]\n[[shared:tone]]")
            .with("shared/tone.md", "Be polite.\n"),
        Code::FragmentCycle => set
            .with_change(plan, "Be exact.", "Be exact.\n[[shared:tone]]")
            .with("shared/tone.md", "Be polite.\n[[shared:style]]\n")
            .with("shared/style.md", "Write short sentences.\n[[shared:tone]]\n"),
        Code::LiveFragment => set
            .with_change(implement, "Be exact.", "Be exact.\n[[shared:scope]]")
            .with("shared/scope.md", "Do nothing beyond {{TASKS}}.\n"),
        Code::JoinedMarker => set
            .with_change(plan, "Be exact.", "Be exact: [[shared:brace]]{SKELETON}}")
            .with("shared/brace.md", "a brace {\n"),
        Code::LinkedTooLarge => set
            .with_change(plan, "Be exact.", "[[shared:hundreds]]\nAgain: [[shared:hundreds]]")
            .with("shared/hundreds.md", "[[shared:tens]] ".repeat(60))
            .with("shared/tens.md", "[[shared:tone]] ".repeat(10))
            .with("shared/tone.md", "Be polite.\n"),
        Code::UnusedFragment => set.with("shared/tone.md", "Be polite.\n"),
        Code::MissingFragment => team.with_change(coder, "[[shared:coder-discipline]]\n", ""),
        Code::UnknownSessionFile => team.with_change(fix, "review.md]]", "reviews.md]]"),
        Code::MissingSessionFile => team.with_change(fix, "[[include:07_review/review.md]]\n", ""),
        Code::SessionFilePresence => team.with_change(fix, "[[include:07", "[[include-optional:07"),
        Code::MissingDirective => set.with_change(plan, "- Mind: Mermaid.\n", ""),
        Code::UntaughtMarker => {
            set.with_change(review, " or <review>MAJOR_ISSUES</review>", " and nothing else")
        }
        Code::UnknownVerdict => {
            set.with_change(plan, "Answer: ", "Answer: <review>REJECTED</review> or ")
        }
        Code::LonePass => {
            set.with_change(review, "<review>PASS</review> or ", "<review>PASS</review>\nor ")
        }
        Code::MissingFrontmatter => set.with("identities/guide.md", "# Guide\n"),
        Code::FrontmatterSyntax => set.with_guide("name: [guide"),
        Code::FrontmatterKey => set.with_guide(&IDENTITY.replace("category", "categroy")),
        Code::FrontmatterField => set.with_guide(&IDENTITY.replace("description: a guide\n", "")),
        Code::FrontmatterType => set.with_guide(&IDENTITY.replace("true", "often")),
        Code::IdentityName => set.with_guide(&IDENTITY.replace("name: guide", "name: guides")),
        Code::UndeclaredVariable => {
            set.with("identities/guide.md", identity(IDENTITY) + "To {{goal}}.\n")
        }
        Code::UnusedVariable => {
            set.with("identities/guide.md", identity(IDENTITY).replace("{{place}}", "here"))
        }
        Code::ExtensionPoint => {
            team.with_change(coder, "[[placeholder:project_instructions]]\n", "")
        }
        Code::UnclosedFrame | Code::UnopenedFrame | Code::UnframedValue | Code::ValueInTag => {
            let slip = FRAME_SLIPS.iter().find(|(known, ..)| *known == code);
            slip.map_or_else(Set::correct, |(_, old, new)| set.with_change(plan, old, new))
        }
    }
}

/// Gives the one diagnostic of the set that is broken for this code, as people see it.
fn report_of(code: Code) -> String {
    let compilation = broken(code).compile();
    let found: Vec<Code> = compilation.diagnostics.iter().map(|d: &Diagnostic| d.code).collect();
    let text = report::human(&compilation, Colors::Off);
    assert_eq!(found, [code], "the set for `{}` gives:\n{text}", code.slug());
    // The last line counts; with one diagnostic it says nothing.
    trimmed(text.split_once("\n\n").map_or("", |(diagnostic, _count)| diagnostic))
}

/// Two faults in two files, for the introduction.
fn two_faults() -> Compilation {
    Set::correct()
        .with_change(&base(Phase::Plan), "{{SKELETON}}", "{{SKELTON}}")
        .with_change(&base(Phase::Review), "- Mind: security.\n", "")
        .compile()
}

fn report_of_two() -> String {
    trimmed(&report::human(&two_faults(), Colors::Off))
}

fn cargo_lines_of_two() -> String {
    trimmed(&report::cargo(&two_faults()))
}

/// Drops blanks at the ends of lines, which no editor shows, and ends the text with one line break.
fn trimmed(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// Puts `blocks` in place of the contents of the document's blocks of text, one for one.
fn with_blocks(document: &str, blocks: &[String]) -> String {
    const OPEN: &str = "```text\n";
    let mut parts = document.split(OPEN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for block in blocks {
        let Some((_, after)) = parts.next().and_then(|part| part.split_once("\n```\n")) else {
            panic!("there is no block for this report:\n{block}");
        };
        out.push_str(&format!("{OPEN}{block}```\n{after}"));
    }
    assert_eq!(parts.next(), None, "every block has a report");
    out
}

/// Splits a document at its level-2 headings.
fn sections(document: &str) -> Vec<(&str, &str)> {
    let parts = document.split("\n## ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
}

fn section(document: &str, code: Code) -> &str {
    let sections = sections(document);
    let found = sections.iter().find(|(title, _)| in_code_font(title) == Some(code.slug()));
    found.unwrap_or_else(|| panic!("`{}` has no section", code.slug())).1
}

/// Writes a document anew, if that is what the test was started for.
fn blessed(path: &str, current: &str) -> bool {
    let bless = env::var_os("AGENTD_BLESS").is_some_and(|value| value == "1");
    if bless {
        fs::write(path, current).unwrap_or_else(|error| panic!("cannot write {path}: {error}"));
    }
    bless
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}
