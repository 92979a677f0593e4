//! Agents that write code where git ignores it: no commit holds it, so it is named and kept.

use std::fs;

use super::scene::{ID, Scene};

/// A project that ignores `lib/` and `target/`, whose check builds into `target/`.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.home.write(".gitignore", "lib/\ntarget/\n");
    scene.home.git(&["add", "--all"]);
    scene.home.git(&["commit", "--quiet", "--message", "Ignore builds"]);
    scene.config("[verify]\ncommands = [\"mkdir -p target/debug target/__pycache__ && echo built >target/check\"]\n");
    scene.agent(
        "coder",
        "read\nwrite lib/login.js module.exports = 1;\nwrite target/check built\nplay",
    );
    scene
}

#[test]
fn code_in_an_ignored_place_is_named_to_reviewer_and_user_and_kept_until_the_change_is_discarded() {
    let scene = scene();
    let ran = scene.run(&["--agent", "implement=coder"]).exits(0);
    // Checks make `target/` too.
    ran.prints(
        "ignored    agents wrote to lib/, which git ignores or cannot take: no commit contains it\n",
    );
    let review = scene.runs().into_iter().rfind(|run| run.ends_with("-review")).expect("a review");
    let prompt = scene.prompt(&review);
    assert!(prompt.contains("not part of the change.\n\n- `lib/`\n"), "{prompt}");
    scene.agentd(&["status", ID]).exits(0).prints("ignored    not in any commit: lib/\n");
    let status = scene.agentd(&["status", ID, "--json"]).exits(0).json();
    assert_eq!(status["ignored"], serde_json::json!(["lib/"]));

    let kept = scene.workspace().join("lib/login.js");
    assert_eq!(fs::read_to_string(&kept).expect("it is kept"), "module.exports = 1;");
    scene.agentd(&["prune"]);
    assert!(kept.is_file(), "the change is not merged");
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert!(!kept.exists());
}

#[test]
fn code_in_a_folder_that_checks_fill_too_is_named_and_kept() {
    let scene = scene();
    scene.agent(
        "writer",
        "read\nwrite target/login.js module.exports = 1;\nwrite target/views/login.html <p>\nplay",
    );
    let ran = scene.run(&["--agent", "implement=writer"]).exits(0);
    ran.prints("ignored    agents wrote to target/login.js, target/views/, which git ignores");
    assert!(scene.workspace().join("target/login.js").is_file());
}

#[test]
fn what_is_only_built_keeps_no_workspace() {
    let scene = scene();
    scene.agent(
        "builder",
        "read\nwrite target/check built\nwrite target/debug/CACHEDIR.TAG x\nwrite target/debug/shop x\n\
         write target/__pycache__/shop.pyc x\nplay",
    );
    let ran = scene.run(&["--agent", "implement=builder"]).exits(0);
    assert!(!ran.stdout.contains("ignored "), "{}", ran.stdout);
    assert!(scene.home.workspaces().is_empty(), "{:?}", scene.home.workspaces());
}
