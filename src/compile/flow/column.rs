//! The keys of a flow and the columns of its steps: which there are, and which kinds of steps have them.

use crate::flow::Kind;

/// A key or a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The kinds of steps that have it; none for a key of the flow itself.
    pub kinds: &'static [Kind],
    /// What it says, in a few words.
    pub about: &'static str,
}

const EVERY: &[Kind] = Kind::ALL;
const AGENT: &[Kind] = &[Kind::Agent];
const WORK: &[Kind] = &[Kind::Agent, Kind::Lanes];

const fn key(name: &'static str, about: &'static str) -> Column {
    Column { name, kinds: &[], about }
}

const fn column(name: &'static str, kinds: &'static [Kind], about: &'static str) -> Column {
    Column { name, kinds, about }
}

/// The keys of a flow.
pub const KEYS: [Column; 8] = [
    key("version", "the version of this language: 1"),
    key("about", "what the flow is for, in one line"),
    key("start", "the step that a change begins with"),
    key("guarantees", "what holds whenever a change is archived"),
    key("guidance", "where more words of the user lead, and until when they are taken"),
    key(
        "reject",
        "where a person's rejection leads, and from when; before, the step is done again",
    ),
    key("reopen", "the step to which a rejection after the archive leads"),
    key("steps", "the steps, in the order in which they are shown"),
];

/// The columns of a step.
pub const COLUMNS: [Column; 19] = [
    column("kind", EVERY, "what the step is: agent (the default), lanes, checks, gate or archive"),
    column("about", EVERY, "what happens in the step, in a few words"),
    column(
        "prompt",
        AGENT,
        "what the agent is asked: system:PHASE, a role, commands:COMMAND or own",
    ),
    column("slot", WORK, "under which name the configuration says who does it"),
    column("workspace", WORK, "what the agent may do with the code: read (the default) or write"),
    column(
        "reads",
        WORK,
        "the documents that the agent is shown, each with the reason; a path that ends in `?` may be missing",
    ),
    column("leaves", WORK, "the files that the step leaves, each checked: PATH or PATH:VALIDATOR"),
    column(
        "changes",
        WORK,
        "what the step changes: plan or code; what was said about it is void from then on",
    ),
    column("judges", AGENT, "what the step judges: plan or code"),
    column("pass_needs", AGENT, "what a PASS needs; without it, it counts as NEEDS_CHANGES"),
    column("skip_unless", WORK, "the step is skipped unless this holds"),
    column("not_by", AGENT, "another vendor should do it than the one that did this step"),
    column("research", AGENT, "whether the agent may ask for research"),
    column("rounds", WORK, "how often the step is done before a person is asked"),
    column(
        "reject",
        &[Kind::Agent, Kind::Lanes, Kind::Archive],
        "where a person's rejection of this step leads",
    ),
    column(
        "clean",
        &[Kind::Checks],
        "whether ignored files are as they were after setup: this run is what `checked` means",
    ),
    column(
        "merges",
        &[Kind::Archive],
        "the folder whose files are merged into the project's documents",
    ),
    column("tasks", AGENT, "where the tasks come from if no step plans them"),
    column("on", EVERY, "the next step for each way in which the step can end"),
];

/// The keys of the small tables within.
pub(super) const GUIDANCE: [&str; 2] = ["to", "until"];
pub(super) const REJECT: [&str; 2] = ["to", "once"];
pub(super) const ROUNDS: [&str; 2] = ["of", "max"];
