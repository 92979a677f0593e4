//! Work that is handed in with the tools of agentd's own server: the CLI offers them to the model, calls them without
//! asking anybody, and the change's folder has what was handed in. Nothing of the user's is changed by it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentd::models::agent::{AgentSettings, Permissions, Protocol};
use agentd::models::mcp_server::McpServer;
use agentd::orchestrator::{Errand, Orchestrator, Place};
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

/// Gives the folder of the change, which is the project's own here.
fn change(scene: &Scene<'_>) -> PathBuf {
    scene.project().join("agentd/changes").join(CHANGE)
}

/// Makes sure that the model was offered a tool, that it was told what came of its use, and that the work is there.
fn handed_in(scene: &Scene<'_>, summary: &str) {
    let asked = scene.server.asked();
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
    let (binary, root) = (place.guard.display().to_string(), project.display().to_string());
    let args = ["mcp", "--project", &root, "--change", CHANGE, "--role", "reviewer"];
    let server = McpServer::new(&binary, &args, &["submit_review", "submit_done"]);
    let errand = Errand {
        name: "review",
        part: "review",
        message: "Judge it, and hand in what you find.",
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
    let answered = runtime.block_on(Orchestrator::new(agent, place).send(&errand));
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
fn files(home: &Path, cli: Cli) -> BTreeMap<&'static str, Option<Vec<u8>>> {
    let names = cli.user_files().into_iter().map(|(path, _)| path);
    names.map(|name| (name, fs::read(home.join(name)).ok())).collect()
}

/// Hands in a review, then sums up.
struct Reviewer {
    cli: Cli,
    change: PathBuf,
}

impl Mind for Reviewer {
    fn turn(&self, asked: &Asked, results: usize) -> Turn {
        let is_summary = asked.user_texts.iter().any(|text| text.contains("summary_prompt.md"));
        let cli = self.cli;
        let turns = if is_summary {
            let done = json!({ "summary": "It greets.", "checks": [] });
            let summary = self.change.join("08_completion/summary.md");
            let write = Turn::Use(cli.write(&summary, "# Summary\n\nIt greets."));
            [write].into_iter().chain(hand_in(cli, "submit_done", &done)).collect::<Vec<_>>()
        } else {
            hand_in(cli, "submit_review", &review("The scripts greet.")).collect()
        };
        Script::new([turns, vec![said()]].concat()).after(results).clone()
    }
}

/// A reviewer in a team hands in with tools, from a worktree, in the project's own folder of the change.
pub(super) fn in_a_team(suite: &Suite, cli: Cli) {
    let scene = Scene::with(suite, cli, "a-team-hands-in", |root| {
        let change = root.join("project/agentd/changes").join(CHANGE);
        Box::new(Reviewer { cli, change })
    });
    let (name, port) = (cli.name(), scene.server.port);
    let roles = ["architect", "planner", "designer", "coder", "code-researcher", "web-researcher"];
    let roles: String = roles.iter().map(|role| format!("{role} = \"offline\"\n")).collect();
    let agent = format!("retries = 0\ntimeout = \"100s\"\n{}", cli.settings(port));
    let config = format!("[roles]\n{roles}reviewer = \"{name}\"\n\n[agents.{name}]\n{agent}");
    scene.put("home/.config/agentd/config.toml", &config);
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
    let users = files(&scene.root.join("home"), cli);
    let output = suite
        .agentd(&scene.root)
        .args(["run", CHANGE, "Greet people", "--flow", "team"])
        .env("AGENTD_STATE", scene.root.join("state"))
        .envs(cli.environment(port))
        .output()
        .expect("agentd runs");
    assert!(output.status.success(), "{}", shown(&output));
    handed_in(&scene, "The scripts greet.");
    let done = change(&scene).join("08_completion/submissions/submit_done.json");
    assert!(done.exists(), "{}\n{}", done.display(), shown(&output));
    assert_eq!(files(&scene.root.join("home"), cli), users, "the user's files");
    let left = left_behind(&scene.root);
    assert!(left.is_empty(), "left behind: {left:?}");
}
