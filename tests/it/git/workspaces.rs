//! Making, opening and removing workspaces, whatever a crash or somebody else left in their place.

use std::fs;
use std::os::unix::fs::symlink;
use std::thread;
use std::time::Duration;

use agentd::engine::git::{At, Branch, Commit, GitError, Owner, Repository, Workspace};

use super::scene::{BRANCH, Scene, at, own_state, write};

fn open(scene: &Scene, commit: &Commit) -> Result<Workspace, GitError> {
    Workspace::open(&scene.repository(), &scene.path("state/w"), at(commit))
}

#[test]
fn a_workspace_is_made_outside_of_the_checkout_which_stays_as_it_was() {
    let scene = Scene::new();
    scene.write("src/main.rs", "edited, not committed");
    let before = scene.checkout();
    let (workspace, start) = scene.workspace();
    assert_eq!(workspace.path(), scene.path("state/w"));
    assert_eq!(fs::read_to_string(workspace.path().join("link")).unwrap(), "fn main() {}\n");
    assert!(workspace.is_as_at(&start).unwrap());
    assert_eq!(scene.checkout(), before);
    assert_eq!(scene.git(&["worktree", "list"]).lines().count(), 1, "git knows of no worktree");
    assert!(!scene.git(&["config", "--list"]).contains("branch."), "no tracking is set up");
}

#[test]
fn an_agent_finds_a_repository_of_its_own_with_the_history_and_without_a_remote() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    let git = |arguments: &[&str]| scene.git_in(workspace.path(), arguments);
    assert_eq!(git(&["symbolic-ref", "--short", "HEAD"]), BRANCH);
    assert_eq!(
        (git(&["rev-parse", "HEAD"]), git(&["status", "--porcelain"])),
        (start.to_string(), String::new())
    );
    assert_eq!(
        (git(&["log", "--format=%s"]), git(&["remote"])),
        ("start".to_owned(), String::new())
    );
    write(&workspace.path().join("new"), "new");
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "-m", "by the agent"]);
    assert_eq!(git(&["log", "-1", "--format=%an <%ae>"]), "Ada <ada@example.com>");
    assert_eq!(scene.git(&["rev-parse", BRANCH]), start.as_str(), "its commits stay where it is");
    workspace.restore(&start).unwrap();
    assert_eq!(git(&["log", "--format=%s"]), "start");
}

#[test]
fn an_agent_finds_the_tags_of_the_repository_however_they_are_kept() {
    let scene = Scene::new();
    scene.git(&["tag", "v1.0"]);
    scene.git(&["tag", "--annotate", "--message", "two", "v2.0"]);
    scene.git(&["tag", "--annotate", "--message", "of a tag", "z", "v2.0"]);
    scene.git(&["pack-refs", "--all"]);
    scene.write("more", "more");
    let head = scene.commit("more");
    scene.git(&["tag", "a/loose"]);
    let (workspace, start) = scene.workspace();
    assert_eq!(head, start);
    let git = |arguments: &[&str]| scene.git_in(workspace.path(), arguments);
    let shown = ["for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", "refs/tags"];
    assert_eq!(git(&shown), scene.git(&shown));
    assert_eq!(git(&["describe", "--tags"]), "a/loose");
    assert_eq!(git(&["describe", "--match", "v*"]), scene.git(&["describe", "--match", "v*"]));
    // What the agent makes of them is its own.
    git(&["tag", "--delete", "v1.0"]);
    git(&["tag", "mine"]);
    workspace.give_git(&start).unwrap();
    assert_eq!(git(&["tag", "--list"]), scene.git(&["tag", "--list"]));
}

#[test]
fn a_workspace_inside_of_the_repository_is_refused() {
    let scene = Scene::new();
    let repository = scene.repository();
    let head = repository.head().unwrap();
    symlink(scene.root(), scene.path("other-way")).unwrap();
    for inside in ["repo/w", "repo/.git/w", "other-way/new/w", "repo"] {
        let made = Workspace::open(&repository, &scene.path(inside), at(&head));
        assert!(matches!(made, Err(GitError::Inside { .. })), "{inside}: {made:?}");
    }
    assert!(!scene.root().join("new").exists());
}

#[test]
fn twenty_workspaces_at_once_are_all_made_and_their_results_taken() {
    let scene = Scene::new();
    let before = scene.checkout();
    let repository = scene.repository();
    let head = repository.head().unwrap();
    let make = |number: usize| {
        let name = format!("agentd/change-{number}");
        let path = scene.path("state").join(format!("w{number}"));
        let branch = Some(Branch { name: &name, owner: Owner::Anybody });
        let at = At { commit: &head, branch, attributes: &head };
        let workspace = Workspace::open(&repository, &path, at)?;
        write(&path.join("new"), &name);
        workspace.commit(&head, &name)
    };
    let made: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|number| scope.spawn(move || make(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (number, made) in made.into_iter().enumerate() {
        let (commit, _) = made.unwrap();
        assert_eq!(scene.git(&["rev-parse", &format!("agentd/change-{number}")]), commit.as_str());
    }
    assert_eq!(scene.checkout(), before);
}

#[test]
fn a_workspace_that_is_there_is_opened_with_its_edits_and_without_locks_of_a_crash() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "unfinished");
    let (ahead, _) = workspace.commit(&start, "a round").unwrap();
    write(&workspace.path().join("newer"), "unfinished");
    drop(workspace);
    for left in ["index.lock", "index.taken.lock"] {
        write(&own_state(&scene, "w").join(left), "");
    }
    write(&scene.root().join(format!(".git/refs/heads/{BRANCH}.lock")), "");
    let opened = open(&scene, &start).unwrap();
    assert_eq!(
        opened.head().unwrap(),
        Some(ahead.clone()),
        "where it went on to is for the caller to judge"
    );
    assert_eq!(opened.changes_since(&ahead).unwrap().len(), 1);
    assert_eq!(opened.put_aside(), None);
    assert_eq!(opened.commit(&ahead, "another").unwrap().1.len(), 1);
}

#[test]
fn a_branch_that_somebody_else_made_is_never_touched() {
    let scene = Scene::new();
    let start = scene.repository().head().unwrap();
    scene.write("more", "more");
    let other = scene.commit("more");
    scene.git(&["branch", BRANCH]);
    let refused = open(&scene, &start).unwrap_err();
    assert!(
        matches!(&refused, GitError::BranchMoved { found, .. } if *found == other),
        "{refused:?}"
    );
    assert!(refused.help().unwrap().contains(BRANCH));
    assert_eq!(scene.git(&["rev-parse", BRANCH]), other.as_str());
    assert!(!scene.path("state/w").exists());
}

#[test]
fn a_branch_that_is_moved_meanwhile_takes_no_results() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    scene.write("more", "more");
    let other = scene.commit("more");
    scene.git(&["branch", "--force", BRANCH, other.as_str()]);
    write(&workspace.path().join("new"), "new");
    let refused = workspace.commit(&start, "a round").unwrap_err();
    assert!(
        matches!(&refused, GitError::BranchMoved { found, .. } if *found == other),
        "{refused:?}"
    );
    // A branch that was deleted is made again, also where that happened while an agent worked.
    scene.git(&["branch", "--quiet", "-D", BRANCH]);
    let again = open(&scene, &start).unwrap();
    scene.git(&["branch", "--quiet", "-D", BRANCH]);
    let (made, _) = again.commit(&start, "a round").unwrap();
    assert_eq!(scene.git(&["rev-parse", BRANCH]), made.as_str());
}

#[test]
fn a_branch_that_is_checked_out_is_never_moved() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "new");
    scene.git(&["checkout", "--quiet", BRANCH]);
    let refused = workspace.commit(&start, "a round").unwrap_err();
    let is_at = |error: &GitError, place: &std::path::Path| matches!(error, GitError::BranchInUse { path, .. } if path == place);
    assert!(is_at(&refused, &scene.root()), "{refused:?}");
    scene.git(&["checkout", "--quiet", "main"]);
    scene.git(&["worktree", "add", "--quiet", "../elsewhere", BRANCH]);
    let refused = workspace.commit(&start, "a round").unwrap_err();
    assert!(is_at(&refused, &scene.path("elsewhere")), "{refused:?}");
    scene.git(&["worktree", "remove", "../elsewhere"]);
    assert!(workspace.commit(&start, "a round").is_ok());
}

#[test]
fn a_branch_is_held_and_moved_where_refs_are_no_files() {
    let scene = Scene::empty();
    fs::remove_dir_all(scene.root().join(".git")).unwrap();
    let mut init = scene.user_git(&scene.root());
    init.args(["init", "--quiet", "--initial-branch=main", "--ref-format=reftable", "."]);
    if !init.output().unwrap().status.success() {
        // Git before 2.45 knows no other format.
        return;
    }
    scene.git(&["config", "user.name", "Ada"]);
    scene.git(&["config", "user.email", "ada@example.com"]);
    scene.write("file", "text");
    scene.commit("start");
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "new");
    scene.git(&["checkout", "--quiet", BRANCH]);
    let refused = workspace.commit(&start, "a round").unwrap_err();
    assert!(matches!(refused, GitError::BranchInUse { .. }), "{refused:?}");
    scene.git(&["checkout", "--quiet", "main"]);
    let (commit, _) = workspace.commit(&start, "a round").unwrap();
    assert_eq!(scene.git(&["rev-parse", BRANCH]), commit.as_str());
}

#[test]
fn a_workspace_whose_folder_is_gone_emptied_or_replaced_is_made_anew_and_nothing_is_followed() {
    let scene = Scene::new();
    let theirs = scene.path("theirs");
    for replaced in ["gone", "emptied", "link", "file"] {
        let (workspace, start) = scene.workspace();
        workspace.mark_set_up().unwrap();
        fs::remove_dir_all(workspace.path()).unwrap();
        write(&theirs.join("precious"), "precious");
        match replaced {
            "emptied" => fs::create_dir(workspace.path()).unwrap(),
            "link" => symlink(&theirs, workspace.path()).unwrap(),
            "file" => fs::write(workspace.path(), "file").unwrap(),
            _ => {}
        }
        let again = open(&scene, &start).unwrap();
        assert!(again.is_as_at(&start).unwrap() && !again.is_set_up(), "{replaced}");
        assert_eq!(fs::read_dir(&theirs).unwrap().count(), 1, "{replaced}");
        again.remove().unwrap();
    }
}

#[test]
fn what_takes_the_place_of_a_workspace_while_an_agent_works_is_neither_taken_nor_changed() {
    let scene = Scene::new();
    scene.write("notes.txt", "precious, and not committed");
    scene.write("src/main.rs", "edited, and not committed");
    let before = scene.checkout();
    let (workspace, start) = scene.workspace();
    let (folder, patch) = (workspace.path(), scene.path("patch"));
    write(&scene.path("theirs/w/precious"), "precious");
    for replaced in ["gone", "link", "link above"] {
        match replaced {
            "link" => symlink(scene.root(), folder).unwrap(),
            "link above" => {
                fs::rename(scene.path("state"), scene.path("moved")).unwrap();
                symlink(scene.path("theirs"), scene.path("state")).unwrap();
            }
            _ => fs::remove_dir_all(folder).unwrap(),
        }
        let refused = [
            workspace.changes_since(&start).map(drop),
            workspace.commit(&start, "a round").map(drop),
            workspace.save_patch(&start, &patch).map(drop),
            workspace.is_as_at(&start).map(drop),
            workspace.restore(&start),
            workspace.restore_bare(&start),
        ];
        for result in refused {
            let is_refused =
                matches!(&result, Err(GitError::NoWorkspace { path, .. }) if path == folder);
            assert!(is_refused, "{replaced}: {result:?}");
        }
        assert_eq!(scene.checkout(), before, "{replaced}");
    }
    assert_eq!(fs::read_to_string(scene.path("theirs/w/precious")).unwrap(), "precious");
    assert!(!patch.exists());
    fs::remove_file(scene.path("state")).unwrap();
    assert!(open(&scene, &start).unwrap().is_as_at(&start).unwrap(), "it is made anew");
    assert_eq!(scene.checkout(), before);
}

#[test]
fn a_folder_that_agentd_did_not_make_is_put_aside_and_never_deleted() {
    let scene = Scene::new();
    write(&scene.path("state/w/work"), "precious");
    let (workspace, start) = scene.workspace();
    assert!(workspace.is_as_at(&start).unwrap());
    let kept = workspace.put_aside().unwrap();
    assert_eq!(kept, scene.path("state/w.kept-1"));
    assert_eq!(fs::read_to_string(kept.join("work")).unwrap(), "precious");
}

#[test]
fn a_checkout_that_was_cut_off_at_any_point_is_made_anew() {
    let scene = Scene::new();
    for removed in [&["commit"][..], &["commit", "index"], &["commit", "index", "folder"]] {
        let (workspace, start) = scene.workspace();
        fs::remove_file(workspace.path().join("src/main.rs")).unwrap();
        for file in removed {
            fs::remove_file(own_state(&scene, "w").join(file)).unwrap();
        }
        let again = open(&scene, &start).unwrap();
        assert!(again.is_as_at(&start).unwrap(), "without {removed:?}");
    }
}

#[test]
fn a_workspace_is_removed_with_all_that_is_in_it_and_its_branch_stays() {
    let scene = Scene::new();
    let before = scene.checkout();
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("new"), "new");
    write(&workspace.path().join("target/built"), "ignored");
    let (commit, _) = workspace.commit(&start, "a round").unwrap();
    workspace.remove().unwrap();
    assert!(!scene.path("state/w").exists() && !own_state(&scene, "w").exists());
    assert_eq!(scene.git(&["rev-parse", BRANCH]), commit.as_str());
    assert_eq!(scene.checkout(), before);
}

#[test]
fn workspaces_are_made_from_a_linked_worktree_of_the_user_too() {
    let scene = Scene::new();
    scene.git(&["worktree", "add", "--quiet", "-b", "side", "../linked"]);
    let git = agentd::engine::git::Git::new(scene.environment());
    let linked = Repository::find(&scene.path("linked"), &git).unwrap();
    let head = linked.head().unwrap();
    let inside = Workspace::open(&linked, &scene.path("linked/w"), at(&head));
    assert!(matches!(inside, Err(GitError::Inside { .. })));
    let workspace = Workspace::open(&linked, &scene.path("state/w"), at(&head)).unwrap();
    write(&workspace.path().join("new"), "new");
    assert_eq!(workspace.commit(&head, "new").unwrap().1.len(), 1);
}

#[test]
fn repositories_with_long_hashes_and_without_their_whole_history_have_workspaces_too() {
    let scene = Scene::new();
    scene.write("more", "more");
    scene.commit("more");
    let url = format!("file://{}", scene.root().display());
    scene.git_in(&scene.path("."), &["clone", "--quiet", "--depth", "1", &url, "shallow"]);
    scene.git_in(&scene.path("."), &["init", "--quiet", "--object-format=sha256", "long"]);
    write(&scene.path("long/file"), "text");
    scene.git_in(&scene.path("long"), &["add", "--all"]);
    let commit = ["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "start"];
    scene.git_in(&scene.path("long"), &commit);
    for name in ["shallow", "long"] {
        let git = agentd::engine::git::Git::new(scene.environment());
        let repository = Repository::find(&scene.path(name), &git).unwrap();
        let head = repository.head().unwrap();
        let path = scene.path("state").join(name);
        let workspace = Workspace::open(&repository, &path, at(&head)).unwrap();
        assert_eq!(scene.git_in(&path, &["log", "--format=%H"]), head.as_str(), "{name}");
        write(&path.join("new"), "new");
        let (made, paths) = workspace.commit(&head, "a round").unwrap();
        assert_eq!((paths.len(), made.as_str().len()), (1, head.as_str().len()), "{name}");
    }
}

#[test]
fn a_file_that_is_changed_to_as_many_bytes_is_seen_whenever_its_workspace_was_looked_at() {
    let scene = Scene::new();
    let (workspace, start) = scene.workspace();
    let index = own_state(&scene, "w").join("index");
    let dated = || index.metadata().unwrap().modified().unwrap();
    let (made, file) = (dated(), workspace.path().join("src/main.rs"));
    let written = file.metadata().unwrap().modified().unwrap();
    for wait in [0, 1200] {
        thread::sleep(Duration::from_millis(wait));
        assert!(workspace.is_as_at(&start).unwrap());
        // Its time can be set back, but not that of its change.
        write(&file, "fn MAIN() {}\n");
        fs::File::options().write(true).open(&file).unwrap().set_modified(written).unwrap();
        assert!(!workspace.is_as_at(&start).unwrap(), "after {wait} ms");
        write(&file, "fn main() {}\n");
    }
    assert!(workspace.is_as_at(&start).unwrap());
    assert!(dated() > made, "what was read once need not be read again");
}
