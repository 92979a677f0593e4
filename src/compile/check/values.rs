//! The variables of a system template and the placeholders of a prompt of the team, those in the paths of its includes too: known,
//! with a value here, and complete.

use super::super::code::Code;
use super::super::contract::{Contract, EXTENSION_POINT, where_allowed};
use super::super::diagnostic::Diagnostic;
use super::Template;
use super::syntax::intended;
use crate::template::nearest::nearest;
use crate::template::{Node, Part, Placeholder, Span, Variable};

/// What a dialect calls its values, and how they are written.
pub(super) struct Vocabulary {
    noun: &'static str,
    pub(super) words: &'static [&'static str],
    pub(super) marker: fn(&str) -> String,
    /// What else to say where a name is not known.
    literal: &'static str,
    /// Whether fragments may ask for values.
    in_fragments: bool,
}

pub(super) const VARIABLES: Vocabulary = Vocabulary {
    noun: "variable",
    words: Variable::WORDS,
    marker: |name| format!("{{{{{name}}}}}"),
    literal: "; write `{{{{` for a literal `{{`",
    in_fragments: false,
};

pub(super) const PLACEHOLDERS: Vocabulary = Vocabulary {
    noun: "placeholder",
    words: Placeholder::WORDS,
    marker: |name| format!("[[placeholder:{name}]]"),
    literal: "",
    in_fragments: true,
};

impl Vocabulary {
    /// Guesses the word that a name was meant to be.
    pub(super) fn meant(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.words.iter().copied())
    }
}

/// Holds the values that a template asks for to its contract.
pub(super) fn check(
    template: &Template<'_>,
    contract: &Contract,
    vocabulary: &Vocabulary,
    found: &mut Vec<Diagnostic>,
) {
    let check = Check { template, contract, vocabulary };
    // A name that was meant counts as used: its own fault is reported where it stands.
    let faults = template.parsed.faults.iter();
    let mut used: Vec<&str> =
        faults.filter_map(|fault| intended(template.text, fault, vocabulary.words)).collect();
    // Where the project's own instructions may stand is looked at elsewhere.
    for (name, span) in check.holes().into_iter().filter(|(name, _)| *name != EXTENSION_POINT) {
        let is_known = vocabulary.words.contains(&name);
        used.extend(if is_known { Some(name) } else { vocabulary.meant(name) });
        if !vocabulary.in_fragments && !template.is_own(span) {
            continue;
        }
        if !is_known {
            found.push(check.unknown(name, span));
        } else if !contract.allows(name) {
            check.not_allowed(name, span, found);
        }
    }
    if template.linked.complete {
        let is_missing = |name: &&&str| **name != EXTENSION_POINT && !used.contains(*name);
        found.extend(contract.required.iter().filter(is_missing).map(|name| check.missing(name)));
    }
}

struct Check<'c, 't> {
    template: &'c Template<'t>,
    contract: &'c Contract,
    vocabulary: &'c Vocabulary,
}

impl<'c> Check<'c, '_> {
    /// Lists the values that are asked for, with their spans in the linked text.
    fn holes(&self) -> Vec<(&'c str, Span)> {
        let mut holes = Vec::new();
        for (node, span) in &self.template.parsed.nodes {
            match node {
                Node::Hole(name) => holes.push((*name, *span)),
                Node::Include { path, .. } => {
                    let mut at = span.start;
                    for part in path.iter() {
                        let Part::Hole(name) = part else { continue };
                        let marker = (self.vocabulary.marker)(name);
                        let offset = self.template.text[at..span.end].find(&marker).unwrap_or(0);
                        let hole = Span::new(at + offset, at + offset + marker.len());
                        at = hole.end;
                        holes.push((*name, hole));
                    }
                }
                Node::Text(_) | Node::Fragment(_) => {}
            }
        }
        holes
    }

    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let Vocabulary { noun, words, marker, literal, .. } = self.vocabulary;
        let message = format!("there is no {noun} `{name}`");
        let place = self.template.place(span);
        Diagnostic::new(Code::UnknownVariable, place, message).help(
            match self.vocabulary.meant(name) {
                Some(near) => format!("did you mean `{}`?", marker(near)),
                None => format!("the {noun}s are {}{literal}", words.join(", ")),
            },
        )
    }

    /// Reports a name without a value, in a fragment once with all the prompts that include it.
    fn not_allowed(&self, name: &str, span: Span, found: &mut Vec<Diagnostic>) {
        let (template, noun) = (self.template, self.vocabulary.noun);
        let place = template.place(span);
        let message = if template.is_own(span) {
            format!("{noun} `{name}` has no value in {}", self.contract.name)
        } else {
            format!("{noun} `{name}` has no value in every prompt that includes this fragment")
        };
        let is_it = |other: &Diagnostic| {
            (other.code, other.place) == (Code::VariableNotAllowed, place)
                && other.message == message
        };
        let at = found.iter().position(is_it).unwrap_or_else(|| {
            let only = self.contract.only.clone().unwrap_or_else(|| where_allowed(name));
            let help = format!("it has a value only in {only}: remove it here");
            found
                .push(Diagnostic::new(Code::VariableNotAllowed, place, message.clone()).help(help));
            found.len() - 1
        });
        for place in template.linked.way_to(place.file) {
            if found[at].labels.iter().all(|(labelled, _)| *labelled != place) {
                found[at].labels.push((place, "included here".to_owned()));
            }
        }
    }

    fn missing(&self, name: &str) -> Diagnostic {
        let (template, noun) = (self.template, self.vocabulary.noun);
        let title = self.contract.values_in.as_deref();
        let section = title.and_then(|title| template.outline.sections(title).first().copied());
        let place = section.map_or_else(
            || template.whole(),
            |number| template.place(template.outline.headings[number].span),
        );
        let of = &self.contract.name;
        let message = format!("{of} requires the {noun} `{name}`, which is not used");
        let marker = (self.vocabulary.marker)(name);
        Diagnostic::new(Code::MissingVariable, place, message).help(match title {
            Some(title) => format!("write `{marker}` in the section `{title}`"),
            None => format!("write `{marker}` where its value belongs"),
        })
    }
}
