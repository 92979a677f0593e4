//! The message of a commit: what the change is for, and which tasks the commit completes.

use super::driver::{Driver, UnderWay};
use super::error::EngineError;
use crate::prompt::tasks;

/// How long a subject is at most: longer ones are cut in the lists of git.
const LONGEST_SUBJECT: usize = 72;

impl Driver<'_> {
    /// Returns the message for the results of a step.
    pub(super) fn commit_message(
        &self,
        work: &UnderWay,
        completed: &[String],
    ) -> Result<String, EngineError> {
        let (id, step, round) = (&self.change.id, &work.step.name, work.started.round);
        let papers = self.papers()?;
        let read = |name: &str| papers.read(name).map_err(self.unusable(name));
        let proposal = read("proposal.md")?.unwrap_or_default();
        let subject = subject(&proposal, &self.change.history.request);
        let mut message = format!("{subject}\n");
        if !completed.is_empty() {
            let listed = tasks::read(&read("tasks.md")?.unwrap_or_default()).unwrap_or_default();
            message.push('\n');
            for task in listed.iter().filter(|task| completed.contains(&task.id)) {
                message.push_str(&format!("- {} {}\n", task.id, task.title));
            }
        }
        message.push_str(&format!(
            "\nChange: {id}\nStep: {step}, round {round}\nAgent: {}\n",
            work.agent.name
        ));
        Ok(self.without_secrets(&message))
    }
}

/// Returns the first heading of the proposal, or the first line of the request, as one line.
fn subject(proposal: &str, request: &str) -> String {
    let heading = proposal.lines().find_map(|line| line.strip_prefix("# "));
    let heading = heading.map(|it| it.trim().trim_start_matches("Proposal:").trim());
    let line = heading.filter(|it| !it.is_empty() && *it != "Proposal");
    let line = line.or_else(|| request.lines().map(str::trim).find(|line| !line.is_empty()));
    let line = line.unwrap_or("Change").split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_SUBJECT {
        return line;
    }
    line.chars().take(LONGEST_SUBJECT - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_says_what_the_change_is_for_in_one_short_line() {
        assert_eq!(subject("# Add a login page\n\ntext", "x"), "Add a login page");
        assert_eq!(subject("# Proposal: Add   login\n", "x"), "Add login");
        assert_eq!(subject("no heading", "\nAdd login\nwith OAuth"), "Add login");
        let long = subject("", &"word ".repeat(40));
        assert!(long.chars().count() == LONGEST_SUBJECT && long.ends_with('…'), "{long}");
    }
}
