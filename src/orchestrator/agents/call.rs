//! Putting a command line together: what the facts of a CLI say, then what its adapter adds.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use super::environment::{self, Environment};
use super::facts::Facts;
use super::{AgentError, Request};
use crate::models::run::{Invocation, Overlay};

/// What a CLI is called for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// To answer one prompt.
    Headless,
    /// To run on a screen of its own.
    Interactive,
}

/// A command line that is being put together.
pub(super) struct Call {
    pub(super) mode: Mode,
    program: OsString,
    args: Vec<OsString>,
    pub(super) environment: Environment,
    pub(super) files: Vec<(PathBuf, String)>,
    pub(super) overlay: Option<Overlay>,
}

impl Call {
    /// Starts with the configured command, and what is the same at every call of a CLI.
    pub(super) fn begin(
        request: &Request<'_>,
        mode: Mode,
        facts: &Facts,
    ) -> Result<Self, AgentError> {
        let settings = request.settings;
        let Some((program, args)) = settings.command.split_first() else {
            let message = format!("agent `{}` has no command", settings.name);
            return Err(AgentError::Misconfigured { message });
        };
        let environment = environment::of(request, facts);
        let (program, args) = (program.into(), args.iter().map(Into::into).collect());
        let (files, overlay) = (Vec::new(), None);
        let mut call = Self { mode, program, args, environment, files, overlay };
        let level = facts.call.level(request.permissions);
        call.words(match mode {
            Mode::Headless => &facts.call.headless,
            Mode::Interactive => &facts.call.interactive,
        });
        call.option(facts.call.model.as_deref(), settings.model.as_ref());
        call.words(&settings.args);
        let has_other_words = request.is_confined && !level.confined.is_empty();
        call.words(if has_other_words { &level.confined } else { &level.words });
        if mode == Mode::Headless {
            call.words(&level.headless);
        }
        call.option(facts.call.folder.as_deref(), request.extra_folder);
        if settings.isolated
            && let Some(home) = &facts.call.home
        {
            call.environment.insert(home.into(), request.own(&facts.program).into());
        }
        Ok(call)
    }

    /// Completes it.
    pub(super) fn invocation(self, stdin: String) -> Invocation {
        let Self { program, args, environment, files, overlay, .. } = self;
        Invocation { program, args, env: environment.into_iter().collect(), stdin, files, overlay }
    }

    /// Adds words.
    pub(super) fn words<W: AsRef<OsStr>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.args.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
    }

    /// Adds an option with its value, where there are both.
    pub(super) fn option<'n, V: AsRef<OsStr>>(
        &mut self,
        name: impl Into<Option<&'n str>>,
        value: Option<V>,
    ) {
        if let (Some(name), Some(value)) = (name.into(), value) {
            self.words([OsStr::new(name), value.as_ref()]);
        }
    }
}
