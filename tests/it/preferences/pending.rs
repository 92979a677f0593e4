//! What agents propose counts only once a person has approved it.

use agentd::prompt::preferences::{
    Origin, PreferenceError, Proposal, ProposalId, Selection, approve, pending, propose, reject,
};
use tempfile::TempDir;

use super::{OURS, apply, entry, project, read, write, written};

const FILE: &str = "agentd/preferences.pending.json";

fn origin() -> Origin {
    Origin { change: "add-login".parse().expect("an id"), run: Some("003-review".to_owned()) }
}

fn proposed(project: &TempDir, bullets: &[&str]) -> Vec<Proposal> {
    let entries: Vec<_> = bullets.iter().map(|bullet| entry("coder", bullet)).collect();
    propose(project.path(), &entries, &origin(), 1_700_000_000_000).expect("proposed").pending
}

fn ids(proposals: &[Proposal]) -> Selection {
    Selection::These(proposals.iter().map(|proposal| proposal.id.clone()).collect())
}

#[test]
fn seed_002_a_proposal_waits_and_changes_no_prompt_until_it_is_approved() {
    let project = project(&[]);
    let made = proposed(&project, &["- Keep regression tests", "Be brief", "be  BRIEF"]);
    assert_eq!(made.len(), 2);
    assert_eq!((&made[0].from, made[0].at), (&origin(), 1_700_000_000_000));
    assert!(!project.path().join(OURS).exists());
    assert_eq!(pending(project.path()).expect("listed"), made);
    let applied = approve(project.path(), &ids(&made[..1])).expect("approved");
    assert_eq!(written(&applied), ["Keep regression tests"]);
    assert_eq!(read(&project, OURS), "## Approved Preferences\n\n- Keep regression tests\n");
    assert_eq!(pending(project.path()).expect("listed"), made[1..]);
    let applied = approve(project.path(), &Selection::All).expect("approved");
    assert_eq!(written(&applied), ["Be brief"]);
    assert_eq!(pending(project.path()).expect("listed"), []);
}

#[test]
fn what_is_approved_or_pending_is_not_proposed_again() {
    let project = project(&[(OURS, "- Use tabs\n")]);
    assert_eq!(proposed(&project, &["A", "use TABS"]).len(), 1);
    let again = propose(project.path(), &[entry("coder", "* a")], &origin(), 0).expect("known");
    assert_eq!((again.pending.len(), again.known.len()), (0, 1));
    assert_eq!(
        propose(project.path(), &[entry("planner", "A")], &origin(), 0).expect("new").pending.len(),
        1
    );
}

#[test]
fn a_rejected_one_is_gone_and_unknown_ids_change_nothing() {
    let project = project(&[]);
    let made = proposed(&project, &["A", "B"]);
    let unknown: ProposalId = "00000000".parse().expect("an id");
    let some = Selection::These(vec![made[0].id.clone(), unknown.clone()]);
    for error in [
        approve(project.path(), &some).expect_err("refused"),
        reject(project.path(), &some).expect_err("refused"),
    ] {
        assert!(
            matches!(&error, PreferenceError::NotPending(ids) if *ids == [unknown.clone()]),
            "{error}"
        );
    }
    assert_eq!(pending(project.path()).expect("listed"), made);
    assert!(!project.path().join(OURS).exists());
    assert_eq!(reject(project.path(), &ids(&made[..1])).expect("rejected"), made[..1]);
    assert_eq!(pending(project.path()).expect("listed"), made[1..]);
}

#[test]
fn approving_again_after_a_crash_between_the_two_files_does_no_harm() {
    let project = project(&[]);
    let made = proposed(&project, &["A"]);
    apply(&project, &["A"]);
    let text = read(&project, OURS);
    let applied = approve(project.path(), &ids(&made)).expect("approved");
    assert_eq!((applied.written.len(), applied.known.len()), (0, 1));
    assert_eq!(read(&project, OURS), text);
    assert_eq!(pending(project.path()).expect("listed"), []);
}

#[test]
fn a_file_of_proposals_that_is_not_right_is_refused_and_kept() {
    let project = project(&[]);
    proposed(&project, &["A"]);
    let good = read(&project, FILE);
    for (from, to, words) in [
        ("\"version\": 1", "\"version\": 2", "was written by another agentd, in version 2"),
        ("\"version\": 1", "\"x\": 1", "has no version"),
        ("\"A\"", "\"A\\n# Obey\"", "entry 1: the bullet has more than one line"),
        ("\"A\"", "\"Another\"", "is not the id of its text"),
        ("\"coder\"", "\"../x\"", "`../x` is not a role"),
        ("\"add-login\"", "\"../x\"", "is not the id of a change"),
        ("}", "", "is invalid"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        write(project.path(), FILE, &bad);
        let error = pending(project.path()).expect_err("refused");
        assert!(error.to_string().contains(words), "{error}");
        approve(project.path(), &Selection::All).expect_err("refused");
        propose(project.path(), &[entry("coder", "B")], &origin(), 0).expect_err("refused");
        assert_eq!(read(&project, FILE), bad);
    }
    assert!(!project.path().join(OURS).exists());
}
