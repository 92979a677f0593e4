//! The unified prompt: its data model, its XML and its errors.

use agentd::catalog::CATALOG;
use agentd::models::prompt::{ContextItem, ContextKind, UnifiedPrompt};
use agentd::orchestrator::prompts::load_system_template;
use agentd::{Agent, Phase, Values};

#[test]
fn seed_001_r1_the_data_model_holds_system_prompt_context_and_instructions() {
    let json = serde_json::json!({
        "system_prompt": "Be careful.",
        "context": [
            { "type": "file", "name": "src/main.rs", "content": "fn main() {}" },
            { "type": "artifact", "name": "proposal.md", "content": "# Proposal" },
            { "type": "thought", "name": "plan-1", "content": "Hm." },
        ],
        "instructions": "Add login",
    });
    let prompt: UnifiedPrompt = serde_json::from_value(json.clone()).expect("a prompt");
    let built = UnifiedPrompt::new("Add login")
        .with_system_prompt("Be careful.")
        .with_file("src/main.rs", "fn main() {}")
        .with_artifact("proposal.md", "# Proposal")
        .with_thought("plan-1", "Hm.");
    assert_eq!(prompt, built);
    assert_eq!(serde_json::to_value(&prompt).expect("JSON"), json);
}

#[test]
fn seed_001_r1_only_the_instructions_are_required() {
    let prompt: UnifiedPrompt =
        serde_json::from_str(r#"{ "instructions": "x" }"#).expect("a prompt");
    assert_eq!(prompt, UnifiedPrompt::new("x"));
    assert!(serde_json::from_str::<UnifiedPrompt>(r#"{ "context": [] }"#).is_err());
    let item: ContextItem = serde_json::from_str("{}").expect("every field of an item is optional");
    assert_eq!(item, ContextItem { kind: ContextKind::Artifact, ..ContextItem::default() });
    assert!(serde_json::from_str::<ContextItem>(r#"{ "type": "tool" }"#).is_err());
}

#[test]
fn seed_001_r2_to_xml_sets_system_context_and_instructions_apart() {
    let prompt = UnifiedPrompt::new("Add login").with_system_prompt("Rules").with_file("a", "b");
    assert_eq!(
        prompt.to_xml(),
        "<prompt>\n<system_prompt>Rules</system_prompt>\n<context>\n<file path='a'>b</file>\n</context>\n\
         <instructions>Add login</instructions>\n</prompt>\n"
    );
    let mut streamed = Vec::new();
    let written = prompt.write_xml(&mut streamed).expect("a vector takes everything");
    assert_eq!(streamed, prompt.to_xml().into_bytes());
    assert_eq!((written.bytes, written.replaced), (streamed.len(), 0));
}

#[test]
fn seed_001_r3_templates_are_loaded_by_agent_and_phase_with_a_common_fallback() {
    let own = load_system_template("CODEX", "review").expect("a template");
    let fallback = load_system_template("GEMINI", "review").expect("a template");
    assert_eq!(own, CATALOG.system(Agent::Codex, Phase::Review).text);
    assert_eq!(fallback, CATALOG.system(Agent::Base, Phase::Review).text);
    assert_ne!(own, fallback);
    assert_eq!(
        load_system_template("someone-else", "review").expect("the BASE template"),
        fallback
    );
}

#[test]
fn seed_001_r5_artifacts_are_part_of_the_context_in_order() {
    let prompt = UnifiedPrompt::new("Go on")
        .with_artifact("tasks.md", "- [ ] 1.1 Login")
        .with_thought("implement-1", "Start with the form.")
        .with_artifact("REVIEW.md", "Fix a < b");
    let xml = prompt.to_xml();
    let places: Vec<_> = [
        "<context>",
        "<artifact name='tasks.md'>- [ ] 1.1 Login</artifact>",
        "<thought name='implement-1'>Start with the form.</thought>",
        "<artifact name='REVIEW.md'><![CDATA[Fix a < b]]></artifact>",
        "</context>",
        "<instructions>",
    ]
    .iter()
    .map(|part| xml.find(part).unwrap_or_else(|| panic!("{part} is not in {xml}")))
    .collect();
    assert!(places.is_sorted(), "{xml}");
}

#[test]
fn seed_001_scenario_constructing_a_basic_plan_prompt() {
    let system = CATALOG.system(Agent::Base, Phase::Plan).render(&Values::new());
    let prompt = UnifiedPrompt::new("Add login").with_system_prompt(system.clone());
    let xml = prompt.to_xml();
    assert!(xml.starts_with("<prompt>\n<system_prompt><![CDATA[# agentd system prompt: plan\n"));
    assert!(xml.contains("<context>\n</context>"));
    assert!(xml.contains("<instructions>Add login</instructions>"));
    assert_eq!(UnifiedPrompt::from_xml(&xml).expect("a prompt").system_prompt, Some(system));
}

#[test]
fn seed_001_scenario_rendering_context_files() {
    let source = "fn main() {\n    println!(\"{}\", 1 << 2);\n}\n";
    let xml = UnifiedPrompt::new("x").with_file("src/main.rs", source).to_xml();
    let expected =
        format!("<context>\n<file path='src/main.rs'><![CDATA[{source}]]></file>\n</context>");
    assert!(xml.contains(&expected), "{xml}");
}

#[test]
fn seed_001_scenario_an_unknown_phase_is_template_not_found() {
    let error = load_system_template("CLAUDE", "invalid-phase").expect_err("no such phase");
    assert_eq!((error.agent.as_str(), error.phase.as_str()), ("CLAUDE", "invalid-phase"));
    assert_eq!(error.tried, ["CLAUDE-invalid-phase.md", "BASE-invalid-phase.md"]);
    let message = error.to_string();
    for part in ["CLAUDE", "invalid-phase", "CLAUDE-invalid-phase.md", "BASE-invalid-phase.md"] {
        assert!(message.contains(part), "{message}");
    }
}
