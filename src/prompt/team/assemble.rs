//! Puts one prompt together: the template with the project's text spliced in, values, the files it includes, and the
//! context after it. One pass; what was put in is never looked at again, and can make no tag.

use super::error::TeamPromptError;
use super::extension;
use super::session::TeamSession;
use super::values::TeamValues;
use crate::catalog::{CATALOG, TEAM, TeamTemplate};
use crate::prompt::PromptBuilder;
use crate::prompt::session::Session;
use crate::template::{
    Dialect, Node, OnMissing, Parsed, Placeholder, RenderError, Scope as _, Tags, TeamPrompt,
    Value, parse, render,
};

/// What most prompts take beyond their template and values: the files that they include. More would be memory that is
/// asked of the system and given back for every prompt.
const ROOM_FOR_FILES: usize = 8 << 10;

/// Makes the text of a prompt, which ends with a line break.
pub(super) fn assemble(
    session: &TeamSession,
    files: &Session,
    template: &'static TeamTemplate,
    values: &TeamValues,
) -> Result<String, TeamPromptError> {
    let extension = extension::read(&session.project_root, template.prompt)?;
    let added = parse(&extension, &Dialect::extension(template.extension_names));
    let ground = TEAM.get(TeamPrompt::Context);
    let context = rendered(ground, &Parsed::default(), values, files, 2 * ground.text.len())?;
    let room = template.text.len() + extension.len() + values.size() + context.len();
    let prompt = rendered(template, &added, values, files, room + ROOM_FOR_FILES)?;
    let mut builder = PromptBuilder::new(None);
    builder.set_team_prompt(prompt, context);
    for answer in &session.facts.answers {
        builder.add_context("answer", &format!("## A person's answer\n\n{answer}\n"));
    }
    if let Some(checks) = &session.facts.checks {
        builder.add_context("checks", &format!("## Checks that failed before\n\n{checks}\n"));
    }
    Ok(builder.into_task_prompt())
}

fn rendered(
    template: &'static TeamTemplate,
    added: &Parsed<'_>,
    values: &TeamValues,
    files: &Session,
    room: usize,
) -> Result<String, RenderError> {
    let mut text = String::with_capacity(room);
    let is_extension_point =
        |node: &Node<'_>| *node == Node::Hole(Placeholder::ProjectInstructions.word());
    for (number, nodes) in template.nodes.split(is_extension_point).enumerate() {
        if number > 0 {
            extend(template, added, values, files, &mut text)?;
        }
        let refuse = OnMissing::Refuse;
        render(template.file, nodes, values, files, refuse, CATALOG.tags, &mut text)?;
    }
    Ok(text)
}

/// Adds the project's text. It is guarded together with the foreign values in it, since a tag could be half of the one
/// and half of the other.
fn extend(
    template: &'static TeamTemplate,
    added: &Parsed<'_>,
    values: &TeamValues,
    files: &Session,
    text: &mut String,
) -> Result<(), RenderError> {
    let mut start = text.len();
    for (node, _) in &added.nodes {
        let is_own =
            matches!(node, Node::Hole(name) if matches!(values.value(name), Some(Value::Own(_))));
        if is_own {
            CATALOG.tags.guard_from(start, text);
        }
        render(template.file, [node], values, files, OnMissing::Refuse, &Tags::NONE, text)?;
        if is_own {
            start = text.len();
        }
    }
    CATALOG.tags.guard_from(start, text);
    Ok(())
}
