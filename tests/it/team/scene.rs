//! A repository with a commit, in which a team of offline agents brings a change on.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::home::Home;
use crate::project::AGENTD;
use crate::ran::Ran;
use crate::support::of_change;

/// The id of the change in these tests.
pub(super) const ID: &str = "add-logo";

/// A repository and its user.
pub(super) struct Scene {
    pub(super) home: Home,
}

impl Scene {
    pub(super) fn new() -> Self {
        Self::of(Home::new())
    }

    /// Makes a repository with one commit.
    pub(super) fn of(home: Home) -> Self {
        let home = home.with_git();
        for (name, value) in [("user.name", "Ada"), ("user.email", "ada@localhost")] {
            home.git(&["config", name, value]);
        }
        home.write("README.md", "# Shop\n");
        home.git(&["add", "--all"]);
        home.git(&["commit", "--quiet", "--message", "Begin"]);
        Self { home }
    }

    /// Adds to the user's own configuration, which needs no trust.
    pub(super) fn config(&self, text: &str) {
        self.home.configure(text);
    }

    /// Puts an agent's outbox in the place of the change's folder, which no agent is given.
    pub(super) fn in_outbox(&self, script: &str, outbox: &str) -> String {
        let change = self.change("");
        let change = change.to_string_lossy();
        let change = change.trim_end_matches('/');
        // A shell sees no variable within single quotes.
        script.replace(&format!("'{change}"), &format!("\"{outbox}\"'")).replace(change, outbox)
    }

    /// Returns the path of a prompt in the outbox of whoever reads it.
    pub(super) fn prompt_file(&self, prompt: &str) -> PathBuf {
        let plan = prompt.strip_prefix("06_implementation/coder_prompt_");
        let plan = plan.and_then(|name| name.strip_suffix(".md"));
        let role = match (prompt.split('/').next(), plan) {
            (Some("02_architecting"), _) => "architect".to_owned(),
            (Some("04_planning"), _) => "planner".to_owned(),
            (Some("06_implementation"), Some(plan)) => format!("coder-{plan}"),
            (Some("06_implementation"), None) => "coder".to_owned(),
            _ => "reviewer".to_owned(),
        };
        self.outbox(&role, prompt)
    }

    /// Returns the path of a file in the outbox of a role, which must be there.
    pub(super) fn outbox(&self, role: &str, name: &str) -> PathBuf {
        let workspaces = self.home.path("home/.local/state/agentd/workspaces");
        let project = fs::read_dir(workspaces).expect("a folder").next().expect("a project");
        let outbox = project.expect("one").path().join(format!("{ID}.outbox"));
        outbox.join(role).join(ID).join(name)
    }

    /// Describes an agent that follows a script; the change's folder in it stands for its outbox.
    pub(super) fn agent(&self, name: &str, script: &str) {
        let path = self.home.path(&format!("{name}.script"));
        fs::write(&path, self.in_outbox(script, "OUTBOX")).expect("written");
        let path = path.to_string_lossy();
        self.config(&format!(
            "[agents.{name}]\ncli = \"claude\"\ncommand = [{AGENTD:?}, \"offline-agent\", \"--speak\", \"claude\", \"--script\", {path:?}]\n"
        ));
    }

    /// Describes an agent that takes some steps of a shell and then does what the offline agent does.
    pub(super) fn meddler(&self, name: &str, steps: &str) {
        let path = self.home.path(&format!("{name}.sh"));
        let steps = self.in_outbox(steps, "$AGENTD_OUTBOX");
        let script = format!("{steps}\nexec {AGENTD} offline-agent --speak claude\n");
        fs::write(&path, script).expect("written");
        let path = path.to_string_lossy();
        self.config(&format!("[agents.{name}]\ncli = \"claude\"\ncommand = [\"sh\", {path:?}]\n"));
    }

    /// Describes an agent that takes some steps of a shell and says that it has done its part.
    pub(super) fn hand(&self, name: &str, steps: &str) {
        let words = self.home.path(&format!("{name}.words"));
        fs::write(&words, "answer That is all.\n").expect("written");
        let words = words.display();
        let answer = format!("exec {AGENTD} offline-agent --speak claude --script {words}");
        self.meddler(name, &format!("cat >/dev/null\n{steps}\n{answer}"));
    }

    /// Describes an agent that does what the offline agent does and then takes some steps of a shell.
    pub(super) fn finisher(&self, name: &str, steps: &str) {
        let play = format!("said=$({AGENTD} offline-agent --speak claude)");
        self.meddler(name, &format!("{play}\n{steps}\nprintf '%s\\n' \"$said\"\nexit"));
    }

    /// Says what a person wants changed.
    pub(super) fn reject(&self, words: &str) {
        self.home.agentd(&["reject", ID, words]).exits(0).prints("is now at change");
    }

    /// The words that begin the change, or go on with it.
    pub(super) fn words<'w>(more: &[&'w str]) -> Vec<&'w str> {
        let begin = ["run", ID, "Add a logo", "--flow", "team", "--agent", "offline"];
        [&begin, more].concat()
    }

    pub(super) fn run(&self, more: &[&str]) -> Ran {
        self.home.agentd(&Self::words(more))
    }

    /// Gives the path of a file of the change.
    pub(super) fn change(&self, name: &str) -> PathBuf {
        of_change(&self.home.root(), ID, name)
    }

    pub(super) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.change(name)).unwrap_or_default()
    }

    /// Lists the runs whose names end like this.
    pub(super) fn runs(&self, ending: &str) -> Vec<String> {
        let entries = fs::read_dir(self.change("runs")).expect("runs");
        let names = entries.map(|entry| entry.expect("one").file_name().into_string().expect("it"));
        let mut names: Vec<_> = names.filter(|name| name.ends_with(ending)).collect();
        names.sort();
        names
    }
}

/// Waits until something holds, and fails if it never does.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_mins(1), "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}
