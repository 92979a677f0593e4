//! What a phase is told to do: the request word for word, what a person has added, and in later rounds what to revise.

use super::history::History;
use super::machine::{Evidence, Outcome};
use crate::template::{Phase, Verdict};

/// Puts the instructions of a phase together.
pub fn instructions(history: &History, phase: Phase) -> String {
    let mut text = history.request.clone().unwrap_or_default();
    for guidance in &history.guidance {
        text = format!("{}\n\nAdded later, and part of the request:\n{guidance}", text.trim_end());
    }
    for reason in reasons(history, phase) {
        text = format!("{}\n\n{reason}", text.trim_end());
    }
    text
}

/// Says what to revise, as far as the phase has been done before.
fn reasons(history: &History, phase: Phase) -> Vec<String> {
    let mut reasons = Vec::new();
    let round = history.rounds.get(&phase).copied().unwrap_or(0) + 1;
    if round == 1 {
        return reasons;
    }
    let outcome = |phase| history.finished.get(&phase).map(|finished| finished.outcome);
    let said = match phase {
        Phase::Plan => plan(outcome(Phase::Plan), outcome(Phase::Challenge)),
        Phase::Challenge => Some(
            "The plan was revised since: look first whether what you found in the round before is really settled."
                .to_owned(),
        ),
        Phase::Implement => implement(history, outcome(Phase::Implement), outcome(Phase::Review)),
        Phase::Review => Some(
            "The code was changed since: look first whether what you found in the round before is really settled."
                .to_owned(),
        ),
        Phase::Archive => None,
    };
    reasons.push(format!("This is round {round} of phase {phase}."));
    reasons.extend(said);
    if let Some(reason) = &history.sent_back {
        reasons.push(format!("A person has sent the work back, for this reason:\n{reason}"));
    }
    reasons
}

fn plan(plan: Option<Outcome>, challenge: Option<Outcome>) -> Option<String> {
    let unfinished = Outcome::Verdict(Verdict::NeedsRevision);
    if plan == Some(unfinished) {
        return Some(
            "In the round before you said yourself that the plan needs revision. Its files are in the context: finish \
             them."
                .to_owned(),
        );
    }
    (challenge == Some(unfinished)).then(|| {
        "The plan was challenged and needs revision. CHALLENGE.md in the context says why: settle every finding in \
         the files themselves."
            .to_owned()
    })
}

fn implement(
    history: &History,
    implement: Option<Outcome>,
    review: Option<Outcome>,
) -> Option<String> {
    if implement == Some(Outcome::TasksLeft) {
        return Some(
            "In the round before not every task was completed. The work of that round is in the workspace: do the \
             tasks that are still open."
                .to_owned(),
        );
    }
    let review = match review {
        Some(Outcome::Verdict(Verdict::Pass)) | None => None,
        Some(_) => Some(
            "The review asks for changes. REVIEW.md in the context says which: settle every finding, by its cause.",
        ),
    };
    let checks = (history.last_evidence == Some(Evidence::Red)).then_some(
        "The project's checks are red. EVIDENCE.md in the context shows their output: make them pass without \
         weakening them.",
    );
    let said: Vec<_> = review.into_iter().chain(checks).collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Entry, Finished, Record, Started};
    use super::super::git::Commit;
    use super::*;

    fn history(entries: Vec<Entry>) -> History {
        let request = Entry::Created {
            id: "x".parse().unwrap(),
            request: "Add login".to_owned(),
            flow: crate::engine::flow::Flow::Sdd,
            first: None,
        };
        let records: Vec<_> = [request]
            .into_iter()
            .chain(entries)
            .map(|entry| Record { version: 1, at_ms: 0, entry })
            .collect();
        History::of(&records).unwrap()
    }

    fn round(phase: Phase, outcome: Outcome) -> [Entry; 2] {
        let commit = Commit::try_from("0".repeat(40)).unwrap();
        let (agent, first_run) = ("a".to_owned(), 1);
        let started =
            Started { phase, round: 1, agent, first_run, commit: commit.clone(), specs: None };
        let run = "001-x".to_owned();
        let finished = Finished { phase, outcome, run, commit, completed: Vec::new() };
        [Entry::Started(started), Entry::Finished(finished)]
    }

    #[test]
    fn the_first_round_gets_the_request_word_for_word() {
        assert_eq!(instructions(&history(vec![]), Phase::Plan), "Add login");
    }

    #[test]
    fn later_rounds_are_told_what_to_revise() {
        let pass = Outcome::Verdict(Verdict::Pass);
        let revise = Outcome::Verdict(Verdict::NeedsRevision);
        let mut entries = round(Phase::Plan, pass).to_vec();
        entries.extend(round(Phase::Challenge, revise));
        let text = instructions(&history(entries.clone()), Phase::Plan);
        assert!(text.starts_with("Add login\n\nThis is round 2 of phase plan.\n\n"), "{text}");
        assert!(text.contains("CHALLENGE.md"), "{text}");

        entries.push(Entry::SentBack { reason: "Too large".to_owned() });
        entries.push(Entry::Guided { text: "Use OAuth".to_owned() });
        let text = instructions(&history(entries), Phase::Plan);
        assert!(text.contains("part of the request:\nUse OAuth"), "{text}");
        assert!(text.contains("for this reason:\nToo large"), "{text}");
    }
}
