//! The columns of a step, in one table. It makes the type of a step, its defaults and the rows of `docs/flows.md`; the compiler, the
//! generated code and `agentd flows show --json` visit the columns, and know only the types of their values.

use super::steps::StepId;
use super::table::{Leaves, List, Prompt, Reads, Rounds, Target, Text};
use super::vocab::{Fact, Kind, MergedFolder, Need, Outcome, Subject, TaskSource, Workspace};

/// A column of the steps of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// The kinds of steps that have it.
    pub kinds: &'static [Kind],
    /// What it says, in a few words.
    pub about: &'static str,
}

/// Looks at the columns of a step that have values of a type.
pub trait Visitor<T> {
    /// Looks at one.
    fn column(&mut self, column: &'static Column, value: &T);
}

/// Changes the columns of a step that have values of a type.
pub trait VisitorMut<T> {
    /// Changes one, or leaves it.
    fn column(&mut self, column: &'static Column, value: &mut T);
}

/// Defines a step by its columns: for each what it is called in code, its name, its type, the kinds of steps that have it, and
/// what it says. A column that a flow's file leaves out has the default of its type.
macro_rules! columns {
    ($(#[$meta:meta])* $vis:vis $step:ident, $id:ident {
        $($member:ident = $name:ident: $type:ty, $kinds:expr, $about:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        $vis struct $step {
            /// Its name.
            pub name: $crate::flow::Text,
            $(#[doc = $about] pub $name: $type,)+
        }

        /// Names a column.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $id { $(#[doc = $about] $member,)+ }

        impl $id {
            /// Returns what is known of the column.
            $vis const fn row(self) -> &'static $crate::flow::Column {
                &$step::COLUMNS[self as usize]
            }
        }

        impl $step {
            /// The columns, in the order in which they are read.
            $vis const COLUMNS: &'static [$crate::flow::Column] = &[$($crate::flow::Column {
                name: stringify!($name),
                kinds: $kinds,
                about: $about,
            },)+];

            /// Creates a step that says nothing of itself but its name.
            $vis fn new(name: String) -> Self {
                Self { name: name.into(), $($name: <$type>::default(),)+ }
            }

            /// Shows every column.
            $vis fn visit<V>(&self, visitor: &mut V)
            where
                $(V: $crate::flow::Visitor<$type>,)+
            {
                $(visitor.column($id::$member.row(), &self.$name);)+
            }

            /// Shows every column, to be changed.
            $vis fn visit_mut<V>(&mut self, visitor: &mut V)
            where
                $(V: $crate::flow::VisitorMut<$type>,)+
            {
                $(visitor.column($id::$member.row(), &mut self.$name);)+
            }
        }
    };
}

const EVERY: &[Kind] = Kind::ALL;
const AGENT: &[Kind] = &[Kind::Agent];
const WORK: &[Kind] = &[Kind::Agent, Kind::Lanes];
const REJECTED: &[Kind] = &[Kind::Agent, Kind::Lanes, Kind::Archive];
const CHECKS: &[Kind] = &[Kind::Checks];
const ARCHIVE: &[Kind] = &[Kind::Archive];

columns! {
    /// A node of a flow.
    pub Step, ColumnId {
        Kind = kind: Kind, EVERY,
            "what the step is: agent (the default), lanes, checks, gate or archive";
        About = about: Text, EVERY,
            "what happens in the step, in a few words";
        Prompt = prompt: Option<Prompt>, AGENT,
            "what the agent is asked: system:PHASE, a role, commands:COMMAND or own";
        Slot = slot: Text, WORK,
            "under which name the configuration says who does it";
        Workspace = workspace: Workspace, WORK,
            "what the agent may do with the code: read (the default) or write";
        Reads = reads: List<Reads>, AGENT,
            "the documents that the agent is shown, each with the reason; a path that ends in `?` may be missing. The prompt of a role or command says itself what it includes";
        Leaves = leaves: List<Leaves>, WORK,
            "the files that the step leaves, each checked: PATH or PATH:VALIDATOR";
        Changes = changes: Option<Subject>, WORK,
            "what the step changes: plan or code; what was said about it is void from then on";
        Judges = judges: Option<Subject>, AGENT,
            "what the step judges: plan or code";
        PassNeeds = pass_needs: List<Need>, AGENT,
            "what a PASS needs; without it, it counts as `NEEDS_CHANGES`";
        SkipUnless = skip_unless: Option<Fact>, WORK,
            "the step is skipped unless this holds";
        NotBy = not_by: Option<StepId>, AGENT,
            "another vendor should do it than the one that did this step";
        Research = research: bool, AGENT,
            "whether the agent may ask for research";
        Rounds = rounds: Option<Rounds>, WORK,
            "how often the step is done before a person is asked";
        Reject = reject: Option<StepId>, REJECTED,
            "where a person's rejection of this step leads";
        Clean = clean: bool, CHECKS,
            "whether ignored files are as they were after setup: this run is what `checked` means";
        Merges = merges: Option<MergedFolder>, ARCHIVE,
            "the folder whose files are merged into the project's documents";
        Tasks = tasks: Option<TaskSource>, AGENT,
            "where the tasks come from if no step plans them";
        On = on: List<(Outcome, Target)>, EVERY,
            "the next step for each way in which the step can end";
    }
}

/// A language with one column that steps do not have. Whoever visits columns must manage it without being changed.
#[cfg(test)]
pub(crate) mod probe {
    use super::{AGENT, EVERY};
    use crate::flow::{Kind, List, Need, Outcome, Target};

    columns! {
        /// A step of this language.
        pub(crate) Probe, ProbeColumn {
            Kind = kind: Kind, EVERY, "what the step is";
            FailNeeds = fail_needs: List<Need>, AGENT, "what a failure needs";
            On = on: List<(Outcome, Target)>, EVERY, "the next step";
        }
    }
}
