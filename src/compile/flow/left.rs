//! What must hold of the files that a step leaves: a validator looks at its own files alone, what agentd writes itself is left by no
//! step, and a prompt that is compiled in teaches what to leave.

use super::FlowCode;
use super::draft::Draft;
use super::prompt;
use crate::compile::contract;
use crate::compile::diagnostic::Diagnostic;
use crate::flow::{CHECK_REPORT, ColumnId, Flow, Kind, Leaves, Step, StepId, Validator, overlap};
use crate::template::Span;

/// Checks the files that a step leaves.
pub(super) fn check(draft: &Draft, id: StepId, found: &mut Vec<Diagnostic<FlowCode>>) {
    let (flow, step, places) = (&draft.flow, draft.flow.step(id), draft.places(id));
    let of_phase = || prompt::contract(step.prompt?);
    let taught = contract::of_role_step(step).or_else(of_phase);
    let taught = taught.map(|contract| contract.leaves.as_slice());
    let wrong = step.leaves.iter().zip(&places.leaves).filter_map(|(file, span)| {
        let fault = of_another_validator(file)
            .or_else(|| of_agentd(flow, file))
            .or_else(|| not_taught(step, file, taught?))?;
        Some((*span, fault))
    });
    let mut faults: Vec<(Span, Fault)> = wrong.collect();
    if faults.is_empty() {
        let is_left = |path: &&String| step.leaves.iter().any(|file| file.path == **path);
        let missing = taught.into_iter().flatten().filter(|path| !is_left(path));
        faults.extend(missing.map(|path| {
            let message = format!("{} leaves `{path}`, and does not say so", who(step));
            let help = format!("add it to `{}`", ColumnId::Leaves.row().name);
            (places.column(ColumnId::Leaves), (message, help))
        }));
    }
    found.extend(faults.into_iter().map(|(span, (message, help))| {
        Diagnostic::new(FlowCode::MisplacedFile, draft.at(span), message).help(help)
    }));
}

/// Names a step by what its files depend on.
fn who(step: &Step) -> String {
    match (step.kind, step.prompt) {
        (Kind::Agent, Some(prompt)) => format!("a step with the prompt `{prompt}`"),
        (kind, _) => format!("a step of kind `{kind}`"),
    }
}

fn not_taught(step: &Step, file: &Leaves, taught: &[String]) -> Option<Fault> {
    let Leaves { path, .. } = file;
    let taught: Vec<_> = taught.iter().map(|path| format!("`{path}`")).collect();
    let message = format!("{} never leaves `{path}`", who(step));
    let is_taught = taught.contains(&format!("`{path}`"));
    let help = match taught.as_slice() {
        [] => "remove it: agentd keeps the answer of a judge".to_owned(),
        taught => format!("it leaves {}", taught.join(", ")),
    };
    (!is_taught).then_some((message, help))
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
