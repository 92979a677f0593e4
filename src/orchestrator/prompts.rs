//! What goes into each phase's prompt, decided here alone: the system template for an agent and a phase
//! with its values, the change's files in the context (the table is in `artifacts`), and the instructions.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod inputs;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod materials;

use log::debug;
use thiserror::Error;

use crate::catalog::{CATALOG, SystemTemplate};
#[cfg(feature = "cli")]
use crate::models::prompt::UnifiedPrompt;
use crate::models::prompt::{ContextItem, ContextKind};
use crate::prompt::missing;
#[cfg(feature = "cli")]
use crate::prompt::{PromptBuilder, PromptError, SystemPromptSource};
#[cfg(feature = "cli")]
use crate::template::OwnTemplate;
#[cfg(feature = "cli")]
use crate::template::Values;
use crate::template::nearest::meant;
use crate::template::own::lenient_nodes;
use crate::template::{Agent, NoIncludes, OnMissing, Phase, Scope, frames, render};

/// There is neither a template for the agent and phase nor a BASE template for the phase.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("no template for agent `{agent}` in phase `{phase}`: tried {}", named(tried))]
#[non_exhaustive]
pub struct TemplateNotFound {
    /// The agent, as it was asked for.
    pub agent: String,
    /// The phase, as it was asked for.
    pub phase: String,
    /// The two files that would have served.
    pub tried: [String; 2],
    /// What was probably meant.
    pub help: String,
}

fn named([own, base]: &[String; 2]) -> String {
    if own == base { format!("`{base}`") } else { format!("`{own}` and `{base}`") }
}

impl TemplateNotFound {
    fn new(agent: &str, phase: &str) -> Self {
        let tried =
            [format!("{}-{phase}.md", agent.to_ascii_uppercase()), format!("BASE-{phase}.md")];
        let help = meant(phase, Phase::WORDS.iter().copied())
            .unwrap_or_else(|| format!("the phases are {}", Phase::WORDS.join(", ")));
        Self { agent: agent.to_owned(), phase: phase.to_owned(), tried, help }
    }
}

/// Picks the template that serves an agent in a phase. Every prompt of a run begins here.
///
/// An agent whose family has no template for the phase, or that is of no family, is served by BASE, which is
/// logged.
#[doc(hidden)]
#[cfg(feature = "cli")]
pub fn system_template(family: Agent, agent: &str, phase: Phase) -> &'static SystemTemplate {
    let asked = if family == Agent::Base { agent } else { family.word() };
    let template = CATALOG.system(family, phase);
    log_base_fallback(&asked.to_ascii_uppercase(), template);
    template
}

/// Picks the template of a flow's own that serves an agent in a step, by the rules of [`system_template`]. None means that the
/// step has no template, which the compiler does not let pass.
#[doc(hidden)]
#[cfg(feature = "cli")]
pub fn own_template<'t>(
    family: Agent,
    agent: &str,
    step: &str,
    templates: &'t [OwnTemplate],
) -> Option<&'t OwnTemplate> {
    let template = OwnTemplate::serving(templates, family, step)?;
    let asked = if family == Agent::Base { agent } else { family.word() }.to_ascii_uppercase();
    if template.agent == Agent::Base && asked != Agent::Base.word() {
        debug!("no template {asked}-{step}.md, falling back to {}", template.file);
    }
    Some(template)
}

/// Finds the template for names that come from outside; the agent's name may be in any case.
///
/// An agent without a template of its own for the phase, known or not, is served by BASE, which is logged.
pub fn find_system_template(
    agent: &str,
    phase: &str,
) -> Result<&'static SystemTemplate, TemplateNotFound> {
    let asked = agent.to_ascii_uppercase();
    let template = CATALOG
        .find(&asked, phase)
        .or_else(|| CATALOG.find(Agent::Base.word(), phase))
        .ok_or_else(|| TemplateNotFound::new(agent, phase))?;
    log_base_fallback(&asked, template);
    Ok(template)
}

/// Logs that BASE serves where a template was asked for that does not exist.
fn log_base_fallback(asked: &str, template: &SystemTemplate) {
    let phase = template.phase.word();
    let has_own = || CATALOG.find(asked, phase).is_some_and(|own| own.agent != Agent::Base);
    if template.agent == Agent::Base && asked != Agent::Base.word() && !has_own() {
        debug!("no template {asked}-{phase}.md, falling back to {}", template.file);
    }
}

/// Loads the text of the template for an agent and a phase, with its shared fragments in place.
///
/// ```
/// use agentd::orchestrator::prompts::load_system_template;
///
/// assert!(load_system_template("CLAUDE", "implement").unwrap().contains("Claude Sonnet"));
/// let error = load_system_template("claude", "plam").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no template for agent `claude` in phase `plam`: tried `CLAUDE-plam.md` and `BASE-plam.md`"
/// );
/// assert_eq!(error.help, "did you mean `plan`?");
/// ```
pub fn load_system_template(agent: &str, phase: &str) -> Result<&'static str, TemplateNotFound> {
    find_system_template(agent, phase).map(|template| template.text)
}

/// Replaces every `{{VARIABLE}}` of a system template in one pass. Values are not scanned again.
///
/// A variable without a value becomes `Context not provided: NAME`, and a warning is logged. A marker
/// that is not well formed stays as it is. A value can make none of our tags, and close no frame of the text.
///
/// ```
/// use std::collections::HashMap;
/// use agentd::orchestrator::prompts::inject_variables;
///
/// let context = HashMap::from([("TASKS".to_owned(), "1.1 {{ARTIFACTS}}".to_owned())]);
/// assert_eq!(
///     inject_variables("{{TASKS}} / {{SKELETON}}", &context),
///     "1.1 {{ARTIFACTS}} / Context not provided: SKELETON"
/// );
/// ```
pub fn inject_variables(template: &str, context: &impl Scope) -> String {
    let nodes = lenient_nodes(template);
    let mut out = String::new();
    let tags = CATALOG.tags.with(frames(template).names);
    let name = "the given text";
    let missing = render(name, &nodes, context, &NoIncludes, OnMissing::Note, &tags, &mut out);
    // Only text and holes are left, and a hole without a value becomes a note: there is no error.
    missing.unwrap_or_default().into_iter().for_each(missing::warn_of);
    out
}

/// Lists the artifacts among a prompt's context, where their contents stand, for the variable `ARTIFACTS`.
#[doc(hidden)]
pub fn artifact_index(context: &[ContextItem]) -> Option<String> {
    let artifacts = context.iter().filter(|item| item.kind == ContextKind::Artifact);
    let lines: Vec<_> =
        artifacts.map(|item| format!("- `{}` ({} bytes)", item.name, item.content.len())).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Puts the prompt of a step together from its template and its materials.
#[doc(hidden)]
#[cfg(feature = "cli")]
pub fn assemble<'t>(
    template: impl Into<SystemPromptSource<'t>>,
    materials: &inputs::PromptInputs,
    instructions: &str,
    mut builder: PromptBuilder,
) -> Result<UnifiedPrompt, PromptError> {
    let values = materials.values();
    let values = values
        .iter()
        .fold(Values::new(), |values, (variable, value)| values.with(*variable, value));
    builder.set_system_template(template, &values)?;
    for item in materials.context() {
        builder.add_item(item.clone());
    }
    Ok(builder.build_unified(instructions))
}
