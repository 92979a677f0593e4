//! What templates must hold, as `templates/contract.toml` says it: system templates phase by phase, the prompts of the team one by
//! one. The file is compiled in; the build refuses one that is wrong, and every flow whose steps end in another way than their
//! prompts teach.

mod read;

use std::sync::LazyLock;

use crate::flow::{Outcome, Step};
use crate::template::{Phase, TaskStatus, TeamPrompt, Variable, Verdict};

/// The tag that every system template explains.
pub const THOUGHT_TAG: &str = "<thought>";

/// The marker with which every prompt of an agent teaches it to ask a person, as messages show it.
pub const BLOCKED_MARKER: &str = "<blocked>what you need to know</blocked>";

/// The hole of role and command templates at which a project's own instructions are spliced in.
pub const EXTENSION_POINT: &str = "project_instructions";

/// What a prompt must hold, and what it may.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// What it is the contract of, as messages call it.
    pub name: String,
    /// The sections that it has, as level-2 headings compared without case.
    pub sections: Vec<String>,
    /// The variables or placeholders that it must hold.
    pub required: Vec<&'static str>,
    /// Those that it may hold besides.
    pub optional: Vec<&'static str>,
    /// The section in which they belong, if there is one for them.
    pub values_in: Option<String>,
    /// Where a value that it may not hold belongs, if no contract says that.
    pub(super) only: Option<String>,
    /// The fragments that it must include, directly or by way of another fragment.
    pub fragments: Vec<String>,
    /// The files of the session that it must include.
    pub files: Vec<SessionFile>,
    /// The files that a step with this prompt leaves.
    pub leaves: Vec<String>,
    /// Those of them that are written anew each time.
    pub anew: Vec<String>,
    /// The files of which one shows that the work is handed in.
    pub handed_in: Vec<String>,
    /// How a step with this prompt can end, as the prompt teaches it; nothing where no step has this prompt.
    pub ends: Vec<Outcome>,
    /// Phrases that it must hold outside code blocks.
    pub speaks_of: Vec<Phrase>,
    /// What it must teach its reader.
    pub teaches: Vec<Teaching>,
}

/// A phrase in one or several spellings, of which one must be there.
pub type Phrase = Vec<String>;

/// Something that a prompt must teach, outside code blocks.
#[derive(Clone, Debug)]
pub struct Teaching {
    /// What it is about, for messages.
    pub about: String,
    /// The phrases that must all stand there: parts of the sentences that teach it.
    pub says: Vec<Phrase>,
}

/// A file of the session that a prompt includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// The path below the change's folder, as the template writes it.
    pub path: String,
    /// What it is.
    pub why: String,
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

/// All contracts.
#[derive(Debug)]
struct Contracts {
    /// In the order of [`Phase::ALL`].
    phases: Vec<Contract>,
    /// In the order of [`TeamPrompt::all`].
    prompts: Vec<Contract>,
    /// The files that agentd writes itself.
    given: Vec<String>,
    /// The files that placeholders in paths stand for.
    patterns: Vec<(&'static str, String)>,
}

/// What is wrong with the file of contracts.
#[derive(Debug)]
pub struct ContractFaults {
    /// As lines that a build script prints for cargo.
    pub cargo: String,
    /// With source lines and carets.
    pub report: String,
}

static CONTRACTS: LazyLock<Result<Contracts, ContractFaults>> =
    LazyLock::new(|| read::read(include_str!("../../../templates/contract.toml")));

/// Checks the contracts as they were compiled in. Their own build does not pass without them.
pub fn check() -> Result<(), &'static ContractFaults> {
    CONTRACTS.as_ref().map(|_| ())
}

fn contracts() -> &'static Contracts {
    #[expect(clippy::expect_used, reason = "the build fails without them")]
    CONTRACTS.as_ref().expect("contracts without faults")
}

/// Returns the contract of a phase's templates.
///
/// ```
/// use agentd::Phase;
/// use agentd::compile::contract::of_phase;
///
/// assert!(of_phase(Phase::Review).allows("TASKS"));
/// assert!(!of_phase(Phase::Plan).allows("TASKS"));
/// ```
pub fn of_phase(phase: Phase) -> &'static Contract {
    &contracts().phases[phase as usize]
}

/// Returns the contract of a prompt of the team.
///
/// ```
/// use agentd::compile::contract::of_prompt;
/// use agentd::template::{Role, TeamPrompt};
///
/// let coder = of_prompt(TeamPrompt::Role(Role::Coder));
/// assert!(coder.allows("plan_file"));
/// assert_eq!(coder.fragments, ["coder-discipline"]);
/// ```
pub fn of_prompt(prompt: TeamPrompt) -> &'static Contract {
    &contracts().prompts[prompt.index()]
}

/// Returns the contract of the prompt of the team with which a step is done, if it is one's.
///
/// ```
/// use agentd::catalog::CATALOG;
/// use agentd::compile::contract::of_role_step;
///
/// let team = CATALOG.flow("team").unwrap();
/// let summary = of_role_step(team.step(team.find("summary").unwrap())).unwrap();
/// assert_eq!(summary.leaves, ["08_completion/summary.md"]);
/// ```
pub fn of_role_step(step: &Step) -> Option<&'static Contract> {
    step.team_prompt().map(of_prompt)
}

/// Returns the contract of a step's own template, which follows from the flow.
pub(super) fn of_step(step: &Step) -> Contract {
    let is_tasks = |path: &str| path == "tasks.md";
    let reads_tasks = step.tasks.is_some() || step.reads.iter().any(|file| is_tasks(&file.path));
    let leaves = !step.leaves.is_empty();
    let (required, optional): (Vec<_>, Vec<_>) = Variable::ALL
        .iter()
        .filter(|variable| **variable != Variable::Tasks || reads_tasks)
        .partition(|variable| match variable {
            Variable::ProjectContext | Variable::Tasks => true,
            Variable::Skeleton => leaves,
            Variable::ProjectStructure | Variable::Artifacts => false,
        });
    let phase = of_phase(Phase::Plan);
    Contract {
        name: format!("step `{}`", step.name),
        sections: phase.sections.clone(),
        values_in: phase.values_in.clone(),
        only: Some("a step that reads `tasks.md`".to_owned()),
        required: required.into_iter().map(Variable::word).collect(),
        optional: optional.into_iter().map(Variable::word).collect(),
        ends: step.on.iter().map(|(outcome, _)| *outcome).collect(),
        ..Contract::default()
    }
}

/// Lists the paths of all session files that any prompt includes, each once.
pub fn session_paths() -> Vec<&'static str> {
    let all = contracts().prompts.iter().flat_map(|prompt| &prompt.files);
    let mut paths: Vec<_> = all.map(|file| file.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Lists the files of a change that agentd writes itself for the prompts of the team.
pub(super) fn given() -> &'static [String] {
    &contracts().given
}

/// Lists the contracts in which a variable or placeholder has a value, for a sentence.
pub(super) fn where_allowed(name: &str) -> String {
    let all = contracts().phases.iter().chain(&contracts().prompts);
    let names: Vec<_> = all.filter(|it| it.allows(name)).map(|it| it.name.as_str()).collect();
    names.join(", ")
}

impl Contract {
    /// Returns whether a variable or placeholder has a value in the prompt.
    pub fn allows(&self, name: &str) -> bool {
        self.required.contains(&name) || self.optional.contains(&name)
    }

    /// Finds a file of the session by its path as it is written.
    pub fn file(&self, path: &str) -> Option<&SessionFile> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Lists the verdicts that the prompt teaches.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.ends.iter().filter_map(|outcome| outcome.verdict()).collect()
    }

    /// Lists the task statuses that the prompt teaches.
    pub fn task_statuses(&self) -> &'static [TaskStatus] {
        if self.ends.contains(&Outcome::AllDone) { TaskStatus::ALL } else { &[] }
    }
}

impl SessionFile {
    /// Returns the path as flows name the file; none that agentd writes itself, and none of a place that no flow knows.
    pub(super) fn in_flow(&self) -> Option<String> {
        let contracts = contracts();
        let path = contracts.patterns.iter().fold(self.path.clone(), |path, (name, pattern)| {
            path.replace(&format!("[[placeholder:{name}]]"), pattern)
        });
        let is_left = !contracts.given.contains(&path) && !path.contains("[[");
        is_left.then_some(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::Placeholder;

    #[test]
    fn every_prompt_knows_its_folder_and_all_but_the_context_can_be_extended() {
        assert_eq!(Placeholder::ProjectInstructions.word(), EXTENSION_POINT);
        for prompt in TeamPrompt::all() {
            let contract = of_prompt(prompt);
            assert!(contract.required.contains(&"feature_dir"), "{}", contract.name);
            assert!(contract.allows("project_dir"), "{}", contract.name);
            let is_extendable = contract.required.contains(&EXTENSION_POINT);
            assert_eq!(is_extendable, prompt != TeamPrompt::Context, "{}", contract.name);
        }
    }

    #[test]
    fn every_variable_and_placeholder_has_a_value_somewhere() {
        for name in Variable::WORDS.iter().chain(Placeholder::WORDS) {
            assert!(!where_allowed(name).is_empty(), "{name}");
        }
    }
}
