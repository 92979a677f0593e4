//! The variables of a system template: known, allowed in its phase, and complete.

use super::super::code::Code;
use super::super::contract::VARIABLES_SECTION;
use super::super::diagnostic::Diagnostic;
use super::syntax::intended_variable;
use super::{SystemContract, Template};
use crate::template::nearest::nearest;
use crate::template::{Node, Span, Variable};

pub(super) fn check(
    template: &Template<'_>,
    contract: &SystemContract,
    found: &mut Vec<Diagnostic>,
) {
    // A variable that was meant counts as used: its own fault is reported where it stands.
    let faults = template.parsed.faults.iter();
    let mut used: Vec<Variable> =
        faults.filter_map(|fault| intended_variable(template.text, fault)).collect();
    for (node, span) in &template.parsed.nodes {
        let Node::Hole(name) = node else { continue };
        if let Some(variable) = Variable::from_word(name) {
            used.push(variable);
            if !contract.known.contains(&variable) && template.is_own(*span) {
                found.push(not_allowed(template, contract, variable, *span));
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
        let required = contract.required.iter();
        let missed = required.filter(|variable| !used.contains(variable));
        found.extend(missed.map(|variable| missing(template, contract, *variable)));
    }
}

fn not_allowed(
    template: &Template<'_>,
    contract: &SystemContract,
    variable: Variable,
    span: Span,
) -> Diagnostic {
    let message = format!("variable `{variable}` is not available in {}", contract.name);
    Diagnostic::new(Code::VariableNotAllowed, template.place(span), message)
        .help(contract.help_unknown.as_str())
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

fn missing(template: &Template<'_>, contract: &SystemContract, variable: Variable) -> Diagnostic {
    let section = template.outline.sections(VARIABLES_SECTION).first().copied();
    let place = section.map_or_else(
        || template.whole(),
        |number| template.place(template.outline.headings[number].span),
    );
    let name = &contract.name;
    let message = format!("{name} requires the variable `{variable}`, which is not used");
    Diagnostic::new(Code::MissingVariable, place, message)
        .help(format!("write `{{{{{variable}}}}}` in the section `{VARIABLES_SECTION}`"))
}
