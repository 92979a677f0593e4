//! The journal of a change: folded to where the change is in its flow, and read back as it was written.

use std::fs;

use agentd::catalog::CATALOG;
use agentd::engine::change::{Change, NewChange};
use agentd::engine::entry::{Entry, Finished, PlanDone, Record, Started};
use agentd::engine::git::Commit;
use agentd::engine::history::{CannotBe, History};
use agentd::engine::journal::{self, JournalError};
use agentd::engine::plan_order::{PlanGroup, PlanOrder, PlanVersion};
use agentd::engine::project::Project;
use agentd::flow::Outcome;
use agentd::models::hash::Hash;
use agentd::models::plan::{Mode, PlanIndex};

fn commit(digit: &str) -> Commit {
    Commit::try_from(digit.repeat(40)).expect("a commit")
}

fn started(step: &str) -> Entry {
    Entry::Started(Started {
        step: step.to_owned(),
        round: 1,
        agent: Some("offline".to_owned()),
        first_run: 1,
        commit: commit("1"),
        specs: None,
    })
}

fn finished(step: &str, outcome: Outcome, schedule: Option<PlanOrder>) -> Entry {
    Entry::Finished(Finished {
        step: step.to_owned(),
        outcome,
        run: None,
        last_run: 3,
        commit: commit("3"),
        completed: Vec::new(),
        schedule,
        documented: true,
        checks: None,
        ignored: Vec::new(),
    })
}

fn first_plan() -> PlanIndex {
    PlanIndex::new(1).expect("the number of a plan")
}

fn schedule() -> PlanOrder {
    let plans = vec![PlanVersion { plan: first_plan(), hash: Hash::of("one") }];
    PlanOrder { groups: vec![PlanGroup { mode: Mode::Serial, plans }], needs_design: false }
}

/// What a team does up to its review.
fn coded() -> Vec<Entry> {
    vec![
        started("architect"),
        finished("architect", Outcome::Files, None),
        started("planner"),
        finished("planner", Outcome::Files, Some(schedule())),
        started("coders"),
        Entry::PlanDone(PlanDone { plan: first_plan(), commit: commit("2") }),
        finished("coders", Outcome::Done, None),
        started("checks"),
        finished("checks", Outcome::Green, None),
    ]
}

fn new(flow: &str) -> NewChange<'static> {
    NewChange::following(CATALOG.flow(flow).expect("a flow"), "Add login")
}

fn project() -> (tempfile::TempDir, Project) {
    let root = tempfile::tempdir().expect("a folder");
    let project = Project::at(root.path());
    (root, project)
}

#[test]
fn a_journal_of_the_first_version_is_refused_and_left_as_it_is() {
    let line = "{\"version\":1,\"at_ms\":1,\"event\":\"created\",\"id\":\"add-login\",\"request\":\"Add login\"}\n";
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(journal::FILE), line).expect("written");
    let refused = journal::read(folder.path()).expect_err("an old journal");
    assert!(matches!(refused, JournalError::Version { version: 1, .. }), "{refused}");
    assert_eq!(fs::read_to_string(folder.path().join(journal::FILE)).expect("it is there"), line);
}

#[test]
fn a_team_s_journal_is_folded_and_read_back() {
    let (_root, project) = project();
    let id = "add-login".parse().expect("an id");
    let mut change = Change::create(&id, &project, new("team")).expect("it is begun");
    assert!(change.history.is_new());
    assert_eq!(change.history.token(), "architect");
    for entry in coded() {
        change.happened(entry).expect("it can happen");
    }
    let (history, folder, state) =
        (change.history.clone(), change.folder.clone(), change.state.clone());
    drop(change);
    let (records, _) = journal::read(&state).expect("it is read");
    let read = History::of(&records).expect("it makes sense").expect("it is begun");
    assert_eq!(read, history);
    assert_eq!(read.token(), "review");
    assert_eq!((read.base, read.written), (Some(commit("1")), Some(commit("3"))));
    let state = fs::read_to_string(folder.join("state.json")).expect("it is derived");
    assert!(state.contains("\"flow\": \"team\"") && state.contains("\"done\": true"), "{state}");
}

#[test]
fn what_a_flow_does_not_know_is_refused_before_it_is_written() {
    let (_root, project) = project();
    let id = "add-login".parse().expect("an id");
    let mut change = Change::create(&id, &project, new("sdd")).expect("it is begun");
    let before = fs::read(change.state.join(journal::FILE)).expect("a journal");
    change.happened(started("architect")).expect_err("it is no step of this flow");
    assert_eq!(fs::read(change.state.join(journal::FILE)).expect("a journal"), before);
    let refused = change.history.allows(&started("architect"));
    assert_eq!(refused, Err(CannotBe::NoStep("architect".to_owned())));
}

#[test]
fn plans_are_carried_out_once_and_only_when_they_are_due() {
    let (_root, project) = project();
    let id = "add-login".parse().expect("an id");
    let mut change = Change::create(&id, &project, new("team")).expect("it is begun");
    for entry in &coded()[..5] {
        change.happened(entry.clone()).expect("it can happen");
    }
    let done = |plan| Entry::PlanDone(PlanDone { plan, commit: commit("2") });
    let other = PlanIndex::new(2).expect("a plan");
    assert_eq!(change.history.allows(&done(other)), Err(CannotBe::NotDue(other)));
    let ended = finished("coders", Outcome::Done, None);
    assert_eq!(change.history.allows(&ended), Err(CannotBe::PlansLeft));
    change.happened(done(first_plan())).expect("it is due");
    assert_eq!(change.history.allows(&done(first_plan())), Err(CannotBe::NotDue(first_plan())));
}

#[test]
fn what_a_person_asks_to_change_is_kept_until_it_is_planned() {
    let (_root, project) = project();
    let id = "add-login".parse().expect("an id");
    let mut change = Change::create(&id, &project, new("team")).expect("it is begun");
    let asked = ["Use OAuth", "And a logo"].map(|text| Entry::Rejected { reason: text.into() });
    for entry in coded().into_iter().chain(asked) {
        change.happened(entry).expect("it can happen");
    }
    assert_eq!(change.history.rejections, ["Use OAuth", "And a logo"]);
    assert_eq!(change.history.token(), "change");
    change.happened(started("change")).expect("it is due");
    change.happened(finished("change", Outcome::Files, Some(schedule()))).expect("it is planned");
    assert_eq!(change.history.rejections, [""; 0]);
    let record = Record { version: Record::VERSION, at_ms: 1, entry: started("architect") };
    History::of(&[record]).expect_err("a change starts with its request");
}
