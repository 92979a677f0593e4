//! The table of the faults that flows can have. `docs/flows.md` explains each; a test holds the two together.

use crate::compile::code::codes;

codes! {
    /// What a fault of a flow is about. The spelling is stable.
    pub enum FlowCode {
        /// The file's name is no name for a flow, or one that is taken.
        FlowName = "flow-name" Error,
        /// The file is not TOML.
        Syntax = "syntax" Error,
        /// The file is of another version of the language.
        Version = "version" Error,
        /// A key or a column does not exist.
        UnknownKey = "unknown-key" Error,
        /// A column does not belong to steps of this kind.
        MisplacedColumn = "misplaced-column" Error,
        /// A key or a column that must be there is not.
        MissingKey = "missing-key" Error,
        /// A value is not what its key asks for.
        WrongValue = "wrong-value" Error,
        /// A step is named that does not exist.
        UnknownStep = "unknown-step" Error,
        /// A step has a name that no step can have.
        StepName = "step-name" Error,
        /// There are more steps than a flow can have.
        TooManySteps = "too-many-steps" Error,
        /// A step of this kind, or with this prompt, never ends like this.
        UnknownOutcome = "unknown-outcome" Error,
        /// A step can end in a way for which there is no next step.
        MissingOutcome = "missing-outcome" Error,
        /// A change ends where it cannot.
        WrongEnd = "wrong-end" Error,
        /// A step that can be skipped has no single next step.
        Skip = "skip" Error,
        /// A step that judges cannot say both yes and no, or changes what it judges.
        Judge = "judge" Error,
        /// A PASS needs something where it cannot.
        PassNeeds = "pass-needs" Error,
        /// A step changes more than it says.
        UndeclaredChange = "undeclared-change" Error,
        /// A step leaves a file that is another's, or under a validator that does not look at it.
        MisplacedFile = "misplaced-file" Error,
        /// A step has no template, or a template has no step.
        OwnTemplate = "own-template" Error,
        /// A change never gets to a step.
        Unreachable = "unreachable" Error,
        /// From here, a change never gets to the archive.
        DeadEnd = "dead-end" Error,
        /// A loop has neither a limit nor a gate.
        EndlessLoop = "endless-loop" Error,
        /// A file is read that no earlier step leaves.
        FileNotLeft = "file-not-left" Error,
        /// A change can be archived without what the flow guarantees.
        NotGuaranteed = "not-guaranteed" Error,
        /// The flow has more states than are explored.
        TooManyStates = "too-many-states" Error,
    }
}
