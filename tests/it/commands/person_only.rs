//! Commands that decide are a person's: an agent that calls them is refused, however it tries to look like somebody else.

use std::fs;
use std::process::{Command, Stdio};

use super::scene::{ID, Scene};
use crate::project::AGENTD;

const COMMANDS: [&str; 8] = [
    "approve add-login",
    "reject add-login no",
    "cancel add-login",
    "merge add-login",
    "rebase add-login",
    "discard add-login --yes",
    "prune",
    "trust --yes",
];

#[test]
fn no_command_that_decides_runs_beneath_an_agent() {
    let scene = Scene::new();
    let root = scene.home.root().display().to_string();
    let said = scene.home.path("said");
    // As it is, with another environment, in another session, and as an orphan.
    let mut ways = vec![
        "",
        "env -i PATH=\"$PATH\" HOME=\"$HOME\"",
        "setsid",
        "setsid sh -c '(\"$@\" &); sleep 1' x",
    ];
    // With other numbers of processes, where the system lets users make them.
    let namespaces = Command::new("unshare").args(["-Urpf", "true"]).stderr(Stdio::null()).status();
    ways.extend(namespaces.is_ok_and(|it| it.success()).then_some("unshare -Urpf"));
    let mut script = "said=$(AGENTD offline-agent --speak claude)\n".to_owned();
    for way in &ways {
        for command in COMMANDS {
            script.push_str(&format!("(cd '{root}'; {way} AGENTD {command}) >>SAID 2>&1\n"));
        }
    }
    script.push_str("printf '%s\\n' \"$said\"\n");
    let script = script.replace("AGENTD", AGENTD).replace("SAID", &said.display().to_string());
    let path = scene.home.path("sly.sh");
    fs::write(&path, script).expect("written");
    let path = path.display().to_string();
    scene.config(&format!("[agents.sly]\ncli = \"claude\"\ncommand = [\"sh\", {path:?}]\n"));
    scene.run(&["--agent", "plan=sly", "--pause", "plan"]).exits(0).prints("approve");
    let said = fs::read_to_string(&said).expect("what was said");
    let refusals = said.matches("is for a person, but an agent called it").count();
    assert_eq!(refusals, ways.len() * COMMANDS.len(), "{said}");
    let status = scene.agentd(&["status", ID, "--json"]).exits(0).json();
    assert!(status["stage"].as_str().is_some_and(|at| at.contains("plan")), "{status}");
    scene.agentd(&["approve", ID]).exits(0);
}
