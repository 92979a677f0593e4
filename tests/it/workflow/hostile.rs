//! Agents and checks that turn against their user, in the sandbox, where a scene of its own shows it: what shells have open, keys in
//! the environment, calls by hand, links, programs and caches. `attacks` has the others.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::time::{Duration, Instant};

use super::attacks::said;
use super::corpus::{arm, corpus};
use super::scene::{ID, Scene};
use crate::process::scene::await_that;
use crate::project::{AGENTD, ran};
use crate::support::{NOBODY, give_away, install, skipped};

fn is_there() -> bool {
    let support = agentd::process::support();
    if support != agentd::process::Support::Full {
        skipped(support.describe());
    }
    support == agentd::process::Support::Full
}

#[test]
fn agentd_answers_an_interruption_within_a_second_whatever_its_agent_does() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    let daemons: Vec<_> = corpus().into_iter().filter(|name| name.starts_with("daemon-")).collect();
    let attack = arm(&scene, &daemons, None);
    let words = format!(
        "trap '' INT TERM HUP\n{attack} agent\ntouch \"$AGENTD_OUTBOX/up\"\nwhile :; do sleep 1; done"
    );
    with_agent(&scene, &words);
    let mut run = scene.agentd(&["run", ID, "Add a login page", "--agent", "hostile"]);
    let mut child = run.spawn().expect("agentd runs");
    let up = || {
        let outboxes = fs::read_dir(scene.path("state/workspaces")).into_iter().flatten().flatten();
        outboxes.into_iter().any(|it| it.path().join("add-login.outbox/plan/add-login/up").exists())
    };
    await_that("the agent is up", up);
    let start = Instant::now();
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("interrupted");
    assert_eq!(child.wait().expect("it ended").code(), Some(130));
    // A second, and five times that on a busy machine.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert_eq!(scene.processes(), Vec::<String>::new(), "nobody survives");
}

/// Configures one agent that is called like Claude Code, does what a script says and then its work.
fn with_agent(scene: &Scene, script: &str) {
    let script = format!("#!/bin/sh\n{script}\nexec {AGENTD} offline-agent --speak claude\n");
    install(&scene.path("hostile"), script, 0o755);
    let command = scene.path("hostile").display().to_string();
    let agent = format!("\n[agents.hostile]\ncli = \"claude\"\ncommand = [{command:?}]\n");
    scene.write("user.toml", scene.read("user.toml") + &agent);
}

#[test]
fn what_the_shell_had_open_is_closed_in_agents() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    scene.write("secret", "s3cret");
    scene.write("written", "");
    let seen = scene.path("notes/seen").display().to_string();
    with_agent(&scene, &format!("(cat <&7; echo evil >&8) >{seen} 2>/dev/null"));
    let command = "exec 7<secret 8>>written; cd repo; exec \"$0\" \"$@\"";
    let words = ["-c", command, AGENTD, "run", ID, "Add it", "--agent", "plan=hostile"];
    let mut shell = scene.command("sh", &[&words[..], &["--until", "plan"]].concat());
    ran(shell.current_dir(scene.path(""))).exits(0);
    assert_eq!((scene.read("notes/seen"), scene.read("written")), (String::new(), String::new()));
}

#[test]
fn a_check_gets_no_key_of_an_agent() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    let seen = scene.path("notes/seen").display().to_string();
    let config = format!("{}[verify]\ncommands = [\"env >{seen}\"]\n", scene.sandbox());
    scene.write("user.toml", config);
    let mut run = scene.run(&["--until", "plan"]);
    run.env("ANTHROPIC_API_KEY", "s3cret").env("GITHUB_TOKEN", "s3cret").env("SHOP", "open");
    ran(&mut run).exits(0);
    let seen = scene.read("notes/seen");
    assert!(seen.contains("SHOP=open") && !seen.contains("s3cret"), "{seen}");
}

#[test]
fn folders_without_rights_are_removed_too() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    with_agent(
        &scene,
        "cd \"$TMPDIR\" && mkdir -p a/b c/d && touch a/b/file c/d/file && chmod 000 a/b && chmod 555 c/d c && chmod 000 a",
    );
    let mut run = scene.run(&["--agent", "plan=hostile", "--until", "plan"]);
    if rustix::process::geteuid().is_root() {
        give_away(&scene.path(""));
        run.uid(NOBODY).gid(NOBODY);
    }
    ran(&mut run).exits(0);
    let left = fs::read_dir(scene.path("state/tmp")).expect("a folder").count();
    assert_eq!(left, 0);
}

#[test]
fn an_agent_without_rights_of_root_takes_the_processor_from_nobody() {
    // Root's agent cannot do so anyway, since its guard has more rights than it.
    if !is_there() || !rustix::process::geteuid().is_root() {
        return;
    }
    let scene = Scene::new();
    let attack = arm(&scene, &["priorities.py".to_owned()], None);
    with_agent(&scene, &format!("{attack} agent"));
    let mut run = scene.run(&["--agent", "plan=hostile", "--until", "plan"]);
    give_away(&scene.path(""));
    ran(run.uid(NOBODY).gid(NOBODY)).exits(0);
    assert_eq!(said(&scene, "agent")["priorities.py"], ["held"], "{}", scene.read("notes/errors"));
}

#[test]
fn folders_that_are_deeper_than_any_path_are_removed_too() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    let dig = |depth: u32| {
        format!("python3 -c 'import os\nfor _ in range({depth}): os.mkdir(\"d\"); os.chdir(\"d\")'")
    };
    // In a repository inside too, whose files are listed.
    let nested = format!("(mkdir nested && cd nested && git init -q && {})", dig(2100));
    let script = format!(
        "for place in \"$TMPDIR\" . \"$AGENTD_OUTBOX\"; do (cd \"$place\" && {}); done; {nested}",
        dig(400)
    );
    with_agent(&scene, &script);
    let few = |words: &[&str]| {
        let words = [&["-c", "ulimit -n 128; exec \"$0\" \"$@\"", AGENTD], words].concat();
        ran(&mut scene.command("sh", &words))
    };
    few(&["run", ID, "Add it", "--agent", "offline", "--agent", "implement=hostile"]).exits(0);
    assert_eq!(fs::read_dir(scene.path("state/tmp")).expect("a folder").count(), 0);
    few(&["discard", ID, "--yes"]).exits(0);
    let left = fs::read_dir(scene.path("state/workspaces")).expect("a folder");
    let left: Vec<_> =
        left.flatten().flat_map(|it| fs::read_dir(it.path()).unwrap()).flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_call_by_hand_writes_what_its_step_changes_and_nothing_else() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    scene.runs(&["--until", "challenge"]).exits(0);
    let root = scene.path("repo").display().to_string();
    let attack = format!(
        "echo evil >{root}/evil.rs; echo evil >>{root}/.git/agentd/changes/{ID}/journal.jsonl; echo x >{root}/.git/hooks/evil"
    );
    with_agent(&scene, &format!("({attack}) 2>/dev/null"));
    let journal = scene.journal();
    for step in ["plan", "challenge", "review", "archive"] {
        // Some find nothing to work on; none may write.
        ran(&mut scene.agentd(&["call", step, ID, "Do it", "--agent", "hostile"]));
        assert_eq!(scene.journal(), journal, "{step}");
        assert!(!scene.path("repo/evil.rs").exists(), "{step}");
        assert!(!scene.path("repo/.git/hooks/evil").exists(), "{step}");
    }
}

#[test]
fn a_home_that_is_a_link_is_a_home() {
    let scene = Scene::new();
    fs::remove_dir(scene.path("home")).expect("it is empty");
    fs::create_dir(scene.path("real")).expect("made");
    std::os::unix::fs::symlink(scene.path("real"), scene.path("home")).expect("a link");
    let mut run = scene.run(&[]);
    run.env_remove("AGENTD_STATE").env_remove("XDG_STATE_HOME");
    ran(&mut run).exits(0);
    assert!(scene.path("real/.local/state/agentd").exists());
}

#[test]
fn a_path_of_the_sandbox_that_names_no_place_is_refused() {
    for (key, path) in [("read_deny", "README.md"), ("write", "~/no*"), ("check_write", "")] {
        let scene = Scene::new();
        scene.write("user.toml", format!("[sandbox]\n{key} = [{path:?}]\n"));
        let refused = ran(&mut scene.run(&[])).exits(4);
        refused.says(&format!("`{path}` in `{key}` of `[sandbox]` is not a valid path"));
    }
}

#[test]
fn no_program_and_no_library_is_taken_from_a_workspace() {
    let scene = Scene::new();
    let ran_it = scene.path("ran-outside");
    let fake = format!("#!/bin/sh\ntouch {}\n", ran_it.display());
    let plant = "mkdir -p node_modules/.bin && cp PLANT git && cp PLANT node_modules/.bin/git && cp PLANT node_modules/.bin/claude && cp PLANT libz.so.1";
    install(&scene.path("plant"), fake, 0o755);
    let plant = plant.replace("PLANT", &scene.path("plant").display().to_string());
    with_agent(&scene, &format!("case \"$PWD\" in */add-login) {plant};; esac"));
    let path = std::env::var("PATH").expect("a PATH");
    let mut run = scene.run(&["--agent", "implement=hostile", "--agent", "review=hostile"]);
    run.env("PATH", format!(":./node_modules/.bin:{path}")).env("LD_LIBRARY_PATH", ":/opt/none");
    ran(&mut run).exits(0);
    assert!(!ran_it.exists(), "a program of the workspace ran outside of the sandbox");
}

#[test]
fn what_the_setup_fetches_is_read_by_checks_and_agents_and_not_written() {
    if !is_there() {
        return;
    }
    let scene = Scene::new();
    let check = "grep -q fetched $CARGO_HOME/config.toml && ! (echo evil >>$CARGO_HOME/config.toml) 2>/dev/null";
    let setup = "mkdir -p $CARGO_HOME && echo '# fetched' >$CARGO_HOME/config.toml";
    let config = format!(
        "{}[workspace]\nsetup = [{setup:?}]\n[verify]\ncommands = [{check:?}]\n",
        scene.sandbox()
    );
    scene.write("user.toml", config);
    with_agent(&scene, &format!("({check}) || exit 9"));
    ran(&mut scene.run(&["--agent", "implement=hostile"])).exits(0);
}

#[test]
fn a_workspace_that_an_agent_closed_is_opened_again() {
    let scene = Scene::new();
    let once = scene.path("notes/once").display().to_string();
    with_agent(
        &scene,
        &format!(
            "[ -e {once} ] || {{ touch {once}; mkdir left; touch left/file; chmod 500 left src .; exit 1; }}"
        ),
    );
    let run = || {
        let mut run = scene.run(&["--agent", "implement=hostile"]);
        if rustix::process::geteuid().is_root() {
            give_away(&scene.path(""));
            run.uid(NOBODY).gid(NOBODY);
        }
        ran(&mut run)
    };
    run().exits(5);
    run().exits(0);
}
