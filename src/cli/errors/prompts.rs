//! Errors of templates, prompts, the configuration and preferences.

use std::io;

use crate::cli::{Advice, Advise, Failure, Kind, after_io};
use crate::config::ConfigError;
use crate::files::Failed;
use crate::models::envelope::EnvelopeError;
use crate::orchestrator::prompts::TemplateNotFound;
use crate::prompt::PromptError;
use crate::prompt::preferences::PreferenceError;
use crate::prompt::project::ProjectPromptError;
use crate::prompt::team::TeamPromptError;
use crate::template::RenderError;

impl From<TemplateNotFound> for Failure {
    fn from(error: TemplateNotFound) -> Self {
        Self::new(Kind::Template, format!("TemplateNotFound: {error}")).help(error.help)
    }
}

impl Advise for EnvelopeError {
    fn advice(&self) -> Advice {
        Kind::Bug.advise("this is a bug in agentd: please report it with the command line")
    }
}

impl Advise for RenderError {
    fn advice(&self) -> Advice {
        match self {
            Self::MissingValue { name, .. } => {
                Kind::Template.advise(format!("set it with `--var {name}=VALUE`"))
            }
            Self::MissingInclude { .. } => Kind::Template
                .advise("includes are read from the folder given with `--session DIR`"),
            Self::Unlinked { .. } => Kind::Template.into(),
            Self::Include { fault, .. } => Advice::of_fault(fault),
        }
    }
}

impl Advise for PromptError {
    fn advice(&self) -> Advice {
        match self {
            Self::Render(error) => error.advice(),
            Self::Section { .. } => Kind::Usage.into(),
            Self::Tool(_) => Kind::Precondition.into(),
            Self::Project(ProjectPromptError::Unreadable { source, .. }) => Advice::of_io(source),
            Self::Project(ProjectPromptError::Invalid { .. }) => Kind::Template.into(),
        }
    }
}

impl Advise for TeamPromptError {
    fn advice(&self) -> Advice {
        let kind = match self {
            Self::Render(RenderError::Include { fault, .. }) | Self::Unusable { fault, .. } => {
                return Advice::of_fault(fault);
            }
            Self::Render(_) => Kind::Template,
            Self::Io(Failed { source, .. }) => Kind::of_io(source),
            Self::Path(_) | Self::MissingPlanFile { .. } | Self::NotPassed => Kind::Precondition,
        };
        kind.advise(self.help())
    }
}

impl Advise for ConfigError {
    fn advice(&self) -> Advice {
        match self {
            Self::Faults(_) | Self::UnknownAgent { .. } => {
                Advice::from(Kind::Precondition).or_help(self.help())
            }
            Self::Unreadable { is_refused: true, .. } => Advice::of_limits(Kind::Outside),
            Self::Unreadable { kind: io::ErrorKind::FileTooLarge, .. } => {
                Advice::of_limits(Kind::Limit)
            }
            Self::Unreadable { kind, .. } => Kind::Io.advise(after_io(*kind)),
        }
    }
}

impl Advise for PreferenceError {
    fn advice(&self) -> Advice {
        let kind = match self {
            Self::Entries(_) => Kind::Usage,
            Self::Outside(_) | Self::NotAFile(_) | Self::Shared(_) => Kind::Outside,
            Self::NotText(_)
            | Self::Unclosed(_)
            | Self::Proposals { .. }
            | Self::NotPending(_)
            | Self::NoSuchPreference { .. }
            | Self::GoesOn { .. } => Kind::Precondition,
            Self::TooLarge { .. } => Kind::Limit,
            Self::Io(Failed { source, .. }) => Kind::of_io(source),
        };
        Advice::from(kind).or_help(self.help())
    }
}
