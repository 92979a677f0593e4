//! What the prompts of the planner teach: the staged planning that planning and replanning share, and what is particular
//! to each.

use super::Teaching;

/// Staged planning and its hand-over.
pub(super) const STAGED: &[Teaching] = &[
    Teaching {
        about: "that the planner owns all plan files",
        says: &[&["sole owner of all plan files"]],
    },
    Teaching {
        about: "the overview",
        says: &[&["`04_planning/plan.md` is the overview for people"]],
    },
    Teaching {
        about: "the executable sub-plans",
        says: &[&["`04_planning/plan_N.md` is an executable unit"]],
    },
    Teaching {
        about: "the checklist of each sub-plan",
        says: &[
            &["`04_planning/tasks_N.md` is the checklist of plan N"],
            &["each coder gets only its own"],
        ],
    },
    Teaching {
        about: "the execution plan",
        says: &[
            &["`04_planning/execution_plan.yaml` is the scheduling source of truth"],
            &["required before scheduling starts"],
        ],
    },
    Teaching {
        about: "the schedule in the execution plan",
        says: &[
            &["it has `version`, the ordered `groups`"],
            &["each with a `group_id`, a `mode`"],
            &["(`serial` or `parallel`) and its `plans`"],
            &["{ file: plan_<N>.md, name: \"<title of the sub-plan>\" }"],
        ],
    },
    Teaching {
        about: "the intent in the execution plan",
        says: &[&["`needs_design`, `needs_docs`, `doc_files` and `review_strategy`"]],
    },
    Teaching {
        about: "the optional overview of all tasks",
        says: &[&["`04_planning/tasks.md` is optional"], &["the scheduler does not use it"]],
    },
    Teaching {
        about: "that documents are planned like code",
        says: &[
            &["documentation is planned like code"],
            &["no later docs phase"],
            &["the tasks of that plan"],
        ],
    },
    Teaching {
        about: "the three phases",
        says: &[
            &["**phase 1** defines the interfaces and contracts"],
            &["**phase 2** implements against the contracts of phase 1, in parallel"],
            &["**phase 3** integrates"],
        ],
    },
    Teaching {
        about: "the sections of a sub-plan",
        says: &[
            &["**scope**:"],
            &["**owned files/modules**:"],
            &["**dependencies**:"],
            &["**isolation**:"],
        ],
    },
    Teaching {
        about: "that isolation is exclusive ownership",
        says: &[&["justified by exclusive ownership"], &["logically separate"]],
    },
    Teaching {
        about: "the conflict map",
        says: &[&["map conflicts before you cut lanes"], &["name one owner for each lane"]],
    },
    Teaching {
        about: "that parallel work owns disjoint files",
        says: &[
            &["safety comes first"],
            &["only when their owned files are disjoint"],
            &["merge them into one sub-plan or move that work to a serial integration step"],
        ],
    },
    Teaching {
        about: "who owns shared mutable artifacts",
        says: &[
            &["shared mutable artifacts"],
            &["prompt templates"],
            &["state and monitor files"],
            &["cross-cutting tests and docs"],
            &["a single phase 2 owner"],
            &["left to integration on purpose"],
        ],
    },
    Teaching {
        about: "enabling refactors and technical debt",
        says: &[&["call out every enabling refactor"], &["technical debt and the rationale"]],
    },
    Teaching {
        about: "how a sub-plan is handed over",
        says: &[
            &["call `submit_subplan` once for each sub-plan"],
            &["`index`"],
            &["`title`"],
            &["`phase`"],
            &["`scope`"],
            &["`owned_files`"],
            &["`dependencies`"],
            &["`isolation`"],
            &["`implementation`"],
            &["`acceptance_criteria`"],
            &["`tasks`"],
        ],
    },
    Teaching {
        about: "how the execution plan is handed over",
        says: &[
            &["`submit_execution_plan` writes"],
            &["`version` (integer, 1)"],
            &["`groups` (ordered list of `{group_id, mode, plans}`"],
            &["{ file: plan_<N>.md, name: \"<title>\" }"],
            &["`needs_design` and `needs_docs` (booleans)"],
            &["`doc_files` (list of paths"],
            &["`review_strategy` (`{severity, focus}`"],
        ],
    },
    Teaching {
        about: "how planning is completed",
        says: &[
            &["then `submit_plan`, which completes the planning"],
            &["`overview` (string, markdown, required)"],
        ],
    },
    Teaching {
        about: "how a plan is handed over without the tools",
        says: &[
            &["04_planning/plan_N.yaml"],
            &["`04_planning/execution_plan.yaml`, and last `04_planning/plan.yaml`"],
        ],
    },
];

/// The planner.
pub(super) const PLANNER: &[Teaching] = &[
    Teaching {
        about: "when each intent is set",
        says: &[&["`needs_design`: true only if"], &["`needs_docs` and `doc_files`:"]],
    },
    Teaching { about: "that the design is settled", says: &[&["no redesign"]] },
    Teaching {
        about: "that every criterion is planned for",
        says: &[&["every acceptance criterion is met by a plan"]],
    },
];

/// The command to plan anew.
pub(super) const CHANGE: &[Teaching] = &[
    Teaching {
        about: "that replanning serves what is asked to change",
        says: &[&["read what is asked to change"], &["each demand is met by a plan"]],
    },
    Teaching {
        about: "that finished work is kept",
        says: &[&["keep finished work"], &["nothing that is done is renumbered"]],
    },
    Teaching { about: "the numbers of new plans", says: &[&["new sub-plans get new numbers"]] },
    Teaching {
        about: "that the schedule is written whole",
        says: &[&["finished groups stay first"]],
    },
];
