//! What a phase sends to an agent: the whole document on standard input, nothing beside it.

use std::fs;
use std::path::Path;

use agentd::catalog::CATALOG;
use agentd::models::agent::{AgentSettings, Protocol};
use agentd::models::prompt::UnifiedPrompt;
use agentd::models::run::Invocation;
use agentd::orchestrator::agents::{Request, adapter};
use agentd::orchestrator::{ClaudeOrchestrator, CodexOrchestrator, GeminiOrchestrator, Place};
use agentd::{Agent, Phase};
use tempfile::TempDir;

/// A project with a change that has been planned.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("src/main.rs", "fn main() {}\n"),
        ("agentd/project.md", "A web shop. Mail shop@example.org, see @src/main.rs.\n"),
        ("agentd/changes/feature-x/request.md", "Add feature x\n"),
        ("agentd/changes/feature-x/proposal.md", "# Feature x\n\nWe add it.\n"),
        ("agentd/changes/feature-x/specs/x.md", "# X\n\nIt must be there.\n"),
        ("agentd/changes/feature-x/tasks.md", TASKS),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

const TASKS: &str =
    "# Tasks\n\n## 1. Feature\n\n- [ ] 1.1 Add feature x\n  - File: `src/main.rs` (MODIFY)\n";

/// Gives what would be run for a prompt of an agent.
fn invocation(settings: &AgentSettings, project: &Path, phase: Phase, prompt: &str) -> Invocation {
    let change = project.join("agentd/changes/feature-x");
    // The caller's own environment tries what it can.
    let environment = [
        ("PATH", "/usr/bin"),
        ("GEMINI_SYSTEM_MD", "/home/me/system.md"),
        ("CLAUDE_CODE_SYSTEM_PROMPT", "You are a pirate."),
        ("CLAUDE_CODE_SESSION_ID", "s"),
    ];
    let environment = environment.map(|(name, value)| (name.into(), value.into()));
    let request = Request {
        settings,
        prompt,
        permissions: settings.permissions.in_step(CATALOG.step(phase)),
        workspace: project,
        extra_folder: Some(&change),
        run_folder: &change.join("runs/001-plan"),
        environment: &environment,
        server: None,
        is_confined: false,
        tools: &[],
    };
    adapter(&settings.protocol).invocation(&request).expect("an invocation")
}

/// Gives all words of an invocation but for its standard input.
fn around(invocation: &Invocation) -> Vec<String> {
    let words = invocation.args.iter().chain(invocation.env.iter().flat_map(|(n, v)| [n, v]));
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

#[test]
fn seed_004_scenario_executing_a_proposal_without_session_resume() {
    let project = project();
    let orchestrator = GeminiOrchestrator::new(Place::new(project.path(), "agentd"));
    let change = "feature-x".parse().expect("an id");
    let prompt = orchestrator.prompt(&change, Phase::Plan, "Add feature x").expect("a prompt");
    let xml = prompt.to_xml();
    let settings = AgentSettings::new("gemini", Protocol::Gemini);
    let invocation = invocation(&settings, project.path(), Phase::Plan, &xml);
    assert_eq!(invocation.program, "gemini");
    for word in around(&invocation) {
        for refused in ["--resume", "--session", "-r", "--prompt", "-p"] {
            assert!(word != refused && !word.starts_with(&format!("{refused}=")), "{word}");
        }
        let word = word.to_lowercase();
        assert!(!word.contains("session") && !word.contains("system"), "{word}");
        assert!(!word.contains("add feature x"), "{word}");
    }
    // All of the document is there; the one thing that differs is the backslash before what Gemini CLI would take
    // for a request to insert a file.
    assert!(invocation.stdin.contains("shop\\@example.org, see \\@src/main.rs"));
    assert_eq!(invocation.stdin.replace("\\@", "@"), xml.replace("\\@", "@"));
    let read = UnifiedPrompt::from_xml(&invocation.stdin).expect("a document");
    assert_eq!(read.instructions, "Add feature x");
}

#[test]
fn seed_004_scenario_executing_a_proposal_without_session_resume_is_the_same_a_second_time() {
    let project = project();
    let change = "feature-x".parse().expect("an id");
    let place = Place::new(project.path(), "agentd");
    let first = |phase| {
        let orchestrator = GeminiOrchestrator::new(place.clone());
        let prompt = orchestrator.prompt(&change, phase, "Add feature x").expect("a prompt");
        let settings = AgentSettings::new("gemini", Protocol::Gemini);
        invocation(&settings, project.path(), phase, &prompt.to_xml())
    };
    // Nothing is remembered of the first time.
    assert_eq!(first(Phase::Plan), first(Phase::Plan));
    assert_ne!(first(Phase::Plan).stdin, first(Phase::Challenge).stdin);
}

#[test]
fn seed_004_scenario_transitioning_system_prompts_to_xml() {
    let project = project();
    let orchestrator = ClaudeOrchestrator::new(Place::new(project.path(), "agentd"));
    let change = "feature-x".parse().expect("an id");
    let prompt = orchestrator.prompt(&change, Phase::Implement, "Do it").expect("a prompt");
    let xml = prompt.to_xml();
    let settings = AgentSettings::new("claude", Protocol::Claude);
    let invocation = invocation(&settings, project.path(), Phase::Implement, &xml);
    assert_eq!(invocation.stdin, xml);
    for word in around(&invocation) {
        let word = word.to_lowercase();
        assert!(!word.contains("system") && !word.contains("pirate"), "{word}");
    }
    let (opens, closes) = ("<system_prompt>", "</system_prompt>");
    assert_eq!((xml.matches(opens).count(), xml.matches(closes).count()), (1, 1));
    let read = UnifiedPrompt::from_xml(&invocation.stdin).expect("a document");
    let system = read.system_prompt.expect("a system prompt");
    let template = CATALOG.system(Agent::Claude, Phase::Implement);
    // Up to its first variable, the template stands there as it was written.
    let start = template.text.split("{{").next().unwrap_or_default().trim();
    assert!(start.len() > 200, "{start}");
    assert!(system.contains(start), "{system}");
    assert!(system.contains("<task_status id="), "{system}");
}

#[test]
fn seed_004_scenario_transitioning_system_prompts_to_xml_serves_every_agent_and_phase() {
    let project = project();
    let change = "feature-x".parse().expect("an id");
    let place = Place::new(project.path(), "agentd");
    for (agent, protocol, name) in [
        (Agent::Claude, Protocol::Claude, "claude"),
        (Agent::Gemini, Protocol::Gemini, "gemini"),
        (Agent::Codex, Protocol::Codex, "codex"),
    ] {
        for phase in [Phase::Plan, Phase::Challenge, Phase::Implement] {
            let prompt = match agent {
                Agent::Claude => ClaudeOrchestrator::new(place.clone()).prompt(&change, phase, "x"),
                Agent::Gemini => GeminiOrchestrator::new(place.clone()).prompt(&change, phase, "x"),
                Agent::Codex | Agent::Base => {
                    CodexOrchestrator::new(place.clone()).prompt(&change, phase, "x")
                }
            };
            let prompt = prompt.expect("a prompt");
            let settings = AgentSettings::new(name, protocol.clone());
            let run = invocation(&settings, project.path(), phase, &prompt.to_xml());
            let stdin = run.stdin.replace("\\@", "@");
            let system = UnifiedPrompt::from_xml(&stdin).expect("a document").system_prompt;
            let text = CATALOG.system(agent, phase).text;
            let start = text.split("{{").next().unwrap_or_default().trim();
            assert!(system.expect("a system prompt").contains(start), "{name} {phase:?}");
            for word in around(&run) {
                assert!(!word.to_lowercase().contains("system"), "{name} {phase:?}: {word}");
            }
        }
    }
}
