//! What the prompts of the reviewer teach: the standing role, the command to review, and the summary of work that passed.

use super::Teaching;

/// The standard and the hand-over of every review.
pub(super) const STANDARD: &[Teaching] = &[
    Teaching {
        about: "that requirements are the measure",
        says: &[&["requirements decide"], &["the test that would fail without it"]],
    },
    Teaching { about: "that the plan is a measure", says: &[&["the plan is the second measure"]] },
    Teaching {
        about: "evidence of the reviewer's own",
        says: &[&["evidence you ran yourself"], &["run the build, the tests and the linter"]],
    },
    Teaching {
        about: "the review strategy",
        says: &[
            &["follow the `review_strategy`"],
            &["how much is at stake"],
            &["each item of `focus` first"],
        ],
    },
    Teaching {
        about: "that documents are judged",
        says: &[&["documentation is part of the work"], &["`needs_docs`"], &["`doc_files`"]],
    },
    Teaching {
        about: "when a review passes",
        says: &[
            &["the verdict is `pass` when every requirement and acceptance criterion is met"],
            &["otherwise it is `fail`"],
        ],
    },
    Teaching {
        about: "how a verdict is handed over",
        says: &[
            &["call `submit_review` once"],
            &["`verdict`"],
            &["`summary`"],
            &["`findings`"],
            &["`checks`"],
            &["`preferences`"],
            &["{severity, location, issue, recommendation}"],
            &["{command, result}"],
        ],
    },
    Teaching {
        about: "how a review begins",
        says: &[&["begins with the line `VERDICT: PASS` or `VERDICT: FAIL`"]],
    },
    Teaching {
        about: "how a verdict is handed over without the tool",
        says: &[&["07_review/review.yaml"]],
    },
    Teaching {
        about: "the marker that closes a review as the last resort",
        says: &[&["one `<review>` marker"], &["<review>NEEDS_CHANGES</review>"]],
    },
];

/// The standing role.
pub(super) const REVIEWER: &[Teaching] = &[
    Teaching { about: "that a reviewer repairs nothing", says: &[&["you do not repair"]] },
    Teaching {
        about: "that earlier findings come first",
        says: &[&["in a later round look first at the earlier findings"]],
    },
];

/// The command to review.
pub(super) const REVIEW: &[Teaching] = &[
    Teaching { about: "that a reviewer repairs nothing", says: &[&["you repair nothing"]] },
    Teaching { about: "reading every sub-plan", says: &[&["every sub-plan with its tasks"]] },
    Teaching {
        about: "that earlier findings come first",
        says: &[&["check first that each of its findings is fixed"]],
    },
    Teaching { about: "how to look at the diff", says: &[&["the whole diff of the change"]] },
];

/// The command to sum up.
pub(super) const SUMMARY: &[Teaching] = &[
    Teaching {
        about: "that only work that passed is summed up",
        says: &[&["only if it reads `VERDICT: PASS`"], &["write no summary"]],
    },
    Teaching {
        about: "the summary's only file",
        says: &[&["write one file only"], &["08_completion/summary.md"]],
    },
    Teaching { about: "how a summary is handed over", says: &[&["call `submit_done`"]] },
];
