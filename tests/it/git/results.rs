//! Taking what an agent wrote: as a commit, as a patch, or not at all. Nothing but its files counts.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use agentd::engine::git::{GitError, LeftOut, Workspace};

use super::scene::{BRANCH, Scene, at, at_commit, bytes, own_state, write, write_program};

const ODD: [&[u8]; 7] =
    [b"-rf", b"two\nlines more", b"\"quoted\"", b"\xff\xfe", b" space ", b":(top)x", b"a\\b\t*"];

/// Returns what is in a commit at a path.
fn show(scene: &Scene, commit: &str, path: &str) -> String {
    scene.git(&["show", &format!("{commit}:{path}")])
}

#[test]
fn everything_is_committed_but_what_is_ignored_whatever_its_name() {
    let scene = Scene::new();
    let before = scene.checkout();
    let (workspace, start) = scene.workspace();
    for name in ODD {
        write(&workspace.path().join(bytes(name)), name);
    }
    symlink("nowhere", workspace.path().join("dangling")).unwrap();
    write(&workspace.path().join("target/built"), "ignored");
    write(&workspace.path().join("debug.log"), "ignored");
    write(&workspace.path().join("run.sh"), "#!/bin/sh\n");
    fs::set_permissions(workspace.path().join("run.sh"), fs::Permissions::from_mode(0o755))
        .unwrap();
    fs::remove_file(workspace.path().join("bytes.bin")).unwrap();

    let (commit, paths) = workspace.commit(&start, "round 1: all\n\n").unwrap();
    assert!(ODD.iter().all(|name| paths.contains(&bytes(name))), "{paths:?}");
    assert_eq!(paths.len(), ODD.len() + 3);
    assert!(workspace.is_as_at(&commit).unwrap());
    assert_eq!(
        scene.git(&["rev-parse", BRANCH, "agentd/add-login^"]),
        format!("{commit}\n{start}")
    );
    assert!(scene.git(&["ls-tree", BRANCH, "run.sh"]).starts_with("100755"));
    let format = "--format=%an <%ae>|%cn <%ce>|%B";
    assert_eq!(
        scene.git(&["log", "-1", format, BRANCH]),
        "Ada <ada@example.com>|agentd <agentd@localhost>|round 1: all"
    );
    assert_eq!(workspace.commit(&commit, "nothing").unwrap(), (commit, vec![]));
    assert_eq!(scene.checkout(), before);
}

#[test]
fn agentd_is_the_author_where_git_knows_no_user() {
    let scene = Scene::empty();
    scene.write("file", "text");
    scene.git(&["add", "--all"]);
    let known = ["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "start"];
    scene.git(&known);
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "new");
    workspace.commit(&start, "a round").unwrap();
    let author = scene.git(&["log", "-1", "--format=%an <%ae>", BRANCH]);
    assert_eq!(author, "agentd <agentd@localhost>");
}

#[test]
fn a_commit_that_was_made_before_a_crash_is_used() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "new");
    let (commit, paths) = workspace.commit(&start, "a round").unwrap();
    let again = Workspace::open(&scene.repository(), &scene.path("state/w"), at(&start)).unwrap();
    assert_eq!(again.commit(&start, "another message").unwrap(), (commit.clone(), paths.clone()));
    // So it is where agentd was gone before its index was the one of the commit.
    fs::remove_file(own_state(&scene, "w").join("index")).unwrap();
    let stale = scene.path("state/stale");
    drop(Workspace::open(&scene.repository(), &stale, at_commit(&start)).unwrap());
    fs::copy(own_state(&scene, "stale").join("index"), own_state(&scene, "w").join("index"))
        .unwrap();
    assert_eq!(again.commit(&start, "another message").unwrap(), (commit.clone(), paths));
    // Other files are another result.
    write(&again.path().join("newer"), "newer");
    let refused = again.commit(&start, "a round").unwrap_err();
    assert!(matches!(refused, GitError::BranchMoved { found, .. } if found == commit));
}

/// What an agent does to the `.git` of its workspace, which has no effect on the result.
const ATTACKS: [(&str, &str); 12] = [
    (
        "flags",
        "git update-index --assume-unchanged src/main.rs; git update-index --skip-worktree bytes.bin",
    ),
    (
        "excludes",
        "echo new >>.git/info/exclude; git config core.excludesFile /tmp/none; echo '*' >>.git/info/exclude",
    ),
    ("amended", "git commit -q --amend -m rewritten; git add -A; git commit -q -m more"),
    ("orphan", "git checkout -q --orphan alone; git add -A; git commit -q -m alone"),
    (
        "moved",
        "git checkout -q -b feature; git add -A; git commit -q -m feature; git branch -D agentd/add-login",
    ),
    (
        "replaced",
        "git add -A; git commit -q -m x; git replace HEAD~1 HEAD; git update-ref refs/heads/main HEAD",
    ),
    ("grafts", "git rev-parse HEAD >.git/info/grafts; touch .git/shallow"),
    ("gone", "rm -r .git"),
    ("link", "rm -r .git; ln -s \"$REPO/.git\" .git"),
    ("gitfile", "rm -r .git; echo \"gitdir: $REPO/.git\" >.git"),
    (
        "hooks",
        "for hook in pre-commit post-checkout post-index-change; do cp \"$TRAP\" .git/hooks-$hook; git config core.hooksPath .git; done; git config core.fsmonitor \"$TRAP\"",
    ),
    (
        "sparse",
        "git config core.sparseCheckout true; git config core.fileMode false; mkdir -p .git/info; echo /nothing >.git/info/sparse-checkout",
    ),
];

#[test]
fn nothing_that_an_agent_does_to_its_own_repository_changes_the_result() {
    for (name, attack) in ATTACKS {
        let scene = Scene::new();
        let trap = scene.path("trap");
        write_program(&trap, &scene.path("mark"));
        let user = scene.git(&["rev-parse", "main"]);
        let before = scene.checkout();
        let (workspace, start) = scene.workspace();
        write(&workspace.path().join("src/main.rs"), "changed");
        write(&workspace.path().join("bytes.bin"), "changed too");
        write(&workspace.path().join("new"), "new");
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(attack).current_dir(workspace.path()).env_clear();
        shell
            .envs(scene.environment())
            .env("REPO", scene.root())
            .env("TRAP", &trap)
            .output()
            .unwrap();
        let (commit, paths) = workspace.commit(&start, "a round").unwrap();
        let expected = ["bytes.bin", "new", "src/main.rs"].map(PathBuf::from);
        assert_eq!(paths, expected, "{name}");
        assert_eq!(show(&scene, commit.as_str(), "src/main.rs"), "changed", "{name}");
        assert_eq!(
            scene.git(&["log", "--format=%H", commit.as_str()]),
            format!("{commit}\n{start}"),
            "{name}"
        );
        workspace.restore(&start).unwrap();
        assert!(workspace.is_as_at(&start).unwrap(), "{name}");
        assert_eq!(
            (scene.git(&["rev-parse", "main"]), scene.path("mark").exists()),
            (user, false),
            "{name}"
        );
        assert_eq!(scene.checkout(), before, "{name}");
    }
}

#[test]
fn attributes_of_an_agent_run_no_filter_and_convert_nothing() {
    let scene = Scene::new();
    let mark = scene.path("mark");
    let filter = format!("echo ran >>'{}'; echo filtered", mark.display());
    scene.git(&["config", "filter.trap.clean", &filter]);
    scene.git(&["config", "filter.trap.smudge", &filter]);
    let (workspace, start) = scene.workspace();
    for file in [".gitattributes", "src/.gitattributes"] {
        write(&workspace.path().join(file), "* filter=trap text eol=crlf\n");
    }
    write(&workspace.path().join("src/new.rs"), "one\r\ntwo\n");
    let (commit, _) = workspace.commit(&start, "a round").unwrap();
    assert_eq!(show(&scene, commit.as_str(), "src/new.rs"), "one\r\ntwo");
    workspace.restore(&start).unwrap();
    workspace.restore(&commit).unwrap();
    assert_eq!(fs::read_to_string(workspace.path().join("src/new.rs")).unwrap(), "one\r\ntwo\n");
    // Nor do they where the workspace is only looked for, with a file whose time is another.
    write(&workspace.path().join("src/new.rs"), "one\r\ntwo\n");
    let found = Workspace::find(&scene.repository(), workspace.path()).unwrap().unwrap();
    assert_eq!(found.changes_since(&commit).unwrap(), [] as [&Path; 0]);
    assert!(!mark.exists());
    // Where the base names a filter, wherever it does, it is the user's choice.
    for (folder, name) in [("src/deep", "one"), (".", "other")] {
        scene.write(format!("{folder}/.gitattributes"), "*.big filter=trap\n");
        let base = scene.commit("attributes");
        let path = scene.path("state").join(name);
        let workspace = Workspace::open(&scene.repository(), &path, at_commit(&base)).unwrap();
        let file = Path::new(folder).join(format!("{name}.big"));
        write(&path.join(&file), "large");
        assert_eq!(workspace.changes_since(&base).unwrap().len(), 1);
        assert!(mark.exists(), "{folder}");
        fs::remove_file(&mark).unwrap();
    }
}

#[test]
fn files_of_repositories_inside_are_taken_and_nothing_of_theirs_runs() {
    for commits in [false, true] {
        let scene = Scene::new();
        let (workspace, start) = scene.workspace();
        let inside = workspace.path().join("inside");
        fs::create_dir(&inside).unwrap();
        scene.git_in(&inside, &["init", "--quiet", "."]);
        let mark = scene.path("mark");
        let filter = format!("echo ran >>'{}'; cat", mark.display());
        scene.git_in(&inside, &["config", "filter.trap.clean", &filter]);
        write(&inside.join(".gitattributes"), "* filter=trap\n");
        write(&inside.join("deep/file"), "text");
        write(&inside.join("debug.log"), "ignored");
        if commits {
            let commit = ["-c", "filter.trap.clean=cat", "-c", "user.name=x", "-c", "user.email=x"];
            scene.git_in(&inside, &[&commit[..], &["add", "--all"]].concat());
            scene.git_in(&inside, &[&commit[..], &["commit", "--quiet", "-m", "x"]].concat());
        }
        let (commit, paths) = workspace.commit(&start, "a round").unwrap();
        let expected = ["inside/.gitattributes", "inside/deep/file"].map(PathBuf::from);
        assert_eq!(paths, expected, "with commits: {commits}");
        assert_eq!(show(&scene, commit.as_str(), "inside/deep/file"), "text");
        assert!(!mark.exists(), "with commits: {commits}");
    }
}

#[test]
fn a_repository_inside_is_put_aside_and_never_deleted() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    let inside = workspace.path().join("inside");
    fs::create_dir(&inside).unwrap();
    scene.git_in(&inside, &["init", "--quiet", "."]);
    write(&inside.join("file"), "precious");
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap() && !inside.exists());
    assert_eq!(fs::read_to_string(scene.path("state/w.kept-1/file")).unwrap(), "precious");
}

#[test]
fn submodules_stay_at_the_commit_they_are_at() {
    let (scene, library) = (Scene::new(), Scene::new());
    let url = library.root().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "lib"];
    scene.git(&add);
    let start = scene.commit("with a submodule");
    for attack in [
        "rm -r lib",
        "git init -q lib; cd lib; git -c user.name=x -c user.email=x commit -q --allow-empty -m x",
        "rm -r lib; echo file >lib",
        "rm -r lib; ln -s .. lib",
        "echo edited >lib/README.md; echo new >lib/new",
    ] {
        let workspace =
            Workspace::open(&scene.repository(), &scene.path("state/w"), at(&start)).unwrap();
        let mut shell = Command::new("sh");
        shell
            .arg("-c")
            .arg(attack)
            .current_dir(workspace.path())
            .env_clear()
            .envs(scene.environment());
        assert!(shell.status().unwrap().success());
        write(&workspace.path().join("new"), "new");
        assert_eq!(workspace.changes_since(&start).unwrap(), [Path::new("new")], "{attack}");
        workspace.restore(&start).unwrap();
        assert_eq!(
            files_below(&workspace.path().join("lib")),
            files_below(&scene.path("repo/lib")),
            "{attack}"
        );
        assert!(workspace.is_as_at(&start).unwrap(), "{attack}");
        workspace.remove().unwrap();
    }
}

/// Lists the files of a checkout but for git's own, with what they hold.
fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = crate::commands::scene::tree(folder);
    files.retain(|path, _| !path.starts_with(".git") && !path.ends_with(".git"));
    files
}

#[test]
fn files_of_submodules_and_theirs_are_there_and_edits_of_them_are_told() {
    let (scene, library, inner) = (Scene::new(), Scene::new(), Scene::new());
    let add = |to: &Scene, from: &Scene, path: &str| {
        let url = from.root().display().to_string();
        to.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, path]);
        to.commit("with a submodule")
    };
    add(&library, &inner, "deep/inner");
    let before = scene.repository().head().unwrap();
    add(&scene, &library, "lib");
    let update = ["submodule", "--quiet", "update", "--init", "--recursive"];
    scene.git(&[&["-c", "protocol.file.allow=always"], &update[..]].concat());
    let start = scene.repository().head().unwrap();
    let repository = scene.repository();
    assert!(repository.absent_submodules(&start).unwrap().is_empty());
    let workspace = Workspace::open(&repository, &scene.path("state/w"), at(&start)).unwrap();
    let deep = workspace.path().join("lib/deep/inner");
    assert_eq!(files_below(&deep), files_below(&scene.path("repo/lib/deep/inner")));
    assert_eq!(workspace.left_out().unwrap(), LeftOut::default());
    write(&deep.join("README.md"), "edited");
    assert_eq!(workspace.left_out().unwrap().submodules, [Path::new("lib/deep/inner")]);
    workspace.restore(&start).unwrap();
    assert_eq!(workspace.left_out().unwrap(), LeftOut::default());
    // Another commit without it leaves nothing of it.
    workspace.restore(&before).unwrap();
    assert!(!workspace.path().join("lib").exists());
    workspace.restore(&start).unwrap();
    assert_eq!(files_below(&deep), files_below(&scene.path("repo/lib/deep/inner")));
    // What the user does not have is named.
    scene.git(&["submodule", "--quiet", "deinit", "--force", "--all"]);
    fs::remove_dir_all(scene.path("repo/.git/modules")).unwrap();
    assert_eq!(repository.absent_submodules(&start).unwrap(), [Path::new("lib")]);
}

#[test]
fn a_patch_holds_all_that_was_done_and_applying_it_brings_it_back() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    let patch = scene.path("runs/partial.patch");
    fs::create_dir(scene.path("runs")).unwrap();
    assert!(!workspace.save_patch(&start, &patch).unwrap());
    assert!(!patch.exists());
    let at = |name: &[u8]| workspace.path().join(bytes(name));
    for name in ODD {
        write(&at(name), name);
    }
    write(&at(b"bytes.bin"), [0, 1, 2, 255, 0]);
    write(&at(b"new.bin"), [0; 1000]);
    write(&at(b"crlf.txt"), "one\r\ntwo\r\n");
    fs::remove_file(at(b"link")).unwrap();
    symlink("elsewhere", at(b"link")).unwrap();
    write(&at(b"target/ignored"), "ignored");
    let checkout = scene.checkout();
    assert!(workspace.save_patch(&start, &patch).unwrap());
    assert_eq!(fs::read_dir(scene.path("runs")).unwrap().count(), 1);
    assert_eq!(scene.checkout(), checkout);
    let tree = |folder: &Path| {
        scene.git_in(folder, &["add", "--all"]);
        scene.git_in(folder, &["write-tree"])
    };
    let wanted = tree(workspace.path());
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap());
    scene.git_in(workspace.path(), &["apply", patch.to_str().unwrap()]);
    assert_eq!(tree(workspace.path()), wanted);
}

#[test]
fn restore_sets_everything_back_but_what_is_ignored() {
    let scene = Scene::new();
    let before = scene.checkout();
    let (workspace, start) = scene.workspace();
    let at = |name: &str| workspace.path().join(name);
    write(&at("target/built"), "ignored");
    write(&at("debug.log"), "ignored");
    write(&at("secret/key"), "ignored by the agent's own rule");
    write(&at(".gitignore"), "target/\n*.log\nsecret/\n");
    // The rule of a new file goes first, and what it hid comes to light then.
    write(&at("sub/.gitignore"), ".env\n");
    write(&at("sub/.env"), "KEY=1");
    write(&at("new/deep/file"), "new");
    for name in ODD {
        write(&workspace.path().join(bytes(name)), name);
    }
    fs::remove_file(at("link")).unwrap();
    fs::remove_dir_all(at("src")).unwrap();
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap());
    assert_eq!(fs::read_to_string(at("link")).unwrap(), "fn main() {}\n");
    let there = ["target/built", "debug.log", "new", "secret", "sub"].map(|name| at(name).exists());
    assert_eq!(there, [true, true, false, false, false]);
    workspace.mark_set_up().unwrap();
    workspace.restore_bare(&start).unwrap();
    assert!(!at("target").exists() && !workspace.is_set_up());
    assert_eq!(scene.checkout(), before);
}

#[test]
fn line_ends_of_the_users_choice_make_no_edits() {
    for (setting, attributes) in [("true", ""), ("input", ""), ("false", "*.txt text eol=crlf\n")] {
        let scene = Scene::new();
        scene.git(&["config", "core.autocrlf", setting]);
        scene.write(".gitattributes", attributes);
        scene.write("text.txt", "one\ntwo\n");
        scene.commit("text");
        scene.git(&["config", "core.safecrlf", "true"]);
        let before = scene.checkout();
        let (workspace, start) = scene.workspace();
        assert!(workspace.changes_since(&start).unwrap().is_empty(), "{setting}");
        write(&workspace.path().join("mixed.txt"), "one\r\ntwo\n");
        let (commit, paths) = workspace.commit(&start, "mixed").unwrap();
        assert_eq!(paths, [Path::new("mixed.txt")]);
        assert!(workspace.changes_since(&commit).unwrap().is_empty(), "{setting}");
        assert_eq!(scene.checkout(), before);
    }
}
