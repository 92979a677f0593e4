//! What a clone of somebody's repository may hold below `agentd/`: links, pipes, folders and files with a second name, in
//! the place of each file that agentd reads or writes there. None is opened.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

use agentd::engine::schedule::unschedulable;
use agentd::handoff::{Desk, Tool, fallback_files};
use agentd::prompt::confined::ConfinedFolder;
use agentd::template::Role;

use crate::commands::scene::tree;
use crate::home::Home;
use crate::project::AGENTD;
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
    run("cp", &["-a".as_ref(), origin.join(".git/agentd").as_ref(), root.join(".git").as_ref()]);
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

/// Lists the files of a change that a clone may hold: all that both flows and their agents leave, and the files in which
/// work is handed over where an agent has no tools, as the desk looks for them.
fn files_of(folder: &Path) -> BTreeSet<String> {
    let left = tree(folder).into_keys().map(|path| path.display().to_string());
    let mut files: BTreeSet<_> = left.filter(|path| folder.join(path).is_file()).collect();
    files.extend([".REVIEW.md.new", "03_research/web-tls/request.md"].map(str::to_owned));
    // The desk lists what is there.
    let scene = tempfile::tempdir().expect("a folder");
    for path in ["04_planning/plan_1.yaml", "04_planning/plan_2.yml", "03_research/code-auth/x"] {
        let path = scene.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, "").expect("written");
    }
    let papers = ConfinedFolder::open(scene.path()).expect("it opens");
    let change = "team".parse().expect("an id");
    for role in Role::ALL.iter().copied() {
        let (schedule, change) = (unschedulable, &change);
        let desk = Desk { folder: &papers, role, plan: None, schedule, change };
        files.extend(fallback_files(&desk).into_iter().map(|file| file.path));
        let folders = Tool::of(role).iter().map(|tool| (tool, tool.phase(role)));
        files.extend(folders.map(|(tool, phase)| format!("{phase}/submissions/{tool}.json")));
    }
    files
}

#[test]
fn no_agent_is_called_where_a_clone_holds_a_trap_in_the_place_of_any_file_of_a_change() {
    for (change, command) in [("sdd", RUN), ("team", RUN_TEAM)] {
        let home = cloned();
        let (folder, secret) =
            (home.root().join("agentd/changes").join(change), home.path("secret"));
        let files = files_of(&folder);
        assert!(files.len() > 20, "{files:?}");
        let state = home.root().join(".git/agentd/changes").join(change);
        let runs = || {
            let names = fs::read_dir(state.join("runs")).map(|names| names.flatten().collect());
            let names: Vec<_> = names.unwrap_or_default();
            names.iter().filter(|name| name.file_name().to_string_lossy().starts_with('0')).count()
        };
        for (name, trap) in files.iter().flat_map(|name| TRAPS.map(|trap| (name, trap))) {
            let (place, before) = (folder.join(name), runs());
            let kept = fs::read(&place).ok();
            plant(trap, &secret, &place);
            let planted = fs::symlink_metadata(&place).expect("planted").file_type();
            let ran = home.agentd_bounded(command).hides("THE SECRET");
            let case = format!("{trap:?} at {change}/{name}");
            assert_eq!(ran.code, Some(12), "{case}\n{}\n{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains(name), "{case}: it is not named\n{}", ran.stderr);
            assert!(ran.stderr.contains("help:"), "{case}: no help\n{}", ran.stderr);
            assert_eq!(runs().max(before), before, "{case}: an agent was called");
            let now = fs::symlink_metadata(&place).expect("it is still there").file_type();
            assert_eq!(now, planted, "{case}");
            assert_eq!(fs::read_to_string(&secret).expect("text"), SECRET, "{case}");
            remove(&place);
            if let Some(bytes) = kept {
                fs::write(&place, bytes).expect("put back");
            }
        }
        // It was for the traps alone.
        home.agentd_bounded(command).exits(0);
    }
}

#[test]
fn a_trap_that_an_agent_sets_while_it_is_at_work_ends_the_run_as_one_that_was_there_before() {
    // The steps that agents take, what they plant there, and whether it is a folder of the project's.
    for (role, path) in [
        ("architect", "OUTBOX/02_architecting/architecture.yaml"),
        ("architect", "OUTBOX/02_architecting/architecture.md"),
        ("planner", "OUTBOX/04_planning/plan_1.yaml"),
        ("reviewer", "OUTBOX/07_review/submissions"),
        ("reviewer", "OUTBOX/07_review/review.yaml"),
        ("architect", "agentd/prompts/agents/coder.md"),
        ("architect", "agentd/prompts/agents/planner.md"),
    ] {
        let home = cloned();
        let secret = home.path("secret");
        let name = path.rsplit('/').next().expect("a name");
        let place = match path.strip_prefix("OUTBOX/") {
            Some(below) => format!("\"$AGENTD_OUTBOX\"/{below}"),
            None => format!("'{}'", home.root().join(path).display()),
        };
        let shell = format!(
            "\"{AGENTD}\" offline-agent --speak claude \"$@\" && mkdir -p $(dirname {place}) && rm -rf {place} && ln -s '{}' {place}",
            secret.display(),
        );
        let program = home.path("trapper.sh");
        fs::write(&program, shell).expect("written");
        let program = program.display().to_string();
        home.configure(&format!(
            "[agents.trapper]\ncli = \"claude\"\ncommand = [\"sh\", {program:?}]\n"
        ));
        let trapper = format!("{role}=trapper");
        let run = [
            "run",
            "new",
            "Add a page",
            "--flow",
            "team",
            "--agent",
            "offline",
            "--agent",
            &trapper,
        ];
        let ran = home.agentd_bounded(&run).hides("THE SECRET");
        assert_eq!(ran.code, Some(12), "{role} {path}\n{}\n{}", ran.stdout, ran.stderr);
        drop(ran.says(name).says("help:"));
        assert_eq!(fs::read_to_string(&secret).expect("text"), SECRET, "{path}");
        if !path.starts_with("OUTBOX/") {
            remove(&home.root().join(path));
        }
        home.agentd_bounded(&["run", "new", "--agent", "offline"]).exits(0);
    }
}

#[test]
fn what_stands_in_the_place_of_a_change_s_own_files_is_refused_and_never_opened() {
    let cancel: &[&str] = &["cancel", "sdd"];
    let phase: &[&str] = &["archive", "sdd"];
    refused(
        &[
            (".git/agentd/changes/sdd/journal.jsonl", &[RUN, STATUS, LOG, cancel, phase]),
            ("agentd/changes/sdd/state.json", &[RUN]),
            (".git/agentd/changes/sdd.lock", &[RUN, STATUS, LOG, cancel]),
            (".git/agentd/changes/team/journal.jsonl", &[RUN_TEAM, &["run", "team"]]),
            (".git/agentd/changes/team.lock", &[RUN_TEAM]),
            (".git/agentd/changes/done/journal.jsonl", &[&["status", "done"]]),
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
            ("agentd/changes/sdd/CHECKS.md", &[SHOW]),
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
    let team: &[&str] = &["run", "other", "Add a page", "--flow", "team"];
    refused(
        &[
            ("agentd/config.toml", &[RUN, plan, call, &["config", "show"], &["doctor"]]),
            ("agentd/project.md", &[plan, call, prompt]),
            ("agentd/prompts/phases/archive.md", &[RUN]),
            ("agentd/prompts/phases/plan.md", &[prompt]),
            ("agentd/prompts/identities/task-agent.md", &[identity]),
            ("agentd/prompts/agents/coder.md", &[add, role, coder, team]),
            (".agentmux/prompts/agents/coder.md", &[add, role, coder, team]),
            ("agentd/prompts/commands/summary.md", &[team]),
            ("agentd/prompts/phases/review.md", &[plan]),
            ("agentd/preferences.pending.json", &[plan, team, &["preferences", "pending"]]),
            ("agentd/specs/done.md", &[plan, team]),
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
            ("agentd/changes/sdd/specs", &[SHOW]),
            ("agentd/changes/team/02_architecting", &[SHOW_TEAM]),
        ],
        &[Trap::Link, Trap::Endless, Trap::Pipe],
    );
    for path in ["changes/sdd/specs", "prompts"] {
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
        let before = tree(&outside);
        let show: &[&str] = &["show", "sdd", "--prompt", "1"];
        let prompt: &[&str] = &["prompt", "plan", "Add a page"];
        let mut refusals = 0;
        for command in [RUN, STATUS, SHOW, show, LOG, prompt, &["preferences", "list"]] {
            let ran = home.agentd_bounded(command).hides("THE SECRET");
            assert!(matches!(ran.code, Some(0 | 12)), "{path}: {command:?}\n{}", ran.stderr);
            refusals += usize::from(ran.code == Some(12));
        }
        assert!(refusals > 0, "{path} is passed over by all");
        assert_eq!(tree(&outside), before, "{path}");
    }
}

#[test]
fn a_torn_line_of_a_journal_gets_into_no_file_that_a_link_leads_to() {
    let home = cloned();
    let change = home.root().join(".git/agentd/changes/sdd");
    let config = home.root().join(".git/config");
    let before = fs::read(&config).expect("git's settings");
    let journal = fs::read_to_string(change.join("journal.jsonl")).expect("a journal");
    let torn = "[core] fsmonitor = \"touch pwned; true\"";
    fs::write(change.join("journal.jsonl"), format!("{journal}{torn}")).expect("written");
    symlink("../../../config", change.join("journal.torn")).expect("linked");
    home.agentd_bounded(RUN).exits(12).says("journal.torn`: it is a link").says("help:");
    assert_eq!(fs::read(&config).expect("git's settings"), before);
    fs::remove_file(change.join("journal.torn")).expect("removed");
    home.agentd_bounded(RUN).exits(0);
    assert_eq!(fs::read_to_string(change.join("journal.torn")).expect("kept"), format!("{torn}\n"));
}

#[test]
fn what_is_too_large_is_named_with_its_limit_and_not_read() {
    let plan: &[&str] = &["run", "new", "Add a page"];
    let schedule: &[&str] = &["schedule", "check", "team"];
    let prompt: &[&str] = &["prompt", "--role", "coder", "--plan", "1", "--change", "team"];
    for (path, command) in [
        (".git/agentd/changes/sdd/journal.jsonl", STATUS),
        (".git/agentd/changes/sdd/journal.jsonl", RUN),
        ("agentd/changes/sdd/proposal.md", SHOW),
        ("agentd/changes/sdd/proposal.md", RUN),
        ("agentd/changes/sdd/tasks.md", RUN),
        ("agentd/changes/team/04_planning/plan_1.md", schedule),
        ("agentd/changes/team/04_planning/tasks_1.md", schedule),
        ("agentd/changes/team/04_planning/execution_plan.yaml", schedule),
        ("agentd/changes/team/04_planning/execution_plan.yaml", SHOW_TEAM),
        ("agentd/changes/team/04_planning/plan_1.md", prompt),
        ("agentd/config.toml", plan),
        ("agentd/config.toml", &["config", "show"]),
        ("agentd/config.toml", &["doctor"]),
        ("agentd/project.md", plan),
        ("agentd/specs/done.md", plan),
        ("agentd/prompts/phases/plan.md", plan),
        ("agentd/prompts/agents/coder.md", prompt),
        ("agentd/preferences.pending.json", &["preferences", "pending"]),
    ] {
        let home = cloned();
        let place = home.root().join(path);
        fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        let file = fs::File::options().create(true).append(true).open(&place).expect("opened");
        file.set_len(8 << 30).expect("made large");
        let ran = home.agentd_bounded(command);
        let case = format!("{path}: {command:?}\n{}", ran.stderr);
        assert_eq!(ran.code, Some(11), "{case}");
        let name = path.strip_prefix("agentd/changes/team/").unwrap_or(path);
        // A sum is told of the folder.
        let is_named =
            [name, "04_planning", "changes/sdd", "specs/", "specs/done.md", "changes/team"]
                .iter()
                .any(|name| ran.stderr.contains(&format!("{name}`")));
        assert!(is_named, "{case}");
        let tells_limit = ["larger than ", "is the limit", "larger than 1048576"];
        assert!(tells_limit.iter().any(|words| ran.stderr.contains(words)), "{case}");
        assert!(ran.stderr.contains("help:"), "{case}");
    }
}

#[test]
fn files_that_are_large_only_together_are_refused_by_their_sizes() {
    let home = cloned();
    let many = |folder: &str| {
        fs::create_dir_all(home.root().join(folder)).expect("made");
        for number in 0..60 {
            let path = home.root().join(folder).join(format!("many-{number}.md"));
            fs::File::create(path).and_then(|file| file.set_len(8 << 20)).expect("made");
        }
    };
    let few = |folder: &str| {
        for number in 0..60 {
            let path = home.root().join(folder).join(format!("many-{number}.md"));
            fs::remove_file(path).expect("removed");
        }
    };
    let plan: &[&str] = &["run", "new", "Add a page"];
    let dry: &[&str] = &["run", "new", "Add a page", "--dry-run"];
    let prompt: &[&str] = &["prompt", "archive", "--change", "sdd"];
    for (folder, commands) in [
        ("agentd/specs", &[plan, dry, prompt][..]),
        ("agentd/changes/sdd/specs", &[RUN, SHOW, prompt]),
        ("agentd/changes/team/05_design", &[SHOW_TEAM]),
    ] {
        many(folder);
        for command in commands {
            let ran = home.agentd_within("ulimit -v 1000000; ulimit -t 20", command);
            let case = format!("{folder}: {command:?}\n{}\n{}", ran.stdout, ran.stderr);
            assert_eq!(ran.code, Some(11), "{case}");
            // What a run holds to put it back may be larger than a prompt.
            let limits = ["33554432 is the limit", "larger than 256 MiB"];
            assert!(limits.iter().any(|limit| ran.stderr.contains(limit)), "{case}");
            assert!(ran.stderr.contains("help:"), "{case}");
        }
        few(folder);
    }
    home.agentd_bounded(RUN).exits(0);
}

#[test]
fn the_offline_agent_writes_through_no_link_that_a_repository_holds() {
    for link in ["agentd-demo", "agentd-demo/shop.sh"] {
        let home = user(Home::new().with_git());
        let outside = home.path("outside");
        fs::create_dir_all(&outside).expect("made");
        fs::write(outside.join("shop.sh"), SECRET).expect("written");
        let target = if link == "agentd-demo" { outside.clone() } else { outside.join("shop.sh") };
        home.write("README.md", "# Shop\n");
        let place = home.root().join(link);
        fs::create_dir_all(place.parent().expect("a folder")).expect("made");
        symlink(target, &place).expect("linked");
        home.git(&["add", "--all"]);
        home.git(&["commit", "--quiet", "--message", "Begin"]);
        home.agentd_bounded(&["run", "shop", "Add a page"]).exits(5).says("is a link");
        let held = tree(&outside);
        assert_eq!(held.len(), 1, "{link}: {held:?}");
        assert_eq!(fs::read_to_string(outside.join("shop.sh")).expect("text"), SECRET, "{link}");
    }
}

#[test]
fn a_project_is_reached_through_links_of_its_user_s_own() {
    let home = user(Home::new().with_git());
    home.write("README.md", "# Shop\n");
    home.git(&["add", "--all"]);
    home.git(&["commit", "--quiet", "--message", "Begin"]);
    let (real, link) = (home.path(""), home.path("link"));
    symlink(&real, &link).expect("linked");
    for folder in ["state", "tmp"] {
        fs::create_dir_all(home.path(folder)).expect("made");
    }
    let at = |path: &str| link.join(path).display().to_string();
    let home = home
        .variable("AGENTD_STATE", &at("state"))
        .variable("TMPDIR", &at("tmp"))
        .variable("HOME", &at("home"))
        .variable("PWD", &at("shop"));
    let root = link.join("shop");
    home.agentd_in(&root, &["init"]).exits(0);
    home.agentd_in(&root, &["run", "one", "Add a page", "--until", "review"]).exits(0);
    home.agentd_in(&root, &["run", "one"]).exits(0);
    home.agentd_in(&root, &["run", "two", "Add search", "--flow", "team"]).exits(0);
    home.agentd_in(&root, &["approve", "two"]).exits(0);
    home.agentd_in(&real, &["-C", &at("shop"), "list", "--all"]).exits(0).prints("one");
    home.agentd_in(&root, &["preferences", "add", "coder", "Be brief"]).exits(0);
    home.agentd_in(&root, &["demo", "--quiet"]);
    let session = at("shop/agentd/archive");
    let render = ["templates", "render", "README.md", "--dialect", "role", "--session", &session];
    home.agentd_in(&root, &render).exits(0);
    // What lies below the root is another matter.
    symlink(&real, home.root().join("agentd/specs/more.md")).expect("linked");
    home.agentd_in(&root, &["run", "three", "Add a page"]).exits(12).says("more.md");
}

#[test]
fn a_listing_adds_up_journals_before_it_reads_them_and_folders_are_not_gone_into_without_end() {
    let home = cloned();
    for number in 0..60 {
        let folder = home.root().join(format!(".git/agentd/changes/c{number}"));
        fs::create_dir_all(&folder).expect("made");
        let journal = fs::File::create(folder.join("journal.jsonl"));
        journal.and_then(|file| file.set_len(64 << 20)).expect("made");
    }
    for command in [&["list"][..], &["list", "--all"], &["usage"]] {
        let ran = home.agentd_within("ulimit -v 1000000; ulimit -t 20", command);
        let case = format!("{command:?}\n{}\n{}", ran.stdout, ran.stderr);
        assert_eq!(ran.code, Some(11), "{case}");
        assert!(ran.stderr.contains("268435456 is the limit"), "{case}");
    }
    let deep = home.root().join("agentd/changes/sdd").join("d/".repeat(900));
    fs::create_dir_all(deep).expect("made");
    let ran = home.agentd_within("ulimit -t 20", RUN).exits(11).says("more than 64 folders");
    drop(ran.says("help:"));
}
