//! What must hold of the files that a step leaves: a validator looks at its own files alone, and what agentd writes itself is left
//! by no step.

use super::FlowCode;
use super::draft::Draft;
use crate::compile::contract;
use crate::compile::diagnostic::Diagnostic;
use crate::flow::{CHECK_REPORT, Flow, Leaves, Step, StepId, Validator, overlap};

/// Checks the files that a step leaves.
pub(super) fn check(draft: &Draft, id: StepId, found: &mut Vec<Diagnostic<FlowCode>>) {
    let flow = &draft.flow;
    for (file, span) in flow.step(id).leaves.iter().zip(&draft.places(id).leaves) {
        let fault = of_another_validator(file).or_else(|| of_agentd(flow, file));
        found.extend(fault.map(|(message, help)| {
            Diagnostic::new(FlowCode::MisplacedFile, draft.at(*span), message).help(help)
        }));
    }
}

type Fault = (String, String);

fn of_another_validator(file: &Leaves) -> Option<Fault> {
    let Leaves { path, validator } = file;
    if let Some(own) = validator.files() {
        let message = format!("the validator `{validator}` looks at `{own}`, not at `{path}`");
        return (own != path)
            .then(|| (message, format!("leave `{own}`, or write `{path}:{}`", Validator::Text)));
    }
    let (other, own) = Validator::ALL.iter().find_map(|other| {
        let own = other.files()?;
        overlap(own, path).then_some((other, own))
    })?;
    let looks = format!("which the validator `{other}` looks at");
    Some(if own == path {
        (format!("`{path}` has the validator `{other}`, and no other"), format!("write `{path}`"))
    } else if path.contains('*') {
        let some = if own.contains('*') { "some of " } else { "" };
        (
            format!("`{path}` also stands for {some}`{own}`, {looks}"),
            "name the files that the step leaves".to_owned(),
        )
    } else {
        (
            format!("`{path}` is one of `{own}`, {looks}"),
            format!("leave `{own}`, or a file elsewhere"),
        )
    })
}

fn of_agentd(flow: &Flow, file: &Leaves) -> Option<Fault> {
    let answers = flow.steps.iter().filter_map(Step::answer);
    let given = contract::given().iter().cloned().chain([CHECK_REPORT.to_owned()]);
    let written = given.chain(answers).find(|written| overlap(written, &file.path))?;
    let message = if written == file.path {
        format!("`{written}` is a file that agentd writes")
    } else {
        format!("`{}` also stands for `{written}`, a file that agentd writes", file.path)
    };
    Some((message, "leave other files".to_owned()))
}
