//! What the prompts of those who change code teach: the coder's, and the command to mend what a review found.

use super::Teaching;

/// The discipline that coding and mending share.
pub(super) const DISCIPLINE: &[Teaching] = &[
    Teaching {
        about: "that a test is written and seen to fail first (Red)",
        says: &[
            &["test first", "test-first"],
            &["write the test, run it, and see it fail", "write the test, run it and see it fail"],
            &["for the reason you expect (red)"],
        ],
    },
    Teaching {
        about: "that code is written until the test passes (Green)",
        says: &[&["only then implement"], &["until the test passes (green)"]],
    },
    Teaching {
        about: "that tests are not bent",
        says: &[&["do not delete, skip or loosen a test"]],
    },
    Teaching {
        about: "that all validation comes before the end",
        says: &[&["validate before you say done"], &["build, tests, linter and formatter"]],
    },
    Teaching {
        about: "that the completion marker is the last action",
        says: &[
            &["create the completion marker last"],
            &["the very last action, after all validation"],
        ],
    },
];

/// The coder.
pub(super) const CODER: &[Teaching] = &[
    Teaching {
        about: "the strict phase order",
        says: &[
            &["strict phase order of the active plan"],
            &["do not start logic of a later phase early"],
        ],
    },
    Teaching {
        about: "that tasks are done one at a time",
        says: &[
            &["one task at a time"],
            &["in the order of your own tasks file"],
            &["04_planning/tasks_N.md"],
        ],
    },
    Teaching {
        about: "that a task is validated and checked off before the next",
        says: &[
            &["validate the task"],
            &["check it off in the tasks file"],
            &["before you start the next"],
        ],
    },
    Teaching {
        about: "that only owned files are changed",
        says: &[&["stay within the owned files"], &["\"owned files/modules\""]],
    },
    Teaching {
        about: "how one coder carries out every sub-plan",
        says: &[
            &["where sub-plans are given below, all of them are yours"],
            &["follow their schedule, group by group"],
            &["plans of a parallel group may be carried out at the same time"],
        ],
    },
    Teaching {
        about: "how a plan is handed over",
        says: &[
            &["`submit_done`"],
            &["`summary` (string, required"],
            &["`checks` (list of `{command, result}`, required"],
            &["without the tool create the marker file yourself"],
        ],
    },
];

/// The command to mend what a review found.
pub(super) const FIX: &[Teaching] = &[
    Teaching {
        about: "that findings are mended one at a time, test first",
        says: &[
            &["one finding at a time"],
            &["write a test that shows the fault"],
            &["only when this one is validated"],
        ],
    },
    Teaching {
        about: "that nothing else is touched",
        says: &[&["mend each finding and touch nothing else"]],
    },
    Teaching {
        about: "that only owned files are changed",
        says: &[&["only files that the change's plans own"]],
    },
    Teaching {
        about: "how mended work is handed over",
        says: &[
            &["`submit_done`"],
            &["06_implementation/done_fix"],
            &["create `done_fix` yourself"],
        ],
    },
];
