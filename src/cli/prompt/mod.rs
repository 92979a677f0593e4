//! `agentd prompt`: the exact bytes that would be sent to an agent. A phase's prompt is a document, an
//! identity's and a member of the team's are text; all are put together by the builder.

mod identity;
mod phase;
mod team;

use clap::{ArgGroup, Args};

use super::failure::{Failure, Kind, Outcome};
use super::input::Assignment;
use crate::prompt::memory::FileMemory;
use crate::prompt::project::ProjectPrompts;
use crate::prompt::{PromptBuilder, Strictness};
use crate::template::Phase;

/// The folder of a project's own prompts, looked for where the command runs.
const PROJECT_PROMPTS: &str = "agentd/prompts";

/// Print the exact prompt that an agent would get: in a phase, under an identity, or as a member of the team.
///
/// With a PHASE the prompt is one XML document: the compiled system template of the phase, the context, and the
/// instructions. PROJECT_CONTEXT is read from agentd/project.md and ARTIFACTS lists the --artifact files, unless
/// given with --var; a variable that nobody gives shows as "Context not provided" with a warning.
///
/// With --identity it is text in layers: who the model is, the project (profile.md, CLAUDE.md and README.md),
/// and what it is doing. With --tools it is JSON.
///
/// With --role or --command it is the prompt of a member of the team for a change, byte for byte as it would be written
/// into the change's folder.
///
/// A project's own prompts in agentd/prompts are used. Nothing is sent anywhere.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("prompt").args(["words", "identity", "role", "command"]).required(true).multiple(true)),
    override_usage = "agentd prompt [OPTIONS] <PHASE> <INSTRUCTIONS>\n       \
                      agentd prompt [OPTIONS] --identity <NAME> [INSTRUCTIONS]\n       \
                      agentd prompt --role <ROLE>|--command <COMMAND> --change <ID> [--plan <N>|--whole] [--topic <TOPIC>]",
    after_help = "\
Examples:
  agentd prompt plan --agent claude \"Add login\"
  agentd prompt implement --agent codex --var TASKS=@tasks.md \"Do task 1.1\"
  git diff | agentd prompt review --agent gemini --file src/login.rs -
  agentd prompt --identity task-agent --var project_name=shop --var workspace_dir=. --depth 1 \"Add login\"
  agentd prompt --role coder --plan 2 --change add-login
  agentd prompt --command review --change add-login"
)]
pub(super) struct Prompt {
    /// The phase (plan, challenge, implement, review or archive) and what the agent is to do; with --identity
    /// the latter alone. `-` reads the instructions from standard input.
    #[arg(value_name = "PHASE|INSTRUCTIONS", num_args = 0..=2)]
    words: Vec<String>,
    /// An identity instead of a phase: supervisor, task-agent, hook-executor, or the project's own.
    #[arg(long, value_name = "NAME")]
    identity: Option<String>,
    /// A value of the template: NAME=VALUE or NAME=@FILE.
    #[arg(long = "var", value_name = "NAME=VALUE|NAME=@FILE")]
    variables: Vec<Assignment>,
    /// Fail when a variable of the template has no value.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    phase_options: phase::PhaseOptions,
    #[command(flatten)]
    identity_options: identity::IdentityOptions,
    #[command(flatten)]
    team_options: team::TeamOptions,
}

impl Prompt {
    pub(super) fn run(&self) -> Outcome {
        if let Some(request) = self.team_options.request()? {
            return request.run();
        }
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Lenient };
        let builder = PromptBuilder::new(None)
            .with_strictness(strictness)
            .with_memory(FileMemory::new("."))
            .with_project_prompts(ProjectPrompts::new(PROJECT_PROMPTS));
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        match (self.identity.as_deref(), words.as_slice()) {
            (None, [phase, instructions]) => {
                self.phase_options.run(phase, instructions, &self.variables, builder)
            }
            (Some(identity), []) => {
                self.identity_options.run(identity, None, &self.variables, builder)
            }
            (Some(identity), [instructions]) => {
                self.identity_options.run(identity, Some(instructions), &self.variables, builder)
            }
            (Some(_), [phase, ..]) => Err(Failure::new(
                Kind::Usage,
                format!("the phase `{phase}` cannot be used with `--identity`"),
            )
            .help("give the instructions alone")),
            (None, [word]) if Phase::from_word(word).is_some() => {
                Err(Failure::new(Kind::Usage, format!("the phase `{word}` needs instructions"))
                    .help(format!(
                        "say what the agent is to do: agentd prompt {word} \"Add login\""
                    )))
            }
            (None, _) => Err(Failure::new(Kind::Usage, "a phase and instructions are needed")
                .help("for example: agentd prompt plan \"Add login\"")),
        }
    }
}
