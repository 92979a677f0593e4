//! A step of kind `checks`: the project's commands run on the committed code, and the report says what came of them.

use super::check_report::{self, Purpose};
use super::desks::Room;
use super::driver::Driver;
use super::entry::{Entry, Started};
use super::error::EngineError;
use super::event::Event;
use super::git::Workspace;
use super::project_command::{CommandRunner, Ran};
use crate::flow::{CHECK_REPORT, Outcome, StepId};

impl Driver<'_> {
    /// Runs the project's checks on the code as it is.
    pub(super) async fn run_checks(&mut self, id: StepId) -> Result<(), EngineError> {
        let (setup, step) = (self.setup, self.step(id).clone());
        let commit = self.code_commit()?;
        let workspace = self.room(Room::Checks, &commit)?;
        // What earlier checks left in ignored places, a cache of a build say, saves time until the run that decides.
        if step.clean {
            workspace.restore_bare(&commit)?;
        } else {
            workspace.restore(&commit)?;
        }
        if self.change.history.started.is_none() {
            self.change.happened(Entry::Started(Started {
                step: step.name.to_string(),
                round: self.change.history.rounds(id) + 1,
                agent: None,
                first_run: self.last_run()? + 1,
                commit: commit.clone(),
                specs: None,
            }))?;
        }
        let commands = setup.verify.commands.iter().map(|command| (command, Purpose::Test));
        let security = setup.verify.security.iter().map(|command| (command, Purpose::Security));
        let commands: Vec<_> = commands.chain(security).collect();
        self.watch.event(&Event::ChecksStarted { step: &step, count: commands.len() });
        self.set_up(&workspace).await?;
        let runner = self.runner(&workspace);
        let mut checks = Vec::new();
        for (command, purpose) in commands {
            self.watch.event(&Event::CheckStarted { command: &command.to_string() });
            let checked = match runner.run(command, purpose).await? {
                Ran::Done(checked) => checked,
                Ran::Interrupted => return Err(EngineError::Interrupted),
            };
            self.watch.event(&Event::CheckFinished(&checked));
            checks.push(checked);
        }
        let most = usize::try_from(setup.context.max_evidence).unwrap_or(usize::MAX);
        let text = check_report::document(&checks, commit.as_str(), most);
        self.change.write(CHECK_REPORT, &self.without_secrets(&text))?;
        let is_green = check_report::is_green(&checks);
        let outcome = if is_green { Outcome::Green } else { Outcome::Red };
        self.change.happened(Entry::Finished(self.finished(&step, outcome, commit)?))?;
        self.watch.event(&Event::ChecksFinished { step: &step, is_green });
        Ok(())
    }

    /// Returns what runs the project's commands in a workspace.
    pub(super) fn runner<'s>(&'s self, workspace: &'s Workspace) -> CommandRunner<'s> {
        CommandRunner {
            guard: &self.setup.guard,
            workspace: workspace.path(),
            change: &self.change.folder,
            environment: &self.setup.environment,
            timeout: self.setup.verify.timeout,
            cancel: self.cancel.clone(),
        }
    }
}
