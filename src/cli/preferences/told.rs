//! What is said of preferences that were written, and of proposals.

use serde_json::{Value, json};

use super::super::failure::Outcome;
use super::super::{Form, print_json, tell};
use crate::prompt::preferences::{Applied, Preference, Proposal, Written};

/// Says what became of preferences that were to be kept.
pub(super) fn applied(applied: &Applied, form: Form) -> Outcome {
    let Applied { written, known } = applied;
    if form == Form::Json {
        let written: Vec<_> = written.iter().map(written_json).collect();
        let known: Vec<_> = known.iter().map(preference_json).collect();
        return print_json(&json!({ "version": 1, "written": written, "known": known }));
    }
    let mut text = String::new();
    for Written { preference: Preference { role, bullet }, file } in written {
        text.push_str(&format!("{role}: {bullet}\n  written to {file}\n"));
    }
    for Preference { role, bullet } in known {
        text.push_str(&format!("{role}: {bullet}\n  was there already\n"));
    }
    tell(&text)
}

/// Gives a proposal for programs.
pub(super) fn proposal_json(Proposal { id, preference, from, at }: &Proposal) -> Value {
    json!({
        "id": id.as_str(),
        "role": preference.role.word(),
        "bullet": preference.bullet.as_str(),
        "change": from.change,
        "run": from.run,
        "at": at,
    })
}

fn written_json(Written { preference, file }: &Written) -> Value {
    let mut value = preference_json(preference);
    value["file"] = json!(file);
    value
}

fn preference_json(Preference { role, bullet }: &Preference) -> Value {
    json!({ "role": role.word(), "bullet": bullet.as_str() })
}
