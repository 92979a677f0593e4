//! A fourth flow as files alone: two reviewers of different vendors, both of whom must pass the code.

use agentd::compile::Sources;
use agentd::compile::flow::{FlowCode, FlowCompilation, Origin, compile_flows};
use agentd::flow::{Prompt, explore};

pub(crate) const FLOW: &str = r#"version = 1
about = "a small change that two vendors review"
start = "implement"
guarantees = ["reviewed", "checked"]
reopen = "implement"

[steps.implement]
prompt = "system:implement"
workspace = "write"
changes = "code"
tasks = "request"
leaves = ["IMPLEMENTATION.md"]
rounds = "limits.implement_rounds"
on = { ALL_DONE = "checks", TASKS_LEFT = "implement" }

[steps.implement.reads]
"tasks.md" = "the request as the only task"
"FIRST-LOOK.md?" = "what the first reviewer found"
"SECOND-LOOK.md?" = "what the second reviewer found"

[steps.checks]
kind = "checks"
on = { GREEN = "first-look", RED = "implement" }

[steps.first-look]
judges = "code"
not_by = "implement"
reads = { "IMPLEMENTATION.md" = "what was done" }
on = { PASS = "second-look", NEEDS_CHANGES = "implement" }

[steps.second-look]
prompt = "own"
judges = "code"
not_by = "first-look"
reads = { "FIRST-LOOK.md" = "what the other reviewer says" }
on = { PASS = "last-checks", NEEDS_CHANGES = "implement" }

[steps.last-checks]
kind = "checks"
clean = true
on = { GREEN = "archive", RED = "implement" }

[steps.archive]
kind = "archive"
on = { DONE = "archived" }
reject = "implement"
"#;

const TEMPLATE: &str = "# Review\n\n## Identity & Role\nYou review code.\n\n## Core Principles\nBe exact.\n\n\
    ## Context Placeholders\n<project>\n{{PROJECT_CONTEXT}}\n</project>\n\n## Workflow Context\n\
    Think in `<thought>`. Ask with <blocked>a question</blocked>. End with <review>PASS</review> or <review>NEEDS_CHANGES</review>.\n";

fn compiled(flow: &str, templates: &[(&str, &str)]) -> FlowCompilation {
    let mut sources = Sources::new("agentd");
    sources.add("flows/two-vendors.toml", flow.as_bytes().to_vec());
    for (name, text) in templates {
        sources.add(&format!("flows/two-vendors/{name}"), text.as_bytes().to_vec());
    }
    compile_flows(sources, Origin::Project(&["sdd", "team", "quick"]))
}

pub(crate) const TEMPLATES: [(&str, &str); 3] = [
    ("BASE-first-look.md", TEMPLATE),
    ("CODEX-first-look.md", TEMPLATE),
    ("BASE-second-look.md", TEMPLATE),
];

#[test]
fn a_flow_of_a_project_needs_files_alone() {
    let compilation = compiled(FLOW, &TEMPLATES);
    assert!(compilation.is_ok(), "{}", compilation.report());
    let flow = &compilation.flows[0].flow;
    assert_eq!(flow.name, "two-vendors");
    let own = flow.steps.iter().filter(|step| step.prompt == Some(Prompt::Own));
    assert_eq!(
        own.map(|step| step.slot.as_ref()).collect::<Vec<_>>(),
        ["first-look", "second-look"]
    );
    let explored = explore(flow).expect("it is small");
    println!("two-vendors: {} states", explored.states.len());
}

#[test]
fn a_flow_that_leaves_out_a_reviewer_is_refused() {
    let mutants = [
        ("PASS = \"second-look\"", "PASS = \"last-checks\""),
        ("PASS = \"last-checks\", NEEDS_CHANGES", "PASS = \"first-look\", NEEDS_CHANGES"),
        ("PASS = \"second-look\", ", ""),
        ("PASS = \"last-checks\", ", ""),
        ("GREEN = \"first-look\"", "GREEN = \"second-look\""),
        ("GREEN = \"first-look\"", "GREEN = \"last-checks\""),
    ];
    for (old, new) in mutants {
        assert_eq!(FLOW.matches(old).count(), 1, "{old}");
        let compilation = compiled(&FLOW.replace(old, new), &TEMPLATES);
        assert!(!compilation.faults.is_empty(), "{new}");
    }
    let compilation = compiled(&FLOW.replace(mutants[0].0, mutants[0].1), &TEMPLATES);
    let report = compilation.report();
    let path =
        "implement ALL_DONE -> checks GREEN -> first-look PASS -> last-checks GREEN -> archive";
    assert!(report.contains(path), "{report}");
    assert!(
        compilation.faults.iter().any(|fault| fault.code == FlowCode::NotGuaranteed),
        "{report}"
    );
}

#[test]
fn the_templates_of_a_flow_are_held_to_its_steps() {
    let cases = [
        (vec![TEMPLATES[0], TEMPLATES[1]], "own-template", "step `second-look` has no template"),
        (
            vec![TEMPLATES[0], TEMPLATES[2], ("BASE-third-look.md", TEMPLATE)],
            "own-template",
            "the flow has no step `third-look`",
        ),
        (
            vec![TEMPLATES[0], TEMPLATES[2], ("CLAUDE-first-look.md", "# Review\n")],
            "missing-section",
            "section `Identity & Role` is missing",
        ),
    ];
    for (templates, code, message) in cases {
        let report = compiled(FLOW, &templates).report();
        assert!(report.contains(code) && report.contains(message), "{report}");
    }
    let changed = |old: &str, new: &str| {
        assert!(TEMPLATE.contains(old));
        let text = TEMPLATE.replace(old, new);
        let templates = [TEMPLATES[0], ("BASE-second-look.md", text.as_str())];
        compiled(FLOW, &templates).report()
    };
    let report = changed("<review>NEEDS_CHANGES", "<review>REJECTED");
    assert!(report.contains("step `second-look` does not know the verdict `REJECTED`"), "{report}");
    assert!(report.contains("which step `second-look` uses, is not explained"), "{report}");
    let report = changed("{{PROJECT_CONTEXT}}", "{{TASKS}}");
    assert!(
        report.contains("step `second-look` requires the variable `PROJECT_CONTEXT`"),
        "{report}"
    );
    assert!(report.contains("a step that reads `tasks.md`"), "{report}");
    let report = changed("Think in `<thought>`. ", "");
    assert!(report.contains("`<thought>`, which step `second-look` uses"), "{report}");
    let report = changed("Ask with <blocked>a question</blocked>. ", "");
    let untaught = "`<blocked>what you need to know</blocked>`, which step `second-look` uses, is not explained";
    assert!(report.contains(untaught), "{report}");
}
