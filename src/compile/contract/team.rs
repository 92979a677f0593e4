//! What each prompt of the team is made of: the values it asks for, the fragments it includes and the session files that
//! it brings along. What it says to its reader is in [`mod@super::teachings`].

use crate::template::{Command, Placeholder, Role, TeamPrompt};

/// What a prompt of the team must hold, and what it may.
#[derive(Clone, Copy, Debug)]
pub struct TeamContract {
    /// The placeholders that it must hold.
    pub required: &'static [Placeholder],
    /// The placeholders that it may hold besides.
    pub optional: &'static [Placeholder],
    /// The fragments that it must include, directly or by way of another fragment.
    pub fragments: &'static [&'static str],
    /// The files of the session that it must include.
    pub files: &'static [SessionFile],
}

/// A file of the session that a prompt includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The path below the change's folder, as the template writes it.
    pub path: &'static str,
    /// Whether it is there whenever the prompt is made.
    pub presence: Presence,
}

/// Whether a file of the session is there when a prompt is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It always is, or something went wrong: `[[include:path]]`.
    Certain,
    /// It may be missing: `[[include-optional:path]]`.
    Possible,
}

impl TeamContract {
    /// Says whether a placeholder has a value in the prompt.
    pub fn allows(&self, placeholder: Placeholder) -> bool {
        self.required.contains(&placeholder) || self.optional.contains(&placeholder)
    }

    /// Finds a file of the session by its path as it is written.
    pub fn file(&self, path: &str) -> Option<SessionFile> {
        self.files.iter().copied().find(|file| file.path == path)
    }
}

/// Lists the paths of all session files that any prompt includes, each once.
pub fn session_paths() -> Vec<&'static str> {
    let all = TeamPrompt::all().flat_map(|prompt| team(prompt).files);
    let mut paths: Vec<_> = all.map(|file| file.path).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

const ANALYSIS: &str = "01_product_management/analysis.md";
const ARCHITECTURE: &str = "02_architecting/architecture.md";
const CHANGES: &str = "08_completion/changes.md";
const DESIGN: &str = "05_design/design.md";
const CHECKS: &str = "CHECKS.md";
const EXECUTION_PLAN: &str = "04_planning/execution_plan.yaml";
const PLAN: &str = "04_planning/plan.md";
const REQUIREMENTS: &str = "requirements.md";
const RESEARCH_REQUEST: &str = "[[placeholder:research_dir]]/request.md";
const REVIEW: &str = "07_review/review.md";
const STATE: &str = "state.json";

const fn certain(path: &'static str) -> SessionFile {
    SessionFile { path, presence: Presence::Certain }
}

const fn possible(path: &'static str) -> SessionFile {
    SessionFile { path, presence: Presence::Possible }
}

/// Gives the contract of a prompt.
///
/// ```
/// use agentd::compile::contract::team;
/// use agentd::template::{Placeholder, Role, TeamPrompt};
///
/// let coder = team(TeamPrompt::Role(Role::Coder));
/// assert!(coder.allows(Placeholder::PlanFile));
/// assert_eq!(coder.fragments, ["coder-discipline"]);
/// ```
pub const fn team(prompt: TeamPrompt) -> TeamContract {
    match prompt {
        TeamPrompt::Role(role) => of_role(role),
        TeamPrompt::Command(command) => of_command(command),
        TeamPrompt::Context => TeamContract {
            required: &[Placeholder::FeatureDir],
            optional: &[Placeholder::ProjectDir],
            fragments: &[],
            files: const { &[possible(STATE)] },
        },
    }
}

/// What the prompts of those who may propose preferences hold.
const PROPOSING: &[Placeholder] = &[
    Placeholder::FeatureDir,
    Placeholder::ProjectInstructions,
    Placeholder::Questions,
    Placeholder::PreferenceApproval,
];

/// The same where the reader works on the project itself.
const PROPOSING_AT_WORK: &[Placeholder] = &[
    Placeholder::FeatureDir,
    Placeholder::ProjectInstructions,
    Placeholder::ProjectDir,
    Placeholder::Questions,
    Placeholder::PreferenceApproval,
];

const fn of_role(role: Role) -> TeamContract {
    match role {
        Role::Architect => TeamContract {
            required: PROPOSING,
            optional: &[Placeholder::ProjectDir, Placeholder::ResearchHandoff],
            fragments: &["handoff-contract-architecture", "preference-memory"],
            files: const { &[certain(REQUIREMENTS), possible(ANALYSIS)] },
        },
        Role::Planner => TeamContract {
            required: PROPOSING,
            optional: &[Placeholder::ProjectDir, Placeholder::ResearchHandoff],
            fragments: &["handoff-contract-plan", "preference-memory"],
            files: const { &[certain(REQUIREMENTS), certain(ARCHITECTURE), possible(ANALYSIS)] },
        },
        Role::ProductManager => TeamContract {
            required: PROPOSING_AT_WORK,
            optional: &[],
            fragments: &["preference-memory"],
            files: const { &[certain(REQUIREMENTS)] },
        },
        Role::Reviewer => TeamContract {
            required: PROPOSING_AT_WORK,
            optional: &[],
            fragments: &["handoff-contract-review", "preference-memory"],
            files: const { &[certain(REQUIREMENTS), certain(PLAN), possible(ARCHITECTURE)] },
        },
        Role::Coder => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ProjectDir,
                Placeholder::PlanFile,
                Placeholder::TasksFile,
                Placeholder::SubPlans,
                Placeholder::ResearchHandoff,
                Placeholder::CompletionMarkers,
                Placeholder::EarlierAttempt,
            ],
            optional: &[],
            fragments: &["coder-discipline"],
            files: const {
                &[
                    certain("[[placeholder:plan_file]]"),
                    possible("[[placeholder:tasks_file]]"),
                    possible(ARCHITECTURE),
                    possible(DESIGN),
                ]
            },
        },
        Role::CodeResearcher => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ProjectDir,
                Placeholder::Topic,
                Placeholder::ResearchDir,
            ],
            optional: &[],
            fragments: &[],
            files: const { &[certain(RESEARCH_REQUEST)] },
        },
        Role::WebResearcher => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::Topic,
                Placeholder::ResearchDir,
            ],
            optional: &[Placeholder::ProjectDir],
            fragments: &[],
            files: const { &[certain(RESEARCH_REQUEST)] },
        },
        Role::Designer => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ProjectDir,
                Placeholder::CompletionMarkers,
            ],
            optional: &[],
            fragments: &[],
            files: const { &[certain(REQUIREMENTS), certain(ARCHITECTURE), certain(PLAN)] },
        },
    }
}

const fn of_command(command: Command) -> TeamContract {
    match command {
        Command::Review => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ProjectDir,
                Placeholder::Questions,
                Placeholder::PreferenceApproval,
                Placeholder::SubPlans,
                Placeholder::ChangeDiff,
            ],
            optional: &[],
            fragments: &["handoff-contract-review", "preference-memory"],
            files: const {
                &[
                    certain(REQUIREMENTS),
                    certain(PLAN),
                    certain(EXECUTION_PLAN),
                    possible(ARCHITECTURE),
                    possible(DESIGN),
                    possible(CHECKS),
                    possible(REVIEW),
                ]
            },
        },
        Command::Fix => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ProjectDir,
                Placeholder::CompletionMarkers,
                Placeholder::SubPlans,
                Placeholder::ChangeDiff,
            ],
            optional: &[],
            fragments: &["coder-discipline"],
            files: const {
                &[
                    certain(REVIEW),
                    certain(REQUIREMENTS),
                    certain(PLAN),
                    possible(ARCHITECTURE),
                    possible(DESIGN),
                    possible(CHECKS),
                ]
            },
        },
        Command::Summary => TeamContract {
            required: &[
                Placeholder::FeatureDir,
                Placeholder::ProjectInstructions,
                Placeholder::ChangeDiff,
            ],
            optional: &[Placeholder::ProjectDir],
            fragments: &[],
            files: const { &[certain(REQUIREMENTS), certain(PLAN), certain(REVIEW)] },
        },
        Command::Change => TeamContract {
            required: PROPOSING,
            optional: &[Placeholder::ProjectDir, Placeholder::ResearchHandoff],
            fragments: &["handoff-contract-plan", "preference-memory"],
            files: const {
                &[
                    certain(REQUIREMENTS),
                    certain(ARCHITECTURE),
                    certain(PLAN),
                    certain(EXECUTION_PLAN),
                    certain(CHANGES),
                    possible(REVIEW),
                ]
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{EXTENSION_POINT, sections, teachings};
    use super::*;
    use crate::template::lexer::is_name;
    use crate::template::{Dialect, Node, Part, parse};

    #[test]
    fn nothing_is_listed_twice() {
        for prompt in TeamPrompt::all() {
            let contract = team(prompt);
            let placeholders: Vec<_> =
                contract.required.iter().chain(contract.optional).map(|p| p.word()).collect();
            let paths: Vec<_> = contract.files.iter().map(|file| file.path).collect();
            for names in [&placeholders[..], contract.fragments, &paths, sections(prompt)] {
                let distinct: BTreeSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
                assert_eq!(distinct.len(), names.len(), "{}: {names:?}", prompt.file());
            }
        }
    }

    #[test]
    fn every_prompt_knows_its_folder_and_all_but_the_context_can_be_extended() {
        assert_eq!(Placeholder::ProjectInstructions.word(), EXTENSION_POINT);
        for prompt in TeamPrompt::all() {
            let contract = team(prompt);
            assert!(contract.required.contains(&Placeholder::FeatureDir), "{}", prompt.file());
            assert!(contract.allows(Placeholder::ProjectDir), "{}", prompt.file());
            let is_extendable = contract.required.contains(&Placeholder::ProjectInstructions);
            assert_eq!(is_extendable, prompt != TeamPrompt::Context, "{}", prompt.file());
        }
    }

    #[test]
    fn every_placeholder_has_a_value_somewhere() {
        for placeholder in Placeholder::ALL {
            assert!(TeamPrompt::all().any(|prompt| team(prompt).allows(*placeholder)));
        }
    }

    #[test]
    fn every_path_can_be_written_and_asks_only_for_values_that_its_prompt_has() {
        for prompt in TeamPrompt::all() {
            let contract = team(prompt);
            for file in contract.files {
                let marker = format!("[[include:{}]]", file.path);
                let parsed = parse(&marker, &Dialect::ROLE);
                let [(Node::Include { path, .. }, _)] = parsed.nodes.as_slice() else {
                    panic!("{marker} is not one include: {parsed:?}");
                };
                for part in path.iter() {
                    let Part::Hole(name) = part else { continue };
                    let placeholder =
                        Placeholder::from_word(name).unwrap_or_else(|| panic!("{name}"));
                    assert!(contract.allows(placeholder), "{}: {name}", prompt.file());
                }
            }
        }
    }

    #[test]
    fn names_of_fragments_and_phrases_can_be_written() {
        for prompt in TeamPrompt::all() {
            assert!(team(prompt).fragments.iter().all(|name| is_name(name)), "{}", prompt.file());
            for teaching in teachings(prompt) {
                assert!(!teaching.about.is_empty() && !teaching.says.is_empty());
                for spellings in teaching.says {
                    assert!(!spellings.is_empty(), "{}: {}", prompt.file(), teaching.about);
                    // Prose is compared with every run of white space as one blank.
                    let is_clean = |phrase: &str| {
                        !phrase.is_empty()
                            && phrase.split_whitespace().collect::<Vec<_>>().join(" ") == phrase
                    };
                    assert!(spellings.iter().all(|phrase| is_clean(phrase)), "{spellings:?}");
                }
            }
        }
    }
}
