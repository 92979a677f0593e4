//! Serial groups: one plan after the other on the desk.

use agentd::engine::lanes::{Asking, LaneState};

use super::scene::{Agents, Fault, Team, index, refusal};
use crate::git::scene::{BRANCH, write};

#[test]
fn serial_plans_see_what_those_before_them_have_done_and_make_a_commit_each() {
    let mut team = Team::serial();
    let before = team.git.checkout();
    let agents = Agents::writing([1, 2]).with(3, |tree| {
        assert!(tree.join("lane-1/new.txt").exists() && tree.join("lane-2/new.txt").exists());
        write(&tree.join("lane-3/x"), "x");
        Ok(())
    });
    team.run([2, 1, 3], &agents).unwrap();
    let asked = [2, 1, 3].map(|plan| (plan, Asking::Anew));
    assert_eq!(*agents.asked.borrow(), asked, "in the order of the group");
    assert_eq!(agents.most_at_once.get(), 1);
    let subject = |plan| format!("agentd: add-login, plan {plan}: Part {plan}");
    assert_eq!(team.subjects(), [subject(2), subject(1), subject(3)]);
    assert_eq!(team.branches(), [""; 0]);
    assert_eq!(team.git.checkout(), before);
}

#[test]
fn a_serial_plan_that_writes_elsewhere_is_warned_of_and_goes_on() {
    let mut team = Team::serial();
    let agents = Agents::writing([1, 2]).with(1, |tree| {
        write(&tree.join("elsewhere"), "x");
        Ok(())
    });
    team.run([1, 2], &agents).unwrap();
    let words = ["started 1", "outside 1: elsewhere", "finished 1", "started 2", "finished 2"];
    assert_eq!(team.words(), words);
    assert_eq!(team.git.git(&["show", &format!("{BRANCH}:elsewhere")]), "x");
}

#[test]
fn a_serial_plan_that_fails_stops_those_behind_it_and_is_repeated_from_where_it_began() {
    let mut team = Team::serial();
    let agents = Agents::writing([1, 3]).with(2, |tree| {
        write(&tree.join("lane-2/half"), "half");
        Err(refusal("no quota"))
    });
    let records = team.run([1, 2, 3], &agents).unwrap();
    assert_eq!(agents.plans_asked(), [1, 2]);
    assert!(matches!(records.state(index(2)), LaneState::Failed(_)));
    let agents = Agents::writing([1, 2, 3]);
    team.run([1, 2, 3], &agents).unwrap();
    assert_eq!(agents.plans_asked(), [2, 3]);
    assert_eq!(team.files(), ["lane-1/new.txt", "lane-2/new.txt", "lane-3/new.txt"]);
    assert_eq!(team.branches(), ["plan-2.kept-1"]);
}

#[test]
fn a_serial_group_that_is_cut_off_after_any_event_reaches_the_same_end() {
    for (fault, at) in (0..6).flat_map(|at| [(Fault::Before, at), (Fault::After, at)]) {
        let mut team = Team::serial();
        let agents = Agents::writing(1..=3);
        let cut = team.run_until(
            1..=3,
            &agents,
            |_, count| if count == at { fault } else { Fault::None },
        );
        assert!(cut.unwrap_err().to_string().contains("the disk is full"), "{fault:?} {at}");
        let done: Vec<_> = (1..=3).filter(|plan| !team.state(*plan).is_due()).collect();
        let agents = Agents::writing(1..=3);
        team.run(1..=3, &agents).unwrap();
        let expected: Vec<_> = (1..=3).filter(|plan| !done.contains(plan)).collect();
        assert_eq!(agents.plans_asked(), expected, "{fault:?} {at}");
        assert_eq!(team.files().len(), 3);
        assert_eq!(team.subjects().len(), 3, "{fault:?} {at}");
    }
}
