//! Putting a command line together, word by word.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::models::agent::AgentSettings;
use crate::models::run::Invocation;

use super::AgentError;
use super::environment::Environment;

/// A command line that is being put together.
pub(super) struct Call {
    program: OsString,
    args: Vec<OsString>,
}

impl Call {
    /// Starts with what the configuration gives as the command.
    pub(super) fn new(settings: &AgentSettings) -> Result<Self, AgentError> {
        let Some((program, args)) = settings.command.split_first() else {
            let message = format!("agent `{}` has no command", settings.name);
            return Err(AgentError::Misconfigured { message });
        };
        Ok(Self { program: program.into(), args: args.iter().map(Into::into).collect() })
    }

    /// Adds words.
    pub(super) fn words<W: AsRef<OsStr>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.args.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
    }

    /// Adds an option with its value, where there is one.
    pub(super) fn option<V: AsRef<OsStr>>(&mut self, name: &str, value: Option<V>) {
        if let Some(value) = value {
            self.words([OsStr::new(name), value.as_ref()]);
        }
    }

    /// Completes it.
    pub(super) fn invocation(
        self,
        environment: Environment,
        stdin: impl Into<String>,
        files: Vec<(PathBuf, String)>,
    ) -> Invocation {
        let env = environment.into_iter().collect();
        Invocation {
            program: self.program,
            args: self.args,
            env,
            stdin: stdin.into(),
            files,
            overlay: None,
        }
    }
}
