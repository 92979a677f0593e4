//! [`PromptBuilder`]: the one place where the parts of a prompt are joined, in five layers.

use log::warn;
use serde_json::Value;
use thiserror::Error;

use super::context_block::Block;
use super::join::{SEPARATOR, is_empty, join};
use super::memory::ProjectMemory;
#[cfg(feature = "compiler")]
use super::project::{ProjectPromptError, ProjectPrompts};
use super::system::SystemPromptSource;
use super::{block, depth, section};
use crate::catalog::{CATALOG, IdentityTemplate};
use crate::models::prompt::{ContextItem, ContextKind, UnifiedPrompt};
use crate::models::tool::{InvalidTool, Tool};
use crate::template::{Agent, OnMissing, Phase, RenderError, Scope, Tags, Values, frames};

/// Joins the parts of a prompt, whatever the order in which they were given: who the model is (1), what project
/// this is (2), rules (3, no longer used), what it is doing (4), and its tools (5).
///
/// What is empty leaves no trace. Building does not use a builder up; the same builder gives the same prompt. Only the
/// templates have tags: all other text is guarded, whichever layer it goes to.
#[derive(Default)]
pub struct PromptBuilder {
    project_id: Option<String>,
    strictness: Strictness,
    memory: Option<Box<dyn ProjectMemory>>,
    #[cfg(feature = "compiler")]
    project: Option<ProjectPrompts>,
    identity: String,
    /// The frames of layer 1 that no template of ours has, and that nothing else may make.
    frames: Vec<String>,
    project_context: String,
    phase_addition: String,
    context: Vec<Block>,
    tools: Vec<Tool>,
}

/// What a missing value means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// A required variable of an identity is empty, one of a phase is a note to the agent.
    #[default]
    Lenient,
    /// It is an error that names template and variable.
    Strict,
}

/// Why a part cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PromptError {
    /// A template lacks a value.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A section's data is not what its name asks for.
    #[error("the section `{section}` cannot be used: {reason}")]
    Section {
        /// The section.
        section: String,
        /// What is wrong with its data.
        reason: String,
    },
    /// A tool's definition is wrong.
    #[error(transparent)]
    Tool(#[from] InvalidTool),
    /// A prompt of the project cannot be used.
    #[cfg(feature = "compiler")]
    #[error(transparent)]
    Project(#[from] ProjectPromptError),
}

impl std::fmt::Debug for PromptBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let context: Vec<_> = self.context.iter().map(|block| block.item.name.as_str()).collect();
        f.debug_struct("PromptBuilder").field("context", &context).finish_non_exhaustive()
    }
}

impl PromptBuilder {
    /// Starts an empty prompt; the id says which project the memory is asked about.
    pub fn new(project_id: Option<&str>) -> Self {
        Self { project_id: project_id.map(str::to_owned), ..Self::default() }
    }

    /// Uses a memory for [`Self::load_project_context`].
    #[must_use]
    pub fn with_memory(mut self, memory: impl ProjectMemory + 'static) -> Self {
        self.memory = Some(Box::new(memory));
        self
    }

    /// Uses a project's own prompts: its identities serve before ours, its additions join the phases' prompts.
    #[cfg(feature = "compiler")]
    #[must_use]
    pub fn with_project_prompts(mut self, project: ProjectPrompts) -> Self {
        self.project = Some(project);
        self
    }

    /// Sets what a missing value means.
    #[must_use]
    pub fn with_strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Sets layer 1 to an identity. A name that nobody has leaves it empty, which is logged.
    pub fn set_identity(
        &mut self,
        name: &str,
        variables: &dyn Scope,
    ) -> Result<&mut Self, PromptError> {
        let rendered = self.render_template(name, variables)?;
        if rendered.is_none() {
            warn!("there is no identity `{name}`: the prompt has none");
        }
        self.identity = rendered.unwrap_or_default();
        self.frames.clear();
        Ok(self)
    }

    /// Sets layer 1 to the system prompt of an agent and a phase; what the project adds to it joins layer 2.
    pub fn set_phase(
        &mut self,
        agent: Agent,
        phase: Phase,
        values: &Values<'_>,
    ) -> Result<&mut Self, PromptError> {
        self.set_system_template(CATALOG.system(agent, phase), values)
    }

    /// Sets layer 1 to a system template, compiled in or of a flow's own. What the project adds to the phase of one that is
    /// compiled in joins layer 2.
    pub fn set_system_template<'t>(
        &mut self,
        template: impl Into<SystemPromptSource<'t>>,
        values: &Values<'_>,
    ) -> Result<&mut Self, PromptError> {
        let on_missing = match self.strictness {
            Strictness::Lenient => OnMissing::Note,
            Strictness::Strict => OnMissing::Refuse,
        };
        let template = template.into();
        self.identity = without_end(template.render(values, on_missing)?);
        self.frames = match template {
            SystemPromptSource::BuiltIn(_) => Vec::new(),
            SystemPromptSource::Own(own) => {
                let names = frames(&own.text).names.into_iter();
                names.filter(|name| !CATALOG.tags.contains(name)).map(str::to_owned).collect()
            }
        };
        self.phase_addition = match template.phase() {
            Some(phase) => self.addition(phase)?,
            None => String::new(),
        };
        Ok(self)
    }

    /// Sets layer 1 to a prompt of the team, and layer 2 to the ground that all of them share, which ends as files do:
    /// with a line break.
    pub fn set_team_prompt(&mut self, prompt: String, context: String) -> &mut Self {
        self.identity = without_end(prompt);
        self.frames.clear();
        self.project_context = without_end(context);
        self.project_context.push('\n');
        self
    }

    #[cfg(feature = "compiler")]
    fn addition(&mut self, phase: Phase) -> Result<String, PromptError> {
        let Some(project) = &mut self.project else { return Ok(String::new()) };
        let text = project.phase(phase)?.unwrap_or_default().trim_end();
        Ok(CATALOG.tags.guard(text).into_owned())
    }

    #[cfg(not(feature = "compiler"))]
    #[expect(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "with the compiler it reads a file"
    )]
    fn addition(&mut self, _phase: Phase) -> Result<String, PromptError> {
        Ok(String::new())
    }

    /// Sets layer 2 to what the memory knows of the project. Without a memory, or when it fails, the layer is
    /// empty; a failure is logged.
    pub fn load_project_context(&mut self) -> &mut Self {
        let recalled = self.memory.as_ref().map(|memory| memory.recall(self.project_id.as_deref()));
        let memories = match recalled {
            Some(Ok(memories)) => memories,
            Some(Err(error)) => {
                warn!("the project's memory cannot be read and is left out of the prompt: {error}");
                Vec::new()
            }
            None => Vec::new(),
        };
        let known = memories.iter().filter(|memory| !is_empty(&memory.content));
        let parts: Vec<_> = known
            .map(|memory| format!("## {}\n\n{}", memory.name, memory.content.trim()))
            .map(|text| CATALOG.tags.guard(&text).into_owned())
            .collect();
        self.project_context = join(parts.iter().map(String::as_str), "\n\n");
        self
    }

    /// Does nothing: rules have no layer of their own any more.
    #[deprecated = "rules come with `add_context_section(\"task_depth\", …)` and with the project's prompts"]
    pub fn load_relevant_rules(&mut self, _query: &str) -> &mut Self {
        self
    }

    /// Adds a block to layer 4; an empty one changes nothing. Its name is not printed; as part of a document it is
    /// an artifact.
    pub fn add_context(&mut self, name: &str, content: &str) -> &mut Self {
        if is_empty(content) { self } else { self.add_artifact(name, content) }
    }

    /// Adds data to layer 4 as Markdown: a heading and a line for each key, sorted.
    ///
    /// The section `task_depth` is special: `{depth, max_depth, max_steps}` choose the rules for a task at that
    /// depth, which are added as `execution_rules`.
    pub fn add_context_section(
        &mut self,
        name: &str,
        data: &Value,
    ) -> Result<&mut Self, PromptError> {
        if name != block::TASK_DEPTH {
            return Ok(self.add_context(name, &section::render(name, data)));
        }
        let rules = depth::rules(data)
            .map_err(|reason| PromptError::Section { section: name.to_owned(), reason })?;
        let values: std::collections::HashMap<_, _> =
            rules.values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let text = self.render_template(rules.template, &values)?.unwrap_or_default();
        if !is_empty(&text) {
            let (kind, name) = (ContextKind::Artifact, block::EXECUTION_RULES.to_owned());
            self.context.push(Block::new(ContextItem { kind, name, content: text }, true));
        }
        Ok(self)
    }

    /// Adds a piece of context of any kind to layer 4.
    pub fn add_item(&mut self, item: ContextItem) -> &mut Self {
        self.context.push(Block::new(item, false));
        self
    }

    /// Adds a file of the project to layer 4.
    pub fn add_file(&mut self, path: &str, content: &str) -> &mut Self {
        self.add(ContextKind::File, path, content)
    }

    /// Adds something that an earlier phase or round produced to layer 4.
    pub fn add_artifact(&mut self, name: &str, content: &str) -> &mut Self {
        self.add(ContextKind::Artifact, name, content)
    }

    /// Adds the reasoning of an earlier round to layer 4.
    pub fn add_thought(&mut self, name: &str, content: &str) -> &mut Self {
        self.add(ContextKind::Thought, name, content)
    }

    fn add(&mut self, kind: ContextKind, name: &str, content: &str) -> &mut Self {
        self.add_item(ContextItem { kind, name: name.to_owned(), content: content.to_owned() })
    }

    /// Sets layer 5, after checking every definition.
    pub fn set_core_tools(&mut self, tools: Vec<Tool>) -> Result<&mut Self, PromptError> {
        tools.iter().try_for_each(Tool::validate)?;
        self.tools = tools;
        Ok(self)
    }

    /// The same as [`Self::set_core_tools`].
    pub fn set_tools(&mut self, tools: Vec<Tool>) -> Result<&mut Self, PromptError> {
        self.set_core_tools(tools)
    }

    /// Returns the system prompt, which is layers 1 to 4, and the tools.
    pub fn build(&self) -> (String, Vec<Tool>) {
        (self.build_task_prompt(), self.tools.clone())
    }

    /// Returns layers 1 to 4 as one flat prompt, for an agent that takes no system prompt of its own.
    pub fn build_task_prompt(&self) -> String {
        let layer_2 = self.layer_2();
        let tags = self.tags_beside(CATALOG.tags);
        let context: Vec<_> = self.context.iter().map(|block| block.text(tags.as_ref())).collect();
        let fixed = [self.identity.as_str(), layer_2.as_str()];
        join(fixed.into_iter().chain(context.iter().map(AsRef::as_ref)), SEPARATOR)
    }

    /// Returns what [`Self::build_task_prompt`] gives, and uses the builder up for it: layer 1 is not copied again.
    pub fn into_task_prompt(mut self) -> String {
        if is_empty(&self.identity) {
            return self.build_task_prompt();
        }
        let mut text = std::mem::take(&mut self.identity);
        let rest = self.build_task_prompt();
        if !rest.is_empty() {
            text.push_str(SEPARATOR);
            text.push_str(&rest);
        }
        text
    }

    /// Returns the prompt as a document: layers 1 and 2 are its system prompt, layer 4 its context in the order of
    /// the calls, and the tools its last artifact.
    pub fn build_unified(&self, instructions: &str) -> UnifiedPrompt {
        let system = join([self.identity.as_str(), self.layer_2().as_str()].into_iter(), SEPARATOR);
        let mut context: Vec<_> = self.context.iter().map(|block| block.item.clone()).collect();
        if !self.tools.is_empty() {
            let content = serde_json::to_string_pretty(&self.tools).unwrap_or_default();
            context.push(ContextItem {
                kind: ContextKind::Artifact,
                name: block::TOOLS.to_owned(),
                content,
            });
        }
        let system_prompt = (!system.is_empty()).then_some(system);
        UnifiedPrompt { system_prompt, context, instructions: instructions.to_owned() }
    }

    fn layer_2(&self) -> String {
        let text =
            join([self.project_context.as_str(), self.phase_addition.as_str()].into_iter(), "\n\n");
        // It was guarded against the tags of the catalog when it was set.
        match self.tags_beside(&Tags::NONE) {
            Some(tags) => tags.guard(&text).into_owned(),
            None => text,
        }
    }

    /// Returns some tags together with the frames of layer 1 that are not in the catalog, if there are any.
    fn tags_beside(&self, tags: &Tags<'static>) -> Option<Tags<'_>> {
        let frames = self.frames.iter().map(String::as_str);
        (!self.frames.is_empty()).then(|| tags.with(frames))
    }

    /// Returns the text of an identity without its frontmatter; a name that nobody has is `None`.
    pub fn get_template(&mut self, name: &str) -> Result<Option<String>, PromptError> {
        #[cfg(feature = "compiler")]
        if let Some(project) = &mut self.project
            && let Some(unit) = project.identity(canonical(name))?
        {
            return Ok(Some(unit.body.clone()));
        }
        Ok(CATALOG.identity(name).map(|template| template.body.to_owned()))
    }

    /// Renders an identity; a name that nobody has is `None`. A line break at its end is left out.
    pub fn render_template(
        &mut self,
        name: &str,
        variables: &dyn Scope,
    ) -> Result<Option<String>, PromptError> {
        let on_missing = match self.strictness {
            Strictness::Lenient => OnMissing::Empty,
            Strictness::Strict => OnMissing::Refuse,
        };
        #[cfg(feature = "compiler")]
        if let Some(project) = &mut self.project
            && let Some(unit) = project.identity(canonical(name))?
        {
            return Ok(Some(without_end(unit.render(variables, on_missing, CATALOG.tags)?)));
        }
        let render = |template: &'static IdentityTemplate| template.render(variables, on_missing);
        Ok(CATALOG.identity(name).map(render).transpose()?.map(without_end))
    }

    /// Reads the project's prompts again when they are next asked for.
    pub fn reload(&mut self) -> &mut Self {
        #[cfg(feature = "compiler")]
        if let Some(project) = &mut self.project {
            project.reload();
        }
        self
    }
}

/// Returns the name under which a project overrides an identity: ours, where an alias was asked for.
#[cfg(feature = "compiler")]
fn canonical(name: &str) -> &str {
    CATALOG.identity(name).map_or(name, |template| template.name)
}

/// Leaves out the line break that ends every file.
fn without_end(mut text: String) -> String {
    text.truncate(text.trim_end_matches('\n').len());
    text
}
