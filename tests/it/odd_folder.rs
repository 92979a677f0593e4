//! A project whose folder has a name that is not UTF-8, as any name on a disk may be.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use crate::home::Home;

/// Such a name.
const ODD: &[u8] = b"shop\xff";

/// A repository with a commit, and a user for whom the offline agent does everything.
fn repository() -> Home {
    let home = Home::new().variable("AGENTD_AGENT", "offline").with_git();
    for (name, value) in [("user.name", "Ada"), ("user.email", "ada@localhost")] {
        home.git(&["config", name, value]);
    }
    home.write("README.md", "# Shop\n");
    home.git(&["add", "--all"]);
    home.git(&["commit", "--quiet", "--message", "Begin"]);
    home
}

/// Demands that a text names something in the folder, as far as its name can be written.
fn is_in_it(path: &Value, below: &str) {
    let ending = format!("/shop\u{fffd}{below}");
    assert!(path.as_str().is_some_and(|path| path.ends_with(&ending)), "{path}\nis not {ending}");
}

#[test]
fn no_agent_is_sent_to_a_folder_that_no_prompt_can_name() {
    let mut home = repository();
    home.rename_project(OsStr::from_bytes(ODD));
    for words in [
        &["run", "add-login", "Add login", "--json"][..],
        &["run", "add-logo", "Add a logo", "--flow", "team", "--json"],
        &["call", "plan", "add-login", "Add login", "--json"],
    ] {
        let ran =
            home.agentd(words).exits(4).says("cannot be written in a prompt: it is not UTF-8");
        ran.says("help: move the project to a folder with a plain name");
    }
    assert!(!home.root().join("agentd").exists(), "nothing is made");
    assert!(!home.path("shop\u{fffd}").exists(), "nor anywhere else");
}

#[test]
fn all_that_shows_a_project_has_json_in_a_folder_that_is_not_utf_8() {
    let mut home = repository();
    for (id, flow, until) in [("add-login", "sdd", "implement"), ("add-logo", "team", "planner")] {
        let run = ["run", id, "Do it", "--flow", flow, "--until", until];
        home.agentd(&run).exits(0);
    }
    home.rename_project(OsStr::from_bytes(ODD));
    let told = |words: &[&str]| home.agentd(&[words, &["--json"]].concat()).exits(0).json();
    is_in_it(&told(&["init"])["root"], "");
    is_in_it(&told(&["trust", "--show"])["root"], "");
    is_in_it(&told(&["doctor"])["phases"][0]["command"]["folder"], "");
    is_in_it(&told(&["list"])["changes"][0]["folder"], "/agentd/changes/add-login");
    for id in ["add-login", "add-logo"] {
        let folder = format!("/agentd/changes/{id}");
        is_in_it(&told(&["status", id])["folder"], &folder);
        for words in [["log", id], ["show", id]] {
            assert_eq!(told(&words)["version"], 1, "{words:?}");
        }
        is_in_it(&told(&["cancel", id])["folder"], &folder);
    }
}
