//! What a prompt is made of, and what of it is left out where an agent takes no more: in a stated order, and said.

use std::collections::BTreeMap;

use crate::flow::Text as FlowText;
use crate::models::prompt::{ContextItem, ContextKind};
use crate::template::{Text, Variable};

/// Whether a step can do without a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It cannot.
    Required,
    /// It can.
    IfThere,
}

/// A piece of context and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextEntry {
    /// The piece.
    pub item: ContextItem,
    /// What the agent is to make of it.
    pub why: FlowText,
    /// Whether the phase can do without it.
    pub need: Need,
}

/// What a phase's prompt is made of, but for the template and the instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptInputs {
    values: BTreeMap<Variable, Text>,
    pieces: Vec<ContextEntry>,
    left_out: Vec<LeftOut>,
}

/// Something that did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What it is called.
    pub name: String,
    /// How large it is.
    pub bytes: usize,
}

impl PromptInputs {
    pub(super) fn new(values: BTreeMap<Variable, Text>, pieces: Vec<ContextEntry>) -> Self {
        Self { values, pieces, left_out: Vec::new() }
    }

    /// Leaves out what can best be done without, and says what it is: thoughts, then the tree of the project, then
    /// what is there in later rounds only or was supplied, the last first. Nothing is cut in the middle. What the
    /// phase cannot do without is never left out.
    pub fn leave_out(&mut self) -> Option<LeftOut> {
        let is_thought = |piece: &ContextEntry| piece.item.kind == ContextKind::Thought;
        if let Some(at) = self.pieces.iter().rposition(is_thought) {
            return Some(self.remove(at));
        }
        let note = "(left out: the prompt would be too large. Look at the folders yourself.)";
        if let Some(tree) = self.values.get_mut(&Variable::ProjectStructure)
            && tree.as_str().len() > note.len()
        {
            let bytes = std::mem::replace(tree, note.into()).as_str().len();
            return Some(LeftOut { name: Variable::ProjectStructure.word().to_owned(), bytes });
        }
        let at = self.pieces.iter().rposition(|piece| piece.need == Need::IfThere)?;
        Some(self.remove(at))
    }

    fn remove(&mut self, at: usize) -> LeftOut {
        let ContextItem { name, content, .. } = self.pieces.remove(at).item;
        let left = LeftOut { name, bytes: content.len() };
        self.left_out.push(left.clone());
        left
    }

    /// Returns the values of the template's variables, with the index of what is in the context.
    pub fn values(&self) -> BTreeMap<Variable, Text> {
        let mut values = self.values.clone();
        values.insert(Variable::Artifacts, self.index().into());
        values
    }

    /// Returns the context, in order.
    pub fn context(&self) -> impl Iterator<Item = &ContextItem> {
        self.pieces.iter().map(|piece| &piece.item)
    }

    /// Lists what is in the context and what was left out of it.
    fn index(&self) -> String {
        let listed = self.pieces.iter().filter(|piece| piece.item.kind != ContextKind::Thought);
        let listed = listed.map(|ContextEntry { item, why, .. }| {
            format!("- `{}` ({} bytes): {why}", item.name, item.content.len())
        });
        let left_out = self.left_out.iter().map(|LeftOut { name, bytes }| {
            format!("- `{name}` ({bytes} bytes): left out, since the prompt would be too large")
        });
        let lines: Vec<_> = listed.chain(left_out).collect();
        if lines.is_empty() { "(none yet)".to_owned() } else { lines.join("\n") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(kind: ContextKind, name: &str, need: Need) -> ContextEntry {
        let item = ContextItem { kind, name: name.to_owned(), content: "text".to_owned() };
        ContextEntry { item, why: "to read".into(), need }
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_order_and_said() {
        let pieces = vec![
            piece(ContextKind::Artifact, "tasks.md", Need::Required),
            piece(ContextKind::Artifact, "REVIEW.md", Need::IfThere),
            piece(ContextKind::Artifact, "changes.diff", Need::IfThere),
            piece(ContextKind::Thought, "round 1", Need::IfThere),
        ];
        let values = BTreeMap::from([(Variable::ProjectStructure, "tree ".repeat(100).into())]);
        let mut materials = PromptInputs::new(values, pieces);
        let mut names = Vec::new();
        while let Some(left) = materials.leave_out() {
            names.push(left.name);
        }
        assert_eq!(names, ["round 1", "PROJECT_STRUCTURE", "changes.diff", "REVIEW.md"]);
        let kept: Vec<_> = materials.context().map(|item| item.name.as_str()).collect();
        assert_eq!(kept, ["tasks.md"]);
        let values = materials.values();
        let index = values[&Variable::Artifacts].as_str();
        assert!(index.starts_with("- `tasks.md` (4 bytes): to read\n"), "{index}");
        for name in ["REVIEW.md", "round 1"] {
            assert!(index.contains(&format!("- `{name}` (4 bytes): left out")), "{index}");
        }
        assert!(values[&Variable::ProjectStructure].as_str().contains("left out"));
    }
}
