//! The files that a phase must leave: what is missing is named, asked for once more, and then an error.

use super::scene::{ID, Scene};

#[test]
fn a_missing_file_is_asked_for_once_more_by_its_name() {
    let scene = Scene::new();
    scene
        .agent("slow", "count COUNT\nread\non 1 answer Done.\\n<review>PASS</review>\nfrom 2 play");
    scene
        .run(&["--agent", "plan=slow", "--until", "plan"])
        .exits(0)
        .prints("asked      ")
        .prints("tasks.md");
    assert_eq!(scene.runs(), ["001-plan", "002-plan-files"]);
    let prompt = scene.prompt("002-plan-files");
    assert!(prompt.contains("Add login") && prompt.contains("tasks.md"), "{prompt}");
    assert!(!scene.prompt("001-plan").contains("not in order"));
    scene.agentd(&["status", ID]).exits(0).prints("(round 1, 002-plan-files)");
}

#[test]
fn files_that_are_still_missing_are_an_error_that_names_them() {
    let scene = Scene::new();
    scene.agent("lazy", "count COUNT\nread\nanswer Done.\\n<review>PASS</review>");
    scene
        .run(&["--agent", "plan=lazy"])
        .exits(5)
        .says("plan by agent `lazy` did not leave the required files")
        .says("proposal.md")
        .says("tasks.md");
    assert_eq!(scene.calls("lazy"), 2);
    assert_eq!(scene.stage(), "plan");
    // It goes on with another agent.
    scene.run(&[]).exits(0);
}

#[test]
fn headings_alone_are_no_plan() {
    let scene = Scene::new();
    scene.agent(
        "empty",
        "read\nwrite CHANGE/proposal.md # Login\\n\\n## Why\\n\\n## What Changes\\n\\n## Impact\\n\n\
         write CHANGE/tasks.md # Tasks\\n\\n## 1. First\\n\n\
         write CHANGE/specs/login.md # Login\\n\\n## Requirements\\n\n\
         answer Done.\\n<review>PASS</review>",
    );
    scene
        .run(&["--agent", "plan=empty"])
        .exits(5)
        .says("proposal.md")
        .says("tasks.md")
        .says("specs/login.md");
}

#[test]
fn a_main_spec_that_changed_since_planning_is_named_and_nothing_is_archived_until_it_is_looked_at()
{
    let scene = Scene::new();
    scene.home.write("agentd/specs/add-login.md", "# Login\n\nWhat held when it was planned.\n");
    scene.run(&["--until", "review"]).exits(0);
    let edited = "# Login\n\nEdited by hand.\n";
    scene.home.write("agentd/specs/add-login.md", edited);
    scene.run(&[]).exits(4).says("specs/add-login.md");
    assert_eq!(scene.home.read("agentd/specs/add-login.md"), edited);
    assert!(scene.change("journal.jsonl").is_file());
    assert!(!scene.home.root().join("agentd/CHANGELOG.md").exists());

    // Sent back, the archive is written for the spec as it is now.
    scene.run(&[]).exits(4).says("agentd reject CHANGE \"");
    scene.agentd(&["reject", super::scene::ID, "-m", "Keep what was edited"]).exits(0);
    scene.run(&["--pause", "archive"]).exits(0).prints("waiting ");
    let run = scene.runs().into_iter().rfind(|run| run.ends_with("-archive")).expect("an archive");
    let prompt = scene.prompt(&run);
    assert!(prompt.contains("Edited by hand."), "{prompt}");
    assert!(prompt.contains("Keep what was edited"), "{prompt}");
    scene.agentd(&["approve", super::scene::ID]).exits(0);
    scene.run(&[]).exits(0).prints("archived ");
    assert_ne!(scene.home.read("agentd/specs/add-login.md"), edited);
}
