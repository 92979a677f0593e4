//! Identities: what the frontmatter declares and what the body uses must agree, and names are unique.

use std::collections::BTreeMap;

use super::super::IdentityUnit;
use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place};
use super::super::frontmatter::{self, Frontmatter};
use super::super::source::{FileId, Sources};
use super::frames::Framed;
use crate::template::nearest::nearest;
use crate::template::{Dialect, Node, Span, parse};
use crate::text::outline::mask;

/// Checks one identity on its own.
pub(in super::super) fn identity(
    sources: &Sources,
    file: FileId,
    found: &mut Vec<Diagnostic>,
) -> Option<IdentityUnit> {
    let source = sources.get(file);
    let parsed = parse(&source.text, &Dialect::IDENTITY);
    let Some(yaml) = parsed.frontmatter else {
        // One that is never closed has been reported as such.
        if parsed.faults.first().is_none_or(|fault| fault.span.start > 0) {
            found.push(
                Diagnostic::new(
                    Code::MissingFrontmatter,
                    sources.first_line(file),
                    "an identity starts with frontmatter, and this one does not",
                )
                .help("start the file with `---`, its name, category, description and variables, and `---`"),
            );
        }
        return None;
    };
    let frontmatter = frontmatter::read(&source.text, yaml, file, found)?;
    let stem = source.name.strip_suffix(".md").unwrap_or(&source.name);
    if !frontmatter.name.is_empty() && frontmatter.name != stem {
        let span = frontmatter.names.first().map(|(_, span)| *span).unwrap_or_default();
        let place = Place { file, span };
        let message =
            format!("the identity in `{}` names itself `{}`", source.name, frontmatter.name);
        found.push(
            Diagnostic::new(Code::IdentityName, place, message)
                .help(format!("write `name: {stem}`, or rename the file")),
        );
    }
    let used: Vec<_> = parsed
        .nodes
        .iter()
        .filter_map(|(node, span)| match node {
            Node::Hole(name) => Some((*name, *span)),
            Node::Text(_) | Node::Fragment(_) | Node::Include { .. } => None,
        })
        .collect();
    variables(file, &frontmatter, &used, found);
    let body = yaml.end + source.text[yaml.end..].find('\n').map_or(0, |at| at + 1);
    let text = mask(&source.text, &[Span::new(0, body)]);
    let place = |span| Place { file, span };
    let framed = Framed { text: &text, nodes: &parsed.nodes, place: &place };
    framed.check(|_, span| is_alone(&source.text, span), found);
    Some(IdentityUnit { file, body: source.text[body..].to_owned(), frontmatter })
}

/// Returns whether a variable has a line for itself, as one of several lines would.
fn is_alone(text: &str, span: Span) -> bool {
    let before = text[..span.start].rsplit('\n').next().unwrap_or_default();
    let after = text[span.end..].split('\n').next().unwrap_or_default();
    before.trim().is_empty() && after.trim().is_empty()
}

/// Holds what is declared and what is used together.
fn variables(
    file: FileId,
    frontmatter: &Frontmatter,
    used: &[(&str, Span)],
    found: &mut Vec<Diagnostic>,
) {
    let declared = &frontmatter.variables;
    let mut meant = Vec::new();
    for (name, span) in used.iter().filter(|(name, _)| !declared.iter().any(|d| d.name == *name)) {
        let near = nearest(name, declared.iter().map(|variable| variable.name.as_str()));
        meant.extend(near);
        let message = format!("the variable `{name}` is used but not declared");
        let help = match near {
            Some(near) => format!("did you mean `{{{{{near}}}}}`?"),
            None => "declare it under `variables:`".to_owned(),
        };
        found.push(
            Diagnostic::new(Code::UndeclaredVariable, Place { file, span: *span }, message)
                .help(help),
        );
    }
    for (number, variable) in declared.iter().enumerate() {
        let place = Place { file, span: variable.span };
        if let Some(first) = declared[..number].iter().find(|other| other.name == variable.name) {
            let message = format!("the variable `{}` is declared twice", variable.name);
            found.push(
                Diagnostic::new(Code::UnusedVariable, place, message)
                    .label(Place { file, span: first.span }, "first here")
                    .help("keep one of the two"),
            );
            continue;
        }
        let is_used = used.iter().any(|(name, _)| *name == variable.name);
        if !is_used && !meant.contains(&variable.name.as_str()) {
            let message = format!("the variable `{}` is declared but not used", variable.name);
            found.push(
                Diagnostic::new(Code::UnusedVariable, place, message).help(format!(
                    "write `{{{{{}}}}}` where it belongs, or remove it",
                    variable.name
                )),
            );
        }
    }
}

/// Reports names and aliases that more than one identity answers to.
pub(super) fn unique_names(units: &[IdentityUnit], found: &mut Vec<Diagnostic>) {
    let mut owners: BTreeMap<&str, Place> = BTreeMap::new();
    for unit in units {
        for (name, span) in unit.frontmatter.names.iter().filter(|(name, _)| !name.is_empty()) {
            let place = Place { file: unit.file, span: *span };
            if let Some(first) = owners.insert(name, place) {
                let message = format!("`{name}` is the name of two identities");
                found.push(
                    Diagnostic::new(Code::IdentityName, place, message)
                        .label(first, "first here")
                        .help("give one of them another name"),
                );
            }
        }
    }
}
