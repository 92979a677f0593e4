//! The tools as clients see them: which a role has, and what a call gives. What is wrong with a submission is told to
//! the model as the result of its call, so that it can mend it.

use log::info;
use serde_json::{Value, json};

use crate::handoff::{Desk, HandoffError, Novelty, Receipt, Tool};
use crate::template::Role;

/// Lists the tools of a role.
pub(super) fn listed(role: Role) -> Vec<Value> {
    let tool = |tool: &Tool| {
        json!({
            "name": tool.word(),
            "description": tool.about(),
            "inputSchema": tool.schema(),
            "annotations": {
                "readOnlyHint": false,
                "destructiveHint": false,
                "idempotentHint": true,
                "openWorldHint": false,
            },
        })
    };
    Tool::of(role).iter().map(tool).collect()
}

/// Calls a tool. It is an error of the protocol only if there is no such tool.
pub(super) fn called(
    desk: &Desk<'_>,
    now_ms: &impl Fn() -> u64,
    params: &Value,
) -> Result<Value, String> {
    let Some(name) = params["name"].as_str() else {
        return Err("`name` must be the name of a tool".to_owned());
    };
    let tools = Tool::of(desk.role);
    let Some(tool) = Tool::from_word(name).filter(|tool| tools.contains(tool)) else {
        let known: Vec<_> = tools.iter().map(|tool| tool.word()).collect();
        let name = name.escape_debug();
        return Err(format!("there is no tool `{name}` here; there are {}", known.join(", ")));
    };
    let none = json!({});
    let arguments = params.get("arguments").filter(|value| !value.is_null()).unwrap_or(&none);
    let outcome = desk.submit(tool, arguments, now_ms());
    info!("{tool}: {}", if outcome.is_ok() { "taken" } else { "refused" });
    Ok(match outcome {
        Ok(receipt) => json!({ "content": said(&accepted(tool, &receipt)), "isError": false }),
        Err(error) => json!({ "content": said(&refused(tool, &error)), "isError": true }),
    })
}

fn said(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

fn accepted(tool: Tool, receipt: &Receipt) -> String {
    let mut text = match receipt.novelty {
        Novelty::New => format!("Recorded {tool}."),
        Novelty::Same => format!("The same {tool} was already recorded: nothing changed."),
        Novelty::Replaced => format!("Replaced the earlier {tool}."),
    };
    if receipt.blocked.is_some() {
        text.push_str(" A person will be asked. Stop working and end here.");
    }
    if !receipt.written.is_empty() {
        let verb = if receipt.novelty == Novelty::Same { "Restored" } else { "Wrote" };
        text.push_str(&format!(" {verb} {}.", receipt.written.join(", ")));
    }
    if !receipt.set_aside.is_empty() {
        let plans: Vec<_> = receipt.set_aside.iter().map(ToString::to_string).collect();
        text.push_str(&format!(
            " Set aside {}: 04_planning/set_aside/ keeps their text.",
            plans.join(", ")
        ));
    }
    if let Some(preferences) = &receipt.preferences {
        text.push(' ');
        text.push_str(preferences);
    }
    text
}

fn refused(tool: Tool, error: &HandoffError) -> String {
    match error {
        HandoffError::Faults(faults) => {
            format!(
                "{tool} was refused, and nothing was recorded. Fix all of this and call it again:\n{faults}"
            )
        }
        HandoffError::NotYours { .. }
        | HandoffError::Closed { .. }
        | HandoffError::File { .. }
        | HandoffError::Unwritable(_) => format!("{tool} failed: {error}"),
    }
}
