//! The variables of a system template: known, allowed in its phase, and complete.

use super::super::code::Code;
use super::super::contract::VARIABLES_SECTION;
use super::super::diagnostic::Diagnostic;
use super::Template;
use super::syntax::intended_variable;
use crate::template::nearest::nearest;
use crate::template::{Node, Phase, Span, Variable};

pub(super) fn check(template: &Template<'_>, phase: Phase, found: &mut Vec<Diagnostic>) {
    // A variable that was meant counts as used: its own fault is reported where it stands.
    let faults = template.parsed.faults.iter();
    let mut used: Vec<Variable> =
        faults.filter_map(|fault| intended_variable(template.text, fault)).collect();
    for (node, span) in &template.parsed.nodes {
        let Node::Hole(name) = node else { continue };
        if let Some(variable) = Variable::from_word(name) {
            used.push(variable);
            if !phase.allows(variable) && template.is_own(*span) {
                found.push(not_allowed(template, phase, variable, *span));
            }
        } else {
            let near = nearest(name, Variable::WORDS.iter().copied());
            used.extend(near.and_then(Variable::from_word));
            if template.is_own(*span) {
                found.push(unknown(template, name, near, *span));
            }
        }
    }
    if template.linked.complete {
        let required = phase.required_variables().iter();
        found.extend(required.filter(|v| !used.contains(v)).map(|v| missing(template, phase, *v)));
    }
}

fn not_allowed(
    template: &Template<'_>,
    phase: Phase,
    variable: Variable,
    span: Span,
) -> Diagnostic {
    let phases: Vec<_> =
        Phase::ALL.iter().filter(|p| p.allows(variable)).map(|p| format!("`{p}`")).collect();
    let message = format!("variable `{variable}` is not available in phase `{phase}`");
    Diagnostic::new(Code::VariableNotAllowed, template.place(span), message)
        .help(format!("it has a value only in {}: remove it here", phases.join(" and ")))
}

fn unknown(template: &Template<'_>, name: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let message = format!("there is no variable `{name}`");
    Diagnostic::new(Code::UnknownVariable, template.place(span), message).help(match near {
        Some(near) => format!("did you mean `{{{{{near}}}}}`?"),
        None => format!(
            "the variables are {}; write `{{{{{{{{` for a literal `{{{{`",
            Variable::WORDS.join(", ")
        ),
    })
}

fn missing(template: &Template<'_>, phase: Phase, variable: Variable) -> Diagnostic {
    let section = template.outline.sections(VARIABLES_SECTION).first().copied();
    let place = section.map_or_else(
        || template.whole(),
        |number| template.place(template.outline.headings[number].span),
    );
    let message = format!("phase `{phase}` requires the variable `{variable}`, which is not used");
    Diagnostic::new(Code::MissingVariable, place, message)
        .help(format!("write `{{{{{variable}}}}}` in the section `{VARIABLES_SECTION}`"))
}
