//! What a step leaves: a validator looks at its own files alone, and some files are agentd's.

use agentd::compile::flow::{FlowCode, compile_text};

use super::{compiled, text};

/// Changes a flow in some places, and returns the codes of its faults with the report.
fn changed(name: &str, changes: &[(&str, &str)]) -> (Vec<FlowCode>, String) {
    let mut flow = text(name);
    for (old, new) in changes {
        assert_eq!(flow.matches(old).count(), 1, "{old}");
        flow = flow.replace(old, new);
    }
    let compilation = compiled(name, &flow);
    (compilation.faults.iter().map(|fault| fault.code).collect(), compilation.report())
}

#[test]
fn an_archive_merges_the_folder_that_its_validator_looks_at_and_no_other() {
    let leaves = ("leaves = [\"archive/**\"]", "leaves = [\"out/**:archive\"]");
    let merges = ("merges = \"archive/\"", "merges = \"out/\"");
    let (codes, report) = changed("sdd", &[leaves, merges]);
    assert_eq!(codes, [FlowCode::MisplacedFile, FlowCode::WrongValue], "{report}");
    for line in [
        "error[misplaced-file]: the validator `archive` looks at `archive/**`, not at `out/**`",
        "  --> templates/flows/sdd.toml:",
        " | leaves = [\"out/**:archive\"]\n   |           ^^^^^^^^^^^^^^^^\n",
        "= help: leave `archive/**`, or write `out/**:text`",
        "error[wrong-value]: `out/` is not a value of `merges`",
        "= help: expected one of archive/",
    ] {
        assert!(report.contains(line), "not there: {line}\n{report}");
    }
    assert_eq!(changed("sdd", &[leaves]).0, [FlowCode::MisplacedFile]);
    assert_eq!(changed("sdd", &[merges]).0, [FlowCode::WrongValue]);
    let unchecked = ("leaves = [\"archive/**\"]", "leaves = [\"archive/**:text\"]");
    assert_eq!(changed("sdd", &[unchecked]).0, [FlowCode::MisplacedFile]);
}

#[test]
fn every_validator_looks_at_files_of_its_own() {
    let plan = "leaves = [\"proposal.md\", \"specs/*.md\", \"tasks.md\"]";
    for (files, message, help) in [
        (
            "\"plan.md:proposal\"",
            "the validator `proposal` looks at `proposal.md`, not at `plan.md`",
            "leave `proposal.md`, or write `plan.md:text`",
        ),
        (
            "\"tasks.md:text\"",
            "`tasks.md` has the validator `tasks`, and no other",
            "write `tasks.md`",
        ),
        (
            "\"specs/login.md\"",
            "`specs/login.md` is one of `specs/*.md`, which the validator `spec` looks at",
            "leave `specs/*.md`, or a file elsewhere",
        ),
        (
            "\"**\"",
            "`**` also stands for `proposal.md`, which the validator `proposal` looks at",
            "name the files that the step leaves",
        ),
        (
            "\"spec*/a*.md\"",
            "`spec*/a*.md` also stands for some of `specs/*.md`, which the validator `spec` looks at",
            "name the files that the step leaves",
        ),
    ] {
        let (codes, report) = changed("sdd", &[(plan, &format!("leaves = [{files}]"))]);
        assert!(codes.contains(&FlowCode::MisplacedFile), "{report}");
        assert!(report.contains(message) && report.contains(help), "{report}");
    }
}

/// A judge that could write what it judges would not have to say that it changes the plan.
#[test]
fn a_plan_cannot_be_left_as_plain_text() {
    let judge = "judges = \"plan\"\n";
    for files in ["tasks.md:text", "04_planning/plan_1.md", "specs/**", "*.md"] {
        let (codes, report) =
            changed("sdd", &[(judge, &format!("{judge}leaves = [\"{files}\"]\n"))]);
        assert_eq!(codes, [FlowCode::MisplacedFile], "{files}: {report}");
    }
}

#[test]
fn what_agentd_writes_itself_no_step_leaves() {
    let leaves = "leaves = [\"IMPLEMENTATION.md\"]";
    for file in ["CHECKS.md", "REVIEW.md", "CHALLENGE.md", "requirements.md", "state.json"] {
        let with = leaves.replace(']', &format!(", \"{file}\"]"));
        let (codes, report) = changed("sdd", &[(leaves, &with)]);
        assert_eq!(codes, [FlowCode::MisplacedFile], "{file}: {report}");
        assert!(report.contains(&format!("`{file}` is a file that agentd writes")), "{report}");
    }
    // A template of a flow's own teaches what its step leaves.
    let own = "prompt = \"own\"\nleaves = [\"notes/*.md\", \"FINDINGS.md\"]\n";
    let flow = text("quick").replace("prompt = \"system:review\"\n", own);
    assert_eq!(compile_text("small", &flow).map(drop), Ok(()));
    let answer = flow.replace("FINDINGS.md", "REVIEW.md");
    let report = compile_text("small", &answer).expect_err("it is the answer").report;
    assert!(report.contains("`REVIEW.md` is a file that agentd writes"), "{report}");
}

/// Each case fails in the engine: the agent is taught to leave one file, and another is asked of it.
#[test]
fn a_step_leaves_what_its_prompt_teaches() {
    let own = "02_architecting/architecture.md";
    let (codes, report) = changed("team", &[(own, "design/architecture.md")]);
    assert_eq!(codes, [FlowCode::MisplacedFile], "{report}");
    for line in [
        "a step with the prompt `architect` never leaves `design/architecture.md`",
        "= help: it leaves `02_architecting/architecture.md`",
    ] {
        assert!(report.contains(line), "not there: {line}\n{report}");
    }
    let lines = [
        "leaves = [\"01_product_management/analysis.md\"]\n",
        "leaves = [\"05_design/design.md\"]\n",
        "leaves = [\"06_implementation/done_*\"]\n",
        "leaves = [\"07_review/review.md\"]\n",
        "leaves = [\"06_implementation/done_fix\"]\n",
        "leaves = [\"08_completion/summary.md\"]\n",
        "leaves = [\"IMPLEMENTATION.md\"]\n",
    ];
    for line in lines {
        let name = if line.contains("IMPLEMENTATION") { "sdd" } else { "team" };
        let (codes, report) = changed(name, &[(line, "")]);
        assert_eq!(codes, [FlowCode::MisplacedFile], "{line}{report}");
        assert!(report.contains("`, and does not say so\n"), "{report}");
        assert!(report.contains("= help: add it to `leaves`"), "{report}");
        let more = line.replace(']', ", \"notes.md\"]");
        let (codes, report) = changed(name, &[(line, &more)]);
        assert_eq!(codes, [FlowCode::MisplacedFile], "{more}{report}");
    }
}

/// Their contracts do not say how a step ends. The engine would have sent another prompt.
#[test]
fn no_step_has_the_prompt_of_a_coder_a_reviewer_or_a_researcher() {
    for role in ["coder", "reviewer", "code-researcher", "web-researcher"] {
        let prompt = format!("prompt = \"{role}\"");
        let (codes, report) = changed("team", &[("prompt = \"commands:summary\"", &prompt)]);
        assert!(codes.contains(&FlowCode::WrongValue), "{report}");
        assert!(report.contains(&format!("no step has the prompt `{role}`")), "{report}");
        assert!(!report.contains(&format!(", {role}")), "it is no help: {report}");
    }
}

/// The engine looks for questions in the hand-offs of a role.
#[test]
fn only_a_role_asks_for_research() {
    for prompt in ["system:review", "own"] {
        let line = "prompt = \"system:review\"\n";
        let more = format!("prompt = \"{prompt}\"\nresearch = true\n");
        let (codes, report) = changed("quick", &[(line, &more)]);
        assert!(codes.contains(&FlowCode::MisplacedColumn), "{report}");
        assert!(report.contains(&format!("the prompt `{prompt}` has no `research`")), "{report}");
    }
}
