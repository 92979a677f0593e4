//! A step of kind `checks`: the project's commands run on the committed code, and the report says what came of them.

use super::check_report::{self, CheckResult, Checked, Findings, Purpose};
use super::confinement::Command;
use super::desks::Room;
use super::driver::Driver;
use super::entry::{Entry, Finished, Started};
use super::error::EngineError;
use super::event::Event;
use super::git::Workspace;
use super::project_command::{CommandRunner, Ran};
use crate::flow::{CHECK_REPORT, Kind, StepId};
use crate::models::command::CommandLine;

impl Driver<'_> {
    /// Runs the project's checks on the code as it is.
    pub(super) async fn run_checks(&mut self, id: StepId) -> Result<(), EngineError> {
        let step = self.step(id).clone();
        let commit = self.code_commit()?;
        let workspace = self.room(Room::Checks, &commit)?;
        // What earlier checks left in ignored places, a cache of a build say, saves time until the run that decides.
        match (workspace.is_new(), step.clean) {
            (true, _) => {}
            (false, true) => {
                self.setup.clear_cache(&self.change.id, workspace.path())?;
                workspace.restore_bare(&commit)?;
            }
            (false, false) => workspace.restore(&commit)?,
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
        let commands = self.commands();
        self.watch.event(&Event::ChecksStarted { step: &step, count: commands.len() });
        self.set_up(&workspace).await?;
        let checks = self.carry_out(&workspace, &commands).await?;
        let result = CheckResult::of(&checks, &self.change.history.tolerated());
        let ignored = self.left_in_ignored_places()?;
        let expected = self.change.history.expected_of_checks();
        let findings =
            Findings { result: &result, expected: expected.as_deref(), ignored: &ignored };
        let text = check_report::document(&checks, commit.as_str(), findings, self.report_size());
        let text = self.without_secrets(&text);
        self.change.accept_one(CHECK_REPORT, &text)?;
        let finished = self.finished(&step, result.outcome(), commit)?;
        let checks = Some(result.clone());
        let ended = Finished { checks, ignored: ignored.clone(), ..finished };
        self.change.happened(Entry::Finished(ended))?;
        self.watch.event(&Event::ChecksFinished {
            step: &step,
            result: &result,
            ignored: &ignored,
        });
        self.wait_for_exceptions()?;
        Ok(())
    }

    /// Lists the project's checks, with what each is for. A flow that runs none has none.
    pub(super) fn commands(&self) -> Vec<(CommandLine, Purpose)> {
        let verify = &self.setup.verify;
        if !self.change.history.flow.steps.iter().any(|step| step.kind == Kind::Checks) {
            return Vec::new();
        }
        let commands = verify.commands.iter().map(|command| (command.clone(), Purpose::Test));
        let security = verify.security.iter().map(|command| (command.clone(), Purpose::Security));
        commands.chain(security).collect()
    }

    /// Runs checks in a workspace, one after the other.
    pub(super) async fn carry_out(
        &self,
        workspace: &Workspace,
        commands: &[(CommandLine, Purpose)],
    ) -> Result<Vec<Checked>, EngineError> {
        let runner = self.runner(workspace, Command::Check)?;
        let mut checks = Vec::new();
        for (command, purpose) in commands {
            let name = self.without_secrets(&command.to_string());
            self.watch.event(&Event::CheckStarted { command: &name });
            let checked = match runner.run(command, *purpose).await? {
                // What is said of a check goes into prompts and documents.
                Ran::Done(ran) => Checked { command: name, ..ran },
                Ran::Interrupted => return Err(EngineError::Interrupted),
            };
            self.watch.event(&Event::CheckFinished(&checked));
            checks.push(checked);
        }
        Ok(checks)
    }

    /// Returns how much of what checks print is kept in the report.
    pub(super) fn report_size(&self) -> usize {
        usize::try_from(self.setup.context.max_evidence).unwrap_or(usize::MAX)
    }

    /// Returns what runs the project's commands in a workspace.
    pub(super) fn runner<'s>(
        &'s self,
        workspace: &'s Workspace,
        command: Command,
    ) -> Result<CommandRunner<'s>, EngineError> {
        let change = (&self.change.id, self.change.state.as_path());
        self.setup.runner(change, workspace.path(), command, &self.cancel)
    }
}
