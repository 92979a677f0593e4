//! `agentd prompt`: the exact bytes that would be sent to an agent.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use log::warn;

use super::failure::{Failure, Kind, Outcome};
use super::input::{self, Assignment};
use crate::catalog::SystemTemplate;
use crate::models::envelope::Written;
use crate::models::prompt::{ContextKind, UnifiedPrompt};
use crate::orchestrator::prompts::{artifact_index, find_system_template, system_prompt};
use crate::template::nearest::nearest;
use crate::template::{Agent, OnMissing, Values, Variable};

/// The file that describes a project, read where the command runs.
const PROJECT_FILE: &str = "agentd/project.md";

/// Print the exact prompt that an agent would get in a phase.
///
/// The prompt is one XML document: the compiled system template of the phase, the context, and the
/// instructions. Nothing is sent anywhere.
///
/// PROJECT_CONTEXT is read from agentd/project.md and ARTIFACTS lists the --artifact files, unless given
/// with --var; a variable that nobody gives shows as "Context not provided" with a warning.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd prompt plan --agent claude \"Add login\"
  agentd prompt implement --agent codex --var TASKS=@tasks.md \"Do task 1.1\"
  git diff | agentd prompt review --agent gemini --file src/login.rs -")]
pub(super) struct Prompt {
    /// plan, challenge, implement, review or archive.
    phase: String,
    /// The agent: claude, gemini, codex, or any other name, which the BASE templates serve.
    #[arg(long, value_name = "AGENT", default_value = "base")]
    agent: String,
    /// A value of the template: PROJECT_CONTEXT, PROJECT_STRUCTURE, ARTIFACTS, SKELETON or TASKS.
    #[arg(long = "var", value_name = "NAME=VALUE|NAME=@FILE")]
    variables: Vec<Assignment>,
    /// Add a file of the project to the context.
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// Add something an earlier phase produced to the context.
    #[arg(long = "artifact", value_name = "PATH")]
    artifacts: Vec<PathBuf>,
    /// Add the reasoning of an earlier round to the context.
    #[arg(long = "thought", value_name = "PATH")]
    thoughts: Vec<PathBuf>,
    /// Fail when a variable of the template has no value.
    #[arg(long)]
    strict: bool,
    /// Print the size of each part on standard error.
    #[arg(long)]
    stats: bool,
    /// What the agent is to do; `-` reads it from standard input.
    instructions: String,
}

impl Prompt {
    pub(super) fn run(&self) -> Outcome {
        let template = self.template()?;
        let mut prompt = UnifiedPrompt::new(input::instructions(&self.instructions)?);
        let parts = [
            (ContextKind::File, &self.files),
            (ContextKind::Artifact, &self.artifacts),
            (ContextKind::Thought, &self.thoughts),
        ];
        for (kind, paths) in parts {
            for path in paths {
                prompt =
                    prompt.with_item(kind, path.display().to_string(), input::context_file(path)?);
            }
        }
        let given = self.values(template, &prompt)?;
        let values = given
            .iter()
            .fold(Values::new(), |values, (variable, value)| values.with(*variable, value));
        let on_missing = if self.strict { OnMissing::Refuse } else { OnMissing::Note };
        let prompt = prompt.with_system_prompt(system_prompt(template, &values, on_missing)?);
        let (xml, written) = prompt.to_verified_xml()?;
        if written.replaced > 0 {
            warn!("{} characters that XML forbids are shown as U+FFFD", written.replaced);
        }
        if self.stats {
            stats(&prompt, template, written)?;
        }
        let mut stdout = io::stdout().lock();
        stdout.write_all(xml.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    fn template(&self) -> Outcome<&'static SystemTemplate> {
        let template = find_system_template(&self.agent, &self.phase)?;
        if Agent::from_word(&self.agent.to_ascii_uppercase()).is_none() {
            if let Some(near) = nearest(&self.agent, Agent::WORDS.iter().copied()) {
                let message = format!("there is no agent `{}`", self.agent);
                let help = format!("did you mean `{}`?", near.to_ascii_lowercase());
                return Err(Failure::new(Kind::Usage, message).help(help));
            }
            warn!(
                "agent `{}` has no templates of its own: {} serves it",
                self.agent, template.file
            );
        }
        Ok(template)
    }

    /// Gathers the values: those given, and those that can be found.
    fn values(
        &self,
        template: &SystemTemplate,
        prompt: &UnifiedPrompt,
    ) -> Outcome<BTreeMap<Variable, String>> {
        let mut values = BTreeMap::new();
        for (name, value) in input::values(&self.variables)? {
            let variable = Variable::from_word(&name).ok_or_else(|| unknown_variable(&name))?;
            if !template.variables.contains(&variable) {
                warn!("{} does not use {variable}: the value is not in the prompt", template.file);
            }
            values.insert(variable, value);
        }
        if !values.contains_key(&Variable::ProjectContext) && Path::new(PROJECT_FILE).is_file() {
            values.insert(Variable::ProjectContext, input::text_file(Path::new(PROJECT_FILE))?);
        }
        if !values.contains_key(&Variable::Artifacts)
            && let Some(index) = artifact_index(prompt)
        {
            values.insert(Variable::Artifacts, index);
        }
        Ok(values)
    }
}

fn unknown_variable(name: &str) -> Failure {
    let failure = Failure::new(Kind::Usage, format!("there is no variable `{name}`"));
    match nearest(name, Variable::WORDS.iter().copied()) {
        Some(near) => failure.help(format!("did you mean `{near}`?")),
        None => failure.help(format!("the variables are {}", Variable::WORDS.join(", "))),
    }
}

/// Prints the size of each part as it was put in, and of the document as a whole.
fn stats(prompt: &UnifiedPrompt, template: &SystemTemplate, written: Written) -> io::Result<()> {
    let mut rows = vec![(
        format!("system_prompt {}", template.file),
        prompt.system_prompt.as_ref().map_or(0, String::len),
    )];
    for item in &prompt.context {
        let kind = match item.kind {
            ContextKind::File => "file",
            ContextKind::Artifact => "artifact",
            ContextKind::Thought => "thought",
        };
        rows.push((format!("{kind} {}", item.name), item.content.len()));
    }
    rows.push(("instructions".to_owned(), prompt.instructions.len()));
    let parts: usize = rows.iter().map(|(_, bytes)| bytes).sum();
    rows.push(("tags and escapes".to_owned(), written.bytes.saturating_sub(parts)));
    rows.push(("total".to_owned(), written.bytes));
    let mut stderr = anstream::stderr().lock();
    for (name, bytes) in rows {
        writeln!(stderr, "{bytes:>10} bytes  {name}")?;
    }
    Ok(())
}
