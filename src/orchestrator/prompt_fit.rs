//! The prompt of a phase, complete, and as large as the agent takes.

use std::path::Path;

use super::agents::AgentError;
use super::caller::Orchestrator;
use super::command::RunContext;
use super::error::RunError;
use super::prompts::inputs::LeftOut;
use super::prompts::materials::{Site, gather};
use super::prompts::{assemble, own_template, system_template};
use super::watch::Event;
use crate::catalog::CATALOG;
use crate::flow::{Prompt, Step};
use crate::models::agent::Permissions;
use crate::models::change::ChangeId;
use crate::models::prompt::UnifiedPrompt;
use crate::prompt::project::ProjectPrompts;
use crate::prompt::{PromptBuilder, SystemPromptSource};
use crate::template::{OwnTemplate, Phase};

/// The request of a phase, complete.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The prompt.
    pub prompt: UnifiedPrompt,
    /// The file of the template that its system prompt was made from.
    pub template: String,
    /// Its document.
    pub document: String,
    /// What the prompt would hold if the agent took more.
    pub left_out: Vec<LeftOut>,
}

impl Orchestrator {
    /// Puts together what [`Self::run`] sends, by the same steps, and returns it as the agent would read it on its
    /// standard input. Refuses what would be refused, and sends nothing.
    pub fn outgoing(
        &self,
        change_id: &ChangeId,
        step: &Step,
        instructions: &str,
    ) -> Result<Composed, RunError> {
        self.refuse_unsupported(step)?;
        let composed = self.compose(change_id, step, instructions)?;
        let change = self.change_folder(change_id);
        // What is sent does not depend on the run's folder, which gets its number when the run begins.
        let occasion = RunContext {
            change: &change,
            run_folder: &change.join("runs"),
            prompt: &composed.document,
            server: None,
        };
        let invocation = self.invocation(step, &occasion);
        let document = invocation.map_err(|error| self.failed(error, None))?.stdin;
        Ok(Composed { document, ..composed })
    }

    /// Puts together the request of a phase; the agent's adapter makes what is sent of its document.
    pub(super) fn compose(
        &self,
        change_id: &ChangeId,
        step: &Step,
        instructions: &str,
    ) -> Result<Composed, RunError> {
        let template = self.system_template(step)?;
        let (prompt, left_out) = self.fitting_prompt(change_id, step, template, instructions)?;
        let (document, _) = prompt.to_verified_xml()?;
        Ok(Composed { prompt, template: template.file().to_owned(), document, left_out })
    }

    /// Puts together the prompt that a phase would send, without sending it.
    pub fn prompt(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<UnifiedPrompt, RunError> {
        Ok(self.compose(change_id, CATALOG.step(phase), instructions)?.prompt)
    }

    /// Puts together the prompt of a template's phase, and lists what was left out of it.
    fn fitting_prompt(
        &self,
        change_id: &ChangeId,
        step: &Step,
        template: SystemPromptSource<'_>,
        instructions: &str,
    ) -> Result<(UnifiedPrompt, Vec<LeftOut>), RunError> {
        let change = self.change_folder(change_id);
        let site = Site {
            project: &self.place.project,
            workspace: &self.place.workspace,
            change: &change,
            named: &self.place.named_changes().join(change_id.as_str()),
        };
        let mut materials = gather(step, &site, self.agent.delivers, &self.supplied)?;
        let mut left_out = Vec::new();
        loop {
            let prompts = ProjectPrompts::new(self.place.project.join("agentd/prompts"));
            let builder = PromptBuilder::new(None).with_project_prompts(prompts);
            let prompt = assemble(template, &materials, instructions, builder)?;
            if self.takes(&prompt) {
                return Ok((prompt, left_out));
            }
            match materials.leave_out() {
                Some(left) => {
                    self.watch.event(&Event::LeftOut { left: &left });
                    left_out.push(left);
                }
                // Whoever sends it is told that it is too large.
                None => return Ok((prompt, left_out)),
            }
        }
    }

    /// Returns the template that serves the agent in a step, and logs where BASE does.
    fn system_template(&self, step: &Step) -> Result<SystemPromptSource<'_>, RunError> {
        let (family, agent) = (self.agent.family, self.agent.name.as_str());
        let found = match step.prompt {
            Some(Prompt::System(phase)) => Some(system_template(family, agent, phase).into()),
            Some(Prompt::Own) => {
                own_template(family, agent, &step.name, &self.templates).map(Into::into)
            }
            Some(Prompt::Role(_) | Prompt::Command(_)) | None => None,
        };
        found.ok_or_else(|| RunError::NoTemplate { step: step.name.to_string() })
    }

    /// Returns the file of the template that serves the agent in a step, and its hash.
    pub(super) fn template_of(&self, step: &Step) -> (String, String) {
        let (file, hash) = match step.prompt {
            Some(Prompt::System(phase)) => {
                let template = CATALOG.system(self.agent.family, phase);
                (template.file, template.hash)
            }
            Some(Prompt::Own | Prompt::Role(_) | Prompt::Command(_)) | None => {
                let own = OwnTemplate::serving(&self.templates, self.agent.family, &step.name);
                own.map_or(("", ""), |own| (&own.file, &own.hash))
            }
        };
        (file.to_owned(), hash.to_owned())
    }

    /// Returns whether the agent takes a prompt of this size.
    fn takes(&self, prompt: &UnifiedPrompt) -> bool {
        let nowhere = Path::new("");
        let prompt = prompt.to_xml();
        let occasion =
            RunContext { change: nowhere, run_folder: nowhere, prompt: &prompt, server: None };
        let invocation = self.command_with(Permissions::Read, &occasion);
        !matches!(invocation, Err(AgentError::PromptTooLarge { .. }))
    }
}
