//! Errors of calls to agents.

use std::path::Path;

use crate::cli::{Advice, Advise, Kind};
use crate::config::ChoiceError;
use crate::models::agent::Protocol;
use crate::orchestrator::RunError;
use crate::orchestrator::agents::AgentError;
use crate::orchestrator::agents::install::Package;
use crate::orchestrator::answer_files::DeliveryError;
use crate::orchestrator::live::LiveError;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::process::ProcessError;

/// Returns a hint to the folder that holds everything an agent printed.
pub(crate) fn look_at(run: &Path) -> String {
    format!("its output is in `{}`", run.display())
}

impl Advise for RunError {
    fn advice(&self) -> Advice {
        match self {
        Self::Material(error) => error.advice(),
        Self::Prompt(error) => error.advice(),
        Self::Envelope(error) => error.advice(),
        Self::NoTemplate { .. } => {
            Kind::Template.advise("`agentd flows check` shows what is missing")
        }
        Self::Unfit { .. } => {
            Kind::Precondition.advise("use another agent for this step: `--agent NAME`")
        }
        Self::Agent { agent, error, run } => {
            agent_advice(agent, error).or_help(run.as_deref().map(look_at))
        }
        Self::TimedOut { agent, run, .. } => Kind::TimedOut.advise(format!(
            "allow more time with `timeout` in `[agents.{agent}]`; {}",
            look_at(run)
        )),
        Self::Idle { agent, run, .. } => Kind::TimedOut
            .advise(format!("change `idle_timeout` in `[agents.{agent}]`; {}", look_at(run))),
        Self::TooMuchOutput { run, .. } => Kind::Limit.advise(look_at(run)),
        Self::OverBudget { .. } => Kind::Limit.advise(
            "raise the limit with --max-cost or --max-tokens, or in `[limits]` in agentd/config.toml",
        ),
        // If a signal was received, its handler knows which; otherwise this is an ordinary interruption.
        Self::Cancelled { .. } => Kind::Interrupted(130).into(),
        Self::Marker { run, .. } => Kind::Marker.advise(look_at(run)),
        Self::Delivery { error: DeliveryError::Unwritable { fault, .. }, run, .. } => {
            Kind::of_fault(fault).advise(look_at(run))
        }
        Self::Delivery { run, .. } => Kind::Agent.advise(look_at(run)),
        Self::NotTaken { attach, run, .. } => Kind::Agent.advise(format!(
            "run it again, and answer in its window meanwhile: `{attach}`; `{}` holds what it showed",
            run.join("screen.txt").display()
        )),
        Self::Live(error) => error.advice(),
        Self::Io { source, .. } | Self::Process(ProcessError::Io { source, .. }) => {
            Advice::of_io(source)
        }
        Self::Process(ProcessError::Settings { path, .. }) => Kind::Precondition.advise(format!(
            "correct `{}`: the agent cannot read it either",
            path.display()
        )),
        Self::Process(ProcessError::GuardLost { .. } | ProcessError::Record { .. }) => {
            Kind::Agent.into()
        }
    }
    }
}

impl Advise for LiveError {
    fn advice(&self) -> Advice {
        match self {
            Self::Folder(source) if Kind::of_io(source) != Kind::Io => Advice::of_io(source),
            Self::Folder(_) | Self::Tmux(_) | Self::Process(_) => {
                Kind::Precondition.advise("`tmux -L agentd ls` shows the sessions of agentd")
            }
        }
    }
}

impl Advise for MaterialError {
    fn advice(&self) -> Advice {
        match self {
            Self::NoFolder { source, .. } if Kind::of_io(source) != Kind::Io => {
                Advice::of_io(source)
            }
            Self::NoFolder { .. } => {
                Kind::Precondition.advise("is this the project's root, and does the change exist?")
            }
            Self::Unreadable { fault, .. } => Advice::of_fault(fault),
            Self::Missing { .. } => Kind::Precondition.advise(
                "run the earlier phases first: plan -> challenge -> implement -> review -> archive",
            ),
            Self::Tasks { errors, .. } => Advice::from(Kind::Precondition)
                .or_help(errors.first().map(|first| first.help().to_string())),
        }
    }
}

impl Advise for ChoiceError {
    fn advice(&self) -> Advice {
        match self {
            Self::Config(error) => error.advice(),
            Self::NoneInstalled { .. } => Kind::Agent.advise(install_lines()),
        }
    }
}

/// Returns how to install each CLI, and what works without any.
fn install_lines() -> String {
    let packages = [Protocol::Claude, Protocol::Codex, Protocol::Copilot, Protocol::Gemini];
    let packages = packages.iter().filter_map(Package::of);
    let lines: String = packages.map(|package| format!("\n  {}", package.install())).collect();
    format!("install one of them, or try agentd without a model: `--agent offline`{lines}")
}

fn agent_advice(agent: &str, error: &AgentError) -> Advice {
    match error {
        AgentError::NotFound { .. } | AgentError::NotExecutable { .. } => Kind::Agent.advise(
            "`agentd doctor` shows which agents are installed and how to install the others",
        ),
        AgentError::NotLoggedIn { .. } => Kind::Agent.advise(format!(
            "log in with the CLI of `{agent}` itself, or set its key; then run this again"
        )),
        AgentError::RateLimited { .. }
        | AgentError::Overloaded { .. }
        | AgentError::Unreachable { .. }
        | AgentError::BrokenAnswer { .. } => Kind::Agent.advise(
            "this may be temporary: run the same command again later, or use another agent with `--agent`",
        ),
        AgentError::PromptTooLarge { message } if message.contains("`max_prompt`") => Kind::Limit
            .advise(format!(
                "raise `max_prompt` in `[agents.{agent}]`, or plan the change in smaller parts"
            )),
        AgentError::PromptTooLarge { .. } => Kind::Limit
            .advise("use an agent or a model with a larger limit, or plan the change in smaller parts"),
        AgentError::Misconfigured { .. } => {
            Kind::Precondition.advise(format!("change `[agents.{agent}]` in agentd/config.toml"))
        }
        AgentError::AnswerTooLarge { .. } => Kind::Limit.into(),
        AgentError::Refused { .. }
        | AgentError::PermissionRefused { .. }
        | AgentError::MalformedOutput { .. }
        | AgentError::NoFinalRecord
        | AgentError::EmptyAnswer
        | AgentError::Failed { .. }
        | AgentError::ScreenGone { .. }
        | AgentError::Killed { .. } => Kind::Agent.into(),
    }
}
