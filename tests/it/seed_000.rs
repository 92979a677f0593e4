//! System prompt templates: organisation, structure, directives, variables and markers.

use std::collections::HashMap;

use agentd::catalog::CATALOG;
#[cfg(feature = "compiler")]
use agentd::compile::contract;
use agentd::models::template::SystemTemplateMetadata;
use agentd::orchestrator::prompts::{inject_variables, load_system_template};
use agentd::{Agent, Phase, Values, Variable};
use log::Level;

use crate::support::{files, logged};

/// The templates of every phase, each with its agent and text.
fn templates(phase: Phase) -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_phase = CATALOG.templates.iter().filter(move |template| template.phase == phase);
    of_phase.map(|template| (template.file, template.text))
}

fn assert_all_say(phase: Phase, phrases: &[&str]) {
    assert!(templates(phase).count() > 0, "{phase}");
    for (file, text) in templates(phase) {
        let text = text.to_lowercase();
        for phrase in phrases {
            assert!(text.contains(&phrase.to_lowercase()), "{file} does not speak of {phrase}");
        }
    }
}

#[test]
fn seed_000_r1_templates_lie_in_templates_system_under_agent_and_phase() {
    for file in files("templates/system", "") {
        let name = file.strip_prefix("templates/system/").expect("directly in the folder");
        let (agent, phase) = name
            .strip_suffix(".md")
            .and_then(|stem| stem.split_once('-'))
            .expect("[AGENT]-[PHASE].md");
        assert!(["GEMINI", "CLAUDE", "CODEX", "BASE"].contains(&agent), "{name}");
        assert!(["plan", "challenge", "implement", "review", "archive"].contains(&phase), "{name}");
    }
}

#[test]
fn seed_000_r1_every_agent_and_phase_is_served_by_its_own_template_or_by_base() {
    let on_disk = files("templates/system", ".md");
    for agent in Agent::ALL {
        for phase in Phase::ALL {
            let own = format!("{agent}-{phase}.md");
            let has_own = on_disk.contains(&format!("templates/system/{own}"));
            let expected = if has_own { own } else { format!("BASE-{phase}.md") };
            assert_eq!(CATALOG.system(*agent, *phase).file, expected);
            let by_name = CATALOG.find(agent.word(), phase.word()).expect("in the map");
            assert_eq!(by_name.file, expected);
        }
    }
}

#[test]
fn seed_000_r2_every_template_has_the_four_sections_with_text() {
    let sections =
        ["Identity & Role", "Core Principles", "Context Placeholders", "Workflow Context"];
    for template in CATALOG.templates {
        for section in sections {
            let heading = format!("\n## {section}\n");
            let mut parts = template.text.split(&heading);
            let _before = parts.next();
            let after = parts.next().unwrap_or_else(|| panic!("{} lacks {section}", template.file));
            assert_eq!(parts.next(), None, "{} has {section} twice", template.file);
            let body = after.split("\n## ").next().unwrap_or_default();
            assert!(body.trim().len() > 100, "{}: {section} says nothing", template.file);
        }
    }
}

#[cfg(feature = "compiler")]
#[test]
fn seed_000_r2_context_placeholders_hold_the_mandatory_markers() {
    for template in CATALOG.templates {
        let (_, section) =
            template.text.split_once("\n## Context Placeholders\n").expect("the section");
        let section = section.split("\n## ").next().unwrap_or_default();
        for variable in &contract::of_phase(template.phase).required {
            assert!(
                section.contains(&format!("{{{{{variable}}}}}")),
                "{}: {variable}",
                template.file
            );
        }
    }
}

#[test]
fn seed_000_r3_plan_speaks_of_prd_design_tickets_and_abstractions() {
    assert_all_say(
        Phase::Plan,
        &["proposal.md", "PRD", "specs/", "tasks.md", "abstractions", "Mermaid", "JSON Schema"],
    );
}

#[test]
fn seed_000_r3_challenge_speaks_of_technical_review_consistency_and_gaps() {
    assert_all_say(Phase::Challenge, &["technical review", "consistency", "gaps"]);
}

#[test]
fn seed_000_r3_implement_speaks_of_tasks_tests_and_progress() {
    assert_all_say(Phase::Implement, &["tasks", "unit and integration tests", "IMPLEMENTATION.md"]);
}

#[test]
fn seed_000_r3_review_speaks_of_test_evidence_security_and_code_quality() {
    assert_all_say(Phase::Review, &["test evidence", "security", "code quality"]);
}

#[test]
fn seed_000_r3_archive_speaks_of_changelog_specs_and_clean_up() {
    assert_all_say(Phase::Archive, &["changelog", "specs", "clean-up"]);
}

#[test]
fn seed_000_r4_all_five_variables_are_replaced() {
    let names = ["PROJECT_CONTEXT", "PROJECT_STRUCTURE", "ARTIFACTS", "SKELETON", "TASKS"];
    assert_eq!(Variable::WORDS, names);
    let text: String = names.iter().map(|name| format!("<{{{{{name}}}}}>")).collect();
    let context: HashMap<_, _> =
        names.iter().map(|name| ((*name).to_owned(), name.to_lowercase())).collect();
    let expected: String = names.iter().map(|name| format!("<{}>", name.to_lowercase())).collect();
    assert_eq!(inject_variables(&text, &context), expected);
}

#[test]
fn seed_000_r4_a_value_is_never_scanned_again() {
    let value = "{{TASKS}} [[shared:thoughts]] [[include:/etc/passwd]] {{{{";
    let context = HashMap::from([("ARTIFACTS".to_owned(), value.to_owned())]);
    assert_eq!(inject_variables("a {{ARTIFACTS}} b", &context), format!("a {value} b"));
    let template = CATALOG.system(Agent::Base, Phase::Review);
    assert!(template.render(&Values::new().with(Variable::Artifacts, value)).contains(value));
}

#[test]
fn seed_000_r5_every_template_teaches_the_markers_of_its_phase_and_no_others() {
    let verdicts = ["PASS", "NEEDS_REVISION", "NEEDS_CHANGES", "REJECTED", "MAJOR_ISSUES"];
    let taught = |phase| match phase {
        Phase::Plan => vec!["PASS", "NEEDS_REVISION"],
        Phase::Challenge => vec!["PASS", "NEEDS_REVISION", "REJECTED"],
        Phase::Review => vec!["PASS", "NEEDS_CHANGES", "MAJOR_ISSUES"],
        Phase::Implement | Phase::Archive => vec![],
    };
    for template in CATALOG.templates {
        for verdict in verdicts {
            let shown = template.text.contains(&format!("<review>{verdict}</review>"));
            assert_eq!(
                shown,
                taught(template.phase).contains(&verdict),
                "{}: {verdict}",
                template.file
            );
        }
        let reports_tasks = template.phase == Phase::Implement;
        for status in ["COMPLETED", "FAILED"] {
            let shown = template.text.contains(&format!("\">{status}</task_status>"));
            assert_eq!(shown, reports_tasks, "{}: {status}", template.file);
        }
        assert!(template.text.contains("<thought>"), "{}", template.file);
        assert_eq!(template.text.matches("<blocked>").count(), 1, "{}", template.file);
    }
}

#[test]
fn seed_000_data_model_metadata_follows_the_schema() {
    for template in CATALOG.templates {
        let metadata = SystemTemplateMetadata::from(*template);
        let json = serde_json::to_value(&metadata).expect("JSON");
        let object = json.as_object().expect("an object");
        assert_eq!(object.keys().collect::<Vec<_>>(), ["agent", "phase", "variables"]);
        assert!(
            ["GEMINI", "CLAUDE", "CODEX", "BASE"]
                .contains(&json["agent"].as_str().expect("a string"))
        );
        let phases = ["plan", "challenge", "implement", "review", "archive"];
        assert!(phases.contains(&json["phase"].as_str().expect("a string")));
        for variable in json["variables"].as_array().expect("an array") {
            let variable = variable.as_str().expect("a string");
            assert!(template.text.contains(&format!("{{{{{variable}}}}}")), "{}", template.file);
        }
        assert_eq!(
            serde_json::from_value::<SystemTemplateMetadata>(json).expect("read back"),
            metadata
        );
    }
    let wrong = serde_json::json!({ "agent": "claude", "phase": "plan", "variables": [] });
    let error = serde_json::from_value::<SystemTemplateMetadata>(wrong).expect_err("wrong case");
    assert!(error.to_string().contains("unknown variant `claude`"), "{error}");
}

#[test]
fn seed_000_scenario_loading_an_agent_specific_implementation_template() {
    let (text, log) = logged(|| load_system_template("CLAUDE", "implement").expect("a template"));
    assert_eq!(text, CATALOG.system(Agent::Claude, Phase::Implement).text);
    assert_eq!(CATALOG.system(Agent::Claude, Phase::Implement).file, "CLAUDE-implement.md");
    assert!(text.contains("You are Claude Sonnet"));
    assert_eq!(log, []);
}

#[test]
fn seed_000_scenario_falling_back_to_base_logs_a_debug_message() {
    assert!(
        !files("templates/system", ".md")
            .contains(&"templates/system/GEMINI-archive.md".to_owned())
    );
    let (text, log) = logged(|| load_system_template("GEMINI", "archive").expect("a template"));
    assert_eq!(text, CATALOG.system(Agent::Base, Phase::Archive).text);
    let expected = "no template GEMINI-archive.md, falling back to BASE-archive.md".to_owned();
    assert_eq!(log, [(Level::Debug, expected)]);
}

#[test]
fn seed_000_scenario_variable_injection_notes_and_warns_of_what_is_missing() {
    let template = "Context: {{PROJECT_CONTEXT}}.";
    let project = HashMap::from([("PROJECT_CONTEXT".to_owned(), "a web shop".to_owned())]);
    assert_eq!(
        logged(|| inject_variables(template, &project)),
        ("Context: a web shop.".to_owned(), vec![])
    );
    let (text, log) = logged(|| inject_variables(template, &HashMap::<String, String>::new()));
    assert_eq!(text, "Context: Context not provided: PROJECT_CONTEXT.");
    assert_eq!(log.len(), 1);
    assert_eq!(log[0].0, Level::Warn);
    assert!(log[0].1.contains("PROJECT_CONTEXT"), "{log:?}");
}

#[test]
fn seed_000_scenario_codex_challenge_instructs_the_review_marker() {
    let text = load_system_template("CODEX", "challenge").expect("a template");
    let sentence = "You MUST output <review>PASS</review> or <review>NEEDS_REVISION</review>";
    assert!(text.lines().any(|line| line.contains(sentence)));
}
