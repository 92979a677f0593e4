//! `agentd schedule` as a user meets it.

use std::fs;
use std::os::unix::fs::symlink;

use crate::home::Home;
use crate::planning::{CHANGE, EXECUTION_PLAN, plan, texts};

fn home() -> Home {
    let home = Home::new().with_git();
    for (name, text) in texts() {
        home.write(&format!("{CHANGE}/04_planning/{name}"), &text);
    }
    home
}

#[test]
fn check_shows_groups_lanes_and_what_they_own() {
    home()
        .agentd(&["schedule", "check", "add-login"])
        .exits(0)
        .prints("features (parallel)\n  plan_2  Login page, 2 tasks\n    owns     src/pages/login.rs\n    after    plan_1\n")
        .prints("review   high severity, above all security\n")
        .prints("docs     one of docs/login.md with the code\n")
        .prints("add-login: 3 groups, 4 plans, no faults\n");
    let json = home().agentd(&["schedule", "check", "add-login", "--json"]).exits(0).json();
    assert_eq!(json["groups"][1]["lanes"][1]["owned"][0], "src/session/**");
    assert_eq!(json["groups"][2]["lanes"][0]["dependencies"][1], 3);
    assert_eq!(json["review_strategy"]["severity"], "high");
}

#[test]
fn faults_are_told_with_snippets_and_exit_code_4() {
    let home = home();
    home.write(
        &format!("{CHANGE}/04_planning/plan_2.md"),
        &plan("Login page", &["src/*/store.rs"], "- plan_1"),
    );
    home.agentd(&["schedule", "check", "add-login"])
        .exits(4)
        .says("error: the plans of `add-login` have faults\nerror[overlap]: plan_2 and plan_3 run in parallel, and both own `src/session/store.rs`")
        .says("agentd/changes/add-login/04_planning/plan_2.md:9:3")
        .says("9 | - `src/session/**`")
        .says("plan_2 owns it here");
    home.agentd(&["schedule", "graph", "add-login"]).exits(4).says("error[overlap]");
    let ran = home.agentd(&["schedule", "check", "add-login", "--json"]).exits(4);
    let fault = &ran.json()["faults"][0];
    assert_eq!((&fault["code"], &fault["at"]["line"]), (&"overlap".into(), &9.into()));
}

#[test]
fn graph_draws_text_and_mermaid_and_escapes_names() {
    let home = home();
    home.agentd(&["schedule", "graph", "add-login"])
        .exits(0)
        .prints("features (parallel)\n  = plan_2  Login page  <- plan_1\n  = plan_3  Sessions  <- plan_1\n  |\n  v\n");
    let named = EXECUTION_PLAN.replace("\"Sessions\"", "'\"] --> x[\"`boo`'");
    home.write(&format!("{CHANGE}/04_planning/execution_plan.yaml"), &named);
    home.agentd(&["schedule", "graph", "add-login", "--mermaid"])
        .exits(0)
        .prints("flowchart TD\n    subgraph group_1[\"contracts (serial)\"]\n")
        .prints("plan_3[\"plan_3: #34;#93; --#62; x#91;#34;#96;boo#96;\"]\n")
        .prints("    group_1 --> group_2\n")
        .prints("    plan_3 -.-> plan_4\n");
}

#[test]
fn what_is_no_change_or_no_plain_file_is_refused() {
    let home = home();
    home.agentd(&["schedule", "check", "other"]).exits(4).says("there is no change `other` here");
    home.agentd(&["schedule", "check", "../x"]).exits(2);
    let folder = home.root().join(CHANGE).join("04_planning");
    fs::write(home.path("secret.md"), "- [ ] secret\n").expect("written");
    fs::remove_file(folder.join("tasks_1.md")).expect("removed");
    symlink("../../../../../secret.md", folder.join("tasks_1.md")).expect("linked");
    home.agentd(&["schedule", "check", "add-login"]).exits(12).says(
        "cannot read `04_planning/tasks_1.md`: it is a link, or the path leads outside its folder",
    );
    fs::remove_file(folder.join("tasks_1.md")).expect("removed");
    let sparse = fs::File::create(folder.join("tasks_1.md")).expect("made");
    sparse.set_len(1 << 30).expect("made large");
    home.agentd(&["schedule", "check", "add-login"]).exits(11);
    fs::remove_dir_all(&folder).expect("removed");
    home.agentd(&["schedule", "check", "add-login"]).exits(4).says("error[no-execution-plan]");
}
