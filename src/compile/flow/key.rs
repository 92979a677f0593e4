//! The keys of a flow and of the small tables within. The reader, its messages and `docs/flows.md` are driven by these tables.

use crate::text::field::{Field, optional, required};

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
