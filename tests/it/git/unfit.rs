//! What no commit can hold, or should: it is refused by name and kept nowhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use agentd::engine::git::{GitError, Workspace};

use super::scene::{Scene, at, write};

#[test]
fn a_pipe_in_the_place_of_a_file_is_refused_at_once_and_a_link_is_not_followed() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    write(&scene.path("theirs/main.rs"), "secret");
    fs::remove_dir_all(workspace.path().join("src")).unwrap();
    symlink(scene.path("theirs"), workspace.path().join("src")).unwrap();
    let (commit, _) = workspace.commit(&start, "a round").unwrap();
    assert!(scene.git(&["ls-tree", "-r", commit.as_str(), "src"]).starts_with("120000"));
    workspace.restore(&start).unwrap();
    assert_eq!(fs::read_to_string(scene.path("theirs/main.rs")).unwrap(), "secret");
    fs::remove_file(workspace.path().join("bytes.bin")).unwrap();
    let made = Command::new("mkfifo").arg(workspace.path().join("bytes.bin")).status();
    assert!(made.unwrap().success());
    let refused = workspace.commit(&start, "a round").unwrap_err();
    assert!(
        matches!(&refused, GitError::Unfit { files, .. } if files[0].path == Path::new("bytes.bin")),
        "{refused:?}"
    );
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap());
}

#[test]
fn a_file_that_is_too_large_is_refused_by_its_size_and_kept_nowhere() {
    let scene = Scene::new();
    let start = scene.repository().head().unwrap();
    let repository = scene.repository().with_largest_file(1000);
    let workspace = Workspace::open(&repository, &scene.path("state/w"), at(&start)).unwrap();
    write(&workspace.path().join("fits"), [0; 1000]);
    write(&workspace.path().join("src/main.rs"), [0; 1001]);
    // Nobody reads it.
    let large = fs::File::create(workspace.path().join("large")).unwrap();
    large.set_len(1 << 40).unwrap();
    let refused = workspace.take(&start).unwrap_err();
    let GitError::Unfit { files, .. } = &refused else { panic!("{refused:?}") };
    let named: Vec<_> = files.iter().map(ToString::to_string).collect();
    assert_eq!(
        named,
        [
            "`large`: it has 1099511627776 bytes, more than 1000",
            "`src/main.rs`: it has 1001 bytes, more than 1000"
        ]
    );
    assert!(refused.help().unwrap().contains("max_file"));
    let patch = scene.path("patch");
    assert!(workspace.save_patch(&start, &patch).unwrap());
    let kept = fs::read_to_string(patch).unwrap();
    assert!(kept.contains("fits") && !kept.contains("large") && !kept.contains("main.rs"));
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap());
}

#[test]
fn rules_that_are_too_large_are_never_read() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    for name in [".gitignore", "sub/.gitignore", ".gitmodules"] {
        let path = workspace.path().join(name);
        write(&path, "");
        fs::File::create(&path).unwrap().set_len(11 << 20).unwrap();
        let refused = workspace.take(&start).unwrap_err();
        let GitError::Unfit { files, .. } = &refused else { panic!("{refused:?}") };
        assert_eq!(files[0].path, Path::new(name));
        assert!(!workspace.is_as_at(&start).unwrap());
        assert_eq!(workspace.changes_since(&start).unwrap(), [Path::new(name)]);
        workspace.restore(&start).unwrap();
        assert!(workspace.is_as_at(&start).unwrap());
    }
}
