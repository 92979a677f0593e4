//! A flow as a Mermaid flowchart.

use crate::flow::{End, Flow, Kind, Step, StepId, Target};

/// Draws a flow: the steps, and an arrow for each outcome.
pub(super) fn mermaid(flow: &Flow) -> String {
    let mut out = String::from("flowchart TD\n");
    for (id, step) in flow.numbered() {
        out.push_str(&format!("    {}{}\n", node(id), shape(step)));
    }
    out.push_str("    archived((archived))\n");
    let targets = flow.steps.iter().flat_map(|step| step.on.iter().map(|(_, target)| *target));
    if targets.into_iter().any(|target| target == Target::End(End::Rejected)) {
        out.push_str("    rejected((rejected))\n");
    }
    for (id, step) in flow.numbered() {
        let mut drawn: Vec<Target> = Vec::new();
        for (_, target) in step.on.iter() {
            if drawn.contains(target) {
                continue;
            }
            drawn.push(*target);
            let outcomes = step.on.iter().filter(|(_, to)| to == target);
            let outcomes: Vec<_> = outcomes.map(|(outcome, _)| outcome.word()).collect();
            let to = match target {
                Target::Step(id) => node(*id),
                Target::End(End::Archived) => "archived".to_owned(),
                Target::End(End::Rejected) => "rejected".to_owned(),
            };
            out.push_str(&format!("    {} -->|{}| {to}\n", node(id), outcomes.join(", ")));
        }
    }
    out
}

/// A step may have a reserved name of Mermaid, such as `end`.
fn node(id: StepId) -> String {
    format!("s{}", id.index())
}

fn shape(step: &Step) -> String {
    let name = &step.name;
    match step.kind {
        Kind::Agent => format!("[{name}]"),
        Kind::Lanes => format!("[[{name}]]"),
        Kind::Checks => format!("[/{name}/]"),
        Kind::Gate => format!("{{{name}}}"),
        Kind::Archive => format!("[({name})]"),
    }
}
