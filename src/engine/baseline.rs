//! The baseline: setup and checks run once on the commit that a change begins from, before the first call is paid for.

use serde::{Deserialize, Serialize};

use super::check_report::{self, CheckResult, Checked, Findings, last_lines, one_line};
use super::desks::Room;
use super::driver::Driver;
use super::entry::Entry;
use super::error::EngineError;
use super::event::Event;
use super::git::Commit;
use super::history::History;
use crate::flow::{CHECK_REPORT, Guarantee, Step};
use crate::models::settings::RedBaseline;

/// A run of setup and checks on the commit that a change begins from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineRun {
    /// The commit.
    pub commit: Commit,
    /// The checks, in order.
    pub checks: Vec<BaselineCheck>,
}

/// A check of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaselineCheck {
    /// The command, as it was written.
    pub command: String,
    /// How it failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// A check that failed before the change, for whoever chooses what happens now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedBefore {
    /// The command.
    pub command: String,
    /// How it failed.
    pub failure: String,
    /// The last lines that it printed.
    pub lines: String,
}

/// What is known of the baseline of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChecksBefore {
    /// The last run.
    pub run: BaselineRun,
    /// What a person, or the configuration, chose where it was red.
    pub choice: Option<RedBaseline>,
}

impl BaselineRun {
    fn of(commit: Commit, checks: &[Checked]) -> Self {
        let check = |checked: &Checked| BaselineCheck {
            command: checked.command.clone(),
            failure: checked.failure.clone(),
        };
        Self { commit, checks: checks.iter().map(check).collect() }
    }

    /// Lists the checks that failed.
    pub fn failed(&self) -> impl Iterator<Item = &BaselineCheck> {
        self.checks.iter().filter(|check| check.failure.is_some())
    }

    /// Returns whether a check failed.
    pub fn is_red(&self) -> bool {
        self.failed().next().is_some()
    }
}

impl ChecksBefore {
    /// Returns whether the change may go on: no check failed, or it is decided what that means.
    pub fn is_settled(&self) -> bool {
        let is_chosen = matches!(self.choice, Some(RedBaseline::Fix | RedBaseline::Tolerate));
        is_chosen || !self.run.is_red()
    }

    /// Lists the commands that may fail, since they failed before.
    fn tolerated(&self) -> Vec<String> {
        match self.choice {
            Some(RedBaseline::Tolerate) => {
                self.run.failed().map(|check| check.command.clone()).collect()
            }
            Some(RedBaseline::Stop | RedBaseline::Fix) | None => Vec::new(),
        }
    }
}

impl History {
    /// Takes note of a baseline. Once it is settled, the change begins from there.
    pub(super) fn compare_with(&mut self, run: BaselineRun, choice: Option<RedBaseline>) {
        let baseline = ChecksBefore { run, choice };
        if self.base.is_none() && baseline.is_settled() {
            self.base = Some(baseline.run.commit.clone());
        }
        self.baseline = Some(baseline);
    }

    /// Takes note of what was chosen about a baseline.
    pub(super) fn choose(&mut self, choice: RedBaseline) {
        if let Some(ChecksBefore { run, .. }) = self.baseline.take() {
            self.compare_with(run, Some(choice));
        }
    }

    /// Lists the commands that may fail, since they failed before the change.
    pub fn tolerated(&self) -> Vec<String> {
        self.baseline.as_ref().map(ChecksBefore::tolerated).unwrap_or_default()
    }

    /// Describes which checks failed before the change and what is expected now, for those who write and judge.
    pub fn expected_of_checks(&self) -> Option<String> {
        let baseline = self.baseline.as_ref().filter(|it| it.run.is_red())?;
        let failed = baseline.run.failed().map(|check| {
            let failure = check.failure.as_deref().unwrap_or_default();
            format!("- `{}` ({failure})", one_line(&check.command))
        });
        let failed = failed.collect::<Vec<_>>().join("\n");
        let rule = match baseline.choice? {
            RedBaseline::Stop => return None,
            RedBaseline::Fix => {
                "This change must make them pass, by fixing the cause and without weakening them: that is part of the work, and \
                 red checks do not pass."
            }
            RedBaseline::Tolerate => {
                "They may still fail afterwards: fix them only if the request asks for it, do not make them worse, and \
                 do not count these failures against the change. Every other check must pass."
            }
        };
        Some(format!("These checks failed before this change started:\n\n{failed}\n\n{rule}"))
    }
}

impl Driver<'_> {
    /// Runs setup and checks before the first call, unless that is settled. Returns an error where a person must choose.
    pub(super) async fn ensure_baseline(&mut self) -> Result<(), EngineError> {
        if !self.is_baseline_due() {
            if self.change.history.base.is_none() {
                let commit = self.code_commit()?;
                self.setup.repository.hold_base(self.change.id.as_str(), &commit)?;
                self.fix_base()?;
            }
            return Ok(());
        }
        let (commit, rule) = (self.code_commit()?, self.setup.verify.baseline);
        let known = self.change.history.baseline.as_ref().map(|baseline| &baseline.run);
        let is_same = known.is_some_and(|run| run.commit == commit && self.is_of_configured(run));
        if is_same && rule != RedBaseline::Stop {
            return self.choose_baseline(rule);
        }
        if self.change.history.base.is_none() {
            self.setup.repository.hold_base(self.change.id.as_str(), &commit)?;
        }
        let checks = self.run_baseline(&commit).await?;
        let run = BaselineRun::of(commit, &checks);
        let is_red = run.is_red();
        self.change.happened(Entry::Baseline(run))?;
        match rule {
            _ if !is_red => Ok(()),
            RedBaseline::Stop => Err(self.stopped_by(&checks)),
            RedBaseline::Fix | RedBaseline::Tolerate => self.choose_baseline(rule),
        }
    }

    /// Records the commit that the change begins from, unless that is known: nothing has to run on it.
    pub(super) fn fix_base(&mut self) -> Result<(), EngineError> {
        if self.change.history.base.is_none() {
            let commit = self.code_commit()?;
            self.change.happened(Entry::Baseline(BaselineRun::of(commit, &[])))?;
        }
        Ok(())
    }

    /// Returns whether a run begins with setup and checks: there are any, no code was written, and nothing is settled.
    pub(super) fn is_baseline_due(&self) -> bool {
        let history = &self.change.history;
        let has_code = history.flow.steps.iter().any(Step::writes_code);
        let has_setup = has_code && !self.setup.workspace.setup.is_empty();
        let is_configured = has_setup || !self.commands().is_empty();
        let is_settled = history
            .baseline
            .as_ref()
            .is_some_and(|baseline| baseline.is_settled() && self.is_of_configured(&baseline.run));
        is_configured && history.started.is_none() && history.written.is_none() && !is_settled
    }

    /// Returns whether a baseline is one of the checks that are configured now.
    fn is_of_configured(&self, run: &BaselineRun) -> bool {
        let configured = self.commands().into_iter();
        let configured = configured.map(|(it, _)| self.without_secrets(&it.to_string()));
        configured.eq(run.checks.iter().map(|it| it.command.clone()))
    }

    /// Records what is done about checks that failed before the change.
    fn choose_baseline(&mut self, choice: RedBaseline) -> Result<(), EngineError> {
        self.change.happened(Entry::BaselineChosen { choice })?;
        self.watch.event(&Event::BaselineChosen { choice });
        Ok(())
    }

    async fn run_baseline(&mut self, commit: &Commit) -> Result<Vec<Checked>, EngineError> {
        let workspace = self.room(Room::Checks, commit)?;
        if !workspace.is_new() {
            workspace.restore(commit)?;
        }
        let commands = self.commands();
        self.watch.event(&Event::BaselineStarted { commit, count: commands.len() });
        self.set_up(&workspace).await?;
        let checks = self.carry_out(&workspace, &commands).await?;
        let result = CheckResult::of(&checks, &[]);
        if result == CheckResult::Red || self.change.folder.join(CHECK_REPORT).exists() {
            // Whoever repairs them needs what they printed.
            let text = check_report::document(
                &checks,
                commit.as_str(),
                Findings {
                    result: &result,
                    expected: Some("This is the code before the change."),
                    ignored: &[],
                },
                self.report_size(),
            );
            let text = self.without_secrets(&text);
            self.change.accept_one(CHECK_REPORT, &text)?;
        }
        self.watch.event(&Event::BaselineFinished { result: &result });
        Ok(checks)
    }

    fn stopped_by(&self, checks: &[Checked]) -> EngineError {
        let failed = checks.iter().filter_map(|checked| {
            let command = one_line(&checked.command);
            let lines = self.without_secrets(&last_lines(checked));
            Some(FailedBefore { command, failure: checked.failure.clone()?, lines })
        });
        EngineError::RedBaseline { id: self.change.id.clone(), failed: failed.collect() }
    }

    /// Has the change wait for a person where its last checks passed with exceptions, unless a gate comes anyway. Returns whether
    /// it waits now.
    pub(super) fn wait_for_exceptions(&mut self) -> Result<bool, EngineError> {
        let history = &self.change.history;
        let holds = history.has_new_exceptions && history.state.checks.is_some();
        let has_gate =
            history.flow.guarantees.contains(&Guarantee::Approved) && !history.state.is_approved;
        let Some(step) = history.state.succeeded.filter(|_| holds) else {
            return Ok(false);
        };
        let entry = Entry::Paused { step: self.step(step).name.to_string() };
        if has_gate || history.allows(&entry).is_err() {
            return Ok(false);
        }
        self.change.happened(entry)?;
        Ok(true)
    }
}
