//! Holds `docs/agents.md` to the code: its tables of keys and its command lines are generated, its examples are read.

use std::collections::BTreeMap;
use std::path::Path;

use agentd::Phase;
use agentd::config::{Config, Inputs, Layer, Source, keys};
use agentd::models::agent::{AgentSettings, Permissions, Protocol};
use agentd::orchestrator::agents::check;
use agentd::orchestrator::agents::install::Package;
use agentd::orchestrator::{Orchestrator, Place, RunContext};

use super::{blessed, in_code_font, read, rows, with_blocks};

const AGENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/agents.md");

const KEYS: &str = "| key | value | default | meaning |";

const CLIS: [(&str, Protocol); 4] = [
    ("claude", Protocol::Claude),
    ("gemini", Protocol::Gemini),
    ("codex", Protocol::Codex),
    ("copilot", Protocol::Copilot),
];

const LEVELS: [(&str, Permissions, Phase); 3] = [
    ("read", Permissions::Read, Phase::Challenge),
    ("write", Permissions::Write, Phase::Plan),
    ("shell", Permissions::Shell, Phase::Implement),
];

#[test]
fn the_guide_to_agents_lists_every_key_and_command_line_as_the_code_has_them() {
    let document = read(AGENTS);
    let blocks: Vec<String> =
        CLIS.iter().map(|(name, protocol)| command_lines(name, protocol)).collect();
    let current = with_blocks(&with_keys(&document), &blocks);
    if !blessed(AGENTS, &current) {
        assert_eq!(document, current, "run with AGENTD_BLESS=1");
    }
    let listed: Vec<[String; 4]> = rows(&current, KEYS);
    assert!(listed.len() > 25, "only {} keys are listed", listed.len());
    assert!(
        listed.iter().all(|[key, _, _, about]| in_code_font(key).is_some() && !about.is_empty())
    );
}

#[test]
fn every_example_of_a_configuration_in_the_guide_is_right() {
    let document = read(AGENTS);
    let examples: Vec<&str> = document
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split_once("```").expect("the block is closed").0)
        .collect();
    assert!(examples.len() >= 8, "only {} examples were found", examples.len());
    for text in examples {
        let (layer, name) = (Layer::Project, "agentd/config.toml".to_owned());
        let config = Config::new(&Inputs {
            files: vec![Source { layer, name, text: text.to_owned() }],
            overrides: Vec::new(),
            root: Path::new("/project"),
            executable: Path::new("/usr/bin/agentd"),
        })
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
        for settings in config.agents.values() {
            check(settings).unwrap_or_else(|error| panic!("{error}\n{text}"));
        }
    }
}

#[test]
fn the_guide_says_how_each_cli_is_installed_and_which_version_was_checked() {
    let document = read(AGENTS);
    for (name, protocol) in CLIS {
        let package = Package::of(&protocol).expect("a CLI has a package");
        for expected in [package.install(), package.checked_version(), package.login.clone()] {
            assert!(document.contains(&expected), "{name}: {expected} is not there");
        }
    }
}

/// Puts the keys in place of the rows of the table.
fn with_keys(document: &str) -> String {
    let mut out = String::new();
    let mut lines = document.lines().peekable();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        if line != KEYS {
            continue;
        }
        while lines.next_if(|line| line.starts_with('|')).is_some() {}
        out.push_str("|---|---|---|---|\n");
        for key in keys() {
            let default = key.default.map(|default| format!("`{default}`")).unwrap_or_default();
            out.push_str(&format!(
                "| `{}` | {} | {default} | {} |\n",
                key.path, key.value, key.about
            ));
        }
    }
    out
}

/// Gives the command line of a CLI for each level, and the variables that are set for it.
fn command_lines(name: &str, protocol: &Protocol) -> String {
    let mut block = String::new();
    let mut variables: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (level, permissions, phase) in LEVELS {
        let mut settings = AgentSettings::new(name, protocol.clone());
        settings.permissions = permissions;
        let occasion = RunContext {
            change: Path::new("CHANGE"),
            run_folder: Path::new("RUN"),
            prompt: "",
            server: None,
        };
        let orchestrator = Orchestrator::new(settings, Place::new("PROJECT", "agentd"));
        let invocation = orchestrator.invocation(agentd::catalog::CATALOG.step(phase), &occasion);
        let invocation = invocation.unwrap_or_else(|error| panic!("{name}: {error}"));
        let words: Vec<_> = invocation.args.iter().map(|word| word.to_string_lossy()).collect();
        block.push_str(&format!("{level:5}  {name} {}\n", words.join(" ")));
        for (name, value) in invocation.env {
            let variable = format!("{}={}", name.to_string_lossy(), value.to_string_lossy());
            variables.entry(variable).or_default().push(level);
        }
    }
    let (always, sometimes): (Vec<_>, Vec<_>) =
        variables.into_iter().partition(|(_, levels)| levels.len() == LEVELS.len());
    let always: Vec<_> = always.into_iter().map(|(variable, _)| variable).collect();
    block.push_str(&format!("with   {}\n", always.join(" ")));
    for (variable, levels) in sometimes {
        block.push_str(&format!("with   {variable} at {}\n", levels.join(" and ")));
    }
    block
}
