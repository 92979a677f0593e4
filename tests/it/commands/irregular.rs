//! Agents and checks that leave pipes and what no commit can hold: no run waits for it, it is named, and the next run goes on.

use std::fs;

use super::scene::{ID, Scene};
use crate::project::AGENTD;
use crate::ran::Ran;

/// What makes git wait for a pipe, unless it is kept from it.
const PIPES: [&str; 6] = [
    "rm .gitignore; mkfifo .gitignore",
    "mkdir sub; mkfifo sub/.gitignore",
    "mkdir -p in/.git/objects in/.git/refs; mkfifo in/.git/HEAD",
    "mkdir -p in/.git/objects in/.git/refs; echo 'ref: refs/heads/x' >in/.git/HEAD; ln -s /dev/zero in/.git/commondir",
    "mkdir -p $TMPDIR/g/objects $TMPDIR/g/refs in; mkfifo $TMPDIR/g/HEAD; echo \"gitdir: $TMPDIR/g\" >in/.git",
    "rm README.md; mkfifo README.md",
];

/// A project with rules, a user, and an agent `evil` that does something in its workspace and then its work.
fn scene(attack: &str) -> Scene {
    let scene = Scene::new();
    scene.home.write(".gitignore", "target/\n");
    scene.home.git(&["add", "--all"]);
    scene.home.git(&["commit", "--quiet", "--message", "Ignore builds"]);
    let temporary = scene.home.path("temporary");
    fs::create_dir(&temporary).expect("made");
    let attack = attack.replace("$TMPDIR", &temporary.to_string_lossy());
    let script = scene.home.path("evil.sh");
    let text = format!(
        "said=$({AGENTD} offline-agent --speak claude)\n{attack}\nprintf '%s\\n' \"$said\"\n"
    );
    fs::write(&script, text).expect("written");
    let script = script.display().to_string();
    scene.config(&format!("[agents.evil]\ncli = \"claude\"\ncommand = [\"sh\", {script:?}]\n"));
    scene
}

/// Runs agentd, which is killed where it waits for something.
fn run(scene: &Scene, more: &[&str]) -> Ran {
    scene.home.agentd_bounded(&[&["run", ID, "Add login"], more].concat())
}

#[test]
fn no_run_waits_for_a_pipe_that_a_coder_left() {
    for attack in PIPES {
        let scene = scene(attack);
        let before = scene.checkout();
        let ran = run(&scene, &["--agent", "implement=evil", "--until", "implement"]);
        // A pipe in the place of a file of the project is a fault, and its agent is asked about it.
        let is_fault = !attack.contains("in/.git");
        assert_eq!(ran.code, Some(if is_fault { 5 } else { 0 }), "{attack}\n{}", ran.stderr);
        run(&scene, &[]).exits(0);
        assert_eq!(scene.checkout(), before, "{attack}");
        let files = scene.home.git(&["ls-tree", "-r", "--name-only", "agentd/add-login"]);
        assert!(files.contains("README.md") && files.contains(".gitignore"), "{attack}: {files}");
        assert!(!files.contains("in/"), "{attack}: {files}");
    }
}

#[test]
fn no_run_waits_for_a_pipe_that_a_planner_left() {
    for attack in PIPES {
        let scene = scene(attack);
        run(&scene, &["--agent", "plan=evil", "--until", "plan"]).exits(0);
        run(&scene, &["--agent", "challenge=evil"]).exits(0);
    }
}

#[test]
fn no_run_waits_for_a_pipe_that_a_check_left() {
    for attack in PIPES {
        let scene = scene("");
        let attack = attack.replace("$TMPDIR", &scene.home.path("temporary").to_string_lossy());
        let check = format!("test -e checked || {{ {attack}; touch checked; }}");
        scene.config(&format!("[verify]\ncommands = [{check:?}]\n"));
        run(&scene, &[]).exits(0);
    }
}

#[test]
fn what_git_cannot_take_is_named_to_reviewer_and_user_and_kept() {
    // A path of six thousand bytes, made of two.
    let deep = "d=$(printf '%0200d' 0); p=$d; for i in $(seq 14); do p=$p/$d; done; rm -rf $d other; mkdir -p $p other/$p; \
                echo x >other/$p/deep; mv other $p";
    for (attack, named) in [
        ("mkdir .GIT; echo x >.GIT/x", ".GIT/"),
        ("echo x >'git~1'", "git~1"),
        ("mkfifo pipe", "pipe"),
        (deep, "0000/"),
    ] {
        let scene = scene(attack);
        let ran = run(&scene, &["--agent", "implement=evil"]).exits(0);
        let line = ran.stdout.lines().find(|line| line.starts_with("ignored "));
        assert!(line.is_some_and(|line| line.contains(named)), "{attack}: {}", ran.stdout);
        let review = scene.runs().into_iter().rfind(|run| run.ends_with("-review"));
        assert!(scene.prompt(&review.expect("a review")).contains(named), "{attack}");
        assert!(!scene.home.workspaces().is_empty(), "{attack}: {} {}", ran.stdout, ran.stderr);
        scene.agentd(&["discard", ID, "--yes"]).exits(0);
        assert!(scene.home.workspaces().is_empty(), "{attack}");
    }
}

#[test]
fn a_file_that_is_too_large_is_asked_about_once_and_never_taken() {
    let scene = scene("truncate -s 3G huge.bin");
    let ran = run(&scene, &["--agent", "implement=evil", "--until", "implement"]).exits(5);
    ran.says("huge.bin: it has 3221225472 bytes, more than 100000000");
    // It may be smaller, or the user may allow more.
    run(&scene, &["--until", "implement"]).exits(0);
    let files = scene.home.git(&["ls-tree", "-r", "--name-only", "agentd/add-login"]);
    assert!(!files.contains("huge.bin"), "{files}");

    let scene = self::scene("test -e large.bin && rm large.bin || truncate -s 2M large.bin");
    scene.home.write("agentd/config.toml", "[limits]\nmax_file = \"1 MB\"\n");
    let ran = run(&scene, &["--agent", "implement=evil", "--until", "implement"]).exits(0);
    ran.prints("asked      large.bin: it has 2097152 bytes, more than 1000000\n");
}
