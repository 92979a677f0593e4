//! The compiled prompts of the team: complete, linked, and with a node table that says what their text does.

use agentd::catalog::TEAM;
use agentd::template::{Command, Dialect, Node, Part, Placeholder, Role, TeamPrompt, parse};

use crate::support::{files, read};

#[test]
fn seed_002_templates_lie_in_agents_commands_and_shared() {
    let names = |folder: &str| -> Vec<String> { files(&format!("templates/{folder}"), ".md") };
    let expected = |folder: &str, words: &[&str]| {
        let mut paths: Vec<_> =
            words.iter().map(|word| format!("templates/{folder}/{word}.md")).collect();
        paths.sort();
        paths
    };
    assert_eq!(names("agents"), expected("agents", Role::WORDS));
    assert_eq!(names("commands"), expected("commands", Command::WORDS));
    let shared = names("shared");
    for fragment in [
        "handoff-contract-architecture",
        "handoff-contract-plan",
        "handoff-contract-review",
        "coder-discipline",
        "preference-memory",
    ] {
        assert!(shared.contains(&format!("templates/shared/{fragment}.md")), "{fragment}");
    }
    assert_eq!(TEAM.iter().count(), TeamPrompt::COUNT);
}

#[test]
fn seed_002_fragments_are_in_place_before_anything_is_rendered() {
    for (prompt, fragment) in [
        (TeamPrompt::Role(Role::Architect), "handoff-contract-architecture"),
        (TeamPrompt::Role(Role::Planner), "handoff-contract-plan"),
        (TeamPrompt::Command(Command::Change), "handoff-contract-plan"),
        (TeamPrompt::Role(Role::Reviewer), "handoff-contract-review"),
        (TeamPrompt::Command(Command::Review), "handoff-contract-review"),
        (TeamPrompt::Role(Role::Coder), "coder-discipline"),
    ] {
        let template = TEAM.get(prompt);
        let source = read(&format!("templates/{}", template.file));
        assert!(source.contains(&format!("[[shared:{fragment}]]")), "{}", template.file);
        let text = read(&format!("templates/shared/{fragment}.md"));
        assert!(template.text.contains(text.trim_end()), "{}: {fragment}", template.file);
    }
    for template in TEAM.iter() {
        assert!(!template.text.contains("[[shared:"), "{}", template.file);
        assert!(!template.nodes.iter().any(|node| matches!(node, Node::Fragment(_))));
    }
}

/// The nodes of a text with neighbouring texts joined, as words that can be compared.
fn written<'n, 't: 'n>(nodes: impl IntoIterator<Item = &'n Node<'t>>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut after_text = false;
    for node in nodes {
        match (node, all.last_mut().filter(|_| after_text)) {
            (Node::Text(text), Some(last)) => last.push_str(text),
            (Node::Text(text), None) => all.push((*text).to_owned()),
            (other, _) => all.push(format!("{other:?}")),
        }
        after_text = matches!(node, Node::Text(_));
    }
    all
}

#[test]
fn every_node_table_is_what_its_text_is_parsed_into() {
    for template in TEAM.iter() {
        let parsed = parse(template.text, &Dialect::ROLE);
        assert_eq!(parsed.faults, [], "{}", template.file);
        let expected = written(parsed.nodes.iter().map(|(node, _)| node));
        assert_eq!(written(template.nodes), expected, "{}", template.file);
        assert!(template.nodes.len() > 1, "{}", template.file);
    }
}

#[test]
fn every_template_says_which_values_it_uses_and_which_a_project_may_use() {
    for template in TEAM.iter() {
        let mut used: Vec<&str> = Vec::new();
        for node in template.nodes {
            match node {
                Node::Text(_) | Node::Fragment(_) => {}
                Node::Hole(name) => used.push(name),
                Node::Include { path, .. } => {
                    used.extend(path.iter().filter_map(|part| match part {
                        Part::Text(_) => None,
                        Part::Hole(name) => Some(*name),
                    }));
                }
            }
        }
        let listed: Vec<_> = template.placeholders.iter().map(|value| value.word()).collect();
        assert!(used.iter().all(|name| listed.contains(name)), "{}: {used:?}", template.file);
        assert!(listed.iter().all(|name| used.contains(name)), "{}: {listed:?}", template.file);
        let own = Placeholder::ProjectInstructions.word();
        assert!(!template.extension_names.contains(&own), "{}", template.file);
        let is_extendable = template.prompt != TeamPrompt::Context;
        assert_eq!(!template.extension_names.is_empty(), is_extendable, "{}", template.file);
        assert_eq!(used.iter().filter(|name| **name == own).count(), usize::from(is_extendable));
    }
}
