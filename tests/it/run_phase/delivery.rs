//! Files that an agent hands over in its answer: written into the change's folder, and nowhere else.

use std::fs;
use std::os::unix::fs::symlink;

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::models::agent::{AgentSettings, Delivers};
use agentd::orchestrator::RunError;
use agentd::orchestrator::answer_files::{DeliveryError, find};

use crate::language::assert_linear_from;
use crate::project::{Project, ran};

const TEXT: &str = "delivers = \"text\"";

fn agent(project: &Project, answer: &str) -> AgentSettings {
    let script = format!("answer {answer}");
    AgentSettings { delivers: Delivers::Text, ..project.described(Some(&script)) }
}

fn block(path: &str) -> String {
    format!("<artifact path=\"{path}\">\\n# P\\n</artifact>\\n")
}

#[test]
fn files_in_an_answer_are_written_into_the_change() {
    let project = Project::new();
    let answer = format!("{}{}<review>PASS</review>", block("proposal.md"), block("specs/a.md"));
    ran(&mut project.call(Phase::Plan, &agent(&project, &answer), TEXT)).exits(0);
    assert_eq!(project.read("agentd/changes/add-login/proposal.md"), "# P\n");
    assert_eq!(project.read("agentd/changes/add-login/specs/a.md"), "# P\n");
}

#[test]
fn a_file_of_another_place_is_refused_and_none_is_written() {
    for path in [
        "../escaped.md",
        "/tmp/escaped.md",
        "src/main.rs",
        "specs/../../escaped.md",
        "CHALLENGE.md",
    ] {
        let project = Project::new();
        let answer = format!("{}{}<review>PASS</review>", block("proposal.md"), block(path));
        let agent = agent(&project, &answer);
        let error = project.run(agent.clone(), Phase::Plan).expect_err("refused");
        assert!(
            matches!(&error, RunError::Delivery { error: DeliveryError::Unexpected { .. }, .. }),
            "{error:?}"
        );
        ran(&mut project.call(Phase::Plan, &agent, TEXT)).exits(5).says("is not a file of `plan`");
        assert!(!project.change("proposal.md").exists(), "{path}");
        assert!(!project.path("agentd/changes/escaped.md").exists(), "{path}");
    }
}

#[test]
fn a_link_that_leads_out_of_the_change_is_not_followed() {
    let project = Project::new();
    fs::create_dir(project.path("outside")).expect("a folder");
    symlink(project.path("outside"), project.change("specs")).expect("a link");
    let answer = format!("{}<review>PASS</review>", block("specs/a.md"));
    let ran = ran(&mut project.call(Phase::Archive, &agent(&project, &answer), TEXT));
    assert_ne!(ran.code, Some(0));
    let ran = crate::project::ran(&mut project.call(Phase::Plan, &agent(&project, &answer), TEXT));
    ran.exits(12);
    assert_eq!(fs::read_dir(project.path("outside")).expect("a folder").count(), 0);
}

#[test]
fn an_answer_without_files_is_an_error_where_files_are_wanted() {
    let project = Project::new();
    let agent = agent(&project, "I wrote them all.\\n<review>PASS</review>");
    ran(&mut project.call(Phase::Plan, &agent, TEXT)).exits(5).says("the answer contains no files");
}

#[test]
fn many_files_in_an_answer_are_found_in_linear_time() {
    let make = |size: usize| {
        let blocks = (0..size / 50).map(|number| block(&format!("specs/{number}.md")));
        blocks.collect::<String>().replace("\\n", "\n")
    };
    assert_linear_from(400_000, "artifact blocks", make, |answer| {
        let found = find(answer, CATALOG.step(Phase::Plan)).expect("files");
        assert!(found.len() > 1);
    });
}
