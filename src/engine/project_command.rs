//! Runs commands of the project, each under a guard as agents are: the checks, and what sets up a workspace.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use super::check_report::{Checked, Purpose};
use crate::models::command::CommandLine;
use crate::models::run::{End, Invocation};
use crate::models::sandbox::Grant;
use crate::orchestrator::run_folder::RunFolder;
use crate::process::{self, Cancel, Limits, ProcessError, Supervision};

/// How long a command has to end by itself once it is told to.
const GRACE: Duration = Duration::from_secs(5);
/// How much a command may print on each stream.
const LARGEST_OUTPUT: u64 = 64 << 20;
/// How much of the end of each stream is looked at.
const LOOKED_AT: u64 = 256 << 10;

/// Where commands are run, and with what.
#[derive(Clone, Debug)]
pub struct CommandRunner<'a> {
    /// The agentd binary, which guards every command.
    pub guard: &'a Path,
    /// The folder they run in.
    pub workspace: &'a Path,
    /// The folder of the change's state, in which the runs are kept.
    pub change: &'a Path,
    /// The environment they get.
    pub environment: Vec<(OsString, OsString)>,
    /// What they are confined to, if to anything.
    pub grant: Option<Grant>,
    /// How long each may take.
    pub timeout: Duration,
    /// Asks for them to be ended.
    pub cancel: Cancel,
}

/// A command was run, unless agentd was interrupted.
#[derive(Debug)]
pub enum Ran {
    /// It came to an end.
    Done(Checked),
    /// agentd was interrupted.
    Interrupted,
}

impl CommandRunner<'_> {
    /// Runs one command to its end.
    pub async fn run(&self, command: &CommandLine, purpose: Purpose) -> Result<Ran, ProcessError> {
        let folder = RunFolder::create(self.change, "verify")
            .map_err(|source| ProcessError::io("cannot create a run in", self.change, source))?;
        let mut words = command.argv().into_iter().map(OsString::from);
        let invocation = Invocation {
            program: words.next().unwrap_or_default(),
            args: words.collect(),
            env: self.environment.clone(),
            ..Invocation::default()
        };
        let supervision = Supervision {
            guard: self.guard,
            workspace: self.workspace,
            run_folder: &folder.path,
            limits: Limits {
                timeout: self.timeout,
                idle_timeout: None,
                grace: GRACE,
                largest_output: LARGEST_OUTPUT,
            },
            grant: self.grant.clone(),
            cancel: self.cancel.clone(),
        };
        let record = process::run(&invocation, &supervision, &mut |_| {}).await?;
        if record.end == End::Cancelled {
            return Ok(Ran::Interrupted);
        }
        let tail =
            |name: &str| process::tail(&folder.path.join(name), LOOKED_AT).unwrap_or_default();
        Ok(Ran::Done(Checked {
            command: command.to_string(),
            purpose,
            failure: failure(&record.end, self.timeout),
            milliseconds: record.milliseconds,
            stdout: tail("stdout"),
            stderr: tail("stderr"),
        }))
    }
}

/// Returns why a command failed, if it did.
fn failure(end: &End, timeout: Duration) -> Option<String> {
    Some(match end {
        End::Exited { code: 0 } => return None,
        End::Exited { code } => format!("exit code {code}"),
        End::Killed { signal } => format!("ended by signal {signal}"),
        End::TimedOut | End::Idle => format!("took longer than {} s", timeout.as_secs()),
        End::TooMuchOutput => "printed too much".to_owned(),
        End::NotFound => "the program is not installed".to_owned(),
        End::NotExecutable { reason } => format!("it cannot be run: {reason}"),
        End::Cancelled => "interrupted".to_owned(),
    })
}
