//! The prompt of a phase, complete, and as large as the agent takes.

use std::path::Path;

use super::agents::AgentError;
use super::caller::Orchestrator;
use super::error::RunError;
use super::invocation::Occasion;
use super::prompts::assemble;
use super::prompts::budget::LeftOut;
use super::prompts::materials::{Site, gather};
use super::watch::Event;
use crate::models::agent::Permissions;
use crate::models::change::ChangeId;
use crate::models::prompt::UnifiedPrompt;
use crate::prompt::PromptBuilder;
use crate::prompt::project::ProjectPrompts;
use crate::template::Phase;

impl Orchestrator {
    /// Puts together the prompt that a phase would send, without sending it.
    pub fn prompt(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<UnifiedPrompt, RunError> {
        Ok(self.fitting_prompt(change_id, phase, instructions)?.0)
    }

    /// Puts together the prompt of a phase, and lists what was left out of it.
    pub(super) fn fitting_prompt(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<(UnifiedPrompt, Vec<LeftOut>), RunError> {
        let change = self.change_folder(change_id);
        let site = Site {
            project: &self.place.project,
            workspace: &self.place.workspace,
            change: &change,
        };
        let mut materials = gather(phase, &site, self.agent.delivers, &self.supplied)?;
        let mut left_out = Vec::new();
        loop {
            let prompts = ProjectPrompts::new(self.place.project.join("agentd/prompts"));
            let builder = PromptBuilder::new(None).with_project_prompts(prompts);
            let prompt = assemble(self.agent.family, phase, &materials, instructions, builder)?;
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

    /// Says whether the agent takes a prompt of this size.
    fn takes(&self, prompt: &UnifiedPrompt) -> bool {
        let nowhere = Path::new("");
        let prompt = prompt.to_xml();
        let occasion =
            Occasion { change: nowhere, run_folder: nowhere, prompt: &prompt, server: None };
        let invocation = self.permitted(Permissions::Read, &occasion);
        !matches!(invocation, Err(AgentError::PromptTooLarge { .. }))
    }
}
