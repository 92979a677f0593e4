//! How a phase that could not be run to its end is told: with what to do next and the exit code for it.

use std::path::Path;

use super::failure::{AFTER_LIMIT, AFTER_REFUSAL, Failure, Kind, io_kind};
use crate::orchestrator::RunError;
use crate::orchestrator::agents::AgentError;
use crate::orchestrator::delivery::DeliveryError;
use crate::orchestrator::live::LiveError;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::process::ProcessError;
use crate::template::IncludeFault;

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let message = error.to_string();
        match error {
            RunError::Material(error) => error.into(),
            RunError::Prompt(error) => error.into(),
            RunError::Envelope(error) => error.into(),
            RunError::NoTemplate { .. } => Self::new(Kind::Template, message)
                .help("`agentd flows check` says what is missing"),
            RunError::Unfit { .. } => Self::new(Kind::Precondition, message)
                .help("use another agent for this step: `--agent NAME`"),
            RunError::Agent { agent, error, run } => {
                let failure = Self::new(kind(&error), message);
                match (help(&agent, &error), run) {
                    (Some(help), _) => failure.help(help),
                    (None, Some(run)) => failure.help(look_at(&run)),
                    (None, None) => failure,
                }
            }
            RunError::TimedOut { agent, run, .. } => Self::new(Kind::TimedOut, message).help(
                format!("give it longer with `timeout` in `[agents.{agent}]`; {}", look_at(&run)),
            ),
            RunError::Idle { agent, run, .. } => Self::new(Kind::TimedOut, message)
                .help(format!("change `idle_timeout` in `[agents.{agent}]`; {}", look_at(&run))),
            RunError::TooMuchOutput { run, .. } => {
                Self::new(Kind::Limit, message).help(look_at(&run))
            }
            RunError::OverBudget { .. } => Self::new(Kind::Limit, message).help(
                "give it more with --max-cost or --max-tokens, or `[limits]` in agentd/config.toml",
            ),
            // What asked for it is known where signals are; without one, it is an interruption like any other.
            RunError::Cancelled { .. } => Self::new(Kind::Interrupted(130), message),
            RunError::Marker { run, .. } => Self::new(Kind::Marker, message).help(look_at(&run)),
            RunError::Delivery { error, run, .. } => {
                let kind = match error {
                    DeliveryError::Unwritable { fault, .. } => fault_kind(&fault),
                    DeliveryError::Nothing
                    | DeliveryError::NoPath { .. }
                    | DeliveryError::Unclosed { .. }
                    | DeliveryError::Twice { .. }
                    | DeliveryError::Unexpected { .. } => Kind::Agent,
                };
                Self::new(kind, message).help(look_at(&run))
            }
            RunError::NotTaken { attach, run, .. } => Self::new(Kind::Agent, message).help(format!(
                "run it again, and answer in its window meanwhile: `{attach}`; `{}` holds what it showed",
                run.join("screen.txt").display()
            )),
            RunError::Live(LiveError::Folder(source)) if io_kind(&source) != Kind::Io => {
                Self::of_io(message, &source)
            }
            RunError::Live(_) => Self::new(Kind::Precondition, message)
                .help("`tmux -L agentd ls` shows the sessions of agentd"),
            RunError::Io { source, .. } => Self::of_io(message, &source),
            RunError::Process(error) => match error {
                ProcessError::Io { source, .. } => Self::of_io(message, &source),
                ProcessError::Settings { path, .. } => Self::new(Kind::Precondition, message)
                    .help(format!("mend `{}`: the agent cannot read it either", path.display())),
                ProcessError::GuardLost { .. } | ProcessError::Record { .. } => {
                    Self::new(Kind::Agent, message)
                }
            },
        }
    }
}

impl From<MaterialError> for Failure {
    fn from(error: MaterialError) -> Self {
        let message = error.to_string();
        match error {
            MaterialError::NoFolder { source, .. } if io_kind(&source) != Kind::Io => {
                Self::of_io(message, &source)
            }
            MaterialError::NoFolder { .. } => Self::new(Kind::Precondition, message)
                .help("is this the project's root, and does the change exist?"),
            MaterialError::Unreadable { fault, .. } => unusable(&fault, message),
            MaterialError::Missing { .. } => Self::new(Kind::Precondition, message)
                .help("run the phases before it first: plan -> challenge -> implement -> review -> archive"),
            MaterialError::Tasks { errors, .. } => {
                let failure = Self::new(Kind::Precondition, message);
                match errors.first() {
                    Some(first) => failure.help(first.help()),
                    None => failure,
                }
            }
        }
    }
}

pub(super) const fn fault_kind(fault: &IncludeFault) -> Kind {
    match fault {
        IncludeFault::Outside | IncludeFault::NotAFile | IncludeFault::Shared => Kind::Outside,
        IncludeFault::TooLarge(_) | IncludeFault::TooLargeTogether { .. } => Kind::Limit,
        IncludeFault::Unreadable(_) => Kind::Io,
    }
}

/// Tells that a file of a project or a change cannot be used.
pub(super) fn unusable(fault: &IncludeFault, message: String) -> Failure {
    let failure = Failure::new(fault_kind(fault), message);
    match fault_kind(fault) {
        Kind::Outside => failure.help(AFTER_REFUSAL),
        Kind::Limit => failure.help(AFTER_LIMIT),
        _ => failure,
    }
}

const fn kind(error: &AgentError) -> Kind {
    match error {
        AgentError::PromptTooLarge { .. } | AgentError::AnswerTooLarge { .. } => Kind::Limit,
        AgentError::Misconfigured { .. } => Kind::Precondition,
        AgentError::NotFound { .. }
        | AgentError::NotExecutable { .. }
        | AgentError::NotLoggedIn { .. }
        | AgentError::RateLimited { .. }
        | AgentError::Overloaded { .. }
        | AgentError::Unreachable { .. }
        | AgentError::Refused { .. }
        | AgentError::PermissionRefused { .. }
        | AgentError::BrokenAnswer { .. }
        | AgentError::MalformedOutput { .. }
        | AgentError::NoFinalRecord
        | AgentError::EmptyAnswer
        | AgentError::Failed { .. }
        | AgentError::ScreenGone { .. }
        | AgentError::Killed { .. } => Kind::Agent,
    }
}

/// Says what to do about an agent's failure, where that is known.
fn help(agent: &str, error: &AgentError) -> Option<String> {
    match error {
        AgentError::NotFound { .. } | AgentError::NotExecutable { .. } => Some(
            "`agentd doctor` shows which agents are installed and how to install the others"
                .to_owned(),
        ),
        AgentError::NotLoggedIn { .. } => Some(format!(
            "log in with the CLI of `{agent}` itself, or set its key; then run this again"
        )),
        AgentError::RateLimited { .. }
        | AgentError::Overloaded { .. }
        | AgentError::Unreachable { .. }
        | AgentError::BrokenAnswer { .. } => Some(
            "this may pass: run the same command again later, or use another agent with `--agent`"
                .to_owned(),
        ),
        AgentError::PromptTooLarge { message } if message.contains("`max_prompt`") => {
            Some(format!(
                "raise `max_prompt` in `[agents.{agent}]`, or plan the change in smaller parts"
            ))
        }
        AgentError::PromptTooLarge { .. } => Some(
            "use an agent or a model that takes more, or plan the change in smaller parts"
                .to_owned(),
        ),
        AgentError::Misconfigured { .. } => {
            Some(format!("change `[agents.{agent}]` in agentd/config.toml"))
        }
        AgentError::Refused { .. }
        | AgentError::PermissionRefused { .. }
        | AgentError::MalformedOutput { .. }
        | AgentError::NoFinalRecord
        | AgentError::EmptyAnswer
        | AgentError::AnswerTooLarge { .. }
        | AgentError::Failed { .. }
        | AgentError::ScreenGone { .. }
        | AgentError::Killed { .. } => None,
    }
}

/// Says where all is kept that an agent said.
pub(super) fn look_at(run: &Path) -> String {
    format!("what it said is in `{}`", run.display())
}
