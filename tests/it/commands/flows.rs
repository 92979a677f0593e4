//! Flows as a user meets them: the small one, and one that a project brings as files alone.

use std::fs;

use super::scene::{ID, Scene};
use crate::flows::fourth;

#[test]
fn a_small_change_needs_no_plan_and_its_request_is_its_only_task() {
    let scene = Scene::new();
    let ran = scene.agentd(&["run", ID, "Fix the\ntypo", "--flow", "quick"]).exits(0);
    ran.prints("agents     offline: implement, review (from your configuration)\n")
        .prints("archived   ");
    let archive = scene.archived();
    let tasks = fs::read_to_string(archive.join("tasks.md")).expect("tasks");
    assert_eq!(tasks, "# Tasks\n\n- [x] 1.1 Fix the typo\n");
    assert!(!archive.join("proposal.md").exists());
    assert!(!scene.home.root().join("agentd/CHANGELOG.md").exists(), "there is no entry for it");
    scene.agentd(&["merge", ID]).exits(0);
    assert!(scene.home.root().join("agentd-demo").is_dir(), "its code is there");
}

#[test]
fn what_a_small_change_would_send_is_shown_before_it_exists() {
    let scene = Scene::new();
    let words = ["run", ID, "Fix the typo", "--flow", "quick"];
    let shown = scene.agentd(&[&words[..], &["--dry-run"]].concat()).exits(0).stdout;
    assert!(!scene.change("").exists());
    scene.agentd(&[&words[..], &["--until", "implement"]].concat()).exits(0);
    assert!(shown == scene.prompt("001-implement"), "they differ");
    assert!(shown.contains("- [ ] 1.1 Fix the typo"), "{shown}");
}

#[test]
fn the_configuration_names_the_flow_of_new_changes() {
    let scene = Scene::new();
    scene.config("[project]\nflow = \"quick\"\n");
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["status", ID]).exits(0).prints("flow       quick\n");
    scene.agentd(&["run", "other", "x", "--flow", "quik"]).exits(2).says("did you mean `quick`?");
    scene.run(&["--flow", "sdd"]).exits(2).says("was started with the flow `quick`, and keeps it");
}

/// Puts the flow of two reviewers into the project, with its templates.
fn two_vendors(scene: &Scene) {
    scene.home.write("agentd/flows/two-vendors.toml", fourth::FLOW);
    for (name, text) in fourth::TEMPLATES {
        scene.home.write(&format!("agentd/flows/two-vendors/{name}"), text);
    }
}

#[test]
fn a_flow_of_a_project_runs_as_files_alone_and_both_reviewers_must_pass() {
    let scene = Scene::new();
    two_vendors(&scene);
    scene.agent(
        "first",
        "count COUNT\nread\non 1 answer <review>NEEDS_CHANGES</review>\nfrom 2 play",
    );
    scene.agent(
        "second",
        "count COUNT\nread\non 1 answer <review>NEEDS_CHANGES</review>\nfrom 2 play",
    );
    // Each round changes something, as a round must.
    let steps = "count COUNT\nread\non 2 write more.txt two\non 3 write more.txt three\nplay";
    scene.agent("builder", steps);
    let run = |more: &[&str]| {
        let agents = [
            "--agent",
            "first-look=first",
            "--agent",
            "second-look=second",
            "--agent",
            "implement=builder",
        ];
        scene.run(&[&["--flow", "two-vendors"][..], &agents, more].concat())
    };
    run(&[]).exits(4).says("not trusted").says("flows.two-vendors");
    assert!(!scene.change("").exists(), "nothing was begun");
    scene.agentd(&["trust", "--yes"]).exits(0);
    let ran = run(&[]).exits(0);
    ran.prints("first-look NEEDS_CHANGES, back to implement: FIRST-LOOK.md says why")
        .prints("second-look NEEDS_CHANGES, back to implement: SECOND-LOOK.md says why")
        .prints("archived   ");
    assert_eq!((scene.calls("first"), scene.calls("second")), (3, 2));
    let runs: Vec<_> = fs::read_dir(scene.change("runs")).expect("runs").flatten().collect();
    let second =
        runs.iter().find(|run| run.file_name().to_string_lossy().ends_with("-second-look"));
    let second = second.expect("a run").path().join("prompt.xml");
    let prompt = fs::read_to_string(second).expect("a prompt");
    assert!(prompt.contains("You review code.") && prompt.contains("FIRST-LOOK.md"), "{prompt}");
}

#[test]
fn a_change_keeps_the_flow_that_it_began_with() {
    let scene = Scene::new();
    two_vendors(&scene);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&["--flow", "two-vendors", "--until", "implement"]).exits(0);
    let edited = fourth::FLOW.replace("two vendors review", "two people review");
    scene.home.write("agentd/flows/two-vendors.toml", &edited);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&[]).exits(4).says("has changed since this change was started").says("restore");
    // To look, the flow of the journal is enough.
    scene.agentd(&["status", ID]).exits(0).prints("at         first-look");
    fs::remove_file(scene.home.root().join("agentd/flows/two-vendors.toml")).expect("removed");
    scene.run(&[]).exits(4).says("has changed since this change was started");
    scene.home.write("agentd/flows/two-vendors.toml", fourth::FLOW);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&[]).exits(0).prints("archived   ");
}

#[test]
fn the_prompt_of_an_own_step_is_printed_as_the_run_sends_it() {
    let scene = Scene::new();
    two_vendors(&scene);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&["--flow", "two-vendors", "--until", "implement"]).exits(0);
    let shown = scene.agentd(&["prompt", "first-look", "--change", ID]).exits(0).stdout;
    scene.run(&["--until", "first-look"]).exits(0);
    assert!(shown == scene.prompt("002-first-look"), "they differ");
    scene.agent("odd", "read\nanswer <review>REJECTED</review>");
    scene.run(&["--agent", "second-look=odd"]).exits(7).says("is not one of `second-look`");
}

/// A small change whose archive is merged: nobody plans, so the specs are those that there are when the archive is written.
#[test]
fn an_archive_without_a_plan_is_written_for_the_specs_as_they_are() {
    let scene = Scene::new();
    scene.run(&[]).exits(0).prints("archived   ");
    let spec = scene.home.read("agentd/specs/add-login.md");
    let quick = crate::support::read("templates/flows/quick.toml");
    let flow = quick
        .replace("GREEN = \"archive\", RED", "GREEN = \"entry\", RED")
        .replace("kind = \"archive\"\n", "kind = \"archive\"\nmerges = \"archive/\"\n")
        .replace("reject = \"implement\"\n\n[steps.archive]", "[steps.archive]");
    let entry = "\n[steps.entry]\nprompt = \"system:archive\"\nleaves = [\"archive/**\"]\n\
                 reads = { \"tasks.md\" = \"what was done\" }\non = { FILES = \"archive\" }\nreject = \"entry\"\n";
    scene.home.write("agentd/flows/noted.toml", &format!("{flow}{entry}"));
    scene.agentd(&["trust", "--yes"]).exits(0);
    let newer = format!("{}\nWhoever signs in is greeted.\n", spec.trim_end());
    let lines = newer.replace('\n', "\\n");
    scene.agent(
        "writer",
        &format!(
            "read\nwrite CHANGE/archive/specs/add-login.md {lines}\n\
             write CHANGE/archive/changelog.md ### Added\\n\\n- A greeting.\\n\nanswer Done."
        ),
    );
    let words = ["run", "greet", "Greet", "--flow", "noted", "--agent", "entry=writer"];
    scene.agentd(&words).exits(0).prints("archived   ");
    assert_eq!(scene.home.read("agentd/specs/add-login.md"), newer);
    assert!(scene.home.read("agentd/CHANGELOG.md").contains("A greeting."));
}

/// Without a schedule no document is asked for; the fact must be settled all the same, or no PASS would ever count.
#[test]
fn a_judge_without_a_role_settles_whether_documents_are_there() {
    let scene = Scene::new();
    let quick = crate::support::read("templates/flows/quick.toml");
    let flow = quick.replace("[\"green\"]", "[\"green\", \"doc_files\"]");
    assert_ne!(flow, quick);
    scene.home.write("agentd/flows/written.toml", &flow);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&["--flow", "written"]).exits(0).prints("archived   ");
}

/// Whoever revises code that was passed in spite of red checks reads in the review why it does not count.
#[test]
fn a_review_that_passes_what_cannot_pass_says_why_it_does_not_count() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"test ! -d agentd-demo\"]\n");
    scene.agent("kind", "read\nanswer <review>PASS</review>");
    scene.run(&["--flow", "quick", "--agent", "review=kind"]).exits(8);
    let review = scene.read("REVIEW.md");
    assert!(review.starts_with("<review>PASS</review>\n\n## What agentd found\n"), "{review}");
    assert!(review.contains("- the project's checks are red: `CHECKS.md` says which"), "{review}");
}
