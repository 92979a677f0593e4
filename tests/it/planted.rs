//! What a clone of somebody's repository may hold below `agentd/`: links, pipes, folders and files with a second name, in
//! the place of each file that agentd reads or writes there. None is opened.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use crate::home::Home;
use crate::support::make_special;

const SECRET: &str = "THE SECRET of the user\n";

/// What stands in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    /// A link to a file of the user's.
    Link,
    /// A link to what never ends.
    Endless,
    Pipe,
    /// A second name of a file of the user's.
    HardLink,
    Folder,
}

const TRAPS: [Trap; 5] = [Trap::Link, Trap::Endless, Trap::Pipe, Trap::HardLink, Trap::Folder];

/// Three changes: one about to be archived, one that a team has made, one that is done.
static ORIGIN: LazyLock<Home> = LazyLock::new(|| {
    let home = user(Home::new().with_git());
    home.write("README.md", "# Shop\n");
    home.write("agentd/project.md", "# Project\n\nA web shop.\n");
    home.write("agentd/prompts/agents/coder.md", "# Coder\n");
    home.write("agentd/prompts/phases/archive.md", "Be brief.\n");
    home.git(&["add", "--all"]);
    home.git(&["commit", "--quiet", "--message", "Begin"]);
    home.agentd(&["run", "done", "Add login"]).exits(0);
    home.agentd(&["run", "sdd", "Add logout", "--until", "review"]).exits(0);
    home.agentd(&["run", "team", "Add search", "--flow", "team"]).exits(0);
    let archive = fs::read_dir(home.root().join("agentd/archive")).expect("an archive");
    let done = archive.map(|entry| entry.expect("an entry").path()).next().expect("a change");
    fs::rename(done, home.root().join("agentd/archive/2026-01-31-done")).expect("renamed");
    home
});

/// Sets a user's name, and the offline agent for everything.
fn user(home: Home) -> Home {
    for (name, value) in [("user.name", "Ada"), ("user.email", "ada@localhost")] {
        home.git(&["config", name, value]);
    }
    home.variable("AGENTD_AGENT", "offline")
}

/// Clones the repository, with all that somebody may have committed below `agentd/`, and a file of the user's beside it.
fn cloned() -> Home {
    let home = Home::new();
    fs::remove_dir(home.root()).expect("it is empty");
    let origin = ORIGIN.root();
    let run = |program: &str, arguments: &[&std::ffi::OsStr]| {
        let status = Command::new(program).args(arguments).status().expect("it runs");
        assert!(status.success(), "{program}");
    };
    let root = home.root();
    run("git", &["clone".as_ref(), "--quiet".as_ref(), origin.as_ref(), root.as_ref()]);
    let home = user(home);
    home.git(&["fetch", "--quiet", "origin", "+refs/heads/agentd/*:refs/heads/agentd/*"]);
    run("cp", &["-a".as_ref(), origin.join("agentd").as_ref(), root.as_ref()]);
    fs::write(home.path("secret"), SECRET).expect("written");
    home
}

fn remove(path: &Path) {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path).expect("removed"),
        Ok(_) => fs::remove_file(path).expect("removed"),
        Err(_) => {}
    }
}

fn plant(trap: Trap, secret: &Path, path: &Path) {
    remove(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    match trap {
        Trap::Link => symlink(secret, path).expect("linked"),
        Trap::Endless => symlink("/dev/zero", path).expect("linked"),
        Trap::HardLink => fs::hard_link(secret, path).expect("linked"),
        Trap::Pipe => assert!(make_special("pipe", path)),
        Trap::Folder => assert!(make_special("folder", path)),
    }
}

/// What those do who only look, or go on with a change.
const HARMLESS: [&[&str]; 9] = [
    &["list", "--all"],
    &["usage"],
    &["status", "sdd"],
    &["log", "sdd"],
    &["show", "sdd"],
    &["show", "team"],
    &["doctor"],
    &["config", "show"],
    &["preferences", "list"],
];

/// Puts each trap in the place of a file of a fresh clone, and demands that commands refuse it by name: promptly, without
/// showing or changing what it leads to. Other commands may pass over it, but no more.
fn refused(rows: &[(&str, &[&[&str]])], traps: &[Trap]) {
    for (path, commands) in rows {
        let home = cloned();
        let (place, secret) = (home.root().join(path), home.path("secret"));
        for trap in traps.iter().copied() {
            plant(trap, &secret, &place);
            let before = fs::symlink_metadata(&place).expect("planted");
            for command in *commands {
                let ran = home.agentd_bounded(command);
                let case = format!("{trap:?} at {path}: {command:?}");
                assert_eq!(ran.code, Some(12), "{case}\n{}\n{}", ran.stdout, ran.stderr);
                // Some messages name a file as the change or `agentd/` does.
                let folders = ["agentd/changes/sdd/", "agentd/changes/team/", "agentd/"];
                let name = folders.iter().find_map(|folder| path.strip_prefix(folder));
                let name = name.unwrap_or(path);
                assert!(ran.stderr.contains(name), "{case}: it is not named\n{}", ran.stderr);
                assert!(ran.stderr.contains("help:"), "{case}: no help\n{}", ran.stderr);
                drop(ran.hides("THE SECRET"));
            }
            if trap == Trap::Link {
                for command in HARMLESS {
                    let ran = home.agentd_bounded(command);
                    let case = format!("{trap:?} at {path}: {command:?}");
                    let is_fine = matches!(ran.code, Some(0 | 4 | 5 | 12));
                    assert!(is_fine, "{case}: {:?}\n{}\n{}", ran.code, ran.stdout, ran.stderr);
                    drop(ran.hides("THE SECRET"));
                }
            }
            let after = fs::symlink_metadata(&place).expect("it is still there");
            assert_eq!(after.file_type(), before.file_type(), "{trap:?} at {path}");
            assert_eq!(fs::read_to_string(&secret).expect("text"), SECRET, "{trap:?} at {path}");
        }
    }
}

const RUN: &[&str] = &["run", "sdd"];
const RUN_TEAM: &[&str] = &["approve", "team"];
const STATUS: &[&str] = &["status", "sdd"];
const SHOW: &[&str] = &["show", "sdd"];
const SHOW_TEAM: &[&str] = &["show", "team"];
const LOG: &[&str] = &["log", "sdd"];

#[test]
fn what_stands_in_the_place_of_a_change_s_own_files_in_a_clone_is_refused_and_never_opened() {
    let cancel: &[&str] = &["cancel", "sdd"];
    let phase: &[&str] = &["archive", "sdd"];
    refused(
        &[
            ("agentd/changes/sdd/journal.jsonl", &[RUN, STATUS, LOG, cancel, phase]),
            ("agentd/changes/sdd/journal.torn", &[RUN, cancel, phase]),
            ("agentd/changes/sdd/state.json", &[RUN]),
            ("agentd/changes/sdd/.lock", &[RUN, STATUS, LOG, cancel]),
            ("agentd/changes/sdd/.gitignore", &[RUN]),
            ("agentd/changes/team/journal.jsonl", &[RUN_TEAM, &["run", "team"]]),
            ("agentd/changes/team/journal.torn", &[RUN_TEAM]),
            ("agentd/changes/team/.lock", &[RUN_TEAM]),
            ("agentd/archive/2026-01-31-done/journal.jsonl", &[&["status", "done"]]),
        ],
        &TRAPS,
    );
}

#[test]
fn what_stands_in_the_place_of_a_run_s_files_in_a_clone_is_refused_and_never_opened() {
    let prompt: &[&str] = &["show", "sdd", "--prompt", "1"];
    let response: &[&str] = &["show", "sdd", "--response", "1"];
    let usage: &[&str] = &["usage"];
    refused(
        &[
            ("agentd/changes/sdd/runs/001-plan/meta.json", &[RUN, STATUS, LOG, usage]),
            ("agentd/changes/sdd/runs/001-plan/end.json", &[RUN]),
            ("agentd/changes/sdd/runs/001-plan/stdout", &[RUN]),
            ("agentd/changes/sdd/runs/001-plan/stderr", &[RUN]),
            ("agentd/changes/sdd/runs/001-plan/report.json", &[RUN]),
            ("agentd/changes/sdd/runs/001-plan/live.json", &[RUN]),
            ("agentd/changes/sdd/runs/001-plan/prompt.xml", &[RUN, prompt]),
            ("agentd/changes/sdd/runs/001-plan/prompt.md", &[RUN, prompt]),
            ("agentd/changes/sdd/runs/001-plan/response.txt", &[RUN, response]),
            ("agentd/changes/sdd/runs/.gitignore", &[RUN]),
            ("agentd/changes/team/runs/001-architect/prompt.md", &[RUN_TEAM]),
        ],
        &TRAPS,
    );
}

#[test]
fn what_stands_in_the_place_of_a_change_s_documents_in_a_clone_is_refused_and_never_opened() {
    let prompt: &[&str] = &["prompt", "--role", "planner", "--change", "team"];
    let coder: &[&str] = &["prompt", "--role", "coder", "--plan", "1", "--change", "team"];
    let schedule: &[&str] = &["schedule", "check", "team"];
    refused(
        &[
            ("agentd/changes/sdd/request.md", &[RUN, SHOW]),
            ("agentd/changes/sdd/proposal.md", &[RUN, SHOW]),
            ("agentd/changes/sdd/specs/sdd.md", &[RUN, SHOW]),
            ("agentd/changes/sdd/tasks.md", &[SHOW]),
            ("agentd/changes/sdd/CHALLENGE.md", &[SHOW]),
            ("agentd/changes/sdd/IMPLEMENTATION.md", &[RUN, SHOW]),
            ("agentd/changes/sdd/REVIEW.md", &[SHOW]),
            ("agentd/changes/sdd/EVIDENCE.md", &[SHOW, STATUS]),
            ("agentd/changes/team/requirements.md", &[SHOW_TEAM, prompt]),
            ("agentd/changes/team/02_architecting/architecture.md", &[SHOW_TEAM, prompt]),
            ("agentd/changes/team/04_planning/plan.md", &[SHOW_TEAM]),
            ("agentd/changes/team/04_planning/plan_1.md", &[SHOW_TEAM, schedule, coder]),
            ("agentd/changes/team/04_planning/tasks_1.md", &[SHOW_TEAM, schedule, coder]),
            ("agentd/changes/team/04_planning/execution_plan.yaml", &[SHOW_TEAM, schedule]),
            ("agentd/changes/team/07_review/review.md", &[SHOW_TEAM]),
            ("agentd/changes/team/08_completion/summary.md", &[SHOW_TEAM]),
        ],
        &TRAPS,
    );
}

#[test]
fn what_stands_in_the_place_of_a_project_s_files_in_a_clone_is_refused_and_never_opened() {
    let plan: &[&str] = &["run", "new", "Add a page"];
    let call: &[&str] = &["call", "plan", "other", "Add a page"];
    let prompt: &[&str] = &["prompt", "plan", "Add a page"];
    let identity: &[&str] = &["prompt", "--identity", "task-agent", "Add a page"];
    let add: &[&str] = &["preferences", "add", "coder", "Be brief"];
    let role: &[&str] = &["preferences", "list", "--role", "coder"];
    let coder: &[&str] = &["prompt", "--role", "coder", "--plan", "1", "--change", "team"];
    refused(
        &[
            ("agentd/config.toml", &[RUN, plan, call, &["config", "show"], &["doctor"]]),
            ("agentd/project.md", &[plan, call, prompt]),
            ("agentd/prompts/phases/archive.md", &[RUN]),
            ("agentd/prompts/phases/plan.md", &[prompt]),
            ("agentd/prompts/identities/task-agent.md", &[identity]),
            ("agentd/prompts/agents/coder.md", &[add, role, coder]),
            (".agentmux/prompts/agents/coder.md", &[add, role, coder]),
            ("agentd/specs/done.md", &[plan]),
            ("agentd/CHANGELOG.md", &[RUN]),
        ],
        &TRAPS,
    );
}

#[test]
fn what_stands_in_the_place_of_a_folder_of_a_change_in_a_clone_is_refused_and_never_gone_through() {
    // A link that leads to a folder of the user's would be gone through; the others are no folders.
    refused(
        &[
            ("agentd/changes/sdd/.before", &[RUN]),
            ("agentd/changes/sdd/runs", &[RUN, STATUS, LOG]),
            ("agentd/changes/sdd/specs", &[SHOW]),
            ("agentd/changes/team/02_architecting", &[SHOW_TEAM]),
        ],
        &[Trap::Link, Trap::Endless, Trap::Pipe],
    );
    for path in ["changes/sdd/.before", "changes/sdd/runs", "changes/sdd/specs", "prompts"] {
        let home = cloned();
        let (place, outside) = (home.root().join("agentd").join(path), home.path("outside"));
        for folder in ["001-plan", "agents", "phases"] {
            fs::create_dir_all(outside.join(folder)).expect("made");
            for file in ["meta.json", "prompt.xml", "coder.md", "archive.md", "plan.md"] {
                fs::write(outside.join(folder).join(file), SECRET).expect("written");
            }
        }
        fs::write(outside.join("sdd.md"), SECRET).expect("written");
        remove(&place);
        symlink(&outside, &place).expect("linked");
        let before = crate::commands::scene::tree(&outside);
        let show: &[&str] = &["show", "sdd", "--prompt", "1"];
        let prompt: &[&str] = &["prompt", "plan", "Add a page"];
        let mut refusals = 0;
        for command in [RUN, STATUS, SHOW, show, LOG, prompt, &["preferences", "list"]] {
            let ran = home.agentd_bounded(command).hides("THE SECRET");
            assert!(matches!(ran.code, Some(0 | 12)), "{path}: {command:?}\n{}", ran.stderr);
            refusals += usize::from(ran.code == Some(12));
        }
        assert!(refusals > 0, "{path} is passed over by all");
        assert_eq!(crate::commands::scene::tree(&outside), before, "{path}");
    }
}

#[test]
fn a_torn_line_of_a_journal_gets_into_no_file_that_a_link_leads_to() {
    let home = cloned();
    let change = home.root().join("agentd/changes/sdd");
    let config = home.root().join(".git/config");
    let before = fs::read(&config).expect("git's settings");
    let journal = fs::read_to_string(change.join("journal.jsonl")).expect("a journal");
    let torn = "[core] fsmonitor = \"touch pwned; true\"";
    fs::write(change.join("journal.jsonl"), format!("{journal}{torn}")).expect("written");
    symlink("../../../.git/config", change.join("journal.torn")).expect("linked");
    home.agentd_bounded(RUN).exits(12).says("journal.torn`: it is a link").says("help:");
    assert_eq!(fs::read(&config).expect("git's settings"), before);
    fs::remove_file(change.join("journal.torn")).expect("removed");
    home.agentd_bounded(RUN).exits(0);
    assert_eq!(fs::read(change.join("journal.torn")).ok(), None, "it was archived");
}

#[test]
fn a_record_that_is_too_large_is_named_and_not_read() {
    for (path, command) in [
        ("runs/001-plan/meta.json", STATUS),
        ("runs/001-plan/meta.json", &["run", "sdd", "--max-tokens", "1000000"]),
        ("journal.jsonl", STATUS),
        ("proposal.md", SHOW),
    ] {
        let home = cloned();
        let path = home.root().join("agentd/changes/sdd").join(path);
        let file = fs::File::options().write(true).open(&path).expect("opened");
        file.set_len(8 << 30).expect("made large");
        home.agentd_bounded(command).exits(11).says(&path.display().to_string()).says("is larger");
    }
}
