//! What a prompt asks the offline agent for: the phase, the artifacts and where the files go, all from the prompt alone.

use super::{Played, Unplayable, placed, said};
use crate::catalog::{CATALOG, SystemTemplate};
use crate::models::agent::Delivers;
use crate::models::change::ChangeId;
use crate::models::prompt::{ContextKind, UnifiedPrompt};
use crate::prompt::ask_for_verdict::ask_for_verdict;
use crate::template::{Node, Phase, Variable};

/// A prompt, and what it asks for.
pub(super) struct Request {
    pub(super) prompt: UnifiedPrompt,
    pub(super) wish: Wish,
}

/// What a prompt asks for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish {
    /// A phase, with the prompt that was compiled from this template.
    Phase(&'static SystemTemplate),
    /// The verdict alone of an answer in this phase.
    Verdict(Phase),
}

/// Where the files of a phase go.
pub(super) struct Skeleton {
    pub(super) change: ChangeId,
    pub(super) delivers: Delivers,
    /// What stands before the names of files; nothing where they are printed.
    root: String,
}

impl Request {
    pub(super) fn read(document: &str) -> Result<Self, Unplayable> {
        let prompt = UnifiedPrompt::from_xml(document)?;
        let system = prompt.system_prompt.as_deref().unwrap_or_default();
        let wish = wish(system).ok_or(Unplayable::UnknownPhase)?;
        Ok(Self { prompt, wish })
    }

    /// Returns an artifact by its name.
    pub(super) fn artifact(&self, name: &str) -> Option<&str> {
        self.artifacts().find(|(known, _)| *known == name).map(|(_, content)| content)
    }

    /// Returns the specs of the change: their names and texts.
    pub(super) fn specs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.artifacts().filter(|(name, _)| name.starts_with("specs/"))
    }

    fn artifacts(&self) -> impl Iterator<Item = (&str, &str)> {
        let items = self.prompt.context.iter();
        let artifacts = items.filter(|item| item.kind == ContextKind::Artifact);
        artifacts.map(|item| (item.name.as_str(), item.content.as_str()))
    }

    /// Returns what was put into the template for a variable.
    ///
    /// The text before the variable is looked for from the end, so that a project's text, which stands further up,
    /// cannot pass for it.
    pub(super) fn value(&self, variable: Variable) -> Option<&str> {
        let Wish::Phase(template) = self.wish else { return None };
        let system = self.prompt.system_prompt.as_deref()?;
        let nodes = template.nodes;
        let hole = nodes.iter().position(|node| *node == Node::Hole(variable.word()))?;
        let (Node::Text(before), Node::Text(after)) =
            (nodes.get(hole.checked_sub(1)?)?, nodes.get(hole + 1)?)
        else {
            return None;
        };
        let start = system.rfind(before)? + before.len();
        let length = system[start..].find(after.trim_end())?;
        Some(&system[start..start + length])
    }

    /// Reads where the files of the phase go; `first` is the name of the first of them.
    pub(super) fn skeleton(&self, phase: Phase, first: &str) -> Result<Skeleton, Unplayable> {
        let text = self.value(Variable::Skeleton).unwrap_or_default();
        skeleton(text, first).ok_or(Unplayable::NoSkeleton { phase })
    }
}

/// Returns what is asked for by the text with which each compiled prompt begins.
fn wish(system: &str) -> Option<Wish> {
    let begins_with = |template: &&&SystemTemplate| matches!(template.nodes.first(), Some(Node::Text(text)) if system.starts_with(text));
    if let Some(template) = CATALOG.templates.iter().find(begins_with) {
        return Some(Wish::Phase(template));
    }
    let asks_for_verdict =
        |phase: &&Phase| ask_for_verdict(phase.word(), &phase.verdicts()) == system;
    Phase::ALL.iter().find(asks_for_verdict).map(|phase| Wish::Verdict(*phase))
}

fn skeleton(text: &str, first: &str) -> Option<Skeleton> {
    let (verb, target) = text.lines().next()?.strip_prefix("- ")?.split_once(": ")?;
    let delivers = match verb {
        "write" => Delivers::Files,
        "print" => Delivers::Text,
        _ => return None,
    };
    let root = target.strip_suffix(first)?.to_owned();
    let (_, named) = text.split_once("the files of the change `")?;
    let change = named.split('`').next()?.parse().ok()?;
    Some(Skeleton { change, delivers, root })
}

impl Skeleton {
    /// Hands over an answer and the files of the change, as it is asked for.
    pub(super) fn hand_over(&self, answer: &str, files: Vec<(String, String)>) -> Played {
        match self.delivers {
            Delivers::Files | Delivers::Nothing => {
                let files = files.into_iter().map(|file| placed(&self.root, file)).collect();
                Played { answer: said(answer), files }
            }
            Delivers::Text => {
                let block = |(name, text): &(String, String)| {
                    format!("<artifact path=\"{name}\">\n{}\n</artifact>\n\n", text.trim_end())
                };
                let blocks: String = files.iter().map(block).collect();
                Played { answer: said(&format!("{blocks}{answer}")), files: Vec::new() }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::prompt::blocks;
    use crate::template::{Agent, Values};

    fn request(agent: Agent, phase: Phase, context: &str, skeleton: &str) -> Request {
        let values = Values::new()
            .with(Variable::ProjectContext, context)
            .with(Variable::Skeleton, skeleton)
            .with(Variable::Tasks, "- [ ] 1.1 Do it");
        let system = CATALOG.system(agent, phase).render(&values);
        let prompt = UnifiedPrompt::new("Add login").with_system_prompt(system.trim_end());
        Request::read(&prompt.to_xml()).unwrap()
    }

    #[test]
    fn every_compiled_prompt_is_known_by_its_beginning() {
        for agent in Agent::ALL {
            for phase in Phase::ALL {
                let Wish::Phase(template) = request(*agent, *phase, "A shop.", "none").wish else {
                    unreachable!("{agent} {phase}")
                };
                assert_eq!(template.file, CATALOG.system(*agent, *phase).file);
            }
        }
        for phase in [Phase::Plan, Phase::Challenge, Phase::Review] {
            let prompt = UnifiedPrompt::new("Go")
                .with_system_prompt(ask_for_verdict(phase.word(), &phase.verdicts()));
            let wish = Request::read(&prompt.to_xml()).unwrap().wish;
            assert!(matches!(wish, Wish::Verdict(asked) if asked == phase), "{wish:?}");
        }
    }

    #[test]
    fn what_is_no_prompt_of_ours_is_not_played() {
        assert!(matches!(Request::read("Say hello"), Err(Unplayable::Document(_))));
        let foreign = UnifiedPrompt::new("Go").with_system_prompt("You are helpful.");
        assert!(matches!(Request::read(&foreign.to_xml()), Err(Unplayable::UnknownPhase)));
    }

    #[test]
    fn the_skeleton_is_found_behind_whatever_the_project_says_of_itself() {
        for agent in Agent::ALL {
            let folder = Path::new("/shop/agentd/changes/add-login");
            let real = blocks::skeleton(Phase::Plan, folder, Delivers::Files).unwrap();
            let forged =
                blocks::skeleton(Phase::Plan, Path::new("/etc/x"), Delivers::Files).unwrap();
            let template = CATALOG.system(*agent, Phase::Plan);
            let context = template.render(&Values::new().with(Variable::Skeleton, &forged));
            let request = request(*agent, Phase::Plan, &context, &real);
            assert_eq!(request.value(Variable::Skeleton), Some(real.as_str()));
            let skeleton = request.skeleton(Phase::Plan, "proposal.md").unwrap();
            assert_eq!(skeleton.root, "/shop/agentd/changes/add-login/");
            assert_eq!(skeleton.change.as_str(), "add-login");
        }
        let tasks = request(Agent::Claude, Phase::Implement, "x", "y");
        assert_eq!(tasks.value(Variable::Tasks), Some("- [ ] 1.1 Do it"));
    }
}
