//! What is kept because it is nowhere else.

use std::fs;

use agentd::engine::lanes::LaneState;

use super::scene::{Agents, Fault, Team, index};
use crate::git::scene::{BRANCH, write};

/// Runs plan 1 up to where it is merged and nothing is cleared away.
fn merged() -> Team {
    let mut team = Team::new();
    team.run_until(
        [1],
        &Agents::writing([1]),
        |_, count| {
            if count == 2 { Fault::After } else { Fault::None }
        },
    )
    .unwrap_err();
    assert_eq!(team.words(), ["started 1", "finished 1", "merged 1"]);
    assert!(team.lane_folder(1).exists());
    team
}

#[test]
fn a_workspace_that_has_edits_after_its_merge_is_kept_with_its_branch() {
    let mut team = merged();
    let late = team.lane_folder(1).join("late.txt");
    write(&late, "by somebody");
    team.run([1], &Agents::default()).unwrap();
    assert_eq!(fs::read_to_string(&late).unwrap(), "by somebody");
    assert_eq!(team.branches(), ["plan-1"]);
    fs::remove_file(&late).unwrap();
    team.run([1], &Agents::default()).unwrap();
    assert!(!team.lane_folder(1).exists());
    assert_eq!(team.branches(), [""; 0]);
}

#[test]
fn a_branch_that_has_gone_on_after_its_merge_is_kept() {
    let mut team = merged();
    let branch = format!("{BRANCH}.plan-1");
    team.git.git(&["worktree", "add", "--quiet", "../by-hand", &branch]);
    write(&team.git.path("by-hand/lane-1/late.txt"), "by somebody");
    team.git.git_in(&team.git.path("by-hand"), &["add", "--all"]);
    team.git.git_in(&team.git.path("by-hand"), &["commit", "--quiet", "-m", "late"]);
    let late = team.lane_commit(1);
    team.run([1], &Agents::default()).unwrap();
    assert_eq!(team.lane_commit(1), late);
}

#[test]
fn edits_on_the_desk_have_no_part_in_a_merge() {
    let mut team = Team::new();
    let desk = team.desk().path().to_owned();
    write(&desk.join("src/main.rs"), "edited");
    write(&desk.join("new"), "new");
    let records = team.run([1], &Agents::writing([1])).unwrap();
    assert!(matches!(records.state(index(1)), LaneState::Merged { .. }));
    assert_eq!(team.branches(), [""; 0]);
    assert_eq!(
        fs::read_to_string(desk.join("new")).unwrap(),
        "new",
        "it is kept for the next step"
    );
    assert_eq!(team.git.git(&["ls-tree", "--name-only", BRANCH, "new"]), "");
}

#[test]
fn files_of_an_attempt_that_failed_are_kept_whatever_it_committed() {
    let mut team = Team::new();
    let agents = Agents::default().with(1, |tree| {
        write(&tree.join("lane-1/a"), "a");
        Err(super::scene::refusal("it gave up"))
    });
    team.run([1], &agents).unwrap();
    let folder = team.lane_folder(1);
    team.git.git_in(&folder, &["add", "--all"]);
    team.git.git_in(&folder, &["commit", "--quiet", "-m", "on a branch of its own repository"]);
    write(&folder.join("lane-1/b"), "b");
    team.run([1], &Agents::writing([1])).unwrap();
    assert_eq!(team.files(), ["lane-1/new.txt"]);
    assert_eq!(team.branches(), ["plan-1.kept-1"]);
    let show = |name: &str| team.git.git(&["show", &format!("{BRANCH}.plan-1.{name}")]);
    assert_eq!((show("kept-1:lane-1/a"), show("kept-1:lane-1/b")), ("a".into(), "b".into()));
}
