//! A path through a flow in words: `plan PASS -> challenge PASS -> a person edits the plan -> apply`.

use crate::flow::{Event, Explored, Fact, Facts, Flow, Path, Position, Subject};

/// Shows a path and where it ends.
pub(super) fn words(flow: &Flow, explored: &Explored, path: &Path) -> String {
    let start = explored.states[path.start].facts;
    let given = facts(start, &[Fact::ProductManager]);
    let given = given.map(|facts| format!("with {facts}"));
    let events = path.events.iter().filter_map(|event| of_event(flow, *event));
    let end = of_position(flow, explored.states[path.end].position);
    given.into_iter().chain(events).chain([end]).collect::<Vec<_>>().join(" -> ")
}

/// Returns what happened; that a step began goes without saying.
fn of_event(flow: &Flow, event: Event) -> Option<String> {
    Some(match event {
        Event::Started(_) => return None,
        Event::Finished { step, outcome, facts: known } => {
            let step = flow.step(step);
            let schedule = if outcome.is_success() && step.makes_schedule() {
                facts(known, &[Fact::NeedsDesign, Fact::PlansDue])
            } else {
                None
            };
            let schedule = schedule.map(|facts| format!(" ({facts})")).unwrap_or_default();
            format!("{} {outcome}{schedule}", step.name)
        }
        Event::Blocked(id) => format!("{} asks a question", flow.step(id).name),
        Event::Answered => "a person answers".to_owned(),
        Event::Paused(id) => format!("a person looks at the result of {}", flow.step(id).name),
        Event::Approved => "a person approves".to_owned(),
        Event::Overridden => "a person overrides the verdict".to_owned(),
        Event::Rejected => "a person rejects the work".to_owned(),
        Event::Guided => "a person says more about what is wanted".to_owned(),
        Event::Edited { subject: Subject::Plan, .. } => "a person edits the plan".to_owned(),
        Event::Edited { subject: Subject::Code, .. } => "a person edits the code".to_owned(),
        Event::Reopened => "a person rejects the archived work".to_owned(),
        Event::Cancelled => "a person gives the change up".to_owned(),
    })
}

fn of_position(flow: &Flow, position: Position) -> String {
    match position {
        Position::Step(id) | Position::Paused { then: id, .. } | Position::Blocked(id) => {
            flow.step(id).name.to_string()
        }
        Position::Archived => "archived".to_owned(),
        Position::Rejected(_) => "rejected".to_owned(),
        Position::Cancelled => "cancelled".to_owned(),
    }
}

fn facts(known: Facts, of: &[Fact]) -> Option<String> {
    let held: Vec<_> =
        of.iter().filter(|fact| known.holds(**fact)).map(|fact| fact.word()).collect();
    (!held.is_empty()).then(|| held.join(", "))
}
