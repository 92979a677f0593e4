//! Nothing of the repository's runs when agentd uses git: no hook, monitor, signer, editor, pager or filter of diffs.

use std::fs;
use std::path::Path;

use agentd::engine::git::{Known, Merged, Workspace, merge};

use super::scene::{BRANCH, Scene, at, at_commit, write, write_program};

const HOOKS: [&str; 18] = [
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "reference-transaction",
    "update",
];

/// Sets up programs wherever a repository can name some; each leaves a mark when it runs.
fn booby_trap(scene: &Scene, mark: &Path, hooks: &Path) {
    for hook in HOOKS {
        write_program(&hooks.join(hook), mark);
    }
    for key in [
        "core.fsmonitor",
        "core.editor",
        "core.pager",
        "core.sshCommand",
        "core.askPass",
        "sequence.editor",
        "gpg.program",
        "diff.external",
        "diff.text.textconv",
        "diff.text.command",
        "credential.helper",
        "hook.configured.command",
    ] {
        let program = scene.path("traps").join(key);
        write_program(&program, mark);
        scene.git(&["config", key, program.to_str().unwrap()]);
    }
    for (key, value) in
        [("commit.gpgSign", "true"), ("gc.auto", "1"), ("hook.configured.event", "pre-commit")]
    {
        scene.git(&["config", key, value]);
    }
}

/// Does everything once that agentd does with git.
fn use_everything(scene: &Scene) {
    let repository = scene.repository();
    repository.uncommitted_outside(&["agentd/"]).unwrap();
    let (workspace, start) = scene.workspace();
    let file = workspace.path().join("src/main.rs");
    write(&file, "fn main() { login() }\n");
    workspace.changes_since(&start).unwrap();
    assert!(workspace.save_patch(&start, &scene.path("partial.patch")).unwrap());
    workspace.restore(&start).unwrap();
    write(&file, "fn main() { login() }\n");
    let commit = workspace.commit(&start, "a round").unwrap().0;
    let text = repository.diff(&start, &commit, 1 << 20).unwrap().text;
    assert!(text.contains("+fn main() { login() }"), "{text}");
    assert_eq!(repository.stat(&start, &commit).unwrap().files, 1);
    workspace.remove().unwrap();
    let other = Workspace::open(&repository, &scene.path("state/x"), at_commit(&start));
    other.unwrap().remove().unwrap();
    scene.write("other", "the user's");
    scene.commit("meanwhile");
    assert!(matches!(
        merge(&repository, BRANCH, Known::default(), &[]).unwrap(),
        Merged::Joined(_)
    ));
}

#[test]
fn nothing_of_the_repository_runs_whatever_is_done() {
    let scene = Scene::new();
    scene.write(".gitattributes", "*.rs diff=text\n");
    scene.commit("attributes");
    let mark = scene.path("mark");
    booby_trap(&scene, &mark, &scene.root().join(".git/hooks"));
    use_everything(&scene);
    assert_eq!(fs::read_to_string(&mark).unwrap_or_default(), "");

    // The traps are real: the user's own git steps into them.
    scene.write("src/main.rs", "edited");
    let git = |arguments: &[&str]| scene.user_git(&scene.root()).args(arguments).output().unwrap();
    git(&["status"]);
    git(&["commit", "--all", "--no-gpg-sign", "-m", "by the user"]);
    git(&["checkout", "-b", "other"]);
    let ran = fs::read_to_string(&mark).unwrap();
    for name in ["core.fsmonitor", "pre-commit", "post-checkout", "reference-transaction"] {
        assert!(ran.contains(name), "{name} is no trap: {ran}");
    }
}

#[test]
fn hooks_of_another_folder_do_not_run_either() {
    let scene = Scene::new();
    let (mark, hooks) = (scene.path("mark"), scene.path("hooks"));
    booby_trap(&scene, &mark, &hooks);
    scene.git(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
    use_everything(&scene);
    assert_eq!(fs::read_to_string(&mark).unwrap_or_default(), "");
}

#[test]
fn programs_of_the_environment_do_not_run_either() {
    let scene = Scene::new();
    let mark = scene.path("mark");
    let mut environment = scene.environment();
    for name in [
        "GIT_EDITOR",
        "GIT_PAGER",
        "GIT_EXTERNAL_DIFF",
        "GIT_SSH_COMMAND",
        "GIT_ASKPASS",
        "PAGER",
        "EDITOR",
        "VISUAL",
    ] {
        let program = scene.path("traps").join(name);
        write_program(&program, &mark);
        environment.push((name.into(), program.into()));
    }
    let git = agentd::engine::git::Git::new(environment);
    let repository = agentd::engine::git::Repository::find(&scene.root(), &git).unwrap();
    let start = repository.head().unwrap();
    let workspace = Workspace::open(&repository, &scene.path("state/w"), at(&start)).unwrap();
    write(&workspace.path().join("new"), "new\n");
    let commit = workspace.commit(&start, "a round").unwrap().0;
    assert!(repository.diff(&start, &commit, 1 << 20).unwrap().text.contains("+new"));
    scene.write("other", "the user's");
    scene.commit("meanwhile");
    assert!(matches!(
        merge(&repository, BRANCH, Known::default(), &[]).unwrap(),
        Merged::Joined(_)
    ));
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap());
}
