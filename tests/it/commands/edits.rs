//! Documents that a person edits or removes between steps, and what agentd relies on all the while.

use std::fs;

use super::scene::{ID, Scene};

fn append(scene: &Scene, name: &str, text: &str) {
    let path = scene.change(name);
    let before = fs::read_to_string(&path).expect("a document");
    fs::write(&path, before + text).expect("written");
}

#[test]
fn a_document_that_is_gone_is_restored_as_it_was_accepted() {
    let scene = Scene::new();
    scene.run(&["--until", "challenge"]).exits(0);
    let (proposal, specs) = (scene.read("proposal.md"), scene.change("specs"));
    fs::remove_file(scene.change("proposal.md")).expect("removed");
    fs::remove_dir_all(&specs).expect("removed");
    let ran = scene.run(&["--until", "implement"]).exits(0).prints("missing documents");
    drop(ran.prints("proposal.md"));
    assert_eq!(scene.read("proposal.md"), proposal);
    assert!(fs::read_dir(specs).expect("a folder").count() > 0);
    scene.run(&[]).exits(0).prints("archived");
}

#[test]
fn a_plan_that_is_edited_after_it_passed_is_challenged_again() {
    let scene = Scene::new();
    scene.run(&["--until", "challenge"]).exits(0);
    assert_eq!(scene.stage(), "implement");
    let challenges = |scene: &Scene| {
        let journal = scene.read("journal.jsonl");
        journal.matches("\"event\":\"finished\",\"step\":\"challenge\"").count()
    };
    let before = challenges(&scene);
    append(&scene, "proposal.md", "\nUse OpenID Connect.\n");
    let ran = scene.run(&["--until", "challenge"]).exits(0);
    drop(ran.prints("edited     by hand, and accepted: proposal.md"));
    assert_eq!(challenges(&scene), before + 1, "{}", scene.read("journal.jsonl"));
    assert!(scene.read("proposal.md").ends_with("Use OpenID Connect.\n"));
    scene.run(&[]).exits(0).prints("archived");
}

#[test]
fn an_edit_before_anybody_judged_the_plan_is_simply_part_of_it() {
    let scene = Scene::new();
    scene.run(&["--pause", "plan"]).exits(0).prints("waiting");
    append(&scene, "proposal.md", "\nUse OpenID Connect.\n");
    scene.agentd(&["approve", ID]).exits(0);
    scene.run(&["--until", "challenge"]).exits(0).prints("edited");
    let run = scene.runs().into_iter().find(|run| run.ends_with("-challenge")).expect("a run");
    assert!(scene.read(&format!("runs/{run}/prompt.xml")).contains("Use OpenID Connect."));
}

#[test]
fn an_edit_while_a_step_writes_the_same_document_is_kept_and_named() {
    let scene = Scene::new();
    let path = scene.change("proposal.md");
    scene.run(&["--until", "plan"]).exits(0);
    // The agent stands in for somebody who saves the file while the plan is made again.
    let script = scene.home.path("busy.sh");
    let steps = format!(
        "echo 'My own words.' >'{}'\nexec {} offline-agent --speak claude\n",
        path.display(),
        crate::project::AGENTD
    );
    fs::write(&script, steps).expect("written");
    let script = script.display().to_string();
    scene.config(&format!("[agents.busy]\ncli = \"claude\"\ncommand = [\"sh\", {script:?}]\n"));
    let more = ["run", ID, "And a logo", "--agent", "plan=busy", "--until", "plan"];
    scene.agentd(&more).exits(0).says("was edited while agentd was working on it");
    assert!(!scene.read("proposal.md").contains("My own words."));
    let kept = scene.home.root().join(".git/agentd/changes").join(ID).join("documents");
    let texts = fs::read_dir(kept).expect("copies").flatten();
    let mut texts = texts.map(|entry| fs::read_to_string(entry.path()).unwrap_or_default());
    assert!(texts.any(|text| text == "My own words.\n"), "nothing is lost");
}

#[test]
fn documents_that_lie_there_before_a_change_begins_belong_to_it() {
    let scene = Scene::new();
    scene.home.write(&format!("agentd/changes/{ID}/proposal.md"), "# From a clone\n");
    scene.run(&["--until", "plan"]).exits(0);
    let journal = scene.read("journal.jsonl");
    let first = journal.lines().nth(1).expect("a second entry");
    assert!(first.contains("\"event\":\"documents\"") && first.contains("proposal.md"), "{first}");
    assert!(!scene.read("proposal.md").contains("From a clone"), "the plan is its agent's");
}

#[test]
fn documents_that_were_accepted_just_before_a_crash_are_put_in_place_by_the_next_run() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    let proposal = scene.read("proposal.md");
    // The journal ends with the entry that accepts the plan; the checkout has not got it yet.
    let path = scene.home.root().join(".git/agentd/changes").join(ID).join("journal.jsonl");
    let journal = fs::read_to_string(&path).expect("a journal");
    let end = journal.rfind("\"event\":\"documents\"").expect("an entry");
    let end = end + journal[end..].find('\n').expect("a line") + 1;
    fs::write(&path, &journal[..end]).expect("written");
    for name in ["proposal.md", "tasks.md"] {
        fs::remove_file(scene.change(name)).expect("removed");
    }
    scene.run(&["--until", "plan"]).exits(0);
    assert_eq!(scene.read("proposal.md"), proposal);
    assert_eq!(scene.runs().iter().filter(|run| run.ends_with("-plan")).count(), 1, "not asked");
}

#[test]
fn a_copy_of_a_document_that_was_tampered_with_is_noticed() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    let copies = scene.home.root().join(".git/agentd/changes").join(ID).join("documents");
    for copy in fs::read_dir(copies).expect("copies").flatten() {
        fs::write(copy.path(), "forged").expect("written");
    }
    scene.run(&["--until", "challenge"]).exits(10).says("is damaged");
}
