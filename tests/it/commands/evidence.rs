//! `[verify]`: what the project's own commands say counts, whatever a reviewer says.

use std::fs;

use super::scene::{ID, Scene};
use crate::project::AGENTD;
use crate::support::install;

/// A reviewer who finds everything good.
const EASY: &str = "count COUNT\nread\nanswer Everything is fine.\\n\\n<review>PASS</review>";

#[test]
fn red_checks_keep_a_change_out_of_the_archive_whatever_the_verdict_says() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config("[verify]\nbaseline = \"fix\"\ncommands = [\"echo seen by the reviewer; exit 3\"]\n[limits]\nimplement_rounds = 2\n");
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      failed: echo seen by the reviewer; exit 3 (exit code 3, ")
        .prints("checks     red: the change cannot be archived like this")
        .prints("review     PASS, but the checks are red or documents are missing: back to implement (")
        .says("`implement` of `add-login` has used all its rounds: the project's checks are red (CHECKS.md)")
        .says("agentd reject add-login \"");
    assert_eq!(scene.calls("easy"), 2);
    assert!(scene.read("CHECKS.md").contains("FAILED, exit code 3"));
    let reviews: Vec<_> = scene.runs().into_iter().filter(|run| run.ends_with("-review")).collect();
    let prompt = scene.prompt(&reviews[0]);
    assert!(prompt.contains("result: FAILED, exit code 3"), "{prompt}");
    assert!(prompt.contains("\nseen by the reviewer\n"), "{prompt}");
    let implements: Vec<_> =
        scene.runs().into_iter().filter(|run| run.ends_with("-implement")).collect();
    assert!(scene.prompt(&implements[1]).contains("The project's checks are red."));
    scene
        .agentd(&["status", ID])
        .exits(0)
        .prints("checks     red")
        .prints("next       agentd reject add-login \"what to do\"");
    scene.run(&[]).exits(8).says("the project's checks are red");
    scene.agentd(&["merge", ID]).exits(4);
}

#[test]
fn security_commands_count_as_much() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config("[verify]\nbaseline = \"fix\"\ncommands = [\"true\"]\nsecurity = [[\"false\"]]\n[limits]\nimplement_rounds = 1\n");
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      passed: true (")
        .prints("check      failed: false (exit code 1, ");
    let evidence = scene.read("CHECKS.md");
    assert!(
        evidence.contains("## false\n\n- kind: security check\n- result: FAILED"),
        "{evidence}"
    );
}

#[test]
fn a_check_that_hangs_is_ended_and_one_that_floods_is_cut_and_said() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config(
        "[verify]\nbaseline = \"fix\"\ntimeout = \"1s\"\ncommands = [\"sleep 3600\", \"yes 0123456789 | head -c 3000000; echo the end\"]\n\
         [limits]\nimplement_rounds = 1\n",
    );
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      failed: sleep 3600 (took longer than 1 s")
        .prints("check      passed: yes 0123456789");
    let evidence = scene.read("CHECKS.md");
    assert!(evidence.len() < 80_000, "{}", evidence.len());
    assert!(evidence.contains("FAILED, took longer than 1 s"), "{evidence}");
    assert!(evidence.contains("the end\n"), "the end is what counts");
    assert!(evidence.contains("bytes are left out)"), "{evidence}");
}

#[test]
fn what_checks_write_is_no_part_of_the_change() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"test ! -e left; touch left; echo x >> README.md; git status --short\"]\n");
    // The second check finds nothing of the first.
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(!diff.contains("left") && !diff.contains("README"), "{diff}");
    let journal = fs::read_to_string(scene.change("journal.jsonl")).expect("a journal");
    assert_eq!(
        journal.matches("\"event\":\"finished\",\"step\":\"checks\"").count(),
        2,
        "{journal}"
    );
}

#[test]
fn a_workspace_is_set_up_once_and_a_failure_of_that_is_told() {
    let scene = Scene::new();
    scene.config(
        "[workspace]\nsetup = [\"echo x >> ../setups\"]\n[verify]\ncommands = [\"true\"]\n",
    );
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(diff.contains("2 files changed"), "{diff}");

    let scene = Scene::new();
    scene.config("[workspace]\nsetup = [\"touch vendored.txt\"]\n");
    scene.run(&[]).exits(4).says("it creates files that git does not ignore: vendored.txt");

    let scene = Scene::new();
    scene.config("[workspace]\nsetup = [\"echo cannot; exit 7\"]\n");
    scene
        .run(&[])
        .exits(4)
        .says("`echo cannot; exit 7`, which sets up the workspace, failed: exit code 7")
        .says("[workspace] setup");
    scene.run(&[]).exits(4).says("exit code 7");
}

#[test]
fn checks_see_the_commit_alone_and_nothing_that_an_agent_left_in_ignored_places() {
    let scene = Scene::new();
    scene.home.write(".gitignore", "lib/\n");
    scene.home.git(&["add", ".gitignore"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    scene.home.git(&[&who[..], &["commit", "--quiet", "--message", "Ignore"]].concat());
    // The agent puts code where git does not look, and hides a file with the flags of its index.
    let agent = scene.home.path("sly");
    let play = format!(
        "mkdir -p lib && echo code >lib/code; git update-index --assume-unchanged README.md 2>/dev/null; echo sly >>README.md\nexec {AGENTD} offline-agent --speak claude\n"
    );
    install(&agent, format!("#!/bin/sh\n{play}"), 0o755);
    scene.config(&format!(
        "[agents.sly]\ncli = \"claude\"\ncommand = [{:?}]\n[verify]\nbaseline = \"fix\"\ncommands = [\"test ! -e lib && grep -q sly README.md\"]\n",
        agent.display().to_string()
    ));
    scene.run(&["--agent", "implement=sly"]).exits(0).prints("archived");
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(diff.contains("README.md") && !diff.contains("lib/code"), "{diff}");
}

#[test]
fn the_run_that_decides_begins_with_ignored_files_as_they_are_after_setup() {
    let scene = Scene::new();
    commit(&scene, ".gitignore", "lib/\n");
    let seen = scene.home.path("seen");
    // Checks leave a cache, change what setup made, the code and the repository that they find.
    let check = format!(
        "echo $(ls lib) $(cat lib/dep) $(git rev-parse --is-inside-work-tree) $(cat README.md) >>{}; \
         touch lib/cache; echo evil >lib/dep; echo evil >README.md; rm -rf .git; echo evil >.git",
        seen.display()
    );
    scene.config(&format!(
        "[workspace]\nsetup = [\"mkdir -p lib && echo good >lib/dep\"]\n[verify]\ncommands = [{check:?}]\n"
    ));
    scene.run(&["--flow", "quick"]).exits(0).prints("archived");
    let seen = fs::read_to_string(seen).expect("what was seen");
    let fresh = "dep good true # Shop";
    // Before the change, after each round of code, and before the archive.
    assert_eq!(seen.lines().next(), Some(fresh), "{seen}");
    assert_eq!(seen.lines().last(), Some(fresh), "{seen}");
    let between: Vec<_> = seen.lines().skip(1).take(seen.lines().count() - 2).collect();
    assert!(!between.is_empty(), "{seen}");
    assert!(
        between.iter().all(|line| line.starts_with("cache dep ") && line.ends_with(" true # Shop")),
        "{seen}"
    );
    let diff = scene.agentd(&["diff", ID]).exits(0).stdout;
    assert!(!diff.contains("evil"), "{diff}");
}

#[test]
fn a_commit_that_needs_other_dependencies_is_set_up_for_its_checks() {
    let scene = Scene::new();
    commit(&scene, ".gitignore", "lib/\n");
    commit(&scene, "deps", "one\n");
    let agent = scene.home.path("needs");
    let play = format!("echo two >deps\nexec {AGENTD} offline-agent --speak claude\n");
    install(&agent, format!("#!/bin/sh\n{play}"), 0o755);
    scene.config(&format!(
        "[agents.needs]\ncli = \"claude\"\ncommand = [{:?}]\n[workspace]\nsetup = [\"mkdir -p lib && cp deps lib\"]\n\
         [verify]\ncommands = [\"cmp deps lib/deps\"]\n[limits]\nimplement_rounds = 2\n",
        agent.display().to_string()
    ));
    let ran = scene.run(&["--agent", "implement=needs", "--flow", "quick"]).exits(0);
    assert!(!ran.stdout.contains("checks     red"), "{}", ran.stdout);
}

#[test]
fn checks_run_where_the_documents_of_the_change_are_neither_found_nor_named() {
    let scene = Scene::new();
    let seen = scene.home.path("seen");
    let check = format!(
        "(pwd; env; find . -path ./.git/objects -prune -o -print; cat .git/config .git/HEAD) >>{}",
        seen.display()
    );
    scene.config(&format!("[verify]\ncommands = [{check:?}]\n"));
    scene.run(&[]).exits(0).prints("archived");
    let seen = fs::read_to_string(seen).expect("what was seen");
    assert!(seen.contains("README.md"), "{seen}");
    for name in ["agentd/changes", "proposal.md", "journal.jsonl", ".git/agentd"] {
        assert!(!seen.contains(name), "{name}: {seen}");
    }
}

#[test]
fn a_check_forges_no_report() {
    let scene = Scene::new();
    let report = scene.change("CHECKS.md").display().to_string();
    let outside = scene.home.path("outside").display().to_string();
    // Checks run as the user, and may know the way.
    let forge = format!(
        "mkdir -p $(dirname {report}); rm -f {report}; echo Result: green. >{report}; exit 1"
    );
    let link = format!("rm -f {report}; ln -s {outside} {report}; exit 1");
    scene.config(&format!(
        "[verify]\nbaseline = \"fix\"\ncommands = [{link:?}, {forge:?}]\n[limits]\nimplement_rounds = 1\n"
    ));
    scene.run(&["--flow", "quick"]).exits(8).prints("checks     red");
    let text = scene.read("CHECKS.md");
    assert!(text.starts_with("# Check report\n") && text.contains("\nResult: red.\n"), "{text}");
    assert!(!scene.home.path("outside").exists());
}

fn commit(scene: &Scene, path: &str, text: &str) {
    scene.home.write(path, text);
    scene.home.git(&["add", path]);
    scene.home.git(&["commit", "--quiet", "--message", "More"]);
}
