//! What reaches an agent: the whole document on standard input, and neither a session nor a system prompt beside it.

use std::fs;

use agentd::Phase;
use agentd::models::agent::{AgentSettings, Protocol};
use agentd::models::prompt::UnifiedPrompt;
use agentd::orchestrator::prompts::load_system_template;
use agentd::orchestrator::{
    ClaudeOrchestrator, CodexOrchestrator, GeminiOrchestrator, Orchestrator, Place,
};

use tempfile::TempDir;

use crate::process::scene::runtime;
use crate::project::{AGENTD, Project};
use crate::support::install;

/// What a CLI was given.
struct Received {
    arguments: Vec<String>,
    environment: String,
    stdin: String,
}

/// Programs of the CLIs' names that record what they are given and then speak as the CLIs do.
struct Recorder {
    folder: TempDir,
    project: Project,
}

impl Recorder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let here = folder.path().display();
        for cli in ["gemini", "claude", "codex", "copilot"] {
            let program = format!(
                "#!/bin/sh\nprintf '%s\\n' \"$@\" >'{here}/arguments'\nenv >'{here}/environment'\ncat >'{here}/stdin'\n\
                 exec '{AGENTD}' offline-agent --speak {cli} \"$@\" <'{here}/stdin'\n"
            );
            install(&folder.path().join(cli), program, 0o755);
        }
        Self { folder, project: Project::new() }
    }

    /// Gives a place whose environment holds what no agent must see.
    fn place(&self) -> Place {
        let path = std::env::var("PATH").expect("a PATH");
        let path = format!("{}:{path}", self.folder.path().display());
        let variables = [
            ("PATH", path.as_str()),
            ("GEMINI_SYSTEM_MD", "/system.md"),
            ("CLAUDE_CODE_SYSTEM_PROMPT", "x"),
            ("CLAUDE_CODE_SESSION_ID", "x"),
        ];
        let environment = variables.map(|(name, value)| (name.into(), value.into())).to_vec();
        Place { environment, ..self.project.place() }
    }

    fn orchestrators(&self) -> [(&'static str, Orchestrator); 4] {
        let copilot = AgentSettings::new("copilot", Protocol::Copilot);
        [
            ("gemini", Orchestrator::clone(&GeminiOrchestrator::new(self.place()))),
            ("claude", Orchestrator::clone(&ClaudeOrchestrator::new(self.place()))),
            ("codex", Orchestrator::clone(&CodexOrchestrator::new(self.place()))),
            ("copilot", Orchestrator::new(copilot, self.place())),
        ]
    }

    /// Runs a phase and gives the prompt that was put together for it and what the CLI was given.
    fn run(&self, orchestrator: &Orchestrator, phase: Phase) -> (UnifiedPrompt, Received) {
        let change = "add-login".parse().expect("an id");
        let prompt = orchestrator.prompt(&change, phase, "Add feature-x").expect("a prompt");
        runtime()
            .block_on(orchestrator.run_phase(&change, phase, "Add feature-x"))
            .unwrap_or_else(|error| panic!("{phase}: {error}"));
        let read = |name: &str| fs::read_to_string(self.folder.path().join(name)).expect(name);
        let arguments = read("arguments").lines().map(str::to_owned).collect();
        (prompt, Received { arguments, environment: read("environment"), stdin: read("stdin") })
    }
}

/// Asserts that no argument continues or keeps a session, or carries a prompt.
fn assert_stateless(received: &Received) {
    for argument in &received.arguments {
        // What stands behind `=` names a tool that is left out.
        let name = argument.split('=').next().unwrap_or_default().to_lowercase();
        let is_telling = ["resume", "continue", "session", "system-prompt", "append-"]
            .iter()
            .any(|word| name.contains(word));
        assert!(!is_telling || argument == "--no-session-persistence", "{argument}");
        assert!(!["-r", "--prompt", "-i"].contains(&argument.as_str()), "{argument}");
        assert!(!argument.contains("feature-x"), "{argument}");
    }
}

#[test]
fn seed_004_r1_every_request_is_complete_and_belongs_to_no_session() {
    for number in 0..4 {
        let recorder = Recorder::new();
        let (cli, orchestrator) = &recorder.orchestrators()[number];
        let (first_prompt, first) = recorder.run(orchestrator, Phase::Plan);
        for name in ["proposal.md", "specs/add-login.md", "tasks.md"] {
            fs::remove_file(recorder.project.change(name)).expect("a file of the plan");
        }
        let (_, second) = recorder.run(orchestrator, Phase::Plan);
        assert_stateless(&first);
        assert_eq!(first.stdin, second.stdin, "{cli}: the same request, whatever came before");
        // The second round is told by artifacts what the first made.
        let (later_prompt, later) = recorder.run(orchestrator, Phase::Plan);
        assert_eq!((first_prompt.context.len(), later_prompt.context.len()), (0, 3), "{cli}");
        assert!(later.stdin.contains("<artifact name='proposal.md'>"), "{cli}");
    }
}

#[test]
fn seed_004_r2_every_orchestrator_sends_what_to_xml_gives() {
    for number in 0..4 {
        let recorder = Recorder::new();
        let (cli, orchestrator) = &recorder.orchestrators()[number];
        for phase in
            [Phase::Plan, Phase::Challenge, Phase::Implement, Phase::Review, Phase::Archive]
        {
            let (prompt, received) = recorder.run(orchestrator, phase);
            assert_eq!(received.stdin, prompt.to_xml(), "{cli} {phase}");
            assert_stateless(&received);
        }
    }
}

#[test]
fn seed_004_r5_all_orchestrators_assemble_a_prompt_in_the_same_way() {
    let mut prompts = Vec::new();
    let recorder = Recorder::new();
    let project = &recorder.project;
    for name in ["proposal.md", "specs/a.md", "specs/b.md", "CHALLENGE.md"] {
        project.file(&format!("agentd/changes/add-login/{name}"), format!("This is {name}."));
    }
    project.file("agentd/changes/add-login/tasks.md", "- [ ] 1.1 Do it\n");
    for (_, orchestrator) in recorder.orchestrators() {
        let change = "add-login".parse().expect("an id");
        prompts.push(orchestrator.prompt(&change, Phase::Archive, "x").expect("a prompt"));
        let review = orchestrator.prompt(&change, Phase::Challenge, "x").expect("a prompt");
        let names: Vec<_> = review.context.iter().map(|item| item.name.as_str()).collect();
        assert_eq!(names, ["proposal.md", "specs/a.md", "specs/b.md", "tasks.md", "CHALLENGE.md"]);
        let system = review.system_prompt.expect("a system prompt");
        assert!(
            system.contains("A web shop.") && system.contains("- `specs/b.md` (19 bytes)"),
            "{system}"
        );
    }
    // No agent has a template of its own for this phase, so that nothing tells them apart.
    assert!(prompts.iter().all(|prompt| *prompt == prompts[0]));
}

#[test]
fn seed_001_r4_orchestrators_pass_a_prompt_on_standard_input_alone() {
    for number in 0..4 {
        let recorder = Recorder::new();
        let (cli, orchestrator) = &recorder.orchestrators()[number];
        let (prompt, received) = recorder.run(orchestrator, Phase::Plan);
        let read = UnifiedPrompt::from_xml(&received.stdin).expect("a document");
        assert_eq!(read, prompt, "{cli}");
        assert_eq!(read.instructions, "Add feature-x", "{cli}");
        let elsewhere = received.arguments.join("\n") + &received.environment;
        assert!(
            !elsewhere.contains("feature-x") && !elsewhere.contains("Identity & Role"),
            "{cli}"
        );
    }
}

#[test]
fn seed_004_scenario_executing_a_proposal_without_session_resume() {
    let recorder = Recorder::new();
    let orchestrator = GeminiOrchestrator::new(recorder.place());
    let (prompt, received) = recorder.run(&orchestrator, Phase::Plan);
    let refused = |argument: &String| argument.contains("resume") || argument.contains("session");
    assert!(!received.arguments.iter().any(refused), "{:?}", received.arguments);
    assert_eq!(received.stdin, prompt.to_xml());
    assert!(received.stdin.contains("<instructions>Add feature-x</instructions>"));
    assert!(recorder.project.change("proposal.md").is_file());
}

#[test]
fn seed_004_scenario_transitioning_system_prompts_to_xml() {
    let recorder = Recorder::new();
    let orchestrator = ClaudeOrchestrator::new(recorder.place());
    recorder.run(&orchestrator, Phase::Plan);
    let (_, received) = recorder.run(&orchestrator, Phase::Implement);
    let telling = ["SYSTEM_MD", "SYSTEM_PROMPT", "SESSION"];
    for line in received.environment.lines() {
        assert!(!telling.iter().any(|word| line.contains(word)), "{line}");
    }
    let document = UnifiedPrompt::from_xml(&received.stdin).expect("a document");
    let system = document.system_prompt.expect("a system prompt");
    let template = load_system_template("CLAUDE", "implement").expect("a template");
    let (opening, _) = template.split_once("{{").expect("a variable");
    assert!(system.starts_with(opening), "{system}");
    assert!(received.stdin.starts_with("<prompt>\n<system_prompt>"), "{}", &received.stdin[..80]);
}
