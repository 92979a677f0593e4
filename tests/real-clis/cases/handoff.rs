//! Work that is handed in with the tools of agentd's own server: the CLI offers them to the model, calls them without
//! asking anybody, and the change's folder has what was handed in. Nothing of the user's is changed by it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use agentd::models::agent::{AgentSettings, Permissions, Protocol};
use agentd::models::mcp_server::McpServer;
use agentd::orchestrator::{AgentMessage, Orchestrator, Place};
use serde_json::{Value, json};

use crate::cli::Cli;
use crate::flow::shown;
use crate::left_behind::left_behind;
use crate::model::behaviour::{Mind, Script, Turn};
use crate::model::server::Asked;
use crate::scene::{CHANGE, Scene};
use crate::suite::Suite;

/// What an agent that has done says last.
const SAID: &str = "It is handed in.";

/// What the project tells every agent.
const CANARY: &str = "canary-of-the-project";

fn said() -> Turn {
    Turn::Say(SAID.to_owned())
}

fn hand_in(cli: Cli, tool: &str, input: &Value) -> impl Iterator<Item = Turn> + use<> {
    cli.hand_in(tool, input).into_iter().map(Turn::Use)
}

fn review(summary: &str) -> Value {
    let check = json!({ "command": "sh test.sh", "result": "ok" });
    json!({ "verdict": "pass", "summary": summary, "findings": [], "checks": [check] })
}

fn refusal() -> Value {
    let finding =
        json!({ "severity": "high", "issue": "It greets nobody.", "recommendation": "Greet." });
    json!({ "verdict": "fail", "summary": "It does not greet.", "findings": [finding], "checks": [] })
}

/// Gives the folder of the change, which is the project's own here.
pub(super) fn change(scene: &Scene<'_>) -> PathBuf {
    scene.project().join("agentd/changes").join(CHANGE)
}

/// Makes sure that the model was offered a tool, that it was told what came of its use, and that the work is there.
pub(super) fn handed_in(scene: &Scene<'_>, summary: &str) {
    let mut asked = scene.server.asked();
    // On a screen a CLI also asks for a title, say, with no tool at hand.
    asked.retain(|asked| !asked.tools.is_empty());
    let tool = scene.cli.served("submit_review");
    let offers = |asked: &Asked| asked.tools.iter().any(|it| it == tool);
    let first = usize::from(scene.cli == Cli::Codex);
    assert!(asked.get(first).is_some_and(offers), "{tool} in {:?}", asked[0].tools);
    let told = asked.iter().any(|asked| asked.body.contains("review.md"));
    assert!(told, "the model is told what was written; see {}", scene.root.display());
    let text = fs::read_to_string(change(scene).join("07_review/review.md")).unwrap_or_default();
    assert!(text.starts_with("VERDICT: PASS\n") && text.contains(summary), "{text:?}");
    let record = change(scene).join("07_review/submissions/submit_review.json");
    assert!(record.exists(), "it is taken down in {}", record.display());
}

/// The tools are there at the level of an agent that may only read, and in isolation, and what the project brings to be
/// run is not run because of them.
pub(super) fn with_tools(suite: &Suite, cli: Cli) {
    for (level, isolated) in [(Permissions::Read, false), (Permissions::Write, true)] {
        let word = if isolated { "isolated" } else { "reading" };
        let case = format!("hands-in-with-tools-{word}");
        let summary = "It greets whoever is named.";
        let scene = Scene::new(suite, cli, &case, |_| {
            hand_in(cli, "submit_review", &review(summary)).chain([said()]).collect()
        });
        for (path, text) in cli.running_files() {
            scene.put(&format!("project/{path}"), &text);
        }
        scene.put(&format!("project/agentd/changes/{CHANGE}/requirements.md"), "Greet.\n");
        scene.put(&format!("project/{}", cli.memory_files().1), CANARY);
        let users = files(&scene.root.join("home"), cli);
        let agent = AgentSettings { isolated, ..settings(cli, scene.server.port) };
        let (text, run) = send(suite, &scene, agent, level);
        assert_eq!(text, SAID);
        handed_in(&scene, summary);
        assert!(!run.join("overlay").exists(), "what stood in for the user's folder is gone");
        assert_eq!(files(&scene.root.join("home"), cli), users, "the user's files");
        // Nothing keeps Gemini CLI from the project's file.
        let reads = scene.server.asked().iter().any(|asked| asked.body.contains(CANARY));
        assert!(!(isolated && reads) || cli == Cli::Gemini, "the project's instructions are read");
        for ran in ["ran-by-hook", "ran-by-server"] {
            assert!(!scene.has(&format!("project/{ran}")), "{ran} at {level:?}");
        }
        let left = left_behind(&scene.root);
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

/// Sends one message to an agent with the server of a reviewer, and gives what it said and the folder of the run.
fn send(
    suite: &Suite,
    scene: &Scene<'_>,
    agent: AgentSettings,
    permissions: Permissions,
) -> (String, PathBuf) {
    let mut command = suite.agentd(&scene.root);
    command.envs(scene.cli.environment(scene.server.port));
    let project = scene.project();
    let mut place = Place::new(&project, command.get_program());
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    place.environment = variables.map(|(name, value)| (name.into(), value.into())).collect();
    let binary = place.guard.display().to_string();
    let outbox = project.join("agentd/changes").join(CHANGE).display().to_string();
    let args = ["mcp", "--outbox", &outbox, "--role", "reviewer"];
    let server = McpServer::new(&binary, &args, &["submit_review", "submit_done"]);
    let message = AgentMessage {
        name: "review",
        part: "review",
        text: "Judge it, and hand in what you find.",
        prompt: "Judge it, and hand in what you find.",
        file: "",
        template: "",
        template_hash: "",
        change: &change(scene),
        permissions,
        server: server.as_ref(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let answered = runtime.block_on(Orchestrator::new(agent, place).send(&message));
    let answered = answered.unwrap_or_else(|error| panic!("{error}"));
    (answered.text, answered.run)
}

/// Gives how the CLI is set up, as its keys in a configuration say.
fn settings(cli: Cli, port: u16) -> AgentSettings {
    let protocol = match cli {
        Cli::Claude => Protocol::Claude,
        Cli::Gemini => Protocol::Gemini,
        Cli::Codex => Protocol::Codex,
        Cli::Copilot => Protocol::Copilot,
    };
    let keys: Value = toml::from_str(&cli.settings(port)).expect("TOML");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let args = keys["args"].as_array().into_iter().flatten().map(text).collect();
    let env = keys["env"].as_object().into_iter().flatten();
    AgentSettings {
        model: keys["model"].as_str().map(str::to_owned),
        args,
        env: env.map(|(name, value)| (name.clone(), text(value))).collect(),
        retries: 0,
        ..AgentSettings::new(cli.name(), protocol)
    }
}

/// Reads the user's own settings of a CLI.
pub(super) fn files(home: &Path, cli: Cli) -> BTreeMap<&'static str, Option<Vec<u8>>> {
    let names = cli.user_files().into_iter().map(|(path, _)| path);
    names.map(|name| (name, fs::read(home.join(name)).ok())).collect()
}

/// Hands in a review as often as it is asked to, then sums up.
struct Reviewer {
    cli: Cli,
    /// How many reviews fail before one passes.
    fails: usize,
}

impl Reviewer {
    /// Returns the uses of tools that hand in the review of a round.
    fn review(&self, round: usize) -> Vec<Turn> {
        let review = if round <= self.fails { refusal() } else { review("The scripts greet.") };
        hand_in(self.cli, "submit_review", &review).collect()
    }
}

/// Returns the outbox that each message names which tells the model to follow the instructions in a file.
fn folders_told(asked: &Asked, file: &str) -> Vec<PathBuf> {
    let (begin, end) = ("the instructions in ", format!("/{file}"));
    let messages = asked.user_texts.iter().flat_map(|text| text.split(begin).skip(1));
    let folders = messages.filter_map(|message| message.split_once(&end).map(|(folder, _)| folder));
    folders.filter(|folder| !folder.contains(char::is_whitespace)).map(PathBuf::from).collect()
}

impl Mind for Reviewer {
    fn turn(&self, asked: &Asked, results: usize) -> Turn {
        let cli = self.cli;
        // A CLI on a screen also asks for a title, say, with no tool at hand.
        if asked.tools.is_empty() {
            return said();
        }
        let rounds = folders_told(asked, "07_review/review_prompt.md").len();
        let summary = folders_told(asked, "08_completion/summary_prompt.md").pop();
        let is_summary = summary.is_some();
        // A talk on a screen goes on; without one, each is its own.
        let over = if is_summary { rounds } else { rounds.saturating_sub(1) };
        let before: usize = (1..=over).map(|round| self.review(round).len()).sum();
        let turns = if let Some(outbox) = summary {
            let done = json!({ "summary": "It greets.", "checks": [] });
            let summary = outbox.join("08_completion/summary.md");
            let write = Turn::Use(cli.write(&summary, "# Summary\n\nIt greets."));
            [write].into_iter().chain(hand_in(cli, "submit_done", &done)).collect()
        } else {
            self.review(rounds)
        };
        Script::new([turns, vec![said()]].concat()).after(results.saturating_sub(before)).clone()
    }
}

/// A reviewer in a team hands in with tools, from a workspace, in the project's own folder of the change.
pub(super) fn in_a_team(suite: &Suite, cli: Cli) {
    let scene = team(suite, cli, "a-team-hands-in", "100s", 0);
    let users = files(&scene.root.join("home"), cli);
    let output = run(suite, &scene, &[]);
    assert!(output.status.success(), "{}", shown(&output));
    handed_in(&scene, "The scripts greet.");
    summed_up(&scene, &output);
    assert_eq!(files(&scene.root.join("home"), cli), users, "the user's files");
    let left = left_behind(&scene.root);
    assert!(left.is_empty(), "left behind: {left:?}");
}

/// Makes sure that the last step of a team was handed in too, and that what the project brings to be run was not run.
pub(super) fn summed_up(scene: &Scene<'_>, output: &Output) {
    let ran = ran_in(&scene.root);
    assert!(ran.is_empty(), "{ran:?}");
    let done = change(scene).join("08_completion/submissions/submit_done.json");
    assert!(done.exists(), "{}\n{}", done.display(), shown(output));
}

/// Finds what the project's own hooks and servers leave where they are run.
pub(super) fn ran_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let (mut folders, mut found) = (Vec::new(), Vec::new());
    for entry in entries {
        if entry.file_type().is_ok_and(|it| it.is_dir()) {
            folders.push(entry.path());
        } else if entry.file_name().to_string_lossy().starts_with("ran-by-") {
            found.push(entry.path());
        }
    }
    found.extend(folders.iter().flat_map(|folder| ran_in(folder)));
    found
}

/// Sets up a team whose reviewer is a CLI that has so much time, and whose first reviews fail, so many of them.
pub(super) fn team<'s>(
    suite: &'s Suite,
    cli: Cli,
    case: &str,
    time: &str,
    fails: usize,
) -> Scene<'s> {
    let scene = Scene::with(suite, cli, case, |_| Box::new(Reviewer { cli, fails }));
    let (name, port) = (cli.name(), scene.server.port);
    let roles = ["architect", "planner", "designer", "coder", "code-researcher", "web-researcher"];
    let roles: String = roles.iter().map(|role| format!("{role} = \"offline\"\n")).collect();
    let agent = format!("retries = 0\ntimeout = {time:?}\n{}", cli.settings(port));
    let config = format!("[roles]\n{roles}reviewer = \"{name}\"\n\n[agents.{name}]\n{agent}");
    scene.put("home/.config/agentd/config.toml", &config);
    for (path, text) in cli.running_files() {
        scene.put(&format!("project/{path}"), &text);
    }
    for words in [&["add", "--all"][..], &["commit", "--quiet", "--message", "Begin"]] {
        let git = Command::new("git")
            .args(["-c", "user.name=A User", "-c", "user.email=user@localhost"])
            .args(words)
            .current_dir(scene.project())
            .env("HOME", scene.root.join("home"))
            .output()
            .expect("git runs");
        assert!(git.status.success(), "{}", shown(&git));
    }
    scene
}

/// Has the team begin the change, and bring it on.
pub(super) fn run(suite: &Suite, scene: &Scene<'_>, more: &[&str]) -> Output {
    go_on(suite, scene, &[&["Greet people", "--flow", "team"], more].concat())
}

/// Has the team bring the change on.
pub(super) fn go_on(suite: &Suite, scene: &Scene<'_>, more: &[&str]) -> Output {
    suite
        .agentd(&scene.root)
        .args(["run", CHANGE])
        .args(more)
        .env("AGENTD_STATE", scene.root.join("state"))
        // A name that leaves room for what tmux puts behind it.
        .env("TMUX_TMPDIR", scene.root.join("t"))
        .envs(scene.cli.environment(scene.server.port))
        .output()
        .expect("agentd runs")
}
