//! Whatever an agent puts in the place of files that git reads or writes: git waits for nothing, nothing outside changes, and the
//! workspace is set back.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use agentd::engine::git::{At, Branch, Commit, GitError, Owner, Repository, Workspace};

use super::scene::{BRANCH, Scene, at, write};
use crate::support::make_special;

/// How long all that is done to one workspace may take. It takes less than a second.
const PATIENCE: Duration = Duration::from_mins(1);

/// Names that mean something to git or to agentd, and some that mean nothing.
const NAMES: [&str; 18] = [
    "bytes.bin",
    "new",
    "target",
    ".gitignore",
    ".gitattributes",
    ".gitmodules",
    "src/.gitignore",
    "sub/.gitignore",
    ".git",
    ".git/HEAD",
    "sub/.git",
    "sub/.git/HEAD",
    "sub/.git/commondir",
    "lib",
    "lib/.gitignore",
    "lib/.git",
    "lib/.git/HEAD",
    "lib/.git/config",
];

/// Makes something at a path, in place of what is there. Returns whether it could be made.
fn put(kind: &str, scene: &Scene, root: &Path, name: &str) -> bool {
    let path = root.join(name);
    for folder in ["sub/.git", "lib/.git"].iter().filter(|it| Path::new(name).starts_with(it)) {
        for inner in ["objects", "refs/heads"] {
            fs::create_dir_all(root.join(folder).join(inner)).unwrap();
        }
        write(&root.join(folder).join("HEAD"), "ref: refs/heads/main\n");
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let removed = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    assert!(removed.is_ok() || fs::symlink_metadata(&path).is_err(), "{name}");
    match kind {
        "link out" => symlink(scene.path("theirs"), &path).is_ok(),
        "link to the user's" => symlink(scene.root(), &path).is_ok(),
        "link to a file" => symlink(scene.root().join(".git/config"), &path).is_ok(),
        "folder" => {
            write(&path.join("inner"), "text");
            true
        }
        "sparse" => fs::File::create(&path).unwrap().set_len(1 << 30).is_ok(),
        "garbage" => fs::write(&path, [b'[', 0, 255, b'\n']).is_ok(),
        special => make_special(special, &path),
    }
}

/// Does all that a run does with the workspace of an attempt.
fn go_on(
    repository: &Repository,
    path: &Path,
    start: &Commit,
    patch: &Path,
) -> Result<(), GitError> {
    let branch = Some(Branch { name: BRANCH, owner: Owner::Anybody });
    let at = At { commit: start, branch, attributes: start };
    let workspace = Workspace::open(repository, path, at)?;
    match workspace.take(start) {
        Err(GitError::Unfit { files, .. }) => assert!(!files.is_empty()),
        taken => drop(taken?),
    }
    workspace.left_out()?;
    workspace.changes_since(start)?;
    if !workspace.is_as_at(start)? {
        workspace.save_patch(start, patch)?;
        workspace.restore(start)?;
    }
    assert!(workspace.is_as_at(start)?, "it is set back");
    workspace.restore_bare(start)
}

fn holds_for(kind: &'static str) {
    let (scene, library) = (Scene::new(), Scene::new());
    let url = library.root().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "lib"];
    scene.git(&add);
    let start = scene.commit("with a submodule");
    write(&scene.path("theirs/inner"), "theirs");
    for name in NAMES {
        let workspace =
            Workspace::open(&scene.repository(), &scene.path("state/w"), at(&start)).unwrap();
        if !put(kind, &scene, workspace.path(), name) {
            // A device needs rights.
            continue;
        }
        let before = scene.checkout();
        let (done, is_done) = channel();
        let (path, patch) = (workspace.path().to_owned(), scene.path("patch"));
        let (repository, start) = (scene.repository(), start.clone());
        let work = thread::spawn(move || {
            let result = go_on(&repository, &path, &start, &patch);
            done.send(()).unwrap();
            result
        });
        is_done.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{kind} at {name}: {error}"));
        work.join().unwrap().unwrap_or_else(|error| panic!("{kind} at {name}: {error}"));
        assert!(scene.checkout() == before, "{kind} at {name}");
        assert_eq!(fs::read_to_string(scene.path("theirs/inner")).unwrap(), "theirs", "{name}");
        assert_eq!(fs::read_dir(scene.path("theirs")).unwrap().count(), 1, "{kind} at {name}");
        workspace.remove().unwrap();
    }
}

#[test]
fn nobody_waits_for_a_pipe_wherever_it_is() {
    holds_for("pipe");
}

#[test]
fn a_socket_is_in_nobody_s_way_wherever_it_is() {
    holds_for("socket");
}

#[test]
fn a_device_is_in_nobody_s_way_wherever_it_is() {
    holds_for("device");
}

#[test]
fn a_link_leads_nowhere_wherever_it_is() {
    for kind in ["link out", "link to the user's", "link to a file"] {
        holds_for(kind);
    }
}

#[test]
fn a_folder_is_in_nobody_s_way_wherever_it_is() {
    holds_for("folder");
}

#[test]
fn a_file_of_a_gigabyte_is_in_nobody_s_way_wherever_it_is() {
    holds_for("sparse");
}

#[test]
fn a_file_that_makes_no_sense_is_in_nobody_s_way_wherever_it_is() {
    holds_for("garbage");
}
