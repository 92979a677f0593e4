//! The keys of a flow, and the columns of its steps: a row for each says everything about it. The reader, its messages and
//! `docs/flows.md` are driven by these tables.

use super::steps::{StepDraft, StepReader};
use super::{documents, prompt};
use crate::flow::{Fact, Kind, Need, TaskSource, Workspace};
use crate::text::field::{Field, optional, required};
use crate::text::node::Node;

/// A column of the steps of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The kinds of steps that have it.
    pub kinds: &'static [Kind],
    /// What it says, in a few words.
    pub about: &'static str,
    /// Reads its value, which stands under its name, into the step.
    pub(super) read: fn(&mut StepReader<'_, '_>, &Node, &'static str, &mut StepDraft),
}

/// Defines the columns: a name to call each by here, the row, and where it stands.
macro_rules! columns {
    ($($id:ident = $name:literal ($kinds:expr) $about:literal $read:expr;)+) => {
        /// A column, to be found in the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum ColumnId { $($id,)+ }

        impl ColumnId {
            pub(super) const ALL: &'static [Self] = &[$(Self::$id,)+];
        }

        /// The columns of a step, in the order in which they are read.
        pub const COLUMNS: &[Column] =
            &[$(Column { name: $name, kinds: $kinds, about: $about, read: $read },)+];
    };
}

impl ColumnId {
    pub(super) const fn row(self) -> &'static Column {
        &COLUMNS[self as usize]
    }
}

const EVERY: &[Kind] = Kind::ALL;
const AGENT: &[Kind] = &[Kind::Agent];
const WORK: &[Kind] = &[Kind::Agent, Kind::Lanes];
const REJECTED: &[Kind] = &[Kind::Agent, Kind::Lanes, Kind::Archive];
const CHECKS: &[Kind] = &[Kind::Checks];
const ARCHIVE: &[Kind] = &[Kind::Archive];

columns! {
    Kind = "kind" (EVERY)
        "what the step is: agent (the default), lanes, checks, gate or archive"
        |it, node, name, to| to.kind = it.fields.word(node, name, Kind::WORDS, Kind::from_word);
    About = "about" (EVERY)
        "what happens in the step, in a few words"
        |it, node, name, to| to.step.about = it.text(node, name).into();
    Prompt = "prompt" (AGENT)
        "what the agent is asked: system:PHASE, a role, commands:COMMAND or own"
        |it, node, name, to| to.step.prompt = prompt::read(it.fields, node, name);
    Slot = "slot" (WORK)
        "under which name the configuration says who does it"
        |it, node, name, to| to.step.slot = it.slot(node, name).into();
    Workspace = "workspace" (WORK)
        "what the agent may do with the code: read (the default) or write"
        |it, node, name, to| {
            let word = it.fields.word(node, name, Workspace::WORDS, Workspace::from_word);
            to.step.workspace = word.unwrap_or(Workspace::Read);
        };
    Reads = "reads" (AGENT)
        "the documents that the agent is shown, each with the reason; a path that ends in `?` may be missing. The prompt of a role or command says itself what it includes"
        |it, node, name, to| {
            let (reads, places) = documents::reads(it.fields, node, name);
            (to.step.reads, to.places.reads) = (reads.into(), places);
        };
    Leaves = "leaves" (WORK)
        "the files that the step leaves, each checked: PATH or PATH:VALIDATOR"
        |it, node, name, to| to.step.leaves = documents::leaves(it.fields, node, name).into();
    Changes = "changes" (WORK)
        "what the step changes: plan or code; what was said about it is void from then on"
        |it, node, name, to| to.step.changes = it.subject(node, name);
    Judges = "judges" (AGENT)
        "what the step judges: plan or code"
        |it, node, name, to| to.step.judges = it.subject(node, name);
    PassNeeds = "pass_needs" (AGENT)
        "what a PASS needs; without it, it counts as NEEDS_CHANGES"
        |it, node, name, to| {
            to.step.pass_needs = it.fields.words(node, name, Need::WORDS, Need::from_word).into();
        };
    SkipUnless = "skip_unless" (WORK)
        "the step is skipped unless this holds"
        |it, node, name, to| {
            to.step.skip_unless = it.fields.word(node, name, Fact::WORDS, Fact::from_word);
        };
    NotBy = "not_by" (AGENT)
        "another vendor should do it than the one that did this step"
        |it, node, name, to| to.step.not_by = it.step_of(node, name);
    Research = "research" (AGENT)
        "whether the agent may ask for research"
        |it, node, name, to| to.step.research = it.flag(node, name);
    Rounds = "rounds" (WORK)
        "how often the step is done before a person is asked"
        |it, node, name, to| to.step.rounds = it.rounds(node, name, &to.step.name);
    Reject = "reject" (REJECTED)
        "where a person's rejection of this step leads"
        |it, node, name, to| to.step.reject = it.step_of(node, name);
    Clean = "clean" (CHECKS)
        "whether ignored files are as they were after setup: this run is what `checked` means"
        |it, node, name, to| to.step.clean = it.flag(node, name);
    Merges = "merges" (ARCHIVE)
        "the folder whose files are merged into the project's documents"
        |it, node, name, to| {
            to.step.merges = documents::folder(it.fields, node, name).map(Into::into);
        };
    Tasks = "tasks" (AGENT)
        "where the tasks come from if no step plans them"
        |it, node, name, to| {
            to.step.tasks = it.fields.word(node, name, TaskSource::WORDS, TaskSource::from_word);
        };
    On = "on" (EVERY)
        "the next step for each way in which the step can end"
        |it, node, name, to| it.outcomes(node, name, to);
}

/// The keys of a flow.
pub const KEYS: [Field; 8] = [
    required(VERSION, "the version of this language: 1"),
    required(ABOUT, "what the flow is for, in one line"),
    required(START, "the step that a change begins with"),
    required(GUARANTEES, "what holds whenever a change is archived"),
    optional(GUIDANCE, "where more words of the user lead, and until when they are taken"),
    optional(
        REJECT,
        "where a person's rejection leads, and from when; before, the step is done again",
    ),
    optional(REOPEN, "the step to which a rejection after the archive leads"),
    required(STEPS, "the steps, in the order in which they are shown"),
];

pub(super) const VERSION: &str = "version";
pub(super) const ABOUT: &str = "about";
pub(super) const START: &str = "start";
pub(super) const GUARANTEES: &str = "guarantees";
pub(super) const GUIDANCE: &str = "guidance";
pub(super) const REJECT: &str = "reject";
pub(super) const REOPEN: &str = "reopen";
pub(super) const STEPS: &str = "steps";

/// The keys of the small tables within.
pub(super) const GUIDANCE_KEYS: [Field; 2] = [
    required("to", "the step that begins anew"),
    required("until", "plan or code: once there is any, words come too late"),
];
pub(super) const REJECT_KEYS: [Field; 2] = [
    required("to", "the step that is next"),
    required("once", "plan or code: it holds once the change has this"),
];
pub(super) const ROUNDS_KEYS: [Field; 2] =
    [required("of", "the step whose rounds are counted"), required("max", "how many there may be")];
