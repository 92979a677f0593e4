//! The skeletons: where the files of a phase go, and what they are asked to look like.

use std::path::Path;

use agentd::Phase;
use agentd::models::agent::Delivers;
use agentd::prompt::blocks::{CHANGELOG, IMPLEMENTATION, PROPOSAL, SPEC, Section, skeleton};
use agentd::prompt::tasks;

const FOLDER: &str = "/shop/agentd/changes/add-login";

fn text(phase: Phase, delivers: Delivers) -> String {
    skeleton(phase, Path::new(FOLDER), delivers).expect("a skeleton").to_string()
}

/// Gives the example of a file, as it stands in its fence.
fn example<'t>(skeleton: &'t str, file: &str) -> &'t str {
    let (_, after) = skeleton.split_once(&format!("\n#### {file}\n")).expect("the file");
    let (_, body) = after.split_once("~~~~markdown\n").expect("its example");
    body.split_once("~~~~\n").expect("the end of its example").0
}

fn headings<'t>(example: &'t str, mark: &str) -> Vec<&'t str> {
    example.lines().filter_map(|line| line.strip_prefix(mark)).collect()
}

fn titles(sections: &[Section]) -> Vec<&'static str> {
    sections.iter().map(|section| section.title).collect()
}

#[test]
fn a_skeleton_opens_with_its_target_paths_one_on_each_line() {
    let opening = |phase| {
        let text = text(phase, Delivers::Files);
        text.split("\n\n").next().expect("an opening").to_owned()
    };
    assert_eq!(
        opening(Phase::Plan),
        format!(
            "- write: {FOLDER}/proposal.md\n- write: {FOLDER}/specs/<capability>.md\n- write: {FOLDER}/tasks.md"
        )
    );
    assert_eq!(opening(Phase::Implement), format!("- write: {FOLDER}/IMPLEMENTATION.md"));
    assert_eq!(
        opening(Phase::Archive),
        format!(
            "- write: {FOLDER}/archive/changelog.md\n- write: {FOLDER}/archive/specs/<capability>.md"
        )
    );
}

#[test]
fn an_agent_that_delivers_text_is_asked_for_artifact_blocks() {
    let text = text(Phase::Plan, Delivers::Text);
    assert!(
        text.starts_with(
            "- print: proposal.md\n- print: specs/<capability>.md\n- print: tasks.md\n\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n<artifact path=\"proposal.md\">\n(the complete file)\n</artifact>\n"));
    assert!(text.contains("Write no file"), "{text}");
    assert!(!text.contains(FOLDER), "a path of the machine: {text}");
    assert!(!self::text(Phase::Plan, Delivers::Files).contains("<artifact"));
}

#[test]
fn only_what_writes_files_has_a_skeleton() {
    for phase in Phase::ALL {
        let writes = matches!(phase, Phase::Plan | Phase::Implement | Phase::Archive);
        for (delivers, expected) in
            [(Delivers::Files, writes), (Delivers::Text, writes), (Delivers::Nothing, false)]
        {
            let found = skeleton(*phase, Path::new(FOLDER), delivers).is_some();
            assert_eq!(found, expected, "{phase} {delivers:?}");
        }
    }
}

#[test]
fn the_examples_have_the_sections_that_a_checker_asks_for() {
    let plan = text(Phase::Plan, Delivers::Files);
    assert_eq!(headings(example(&plan, "proposal.md"), "## "), titles(&PROPOSAL));
    let spec = example(&plan, "specs/<capability>.md");
    assert_eq!(headings(spec, "## "), titles(&SPEC));
    assert_eq!(headings(spec, "### "), ["R1: (Title)", "Scenario: (Title) (R1)"]);
    assert!(spec.contains("- **WHEN** ") && spec.contains("- **THEN** "), "{spec}");
    let implementation = text(Phase::Implement, Delivers::Files);
    let implementation = example(&implementation, "IMPLEMENTATION.md");
    assert_eq!(headings(implementation, "## "), titles(&IMPLEMENTATION));
    assert_eq!(headings(implementation, "### "), ["1.1 (Title of the task)"]);
    let archive = text(Phase::Archive, Delivers::Files);
    assert_eq!(headings(example(&archive, "archive/changelog.md"), "### "), titles(&CHANGELOG));
    assert_eq!(headings(example(&archive, "archive/specs/<capability>.md"), "## "), titles(&SPEC));
}

#[test]
fn the_example_of_a_task_list_is_one_that_agentd_reads() {
    let plan = text(Phase::Plan, Delivers::Files);
    let tasks = tasks::read(example(&plan, "tasks.md")).expect("tasks");
    let ids: Vec<_> = tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["1.1", "1.2", "2.1"]);
    assert_eq!(tasks[2].depends, ["1.1", "1.2"]);
    assert_eq!(tasks[1].requirements, ["R1", "R2"]);
    assert!(tasks.iter().all(|task| !task.done && task.check.is_some() && !task.files.is_empty()));
}

#[test]
fn a_skeleton_is_neat_text_in_which_nothing_is_escaped() {
    let folder = Path::new("/a & b/<c>/it's");
    for phase in [Phase::Plan, Phase::Implement, Phase::Archive] {
        let text = skeleton(phase, folder, Delivers::Files).expect("a skeleton");
        assert!(text.starts_with("- write: /a & b/<c>/it's/"), "{text}");
        assert!(text.trim() == text.as_str() && !text.contains("\n\n\n"), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        assert!(!text.contains("{%") && !text.contains("{{"), "{text}");
    }
}

#[test]
fn the_blocks_are_in_the_package() {
    let output = std::process::Command::new(env!("CARGO"))
        .args(["package", "--list", "--allow-dirty", "--offline"])
        .current_dir(crate::support::repository(""))
        .output()
        .expect("cargo runs");
    let list = String::from_utf8_lossy(&output.stdout).into_owned();
    let blocks = crate::support::files("templates/blocks", ".j2");
    assert!(blocks.len() >= 4, "{blocks:?}");
    for block in blocks {
        assert!(list.lines().any(|line| line == block), "{block} is not in the package:\n{list}");
    }
}
