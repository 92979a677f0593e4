//! A project with a change of the team that has got as far as its review.

use std::fs;
use std::num::NonZeroU32;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use agentd::prompt::team::{
    self, BuiltPrompt, Facts, ReviewerTask, TeamPromptError, TeamSession, Topic,
};

use crate::home::Home;

/// The change's folder, below the project's root.
pub(crate) const CHANGE: &str = "agentd/changes/add-login";

/// The files of the change; each holds a line that tells it from all others.
pub(crate) const FILES: [(&str, &str); 14] = [
    ("requirements.md", "THE REQUEST"),
    ("state.json", "{\"state\": \"THE STATE\"}"),
    ("01_product_management/analysis.md", "THE ANALYSIS"),
    ("02_architecting/architecture.md", "THE ARCHITECTURE"),
    ("03_research/code-auth/request.md", "THE QUESTIONS ABOUT AUTH"),
    ("03_research/web-oauth/request.md", "THE QUESTIONS ABOUT OAUTH"),
    ("04_planning/plan.md", "THE OVERVIEW"),
    ("04_planning/plan_1.md", "THE FIRST PLAN"),
    ("04_planning/tasks_1.md", "- [ ] THE FIRST TASK"),
    ("04_planning/plan_2.md", "THE SECOND PLAN"),
    ("04_planning/tasks_2.md", "- [ ] THE SECOND TASK"),
    ("04_planning/execution_plan.yaml", "version: 1 # THE SCHEDULE"),
    ("07_review/review.md", "VERDICT: PASS\n\nTHE REVIEW"),
    ("08_completion/changes.md", "THE WISHES"),
];

/// A project in a git repository.
pub(crate) struct Scene {
    pub(crate) home: Home,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self { home: Home::new().with_git() };
        for (path, text) in FILES {
            scene.file(path, format!("{text}\n"));
        }
        scene
    }

    pub(crate) fn session(&self) -> TeamSession {
        let project_root = self.root();
        TeamSession {
            feature_dir: project_root.join(CHANGE),
            project_dir: PathBuf::from("/srv/workspaces/add-login"),
            project_root,
            facts: Facts::default(),
        }
    }

    /// Gives the root as git names it.
    pub(crate) fn root(&self) -> PathBuf {
        self.home.root().canonicalize().expect("a folder")
    }

    /// Gives a path in the change's folder.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root().join(CHANGE).join(path)
    }

    /// Writes a file of the change.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.home.root().join(CHANGE).join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, content).expect("written");
        path
    }

    /// Removes a file of the change.
    pub(crate) fn without(&self, path: &str) {
        fs::remove_file(self.path(path)).expect("removed");
    }

    /// Puts a link in the place of a file of the change.
    pub(crate) fn link(&self, path: &str, target: &str) {
        let path = self.path(path);
        let _ = fs::remove_file(&path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        symlink(target, path).expect("linked");
    }

    /// Writes a file outside of the change's folder that nobody may see, and gives its path.
    pub(crate) fn secret(&self) -> String {
        self.home.write("secret.md", "THE SECRET\n");
        self.root().join("secret.md").display().to_string()
    }
}

/// Makes a prompt.
pub(crate) type Build = fn(&TeamSession) -> Result<BuiltPrompt, TeamPromptError>;

/// Every builder, with the words of the command line that print the same prompt, and the file it belongs in.
pub(crate) const BUILDERS: [(&[&str], &str, Build); 13] = [
    (
        &["--role", "product-manager"],
        "01_product_management/product_manager_prompt.md",
        team::build_product_manager_prompt,
    ),
    (&["--role", "architect"], "02_architecting/architect_prompt.md", team::build_architect_prompt),
    (
        &["--role", "code-researcher", "--topic", "auth"],
        "03_research/code-auth/researcher_prompt.md",
        |session| team::build_code_researcher_prompt(session, &topic("auth")),
    ),
    (
        &["--role", "web-researcher", "--topic", "oauth"],
        "03_research/web-oauth/researcher_prompt.md",
        |session| team::build_web_researcher_prompt(session, &topic("oauth")),
    ),
    (&["--role", "planner"], "04_planning/planner_prompt.md", team::build_planner_prompt),
    (&["--command", "change"], "04_planning/change_prompt.md", team::build_change_prompt),
    (&["--role", "designer"], "05_design/designer_prompt.md", team::build_designer_prompt),
    (&["--role", "coder", "--plan", "2"], "06_implementation/coder_prompt_2.md", coder_of_plan_2),
    (
        &["--role", "coder", "--whole"],
        "06_implementation/coder_prompt.md",
        team::build_coder_whole_plan_prompt,
    ),
    (&["--command", "fix"], "06_implementation/fix_prompt.md", team::build_fix_prompt),
    (&["--role", "reviewer"], "07_review/reviewer_prompt.md", |session| {
        team::build_reviewer_prompt(session, ReviewerTask::Standing)
    }),
    (&["--command", "review"], "07_review/review_prompt.md", |session| {
        team::build_reviewer_prompt(session, ReviewerTask::Review)
    }),
    (
        &["--command", "summary"],
        "08_completion/summary_prompt.md",
        team::build_reviewer_summary_prompt,
    ),
];

/// Makes the prompt of the coder of the second plan.
pub(crate) fn coder_of_plan_2(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    team::build_coder_subplan_prompt(session, NonZeroU32::MIN.saturating_add(1))
}

fn topic(name: &str) -> Topic {
    name.parse().expect("a topic")
}

/// Gives the text of a prompt that can be made.
pub(crate) fn text(built: Result<BuiltPrompt, TeamPromptError>) -> String {
    built.expect("the prompt is made").text
}
