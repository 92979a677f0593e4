//! Parallel groups: what is merged, refused, kept and repeated.

use std::fs;

use agentd::engine::error::EngineError;
use agentd::engine::git::GitError;
use agentd::engine::lanes::{Asking, LaneState};
use agentd::models::command::CommandLine;

use super::scene::{Agents, Fault, Team, index, refusal};
use crate::git::scene::{BRANCH, Scene, write, write_program};

#[test]
fn plans_at_once_are_merged_in_their_order_and_nothing_else_is_left() {
    let mut team = Team::new();
    let before = team.git.checkout();
    let agents = Agents::writing(1..=6);
    team.run(1..=6, &agents).unwrap();
    assert!(agents.most_at_once.get() <= 4, "no more than are allowed");
    let expected: Vec<_> = (1..=6).map(|plan| format!("lane-{plan}/new.txt")).collect();
    assert_eq!(team.files(), expected);
    let subject = |plan| format!("agentd: add-login, plan {plan}: Part {plan}");
    assert_eq!(
        team.subjects(),
        (1..=6).map(subject).collect::<Vec<_>>(),
        "a commit that joins each"
    );
    for plan in 1..=6 {
        assert!(matches!(team.state(plan), LaneState::Merged { .. }));
        assert!(!team.lane_folder(plan).exists());
    }
    assert_eq!(team.branches(), [""; 0]);
    assert_eq!(team.git.checkout(), before, "the user's checkout is what it was");
    let body = team.git.git(&["log", "-1", "--format=%an|%cn|%b", &format!("{BRANCH}^2")]);
    assert_eq!(body.trim_end(), "Ada|agentd|By agent stub.");

    team.run(1..=6, &agents).unwrap();
    assert_eq!(agents.plans_asked().len(), 6, "nobody is asked again");
}

#[test]
fn what_a_plan_does_not_own_is_quarantined_and_the_others_are_merged() {
    let mut team = Team::new();
    let agents = Agents::writing(1..=3).with(2, |tree| {
        write(&tree.join("lane-2/own.txt"), "own");
        write(&tree.join("lane-3/new.txt"), "not its own");
        Ok(())
    });
    let records = team.run(1..=3, &agents).unwrap();
    assert_eq!(team.files(), ["lane-1/new.txt", "lane-3/new.txt"]);
    let LaneState::Quarantined { commit, files } = records.state(index(2)) else {
        panic!("{records:?}")
    };
    assert_eq!(files, &["lane-3/new.txt"]);
    assert_eq!(team.lane_commit(2).as_ref(), Some(commit), "its branch holds everything");
    assert_eq!(team.git.git(&["show", &format!("{commit}:lane-2/own.txt")]), "own");
    assert!(team.lane_folder(2).exists());
    assert!(team.words().contains(&"quarantined 2: lane-3/new.txt".to_owned()));

    // Run again, it begins with the same commit, and what it had written stays on a branch.
    let agents = Agents::writing(1..=3);
    team.run(1..=3, &agents).unwrap();
    assert_eq!(agents.plans_asked(), [2]);
    assert_eq!(team.files().len(), 3);
    assert_eq!(team.branches(), ["plan-2.kept-1"]);
    let kept = team.git.git(&["rev-parse", &format!("{BRANCH}.plan-2.kept-1")]);
    assert_eq!(kept, commit.as_str());
}

#[test]
fn a_plan_that_fails_or_panics_takes_nothing_from_the_others() {
    let mut team = Team::new();
    let agents = Agents::writing(1..=4)
        .with(1, |tree| {
            write(&tree.join("lane-1/half.txt"), "half");
            Err(refusal("no quota"))
        })
        .with(3, |_| std::panic::resume_unwind(Box::new("a bug")));
    let records = team.run(1..=4, &agents).unwrap();
    assert_eq!(team.files(), ["lane-2/new.txt", "lane-4/new.txt"]);
    assert!(matches!(records.state(index(1)), LaneState::Failed(why) if why.contains("no quota")));
    assert!(matches!(records.state(index(3)), LaneState::Failed(why) if why == "panicked: a bug"));
    assert!(team.lane_folder(1).join("lane-1/half.txt").exists(), "its edits are there");

    let start = team.git.repository().head().unwrap();
    let agents = Agents::writing(1..=4);
    team.run(1..=4, &agents).unwrap();
    assert_eq!(agents.plans_asked(), [1, 3]);
    assert_eq!(team.files().len(), 4);
    assert!(!team.files().contains(&"lane-1/half.txt".to_owned()));
    let half = team.git.git(&["show", &format!("{BRANCH}.plan-1.kept-1:lane-1/half.txt")]);
    assert_eq!(half, "half", "unfinished work is kept");
    let parent = team.git.git(&["rev-parse", &format!("{BRANCH}^2^")]);
    assert_eq!(parent, start.as_str(), "they begin with the same commit");
}

#[test]
fn seed_002_a_conflict_stops_with_both_branches_and_a_person_s_merge_counts() {
    let scene = {
        let scene = Scene::new();
        scene.write("lane-2/x.txt", "x\n".repeat(20));
        scene.commit("files");
        scene
    };
    let mut team = Team { most: 1, ..Team::of(scene) };
    // Plan 1 is done and not merged, when something else comes to the change's branch.
    let cut = team.run_until([1, 2, 3], &Agents::writing([1]), |_, count| {
        if count == 1 { Fault::After } else { Fault::None }
    });
    cut.unwrap_err();
    let (desk, start) = (team.desk(), team.code());
    write(&desk.path().join("lane-2/x.txt"), "yours\n");
    let (meanwhile, _) = desk.commit(&start, "meanwhile").unwrap();
    team.known = Some(meanwhile);
    let agents = Agents::writing([1, 3]).with(2, |tree| {
        write(&tree.join("lane-2/x.txt"), "mine\n");
        Ok(())
    });
    let records = team.run([1, 2, 3], &agents).unwrap();
    team.known = None;
    let LaneState::InConflict { commit, files } = records.state(index(2)) else {
        panic!("{records:?}")
    };
    assert_eq!(files, &["lane-2/x.txt"]);
    assert_eq!(team.lane_commit(2).as_ref(), Some(commit));
    assert!(matches!(records.state(index(1)), LaneState::Merged { .. }));
    assert!(
        matches!(records.state(index(3)), LaneState::Finished(_)),
        "nothing behind it is merged"
    );
    assert!(team.lane_folder(2).exists() && team.lane_folder(3).exists());
    let subjects = team.subjects();
    assert_eq!(subjects, ["meanwhile", "agentd: add-login, plan 1: Part 1"]);

    // Nothing is asked again: the merge is tried, and a person's own merge counts.
    let nobody = Agents::default();
    team.run([1, 2, 3], &nobody).unwrap();
    assert_eq!(team.words().iter().filter(|word| word.starts_with("conflict 2")).count(), 2);
    team.git.git(&["worktree", "add", "--quiet", "../by-hand", BRANCH]);
    let path = team.git.path("by-hand");
    let merge = ["merge", "--quiet", "-X", "theirs", "-m", "by hand", &format!("{BRANCH}.plan-2")];
    team.git.git_in(&path, &merge);
    team.git.git(&["worktree", "remove", "../by-hand"]);
    let records = team.run([1, 2, 3], &nobody).unwrap();
    assert!(
        [2, 3].iter().all(|plan| matches!(records.state(index(*plan)), LaneState::Merged { .. }))
    );
    assert_eq!(team.git.git(&["show", &format!("{BRANCH}:lane-2/x.txt")]), "mine");
    assert_eq!(team.branches(), [""; 0]);
}

#[test]
fn twenty_workspaces_at_once_are_all_made() {
    let mut team = Team { most: 20, ..Team::new() };
    let agents = Agents::writing(1..=20);
    team.run(1..=20, &agents).unwrap();
    assert_eq!(team.files().len(), 20);
    assert_eq!(team.subjects().len(), 20);
    assert_eq!(team.git.git(&["worktree", "list"]).lines().count(), 1);
    let settings = team.git.git(&["config", "--list", "--local"]);
    assert!(!settings.contains("plan-"), "nothing is tracked: {settings}");
}

#[test]
fn nothing_of_the_repository_runs_while_plans_are_carried_out_and_merged() {
    let mut team = Team::new();
    let mark = team.git.path("mark");
    for hook in [
        "post-checkout",
        "pre-commit",
        "commit-msg",
        "pre-merge-commit",
        "post-merge",
        "reference-transaction",
    ] {
        write_program(&team.git.root().join(".git/hooks").join(hook), &mark);
    }
    let monitor = team.git.path("monitor");
    write_program(&monitor, &mark);
    team.git.git(&["config", "core.fsmonitor", monitor.to_str().unwrap()]);
    let quarantined = |tree: &std::path::Path| {
        write(&tree.join("elsewhere"), "x");
        Ok(())
    };
    team.run([1, 2], &Agents::writing([1]).with(2, quarantined)).unwrap();
    team.run([1, 2], &Agents::writing([1, 2])).unwrap();
    assert_eq!(team.files().len(), 2);
    assert!(!mark.exists(), "{}", fs::read_to_string(&mark).unwrap());
}

#[test]
fn a_branch_that_somebody_else_made_is_never_touched() {
    let mut team = Team::new();
    team.git.write("more", "more");
    let other = team.git.commit("more");
    team.git.git(&["branch", &format!("{BRANCH}.plan-1")]);
    team.git.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    for _ in 0..2 {
        let records = team.run([1], &Agents::writing([1])).unwrap();
        let LaneState::Failed(why) = records.state(index(1)) else { panic!("{records:?}") };
        assert!(why.contains("somebody else moved or made it"), "{why}");
        assert_eq!(team.lane_commit(1), Some(other.clone()));
    }
    assert!(!team.words().contains(&"started 1".to_owned()));
}

#[test]
fn no_plan_is_begun_once_agentd_is_to_end() {
    let mut team = Team { most: 1, ..Team::new() };
    let canceller = team.canceller.clone();
    let agents = Agents::writing(1..=3).with(2, move |_| {
        canceller.cancel();
        Err(EngineError::Interrupted)
    });
    let error = team.run(1..=3, &agents).unwrap_err();
    assert!(error.is_interruption(), "{error:?}");
    let words = team.words();
    assert!(words.contains(&"finished 1".to_owned()) && words.contains(&"started 2".to_owned()));
    assert!(!words.contains(&"started 3".to_owned()), "{words:?}");

    let (_, cancel) = agentd::process::cancellation();
    team.cancel = cancel;
    let agents = Agents::writing(1..=3);
    team.run(1..=3, &agents).unwrap();
    assert_eq!(agents.plans_asked(), [2, 3]);
    assert_eq!(team.files().len(), 3);
}

#[test]
fn a_full_disk_is_no_failure_of_the_plan() {
    let mut team = Team::new();
    let full = |_: &std::path::Path| {
        let source = std::io::ErrorKind::StorageFull.into();
        Err(EngineError::Git(GitError::Io { what: "write", path: "x".into(), source }))
    };
    let error = team.run([1, 2], &Agents::writing([2]).with(1, full)).unwrap_err();
    assert!(error.is_of_the_machine());
    assert_eq!(team.state(1), LaneState::Due);
    assert!(!team.state(2).is_due(), "the other is done");
}

#[test]
fn an_answer_that_an_agent_has_left_counts_with_the_workspace_that_it_speaks_of() {
    let mut team = Team::new();
    let cut_off = Agents::writing([1]).with(1, |tree| {
        write(&tree.join("lane-1/new.txt"), "from before");
        Err(EngineError::Interrupted)
    });
    team.run([1], &cut_off).unwrap_err();
    let mut agents = Agents::writing([1]);
    agents.left_over.push(1);
    team.run([1], &agents).unwrap();
    assert_eq!(*agents.asked.borrow(), [(1, Asking::LeftOver)]);
    let text = team.git.git(&["show", &format!("{BRANCH}:lane-1/new.txt")]);
    assert_eq!(text, "from before");

    // Where the workspace is gone, the agent is asked.
    let mut team = Team::new();
    team.run([1], &cut_off).unwrap_err();
    fs::remove_dir_all(team.lane_folder(1)).unwrap();
    agents.asked.borrow_mut().clear();
    team.run([1], &agents).unwrap();
    assert_eq!(*agents.asked.borrow(), [(1, Asking::Anew)]);
    assert_eq!(team.files(), ["lane-1/new.txt"]);
}

#[test]
fn each_workspace_is_set_up_once_and_what_that_leaves_must_be_ignored() {
    let mut team = Team::new();
    fs::create_dir(team.git.path("change")).unwrap();
    let line = |line: &str| CommandLine::Shell(line.to_owned());
    team.setup.workspace.setup = vec![line("pwd >>set-up.log")];
    let seen = |tree: &std::path::Path| {
        let text = fs::read_to_string(tree.join("set-up.log")).unwrap();
        assert_eq!(text.trim_end(), tree.to_str().unwrap());
        Err(refusal("once more"))
    };
    let agents = Agents::default().with(1, seen).with(2, seen);
    team.run([1, 2], &agents).unwrap();
    team.run([1, 2], &agents).unwrap();
    assert_eq!(agents.plans_asked(), [1, 1, 2, 2]);

    let mut team = Team::new();
    fs::create_dir(team.git.path("change")).unwrap();
    team.setup.workspace.setup = vec![line("echo x >left.txt")];
    let agents = Agents::writing([1]);
    let records = team.run([1], &agents).unwrap();
    let LaneState::Failed(why) = records.state(index(1)) else { panic!("{records:?}") };
    assert!(why.contains("left.txt"), "{why}");
    assert_eq!(agents.plans_asked(), [0; 0]);
}

#[test]
fn a_plan_that_changes_nothing_is_done_without_a_commit() {
    let mut team = Team::new();
    let records = team.run([1, 2], &Agents::writing([2]).with(1, |_| Ok(()))).unwrap();
    assert!(matches!(records.state(index(1)), LaneState::Merged { .. }));
    assert_eq!(team.subjects().len(), 1);
}
