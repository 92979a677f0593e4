//! What a step is told to do: the request word for word, what a person has added or answered, and in later rounds what to
//! revise.

use super::check_report::CheckResult;
use super::history::{History, Question};
use crate::flow::{Kind, Outcome, Step, StepId, Subject};

/// Returns the request with what a person has added to it.
pub(super) fn request(history: &History) -> String {
    let mut text = history.request.clone();
    for guidance in &history.guidance {
        text = format!("{}\n\nAdded later, and part of the request:\n{guidance}", text.trim_end());
    }
    text
}

/// Lists what agents asked, each with a person's answer.
pub(super) fn answers(history: &History) -> Vec<String> {
    let answered = |question: &Question| {
        let Question { step, reason, answer } = question;
        let answer = answer.as_ref()?;
        Some(format!("Question of {step} during its work: {reason}\nThe answer:\n{answer}"))
    };
    history.questions.iter().filter_map(answered).collect()
}

/// Puts the instructions of a step together.
pub fn instructions(history: &History, step: StepId) -> String {
    let mut text = request(history);
    let is_told = history.flow.step(step).changes.or(history.flow.step(step).judges).is_some();
    let expected = history.expected_of_checks().filter(|_| is_told);
    for part in answers(history).into_iter().chain(expected).chain(reasons(history, step)) {
        text = format!("{}\n\n{part}", text.trim_end());
    }
    text
}

/// Lists what to revise, if the step was done before.
fn reasons(history: &History, id: StepId) -> Vec<String> {
    let round = history.rounds(id) + 1;
    if round == 1 {
        return Vec::new();
    }
    let step = history.flow.step(id);
    let mut reasons = vec![format!("This is round {round} of {}.", step.name)];
    match (step.changes, step.judges) {
        (Some(subject), _) => reasons.extend(to_revise(history, id, subject)),
        (None, Some(subject)) => reasons.push(format!(
            "The {subject} was changed since: check first whether your findings of the previous round are really fixed."
        )),
        (None, None) => {}
    }
    let rejected = history.rejections.iter();
    reasons.extend(
        rejected
            .map(|reason| format!("A person has rejected the work, for this reason:\n{reason}")),
    );
    reasons
}

/// Describes what is wrong with what the step made: in its own words, in those of its judges, and by the checks.
fn to_revise(history: &History, id: StepId, subject: Subject) -> Option<String> {
    match history.outcome(id) {
        Some(Outcome::TasksLeft) => {
            return Some(
                "In the previous round, not every task was completed, or nothing was changed. The work of that round is in \
                 the workspace: do the tasks that are still open."
                    .to_owned(),
            );
        }
        Some(outcome) if !outcome.is_success() => {
            return Some(format!(
                "In the previous round, you reported that the {subject} needs revision, or you changed nothing. Its \
                 files are in the context: finish them."
            ));
        }
        Some(_) | None => {}
    }
    let asks = |(judge, step): (StepId, &Step)| {
        let file = step.answer().filter(|_| step.judges == Some(subject))?;
        let is_no = history.outcome(judge).is_some_and(|outcome| !outcome.is_success());
        is_no.then(|| match subject {
            Subject::Plan => format!(
                "The plan was challenged and needs revision. {file} in the context says why: resolve every finding in the \
                 files themselves."
            ),
            Subject::Code => format!(
                "The review asks for changes. {file} in the context says which: fix every finding at its cause."
            ),
        })
    };
    let mut said: Vec<_> = history.flow.numbered().filter_map(asks).collect();
    let has_checks = history.flow.steps.iter().any(|step| step.kind == Kind::Checks);
    if subject == Subject::Code && has_checks && history.last_checks == Some(CheckResult::Red) {
        said.push(
            "The project's checks are red. CHECKS.md in the context shows their output: make them pass without \
             weakening them."
                .to_owned(),
        );
    }
    (!said.is_empty()).then(|| said.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Entry, Finished, Record, Started};
    use super::super::git::Commit;
    use super::*;
    use crate::catalog::CATALOG;

    fn history(entries: Vec<Entry>) -> History {
        let flow = std::sync::Arc::new(CATALOG.flow("sdd").unwrap().clone());
        let mut history = History::new(flow, "Add login", false, 0);
        for entry in entries {
            history.take(&Record { version: Record::VERSION, at_ms: 0, entry }).unwrap();
        }
        history
    }

    fn round(step: &str, outcome: Outcome) -> [Entry; 2] {
        let commit = Commit::try_from("0".repeat(40)).unwrap();
        let started = Started {
            step: step.to_owned(),
            round: 1,
            agent: Some("a".to_owned()),
            first_run: 1,
            commit: commit.clone(),
            specs: None,
        };
        let finished = Finished {
            step: step.to_owned(),
            outcome,
            run: Some("001-x".to_owned()),
            last_run: 1,
            commit,
            completed: Vec::new(),
            schedule: None,
            documented: false,
            checks: None,
            ignored: Vec::new(),
        };
        [Entry::Started(started), Entry::Finished(finished)]
    }

    fn of_plan(entries: Vec<Entry>) -> String {
        let history = history(entries);
        instructions(&history, history.flow.find("plan").unwrap())
    }

    #[test]
    fn the_first_round_gets_the_request_word_for_word() {
        assert_eq!(of_plan(vec![]), "Add login");
    }

    #[test]
    fn later_rounds_are_told_what_to_revise() {
        let mut entries = round("plan", Outcome::Pass).to_vec();
        entries.extend(round("challenge", Outcome::NeedsRevision));
        let text = of_plan(entries.clone());
        assert!(text.starts_with("Add login\n\nThis is round 2 of plan.\n\n"), "{text}");
        assert!(text.contains("CHALLENGE.md"), "{text}");

        entries.push(Entry::Rejected { reason: "Too large".to_owned() });
        entries.push(Entry::Guided { text: "Use OAuth".to_owned() });
        let text = of_plan(entries);
        assert!(text.contains("part of the request:\nUse OAuth"), "{text}");
        assert!(text.contains("for this reason:\nToo large"), "{text}");
    }

    #[test]
    fn a_question_and_its_answer_are_part_of_what_is_wanted() {
        let mut entries = round("plan", Outcome::Pass)[..1].to_vec();
        let (step, reason) = ("plan".to_owned(), "Which database?".to_owned());
        entries.push(Entry::Blocked { step, reason, last_run: 1 });
        entries.push(Entry::Answered { text: "SQLite".to_owned() });
        let text = of_plan(entries);
        assert!(
            text.contains("Question of plan during its work: Which database?\nThe answer:\nSQLite"),
            "{text}"
        );
    }
}
