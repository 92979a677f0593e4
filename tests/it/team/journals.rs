//! The journal of a team's change: in the same form as every other, and folded to where the team is.

use std::fs;

use agentd::engine::change::Change;
use agentd::engine::entry::{Entry, Record};
use agentd::engine::flow::Flow;
use agentd::engine::git::Commit;
use agentd::engine::history::{CannotBe, History};
use agentd::engine::journal;
use agentd::engine::machine::{Check, Evidence};
use agentd::engine::project::Project;
use agentd::engine::team::{
    Batch, Lineup, Mode, PlanDone, StepFinished, StepResult, StepStarted, TeamStage, TeamStep, Unit,
};
use agentd::models::hash::Hash;
use agentd::models::plan::PlanIndex;

fn commit(digit: &str) -> Commit {
    Commit::try_from(digit.repeat(40)).expect("a commit")
}

fn started(step: TeamStep) -> Entry {
    let (agent, commit) = ("offline".to_owned(), commit("1"));
    Entry::StepStarted(StepStarted { step, round: 1, agent, first_run: 1, commit })
}

fn finished(step: TeamStep, result: StepResult, lineup: Option<Lineup>) -> Entry {
    Entry::StepFinished(StepFinished { step, result, lineup, last_run: 3, commit: commit("3") })
}

fn first_plan() -> PlanIndex {
    PlanIndex::new(1).expect("the number of a plan")
}

fn lineup() -> Lineup {
    let plans = vec![Unit { plan: first_plan(), hash: Hash::of("one") }];
    Lineup { groups: vec![Batch { mode: Mode::Serial, plans }], needs_design: false }
}

/// What a team does up to its code.
fn coded() -> Vec<Entry> {
    vec![
        started(TeamStep::Architect),
        finished(TeamStep::Architect, StepResult::Made, None),
        started(TeamStep::Planner),
        finished(TeamStep::Planner, StepResult::Planned, Some(lineup())),
        started(TeamStep::Coders),
        Entry::PlanDone(PlanDone { plan: first_plan(), commit: commit("2") }),
        finished(TeamStep::Coders, StepResult::Made, None),
        Entry::Verified {
            check: Check::AfterImplement,
            evidence: Evidence::Green,
            commit: commit("3"),
        },
    ]
}

#[test]
fn a_journal_without_a_flow_is_read_as_it_always_was() {
    let line = "{\"version\":1,\"at_ms\":1,\"event\":\"created\",\"id\":\"add-login\",\"request\":\"Add login\"}\n";
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(journal::FILE), line).expect("written");
    let (records, _) = journal::read(folder.path()).expect("it is read");
    let history = History::of(&records).expect("it makes sense");
    assert_eq!((history.flow(), history.at().as_str()), (Flow::Sdd, "plan"));
    let written = serde_json::to_string(&records[0]).expect("JSON") + "\n";
    assert_eq!(written, line, "a change of the phases is still written like this");
}

#[test]
fn a_team_s_journal_is_folded_and_read_back() {
    let root = tempfile::tempdir().expect("a folder");
    let (id, project) = ("add-login".parse().expect("an id"), Project::at(root.path()));
    let (folder, first) = (project.change(&id), TeamStep::Architect);
    let mut change =
        Change::create_for_team(&id, &project, "Add login", first).expect("it is begun");
    assert!(change.is_new());
    assert_eq!((change.history.flow(), change.history.token().as_str()), (Flow::Team, "architect"));
    for entry in coded() {
        change.happened(entry).expect("it can happen");
    }
    let history = change.history.clone();
    drop(change);
    let (records, _) = journal::read(&folder).expect("it is read");
    let read = History::of(&records).expect("it makes sense");
    assert_eq!(read, history);
    let team = read.team.as_ref().expect("a team's");
    assert_eq!(team.state.stage, TeamStage::Due(TeamStep::Review));
    assert_eq!((read.base.clone(), team.code.clone()), (Some(commit("1")), Some(commit("3"))));
    let state = fs::read_to_string(folder.join("state.json")).expect("it is derived");
    assert!(state.contains("\"flow\": \"team\"") && state.contains("\"done\": true"), "{state}");
}

#[test]
fn what_belongs_to_the_other_flow_is_refused_before_it_is_written() {
    let root = tempfile::tempdir().expect("a folder");
    let id = "add-login".parse().expect("an id");
    let project = Project::at(root.path());
    let mut change = Change::create(&id, &project, "Add login").expect("it is begun");
    let before = fs::read(change.folder.join(journal::FILE)).expect("a journal");
    change.happened(started(TeamStep::Architect)).expect_err("it is a step");
    assert_eq!(fs::read(change.folder.join(journal::FILE)).expect("a journal"), before);
    assert_eq!(change.history.allows(&started(TeamStep::Architect)), Err(CannotBe::OtherFlow));
}

#[test]
fn what_a_person_asks_to_change_is_kept_until_it_is_planned() {
    let created = Entry::Created {
        id: "x".parse().expect("an id"),
        request: "Add login".to_owned(),
        flow: Flow::Team,
        first: Some(TeamStep::Architect),
    };
    let mut entries = vec![created];
    entries.extend(coded());
    entries.extend(["Use OAuth", "And a logo"].map(|text| Entry::SentBack { reason: text.into() }));
    let history = |entries: &[Entry]| {
        let record = |entry: &Entry| Record { version: 1, at_ms: 1, entry: entry.clone() };
        History::of(&entries.iter().map(record).collect::<Vec<_>>()).expect("it makes sense")
    };
    let team = history(&entries).team.expect("a team's");
    assert_eq!(team.asked, ["Use OAuth", "And a logo"]);
    assert_eq!(team.state.stage, TeamStage::Due(TeamStep::Change));
    entries.push(started(TeamStep::Change));
    entries.push(finished(TeamStep::Change, StepResult::Planned, Some(lineup())));
    assert_eq!(history(&entries).team.expect("a team's").asked, [""; 0]);
}
