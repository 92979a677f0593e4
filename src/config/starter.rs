//! The file that a project begins with, written from the schema: every key with what it is for, and the default or an
//! example, commented out.
//!
//! Prose is commented with `# `, a setting with `#` alone: whoever takes away every such `#` gets a file that is
//! right.

use super::schema::{Key, Kind, Names, Shape};
use super::sections::ROOT;
use super::sections::agents::DESCRIBING;
use super::value::Value;
use crate::models::command::CommandLine;

/// Comments are no wider.
const WIDTH: usize = 100;

const HEAD: &str = "\
agentd's configuration for this project. What is said here counts more than your own file \
(~/.config/agentd/config.toml), and less than variables and options. Every line that begins with `#` and no space is \
a setting as it is by default, or an example where there is no default. `agentd config show --origin` tells what is in \
force, `agentd config schema` gives editors the schema.";

const TRUST: &str = "\
Whoever clones this project is asked before a command, an argument, a variable or a price in this file is used, or a limit \
raised: `agentd trust`.";

/// Writes the file, with these commands to verify changes in force.
pub fn starter(verify: &[CommandLine]) -> String {
    let Shape::Keys(sections) = &ROOT else { return String::new() };
    let mut text = String::new();
    comment(&mut text, HEAD);
    comment(&mut text, TRUST);
    for section in *sections {
        text.push('\n');
        comment(&mut text, section.about);
        match &section.kind {
            Kind::Table(Shape::Keys(keys)) => {
                text.push_str(&format!("[{}]\n", section.name));
                for key in *keys {
                    let proposed = section.name == "verify" && key.name == "commands";
                    let shown = if proposed && !verify.is_empty() {
                        Shown::InForce(Value::Commands(verify.to_vec()))
                    } else {
                        Shown::Usual
                    };
                    setting(&mut text, "", key, shown);
                }
            }
            Kind::Table(Shape::Named(names, Kind::Table(Shape::Keys(keys)))) => {
                for example in examples(*names) {
                    named(&mut text, section.name, example, keys);
                }
            }
            _ => setting(&mut text, "", section, Shown::Usual),
        }
    }
    text
}

/// A table in a section of names.
struct Example {
    /// Its name.
    name: &'static str,
    /// What it shows.
    about: &'static str,
    /// Whether it may stand there with nothing in it.
    header: Header,
    /// Which keys it shows.
    shows: fn(&str) -> bool,
    /// The command that it shows in place of the key's own example.
    command: Option<&'static str>,
}

/// How the head of a table is written.
#[derive(PartialEq, Eq)]
enum Header {
    InForce,
    CommentedOut,
}

const fn examples(names: Names) -> &'static [Example] {
    match names {
        Names::Agent => &[
            Example {
                name: "claude",
                about: "One that agentd knows: claude, gemini, codex, copilot or offline.",
                header: Header::InForce,
                shows: |key| !is_describing(key),
                command: None,
            },
            Example {
                name: "my-agent",
                about: "Any other program: it reads the prompt from standard input.",
                header: Header::CommentedOut,
                shows: |key| key == "command" || is_describing(key),
                command: Some("[\"my-agent\", \"--json\"]"),
            },
        ],
        Names::Model => &[Example {
            name: "some-model",
            about: "A model, by the name that the agent gives it.",
            header: Header::CommentedOut,
            shows: |_| true,
            command: None,
        }],
        Names::Variable => &[],
    }
}

fn is_describing(key: &str) -> bool {
    DESCRIBING.contains(&key)
}

fn named(text: &mut String, section: &str, example: &Example, keys: &[Key]) {
    text.push('\n');
    comment(text, example.about);
    text.push_str(match example.header {
        Header::InForce => "",
        Header::CommentedOut => "#",
    });
    text.push_str(&format!("[{section}.{}]\n", example.name));
    for key in keys.iter().filter(|key| (example.shows)(key.name)) {
        let shown = example.command.filter(|_| key.name == "command");
        setting(text, "", key, shown.map_or(Shown::Usual, Shown::Example));
    }
}

/// What is shown of a setting.
enum Shown {
    /// This value, in force.
    InForce(Value),
    /// This value, as TOML and commented out.
    Example(&'static str),
    /// The default, or else the key's own example, commented out.
    Usual,
}

/// Writes a setting, or each one in a table whose keys are known.
fn setting(text: &mut String, above: &str, key: &Key, shown: Shown) {
    let name = format!("{above}{}", key.name);
    comment(text, key.about);
    if let Kind::Table(Shape::Keys(keys)) = &key.kind {
        for key in *keys {
            setting(text, &format!("{name}."), key, Shown::Usual);
        }
        return;
    }
    text.push_str(&match shown {
        Shown::InForce(value) => format!("{name} = {value}\n"),
        Shown::Example(value) => format!("#{name} = {value}\n"),
        Shown::Usual => {
            format!("#{name} = {}\n", key.default.or(key.example).unwrap_or("\"\""))
        }
    });
}

/// Writes prose as comments, broken at spaces.
fn comment(text: &mut String, prose: &str) {
    let mut line = "#".to_owned();
    for word in prose.split_whitespace() {
        if line.len() > 1 && line.len() + 1 + word.len() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
}
