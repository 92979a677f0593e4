//! The commands about preferences, as people and programs use them.

use agentd::prompt::preferences::{Origin, propose};
use serde_json::json;

use super::{OTHER, OURS, entry};
use crate::home::Home;

/// A project in which an agent has proposed two things.
fn with_proposals() -> Home {
    let home = Home::new().with_git();
    let entries = [entry("coder", "Keep regression tests"), entry("reviewer", "Name the line")];
    let run = Some("004-review".to_owned());
    let from = Origin { change: "add-login".parse().expect("an id"), run };
    propose(&home.root(), &entries, &from, 1_700_000_000_000).expect("proposed");
    home
}

#[test]
fn a_preference_is_added_listed_and_removed() {
    let home = Home::new().with_git().file(OTHER, "## Approved Preferences\n- Use tabs\n");
    home.agentd(&["preferences", "add", "reviewer", "- Name the line"])
        .exits(0)
        .prints("reviewer: Name the line\n  written to agentd/prompts/agents/reviewer.md\n");
    home.agentd(&["preferences", "add", "reviewer", "NAME the line"])
        .exits(0)
        .prints("reviewer: NAME the line\n  already there\n");
    home.agentd(&["-q", "preferences", "add", "coder", "Be brief"]).exits(0).hides("Be brief");
    let listed = home.agentd(&["preferences", "list"]).exits(0);
    let expected = "reviewer (agentd/prompts/agents/reviewer.md)\n  1. Name the line\n\
                    coder (.agentmux/prompts/agents/coder.md)\n  1. Use tabs\n  2. Be brief\n";
    assert_eq!(listed.stdout, expected);
    home.agentd(&["preferences", "list", "--role", "coder"]).exits(0).hides("Name the line");
    home.agentd(&["preferences", "remove", "coder", "1"])
        .exits(0)
        .prints("coder: Use tabs\n  removed from .agentmux/prompts/agents/coder.md\n");
    assert_eq!(home.read(OTHER), "## Approved Preferences\n- Be brief\n");
    home.agentd(&["preferences", "remove", "coder", "- BE brief"]).exits(0);
    assert_eq!(home.read(OTHER), "## Approved Preferences\n");
    home.agentd(&["preferences", "remove", "coder", "1"])
        .exits(4)
        .says("coder has no preference 1")
        .says("help: `agentd preferences list --role coder` shows them");
}

#[test]
fn json_has_the_same_for_programs() {
    let home = Home::new().with_git();
    let run = |arguments: &[&str]| home.agentd(arguments).exits(0).json();
    assert_eq!(
        run(&["preferences", "add", "coder", "Use tabs", "--json"]),
        json!({ "version": 1, "known": [], "written": [{ "role": "coder", "bullet": "Use tabs", "file": OURS }] })
    );
    assert_eq!(
        run(&["preferences", "add", "--json", "coder", "use TABS"]),
        json!({ "version": 1, "known": [{ "role": "coder", "bullet": "use TABS" }], "written": [] })
    );
    let listed = json!({ "role": "coder", "number": 1, "bullet": "Use tabs", "file": OURS });
    assert_eq!(
        run(&["preferences", "list", "--json"]),
        json!({ "version": 1, "preferences": [listed] })
    );
    let removed = json!({ "role": "coder", "bullet": "Use tabs", "file": OURS });
    assert_eq!(
        run(&["preferences", "remove", "coder", "1", "--json"]),
        json!({ "version": 1, "removed": removed })
    );
    assert_eq!(run(&["preferences", "pending", "--json"]), json!({ "version": 1, "pending": [] }));
}

#[test]
fn proposals_are_shown_and_decided_by_their_ids() {
    let home = with_proposals();
    let json = home.agentd(&["preferences", "pending", "--json"]).exits(0).json();
    let ids: Vec<_> =
        [0, 1].map(|at| json["pending"][at]["id"].as_str().expect("an id").to_owned()).to_vec();
    assert_eq!(json["pending"][0]["change"], "add-login");
    assert_eq!(json["pending"][0]["at"], 1_700_000_000_000_u64);
    home.agentd(&["preferences", "pending"])
        .exits(0)
        .prints(&format!("{}  coder: Keep regression tests\n", ids[0]))
        .prints("from change add-login, run 004-review\n");
    home.agentd(&["preferences", "list"])
        .exits(0)
        .prints("no preference is approved")
        .prints("2 more pending: `agentd preferences pending` shows them");
    home.agentd(&["preferences", "approve", "00000000", &ids[0]])
        .exits(4)
        .says("no preference is pending under `00000000`");
    assert!(!home.root().join(OURS).exists());
    home.agentd(&["preferences", "approve", &ids[0].to_uppercase()])
        .exits(0)
        .prints("coder: Keep regression tests\n  written to agentd/prompts/agents/coder.md\n");
    assert_eq!(home.read(OURS), "## Approved Preferences\n\n- Keep regression tests\n");
    home.agentd(&["preferences", "reject", &ids[1]])
        .exits(0)
        .prints("reviewer: Name the line\n  rejected\n");
    home.agentd(&["preferences", "pending"]).exits(0).prints("no preference is pending\n");
    home.agentd(&["preferences", "approve", "--all"]).exits(0).prints("no preference is pending\n");
}

#[test]
fn all_are_approved_or_rejected_at_once() {
    let home = with_proposals();
    let json = home.agentd(&["preferences", "approve", "--all", "--json"]).exits(0).json();
    assert_eq!(json["written"].as_array().map(Vec::len), Some(2));
    let home = with_proposals();
    let json = home.agentd(&["preferences", "reject", "--all", "--json"]).exits(0).json();
    assert_eq!(json["rejected"].as_array().map(Vec::len), Some(2));
    assert!(!home.root().join(OURS).exists());
}

#[test]
fn the_project_is_found_from_below_and_a_folder_that_is_none_is_refused() {
    let home = Home::new().with_git().file("src/deep/x", "");
    home.agentd_in(&home.root().join("src/deep"), &["preferences", "add", "coder", "Be brief"])
        .exits(0);
    assert!(home.root().join(OURS).exists());
    home.agentd_in(&home.path("bin"), &["preferences", "list"])
        .exits(4)
        .says("is not in a git repository");
}

#[test]
fn a_file_elsewhere_and_a_file_that_is_no_text_have_their_exit_codes() {
    let add = ["preferences", "add", "coder", "Be brief"];
    for (link, said) in
        [("agentd", "may lead outside the project"), ("agentd/prompts", "is a link")]
    {
        let home = Home::new().with_git();
        let place = home.root().join(link);
        std::fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        std::os::unix::fs::symlink(home.path("bin"), place).expect("linked");
        home.agentd(&add).exits(12).says(said).says("help: ");
        home.agentd(&["preferences", "list"]).exits(12);
    }
    let home = Home::new().with_git().file("agentd/x", "");
    std::fs::create_dir_all(home.root().join("agentd/prompts/agents")).expect("made");
    std::fs::write(home.root().join(OURS), b"caf\xe9").expect("written");
    home.agentd(&add).exits(4).says("is not UTF-8 text");
    let home = Home::new().with_git().file("agentd/prompts", "a file");
    home.agentd(&add).exits(10).says("cannot write `agentd/prompts/agents/coder.md`");
}

#[test]
fn git_keeps_what_is_approved_and_not_what_is_pending() {
    let home = with_proposals();
    home.agentd(&["init"]).exits(0);
    home.agentd(&["preferences", "add", "coder", "Be brief"]).exits(0);
    home.write("agentd/prompts/agents/.coder.md.new", "what a crash left");
    let status = home.git(&["status", "--porcelain", "-uall"]);
    assert!(status.contains(OURS), "{status}");
    assert!(!status.contains("pending") && !status.contains(".new"), "{status}");
}
