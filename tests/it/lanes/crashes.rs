//! A group that is cut off anywhere reaches the same end when it is run again.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use agentd::engine::git::{At, Branch, Git, Owner, Repository, Workspace};
use agentd::engine::lanes::{LaneEvent, LaneRecords, LaneState, Site};
use agentd::process::Cancel;
use rustix::process::{Signal, getpid, kill_process};

use super::scene::{Agents, Fault, Mode, Team, carry_out, code, desk, id, setup};
use crate::git::scene::{BRANCH, own_state, write};

const PLANS: std::ops::RangeInclusive<u32> = 1..=2;

/// The process that the tests below start: it kills itself at an event of the journal. Plan and scene are in its
/// environment; without them nobody has started it, and there is nothing to do.
#[test]
fn a_group_that_is_killed() {
    let Some(folder) = std::env::var_os("AGENTD_SCENE").map(PathBuf::from) else { return };
    let at: usize = std::env::var("AGENTD_KILL_AT").unwrap().parse().unwrap();
    let environment: Vec<_> = std::env::vars_os().collect();
    let repository =
        Repository::find(&folder.join("repo"), &Git::new(environment.clone())).unwrap();
    let setup = setup(&repository, &folder.join("state"), environment);
    let (id, mut events) = (id(), read(&folder));
    let site = Site {
        setup: &setup,
        id: &id,
        state: &folder.join("change"),
        desk: Arc::new(desk(&setup)),
        code: code(&setup, &events, Mode::Parallel),
        max_parallel: NonZeroUsize::new(2).unwrap(),
        cancel: Cancel::never(),
    };
    let mut records = LaneRecords::default();
    for event in &events {
        records.take(event);
    }
    let count = Cell::new(events.len() * 2);
    let step = || {
        if count.get() == at {
            kill_process(getpid(), Signal::KILL).unwrap();
        }
        count.set(count.get() + 1);
    };
    let mut journal = |event: &LaneEvent| {
        step();
        events.push(event.clone());
        let lines: Vec<_> = events.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
        fs::write(folder.join("journal.new"), lines.join("\n")).unwrap();
        fs::rename(folder.join("journal.new"), folder.join("journal")).unwrap();
        step();
        Ok(())
    };
    carry_out(Mode::Parallel, &site, PLANS, &records, &Agents::writing(PLANS), &mut journal)
        .unwrap();
}

fn read(folder: &Path) -> Vec<LaneEvent> {
    let text = fs::read_to_string(folder.join("journal")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn victim(team: &Team, at: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "lanes::crashes::a_group_that_is_killed"]);
    command.env_clear().envs(team.git.environment());
    command.env("AGENTD_SCENE", team.git.path(".")).env("AGENTD_KILL_AT", at.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Goes on after the victim was killed, to the end.
#[track_caller]
fn go_on(mut team: Team, before: &BTreeMap<PathBuf, Vec<u8>>, context: &str) {
    team.events = read(&team.git.path("."));
    let due: Vec<_> = PLANS.filter(|plan| team.state(*plan).is_due()).collect();
    let agents = Agents::writing(PLANS);
    team.run(PLANS, &agents).unwrap();
    assert_eq!(agents.plans_asked(), due, "{context}: only what was not done");
    assert_the_end(&team, before, context);
}

#[test]
fn a_group_that_is_killed_at_any_event_reaches_the_same_end() {
    for at in 0..12 {
        let team = Team::new();
        let before = team.git.checkout();
        let status = victim(&team, at).status().unwrap();
        assert_eq!(status.signal(), Some(9), "before or after event {}", at / 2);
        go_on(team, &before, &format!("killed at {at}"));
    }
}

#[test]
fn a_group_that_is_killed_at_any_time_reaches_the_same_end() {
    // Many more with `just crash`.
    let kills = std::env::var("AGENTD_CRASH_KILLS").map_or(4, |kills| kills.parse().unwrap());
    let start = Instant::now();
    let whole = Team::new();
    assert!(victim(&whole, usize::MAX).status().unwrap().success());
    let whole = start.elapsed();
    for kill in 0..kills {
        let team = Team::new();
        let before = team.git.checkout();
        let mut killed = victim(&team, usize::MAX).spawn().unwrap();
        std::thread::sleep(whole * kill / kills);
        killed.kill().unwrap();
        killed.wait().unwrap();
        go_on(team, &before, &format!("killed after {:?}", whole * kill / kills));
    }
}

/// Looks at what must be so in the end, whatever happened on the way.
#[track_caller]
fn assert_the_end(team: &Team, before: &BTreeMap<PathBuf, Vec<u8>>, context: &str) {
    for plan in PLANS {
        assert!(matches!(team.state(plan), LaneState::Merged { .. }), "{context}: plan {plan}");
        assert!(!team.lane_folder(plan).exists(), "{context}: plan {plan}");
        let merged = format!("merged {plan}");
        let count = team.words().iter().filter(|word| **word == merged).count();
        assert_eq!(count, 1, "{context}: {:?}", team.words());
    }
    let subject = |plan| format!("agentd: add-login, plan {plan}: Part {plan}");
    assert_eq!(team.subjects(), PLANS.map(subject).collect::<Vec<_>>(), "{context}");
    assert_eq!(team.files(), PLANS.map(|plan| format!("lane-{plan}/new.txt")).collect::<Vec<_>>());
    assert!(team.branches().iter().all(|name| name.contains("kept")), "{:?}", team.branches());
    assert_eq!(&team.git.checkout(), before, "{context}");
}

#[test]
fn a_group_whose_journal_fails_at_any_event_reaches_the_same_end() {
    // Two are begun, done and merged each.
    for (fault, at) in (0..6).flat_map(|at| [(Fault::Before, at), (Fault::After, at)]) {
        let context = format!("{fault:?} {at}");
        let mut team = Team { most: 2, ..Team::new() };
        let before = team.git.checkout();
        let cut = team.run_until(PLANS, &Agents::writing(PLANS), |_, count| {
            if count == at { fault } else { Fault::None }
        });
        assert!(cut.unwrap_err().to_string().contains("the disk is full"), "{context}");
        let is_cut = team.events.len() == at + usize::from(fault == Fault::After);
        assert!(is_cut, "nothing is taken down after a failure: {:?}", team.words());
        let due: Vec<_> = PLANS.filter(|plan| team.state(*plan).is_due()).collect();
        let agents = Agents::writing(PLANS);
        team.run(PLANS, &agents).unwrap();
        assert_eq!(agents.plans_asked(), due, "{context}: only what was not done");
        assert_the_end(&team, &before, &context);
    }
}

#[test]
fn a_merge_that_was_cut_off_in_the_middle_is_done_again() {
    let mut team = Team::new();
    let before = team.git.checkout();
    let cut = team.run_until(PLANS, &Agents::writing(PLANS), |event, _| match event {
        LaneEvent::Merged { .. } => Fault::Before,
        _ => Fault::None,
    });
    cut.unwrap_err();
    // The commit is there: it is used. If it is gone, it is made again.
    team.run(PLANS, &Agents::writing(PLANS)).unwrap();
    assert_the_end(&team, &before, "a branch that is ahead");

    let mut team = Team::new();
    let cut = team.run_until(PLANS, &Agents::writing(PLANS), |event, _| match event {
        LaneEvent::Merged { .. } => Fault::Before,
        _ => Fault::None,
    });
    cut.unwrap_err();
    let before = team.git.checkout();
    let start = team.code();
    team.git.git(&["update-ref", &format!("refs/heads/{BRANCH}"), start.as_str()]);
    team.run(PLANS, &Agents::writing(PLANS)).unwrap();
    assert_the_end(&team, &before, "a branch that is behind");
}

#[test]
fn a_workspace_made_just_before_a_crash_is_used_when_the_other_plans_are_merged_since() {
    for state in ["whole", "half-made", "with edits"] {
        let mut team = Team::new();
        let before = team.git.checkout();
        let base = team.desk().head().unwrap().unwrap();
        let (folder, branch) = (team.lane_folder(2), format!("{BRANCH}.plan-2"));
        let branch = Some(Branch { name: &branch, owner: Owner::Anybody });
        let at = At { commit: &base, branch, attributes: &base };
        drop(Workspace::open(&team.setup.repository, &folder, at).unwrap());
        match state {
            "half-made" => {
                let state = own_state(&team.git, "add-login.plan-2");
                fs::remove_file(state.join("commit")).unwrap();
            }
            "with edits" => write(&folder.join("lane-2/old.txt"), "not finished"),
            _ => {}
        }
        team.run([1], &Agents::writing([1])).unwrap();
        assert_ne!(team.code(), base, "the change has gone on");
        team.run(PLANS, &Agents::writing(PLANS)).unwrap();
        assert_the_end(&team, &before, state);
        let kept =
            if state == "with edits" { vec!["plan-2.kept-1".to_owned()] } else { Vec::new() };
        assert_eq!(team.branches(), kept, "{state}");
    }
}
