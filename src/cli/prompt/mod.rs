//! `agentd prompt`: the prompt of a phase, an identity or a member of a team. A phase's prompt is a document, the
//! others are text; the builder creates all of them.

mod identity;
mod phase;
mod team;

use clap::{ArgGroup, Args};

use super::input::Assignment;
use crate::cli::{Failure, Outcome};
use crate::models::change::ChangeId;
use crate::prompt::memory::FileMemory;
use crate::prompt::project::ProjectPrompts;
use crate::prompt::{PromptBuilder, Strictness};
use crate::template::Phase;

/// The folder of a project's own prompts, relative to the current folder.
const PROJECT_PROMPTS: &str = "agentd/prompts";

/// Print a prompt: the one that a run of a change sends next, or one that is built from your input.
///
/// With --change and a PHASE it is the XML document that a run of the change sends next, byte for byte, and the phase
/// must be the next one. For a change that is not started, INSTRUCTIONS are its request; otherwise they extend it, as
/// with `agentd run`. What is unknown before the run is named on standard error: the output of checks that run first,
/// the files of an interrupted phase, the results of setting up a workspace. The number of the run's folder is in no
/// prompt.
///
/// With --role or --command it is the prompt of a member of the team for a change, byte for byte as a run writes it
/// into the change's folder if that is next, except for the time in state.json. Otherwise it is built from the change's
/// current files, and standard error says what a run would do first.
///
/// With a PHASE alone it is a document built from your input: the compiled system template of the phase, the context,
/// and the instructions. PROJECT_CONTEXT is read from agentd/project.md and ARTIFACTS lists the --artifact files,
/// unless given with --var; a variable without a value shows as "Context not provided" with a warning. Contents that
/// only a change has are missing: its files, the specs, the diff, the tree of its workspace and the skeleton of the
/// files to write.
///
/// With --identity it is text in layers: who the model is, the project (profile.md, CLAUDE.md and README.md), and the
/// current task. With --tools it is JSON.
///
/// A project's own prompts in agentd/prompts are used. Nothing is sent.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("prompt").args(["words", "identity", "role", "command"]).required(true).multiple(true)),
    override_usage = "agentd prompt <PHASE> --change <ID> [--agent <AGENT>] [INSTRUCTIONS]\n       \
                      agentd prompt [OPTIONS] <PHASE> <INSTRUCTIONS>\n       \
                      agentd prompt [OPTIONS] --identity <NAME> [INSTRUCTIONS]\n       \
                      agentd prompt --role <ROLE>|--command <COMMAND> --change <ID> [--plan <N>|--whole] [--topic <TOPIC>]",
    after_help = "\
Examples:
  agentd prompt plan --change add-login \"Add login\"
  agentd prompt review --change add-login
  agentd prompt plan --agent claude \"Add login\"
  agentd prompt implement --agent codex --var TASKS=@tasks.md \"Do task 1.1\"
  git diff | agentd prompt review --agent gemini --file src/login.rs -
  agentd prompt --identity task-agent --var project_name=shop --var workspace_dir=. --depth 1 \"Add login\"
  agentd prompt --role coder --plan 2 --change add-login
  agentd prompt --command review --change add-login"
)]
pub(super) struct Prompt {
    /// The phase (plan, challenge, implement, review or archive) and what the agent should do; with --identity only the
    /// latter. `-` reads the instructions from standard input.
    #[arg(value_name = "PHASE|INSTRUCTIONS", num_args = 0..=2)]
    words: Vec<String>,
    /// An identity instead of a phase: supervisor, task-agent, hook-executor, or one of the project.
    #[arg(long, value_name = "NAME")]
    identity: Option<String>,
    /// A value of the template: NAME=VALUE or NAME=@FILE.
    #[arg(long = "var", value_name = "NAME=VALUE|NAME=@FILE")]
    variables: Vec<Assignment>,
    /// Fail when a variable of the template has no value.
    #[arg(long)]
    strict: bool,
    /// The change whose next prompt is printed.
    #[arg(long, value_name = "ID", conflicts_with_all = ["identity", "variables", "strict"])]
    change: Option<ChangeId>,
    #[command(flatten)]
    phase_options: phase::PhaseOptions,
    #[command(flatten)]
    identity_options: identity::IdentityOptions,
    #[command(flatten)]
    team_options: team::TeamOptions,
}

impl Prompt {
    pub(super) fn run(&self) -> Outcome {
        if let Some(request) = self.team_options.request(self.change.as_ref())? {
            return request.run();
        }
        if let Some(change) = &self.change {
            return self.phase_of(change);
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
            (Some(identity), [] | [_]) => {
                let instructions = words.first().copied();
                self.identity_options.run(identity, instructions, &self.variables, builder)
            }
            (Some(_), [phase, ..]) => Err(Failure::usage(
                format!("the phase `{phase}` cannot be used with `--identity`"),
                "give the instructions alone",
            )),
            (None, [word]) if Phase::from_word(word).is_some() => Err(Failure::usage(
                format!("the phase `{word}` needs instructions"),
                format!("say what the agent is to do: agentd prompt {word} \"Add login\""),
            )),
            (None, _) => Err(Failure::usage(
                "a phase and instructions are needed",
                "for example: agentd prompt plan \"Add login\"",
            )),
        }
    }

    /// Prints the prompt of a change's phase.
    fn phase_of(&self, change: &ChangeId) -> Outcome {
        let (phase, text) = match self.words.as_slice() {
            [phase] => (phase, None),
            [phase, text] => (phase, Some(text.as_str())),
            _ => {
                return Err(Failure::usage(
                    "`--change` needs a phase, `--role` or `--command`",
                    format!("for example: agentd prompt plan --change {change}"),
                ));
            }
        };
        self.phase_options.run_of_change(phase, change, text)
    }
}
