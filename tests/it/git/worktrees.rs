//! Making, opening, mending and removing worktrees.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use agentd::engine::git::{At, Commit, GitError, Repository, Worktree};
use rustix::process::{Pid, Signal, kill_process_group};

use super::scene::{BRANCH, Scene, write};

fn create(scene: &Scene, from: &Commit) -> Result<Worktree, GitError> {
    Worktree::create(&scene.repository(), &scene.path("state/w"), At::Branch { name: BRANCH, from })
}

#[test]
fn a_worktree_is_made_on_its_branch_outside_of_the_checkout_which_stays_as_it_was() {
    let scene = Scene::new();
    scene.write("src/main.rs", "edited, not committed");
    let before = scene.checkout();
    let worktree = scene.worktree();
    assert_eq!(worktree.path(), scene.path("state/w"));
    assert_eq!(fs::read_to_string(worktree.path().join("link")).unwrap(), "fn main() {}\n");
    assert_eq!(worktree.status().unwrap(), []);
    assert_eq!(scene.git_in(worktree.path(), &["symbolic-ref", "--short", "HEAD"]), BRANCH);
    assert_eq!(worktree.head().unwrap(), scene.repository().head().unwrap());
    assert_eq!(scene.checkout(), before);
    assert!(!scene.git(&["config", "--list"]).contains("branch."), "no tracking is set up");
}

#[test]
fn a_worktree_inside_of_the_repository_is_refused() {
    let scene = Scene::new();
    let repository = scene.repository();
    let head = repository.head().unwrap();
    std::os::unix::fs::symlink(scene.root(), scene.path("other-way")).unwrap();
    for inside in ["repo/w", "repo/.git/w", "other-way/new/w", "repo"] {
        let made = Worktree::create(&repository, &scene.path(inside), At::Detached(&head));
        assert!(matches!(made, Err(GitError::Inside { .. })), "{inside}: {made:?}");
    }
    assert!(!scene.root().join("new").exists());
}

#[test]
fn twenty_worktrees_at_once_are_all_made_and_filled() {
    let scene = Scene::new();
    scene.write(".gitattributes", "*.rs filter=log\n");
    scene.commit("attributes");
    // Git runs this while it fills a worktree.
    let log = scene.path("log");
    let filter = format!("sleep 0.01; cat; echo filled >>'{}'", log.display());
    scene.git(&["config", "filter.log.smudge", &filter]);
    let before = scene.checkout();
    let repository = scene.repository();
    let head = repository.head().unwrap();
    let make = |number: usize| {
        let name = format!("agentd/change-{number}");
        let path = scene.path("state").join(format!("{number}/w"));
        let at = At::Branch { name: &name, from: &head };
        let worktree = Worktree::create(&repository, &path, at)?;
        write(&path.join("new"), &name);
        worktree.commit_all(&name)
    };
    let made: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..20).map(|number| scope.spawn(move || make(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (number, commit) in made.into_iter().enumerate() {
        let commit = commit.unwrap().unwrap();
        assert_eq!(scene.git(&["rev-parse", &format!("agentd/change-{number}")]), commit.as_str());
    }
    let list = scene.git(&["worktree", "list"]);
    assert_eq!((list.lines().count(), list.matches("locked").count()), (21, 0), "{list}");
    assert_eq!(fs::read_to_string(&log).unwrap(), "filled\n".repeat(20));
    assert_eq!(scene.checkout(), before);
}

#[test]
fn a_worktree_that_is_there_is_opened_with_its_edits_and_without_locks_of_a_crash() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    write(&worktree.path().join("new"), "unfinished");
    let ahead = worktree.commit_all("a round").unwrap().unwrap();
    write(&worktree.path().join("newer"), "unfinished");
    drop(worktree);
    let own = scene.root().join(".git/worktrees/w");
    for left in ["index.lock", "HEAD.lock"] {
        fs::write(own.join(left), "").unwrap();
    }
    fs::write(scene.root().join(format!(".git/refs/heads/{BRANCH}.lock")), "").unwrap();
    fs::remove_file(scene.path("state/w/.git")).unwrap();

    let opened = create(&scene, &start).unwrap();
    assert_eq!(opened.head().unwrap(), ahead, "where it went on to is for the caller to judge");
    assert_eq!(opened.status().unwrap().len(), 1);
    assert_eq!(opened.put_aside(), None);
    assert!(opened.commit_all("another").unwrap().is_some());
    assert_eq!(scene.git_in(opened.path(), &["status", "--porcelain"]), "", "its link is mended");
}

#[test]
fn a_branch_that_somebody_else_made_or_moved_is_never_touched() {
    let scene = Scene::new();
    let start = scene.repository().head().unwrap();
    scene.write("more", "more");
    let other = scene.commit("more");
    scene.git(&["branch", BRANCH]);
    let refused = create(&scene, &start).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains(BRANCH) && text.contains(start.as_str()), "{text}");
    assert!(
        matches!(&refused, GitError::BranchMoved { found, .. } if *found == other),
        "{refused:?}"
    );
    assert!(refused.help().unwrap().contains(BRANCH));
    assert_eq!(scene.git(&["rev-parse", BRANCH]), other.as_str());
    assert!(!scene.path("state/w").exists());

    // Even in a worktree of ours it must have gone on from where it was left.
    scene.git(&["branch", "--force", BRANCH, start.as_str()]);
    let worktree = create(&scene, &start).unwrap();
    scene.git_in(worktree.path(), &["commit", "--quiet", "--amend", "-m", "rewritten"]);
    assert!(matches!(create(&scene, &other), Err(GitError::BranchMoved { .. })));
}

#[test]
fn a_branch_that_is_checked_out_elsewhere_is_an_error_that_says_where() {
    let scene = Scene::new();
    let start = scene.repository().head().unwrap();
    scene.git(&["checkout", "--quiet", "-b", BRANCH]);
    let refused = create(&scene, &start).unwrap_err();
    assert!(
        matches!(&refused, GitError::BranchInUse { path, .. } if *path == scene.root()),
        "{refused:?}"
    );
    scene.git(&["checkout", "--quiet", "main"]);
    scene.git(&["worktree", "add", "--quiet", "../elsewhere", BRANCH]);
    let refused = create(&scene, &start).unwrap_err();
    let elsewhere = scene.path("elsewhere");
    assert!(
        matches!(&refused, GitError::BranchInUse { path, .. } if *path == elsewhere),
        "{refused:?}"
    );
    fs::remove_dir_all(elsewhere).unwrap();
    assert!(create(&scene, &start).is_ok(), "a folder that is gone does not hold the branch");
}

#[test]
fn a_worktree_whose_folder_is_gone_or_emptied_is_made_anew_where_its_branch_is() {
    for emptied in [false, true] {
        let scene = Scene::new();
        let worktree = scene.worktree();
        let start = worktree.head().unwrap();
        write(&worktree.path().join("new"), "new");
        let ahead = worktree.commit_all("a round").unwrap().unwrap();
        fs::remove_dir_all(worktree.path()).unwrap();
        if emptied {
            fs::create_dir(worktree.path()).unwrap();
        }
        let again = create(&scene, &start).unwrap();
        assert_eq!(again.head().unwrap(), ahead);
        assert_eq!((again.status().unwrap(), again.put_aside()), (vec![], None));
        assert_eq!(scene.git(&["worktree", "list"]).lines().count(), 2);
    }
}

#[test]
fn a_folder_that_no_repository_knows_is_put_aside_and_never_deleted() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    write(&worktree.path().join("work"), "precious");
    fs::remove_dir_all(scene.root().join(".git/worktrees")).unwrap();
    let again = create(&scene, &start).unwrap();
    assert_eq!(again.status().unwrap(), []);
    let kept = again.put_aside().unwrap();
    assert_eq!(kept, scene.path("state/w.kept-1"));
    assert_eq!(fs::read_to_string(kept.join("work")).unwrap(), "precious");
}

#[test]
fn what_a_killed_git_left_half_made_is_made_anew() {
    let scene = Scene::new();
    scene.write("slow.txt", "slow");
    scene.write(".gitattributes", "slow.txt filter=slow\n");
    let start = scene.commit("slow");
    let (wait, reached) = (scene.path("wait"), scene.path("reached"));
    fs::write(&wait, "").unwrap();
    let filter = format!(
        "touch '{}'; while [ -e '{}' ]; do sleep 0.01; done; cat",
        reached.display(),
        wait.display()
    );
    scene.git(&["config", "filter.slow.smudge", &filter]);
    let mut making = scene.user_git(&scene.root());
    making.args(["worktree", "add", "--no-track", "-b", BRANCH]).arg(scene.path("state/w"));
    making.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut making = making.spawn().unwrap();
    let limit = Instant::now() + Duration::from_secs(30);
    while !reached.exists() {
        assert!(Instant::now() < limit, "git never came to the checkout");
        thread::sleep(Duration::from_millis(5));
    }
    let group = Pid::from_child(&making);
    kill_process_group(group, Signal::KILL).unwrap();
    making.wait().unwrap();
    assert!(scene.root().join(".git/worktrees/w/locked").exists(), "it is half-made");
    fs::remove_file(&wait).unwrap();

    let worktree = create(&scene, &start).unwrap();
    assert_eq!((worktree.status().unwrap(), worktree.put_aside()), (vec![], None));
    assert_eq!(fs::read_to_string(worktree.path().join("slow.txt")).unwrap(), "slow");
    assert_eq!(scene.git(&["worktree", "list"]).lines().count(), 2);
}

#[test]
fn a_half_made_worktree_in_every_state_of_its_making_is_made_anew() {
    // What git writes, in its order; a crash may come before any of them.
    let files = ["gitdir", "HEAD", "commondir", "index"];
    for missing in 0..files.len() {
        let scene = Scene::new();
        let worktree = scene.worktree();
        let start = worktree.head().unwrap();
        drop(worktree);
        let own = scene.root().join(".git/worktrees/w");
        fs::write(own.join("locked"), "initializing\n").unwrap();
        for file in &files[missing..] {
            fs::remove_file(own.join(file)).unwrap();
        }
        fs::remove_dir_all(scene.path("state/w")).unwrap();
        let again = create(&scene, &start);
        let again = again.unwrap_or_else(|error| panic!("without {}: {error}", files[missing]));
        assert_eq!(again.status().unwrap(), [], "without {}", files[missing]);
    }
}

#[test]
fn a_clean_worktree_is_removed_with_its_ignored_files_and_its_branch_stays() {
    let scene = Scene::new();
    let before = scene.checkout();
    let worktree = scene.worktree();
    write(&worktree.path().join("new"), "new");
    write(&worktree.path().join("target/built"), "ignored");
    let commit = worktree.commit_all("a round").unwrap().unwrap();
    worktree.remove().unwrap();
    assert!(!scene.path("state/w").exists());
    assert_eq!(scene.git(&["worktree", "list"]).lines().count(), 1);
    assert_eq!(scene.git(&["rev-parse", BRANCH]), commit.as_str());
    assert_eq!(scene.checkout(), before);
}

#[test]
fn a_worktree_with_edits_is_kept() {
    for (file, text) in [("src/main.rs", "edited"), ("new", "untracked")] {
        let scene = Scene::new();
        let worktree = scene.worktree();
        write(&worktree.path().join(file), text);
        let refused = worktree.remove().unwrap_err();
        assert!(
            matches!(&refused, GitError::Dirty { files, .. } if *files == [Path::new(file)]),
            "{refused:?}"
        );
        assert_eq!(fs::read_to_string(scene.path("state/w").join(file)).unwrap(), text);
    }
}

#[test]
fn a_worktree_with_commits_on_no_branch_is_kept() {
    let scene = Scene::new();
    let repository = scene.repository();
    let start = repository.head().unwrap();
    let path = scene.path("state/review");
    let make = || Worktree::create(&repository, &path, At::Detached(&start)).unwrap();
    let worktree = make();
    write(&path.join("new"), "new");
    let commit = worktree.commit_all("alone").unwrap().unwrap();
    let refused = worktree.remove().unwrap_err();
    assert!(
        matches!(&refused, GitError::OnNoBranch { commit: lost, .. } if *lost == commit),
        "{refused:?}"
    );
    assert!(path.join("new").exists());
    // Whoever throws it away says so.
    let worktree = make();
    worktree.restore(&start).unwrap();
    worktree.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_submodule_that_is_not_there_does_no_harm_and_one_that_is_there_is_kept() {
    let (scene, library) = (Scene::new(), Scene::new());
    let url = library.root().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "lib"];
    scene.git(&add);
    let start = scene.commit("with a submodule");
    let worktree = create(&scene, &start).unwrap();
    assert_eq!(worktree.status().unwrap(), []);
    write(&worktree.path().join("new"), "new");
    let commit = worktree.commit_all("beside it").unwrap().unwrap();
    let stat = scene.repository().stat(&start, &commit).unwrap();
    assert_eq!((stat.files, stat.insertions), (1, 1));
    worktree.restore(&start).unwrap();
    worktree.remove().unwrap();

    let worktree = create(&scene, &start).unwrap();
    let update = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"];
    scene.git_in(worktree.path(), &update);
    let refused = worktree.remove().unwrap_err();
    assert!(
        matches!(&refused, GitError::Nested { path, .. } if path.ends_with("lib")),
        "{refused:?}"
    );
    assert!(scene.path("state/w/lib/link").symlink_metadata().is_ok());
}

#[test]
fn a_worktree_whose_link_was_deleted_never_leads_to_the_repository_around_it() {
    let scene = Scene::new();
    // The home folder is a repository itself, as some people have it.
    let around = scene.path(".");
    scene.git_in(&around, &["init", "--quiet", "--initial-branch=main", "."]);
    write(&around.join("precious"), "not committed");
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    fs::remove_file(worktree.path().join(".git")).unwrap();
    write(&worktree.path().join("new"), "new");
    assert_eq!(worktree.head().unwrap(), start);
    worktree.restore(&start).unwrap();
    assert!(!worktree.path().join("new").exists());
    assert_eq!(fs::read_to_string(around.join("precious")).unwrap(), "not committed");
    fs::create_dir(worktree.path().join(".git")).unwrap();
    assert!(matches!(create(&scene, &start), Err(GitError::Replaced { .. })));
}

#[test]
fn worktrees_are_made_from_a_linked_worktree_too() {
    let scene = Scene::new();
    scene.git(&["worktree", "add", "--quiet", "-b", "side", "../linked"]);
    let git = agentd::engine::git::Git::new(scene.environment());
    let linked = Repository::find(&scene.path("linked"), &git).unwrap();
    let head = linked.head().unwrap();
    let at = At::Branch { name: BRANCH, from: &head };
    let inside = Worktree::create(&linked, &scene.root().join("w"), at);
    assert!(matches!(inside, Err(GitError::Inside { .. })), "the main checkout counts as well");
    let worktree = Worktree::create(&linked, &scene.path("state/w"), at).unwrap();
    write(&worktree.path().join("new"), "new");
    assert!(worktree.commit_all("new").unwrap().is_some());
    worktree.remove().unwrap();
}
